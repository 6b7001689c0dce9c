//! How patterns make claims: of what stands right behind the verb, or behind a preposition.

use lorebase_engine::model::entity::EntityKind;
use lorebase_engine::model::fact::{FactKind, Triple, TripleObject};
use lorebase_engine::model::predicate::Predicate;
use lorebase_engine::model::time::Interval;

use crate::rules::clause::{Claimed, Clause};
use crate::rules::reading::Phrase;
use crate::rules::words;

/// One claim of the clause's subject.
pub(super) fn claim(
    clause: &Clause<'_, '_, '_>,
    predicate: &str,
    kind: FactKind,
    mut phrase: Phrase,
) -> Triple {
    if let TripleObject::Entity(named) = &mut phrase.object
        && named.kind == EntityKind::Unknown
    {
        named.kind = kind_behind(predicate);
    }
    clause.triple(Claimed {
        predicate: Predicate::new(predicate),
        object: phrase.object,
        kind,
        end: phrase.end,
    })
}

/// The objects that stand right behind the verb, each a claim.
pub(super) fn objects(clause: &Clause<'_, '_, '_>, predicate: &str, kind: FactKind, found: &mut Vec<Triple>) {
    objects_where(clause, predicate, kind, |_| true, found);
}

pub(super) fn objects_where(
    clause: &Clause<'_, '_, '_>,
    predicate: &str,
    kind: FactKind,
    fits: impl Fn(&Phrase) -> bool,
    found: &mut Vec<Triple>,
) {
    let list = clause.reading.list(clause.group.end, clause.limit());
    let not_itself =
        |phrase: &Phrase| phrase.named().is_none_or(|named| named.name != clause.subject.named.name);
    let fitting = list.into_iter().filter(|phrase| fits(phrase) && not_itself(phrase));
    found.extend(fitting.map(|phrase| claim(clause, predicate, kind, phrase)));
}

/// The phrase behind one of `links`, as a claim.
pub(super) fn behind(
    clause: &Clause<'_, '_, '_>,
    links: &[&str],
    predicate: &str,
    kind: FactKind,
    found: &mut Vec<Triple>,
) {
    let mut at = clause.group.end;
    while words::is_adverb(clause.reading.word(at)) {
        at += 1;
    }
    // "Lives over in Porto".
    at += usize::from(
        clause.reading.is(at, &["over", "up", "down", "out"]) && clause.reading.is(at + 1, &["in"]),
    );
    if clause.reading.is(at, links)
        && let Some(phrase) = clause.reading.phrase(at + 1, clause.limit())
    {
        found.push(claim(clause, predicate, kind, phrase));
    }
}

/// As [`behind`], for a state. Where somebody lives is known by a name; "a dorm" is what they live in, in whatever town.
pub(super) fn place(clause: &Clause<'_, '_, '_>, links: &[&str], predicate: &str, found: &mut Vec<Triple>) {
    let before = found.len();
    behind(clause, links, predicate, FactKind::Fact, found);
    let unnamed = |triple: &&mut Triple| matches!(triple.object, TripleObject::Value(_));
    if predicate == "lives_in" {
        for triple in found[before..].iter_mut().filter(unnamed) {
            triple.predicate = Predicate::new("dwells_in");
        }
    }
}

/// What an unknown name is, by the predicate that it is the object of.
fn kind_behind(predicate: &str) -> EntityKind {
    match predicate {
        "works_at" | "worked_at" | "studies_at" | "graduated_from" | "member_of" | "volunteers_at" => {
            EntityKind::Organisation
        }
        "lives_in" | "lived_in" | "located_in" | "from" | "went_to" => EntityKind::Place,
        "knows" | "married_to" | "partner_of" => EntityKind::Person,
        _ => EntityKind::Unknown,
    }
}

/// A state that the verb tells the beginning of: "joined", "adopted".
pub(super) fn begun(clause: &Clause<'_, '_, '_>, predicate: &str, found: &mut Vec<Triple>) {
    let before = found.len();
    objects(clause, predicate, FactKind::Fact, found);
    since_then(clause, &mut found[before..]);
}

/// A state that began when the clause's time tells, and goes on.
pub(super) fn since_then(clause: &Clause<'_, '_, '_>, triples: &mut [Triple]) {
    let told = clause.when();
    for triple in triples {
        triple.valid = Interval { from: told.and_then(|told| told.interval.from), to: None };
        triple.granularity = told.map(|told| told.granularity);
    }
}
