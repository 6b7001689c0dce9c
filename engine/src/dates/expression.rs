//! What a found expression of time is. It finds none itself.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::model::episode::Span;
use crate::model::time::Interval;

/// How exactly an expression names its time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
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
    /// A season of three months, or a quarter of a year.
    Season,
    /// A year, or several.
    Year,
}

impl Granularity {
    /// Every granularity with its name as it is shown and stored, in the order of their codes on disk.
    pub const ALL: [(Self, &'static str); 7] = [
        (Self::Minute, "minute"),
        (Self::Hour, "hour"),
        (Self::Day, "day"),
        (Self::Week, "week"),
        (Self::Month, "month"),
        (Self::Season, "season"),
        (Self::Year, "year"),
    ];

    /// The name as it is shown.
    pub fn as_str(self) -> &'static str {
        Self::ALL[self as usize].1
    }
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

/// A piece of text that tells of time in any way.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Found {
    /// Where it stands, in characters.
    pub span: Span,
    /// What it tells.
    pub meaning: Meaning,
}

/// What an expression tells of time.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Meaning {
    /// Some time: a stretch of the time line.
    Time {
        /// What the words say by the letter: "two weeks ago" is one day, "from 2019 to 2021" ends where 2021
        /// begins, "since August" has no end. The same whoever speaks.
        exact: Interval,
        /// What is meant in conversation, as [`find`](super::find) tells it: "two weeks ago" is about that
        /// week. `None` where the words alone are too weak to look for what happened then ("in the morning",
        /// "now").
        meant: Option<TimeExpression>,
        /// How exactly it is said.
        granularity: Granularity,
    },
    /// How long something takes. It lies nowhere on the time line.
    Duration {
        /// In seconds, a month being thirty days and a year 365.
        seconds: f64,
    },
    /// How often something happens. It lies nowhere on the time line.
    Repetition(Repetition),
}

/// How often something happens: every so many units, on a weekday, at a time of the day.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Repetition {
    /// How many units lie between, where units are named.
    pub every: Option<(f64, Period)>,
    /// The weekday on which it happens, Monday being 0.
    pub weekday: Option<i8>,
    /// The time of the clock at which it happens, in minutes after midnight, and whether minutes were told.
    pub clock: Option<(i16, bool)>,
    /// The part of the day in which it happens, where no time of the clock is told.
    pub part: Option<PartOfDay>,
}

/// A unit of repetitions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Period {
    /// Seconds.
    Second,
    /// Minutes.
    Minute,
    /// Hours.
    Hour,
    /// Days.
    Day,
    /// Weeks.
    Week,
    /// Weekends.
    Weekend,
    /// Months.
    Month,
    /// Years.
    Year,
}

/// A part of the day in which something happens again and again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PartOfDay {
    /// Before noon.
    Morning,
    /// After noon.
    Afternoon,
    /// When the day ends.
    Evening,
    /// When people sleep.
    Night,
}

/// As TIMEX3 writes it: "P2D", "XXXX-WXX-1T16", "T19:13".
impl fmt::Display for Repetition {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(weekday) = self.weekday {
            write!(to, "XXXX-WXX-{}", weekday + 1)?;
        }
        match (self.clock, self.part) {
            (Some((minutes, true)), _) => write!(to, "T{:02}:{:02}", minutes / 60, minutes % 60),
            (Some((minutes, false)), _) => write!(to, "T{:02}", minutes / 60),
            (None, Some(part)) => to.write_str(match part {
                PartOfDay::Morning => "TMO",
                PartOfDay::Afternoon => "TAF",
                PartOfDay::Evening => "TEV",
                PartOfDay::Night => "TNI",
            }),
            (None, None) => match self.every.filter(|_| self.weekday.is_none()) {
                Some((count, period)) => {
                    let (before, unit) = period.letters();
                    write!(to, "P{before}{count}{unit}")
                }
                None => Ok(()),
            },
        }
    }
}

impl Period {
    fn letters(self) -> (&'static str, &'static str) {
        match self {
            Self::Second => ("T", "S"),
            Self::Minute => ("T", "M"),
            Self::Hour => ("T", "H"),
            Self::Day => ("", "D"),
            Self::Week => ("", "W"),
            Self::Weekend => ("", "WE"),
            Self::Month => ("", "M"),
            Self::Year => ("", "Y"),
        }
    }
}
