//! Facts that a case brings along, put into the memory as if they had been read in its turns.

use std::collections::HashMap;

use lorebase_datasets::case::{Case, GivenFact};
use lorebase_engine::change::Changes;
use lorebase_engine::model::entity::EntityKind;
use lorebase_engine::model::episode::{Episode, ExtractionStatus, Span};
use lorebase_engine::model::extraction::{NamedSpan, Reading};
use lorebase_engine::model::fact::{Named, Triple, TripleObject};
use lorebase_engine::model::id::Namespace;
use lorebase_engine::model::predicate::Predicate;
use lorebase_extract::ingest;

use super::FactSource;
use crate::error::Error;
use crate::memory::Memory;

/// The name under which given facts are stored as a reading.
const EXTRACTOR: &str = "given-1";

/// Commits a reading with the given facts for every turn of the case that has some.
pub(super) fn commit(
    memory: &Memory,
    namespace: &Namespace,
    case: &Case,
    source: FactSource,
) -> Result<(), Error> {
    let mut by_turn: HashMap<&str, Vec<&GivenFact>> = HashMap::new();
    for fact in &case.facts {
        by_turn.entry(&fact.turn).or_default().push(fact);
    }
    let reader = memory.engine().reader(namespace)?;
    let mut readings = Vec::new();
    for ix in reader.state().living() {
        let node = reader.state().episode(ix);
        let facts = node.source_id.as_deref().and_then(|id| by_turn.get(id)).map_or(&[][..], Vec::as_slice);
        if source == FactSource::Both && facts.is_empty() {
            continue;
        }
        let episode = reader.episode(ix)?;
        readings.push(reading(memory, &episode, facts, source));
    }
    drop(reader);
    memory.commit(namespace, Changes { readings, ..Changes::default() })
}

fn reading(memory: &Memory, episode: &Episode, facts: &[&GivenFact], source: FactSource) -> Reading {
    let mut own = ingest::read_session(memory.extractor(), std::slice::from_ref(episode));
    let mut found = own.pop().map(|reading| reading.found).unwrap_or_default();
    if source == FactSource::Given {
        found.triples.clear();
    }
    for fact in facts {
        let ends = [&fact.subject, &fact.object];
        found.mentions.extend(ends.into_iter().map(|name| mention(&episode.text, name)));
        found.triples.push(triple(&episode.text, fact));
    }
    Reading { episode: episode.id, extractor: EXTRACTOR.to_owned(), status: ExtractionStatus::Done, found }
}

/// A mention where the text has the name; at its beginning where it does not.
fn mention(text: &str, name: &str) -> NamedSpan {
    let start = text.find(name).map(|byte| text[..byte].chars().count() as u32);
    let length = name.chars().count() as u32;
    let span = start.map_or(Span { start: 0, end: 0 }, |start| Span { start, end: start + length });
    NamedSpan { span, name: name.to_owned(), kind: EntityKind::Unknown }
}

fn triple(text: &str, fact: &GivenFact) -> Triple {
    let named = |name: &str| Named { name: name.to_owned(), kind: EntityKind::Unknown };
    let object = TripleObject::Entity(named(&fact.object));
    let span = Span { start: 0, end: text.chars().count() as u32 };
    Triple { span, ..Triple::new(named(&fact.subject), Predicate::new(&fact.predicate), object) }
}
