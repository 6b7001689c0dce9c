//! Answers as text for people.

pub(crate) mod answers;
pub(crate) mod forget;
pub(crate) mod patterns;
pub(crate) mod rules;
pub(crate) mod truth;
pub(crate) mod walk;

use std::fmt::{Display, Write};

use lorebase::engine::model::fact::{FactStatus, IMPORTANCE, Polarity};
use lorebase::engine::model::id::EpisodeId;
use lorebase::engine::model::ruling::Sign;
use lorebase::engine::model::time::{Interval, Timestamp};
use lorebase::engine::{BackedUp, Compaction, Notice, Repaired, Usage};
use lorebase::extract::gate::mask::Tally as Masks;
use lorebase::identity::{Ruled, Suggestion};
use lorebase::intake::Ingested;
use lorebase::memory::{Recalled, Remembered, Stats};
use lorebase::query::recall::{Parts, Trace};
use lorebase::query::rerank::Reranked;
use lorebase::transfer::Tally;
use lorebase::view::{EntityView, FactView, FoundEpisode, MergeView, StepView};

use super::args::Detail;
use super::transfer::{Exported, ImportedFile};
use crate::wire::text::steers;

/// A number with the noun that it counts, which is given for one.
pub(crate) fn counted(count: impl Display, noun: &str) -> String {
    let count = count.to_string();
    if count == "1" {
        return format!("1 {noun}");
    }
    match noun.strip_suffix("ty") {
        Some(stem) => format!("{count} {stem}ties"),
        None => format!("{count} {noun}s"),
    }
}

/// Hits, best first, each with its citation, text, facts and path.
pub(crate) fn recall(found: &Recalled, detail: Detail) -> String {
    let mut text = String::new();
    for (place, hit) in (1..).zip(&found.hits) {
        self::hit(&mut text, place, hit);
        if detail == Detail::Explained {
            for fact in &hit.facts {
                line(&mut text, &format!("     fact: {}", self::fact(fact)));
            }
            let mut rules: Vec<&str> = hit.path.iter().filter_map(|step| step.rule.as_deref()).collect();
            rules.dedup();
            for rule in rules {
                line(&mut text, &format!("     rule: {}", visible(rule)));
            }
            line(&mut text, &format!("     score {:.2} = {}", hit.score, sum(&hit.parts)));
        }
    }
    if detail == Detail::Explained {
        line(&mut text, &work(&found.trace));
        if let Some(Reranked { model, candidates, read }) = &found.reranked {
            let read = format!("read {read} of {}", counted(*candidates, "hit"));
            line(&mut text, &format!("reranker: {}, {read}", visible(model)));
        }
        let model = found.meaning.model.as_deref().unwrap_or("none, words alone");
        line(&mut text, &format!("model: {}", visible(model)));
    }
    text
}

fn hit(text: &mut String, place: usize, hit: &FoundEpisode) {
    let episode = &hit.episode;
    let at = episode.occurred_at.map(|at| format!("{} ", at.to_the_minute())).unwrap_or_default();
    let speaker =
        episode.speaker.as_deref().map(|speaker| format!("{}: ", visible(speaker))).unwrap_or_default();
    let id = cite(episode.source_id.as_deref(), &episode.id);
    line(text, &format!("{place:>3}. [{id}] {at}{speaker}{}", visible(&episode.text)));
    if hit.flagged {
        line(text, "     flagged: it reads as if it were addressed to a model");
    }
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
    let mut sum = format!(
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
    );
    if parts.copy < 1.0 {
        sum = format!("({sum}) × copy {:.1}", parts.copy);
    }
    if parts.order != 0.0 {
        write!(sum, " + order {:.2}", parts.order).expect("writing to a string cannot fail");
    }
    if parts.rerank > 0.0 {
        write!(sum, " + rerank {:.2}", parts.rerank).expect("writing to a string cannot fail");
    }
    if parts.fade < 1.0 {
        sum = format!("({sum}) × fade {:.2}", parts.fade);
    }
    if parts.update > 0.0 {
        write!(sum, " + update {:.2}", parts.update).expect("writing to a string cannot fail");
    }
    sum
}

fn work(trace: &Trace) -> String {
    format!(
        "known: {} of the question; scored: {}; looked at by the walks: {} and facts.",
        counted(trace.terms, "term"),
        counted(trace.candidates, "episode"),
        counted(trace.walked, "passage")
    )
}

