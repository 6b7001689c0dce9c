//! What is forgotten leaves the disk, whatever comes between.

use std::fs;
use std::sync::atomic::Ordering;

use super::tests::{forget, lives_in, on_disk, open};
use super::*;
use crate::embed::HashEmbedder;
use crate::model::id::EpisodeId;
use crate::store::backup;
use crate::trials::Strained;

/// The file that stands while something that was forgotten may stand on disk.
const DUE: &str = "forgetting";

/// A store of several segments, closed before what was forgotten in it was taken off the disk: the town of an episode in
/// the first segment.
fn broken_off(directory: &Path) -> &'static str {
    let namespace = Namespace::default();
    let (engine, _) = open(directory);
    let told = lives_in(&namespace, 0, 8, "Odense");
    engine.commit(&namespace, told.clone()).unwrap();
    for position in 1..30 {
        let town = format!("Town {position} {}", "x".repeat(300));
        engine.commit(&namespace, lives_in(&namespace, position, 8, &town)).unwrap();
    }
    engine.commit(&namespace, forget([told.episodes[0].id])).unwrap();
    "Odense"
}

fn texts(engine: &Engine) -> Result<usize, Error> {
    let reader = engine.reader(&Namespace::default())?;
    let living: Vec<EpisodeIx> = reader.state().living().collect();
    living.iter().try_for_each(|ix| reader.text(*ix).map(drop))?;
    Ok(living.len())
}

#[test]
fn forgetting_that_was_broken_off_is_finished_at_the_next_opening() {
    let directory = tempfile::tempdir().unwrap();
    let town = broken_off(directory.path());
    assert!(on_disk(directory.path(), town.as_bytes()) && directory.path().join(DUE).exists());
    fs::write(directory.path().join("journal/torn-1"), format!("half of {town}")).unwrap();
    // What a repair could not read is the only copy that there is.
    let quarantine = directory.path().join("quarantine-1");
    fs::create_dir(&quarantine).unwrap();
    fs::write(quarantine.join("contents.txt"), "Bytes that could not be read").unwrap();
    let (engine, notices) = open(directory.path());
    assert!(matches!(&notices[..], [Notice::Erased(Compaction { episodes: 1, .. })]), "{notices:?}");
    assert!(!on_disk(directory.path(), town.as_bytes()) && !directory.path().join(DUE).exists());
    assert!(quarantine.join("contents.txt").exists());
    assert_eq!((texts(&engine).unwrap(), engine.check().unwrap()), (29, Vec::new()));
    drop(engine);
    assert_eq!(open(directory.path()).1, []);
}

#[test]
fn check_tells_that_what_was_forgotten_may_still_stand_on_disk() {
    let directory = tempfile::tempdir().unwrap();
    let namespace = Namespace::default();
    let (engine, _) = open(directory.path());
    let told = lives_in(&namespace, 0, 8, "Odense");
    engine.commit(&namespace, forget([told.episodes[0].id])).unwrap();
    assert!(!directory.path().join(DUE).exists(), "nothing of it was ever there");
    let told = lives_in(&namespace, 1, 8, "Odense");
    engine.commit(&namespace, told.clone()).unwrap();
    engine.commit(&namespace, forget([told.episodes[0].id])).unwrap();
    for _ in 0..2 {
        assert_eq!(engine.check().unwrap(), Vec::<String>::new());
    }
    let notices = engine.take_notices();
    assert!(matches!(&notices[..], [Notice::NotErased { .. }]), "{notices:?}");
    engine.compact().unwrap();
    engine.check().unwrap();
    assert_eq!((engine.take_notices(), directory.path().join(DUE).exists()), (Vec::new(), false));
}

#[test]
fn what_cannot_be_taken_off_the_disk_is_told_and_tried_again() {
    let directory = tempfile::tempdir().unwrap();
    let town = broken_off(directory.path());
    let disk = Arc::new(Strained::default());
    disk.gives_up.store(true, Ordering::Relaxed);
    let (engine, notices) = open_on(&disk, directory.path());
    assert!(matches!(&notices[..], [Notice::NotErased { .. }]), "{notices:?}");
    disk.exhausted.store(false, Ordering::Relaxed);
    assert_eq!(texts(&engine).unwrap(), 29);
    drop(engine);
    assert!(directory.path().join(DUE).exists());
    open(directory.path());
    assert!(!on_disk(directory.path(), town.as_bytes()) && !directory.path().join(DUE).exists());
}

