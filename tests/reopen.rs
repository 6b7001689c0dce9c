//! A store that is opened again is the store that was there before: after closing it, after its working store was
//! deleted, and after that was damaged in any way.

use std::fs::{self, File};
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use lorebase::datasets::sample;
use lorebase::engine::Notice;
use lorebase::engine::model::id::Namespace;
use lorebase::memory::{Memory, Remember};
use lorebase::query::question::Question;

use crate::util::{Dice, Lab, assert_sound, copy_all, lore, namespace};

/// A store with the sample dialogues, some notes, and a second namespace.
fn fill(memory: &Memory) {
    let family = namespace("family");
    memory.ingest(&family, sample::transcript(), |_| ()).unwrap();
    let other = namespace("family/guest");
    for (day, text) in [(1, "I live in Vigo."), (2, "I live in Odense now."), (3, "My boss is Henrike.")] {
        let at = Some(format!("2024-05-0{day}T10:00:00Z").parse().unwrap());
        memory.remember(&other, &Remember { speaker: Some("Bram"), at, ..Remember::new(text) }).unwrap();
    }
}

/// Everything that the memory answers, put down as text.
fn answers(memory: &Memory) -> Vec<String> {
    let mut answers = vec![held(memory, None)];
    for namespace in memory.engine().namespaces().unwrap() {
        answers.push(format!("{namespace}: {}", held(memory, Some(&namespace))));
        answers.extend(knowledge(memory, &namespace));
        let questions = sample::questions().into_iter().map(|sample| sample.question.text);
        for text in questions.chain(["Where does Bram live?".to_owned()]) {
            answers.push(recalled(memory, &namespace, &text));
        }
    }
    answers
}

/// How much there is, whatever room it takes.
fn held(memory: &Memory, namespace: Option<&Namespace>) -> String {
    let stats = memory.stats(namespace).unwrap();
    format!("{} {:?} {} {}", stats.namespaces, stats.counts, stats.unread, stats.commits)
}

fn knowledge(memory: &Memory, namespace: &Namespace) -> Vec<String> {
    let facts = memory.facts(namespace, None, None).unwrap();
    let mut names: Vec<&str> = facts.iter().map(|fact| fact.subject.as_str()).collect();
    names.sort_unstable();
    names.dedup();
    let entities = names.iter().map(|name| format!("{:?}", memory.entity(namespace, name).unwrap()));
    entities.chain(facts.iter().map(|fact| format!("{fact:?}"))).collect()
}

fn recalled(memory: &Memory, namespace: &Namespace, text: &str) -> String {
    let found = memory.recall(namespace, &Question::new(text)).unwrap();
    let hit = |hit: &lorebase::view::FoundEpisode| {
        format!("{} {:.3} {:?} {:?}", hit.episode.id, hit.score, hit.path, hit.facts)
    };
    let context = memory.context(namespace, &Question::new(text), 500).unwrap().context.text;
    format!("{text} {:?} {context}", found.hits.iter().map(hit).collect::<Vec<_>>())
}

/// A filled store, closed again, and what it answered while it was filled.
fn filled() -> (Lab, Vec<String>) {
    let lab = Lab::new();
    let memory = lab.memory();
    fill(&memory);
    assert_sound(&memory);
    let answers = answers(&memory);
    drop(memory);
    (lab, answers)
}

/// Opens the store and compares. Returns what opening had to deal with.
#[track_caller]
fn opens_equal(store: &Path, before: &[String], what: &str) -> Vec<Notice> {
    let (memory, notices) = Memory::open(store).unwrap_or_else(|error| panic!("{what}: {error}"));
    // Asked first: damage that opening cannot see is mended when the namespace is used.
    for (now, before) in answers(&memory).iter().zip(before) {
        assert_eq!(now, before, "{what}");
    }
    assert_sound(&memory);
    notices
}

#[test]
fn a_store_opened_again_answers_as_before() {
    let (lab, before) = filled();
    assert_eq!(opens_equal(&lab.store(), &before, "reopened"), []);
    assert_eq!(opens_equal(&lab.store(), &before, "reopened twice"), []);
}

#[test]
fn a_store_closed_while_other_threads_start_processes_can_be_opened_at_once() {
    let lab = Lab::new();
    let done = AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            while !done.load(Ordering::Acquire) {
                lore(["--version"]);
            }
        });
        let trouble: Vec<String> = (0..60)
            .filter_map(|_| match Memory::create(&lab.store()) {
                Ok((_, notices)) if notices.is_empty() => None,
                Ok((_, notices)) => Some(format!("{notices:?}")),
                Err(error) => Some(error.to_string()),
            })
            .collect();
        done.store(true, Ordering::Release);
        assert_eq!(trouble, Vec::<String>::new());
    });
}

