//! States that talk of every day tells by a noun: "Zoe's hobby is pottery", "my flat in Porto", "the offices of Acme are in
//! Porto", "Porto, which is in Portugal".

use lorebase_engine::model::entity::EntityKind;
use lorebase_engine::model::fact::{FactKind, Named, Polarity, Triple, TripleObject};
use lorebase_engine::model::predicate::Predicate;
use lorebase_engine::model::time::Interval;

use crate::rules::claims::{claim, objects_where};
use crate::rules::clause::Clause;
use crate::rules::group::Mood;
use crate::rules::reading::{Phrase, Reading};
use crate::rules::ties;
use crate::rules::words;

/// What somebody does for its own sake.
const PASTIMES: &[&str] = &["hobby", "pastime", "passion"];
/// Where somebody lives. Of a house they may have several.
const DWELLINGS: &[&str] = &["flat", "apartment", "home"];
/// What music is made with.
const INSTRUMENTS: &[&str] = &[
    "accordion",
    "bagpipes",
    "banjo",
    "bass",
    "bassoon",
    "cello",
    "clarinet",
    "drums",
    "flute",
    "guitar",
    "harmonica",
    "harp",
    "horn",
    "keyboard",
    "mandolin",
    "oboe",
    "organ",
    "piano",
    "recorder",
    "sax",
    "saxophone",
    "trombone",
    "trumpet",
    "tuba",
    "ukulele",
    "viola",
    "violin",
];
/// Where a firm has its seat.
const SEATS: &[&str] = &["office", "offices", "headquarters", "seat", "workshop"];

/// Adds what the nouns at `at` claim.
pub(super) fn read(
    reading: &Reading<'_, '_>,
    at: usize,
    (start, limit): (usize, usize),
    found: &mut Vec<Triple>,
) {
    if (start..at).any(|at| words::is_unreal(reading.word(at))) {
        return;
    }
    if let Some((owner, next)) = ties::owner(reading, at) {
        found.extend(pastime(reading, (at, next), &owner, limit));
        found.extend(dwelling(reading, (at, next), &owner, limit));
    }
    found.extend(seat(reading, at, limit));
    found.extend(beside(reading, at, limit));
    found.extend(one_of(reading, at, limit));
}

fn triple(
    reading: &Reading<'_, '_>,
    (subject, predicate): (Named, &str),
    (first, object): (usize, Phrase),
) -> Triple {
    let span = reading.span(first, object.end);
    let triple = Triple::new(subject, Predicate::new(predicate), object.object);
    Triple { confidence: 0.8, span, ..triple }
}

/// "Zoe's hobby is pottery".
fn pastime(
    reading: &Reading<'_, '_>,
    (at, next): (usize, usize),
    owner: &Named,
    limit: usize,
) -> Option<Triple> {
    let noun = next + usize::from(reading.is(next, &["great", "favourite", "main", "new", "big", "only"]));
    let told = reading.is(noun, PASTIMES) && reading.is(noun + 1, &["is", "'s"]);
    let what =
        told.then(|| reading.phrase(noun + 2, limit)).flatten().filter(|what| what.named().is_none())?;
    let told = triple(reading, (owner.clone(), "hobby"), (at, what));
    Some(Triple { kind: FactKind::Preference, ..told })
}

/// "My flat in Porto": whoever has one lives there.
fn dwelling(
    reading: &Reading<'_, '_>,
    (at, next): (usize, usize),
    owner: &Named,
    limit: usize,
) -> Option<Triple> {
    const SIZES: &[&str] = &["little", "small", "big", "new", "tiny", "cosy", "lovely"];
    let noun = next + usize::from(reading.is(next, SIZES));
    let told = reading.is(noun, DWELLINGS) && reading.is(noun + 1, &["in"]);
    let town = told.then(|| placed(reading, noun + 2, limit)).flatten()?;
    let lives = owner.kind.can_be(EntityKind::Person);
    lives.then(|| triple(reading, (owner.clone(), "lives_in"), (at, town)))
}

/// "The offices of Acme are in Porto".
fn seat(reading: &Reading<'_, '_>, at: usize, limit: usize) -> Option<Triple> {
    let told = reading.is(at, SEATS) && reading.is(at + 1, &["of"]);
    let firm = told.then(|| reading.name_at(at + 2)).flatten()?;
    let is = reading.is(firm.end, &["is", "are"]) && reading.is(firm.end + 1, &["in"]);
    let town = is.then(|| placed(reading, firm.end + 2, limit)).flatten()?;
    let firm = Named { name: firm.called.clone(), kind: firm.kind };
    Some(triple(reading, (firm, "located_in"), (at, town)))
}

