//! JSON of what is given and put right by hand, and of histories.

use lorebase::by_hand::Given;
use lorebase::edit::{Edited, Undone};
use lorebase::history::{Change, Deed};
use serde_json::{Value, json};

use super::{fact, interval, support};

/// `{"episode", "new", "facts", "notices"}`.
pub(crate) fn given(told: &Given, notices: &[String]) -> Value {
    json!({
        "episode": told.episode.to_string(),
        "new": told.new,
        "facts": told.facts.iter().map(fact).collect::<Vec<_>>(),
        "notices": notices,
    })
}

/// `{"edit", "facts"}`.
pub(crate) fn edited(told: &Edited) -> Value {
    json!({ "edit": told.edit.to_string(), "facts": told.facts.iter().map(fact).collect::<Vec<_>>() })
}

/// `{"undone", "what"}`.
pub(crate) fn undone(told: &Undone) -> Value {
    json!({ "undone": told.id.to_string(), "what": told.what })
}

/// `{"changes": [...]}`.
pub(crate) fn changes(changes: &[Change]) -> Value {
    let change = |change: &Change| {
        json!({
            "fact": change.fact.to_string(),
            "subject": change.subject,
            "predicate": change.predicate.as_str(),
            "object": change.object,
            "kind": change.kind.as_str(),
            "polarity": change.polarity.as_str(),
            "doubtful": change.doubtful,
            "status": change.status.as_str(),
            "held": change.held,
            "contested": change.contested,
            "valid": interval(&change.valid),
            "recorded": interval(&change.recorded),
            "successor": change.successor.map(|id| id.to_string()),
            "support": change.support.iter().map(support).collect::<Vec<_>>(),
        })
    };
    json!({ "changes": changes.iter().map(change).collect::<Vec<_>>() })
}

/// `{"deeds": [...]}`.
pub(crate) fn deeds(deeds: &[Deed]) -> Value {
    let deed = |deed: &Deed| json!({ "id": deed.id.to_string(), "at": deed.at.to_string(), "what": deed.what, "counts": deed.counts });
    json!({ "deeds": deeds.iter().map(deed).collect::<Vec<_>>() })
}

/// `{"kinds": {KIND: SECONDS or null}}`.
pub(crate) fn retained(kinds: &[(&str, Option<u64>)]) -> Value {
    let seconds = |(name, millis): &(&str, Option<u64>)| {
        ((*name).to_owned(), json!(millis.map(|millis| millis as f64 / 1e3)))
    };
    json!({ "kinds": kinds.iter().map(seconds).collect::<serde_json::Map<_, _>>() })
}
