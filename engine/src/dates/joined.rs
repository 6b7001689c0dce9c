//! Expressions put together: a day with its time, two ends of a range, and what lies before or after a time.

use crate::dates::absolute::longest;
use crate::dates::calendar::{Stretch, days_between, nearest, step, step_time, ymd};
use crate::dates::clock::Clock;
use crate::dates::expression::Granularity;
use crate::dates::language::Language;
use crate::dates::relative::day_part;
use crate::dates::scan::{Hit, Kind, Meant, Open, Scan};
use crate::dates::term::{Part, Term, Unit};

impl Scan<'_> {
    /// A time of any kind that begins at `at`.
    pub(super) fn time(&self, at: usize) -> Option<Hit> {
        let hit = longest([self.day_range(at), self.range(at), self.moment(at), self.bounded(at)])?;
        Some(self.bounded_from_behind(hit))
    }

    /// A date, a time of the clock, a part of a day, or these together in any order.
    fn moment(&self, at: usize) -> Option<Hit> {
        let at_date = self.date(at);
        let dated = at_date.map(|hit| self.with_clock(hit));
        let clocked = self.clock_first(at);
        let parted = self.part_first(at);
        longest([dated, clocked, parted, self.now(at)])
    }

    fn now(&self, at: usize) -> Option<Hit> {
        let anchor = self.anchor.filter(|_| self.term(at) == Term::Now)?;
        Some(Hit::new(at, at + 1, Stretch::moment(anchor)?).weak())
    }

    /// The date with a part of the day or a time of the clock behind it.
    fn with_clock(&self, hit: Hit) -> Hit {
        let exact = hit.exact.granularity == Granularity::Hour;
        if !hit.is_day() && !exact {
            return hit;
        }
        let told = if exact { self.part_before(hit.next) } else { None };
        let place =
            self.skip_all(hit.next, &[Term::Comma, Term::Of, Term::The, Term::Filler, Term::Dash, Term::In]);
        let place = self.skip(place, &[Term::On]);
        let clock = self.clocks(place, told, true).or_else(|| self.clocks(hit.next, told, true));
        if let Some(with) = clock.and_then(|clock| Self::at_clock(hit.first, clock.next, &hit, clock)) {
            return with;
        }
        if let Some(open) = self.with_open_clock(&hit, place) {
            return open;
        }
        match self.part(place) {
            Some(part) if !exact => {
                let next = self.skip(place + 1, &[Term::Filler]);
                let day = Hit { kind: Kind::Other, ..day_part(hit.first, next, hit.exact, part) };
                let day = Hit { meant: day.meant, ..day };
                self.with_clock_of_part(day, part)
            }
            _ => hit,
        }
    }

    /// "today before 4pm".
    fn with_open_clock(&self, hit: &Hit, at: usize) -> Option<Hit> {
        let word = match self.term(at) {
            Term::Before | Term::After | Term::Until | Term::Since => self.term(at),
            Term::Ago if self.language.ago_comes_first() => Term::Before,
            _ => return None,
        };
        (!self.language.has_postpositions()).then_some(())?;
        let clock = self
            .clocks(self.skip_all(at + 1, &[Term::The]), None, false)
            .filter(|clock| clock.to.is_none())?;
        let moment = Self::at_clock(hit.first, clock.next, hit, clock)?;
        let open = Self::open(hit.first, clock.next, &moment, word);
        Some(Hit { meant: hit.meant, ..open })
    }

    /// "tomorrow morning at 9".
    fn with_clock_of_part(&self, hit: Hit, part: Part) -> Hit {
        let clock =
            self.clocks(self.skip_all(hit.next, &[Term::Comma, Term::Of, Term::On]), Some(part), true);
        let with = clock.and_then(|clock| Self::at_clock(hit.first, clock.next, &hit, clock));
        let after = with.unwrap_or(hit);
        // "Wednesday evening next week": the week tells which Wednesday.
        let place = self.skip_binding(after.next);
        if let (Term::Way(way), Term::Unit(Unit::Week)) = (self.term(place), self.term(place + 1))
            && let Some(moved) = self.in_week(&after, way.offset())
        {
            return moved.around(moved.first, place + 2);
        }
        after
    }

    fn in_week(&self, hit: &Hit, weeks: i64) -> Option<Hit> {
        let week = Stretch::week(step(self.today()?, Unit::Week, weeks)?)?;
        let own = Stretch::week(hit.exact.from.date())?;
        let days = days_between(week.from.date(), own.from.date());
        let mut moved = *hit;
        moved.exact = hit.exact.moved(Unit::Day, days)?;
        if let Some(meant) = &mut moved.meant {
            meant.stretch = meant.stretch.moved(Unit::Day, days)?;
        }
        Some(moved)
    }

    /// The part of the day that the token before `next` tells.
    fn part_before(&self, next: usize) -> Option<Part> {
        next.checked_sub(1).and_then(|before| self.part(before))
    }

    /// A day at a time of the clock, or between two.
    fn at_clock(first: usize, next: usize, day: &Hit, clock: Clock) -> Option<Hit> {
        let stretch = match clock.to {
            Some(to) => day.exact.clock_hours(clock.from, to),
            None => day.exact.at_second(clock.from),
        }?;
        let hit = Hit::new(first, next, stretch);
        Some(Hit { year_told: day.year_told, ..hit })
    }

    /// A time of the clock, with the day behind it where one is told.
    fn clock_first(&self, at: usize) -> Option<Hit> {
        let clock = self.clocks(at, None, false).or_else(|| {
            // "five to seven today": the day tells that these are hours.
            let clock = self.clocks(at, None, true)?;
            let day_at = self.skip_all(clock.next, &[Term::Comma, Term::On, Term::Of, Term::The]);
            self.date(day_at).filter(|day| day.is_day() && day.meant.is_some()).map(|_| clock)
        })?;
        let place = self.skip_all(clock.next, &[Term::Comma, Term::On, Term::Of, Term::The, Term::In]);
        let day = self.date(place).filter(|day| day.is_day() || day.exact.granularity == Granularity::Hour);
        if let Some(day) = day.filter(|day| self.language == Language::English || day.meant.is_some()) {
            let told = self.part_before(day.next);
            let clock = self.clocks(at, told, true).unwrap_or(clock);
            let (clock, next) = match self.part(day.next) {
                Some(part) if told.is_none() => {
                    (self.clocks(at, Some(part), true).unwrap_or(clock), day.next + 1)
                }
                _ => (clock, day.next),
            };
            if let Some(hit) = Self::at_clock(at, next, &day, clock) {
                return Some(hit);
            }
        }
        let first = if self.is(at, &[Term::Comma]) { at + 1 } else { at };
        let mut hit = Self::at_clock(first, clock.next, &Hit::day(at, clock.next, self.today()?)?, clock)?;
        hit.kind = Kind::Clock;
        // The word "at" is not of the time.
        if self.is(first, &[Term::At, Term::Comma, Term::Roughly, Term::The, Term::On])
            && self.language == Language::English
        {
            let inner = self.skip_all(first, &[Term::At, Term::Comma, Term::Roughly, Term::The, Term::On]);
            hit.meant = hit.meant.map(|meant| Meant { first: inner, ..meant });
        }
        Some(hit)
    }

    /// "in the morning", "morning of 5 May", "evening next Friday".
    fn part_first(&self, first: usize) -> Option<Hit> {
        let mut at = self.skip_all(
            first,
            &[Term::In, Term::The, Term::On, Term::Of, Term::Start, Term::Finish, Term::Roughly, Term::At],
        );
        let mut part = self.part(at)?;
        let edge =
            (first..at).map(|place| self.term(place)).find(|term| matches!(term, Term::Start | Term::Finish));
        if self.language.has_postpositions() && self.term(self.skip(at + 1, &[Term::Of])) == Term::Start {
            at = self.skip(at + 1, &[Term::Of]);
            part = Part::Early;
        }
        let place = self.skip_all(at + 1, &[Term::Of, Term::The, Term::On, Term::Comma, Term::In]);
        if let Some(day) = self.date(place).filter(Hit::is_day) {
            return Some(day_part(first, day.next, day.exact, part));
        }
        let day = Stretch::day(self.today()?)?;
        let (from, to) = part.narrow();
        let stretch = match edge {
            Some(Term::Start) => day.hours(from, from + (to - from) / 2),
            Some(_) => day.hours(from + (to - from) / 2, to),
            None => day.hours(from, to),
        }?;
        let mut hit = Hit::new(first, self.skip(at + 1, &[Term::Filler]), stretch).weak();
        hit.kind = Kind::Part;
        let begins = first < at || self.is_told_part(at);
        Some(hit).filter(|_| begins)
    }

    /// In English "morning" alone is no time; "in the morning", which is one phrase, is.
    fn is_told_part(&self, at: usize) -> bool {
        let token = self.tokens[at];
        self.language != Language::English || token.end - token.start > 11
    }

    /// "from 2019 to 2021", "May 3 - June 5", "zwischen Montag und Freitag".
    fn range(&self, first: usize) -> Option<Hit> {
        let (at, between) = self.range_opens(first);
        let from = self.range_end(at)?;
        let turkish = self.language == Language::Turkish && at == first;
        let to_at = self.range_goes_on(from.next, between).or(turkish.then_some(from.next))?;
        let to = self.range_end(to_at)?;
        // Turkish may tell both ends by their endings.
        if to_at == from.next && self.range_closes(to.next).is_none() {
            return None;
        }
        // Without a word that opens it, only signs and "to" join, and only what is alike.
        if at == first && !Self::joins_alone(&from, &to) {
            return None;
        }
        let next = self.range_closes(to.next).unwrap_or(to.next);
        let (from, to) = Self::aligned(self.day_of_now(from, &to), self.day_of_now(to, &from))?;
        let (start, end) = (from.edge.unwrap_or(from.exact.from), to.edge.unwrap_or(to.exact.from));
        let granularity = from.exact.granularity.max(to.exact.granularity);
        let exact = Stretch { from: start, to: end, granularity };
        if exact.from >= exact.to {
            return None;
        }
        let exact_hit = Hit { kind: Kind::Other, ..Hit::new(first, next, exact) };
        let weak = from.meant.is_none() || to.meant.is_none();
        // A range is told no more exactly than it is long.
        let length = match days_between(to.exact.to.date(), exact.from.date()) {
            ..=1 => granularity,
            2..=14 => granularity.max(Granularity::Day),
            15..=31 => granularity.max(Granularity::Month),
            32..=200 => granularity.max(Granularity::Season),
            _ => Granularity::Year,
        };
        let stretch = Stretch { to: to.exact.to, granularity: length, ..exact };
        let inner = Meant { first: from.first, next: to.next, stretch };
        Some(Hit { meant: Some(inner).filter(|_| !weak), ..exact_hit })
    }

    /// "Now" is today where the other end is a day.
    fn day_of_now(&self, mut hit: Hit, other: &Hit) -> Hit {
        if self.term(hit.first) == Term::Now
            && other.exact.granularity >= Granularity::Day
            && let Some(day) = Stretch::day(hit.exact.from.date())
        {
            hit.exact = day;
        }
        hit
    }

    fn range_end(&self, at: usize) -> Option<Hit> {
        let year = self.year(at).filter(|_| self.unit(at + 1).is_none());
        let bare = year.and_then(|year| Some(Hit::new(at, at + 1, Stretch::years(year, year + 1)?)));
        longest([self.moment(at), bare]).filter(|hit| hit.kind != Kind::Part)
    }

    fn joins_alone(from: &Hit, to: &Hit) -> bool {
        let alike = from.exact.granularity == to.exact.granularity
            || from.exact.granularity == Granularity::Year
            || from.exact.granularity == Granularity::Month
            || from.edge.is_some();
        alike && from.kind != Kind::Clock
    }

    /// The ends with what each tells of the other: "Jan-Feb 2017", "from Nov to March", "Monday to Friday".
    fn aligned(mut from: Hit, mut to: Hit) -> Option<(Hit, Hit)> {
        let shift = |hit: &mut Hit, unit, count| -> Option<()> {
            hit.exact = hit.exact.moved(unit, count)?;
            hit.edge = hit.edge.and_then(|edge| step_time(edge, unit, count));
            Some(())
        };
        if to.kind == Kind::Clock {
            // Two days, of which the second is told with the first.
            let days = days_between(from.exact.from.date(), to.exact.from.date());
            shift(&mut to, Unit::Day, days)?;
        }
        if from.kind == Kind::Weekday || to.kind == Kind::Weekday {
            let days = days_between(to.exact.from.date(), from.exact.from.date());
            shift(&mut to, Unit::Day, days.rem_euclid(7) - days)?;
        } else if !from.year_told && to.year_told {
            let years = i64::from(to.exact.from.year()) - i64::from(from.exact.from.year());
            shift(&mut from, Unit::Year, years)?;
            if from.exact.from >= to.exact.from {
                shift(&mut from, Unit::Year, -1)?;
            }
        } else if !to.year_told {
            let years = i64::from(from.exact.from.year()) - i64::from(to.exact.from.year());
            shift(&mut to, Unit::Year, years)?;
            if to.exact.from <= from.exact.from {
                shift(&mut to, Unit::Year, 1)?;
            }
        }
        Some((from, to))
    }

    /// Days of one month: "3 to 12 September", "May 4-22, 2016", "4日から23日まで".
    fn day_range(&self, first: usize) -> Option<Hit> {
        let (at, between) = self.range_opens(first);
        let at = self.skip_all(at, &[Term::The]);
        match self.term(at) {
            Term::Month(_) | Term::MaybeMonth(_) => self.days_behind_month(first, at, between),
            Term::Number(..) | Term::Ordinal(_) => self.days_before_month(first, at, between),
            _ => None,
        }
        .or_else(|| self.days_behind_date(first, at, between))
    }

    fn day_number(&self, at: usize) -> Option<(i64, usize)> {
        let (day, next) = self.ordinal(at).or_else(|| self.number(at))?;
        ((1..=31).contains(&day)).then_some((day, next))
    }

    fn days_before_month(&self, first: usize, at: usize, between: bool) -> Option<Hit> {
        let (from, next) = self.day_number(at)?;
        let next = self.skip(next, &[Term::Of]);
        let to_at = self.range_goes_on(next, between || self.language.has_postpositions())?;
        let (to, next) = self.day_number(self.skip_all(to_at, &[Term::The, Term::On]))?;
        let month = self.skip_all(next, &[Term::Of, Term::In, Term::The]);
        let (Term::Month(_) | Term::MaybeMonth(_)) = self.term(month) else {
            // "Between the 4th and 22nd of this month".
            let whole =
                self.date(month).filter(|hit| hit.exact.granularity == Granularity::Month && month > next)?;
            return self.days_of(first, whole.next, &whole, from, to);
        };
        let last = self.date(to_at.min(next - 1)).filter(Hit::is_day).or_else(|| self.absolute(next - 1))?;
        let whole = Hit { exact: Stretch::month(last.exact.from.date())?, ..last };
        self.days_of(first, last.next, &whole, from, to)
    }

    fn days_behind_month(&self, first: usize, at: usize, between: bool) -> Option<Hit> {
        let (Term::Month(month) | Term::MaybeMonth(month)) = self.term(at) else {
            return None;
        };
        let glue = [Term::The, Term::On, Term::Dot, Term::Comma, Term::From, Term::Of];
        let (from, next) = self.day_number(self.skip_all(at + 1, &glue))?;
        let to_at = self.range_goes_on(next, between || self.term(first) == Term::Between)?;
        let (to, next) = self.day_number(self.skip_all(to_at, &[Term::The, Term::On]))?;
        if self.is(next, &[Term::Colon, Term::Am, Term::Pm, Term::HourMark])
            || matches!(self.term(next), Term::Month(_))
        {
            return None;
        }
        let year_at = self.skip_all(next, &[Term::Comma, Term::Of, Term::In]);
        let (year, next) = match self.year(year_at) {
            Some(year) => (Some(year), year_at + 1),
            None => (None, next),
        };
        let start = match year {
            Some(year) => ymd(year, month.into(), from)?,
            None => nearest(self.today()?, month.into(), from)?,
        };
        let whole = Hit::new(first, next, Stretch::month(start)?);
        self.days_of(first, next, &whole, from, to)
    }

    /// "来月の4日から23日まで", "2016年1月10日到12日": the second day is of the first one's month.
    fn days_behind_date(&self, first: usize, at: usize, between: bool) -> Option<Hit> {
        let from = self.date(at).filter(|hit| hit.kind == Kind::Day)?;
        let to_at = self.range_goes_on(from.next, between)?;
        let (to, next) = self.day_number(to_at)?;
        let marked = self.term(next) == Term::DayMark;
        let turkish = self.language == Language::Turkish && self.range_closes(next).is_some();
        (marked || turkish).then_some(())?;
        let whole = Hit { exact: Stretch::month(from.exact.from.date())?, ..from };
        self.days_of(first, next + usize::from(marked), &whole, from.exact.from.day().into(), to)
    }

    fn days_of(&self, first: usize, next: usize, whole: &Hit, from: i64, to: i64) -> Option<Hit> {
        let month = whole.exact.from.date();
        let (year, month) = (month.year().into(), month.month().into());
        let (start, end) = (ymd(year, month, from)?, ymd(year, month, to)?);
        (start < end).then_some(())?;
        let next = self.range_closes(next).unwrap_or(next);
        let meant = Stretch::between(start, step(end, Unit::Day, 1)?, Granularity::Day);
        let hit = Hit::new(first, next, Stretch::between(start, end, Granularity::Day)).meaning(Some(meant));
        Some(Hit { kind: Kind::Other, ..hit })
    }

    /// "since August", "before 2018", "after 4pm", "until tomorrow".
    fn bounded(&self, first: usize) -> Option<Hit> {
        let mut at = first;
        let (word, next) = match self.term(at) {
            Term::On | Term::In => {
                at += 1;
                (self.term(at), at + 1)
            }
            term => (term, at + 1),
        };
        let word = match word {
            Term::Since | Term::Before | Term::After | Term::Until => word,
            Term::Ago if self.language.ago_comes_first() => Term::Before,
            Term::From if self.language.is_unspaced() => Term::Since,
            _ => return None,
        };
        let chinese = self.language == Language::Chinese && matches!(word, Term::Since | Term::Until);
        if self.language.has_postpositions() && !chinese {
            return None;
        }
        let inner = self
            .moment(next)
            .or_else(|| self.range_end(self.skip_all(next, &[Term::The, Term::On, Term::Of])));
        let inner = inner
            .or_else(|| self.part_first(next))
            .or_else(|| self.moment(self.skip_all(next, &[Term::The, Term::On])))?;
        Some(Self::open(first, inner.next, &inner, word))
    }

    fn open(first: usize, next: usize, inner: &Hit, word: Term) -> Hit {
        let instant = inner.exact.granularity <= Granularity::Hour;
        let (exact, open) = match (word, inner.edge) {
            (Term::Before, Some(edge)) => (Stretch { to: edge, ..inner.exact }, Open::From),
            (Term::After, Some(edge)) => (Stretch { from: edge, ..inner.exact }, Open::To),
            _ => Self::opened(inner, word, instant),
        };
        Hit { first, next, exact, open, meant: inner.meant, kind: Kind::Other, edge: None, ..*inner }
    }

    fn opened(inner: &Hit, word: Term, instant: bool) -> (Stretch, Open) {
        match word {
            Term::Since => (inner.exact, Open::To),
            Term::After if instant => (inner.exact, Open::To),
            Term::After if inner.is_day() => (inner.exact, Open::To),
            Term::After => (Stretch { from: inner.exact.to, ..inner.exact }, Open::To),
            _ => (Stretch { to: inner.exact.from, ..inner.exact }, Open::From),
        }
    }

    /// "明日から", "2018年以前", "yarına kadar", "2012 or later".
    fn bounded_from_behind(&self, hit: Hit) -> Hit {
        if hit.open != Open::No {
            // "自2018年以来": the word behind adds nothing.
            let closed = self.language.has_postpositions()
                && matches!(self.term(hit.next), Term::Since | Term::Until | Term::Before);
            return if closed { Hit { next: hit.next + 1, ..hit } } else { hit };
        }
        let (word, next) = if self.language.has_postpositions() {
            let place = self.skip_all(hit.next, &[Term::Of, Term::On]);
            // "或之前" leaves the day itself in.
            let with = self.skip(place, &[Term::Or, Term::And]);
            let word = match self.term(with) {
                Term::Hence | Term::After if with > place => Term::Since,
                Term::Ago | Term::Before if with > place => Term::Until,
                _ if with > place => return hit,
                word => word,
            };
            (word, with + 1)
        } else if matches!(self.term(hit.next), Term::Or | Term::And) {
            let word = match self.term(hit.next + 1) {
                Term::Hence => Term::Since,
                Term::Start | Term::Ago | Term::Before if self.range_end(hit.next + 2).is_none() => {
                    Term::Until
                }
                Term::Finish if self.language == Language::English => Term::Since,
                Term::After
                    if self.date(hit.next + 2).is_none() && self.term(hit.next + 2) != Term::Other =>
                {
                    Term::Since
                }
                _ => return hit,
            };
            (word, hit.next + 2)
        } else {
            return hit;
        };
        let word = match word {
            Term::From | Term::Since => Term::Since,
            Term::Ago | Term::Before => Term::Before,
            Term::Hence | Term::After => Term::After,
            Term::Until => Term::Until,
            _ => return hit,
        };
        Self::open(hit.first, next, &hit, word)
    }
}
