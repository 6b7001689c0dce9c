//! Who is tied to whom? The graph of one namespace, in memory, made from the store. This is the only folder
//! that knows petgraph.

use petgraph::Direction;
use petgraph::stable_graph::{NodeIndex, StableDiGraph};
use petgraph::visit::{EdgeRef, IntoEdgeReferences};

macro_rules! handle {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
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

/// What stands at a node.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Node {
    /// An entity.
    Entity(EntityIx),
    /// A fact; a node of its own so that it can be cited, dated and walked through.
    Fact(FactIx),
    /// An episode.
    Episode(EpisodeIx),
    /// A session.
    Session(SessionIx),
}

/// What an edge means, read from its first end to its second.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Edge {
    /// Fact to the entity it is about.
    Subject,
    /// Fact to the entity it ties its subject to.
    Object,
    /// Episode to a fact that it states.
    States,
    /// Episode to an entity that it names.
    Mentions,
    /// Episode to the one after it in its session.
    Next,
    /// Episode to its session.
    InSession,
    /// Entity to one whose name is likely another name of it.
    SameAs,
    /// Fact to the one whose place it took.
    Supersedes,
}

/// The nodes and edges of one namespace. Nodes of one kind are added with numbers from 0 without a gap.
#[derive(Default)]
pub struct Graph {
    inner: StableDiGraph<Node, (Edge, f32)>,
    entities: Vec<NodeIndex>,
    facts: Vec<NodeIndex>,
    episodes: Vec<NodeIndex>,
    sessions: Vec<NodeIndex>,
}

impl Graph {
    /// Adds a node; its number is the count of nodes of its kind so far.
    pub(crate) fn add(&mut self, node: Node) {
        let index = self.inner.add_node(node);
        let (list, number) = match node {
            Node::Entity(ix) => (&mut self.entities, ix.index()),
            Node::Fact(ix) => (&mut self.facts, ix.index()),
            Node::Episode(ix) => (&mut self.episodes, ix.index()),
            Node::Session(ix) => (&mut self.sessions, ix.index()),
        };
        debug_assert_eq!(list.len(), number, "nodes of a kind are numbered without a gap");
        list.push(index);
    }

    fn at(&self, node: Node) -> NodeIndex {
        match node {
            Node::Entity(ix) => self.entities[ix.index()],
            Node::Fact(ix) => self.facts[ix.index()],
            Node::Episode(ix) => self.episodes[ix.index()],
            Node::Session(ix) => self.sessions[ix.index()],
        }
    }

    /// Ties two nodes; `weight` is how strong the tie is, 1 for what was said outright.
    pub(crate) fn tie(&mut self, from: Node, edge: Edge, to: Node, weight: f32) {
        self.inner.add_edge(self.at(from), self.at(to), (edge, weight));
    }

    /// Removes the edges out of `from` that `which` names. The cost grows with the degrees of both ends.
    pub(crate) fn untie(&mut self, from: Node, which: impl Fn(Edge, Node) -> bool) {
        let edges: Vec<_> = self
            .inner
            .edges(self.at(from))
            .filter(|edge| which(edge.weight().0, self.inner[edge.target()]))
            .map(|edge| edge.id())
            .collect();
        for edge in edges {
            self.inner.remove_edge(edge);
        }
    }

    /// The nodes from which `edge` leads to `node`.
    pub fn against(&self, node: Node, edge: Edge) -> impl Iterator<Item = Node> {
        let back = self.inner.edges_directed(self.at(node), Direction::Incoming);
        back.filter(move |found| found.weight().0 == edge).map(|found| self.inner[found.source()])
    }

    /// Every edge: from, what it means, to, weight.
    pub(crate) fn edges(&self) -> impl Iterator<Item = (Node, Edge, Node, f32)> {
        (&self.inner).edge_references().map(|edge| {
            let (kind, weight) = *edge.weight();
            (self.inner[edge.source()], kind, self.inner[edge.target()], weight)
        })
    }

    /// How many nodes there are.
    pub fn nodes(&self) -> usize {
        self.inner.node_count()
    }

    /// How many edges there are.
    pub fn ties_count(&self) -> usize {
        self.inner.edge_count()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ties_are_seen_from_their_second_end_and_can_be_removed() {
        let (mut graph, episode) = (Graph::default(), Node::Episode(EpisodeIx(0)));
        graph.add(episode);
        for number in 0..2 {
            graph.add(Node::Entity(EntityIx(number)));
            graph.tie(episode, Edge::Mentions, Node::Entity(EntityIx(number)), 1.0);
        }
        let mentioned =
            |graph: &Graph, number| graph.against(Node::Entity(EntityIx(number)), Edge::Mentions).count();
        assert_eq!((mentioned(&graph, 0), mentioned(&graph, 1), graph.ties_count()), (1, 1, 2));
        assert_eq!(graph.against(Node::Entity(EntityIx(0)), Edge::Subject).count(), 0);
        graph.untie(episode, |edge, to| edge == Edge::Mentions && to == Node::Entity(EntityIx(1)));
        assert_eq!((mentioned(&graph, 0), mentioned(&graph, 1), graph.ties_count()), (1, 0, 1));
    }
}