fn open_on(disk: &Arc<Strained>, directory: &Path) -> (Engine, Vec<Notice>) {
    let disk = Arc::clone(disk) as Arc<dyn Disk>;
    Engine::open_on(&disk, directory, Missing::Refuse, Arc::new(HashEmbedder::default())).unwrap()
}

#[test]
fn a_system_that_gives_no_more_files_in_a_compaction_is_not_taken_for_damage() {
    let directory = tempfile::tempdir().unwrap();
    broken_off(directory.path());
    let (engine, _) = open(directory.path());
    let (first, last) = {
        let reader = engine.reader(&Namespace::default()).unwrap();
        let living: Vec<EpisodeIx> = reader.state().living().collect();
        let id = |ix: &EpisodeIx| reader.state().episode(*ix).id;
        (id(&living[0]), id(living.last().unwrap()))
    };
    drop(engine);
    let disk = Arc::new(Strained::default());
    let (engine, _) = open_on(&disk, directory.path());
    // The last is in the segment that is written to.
    engine.commit(&Namespace::default(), forget([first, last])).unwrap();
    disk.gives_up.store(true, Ordering::Relaxed);
    for outcome in [engine.compact().map(drop), texts(&engine).map(drop)] {
        assert!(matches!(outcome, Err(Error::Io(_))), "{outcome:?}");
    }
    disk.exhausted.store(false, Ordering::Relaxed);
    assert_eq!(texts(&engine).unwrap(), 27);
    engine.drop_from_memory(&Namespace::default());
    assert_eq!((texts(&engine).unwrap(), engine.check().unwrap()), (27, Vec::new()));
    assert!(engine.store.is_poisoned());
    drop(engine);
    let (engine, _) = open(directory.path());
    assert_eq!((texts(&engine).unwrap(), engine.check().unwrap()), (27, Vec::new()));
}

#[test]
fn a_backup_of_a_store_in_which_forgetting_was_broken_off_finishes_it_too() {
    let directory = tempfile::tempdir().unwrap();
    let (store, copy) = (directory.path().join("store"), directory.path().join("copy"));
    let town = broken_off(&store);
    backup(&store, &copy).unwrap();
    assert!(on_disk(&copy, town.as_bytes()));
    let (engine, notices) = open(&copy);
    assert!(notices.iter().any(|notice| matches!(notice, Notice::Erased(_))), "{notices:?}");
    assert_eq!(texts(&engine).unwrap(), 29);
    assert!(!on_disk(&copy, town.as_bytes()));
}

#[test]
fn snapshots_of_a_journal_that_was_compacted_do_not_stay() {
    let directory = tempfile::tempdir().unwrap();
    let names = ["one", "other"].map(|name| Namespace::new(name).unwrap());
    let (engine, _) = open(directory.path());
    for namespace in &names {
        for position in 0..6 {
            engine.commit(namespace, lives_in(namespace, position, 8, "Odense")).unwrap();
        }
    }
    drop(engine);
    let snapshots = || fs::read_dir(directory.path().join("snapshots")).unwrap().count();
    assert_eq!(snapshots(), 2);
    let (engine, _) = open(directory.path());
    let gone = lives_in(&names[0], 0, 8, "Odense").episodes[0].id;
    engine.commit(&names[0], forget([gone])).unwrap();
    assert_eq!(snapshots(), 1);
    engine.compact().unwrap();
    assert_eq!(snapshots(), 0);
}

