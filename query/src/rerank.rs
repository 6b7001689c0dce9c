//! The second look at what was found: a model reads the question together with each of the first hits, and
//! what it makes of them is added to their scores.

use std::fmt;
use std::time::Duration;

use lorebase_engine::engine::Reader;
use lorebase_engine::error::Error as EngineError;
use lorebase_engine::graph::EpisodeIx;
use lorebase_engine::model::episode::Episode;
use rustc_hash::FxHashMap;

use crate::order::{self, LOOKED_AT, Look};
use crate::question::LIMIT_MAX;
use crate::recall::Hit;
use crate::weights::{
    RERANK, RERANK_ALONE, RERANK_BEFORE_BYTES, RERANK_CANDIDATES, RERANK_OWN, RERANK_TEXT_BYTES,
};

/// A model that reads a question and a text together and tells how well the one answers the other.
pub trait Reranker: Send + Sync {
    /// What answers call it.
    fn name(&self) -> &str;

    /// One number a text, in order, greater for those that answer better; they are comparable for one
    /// question only. Where the budget is used up, the texts that were not read yet have none: it may be
    /// passed by about what one of them takes. What it took is taken off the budget.
    ///
    /// # Errors
    /// Where the model fails.
    fn scores(
        &self,
        question: &str,
        texts: &[String],
        budget: Option<&mut Duration>,
    ) -> Result<Vec<f32>, Failed>;
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
    /// How long it may take; `None` for as long as it takes. Where the time is out, the hits that were read
    /// are in a new order, and the others follow as they were.
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

/// Lets a model read the first hits together with the question, and brings them into a new order: first each
/// after the turn before it, which tells what it is about; then the best of them alone, since what counts may
/// stand in either. The second look counts where there was time for all of it. Turns that were found in the learnt order are then
/// brought into the one that was learnt of what such a model makes of them.
///
/// # Errors
/// Where the model fails, or an episode cannot be read.
pub fn look_again(
    reader: &Reader,
    question: &str,
    rerank: &Rerank<'_>,
    hits: &mut [Hit],
) -> Result<Reranked, Error> {
    let (reranked, looks) = look(reader, question, rerank, hits)?;
    if let Some(looks) = looks {
        order::put_in_order_again(&looks, &mut hits[..reranked.candidates]);
    }
    Ok(reranked)
}

/// The first hits with the numbers by which they would be brought into the learnt order once `rerank` has looked at them: what
/// `scripts/order/fit.py` learns from. Takes them as [`order::considered`] gives them.
///
/// # Errors
/// As [`look_again`].
pub fn considered(
    reader: &Reader,
    question: &str,
    rerank: &Rerank<'_>,
    mut hits: Vec<Hit>,
) -> Result<Vec<(EpisodeIx, [f32; LOOKED_AT])>, Error> {
    let (_, looks) = look(reader, question, rerank, &mut hits)?;
    let numbers = |look: &Look| {
        let hit = hits.iter().find(|hit| hit.episode == look.episode)?;
        Some((look.episode, order::again(hit, look)?))
    };
    Ok(looks.iter().flatten().filter_map(numbers).collect())
}

/// Adds what the model makes of the first hits to their scores, and tells what that is where it had time for all.
fn look(
    reader: &Reader,
    question: &str,
    rerank: &Rerank<'_>,
    hits: &mut [Hit],
) -> Result<(Reranked, Option<Vec<Look>>), Error> {
    let mut budget = rerank.budget;
    let candidates = rerank.candidates.min(hits.len());
    let hits = &mut hits[..candidates];
    let mut texts = Texts::default();
    for hit in &*hits {
        texts.read(reader, hit.episode)?;
    }
    let numbers = rerank.model.scores(question, &texts.whole, budget.as_mut())?;
    let read = numbers.len();
    let reranked = Reranked { model: rerank.model.name().to_owned(), candidates, read };
    let unit = hits.first().zip(hits.last()).map_or(0.0, |(first, last)| first.score - last.score);
    let behind = shares(&numbers);
    let known: FxHashMap<EpisodeIx, f32> =
        hits.iter().zip(&numbers).map(|(hit, number)| (hit.episode, *number)).collect();
    let looks = hits.iter().zip(&behind).zip(places(&behind));
    let looks = looks.map(|((hit, share), place)| Look {
        episode: hit.episode,
        behind: (*share, place),
        alone: None,
    });
    let mut looks: Vec<Look> = looks.collect();
    add(hits, &behind, RERANK * unit);
    if read < candidates {
        return Ok((reranked, None));
    }
    let best = &mut hits[..candidates.min(RERANK_ALONE)];
    let numbers = texts.alone(question, rerank.model, budget.as_mut(), best, &known)?;
    if numbers.len() < best.len() {
        return Ok((reranked, None));
    }
    let alone = shares(&numbers);
    for ((hit, share), place) in best.iter().zip(&alone).zip(places(&alone)) {
        if let Some(look) = looks.iter_mut().find(|look| look.episode == hit.episode) {
            look.alone = Some((*share, place));
        }
    }
    let cubes: Vec<f32> = alone.into_iter().map(|share| share.powi(3)).collect();
    add(best, &cubes, RERANK_OWN * unit);
    Ok((reranked, Some(looks)))
}

/// What a model is given to read of the hits.
#[derive(Default)]
struct Texts {
    /// In the order in which they were found: the beginning of each, after the end of the turn before it.
    whole: Vec<String>,
    /// The beginnings alone, of those before which there is a turn.
    own: FxHashMap<EpisodeIx, String>,
}

impl Texts {
    fn read(&mut self, reader: &Reader, ix: EpisodeIx) -> Result<(), EngineError> {
        let (state, episode) = (reader.state(), reader.episode(ix)?);
        let own = told(&episode, &episode.text[..episode.text.floor_char_boundary(RERANK_TEXT_BYTES)]);
        let list = &state.session(state.session_with(ix)).episodes;
        let Some(before) = state.place(ix).checked_sub(1) else {
            self.whole.push(own);
            return Ok(());
        };
        let before = reader.episode(list[before])?;
        let from = before.text.len().saturating_sub(RERANK_BEFORE_BYTES);
        let end = told(&before, &before.text[before.text.ceil_char_boundary(from)..]);
        self.whole.push(format!("{end} {own}"));
        self.own.insert(ix, own);
        Ok(())
    }

