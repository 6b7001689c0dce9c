//! Facts: what the episodes state about entities, each with the episodes that state it.

use crate::dates::Granularity;
use crate::model::entity::EntityKind;
use crate::model::episode::Span;
use crate::model::id::{EntityId, FactId, Namespace};
use crate::model::predicate::Predicate;
use crate::model::time::Interval;
use serde::{Deserialize, Serialize};

/// What a fact says of its subject: another entity, or a plain value.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Object {
    /// Another entity of the same namespace.
    Entity(EntityId),
    /// Text that names no entity: "a nurse", "42".
    Value(String),
}

/// What kind of memory a fact is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum FactKind {
    /// A state of affairs.
    Fact,
    /// What somebody likes, dislikes or favours.
    Preference,
    /// Something that happened at a time.
    Event,
    /// Something that somebody means to do.
    Plan,
    /// What was settled on: "we go with the blue one".
    Decision,
    /// What somebody promised: "I'll send it tomorrow".
    Commitment,
    /// What somebody thinks of something: "the talk was too long".
    Opinion,
    /// What the assistant is told to do from now on: "always answer in Dutch".
    Instruction,
    /// How something is done: "to reset it, hold the button for five seconds".
    Skill,
}

impl FactKind {
    /// Every kind with its name as it is shown and stored, in the order of their codes on disk.
    pub const ALL: [(Self, &'static str); 9] = [
        (Self::Fact, "fact"),
        (Self::Preference, "preference"),
        (Self::Event, "event"),
        (Self::Plan, "plan"),
        (Self::Decision, "decision"),
        (Self::Commitment, "commitment"),
        (Self::Opinion, "opinion"),
        (Self::Instruction, "instruction"),
        (Self::Skill, "skill"),
    ];

    /// The kind's name as it is shown.
    pub fn as_str(self) -> &'static str {
        Self::ALL[self as usize].1
    }

    /// Whether it says how things are, so that a later one may take its place: what happened stays so, and what is
    /// meant, promised, thought or asked for is not yet how things are.
    pub const fn is_state(self) -> bool {
        matches!(self, Self::Fact | Self::Preference | Self::Skill)
    }
}

/// The least important, the most important.
pub const IMPORTANCES: std::ops::RangeInclusive<u8> = 1..=10;
/// How important a statement is that nothing is known of.
pub const IMPORTANCE: u8 = 5;

/// Whether a statement says that something is so or that it is not.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Polarity {
    /// "Ana lives in Porto."
    Affirmed,
    /// "Ana does not live in Porto."
    Negated,
}

impl Polarity {
    /// The polarity's name as it is shown.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Affirmed => "affirmed",
            Self::Negated => "negated",
        }
    }
}

/// What a fact says, without who says it: everything that its id is made of.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Claim {
    /// Of whom.
    pub subject: EntityId,
    /// Which relation.
    pub predicate: Predicate,
    /// To what.
    pub object: Object,
    /// Said or denied.
    pub polarity: Polarity,
    /// What kind of memory it is.
    pub kind: FactKind,
}

impl Claim {
    /// The id of this claim in `namespace`. For an event the day on which it began is part of it: going to
    /// Paris twice is two events, living there is one state however often it is stated.
    pub fn id(&self, namespace: &Namespace, valid: Interval) -> FactId {
        let (tag, object): (u8, &[u8]) = match &self.object {
            Object::Entity(id) => (0, id.as_bytes()),
            Object::Value(text) => (1, text.as_bytes()),
        };
        let day = match (self.kind, valid.from) {
            (FactKind::Event, Some(from)) => from.as_millis().div_euclid(86_400_000).to_le_bytes().to_vec(),
            _ => Vec::new(),
        };
        FactId::of(&[
            namespace.as_str().as_bytes(),
            self.subject.as_bytes(),
            self.predicate.as_str().as_bytes(),
            &[tag, self.polarity as u8, self.kind as u8],
            object,
            &day,
        ])
    }
}

/// Where a fact stands among the others on the same subject and predicate.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum FactStatus {
    /// Nothing that was said later takes its place.
    Current,
    /// The world moved on: a later statement of a single-valued predicate took its place.
    Superseded,
    /// It was denied later: it is not held any more.
    Retracted,
}

