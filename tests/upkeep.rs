//! Looking after a store: what is forgotten is gone, what is copied is whole, what is damaged is saved as far as it can
//! be.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

use lorebase::engine;
use lorebase::engine::model::id::{EpisodeId, Namespace, SessionId};
use lorebase::error::Error;
use lorebase::forget::Selection;
use lorebase::memory::{Memory, Remember};
use lorebase::transfer::Thing;
use serde_json::Value;

use crate::util::{Lab, assert_sound, copy_all, lore, root};

const TALK: &str = r#"{"session": "D1", "at": "2024-03-01T10:00:00Z", "speaker": "Ilka", "text": "I live in Gdynia."}
{"session": "D1", "at": "2024-03-01T10:01:00Z", "speaker": "Bram", "text": "The zanzibar ferry was late."}
{"session": "D2", "at": "2024-09-01T10:00:00Z", "speaker": "Ilka", "text": "I live in Trieste now."}
{"session": "D3", "at": "2024-09-02T10:00:00Z", "speaker": "Ilka", "text": "I live in Trieste now, still."}
"#;

fn talked() -> Lab {
    let lab = Lab::new();
    let file = lab.write("talk.jsonl", TALK);
    lab.lore(&["ingest", file.to_str().unwrap()]).done();
    lab
}

/// Whether some file below `directory` holds the bytes.
fn somewhere_in(directory: &Path, needle: &[u8]) -> bool {
    fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().path()).any(|path| {
        if path.is_dir() {
            return somewhere_in(&path, needle);
        }
        let mut bytes = Vec::new();
        File::open(path).unwrap().read_to_end(&mut bytes).unwrap();
        bytes.windows(needle.len()).any(|window| window == needle)
    })
}

#[test]
fn what_is_forgotten_is_gone_from_answers_and_from_the_disk() {
    let lab = talked();
    assert!(somewhere_in(&lab.store(), b"zanzibar"));
    let hit = lab.json(&["recall", "zanzibar"])["hits"][0].clone();
    let id = hit["episode"].as_str().unwrap();
    let dry = lab.json(&["forget", "--episode", id, "--session", "D1", "D2", "--dry-run"]);
    assert_eq!((&dry["dry_run"], &dry["episodes"], &dry["facts"]), (&true.into(), &3.into(), &2.into()));
    assert!(lab.lore(&["recall", "zanzibar"]).done().out.contains("ferry"));
    let told = lab.json(&["forget", "--session", "D1"]);
    assert_eq!((&told["episodes"], &told["facts"], &told["gone"]), (&2.into(), &2.into(), &0.into()));
    assert_eq!((&told["compaction"]["segments"], &told["compaction"]["episodes"]), (&1.into(), &2.into()));
    assert!(!somewhere_in(&lab.store(), b"zanzibar") && !somewhere_in(&lab.store(), b"Gdynia"));
    assert_eq!(lab.lore(&["recall", "zanzibar"]).code, 1);
    let facts = lab.json(&["facts", "--about", "Ilka"]);
    assert_eq!(
        (facts["facts"].as_array().unwrap().len(), &facts["facts"][0]["object"]),
        (1, &"Trieste".into())
    );
    // It does not come back, and is not forgotten twice.
    let file = lab.path("talk.jsonl");
    assert_eq!(lab.json(&["ingest", file.to_str().unwrap()])["files"][0]["new_episodes"], 0);
    let reply = lab.lore(&["forget", "--episode", id, "--json"]);
    assert_eq!((reply.code, &reply.json()["gone"]), (1, &1.into()));
    assert_eq!(lab.json(&["check"])["ok"], true);
    assert!(
        lab.lore(&["export"])
            .done()
            .out
            .contains(&format!("\"tombstone\":{{\"namespace\":\"default\",\"episode\":\"{id}\""))
    );
}

#[test]
fn forgetting_what_is_not_there_is_1_and_saying_nothing_2() {
    let lab = talked();
    let nobody = "00112233445566778899aabbccddeeff";
    let reply = lab.lore(&["forget", "--episode", nobody, "--session", "D9", "--json"]);
    assert_eq!((reply.code, reply.json()["unknown"].as_array().unwrap().len()), (1, 2));
    assert!(
        reply.err.contains(&format!("episode {nobody} is not known in namespace default")),
        "{}",
        reply.err
    );
    lab.lore(&["forget"]).failed(2);
    lab.lore(&["forget", "--episode", "xyz"]).failed(2);
    lab.lore(&["forget", "--session", "D1", "--namespace", "other", "--dry-run"]);
    assert_eq!(lab.json(&["stats"])["episodes"], 4);
}

