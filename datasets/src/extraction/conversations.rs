//! The conversations that speed is measured on and facts are sampled from.

use std::path::Path;

use lorebase_extract::formats::format::Format;
use lorebase_extract::transcript::TranscriptSession;

use super::half;
use crate::error::Error;

/// Folders under the directory of the data, and how the files there begin and end.
const FILES: [(&str, &str, &str, Format); 2] =
    [("locomo", "locomo", "json", Format::LoCoMo), ("cases", "realtalk", "jsonl", Format::Cases)];

/// The sessions of all conversations, in the order of the files.
pub(super) fn read_sessions(directory: &Path) -> Result<Vec<TranscriptSession>, Error> {
    let mut sessions = Vec::new();
    for (folder, prefix, ending, format) in FILES {
        let file = half(directory, folder, prefix, ending)?;
        let documents = lorebase_extract::formats::read(&file, Some(format))?;
        sessions.extend(documents.into_iter().flat_map(|document| document.transcript.sessions));
    }
    Ok(sessions)
}
