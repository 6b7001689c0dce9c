//! What lorebase is measured on: evaluation sets, runs and their scores, and the sample dialogues.

pub mod answers;
pub mod benchmark;
pub mod case;
pub mod cases;
pub mod error;
pub mod extraction;
pub mod hops;
pub mod locomo;
pub mod longmemeval;
pub mod run;
pub mod sample;
pub mod score;
pub mod truth;

mod files;
