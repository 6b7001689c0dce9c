//! One history in a memory: its steps done, its questions asked.

use std::collections::{BTreeSet, HashMap};

use lorebase_datasets::truth::{Asked, Asserted, Claimed, Forgotten, Step, Told as Turn};
use lorebase_engine::change::Changes;
use lorebase_engine::model::episode::Episode;
use lorebase_engine::model::fact::Polarity;
use lorebase_engine::model::id::{EpisodeId, FactId, Namespace, SessionId};
use lorebase_engine::model::predicate::Predicate;
use lorebase_engine::model::time::{Moment, Timestamp};
use lorebase_engine::text::fold_name;
use lorebase_extract::ingest;
use lorebase_extract::transcript;

use crate::by_hand::Assertion;
use crate::edit::Edit;
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
    /// What was given under each label, and the episode that says it.
    given: HashMap<String, (Asserted, EpisodeId)>,
}

impl<'m> Told<'m> {
    pub(super) fn new(memory: &'m Memory, namespace: &'m Namespace) -> Self {
        Self { memory, namespace, sessions: HashMap::new(), sources: HashMap::new(), given: HashMap::new() }
    }

    /// Does a step.
    pub(super) fn take(&mut self, step: &Step) -> Result<(), Error> {
        match step {
            Step::Tell(turn) => self.tell(turn),
            Step::Assert(asserted) => self.assert(asserted),
            Step::Retell(name) => self.retell(name),
            Step::Forget(what) => self.forget(what),
            Step::Edit(claim, object) => self.edit(claim, object),
            Step::Undo => self.memory.undo(self.namespace, None).map(drop),
            Step::Merge(name, other) => {
                self.memory.merge_entities(self.namespace, &Merge::new(name, other)).map(drop)
            }
            Step::Split(name, other) => self.memory.split_entities(self.namespace, name, other).map(drop),
            Step::Rule(rule) => self.memory.add_rule(self.namespace, rule).map(drop),
        }
    }

