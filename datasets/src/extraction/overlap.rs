//! Whether a fact says what a label says, by the share of the label's content words that stand in it.

use std::collections::HashSet;

use lorebase_engine::model::fact::{Triple, TripleObject};
use lorebase_engine::text::content_stems;

/// The share of a label's content words that a fact must have.
pub const COVERED: f64 = 0.5;

/// The content words of a text, stemmed, each once.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Words(HashSet<String>);

impl Words {
    pub(super) fn of(text: &str) -> Self {
        Self(content_stems(text).into_iter().collect())
    }

    /// The words of a fact of an episode with this text: subject, relation, object and the piece that states it.
    pub(super) fn of_fact(fact: &Triple, text: &str) -> Self {
        Self::of(&format!("{}\n{}", in_words(fact), fact.span.slice(text).unwrap_or_default()))
    }

    /// Whether at least [`COVERED`] of these words are in `other`; no words are covered by nothing.
    pub(super) fn covered_by(&self, other: &Self) -> bool {
        let shared = self.0.intersection(&other.0).count();
        shared > 0 && shared as f64 >= COVERED * self.0.len() as f64
    }
}

/// Subject, relation and object, in words.
pub(super) fn in_words(fact: &Triple) -> String {
    let object = match &fact.object {
        TripleObject::Entity(named) => &named.name,
        TripleObject::Value(value) => value,
    };
    format!("{} {} {object}", fact.subject.name, fact.predicate.as_str().replace('_', " "))
}

/// A fact as a dump shows it.
pub(super) fn shown(fact: &Triple) -> String {
    format!("[{}] {}", fact.kind.as_str(), in_words(fact))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn half_of_the_content_words_cover() {
        let label = Words::of("Ana was painting the old boats");
        assert!(label.covered_by(&Words::of("ana paints")));
        assert!(!label.covered_by(&Words::of("ana was the one")));
        assert!(!Words::of("the").covered_by(&Words::of("the")));
    }
}
