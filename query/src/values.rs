//! Which values a question asks for (an amount, a day, a time), and which a text tells near the words of the
//! question: "the quota is 1,200 calls" tells 1,200 of calls. English only; what is asked in another language
//! asks for none.

use lorebase_engine::text::{self, Stems};

use crate::question::ContentWord;
use crate::weights::{UPDATE_NEAR, UPDATE_TEXT_BYTES, UPDATE_WINDOW};

/// What a question asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Sought {
    /// How much, how many, how often; or what something is.
    Amount,
    /// On which day or at which time.
    Time,
}

/// A number or a day with what tells which others it can be measured against.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Value {
    told: String,
    kind: Kind,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Kind {
    /// "65%".
    Share,
    /// "$300".
    Money,
    /// "April 5", "Tuesdays".
    Day,
    /// "5 pm", "17:30".
    Clock,
    /// Of what is counted, or of a measure: its stem.
    Of(String),
    /// Of what is told elsewhere: "has reached 165".
    Bare,
}

/// The stretch of a sentence that has most of what a question asks with.
#[derive(Debug, Default)]
pub(crate) struct Telling {
    /// What the question's words in it are worth.
    pub(crate) mass: f32,
    /// The values near them.
    pub(crate) values: Vec<Value>,
    /// Words of the question with the number behind them that tells one such thing from another: "sprint 2".
    labels: Vec<(String, String)>,
    /// Whether it is told as something new.
    pub(crate) changed: bool,
}

/// "How many", "how often" and the like ask for an amount.
const AMOUNTS: [&str; 12] =
    ["many", "much", "often", "old", "long", "far", "big", "large", "tall", "high", "fast", "heavy"];
/// Words that ask for a day or a time.
const TIMES: [&str; 7] = ["when", "deadline", "date", "day", "due", "birthday", "weekday"];
/// Words by which a question asks for how things were, or for what happened; that is not what is current.
const OF_THE_PAST: [&str; 20] = [
    "before",
    "previous",
    "previously",
    "original",
    "originally",
    "initial",
    "initially",
    "at first",
    "former",
    "formerly",
    "earlier",
    "earliest",
    "ago",
    "did",
    "was",
    "were",
    "had",
    "in the past",
    "back then",
    "used to",
];
/// Words by which a question asks for advice.
const ADVICE: [&str; 9] = ["should", "would", "can", "could", "way", "ways", "best", "recommend", "suggest"];
/// How many words may come before the one that asks: "Can you tell me how many".
const BEFORE_ASKING: usize = 5;
/// Words by which a text tells that something is not as it was.
const CHANGES: [&str; 42] = [
    "now",
    "currently",
    "changed",
    "instead",
    "updated",
    "updating",
    "update",
    "new",
    "newer",
    "moved",
    "switched",
    "increased",
    "decreased",
    "grown",
    "growth",
    "grew",
    "improved",
    "reduced",
    "reduction",
    "recent",
    "recently",
    "latest",
    "already",
    "raised",
    "dropped",
    "reached",
    "extended",
    "postponed",
    "rescheduled",
    "replaced",
    "upgraded",
    "just",
    "total",
    "longer",
    "anymore",
    "actually",
    "since",
    "rose",
    "fell",
    "doubled",
    "lowered",
    "bumped",
];
/// Before a number that counts nothing that is named beside it.
const BEFORE_BARE: [&str; 22] = [
    "to", "reached", "reaching", "is", "are", "at", "of", "now", "about", "around", "over", "hit", "have",
    "has", "total", "exactly", "be", "was", "only", "already", "nearly", "almost",
];
const MONTHS: [&str; 12] =
    ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
