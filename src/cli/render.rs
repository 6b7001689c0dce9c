//! Answers as text for people.

use std::fmt::Write;

use lorebase::engine::model::fact::{FactStatus, Polarity};
use lorebase::engine::model::id::EpisodeId;
use lorebase::engine::model::time::Interval;
use lorebase::engine::{BackedUp, Compaction, Notice, Repaired, Usage};
use lorebase::forget::{Forgotten, Going};
use lorebase::intake::Ingested;
use lorebase::memory::{Recalled, Remembered, Stats};
use lorebase::query::recall::{Parts, Trace};
use lorebase::transfer::Tally;
use lorebase::view::{EntityView, FactView, FoundEpisode, StepView};

use super::args::Detail;
use super::transfer::{Exported, ImportedFile};
use crate::wire::text::steers;

/// Hits, best first, each with its citation, text, facts and path.
pub(crate) fn recall(found: &Recalled, detail: Detail) -> String {
    let mut text = String::new();
    for (place, hit) in (1..).zip(&found.hits) {
        self::hit(&mut text, place, hit);
        if detail == Detail::Explained {
            for fact in &hit.facts {
                line(&mut text, &format!("     fact: {}", self::fact(fact)));
            }
            line(&mut text, &format!("     score {:.2} = {}", hit.score, sum(&hit.parts)));
        }
    }
    if detail == Detail::Explained {
        line(&mut text, &work(&found.trace));
    }
    text
}

fn hit(text: &mut String, place: usize, hit: &FoundEpisode) {
    let episode = &hit.episode;
    let at =
        episode.occurred_at.map(|at| at.civil().strftime("%Y-%m-%d %H:%M ").to_string()).unwrap_or_default();
    let speaker =
        episode.speaker.as_deref().map(|speaker| format!("{}: ", visible(speaker))).unwrap_or_default();
    let id = cite(episode.source_id.as_deref(), &episode.id);
    line(text, &format!("{place:>3}. [{id}] {at}{speaker}{}", visible(&episode.text)));
    if let Some(first) = hit.path.first() {
        let steps: String = hit.path.iter().map(step).collect();
        line(text, &format!("     path: {}{steps}", visible(&first.from)));
    }
}

fn step(step: &StepView) -> String {
    let source = if step.source == step.to { String::new() } else { format!(" [{}]", visible(&step.source)) };
    let (before, after) = if step.reverse { ("←", "—") } else { ("—", "→") };
    format!(" {before}{}{after} {}{source}", visible(&step.over), visible(&step.to))
}

fn sum(parts: &Parts) -> String {
    format!(
        "(lexical {:.2} + neighbours {:.2} + session {:.2} + coverage {:.2}) × speaker {:.1} × timeline {:.1} × recency {:.2} + vector {:.2} + bridge {:.2} + facts {:.2}",
        parts.lexical,
        parts.neighbours,
        parts.session,
        parts.coverage,
        parts.speaker,
        parts.timeline,
        parts.recency,
        parts.vector,
        parts.bridge,
        parts.facts
    )
}

fn work(trace: &Trace) -> String {
    format!(
        "{} terms of the question are known; {} episodes were scored; the walks looked at {} passages and facts.",
        trace.terms, trace.candidates, trace.walked
    )
}

/// Facts, one a line, with where they were said.
pub(crate) fn facts(facts: &[FactView]) -> String {
    let mut text = String::new();
    for fact in facts {
        let cited: Vec<String> =
            fact.support.iter().map(|support| cite(support.source_id.as_deref(), &support.episode)).collect();
        line(&mut text, &format!("{}  [{}]", self::fact(fact), cited.join(", ")));
    }
    text
}

fn fact(fact: &FactView) -> String {
    let not = if fact.polarity == Polarity::Negated { "not " } else { "" };
    let status = if fact.status == FactStatus::Current { "" } else { fact.status.as_str() };
    let mut notes: Vec<String> = [status.to_owned(), held(&fact.valid)].into();
    notes.retain(|note| !note.is_empty());
    let notes = if notes.is_empty() { String::new() } else { format!(" ({})", notes.join(", ")) };
    let [subject, predicate, object] = [&*fact.subject, fact.predicate.as_str(), &*fact.object].map(visible);
    format!("{subject} {not}{predicate} {object}{notes}")
}

fn held(valid: &Interval) -> String {
    let day = |at: lorebase::engine::model::time::Timestamp| at.civil().date().to_string();
    match (valid.from.map(day), valid.to.map(day)) {
        (None, None) => String::new(),
        (Some(from), None) => format!("since {from}"),
        (None, Some(to)) => format!("before {to}"),
        (Some(from), Some(to)) if from == to => format!("on {from}"),
        (Some(from), Some(to)) => format!("{from} to {to}"),
    }
}

