//! What tagger and parser see of a word: hashes of it, of its ends, and its shape.

/// A word as numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Word {
    /// The whole word in lower case; numbers alike by their length.
    pub(super) lower: u32,
    /// Its last three characters.
    pub(super) suffix: u32,
    /// Its last two characters.
    pub(super) ending: u32,
    /// Its first character.
    pub(super) first: u32,
    /// Which kinds of characters it is made of.
    pub(super) shape: u32,
}

impl Word {
    /// Of a word as the text has it, and in lower case.
    pub(super) fn of(raw: &str, lower: &str) -> Self {
        let digits = lower.starts_with(|c: char| c.is_ascii_digit());
        let whole = if digits { 0x00D1_6175 + lower.len() as u32 } else { hash(lower) };
        Self {
            lower: whole,
            suffix: hash(last(lower, 3)),
            ending: hash(last(lower, 2)),
            first: lower.chars().next().map_or(0, u32::from),
            shape: shape(raw),
        }
    }
}

/// The last `count` characters of a word.
fn last(word: &str, count: usize) -> &str {
    match word.char_indices().rev().nth(count - 1) {
        Some((at, _)) => &word[at..],
        None => word,
    }
}

/// Capital, all capitals, digits, a hyphen, a sign: a bit each.
fn shape(raw: &str) -> u32 {
    let mut letters = raw.chars();
    let first = letters.next().unwrap_or(' ');
    let mut shape = u32::from(first.is_uppercase()) | u32::from(!first.is_alphanumeric()) << 1;
    shape |= u32::from(first.is_ascii_digit()) << 2;
    let mut small = first.is_lowercase();
    for letter in letters {
        shape |= u32::from(letter == '-') << 3 | u32::from(letter.is_ascii_digit()) << 4;
        shape |= u32::from(letter.is_uppercase()) << 5;
        small |= letter.is_lowercase();
    }
    shape | u32::from(small) << 6
}

/// FNV-1a of 32 bits.
fn hash(text: &str) -> u32 {
    text.bytes().fold(0x811C_9DC5, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193))
}

/// The features of one decision.
pub(super) type Features = Vec<u64>;

/// One feature: which template, filled with what.
pub(super) fn feature(template: u32, a: u32, b: u32, c: u32) -> u64 {
    let mix = |hash: u64, value: u32| {
        let hash = (hash ^ u64::from(value)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        hash ^ hash >> 29
    };
    mix(mix(mix(u64::from(template).wrapping_mul(0xD6E8_FEB8_6659_FD93), a), b), c)
}
