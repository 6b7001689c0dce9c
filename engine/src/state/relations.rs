//! Which predicates there are, by the words that mean them, which facts tie an entity by which predicate, and the plain
//! values that facts say: what makes it cheap to ask an entity of a thousand facts for the two that a question is about.

use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

use super::bearing::SpecIx;
use crate::graph::{EntityIx, FactIx};
use crate::model::predicate::{PREDICATES, Predicate};
use crate::state::{State, SupportNode};
use crate::text;

/// The number of a predicate among those that the facts of a namespace have.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct PredicateIx(pub u32);

/// The predicates by number and by what means them.
#[derive(Default)]
pub(super) struct Predicates {
    list: Vec<Predicate>,
    /// Which of the table's each is.
    specs: Vec<Option<SpecIx>>,
    by_name: FxHashMap<Predicate, PredicateIx>,
    /// By the first content stem of each phrase that means them.
    by_stem: FxHashMap<Box<str>, Vec<PredicateIx>>,
}

impl Predicates {
    /// The number of a predicate, which may be new.
    pub(super) fn number(&mut self, predicate: &Predicate) -> PredicateIx {
        if let Some(number) = self.by_name.get(predicate) {
            return *number;
        }
        let number = PredicateIx(self.list.len() as u32);
        self.list.push(predicate.clone());
        let spec = PREDICATES.iter().position(|spec| spec.name == predicate.as_str());
        self.specs.push(spec.map(|spec| spec as SpecIx));
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

    /// All of them, by number.
    pub(super) fn list(&self) -> &[Predicate] {
        &self.list
    }

    /// Which of the table's a predicate is, if it is known.
    pub(super) fn spec(&self, ix: PredicateIx) -> Option<SpecIx> {
        self.specs[ix.0 as usize]
    }

    /// The number of one of the table's, where facts have it.
    pub(super) fn of_spec(&self, spec: SpecIx) -> Option<PredicateIx> {
        let place = self.specs.iter().position(|known| *known == Some(spec))?;
        Some(PredicateIx(place as u32))
    }

    /// The one of the table's that says the same as another from the other end. One that only the other end knows is none.
    pub(super) fn inverse(spec: SpecIx) -> Option<SpecIx> {
        let name = PREDICATES[usize::from(spec)].inverse?;
        PREDICATES.iter().position(|other| other.name == name).map(|place| place as SpecIx)
    }
}

/// The plain values that facts say, each once.
#[derive(Default)]
pub(super) struct Values {
    list: Vec<Box<str>>,
    by_text: FxHashMap<Box<str>, u32>,
}

impl Values {
    /// The number of a value, which may be new.
    pub(super) fn number(&mut self, value: &str) -> u32 {
        if let Some(number) = self.by_text.get(value) {
            return *number;
        }
        let number = self.list.len() as u32;
        self.list.push(value.into());
        self.by_text.insert(value.into(), number);
        number
    }

    /// All of them, by number.
    pub(super) fn list(&self) -> &[Box<str>] {
        &self.list
    }
}

impl State {
    /// A predicate by its number.
    pub fn predicate(&self, ix: PredicateIx) -> &Predicate {
        &self.predicates.list[ix.0 as usize]
    }

    /// The predicates that facts have, by number.
    pub fn predicates(&self) -> &[Predicate] {
        &self.predicates.list
    }

    /// The number of a predicate that some fact has.
    pub fn find_predicate(&self, predicate: &Predicate) -> Option<PredicateIx> {
        self.predicates.by_name.get(predicate).copied()
    }

    /// The predicates of facts that some phrase means which begins, stop words aside, with this stem.
    pub fn predicates_meant(&self, stem: &str) -> &[PredicateIx] {
        self.predicates.by_stem.get(stem).map_or(&[], Vec::as_slice)
    }

    /// The plain value that a fact says; `None` where it ties its subject to an entity.
    pub fn value(&self, ix: FactIx) -> Option<&str> {
        let fact = self.fact(ix);
        fact.object.is_none().then(|| &*self.values.list[fact.value as usize])
    }

    /// Whose words a statement is, where its speaker passes them on.
    pub fn attributed_to(&self, support: &SupportNode) -> Option<&str> {
        support.attributed_to.map(|number| &*self.values.list[number as usize])
    }

    /// The facts of which `entity` is an end, by predicate.
    pub fn facts_of(&self, entity: EntityIx) -> impl Iterator<Item = FactIx> {
        self.entity(entity).relations.iter().flat_map(|(_, facts)| facts).copied()
    }

    /// The facts with a predicate of which `entity` is an end, the newest first.
    pub fn facts_with(&self, entity: EntityIx, predicate: PredicateIx) -> impl Iterator<Item = FactIx> {
        self.relation(entity, predicate).iter().rev().copied()
    }

    /// How many facts `entity` is an end of: with a predicate, or with any.
    pub fn count_facts(&self, entity: EntityIx, predicate: Option<PredicateIx>) -> usize {
        match predicate {
            Some(predicate) => self.relation(entity, predicate).len(),
            None => self.entity(entity).relations.iter().map(|(_, facts)| facts.len()).sum(),
        }
    }

    /// The facts with a predicate of which `entity` is an end, the oldest first.
    pub(crate) fn relation(&self, entity: EntityIx, predicate: PredicateIx) -> &[FactIx] {
        let relations = &self.entity(entity).relations;
        let place = relations.binary_search_by_key(&predicate, |(known, _)| *known);
        place.map_or(&[][..], |place| &relations[place].1)
    }

    /// Adds a new fact at both of its ends.
    pub(super) fn relate(&mut self, ix: FactIx) {
        let fact = &self.facts[ix.index()];
        let (predicate, subject) = (fact.predicate, fact.subject);
        let object = fact.object.filter(|object| *object != subject);
        for end in [Some(subject), object].into_iter().flatten() {
            let relations = &mut self.entities[end.index()].relations;
            let place = relations.binary_search_by_key(&predicate, |(known, _)| *known);
            let place = place.unwrap_or_else(|place| {
                relations.insert(place, (predicate, Vec::new()));
                place
            });
            relations[place].1.push(ix);
        }
        self.lay_out_fact(ix);
        self.lay_out_way(ix);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_predicate_is_meant_by_its_name_and_by_its_synonyms() {
        let mut predicates = Predicates::default();
        let names = ["sibling_of", "juggles", "juggles"].map(|name| predicates.number(&Predicate::new(name)));
        assert_eq!(names, [PredicateIx(0), PredicateIx(1), PredicateIx(1)]);
        assert_eq!(predicates.by_stem.get("sister"), Some(&vec![PredicateIx(0)]));
        assert_eq!(predicates.by_stem.get("juggl"), Some(&vec![PredicateIx(1)]));
    }

    #[test]
    fn a_value_keeps_its_number() {
        let mut values = Values::default();
        assert_eq!(["a nurse", "42", "a nurse"].map(|value| values.number(value)), [0, 1, 0]);
        assert_eq!(values.list().len(), 2);
    }
}
