//! Cuts a text into tokens and sentences. It knows no grammar beyond English contractions.

/// What a token is made of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Letters, with inner hyphens and apostrophes.
    Word,
    /// Begins with a digit.
    Number,
    /// Anything else, one character.
    Sign,
}

/// One token. `word` is in lower case as far as ASCII goes; an apostrophe that opens it is straight.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Token<'t> {
    pub(crate) word: &'t str,
    pub(crate) kind: Kind,
    /// In bytes of the text.
    pub(crate) bytes: (usize, usize),
    /// In characters of the text.
    pub(crate) chars: (u32, u32),
    /// Whether it begins with a capital.
    pub(crate) capital: bool,
    /// Whether white space stands before it.
    pub(crate) spaced: bool,
    /// Whether it is the first word of a sentence.
    pub(crate) opens: bool,
}

impl Token<'_> {
    /// The token as the text has it.
    pub(crate) fn raw<'t>(&self, text: &'t str) -> &'t str {
        &text[self.bytes.0..self.bytes.1]
    }

    /// Whether a stop after it marks a cut word, such as an initial or a title, and no end.
    fn end_is_cut(&self) -> bool {
        self.capital && (self.word.len() == 1 && self.word != "i" || is_honorific(self.word))
    }

    /// Whether every letter is a capital, and there are several.
    pub(crate) fn shouts(&self, text: &str) -> bool {
        let raw = self.raw(text);
        raw.len() > 1 && raw.chars().all(|c| !c.is_lowercase()) && raw.chars().any(char::is_uppercase)
    }
}

/// Whether a lower-case word is a title before a person's name.
pub(crate) fn is_honorific(word: &str) -> bool {
    matches!(
        word,
        "mr" | "mrs"
            | "ms"
            | "miss"
            | "dr"
            | "prof"
            | "professor"
            | "sir"
            | "st"
            | "captain"
            | "aunt"
            | "uncle"
    )
}

/// The endings of English contractions, which become tokens of their own; the curly forms first.
const ENDINGS: &[(&str, &str)] = &[
    ("n’t", "n't"),
    ("’s", "'s"),
    ("’m", "'m"),
    ("’re", "'re"),
    ("’ve", "'ve"),
    ("’ll", "'ll"),
    ("’d", "'d"),
    ("n't", "n't"),
    ("'s", "'s"),
    ("'m", "'m"),
    ("'re", "'re"),
    ("'ve", "'ve"),
    ("'ll", "'ll"),
    ("'d", "'d"),
];

/// The tokens of `text`, whose ASCII lower case is `lower`.
pub(crate) fn tokens<'t>(text: &str, lower: &'t str) -> Vec<Token<'t>> {
    let mut cutter = Cutter {
        text,
        lower,
        tokens: Vec::with_capacity(lower.len() / 4 + 1),
        character: 0,
        spaced: true,
        opens: true,
    };
    let mut byte = 0;
    while let Some(first) = lower[byte..].chars().next() {
        byte = cutter.step(byte, first);
    }
    cutter.tokens
}

struct Cutter<'t, 's> {
    text: &'s str,
    lower: &'t str,
    tokens: Vec<Token<'t>>,
    character: u32,
    spaced: bool,
    opens: bool,
}

impl Cutter<'_, '_> {
    /// Reads the token, or the white space, at `byte`; answers where the next begins.
    fn step(&mut self, byte: usize, first: char) -> usize {
        if first.is_whitespace() {
            self.character += 1;
            self.spaced = true;
            self.opens |= first == '\n';
            return byte + first.len_utf8();
        }
        if first.is_alphanumeric() {
            let end = byte + word_length(&self.lower[byte..]);
            self.push_word(byte, end);
            return end;
        }
        let end = byte + first.len_utf8();
        let abbreviated = first == '.' && self.tokens.last().is_some_and(Token::end_is_cut);
        self.push(byte, end, Kind::Sign, None);
        // "3.5" and "e.g" go on: a sentence ends before white space or a quotation mark only.
        let ends =
            self.lower[end..].chars().next().is_none_or(|next| !next.is_alphanumeric()) && !abbreviated;
        self.opens |= ends && matches!(first, '.' | '!' | '?' | '…' | ':') || first == '。';
        end
    }

