//! Measures the rules of extraction on the evaluation sets and prints all figures.
//!
//! `cargo run --release -p lorebase-datasets --example extract -- DATA_DIR [PART…] [--json] [--dump FILE]
//! [--tabbed FILE] [--sample N [--seed S]]`. Parts are entities, memories, carb, gap, observations, times and speed; without
//! any, all are measured. `--dump` writes one JSON line a text with what was missed and what was too much. `--tabbed`
//! scores the tuples of another system on CaRB instead. `--sample` prints facts of conversations, to be judged by hand.

use std::error::Error;
use std::fs::File;
use std::io::{BufWriter, Write, stderr, stdout};
use std::path::PathBuf;
use std::process::ExitCode;

use lorebase_datasets::extraction::{Item, Part, Report, carb, carb_file, measure, sample};
use lorebase_extract::extractor::Extractor;
use lorebase_extract::rules::RuleExtractor;

#[derive(Default)]
struct Arguments {
    directory: PathBuf,
    parts: Vec<Part>,
    json: bool,
    dump: Option<PathBuf>,
    tabbed: Option<PathBuf>,
    sample: Option<usize>,
    seed: u64,
}

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            let told = writeln!(stderr(), "error: {}", with_causes(&*error));
            // Nobody is left to be told that it could not be told.
            drop(told);
            ExitCode::FAILURE
        }
    }
}

/// The message with those of what caused it.
fn with_causes(error: &dyn Error) -> String {
    let mut told = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        told = format!("{told}: {error}");
        cause = error.source();
    }
    told
}

fn run() -> Result<(), Box<dyn Error>> {
    let arguments = parse(std::env::args().skip(1))?;
    let (extractor, directory) = (RuleExtractor, &arguments.directory);
    let mut out = stdout().lock();
    if let Some(count) = arguments.sample {
        for fact in sample::draw(&extractor, directory, (count, arguments.seed))? {
            writeln!(out, "{fact}")?;
        }
        return Ok(());
    }
    let report = match &arguments.tabbed {
        Some(written) => {
            Report { carb: Some(carb::score_written(written, &carb_file(directory)?)?), ..Report::default() }
        }
        None => measured(&arguments, &extractor)?,
    };
    if arguments.json {
        writeln!(out, "{}", serde_json::to_string_pretty(&report)?)?;
    } else {
        write!(out, "{report}")?;
    }
    Ok(())
}

fn measured(arguments: &Arguments, extractor: &dyn Extractor) -> Result<Report, Box<dyn Error>> {
    let mut dump = arguments.dump.as_ref().map(File::create).transpose()?.map(BufWriter::new);
    let mut failed = None;
    let mut tell = |item: &Item<'_>| {
        let faultless = item.missed.is_empty() && item.extra.is_empty();
        let Some(dump) = dump.as_mut().filter(|_| !faultless) else { return };
        let line = serde_json::to_string(item).map_err(Into::into);
        failed = line.and_then(|line| writeln!(dump, "{line}")).err().or(failed.take());
    };
    let report = measure(extractor, &arguments.directory, &arguments.parts, &mut tell)?;
    if let Some(mut dump) = dump {
        dump.flush()?;
    }
    match failed {
        Some(error) => Err(error.into()),
        None => Ok(report),
    }
}

fn parse(mut given: impl Iterator<Item = String>) -> Result<Arguments, Box<dyn Error>> {
    let mut arguments = Arguments::default();
    let mut directory = None;
    while let Some(argument) = given.next() {
        let mut value = || given.next().ok_or_else(|| format!("{argument} needs a value"));
        match argument.as_str() {
            "--json" => arguments.json = true,
            "--dump" => arguments.dump = Some(value()?.into()),
            "--tabbed" => arguments.tabbed = Some(value()?.into()),
            "--sample" => arguments.sample = Some(value()?.parse()?),
            "--seed" => arguments.seed = value()?.parse()?,
            name => match Part::named(name) {
                Some(part) => arguments.parts.push(part),
                None if directory.is_none() => directory = Some(PathBuf::from(name)),
                None => return Err(format!("\"{name}\" is no part: {}", part_names()).into()),
            },
        }
    }
    arguments.directory =
        directory.ok_or("the directory of the evaluation data is missing: extract DATA_DIR [PART…]")?;
    if arguments.parts.is_empty() {
        arguments.parts = Part::ALL.map(|(part, _)| part).to_vec();
    }
    Ok(arguments)
}

fn part_names() -> String {
    Part::ALL.map(|(_, name)| name).join(", ")
}
