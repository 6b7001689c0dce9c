//! Points and intervals of time. Instants are UTC milliseconds; the clock is never read here.

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;
use std::num::NonZeroU64;
use std::str::FromStr;

use jiff::civil::DateTime;
use jiff::tz::Offset;

use crate::error::Error;

/// An instant: milliseconds since 1970-01-01T00:00:00Z, within the years -9999 to 9999. It is kept with its sign bit
/// flipped, which leaves the order as it is and never gives 0, so that an `Option` of it takes no more room.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Timestamp(NonZeroU64);

const SIGN: u64 = 1 << 63;

impl Timestamp {
    /// Checks that `millis` lies within the years that can be written as RFC 3339.
    ///
    /// # Errors
    /// [`Error::InvalidTime`] where it does not.
    pub fn from_millis(millis: i64) -> Result<Self, Error> {
        let invalid = || Error::InvalidTime { text: format!("{millis} ms since 1970") };
        jiff::Timestamp::from_millisecond(millis).map_err(|_| invalid())?;
        NonZeroU64::new(millis as u64 ^ SIGN).map(Self).ok_or_else(invalid)
    }

    /// Reads a civil date and time as UTC.
    pub fn from_civil(civil: DateTime) -> Result<Self, Error> {
        let instant =
            Offset::UTC.to_timestamp(civil).map_err(|_| Error::InvalidTime { text: civil.to_string() })?;
        Self::from_millis(instant.as_millisecond())
    }

    /// Milliseconds since 1970-01-01T00:00:00Z.
    pub const fn as_millis(self) -> i64 {
        (self.0.get() ^ SIGN) as i64
    }

    /// The civil date and time in UTC.
    pub fn civil(self) -> DateTime {
        Offset::UTC.to_datetime(self.instant())
    }

    fn instant(self) -> jiff::Timestamp {
        jiff::Timestamp::from_millisecond(self.as_millis())
            .expect("the range was checked when the value was made")
    }
}

/// RFC 3339 in UTC, such as `2023-05-08T13:56:00Z`.
impl fmt::Display for Timestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.instant())
    }
}

/// As milliseconds since 1970.
impl Serialize for Timestamp {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.as_millis().serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Timestamp {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Self::from_millis(i64::deserialize(deserializer)?).map_err(serde::de::Error::custom)
    }
}

impl fmt::Debug for Timestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

/// An instant as a source wrote it, with the offset that it named.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct SourceTime {
    /// The instant. Where the source named no offset, its civil time was read as UTC.
    pub instant: Timestamp,
    /// Minutes east of UTC, or `None` where the source named no offset.
    pub offset_minutes: Option<i16>,
}

impl SourceTime {
    /// A civil time of a source that names no offset.
    pub fn naive(civil: DateTime) -> Result<Self, Error> {
        Ok(Self { instant: Timestamp::from_civil(civil)?, offset_minutes: None })
    }

    /// The date and time on the wall where it was said: what "yesterday" is counted from.
    pub fn civil(self) -> DateTime {
        let shift = i64::from(self.offset_minutes.unwrap_or(0)) * 60_000;
        Timestamp::from_millis(self.instant.as_millis() + shift)
            .map_or_else(|_| self.instant.civil(), Timestamp::civil)
    }

    /// [`SourceTime::civil`] for people, such as `2023-05-08 13:56`. The year is written as everywhere, also where it has a sign.
    pub fn to_the_minute(self) -> String {
        let civil = self.civil();
        format!("{} {:02}:{:02}", civil.date(), civil.hour(), civil.minute())
    }
}

/// RFC 3339 with the offset that the source named, such as `2023-05-08T13:56:00+02:00`; `Z` where it named none.
impl fmt::Display for SourceTime {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let minutes = i32::from(self.offset_minutes.unwrap_or(0));
        match Offset::from_seconds(minutes * 60) {
            Ok(offset) if minutes != 0 => write!(f, "{}", self.instant.instant().display_with_offset(offset)),
            _ => write!(f, "{}", self.instant),
        }
    }
}

/// Reads `2023-05-08T13:56:00Z`, an offset such as `+02:00`, the same with a space or without an offset, and a
/// bare date (its midnight).
impl FromStr for SourceTime {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        let text = text.trim();
        let invalid = || Error::InvalidTime { text: text.chars().take(60).collect() };
        if let Some((pieces, instant)) = parse_with_offset(text) {
            let offset_minutes = pieces.map(|offset| (offset.seconds() / 60) as i16);
            return Ok(Self { instant: Timestamp::from_millis(instant.as_millisecond())?, offset_minutes });
        }
        if text.contains('[') {
            // A zone by name is not honoured, so it must not be passed over either.
            return Err(invalid());
        }
        let civil: DateTime = text.parse().map_err(|_| invalid())?;
        Self::naive(civil)
    }
}

fn parse_with_offset(text: &str) -> Option<(Option<Offset>, jiff::Timestamp)> {
    let instant: jiff::Timestamp = text.parse().ok()?;
    let pieces = jiff::fmt::temporal::Pieces::parse(text).ok()?;
    Some((pieces.to_numeric_offset(), instant))
}

