//! The lines of an export: what is read of them is written, read again and written again without a change, and makes a
//! namespace that holds together, in whatever order it is told.
#![no_main]

// The binary's own, which no library has.
#[path = "../../../src/wire/files.rs"]
mod files;
#[path = "../../../src/wire/lines.rs"]
mod lines;
#[path = "../../../src/wire/reading.rs"]
mod reading;
#[path = "../../../src/wire/text.rs"]
mod text;

use std::path::Path;

use libfuzzer_sys::fuzz_target;
use lorebase::engine::embed::{Embedder, HashEmbedder};
use lorebase::engine::fuzzing;
use lorebase::engine::model::episode::Episode;
use lorebase::engine::model::extraction::Reading;
use lorebase::engine::model::id::Namespace;
use lorebase::engine::state::State;
use lorebase::query::question::Question;
use lorebase::query::recall::recall;
use lorebase::transfer::Thing;
use lorebase_fuzz::memory::{MEMORY, reader};
use lorebase_fuzz::setup;

type Told = (Namespace, Thing);

fuzz_target!(init: setup::one_thread(), |bytes: &[u8]| {
    let mut things: Vec<Told> = Vec::new();
    for thing in files::Things::new(bytes, Path::new("export.jsonl")) {
        match thing {
            Ok(thing) => things.push(thing),
            Err(error) => assert!(error.to_string().starts_with("export.jsonl"), "{error}"),
        }
    }
    let written = write(&things);
    let read: Vec<Told> = files::Things::new(&written[..], Path::new("again.jsonl"))
        .map(|thing| thing.expect("what was written is read"))
        .collect();
    assert_eq!(write(&read), written, "what was read is written as it was");
    if let Some((namespace, _)) = things.first() {
        hold_together(namespace, &things);
    }
});

fn write(things: &[Told]) -> Vec<u8> {
    let mut writer = files::Writer::new(Vec::new()).expect("there is room in memory");
    for (namespace, thing) in things {
        writer.thing(namespace, thing).expect("it came out of a line");
    }
    writer.end().expect("there is room in memory").0
}

/// Tells a namespace its episodes and readings, forwards and backwards.
fn hold_together(namespace: &Namespace, things: &[Told]) {
    let mut told: Vec<(&Episode, Option<&Reading>)> = Vec::new();
    for (other, thing) in things {
        if let Thing::Episode { episode, reading } = thing
            && other == namespace
            && told.iter().all(|(known, _)| known.id != episode.id)
        {
            told.push((episode, reading.as_ref()));
        }
    }
    let mut state = fuzzing::state_of(namespace, told.iter().copied());
    let backwards = fuzzing::state_of(namespace, told.iter().rev().copied());
    sound(&fuzzing::compare(&state, &backwards));
    kept(&state);
    for (other, thing) in things {
        if let Thing::Tombstone(id) = thing
            && other == namespace
        {
            fuzzing::forget(&mut state, *id);
        }
    }
    kept(&state);
    if let Some((first, _)) = told.first() {
        fuzzing::forget(&mut state, first.id);
        let left = told.iter().copied().filter(|(episode, _)| state.find_episode(&episode.id).is_some());
        let mut fewer = fuzzing::state_of(namespace, left);
        state.tombstones().into_iter().for_each(|id| fuzzing::forget(&mut fewer, id));
        sound(&fuzzing::compare(&state, &fewer));
        ask(state, &first.text);
    }
}

fn sound(problems: &[String]) {
    assert!(problems.is_empty(), "{problems:?}");
}

/// What is kept of a namespace in bytes comes back as it was.
fn kept(state: &State) {
    let sections = fuzzing::encode(state);
    let back = fuzzing::decode(state.namespace(), HashEmbedder::default().identity(), &sections);
    sound(&fuzzing::compare(&back.expect("it was just made"), state));
}

fn ask(state: State, text: &str) {
    let found = recall(&fuzzing::reader(state, &reader(&MEMORY)), &Question::new(text), None);
    assert!(found.hits.iter().all(|hit| hit.score.is_finite()));
}
