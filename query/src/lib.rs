//! What is asked: a question in, the episodes and the paths that answer it out. This crate never writes.

pub mod context;
mod copies;
pub mod fade;
pub mod order;
pub mod pattern;
pub mod question;
mod rank;
pub mod recall;
#[cfg(test)]
mod reference;
pub mod rerank;
mod retrieve;
mod score;
mod spread;
pub mod trees;
pub mod updates;
mod values;
pub mod walk;
pub mod ways;
mod weights;
