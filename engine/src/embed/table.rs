//! Vectors by meaning with nothing installed: a table of what each piece of a word stands for, whose rows are added up.

use std::sync::LazyLock;

use rayon::prelude::*;

use super::hash::Spelling;
use super::pieces::Pieces;
use super::{Embedder, ModelIdentity, Understanding, normalise};
use crate::error::Error;
use crate::text;

/// The table. `engine/data/README.md` says what it was made of, and `scripts/distil/` makes it.
static BUILT_IN: LazyLock<Table> = LazyLock::new(|| {
    let table = Table::read(include_bytes!("../../data/table-1.bin"));
    table.filter(|table| table.dimensions == DIMENSIONS).expect("the build put a whole table in")
});

/// How many numbers a row of the built-in table has.
const DIMENSIONS: usize = 256;

/// What a table's file begins with.
const MAGIC: &[u8] = b"LORETAB1";

/// Texts that one thread embeds at a time.
const CHUNK: usize = 128;

/// A vector for each of some thirty thousand pieces of words, 8 bits a number, fitted so that their sum points where a
/// sentence encoder (bge-small-en-v1.5) would put the text. It knows English words apart from their order; a word it cannot
/// make of its pieces, such as one in another script, counts by its spelling.
///
/// ```
/// use lorebase_engine::embed::{Embedder, TableEmbedder};
///
/// let vectors = TableEmbedder::default().embed(&["a young cat", "the kitten", "interest rates"])?;
/// let alike = |a: &[f32], b: &[f32]| a.iter().zip(b).map(|(x, y)| x * y).sum::<f32>();
/// assert!(alike(&vectors[0], &vectors[1]) > 0.4 && alike(&vectors[0], &vectors[2]) < 0.2);
/// # Ok::<(), lorebase_engine::error::Error>(())
/// ```
///
/// The table is read when the first text comes: whoever embeds nothing does not wait for it.
pub struct TableEmbedder {
    identity: ModelIdentity,
}

impl Default for TableEmbedder {
    fn default() -> Self {
        Self { identity: ModelIdentity { name: "table-1".to_owned(), dimensions: DIMENSIONS } }
    }
}

impl Embedder for TableEmbedder {
    fn identity(&self) -> &ModelIdentity {
        &self.identity
    }

    fn is_quick(&self) -> bool {
        true
    }

    fn understanding(&self) -> Understanding {
        Understanding::Words
    }

    fn embed(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>, Error> {
        let table = &*BUILT_IN;
        if texts.len() <= CHUNK {
            return Ok(table.embed(texts));
        }
        Ok(texts.par_chunks(CHUNK).flat_map_iter(|chunk| table.embed(chunk)).collect())
    }
}

/// A table as its file holds it: after [`MAGIC`] the number of pieces, the numbers of a row, the bytes of the list of pieces
/// and what an unknown word weighs, 4 bytes each, little-endian; the list, a piece a line; a factor of 4 bytes a row; the rows,
/// a signed byte a number.
struct Table {
    dimensions: usize,
    pieces: Pieces,
    factors: Vec<f32>,
    rows: &'static [u8],
    unknown: f32,
}

impl Table {
    /// The table in a file's bytes; `None` where they do not hold together.
    fn read(bytes: &'static [u8]) -> Option<Self> {
        let mut rest = bytes.strip_prefix(MAGIC)?;
        let mut number = || {
            let (four, after) = rest.split_first_chunk::<4>()?;
            rest = after;
            Some(*four)
        };
        let (count, dimensions, listed) = (number()?, number()?, number()?);
        let unknown = f32::from_le_bytes(number()?);
        let size = |four| usize::try_from(u32::from_le_bytes(four)).ok();
        let (count, dimensions, listed) = (size(count)?, size(dimensions)?, size(listed)?);
        let (list, rest) = rest.split_at_checked(listed)?;
        let (factors, rows) = rest.split_at_checked(4 * count)?;
        let factors = factors.as_chunks::<4>().0.iter().map(|four| f32::from_le_bytes(*four)).collect();
        let pieces = Pieces::of(str::from_utf8(list).ok()?);
        (pieces.len() == count && rows.len() == count * dimensions).then_some(Self {
            dimensions,
            pieces,
            factors,
            rows,
            unknown,
        })
    }

