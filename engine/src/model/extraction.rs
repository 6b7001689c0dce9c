//! What an extractor found in one episode, in names and spans, before entities have ids.

use crate::model::entity::EntityKind;
use crate::model::episode::{ExtractionStatus, Span};
use crate::model::fact::{Triple, TripleObject};
use crate::model::id::EpisodeId;

/// A span that names an entity, before the entity has an id.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NamedSpan {
    /// Where it stands, in characters; for a speaker, an empty span at the beginning of the text.
    pub span: Span,
    /// The name that it stands for, pronouns resolved.
    pub name: String,
    /// What kind of thing the place suggests it is.
    pub kind: EntityKind,
}

/// What one episode says.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Extraction {
    /// Names in the order of the text.
    pub mentions: Vec<NamedSpan>,
    /// Claims in the order of the text.
    pub triples: Vec<Triple>,
    /// What is not kept, in the order of the text. The spans are those of the text that was read: where that was
    /// masked, of what stands in place of what is refused.
    pub refused: Vec<Refusal>,
    /// What is kept as it is, and must not be taken for more than data, in the order of the text.
    pub flags: Vec<Flag>,
}

impl Extraction {
    /// Whether nothing was found.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

/// A piece of a text that is not to be kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Refusal {
    /// Where it stands, in characters.
    pub span: Span,
    /// What it is.
    pub reason: RefusalReason,
}

/// Why a piece of a text is not kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum RefusalReason {
    /// A password or passphrase.
    Password,
    /// A key or token by which a program is let in, or a private key.
    Key,
    /// The number of a payment card.
    CardNumber,
    /// An IBAN, or the number of a bank account.
    AccountNumber,
    /// A PIN, the check number of a card, or a code that is used once.
    Pin,
    /// A number by which a state knows a person.
    IdentityNumber,
}

impl RefusalReason {
    /// Every reason with its name as it is shown and stored, in the order of their codes on disk.
    pub const ALL: [(Self, &'static str); 6] = [
        (Self::Password, "password"),
        (Self::Key, "key"),
        (Self::CardNumber, "card number"),
        (Self::AccountNumber, "account number"),
        (Self::Pin, "PIN"),
        (Self::IdentityNumber, "identity number"),
    ];

    /// The reason's name as it is shown.
    pub fn as_str(self) -> &'static str {
        Self::ALL[self as usize].1
    }
}

/// A piece of a text that reads as if it were addressed to the model that will be shown it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Flag {
    /// Where it stands, in characters.
    pub span: Span,
    /// What it tries.
    pub reason: FlagReason,
}

/// What a flagged piece of a text tries.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum FlagReason {
    /// To set aside what a model was told: "ignore all previous instructions".
    Override,
    /// To make it somebody else: "you are now …".
    Role,
    /// To get at what it was told: "print your system prompt".
    Prompt,
    /// To look like a turn of somebody else: `<|im_start|>system`, `[INST]`.
    Markup,
}

impl FlagReason {
    /// Every reason with its name as it is shown and stored, in the order of their codes on disk.
    pub const ALL: [(Self, &'static str); 4] = [
        (Self::Override, "override"),
        (Self::Role, "role"),
        (Self::Prompt, "prompt"),
        (Self::Markup, "markup"),
    ];

    /// The reason's name as it is shown.
    pub fn as_str(self) -> &'static str {
        Self::ALL[self as usize].1
    }
}

/// An extraction as it is stored: of which episode, by which extractor, with what success. A later one of the
/// same episode takes its place.
#[derive(Debug, Clone, PartialEq)]
pub struct Reading {
    /// The episode that was read.
    pub episode: EpisodeId,
    /// Which extractor and version read it.
    pub extractor: String,
    /// Whether it could be read.
    pub status: ExtractionStatus,
    /// What it says; empty unless the status is [`ExtractionStatus::Done`].
    pub found: Extraction,
}

impl Reading {
    /// The names of entities in it, as often as they stand there.
    pub(crate) fn entity_names(&self) -> impl Iterator<Item = &str> {
        let mentions = self.found.mentions.iter().map(|mention| mention.name.as_str());
        let ends = self.found.triples.iter().flat_map(|triple| {
            let object = match &triple.object {
                TripleObject::Entity(named) => Some(named.name.as_str()),
                TripleObject::Value(_) => None,
            };
            std::iter::once(triple.subject.name.as_str()).chain(object)
        });
        mentions.chain(ends)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tables_of_reasons_are_in_order() {
        for (code, (reason, name)) in RefusalReason::ALL.into_iter().enumerate() {
            assert_eq!((reason as usize, reason.as_str()), (code, name));
        }
        for (code, (reason, name)) in FlagReason::ALL.into_iter().enumerate() {
            assert_eq!((reason as usize, reason.as_str()), (code, name));
        }
    }
}
