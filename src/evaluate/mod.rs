//! Runs a benchmark: every case into a namespace of its own, every question asked, the run scored. It prints
//! nothing; `lore bench` and the `benches` crate show what it returns.

pub mod ask;
mod given;
pub mod hops;
pub mod truth;

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use lorebase_datasets::benchmark::Benchmark;
use lorebase_datasets::case::{Case, Question as Asked};
use lorebase_datasets::run::{Run, RunAnswer};
use lorebase_datasets::score::{Granularity, Scores, score};
use lorebase_engine::embed::Embedder;
use lorebase_engine::model::id::{Namespace, SessionId};
use lorebase_query::question::Question;
use lorebase_query::rerank::Rerank;
use lorebase_query::ways::Ways;
use tempfile::TempDir;

use crate::error::Error;
use crate::memory::{Memory, Recalled};

/// Which facts the memory has of a case.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FactSource {
    /// Those that its own extractor reads.
    Own,
    /// Those that the case brings, in their place.
    Given,
    /// Both.
    Both,
}

impl FactSource {
    /// Every source with its name on the command line.
    pub const ALL: [(Self, &'static str); 3] =
        [(Self::Own, "own"), (Self::Given, "given"), (Self::Both, "both")];

    /// The source's name.
    pub fn as_str(self) -> &'static str {
        Self::ALL[self as usize].1
    }
}

/// How a benchmark is run.
#[derive(Clone, Copy)]
pub struct Options<'o> {
    /// How many hits are asked for.
    pub limit: usize,
    /// Which facts the memory has.
    pub facts: FactSource,
    /// Which parts of recall are used.
    pub ways: Ways,
    /// What is counted as found.
    pub granularity: Granularity,
    /// Where the store is made, or lies without any of the cases in it; a temporary directory for `None`.
    pub store: Option<&'o Path>,
    /// The model that makes vectors; the built-in one for `None`.
    pub embedder: Option<&'o Arc<dyn Embedder>>,
    /// How hits are looked at again, if they are.
    pub rerank: Option<Rerank<'o>>,
}

/// What a benchmark came to.
#[derive(Debug, Clone)]
pub struct Report {
    /// The ranking of every question.
    pub run: Run,
    /// Its scores.
    pub scores: Scores,
    /// Turns that were ingested.
    pub turns: usize,
    /// How long that took: reading for facts, embedding, indexes and syncs included.
    pub ingest: Duration,
    /// How long each recall took, texts included, ascending.
    pub recalls: Vec<Duration>,
}

impl Report {
    /// Turns ingested a second.
    pub fn turns_per_second(&self) -> f64 {
        self.turns as f64 / self.ingest.as_secs_f64().max(1e-9)
    }

    /// The duration that the share `quantile` of the recalls did not exceed.
    pub fn recall_quantile(&self, quantile: f64) -> Duration {
        let place = (quantile * self.recalls.len() as f64).ceil() as usize;
        self.recalls.get(place.saturating_sub(1)).copied().unwrap_or_default()
    }
}

/// Ingests every case and asks every question. `progress` is told how many of all questions are answered.
///
/// # Errors
/// [`Error::Argument`] where the store already holds one of the cases, and the store's.
pub fn evaluate(
    benchmark: Benchmark,
    cases: &[Case],
    options: &Options<'_>,
    progress: impl FnMut(usize, usize),
) -> Result<Report, Error> {
    Told::new(benchmark, cases, options)?.evaluate(options, progress)
}

/// A memory that is told the cases of a benchmark, each once, however often it is asked.
pub struct Told<'c> {
    benchmark: Benchmark,
    cases: &'c [Case],
    facts: FactSource,
    memory: Memory,
    /// How many of the cases it was told, with how many turns, and how long that took.
    done: usize,
    turns: usize,
    ingest: Duration,
    _temporary: TempDir,
}

impl<'c> Told<'c> {
    /// A memory that will be told these, with the store, the embedder and the facts of `options`.
    ///
    /// # Errors
    /// As [`evaluate`].
    pub fn new(benchmark: Benchmark, cases: &'c [Case], options: &Options<'_>) -> Result<Self, Error> {
        let temporary = tempfile::tempdir().map_err(|source| Error::Temporary { source })?;
        let memory = memory_for(benchmark, cases, options, temporary.path())?;
        let (facts, ingest) = (options.facts, Duration::ZERO);
        Ok(Self { benchmark, cases, facts, memory, done: 0, turns: 0, ingest, _temporary: temporary })
    }

