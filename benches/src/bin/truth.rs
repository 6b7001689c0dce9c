//! What truth over time costs: forgetting one episode of a large namespace, and reading as of a time against
//! reading now.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use clap::Parser;
use lorebase::engine::model::id::{EpisodeId, Namespace};
use lorebase::engine::model::time::{Moment, Timestamp};
use lorebase::forget::Selection;
use lorebase::memory::Memory;
use lorebase::query::question::Question;
use lorebase_benches::measure::{Latency, quantile, scratch};
use lorebase_benches::table;
use lorebase_benches::world::World;
use lorebase_benches::world::questions::questions;

/// Measures forgetting, and reading as of a time.
#[derive(Parser)]
struct Args {
    /// How many turns the history has.
    #[arg(long, default_value_t = 100_000)]
    turns: usize,
    /// How many episodes are forgotten, one by one.
    #[arg(long, default_value_t = 50)]
    forget: usize,
    /// How many entities are asked for their facts, each in every way.
    #[arg(long, default_value_t = 400)]
    entities: usize,
    /// How many questions of each kind are asked, each in both ways.
    #[arg(long, default_value_t = 20)]
    questions: usize,
    /// Where the store is made; a folder for what is temporary by default.
    #[arg(long)]
    directory: Option<PathBuf>,
}

fn main() -> anyhow::Result<()> {
    lorebase::process::keep_to_few_heaps();
    let args = Args::parse();
    let made = scratch(args.directory.as_deref())?;
    let (world, namespace) = (World::new(1, args.turns), Namespace::new("world")?);
    let (memory, _) = Memory::create(made.path())?;
    for piece in world.pieces(50_000) {
        memory.ingest(&namespace, piece, |_| ())?;
    }
    memory.warm(&namespace)?;
    table::head(&["what", "p50", "p95", "against reading now"])?;
    let now = read(&memory, &namespace, &args)?;
    for (what, times) in now {
        table::row(&[what.0, milliseconds(&times.0), milliseconds95(&times.0), what.1])?;
    }
    for (what, times) in recall(&memory, &namespace, &args)? {
        table::row(&[what.0, milliseconds(&times.0), milliseconds95(&times.0), what.1])?;
    }
    let (mut gone, compaction) = forget(&memory, &namespace, &args)?;
    let told = Latency::of(&mut gone);
    let none = String::new;
    table::row(&["forget one episode, durable".to_owned(), ms(told.p50), ms(told.p95), none()])?;
    table::row(&["take them off the disk".to_owned(), ms(compaction.as_secs_f64() * 1e3), none(), none()])?;
    Ok(())
}

/// The times of one way of reading.
struct Times(Vec<Duration>);

fn ms(milliseconds: f64) -> String {
    format!("{milliseconds:.2} ms")
}

fn milliseconds(times: &[Duration]) -> String {
    ms(quantile(&mut times.to_vec(), 0.5).as_secs_f64() * 1e3)
}

fn milliseconds95(times: &[Duration]) -> String {
    ms(quantile(&mut times.to_vec(), 0.95).as_secs_f64() * 1e3)
}

/// Reads the facts of entities now, as of a time in the world, and by what had been told by a time, one way
/// after the other for each, so that all meet the same machine.
fn read(
    memory: &Memory,
    namespace: &Namespace,
    args: &Args,
) -> anyhow::Result<Vec<((String, String), Times)>> {
    let reader = memory.engine().reader(namespace)?;
    let state = reader.state();
    let alive = state.entities().iter().filter(|entity| entity.alive());
    let step = (alive.clone().count() / args.entities.max(1)).max(1);
    let names: Vec<String> = alive.step_by(step).map(|entity| entity.name().to_owned()).collect();
    let said = state.sessions().iter().filter_map(|session| session.at).map(|at| at.instant.as_millis());
    // The memory was told all of it within a few seconds: half of it by then.
    let mut recorded: Vec<Timestamp> = state.episodes().iter().map(|episode| episode.recorded_at).collect();
    recorded.sort_unstable();
    let told = recorded[recorded.len() / 2];
    let (first, last) = (said.clone().min().unwrap_or(0), said.max().unwrap_or(0));
    drop(reader);
    let middle = Timestamp::from_millis(i64::midpoint(first, last))?;
    let ways = [
        ("facts of an entity, now", Moment::default()),
        ("as of a time", Moment { as_of: Some(middle), ..Moment::default() }),
        ("known at a time", Moment { known_at: Some(told), ..Moment::default() }),
    ];
    let mut times = [const { Vec::new() }; 3];
    for name in &names {
        for ((_, moment), times) in ways.iter().zip(&mut times) {
            let start = Instant::now();
            memory.facts_at(namespace, Some(name), None, *moment)?;
            times.push(start.elapsed());
        }
    }
    let total = |times: &[Duration]| times.iter().sum::<Duration>().as_secs_f64();
    let plain = total(&times[0]);
    let row = |((name, _), times): (&(&str, Moment), Vec<Duration>)| {
        let ratio = format!("{:.2} ×", total(&times) / plain);
        (((*name).to_owned(), ratio), Times(times))
    };
    Ok(ways.iter().zip(times).map(row).collect())
}

/// Asks questions now, and as of the last time at which something was said, which shows all the same.
fn recall(
    memory: &Memory,
    namespace: &Namespace,
    args: &Args,
) -> anyhow::Result<Vec<((String, String), Times)>> {
    let reader = memory.engine().reader(namespace)?;
    let said = reader.state().episodes().iter().filter_map(|episode| episode.occurred_at);
    let last = said.map(|at| at.instant).max();
    drop(reader);
    let mut times = [Vec::new(), Vec::new()];
    for asked in questions(&World::new(1, args.turns), args.questions, 0) {
        let plain = Question { as_of: None, ..asked.question() };
        for (question, times) in [plain.clone(), Question { as_of: last, ..plain }].iter().zip(&mut times) {
            // Once before, so that both find the same in the processor's caches.
            memory.recall(namespace, question)?;
            let start = Instant::now();
            memory.recall(namespace, question)?;
            times.push(start.elapsed());
        }
    }
    let total = |times: &[Duration]| times.iter().sum::<Duration>().as_secs_f64();
    let ratio = format!("{:.2} ×", total(&times[1]) / total(&times[0]));
    let [now, as_of] = times;
    Ok(vec![
        (("recall, now".to_owned(), "1.00 ×".to_owned()), Times(now)),
        (("recall, as of the last time".to_owned(), ratio), Times(as_of)),
    ])
}

fn forget(memory: &Memory, namespace: &Namespace, args: &Args) -> anyhow::Result<(Vec<Duration>, Duration)> {
    let reader = memory.engine().reader(namespace)?;
    let step = (reader.state().episodes().len() / args.forget.max(1)).max(1);
    let ids: Vec<EpisodeId> =
        reader.state().episodes().iter().step_by(step).map(|episode| episode.id).collect();
    drop(reader);
    let mut times = Vec::new();
    for id in &ids {
        let start = Instant::now();
        memory.forget(namespace, &Selection { episodes: &[*id], ..Selection::default() })?;
        // A reader that comes now sees it gone: facts that it closed are judged again.
        drop(memory.engine().reader(namespace)?);
        times.push(start.elapsed());
    }
    let start = Instant::now();
    memory.compact()?;
    Ok((times, start.elapsed()))
}