/// A half-open interval `[from, to)`; a missing end is open.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
pub struct Interval {
    /// The first instant that lies in it, or `None` where no beginning is known.
    pub from: Option<Timestamp>,
    /// The first instant after it, or `None` where no end is known.
    pub to: Option<Timestamp>,
}

impl Interval {
    /// The whole of time.
    pub const ALWAYS: Self = Self { from: None, to: None };

    /// Whether no instant lies in it.
    pub fn is_empty(self) -> bool {
        self.from.zip(self.to).is_some_and(|(from, to)| from >= to)
    }

    /// Whether an instant lies in it.
    pub fn contains(self, at: Timestamp) -> bool {
        self.from.is_none_or(|from| from <= at) && self.to.is_none_or(|to| at < to)
    }

    /// What lies in both.
    #[must_use]
    pub fn intersection(self, other: Self) -> Self {
        let to = match (self.to, other.to) {
            (Some(one), Some(other)) => Some(one.min(other)),
            (one, other) => one.or(other),
        };
        Self { from: self.from.max(other.from), to }
    }

    /// Whether an instant lies in both.
    pub fn overlaps(self, other: Self) -> bool {
        !self.is_empty() && !other.is_empty() && !self.intersection(other).is_empty()
    }
}

/// From when the memory is looked at: both clocks, and what time it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Moment {
    /// The world's clock: only what held at this time. `None` for what is said to hold, and has held.
    pub as_of: Option<Timestamp>,
    /// The record's clock: only what the memory had been told at this time. `None` for all of it.
    pub known_at: Option<Timestamp>,
    /// What time it is: what has expired by then is not shown. `None` shows it all the same.
    pub now: Option<Timestamp>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn instants_keep_their_order_and_take_no_room_in_an_option() {
        let at = |millis| Timestamp::from_millis(millis).unwrap();
        let times = [i64::MIN / 1_000_000, -1, 0, 1, 1_700_000_000_000].map(at);
        assert!(times.is_sorted() && times[1].as_millis() == -1);
        assert_eq!(size_of::<Interval>(), 2 * size_of::<Timestamp>());
    }

    #[test]
    fn source_times_keep_their_offset() {
        let east: SourceTime = "2023-05-08T01:30:00+02:00".parse().unwrap();
        assert_eq!(east.instant.to_string(), "2023-05-07T23:30:00Z");
        assert_eq!(east.offset_minutes, Some(120));
        assert_eq!(east.civil().to_string(), "2023-05-08T01:30:00");
        let zulu: SourceTime = "2023-05-08T01:30:00Z".parse().unwrap();
        assert_eq!(zulu.civil().to_string(), "2023-05-08T01:30:00");
    }

    #[test]
    fn source_times_are_written_with_their_offset_and_read_back() {
        for (text, shown) in [
            ("2023-05-08T01:30:00+02:00", "2023-05-08T01:30:00+02:00"),
            ("2023-05-08T01:30:00.250-03:30", "2023-05-08T01:30:00.25-03:30"),
            ("2023-05-08 01:30:00Z", "2023-05-08T01:30:00Z"),
            ("2023-05-08T01:30:00+00:00", "2023-05-08T01:30:00Z"),
            ("2023-05-08", "2023-05-08T00:00:00Z"),
        ] {
            let at: SourceTime = text.parse().unwrap();
            assert_eq!(at.to_string(), shown);
            assert_eq!(shown.parse::<SourceTime>().unwrap().instant, at.instant);
        }
    }

    #[test]
    fn naive_times_and_bare_dates_are_read() {
        let naive: SourceTime = "2023-05-08T01:30:00".parse().unwrap();
        assert_eq!(
            (naive.offset_minutes, naive.instant.to_string().as_str()),
            (None, "2023-05-08T01:30:00Z")
        );
        let date: SourceTime = "2023-05-08".parse().unwrap();
        assert_eq!(date.instant.to_string(), "2023-05-08T00:00:00Z");
        for bad in ["", "2023-05-08T10:00[America/New_York]", "yesterday", "2023-13-40", "99999999-01-01"] {
            assert!(bad.parse::<SourceTime>().is_err(), "{bad}");
        }
    }

    #[test]
    fn years_are_written_alike_wherever_they_are_and_read_back() {
        for (text, year) in [
            ("-009999-01-02T01:59:59Z", "-009999"),
            ("-000044-03-15T10:00:00Z", "-000044"),
            ("0000-01-01T00:00:00Z", "0000"),
            ("9999-12-30T22:00:00Z", "9999"),
        ] {
            let at: SourceTime = text.parse().unwrap();
            assert_eq!(at.to_string(), text);
            assert!(at.to_the_minute().starts_with(&format!("{year}-")), "{}", at.to_the_minute());
        }
        for bad in
            ["-009999-01-02T01:59:58Z", "9999-12-30T22:00:01Z", "-0044-03-15", "10000-01-01", "+010000-01-01"]
        {
            assert!(bad.parse::<SourceTime>().is_err(), "{bad}");
        }
    }
}
