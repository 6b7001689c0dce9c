//! By vector: how like the question each of the nearest episodes is.

use lorebase_engine::graph::EpisodeIx;
use lorebase_engine::state::State;

use crate::weights::{VECTOR_CANDIDATES, VECTOR_FLOOR};

/// The nearest episodes with their likeness, of those that are like the question at all.
pub(crate) fn nearest(state: &State, question: &[f32]) -> Vec<(EpisodeIx, f32)> {
    let found = state.vectors().search(question, VECTOR_CANDIDATES);
    let alike = found.into_iter().filter(|(_, likeness)| *likeness >= VECTOR_FLOOR);
    alike.map(|(number, likeness)| (EpisodeIx(number), likeness)).collect()
}
