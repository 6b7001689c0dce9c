//! `lore bench … --ask`: short answers, and their figures.

use std::fmt::Write as _;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;
use std::time::Duration;

use anyhow::Context;
use lorebase::datasets::answers::STEPS;
use lorebase::datasets::benchmark::Benchmark;
use lorebase::datasets::case::Case;
use lorebase::evaluate::Options;
use lorebase::evaluate::ask::{AskReport, ask};

use super::args::Output;
use super::{Outcome, bench, output};
use crate::wire::{self, BenchHead};

/// Asks all questions and shows what the answers come to.
pub(super) fn run(
    (benchmark, cases): (Benchmark, &[Case]),
    options: &Options<'_>,
    (head, out): (&BenchHead, Option<&Path>),
    shown: Output,
) -> anyhow::Result<Outcome> {
    let bar = output::progress("asking", cases.iter().map(|case| case.questions.len() as u64).sum());
    let report = ask(benchmark, cases, options, |done| bar.set_position(done as u64))?;
    bar.finish_and_clear();
    if let Some(path) = out {
        write(path, benchmark, &report).with_context(|| format!("cannot write {}", path.display()))?;
    }
    match shown {
        Output::Json => output::write_json(&wire::answers::report(head, &report))?,
        Output::Text => output::write(&text(head, &report))?,
    }
    Ok(Outcome::Done)
}

/// Every answer, one a line.
fn write(path: &Path, benchmark: Benchmark, report: &AskReport) -> std::io::Result<()> {
    let mut file = BufWriter::new(File::create(path)?);
    for answer in &report.answers {
        writeln!(file, "{}", wire::answers::line(benchmark, answer))?;
    }
    file.flush()
}

/// The duration that the share `quantile` of the answers did not exceed, in milliseconds.
pub(crate) fn millis(took: &[Duration], quantile: f64) -> f64 {
    let place = (quantile * took.len() as f64).ceil() as usize;
    took.get(place.saturating_sub(1)).copied().unwrap_or_default().as_secs_f64() * 1e3
}

fn text(head: &BenchHead, report: &AskReport) -> String {
    let mut text = bench::heading(head);
    let mut add = |piece: String| text.push_str(&piece);
    add(format!("{:>9}{:>10}\n", "F1", "declined"));
    let mut groups: Vec<_> = report.scores.groups.iter().collect();
    groups.sort_by_key(|(name, _)| (name.as_str() == "answerable", name.as_str()));
    for (name, group) in groups {
        let f1 = group.mean_f1().map_or_else(|| "-".to_owned(), |f1| format!("{f1:.3}"));
        add(format!("{name:24}{:6}{f1:>9}{:9.1}%\n", group.questions, 100.0 * group.share_declined()));
    }
    add(format!("\n{:24}{:>6}{:>9}\n", "confidence from", "n", "right"));
    for (step, told) in report.scores.reliability.iter().enumerate().filter(|(_, told)| told.answers > 0) {
        let share = 100.0 * told.right as f64 / told.answers as f64;
        add(format!("{:<24.1}{:6}{share:8.1}%\n", step as f64 / STEPS as f64, told.answers));
    }
    let mut line = String::new();
    write!(line, "\nask p50 {:.2} ms, p95 {:.2} ms", millis(&report.took, 0.5), millis(&report.took, 0.95))
        .expect("writing to a string cannot fail");
    text + &line + "\n"
}