/// "Porto, which is in Portugal": what is told of a name in passing.
fn beside(reading: &Reading<'_, '_>, at: usize, limit: usize) -> Option<Triple> {
    let name = reading.name_at(at)?;
    let which = reading.is(name.end, &[","]) && reading.is(name.end + 1, &["which"]);
    let lies = reading.is(name.end + 2, &["is", "lies"]) && reading.is(name.end + 3, &["in"]);
    let place = (which && lies).then(|| placed(reading, name.end + 4, limit)).flatten()?;
    let named = Named { name: name.called.clone(), kind: name.kind };
    (named.kind != EntityKind::Person).then(|| triple(reading, (named, "located_in"), (at, place)))
}

/// "Porto is one of the nicest towns in Portugal".
fn one_of(reading: &Reading<'_, '_>, at: usize, limit: usize) -> Option<Triple> {
    const TOWNS: &[&str] = &["towns", "cities", "villages", "places"];
    let name = reading.name_at(at)?;
    let told = reading.is(name.end, &["is"])
        && reading.is(name.end + 1, &["one"])
        && reading.is(name.end + 2, &["of"]);
    let noun = (name.end + 3..name.end + 7).find(|noun| told && reading.is(*noun, TOWNS))?;
    let place = reading.is(noun + 1, &["in"]).then(|| placed(reading, noun + 2, limit)).flatten()?;
    let named = Named { name: name.called.clone(), kind: EntityKind::Place };
    Some(triple(reading, (named, "located_in"), (at, place)))
}

/// "It was Zoe who founded Acme": who did what follows the "who" at a token.
pub(super) fn cleft(reading: &Reading<'_, '_>, at: usize, start: usize) -> Option<Named> {
    let name = reading.is(at, &["who"]).then(|| reading.name_before(at)).flatten()?;
    let told = name.first >= start + 2
        && reading.is(name.first - 1, &["was", "is"])
        && reading.is(name.first - 2, &["it"]);
    told.then(|| Named { name: name.called.clone(), kind: EntityKind::Person })
}

/// "Is in the third year at Oak College": whether such a school is told.
pub(super) fn in_year(clause: &Clause<'_, '_, '_>, found: &mut Vec<Triple>) -> bool {
    let (reading, at) = (clause.reading, clause.group.end);
    let told = reading.is(at, &["in"])
        && reading.is(at + 1, &["the", "my", "his", "her"])
        && reading.is(at + 3, &["year", "grade", "class"])
        && reading.is(at + 4, &["at", "of"]);
    let school = told.then(|| reading.phrase(at + 5, clause.limit())).flatten();
    let school = school.filter(|phrase| phrase.named().is_some() && clause.of_person());
    let Some(school) = school.filter(|_| !clause.of_hearer()) else { return false };
    found.push(claim(clause, "studies_at", FactKind::Fact, school));
    true
}

/// What is named at a token, as a place.
fn placed(reading: &Reading<'_, '_>, at: usize, limit: usize) -> Option<Phrase> {
    let mut phrase = reading.phrase(at, limit)?;
    if let TripleObject::Entity(named) = &mut phrase.object {
        named.kind = EntityKind::Place;
        return Some(phrase);
    }
    None
}

/// "Acme has its office in Porto": whether that is told.
pub(super) fn has_seat(clause: &Clause<'_, '_, '_>, found: &mut Vec<Triple>) -> bool {
    let (reading, at) = (clause.reading, clause.group.end);
    let told = reading.is(at, &["its", "their"]) && reading.is(at + 1, SEATS) && reading.is(at + 2, &["in"]);
    let town = told.then(|| placed(reading, at + 3, clause.limit())).flatten();
    let Some(town) = town.filter(|_| clause.subject.named.kind != EntityKind::Person) else { return false };
    found.push(claim(clause, "located_in", FactKind::Fact, town));
    true
}

/// "Has been with Acme for six years": whether such a post is told.
pub(super) fn has_been_with(clause: &Clause<'_, '_, '_>, found: &mut Vec<Triple>) -> bool {
    let (reading, at) = (clause.reading, clause.group.end);
    let lasts = clause.group.mood == Mood::Perfect && clause.of_person() && !clause.of_hearer();
    let told = lasts && reading.is(at, &["with", "at"]);
    let firm = told.then(|| reading.phrase(at + 1, clause.limit())).flatten().filter(|phrase| {
        phrase.named().is_some_and(|named| {
            matches!(named.kind, EntityKind::Organisation | EntityKind::Project | EntityKind::Product)
        }) && reading.is(phrase.end, &["for", "since", "all"])
    });
    let Some(firm) = firm else { return false };
    found.push(claim(clause, "works_at", FactKind::Fact, firm));
    true
}

