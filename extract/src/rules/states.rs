//! Patterns of states: work, origin, study, possession, marriage, acquaintance.

use std::sync::LazyLock;

use lorebase_engine::model::entity::EntityKind;
use lorebase_engine::model::fact::{FactKind, Triple, TripleObject};

use crate::rules::claims::{behind, claim, objects, objects_where, place, since_then};
use crate::rules::clause::{Clause, tie_triple};
use crate::rules::group::Mood;
use crate::rules::reading::{Phrase, Reading};
use crate::rules::ties;
use crate::rules::words::{self, WordSet, set};

/// "works at Acme as a nurse".
pub(super) fn work(clause: &Clause<'_, '_, '_>, found: &mut Vec<Triple>) {
    let (reading, limit) = (clause.reading, clause.limit());
    let past = matches!(clause.group.mood, Mood::Past);
    let mut at = clause.group.end;
    for _ in 0..2 {
        let link = reading.word(at);
        let Some(phrase) =
            matches!(link, "at" | "for" | "as").then(|| reading.phrase(at + 1, limit)).flatten()
        else {
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

/// The token behind the link before a phrase.
fn phrase_start(reading: &Reading<'_, '_>, link: &str, phrase: &Phrase) -> usize {
    (0..phrase.end).rev().find(|at| reading.word(*at) == link).map_or(phrase.end, |at| at + 1)
}

pub(super) fn moved(clause: &Clause<'_, '_, '_>, found: &mut Vec<Triple>) {
    let before = found.len();
    place(clause, &["to"], "lives_in", found);
    since_then(clause, &mut found[before..]);
}

pub(super) fn grew_up(clause: &Clause<'_, '_, '_>, found: &mut Vec<Triple>) {
    let at = clause.group.end + 1;
    if clause.reading.is(at, &["in", "near", "on"])
        && let Some(phrase) = clause.reading.phrase(at + 1, clause.limit())
    {
        found.push(claim(clause, "from", FactKind::Fact, phrase));
    }
}

/// "was born in Porto", "was born on 3 May 1990".
pub(super) fn born(clause: &Clause<'_, '_, '_>, found: &mut Vec<Triple>) {
    let (reading, at) = (clause.reading, clause.group.end);
    if reading.is(at, &["in", "at", "near"])
        && let Some(phrase) = reading.phrase(at + 1, clause.limit())
        && phrase.named().is_some()
    {
        found.push(claim(clause, "from", FactKind::Fact, phrase));
        return;
    }
    let end = (at + 1..clause.limit()).take_while(|at| reading.in_time(*at)).last();
    if let Some(end) = end.filter(|_| reading.is(at, &["in", "on"])) {
        let phrase = Phrase {
            end: end + 1,
            head: end,
            object: TripleObject::Value(reading.slice(at + 1, end + 1).to_owned()),
        };
        found.push(claim(clause, "born_on", FactKind::Fact, phrase));
    }
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

pub(super) fn spouse(clause: &Clause<'_, '_, '_>, at: usize, found: &mut Vec<Triple>) {
    if let Some(phrase) = clause.reading.phrase(at, clause.limit()).filter(|phrase| phrase.named().is_some())
    {
        found.push(claim(clause, "married_to", FactKind::Fact, phrase));
    }
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
    }
}

/// "has a dog called Rex", "has two children".
pub(super) fn possession(clause: &Clause<'_, '_, '_>, found: &mut Vec<Triple>) {
    let (reading, at) = (clause.reading, clause.group.end);
    let counted =
        reading.is(at, &["a", "an", "two", "three", "four", "five", "six", "several", "many", "no"]);
    let happened = matches!(clause.group.mood, Mood::Past | Mood::Perfect);
    if !counted || happened || clause.of_hearer() {
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
        return;
    }
    let first = at + usize::from(words::is_article(reading.word(at)));
    let phrase = reading.with_joined(phrase, first, clause.limit());
    found.push(claim(clause, "has", FactKind::Fact, phrase));
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
    let fits = |phrase: &Phrase| !ABSTRACT.contains(reading.word(phrase.head)) && phrase.named().is_none();
    if reading.is(at, &["a", "an"])
        && reading.is(at + 1, &["new", "puppy", "dog", "kitten", "cat", "car", "bike", "job"])
    {
        objects_where(clause, "has", FactKind::Fact, fits, found);
    }
}
