//! Patterns of posts and homes that begin and end: hired, started, quit, left.

use lorebase_engine::dates::Granularity;
use lorebase_engine::model::entity::EntityKind;
use lorebase_engine::model::fact::{FactKind, Named, Polarity, Triple, TripleObject};
use lorebase_engine::model::predicate::Predicate;
use lorebase_engine::model::time::Interval;

use crate::names::gazetteer;
use crate::rules::claims::{behind, claim, objects, since_then};
use crate::rules::clause::Clause;
use crate::rules::group::{Group, Mood};
use crate::rules::patterns;
use crate::rules::reading::{Phrase, Reading};
use crate::rules::states::{thither, work};
use crate::rules::verbs::{self, Form, Verb, verb};
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
    // Whoever has a job is somebody, whatever their name looks like.
    let may = clause.subject.named.kind != EntityKind::Organisation && !clause.of_hearer();
    let Some(end) = post_end(clause, at).filter(|_| may) else {
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
    if !reading.is(at - 1, &["started", "began", "starting"]) || !clause.of_person() {
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
    } else if let Some((doing, Form::Ing)) = verbs::verb(reading.word(at)) {
        let doing_so = going_on(clause, at + 1);
        match doing {
            Verb::Live | Verb::Study | Verb::Volunteer | Verb::Date => {
                patterns::progressive(&doing_so, doing, found);
            }
            Verb::Play => objects(&doing_so, "plays", FactKind::Fact, found),
            Verb::Teach => objects(&doing_so, "teaches", FactKind::Fact, found),
            _ => {}
        }
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
    next_post(clause, found);
}

/// "left Acme for Brightwell", "quit Acme to join Brightwell": where one works from then on.
fn next_post(clause: &Clause<'_, '_, '_>, found: &mut Vec<Triple>) {
    let (reading, at) = (clause.reading, clause.group.end);
    let Some(old) = reading.phrase(at + usize::from(reading.is(at, &["from"])), clause.limit()) else {
        return;
    };
    let joins = reading.is(old.end, &["to"]) && reading.is(old.end + 1, &["join"]);
    let next = old.end + if joins { 2 } else { usize::from(reading.is(old.end, &["for"])) };
    let firm = |named: &Named| named.kind == EntityKind::Organisation && !is_group(named);
    let new =
        reading.phrase(next, clause.limit()).filter(|new| next > old.end && new.named().is_some_and(firm));
    let held = |named: &Named| named.kind != EntityKind::Place;
    let Some(new) = new.filter(|_| old.named().is_some_and(held)) else { return };
    let before = found.len();
    let school = new.named().is_some_and(is_school);
    found.push(claim(clause, if school { "studies_at" } else { "works_at" }, FactKind::Fact, new));
    since_then(clause, &mut found[before..]);
}

/// "dropped out of Oak College".
pub(super) fn dropped_out(clause: &Clause<'_, '_, '_>, found: &mut Vec<Triple>) {
    let (reading, at) = (clause.reading, clause.group.end);
    if reading.is(at, &["out"]) && reading.is(at + 1, &["of"]) {
        no_student(clause, at + 2, found);
    }
}

/// "graduated from Oak College": whoever did studies there no more.
pub(super) fn graduated(clause: &Clause<'_, '_, '_>, found: &mut Vec<Triple>) {
    let at = clause.group.end;
    behind(clause, &["from"], "graduated_from", FactKind::Event, found);
    if clause.reading.is(at, &["from"]) {
        no_student(clause, at + 1, found);
    }
}

/// "goes to Oak College", "attends Oak College", from behind the verb on.
pub(super) fn pupil(clause: &Clause<'_, '_, '_>, at: usize, found: &mut Vec<Triple>) {
    let school = clause.reading.phrase(at, clause.limit());
    let school = school.filter(|phrase| phrase.named().is_some_and(is_school));
    if let Some(school) = school.filter(|_| clause.of_person() && !clause.of_hearer()) {
        found.push(claim(clause, "studies_at", FactKind::Fact, as_firm(school)));
    }
}

fn no_student(clause: &Clause<'_, '_, '_>, at: usize, found: &mut Vec<Triple>) {
    let school = clause.reading.phrase(at, clause.limit()).filter(|phrase| phrase.named().is_some());
    if let Some(phrase) =
        school.filter(|_| !clause.group.negated && clause.of_person() && !clause.of_hearer())
    {
        let before = found.len();
        let over = claim(clause, "studies_at", FactKind::Fact, phrase);
        found.push(Triple { polarity: Polarity::Negated, ..over });
        since_then(clause, &mut found[before..]);
    }
}

/// "became a baker": a trade from then on.
pub(super) fn became(clause: &Clause<'_, '_, '_>, found: &mut Vec<Triple>) {
    let (reading, at) = (clause.reading, clause.group.end);
    let trade =
        reading.phrase(at, clause.limit()).filter(|trade| words::is_profession(reading.word(trade.head)));
    let one = reading.is(at, &["a", "an", "the"]) && clause.of_person() && !clause.of_hearer();
    if let Some(trade) = trade.filter(|trade| one && !clause.group.negated && trade.named().is_none()) {
        let before = found.len();
        found.push(claim(clause, "works_as", FactKind::Fact, trade));
        since_then(clause, &mut found[before..]);
    }
}

/// "Today is my first day at Acme", "yesterday was my last day at Acme".
pub(super) fn first_or_last_day(
    reading: &Reading<'_, '_>,
    at: usize,
    bounds: (usize, usize),
    found: &mut Vec<Triple>,
) {
    let told = reading.is(at, &["my"])
        && reading.is(at + 1, &["first", "last", "final"])
        && reading.is(at + 2, &["day", "week"])
        && reading.is(at + 3, &["at"]);
    let Some(speaker) = reading.speaker.filter(|_| told) else { return };
    let Some(phrase) = reading.phrase(at + 4, bounds.1) else { return };
    if phrase.named().is_none_or(is_school) || (bounds.0..at).any(|at| words::is_unreal(reading.word(at))) {
        return;
    }
    let last = !reading.is(at + 1, &["first"]);
    let (start, end) = (reading.span(bounds.0, bounds.1).start, reading.span(bounds.0, bounds.1).end);
    let time = reading.times_from(start).first().filter(|time| time.span.end <= end);
    let subject = Named { name: speaker.to_owned(), kind: EntityKind::Person };
    let phrase = as_firm(phrase);
    found.push(Triple {
        polarity: if last { Polarity::Negated } else { Polarity::Affirmed },
        confidence: 0.85,
        span: reading.span(bounds.0, phrase.end),
        valid: Interval {
            from: time.and_then(|time| if last { time.interval.to } else { time.interval.from }),
            to: None,
        },
        granularity: time.map(|time| time.granularity),
        ..Triple::new(subject, Predicate::new("works_at"), phrase.object)
    });
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
        let before = found.len();
        // It has not begun, so a month that is told is the next one.
        work(clause, &["at"], found);
        since_then(clause, &mut found[before..]);
    }
}