/// "Took up pottery", "has taken up pottery".
pub(super) fn taken_up(clause: &Clause<'_, '_, '_>, found: &mut Vec<Triple>) {
    let (reading, at) = (clause.reading, clause.group.end);
    let told = reading.is(at, &["up"]) && !words::is_determiner(reading.word(at + 1));
    let what = told.then(|| reading.phrase(at + 1, clause.limit())).flatten();
    // "Took up space in the hall" is none.
    let pastime = |what: &Phrase| {
        what.named().is_none()
            && what.end == at + 2
            && !reading.is(what.head, &["space", "time", "room", "arms", "residence"])
    };
    if let Some(what) = what.filter(|what| pastime(what) && clause.of_person() && !clause.of_hearer()) {
        found.push(claim(clause, "hobby", FactKind::Preference, what));
    }
}

/// "Left Acme and joined Brightwell", "has quit Acme and works for Brightwell now": the post that comes next.
pub(super) fn next_post(clause: &Clause<'_, '_, '_>, found: &mut Vec<Triple>) {
    const FARTHEST: usize = 8;
    let (reading, end) = (clause.reading, clause.group.end);
    if clause.group.negated || !clause.of_person() || clause.of_hearer() {
        return;
    }
    let near = end..clause.limit().min(end + FARTHEST);
    let Some(and) = near.clone().find(|at| reading.is(*at, &["and"])) else { return };
    let verb = and + 1 + usize::from(reading.is(and + 1, &["now", "then"]));
    let works = reading.is(verb, &["work", "works", "started"]) && reading.is(verb + 1, &["at", "for"]);
    let at = match () {
        () if works => verb + 2,
        () if reading.is(verb, &["joined"]) => verb + 1,
        () => return,
    };
    let firm = reading
        .phrase(at, clause.limit())
        .filter(|phrase| phrase.named().is_some_and(|named| named.kind == EntityKind::Organisation));
    let told = firm.map(|firm| claim(clause, "works_at", FactKind::Fact, firm));
    found.extend(told.map(|told| Triple {
        polarity: Polarity::Affirmed,
        valid: Interval::ALWAYS,
        granularity: None,
        ..told
    }));
}

/// "Is learning to play the harp", from behind "learning" on.
pub(super) fn learning(clause: &Clause<'_, '_, '_>, found: &mut Vec<Triple>) {
    let (reading, at) = (clause.reading, clause.group.end);
    let told = reading.is(at, &["to"]) && reading.is(at + 1, &["play"]);
    let what = told.then(|| reading.phrase(at + 2, clause.limit())).flatten();
    if let Some(what) = what.filter(|_| clause.of_person() && !clause.of_hearer()) {
        found.push(claim(clause, "plays", FactKind::Fact, what));
    }
}

/// "Practises the harp": whoever does plays it.
pub(super) fn practising(clause: &Clause<'_, '_, '_>, found: &mut Vec<Triple>) {
    objects_where(clause, "plays", FactKind::Fact, |what| clause.reading.is(what.head, INSTRUMENTS), found);
}

/// "Makes a living as a welder", from behind the verb on.
pub(super) fn living(clause: &Clause<'_, '_, '_>, found: &mut Vec<Triple>) {
    let (reading, at) = (clause.reading, clause.group.end);
    let told = reading.is(at, &["a", "my", "his", "her", "their"])
        && reading.is(at + 1, &["living"])
        && reading.is(at + 2, &["as"]);
    let trade = told.then(|| reading.phrase(at + 3, clause.limit())).flatten();
    if let Some(trade) = trade.filter(|_| clause.of_person() && !clause.of_hearer()) {
        found.push(claim(clause, "works_as", FactKind::Fact, trade));
    }
}

/// Whom a token names as the boss of somebody: a name, or who speaks.
pub(super) fn person_at(clause: &Clause<'_, '_, '_>, at: usize) -> Option<Phrase> {
    let reading = clause.reading;
    if reading.is(at, &["me"]) {
        let speaker = Named { name: reading.speaker?.to_owned(), kind: EntityKind::Person };
        return Some(Phrase { end: at + 1, head: at, object: TripleObject::Entity(speaker) });
    }
    let named = |phrase: &Phrase| phrase.named().is_some_and(|named| named.kind.can_be(EntityKind::Person));
    reading.phrase(at, clause.limit()).filter(named)
}
