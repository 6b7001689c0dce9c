//! What is given and put right by hand, and histories, for people.

use lorebase::by_hand::Given;
use lorebase::edit::{Edited, Undone};
use lorebase::engine::model::fact::{FactStatus, Polarity};
use lorebase::history::{Change, Deed};

use super::{cite, counted, facts, held, line, visible};

/// What giving a fact came to.
pub(crate) fn given(told: &Given) -> String {
    let known = if told.new { "" } else { " (known already)" };
    let mut text = String::new();
    line(&mut text, &format!("stored as {}{known}", told.episode));
    text + &facts(&told.facts, false)
}

/// What an edit came to.
pub(crate) fn edited(told: &Edited) -> String {
    let mut text = String::new();
    line(&mut text, &format!("done; `lore undo {}` takes it back", told.edit));
    text + &facts(&told.facts, false)
}

/// What was taken back.
pub(crate) fn undone(told: &Undone) -> String {
    let mut text = String::new();
    line(&mut text, &format!("taken back: {}", visible(&told.what)));
    text
}

/// Changes, one a line.
pub(crate) fn changes(changes: &[Change]) -> String {
    let mut text = String::new();
    for change in changes {
        let not = if change.polarity == Polarity::Negated { "not " } else { "" };
        let cited: Vec<String> = change
            .support
            .iter()
            .map(|support| cite(support.source_id.as_deref(), &support.episode))
            .collect();
        let [subject, predicate, object] =
            [&*change.subject, change.predicate.as_str(), &*change.object].map(visible);
        let (time, cited) = (stay(change), cited.join(", "));
        line(&mut text, &format!("{time}: {subject} {not}{predicate} {object}  [{cited}]"));
    }
    text
}

/// When something held, and what else is to be said of it then. What has an end is over, however it came to
/// it.
fn stay(change: &Change) -> String {
    let time = held(&change.valid);
    let status = match change.status {
        FactStatus::Retracted => "denied later",
        FactStatus::Superseded if change.successor.is_some() => "another took its place",
        FactStatus::Superseded | FactStatus::Current => "",
    };
    let more = [
        (change.held, status),
        (change.contested, "contested"),
        (change.doubtful, "said with a doubt or passed on"),
    ];
    let more = more.into_iter().filter(|(is, words)| *is && !words.is_empty()).map(|(_, words)| words);
    let first = match (change.held, time.is_empty()) {
        (true, true) => "at some time".to_owned(),
        (true, false) => time,
        (false, true) => "never".to_owned(),
        (false, false) => format!("never (it was said: {time})"),
    };
    [&*first].into_iter().chain(more).collect::<Vec<_>>().join(", ")
}

/// What was done by hand, one a line.
pub(crate) fn deeds(deeds: &[Deed]) -> String {
    let mut text = String::new();
    for deed in deeds {
        let counts = if deed.counts { "" } else { " (does not count any more)" };
        line(&mut text, &format!("{}  {}  {}{counts}", deed.id, deed.at, visible(&deed.what)));
    }
    text
}

/// How long facts of each kind are shown.
pub(crate) fn retained(kinds: &[(&str, Option<u64>)]) -> String {
    let mut text = String::new();
    for (kind, millis) in kinds {
        let days = |millis: u64| format!("for {}", counted(millis as f64 / 864e5, "day"));
        let time = millis.map_or("for ever".to_owned(), days);
        line(&mut text, &format!("{kind}: {time}"));
    }
    text
}
