//! Prints the tables of `docs/quality.md`: recall on every set against plain BM25, and with each part of
//! recall left out.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::Parser;
use lorebase::engine::embed::Embedder;
use lorebase::evaluate::{FactSource, Options, Report, Told};
use lorebase::models::local::{CrossEncoder, Precision};
use lorebase::query::rerank::Rerank;
use lorebase::query::ways::{Way, Ways};
use lorebase_benches::remembering::Remembering;
use lorebase_benches::table;
use lorebase_datasets::benchmark::Benchmark;
use lorebase_datasets::case::Case;
use lorebase_datasets::sample;
use lorebase_datasets::score::Granularity;

/// Measures recall by part.
#[derive(Parser)]
struct Args {
    /// The folder with `locomo/` and `cases/`.
    #[arg(default_value = "../shared/datasets")]
    data: PathBuf,
    /// The directory of a model, which makes the vectors instead of the built-in embedder.
    #[arg(long, value_name = "DIR")]
    model: Option<PathBuf>,
    /// The directory of a reranker, with which a last row is measured.
    #[arg(long, value_name = "DIR")]
    rerank: Option<PathBuf>,
}

/// One column of the tables: where the data lies, and which figure of which group is shown.
struct Column {
    title: &'static str,
    path: &'static str,
    benchmark: Benchmark,
    granularity: Granularity,
    group: &'static str,
    metric: &'static str,
}

/// The share of questions in which the current statement stands above every superseded one.
const CURRENT_FIRST: &str = "current_first";

/// The sample dialogues stand in the program.
const SAMPLE: &str = "sample";

const fn column(
    title: &'static str,
    path: &'static str,
    group: &'static str,
    metric: &'static str,
) -> Column {
    Column { title, path, benchmark: Benchmark::Cases, granularity: Granularity::AsGiven, group, metric }
}

const fn locomo(
    title: &'static str,
    granularity: Granularity,
    group: &'static str,
    metric: &'static str,
) -> Column {
    let path = "locomo/locomo-dev.json";
    Column { title, path, benchmark: Benchmark::LoCoMo, granularity, group, metric }
}

const COLUMNS: [Column; 12] = [
    locomo("LoCoMo recall@10", Granularity::AsGiven, "answerable", "recall@10"),
    locomo("nDCG@10", Granularity::AsGiven, "answerable", "ndcg@10"),
    locomo("multi-hop", Granularity::AsGiven, "multi-hop", "recall@10"),
    locomo("session all@5", Granularity::Sessions, "answerable", "all@5"),
    locomo("session all@10", Granularity::Sessions, "answerable", "all@10"),
    column("REALTALK recall@10", "cases/realtalk-dev.jsonl", "answerable", "recall@10"),
    column("RealMem recall@10", "cases/realmem-dev.jsonl", "answerable", "recall@10"),
    column("BEAM recall@20", "cases/beam-dev.jsonl", "answerable", "recall@20"),
    column("BEAM current first", "cases/beam-dev.jsonl", "answerable", CURRENT_FIRST),
    column("MuSiQue recall@5", "cases/musique-dev.jsonl", "answerable", "recall@5"),
    column("MuSiQue all@5", "cases/musique-dev.jsonl", "answerable", "all@5"),
    column("own sample all@5", SAMPLE, "answerable", "all@5"),
];

fn main() -> anyhow::Result<()> {
    lorebase::process::keep_to_few_heaps();
    let args = Args::parse();
    let embedder = args.model.as_deref().map(Remembering::open).transpose()?;
    let mut data: Vec<(&'static str, Vec<Case>)> = Vec::new();
    for column in COLUMNS {
        if !data.iter().any(|(path, _)| *path == column.path) {
            data.push((column.path, load(&args.data, &column)?));
        }
    }
    let titles: Vec<&str> = std::iter::once("").chain(COLUMNS.iter().map(|column| column.title)).collect();
    table::head(&titles)?;
    let mut measured = Measured { data: &data, told: BTreeMap::new(), embedder: embedder.as_ref() };
    if let Some(directory) = &args.rerank {
        let model = CrossEncoder::open(directory, "reranker", None, Precision::Eight)?;
        return measured.line("everything, reranked", Ways::ALL, Some(Rerank::new(&model)));
    }
    measured.line("plain BM25", Ways::NONE, None)?;
    measured.line("everything", Ways::ALL, None)?;
    // What the order was learnt from is what is measured here, so the parts of the formula are measured without it.
    let formula = Ways::ALL.without(Way::Order);
    measured.line("without order", formula, None)?;
    for (way, name) in Way::ALL.into_iter().filter(|(way, _)| *way != Way::Order) {
        measured.line(&format!("without order and {name}"), formula.without(way), None)?;
    }
    Ok(())
}

fn load(folder: &Path, column: &Column) -> anyhow::Result<Vec<Case>> {
    if column.path == SAMPLE {
        return Ok(vec![sample::case()]);
    }
    Ok(column.benchmark.load(&folder.join(column.path))?)
}

/// What is measured, and with which model.
struct Measured<'m> {
    data: &'m [(&'static str, Vec<Case>)],
    /// A memory of each set, which is asked in every way.
    told: BTreeMap<&'static str, Told<'m>>,
    embedder: Option<&'m Arc<dyn Embedder>>,
}

impl<'m> Measured<'m> {
    fn line(&mut self, name: &str, ways: Ways, rerank: Option<Rerank<'_>>) -> anyhow::Result<()> {
        let mut cells = vec![name.to_owned()];
        // Columns of the same data ask the same questions.
        let mut last: Option<((&str, Granularity), Report)> = None;
        for column in &COLUMNS {
            let key = (column.path, column.granularity);
            let report = match last.take() {
                Some((same, report)) if same == key => report,
                _ => self.report(column, ways, rerank)?,
            };
            let group = report.scores.groups.get(column.group);
            let metrics = group.map(|group| group.metrics.named()).unwrap_or_default();
            let metric = metrics.iter().find(|(name, _)| name == column.metric).map(|(_, value)| *value);
            let updates = || group.and_then(|group| group.updates.share());
            let value = if column.metric == CURRENT_FIRST { updates() } else { metric };
            cells.push(format!("{:.1}", 100.0 * value.unwrap_or(f64::NAN)));
            last = Some((key, report));
        }
        Ok(table::row(&cells)?)
    }

    fn report(&mut self, column: &Column, ways: Ways, rerank: Option<Rerank<'_>>) -> anyhow::Result<Report> {
        let cases = self.data.iter().find(|(path, _)| *path == column.path);
        let options = Options {
            limit: 50,
            facts: FactSource::Own,
            ways,
            granularity: column.granularity,
            store: None,
            embedder: self.embedder,
            rerank,
        };
        let cases: &'m [Case] = cases.map(|(_, cases)| cases.as_slice()).unwrap_or_default();
        let told = match self.told.entry(column.path) {
            Entry::Occupied(told) => told.into_mut(),
            Entry::Vacant(place) => place.insert(Told::new(column.benchmark, cases, &options)?),
        };
        Ok(told.evaluate(&options, |_, _| ())?)
    }
}
