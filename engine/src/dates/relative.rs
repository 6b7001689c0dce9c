//! Dates that are counted from the time at which they were said: "yesterday", "last Friday", "two weeks ago",
//! "the week before 9 June". Without that time none of them is read.

use jiff::civil::{Date, DateTime};

use crate::dates::absolute::longest;
use crate::dates::calendar::{Stretch, days_between, holiday, step, ymd};
use crate::dates::expression::Granularity;
use crate::dates::language::Language;
use crate::dates::number::Quantity;
use crate::dates::scan::{Hit, Kind, Scan};
use crate::dates::term::{Term, Token, Unit, Way};

impl Way {
    /// How many units away from the anchor's own.
    pub(super) fn offset(self) -> i64 {
        match self {
            Self::BeforeLast => -2,
            Self::Last | Self::Past => -1,
            Self::This => 0,
            Self::Next | Self::Coming => 1,
            Self::AfterNext => 2,
        }
    }

    pub(super) fn is_back(self) -> bool {
        self.offset() < 0
    }
}

impl Scan<'_> {
    /// A date of any kind.
    pub(super) fn any_date(&self, at: usize) -> Option<Hit> {
        let hit = longest([self.absolute(at), self.relative(at), self.nth_of(at), self.fraction(at)])?;
        Some(self.with_what_belongs(hit))
    }

    /// An expression that is counted from the anchor.
    fn relative(&self, at: usize) -> Option<Hit> {
        let anchor = self.anchor?;
        longest([
            self.near_day(at, anchor.date()),
            self.pointed(at, anchor),
            self.counted(at, anchor),
            self.beside(at),
            self.bare_weekday(at, anchor.date()),
            self.of_now(at, anchor.date()),
            self.unit_fraction(at),
        ])
    }

    fn near_day(&self, at: usize, today: Date) -> Option<Hit> {
        let Term::Day(offset) = self.term(at) else {
            return None;
        };
        Hit::day(at, at + 1, step(today, Unit::Day, offset.into())?)
    }

    /// "the day", "of the year": the one in which it is said. Nothing to look for.
    fn of_now(&self, at: usize, today: Date) -> Option<Hit> {
        if self.term(at) == Term::Unit(Unit::Weekend) && self.is_singular(at) {
            return Some(Hit::new(at, at + 1, Stretch::unit(today, Unit::Weekend)?).weak());
        }
        let Term::Unit(unit @ (Unit::Day | Unit::Month | Unit::Year)) = self.term(at + 1) else {
            return None;
        };
        let told = self.term(at) == Term::The && self.language == Language::English;
        let plain = self.tokens[at + 1].end - self.tokens[at + 1].start < 6 && self.unit(at + 2).is_none();
        (told && plain && matches!(self.before(at), Term::In | Term::Of | Term::End | Term::Other))
            .then_some(())?;
        let follows = matches!(self.term(at + 2), Term::End | Term::Dot | Term::Sign | Term::Comma);
        Some(Hit::new(at, at + 2, Stretch::unit(today, unit)?).weak()).filter(|_| follows)
    }

    /// What is pointed at with "last", "this" and "next", before or behind it.
    fn pointed(&self, first: usize, anchor: DateTime) -> Option<Hit> {
        let mut at = self.skip_all(first, &[Term::The, Term::Of]);
        if at > first && self.term(first) == Term::Of {
            at = first;
        }
        let hit = match self.term(at) {
            Term::Way(way) => self.pointed_by(at, way, anchor),
            Term::Ago | Term::Hence if self.language.is_unspaced() => {
                let way = if self.term(at) == Term::Ago { Way::Last } else { Way::Next };
                self.run_of_units(at, at + 1, way, anchor)
            }
            _ => self.pointed_from_behind(at, anchor),
        }?;
        Some(hit.around(first, hit.next))
    }

    /// "last Friday", "this past weekend", "next month", "the last two weeks".
    fn pointed_by(&self, at: usize, way: Way, anchor: DateTime) -> Option<Hit> {
        // "This past", "the last".
        let (way, next) = match (way, self.term(at + 1)) {
            (Way::This, Term::Way(more)) => (if more == Way::Last { Way::Past } else { more }, at + 2),
            _ => (way, at + 1),
        };
        if way != Way::This
            && let Some(hit) = self.run_of_units(at, next, way, anchor)
        {
            return Some(hit);
        }
        let place = self.skip_all(next, &[Term::Of, Term::The]);
        let mut hit = self.pointed_at(at, place, way, anchor)?;
        // "next week's first quarter" is put together elsewhere; "this Friday (15 June)" is that day.
        if hit.kind == Kind::Day
            && matches!(self.term(place), Term::Weekday(_))
            && let Some(same) = self.absolute(place).filter(Hit::is_day)
        {
            hit = same.around(at, same.next);
        }
        Some(hit)
    }

    /// "Freitag nächste Woche" is put together elsewhere; here "lundi prochain", "5 dernières années".
    fn pointed_from_behind(&self, at: usize, anchor: DateTime) -> Option<Hit> {
        if self.language.has_postpositions() {
            return None;
        }
        if let Term::Way(way) = self.term(at + 1)
            && (self.language != Language::English || way.offset().abs() == 2)
            && let Some(hit) = self.pointed_at(at, at, way, anchor)
        {
            return Some(hit.around(at, at + 2));
        }
        let quantity = self.quantity(at)?;
        if let Term::Way(way) = self.term(quantity.next) {
            // "I turned 34 last week."
            if self.language == Language::English && self.is_singular(quantity.next + 1) {
                return None;
            }
            let (unit, next) = self.unit(quantity.next + 1)?;
            return Self::run(at, next, quantity, unit, way, anchor);
        }
        let (unit, way_at) = self.unit(quantity.next)?;
        match self.term(way_at) {
            Term::Way(way) if way != Way::This && self.language != Language::English => {
                Self::run(at, way_at + 1, quantity, unit, way, anchor)
            }
            _ => None,
        }
    }

    /// What stands at `at`, seen `way`.
    fn pointed_at(&self, first: usize, at: usize, way: Way, anchor: DateTime) -> Option<Hit> {
        let today = anchor.date();
        let next = at + 1;
        let english = self.language == Language::English;
        if let Some(part) = self.part(at) {
            let day = Stretch::day(step(today, Unit::Day, way.offset())?)?;
            return Some(day_part(first, next, day, part));
        }
        match self.term(at) {
            Term::Weekday(weekday) | Term::MaybeWeekday(weekday) => {
                let exact = Stretch::day(weekday_by(today, weekday, way)?)?;
                let meant = match way {
                    Way::Last => Stretch::day(nearest_weekday(today, weekday, way)?),
                    _ => Some(exact),
                };
                Some(Hit::new(first, next, exact).meaning(meant))
            }
            Term::Unit(Unit::Hour | Unit::Minute | Unit::Second) if way != Way::This => {
                let quantity = Quantity { next, value: 1.0, least: 1, most: 1 };
                let (unit, _) = self.unit(at)?;
                Self::run(first, next, quantity, unit, way, anchor)
            }
            Term::Unit(Unit::Day | Unit::BusinessDay) if !english || self.is_singular(at) => {
                Some(Hit::day(first, next, step(today, Unit::Day, way.offset())?)?.weak())
            }
            Term::Unit(unit) if !unit.is_short() && (!english || self.is_singular(at)) => {
                // On a Sunday "last weekend" is still the one before; on a Monday it is the one just past.
                Some(Hit::new(first, next, Stretch::unit(step(today, unit, way.offset())?, unit)?))
            }
            Term::YearMark => Some(Hit::new(
                first,
                next,
                Stretch::unit(step(today, Unit::Year, way.offset())?, Unit::Year)?,
            )),
            Term::Season(season) => {
                Some(Hit::new(first, next, by_year(today, way, |year| Stretch::season(year, season))?))
            }
            Term::Month(month) | Term::MaybeMonth(month) => {
                let told = !self.language.has_capitals()
                    || self.has_capital(at)
                    || matches!(self.term(at), Term::Month(_));
                let stretch = by_year(today, way, |year| Stretch::month(ymd(year, month.into(), 1)?))?;
                Some(Hit::new(first, next, stretch)).filter(|_| told)
            }
            Term::Number(..) if way == Way::This => self
                .month_marked(first, at, Some(today.year().into()))
                .filter(|_| self.language.is_unspaced()),
            Term::Holiday(day) => {
                let stretch = by_year(today, way, |year| Stretch::day(holiday(year, day)?))?;
                Some(Hit::new(first, next, stretch))
            }
            Term::QuarterOf(_) | Term::HalfOf(_) => self.absolute(at).map(|hit| hit.around(first, hit.next)),
            _ => None,
        }
    }

    /// English tells many units by an "s".
    pub(super) fn is_singular(&self, at: usize) -> bool {
        let Some(Token { term: Term::Unit(unit), start, end, .. }) = self.tokens.get(at) else {
            return true;
        };
        let length = end - start;
        let plural = match unit {
            Unit::Day => 4,
            Unit::Week | Unit::Year | Unit::Hour => 5,
            Unit::Month | Unit::Night => 6,
            Unit::Minute | Unit::Second | Unit::Decade => 7,
            Unit::Weekend | Unit::Quarter => 8,
            _ => return true,
        };
        length != plural
    }

    /// "the week before 9 June 2023", "the Friday after 3 May".
    fn beside(&self, first: usize) -> Option<Hit> {
        let at = if self.is(first, &[Term::The]) { first + 1 } else { return None };
        let after = match self.term(at + 1) {
            Term::Before | Term::Ago => false,
            Term::After | Term::Way(Way::Next) => true,
            _ => return None,
        };
        let base = self.base(at + 2).or_else(|| self.base(self.skip(at + 2, &[Term::The])));
        let Some(base) = base else {
            let english = self.language == Language::English && !matches!(self.term(at + 1), Term::Way(_));
            (english && self.term(at) == Term::Unit(Unit::Day) && self.term(at + 2) != Term::Other)
                .then_some(())?;
            return Some(
                Hit::day(first, at + 2, step(self.today()?, Unit::Day, if after { 1 } else { -1 })?)?.weak(),
            );
        };
        let day = base.exact.from.date();
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
        }?;
        Some(Hit::new(first, base.next, stretch))
    }

    /// "on Friday", "Friday night": the last one, or where the text looks ahead the next one.
    fn bare_weekday(&self, first: usize, today: Date) -> Option<Hit> {
        let at = self.skip(first, &[Term::The]);
        let weekday = match self.term(at) {
            Term::Weekday(weekday) => weekday,
            Term::MaybeWeekday(weekday) if self.tells_weekday(at) => weekday,
            _ => return None,
        };
        let way = if self.looks_ahead() { Way::Next } else { Way::Last };
        let mut hit = Hit::day(at, at + 1, nearest_weekday(today, weekday, way)?)?;
        hit.kind = Kind::Weekday;
        let told = !self.language.has_capitals() || self.has_capital(at);
        Some(if told { hit } else { hit.weak() })
    }

    /// Whether a short form is a weekday by what stands around it.
    fn tells_weekday(&self, at: usize) -> bool {
        let weekday = |term| matches!(term, Term::Weekday(_) | Term::MaybeWeekday(_));
        let beside = |term| matches!(term, Term::On | Term::Way(_) | Term::Unit(Unit::Week));
        let told = !self.language.has_capitals() || self.has_capital(at);
        told && (beside(self.before(at)) || self.part(at + 1).is_some())
            || self.is(at.wrapping_sub(1), &[Term::Or, Term::And, Term::Comma])
                && weekday(self.term(at.wrapping_sub(2)))
            || self.is(at + 1, &[Term::Or, Term::And]) && weekday(self.term(at + 2)) && told
    }
}

