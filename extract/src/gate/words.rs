//! A text cut into words and marks, with where they stand, as secrets are looked for in it.

/// A word of letters, digits and underscores, or a single other character that is no blank.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Piece<'t> {
    /// Its first byte.
    pub(super) start: usize,
    /// As it is written.
    pub(super) text: &'t str,
}

impl Piece<'_> {
    /// The first byte after it.
    pub(super) fn end(&self) -> usize {
        self.start + self.text.len()
    }

    /// Whether it is a word.
    pub(super) fn is_word(&self) -> bool {
        self.text.starts_with(|c: char| c.is_alphanumeric() || c == '_')
    }

    /// Whether it is one of these words, in any case.
    pub(super) fn is(&self, words: &[&str]) -> bool {
        words.iter().any(|word| self.text.eq_ignore_ascii_case(word))
    }
}

/// The words and marks of a text.
pub(super) fn pieces(text: &str) -> Vec<Piece<'_>> {
    let mut pieces = Vec::new();
    let mut word: Option<usize> = None;
    for (at, c) in text.char_indices() {
        if c.is_alphanumeric() || c == '_' {
            word.get_or_insert(at);
            continue;
        }
        if let Some(start) = word.take() {
            pieces.push(Piece { start, text: &text[start..at] });
        }
        if !c.is_whitespace() || c == '\n' {
            pieces.push(Piece { start: at, text: &text[at..at + c.len_utf8()] });
        }
    }
    if let Some(start) = word {
        pieces.push(Piece { start, text: &text[start..] });
    }
    pieces
}

/// Whether some word of a text begins, in any case, with one of the pieces that are looked for behind its first letter,
/// which is given in lower case. One pass, since it is asked of every text.
pub(super) fn has_word(text: &str, beginning: fn(u8) -> &'static [&'static str]) -> bool {
    let bytes = text.as_bytes();
    let mut before = b' ';
    bytes.iter().enumerate().any(|(at, &byte)| {
        // "dbPassword" has two words.
        let camel = before.is_ascii_lowercase() && byte.is_ascii_uppercase();
        let parted = camel || !(before.is_ascii_alphanumeric() && byte.is_ascii_alphanumeric());
        before = byte;
        parted
            && byte.is_ascii_graphic()
            && beginning(byte.to_ascii_lowercase()).iter().any(|piece| {
                bytes
                    .get(at..at + piece.len())
                    .is_some_and(|found| found.eq_ignore_ascii_case(piece.as_bytes()))
            })
    })
}

/// How many characters stand before each of these bytes of a text; the bytes are ascending.
pub(super) fn characters(text: &str, bytes: impl IntoIterator<Item = usize>) -> Vec<u32> {
    let (mut characters, mut counted) = (0, 0);
    let count = |byte: usize| {
        characters += text[counted..byte].chars().count() as u32;
        counted = byte;
        characters
    };
    bytes.into_iter().map(count).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_and_marks_stand_where_they_stand() {
        let told: Vec<(usize, &str)> =
            pieces("pw= ä_1\n!").iter().map(|piece| (piece.start, piece.text)).collect();
        assert_eq!(told, [(0, "pw"), (2, "="), (4, "ä_1"), (8, "\n"), (9, "!")]);
        assert_eq!(characters("äbc", [0, 2, 4]), [0, 1, 3]);
    }
}
