//! The sample dialogues: two families and a small company over the year 2024, written for this project. Nobody in
//! them is real. People move, change jobs, correct themselves and know each other through others.

use std::io;
use std::path::Path;

use lorebase_extract::formats::format::Format;
use lorebase_extract::formats::json::read_lines;
use lorebase_extract::formats::read_from;
use lorebase_extract::transcript::Transcript;
use serde::Deserialize;

use crate::case::{Case, Question, Unit};
use crate::error::Error;

/// The dialogues as plain JSONL.
const DIALOGUES: &str = include_str!("../data/sample-dialogues.jsonl");

/// What stands for the dialogues' path in errors.
const DIALOGUES_NAME: &str = "sample-dialogues.jsonl";

const QUESTIONS: &str = include_str!("../data/sample-questions.jsonl");

const QUESTIONS_NAME: &str = "sample-questions.jsonl";

/// A question on the dialogues.
#[derive(Debug, Clone, PartialEq)]
pub struct SampleQuestion {
    /// The question, its evidence named by turn.
    pub question: Question,
    /// How many facts must be put together, from 1 to 3; two or more are said in more than one session.
    pub hops: u8,
    /// Whether it is one of the three that the demonstration shows.
    pub demo: bool,
}

#[derive(Deserialize)]
struct RawQuestion {
    id: String,
    hops: u8,
    category: String,
    text: String,
    answer: String,
    evidence: Vec<String>,
    #[serde(default)]
    demo: bool,
}

/// What was said.
pub fn transcript() -> Transcript {
    let documents = read_from(DIALOGUES.as_bytes(), Path::new(DIALOGUES_NAME), Format::Jsonl);
    let mut documents = documents.expect("the dialogues are part of the program and a test reads them");
    documents.swap_remove(0).transcript
}

/// All questions, in the order of their ids.
pub fn questions() -> Vec<SampleQuestion> {
    let mut questions = Vec::new();
    let mut take = |_, raw: RawQuestion| -> Result<(), Error> {
        questions.push(raw.into_question());
        Ok(())
    };
    let lines = io::Cursor::new(QUESTIONS);
    read_lines(lines, Path::new(QUESTIONS_NAME), &mut take)
        .expect("the questions are part of the program and a test reads them");
    questions
}

/// One question each of one, two and three hops, in that order.
pub fn demo_questions() -> Vec<SampleQuestion> {
    let mut shown: Vec<_> = questions().into_iter().filter(|question| question.demo).collect();
    shown.sort_by_key(|question| question.hops);
    shown
}

/// The dialogues with their questions as a case that can be scored.
pub fn case() -> Case {
    Case {
        name: "sample".to_owned(),
        transcript: transcript(),
        facts: Vec::new(),
        questions: questions().into_iter().map(|sample| sample.question).collect(),
    }
}

impl RawQuestion {
    fn into_question(self) -> SampleQuestion {
        SampleQuestion {
            question: Question {
                id: self.id,
                text: self.text,
                category: self.category,
                unit: Unit::Turn,
                evidence: self.evidence,
                before_session: None,
                asked_at: None,
                superseded: Vec::new(),
                current: Vec::new(),
                answer: Some(self.answer),
            },
            hops: self.hops,
            demo: self.demo,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn the_dialogues_are_as_large_as_promised_and_in_order() {
        let transcript = transcript();
        assert!(transcript.sessions.len() >= 14, "{}", transcript.sessions.len());
        assert!(transcript.turn_count() >= 220, "{}", transcript.turn_count());
        let turns = || transcript.sessions.iter().flat_map(|session| &session.turns);
        let ids: HashSet<_> = turns().map(|turn| turn.source_id.clone().unwrap()).collect();
        assert_eq!(ids.len(), transcript.turn_count());
        let times: Vec<_> = turns().map(|turn| turn.at.unwrap()).collect();
        assert!(times.is_sorted());
        assert!(turns().all(|turn| turn.speaker.is_some() && !turn.text.is_empty()));
    }

    #[test]
    fn each_question_has_its_evidence_and_chains_cross_sessions() {
        let case = case();
        let session_of = case.session_of_turns();
        for sample in questions() {
            let evidence = &sample.question.evidence;
            let sessions: HashSet<_> = evidence.iter().map(|id| session_of[id.as_str()]).collect();
            let id = &sample.question.id;
            assert!(sample.hops == 1 || sessions.len() >= 2, "{id}");
            assert!(!evidence.is_empty() && evidence.len() >= usize::from(sample.hops), "{id}");
        }
        let ids: HashSet<_> = case.questions.iter().map(|question| &question.id).collect();
        assert!(ids.len() == case.questions.len() && ids.len() >= 12);
    }

    #[test]
    fn every_number_of_hops_has_its_questions() {
        for hops in 1..=3 {
            let count = questions().iter().filter(|sample| sample.hops == hops).count();
            assert!(count >= 3, "{count} questions of {hops} hops");
        }
        let shown: Vec<u8> = demo_questions().iter().map(|sample| sample.hops).collect();
        assert_eq!(shown, [1, 2, 3]);
    }
}
