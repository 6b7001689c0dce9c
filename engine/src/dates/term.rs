//! What a piece of text is to the calendar, whatever its language, and how the tables of the languages write it. It
//! resolves nothing.

/// A unit in which time is counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Unit {
    Second,
    Minute,
    Hour,
    Day,
    Night,
    BusinessDay,
    Week,
    WorkWeek,
    Weekend,
    Fortnight,
    Month,
    Quarter,
    HalfYear,
    Year,
    Decade,
    Century,
}

/// A season of the northern year, in order of its first month.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Season {
    Spring,
    Summer,
    Autumn,
    Winter,
}

/// A part of the day.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Part {
    /// Before it is light: its hours are those of the morning.
    Early,
    Morning,
    Afternoon,
    LateAfternoon,
    /// What Spanish calls "tarde": afternoon and early evening.
    LongAfternoon,
    Evening,
    Night,
}

/// Which way a determiner points.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Way {
    /// "The year before last".
    BeforeLast,
    Last,
    /// "This past Friday": the nearest one.
    Past,
    This,
    /// "The coming Friday": the nearest one.
    Coming,
    Next,
    AfterNext,
}

/// A day that comes every year.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Holiday {
    /// Month and day.
    Fixed(i8, i8),
    /// Days after Easter Sunday.
    Easter(i16),
    /// The nth (or for -1 the last) weekday of a month, moved by some days: month, nth, weekday, days.
    Nth(i8, i8, i8, i8),
    /// The Sunday so many weeks before Christmas Day.
    Advent(i8),
}

/// What a token is to the calendar.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Term {
    /// A number, with how many digits it is written; none where it is written out.
    Number(i64, u8),
    /// "Hundred", "thousand".
    Times(i64),
    /// "7th", "seventh".
    Ordinal(i64),
    /// "A", before a unit.
    Article,
    /// "A few": from, to, and what is counted with.
    Few(i8, i8, i8),
    Half,
    Quarter,
    Month(i8),
    /// A word that is a month's, but means something else more often ("may").
    MaybeMonth(i8),
    /// A weekday, Monday being 0.
    Weekday(i8),
    /// A short form that is a weekday after "on" and the like ("sat").
    MaybeWeekday(i8),
    Unit(Unit),
    Season(Season),
    Part(Part),
    Holiday(Holiday),
    /// "Today" and the like, in days from today.
    Day(i8),
    Now,
    Way(Way),
    /// "Ago", "vor", and in languages with postpositions "before" too.
    Ago,
    /// "Later", "from now".
    Hence,
    /// "In" before a span of time.
    In,
    /// "Within" behind a span of time.
    Inside,
    Since,
    Before,
    After,
    Until,
    From,
    To,
    Between,
    And,
    Or,
    Each,
    /// "Times" in "three times a week".
    Often,
    Per,
    /// "Whole".
    All,
    Am,
    Pm,
    Noon,
    Midnight,
    /// "Half past", "quarter to": minutes after the hour that follows.
    PastHour(i8),
    /// The same behind the hour: "y media".
    HourPlus(i8),
    /// "O'clock", "Uhr", "時".
    HourMark,
    MinuteMark,
    SecondMark,
    YearMark,
    MonthMark,
    DayMark,
    /// "s" of "1990s".
    DecadeMark,
    /// The name of an era, with the year before it began.
    Era(i16),
    /// Ordinal ending of digits.
    OrdinalMark,
    /// "第".
    OrdinalPrefix,
    /// "Q1", with the quarter.
    QuarterOf(i8),
    /// "H1", with the half.
    HalfOf(i8),
    Start,
    Mid,
    Finish,
    /// "More than", "less than", "about".
    Roughly,
    Of,
    The,
    On,
    At,
    /// Told to belong to what is around it and to mean nothing.
    Filler,
    /// A word that looks ahead ("will").
    Ahead,
    /// A phrase that holds words of the calendar and is no time ("good morning").
    Nothing,
    Colon,
    Dash,
    Slash,
    Dot,
    Comma,
    Open,
    /// Another word.
    Other,
    /// Another sign.
    Sign,
    /// After the end.
    End,
}

/// One token. Places are in characters.
#[derive(Debug, Clone, Copy)]
pub(super) struct Token {
    pub(super) term: Term,
    pub(super) start: u32,
    pub(super) end: u32,
    /// Whether white space stands before it.
    pub(super) spaced: bool,
    /// Whether it begins with a capital.
    pub(super) capital: bool,
    /// Whether its word is more than a short form.
    pub(super) full: bool,
}