    fn embed(&self, texts: &[&str]) -> Vec<Vec<f32>> {
        let (mut found, mut spelling) = (Vec::new(), Spelling::default());
        let mut one = |text: &&str| {
            let mut vector = vec![0.0; self.dimensions];
            text::for_each_word(text, |word| {
                if self.pieces.split(word, &mut found) {
                    for piece in &found {
                        self.add(&mut vector, *piece);
                    }
                } else {
                    spelling.add(&mut vector, word, self.unknown);
                }
            });
            normalise(&mut vector);
            vector
        };
        texts.iter().map(&mut one).collect()
    }

    /// Adds the row of a piece.
    fn add(&self, vector: &mut [f32], piece: u32) {
        let (piece, width) = (piece as usize, self.dimensions);
        let (factor, row) = (self.factors[piece], &self.rows[piece * width..][..width]);
        for (sum, number) in vector.iter_mut().zip(row) {
            *sum += factor * f32::from(number.cast_signed());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn embed(text: &str) -> Vec<f32> {
        TableEmbedder::default().embed(&[text]).unwrap().remove(0)
    }

    fn alike(a: &[f32], b: &[f32]) -> f32 {
        a.iter().zip(b).map(|(x, y)| x * y).sum()
    }

    /// Vectors that `scripts/distil/fit.py` worked out when it wrote the table.
    #[test]
    fn vectors_are_those_of_the_script_that_made_the_table() {
        for line in include_str!("../../data/table-1.reference.tsv").lines() {
            let (text, numbers) = line.split_once('\t').unwrap();
            let expected: Vec<f32> = numbers.split(' ').map(|number| number.parse().unwrap()).collect();
            let made = embed(text);
            assert_eq!(made.len(), expected.len());
            let furthest = made.iter().zip(&expected).map(|(a, b)| (a - b).abs()).fold(0.0, f32::max);
            assert!(furthest < 1e-3, "{text}: {furthest}");
        }
    }

    #[test]
    fn vectors_are_of_length_one_or_of_zeros() {
        for text in ["Ana adopted a kitten in Porto", "北京大学", "x", "Zoë's Überraschung", "ß 1 привет"]
        {
            let made = embed(text);
            assert!((alike(&made, &made) - 1.0).abs() < 1e-5, "{text}");
        }
        for nothing in ["", " ?! "] {
            assert!(embed(nothing).iter().all(|x| *x == 0.0), "{nothing}");
        }
    }

    #[test]
    fn an_unknown_word_is_like_itself_and_its_kin() {
        let likeness = |a, b| alike(&embed(a), &embed(b));
        assert!(likeness("привет", "Привет!") > 0.99);
        assert!(likeness("переговоры", "переговоров") > 0.3);
        assert!(likeness("привет", "переговоры").abs() < 0.2);
    }

    #[test]
    fn many_at_once_are_the_same_as_one_by_one() {
        let texts: Vec<String> = (0..1000).map(|i| format!("turn {i} of {}", i % 13)).collect();
        let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        let together = TableEmbedder::default().embed(&texts).unwrap();
        assert!(texts.iter().zip(&together).all(|(text, vector)| embed(text) == *vector));
    }

    #[test]
    fn a_damaged_table_is_refused() {
        let whole: &'static [u8] = include_bytes!("../../data/table-1.bin");
        assert!(Table::read(whole).is_some());
        assert!(Table::read(&whole[..whole.len() - 1]).is_none());
        assert!(Table::read(&whole[1..]).is_none());
        assert!(Table::read(&whole[..10]).is_none());
    }
}
