//! Times that are counted: "two weeks ago", "the last three months", "two days before 9 June", "within an hour".

use jiff::civil::DateTime;

use crate::dates::calendar::{Stretch, step, step_time};
use crate::dates::expression::Granularity;
use crate::dates::language::Language;
use crate::dates::number::{Amount, Quantity};
use crate::dates::relative::granularity_of;
use crate::dates::scan::{Hit, Kind, Scan};
use crate::dates::term::{Term, Unit, Way};

impl Scan<'_> {
    /// "two weeks", "few months" after "last" or "next": the run of days up to or from the anchor.
    pub(super) fn run_of_units(&self, first: usize, at: usize, way: Way, anchor: DateTime) -> Option<Hit> {
        // "Passé une heure" is an hour that was spent.
        if matches!(self.term(at), Term::Article | Term::Number(1, 0)) {
            return None;
        }
        let quantity = self.quantity(at)?;
        let (unit, next) = self.unit(quantity.next)?;
        // "2018年" is a year.
        if matches!(self.term(at), Term::Number(_, 4)) && self.is(quantity.next, &[Term::YearMark]) {
            return None;
        }
        Self::run(first, self.skip(next, &[Term::Inside]), quantity, unit, way, anchor)
    }

    pub(super) fn run(
        first: usize,
        next: usize,
        count: Quantity,
        unit: Unit,
        way: Way,
        anchor: DateTime,
    ) -> Option<Hit> {
        let amount = Amount::of(count, unit, next);
        let back = way.is_back();
        let exact = if unit.is_short() {
            let (from, to) =
                if back { (amount.moved(anchor, -1)?, anchor) } else { (anchor, amount.moved(anchor, 1)?) };
            Stretch { from, to, granularity: granularity_of(unit) }
        } else {
            let day = if unit == Unit::Quarter {
                Stretch::unit(anchor.date(), unit)?
            } else {
                Stretch::day(anchor.date())?
            };
            let (today, after) = (day.from, day.to);
            let (from, to) = if back {
                (amount.moved(today, -1)?, today)
            } else {
                let working = unit == Unit::BusinessDay;
                let to = if working {
                    step_time(amount.moved(today, 1)?, Unit::Day, 1)?
                } else {
                    amount.moved(after, 1)?
                };
                (after, to)
            };
            Stretch { from, to, granularity: granularity_of(unit) }
        };
        let today = anchor.date();
        let meant = if unit.is_short() {
            Some(exact)
        } else if back {
            Some(Stretch::between(
                step(today, unit, -count.most)?,
                step(today, Unit::Day, 1)?,
                granularity_of(unit),
            ))
        } else {
            Some(Stretch::between(today, step(today, unit, count.most)?, granularity_of(unit)))
        };
        // "Next 0 weeks" is no time.
        let meant = meant.filter(|stretch| stretch.from < stretch.to);
        Some(Hit::new(first, next, exact).meaning(meant))
            .filter(|hit| exact.from < exact.to && hit.meant.is_some())
    }

    /// "two weeks ago", "a few years ago", "in 3 days", "vor drei Tagen".
    pub(super) fn counted(&self, at: usize, anchor: DateTime) -> Option<Hit> {
        let (open, sign) = match self.term(at) {
            Term::Inside if !self.language.has_postpositions() => {
                let amount = self.amount(self.skip_all(at + 1, &[Term::The]))?;
                return Self::within(at, amount.next, &amount, anchor);
            }
            Term::In if !self.language.has_postpositions() => (true, 1),
            Term::Ago if self.language.ago_comes_first() => (true, -1),
            // "Desde hace" and the like.
            _ => (false, 0),
        };
        let amount = self.amount(self.skip_all(at + usize::from(open), &[Term::The]))?;
        let after = amount.next;
        let (sign, next) = match self.term(after) {
            Term::Ago if sign >= 0 && !(open && self.language.has_postpositions()) => {
                if let Some(hit) = self.counted_beside(at, after, &amount) {
                    return Some(hit);
                }
                (-1, after + 1)
            }
            Term::Before if !open => return self.counted_beside(at, after, &amount),
            Term::After | Term::From if !open && !self.language.has_postpositions() => {
                return self.counted_beside(at, after, &amount);
            }
            Term::Hence | Term::After if !open => (1, after + 1),
            Term::Inside if !open && self.language.has_postpositions() => {
                return Self::within(at, after + 1, &amount, anchor);
            }
            Term::In if !open && self.language.has_postpositions() => (1, after + 1),
            Term::Since if !open => return self.long_from(at, after, &amount),
            // "In two years of work" is a duration.
            Term::Of if open && sign > 0 && self.language == Language::English => return None,
            Term::Since if open && sign > 0 => {
                return self
                    .counted_beside(at, after, &amount)
                    .or_else(|| Self::away(at, after, &amount, 1, anchor));
            }
            // "In the last 5 years" begins behind the "in".
            Term::Way(_) if open => return None,
            _ if open => (sign, after),
            _ => return None,
        };
        let hit = Self::away(at, next, &amount, sign, anchor)?;
        // "Two weeks later" is mostly later than something else.
        let later = sign > 0 && self.term(next - 1) == Term::Hence && self.language == Language::English;
        let from_now = self.tokens[next - 1].end - self.tokens[next - 1].start > 5;
        Some(if later && !from_now { hit.weak() } else { hit })
    }

    /// "within two hours": from now on.
    pub(super) fn within(first: usize, next: usize, amount: &Amount, anchor: DateTime) -> Option<Hit> {
        let from = if amount.unit.is_short() { anchor } else { Stretch::day(anchor.date())?.from };
        let exact = Stretch { from, to: amount.moved(from, 1)?, granularity: granularity_of(amount.unit) };
        Some(Hit::new(first, next, exact)).filter(|_| exact.from < exact.to)
    }

    /// "3 days starting from next Monday".
    pub(super) fn long_from(&self, first: usize, at: usize, amount: &Amount) -> Option<Hit> {
        let base = self
            .base(self.skip_all(at + 1, &[Term::The, Term::Of]))
            .filter(|_| !self.language.has_postpositions())?;
        let exact = Stretch { to: amount.moved(base.exact.from, 1)?, ..base.exact };
        let granularity = base.exact.granularity.max(Granularity::Week);
        Some(Hit::new(first, base.next, Stretch { granularity, ..exact })).filter(|_| exact.from < exact.to)
    }

    pub(super) fn away(
        first: usize,
        next: usize,
        amount: &Amount,
        sign: i64,
        anchor: DateTime,
    ) -> Option<Hit> {
        let then = amount.moved(anchor, sign)?;
        let exact = if amount.unit.is_short() { Stretch::moment(then)? } else { Stretch::day(then.date())? };
        let mut hit = Hit::new(first, next, exact);
        hit.kind = if exact.is_day() { Kind::Day } else { Kind::Other };
        let meant = match amount.single {
            Some(Quantity { least, most, value, .. }) if value.fract() == 0.0 => {
                let (least, most) = if sign < 0 { (-most, -least) } else { (least, most) };
                counted_stretch(anchor, amount.unit, least, most)
            }
            _ => Some(exact),
        };
        Some(hit.meaning(meant)).filter(|hit| hit.meant.is_some())
    }

    /// "two days before 9 June 2023", from its "before".
    pub(super) fn counted_beside(&self, first: usize, at: usize, amount: &Amount) -> Option<Hit> {
        let base = self.base(at + 1).or_else(|| self.base(self.skip_all(at + 1, &[Term::The, Term::Of])))?;
        let sign = if matches!(self.term(at), Term::Before | Term::Ago) { -1 } else { 1 };
        let then = amount.moved(base.exact.from, sign)?;
        let exact = if amount.unit.is_short() { Stretch::moment(then)? } else { Stretch::day(then.date())? };
        let whole = amount.single.and_then(|count| {
            Stretch::unit(step(base.exact.from.date(), amount.unit, count.most * sign)?, amount.unit)
        });
        Some(Hit::new(first, base.next, exact).meaning(whole.or(Some(exact))))
    }
}

/// From `least` to `most` units away from the anchor, widened to whole units of the calendar.
fn counted_stretch(anchor: DateTime, unit: Unit, least: i64, most: i64) -> Option<Stretch> {
    if unit.is_short() {
        return Some(Stretch {
            from: step_time(anchor, unit, least)?,
            to: step_time(step_time(anchor, unit, most)?, unit, 1)?,
            granularity: granularity_of(unit),
        });
    }
    let today = anchor.date();
    // A decade ago is about a year, not a whole decade of the calendar.
    let whole = if matches!(unit, Unit::Decade | Unit::Century) { Unit::Year } else { unit };
    let first = Stretch::unit(step(today, unit, least)?, whole)?;
    let last = Stretch::unit(step(today, unit, most)?, whole)?;
    Some(Stretch { to: last.to, ..first })
}