/// The term that a table writes so. Tables are part of the program, and a test reads all of them.
pub(super) fn coded(code: &str) -> Option<Term> {
    simple(code).or_else(|| numbered(code)).or_else(|| keyed(code))
}

fn simple(code: &str) -> Option<Term> {
    Some(match code {
        "A" => Term::Article,
        "HALF" => Term::Half,
        "QUARTER" => Term::Quarter,
        "NOW" => Term::Now,
        "AGO" => Term::Ago,
        "HENCE" => Term::Hence,
        "IN" => Term::In,
        "INSIDE" => Term::Inside,
        "SINCE" => Term::Since,
        "BEFORE" => Term::Before,
        "AFTER" => Term::After,
        "UNTIL" => Term::Until,
        "FROM" => Term::From,
        "TO" => Term::To,
        "BETWEEN" => Term::Between,
        "AND" => Term::And,
        "OR" => Term::Or,
        "EACH" => Term::Each,
        "OFTEN" => Term::Often,
        "PER" => Term::Per,
        "ALL" => Term::All,
        "AM" => Term::Am,
        "PM" => Term::Pm,
        "NOON" => Term::Noon,
        "MIDNIGHT" => Term::Midnight,
        "HOUR" => Term::HourMark,
        "MINUTE" => Term::MinuteMark,
        "SECOND" => Term::SecondMark,
        "YEAR" => Term::YearMark,
        "MONTH" => Term::MonthMark,
        "DAY" => Term::DayMark,
        "DECADE" => Term::DecadeMark,
        "TH" => Term::OrdinalMark,
        "NO" => Term::OrdinalPrefix,
        "START" => Term::Start,
        "MID" => Term::Mid,
        "END" => Term::Finish,
        "ROUGHLY" => Term::Roughly,
        "OF" => Term::Of,
        "THE" => Term::The,
        "ON" => Term::On,
        "AT" => Term::At,
        "FILLER" => Term::Filler,
        "AHEAD" => Term::Ahead,
        "NOTHING" => Term::Nothing,
        _ => return None,
    })
}

/// A letter and a number: "M5" for May, "D-1" for yesterday.
fn numbered(code: &str) -> Option<Term> {
    let (letter, rest) = code.split_at_checked(1)?;
    let number: i64 = rest.parse().ok()?;
    let small = i8::try_from(number).unwrap_or_default();
    Some(match letter {
        "N" => Term::Number(number, 0),
        "O" => Term::Ordinal(number),
        "X" => Term::Times(number),
        "M" => Term::Month(small),
        "m" => Term::MaybeMonth(small),
        "W" => Term::Weekday(small),
        "w" => Term::MaybeWeekday(small),
        "D" => Term::Day(small),
        "Q" => Term::QuarterOf(small),
        "H" => Term::HalfOf(small),
        "P" => Term::PastHour(small),
        "p" => Term::HourPlus(small),
        "S" => Term::Season(
            [Season::Spring, Season::Summer, Season::Autumn, Season::Winter][number as usize % 4],
        ),
        _ => return None,
    })
}

/// A key and a value: "u:week".
fn keyed(code: &str) -> Option<Term> {
    let (key, value) = code.split_once(':')?;
    let mut numbers = value.split('/').map(|part| part.parse::<i16>().ok());
    let mut next = || numbers.next().flatten();
    Some(match key {
        "u" => Term::Unit(unit(value)?),
        "part" => Term::Part(part(value)?),
        "way" => Term::Way(way(value)?),
        "few" => Term::Few(next()? as i8, next()? as i8, next()? as i8),
        "era" => Term::Era(next()?),
        "fixed" => Term::Holiday(Holiday::Fixed(next()? as i8, next()? as i8)),
        "easter" => Term::Holiday(Holiday::Easter(next()?)),
        "nth" => Term::Holiday(Holiday::Nth(next()? as i8, next()? as i8, next()? as i8, next()? as i8)),
        "advent" => Term::Holiday(Holiday::Advent(next()? as i8)),
        _ => return None,
    })
}

