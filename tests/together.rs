//! Many threads on one memory at once: they remember, ingest and ask, and nothing is lost or seen by halves.

use std::collections::HashSet;
use std::sync::atomic::{AtomicBool, Ordering};

use lorebase::engine::graph::EpisodeIx;
use lorebase::engine::model::id::Namespace;
use lorebase::memory::{Memory, Remember};
use lorebase::query::question::Question;

use crate::util::{Lab, assert_sound, session, turn};

const WRITERS: usize = 4;
const EACH: usize = 12;
const TOWNS: [&str; 4] = ["Gdynia", "Trieste", "Odense", "Vigo"];

fn write(memory: &Memory, namespace: &Namespace, writer: usize) {
    for number in 0..EACH {
        let at = format!("2024-01-{:02}T10:{writer:02}:00Z", 1 + number);
        let text = format!("I live in {} now, says {writer} for the {number}th time.", TOWNS[number % 4]);
        if writer.is_multiple_of(2) {
            let at = Some(at.parse().unwrap());
            let what = Remember {
                speaker: Some("Ilka"),
                at,
                session: Some("shared"),
                text: &text,
                expires_at: None,
            };
            assert!(memory.remember(namespace, &what).unwrap().new);
        } else {
            // Two turns that must be seen together.
            let turns = vec![turn("Bram", &at, &text), turn("Bram", &at, &format!("{text} Yes."))];
            memory.ingest(namespace, session(&format!("{writer} {number}"), turns), |_| ()).unwrap();
        }
    }
}

/// Asks until `done`, and looks whether every ingested session is there with both of its turns.
fn ask(memory: &Memory, namespace: &Namespace, done: &AtomicBool) {
    while !done.load(Ordering::Acquire) {
        memory.recall(namespace, &Question::new("Where does Ilka live?")).unwrap();
        memory.facts(namespace, Some("Bram"), Some("lives_in")).unwrap();
        let reader = memory.engine().reader(namespace).unwrap();
        for session in reader.state().sessions() {
            assert!(session.id.as_str() == "shared" || session.episodes.len() == 2, "{}", session.id);
        }
    }
}

#[test]
fn what_many_threads_tell_is_all_there() {
    let lab = Lab::new();
    let (memory, namespace, done) = (lab.memory(), Namespace::default(), AtomicBool::new(false));
    std::thread::scope(|scope| {
        let (memory, namespace, done) = (&memory, &namespace, &done);
        scope.spawn(move || ask(memory, namespace, done));
        let writers: Vec<_> =
            (0..WRITERS).map(|writer| scope.spawn(move || write(memory, namespace, writer))).collect();
        let outcomes: Vec<_> = writers.into_iter().map(std::thread::ScopedJoinHandle::join).collect();
        done.store(true, Ordering::Release);
        assert!(outcomes.iter().all(Result::is_ok), "a writer failed");
    });
    assert_sound(&memory);
    let stats = memory.stats(Some(&namespace)).unwrap();
    assert_eq!((stats.counts.episodes, stats.unread), (WRITERS / 2 * EACH * 3, 0));
    drop(memory);
    let memory = lab.memory();
    assert_sound(&memory);
    let again = memory.stats(Some(&namespace)).unwrap();
    assert_eq!((again.counts, again.unread, again.commits), (stats.counts, stats.unread, stats.commits));
}

#[test]
fn notes_of_many_threads_keep_places_of_their_own() {
    let lab = Lab::new();
    let (memory, namespace) = (lab.memory(), Namespace::default());
    std::thread::scope(|scope| {
        for writer in [0, 2, 4, 6] {
            let (memory, namespace) = (&memory, &namespace);
            scope.spawn(move || write(memory, namespace, writer));
        }
    });
    let reader = memory.engine().reader(&namespace).unwrap();
    let places: HashSet<u32> = (0..reader.state().episodes().len() as u32)
        .map(|number| reader.state().episode(EpisodeIx(number)).position)
        .collect();
    assert_eq!(places.len(), 4 * EACH, "two notes of one session stand at the same place");
}
