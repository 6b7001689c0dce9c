//! Parts of longer times: "first week of January", "early next year", "next week on Tuesday", "来月の4日".

use crate::dates::calendar::{Stretch, days_between, step, step_time, ymd};
use crate::dates::expression::Granularity;
use crate::dates::language::Language;
use crate::dates::scan::{Hit, Kind, Scan};
use crate::dates::term::{Term, Unit, Way};

impl Scan<'_> {
    /// "first week of January", "last Friday of next month", "3rd quarter of 2019", "week 10".
    pub(super) fn nth_of(&self, first: usize) -> Option<Hit> {
        let at = self.skip(first, &[Term::The]);
        if self.term(at) == Term::Unit(Unit::Week)
            && let Some((week @ 1..=53, next)) = self.number(at + 1)
            && !self.is(next, &[Term::Colon])
        {
            let year = self.year(self.skip_binding(next));
            let stretch = Stretch::years(
                year.unwrap_or(self.today()?.year().into()),
                year.unwrap_or(self.today()?.year().into()) + 1,
            )?;
            let next = if year.is_some() { self.skip_binding(next) + 1 } else { next };
            return Some(Hit::new(first, next, stretch.nth_week(week)?));
        }
        let (nth, place) = match self.term(at) {
            Term::Way(Way::Last) => (-1, at + 1),
            _ => self.ordinal(at)?,
        };
        let place = self.skip_all(place, &[Term::Of, Term::Filler]);
        let next = place + 1;
        match self.term(place) {
            Term::Unit(Unit::Quarter) if nth > 0 => self.part_of_year(first, next, nth * 3 - 2, 3),
            Term::Unit(Unit::HalfYear) if nth > 0 => self.part_of_year(first, next, nth * 6 - 5, 6),
            Term::Unit(Unit::Week | Unit::Month | Unit::Day) | Term::Weekday(_) => {
                let bound = self.skip_all(next, &[Term::Of, Term::In, Term::The, Term::From]);
                let unit = self.term(place);
                let whole =
                    if bound > next { self.base(bound).or_else(|| self.this_unit(bound)) } else { None };
                let whole = whole.filter(|whole| !whole.is_day());
                let within = match (whole, unit) {
                    (Some(whole), _) => whole,
                    (None, Term::Unit(Unit::Week)) if nth > 0 => {
                        let stretch = Stretch::unit(self.today()?, Unit::Year)?;
                        Hit::new(first, next, stretch).weak()
                    }
                    _ => return None,
                };
                Self::nth_within(first, within.next.max(next), nth, unit, &within)
            }
            _ => None,
        }
    }

    pub(super) fn nth_within(first: usize, next: usize, nth: i64, unit: Term, whole: &Hit) -> Option<Hit> {
        let stretch = match unit {
            Term::Weekday(weekday) => Stretch::day(whole.exact.nth_weekday(nth, weekday.into())?),
            Term::Unit(Unit::Week) => whole.exact.nth_week(nth),
            Term::Unit(Unit::Month) if nth > 0 => {
                Stretch::month(step(whole.exact.from.date(), Unit::Month, nth - 1)?)
            }
            Term::Unit(Unit::Month) => Stretch::month(step(whole.exact.to.date(), Unit::Day, -1)?),
            Term::Unit(Unit::Day) if nth > 0 => {
                Stretch::day(step(whole.exact.from.date(), Unit::Day, nth - 1)?)
            }
            Term::Unit(Unit::Day) => Stretch::day(step(whole.exact.to.date(), Unit::Day, -1)?),
            _ => None,
        }?;
        let hit = Hit::new(first, next, stretch);
        Some(if whole.meant.is_some() { hit } else { hit.weak() })
    }

    /// "early next year", "mid-May", "end of the month".
    pub(super) fn fraction(&self, first: usize) -> Option<Hit> {
        let at = self.skip(first, &[Term::The]);
        let which = match self.term(at) {
            // "Later this week", "plus tôt cette semaine".
            Term::Hence if !self.language.has_postpositions() => Term::Finish,
            which @ (Term::Start | Term::Mid | Term::Finish) => which,
            _ => return None,
        };
        let place = self.skip_all(at + 1, &[Term::Of, Term::The, Term::In, Term::Dash]);
        let whole = self.base(place).or_else(|| self.this_unit(place))?;
        self.fraction_of(at, whole.next, which, &whole)
    }

    /// "yıl sonu", "年末": a part of the unit in which it is said.
    pub(super) fn unit_fraction(&self, at: usize) -> Option<Hit> {
        let whole = self.this_unit(at).filter(|_| self.language.has_postpositions())?;
        let place = self.skip_all(whole.next, &[Term::Of, Term::The]);
        match self.term(place) {
            which @ (Term::Start | Term::Mid | Term::Finish) => {
                self.fraction_of(at, place + 1, which, &whole)
            }
            _ => None,
        }
    }

    /// A unit alone: the one in which it is said.
    pub(super) fn this_unit(&self, at: usize) -> Option<Hit> {
        let (unit, next) = self.unit(at).filter(|(unit, _)| !unit.is_short() && *unit != Unit::Night)?;
        Some(Hit::new(at, next, Stretch::unit(self.today()?, unit)?).weak())
    }

    pub(super) fn fraction_of(&self, first: usize, next: usize, which: Term, whole: &Hit) -> Option<Hit> {
        let from = whole.exact.from;
        let days = |from: i64, to: i64| {
            let start = whole.exact.from.date();
            Some(Stretch::between(
                step(start, Unit::Day, from)?,
                step(start, Unit::Day, to)?,
                Granularity::Week,
            ))
        };
        let length = days_between(whole.exact.to.date(), from.date());
        let stretch = match (length, which) {
            _ if whole.exact.granularity == Granularity::Hour => {
                let (start, end) = (i64::from(from.hour()), i64::from(from.hour()) + 4);
                let half = if which == Term::Start { (start, start + 2) } else { (end - 2, end) };
                whole.exact.clock_hours(half.0 * 3600, half.1 * 3600)
            }
            (1, Term::Start) => whole.exact.hours(0, 12),
            (1, Term::Finish) => {
                let end = Stretch::moment(step_time(whole.exact.to, Unit::Second, -1)?)?;
                return Some(Hit::new(first, next, end).meaning(Some(whole.exact)));
            }
            (7, Term::Start) => days(0, 3),
            (7, Term::Mid) => days(2, 5),
            (7, Term::Finish) => days(3, 7),
            (28..=31, Term::Start) => days(0, 15),
            (28..=31, Term::Mid) => days(9, 20),
            (28..=31, Term::Finish) => days(15, length),
            (365..=366, _) => {
                let year = i64::from(from.year());
                let named = self.year(whole.next.wrapping_sub(1)).is_some();
                match which {
                    Term::Start if named => Stretch::months(year, 1, 4),
                    Term::Finish if named => Stretch::months(year, 9, 4),
                    Term::Start => Stretch::months(year, 1, 6),
                    Term::Mid => Stretch::months(year, 4, 6),
                    _ => Stretch::months(year, 7, 6),
                }
            }
            _ => None,
        }?;
        let mut hit = Hit::new(first, next, stretch);
        hit.year_told = whole.year_told;
        hit.edge = match which {
            Term::Start => Some(whole.exact.from),
            Term::Finish => Some(whole.exact.to),
            _ => None,
        };
        // By "early in May" people mean May.
        Some(if whole.meant.is_some() { hit.meaning(Some(whole.exact)) } else { hit.weak() })
    }

    /// What is put behind a date and tells it more exactly: "next week on Tuesday", "来月の4日", "月の初め".
    pub(super) fn with_what_belongs(&self, mut hit: Hit) -> Hit {
        for _ in 0..3 {
            match self.more_exactly(&hit) {
                Some(more) if more.next > hit.next => hit = more,
                _ => break,
            }
        }
        hit
    }

    pub(super) fn more_exactly(&self, hit: &Hit) -> Option<Hit> {
        let at = self.skip_all(
            hit.next,
            &[Term::Of, Term::On, Term::The, Term::Comma, Term::In, Term::Filler, Term::Dash],
        );
        let day = hit.exact.from.date();
        let inside = |next, day| Hit::day(hit.first, next, day);
        match (hit.exact.granularity, self.term(at)) {
            (Granularity::Week, Term::Weekday(weekday) | Term::MaybeWeekday(weekday)) => {
                inside(at + 1, step(Stretch::week(day)?.from.date(), Unit::Day, weekday.into())?)
            }
            (Granularity::Week, Term::Unit(Unit::Weekend)) if self.language.has_postpositions() => {
                Some(Hit::new(hit.first, at + 1, Stretch::weekend(day)?))
            }
            (Granularity::Day, Term::Way(way)) if hit.kind == Kind::Weekday => {
                self.weekday_of_week(hit, at + 1, way, |place| {
                    matches!(self.term(place), Term::Unit(Unit::Week))
                })
            }
            (Granularity::Day, Term::Unit(Unit::Week)) if hit.kind == Kind::Weekday => {
                match self.term(at + 1) {
                    Term::Way(way) => self.weekday_of_week(hit, at + 1, way, |_| true),
                    _ => None,
                }
            }
            (Granularity::Day, Term::Unit(Unit::Week)) if self.language.has_postpositions() => {
                Some(Hit::new(hit.first, at + 1, Stretch::week(day)?))
            }
            (Granularity::Month, Term::Number(number, _)) => {
                let (_, mark) = self.number(at)?;
                let next = if self.term(mark) == Term::DayMark {
                    mark + 1
                } else if self.language == Language::Turkish
                    && matches!(self.term(at), Term::Number(_, 1 | 2))
                    && self.unit(mark).is_none()
                {
                    mark
                } else {
                    return None;
                };
                Some(Hit {
                    year_told: hit.year_told,
                    ..inside(next, ymd(day.year().into(), day.month().into(), number)?)?
                })
            }
            (Granularity::Year, Term::Number(..)) => {
                self.month_marked(hit.first, at, Some(day.year().into()))
            }
            (Granularity::Year, Term::Month(month))
                if hit.exact.moved(Unit::Year, 1)?.from == hit.exact.to =>
            {
                self.month_in_year(hit, at, month)
            }
            (Granularity::Year, Term::QuarterOf(quarter)) => Some(Hit::new(
                hit.first,
                at + 1,
                Stretch::months(day.year().into(), i64::from(quarter) * 3 - 2, 3)?,
            )),
            (Granularity::Year, Term::HalfOf(half)) => Some(Hit::new(
                hit.first,
                at + 1,
                Stretch::months(day.year().into(), i64::from(half) * 6 - 5, 6)?,
            )),
            (_, Term::Start | Term::Mid | Term::Finish)
                if !matches!(self.language, Language::English | Language::French | Language::Dutch) =>
            {
                let next = self.skip_all(at + 1, &[Term::Roughly, Term::On, Term::In]);
                self.fraction_of(hit.first, next.min(at + 2), self.term(at), hit)
            }
            (_, Term::Way(Way::Last) | Term::Ordinal(_) | Term::OrdinalPrefix)
                if self.language.has_postpositions() && !hit.is_day() =>
            {
                let (nth, place) = self.ordinal(at).unwrap_or((-1, at + 1));
                let place = self.skip_all(place, &[Term::Of]);
                if self.term(place) == Term::Unit(Unit::Quarter) && nth > 0 {
                    return Some(Hit::new(
                        hit.first,
                        place + 1,
                        Stretch::months(day.year().into(), nth * 3 - 2, 3)?,
                    ));
                }
                Self::nth_within(hit.first, place + 1, nth, self.term(place), hit)
            }
            (_, Term::Number(..) | Term::Few(..)) if hit.is_day() && self.language.has_postpositions() => {
                self.counted_behind(hit, self.skip_all(hit.next, &[Term::Of, Term::Since, Term::From]))
            }
            _ => None,
        }
    }

    pub(super) fn month_in_year(&self, hit: &Hit, at: usize, month: i8) -> Option<Hit> {
        let year = hit.exact.from.year().into();
        let day_at = self.skip_all(at + 1, &[Term::The, Term::Of]);
        let day = self.ordinal(day_at).or_else(|| self.number(day_at)).filter(|(day, _)| *day <= 31);
        match day.and_then(|(day, next)| Some((ymd(year, month.into(), day)?, next))) {
            Some((date, next)) => Hit::day(hit.first, next, date),
            None => Some(Hit::new(hit.first, at + 1, Stretch::months(year, month.into(), 1)?)),
        }
    }

    /// "Monday next week", "lundi de la semaine prochaine".
    pub(super) fn weekday_of_week(
        &self,
        hit: &Hit,
        at: usize,
        way: Way,
        is_week: impl Fn(usize) -> bool,
    ) -> Option<Hit> {
        is_week(at).then_some(())?;
        let week = Stretch::week(step(self.today()?, Unit::Week, way.offset())?)?;
        let weekday = hit.exact.from.date().weekday().to_monday_zero_offset();
        Hit::day(hit.first, at + 1, step(week.from.date(), Unit::Day, weekday.into())?)
    }

    /// "昨日の2日前", "bugünden 3 gün sonra": an amount behind the date from which it is counted.
    pub(super) fn counted_behind(&self, hit: &Hit, at: usize) -> Option<Hit> {
        let amount = self.amount(at).filter(|amount| !amount.unit.is_short())?;
        let sign = match self.term(amount.next) {
            Term::Ago | Term::Before => -1,
            Term::Hence | Term::After => 1,
            _ => return None,
        };
        Hit::day(hit.first, amount.next + 1, amount.moved(hit.exact.from, sign)?.date())
    }
}
