//! Dates that name themselves: days, months, years, seasons of years, holidays. A day without its year takes the year
//! nearest to the anchor.

use jiff::civil::Date;

use crate::dates::calendar::{Stretch, holiday, nearest, nearest_of, step, ymd};
use crate::dates::expression::Granularity;
use crate::dates::language::Language;
use crate::dates::scan::{BINDING, Hit, Scan};
use crate::dates::term::{Holiday, Season, Term, Unit, Way};

impl Scan<'_> {
    /// A date that begins at `first`.
    pub(super) fn absolute(&self, first: usize) -> Option<Hit> {
        let at = self.skip(first, &[Term::The]);
        let hit = match self.term(at) {
            Term::Number(..) | Term::Ordinal(_) => longest([
                self.iso(at),
                self.slashed(at),
                self.day_first(at),
                self.marked(at),
                self.bare_year(at),
                self.decade(at),
                self.century(at),
                self.year_and_quarter(at),
                self.year_before_month(at),
                self.day_of_month(first, at),
            ]),
            Term::Month(month) | Term::MaybeMonth(month) => self.month_first(at, i64::from(month)),
            Term::Weekday(_) | Term::MaybeWeekday(_) => self.after_weekday(at),
            Term::Season(season) => self.season(at, season),
            Term::Holiday(day) => self.holiday(at, day),
            Term::QuarterOf(_) | Term::HalfOf(_) => self.quarter_first(at),
            Term::Unit(Unit::Year) | Term::YearMark => self.year_named(at),
            Term::Unit(Unit::Century) => self.century(at),
            Term::DecadeMark => self.decade_named(at),
            Term::Era(before) => self.year_of_era(at, before),
            Term::Unit(Unit::Day) => self.day_named(at),
            _ => None,
        }?;
        let first = if first == at { first } else { self.with_article(first, &hit) };
        Some(hit.around(first, hit.next))
    }

    /// An article belongs to a day and to a stretch of years, as in "the 1990s".
    pub(super) fn with_article(&self, first: usize, hit: &Hit) -> usize {
        let belongs = self.language == Language::English || hit.exact.is_day();
        if belongs { first } else { hit.first }
    }

    /// A year of four digits.
    pub(super) fn year(&self, at: usize) -> Option<i64> {
        match self.term(at) {
            Term::Number(year @ 1000..=2999, 4 | 0) => Some(year),
            _ => None,
        }
    }

    /// A year behind a day or a month, with what binds it, and the place after it.
    pub(super) fn year_behind(&self, at: usize) -> Option<(i64, usize)> {
        let place = self
            .skip_all(at, &[Term::Comma, Term::Dot, Term::Dash, Term::Slash, Term::Of, Term::In, Term::The]);
        if let Some(year) = self.year(place) {
            // "May 2023-05" would be something else.
            let next = self.skip(place + 1, &[Term::YearMark]);
            return Some((year, next));
        }
        // "May of 87"; smaller numbers may be days or hours.
        if let Term::Number(year @ 32..=99, 2) = self.term(place)
            && self.is(place - 1, &[Term::Of])
        {
            return Some((1900 + year, place + 1));
        }
        let (year, next) = self.number(place)?;
        ((1000..3000).contains(&year) && next > place + 1).then_some((year, next))
    }

    /// A year told by "last year" behind a date.
    pub(super) fn pointed_year_behind(&self, at: usize) -> Option<(i64, usize)> {
        let place = self.skip_binding(at);
        let (way, next) = match (self.term(place), self.term(place + 1)) {
            (Term::Way(way), Term::Unit(Unit::Year)) | (Term::Unit(Unit::Year), Term::Way(way)) => {
                (way, place + 2)
            }
            (Term::Unit(Unit::Year), _) if self.before(place) == Term::The && place > at => {
                (Way::This, place + 1)
            }
            _ => return None,
        };
        Some((i64::from(self.today()?.year()) + way.offset(), next))
    }

    /// "2023-05-07", also with slashes and dots, and "2023-05".
    pub(super) fn iso(&self, at: usize) -> Option<Hit> {
        let year = self.year(at)?;
        let sign = self.term(at + 1);
        let signs = [Term::Dash, Term::Slash, Term::Dot];
        if !signs.contains(&sign) || !self.touches(at + 1) || !self.touches(at + 2) {
            return None;
        }
        let month = match self.term(at + 2) {
            Term::Number(month, 1 | 2) => month,
            Term::Month(month) => i64::from(month),
            _ => return None,
        };
        if self.term(at + 3) == sign
            && let Term::Number(day, 1 | 2) = self.term(at + 4)
            && self.touches(at + 3)
            && self.touches(at + 4)
        {
            return Hit::day(at, at + 5, ymd(year, month, day)?);
        }
        let goes_on = self.is(at + 3, &signs[..2]) && self.touches(at + 3);
        (sign != Term::Dot && !goes_on && self.before(at) != Term::Dash).then_some(())?;
        Some(Hit::new(at, at + 3, Stretch::months(year, month, 1)?))
    }

    /// "7 May 2023", "7th of May, 2023", "8 May", "22.04.".
    pub(super) fn day_first(&self, at: usize) -> Option<Hit> {
        let (day, next) = self.ordinal(at).or_else(|| self.number(at))?;
        (1..=31).contains(&day).then_some(())?;
        let month_at =
            self.skip_all(next, &[Term::Of, Term::Dash, Term::In, Term::The, Term::Slash, Term::Filler]);
        if let Some((year, touching)) = self.year(month_at).map(|year| (year, self.touches(month_at)))
            && touching
            && let Term::Month(month) = self.term(self.skip(month_at + 1, &[Term::Dash]))
        {
            return Hit::day(at, self.skip(month_at + 1, &[Term::Dash]) + 1, ymd(year, month.into(), day)?);
        }
        let (Term::Month(month) | Term::MaybeMonth(month)) = self.term(month_at) else {
            return None;
        };
        self.with_year(at, month_at + 1, i64::from(month), day)
    }

    /// "May 7th, 2023", "May 2023", "in May".
    pub(super) fn month_first(&self, at: usize, month: i64) -> Option<Hit> {
        let dotted = self.skip(at + 1, &[Term::Dot]);
        let day_at = self.skip_all(dotted, &[Term::The, Term::Dash, Term::Slash, Term::Of]);
        let days = self.ordinal(day_at).or_else(|| self.number(day_at).filter(|_| self.may_be_day(day_at)));
        if let Some((day @ 1..=31, next)) = days
            && let Some(hit) = self.with_year(at, next, month, day)
        {
            return Some(hit);
        }
        if let Some((year, next)) = self.year_behind(dotted) {
            // "September-2020-23"
            if self.is(next, &[Term::Dash])
                && let Term::Number(day, 1 | 2) = self.term(next + 1)
                && let Some(date) = ymd(year, month, day)
            {
                return Hit::day(at, next + 2, date);
            }
            return Some(Hit::new(at, next, Stretch::months(year, month, 1)?));
        }
        if let Some((year, next)) = self.pointed_year_behind(dotted) {
            return Some(Hit::new(at, next, Stretch::months(year, month, 1)?));
        }
        let first = nearest(self.today()?, month, 1)?;
        let hit = Hit::new(at, at + 1, Stretch::month(first)?).yearless();
        let sure = matches!(self.term(at), Term::Month(_));
        let told = self.tells_month(at);
        match (self.language.has_capitals(), sure) {
            (true, _) if told && self.has_capital(at) && self.tokens[at].end - self.tokens[at].start > 2 => {
                Some(hit)
            }
            (true, true) => Some(hit.weak()),
            (false, true) if told || self.tokens[at].full => Some(hit),
            (false, false) if told => Some(hit),
            _ => None,
        }
    }

    pub(super) fn tells_month(&self, at: usize) -> bool {
        let open = |term| {
            matches!(
                term,
                Term::In
                    | Term::Since
                    | Term::Until
                    | Term::To
                    | Term::Of
                    | Term::Start
                    | Term::Mid
                    | Term::Finish
                    | Term::From
                    | Term::Before
                    | Term::After
                    | Term::Between
                    | Term::Roughly
                    | Term::Ago
            )
        };
        open(self.before(at))
            || self.is(at + 1, &[Term::To, Term::Until, Term::Dash])
                && self.anchor.is_some()
                && matches!(self.term(at + 2), Term::Month(_) | Term::MaybeMonth(_))
    }

    /// "May 7:30" is a time in May, if anything, and "May 7 pm" too.
    pub(super) fn may_be_day(&self, at: usize) -> bool {
        let clock = self.is(at + 1, &[Term::Colon]) && self.touches(at + 1);
        let half = self.is(at + 1, &[Term::Am, Term::Pm, Term::HourMark]);
        matches!(self.term(at), Term::Number(_, 0..=2)) && !clock && !half
    }

    /// The year after a day and a month, or the one nearest to the anchor.
    pub(super) fn with_year(&self, at: usize, next: usize, month: i64, day: i64) -> Option<Hit> {
        if let Some((year, after)) = self.year_behind(next)
            && let Some(date) = ymd(year, month, day)
        {
            return Hit::day(at, after, date);
        }
        if let Some((year, after)) = self.pointed_year_behind(next)
            && let Some(date) = ymd(year, month, day)
        {
            return Hit::day(at, after, date);
        }
        let dot = self.skip(next, &[Term::Dot]);
        if let Term::Number(year @ 0..=99, 2) = self.term(dot)
            && self.is(dot.wrapping_sub(1), &[Term::Dot, Term::Slash, Term::Dash, Term::Month(month as i8)])
            && self.touches(dot)
        {
            return Hit::day(at, dot + 1, ymd(short_year(year), month, day)?);
        }
        Some(Hit::day(at, next, nearest(self.today()?, month, day)?)?.yearless())
    }

    /// "5/7/2023" by the custom of the language, unless that is no date; "7.5.2023" day first; "12-2015"; "5/7".
    pub(super) fn slashed(&self, at: usize) -> Option<Hit> {
        let sign = self.term(at + 1);
        let Term::Number(first, 1 | 2) = self.term(at) else {
            return None;
        };
        if !matches!(sign, Term::Slash | Term::Dot | Term::Dash)
            || !self.touches(at + 1)
            || !self.touches(at + 2)
        {
            return None;
        }
        if let Some(year) = self
            .year(at + 2)
            .filter(|_| sign != Term::Dot && !matches!(self.before(at), Term::Dash | Term::Slash))
        {
            return Some(Hit::new(at, at + 3, Stretch::months(year, first, 1)?));
        }
        let Term::Number(second, 1 | 2) = self.term(at + 2) else {
            return None;
        };
        let by = |year: i64| {
            let (month_first, day_first) = (ymd(year, first, second), ymd(year, second, first));
            if self.language.month_comes_first() && sign != Term::Dot {
                month_first.or(day_first)
            } else {
                day_first.or(month_first)
            }
        };
        if self.term(at + 3) == sign && self.touches(at + 3) && self.touches(at + 4) {
            let year = match self.term(at + 4) {
                Term::Number(year, 2) if sign != Term::Dash => short_year(year),
                _ => self.year(at + 4)?,
            };
            return Hit::day(at, at + 5, by(year)?);
        }
        let next = self.skip(at + 3, &[Term::Dot]);
        let comma = self.skip(at + 3, &[Term::Comma]);
        if sign == Term::Slash
            && comma > at + 3
            && let Some(year) = self.year(comma)
        {
            return Hit::day(at, comma + 1, by(year)?);
        }
        let weak = match sign {
            Term::Slash => self.before(at) != Term::Slash && !self.is(at + 3, &[Term::Slash]),
            Term::Dot => self.language.dots_ordinals() && next > at + 3 && self.touches(at + 3),
            _ => false,
        };
        let today = self.today().filter(|_| weak)?;
        let year = i64::from(today.year());
        let day = nearest_of(today, (year - 4..=year + 4).filter_map(by))?;
        let next = if sign == Term::Dot { next } else { at + 3 };
        Some(Hit::day(at, next, day)?.yearless().weak())
    }

    /// "2023年5月7日" and its parts, "3월 3일", "十二日".
    pub(super) fn marked(&self, at: usize) -> Option<Hit> {
        let (number, mark) = self.number(at)?;
        match self.term(mark) {
            Term::YearMark => {
                let year = match self.term(at) {
                    Term::Number(year, 2) => short_year(year),
                    _ => number,
                };
                (1000..=2999).contains(&year).then_some(())?;
                self.month_marked(at, self.skip_all(mark + 1, BINDING), Some(year))
                    .or_else(|| Some(Hit::new(at, mark + 1, Stretch::years(year, year + 1)?)))
            }
            Term::MonthMark => self.month_marked(at, at, None),
            Term::DayMark => self.day_marked(at, number, mark + 1),
            _ => None,
        }
    }

    /// A month with its mark at `at`, and the day behind it.
    pub(super) fn month_marked(&self, first: usize, at: usize, year: Option<i64>) -> Option<Hit> {
        let (month, mark) = self.number(at)?;
        (self.term(mark) == Term::MonthMark && (1..=12).contains(&month)).then_some(())?;
        let day_at = self.skip_all(mark + 1, BINDING);
        let day = self.number(day_at).filter(|(_, next)| self.term(*next) == Term::DayMark);
        let Some((day, day_mark)) = day else {
            let date = year.map_or_else(|| nearest(self.today()?, month, 1), |year| ymd(year, month, 1))?;
            let hit = Hit::new(first, mark + 1, Stretch::month(date)?);
            return Some(if year.is_some() { hit } else { hit.yearless() });
        };
        let date = year.map_or_else(|| nearest(self.today()?, month, day), |year| ymd(year, month, day))?;
        let mut hit = Hit::day(first, day_mark + 1, date)?;
        hit.year_told = year.is_some();
        let weekday = self.skip_all(hit.next, &[Term::Comma, Term::Open, Term::Of]);
        if let Term::Weekday(_) = self.term(weekday) {
            hit = hit.around(first, weekday + 1);
        }
        Some(hit)
    }

    /// "29日": of the month nearest to the anchor.
    pub(super) fn day_marked(&self, first: usize, day: i64, next: usize) -> Option<Hit> {
        // Few days in words are how long: "三日".
        (matches!(self.term(first), Term::Number(_, 1 | 2)) || day >= 10).then_some(())?;
        let weekday = self.skip_all(next, &[Term::Of, Term::Comma]);
        if let Some(hit) = self.of_weekday(first, weekday, day) {
            return Some(hit);
        }
        Some(Hit::day(first, next, self.nearest_day(day)?)?.yearless().weak())
    }

    pub(super) fn nearest_day(&self, day: i64) -> Option<Date> {
        let today = self.today()?;
        let months = (-2..=2).filter_map(|months| step(today.first_of_month(), Unit::Month, months));
        nearest_of(today, months.filter_map(|month| ymd(month.year().into(), month.month().into(), day)))
    }

    /// "the 18th".
    pub(super) fn day_of_month(&self, first: usize, at: usize) -> Option<Hit> {
        let Term::Ordinal(day @ 1..=31) = self.term(at) else {
            return None;
        };
        let told = first < at && !self.tokens.get(at + 1).is_some_and(|token| token.term == Term::Other);
        (told && self.language == Language::English && day > 3).then_some(())?;
        Some(Hit::day(first, at + 1, self.nearest_day(day)?)?.yearless().weak())
    }

    /// "el día 15", "dia 25".
    pub(super) fn day_named(&self, at: usize) -> Option<Hit> {
        let told = matches!(self.language, Language::Spanish | Language::Portuguese | Language::Italian);
        let (day @ 1..=31, next) = self.number(at + 1).filter(|_| told)? else {
            return None;
        };
        if let Some(hit) = self.day_first(at + 1) {
            return Some(hit.around(at, hit.next));
        }
        let plain = self.unit(next).is_none() && !self.is(next, &[Term::Colon, Term::Slash]);
        Some(Hit::day(at, next, self.nearest_day(day)?)?.yearless().weak()).filter(|_| plain)
    }

    /// "Monday, 7 May 2023": the weekday is part of the expression and adds nothing.
    pub(super) fn after_weekday(&self, at: usize) -> Option<Hit> {
        let next = self
            .skip_all(at + 1, &[Term::Comma, Term::Dot, Term::The, Term::Open, Term::Of, Term::On, Term::At]);
        let hit = match self.term(next) {
            Term::Number(_, 1 | 2) => {
                longest([self.day_first(next), self.slashed(next), self.monthless(at, next)])
            }
            Term::Number(_, 4) => self.iso(next),
            Term::Number(..) | Term::Ordinal(_) => self.day_first(next).or_else(|| self.monthless(at, next)),
            Term::Month(month) | Term::MaybeMonth(month) => self.month_first(next, i64::from(month)),
            _ => None,
        }
        .filter(|hit| hit.exact.granularity == Granularity::Day)?;
        let mut hit = hit.around(at, hit.next);
        if hit.meant.is_none() {
            hit = hit.meaning(Some(hit.exact));
        }
        Some(hit)
    }

    /// "Monday the 21st": of the month in which that day is that weekday.
    pub(super) fn monthless(&self, weekday_at: usize, at: usize) -> Option<Hit> {
        let (Term::Weekday(weekday) | Term::MaybeWeekday(weekday)) = self.term(weekday_at) else {
            return None;
        };
        let plain = |next| {
            matches!(self.term(next), Term::End | Term::Sign | Term::Between | Term::From | Term::At)
                && at == weekday_at + 1
        };
        let number = self.number(at).filter(|(_, next)| plain(*next) && !self.language.is_unspaced());
        let (day, next) = self.ordinal(at).or(number)?;
        self.day_that_is(weekday_at, next, weekday, day)
    }

    /// "31日の日曜日".
    pub(super) fn of_weekday(&self, first: usize, at: usize, day: i64) -> Option<Hit> {
        match self.term(at) {
            Term::Weekday(weekday) => self.day_that_is(first, at + 1, weekday, day),
            _ => None,
        }
    }

    /// The day of the nearest month in which it is that weekday.
    pub(super) fn day_that_is(&self, first: usize, next: usize, weekday: i8, day: i64) -> Option<Hit> {
        let today = self.today()?;
        let months = (-9..=9).filter_map(|months| step(today.first_of_month(), Unit::Month, months));
        let days = months.filter_map(|month| ymd(month.year().into(), month.month().into(), day));
        let days = days.filter(|day| day.weekday().to_monday_zero_offset() == weekday);
        Some(Hit::day(first, next, nearest_of(today, days)?)?.yearless())
    }

    pub(super) fn season(&self, at: usize, season: Season) -> Option<Hit> {
        let (year, next) = self.year_behind(at + 1).or_else(|| self.pointed_year_behind(at + 1))?;
        Some(Hit::new(at, next, Stretch::season(year, season)?))
    }

    pub(super) fn holiday(&self, at: usize, day: Holiday) -> Option<Hit> {
        if let Some((year, next)) = self.year_behind(at + 1).or_else(|| self.pointed_year_behind(at + 1)) {
            return Hit::day(at, next, holiday(year, day)?);
        }
        let today = self.today()?;
        let year = i64::from(today.year());
        let date = nearest_of(today, (year - 1..=year + 1).filter_map(|year| holiday(year, day)))?;
        let hit = Hit::day(at, at + 1, date)?.yearless();
        // "The magic of Christmas" tells no time.
        let told = matches!(
            self.before(at),
            Term::On
                | Term::At
                | Term::In
                | Term::Since
                | Term::Until
                | Term::Before
                | Term::After
                | Term::Ago
                | Term::To
        );
        Some(if told { hit } else { hit.weak() })
    }
}

fn short_year(year: i64) -> i64 {
    if year < 30 { 2000 + year } else { 1900 + year }
}

/// The hit that goes furthest; of equals the first.
pub(super) fn longest<const N: usize>(hits: [Option<Hit>; N]) -> Option<Hit> {
    hits.into_iter().flatten().reduce(|best, hit| if hit.next > best.next { hit } else { best })
}
