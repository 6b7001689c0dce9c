//! Plain text: lines such as `Ana: hello`. It is not a reader of any messenger's own export.
//!
//! - A line may begin with a time, `[2023-05-08 13:56]` or `2023-05-08T13:56:00`.
//! - A speaker is at most four words and 40 characters of letters before a colon that a space or the line's end
//!   follows. A line without one goes on with the turn before it, unless a blank line stands between.
//! - `# SESSION-ID @ TIME` begins a session. What stands before the first goes into one named after the file's path.

use std::io::BufRead;
use std::path::Path;

use lorebase_engine::model::time::SourceTime;

use crate::error::Error;
use crate::formats::lines::{LINE_MAX_BYTES, Line, Lines};
use crate::formats::told::Told;
use crate::transcript::Turn;

const SPEAKER_MAX_CHARACTERS: usize = 40;
const SPEAKER_MAX_WORDS: usize = 4;

/// Tells one document; the session that needs no marker is called `default_session`.
pub(crate) fn stream<E: From<Error>>(
    reader: impl BufRead,
    path: &Path,
    default_session: &str,
    tell: &mut dyn FnMut(Told<'_>) -> Result<(), E>,
) -> Result<(), E> {
    let mut lines = Lines::new(reader, path).ended_by_returns();
    tell(Told::Document { name: None })?;
    let mut chat = Chat::new(default_session, path, tell);
    while let Some(line) = lines.next_line()? {
        chat.take(line)?;
    }
    chat.end_turn()?;
    if chat.empty {
        let path = path.to_path_buf();
        return Err(Error::Empty { path }.into());
    }
    Ok(())
}

/// Whether the first line with something on it is one that only this format has.
pub(crate) fn looks_like_chat(head: &[u8]) -> bool {
    let line = head.split(|byte| b"\n\r".contains(byte)).find(|line| !line.trim_ascii().is_empty());
    let Some(Ok(line)) = line.map(std::str::from_utf8) else {
        return false;
    };
    let (time, rest) = split_time(line);
    time.is_some() || split_speaker(rest).is_some() || matches!(split_marker(line), Some((_, Some(_))))
}

struct Chat<'c, E> {
    path: &'c Path,
    tell: &'c mut dyn FnMut(Told<'_>) -> Result<(), E>,
    session: String,
    session_at: Option<SourceTime>,
    turn: Option<Turn>,
    /// Whether no session has begun yet.
    empty: bool,
}

