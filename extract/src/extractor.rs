//! What an extractor is: episodes in, mentions and triples out.

use lorebase_engine::model::episode::Episode;
pub use lorebase_engine::model::extraction::{Extraction, NamedSpan};

/// Reads episodes for mentions and facts.
pub trait Extractor: Send + Sync {
    /// Which extractor and version this is, such as `rules-1`; stored with what it found.
    fn name(&self) -> &str;

    /// Reads the episodes of one session, given in order, and tells what each says: one entry an episode, an
    /// error text where the extractor failed on it. It is a pure function of the episodes.
    fn extract(&self, session: &[Episode]) -> Vec<Result<Extraction, String>>;
}
