//! Plain JSONL: one turn a line, `{"session","at","speaker","text","id"}`, of which only `text` is required.

use std::io::BufRead;
use std::path::Path;

use serde::Deserialize;

use crate::error::Error;
use crate::formats::json::read_lines;
use crate::formats::sessions::Sessions;
use crate::formats::values::{Label, PlainTime};
use crate::transcript::{Document, Turn};

/// Reads one document. Turns without a session go into one that is called `default_session`; other fields than
/// those five are ignored.
pub(crate) fn read(reader: impl BufRead, path: &Path, default_session: &str) -> Result<Vec<Document>, Error> {
    let mut transcript = Sessions::default();
    read_lines(reader, path, |_, raw: RawTurn| {
        let turn = Turn {
            source_id: raw.id.map(|Label(id)| id),
            speaker: raw.speaker,
            at: raw.at.map(|PlainTime(at)| at),
            text: raw.text,
        };
        let session = raw.session.as_ref().map_or(default_session, |Label(id)| id);
        transcript.push(session, turn);
        Ok::<(), Error>(())
    })?;
    Ok(vec![Document { name: None, transcript: transcript.into_transcript() }])
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

    #[test]
    fn only_text_is_required() {
        let lines = "\u{feff}{\"text\": \"hi\\u0000\"}\r\n\r\n{\"session\": \"S1\", \"at\": \"2024-01-01\", \
                     \"speaker\": null, \"text\": \"ho\", \"id\": 7, \"mood\": {}}\n{\"text\": \"hey\"}";
        let documents = read(lines.as_bytes(), Path::new("a.jsonl"), "a").unwrap();
        let sessions = &documents[0].transcript.sessions;
        assert_eq!((sessions[0].id.as_str(), sessions[0].turns.len(), sessions[0].at), ("a", 2, None));
        assert_eq!(sessions[1].turns[0].source_id.as_deref(), Some("7"));
        assert!(sessions[1].at.is_some());
    }

    #[test]
    fn a_turn_without_text_is_named_by_line_and_column() {
        let error = read("{\"text\": \"a\"}\n{\"id\": \"b\"}".as_bytes(), Path::new("a.jsonl"), "a");
        let error = error.unwrap_err().to_string();
        assert!(error.contains("a.jsonl:2:11: missing field `text`"), "{error}");
    }
}
