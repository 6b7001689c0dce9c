//! One history in a memory: its steps done, its questions asked.

use std::collections::HashMap;

use lorebase_datasets::truth::{Asked, Asserted, Claimed, Forgotten, Step, Told as Turn};
use lorebase_engine::change::Changes;
use lorebase_engine::model::entity::EntityKind;
use lorebase_engine::model::episode::{Episode, ExtractionStatus, Span};
use lorebase_engine::model::extraction::Reading;
use lorebase_engine::model::fact::{FactStatus, Named, Polarity, Triple, TripleObject};
use lorebase_engine::model::id::{EpisodeId, Namespace, SessionId};
use lorebase_engine::model::predicate::Predicate;
use lorebase_engine::model::time::{Interval, Timestamp};
use lorebase_engine::text::fold_name;
use lorebase_extract::ingest;
use lorebase_extract::transcript;

use crate::error::Error;
use crate::forget::Selection;
use crate::identity::Merge;
use crate::memory::Memory;
use crate::view::FactView;

/// A memory that is told a history.
pub(super) struct Told<'m> {
    memory: &'m Memory,
    namespace: &'m Namespace,
    /// The episodes of each session, in order.
    sessions: HashMap<String, Vec<Episode>>,
    /// What was committed under each label and for each session.
    sources: HashMap<String, Vec<Changes>>,
}

impl<'m> Told<'m> {
    pub(super) fn new(memory: &'m Memory, namespace: &'m Namespace) -> Self {
        Self { memory, namespace, sessions: HashMap::new(), sources: HashMap::new() }
    }

    /// Does a step.
    pub(super) fn take(&mut self, step: &Step) -> Result<(), Error> {
        match step {
            Step::Tell(turn) => self.tell(turn),
            Step::Assert(asserted) => self.assert(asserted),
            Step::Retell(name) => {
                for changes in self.sources.get(name).cloned().unwrap_or_default() {
                    self.memory.commit(self.namespace, changes)?;
                }
                Ok(())
            }
            Step::Forget(what) => self.forget(what),
            Step::Merge(name, other) => {
                self.memory.merge_entities(self.namespace, &Merge::new(name, other)).map(drop)
            }
            Step::Split(name, other) => self.memory.split_entities(self.namespace, name, other).map(drop),
            Step::Rule(_) | Step::Edit(..) | Step::Undo => {
                Err(Error::Argument { argument: "step", problem: "not yet".to_owned() })
            }
        }
    }

    /// A turn, read with what its session held before. It is recorded when the history says so, and not now.
    fn tell(&mut self, turn: &Turn) -> Result<(), Error> {
        let session = self.sessions.entry(turn.session.clone()).or_default();
        let said = transcript::Turn {
            source_id: None,
            speaker: Some(turn.speaker.clone()),
            at: Some(turn.at),
            text: turn.text.clone(),
        };
        let place = (self.namespace, &SessionId::new(&turn.session), session.len() as u32);
        session.push(said.into_episode(place, None, turn.told.instant));
        let readings = ingest::read_session(self.memory.extractor(), session).pop().into_iter().collect();
        let changes = Changes {
            episodes: session.last().cloned().into_iter().collect(),
            readings,
            ..Changes::default()
        };
        self.keep(&turn.session, turn.label.as_deref(), changes)
    }

