//! What `lore extract --json` prints of each turn. The fields are a contract with those who measure
//! extraction.

use lorebase::engine::dates::{Found, Meaning};
use lorebase::engine::model::entity::EntityKind;
use lorebase::engine::model::episode::Span;
use lorebase::engine::model::extraction::NamedSpan;
use lorebase::engine::model::fact::{Triple, TripleObject};
use lorebase::engine::model::time::{Interval, Timestamp};
use lorebase::extract::memories::Statement;
use lorebase::extract::preview::Preview;
use serde::Serialize;

/// A turn. Spans are those of the text as it was given.
#[derive(Debug, Serialize)]
pub(crate) struct Extracted<'p> {
    id: Option<&'p str>,
    entities: Vec<Entity<'p>>,
    facts: Vec<Fact<'p>>,
    memories: Vec<Memory<'p>>,
    times: Vec<Time<'p>>,
    refused: Vec<Mark>,
    flags: Vec<Mark>,
}

#[derive(Debug, Serialize)]
struct Entity<'p> {
    name: &'p str,
    r#type: &'static str,
    start: u32,
    end: u32,
}

#[derive(Debug, Serialize)]
struct Fact<'p> {
    subject: &'p str,
    predicate: &'p str,
    object: &'p str,
    kind: &'static str,
    polarity: &'static str,
    hedged: bool,
    attributed_to: Option<&'p str>,
    importance: u8,
    time: Option<FactTime<'p>>,
    start: u32,
    end: u32,
}

#[derive(Debug, Serialize)]
struct FactTime<'p> {
    from: Option<String>,
    to: Option<String>,
    text: Option<&'p str>,
}

#[derive(Debug, Serialize)]
struct Memory<'p> {
    r#type: &'static str,
    content: &'p str,
}

#[derive(Debug, Serialize)]
struct Time<'p> {
    text: &'p str,
    start: u32,
    end: u32,
    from: Option<String>,
    to: Option<String>,
    granularity: &'static str,
    /// Of what is no time: how long, in seconds, or how often, as TIMEX3 writes it.
    #[serde(skip_serializing_if = "Option::is_none")]
    value: Option<String>,
}

#[derive(Debug, Serialize)]
struct Mark {
    reason: &'static str,
    start: u32,
    end: u32,
}

impl<'p> Extracted<'p> {
    /// What is told of a turn.
    pub(crate) fn of(preview: &'p Preview) -> Self {
        let mark = |reason: &'static str, span: Span| {
            let Span { start, end } = preview.given(span);
            Mark { reason, start, end }
        };
        let found = &preview.found;
        Self {
            id: preview.source_id.as_deref(),
            entities: preview.entities().into_iter().map(|named| Entity::of(preview, named)).collect(),
            facts: found.triples.iter().map(|triple| Fact::of(preview, triple)).collect(),
            memories: preview.memories.iter().map(Memory::of).collect(),
            times: preview.times.iter().map(|time| Time::of(preview, time)).collect(),
            refused: found
                .refused
                .iter()
                .map(|refusal| mark(refusal.reason.as_str(), refusal.span))
                .collect(),
            flags: found.flags.iter().map(|flag| mark(flag.reason.as_str(), flag.span)).collect(),
        }
    }
}

impl<'p> Entity<'p> {
    fn of(preview: &Preview, named: &'p NamedSpan) -> Self {
        let Span { start, end } = preview.given(named.span);
        Self { name: &named.name, r#type: type_of(named.kind), start, end }
    }
}

/// The name of a kind as those spell it who measure extraction.
const fn type_of(kind: EntityKind) -> &'static str {
    match kind {
        EntityKind::Organisation => "organization",
        other => EntityKind::ALL[other as usize].1,
    }
}

impl<'p> Fact<'p> {
    fn of(preview: &'p Preview, triple: &'p Triple) -> Self {
        let Span { start, end } = preview.given(triple.span);
        Self {
            subject: &triple.subject.name,
            predicate: triple.predicate.as_str(),
            object: match &triple.object {
                TripleObject::Entity(named) => &named.name,
                TripleObject::Value(value) => value,
            },
            kind: triple.kind.as_str(),
            polarity: triple.polarity.as_str(),
            hedged: triple.hedged,
            attributed_to: triple.attributed_to.as_deref(),
            importance: triple.importance,
            time: FactTime::of(preview, triple),
            start,
            end,
        }
    }
}

impl<'p> FactTime<'p> {
    fn of(preview: &'p Preview, triple: &Triple) -> Option<Self> {
        let text = preview.time_of(triple).and_then(|time| time.span.slice(&preview.text));
        let told = triple.valid != Interval::ALWAYS || text.is_some();
        told.then(|| Self { from: written(triple.valid.from), to: written(triple.valid.to), text })
    }
}

impl<'p> Memory<'p> {
    fn of(statement: &'p Statement) -> Self {
        Self { r#type: statement.kind.as_str(), content: &statement.content }
    }
}

impl<'p> Time<'p> {
    fn of(preview: &'p Preview, found: &Found) -> Self {
        let Span { start, end } = preview.given(found.span);
        let interval = match found.meaning {
            Meaning::Time { exact, .. } => exact,
            Meaning::Duration { .. } | Meaning::Repetition(_) => Interval::ALWAYS,
        };
        Self {
            text: found.span.slice(&preview.text).unwrap_or_default(),
            start,
            end,
            from: written(interval.from),
            to: written(interval.to),
            granularity: granularity(&found.meaning),
            value: match found.meaning {
                Meaning::Time { .. } => None,
                Meaning::Duration { seconds } => Some(format!("{seconds} s")),
                Meaning::Repetition(repetition) => Some(repetition.to_string()),
            },
        }
    }
}

fn written(at: Option<Timestamp>) -> Option<String> {
    at.map(|at| at.to_string())
}

/// How exactly an expression names its time, or what else it is, as it is shown.
pub(crate) fn granularity(meaning: &Meaning) -> &'static str {
    match meaning {
        Meaning::Duration { .. } => "duration",
        Meaning::Repetition(_) => "repetition",
        Meaning::Time { granularity, .. } => granularity.as_str(),
    }
}