/// Facts, one a line, with where they were said, and where it is asked for, their ids.
pub(crate) fn facts(facts: &[FactView], ids: bool) -> String {
    let mut text = String::new();
    for fact in facts {
        let cited: Vec<String> =
            fact.support.iter().map(|support| cite(support.source_id.as_deref(), &support.episode)).collect();
        let id = if ids && fact.derived.is_none() { format!("  fact {}", fact.id) } else { String::new() };
        line(&mut text, &format!("{}  [{}]{id}", self::fact(fact), cited.join(", ")));
    }
    text
}

fn fact(fact: &FactView) -> String {
    let status = if fact.status == FactStatus::Current { "" } else { fact.status.as_str() };
    let unsure = if fact.hedged { "said with a doubt" } else { "" };
    let source = fact.attributed_to.as_ref().map(|name| format!("as {} says", visible(name)));
    let contested = fact.contested.then(|| "contested: another says otherwise".to_owned());
    let pinned = fact.cares.pinned.then(|| "pinned".to_owned());
    let beside = fact.cares.notes.iter().map(|(_, note)| format!("note: {}", visible(note)));
    let weight = (fact.importance != IMPORTANCE).then(|| format!("importance {}", fact.importance));
    let mut notes: Vec<String> = [status.to_owned(), unsure.to_owned(), held(&fact.valid)].into();
    let derived = fact.derived.as_ref().map(|derived| format!("by {}", visible(&derived.rule)));
    notes.splice(2..2, [contested, source, weight, pinned].into_iter().flatten());
    let earlier = fact.intervals.iter().filter(|stay| **stay != fact.valid).map(held);
    notes.extend(earlier.map(|stay| format!("also {stay}")));
    notes.extend(fact.cares.expires_at.map(|at| format!("expires {}", day(at))));
    notes.extend(derived);
    notes.extend(beside);
    notes.retain(|note| !note.is_empty());
    let notes = if notes.is_empty() { String::new() } else { format!(" ({})", notes.join(", ")) };
    format!("{}{notes}", claim(fact))
}

/// What a fact says.
pub(crate) fn claim(fact: &FactView) -> String {
    let not = if fact.polarity == Polarity::Negated { "not " } else { "" };
    let [subject, predicate, object] = [&*fact.subject, fact.predicate.as_str(), &*fact.object].map(visible);
    format!("{subject} {not}{predicate} {object}")
}

/// When something held, in words; nothing where that is not known.
pub(super) fn held(valid: &Interval) -> String {
    match (valid.from.map(day), valid.to.map(day)) {
        (None, None) => String::new(),
        (Some(from), None) => format!("since {from}"),
        (None, Some(to)) => format!("before {to}"),
        (Some(from), Some(to)) if from == to => format!("on {from}"),
        (Some(from), Some(to)) => format!("{from} to {to}"),
    }
}

fn day(at: Timestamp) -> String {
    at.civil().date().to_string()
}

/// Entities with their facts.
pub(crate) fn entities(entities: &[EntityView]) -> String {
    let mut text = String::new();
    for entity in entities {
        line(
            &mut text,
            &format!(
                "{} ({}), named in {}",
                visible(&entity.name),
                entity.kind.as_str(),
                counted(entity.episodes, "episode")
            ),
        );
        if entity.aliases.len() > 1 {
            line(&mut text, &format!("  also called {}", visible(&entity.aliases[1..].join(", "))));
        }
        for merge in &entity.merges {
            line(&mut text, &format!("  {}", merged(merge)));
        }
        if !entity.same_as.is_empty() {
            line(&mut text, &format!("  perhaps the same as {}", visible(&entity.same_as.join(", "))));
        }
        for indented in facts(&entity.facts, false).lines() {
            line(&mut text, &format!("  {indented}"));
        }
        if entity.more_follows {
            line(&mut text, "  and more follows than was worked out");
        }
    }
    text
}

fn merged(merge: &MergeView) -> String {
    let (with, day) = (visible(&merge.with), day(merge.at));
    let how = evidence(&merge.evidence.signs, merge.evidence.score);
    let note = merge.evidence.note.as_deref().map(|note| format!(": {}", visible(note))).unwrap_or_default();
    format!("one with {with} since {day}, by {}{how}{note}", merge.evidence.by.as_str())
}

