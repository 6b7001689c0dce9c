//! What is measured here rather than tested: quality by part of recall, and speed on generated histories. A crate of
//! its own, so that what it needs burdens nobody who builds lorebase.

pub mod table;
pub mod world;
