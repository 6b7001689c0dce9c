//! Sets of times: intervals that do not touch each other, in order.

use crate::model::time::{Interval, Timestamp};

/// Whether `one` ends before `other` does, where an open end comes last.
fn ends_before(one: Option<Timestamp>, other: Option<Timestamp>) -> bool {
    match (one, other) {
        (Some(one), Some(other)) => one < other,
        (one, None) => one.is_some(),
        (None, Some(_)) => false,
    }
}

/// The times of any intervals as a set.
pub(super) fn set(mut intervals: Vec<Interval>) -> Vec<Interval> {
    intervals.retain(|interval| !interval.is_empty());
    intervals.sort_unstable_by_key(|interval| interval.from);
    let mut joined: Vec<Interval> = Vec::with_capacity(intervals.len());
    for interval in intervals {
        match joined.last_mut() {
            Some(last) if last.to.is_none_or(|end| interval.from <= Some(end)) => {
                if ends_before(last.to, interval.to) {
                    last.to = interval.to;
                }
            }
            _ => joined.push(interval),
        }
    }
    joined
}

/// The times of both sets.
pub(super) fn intersection(one: &[Interval], other: &[Interval]) -> Vec<Interval> {
    set(one.iter().flat_map(|one| other.iter().map(|other| one.intersection(*other))).collect())
}

/// The times of the first set that are not in the second.
pub(super) fn difference(one: &[Interval], other: &[Interval]) -> Vec<Interval> {
    let mut left = one.to_vec();
    for &cut in other {
        let before = cut.from.map(|from| Interval { from: None, to: Some(from) });
        let after = cut.to.map(|to| Interval { from: Some(to), to: None });
        let around: Vec<Interval> = [before, after].into_iter().flatten().collect();
        left = intersection(&left, &around);
    }
    left
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(from: i64, to: i64) -> Interval {
        let at = |millis| Timestamp::from_millis(millis).ok();
        Interval { from: at(from).filter(|_| from > 0), to: at(to).filter(|_| to < 99) }
    }

    #[test]
    fn sets_are_in_order_and_do_not_touch() {
        let all = vec![of(5, 7), of(1, 3), of(3, 4), of(6, 9), of(4, 4)];
        assert_eq!(set(all), [of(1, 4), of(5, 9)]);
        assert_eq!(set(vec![of(5, 99), of(0, 2), of(7, 8)]), [of(0, 2), of(5, 99)]);
        assert_eq!(set(vec![of(3, 4), of(0, 99)]), [Interval::ALWAYS]);
    }

    #[test]
    fn sets_are_cut() {
        let (one, other) = ([of(0, 4), of(6, 99)], [of(2, 7), of(9, 12)]);
        assert_eq!(intersection(&one, &other), [of(2, 4), of(6, 7), of(9, 12)]);
        assert_eq!(difference(&one, &other), [of(0, 2), of(7, 9), of(12, 99)]);
        assert_eq!(difference(&one, &[Interval::ALWAYS]), []);
        assert_eq!(intersection(&one, &[]), []);
    }
}
