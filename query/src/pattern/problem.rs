//! What is wrong with a pattern, and where.

use winnow::error::ParserError;
use winnow::stream::Location;

use super::token::Input;

/// A text that is no pattern, and why.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("at character {at}: {problem}")]
pub struct InvalidPattern {
    /// The text as given; of one that was put together in Rust, as it would be written.
    pub text: String,
    /// Which character of it, counted from 1.
    pub at: usize,
    /// What is wrong there, and what would be right.
    pub problem: String,
}

/// What is wrong at a place, in bytes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Problem {
    pub(super) at: usize,
    /// Empty where something else may stand there: it is not wrong yet.
    pub(super) problem: String,
}

impl Problem {
    pub(super) fn at(at: usize, problem: String) -> Self {
        Self { at, problem }
    }

    /// The same of this text.
    pub(super) fn of(self, text: &str) -> InvalidPattern {
        let at = text.get(..self.at).unwrap_or(text).chars().count() + 1;
        InvalidPattern { text: text.to_owned(), at, problem: self.problem }
    }
}

impl<'t> ParserError<Input<'t>> for Problem {
    type Inner = Self;

    fn from_input(input: &Input<'t>) -> Self {
        Self::at(input.current_token_start(), String::new())
    }

    fn is_backtrack(&self) -> bool {
        self.problem.is_empty()
    }

    fn into_inner(self) -> Result<Self, Self> {
        Ok(self)
    }
}
