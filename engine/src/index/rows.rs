//! Where vectors are kept: rows of numbers by node. It knows no model and ranks nothing.

use serde::{Deserialize, Serialize};

use crate::index::distance::dot_small;

/// Marks a row without a living node, and a node without a row.
const NONE: u32 = u32::MAX;

/// What the greatest number of a row, and of a query, is kept as.
const ROW_MOST: f32 = 127.0;
const QUERY_MOST: f32 = 32_767.0;

/// The vectors, one after another in the order of insertion, with gaps where nodes were removed.
///
/// A number takes 8 bits, in units of a row's own, so that a million vectors of 256 numbers take 260 MB. What that costs:
/// a dot product of unit vectors is off by less than 0.002 (tested), and ties below that come in another order.
#[derive(Serialize, Deserialize)]
pub(crate) struct Rows {
    dimensions: usize,
    #[serde(with = "small_numbers")]
    numbers: Vec<i8>,
    /// By row: what one unit of its numbers is.
    units: Vec<f32>,
    /// By row; [`NONE`] where the node was removed.
    nodes: Vec<u32>,
    /// By node; [`NONE`] where it has no row.
    places: Vec<u32>,
    /// Nodes that have a row.
    pub(super) living: usize,
}

/// A vector to compare rows with, in whole numbers, which add up alike in any order.
pub(super) struct Query {
    numbers: Vec<i16>,
    unit: f32,
}

impl Query {
    /// Rounds a vector.
    pub(super) fn of(vector: &[f32]) -> Self {
        let unit = unit_of(vector, QUERY_MOST);
        Self { numbers: vector.iter().map(|x| (x / unit).round() as i16).collect(), unit }
    }
}

/// What one unit is where the greatest number is to be `most` of them.
fn unit_of(vector: &[f32], most: f32) -> f32 {
    let greatest = vector.iter().fold(0.0_f32, |greatest, x| greatest.max(x.abs()));
    if greatest > 0.0 { greatest / most } else { 1.0 }
}

/// A vector in 8 bits a number, after what one unit is. What was made so once comes out the same when it is made so again.
pub(crate) fn small(vector: &[f32]) -> (f32, Vec<i8>) {
    let unit = unit_of(vector, ROW_MOST);
    (unit, vector.iter().map(|x| (x / unit).round() as i8).collect())
}

impl Rows {
    /// No rows of so many numbers each.
    pub(super) fn new(dimensions: usize) -> Self {
        let (numbers, units) = (Vec::new(), Vec::new());
        Self { dimensions, numbers, units, nodes: Vec::new(), places: Vec::new(), living: 0 }
    }

    /// Whether these can be rows of so many numbers each: read back, they may not hold together.
    pub(super) fn is_sound(&self, dimensions: usize) -> bool {
        let rows = self.nodes.len();
        let place = |(node, place): (usize, &u32)| {
            *place == NONE || self.nodes.get(*place as usize).is_some_and(|named| *named as usize == node)
        };
        self.dimensions == dimensions
            && (self.numbers.len(), self.units.len()) == (rows * dimensions, rows)
            && self.units.iter().all(|unit| unit.is_finite())
            && self.places.iter().enumerate().all(place)
            && self.living == self.nodes.iter().filter(|node| **node != NONE).count()
            && self.living == self.places.iter().filter(|place| **place != NONE).count()
    }

    /// What they take in memory, in bytes.
    pub(super) fn bytes(&self) -> usize {
        self.numbers.capacity() + 4 * (self.units.capacity() + self.nodes.capacity() + self.places.capacity())
    }

    /// One past the highest node that ever had a row.
    pub(super) fn end(&self) -> usize {
        self.places.len()
    }

    /// Rows, removed ones included.
    pub(super) fn len(&self) -> usize {
        self.nodes.len()
    }

    /// The numbers in a row and their unit.
    pub(super) fn row(&self, place: usize) -> (&[i8], f32) {
        (&self.numbers[place * self.dimensions..][..self.dimensions], self.units[place])
    }

    /// The vector in a row.
    pub(super) fn vector(&self, place: usize) -> Vec<f32> {
        let (numbers, unit) = self.row(place);
        numbers.iter().map(|x| f32::from(*x) * unit).collect()
    }

