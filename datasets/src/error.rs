//! Everything that can go wrong with evaluation sets and runs, told by who must act.

use std::path::PathBuf;

use lorebase_engine::error::{Error as EngineError, ErrorKind, IoError};

/// What went wrong with an evaluation set or a run.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The file could not be read.
    #[error(transparent)]
    Read(#[from] lorebase_extract::error::Error),
    /// A question of a category that the benchmark does not define.
    #[error("{}: question {question} of {sample} has category {category}; 1 to 5 are known", path.display())]
    UnknownCategory {
        /// The file.
        path: PathBuf,
        /// The sample's id.
        sample: String,
        /// The question's index in its sample, from 0.
        question: usize,
        /// The category as given.
        category: u64,
    },
    /// A question whose id does not fit the run's format.
    #[error("{}: question \"{question}\" of {case} has no index; LoCoMo runs need one", path.display())]
    NoIndex {
        /// The run.
        path: PathBuf,
        /// The case.
        case: String,
        /// The question.
        question: String,
    },
    /// A line that is not as its set describes it.
    #[error("{}, line {line}: {problem}", path.display())]
    Malformed {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: u64,
        /// What is wrong with it.
        problem: String,
    },
    /// A folder of the data holds no half of a set, or both.
    #[error("{}: one file {pattern} is needed, and there is none or more", folder.display())]
    NotOne {
        /// The folder.
        folder: PathBuf,
        /// How the file is called.
        pattern: String,
    },
    /// The extractor failed on a text, so that its set cannot be scored.
    #[error("the extractor failed on \"{item}\" of {set}: {problem}")]
    Extractor {
        /// The set.
        set: &'static str,
        /// The text's id there.
        item: String,
        /// What the extractor says.
        problem: String,
    },
    /// A memory that conversations were taken into failed.
    #[error(transparent)]
    Memory(#[from] EngineError),
    /// The operating system failed us.
    #[error(transparent)]
    Io(#[from] IoError),
}

impl Error {
    /// Who must act.
    pub fn kind(&self) -> ErrorKind {
        match self {
            Self::Read(error) => error.kind(),
            Self::UnknownCategory { .. }
            | Self::NoIndex { .. }
            | Self::Malformed { .. }
            | Self::NotOne { .. } => ErrorKind::Caller,
            Self::Extractor { .. } => ErrorKind::Operator,
            Self::Memory(error) => error.kind(),
            Self::Io(error) => error.kind_of_named_file(),
        }
    }
}
