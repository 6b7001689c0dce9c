//! Which language a text is written in, so far as names are written differently in it: by its letters, and by the small
//! words that only one language has.

use std::sync::LazyLock;

use lorebase_engine::dates;
use rustc_hash::FxHashMap;

use crate::syntax::tokens::{Kind, Token};

/// A language, or a family of languages that write names alike.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Language {
    /// English, and whatever does not tell.
    English,
    /// Every noun has a capital.
    German,
    /// French, Spanish, Italian, Portuguese: only names have capitals.
    Romance,
    /// Cyrillic and Greek letters.
    Cyrillic,
    /// Letters that know no capitals: names of other letters stand out.
    Caseless,
}

/// Small words of one language or family, and of English.
static SMALL: LazyLock<FxHashMap<&'static str, Vec<Language>>> = LazyLock::new(|| {
    let mut small: FxHashMap<&str, Vec<Language>> = FxHashMap::default();
    for (language, words) in [
        (
            Language::German,
            "aber als auf aus bei beim das dem den der des die ein eine einen einer für hat ich ihr ihre im ist mit nicht sich sie und von vom wir zu zum",
        ),
        (
            Language::Romance,
            "aux avec che com con da dans de del della des di dos du el em en est et il la las le les los mais não para per por pour que qui se sono su sua sur um uma un una une y à está más",
        ),
        (Language::English, "and for have i is it my of that the this to was with you"),
    ] {
        for word in words.split_ascii_whitespace() {
            small.entry(word).or_default().push(language);
        }
    }
    small
});

/// How many words are looked at.
const SAMPLE: usize = 120;

/// The language of a text.
pub(crate) fn of_text(text: &str, tokens: &[Token<'_>]) -> Language {
    if let Some(language) = (!text.is_ascii()).then(|| of_letters(text)).flatten() {
        return language;
    }
    let (mut english, mut german, mut romance) = (0, 0, 0);
    for token in tokens.iter().filter(|token| token.kind == Kind::Word && token.word.len() < 7).take(SAMPLE) {
        for language in SMALL.get(token.word).into_iter().flatten() {
            match language {
                Language::German => german += 1,
                Language::Romance => romance += 1,
                _ => english += 1,
            }
        }
    }
    if german.max(romance) < 2 || english >= german.max(romance) {
        // Dutch, Turkish: names have capitals, and nothing else has.
        if dates::language_of(text) == dates::Language::English {
            Language::English
        } else {
            Language::Romance
        }
    } else if german > romance {
        Language::German
    } else {
        Language::Romance
    }
}

/// Of other letters than those of Latin, where there are enough of them: names keep theirs in any text.
fn of_letters(text: &str) -> Option<Language> {
    let (mut latin, mut cased, mut caseless) = (0, 0, 0);
    for letter in text.chars().filter(|c| c.is_alphabetic()).take(400) {
        match letter {
            '\u{0}'..='\u{24F}' | '\u{1E00}'..='\u{1EFF}' => latin += 1,
            _ if letter.is_lowercase() || letter.is_uppercase() => cased += 1,
            _ => caseless += 1,
        }
    }
    if caseless * 6 > latin && caseless >= cased {
        Some(Language::Caseless)
    } else if cased * 6 > latin {
        Some(Language::Cyrillic)
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::syntax::tokens::tokens;

    #[test]
    fn languages_are_told_by_letters_and_small_words() {
        for (text, language) in [
            ("Ana said that the bakery is closed.", Language::English),
            ("Ana", Language::English),
            ("Ana hat mir gesagt, dass die Bäckerei in Porto zu ist.", Language::German),
            ("Ana a dit que la boulangerie est fermée.", Language::Romance),
            ("Ana ha detto che il forno è chiuso.", Language::Romance),
            ("Ana сказала, что пекарня закрыта.", Language::Cyrillic),
            ("Ana는 Porto에 산다", Language::Caseless),
            ("Ana说Porto Bakery关门了", Language::Caseless),
        ] {
            let lower = text.to_ascii_lowercase();
            assert_eq!(of_text(text, &tokens(text, &lower)), language, "{text}");
        }
    }
}
