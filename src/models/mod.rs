//! Models that run here or elsewhere, and how they come to this machine. Without any of them lorebase works fully.

#[cfg(feature = "local-models")]
pub mod local;
