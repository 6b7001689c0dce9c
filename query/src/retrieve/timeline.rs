//! By time: which episodes fall into the intervals that the question names, what a question may see that is
//! asked at a time, and how old each session is. A session is as old as its beginning; one that goes on for
//! months does not get younger by that.

use lorebase_engine::graph::{EpisodeIx, SessionIx};
use lorebase_engine::model::time::{Interval, Timestamp};
use lorebase_engine::state::{EpisodeNode, State};

use crate::question::Question;
use crate::weights::{RECENCY, RECENCY_HALF, TIMELINE_LAG_MILLIS};

/// Whether an episode was said in one of the intervals, or soon after. One without a time counts as said when
/// its session began.
pub(crate) fn dated_in(state: &State, episode: &EpisodeNode, intervals: &[Interval]) -> bool {
    let Some(at) = episode.occurred_at.or(state.session(episode.session).at) else { return false };
    // Civil time against civil time: the question's dates name days on the wall.
    let Ok(at) = Timestamp::from_civil(at.civil()) else { return false };
    intervals.iter().any(|interval| {
        let lagged = |to: Timestamp| at.as_millis() < to.as_millis() + TIMELINE_LAG_MILLIS;
        interval.from.is_none_or(|from| from <= at) && interval.to.is_none_or(lagged)
    })
}

/// Whether something in a session can have been said in one of the intervals, or soon after.
pub(crate) fn can_be_dated_in(state: &State, session: SessionIx, intervals: &[Interval]) -> bool {
    /// No place's clock is off by more than 26 hours.
    const OFF_MILLIS: i64 = 26 * 3_600_000;
    let (Some(at), Some(until)) = (state.session(session).at, state.until(session)) else { return false };
    let (first, last) = (at.instant.as_millis() - OFF_MILLIS, until.as_millis() + OFF_MILLIS);
    intervals.iter().any(|interval| {
        interval.from.is_none_or(|from| from.as_millis() <= last)
            && interval.to.is_none_or(|to| first < to.as_millis() + TIMELINE_LAG_MILLIS)
    })
}

/// What may be found, where a question leaves out what came later, or something has expired.
#[derive(Debug, Clone, Copy)]
pub struct Horizon {
    /// The first sessions by time that may be found: so many.
    sessions: usize,
    /// Whether the question is asked in the midst of the sessions, so that newer ones count for more.
    amidst: bool,
    /// What was said after this time may not be found.
    as_of: Option<Timestamp>,
    /// What the memory was told after this time may not be found.
    known_at: Option<Timestamp>,
    /// What has expired by this time may not be found; `None` where nothing expires.
    now: Option<Timestamp>,
}

impl Horizon {
    /// What a question may see; `None` where it may see everything. One that is asked before a session which
    /// is not known sees nothing.
    pub(crate) fn of(state: &State, question: &Question<'_>) -> Option<Self> {
        let begun_by = |as_of: Timestamp| {
            let begun = |ix: &SessionIx| state.session(*ix).at.is_none_or(|at| at.instant <= as_of);
            state.sessions_by_time().partition_point(begun)
        };
        let by_session = question.before_session.as_ref().map(|id| {
            let session = state.find_session(id);
            session.map_or(0, |session| state.place_in_time(session))
        });
        let before = [by_session, question.as_of.map(begun_by)].into_iter().flatten().min();
        let now = question.now.filter(|now| state.expires(*now));
        if before.is_none() && question.known_at.is_none() && now.is_none() {
            return None;
        }
        Some(Self {
            sessions: before.unwrap_or(state.sessions_by_time().len()),
            amidst: before.is_some(),
            as_of: question.as_of,
            known_at: question.known_at,
            now,
        })
    }

    /// Whether an episode may be found.
    pub fn shows(&self, state: &State, ix: EpisodeIx) -> bool {
        self.counts(state, ix) && !state.is_over(ix, self.now)
    }

    /// Whether what an episode states counts. It does where it has expired, too: that changes nothing of what is so.
    pub fn counts(&self, state: &State, ix: EpisodeIx) -> bool {
        let session = state.session_with(ix);
        let said_in_time = |as_of: Timestamp| {
            // The episode itself lies far off, and few sessions go on beyond the time of asking.
            state.until(session).is_none_or(|until| until <= as_of)
                || state.episode(ix).occurred_at.is_none_or(|said| said.instant <= as_of)
        };
        state.place_in_time(session) < self.sessions
            && self.as_of.is_none_or(said_in_time)
            && self.known_at.is_none_or(|at| state.episode(ix).told() <= at)
    }

    /// The episodes that may be found, where they are no more than `most`.
    pub(crate) fn few(&self, state: &State, most: usize) -> Option<Vec<EpisodeIx>> {
        let sessions = &state.sessions_by_time()[..self.sessions];
        let mut count = 0;
        let few = sessions.iter().all(|session| {
            count += state.session(*session).episodes.len();
            count <= most
        });
        let all = sessions.iter().flat_map(|session| &state.session(*session).episodes);
        few.then(|| all.copied().filter(|ix| self.shows(state, *ix)).collect())
    }

    /// How many episodes may be found, or at least `enough` if they are so many.
    pub(crate) fn episodes(&self, state: &State, enough: usize) -> usize {
        self.few(state, enough).map_or(enough, |few| few.len())
    }

    /// The newest session that may be found.
    pub(crate) fn newest(&self, state: &State) -> Option<SessionIx> {
        state.sessions_by_time()[..self.sessions].last().copied()
    }

    /// The factor of a session's age; 0 where it may not be found.
    pub(crate) fn recency(&self, state: &State, session: SessionIx) -> f32 {
        let age = self.sessions.saturating_sub(state.place_in_time(session)) as f32;
        if !self.amidst {
            return 1.0;
        }
        if age == 0.0 { 0.0 } else { 1.0 + RECENCY / (1.0 + age / RECENCY_HALF) }
    }
}
