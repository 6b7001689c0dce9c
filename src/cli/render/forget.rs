//! What is forgotten, or would be, for people.

use lorebase::engine::Compaction;
use lorebase::forget::{Forgotten, Going};
use lorebase::leaving::Leaving;

use super::{cite, counted, fact, line, visible};

/// What was forgotten.
pub(crate) fn forgotten(told: &Forgotten) -> String {
    let mut text = going("forgotten:", &told.going);
    let Compaction { segments, episodes, bytes } = told.compaction;
    if segments > 0 {
        let (texts, segments) = (counted(episodes, "text"), counted(segments, "segment"));
        let bytes = counted(bytes, "byte");
        line(&mut text, &format!("off the disk: {texts} ({segments} written anew, {bytes} less)"));
    }
    text
}

/// What would be forgotten, with the first turns and facts of it.
pub(crate) fn would_forget(would: &Going, leaving: &Leaving) -> String {
    let mut text = going("would forget", would);
    for turn in &leaving.turns {
        let id = cite(turn.source_id.as_deref(), &turn.id);
        let at = turn.occurred_at.map(|at| format!("{} ", at.to_the_minute())).unwrap_or_default();
        let speaker = turn.speaker.as_deref().map(|name| format!("{}: ", visible(name))).unwrap_or_default();
        line(&mut text, &format!("  [{id}] {at}{speaker}{}", first_words(&turn.text)));
    }
    more(&mut text, would.episodes.len() - leaving.turns.len(), "turn");
    for fact in &leaving.facts {
        line(&mut text, &format!("  fact: {}", self::fact(fact)));
    }
    more(&mut text, would.facts.saturating_sub(leaving.facts.len()), "fact");
    text
}

fn more(text: &mut String, count: usize, noun: &str) {
    if count > 0 {
        line(text, &format!("  and {} more", counted(count, noun)));
    }
}

/// The first words of a text, in one line.
fn first_words(text: &str) -> String {
    const MOST: usize = 72;
    let words = visible(&text.split_whitespace().collect::<Vec<_>>().join(" "));
    if words.chars().count() <= MOST {
        return words;
    }
    let cut: String = words.chars().take(MOST).collect();
    let whole = cut.rfind(' ').map_or(&*cut, |end| &cut[..end]);
    format!("{whole} …")
}

fn going(begin: &str, going: &Going) -> String {
    let Going { episodes, shortened, facts, rulings, gone, .. } = going;
    let mut text = String::new();
    if !episodes.is_empty() {
        let (episodes, facts) = (counted(episodes.len(), "episode"), counted(facts, "fact"));
        let rest = match shortened {
            0 => String::new(),
            shortened => format!("; of {shortened} of them the rest stays"),
        };
        line(&mut text, &format!("{begin} {episodes}, and {facts} that nothing else states{rest}"));
    }
    if *rulings > 0 {
        line(&mut text, &format!("{begin} {} by hand", counted(rulings, "ruling")));
    }
    if *gone > 0 {
        line(&mut text, &format!("forgotten before: {gone} of what was named"));
    }
    text
}