    /// The dot product of a row with a query.
    pub(super) fn dot(&self, query: &Query, place: usize) -> f32 {
        let (numbers, unit) = self.row(place);
        dot_small(&query.numbers, numbers) as f32 * (unit * query.unit)
    }

    /// The living node of a row.
    pub(super) fn node(&self, place: usize) -> Option<u32> {
        Some(self.nodes[place]).filter(|node| *node != NONE)
    }

    /// The row of a node.
    pub(super) fn place(&self, node: u32) -> Option<usize> {
        let place = *self.places.get(node as usize)?;
        (place != NONE).then_some(place as usize)
    }

    /// Appends the row of a node that has none.
    pub(super) fn push(&mut self, node: u32, vector: &[f32]) {
        if self.places.len() <= node as usize {
            self.places.resize(node as usize + 1, NONE);
        }
        self.places[node as usize] = self.nodes.len() as u32;
        self.nodes.push(node);
        let (unit, numbers) = small(vector);
        self.numbers.extend(numbers);
        self.units.push(unit);
        self.living += 1;
    }

    /// Takes a node's row out of use. Whether it had one.
    pub(super) fn remove(&mut self, node: u32) -> bool {
        let Some(place) = self.place(node) else {
            return false;
        };
        self.places[node as usize] = NONE;
        self.nodes[place] = NONE;
        self.living -= 1;
        true
    }

    /// Closes the gaps, which gives rows new places.
    pub(super) fn compact(&mut self) {
        let mut kept = 0;
        for place in 0..self.nodes.len() {
            let node = self.nodes[place];
            if node != NONE {
                self.places[node as usize] = kept as u32;
                self.nodes[kept] = node;
                self.units[kept] = self.units[place];
                let start = place * self.dimensions;
                self.numbers.copy_within(start..start + self.dimensions, kept * self.dimensions);
                kept += 1;
            }
        }
        self.nodes.truncate(kept);
        self.units.truncate(kept);
        self.numbers.truncate(kept * self.dimensions);
    }

    /// Calls `each` with every living node from the row `first` on and its dot product with the query.
    pub(super) fn compare(&self, query: &Query, first: usize, mut each: impl FnMut(u32, f32)) {
        for (place, &node) in self.nodes.iter().enumerate().skip(first) {
            if node != NONE {
                each(node, self.dot(query, place));
            }
        }
    }
}

/// Small numbers as bytes, in one piece.
mod small_numbers {
    use serde::de::{Deserializer, Error, Visitor};
    use serde::ser::Serializer;

    pub(super) fn serialize<S: Serializer>(numbers: &[i8], serializer: S) -> Result<S::Ok, S::Error> {
        let bytes: Vec<u8> = numbers.iter().map(|x| x.cast_unsigned()).collect();
        serializer.serialize_bytes(&bytes)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<i8>, D::Error> {
        struct Bytes;

        impl Visitor<'_> for Bytes {
            type Value = Vec<i8>;

            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("bytes")
            }

            fn visit_bytes<E: Error>(self, bytes: &[u8]) -> Result<Vec<i8>, E> {
                Ok(bytes.iter().map(|byte| byte.cast_signed()).collect())
            }
        }

        deserializer.deserialize_bytes(Bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::index::distance::dot;

    #[test]
    fn a_row_is_near_to_its_vector() {
        let mut random = numbers_at_random();
        for _ in 0..200 {
            let (one, other) = (unit_vector(&mut random), unit_vector(&mut random));
            let mut rows = Rows::new(one.len());
            rows.push(0, &one);
            let off = rows.dot(&Query::of(&other), 0) - dot(&one, &other);
            assert!(off.abs() < 0.002, "{off}");
            assert!(rows.vector(0).iter().zip(&one).all(|(got, given)| (got - given).abs() < 0.002));
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

    fn unit_vector(random: &mut impl FnMut() -> f32) -> Vec<f32> {
        let vector: Vec<f32> = (0..256).map(|_| random()).collect();
        let length = dot(&vector, &vector).sqrt();
        vector.iter().map(|x| x / length).collect()
    }

    #[test]
    fn a_row_of_zeros_is_like_nothing() {
        let mut rows = Rows::new(2);
        rows.push(0, &[0.0, 0.0]);
        assert_eq!((rows.dot(&Query::of(&[1.0, 0.0]), 0), rows.vector(0)), (0.0, vec![0.0, 0.0]));
    }
}