    /// Asks every question, by what `options` say of asking; before those of a case, the case is told if it was not yet.
    ///
    /// # Errors
    /// As [`evaluate`].
    pub fn evaluate(
        &mut self,
        options: &Options<'_>,
        mut progress: impl FnMut(usize, usize),
    ) -> Result<Report, Error> {
        let (benchmark, cases) = (self.benchmark, self.cases);
        let (mut run, mut recalls) = (Run::default(), Vec::new());
        let total = cases.iter().map(|case| case.questions.len()).sum();
        for (number, case) in cases.iter().enumerate() {
            let namespace = case_namespace(benchmark, case)?;
            if number == self.done {
                let (turns, took) = ingest_case(&self.memory, &namespace, case, self.facts)?;
                self.done += 1;
                self.turns += turns;
                self.ingest += took;
            }
            for asked in &case.questions {
                let question = Question {
                    limit: options.limit,
                    before_session: session_before(&self.memory, &namespace, case, asked)?,
                    ways: options.ways,
                    rerank: options.rerank,
                    ..Question::new(&asked.text)
                };
                let start = Instant::now();
                let found = self.memory.recall(&namespace, &question)?;
                recalls.push(start.elapsed());
                // Figures of words alone would pass for those of the model.
                if let Some(problem) = found.meaning.problem {
                    let problem = format!("has not answered {}: {problem}", asked.id);
                    return Err(Error::Argument { argument: "the model", problem });
                }
                run.insert(RunAnswer {
                    case: case.name.clone(),
                    question: asked.id.clone(),
                    ranked: ranked(benchmark, found),
                });
                progress(recalls.len(), total);
            }
        }
        recalls.sort_unstable();
        let scores = score(cases, &run, benchmark, options.granularity);
        Ok(Report { run, scores, turns: self.turns, ingest: self.ingest, recalls })
    }
}

/// The memory that a benchmark is run on: in its store, or in `temporary`.
fn memory_for(
    benchmark: Benchmark,
    cases: &[Case],
    options: &Options<'_>,
    temporary: &Path,
) -> Result<Memory, Error> {
    let directory = options.store.unwrap_or(temporary);
    let (memory, _) = match options.embedder {
        Some(embedder) => Memory::create_with(directory, Arc::clone(embedder))?,
        None => Memory::create(directory)?,
    };
    refuse_known(&memory, benchmark, cases)?;
    Ok(memory)
}

/// What is already stored would be passed over, and that is not what is to be measured.
fn refuse_known(memory: &Memory, benchmark: Benchmark, cases: &[Case]) -> Result<(), Error> {
    let known = memory.engine().namespaces()?;
    for case in cases {
        let namespace = case_namespace(benchmark, case)?;
        if known.contains(&namespace) {
            let problem =
                format!("already holds {namespace}; name a new directory, or none for a temporary one");
            return Err(Error::Argument { argument: "the benchmark's store", problem });
        }
    }
    Ok(())
}

fn case_namespace(benchmark: Benchmark, case: &Case) -> Result<Namespace, Error> {
    let label: String = case.name.chars().map(|c| if c == '/' || c.is_control() { '_' } else { c }).collect();
    Ok(Namespace::new(&format!("bench/{}/{label}", benchmark.name()))?)
}

/// Puts a case into its namespace: how many turns that were, and how long it took.
fn ingest_case(
    memory: &Memory,
    namespace: &Namespace,
    case: &Case,
    facts: FactSource,
) -> Result<(usize, Duration), Error> {
    let transcript = case.transcript.clone();
    let start = Instant::now();
    // Loaded first, so that building the graph and the indexes is part of what is timed.
    memory.warm(namespace)?;
    let ingested = memory.ingest(namespace, transcript, |_| ())?;
    if facts != FactSource::Own {
        given::commit(memory, namespace, case, facts)?;
    }
    memory.embed_pending(namespace, |_| ())?;
    Ok((ingested.episodes, start.elapsed()))
}

/// The session before which a question is asked. A session without turns is not stored, and the next one that
/// is stands for it; after the last, everything was said before.
///
/// # Errors
/// The store's.
pub fn session_before(
    memory: &Memory,
    namespace: &Namespace,
    case: &Case,
    asked: &Asked,
) -> Result<Option<SessionId>, Error> {
    let Some(before) = asked.before_session.as_deref().map(SessionId::new) else { return Ok(None) };
    let reader = memory.engine().reader(namespace)?;
    let sessions = &case.transcript.sessions;
    let Some(place) = sessions.iter().position(|session| session.id == before) else {
        // Recall says that there is none of that name.
        return Ok(Some(before));
    };
    let stored = |id: &&SessionId| reader.state().find_session(id).is_some();
    Ok(sessions[place..].iter().map(|session| &session.id).find(stored).cloned())
}

/// The ids that a run of the benchmark ranks.
fn ranked(benchmark: Benchmark, found: Recalled) -> Vec<String> {
    let episodes = found.hits.into_iter().map(|hit| hit.episode);
    let mut ids: Vec<String> = match benchmark {
        Benchmark::LongMemEval => episodes.map(|episode| episode.session.as_str().to_owned()).collect(),
        Benchmark::LoCoMo | Benchmark::Cases => episodes.filter_map(|episode| episode.source_id).collect(),
    };
    let mut seen = std::collections::HashSet::new();
    ids.retain(|id| seen.insert(id.clone()));
    ids
}
