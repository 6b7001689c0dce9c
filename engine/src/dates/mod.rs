//! Expressions of time in text, resolved against the civil time at which it was said: dates, times of the clock, ranges,
//! how long and how often, in thirteen languages.
//!
//! Nothing here reads the clock: without an anchor only expressions that name their own date are found. The rules are
//! the same for all languages; what each calls things stands in `tables`, and how it orders them in `language`.

mod absolute;
mod calendar;
mod clock;
mod counted;
mod expression;
mod joined;
mod language;
mod lex;
mod lexicon;
mod number;
mod relative;
mod repeated;
mod scan;
mod term;
mod within;
mod years;

use jiff::civil::DateTime;

use crate::dates::calendar::Stretch;
use crate::dates::scan::{Hit, Open, Scan};
use crate::dates::term::{Term, Token};
use crate::model::episode::Span;
use crate::model::time::{Interval, Timestamp};

pub use crate::dates::expression::{
    Found, Granularity, Meaning, PartOfDay, Period, Repetition, TimeExpression,
};
pub use crate::dates::language::Language;

/// The names of the months in English, January first.
pub const MONTHS: [&str; 12] = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];

/// The times in `text` for which something can be looked up, as they are meant in conversation, in text order and
/// without overlap. Relative ones ("last Friday"), and those that leave their year open ("on 3 June"), are found only
/// where an anchor is given.
pub fn find(text: &str, anchor: Option<DateTime>) -> Vec<TimeExpression> {
    let meant = |found: Found| match found.meaning {
        Meaning::Time { meant, .. } => meant,
        Meaning::Duration { .. } | Meaning::Repetition(_) => None,
    };
    read(text, anchor, None).into_iter().filter_map(meant).collect()
}

/// Everything that tells of time in `text`, in text order and without overlap, in the language given or the one that
/// its letters and common words tell.
pub fn read(text: &str, anchor: Option<DateTime>, language: Option<Language>) -> Vec<Found> {
    let glance = language::glance(text, language);
    if !glance.may_hold_time {
        return Vec::new();
    }
    let anchor = anchor.and_then(|anchor| anchor.with().subsec_nanosecond(0).build().ok());
    let tokens = lex::tokens(text, glance.language);
    let scan = Scan::new(&tokens, anchor, glance.language);
    let mut found = Vec::new();
    let (mut at, mut end_of_run) = (0, 0);
    while at < tokens.len() {
        if at >= end_of_run {
            // No expression goes over an unknown word, so a run of words without a heart is passed over as a whole.
            let run = tokens[at..].iter().take_while(|token| token.term != Term::Other).count();
            end_of_run = at + run.max(1);
            if !tokens[at..end_of_run].iter().any(|token| token.term.is_solid()) {
                at = end_of_run;
                continue;
            }
        }
        at = match scan.expression(at) {
            Some((expression, next)) => {
                found.extend(expression);
                next.max(at + 1)
            }
            None => at + 1,
        };
    }
    found
}

/// The language that a text is likely in, of those whose expressions of time are read; English where nothing tells of
/// another.
pub fn language_of(text: &str) -> Language {
    language::glance(text, None).language
}

impl Scan<'_> {
    /// What is told at `at`, if it can be written down, and the first token after it.
    fn expression(&self, at: usize) -> Option<(Option<Found>, usize)> {
        match self.term(at) {
            Term::Other
            | Term::Sign
            | Term::Dot
            | Term::Comma
            | Term::Colon
            | Term::Slash
            | Term::Open
            | Term::Dash => {
                return None;
            }
            Term::Nothing => return Some((None, at + 1)),
            Term::Number(..) if self.ends_decimal(at) => return None,
            _ => {}
        }
        let time = self.time(at);
        let amount = self.amount(at).filter(|amount| amount.seconds > 0.0);
        let repetition = self.repetition(at);
        let (time_end, amount_end, repetition_end) = (
            time.map_or(0, |hit| hit.next),
            amount.map_or(0, |amount| amount.next),
            repetition.map_or(0, |(_, next)| next),
        );
        if let Some((repetition, next)) = repetition.filter(|_| repetition_end >= time_end.max(amount_end)) {
            let meaning = Meaning::Repetition(repetition);
            return Some((self.span(at, next).map(|span| Found { span, meaning }), next));
        }
        if let Some(hit) = time.filter(|_| time_end >= amount_end) {
            return Some((self.located(&hit), hit.next));
        }
        let amount = amount?;
        let meaning = Meaning::Duration { seconds: amount.seconds };
        Some((self.span(at, amount.next).map(|span| Found { span, meaning }), amount.next))
    }

    /// Whether the number at `at` is what stands behind a decimal sign.
    fn ends_decimal(&self, at: usize) -> bool {
        let sign = at.wrapping_sub(1);
        self.is(sign, &[Term::Dot, Term::Comma])
            && self.touches(at)
            && self.touches(sign)
            && matches!(self.before(sign), Term::Number(..))
    }

    fn span(&self, first: usize, next: usize) -> Option<Span> {
        let token = |at: usize| -> Option<&Token> { self.tokens.get(at) };
        Some(Span { start: token(first)?.start, end: token(next.checked_sub(1)?)?.end })
    }

    fn located(&self, hit: &Hit) -> Option<Found> {
        let meant = hit.meant.and_then(|meant| {
            Some(TimeExpression {
                span: self.span(meant.first, meant.next)?,
                interval: meant.stretch.interval()?,
                granularity: meant.stretch.granularity,
            })
        });
        if hit.open == Open::No && hit.exact.from >= hit.exact.to {
            return None;
        }
        let meant = meant.filter(|meant| meant.interval.from < meant.interval.to);
        let exact = opened(&hit.exact, hit.open)?;
        let meaning = Meaning::Time { exact, meant, granularity: hit.exact.granularity };
        Some(Found { span: self.span(hit.first, hit.next)?, meaning })
    }
}

/// The interval of a stretch, of which one end may be open.
fn opened(stretch: &Stretch, open: Open) -> Option<Interval> {
    let end = |time| Timestamp::from_civil(time).ok();
    Some(match open {
        Open::No => stretch.interval()?,
        Open::From => Interval { from: None, to: Some(end(stretch.to)?) },
        Open::To => Interval { from: Some(end(stretch.from)?), to: None },
    })
}

#[cfg(test)]
mod tests;
