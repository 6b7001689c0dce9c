//! A bit for each number of a vector, by which most rows are passed over without a look at their numbers: what the bits
//! and the query say is the most that a row can be like it, to a probability. It ranks nothing.
//!
//! The bits are the signs of what is left of a row, which is turned, when the mean of all is taken off; the query keeps its
//! numbers. With them stand what the dot product of query and row is expected to be, and how far it is
//! usually off (`RaBitQ`; Gao and Long, 2024). A query looks up what four bits come to in a table of sixteen, for 32 rows at
//! a time (André, Kermarrec and Le Scouarnec, 2015).

use std::ops::Range;

use fearless_simd::prelude::*;
use fearless_simd::{Level, dispatch, f32x16, u8x32, u16x16};
use serde::{Deserialize, Serialize};

use crate::index::distance::dot;
use crate::index::rounding::Query;
use crate::index::rows::Rows;

/// Rows whose bits stand together.
const BLOCK: usize = 32;

/// How far above what is expected of a row it is thought to be able to be, in standard deviations of what it is off: one in
/// some 1,000 is above.
const DEVIATIONS: f32 = 3.0;
/// The standard deviation, over a row's scale and the length of the query: √(1 - 2/π), by the mean of what is left of a
/// turned vector along its signs.
const DEVIATION: f32 = 0.602_8;

/// The greatest number in a table. Eight of them fit into a byte.
const TABLE_MOST: f32 = 31.0;
/// Bytes of a row whose tables are added up before the sum needs more than 8 bits.
const SPAN: usize = 4;

/// The bits of rows, by place.
#[derive(Serialize, Deserialize)]
pub(crate) struct Codes {
    dimensions: usize,
    /// What is taken off each row.
    mean: Vec<f32>,
    /// By block, by byte of a row, by row of the block.
    #[serde(with = "crate::index::bytes")]
    bits: Vec<u8>,
    /// By row: the dot product of the mean with what is left of it.
    offsets: Vec<f32>,
    /// By row: what its signs have to be multiplied by.
    scales: Vec<f32>,
    rows: usize,
}

/// A row that may be like the query.
#[derive(Debug, Clone, Copy)]
pub(super) struct Promising {
    /// What its dot product with the query is thought to be at most.
    pub(super) most: f32,
    /// Where it stands.
    pub(super) place: u32,
}

/// A query to compare bits with.
pub(super) struct Asked {
    /// For every four bits what they come to, twice over.
    tables: Vec<[u8; BLOCK]>,
    /// What one unit of the tables is.
    step: f32,
    /// What the sum of a row is short of at least, and the most it is thought to be off.
    base: f32,
    /// The dot product of the query with the mean.
    mean: f32,
}

impl Codes {
    /// The bits of all rows.
    pub(super) fn of(rows: &Rows) -> Self {
        let dimensions = rows.dimensions();
        let mut codes = Self {
            dimensions,
            mean: mean(rows),
            bits: Vec::new(),
            offsets: Vec::new(),
            scales: Vec::new(),
            rows: 0,
        };
        for place in 0..rows.len() {
            let (numbers, unit) = rows.row(place);
            codes.push(numbers, unit);
        }
        codes
    }

    /// Whether these can be the bits of so many rows: read back, they may not hold together.
    pub(super) fn is_sound(&self, dimensions: usize, rows: usize) -> bool {
        let blocks = rows.div_ceil(BLOCK);
        (self.dimensions, self.rows, self.mean.len()) == (dimensions, rows, dimensions)
            && self.bits.len() == blocks * self.block()
            && (self.offsets.len(), self.scales.len()) == (blocks * BLOCK, blocks * BLOCK)
            && [&self.mean, &self.offsets, &self.scales].into_iter().flatten().all(|x| x.is_finite())
    }

    /// What they take in memory, in bytes.
    pub(super) fn bytes(&self) -> usize {
        self.bits.capacity() + 4 * (self.offsets.capacity() + self.scales.capacity())
    }

    /// Blocks of rows.
    pub(super) fn blocks(&self) -> usize {
        self.rows.div_ceil(BLOCK)
    }

    /// Bytes of a row, and of a block.
    fn bytes_of_row(&self) -> usize {
        self.dimensions.div_ceil(8)
    }

