//! What rulings settle beside who is who: names that entities are given, how facts are kept, rules.

use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

use super::super::{State, SupportNode};
use crate::graph::{EntityIx, FactIx};
use crate::model::fact::{Claim, FactKind, Object};
use crate::model::id::{EntityId, EpisodeId, FactId};
use crate::model::ruling::{Care, Matter, Ruling};
use crate::model::time::Timestamp;
use crate::text;

/// What is settled, by the rulings that count, the later ones over those before.
#[derive(Default, Serialize, Deserialize)]
pub(super) struct Settled {
    /// What entities are called, by the ids of their names, with when that was ruled.
    renames: FxHashMap<EntityId, (Timestamp, Box<str>)>,
    /// How facts are kept, by what their statements claim.
    cares: FxHashMap<FactId, Cares>,
    rules: Vec<RuleText>,
    /// How long facts are shown, by their kind, in milliseconds.
    retains: FxHashMap<FactKind, u64>,
}

/// How a fact is kept.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Cares {
    /// What stands beside it, each with when the memory was told, from the oldest on.
    pub notes: Vec<(Timestamp, Box<str>)>,
    /// Whether it does not expire.
    pub pinned: bool,
    /// From when on it is not shown, where that was ruled.
    pub expires_at: Option<Timestamp>,
}

/// A rule as it was given, with the id of the ruling.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RuleText {
    /// The ruling, by which it is undone.
    pub id: EpisodeId,
    /// The rule.
    pub text: Box<str>,
}

impl Settled {
    /// By rulings that count, from the oldest on.
    pub(super) fn of<'r>(rulings: impl Iterator<Item = &'r (EpisodeId, Ruling)>) -> Self {
        let mut settled = Self::default();
        for (id, ruling) in rulings {
            settled.add(*id, ruling);
        }
        settled
    }

    fn add(&mut self, id: EpisodeId, ruling: &Ruling) {
        match &ruling.matter {
            Matter::Rename { entity, name } => {
                self.renames.insert(*entity, (ruling.recorded_at, name.as_str().into()));
            }
            Matter::Fact { claims, care, .. } => {
                for claim in claims {
                    self.cares.entry(*claim).or_default().add(*care, ruling);
                }
            }
            Matter::Rule { text } => self.rules.push(RuleText { id, text: text.as_str().into() }),
            Matter::Retain { kind, millis: Some(millis) } => _ = self.retains.insert(*kind, *millis),
            Matter::Retain { kind, millis: None } => _ = self.retains.remove(kind),
            Matter::Names(_) | Matter::Lift { .. } | Matter::Undo { .. } => {}
        }
    }
}

impl Cares {
    fn add(&mut self, care: Care, ruling: &Ruling) {
        match care {
            Care::Note => {
                let note = ruling.evidence.note.as_deref().unwrap_or_default();
                self.notes.push((ruling.recorded_at, note.into()));
            }
            Care::Pin => self.pinned = true,
            Care::Unpin => self.pinned = false,
            Care::Expire(at) => self.expires_at = at,
        }
    }

    /// Adds how another claim of the same fact is kept.
    fn join(&mut self, other: &Self) {
        self.notes.extend(
            other.notes.iter().filter(|note| !self.notes.contains(note)).cloned().collect::<Vec<_>>(),
        );
        self.notes.sort();
        self.pinned |= other.pinned;
        self.expires_at = self.expires_at.max(other.expires_at);
    }
}

impl State {
    /// The rules that facts follow by, from the oldest on.
    pub fn rules(&self) -> &[RuleText] {
        &self.rulings.settled.rules
    }

    /// How long facts of a kind are shown since they were last said, in milliseconds; `None` for ever.
    pub fn retained(&self, kind: FactKind) -> Option<u64> {
        self.rulings.settled.retains.get(&kind).copied()
    }

    /// Whether a ruling says how long something is shown.
    pub(in crate::state) fn limits_time(&self) -> bool {
        let settled = &self.rulings.settled;
        !settled.retains.is_empty() || settled.cares.values().any(|cares| cares.expires_at.is_some())
    }

