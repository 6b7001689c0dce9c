//! What an extractor is: episodes in, mentions and triples out.

use lorebase_engine::model::entity::EntityKind;
use lorebase_engine::model::episode::{Episode, Span};
use lorebase_engine::model::fact::Triple;

/// A span that names an entity, before the entity has an id.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NamedSpan {
    /// Where it stands, in characters.
    pub span: Span,
    /// The name that it stands for, pronouns resolved.
    pub name: String,
    /// What kind of thing the place suggests it is.
    pub kind: EntityKind,
}

/// What one episode says.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Extraction {
    /// Names in the order of the text.
    pub mentions: Vec<NamedSpan>,
    /// Claims in the order of the text.
    pub triples: Vec<Triple>,
}

/// Reads episodes for mentions and facts.
pub trait Extractor: Send + Sync {
    /// Which extractor and version this is, such as `rules-1`; stored with what it found.
    fn name(&self) -> &str;

    /// Reads the episodes of one session, given in order, and tells what each says: one entry an episode, an
    /// error text where the extractor failed on it. It is a pure function of the episodes.
    fn extract(&self, session: &[Episode]) -> Vec<Result<Extraction, String>>;
}
