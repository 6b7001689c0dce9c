//! Which names are likely names of the same thing: the weighted same-as edges, made from the names alone, so
//! that they do not depend on the order in which the names came.

use crate::graph::{Edge, EntityIx, FactIx, Node};
use crate::state::State;

/// What a shared first or last word of two names is worth: "Ana" and "Ana Silva" may be one person or two.
const PART_WEIGHT: f32 = 0.5;

impl State {
    /// Ties a new entity to those of which it is the first or last word, or that are its first or last word.
    pub(super) fn tie_names(&mut self, ix: EntityIx) {
        let folded = self.entities[ix.index()].folded.clone();
        let ends = ends_of(&folded);
        for word in ends.into_iter().flatten() {
            let others = self.entity_by_word.entry(word.into()).or_default();
            for &other in others.iter() {
                let single = (&*folded == word) != (&*self.entities[other.index()].folded == word);
                if single {
                    let (from, to) = (Node::Entity(ix.max(other)), Node::Entity(ix.min(other)));
                    self.graph.tie(from, Edge::SameAs, to, PART_WEIGHT);
                }
            }
            others.push(ix);
        }
    }

    /// The entity of this name: the exact one, folded, and if there is none those of which it is the first or
    /// last word, most mentioned first.
    pub fn find_entities(&self, name: &str) -> Vec<EntityIx> {
        let id = crate::model::id::EntityId::of_name(&self.namespace, name);
        if let Some(ix) = self.entity_by_id.get(&id).filter(|ix| self.entity(**ix).alive()) {
            return vec![*ix];
        }
        let folded = crate::text::fold_name(name);
        let mut found = self.entity_by_word.get(&*folded).cloned().unwrap_or_default();
        found.retain(|ix| self.entity(*ix).alive());
        found.sort_by_key(|ix| (std::cmp::Reverse(self.entity(*ix).mentioned_in), self.entity(*ix).id));
        found
    }

    /// The entities whose name is likely another name of `ix`, by name.
    pub fn namesakes(&self, ix: EntityIx) -> Vec<EntityIx> {
        let along = self.graph.along(Node::Entity(ix), Edge::SameAs);
        let all = along.chain(self.graph.against(Node::Entity(ix), Edge::SameAs));
        let mut found: Vec<EntityIx> = all
            .filter_map(|node| match node {
                Node::Entity(other) if self.entity(other).alive() => Some(other),
                _ => None,
            })
            .collect();
        found.sort_by_key(|other| self.entity(*other).folded_name());
        found
    }

    /// The facts of which `ix` is an end.
    pub fn facts_of(&self, ix: EntityIx) -> impl Iterator<Item = FactIx> {
        let node = Node::Entity(ix);
        let ends = self.graph.against(node, Edge::Subject).chain(self.graph.against(node, Edge::Object));
        ends.filter_map(|node| if let Node::Fact(fact) = node { Some(fact) } else { None })
    }
}

/// The first and the last word of a folded name, or the name itself where it has one word.
fn ends_of(folded: &str) -> [Option<&str>; 2] {
    let mut words = folded.split(' ');
    let first = words.next().filter(|word| !word.is_empty());
    [first, words.next_back()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ends_of_names() {
        assert_eq!(ends_of("ana maria silva"), [Some("ana"), Some("silva")]);
        assert_eq!(ends_of("ana"), [Some("ana"), None]);
        assert_eq!(ends_of(""), [None, None]);
    }
}
