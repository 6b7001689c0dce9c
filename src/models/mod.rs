//! Models that run here, and how they come to this machine. Without any of them lorebase works fully.
//!
//! `catalogue` knows some by name, `installed` keeps those that are on this machine, `add` brings one there, and `select`
//! finds the one that is meant: with the feature `local-models`. [`choice`] is what a store remembers.

#[cfg(feature = "local-models")]
pub mod add;
#[cfg(all(feature = "local-models", feature = "remote-models"))]
pub mod add_remote;
#[cfg(feature = "local-models")]
mod archive;
#[cfg(feature = "local-models")]
pub mod catalogue;
pub mod choice;
#[cfg(feature = "local-models")]
mod download;
mod files;
#[cfg_attr(not(feature = "local-models"), expect(dead_code, reason = "files are hashed for local models"))]
mod hashes;
#[cfg(feature = "local-models")]
pub mod installed;
#[cfg(feature = "local-models")]
pub mod local;
#[cfg(feature = "local-models")]
pub mod manifest;
#[cfg(feature = "local-models")]
mod parts;
pub mod remote;
#[cfg(feature = "local-models")]
pub mod select;
#[cfg(test)]
#[cfg(feature = "local-models")]
#[path = "../../tests/served.rs"]
mod served;
