//! A store of format 1 is brought to the present format, whatever a crash has left of an earlier attempt.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use super::disk::{Disk, Os};
use super::record::{AppliedV1, encode_row};
use super::{Missing, Notice, Store, key};
use crate::error::Error;

/// What a crash has left, and how it is made.
type State = (&'static str, fn(&Path));

/// The commits of the store of format 1 that is kept.
const COMMITS: u64 = 3;

/// A copy of the store of format 1 that is kept, with a working store that was given so many commits.
fn old_store(directory: &Path, applied: u64) {
    let kept = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/fixtures/store-1");
    fs::create_dir_all(directory.join("journal")).unwrap();
    for file in ["FORMAT", "journal/00000000.journal"] {
        fs::copy(kept.join(file), directory.join(file)).unwrap();
    }
    old_sled(&directory.join("sled"), applied);
}

fn old_sled(path: &Path, sequence: u64) {
    let database = sled::open(path).unwrap();
    let applied = AppliedV1 { sequence, segment: 0, offset: 24, namespaces: 1 };
    database.insert(key::APPLIED, encode_row(&applied)).unwrap();
    database.flush().unwrap();
}

fn open(directory: &Path) -> Result<Store, Error> {
    let disk: Arc<dyn Disk> = Arc::new(Os);
    Store::open(&disk, directory, Missing::Refuse)
}

fn format(directory: &Path) -> String {
    fs::read_to_string(directory.join("FORMAT")).unwrap()
}

#[test]
fn an_upgrade_that_was_broken_off_anywhere_is_begun_again() {
    let states: [State; 6] = [
        ("nothing was done", |_| ()),
        ("the old working store was set aside", |store| {
            fs::rename(store.join("sled"), store.join("sled.old")).unwrap();
        }),
        ("the new one was begun", |store| {
            fs::rename(store.join("sled"), store.join("sled.old")).unwrap();
            sled::open(store.join("sled")).unwrap().insert("half", "made").unwrap();
        }),
        ("the new one stands", |store| {
            old_sled(&store.join("sled.old"), COMMITS);
            drop(open(store).unwrap());
            fs::write(store.join("FORMAT"), "lorebase store 1\n").unwrap();
            old_sled(&store.join("sled.old"), COMMITS);
        }),
        ("the old one was removed before its time", |store| {
            drop(open(store).unwrap());
            fs::write(store.join("FORMAT"), "lorebase store 1\n").unwrap();
        }),
        ("the old one was none", |store| {
            fs::remove_dir_all(store.join("sled")).unwrap();
            fs::write(store.join("sled"), "no directory").unwrap();
        }),
    ];
    for (what, state) in states {
        let directory = tempfile::tempdir().unwrap();
        old_store(directory.path(), COMMITS);
        state(directory.path());
        let store = open(directory.path()).unwrap_or_else(|error| panic!("{what}: {error}"));
        let notices = store.take_notices();
        assert!(matches!(&notices[..], [Notice::Upgraded { commits: COMMITS, .. }]), "{what}: {notices:?}");
        assert_eq!((store.sequence(), store.verify().unwrap()), (COMMITS, Vec::new()), "{what}");
        assert_eq!(format(directory.path()), "lorebase store 4\n");
        assert!(!directory.path().join("sled.old").exists());
        drop(store);
        assert_eq!(open(directory.path()).unwrap().take_notices(), []);
    }
}

#[test]
fn an_old_working_store_that_is_left_over_is_removed() {
    let directory = tempfile::tempdir().unwrap();
    old_store(directory.path(), COMMITS);
    drop(open(directory.path()).unwrap());
    old_sled(&directory.path().join("sled.old"), COMMITS);
    assert_eq!(open(directory.path()).unwrap().take_notices(), []);
    assert!(!directory.path().join("sled.old").exists());
}

#[test]
fn an_old_working_store_that_knows_of_more_keeps_the_store_as_it_is() {
    for aside in [false, true] {
        let directory = tempfile::tempdir().unwrap();
        old_store(directory.path(), COMMITS + 1);
        if aside {
            fs::rename(directory.path().join("sled"), directory.path().join("sled.old")).unwrap();
        }
        let error = open(directory.path()).err().unwrap();
        assert!(matches!(error, Error::Damaged { .. }), "{error}");
        assert_eq!(format(directory.path()), "lorebase store 1\n");
        let repaired = super::repair(directory.path()).unwrap();
        assert_eq!((repaired.commits, repaired.lost, repaired.format), (COMMITS, 1, true));
        let store = open(directory.path()).unwrap();
        assert_eq!((store.sequence(), store.verify().unwrap()), (COMMITS + 1, Vec::new()));
    }
}

#[test]
fn a_working_store_that_fails_again_and_again_is_not_set_aside_each_time() {
    let directory = tempfile::tempdir().unwrap();
    old_store(directory.path(), COMMITS);
    drop(open(directory.path()).unwrap());
    // Another's.
    fs::create_dir(directory.path().join("quarantine-2")).unwrap();
    for round in 0..8 {
        fs::write(directory.path().join("sled/db"), vec![0xAB; 100_000]).unwrap();
        fs::write(directory.path().join("sled/conf"), b"segment_size: 1").unwrap();
        let store = open(directory.path()).unwrap();
        let notices = store.take_notices();
        let kept = matches!(&notices[..], [Notice::Rebuilt { quarantine: Some(_), .. }]);
        assert_eq!(kept, round < 4, "{notices:?}");
    }
    let aside = |name: &str| directory.path().join(name).exists();
    assert!(aside("quarantine-2") && aside("quarantine-5") && !aside("quarantine-6"));
}
