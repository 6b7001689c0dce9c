//! Models behind an endpoint that speaks as OpenAI's does: what is known of one here, and with the feature `remote-models`, the
//! embedder that asks it. Nothing is asked before such a model is added, or used.

#[cfg(feature = "remote-models")]
mod answer;
#[cfg(feature = "remote-models")]
mod client;
#[cfg(feature = "remote-models")]
mod embedder;
mod settings;
#[cfg(feature = "remote-models")]
mod worker;

#[cfg(feature = "remote-models")]
pub use self::embedder::RemoteEmbedder;
pub use self::settings::Settings;
