//! The tokens of a text and the time at which it was said, and what every rule asks of them. The rules stand in the other
//! files.

use std::cell::{Cell, OnceCell, RefCell};

use jiff::civil::{Date, DateTime};
use rustc_hash::FxHashMap;

use crate::dates::calendar::Stretch;
use crate::dates::expression::Granularity;
use crate::dates::language::Language;
use crate::dates::term::{Part, Term, Token, Unit};

/// Which end of a stretch is left open.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Open {
    No,
    /// Until then.
    From,
    /// Since then.
    To,
}

/// What a hit may be put together with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// One day.
    Day,
    /// A weekday that names no week.
    Weekday,
    /// A part of the day, of which day is not told.
    Part,
    /// Times of the clock, of which day is not told.
    Clock,
    /// Anything else.
    Other,
}

/// What an expression means in conversation, and between which tokens it is told.
#[derive(Debug, Clone, Copy)]
pub(super) struct Meant {
    pub(super) first: usize,
    pub(super) next: usize,
    pub(super) stretch: Stretch,
}

/// What was read: between which tokens, by the letter, and in conversation.
#[derive(Debug, Clone, Copy)]
pub(super) struct Hit {
    pub(super) first: usize,
    /// The first token after it.
    pub(super) next: usize,
    pub(super) exact: Stretch,
    pub(super) open: Open,
    pub(super) meant: Option<Meant>,
    pub(super) kind: Kind,
    /// Whether the year is told, be it as "next month".
    pub(super) year_told: bool,
    /// The moment that a beginning or an end is, where it bounds something else: "before the end of March".
    pub(super) edge: Option<DateTime>,
}

impl Hit {
    pub(super) fn new(first: usize, next: usize, stretch: Stretch) -> Self {
        let kind = if stretch.granularity == Granularity::Day { Kind::Day } else { Kind::Other };
        let meant = Some(Meant { first, next, stretch });
        Self { first, next, exact: stretch, open: Open::No, meant, kind, year_told: true, edge: None }
    }

    pub(super) fn day(first: usize, next: usize, day: Date) -> Option<Self> {
        Stretch::day(day).map(|stretch| Self::new(first, next, stretch))
    }

    /// With another meaning in conversation than by the letter.
    pub(super) fn meaning(mut self, stretch: Option<Stretch>) -> Self {
        self.meant = stretch.map(|stretch| Meant { first: self.first, next: self.next, stretch });
        self
    }

    pub(super) fn yearless(mut self) -> Self {
        self.year_told = false;
        self
    }

    /// Too weak to look for what happened then.
    pub(super) fn weak(mut self) -> Self {
        self.meant = None;
        self
    }

    /// The same with more words around it that change nothing.
    pub(super) fn around(mut self, first: usize, next: usize) -> Self {
        if let Some(meant) = &mut self.meant {
            if meant.first == self.first {
                meant.first = first;
            }
            if meant.next == self.next {
                meant.next = next;
            }
        }
        self.first = first;
        self.next = next;
        self
    }

    pub(super) fn is_day(&self) -> bool {
        matches!(self.kind, Kind::Day | Kind::Weekday)
    }
}

/// How often a date may be told by another: "the day before the week after 9 June" is told by two. What goes on and on
/// is no date, and a text can go on for millions of words.
const MOST_NESTED: u8 = 4;

/// How many dates are kept that were read.
const MOST_KEPT: usize = 1024;

/// The tokens of one text and the time at which it was said.
pub(super) struct Scan<'s> {
    pub(super) tokens: &'s [Token],
    pub(super) anchor: Option<DateTime>,
    pub(super) language: Language,
    /// How many dates are being read that are told by this one.
    nested: Cell<u8>,
    /// The dates that were read, by their first token and how many are told by them: each is asked for many times.
    dates: RefCell<FxHashMap<(usize, u8), Option<Hit>>>,
    /// Whether the text looks ahead, once somebody has asked.
    ahead: OnceCell<bool>,
}

impl<'s> Scan<'s> {
    pub(super) fn new(tokens: &'s [Token], anchor: Option<DateTime>, language: Language) -> Self {
        Self {
            tokens,
            anchor,
            language,
            nested: Cell::new(0),
            dates: RefCell::default(),
            ahead: OnceCell::new(),
        }
    }

    /// The date at `at` by which another one is told.
    pub(super) fn base(&self, at: usize) -> Option<Hit> {
        if self.nested.get() == MOST_NESTED {
            return None;
        }
        self.nested.update(|nested| nested + 1);
        let hit = self.date(at);
        self.nested.update(|nested| nested - 1);
        hit
    }