    /// How a fact is kept.
    pub fn cares(&self, ix: FactIx) -> Cares {
        let mut cares = Cares::default();
        if !self.rulings.settled.cares.is_empty() {
            let settled = |(_, claim)| self.rulings.settled.cares.get(&claim);
            self.claims_of(ix).filter_map(settled).for_each(|other| cares.join(other));
        }
        cares
    }

    /// Lets an entity be called as a ruling on one of its names wants, whose id is `own`; of several, the latest counts.
    pub(in crate::state) fn give_name(&mut self, own: EntityId, ix: EntityIx) {
        let renames = &self.rulings.settled.renames;
        let Some(given) = renames.get(&own) else { return };
        let of_others = self
            .rulings
            .settled
            .renames
            .iter()
            .filter(|(id, _)| self.rulings.head(**id) == self.entity(ix).id);
        if of_others.map(|(_, other)| other).max().is_none_or(|latest| latest <= given) {
            self.entities[ix.index()].given = Some(given.1.clone());
        }
    }

    /// The statements of a fact, each with what it claims by the names that it uses itself: these ids stay the same whoever
    /// is ruled to be one with whom.
    pub fn claims_of(&self, ix: FactIx) -> impl Iterator<Item = (&SupportNode, FactId)> {
        self.fact(ix).support().iter().map(move |support| (support, self.claim_of(ix, support)))
    }

    fn claim_of(&self, ix: FactIx, support: &SupportNode) -> FactId {
        let fact = self.fact(ix);
        let own = |end: EntityIx, name: u16| {
            let called = &self.entity(end).names[usize::from(name)];
            self.entity(called.of).id
        };
        let object = match fact.object {
            Some(object) => Object::Entity(own(object, support.names[1])),
            None => Object::Value(self.value(ix).unwrap_or_default().to_owned()),
        };
        let claim = Claim {
            subject: own(fact.subject, support.names[0]),
            predicate: self.predicate(fact.predicate).clone(),
            object,
            polarity: fact.polarity,
            kind: fact.kind,
        };
        claim.id(self.namespace(), support.valid)
    }

    /// The names by which a statement of a fact calls the subject and, where that is an entity, the object, in the form in
    /// which names are compared.
    pub fn names_in(&self, ix: FactIx, support: &SupportNode) -> (&str, Option<&str>) {
        let fact = self.fact(ix);
        let own = |end: EntityIx, name: u16| {
            let called = &self.entity(end).names[usize::from(name)];
            self.entity(called.of).folded_name()
        };
        (own(fact.subject, support.names[0]), fact.object.map(|object| own(object, support.names[1])))
    }

    /// The names by which the first statement of a fact calls the subject and, where that is an entity, the object, as they are
    /// written.
    pub fn names_written(&self, ix: FactIx) -> (&str, Option<&str>) {
        let (fact, first) = (self.fact(ix), self.fact(ix).support().first());
        let names = first.map_or([0, 0], |support| support.names);
        let written = |end: EntityIx, name: u16| -> &str {
            let called = self.entity(end).names.get(usize::from(name));
            called.map_or(self.entity(end).folded_name(), |called| &called.name)
        };
        (written(fact.subject, names[0]), fact.object.map(|object| written(object, names[1])))
    }

    /// The entity that was given a name by a ruling.
    pub(in crate::state) fn given_to(&self, folded: &str) -> Option<EntityIx> {
        let renamed = self.rulings.settled.renames.iter();
        let mut given = renamed.filter(|(_, (_, name))| text::fold_name(name) == folded);
        given.find_map(|(own, (_, name))| {
            let ix = self.find_entity(own).filter(|own| self.is_used(*own)).map(|own| self.head(own))?;
            (self.entity(ix).given.as_ref() == Some(name)).then_some(ix)
        })
    }

    /// The id of the name by which the first statement of a fact calls its subject.
    pub fn subject_named(&self, ix: FactIx) -> Option<EntityId> {
        let (fact, first) = (self.fact(ix), self.fact(ix).support().first()?);
        let called = &self.entity(fact.subject).names[usize::from(first.names[0])];
        Some(self.entity(called.of).id)
    }
}
