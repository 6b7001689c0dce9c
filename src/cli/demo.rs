//! `lore demo`: the sample dialogues in a temporary store, and three questions of one, two and three hops.

use lorebase::datasets::sample;
use lorebase::engine::model::id::Namespace;
use lorebase::memory::{Memory, Recalled};
use lorebase::query::question::Question;
use serde_json::json;

use super::{Outcome, output, render};
use crate::wire;

/// Hits shown a question.
const SHOWN: usize = 5;

/// Ingests the samples and answers the questions.
pub(super) fn run(as_json: bool) -> anyhow::Result<Outcome> {
    let directory = tempfile::tempdir()?;
    let (memory, _) = Memory::create(directory.path())?;
    let namespace = Namespace::new("demo")?;
    let told = memory.ingest(&namespace, sample::transcript(), |_| ())?;
    let mut answers = Vec::new();
    for asked in sample::demo_questions() {
        let question = Question { limit: SHOWN, ..Question::new(&asked.question.text) };
        let found = memory.recall(&namespace, &question)?;
        answers.push((asked, found));
    }
    if as_json {
        let replies: Vec<_> = answers
            .iter()
            .map(|(asked, found)| {
                json!({
                    "question": asked.question.text,
                    "hops": asked.hops,
                    "evidence": asked.question.evidence,
                    "answer": asked.question.answer,
                    "hits": wire::recall(found, true)["hits"],
                })
            })
            .collect();
        output::write_json(
            &json!({ "ingested": wire::ingested("sample dialogues", &told, 0.0), "questions": replies }),
        )?;
        return Ok(Outcome::Done);
    }
    output::write(&format!(
        "Ingested {} sessions, {} turns, {} facts of two families and a small company.\n",
        told.sessions, told.episodes, told.facts
    ))?;
    for (asked, found) in &answers {
        let expected = asked.question.evidence.join(", ");
        output::write(&format!(
            "\n{} ({} hop{})\n",
            asked.question.text,
            asked.hops,
            if asked.hops == 1 { "" } else { "s" }
        ))?;
        output::write(&render::recall(found, false))?;
        output::write(&format!(
            "     the answer, {}, rests on [{expected}]: {}\n",
            asked.question.answer.as_deref().unwrap_or_default(),
            verdict(asked, found)
        ))?;
    }
    Ok(Outcome::Done)
}

fn verdict(asked: &sample::SampleQuestion, found: &Recalled) -> String {
    let shown = |id: &&String| found.hits.iter().any(|hit| hit.episode.source_id.as_ref() == Some(id));
    let hits = asked.question.evidence.iter().filter(shown).count();
    format!("{hits} of {} found", asked.question.evidence.len())
}
