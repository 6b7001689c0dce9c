//! Which facts count at a moment, and where a fact stands then.

use std::cell::RefCell;

use lorebase_engine::graph::{EpisodeIx, FactIx};
use lorebase_engine::model::fact::{FactStatus, Polarity};
use lorebase_engine::model::time::{Interval, Moment, Timestamp};
use lorebase_engine::state::{Standing, State, SupportNode};
use rustc_hash::FxHashMap;

use super::ast::Facts;
use super::row::End;

/// What is seen of a namespace from a moment.
pub(super) struct Sight<'s> {
    pub(super) state: &'s State,
    moment: Moment,
    /// Whether anything can have expired.
    expires: bool,
    /// Where facts stand by what had been told at the time of the record that is asked for.
    standings: RefCell<FxHashMap<FactIx, Option<Standing>>>,
}

impl<'s> Sight<'s> {
    pub(super) fn new(state: &'s State, moment: Moment) -> Self {
        Self { state, moment, expires: state.can_expire(), standings: RefCell::default() }
    }

    /// Whether an episode had been told.
    fn told(&self, episode: EpisodeIx) -> bool {
        self.moment.known_at.is_none_or(|at| self.state.episode(episode).told() <= at)
    }

    /// Whether anything was known of an entity, or a value.
    pub(super) fn knows(&self, end: End<'_>) -> bool {
        let stated = |ix: FactIx| self.support(ix).next().is_some();
        match end {
            End::Entity(ix) if self.moment.known_at.is_none() => self.state.entity(ix).alive(),
            End::Entity(ix) => {
                self.state.mentioning(ix).any(|episode| self.told(episode))
                    || self.state.facts_of(ix).any(stated)
            }
            End::Value(value) => {
                let says = |ix: &FactIx| self.state.value(*ix) == Some(value);
                self.state.facts_saying(value).filter(says).any(stated)
            }
        }
    }

    /// The statements of a fact that are seen.
    pub(super) fn support(&self, ix: FactIx) -> impl Iterator<Item = &'s SupportNode> {
        self.state.fact(ix).support().iter().filter(|support| self.told(support.episode))
    }

    /// The time of the world at which a clause looks.
    fn as_of(&self, facts: Facts) -> Option<Timestamp> {
        match facts {
            Facts::HeldAt(at) => Some(at),
            Facts::Holding | Facts::All => self.moment.as_of,
        }
    }

    /// Whether a fact counts for a clause.
    pub(super) fn counts(&self, ix: FactIx, facts: Facts) -> bool {
        let fact = self.state.fact(ix);
        if fact.support().is_empty() || self.expires && self.state.has_expired(ix, self.moment.now) {
            return false;
        }
        if facts != Facts::All && fact.polarity == Polarity::Negated {
            return false;
        }
        let as_of = self.as_of(facts);
        let stands = |status: FactStatus, stays: &[Interval]| {
            facts == Facts::All
                || (as_of.is_some() || status == FactStatus::Current) && self.was_so(ix, stays, as_of)
        };
        if self.moment.known_at.is_none() {
            return stands(fact.status, fact.stays());
        }
        self.known(ix).is_some_and(|standing| stands(standing.status, &standing.stays))
    }

    /// Whether a fact with these stays is so at a time, or else now.
    fn was_so(&self, ix: FactIx, stays: &[Interval], as_of: Option<Timestamp>) -> bool {
        match as_of.or(self.moment.now) {
            Some(at) => self.state.was_so(ix, stays, at),
            None => stays.last().is_some_and(|last| last.to.is_none()),
        }
    }

    /// Where a fact stands by what had been told.
    fn known(&self, ix: FactIx) -> Option<Standing> {
        if self.moment.known_at.is_none() {
            return Some(self.state.fact(ix).standing(ix));
        }
        let mut standings = self.standings.borrow_mut();
        let standing = || self.state.standing(ix, |episode| self.told(episode));
        standings.entry(ix).or_insert_with(standing).clone()
    }

    /// Where a fact that counts for a clause stands for it, and whether it is so.
    pub(super) fn standing(&self, ix: FactIx, facts: Facts) -> (Standing, bool) {
        let standing = self.known(ix).unwrap_or_else(|| self.state.fact(ix).standing(ix));
        let as_of = self.as_of(facts);
        let holds = self.was_so(ix, &standing.stays, as_of);
        let stay = |at| standing.stays.iter().find(|stay| stay.contains(at)).copied();
        match as_of.and_then(stay) {
            Some(valid) => {
                (Standing { status: FactStatus::Current, successor: None, valid, ..standing }, holds)
            }
            None => (standing, holds),
        }
    }
}
