//! Short answers to questions, without a model.

pub mod routes;
