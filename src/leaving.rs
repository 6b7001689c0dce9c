//! What would go where something is forgotten: the turns and facts themselves, to be looked at before.

use std::collections::BTreeSet;

use lorebase_engine::graph::{EpisodeIx, FactIx};
use lorebase_engine::model::episode::Episode;
use lorebase_engine::model::id::Namespace;

use crate::error::Error;
use crate::forget::Going;
use crate::memory::Memory;
use crate::view::{FactView, Viewer};

/// The first of what would go.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Leaving {
    /// Turns, in the order in which they were committed.
    pub turns: Vec<Episode>,
    /// Facts that nothing else states, in the order of those turns.
    pub facts: Vec<FactView>,
}

impl Memory {
    /// At most the first `limit` turns and facts of what would go, see [`Memory::would_forget`].
    ///
    /// # Errors
    /// The store's.
    pub fn leaving(&self, namespace: &Namespace, going: &Going, limit: usize) -> Result<Leaving, Error> {
        let reader = self.engine().reader(namespace)?;
        let (state, viewer) = (reader.state(), Viewer::of(&reader));
        let order: Vec<EpisodeIx> = going.episodes.iter().filter_map(|id| state.find_episode(id)).collect();
        let chosen: BTreeSet<EpisodeIx> = order.iter().copied().collect();
        let turns = order.iter().take(limit).map(|ix| reader.episode(*ix)).collect::<Result<_, _>>()?;
        let only = |ix: &FactIx| state.fact(*ix).support().iter().all(|said| chosen.contains(&said.episode));
        let mut seen = BTreeSet::new();
        let stated = order.iter().flat_map(|ix| state.episode(*ix).facts()).copied();
        let facts = stated.filter(|ix| only(ix) && seen.insert(*ix)).take(limit);
        Ok(Leaving { turns, facts: facts.map(|ix| viewer.fact(ix)).collect() })
    }
}
