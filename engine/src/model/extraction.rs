//! What an extractor found in one episode, in names and spans, before entities have ids.

use crate::model::entity::EntityKind;
use crate::model::episode::{ExtractionStatus, Span};
use crate::model::fact::Triple;
use crate::model::id::EpisodeId;

/// A span that names an entity, before the entity has an id.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NamedSpan {
    /// Where it stands, in characters; for a speaker, an empty span at the beginning of the text.
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

/// An extraction as it is stored: of which episode, by which extractor, with what success. A later one of the
/// same episode takes its place.
#[derive(Debug, Clone, PartialEq)]
pub struct Reading {
    /// The episode that was read.
    pub episode: EpisodeId,
    /// Which extractor and version read it.
    pub extractor: String,
    /// Whether it could be read.
    pub status: ExtractionStatus,
    /// What it says; empty unless the status is [`ExtractionStatus::Done`].
    pub found: Extraction,
}
