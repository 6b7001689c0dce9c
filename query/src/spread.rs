//! Structure: what the turns around it say for a turn.

use lorebase_engine::state::State;

use crate::ways::{Way, Ways};
use crate::weights::{ANSWER, NEAR};

/// For every episode what its neighbours in the session add to its own score.
pub(crate) fn neighbours(state: &State, own: &[f32], ways: Ways) -> Vec<f32> {
    let mut added = vec![0.0; own.len()];
    for session in state.sessions() {
        let list = &session.episodes;
        if list.len() < 2 || list.iter().all(|ix| own[ix.index()] == 0.0) {
            continue;
        }
        for (place, ix) in list.iter().enumerate() {
            let at = |place: Option<usize>| {
                place.and_then(|place| list.get(place)).map_or(0.0, |ix| own[ix.index()])
            };
            if ways.use_of(Way::Neighbours) {
                for (distance, weight) in (1..).zip(NEAR) {
                    added[ix.index()] +=
                        weight * (at(place.checked_sub(distance)) + at(Some(place + distance)));
                }
            }
            if let Some(before) = place.checked_sub(1).map(|before| list[before])
                && ways.use_of(Way::Answers)
                && state.episode(before).asks
                && state.episode(before).speaker != state.episode(*ix).speaker
            {
                added[ix.index()] += ANSWER * own[before.index()];
            }
        }
    }
    added
}
