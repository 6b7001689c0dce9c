//! Which ways a walk may take: over facts that are so, with the predicates that are asked for.

use lorebase_engine::graph::compact::{Compact, Lasting, Way};
use lorebase_engine::graph::{EntityIx, FactIx};
use lorebase_engine::model::time::Moment;
use lorebase_engine::state::{PredicateIx, State};
use rustc_hash::FxHashMap;

use super::weights::LOOKED_AT;

/// Over which facts a walk goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Over<'a> {
    /// Those with one of these predicates; `None` for any.
    pub predicates: Option<&'a [PredicateIx]>,
    /// Those that are seen from this moment.
    pub moment: Moment,
    /// How many ways are looked at, at most: what is told of one hub may be more than anybody asks for. A ranking has bounds of
    /// its own.
    pub looked_at: usize,
}

impl Default for Over<'_> {
    fn default() -> Self {
        Self { predicates: None, moment: Moment::default(), looked_at: LOOKED_AT }
    }
}

/// What a walk sees of the graph.
pub(super) struct Sight<'s> {
    pub(super) state: &'s State,
    pub(super) compact: &'s Compact,
    over: Over<'s>,
    /// Whether what the graph says of facts holds at the moment.
    lasts: bool,
    /// What was found out of facts, where that takes long.
    known: FxHashMap<FactIx, bool>,
}

impl<'s> Sight<'s> {
    pub(super) fn of(state: &'s State, over: Over<'s>) -> Self {
        let lasts = state.lasting_holds(&over.moment);
        Self { state, compact: state.compact(), over, lasts, known: FxHashMap::default() }
    }

    /// The ways out of an entity over facts with the predicates that are asked for.
    pub(super) fn ways(&self, entity: EntityIx) -> impl Iterator<Item = Way> + use<'s> {
        let (compact, predicates) = (self.compact, self.over.predicates);
        let [laid_out, later] = compact.ways(entity);
        let any = if predicates.is_none() { laid_out } else { &[] };
        let some = predicates.unwrap_or_default().iter();
        let some = some.flat_map(move |predicate| compact.ways_over(entity, predicate.0));
        let wanted =
            move |way: &&Way| predicates.is_none_or(|wanted| wanted.contains(&PredicateIx(way.predicate())));
        any.iter().chain(some).chain(later.iter().filter(wanted)).copied()
    }

    /// Whether a walk may go over a fact.
    pub(super) fn goes(&mut self, fact: FactIx) -> bool {
        if self.lasts {
            match self.compact.lasting(fact) {
                Lasting::So => return true,
                Lasting::Not => return false,
                Lasting::Unsure => {}
            }
        }
        let (state, moment) = (self.state, self.over.moment);
        // What the memory had been told by some time is worked out from all that bears on the fact.
        if moment.known_at.is_none() {
            return state.is_so(fact, &moment);
        }
        *self.known.entry(fact).or_insert_with(|| state.is_so(fact, &moment))
    }

    /// The moment from which it is looked at.
    pub(super) fn moment(&self) -> Moment {
        self.over.moment
    }
}
