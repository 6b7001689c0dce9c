//! Cuts a text into words, numbers and signs, and knows which words are of the calendar. It resolves nothing.

/// What a token is to the calendar.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Term {
    /// A number in digits, with how many there are.
    Number(u32, u8),
    /// "7th".
    Ordinal(u32),
    /// "1990s".
    Decade(u32),
    /// A month, from 1.
    Month(i8),
    /// A weekday, Monday being 0.
    Weekday(i8),
    /// A unit of time.
    Unit(Unit),
    /// A season.
    Season(Season),
    /// A part of the day, with its first hour and the first after it.
    Part(i8, i8),
    /// Another word.
    Other,
    /// Another sign.
    Sign,
    /// After the end.
    End,
}

/// A unit in which time is counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Unit {
    Minute,
    Hour,
    Day,
    Week,
    Weekend,
    Month,
    Year,
    Decade,
}

/// A season of the northern year, in order of its first month.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Season {
    Spring,
    Summer,
    Autumn,
    Winter,
}

/// One token; `word` is in lower case as far as ASCII goes.
#[derive(Debug, Clone, Copy)]
pub(super) struct Token<'t> {
    pub(super) term: Term,
    pub(super) word: &'t str,
    /// In characters.
    pub(super) start: u32,
    /// In characters.
    pub(super) end: u32,
    /// Whether white space stands before it.
    pub(super) spaced: bool,
    /// Whether it begins with a capital.
    pub(super) capital: bool,
}

/// Whether a text can hold an expression of time at all: a digit, or with an anchor one of the calendar's
/// words. Most texts end here, so that this is all they cost.
pub(super) fn may_hold_time(text: &str, relative: bool) -> bool {
    let bytes = text.as_bytes();
    if bytes.iter().any(u8::is_ascii_digit) {
        return true;
    }
    relative && bytes.split(|byte| !byte.is_ascii_alphabetic()).any(is_calendar_word)
}

fn is_calendar_word(word: &[u8]) -> bool {
    let mut buffer = [0_u8; 10];
    let Some(lower) = (word.len() > 2).then(|| buffer.get_mut(..word.len())).flatten() else {
        return false;
    };
    lower.copy_from_slice(word);
    lower.make_ascii_lowercase();
    std::str::from_utf8(lower)
        .is_ok_and(|word| term_of(word) != Term::Other || matches!(word, "today" | "tomorrow" | "yesterday"))
}

/// The tokens of `text`, whose ASCII lower case is `lower`.
pub(super) fn tokens<'t>(text: &str, lower: &'t str) -> Vec<Token<'t>> {
    let mut found = Vec::with_capacity(lower.len() / 4);
    let mut spaced = true;
    let (mut byte, mut character) = (0, 0_u32);
    while let Some(first) = lower[byte..].chars().next() {
        if first.is_whitespace() {
            spaced = true;
            byte += first.len_utf8();
            character += 1;
            continue;
        }
        let (length, term) = token_at(&lower[byte..], first);
        let word = &lower[byte..byte + length];
        let start = character;
        character += if word.is_ascii() { length as u32 } else { word.chars().count() as u32 };
        found.push(Token {
            term,
            word,
            start,
            end: character,
            spaced,
            capital: text[byte..].starts_with(char::is_uppercase),
        });
        spaced = false;
        byte += length;
    }
    found
}

/// The length in bytes of the token that `rest` begins with, and what it is.
fn token_at(rest: &str, first: char) -> (usize, Term) {
    let run = |from: usize, belongs: fn(char) -> bool| {
        rest[from..].find(|c| !belongs(c)).map_or(rest.len(), |length| from + length)
    };
    if first.is_ascii_digit() {
        let digits = run(0, |c| c.is_ascii_digit());
        let tail = run(digits, char::is_alphanumeric);
        return number(&rest[..digits], &rest[digits..tail]);
    }
    if first.is_alphabetic() {
        let end = run(0, char::is_alphabetic);
        return (end, term_of(&rest[..end]));
    }
    (first.len_utf8(), Term::Sign)
}

