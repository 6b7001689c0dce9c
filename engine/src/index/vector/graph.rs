//! A graph of neighbours, by which the nearest are found without a look at most: for more vectors than a scan is quick for.

use std::hash::BuildHasher;

use fearless_simd::{Level, dispatch};
use hnsw_rs::anndists::dist::Distance;
use hnsw_rs::hnsw::Hnsw;
use rustc_hash::{FxBuildHasher, FxHashMap};

use crate::index::distance::{Best, dot_smallest};
use crate::index::rows::Rows;

/// Connections that a point of the graph has in each layer; twice as many in the lowest.
const CONNECTIONS: usize = 16;
/// Candidates looked at to connect a new point.
const CONSTRUCTION: usize = 200;
/// Layers of the graph; the crate's own most.
const LAYERS: usize = 16;
/// Candidates kept while the graph is searched, at least.
const SEARCH: usize = 192;

/// One minus the dot product, for vectors of length 1 in 8 bits a number, each followed by the bytes of what one unit is.
/// It is never negative and never NaN, on either of which the crate panics.
struct UnitDistance;

impl Distance<i8> for UnitDistance {
    fn eval(&self, a: &[i8], b: &[i8]) -> f32 {
        let ((a, a_unit), (b, b_unit)) = (taken_apart(a), taken_apart(b));
        let product = dispatch!(Level::new(), _simd => dot_smallest(a, b));
        (1.0 - product as f32 * (a_unit * b_unit)).max(0.0)
    }
}

fn point(numbers: &[i8], unit: f32) -> Vec<i8> {
    [numbers, &unit.to_le_bytes().map(u8::cast_signed)].concat()
}

fn taken_apart(point: &[i8]) -> (&[i8], f32) {
    let (numbers, unit) = point.split_last_chunk::<4>().expect("every point has a unit");
    (numbers, f32::from_le_bytes(unit.map(i8::cast_unsigned)))
}

/// A hierarchical navigable small world (Malkov and Yashunin, 2018) of the first rows, its points named by row.
pub(super) struct Graph {
    points: Hnsw<'static, i8, UnitDistance>,
    /// Rows before this one stand in the graph, but for zero vectors, twins and rows removed before they were placed.
    placed: usize,
    /// Points by the hash of their numbers.
    originals: FxHashMap<u64, usize>,
    /// Rows with the very numbers of a point, by that point. Points that are all equal connect to each other only, which
    /// cuts the graph: with a third of the rows in five such groups recall was 0.91. So one of each stands for all.
    twins: FxHashMap<usize, Vec<usize>>,
}

impl Graph {
    /// An empty one for so many points or more.
    pub(super) fn new(expected: usize) -> Self {
        Self {
            points: Hnsw::new(CONNECTIONS, expected, LAYERS, CONSTRUCTION, UnitDistance),
            placed: 0,
            originals: FxHashMap::default(),
            twins: FxHashMap::default(),
        }
    }

    /// Rows before this one have been placed.
    pub(super) fn placed(&self) -> usize {
        self.placed
    }

    /// Places up to `most` more rows.
    pub(super) fn place(&mut self, rows: &Rows, most: usize) {
        let end = rows.len().min(self.placed.saturating_add(most));
        for place in self.placed..end {
            // A zero vector is equally far from all, so it would only mislead the walk.
            if rows.node(place).is_some() && rows.row(place).0.iter().any(|x| *x != 0) {
                self.place_one(rows, place);
            }
        }
        self.placed = end;
    }

    fn place_one(&mut self, rows: &Rows, place: usize) {
        let row = rows.row(place);
        let original = *self.originals.entry(FxBuildHasher.hash_one(row.0)).or_insert(place);
        if original != place && rows.row(original) == row {
            self.twins.entry(original).or_default().push(place);
        } else {
            self.points.insert_slice((&point(row.0, row.1), place));
        }
    }

    /// The best `k` or, if the graph did not give enough that live, fewer.
    pub(super) fn search(&self, rows: &Rows, query: &[f32], k: usize) -> Vec<(u32, f32)> {
        // At most a fifth of the rows is removed, but they may lie together.
        let wanted = k.saturating_mul(2).saturating_add(k.min(8));
        if wanted > self.placed / 4 {
            return Vec::new();
        }
        let (unit, numbers) = rows.small(query);
        let point = point(&numbers, unit);
        let mut places = Vec::with_capacity(wanted);
        for found in self.points.search(&point, wanted, SEARCH.max(wanted)) {
            places.push(found.d_id);
            places.extend(self.twins.get(&found.d_id).into_iter().flatten());
        }
        let mut best = Best::new(k);
        let places = places.into_iter().chain(self.placed..rows.len());
        rows.compare(&rows.query(query), places, |node, score| best.offer(node, score));
        best.into_sorted()
    }
}
