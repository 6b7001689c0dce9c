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