const WEEKDAYS: [&str; 7] = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"];
/// Stems of measures; an amount of another thing counts only where the question names the thing.
const MEASURES: [&str; 36] = [
    "ms", "second", "sec", "minut", "min", "hour", "hr", "day", "week", "month", "year", "km", "kilomet",
    "mile", "mi", "meter", "metr", "m", "cm", "mm", "inch", "feet", "foot", "kg", "kilo", "gram", "g", "lb",
    "pound", "oz", "kb", "mb", "gb", "tb", "degre", "point",
];
const NUMBERS: [&str; 11] =
    ["two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"];

/// Whether a question, by its words in lower case, asks for how things were.
pub(crate) fn asks_for_the_past(words: &[String]) -> bool {
    let plain = format!(" {} ", words.join(" "));
    OF_THE_PAST.iter().any(|phrase| plain.contains(&format!(" {phrase} ")))
}

impl Sought {
    /// What is asked for by the words of a question, in lower case; `None` where it is no value as it is now.
    pub(crate) fn read(words: &[String]) -> Option<Self> {
        let among = |known: &[&str], word: &String| known.contains(&word.as_str());
        let amount = |(place, word): (usize, &String)| {
            word == "how" && words.get(place + 1).is_some_and(|next| among(&AMOUNTS, next))
        };
        let begin = || words.iter().enumerate().take(BEFORE_ASKING + 1);
        let counted = begin().find(|pair| amount(*pair)).map(|(place, _)| place);
        let named = || begin().find(|(_, word)| among(&["what", "whats", "which", "when"], word));
        let asks = counted.or_else(|| named().map(|(place, _)| place))?;
        let behind = &words[asks..];
        if asks_for_the_past(words) || behind.iter().any(|word| among(&ADVICE, word)) {
            return None;
        }
        let of_clock = behind.first().is_some_and(|word| word == "what")
            && behind.get(1).is_some_and(|word| word == "time");
        let timed = counted.is_none() && (of_clock || words.iter().any(|word| among(&TIMES, word)));
        Some(if timed { Self::Time } else { Self::Amount })
    }

    fn fits(self, kind: &Kind) -> bool {
        matches!(kind, Kind::Day | Kind::Clock) == (self == Self::Time)
    }
}

impl Telling {
    /// Whether it tells another value than `before` of what is asked for, which has the words of `content`.
    pub(crate) fn differs_from(&self, before: &Self, sought: Sought, content: &[ContentWord]) -> bool {
        let asked = |stem: &str| content.iter().any(|word| word.stem == stem);
        let counts = |kind: &Kind| matches!(kind, Kind::Of(stem) if asked(stem));
        let measures = |kind: &Kind| match kind {
            Kind::Of(stem) => asked(stem) || MEASURES.contains(&stem.as_str()),
            _ => true,
        };
        let alike = |one: &Kind, other: &Kind| {
            let bare = |one: &Kind, other: &Kind| *one == Kind::Bare && counts(other);
            (one == other && measures(one)) || bare(one, other) || bare(other, one)
        };
        let another = |(thing, number): &(String, String)| {
            let mut known = before.labels.iter().filter(|(known, _)| known == thing).peekable();
            known.peek().is_some() && known.all(|(_, label)| label != number)
        };
        if self.labels.iter().any(another) {
            return false;
        }
        let new =
            self.values.iter().filter(|value| sought.fits(&value.kind) && !before.values.contains(value));
        let fits = |value: &Value| {
            before.values.iter().any(|old| old.told != value.told && alike(&old.kind, &value.kind))
        };
        new.into_iter().any(fits)
    }

