//! A run: what was found for each question, and its file. Whether it was right is told by `score`.

use std::collections::HashMap;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;

use lorebase_engine::error::IoError;
use serde::Serialize;

use crate::benchmark::Benchmark;
use crate::error::Error;

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

#[derive(Serialize)]
struct LoCoMoLine {
    sample_id: String,
    qa_index: u64,
    ranked: Vec<String>,
}

#[derive(Serialize)]
struct LongMemEvalLine {
    question_id: String,
    ranked: Vec<String>,
}

#[derive(Serialize)]
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

    /// Writes the run in the format of its benchmark, one line a question.
    pub fn write(&self, path: &Path, benchmark: Benchmark) -> Result<(), Error> {
        let mut file = BufWriter::new(File::create(path).map_err(IoError::of("create", path))?);
        for answer in &self.answers {
            let line = line(path, answer, benchmark)?;
            writeln!(file, "{line}").map_err(IoError::of("write", path))?;
        }
        Ok(file.flush().map_err(IoError::of("write", path))?)
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
    use lorebase_engine::error::ErrorKind;

    use super::*;

    fn answer(case: &str, question: &str) -> RunAnswer {
        RunAnswer {
            case: case.to_owned(),
            question: question.to_owned(),
            ranked: vec!["D1:2".to_owned(), "D1:1".to_owned()],
        }
    }

    #[test]
    fn each_benchmark_has_lines_of_its_own() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("run.jsonl");
        let ranked = r#""ranked":["D1:2","D1:1"]"#;
        for (benchmark, keys) in [
            (Benchmark::LoCoMo, r#""sample_id":"7","qa_index":7"#),
            (Benchmark::LongMemEval, r#""question_id":"7""#),
            (Benchmark::Cases, r#""case":"7","question":"7""#),
        ] {
            let mut run = Run::default();
            assert!(run.insert(answer("7", "7")) && !run.insert(answer("7", "7")));
            run.write(&path, benchmark).unwrap();
            assert_eq!(std::fs::read_to_string(&path).unwrap(), format!("{{{keys},{ranked}}}\n"));
        }
    }

    #[test]
    fn a_missing_index_and_a_bad_path_are_named() {
        let directory = tempfile::tempdir().unwrap();
        let mut run = Run::default();
        run.insert(answer("a", "q"));
        let path = directory.path().join("run.jsonl");
        assert!(matches!(run.write(&path, Benchmark::LoCoMo), Err(Error::NoIndex { .. })));
        let error = run.write(&directory.path().join("none/run.jsonl"), Benchmark::Cases).unwrap_err();
        assert!(error.to_string().starts_with("cannot create"), "{error}");
        assert_eq!(error.kind(), ErrorKind::Caller);
    }
}
