//! What a reader gives: sessions of turns, before they belong to a namespace. It reads no files and finds no facts.

use lorebase_engine::model::episode::Episode;
use lorebase_engine::model::id::{Namespace, SessionId};
use lorebase_engine::model::time::{SourceTime, Timestamp};

/// One transcript of a source, and what the source calls it. Some formats keep several in a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Document {
    /// The sample, question or case that it belongs to, or `None` where a file holds just one transcript.
    pub name: Option<String>,
    /// What was said.
    pub transcript: Transcript,
}

/// Sessions in the order of the source.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Transcript {
    /// The sessions; their ids are distinct.
    pub sessions: Vec<TranscriptSession>,
}

impl Transcript {
    /// How many turns all sessions hold.
    pub fn turn_count(&self) -> usize {
        self.sessions.iter().map(|session| session.turns.len()).sum()
    }
}

/// A run of turns.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TranscriptSession {
    /// As the source names it.
    pub id: SessionId,
    /// When it began, or `None` where the source does not tell.
    pub at: Option<SourceTime>,
    /// The turns in order; may be empty.
    pub turns: Vec<Turn>,
}

/// One thing said.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Turn {
    /// The id that the source gave it, such as `D1:3`.
    pub source_id: Option<String>,
    /// Who said it, as the source names them.
    pub speaker: Option<String>,
    /// When it was said, or `None` where only the session's time is known, or none.
    pub at: Option<SourceTime>,
    /// What was said, exactly as given.
    pub text: String,
}

impl TranscriptSession {
    /// Makes the session's episodes: positions count from 0, and a turn without a time takes the session's.
    /// `recorded_at` is when the memory is told.
    pub fn into_episodes(self, namespace: &Namespace, recorded_at: Timestamp) -> Vec<Episode> {
        let Self { id, at, turns } = self;
        let episode =
            |(position, turn): (u32, Turn)| turn.into_episode((namespace, &id, position), at, recorded_at);
        (0..).zip(turns).map(episode).collect()
    }
}

impl Turn {
    /// The episode of this turn, at a place: in a namespace, a session and there at a position from 0. A turn without a
    /// time takes the session's. `recorded_at` is when the memory is told.
    pub fn into_episode(
        self,
        (namespace, session, position): (&Namespace, &SessionId, u32),
        session_at: Option<SourceTime>,
        recorded_at: Timestamp,
    ) -> Episode {
        let occurred_at = self.at.or(session_at);
        let said = (self.speaker.as_deref(), occurred_at);
        Episode {
            id: Episode::id_of(namespace, session, position, said, &self.text),
            session: session.clone(),
            position,
            speaker: self.speaker,
            text: self.text,
            occurred_at,
            recorded_at,
            source_id: self.source_id,
            expires_at: None,
            told_at: None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_turn_without_a_time_takes_the_session_s() {
        let turn = |at: Option<&str>| Turn {
            source_id: None,
            speaker: Some("Ana".to_owned()),
            at: at.map(|at| at.parse().unwrap()),
            text: "hello".to_owned(),
        };
        let session_at = Some("2024-03-01T10:00:00".parse().unwrap());
        let (namespace, session) = (Namespace::default(), SessionId::new("S1"));
        let recorded_at = Timestamp::from_millis(0).unwrap();
        let episode = |position, turn: Turn| {
            turn.into_episode((&namespace, &session, position), session_at, recorded_at)
        };
        let episodes = [episode(0, turn(None)), episode(1, turn(Some("2024-03-01T10:05:00")))];
        let told = |index: usize| {
            let at: Option<SourceTime> = episodes[index].occurred_at;
            (episodes[index].position, at.unwrap().civil().to_string())
        };
        assert_eq!(told(0), (0, "2024-03-01T10:00:00".to_owned()));
        assert_eq!(told(1), (1, "2024-03-01T10:05:00".to_owned()));
        assert_ne!(episodes[0].id, episodes[1].id);
    }
}
