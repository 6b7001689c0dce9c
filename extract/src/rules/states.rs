//! Patterns of states: work, origin, study, possession, marriage, acquaintance.

use std::sync::LazyLock;

use lorebase_engine::model::entity::EntityKind;
use lorebase_engine::model::fact::{FactKind, Polarity, Triple, TripleObject};
use lorebase_engine::model::time::Interval;

use crate::rules::callings;
use crate::rules::claims::{behind, claim, objects, objects_where, place, since_then};
use crate::rules::clause::{Clause, tie_triple};
use crate::rules::corrections;
use crate::rules::couples::{couple, divorced, reunited, spouse};
use crate::rules::everyday::{has_seat, person_at};
use crate::rules::group::Mood;
use crate::rules::posts::{as_employer, fired, hired, promoted, took};
use crate::rules::reading::{Phrase, Reading};
use crate::rules::ties;
use crate::rules::words::{self, WordSet, set};

/// "works at Acme as a nurse".
pub(super) fn work(clause: &Clause<'_, '_, '_>, links: &[&str], found: &mut Vec<Triple>) {
    let (reading, limit) = (clause.reading, clause.limit());
    // What never was denies what is, and what has both ends was: they must meet the same predicate.
    let past = matches!(clause.group.mood, Mood::Past) && !clause.never() && !clause.tells_end();
    let mut at = clause.group.end;
    if reading.is(at, &["there"]) {
        return thither(clause, "works_at", found);
    }
    if reading.is(at, &["under"]) && !past {
        return reports(clause, at + 1, found);
    }
    for _ in 0..2 {
        let link = reading.word(at);
        let Some(phrase) = links.contains(&link).then(|| reading.phrase(at + 1, limit)).flatten() else {
            return;
        };
        at = phrase.end;
        let told = phrase.named().is_some()
            || reading.is(phrase_start(reading, link, &phrase), &["a", "an", "the", "my"]);
        match link {
            "as" => {
                found.push(claim(
                    clause,
                    if past { "worked_as" } else { "works_as" },
                    FactKind::Fact,
                    phrase,
                ));
            }
            // "works for hours" tells no employer.
            _ if told => {
                found.push(claim(
                    clause,
                    if past { "worked_at" } else { "works_at" },
                    FactKind::Fact,
                    phrase,
                ));
            }
            _ => return,
        }
    }
}

/// "I don't work there any more": where, was said before.
pub(super) fn thither(clause: &Clause<'_, '_, '_>, predicate: &str, found: &mut Vec<Triple>) {
    let there = clause.group.end;
    if let Some(object) = corrections::there(clause.reading, predicate, found).filter(|_| clause.of_person())
    {
        found.push(claim(clause, predicate, FactKind::Fact, Phrase { end: there + 1, head: there, object }));
    }
}

/// The token behind the link before a phrase.
fn phrase_start(reading: &Reading<'_, '_>, link: &str, phrase: &Phrase) -> usize {
    (0..phrase.end).rev().find(|at| reading.word(*at) == link).map_or(phrase.end, |at| at + 1)
}

pub(super) fn moved(clause: &Clause<'_, '_, '_>, found: &mut Vec<Triple>) {
    let before = found.len();
    let (reading, at) = (clause.reading, clause.group.end);
    let mut from = at;
    while words::is_adverb(reading.word(from)) {
        from += 1;
    }
    let out = usize::from(reading.is(from, &["out"]) && reading.is(from + 1, &["of"]));
    let from = from + out;
    let home = (reading.is(from, &["from"]) || out == 1)
        .then(|| reading.phrase(from + 1, clause.limit()))
        .flatten()
        .filter(|home| home.named().is_some() && clause.of_person() && !clause.group.negated);
    let Some(home) = home else {
        place(clause, &["to"], "lives_in", found);
        since_then(clause, &mut found[before..]);
        found[before..].iter_mut().for_each(as_employer);
        return;
    };
    if reading.is(home.end, &["to"])
        && let Some(phrase) = reading.phrase(home.end + 1, clause.limit())
    {
        found.push(claim(clause, "lives_in", FactKind::Fact, phrase));
        since_then(clause, &mut found[before..]);
        // The new home takes the old one's place; a denial would make the old one untrue.
        found.push(Triple { valid: Interval::ALWAYS, ..claim(clause, "lived_in", FactKind::Fact, home) });
    } else {
        let left = claim(clause, "lives_in", FactKind::Fact, home);
        found.push(Triple { polarity: Polarity::Negated, ..left });
        since_then(clause, &mut found[before..]);
    }
}

