//! Sentences that give names: "My cats are Miso and Pip", "My dog's name is Rex", "My name is Ana", "Call me Ana".

use lorebase_engine::model::entity::EntityKind;
use lorebase_engine::model::fact::{Named, Triple, TripleObject};
use lorebase_engine::model::predicate::Predicate;

use crate::rules::clause::{Clause, tie_triple};
use crate::rules::reading::Reading;
use crate::rules::ties::{self, Relation};

/// Adds the names that are given at `at`.
pub(super) fn read(
    reading: &Reading<'_, '_>,
    at: usize,
    (_, limit): (usize, usize),
    found: &mut Vec<Triple>,
) {
    match reading.word(at) {
        "my" if reading.is(at + 1, &["name"]) && reading.is(at + 2, &["is", "'s"]) => {
            own_name(reading, (at, at + 3), limit, found);
        }
        "call" if reading.is(at + 1, &["me"]) && (at == 0 || !reading.is(at - 1, &["n't", "not", "to"])) => {
            own_name(reading, (at, at + 2), limit, found);
        }
        "calls" if reading.is(at + 1, &["me"]) => own_name(reading, (at, at + 2), limit, found),
        "go" if reading.is(at + 1, &["by"]) && at > 0 && reading.is(at - 1, &["i", "usually", "mostly"]) => {
            own_name(reading, (at, at + 2), limit, found);
        }
        "my" | "our" => several(reading, at, limit, found),
        _ => {}
    }
    if let Some(relation) = ties::relation(reading, at)
        && reading.is(relation.end, &["'s"])
        && reading.is(relation.end + 1, &["name"])
        && reading.is(relation.end + 2, &["is", "was", "'s"])
        && let Some(name) = reading.name_at(relation.end + 3).filter(|name| name.end <= limit)
    {
        let named = Named { name: name.called.clone(), kind: name.kind };
        found.extend(tie_triple(reading, named, &relation, (at, name.end)));
    }
}

/// What the speaker is called, where it is not the name known by.
fn own_name(reading: &Reading<'_, '_>, (first, at): (usize, usize), limit: usize, found: &mut Vec<Triple>) {
    let Some(speaker) = reading.speaker else { return };
    let Some(name) = reading.name_at(at).filter(|name| name.end <= limit) else { return };
    let closed = name.end >= limit || reading.is_sign(name.end) || reading.is(name.end, &["and", "but"]);
    if !closed
        || reading.is(name.end, &["'s"])
        || name.called == speaker
        || Some(&*name.called) == reading.other
    {
        return;
    }
    let speaker = Named { name: speaker.to_owned(), kind: EntityKind::Person };
    let called = TripleObject::Value(name.called.clone());
    found.push(Triple {
        confidence: 0.95,
        span: reading.span(first, name.end),
        ..Triple::new(speaker, Predicate::new("named"), called)
    });
}

/// "My cats are Miso and Pip", "our daughters are called Ida and Lone".
fn several(reading: &Reading<'_, '_>, at: usize, limit: usize, found: &mut Vec<Triple>) {
    let Some((owner, noun)) = ties::owner(reading, at) else { return };
    let noun = noun + usize::from(reading.is(noun, &["two", "three", "four", "five"]));
    let Some(one) = ties::of_several(reading.word(noun)) else { return };
    let is_at = noun + 1;
    let link = reading.is(is_at, &["are", "were"]) || reading.is(is_at, &["called", "named", ","]);
    let names_at = is_at + 1 + usize::from(reading.is(is_at + 1, &["called", "named"]));
    if link {
        named_all(reading, (owner, one), (at, noun), (names_at, limit), found);
    }
}

/// The ties of a list of at least two names to their owner.
fn named_all(
    reading: &Reading<'_, '_>,
    (owner, one): (Named, &str),
    (first, noun): (usize, usize),
    (at, limit): (usize, usize),
    found: &mut Vec<Triple>,
) {
    let list = reading.list(at, limit);
    if list.len() < 2 {
        return;
    }
    for phrase in list {
        let (Some(named), Some(tie)) = (phrase.named().cloned(), ties::tie(one)) else { continue };
        let relation = Relation { owner: owner.clone(), tie, noun, end: noun + 1 };
        found.extend(tie_triple(reading, named, &relation, (first, phrase.end)));
    }
}

/// "two cats, Miso and Pip" behind "have": `noun` is the head of what is had. There are as many names as are told.
pub(super) fn counted(clause: &Clause<'_, '_, '_>, (count, noun): (usize, usize), found: &mut Vec<Triple>) {
    let reading = clause.reading;
    let Some(one) = ties::of_several(reading.word(noun)) else { return };
    let Some(link) = reading.is(noun + 1, &[",", ":", "-", "–", "—", "called", "named"]).then_some(noun + 2)
    else {
        return;
    };
    let told = match reading.word(count) {
        "two" | "2" => 2,
        "three" | "3" => 3,
        "four" | "4" => 4,
        _ => return,
    };
    if reading.list(link, clause.limit()).len() == told {
        let owner = clause.subject.named.clone();
        named_all(reading, (owner, one), (clause.first, noun), (link, clause.limit()), found);
    }
}
