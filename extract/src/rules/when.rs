//! When a claim holds: the times that stand in its clause, and what its tense and words such as "until" make of them.

use lorebase_engine::dates::{Granularity, TimeExpression};
use lorebase_engine::model::episode::Span;
use lorebase_engine::model::fact::FactKind;
use lorebase_engine::model::time::{Interval, Timestamp};

use crate::rules::clause::Clause;
use crate::rules::group::{Head, Mood};
use crate::rules::verbs::{Verb, verb};
use crate::rules::words;
use crate::syntax::tokens::Token;

/// What may stand between two times of one claim: "from 2010 to 2012, and again from 2016 to 2018".
const BETWEEN: &[&str] =
    &[",", "and", "again", "then", "from", "in", "between", "also", "later", "once", "&", "during"];

/// What may stand before a time that opens a clause.
const PREPOSITIONS: &[&str] =
    &["since", "in", "from", "on", "between", "until", "till", "during", "as", "of", "by"];

/// Small numbers in words, from one on.
const NUMBERS: &[&str] =
    &["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"];

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
            // "Since May I work there", "as of May I work there".
            (FactKind::Fact, Mood::Present) if self.begins_at(told.span) => {
                Interval { to: None, ..told.interval }
            }
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
        let behind = times.partition_point(|time| time.span.start < from);
        let (before, after) = times.split_at(behind);
        let after = after.iter().take_while(|time| !self.opens_another(time)).next();
        after.or(before.last()).map(|time| self.meant(time)).or_else(|| self.lasting())
    }

    /// "Has lived there for three years": since when that is.
    fn lasting(&self) -> Option<When> {
        const ABOUT: &[&str] =
            &["about", "over", "almost", "nearly", "around", "roughly", "more", "than", "some"];
        let (reading, said) = (self.reading, self.reading.said?);
        let tells = |at: &usize| reading.is(*at, &["for"]);
        let link =
            (self.group.end..self.bounds.1).find(tells).filter(|_| self.group.mood == Mood::Perfect)?;
        let at = (link + 1..self.bounds.1).find(|at| !reading.is(*at, ABOUT))?;
        let word = reading.word(at);
        let small = NUMBERS.iter().position(|number| *number == word).map(|place| place + 1);
        let many = small.or_else(|| word.parse().ok()).filter(|many| *many <= 100)?;
        let many = i64::try_from(many).ok()?;
        let span = jiff::Span::new();
        let (back, granularity) = match reading.word(at + 1) {
            "year" | "years" => (span.years(many), Granularity::Year),
            "month" | "months" => (span.months(many), Granularity::Month),
            _ => return None,
        };
        let from = Timestamp::from_civil(said.civil().checked_sub(back).ok()?).ok()?;
        let interval = Interval { from: Some(from), to: None };
        Some(When { interval, granularity, span: reading.span(link, at + 2) })
    }

    /// Whether a time opens a clause behind this one: "I lived in Porto, and since 2016 I've lived in Lyon".
    fn opens_another(&self, time: &TimeExpression) -> bool {
        let reading = self.reading;
        let first = reading.tokens.partition_point(|token| token.chars.1 <= time.span.start);
        let mut end = reading.tokens.partition_point(|token| token.chars.1 <= time.span.end);
        let mut before = first;
        while before > self.first && reading.is(before - 1, PREPOSITIONS) {
            before -= 1;
        }
        let joined =
            before > self.first && reading.is(before - 1, &[",", ";", "and", "but", "then", "–", "—", "-"]);
        end += usize::from(reading.is(end, &[","]));
        let subject = reading.is(end, &["i", "we", "he", "she", "they", "my"])
            || reading.name_at(end).is_some_and(|name| verb(reading.word(name.end)).is_some());
        joined && subject && end < self.bounds.1
    }

    /// Whether the time at a span is told as that from which on something is so.
    fn begins_at(&self, span: Span) -> bool {
        let reading = self.reading;
        let first = reading.tokens.partition_point(|token| token.chars.1 <= span.start);
        let end = reading.tokens.partition_point(|token| token.chars.1 <= span.end);
        let word = |back: usize| first.checked_sub(back).map_or("", |at| reading.word(at));
        let on = reading.is(end, &["on", "onwards", "onward"]);
        matches!((word(2), word(1)), (_, "since" | "starting") | ("as", "of" | "from"))
            || word(1) == "from" && on
            || reading.is(first, &["since"])
    }

    /// The times that are told of the same claim behind the first.
    pub(super) fn further(&self) -> Vec<When> {
        let from = self.reading.tokens[self.first].chars.0;
        let later = self.times().iter().skip_while(|time| time.span.start < from);
        let mut rest = later.take_while(|time| !self.opens_another(time));
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
            interval = Interval {
                from: interval.from.map(|at| years(at, -1)),
                to: interval.to.map(|at| years(at, -1)),
            };
        }
        if self.is_ahead() && !self.names_year(time) {
            interval = self.coming(time, interval);
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

    /// Whether the clause tells of what is to come: "I start in July", "I'm joining Acme in May".
    fn is_ahead(&self) -> bool {
        let begins = |verb| {
            matches!(
                verb,
                Verb::Start | Verb::Join | Verb::Move | Verb::Leave | Verb::Quit | Verb::Marry | Verb::Go
            )
        };
        match (self.group.mood, self.group.head) {
            (Mood::Future, _) => true,
            (Mood::Present, Head::Active(verb)) => begins(verb),
            (Mood::Present, Head::Progressive(verb)) => {
                begins(verb) || matches!(verb, Verb::Visit | Verb::Travel | Verb::Plan)
            }
            _ => false,
        }
    }

    /// A month or a day of one that is over when it is said, of what is to come: that of the next year.
    fn coming(&self, time: &TimeExpression, interval: Interval) -> Interval {
        let over = |said: Timestamp| interval.to.or(interval.from).is_some_and(|end| end <= said);
        let inside = |token: &&Token<'_>| token.chars.0 >= time.span.start && token.chars.1 <= time.span.end;
        let month =
            |word: &str| words::is_calendar(word) && !word.ends_with("day") && !matches!(word, "am" | "pm");
        let calls_month = self.reading.tokens.iter().filter(inside).any(|token| month(token.word));
        if calls_month && self.reading.said.is_some_and(over) {
            Interval { from: interval.from.map(|at| years(at, 1)), to: interval.to.map(|at| years(at, 1)) }
        } else {
            interval
        }
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
        let inside = |token: &&Token<'_>| token.chars.0 >= time.span.start && token.chars.1 <= time.span.end;
        self.reading.tokens.iter().filter(inside).any(|token| digits(token.word))
    }
}

/// The same day some years later.
fn years(at: Timestamp, later: i16) -> Timestamp {
    let moved = at.civil().checked_add(jiff::Span::new().years(later));
    moved.ok().and_then(|civil| Timestamp::from_civil(civil).ok()).unwrap_or(at)
}
