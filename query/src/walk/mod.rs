//! Walks over the graph of entities and facts: who is near an entity, by which paths two are tied, and who matters to one.
//! A walk goes over facts that say that something is so, at the time that is asked for or else now, in both directions;
//! it never reads a text.

pub mod neighbours;
pub mod paths;
pub mod rank;
pub mod related;
mod score;
mod sight;
#[cfg(test)]
mod trials;
mod weights;

use lorebase_engine::graph::{EntityIx, FactIx};

pub use self::sight::Over;

/// One step of a walk: from an entity over a fact to what it ties the entity to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Step {
    /// Where it begins.
    pub from: EntityIx,
    /// Over which fact.
    pub fact: FactIx,
    /// Where it leads; `None` where the fact says a plain value.
    pub to: Option<EntityIx>,
}