/// Entities with their facts.
pub(crate) fn entities(entities: &[EntityView]) -> String {
    let mut text = String::new();
    for entity in entities {
        line(
            &mut text,
            &format!(
                "{} ({}), named in {} episodes",
                visible(&entity.name),
                entity.kind.as_str(),
                entity.episodes
            ),
        );
        if entity.aliases.len() > 1 {
            line(&mut text, &format!("  also called {}", visible(&entity.aliases[1..].join(", "))));
        }
        if !entity.same_as.is_empty() {
            line(&mut text, &format!("  perhaps the same as {}", visible(&entity.same_as.join(", "))));
        }
        for indented in facts(&entity.facts).lines() {
            line(&mut text, &format!("  {indented}"));
        }
    }
    text
}

/// What one text came to.
pub(crate) fn remembered(told: &Remembered) -> String {
    let known = if told.new { "remembered" } else { "already known" };
    let mut text = format!("{known}: {}\n", told.episode);
    text.push_str(&facts(&told.facts));
    text
}

/// What one file came to.
pub(crate) fn ingested(path: &str, told: &Ingested, seconds: f64) -> String {
    let mut text = String::new();
    line(
        &mut text,
        &format!(
            "{}: {} sessions, {} episodes ({} new), {} facts, {} refused, {seconds:.2} s",
            visible(path),
            told.sessions,
            told.episodes,
            told.new_episodes,
            told.facts,
            told.refused.len() + told.more_refused
        ),
    );
    for refusal in &told.refused {
        line(
            &mut text,
            &format!(
                "  refused: session {} turn {}: {}",
                visible(&refusal.session),
                refusal.position,
                refusal.reason
            ),
        );
    }
    if told.more_refused > 0 {
        line(&mut text, &format!("  and {} more", told.more_refused));
    }
    text
}

/// What was written.
pub(crate) fn exported(path: &str, told: &Exported) -> String {
    let Tally { episodes, tombstones, entities, facts } = told.tally;
    format!(
        "{}: {} namespaces, {episodes} episodes, {tombstones} tombstones, {entities} entities, {facts} facts\n",
        visible(path),
        told.namespaces
    )
}

/// What importing one file came to.
pub(crate) fn imported(file: &ImportedFile) -> String {
    let (told, path) = (&file.told, visible(&file.file));
    let mut text = format!("{path}: {} episodes ({} new)", told.episodes, told.new_episodes);
    for (count, what) in [
        (told.new_readings, "readings for episodes that were there"),
        (told.new_tombstones, "new tombstones"),
        (told.stay_forgotten, "episodes that stay forgotten"),
        (told.kept, "episodes that were forgotten there and are kept here"),
    ] {
        if count > 0 {
            write!(text, ", {count} {what}").expect("writing to a string cannot fail");
        }
    }
    text.push('\n');
    let differences = &file.differences;
    if let Some(example) = &differences.example {
        let (compared, count) = (differences.compared, differences.count);
        line(
            &mut text,
            &format!(
                "  {count} of {compared} entities and facts are not as they are in the file, as when another version wrote it: {}",
                visible(example)
            ),
        );
    }
    text
}

/// How much there is.
pub(crate) fn stats(stats: &Stats) -> String {
    let counts = &stats.counts;
    let rows = [
        ("namespaces", stats.namespaces),
        ("sessions", counts.sessions),
        ("episodes", counts.episodes),
        ("entities", counts.entities),
        ("facts", counts.facts),
        ("mentions", counts.mentions),
        ("episodes not read", stats.unread),
        ("graph nodes", counts.nodes),
        ("graph edges", counts.edges),
    ];
    let mut text = String::new();
    for (name, count) in rows {
        line(&mut text, &format!("{name:<18} {count}"));
    }
    line(&mut text, &format!("{:<18} {}", "commits", stats.commits));
    line(&mut text, &format!("{:<18} {}", "embedder", stats.embedder));
    let Usage { journal, sled, snapshots, aside } = stats.disk;
    for (name, bytes) in
        [("journal", journal), ("sled", sled), ("snapshots", snapshots), ("put aside", aside)]
    {
        line(&mut text, &format!("{name:<18} {bytes} bytes"));
    }
    let (bytes, namespaces) = stats.memory;
    line(&mut text, &format!("{:<18} about {bytes} bytes for {namespaces} namespaces", "memory"));
    text
}

/// What does not hold, a line each.
pub(crate) fn problems(problems: &[String]) -> String {
    if problems.is_empty() {
        return "sound\n".to_owned();
    }
    problems.iter().map(|problem| visible(problem) + "\n").collect()
}

/// What was forgotten, or would be.
pub(crate) fn forgotten(told: &Forgotten, dry_run: bool) -> String {
    let Going { episodes, facts, gone, .. } = &told.going;
    let begin = if dry_run { "would forget" } else { "forgotten:" };
    let mut text = format!("{begin} {} episodes and {facts} facts that only they state", episodes.len());
    if *gone > 0 {
        write!(text, "; {gone} were forgotten before").expect("writing to a string cannot fail");
    }
    text.push('\n');
    let Compaction { segments, episodes, bytes } = told.compaction;
    if segments > 0 {
        line(
            &mut text,
            &format!(
                "{episodes} texts are off the disk ({segments} segments written anew, {bytes} bytes less)"
            ),
        );
    }
    text
}

