//! LoCoMo with its questions. The evidence lists of the official file hold typing slips; what names a turn is kept.

use std::path::Path;
use std::sync::LazyLock;

use lorebase_extract::formats::format::Format;
use lorebase_extract::transcript::{Document, Transcript};
use regex::Regex;
use serde::Deserialize;
use serde_json::Value;

use crate::case::{Case, Question, Unit};
use crate::error::Error;
use crate::files::{answer_text, read_json};

/// What the official category numbers stand for. The paper's text numbers them otherwise; these are the data's.
const CATEGORIES: [&str; 5] = ["multi-hop", "temporal", "open-domain", "single-hop", "adversarial"];

#[derive(Deserialize)]
struct Sample {
    sample_id: String,
    #[serde(default)]
    qa: Vec<RawQuestion>,
}

#[derive(Deserialize)]
struct RawQuestion {
    question: String,
    answer: Option<Value>,
    evidence: Option<Vec<Value>>,
    category: u64,
}

/// Reads one case a sample. A question's id is its index among the sample's questions.
pub fn load(path: &Path) -> Result<Vec<Case>, Error> {
    let documents = lorebase_extract::formats::read(path, Some(Format::LoCoMo))?;
    let samples: Vec<Sample> = read_json(path)?;
    let both = samples.into_iter().zip(documents);
    both.map(|(sample, document)| case(path, sample, document)).collect()
}

fn case(path: &Path, sample: Sample, document: Document) -> Result<Case, Error> {
    let transcript = document.transcript;
    let mut questions = Vec::with_capacity(sample.qa.len());
    for (index, raw) in sample.qa.into_iter().enumerate() {
        let category = usize::try_from(raw.category).ok();
        let category = category.and_then(|number| CATEGORIES.get(number.checked_sub(1)?));
        let category = category.ok_or_else(|| Error::UnknownCategory {
            path: path.to_path_buf(),
            sample: sample.sample_id.clone(),
            question: index,
            category: raw.category,
        })?;
        questions.push(Question {
            id: index.to_string(),
            text: raw.question,
            category: (*category).to_owned(),
            unit: Unit::Turn,
            evidence: clean_evidence(&raw.evidence.unwrap_or_default(), &transcript),
            before_session: None,
            asked_at: None,
            superseded: Vec::new(),
            current: Vec::new(),
            answer: raw.answer.map(answer_text),
        });
    }
    Ok(Case { name: sample.sample_id, transcript, facts: Vec::new(), questions })
}

/// Keeps what names a turn of the transcript, each once: `D8:6; D9:17` names two, `D:11:26` means `D11:26` and
/// `D30:05` means `D30:5`.
fn clean_evidence(raw: &[Value], transcript: &Transcript) -> Vec<String> {
    let turns = transcript.sessions.iter().flat_map(|session| &session.turns);
    let known: Vec<&str> = turns.filter_map(|turn| turn.source_id.as_deref()).collect();
    let mut kept = Vec::new();
    for item in raw {
        let item = item.as_str().map_or_else(|| item.to_string(), ToOwned::to_owned);
        for named in named_turns(&item) {
            if known.contains(&named.as_str()) && !kept.contains(&named) {
                kept.push(named);
            }
        }
    }
    kept
}

/// What names a turn, slips included: the pattern of the benchmark's own scorer.
static TURN: LazyLock<Regex> =
    LazyLock::new(|| Regex::new("D:?([0-9]+):([0-9]+)").expect("the pattern is well-formed"));

/// What reads like `D8:6` in `text`, from left to right, without leading zeros.
fn named_turns(text: &str) -> Vec<String> {
    let plain = |digits: &str| match digits.trim_start_matches('0') {
        "" => "0".to_owned(),
        significant => significant.to_owned(),
    };
    TURN.captures_iter(text).map(|found| format!("D{}:{}", plain(&found[1]), plain(&found[2]))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn typing_slips_are_read_as_what_they_mean() {
        assert_eq!(named_turns("D8:6; D9:17"), ["D8:6", "D9:17"]);
        assert_eq!(named_turns("D:11:26"), ["D11:26"]);
        assert_eq!(named_turns("D30:05D1:0"), ["D30:5", "D1:0"]);
        for nothing in ["", "D", "D:", "D1", "D1:", "d1:2", "D::1:2", "D1 :2"] {
            assert!(named_turns(nothing).is_empty(), "{nothing}");
        }
    }
}
