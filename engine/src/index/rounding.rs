//! How vectors are kept in 8 bits a number, and compared so: turned, in units of each one's own. It keeps nothing.

use fearless_simd::{Level, dispatch};

use crate::index::distance::dot_small;
use crate::index::turn::Turn;

/// What the greatest number of a row, and of a query, is kept as.
const ROW_MOST: f32 = 127.0;
const QUERY_MOST: f32 = 32_767.0;

/// Rounds vectors of so many numbers.
///
/// What it costs: a dot product of unit vectors is off by less than 0.002 (tested), and ties below that come in another
/// order. Of the ten texts most like a question, among 68,624 embedded by bge-small, 9.91 are among the ten most like it
/// after rounding; without the turn it were 9.79.
#[derive(Default)]
pub(crate) struct Rounding(Turn);

/// A vector to compare rows with.
pub(super) struct Query {
    /// Turned.
    pub(super) vector: Vec<f32>,
    /// In whole numbers, which add up alike in any order.
    numbers: Vec<i16>,
    unit: f32,
}

impl Rounding {
    /// For vectors of so many numbers.
    pub(crate) fn new(dimensions: usize) -> Self {
        Self(Turn::new(dimensions))
    }

    /// A vector in 8 bits a number, after what one unit is. What was made so once comes out the same when it is made so
    /// again.
    pub(crate) fn small(&self, vector: &[f32]) -> (f32, Vec<i8>) {
        let turned = self.turned(vector);
        let unit = short(unit_of(&turned, ROW_MOST));
        let mut numbers = vec![0; turned.len()];
        dispatch!(Level::new(), _simd => {
            for (number, x) in numbers.iter_mut().zip(&turned) {
                *number = (x / unit).round() as i8;
            }
        });
        (unit, numbers)
    }

    /// The vector of which that was made, as far as it is kept.
    pub(crate) fn vector(&self, unit: f32, numbers: impl Iterator<Item = i8>) -> Vec<f32> {
        let mut vector: Vec<f32> = numbers.map(|x| f32::from(x) * unit).collect();
        self.0.undo(&mut vector);
        vector
    }

    /// A vector to compare rows with.
    pub(super) fn query(&self, vector: &[f32]) -> Query {
        let vector = self.turned(vector);
        let unit = unit_of(&vector, QUERY_MOST);
        Query { numbers: vector.iter().map(|x| (x / unit).round() as i16).collect(), unit, vector }
    }

    fn turned(&self, vector: &[f32]) -> Vec<f32> {
        let mut turned = vector.to_vec();
        self.0.apply(&mut turned);
        turned
    }
}

impl Query {
    /// The dot product with a row.
    #[expect(clippy::inline_always, reason = "it is compiled for the processor of whoever calls it")]
    #[inline(always)]
    pub(super) fn dot(&self, numbers: &[i8], unit: f32) -> f32 {
        dot_small(&self.numbers, numbers) as f32 * (unit * self.unit)
    }
}

/// What one unit is where the greatest number is to be `most` of them.
fn unit_of(vector: &[f32], most: f32) -> f32 {
    let greatest = vector.iter().fold(0.0_f32, |greatest, x| greatest.max(x.abs()));
    if greatest > 0.0 { greatest / most } else { 1.0 }
}

/// A number in its twelve first bits, so that what turning back and forth takes from it makes no difference.
fn short(number: f32) -> f32 {
    const CUT: u32 = 12;
    f32::from_bits((number.to_bits() + (1 << (CUT - 1))) & (u32::MAX << CUT))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::index::distance::dot;

    #[test]
    fn a_row_is_near_to_its_vector_and_is_rounded_once() {
        let mut random = numbers_at_random();
        for dimensions in [3, 32, 256, 384] {
            let rounding = Rounding::new(dimensions);
            for _ in 0..200 {
                let (one, other) =
                    (unit_vector(&mut random, dimensions), unit_vector(&mut random, dimensions));
                let (unit, numbers) = rounding.small(&one);
                let off = rounding.query(&other).dot(&numbers, unit) - dot(&one, &other);
                assert!(off.abs() < 0.006 || dimensions >= 256 && off.abs() < 0.002, "{off}");
                let back = rounding.vector(unit, numbers.iter().copied());
                assert!(back.iter().zip(&one).all(|(got, given)| (got - given).abs() < 0.01));
                assert_eq!(rounding.small(&back), (unit, numbers));
            }
        }
    }

    /// Knuth's multiplier.
    fn numbers_at_random() -> impl FnMut() -> f32 {
        let mut state = 5_u64;
        move || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) as f32 / 2_f32.powi(30) - 1.0
        }
    }

    fn unit_vector(random: &mut impl FnMut() -> f32, dimensions: usize) -> Vec<f32> {
        let vector: Vec<f32> = (0..dimensions).map(|_| random()).collect();
        let length = dot(&vector, &vector).sqrt();
        vector.iter().map(|x| x / length).collect()
    }

    #[test]
    fn a_vector_of_zeros_is_like_nothing() {
        let rounding = Rounding::new(2);
        let (unit, numbers) = rounding.small(&[0.0, 0.0]);
        assert_eq!(rounding.query(&[1.0, 0.0]).dot(&numbers, unit).to_bits(), 0);
        assert_eq!(rounding.vector(unit, numbers.into_iter()), [0.0, 0.0]);
    }
}
