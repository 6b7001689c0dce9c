//! Structure: what the turns around it say for a turn.

use lorebase_engine::graph::EpisodeIx;
use lorebase_engine::state::State;

use crate::ways::{Way, Ways};
use crate::weights::{ANSWER, NEAR};

/// What the neighbours of the episode at a place of a session's `list` add to its own score. `own` gives the own
/// score at a place.
pub(crate) fn neighbours(
    state: &State,
    list: &[EpisodeIx],
    place: usize,
    own: impl Fn(usize) -> f32,
    ways: Ways,
) -> f32 {
    let at = |place: Option<usize>| place.filter(|place| *place < list.len()).map_or(0.0, &own);
    let mut added = 0.0;
    if ways.use_of(Way::Neighbours) {
        for (distance, weight) in (1..).zip(NEAR) {
            added += weight * (at(place.checked_sub(distance)) + at(Some(place + distance)));
        }
    }
    if let Some(before) = place.checked_sub(1)
        && ways.use_of(Way::Answers)
        && own(before) > 0.0
        && state.episode(list[before]).asks
        && state.episode(list[before]).speaker != state.episode(list[place]).speaker
    {
        added += ANSWER * own(before);
    }
    added
}

/// How much of its own scores the episodes around one can lend it, and it itself, the largest share first: what a
/// number of episodes that have a term can come to at one of them.
pub(crate) fn shares(ways: Ways) -> [f32; 2 * NEAR.len() + 1] {
    let mut shares = [0.0; 2 * NEAR.len() + 1];
    shares[0] = 1.0;
    if ways.use_of(Way::Neighbours) {
        for (pair, weight) in shares[1..].chunks_mut(2).zip(NEAR) {
            pair.fill(weight);
        }
    }
    if ways.use_of(Way::Answers) {
        shares[1] += ANSWER;
    }
    shares
}
