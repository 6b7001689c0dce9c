//! When a claim holds: the times that stand in its clause, and what its tense and words such as "until" make of them.

use lorebase_engine::dates::{Granularity, TimeExpression};
use lorebase_engine::model::episode::Span;
use lorebase_engine::model::fact::FactKind;
use lorebase_engine::model::time::{Interval, Timestamp};

use crate::rules::clause::Clause;
use crate::rules::group::Mood;

/// What may stand between two times of one claim: "from 2010 to 2012, and again from 2016 to 2018".
const BETWEEN: &[&str] =
    &[",", "and", "again", "then", "from", "in", "between", "also", "later", "once", "&", "during"];

/// A time that is told, and how exactly.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct When {
    pub(super) interval: Interval,
    pub(super) granularity: Granularity,
    /// Where it is told.
    pub(super) span: Span,
}

impl Clause<'_, '_, '_> {
    /// When a claim of this kind holds, as far as the clause tells. A state in the present holds from there on.
    pub(super) fn valid(&self, kind: FactKind) -> Option<When> {
        let told = self.when()?;
        let holds = match (kind, self.group.mood) {
            (FactKind::Event | FactKind::Plan, _) | (FactKind::Fact, Mood::Past) => told.interval,
            (FactKind::Fact, Mood::Perfect) => Interval { to: None, ..told.interval },
            (FactKind::Fact, Mood::UsedTo) if told.interval.to.is_some() => told.interval,
            _ => return None,
        };
        Some(When { interval: holds, ..told })
    }

    /// Whether it tells of a state when it was over: "lived there until 2015", "worked there in 2019".
    pub(super) fn tells_end(&self) -> bool {
        let past = matches!(self.group.mood, Mood::Past | Mood::UsedTo);
        past && self.when().is_some_and(|told| told.interval.to.is_some())
    }

    /// The time that is told: the first from the clause on, else the last one before it in the sentence.
    pub(super) fn when(&self) -> Option<When> {
        let from = self.reading.tokens[self.first].chars.0;
        let times = self.times();
        let after = times.iter().find(|time| time.span.start >= from);
        after.or(times.last()).map(|time| self.meant(time))
    }

    /// The times that are told of the same claim behind the first.
    pub(super) fn further(&self) -> Vec<When> {
        let from = self.reading.tokens[self.first].chars.0;
        let mut rest = self.times().iter().skip_while(|time| time.span.start < from);
        let Some(mut last) = rest.next() else { return Vec::new() };
        let mut found = Vec::new();
        for time in rest {
            let between = self
                .reading
                .tokens
                .iter()
                .filter(|token| token.chars.0 >= last.span.end && token.chars.1 <= time.span.start);
            if !between.into_iter().all(|token| BETWEEN.contains(&token.word)) {
                break;
            }
            found.push(self.meant(time));
            last = time;
        }
        found
    }

    /// The expressions of time in the sentence.
    fn times(&self) -> &[TimeExpression] {
        let tokens = self.reading.tokens;
        let (start, end) = (tokens[self.bounds.0].chars.0, tokens[self.bounds.1 - 1].chars.1);
        let times = self.reading.times_from(start);
        let first = times.partition_point(|time| time.span.start < start);
        let last = times.partition_point(|time| time.span.end <= end);
        &times[first.min(last)..last]
    }

    /// What a time means for this clause: what is over was before it was said, "until" tells an end alone, "since" a
    /// beginning.
    fn meant(&self, time: &TimeExpression) -> When {
        let mut interval = time.interval;
        let past = matches!(self.group.mood, Mood::Past | Mood::Perfect | Mood::UsedTo);
        let ahead = |said: Timestamp| interval.from.is_some_and(|from| from > said);
        if past && self.reading.said.is_some_and(ahead) && !self.names_year(time) {
            interval = Interval { from: interval.from.map(year_before), to: interval.to.map(year_before) };
        }
        let before = self.reading.tokens.partition_point(|token| token.chars.1 <= time.span.start);
        interval = match before.checked_sub(1).map_or("", |at| self.reading.word(at)) {
            "until" | "till" | "til" => Interval { from: self.begun_before(before - 1), ..interval },
            "before" => Interval { from: None, to: interval.from },
            "since" => Interval { to: None, ..interval },
            _ => interval,
        };
        When { interval, granularity: time.granularity, span: time.span }
    }

    /// "From 2001 until 2005": the beginning that is told right before a token, where the two are not one expression.
    fn begun_before(&self, at: usize) -> Option<Timestamp> {
        let until = self.reading.tokens.get(at)?.chars.0;
        let last = at.checked_sub(1).and_then(|last| self.reading.tokens.get(last))?.chars.1;
        let begun = self.times().iter().rfind(|time| time.span.end <= until)?;
        (begun.span.end >= last).then_some(begun.interval.from).flatten()
    }

    /// Whether an expression tells the year in numbers.
    fn names_year(&self, time: &TimeExpression) -> bool {
        let digits = |word: &str| word.len() == 4 && word.bytes().all(|byte| byte.is_ascii_digit());
        let inside = |token: &&crate::syntax::tokens::Token<'_>| {
            token.chars.0 >= time.span.start && token.chars.1 <= time.span.end
        };
        self.reading.tokens.iter().filter(inside).any(|token| digits(token.word))
    }
}

/// The same day a year before.
fn year_before(at: Timestamp) -> Timestamp {
    let before = at.civil().checked_sub(jiff::Span::new().years(1));
    before.ok().and_then(|civil| Timestamp::from_civil(civil).ok()).unwrap_or(at)
}
