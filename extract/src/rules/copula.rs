//! What "is" claims: classes, professions, ties, places, ages, and "the … of …".

use lorebase_engine::model::entity::EntityKind;
use lorebase_engine::model::fact::{FactKind, Named, Triple, TripleObject};
use lorebase_engine::model::predicate::Predicate;

use crate::rules::claims::since_then;
use crate::rules::clause::{Claimed, Clause, tie_triple};
use crate::rules::couples::{are_apart, couple, reunited};
use crate::rules::everyday::{has_been_with, in_year};
use crate::rules::group::{Head, Mood};
use crate::rules::persons::Agreement;
use crate::rules::posts::{now_in, still_at};
use crate::rules::reading::Phrase;
use crate::rules::ties;
use crate::rules::verbs::{Form, Verb, verb};
use crate::rules::words;

/// Adds what a clause with "is" claims.
pub(super) fn read(clause: &Clause<'_, '_, '_>, found: &mut Vec<Triple>) {
    let settled = matches!(clause.group.mood, Mood::Present | Mood::Past | Mood::Perfect | Mood::UsedTo);
    if clause.group.head != Head::Copula || !settled {
        return;
    }
    let before = found.len();
    link(clause, found);
    if found.len() > before {
        return;
    }
    if clause.reading.is(clause.group.end, &["engaged"]) {
        return couple(clause, "partner_of", clause.group.end + 1, found);
    }
    if clause.reading.is(clause.group.end, &["back"])
        && clause.reading.is(clause.group.end + 1, &["together"])
    {
        return reunited(clause, clause.group.end + 2, found);
    }
    if now_in(clause, found)
        || are_apart(clause, found)
        || ties_of_two(clause, found)
        || still_at(clause, found)
        || has_been_with(clause, found)
        || in_year(clause, found)
    {
        return;
    }
    if let Some(triple) = tie_of(clause).or_else(|| age(clause)).or_else(|| state(clause)) {
        found.push(triple);
        return;
    }
    match clause.reading.word(clause.group.end) {
        "a" | "an" | "one" => class(clause, found),
        "the" => the_of(clause, found),
        _ => {}
    }
}

fn claim(clause: &Clause<'_, '_, '_>, predicate: &str, object: TripleObject, end: usize) -> Triple {
    clause.triple(Claimed {
        predicate: Predicate::new(predicate),
        object,
        kind: if predicate == "likes" { FactKind::Preference } else { FactKind::Fact },
        end,
    })
}

/// "is from Porto", "is in Porto", "is married to Rui", "is into climbing".
fn link(clause: &Clause<'_, '_, '_>, found: &mut Vec<Triple>) {
    let (reading, at) = (clause.reading, clause.group.end);
    let (predicate, next, named_only) = match (reading.word(at), reading.word(at + 1)) {
        ("originally", "from") => ("from", at + 2, true),
        ("from", _) => ("from", at + 1, true),
        ("engaged", "to") => ("partner_of", at + 2, true),
        ("into", _) => ("likes", at + 1, false),
        ("fond", "of") => ("likes", at + 2, false),
        ("allergic", "to") => ("allergic_to", at + 2, false),
        ("friends", "with") => ("friend_of", at + 2, true),
        ("good" | "close" | "best" | "old", "friends") if reading.is(at + 2, &["with"]) => {
            ("friend_of", at + 3, true)
        }
        ("fluent", "in") => ("speaks", at + 2, true),
        ("part", "of") => ("part_of", at + 2, true),
        ("called" | "named", _) if !is_tied(clause) => ("named", at + 1, true),
        ("in", _) if !clause_is_of_person(clause) => ("located_in", at + 1, true),
        _ => return,
    };
    let fitting = reading
        .list(next, clause.limit())
        .into_iter()
        .filter(|phrase| !named_only || phrase.named().is_some());
    for mut phrase in fitting {
        if let TripleObject::Entity(named) = &mut phrase.object
            && matches!(predicate, "from" | "located_in")
        {
            named.kind = EntityKind::Place;
        }
        found.push(claim(clause, predicate, phrase.object, phrase.end));
    }
}

fn clause_is_of_person(clause: &Clause<'_, '_, '_>) -> bool {
    clause.subject.named.kind == EntityKind::Person
}

