//! Numbers, and amounts of time. It resolves nothing against an anchor but moves one by an amount.

use jiff::civil::DateTime;

use crate::dates::calendar::{step_time, step_working_days};
use crate::dates::scan::Scan;
use crate::dates::term::{Term, Unit};

/// How many units.
#[derive(Debug, Clone, Copy)]
pub(super) struct Quantity {
    pub(super) next: usize,
    pub(super) value: f64,
    /// What it may mean at least and at most.
    pub(super) least: i64,
    pub(super) most: i64,
}

/// An amount of time.
#[derive(Debug, Clone, Copy)]
pub(super) struct Amount {
    pub(super) next: usize,
    /// All of it, as durations count.
    pub(super) seconds: f64,
    /// Its whole months, and what is left beside them in seconds.
    months: i64,
    rest: f64,
    /// The smallest unit told.
    pub(super) unit: Unit,
    /// Where one unit alone is told, how many it may mean.
    pub(super) single: Option<Quantity>,
}

impl Amount {
    /// So many of one unit.
    pub(super) fn of(quantity: Quantity, unit: Unit, next: usize) -> Self {
        let per = match unit {
            Unit::Month => 1,
            Unit::Quarter => 3,
            Unit::HalfYear => 6,
            Unit::Year => 12,
            Unit::Decade => 120,
            Unit::Century => 1200,
            _ => 0,
        };
        let all_months = quantity.value * f64::from(per);
        let months = all_months.trunc();
        let seconds = quantity.value * unit.seconds() as f64;
        let rest = if per == 0 { seconds } else { (all_months - months) * Unit::Month.seconds() as f64 };
        Self { next, seconds, months: months as i64, rest, unit, single: Some(quantity) }
    }

    /// `time` moved by this amount, or back by it.
    pub(super) fn moved(&self, time: DateTime, sign: i64) -> Option<DateTime> {
        if self.unit == Unit::BusinessDay {
            let days = self.single.map_or(1, |count| count.value as i64);
            return Some(step_working_days(time.date(), days * sign)?.to_datetime(time.time()));
        }
        let time = step_time(time, Unit::Month, self.months.checked_mul(sign)?)?;
        step_time(time, Unit::Second, self.rest.round() as i64 * sign)
    }
}

