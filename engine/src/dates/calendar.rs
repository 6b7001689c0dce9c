//! Stretches of civil time and checked steps between them. It reads no text; what would leave the calendar is
//! `None`.

use jiff::civil::{Date, DateTime, Time, date};

use crate::dates::expression::Granularity;
use crate::dates::lex::{Season, Unit};
use crate::model::time::{Interval, Timestamp};

/// A half-open stretch of civil time.
#[derive(Debug, Clone, Copy)]
pub(super) struct Stretch {
    pub(super) from: DateTime,
    pub(super) to: DateTime,
    pub(super) granularity: Granularity,
}

impl Stretch {
    pub(super) fn between(from: Date, to: Date, granularity: Granularity) -> Self {
        Self { from: from.to_datetime(Time::midnight()), to: to.to_datetime(Time::midnight()), granularity }
    }

    pub(super) fn day(day: Date) -> Option<Self> {
        Some(Self::between(day, step(day, Unit::Day, 1)?, Granularity::Day))
    }

    /// The week, from Monday, in which `day` lies.
    pub(super) fn week(day: Date) -> Option<Self> {
        let monday = step(day, Unit::Day, -i64::from(day.weekday().to_monday_zero_offset()))?;
        Some(Self::between(monday, step(monday, Unit::Day, 7)?, Granularity::Week))
    }

    /// Saturday and Sunday of the week in which `day` lies.
    pub(super) fn weekend(day: Date) -> Option<Self> {
        let week = Self::week(day)?;
        let saturday = step(week.from.date(), Unit::Day, 5)?;
        Some(Self::between(saturday, week.to.date(), Granularity::Week))
    }

    /// The month in which `day` lies.
    pub(super) fn month(day: Date) -> Option<Self> {
        let first = day.first_of_month();
        Some(Self::between(first, step(first, Unit::Month, 1)?, Granularity::Month))
    }

    /// The years from `first` up to, not including, `end`.
    pub(super) fn years(first: i64, end: i64) -> Option<Self> {
        Some(Self::between(ymd(first, 1, 1)?, ymd(end, 1, 1)?, Granularity::Year))
    }

    /// The season of `year`; a winter is that which begins in the December of the year.
    pub(super) fn season(year: i64, season: Season) -> Option<Self> {
        let first = ymd(year, 3 + 3 * season as i64, 1)?;
        Some(Self::between(first, step(first, Unit::Month, 3)?, Granularity::Season))
    }

    /// The unit of the calendar in which `day` lies.
    pub(super) fn unit(day: Date, unit: Unit) -> Option<Self> {
        let year = i64::from(day.year());
        match unit {
            Unit::Day | Unit::Hour | Unit::Minute => Self::day(day),
            Unit::Week => Self::week(day),
            Unit::Weekend => Self::weekend(day),
            Unit::Month => Self::month(day),
            Unit::Year => Self::years(year, year + 1),
            Unit::Decade => Self::years(year - year.rem_euclid(10), year - year.rem_euclid(10) + 10),
        }
    }

    /// The hours from `from` to `to` of the stretch's first day.
    pub(super) fn hours(self, from: i8, to: i8) -> Option<Self> {
        let day = self.from.date();
        let end = match to {
            24 => step(day, Unit::Day, 1)?.to_datetime(Time::midnight()),
            hour => day.to_datetime(Time::new(hour, 0, 0, 0).ok()?),
        };
        Some(Self {
            from: day.to_datetime(Time::new(from, 0, 0, 0).ok()?),
            to: end,
            granularity: Granularity::Hour,
        })
    }

    /// The minute `clock` of the stretch's first day.
    pub(super) fn at_clock(self, clock: Time) -> Option<Self> {
        let from = self.from.date().to_datetime(clock);
        Some(Self { from, to: step_time(from, Unit::Minute, 1)?, granularity: Granularity::Minute })
    }

    pub(super) fn is_day(&self) -> bool {
        self.granularity == Granularity::Day
    }

    /// The interval, or `None` where it leaves the years that can be written.
    pub(super) fn interval(&self) -> Option<Interval> {
        Some(Interval {
            from: Some(Timestamp::from_civil(self.from).ok()?),
            to: Some(Timestamp::from_civil(self.to).ok()?),
        })
    }
}

/// A date, checked.
pub(super) fn ymd(year: i64, month: i64, day: i64) -> Option<Date> {
    let (year, month, day) = (year.try_into().ok()?, month.try_into().ok()?, day.try_into().ok()?);
    Date::new(year, month, day).ok()
}

/// The date with this month and day that lies nearest to `anchor`.
pub(super) fn nearest(anchor: Date, month: i64, day: i64) -> Option<Date> {
    let year = i64::from(anchor.year());
    (year - 4..=year + 4)
        .filter_map(|year| ymd(year, month, day))
        .min_by_key(|date| days_between(*date, anchor).abs())
}

/// Whole days from `start` to `end`.
pub(super) fn days_between(end: Date, start: Date) -> i64 {
    let epoch = date(1970, 1, 1);
    let days = |day: Date| i64::from(day.since(epoch).map_or(0, |span| span.get_days()));
    days(end) - days(start)
}

/// `day` moved by `count` units; weekends count as weeks.
pub(super) fn step(day: Date, unit: Unit, count: i64) -> Option<Date> {
    let span = span_of(unit, count)?;
    day.checked_add(span).ok()
}

/// A time moved by `count` units.
pub(super) fn step_time(time: DateTime, unit: Unit, count: i64) -> Option<DateTime> {
    time.checked_add(span_of(unit, count)?).ok()
}

fn span_of(unit: Unit, count: i64) -> Option<jiff::Span> {
    let span = jiff::Span::new();
    match unit {
        Unit::Minute => span.try_minutes(count),
        Unit::Hour => span.try_hours(count),
        Unit::Day => span.try_days(count),
        Unit::Week | Unit::Weekend => span.try_weeks(count),
        Unit::Month => span.try_months(count),
        Unit::Year => span.try_years(count),
        Unit::Decade => span.try_years(count.checked_mul(10)?),
    }
    .ok()
}