/// A part of a day.
pub(super) fn day_part(first: usize, next: usize, day: Stretch, part: crate::dates::term::Part) -> Hit {
    let of = |(from, to)| day.hours(from, to).unwrap_or(day);
    Hit::new(first, next, of(part.narrow())).meaning(Some(of(part.wide())))
}

pub(super) fn granularity_of(unit: Unit) -> Granularity {
    match unit {
        Unit::Second | Unit::Minute => Granularity::Minute,
        Unit::Hour => Granularity::Hour,
        Unit::Day | Unit::Night | Unit::BusinessDay => Granularity::Day,
        Unit::Week | Unit::WorkWeek | Unit::Weekend | Unit::Fortnight => Granularity::Week,
        Unit::Month => Granularity::Month,
        Unit::Quarter | Unit::HalfYear => Granularity::Season,
        Unit::Year | Unit::Decade | Unit::Century => Granularity::Year,
    }
}

/// The last stretch that has ended, this year's, or the first that has not begun.
fn by_year(today: Date, way: Way, of_year: impl Fn(i64) -> Option<Stretch>) -> Option<Stretch> {
    let year = i64::from(today.year());
    match way {
        Way::Last | Way::Past => {
            (year - 2..=year).rev().filter_map(of_year).find(|stretch| stretch.to.date() <= today)
        }
        Way::This => of_year(year),
        Way::Next | Way::Coming => {
            (year..=year + 1).filter_map(of_year).find(|stretch| stretch.from.date() > today)
        }
        Way::BeforeLast | Way::AfterNext => of_year(year + way.offset()),
    }
}

/// "This Friday" is that of the week, "next Friday" that of the next; "this past Friday" the nearest before.
fn weekday_by(today: Date, weekday: i8, way: Way) -> Option<Date> {
    match way {
        Way::Past | Way::Coming => nearest_weekday(today, weekday, way),
        _ => {
            let monday = Stretch::week(today)?.from.date();
            step(monday, Unit::Day, i64::from(weekday) + 7 * way.offset())
        }
    }
}

/// The nearest such day before or after `day`, never `day` itself.
fn nearest_weekday(day: Date, weekday: i8, way: Way) -> Option<Date> {
    let ahead = (i64::from(weekday) - i64::from(day.weekday().to_monday_zero_offset())).rem_euclid(7);
    let ahead = if ahead == 0 { 7 } else { ahead };
    let offset = match way {
        Way::Last | Way::Past if ahead == 7 => -7,
        Way::Last | Way::Past => ahead - 7,
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
