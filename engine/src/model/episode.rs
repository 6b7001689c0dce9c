//! What was said: the immutable episode, and spans of it.

use crate::model::id::{EpisodeId, Namespace, SessionId};
use crate::model::time::{SourceTime, Timestamp};
use serde::{Deserialize, Serialize};

/// A half-open range of an episode's text, in characters (Unicode scalar values), not bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Span {
    /// The first character.
    pub start: u32,
    /// The first character after it; not before `start`.
    pub end: u32,
}

impl Span {
    /// The piece of `text` that it names, or `None` where it reaches past the end.
    pub fn slice<'t>(&self, text: &'t str) -> Option<&'t str> {
        let byte_at = |character: u32| {
            let mut starts = text.char_indices().map(|(byte, _)| byte).chain(std::iter::once(text.len()));
            starts.nth(character as usize)
        };
        text.get(byte_at(self.start)?..byte_at(self.end)?)
    }
}

/// One immutable turn (or exchange, document, tool result).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Episode {
    /// A content hash, see [`Episode::id_of`].
    pub id: EpisodeId,
    /// The run of exchanges that it belongs to.
    pub session: SessionId,
    /// Its place in the session, from 0.
    pub position: u32,
    /// Who said it, as the source names them.
    pub speaker: Option<String>,
    /// What was said, exactly as given.
    pub text: String,
    /// When it was said, or `None` where the source does not tell.
    pub occurred_at: Option<SourceTime>,
    /// When the memory was told.
    pub recorded_at: Timestamp,
    /// The id that the source gave the turn, such as `D1:3`.
    pub source_id: Option<String>,
    /// From when on it is not shown any more; `None` for never.
    pub expires_at: Option<Timestamp>,
    /// When the memory is to be taken to have been told, where that is not when it was recorded: of what comes from another
    /// record.
    pub told_at: Option<Timestamp>,
}

impl Episode {
    /// An episode with the id of its content. The source gave it no id, it does not expire, and the memory is told when it is
    /// recorded; what is otherwise is set on it.
    pub fn new(
        namespace: &Namespace,
        session: SessionId,
        position: u32,
        said: (Option<&str>, Option<SourceTime>),
        text: &str,
        recorded_at: Timestamp,
    ) -> Self {
        Self {
            id: Self::id_of(namespace, &session, position, said, text),
            session,
            position,
            speaker: said.0.map(str::to_owned),
            text: text.to_owned(),
            occurred_at: said.1,
            recorded_at,
            source_id: None,
            expires_at: None,
            told_at: None,
        }
    }

    /// The content hash over namespace, session, position, speaker, time and text: ingesting the same turn
    /// twice gives the same id. When it was recorded or told, when it expires and the source's id are not part of it.
    pub fn id_of(
        namespace: &Namespace,
        session: &SessionId,
        position: u32,
        said: (Option<&str>, Option<SourceTime>),
        text: &str,
    ) -> EpisodeId {
        let (speaker, at) = said;
        let millis = at.map_or_else(Vec::new, |at| at.instant.as_millis().to_le_bytes().to_vec());
        EpisodeId::of(&[
            namespace.as_str().as_bytes(),
            session.as_str().as_bytes(),
            &position.to_le_bytes(),
            &[u8::from(speaker.is_some())],
            speaker.unwrap_or_default().as_bytes(),
            &millis,
            text.as_bytes(),
        ])
    }
}

/// How far an episode has got through extraction.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum ExtractionStatus {
    /// Stored and searchable, not yet read for facts.
    Pending,
    /// Read for facts.
    Done,
    /// The extractor failed on it; the episode is kept and can be read again.
    Failed,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spans_count_characters() {
        let span = Span { start: 1, end: 3 };
        assert_eq!(span.slice("añb"), Some("ñb"));
        assert_eq!(span.slice("a"), None);
    }

    #[test]
    fn an_absent_speaker_differs_from_an_empty_one() {
        let namespace = Namespace::default();
        let session = SessionId::new("s");
        let id = |speaker| Episode::id_of(&namespace, &session, 0, (speaker, None), "hi");
        assert_ne!(id(None), id(Some("")));
        assert_eq!(id(Some("A")), id(Some("A")));
    }
}
