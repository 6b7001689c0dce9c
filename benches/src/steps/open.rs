//! A store opened: how long until it answers, and what lies in memory then.

use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use lorebase::engine::Missing;
use lorebase::engine::embed::{Embedder, ModelIdentity, Understanding};
use lorebase::engine::engine::Engine;
use lorebase::engine::error::Error;
use lorebase::memory::Memory;
use lorebase::query::question::Question;
use lorebase::query::recall;
use serde::{Deserialize, Serialize};

use crate::measure::{Resident, resident, worked};
use crate::steps::world_namespace;
use crate::world::person;

/// What opening came to.
#[derive(Debug, Clone, Copy, Default, Serialize, Deserialize)]
pub struct Opening {
    /// Seconds until the store stood open, nothing loaded.
    pub store: f64,
    /// Seconds that loading the namespace took.
    pub load: f64,
    /// Seconds of the first recall.
    pub recall: f64,
    /// Seconds that the cores worked for all that, together.
    pub worked: f64,
    /// Memory after that.
    pub resident: Resident,
}

impl Opening {
    /// Seconds until the first answer.
    pub fn seconds(&self) -> f64 {
        self.store + self.load + self.recall
    }
}

fn first_question() -> String {
    format!("Where does the sister of {} work, and who met her?", person(3))
}

pub(super) fn open(store: &Path) -> anyhow::Result<Opening> {
    let namespace = world_namespace()?;
    let start = Instant::now();
    let (memory, _) = Memory::open(store)?;
    let opened = start.elapsed().as_secs_f64();
    memory.warm(&namespace)?;
    let loaded = start.elapsed().as_secs_f64();
    memory.recall(&namespace, &Question::new(&first_question()))?;
    let answered = start.elapsed().as_secs_f64();
    Ok(Opening {
        store: opened,
        load: loaded - opened,
        recall: answered - loaded,
        worked: worked(),
        resident: resident(),
    })
}

/// Loads every namespace of a store and asks in each.
pub(super) fn open_all(store: &Path) -> anyhow::Result<Opening> {
    let start = Instant::now();
    let (memory, _) = Memory::open(store)?;
    let opened = start.elapsed().as_secs_f64();
    let namespaces = memory.engine().namespaces()?;
    namespaces.iter().try_for_each(|namespace| memory.warm(namespace))?;
    let loaded = start.elapsed().as_secs_f64();
    for namespace in &namespaces {
        memory.recall(namespace, &Question::new(&first_question()))?;
    }
    let answered = start.elapsed().as_secs_f64();
    Ok(Opening {
        store: opened,
        load: loaded - opened,
        recall: answered - loaded,
        worked: worked(),
        resident: resident(),
    })
}

/// A model whose vectors are a number each.
struct OneNumber(ModelIdentity);

impl Embedder for OneNumber {
    fn identity(&self) -> &ModelIdentity {
        &self.0
    }

    fn is_quick(&self) -> bool {
        true
    }

    fn understanding(&self) -> Understanding {
        Understanding::Spelling
    }

    fn embed(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>, Error> {
        Ok(vec![vec![1.0]; texts.len()])
    }
}

pub(super) fn without_vectors(store: &Path) -> anyhow::Result<Opening> {
    let start = Instant::now();
    let embedder = Arc::new(OneNumber(ModelIdentity { name: "one-number".to_owned(), dimensions: 1 }));
    let (engine, _) = Engine::open(store, Missing::Refuse, embedder)?;
    let opened = start.elapsed().as_secs_f64();
    let reader = engine.reader(&world_namespace()?)?;
    let loaded = start.elapsed().as_secs_f64();
    recall::recall(&reader, &Question::new(&first_question()), None);
    let answered = start.elapsed().as_secs_f64();
    Ok(Opening {
        store: opened,
        load: loaded - opened,
        recall: answered - loaded,
        worked: worked(),
        resident: resident(),
    })
}