/// Signs and what they come to, in brackets.
fn evidence(signs: &[Sign], score: f32) -> String {
    if signs.is_empty() {
        return String::new();
    }
    let signs: Vec<&str> = signs.iter().map(|sign| sign.as_str()).collect();
    format!(" ({}; {score:.1})", signs.join(", "))
}

/// What a merge or a split came to.
pub(crate) fn ruled(ruled: &Ruled) -> String {
    let what = match (ruled.new, ruled.entities.len()) {
        (true, 1) => "one from now on",
        (false, 1) => "one already",
        (true, _) => "two from now on",
        (false, _) => "two already",
    };
    format!("{what}:\n{}", entities(&ruled.entities))
}

/// Persons that are likely one.
pub(crate) fn suggestions(suggestions: &[Suggestion]) -> String {
    let mut text = String::new();
    for Suggestion { name, other, signs, score } in suggestions {
        let (name, other, how) = (visible(name), visible(other), evidence(signs, *score));
        line(&mut text, &format!("{name} = {other}{how}"));
    }
    text
}

/// What one text came to.
pub(crate) fn remembered(told: &Remembered) -> String {
    let known = if told.new { "remembered" } else { "already known" };
    let mut text = format!("{known}: {}\n", told.episode);
    text.push_str(&facts(&told.facts, false));
    text.push_str(&masked(&told.masked));
    text
}

/// What was masked, as a line; nothing where nothing was.
fn masked(tally: &Masks) -> String {
    if tally.is_empty() {
        return String::new();
    }
    let counts: Vec<String> = tally.iter().map(|(reason, count)| counted(count, reason.as_str())).collect();
    format!("  masked: {}; with --keep-secrets they are kept\n", counts.join(", "))
}

