//! The weights of tagger and parser, as they lie in a file and as they are looked up.
//!
//! A file is three lines of text (its name and version, the tags, the labels) and then, deflated, three tables. A table is
//! its number of features, their hashes in rising order as differences in seven bits a byte, the number of weights of each,
//! and the weights as pairs of a class and a signed byte.

use std::io::Read as _;

use crate::syntax::kinds::{Label, Tag};
use crate::syntax::parser::TieScores;
use crate::syntax::tagger::TagScores;

/// The first line of a file.
pub(super) const HEAD: &str = "lorebase syntax 1";

/// All weights.
#[derive(Debug)]
pub(super) struct Model {
    pub(super) tags: Tags,
    moves: Moves,
    labels: Sparse,
}

/// Weights of tags.
#[derive(Debug)]
pub(super) struct Tags(Sparse);

impl Model {
    /// Reads what the trainer wrote.
    ///
    /// # Panics
    /// Where these are other bytes: they are part of the program, and a test reads them.
    pub(super) fn read(file: &[u8]) -> Self {
        let names = |all: Vec<&str>| all.join(" ");
        let heads = [
            HEAD.to_owned(),
            names(Tag::ALL.iter().map(|tag| tag.as_str()).collect()),
            names(Label::ALL.iter().map(|label| label.as_str()).collect()),
        ];
        let mut rest = file;
        for head in heads {
            rest = rest
                .strip_prefix(head.as_bytes())
                .and_then(|rest| rest.strip_prefix(b"\n"))
                .expect("weights of this version");
        }
        let mut bytes = Vec::new();
        flate2::read::ZlibDecoder::new(rest).read_to_end(&mut bytes).expect("whole weights");
        let mut bytes = Bytes(&bytes);
        let tags = Tags(Sparse::new(&bytes.rows()));
        let moves = Moves::new(&bytes.rows());
        let labels = Sparse::new(&bytes.rows());
        Self { tags, moves, labels }
    }
}

/// A table as it is read: for each feature its key and how many weights it has; and the weights of all, one feature's after
/// another's, as classes and weights.
struct Rows<'b> {
    keys: Vec<u32>,
    counts: &'b [u8],
    weights: &'b [[u8; 2]],
}

impl<'b> Rows<'b> {
    /// Each feature's key and weights.
    fn iter(&self) -> impl Iterator<Item = (u32, &'b [[u8; 2]])> {
        let mut rest = self.weights;
        self.keys.iter().zip(self.counts).map(move |(key, count)| {
            let (row, after) = rest.split_at(usize::from(*count));
            rest = after;
            (*key, row)
        })
    }
}

/// A class and its weight, of two bytes.
fn weight([class, weight]: [u8; 2]) -> (usize, i8) {
    (usize::from(class), weight.cast_signed())
}

/// What is left to read of a file.
struct Bytes<'b>(&'b [u8]);

impl<'b> Bytes<'b> {
    fn byte(&mut self) -> u8 {
        let (first, rest) = self.0.split_first().expect("whole weights");
        self.0 = rest;
        *first
    }

    /// A number in seven bits a byte, the lowest first.
    fn number(&mut self) -> u32 {
        let (mut number, mut shift) = (0, 0);
        loop {
            let byte = self.byte();
            number |= u32::from(byte & 0x7F) << shift;
            if byte & 0x80 == 0 {
                return number;
            }
            shift += 7;
        }
    }

    fn take(&mut self, count: usize) -> &'b [u8] {
        let (taken, rest) = self.0.split_at_checked(count).expect("whole weights");
        self.0 = rest;
        taken
    }

    fn rows(&mut self) -> Rows<'b> {
        let count = self.number();
        let mut key = 0_u32;
        let mut keys = Vec::with_capacity(count as usize);
        for _ in 0..count {
            key = key.wrapping_add(self.number());
            keys.push(key);
        }
        let counts = self.take(keys.len());
        let all: usize = counts.iter().map(|count| usize::from(*count)).sum();
        Rows { keys, counts, weights: self.take(2 * all).as_chunks().0 }
    }
}

