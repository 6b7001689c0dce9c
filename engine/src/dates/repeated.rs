//! How often something happens: "every Monday at 4", "twice a week", "täglich".

use crate::dates::expression::{PartOfDay, Period, Repetition};
use crate::dates::scan::Scan;
use crate::dates::term::{Part, Term, Unit};

impl Scan<'_> {
    /// A repetition that begins at `at`, and the first token after it.
    pub(super) fn repetition(&self, at: usize) -> Option<(Repetition, usize)> {
        self.each(at)
            .or_else(|| self.often(at))
            .or_else(|| self.clock_each(at))
            .or_else(|| self.each_behind(at))
    }

    /// "every two weeks", "each Monday at 4pm", "every evening".
    fn each(&self, at: usize) -> Option<(Repetition, usize)> {
        (self.term(at) == Term::Each).then_some(())?;
        // "Immer montags".
        let at = if self.term(at + 1) == Term::Each { at + 1 } else { at };
        let at = self.skip_all(at + 1, &[Term::The, Term::Of]);
        let told = |repetition, next| Some(self.at_its_time(repetition, next));
        if let Some(part) = self.part(at) {
            return told(
                Repetition { part: Some(part.named()), every: Some((1.0, Period::Day)), ..NONE },
                at + 1,
            );
        }
        match self.term(at) {
            Term::Weekday(weekday) => told(Repetition { weekday: Some(weekday), ..NONE }, at + 1),
            Term::Number(..) | Term::Few(..) | Term::Ordinal(_) => {
                let (count, place) = match self.quantity(at) {
                    Some(quantity) => (quantity.value, quantity.next),
                    None => self.ordinal(at).map(|(nth, next)| (nth as f64, next))?,
                };
                if let Term::Weekday(weekday) = self.term(place) {
                    return told(
                        Repetition { weekday: Some(weekday), every: Some((count, Period::Week)), ..NONE },
                        place + 1,
                    );
                }
                let (unit, next) = self.unit(place)?;
                told(Repetition { every: Some(period(unit, count)), ..NONE }, next)
            }
            Term::MonthMark => told(Repetition { every: Some((1.0, Period::Month)), ..NONE }, at + 1),
            _ => {
                let (unit, next) = self.unit(at)?;
                let weekday_at = self.skip_all(next, &[Term::Of, Term::On, Term::Filler]);
                if let (Unit::Week, Term::Weekday(weekday)) = (unit, self.term(weekday_at)) {
                    return told(Repetition { weekday: Some(weekday), ..NONE }, weekday_at + 1);
                }
                told(Repetition { every: Some(period(unit, 1.0)), ..NONE }, next)
            }
        }
    }

    /// "2日ごとに", "월요일마다": the word stands behind.
    fn each_behind(&self, at: usize) -> Option<(Repetition, usize)> {
        self.language.has_postpositions().then_some(())?;
        if let Term::Weekday(weekday) = self.term(at) {
            return (self.term(at + 1) == Term::Each)
                .then_some((Repetition { weekday: Some(weekday), ..NONE }, at + 2));
        }
        let quantity = self.quantity(at)?;
        let (unit, next) = self.unit(quantity.next)?;
        (self.term(next) == Term::Each)
            .then_some((Repetition { every: Some(period(unit, quantity.value)), ..NONE }, next + 1))
    }

    /// "three times a week", "once a day", "una vez al año", "einmal pro Woche".
    fn often(&self, first: usize) -> Option<(Repetition, usize)> {
        let at = self.quantity(first)?.next;
        let next = match self.term(at) {
            Term::Often => at + 1,
            // "One a day".
            Term::Article | Term::Per if matches!(self.term(first), Term::Number(_, 0)) => at,
            _ => return None,
        };
        let place = self
            .skip_all(next, &[Term::Article, Term::Per, Term::Each, Term::On, Term::In, Term::At, Term::The]);
        let (unit, end) = self.unit(place)?;
        (place > next).then_some((Repetition { every: Some(period(unit, 1.0)), ..NONE }, end))
    }

    /// "at 3pm each day".
    fn clock_each(&self, at: usize) -> Option<(Repetition, usize)> {
        let clock = self.clocks(at, None, false).filter(|clock| clock.to.is_none())?;
        let place = self.skip_all(clock.next, &[Term::Comma, Term::On]);
        let (repetition, next) = self.each(place)?;
        Some((Repetition { clock: Some(((clock.from / 60) as i16, clock.minutes)), ..repetition }, next))
    }

    /// With the time of the clock behind it.
    fn at_its_time(&self, mut repetition: Repetition, next: usize) -> (Repetition, usize) {
        let mut place = self.skip_all(next, &[Term::Comma, Term::Of, Term::On, Term::The]);
        let mut told = None;
        if let Some(part) = self.part(place) {
            told = Some(part);
            repetition.part = Some(part.named());
            place += 1;
        } else if let Term::Part(part) = self.term(next.wrapping_sub(1)) {
            told = Some(part);
        }
        match self.clock(place, told).filter(|clock| clock.sure) {
            Some(clock) => {
                repetition.clock = Some(((clock.from / 60) as i16, clock.minutes));
                (repetition, clock.next)
            }
            None if repetition.part.is_some() => (repetition, place.max(next)),
            None => (repetition, next),
        }
    }
}

const NONE: Repetition = Repetition { every: None, weekday: None, clock: None, part: None };

fn period(unit: Unit, count: f64) -> (f64, Period) {
    match unit {
        Unit::Second => (count, Period::Second),
        Unit::Minute => (count, Period::Minute),
        Unit::Hour => (count, Period::Hour),
        Unit::Day | Unit::Night | Unit::BusinessDay => (count, Period::Day),
        Unit::Week | Unit::WorkWeek => (count, Period::Week),
        Unit::Weekend => (count, Period::Weekend),
        Unit::Fortnight => (2.0 * count, Period::Week),
        Unit::Month => (count, Period::Month),
        Unit::Quarter => (3.0 * count, Period::Month),
        Unit::HalfYear => (0.5 * count, Period::Year),
        Unit::Year => (count, Period::Year),
        Unit::Decade => (10.0 * count, Period::Year),
        Unit::Century => (100.0 * count, Period::Year),
    }
}

impl Part {
    fn named(self) -> PartOfDay {
        match self {
            Self::Early | Self::Morning => PartOfDay::Morning,
            Self::Afternoon | Self::LateAfternoon | Self::LongAfternoon => PartOfDay::Afternoon,
            Self::Evening => PartOfDay::Evening,
            Self::Night => PartOfDay::Night,
        }
    }
}
