//! Vectors by spelling alone: words and their parts, hashed. What finds a name that is not spelt right.

use rayon::prelude::*;

use super::{Embedder, ModelIdentity, Understanding, normalise};
use crate::error::Error;
use crate::text::{self, Stems};

/// Numbers in a vector of [`HashEmbedder`]; a power of two, as an index is the upper bits of a hash.
const DIMENSIONS: usize = 256;

/// What a word's stem weighs, before the damping of its count.
const STEM_WEIGHT: f32 = 1.0;

/// What all character n-grams of a word weigh together (the length of their vector where no two fall together).
const GRAMS_WEIGHT: f32 = 1.0;

/// Characters in an n-gram, from and to, of a word between `<` and `>`: those of fastText but for its 6, which in
/// 256 dimensions is mostly collisions (Bojanowski and others, "Enriching Word Vectors with Subword Information", 2017).
const GRAM_LENGTHS: (usize, usize) = (3, 5);

/// Where the hashes of stems and of n-grams begin, so that the stem `cat` and the n-gram `cat` differ. The first is
/// the offset basis of FNV-1a. Fixed for ever: stored vectors depend on them.
const STEM_SEED: u64 = 0xcbf2_9ce4_8422_2325;
const GRAM_SEED: u64 = 0x9e37_79b9_7f4a_7c15;

/// Texts that one thread embeds at a time.
const CHUNK: usize = 128;

/// The embedder that needs no model: words and parts of words, hashed to 256 signed dimensions (Weinberger and others,
/// "Feature Hashing for Large Scale Multitask Learning", 2009). Texts are alike if they share stems or spelling; it
/// knows no synonyms.
///
/// ```
/// use lorebase_engine::embed::{Embedder, HashEmbedder};
///
/// let vectors = HashEmbedder::default().embed(&["She adopted a kitten", "the kitten was adopted"])?;
/// let alike: f32 = vectors[0].iter().zip(&vectors[1]).map(|(a, b)| a * b).sum();
/// assert!(alike > 0.99);
/// # Ok::<(), lorebase_engine::error::Error>(())
/// ```
pub struct HashEmbedder {
    identity: ModelIdentity,
    stems: Stems,
}

impl Default for HashEmbedder {
    fn default() -> Self {
        Self {
            identity: ModelIdentity { name: "hash-1".to_owned(), dimensions: DIMENSIONS },
            stems: Stems::default(),
        }
    }
}

impl Embedder for HashEmbedder {
    fn identity(&self) -> &ModelIdentity {
        &self.identity
    }

    fn is_quick(&self) -> bool {
        true
    }

    fn understanding(&self) -> Understanding {
        Understanding::Spelling
    }

    fn embed(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>, Error> {
        if texts.len() <= CHUNK {
            return Ok(self.embed_chunk(texts));
        }
        let chunks = texts.par_chunks(CHUNK).flat_map_iter(|chunk| self.embed_chunk(chunk));
        Ok(chunks.collect())
    }
}

/// A content word of the text at hand.
#[derive(Clone, Copy)]
struct Word {
    stem: u64,
    /// The hash of the word as it stands, by which repetitions are found.
    whole: u64,
    /// Where it stands in [`Scratch::letters`], in `<` and `>`.
    start: usize,
    end: usize,
}

/// What is used again for every text of a chunk, so that a text allocates no more than its vector.
#[derive(Default)]
struct Scratch {
    letters: String,
    words: Vec<Word>,
    /// Where the characters of a word begin, in bytes, and where the last ends.
    bounds: Vec<usize>,
}

impl HashEmbedder {
    fn embed_chunk(&self, texts: &[&str]) -> Vec<Vec<f32>> {
        let mut scratch = Scratch::default();
        texts.iter().map(|text| self.embed_one(text, &mut scratch)).collect()
    }

    fn embed_one(&self, text: &str, scratch: &mut Scratch) -> Vec<f32> {
        let mut vector = vec![0.0; DIMENSIONS];
        self.collect_words(text, scratch);
        // Sorted, so that the order of the words does not change so much as a rounding.
        scratch.words.sort_unstable_by_key(|word| (word.stem, word.whole));
        for same_stem in scratch.words.chunk_by(|a, b| a.stem == b.stem) {
            add(&mut vector, mix(same_stem[0].stem), STEM_WEIGHT * damped(same_stem.len()));
            for same in same_stem.chunk_by(|a, b| a.whole == b.whole) {
                let word = &scratch.letters[same[0].start..same[0].end];
                add_grams(&mut vector, word, GRAMS_WEIGHT * damped(same.len()), &mut scratch.bounds);
            }
        }
        normalise(&mut vector);
        vector
    }

