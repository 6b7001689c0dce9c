//! The conversations that speed is measured on and facts are sampled from.

use std::path::Path;

use lorebase_extract::formats::format::Format;
use lorebase_extract::transcript::TranscriptSession;

use crate::error::Error;

/// Under the directory of the data.
const FILES: [(&str, Format); 2] =
    [("locomo/locomo-dev.json", Format::LoCoMo), ("cases/realtalk-dev.jsonl", Format::Cases)];

/// The sessions of all conversations, in the order of the files.
pub(super) fn read_sessions(directory: &Path) -> Result<Vec<TranscriptSession>, Error> {
    let mut sessions = Vec::new();
    for (file, format) in FILES {
        let documents = lorebase_extract::formats::read(&directory.join(file), Some(format))?;
        sessions.extend(documents.into_iter().flat_map(|document| document.transcript.sessions));
    }
    Ok(sessions)
}
