//! Cuts a text into tokens of the calendar by the longest phrases of a language. It resolves nothing.

use crate::dates::language::Language;
use crate::dates::lexicon::{Entry, Lexicon, fold, is_of_word};
use crate::dates::term::{Term, Token};

/// A text being cut.
struct Cutter<'t> {
    original: Vec<char>,
    text: Vec<char>,
    language: Language,
    lexicon: &'t Lexicon,
    tokens: Vec<Token>,
}

/// The tokens of a text.
pub(super) fn tokens(text: &str, language: Language) -> Vec<Token> {
    let original: Vec<char> = text.chars().collect();
    let folded = original.iter().copied().map(fold).collect();
    let mut cutter =
        Cutter { original, text: folded, language, lexicon: language.lexicon(), tokens: Vec::new() };
    let (mut at, mut spaced) = (0, true);
    while let Some(&first) = cutter.text.get(at) {
        if first.is_whitespace() {
            spaced = true;
            at += 1;
            continue;
        }
        let next = cutter.token(at, first, spaced);
        spaced = false;
        at = next.max(at + 1);
    }
    cutter.tokens
}

impl Cutter<'_> {
    fn at(&self, place: usize) -> char {
        self.text.get(place).copied().unwrap_or('\0')
    }

    fn run(&self, from: usize, belongs: impl Fn(char) -> bool) -> usize {
        let rest = self.text.get(from..).unwrap_or_default();
        from + rest.iter().take_while(|c| belongs(**c)).count()
    }

    fn push(&mut self, term: Term, start: usize, end: usize, spaced: bool) {
        let capital = self.original.get(start).is_some_and(|c| c.is_uppercase());
        let full = end - start > 3;
        self.tokens.push(Token { term, start: start as u32, end: end as u32, spaced, capital, full });
    }

    /// Keeps the token that begins at `at` and says where the next may begin.
    fn token(&mut self, at: usize, first: char, spaced: bool) -> usize {
        if first.is_ascii_digit() {
            return self.digits(at, spaced);
        }
        if let Some((end, entry)) = self.phrase(at) {
            let end = self.with_ending(end);
            self.push_all(entry, at, end, spaced);
            return end;
        }
        if self.language.is_unspaced() {
            let end = self.run(at, |c| han_digit(c).is_some());
            if let Some(number) = han_number(&self.text[at..end]) {
                self.push(Term::Number(number, 0), at, end, spaced);
                return end;
            }
        }
        if is_of_word(first) {
            let own = |c: char| is_of_word(c) && (!self.language.is_unspaced() || c.is_ascii());
            let end = self.run(at, own).max(at + 1);
            self.push(Term::Other, at, end, spaced);
            return end;
        }
        self.push(sign(first), at, at + 1, spaced);
        at + 1
    }

    fn push_all(&mut self, entry: &Entry, start: usize, end: usize, spaced: bool) {
        for (place, term) in entry.terms.iter().enumerate() {
            self.push(*term, start, end, spaced || place > 0);
        }
    }

    /// The longest phrase of the table that stands at `at`.
    fn phrase(&self, at: usize) -> Option<(usize, &'static Entry)> {
        let lexicon = self.language.lexicon();
        lexicon
            .beginning(self.at(at), self.at(at + 1))
            .find_map(|entry| self.matches(&entry.phrase, at).map(|end| (end, entry)))
    }

    /// Where `phrase` ends, if it stands at `at` and no word goes on there.
    fn matches(&self, phrase: &[char], at: usize) -> Option<usize> {
        let mut place = at;
        for &wanted in phrase {
            if wanted == ' ' {
                let end = self.run(place, char::is_whitespace);
                // Where words stand against one another, white space in a phrase may be left out.
                if end == place && !self.language.is_unspaced() {
                    return None;
                }
                place = end;
            } else if self.at(place) == wanted {
                place += 1;
            } else {
                return None;
            }
        }
        let letters = phrase.last().is_some_and(|c| is_of_word(*c));
        let goes_on = letters && is_of_word(self.at(place)) && self.continues(place, phrase);
        (!goes_on).then_some(place)
    }

    /// Whether the word goes on at `place` with more than an ending.
    fn continues(&self, place: usize, phrase: &[char]) -> bool {
        if self.language.is_unspaced() {
            // Words in Latin letters have ends in every language.
            return phrase.last().is_some_and(char::is_ascii_alphabetic)
                && self.at(place).is_ascii_alphabetic();
        }
        self.ending(place).is_none_or(|_| phrase.len() < 3)
    }

    /// Where the ending that makes up the rest of the word at `place` ends.
    fn ending(&self, place: usize) -> Option<usize> {
        let endings = self.lexicon.endings().iter();
        endings
            .filter(|ending| self.text.get(place..place + ending.len()) == Some(ending))
            .map(|ending| place + ending.len())
            .find(|end| !is_of_word(self.at(*end)))
    }

    /// The end of a word with the ending it has, be it behind an apostrophe.
    fn with_ending(&self, end: usize) -> usize {
        if self.lexicon.endings().is_empty() {
            return end;
        }
        let behind = end + usize::from(self.at(end) == '\'');
        if is_of_word(self.at(behind)) { self.ending(behind).unwrap_or(end) } else { end }
    }

    fn digits(&mut self, at: usize, spaced: bool) -> usize {
        let end = self.run(at, |c| c.is_ascii_digit());
        let value = String::from_iter(&self.text[at..end]).parse::<u32>().ok().filter(|_| end - at < 9);
        let Some(value) = value.map(i64::from) else {
            self.push(Term::Other, at, end, spaced);
            return end;
        };
        let number = Term::Number(value, (end - at) as u8);
        if let Some((after, entry)) = self.behind_digits(end) {
            if entry.terms == [Term::OrdinalMark] {
                self.push(Term::Ordinal(value), at, after, spaced);
            } else {
                self.push(number, at, end, spaced);
                self.push_all(entry, end, after, false);
            }
            return self.with_ending(after);
        }
        let after = self.with_ending(end);
        let runs_on =
            is_of_word(self.at(after)) && !self.language.is_unspaced() && self.phrase(after).is_none();
        let of_clock = self.at(after) == 't' && self.at(after + 1).is_ascii_digit();
        if runs_on && !of_clock {
            let word = self.run(after, char::is_alphanumeric).max(after + 1);
            self.push(Term::Other, at, word, spaced);
            return word;
        }
        self.push(number, at, end, spaced);
        if of_clock {
            self.push(Term::At, after, after + 1, false);
            return after + 1;
        }
        after
    }

    fn behind_digits(&self, at: usize) -> Option<(usize, &'static Entry)> {
        let entries = self.language.lexicon().behind_digits().iter();
        let mut entries = entries.filter(|entry| entry.phrase.first() == self.text.get(at));
        entries.find_map(|entry| self.matches(&entry.phrase, at).map(|after| (after, entry)))
    }
}

