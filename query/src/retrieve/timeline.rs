//! By time: which episodes fall into the intervals that the question names, and how old each session is. A session
//! is as old as its beginning; one that goes on for months does not get younger by that.

use lorebase_engine::model::time::{Interval, Timestamp};
use lorebase_engine::state::{EpisodeNode, State};

use crate::question::Question;
use crate::weights::{RECENCY, RECENCY_HALF, TIMELINE_LAG_MILLIS};

/// Whether an episode was said in one of the intervals, or soon after. One without a time counts as said when its
/// session began.
pub(crate) fn dated_in(state: &State, episode: &EpisodeNode, intervals: &[Interval]) -> bool {
    let Some(at) = episode.occurred_at.or(state.session(episode.session).at) else { return false };
    // Civil time against civil time: the question's dates name days on the wall.
    let Ok(at) = Timestamp::from_civil(at.civil()) else { return false };
    intervals.iter().any(|interval| {
        let lagged = |to: Timestamp| at.as_millis() < to.as_millis() + TIMELINE_LAG_MILLIS;
        interval.from.is_none_or(|from| from <= at) && interval.to.is_none_or(lagged)
    })
}

/// For every session, the factor of its age where the time of asking is given; 0 where it came after that time.
pub(crate) fn ages(state: &State, question: &Question<'_>) -> Option<Vec<f32>> {
    let sessions = state.sessions();
    let mut order: Vec<usize> = (0..sessions.len()).collect();
    order.sort_by_key(|&number| (sessions[number].at.map(|at| at.instant), number));
    let asked = asked_at(state, question, &order)?;
    let mut factors = vec![0.0; sessions.len()];
    for (place, &number) in order[..asked].iter().enumerate() {
        let age = (asked - place) as f32;
        factors[number] = 1.0 + RECENCY / (1.0 + age / RECENCY_HALF);
    }
    Some(factors)
}

/// How many sessions, in the order in which they happened, came before the question: none where that is asked before
/// a session that is not known.
fn asked_at(state: &State, question: &Question<'_>, order: &[usize]) -> Option<usize> {
    let by_session = question.before_session.as_ref().map(|id| {
        let ix = state.find_session(id);
        ix.and_then(|ix| order.iter().position(|&number| number == ix.index())).unwrap_or(0)
    });
    let by_time = question.as_of.map(|as_of| {
        order.partition_point(|&number| state.sessions()[number].at.is_none_or(|at| at.instant <= as_of))
    });
    match (by_session, by_time) {
        (Some(one), Some(other)) => Some(one.min(other)),
        (one, other) => one.or(other),
    }
}
