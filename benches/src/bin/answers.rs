//! What `scripts/answers/fit.py` learns from: of every question of evaluation sets, what could answer it and what speaks for
//! that. For each set NAME-dev it writes NAME.jsonl, a line a question, and NAME.bin, the features of all candidates as
//! 32-bit numbers, one candidate after another.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

use anyhow::Context;
use clap::Parser;
use lorebase::answer::Considered;
use lorebase::datasets::benchmark::Benchmark;
use lorebase::datasets::case::{Case, Question as Asked};
use lorebase::engine::model::id::Namespace;
use lorebase::memory::Memory;
use lorebase::query::question::Question;
use serde_json::json;

/// The sets, by benchmark and file in the directory of all sets.
const SETS: [(&str, Benchmark, &str); 3] = [
    ("locomo", Benchmark::LoCoMo, "locomo/locomo-dev.json"),
    ("realtalk", Benchmark::Cases, "cases/realtalk-dev.jsonl"),
    ("beam", Benchmark::Cases, "cases/beam-dev.jsonl"),
];

/// Writes what could answer the questions of evaluation sets, for scripts/answers/fit.py.
#[derive(Parser)]
struct Arguments {
    /// The directory of all sets.
    data: PathBuf,
    /// The directory to write into.
    out: PathBuf,
}

fn main() -> anyhow::Result<()> {
    let arguments = Arguments::parse();
    std::fs::create_dir_all(&arguments.out)?;
    for (name, benchmark, file) in SETS {
        let cases = benchmark.load(&arguments.data.join(file))?;
        write(name, &cases, &arguments.out).with_context(|| format!("cannot write {name}"))?;
    }
    Ok(())
}

fn write(name: &str, cases: &[Case], out: &Path) -> anyhow::Result<()> {
    let mut lines = BufWriter::new(File::create(out.join(format!("{name}.jsonl")))?);
    let mut features = BufWriter::new(File::create(out.join(format!("{name}.bin")))?);
    let directory = tempfile::tempdir()?;
    let (memory, _) = Memory::create(directory.path())?;
    for (number, case) in cases.iter().enumerate() {
        let namespace = Namespace::new(&format!("case-{number}"))?;
        memory.ingest(&namespace, case.transcript.clone(), |_| ())?;
        for asked in &case.questions {
            let considered = memory.consider(&namespace, &Question::new(&asked.text))?;
            for feature in considered.candidates.iter().flat_map(|candidate| candidate.features) {
                features.write_all(&feature.to_le_bytes())?;
            }
            let swapped = swapped(&memory, &namespace, &asked.text)?;
            writeln!(lines, "{}", line(case, asked, &considered, swapped.as_ref()))?;
        }
    }
    lines.flush()?;
    Ok(features.flush()?)
}

/// What could answer the question if it were about the other of two who speak.
fn swapped(memory: &Memory, namespace: &Namespace, question: &str) -> anyhow::Result<Option<Considered>> {
    let reader = memory.engine().reader(namespace)?;
    let first = |name: &str| name.split(' ').next().unwrap_or_default().to_owned();
    let names: Vec<String> = reader.state().speakers().iter().map(|name| first(name)).collect();
    let [one, other] = &names[..] else { return Ok(None) };
    let about = match (question.contains(one.as_str()), question.contains(other.as_str())) {
        (true, false) => question.replace(one.as_str(), other),
        (false, true) => question.replace(other.as_str(), one),
        _ => return Ok(None),
    };
    Ok(Some(memory.consider(namespace, &Question::new(&about))?))
}

fn line(
    case: &Case,
    asked: &Asked,
    considered: &Considered,
    swapped: Option<&Considered>,
) -> serde_json::Value {
    let asking = &considered.asking;
    json!({
        "case": case.name,
        "question": asked.text,
        "category": asked.category,
        "answer": asked.answer,
        "want": asking.want.as_str(),
        "noun": asking.noun,
        "several": asking.several,
        "candidates": considered.candidates.iter().map(|candidate| &candidate.text).collect::<Vec<_>>(),
        "signs": considered.signs.to_vec(),
        "swapped": swapped.map(|swapped| swapped.signs.to_vec()),
    })
}
