//! Stays: intervals in which a fact held, and what ended each.

use crate::model::time::{Interval, Timestamp};

/// What ended a stay. Of two that end it at one time, the later in this order counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum End {
    /// Nothing, or what the statement itself says.
    Own,
    /// A later statement of the fact with this number.
    Rival(usize),
    /// A later statement of the opposite, with when the memory was told.
    Opposite(Timestamp),
}

/// An interval in which a fact held.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Stay {
    pub(super) from: Option<Timestamp>,
    pub(super) to: Option<Timestamp>,
    pub(super) end: End,
    /// The first statement of it: its place among all.
    pub(super) first: usize,
}

impl Stay {
    pub(super) const fn interval(&self) -> Interval {
        Interval { from: self.from, to: self.to }
    }

    /// Ends it at a time, if it does not end before.
    pub(super) fn end_at(&mut self, at: Option<Timestamp>, end: End) {
        if let Some(at) = at
            && self.to.is_none_or(|to| at < to)
        {
            // What is told of a time before it began leaves nothing of it.
            (self.to, self.end) = (Some(self.from.map_or(at, |from| from.max(at))), end);
        }
    }
}

/// The union of stays, which may overlap, as stays that do not touch, from the earliest on. Of those that hold for no time only the
/// last is kept, where there is nothing else.
pub(super) fn merged(mut stays: Vec<Stay>) -> Vec<Stay> {
    let nothing = stays.iter().all(|stay| stay.interval().is_empty());
    if nothing {
        return stays.into_iter().max_by_key(|stay| (stay.from, stay.end)).into_iter().collect();
    }
    stays.retain(|stay| !stay.interval().is_empty());
    stays.sort_by_key(|stay| (stay.from, stay.first));
    let mut whole: Vec<Stay> = Vec::with_capacity(stays.len());
    for stay in stays {
        match whole.last_mut() {
            // Beginnings that are not known come first, ends that are not known last.
            Some(last) if last.to.is_none_or(|to| stay.from.is_none_or(|from| from <= to)) => {
                if last.to == stay.to {
                    last.end = last.end.max(stay.end);
                } else if last.to.is_some_and(|to| stay.to.is_none_or(|end| end > to)) {
                    (last.to, last.end) = (stay.to, stay.end);
                }
            }
            _ => whole.push(stay),
        }
    }
    whole
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(day: i64) -> Timestamp {
        Timestamp::from_millis(day * 86_400_000).unwrap()
    }

    fn stay(from: i64, to: Option<i64>) -> Stay {
        Stay { from: Some(at(from)), to: to.map(at), end: End::Own, first: 0 }
    }

    fn days(stays: Vec<Stay>) -> Vec<(i64, Option<i64>)> {
        let day = |at: Timestamp| at.as_millis() / 86_400_000;
        merged(stays).iter().map(|stay| (day(stay.from.unwrap()), stay.to.map(day))).collect()
    }

    #[test]
    fn what_overlaps_or_touches_is_one() {
        let stays = vec![stay(8, None), stay(1, Some(3)), stay(2, Some(5)), stay(5, Some(6))];
        assert_eq!(days(stays), [(1, Some(6)), (8, None)]);
        assert_eq!(days(vec![stay(1, None), stay(3, Some(4))]), [(1, None)]);
        assert_eq!(days(vec![stay(2, Some(2)), stay(4, Some(4))]), [(4, Some(4))]);
        assert_eq!(days(vec![stay(2, Some(3)), stay(4, Some(4))]), [(2, Some(3))]);
        assert_eq!(days(Vec::new()), []);
    }
}
