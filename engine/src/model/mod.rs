//! The ground floor: plain data in the field's words. It knows no store, no index and no wire format.

pub mod entity;
pub mod episode;
pub mod extraction;
pub mod fact;
pub mod id;
pub mod predicate;
pub mod ruling;
pub mod time;
pub(crate) mod tombstone;
