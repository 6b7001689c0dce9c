//! Facts that are given by hand: asserted, or put in the place of others. Each is an episode of its own, in a session for them,
//! with a reading that says what it states: so it is cited, dated, exported and forgotten as everything else.

use lorebase_engine::change::Changes;
use lorebase_engine::graph::{EpisodeIx, FactIx};
use lorebase_engine::model::entity::EntityKind;
use lorebase_engine::model::episode::{Episode, ExtractionStatus, Span};
use lorebase_engine::model::extraction::{Extraction, NamedSpan, Reading};
use lorebase_engine::model::fact::{Claim, FactKind, Named, Object, Polarity, Triple, TripleObject};
use lorebase_engine::model::id::{EntityId, EpisodeId, FactId, Namespace, SessionId};
use lorebase_engine::model::predicate::Predicate;
use lorebase_engine::model::time::{Interval, SourceTime, Timestamp};
use lorebase_engine::state::State;

use crate::error::Error;
use crate::identity::after_all;
use crate::memory::Memory;
use crate::view::{FactView, Viewer};

/// The name under which what is given by hand is stored as a reading.
const EXTRACTOR: &str = "by-hand-1";

/// Relations of which something that happened is told, not how things are.
const HAPPENED: [&str; 5] = ["went_to", "bought", "did", "won", "graduated_from"];
/// Relations whose objects are plain values, unless they name something that is known or are written as a name.
const OF_VALUES: [&str; 16] = [
    "is",
    "has",
    "works_as",
    "worked_as",
    "studies",
    "likes",
    "dislikes",
    "prefers",
    "named",
    "age",
    "born_on",
    "plays",
    "speaks",
    "allergic_to",
    "plans",
    "did",
];
/// The most words that an object has which is taken for an entity's name.
const NAME_WORDS: usize = 6;

/// A fact that is given.
#[derive(Debug, Clone, Copy)]
pub struct Assertion<'a> {
    /// Of whom.
    pub subject: &'a str,
    /// Which relation, such as `works_at`; the vocabulary is open.
    pub predicate: &'a str,
    /// To what.
    pub object: &'a str,
    /// From when on it holds; `None` for from when it is said.
    pub from: Option<Timestamp>,
    /// Until when it held.
    pub to: Option<Timestamp>,
    /// When it was said; `None` for now.
    pub at: Option<SourceTime>,
    /// When the memory was told; `None` for when it was said.
    pub told: Option<Timestamp>,
    /// Where it comes from: the words that say it, or a single word that names the source.
    pub source: Option<&'a str>,
    /// From when on it is not shown any more.
    pub expires_at: Option<Timestamp>,
}

impl<'a> Assertion<'a> {
    /// A fact that holds from now on.
    pub const fn new(subject: &'a str, predicate: &'a str, object: &'a str) -> Self {
        Self {
            subject,
            predicate,
            object,
            from: None,
            to: None,
            at: None,
            told: None,
            source: None,
            expires_at: None,
        }
    }
}

/// What giving a fact came to.
#[derive(Debug, Clone, PartialEq)]
pub struct Given {
    /// The episode that says it.
    pub episode: EpisodeId,
    /// Whether it was new: the same at the same time from the same source is not.
    pub new: bool,
    /// The facts that it states.
    pub facts: Vec<FactView>,
}

/// What is written down by hand.
pub(crate) struct Turn<'t> {
    pub(crate) text: String,
    pub(crate) source_id: Option<&'t str>,
    pub(crate) at: SourceTime,
    pub(crate) recorded_at: Timestamp,
    pub(crate) told_at: Option<Timestamp>,
    pub(crate) expires_at: Option<Timestamp>,
    /// What it states, each from its first character on.
    pub(crate) triples: Vec<Triple>,
}

impl Memory {
    /// Stores a fact as it is given.
    ///
    /// # Errors
    /// [`Error::Argument`] for an empty name and for one that ends before it begins, and for what was forgotten; and the store's.
    pub fn assert_fact(&self, namespace: &Namespace, given: &Assertion<'_>) -> Result<Given, Error> {
        for (argument, name) in
            [("the subject", given.subject), ("the predicate", given.predicate), ("the object", given.object)]
        {
            if name.trim().is_empty() {
                return Err(Error::Argument { argument, problem: "is empty; name one".to_owned() });
            }
        }
        if given.from.zip(given.to).is_some_and(|(from, to)| from > to) {
            let problem = "is before --from; give a time after it".to_owned();
            return Err(Error::Argument { argument: "--to", problem });
        }
        let reader = self.engine().reader(namespace)?;
        let state = reader.state();
        let triple = triple(state, given);
        let recorded_at = after_all(state)?;
        let at = given.at.unwrap_or(SourceTime { instant: recorded_at, offset_minutes: Some(0) });
        let told = given.told.or(given.at.map(|at| at.instant));
        drop(reader);
        // What is quoted stands behind what it says, so that the fact is found by its own words.
        let words = given.source.filter(|source| source.trim().contains(char::is_whitespace));
        let quoted = words.map(|words| format!(" \u{201c}{}\u{201d}", words.trim())).unwrap_or_default();
        self.write_by_hand(
            namespace,
            Turn {
                text: sentence(&triple) + &quoted,
                source_id: given.source.filter(|_| words.is_none()),
                at,
                recorded_at,
                told_at: told.filter(|told| *told != recorded_at),
                expires_at: given.expires_at,
                triples: vec![triple],
            },
        )
    }

