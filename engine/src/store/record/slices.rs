//! Pieces of a text by characters, found without walking it from the beginning each time.

use crate::model::episode::Span;

/// Every how many characters a text's bytes are marked.
const STEP: u32 = 256;

/// A text with marks at some of its characters.
pub(super) struct Slices<'t> {
    text: &'t str,
    /// Where every [`STEP`]th character begins; empty in a text of single bytes.
    marks: Vec<u32>,
}

impl<'t> Slices<'t> {
    /// Walks the text once.
    pub(super) fn new(text: &'t str) -> Self {
        let mut marks = Vec::new();
        if !text.is_ascii() {
            let starts = text.char_indices().step_by(STEP as usize);
            marks.extend(starts.map(|(byte, _)| byte as u32));
        }
        Self { text, marks }
    }

    /// The piece that a span names, or `None` where it reaches past the end.
    pub(super) fn get(&self, span: Span) -> Option<&'t str> {
        self.text.get(self.byte_at(span.start)?..self.byte_at(span.end)?)
    }

    fn byte_at(&self, character: u32) -> Option<usize> {
        if self.marks.is_empty() {
            return Some(character as usize);
        }
        let mark = *self.marks.get((character / STEP) as usize).or(self.marks.last())? as usize;
        let before = (character / STEP).min(self.marks.len() as u32 - 1) * STEP;
        let rest = &self.text[mark..];
        let mut starts = rest.char_indices().map(|(byte, _)| byte).chain(std::iter::once(rest.len()));
        starts.nth((character - before) as usize).map(|byte| mark + byte)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_are_those_of_the_span() {
        for text in ["", "plain", &"naïve 👩 ".repeat(100), &"ü".repeat(STEP as usize)] {
            let slices = Slices::new(text);
            let length = text.chars().count() as u32;
            for start in 0..length + 2 {
                for end in [start, start + 1, start + 9, length, length + 1] {
                    let span = Span { start, end };
                    assert_eq!(slices.get(span), span.slice(text), "{span:?} of {length}");
                }
            }
        }
    }
}
