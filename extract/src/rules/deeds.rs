//! Patterns of what somebody did: journeys, undertakings, works.

use lorebase_engine::model::entity::EntityKind;
use lorebase_engine::model::fact::{FactKind, Named, Triple, TripleObject};

use crate::rules::claims::{behind, claim};
use crate::rules::clause::Clause;
use crate::rules::everyday::person_at;
use crate::rules::reading::Phrase;

/// "went to Porto", "went hiking".
pub(super) fn journey(clause: &Clause<'_, '_, '_>, found: &mut Vec<Triple>) {
    let (reading, at) = (clause.reading, clause.group.end);
    if reading.word(at).ends_with("ing") && !reading.in_time(at) && reading.word(at).len() > 5 {
        let phrase = Phrase {
            end: at + 1,
            head: at,
            object: TripleObject::Value(reading.slice(at, at + 1).to_owned()),
        };
        found.push(claim(clause, "did", FactKind::Event, phrase));
        return;
    }
    if !reading.is(at + 1, &["bed", "sleep", "see", "get"]) {
        behind(clause, &["to", "on"], "went_to", FactKind::Event, found);
    }
}

/// "opened a bakery", "set up a bakery": starting is founding only where a thing is started, which stands at `at`.
pub(super) fn venture(clause: &Clause<'_, '_, '_>, at: usize, found: &mut Vec<Triple>) {
    const VENTURES: &[&str] = &[
        "company",
        "business",
        "shop",
        "store",
        "studio",
        "bakery",
        "restaurant",
        "cafe",
        "café",
        "club",
        "blog",
        "channel",
        "band",
        "school",
        "gallery",
        "firm",
        "agency",
        "podcast",
        "startup",
        "charity",
        "group",
        "project",
        "website",
        "practice",
    ];
    let reading = clause.reading;
    let started = |phrase: &Phrase| {
        // "Started Acme": a firm that is named.
        let firm = |named: &Named| named.kind == EntityKind::Organisation;
        VENTURES.contains(&reading.word(phrase.head)) || phrase.named().is_some_and(firm)
    };
    let list = reading.list(at, clause.limit()).into_iter();
    found.extend(list.filter(started).map(|phrase| claim(clause, "founded", FactKind::Event, phrase)));
}

/// "was founded by Ana": what was made becomes the object.
pub(super) fn made_by(clause: &Clause<'_, '_, '_>, predicate: &str, found: &mut Vec<Triple>) {
    let at = clause.group.end;
    if !clause.reading.is(at, &["by"]) {
        return;
    }
    let me = clause.reading.is(at + 1, &["me"]).then(|| person_at(clause, at + 1)).flatten();
    for phrase in clause.reading.list(at + 1, clause.limit()).into_iter().chain(me) {
        let Some(maker) = phrase.named().cloned() else { continue };
        let made = TripleObject::Entity(clause.subject.named.clone());
        let triple = claim(clause, predicate, FactKind::Event, Phrase { object: made, ..phrase });
        found.push(Triple { subject: maker, ..triple });
    }
}
