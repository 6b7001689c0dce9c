//! Every reader of transcripts, and what is made of a transcript before it is stored. The first byte names the format:
//! 0 to 4, or 5 for the one that the bytes look like.
#![no_main]

use std::ffi::OsStr;
use std::fs::File;
use std::os::fd::AsRawFd;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use lorebase_extract::error::Error;
use lorebase_extract::formats::format::Format;
use lorebase_extract::formats::outline::Outline;
use lorebase_extract::formats::{read_from, session_of};
use lorebase_extract::transcript::Document;
use lorebase_fuzz::{readings, setup};
use serde_json::Value;

fuzz_target!(init: setup::one_thread(), |data: &[u8]| {
    let Some((&first, bytes)) = data.split_first() else { return };
    let path = Path::new(OsStr::from_bytes(&bytes[..bytes.len().min(9)]));
    let session = session_of(path);
    assert_eq!(session_of(Path::new(&session)), session);
    let detected = Format::detect(path, bytes);
    let format = Format::ALL.get(usize::from(first.wrapping_sub(b'0') % 6)).copied().or(detected);
    let Some(format) = format else { return };
    let outline = outline(path, bytes, format);
    match read_from(bytes, path, format) {
        Ok(documents) => {
            let outline = outline.expect("what is read is counted");
            let turns = documents.iter().map(|document| document.transcript.turn_count()).sum::<usize>();
            assert_eq!((outline.turns, outline.documents.len()), (turns as u64, documents.len()));
            count(format, bytes, &documents);
            readings::take_in(&outline);
        }
        Err(error) => {
            assert!(error.to_string().starts_with(&path.display().to_string()), "{error}");
            assert_eq!(outline.expect_err("what is not read is not counted").to_string(), error.to_string());
        }
    }
});

/// A file without a name, and the path by which it is opened all the same.
static FILE: LazyLock<(File, PathBuf)> = LazyLock::new(|| {
    let file = tempfile::tempfile().expect("there is room for a small file");
    let path = format!("/proc/self/fd/{}", file.as_raw_fd()).into();
    (file, path)
});

/// Reads the bytes from a file, for the first time.
fn outline(path: &Path, bytes: &[u8], format: Format) -> Result<Outline, Error> {
    let (file, at) = &*FILE;
    file.set_len(bytes.len() as u64).and_then(|()| file.write_all_at(bytes, 0)).expect("there is room");
    Outline::read_at(path, at, Some(format))
}

/// Compares the turns that a reader gave with those that stand in the JSON.
fn count(format: Format, bytes: &[u8], documents: &[Document]) {
    let text = std::str::from_utf8(bytes).expect("readers take nothing else");
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let counted: Option<usize> = match format {
        Format::LoCoMo => {
            serde_json::from_str(text).ok().map(|samples: Vec<Value>| samples.iter().map(locomo).sum())
        }
        Format::LongMemEval => serde_json::from_str(text).ok().map(|samples: Vec<Value>| {
            samples
                .iter()
                .map(|sample| lists(&sample["haystack_sessions"]).map(|turns| length(turns)).sum::<usize>())
                .sum()
        }),
        Format::Cases => {
            lines(text, |case| lists(&case["sessions"]).map(|session| length(&session["turns"])).sum())
        }
        Format::Jsonl => lines(text, |_| 1),
        Format::Text => return letters(text, documents),
    };
    let told: usize = documents.iter().map(|document| document.transcript.turn_count()).sum();
    assert!(counted.is_none_or(|counted| counted == told), "{counted:?} turns in the file, {told} were read");
}

/// What the lines of a file count; `None` where one has a value that only the reader passes over.
fn lines(text: &str, count: impl Fn(&Value) -> usize) -> Option<usize> {
    let filled = text.split('\n').filter(|line| !line.trim().is_empty());
    filled.map(|line| serde_json::from_str(line).ok().map(|value| count(&value))).sum()
}

fn lists(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().into_iter().flatten()
}

fn length(value: &Value) -> usize {
    value.as_array().map_or(0, Vec::len)
}

fn locomo(sample: &Value) -> usize {
    let fields = sample["conversation"].as_object().into_iter().flatten();
    let session = |key: &str| {
        key.strip_prefix("session_")
            .is_some_and(|number| number.parse::<u64>().is_ok() && !number.starts_with('+'))
    };
    fields.filter(|(key, _)| session(key)).map(|(_, turns)| length(turns)).sum()
}

/// Every letter of a chat stands in a speaker or a text, unless a time or a session's head was read.
fn letters(text: &str, documents: &[Document]) {
    let special = |line: &str| line.starts_with("# ") || line.starts_with('[') || line.contains('T');
    if text.split('\n').any(special) {
        return;
    }
    let of = |text: &str| text.chars().filter(|c| c.is_alphanumeric()).count();
    let turns = documents
        .iter()
        .flat_map(|document| &document.transcript.sessions)
        .flat_map(|session| &session.turns);
    let told: usize = turns.map(|turn| of(&turn.text) + turn.speaker.as_deref().map_or(0, of)).sum();
    assert_eq!(told, of(text), "letters were lost");
}
