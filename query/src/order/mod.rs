//! The order of the first hits: trees that were learnt from questions and what answers them say which of the turns that the
//! formula puts first go before which others, and of each session those behind the first are held back a little: what several
//! turns answer together is mostly told in several sessions. They take the places, and the scores, of one another; documents stay
//! where they are.

mod features;

use std::sync::LazyLock;

use lorebase_engine::embed::Understanding;
use lorebase_engine::engine::Reader;
use lorebase_engine::graph::{EpisodeIx, SessionIx};
use lorebase_engine::state::State;
use rustc_hash::FxHashMap;

pub use self::features::{FEATURES, Features};
use crate::question::{Cues, Question};
use crate::recall::{self, Hit, QuestionVector};
use crate::retrieve::timeline::Horizon;
use crate::trees::{Data, Trees};
use crate::ways::{Way, Ways};
use crate::weights::{ORDER_APART, ORDER_FORMULA, ORDERED, RERANK_ALONE};

/// What stands at the beginning of the data.
const MAGIC: &[u8] = b"lorebase order 1\n";

/// How many numbers tell of a hit that a model has looked at again.
pub const LOOKED_AT: usize = FEATURES + 4;

/// What was learnt of hits as they are found, and as they are looked at again.
static FOUND: LazyLock<Trees> =
    LazyLock::new(|| built_in(include_bytes!("../../data/order-1.bin"), FEATURES));
static AGAIN: LazyLock<Trees> =
    LazyLock::new(|| built_in(include_bytes!("../../data/order-again-1.bin"), LOOKED_AT));

fn built_in(bytes: &[u8], numbers: usize) -> Trees {
    read(bytes, numbers).expect("the built-in data is whole, as a test checks")
}

fn read(bytes: &[u8], numbers: usize) -> Option<Trees> {
    let mut data = Data::behind(MAGIC, bytes)?;
    Trees::read(&mut data, numbers).filter(|_| data.is_read())
}

/// How many hits must be found, so that the best can be among them.
pub(crate) fn wanted(ways: Ways) -> usize {
    if ways.use_of(Way::Order) { ORDERED } else { 0 }
}

/// Brings the turns among the first hits into the learnt order.
pub(crate) fn put_in_order(state: &State, cues: &Cues, vector: Option<QuestionVector<'_>>, hits: &mut [Hit]) {
    let first = hits.len().min(ORDERED);
    note(state, cues, vector, &mut hits[..first]);
    let rate = |numbers: &Features| FOUND.rate(&numbers[..]) + ORDER_FORMULA * numbers[features::SCORE];
    arrange(hits, |hit| hit.numbers.as_deref().map(rate), |hit| Some(state.session_with(hit.episode)));
}

/// Notes what tells of each hit that is a turn.
fn note(state: &State, cues: &Cues, vector: Option<QuestionVector<'_>>, hits: &mut [Hit]) {
    let numbers = features::features(state, cues, meant(vector), hits);
    for (hit, numbers) in hits.iter_mut().zip(numbers) {
        hit.numbers = (!state.is_document(hit.episode)).then(|| Box::new(numbers));
    }
}

/// Brings those hits into the learnt order that were brought into one when they were found, now that a model has looked at all of
/// them again.
pub(crate) fn put_in_order_again(looks: &[Look], hits: &mut [Hit]) {
    let look = |hit: &Hit| looks.iter().find(|look| look.episode == hit.episode);
    let rate = |hit: &Hit| Some(AGAIN.rate(&again(hit, look(hit)?)?));
    arrange(hits, rate, |_| None);
}

/// What a model made of a hit, as shares of the way from its least number to its greatest, and the place that this is.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Look {
    pub(crate) episode: EpisodeIx,
    /// Behind the turn before it.
    pub(crate) behind: (f32, usize),
    /// Alone, where it was among the best of these.
    pub(crate) alone: Option<(f32, usize)>,
}

/// The numbers of a hit that was looked at again; `None` for one that has none.
pub(crate) fn again(hit: &Hit, look: &Look) -> Option<[f32; LOOKED_AT]> {
    let mut numbers = [0.0; LOOKED_AT];
    numbers[..FEATURES].copy_from_slice(&hit.numbers.as_deref()?[..]);
    let alone = look.alone.unwrap_or((-1.0, RERANK_ALONE));
    for (place, (share, rank)) in [look.behind, alone].into_iter().enumerate() {
        numbers[FEATURES + 2 * place] = share;
        numbers[FEATURES + 2 * place + 1] = rank as f32;
    }
    Some(numbers)
}

