//! The curves of `docs/performance.md`: each figure over the size of the history, with its goal.

use crate::figures::{Figures, Size};
use crate::report::goals;
use crate::svg::{Chart, Goal, Line};

/// All curves, each with its file's name; none where only one size was measured.
pub(super) fn all(figures: &Figures) -> Vec<(&'static str, Chart)> {
    let sizes = &figures.sizes;
    if sizes.len() < 2 {
        return Vec::new();
    }
    vec![
        ("ingest", ingest(sizes)),
        ("recall", recall(sizes)),
        ("opening", opening(sizes)),
        ("memory", memory(sizes)),
        ("disk", disk(sizes)),
    ]
}

fn over(sizes: &[Size], name: &str, value: impl Fn(&Size) -> Option<f64>) -> Line {
    let point = |size: &Size| value(size).map(|value| (size.ingest.turns as f64, value));
    Line { name: name.to_owned(), points: sizes.iter().filter_map(point).collect() }
}

/// A goal that holds for all sizes.
fn level(sizes: &[Size], name: &str, value: f64) -> Goal {
    let turns = |size: Option<&Size>| size.map_or(1.0, |size| size.ingest.turns as f64);
    Goal { name: name.to_owned(), from: (turns(sizes.first()), turns(sizes.last())), values: (value, value) }
}

fn chart(title: &str, y: &str, lines: Vec<Line>, goals: Vec<Goal>) -> Chart {
    let named = lines.into_iter().filter(|line| !line.points.is_empty()).collect();
    Chart {
        title: title.to_owned(),
        x: "turns in one namespace".to_owned(),
        y: y.to_owned(),
        lines: named,
        goals,
    }
}

fn ingest(sizes: &[Size]) -> Chart {
    let lines = vec![
        over(sizes, "whole history", |size| Some(size.ingest.rate())),
        over(sizes, "its last tenth", |size| Some(size.ingest.last_tenth_rate)),
    ];
    chart(
        "Taking in, durable and read for facts",
        "turns a second",
        lines,
        vec![level(sizes, "8,000", goals::INGEST)],
    )
}

fn recall(sizes: &[Size]) -> Chart {
    let mut lines = vec![
        over(sizes, "p50", |size| Some(size.answers.all.p50)),
        over(sizes, "p95", |size| Some(size.answers.all.p95)),
    ];
    for kind in ["two hops", "one hop"] {
        lines.push(over(sizes, &format!("{kind}, p50"), |size| {
            let found = size.answers.kinds.iter().find(|answers| answers.kind == kind);
            found.map(|answers| answers.latency.p50)
        }));
    }
    lines.push(over(sizes, "plain BM25, p50", |size| Some(size.answers.words_only.p50)));
    let [(small, at_small), (large, at_large)] = goals::RECALL;
    let goal = |place: usize, name: &str| Goal {
        name: name.to_owned(),
        from: (small as f64, large as f64),
        values: (at_small[place], at_large[place]),
    };
    chart("Recall of ten hits with their texts", "milliseconds", lines, vec![goal(0, "p50"), goal(1, "p95")])
}

fn opening(sizes: &[Size]) -> Chart {
    let lines = vec![
        over(sizes, "cold", |size| Some(size.cold.seconds())),
        over(sizes, "from a snapshot", |size| size.snapshot.map(|opening| opening.seconds())),
    ];
    let [cold, snapshot] = goals::OPENING;
    let goals = vec![level(sizes, "cold, at 1M", cold), level(sizes, "snapshot, at 1M", snapshot)];
    chart("Opening, until the first answer", "seconds", lines, goals)
}

fn memory(sizes: &[Size]) -> Chart {
    let megabytes = |bytes: u64| Some(bytes as f64 / 1e6);
    let lines = vec![
        over(sizes, "all", |size| megabytes(size.cold.resident.now)),
        over(sizes, "without vectors", |size| megabytes(size.without_vectors.resident.now)),
    ];
    let goals = vec![level(sizes, "no vectors, at 1M", goals::MEMORY / 1e6)];
    chart("Memory of a process that has one namespace loaded", "megabytes", lines, goals)
}

fn disk(sizes: &[Size]) -> Chart {
    let part = |bytes: u64, size: &Size| Some(bytes as f64 / size.ingest.text_bytes as f64);
    let lines = vec![
        over(sizes, "journal + sled", |size| part(size.disk.journal + size.disk.sled, size)),
        over(sizes, "journal", |size| part(size.disk.journal, size)),
        over(sizes, "sled", |size| part(size.disk.sled, size)),
        over(sizes, "snapshots", |size| part(size.disk.snapshots, size).filter(|share| *share > 0.0)),
    ];
    chart("Disk", "bytes a byte of text", lines, vec![level(sizes, "journal + sled", goals::DISK)])
}
