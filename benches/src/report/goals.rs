//! What must be reached on 2 cores with 24 GB, and whether it is.

use crate::figures::{Figures, Size};
use crate::table::{line, title};

/// Turns a second, at any size, and how much of the rate at 10,000 turns is left at a million.
pub(super) const INGEST: f64 = 8000.0;
const INGEST_LEFT: f64 = 0.7;
/// Median and 95th percentile of recall in milliseconds, at 100,000 turns and at a million.
pub(super) const RECALL: [(usize, [f64; 2]); 2] = [(100_000, [4.0, 12.0]), (MILLION, [15.0, 60.0])];
/// Seconds to open a namespace of a million turns: cold, and from a snapshot.
pub(super) const OPENING: [f64; 2] = [30.0, 3.0];
/// Seconds to open a store of a thousand namespaces and ask in one.
const ONE_OF_MANY: f64 = 0.3;
/// Bytes in memory of a million turns without vectors.
pub(super) const MEMORY: f64 = 3e9;
/// Bytes of journal and working store for each byte of text.
pub(super) const DISK: f64 = 4.0;

const MILLION: usize = 1_000_000;

/// A goal: what, how much at most (or at least), what was measured, and the unit.
struct Goal {
    what: String,
    bound: f64,
    least: bool,
    measured: Option<f64>,
    unit: &'static str,
}

/// The table of goals with what was measured of each.
pub(super) fn table(figures: &Figures) -> String {
    let mut table = title(&["goal", "must be", "is", ""]);
    for goal in goals(figures) {
        let number =
            |value: f64| format!("{} {}", crate::report::tables::rounded(value), goal.unit).trim().to_owned();
        let reached = goal
            .measured
            .map(|measured| if goal.least { measured >= goal.bound } else { measured <= goal.bound });
        table += &line(&[
            goal.what,
            format!("{} {}", if goal.least { "≥" } else { "≤" }, number(goal.bound)),
            goal.measured.map_or_else(|| "not measured".to_owned(), number),
            match reached {
                Some(true) => "reached".to_owned(),
                Some(false) => "**not reached**".to_owned(),
                None => String::new(),
            },
        ]);
    }
    table
}

fn goals(figures: &Figures) -> Vec<Goal> {
    let size = |turns: usize| figures.sizes.iter().find(|size| size.ingest.turns == turns);
    let (small, million) = (size(10_000), size(MILLION));
    let at_most = |what: &str, bound, measured, unit| Goal {
        what: what.to_owned(),
        bound,
        least: false,
        measured,
        unit,
    };
    let at_least =
        |what: &str, bound, measured, unit| Goal { least: true, ..at_most(what, bound, measured, unit) };
    let rate = |size: Option<&Size>| size.map(|size| size.ingest.rate());
    let left = rate(million).zip(rate(small)).map(|(large, small)| large / small);
    let mut goals = vec![
        at_least("taking in 10,000 turns", INGEST, rate(small), "turns/s"),
        at_least("taking in a million turns", INGEST, rate(million), "turns/s"),
        at_least("that rate, against the one at 10,000", INGEST_LEFT, left, "×"),
        at_most("opening a million turns, cold", OPENING[0], million.map(|size| size.cold.seconds()), "s"),
        at_most(
            "… from a snapshot",
            OPENING[1],
            million.and_then(|size| size.snapshot).map(|opening| opening.seconds()),
            "s",
        ),
        at_most(
            "opening 1,000 namespaces and asking in one",
            1e3 * ONE_OF_MANY,
            figures
                .many
                .filter(|many| many.ingest.spaces == 1000)
                .map(|many| 1e3 * (many.one.store + many.one.answer)),
            "ms",
        ),
        at_most(
            "memory of a million turns, without vectors",
            MEMORY / 1e6,
            million.map(|size| size.without_vectors.resident.now as f64 / 1e6),
            "MB",
        ),
    ];
    for (turns, [p50, p95]) in RECALL {
        let latency = size(turns).map(|size| size.answers.all);
        let what = format!("recall at {} turns", crate::report::tables::count(turns));
        goals.push(at_most(&format!("{what}, p50"), p50, latency.map(|latency| latency.p50), "ms"));
        goals.push(at_most(&format!("{what}, p95"), p95, latency.map(|latency| latency.p95), "ms"));
    }
    let largest = figures.sizes.last();
    let disk =
        largest.map(|size| (size.disk.journal + size.disk.sled) as f64 / size.ingest.text_bytes as f64);
    goals.push(at_most("journal and sled, a byte of text", DISK, disk, "bytes"));
    goals
}
