//! By time: which episodes fall into the intervals that the question names, what a question may see that is asked at a
//! time, and how old each session is. A session is as old as its beginning; one that goes on for months does not get
//! younger by that.

use lorebase_engine::graph::{EpisodeIx, SessionIx};
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

/// What may be found, where a question leaves out what came later.
#[derive(Debug, Clone)]
pub struct Horizon {
    /// Only sessions that come before this one in the order of [`State::began`].
    before: Option<(Option<Timestamp>, SessionIx)>,
    /// Only what was said by then, in sessions that had begun by then.
    as_of: Option<Timestamp>,
    /// How many sessions that leaves: the first ones of [`State::sessions_by_time`].
    sessions: usize,
}

impl Horizon {
    /// What a question may see; `None` where it may see everything. One that is asked before a session which is not
    /// known sees nothing.
    pub(crate) fn of(state: &State, question: &Question<'_>) -> Option<Self> {
        let id = question.before_session.as_ref();
        if id.is_none() && question.as_of.is_none() {
            return None;
        }
        let first = (None, SessionIx(0));
        let before = id.map(|id| state.find_session(id).map_or(first, |ix| state.began(ix)));
        let mut horizon = Self { before, as_of: question.as_of, sessions: 0 };
        horizon.sessions = state.sessions_by_time().partition_point(|ix| horizon.reaches(state, *ix));
        Some(horizon)
    }

    fn reaches(&self, state: &State, session: SessionIx) -> bool {
        let began = state.began(session);
        let in_time = |as_of: Timestamp| began.0.is_none_or(|at| at <= as_of);
        self.before.is_none_or(|before| began < before) && self.as_of.is_none_or(in_time)
    }

    /// Whether an episode may be found.
    pub fn shows(&self, state: &State, ix: EpisodeIx) -> bool {
        let episode = state.episode(ix);
        self.said_in_time(episode) && self.reaches(state, episode.session)
    }

    /// Whether an episode was said by the time of asking.
    pub(crate) fn said_in_time(&self, episode: &EpisodeNode) -> bool {
        !matches!((episode.occurred_at, self.as_of), (Some(said), Some(as_of)) if said.instant > as_of)
    }

    /// The newest session that may be found.
    pub(crate) fn newest(&self, state: &State) -> Option<SessionIx> {
        state.sessions_by_time()[..self.sessions].last().copied()
    }

    /// The factor of a session's age; 0 where it may not be found.
    pub(crate) fn recency(&self, state: &State, session: SessionIx) -> f32 {
        if !self.reaches(state, session) {
            return 0.0;
        }
        let began = state.began(session);
        let place = state.sessions_by_time().partition_point(|other| state.began(*other) < began);
        let age = self.sessions.saturating_sub(place) as f32;
        1.0 + RECENCY / (1.0 + age / RECENCY_HALF)
    }
}
