//! The best of many: a list of a few that others must outdo to come in.

use std::cmp::{Ordering, Reverse};
use std::collections::BinaryHeap;

/// How far a bound may lie below the sum that it bounds, as a share: the two are added up in different orders.
const ROUNDING: f32 = 1e-4;

/// Something with its score. The better one is the greater; of equals, the earlier.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Ranked<T> {
    pub(crate) score: f32,
    pub(crate) ix: T,
}

impl<T: Ord> Eq for Ranked<T> {}

impl<T: Ord> Ord for Ranked<T> {
    fn cmp(&self, other: &Self) -> Ordering {
        self.score.total_cmp(&other.score).then_with(|| other.ix.cmp(&self.ix))
    }
}

impl<T: Ord> PartialOrd for Ranked<T> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// The best so far, those with a score above 0.
pub(crate) struct Best<T> {
    most: usize,
    heap: BinaryHeap<Reverse<Ranked<T>>>,
    /// The score of the last, once there is no room left; 0 before.
    floor: f32,
}

impl<T: Ord + Copy> Best<T> {
    /// Room for `most`.
    pub(crate) fn new(most: usize) -> Self {
        Self { most, heap: BinaryHeap::with_capacity(most + 1), floor: 0.0 }
    }

    /// Whether one that scores no more than this could come in.
    pub(crate) fn admits(&self, bound: f32) -> bool {
        bound > 0.0 && bound * (1.0 + ROUNDING) >= self.floor
    }

    /// Whether this one would come in.
    pub(crate) fn takes(&self, ranked: Ranked<T>) -> bool {
        let full = self.heap.len() >= self.most;
        ranked.score > 0.0 && (!full || self.heap.peek().is_some_and(|last| ranked > last.0))
    }

    /// Takes one in if it is good enough. Each is offered once.
    pub(crate) fn offer(&mut self, ranked: Ranked<T>) {
        if !self.takes(ranked) {
            return;
        }
        self.heap.push(Reverse(ranked));
        if self.heap.len() > self.most {
            self.heap.pop();
        }
        if self.heap.len() == self.most {
            self.floor = self.heap.peek().map_or(0.0, |last| last.0.score);
        }
    }

    /// All of them, best first.
    pub(crate) fn into_sorted(self) -> Vec<Ranked<T>> {
        self.heap.into_sorted_vec().into_iter().map(|Reverse(ranked)| ranked).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lorebase_engine::graph::EpisodeIx;

    #[test]
    fn the_best_stay_and_earlier_ones_come_first_among_equals() {
        let mut best = Best::new(3);
        for (ix, score) in [(4, 1.0), (7, 2.0), (1, 0.0), (2, 1.0), (3, 1.0), (9, 3.0)] {
            best.offer(Ranked { score, ix: EpisodeIx(ix) });
        }
        assert!(best.admits(1.0) && !best.admits(0.9) && !best.admits(0.0));
        let ranked: Vec<(u32, f32)> =
            best.into_sorted().into_iter().map(|ranked| (ranked.ix.0, ranked.score)).collect();
        assert_eq!(ranked, [(9, 3.0), (7, 2.0), (2, 1.0)]);
    }
}
