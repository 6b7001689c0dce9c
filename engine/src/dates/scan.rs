//! Goes through the tokens of a text and puts dates and times of the clock together. What a date is, is told in
//! `absolute` and `relative`.

use std::cell::OnceCell;

use jiff::civil::DateTime;

use crate::dates::calendar::Stretch;
use crate::dates::expression::TimeExpression;
use crate::dates::lex::{self, Term, Token};
use crate::model::episode::Span;

/// What was read at a place: a stretch of time, and the first token after it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Hit {
    pub(super) next: usize,
    pub(super) stretch: Stretch,
}

/// How often a date may be told by another: "the day before the week after 9 June" is told by two. What goes on and on
/// is no date, and a text can go on for millions of words.
const MOST_NESTED: u8 = 4;

/// The tokens of one text and the time at which it was said.
#[derive(Clone)]
pub(super) struct Scan<'s, 't> {
    pub(super) tokens: &'s [Token<'t>],
    pub(super) anchor: Option<DateTime>,
    /// How many dates are being read that are told by this one.
    nested: u8,
    /// Whether the text looks ahead, once somebody has asked.
    ahead: OnceCell<bool>,
}

impl<'s, 't> Scan<'s, 't> {
    pub(super) fn new(tokens: &'s [Token<'t>], anchor: Option<DateTime>) -> Self {
        Self { tokens, anchor, nested: 0, ahead: OnceCell::new() }
    }

    /// The date at `at` by which another one is told.
    pub(super) fn base(&self, at: usize) -> Option<Hit> {
        let nested = self.nested + 1;
        if nested > MOST_NESTED { None } else { Self { nested, ..self.clone() }.date(at) }
    }

    /// Whether the text tells of what is to come.
    pub(super) fn looks_ahead(&self) -> bool {
        const WORDS: &[&str] = &["will", "ll", "going", "planning", "until"];
        *self.ahead.get_or_init(|| (0..self.tokens.len()).any(|at| self.is(at, WORDS)))
    }

    pub(super) fn term(&self, at: usize) -> Term {
        self.tokens.get(at).map_or(Term::End, |token| token.term)
    }

    pub(super) fn word(&self, at: usize) -> &'t str {
        self.tokens.get(at).map_or("", |token| token.word)
    }

    /// The word before `at`, or nothing at the beginning.
    pub(super) fn before(&self, at: usize) -> &'t str {
        at.checked_sub(1).map_or("", |before| self.word(before))
    }

    pub(super) fn is(&self, at: usize, words: &[&str]) -> bool {
        words.contains(&self.word(at))
    }

    /// Whether the token stands against the one before it, without white space.
    pub(super) fn touches(&self, at: usize) -> bool {
        self.tokens.get(at).is_some_and(|token| !token.spaced)
    }

    /// `at`, or the place after it where one of `words` stands there.
    pub(super) fn skip(&self, at: usize, words: &[&str]) -> usize {
        at + usize::from(self.is(at, words))
    }

    /// A whole expression: a date, a time of the clock, or the two together in either order.
    pub(super) fn expression(&self, at: usize) -> Option<Hit> {
        if self.term(at) == Term::Other && !lex::may_open(self.word(at)) {
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

    /// A date of any kind.
    pub(super) fn date(&self, at: usize) -> Option<Hit> {
        self.absolute(at).or_else(|| {
            let anchor = self.anchor?;
            self.relative(at, anchor)
        })
    }

    pub(super) fn located(&self, at: usize, hit: Hit) -> Option<TimeExpression> {
        Some(TimeExpression {
            span: Span { start: self.tokens[at].start, end: self.tokens.get(hit.next.checked_sub(1)?)?.end },
            interval: hit.stretch.interval()?,
            granularity: hit.stretch.granularity,
        })
    }
}
