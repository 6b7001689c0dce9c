//! Dates that are counted from the time at which they were said: "yesterday", "last Friday", "two weeks ago",
//! "the week before 9 June". Without that time none of them is read.

use jiff::civil::{Date, DateTime};

use crate::dates::calendar::{Stretch, days_between, step, step_time, ymd};
use crate::dates::expression::Granularity;
use crate::dates::lex::{Term, Unit, number_word};
use crate::dates::scan::{Hit, Scan};

/// Which way a determiner points.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Way {
    Last,
    This,
    Next,
}

impl Scan<'_, '_> {
    /// An expression that is counted from `anchor`.
    pub(super) fn relative(&self, at: usize, anchor: DateTime) -> Option<Hit> {
        self.near_day(at, anchor.date())
            .or_else(|| self.pointed(at, anchor))
            .or_else(|| self.counted(at, anchor))
            .or_else(|| self.beside(at))
            .or_else(|| self.bare_weekday(at, anchor.date()))
    }

    /// "today", "tomorrow morning", "the day before yesterday".
    fn near_day(&self, at: usize, today: Date) -> Option<Hit> {
        let (offset, next) = match self.word(at) {
            "today" => (0, at + 1),
            "tonight" => return Self::hit(at + 1, Stretch::day(today)?.hours(18, 24)),
            "tomorrow" => (1, at + 1),
            "yesterday" => (-1, at + 1),
            "the" if self.is(at + 1, &["day"]) => match (self.word(at + 2), self.word(at + 3)) {
                ("before", "yesterday") => (-2, at + 4),
                ("after", "tomorrow") => (2, at + 4),
                _ => return None,
            },
            _ => return None,
        };
        let day = Stretch::day(step(today, Unit::Day, offset)?)?;
        match self.term(next) {
            Term::Part(from, to) if self.word(next) != "tonight" => Self::hit(next + 1, day.hours(from, to)),
            _ => Self::hit(next, Some(day)),
        }
    }

    /// "last Friday", "this past weekend", "next month", "the last two weeks".
    fn pointed(&self, at: usize, anchor: DateTime) -> Option<Hit> {
        let at = self.skip(at, &["the"]);
        let (way, next) = match (self.word(at), self.word(at + 1)) {
            ("this" | "the", "past" | "last") => (Way::Last, at + 2),
            ("this", "coming") => (Way::Next, at + 2),
            ("last" | "past" | "previous", _) => (Way::Last, at + 1),
            ("next" | "coming", _) => (Way::Next, at + 1),
            ("this", _) => (Way::This, at + 1),
            _ => return None,
        };
        if way != Way::This
            && let Some(hit) = self.run_of_units(next, way, anchor)
        {
            return Some(hit);
        }
        let today = anchor.date();
        let stretch = match self.term(next) {
            Term::Weekday(weekday) => Stretch::day(weekday_by(today, weekday, way)?),
            Term::Unit(unit) if !self.word(next).ends_with('s') => pointed_unit(today, unit, way),
            Term::Season(season) => by_year(today, way, |year| Stretch::season(year, season)),
            Term::Month(month) if self.tokens[next].capital => {
                by_year(today, way, |year| Stretch::month(ymd(year, month.into(), 1)?))
            }
            Term::Part(from, to) => {
                let offset = i64::from(way == Way::Next) - i64::from(way == Way::Last);
                Stretch::day(step(today, Unit::Day, offset)?)?.hours(from, to)
            }
            _ => None,
        };
        let hit = Self::hit(next + 1, stretch)?;
        self.with_part(hit)
    }

    /// "last Friday night": the part of the day after a day.
    fn with_part(&self, hit: Hit) -> Option<Hit> {
        match self.term(hit.next) {
            Term::Part(from, to) if hit.stretch.is_day() => {
                Self::hit(hit.next + 1, hit.stretch.hours(from, to))
            }
            _ => Some(hit),
        }
    }

