//! `lore bench`: runs an evaluation and prints its figures with all that is needed to repeat them.

use std::fmt::Write;
use std::io::Read;
use std::path::Path;
use std::sync::Arc;

use anyhow::Context;
use lorebase::datasets::benchmark::Benchmark;
use lorebase::datasets::score::Granularity;
use lorebase::engine::embed::Embedder;
use lorebase::error::Error;
use lorebase::evaluate::{Options, Report, evaluate};
use lorebase::query::rerank::{Rerank, Reranker};
use lorebase::query::ways::{Way, Ways};
use sha2::{Digest, Sha256};

use super::args::{BenchArgs, BenchmarkName, Output};
use super::{Outcome, output, render};
use crate::wire::{self, BenchHead, BenchParameters, Machine};

/// The metrics that are shown as text; `--json` has all of them.
const SHOWN: [&str; 8] =
    ["recall@5", "recall@10", "recall@20", "recall@50", "all@5", "all@10", "mrr", "ndcg@10"];

/// The models that take part.
pub(super) struct Models<'m> {
    pub(super) embedder: &'m Arc<dyn Embedder>,
    pub(super) reranker: Option<&'m dyn Reranker>,
}

/// Runs the benchmark that was named.
pub(super) fn run(
    args: &BenchArgs,
    store: Option<&Path>,
    models: &Models<'_>,
    shown: Output,
) -> anyhow::Result<Outcome> {
    let benchmark = match args.benchmark {
        BenchmarkName::Locomo => Benchmark::LoCoMo,
        BenchmarkName::Longmemeval => Benchmark::LongMemEval,
        BenchmarkName::Cases => Benchmark::Cases,
    };
    if args.session && benchmark != Benchmark::LoCoMo {
        let problem =
            "is for locomo: in the other sets each question names its own unit; leave it out".to_owned();
        return Err(Error::Argument { argument: "--session", problem }.into());
    }
    let left_out = args.parts_left_out()?;
    let ways = left_out.iter().fold(Ways::ALL, |ways, way| ways.without(*way));
    let granularity = if args.session { Granularity::Sessions } else { Granularity::AsGiven };
    let rerank = models.reranker.map(Rerank::new);
    let embedder = Some(models.embedder);
    let options =
        Options { limit: args.limit, facts: args.facts, ways, granularity, store, embedder, rerank };
    let cases = benchmark.load(&args.file)?;
    let bar = output::progress("asking", cases.iter().map(|case| case.questions.len() as u64).sum());
    let report = evaluate(benchmark, &cases, &options, |done, _| bar.set_position(done as u64))?;
    bar.finish_and_clear();
    if let Some(path) = &args.out {
        report.run.write(path, benchmark)?;
    }
    let head = head(args, benchmark, &left_out, models)?;
    match shown {
        Output::Json => output::write_json(&wire::bench(&head, &report))?,
        Output::Text => output::write(&text(&head, &report))?,
    }
    Ok(Outcome::Done)
}

fn head(
    args: &BenchArgs,
    benchmark: Benchmark,
    left_out: &[Way],
    models: &Models<'_>,
) -> anyhow::Result<BenchHead> {
    Ok(BenchHead {
        benchmark: benchmark.name(),
        data: args.file.display().to_string(),
        data_sha256: sha256(&args.file)?,
        version: env!("CARGO_PKG_VERSION"),
        parameters: BenchParameters {
            limit: args.limit,
            facts: args.facts.as_str(),
            without: left_out.iter().map(ToString::to_string).collect(),
            model: models.embedder.identity().name.clone(),
            reranker: models.reranker.map(|reranker| reranker.name().to_owned()),
            unit: if args.session { "session" } else { "as given" },
        },
        machine: machine(),
    })
}

fn sha256(path: &Path) -> anyhow::Result<String> {
    let mut file = std::fs::File::open(path).with_context(|| format!("cannot open {}", path.display()))?;
    let (mut hasher, mut piece) = (Sha256::new(), vec![0; 1 << 16]);
    loop {
        let read = file.read(&mut piece).with_context(|| format!("cannot read {}", path.display()))?;
        if read == 0 {
            break;
        }
        hasher.update(&piece[..read]);
    }
    Ok(hasher.finalize().iter().fold(String::new(), |mut hex, byte| {
        write!(hex, "{byte:02x}").expect("writing to a string cannot fail");
        hex
    }))
}

/// Processor, cores and system, as far as the system tells.
fn machine() -> Machine {
    let cores = std::thread::available_parallelism().map_or(0, usize::from);
    let info = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = info
        .lines()
        .find_map(|line| line.strip_prefix("model name"))
        .map(|rest| rest.trim_start_matches([' ', '\t', ':']).to_owned());
    Machine { cores, processor: model, system: std::env::consts::OS, architecture: std::env::consts::ARCH }
}

fn text(head: &BenchHead, report: &Report) -> String {
    let mut text = format!(
        "{} {} (SHA-256 {})\nversion {}, parameters {}\nmachine {}\n\n{:24}{:>6}",
        head.benchmark,
        head.data,
        head.data_sha256,
        head.version,
        wire::text::line(&head.parameters),
        wire::text::line(&head.machine),
        "group",
        "n"
    );
    let mut add = |piece: String| text.push_str(&piece);
    for name in SHOWN {
        add(format!("{name:>11}"));
    }
    add("\n".to_owned());
    let mut groups: Vec<_> = report.scores.groups.iter().collect();
    groups.sort_by_key(|(name, _)| (matches!(name.as_str(), "answerable" | "all"), name.as_str()));
    for (name, group) in groups {
        add(format!("{name:24}{:6}", group.questions));
        let metrics = group.metrics.named();
        for shown in SHOWN {
            let value = metrics.iter().find(|(name, _)| name == shown).map_or(f64::NAN, |(_, value)| *value);
            add(format!("{:11.2}", 100.0 * value));
        }
        add("\n".to_owned());
    }
    let millis = |quantile| report.recall_quantile(quantile).as_secs_f64() * 1e3;
    add(format!(
        "\ningest {}, {:.0} turns/s; recall p50 {:.2} ms, p95 {:.2} ms over {}\n",
        render::counted(report.turns, "turn"),
        report.turns_per_second(),
        millis(0.5),
        millis(0.95),
        render::counted(report.recalls.len(), "question")
    ));
    text
}