    /// A given fact.
    fn assert(&mut self, asserted: &Asserted) -> Result<(), Error> {
        let Asserted { claim: Claimed { subject, predicate, object }, from, to, at, told, source, label } =
            asserted;
        let text = format!("{subject} {predicate} {object}");
        let said =
            transcript::Turn { source_id: None, speaker: source.clone(), at: Some(*at), text: text.clone() };
        let id = SessionId::new("given");
        let position = self.sessions.entry("given".to_owned()).or_default().len() as u32;
        let episode = said.into_episode((self.namespace, &id, position), None, told.instant);
        self.sessions.entry("given".to_owned()).or_default().push(episode.clone());
        let kind = EntityKind::Unknown;
        let named = |name: &String| Named { name: name.clone(), kind };
        let span = Span { start: 0, end: text.chars().count() as u32 };
        let valid = Interval { from: from.map(|at| at.instant), to: to.map(|at| at.instant) };
        let triple = Triple {
            valid,
            span,
            ..Triple::new(named(subject), Predicate::new(predicate), TripleObject::Entity(named(object)))
        };
        let found =
            lorebase_engine::model::extraction::Extraction { triples: vec![triple], ..Default::default() };
        let reading = Reading {
            episode: episode.id,
            extractor: "given-1".to_owned(),
            status: ExtractionStatus::Done,
            found,
        };
        let changes = Changes { episodes: vec![episode], readings: vec![reading], ..Changes::default() };
        self.keep("given", label.as_deref(), changes)
    }

    fn keep(&mut self, session: &str, label: Option<&str>, changes: Changes) -> Result<(), Error> {
        for name in std::iter::once(session).chain(label) {
            self.sources.entry(name.to_owned()).or_default().push(changes.clone());
        }
        self.memory.commit(self.namespace, changes)
    }

    fn forget(&self, what: &Forgotten) -> Result<(), Error> {
        let ids = |name: &String| -> Vec<EpisodeId> {
            let sources = self.sources.get(name).map_or(&[][..], Vec::as_slice);
            sources.iter().flat_map(|changes| &changes.episodes).map(|episode| episode.id).collect()
        };
        let episodes = match what {
            Forgotten::Session(name) | Forgotten::Step(name) => ids(name),
            _ => return Err(Error::Argument { argument: "step", problem: "not yet".to_owned() }),
        };
        self.memory.forget(self.namespace, &Selection { episodes: &episodes, sessions: &[] }).map(drop)
    }

    /// What is answered, and whether it is told to be contested.
    pub(super) fn answer(&self, asked: &Asked, now: Option<Timestamp>) -> Result<(Vec<String>, bool), Error> {
        let at = asked.as_of.map(|at| at.instant).or(now);
        let facts = self.memory.facts(self.namespace, Some(&asked.subject), None)?;
        let firm = |fact: &&FactView| !fact.hedged && fact.attributed_to.is_none();
        let holds = |fact: &&FactView| {
            let valid = fact.valid;
            let inside = at.is_none_or(|at| {
                valid.from.is_none_or(|from| from <= at) && valid.to.is_none_or(|to| to > at)
            });
            fact.polarity == Polarity::Affirmed
                && inside
                && (asked.as_of.is_some() || fact.status == FactStatus::Current)
        };
        let said: Vec<(&FactView, String)> = facts
            .iter()
            .filter(firm)
            .filter(holds)
            .filter_map(|fact| Some((fact, said_of(fact, asked)?)))
            .collect();
        let mut found: Vec<String> = said.iter().map(|(_, object)| object.clone()).collect();
        found.sort();
        found.dedup();
        Ok((found, false))
    }
}

/// What a fact says of who is asked about by the predicate that is asked about, told from either end.
fn said_of(fact: &FactView, asked: &Asked) -> Option<String> {
    let is = |name: &str| {
        let (name, wanted) = (fold_name(name), fold_name(&asked.subject));
        name == wanted || name.split(' ').next() == Some(wanted.as_str())
    };
    let predicate = Predicate::new(&asked.predicate);
    if fact.predicate == predicate && is(&fact.subject) {
        return Some(fact.object.clone());
    }
    let inverse = fact.predicate.spec().and_then(|spec| spec.inverse);
    (inverse == Some(predicate.as_str()) && is(&fact.object)).then(|| fact.subject.clone())
}

/// When something is said in a step, if it is.
pub(super) fn time(step: &Step) -> Option<Timestamp> {
    match step {
        Step::Tell(turn) => Some(turn.at.instant.max(turn.told.instant)),
        Step::Assert(asserted) => Some(asserted.at.instant.max(asserted.told.instant)),
        _ => None,
    }
}
