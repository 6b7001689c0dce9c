//! Expressions of time in English text, resolved against the civil time at which it was said.
//!
//! Nothing here reads the clock: without an anchor only expressions that name their own date are found. Other
//! languages, holidays and repeated times ("every Monday") are not read.

mod absolute;
mod calendar;
mod lex;
mod relative;

use jiff::civil::DateTime;

use crate::dates::calendar::Stretch;
use crate::dates::lex::{Term, Token};
use crate::model::episode::Span;
use crate::model::time::Interval;

/// How exactly an expression names its time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Granularity {
    /// A time of the clock.
    Minute,
    /// An hour or a part of a day.
    Hour,
    /// A day.
    Day,
    /// A week, a weekend, or a day given in weeks.
    Week,
    /// A month.
    Month,
    /// A season of three months.
    Season,
    /// A year, or several.
    Year,
}

/// A piece of text that names a time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TimeExpression {
    /// Where it stands, in characters.
    pub span: Span,
    /// What it means: half-open, civil time read as UTC.
    pub interval: Interval,
    /// How exactly it is meant.
    pub granularity: Granularity,
}

/// The expressions of time in `text`, in text order and without overlap. Relative ones ("last Friday"), and
/// those that leave their year open ("on 3 June"), are found only where an anchor is given.
pub fn find(text: &str, anchor: Option<DateTime>) -> Vec<TimeExpression> {
    if !lex::may_hold_time(text, anchor.is_some()) {
        return Vec::new();
    }
    let lower = text.to_ascii_lowercase();
    let tokens = lex::tokens(text, &lower);
    let scan = Scan { tokens: &tokens, anchor };
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

/// What was read at a place: a stretch of time, and the first token after it.
#[derive(Debug, Clone, Copy)]
struct Hit {
    next: usize,
    stretch: Stretch,
}

/// The tokens of one text and the time at which it was said.
#[derive(Clone, Copy)]
struct Scan<'s, 't> {
    tokens: &'s [Token<'t>],
    anchor: Option<DateTime>,
}

impl<'t> Scan<'_, 't> {
    fn term(&self, at: usize) -> Term {
        self.tokens.get(at).map_or(Term::End, |token| token.term)
    }

    fn word(&self, at: usize) -> &'t str {
        self.tokens.get(at).map_or("", |token| token.word)
    }

    /// The word before `at`, or nothing at the beginning.
    fn before(&self, at: usize) -> &'t str {
        at.checked_sub(1).map_or("", |before| self.word(before))
    }

    fn is(&self, at: usize, words: &[&str]) -> bool {
        words.contains(&self.word(at))
    }

    /// Whether the token stands against the one before it, without white space.
    fn touches(&self, at: usize) -> bool {
        self.tokens.get(at).is_some_and(|token| !token.spaced)
    }

    /// `at`, or the place after it where one of `words` stands there.
    fn skip(&self, at: usize, words: &[&str]) -> usize {
        at + usize::from(self.is(at, words))
    }

    /// A whole expression: a date, a time of the clock, or the two together in either order.
    fn expression(&self, at: usize) -> Option<Hit> {
        if self.term(at) == Term::Other && !relative::may_open(self.word(at)) {
            return None;
        }
        if let Some((clock, next)) = self.clock(at) {
            let date_at = self.skip(self.skip(next, &[","]), &["on"]);
            if let Some(date) = self.date(date_at).filter(|date| date.stretch.is_day()) {
                return Some(Hit { next: date.next, stretch: date.stretch.at_clock(clock)? });
            }
            let today = Stretch::day(self.anchor?.date())?;
            return Some(Hit { next, stretch: today.at_clock(clock)? });
        }
        let date = self.date(at)?;
        let clock_at = self.skip(self.skip(date.next, &[","]), &["at", "t"]);
        match self.clock(clock_at).filter(|_| date.stretch.is_day()) {
            Some((clock, next)) => Some(Hit { next, stretch: date.stretch.at_clock(clock)? }),
            None => Some(date),
        }
    }

    /// A date of any kind; also what "before" and "after" in "the week before 9 June" lead to.
    fn date(&self, at: usize) -> Option<Hit> {
        self.absolute(at).or_else(|| {
            let anchor = self.anchor?;
            self.relative(at, anchor)
        })
    }

    fn located(&self, at: usize, hit: Hit) -> Option<TimeExpression> {
        Some(TimeExpression {
            span: Span { start: self.tokens[at].start, end: self.tokens.get(hit.next.checked_sub(1)?)?.end },
            interval: hit.stretch.interval()?,
            granularity: hit.stretch.granularity,
        })
    }
}

#[cfg(test)]
mod tests;
