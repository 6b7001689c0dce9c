//! What of an episode is searched: its pieces, and the words that stand before each.

use std::fmt::Write;

use jiff::civil::DateTime;

use crate::dates::MONTHS;
use crate::text;

/// A text with more content words than this is cut into passages of about as many. Tuned on BEAM dev, whose
/// assistant turns are long; short turns are not touched by it.
const PASSAGE_TERMS: usize = 80;

/// A text of fewer bytes cannot hold more content words than a passage: each is two letters and a space.
const CERTAINLY_SHORT: usize = 3 * PASSAGE_TERMS;

/// A passage may be this much larger than its equal share before a new one is begun.
const SLACK: f32 = 1.2;

/// Cuts a text into passages at sentence ends and line breaks: where each begins and ends, in bytes.
pub(crate) fn cut(text: &str) -> Vec<(usize, usize)> {
    let total = if text.len() < CERTAINLY_SHORT { 0 } else { content_words(text) };
    if total <= PASSAGE_TERMS {
        return vec![(0, text.len())];
    }
    let share = total.div_ceil(total.div_ceil(PASSAGE_TERMS));
    let (mut cuts, mut start, mut end, mut held) = (Vec::new(), 0, 0, 0);
    for piece in pieces(text) {
        let words = content_words(piece);
        if held > 0 && (held + words) as f32 > share as f32 * SLACK {
            cuts.push((start, end));
            (start, held) = (end, 0);
        }
        end += piece.len();
        held += words;
        if held >= share {
            cuts.push((start, end));
            (start, held) = (end, 0);
        }
    }
    if start < text.len() && (cuts.is_empty() || !text[start..].trim().is_empty()) {
        cuts.push((start, text.len()));
    } else if let Some(last) = cuts.last_mut() {
        last.1 = text.len();
    }
    cuts
}

/// Sentences and lines, each with the white space behind it: a sentence ends at a stop, a question or exclamation
/// mark before white space, a line at its break.
fn pieces(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let end = rest.char_indices().find_map(|(at, c)| piece_end(rest, at, c)).unwrap_or(rest.len());
        let (piece, after) = rest.split_at(end);
        rest = after;
        (!piece.is_empty()).then_some(piece)
    })
}

/// Where the piece ends if the character `c` at byte `at` ends one.
fn piece_end(text: &str, at: usize, c: char) -> Option<usize> {
    let after = &text[at + c.len_utf8()..];
    let ends = match c {
        '\n' | '。' | '！' | '？' => true,
        '.' | '!' | '?' => after.starts_with(char::is_whitespace),
        _ => false,
    };
    ends.then(|| text.len() - after.trim_start().len())
}

fn content_words(text: &str) -> usize {
    let mut count = 0;
    text::for_each_word(text, |word| count += usize::from(!text::is_stop_word(word)));
    count
}

/// What is indexed before every passage: the day and the speaker, so that both can be asked for.
pub(super) fn head(day: Option<DateTime>, speaker: Option<&str>) -> String {
    let mut head = String::new();
    if let Some(day) = day {
        let month = MONTHS[day.month() as usize - 1];
        write!(head, "[{} {month} {}] ", day.day(), day.year()).expect("writing to a string cannot fail");
    }
    if let Some(speaker) = speaker {
        head.push_str(speaker);
        head.push_str(": ");
    }
    head
}

/// The heading of a document: its first line where others follow and it is short, folded to words, without
/// what stands in brackets.
pub(crate) fn heading(text: &str) -> Option<String> {
    const LONGEST: usize = 80;
    let (first, _) = text.split_once('\n')?;
    if first.chars().count() > LONGEST {
        return None;
    }
    let mut depth = 0_u32;
    let open: String = first
        .chars()
        .filter(|c| {
            match c {
                '(' => depth += 1,
                ')' => depth = depth.saturating_sub(1),
                _ => return depth == 0,
            }
            false
        })
        .collect();
    let heading = text::join_words(&open);
    (!heading.is_empty() && !text::is_stop_word(&heading)).then_some(heading)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_long_text_is_cut_at_sentences_into_near_equal_parts() {
        let text = "The quick brown foxes jumped over lazy dogs yesterday evening. ".repeat(40);
        let cuts = cut(&text);
        assert!(cuts.len() >= 3);
        for &(start, end) in &cuts {
            assert!(content_words(&text[start..end]) <= 120);
            assert!(text[start..].starts_with("The"));
        }
    }

    #[test]
    fn headings_are_first_lines_without_brackets() {
        assert_eq!(heading("Lisbon (city)\nThe capital."), Some("lisbon".to_owned()));
        assert_eq!(heading("One line only"), None);
        assert_eq!(heading("The\nrest"), None);
    }

    #[test]
    fn the_head_holds_day_and_speaker() {
        let day = jiff::civil::date(2023, 5, 8).at(1, 2, 3, 0);
        assert_eq!(head(Some(day), Some("Ana")), "[8 May 2023] Ana: ");
    }

    proptest! {
        #[test]
        fn passages_cover_the_text_without_a_gap(words in proptest::collection::vec("[a-zé]{1,9}[.!?\n]{0,2} ", 0..400)) {
            let text = words.concat();
            let cuts = cut(&text);
            prop_assert_eq!(cuts.first().map(|cut| cut.0), Some(0));
            prop_assert_eq!(cuts.last().map(|cut| cut.1), Some(text.len()));
            prop_assert!(cuts.windows(2).all(|pair| pair[0].1 == pair[1].0));
        }
    }
}
