//! `lore bench`: runs an evaluation and prints its figures with all that is needed to repeat them.

use std::fmt::Write;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::Context;
use lorebase::datasets::benchmark::Benchmark;
use lorebase::datasets::extraction::Part;
use lorebase::datasets::score::Granularity;
use lorebase::engine::embed::Embedder;
use lorebase::error::Error;
use lorebase::evaluate::{Options, Report, evaluate};
use lorebase::extract::extractor::Extractor;
use lorebase::extract::rules::RuleExtractor;
use lorebase::query::rerank::{Rerank, Reranker};
use lorebase::query::ways::{Way, Ways};
use sha2::{Digest, Sha256};

use super::args::{BenchArgs, BenchmarkName, Output};
use super::{Outcome, output, render};
use crate::wire::{self, BenchHead, BenchParameters, ExtractionHead, Machine};

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
        BenchmarkName::Extract => return extraction(args, store, shown),
        BenchmarkName::Truth => return super::suite::run(args, store, shown),
        BenchmarkName::Hops => return super::hops::run(args, store, shown),
    };
    let file = args.file.as_deref().ok_or_else(|| Error::Argument {
        argument: "the data",
        problem: format!("is missing; name the file of {}", benchmark.name()),
    })?;
    if !args.sets.is_empty() {
        return Err(Error::Argument {
            argument: "--sets",
            problem: "is for extract; leave it out".to_owned(),
        }
        .into());
    }
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
    let cases = benchmark.load(file)?;
    if args.ask {
        if benchmark == Benchmark::LongMemEval {
            let problem = "is for locomo and cases; leave it out".to_owned();
            return Err(Error::Argument { argument: "--ask", problem }.into());
        }
        let head = head((args, file), benchmark, &left_out, models)?;
        return super::answers::run((benchmark, &cases), &options, (&head, args.out.as_deref()), shown);
    }
    let bar = output::progress("asking", cases.iter().map(|case| case.questions.len() as u64).sum());
    let report = evaluate(benchmark, &cases, &options, |done, _| bar.set_position(done as u64))?;
    bar.finish_and_clear();
    if let Some(path) = &args.out {
        report.run.write(path, benchmark)?;
    }
    let head = head((args, file), benchmark, &left_out, models)?;
    match shown {
        Output::Json => output::write_json(&wire::bench(&head, &report))?,
        Output::Text => output::write(&text(&head, &report))?,
    }
    Ok(Outcome::Done)
}

/// Refuses what only benchmarks that recall from a file take.
pub(super) fn refuse(
    args: &BenchArgs,
    store: Option<&Path>,
    more: &[(&'static str, bool)],
    why: &str,
) -> Result<(), Error> {
    let others = [
        ("--store", store.is_some()),
        ("--rerank", args.rerank.is_some()),
        ("--session", args.session),
        ("--ask", args.ask),
        ("--without", !args.without.is_empty()),
    ];
    match others.iter().chain(more).find(|(_, given)| *given) {
        Some((argument, _)) => Err(Error::Argument { argument, problem: format!("{why}; leave it out") }),
        None => Ok(()),
    }
}

/// Measures how well texts are read, on the sets in a directory.
fn extraction(args: &BenchArgs, store: Option<&Path>, shown: Output) -> anyhow::Result<Outcome> {
    refuse(args, store, &[("--out", args.out.is_some())], "means nothing to extract, which asks no memory")?;
    let named = |name: &String| {
        Part::named(name).ok_or_else(|| {
            let known = Part::ALL.map(|(_, name)| name).join(", ");
            Error::Argument { argument: "--sets", problem: format!("names {name}, and there are {known}") }
        })
    };
    let parts: Vec<Part> = if args.sets.is_empty() {
        Part::ALL.into_iter().map(|(part, _)| part).collect()
    } else {
        args.sets.iter().map(named).collect::<Result<_, _>>()?
    };
    let data = args.file.clone().unwrap_or_else(|| {
        std::env::var_os("LOREBASE_DATA").map_or_else(|| PathBuf::from("../shared/datasets"), PathBuf::from)
    });
    let report = lorebase::datasets::extraction::measure(&RuleExtractor, &data, &parts, &mut |_| ())?;
    let head = ExtractionHead {
        benchmark: "extract",
        data: data.display().to_string(),
        extractor: RuleExtractor.name().to_owned(),
        version: env!("CARGO_PKG_VERSION"),
        machine: machine(),
    };
    match shown {
        Output::Json => output::write_json(&wire::extraction(&head, &report))?,
        Output::Text => {
            let ExtractionHead { data, extractor, version, machine, .. } = &head;
            let (data, machine) = (render::visible(data), wire::text::line(machine));
            output::write(&format!(
                "extract {data}\nversion {version}, extractor {extractor}\nmachine {machine}\n\n{report}"
            ))?;
        }
    }
    Ok(Outcome::Done)
}

fn head(
    (args, file): (&BenchArgs, &Path),
    benchmark: Benchmark,
    left_out: &[Way],
    models: &Models<'_>,
) -> anyhow::Result<BenchHead> {
    Ok(BenchHead {
        benchmark: benchmark.name(),
        data: file.display().to_string(),
        data_sha256: sha256(file)?,
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
pub(super) fn machine() -> Machine {
    let cores = std::thread::available_parallelism().map_or(0, usize::from);
    let info = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = info
        .lines()
        .find_map(|line| line.strip_prefix("model name"))
        .map(|rest| rest.trim_start_matches([' ', '\t', ':']).to_owned());
    Machine { cores, processor: model, system: std::env::consts::OS, architecture: std::env::consts::ARCH }
}

/// What was run with what, and the first columns of a table.
pub(super) fn heading(head: &BenchHead) -> String {
    format!(
        "{} {} (SHA-256 {})\nversion {}, parameters {}\nmachine {}\n\n{:24}{:>6}",
        head.benchmark,
        head.data,
        head.data_sha256,
        head.version,
        wire::text::line(&head.parameters),
        wire::text::line(&head.machine),
        "group",
        "n"
    )
}

fn text(head: &BenchHead, report: &Report) -> String {
    let mut text = heading(head);
    let mut add = |piece: String| text.push_str(&piece);
    for name in SHOWN {
        add(format!("{name:>11}"));
    }
    let updates = report.scores.groups.values().any(|group| group.updates.questions > 0);
    if updates {
        add(format!("{:>15}", "current_first"));
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
        if let Some(share) = group.updates.share() {
            add(format!("{:15.2}", 100.0 * share));
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
