//! The words of one language, read from its table. A line of a table is `TERMS = phrase, phrase`; see
//! `tables/english.txt` for the terms. What begins with `~` stands right behind digits.

use rustc_hash::FxHashMap;

use crate::dates::term::{Term, coded};

/// A phrase and what it means.
#[derive(Debug)]
pub(super) struct Entry {
    pub(super) phrase: Vec<char>,
    pub(super) terms: Vec<Term>,
}

/// The words of one language.
#[derive(Debug, Default)]
pub(super) struct Lexicon {
    /// By the first two characters; the longest first.
    phrases: FxHashMap<(char, char), Vec<Entry>>,
    /// What may stand right behind digits; the longest first.
    behind_digits: Vec<Entry>,
    /// Endings that a word may have besides what the table says; the longest first.
    endings: Vec<Vec<char>>,
    common: Vec<String>,
}

impl Lexicon {
    /// Lines that cannot be read are passed over; a test holds that there are none.
    pub(super) fn new(table: &str) -> Self {
        let mut lexicon = Self::default();
        for line in table.lines() {
            lexicon.line(line);
        }
        let longest_first = |entry: &Entry| std::cmp::Reverse(entry.phrase.len());
        lexicon.phrases.values_mut().for_each(|entries| entries.sort_by_key(longest_first));
        lexicon.behind_digits.sort_by_key(longest_first);
        lexicon.endings.sort_by_key(|ending| std::cmp::Reverse(ending.len()));
        lexicon
    }

    /// Whether the line could be read.
    fn line(&mut self, line: &str) -> bool {
        if line.trim().is_empty() || line.starts_with('#') {
            return true;
        }
        let Some((codes, phrases)) = line.split_once(" = ") else {
            return false;
        };
        let phrases = phrases.split(',').map(|phrase| phrase.trim().chars().map(fold).collect::<Vec<char>>());
        match codes {
            "COMMON" => self.common.extend(phrases.map(String::from_iter)),
            "ENDINGS" => self.endings.extend(phrases),
            _ => {
                let Some(terms) = codes.split(' ').map(coded).collect::<Option<Vec<Term>>>() else {
                    return false;
                };
                phrases.for_each(|phrase| self.add(phrase, terms.clone()));
            }
        }
        true
    }

    fn add(&mut self, mut phrase: Vec<char>, terms: Vec<Term>) {
        if phrase.first() == Some(&'~') {
            phrase.remove(0);
            self.behind_digits.push(Entry { phrase, terms });
        } else if let Some(&first) = phrase.first() {
            let second = phrase.get(1).copied().unwrap_or('\0');
            self.phrases.entry((first, second)).or_default().push(Entry { phrase, terms });
        }
    }

    /// The phrases that begin with these two characters, and then those of the first alone.
    pub(super) fn beginning(&self, first: char, second: char) -> impl Iterator<Item = &Entry> {
        let of = |key| self.phrases.get(&key).into_iter().flatten();
        of((first, second)).chain(of((first, '\0')))
    }

    pub(super) fn behind_digits(&self) -> &[Entry] {
        &self.behind_digits
    }

    pub(super) fn endings(&self) -> &[Vec<char>] {
        &self.endings
    }

    /// Words that tell the language.
    pub(super) fn common_words(&self) -> impl Iterator<Item = &str> {
        self.common.iter().map(String::as_str)
    }

    /// Words of which one stands in every expression that has no digits: the longest of each phrase that can be the heart
    /// of one.
    pub(super) fn calendar_words(&self) -> impl Iterator<Item = String> {
        let entries = self.phrases.values().flatten();
        entries
            .filter(|entry| entry.terms.iter().any(|term| term.is_heart()))
            .filter_map(|entry| entry.phrase.split(|c| !c.is_alphabetic()).max_by_key(|word| word.len()))
            .filter(|word| word.len() > 1)
            .map(String::from_iter)
    }
}

/// A character as words are compared: in lower case, without accents, digits of any script as those of ASCII. One
/// character stays one, so that places stay.
pub(super) fn fold(character: char) -> char {
    if character.is_ascii() {
        return character.to_ascii_lowercase();
    }
    if ('\u{4e00}'..='\u{d7a3}').contains(&character) {
        return character;
    }
    match character {
        '０'..='９' => digit(character, '０'),
        '٠'..='٩' => digit(character, '٠'),
        '०'..='९' => digit(character, '०'),
        '：' => ':',
        '／' => '/',
        '．' => '.',
        '，' | '、' | '،' => ',',
        '–' | '—' | '～' | '〜' | '‐' | '‑' | '−' => '-',
        '’' | '‘' | 'ʼ' => '\'',
        '\u{a0}' | '\u{3000}' => ' ',
        'أ' | 'إ' | 'آ' => 'ا',
        'ة' => 'ه',
        'ى' => 'ي',
        _ => unaccented(character.to_lowercase().next().unwrap_or(character)),
    }
}

fn digit(character: char, zero: char) -> char {
    char::from_digit(u32::from(character) - u32::from(zero), 10).unwrap_or(character)
}

fn unaccented(lower: char) -> char {
    match lower {
        'à' | 'á' | 'â' | 'ã' | 'ä' | 'å' => 'a',
        'è' | 'é' | 'ê' | 'ë' => 'e',
        'ì' | 'í' | 'î' | 'ï' | 'ı' => 'i',
        'ò' | 'ó' | 'ô' | 'õ' | 'ö' => 'o',
        'ù' | 'ú' | 'û' | 'ü' => 'u',
        'ç' => 'c',
        'ñ' => 'n',
        'ş' => 's',
        'ğ' => 'g',
        _ => lower,
    }
}

/// Whether a character belongs to a word; marks of scripts that put vowels so do.
pub(super) fn is_of_word(character: char) -> bool {
    match character {
        '\u{964}' | '\u{965}' => false,
        '\u{900}'..='\u{97f}' | '\u{64b}'..='\u{65f}' => true,
        _ => character.is_alphabetic(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dates::language::Language;

    #[test]
    fn every_line_of_every_table_is_read() {
        for language in Language::all() {
            let path = format!("{language:?}").to_ascii_lowercase();
            let path = format!("{}/src/dates/tables/{path}.txt", env!("CARGO_MANIFEST_DIR"));
            for line in std::fs::read_to_string(path).unwrap().lines() {
                assert!(Lexicon::default().line(line), "{language:?}: {line}");
            }
        }
    }
}
