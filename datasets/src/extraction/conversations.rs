//! The conversations that speed is measured on and facts are sampled from.

use std::path::Path;

use lorebase_extract::formats::format::Format;
use lorebase_extract::transcript::TranscriptSession;

use super::half;
use crate::error::Error;

/// Folders under the directory of the data, and how the files there begin and end.
type Files = [(&'static str, &'static str, &'static str, Format); 2];

/// Between people.
pub(super) const PEOPLE: Files =
    [("locomo", "locomo", "json", Format::LoCoMo), ("cases", "realtalk", "jsonl", Format::Cases)];

/// Between users and assistants.
pub(super) const ASSISTANTS: Files =
    [("cases", "beam", "jsonl", Format::Cases), ("cases", "realmem", "jsonl", Format::Cases)];

/// The conversations, each with its sessions, in the order of the files.
pub(super) fn read_conversations(
    directory: &Path,
    files: Files,
) -> Result<Vec<Vec<TranscriptSession>>, Error> {
    let mut conversations = Vec::new();
    for (folder, prefix, ending, format) in files {
        let file = half(directory, folder, prefix, ending)?;
        let documents = lorebase_extract::formats::read(&file, Some(format))?;
        conversations.extend(documents.into_iter().map(|document| document.transcript.sessions));
    }
    Ok(conversations)
}

/// The sessions of all conversations between people.
pub(super) fn read_sessions(directory: &Path) -> Result<Vec<TranscriptSession>, Error> {
    Ok(read_conversations(directory, PEOPLE)?.into_iter().flatten().collect())
}
