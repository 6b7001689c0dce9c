//! `lore bench truth`: the truth suite, and its figures by class.

use std::fmt::Write as _;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;

use anyhow::Context;
use lorebase::datasets::truth::{Way, suite};
use lorebase::evaluate::truth::{self, Report};
use lorebase::extract::extractor::Extractor;
use lorebase::extract::rules::RuleExtractor;

use super::args::{BenchArgs, Output};
use super::{Outcome, bench, output};
use crate::wire;
use crate::wire::suite::Head;

/// Runs the suite.
pub(super) fn run(args: &BenchArgs, store: Option<&Path>, shown: Output) -> anyhow::Result<Outcome> {
    let more = [("the file", args.file.is_some()), ("--sets", !args.sets.is_empty())];
    bench::refuse(args, store, &more, "means nothing to truth, which brings its own histories")?;
    let histories = suite();
    let bar = output::progress("telling", histories.len() as u64);
    let report = truth::run(&histories, |done| bar.set_position(done as u64))?;
    bar.finish_and_clear();
    if let Some(path) = &args.out {
        write(path, &report)?;
    }
    let head = Head {
        benchmark: "truth",
        extractor: RuleExtractor.name().to_owned(),
        version: env!("CARGO_PKG_VERSION"),
        machine: bench::machine(),
    };
    match shown {
        Output::Json => output::write_json(&wire::suite::report(&head, &report))?,
        Output::Text => output::write(&text(&head, &report))?,
    }
    Ok(Outcome::Done)
}

/// Every question with its answer, one a line.
fn write(path: &Path, report: &Report) -> anyhow::Result<()> {
    let file = File::create(path).with_context(|| format!("cannot create {}", path.display()))?;
    let mut file = BufWriter::new(file);
    for answer in &report.answers {
        writeln!(file, "{}", wire::suite::line(answer))
            .with_context(|| format!("cannot write {}", path.display()))?;
    }
    file.flush().with_context(|| format!("cannot write {}", path.display()))
}

fn text(head: &Head, report: &Report) -> String {
    let mut text = format!(
        "truth\nversion {}, extractor {}\nmachine {}\n\n{:16}{:>30}{:>30}\n{:16}{}\n",
        head.version,
        head.extractor,
        wire::text::line(&head.machine),
        "",
        "through text",
        "through given facts",
        "class",
        format!("{:>15}{:>15}", "questions", "histories").repeat(2)
    );
    let classes = report.classes();
    for class in classes.iter().map(|class| Some(*class)).chain([None]) {
        let mut line = format!("{:16}", class.unwrap_or("all"));
        for (way, _) in Way::ALL {
            let score = report.score(way, class);
            for share in [score.questions, score.histories] {
                let counts = format!("{}/{}", share.right, share.of);
                write!(line, "{counts:>9}{:6.2}", share.value()).expect("writing to a string cannot fail");
            }
        }
        text.push_str(&line);
        text.push('\n');
    }
    text
}
