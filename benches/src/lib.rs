//! What is measured here rather than tested: quality by part of recall, and speed and scale on generated histories. A
//! crate of its own, so that what it needs burdens nobody who builds lorebase.

pub mod figures;
pub mod graph;
pub mod journal;
pub mod measure;
pub mod remembering;
pub mod report;
pub mod steps;
pub mod svg;
pub mod table;
pub mod world;
