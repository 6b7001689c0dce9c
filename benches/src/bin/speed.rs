//! Prints the figures of `docs/performance.md`: taking in, opening, recall, memory and disk on generated histories of
//! several sizes and in many namespaces, what each part of taking in costs, and commits on several threads.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use clap::Parser;
use lorebase_benches::figures::{self, Figures};
use lorebase_benches::measure::scratch;
use lorebase_benches::{report, steps};

/// Measures speed and scale. Without the name of a measurement, all are done.
#[derive(Parser)]
struct Args {
    /// How many turns the histories in one namespace have.
    #[arg(long, value_delimiter = ',', default_values_t = [10_000, 30_000, 100_000, 300_000, 1_000_000])]
    turns: Vec<usize>,
    /// Questions of each kind that are asked of each history.
    #[arg(long, default_value_t = 60)]
    questions: usize,
    /// Measure histories in one namespace.
    #[arg(long)]
    sizes: bool,
    /// Measure so many namespaces of 1,000 turns each [of all measurements: 1000].
    #[arg(long, value_name = "NUMBER")]
    namespaces: Option<usize>,
    /// Measure what each part of taking in costs, on histories of so many turns [of all measurements: 10000,100000].
    #[arg(long, value_name = "TURNS", value_delimiter = ',')]
    parts: Vec<usize>,
    /// Measure commits on so many threads at once [of all measurements: 1,2,4,8,16].
    #[arg(long, value_name = "THREADS", value_delimiter = ',')]
    group: Vec<usize>,
    /// How long commits are measured on each number of threads.
    #[arg(long, value_name = "SECONDS", default_value_t = 5.0)]
    seconds: f64,
    /// Where the stores are made, and removed again; a folder for what is temporary by default.
    #[arg(long, value_name = "DIR")]
    directory: Option<PathBuf>,
    /// Keep the figures in this file. What it already holds of other sizes stays.
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Put the tables and curves into this folder's `performance.md`; with nothing to measure, those of the JSON file.
    #[arg(long, value_name = "DIR")]
    docs: Option<PathBuf>,
    /// Measure nothing.
    #[arg(long)]
    no_run: bool,
    /// What a process of this program does for another.
    #[arg(long, hide = true)]
    step: Option<String>,
}

fn main() -> anyhow::Result<()> {
    lorebase::process::keep_to_few_heaps();
    let args = Args::parse();
    if let Some(step) = &args.step {
        writeln!(io::stdout(), "{}", steps::run(step)?)?;
        return Ok(());
    }
    let mut kept = Figures::default();
    if let Some(file) = args.json.as_deref().filter(|file| file.exists()) {
        kept = serde_json::from_str(&fs::read_to_string(file)?)?;
    }
    if !args.no_run {
        let directory = scratch(args.directory.as_deref())?;
        run(&args, directory.path(), &mut kept)?;
    }
    for (name, table) in report::tables(&kept) {
        writeln!(io::stdout(), "{name}\n\n{table}")?;
    }
    if let Some(docs) = &args.docs {
        report::write(&kept, docs)?;
    }
    Ok(())
}

/// Does what is asked for; what is done is kept after each measurement, as a million turns take their time.
fn run(args: &Args, directory: &Path, kept: &mut Figures) -> anyhow::Result<()> {
    let all = !args.sizes && args.namespaces.is_none() && args.parts.is_empty() && args.group.is_empty();
    let mut keep = |figures: Figures| -> anyhow::Result<()> {
        kept.add(figures);
        if let Some(file) = &args.json {
            fs::write(file, serde_json::to_string_pretty(kept)? + "\n")?;
        }
        Ok(())
    };
    let or = |asked: &[usize], default: &[usize]| if all { default.to_vec() } else { asked.to_vec() };
    for threads in or(&args.group, &[1, 2, 4, 8, 16]) {
        say(&format!("commits on {threads} threads"))?;
        let grouped = figures::group(directory, threads, args.seconds)?;
        keep(Figures { group: vec![grouped], ..Figures::default() })?;
    }
    for turns in or(&args.parts, &[10_000, 100_000]) {
        say(&format!("what each part of taking in {turns} turns costs"))?;
        keep(Figures { parts: vec![figures::parts(directory, turns)?], ..Figures::default() })?;
    }
    if let Some(spaces) = args.namespaces.or(all.then_some(1000)) {
        say(&format!("{spaces} namespaces"))?;
        keep(Figures { many: Some(figures::many(directory, spaces, 1000)?), ..Figures::default() })?;
    }
    if all || args.sizes {
        for &turns in &args.turns {
            say(&format!("{turns} turns in one namespace"))?;
            let size = figures::size(directory, turns, args.questions)?;
            keep(Figures { sizes: vec![size], ..Figures::default() })?;
        }
    }
    Ok(())
}

fn say(what: &str) -> io::Result<()> {
    writeln!(io::stderr(), "{what}")
}