/// A sign of the calendar.
fn sign(sign: char) -> Term {
    match sign {
        ':' => Term::Colon,
        '-' | '~' => Term::Dash,
        '/' => Term::Slash,
        '.' => Term::Dot,
        ',' => Term::Comma,
        '(' | '（' | '[' => Term::Open,
        _ => Term::Sign,
    }
}

fn han_digit(character: char) -> Option<i64> {
    Some(match character {
        '〇' | '零' => 0,
        '一' => 1,
        '二' | '两' | '兩' => 2,
        '三' => 3,
        '四' => 4,
        '五' => 5,
        '六' => 6,
        '七' => 7,
        '八' => 8,
        '九' => 9,
        '十' => 10,
        '百' => 100,
        '千' => 1000,
        _ => return None,
    })
}

/// The value of a number in Chinese characters, be it written by places ("二〇二三") or with tens and hundreds.
fn han_number(text: &[char]) -> Option<i64> {
    if text.is_empty() || text.len() > 8 {
        return None;
    }
    let digits: Vec<i64> = text.iter().filter_map(|c| han_digit(*c)).collect();
    if digits.len() > 1 && digits.iter().all(|digit| *digit < 10) {
        return Some(digits.iter().fold(0, |value, digit| value * 10 + digit));
    }
    let (mut total, mut pending) = (0, 0);
    for digit in digits {
        if digit < 10 {
            pending = digit;
        } else {
            total += pending.max(1) * digit;
            pending = 0;
        }
    }
    Some(total + pending)
}
