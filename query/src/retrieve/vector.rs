//! By vector: how like the question each of the nearest episodes is.

use lorebase_engine::graph::EpisodeIx;
use lorebase_engine::state::State;

use crate::weights::VECTOR_CANDIDATES;

/// The nearest episodes with their likeness, scaled so that the best has 1 and the last looked at 0.
pub(crate) fn nearest(state: &State, question: &[f32]) -> Vec<(EpisodeIx, f32)> {
    let found = state.vectors().search(question, VECTOR_CANDIDATES);
    let (Some(best), Some(last)) = (found.first(), found.last()) else { return Vec::new() };
    let (best, last) = (best.1, if found.len() > 1 { last.1 } else { 0.0 });
    let range = (best - last).max(f32::MIN_POSITIVE);
    let scaled = found.into_iter().filter(|(_, likeness)| *likeness > 0.0);
    scaled.map(|(number, likeness)| (EpisodeIx(number), (likeness - last) / range)).collect()
}
