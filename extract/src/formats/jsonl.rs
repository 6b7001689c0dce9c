//! Plain JSONL: one turn a line, `{"session","at","speaker","text","id"}`, of which only `text` is required.

use std::io::BufRead;
use std::path::Path;

use serde::Deserialize;

use crate::error::Error;
use crate::formats::json::read_lines;
use crate::formats::told::Told;
use crate::formats::values::{Label, PlainTime};
use crate::transcript::Turn;

/// Tells one document. Turns without a session go into one that is called `default_session`; other fields than
/// those five are ignored.
pub(crate) fn stream<E: From<Error>>(
    reader: impl BufRead,
    path: &Path,
    default_session: &str,
    tell: &mut dyn FnMut(Told<'_>) -> Result<(), E>,
) -> Result<(), E> {
    tell(Told::Document { name: None })?;
    read_lines(reader, path, |_, raw: RawTurn| {
        let turn = Turn {
            source_id: raw.id.map(|Label(id)| id),
            speaker: raw.speaker,
            at: raw.at.map(|PlainTime(at)| at),
            text: raw.text,
        };
        let id = raw.session.as_ref().map_or(default_session, |Label(id)| id);
        tell(Told::Session { id, at: turn.at })?;
        tell(Told::Turn(turn))
    })
}

#[derive(Deserialize)]
struct RawTurn {
    session: Option<Label>,
    at: Option<PlainTime>,
    speaker: Option<String>,
    text: String,
    id: Option<Label>,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formats::format::Format;
    use crate::formats::read_from;

    #[test]
    fn only_text_is_required() {
        let lines = "\u{feff}{\"text\": \"hi\\u0000\"}\r\n\r\n{\"session\": \"S1\", \"at\": \"2024-01-01\", \
                     \"speaker\": null, \"text\": \"ho\", \"id\": 7, \"mood\": {}}\n{\"text\": \"hey\"}";
        let documents = read_from(lines.as_bytes(), Path::new("a"), Format::Jsonl).unwrap();
        let sessions = &documents[0].transcript.sessions;
        assert_eq!((sessions[0].id.as_str(), sessions[0].turns.len(), sessions[0].at), ("a", 2, None));
        assert_eq!(sessions[1].turns[0].source_id.as_deref(), Some("7"));
        assert!(sessions[1].at.is_some());
    }

    #[test]
    fn a_turn_without_text_is_named_by_line_and_column() {
        let lines = "{\"text\": \"a\"}\n{\"id\": \"b\"}";
        let error = read_from(lines.as_bytes(), Path::new("a.jsonl"), Format::Jsonl);
        let error = error.unwrap_err().to_string();
        assert!(error.contains("a.jsonl:2:11: missing field `text`"), "{error}");
    }
}
