//! Shortest paths: how is one thing tied to another?

use std::collections::VecDeque;

use rustc_hash::FxHashMap;

use super::{Edge, End, Graph, Node};

/// One step of a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Step {
    /// Where it begins.
    pub from: Node,
    /// Along which edge.
    pub edge: Edge,
    /// At which end of the edge it begins.
    pub end: End,
    /// Where it leads.
    pub to: Node,
}

/// A way through the graph, in order.
pub type Path = Vec<Step>;

impl Graph {
    /// A shortest way from `from` to `to` over the edges that `allowed` names, of at most `longest` steps and
    /// looking at no more than `most` nodes. Among ways of the same length the one first found counts.
    pub fn shortest(
        &self,
        from: Node,
        to: Node,
        limits: (usize, usize),
        allowed: impl Fn(Edge) -> bool,
    ) -> Option<Path> {
        let (longest, most) = limits;
        let mut came: FxHashMap<Node, Option<Step>> = FxHashMap::from_iter([(from, None)]);
        let mut queue = VecDeque::from([(from, 0)]);
        while let Some((node, length)) = queue.pop_front() {
            if node == to {
                return Some(trace_back(&came, to));
            }
            if length == longest || came.len() > most {
                continue;
            }
            for (edge, end, next, _) in self.ties(node).filter(|(edge, ..)| allowed(*edge)) {
                came.entry(next).or_insert_with(|| {
                    queue.push_back((next, length + 1));
                    Some(Step { from: node, edge, end, to: next })
                });
            }
        }
        None
    }
}

fn trace_back(came: &FxHashMap<Node, Option<Step>>, to: Node) -> Path {
    let mut path = Vec::new();
    let mut node = to;
    while let Some(Some(step)) = came.get(&node) {
        path.push(*step);
        node = step.from;
    }
    path.reverse();
    path
}

#[cfg(test)]
mod tests {
    use super::super::{EntityIx, EpisodeIx};
    use super::*;

    fn chain(length: u32) -> Graph {
        let mut graph = Graph::default();
        graph.add(Node::Entity(EntityIx(0)));
        for n in 0..length {
            graph.add(Node::Episode(EpisodeIx(n)));
            graph.add(Node::Entity(EntityIx(n + 1)));
            graph.tie(Node::Episode(EpisodeIx(n)), Edge::Mentions, Node::Entity(EntityIx(n)), 1.0);
            graph.tie(Node::Episode(EpisodeIx(n)), Edge::Mentions, Node::Entity(EntityIx(n + 1)), 1.0);
        }
        graph
    }

    #[test]
    fn the_way_is_found_against_and_along_edges() {
        let graph = chain(3);
        let (from, to) = (Node::Entity(EntityIx(0)), Node::Entity(EntityIx(3)));
        let path = graph.shortest(from, to, (6, 1000), |_| true).unwrap();
        assert_eq!(path.len(), 6);
        assert_eq!((path[0].end, path[1].end), (End::Head, End::Tail));
        assert!(graph.shortest(from, to, (5, 1000), |_| true).is_none());
        assert!(graph.shortest(from, to, (6, 1000), |edge| edge == Edge::Next).is_none());
    }

    #[test]
    fn ties_are_seen_from_both_ends_and_can_be_removed() {
        let mut graph = chain(1);
        let episode = Node::Episode(EpisodeIx(0));
        assert_eq!(graph.along(episode, Edge::Mentions).count(), 2);
        assert_eq!(graph.against(Node::Entity(EntityIx(1)), Edge::Mentions).collect::<Vec<_>>(), [episode]);
        graph.untie(episode, |edge, to| edge == Edge::Mentions && to == Node::Entity(EntityIx(1)));
        assert_eq!(graph.along(episode, Edge::Mentions).count(), 1);
    }
}
