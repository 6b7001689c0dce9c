//! Who "he" or "she" is: the one person that the turn has named before, besides the speaker. Where it may be
//! anybody else, nobody.

use lorebase_engine::model::entity::EntityKind;
use lorebase_engine::model::fact::{Named, Triple, TripleObject};

use crate::rules::reading::Reading;
use crate::rules::ties::{self, Relation};
use crate::rules::words;

/// How many tokens may stand before a "he" or "she". What was named further back may be anybody, and to look through all
/// of a long text for each pronoun would take forever.
const FURTHEST: usize = 1000;

/// Who the "he" or "she" at `at` is, by the names before it and what has been `found` of them.
pub(super) fn antecedent(reading: &Reading<'_, '_>, at: usize, found: &[Triple]) -> Option<Named> {
    if at > FURTHEST {
        return None;
    }
    let pronoun = reading.word(at);
    let mut only: Option<Named> = None;
    let mut next = 0;
    while next < at {
        let here = next;
        let relation = ties::relation(reading, here).filter(|relation| relation.end <= at);
        if let Some(relation) = &relation
            && !agrees(pronoun, reading.word(relation.noun))
        {
            return None;
        }
        next += 1;
        let person = if let Some(name) = reading.name_at(here) {
            next = name.end;
            Some(known(&Named { name: name.called.clone(), kind: name.kind }, found))
        } else if let Some(relation) = relation {
            next = relation.end;
            let apposed = ties::apposed(reading, relation.end, at).is_some()
                || is_told(&relation, reading.tokens[here].chars.0, found);
            (!apposed).then(|| relation.described(reading))
        } else if is_somebody(reading, here, pronoun, found) {
            return None;
        } else {
            None
        };
        let Some(person) = person.filter(|person| may_be_meant(reading, person)) else { continue };
        if only.as_ref().is_some_and(|only| only.name != person.name) {
            return None;
        }
        only = Some(person);
    }
    only.filter(|only| matches!(only.kind, EntityKind::Person | EntityKind::Animal))
}

/// Whether the relation is told of somebody by name: "my boss is Marcel", "Marcel is my boss".
fn is_told(relation: &Relation, here: u32, found: &[Triple]) -> bool {
    found.iter().any(|triple| {
        let owner = matches!(&triple.object, TripleObject::Entity(named) if *named == relation.owner);
        owner
            && triple.predicate.as_str() == relation.tie.predicate
            && triple.span.start <= here
            && here < triple.span.end
    })
}

/// The words that one of the pronouns cannot take up.
const MALE: &[&str] = &[
    "brother",
    "father",
    "dad",
    "son",
    "husband",
    "boyfriend",
    "uncle",
    "grandfather",
    "grandpa",
    "nephew",
    "grandson",
    "stepson",
    "stepfather",
    "half-brother",
    "brother-in-law",
    "father-in-law",
];
const FEMALE: &[&str] = &[
    "sister",
    "mother",
    "mum",
    "mom",
    "daughter",
    "wife",
    "girlfriend",
    "aunt",
    "grandmother",
    "grandma",
    "niece",
    "granddaughter",
    "stepdaughter",
    "stepmother",
    "half-sister",
    "sister-in-law",
    "mother-in-law",
];

/// Whether a word for a relative can be taken up by the pronoun.
fn agrees(pronoun: &str, noun: &str) -> bool {
    let against = if pronoun == "he" { FEMALE } else { MALE };
    !against.contains(&noun)
}

/// A name with the kind that what was found of it tells.
fn known(named: &Named, found: &[Triple]) -> Named {
    const OF_PERSONS: &[&str] = &[
        "works_at",
        "works_as",
        "lives_in",
        "studies_at",
        "studies",
        "married_to",
        "teaches",
        "likes",
        "speaks",
    ];
    if named.kind != EntityKind::Unknown {
        return named.clone();
    }
    let subject = |triple: &&Triple| triple.subject.name == named.name;
    let told = found.iter().find_map(|triple| match &triple.object {
        TripleObject::Entity(object) if object.name == named.name => Some(object.kind),
        _ => subject(&triple).then_some(triple.subject.kind),
    });
    let does = || found.iter().filter(subject).any(|triple| OF_PERSONS.contains(&triple.predicate.as_str()));
    let kind = match told {
        Some(kind) if kind != EntityKind::Unknown => kind,
        _ if does() => EntityKind::Person,
        _ => EntityKind::Unknown,
    };
    Named { name: named.name.clone(), kind }
}

/// Neither speaks nor is spoken to, and may be somebody.
fn may_be_meant(reading: &Reading<'_, '_>, person: &Named) -> bool {
    Some(&*person.name) != reading.speaker
        && Some(&*person.name) != reading.other
        && matches!(person.kind, EntityKind::Person | EntityKind::Animal | EntityKind::Unknown)
}

/// Whether a word may bring in somebody without a name.
fn is_somebody(reading: &Reading<'_, '_>, at: usize, pronoun: &str, found: &[Triple]) -> bool {
    const SOMEBODY: &[&str] = &[
        "guy",
        "man",
        "woman",
        "girl",
        "boy",
        "lady",
        "person",
        "someone",
        "somebody",
        "they",
        "them",
        "who",
        "people",
        "family",
        "parents",
        "couple",
        "kids",
        "gentleman",
        "owner",
        "baby",
        "guest",
        "customer",
    ];
    let word = reading.word(at);
    let others: &[&str] = if pronoun == "he" { &["she", "her"] } else { &["he", "him", "his"] };
    if SOMEBODY.contains(&word) || others.contains(&word) {
        return true;
    }
    // "Zoe is a nurse" brings in nobody but Zoe.
    let here = reading.tokens[at].chars.0;
    let told = || found.iter().any(|triple| triple.span.start <= here && here < triple.span.end);
    (words::is_profession(word) || ties::tie(word).is_some() || ties::of_several(word).is_some()) && !told()
}
