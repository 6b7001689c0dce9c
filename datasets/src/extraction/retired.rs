//! Facts that a memory of conversations no longer takes for current, each with what closed it: what a reader
//! needs to judge by hand whether it was retired rightly. The rule by which they are judged stands in
//! `docs/truth.md`.

use std::fmt;
use std::path::Path;
use std::sync::Arc;

use lorebase_engine::Missing;
use lorebase_engine::embed::HashEmbedder;
use lorebase_engine::engine::{Engine, Reader};
use lorebase_engine::graph::FactIx;
use lorebase_engine::model::fact::{FactStatus, Polarity};
use lorebase_engine::model::id::Namespace;
use lorebase_engine::model::time::{SourceTime, Timestamp};
use lorebase_engine::state::{State, SupportNode};
use lorebase_extract::extractor::Extractor;
use lorebase_extract::ingest;

use super::conversations::{ASSISTANTS, PEOPLE, read_conversations};
use super::texts::episodes_in;
use crate::error::Error;

/// Statements of one fact that are shown, from the last.
const SHOWN: usize = 3;

/// A fact that is retired, in lines to be read.
#[derive(Debug, Clone, PartialEq)]
pub struct Retired {
    /// How it was retired.
    pub status: FactStatus,
    /// What it said, until when, and its statements.
    pub before: Told,
    /// The facts that closed it, as far as they can be told: those of the same subject and predicate that
    /// begin where it ends, or else all others.
    pub after: Vec<Told>,
}

/// A fact and its statements.
#[derive(Debug, Clone, PartialEq)]
pub struct Told {
    /// Kind, subject, relation and object, and when it held.
    pub fact: String,
    /// The last statements: when, who, and the turn with what states the fact marked.
    pub statements: Vec<String>,
}

impl fmt::Display for Told {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(out, "{}", self.fact)?;
        self.statements.iter().try_for_each(|statement| writeln!(out, "      {statement}"))
    }
}

impl fmt::Display for Retired {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{:10}{}", self.status.as_str(), self.before)?;
        self.after.iter().try_for_each(|told| write!(out, "  by      {told}"))
    }
}

/// Which conversations.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Talk {
    /// LoCoMo and REALTALK.
    People,
    /// BEAM and RealMem.
    Assistants,
}

/// Takes the conversations in, each into a memory of its own in the folder `scratch`, and tells what is
/// retired in each; in the order of the files.
///
/// # Errors
/// Where data cannot be read, or the memory not be written.
pub fn all(
    extractor: &dyn Extractor,
    (directory, talk): (&Path, Talk),
    scratch: &Path,
) -> Result<Vec<Retired>, Error> {
    let files = match talk {
        Talk::People => PEOPLE,
        Talk::Assistants => ASSISTANTS,
    };
    let (engine, _) = Engine::open(scratch, Missing::Create, Arc::new(HashEmbedder::default()))?;
    let mut found = Vec::new();
    for (number, sessions) in read_conversations(directory, files)?.into_iter().enumerate() {
        let namespace = Namespace::new(&format!("conversation-{number}"))?;
        let sessions = sessions.into_iter().map(|session| episodes_in(&namespace, session)).collect();
        engine.commit(&namespace, ingest::read(extractor, sessions))?;
        let reader = engine.reader(&namespace)?;
        for ix in (0..reader.state().facts().len()).map(|number| FactIx(number as u32)) {
            found.extend(retired(&reader, ix)?);
        }
    }
    Ok(found)
}

fn retired(reader: &Reader, ix: FactIx) -> Result<Option<Retired>, Error> {
    let state = reader.state();
    let fact = state.fact(ix);
    if fact.status == FactStatus::Current || fact.support().is_empty() {
        return Ok(None);
    }
    let rivals: Vec<FactIx> = rivals(state, ix);
    let closes = |rival: &&FactIx| {
        let begins =
            |support: &SupportNode| support.valid.from.is_some() && support.valid.from == fact.valid.to;
        state.fact(**rival).support().iter().any(begins)
    };
    let closing: Vec<FactIx> = rivals.iter().filter(closes).copied().collect();
    let after = if closing.is_empty() { rivals } else { closing };
    Ok(Some(Retired {
        status: fact.status,
        before: told(reader, ix)?,
        after: after.into_iter().map(|rival| told(reader, rival)).collect::<Result<_, _>>()?,
    }))
}

/// The other facts that can have closed one: of the same subject by the same predicate, or by its inverse.
fn rivals(state: &State, ix: FactIx) -> Vec<FactIx> {
    let fact = state.fact(ix);
    let predicate = state.predicate(fact.predicate);
    let inverse = predicate.spec().and_then(|spec| spec.inverse);
    let of_subject = state.facts_of(fact.subject).filter(|other| {
        let other = state.fact(*other);
        let name = state.predicate(other.predicate);
        let forward = name == predicate && other.subject == fact.subject;
        forward || (Some(name.as_str()) == inverse && other.object == Some(fact.subject))
    });
    of_subject.filter(|other| *other != ix && !state.fact(*other).support().is_empty()).collect()
}

fn told(reader: &Reader, ix: FactIx) -> Result<Told, Error> {
    let state = reader.state();
    let fact = state.fact(ix);
    let name = |ix| state.entity(ix).name();
    let object = fact.object.map(name).or_else(|| state.value(ix)).unwrap_or_default();
    let denied = if fact.polarity == Polarity::Negated { "not: " } else { "" };
    let kind = fact.kind.as_str();
    let end = |end: Option<Timestamp>| end.map_or_else(String::new, |at| at.civil().to_string());
    let valid = format!("{} to {}", end(fact.valid.from), end(fact.valid.to));
    let predicate = state.predicate(fact.predicate);
    let shown = format!("{denied}[{kind}] {} | {predicate} | {object}   ({valid})", name(fact.subject));
    let last = fact.support().len().saturating_sub(SHOWN);
    let statements = fact.support()[last..].iter().map(|support| statement(reader, support));
    Ok(Told { fact: shown, statements: statements.collect::<Result<_, _>>()? })
}

fn statement(reader: &Reader, support: &SupportNode) -> Result<String, Error> {
    let episode = reader.episode(support.episode)?;
    let at = episode.occurred_at.map_or_else(|| "no time".to_owned(), SourceTime::to_the_minute);
    let id = episode.source_id.as_deref().unwrap_or_default();
    let span = support.span;
    let marked = match span.slice(&episode.text) {
        Some(piece) if !piece.is_empty() => {
            let (start, end) = (span.start as usize, span.end as usize);
            let (before, behind) = (slice(&episode.text, 0, start), slice(&episode.text, end, usize::MAX));
            format!("{before}⟦{piece}⟧{behind}")
        }
        _ => episode.text.clone(),
    };
    let firm = if support.is_firm() { "" } else { " (not firm)" };
    Ok(format!("{id} {at} {}{firm}: {}", episode.speaker.unwrap_or_default(), marked.replace('\n', " ")))
}

/// A piece of a text by characters.
fn slice(text: &str, start: usize, end: usize) -> String {
    text.chars().skip(start).take(end.saturating_sub(start)).collect()
}