    fn push_word(&mut self, byte: usize, end: usize) {
        let word = &self.lower[byte..end];
        let kind = if word.starts_with(|c: char| c.is_ascii_digit()) { Kind::Number } else { Kind::Word };
        let ending = word
            .contains(['\'', '’'])
            .then(|| ENDINGS.iter().find(|(ending, _)| word.len() > ending.len() && word.ends_with(ending)))
            .flatten();
        let stem_end = ending.map_or(end, |(ending, _)| end - ending.len());
        self.push(byte, stem_end, kind, None);
        self.opens = false;
        if let Some((_, straight)) = ending {
            self.push(stem_end, end, Kind::Word, Some(straight));
        }
    }

    fn push(&mut self, byte: usize, end: usize, kind: Kind, straight: Option<&'static str>) {
        let word = &self.lower[byte..end];
        let length = if word.is_ascii() { word.len() } else { word.chars().count() } as u32;
        self.tokens.push(Token {
            word: straight.unwrap_or(word),
            kind,
            bytes: (byte, end),
            chars: (self.character, self.character + length),
            capital: kind == Kind::Word && self.text[byte..].starts_with(char::is_uppercase),
            spaced: self.spaced,
            opens: self.opens && kind != Kind::Sign,
        });
        self.character += length;
        self.spaced = false;
    }
}

/// The length in bytes of the word that `rest` begins with: letters and digits, with hyphens and apostrophes
/// between them, and the signs inside "1,250.5".
fn word_length(rest: &str) -> usize {
    let mut end = 0;
    let mut before = ' ';
    let mut characters = rest.char_indices().peekable();
    while let Some((at, c)) = characters.next() {
        let next = characters.peek().map_or(' ', |(_, next)| *next);
        let inner = matches!(c, '-' | '\'' | '’') && next.is_alphanumeric()
            || matches!(c, '.' | ',') && before.is_ascii_digit() && next.is_ascii_digit();
        let joined = end > 0
            && (c.is_alphabetic() && is_cut_between(before, c) || c == '-' && is_cut_between(before, next));
        if !c.is_alphanumeric() && !inner || joined {
            break;
        }
        end = at + c.len_utf8();
        before = c;
    }
    end
}

/// Whether a word ends between two letters: Latin ones, and those of Korean, Chinese, Japanese and
/// Hindi, which join to them without white space.
fn is_cut_between(before: char, next: char) -> bool {
    let latin = |c: char| c.is_ascii_alphabetic() || matches!(c, '\u{C0}'..='\u{24F}');
    let eastern = |c: char| matches!(c, '\u{0900}'..='\u{097F}' | '\u{1100}'..='\u{11FF}' | '\u{3040}'..='\u{30FF}' | '\u{3400}'..='\u{9FFF}' | '\u{AC00}'..='\u{D7AF}');
    !(before.is_ascii() && next.is_ascii())
        && (latin(before) && eastern(next) || eastern(before) && latin(next))
}

/// The longest sentence, in tokens: what is longer is no sentence, and is cut, since grammar takes more time than there
/// are words.
const LONGEST_SENTENCE: usize = 200;

/// The ranges of tokens that are sentences, their closing signs included.
pub(crate) fn sentences(tokens: &[Token<'_>]) -> Vec<(usize, usize)> {
    let mut found = Vec::new();
    let mut start = 0;
    for (at, token) in tokens.iter().enumerate() {
        if at > start && (token.opens || at - start == LONGEST_SENTENCE) {
            found.push((start, at));
            start = at;
        }
    }
    if start < tokens.len() {
        found.push((start, tokens.len()));
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<String> {
        let lower = text.to_ascii_lowercase();
        tokens(text, &lower).iter().map(|token| token.word.to_owned()).collect()
    }

    #[test]
    fn contractions_are_cut() {
        assert_eq!(
            words("I’m sure Zoë's ex-boss didn't"),
            ["i", "'m", "sure", "zoë", "'s", "ex-boss", "did", "n't"]
        );
    }

    #[test]
    fn sentences_begin_after_their_signs() {
        let text = "Hi! I ran 3.5 km.\nYes";
        let lower = text.to_ascii_lowercase();
        let tokens = tokens(text, &lower);
        let starts: Vec<&str> = sentences(&tokens).iter().map(|(start, _)| tokens[*start].word).collect();
        assert_eq!(starts, ["hi", "i", "yes"]);
    }

    #[test]
    fn places_are_told_in_bytes_and_in_characters() {
        let text = "né Ana";
        let lower = text.to_ascii_lowercase();
        let ana = tokens(text, &lower)[1];
        assert_eq!((ana.raw(text), ana.bytes, ana.chars), ("Ana", (4, 7), (3, 6)));
    }
}