impl Scan<'_> {
    /// A number in digits or words.
    pub(super) fn number(&self, at: usize) -> Option<(i64, usize)> {
        let Term::Number(mut value, digits) = self.term(at) else {
            return None;
        };
        let mut next = at + 1;
        if digits > 0 {
            return Some((value, next));
        }
        loop {
            let joined = self.skip(next, &[Term::Dash, Term::And]);
            match self.term(next) {
                Term::Times(times) if value < times => {
                    value *= times;
                    next += 1;
                }
                // "Nineteen ninety".
                Term::Number(small @ 10..=99, 0) if (17..=20).contains(&value) => {
                    value = value * 100 + small;
                    next += 1;
                }
                Term::Number(small, 0) if fits_behind(value, small) => {
                    value += small;
                    next += 1;
                }
                _ if joined > next => match self.term(joined) {
                    Term::Number(small, 0) if joins(self.term(next), value, small) => {
                        value += small;
                        next = joined + 1;
                    }
                    _ => return Some((value, next)),
                },
                _ => return Some((value, next)),
            }
        }
    }

    /// "7th", "twenty-fourth".
    pub(super) fn ordinal(&self, at: usize) -> Option<(i64, usize)> {
        match (self.term(at), self.term(at + 1)) {
            (Term::Ordinal(value), _) => Some((value, at + 1)),
            (Term::Number(tens, 0), Term::Ordinal(units)) if fits_behind(tens, units) => {
                Some((tens + units, at + 2))
            }
            (Term::Number(tens, 0), Term::Dash) => match self.term(at + 2) {
                Term::Ordinal(units) if fits_behind(tens, units) => Some((tens + units, at + 3)),
                _ => None,
            },
            (Term::OrdinalPrefix, Term::Number(value, _))
            | (Term::Number(value, 1 | 2), Term::OrdinalMark) => Some((value, at + 2)),
            (Term::Number(value, 1 | 2), Term::Dot)
                if self.language.dots_ordinals() && self.touches(at + 1) =>
            {
                Some((value, at + 2))
            }
            _ => None,
        }
    }

    /// A number of units: "3", "2.5", "a few", "half an", "one and a half".
    pub(super) fn quantity(&self, at: usize) -> Option<Quantity> {
        let at = self.skip(at, &[Term::Roughly]);
        let exactly = |value: f64, next| Quantity { next, value, least: value as i64, most: value as i64 };
        let open = self.skip(at, &[Term::Article]);
        match self.term(open) {
            Term::Few(least, most, value) => {
                let next = self.skip(open + 1, &[Term::Of]);
                return Some(Quantity { next, value: value.into(), least: least.into(), most: most.into() });
            }
            Term::Half => return Some(exactly(0.5, self.skip(open + 1, &[Term::Article, Term::Of]))),
            Term::Quarter => return Some(exactly(0.25, open + 1)),
            // "Eine halbe Stunde".
            Term::Number(1, 0) if self.is(open + 1, &[Term::Half]) => return Some(exactly(0.5, open + 2)),
            Term::Number(1, 0) if self.is(open + 1, &[Term::Quarter]) => {
                return Some(exactly(0.25, open + 2));
            }
            _ => {}
        }
        let Some((number, next)) = self.number(at).filter(|(number, _)| *number < 10_000) else {
            return (open > at).then(|| exactly(1.0, open));
        };
        let value = number as f64;
        if let Term::Number(decimals, digits @ 1..=3) = self.term(next + 1)
            && self.is(next, &[Term::Dot, Term::Comma])
            && self.touches(next)
            && self.touches(next + 1)
        {
            return Some(exactly(value + decimals as f64 / 10_f64.powi(digits.into()), next + 2));
        }
        match (self.term(next), self.term(next + 1)) {
            (Term::And, Term::Half) => Some(exactly(value + 0.5, next + 2)),
            (Term::HourPlus(30), _) | (Term::Half, Term::Unit(_)) => Some(exactly(value + 0.5, next + 1)),
            _ => Some(exactly(value, next)),
        }
    }

    /// A unit that is counted.
    pub(super) fn unit(&self, at: usize) -> Option<(Unit, usize)> {
        let unit = match self.term(at) {
            Term::Unit(unit) => unit,
            Term::YearMark => Unit::Year,
            Term::DayMark => Unit::Day,
            Term::MinuteMark => Unit::Minute,
            Term::SecondMark => Unit::Second,
            Term::HourMark if self.language.hours_tell_the_clock() => Unit::Hour,
            _ => return None,
        };
        Some((unit, at + 1))
    }

    /// An amount of time: "3 hours 30 minutes", "a year and a half", "the whole day".
    pub(super) fn amount(&self, at: usize) -> Option<Amount> {
        let mut amount = self.one_amount(at)?;
        for _ in 0..4 {
            let next = self.skip_all(amount.next, &[Term::And, Term::Comma]);
            let Some(more) = self.one_amount(next).filter(|more| more.unit.seconds() < amount.unit.seconds())
            else {
                break;
            };
            amount = Amount {
                next: more.next,
                seconds: amount.seconds + more.seconds,
                months: amount.months + more.months,
                rest: amount.rest + more.rest,
                unit: more.unit,
                single: None,
            };
        }
        Some(amount)
    }

    fn one_amount(&self, at: usize) -> Option<Amount> {
        if self.is(at, &[Term::All]) {
            let place = self.skip_all(at + 1, &[Term::The, Term::Of]);
            let (unit, next) = self.unit(place)?;
            return Some(Amount::of(Quantity { next, value: 1.0, least: 1, most: 1 }, unit, next));
        }
        let mut quantity = self.quantity(at)?;
        // "2018年" is a year.
        if matches!(self.term(at), Term::Number(_, 4)) && self.is(quantity.next, &[Term::YearMark]) {
            return None;
        }
        let (unit, mut next) = self.unit(self.skip(quantity.next, &[Term::Dash]))?;
        // "2019 trimestre 1".
        if matches!(self.term(at), Term::Number(1900..2100, 4)) && unit.seconds() >= Unit::Quarter.seconds() {
            return None;
        }
        let (half, quarter) = (Term::Half, Term::Quarter);
        for (more, terms) in
            [(0.5, &[Term::And, half][..]), (0.25, &[Term::And, quarter][..]), (0.5, &[half][..])]
        {
            let all = terms.iter().enumerate().all(|(ahead, term)| self.term(next + ahead) == *term);
            if all && self.unit(next + terms.len()).is_none() {
                quantity.value += more;
                next += terms.len();
                break;
            }
        }
        if let Term::HourPlus(minutes @ 1..) = self.term(next) {
            quantity.value += f64::from(minutes) / 60.0;
            next += 1;
        }
        Some(Amount::of(quantity, unit, next))
    }
}

/// "Twenty" goes before "six", "hundred" before "twenty".
fn fits_behind(value: i64, small: i64) -> bool {
    value % 100 >= 20 && value % 10 == 0 && small < 10 && small > 0
        || value >= 100 && value % 100 == 0 && small < 100
        || value == 10 && small < 10 && small > 0
}

/// "Twenty-six", "two thousand and six"; but not "ten and six".
fn joins(sign: Term, value: i64, small: i64) -> bool {
    fits_behind(value, small) && (sign == Term::Dash && value >= 20 || sign == Term::And && value >= 100)
}
