//! Notes committed on several threads at once: how many a second, and how many share a sync.

use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use lorebase::extract::transcript::Turn;
use lorebase::memory::{Memory, Remember};
use serde::{Deserialize, Serialize};

use crate::journal::syncs;
use crate::measure::Latency;
use crate::steps::world_namespace;
use crate::world::World;

/// Notes that a session gets before the next begins.
const SESSION_NOTES: usize = 32;
/// Turns of the world that notes are taken from.
const WORLD: usize = 4000;

/// What committing together came to.
#[derive(Debug, Clone, Copy, Default, Serialize, Deserialize)]
pub struct Grouped {
    /// Threads that committed at once.
    pub threads: usize,
    /// Commits a second.
    pub rate: f64,
    /// Syncs of the journal for each commit, where they can be counted.
    pub syncs_a_commit: Option<f64>,
    /// How long a thread waited for its commit.
    pub latency: Latency,
}

pub(super) fn group(store: &Path, threads: usize, seconds: f64) -> anyhow::Result<Grouped> {
    let namespace = world_namespace()?;
    let (memory, _) = Memory::create(store)?;
    memory.warm(&namespace)?;
    let told: Vec<Vec<Turn>> = (0..threads)
        .map(|thread| World::new(thread as u64, WORLD).sessions().flat_map(|session| session.turns).collect())
        .collect();
    let until = Instant::now() + Duration::from_secs_f64(seconds);
    let commits = AtomicU64::new(0);
    let start = Instant::now();
    let note = |thread: usize| -> anyhow::Result<Vec<Duration>> {
        let mut times = Vec::new();
        for (number, turn) in told[thread].iter().cycle().enumerate() {
            if Instant::now() >= until {
                break;
            }
            let session = format!("thread {thread}, {}", number / SESSION_NOTES);
            let what = Remember {
                speaker: turn.speaker.as_deref(),
                session: Some(&session),
                ..Remember::new(&turn.text)
            };
            let start = Instant::now();
            memory.remember(&namespace, &what)?;
            times.push(start.elapsed());
            commits.fetch_add(1, Ordering::Relaxed);
        }
        Ok(times)
    };
    let mut times = thread::scope(|scope| {
        let note = &note;
        let running: Vec<_> = (0..threads).map(|thread| scope.spawn(move || note(thread))).collect();
        let mut times = Vec::new();
        for thread in running {
            times.extend(thread.join().expect("a thread that notes does not panic")?);
        }
        anyhow::Ok(times)
    })?;
    let rate = commits.into_inner() as f64 / start.elapsed().as_secs_f64();
    drop(memory);
    let counted = syncs(store)?.filter(|counted| counted.commits > 0);
    let syncs_a_commit = counted.map(|counted| counted.syncs as f64 / counted.commits as f64);
    Ok(Grouped { threads, rate, syncs_a_commit, latency: Latency::of(&mut times) })
}
