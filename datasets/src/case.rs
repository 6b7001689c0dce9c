//! What an evaluation set holds: transcripts with questions and the evidence that answers them. It reads no files.

use std::collections::HashMap;

use lorebase_engine::model::time::SourceTime;
use lorebase_extract::transcript::Transcript;

/// One transcript with its questions; each is put into a namespace of its own.
#[derive(Debug, Clone, PartialEq)]
pub struct Case {
    /// The benchmark's name of it: sample, question or case id.
    pub name: String,
    /// What was said.
    pub transcript: Transcript,
    /// Triples that the set brings along, extracted by someone else.
    pub facts: Vec<GivenFact>,
    /// What is asked.
    pub questions: Vec<Question>,
}

/// A triple that a set brings along.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GivenFact {
    /// Whom or what it is about.
    pub subject: String,
    /// The relation, in words.
    pub predicate: String,
    /// The other end.
    pub object: String,
    /// The source id of the turn that states it.
    pub turn: String,
}

/// What evidence ids name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Unit {
    /// Turns, by their source ids.
    Turn,
    /// Sessions.
    Session,
}

/// A question and what answers it.
#[derive(Debug, Clone, PartialEq)]
pub struct Question {
    /// Distinct within the case. In LoCoMo its index.
    pub id: String,
    /// The question.
    pub text: String,
    /// The group that it is scored in, as the benchmark names it.
    pub category: String,
    /// What `evidence` names.
    pub unit: Unit,
    /// What must be found; empty where nothing in the case answers it, and then it is not scored.
    pub evidence: Vec<String>,
    /// Only sessions before this one may be found.
    pub before_session: Option<String>,
    /// When it is asked, or `None` for after everything.
    pub asked_at: Option<SourceTime>,
    /// Evidence that is outdated.
    pub superseded: Vec<String>,
    /// Evidence that holds in the end.
    pub current: Vec<String>,
    /// The expected answer, where there is one.
    pub answer: Option<String>,
}

impl Case {
    /// The session of each turn that has a source id.
    pub fn session_of_turns(&self) -> HashMap<&str, &str> {
        let sessions = self.transcript.sessions.iter();
        let turns = sessions.flat_map(|session| session.turns.iter().map(move |turn| (session, turn)));
        turns.filter_map(|(session, turn)| Some((turn.source_id.as_deref()?, session.id.as_str()))).collect()
    }

    /// Turns a ranking of turns into one of their sessions: a session stands where its best turn stood. An id
    /// that names no turn is kept.
    pub fn rank_sessions(&self, ranked: &[String]) -> Vec<String> {
        let session_of = self.session_of_turns();
        let session = |id: &String| session_of.get(id.as_str()).copied().unwrap_or(id).to_owned();
        keep_first(ranked.iter().map(session))
    }
}

/// Leaves the repeats out.
pub(crate) fn keep_first(ids: impl Iterator<Item = String>) -> Vec<String> {
    let mut seen = std::collections::HashSet::new();
    ids.filter(|id| seen.insert(id.clone())).collect()
}