    /// The same once more: what was forgotten of it must not come back, and is refused where it was given.
    fn retell(&mut self, name: &str) -> Result<(), Error> {
        for changes in self.sources.get(name).cloned().unwrap_or_default() {
            self.memory.commit(self.namespace, changes)?;
        }
        if let Some((asserted, _)) = self.given.get(name).cloned() {
            match self.assert(&asserted) {
                Err(Error::Argument { .. }) | Ok(()) => {}
                Err(error) => return Err(error),
            }
        }
        Ok(())
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

    /// A given fact; given again, it is told again.
    fn assert(&mut self, asserted: &Asserted) -> Result<(), Error> {
        let Asserted { claim: Claimed { subject, predicate, object }, from, to, at, source, .. } = asserted;
        let given = Assertion {
            from: from.map(|at| at.instant),
            to: to.map(|at| at.instant),
            at: Some(*at),
            told: Some(asserted.told.instant),
            source: source.as_deref(),
            ..Assertion::new(subject, predicate, object)
        };
        let told = self.memory.assert_fact(self.namespace, &given)?;
        if let Some(label) = &asserted.label {
            self.given.insert(label.clone(), (asserted.clone(), told.episode));
        }
        Ok(())
    }

    fn keep(&mut self, session: &str, label: Option<&str>, changes: Changes) -> Result<(), Error> {
        for name in std::iter::once(session).chain(label) {
            self.sources.entry(name.to_owned()).or_default().push(changes.clone());
        }
        self.memory.commit(self.namespace, changes)
    }

    fn forget(&self, what: &Forgotten) -> Result<(), Error> {
        let told = |name: &String| -> Vec<EpisodeId> {
            let sources = self.sources.get(name).map_or(&[][..], Vec::as_slice);
            let told = sources.iter().flat_map(|changes| &changes.episodes).map(|episode| episode.id);
            told.chain(self.given.get(name).map(|(_, episode)| *episode)).collect()
        };
        let (episodes, facts) = match what {
            Forgotten::Session(name) | Forgotten::Step(name) => (told(name), Vec::new()),
            Forgotten::Fact(claim) => (Vec::new(), self.facts_that_say(claim)?),
            Forgotten::Entity(_) | Forgotten::Before(_) => (Vec::new(), Vec::new()),
        };
        let entities = if let Forgotten::Entity(name) = what { vec![name.as_str()] } else { Vec::new() };
        let before = if let Forgotten::Before(at) = what { Some(at.instant) } else { None };
        let selection = Selection {
            episodes: &episodes,
            facts: &facts,
            entities: &entities,
            before,
            ..Selection::default()
        };
        self.memory.forget(self.namespace, &selection).map(drop)
    }

    /// The facts that say what is claimed, from either end.
    fn facts_that_say(&self, claim: &Claimed) -> Result<Vec<FactId>, Error> {
        let (subject, object) = (fold_name(&claim.subject), fold_name(&claim.object));
        let facts = self.facts(&claim.subject, &claim.predicate, Moment::default())?;
        let says = |fact: &FactView| {
            let ends = (fold_name(&fact.subject), fold_name(&fact.object));
            ends == (subject.clone(), object.clone()) || ends == (object.clone(), subject.clone())
        };
        let stated = |fact: &&FactView| fact.derived.is_none() && fact.polarity == Polarity::Affirmed;
        let said = facts.iter().filter(stated).filter(|fact| says(fact));
        Ok(said.map(|fact| fact.id).collect())
    }

    /// The fact that says it gets another object.
    fn edit(&self, claim: &Claimed, object: &str) -> Result<(), Error> {
        let facts = self.facts_that_say(claim)?;
        let Some(fact) = facts.first() else {
            let Claimed { subject, predicate, object } = claim;
            let problem = format!("to edit is not known: {subject} {predicate} {object}");
            return Err(Error::Argument { argument: "the fact", problem });
        };
        self.memory.edit(self.namespace, fact, Edit::Replace { object, note: None }).map(drop)
    }

    /// What follows about somebody by a predicate, and what is stated with it or its inverse.
    fn facts(&self, subject: &str, predicate: &str, moment: Moment) -> Result<Vec<FactView>, Error> {
        let inverse = Predicate::new(predicate).spec().and_then(|spec| spec.inverse);
        let mut names: Vec<&str> = std::iter::once(predicate).chain(inverse).collect();
        names.dedup();
        let told = |name| self.memory.facts_at(self.namespace, Some(subject), Some(name), moment);
        let mut facts = names.into_iter().map(told).collect::<Result<Vec<_>, _>>()?.concat();
        facts.extend(self.memory.following(self.namespace, Some(subject), Some(predicate), moment)?.facts);
        Ok(facts)
    }

    /// What is answered, and whether it is told to be contested. Where no time of the world is asked for, it
    /// is `now`.
    pub(super) fn answer(&self, asked: &Asked, now: Option<Timestamp>) -> Result<(Vec<String>, bool), Error> {
        let moment = Moment {
            as_of: asked.as_of.map(|at| at.instant).or(now),
            known_at: asked.known_at.map(|at| at.instant),
            now: None,
        };
        let facts = self.facts(&asked.subject, &asked.predicate, moment)?;
        let names = self.names(&asked.subject)?;
        // What is only thought or passed on is no answer.
        let firm = |fact: &&FactView| {
            fact.polarity == Polarity::Affirmed && !fact.hedged && fact.attributed_to.is_none()
        };
        let said: Vec<(String, bool)> = facts
            .iter()
            .filter(firm)
            .filter_map(|fact| Some((said_of(fact, &asked.predicate, &names)?, fact.contested)))
            .collect();
        let contested = said.iter().any(|(_, contested)| *contested);
        let objects: BTreeSet<String> = said.into_iter().map(|(object, _)| object).collect();
        Ok((objects.into_iter().collect(), contested))
    }

    /// Every name of whom a name may mean, folded.
    fn names(&self, name: &str) -> Result<BTreeSet<String>, Error> {
        let entities = self.memory.entity(self.namespace, name)?;
        let named = entities.iter().flat_map(|entity| std::iter::once(&entity.name).chain(&entity.aliases));
        Ok(named.map(|name| fold_name(name)).chain([fold_name(name)]).collect())
    }
}

/// What a fact says of who has one of some names by a predicate, told from either end.
fn said_of(fact: &FactView, predicate: &str, names: &BTreeSet<String>) -> Option<String> {
    if fact.predicate.as_str() == predicate && names.contains(&fold_name(&fact.subject)) {
        return Some(fact.object.clone());
    }
    let inverse = fact.predicate.spec().and_then(|spec| spec.inverse);
    (inverse == Some(predicate) && names.contains(&fold_name(&fact.object))).then(|| fact.subject.clone())
}

/// When something is said in a step, if it is.
pub(super) fn time(step: &Step) -> Option<Timestamp> {
    match step {
        Step::Tell(turn) => Some(turn.at.instant.max(turn.told.instant)),
        Step::Assert(asserted) => Some(asserted.at.instant.max(asserted.told.instant)),
        _ => None,
    }
}
