//! The official LongMemEval JSON: an array of questions, each with a haystack of sessions. Its answers are not read here.

use std::io::Read;
use std::path::Path;

use rustc_hash::FxHashMap;
use serde::Deserialize;

use crate::error::Error;
use crate::formats::json::read_items;
use crate::formats::told::Told;
use crate::formats::values::{Label, LongMemEvalTime};
use crate::transcript::Turn;

/// Tells one document a question, named by its `question_id`.
pub(crate) fn stream<E: From<Error>>(
    reader: impl Read,
    path: &Path,
    tell: &mut dyn FnMut(Told<'_>) -> Result<(), E>,
) -> Result<(), E> {
    read_items(reader, path, &mut |haystack: Haystack| haystack.tell(tell))
}

#[derive(Deserialize)]
#[serde(try_from = "RawHaystack")]
struct Haystack {
    question_id: Label,
    sessions: Vec<(Label, LongMemEvalTime, Vec<RawTurn>)>,
}

#[derive(Deserialize)]
struct RawHaystack {
    question_id: Label,
    haystack_session_ids: Vec<Label>,
    haystack_dates: Vec<LongMemEvalTime>,
    haystack_sessions: Vec<Vec<RawTurn>>,
}

#[derive(Deserialize)]
struct RawTurn {
    role: Option<String>,
    content: String,
}

impl TryFrom<RawHaystack> for Haystack {
    type Error = String;

    /// The three lists of a haystack belong together item by item.
    fn try_from(raw: RawHaystack) -> Result<Self, String> {
        let (ids, dates) = (raw.haystack_session_ids.len(), raw.haystack_dates.len());
        let sessions = raw.haystack_sessions.len();
        if ids != sessions || dates != sessions {
            let question = raw.question_id.0;
            return Err(format!("question {question} has {sessions} sessions, {ids} ids and {dates} dates"));
        }
        let dated = raw.haystack_session_ids.into_iter().zip(raw.haystack_dates);
        let sessions = dated.zip(raw.haystack_sessions);
        Ok(Self {
            question_id: raw.question_id,
            sessions: sessions.map(|((id, at), turns)| (id, at, turns)).collect(),
        })
    }
}

impl Haystack {
    /// A session that stands twice in a haystack is one session; its turns keep their own date.
    fn tell<E>(self, tell: &mut dyn FnMut(Told<'_>) -> Result<(), E>) -> Result<(), E> {
        tell(Told::Document { name: Some(&self.question_id.0) })?;
        let mut turns_of: FxHashMap<String, usize> = FxHashMap::default();
        for (Label(id), LongMemEvalTime(at), turns) in self.sessions {
            tell(Told::Session { id: &id, at: Some(at) })?;
            let first = turns_of.entry(id.clone()).or_default();
            for (index, turn) in (*first..).zip(turns) {
                *first = index + 1;
                tell(Told::Turn(Turn {
                    source_id: Some(format!("{id}:{index}")),
                    speaker: turn.role,
                    at: Some(at),
                    text: turn.content,
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

    const SAMPLE: &str = r#"[{"question_id": "q1", "haystack_session_ids": ["s1", "s2"],
        "haystack_dates": ["2023/07/12 (Wed) 10:14", "2023/08/02 (Wed) 05:58"],
        "haystack_sessions": [[{"role": "user", "content": "hi"}, {"role": "assistant", "content": "hello"}], []]}]"#;

    #[test]
    fn turns_are_called_by_session_and_index() {
        let documents = read_from(SAMPLE.as_bytes(), Path::new("a.json"), Format::LongMemEval).unwrap();
        let sessions = &documents[0].transcript.sessions;
        assert_eq!(sessions.len(), 2);
        assert_eq!(sessions[0].turns[1].source_id.as_deref(), Some("s1:1"));
        assert_eq!(sessions[0].turns[1].speaker.as_deref(), Some("assistant"));
        assert_eq!(sessions[1].at.unwrap().civil().to_string(), "2023-08-02T05:58:00");
    }

    #[test]
    fn lists_of_different_lengths_are_named() {
        let bad = SAMPLE.replace("\"s1\", ", "");
        let error =
            read_from(bad.as_bytes(), Path::new("a.json"), Format::LongMemEval).unwrap_err().to_string();
        assert!(error.contains("a.json:3:") && error.contains("q1 has 2 sessions, 1 ids"), "{error}");
    }
}
