//! What is known: the model, the store, the graph and the indexes of lorebase.
//!
//! This crate knows no language model, no network, no clock and no JSON.

pub mod change;
mod check;
pub mod dates;
pub mod derive;
pub mod embed;
pub mod engine;
pub mod error;
pub mod fence;
#[cfg(fuzzing)]
#[doc(hidden)]
pub mod fuzzing;
pub mod graph;
pub mod index;
pub mod model;
mod queue;
pub mod state;
mod store;
pub mod text;
#[cfg(test)]
mod trials;
mod truth;

pub use store::{
    BackedUp, Compaction, Missing, Notice, Repaired, TornTail, Usage, Use, Uses, backup, panic_is_contained,
    repair,
};