    /// Stores a turn with what it states, unless the same is there.
    pub(crate) fn write_by_hand(&self, namespace: &Namespace, turn: Turn<'_>) -> Result<Given, Error> {
        let session = SessionId::new(SessionId::BY_HAND);
        let _next = self.turn_in(namespace, &session);
        let (episode, reading) = episode(namespace, session, turn);
        let id = episode.id;
        let claims = reading.found.triples.iter().filter(|triple| triple.polarity == Polarity::Affirmed);
        let claims = claims.map(|triple| claim_of(namespace, triple));
        let reader = self.engine().reader(namespace)?;
        let kept_out = |claim: &FactId| reader.state().is_forgotten(&claim.as_tombstone());
        if let Some(claim) = claims.into_iter().find(kept_out) {
            return Err(forgotten(&claim.as_tombstone()));
        }
        drop(reader);
        if self.engine().reader(namespace)?.state().find_episode(&id).is_some() {
            let facts = Viewer::of(&self.engine().reader(namespace)?).facts_stated_in(&id);
            return Ok(Given { episode: id, new: false, facts });
        }
        let changes = Changes { episodes: vec![episode], readings: vec![reading], ..Changes::default() };
        if self.engine().commit(namespace, changes)?.stay_forgotten > 0 {
            return Err(forgotten(&id));
        }
        let facts = Viewer::of(&self.engine().reader(namespace)?).facts_stated_in(&id);
        Ok(Given { episode: id, new: true, facts })
    }
}

/// What a triple claims, by the names that it uses.
fn claim_of(namespace: &Namespace, triple: &Triple) -> FactId {
    let id = |named: &Named| EntityId::of_name(namespace, &named.name);
    let object = match &triple.object {
        TripleObject::Entity(named) => Object::Entity(id(named)),
        TripleObject::Value(value) => Object::Value(value.clone()),
    };
    let claim = Claim {
        subject: id(&triple.subject),
        predicate: triple.predicate.clone(),
        object,
        polarity: triple.polarity,
        kind: triple.kind,
    };
    claim.id(namespace, triple.valid)
}

/// What was given by hand and is held, whatever else a session of that name has.
pub(crate) fn given(state: &State) -> impl Iterator<Item = EpisodeIx> {
    let all = state.by_hand().map_or(&[][..], |ix| state.session(ix).episodes.as_slice());
    all.iter().copied().filter(|ix| state.reader_of(*ix) == Some(EXTRACTOR))
}

fn forgotten(id: &EpisodeId) -> Error {
    let problem =
        format!("was forgotten, and is not taken in again; `lore forget --lift {id}` lets it come again");
    Error::Argument { argument: "the fact", problem }
}

/// The place in the session of what is written down. What is given by hand is no talk: the place is made of all that is given, so that
/// the same that is given again is the same episode, and stays forgotten if it was.
fn place(turn: &Turn<'_>) -> u32 {
    let claims = turn.triples.iter().flat_map(|triple| [triple.valid.from, triple.valid.to]);
    let times = claims.chain([turn.told_at, turn.expires_at]);
    let times: Vec<u8> =
        times.flat_map(|at| at.map_or(i64::MIN, Timestamp::as_millis).to_le_bytes()).collect();
    let id = EpisodeId::of(&[b"by hand", turn.text.as_bytes(), &times]);
    u32::from_le_bytes(*id.as_bytes().first_chunk().expect("an id is longer than four bytes"))
}