/// "sold the Skoda": it is had no more.
pub(super) fn shed(clause: &Clause<'_, '_, '_>, found: &mut Vec<Triple>) {
    if !clause.group.negated {
        lost(clause, clause.group.end, found);
    }
}

/// "gave the Skoda away", "gave the Skoda to Rui", "traded in the Skoda".
pub(super) fn given_away(clause: &Clause<'_, '_, '_>, found: &mut Vec<Triple>) {
    let (reading, at) = (clause.reading, clause.group.end);
    let particle = reading.is(at, &["away", "in", "off"]);
    let first = at + usize::from(particle);
    let own = usize::from(reading.is(first, &["my", "our"]));
    let goes = |phrase: Phrase| reading.is(phrase.end, &["to", "away", "in", "for"]);
    let gone = particle || reading.phrase(first + own, clause.limit()).is_some_and(goes);
    if gone && !clause.group.negated {
        lost(clause, first, found);
    }
}

/// What is had no more, from its article on: what is had, driven or ridden by a claim of the talk, too.
fn lost(clause: &Clause<'_, '_, '_>, at: usize, found: &mut Vec<Triple>) {
    let reading = clause.reading;
    // "Sold a painting" sells what was made for it.
    let own = reading.is(at, &["my", "our", "the"]);
    if !own || !clause.of_person() || clause.of_hearer() {
        return;
    }
    let first = at + usize::from(reading.is(at, &["my", "our"])) + usize::from(reading.is(at + 1, &["old"]));
    let Some(phrase) = reading.phrase(first, clause.limit()) else { return };
    if phrase.named().is_none() && ABSTRACT.contains(reading.word(phrase.head)) {
        return;
    }
    let before = found.len();
    // That it was sold is told beside it, so this is told by the thing alone.
    let span = reading.span(first, phrase.end);
    let over = claim(clause, "has", FactKind::Fact, phrase);
    let over = if clause.group.negated { over } else { Triple { span, ..over } };
    let used = |claim: &&Triple| {
        matches!(claim.predicate.as_str(), "drive" | "ride")
            && claim.subject.name == over.subject.name
            && same_thing(&claim.object, &over.object)
    };
    let turns = reading.earlier.iter().flat_map(|turn| turn.triples.iter());
    let driven: Option<Triple> = turns.rev().find(used).map(|claim| Triple {
        predicate: claim.predicate.clone(),
        object: claim.object.clone(),
        ..over.clone()
    });
    found.extend(std::iter::once(over).chain(driven));
    for triple in &mut found[before..] {
        triple.polarity = Polarity::Negated;
    }
    since_then(clause, &mut found[before..]);
}

fn same_thing(one: &TripleObject, other: &TripleObject) -> bool {
    let text = |object: &TripleObject| match object {
        TripleObject::Entity(named) => named.name.clone(),
        TripleObject::Value(text) => text.clone(),
    };
    text(one) == text(other)
}

pub(super) fn grew_up(clause: &Clause<'_, '_, '_>, found: &mut Vec<Triple>) {
    let at = clause.group.end + 1;
    if clause.reading.is(at, &["in", "near", "on"])
        && let Some(phrase) = clause.reading.phrase(at + 1, clause.limit())
    {
        found.push(claim(clause, "from", FactKind::Fact, phrase));
    }
}

/// "was born in Porto on 3 May 1990": both hold from then on.
pub(super) fn born(clause: &Clause<'_, '_, '_>, found: &mut Vec<Triple>) {
    let (reading, before) = (clause.reading, found.len());
    let mut at = clause.group.end;
    if reading.is(at, &["in", "at", "near"])
        && let Some(phrase) = reading.phrase(at + 1, clause.limit())
        && phrase.named().is_some()
    {
        at = phrase.end;
        found.push(claim(clause, "from", FactKind::Fact, phrase));
    }
    let end = (at + 1..clause.limit()).take_while(|at| reading.in_time(*at)).last();
    // "Born in six years" tells no day and no year.
    let dated = |end: &usize| reading.slice(at + 1, end + 1).contains(|c: char| c.is_ascii_digit());
    if let Some(end) = end.filter(|end| reading.is(at, &["in", "on"]) && dated(end)) {
        let phrase = Phrase {
            end: end + 1,
            head: end,
            object: TripleObject::Value(reading.slice(at + 1, end + 1).to_owned()),
        };
        found.push(claim(clause, "born_on", FactKind::Fact, phrase));
    }
    since_then(clause, &mut found[before..]);
}