    fn collect_words(&self, text: &str, scratch: &mut Scratch) {
        let Scratch { letters, words, .. } = scratch;
        letters.clear();
        words.clear();
        text::for_each_word(text, |word| {
            if text::is_stop_word(word) {
                return;
            }
            let start = letters.len();
            letters.push('<');
            letters.push_str(word);
            letters.push('>');
            words.push(Word {
                stem: hash(STEM_SEED, self.stems.stem(word).as_bytes()),
                whole: hash(STEM_SEED, word.as_bytes()),
                start,
                end: letters.len(),
            });
        });
    }
}

/// Adds words by their spelling to vectors that are made otherwise.
#[derive(Default)]
pub(super) struct Spelling {
    letters: String,
    bounds: Vec<usize>,
}

impl Spelling {
    /// Adds a word in lower case, itself and its n-grams, together of about the length `weight`.
    pub(super) fn add(&mut self, vector: &mut [f32], word: &str, weight: f32) {
        let half = weight * std::f32::consts::FRAC_1_SQRT_2;
        add(vector, mix(hash(STEM_SEED, word.as_bytes())), half);
        self.letters.clear();
        self.letters.extend(["<", word, ">"]);
        add_grams(vector, &self.letters, half, &mut self.bounds);
    }
}

/// What `count` repetitions are worth: 1 + ln count.
fn damped(count: usize) -> f32 {
    1.0 + (count as f32).ln()
}

/// Adds the n-grams of a bracketed word, all together of the given weight.
fn add_grams(vector: &mut [f32], word: &str, weight: f32, bounds: &mut Vec<usize>) {
    bounds.clear();
    bounds.extend(word.char_indices().map(|(start, _)| start));
    bounds.push(word.len());
    let characters = bounds.len() - 1;
    let (shortest, longest) = GRAM_LENGTHS;
    let grams: usize = (shortest..=longest).map(|n| (characters + 1).saturating_sub(n)).sum();
    let each = weight / (grams as f32).sqrt();
    for first in 0..(characters + 1).saturating_sub(shortest) {
        // The hash of a longer n-gram goes on from that of the shorter.
        let mut state = hash(GRAM_SEED, &word.as_bytes()[bounds[first]..bounds[first + shortest]]);
        add(vector, mix(state), each);
        for end in first + shortest..(first + longest).min(characters) {
            state = hash(state, &word.as_bytes()[bounds[end]..bounds[end + 1]]);
            add(vector, mix(state), each);
        }
    }
}

/// Adds a feature at the index and with the sign that its hash says.
fn add(vector: &mut [f32], hash: u64, weight: f32) {
    let index = (hash >> (64 - DIMENSIONS.trailing_zeros())) as usize;
    vector[index] += if hash & 1 == 0 { weight } else { -weight };
}

/// FNV-1a of 64 bits, going on from `state`.
fn hash(state: u64, bytes: &[u8]) -> u64 {
    bytes.iter().fold(state, |state, byte| (state ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3))
}

/// The finaliser of `MurmurHash3`, which makes every bit depend on every other; FNV's upper bits alone do not.
fn mix(mut hash: u64) -> u64 {
    hash ^= hash >> 33;
    hash = hash.wrapping_mul(0xff51_afd7_ed55_8ccd);
    hash ^= hash >> 33;
    hash = hash.wrapping_mul(0xc4ce_b9fe_1a85_ec53);
    hash ^ (hash >> 33)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn embed(text: &str) -> Vec<f32> {
        HashEmbedder::default().embed(&[text]).unwrap().remove(0)
    }

    fn alike(a: &str, b: &str) -> f32 {
        embed(a).iter().zip(embed(b)).map(|(x, y)| x * y).sum()
    }

    #[test]
    fn vectors_are_of_length_one_or_of_zeros() {
        for text in ["Ana adopted a kitten in Porto", "北京大学", "x", "Zoë's Überraschung"] {
            assert!((alike(text, text) - 1.0).abs() < 1e-5, "{text}");
        }
        for nothing in ["", "the of and", " ?! "] {
            assert!(embed(nothing).iter().all(|x| *x == 0.0), "{nothing}");
        }
    }

    #[test]
    fn alike_is_what_shares_words_or_spelling() {
        let same = alike("She was running the races", "runs in a race");
        let near = alike("her kitten", "those kittns");
        let other = alike("her kitten", "a mortgage");
        assert!(same > 0.6 && near > 0.2 && other.abs() < 0.2, "{same} {near} {other}");
        assert_eq!(embed("blue kitten"), embed("a kitten that is blue"));
    }

    #[test]
    fn many_at_once_are_the_same_as_one_by_one() {
        let texts: Vec<String> = (0..1000).map(|i| format!("turn {i} of {}", i % 13)).collect();
        let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        let together = HashEmbedder::default().embed(&texts).unwrap();
        assert_eq!(together.len(), texts.len());
        assert!(texts.iter().zip(&together).all(|(text, vector)| embed(text) == *vector));
    }

    /// Stored vectors must mean the same for ever: whoever must change what this tests, be it in the words and stems of
    /// `text.rs`, gives the model a new name.
    #[test]
    fn vectors_are_those_of_the_first_release() {
        let strongest = |text: &str| {
            let mut found: Vec<(usize, f32)> = embed(text).into_iter().enumerate().collect();
            found.sort_by(|a, b| b.1.abs().total_cmp(&a.1.abs()).then(a.0.cmp(&b.0)));
            found.truncate(4);
            found
        };
        let close = |got: &[(usize, f32)], expected: &[(usize, f32)]| {
            let same = |(a, b): (&(usize, f32), &(usize, f32))| a.0 == b.0 && (a.1 - b.1).abs() < 1e-4;
            assert!(got.iter().zip(expected).all(same), "{got:?}");
        };
        close(
            &strongest("Ana adopted a kitten; the kitten sleeps"),
            &[(9, 0.517_295), (30, 0.305_523), (220, 0.305_523), (56, 0.205_578)],
        );
        close(
            &strongest("北京大学"),
            &[(75, 0.267_261), (109, -0.267_261), (116, -0.267_261), (135, -0.267_261)],
        );
    }
}