#[test]
fn a_store_in_use_is_backed_up() {
    let lab = talked();
    let before = lab.lore(&["export"]).done().out;
    let memory = lab.memory();
    let to = lab.path("copy");
    let told = lab.json(&["backup", to.to_str().unwrap()]);
    assert_eq!((&told["commits"], &told["segments"], &told["ok"]), (&1.into(), &1.into(), &true.into()));
    drop(memory);
    let copy = to.to_str().unwrap();
    assert_eq!(lore(["--store", copy, "export"]).done().out, before);
    // A directory that holds something is left alone.
    for (to, says) in
        [("copy", "holds something"), ("talk.jsonl", "is a file"), ("store/copy", "lies in the store")]
    {
        let error = lab.lore(&["backup", lab.path(to).to_str().unwrap()]).failed(2);
        assert!(error.contains(says), "{error}");
    }
    assert_eq!(lore(["--store", copy, "export"]).done().out, before);
    let error =
        lore(["--store", lab.path("no").to_str().unwrap(), "backup", lab.path("new").to_str().unwrap()])
            .failed(2);
    assert!(error.contains("does not exist") && !lab.path("new").exists(), "{error}");
    let told = lab.json(&["backup", lab.path("quick").to_str().unwrap(), "--no-check"]);
    assert_eq!(told["ok"], Value::Null);
    let names = fs::read_dir(lab.path("quick")).unwrap().map(|entry| entry.unwrap().file_name());
    assert_eq!(names.collect::<BTreeSet<_>>(), ["FORMAT", "journal"].map(Into::into).into());
}

#[test]
fn stores_of_every_format_are_backed_up() {
    let lab = Lab::new();
    for format in ["store-1", "store-2"] {
        let (from, to) = (lab.path(format), lab.path(&format!("{format}-copy")));
        copy_all(&root().join("tests/fixtures").join(format), &from);
        engine::backup(&from, &to).unwrap();
        assert_eq!(fs::read(from.join("FORMAT")).unwrap(), fs::read(to.join("FORMAT")).unwrap());
        let export = |store: &Path| lore(["--store", store.to_str().unwrap(), "export"]).out;
        let whole = export(&from);
        assert!(whole.lines().count() > 3);
        assert_eq!(export(&to), whole, "{format}");
    }
}

#[test]
fn a_backup_that_was_broken_off_is_no_store() {
    let lab = talked();
    let to = lab.path("copy");
    lab.lore(&["backup", to.to_str().unwrap(), "--no-check"]).done();
    fs::rename(to.join("journal"), to.join("journal.unfinished")).unwrap();
    let refused = || {
        for command in ["stats", "repair", "remember a"] {
            let words = ["--store", to.to_str().unwrap()].into_iter().chain(command.split(' '));
            let error = lore(words).failed(2);
            assert!(error.contains("a backup that was broken off"), "{error}");
        }
    };
    // The name of the format comes before the journal has its own.
    refused();
    fs::remove_file(to.join("FORMAT")).unwrap();
    refused();
}

fn ids_of(memory: &Memory, namespace: &Namespace) -> BTreeSet<EpisodeId> {
    let mut ids = BTreeSet::new();
    memory
        .export(namespace, |thing| {
            if let Thing::Episode { episode, .. } = thing {
                ids.insert(episode.id);
            }
            Ok::<_, Error>(())
        })
        .unwrap();
    ids
}

/// Notes are told and forgotten while the store is backed up again and again: each backup opens, is sound, and holds
/// what was told before it began and not forgotten before it ended.
#[test]
fn backups_beside_commits_and_compactions_are_whole() {
    let lab = Lab::new();
    let memory = lab.memory();
    let namespace = Namespace::default();
    let tell = |n: u32| {
        let text = format!("The lighthouse of {n} blinks.");
        let session = format!("s{}", n / 10);
        let what = Remember { session: Some(&session), speaker: Some("Ana"), ..Remember::new(&text) };
        memory.remember(&namespace, &what).unwrap().episode
    };
    (0..50).for_each(|n| _ = tell(n));
    let (stop, told) = (AtomicBool::new(false), AtomicU32::new(50));
    std::thread::scope(|scope| {
        scope.spawn(|| {
            while !stop.load(Ordering::Relaxed) {
                tell(told.fetch_add(1, Ordering::Relaxed));
            }
        });
        scope.spawn(|| {
            for n in 0.. {
                if stop.load(Ordering::Relaxed) {
                    break;
                }
                let sessions = [SessionId::new(&format!("s{n}"))];
                memory
                    .forget(&namespace, &Selection { sessions: &sessions, ..Selection::default() })
                    .unwrap();
            }
        });
        let rounds = 6;
        for round in 0..rounds {
            let before = ids_of(&memory, &namespace);
            let to = lab.path(&format!("copy-{round}"));
            memory.backup(&to).unwrap();
            let after = ids_of(&memory, &namespace);
            let copy = Memory::open(&to).unwrap().0;
            assert_sound(&copy);
            let held = ids_of(&copy, &namespace);
            assert!(before.intersection(&after).all(|id| held.contains(id)), "round {round}");
        }
        stop.store(true, Ordering::Relaxed);
    });
    assert_sound(&memory);
}

