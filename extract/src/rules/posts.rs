//! Patterns of posts and homes that begin and end: hired, started, quit, left.

use lorebase_engine::dates::Granularity;
use lorebase_engine::model::entity::EntityKind;
use lorebase_engine::model::fact::{FactKind, Named, Polarity, Triple, TripleObject};

use crate::names::gazetteer;
use crate::rules::claims::{claim, since_then};
use crate::rules::clause::Clause;
use crate::rules::group::{Group, Mood};
use crate::rules::patterns;
use crate::rules::reading::Phrase;
use crate::rules::states::{thither, work};
use crate::rules::verbs::{Form, Verb, verb};
use crate::rules::words;

/// What a post is called where its work is not told.
const POSTS: &[&str] = &["job", "position", "role", "post", "internship", "apprenticeship"];

/// The clause read on from another place, as of something that has begun and goes on.
fn going_on<'r, 'a, 't>(clause: &Clause<'r, 'a, 't>, end: usize) -> Clause<'r, 'a, 't> {
    Clause {
        reading: clause.reading,
        first: clause.first,
        bounds: clause.bounds,
        subject: clause.subject.clone(),
        group: Group { end, mood: Mood::Perfect, ..clause.group },
        hedged: clause.hedged,
        said_by: clause.said_by.clone(),
    }
}

/// The token behind the post at `at`: behind "a new job", "my job".
fn post_end(clause: &Clause<'_, '_, '_>, at: usize) -> Option<usize> {
    let reading = clause.reading;
    let noun = (at + 1..clause.limit().min(at + 5)).find(|noun| reading.is(*noun, POSTS))?;
    let plain = (at + 1..noun).all(|at| !reading.is_sign(at) && !words::ends_phrase(reading.word(at)));
    (plain && words::is_determiner(reading.word(at))).then_some(noun + 1)
}

/// "got a new job at Acme", "got a job as a baker": whether the post is told.
pub(super) fn took(clause: &Clause<'_, '_, '_>, at: usize, found: &mut Vec<Triple>) -> bool {
    let Some(end) = post_end(clause, at).filter(|_| clause.of_person() && !clause.of_hearer()) else {
        return false;
    };
    hired(clause, end, &["at", "as", "with"], found)
}

/// "was hired by Acme as a nurse", from the link on.
pub(super) fn hired(clause: &Clause<'_, '_, '_>, at: usize, links: &[&str], found: &mut Vec<Triple>) -> bool {
    // "Hired as the painter for a film" tells no trade.
    if clause.reading.is(at, &["as"]) && clause.reading.is(at + 1, &["the"]) {
        return false;
    }
    let before = found.len();
    let clause = going_on(clause, at);
    work(&clause, links, found);
    since_then(&clause, &mut found[before..]);
    found.len() > before
}

/// "started working at Acme", "started at Acme", "started a new job at Acme": whether it is such a beginning.
pub(super) fn started(clause: &Clause<'_, '_, '_>, found: &mut Vec<Triple>) -> bool {
    let (reading, at) = (clause.reading, clause.group.end);
    if !reading.is(at - 1, &["started", "began"]) || !clause.of_person() {
        return false;
    }
    if let Some((verb, Form::Ing)) = verb(reading.word(at)) {
        if matches!(verb, Verb::Work | Verb::Study | Verb::Volunteer | Verb::Date) {
            let before = found.len();
            let clause = going_on(clause, at + 1);
            patterns::progressive(&clause, verb, found);
            since_then(&clause, &mut found[before..]);
        }
        return true;
    }
    if reading.is(at, &["there"]) {
        let before = found.len();
        let clause = going_on(clause, at);
        thither(&clause, "works_at", found);
        since_then(&clause, &mut found[before..]);
        return found.len() > before;
    }
    if reading.is(at, &["at"]) {
        let named = reading.phrase(at + 1, clause.limit()).and_then(|phrase| phrase.named().cloned());
        // Whoever starts at a school may teach there or learn.
        return named.is_some_and(|named| !is_school(&named) && hired(clause, at, &["at"], found));
    }
    took(clause, at, found)
}

/// "quit my job at Acme", "stopped working at Acme", "left Acme": what was so is so no more.
pub(super) fn ended(clause: &Clause<'_, '_, '_>, verb: Verb, found: &mut Vec<Triple>) {
    if clause.group.negated || !clause.of_person() || clause.of_hearer() {
        return;
    }
    let (reading, at) = (clause.reading, clause.group.end);
    let before = found.len();
    if reading.is(at, &["working"]) {
        work(&going_on(clause, at + 1), &["at", "for", "as"], found);
    } else if reading.is(at - 1, &["stopped"]) {
        return;
    } else if let Some(end) = post_end(clause, at) {
        work(&going_on(clause, end), &["at", "with", "as"], found);
    } else {
        let at = at + usize::from(reading.is(at, &["from", "by"]));
        abandoned(clause, at, verb, found);
    }
    since_then(clause, &mut found[before..]);
    for triple in &mut found[before..] {
        triple.polarity = Polarity::Negated;
    }
}

/// "was fired from Acme", "got laid off by Acme", from behind the verb on.
pub(super) fn fired(clause: &Clause<'_, '_, '_>, at: usize, found: &mut Vec<Triple>) {
    let reading = clause.reading;
    let laid = reading.is(at - 1, &["laid"]);
    let end = at + usize::from(reading.is(at, &["off"]));
    if laid == (end > at) && reading.is(end, &["from", "by"]) {
        ended(&going_on(clause, end), Verb::Quit, found);
    }
}

