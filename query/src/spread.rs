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
    if ways.use_of(Way::Answers)
        && let Some(before) = answered(state, list, place)
    {
        added += ANSWER * own(before);
    }
    added
}

/// Where the turn before in a session's list stands, if somebody else asks something there: this one is the answer.
pub(crate) fn answered(state: &State, list: &[EpisodeIx], place: usize) -> Option<usize> {
    let before = place.checked_sub(1)?;
    let (asking, answering) = (state.episode(list[before]), state.episode(list[place]));
    (asking.asks && asking.speaker != answering.speaker).then_some(before)
}

/// How many neighbours on each side can lend an episode something.
pub(crate) const REACH: usize = NEAR.len();

/// The most that each neighbour of an episode, and it itself, counts for it, in the order of their places.
pub(crate) fn weights(ways: Ways) -> [f32; 2 * REACH + 1] {
    let mut weights = [0.0; 2 * REACH + 1];
    weights[REACH] = 1.0;
    if ways.use_of(Way::Neighbours) {
        for (distance, weight) in (1..).zip(NEAR) {
            weights[REACH - distance] = weight;
            weights[REACH + distance] = weight;
        }
    }
    if ways.use_of(Way::Answers) {
        weights[REACH - 1] += ANSWER;
    }
    weights
}

/// The most that so many episodes with equal scores can lend one of them or one next to them, each number at its place.
pub(crate) fn shares(ways: Ways) -> [f32; 2 * REACH + 2] {
    let mut weights = weights(ways);
    weights.sort_unstable_by(|a, b| b.total_cmp(a));
    let mut shares = [0.0; 2 * REACH + 2];
    for (place, weight) in weights.into_iter().enumerate() {
        shares[place + 1] = shares[place] + weight;
    }
    shares
}