    fn block(&self) -> usize {
        self.bytes_of_row() * BLOCK
    }

    /// Appends the bits of a row.
    pub(super) fn push(&mut self, numbers: &[i8], unit: f32) {
        let (block, row) = (self.rows / BLOCK, self.rows % BLOCK);
        if row == 0 {
            self.bits.resize((block + 1) * self.block(), 0);
            self.offsets.resize((block + 1) * BLOCK, 0.0);
            self.scales.resize((block + 1) * BLOCK, 0.0);
        }
        let left: Vec<f32> =
            numbers.iter().zip(&self.mean).map(|(x, mean)| f32::from(*x) * unit - mean).collect();
        self.offsets[self.rows] = dot(&left, &self.mean);
        let (length, along) = (dot(&left, &left), sum_of_lengths(&left));
        self.scales[self.rows] = if along > 0.0 { length / along } else { 0.0 };
        let bytes = self.block();
        let bits = &mut self.bits[block * bytes..][..bytes];
        for (byte, numbers) in left.chunks(8).enumerate() {
            let of_eight =
                numbers.iter().zip(0..).fold(0, |bits, (x, bit)| bits | u8::from(*x >= 0.0) << bit);
            bits[byte * BLOCK + row] = of_eight;
        }
        self.rows += 1;
    }

    /// Keeps the rows in some places, which ascend.
    pub(super) fn keep(&mut self, places: impl Iterator<Item = usize>) {
        let (block, bytes) = (self.block(), self.bytes_of_row());
        let at = |place: usize, byte: usize| place / BLOCK * block + byte * BLOCK + place % BLOCK;
        let mut kept = 0;
        for place in places {
            for byte in 0..bytes {
                self.bits[at(kept, byte)] = self.bits[at(place, byte)];
            }
            self.offsets[kept] = self.offsets[place];
            self.scales[kept] = self.scales[place];
            kept += 1;
        }
        self.rows = kept;
        self.bits.truncate(self.blocks() * block);
        self.offsets.truncate(self.blocks() * BLOCK);
        self.scales.truncate(self.blocks() * BLOCK);
    }

    /// A query as bits are compared with it.
    pub(super) fn ask(&self, query: &Query) -> Asked {
        let mut left: Vec<f32> = query.vector.iter().zip(&self.mean).map(|(x, mean)| x - mean).collect();
        let length = dot(&left, &left).sqrt();
        left.resize(self.bytes_of_row() * 8, 0.0);
        let lengths = |four: &[f32]| four.iter().map(|x| x.abs()).sum::<f32>();
        let widest = left.chunks_exact(4).map(lengths).fold(f32::MIN_POSITIVE, f32::max);
        let step = 2.0 * widest / TABLE_MOST;
        let table = |four: &[f32]| {
            let least = lengths(four);
            std::array::from_fn(|at| {
                let sum: f32 =
                    four.iter().enumerate().map(|(bit, x)| if at >> bit & 1 == 1 { *x } else { -x }).sum();
                ((sum + least) / step).round() as u8
            })
        };
        Asked {
            tables: left.chunks_exact(4).map(table).collect(),
            step,
            base: DEVIATIONS * DEVIATION * length - lengths(&left),
            mean: dot(&query.vector, &self.mean),
        }
    }

    /// Appends the rows in some blocks that can come to at least `floor` to `found`, in order.
    pub(super) fn promising(
        &self,
        asked: &Asked,
        blocks: Range<usize>,
        floor: f32,
        found: &mut Vec<Promising>,
    ) {
        dispatch!(Level::new(), simd => self.promising_with(simd, asked, blocks, floor - asked.mean, found));
        while found.last().is_some_and(|last| last.place as usize >= self.rows) {
            found.pop();
        }
    }

