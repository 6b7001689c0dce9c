//! A small memory that never changes: what questions are asked of and what snapshots are made from.

use std::fs;
use std::path::Path;
use std::sync::LazyLock;

use lorebase::engine::engine::Reader;
use lorebase::engine::graph::EpisodeIx;
use lorebase::engine::model::id::Namespace;
use lorebase::memory::Memory;
use lorebase_extract::formats::format::Format;
use lorebase_extract::formats::read_from;

/// Turns of every kind, among them hostile ones.
pub const TOLD: &[u8] = include_bytes!("../memory.jsonl");

/// The memory of all turns of `memory.jsonl`. Its directory is gone by the time one has it: what was opened stays open.
pub static MEMORY: LazyLock<Memory> = LazyLock::new(|| {
    let directory = tempfile::tempdir().expect("there is room for a small directory");
    let (memory, _) =
        Memory::create(&directory.path().join("store")).expect("an empty directory becomes a store");
    let documents = read_from(TOLD, Path::new("memory.jsonl"), Format::Jsonl).expect("the file is whole");
    for document in documents {
        memory.ingest(&Namespace::default(), document.transcript, |_| ()).expect("there is room");
    }
    let reader = reader(&memory);
    for number in 0..reader.state().episodes().len() as u32 {
        reader.text(EpisodeIx(number)).expect("it was just stored");
    }
    drop(reader);
    fs::remove_dir_all(directory.path()).expect("it is ours");
    memory
});

/// Reads the memory.
pub fn reader(memory: &Memory) -> Reader {
    memory.engine().reader(&Namespace::default()).expect("it was just stored")
}
