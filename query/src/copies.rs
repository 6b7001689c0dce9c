//! Near copies among what was found: the same thing said again takes the place of what would tell more.

use lorebase_engine::graph::EpisodeIx;
use lorebase_engine::state::State;
use rustc_hash::FxHashMap;

use crate::rank::Ranked;
use crate::weights::{COPY, COPY_LIKENESS};

/// Hits that are compared, from the first: more are not read as a list.
const COMPARED: usize = 100;

/// How many more hits must be found than are wanted, so that others can take the places of copies.
pub(crate) const SPARE: usize = 10;

/// Lowers the scores of hits that are copies of better ones, brings all into the new order, and tells which they are.
pub(crate) fn lower(state: &State, ranked: &mut [Ranked<EpisodeIx>]) -> FxHashMap<EpisodeIx, f32> {
    let vectors = state.vectors();
    let mut lowered = FxHashMap::default();
    let mut seen: Vec<u32> = Vec::new();
    for hit in ranked.iter_mut().take(COMPARED) {
        let Some(vector) = vectors.get(hit.ix.0) else { continue };
        let nearest = vectors.search_among(&vector, 1, seen.iter().copied());
        if nearest.first().is_some_and(|(_, likeness)| *likeness >= COPY_LIKENESS) {
            lowered.insert(hit.ix, COPY);
            hit.score *= COPY;
        } else {
            seen.push(hit.ix.0);
        }
    }
    ranked.sort_by(|a, b| b.cmp(a));
    lowered
}
