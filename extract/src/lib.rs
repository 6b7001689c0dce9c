//! What was said: transcripts in, episodes, mentions and facts out. This crate never writes.

mod clauses;
pub mod coref;
pub mod error;
pub mod extractor;
pub mod formats;
pub mod gate;
pub mod ingest;
pub mod memories;
pub mod names;
pub mod open;
pub mod phrases;
pub mod preview;
pub mod rules;
pub mod syntax;
pub mod transcript;