fn number(digits: &str, tail: &str) -> (usize, Term) {
    let whole = digits.len() + tail.len();
    let Some(value) = digits.parse::<u32>().ok().filter(|_| digits.len() < 9) else {
        return (whole, Term::Other);
    };
    let number = Term::Number(value, digits.len() as u8);
    match tail {
        "" => (whole, number),
        "st" | "nd" | "rd" | "th" => (whole, Term::Ordinal(value)),
        "s" if digits.len() == 4 && value % 10 == 0 => (whole, Term::Decade(value)),
        "am" | "pm" => (digits.len(), number),
        _ if tail.starts_with('t') && tail[1..].bytes().all(|byte| byte.is_ascii_digit()) => {
            (digits.len(), number)
        }
        _ => (whole, Term::Other),
    }
}

/// What a lower-case word is to the calendar.
fn term_of(word: &str) -> Term {
    match word {
        "january" | "jan" => Term::Month(1),
        "february" | "feb" => Term::Month(2),
        "march" | "mar" => Term::Month(3),
        "april" | "apr" => Term::Month(4),
        "may" => Term::Month(5),
        "june" | "jun" => Term::Month(6),
        "july" | "jul" => Term::Month(7),
        "august" | "aug" => Term::Month(8),
        "september" | "sept" | "sep" => Term::Month(9),
        "october" | "oct" => Term::Month(10),
        "november" | "nov" => Term::Month(11),
        "december" | "dec" => Term::Month(12),
        "monday" | "mon" => Term::Weekday(0),
        "tuesday" | "tue" | "tues" => Term::Weekday(1),
        "wednesday" | "wed" => Term::Weekday(2),
        "thursday" | "thu" | "thurs" => Term::Weekday(3),
        "friday" | "fri" => Term::Weekday(4),
        "saturday" | "sat" => Term::Weekday(5),
        "sunday" | "sun" => Term::Weekday(6),
        _ => unit_of(word),
    }
}

fn unit_of(word: &str) -> Term {
    match word {
        "minute" | "minutes" | "min" | "mins" => Term::Unit(Unit::Minute),
        "hour" | "hours" => Term::Unit(Unit::Hour),
        "day" | "days" => Term::Unit(Unit::Day),
        "week" | "weeks" => Term::Unit(Unit::Week),
        "weekend" | "weekends" => Term::Unit(Unit::Weekend),
        "month" | "months" => Term::Unit(Unit::Month),
        "year" | "years" => Term::Unit(Unit::Year),
        "decade" | "decades" => Term::Unit(Unit::Decade),
        "spring" => Term::Season(Season::Spring),
        "summer" => Term::Season(Season::Summer),
        "autumn" | "fall" => Term::Season(Season::Autumn),
        "winter" => Term::Season(Season::Winter),
        "morning" => Term::Part(5, 12),
        "afternoon" => Term::Part(12, 18),
        "evening" => Term::Part(17, 22),
        "night" | "tonight" => Term::Part(18, 24),
        _ => Term::Other,
    }
}

/// Words of the plain vocabulary with which an expression can begin.
pub(super) fn may_open(word: &str) -> bool {
    matches!(
        word,
        "today"
            | "tomorrow"
            | "yesterday"
            | "the"
            | "this"
            | "last"
            | "past"
            | "previous"
            | "next"
            | "coming"
            | "a"
            | "an"
            | "few"
            | "couple"
            | "several"
            | "in"
            | "on"
            | "half"
    ) || number_word(word).is_some()
}

/// The value of a number word up to twelve.
pub(super) fn number_word(word: &str) -> Option<i64> {
    const WORDS: [&str; 12] =
        ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"];
    let at = WORDS.iter().position(|known| *known == word)?;
    Some(at as i64 + 1)
}