    /// The stretch of a sentence of `text` in which most of the question's content words stand.
    pub(crate) fn read(text: &str, content: &[ContentWord]) -> Self {
        let tokens = tokens(text);
        let word_of = |token: &Token<'_>| content.iter().position(|word| word.stem == token.stem);
        let places: Vec<(usize, usize)> =
            tokens.iter().enumerate().filter_map(|(place, token)| Some((place, word_of(token)?))).collect();
        let (mut best, mut mass) = (0..0, 0.0);
        for (first, &(start, _)) in places.iter().enumerate() {
            let near = |place: usize| {
                place - start < UPDATE_WINDOW && tokens[place].sentence == tokens[start].sentence
            };
            let within = places[first..].iter().take_while(|(place, _)| near(*place));
            let (mut end, mut sum, mut seen) = (first, 0.0, vec![false; content.len()]);
            for (place, &(_, word)) in (first..).zip(within) {
                end = place + 1;
                if !std::mem::replace(&mut seen[word], true) {
                    sum += content[word].mass;
                }
            }
            if sum > mass {
                (best, mass) = (first..end, sum);
            }
        }
        let held = &places[best];
        let (Some(first), Some(last)) = (held.first(), held.last()) else { return Self::default() };
        let inside = |place: &usize| tokens[*place].sentence == tokens[first.0].sentence;
        let from = (first.0.saturating_sub(UPDATE_NEAR)..=first.0).find(inside).unwrap_or(first.0);
        let to = (last.0..(last.0 + UPDATE_NEAR + 1).min(tokens.len()))
            .rfind(inside)
            .map_or(last.0, |last| last + 1);
        let words = || held.iter().filter(|(word, _)| !tokens[*word].is_number());
        let near = |place: usize| words().any(|(word, _)| word.abs_diff(place) <= UPDATE_NEAR);
        let values =
            (from..to).filter(|place| near(*place)).filter_map(|place| value(&tokens, place)).collect();
        let changed = tokens[from..to].iter().any(|token| CHANGES.contains(&token.word.as_str()));
        let label = |(place, _): &(usize, usize)| {
            let number = tokens.get(place + 1).filter(|next| next.is_number() && next.sign.is_none())?;
            // "Completed 15 problems" counts problems.
            let counts = tokens.get(place + 2).is_some_and(|next| {
                next.sentence == number.sentence
                    && next.word.ends_with('s')
                    && !text::is_stop_word(&next.word)
            });
            (!counts).then(|| (tokens[*place].stem.clone(), number.word.clone()))
        };
        let labels = places.iter().filter_map(label).collect();
        Self { mass, values, labels, changed }
    }
}

/// A word or a number of a text.
struct Token<'t> {
    /// As it is written.
    written: &'t str,
    /// In lower case, without accents.
    word: String,
    stem: String,
    /// A sign of money before it, or of per cent behind it.
    sign: Option<char>,
    /// Whether letters stand right before it: "v2".
    glued: bool,
    /// The number of its sentence.
    sentence: u32,
}

impl Token<'_> {
    fn is_number(&self) -> bool {
        self.written.starts_with(|c: char| c.is_ascii_digit())
    }

    fn month(&self) -> Option<&'static str> {
        let long = self.word.len() > 3 && !["september", "sept"].contains(&self.word.as_str());
        let known = MONTHS.into_iter().find(|month| self.word.starts_with(month))?;
        let full = [
            "january", "february", "march", "april", "june", "july", "august", "october", "november",
            "december",
        ];
        (!long || full.contains(&self.word.as_str())).then_some(known)
    }
}

/// The words and numbers of the beginning of a text, code aside.
fn tokens(text: &str) -> Vec<Token<'_>> {
    let end = (0..=text.len().min(UPDATE_TEXT_BYTES)).rev().find(|end| text.is_char_boundary(*end));
    let stems = Stems::default();
    let mut found = Vec::new();
    for plain in text[..end.unwrap_or(0)].split("```").step_by(2) {
        scan(plain, &stems, &mut found);
    }
    found
}

