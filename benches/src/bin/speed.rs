//! Prints the figures of `docs/performance.md`: ingest, opening and recall on a generated history.

use std::time::{Duration, Instant};

use clap::Parser;
use lorebase::engine::model::id::Namespace;
use lorebase::memory::Memory;
use lorebase::query::question::Question;
use lorebase_benches::{table, world};

/// Measures ingest, opening and recall.
#[derive(Parser)]
struct Args {
    /// How many turns the histories have.
    #[arg(long, value_delimiter = ',', default_values_t = [10_000, 100_000])]
    turns: Vec<usize>,
    /// How often opening and each question are measured; the median is shown.
    #[arg(long, default_value_t = 5)]
    repeats: usize,
}

fn main() -> anyhow::Result<()> {
    let args = Args::parse();
    table::head(&[
        "turns",
        "ingest turns/s",
        "open and load",
        "recall p50",
        "recall p95",
        "store bytes/text byte",
    ])?;
    for &turns in &args.turns {
        table::row(&measure(turns, args.repeats.max(1))?)?;
    }
    Ok(())
}

fn measure(turns: usize, repeats: usize) -> anyhow::Result<Vec<String>> {
    let directory = tempfile::tempdir()?;
    let namespace = Namespace::new("world")?;
    let transcript = world::transcript(1, turns, 5000);
    let text: usize =
        transcript.sessions.iter().flat_map(|session| &session.turns).map(|turn| turn.text.len()).sum();
    let (memory, _) = Memory::create(directory.path())?;
    memory.warm(&namespace)?;
    let start = Instant::now();
    memory.ingest(&namespace, transcript, |_| ())?;
    let rate = turns as f64 / start.elapsed().as_secs_f64();
    drop(memory);
    let mut opened = Vec::new();
    for _ in 0..repeats {
        let start = Instant::now();
        let (memory, _) = Memory::open(directory.path())?;
        memory.warm(&namespace)?;
        opened.push(start.elapsed());
    }
    let (p50, p95) = recalls(&Memory::open(directory.path())?.0, &namespace, repeats)?;
    Ok(vec![
        turns.to_string(),
        format!("{rate:.0}"),
        format!("{:.2} s", quantile(&mut opened, 0.5).as_secs_f64()),
        format!("{:.2} ms", p50.as_secs_f64() * 1e3),
        format!("{:.2} ms", p95.as_secs_f64() * 1e3),
        format!("{:.1}", bytes_in(directory.path())? as f64 / text as f64),
    ])
}

fn recalls(memory: &Memory, namespace: &Namespace, repeats: usize) -> anyhow::Result<(Duration, Duration)> {
    memory.warm(namespace)?;
    let mut times = Vec::new();
    for number in (0..100).flat_map(|number| vec![number * 37; repeats]) {
        let question = format!("Where does the sister of {} work, and who met her?", world::person(number));
        let start = Instant::now();
        memory.recall(namespace, &Question::new(&question))?;
        times.push(start.elapsed());
    }
    Ok((quantile(&mut times, 0.5), quantile(&mut times, 0.95)))
}

fn quantile(times: &mut [Duration], share: f64) -> Duration {
    times.sort_unstable();
    times[((share * times.len() as f64).ceil() as usize).saturating_sub(1)]
}

fn bytes_in(directory: &std::path::Path) -> anyhow::Result<u64> {
    let mut total = 0;
    for entry in std::fs::read_dir(directory)? {
        let entry = entry?;
        let metadata = entry.metadata()?;
        total += if metadata.is_dir() { bytes_in(&entry.path())? } else { metadata.len() };
    }
    Ok(total)
}