impl<'c, E: From<Error>> Chat<'c, E> {
    fn new(session: &str, path: &'c Path, tell: &'c mut dyn FnMut(Told<'_>) -> Result<(), E>) -> Self {
        Self { path, tell, session: session.to_owned(), session_at: None, turn: None, empty: true }
    }

    fn take(&mut self, line: Line<'_>) -> Result<(), E> {
        if line.text.trim().is_empty() {
            self.end_turn()
        } else if let Some((id, at)) = split_marker(line.text) {
            let at = at.ok_or_else(|| bad_marker(line, self.path))?;
            self.begin_session(id, at)
        } else {
            self.take_words(line)
        }
    }

    fn take_words(&mut self, line: Line<'_>) -> Result<(), E> {
        let Line { number, text: line } = line;
        let (at, rest) = split_time(line);
        let speaker = split_speaker(rest);
        match &mut self.turn {
            Some(turn) if speaker.is_none() && at.is_none() => {
                if turn.text.len() + line.len() > LINE_MAX_BYTES {
                    return Err(too_long(number, self.path).into());
                }
                turn.text.push('\n');
                turn.text.push_str(line);
            }
            _ => {
                self.end_turn()?;
                self.turn = Some(Turn {
                    source_id: None,
                    speaker: speaker.map(|(name, _)| name.to_owned()),
                    at: at.or(self.session_at),
                    text: speaker.map_or(rest, |(_, text)| text).to_owned(),
                });
            }
        }
        Ok(())
    }

    fn end_turn(&mut self) -> Result<(), E> {
        let Some(turn) = self.turn.take() else { return Ok(()) };
        self.empty = false;
        (self.tell)(Told::Session { id: &self.session, at: turn.at })?;
        (self.tell)(Told::Turn(turn))
    }

    fn begin_session(&mut self, id: &str, at: SourceTime) -> Result<(), E> {
        self.end_turn()?;
        self.empty = false;
        id.clone_into(&mut self.session);
        self.session_at = Some(at);
        (self.tell)(Told::Session { id, at: Some(at) })
    }
}

fn too_long(line: u64, path: &Path) -> Error {
    Error::Malformed {
        path: path.to_path_buf(),
        line,
        column: 1,
        problem: format!("the turn that goes on here is longer than {LINE_MAX_BYTES} bytes"),
    }
}

/// Splits `# SESSION-ID @ TIME`; the time is `None` where it is none.
fn split_marker(line: &str) -> Option<(&str, Option<SourceTime>)> {
    let (id, time) = line.strip_prefix("# ")?.rsplit_once(" @ ")?;
    Some((id.trim(), time.parse().ok()))
}

fn bad_marker(line: Line<'_>, path: &Path) -> Error {
    let column = line.text.rfind(" @ ").map_or(1, |at| at + 4);
    let time: String = line.text[column - 1..].chars().take(60).collect();
    Error::Malformed {
        path: path.to_path_buf(),
        line: line.number,
        column: column as u64,
        problem: format!("\"{time}\" is not a session's time such as 2023-05-08T10:00"),
    }
}

/// Splits a leading time off. What is in brackets and no time, such as `[laughs]`, is text.
fn split_time(line: &str) -> (Option<SourceTime>, &str) {
    let bracketed = line.strip_prefix('[').and_then(|rest| rest.split_once(']'));
    let bare = || line.split_once(' ').filter(|(time, _)| time.contains('T'));
    let (time, rest) = match bracketed.or_else(bare) {
        Some((time, rest)) if time.starts_with(|first: char| first.is_ascii_digit()) => (time, rest),
        _ => return (None, line),
    };
    match time.parse() {
        Ok(at) => (Some(at), rest.trim_start()),
        Err(_) => (None, line),
    }
}

/// Splits `Ana María: hello` into the name and what was said.
fn split_speaker(line: &str) -> Option<(&str, &str)> {
    let (name, text) = line.split_once(':')?;
    let name = name.trim();
    let words = name.split_whitespace().count();
    let fits = words <= SPEAKER_MAX_WORDS && name.chars().count() <= SPEAKER_MAX_CHARACTERS;
    let of_letters =
        name.chars().all(|c| c.is_alphabetic() || c.is_whitespace() || matches!(c, '\'' | '’' | '-' | '.'));
    let named = name.starts_with(char::is_alphabetic) && fits && of_letters;
    let apart = text.is_empty() || text.starts_with(char::is_whitespace);
    (named && apart).then(|| (name, text.trim_start()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formats::format::Format;
    use crate::formats::read_from;

    fn sessions(text: &str) -> Vec<String> {
        let documents = read_from(text.as_bytes(), Path::new("chat"), Format::Text).unwrap();
        let mut shown = Vec::new();
        for session in &documents[0].transcript.sessions {
            shown.push(format!("# {}", session.id));
            shown.extend(session.turns.iter().map(|turn| {
                let at = turn.at.map_or("-".to_owned(), |at| at.civil().to_string());
                format!("{at} {}: {}", turn.speaker.as_deref().unwrap_or("-"), turn.text)
            }));
        }
        shown
    }

    #[test]
    fn lines_without_a_speaker_go_on_until_a_blank_line() {
        assert_eq!(
            sessions("Ana María: hi\r\nsee https://a.b/c: nice\r\n\r\nalone\nBo:\nwhat?"),
            ["# chat", "- Ana María: hi\nsee https://a.b/c: nice", "- -: alone", "- Bo: \nwhat?"]
        );
    }

    #[test]
    fn times_and_session_markers_are_read() {
        assert_eq!(
            sessions(
                "# S1 @ 2023-05-08T10:00\nAna: a\n[2023-05-08 13:56] Bo: b\n2023-05-08T14:00:00 Bo: c\n[laughs] d"
            ),
            [
                "# S1",
                "2023-05-08T10:00:00 Ana: a",
                "2023-05-08T13:56:00 Bo: b",
                "2023-05-08T14:00:00 Bo: c\n[laughs] d"
            ]
        );
    }

    #[test]
    fn a_marker_with_a_bad_time_is_named_with_its_place() {
        let error = read_from("Ana: a\n# S1 @ noon".as_bytes(), Path::new("chat.txt"), Format::Text);
        let error = error.unwrap_err().to_string();
        assert!(error.contains("chat.txt:2:8: \"noon\""), "{error}");
    }

    #[test]
    fn prose_is_no_speaker() {
        for line in ["http://a.b", "10:30 is fine", "this is a rather long sentence: no", "a:b"] {
            assert_eq!(split_speaker(line), None, "{line}");
        }
    }
}
