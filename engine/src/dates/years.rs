//! Years that name themselves, and decades, centuries, quarters and halves.

use crate::dates::calendar::Stretch;
use crate::dates::scan::{BINDING, Hit, Scan};
use crate::dates::term::{Term, Unit, Way};

impl Scan<'_> {
    /// "in 2022". What stands before tells that a bare number is a year.
    pub(super) fn bare_year(&self, at: usize) -> Option<Hit> {
        if self.year(at).is_none() {
            let (year, next) =
                self.number(at).filter(|(year, next)| (1000..2200).contains(year) && *next > at + 1)?;
            let told =
                matches!(self.before(at), Term::In | Term::Since | Term::Until | Term::Before | Term::After);
            return Some(Hit::new(at, next, Stretch::years(year, year + 1)?))
                .filter(|_| told && self.unit(next).is_none());
        }
        let year = self.year(at)?;
        if self.before(at) == Term::Dash && self.touches(at) {
            return None;
        }
        let told = match self.before(at) {
            Term::Of | Term::To | Term::And | Term::From | Term::Until | Term::At | Term::The => {
                !self.counts(at + 1)
            }
            Term::In
            | Term::Since
            | Term::Between
            | Term::Start
            | Term::Mid
            | Term::Finish
            | Term::Roughly
            | Term::Open
            | Term::Before
            | Term::After
            | Term::Ago
            | Term::Unit(Unit::Year)
            | Term::On => true,
            _ if self.language.has_postpositions() && self.is_told_from_behind(at + 1) => true,
            _ => self
                .range_goes_on(at + 1, false)
                .is_some_and(|next| self.year(next).is_some_and(|end| end > year)),
        };
        let runs_on = matches!(self.term(at + 1), Term::Colon) && self.touches(at + 1)
            || self.is(at + 1, &[Term::Dot, Term::Comma])
                && self.touches(at + 1)
                && self.touches(at + 2)
                && matches!(self.term(at + 2), Term::Number(..));
        if !told || runs_on || year > 2200 || self.unit(at + 1).is_some() {
            return None;
        }
        Some(Hit::new(at, at + 1, Stretch::years(year, year + 1)?))
    }

    /// Whether what stands at `at` tells that a year stands before it: "2018'den önce", "2016'nın son haftası".
    pub(super) fn is_told_from_behind(&self, at: usize) -> bool {
        let place = self.skip_all(at, &[Term::Of, Term::The]);
        match self.term(place) {
            Term::Ago
            | Term::Before
            | Term::After
            | Term::Hence
            | Term::Since
            | Term::Until
            | Term::Between => true,
            Term::Ordinal(_) | Term::Way(Way::Last) => self.unit(place + 1).is_some(),
            _ => false,
        }
    }

    /// "2017 Nisan".
    pub(super) fn year_before_month(&self, at: usize) -> Option<Hit> {
        let year = self.year(at).filter(|_| self.language.has_postpositions())?;
        let Term::Month(month) = self.term(at + 1) else {
            return None;
        };
        Some(Hit::new(at, at + 2, Stretch::months(year, month.into(), 1)?))
    }

    /// "平成13年": a year counted from the one before an era began.
    pub(super) fn year_of_era(&self, at: usize, before: i16) -> Option<Hit> {
        let (count, next) = self.number(at + 1)?;
        let year = i64::from(before) + count;
        (self.term(next) == Term::YearMark && count < 100).then_some(())?;
        self.month_marked(at, self.skip_all(next + 1, BINDING), Some(year))
            .or_else(|| Some(Hit::new(at, next + 1, Stretch::years(year, year + 1)?)))
    }

    /// Whether a noun that can be counted may stand at `at`: an unknown word in lower case.
    pub(super) fn counts(&self, at: usize) -> bool {
        self.term(at) == Term::Other
            && !self.has_capital(at)
            && self.tokens.get(at).is_some_and(|token| token.full)
    }

    /// "the year 2012".
    pub(super) fn year_named(&self, at: usize) -> Option<Hit> {
        let place = self.skip_all(at + 1, &[Term::Of, Term::The]);
        let year = self.year(place).or_else(|| self.number(place).map(|found| found.0))?;
        let (_, next) = self.number(place)?;
        Some(Hit::new(at, next, Stretch::years(year, year + 1).filter(|_| (1000..2999).contains(&year))?))
    }

    /// "1990s", "the nineties", "90年代".
    pub(super) fn decade(&self, at: usize) -> Option<Hit> {
        let (number, next) = self.number(at)?;
        let place = self.skip_all(next, &[Term::Of, Term::Sign]);
        if self.term(place) != Term::DecadeMark || number % 10 != 0 {
            return None;
        }
        let year = match number {
            1000..=2990 => number,
            20..=90 => 1900 + number,
            0 | 10 => 2000 + number,
            _ => return None,
        };
        let hit = Hit::new(at, place + 1, Stretch::years(year, year + 10)?);
        // "The twenties" may be an age.
        Some(if number >= 1000 { hit } else { hit.weak() })
    }

    /// "los años 90", "les années 1990".
    pub(super) fn decade_named(&self, at: usize) -> Option<Hit> {
        let place = self.skip_all(at + 1, &[Term::Sign, Term::The]);
        let (number, next) = self.number(place)?;
        let year = if number < 100 { 1900 + number } else { number };
        (year % 10 == 0 && (1000..2990).contains(&year)).then_some(())?;
        Some(Hit::new(at, next, Stretch::years(year, year + 10)?))
    }

    /// "15th century", "siglo 21".
    pub(super) fn century(&self, at: usize) -> Option<Hit> {
        let (number, next) = if self.term(at) == Term::Unit(Unit::Century) {
            self.number(at + 1).or_else(|| self.ordinal(at + 1))?
        } else {
            let (number, next) = self.ordinal(at).or_else(|| self.number(at))?;
            (self.term(next) == Term::Unit(Unit::Century)).then_some((number, next + 1))?
        };
        (10..=30).contains(&number).then_some(())?;
        Some(Hit::new(at, next, Stretch::years((number - 1) * 100, number * 100)?))
    }

    /// "Q1 2023", "H2 of last year", "Q3".
    pub(super) fn quarter_first(&self, at: usize) -> Option<Hit> {
        let (first, count) = match self.term(at) {
            Term::QuarterOf(quarter) => (i64::from(quarter) * 3 - 2, 3),
            Term::HalfOf(half) => (i64::from(half) * 6 - 5, 6),
            _ => return None,
        };
        self.part_of_year(at, at + 1, first, count)
    }

    /// So many months of the year that is told at `next`, or else of this one.
    pub(super) fn part_of_year(&self, at: usize, next: usize, first: i64, count: i64) -> Option<Hit> {
        if let Some((year, next)) = self.year_behind(next).or_else(|| self.pointed_year_behind(next)) {
            return Some(Hit::new(at, next, Stretch::months(year, first, count)?));
        }
        let year = self.today()?.year().into();
        Some(Hit::new(at, next, Stretch::months(year, first, count)?).yearless().weak())
    }

    /// "2017 Q1", "2019-H2", "2016年第二季度".
    pub(super) fn year_and_quarter(&self, at: usize) -> Option<Hit> {
        let year = self.year(at)?;
        let place = self.skip_all(at + 1, &[Term::YearMark, Term::Dash, Term::Of, Term::The, Term::Comma]);
        let (first, count) = match self.term(place) {
            Term::QuarterOf(quarter) => (i64::from(quarter) * 3 - 2, 3),
            Term::HalfOf(half) => (i64::from(half) * 6 - 5, 6),
            _ => {
                let (nth, unit_at) = self.ordinal(place)?;
                (self.term(unit_at) == Term::Unit(Unit::Quarter)).then_some(())?;
                return Some(Hit::new(at, unit_at + 1, Stretch::months(year, nth * 3 - 2, 3)?));
            }
        };
        Some(Hit::new(at, place + 1, Stretch::months(year, first, count)?))
    }
}
