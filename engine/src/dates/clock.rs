//! Times of the clock, and ranges of them. Of which day they are is told in `joined`.

use crate::dates::language::Language;
use crate::dates::scan::Scan;
use crate::dates::term::{Part, Term, Unit, Way};

/// A time of the clock, or a range of them, in seconds of the day.
#[derive(Debug, Clone, Copy)]
pub(super) struct Clock {
    pub(super) next: usize,
    pub(super) from: i64,
    pub(super) to: Option<i64>,
    /// Whether something besides a bare number tells that it is a time of the clock.
    pub(super) sure: bool,
    /// Whether minutes are told.
    pub(super) minutes: bool,
    /// Which half of the day, if it is told.
    half: Option<Half>,
}

/// What tells the half of the day.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Half {
    Am,
    Pm,
    Part(Part),
}

impl Half {
    fn of(term: Term) -> Option<Self> {
        Some(match term {
            Term::Am => Self::Am,
            Term::Pm => Self::Pm,
            Term::Part(part) => Self::Part(part),
            Term::Unit(Unit::Night) => Self::Part(Part::Night),
            _ => return None,
        })
    }

    fn hour(self, hour: i64) -> i64 {
        match self {
            Self::Am => hour % 12 + if hour > 12 { 12 } else { 0 },
            Self::Pm if hour < 12 => hour + 12,
            Self::Pm => hour,
            Self::Part(part) => part.hour(hour),
        }
    }
}

const HOUR: i64 = 3600;

