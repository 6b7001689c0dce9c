//! Other graph libraries on the same graph and the same questions: what they are given, and what they say.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;
use std::process::Command;

use anyhow::{Context, ensure};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{Graph, relations};

/// The script that asks them, from the root of the workspace.
const SCRIPT: &str = "scripts/graph-peers.py";

/// Questions of one kind: where each begins, and what was found, by the numbers of the graph.
#[derive(Debug, Default, Clone, Serialize)]
pub struct Questions {
    /// Where walks begin.
    pub seeds: Vec<usize>,
    /// What was found from each.
    pub found: Vec<Vec<usize>>,
    /// How many steps they have, at most.
    pub hops: usize,
    /// How many results are given, at most.
    pub limit: usize,
    /// The relations that they go over; all where there are none.
    pub relations: Vec<&'static str>,
    /// The one relation of a pattern.
    pub relation: &'static str,
}

/// The probabilities of the ranking: from, to, how likely.
pub type Shares = Vec<(u32, u32, f32)>;

/// What a peer said to questions of one kind.
#[derive(Debug, Deserialize)]
pub struct Answer {
    /// Who, with its version.
    pub peer: String,
    /// Which kind of questions.
    pub question: String,
    /// The median, in milliseconds.
    pub p50: f64,
    /// How many answers were others than ours; of a ranking, how much of the exact one ours has.
    pub differ: Value,
}

/// Writes the graph and the questions into a folder.
///
/// # Errors
/// Where that cannot be written.
pub fn write(
    folder: &Path,
    graph: &Graph,
    (questions, repeats): (&BTreeMap<&str, &Questions>, usize),
    shares: &Shares,
) -> anyhow::Result<()> {
    for (number, name) in relations().enumerate() {
        let mut file = BufWriter::new(File::create(folder.join(format!("{name}.csv")))?);
        for edge in graph.edges.iter().filter(|edge| edge.relation == number) {
            writeln!(file, "{},{}", edge.from, edge.to)?;
        }
        file.flush()?;
    }
    let mut file = BufWriter::new(File::create(folder.join("shares.bin"))?);
    shares.iter().try_for_each(|(from, ..)| file.write_all(&from.to_le_bytes()))?;
    shares.iter().try_for_each(|(_, to, _)| file.write_all(&to.to_le_bytes()))?;
    shares.iter().try_for_each(|(.., share)| file.write_all(&share.to_le_bytes()))?;
    file.flush()?;
    let mut all = serde_json::json!(questions);
    all["relations"] = relations().collect();
    all["entities"] = graph.entities.into();
    all["repeats"] = repeats.into();
    all["shares"] = shares.len().into();
    Ok(std::fs::write(folder.join("questions.json"), all.to_string())?)
}

/// Asks the peers that the interpreter has.
///
/// # Errors
/// Where the script does not run.
pub fn ask(python: &Path, folder: &Path) -> anyhow::Result<Vec<Answer>> {
    let output = Command::new(python).arg(SCRIPT).arg(folder).output().context("it does not start")?;
    ensure!(output.status.success(), "{SCRIPT}: {}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8(output.stdout)?;
    text.lines().map(|line| Ok(serde_json::from_str(line)?)).collect()
}
