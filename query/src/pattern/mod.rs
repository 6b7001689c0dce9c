//! Patterns over entities and facts, in a subset of openCypher: `MATCH (a:Person)-[:works_at]->(o) RETURN a.name`. What
//! can be asked is in `docs/patterns.md`.

pub mod ast;
mod cell;
mod check;
mod condition;
mod filter;
mod parse;
mod plan;
mod problem;
#[cfg(test)]
mod random;
#[cfg(test)]
mod reference;
mod row;
mod search;
mod show;
mod sight;
mod table;
#[cfg(test)]
mod tests;
mod token;
mod words;

use std::ops::ControlFlow;
use std::str::FromStr;

use lorebase_engine::model::time::Moment;
use lorebase_engine::state::State;

use self::ast::Pattern;
use self::plan::Plan;
use self::row::View;
use self::search::{Search, Stop};
use self::sight::Sight;
use self::table::Gathering;

pub use self::cell::Cell;
pub use self::problem::InvalidPattern;
pub use self::table::Table;

/// The longest pattern, in bytes.
pub const PATTERN_MAX_BYTES: usize = 10_000;
/// The most nodes of a pattern, and the most hops.
pub const PARTS_MAX: usize = 32;
/// The most facts in a row that a hop goes over.
pub const LENGTH_MAX: u32 = 16;
/// In how many others a condition can stand.
pub const DEPTH_MAX: usize = 32;

impl FromStr for Pattern {
    type Err = InvalidPattern;

    fn from_str(text: &str) -> Result<Self, InvalidPattern> {
        parse::pattern(text).map_err(|problem| problem.of(text))
    }
}

impl Pattern {
    /// Whether it means something, as every pattern does that was read from a text.
    ///
    /// # Errors
    /// What is wrong first.
    pub fn check(&self) -> Result<(), InvalidPattern> {
        check::check(self).map_err(|problem| {
            let text = self.to_string();
            // Where it can be read, the place is known.
            text.parse::<Self>().err().unwrap_or_else(|| problem.of(&text))
        })
    }
}

/// How far a pattern is followed. Where there may be more, that is told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// The most rows of the answer.
    pub rows: usize,
    /// The most facts and nodes that are looked at.
    pub looked_at: usize,
}

impl Default for Limits {
    /// A thousand rows, and about a second of work.
    fn default() -> Self {
        Self { rows: 1000, looked_at: 5_000_000 }
    }
}

/// Everything that meets a pattern, as is seen from a moment.
///
/// # Errors
/// What is wrong with a pattern that was not read from a text.
pub fn matches(
    state: &State,
    pattern: &Pattern,
    moment: Moment,
    limits: Limits,
) -> Result<Table, InvalidPattern> {
    pattern.check()?;
    let plan = Plan::new(state, pattern);
    let sight = Sight::new(state, moment);
    let view = View { sight: &sight, facts: plan.hops.iter().map(|hop| hop.facts).collect() };
    let mut gathering = Gathering::new(pattern, &plan, limits.rows);
    let mut emit = |row: &row::Row<'_>| gathering.take(&view, row);
    let mut search = Search::new(&plan, &view, limits.looked_at, &mut emit);
    let cut = search.run() == ControlFlow::Break(Stop::Work);
    let looked_at = search.looked_at;
    Ok(gathering.table(cut, looked_at))
}
