//! Damage to any file of a store, and its repair: opening works with everything that was acknowledged, or
//! says what is wrong; what is repaired opens and is sound.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use super::tests::{lives_in, open};
use super::*;
use crate::change::Changes;
use crate::embed::HashEmbedder;
use crate::model::id::EpisodeId;
use crate::store::{Repaired, repair};

const COMMITS: u32 = 40;

/// A store of two namespaces and several segments, and the ids of what is in it, in order.
fn filled(directory: &Path) -> Vec<EpisodeId> {
    let (engine, _) = open(directory);
    let namespaces = [Namespace::default(), Namespace::new("other").unwrap()];
    let mut ids = Vec::new();
    for number in 0..COMMITS {
        let namespace = &namespaces[number as usize % 5 / 4];
        let changes =
            lives_in(namespace, number, 1 + number % 28, &format!("Town {number} {}", "x".repeat(300)));
        ids.push(changes.episodes[0].id);
        engine.commit(namespace, changes).unwrap();
    }
    ids
}

fn reopen(directory: &Path) -> Result<Engine, Error> {
    Engine::open(directory, Missing::Refuse, Arc::new(HashEmbedder::default())).map(|(engine, _)| engine)
}

/// Every episode, with its text looked at.
fn episodes(engine: &Engine) -> Result<BTreeSet<EpisodeId>, Error> {
    let mut found = BTreeSet::new();
    for namespace in engine.namespaces()? {
        let reader = engine.reader(&namespace)?;
        for ix in reader.state().living() {
            reader.text(ix)?;
            found.insert(reader.state().episode(ix).id);
        }
    }
    Ok(found)
}

/// All files of a store but its lock.
fn files(directory: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(directory).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(files(&path));
        } else if !path.ends_with("lock") {
            found.push(path);
        }
    }
    found.sort();
    found
}

fn copy(from: &Path, to: &Path) {
    for path in files(from) {
        let target = to.join(path.strip_prefix(from).unwrap());
        fs::create_dir_all(target.parent().unwrap()).unwrap();
        fs::copy(path, target).unwrap();
    }
}

/// Numbers that need to be many and the same each time (splitmix64).
struct Dice(u64);

impl Dice {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((mixed ^ (mixed >> 31)) % limit.max(1) as u64) as usize
    }
}

/// Does some harm to a file, and says what.
fn harm(path: &Path, dice: &mut Dice) -> String {
    let mut bytes = fs::read(path).unwrap();
    let at = dice.below(bytes.len());
    let what = match dice.below(5) {
        0 if !bytes.is_empty() => {
            bytes[at] ^= 1 << dice.below(8);
            "a bit flipped"
        }
        1 => {
            bytes.truncate(at);
            "cut short"
        }
        2 => {
            let end = (at + 1 + dice.below(600)).min(bytes.len());
            bytes[at..end].fill(0);
            "zeros written"
        }
        3 => {
            bytes.extend((0..=dice.below(90)).map(|n| n as u8));
            "bytes behind it"
        }
        _ => {
            fs::remove_file(path).unwrap();
            return format!("{} gone", path.display());
        }
    };
    fs::write(path, bytes).unwrap();
    format!("{} {what} at {at}", path.display())
}

#[test]
fn harm_to_any_file_is_made_good_or_told_and_can_be_repaired() {
    let original = tempfile::tempdir().unwrap();
    let all: BTreeSet<EpisodeId> = filled(original.path()).into_iter().collect();
    assert!(original.path().join("journal/00000003.journal").exists(), "there are several segments");
    let rounds = std::env::var("LOREBASE_DAMAGE_ROUNDS").map_or(60, |rounds| rounds.parse().unwrap());
    let mut dice = Dice(5);
    for round in 0..rounds {
        let store = tempfile::tempdir().unwrap();
        copy(original.path(), store.path());
        let mut what = Vec::new();
        for _ in 0..=dice.below(2) {
            let all = files(store.path());
            what.push(harm(&all[dice.below(all.len())], &mut dice));
        }
        let sound = reopen(store.path()).and_then(|engine| Ok((episodes(&engine)?, engine.check()?)));
        if let Ok((found, problems)) = sound
            && problems.is_empty()
            && what.len() == 1
        {
            assert_eq!(found, all, "round {round}: {what:?}");
        }
        let mut repaired = repair(store.path());
        if matches!(repaired, Err(Error::NotAStore { .. })) {
            // A bit can make it the name of another format, and who is to know better?
            let format = store.path().join("FORMAT");
            assert!(fs::read_to_string(&format).unwrap().starts_with("lorebase store "), "{what:?}");
            fs::copy(original.path().join("FORMAT"), &format).unwrap();
            repaired = repair(store.path());
        }
        let repaired = repaired.unwrap_or_else(|error| panic!("round {round}: {what:?}: {error}"));
        let engine = reopen(store.path()).unwrap_or_else(|error| panic!("round {round}: {what:?}: {error}"));
        let found = episodes(&engine).unwrap();
        assert!(found.is_subset(&all), "round {round}: {what:?}");
        assert_eq!(found.len() as u64, repaired.commits, "round {round}: {what:?}: {repaired:?}");
        assert_eq!(engine.check().unwrap(), Vec::<String>::new(), "round {round}: {what:?}: {repaired:?}");
        engine.commit(&Namespace::default(), lives_in(&Namespace::default(), 90, 9, "Vigo")).unwrap();
        drop(engine);
        let again = repair(store.path()).unwrap();
        let none = Repaired { commits: repaired.commits + 1, ..Repaired::default() };
        assert_eq!(again, none, "round {round}: {what:?}: nothing is left to be repaired");
    }
}

