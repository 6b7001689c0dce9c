//! What leaves a memory: all that was told, in the order in which it came, and what was made of it, by id.

use lorebase_engine::engine::Scan;
use lorebase_engine::graph::{EntityIx, FactIx};
use lorebase_engine::model::id::Namespace;
use lorebase_engine::model::ruling::Ruling;
use lorebase_engine::state::{State, SupportNode};

use super::{EntityName, EntityThing, FactThing, ObjectThing, RulingThing, SupportThing, Tally, Thing};
use crate::error::Error;
use crate::memory::Memory;

impl Memory {
    /// Hands everything that a namespace holds to `each`: its episodes in the order in which they were
    /// committed, its tombstones, the rulings on its names, its entities and its facts: tombstones and the
    /// last two by id. It is one view of the namespace: what is committed meanwhile is not in it. No commit
    /// waits for it, but what is forgotten meanwhile is taken off the disk only when it is done, so `each`
    /// must not forget.
    ///
    /// # Errors
    /// The store's, and what `each` returns.
    pub fn export<E: From<Error>>(
        &self,
        namespace: &Namespace,
        mut each: impl FnMut(Thing) -> Result<(), E>,
    ) -> Result<Tally, E> {
        let scan = self.engine().scan(namespace).map_err(Error::from)?;
        let mut tally = Tally::default();
        let mut tell = |thing: Thing| {
            tally.count(&thing);
            each(thing)
        };
        told(&scan, &mut tell)?;
        let state = scan.reader().state();
        state.tombstones().into_iter().try_for_each(|id| tell(Thing::Tombstone(id)))?;
        rulings(state).into_iter().try_for_each(|ruling| tell(Thing::Ruling(ruling)))?;
        entities(state).into_iter().try_for_each(|ix| tell(Thing::Entity(entity(state, ix))))?;
        facts(state).into_iter().try_for_each(|ix| tell(Thing::Fact(fact(state, ix))))?;
        Ok(tally)
    }
}

fn told<E: From<Error>>(scan: &Scan<'_>, tell: &mut impl FnMut(Thing) -> Result<(), E>) -> Result<(), E> {
    // The engine's own errors go through those of this crate, so that `E` needs to know no other.
    let each = |episode, reading| tell(Thing::Episode { episode, reading }).map_err(Through::Given);
    scan.episodes(each).map_err(|error| match error {
        Through::Engine(error) => E::from(error.into()),
        Through::Given(error) => error,
    })
}

enum Through<E> {
    Engine(lorebase_engine::error::Error),
    Given(E),
}

impl<E> From<lorebase_engine::error::Error> for Through<E> {
    fn from(error: lorebase_engine::error::Error) -> Self {
        Self::Engine(error)
    }
}

/// The rulings on what somebody uses and says, from the oldest on: no name leaves that is in no episode. What
/// is undone stays behind with what undoes it, and so does what lets forgotten things come again.
fn rulings(state: &State) -> Vec<RulingThing> {
    let kept = |ruling: &Ruling| !state.is_undone(&ruling.id(state.namespace()));
    let all = state.rulings().map(|(ruling, _)| ruling).filter(|ruling| kept(ruling));
    all.filter_map(|ruling| RulingThing::of(state, ruling)).collect()
}

/// The entities that something names or is about, by id.
pub(super) fn entities(state: &State) -> Vec<EntityIx> {
    let alive = (0..).zip(state.entities()).filter(|(_, entity)| entity.alive());
    let mut all: Vec<EntityIx> = alive.map(|(number, _)| EntityIx(number)).collect();
    all.sort_unstable_by_key(|ix| state.entity(*ix).id);
    all
}

/// The facts that something states, by id.
pub(super) fn facts(state: &State) -> Vec<FactIx> {
    let stated = (0..).zip(state.facts()).filter(|(_, fact)| !fact.support().is_empty());
    let mut all: Vec<FactIx> = stated.map(|(number, _)| FactIx(number)).collect();
    all.sort_unstable_by_key(|ix| state.fact(*ix).id);
    all
}

pub(super) fn entity(state: &State, ix: EntityIx) -> EntityThing {
    let node = state.entity(ix);
    let mut same_as: Vec<_> = state.namesakes(ix).into_iter().map(|other| state.entity(other).id).collect();
    same_as.sort_unstable();
    EntityThing {
        id: node.id,
        name: name(state, ix),
        kind: node.kind(),
        aliases: node.aliases().into_iter().map(str::to_owned).collect(),
        episodes: node.mentioned_in(),
        same_as,
    }
}

/// Which of several spellings that only facts use came first depends on the order of arrival, so there the
/// folded name is told.
fn name(state: &State, ix: EntityIx) -> String {
    let node = state.entity(ix);
    let folded = || state.folded_names(ix).first().copied().unwrap_or_else(|| node.folded_name());
    node.aliases().first().copied().unwrap_or_else(folded).to_owned()
}

fn named(state: &State, ix: EntityIx) -> EntityName {
    EntityName { id: state.entity(ix).id, name: name(state, ix) }
}

pub(super) fn fact(state: &State, ix: FactIx) -> FactThing {
    let node = state.fact(ix);
    let object = match node.object {
        Some(object) => ObjectThing::Entity(named(state, object)),
        None => ObjectThing::Value(state.value(ix).unwrap_or_default().to_owned()),
    };
    let support = |support: &SupportNode| SupportThing {
        episode: state.episode(support.episode).id,
        span: support.span,
        confidence: support.confidence,
        hedged: support.hedged,
        attributed_to: state.attributed_to(support).map(str::to_owned),
        importance: support.importance,
    };
    let mut support: Vec<SupportThing> = node.support().iter().map(support).collect();
    support.sort_by_key(|support| (support.episode, support.span));
    FactThing {
        id: node.id,
        subject: named(state, node.subject),
        predicate: state.predicate(node.predicate).clone(),
        object,
        kind: node.kind,
        polarity: node.polarity,
        confidence: node.confidence(),
        status: node.status,
        valid: node.valid,
        recorded: node.recorded,
        support,
    }
}