/// "Zoe and Pavel are my friends", "Zoe and Pavel are siblings": whether it is told.
fn ties_of_two(clause: &Clause<'_, '_, '_>, found: &mut Vec<Triple>) -> bool {
    const MUTUAL: &[&str] = &["sibling_of", "friend_of", "colleague_of", "neighbour_of", "housemate_of"];
    let (reading, at) = (clause.reading, clause.group.end);
    let Some(beside) = clause.subject.beside.clone() else { return false };
    let (owner, noun) = ties::owner(reading, at).map_or((None, at), |(owner, noun)| (Some(owner), noun));
    let noun = noun + usize::from(reading.is(noun, &["best", "good", "close", "old"]));
    let one = ties::of_several(reading.word(noun));
    let closed =
        noun + 1 >= clause.limit() || reading.is_sign(noun + 1) || reading.is(noun + 1, &["since", "for"]);
    let lasting = matches!(clause.group.mood, Mood::Present | Mood::Perfect);
    let Some(one) = one.filter(|_| closed && !clause.group.negated && lasting) else {
        return false;
    };
    let subjects = [clause.subject.named.clone(), beside.clone()];
    let told = if owner.is_some() { 2 } else { 1 };
    for named in subjects.into_iter().take(told) {
        let owner = owner.clone().unwrap_or_else(|| beside.clone());
        let Some(tie) = ties::tie(one).filter(|tie| told == 2 || MUTUAL.contains(&tie.predicate)) else {
            break;
        };
        let relation = ties::Relation { owner, tie, noun, end: noun + 1 };
        found.extend(tie_triple(reading, named, &relation, (clause.first, noun + 1)));
    }
    true
}

/// Whether the subject is told by a tie alone: "my dog".
fn is_tied(clause: &Clause<'_, '_, '_>) -> bool {
    ties::relation(clause.reading, clause.first).is_some_and(|relation| relation.end == clause.subject.end)
}

/// "Ana is my boss", "Ana is Rui's sister", "my boss is Ana".
fn tie_of(clause: &Clause<'_, '_, '_>) -> Option<Triple> {
    let (reading, at) = (clause.reading, clause.group.end);
    if let Some(relation) = ties::relation(reading, at).filter(|relation| relation.end <= clause.limit()) {
        // "Ana is my sister's friend" goes on; "you're my friend" is kindness, but said.
        let ends_there = !reading.is(relation.end, &["'s"]);
        let relation = if ends_there { relation } else { ties::further(reading, &relation)? };
        let triple =
            tie_triple(reading, clause.subject.named.clone(), &relation, (clause.first, relation.end))?;
        let told = clause.triple(Claimed {
            predicate: triple.predicate,
            object: triple.object,
            kind: FactKind::Fact,
            end: relation.end,
        });
        return Some(Triple { subject: triple.subject, ..told });
    }
    let relation =
        ties::relation(reading, clause.first).filter(|relation| relation.end == clause.subject.end)?;
    let name_at = if reading.is(at, &["called", "named"]) { at + 1 } else { at };
    let name = reading.phrase(name_at, clause.limit())?;
    let triple = tie_triple(reading, name.named()?.clone(), &relation, (clause.first, name.end))?;
    Some(Triple {
        polarity: clause
            .triple(Claimed {
                predicate: triple.predicate.clone(),
                object: triple.object.clone(),
                kind: FactKind::Fact,
                end: name.end,
            })
            .polarity,
        ..triple
    })
}

/// Ages in words.
const SMALL: &[&str] =
    &["two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"];

/// "is 34 years old", "is 34", of a dog "is five".
fn age(clause: &Clause<'_, '_, '_>) -> Option<Triple> {
    let (reading, at) = (clause.reading, clause.group.end);
    let object = || TripleObject::Value(reading.slice(at, at + 1).to_owned());
    // "When I was 10" tells no age of now.
    if clause.group.mood != Mood::Present {
        return None;
    }
    if reading.is(at + 1, &["years", "year"]) && reading.is(at + 2, &["old"]) {
        return Some(claim(clause, "age", object(), at + 3));
    }
    let next = at + 1 + usize::from(reading.is(at + 1, &["now", "today", "already"]));
    let closed = next >= clause.limit() || reading.is(next, &[".", ",", "!", ";", ")", "and", "but"]);
    let number: Option<u32> = reading.word(at).parse().ok();
    let of_living = matches!(clause.subject.named.kind, EntityKind::Person | EntityKind::Animal);
    let alone = clause.subject.agreement == Agreement::Third;
    // "Bodil is nine": what has no kind has an age where it has one name and no more.
    let one_name = reading.name_at(clause.first).is_some_and(|name| name.end == name.first + 1);
    let may_live = clause.subject.named.kind == EntityKind::Unknown && one_name;
    let told = number.is_some_and(|number| (1..=120).contains(&number)) && (of_living || alone)
        || SMALL.contains(&reading.word(at)) && (of_living || may_live) && alone;
    let of_one = !reading.is(clause.first, &["we", "you"]);
    (told && closed && of_one && !reading.in_time(at)).then(|| claim(clause, "age", object(), at + 1))
}