#[test]
fn a_working_store_that_was_deleted_is_made_anew() {
    let (lab, before) = filled();
    fs::remove_dir_all(lab.store().join("sled")).unwrap();
    let notices = opens_equal(&lab.store(), &before, "deleted");
    assert!(matches!(&notices[..], [Notice::Rebuilt { quarantine: None, .. }]), "{notices:?}");
    assert_eq!(opens_equal(&lab.store(), &before, "made anew"), []);
}

/// What is done to the directory of a working store, and its name.
type Damage = (&'static str, fn(&Path));

const DAMAGES: [Damage; 8] = [
    ("the file cut in half", |sled| {
        let length = fs::metadata(sled.join("db")).unwrap().len();
        open(&sled.join("db")).set_len(length / 2).unwrap();
    }),
    ("the file emptied", |sled| open(&sled.join("db")).set_len(0).unwrap()),
    ("the file gone", |sled| fs::remove_file(sled.join("db")).unwrap()),
    ("the settings gone", |sled| fs::remove_file(sled.join("conf")).unwrap()),
    ("the settings nonsense", |sled| fs::write(sled.join("conf"), "segment_size: -1\n").unwrap()),
    ("the last bytes zeroed", |sled| {
        let mut file = open(&sled.join("db"));
        file.seek(SeekFrom::End(-64)).unwrap();
        file.write_all(&[0; 64]).unwrap();
    }),
    ("a snapshot left half made", |sled| {
        fs::write(sled.join("snap.00000000000000FF.generating"), [7; 300]).unwrap();
    }),
    ("a file in the directory's place", |sled| {
        fs::remove_dir_all(sled).unwrap();
        fs::write(sled, "not a directory").unwrap();
    }),
];

#[test]
fn a_damaged_working_store_is_made_anew() {
    let (lab, before) = filled();
    for (what, damage) in DAMAGES {
        let copy = copy_of(&lab, what);
        damage(&copy.join("sled"));
        opens_equal(&copy, &before, what);
    }
}

#[test]
fn bytes_flipped_anywhere_in_the_working_store_do_no_harm() {
    let (lab, before) = filled();
    let mut dice = Dice::new(7);
    for round in 0..12 {
        let copy = copy_of(&lab, &format!("flipped {round}"));
        let db = copy.join("sled/db");
        let places: Vec<usize> =
            (0..=round).map(|_| dice.below(fs::metadata(&db).unwrap().len() as usize)).collect();
        for place in &places {
            flip(&db, *place as u64);
        }
        opens_equal(&copy, &before, &format!("bytes {places:?} flipped"));
    }
}

#[test]
fn a_torn_end_of_the_journal_is_cut_off() {
    let (lab, before) = filled();
    let journal = lab.store().join("journal/00000000.journal");
    let whole = fs::metadata(&journal).unwrap().len();
    // The beginning of a frame that nobody was told of.
    let start = fs::read(&journal).unwrap();
    for length in [1, 20, 40] {
        let mut file = open(&journal);
        file.seek(SeekFrom::End(0)).unwrap();
        file.write_all(&start[24..24 + length]).unwrap();
        drop(file);
        let notices = opens_equal(&lab.store(), &before, "a torn end");
        assert!(matches!(&notices[..], [Notice::TornTail(_)]), "{notices:?}");
        assert_eq!(fs::metadata(&journal).unwrap().len(), whole);
    }
}

#[test]
fn a_flipped_byte_of_the_journal_is_reported_and_never_passed_over() {
    let (lab, before) = filled();
    let length = fs::metadata(lab.store().join("journal/00000000.journal")).unwrap().len();
    let mut dice = Dice::new(11);
    for round in 0..12 {
        let copy = copy_of(&lab, &format!("journal {round}"));
        let place = dice.below(length as usize) as u64;
        flip(&copy.join("journal/00000000.journal"), place);
        let sound = Memory::open(&copy).and_then(|(memory, _)| memory.check());
        assert!(!sound.is_ok_and(|problems| problems.is_empty()), "the byte {place} was passed over");
    }
    opens_equal(&lab.store(), &before, "the original");
}

fn copy_of(lab: &Lab, name: &str) -> PathBuf {
    let copy = lab.path(name);
    copy_all(&lab.store(), &copy);
    copy
}

fn open(path: &Path) -> File {
    File::options().read(true).write(true).open(path).unwrap()
}

fn flip(path: &Path, place: u64) {
    let mut file = open(path);
    let mut byte = [0];
    file.seek(SeekFrom::Start(place)).unwrap();
    file.read_exact(&mut byte).unwrap();
    file.seek(SeekFrom::Start(place)).unwrap();
    file.write_all(&[byte[0] ^ 0x40]).unwrap();
}
