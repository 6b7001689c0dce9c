//! Words: tokens, stems, stop words and the folding of names. It knows no index and no meaning.

use rust_stemmers::{Algorithm, Stemmer};
use unicode_normalization::UnicodeNormalization;
use unicode_segmentation::UnicodeSegmentation;

/// Folds a name for comparison: NFKC, lower case, inner white space to one space, no quotes and no stops at the
/// ends. Scripts, accents and digits are kept.
pub fn fold_name(name: &str) -> String {
    let lower = name.nfkc().collect::<String>().to_lowercase();
    let words: Vec<&str> = lower.split_whitespace().collect();
    let joined = words.join(" ").replace('’', "'");
    joined
        .trim_matches(|c: char| matches!(c, '"' | '\'' | '.' | ',' | ';' | ':' | '!' | '?' | '“' | '”'))
        .to_owned()
}

/// Words of English that say nothing about what a text is about.
const STOP_WORDS: &[&str] = &[
    "a", "about", "after", "again", "all", "also", "am", "an", "and", "any", "are", "as", "at", "be",
    "because", "been", "before", "being", "but", "by", "can", "could", "did", "do", "does", "doing", "don",
    "down", "for", "from", "had", "has", "have", "having", "he", "her", "here", "hers", "him", "his", "how",
    "i", "if", "in", "into", "is", "it", "its", "just", "ll", "m", "me", "might", "more", "most", "my", "no",
    "nor", "not", "now", "of", "off", "on", "only", "or", "other", "our", "out", "over", "own", "re", "s",
    "same", "she", "should", "so", "some", "such", "t", "than", "that", "the", "their", "them", "then",
    "there", "these", "they", "this", "those", "through", "to", "too", "under", "until", "up", "ve", "very",
    "was", "we", "were", "what", "when", "where", "which", "while", "who", "whom", "why", "will", "with",
    "would", "you", "your", "yours",
];

/// Whether a lower-case word is one of the stop words.
pub fn is_stop_word(word: &str) -> bool {
    STOP_WORDS.binary_search(&word).is_ok()
}

/// Calls `each` with every word of `text` in lower case, in order, stop words included. A word is a run of
/// letters and digits; a character of a script that is written without spaces is a word of its own, and so is
/// each pair of them that stands together, which is what makes such text searchable.
pub fn for_each_word(text: &str, mut each: impl FnMut(&str)) {
    if text.is_ascii() {
        ascii_words(text, &mut each);
        return;
    }
    let composed: String = text.nfkc().collect();
    let mut previous: Option<(usize, &str)> = None;
    for (start, word) in composed.unicode_word_indices() {
        let unspaced = word
            .chars()
            .next()
            .filter(|_| word.chars().count() == 1)
            .is_some_and(is_unspaced);
        if !unspaced {
            let lower = word.to_lowercase();
            lower
                .split(|c: char| !c.is_alphanumeric())
                .filter(|piece| !piece.is_empty())
                .for_each(&mut each);
            previous = None;
            continue;
        }
        each(word);
        if let Some((before, first)) = previous
            && before + first.len() == start
        {
            each(&composed[before..start + word.len()]);
        }
        previous = Some((start, word));
    }
}

fn ascii_words(text: &str, each: &mut impl FnMut(&str)) {
    let mut buffer = String::with_capacity(24);
    for word in text
        .split(|c: char| !c.is_ascii_alphanumeric())
        .filter(|word| !word.is_empty())
    {
        buffer.clear();
        buffer.push_str(word);
        buffer.make_ascii_lowercase();
        each(&buffer);
    }
}

/// Whether words of the character's script are written without spaces between them.
fn is_unspaced(c: char) -> bool {
    matches!(u32::from(c), 0x3040..=0x30FF | 0x3400..=0x4DBF | 0x4E00..=0x9FFF | 0xF900..=0xFAFF | 0x20000..=0x2FA1F | 0x0E00..=0x0E7F)
}

/// Reduces words to stems: Snowball's English stemmer for words in ASCII letters, other words as they are.
pub struct Stems(Stemmer);

impl Default for Stems {
    fn default() -> Self {
        Self(Stemmer::create(Algorithm::English))
    }
}

impl Stems {
    /// The stem of a lower-case word.
    pub fn stem<'w>(&self, word: &'w str) -> std::borrow::Cow<'w, str> {
        if word.bytes().all(|byte| byte.is_ascii_lowercase()) {
            self.0.stem(word)
        } else {
            word.into()
        }
    }
}

/// The stems of a text's content words, in order.
pub fn content_stems(text: &str) -> Vec<String> {
    let stems = Stems::default();
    let mut found = Vec::new();
    for_each_word(text, |word| {
        if !is_stop_word(word) {
            found.push(stems.stem(word).into_owned());
        }
    });
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<String> {
        let mut found = Vec::new();
        for_each_word(text, |word| found.push(word.to_owned()));
        found
    }

    #[test]
    fn stop_words_are_sorted_for_the_search() {
        assert!(STOP_WORDS.is_sorted());
        assert!(is_stop_word("the") && !is_stop_word("porto"));
    }

    #[test]
    fn words_of_spaced_scripts() {
        assert_eq!(words("Ana's cat, D1:3!"), ["ana", "s", "cat", "d1", "3"]);
        assert_eq!(words("Überraschung für Zoë"), ["überraschung", "für", "zoë"]);
    }

    #[test]
    fn unspaced_scripts_give_characters_and_pairs() {
        assert_eq!(
            words("北京大学"),
            ["北", "京", "北京", "大", "京大", "学", "大学"]
        );
    }

    #[test]
    fn stems_fold_inflection() {
        assert_eq!(content_stems("She was running the races"), ["run", "race"]);
    }

    #[test]
    fn names_fold_without_losing_their_script() {
        assert_eq!(fold_name(" “Ana  SILVA” "), "ana silva");
        assert_eq!(fold_name("Jürgen"), "jürgen");
        assert_eq!(fold_name("ＡＢＣ"), "abc");
    }
}
