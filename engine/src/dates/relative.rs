//! Dates that are counted from the time at which they were said: "yesterday", "last Friday", "two weeks ago",
//! "the week before 9 June". Without that time none of them is read.

use jiff::civil::{Date, DateTime};

use crate::dates::absolute::longest;
use crate::dates::calendar::{Stretch, days_between, holiday, step, step_time, ymd};
use crate::dates::expression::Granularity;
use crate::dates::language::Language;
use crate::dates::number::{Amount, Quantity};
use crate::dates::scan::{Hit, Kind, Scan};
use crate::dates::term::{Term, Unit, Way};

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

    fn is_back(self) -> bool {
        self.offset() < 0
    }
}

impl Scan<'_> {
    /// A date of any kind.
    pub(super) fn date(&self, at: usize) -> Option<Hit> {
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
        (told && plain && matches!(self.before(at), Term::In | Term::Of | Term::End | Term::Other)).then_some(())?;
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
            let (unit, next) = self.unit(quantity.next + 1)?;
            return self.run(at, next, quantity, unit, way, anchor);
        }
        let (unit, way_at) = self.unit(quantity.next)?;
        match self.term(way_at) {
            Term::Way(way) if way != Way::This && self.language != Language::English => {
                self.run(at, way_at + 1, quantity, unit, way, anchor)
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
                self.run(first, next, quantity, unit, way, anchor)
            }
            Term::Unit(Unit::Day | Unit::BusinessDay) if !english || self.is_singular(at) => {
                Some(Hit::day(first, next, step(today, Unit::Day, way.offset())?)?.weak())
            }
            Term::Unit(unit) if !unit.is_short() && (!english || self.is_singular(at)) => {
                // On a Sunday "last weekend" is still the one before; on a Monday it is the one just past.
                Some(Hit::new(first, next, Stretch::unit(step(today, unit, way.offset())?, unit)?))
            }
            Term::YearMark => Some(Hit::new(first, next, Stretch::unit(step(today, Unit::Year, way.offset())?, Unit::Year)?)),
            Term::Season(season) => {
                Some(Hit::new(first, next, by_year(today, way, |year| Stretch::season(year, season))?))
            }
            Term::Month(month) | Term::MaybeMonth(month) => {
                let told = !self.language.has_capitals() || self.has_capital(at) || matches!(self.term(at), Term::Month(_));
                let stretch = by_year(today, way, |year| Stretch::month(ymd(year, month.into(), 1)?))?;
                Some(Hit::new(first, next, stretch)).filter(|_| told)
            }
            Term::Number(..) if way == Way::This => {
                self.month_marked(first, at, Some(today.year().into())).filter(|_| self.language.is_unspaced())
            }
            Term::Holiday(day) => {
                let stretch = by_year(today, way, |year| Stretch::day(holiday(year, day)?))?;
                Some(Hit::new(first, next, stretch))
            }
            Term::QuarterOf(_) | Term::HalfOf(_) => self.absolute(at).map(|hit| hit.around(first, hit.next)),
            _ => None,
        }
    }

    /// English tells many units by an "s".
    fn is_singular(&self, at: usize) -> bool {
        let token = self.tokens[at];
        let Term::Unit(unit) = token.term else {
            return true;
        };
        let plural = match unit {
            Unit::Day => 4,
            Unit::Week | Unit::Year => 5,
            Unit::Month | Unit::Night => 6,
            Unit::Decade => 7,
            Unit::Weekend | Unit::Quarter => 8,
            _ => return true,
        };
        token.end - token.start != plural
            || unit == Unit::Quarter && token.end - token.start == 7
    }

    /// "two weeks", "few months" after "last" or "next": the run of days up to or from the anchor.
    fn run_of_units(&self, first: usize, at: usize, way: Way, anchor: DateTime) -> Option<Hit> {
        let quantity = self.quantity(at)?;
        let (unit, next) = self.unit(quantity.next)?;
        // "2018年" is a year.
        if matches!(self.term(at), Term::Number(_, 4)) && self.is(quantity.next, &[Term::YearMark]) {
            return None;
        }
        self.run(first, self.skip(next, &[Term::Inside]), quantity, unit, way, anchor)
    }

    fn run(&self, first: usize, next: usize, count: Quantity, unit: Unit, way: Way, anchor: DateTime) -> Option<Hit> {
        let amount = Amount::of(count, unit, next);
        let back = way.is_back();
        let exact = if unit.is_short() {
            let (from, to) = if back { (amount.moved(anchor, -1)?, anchor) } else { (anchor, amount.moved(anchor, 1)?) };
            Stretch { from, to, granularity: granularity_of(unit) }
        } else {
            let day = if unit == Unit::Quarter { Stretch::unit(anchor.date(), unit)? } else { Stretch::day(anchor.date())? };
            let (today, after) = (day.from, day.to);
            let (from, to) = if back {
                (amount.moved(today, -1)?, today)
            } else {
                let working = unit == Unit::BusinessDay;
                let to = if working { step_time(amount.moved(today, 1)?, Unit::Day, 1)? } else { amount.moved(after, 1)? };
                (after, to)
            };
            Stretch { from, to, granularity: granularity_of(unit) }
        };
        let today = anchor.date();
        let meant = if unit.is_short() {
            Some(exact)
        } else if back {
            Some(Stretch::between(step(today, unit, -count.most)?, step(today, Unit::Day, 1)?, granularity_of(unit)))
        } else {
            Some(Stretch::between(today, step(today, unit, count.most)?, granularity_of(unit)))
        };
        // "Next 0 weeks" is no time.
        let meant = meant.filter(|stretch| stretch.from < stretch.to);
        Some(Hit::new(first, next, exact).meaning(meant)).filter(|hit| exact.from < exact.to && hit.meant.is_some())
    }

    /// "two weeks ago", "a few years ago", "in 3 days", "vor drei Tagen".
    fn counted(&self, at: usize, anchor: DateTime) -> Option<Hit> {
        let (open, sign) = match self.term(at) {
            Term::Inside if !self.language.has_postpositions() => {
                let amount = self.amount(self.skip_all(at + 1, &[Term::The]))?;
                return self.within(at, amount.next, &amount, anchor);
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
                return self.within(at, after + 1, &amount, anchor);
            }
            Term::In if !open && self.language.has_postpositions() => (1, after + 1),
            Term::Since if !open => return self.long_from(at, after, &amount),
            // "In two years of work" is a duration.
            Term::Of if open && sign > 0 && self.language == Language::English => return None,
            Term::Since if open && sign > 0 => {
                return self.counted_beside(at, after, &amount).or_else(|| self.from_anchor(at, after, &amount, 1, anchor));
            }
            // "In the last 5 years" begins behind the "in".
            Term::Way(_) if open => return None,
            _ if open => (sign, after),
            _ => return None,
        };
        self.from_anchor(at, next, &amount, sign, anchor)
    }

    /// "within two hours": from now on.
    fn within(&self, first: usize, next: usize, amount: &Amount, anchor: DateTime) -> Option<Hit> {
        let from = if amount.unit.is_short() { anchor } else { Stretch::day(anchor.date())?.from };
        let exact = Stretch { from, to: amount.moved(from, 1)?, granularity: granularity_of(amount.unit) };
        Some(Hit::new(first, next, exact)).filter(|_| exact.from < exact.to)
    }

    /// "3 days starting from next Monday".
    fn long_from(&self, first: usize, at: usize, amount: &Amount) -> Option<Hit> {
        let base = self.base(self.skip_all(at + 1, &[Term::The, Term::Of])).filter(|_| !self.language.has_postpositions())?;
        let exact = Stretch { to: amount.moved(base.exact.from, 1)?, ..base.exact };
        let granularity = base.exact.granularity.max(Granularity::Week);
        Some(Hit::new(first, base.next, Stretch { granularity, ..exact })).filter(|_| exact.from < exact.to)
    }

    fn from_anchor(&self, first: usize, next: usize, amount: &Amount, sign: i64, anchor: DateTime) -> Option<Hit> {
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
    fn counted_beside(&self, first: usize, at: usize, amount: &Amount) -> Option<Hit> {
        let base = self.base(at + 1).or_else(|| self.base(self.skip_all(at + 1, &[Term::The, Term::Of])))?;
        let sign = if matches!(self.term(at), Term::Before | Term::Ago) { -1 } else { 1 };
        let then = amount.moved(base.exact.from, sign)?;
        let exact = if amount.unit.is_short() { Stretch::moment(then)? } else { Stretch::day(then.date())? };
        let whole = amount.single.and_then(|count| {
            Stretch::unit(step(base.exact.from.date(), amount.unit, count.most * sign)?, amount.unit)
        });
        Some(Hit::new(first, base.next, exact).meaning(whole.or(Some(exact))))
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
            (english && self.term(at) == Term::Unit(Unit::Day) && self.term(at + 2) != Term::Other).then_some(())?;
            return Some(Hit::day(first, at + 2, step(self.today()?, Unit::Day, if after { 1 } else { -1 })?)?.weak());
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
            || self.is(at.wrapping_sub(1), &[Term::Or, Term::And, Term::Comma]) && weekday(self.term(at.wrapping_sub(2)))
            || self.is(at + 1, &[Term::Or, Term::And]) && weekday(self.term(at + 2)) && told
    }

    /// "first week of January", "last Friday of next month", "3rd quarter of 2019", "week 10".
    fn nth_of(&self, first: usize) -> Option<Hit> {
        let at = self.skip(first, &[Term::The]);
        if self.term(at) == Term::Unit(Unit::Week)
            && let Some((week @ 1..=53, next)) = self.number(at + 1)
            && !self.is(next, &[Term::Colon])
        {
            let year = self.year(self.skip_binding(next));
            let stretch = Stretch::years(year.unwrap_or(self.today()?.year().into()), year.unwrap_or(self.today()?.year().into()) + 1)?;
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
                let whole = if bound > next { self.base(bound).or_else(|| self.this_unit(bound)) } else { None };
                let whole = whole.filter(|whole| !whole.is_day());
                let within = match (whole, unit) {
                    (Some(whole), _) => whole,
                    (None, Term::Unit(Unit::Week)) if nth > 0 => {
                        let stretch = Stretch::unit(self.today()?, Unit::Year)?;
                        Hit::new(first, next, stretch).weak()
                    }
                    _ => return None,
                };
                self.nth_within(first, within.next.max(next), nth, unit, &within)
            }
            _ => None,
        }
    }

    fn nth_within(&self, first: usize, next: usize, nth: i64, unit: Term, whole: &Hit) -> Option<Hit> {
        let stretch = match unit {
            Term::Weekday(weekday) => Stretch::day(whole.exact.nth_weekday(nth, weekday.into())?),
            Term::Unit(Unit::Week) => whole.exact.nth_week(nth),
            Term::Unit(Unit::Month) if nth > 0 => {
                Stretch::month(step(whole.exact.from.date(), Unit::Month, nth - 1)?)
            }
            Term::Unit(Unit::Month) => Stretch::month(step(whole.exact.to.date(), Unit::Day, -1)?),
            Term::Unit(Unit::Day) if nth > 0 => Stretch::day(step(whole.exact.from.date(), Unit::Day, nth - 1)?),
            Term::Unit(Unit::Day) => Stretch::day(step(whole.exact.to.date(), Unit::Day, -1)?),
            _ => None,
        }?;
        let hit = Hit::new(first, next, stretch);
        Some(if whole.meant.is_some() { hit } else { hit.weak() })
    }

    /// "early next year", "mid-May", "end of the month".
    fn fraction(&self, first: usize) -> Option<Hit> {
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
    fn unit_fraction(&self, at: usize) -> Option<Hit> {
        let whole = self.this_unit(at).filter(|_| self.language.has_postpositions())?;
        let place = self.skip_all(whole.next, &[Term::Of, Term::The]);
        match self.term(place) {
            which @ (Term::Start | Term::Mid | Term::Finish) => self.fraction_of(at, place + 1, which, &whole),
            _ => None,
        }
    }

    /// A unit alone: the one in which it is said.
    fn this_unit(&self, at: usize) -> Option<Hit> {
        let (unit, next) = self.unit(at).filter(|(unit, _)| !unit.is_short())?;
        Some(Hit::new(at, next, Stretch::unit(self.today()?, unit)?).weak())
    }

    fn fraction_of(&self, first: usize, next: usize, which: Term, whole: &Hit) -> Option<Hit> {
        let from = whole.exact.from;
        let days = |from: i64, to: i64| {
            let start = whole.exact.from.date();
            Some(Stretch::between(step(start, Unit::Day, from)?, step(start, Unit::Day, to)?, Granularity::Week))
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
    fn with_what_belongs(&self, mut hit: Hit) -> Hit {
        for _ in 0..3 {
            match self.more_exactly(&hit) {
                Some(more) if more.next > hit.next => hit = more,
                _ => break,
            }
        }
        hit
    }

    fn more_exactly(&self, hit: &Hit) -> Option<Hit> {
        let at = self.skip_all(hit.next, &[Term::Of, Term::On, Term::The, Term::Comma, Term::In, Term::Filler, Term::Dash]);
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
                self.weekday_of_week(hit, at + 1, way, |place| matches!(self.term(place), Term::Unit(Unit::Week)))
            }
            (Granularity::Day, Term::Unit(Unit::Week)) if hit.kind == Kind::Weekday => match self.term(at + 1) {
                Term::Way(way) => self.weekday_of_week(hit, at + 1, way, |_| true),
                _ => None,
            },
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
                Some(Hit { year_told: hit.year_told, ..inside(next, ymd(day.year().into(), day.month().into(), number)?)? })
            }
            (Granularity::Year, Term::Number(..)) => self.month_marked(hit.first, at, Some(day.year().into())),
            (Granularity::Year, Term::Month(month)) if hit.exact.moved(Unit::Year, 1)?.from == hit.exact.to => {
                self.month_in_year(hit, at, month)
            }
            (Granularity::Year, Term::QuarterOf(quarter)) => Some(Hit::new(
                hit.first,
                at + 1,
                Stretch::months(day.year().into(), i64::from(quarter) * 3 - 2, 3)?,
            )),
            (Granularity::Year, Term::HalfOf(half)) => {
                Some(Hit::new(hit.first, at + 1, Stretch::months(day.year().into(), i64::from(half) * 6 - 5, 6)?))
            }
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
                    return Some(Hit::new(hit.first, place + 1, Stretch::months(day.year().into(), nth * 3 - 2, 3)?));
                }
                self.nth_within(hit.first, place + 1, nth, self.term(place), hit)
            }
            (_, Term::Number(..) | Term::Few(..)) if hit.is_day() && self.language.has_postpositions() => {
                self.counted_behind(hit, self.skip_all(hit.next, &[Term::Of, Term::Since, Term::From]))
            }
            _ => None,
        }
    }

    fn month_in_year(&self, hit: &Hit, at: usize, month: i8) -> Option<Hit> {
        let year = hit.exact.from.year().into();
        let day_at = self.skip_all(at + 1, &[Term::The, Term::Of]);
        let day = self.ordinal(day_at).or_else(|| self.number(day_at)).filter(|(day, _)| *day <= 31);
        match day.and_then(|(day, next)| Some((ymd(year, month.into(), day)?, next))) {
            Some((date, next)) => Hit::day(hit.first, next, date),
            None => Some(Hit::new(hit.first, at + 1, Stretch::months(year, month.into(), 1)?)),
        }
    }

    /// "Monday next week", "lundi de la semaine prochaine".
    fn weekday_of_week(&self, hit: &Hit, at: usize, way: Way, is_week: impl Fn(usize) -> bool) -> Option<Hit> {
        is_week(at).then_some(())?;
        let week = Stretch::week(step(self.today()?, Unit::Week, way.offset())?)?;
        let weekday = hit.exact.from.date().weekday().to_monday_zero_offset();
        Hit::day(hit.first, at + 1, step(week.from.date(), Unit::Day, weekday.into())?)
    }

    /// "昨日の2日前", "bugünden 3 gün sonra": an amount behind the date from which it is counted.
    fn counted_behind(&self, hit: &Hit, at: usize) -> Option<Hit> {
        let amount = self.amount(at).filter(|amount| !amount.unit.is_short())?;
        let sign = match self.term(amount.next) {
            Term::Ago | Term::Before => -1,
            Term::Hence | Term::After => 1,
            _ => return None,
        };
        Hit::day(hit.first, amount.next + 1, amount.moved(hit.exact.from, sign)?.date())
    }
}

/// A part of a day.
pub(super) fn day_part(first: usize, next: usize, day: Stretch, part: crate::dates::term::Part) -> Hit {
    let of = |(from, to)| day.hours(from, to).unwrap_or(day);
    Hit::new(first, next, of(part.narrow())).meaning(Some(of(part.wide())))
}

fn granularity_of(unit: Unit) -> Granularity {
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

/// The last stretch that has ended, this year's, or the first that has not begun.
fn by_year(today: Date, way: Way, of_year: impl Fn(i64) -> Option<Stretch>) -> Option<Stretch> {
    let year = i64::from(today.year());
    match way {
        Way::Last | Way::Past => {
            (year - 2..=year).rev().filter_map(of_year).find(|stretch| stretch.to.date() <= today)
        }
        Way::This => of_year(year),
        Way::Next | Way::Coming => (year..=year + 1).filter_map(of_year).find(|stretch| stretch.from.date() > today),
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