fn episode(namespace: &Namespace, session: SessionId, turn: Turn<'_>) -> (Episode, Reading) {
    let position = place(&turn);
    // A source that is named is who says it.
    let said = (turn.source_id, Some(turn.at));
    let id = Episode::id_of(namespace, &session, position, said, &turn.text);
    let Turn { text, source_id, at, recorded_at, told_at, expires_at, mut triples } = turn;
    let end = text.chars().count() as u32;
    for (start, triple) in (0..).zip(&mut triples) {
        // Statements of one fact are told apart by where they stand.
        triple.span = Span { start: end.min(start), end };
    }
    let mut mentions: Vec<NamedSpan> = Vec::new();
    for triple in &triples {
        let object = if let TripleObject::Entity(named) = &triple.object { Some(named) } else { None };
        for named in std::iter::once(&triple.subject).chain(object) {
            if !mentions.iter().any(|known| known.name == named.name) {
                mentions.push(mention(&text, named));
            }
        }
    }
    let found = Extraction { mentions, triples, ..Extraction::default() };
    let reading =
        Reading { episode: id, extractor: EXTRACTOR.to_owned(), status: ExtractionStatus::Done, found };
    let source_id = source_id.map(str::to_owned);
    let occurred_at = Some(at);
    let episode = Episode {
        id,
        session,
        position,
        speaker: source_id.clone(),
        text,
        occurred_at,
        recorded_at,
        source_id,
        expires_at,
        told_at,
    };
    (episode, reading)
}

/// A mention where the text has the name; at its beginning where it does not.
fn mention(text: &str, named: &Named) -> NamedSpan {
    let start = text.find(&named.name).map(|byte| text[..byte].chars().count() as u32);
    let length = named.name.chars().count() as u32;
    let span = start.map_or(Span { start: 0, end: 0 }, |start| Span { start, end: start + length });
    NamedSpan { span, name: named.name.clone(), kind: named.kind }
}

fn triple(state: &State, given: &Assertion<'_>) -> Triple {
    let predicate = Predicate::new(given.predicate);
    let kind = kind_of(&predicate);
    let subject = Named { name: given.subject.trim().to_owned(), kind: EntityKind::Unknown };
    let object = object_of(state, &predicate, given.object.trim());
    let valid = Interval { from: given.from, to: given.to };
    Triple { kind, valid, ..Triple::new(subject, predicate, object) }
}

/// What kind of memory a relation tells.
fn kind_of(predicate: &Predicate) -> FactKind {
    match predicate.as_str() {
        "likes" | "dislikes" | "prefers" => FactKind::Preference,
        "plans" => FactKind::Plan,
        name if HAPPENED.contains(&name) => FactKind::Event,
        _ => FactKind::Fact,
    }
}

/// What an object is that is given as text: an entity where it is known as one or reads like a name, and else a plain value.
pub(crate) fn object_of(state: &State, predicate: &Predicate, text: &str) -> TripleObject {
    let id = EntityId::of_name(state.namespace(), text);
    let known = state.named_by(&id).is_some();
    let of_values = OF_VALUES.contains(&predicate.as_str());
    let is_name = text.chars().any(char::is_uppercase);
    let is_short = text.split_whitespace().count() <= NAME_WORDS;
    let is_number = text.starts_with(|c: char| c.is_numeric());
    if known || (is_short && !is_number && (is_name || !of_values)) {
        TripleObject::Entity(Named { name: text.to_owned(), kind: EntityKind::Unknown })
    } else {
        TripleObject::Value(text.to_owned())
    }
}

/// What a triple says, as a sentence.
pub(crate) fn sentence(triple: &Triple) -> String {
    let not = if triple.polarity == Polarity::Negated { "not " } else { "" };
    let words = triple.predicate.as_str().replace('_', " ");
    format!("{} {not}{words} {}.", triple.subject.name, object_name(&triple.object))
}

pub(crate) fn object_name(object: &TripleObject) -> &str {
    match object {
        TripleObject::Entity(named) => &named.name,
        TripleObject::Value(value) => value,
    }
}

/// The triple of a fact that is held, without a time, by the names that its first statement uses.
pub(crate) fn triple_of(state: &State, ix: FactIx) -> Triple {
    let fact = state.fact(ix);
    let kind = |ix| state.entity(ix).kind();
    let (subject, object) = state.names_written(ix);
    let object = match (fact.object, object) {
        (Some(entity), Some(name)) => {
            TripleObject::Entity(Named { name: name.to_owned(), kind: kind(entity) })
        }
        _ => TripleObject::Value(state.value(ix).unwrap_or_default().to_owned()),
    };
    let subject = Named { name: subject.to_owned(), kind: kind(fact.subject) };
    let polarity = fact.polarity;
    let told = Triple::new(subject, state.predicate(fact.predicate).clone(), object);
    Triple { polarity, kind: fact.kind, ..told }
}

/// The fact of an id.
///
/// # Errors
/// [`Error::Argument`] where nothing states it.
pub(crate) fn fact_named(state: &State, id: &FactId) -> Result<FactIx, Error> {
    state.find_fact(id).ok_or_else(|| {
        let problem = format!(
            "{id} is not stated in namespace {}: `lore facts --json` tells the ids of facts, and what follows from others is not \
             stated itself",
            state.namespace()
        );
        Error::Argument { argument: "the fact", problem }
    })
}
