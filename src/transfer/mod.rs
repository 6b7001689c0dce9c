//! How everything that a memory holds leaves it and comes into another: the things as plain values. What they
//! look like in a file is not told here.

pub mod compare;
pub mod export;
pub mod import;
mod rulings;

use lorebase_engine::change::Changes;
use lorebase_engine::model::entity::EntityKind;
use lorebase_engine::model::episode::{Episode, Span};
use lorebase_engine::model::extraction::Reading;
use lorebase_engine::model::fact::{FactKind, FactStatus, Polarity};
use lorebase_engine::model::id::{EntityId, EpisodeId, FactId, Namespace};
use lorebase_engine::model::predicate::Predicate;
use lorebase_engine::model::time::Interval;

pub use self::rulings::{ClaimThing, MatterThing, RulingThing};

/// One thing that a namespace holds. Episodes, tombstones and rulings are what was told; entities and facts
/// are made from them, and are there for who wants to use them without making them again.
#[derive(Debug, Clone, PartialEq)]
pub enum Thing {
    /// What was said, and what was read in it.
    Episode {
        /// The episode.
        episode: Episode,
        /// The last reading of it, as it was stored; `None` where it was never read.
        reading: Option<Reading>,
    },
    /// An episode that was forgotten, and is not taken in again.
    Tombstone(EpisodeId),
    /// Something that was settled beside what was said.
    Ruling(RulingThing),
    /// An entity.
    Entity(EntityThing),
    /// A fact.
    Fact(FactThing),
}

/// An entity as it is handed on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EntityThing {
    /// Its id.
    pub id: EntityId,
    /// The name that it is most often called by; where only facts name it, its folded name.
    pub name: String,
    /// What kind of thing it is.
    pub kind: EntityKind,
    /// Every name that it is called by, most used first.
    pub aliases: Vec<String>,
    /// How many episodes name it.
    pub episodes: u32,
    /// Entities whose name is likely another name of it, by id.
    pub same_as: Vec<EntityId>,
}

/// A fact as it is handed on.
#[derive(Debug, Clone, PartialEq)]
pub struct FactThing {
    /// Its id.
    pub id: FactId,
    /// Of whom.
    pub subject: EntityName,
    /// Which relation.
    pub predicate: Predicate,
    /// To what.
    pub object: ObjectThing,
    /// What kind of memory it is.
    pub kind: FactKind,
    /// Said or denied.
    pub polarity: Polarity,
    /// How sure the surest statement is, from 0 to 1.
    pub confidence: f32,
    /// Where it stands among the facts on the same subject and predicate.
    pub status: FactStatus,
    /// When it held.
    pub valid: Interval,
    /// When it was known.
    pub recorded: Interval,
    /// The statements that it rests on, by episode and span.
    pub support: Vec<SupportThing>,
}

/// An entity that a fact is about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EntityName {
    /// Its id.
    pub id: EntityId,
    /// The name that it is most often called by; where only facts name it, its folded name.
    pub name: String,
}

/// What a fact says of its subject.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ObjectThing {
    /// Another entity.
    Entity(EntityName),
    /// A plain value.
    Value(String),
}

/// Where a fact is stated.
#[derive(Debug, Clone, PartialEq)]
pub struct SupportThing {
    /// Which episode.
    pub episode: EpisodeId,
    /// Which characters of it.
    pub span: Span,
    /// How sure the extractor is, from 0 to 1.
    pub confidence: f32,
    /// Whether it is said with a doubt.
    pub hedged: bool,
    /// Whose words it is, where the speaker passes them on.
    pub attributed_to: Option<String>,
    /// How much it matters, from 1 to 10.
    pub importance: u8,
}

/// How many things there are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Tally {
    /// Episodes.
    pub episodes: u64,
    /// Episodes that were forgotten.
    pub tombstones: u64,
    /// Rulings.
    pub rulings: u64,
    /// Entities.
    pub entities: u64,
    /// Facts.
    pub facts: u64,
}

impl Tally {
    /// Counts one more.
    pub fn count(&mut self, thing: &Thing) {
        match thing {
            Thing::Episode { .. } => self.episodes += 1,
            Thing::Tombstone(_) => self.tombstones += 1,
            Thing::Ruling(_) => self.rulings += 1,
            Thing::Entity(_) => self.entities += 1,
            Thing::Fact(_) => self.facts += 1,
        }
    }
}

impl Thing {
    /// Checks what can be checked without a memory: that an episode's id is that of its content, that its
    /// reading is of it, and that nothing is longer than a memory takes.
    ///
    /// # Errors
    /// What does not hold, in words.
    pub fn check(&self, namespace: &Namespace) -> Result<(), String> {
        if let Self::Ruling(ruling) = self {
            let rulings = vec![ruling.in_namespace(namespace)];
            let changes = Changes { rulings, ..Changes::default() };
            return changes.validate(namespace).map_err(|error| error.to_string());
        }
        let Self::Episode { episode, reading } = self else { return Ok(()) };
        if let Some(other) = reading.as_ref().map(|reading| reading.episode).filter(|id| *id != episode.id) {
            return Err(format!("the reading of episode {} is one of episode {other}", episode.id));
        }
        Changes::validate_one(namespace, episode, reading.as_ref())
    }

    /// The same thing as another namespace has it. An episode gets another id there, and a ruling is on the
    /// same names; what was forgotten has left nothing to make one from, and entities and facts are made
    /// anew, so they have no counterpart.
    pub fn moved_to(self, namespace: &Namespace) -> Option<Self> {
        let (mut episode, mut reading) = match self {
            Self::Episode { episode, reading } => (episode, reading),
            Self::Ruling(_) => return Some(self),
            Self::Tombstone(_) | Self::Entity(_) | Self::Fact(_) => return None,
        };
        episode.id = id_in(namespace, &episode);
        if let Some(reading) = &mut reading {
            reading.episode = episode.id;
        }
        Some(Self::Episode { episode, reading })
    }
}

/// The id that an episode has in a namespace.
pub fn id_in(namespace: &Namespace, episode: &Episode) -> EpisodeId {
    let said = (episode.speaker.as_deref(), episode.occurred_at);
    Episode::id_of(namespace, &episode.session, episode.position, said, &episode.text)
}