fn scan<'t>(text: &'t str, stems: &Stems, found: &mut Vec<Token<'t>>) {
    let mut rest = text;
    let mut before = ' ';
    let mut sentence = found.last().map_or(0, |last| last.sentence + 1);
    while let Some(first) = rest.chars().next() {
        let length = match first {
            c if c.is_ascii_digit() => number_length(rest),
            c if c.is_alphabetic() => rest.find(|c: char| !c.is_alphabetic()).unwrap_or(rest.len()),
            c => {
                let ends = c.is_whitespace() && matches!(before, '.' | '!' | '?' | ';');
                sentence += u32::from(ends || c == '\n');
                before = c;
                rest = &rest[c.len_utf8()..];
                continue;
            }
        };
        let (written, behind) = rest.split_at(length);
        let word = if written.is_ascii() { written.to_ascii_lowercase() } else { text::join_words(written) };
        let sign = Some(before).filter(|c| first.is_ascii_digit() && "$€£".contains(*c));
        let sign = sign.or_else(|| behind.starts_with('%').then_some('%'));
        let stem = stems.stem(&word).into_owned();
        found.push(Token { written, word, stem, sign, glued: before.is_alphabetic(), sentence });
        before = written.chars().last().unwrap_or(' ');
        rest = behind;
    }
}

/// How long the number is that a text begins with: "1,200", "2.5", "17:30", "8/10".
fn number_length(text: &str) -> usize {
    let bytes = text.as_bytes();
    let digit = |place: usize| bytes.get(place).is_some_and(u8::is_ascii_digit);
    let mut end = 0;
    while digit(end) || (bytes.get(end).is_some_and(|c| b",.:/".contains(c)) && digit(end + 1)) {
        end += 1;
    }
    end
}

