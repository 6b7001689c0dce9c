//! Which predicates there are, by the words that mean them, and which facts tie an entity by which predicate: what
//! makes it cheap to ask an entity of a thousand facts for the two that a question is about.

use std::collections::BTreeSet;

use rustc_hash::FxHashMap;

use crate::graph::{EntityIx, FactIx};
use crate::model::predicate::Predicate;
use crate::state::State;
use crate::text;

/// The number of a predicate among those that the facts of a namespace have.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PredicateIx(pub u32);

/// The predicates, and the facts by their ends and predicates.
#[derive(Default)]
pub(super) struct Relations {
    predicates: Vec<Predicate>,
    by_name: FxHashMap<Predicate, PredicateIx>,
    /// By the first content stem of each phrase that means them.
    by_stem: FxHashMap<Box<str>, Vec<PredicateIx>>,
    /// Each fact at its subject and at its object.
    ends: BTreeSet<(EntityIx, PredicateIx, FactIx)>,
}

impl Relations {
    fn number(&mut self, predicate: &Predicate) -> PredicateIx {
        if let Some(number) = self.by_name.get(predicate) {
            return *number;
        }
        let number = PredicateIx(self.predicates.len() as u32);
        self.predicates.push(predicate.clone());
        self.by_name.insert(predicate.clone(), number);
        for phrase in predicate.phrases() {
            let Some(first) = text::content_stems(&phrase).into_iter().next() else { continue };
            let known = self.by_stem.entry(first.into()).or_default();
            if !known.contains(&number) {
                known.push(number);
            }
        }
        number
    }

    /// Adds a fact at both of its ends.
    pub(super) fn add(&mut self, fact: FactIx, predicate: &Predicate, ends: [Option<EntityIx>; 2]) {
        let predicate = self.number(predicate);
        self.ends.extend(ends.into_iter().flatten().map(|end| (end, predicate, fact)));
    }
}

impl State {
    /// A predicate by its number.
    pub fn predicate(&self, ix: PredicateIx) -> &Predicate {
        &self.relations.predicates[ix.0 as usize]
    }

    /// The predicates of facts that some phrase means which begins, stop words aside, with this stem.
    pub fn predicates_meant(&self, stem: &str) -> &[PredicateIx] {
        self.relations.by_stem.get(stem).map_or(&[], Vec::as_slice)
    }

    /// The facts of which `entity` is an end, by predicate.
    pub fn facts_of(&self, entity: EntityIx) -> impl Iterator<Item = FactIx> {
        let first = (entity, PredicateIx(0), FactIx(0));
        let last = (entity, PredicateIx(u32::MAX), FactIx(u32::MAX));
        self.relations.ends.range(first..=last).map(|(_, _, fact)| *fact)
    }

    /// The facts with a predicate of which `entity` is an end, the newest first.
    pub fn facts_with(&self, entity: EntityIx, predicate: PredicateIx) -> impl Iterator<Item = FactIx> {
        let (first, last) = (FactIx(0), FactIx(u32::MAX));
        let range = (entity, predicate, first)..=(entity, predicate, last);
        self.relations.ends.range(range).rev().map(|(_, _, fact)| *fact)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_predicate_is_meant_by_its_name_and_by_its_synonyms() {
        let mut relations = Relations::default();
        let ends = [Some(EntityIx(3)), Some(EntityIx(3))];
        relations.add(FactIx(0), &Predicate::new("sibling_of"), ends);
        relations.add(FactIx(1), &Predicate::new("juggles"), [Some(EntityIx(3)), None]);
        relations.add(FactIx(2), &Predicate::new("juggles"), [Some(EntityIx(4)), None]);
        assert_eq!(relations.by_stem.get("sister"), Some(&vec![PredicateIx(0)]));
        assert_eq!(relations.by_stem.get("juggl"), Some(&vec![PredicateIx(1)]));
        assert_eq!((relations.predicates.len(), relations.ends.len()), (2, 3));
    }
}
