//! What `scripts/order/fit.py` learns from: of every question of the tuning halves, the first hits with the numbers that tell of
//! each of them, and whether it answers. Each set NAME is asked by words alone, with the built-in embedder and, where one is
//! given, with a model, and with a reranker besides; for each of these HOW it writes HOW-NAME.jsonl, a line a question, and
//! HOW-NAME.bin, the numbers of all hits as 32-bit reals, one hit after another.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::Context;
use clap::Parser;
use lorebase::datasets::benchmark::Benchmark;
use lorebase::datasets::case::{Case, Question as Asked, Unit};
use lorebase::engine::embed::Embedder;
use lorebase::engine::model::episode::Episode;
use lorebase::engine::model::id::Namespace;
use lorebase::evaluate::session_before;
use lorebase::memory::Memory;
use lorebase::models::local::{CrossEncoder, Precision};
use lorebase::query::question::Question;
use lorebase::query::rerank::Rerank;
use lorebase::query::ways::{Way, Ways};
use lorebase_benches::remembering::Remembering;
use serde_json::json;

/// The sets, by benchmark and file in the directory of all sets.
const SETS: [(&str, Benchmark, &str); 4] = [
    ("locomo", Benchmark::LoCoMo, "locomo/locomo-dev.json"),
    ("realtalk", Benchmark::Cases, "cases/realtalk-dev.jsonl"),
    ("realmem", Benchmark::Cases, "cases/realmem-dev.jsonl"),
    ("beam", Benchmark::Cases, "cases/beam-dev.jsonl"),
];

/// Those that a reranker looks at again: the others have long turns, and it takes its time.
const RERANKED: [&str; 2] = ["locomo", "realtalk"];

/// Writes what tells of the first hits of recall, for scripts/order/fit.py.
#[derive(Parser)]
struct Arguments {
    /// The directory of all sets.
    data: PathBuf,
    /// The directory to write into.
    out: PathBuf,
    /// The directory of a model, with which all is asked once more.
    #[arg(long, value_name = "DIR")]
    model: Option<PathBuf>,
    /// The directory of a reranker, with which the first two sets are asked a last time.
    #[arg(long, value_name = "DIR", requires = "model")]
    rerank: Option<PathBuf>,
}

fn main() -> anyhow::Result<()> {
    let arguments = Arguments::parse();
    std::fs::create_dir_all(&arguments.out)?;
    let model = arguments.model.as_deref().map(Remembering::open).transpose()?;
    let reranker = arguments.rerank.as_deref().map(open).transpose()?;
    for (name, benchmark, file) in SETS {
        let cases = benchmark.load(&arguments.data.join(file))?;
        let write = |how: &str, asked: How<'_>| {
            let out = arguments.out.join(format!("{how}-{name}"));
            write(&cases, asked, &out).with_context(|| format!("cannot write {}", out.display()))
        };
        let table = How { ways: Ways::ALL, embedder: None, rerank: None };
        write("words", How { ways: Ways::ALL.without(Way::Vector), ..table })?;
        write("table", table)?;
        if model.is_none() {
            continue;
        }
        let model = How { embedder: model.as_ref(), ..table };
        write("model", model)?;
        if let Some(reranker) = reranker.as_ref().filter(|_| RERANKED.contains(&name)) {
            write("again", How { rerank: Some(Rerank::new(reranker)), ..model })?;
        }
    }
    Ok(())
}

fn open(directory: &Path) -> anyhow::Result<CrossEncoder> {
    Ok(CrossEncoder::open(directory, "reranker", None, Precision::Eight)?)
}

/// How a set is asked.
#[derive(Clone, Copy)]
struct How<'h> {
    ways: Ways,
    /// The built-in one where it is not given.
    embedder: Option<&'h Arc<dyn Embedder>>,
    rerank: Option<Rerank<'h>>,
}

fn write(cases: &[Case], how: How<'_>, out: &Path) -> anyhow::Result<()> {
    let mut lines = BufWriter::new(File::create(out.with_extension("jsonl"))?);
    let mut numbers = BufWriter::new(File::create(out.with_extension("bin"))?);
    let directory = tempfile::tempdir()?;
    let (memory, _) = match how.embedder {
        Some(embedder) => Memory::create_with(directory.path(), Arc::clone(embedder))?,
        None => Memory::create(directory.path())?,
    };
    for (number, case) in cases.iter().enumerate() {
        let namespace = Namespace::new(&format!("case-{number}"))?;
        memory.ingest(&namespace, case.transcript.clone(), |_| ())?;
        memory.embed_pending(&namespace, |_| ())?;
        for asked in case.questions.iter().filter(|asked| is_learnt_from(asked)) {
            let before_session = session_before(&memory, &namespace, case, asked)?;
            let (ways, rerank) = (how.ways, how.rerank);
            let question = Question { ways, rerank, before_session, ..Question::new(&asked.text) };
            let hits = memory.hits_considered(&namespace, &question)?;
            for number in hits.iter().flat_map(|(_, numbers)| numbers) {
                numbers.write_all(&number.to_le_bytes())?;
            }
            let episodes: Vec<&Episode> = hits.iter().map(|(episode, _)| episode).collect();
            writeln!(lines, "{}", line(case, asked, &episodes))?;
        }
    }
    lines.flush()?;
    Ok(numbers.flush()?)
}

/// Adversarial questions have evidence of something that was not asked.
fn is_learnt_from(asked: &Asked) -> bool {
    !asked.evidence.is_empty() && asked.category != "adversarial"
}

fn line(case: &Case, asked: &Asked, hits: &[&Episode]) -> serde_json::Value {
    let id = |episode: &&Episode| match asked.unit {
        Unit::Turn => episode.source_id.clone(),
        Unit::Session => Some(episode.session.as_str().to_owned()),
    };
    let session = |episode: &&Episode| episode.session.as_str().to_owned();
    json!({
        "case": case.name,
        "id": asked.id,
        "category": asked.category,
        "evidence": asked.evidence,
        "hits": hits.iter().map(id).collect::<Vec<_>>(),
        "sessions": hits.iter().map(session).collect::<Vec<_>>(),
    })
}