    /// "two weeks", "few months" after "last" or "next": the run of days up to or from the anchor.
    fn run_of_units(&self, at: usize, way: Way, anchor: DateTime) -> Option<Hit> {
        let (_, most, unit_at) = self.quantity(at)?;
        let Term::Unit(unit) = self.term(unit_at) else {
            return None;
        };
        let today = anchor.date();
        let granularity = granularity_of(unit);
        let stretch = match way {
            Way::Last => Stretch::between(step(today, unit, -most)?, step(today, Unit::Day, 1)?, granularity),
            _ => Stretch::between(today, step(today, unit, most)?, granularity),
        };
        // "Next 0 weeks" is no time.
        Self::hit(unit_at + 1, Some(stretch).filter(|stretch| stretch.from < stretch.to))
    }

    /// "two weeks ago", "a few years ago", "in 3 days", "a month later".
    fn counted(&self, at: usize, anchor: DateTime) -> Option<Hit> {
        let opens_future = self.is(at, &["in"]);
        let (least, most, unit_at) = self.quantity(self.skip(at, &["in"]))?;
        let Term::Unit(unit) = self.term(unit_at) else {
            return None;
        };
        let after = unit_at + 1;
        if self.is(after, &["ago", "back"]) {
            return Self::hit(after + 1, counted_stretch(anchor, unit, -most, -least));
        }
        if self.is(after, &["before", "after"]) && !opens_future {
            return self.counted_beside(after, unit, most);
        }
        if self.is(after, &["from"]) && self.is(after + 1, &["now", "today"]) {
            return Self::hit(after + 2, counted_stretch(anchor, unit, least, most));
        }
        // "in two years of work" is a duration.
        if opens_future && !self.is(after, &["of"]) && !self.is(after, &["'", "’"]) {
            return Self::hit(after, counted_stretch(anchor, unit, least, most));
        }
        None
    }

    /// "two days before 9 June 2023", from its "before".
    fn counted_beside(&self, at: usize, unit: Unit, count: i64) -> Option<Hit> {
        let base = self.base(at + 1)?;
        let (start, count) = match self.word(at) {
            "before" => (base.stretch.from, -count),
            _ => (base.stretch.from, count),
        };
        Self::hit(base.next, Stretch::unit(step(start.date(), unit, count)?, unit))
    }

    /// "the week before 9 June 2023", "the Friday after 3 May".
    fn beside(&self, at: usize) -> Option<Hit> {
        let at = if self.is(at, &["the"]) { at + 1 } else { return None };
        let after = match self.word(at + 1) {
            "before" => false,
            "after" | "following" => true,
            _ => return None,
        };
        let base = self.base(at + 2)?;
        let day = base.stretch.from.date();
        let stretch = match self.term(at) {
            Term::Weekday(weekday) => {
                let way = if after { Way::Next } else { Way::Last };
                Stretch::day(nearest_weekday(day, weekday, way)?)
            }
            Term::Unit(Unit::Weekend) => beside_weekend(day, after),
            Term::Unit(unit @ (Unit::Day | Unit::Week | Unit::Month | Unit::Year)) => {
                Stretch::unit(step(day, unit, if after { 1 } else { -1 })?, unit)
            }
            _ => None,
        };
        Self::hit(base.next, stretch)
    }

    /// "on Friday", "Friday night": the last one, or where the text looks ahead the next one.
    fn bare_weekday(&self, at: usize, today: Date) -> Option<Hit> {
        let Term::Weekday(weekday) = self.term(at) else {
            return None;
        };
        let told = self.before(at) == "on" || matches!(self.term(at + 1), Term::Part(..));
        if !told || !self.tokens[at].capital {
            return None;
        }
        let way = if self.looks_ahead() { Way::Next } else { Way::Last };
        let day = Stretch::day(nearest_weekday(today, weekday, way)?);
        self.with_part(Self::hit(at + 1, day)?)
    }

