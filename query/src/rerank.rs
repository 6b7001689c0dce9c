//! The second look at what was found: a model reads the question together with each of the first hits, and what it makes of
//! them is added to their scores.

use std::fmt;
use std::time::{Duration, Instant};

use lorebase_engine::engine::Reader;
use lorebase_engine::error::Error as EngineError;
use lorebase_engine::graph::EpisodeIx;
use lorebase_engine::model::episode::Episode;

use crate::question::LIMIT_MAX;
use crate::recall::Hit;
use crate::spread::answered;
use crate::weights::{RERANK, RERANK_BEFORE_BYTES, RERANK_CANDIDATES, RERANK_TEXT_BYTES};

/// A model that reads a question and a text together and tells how well the one answers the other.
pub trait Reranker: Send + Sync {
    /// What answers call it.
    fn name(&self) -> &str;

    /// One number a text, in order, greater for those that answer better; they are comparable for one question only. Where
    /// `until` comes, the texts that were not read yet have none: it may be passed by about what one of them takes.
    ///
    /// # Errors
    /// Where the model fails.
    fn scores(&self, question: &str, texts: &[String], until: Option<Instant>) -> Result<Vec<f32>, Failed>;
}

/// A model failed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the reranker {model} failed: {problem}")]
pub struct Failed {
    /// What it is called.
    pub model: String,
    /// What is wrong.
    pub problem: String,
}

/// Why hits could not be looked at again.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// An episode could not be read from the store.
    #[error(transparent)]
    Engine(#[from] EngineError),
    /// The model failed.
    #[error(transparent)]
    Model(#[from] Failed),
}

/// How hits are looked at again.
#[derive(Clone, Copy)]
pub struct Rerank<'m> {
    /// The model.
    pub model: &'m dyn Reranker,
    /// How many of the first hits it reads.
    pub candidates: usize,
    /// How long it may take; `None` for as long as it takes. Where the time is out, the hits that were read are in a new
    /// order, and the others follow as they were.
    pub budget: Option<Duration>,
}

impl<'m> Rerank<'m> {
    /// The first 40 hits, however long it takes.
    pub fn new(model: &'m dyn Reranker) -> Self {
        Self { model, candidates: RERANK_CANDIDATES, budget: None }
    }
}

impl fmt::Debug for Rerank<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { model, candidates, budget } = self;
        write!(f, "Rerank {{ {}, candidates: {candidates}, budget: {budget:?} }}", model.name())
    }
}

/// What looking again came to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reranked {
    /// The model's name.
    pub model: String,
    /// How many hits it was to read.
    pub candidates: usize,
    /// How many it read in the time that it had.
    pub read: usize,
}

/// How many hits must be found for a question that wants `limit` of them.
pub(crate) fn wanted(limit: usize, rerank: Option<&Rerank<'_>>) -> usize {
    limit.max(rerank.map_or(0, |rerank| rerank.candidates)).min(LIMIT_MAX)
}

/// Lets a model read the first hits together with the question, and brings them into a new order.
///
/// # Errors
/// Where the model fails, or an episode cannot be read.
pub fn look_again(
    reader: &Reader,
    question: &str,
    rerank: &Rerank<'_>,
    hits: &mut [Hit],
) -> Result<Reranked, Error> {
    let until = rerank.budget.map(|budget| Instant::now() + budget);
    let candidates = rerank.candidates.min(hits.len());
    let hits = &mut hits[..candidates];
    let texts = hits.iter().map(|hit| reading(reader, hit.episode)).collect::<Result<Vec<_>, _>>()?;
    let numbers = rerank.model.scores(question, &texts, until)?;
    add(hits, &numbers);
    Ok(Reranked { model: rerank.model.name().to_owned(), candidates, read: numbers.len() })
}

/// What a model is given to read of an episode: its beginning, after the end of the turn before where that asks something.
fn reading(reader: &Reader, ix: EpisodeIx) -> Result<String, EngineError> {
    let (state, episode) = (reader.state(), reader.episode(ix)?);
    let own = told(&episode, &episode.text[..episode.text.floor_char_boundary(RERANK_TEXT_BYTES)]);
    let list = &state.session(state.session_with(ix)).episodes;
    let Some(before) = answered(state, list, state.place(ix)) else { return Ok(own) };
    let before = reader.episode(list[before])?;
    let from = before.text.len().saturating_sub(RERANK_BEFORE_BYTES);
    let end = told(&before, &before.text[before.text.ceil_char_boundary(from)..]);
    Ok(format!("{end} {own}"))
}

fn told(episode: &Episode, text: &str) -> String {
    match &episode.speaker {
        Some(speaker) => format!("{speaker}: {text}"),
        None => text.to_owned(),
    }
}

/// Adds to the hits what a model made of the first of them, and brings them into the new order. The best of these numbers
/// adds [`RERANK`] times as much as the scores of the hits differ by, the least nothing; hits that were not read get nothing
/// either, and come after all that were.
fn add(hits: &mut [Hit], numbers: &[f32]) {
    let (Some(first), Some(last)) = (hits.first(), hits.last()) else { return };
    let unit = RERANK * (first.score - last.score);
    let least = numbers.iter().copied().fold(f32::INFINITY, f32::min);
    let range = numbers.iter().copied().fold(f32::NEG_INFINITY, f32::max) - least;
    for (hit, number) in hits.iter_mut().zip(numbers) {
        hit.parts.rerank = if range > 0.0 { unit * (number - least) / range } else { 0.0 };
        hit.score += hit.parts.rerank;
    }
    // Equals stay as they are.
    hits.sort_by(|a, b| b.score.total_cmp(&a.score));
}
