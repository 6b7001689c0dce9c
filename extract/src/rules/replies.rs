//! Short replies: "yes, the second one" says something only together with what it answers.

use lorebase_engine::model::entity::EntityKind;
use lorebase_engine::model::episode::Span;
use lorebase_engine::model::fact::{Named, Polarity, Triple, TripleObject};
use lorebase_engine::model::predicate::Predicate;

use crate::syntax::tokens::{self, Kind, Token};

/// The longest reply that is paired with its question, in words.
const LONGEST: usize = 8;
/// The longest question, in words.
const LONGEST_QUESTION: usize = 30;

/// Words that affirm, and that deny.
const YES: &[&str] = &[
    "yes",
    "yeah",
    "yep",
    "yup",
    "sure",
    "definitely",
    "absolutely",
    "correct",
    "exactly",
    "right",
    "indeed",
];
const NO: &[&str] = &["no", "nope", "nah", "never"];

/// A turn as it is answered: who asks, and the question that it ends with.
pub(super) struct Asked<'a> {
    pub(super) speaker: &'a str,
    pub(super) text: &'a str,
    pub(super) tokens: &'a [Token<'a>],
}

/// What `speaker` says by a short reply to the question that the turn before ends with.
pub(super) fn reply(asked: &Asked<'_>, speaker: &str, text: &str, said: &[Token<'_>]) -> Option<Triple> {
    let question = question(asked)?;
    let words = said.iter().filter(|token| token.kind != Kind::Sign).count();
    let first = said.first()?.word;
    let affirmed = if NO.contains(&first) { Polarity::Negated } else { Polarity::Affirmed };
    let answers = YES.contains(&first) || NO.contains(&first) || picks(said);
    let asks_back = said.iter().any(|token| token.word == "?");
    if asked.speaker == speaker || words > LONGEST || !answers || asks_back {
        return None;
    }
    let who = Named { name: speaker.to_owned(), kind: EntityKind::Person };
    let told = TripleObject::Value(format!("{question} {}", text.trim()));
    let span = Span { start: said.first()?.chars.0, end: said.last()?.chars.1 };
    let confidence = 0.7;
    Some(Triple { polarity: affirmed, confidence, span, ..Triple::new(who, Predicate::new("answers"), told) })
}

/// "The second one", "the former", "both".
fn picks(said: &[Token<'_>]) -> bool {
    let chosen = |token: &Token<'_>| {
        matches!(
            token.word,
            "one" | "ones" | "former" | "latter" | "both" | "neither" | "first" | "second" | "third" | "last"
        )
    };
    let opens = said.first().is_some_and(|token| matches!(token.word, "the" | "both" | "neither" | "that"));
    opens && said.iter().any(chosen)
}

/// The last sentence of a turn, where it is a question.
fn question<'a>(asked: &Asked<'a>) -> Option<&'a str> {
    let (start, end) = tokens::sentences(asked.tokens).pop()?;
    let sentence = &asked.tokens[start..end];
    let asks = sentence.last().is_some_and(|token| token.word == "?");
    (asks && sentence.len() <= LONGEST_QUESTION)
        .then(|| &asked.text[sentence[0].bytes.0..sentence[sentence.len() - 1].bytes.1])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn replied(asked: &str, said: &str) -> Option<(Polarity, String)> {
        let (low_asked, low_said) = (asked.to_ascii_lowercase(), said.to_ascii_lowercase());
        let (asked_tokens, tokens) = (tokens::tokens(asked, &low_asked), tokens::tokens(said, &low_said));
        let asked = Asked { speaker: "Rui", text: asked, tokens: &asked_tokens };
        let triple = reply(&asked, "Ana", said, &tokens)?;
        let TripleObject::Value(told) = triple.object else { return None };
        Some((triple.polarity, told))
    }

    #[test]
    fn a_short_reply_is_told_with_its_question() {
        let asked = "Nice. The red bike or the blue one?";
        let told = "The red bike or the blue one? Yes, the second one".to_owned();
        assert_eq!(replied(asked, "Yes, the second one"), Some((Polarity::Affirmed, told)));
        let told = replied("Do you still eat fish?", "No, not since May.");
        assert_eq!(told, Some((Polarity::Negated, "Do you still eat fish? No, not since May.".to_owned())));
        assert_eq!(replied("I like fish.", "Yes"), None);
        assert_eq!(replied("Do you eat fish?", "Yes, and why do you ask?"), None);
        assert_eq!(replied("Do you eat fish?", "The weather is fine"), None);
    }
}
