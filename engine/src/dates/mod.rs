//! Expressions of time in English text, resolved against the civil time at which it was said.
//!
//! Nothing here reads the clock: without an anchor only expressions that name their own date are found. Other
//! languages, holidays and repeated times ("every Monday") are not read.

mod absolute;
mod calendar;
mod expression;
mod lex;
mod relative;
mod scan;

use jiff::civil::DateTime;

use crate::dates::scan::Scan;

pub use crate::dates::expression::{Granularity, TimeExpression};

/// The expressions of time in `text`, in text order and without overlap. Relative ones ("last Friday"), and
/// those that leave their year open ("on 3 June"), are found only where an anchor is given.
pub fn find(text: &str, anchor: Option<DateTime>) -> Vec<TimeExpression> {
    if !lex::may_hold_time(text, anchor.is_some()) {
        return Vec::new();
    }
    let lower = text.to_ascii_lowercase();
    let tokens = lex::tokens(text, &lower);
    let scan = Scan::new(&tokens, anchor);
    let mut found = Vec::new();
    let mut at = 0;
    while at < tokens.len() {
        let hit = scan.expression(at);
        if let Some(expression) = hit.and_then(|hit| scan.located(at, hit)) {
            found.push(expression);
        }
        at = hit.map_or(at + 1, |hit| hit.next.max(at + 1));
    }
    found
}

#[cfg(test)]
mod tests;
