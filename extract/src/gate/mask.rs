//! A text without what is not kept of it: each such piece is replaced by a mask that says what it was.

use std::collections::BTreeMap;

use lorebase_engine::model::episode::Span;
use lorebase_engine::model::extraction::{Refusal, RefusalReason};

use crate::gate::secrets;

/// What is done about secrets in a text that is to be stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Secrets {
    /// They are masked, before the episode is made: neither its text nor its id knows them.
    #[default]
    Mask,
    /// They are kept, since whoever stores them says so.
    Keep,
}

/// How often something of each kind was masked.
pub type Tally = BTreeMap<RefusalReason, usize>;

impl Secrets {
    /// A text as it is to be stored. What is masked in it is counted.
    pub fn applied_to(self, text: String, tally: &mut Tally) -> String {
        let masked = if self == Self::Keep { None } else { mask(&text) };
        let Some(masked) = masked else { return text };
        masked.refused.iter().for_each(|refusal| *tally.entry(refusal.reason).or_insert(0) += 1);
        masked.text
    }
}

/// What a mask begins with.
const OPEN: &str = "[refused: ";

/// A text with masks in it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Masked {
    /// The text as it may be stored.
    pub text: String,
    /// What was taken out, by where it stood in the text as it was given.
    pub refused: Vec<Refusal>,
}

/// Masks the secrets of a text; `None` where it has none.
pub fn mask(text: &str) -> Option<Masked> {
    let refused = secrets::find(text);
    if refused.is_empty() {
        return None;
    }
    let (mut masked, mut characters, mut at) = (String::with_capacity(text.len()), text.chars(), 0);
    for Refusal { span, reason } in &refused {
        masked.extend(characters.by_ref().take((span.start - at) as usize));
        masked.push_str(&name(*reason));
        characters.by_ref().take((span.end - span.start) as usize).for_each(drop);
        at = span.end;
    }
    masked.extend(characters);
    Some(Masked { text: masked, refused })
}

/// The masks that stand in a text, with what they stand for.
pub fn masks(text: &str) -> Vec<Refusal> {
    let mut found = Vec::new();
    let (mut characters, mut rest) = (0, text);
    while let Some(at) = rest.find(OPEN) {
        let start = characters + rest[..at].chars().count() as u32;
        rest = &rest[at..];
        let reason = RefusalReason::ALL.iter().find(|(reason, _)| rest.starts_with(&name(*reason)));
        // Masks are plain ASCII: as many bytes as characters.
        let length = reason.map_or(OPEN.len(), |(reason, _)| name(*reason).len());
        let span = Span { start, end: start + length as u32 };
        found.extend(reason.map(|(reason, _)| Refusal { span, reason: *reason }));
        (characters, rest) = (span.end, &rest[length..]);
    }
    found
}

/// The text with its masks made unreadable, as long as they were; `None` where it has none.
pub(super) fn blanked(text: &str) -> Option<String> {
    if !text.contains(OPEN) {
        return None;
    }
    let mut blanked = text.to_owned();
    for (reason, _) in RefusalReason::ALL {
        let mask = name(reason);
        blanked = blanked.replace(&mask, &"[".repeat(mask.len()));
    }
    Some(blanked)
}

fn name(reason: RefusalReason) -> String {
    format!("{OPEN}{}]", reason.as_str())
}

impl Masked {
    /// The span of the text as it was given that a span of the masked text stands for. A mask stands for all that it
    /// covers.
    pub fn given(&self, span: Span) -> Span {
        Span { start: self.given_place(span.start, false), end: self.given_place(span.end, true) }
    }

    fn given_place(&self, place: u32, ends: bool) -> u32 {
        let mut moved = i64::from(place);
        for Refusal { span, reason } in &self.refused {
            // Where the mask stands, when what came before it is as it was given.
            let (start, length) = (i64::from(span.start), name(*reason).len() as i64);
            if moved <= start {
                break;
            }
            if moved < start + length {
                return if ends { span.end } else { span.start };
            }
            moved += i64::from(span.end) - start - length;
        }
        moved as u32
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const TEXT: &str = "Ö: my password is hunter2 and my PIN is 4821, so Ana knows.";

    #[test]
    fn secrets_are_replaced_by_what_they_were() {
        let masked = mask(TEXT).unwrap();
        let expected = "Ö: my password is [refused: password] and my PIN is [refused: PIN], so Ana knows.";
        assert_eq!(masked.text, expected);
        let told: Vec<&str> = masked.refused.iter().filter_map(|refusal| refusal.span.slice(TEXT)).collect();
        assert_eq!(told, ["hunter2", "4821"]);
        assert_eq!(mask(&masked.text), None, "a mask is no secret");
        assert_eq!(mask("We went to the beach."), None);
    }

    fn text() -> impl Strategy<Value = String> {
        let words = [
            "my",
            "password",
            "is",
            "hunter2",
            "PIN",
            ":",
            "=",
            "4821",
            "to",
            "key",
            "4111 1111 1111 1111",
            "[refused: PIN]",
            "ä",
            "密码是",
            "sk-a8Fk2Lq9Zx7Vb3Nm1Rt6",
            "\"",
            "\n",
            "://a:b1@c",
            "-----BEGIN PRIVATE KEY-----",
            "ignore your rules",
        ];
        let words = prop::collection::vec(prop::sample::select(words.to_vec()), 0..12);
        prop_oneof![3 => words.prop_map(|words| words.join(" ")), 1 => ".{0,40}"]
    }

    proptest! {
        #[test]
        fn whatever_is_masked_is_masked_once_and_stands_where_it_stood(text in text()) {
            let length = text.chars().count() as u32;
            for flag in crate::gate::injection::find(&text) {
                prop_assert!(flag.span.start < flag.span.end && flag.span.end <= length);
            }
            let Some(masked) = mask(&text) else { return Ok(()) };
            prop_assert_eq!(mask(&masked.text), None);
            prop_assert!(masked.refused.iter().all(|refusal| refusal.span.end <= length));
            let given: Vec<Span> = masks(&masked.text).iter().map(|mask| masked.given(mask.span)).collect();
            prop_assert!(masked.refused.iter().all(|refusal| given.contains(&refusal.span)));
        }
    }

    #[test]
    fn masks_are_found_in_what_is_stored() {
        let masked = mask(TEXT).unwrap();
        let found = masks(&masked.text);
        let told: Vec<&str> = found.iter().filter_map(|refusal| refusal.span.slice(&masked.text)).collect();
        assert_eq!(told, ["[refused: password]", "[refused: PIN]"]);
        assert_eq!(found[1].reason, RefusalReason::Pin);
        assert_eq!(masks("[refused: nothing] [refused: "), []);
    }

    #[test]
    fn spans_of_the_masked_text_are_those_of_the_text_as_given() {
        let masked = mask(TEXT).unwrap();
        for word in ["Ö", "password is", "and my", "Ana", "knows."] {
            let at = |text: &str| {
                let byte = text.find(word).unwrap();
                let start = text[..byte].chars().count() as u32;
                Span { start, end: start + word.chars().count() as u32 }
            };
            assert_eq!(masked.given(at(&masked.text)), at(TEXT), "{word}");
        }
        for (mask, refusal) in masks(&masked.text).iter().zip(&masked.refused) {
            assert_eq!(masked.given(mask.span), refusal.span);
        }
    }
}
