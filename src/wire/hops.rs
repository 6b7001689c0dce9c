//! The JSON of `lore bench hops`, and the lines of its run.

use lorebase::datasets::hops::{Half, Kind};
use lorebase::evaluate::hops::{Answer, Report};
use lorebase::evaluate::truth::Share;
use serde_json::{Map, Value, json};

use super::suite::Head;

/// The figures by group, each of the development half, of the one that is kept apart, and of both: by hops and kind, of
/// all questions that have an answer, of those that must be declined, and of the told facts, how many are read.
pub(crate) fn groups(report: &Report) -> Vec<(String, [Share; 3])> {
    let halves = [Some(Half::Development), Some(Half::Held), None];
    let in_half = |answer: &Answer, half: Option<Half>| half.is_none_or(|half| half == answer.half);
    let mut groups = Vec::new();
    for hops in 2..=4 {
        let counts = |answer: &Answer| answer.asked.kind != Kind::Untold && answer.asked.hops == hops;
        let of = |half| report.share(|answer| counts(answer) && in_half(answer, half));
        groups.push((format!("{hops}_hops"), halves.map(of)));
    }
    for (kind, name) in Kind::ALL.into_iter().filter(|(kind, _)| *kind != Kind::Untold) {
        let of = |half| report.share(|answer| answer.asked.kind == kind && in_half(answer, half));
        groups.push((name.to_owned(), halves.map(of)));
    }
    groups.push(("all".to_owned(), halves.map(|half| report.exact(half))));
    let declined = |half| report.share(|answer| answer.asked.kind == Kind::Untold && in_half(answer, half));
    groups.push(("declined".to_owned(), halves.map(declined)));
    let read = |half: Option<Half>| {
        let counted = report.read.iter().filter(|(known, _)| half.is_none_or(|half| half == **known));
        counted.fold(Share::default(), |all, (_, share)| Share {
            right: all.right + share.right,
            of: all.of + share.of,
        })
    };
    groups.push(("facts_read".to_owned(), halves.map(read)));
    groups
}

/// The figures of the suite of several hops.
pub(crate) fn report(head: &Head, report: &Report) -> Value {
    let share = |share: Share| json!({ "right": share.right, "of": share.of, "share": share.value() });
    let mut metrics = Map::new();
    for (name, [development, held, both]) in groups(report) {
        let figures = json!({ "development": share(development), "held": share(held), "both": share(both) });
        metrics.insert(name, figures);
    }
    let mut reply = json!(head);
    reply["metrics"] = Value::Object(metrics);
    reply
}

/// A question of the suite and its answer, as a line of a run.
pub(crate) fn line(answer: &Answer) -> Value {
    json!({
        "world": answer.world,
        "kind": answer.asked.kind.as_str(),
        "hops": answer.asked.hops,
        "question": answer.asked.text,
        "expected": answer.asked.answer,
        "found": answer.found,
        "right": answer.is_right(),
    })
}