/// "I join Acme in October", "I leave Acme in May": where a day, a month or a year is told, that is a plan.
pub(super) fn is_coming(clause: &Clause<'_, '_, '_>) -> bool {
    let dated = clause.when().is_some_and(|told| told.granularity >= Granularity::Day);
    clause.group.mood == Mood::Present && dated && !clause.group.negated && !clause.of_hearer()
}

/// "transferred to Acme", "switched from Acme to Brightwell": where one works or studies from then on.
pub(super) fn transferred(clause: &Clause<'_, '_, '_>, found: &mut Vec<Triple>) {
    const POST: &[&str] =
        &["jobs", "job", "schools", "school", "employers", "companies", "firms", "colleges"];
    let (reading, mut at, limit) = (clause.reading, clause.group.end, clause.limit());
    if clause.group.negated || !clause.of_person() || clause.of_hearer() {
        return;
    }
    let told = reading.is(at, POST);
    at += usize::from(told);
    let firm = |phrase: &Phrase| phrase.named().is_some_and(|named| may_employ(named, clause));
    let old = reading.is(at, &["from"]).then(|| reading.phrase(at + 1, limit)).flatten().filter(firm);
    let next = old.as_ref().map_or(at, |old| old.end);
    let new = reading.is(next, &["to"]).then(|| reading.phrase(next + 1, limit)).flatten().filter(firm);
    let known = |phrase: &Phrase| {
        let held = |claim: &&Triple| {
            POSTS_AT.contains(&claim.predicate.as_str())
                && claim.subject.name == clause.subject.named.name
                && claim.object == phrase.object
        };
        found.iter().any(|claim| held(&claim))
            || reading.earlier.iter().any(|turn| turn.triples.iter().any(|claim| held(&claim)))
    };
    // Whoever switches from one bank to another may be its customer.
    let switched = reading.is(clause.group.end - 1, &["switched"]);
    let sure = told || !switched || old.as_ref().is_some_and(known);
    let visited = |phrase: &Option<Phrase>| phrase.as_ref().and_then(Phrase::named).is_some_and(is_visited);
    if !sure && (visited(&old) || visited(&new) || old.is_none()) {
        return;
    }
    let before = found.len();
    let claimed = |phrase: Phrase| {
        let school = phrase.named().is_some_and(is_school);
        claim(clause, if school { "studies_at" } else { "works_at" }, FactKind::Fact, as_firm(phrase))
    };
    match (old, new) {
        (_, Some(new)) => found.push(claimed(new)),
        (Some(old), None) => found.push(Triple { polarity: Polarity::Negated, ..claimed(old) }),
        (None, None) => return,
    }
    since_then(clause, &mut found[before..]);
    if !sure {
        found[before..].iter_mut().for_each(|triple| triple.confidence *= 0.7);
    }
}

