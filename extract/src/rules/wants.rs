//! Patterns of what somebody likes, dislikes, favours or means to do.

use lorebase_engine::model::fact::{FactKind, Named, Polarity, Triple, TripleObject};
use lorebase_engine::model::predicate::Predicate;
use lorebase_engine::model::time::Interval;

use crate::rules::claims::{claim, objects};
use crate::rules::clause::Clause;
use crate::rules::group::Mood;
use crate::rules::reading::{Phrase, Reading};
use crate::rules::ties;
use crate::rules::verbs::Verb;
use crate::rules::words;

pub(super) fn preference(clause: &Clause<'_, '_, '_>, predicate: &str, found: &mut Vec<Triple>) {
    let (reading, at, limit) = (clause.reading, clause.group.end, clause.limit());
    // What somebody used to like they may like still.
    if clause.group.mood == Mood::UsedTo || reading.is(at, &["your"]) {
        return;
    }
    let infinitive = reading.is(at, &["to"]);
    let is_gerund = |word: &str| word.ends_with("ing") && word.len() > 5;
    let gerund = is_gerund(reading.word(at));
    let items = reading.list(at, limit);
    let listed = items.len() > 1 && items.iter().all(|item| is_gerund(item.first_word()));
    if infinitive || gerund && !listed {
        let phrase = verb_phrase(reading, at + usize::from(infinitive), limit, 8);
        found.extend(phrase.map(|phrase| claim(clause, predicate, FactKind::Preference, phrase)));
        return;
    }
    let before = found.len();
    objects(clause, predicate, FactKind::Preference, found);
    no_longer_liked(clause, before, found);
    // "I love the colours": of what is in sight, not of colours at large.
    let in_sight = reading.is(at, &["the"]);
    let plain = found[before..]
        .iter_mut()
        .filter(|triple| in_sight && matches!(triple.object, TripleObject::Value(_)));
    plain.for_each(|triple| triple.confidence *= 0.6);
}

/// "I hate sushi now": what is told as news ends that it was liked.
fn no_longer_liked(clause: &Clause<'_, '_, '_>, before: usize, found: &mut Vec<Triple>) {
    let disliked =
        |triple: &Triple| triple.predicate.as_str() == "dislikes" && triple.polarity == Polarity::Affirmed;
    let news = (clause.first..clause.limit()).any(|at| clause.reading.is(at, &["now", "nowadays"]));
    if !news {
        return;
    }
    let ended = |triple: &Triple| Triple {
        predicate: Predicate::new("likes"),
        polarity: Polarity::Negated,
        ..triple.clone()
    };
    let over: Vec<Triple> = found[before..].iter().filter(|triple| disliked(triple)).map(ended).collect();
    found.extend(over);
}

/// Verbs that tell nothing by themselves.
const LIGHT: &[&str] = &[
    "be", "do", "know", "being", "check", "start", "stop", "give", "take", "get", "make", "going", "getting",
    "making", "doing", "having", "trying", "taking",
];

/// Verbs of the talk itself: "want to tell you".
const SOCIAL: &[&str] = &[
    "need", "thank", "tell", "let", "say", "share", "show", "ask", "wish", "see", "hear", "seeing", "hearing",
];

/// Words that point at what was said before.
const POINTING: &[&str] = &["you", "it", "them", "this", "that", "him", "these", "those", "us", "something"];

/// A verb and what belongs to it, as an object.
fn verb_phrase(reading: &Reading<'_, '_>, first: usize, limit: usize, most: usize) -> Option<Phrase> {
    let end = reading.rest(first, limit, most);
    let vague = reading.is(first, LIGHT) && end < first + 4;
    let vague = vague || reading.is(first, &["make"]) && reading.is(first + 1, &["sure"]);
    let pointing = (first..end.min(first + 3)).any(|at| reading.is(at, POINTING));
    (end > first && !vague && !pointing && !reading.is(first, SOCIAL)).then(|| Phrase {
        end,
        head: end - 1,
        object: TripleObject::Value(reading.slice(first, end).to_owned()),
    })
}

/// "planning to …", "going to …", "want to …", "decided to …".
pub(super) fn plan(clause: &Clause<'_, '_, '_>, found: &mut Vec<Triple>) {
    let (reading, at) = (clause.reading, clause.group.end);
    if !reading.is(at, &["to"]) || clause.group.mood == Mood::UsedTo || clause.of_hearer() {
        return;
    }
    let named = reading.name_at(at + 1).is_some() || words::is_determiner(reading.word(at + 1));
    // "going to Porto" tells where, "going to sleep" what.
    let first = if named { at - 1 } else { at + 1 };
    verb_plan(clause, first, found);
}

/// "decided to …": the time told is that of the decision, not of what was decided.
pub(super) fn decision(clause: &Clause<'_, '_, '_>, found: &mut Vec<Triple>) {
    let before = found.len();
    plan(clause, found);
    for triple in &mut found[before..] {
        triple.valid = Interval::ALWAYS;
        triple.kind = FactKind::Decision;
    }
}

pub(super) fn verb_plan(clause: &Clause<'_, '_, '_>, first: usize, found: &mut Vec<Triple>) {
    if let Some(phrase) = verb_phrase(clause.reading, first, clause.limit(), 14) {
        found.push(claim(clause, "plans", FactKind::Plan, phrase));
    }
}

/// "would love to …".
pub(super) fn wish(clause: &Clause<'_, '_, '_>, verb: Verb, found: &mut Vec<Triple>) {
    if verb == Verb::Like && clause.reading.is(clause.group.end, &["to"]) {
        let before = found.len();
        verb_plan(clause, clause.group.end + 1, found);
        for triple in &mut found[before..] {
            triple.confidence *= 0.7;
        }
    }
}

/// "will visit …".
pub(super) fn future(clause: &Clause<'_, '_, '_>, verb: Verb, found: &mut Vec<Triple>) {
    let told = matches!(
        verb,
        Verb::Move
            | Verb::Visit
            | Verb::Travel
            | Verb::Go
            | Verb::Join
            | Verb::Attend
            | Verb::Buy
            | Verb::Marry
            | Verb::Study
    );
    if told && !clause.of_hearer() {
        verb_plan(clause, clause.group.end - 1, found);
    }
}

/// "My favourite colour is green", "Ana's favourite food is soup".
pub(super) fn favourite(
    reading: &Reading<'_, '_>,
    at: usize,
    (_, limit): (usize, usize),
    found: &mut Vec<Triple>,
) {
    let Some((owner, next)) = ties::owner(reading, at) else { return };
    let next = next + usize::from(reading.is(next, &["new", "current", "all-time", "absolute"]));
    if !reading.is(next, &["favourite", "favorite"]) {
        return;
    }
    let Some(of) = reading.phrase(next + 1, limit) else { return };
    if of.end > next + 4 {
        return;
    }
    let is_at = of.end;
    if !reading.is(is_at, &["is", "was", "are", "'s"]) {
        return;
    }
    let Some(what) = reading.phrase(is_at + 1, limit).filter(|what| what.end <= is_at + 7) else { return };
    found.push(favourite_triple(reading, owner, (next + 1, of.end), (at, what)));
}

fn favourite_triple(
    reading: &Reading<'_, '_>,
    owner: Named,
    of: (usize, usize),
    (first, what): (usize, Phrase),
) -> Triple {
    let predicate = Predicate::new(&format!("favourite {}", reading.slice(of.0, of.1)));
    Triple {
        kind: FactKind::Preference,
        confidence: 0.9,
        span: reading.span(first, what.end),
        ..Triple::new(owner, predicate, what.object)
    }
}
