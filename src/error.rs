//! Everything that can go wrong behind the facade, told by who must act.

use std::path::PathBuf;

use lorebase_engine::error::IoError;
use lorebase_query::rerank::{self, Failed};

pub use lorebase_engine::error::ErrorKind;

/// What went wrong.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// In the store, the graph or an index.
    #[error(transparent)]
    Engine(#[from] lorebase_engine::error::Error),
    /// In a transcript.
    #[error(transparent)]
    Extract(#[from] lorebase_extract::error::Error),
    /// In an evaluation set.
    #[error(transparent)]
    Datasets(#[from] lorebase_datasets::error::Error),
    /// An argument of a call that cannot be used.
    #[error("{argument} {problem}")]
    Argument {
        /// Which argument.
        argument: &'static str,
        /// What is wrong with it, and what to give instead.
        problem: String,
    },
    /// A model that cannot be used.
    #[error("cannot use the model in {place}: {problem}")]
    Model {
        /// Where it lies.
        place: String,
        /// What is wrong with it, and what to do.
        problem: String,
    },
    /// A model failed that was to look at hits again.
    #[error(transparent)]
    Reranker(#[from] Failed),
    /// A file that could not be downloaded.
    #[error("cannot download {url}: {problem}")]
    Download {
        /// Its address.
        url: String,
        /// What was in the way, and what to do.
        problem: String,
    },
    /// An endpoint that makes no vectors now.
    #[error("{problem}; try again when it is there")]
    Endpoint {
        /// Which one, and what was in the way.
        problem: String,
    },
    /// Another process adds or removes a model.
    #[error("another process adds or removes a model in {}; wait until it is done and try again", directory.display())]
    ModelsBusy {
        /// Where the models lie.
        directory: PathBuf,
    },
    /// A file of a model, or beside it, with which the system would not do what was asked.
    #[error(transparent)]
    Io(#[from] IoError),
    /// The thread that embeds could not be started.
    #[error("cannot start the thread that makes vectors")]
    Thread {
        /// What the system said.
        source: std::io::Error,
    },
    /// A temporary directory could not be made.
    #[error("cannot make a temporary store")]
    Temporary {
        /// What the system said.
        source: std::io::Error,
    },
}

impl From<rerank::Error> for Error {
    fn from(error: rerank::Error) -> Self {
        match error {
            rerank::Error::Engine(error) => error.into(),
            rerank::Error::Model(error) => error.into(),
        }
    }
}

impl Error {
    /// Who must act.
    pub fn kind(&self) -> ErrorKind {
        match self {
            Self::Engine(error) => error.kind(),
            Self::Extract(error) => error.kind(),
            Self::Datasets(error) => error.kind(),
            Self::Argument { .. } | Self::Model { .. } | Self::Reranker(_) => ErrorKind::Caller,
            Self::Io(error) => error.kind_of_named_file(),
            Self::Download { .. }
            | Self::Endpoint { .. }
            | Self::ModelsBusy { .. }
            | Self::Thread { .. }
            | Self::Temporary { .. } => ErrorKind::Operator,
        }
    }
}
