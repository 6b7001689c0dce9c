//! Everything that can go wrong while reading what was said, told by who must act, with the file and the place in it.

use std::io;
use std::path::{Path, PathBuf};

use lorebase_engine::error::{ErrorKind, IoError};

use crate::formats::format::Format;

/// What went wrong while reading a transcript.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A name that no format has.
    #[error("no format is called \"{name}\"; the known ones are {}", Format::names())]
    UnknownFormatName {
        /// The name as given, cut to 60 characters.
        name: String,
    },
    /// A file that does not look like any known format.
    #[error("{}: its format cannot be told; name it, the known ones are {}", path.display(), Format::names())]
    UnknownFormat {
        /// The file.
        path: PathBuf,
    },
    /// A file that holds no turn, session or case at all.
    #[error("{}: it holds no transcript; give a file that does", path.display())]
    Empty {
        /// The file.
        path: PathBuf,
    },
    /// Bytes that are no UTF-8.
    #[error("{}: byte {offset} is not UTF-8; save the file as UTF-8 and read it again", path.display())]
    NotUtf8 {
        /// The file.
        path: PathBuf,
        /// The first byte that belongs to no character, from 0.
        offset: u64,
    },
    /// A line, a single JSON value or an item of a JSON array that is longer than readers take.
    #[error(
        "{}:{line}: the {what} at byte {offset} is longer than {limit} bytes; split it up",
        path.display()
    )]
    TooLong {
        /// The file.
        path: PathBuf,
        /// What is too long: "line", "value" or "item".
        what: &'static str,
        /// The line that it begins on, from 1.
        line: u64,
        /// Where it begins, from 0.
        offset: u64,
        /// The longest that is taken, in bytes.
        limit: usize,
    },
    /// More of something than one file may hold.
    #[error("{}: it holds more than {limit} {what}; split it into several files", path.display())]
    TooMany {
        /// The file.
        path: PathBuf,
        /// What there is too much of: "sessions", or "turns of one session".
        what: &'static str,
        /// The most that are taken.
        limit: u32,
    },
    /// Text that breaks off or does not follow its format.
    #[error("{}:{line}:{column}: {problem}; mend that place{}", path.display(), other_format(problem))]
    Malformed {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: u64,
        /// The column in bytes, from 1; 0 where nothing stands before the line's end.
        column: u64,
        /// What is wrong there.
        problem: String,
    },
    /// The operating system failed us.
    #[error(transparent)]
    Io(#[from] IoError),
}

impl Error {
    /// Who must act.
    pub fn kind(&self) -> ErrorKind {
        match self {
            Self::UnknownFormatName { .. }
            | Self::UnknownFormat { .. }
            | Self::Empty { .. }
            | Self::NotUtf8 { .. }
            | Self::TooLong { .. }
            | Self::TooMany { .. }
            | Self::Malformed { .. } => ErrorKind::Caller,
            Self::Io(error) => error.kind_of_named_file(),
        }
    }

    /// A closure for `map_err` that names the action and the file.
    pub(crate) fn io<'p>(action: &'static str, path: &'p Path) -> impl FnOnce(io::Error) -> Self + 'p {
        move |source| Self::Io(IoError::of(action, path)(source))
    }

    /// What the JSON parser said, with its place moved down by the lines that stand before what it was given.
    pub(crate) fn json(path: &Path, lines_before: u64, error: &serde_json::Error) -> Self {
        let (line, column) = (error.line() as u64, error.column() as u64);
        Self::Malformed {
            path: path.to_path_buf(),
            line: lines_before + line.max(1),
            column,
            problem: json_problem(error),
        }
    }
}

/// What more can be done where the file follows another format than the one it was taken for.
fn other_format(problem: &str) -> &'static str {
    let another = ["missing ", "invalid type", "invalid length", "not an array"];
    if another.iter().any(|begin| problem.starts_with(begin)) { " or name another format" } else { "" }
}

/// What the JSON parser said, without the place, which is told beside it, and without names of the program's own.
pub fn json_problem(error: &serde_json::Error) -> String {
    /// What the parser calls things, and what they are.
    const PLAIN: [(&str, &str); 16] = [
        ("unexpected end of hex escape", "half of a surrogate pair, which is no character"),
        ("lone leading surrogate in hex escape", "half of a surrogate pair, which is no character"),
        ("EOF while parsing", "it breaks off in"),
        ("invalid type: map", "invalid type: object"),
        ("invalid type: sequence", "invalid type: array"),
        ("invalid type: unit value", "invalid type: null"),
        ("expected a sequence", "expected an array"),
        ("expected a map", "expected an object"),
        ("unknown variant", "unknown name"),
        ("expected u64", "expected a whole number from 0"),
        ("expected u32", "expected a whole number from 0 to 4294967295"),
        ("expected i16", "expected a whole number from -32768 to 32767"),
        ("expected f32", "expected a number"),
        ("expected a tuple of size 2", "expected an array of two"),
        ("expected enum ", "expected an object, as of "),
        ("expected struct ", "expected an object, as of "),
    ];
    let said = error.to_string();
    let place = format!(" at line {} column {}", error.line(), error.column());
    let said = said.strip_suffix(&place).unwrap_or(&said);
    let plain = PLAIN.iter().fold(said.to_owned(), |said, (own, plain)| said.replacen(own, plain, 1));
    // The name of a type ends what is said.
    plain.split(", as of ").next().unwrap_or_default().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug, serde::Deserialize)]
    struct Item {
        #[serde(rename = "n")]
        _n: Option<u32>,
        #[serde(rename = "t")]
        _t: Option<String>,
    }

    #[test]
    fn what_the_parser_says_is_said_in_plain_words() {
        for (text, says) in [
            (
                "{\"t\": \"\\ud800\"}",
                "1:14: half of a surrogate pair, which is no character; mend that place",
            ),
            (
                "{\"n\": -1}",
                "1:8: invalid value: integer `-1`, expected a whole number from 0 to 4294967295; mend that place",
            ),
            (
                "{\"t\": {}}",
                "1:6: invalid type: object, expected a string; mend that place or name another format",
            ),
            (
                "7",
                "1:1: invalid type: integer `7`, expected an object; mend that place or name another format",
            ),
            ("{\"n\": 1", "1:7: it breaks off in an object; mend that place"),
        ] {
            let error = serde_json::from_str::<Item>(text).unwrap_err();
            let said = Error::json(Path::new("a"), 0, &error).to_string();
            assert_eq!(said, format!("a:{says}"), "{text}");
        }
    }
}