    #[expect(clippy::inline_always, reason = "it is compiled for the processor of whoever calls it")]
    #[inline(always)]
    fn promising_with<S: Simd>(
        &self,
        simd: S,
        asked: &Asked,
        blocks: Range<usize>,
        floor: f32,
        found: &mut Vec<Promising>,
    ) {
        let bytes = self.block();
        let bits = self.bits[blocks.start * bytes..blocks.end * bytes].chunks_exact(bytes);
        let rows = blocks.start * BLOCK..blocks.end * BLOCK;
        let offsets = self.offsets[rows.clone()].as_chunks::<BLOCK>().0;
        let scales = self.scales[rows].as_chunks::<BLOCK>().0;
        for (block, ((bits, offsets), scales)) in blocks.zip(bits.zip(offsets).zip(scales)) {
            let sums = sums(simd, bits, &asked.tables);
            let most: [f32; BLOCK] = std::array::from_fn(|row| {
                offsets[row] + scales[row] * (f32::from(sums[row]) * asked.step + asked.base)
            });
            let half = |rows: &[f32]| f32x16::from_slice(simd, rows).simd_ge(floor).to_bitmask();
            let mut bits = half(&most[..BLOCK / 2]) | half(&most[BLOCK / 2..]) << (BLOCK / 2);
            while bits != 0 {
                let row = bits.trailing_zeros() as usize;
                bits &= bits - 1;
                found.push(Promising { most: most[row] + asked.mean, place: (block * BLOCK + row) as u32 });
            }
        }
    }
}

/// What the bits of each row of a block come to.
#[expect(clippy::inline_always, reason = "it is compiled for the processor of whoever calls it")]
#[inline(always)]
fn sums<S: Simd>(simd: S, bits: &[u8], tables: &[[u8; BLOCK]]) -> [u16; BLOCK] {
    let (mut first, mut second) = (u16x16::splat(simd, 0), u16x16::splat(simd, 0));
    let mut add = |sums: u8x32<S>| {
        let (low, high) = simd.widen_u8x32(sums);
        (first, second) = (first + low, second + high);
    };
    let (spans, rest) = bits.as_chunks::<{ SPAN * BLOCK }>();
    let (tables, rest_of_tables) = tables.as_chunks::<{ 2 * SPAN }>();
    for (bits, tables) in spans.iter().zip(tables) {
        add(span(simd, bits, tables));
    }
    if !rest.is_empty() {
        add(span(simd, rest, rest_of_tables));
    }
    let mut all = [0; BLOCK];
    first.store_slice(&mut all[..BLOCK / 2]);
    second.store_slice(&mut all[BLOCK / 2..]);
    all
}

/// What a few bytes of each row of a block come to.
#[expect(clippy::inline_always, reason = "it is compiled for the processor of whoever calls it")]
#[inline(always)]
fn span<S: Simd>(simd: S, bits: &[u8], tables: &[[u8; BLOCK]]) -> u8x32<S> {
    let mut sums = u8x32::splat(simd, 0);
    for (bits, tables) in bits.as_chunks::<BLOCK>().0.iter().zip(tables.as_chunks::<2>().0) {
        let bits = u8x32::from_slice(simd, bits);
        let low = u8x32::from_slice(simd, &tables[0]);
        let high = u8x32::from_slice(simd, &tables[1]);
        sums = sums
            + simd.swizzle_dyn_within_blocks_u8x32(low, bits & 15)
            + simd.swizzle_dyn_within_blocks_u8x32(high, bits >> 4);
    }
    sums
}

/// The mean of the living rows.
fn mean(rows: &Rows) -> Vec<f32> {
    let mut sums = vec![0.0_f64; rows.dimensions()];
    for place in (0..rows.len()).filter(|place| rows.node(*place).is_some()) {
        let (numbers, unit) = rows.row(place);
        for (sum, x) in sums.iter_mut().zip(numbers) {
            *sum += f64::from(*x) * f64::from(unit);
        }
    }
    sums.iter().map(|sum| (sum / rows.living.max(1) as f64) as f32).collect()
}

/// The sum of the lengths of numbers, in a fixed order.
fn sum_of_lengths(numbers: &[f32]) -> f32 {
    const LANES: usize = 16;
    let (chunks, rest) = numbers.as_chunks::<LANES>();
    let mut sums = [0.0_f32; LANES];
    for chunk in chunks {
        for lane in 0..LANES {
            sums[lane] += chunk[lane].abs();
        }
    }
    sums.iter().sum::<f32>() + rest.iter().map(|x| x.abs()).sum::<f32>()
}
