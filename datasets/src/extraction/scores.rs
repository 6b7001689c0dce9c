//! Counts and what follows from them: precision, recall, F1 and shares. It knows no set.

use std::fmt;
use std::ops::AddAssign;

use serde::Serialize;

/// What was found and should have been, what should not, and what was not found.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Counts {
    /// Found, and among the labels.
    pub right: usize,
    /// Found, and not among the labels.
    pub extra: usize,
    /// Among the labels, and not found.
    pub missed: usize,
}

impl AddAssign for Counts {
    fn add_assign(&mut self, other: Self) {
        self.right += other.right;
        self.extra += other.extra;
        self.missed += other.missed;
    }
}

/// Counts with the figures that follow from them; without anything to divide by, a figure is 0.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize)]
pub struct Score {
    /// Found, and among the labels.
    pub right: usize,
    /// Found, and not among the labels.
    pub extra: usize,
    /// Among the labels, and not found.
    pub missed: usize,
    /// The share of what was found that is right.
    pub precision: f64,
    /// The share of the labels that was found.
    pub recall: f64,
    /// Their harmonic mean.
    pub f1: f64,
}

impl From<Counts> for Score {
    fn from(counts: Counts) -> Self {
        let Counts { right, extra, missed } = counts;
        let (precision, recall) = (ratio(right, right + extra), ratio(right, right + missed));
        Self { right, extra, missed, precision, recall, f1: f1(precision, recall) }
    }
}

impl fmt::Display for Score {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "P {:.3}  R {:.3}  F1 {:.3}", self.precision, self.recall, self.f1)
    }
}

/// A part of a whole.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize)]
pub struct Share {
    /// How many.
    pub covered: usize,
    /// Of how many.
    pub of: usize,
    /// The quotient, or 0 of nothing.
    pub share: f64,
}

impl Share {
    /// `covered` of `of`.
    pub fn of(covered: usize, of: usize) -> Self {
        Self { covered, of, share: ratio(covered, of) }
    }
}

impl fmt::Display for Share {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{:.3} ({} of {})", self.share, self.covered, self.of)
    }
}

/// The quotient, or 0 where there is nothing to divide by.
pub(super) fn ratio(part: usize, whole: usize) -> f64 {
    if whole == 0 { 0.0 } else { part as f64 / whole as f64 }
}

/// The harmonic mean of precision and recall.
pub(super) fn f1(precision: f64, recall: f64) -> f64 {
    if precision + recall == 0.0 { 0.0 } else { 2.0 * precision * recall / (precision + recall) }
}

/// The mean, or 0 of nothing.
pub(super) fn mean(figures: impl Iterator<Item = f64>) -> f64 {
    let (sum, count) = figures.fold((0.0, 0_usize), |(sum, count), figure| (sum + figure, count + 1));
    if count == 0 { 0.0 } else { sum / count as f64 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_follow_from_counts() {
        let score = Score::from(Counts { right: 3, extra: 1, missed: 3 });
        assert!((score.precision - 0.75).abs() < 1e-9 && (score.recall - 0.5).abs() < 1e-9);
        assert!((score.f1 - 0.6).abs() < 1e-9);
        assert!(Score::from(Counts::default()).f1.abs() < 1e-9);
        assert_eq!(Share::of(1, 4).to_string(), "0.250 (1 of 4)");
    }
}
