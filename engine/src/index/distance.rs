//! The dot product of two vectors and the best few of many scores. It knows no index and no model.

use std::cmp::{Ordering, Reverse};
use std::collections::BinaryHeap;

/// Sums kept apart in a dot product, so that the compiler may hold them in vector registers. Of 8, 16 and 32, 8 and
/// 16 were equal (32 µs for 1,000 rows of 256, SSE2 and AVX2 alike) and 32 was 7 % slower.
const LANES: usize = 16;

/// The dot product of two vectors of the same length. The order of the additions is fixed, so equal arguments give
/// equal results, and `dot(a, b)` equals `dot(b, a)`.
pub fn dot(a: &[f32], b: &[f32]) -> f32 {
    let (a_chunks, a_rest) = a.as_chunks::<LANES>();
    let (b_chunks, b_rest) = b.as_chunks::<LANES>();
    let mut sums = [0.0_f32; LANES];
    for (x, y) in a_chunks.iter().zip(b_chunks) {
        for lane in 0..LANES {
            sums[lane] += x[lane] * y[lane];
        }
    }
    let mut width = LANES;
    while width > 1 {
        width /= 2;
        for lane in 0..width {
            sums[lane] += sums[lane + width];
        }
    }
    sums[0] + a_rest.iter().zip(b_rest).map(|(x, y)| x * y).sum::<f32>()
}

/// The dot product of two vectors of whole numbers of the same length.
#[inline(always)]
pub(crate) fn dot_small(a: &[i16], b: &[i8]) -> i64 {
    /// So many products of the greatest numbers add up to less than 32 bits hold.
    const SPAN: usize = 256;
    let product = |(x, y): (&i16, &i8)| i32::from(*x) * i32::from(*y);
    let spans = a.chunks(SPAN).zip(b.chunks(SPAN));
    spans.map(|(a, b)| i64::from(a.iter().zip(b).map(product).sum::<i32>())).sum()
}

/// The dot product of two vectors of small whole numbers of the same length.
#[expect(clippy::inline_always, reason = "it is compiled for the processor of whoever calls it")]
#[inline(always)]
pub(crate) fn dot_smallest(a: &[i8], b: &[i8]) -> i32 {
    a.iter().zip(b).map(|(x, y)| i32::from(*x) * i32::from(*y)).sum()
}

/// A node and how well it did: greater is better, and of equals the smaller node number.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Scored {
    score: f32,
    node: u32,
}

impl Eq for Scored {}

impl Ord for Scored {
    fn cmp(&self, other: &Self) -> Ordering {
        self.score.total_cmp(&other.score).then_with(|| other.node.cmp(&self.node))
    }
}

impl PartialOrd for Scored {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// Keeps the best `k` of the scores that it is offered, in memory of order `k`.
pub(crate) struct Best {
    k: usize,
    worst_first: BinaryHeap<Reverse<Scored>>,
}

impl Best {
    /// For the best `k`.
    pub(crate) fn new(k: usize) -> Self {
        Self { k, worst_first: BinaryHeap::new() }
    }

    /// What a score has to come to at least to be kept.
    pub(crate) fn floor(&self) -> f32 {
        let full = self.worst_first.len() == self.k;
        self.worst_first.peek().filter(|_| full).map_or(f32::NEG_INFINITY, |worst| worst.0.score)
    }

    /// Offers a node. A score that is not a number is never kept.
    pub(crate) fn offer(&mut self, node: u32, score: f32) {
        if score.is_nan() || self.k == 0 {
            return;
        }
        // Adding zero makes -0.0 the same as 0.0, which `total_cmp` would tell apart.
        let offered = Scored { score: score + 0.0, node };
        if self.worst_first.len() < self.k {
            self.worst_first.push(Reverse(offered));
        } else if let Some(mut worst) = self.worst_first.peek_mut()
            && offered > worst.0
        {
            worst.0 = offered;
        }
    }

    /// What was kept, best first.
    pub(crate) fn into_sorted(self) -> Vec<(u32, f32)> {
        self.worst_first.into_sorted_vec().into_iter().map(|Reverse(kept)| (kept.node, kept.score)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dot_is_the_sum_of_products_at_every_length() {
        for length in 1..70_u16 {
            let a: Vec<f32> = (0..length).map(f32::from).collect();
            let b: Vec<f32> = (0..length).map(|i| f32::from(i % 7)).collect();
            // Whole numbers this small are added without rounding.
            let plain: f32 = a.iter().zip(&b).map(|(x, y)| x * y).sum();
            assert_eq!(dot(&a, &b).to_bits(), plain.to_bits(), "length {length}");
        }
    }

    #[test]
    fn best_keeps_the_greatest_and_breaks_ties_by_node() {
        let mut best = Best::new(3);
        for (node, score) in [(9, 0.5), (4, -0.0), (7, 0.5), (8, f32::NAN), (3, 0.0), (1, 0.1), (2, 0.5)] {
            best.offer(node, score);
        }
        assert_eq!(best.into_sorted(), [(2, 0.5), (7, 0.5), (9, 0.5)]);

        let mut zeros = Best::new(5);
        zeros.offer(4, -0.0);
        zeros.offer(5, 0.0);
        assert_eq!(zeros.into_sorted(), [(4, 0.0), (5, 0.0)]);
    }
}
