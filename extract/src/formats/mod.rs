//! Reading transcripts of any known format. What is read is told by the types of `transcript`; nothing is stored here.

pub mod format;
pub mod json;
pub mod lines;
pub mod outline;
pub mod told;
pub mod values;

mod cases;
mod guard;
mod jsonl;
mod locomo;
mod longmemeval;
mod sessions;
mod text;

use std::borrow::Cow;
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::{Component, Path};

use crate::error::Error;
use crate::formats::format::Format;
use crate::formats::told::{Collected, Told};
use crate::transcript::Document;

/// How much of a file its format is told from, in bytes.
const HEAD_BYTES: usize = 64 << 10;

/// Reads the file at `path`, in the format named or else the one that it looks like.
///
/// # Errors
/// Each names the file and the place in it: text that is not UTF-8, breaks off, does not follow its format, or
/// has a line (in JSON documents a single value) of more than [`lines::LINE_MAX_BYTES`]; a file that holds
/// nothing; one whose format cannot be told.
pub fn read(path: &Path, format: Option<Format>) -> Result<Vec<Document>, Error> {
    let (reader, format) = open(path, path, format)?;
    read_from(reader, path, format)
}

/// Opens the file of a transcript and tells its format, if it is not named. The file lies at `at`; `path` is named in
/// errors, and looked at for its ending.
pub(crate) fn open(
    path: &Path,
    at: &Path,
    format: Option<Format>,
) -> Result<(BufReader<File>, Format), Error> {
    let file = File::open(at).map_err(Error::io("open", path))?;
    let mut reader = BufReader::with_capacity(HEAD_BYTES, file);
    let head = reader.fill_buf().map_err(Error::io("read", path))?;
    let unknown = || {
        let path = path.to_path_buf();
        if head.trim_ascii().is_empty() { Error::Empty { path } } else { Error::UnknownFormat { path } }
    };
    let format = format.or_else(|| Format::detect(path, head)).ok_or_else(unknown)?;
    Ok((reader, format))
}

/// Reads `reader` in the format named. `path` is named in errors, and names the session of turns that have none,
/// see [`session_of`]; it need not exist.
pub fn read_from(reader: impl BufRead, path: &Path, format: Format) -> Result<Vec<Document>, Error> {
    let mut collected = Collected::default();
    stream::<Error>(reader, path, format, &mut |told| {
        collected.take(told);
        Ok(())
    })?;
    Ok(collected.into_documents())
}

