//! The benchmarks by name: which loader reads one. How it is scored stands in `score`.

use std::path::Path;

use crate::case::Case;
use crate::error::Error;
use crate::{cases, locomo, longmemeval};

/// A benchmark whose data can be loaded and whose runs can be scored.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Benchmark {
    /// LoCoMo; runs rank turns.
    LoCoMo,
    /// LongMemEval; runs rank sessions.
    LongMemEval,
    /// The neutral case format; runs rank turns.
    Cases,
}

impl Benchmark {
    /// The name by which users call it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::LoCoMo => "locomo",
            Self::LongMemEval => "longmemeval",
            Self::Cases => "cases",
        }
    }

    /// Reads the data at `path`.
    pub fn load(self, path: &Path) -> Result<Vec<Case>, Error> {
        match self {
            Self::LoCoMo => locomo::load(path),
            Self::LongMemEval => longmemeval::load(path),
            Self::Cases => cases::load(path),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;
    use std::path::PathBuf;

    use super::*;
    use crate::case::Unit;

    /// The file in the directory that `LOREBASE_DATA` names, by default beside the repository; `None`, and a word
    /// on it, where it is not there.
    fn data(file: &str) -> Option<PathBuf> {
        let beside = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/datasets");
        let directory = std::env::var_os("LOREBASE_DATA").map_or(beside, PathBuf::from);
        let path = directory.join(file);
        if path.exists() {
            return Some(path);
        }
        let told = writeln!(std::io::stderr(), "skipped: {} is not there", path.display());
        told.expect("standard error can be written to");
        None
    }

    /// Evidence that names no turn or session of its case.
    fn astray(cases: &[Case]) -> usize {
        let known = |case: &Case, unit: Unit, id: &str| {
            let mut sessions = case.transcript.sessions.iter();
            match unit {
                Unit::Turn => case.session_of_turns().contains_key(id),
                Unit::Session => sessions.any(|session| session.id.as_str() == id),
            }
        };
        let of = |case: &Case| {
            let questions = case.questions.iter();
            let evidence =
                questions.flat_map(|question| question.evidence.iter().map(|id| (question.unit, id)));
            evidence.filter(|(unit, id)| !known(case, *unit, id)).count()
        };
        cases.iter().map(of).sum()
    }

    #[test]
    fn locomo_is_read_whole() {
        let Some(path) = data("locomo/locomo-dev.json") else {
            return;
        };
        let cases = Benchmark::LoCoMo.load(&path).unwrap();
        let questions: usize = cases.iter().map(|case| case.questions.len()).sum();
        let turns: usize = cases.iter().map(|case| case.transcript.turn_count()).sum();
        assert_eq!((cases.len(), questions, turns, astray(&cases)), (5, 999, 2760, 0));
        assert!(cases.iter().flat_map(|case| &case.transcript.sessions).all(|session| session.at.is_some()));
    }

    #[test]
    fn longmemeval_is_read_whole() {
        let Some(path) = data("longmemeval/longmemeval-sample.json") else {
            return;
        };
        let cases = Benchmark::LongMemEval.load(&path).unwrap();
        assert_eq!((cases.len(), astray(&cases)), (6, 0));
        assert!(cases.iter().all(|case| case.questions[0].asked_at.is_some()));
    }

    #[test]
    fn case_files_are_read_whole() {
        let expected = [("realtalk", 3, 214), ("beam", 4, 80), ("realmem", 2, 286), ("musique", 1, 50)];
        for (name, count, asked) in expected {
            let Some(path) = data(&format!("cases/{name}-dev.jsonl")) else {
                continue;
            };
            let cases = Benchmark::Cases.load(&path).unwrap();
            let questions: usize = cases.iter().map(|case| case.questions.len()).sum();
            assert_eq!((cases.len(), questions, astray(&cases)), (count, asked, 0), "{name}");
        }
    }
}