/// A scan is let go late, as by somebody who reads slowly: commits go on, and it tells what was there when it began.
#[test]
fn a_slow_scan_keeps_no_commit_waiting_and_sees_what_it_saw() {
    let directory = tempfile::tempdir().unwrap();
    let names = ["one", "other"].map(|name| Namespace::new(name).unwrap());
    let (engine, _) = open(directory.path());
    for position in 0..6 {
        engine.commit(&names[0], lives_in(&names[0], position, 8, "Odense")).unwrap();
    }
    let scan = engine.scan(&names[0]).unwrap();
    let mut told = 0;
    scan.episodes::<Error>(|episode, reading| {
        assert_eq!(reading.map(|reading| reading.episode), Some(episode.id));
        for namespace in &names {
            engine.commit(namespace, lives_in(namespace, 10 + told, 9, "Vigo"))?;
        }
        let gone = lives_in(&names[0], told, 8, "Odense").episodes[0].id;
        engine.commit(&names[0], forget([gone]))?;
        told += 1;
        Ok(())
    })
    .unwrap();
    assert_eq!((told, scan.reader().state().counts().episodes), (6, 6));
    let other = engine.scan(&names[0]).unwrap();
    assert_eq!(other.reader().state().tombstones().len(), 6);
    assert_eq!(engine.check().unwrap(), Vec::<String>::new());
    // What takes it off the disk waits.
    std::thread::scope(|scope| {
        let compacting = scope.spawn(|| engine.compact().unwrap());
        engine.commit(&names[1], lives_in(&names[1], 30, 9, "Split")).unwrap();
        assert!(on_disk(directory.path(), b"Odense"));
        drop((scan, other));
        assert_eq!(compacting.join().unwrap().episodes, 6);
    });
    assert!(!on_disk(directory.path(), b"Odense"));
    assert_eq!(engine.check().unwrap(), Vec::<String>::new());
}

#[test]
fn a_reader_of_what_was_left_to_a_scan_finds_texts_where_they_are() {
    let directory = tempfile::tempdir().unwrap();
    let namespace = Namespace::default();
    let (engine, _) = open(directory.path());
    for position in 0..6 {
        engine.commit(&namespace, lives_in(&namespace, position, 8, "Odense")).unwrap();
    }
    let scan = engine.scan(&namespace).unwrap();
    let reader = engine.reader(&namespace).unwrap();
    let gone = lives_in(&namespace, 0, 8, "Odense").episodes[0].id;
    engine.commit(&namespace, forget([gone])).unwrap();
    drop(scan);
    std::thread::scope(|scope| {
        let compacting = scope.spawn(|| engine.compact().unwrap());
        // Long enough for it to be over, if it did not wait.
        std::thread::sleep(std::time::Duration::from_millis(300));
        assert!(!compacting.is_finished());
        for ix in (0..6).map(EpisodeIx) {
            assert_eq!(reader.text(ix).unwrap(), "I live in Odense now.");
        }
        drop(reader);
        assert_eq!(compacting.join().unwrap().episodes, 1);
    });
}

#[test]
fn commits_go_on_while_old_segments_are_written_anew_and_what_they_forget_goes_too() {
    let directory = tempfile::tempdir().unwrap();
    broken_off(directory.path());
    let namespace = Namespace::default();
    let disk = Arc::new(Strained::default());
    let (engine, _) = open_on(&disk, directory.path());
    let ids: Vec<EpisodeId> = {
        let reader = engine.reader(&namespace).unwrap();
        let living: Vec<EpisodeIx> = reader.state().living().collect();
        living.iter().map(|ix| reader.state().episode(*ix).id).collect()
    };
    engine.commit(&namespace, forget([ids[0]])).unwrap();
    disk.held.store(false, Ordering::Relaxed);
    std::thread::scope(|scope| {
        let gate = disk.gate.lock();
        let compacting = scope.spawn(|| engine.compact().unwrap());
        while !disk.held.load(Ordering::Relaxed) {
            std::thread::yield_now();
        }
        let committing = scope.spawn(|| {
            // One in a segment that is being written anew, one in a later one, and more than one segment holds.
            engine.commit(&namespace, forget([ids[1], ids[20]])).unwrap();
            for position in 40..60 {
                let town = format!("Town {position} {}", "x".repeat(300));
                engine.commit(&namespace, lives_in(&namespace, position, 8, &town)).unwrap();
            }
        });
        for _ in 0..20_000 {
            if committing.is_finished() {
                break;
            }
            std::thread::sleep(std::time::Duration::from_millis(1));
        }
        let finished = committing.is_finished();
        drop(gate);
        assert!(finished, "commits wait");
        assert_eq!(compacting.join().unwrap().episodes, 3);
    });
    for town in ["Town 1 ", "Town 2 ", "Town 21 "] {
        assert!(!on_disk(directory.path(), town.as_bytes()), "{town}");
    }
    assert!(!directory.path().join(DUE).exists());
    assert_eq!((texts(&engine).unwrap(), engine.check().unwrap()), (46, Vec::new()));
    drop(engine);
    let (engine, notices) = open(directory.path());
    assert_eq!((texts(&engine).unwrap(), engine.check().unwrap(), notices), (46, Vec::new(), Vec::new()));
}
