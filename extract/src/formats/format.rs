//! The names of the formats, and how one is told from a file's name and first bytes. It reads nothing itself.

use std::ffi::OsStr;
use std::fmt;
use std::path::Path;
use std::str::FromStr;

use crate::error::Error;
use crate::formats::lines::BYTE_ORDER_MARK;
use crate::formats::text::looks_like_chat;

/// A format that can be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Format {
    /// The official LoCoMo JSON: an array of samples.
    LoCoMo,
    /// The official LongMemEval JSON: an array of questions, each with its haystack of sessions.
    LongMemEval,
    /// The neutral case format: one case with its sessions a line.
    Cases,
    /// One turn a line: `{"session","at","speaker","text","id"}`, of which only `text` is required.
    Jsonl,
    /// Lines such as `Ana: hello`.
    Text,
}

/// Keys with which an object of each JSON format may begin.
const FIRST_KEYS: [(Format, &[&str]); 4] = [
    (Format::LoCoMo, &["qa", "conversation", "event_summary", "observation", "session_summary", "sample_id"]),
    (
        Format::LongMemEval,
        &[
            "question_id",
            "question_type",
            "question",
            "answer",
            "question_date",
            "haystack_dates",
            "haystack_session_ids",
            "haystack_sessions",
            "answer_session_ids",
        ],
    ),
    (Format::Cases, &["case", "sessions", "facts", "questions"]),
    (Format::Jsonl, &["session", "at", "speaker", "text", "id"]),
];

impl Format {
    /// Every format, in the order in which they are listed to users.
    pub const ALL: [Self; 5] = [Self::LoCoMo, Self::LongMemEval, Self::Cases, Self::Jsonl, Self::Text];

    /// The name by which users call it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::LoCoMo => "locomo",
            Self::LongMemEval => "longmemeval",
            Self::Cases => "cases",
            Self::Jsonl => "jsonl",
            Self::Text => "text",
        }
    }

    /// All names, separated by commas.
    pub fn names() -> String {
        Self::ALL.map(Self::name).join(", ")
    }

    /// Tells the format from the file's name and its first bytes; a few kilobytes are enough. `None` where
    /// neither says anything: it does not guess.
    pub fn detect(path: &Path, head: &[u8]) -> Option<Self> {
        let head = head.strip_prefix(BYTE_ORDER_MARK).unwrap_or(head);
        let head = head.trim_ascii_start();
        let extension = path.extension().map(OsStr::to_ascii_lowercase);
        let extension = extension.as_deref().and_then(|extension| extension.to_str());
        let in_array = head.strip_prefix(b"[").map(<[u8]>::trim_ascii_start);
        if let Some(object) = in_array.filter(|rest| rest.starts_with(b"{")) {
            return by_first_key(object, &[Self::LoCoMo, Self::LongMemEval]);
        }
        if head.starts_with(b"{") {
            let by_name = (extension == Some("jsonl")).then_some(Self::Jsonl);
            return by_first_key(head, &[Self::Cases, Self::Jsonl]).or(by_name);
        }
        match extension {
            Some("txt" | "text" | "log" | "md") => Some(Self::Text),
            // Subtitles, tables and settings hold lines with a colon as well, and are no chat.
            Some(_) => None,
            None => looks_like_chat(head).then_some(Self::Text),
        }
    }
}

fn by_first_key(object: &[u8], among: &[Format]) -> Option<Format> {
    let key = object.strip_prefix(b"{")?.trim_ascii_start().strip_prefix(b"\"")?;
    let key = &key[..key.iter().position(|&byte| byte == b'"')?];
    let fits = |keys: &[&str]| keys.iter().any(|name| name.as_bytes() == key);
    let mut found = FIRST_KEYS.iter().filter(|(format, keys)| among.contains(format) && fits(keys));
    found.next().map(|(format, _)| *format)
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Format {
    type Err = Error;

    fn from_str(name: &str) -> Result<Self, Error> {
        let known = Self::ALL.into_iter().find(|format| format.name() == name);
        known.ok_or_else(|| Error::UnknownFormatName { name: name.chars().take(60).collect() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_round_trip_and_an_unknown_one_lists_the_known() {
        for format in Format::ALL {
            assert_eq!(format.to_string().parse::<Format>().unwrap(), format);
        }
        let error = "csv".parse::<Format>().unwrap_err().to_string();
        assert!(error.contains("locomo, longmemeval, cases, jsonl, text"), "{error}");
    }

    #[test]
    fn the_first_key_or_the_first_line_tells_the_format() {
        let detect = |name: &str, head: &str| Format::detect(Path::new(name), head.as_bytes());
        assert_eq!(detect("a.json", "[ {\"qa\": []"), Some(Format::LoCoMo));
        assert_eq!(detect("a.json", "\u{feff}[\n{\"question_id\""), Some(Format::LongMemEval));
        assert_eq!(detect("a.jsonl", "{\"case\": \"x\""), Some(Format::Cases));
        assert_eq!(detect("a.jsonl", "{\"mood\": \"x\""), Some(Format::Jsonl));
        assert_eq!(detect("a", "{\"text\": \"x\""), Some(Format::Jsonl));
        assert_eq!(detect("a.txt", "anything"), Some(Format::Text));
        assert_eq!(detect("chat", "[2024-01-02 10:00] Ana: hi"), Some(Format::Text));
        assert_eq!(detect("a.json", "[{\"title\": 1}]"), None);
        assert_eq!(detect("a.png", "\u{89}PNG\r\n"), None);
        assert_eq!(detect("a.yaml", "name: lore"), None);
    }
}