/// Where somebody works or studies.
const POSTS_AT: &[&str] = &["works_at", "studies_at"];

/// Whether what is named may be where somebody works or studies.
fn may_employ(named: &Named, clause: &Clause<'_, '_, '_>) -> bool {
    named.name != clause.subject.named.name
        && (named.kind == EntityKind::Organisation || is_firm_like(named) || is_school(named))
}

/// "was promoted to director", from behind the verb on.
pub(super) fn promoted(clause: &Clause<'_, '_, '_>, at: usize, found: &mut Vec<Triple>) {
    let reading = clause.reading;
    let post = reading.is(at, &["to"]).then(|| reading.phrase(at + 1, clause.limit())).flatten();
    let post = post.filter(|post| post.named().is_none() && clause.of_person() && !clause.of_hearer());
    if let Some(post) = post.filter(|_| !clause.group.negated) {
        let before = found.len();
        found.push(claim(clause, "works_as", FactKind::Fact, post));
        since_then(clause, &mut found[before..]);
    }
}

/// "I'm still at Acme", "I'm back at Acme", "I'm now at Acme", "I'm at Acme now": whether it is such a post. Where somebody is for a while has no "still"
/// and no "now".
pub(super) fn still_at(clause: &Clause<'_, '_, '_>, found: &mut Vec<Triple>) -> bool {
    let (reading, end) = (clause.reading, clause.group.end);
    let back = usize::from(reading.is(end, &["back"]));
    let before = |words: &[&str]| (clause.subject.end..end).any(|at| reading.is(at, words));
    let at = end + back;
    let now = before(&["now", "currently"]);
    let behind = |phrase: &Phrase| {
        let at = phrase.end;
        reading.is(at, &["now", "nowadays", "currently"])
            || reading.is(at, &["these"]) && reading.is(at + 1, &["days"])
    };
    let place = reading.is(at, &["at", "with"]).then(|| reading.phrase(at + 1, clause.limit())).flatten();
    let back = back == 1 && reading.is(at, &["at"]);
    let stays = back || now || before(&["still"]) || place.as_ref().is_some_and(behind);
    if !stays || !clause.of_person() || clause.of_hearer() {
        return false;
    }
    let Some(phrase) = place else { return false };
    let employs = |named: &Named| {
        // Nobody is at somebody, so a name of two words behind "at" is none of a person, whatever it looks like.
        let person = named.kind == EntityKind::Person
            && named
                .name
                .split(' ')
                .next()
                .is_some_and(|first| gazetteer::is_first_name(&first.to_lowercase()));
        let several = named.name.contains(' ') && named.kind.can_be(EntityKind::Person) && !person;
        (named.kind == EntityKind::Organisation || several)
            && !is_school(named)
            && (now || !is_visited(named))
    };
    if !phrase.named().is_some_and(employs) {
        return false;
    }
    let phrase = as_firm(phrase);
    let told = claim(clause, "works_at", FactKind::Fact, phrase);
    found.push(Triple { confidence: 0.8 * told.confidence, ..told });
    true
}

/// "She's in Porto now", of whom the talk has just told where she lives: whether it is such a home. Who is somewhere else may
/// be on a journey.
pub(super) fn now_in(clause: &Clause<'_, '_, '_>, found: &mut Vec<Triple>) -> bool {
    let (reading, at) = (clause.reading, clause.group.end);
    let at = at + usize::from(reading.is(at, &["back"]));
    let settled = clause.group.mood == Mood::Present && !clause.group.negated;
    if !reading.is(at, &["in"]) || !clause.of_person() || clause.of_hearer() || !settled {
        return false;
    }
    let Some(phrase) = reading.phrase(at + 1, clause.limit()).filter(|phrase| phrase.named().is_some())
    else {
        return false;
    };
    let now = reading.is(phrase.end, &["now", "nowadays"])
        || (clause.subject.end..at).any(|at| reading.is(at, &["now", "currently"]));
    let home = |claim: &Triple| {
        claim.predicate.as_str() == "lives_in" && claim.subject.name == clause.subject.named.name
    };
    let last = reading.earlier.last().map_or(&[][..], |turn| turn.triples);
    let for_good = reading.is(phrase.end, &["for"]) && reading.is(phrase.end + 1, &["good"])
        || reading.is(phrase.end, &["permanently"]);
    if !for_good && (!now || !found.iter().chain(last).any(home)) {
        return false;
    }
    let told = claim(clause, "lives_in", FactKind::Fact, phrase);
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

/// "Moved to Acme in May": what a firm is moved to is a post.
pub(super) fn as_employer(triple: &mut Triple) {
    if let TripleObject::Entity(named) = &triple.object
        && named.kind == EntityKind::Organisation
    {
        let predicate = if is_school(named) { "studies_at" } else { "works_at" };
        triple.predicate = Predicate::new(predicate);
    }
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
