//! Dates that name themselves: days, months, years, seasons of years, times of the clock. A day without its
//! year takes the year nearest to the anchor.

use jiff::civil::{Date, Time};

use crate::dates::calendar::{Stretch, nearest, ymd};
use crate::dates::expression::Granularity;
use crate::dates::lex::Term;
use crate::dates::scan::{Hit, Scan};
use crate::text::is_stop_word;

/// Words after which a bare number of four digits is a year.
const BEFORE_YEAR: &[&str] = &[
    "in", "since", "during", "by", "until", "till", "year", "of", "early", "late", "mid", "around", "circa",
    "from", "before", "after", "between", "and", "to", "(",
];
/// Words after which a bare name of a month is the month.
const BEFORE_MONTH: &[&str] = &[
    "in", "since", "during", "by", "until", "till", "of", "early", "late", "mid", "around", "from", "before",
    "after", "through", "between",
];

impl Scan<'_, '_> {
    /// A date that begins at `at`.
    pub(super) fn absolute(&self, at: usize) -> Option<Hit> {
        let at = if self.is(at, &["the"]) { at + 1 } else { at };
        match self.term(at) {
            Term::Number(number, 4) => self.iso(at, number).or_else(|| self.bare_year(at, number)),
            Term::Number(number, 1 | 2) => self.day_first(at, number).or_else(|| self.slashed(at, number)),
            Term::Ordinal(number) => self.day_first(at, number),
            Term::Month(month) => self.month_first(at, i64::from(month)),
            Term::Weekday(_) => self.after_weekday(at),
            Term::Decade(year) => {
                let year = i64::from(year);
                Self::hit(at + 1, Stretch::years(year, year + 10))
            }
            Term::Season(season) => {
                let year_at = self.skip(self.skip(at + 1, &["of", ","]), &["of"]);
                Self::hit(year_at + 1, Stretch::season(self.year(year_at)?, season))
            }
            _ => None,
        }
    }

    /// A hit up to `next`, where there is a stretch.
    pub(super) fn hit(next: usize, stretch: Option<Stretch>) -> Option<Hit> {
        stretch.map(|stretch| Hit { next, stretch })
    }

    fn day_hit(next: usize, day: Option<Date>) -> Option<Hit> {
        Self::hit(next, Stretch::day(day?))
    }

    /// A year of four digits that does not run on into something else ("2023-05", "2000.5").
    fn year(&self, at: usize) -> Option<i64> {
        let Term::Number(year @ 1000..=2999, 4) = self.term(at) else {
            return None;
        };
        Some(i64::from(year))
    }

    /// "2023-05-07", also with slashes.
    fn iso(&self, at: usize, year: u32) -> Option<Hit> {
        let sign = self.word(at + 1);
        if !matches!(sign, "-" | "/" | ".") || self.word(at + 3) != sign {
            return None;
        }
        let (Term::Number(month, 1 | 2), Term::Number(day, 1 | 2)) = (self.term(at + 2), self.term(at + 4))
        else {
            return None;
        };
        (1..5).all(|ahead| self.touches(at + ahead)).then_some(())?;
        Self::day_hit(at + 5, ymd(year.into(), month.into(), day.into()))
    }

    /// "in 2022", and the range "from 2019 to 2022".
    fn bare_year(&self, at: usize, year: u32) -> Option<Hit> {
        if !(1000..=2999).contains(&year) || !BEFORE_YEAR.contains(&self.before(at)) {
            return None;
        }
        // "of 2000 people": such words count, and are not before years.
        if year > 2100
            || matches!(self.before(at), "of" | "to" | "and" | "from" | "by") && self.counts(at + 1)
        {
            return None;
        }
        if self.is(at + 1, &["-", "–", "to", "and"])
            && let Some(last) = self.year(at + 2).filter(|last| *last > i64::from(year))
            && (self.is(at + 1, &["-", "–", "to"]) || self.before(at) == "between")
        {
            return Self::hit(at + 3, Stretch::years(year.into(), last + 1));
        }
        Self::hit(at + 1, Stretch::years(year.into(), i64::from(year) + 1))
    }

    /// Whether a noun that can be counted may stand at `at`: a content word in lower case.
    fn counts(&self, at: usize) -> bool {
        let content = self.term(at) == Term::Other && !is_stop_word(self.word(at));
        content && !self.tokens[at].capital
    }

    /// "7 May 2023", "7th of May, 2023", "8 May".
    fn day_first(&self, at: usize, day: u32) -> Option<Hit> {
        let month_at = self.skip(at + 1, &["of", "-"]);
        let Term::Month(month) = self.term(month_at) else {
            return None;
        };
        self.with_year(month_at + 1, i64::from(month), i64::from(day))
    }

