//! Lists facts that the memory no longer takes for current over LoCoMo and REALTALK, to be judged by hand by
//! the rule of `docs/truth.md`.
//!
//! `cargo run -p lorebase-datasets --example retired -- DATA_DIR [--seed N] [--count N] [--assistants]`: how
//! many there are, and as many as are wanted (100) drawn by the seed, each with its statements and with what
//! closed it. `--assistants` takes BEAM and RealMem instead.

use std::error::Error;
use std::io::{Write, stderr, stdout};
use std::path::PathBuf;
use std::process::ExitCode;

use lorebase_datasets::extraction::retired::{self, Talk};
use lorebase_engine::model::fact::FactStatus;
use lorebase_extract::rules::RuleExtractor;

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            let told = writeln!(stderr(), "error: {error}");
            // Nobody is left to be told that it could not be told.
            drop(told);
            ExitCode::FAILURE
        }
    }
}

fn run() -> Result<(), Box<dyn Error>> {
    let (mut directory, mut seed, mut count, mut talk) = (None, 0, 100, Talk::People);
    let mut given = std::env::args().skip(1);
    while let Some(argument) = given.next() {
        let mut number = || given.next().ok_or_else(|| format!("{argument} needs a number"));
        match argument.as_str() {
            "--seed" => seed = number()?.parse()?,
            "--assistants" => talk = Talk::Assistants,
            "--count" => count = number()?.parse()?,
            _ => directory = Some(PathBuf::from(argument)),
        }
    }
    let directory = directory.ok_or("the directory of the evaluation data is missing: retired DATA_DIR")?;
    let scratch = tempfile::tempdir()?;
    let all = retired::all(&RuleExtractor, (&directory, talk), &scratch.path().join("memory"))?;
    let superseded = all.iter().filter(|fact| fact.status == FactStatus::Superseded).count();
    let mut out = stdout().lock();
    writeln!(out, "{superseded} facts are superseded, {} retracted\n", all.len() - superseded)?;
    for (number, fact) in fastrand::Rng::with_seed(seed).choose_multiple(all, count).into_iter().enumerate() {
        writeln!(out, "#{} {fact}", number + 1)?;
    }
    Ok(())
}