/// The key of a feature in the tables.
pub(super) fn key(feature: u64) -> u32 {
    // Nothing is the key of an empty slot.
    ((feature >> 32) as u32).max(1)
}

/// Places of keys: open addressing, at most three fifths full.
#[derive(Debug)]
struct Slots<V> {
    slots: Vec<(u32, V)>,
    mask: usize,
}

impl<V: Copy + Default> Slots<V> {
    fn new(count: usize) -> Self {
        let size = (count * 5 / 3 + 1).next_power_of_two();
        Self { slots: vec![(0, V::default()); size], mask: size - 1 }
    }

    fn put(&mut self, key: u32, value: V) {
        let mut at = key as usize & self.mask;
        while self.slots[at].0 != 0 {
            at = (at + 1) & self.mask;
        }
        self.slots[at] = (key, value);
    }

    fn get(&self, key: u32) -> Option<V> {
        let mut at = key as usize & self.mask;
        loop {
            let (found, value) = self.slots[at];
            if found == key {
                return Some(value);
            }
            if found == 0 {
                return None;
            }
            at = (at + 1) & self.mask;
        }
    }
}

/// Weights of the three moves, beside their key.
#[derive(Debug)]
struct Moves(Slots<[i8; 4]>);

impl Moves {
    fn new(rows: &Rows<'_>) -> Self {
        let mut slots = Slots::new(rows.keys.len());
        for (key, row) in rows.iter() {
            let mut all = [0; 4];
            for (class, weight) in row.iter().copied().map(weight) {
                all[class] = weight;
            }
            slots.put(key, all);
        }
        Self(slots)
    }
}

/// Weights of many classes, most of which are nothing.
#[derive(Debug)]
struct Sparse {
    slots: Slots<u32>,
    weights: Vec<(usize, i8)>,
}

/// More classes than there are of either kind.
const CLASSES: usize = 64;

impl Sparse {
    fn new(rows: &Rows<'_>) -> Self {
        let mut slots = Slots::new(rows.keys.len());
        let mut weights = Vec::with_capacity(rows.weights.len());
        for (key, row) in rows.iter() {
            // The number of weights stands in the lowest bits of their place.
            slots.put(key, (weights.len() as u32) << 6 | row.len() as u32);
            weights.extend(row.iter().copied().map(weight));
        }
        Self { slots, weights }
    }

    /// The class with the greatest sum; of equals the first.
    fn best(&self, features: &[u64]) -> usize {
        let mut sums = [0_i32; CLASSES];
        for feature in features {
            let Some(place) = self.slots.get(key(*feature)) else { continue };
            let from = (place >> 6) as usize;
            for (class, weight) in &self.weights[from..from + (place & 0x3F) as usize] {
                sums[class % CLASSES] += i32::from(*weight);
            }
        }
        sums.iter()
            .enumerate()
            .max_by_key(|(class, sum)| (**sum, CLASSES - class))
            .map_or(0, |(class, _)| class)
    }
}

impl TagScores for Tags {
    fn best_tag(&self, features: &[u64]) -> Tag {
        Tag::ALL.get(self.0.best(features)).copied().unwrap_or(Tag::Other)
    }
}

impl TieScores for Model {
    fn moves(&self, features: &[u64]) -> [i32; 3] {
        let mut sums = [0; 3];
        for feature in features {
            if let Some(weights) = self.moves.0.get(key(*feature)) {
                for (sum, weight) in sums.iter_mut().zip(weights) {
                    *sum += i32::from(weight);
                }
            }
        }
        sums
    }

    fn best_label(&self, features: &[u64]) -> Label {
        Label::ALL.get(self.labels.best(features)).copied().unwrap_or(Label::Dep)
    }
}