/// Harms a byte of the first commit.
fn harm(store: &Path) {
    let mut file = File::options().write(true).open(store.join("journal/00000000.journal")).unwrap();
    file.seek(SeekFrom::Start(70)).unwrap();
    file.write_all(&[0xEE; 4]).unwrap();
}

#[test]
fn a_damaged_store_is_repaired_and_what_is_lost_told() {
    let lab = talked();
    lab.lore(&["remember", "The kettle is on the left."]).done();
    let told = lab.json(&["repair"]);
    assert_eq!(
        (&told["commits"], &told["lost"], &told["quarantine"], &told["ok"]),
        (&2.into(), &0.into(), &Value::Null, &true.into())
    );
    harm(&lab.store());
    let error = lab.lore(&["backup", lab.path("copy").to_str().unwrap()]).failed(3);
    assert!(error.contains("damage in") && error.contains("lore repair"), "{error}");
    assert!(Memory::open(&lab.path("copy")).is_err());
    let reply = lab.lore(&["repair", "--json"]);
    let told = reply.json();
    assert_eq!(
        (reply.code, &told["commits"], &told["lost"], &told["ok"]),
        (1, &1.into(), &1.into(), &true.into())
    );
    let quarantine = told["quarantine"].as_str().unwrap();
    assert!(somewhere_in(Path::new(quarantine), b"zanzibar"));
    let found = lab.json(&["recall", "kettle"]);
    assert_eq!(found["hits"][0]["text"], "The kettle is on the left.");
    assert!(lab.json(&["stats"])["disk"]["aside"].as_u64().unwrap() > 0);
    let reply = lab.lore(&["repair"]);
    assert_eq!((reply.code, reply.out.as_str()), (0, "1 commit can be read, 0 lost\nsound\n"));
    // What was put aside may hold what is forgotten, and that is said.
    let reply = lab.lore(&["forget", "--session", "notes"]);
    assert!(reply.code == 0 && reply.err.contains("quarantine-N"), "{}", reply.err);
}

#[test]
fn what_cannot_be_repaired_is_told() {
    let lab = Lab::new();
    let error = lab.lore(&["repair"]).failed(2);
    assert!(error.contains("does not exist"), "{error}");
    let memory = lab.memory();
    let error = lab.lore(&["repair"]).failed(3);
    assert!(error.contains("in use by process"), "{error}");
    drop(memory);
    assert!(engine::repair(&lab.store()).unwrap().lost == 0);
}

#[test]
fn check_tells_what_was_made_anew() {
    let lab = talked();
    fs::remove_dir_all(lab.store().join("sled")).unwrap();
    let reply = lab.lore(&["check", "--json"]);
    let told = reply.json();
    assert_eq!((reply.code, &told["ok"], told["notices"].as_array().unwrap().len()), (0, &true.into(), 1));
    assert!(told["notices"][0].as_str().unwrap().contains("rebuilt"), "{told}");
    assert_eq!(lab.json(&["check"])["notices"].as_array().unwrap().len(), 0);
}

#[test]
fn a_memory_budget_is_a_size() {
    let lab = talked();
    for size in ["2GB", "512MiB", "1.5 gb", "100000", "0"] {
        lab.lore(&["--memory-budget", size, "stats"]).done();
    }
    for size in ["", "much", "-1", "2XB", "1e99", "NaN"] {
        lab.lore(&[&format!("--memory-budget={size}"), "stats"]).failed(2);
    }
    let stats = lab.json(&["stats"]);
    assert!(stats["disk"]["journal"].as_u64().unwrap() > 0 && stats["memory"]["bytes"].as_u64().unwrap() > 0);
    assert_eq!(stats["memory"]["namespaces"], 1);
}
