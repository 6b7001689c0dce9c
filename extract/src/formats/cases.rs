//! The neutral case format: one case with its sessions a line. Its questions and given facts are not read here.

use std::io::BufRead;
use std::path::Path;

use serde::Deserialize;

use crate::error::Error;
use crate::formats::json::read_lines;
use crate::formats::told::Told;
use crate::formats::values::{Label, PlainTime};
use crate::transcript::Turn;

/// Tells one document a case, named by the case.
pub(crate) fn stream<E: From<Error>>(
    reader: impl BufRead,
    path: &Path,
    tell: &mut dyn FnMut(Told<'_>) -> Result<(), E>,
) -> Result<(), E> {
    read_lines(reader, path, |_, case: RawCase| case.tell(tell))
}

#[derive(Deserialize)]
struct RawCase {
    case: Label,
    sessions: Vec<RawSession>,
}

#[derive(Deserialize)]
struct RawSession {
    id: Label,
    at: Option<PlainTime>,
    #[serde(default)]
    turns: Vec<RawTurn>,
}

#[derive(Deserialize)]
struct RawTurn {
    id: Option<Label>,
    speaker: Option<String>,
    at: Option<PlainTime>,
    text: String,
}

impl RawCase {
    fn tell<E>(self, tell: &mut dyn FnMut(Told<'_>) -> Result<(), E>) -> Result<(), E> {
        tell(Told::Document { name: Some(&self.case.0) })?;
        for raw in self.sessions {
            tell(Told::Session { id: &raw.id.0, at: raw.at.map(|PlainTime(at)| at) })?;
            for turn in raw.turns {
                tell(Told::Turn(Turn {
                    source_id: turn.id.map(|Label(id)| id),
                    speaker: turn.speaker,
                    at: turn.at.map(|PlainTime(at)| at),
                    text: turn.text,
                }))?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formats::format::Format;
    use crate::formats::read_from;

    #[test]
    fn nulls_and_sessions_without_turns_are_taken() {
        let lines = r#"{"case": "a", "questions": [], "sessions": [{"id": "p0", "at": null, "turns": [{"id": "p0", "speaker": null, "at": null, "text": "Ada wrote it."}]}, {"id": "p1", "at": "2024-01-01T00:00:00", "turns": []}]}"#;
        let documents = read_from(lines.as_bytes(), Path::new("a.jsonl"), Format::Cases).unwrap();
        let sessions = &documents[0].transcript.sessions;
        assert_eq!((sessions[0].at, sessions[0].turns[0].speaker.clone()), (None, None));
        assert!(sessions[1].turns.is_empty() && sessions[1].at.is_some());
    }
}
