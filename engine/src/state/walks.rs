//! The graph laid out for walks, made when it is first asked for and kept up with what changes; which facts a walk may go
//! over; and what else walkers have worked out of the state.

use std::any::Any;
use std::sync::{Arc, OnceLock};

use parking_lot::Mutex;

use super::{FactNode, State};
use crate::graph::compact::{Compact, Lasting, Tied};
use crate::graph::{EntityIx, FactIx};
use crate::model::fact::Polarity;
use crate::model::time::{Interval, Moment, Timestamp};

/// What walks go by besides the state. It comes from the state and goes with it.
#[derive(Default)]
pub(super) struct Walks {
    /// With the time from which on what it says of facts holds.
    compact: OnceLock<(Compact, Option<Timestamp>)>,
    beside: Mutex<Option<Arc<dyn Any + Send + Sync>>>,
}

impl State {
    /// The graph laid out for reading. The first call after loading takes as long as it takes to look at every fact.
    pub fn compact(&self) -> &Compact {
        &self.laid_out_graph().0
    }

    /// Whether what [`Compact::lasting`] says of facts holds when they are looked at from a moment.
    pub fn lasting_holds(&self, moment: &Moment) -> bool {
        let (_, since) = self.laid_out_graph();
        let at = moment.as_of.or(moment.now);
        moment.known_at.is_none()
            && !self.can_expire()
            && at.zip(*since).is_some_and(|(at, since)| since <= at)
    }

    /// Whether a fact says that something is so, and it was so at the time of the world that the moment asks for, or else is
    /// so now, by what the memory had been told by then.
    pub fn is_so(&self, ix: FactIx, moment: &Moment) -> bool {
        let fact = self.fact(ix);
        if fact.polarity == Polarity::Negated || fact.support.is_empty() {
            return false;
        }
        let so = |stays: &[Interval]| match moment.as_of.or(moment.now) {
            Some(at) => self.was_so(ix, stays, at),
            None => stays.last().is_some_and(|last| last.to.is_none()),
        };
        if moment.known_at.is_some() {
            return so(&self.held(ix, moment));
        }
        so(fact.stays()) && !(self.can_expire() && self.has_expired(ix, moment.now))
    }

    /// What somebody has worked out of the state before, where it fits the present call; else what `make` works out now, which
    /// is kept until facts change. One thing is kept.
    pub fn beside<T: Any + Send + Sync>(
        &self,
        fits: impl FnOnce(&T) -> bool,
        make: impl FnOnce() -> T,
    ) -> Arc<T> {
        let mut beside = self.walks.beside.lock();
        let known = beside.as_ref().and_then(|known| Arc::clone(known).downcast::<T>().ok());
        if let Some(known) = known.filter(|known| fits(known)) {
            return known;
        }
        let made = Arc::new(make());
        *beside = Some(Arc::clone(&made) as Arc<dyn Any + Send + Sync>);
        made
    }

    fn laid_out_graph(&self) -> &(Compact, Option<Timestamp>) {
        self.walks.compact.get_or_init(|| self.lay_out_graph())
    }

    fn lay_out_graph(&self) -> (Compact, Option<Timestamp>) {
        let all = (0..self.facts.len() as u32).map(|number| self.tied(FactIx(number)));
        let mut compact = Compact::of(self.entities.len(), all);
        let since = self.episodes.iter().map(|episode| episode.recorded_at).max();
        for (number, fact) in (0..).zip(&self.facts) {
            compact.set_lasting(FactIx(number), lasting(fact, since));
        }
        (compact, since)
    }

    fn tied(&self, ix: FactIx) -> Tied {
        let fact = self.fact(ix);
        Tied { fact: ix, from: fact.subject, predicate: fact.predicate.0, to: fact.object }
    }

    /// Takes a new fact into the graph that is laid out.
    pub(super) fn lay_out_way(&mut self, ix: FactIx) {
        let tied = self.tied(ix);
        if self.walks.compact.get_mut().is_some_and(|(compact, _)| compact.add(tied)) {
            self.walks.compact.take();
        }
    }

    /// Takes note that a fact is to be judged anew.
    pub(super) fn unsettle_way(&mut self, ix: FactIx) {
        *self.walks.beside.get_mut() = None;
        if let Some((compact, _)) = self.walks.compact.get_mut() {
            compact.set_lasting(ix, Lasting::Unsure);
        }
    }

    /// Takes note that a fact was judged.
    pub(super) fn settle_way(&mut self, ix: FactIx) {
        if let Some((compact, since)) = self.walks.compact.get_mut() {
            compact.set_lasting(ix, lasting(&self.facts[ix.index()], *since));
        }
    }

    /// Whether the graph that is laid out tells what the lists of facts tell.
    pub(crate) fn ways_agree(&self) -> bool {
        let (compact, since) = self.laid_out_graph();
        let of_entity = |number: u32| {
            let entity = EntityIx(number);
            let mut told: Vec<FactIx> =
                compact.ways(entity).into_iter().flatten().map(|way| way.fact()).collect();
            let mut known: Vec<FactIx> = self.facts_of(entity).collect();
            told.sort_unstable();
            known.sort_unstable();
            told == known
        };
        let of_fact = |(number, fact)| match compact.lasting(FactIx(number)) {
            Lasting::Unsure => true,
            told => told == lasting(fact, *since),
        };
        (0..self.entities.len() as u32).all(of_entity) && (0..).zip(&self.facts).all(of_fact)
    }

    /// About how many bytes walks take.
    pub(super) fn bytes_of_walks(&self) -> usize {
        self.walks.compact.get().map_or(0, |(compact, _)| compact.bytes())
    }
}

/// Whether a fact is so, or is not so, at every time from `since` on.
fn lasting(fact: &FactNode, since: Option<Timestamp>) -> Lasting {
    let Some(since) = since else { return Lasting::Unsure };
    if fact.polarity == Polarity::Negated || fact.support.is_empty() {
        return Lasting::Not;
    }
    let begun = |at: Option<Timestamp>| at.is_none_or(|at| at <= since);
    let goes_on = |stay: &Interval| begun(stay.from) && stay.to.is_none();
    let is_over = |stay: &Interval| stay.to.is_some_and(|to| to <= since);
    let happened = |stay: &Interval| begun(stay.from.or(stay.to));
    let stays = fact.stays();
    if fact.kind.is_state() {
        if stays.iter().any(goes_on) {
            return Lasting::So;
        }
        return if stays.iter().all(is_over) { Lasting::Not } else { Lasting::Unsure };
    }
    if stays.iter().any(happened) {
        return Lasting::So;
    }
    if stays.is_empty() { Lasting::Not } else { Lasting::Unsure }
}
