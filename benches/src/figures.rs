//! All figures of speed and scale in one place, as they are measured and as they are kept in JSON.

use std::fs;
use std::io::Write;
use std::path::Path;
use std::time::Instant;

use serde::{Deserialize, Serialize};

use crate::measure::{Disk, SNAPSHOTS};
use crate::steps::{Answers, Grouped, Ingest, OneOfMany, Opening, Parts, Spaces, Step, child};
use crate::world::World;

/// What was measured in one namespace of one size.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Size {
    /// Taking in.
    pub ingest: Ingest,
    /// What lies on disk after that and one opening.
    pub disk: Disk,
    /// Opening with nothing but journal and working store.
    pub cold: Opening,
    /// The same with vectors of one number.
    pub without_vectors: Opening,
    /// Opening with what the engine keeps so as to open fast, if it does.
    pub snapshot: Option<Opening>,
    /// Recall.
    pub answers: Answers,
    /// Turns a second that a plain file takes: their texts, synced after as many as a commit has.
    pub plain_file_rate: f64,
}

/// What was measured with many namespaces.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub struct Many {
    /// Taking in.
    pub ingest: Spaces,
    /// Asking in one.
    pub one: OneOfMany,
    /// What lies on disk.
    pub disk: Disk,
}

/// Everything that was measured.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct Figures {
    /// One namespace, by size.
    pub sizes: Vec<Size>,
    /// Many namespaces.
    pub many: Option<Many>,
    /// What each part of taking in costs.
    pub parts: Vec<Parts>,
    /// Commits on several threads.
    pub group: Vec<Grouped>,
}

impl Figures {
    /// Adds what another run measured; of two figures for the same size, the later.
    pub fn add(&mut self, other: Self) {
        for size in other.sizes {
            self.sizes.retain(|known| known.ingest.turns != size.ingest.turns);
            self.sizes.push(size);
        }
        self.sizes.sort_by_key(|size| size.ingest.turns);
        for parts in other.parts {
            self.parts.retain(|known| known.turns != parts.turns);
            self.parts.push(parts);
        }
        self.parts.sort_by_key(|parts| parts.turns);
        for grouped in other.group {
            self.group.retain(|known| known.threads != grouped.threads);
            self.group.push(grouped);
        }
        self.group.sort_by_key(|grouped| grouped.threads);
        self.many = other.many.or(self.many);
    }
}

/// Measures one namespace of `turns` turns, with `each` questions of each kind.
///
/// # Errors
/// Where a step fails.
pub fn size(directory: &Path, turns: usize, each: usize) -> anyhow::Result<Size> {
    let store = directory.join(format!("store-{turns}"));
    let ingest: Ingest = child(&Step::Ingest(store.clone(), turns))?;
    // What the engine keeps for the next opening it may write when it closes, or when it has loaded.
    let mut first: Opening = child(&Step::Open(store.clone()))?;
    let snapshots = store.join(SNAPSHOTS);
    let mut snapshot = None;
    if snapshots.exists() {
        snapshot = Some(child(&Step::Open(store.clone()))?);
    }
    let disk = Disk::of(&store)?;
    let answers = child(&Step::Ask(store.clone(), turns, each))?;
    let clear = || if snapshots.exists() { fs::remove_dir_all(&snapshots) } else { Ok(()) };
    if snapshot.is_some() {
        clear()?;
        first = child(&Step::Open(store.clone()))?;
    }
    clear()?;
    let without_vectors = child(&Step::OpenWithoutVectors(store.clone()))?;
    let plain_file_rate = plain_file(&directory.join("plain"), turns)?;
    fs::remove_dir_all(&store)?;
    Ok(Size { ingest, disk, cold: first, without_vectors, snapshot, answers, plain_file_rate })
}

/// Measures `spaces` namespaces of `turns` turns each.
///
/// # Errors
/// Where a step fails.
pub fn many(directory: &Path, spaces: usize, turns: usize) -> anyhow::Result<Many> {
    let store = directory.join("many");
    let ingest = child(&Step::Spaces(store.clone(), spaces, turns))?;
    let one = child(&Step::OneOfMany(store.clone(), spaces))?;
    let disk = Disk::of(&store)?;
    fs::remove_dir_all(&store)?;
    Ok(Many { ingest, one, disk })
}

/// Measures what each part of taking in `turns` turns costs.
///
/// # Errors
/// Where the step fails.
pub fn parts(directory: &Path, turns: usize) -> anyhow::Result<Parts> {
    let store = directory.join("parts");
    let parts = child(&Step::Parts(store.clone(), turns))?;
    fs::remove_dir_all(&store)?;
    Ok(parts)
}

/// Measures commits on `threads` threads at once for `seconds`.
///
/// # Errors
/// Where the step fails.
pub fn group(directory: &Path, threads: usize, seconds: f64) -> anyhow::Result<Grouped> {
    let store = directory.join(format!("group-{threads}"));
    let grouped = child(&Step::Group(store.clone(), threads, seconds))?;
    fs::remove_dir_all(&store)?;
    Ok(grouped)
}

/// Turns a second that a file takes, synced after every 1,024.
fn plain_file(path: &Path, turns: usize) -> anyhow::Result<f64> {
    const TOGETHER: usize = 1024;
    let mut seconds = 0.0;
    let mut file = fs::File::create(path)?;
    for piece in World::new(1, turns).pieces(TOGETHER) {
        let texts = piece.sessions.iter().flat_map(|session| &session.turns);
        let text: String = texts.map(|turn| turn.text.as_str()).collect();
        let start = Instant::now();
        file.write_all(text.as_bytes())?;
        file.sync_data()?;
        seconds += start.elapsed().as_secs_f64();
    }
    fs::remove_file(path)?;
    Ok(turns as f64 / seconds)
}