/// "turned 30": the age from then on.
pub(super) fn turned(clause: &Clause<'_, '_, '_>, found: &mut Vec<Triple>) {
    let (reading, at) = (clause.reading, clause.group.end);
    let dated = reading.is(at + 1, &["on", "in"]) && reading.in_time(at + 2);
    let closed = reading.is_sign(at + 1) || at + 1 >= clause.limit() || reading.in_time(at + 1) || dated;
    let number: Option<u32> = reading.word(at).parse().ok();
    let aged = number.is_some_and(|number| (1..=120).contains(&number)) || SMALL.contains(&reading.word(at));
    if aged && closed && clause.of_person() && !clause.of_hearer() && !reading.in_time(at) {
        let before = found.len();
        let object = TripleObject::Value(reading.slice(at, at + 1).to_owned());
        found.push(claim(clause, "age", object, at + 1));
        since_then(clause, &mut found[before..]);
    }
}

/// "is vegan".
fn state(clause: &Clause<'_, '_, '_>) -> Option<Triple> {
    let (reading, at) = (clause.reading, clause.group.end);
    let lasting = matches!(
        reading.word(at),
        "vegan"
            | "vegetarian"
            | "pregnant"
            | "single"
            | "divorced"
            | "widowed"
            | "retired"
            | "unemployed"
            | "left-handed"
            | "deaf"
            | "blind"
            | "diabetic"
            | "bilingual"
            | "asthmatic"
            | "colour-blind"
    );
    let closed = reading.is_sign(at + 1)
        || at + 1 >= clause.limit()
        || words::ends_phrase(reading.word(at + 1))
        || reading.is(at + 1, &["any"])
        || reading.in_time(at + 1);
    (lasting && closed && clause.of_person()).then(|| {
        let object = TripleObject::Value(reading.slice(at, at + 1).to_owned());
        claim(clause, "is", object, at + 1)
    })
}

/// "is a nurse at Acme", "is a city in Portugal", "is a member of the choir".
fn class(clause: &Clause<'_, '_, '_>, found: &mut Vec<Triple>) {
    let (reading, limit) = (clause.reading, clause.limit());
    let at = clause.group.end;
    if let Some((predicate, next)) = membership(clause, at) {
        let owner = match reading.word(next) {
            "mine" | "ours" => reading.speaker,
            "yours" => reading.other,
            _ => None,
        };
        if let Some(owner) = owner {
            let owner = Named { name: owner.to_owned(), kind: EntityKind::Person };
            found.push(claim(clause, predicate, TripleObject::Entity(owner), next + 1));
            return;
        }
        // "A friend of Zoe's", "a friend of my brother Rui".
        let tie = ties::relation(reading, next).map(|relation| relation.end);
        if let Some(owner) = reading.name_at(tie.unwrap_or(next))
            && let end = owner.end + usize::from(reading.is(owner.end, &["'s"]))
            && (tie.is_some() || end > owner.end)
            && (reading.is_sign(end) || end >= limit)
        {
            let named = Named { name: owner.called.clone(), kind: owner.kind };
            found.push(claim(clause, predicate, TripleObject::Entity(named), end));
            return;
        }
        let list = reading
            .list(next, limit)
            .into_iter()
            .filter(|_| !reading.is(next, &["mine", "ours", "yours", "theirs", "hers"]))
            .filter(|phrase| !is_weekday(reading.word(phrase.head)));
        found.extend(list.map(|phrase| claim(clause, predicate, phrase.object, phrase.end)));
        return;
    }
    let Some(phrase) = reading.phrase(at, limit).filter(|phrase| phrase.named().is_none()) else {
        return;
    };
    let joined = !words::is_profession(reading.word(phrase.head));
    let phrase = if joined { reading.with_joined(phrase, at + 1, limit) } else { phrase };
    let noun = reading.word(phrase.head);
    let profession = words::is_profession(noun);
    let of_oneself = clause.subject.agreement != Agreement::Third && !SELVES.contains(&noun);
    if !profession && (MOODS.contains(&noun) || of_oneself) {
        return;
    }
    let (end, head) = (phrase.end, phrase.head);
    let works = profession && noun != "student" && clause.of_person();
    let predicate = if works { "works_as" } else { "is" };
    found.push(claim(clause, predicate, phrase.object, end));
    found.extend(seat(clause, end, reading.word(head), works));
    made_by(clause, end, found);
}

/// "A member of the club, Tuesdays and Thursdays" tells when.
fn is_weekday(word: &str) -> bool {
    words::is_calendar(word.strip_suffix('s').unwrap_or(word))
}

