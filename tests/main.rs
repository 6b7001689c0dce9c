//! The integration tests of the workspace, one binary: each module holds one promise. What a single module of
//! a crate does is tested beside it.

#![cfg(test)]

mod answers;
mod anything;
mod asking;
mod background;
mod bench;
mod copies;
mod crash;
mod current;
mod damage;
#[cfg(feature = "remote-models")]
mod endpoint;
mod export;
mod extract;
mod format;
mod hostile;
mod identity;
mod interface;
mod mind;
mod models;
mod patterns;
mod quality;
mod readers;
mod reference;
#[cfg(feature = "remote-models")]
mod remote;
mod reopen;
mod rerank;
mod room;
mod rules;
mod scenarios;
mod served;
mod suite;
mod tidy;
mod together;
mod truth;
mod upkeep;
mod util;
mod walks;
