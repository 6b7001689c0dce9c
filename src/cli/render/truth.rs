//! What is given and put right by hand, and histories, for people.

use lorebase::by_hand::Given;
use lorebase::edit::{Edited, Undone};
use lorebase::engine::model::fact::{FactStatus, Polarity};
use lorebase::history::{Change, Deed};

use super::{cite, facts, held, line, visible};

/// What giving a fact came to.
pub(crate) fn given(told: &Given) -> String {
    let known = if told.new { "" } else { " (known already)" };
    let mut text = String::new();
    line(&mut text, &format!("stored as {}{known}", told.episode));
    text + &facts(&told.facts)
}

/// What an edit came to.
pub(crate) fn edited(told: &Edited) -> String {
    let mut text = String::new();
    line(&mut text, &format!("done; `lore undo {}` takes it back", told.edit));
    text + &facts(&told.facts)
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
        let status = if change.status == FactStatus::Current { "" } else { change.status.as_str() };
        let contested = if change.contested { "contested" } else { "" };
        let mut notes = vec![held(&change.valid), status.to_owned(), contested.to_owned()];
        notes.retain(|note| !note.is_empty());
        let cited: Vec<String> = change
            .support
            .iter()
            .map(|support| cite(support.source_id.as_deref(), &support.episode))
            .collect();
        let [subject, predicate, object] =
            [&*change.subject, change.predicate.as_str(), &*change.object].map(visible);
        let notes = if notes.is_empty() { "at some time".to_owned() } else { notes.join(", ") };
        line(&mut text, &format!("{notes}: {subject} {not}{predicate} {object}  [{}]", cited.join(", ")));
    }
    text
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
        let time =
            millis.map_or("for ever".to_owned(), |millis| format!("for {} days", millis as f64 / 864e5));
        line(&mut text, &format!("{kind}: {time}"));
    }
    text
}