    /// One number a hit for its text alone, fewer where the time is out. Where nothing stands before it that
    /// was read already.
    fn alone(
        &self,
        question: &str,
        model: &dyn Reranker,
        budget: Option<&mut Duration>,
        hits: &[Hit],
        known: &FxHashMap<EpisodeIx, f32>,
    ) -> Result<Vec<f32>, Failed> {
        let texts: Vec<String> = hits.iter().filter_map(|hit| self.own.get(&hit.episode).cloned()).collect();
        let mut numbers = model.scores(question, &texts, budget)?.into_iter();
        let number = |hit: &Hit| {
            if self.own.contains_key(&hit.episode) {
                numbers.next()
            } else {
                known.get(&hit.episode).copied()
            }
        };
        Ok(hits.iter().map_while(number).collect())
    }
}

fn told(episode: &Episode, text: &str) -> String {
    match &episode.speaker {
        Some(speaker) => format!("{speaker}: {text}"),
        None => text.to_owned(),
    }
}

/// Numbers as shares of the way from the least to the greatest; nothing where all are alike.
fn shares(numbers: &[f32]) -> Vec<f32> {
    let least = numbers.iter().copied().fold(f32::INFINITY, f32::min);
    let range = numbers.iter().copied().fold(f32::NEG_INFINITY, f32::max) - least;
    let share = |number: &f32| if range > 0.0 { (number - least) / range } else { 0.0 };
    numbers.iter().map(share).collect()
}

/// Which place each share has among them, from the greatest down.
fn places(shares: &[f32]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..shares.len()).collect();
    order.sort_by(|a, b| shares[*b].total_cmp(&shares[*a]));
    let mut places = vec![0; shares.len()];
    for (place, at) in order.into_iter().enumerate() {
        places[at] = place;
    }
    places
}

/// Adds shares of `most` to the first hits and brings all into the new order: those that got none follow as
/// they were.
fn add(hits: &mut [Hit], shares: &[f32], most: f32) {
    for (hit, share) in hits.iter_mut().zip(shares) {
        hit.parts.rerank += most * share;
        hit.score += most * share;
    }
    // Equals stay as they are.
    hits.sort_by(|a, b| b.score.total_cmp(&a.score));
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::recall::{Parts, Path};

    /// Hits with these scores, all by words.
    pub(crate) fn hits(scores: &[f32]) -> Vec<Hit> {
        let hit = |(number, score): (u32, &f32)| {
            let parts = Parts {
                lexical: *score,
                neighbours: 0.0,
                session: 0.0,
                coverage: 0.0,
                speaker: 1.0,
                timeline: 1.0,
                recency: 1.0,
                vector: 0.0,
                bridge: 0.0,
                facts: 0.0,
                copy: 1.0,
                order: 0.0,
                rerank: 0.0,
                fade: 1.0,
                update: 0.0,
            };
            Hit { episode: EpisodeIx(number), score: *score, parts, path: Path::None, numbers: None }
        };
        (0..).zip(scores).map(hit).collect()
    }

    fn order(hits: &[Hit]) -> Vec<u32> {
        hits.iter().map(|hit| hit.episode.0).collect()
    }

    #[test]
    fn the_best_number_adds_the_most_and_the_least_nothing() {
        let mut found = hits(&[8.0, 6.0, 5.0, 4.0]);
        add(&mut found, &shares(&[-3.0, 7.0, 2.0, -13.0]), 4.0);
        // 8 + 4·10/20, 6 + 4, 5 + 4·15/20, 4.
        assert_eq!(order(&found), [0, 1, 2, 3]);
        let scores: Vec<f32> = found.iter().map(|hit| hit.score).collect();
        assert_eq!(scores, [10.0, 10.0, 8.0, 4.0]);
        let sums: Vec<f32> = found.iter().map(|hit| hit.parts.lexical + hit.parts.rerank).collect();
        assert_eq!(sums, scores);
        let mut found = hits(&[8.0, 6.0, 4.0]);
        add(&mut found, &shares(&[-9.0, -9.5, 9.0]), 4.0);
        assert_eq!(order(&found), [0, 2, 1]);
    }

    #[test]
    fn what_was_not_read_follows_as_it_was_found() {
        let mut found = hits(&[8.0, 7.9, 7.8, 7.7]);
        add(&mut found, &shares(&[0.0, 1.0]), 0.3);
        assert_eq!(order(&found), [1, 0, 2, 3]);
        for numbers in [&[][..], &[5.0], &[5.0, 5.0, 5.0, 5.0]] {
            let mut found = hits(&[8.0, 7.0, 6.0, 6.0]);
            add(&mut found, &shares(numbers), 2.0);
            assert_eq!(order(&found), [0, 1, 2, 3]);
        }
        add(&mut [], &[], 0.0);
    }

    #[test]
    fn places_go_from_the_greatest_share_down() {
        assert_eq!(places(&[0.2, 1.0, 0.0, 1.0]), [2, 0, 3, 1]);
        assert!(places(&[]).is_empty());
    }
}
