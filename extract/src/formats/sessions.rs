//! Puts turns into sessions by the session's id, in the order in which ids first appear.

use lorebase_engine::model::id::SessionId;
use lorebase_engine::model::time::SourceTime;
use rustc_hash::FxHashMap;

use crate::transcript::{Transcript, TranscriptSession, Turn};

/// A transcript in the making.
#[derive(Debug, Default)]
pub(crate) struct Sessions {
    sessions: Vec<TranscriptSession>,
    place: FxHashMap<String, usize>,
}

impl Sessions {
    /// The number of the session of that id, made where there is none. Its time is the first one given for it.
    pub(crate) fn open(&mut self, id: &str, at: Option<SourceTime>) -> usize {
        let index = self.place.get(id).copied().unwrap_or_else(|| {
            self.sessions.push(TranscriptSession { id: SessionId::new(id), at: None, turns: Vec::new() });
            self.place.insert(id.to_owned(), self.sessions.len() - 1);
            self.sessions.len() - 1
        });
        let session = &mut self.sessions[index];
        session.at = session.at.or(at);
        index
    }

    /// Appends a turn to the session of that number.
    pub(crate) fn push(&mut self, session: usize, turn: Turn) {
        self.sessions[session].turns.push(turn);
    }

    /// The finished transcript.
    pub(crate) fn into_transcript(self) -> Transcript {
        Transcript { sessions: self.sessions }
    }
}
