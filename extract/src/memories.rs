//! What a turn says that is worth remembering, in sentences: one for each piece of it that states a fact.

use lorebase_engine::model::episode::Span;
use lorebase_engine::model::extraction::Extraction;
use lorebase_engine::model::fact::{FactKind, Triple};

/// A sentence or a clause that states something, with names in the place of pronouns where it is told whom they mean.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Statement {
    /// What kind of memory it is.
    pub kind: FactKind,
    /// What is stated.
    pub content: String,
    /// Where it stands in the text.
    pub span: Span,
}

/// The statements of a text, given what was found in it: one for each span and kind, in the order of what was found.
pub fn statements(text: &str, speaker: Option<&str>, found: &Extraction) -> Vec<Statement> {
    let mut told: Vec<Statement> = Vec::new();
    for triple in &found.triples {
        let known = |statement: &Statement| (statement.span, statement.kind) == (triple.span, triple.kind);
        if !told.iter().any(known)
            && let Some(piece) = triple.span.slice(text)
        {
            let content = named(piece.trim(), speaker, triple);
            told.push(Statement { kind: triple.kind, content, span: triple.span });
        }
    }
    told
}

/// The words of a piece with names for "I" and "my", and for a "he", "she", "they" or "you" that it begins with.
fn named(piece: &str, speaker: Option<&str>, triple: &Triple) -> String {
    let subject = triple.subject.name.as_str();
    let mut content = String::with_capacity(piece.len() + subject.len());
    let mut rest = piece;
    while let Some(start) = rest.find(|c: char| c.is_alphanumeric()) {
        let word = &rest[start..];
        let word =
            &word[..word.find(|c: char| !c.is_alphanumeric() && !is_apostrophe(c)).unwrap_or(word.len())];
        content.push_str(&rest[..start]);
        let begins = content.is_empty();
        match meant(word, begins.then_some(subject), speaker) {
            Some(name) => content.push_str(&name),
            None => content.push_str(word),
        }
        rest = &rest[start + word.len()..];
    }
    content + rest
}

const fn is_apostrophe(c: char) -> bool {
    matches!(c, '\'' | '’')
}

/// What a word means: the speaker, or where a subject is given, that.
fn meant(word: &str, subject: Option<&str>, speaker: Option<&str>) -> Option<String> {
    let (head, tail) = match word.find(is_apostrophe) {
        Some(at) => (&word[..at], word[at..].trim_start_matches(is_apostrophe)),
        None => (word, ""),
    };
    let lower = head.to_ascii_lowercase();
    let (name, owns) = match lower.as_str() {
        // "i" alone is no English "I" where it is not written so, and still nobody else.
        "i" | "me" | "myself" => (speaker?, false),
        "my" | "mine" => (speaker?, true),
        "he" | "she" | "they" | "you" => (subject?, false),
        "his" | "her" | "their" | "your" => (subject?, true),
        _ => return None,
    };
    // "Her sister" may be about the sister: whose she is, is not told here.
    if owns && speaker != Some(name) {
        return None;
    }
    let told = match tail.to_ascii_lowercase().as_str() {
        _ if owns => format!("{name}'s"),
        "m" | "re" => format!("{name} is"),
        "s" => format!("{name}'s"),
        "ve" => format!("{name} has"),
        "ll" => format!("{name} will"),
        "d" => format!("{name} would"),
        _ => name.to_owned(),
    };
    Some(told)
}

#[cfg(test)]
mod tests {
    use super::*;
    use lorebase_engine::model::entity::EntityKind;
    use lorebase_engine::model::fact::{Named, TripleObject};
    use lorebase_engine::model::predicate::Predicate;

    fn triple(subject: &str, kind: FactKind, end: u32) -> Triple {
        let subject = Named { name: subject.to_owned(), kind: EntityKind::Person };
        let told = Triple::new(subject, Predicate::new("likes"), TripleObject::Value("it".to_owned()));
        Triple { kind, span: Span { start: 0, end }, ..told }
    }

    #[test]
    fn pronouns_are_named() {
        for (text, subject, content) in [
            ("I'm a nurse, and I love my work", "Ana", "Ana is a nurse, and Ana love Ana's work"),
            ("She moved to Porto", "Signe", "Signe moved to Porto"),
            ("Her sister lives in Porto", "Signe's sister", "Her sister lives in Porto"),
            ("Rui’s from Porto", "Rui", "Rui’s from Porto"),
            ("We think they left", "Rui", "We think they left"),
        ] {
            let length = text.chars().count() as u32;
            let found = Extraction {
                triples: vec![triple(subject, FactKind::Fact, length)],
                ..Extraction::default()
            };
            assert_eq!(statements(text, Some("Ana"), &found)[0].content, content);
        }
    }

    #[test]
    fn each_piece_and_kind_is_told_once() {
        let triples = vec![
            triple("Rui", FactKind::Fact, 3),
            triple("Rui", FactKind::Fact, 3),
            triple("Rui", FactKind::Plan, 3),
            triple("Rui", FactKind::Fact, 9),
        ];
        let found = Extraction { triples, ..Extraction::default() };
        assert_eq!(statements("Rui", None, &found).len(), 2, "a span past the end states nothing");
    }
}