#[test]
fn a_missing_segment_costs_what_it_held_and_numbers_go_on() {
    for missing in [0, 1, 3] {
        let store = tempfile::tempdir().unwrap();
        let ids = filled(store.path());
        fs::remove_file(store.path().join(format!("journal/0000000{missing}.journal"))).unwrap();
        assert!(matches!(reopen(store.path()), Err(Error::Damaged { .. })));
        let repaired = repair(store.path()).unwrap();
        assert_eq!(repaired.commits + repaired.lost, ids.len() as u64);
        assert!(repaired.lost > 0 && repaired.quarantine.is_none());
        let engine = reopen(store.path()).unwrap();
        assert_eq!(engine.check().unwrap(), Vec::<String>::new());
        assert_eq!(engine.sequence(), ids.len() as u64);
        let told = Changes::default();
        assert_eq!(engine.commit(&Namespace::default(), told).unwrap().sequence, ids.len() as u64);
    }
}

#[test]
fn acknowledged_commits_at_the_end_are_counted_as_lost() {
    let store = tempfile::tempdir().unwrap();
    let ids = filled(store.path());
    let last = files(&store.path().join("journal")).pop().unwrap();
    let bytes = fs::read(&last).unwrap();
    fs::write(&last, &bytes[..bytes.len() - 1]).unwrap();
    assert!(matches!(reopen(store.path()), Err(Error::Damaged { .. })));
    let repaired = repair(store.path()).unwrap();
    assert_eq!((repaired.commits, repaired.lost, repaired.files), (ids.len() as u64 - 1, 1, 1));
    let quarantine = repaired.quarantine.unwrap();
    let name = format!("{}.bytes", last.file_name().unwrap().to_string_lossy());
    assert!(bytes[..bytes.len() - 1].ends_with(&fs::read(quarantine.join(&name)).unwrap()));
    let contents = fs::read_to_string(quarantine.join("contents.txt")).unwrap();
    assert!(
        contents.contains(&name) && contents.contains("no frame that matches its checksum"),
        "{contents}"
    );
    let engine = reopen(store.path()).unwrap();
    assert_eq!((engine.sequence(), episodes(&engine).unwrap().len()), (ids.len() as u64, ids.len() - 1));
}

#[test]
fn a_damaged_format_file_and_a_damaged_segment_header_cost_nothing() {
    let store = tempfile::tempdir().unwrap();
    let ids = filled(store.path());
    fs::write(store.path().join("FORMAT"), "lorebase sto\u{1}e 2").unwrap();
    let segment = store.path().join("journal/00000001.journal");
    let mut bytes = fs::read(&segment).unwrap();
    bytes[..24].fill(9);
    fs::write(&segment, bytes).unwrap();
    let error = reopen(store.path()).err().unwrap();
    assert!(error.to_string().contains("lore repair"), "{error}");
    let repaired = repair(store.path()).unwrap();
    assert_eq!((repaired.commits, repaired.lost, repaired.quarantined), (ids.len() as u64, 0, 24));
    assert!(repaired.format);
    assert_eq!(reopen(store.path()).unwrap().check().unwrap(), Vec::<String>::new());
}

#[test]
fn what_is_no_store_or_a_newer_one_is_not_repaired() {
    let directory = tempfile::tempdir().unwrap();
    assert!(matches!(repair(directory.path()), Err(Error::NotAStore { .. })));
    fs::write(directory.path().join("letter.txt"), "dear").unwrap();
    assert!(matches!(repair(directory.path()), Err(Error::NotAStore { .. })));
    let store = tempfile::tempdir().unwrap();
    filled(store.path());
    fs::write(store.path().join("FORMAT"), "lorebase store 5\n").unwrap();
    assert!(matches!(repair(store.path()), Err(Error::NotAStore { .. })));
    fs::write(store.path().join("FORMAT"), "lorebase store 4\n").unwrap();
    let engine = reopen(store.path()).unwrap();
    assert!(matches!(repair(store.path()), Err(Error::Locked { .. })));
    drop(engine);
}