/// "a member of", "a fan of", "a friend of", with the place behind it.
fn membership(clause: &Clause<'_, '_, '_>, at: usize) -> Option<(&'static str, usize)> {
    let reading = clause.reading;
    let noun = at
        + 1
        + usize::from(
            reading.is(at + 1, &["big", "huge", "close", "good", "founding", "former", "active", "great"]),
        );
    let predicate = match (reading.word(noun), reading.word(noun + 1)) {
        ("member", "of") => "member_of",
        ("fan", "of") => "likes",
        ("friend", "of") => "friend_of",
        ("student", "at") => "studies_at",
        _ => return None,
    };
    Some((predicate, noun + 2))
}

/// Where a profession or a place has its seat: "a nurse at Acme", "a city in Portugal".
fn seat(clause: &Clause<'_, '_, '_>, end: usize, noun: &str, works: bool) -> Option<Triple> {
    let reading = clause.reading;
    let predicate = match reading.word(end) {
        "at" | "for" if works => "works_at",
        "in" if PLACES.contains(&noun) => "located_in",
        "located" | "situated" | "based" if reading.is(end + 1, &["in"]) => "located_in",
        _ => return None,
    };
    let next = end + 1 + usize::from(predicate == "located_in" && !reading.is(end, &["in"]));
    let phrase = reading.phrase(next, clause.limit()).filter(|phrase| phrase.named().is_some())?;
    Some(claim(clause, predicate, phrase.object, phrase.end))
}

/// "is a film directed by Ana": who made what the clause speaks of.
fn made_by(clause: &Clause<'_, '_, '_>, end: usize, found: &mut Vec<Triple>) {
    let reading = clause.reading;
    let predicate = match verb(reading.word(end)) {
        Some((Verb::Found | Verb::Start, Form::Past)) => "founded",
        Some((Verb::Create, Form::Past | Form::Participle)) => "created",
        _ => return,
    };
    if !reading.is(end + 1, &["by"]) {
        return;
    }
    for phrase in reading.list(end + 2, clause.limit()) {
        let Some(maker) = phrase.named().cloned() else { continue };
        let made = TripleObject::Entity(clause.subject.named.clone());
        found.push(Triple { subject: maker, ..claim(clause, predicate, made, phrase.end) });
    }
}

/// Kinds of places, whose "in" tells where they lie.
const PLACES: &[&str] = &[
    "city",
    "town",
    "village",
    "municipality",
    "commune",
    "district",
    "county",
    "river",
    "lake",
    "mountain",
    "island",
    "province",
    "region",
    "suburb",
    "neighbourhood",
    "neighborhood",
    "settlement",
    "parish",
    "community",
    "township",
    "airport",
    "company",
    "firm",
    "school",
    "college",
    "stadium",
    "museum",
    "university",
    "park",
    "hamlet",
];

/// What somebody may say to be for good.
const SELVES: &[&str] =
    &["vegetarian", "vegan", "pescatarian", "widow", "widower", "veteran", "pensioner", "twin"];

/// What is said of somebody in passing.
const MOODS: &[&str] = &[
    "mess",
    "bit",
    "star",
    "blast",
    "joy",
    "shame",
    "pity",
    "gift",
    "blessing",
    "delight",
    "pleasure",
    "inspiration",
    "legend",
    "genius",
    "lifesaver",
    "champ",
    "sweetheart",
    "angel",
    "dream",
    "treat",
    "help",
    "relief",
    "surprise",
    "fan",
    "idea",
    "way",
    "plan",
    "reminder",
    "thing",
    "one",
];

/// "is the capital of Portugal", "is the sister of Ana".
fn the_of(clause: &Clause<'_, '_, '_>, found: &mut Vec<Triple>) {
    let (reading, at) = (clause.reading, clause.group.end + 1);
    let of = (at + 1..clause.limit().min(at + 6)).find(|at| reading.is(*at, &["of"]));
    let Some(of) = of.filter(|of| (at..*of).all(|at| is_plain(clause, at))) else { return };
    let Some(phrase) = reading.phrase(of + 1, clause.limit()).filter(|phrase| phrase.named().is_some())
    else {
        return;
    };
    let noun = reading.word(of - 1);
    if matches!(noun, "one" | "kind" | "most" | "rest" | "some" | "first" | "best") {
        return;
    }
    let predicate = match ties::tie(noun) {
        Some(tie) => tie.predicate.to_owned(),
        None if matches!(noun, "founder" | "co-founder" | "cofounder") => "founded".to_owned(),
        None => format!("{} of", reading.slice(at, of).to_lowercase()),
    };
    let Phrase { object, end, .. } = phrase;
    if matches!(noun, "ceo" | "cto" | "cfo" | "coo") {
        found.push(claim(clause, "works_at", object.clone(), end));
    }
    found.push(claim(clause, &predicate, object, end));
}

fn is_plain(clause: &Clause<'_, '_, '_>, at: usize) -> bool {
    !clause.reading.is_sign(at) && !words::ends_phrase(clause.reading.word(at)) && !clause.reading.in_time(at)
}