/// "handed in my notice at Acme".
pub(super) fn gave_notice(clause: &Clause<'_, '_, '_>, found: &mut Vec<Triple>) {
    let (reading, at) = (clause.reading, clause.group.end);
    let notice = reading.is(at, &["in"]) && reading.is(at + 2, &["notice", "resignation"]);
    if notice && reading.is(at + 3, &["at", "to", "with"]) {
        ended(&going_on(clause, at + 4), Verb::Quit, found);
    }
}

/// "I start at Acme on Monday": from then on.
pub(super) fn starts(clause: &Clause<'_, '_, '_>, found: &mut Vec<Triple>) {
    let (reading, at) = (clause.reading, clause.group.end);
    let named = reading.is(at, &["at"]).then(|| reading.phrase(at + 1, clause.limit())).flatten();
    let employs = named.and_then(|phrase| phrase.named().cloned()).is_some_and(|named| !is_school(&named));
    if employs && clause.when().is_some() && clause.of_person() && !clause.of_hearer() {
        hired(clause, at, &["at"], found);
    }
}

/// "I'm still at Acme", "I'm back at Acme": whether it is such a post. Where somebody is for a while has no "still".
pub(super) fn still_at(clause: &Clause<'_, '_, '_>, found: &mut Vec<Triple>) -> bool {
    let (reading, end) = (clause.reading, clause.group.end);
    let back = usize::from(reading.is(end, &["back"]));
    let stays = back == 1 || (clause.subject.end..end).any(|at| reading.is(at, &["still"]));
    let at = end + back;
    if !stays || !reading.is(at, &["at"]) || !clause.of_person() || clause.of_hearer() {
        return false;
    }
    let Some(phrase) = reading.phrase(at + 1, clause.limit()) else { return false };
    let employs = |named: &Named| {
        // Nobody is at somebody, so a name of two words behind "at" is none of a person, whatever it looks like.
        let person = named.kind == EntityKind::Person
            && named
                .name
                .split(' ')
                .next()
                .is_some_and(|first| gazetteer::is_first_name(&first.to_lowercase()));
        let several = named.name.contains(' ') && named.kind.can_be(EntityKind::Person) && !person;
        (named.kind == EntityKind::Organisation || several) && !is_school(named) && !is_visited(named)
    };
    if !phrase.named().is_some_and(employs) {
        return false;
    }
    let phrase = as_firm(phrase);
    let told = claim(clause, "works_at", FactKind::Fact, phrase);
    found.push(Triple { confidence: 0.8 * told.confidence, ..told });
    true
}

/// What was left, by what its name tells: a name that tells nothing may be a place or an employer.
fn abandoned(clause: &Clause<'_, '_, '_>, at: usize, verb: Verb, found: &mut Vec<Triple>) {
    let Some(phrase) = clause.reading.phrase(at, clause.limit()) else { return };
    let Some(named) = phrase.named() else { return };
    let quit = verb == Verb::Quit;
    // "Left the Corner Bakery at noon" is on the way out, and a patient leaves a clinic.
    let for_the_day = !quit
        && (is_visited(named) && !for_long(clause)
            || clause.reading.is(phrase.end, &["at", "with", "through", "by"]));
    let firm = for_long(clause) && is_firm_like(named);
    let predicate = match named.kind {
        _ if for_the_day => return,
        _ if firm => "works_at",
        EntityKind::Organisation if is_group(named) => "member_of",
        EntityKind::Organisation if !is_school(named) => "works_at",
        EntityKind::Unknown if quit || for_long(clause) => "works_at",
        _ => return,
    };
    let phrase = if firm { as_firm(phrase) } else { phrase };
    found.push(claim(clause, predicate, FactKind::Fact, phrase));
}

/// Whether a name may be that of a firm, though nothing beside it says so.
pub(super) fn is_firm_like(named: &Named) -> bool {
    matches!(named.kind, EntityKind::Unknown | EntityKind::Person) && gazetteer::is_firm_like(&named.name)
}

/// What is named, as a firm.
fn as_firm(mut phrase: Phrase) -> Phrase {
    if let TripleObject::Entity(named) = &mut phrase.object {
        named.kind = EntityKind::Organisation;
    }
    phrase
}

/// Whether what is told took place in a month or a year: what one leaves then one had been at for long.
fn for_long(clause: &Clause<'_, '_, '_>) -> bool {
    clause.when().is_some_and(|told| told.granularity >= Granularity::Month)
}

fn is_visited(named: &Named) -> bool {
    ends_with(named, &["hospital", "clinic", "bank", "club", "bakery", "brewery"])
}

fn ends_with(named: &Named, tails: &[&str]) -> bool {
    let name = named.name.to_lowercase();
    name.split(' ').any(|word| tails.contains(&word))
}

fn is_school(named: &Named) -> bool {
    ends_with(named, &["school", "university", "college", "academy", "institute"])
}

fn is_group(named: &Named) -> bool {
    ends_with(
        named,
        &[
            "party",
            "club",
            "association",
            "society",
            "committee",
            "council",
            "orchestra",
            "choir",
            "band",
            "chorus",
            "league",
            "guild",
            "troupe",
            "team",
            "board",
            "union",
            "trust",
            "fellowship",
            "ensemble",
        ],
    )
}
