//! An extractor that always finds the same, for the scorers' tests.

use lorebase_engine::model::entity::EntityKind;
use lorebase_engine::model::episode::{Episode, Span};
use lorebase_engine::model::extraction::{Extraction, NamedSpan};
use lorebase_engine::model::fact::{FactKind, Named, Triple, TripleObject};
use lorebase_engine::model::predicate::Predicate;
use lorebase_extract::extractor::Extractor;

/// Finds this in every episode.
pub(crate) struct Fixed(Extraction);

impl Fixed {
    pub(crate) fn mentions(mentions: Vec<NamedSpan>) -> Self {
        Self(Extraction { mentions, ..Extraction::default() })
    }

    pub(crate) fn facts(triples: Vec<Triple>) -> Self {
        Self(Extraction { triples, ..Extraction::default() })
    }
}

impl Extractor for Fixed {
    fn name(&self) -> &'static str {
        "fixed"
    }

    fn extract(&self, session: &[Episode]) -> Vec<Result<Extraction, String>> {
        session.iter().map(|_| Ok(self.0.clone())).collect()
    }
}

pub(crate) fn mention(start: u32, end: u32, name: &str, kind: EntityKind) -> NamedSpan {
    NamedSpan { span: Span { start, end }, name: name.to_owned(), kind }
}

pub(crate) fn fact(
    subject: &str,
    predicate: &str,
    object: &str,
    kind: FactKind,
    (start, end): (u32, u32),
) -> Triple {
    let subject = Named { name: subject.to_owned(), kind: EntityKind::Unknown };
    let object = TripleObject::Value(object.to_owned());
    Triple { kind, span: Span { start, end }, ..Triple::new(subject, Predicate::new(predicate), object) }
}
