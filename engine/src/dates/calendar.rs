//! Stretches of civil time and checked steps between them. It reads no text; what would leave the calendar is
//! `None`.

use jiff::civil::{Date, DateTime, Time, date};

use crate::dates::expression::Granularity;
use crate::dates::term::{Holiday, Season, Unit};
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

    /// The months of the year from `first`, counted from 1, for `count` months.
    pub(super) fn months(year: i64, first: i64, count: i64) -> Option<Self> {
        let granularity = if count > 1 { Granularity::Season } else { Granularity::Month };
        let first = ymd(year, first, 1)?;
        Some(Self::between(first, step(first, Unit::Month, count)?, granularity))
    }

    /// The unit of the calendar in which `day` lies.
    pub(super) fn unit(day: Date, unit: Unit) -> Option<Self> {
        let year = i64::from(day.year());
        let month = i64::from(day.month()) - 1;
        let years =
            |count: i64| Self::years(year - year.rem_euclid(count), year - year.rem_euclid(count) + count);
        match unit {
            Unit::Second | Unit::Minute | Unit::Hour | Unit::Day | Unit::Night | Unit::BusinessDay => {
                Self::day(day)
            }
            Unit::Week | Unit::Fortnight => Self::week(day),
            Unit::WorkWeek => {
                let week = Self::week(day)?;
                Some(Self::between(
                    week.from.date(),
                    step(week.from.date(), Unit::Day, 5)?,
                    Granularity::Week,
                ))
            }
            Unit::Weekend => Self::weekend(day),
            Unit::Month => Self::month(day),
            Unit::Quarter => Self::months(year, month - month % 3 + 1, 3),
            Unit::HalfYear => Self::months(year, month - month % 6 + 1, 6),
            Unit::Year => years(1),
            Unit::Decade => years(10),
            Unit::Century => years(100),
        }
    }

    /// The nth week (for -1 the last) of which most days lie in this stretch, from Monday.
    pub(super) fn nth_week(self, nth: i64) -> Option<Self> {
        // Most of a week lies where its Thursday does.
        let first = step(self.from.date(), Unit::Day, 3).and_then(Self::week)?;
        let last = step(self.to.date(), Unit::Day, -4).and_then(Self::week)?;
        if nth < 0 { Some(last) } else { Self::week(step(first.from.date(), Unit::Week, nth - 1)?) }
    }

    /// The nth such weekday (for -1 the last) in this stretch.
    pub(super) fn nth_weekday(self, nth: i64, weekday: i64) -> Option<Date> {
        let of = |day: Date| i64::from(day.weekday().to_monday_zero_offset());
        if nth < 0 {
            let last = step(self.to.date(), Unit::Day, -1)?;
            return step(last, Unit::Day, -(of(last) - weekday).rem_euclid(7));
        }
        let first = self.from.date();
        step(first, Unit::Day, (weekday - of(first)).rem_euclid(7) + 7 * (nth - 1))
    }

    /// The same so many years on.
    pub(super) fn moved(self, unit: Unit, count: i64) -> Option<Self> {
        let moved = |time: DateTime| step_time(time, unit, count);
        Some(Self { from: moved(self.from)?, to: moved(self.to)?, granularity: self.granularity })
    }

    /// The second at which a moment lies, as a stretch of a minute.
    pub(super) fn moment(from: DateTime) -> Option<Self> {
        Some(Self { from, to: step_time(from, Unit::Minute, 1)?, granularity: Granularity::Minute })
    }

    /// The stretch's first day from one second of the day to another; past midnight goes on into the next day.
    pub(super) fn clock_hours(self, from: i64, to: i64) -> Option<Self> {
        let midnight = self.from.date().to_datetime(Time::midnight());
        Some(Self {
            from: step_time(midnight, Unit::Second, from)?,
            to: step_time(midnight, Unit::Second, to)?,
            granularity: Granularity::Hour,
        })
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

    /// The minute that begins at this second of the stretch's first day.
    pub(super) fn at_second(self, second: i64) -> Option<Self> {
        Self::moment(step_time(self.from.date().to_datetime(Time::midnight()), Unit::Second, second)?)
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
        Unit::Second => span.try_seconds(count),
        Unit::Minute => span.try_minutes(count),
        Unit::Hour => span.try_hours(count),
        Unit::Day | Unit::Night | Unit::BusinessDay => span.try_days(count),
        Unit::Week | Unit::WorkWeek | Unit::Weekend => span.try_weeks(count),
        Unit::Fortnight => span.try_weeks(count.checked_mul(2)?),
        Unit::Month => span.try_months(count),
        Unit::Quarter => span.try_months(count.checked_mul(3)?),
        Unit::HalfYear => span.try_months(count.checked_mul(6)?),
        Unit::Year => span.try_years(count),
        Unit::Decade => span.try_years(count.checked_mul(10)?),
        Unit::Century => span.try_years(count.checked_mul(100)?),
    }
    .ok()
}

/// `day` moved by working days, of which Saturday and Sunday are none.
pub(super) fn step_working_days(day: Date, count: i64) -> Option<Date> {
    let (mut day, mut left) = (day, count.abs().min(4000));
    while left > 0 {
        day = step(day, Unit::Day, count.signum())?;
        left -= i64::from(day.weekday().to_monday_zero_offset() < 5);
    }
    Some(day)
}

/// The day of a holiday in a year.
pub(super) fn holiday(year: i64, holiday: Holiday) -> Option<Date> {
    match holiday {
        Holiday::Fixed(month, day) => ymd(year, month.into(), day.into()),
        Holiday::Easter(days) => step(easter(year)?, Unit::Day, days.into()),
        Holiday::Nth(month, nth, weekday, days) => {
            let day = Stretch::months(year, month.into(), 1)?.nth_weekday(nth.into(), weekday.into())?;
            step(day, Unit::Day, days.into())
        }
        Holiday::Advent(weeks) => {
            let christmas = ymd(year, 12, 25)?;
            let back = (i64::from(christmas.weekday().to_sunday_zero_offset()) + 6) % 7 + 1;
            step(christmas, Unit::Day, -back - 7 * (i64::from(weeks) - 1))
        }
    }
}

/// Easter Sunday of the Gregorian calendar, by the rule of Meeus, Jones and Butcher.
fn easter(year: i64) -> Option<Date> {
    let (century, in_century, golden) = (year / 100, year % 100, year % 19);
    let skipped = (century - (century + 8) / 25 + 1) / 3;
    let epact = (19 * golden + century - century / 4 - skipped + 15) % 30;
    let weekday = (32 + 2 * (century % 4) + 2 * (in_century / 4) - epact - in_century % 4) % 7;
    let late = (golden + 11 * epact + 22 * weekday) / 451;
    let place = epact + weekday - 7 * late + 114;
    ymd(year, place / 31, place % 31 + 1)
}

/// The candidate that lies nearest to `anchor`.
pub(super) fn nearest_of(anchor: Date, candidates: impl Iterator<Item = Date>) -> Option<Date> {
    candidates.min_by_key(|date| days_between(*date, anchor).abs())
}