/// The value that is told at a place, if any.
fn value(tokens: &[Token<'_>], place: usize) -> Option<Value> {
    let token = &tokens[place];
    let before = place.checked_sub(1).map(|place| &tokens[place]);
    let next = tokens.get(place + 1);
    let of = |kind: Kind| Some(Value { told: token.word.replace(',', ""), kind });
    if let Some(day) =
        WEEKDAYS.iter().find(|day| token.word.strip_suffix('s').unwrap_or(&token.word) == **day)
    {
        return Some(Value { told: (*day).to_owned(), kind: Kind::Day });
    }
    let counted = next.filter(|next| !next.is_number() && !text::is_stop_word(&next.word));
    if let Some(number) = NUMBERS.iter().position(|number| *number == token.word) {
        return counted
            .map(|next| Value { told: (number + 2).to_string(), kind: Kind::Of(next.stem.clone()) });
    }
    let version = token.word.matches('.').count() > 1;
    if !token.is_number() || token.glued || version {
        return None;
    }
    let month = before.and_then(Token::month).or_else(|| next.and_then(Token::month));
    if let Some(month) = month.filter(|_| token.word.len() <= 2) {
        return Some(Value { told: format!("{month} {}", token.word), kind: Kind::Day });
    }
    // "Chrome 112" is a name, and 2024 mostly a year.
    let named = before.is_some_and(|before| {
        let capital = before.written.starts_with(char::is_uppercase);
        capital && !text::is_stop_word(&before.word) && !CHANGES.contains(&before.word.as_str())
    });
    let year = token.sign.is_none()
        && token.word.len() == 4
        && ["19", "20"].iter().any(|age| token.word.starts_with(age));
    if named || year {
        return None;
    }
    match (token.sign, next.map(|next| next.word.as_str())) {
        (Some('%'), _) | (None, Some("percent")) => of(Kind::Share),
        (Some(_), _) | (None, Some("dollars" | "euros" | "bucks")) => of(Kind::Money),
        (None, Some("am" | "pm" | "o'clock")) => of(Kind::Clock),
        (None, _) if token.word.contains(':') => of(Kind::Clock),
        (None, _) => match counted {
            Some(next) => of(Kind::Of(next.stem.clone())),
            None => of(Kind::Bare)
                .filter(|_| before.is_some_and(|word| BEFORE_BARE.contains(&word.word.as_str()))),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(question: &str) -> Vec<String> {
        let mut words = Vec::new();
        text::for_each_word(question, |word| words.push(word.to_owned()));
        words
    }

    fn content(question: &str) -> Vec<ContentWord> {
        let stems = text::content_stems(question).into_iter();
        stems.map(|stem| ContentWord { stem, mass: 1.0 }).collect()
    }

    /// Whether the later text tells another value of what the question asks for.
    fn differs(question: &str, [before, after]: [&str; 2]) -> bool {
        let content = content(question);
        let sought = Sought::read(&words(question)).unwrap();
        let [before, after] = [before, after].map(|text| Telling::read(text, &content));
        after.differs_from(&before, sought, &content)
    }

    #[test]
    fn a_question_asks_for_a_value_as_it_is_now_or_for_none() {
        let sought = |question: &str| Sought::read(&words(question));
        let amounts = [
            "How many goats do I keep?",
            "Can you tell me how many goats I keep?",
            "What is the quota of the pump?",
            "How old is Ilka?",
        ];
        assert!(amounts.iter().all(|question| sought(question) == Some(Sought::Amount)));
        let times = ["When is the fair?", "What time does the ferry leave?", "What is the deadline?"];
        assert!(times.iter().all(|question| sought(question) == Some(Sought::Time)));
        let none = [
            "How many goats did I keep before?",
            "What was the quota at first?",
            "How do I milk a goat?",
            "Which is the best way to milk a goat?",
            "Tell me of the goats.",
            "Wie viele Ziegen habe ich?",
        ];
        assert!(none.iter().all(|question| sought(question).is_none()));
    }

    #[test]
    fn another_value_of_what_is_asked_for_differs() {
        let goats = "How many goats are in the lower meadow?";
        assert!(differs(
            goats,
            ["There are 12 goats in the lower meadow.", "We have 15 goats in the lower meadow now."]
        ));
        assert!(differs(
            goats,
            ["Two goats are in the lower meadow.", "The goats in the lower meadow: three goats."]
        ));
        assert!(differs(
            goats,
            ["There are 12 goats in the lower meadow.", "The goats in the lower meadow have reached 1,500."]
        ));
        let fair = "When is the fair in the lower meadow?";
        assert!(differs(fair, ["The fair is on April 3.", "They moved the fair to April 10th."]));
        assert!(differs(fair, ["The fair is on Tuesday.", "The fair will be on a Friday."]));
        assert!(differs(fair, ["The fair begins at 5 pm.", "The fair begins at 7 pm."]));
        let load = "What is the load of the pump?";
        assert!(differs(load, ["The load of the pump is 65%.", "The pump has a load of 78 percent."]));
        assert!(differs(load, ["The pump's load is 250ms.", "The pump's load is 300ms."]));
        let solved = "How many puzzles have I solved?";
        assert!(differs(solved, ["I solved 12 puzzles.", "I have solved 15 puzzles."]));
    }

    #[test]
    fn the_same_value_and_values_of_other_things_do_not_differ() {
        let goats = "How many goats are in the lower meadow?";
        let told = "There are 12 goats in the lower meadow.";
        assert!(!differs(goats, [told, "The 12 goats in the lower meadow are well."]));
        assert!(!differs(goats, [told, "The goats in the lower meadow saw 3 foxes."]));
        assert!(!differs(goats, [told, "The goats in the lower meadow are in their shed. We have 40 hens."]));
        assert!(!differs(
            goats,
            [told, "The goats in the lower meadow: see Farm Guide 14, v2 of 2024, 1.2.3."]
        ));
        assert!(!differs(goats, [told, "```goats = 40 in the lower meadow``` is what I wrote."]));
        assert!(!differs("When is the fair?", ["The fair is on April 3.", "The fair has 40 stalls."]));
    }

    #[test]
    fn numbered_things_are_told_apart() {
        let question = "What is the deadline for the first sprint on layout?";
        let texts = [
            "My sprint 1 using boards has a deadline of April 1 for layout.",
            "Sprint 2 has a deadline of April 20 for layout.",
        ];
        assert!(!differs(question, texts));
    }
}
