//! Where vectors are kept: rows of numbers by node. It knows no model and ranks nothing.

use crate::index::distance::dot;

/// Marks a row without a living node, and a node without a row.
const NONE: u32 = u32::MAX;

/// The vectors, one after another in the order of insertion, with gaps where nodes were removed.
///
/// They are kept as 32-bit numbers only. A first pass over 8-bit rows took 247 µs instead of 314 µs for 10,000 rows of
/// 256 with the instructions that every x86-64 has (100 µs with AVX2), before the rescoring that it needs.
pub(super) struct Rows {
    dimensions: usize,
    numbers: Vec<f32>,
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
        Self { dimensions, numbers: Vec::new(), nodes: Vec::new(), places: Vec::new(), living: 0 }
    }

    /// Rows, removed ones included.
    pub(super) fn len(&self) -> usize {
        self.nodes.len()
    }

    /// The vector in a row.
    pub(super) fn row(&self, place: usize) -> &[f32] {
        &self.numbers[place * self.dimensions..][..self.dimensions]
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
        self.numbers.extend_from_slice(vector);
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
                let start = place * self.dimensions;
                self.numbers.copy_within(start..start + self.dimensions, kept * self.dimensions);
                kept += 1;
            }
        }
        self.nodes.truncate(kept);
        self.numbers.truncate(kept * self.dimensions);
    }

    /// Calls `each` with every living node from the row `first` on and its dot product with the query.
    pub(super) fn compare(&self, query: &[f32], first: usize, mut each: impl FnMut(u32, f32)) {
        for (place, &node) in self.nodes.iter().enumerate().skip(first) {
            if node != NONE {
                each(node, dot(query, self.row(place)));
            }
        }
    }
}
