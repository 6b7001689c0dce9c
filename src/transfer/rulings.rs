//! Rulings as they are handed on: with the names and claims that they are about, from which another namespace
//! makes its own ids.

use lorebase_engine::graph::FactIx;
use lorebase_engine::model::fact::{Claim, FactKind, Object, Polarity};
use lorebase_engine::model::id::{EntityId, FactId, Namespace};
use lorebase_engine::model::predicate::Predicate;
use lorebase_engine::model::ruling::{Care, Evidence, Matter, Names, Ruling};
use lorebase_engine::model::time::{Interval, Timestamp};
use lorebase_engine::state::State;

/// A ruling as it is handed on.
#[derive(Debug, Clone, PartialEq)]
pub struct RulingThing {
    /// What is settled.
    pub matter: MatterThing,
    /// What speaks for it.
    pub evidence: Evidence,
    /// When the memory was told.
    pub recorded_at: Timestamp,
}

/// What a ruling settles; see [`Matter`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum MatterThing {
    /// That two names are names of one entity, or that they are not.
    Names {
        /// The name of the entity that stays.
        one: String,
        /// The name of the entity that becomes part of it, or is kept apart from it.
        other: String,
        /// Whether they are one.
        same: bool,
    },
    /// What an entity is called.
    Rename {
        /// One of its own names.
        entity: String,
        /// The name that it is given.
        name: String,
    },
    /// What is to be done with a fact.
    Fact {
        /// What its statements claim; at least one.
        claims: Vec<ClaimThing>,
        /// What is done with it.
        care: Care,
    },
    /// That facts follow from others.
    Rule(String),
    /// How long facts of a kind are shown.
    Retain {
        /// The kind.
        kind: FactKind,
        /// In milliseconds; `None` for ever.
        millis: Option<u64>,
    },
}

/// What a statement claims, in the names that it uses, as they are compared.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClaimThing {
    /// The name of its subject.
    pub subject: String,
    /// The relation.
    pub predicate: Predicate,
    /// The name of its object, or the plain value.
    pub object: String,
    /// Whether the object is a plain value.
    pub is_value: bool,
    /// Said or denied.
    pub polarity: Polarity,
    /// What kind of memory it is.
    pub kind: FactKind,
    /// When it began; of use for events only.
    pub began: Option<Timestamp>,
}

impl RulingThing {
    /// A ruling of a namespace with names in the place of ids, where they are used.
    pub(super) fn of(state: &State, ruling: &Ruling) -> Option<Self> {
        let name = |id| state.named_by(id).map(|(_, name)| name.to_owned());
        let matter = match &ruling.matter {
            Matter::Names(Names { one, other, same }) => {
                MatterThing::Names { one: name(one)?, other: name(other)?, same: *same }
            }
            Matter::Rename { entity, name: given } => {
                MatterThing::Rename { entity: name(entity)?, name: given.clone() }
            }
            Matter::Fact { subject, claims, care } => {
                let (ix, _) = state.named_by(subject)?;
                let mut found: Vec<(FactId, ClaimThing)> = Vec::new();
                for fact in state.facts_of(ix) {
                    found.extend(ClaimThing::all_of(state, fact).filter(|(id, _)| claims.contains(id)));
                }
                found.sort_by_key(|(id, _)| *id);
                found.dedup_by_key(|(id, _)| *id);
                let claims: Vec<ClaimThing> = found.into_iter().map(|(_, claim)| claim).collect();
                (!claims.is_empty()).then_some(MatterThing::Fact { claims, care: *care })?
            }
            Matter::Rule { text } => MatterThing::Rule(text.clone()),
            Matter::Retain { kind, millis } => MatterThing::Retain { kind: *kind, millis: *millis },
            Matter::Lift { .. } | Matter::Undo { .. } => return None,
        };
        Some(Self { matter, evidence: ruling.evidence.clone(), recorded_at: ruling.recorded_at })
    }

    /// The ruling as a namespace holds it.
    pub fn in_namespace(&self, namespace: &Namespace) -> Ruling {
        let id = |name: &str| EntityId::of_name(namespace, name);
        let matter = match &self.matter {
            MatterThing::Names { one, other, same } => {
                Matter::Names(Names { one: id(one), other: id(other), same: *same })
            }
            MatterThing::Rename { entity, name } => Matter::Rename { entity: id(entity), name: name.clone() },
            MatterThing::Fact { claims, care } => Matter::Fact {
                subject: id(claims.first().map_or("", |claim| &claim.subject)),
                claims: claims.iter().map(|claim| claim.id(namespace)).collect(),
                care: *care,
            },
            MatterThing::Rule(text) => Matter::Rule { text: text.clone() },
            MatterThing::Retain { kind, millis } => Matter::Retain { kind: *kind, millis: *millis },
        };
        Ruling { matter, evidence: self.evidence.clone(), recorded_at: self.recorded_at }
    }
}

impl ClaimThing {
    /// What the statements of a fact claim, with ids.
    fn all_of(state: &State, ix: FactIx) -> impl Iterator<Item = (FactId, Self)> {
        let fact = state.fact(ix);
        state.claims_of(ix).map(move |(support, id)| {
            let (subject, object) = state.names_in(ix, support);
            let claim = Self {
                subject: subject.to_owned(),
                predicate: state.predicate(fact.predicate).clone(),
                object: object.or_else(|| state.value(ix)).unwrap_or_default().to_owned(),
                is_value: fact.object.is_none(),
                polarity: fact.polarity,
                kind: fact.kind,
                began: support.valid.from.filter(|_| fact.kind == FactKind::Event),
            };
            (id, claim)
        })
    }

    fn id(&self, namespace: &Namespace) -> FactId {
        let object = if self.is_value {
            Object::Value(self.object.clone())
        } else {
            Object::Entity(EntityId::of_name(namespace, &self.object))
        };
        let claim = Claim {
            subject: EntityId::of_name(namespace, &self.subject),
            predicate: self.predicate.clone(),
            object,
            polarity: self.polarity,
            kind: self.kind,
        };
        claim.id(namespace, Interval { from: self.began, to: None })
    }
}
