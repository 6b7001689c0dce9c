//! Words: tokens, stems, stop words and the folding of names. It knows no index and no meaning.

use std::borrow::Cow;
use std::sync::LazyLock;

use rust_stemmers::{Algorithm, Stemmer};
use rustc_hash::FxHashMap;
use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;
use unicode_segmentation::UnicodeSegmentation;

/// Folds a name for comparison: NFKC, lower case, inner white space to one space, no quotes, stops and white space at the
/// ends. Scripts, accents and digits are kept. What is folded stays as it is when it is folded again.
pub fn fold_name(name: &str) -> String {
    let lower: String = if name.is_ascii() {
        name.to_ascii_lowercase()
    } else {
        // Lower case may need another order of the accents.
        name.nfkc().collect::<String>().to_lowercase().nfkc().collect()
    };
    let words: Vec<&str> = lower.split_whitespace().collect();
    let joined = words.join(" ").replace('’', "'");
    joined
        .trim_matches(|c: char| matches!(c, '"' | '\'' | '.' | ',' | ';' | ':' | '!' | '?' | '“' | '”' | ' '))
        .to_owned()
}

/// Words of English that say nothing about what a text is about.
const STOP_WORDS: &[&str] = &[
    "a",
    "about",
    "above",
    "after",
    "again",
    "against",
    "all",
    "also",
    "am",
    "an",
    "and",
    "any",
    "are",
    "aren",
    "as",
    "at",
    "be",
    "because",
    "been",
    "before",
    "being",
    "below",
    "between",
    "both",
    "but",
    "by",
    "can",
    "could",
    "d",
    "did",
    "didn",
    "do",
    "does",
    "doesn",
    "doing",
    "don",
    "down",
    "during",
    "each",
    "few",
    "for",
    "from",
    "further",
    "get",
    "got",
    "had",
    "has",
    "have",
    "having",
    "he",
    "her",
    "here",
    "hers",
    "herself",
    "him",
    "himself",
    "his",
    "how",
    "i",
    "if",
    "in",
    "into",
    "is",
    "isn",
    "it",
    "its",
    "itself",
    "just",
    "let",
    "ll",
    "m",
    "me",
    "more",
    "most",
    "my",
    "myself",
    "no",
    "nor",
    "not",
    "now",
    "of",
    "off",
    "on",
    "once",
    "only",
    "or",
    "other",
    "our",
    "ours",
    "ourselves",
    "out",
    "over",
    "own",
    "re",
    "s",
    "same",
    "she",
    "should",
    "so",
    "some",
    "such",
    "t",
    "than",
    "that",
    "the",
    "their",
    "theirs",
    "them",
    "themselves",
    "then",
    "there",
    "these",
    "they",
    "this",
    "those",
    "through",
    "to",
    "too",
    "under",
    "until",
    "up",
    "us",
    "ve",
    "very",
    "was",
    "wasn",
    "we",
    "were",
    "what",
    "when",
    "where",
    "which",
    "while",
    "who",
    "whom",
    "whose",
    "why",
    "will",
    "with",
    "won",
    "would",
    "you",
    "your",
    "yours",
    "yourself",
    "yourselves",
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
    let composed = without_accents(text);
    let mut previous: Option<(usize, &str)> = None;
    for (start, word) in composed.unicode_word_indices() {
        let unspaced = word.chars().next().filter(|_| word.chars().count() == 1).is_some_and(is_unspaced);
        if !unspaced {
            let lower = word.to_lowercase();
            let pieces = lower.split(|c: char| !c.is_alphanumeric());
            // A mark that stands on no letter, such as the point of a vowel after an underscore, is part of none.
            let pieces = pieces.map(|piece| piece.trim_start_matches(is_combining_mark));
            pieces.filter(|piece| !piece.is_empty()).for_each(&mut each);
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

/// NFKC, without the accents of Latin, Greek and Cyrillic letters: "café" is found by "cafe".
fn without_accents(text: &str) -> String {
    text.nfkd().filter(|c| !matches!(u32::from(*c), 0x300..=0x36F)).nfc().collect()
}

/// The words of `text` in lower case, stop words included, joined by single spaces.
pub fn join_words(text: &str) -> String {
    let mut joined = String::new();
    for_each_word(text, |word| {
        if !joined.is_empty() {
            joined.push(' ');
        }
        joined.push_str(word);
    });
    joined
}

fn ascii_words(text: &str, each: &mut impl FnMut(&str)) {
    let mut buffer = String::with_capacity(24);
    for word in text.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty()) {
        buffer.clear();
        buffer.push_str(word);
        buffer.make_ascii_lowercase();
        each(&buffer);
    }
}

/// Whether words of the character's script are written without spaces between them.
pub fn is_unspaced(c: char) -> bool {
    matches!(u32::from(c), 0x3040..=0x30FF | 0x3400..=0x4DBF | 0x4E00..=0x9FFF | 0xF900..=0xFAFF | 0x20000..=0x2FA1F | 0x0E00..=0x0E7F)
}

/// Irregular forms of English, each line the first form and what stands for it: what a stemmer that takes
/// endings off cannot know.
const IRREGULAR: &[&str] = &[
    "become became",
    "begin began begun",
    "bite bit bitten",
    "blow blew blown",
    "break broke broken",
    "bring brought",
    "build built",
    "burn burnt",
    "buy bought",
    "catch caught",
    "choose chose chosen",
    "come came",
    "deal dealt",
    "dig dug",
    "draw drew drawn",
    "dream dreamt",
    "drink drank drunk",
    "drive drove driven",
    "eat ate eaten",
    "fall fell fallen",
    "feed fed",
    "feel felt",
    "fight fought",
    "find found",
    "fly flew flown",
    "forget forgot forgotten",
    "forgive forgave forgiven",
    "freeze froze frozen",
    "give gave given",
    "go went gone goes",
    "grow grew grown",
    "hang hung",
    "hear heard",
    "hide hid hidden",
    "hold held",
    "keep kept",
    "know knew known",
    "lay laid",
    "lead led",
    "learn learnt",
    "leave left",
    "lend lent",
    "lie lain",
    "light lit",
    "lose lost",
    "make made",
    "mean meant",
    "meet met",
    "pay paid",
    "ride rode ridden",
    "ring rang rung",
    "rise rose risen",
    "run ran",
    "say said",
    "see saw seen",
    "seek sought",
    "sell sold",
    "send sent",
    "shake shook shaken",
    "shine shone",
    "shoot shot",
    "show shown",
    "shrink shrank shrunk",
    "sing sang sung",
    "sink sank sunk",
    "sit sat",
    "sleep slept",
    "slide slid",
    "speak spoke spoken",
    "spend spent",
    "stand stood",
    "steal stole stolen",
    "stick stuck",
    "strike struck",
    "swear swore sworn",
    "sweep swept",
    "swim swam swum",
    "swing swung",
    "take took taken",
    "teach taught",
    "tear tore torn",
    "tell told",
    "think thought",
    "throw threw thrown",
    "understand understood",
    "wake woke woken",
    "wear wore worn",
    "weave wove woven",
    "win won",
    "write wrote written",
    "undergo underwent undergone",
    "overcome overcame",
    "withdraw withdrew withdrawn",
    "child children",
    "man men",
    "woman women",
    "foot feet",
    "tooth teeth",
    "mouse mice",
    "person people",
    "goose geese",
    "life lives",
    "wife wives",
    "knife knives",
    "leaf leaves",
    "shelf shelves",
    "half halves",
    "wolf wolves",
];

static IRREGULAR_STEMS: LazyLock<FxHashMap<&str, String>> = LazyLock::new(|| {
    let stemmer = Stemmer::create(Algorithm::English);
    let mut stems = FxHashMap::default();
    for line in IRREGULAR {
        let mut forms = line.split(' ');
        let first = forms.next().expect("each line has a first form");
        for form in std::iter::once(first).chain(forms) {
            stems.entry(form).or_insert_with(|| stemmer.stem(first).into_owned());
        }
    }
    stems
});

/// Reduces words to stems: Snowball's English stemmer, and a table of irregular forms, for words in ASCII
/// letters; other words as they are.
pub struct Stems(Stemmer);

impl Default for Stems {
    fn default() -> Self {
        Self(Stemmer::create(Algorithm::English))
    }
}

impl Stems {
    /// The stem of a lower-case word.
    pub fn stem<'w>(&self, word: &'w str) -> Cow<'w, str> {
        if !word.bytes().all(|byte| byte.is_ascii_lowercase()) {
            return word.into();
        }
        match IRREGULAR_STEMS.get(word) {
            Some(stem) => stem.as_str().into(),
            None => self.0.stem(word),
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
    fn a_mark_begins_no_word() {
        assert_eq!(words("a_\u{5b2}b \u{5b2} \u{5d0}\u{5b2}"), ["a", "b", "\u{5d0}\u{5b2}"]);
    }

    #[test]
    fn words_of_spaced_scripts() {
        assert_eq!(words("Ana's cat, D1:3!"), ["ana", "s", "cat", "d1", "3"]);
        assert_eq!(words("Überraschung für Zoë"), ["uberraschung", "fur", "zoe"]);
    }

    #[test]
    fn unspaced_scripts_give_characters_and_pairs() {
        assert_eq!(words("北京大学"), ["北", "京", "北京", "大", "京大", "学", "大学"]);
    }

    #[test]
    fn stems_fold_inflection() {
        assert_eq!(content_stems("She was running the races"), ["run", "race"]);
        assert_eq!(content_stems("went goes going; children, women"), ["go", "go", "go", "child", "woman"]);
    }

    #[test]
    fn names_fold_without_losing_their_script() {
        assert_eq!(fold_name(" “Ana  SILVA” "), "ana silva");
        assert_eq!(fold_name("Jürgen"), "jürgen");
        assert_eq!(fold_name("ＡＢＣ"), "abc");
    }

    #[test]
    fn what_is_folded_is_not_folded_further() {
        for (name, folded) in [
            ("\" Ana' .", "ana"),
            ("北京大学 ?", "北京大学"),
            ("I\u{307}\u{327}", "i\u{327}\u{307}"),
            (" \u{a0}\"", ""),
        ] {
            assert_eq!((fold_name(name).as_str(), fold_name(folded).as_str()), (folded, folded));
        }
    }
}
