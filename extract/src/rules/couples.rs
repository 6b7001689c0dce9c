//! Patterns of couples: who marries whom, who parts, and who is together again.

use lorebase_engine::model::entity::EntityKind;
use lorebase_engine::model::fact::{FactKind, Named, Polarity, Triple, TripleObject};

use crate::rules::claims::{claim, since_then};
use crate::rules::clause::Clause;
use crate::rules::group::{Head, Mood};
use crate::rules::persons::{Agreement, Subject, is_second};
use crate::rules::reading::{Phrase, Reading};
use crate::rules::words;

/// "married Rui", "is married to Rui".
pub(super) fn spouse(clause: &Clause<'_, '_, '_>, at: usize, found: &mut Vec<Triple>) {
    let before = found.len();
    if let Some(phrase) = clause.reading.phrase(at, clause.limit()).filter(|phrase| phrase.named().is_some())
    {
        found.push(claim(clause, "married_to", FactKind::Fact, phrase));
    }
    // A wedding begins what goes on; "was married to" may be over.
    if matches!(clause.group.head, Head::Active(_)) {
        since_then(clause, &mut found[before..]);
    }
}

/// "Ana and Rui are married": with each other; "Ana is married": with somebody.
pub(super) fn couple(clause: &Clause<'_, '_, '_>, predicate: &str, end: usize, found: &mut Vec<Triple>) {
    let reading = clause.reading;
    let closed = reading.is_sign(end)
        || end >= clause.limit()
        || words::ends_phrase(reading.word(end))
        || reading.is(end, &["any", "years", "ages", "long"])
        || reading.is(end, &["a"]) && reading.is(end + 1, &["long", "while", "few"])
        || reading.in_time(end);
    let after_another = clause.first > 1
        && reading.is(clause.first - 1, &["and"])
        && !reading.is_sign(clause.first - 2)
        && reading.is(clause.subject.end, &["are", "were", "'re"])
        && !reading.is(clause.first, &["we"]);
    if !closed || !clause.of_person() || after_another || is_second(reading, clause.first) {
        return;
    }
    // "Was married twice" tells nothing of now.
    if clause.subject.beside.is_none() && clause.group.mood == Mood::Past {
        return;
    }
    let (predicate, object) = match &clause.subject.beside {
        Some(beside) => (predicate, TripleObject::Entity(beside.clone())),
        None => ("is", TripleObject::Value(reading.slice(end - 1, end).to_owned())),
    };
    found.push(claim(clause, predicate, FactKind::Fact, Phrase { end, head: end - 1, object }));
}

/// "broke up with Rui", "Ana and Rui split up", "divorced Rui", "Ana and Rui divorced".
pub(super) fn parted(clause: &Clause<'_, '_, '_>, found: &mut Vec<Triple>) {
    let (reading, at) = (clause.reading, clause.group.end);
    match reading.word(at - 1) {
        "divorced" => divorced(clause, at, found),
        "separated" => apart(clause, "partner_of", at, found),
        "broke" | "broken" | "split" if reading.is(at, &["up"]) => apart(clause, "partner_of", at + 1, found),
        _ => {}
    }
}

/// "got divorced from Rui", "Ana and Rui got divorced", from behind the word on.
pub(super) fn divorced(clause: &Clause<'_, '_, '_>, end: usize, found: &mut Vec<Triple>) {
    apart(clause, "married_to", end, found);
}

/// What two were to each other until then.
fn apart(clause: &Clause<'_, '_, '_>, predicate: &str, end: usize, found: &mut Vec<Triple>) {
    let reading = clause.reading;
    if clause.group.negated || !clause.of_person() || clause.of_hearer() {
        return;
    }
    let of_both = |named| Some(Phrase { end, head: end - 1, object: TripleObject::Entity(named) });
    let other = match &clause.subject.beside {
        Some(beside) => of_both(beside.clone()),
        None if reading.is(clause.first, &["we"]) => beside_me(clause).and_then(of_both),
        None => reading.phrase(end + usize::from(reading.is(end, &["with", "from"])), clause.limit()),
    };
    if let Some(phrase) = other.filter(|phrase| phrase.named().is_some()) {
        let before = found.len();
        let over = claim(clause, predicate, FactKind::Fact, phrase);
        found.push(Triple { polarity: Polarity::Negated, ..over });
        since_then(clause, &mut found[before..]);
    }
}

