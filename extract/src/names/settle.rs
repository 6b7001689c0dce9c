//! Weighs what is said of each name over a session: its kind, and whom a short form of it means.

use lorebase_engine::model::entity::EntityKind::{self, Organisation, Person, Place, Work};
use rustc_hash::FxHashMap;

use crate::names::evidence::{self, Votes};
use crate::names::session::Session;
use crate::names::writing::Writing;
use crate::names::{Name, Page, beside, foreign, gazetteer};

/// Below this, a kind is not told.
const ENOUGH: f32 = 0.9;

/// Gives every name its kind, and short forms the whole name that they stand for.
pub(super) fn settle(pages: &[Page<'_, '_>], found: &mut [Vec<Name>], session: &Session<'_>) {
    let mut known: FxHashMap<String, Votes> = FxHashMap::default();
    for (page, names) in pages.iter().zip(found.iter()) {
        for name in names {
            let key = folded(&name.called);
            let said = said_of(page, name, session);
            let first_time = !known.contains_key(&key);
            let votes = known.entry(key).or_default();
            votes.add_all(&said, 1.0);
            if first_time {
                votes.add_all(&evidence::of_words(page, name), 1.0);
            }
        }
    }
    join(pages, found, &mut known);
    let spoken = parts(found, &known);
    for (page, names) in pages.iter().zip(found) {
        // Documents are put together from anywhere: each knows its own people only.
        let own = page.document.then(|| parts(std::slice::from_ref(names), &known));
        let persons = own.as_ref().unwrap_or(&spoken);
        let firms = firms(names, &known);
        for name in names {
            let key = folded(&name.called);
            let votes = known.get(&key).copied().unwrap_or_default();
            let (kind, weight) = votes.best();
            name.kind = if weight < ENOUGH { EntityKind::Unknown } else { kind };
            let short = matches!(name.kind, Person | EntityKind::Unknown);
            if let Some(Some(whole)) = persons.get(&key).filter(|_| short) {
                whole.clone_into(&mut name.called);
                name.kind = Person;
            } else if let Some(Some(whole)) = firms.get(&key)
                && votes.of(Place) < 1.0
                && !gazetteer::is_place(&key)
                && votes.of(Person) <= 2.0
            {
                whole.clone_into(&mut name.called);
                name.kind = Organisation;
            }
        }
    }
}

fn folded(name: &str) -> String {
    name.to_lowercase()
}

/// What one mention says, its words aside.
fn said_of(page: &Page<'_, '_>, name: &Name, session: &Session<'_>) -> Votes {
    let mut votes = match page.writing {
        Writing::English => beside::of_context(page, name),
        _ => foreign::of_context(page, name),
    };
    let lone = name.end - name.first == 1 && page.tokens[name.first].shouts(page.text);
    if lone && name.kind == EntityKind::Unknown {
        // Letters such as "AP" are nobody's name.
        votes.add(Person, -votes.of(Person));
    }
    match name.kind {
        Work => votes.add(Work, 4.0),
        kind => votes.add(kind, 3.0),
    }
    if session.speaker_called(&folded(&name.called)).is_some() {
        votes.add(Person, 20.0);
    }
    votes
}

/// Names that "and" or a comma joins are of one kind, where one of them does not tell.
fn join(pages: &[Page<'_, '_>], found: &[Vec<Name>], known: &mut FxHashMap<String, Votes>) {
    let mut passed: Vec<(String, EntityKind)> = Vec::new();
    for (page, names) in pages.iter().zip(found) {
        for pair in names.windows(2) {
            let between: Vec<&str> = (pair[0].end..pair[1].first).map(|at| page.word(at)).collect();
            if !matches!(
                between.as_slice(),
                ["and" | "or" | "&" | "/" | "," | "und" | "et" | "y" | "e" | "и"] | [",", "and" | "or"]
            ) {
                continue;
            }
            let (one, two) = (folded(&pair[0].called), folded(&pair[1].called));
            let of = |key: &str| known.get(key).map_or((EntityKind::Unknown, 0.0), Votes::best);
            let (first, second) = (of(&one), of(&two));
            // "Porto, Portugal" and "Ana, Porto": a comma joins less.
            let enough = if between == [","] { 3.0 } else { 1.0 };
            if first.1 > second.1 + 0.5 && first.1 > enough && second.1 < 2.0 {
                passed.push((two, first.0));
            } else if second.1 > first.1 + 0.5 && second.1 > enough && first.1 < 2.0 {
                passed.push((one, second.0));
            }
        }
    }
    for (key, kind) in passed {
        known.entry(key).or_default().add(kind, 1.5);
    }
}

/// The whole names of persons by their first and last words; nothing where several have the same.
fn parts(found: &[Vec<Name>], known: &FxHashMap<String, Votes>) -> FxHashMap<String, Option<String>> {
    let mut parts: FxHashMap<String, Option<String>> = FxHashMap::default();
    for name in found.iter().flatten().filter(|name| (2..4).contains(&name.called.split(' ').count())) {
        let key = folded(&name.called);
        let person = |votes: &Votes| votes.best().0 == Person && votes.of(Person) > 1.4;
        if !known.get(&key).is_some_and(person) {
            continue;
        }
        for part in [key.split(' ').next(), key.split(' ').next_back()].into_iter().flatten() {
            let whole = parts.entry(part.to_owned()).or_insert_with(|| Some(name.called.clone()));
            if whole.as_ref().is_some_and(|whole| folded(whole) != key) {
                *whole = None;
            }
        }
    }
    parts
}

/// The organisations of a text by their first words.
fn firms(names: &[Name], known: &FxHashMap<String, Votes>) -> FxHashMap<String, Option<String>> {
    let mut firms: FxHashMap<String, Option<String>> = FxHashMap::default();
    for name in names {
        let key = folded(&name.called);
        let Some((first, _)) = key.split_once(' ') else { continue };
        if first != "the" && known.get(&key).is_some_and(|votes| votes.best().0 == Organisation) {
            let whole = firms.entry(first.to_owned()).or_insert_with(|| Some(name.called.clone()));
            if whole.as_ref().is_some_and(|whole| *whole != name.called) {
                *whole = None;
            }
        }
    }
    firms
}
