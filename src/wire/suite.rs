//! The JSON of `lore bench truth`, and the lines of its run.

use lorebase::datasets::truth::Way;
use lorebase::engine::model::time::SourceTime;
use lorebase::evaluate::truth::{Answer, Report, Share};
use serde::Serialize;
use serde_json::{Map, Value, json};

use super::Machine;

/// What the truth suite was run with.
#[derive(Debug, Serialize)]
pub(crate) struct Head {
    pub(crate) benchmark: &'static str,
    pub(crate) extractor: String,
    pub(crate) version: &'static str,
    pub(crate) machine: Machine,
}

/// The figures of the truth suite: for each way of telling, of each class and of all.
pub(crate) fn report(head: &Head, told: &Report) -> Value {
    let share = |share: Share| json!({ "right": share.right, "of": share.of, "share": share.value() });
    let mut metrics = Map::new();
    for (way, name) in Way::ALL {
        let classes = told.classes().into_iter().map(Some).chain([None]);
        let scored = classes.map(|class| {
            let score = told.score(way, class);
            let figures = json!({ "questions": share(score.questions), "histories": share(score.histories) });
            (class.unwrap_or("all").to_owned(), figures)
        });
        metrics.insert(name.to_owned(), Value::Object(scored.collect()));
    }
    let mut reply = json!(head);
    reply["metrics"] = Value::Object(metrics);
    reply
}

/// A question of the truth suite and its answer, as a line of a run.
pub(crate) fn line(answer: &Answer) -> Value {
    let asked = &answer.asked;
    let time = |time: Option<SourceTime>| time.map(|time| time.to_string());
    json!({
        "history": answer.history,
        "way": answer.way.as_str(),
        "subject": asked.subject,
        "predicate": asked.predicate,
        "as_of": time(asked.as_of),
        "known_at": time(asked.known_at),
        "expected": asked.expect,
        "found": answer.found,
        "contested": answer.contested,
        "right": answer.is_right(),
        "problem": answer.problem,
    })
}