    /// A number of units as the least and the most that it may mean, and the place after it.
    fn quantity(&self, at: usize) -> Option<(i64, i64, usize)> {
        let at = self.skip(at, &["about", "around", "almost", "over"]);
        let open = self.skip(at, &["a", "an"]);
        let (least, most, next) = match self.term(open) {
            Term::Number(number, 1..=4) if open == at => (i64::from(number), i64::from(number), at + 1),
            _ => match self.word(open) {
                "few" => (2, 5, open + 1),
                "several" => (3, 7, open + 1),
                "couple" => (2, 2, self.skip(open + 1, &["of"])),
                word if open == at => {
                    let number = number_word(word)?;
                    (number, number, at + 1)
                }
                _ => (1, 1, open),
            },
        };
        Some((least, most, next))
    }
}

fn granularity_of(unit: Unit) -> Granularity {
    match unit {
        Unit::Minute => Granularity::Minute,
        Unit::Hour => Granularity::Hour,
        Unit::Day => Granularity::Day,
        Unit::Week | Unit::Weekend => Granularity::Week,
        Unit::Month => Granularity::Month,
        Unit::Year | Unit::Decade => Granularity::Year,
    }
}

/// From `least` to `most` units away from the anchor, widened to whole units of the calendar.
fn counted_stretch(anchor: DateTime, unit: Unit, least: i64, most: i64) -> Option<Stretch> {
    if matches!(unit, Unit::Hour | Unit::Minute) {
        return Some(Stretch {
            from: step_time(anchor, unit, least)?,
            to: step_time(step_time(anchor, unit, most)?, unit, 1)?,
            granularity: granularity_of(unit),
        });
    }
    let today = anchor.date();
    // A decade ago is about a year, not a whole decade of the calendar.
    let whole = if unit == Unit::Decade { Unit::Year } else { unit };
    let first = Stretch::unit(step(today, unit, least)?, whole)?;
    let last = Stretch::unit(step(today, unit, most)?, whole)?;
    Some(Stretch { to: last.to, ..first })
}

fn pointed_unit(today: Date, unit: Unit, way: Way) -> Option<Stretch> {
    let offset = match way {
        Way::Last => -1,
        Way::This => 0,
        Way::Next => 1,
    };
    // On a Sunday "last weekend" is still the one before; on a Monday it is the one just past.
    Stretch::unit(step(today, unit, offset)?, unit)
        .filter(|_| !matches!(unit, Unit::Minute | Unit::Hour | Unit::Day))
}

/// The last stretch that has ended, this year's, or the first that has not begun.
fn by_year(today: Date, way: Way, of_year: impl Fn(i64) -> Option<Stretch>) -> Option<Stretch> {
    let year = i64::from(today.year());
    match way {
        Way::Last => (year - 2..=year).rev().filter_map(of_year).find(|stretch| stretch.to.date() <= today),
        Way::This => of_year(year),
        Way::Next => (year..=year + 1).filter_map(of_year).find(|stretch| stretch.from.date() > today),
    }
}

/// "last Friday" is the nearest before today, "this Friday" that of the week, "next Friday" that of the next.
fn weekday_by(today: Date, weekday: i8, way: Way) -> Option<Date> {
    let monday = Stretch::week(today)?.from.date();
    match way {
        Way::Last => nearest_weekday(today, weekday, way),
        Way::This => step(monday, Unit::Day, weekday.into()),
        Way::Next => step(monday, Unit::Day, i64::from(weekday) + 7),
    }
}

/// The nearest such day before or after `day`, never `day` itself.
fn nearest_weekday(day: Date, weekday: i8, way: Way) -> Option<Date> {
    let ahead = (i64::from(weekday) - i64::from(day.weekday().to_monday_zero_offset())).rem_euclid(7);
    let ahead = if ahead == 0 { 7 } else { ahead };
    let offset = match way {
        Way::Last if ahead == 7 => -7,
        Way::Last => ahead - 7,
        _ => ahead,
    };
    step(day, Unit::Day, offset)
}

fn beside_weekend(day: Date, after: bool) -> Option<Stretch> {
    let own = Stretch::weekend(day)?;
    if after {
        let later = days_between(own.from.date(), day) > 0;
        return Stretch::weekend(step(day, Unit::Week, i64::from(!later))?);
    }
    Stretch::weekend(step(day, Unit::Week, -1)?)
}
