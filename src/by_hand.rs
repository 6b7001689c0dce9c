//! Facts that are given by hand: asserted, or put in the place of others. Each is an episode of its own, in a session for them,
//! with a reading that says what it states: so it is cited, dated, exported and forgotten as everything else.

use lorebase_engine::change::Changes;
use lorebase_engine::graph::{EpisodeIx, FactIx};
use lorebase_engine::model::entity::EntityKind;
use lorebase_engine::model::episode::{Episode, ExtractionStatus, Span};
use lorebase_engine::model::extraction::{Extraction, NamedSpan, Reading};
use lorebase_engine::model::fact::{FactKind, Named, Polarity, Triple, TripleObject};
use lorebase_engine::model::id::{EpisodeId, FactId, Namespace, SessionId};
use lorebase_engine::model::predicate::Predicate;
use lorebase_engine::model::time::{Interval, SourceTime, Timestamp};
use lorebase_engine::state::{State, SupportNode};

use crate::error::Error;
use crate::identity::after_all;
use crate::memory::Memory;
use crate::view::{FactView, Viewer};

/// The session of what is given by hand.
pub const HAND_SESSION: &str = SessionId::BY_HAND;
/// The name under which it is stored as a reading.
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
        let triple = triple(reader.state(), given);
        let present = after_all(reader.state())?;
        let recorded_at = given.told.or(given.at.map(|at| at.instant)).unwrap_or(present);
        drop(reader);
        let words = given.source.filter(|source| source.trim().contains(char::is_whitespace));
        let text = words.map_or_else(|| sentence(&triple), str::to_owned);
        self.write_by_hand(
            namespace,
            Turn {
                text,
                source_id: given.source.filter(|_| words.is_none()),
                at: given.at.unwrap_or(SourceTime { instant: present, offset_minutes: Some(0) }),
                recorded_at,
                expires_at: given.expires_at,
                triples: vec![triple],
            },
        )
    }

    /// Stores a turn with what it states, unless the same is there.
    pub(crate) fn write_by_hand(&self, namespace: &Namespace, turn: Turn<'_>) -> Result<Given, Error> {
        let session = SessionId::new(HAND_SESSION);
        let _next = self.turn_in(namespace, &session);
        let reader = self.engine().reader(namespace)?;
        let list = reader.state().find_session(&session).map(|ix| &reader.state().session(ix).episodes);
        let list = list.map_or(&[][..], Vec::as_slice);
        for ix in list.iter().filter(|ix| reader.state().episode(**ix).occurred_at == Some(turn.at)) {
            let known = reader.episode(*ix)?;
            let same = known.text == turn.text && known.source_id.as_deref() == turn.source_id;
            if same && states(reader.state(), *ix, &turn.triples) {
                let facts = facts_of(&Viewer::of(&reader), &known.id);
                return Ok(Given { episode: known.id, new: false, facts });
            }
        }
        let position = list.last().map_or(0, |last| reader.state().episode(*last).position + 1);
        // What was forgotten is not taken in again at another place of the session either.
        let once = |position| id_of(namespace, &session, position, &turn);
        if reader.state().keeps_out()
            && (0..position).any(|position| reader.state().is_forgotten(&once(position)))
        {
            return Err(forgotten());
        }
        drop(reader);
        let (episode, reading) = episode(namespace, session, position, turn);
        let id = episode.id;
        let changes = Changes { episodes: vec![episode], readings: vec![reading], ..Changes::default() };
        if self.engine().commit(namespace, changes)?.stay_forgotten > 0 {
            return Err(forgotten());
        }
        let facts = facts_of(&Viewer::of(&self.engine().reader(namespace)?), &id);
        Ok(Given { episode: id, new: true, facts })
    }
}

fn forgotten() -> Error {
    let problem =
        "was forgotten, as said at this time, and is not taken in again; `lore forget --lift` lets it";
    Error::Argument { argument: "the fact", problem: problem.to_owned() }
}

/// The id of what is written down at a place of the session. A source that is named is who says it.
fn id_of(namespace: &Namespace, session: &SessionId, position: u32, turn: &Turn<'_>) -> EpisodeId {
    Episode::id_of(namespace, session, position, (turn.source_id, Some(turn.at)), &turn.text)
}

/// Whether an episode states just what is claimed, and of the same times.
fn states(state: &State, episode: EpisodeIx, triples: &[Triple]) -> bool {
    let facts = state.episode(episode).facts();
    let same = |(fact, triple): (&FactIx, &Triple)| {
        let told = state.fact(*fact).support().iter().filter(|support| support.episode == episode);
        let from = |support: &SupportNode| support.dated.then_some(support.valid.from).flatten();
        told.into_iter()
            .any(|support| from(support) == triple.valid.from && support.valid.to == triple.valid.to)
    };
    facts.len() == triples.len() && (facts.len() > 1 || facts.iter().zip(triples).all(same))
}

fn facts_of(viewer: &Viewer<'_>, id: &EpisodeId) -> Vec<FactView> {
    let state = viewer.reader.state();
    let Some(ix) = state.find_episode(id) else { return Vec::new() };
    state.episode(ix).facts().iter().map(|fact| viewer.fact(*fact)).collect()
}

fn episode(namespace: &Namespace, session: SessionId, position: u32, turn: Turn<'_>) -> (Episode, Reading) {
    let id = id_of(namespace, &session, position, &turn);
    let Turn { text, source_id, at, recorded_at, expires_at, mut triples } = turn;
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
    let id = lorebase_engine::model::id::EntityId::of_name(state.namespace(), text);
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

/// The triple of a fact that is held, without a time.
pub(crate) fn triple_of(state: &State, ix: FactIx) -> Triple {
    let fact = state.fact(ix);
    let named = |ix| {
        let entity = state.entity(ix);
        Named { name: entity.name().to_owned(), kind: entity.kind() }
    };
    let object = match fact.object {
        Some(object) => TripleObject::Entity(named(object)),
        None => TripleObject::Value(state.value(ix).unwrap_or_default().to_owned()),
    };
    let polarity = fact.polarity;
    let told = Triple::new(named(fact.subject), state.predicate(fact.predicate).clone(), object);
    Triple { polarity, kind: fact.kind, ..told }
}

/// The fact of an id.
///
/// # Errors
/// [`Error::Argument`] where nothing states it.
pub(crate) fn fact_named(state: &State, id: &FactId) -> Result<FactIx, Error> {
    state.find_fact(id).ok_or_else(|| {
        let problem = format!(
            "{id} is not known in namespace {}; `lore facts --json` tells the ids of facts",
            state.namespace()
        );
        Error::Argument { argument: "the fact", problem }
    })
}
