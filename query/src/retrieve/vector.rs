//! By vector: how like the question each of the nearest episodes is.

use lorebase_engine::graph::{EpisodeIx, SessionIx};
use lorebase_engine::state::State;
use rustc_hash::FxHashMap;

use crate::retrieve::timeline::Horizon;
use crate::weights::{
    MEANING, MEANING_CANDIDATES, MEANING_NEAR, MEANING_SESSION, VECTOR_CANDIDATES, VECTOR_FLOOR,
};

/// Up to so many episodes that may be found, each is compared.
const FEW: usize = 4_096;

/// The nearest episodes with their likeness, of those that may be found and are like the question at all.
pub(crate) fn nearest(
    state: &State,
    question: &[f32],
    horizon: Option<&Horizon>,
) -> FxHashMap<EpisodeIx, f32> {
    let found = search(state, question, VECTOR_CANDIDATES, horizon);
    let alike = found.into_iter().filter(|(_, likeness)| *likeness >= VECTOR_FLOOR);
    alike.map(|(number, likeness)| (EpisodeIx(number), likeness)).collect()
}

/// The nearest of the episodes that may be found: what may not takes no place from them.
fn search(state: &State, question: &[f32], most: usize, horizon: Option<&Horizon>) -> Vec<(u32, f32)> {
    let vectors = state.vectors();
    let Some(horizon) = horizon else { return vectors.search(question, most) };
    match horizon.few(state, FEW) {
        Some(shown) => vectors.search_among(question, most, shown.into_iter().map(|ix| ix.0)),
        None => vectors.search_where(question, most, |number| horizon.shows(state, EpisodeIx(number))),
    }
}

/// What meaning adds to the nearest episodes and to those near them, where the best score by words is `top`: the
/// likeness of each between that of the last candidate and that of the first, lent to its neighbours as the score by words
/// is, with a share of what the best turns of its session come to.
pub(crate) fn meaning(
    state: &State,
    question: &[f32],
    top: f32,
    horizon: Option<&Horizon>,
    near: bool,
) -> FxHashMap<EpisodeIx, f32> {
    let shown = horizon.map_or(usize::MAX, |horizon| horizon.episodes(state, 2 * MEANING_CANDIDATES));
    let all = state.vectors().len().min(shown);
    // Of a small memory no more than half: the others are what likeness is measured from.
    let wanted = MEANING_CANDIDATES.min(all.div_ceil(2)).max(2);
    let found = search(state, question, wanted, horizon);
    let (Some((_, best)), Some((_, least))) = (found.first(), found.last()) else {
        return FxHashMap::default();
    };
    // Where there are no others, unlike is what has nothing in common with the question.
    let least = if found.len() < all { *least } else { 0.0 };
    let range = (best - least).max(f32::MIN_POSITIVE);
    let mut sums: FxHashMap<EpisodeIx, f32> = FxHashMap::default();
    let mut sessions: FxHashMap<SessionIx, Vec<f32>> = FxHashMap::default();
    for (number, likeness) in &found {
        let (ix, value) = (EpisodeIx(*number), ((likeness - least) / range).max(0.0));
        let session = state.session_with(ix);
        sessions.entry(session).or_default().push(value);
        let reach = if near { MEANING_NEAR.len() } else { 0 };
        for (other, weight) in lent(&state.session(session).episodes, state.place(ix), reach) {
            *sums.entry(other).or_default() += weight * value;
        }
    }
    let sessions: FxHashMap<SessionIx, f32> =
        sessions.into_iter().map(|(session, values)| (session, mean_of_best(values))).collect();
    let unit = MEANING * top;
    let total = |(ix, sum): (EpisodeIx, f32)| {
        let session = sessions.get(&state.session_with(ix)).copied().unwrap_or(0.0);
        (ix, unit * (sum + MEANING_SESSION * session))
    };
    sums.into_iter().map(total).collect()
}

/// The episode at a place of a session's list and those up to `reach` from it, each with what it gets of that one.
fn lent(list: &[EpisodeIx], place: usize, reach: usize) -> impl Iterator<Item = (EpisodeIx, f32)> {
    let beside = (1..).zip(MEANING_NEAR).take(reach).flat_map(move |(distance, weight)| {
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