/// What was copied.
pub(crate) fn backed_up(directory: &str, told: &BackedUp, problems: Option<&[String]>) -> String {
    let BackedUp { commits, segments, bytes } = told;
    let path = visible(directory);
    let mut text = format!("{path}: {commits} commits, {segments} segments, {bytes} bytes\n");
    text.push_str(&problems.map_or_else(String::new, self::problems));
    text
}

/// What could be saved.
pub(crate) fn repaired(told: &Repaired, problems: Option<&[String]>) -> String {
    let mut text = String::new();
    line(&mut text, &format!("{} commits can be read, {} are lost", told.commits, told.lost));
    if let Some(quarantine) = &told.quarantine {
        let (bytes, files) = (told.quarantined, told.files);
        let place = visible(&quarantine.display().to_string());
        line(&mut text, &format!("{bytes} bytes in {files} files were put aside in {place}"));
    }
    if told.segments > 0 {
        line(&mut text, &format!("{} segments of the journal were written anew", told.segments));
    }
    if told.format {
        line(&mut text, "the file FORMAT was written anew");
    }
    text.push_str(&problems.map_or_else(String::new, self::problems));
    text
}

/// Something that opening found and dealt with.
pub(crate) fn notice(notice: &Notice) -> String {
    match notice {
        Notice::TornTail(torn) => format!(
            "{} ended in {} bytes that are no whole commit, at byte {}; they were cut off and are kept in {}",
            torn.path.display(),
            torn.bytes,
            torn.offset,
            torn.kept.display()
        ),
        Notice::Upgraded { from, to, commits } => {
            format!("the store was brought from \"{from}\" to \"{to}\" ({commits} commits)")
        }
        Notice::InMemory { reason } => format!(
            "the working store is kept in memory until the next opening, because of this: {reason}; nothing is lost"
        ),
        Notice::ReadOnly { reason } => {
            format!(
                "the store can be read, and takes no writes until the next opening, because of this: {reason}"
            )
        }
        Notice::DamagedSnapshot { path } => format!(
            "the snapshot {} was damaged, as after a power cut; the namespace was made from the journal, nothing is lost",
            path.display()
        ),
        Notice::Erased(Compaction { episodes, .. }) => format!(
            "took {episodes} forgotten texts off the disk, which a run that was cut short had not come to, and what was cut off the journal's end"
        ),
        Notice::NotErased { reason } => format!(
            "what was forgotten may still stand on disk, because of this: {reason}; that is tried again at the next opening"
        ),
        Notice::CaughtUp { commits } => {
            format!(
                "applied {commits} commits of the journal to the working store, as after a run that was cut short; nothing is lost"
            )
        }
        Notice::Rebuilt { reason, quarantine, commits } => {
            let kept = quarantine.as_ref().map(|path| format!("; the old one is kept in {}", path.display()));
            format!(
                "rebuilt the working store from {commits} commits of the journal, because {reason}{}",
                kept.unwrap_or_default()
            )
        }
    }
}

fn cite(source_id: Option<&str>, episode: &EpisodeId) -> String {
    source_id.map_or_else(|| episode.to_string(), visible)
}

/// Stored text as it may be shown on a terminal: control and bidirectional characters escaped, line breaks kept
/// and set in.
pub(super) fn visible(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\n' => shown.push_str("\n     "),
            '\t' => shown.push(c),
            c if steers(c) => shown.extend(c.escape_unicode()),
            c => shown.push(c),
        }
    }
    shown
}

/// Lines with everything else in them escaped that [`visible`] escapes.
pub(super) fn visible_lines(text: &str) -> String {
    text.split_inclusive('\n').fold(String::with_capacity(text.len()), |mut shown, line| {
        let (line, end) = line.strip_suffix('\n').map_or((line, ""), |line| (line, "\n"));
        shown.push_str(&visible(line));
        shown.push_str(end);
        shown
    })
}

fn line(text: &mut String, line: &str) {
    writeln!(text, "{line}").expect("writing to a string cannot fail");
}

#[cfg(test)]
mod tests {
    use super::{visible, visible_lines};

    #[test]
    fn stored_text_cannot_steer_the_terminal() {
        assert_eq!(visible("a\u{1b}[2Jb\u{202e}c"), "a\\u{1b}[2Jb\\u{202e}c");
        assert_eq!(visible("one\ntwo"), "one\n     two");
        assert_eq!(visible("a\u{9b}2J\u{61c}b\u{2028}\u{7f}"), "a\\u{9b}2J\\u{61c}b\\u{2028}\\u{7f}");
        assert_eq!(visible_lines("a\r\nb\u{1b}\n"), "a\\u{d}\nb\\u{1b}\n");
    }
}
