//! Models that run here, and how they come to this machine. Without any of them lorebase works fully.
//!
//! [`catalogue`] knows some by name, [`installed`] keeps those that are on this machine, [`add`] brings one there, and
//! [`choice`] remembers which of them makes the vectors of a store.

pub mod add;
mod archive;
pub mod catalogue;
pub mod choice;
mod download;
mod files;
pub mod installed;
pub mod local;
pub mod manifest;
mod parts;
#[cfg(test)]
#[path = "../../tests/served.rs"]
mod served;
