//! Questions asked: how long an answer takes, by kind of question.

use std::path::Path;
use std::time::{Duration, Instant};

use lorebase::engine::model::id::Namespace;
use lorebase::memory::Memory;
use lorebase::query::question::Question;
use lorebase::query::ways::Ways;
use serde::{Deserialize, Serialize};

use crate::measure::Latency;
use crate::steps::world_namespace;
use crate::world::World;
use crate::world::questions::{Asked, Kind, questions};

/// How long one kind of question takes.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct KindAnswers {
    /// The kind.
    pub kind: String,
    /// How long.
    pub latency: Latency,
}

/// How long answers take, each with the texts of ten hits.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Answers {
    /// Questions that the overall figure is over: all kinds but the one whose words no turn has.
    pub questions: usize,
    /// Over all of those.
    pub all: Latency,
    /// By kind.
    pub kinds: Vec<KindAnswers>,
    /// Plain BM25 on the questions of two hops, for comparison: nothing but words.
    pub words_only: Latency,
}

/// Questions of each kind that are asked before any is measured.
const FIRST: usize = 5;

pub(super) fn ask(store: &Path, turns: usize, each: usize) -> anyhow::Result<Answers> {
    let (world, namespace) = (World::new(1, turns), world_namespace()?);
    let (memory, _) = Memory::open(store)?;
    for asked in questions(&world, FIRST, 1) {
        memory.recall(&namespace, &asked.question())?;
    }
    let asked = questions(&world, each, 0);
    let mut times = Vec::new();
    for one in &asked {
        times.push((one.kind, time(&memory, &namespace, &one.question())?));
    }
    let of = |fits: &dyn Fn(Kind) -> bool| {
        times.iter().filter(|(kind, _)| fits(*kind)).map(|(_, time)| *time).collect::<Vec<Duration>>()
    };
    let mut all = of(&|kind| kind != Kind::Unknown);
    let kind = |(kind, name): (Kind, &str)| {
        let latency = Latency::of(&mut of(&|other| other == kind));
        KindAnswers { kind: name.to_owned(), latency }
    };
    let kinds = Kind::ALL.into_iter().map(kind).collect();
    let words_only = words_only(&memory, &namespace, &asked)?;
    Ok(Answers { questions: all.len(), all: Latency::of(&mut all), kinds, words_only })
}

fn time(memory: &Memory, namespace: &Namespace, question: &Question<'_>) -> anyhow::Result<Duration> {
    let start = Instant::now();
    memory.recall(namespace, question)?;
    Ok(start.elapsed())
}

fn words_only(memory: &Memory, namespace: &Namespace, asked: &[Asked]) -> anyhow::Result<Latency> {
    let mut times = Vec::new();
    for one in asked.iter().filter(|one| one.kind == Kind::TwoHops) {
        times.push(time(memory, namespace, &Question { ways: Ways::NONE, ..one.question() })?);
    }
    Ok(Latency::of(&mut times))
}