impl FactStatus {
    /// The status's name as it is shown.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Current => "current",
            Self::Superseded => "superseded",
            Self::Retracted => "retracted",
        }
    }
}

/// A claim as an extractor finds it in an episode: names instead of ids.
#[derive(Debug, Clone, PartialEq)]
pub struct Triple {
    /// Of whom: a name, with the kind that the place suggests.
    pub subject: Named,
    /// Which relation.
    pub predicate: Predicate,
    /// To what.
    pub object: TripleObject,
    /// Said or denied.
    pub polarity: Polarity,
    /// What kind of memory it is.
    pub kind: FactKind,
    /// How sure the extractor is, from 0 to 1.
    pub confidence: f32,
    /// When it held, as far as the text tells; an end that it does not tell is open.
    pub valid: Interval,
    /// Which piece of the episode states it.
    pub span: Span,
    /// Whether it is said with a doubt: "might", "probably", "used to think".
    pub hedged: bool,
    /// Whose words they are, where the speaker passes them on: "Ana says that Rui moved". A name, pronouns resolved.
    pub attributed_to: Option<String>,
    /// How much it matters, one of [`IMPORTANCES`].
    pub importance: u8,
    /// How exactly the text tells when it held; `None` where it does not tell.
    pub granularity: Option<Granularity>,
    /// Whether it says that what was said before was wrong: "actually it's Munich". What is affirmed takes the place of what
    /// was said of the same before, from the beginning; what is negated never was so.
    pub corrects: bool,
}

impl Triple {
    /// A plain and sure claim of a state without a time, which no piece of a text states yet.
    pub fn new(subject: Named, predicate: Predicate, object: TripleObject) -> Self {
        Self {
            subject,
            predicate,
            object,
            polarity: Polarity::Affirmed,
            kind: FactKind::Fact,
            confidence: 1.0,
            valid: Interval::ALWAYS,
            span: Span { start: 0, end: 0 },
            hedged: false,
            attributed_to: None,
            importance: IMPORTANCE,
            granularity: None,
            corrects: false,
        }
    }

    /// Why it says nothing that can be held, if it does not.
    pub fn problem(&self) -> Option<&'static str> {
        let unnamed = |named: &Named| named.name.trim().is_empty();
        let Interval { from, to } = self.valid;
        if unnamed(&self.subject) {
            Some("has a subject without a name")
        } else if matches!(&self.object, TripleObject::Entity(named) if unnamed(named)) {
            Some("has an object without a name")
        } else if self.predicate.as_str().is_empty() {
            Some("has no predicate")
        } else if !IMPORTANCES.contains(&self.importance) {
            Some("has an importance that is not from 1 to 10")
        } else if self.attributed_to.as_ref().is_some_and(|name| name.trim().is_empty()) {
            Some("is attributed to nobody")
        } else if from.zip(to).is_some_and(|(from, to)| from > to) {
            Some("ends before it begins to be valid")
        } else {
            None
        }
    }
}

/// A name and what it seems to be a name of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Named {
    /// The name, pronouns resolved.
    pub name: String,
    /// What kind of thing it is.
    pub kind: EntityKind,
}

/// The object of a [`Triple`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TripleObject {
    /// Another entity, by name.
    Entity(Named),
    /// Text that names no entity.
    Value(String),
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_of_kinds_is_in_order() {
        for (code, (kind, name)) in FactKind::ALL.into_iter().enumerate() {
            assert_eq!((kind as usize, kind.as_str()), (code, name));
        }
    }

    #[test]
    fn a_claim_that_says_nothing_is_a_problem() {
        let named = |name: &str| Named { name: name.to_owned(), kind: EntityKind::Person };
        let said =
            || Triple::new(named("Ana"), Predicate::new("likes"), TripleObject::Value("tea".to_owned()));
        assert_eq!(said().problem(), None);
        let attributed_to = Some(" ".to_owned());
        let wrong = [
            Triple { subject: named(""), ..said() },
            Triple { importance: 0, ..said() },
            Triple { importance: 11, ..said() },
            Triple { attributed_to, ..said() },
        ];
        assert!(wrong.iter().all(|triple| triple.problem().is_some()));
    }
}
