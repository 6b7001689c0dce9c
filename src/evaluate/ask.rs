//! Asks the questions of a benchmark for short answers, and holds these against what is expected.

use std::time::{Duration, Instant};

use lorebase_datasets::answers::{AnswerScores, ShortAnswer};
use lorebase_datasets::benchmark::Benchmark;
use lorebase_datasets::case::Case;
use lorebase_query::question::Question;

use super::{Options, case_namespace, ingest_case, memory_for, session_before};
use crate::error::Error;

/// What the answers came to.
#[derive(Debug, Clone, Default)]
pub struct AskReport {
    /// Every answer, in the order of the questions.
    pub answers: Vec<ShortAnswer>,
    /// Their scores.
    pub scores: AnswerScores,
    /// How long each took, ascending.
    pub took: Vec<Duration>,
}

/// Ingests every case and asks every question for a short answer. `progress` is told how many are answered.
///
/// # Errors
/// As [`super::evaluate`].
pub fn ask(
    benchmark: Benchmark,
    cases: &[Case],
    options: &Options<'_>,
    mut progress: impl FnMut(usize),
) -> Result<AskReport, Error> {
    let temporary = tempfile::tempdir().map_err(|source| Error::Temporary { source })?;
    let memory = memory_for(benchmark, cases, options, temporary.path())?;
    let mut report = AskReport::default();
    for case in cases {
        let namespace = case_namespace(benchmark, case)?;
        ingest_case(&memory, &namespace, case, options.facts)?;
        for asked in &case.questions {
            let question = Question {
                before_session: session_before(&memory, &namespace, case, asked)?,
                ways: options.ways,
                rerank: options.rerank,
                ..Question::new(&asked.text)
            };
            let start = Instant::now();
            let answer = memory.ask(&namespace, &question)?;
            report.took.push(start.elapsed());
            let given = ShortAnswer {
                case: case.name.clone(),
                question: asked.id.clone(),
                answer: answer.text,
                confidence: answer.confidence,
            };
            report.scores.add(asked, &given, benchmark == Benchmark::LoCoMo);
            report.answers.push(given);
            progress(report.answers.len());
        }
    }
    report.took.sort_unstable();
    Ok(report)
}
