//! The JSON of short answers, and the figures of many.

use lorebase::answer::Answer;
use lorebase::datasets::answers::{STEPS, ShortAnswer};
use lorebase::datasets::benchmark::Benchmark;
use lorebase::evaluate::ask::AskReport;
use serde_json::{Map, Value, json};

use super::BenchHead;
use crate::cli::answers::millis;

/// A short answer, or that the question is declined.
pub(crate) fn answer(answer: &Answer, notices: &[String]) -> Value {
    let path = answer.path.iter().map(|step| {
        let (from, to) = if step.reverse { (&step.to, &step.from) } else { (&step.from, &step.to) };
        json!({
            "from": from,
            "predicate": step.over,
            "to": to,
            "source_id": step.source,
            "rule": step.rule,
        })
    });
    let nearby = answer.nearby.iter().map(|found| {
        json!({
            "episode": found.episode.id.to_string(),
            "source_id": found.episode.source_id,
            "speaker": found.episode.speaker,
            "at": found.episode.occurred_at.map(|at| at.to_string()),
            "text": found.episode.text,
        })
    });
    json!({
        "answer": answer.text,
        "kind": answer.kind.as_str(),
        "declined": answer.declined(),
        "confidence": answer.confidence,
        "citations": answer.citations,
        "path": path.collect::<Vec<_>>(),
        "nearby": nearby.collect::<Vec<_>>(),
        "model": answer.meaning.model,
        "notices": notices,
    })
}

/// A line of a run of answers.
pub(crate) fn line(benchmark: Benchmark, given: &ShortAnswer) -> Value {
    let (answer, declined) = (&given.answer, given.answer.is_none());
    let confidence = given.confidence;
    match benchmark {
        Benchmark::LoCoMo => {
            let index: Option<u64> = given.question.parse().ok();
            json!({ "sample_id": given.case, "qa_index": index, "answer": answer, "declined": declined, "confidence": confidence })
        }
        Benchmark::LongMemEval | Benchmark::Cases => {
            json!({ "case": given.case, "question": given.question, "answer": answer, "declined": declined, "confidence": confidence })
        }
    }
}

/// The figures of a run of answers.
pub(crate) fn report(head: &BenchHead, report: &AskReport) -> Value {
    let mut metrics = Map::new();
    for (name, group) in &report.scores.groups {
        let values =
            json!({ "n": group.questions, "f1": group.mean_f1(), "declined": group.share_declined() });
        metrics.insert(name.clone(), values);
    }
    let step = |(step, told): (usize, &lorebase::datasets::answers::Reliability)| json!({ "from": step as f64 / STEPS as f64, "answers": told.answers, "right": told.right });
    let mut reply = json!(head);
    reply["metrics"] = Value::Object(metrics);
    reply["reliability"] = report.scores.reliability.iter().enumerate().map(step).collect();
    reply["ask_ms"] = json!({ "questions": report.took.len(), "p50": millis(&report.took, 0.5), "p95": millis(&report.took, 0.95) });
    reply
}
