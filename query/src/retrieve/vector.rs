//! By vector: how like the question each of the nearest episodes is.

use lorebase_engine::embed::Understanding;
use lorebase_engine::graph::{EpisodeIx, SessionIx};
use lorebase_engine::state::State;
use rustc_hash::FxHashMap;

use crate::weights::{
    MEANING, MEANING_CANDIDATES, MEANING_NEAR, MEANING_SESSION, VECTOR_CANDIDATES, VECTOR_FLOOR, WORD_FLOOR,
    WORD_MEANING, WORD_MEANING_DOCUMENT, WORD_MEANING_NEAR, WORD_MEANING_SESSION,
};

/// What likeness counts for.
pub(crate) struct Weights {
    floor: f32,
    share: f32,
    near: [f32; 3],
    session: f32,
    document: f32,
}

impl Weights {
    /// Those of a model that understands so much.
    pub(crate) fn of(understanding: Understanding) -> Self {
        match understanding {
            Understanding::Spelling | Understanding::Sentences => Self {
                floor: VECTOR_FLOOR,
                share: MEANING,
                near: MEANING_NEAR,
                session: MEANING_SESSION,
                document: 1.0,
            },
            Understanding::Words => Self {
                floor: WORD_FLOOR,
                share: WORD_MEANING,
                near: WORD_MEANING_NEAR,
                session: WORD_MEANING_SESSION,
                document: WORD_MEANING_DOCUMENT,
            },
        }
    }
}

/// The nearest episodes with their likeness, of those that are like the question at all.
pub(crate) fn nearest(state: &State, question: &[f32], weights: &Weights) -> FxHashMap<EpisodeIx, f32> {
    let found = state.vectors().search(question, VECTOR_CANDIDATES);
    let alike = found.into_iter().filter(|(_, likeness)| *likeness >= weights.floor);
    alike.map(|(number, likeness)| (EpisodeIx(number), likeness)).collect()
}

/// What meaning adds to the nearest episodes and to those near them, where the best score by words is `top`: the
/// likeness of each between that of the last candidate and that of the first, lent to its neighbours as the score by words
/// is, with a share of what the best turns of its session come to.
pub(crate) fn meaning(
    state: &State,
    question: &[f32],
    top: f32,
    weights: &Weights,
) -> FxHashMap<EpisodeIx, f32> {
    // Of a small memory no more than half: the others are what likeness is measured from.
    let wanted = MEANING_CANDIDATES.min(state.vectors().len().div_ceil(2)).max(2);
    let found = state.vectors().search(question, wanted);
    let (Some((_, best)), Some((_, least))) = (found.first(), found.last()) else {
        return FxHashMap::default();
    };
    // Where there are no others, unlike is what has nothing in common with the question.
    let least = if found.len() < state.vectors().len() { *least } else { 0.0 };
    let range = (best - least).max(f32::MIN_POSITIVE);
    let mut sums: FxHashMap<EpisodeIx, f32> = FxHashMap::default();
    let mut sessions: FxHashMap<SessionIx, Vec<f32>> = FxHashMap::default();
    for (number, likeness) in &found {
        let (ix, value) = (EpisodeIx(*number), ((likeness - least) / range).max(0.0));
        let session = state.session_with(ix);
        sessions.entry(session).or_default().push(value);
        for (other, weight) in near(&state.session(session).episodes, state.place(ix), weights.near) {
            *sums.entry(other).or_default() += weight * value;
        }
    }
    let sessions: FxHashMap<SessionIx, f32> =
        sessions.into_iter().map(|(session, values)| (session, mean_of_best(values))).collect();
    let total = |(ix, sum): (EpisodeIx, f32)| {
        let session = state.session_with(ix);
        let kind = if state.session(session).episodes.len() == 1 { weights.document } else { 1.0 };
        let lent = sessions.get(&session).copied().unwrap_or(0.0);
        (ix, kind * weights.share * top * (sum + weights.session * lent))
    };
    sums.into_iter().map(total).collect()
}

/// The episode at a place of a session's list and those near it, each with what it gets of that one.
fn near(list: &[EpisodeIx], place: usize, lent: [f32; 3]) -> impl Iterator<Item = (EpisodeIx, f32)> {
    let beside = (1..).zip(lent).filter(|(_, weight)| *weight > 0.0).flat_map(move |(distance, weight)| {
        [place.checked_sub(distance), Some(place + distance)]
            .into_iter()
            .flatten()
            .map(move |at| (at, weight))
    });
    let all = std::iter::once((place, 1.0)).chain(beside);
    all.filter_map(|(at, weight)| Some((*list.get(at)?, weight)))
}

/// The mean of the three best turns of a session, where it has fewer with zeros for the others.
fn mean_of_best(mut values: Vec<f32>) -> f32 {
    const COUNTED: usize = 3;
    values.sort_unstable_by(|a, b| b.total_cmp(a));
    values.iter().take(COUNTED).sum::<f32>() / COUNTED as f32
}