pub(super) fn acquaintance(clause: &Clause<'_, '_, '_>, kind: FactKind, found: &mut Vec<Triple>) {
    objects_where(
        clause,
        "knows",
        kind,
        |phrase| {
            phrase.named().is_some_and(|named| matches!(named.kind, EntityKind::Person | EntityKind::Unknown))
        },
        found,
    );
}

/// "reports to Casimir", "works under Casimir", from behind the preposition on.
pub(super) fn reports(clause: &Clause<'_, '_, '_>, at: usize, found: &mut Vec<Triple>) {
    if let Some(phrase) = person_at(clause, at).filter(|_| clause.of_person()) {
        found.push(claim(clause, "reports_to", FactKind::Fact, phrase));
    }
}

/// "manages Bram".
pub(super) fn manages(clause: &Clause<'_, '_, '_>, found: &mut Vec<Triple>) {
    if let Some(phrase) = person_at(clause, clause.group.end).filter(|_| clause.of_person()) {
        found.push(claim(clause, "manages", FactKind::Fact, phrase));
    }
}

/// "teaches chemistry at Riverside College".
pub(super) fn teach(clause: &Clause<'_, '_, '_>, found: &mut Vec<Triple>) {
    objects(clause, "teaches", FactKind::Fact, found);
    behind_objects(clause, "works_at", found);
}

/// The name behind the objects of the verb and an "at".
fn behind_objects(clause: &Clause<'_, '_, '_>, predicate: &str, found: &mut Vec<Triple>) {
    let reading = clause.reading;
    let list = reading.list(clause.group.end, clause.limit());
    if let Some(end) = list.last().map(|phrase| phrase.end)
        && reading.is(end, &["at"])
        && let Some(phrase) = reading.phrase(end + 1, clause.limit())
        && phrase.named().is_some()
    {
        found.push(claim(clause, predicate, FactKind::Fact, phrase));
    }
}

/// "speaks fluent Portuguese": languages have capitals.
pub(super) fn speak(clause: &Clause<'_, '_, '_>, found: &mut Vec<Triple>) {
    const DEGREES: &[&str] =
        &["fluent", "good", "basic", "a", "little", "some", "bit", "of", "broken", "decent"];
    let reading = clause.reading;
    let mut at = clause.group.end;
    while reading.is(at, DEGREES) {
        at += 1;
    }
    let named = reading
        .list(at, clause.limit())
        .into_iter()
        .filter(|phrase| phrase.named().is_some_and(|named| named.kind == EntityKind::Unknown));
    found.extend(named.map(|phrase| claim(clause, "speaks", FactKind::Fact, phrase)));
}

pub(super) fn study(clause: &Clause<'_, '_, '_>, found: &mut Vec<Triple>) {
    let at = clause.group.end;
    if clause.reading.is(at, &["at", "in"]) {
        let named_only =
            clause.reading.phrase(at + 1, clause.limit()).is_some_and(|phrase| phrase.named().is_some());
        if named_only {
            behind(clause, &["at", "in"], "studies_at", FactKind::Fact, found);
        }
        return;
    }
    if !clause.reading.is(at, &["for", "hard"]) {
        objects(clause, "studies", FactKind::Fact, found);
        behind_objects(clause, "studies_at", found);
    }
}

/// "has a dog called Rex", "has two children".
pub(super) fn possession(clause: &Clause<'_, '_, '_>, found: &mut Vec<Triple>) {
    let (reading, at) = (clause.reading, clause.group.end);
    let counted =
        reading.is(at, &["a", "an", "two", "three", "four", "five", "six", "several", "many", "no"]);
    let happened = matches!(clause.group.mood, Mood::Past | Mood::Perfect);
    // "I no longer have the car": which one, was said before.
    let over = |at: usize| {
        let more = reading.is(at, &["any"]) && reading.is(at + 1, &["more", "longer"]);
        reading.is(at, &["anymore"]) || more || reading.is(at, &["longer"]) && reading.is(at - 1, &["no"])
    };
    if clause.group.negated
        && reading.is(at, &["the", "my", "our"])
        && (clause.first + 1..clause.limit()).any(over)
    {
        return lost(clause, at, found);
    }
    if has_seat(clause, found) {
        return;
    }
    if !counted || happened || clause.of_hearer() {
        return;
    }
    if took(clause, at, found) {
        return;
    }
    let Some(phrase) = reading.phrase(at, clause.limit()) else { return };
    if ABSTRACT.contains(reading.word(phrase.head)) || reading.word(phrase.head).ends_with("ing") {
        return;
    }
    if let Some(tie) = ties::tie(reading.word(phrase.head))
        && let Some((named, end)) = ties::apposed(reading, phrase.end, clause.limit())
    {
        let relation = ties::Relation { owner: clause.subject.named.clone(), tie, noun: phrase.head, end };
        found.extend(tie_triple(reading, named, &relation, (clause.first, end)));
        another(clause, end, found);
        return;
    }
    callings::counted(clause, (at, phrase.head), found);
    let first = at + usize::from(words::is_article(reading.word(at)));
    let phrase = reading.with_joined(phrase, first, clause.limit());
    found.push(claim(clause, "has", FactKind::Fact, phrase));
}

