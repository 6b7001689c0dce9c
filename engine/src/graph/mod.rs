//! Who is tied to whom? The entities of one namespace and the facts that tie them, in memory, made from the store. This
//! is the only folder that knows petgraph.
//!
//! Episodes and sessions have no nodes: what an episode states and names, and what follows on what in a session, stands
//! in the lists of `state/`, where it takes less room.

pub mod compact;

use petgraph::Direction;
use petgraph::graph::{DiGraph, NodeIndex};
use petgraph::visit::EdgeRef;
use serde::{Deserialize, Serialize};

macro_rules! handle {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
        pub struct $name(pub u32);

        impl $name {
            /// The number as an index.
            pub const fn index(self) -> usize {
                self.0 as usize
            }
        }
    };
}

handle! {
    /// An episode of a loaded namespace, by its number there. Not stable across openings.
    EpisodeIx
}
handle! {
    /// An entity of a loaded namespace, by its number there. Not stable across openings.
    EntityIx
}
handle! {
    /// A fact of a loaded namespace, by its number there. Not stable across openings.
    FactIx
}
handle! {
    /// A session of a loaded namespace, by its number there. Not stable across openings.
    SessionIx
}

/// What ties two entities.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Tie {
    /// A fact, from its subject to its object. One that has lost its support stays.
    Fact(FactIx),
    /// The name of one is likely another name of the other; from the newer to the older.
    SameAs,
}

/// The graph: a node an entity, with the entity's number, and an edge a tie. Nothing is ever removed, since removing an
/// edge costs as much as its ends have others; what does not hold any more is passed over by who reads.
#[derive(Default)]
pub struct Graph {
    inner: DiGraph<(), Tie>,
}

impl Graph {
    /// An empty graph with room for so many entities and ties.
    pub(crate) fn with_capacity(entities: usize, ties: usize) -> Self {
        Self { inner: DiGraph::with_capacity(entities, ties) }
    }

    /// Adds the next entity; its number is the count of entities so far.
    pub(crate) fn add_entity(&mut self) {
        self.inner.add_node(());
    }

    /// Ties two entities that were added.
    pub(crate) fn tie(&mut self, from: EntityIx, tie: Tie, to: EntityIx) {
        self.inner.add_edge(NodeIndex::new(from.index()), NodeIndex::new(to.index()), tie);
    }

    /// The ties of an entity and what they lead to, those out of it first, in each direction the newest first.
    pub fn ties(&self, entity: EntityIx) -> impl Iterator<Item = (Tie, EntityIx)> {
        let at = NodeIndex::new(entity.index());
        let out =
            self.inner.edges_directed(at, Direction::Outgoing).map(|edge| (edge.weight(), edge.target()));
        let back =
            self.inner.edges_directed(at, Direction::Incoming).map(|edge| (edge.weight(), edge.source()));
        out.chain(back).map(|(tie, other)| (*tie, EntityIx(other.index() as u32)))
    }

    /// Every tie: from, what it is, to.
    pub fn edges(&self) -> impl Iterator<Item = (EntityIx, Tie, EntityIx)> {
        let end = |index: NodeIndex| EntityIx(index.index() as u32);
        self.inner.raw_edges().iter().map(move |edge| (end(edge.source()), edge.weight, end(edge.target())))
    }

    /// How many entities there are.
    pub fn nodes(&self) -> usize {
        self.inner.node_count()
    }

    /// How many ties there are.
    pub fn ties_count(&self) -> usize {
        self.inner.edge_count()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ties_are_seen_from_both_ends() {
        let mut graph = Graph::default();
        (0..3).for_each(|_| graph.add_entity());
        let [ana, porto, anna] = [0, 1, 2].map(EntityIx);
        graph.tie(ana, Tie::Fact(FactIx(7)), porto);
        graph.tie(anna, Tie::SameAs, ana);
        let ties = |entity| graph.ties(entity).collect::<Vec<_>>();
        assert_eq!(ties(ana), [(Tie::Fact(FactIx(7)), porto), (Tie::SameAs, anna)]);
        assert_eq!(ties(porto), [(Tie::Fact(FactIx(7)), ana)]);
        assert_eq!((graph.nodes(), graph.ties_count(), graph.edges().count()), (3, 2, 2));
    }
}
