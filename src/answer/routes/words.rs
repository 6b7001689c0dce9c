//! A question in words: names taken together, the rest one by one, as it is and by its stem.

use lorebase_engine::graph::EntityIx;
use lorebase_engine::state::State;
use lorebase_engine::text;

/// The longest name that is looked for, in words.
const NAME_WORDS: usize = 6;

/// A word of a question, or a name.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Word {
    /// In small letters.
    pub(super) text: String,
    pub(super) stem: String,
    /// Those whose name it is.
    pub(super) named: Vec<EntityIx>,
    /// Whether it begins with a capital.
    capital: bool,
    /// Where it stands in the question, in bytes.
    bytes: (usize, usize),
}

/// The words of a question, signs left out but for commas.
pub(super) fn words(state: &State, question: &str) -> Vec<Word> {
    let plain = question.replace('’', "'");
    let mut words = Vec::new();
    let mut start = None;
    for (place, c) in plain.char_indices().chain([(plain.len(), ' ')]) {
        let inside = c.is_alphanumeric() || c == '\'' || c == '-';
        match (inside, start) {
            (true, None) => start = Some(place),
            (false, Some(first)) => {
                push(&mut words, &plain, (first, place));
                start = None;
            }
            _ => {}
        }
        if c == ',' || c == ':' {
            words.push(Word::at(&plain, (place, place + 1)));
        }
    }
    joined(state, &plain, &words)
}

/// Adds a word; "'s" is a word of its own.
fn push(words: &mut Vec<Word>, plain: &str, (first, end): (usize, usize)) {
    let word = &plain[first..end];
    if let Some(bare) = word.strip_suffix("'s").filter(|bare| !bare.is_empty()) {
        words.push(Word::at(plain, (first, first + bare.len())));
        words.push(Word::at(plain, (first + bare.len(), end)));
    } else if let Some(bare) = word.strip_suffix('\'').filter(|bare| bare.ends_with('s')) {
        words.push(Word::at(plain, (first, first + bare.len())));
        words.push(Word { text: "'s".to_owned(), ..Word::at(plain, (first + bare.len(), end)) });
    } else {
        words.push(Word::at(plain, (first, end)));
    }
}

/// Takes the words of each name together, longest names first.
fn joined(state: &State, plain: &str, words: &[Word]) -> Vec<Word> {
    let mut joined = Vec::new();
    let mut at = 0;
    while at < words.len() {
        let longest = (1..=NAME_WORDS.min(words.len() - at)).rev().find_map(|length| {
            let (first, last) = (&words[at], &words[at + length - 1]);
            let bytes = (first.bytes.0, last.bytes.1);
            let proper = first.capital && (last.capital || last.text == "'s" || length == 1);
            let ends_well = last.text != "'s" && last.text != "," && last.text != ":";
            if !proper || !ends_well || (length == 1 && at == 0 && opens(&first.text)) {
                return None;
            }
            let named = state.entities_called(&text::join_words(&text::fold_name(&plain[bytes.0..bytes.1])));
            (!named.is_empty()).then(|| (Word { named, ..Word::at(plain, bytes) }, length))
        });
        let (word, length) = longest.unwrap_or_else(|| (words[at].clone(), 1));
        joined.push(word);
        at += length;
    }
    joined
}

/// Whether a word opens questions, so that its capital says nothing.
fn opens(word: &str) -> bool {
    const OPENING: [&str; 22] = [
        "who", "what", "which", "where", "when", "how", "why", "whose", "whom", "does", "do", "did", "is",
        "are", "was", "were", "has", "in", "of", "by", "the", "to",
    ];
    OPENING.contains(&word)
}

impl Word {
    fn at(plain: &str, bytes: (usize, usize)) -> Self {
        let written = &plain[bytes.0..bytes.1];
        let text = written.to_lowercase();
        let stem = text::Stems::default().stem(&text).into_owned();
        let capital = written.chars().next().is_some_and(char::is_uppercase);
        Self { text, stem, named: Vec::new(), capital, bytes }
    }

    /// Whether it is this plain word.
    pub(super) fn is(&self, word: &str) -> bool {
        self.named.is_empty() && self.text == word
    }

    /// Whether it is one of these plain words.
    pub(super) fn is_one_of(&self, words: &[&str]) -> bool {
        self.named.is_empty() && words.contains(&self.text.as_str())
    }

    /// The word in the singular, where it is one that has another plural.
    pub(super) fn singular(&self) -> &str {
        match self.text.as_str() {
            "children" => "child",
            "wives" => "wife",
            "hobbies" => "hobby",
            "companies" => "company",
            "cities" => "city",
            "people" => "people",
            "boss" | "headquarters" | "business" => &self.text,
            "bosses" => "boss",
            text => text.strip_suffix('s').unwrap_or(text),
        }
    }
}
