//! What recall looks up for every posting of a word and for every session, in columns that it can run through: the
//! session of each passage, and the sessions in the order in which they happened.

use std::num::NonZeroU32;
use std::ops::Range;

use rustc_hash::FxHashSet;

use super::{EpisodeNode, PredicateIx, State};
use crate::graph::{EntityIx, EpisodeIx, FactIx, SessionIx};
use crate::model::fact::Polarity;
use crate::model::time::Timestamp;

/// The columns.
#[derive(Default)]
pub(super) struct Layout {
    /// The session of each passage.
    session: Vec<SessionIx>,
    /// The first passage of each episode.
    passage: Vec<u32>,
    /// Who said each episode.
    speaker: Vec<Option<NonZeroU32>>,
    /// The latest time at which something was said in each session, forgotten things among it.
    until: Vec<Option<Timestamp>>,
    /// The sessions by the time at which they began, those without one first, and by number.
    by_time: Vec<SessionIx>,
    /// The place of each session in `by_time`.
    place: Vec<u32>,
    /// Whether some session is not at its place in `by_time`.
    stale: bool,
    /// Sessions that hold an episode.
    living: usize,
    /// What some fact denies: a subject, a predicate and an object.
    denied: FxHashSet<(EntityIx, PredicateIx, u64)>,
}

impl Layout {
    fn add(&mut self, episode: &EpisodeNode) {
        self.passage.push(episode.first_passage);
        self.session.resize((episode.first_passage + episode.passages) as usize, episode.session);
        self.speaker.push(episode.speaker.and_then(|number| NonZeroU32::new(number + 1)));
        let until = &mut self.until[episode.session.index()];
        *until = (*until).max(episode.occurred_at.map(|at| at.instant));
    }
}

impl State {
    /// Makes the columns anew.
    pub(super) fn lay_out_all(&mut self) {
        let mut layout = Layout { until: vec![None; self.sessions.len()], ..Layout::default() };
        self.episodes.iter().for_each(|episode| layout.add(episode));
        layout.living = self.sessions.iter().filter(|session| !session.episodes.is_empty()).count();
        layout.by_time = (0..self.sessions.len() as u32).map(SessionIx).collect();
        layout.place = vec![0; layout.by_time.len()];
        layout.stale = true;
        self.layout = layout;
        (0..self.facts.len() as u32).for_each(|number| self.lay_out_fact(FactIx(number)));
        self.settle_layout();
    }

    /// Notes the newest episode.
    pub(super) fn lay_out(&mut self) {
        let Some(episode) = self.episodes.last() else { return };
        self.layout.add(episode);
        self.layout.living += usize::from(self.sessions[episode.session.index()].episodes.len() == 1);
    }

    /// Notes a new fact.
    pub(super) fn lay_out_fact(&mut self, ix: FactIx) {
        let fact = &self.facts[ix.index()];
        if fact.object.is_none() {
            self.said.add(ix, &self.values.list()[fact.value as usize]);
        }
        if fact.polarity == Polarity::Negated {
            self.layout.denied.insert((fact.subject, fact.predicate, fact.object_key()));
        }
    }

    /// Whether there is a fact that denies what this one says, from either end.
    pub(super) fn is_denied(&self, ix: FactIx) -> bool {
        let fact = self.fact(ix);
        let told_back = fact.object.zip(self.inverse_of(fact.predicate)).is_some_and(|(object, inverse)| {
            self.layout.denied.contains(&(object, inverse, u64::from(fact.subject.0)))
        });
        told_back || self.layout.denied.contains(&(fact.subject, fact.predicate, fact.object_key()))
    }

    /// Notes that an episode left a session.
    pub(super) fn lay_away(&mut self, session: SessionIx) {
        self.layout.living -= usize::from(self.session(session).episodes.is_empty());
        self.retime(session);
    }

    /// Notes that a session was begun or that its time has changed.
    pub(super) fn retime(&mut self, session: SessionIx) {
        if session.index() < self.layout.place.len() {
            self.layout.stale = true;
            return;
        }
        let last = self.layout.by_time.last().copied();
        self.layout.stale |= last.is_some_and(|last| self.began(last) > self.began(session));
        self.layout.place.push(self.layout.by_time.len() as u32);
        self.layout.by_time.push(session);
        self.layout.until.push(None);
    }

    /// Puts sessions that came out of the order of their times into it. They are nearly sorted, which the sort makes
    /// use of.
    pub(super) fn settle_layout(&mut self) {
        if std::mem::take(&mut self.layout.stale) {
            let mut order = std::mem::take(&mut self.layout.by_time);
            order.sort_by_key(|ix| self.began(*ix));
            for (place, session) in (0..).zip(&order) {
                self.layout.place[session.index()] = place;
            }
            self.layout.by_time = order;
        }
    }

    /// Whether sessions stand in the order of their times.
    pub(super) fn is_laid_out(&self) -> bool {
        !self.layout.stale
    }

    fn began(&self, ix: SessionIx) -> (Option<Timestamp>, SessionIx) {
        (self.session(ix).at.map(|at| at.instant), ix)
    }

    /// The sessions by the time at which they began, those without one first, and by number.
    pub fn sessions_by_time(&self) -> &[SessionIx] {
        &self.layout.by_time
    }

    /// The place of a session in [`sessions_by_time`](Self::sessions_by_time).
    pub fn place_in_time(&self, ix: SessionIx) -> usize {
        self.layout.place[ix.index()] as usize
    }

    /// The latest time at which something was said in a session, and may have been forgotten since.
    pub fn until(&self, ix: SessionIx) -> Option<Timestamp> {
        self.layout.until[ix.index()]
    }

    /// Whether an episode was said by this speaker.
    pub fn is_said_by(&self, ix: EpisodeIx, speaker: u32) -> bool {
        self.layout.speaker[ix.index()].is_some_and(|number| number.get() == speaker + 1)
    }

    /// How many sessions hold an episode.
    pub fn living_sessions(&self) -> usize {
        self.layout.living
    }

    /// The session of each passage.
    pub fn passage_sessions(&self) -> &[SessionIx] {
        &self.layout.session
    }

    /// The session of an episode.
    pub fn session_with(&self, ix: EpisodeIx) -> SessionIx {
        self.layout.session[self.layout.passage[ix.index()] as usize]
    }

    /// The numbers of the passages of the episodes from `first` to `last`, which are numbered without a gap in the order
    /// of the episodes.
    pub fn passages_from(&self, first: EpisodeIx, last: EpisodeIx) -> Range<usize> {
        let Layout { passage, session, .. } = &self.layout;
        let end = passage.get(last.index() + 1).map_or(session.len(), |next| *next as usize);
        passage[first.index()] as usize..end
    }
}