/// "a puppy named Rex" behind the verb: whether it is told.
pub(super) fn with_name(clause: &Clause<'_, '_, '_>, found: &mut Vec<Triple>) -> bool {
    let (reading, at) = (clause.reading, clause.group.end);
    if !reading.is(at, &["a", "an"]) || clause.of_hearer() {
        return false;
    }
    let noun = reading.phrase(at, clause.limit()).map(|phrase| phrase.head);
    if let Some(noun) = noun
        && let Some(tie) = ties::tie(reading.word(noun))
        && let Some((named, end)) = ties::apposed(reading, noun + 1, clause.limit())
    {
        let relation = ties::Relation { owner: clause.subject.named.clone(), tie, noun, end: noun + 1 };
        found.extend(tie_triple(reading, named, &relation, (clause.first, end)));
        return true;
    }
    false
}

/// "… and a dog named Rex", behind the first that is had.
fn another(clause: &Clause<'_, '_, '_>, end: usize, found: &mut Vec<Triple>) {
    let reading = clause.reading;
    if reading.is(end, &["and"])
        && reading.is(end + 1, &["a", "an"])
        && let Some(tie) = ties::tie(reading.word(end + 2))
        && let Some((named, last)) = ties::apposed(reading, end + 3, clause.limit())
    {
        let relation =
            ties::Relation { owner: clause.subject.named.clone(), tie, noun: end + 2, end: end + 3 };
        found.extend(tie_triple(reading, named, &relation, (clause.first, last)));
    }
}

/// What one has without owning it.
static ABSTRACT: WordSet = LazyLock::new(|| {
    set("area atmosphere ball blast bond break breakfast call chat choice clue coffee connection \
         conversation day days difference dinner doubt dream dreams effect evening experience eye feeling \
         fun game go goal goals good great habit hand heart history hope hunch idea ideas impact interest \
         interview journey laugh lease addition list long look lot love lunch meeting memories moment morning news night \
         number opportunity options party passion photo pic picnic picture place plan plans point \
         population problem question questions range reaction reason reminder response role routine sense \
         session setback spot story support system talk taste thing things time tips total touch tournament \
         trip try update vibe view vision way week weekend weeks word work year")
});

/// "got a new dog": has it now; "got married to Rui".
pub(super) fn got(clause: &Clause<'_, '_, '_>, found: &mut Vec<Triple>) {
    let (reading, at) = (clause.reading, clause.group.end);
    if reading.is(at, &["married"]) && reading.is(at + 1, &["to"]) {
        spouse(clause, at + 2, found);
        return;
    }
    if reading.is(at, &["promoted"]) {
        return promoted(clause, at + 1, found);
    }
    if reading.is(at, &["rid"]) && !clause.group.negated && reading.is(at + 1, &["of"]) {
        return lost(clause, at + 2, found);
    }
    if reading.is(at, &["fired", "laid"]) {
        return fired(clause, at + 1, found);
    }
    if reading.is(at, &["divorced"]) {
        return divorced(clause, at + 1, found);
    }
    if reading.is(at, &["back"]) && reading.is(at + 1, &["together"]) {
        return reunited(clause, at + 2, found);
    }
    if reading.is(at, &["married", "engaged"]) && clause.subject.beside.is_some() {
        let before = found.len();
        let predicate = if reading.is(at, &["married"]) { "married_to" } else { "partner_of" };
        couple(clause, predicate, at + 1, found);
        since_then(clause, &mut found[before..]);
        return;
    }
    if reading.is(at, &["hired"]) {
        hired(clause, at + 1, &["by", "at", "as"], found);
        return;
    }
    if took(clause, at, found) || with_name(clause, found) {
        return;
    }
    let fits = |phrase: &Phrase| !ABSTRACT.contains(reading.word(phrase.head)) && phrase.named().is_none();
    if reading.is(at, &["a", "an"])
        && reading.is(at + 1, &["new", "puppy", "dog", "kitten", "cat", "car", "bike", "job"])
    {
        objects_where(clause, "has", FactKind::Fact, fits, found);
    }
}
