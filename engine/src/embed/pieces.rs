//! The parts of words that a table has vectors for.

use rustc_hash::FxHashMap;

/// What a piece begins with that goes on within a word, in a list of pieces.
const WITHIN: &str = "##";

/// Pieces by their letters, which are ASCII: whole words and beginnings, and what goes on within a word.
#[derive(Default)]
pub(super) struct Pieces {
    first: FxHashMap<&'static str, u32>,
    within: FxHashMap<&'static str, u32>,
    longest: usize,
}

impl Pieces {
    /// The pieces that a list names, a line each, numbered in its order.
    pub(super) fn of(list: &'static str) -> Self {
        let mut pieces = Self::default();
        for (line, number) in list.lines().zip(0..) {
            let inner = line.strip_prefix(WITHIN);
            let letters = inner.unwrap_or(line);
            pieces.longest = pieces.longest.max(letters.len());
            let kind = if inner.is_some() { &mut pieces.within } else { &mut pieces.first };
            kind.insert(letters, number);
        }
        pieces
    }

    /// How many there are.
    pub(super) fn len(&self) -> usize {
        self.first.len() + self.within.len()
    }

    /// Puts the pieces of a word in lower case into `found`: the longest that it begins with, then the longest that goes on
    /// from there. Whether they make up the whole word; if not, `found` is empty.
    pub(super) fn split(&self, word: &str, found: &mut Vec<u32>) -> bool {
        found.clear();
        if !word.is_ascii() {
            return false;
        }
        let mut rest = word;
        while !rest.is_empty() {
            let known = if found.is_empty() { &self.first } else { &self.within };
            let lengths = (1..=rest.len().min(self.longest)).rev();
            let longest = lengths.map(|length| rest.split_at(length));
            let Some((piece, after)) =
                longest.into_iter().find_map(|(letters, after)| Some((*known.get(letters)?, after)))
            else {
                found.clear();
                return false;
            };
            found.push(piece);
            rest = after;
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_falls_into_the_longest_pieces() {
        let pieces = Pieces::of("play\nplaying\n##ing\n##s\n##in\nunseen");
        let split = |word: &str| {
            let mut found = Vec::new();
            pieces.split(word, &mut found).then_some(found)
        };
        assert_eq!(pieces.len(), 6);
        assert_eq!(split("playing"), Some(vec![1]));
        assert_eq!(split("plays"), Some(vec![0, 3]));
        assert_eq!(split("playings"), Some(vec![1, 3]));
        assert_eq!(split("ing"), None, "it goes on, and begins no word");
        assert_eq!(split("playx"), None);
        assert_eq!(split("plây"), None);
        assert_eq!(split(""), Some(vec![]));
    }
}