impl Scan<'_> {
    /// One time of the clock. A part of the day that was told before counts as one that stands here.
    pub(super) fn clock(&self, first: usize, told: Option<Part>) -> Option<Clock> {
        let mut half = told.map(Half::Part);
        let mut at = self.skip_all(first, &[Term::Comma, Term::Roughly]);
        if let Some(before) = Half::of(self.term(at)) {
            half = Some(before);
            at = self.skip_all(at + 1, &[Term::Of, Term::The, Term::On, Term::In, Term::Comma]);
        }
        let place = self.skip_all(at, &[Term::At, Term::To, Term::On, Term::The, Term::Dash, Term::Roughly]);
        let hour = self.language == Language::Turkish && self.term(place) == Term::Unit(Unit::Hour);
        let place = place + usize::from(hour);
        let told_at = hour
            || (at..place).any(|place| self.term(place) == Term::At)
            || self.is(at.wrapping_sub(1), &[Term::At]);
        match self.term(place) {
            Term::PastHour(minutes) => return self.past_hour(place + 1, minutes, half),
            // Dutch says so of half an hour before, and of half an hour.
            Term::Half if self.language == Language::Dutch => return self.past_hour(place + 1, -30, half),
            _ => {}
        }
        if let Some(clock) = self.minutes_past(place, half) {
            return Some(clock);
        }
        if matches!(self.term(place), Term::Noon | Term::Midnight) {
            let hour = if self.term(place) == Term::Noon { 12 } else { 0 };
            return Some(self.full_hour(place + 1, hour));
        }
        let clock = self.hours(place)?;
        let clock = self.with_half(clock, half)?;
        let sure = clock.sure || told_at && (clock.minutes || self.number_may_be_hour(place));
        Some(Clock { sure, ..clock })
    }

    fn full_hour(&self, next: usize, hour: i64) -> Clock {
        // "Noon 12".
        let twelve = self.term(next) == Term::Number(12, 2);
        let next = if twelve { self.skip(next + 1, &[Term::HourMark]) } else { next };
        Clock { next, from: hour * HOUR, to: None, sure: true, minutes: false, half: Some(Half::Am) }
    }

    /// Whether a number behind "at" can be an hour: of one or two digits, or written out.
    fn number_may_be_hour(&self, at: usize) -> bool {
        let next = self.term(at + 1);
        let counted = self.unit(at + 1).is_some() && !self.is(at + 1, &[Term::Unit(Unit::Hour)]);
        matches!(self.term(at), Term::Number(0..=24, _) | Term::Article)
            && !counted
            && !matches!(next, Term::Dot | Term::Slash | Term::OrdinalMark)
            && (self.language != Language::English || next != Term::Other)
    }

    /// "half past seven", "halb acht", "quarter to 3".
    fn past_hour(&self, at: usize, minutes: i8, half: Option<Half>) -> Option<Clock> {
        let (hour, next) = self.number(self.skip(at, &[Term::The]))?;
        (0..=24).contains(&hour).then_some(())?;
        let next = self.skip(next, &[Term::HourMark]);
        let from = (hour * HOUR + i64::from(minutes) * 60).rem_euclid(24 * HOUR);
        self.with_half(Clock { next, from, to: None, sure: true, minutes: true, half: None }, half)
    }

    /// "20 past eight", "10 minutes to 5 pm".
    fn minutes_past(&self, at: usize, half: Option<Half>) -> Option<Clock> {
        let (minutes @ 1..=59, next) = self.number(at)? else {
            return None;
        };
        let place = self.skip(next, &[Term::Unit(Unit::Minute)]);
        let (sign, plain) = match self.term(place) {
            Term::Way(Way::Past) => (1, true),
            Term::After => (1, false),
            Term::To | Term::Before => (-1, false),
            Term::Ago if self.language == Language::German => (-1, false),
            _ => return None,
        };
        let clock = self.past_hour(place + 1, (minutes * sign) as i8, half)?;
        let told = clock.half.is_some() && clock.half != half || self.before(clock.next) == Term::HourMark;
        (matches!(self.language, Language::English | Language::German | Language::Dutch)
            && (plain || told && place > next))
            .then_some(clock)
    }

    /// The hour, and its minutes and seconds.
    fn hours(&self, at: usize) -> Option<Clock> {
        let one = self.term(at) == Term::Article
            && self.before(at) == Term::At
            && matches!(self.language, Language::Spanish | Language::Portuguese | Language::Italian)
            && self.term(at + 1) != Term::Other;
        let (hour, next) = self.number(at).or(one.then_some((1, at + 1)))?;
        let digits = match self.term(at) {
            Term::Number(_, digits) => digits,
            _ => 0,
        };
        let mut clock = Clock { next, from: hour * HOUR, to: None, sure: false, minutes: false, half: None };
        if digits >= 3 {
            return self.military(clock, hour, digits, at);
        }
        (0..=24).contains(&hour).then_some(())?;
        match self.term(next) {
            Term::Colon if self.touches(next) => {
                let Term::Number(minutes @ 0..60, 2) = self.term(next + 1) else {
                    return None;
                };
                clock = Clock {
                    next: next + 2,
                    from: hour * HOUR + minutes * 60,
                    sure: true,
                    minutes: true,
                    ..clock
                };
                if let (Term::Colon, Term::Number(seconds @ 0..60, 2)) =
                    (self.term(next + 2), self.term(next + 3))
                {
                    clock.from += seconds;
                    clock.next = next + 4;
                }
            }
            Term::Dot if self.touches(next) && self.touches(next + 1) && digits > 0 => {
                let Term::Number(minutes @ 0..60, 2) = self.term(next + 1) else {
                    return None;
                };
                clock = Clock { next: next + 2, from: hour * HOUR + minutes * 60, minutes: true, ..clock };
            }
            _ => {}
        }
        Some(self.marked_hours(clock, at))
    }

    /// "1140 a.m.", "0730-0930".
    fn military(&self, clock: Clock, number: i64, digits: u8, at: usize) -> Option<Clock> {
        let half = Half::of(self.term(clock.next)).is_some();
        let zero = digits == 4 && number < 1000;
        let (hour, minute) = (number / 100, number % 100);
        let marked = half || zero || self.term(clock.next) == Term::HourMark;
        (digits <= 4 && hour < 24 && minute < 60 && marked && self.term(at) != Term::Times(100))
            .then_some(())?;
        let next = self.skip(clock.next, &[Term::HourMark]);
        Some(Clock { next, from: hour * HOUR + minute * 60, sure: true, minutes: true, ..clock })
    }

    /// What is told behind the hours: "Uhr 30", "時半", "h30", "y media".
    fn marked_hours(&self, mut clock: Clock, at: usize) -> Clock {
        let mark = clock.next;
        let hours_too = self.language.hours_tell_the_clock() && self.tells_the_clock(at, mark);
        let marked = self.term(mark) == Term::HourMark && !self.counts_hours(at);
        if marked || self.term(mark) == Term::Unit(Unit::Hour) && hours_too {
            clock.next = self.skip(mark + 1, &[Term::Colon]);
            clock.sure = true;
            let minutes_at = self.skip_all(clock.next, &[Term::And]);
            if let Some((minutes @ 0..60, next)) = self.number(minutes_at)
                && !clock.minutes
                && (self.is(next, &[Term::MinuteMark, Term::Unit(Unit::Minute)])
                    || minutes_at == clock.next
                        && (matches!(self.term(minutes_at), Term::Number(_, 2)) || minutes >= 10)
                        && !self.is_marked(next))
            {
                clock.from += minutes * 60;
                clock.minutes = true;
                clock.next = self.skip_all(next, &[Term::MinuteMark, Term::Unit(Unit::Minute)]);
            }
            if let Some((seconds @ 0..60, next)) = self.number(clock.next)
                && self.is(next, &[Term::SecondMark, Term::Unit(Unit::Second)])
            {
                clock.from += seconds;
                clock.next = next + 1;
            }
            if self.term(clock.next) == Term::Half {
                clock.from += 30 * 60;
                clock.minutes = true;
                clock.next += 1;
            }
        }
        if self.language.hours_tell_the_clock()
            && !clock.minutes
            && (self.term(clock.next), self.term(clock.next + 1)) == (Term::And, Term::Half)
            && self.unit(clock.next + 2).is_none()
        {
            clock = Clock {
                next: clock.next + 2,
                from: clock.from + 30 * 60,
                sure: true,
                minutes: true,
                ..clock
            };
        }
        if let Term::HourPlus(minutes) = self.term(clock.next) {
            clock.from = (clock.from + i64::from(minutes) * 60).rem_euclid(24 * HOUR);
            clock = Clock { next: clock.next + 1, sure: true, minutes: true, ..clock };
        }
        // "Las siete y treinta".
        if self.language.hours_tell_the_clock()
            && !clock.minutes
            && self.is(clock.next, &[Term::And])
            && let Some((minutes @ 1..60, next)) = self.number(clock.next + 1)
            && self.unit(next).is_none_or(|(unit, _)| unit == Unit::Minute)
            && !self.is_marked(next)
            && matches!(self.before(at), Term::At | Term::The)
            && !(1..4).any(|back| at >= back && self.term(at - back) == Term::Between)
        {
            clock = Clock { next, from: clock.from + minutes * 60, minutes: true, ..clock };
        }
        if self.language == Language::English
            && !clock.minutes
            && let Term::Number(hour, 0) = self.term(at)
            && hour <= 12
        {
            clock = self.spoken_minutes(clock);
        }
        clock
    }

    /// Whether "pour 3h" may count hours.
    fn counts_hours(&self, at: usize) -> bool {
        self.language.hours_tell_the_clock()
            && matches!(self.before(at), Term::Filler | Term::In | Term::Inside | Term::Ago | Term::Roughly)
            && Half::of(self.term(at + 2)).is_none()
    }

    /// "five thirty".
    fn spoken_minutes(&self, clock: Clock) -> Clock {
        let place = self.skip(clock.next, &[Term::Dash]);
        match self.number(place) {
            Some((minutes @ 10..60, next)) if matches!(self.term(place), Term::Number(_, 0)) => Clock {
                next,
                from: clock.from + minutes * 60,
                minutes: true,
                sure: self.unit(next).is_none(),
                ..clock
            },
            _ => clock,
        }
    }

    /// Whether a number at `place` belongs to what stands behind it.
    fn is_marked(&self, place: usize) -> bool {
        matches!(
            self.term(place),
            Term::Month(_) | Term::HourMark | Term::Colon | Term::MonthMark | Term::DayMark
        ) || self.unit(place).is_some()
    }

    /// Whether a unit of hours at `mark` is of the clock: "à 5 heures", "17h30", "16 heures".
    fn tells_the_clock(&self, at: usize, mark: usize) -> bool {
        matches!(self.before(at), Term::At | Term::To | Term::On | Term::The)
            || self.touches(mark + 1) && matches!(self.term(mark + 1), Term::Number(_, 2))
            || Half::of(self.term(mark + 1)).is_some()
    }

    /// With the half of the day that is told behind it, or else before it.
    fn with_half(&self, mut clock: Clock, before: Option<Half>) -> Option<Clock> {
        let place = self.skip_all(clock.next, &[Term::Of, Term::In, Term::Comma, Term::Dash]);
        let behind = Half::of(self.term(place)).filter(|half| {
            // "5 Uhr abends" tells the hour; "Monday 5, morning" may not.
            let least = match self.language {
                Language::English => 10,
                Language::French | Language::Spanish | Language::Italian | Language::Portuguese => 7,
                Language::Dutch => 8,
                _ => 0,
            };
            let part = matches!(half, Half::Part(_));
            let short = part && self.tokens.get(place).is_some_and(|token| token.end - token.start < least);
            if short && !clock.sure {
                return false;
            }
            place == clock.next
                || matches!(half, Half::Part(_)) && !self.is(clock.next, &[Term::Comma, Term::Dash])
        });
        if behind.is_some() {
            clock.next =
                self.skip(place + 1, &[Term::Dot]).min(place + 1 + usize::from(self.touches(place + 1)));
            clock.next = self.skip(place + 1, &[Term::HourMark]).max(place + 1);
        }
        let Some(half) = behind.or(before) else {
            return Some(clock);
        };
        let hour = clock.from / HOUR;
        if behind.is_some() && matches!(half, Half::Am | Half::Pm) && !(0..=24).contains(&hour) {
            return None;
        }
        clock.from = half.hour(hour) * HOUR + clock.from % HOUR;
        clock.half = Some(half);
        clock.sure = true;
        Some(clock)
    }

    /// A time of the clock, or a range of them; a bare number is one where `bare`.
    pub(super) fn clocks(&self, first: usize, told: Option<Part>, bare: bool) -> Option<Clock> {
        let range = self.clock_range(first, told, bare).or_else(|| self.clock_and_amount(first, told));
        range.or_else(|| self.clock(first, told).filter(|clock| clock.sure || bare && clock.minutes))
    }

    /// "5 to 6pm", "from 9:30 until 11", "between 3 and 4", "午後5時から6時まで".
    fn clock_range(&self, first: usize, told: Option<Part>, bare: bool) -> Option<Clock> {
        let start = self.skip(first, &[Term::Comma]);
        let (at, between) = self.range_opens(start);
        let opened = at > start;
        let from = self.clock(at, told)?;
        let spoken = self.clock_range_end(from.next, between, opened)?;
        let mut to = self.clock(spoken, None)?;
        let closed = self.range_closes(to.next);
        if let Some(closed) = closed {
            to.next = closed;
        }
        let sure = from.sure
            || to.sure
            || from.minutes && to.minutes
            || bare
                && (opened || self.is(from.next, &[Term::Dash, Term::To, Term::Until]) || closed.is_some());
        if !sure
            || (from.from >= 24 * HOUR && to.from >= 24 * HOUR)
            || self.is(to.next, &[Term::Slash, Term::Dot])
                && self.touches(to.next)
                && self.touches(to.next + 1)
        {
            return None;
        }
        // "12-2015" is a month, and "10-4-2016" a day.
        if self.is(to.next, &[Term::Dash])
            && self.touches(to.next)
            && matches!(self.term(to.next + 1), Term::Number(..))
        {
            return None;
        }
        Some(together(from, to))
    }

    /// "from 10 am for 3 hours".
    fn clock_and_amount(&self, first: usize, told: Option<Part>) -> Option<Clock> {
        let (at, _) = self.range_opens(self.skip(first, &[Term::Comma]));
        let from = self.clock(at, told).filter(|clock| clock.sure)?;
        let place = self.skip_all(from.next, &[Term::Filler]);
        let amount = self.amount(place).filter(|amount| place > from.next && amount.unit.is_short())?;
        Some(Clock { next: amount.next, to: Some(from.from + amount.seconds as i64), ..from })
    }

    fn clock_range_end(&self, at: usize, between: bool, opened: bool) -> Option<usize> {
        if let Some(next) = self.range_goes_on(at, between) {
            return Some(next);
        }
        // Turkish tells both ends by their endings.
        let next = self.term(at);
        (self.language == Language::Turkish
            && !opened
            && matches!(next, Term::Number(..) | Term::At)
            && (at..at + 6).any(|place| self.term(place) == Term::Until))
        .then_some(at)
    }
}

/// A range of two times, of which each may tell the half of the day for both.
fn together(from: Clock, to: Clock) -> Clock {
    let (mut start, mut end) = (from.from, to.from);
    if from.half.is_none()
        && let Some(half) = to.half
    {
        let moved = half.hour(start / HOUR) * HOUR + start % HOUR;
        if moved < end {
            start = moved;
        }
    }
    if to.half.is_none()
        && let Some(half) = from.half
    {
        let moved = half.hour(end / HOUR) * HOUR + end % HOUR;
        if moved > start && half != Half::Am {
            end = moved;
        }
    }
    if end <= start && end < 12 * HOUR && to.half.is_none() {
        end += 12 * HOUR;
    }
    if end <= start {
        end += 24 * HOUR;
    }
    let half = from.half.or(to.half);
    let minutes = from.minutes || to.minutes;
    Clock { next: to.next, from: start, to: Some(end), sure: true, minutes, half }
}