fn unit(name: &str) -> Option<Unit> {
    Some(match name {
        "second" => Unit::Second,
        "minute" => Unit::Minute,
        "hour" => Unit::Hour,
        "day" => Unit::Day,
        "night" => Unit::Night,
        "business" => Unit::BusinessDay,
        "week" => Unit::Week,
        "workweek" => Unit::WorkWeek,
        "weekend" => Unit::Weekend,
        "fortnight" => Unit::Fortnight,
        "month" => Unit::Month,
        "quarter" => Unit::Quarter,
        "half" => Unit::HalfYear,
        "year" => Unit::Year,
        "decade" => Unit::Decade,
        "century" => Unit::Century,
        _ => return None,
    })
}

fn part(name: &str) -> Option<Part> {
    Some(match name {
        "early" => Part::Early,
        "morning" => Part::Morning,
        "afternoon" => Part::Afternoon,
        "late" => Part::LateAfternoon,
        "tarde" => Part::LongAfternoon,
        "evening" => Part::Evening,
        "night" => Part::Night,
        _ => return None,
    })
}

fn way(name: &str) -> Option<Way> {
    Some(match name {
        "-2" => Way::BeforeLast,
        "-1" => Way::Last,
        "past" => Way::Past,
        "0" => Way::This,
        "coming" => Way::Coming,
        "1" => Way::Next,
        "2" => Way::AfterNext,
        _ => return None,
    })
}

impl Term {
    /// Whether some expression cannot do without this term, apart from digits.
    pub(super) fn is_heart(self) -> bool {
        matches!(
            self,
            Self::Month(_)
                | Self::MaybeMonth(_)
                | Self::Weekday(_)
                | Self::MaybeWeekday(_)
                | Self::Unit(_)
                | Self::Season(_)
                | Self::Part(_)
                | Self::Holiday(_)
                | Self::Day(_)
                | Self::Now
                | Self::Noon
                | Self::Midnight
                | Self::HourMark
                | Self::PastHour(_)
                | Self::Am
                | Self::Pm
        )
    }

    /// Whether an expression can hang on this term.
    pub(super) fn is_solid(self) -> bool {
        self.is_heart()
            || matches!(
                self,
                Self::Number(..)
                    | Self::Ordinal(_)
                    | Self::QuarterOf(_)
                    | Self::HalfOf(_)
                    | Self::DecadeMark
                    | Self::Era(_)
                    | Self::MonthMark
                    | Self::YearMark
                    | Self::DayMark
                    | Self::Nothing
            )
    }
}

impl Unit {
    /// Seconds as durations count them: months of thirty days, years of 365.
    pub(super) fn seconds(self) -> i64 {
        const DAY: i64 = 86_400;
        match self {
            Self::Second => 1,
            Self::Minute => 60,
            Self::Hour => 3600,
            Self::Day | Self::Night | Self::BusinessDay => DAY,
            Self::Weekend => 2 * DAY,
            Self::WorkWeek => 5 * DAY,
            Self::Week => 7 * DAY,
            Self::Fortnight => 14 * DAY,
            Self::Month => 30 * DAY,
            Self::Quarter => 90 * DAY,
            Self::HalfYear => 180 * DAY,
            Self::Year => 365 * DAY,
            Self::Decade => 3650 * DAY,
            Self::Century => 36_500 * DAY,
        }
    }

    /// Whether it is shorter than a day.
    pub(super) fn is_short(self) -> bool {
        self.seconds() < Self::Day.seconds()
    }
}

impl Part {
    /// Its first hour and the first after it, as people mean it.
    pub(super) fn wide(self) -> (i8, i8) {
        match self {
            Self::Early | Self::Morning => (5, 12),
            Self::Afternoon => (12, 18),
            Self::LateAfternoon => (14, 18),
            Self::LongAfternoon => (12, 21),
            Self::Evening => (17, 22),
            Self::Night => (18, 24),
        }
    }

    /// The four hours that are surely of it, or half of them.
    pub(super) fn narrow(self) -> (i8, i8) {
        match self {
            Self::Early => (8, 10),
            Self::Morning => (8, 12),
            Self::Afternoon => (12, 16),
            Self::LateAfternoon => (14, 16),
            Self::LongAfternoon | Self::Evening => (16, 20),
            Self::Night => (20, 24),
        }
    }

    /// An hour of this part, where the clock may be one of twelve hours.
    pub(super) fn hour(self, hour: i64) -> i64 {
        match self {
            Self::Early | Self::Morning | Self::Night if hour == 12 => 0,
            Self::Afternoon | Self::LateAfternoon | Self::LongAfternoon | Self::Evening if hour < 12 => {
                hour + 12
            }
            Self::Night if (5..12).contains(&hour) => hour + 12,
            _ => hour,
        }
    }
}