/// Reads `reader` in the format named and hands on each piece as it is read: a document first, and a session before
/// its turns. At most one line, or of a JSON document one item, is held. See [`read_from`] for `path`.
///
/// # Errors
/// As [`read`]; what was told before stands. And what `tell` returns.
pub fn stream<E: From<Error>>(
    reader: impl BufRead,
    path: &Path,
    format: Format,
    tell: &mut dyn FnMut(Told<'_>) -> Result<(), E>,
) -> Result<(), E> {
    let session = session_of(path);
    match format {
        Format::LoCoMo => locomo::stream(reader, path, tell),
        Format::LongMemEval => longmemeval::stream(reader, path, tell),
        Format::Cases => cases::stream(reader, path, tell),
        Format::Jsonl => jsonl::stream(reader, path, &session, tell),
        Format::Text => text::stream(reader, path, &session, tell),
    }
}

/// The session of turns of the file at `path` that have none: the path as given, without what says nothing
/// (`./`, a root, `x/..`), its parts separated by slashes. The same path gives the same session, and two files of
/// one name in different directories give two.
pub fn session_of(path: &Path) -> String {
    let mut parts: Vec<Cow<'_, str>> = Vec::new();
    for component in path.components() {
        match component {
            Component::Normal(name) => parts.push(name.to_string_lossy()),
            Component::ParentDir if parts.last().is_none_or(|last| last == "..") => parts.push("..".into()),
            Component::ParentDir => drop(parts.pop()),
            Component::CurDir | Component::RootDir | Component::Prefix(_) => {}
        }
    }
    if parts.is_empty() { "default".to_owned() } else { parts.join("/") }
}

#[cfg(test)]
mod tests {
    use std::io::{Seek, Write};

    use proptest::prelude::{any, proptest};

    use super::*;

    const WHOLE: [(Format, &str); 5] = [
        (
            Format::LoCoMo,
            r#"[{"sample_id": "c", "conversation": {"session_1": [{"dia_id": "D1:1", "text": "hi"}]}}]"#,
        ),
        (
            Format::LongMemEval,
            r#"[{"question_id": "q", "haystack_session_ids": ["s"], "haystack_dates": ["2023/07/12 (Wed) 10:14"], "haystack_sessions": [[{"role": "user", "content": "hi"}]]}]"#,
        ),
        (Format::Cases, r#"{"case": "c", "sessions": [{"id": "s", "turns": [{"text": "hi"}]}]}"#),
        (Format::Jsonl, r#"{"session": "s", "text": "hi"}"#),
        (Format::Text, "# s @ 2024-01-01T10:00\nAna: hi"),
    ];

    fn read_bytes(bytes: &[u8], format: Format) -> Result<Vec<Document>, Error> {
        read_from(bytes, Path::new("file.x"), format)
    }

    #[test]
    fn every_format_reads_its_own_and_is_told_from_the_head() {
        for (format, whole) in WHOLE {
            let documents = read_bytes(whole.as_bytes(), format).unwrap();
            assert_eq!(documents[0].transcript.turn_count(), 1, "{format}");
            assert_eq!(Format::detect(Path::new("file"), whole.as_bytes()), Some(format));
        }
    }

    #[test]
    fn turns_without_a_session_go_into_one_named_after_the_path() {
        for (path, session) in [
            ("chat.txt", "chat.txt"),
            ("./d1//chat.txt", "d1/chat.txt"),
            ("d2/x/../chat.txt", "d2/chat.txt"),
            ("../../chat.txt", "../../chat.txt"),
            ("/d1/chat.jsonl", "d1/chat.jsonl"),
            ("/", "default"),
        ] {
            assert_eq!(session_of(Path::new(path)), session);
            let documents = read_from("Ana: hi".as_bytes(), Path::new(path), Format::Text).unwrap();
            assert_eq!(documents[0].transcript.sessions[0].id.as_str(), session);
        }
    }

    #[test]
    fn truncated_json_is_named_with_line_and_column() {
        for (format, whole) in &WHOLE[..4] {
            for length in 1..whole.len() {
                let error = read_bytes(&whole.as_bytes()[..length], *format).unwrap_err();
                assert!(matches!(error, Error::Malformed { line: 1, .. }), "{format}: {error}");
                assert!(error.to_string().starts_with("file.x:1:"), "{error}");
            }
        }
    }

    #[test]
    fn truncated_text_is_taken_or_named() {
        let (format, whole) = WHOLE[4];
        for length in 1..whole.len() {
            if let Err(error) = read_bytes(&whole.as_bytes()[..length], format) {
                assert!(error.to_string().starts_with("file.x:1:"), "{error}");
            }
        }
    }

    #[test]
    fn empty_files_are_named() {
        for format in Format::ALL {
            for nothing in ["", "\u{feff}", "\n \n"] {
                let error = read_bytes(nothing.as_bytes(), format).unwrap_err().to_string();
                assert!(error.starts_with("file.x:"), "{format}: {error}");
            }
        }
        assert!(matches!(read_bytes(b"[]", Format::LoCoMo), Err(Error::Empty { .. })));
        let file = tempfile::NamedTempFile::new().unwrap();
        assert!(matches!(read(file.path(), None), Err(Error::Empty { .. })));
    }

    #[test]
    fn bytes_that_are_no_utf8_are_named_with_their_offset() {
        for (format, whole) in WHOLE {
            let mut bytes = whole.as_bytes().to_vec();
            let place = whole.rfind("hi").unwrap();
            bytes[place] = 0xff;
            let error = read_bytes(&bytes, format).unwrap_err();
            assert!(
                matches!(error, Error::NotUtf8 { offset, .. } if offset == place as u64),
                "{format}: {error}"
            );
        }
    }

    #[test]
    fn a_huge_line_is_named_and_not_held() {
        for (format, whole) in WHOLE {
            let mut file = tempfile::NamedTempFile::new().unwrap();
            let place = whole.rfind("hi").unwrap() + 1;
            file.write_all(&whole.as_bytes()[..place]).unwrap();
            let length = (lines::LINE_MAX_BYTES + (1 << 20)) as u64;
            file.as_file().set_len(length).unwrap();
            file.rewind().unwrap();
            let error = read(file.path(), Some(format)).unwrap_err();
            let named = matches!(error, Error::TooLong { .. } | Error::Malformed { .. });
            assert!(named, "{format}: {error}");
            let path = file.path().display().to_string();
            assert!(error.to_string().starts_with(&path), "{error}");
        }
    }

    #[test]
    fn unknown_formats_name_the_file_and_the_known_ones() {
        let mut file = tempfile::NamedTempFile::new().unwrap();
        file.write_all(b"\x89PNG\r\n").unwrap();
        let error = read(file.path(), None).unwrap_err().to_string();
        assert!(error.contains(&file.path().display().to_string()), "{error}");
        assert!(error.contains("locomo, longmemeval, cases, jsonl, text"), "{error}");
    }

    proptest! {
        #[test]
        fn arbitrary_bytes_never_panic(bytes: Vec<u8>, text in any::<String>()) {
            for format in Format::ALL {
                let _ = read_bytes(&bytes, format);
                let _ = read_bytes(text.as_bytes(), format);
            }
            let _ = Format::detect(Path::new("file"), &bytes);
        }

        #[test]
        fn damaged_files_never_panic(which in 0..5_usize, place in 0..400_usize, byte: u8) {
            let (format, whole) = WHOLE[which];
            let mut bytes = whole.as_bytes().to_vec();
            let place = place % bytes.len();
            bytes[place] = byte;
            let _ = read_bytes(&bytes, format);
        }
    }
}