/// Brings the hits that are rated into the order of their ratings, those of one session apart where sessions are told: they change
/// places and scores among themselves.
fn arrange(
    hits: &mut [Hit],
    rate: impl Fn(&Hit) -> Option<f32>,
    session: impl Fn(&Hit) -> Option<SessionIx>,
) {
    let rated = hits.iter().enumerate();
    let mut rated: Vec<(usize, f32, Option<SessionIx>)> =
        rated.filter_map(|(place, hit)| Some((place, rate(hit)?, session(hit)))).collect();
    let places: Vec<usize> = rated.iter().map(|(place, ..)| *place).collect();
    let scores: Vec<f32> = places.iter().map(|place| hits[*place].score).collect();
    let mut taken: FxHashMap<SessionIx, f32> = FxHashMap::default();
    let mut moved: Vec<Hit> = Vec::with_capacity(rated.len());
    while !rated.is_empty() {
        let before = |session: &Option<SessionIx>| session.and_then(|session| taken.get(&session));
        let left = |session| ORDER_APART * before(session).map_or(0.0, |taken: &f32| taken.ln_1p());
        let worth: Vec<f32> = rated.iter().map(|(_, rating, session)| rating - left(session)).collect();
        // Equals stay as they are.
        let best = (0..worth.len()).rev().max_by(|a, b| worth[*a].total_cmp(&worth[*b])).unwrap_or(0);
        let (place, _, session) = rated.remove(best);
        if let Some(session) = session {
            *taken.entry(session).or_default() += 1.0;
        }
        moved.push(hits[place].clone());
    }
    for ((place, score), mut hit) in places.into_iter().zip(scores).zip(moved) {
        hit.parts.order += score - hit.score;
        hits[place] = Hit { score, ..hit };
    }
}

/// The question's vector, where likeness is that of words or of sentences.
fn meant(vector: Option<QuestionVector<'_>>) -> Option<&[f32]> {
    vector.filter(|asked| asked.understanding != Understanding::Spelling).map(|asked| asked.vector)
}

/// The first hits of a question before they are brought into the learnt order, each with the numbers by which it would be, where
/// it is a turn: what `scripts/order/fit.py` learns from.
pub fn considered(reader: &Reader, question: &Question<'_>, vector: Option<QuestionVector<'_>>) -> Vec<Hit> {
    let ways = question.ways.without(Way::Order);
    let question = Question { limit: ORDERED, ways, ..question.clone() };
    let mut hits = recall::recall(reader, &question, vector).hits;
    let state = reader.state();
    let horizon = Horizon::of(state, &question);
    let cues = Cues::read(state, &question, horizon.as_ref());
    note(state, &cues, vector.filter(|_| ways.use_of(Way::Vector)), &mut hits);
    hits
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_built_in_data_is_whole_and_nothing_else_is_taken() {
        let data: [(&[u8], usize); 2] = [
            (include_bytes!("../../data/order-1.bin"), FEATURES),
            (include_bytes!("../../data/order-again-1.bin"), LOOKED_AT),
        ];
        for (bytes, numbers) in data {
            assert!(read(bytes, numbers).is_some());
            assert!(read(&bytes[..bytes.len() - 1], numbers).is_none());
            assert!(read(&[bytes, &[0]].concat(), numbers).is_none());
            assert!(read(b"", numbers).is_none());
        }
    }

    #[test]
    fn what_is_rated_changes_places_and_scores_and_the_rest_stays() {
        let mut hits = crate::rerank::tests::hits(&[9.0, 8.0, 6.0, 5.0]);
        // The second is not rated, and of the others the last is best; the first and the third are level.
        let ratings = [Some(1.0), None, Some(1.0), Some(2.0)];
        let apart = |_: &Hit| None;
        arrange(&mut hits, |hit| ratings[hit.episode.0 as usize], apart);
        let order: Vec<(u32, f32)> = hits.iter().map(|hit| (hit.episode.0, hit.score)).collect();
        assert_eq!(order, [(3, 9.0), (1, 8.0), (0, 6.0), (2, 5.0)]);
        let sums: Vec<f32> = hits.iter().map(|hit| hit.parts.lexical + hit.parts.order).collect();
        assert_eq!(sums, [9.0, 8.0, 6.0, 5.0]);
        arrange(&mut [], |_| Some(1.0), apart);
    }

    #[test]
    fn hits_of_one_session_are_held_back_behind_the_first() {
        let ratings = [2.0, 1.9, 1.9 - ORDER_APART / 2.0, 0.0];
        let session = |hit: &Hit| Some(SessionIx(u32::from(hit.episode.0 > 1)));
        let mut hits = crate::rerank::tests::hits(&[9.0, 8.0, 6.0, 5.0]);
        arrange(&mut hits, |hit| Some(ratings[hit.episode.0 as usize]), session);
        let order: Vec<u32> = hits.iter().map(|hit| hit.episode.0).collect();
        assert_eq!(order, [0, 2, 1, 3]);
    }

    #[test]
    fn a_hit_that_was_not_read_alone_is_told_from_one_that_was() {
        let mut hits = crate::rerank::tests::hits(&[9.0]);
        let look = Look { episode: EpisodeIx(0), behind: (0.5, 3), alone: None };
        assert!(again(&hits[0], &look).is_none());
        hits[0].numbers = Some(Box::new([1.0; FEATURES]));
        let numbers = again(&hits[0], &look).unwrap();
        assert_eq!(numbers[..FEATURES], [1.0; FEATURES]);
        assert_eq!(numbers[FEATURES..], [0.5, 3.0, -1.0, RERANK_ALONE as f32]);
        let read = Look { alone: Some((1.0, 0)), ..look };
        assert_eq!(again(&hits[0], &read).unwrap()[FEATURES + 2..], [1.0, 0.0]);
    }
}