    /// A date of any kind.
    pub(super) fn date(&self, at: usize) -> Option<Hit> {
        let key = (at, self.nested.get());
        if let Some(known) = self.dates.borrow().get(&key) {
            return *known;
        }
        let hit = self.any_date(at);
        let mut dates = self.dates.borrow_mut();
        // What is asked for lies near; a text may be of any length.
        if dates.len() == MOST_KEPT {
            dates.clear();
        }
        dates.insert(key, hit);
        hit
    }

    /// Whether the text tells of what is to come.
    pub(super) fn looks_ahead(&self) -> bool {
        *self.ahead.get_or_init(|| {
            self.tokens.iter().any(|token| token.term == Term::Ahead)
                || self.language == Language::English
                    && self
                        .tokens
                        .iter()
                        .any(|token| token.term == Term::Until && token.end - token.start == 5)
        })
    }

    pub(super) fn today(&self) -> Option<Date> {
        self.anchor.map(DateTime::date)
    }

    pub(super) fn term(&self, at: usize) -> Term {
        self.tokens.get(at).map_or(Term::End, |token| token.term)
    }

    /// The part of the day at `at`; nights are counted as well, but are one still.
    pub(super) fn part(&self, at: usize) -> Option<Part> {
        match self.term(at) {
            Term::Part(part) => Some(part),
            Term::Unit(Unit::Night) => Some(Part::Night),
            // "午後" without an hour.
            Term::Am if self.language.is_unspaced() => Some(Part::Morning),
            Term::Pm if self.language.is_unspaced() => Some(Part::Afternoon),
            _ => None,
        }
    }

    /// What stands before `at`.
    pub(super) fn before(&self, at: usize) -> Term {
        at.checked_sub(1).map_or(Term::End, |before| self.term(before))
    }

    pub(super) fn is(&self, at: usize, terms: &[Term]) -> bool {
        terms.contains(&self.term(at))
    }

    /// Whether the token stands against the one before it, without white space.
    pub(super) fn touches(&self, at: usize) -> bool {
        self.tokens.get(at).is_some_and(|token| !token.spaced)
    }

    pub(super) fn has_capital(&self, at: usize) -> bool {
        self.tokens.get(at).is_some_and(|token| token.capital)
    }

    /// `at`, or the place after it where one of `terms` stands there.
    pub(super) fn skip(&self, at: usize, terms: &[Term]) -> usize {
        at + usize::from(self.is(at, terms))
    }

    /// The first place from `at` on where none of `terms` stands; four at most are passed over.
    pub(super) fn skip_all(&self, at: usize, terms: &[Term]) -> usize {
        (at..at + 4).find(|place| !self.is(*place, terms)).unwrap_or(at + 4)
    }

    /// Past what binds a date to what belongs to it: "of the", "の", "der".
    pub(super) fn skip_binding(&self, at: usize) -> usize {
        self.skip_all(at, BINDING)
    }

    /// Whether a range goes on at `at` ("to", "-"), and where it does.
    pub(super) fn range_goes_on(&self, at: usize, between: bool) -> Option<usize> {
        let goes_on = match self.term(at) {
            Term::To | Term::Until | Term::Dash => true,
            Term::At => self.language != Language::English,
            Term::Since | Term::From => self.language.has_postpositions(),
            Term::And => between || self.closes_range_later(at),
            _ => false,
        };
        goes_on.then(|| self.skip_all(at + 1, &[Term::The, Term::On, Term::At, Term::From, Term::Comma]))
    }

    /// "X and Y between", as some languages say.
    fn closes_range_later(&self, at: usize) -> bool {
        self.language.has_postpositions() && (at + 2..at + 9).any(|place| self.term(place) == Term::Between)
    }

    /// What opens a range at `at`: where it goes on, and whether "and" is to join its ends.
    pub(super) fn range_opens(&self, at: usize) -> (usize, bool) {
        let glue = &[Term::The, Term::On, Term::At, Term::In, Term::Of];
        match self.term(at) {
            Term::Between => (self.skip_all(at + 1, glue), true),
            Term::From | Term::Since | Term::Of
                if !self.language.has_postpositions() || self.is(at, &[Term::From]) =>
            {
                let next = self.skip(at + 1, &[Term::Between]);
                (self.skip_all(next, glue), next > at + 1)
            }
            _ => (at, false),
        }
    }

    /// What closes a range behind its second end.
    pub(super) fn range_closes(&self, at: usize) -> Option<usize> {
        if !self.language.has_postpositions() {
            return None;
        }
        let next = self.skip_all(at, &[Term::Of, Term::On]);
        match self.term(next) {
            Term::Until | Term::Between => Some(self.skip(next + 1, &[Term::Between, Term::On, Term::Until])),
            _ => None,
        }
    }
}

/// What binds a date to what belongs to it.
pub(super) const BINDING: &[Term] = &[Term::Of, Term::The, Term::On, Term::In, Term::Filler, Term::Comma];
