//! Damage on disk: what sled loses without a word is noticed and made good, and what is missing of the journal is
//! reported, with nothing changed until it is repaired.

use std::fs::{self, File};
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use lorebase::engine::model::id::Namespace;
use lorebase::engine::{Notice, error::Error as EngineError, repair};
use lorebase::error::Error;
use lorebase::memory::{Memory, Remember};

use crate::util::{Dice, Lab, assert_sound, copy_all, session, turn};

const SESSIONS: usize = 300;
const TURNS: usize = 10;

/// A store that is large enough for sled to have many pages.
fn large(lab: &Lab) {
    large_in(&lab.store());
}

fn large_in(store: &Path) {
    let memory = Memory::create(store).unwrap().0;
    for number in 0..SESSIONS {
        let words = |place| format!("I live in Town{number} and I like cake number {place}.");
        let turns = (0..TURNS).map(|place| turn("Ilka", "2024-01-01T10:00:00Z", &words(place))).collect();
        memory.ingest(&Namespace::default(), session(&format!("s{number}"), turns), |_| ()).unwrap();
    }
}

fn episodes(memory: &Memory) -> usize {
    memory.stats(None).unwrap().counts.episodes
}

fn overwrite(path: &Path, at: u64, change: impl Fn(u8) -> u8, bytes: usize) {
    let mut file = File::options().read(true).write(true).open(path).unwrap();
    let mut old = vec![0; bytes];
    file.seek(SeekFrom::Start(at)).unwrap();
    let read = file.read(&mut old).unwrap();
    old.truncate(read);
    file.seek(SeekFrom::Start(at)).unwrap();
    file.write_all(&old.into_iter().map(change).collect::<Vec<_>>()).unwrap();
}

#[test]
fn what_sled_has_lost_is_noticed_and_made_good() {
    let lab = Lab::new();
    large(&lab);
    let length = fs::metadata(lab.store().join("sled/db")).unwrap().len() as usize;
    let mut dice = Dice::new(3);
    for round in 0..12 {
        let copy = lab.path(&format!("copy {round}"));
        copy_all(&lab.store(), &copy);
        let at = dice.below(length) as u64;
        if round % 2 == 0 {
            overwrite(&copy.join("sled/db"), at, |byte| byte ^ 0x10, 1);
        } else {
            overwrite(&copy.join("sled/db"), at, |_| 0, 600);
        }
        let (memory, _) = Memory::open(&copy).unwrap();
        assert_eq!(episodes(&memory), SESSIONS * TURNS, "byte {at}");
        assert_sound(&memory);
        fs::remove_dir_all(&copy).unwrap();
    }
}

#[test]
fn an_episode_that_sled_has_lost_is_not_taken_for_new() {
    let lab = Lab::new();
    large(&lab);
    overwrite(&lab.store().join("sled/db"), 200_000, |_| 0, 600);
    large(&lab);
    let memory = lab.memory();
    assert_eq!(episodes(&memory), SESSIONS * TURNS);
    assert_sound(&memory);
}

/// A store with three notes, of which the last is the last frame of the journal.
fn three_notes(lab: &Lab) {
    let memory = lab.memory();
    for text in ["The kettle is on the left.", "The cups are above it.", "The tea is in the tin."] {
        memory.remember(&Namespace::default(), &Remember::new(text)).unwrap();
    }
}

#[test]
fn acknowledged_commits_that_are_gone_are_reported_and_nothing_is_changed() {
    let lab = Lab::new();
    three_notes(&lab);
    let journal = lab.store().join("journal/00000000.journal");
    let whole = fs::read(&journal).unwrap();
    let flipped =
        [&whole[..whole.len() - 3], &[whole[whole.len() - 3] ^ 1], &whole[whole.len() - 2..]].concat();
    for damaged in [&whole[..whole.len() - 9], &whole[..30], &flipped] {
        fs::write(&journal, damaged).unwrap();
        let error = Memory::open(&lab.store()).err().expect("the loss must be told");
        assert!(matches!(error, Error::Engine(EngineError::Damaged { .. })), "{error}");
        assert_eq!(fs::read(&journal).unwrap(), damaged, "nothing is cut");
        assert!(!lab.store().join("quarantine-1").exists());
    }
    fs::write(&journal, &whole).unwrap();
    assert_eq!(episodes(&lab.memory()), 3);
}

