//! Where vectors are kept: rows of numbers by node. It knows no model and ranks nothing.

use fearless_simd::{Level, dispatch};
use serde::{Deserialize, Serialize};

use crate::index::rounding::{Query, Rounding};

/// Marks a row without a living node, and a node without a row.
const NONE: u32 = u32::MAX;

/// The vectors, one after another in the order of insertion, with gaps where nodes were removed.
///
/// A number takes 8 bits, in units of a row's own, so that a million vectors of 256 numbers take 260 MB.
#[derive(Serialize, Deserialize)]
pub(crate) struct Rows {
    dimensions: usize,
    #[serde(skip)]
    rounding: Rounding,
    #[serde(with = "crate::index::bytes::signed")]
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

impl Rows {
    /// No rows of so many numbers each.
    pub(super) fn new(dimensions: usize) -> Self {
        let (numbers, units, nodes, places) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        Self { dimensions, rounding: Rounding::new(dimensions), numbers, units, nodes, places, living: 0 }
    }

    /// Whether these can be rows of so many numbers each, which can be used then: read back, they may not hold together.
    pub(super) fn restore(&mut self, dimensions: usize) -> bool {
        self.rounding = Rounding::new(dimensions);
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

    /// How many numbers each has.
    pub(super) fn dimensions(&self) -> usize {
        self.dimensions
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
        self.rounding.vector(unit, numbers.iter().copied())
    }

    /// A vector to compare rows with.
    pub(super) fn query(&self, vector: &[f32]) -> Query {
        self.rounding.query(vector)
    }

    /// A vector as a row has it: what one unit is, and its numbers.
    pub(super) fn small(&self, vector: &[f32]) -> (f32, Vec<i8>) {
        self.rounding.small(vector)
    }

    /// The living node of a row.
    #[inline]
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
        let (unit, numbers) = self.rounding.small(vector);
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

    /// Calls `each` with the living nodes in some places and their dot products with the query.
    pub(super) fn compare(
        &self,
        query: &Query,
        places: impl Iterator<Item = usize>,
        mut each: impl FnMut(u32, f32),
    ) {
        dispatch!(Level::new(), _simd => {
            for place in places {
                let node = self.nodes[place];
                if node != NONE {
                    let (numbers, unit) = self.row(place);
                    each(node, query.dot(numbers, unit));
                }
            }
        });
    }
}
