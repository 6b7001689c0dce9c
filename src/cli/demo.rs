//! `lore demo`: the sample dialogues in a temporary store, and three questions of one, two and three hops.

use std::sync::Arc;

use lorebase::datasets::sample::{self, SampleQuestion};
use lorebase::engine::embed::Embedder;
use lorebase::engine::model::id::Namespace;
use lorebase::intake::Ingested;
use lorebase::memory::{Memory, Recalled};
use lorebase::query::question::Question;

use super::args::{Detail, Output};
use super::{Outcome, output, render};
use crate::wire;

/// Hits shown a question.
const SHOWN: usize = 5;

/// A question with what was found for it.
type Answered = (SampleQuestion, Recalled);

/// Ingests the samples and answers the questions.
pub(super) fn run(embedder: &Arc<dyn Embedder>, shown: Output) -> anyhow::Result<Outcome> {
    let (told, answers) = ask(embedder)?;
    match shown {
        Output::Json => output::write_json(&wire::demo(&told, &answers))?,
        Output::Text => output::write(&text(&told, &answers))?,
    }
    Ok(Outcome::Done)
}

fn ask(embedder: &Arc<dyn Embedder>) -> anyhow::Result<(Ingested, Vec<Answered>)> {
    let directory = tempfile::tempdir()?;
    let (memory, _) = Memory::create_with(directory.path(), Arc::clone(embedder))?;
    let namespace = Namespace::new("demo")?;
    let told = memory.ingest(&namespace, sample::transcript(), |_| ())?;
    memory.embed_pending(&namespace, |_| ())?;
    let mut answers = Vec::new();
    for asked in sample::demo_questions() {
        let question = Question { limit: SHOWN, ..Question::new(&asked.question.text) };
        let found = memory.recall(&namespace, &question)?;
        answers.push((asked, found));
    }
    Ok((told, answers))
}

fn text(told: &Ingested, answers: &[Answered]) -> String {
    let mut text = format!(
        "Ingested {} sessions, {} turns, {} facts of two families and a small company.\n\
         Below each question stand the turns that answer it best: [id] time speaker: text. A path tells how the graph\n\
         led to a turn, with the turn that each step rests on.\n",
        told.sessions, told.episodes, told.facts
    );
    for (asked, found) in answers {
        let hops = render::counted(asked.hops, "hop");
        text.extend([
            format!("\n{} ({hops})\n", asked.question.text),
            render::recall(found, Detail::Brief),
            verdict(asked, found),
        ]);
    }
    text
}

/// The answer that the samples give, and how many of the turns that it rests on were found.
fn verdict(asked: &SampleQuestion, found: &Recalled) -> String {
    let evidence = &asked.question.evidence;
    let shown = |id: &&String| found.hits.iter().any(|hit| hit.episode.source_id.as_ref() == Some(id));
    let hits = evidence.iter().filter(shown).count();
    let answer = asked.question.answer.as_deref().unwrap_or_default();
    let turns = evidence.join("], [");
    format!("  => Expected: {answer}, said in [{turns}]; {hits} of {} found.\n", evidence.len())
}
