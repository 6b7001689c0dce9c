//! A store whose journal is whatever bytes: repair makes it one that opens.

use std::fs;
use std::sync::Arc;

use lorebase_engine::embed::HashEmbedder;
use lorebase_engine::engine::Engine;
use lorebase_engine::{Missing, repair};

/// Repairs a store of these segments. It opens then, every namespace can be read, and nothing is left to repair.
pub fn try_repair(segments: &[Vec<u8>]) {
    let directory = tempfile::tempdir().expect("there is room for a small directory");
    let path = directory.path();
    fs::create_dir(path.join("journal")).expect("there is room");
    fs::write(path.join("FORMAT"), "lorebase store 3\n").expect("there is room");
    for (number, bytes) in segments.iter().enumerate() {
        fs::write(path.join(format!("journal/{number:08}.journal")), bytes).expect("there is room");
    }
    let first = repair(path).expect("a journal can be repaired");
    let (engine, notices) = Engine::open(path, Missing::Refuse, Arc::new(HashEmbedder::default()))
        .expect("what was repaired opens");
    assert!(notices.is_empty(), "{notices:?}");
    for namespace in engine.namespaces().expect("what was repaired is read") {
        engine.reader(&namespace).expect("what was repaired is read");
    }
    // What commits say of one another may be wrong in a journal that is made up.
    drop(engine.check().expect("what was repaired can be walked"));
    drop(engine);
    let second = repair(path).expect("a journal can be repaired again");
    assert_eq!((second.commits, second.lost), (first.commits, 0), "nothing is lost by repairing again");
    assert_eq!(
        (second.quarantined, second.segments, second.format),
        (0, 0, false),
        "nothing is left to repair"
    );
}
