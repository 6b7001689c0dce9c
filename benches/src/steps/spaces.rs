//! Many namespaces in one store: how fast they are taken in, and what it takes to ask in one of them.

use std::path::Path;
use std::time::{Duration, Instant};

use lorebase::engine::model::id::Namespace;
use lorebase::memory::Memory;
use serde::{Deserialize, Serialize};

use crate::measure::{Resident, resident};
use crate::world::World;
use crate::world::questions::questions;

/// What taking in came to.
#[derive(Debug, Clone, Copy, Default, Serialize, Deserialize)]
pub struct Spaces {
    /// How many namespaces.
    pub spaces: usize,
    /// Turns in each.
    pub turns: usize,
    /// Seconds, without making the worlds.
    pub seconds: f64,
    /// Bytes of all texts.
    pub text_bytes: u64,
    /// Memory with all of them loaded, unless the engine lets go of some.
    pub resident: Resident,
}

/// What asking in one of many came to, in a process that did nothing before.
#[derive(Debug, Clone, Copy, Default, Serialize, Deserialize)]
pub struct OneOfMany {
    /// Seconds until the store stood open.
    pub store: f64,
    /// Seconds from there to the answer.
    pub answer: f64,
    /// Memory then.
    pub resident: Resident,
    /// Seconds to an answer in another namespace after that.
    pub second_answer: f64,
}

fn namespace(number: usize) -> anyhow::Result<Namespace> {
    Ok(Namespace::new(&format!("tenant/{number}"))?)
}

fn world(number: usize, turns: usize) -> World {
    World::new(1000 + number as u64, turns)
}

pub(super) fn ingest(store: &Path, spaces: usize, turns: usize) -> anyhow::Result<Spaces> {
    let (memory, _) = Memory::create(store)?;
    let mut passed = Duration::ZERO;
    let mut text_bytes = 0;
    for number in 0..spaces {
        let namespace = namespace(number)?;
        for piece in world(number, turns).pieces(turns) {
            let texts = piece.sessions.iter().flat_map(|session| &session.turns);
            text_bytes += texts.map(|turn| turn.text.len() as u64).sum::<u64>();
            let start = Instant::now();
            memory.ingest(&namespace, piece, |_| ())?;
            passed += start.elapsed();
        }
    }
    Ok(Spaces { spaces, turns, seconds: passed.as_secs_f64(), text_bytes, resident: resident() })
}

pub(super) fn ask_in_one(store: &Path, spaces: usize) -> anyhow::Result<OneOfMany> {
    // Questions are made before the clock runs.
    let ask = |number: usize| -> anyhow::Result<_> {
        let asked = questions(&world(number, 200), 1, 0).remove(0);
        Ok((namespace(number)?, asked))
    };
    let (first, second) = (ask(spaces / 2)?, ask(spaces / 3)?);
    let start = Instant::now();
    let (memory, _) = Memory::open(store)?;
    let opened = start.elapsed().as_secs_f64();
    memory.recall(&first.0, &first.1.question())?;
    let answer = start.elapsed().as_secs_f64() - opened;
    let resident = resident();
    let start = Instant::now();
    memory.recall(&second.0, &second.1.question())?;
    Ok(OneOfMany { store: opened, answer, resident, second_answer: start.elapsed().as_secs_f64() })
}