    /// "May 7th, 2023", "May 2023", "in May".
    fn month_first(&self, at: usize, month: i64) -> Option<Hit> {
        let dotted = at + 1 + usize::from(self.is(at + 1, &["."]) && self.word(at).len() < 5);
        let day_at = self.skip(dotted, &["the"]);
        if let Term::Number(day, 1 | 2) | Term::Ordinal(day) = self.term(day_at) {
            // "May 7:30" is a time in May, if anything.
            let is_clock = self.is(day_at + 1, &[":"]) && self.touches(day_at + 1);
            return self.with_year(day_at + 1, month, i64::from(day)).filter(|_| !is_clock);
        }
        let year_at = self.skip(self.skip(dotted, &[","]), &["of"]);
        if let Some(year) = self.year(year_at) {
            return Self::hit(year_at + 1, Stretch::month(ymd(year, month, 1)?));
        }
        let told =
            BEFORE_MONTH.contains(&self.before(at)) && self.tokens[at].capital && self.word(at).len() > 2;
        let anchor = self.anchor.filter(|_| told)?.date();
        Self::hit(at + 1, Stretch::month(nearest(anchor, month, 1)?))
    }

    /// The year after a day and a month, or the one nearest to the anchor.
    fn with_year(&self, next: usize, month: i64, day: i64) -> Option<Hit> {
        let year_at = self.skip(self.skip(next, &[",", ".", "-"]), &["of", "in"]);
        if let Some(year) = self.year(year_at)
            && let Some(date) = ymd(year, month, day)
        {
            return Self::day_hit(year_at + 1, Some(date));
        }
        Self::day_hit(next, nearest(self.anchor?.date(), month, day))
    }

    /// "5/7/2023" month first as in American English, unless that is no date; "7.5.2023" day first.
    fn slashed(&self, at: usize, first: u32) -> Option<Hit> {
        let sign = self.word(at + 1);
        if !matches!(sign, "/" | "." | "-") || self.word(at + 3) != sign {
            return None;
        }
        let (Term::Number(second, 1 | 2), Some(year)) = (self.term(at + 2), self.year(at + 4)) else {
            return None;
        };
        (1..5).all(|ahead| self.touches(at + ahead)).then_some(())?;
        let (first, second) = (i64::from(first), i64::from(second));
        let (month_first, day_first) = (ymd(year, first, second), ymd(year, second, first));
        let day = if sign == "/" { month_first.or(day_first) } else { day_first.or(month_first) };
        Self::day_hit(at + 5, day)
    }

    /// "Monday, 7 May 2023": the weekday is part of the expression and adds nothing.
    fn after_weekday(&self, at: usize) -> Option<Hit> {
        let next = self.skip(self.skip(at + 1, &[",", "."]), &["the"]);
        match self.term(next) {
            Term::Number(day, 1 | 2) | Term::Ordinal(day) => self.day_first(next, day),
            Term::Month(month) => self
                .month_first(next, i64::from(month))
                .filter(|hit| hit.stretch.granularity == Granularity::Day),
            _ => None,
        }
    }

    /// "1:56 pm", "13:30", "5pm"; the first token after it comes along.
    pub(super) fn clock(&self, at: usize) -> Option<(Time, usize)> {
        let Term::Number(hour, 1 | 2) = self.term(at) else {
            return None;
        };
        let mut next = at + 1;
        let mut minute = 0;
        if self.is(next, &[":"])
            && let Term::Number(minutes @ 0..60, 2) = self.term(next + 1)
            && self.touches(next)
            && self.touches(next + 1)
        {
            minute = minutes;
            next += 2;
            if self.is(next, &[":"]) && matches!(self.term(next + 1), Term::Number(0..60, 2)) {
                next += 2;
            }
        }
        let (hour, next) = self.half_of_day(hour, next, next > at + 1)?;
        Some((Time::new(hour.try_into().ok()?, minute as i8, 0, 0).ok()?, next))
    }

    /// The hour of the whole day, from "am" or "pm" at `at`; without one it must have had minutes.
    fn half_of_day(&self, hour: u32, at: usize, with_minutes: bool) -> Option<(u32, usize)> {
        let dotted = self.is(at, &["a", "p"]) && self.is(at + 1, &["."]) && self.is(at + 2, &["m"]);
        let after = if dotted { self.skip(at + 3, &["."]) } else { at + 1 };
        match self.word(at) {
            "am" | "pm" | "a" | "p" if dotted || self.word(at).len() == 2 => {
                let base = if (1..=12).contains(&hour) { hour % 12 } else { return None };
                Some((base + if self.word(at).starts_with('p') { 12 } else { 0 }, after))
            }
            _ => (with_minutes && hour < 24).then_some((hour, at)),
        }
    }
}
