//! What can be typed of benchmarks.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use lorebase::datasets::extraction::Part;
use lorebase::evaluate::FactSource;
use lorebase::query::ways::Way;

/// Where options stand that only sets take in which a memory is asked for turns.
const RECALL: &str = "Of locomo, longmemeval and cases";

#[derive(Debug, Args)]
pub(crate) struct BenchArgs {
    /// Which benchmark the file belongs to.
    pub(crate) benchmark: BenchmarkName,
    /// The data, in the benchmark's own format; of extract, the directory of all its sets. [default of
    /// extract: what `LOREBASE_DATA` says, or ../shared/datasets]
    pub(crate) file: Option<PathBuf>,
    /// Which sets of extract to measure on.
    #[arg(long, help_heading = "Of extract", value_name = "SET,…", value_delimiter = ',', help = help_on_sets())]
    pub(crate) sets: Vec<String>,
    /// Write the run here, one line a question. Not of extract.
    #[arg(long, value_name = "RUN.jsonl")]
    pub(crate) out: Option<PathBuf>,
    /// How many ids a question's ranking has at most.
    #[arg(long, help_heading = RECALL, default_value_t = 50)]
    pub(crate) limit: usize,
    /// Which facts the memory has: `own` as it reads them, `given` as the file brings them, or `both`.
    #[arg(long, help_heading = RECALL, default_value = "own", value_parser = parse_source)]
    pub(crate) facts: FactSource,
    /// Score sessions instead of turns (LoCoMo).
    #[arg(long, help_heading = RECALL)]
    pub(crate) session: bool,
    /// Let a cross-encoder look at the first 40 hits again, however long it takes: a model of `lore model
    /// list`, or without a name the only one of its kind there.
    #[arg(long, help_heading = RECALL, value_name = "MODEL", num_args = 0..=1, require_equals = true, default_missing_value = "")]
    pub(crate) rerank: Option<String>,
    /// Ask for short answers, and score these in place of what was found: the token F1, and how often questions are
    /// declined. The run is then a line {"answer", "declined"} a question. Of locomo and cases.
    #[arg(long, help_heading = RECALL, conflicts_with = "session")]
    pub(crate) ask: bool,
    /// Parts of recall to leave out.
    #[arg(long, help_heading = RECALL, value_name = "PART,…", value_delimiter = ',', help = help_on_parts())]
    pub(crate) without: Vec<String>,
}

/// The benchmarks that can be named.
#[derive(Debug, Clone, Copy, ValueEnum)]
pub(crate) enum BenchmarkName {
    /// LoCoMo, official JSON.
    Locomo,
    /// LongMemEval, official JSON.
    Longmemeval,
    /// The neutral case format, JSONL.
    Cases,
    /// Entities, memories, open triples, pronouns, observations and speed: how well texts are read.
    Extract,
    /// Our own small histories of what changes, ends, was wrong and is forgotten. They need no file.
    Truth,
    /// Our own generated worlds, and questions whose answer takes two to four facts. They need no file.
    Hops,
}

fn help_on_sets() -> String {
    let sets = Part::ALL.map(|(_, name)| name).join(", ");
    format!("The sets of extract to measure on: {sets} [default: all]")
}

fn help_on_parts() -> String {
    let parts = Way::ALL.map(|(_, name)| name).join(", ");
    format!("Leave parts of recall out: {parts}, or all for plain BM25")
}

fn parse_source(text: &str) -> Result<FactSource, String> {
    let found = FactSource::ALL.iter().find(|(_, name)| *name == text);
    found.map(|(source, _)| *source).ok_or_else(|| "use own, given or both".to_owned())
}

impl BenchArgs {
    /// The parts to leave out.
    pub(crate) fn parts_left_out(&self) -> anyhow::Result<Vec<Way>> {
        if self.without.iter().any(|name| name == "all") {
            return Ok(Way::ALL.map(|(way, _)| way).to_vec());
        }
        Ok(self.without.iter().map(|name| name.trim().parse()).collect::<Result<_, _>>()?)
    }
}
