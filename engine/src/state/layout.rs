//! What recall looks up for every posting of a word and for every session, in columns that it can run through: the
//! session of each passage, and the sessions in the order in which they happened.

use super::State;
use crate::graph::SessionIx;
use crate::model::time::Timestamp;

/// The columns.
#[derive(Default)]
pub(super) struct Layout {
    /// By passage.
    session: Vec<SessionIx>,
    /// The sessions by the time at which they began, those without one first, and by number.
    by_time: Vec<SessionIx>,
    /// Whether some session is not at its place in `by_time`.
    stale: bool,
    /// Sessions that hold an episode.
    living: usize,
}

impl State {
    /// Notes the passages of an episode that came to a session.
    pub(super) fn lay_out(&mut self, session: SessionIx, passages: usize) {
        let numbers = self.layout.session.len() + passages;
        self.layout.session.resize(numbers, session);
        self.layout.living += usize::from(self.session(session).episodes.len() == 1);
    }

    /// Notes that an episode left a session.
    pub(super) fn lay_away(&mut self, session: SessionIx) {
        self.layout.living -= usize::from(self.session(session).episodes.is_empty());
        self.retime(session);
    }

    /// Notes that a session was begun or that its time has changed.
    pub(super) fn retime(&mut self, session: SessionIx) {
        if session.index() < self.layout.by_time.len() {
            self.layout.stale = true;
            return;
        }
        let last = self.layout.by_time.last().copied();
        self.layout.stale |= last.is_some_and(|last| self.began(last) > self.began(session));
        self.layout.by_time.push(session);
    }

    /// Puts sessions that came out of the order of their times into it. Nearly sorted as they are, that is one pass.
    pub(super) fn settle_layout(&mut self) {
        if std::mem::take(&mut self.layout.stale) {
            let mut order = std::mem::take(&mut self.layout.by_time);
            order.sort_by_key(|ix| self.began(*ix));
            self.layout.by_time = order;
        }
    }

    /// Whether sessions stand in the order of their times.
    pub(super) fn is_laid_out(&self) -> bool {
        !self.layout.stale
    }

    /// What sessions are ordered by: when they began, those without a time first, then by number.
    pub fn began(&self, ix: SessionIx) -> (Option<Timestamp>, SessionIx) {
        (self.session(ix).at.map(|at| at.instant), ix)
    }

    /// The sessions in the order of [`began`](Self::began).
    pub fn sessions_by_time(&self) -> &[SessionIx] {
        &self.layout.by_time
    }

    /// How many sessions hold an episode.
    pub fn living_sessions(&self) -> usize {
        self.layout.living
    }

    /// The session of each passage.
    pub fn passage_sessions(&self) -> &[SessionIx] {
        &self.layout.session
    }
}
