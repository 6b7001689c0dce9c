//! Whether entities and facts that came with an import are those that the memory has made of it.

use std::collections::BTreeMap;

use lorebase_engine::engine::Reader;
use lorebase_engine::graph::{EntityIx, FactIx};
use lorebase_engine::model::id::Namespace;

use super::{Thing, export};
use crate::error::Error;
use crate::memory::Memory;

/// In what two sets of entities and facts differ.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Differences {
    /// How many things were compared.
    pub compared: u64,
    /// How many differ, are missing or were not given.
    pub count: u64,
    /// One of them, in words.
    pub example: Option<String>,
}

impl Memory {
    /// Compares the entities and facts among `things` with those that the memory has. A namespace of which `things` have
    /// neither is passed over, and so is one that `wanted` does not name.
    ///
    /// # Errors
    /// Those of `things`, and the store's.
    pub fn compare<E: From<Error>>(
        &self,
        things: impl IntoIterator<Item = Result<(Namespace, Thing), E>>,
        wanted: impl Fn(&Namespace) -> bool,
    ) -> Result<Differences, E> {
        let mut found = Differences::default();
        let mut given: BTreeMap<Namespace, u64> = BTreeMap::new();
        let mut own: Option<Own> = None;
        for thing in things {
            let (namespace, thing) = thing?;
            if !wanted(&namespace)
                || matches!(thing, Thing::Episode { .. } | Thing::Tombstone(_) | Thing::Ruling(_))
            {
                continue;
            }
            if own.as_ref().is_none_or(|own| own.namespace != namespace) {
                // The old view must go before another is asked for.
                drop(own.take());
                own = Some(Own::of(self, namespace.clone())?);
            }
            let own = own.as_ref().expect("it was just made");
            *given.entry(namespace).or_insert(0) += 1;
            found.compared += 1;
            if let Some(problem) = own.problem_with(&thing) {
                found.add(1, || format!("namespace {}: {problem}", own.namespace));
            }
        }
        drop(own);
        for (namespace, count) in given {
            let own = Own::of(self, namespace)?;
            let made = (own.entities.len() + own.facts.len()) as u64;
            found.add(made.saturating_sub(count), || {
                format!("namespace {}: entities and facts given: {count}, there: {made}", own.namespace)
            });
        }
        Ok(found)
    }
}

impl Differences {
    fn add(&mut self, count: u64, example: impl FnOnce() -> String) {
        self.count += count;
        if count > 0 && self.example.is_none() {
            self.example = Some(example());
        }
    }
}

/// What a memory has made in one namespace, by id.
struct Own {
    namespace: Namespace,
    reader: Reader,
    entities: Vec<EntityIx>,
    facts: Vec<FactIx>,
}

impl Own {
    fn of(memory: &Memory, namespace: Namespace) -> Result<Self, Error> {
        let reader = memory.engine().reader(&namespace)?;
        let (entities, facts) = (export::entities(reader.state()), export::facts(reader.state()));
        Ok(Self { namespace, reader, entities, facts })
    }

    fn problem_with(&self, given: &Thing) -> Option<String> {
        let state = self.reader.state();
        let (what, own) = match given {
            Thing::Entity(entity) => {
                let at = self.entities.binary_search_by_key(&entity.id, |ix| state.entity(*ix).id);
                let own = at.map(|at| Thing::Entity(export::entity(state, self.entities[at])));
                (format!("entity {}", entity.id), own)
            }
            Thing::Fact(fact) => {
                let at = self.facts.binary_search_by_key(&fact.id, |ix| state.fact(*ix).id);
                let own = at.map(|at| Thing::Fact(export::fact(state, self.facts[at])));
                (format!("fact {}", fact.id), own)
            }
            Thing::Episode { .. } | Thing::Tombstone(_) | Thing::Ruling(_) => return None,
        };
        match own {
            Err(_) => Some(format!("{what} is given and was not made")),
            Ok(own) => (own != *given).then(|| format!("{what} is not as it is given")),
        }
    }
}
