//! Snapshots and the memory budget, seen from outside: what comes back is what was there.

use std::fs;
use std::path::Path;

use super::tests::{lives_in, open};
use super::*;
use crate::change::Changes;

const TOWNS: [&str; 3] = ["Porto", "Gdynia", "Odense"];

fn filled(engine: &Engine, namespace: &Namespace, turns: u32) {
    for turn in 0..turns {
        engine.commit(namespace, lives_in(namespace, turn, turn % 28 + 1, TOWNS[turn as usize % 3])).unwrap();
    }
}

fn snapshots(directory: &Path) -> Vec<PathBuf> {
    let Ok(list) = fs::read_dir(directory.join("snapshots")) else { return Vec::new() };
    let mut paths: Vec<_> = list.map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    paths
}

#[test]
fn a_namespace_comes_back_from_its_snapshot_with_what_came_since() {
    let directory = tempfile::tempdir().unwrap();
    let namespace = Namespace::default();
    let (engine, _) = open(directory.path());
    filled(&engine, &namespace, 6);
    drop(engine);
    assert_eq!(snapshots(directory.path()).len(), 1);
    let (engine, _) = open(directory.path());
    // Too little for a new snapshot.
    engine.commit(&namespace, lives_in(&namespace, 6, 20, "Vigo")).unwrap();
    drop(engine);
    let (engine, _) = open(directory.path());
    assert_eq!(engine.check().unwrap(), Vec::<String>::new());
    let reader = engine.reader(&namespace).unwrap();
    assert_eq!((reader.state().counts().episodes, reader.state().changes_since_snapshot()), (7, 2));
}

#[test]
fn a_snapshot_that_is_damaged_or_of_another_journal_is_passed_over() {
    let directory = tempfile::tempdir().unwrap();
    let namespace = Namespace::default();
    let (engine, _) = open(directory.path());
    filled(&engine, &namespace, 6);
    drop(engine);
    let path = snapshots(directory.path()).remove(0);
    let whole = fs::read(&path).unwrap();
    let mut flipped = whole.clone();
    flipped[whole.len() / 2] ^= 1;
    for bytes in [&flipped, &whole[..40], &[][..]] {
        fs::write(&path, bytes).unwrap();
        let (engine, _) = open(directory.path());
        assert_eq!(engine.check().unwrap(), Vec::<String>::new());
        let told = engine.take_notices();
        assert!(matches!(&told[..], [Notice::DamagedSnapshot { path: at }] if *at == path), "{told:?}");
        assert_eq!(engine.reader(&namespace).unwrap().state().counts().episodes, 6);
    }
    let other = tempfile::tempdir().unwrap();
    let (engine, _) = open(other.path());
    engine.commit(&namespace, lives_in(&namespace, 9, 3, "Vigo")).unwrap();
    drop(engine);
    fs::create_dir_all(other.path().join("snapshots")).unwrap();
    fs::write(other.path().join("snapshots").join(path.file_name().unwrap()), &whole).unwrap();
    let (engine, _) = open(other.path());
    assert_eq!(engine.reader(&namespace).unwrap().state().counts().episodes, 1);
    assert_eq!(engine.check().unwrap(), Vec::<String>::new());
}

#[test]
fn what_is_forgotten_stands_in_no_snapshot() {
    let directory = tempfile::tempdir().unwrap();
    let namespace = Namespace::default();
    let (engine, _) = open(directory.path());
    filled(&engine, &namespace, 6);
    drop(engine);
    let (engine, _) = open(directory.path());
    let forgotten = engine.reader(&namespace).unwrap().state().episode(EpisodeIx(2)).id;
    engine.commit(&namespace, Changes { forgets: vec![forgotten], ..Changes::default() }).unwrap();
    assert!(snapshots(directory.path()).is_empty());
    filled(&engine, &namespace, 12);
    drop(engine);
    assert!(snapshots(directory.path()).is_empty(), "not before the journal is compacted");
    let (engine, _) = open(directory.path());
    assert_eq!(engine.reader(&namespace).unwrap().state().counts().episodes, 11);
    assert_eq!(engine.check().unwrap(), Vec::<String>::new());
}

#[test]
fn namespaces_leave_memory_above_the_budget_and_come_back() {
    let directory = tempfile::tempdir().unwrap();
    let (engine, _) = open(directory.path());
    let names: Vec<Namespace> = (0..6).map(|n| Namespace::new(&format!("n{n}")).unwrap()).collect();
    filled(&engine, &names[0], 6);
    let one = engine.reader(&names[0]).unwrap().state().bytes();
    engine.set_memory_budget(3 * one);
    for name in &names {
        filled(&engine, name, 6);
    }
    let (bytes, count) = engine.memory();
    assert!(bytes <= 3 * one && (1..=3).contains(&count), "{bytes} of {one} each, {count} namespaces");
    let held = engine.reader(&names[0]).unwrap();
    // A commit into the one that is held would wait.
    for name in &names[1..] {
        assert_eq!(engine.reader(name).unwrap().state().counts().episodes, 6);
        engine.commit(name, lives_in(name, 90, 9, "Vigo")).unwrap();
    }
    assert_eq!(held.state().counts().episodes, 6, "a reader keeps what it sees");
    drop(held);
    assert_eq!(engine.check().unwrap(), Vec::<String>::new());
}

#[test]
fn what_was_forgotten_leaves_memory_once_it_is_off_the_disk() {
    let directory = tempfile::tempdir().unwrap();
    let namespace = Namespace::default();
    let (engine, _) = open(directory.path());
    filled(&engine, &namespace, 12);
    let ids: Vec<_> =
        engine.reader(&namespace).unwrap().state().episodes().iter().map(|node| node.id).collect();
    let forgets = |ids: &[_]| Changes { forgets: ids.to_vec(), ..Changes::default() };
    engine.commit(&namespace, forgets(&ids[..2])).unwrap();
    engine.compact().unwrap();
    assert!(
        engine.reader(&namespace).unwrap().state().has_remains(),
        "too little to make the namespace anew"
    );
    engine.commit(&namespace, forgets(&ids[2..6])).unwrap();
    engine.compact().unwrap();
    let reader = engine.reader(&namespace).unwrap();
    assert_eq!((reader.state().has_remains(), reader.state().episodes().len()), (false, 6));
    drop(reader);
    assert_eq!(engine.check().unwrap(), Vec::<String>::new());
    drop(engine);
    assert_eq!(snapshots(directory.path()).len(), 1);
}
