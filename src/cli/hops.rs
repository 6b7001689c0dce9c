//! `lore bench hops`: the suite of several hops, and its figures by half, hops and kind.

use std::fmt::Write as _;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;

use anyhow::Context;
use lorebase::datasets::hops::{Half, suite};
use lorebase::evaluate::hops::{self, Report};
use lorebase::extract::extractor::Extractor;
use lorebase::extract::rules::RuleExtractor;

use super::args::{BenchArgs, Output};
use super::{Outcome, bench, output};
use crate::wire;
use crate::wire::suite::Head;

/// Runs the suite.
pub(super) fn run(args: &BenchArgs, store: Option<&Path>, shown: Output) -> anyhow::Result<Outcome> {
    let more = [("the file", args.file.is_some()), ("--sets", !args.sets.is_empty())];
    bench::refuse(args, store, &more, "means nothing to hops, which makes its own worlds")?;
    let worlds = suite();
    let bar = output::progress("asking", worlds.len() as u64);
    let report = hops::run(&worlds, hops::answer, |done| bar.set_position(done as u64))?;
    bar.finish_and_clear();
    if let Some(path) = &args.out {
        write(path, &report)?;
    }
    let head = Head {
        benchmark: "hops",
        extractor: RuleExtractor.name().to_owned(),
        version: env!("CARGO_PKG_VERSION"),
        machine: bench::machine(),
    };
    match shown {
        Output::Json => output::write_json(&wire::hops::report(&head, &report))?,
        Output::Text => output::write(&text(&head, &report))?,
    }
    Ok(Outcome::Done)
}

/// Every question of the development half with its answer, one a line. What the other half's answers are is not to be
/// looked at.
fn write(path: &Path, report: &Report) -> anyhow::Result<()> {
    let file = File::create(path).with_context(|| format!("cannot create {}", path.display()))?;
    let mut file = BufWriter::new(file);
    for answer in report.answers.iter().filter(|answer| answer.half == Half::Development) {
        writeln!(file, "{}", wire::hops::line(answer))
            .with_context(|| format!("cannot write {}", path.display()))?;
    }
    file.flush().with_context(|| format!("cannot write {}", path.display()))
}

fn text(head: &Head, report: &Report) -> String {
    let mut text = format!(
        "hops\nversion {}, extractor {}\nmachine {}\n\n{:14}{:>17}{:>17}{:>17}\n",
        head.version,
        head.extractor,
        wire::text::line(&head.machine),
        "",
        "development",
        "held",
        "both"
    );
    for (name, shares) in wire::hops::groups(report) {
        write!(text, "{name:14}").expect("writing to a string cannot fail");
        for share in shares {
            let counts = format!("{}/{}", share.right, share.of);
            write!(text, "{counts:>11}{:6.2}", share.value()).expect("writing to a string cannot fail");
        }
        text.push('\n');
    }
    text
}
