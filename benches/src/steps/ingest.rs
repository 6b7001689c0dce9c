//! A world taken in: how fast, also at the end of the history, and what it came to.

use std::path::Path;
use std::time::{Duration, Instant};

use lorebase::memory::Memory;
use serde::{Deserialize, Serialize};

use crate::measure::{Resident, resident, worked};
use crate::steps::world_namespace;
use crate::world::World;
use crate::world::questions::questions;

/// Turns that are handed over at a time: many commits, and little memory.
pub(super) const PIECE: usize = 32 * 1024;

/// What taking in came to.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Ingest {
    /// Turns taken in.
    pub turns: usize,
    /// Sessions.
    pub sessions: usize,
    /// People told of.
    pub people: usize,
    /// Bytes of all texts.
    pub text_bytes: u64,
    /// Claims that were read.
    pub statements: usize,
    /// Facts among them that differ, also by when they hold.
    pub facts: usize,
    /// Entities.
    pub entities: usize,
    /// Mentions.
    pub mentions: usize,
    /// Seconds from the first commit to the last, without making the world.
    pub seconds: f64,
    /// Seconds that the cores worked in that time, together.
    pub worked: f64,
    /// Seconds of the first recall after that, which judges the facts.
    pub first_recall: f64,
    /// Turns a second over the last tenth, without that recall.
    pub last_tenth_rate: f64,
    /// Seconds that closing took.
    pub closing: f64,
    /// Memory at the end.
    pub resident: Resident,
}

impl Ingest {
    /// Turns a second, the first recall included.
    pub fn rate(&self) -> f64 {
        self.turns as f64 / (self.seconds + self.first_recall)
    }
}

pub(super) fn ingest(store: &Path, turns: usize) -> anyhow::Result<Ingest> {
    let (world, namespace) = (World::new(1, turns), world_namespace()?);
    let (memory, _) = Memory::create(store)?;
    memory.warm(&namespace)?;
    let (mut sessions, mut text_bytes, mut statements) = (0, 0, 0);
    let mut watch = Watch::default();
    for piece in world.pieces(PIECE) {
        sessions += piece.sessions.len();
        let texts = piece.sessions.iter().flat_map(|session| &session.turns);
        text_bytes += texts.map(|turn| turn.text.len() as u64).sum::<u64>();
        watch.start();
        statements += memory.ingest(&namespace, piece, |done| watch.mark(done))?.facts;
        watch.stop();
    }
    let asked = questions(&world, 1, 0);
    let start = Instant::now();
    memory.recall(&namespace, &asked[0].question())?;
    let first_recall = start.elapsed().as_secs_f64();
    let counts = memory.stats(Some(&namespace))?.counts;
    let resident = resident();
    let start = Instant::now();
    drop(memory);
    Ok(Ingest {
        turns,
        sessions,
        people: world.people(),
        text_bytes,
        statements,
        facts: counts.facts,
        entities: counts.entities,
        mentions: counts.mentions,
        seconds: watch.passed.as_secs_f64(),
        worked: watch.worked,
        first_recall,
        last_tenth_rate: watch.last_tenth_rate(),
        closing: start.elapsed().as_secs_f64(),
        resident,
    })
}

/// Measures the time in which turns are taken in, but not that in which they are made.
#[derive(Default)]
struct Watch {
    passed: Duration,
    worked: f64,
    started: Option<(Instant, f64)>,
    done: usize,
    /// How many turns were done when.
    marks: Vec<(usize, Duration)>,
}

impl Watch {
    fn start(&mut self) {
        self.started = Some((Instant::now(), worked()));
    }

    fn mark(&mut self, turns: usize) {
        self.done += turns;
        let since = self.started.map_or(Duration::ZERO, |(started, _)| started.elapsed());
        self.marks.push((self.done, self.passed + since));
    }

    fn stop(&mut self) {
        if let Some((started, before)) = self.started.take() {
            self.passed += started.elapsed();
            self.worked += worked() - before;
        }
    }

    fn last_tenth_rate(&self) -> f64 {
        let Some(&(all, end)) = self.marks.last() else { return 0.0 };
        let before = self.marks.iter().rev().find(|(done, _)| *done <= all * 9 / 10);
        let (done, at) = before.copied().unwrap_or_default();
        (all - done) as f64 / end.saturating_sub(at).as_secs_f64()
    }
}
