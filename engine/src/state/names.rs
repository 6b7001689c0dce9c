//! Which names are likely names of the same thing: the same-as ties, made from the names alone, so that they do not
//! depend on the order in which the names came.

use rustc_hash::{FxHashMap, FxHashSet};
use serde::{Deserialize, Serialize};

use crate::embed::Embedder;
use crate::graph::{EntityIx, Tie};
use crate::model::entity::EntityKind;
use crate::model::id::EntityId;
use crate::state::State;
use crate::text;

/// Entities by the words of their names as texts are searched by them, where those are not the folded name itself:
/// without accents, and cut at hyphens and apostrophes ("zoe" for "Zoë", "jean luc" for "Jean-Luc").
#[derive(Default, Serialize, Deserialize)]
pub(super) struct PlainNames {
    whole: FxHashMap<Box<str>, Vec<EntityIx>>,
    /// By the first or the last word, where the name has more than one.
    ends: FxHashMap<Box<str>, Vec<EntityIx>>,
}

impl PlainNames {
    /// The entities by each way in which a name is found.
    pub(super) fn lists(&self) -> impl Iterator<Item = &Vec<EntityIx>> {
        self.whole.values().chain(self.ends.values())
    }

    fn add(&mut self, ix: EntityIx, folded: &str) {
        let mut add = |map: fn(&mut Self) -> &mut FxHashMap<Box<str>, Vec<EntityIx>>, name: &str| {
            let plain = text::join_words(name);
            if plain != name && !plain.is_empty() {
                map(self).entry(plain.into()).or_default().push(ix);
            }
        };
        add(|names| &mut names.whole, folded);
        for end in ends_of(folded).into_iter().flatten().filter(|end| *end != folded) {
            add(|names| &mut names.ends, end);
        }
    }
}

impl State {
    /// Makes a new entity's name findable by its plain words and by words that are spelt much like it.
    pub(super) fn index_name(&mut self, ix: EntityIx) {
        let folded = &self.entities[ix.index()].folded;
        self.plain_names.add(ix, folded);
        let vector =
            self.spelling.embed(&[folded]).ok().and_then(|mut vectors| vectors.pop()).unwrap_or_default();
        self.name_vectors.load(ix.0, &vector).expect("the index is made for the vectors of this embedder");
    }

    /// The entities of which a name is spelt most like `word`, at most `most` names, best first, with that name as it is
    /// folded and its likeness.
    pub fn spelt_like(&self, word: &str, most: usize) -> Vec<(EntityIx, &str, f32)> {
        let vector =
            self.spelling.embed(&[word]).ok().and_then(|mut vectors| vectors.pop()).unwrap_or_default();
        let found = self.name_vectors.search(&vector, most).into_iter();
        found
            .map(|(number, likeness)| (EntityIx(number), likeness))
            .filter(|(own, _)| self.is_used(*own))
            .map(|(own, likeness)| (self.head(own), &*self.entity(own).folded, likeness))
            .collect()
    }

    /// Ties an entity whose name is new to those of which it is the first or last word, or that are its first or last word: "Ana" and
    /// "Ana Silva" may be one person or two.
    pub(super) fn tie_names(&mut self, ix: EntityIx) {
        let folded = self.entities[ix.index()].folded.clone();
        let ends = ends_of(&folded);
        for word in ends.into_iter().flatten() {
            let others = self.entity_by_word.entry(word.into()).or_default();
            for &other in others.iter() {
                let single = (&*folded == word) != (&*self.entities[other.index()].folded == word);
                if single {
                    self.graph.tie(ix.max(other), Tie::SameAs, ix.min(other));
                    self.entities[ix.index()].same_as.push(other);
                    self.entities[other.index()].same_as.push(ix);
                }
            }
            others.push(ix);
        }
    }

    /// The entities of this name: the exact one, folded; if there is none those that differ from it in accents,
    /// hyphens and the like only; and if there are none those of which it is the first or last word, most mentioned
    /// first.
    pub fn find_entities(&self, name: &str) -> Vec<EntityIx> {
        let folded = text::fold_name(name);
        let plain = text::join_words(&folded);
        if let Some(ix) = self.entity_exactly(&folded).or_else(|| self.entity_exactly(&plain)) {
            return vec![ix];
        }
        let mut found = self.alive_of(self.plain_names.whole.get(&*plain));
        if found.is_empty() {
            found = self.alive_of(self.entity_by_word.get(&*folded));
            found.extend(self.alive_of(self.plain_names.ends.get(&*plain)));
        }
        found.sort_by_key(|ix| (std::cmp::Reverse(self.entity(*ix).mentioned_in()), self.entity(*ix).id));
        found.dedup();
        found
    }

    /// The entities that these words, in lower case and without accents, name: those of this name, or else those
    /// of which it is the first or last word and that are people.
    pub fn entities_called(&self, words: &str) -> Vec<EntityIx> {
        let mut found: Vec<EntityIx> = self.entity_exactly(words).into_iter().collect();
        found.extend(self.alive_of(self.plain_names.whole.get(words)));
        if found.is_empty() {
            found = self.alive_of(self.entity_by_word.get(words));
            found.extend(self.alive_of(self.plain_names.ends.get(words)));
            found.retain(|ix| self.entity(*ix).kind() == EntityKind::Person);
        }
        each_once(found)
    }

    /// The entity whose own name has this id, alive or not.
    pub(super) fn find_entity(&self, id: &EntityId) -> Option<EntityIx> {
        let id_of = |number: u32| *self.entities[number as usize].id.as_bytes();
        self.entity_by_id.find(id.as_bytes(), id_of).map(EntityIx)
    }

    /// The entity of exactly this folded name, or else the one that was given it.
    pub fn entity_exactly(&self, folded: &str) -> Option<EntityIx> {
        let id = EntityId::of_folded(&self.namespace, folded);
        let own = self.find_entity(&id).filter(|own| self.is_used(*own)).map(|own| self.head(own));
        own.or_else(|| self.given_to(folded))
    }

    /// Who those are of these whose own names are used.
    fn alive_of(&self, found: Option<&Vec<EntityIx>>) -> Vec<EntityIx> {
        let found = found.map_or(&[][..], Vec::as_slice).iter();
        found.copied().filter(|own| self.is_used(*own)).map(|own| self.head(own)).collect()
    }

    /// The entities of which a name is likely another name of `ix`, each once, but for those that were ruled to be others.
    pub fn namesakes(&self, ix: EntityIx) -> Vec<EntityIx> {
        let like = |own: EntityIx| self.alive_of(Some(&self.entity(own).same_as));
        let mut found: Vec<EntityIx> = self.circle(ix).into_iter().flat_map(like).collect();
        found.retain(|other| *other != ix && !self.are_apart(ix, *other));
        each_once(found)
    }
}

/// The same in the same order, each once.
fn each_once(mut all: Vec<EntityIx>) -> Vec<EntityIx> {
    let mut seen = FxHashSet::default();
    all.retain(|ix| seen.insert(*ix));
    all
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
