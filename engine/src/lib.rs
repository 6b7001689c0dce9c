//! What is known: the model, the store, the graph and the indexes of lorebase.
//!
//! This crate knows no language model, no network, no clock and no JSON.

pub mod change;
pub mod dates;
pub mod embed;
pub mod error;
pub mod index;
pub mod model;
mod store;
pub mod text;

pub use store::{Notice, TornTail};
