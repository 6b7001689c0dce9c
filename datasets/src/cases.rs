//! The neutral case format with its questions and given facts.

use std::path::Path;

use lorebase_extract::formats::format::Format;
use lorebase_extract::transcript::Document;
use serde::Deserialize;
use serde_json::Value;

use crate::case::{Case, GivenFact, Question, Unit};
use crate::error::Error;
use crate::files::{answer_text, read_json_lines};

#[derive(Deserialize)]
struct RawCase {
    case: String,
    #[serde(default)]
    facts: Vec<RawFact>,
    #[serde(default)]
    questions: Vec<RawQuestion>,
}

#[derive(Deserialize)]
struct RawFact {
    subject: String,
    predicate: String,
    object: String,
    turn: String,
}

#[derive(Deserialize)]
struct RawQuestion {
    id: String,
    text: String,
    category: String,
    #[serde(default)]
    unit: RawUnit,
    #[serde(default)]
    evidence: Vec<String>,
    before_session: Option<String>,
    #[serde(default)]
    superseded: Vec<String>,
    #[serde(default)]
    current: Vec<String>,
    answer: Option<Value>,
}

#[derive(Deserialize, Default)]
#[serde(rename_all = "lowercase")]
enum RawUnit {
    #[default]
    Turn,
    Session,
}

/// Reads one case a line.
pub fn load(path: &Path) -> Result<Vec<Case>, Error> {
    let documents = lorebase_extract::formats::read(path, Some(Format::Cases))?;
    let mut documents = documents.into_iter();
    let mut cases = Vec::new();
    read_json_lines(path, |_, raw: RawCase| {
        cases.extend(documents.next().map(|document| case(raw, document)));
        Ok(())
    })?;
    Ok(cases)
}

fn case(raw: RawCase, document: Document) -> Case {
    Case {
        name: raw.case,
        transcript: document.transcript,
        facts: raw.facts.into_iter().map(RawFact::into_fact).collect(),
        questions: raw.questions.into_iter().map(RawQuestion::into_question).collect(),
    }
}

impl RawFact {
    fn into_fact(self) -> GivenFact {
        GivenFact { subject: self.subject, predicate: self.predicate, object: self.object, turn: self.turn }
    }
}

impl RawQuestion {
    fn into_question(self) -> Question {
        Question {
            id: self.id,
            text: self.text,
            category: self.category,
            unit: match self.unit {
                RawUnit::Turn => Unit::Turn,
                RawUnit::Session => Unit::Session,
            },
            evidence: self.evidence,
            before_session: self.before_session,
            asked_at: None,
            superseded: self.superseded,
            current: self.current,
            answer: self.answer.map(answer_text),
        }
    }
}
