//! LongMemEval with its questions: one case a question, the evidence named by session.

use std::path::Path;

use lorebase_extract::formats::format::Format;
use lorebase_extract::formats::values::LongMemEvalTime;
use lorebase_extract::transcript::Document;
use serde::Deserialize;
use serde_json::Value;

use crate::case::{Case, Question, Unit};
use crate::error::Error;
use crate::files::{answer_text, read_json};

/// How the ids of questions end that nothing in the haystack answers.
const ABSTENTION: &str = "_abs";

#[derive(Deserialize)]
struct RawQuestion {
    question_id: String,
    question_type: String,
    question: String,
    question_date: Option<LongMemEvalTime>,
    answer: Option<Value>,
    #[serde(default)]
    answer_session_ids: Vec<String>,
}

/// Reads one case a question; case and question bear the same id. Questions to abstain from have no evidence.
pub fn load(path: &Path) -> Result<Vec<Case>, Error> {
    let documents = lorebase_extract::formats::read(path, Some(Format::LongMemEval))?;
    let questions: Vec<RawQuestion> = read_json(path)?;
    let both = questions.into_iter().zip(documents);
    Ok(both.map(|(raw, document)| case(raw, document)).collect())
}

fn case(raw: RawQuestion, document: Document) -> Case {
    let abstain = raw.question_id.ends_with(ABSTENTION);
    let question = Question {
        id: raw.question_id.clone(),
        text: raw.question,
        category: raw.question_type,
        unit: Unit::Session,
        evidence: if abstain { Vec::new() } else { raw.answer_session_ids },
        before_session: None,
        asked_at: raw.question_date.map(|LongMemEvalTime(at)| at),
        superseded: Vec::new(),
        current: Vec::new(),
        answer: raw.answer.map(answer_text),
    };
    Case {
        name: raw.question_id,
        transcript: document.transcript,
        facts: Vec::new(),
        questions: vec![question],
    }
}
