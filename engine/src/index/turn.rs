//! A fixed turn of vectors, after which no few of their numbers stand out: rounding takes little from what is alike in size,
//! whatever the model. Turned vectors are as long and as like each other as before.

use fearless_simd::{Level, dispatch};

/// Rounds of signs and sums, each once over the first numbers and once over the last.
const ROUNDS: usize = 2;

/// A turn of vectors of so many numbers: signs, and sums and differences of all with all (a Hadamard transform), which
/// takes about as long as ten dot products.
#[derive(Default)]
pub(super) struct Turn {
    dimensions: usize,
    /// The greatest power of two that is not more: so many numbers are summed at a time.
    width: usize,
    /// For each half of a round, the sign of each number, times what keeps lengths.
    signs: Vec<f32>,
}

impl Turn {
    /// The turn of vectors of so many numbers. It is always the same.
    pub(super) fn new(dimensions: usize) -> Self {
        let width = dimensions.checked_ilog2().map_or(0, |power| 1 << power);
        let unit = 1.0 / (width as f32).sqrt();
        // Knuth's multiplier.
        let mut state = dimensions as u64;
        let mut sign = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            if state >> 63 == 0 { unit } else { -unit }
        };
        Self { dimensions, width, signs: (0..2 * ROUNDS * width).map(|_| sign()).collect() }
    }

    /// Turns a vector.
    pub(super) fn apply(&self, vector: &mut [f32]) {
        dispatch!(Level::new(), _simd => {
            for (signs, begin) in self.steps() {
                let part = &mut vector[begin..][..self.width];
                change_signs(part, signs);
                sums_and_differences(part);
            }
        });
    }

    /// Turns a vector back.
    pub(super) fn undo(&self, vector: &mut [f32]) {
        dispatch!(Level::new(), _simd => {
            for (signs, begin) in self.steps().rev() {
                let part = &mut vector[begin..][..self.width];
                sums_and_differences(part);
                change_signs(part, signs);
            }
        });
    }

    /// The signs of each step with the number that it begins at.
    fn steps(&self) -> impl DoubleEndedIterator<Item = (&[f32], usize)> {
        let signs = self.signs.chunks_exact(self.width.max(1));
        signs.enumerate().map(|(step, signs)| (signs, step % 2 * (self.dimensions - self.width)))
    }
}

#[expect(clippy::inline_always, reason = "it is compiled for the processor of whoever calls it")]
#[inline(always)]
fn change_signs(numbers: &mut [f32], signs: &[f32]) {
    for (number, sign) in numbers.iter_mut().zip(signs) {
        *number *= sign;
    }
}

/// The Hadamard transform, in place.
#[expect(clippy::inline_always, reason = "it is compiled for the processor of whoever calls it")]
#[inline(always)]
fn sums_and_differences(numbers: &mut [f32]) {
    let mut half = 1;
    while half < numbers.len() {
        for both in numbers.chunks_exact_mut(2 * half) {
            let (left, right) = both.split_at_mut(half);
            for (a, b) in left.iter_mut().zip(right) {
                (*a, *b) = (*a + *b, *a - *b);
            }
        }
        half *= 2;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::index::distance::dot;

    #[test]
    fn what_is_turned_is_as_long_and_as_like_as_before_and_nothing_stands_out() {
        for dimensions in [1, 2, 7, 32, 100, 256, 384, 1000] {
            let turn = Turn::new(dimensions);
            let mut one: Vec<f32> = (0..dimensions).map(|i| (i % 7) as f32 - 3.0).collect();
            let mut other: Vec<f32> = (0..dimensions).map(|i| f32::from(u8::from(i == 0))).collect();
            let (length, likeness) = (dot(&one, &one), dot(&one, &other));
            turn.apply(&mut one);
            turn.apply(&mut other);
            assert!((dot(&one, &one) / length - 1.0).abs() < 1e-4, "{dimensions}");
            assert!((dot(&one, &other) - likeness).abs() < 1e-3, "{dimensions}");
            let most = other.iter().fold(0.0_f32, |most, x| most.max(x.abs()));
            turn.undo(&mut one);
            assert!(one.iter().enumerate().all(|(i, x)| (x - ((i % 7) as f32 - 3.0)).abs() < 1e-4));
            assert!(dimensions < 256 || most < 0.25, "{dimensions}: {most}");
        }
    }
}
