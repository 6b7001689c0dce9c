//! How names are written in a text: by its letters, and by the language that its small words tell.

use lorebase_engine::dates::{self, Language};

/// How a language, or a family of languages, writes names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Writing {
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

/// How names are written in a text.
pub(crate) fn of_text(text: &str) -> Writing {
    (!text.is_ascii()).then(|| of_letters(text)).flatten().unwrap_or_else(|| match dates::language_of(text) {
        Language::English => Writing::English,
        Language::German => Writing::German,
        Language::Chinese | Language::Japanese | Language::Korean | Language::Hindi | Language::Arabic => {
            Writing::Caseless
        }
        // Dutch and Turkish too: names have capitals, and nothing else has.
        Language::French
        | Language::Spanish
        | Language::Italian
        | Language::Portuguese
        | Language::Dutch
        | Language::Turkish => Writing::Romance,
    })
}

/// Of other letters than those of Latin, where there are enough of them: names keep theirs in any text.
fn of_letters(text: &str) -> Option<Writing> {
    let (mut latin, mut cased, mut caseless) = (0, 0, 0);
    for letter in text.chars().filter(|c| c.is_alphabetic()).take(400) {
        match letter {
            '\u{0}'..='\u{24F}' | '\u{1E00}'..='\u{1EFF}' => latin += 1,
            _ if letter.is_lowercase() || letter.is_uppercase() => cased += 1,
            _ => caseless += 1,
        }
    }
    if caseless * 6 > latin && caseless >= cased {
        Some(Writing::Caseless)
    } else if cased * 6 > latin {
        Some(Writing::Cyrillic)
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_told_by_letters_and_small_words() {
        for (text, writing) in [
            ("Ana said that the bakery is closed.", Writing::English),
            ("Ana", Writing::English),
            ("Kofi has a son.", Writing::English),
            ("Ana hat mir gesagt, dass die Bäckerei in Porto zu ist.", Writing::German),
            ("Ana a dit que la boulangerie est fermée.", Writing::Romance),
            ("Ana ha detto che il forno è chiuso.", Writing::Romance),
            ("Ana сказала, что пекарня закрыта.", Writing::Cyrillic),
            ("Ana는 Porto에 산다", Writing::Caseless),
            ("Ana说Porto Bakery关门了", Writing::Caseless),
        ] {
            assert_eq!(of_text(text), writing, "{text}");
        }
    }
}