/// What two are to each other.
const TIES: &[&str] = &["married_to", "partner_of"];

/// The couple that "they" at a token are: the last that the talk has told of, or two that the sentence before names.
pub(super) fn pair(reading: &Reading<'_, '_>, at: usize, found: &[Triple]) -> Option<Subject> {
    let told = |triple: &&Triple| TIES.contains(&triple.predicate.as_str());
    let of = |triple: &Triple| match &triple.object {
        TripleObject::Entity(named) => Some((triple.subject.clone(), named.clone())),
        TripleObject::Value(_) => None,
    };
    let named = || {
        let second = (1..at).rev().find_map(|at| reading.name_at(at).filter(|name| name.end <= at + 4))?;
        let joined = second.first.checked_sub(1).filter(|and| reading.is(*and, &["and", "&"]))?;
        let first = reading.name_before(joined)?;
        let person =
            |name: &crate::names::Name| Named { name: name.called.clone(), kind: EntityKind::Person };
        let may_be = first.kind.can_be(EntityKind::Person) && second.kind.can_be(EntityKind::Person);
        may_be.then(|| (person(first), person(second)))
    };
    let before = || {
        let mut turns = reading.earlier.iter().rev();
        turns.find_map(|turn| turn.triples.iter().rev().find(told).and_then(of))
    };
    let (one, other) = named().or_else(|| found.iter().rev().find(told).and_then(of)).or_else(before)?;
    let third = Subject::third(one, 0.8, at + 1);
    Some(Subject { agreement: Agreement::Plain, beside: Some(other), ..third })
}

/// Keeps of what "they" do what tells of the couple.
pub(super) fn keep_ties(found: &mut Vec<Triple>, before: usize) {
    let claimed = found.split_off(before);
    found.extend(claimed.into_iter().filter(|triple| TIES.contains(&triple.predicate.as_str())));
}

/// Who "we" are beside the speaker: "Greta and I … We got divorced."
fn beside_me(clause: &Clause<'_, '_, '_>) -> Option<Named> {
    let reading = clause.reading;
    let name = (1..clause.first).rev().find_map(|at| {
        let paired = reading.is(at, &["i"]) && reading.is(at - 1, &["and"]);
        paired.then(|| reading.name_before(at - 1)).flatten()
    })?;
    Some(Named { name: name.called.clone(), kind: EntityKind::Person })
}

/// "Ana and Rui are separated", "is divorced from Rui", where the copula ends: whether it is told.
pub(super) fn are_apart(clause: &Clause<'_, '_, '_>, found: &mut Vec<Triple>) -> bool {
    let (reading, at) = (clause.reading, clause.group.end);
    let predicate = match reading.word(at) {
        "divorced" => "married_to",
        "separated" => "partner_of",
        _ => return false,
    };
    let before = found.len();
    if clause.subject.beside.is_some() || reading.is(at + 1, &["from"]) {
        apart(clause, predicate, at + 1, found);
    }
    found.len() > before
}

/// "Ana and Rui are back together", "Ana is back together with Rui", from behind the words on.
pub(super) fn reunited(clause: &Clause<'_, '_, '_>, end: usize, found: &mut Vec<Triple>) {
    let reading = clause.reading;
    let other = match &clause.subject.beside {
        Some(beside) => Some(Phrase { end, head: end - 1, object: TripleObject::Entity(beside.clone()) }),
        None if reading.is(end, &["with"]) => reading.phrase(end + 1, clause.limit()),
        None => None,
    };
    if let Some(phrase) = other.filter(|phrase| phrase.named().is_some() && clause.of_person()) {
        found.push(claim(clause, "partner_of", FactKind::Fact, phrase));
    }
}