/// What one file came to.
pub(crate) fn ingested(path: &str, told: &Ingested, seconds: f64) -> String {
    let mut text = String::new();
    line(
        &mut text,
        &format!(
            "{}: {}, {} ({} new), {}, {} refused{}, {seconds:.2} s",
            visible(path),
            counted(told.sessions, "session"),
            counted(told.episodes, "episode"),
            told.new_episodes,
            counted(told.facts, "fact"),
            told.refused.len() + told.more_refused,
            stay_forgotten(told.stay_forgotten as u64)
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
    text.push_str(&masked(&told.masked));
    text
}

/// What was not taken in, as one piece of a list.
fn stay_forgotten(episodes: u64) -> String {
    match episodes {
        0 => String::new(),
        1 => ", 1 episode that stays forgotten".to_owned(),
        more => format!(", {more} episodes that stay forgotten"),
    }
}

/// What was written.
pub(crate) fn exported(path: &str, told: &Exported) -> String {
    let Tally { episodes, tombstones, rulings, entities, facts } = told.tally;
    let counts = [(episodes, "episode"), (tombstones, "tombstone"), (entities, "entity"), (facts, "fact")];
    let counts = counts.map(|(count, noun)| counted(count, noun)).join(", ");
    let rulings = if rulings > 0 { format!(", {}", counted(rulings, "ruling")) } else { String::new() };
    format!("{}: {}, {counts}{rulings}\n", visible(path), counted(told.namespaces, "namespace"))
}

/// What importing one file came to.
pub(crate) fn imported(file: &ImportedFile) -> String {
    let (told, path) = (&file.told, visible(&file.file));
    let mut text = format!("{path}: {} ({} new)", counted(told.episodes, "episode"), told.new_episodes);
    for (count, noun, what) in [
        (told.new_readings, "reading", " for what was there"),
        (told.new_tombstones, "new tombstone", ""),
        (told.new_rulings, "new ruling", ""),
        (told.kept, "tombstone", " passed over, as what was forgotten there is kept here"),
    ] {
        if count > 0 {
            write!(text, ", {}{what}", counted(count, noun)).expect("writing to a string cannot fail");
        }
    }
    text.push_str(&stay_forgotten(told.stay_forgotten));
    text.push('\n');
    let differences = &file.differences;
    if let Some(example) = &differences.example {
        let (compared, count) = (differences.compared, differences.count);
        line(
            &mut text,
            &format!(
                "  {count} of {compared} entities and facts not as in the file, as when another version wrote it: {}",
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
        ("without a vector", stats.without_vector),
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
        line(&mut text, &format!("{name:<18} {}", counted(bytes, "byte")));
    }
    let (bytes, namespaces) = stats.memory;
    let (bytes, namespaces) = (counted(bytes, "byte"), counted(namespaces, "namespace"));
    line(&mut text, &format!("{:<18} about {bytes} for {namespaces}", "memory"));
    text
}

/// What does not hold, a line each.
pub(crate) fn problems(problems: &[String]) -> String {
    if problems.is_empty() {
        return "sound\n".to_owned();
    }
    problems.iter().map(|problem| visible(problem) + "\n").collect()
}

/// What was copied.
pub(crate) fn backed_up(directory: &str, told: &BackedUp, problems: Option<&[String]>) -> String {
    let BackedUp { commits, segments, bytes } = told;
    let path = visible(directory);
    let (commits, segments) = (counted(commits, "commit"), counted(segments, "segment"));
    let mut text = format!("{path}: {commits}, {segments}, {}\n", counted(bytes, "byte"));
    text.push_str(&problems.map_or_else(String::new, self::problems));
    text
}

/// What could be saved.
pub(crate) fn repaired(told: &Repaired, problems: Option<&[String]>) -> String {
    let mut text = String::new();
    line(&mut text, &format!("{} can be read, {} lost", counted(told.commits, "commit"), told.lost));
    if let Some(quarantine) = &told.quarantine {
        let (bytes, files) = (counted(told.quarantined, "byte"), counted(told.files, "file"));
        let place = visible(&quarantine.display().to_string());
        line(&mut text, &format!("put aside: {bytes} in {files}, in {place}"));
    }
    if told.segments > 0 {
        line(&mut text, &format!("written anew: {} of the journal", counted(told.segments, "segment")));
    }
    if told.format {
        line(&mut text, "written anew: the file FORMAT");
    }
    text.push_str(&problems.map_or_else(String::new, self::problems));
    text
}

/// Something that opening found and dealt with.
pub(crate) fn notice(notice: &Notice) -> String {
    match notice {
        Notice::TornTail(torn) => format!(
            "{} ended in {} of no whole commit, cut off at byte {} and kept in {}",
            torn.path.display(),
            counted(torn.bytes, "byte"),
            torn.offset,
            torn.kept.display()
        ),
        Notice::Upgraded { from, to, commits } => {
            format!("the store was brought from \"{from}\" to \"{to}\" ({})", counted(commits, "commit"))
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
                "applied {} of the journal to the working store, as after a run that was cut short; nothing is lost",
                counted(commits, "commit")
            )
        }
        Notice::Rebuilt { reason, quarantine, commits } => {
            let kept = quarantine.as_ref().map(|path| format!("; the old one is kept in {}", path.display()));
            format!(
                "rebuilt the working store from {} of the journal, because {reason}{}",
                counted(commits, "commit"),
                kept.unwrap_or_default()
            )
        }
    }
}

fn cite(source_id: Option<&str>, episode: &EpisodeId) -> String {
    source_id.map_or_else(|| episode.to_string(), visible)
}

/// Stored text as it may be shown on a terminal: control and bidirectional characters escaped, line breaks
/// kept and set in.
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
    use super::{counted, visible, visible_lines};

    #[test]
    fn one_is_no_plural() {
        let said = [(0, "fact"), (1, "fact"), (2, "fact"), (1, "entity"), (2, "entity")];
        let said = said.map(|(count, noun)| counted(count, noun)).join(", ");
        assert_eq!(said, "0 facts, 1 fact, 2 facts, 1 entity, 2 entities");
    }

    #[test]
    fn stored_text_cannot_steer_the_terminal() {
        assert_eq!(visible("a\u{1b}[2Jb\u{202e}c"), "a\\u{1b}[2Jb\\u{202e}c");
        assert_eq!(visible("one\ntwo"), "one\n     two");
        assert_eq!(visible("a\u{9b}2J\u{61c}b\u{2028}\u{7f}"), "a\\u{9b}2J\\u{61c}b\\u{2028}\\u{7f}");
        assert_eq!(visible_lines("a\r\nb\u{1b}\n"), "a\\u{d}\nb\\u{1b}\n");
    }
}
