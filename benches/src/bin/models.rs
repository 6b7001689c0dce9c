//! How long models take on this machine: texts to vectors, and recall with the vectors of a sentence encoder and with a
//! cross-encoder that looks at the hits again.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

use clap::Parser;
use lorebase::engine::embed::Embedder;
use lorebase::engine::model::id::Namespace;
use lorebase::memory::Memory;
use lorebase::models::installed::Models;
use lorebase::models::select;
use lorebase::query::question::Question;
use lorebase::query::rerank::{Rerank, Reranker};
use lorebase_benches::table;
use lorebase_benches::world::World;
use lorebase_benches::world::questions::{Asked, questions};

/// Measures how long models take.
#[derive(Parser)]
struct Args {
    /// The directory of a sentence encoder.
    #[arg(long, value_name = "DIR")]
    model: PathBuf,
    /// The directory of a cross-encoder.
    #[arg(long, value_name = "DIR")]
    rerank: Option<PathBuf>,
    /// How many turns the history has in which questions are asked.
    #[arg(long, default_value_t = 10_000)]
    turns: usize,
    /// How many questions are asked of each kind.
    #[arg(long, default_value_t = 20)]
    questions: usize,
    /// Only embeds the lines of a file, and prints milliseconds a text in batches of 32, and alone.
    #[arg(long, value_name = "FILE")]
    texts: Option<PathBuf>,
}

/// Texts in a batch.
const BATCH: usize = 32;
/// Of how many texts it is measured how long they take alone.
const ALONE: usize = 128;

fn main() -> anyhow::Result<()> {
    lorebase::process::keep_to_few_heaps();
    let args = Args::parse();
    let nowhere = Models::at(&args.model);
    let model = select::named(&args.model.canonicalize()?.to_string_lossy(), &nowhere)?;
    if let Some(file) = &args.texts {
        let lines = std::fs::read_to_string(file)?;
        let texts: Vec<&str> = lines.lines().collect();
        let row = [in_batches(&*model, &texts)?, alone(&*model, &texts)?];
        return Ok(table::row(&row.map(|millis| format!("{millis:.3}")))?);
    }
    let reranker = args.rerank.as_ref().map(|directory| {
        let directory = directory.canonicalize()?;
        anyhow::Ok(select::reranker(Some(&directory.to_string_lossy()), &nowhere)?)
    });
    recalls(&args, &model, reranker.transpose()?.as_deref())
}

/// Milliseconds a text where many are embedded at once, those of like length together.
fn in_batches(model: &dyn Embedder, texts: &[&str]) -> anyhow::Result<f64> {
    let mut sorted = texts.to_vec();
    sorted.sort_by_key(|text| text.len());
    model.embed(&sorted[..BATCH.min(sorted.len())])?;
    let start = Instant::now();
    for batch in sorted.chunks(BATCH) {
        model.embed(batch)?;
    }
    Ok(start.elapsed().as_secs_f64() * 1e3 / texts.len() as f64)
}

/// Milliseconds a text where each is embedded alone.
fn alone(model: &dyn Embedder, texts: &[&str]) -> anyhow::Result<f64> {
    let some = &texts[..ALONE.min(texts.len())];
    let start = Instant::now();
    for text in some {
        model.embed(&[text])?;
    }
    Ok(start.elapsed().as_secs_f64() * 1e3 / some.len() as f64)
}

/// Prints how long questions take, by kind of vectors and with a second look.
fn recalls(args: &Args, model: &Arc<dyn Embedder>, reranker: Option<&dyn Reranker>) -> anyhow::Result<()> {
    let directory = tempfile::tempdir()?;
    let (world, namespace) = (World::new(1, args.turns), Namespace::new("world")?);
    let (memory, _) = Memory::create_with(directory.path(), Arc::clone(model))?;
    for piece in world.pieces(50_000) {
        memory.ingest(&namespace, piece, |_| ())?;
    }
    memory.embed_pending(&namespace, |_| ())?;
    let asked = questions(&world, args.questions, 0);
    table::head(&["", "recall p50, ms", "p95, ms"])?;
    let line = |name: &str, rerank: Option<Rerank<'_>>| -> anyhow::Result<()> {
        let ask = |one: &Asked| -> anyhow::Result<f64> {
            let question = Question { rerank, ..one.question() };
            let start = Instant::now();
            memory.recall(&namespace, &question)?;
            Ok(start.elapsed().as_secs_f64() * 1e3)
        };
        let mut times = asked.iter().map(ask).collect::<anyhow::Result<Vec<f64>>>()?;
        times.sort_by(f64::total_cmp);
        let at = |share: usize| format!("{:.1}", times[times.len() * share / 100]);
        Ok(table::row(&[name.to_owned(), at(50), at(95)])?)
    };
    line("vectors of a sentence encoder", None)?;
    if let Some(reranker) = reranker {
        line("and a second look at 40 hits", Some(Rerank::new(reranker)))?;
    }
    Ok(())
}