#[test]
fn a_torn_end_is_kept_beside_the_journal() {
    let lab = Lab::new();
    three_notes(&lab);
    let journal = lab.store().join("journal/00000000.journal");
    let whole = fs::read(&journal).unwrap();
    // As after a crash between journal and working store: nobody knows of the last commit.
    fs::remove_dir_all(lab.store().join("sled")).unwrap();
    fs::write(&journal, &whole[..whole.len() - 9]).unwrap();
    let (memory, notices) = Memory::open(&lab.store()).unwrap();
    assert_eq!(episodes(&memory), 2);
    let kept = notices.iter().find_map(|notice| match notice {
        Notice::TornTail(torn) => Some(torn.kept.clone()),
        _ => None,
    });
    let kept = fs::read(kept.expect("the cut is told")).unwrap();
    assert!(whole[..whole.len() - 9].ends_with(&kept) && !kept.is_empty());
}

#[test]
fn a_store_that_was_not_made_to_the_end_can_be_made_again() {
    let lab = Lab::new();
    fs::create_dir(lab.store()).unwrap();
    fs::write(lab.store().join("lock"), "").unwrap();
    fs::write(lab.store().join("FORMAT.new"), "lorebase st").unwrap();
    three_notes(&lab);
    assert_eq!(episodes(&lab.memory()), 3);
}

#[test]
fn a_torn_write_behind_a_text_that_looks_like_a_commit_is_still_torn() {
    let lab = Lab::new();
    let frame = "LRF1+\0\0\0\0\0\0\0\u{1}\u{1}\0\0\0\0\0\0\0\0\0\0\0\0\0\0LxX\u{12}";
    lab.memory().remember(&Namespace::default(), &Remember::new(frame)).unwrap();
    fs::remove_dir_all(lab.store().join("sled")).unwrap();
    let journal = lab.store().join("journal/00000000.journal");
    let whole = fs::read(&journal).unwrap();
    fs::write(&journal, &whole[..whole.len() - 1]).unwrap();
    assert_eq!(episodes(&lab.memory()), 0);
}

/// Every file of a store but its lock.
fn files(directory: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().path());
    let mut found: Vec<PathBuf> =
        entries.flat_map(|path| if path.is_dir() { files(&path) } else { vec![path] }).collect();
    found.retain(|path| !path.ends_with("lock"));
    found.sort();
    found
}

/// Flips a bit of a file, cuts it, writes zeros into it, or removes it.
fn harm(path: &Path, dice: &mut Dice) -> String {
    let length = fs::metadata(path).unwrap().len();
    let at = dice.below(length.max(1) as usize) as u64;
    let what = match dice.below(4) {
        0 if length > 0 => {
            overwrite(path, at, |byte| byte ^ 0x10, 1);
            "flipped"
        }
        1 => {
            File::options().write(true).open(path).unwrap().set_len(at).unwrap();
            "cut"
        }
        2 => {
            overwrite(path, at, |_| 0, 5000);
            "zeroed"
        }
        _ => {
            fs::remove_file(path).unwrap();
            "removed"
        }
    };
    format!("{} {what} at {at}", path.display())
}

#[test]
fn harm_to_any_file_is_made_good_or_told_and_what_is_left_is_repaired() {
    let lab = Lab::new();
    large(&lab);
    let mut dice = Dice::new(9);
    for round in 0..16 {
        let copy = lab.path(&format!("harmed {round}"));
        copy_all(&lab.store(), &copy);
        let all = files(&copy);
        // sled has most of the files, and the journal most of what can be lost.
        let place = if round % 2 == 0 {
            copy.join("journal/00000000.journal")
        } else {
            all[dice.below(all.len())].clone()
        };
        let what = harm(&place, &mut dice);
        let before = Memory::open(&copy).and_then(|(memory, _)| {
            let problems = memory.check()?;
            Ok((episodes(&memory), problems))
        });
        if let Ok((episodes, problems)) = before
            && problems.is_empty()
        {
            assert_eq!(episodes, SESSIONS * TURNS, "{what}");
        }
        let repaired = repair(&copy).unwrap_or_else(|error| panic!("{what}: {error}"));
        assert_eq!(repaired.commits + repaired.lost, SESSIONS as u64, "{what}: {repaired:?}");
        let (memory, _) = Memory::open(&copy).unwrap_or_else(|error| panic!("{what}: {error}"));
        assert_eq!(episodes(&memory), repaired.commits as usize * TURNS, "{what}: {repaired:?}");
        assert_sound(&memory);
        drop(memory);
        large_in(&copy);
        assert_eq!(episodes(&Memory::open(&copy).unwrap().0), SESSIONS * TURNS, "{what}: told again");
        fs::remove_dir_all(&copy).unwrap();
    }
}
