//! What a found expression of time is. It finds none itself.

use crate::model::episode::Span;
use crate::model::time::Interval;

/// How exactly an expression names its time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Granularity {
    /// A time of the clock.
    Minute,
    /// An hour or a part of a day.
    Hour,
    /// A day.
    Day,
    /// A week, a weekend, or a day given in weeks.
    Week,
    /// A month.
    Month,
    /// A season of three months.
    Season,
    /// A year, or several.
    Year,
}

/// A piece of text that names a time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TimeExpression {
    /// Where it stands, in characters.
    pub span: Span,
    /// What it means: half-open, civil time read as UTC.
    pub interval: Interval,
    /// How exactly it is meant.
    pub granularity: Granularity,
}
