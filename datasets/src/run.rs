//! A run: what was found for each question, and its file. Whether it was right is told by `score`.

use std::collections::HashMap;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::benchmark::Benchmark;
use crate::error::Error;
use crate::files::read_json_lines;

/// Ranked ids for each question, best first, in the order in which the questions were answered.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Run {
    answers: Vec<RunAnswer>,
    place: HashMap<(String, String), usize>,
}

/// What was found for one question.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RunAnswer {
    /// The case's name.
    pub case: String,
    /// The question's id.
    pub question: String,
    /// Ids of turns, for LongMemEval of sessions; best first.
    pub ranked: Vec<String>,
}

#[derive(Serialize, Deserialize)]
struct LoCoMoLine {
    sample_id: String,
    qa_index: u64,
    ranked: Vec<String>,
}

#[derive(Serialize, Deserialize)]
struct LongMemEvalLine {
    question_id: String,
    ranked: Vec<String>,
}

#[derive(Serialize, Deserialize)]
struct CasesLine {
    case: String,
    question: String,
    ranked: Vec<String>,
}

impl Run {
    /// Adds what was found for a question; false, and nothing changed, where the question was answered before.
    pub fn insert(&mut self, answer: RunAnswer) -> bool {
        let key = (answer.case.clone(), answer.question.clone());
        if self.place.contains_key(&key) {
            return false;
        }
        self.place.insert(key, self.answers.len());
        self.answers.push(answer);
        true
    }

    /// What was found for a question, or `None` where it was not answered.
    pub fn get(&self, case: &str, question: &str) -> Option<&[String]> {
        let key = (case.to_owned(), question.to_owned());
        let index = *self.place.get(&key)?;
        Some(&self.answers[index].ranked)
    }

    /// All answers.
    pub fn answers(&self) -> &[RunAnswer] {
        &self.answers
    }

    /// Reads a run in the format of its benchmark.
    pub fn read(path: &Path, benchmark: Benchmark) -> Result<Self, Error> {
        let mut run = Self::default();
        match benchmark {
            Benchmark::LoCoMo => read_json_lines(path, |line, raw: LoCoMoLine| {
                run.take(path, line, (raw.sample_id, raw.qa_index.to_string()), raw.ranked)
            })?,
            Benchmark::LongMemEval => read_json_lines(path, |line, raw: LongMemEvalLine| {
                run.take(path, line, (raw.question_id.clone(), raw.question_id), raw.ranked)
            })?,
            Benchmark::Cases => read_json_lines(path, |line, raw: CasesLine| {
                run.take(path, line, (raw.case, raw.question), raw.ranked)
            })?,
        }
        Ok(run)
    }

    fn take(
        &mut self,
        path: &Path,
        line: u64,
        key: (String, String),
        ranked: Vec<String>,
    ) -> Result<(), Error> {
        let (case, question) = key;
        let repeated = Error::Repeated {
            path: path.to_path_buf(),
            line,
            case: case.clone(),
            question: question.clone(),
        };
        let answer = RunAnswer { case, question, ranked };
        self.insert(answer).then_some(()).ok_or(repeated)
    }

    /// Writes the run in the format of its benchmark, one line a question.
    pub fn write(&self, path: &Path, benchmark: Benchmark) -> Result<(), Error> {
        let io = |action| move |source| Error::Io { action, path: path.to_path_buf(), source };
        let mut file = BufWriter::new(File::create(path).map_err(io("create"))?);
        for answer in &self.answers {
            let line = line(path, answer, benchmark)?;
            writeln!(file, "{line}").map_err(io("write"))?;
        }
        file.flush().map_err(io("write"))
    }
}

fn line(path: &Path, answer: &RunAnswer, benchmark: Benchmark) -> Result<String, Error> {
    let RunAnswer { case, question, ranked } = answer.clone();
    let written = match benchmark {
        Benchmark::LoCoMo => {
            let Ok(qa_index) = question.parse() else {
                let path = path.to_path_buf();
                return Err(Error::NoIndex { path, case, question });
            };
            serde_json::to_string(&LoCoMoLine { sample_id: case, qa_index, ranked })
        }
        Benchmark::LongMemEval => serde_json::to_string(&LongMemEvalLine { question_id: question, ranked }),
        Benchmark::Cases => serde_json::to_string(&CasesLine { case, question, ranked }),
    };
    Ok(written.expect("a struct of strings and a number is written to memory"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answer(case: &str, question: &str) -> RunAnswer {
        RunAnswer {
            case: case.to_owned(),
            question: question.to_owned(),
            ranked: vec!["D1:2".to_owned(), "D1:1".to_owned()],
        }
    }

    #[test]
    fn runs_round_trip_in_each_format() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("run.jsonl");
        for benchmark in [Benchmark::LoCoMo, Benchmark::LongMemEval, Benchmark::Cases] {
            let mut run = Run::default();
            assert!(run.insert(answer("7", "7")) && !run.insert(answer("7", "7")));
            run.write(&path, benchmark).unwrap();
            assert_eq!(Run::read(&path, benchmark).unwrap(), run);
        }
    }

    #[test]
    fn a_repeated_question_and_a_missing_index_are_named() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("run.jsonl");
        let line = "{\"case\": \"a\", \"question\": \"q\", \"ranked\": []}\n";
        std::fs::write(&path, format!("{line}\n{line}")).unwrap();
        let error = Run::read(&path, Benchmark::Cases).unwrap_err().to_string();
        assert!(error.contains("run.jsonl:3: question q of a stands twice"), "{error}");
        let mut run = Run::default();
        run.insert(answer("a", "q"));
        assert!(matches!(run.write(&path, Benchmark::LoCoMo), Err(Error::NoIndex { .. })));
    }
}
