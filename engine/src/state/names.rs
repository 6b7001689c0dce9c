//! Which names are likely names of the same thing: the weighted same-as edges, made from the names alone, so
//! that they do not depend on the order in which the names came.

use crate::embed::Embedder;
use crate::graph::{Edge, EntityIx, FactIx, Node};
use crate::model::entity::EntityKind;
use crate::model::id::EntityId;
use crate::state::State;

/// What a shared first or last word of two names is worth: "Ana" and "Ana Silva" may be one person or two.
const PART_WEIGHT: f32 = 0.5;

impl State {
    /// Makes a new entity's name findable by words that are spelt much like it.
    pub(super) fn index_name(&mut self, ix: EntityIx) {
        let folded = &self.entities[ix.index()].folded;
        let vector =
            self.spelling.embed(&[folded]).ok().and_then(|mut vectors| vectors.pop()).unwrap_or_default();
        self.name_vectors.load(ix.0, &vector).expect("the index is made for the vectors of this embedder");
    }

    /// The entities whose names are spelt most like `word`, at most `most`, best first, with their likeness.
    pub fn spelt_like(&self, word: &str, most: usize) -> Vec<(EntityIx, f32)> {
        let vector =
            self.spelling.embed(&[word]).ok().and_then(|mut vectors| vectors.pop()).unwrap_or_default();
        let found = self.name_vectors.search(&vector, most).into_iter();
        found
            .map(|(number, likeness)| (EntityIx(number), likeness))
            .filter(|(ix, _)| self.entity(*ix).alive())
            .collect()
    }

    /// Ties a new entity to those of which it is the first or last word, or that are its first or last word.
    pub(super) fn tie_names(&mut self, ix: EntityIx) {
        let folded = self.entities[ix.index()].folded.clone();
        let ends = ends_of(&folded);
        for word in ends.into_iter().flatten() {
            let others = self.entity_by_word.entry(word.into()).or_default();
            for &other in others.iter() {
                let single = (&*folded == word) != (&*self.entities[other.index()].folded == word);
                if single {
                    self.graph.tie(Node::Entity(ix), Edge::SameAs, Node::Entity(other), PART_WEIGHT);
                    self.entities[ix.index()].same_as.push(other);
                    self.entities[other.index()].same_as.push(ix);
                }
            }
            others.push(ix);
        }
    }

    /// The entity of this name: the exact one, folded, and if there is none those of which it is the first or
    /// last word, most mentioned first.
    pub fn find_entities(&self, name: &str) -> Vec<EntityIx> {
        let id = EntityId::of_name(&self.namespace, name);
        if let Some(ix) = self.entity_by_id.get(&id).filter(|ix| self.entity(**ix).alive()) {
            return vec![*ix];
        }
        let folded = crate::text::fold_name(name);
        let mut found = self.entity_by_word.get(&*folded).cloned().unwrap_or_default();
        found.retain(|ix| self.entity(*ix).alive());
        found.sort_by_key(|ix| (std::cmp::Reverse(self.entity(*ix).mentioned_in), self.entity(*ix).id));
        found
    }

    /// The entities of this folded name, or else those of which it is the first or last word and that are people.
    pub fn entities_called(&self, folded: &str) -> Vec<EntityIx> {
        let id = EntityId::of_folded(&self.namespace, folded);
        if let Some(ix) = self.entity_by_id.get(&id).filter(|ix| self.entity(**ix).alive()) {
            return vec![*ix];
        }
        let person =
            |ix: &&EntityIx| self.entity(**ix).alive() && self.entity(**ix).kind() == EntityKind::Person;
        self.entity_by_word
            .get(folded)
            .map_or(Vec::new(), |found| found.iter().filter(person).copied().collect())
    }

    /// The entities whose name is likely another name of `ix`.
    pub fn namesakes(&self, ix: EntityIx) -> impl Iterator<Item = EntityIx> {
        self.entity(ix).same_as.iter().copied().filter(|other| self.entity(*other).alive())
    }

    /// The facts of which `ix` is an end.
    pub fn facts_of(&self, ix: EntityIx) -> &[FactIx] {
        &self.entity(ix).facts
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
