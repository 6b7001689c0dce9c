//! One namespace in memory: its episodes, entities and facts, its graph and its indexes. All of it is made from
//! the store and can be thrown away. Files beside this one change it; this one is what readers see.

use serde::{Deserialize, Serialize};

mod apply;
mod bearing;
mod forget;
mod holding;
mod ids;
mod known;
mod layout;
mod likeness;
mod names;
pub(crate) mod passage;
mod relations;
mod relocate;
mod rulings;
mod said;
mod size;
mod snapshot;
mod sound;
mod speakers;
#[cfg(test)]
mod trials;
mod walks;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::dates::Granularity;
use crate::embed::{Embedder, HashEmbedder, ModelIdentity};
use crate::graph::{EntityIx, EpisodeIx, FactIx, Graph, SessionIx};
use crate::index::lexical::{Bm25, Lexical};
use crate::index::vector::VectorIndex;
use crate::model::entity::EntityKind;
use crate::model::episode::{ExtractionStatus, Span};
use crate::model::fact::{FactKind, FactStatus, Polarity};
use crate::model::id::{EntityId, EpisodeId, FactId, Namespace, SessionId};
use crate::model::time::{Interval, SourceTime, Timestamp};
use crate::store::TextRef;

pub(crate) use self::apply::Arrival;
pub use self::holding::Fronts;
pub(crate) use self::known::Known;
pub use self::known::Standing;
pub use self::likeness::{Likely, Nicknames};
pub use self::relations::PredicateIx;
pub use self::rulings::{Cares, RuleText};
pub(crate) use self::snapshot::VERSION as SNAPSHOT_VERSION;

/// An episode in memory; its text stays on disk.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct EpisodeNode {
    /// Its id.
    pub id: EpisodeId,
    /// Its session.
    pub session: SessionIx,
    /// Its place in the session.
    pub position: u32,
    /// Who said it: a number into [`State::speakers`].
    pub speaker: Option<u32>,
    /// When it was said.
    pub occurred_at: Option<SourceTime>,
    /// When the memory was told.
    pub recorded_at: Timestamp,
    /// The id that the source gave it.
    pub source_id: Option<Box<str>>,
    /// From when on it is not shown any more.
    pub expires_at: Option<Timestamp>,
    /// When the memory is to be taken to have been told, where that is not when it was recorded.
    pub told_at: Option<Timestamp>,
    /// The number of its first passage; they are the documents of the lexical index.
    pub first_passage: u32,
    /// How many passages it has; at least one.
    pub passages: u32,
    /// Whether it ends in a question mark.
    pub asks: bool,
    /// How far it got through extraction.
    pub status: ExtractionStatus,
    /// Whether it is there no more. One that was forgotten keeps its number and nothing else.
    pub forgotten: bool,
    /// Whether something in it reads as if it were addressed to the model that will be shown it.
    pub flagged: bool,
    /// By which extractor it was read: a number into the state's list of them.
    pub(crate) extractor: u16,
    #[serde(with = "snapshot::place")]
    pub(crate) text: TextRef,
    pub(crate) mentions: Box<[MentionNode]>,
    pub(crate) states: Box<[FactIx]>,
}

impl EpisodeNode {
    /// When the memory was told, by the record's clock.
    pub fn told(&self) -> Timestamp {
        self.told_at.unwrap_or(self.recorded_at)
    }

    /// The numbers of its passages.
    pub fn passage_numbers(&self) -> std::ops::Range<u32> {
        self.first_passage..self.first_passage + self.passages
    }

    /// What it names, in the order of its text.
    pub fn mentions(&self) -> &[MentionNode] {
        &self.mentions
    }

    /// The facts that it states.
    pub fn facts(&self) -> &[FactIx] {
        &self.states
    }
}

/// A mention in memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct MentionNode {
    /// Where it stands.
    pub span: Span,
    /// What it names.
    pub entity: EntityIx,
    /// What kind of thing the place suggests it is.
    pub kind: EntityKind,
    /// Which of the entity's names stands there.
    pub(crate) name: u16,
}

/// A piece of an episode that is searched as a whole.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct PassageNode {
    /// The episode that it is a piece of.
    pub episode: EpisodeIx,
    /// Its first character there.
    pub start: u32,
    /// The entities that it names, each once, ascending.
    pub entities: Box<[EntityIx]>,
}

/// A session in memory.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct SessionNode {
    /// Its name.
    pub id: SessionId,
    /// Its episodes by position.
    pub episodes: Vec<EpisodeIx>,
    /// The earliest time at which something was said in it.
    pub at: Option<SourceTime>,
    /// Content words in it, as indexed.
    pub terms: u32,
}

/// An entity in memory.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct EntityNode {
    /// Its id.
    pub id: EntityId,
    /// Who it is: itself, or by a ruling the one that has all that is told of both. Everything from here on tells of that
    /// one only, but for what is of the own name.
    pub(crate) head: EntityIx,
    /// The name that a ruling gives it.
    pub(crate) given: Option<Box<str>>,
    /// How often it is called by which name, as written.
    pub(crate) names: Vec<Called>,
    /// How often which kind was suggested, by [`EntityKind`].
    pub(crate) kinds: [u32; EntityKind::ALL.len()],
    /// Its own name, folded; empty where only a ruling knows of it.
    pub(crate) folded: Box<str>,
    /// How often the own name is used, in mentions and in what is stated.
    pub(crate) uses: u32,
    /// The episodes that name it, ascending.
    pub(crate) episodes: Vec<EpisodeIx>,
    /// Facts of episodes of which it is an end, counted once an episode.
    pub(crate) stated_in: u32,
    /// The entities whose own name is likely another name of it.
    pub(crate) same_as: Vec<EntityIx>,
    /// The facts of which it is an end, by predicate; ascending both.
    pub(crate) relations: Vec<(PredicateIx, Vec<FactIx>)>,
}

/// A name of an entity, as it is written.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Called {
    /// The name.
    pub(crate) name: Box<str>,
    /// How many mentions use it.
    pub(crate) mentions: u32,
    /// The entity that it is the own name of.
    pub(crate) of: EntityIx,
}

impl EntityNode {
    /// The name that it was given by a ruling, or else the one that it is most often called by; of equals, the one that comes
    /// first in the alphabet.
    pub fn name(&self) -> &str {
        if let Some(given) = &self.given {
            return given;
        }
        let key = |called: &Called| called.mentions;
        let best = self.names.iter().max_by(|a, b| key(a).cmp(&key(b)).then_with(|| b.name.cmp(&a.name)));
        best.map_or(&self.folded, |called| &called.name)
    }

    /// The name in the form in which names are compared.
    pub fn folded_name(&self) -> &str {
        &self.folded
    }

    /// Every name that it is called by, most used first.
    pub fn aliases(&self) -> Vec<&str> {
        let mut names: Vec<_> = self.names.iter().filter(|called| called.mentions > 0).collect();
        names.sort_by(|a, b| b.mentions.cmp(&a.mentions).then_with(|| a.name.cmp(&b.name)));
        names.into_iter().map(|called| &*called.name).collect()
    }

    /// The kind that was suggested most often, leaving "unknown" aside where anything else was.
    pub fn kind(&self) -> EntityKind {
        let known = EntityKind::ALL.iter().skip(1).map(|(kind, _)| *kind);
        let best = known.rev().max_by_key(|kind| self.kinds[*kind as usize]);
        best.filter(|kind| self.kinds[*kind as usize] > 0).unwrap_or(EntityKind::Unknown)
    }

    /// Whether anything names it or says something of it. One that has lost all that keeps its place, and so does one that
    /// is somebody else.
    pub fn alive(&self) -> bool {
        !self.episodes.is_empty() || self.stated_in > 0
    }

    /// How many episodes name it.
    pub fn mentioned_in(&self) -> u32 {
        self.episodes.len() as u32
    }
}

/// A fact in memory.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct FactNode {
    /// Its id.
    pub id: FactId,
    /// Of whom.
    pub subject: EntityIx,
    /// Which relation.
    pub predicate: PredicateIx,
    /// The entity that it ties the subject to, where it does not say a plain value.
    pub object: Option<EntityIx>,
    /// The plain value that it says: a number into the state's list of them. Of no use where there is an object.
    pub(crate) value: u32,
    /// Said or denied.
    pub polarity: Polarity,
    /// What kind of memory it is.
    pub kind: FactKind,
    /// Where it stands among the facts on the same subject and predicate.
    pub status: FactStatus,
    /// The fact that took its place.
    pub(crate) successor: Option<FactIx>,
    /// When it held last; where it never did, when it was said to.
    pub valid: Interval,
    /// When it held, where that is not just `valid`.
    pub(crate) stays: Option<Box<[Interval]>>,
    /// Whether another fact says otherwise of the same time, and neither can be put after the other.
    pub contested: bool,
    /// When it was known.
    pub recorded: Interval,
    pub(crate) support: Vec<SupportNode>,
}

impl FactNode {
    /// The statements that it rests on, in the order of their episodes; at least one.
    pub fn support(&self) -> &[SupportNode] {
        &self.support
    }

    /// What it says of its subject, as a number that is the same for the same object.
    pub(crate) fn object_key(&self) -> u64 {
        match self.object {
            Some(EntityIx(number)) => u64::from(number),
            None => u64::from(self.value) | 1 << 32,
        }
    }

    /// The entities that it ties, each with the number of the name by which a statement calls it.
    pub(crate) fn ends(&self, support: &SupportNode) -> impl Iterator<Item = (EntityIx, u16)> + use<> {
        let [subject, object] = support.names;
        [Some((self.subject, subject)), self.object.map(|entity| (entity, object))].into_iter().flatten()
    }

    /// When it held: intervals that do not touch, from the earliest on. None where it never did, as was said later.
    pub fn stays(&self) -> &[Interval] {
        self.stays.as_deref().unwrap_or(std::slice::from_ref(&self.valid))
    }

    /// How sure the surest statement is, from 0 to 1.
    pub fn confidence(&self) -> f32 {
        self.support.iter().map(|support| support.confidence).fold(0.0, f32::max)
    }
}

/// One episode's statement of a fact.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct SupportNode {
    /// Which episode.
    pub episode: EpisodeIx,
    /// Which piece of it.
    pub span: Span,
    /// How sure the extractor is, from 0 to 1.
    pub confidence: f32,
    /// When it held, as far as this episode tells.
    pub valid: Interval,
    /// When the memory was told.
    pub recorded_at: Timestamp,
    /// Whether it is said with a doubt.
    pub hedged: bool,
    /// How much it matters, from 1 to 10.
    pub importance: u8,
    /// How exactly it tells when the fact held; `None` where it does not tell.
    pub granularity: Option<Granularity>,
    /// Whether it tells itself when the fact began to hold.
    pub dated: bool,
    /// Whether it says that what was said before was wrong.
    pub corrects: bool,
    /// Whose words they are, where the speaker passes them on: a number into the state's list of plain values.
    pub(crate) attributed_to: Option<u32>,
    /// By which of their names it calls the subject and, where that is an entity, the object.
    pub(crate) names: [u16; 2],
}

impl SupportNode {
    /// Whether the speaker vouches for it: it is neither said with a doubt nor passed on.
    pub fn is_firm(&self) -> bool {
        !self.hedged && self.attributed_to.is_none()
    }
}

/// How many things a namespace holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Counts {
    /// Sessions.
    pub sessions: usize,
    /// Episodes.
    pub episodes: usize,
    /// Entities that something names or is about.
    pub entities: usize,
    /// Facts with at least one support.
    pub facts: usize,
    /// Mentions.
    pub mentions: usize,
    /// Nodes of the graph: entities, those included that nothing names any more.
    pub nodes: usize,
    /// Edges of the graph: facts that tie two entities, and names that are likely names of the same thing.
    pub edges: usize,
}

impl std::ops::Add for Counts {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self {
            sessions: self.sessions + other.sessions,
            episodes: self.episodes + other.episodes,
            entities: self.entities + other.entities,
            facts: self.facts + other.facts,
            mentions: self.mentions + other.mentions,
            nodes: self.nodes + other.nodes,
            edges: self.edges + other.edges,
        }
    }
}

/// Everything known of one namespace, in memory.
pub struct State {
    namespace: Namespace,
    episodes: Vec<EpisodeNode>,
    episode_by_id: ids::IdTable,
    /// What was forgotten and is not taken in again.
    forgotten: FxHashSet<EpisodeId>,
    /// Names of extractors, by number.
    extractors: Vec<Box<str>>,
    passages: Vec<PassageNode>,
    sessions: Vec<SessionNode>,
    session_by_id: FxHashMap<SessionId, SessionIx>,
    /// The place of each episode in its session's list.
    places: Vec<u32>,
    layout: layout::Layout,
    speakers: speakers::Speakers,
    headings: FxHashMap<Box<str>, Vec<EpisodeIx>>,
    rulings: rulings::Rulings,
    entities: Vec<EntityNode>,
    entity_by_id: ids::IdTable,
    /// By name as it is written, with the name's number among the entity's: names come again and again.
    entity_by_name: FxHashMap<Box<str>, (EntityIx, u16)>,
    entity_by_word: FxHashMap<Box<str>, Vec<EntityIx>>,
    plain_names: names::PlainNames,
    facts: Vec<FactNode>,
    fact_by_id: ids::IdTable,
    values: relations::Values,
    said: said::Said,
    predicates: relations::Predicates,
    /// Episodes and readings that came since the snapshot that this was made from.
    changes: usize,
    /// Episodes that were forgotten and still have their numbers.
    remains: usize,
    /// Episodes that expire.
    expiring: usize,
    /// Mentions and statements, for the estimate of what all this takes in memory.
    mentioned: usize,
    stated: usize,
    /// What is to be judged anew.
    unjudged: FxHashSet<bearing::Bearing>,
    graph: Graph,
    walks: walks::Walks,
    lexical: Lexical,
    vectors: VectorIndex,
    /// The vectors of entities' names by how they are spelt.
    name_vectors: VectorIndex,
    spelling: HashEmbedder,
}

impl State {
    /// An empty namespace whose vectors come from the model `identity`.
    pub(crate) fn new(namespace: Namespace, identity: ModelIdentity) -> Self {
        let spelling = HashEmbedder::default();
        Self {
            namespace,
            name_vectors: VectorIndex::new(spelling.identity().clone()),
            spelling,
            episodes: Vec::new(),
            episode_by_id: ids::IdTable::default(),
            forgotten: FxHashSet::default(),
            extractors: Vec::new(),
            passages: Vec::new(),
            sessions: Vec::new(),
            session_by_id: FxHashMap::default(),
            places: Vec::new(),
            layout: layout::Layout::default(),
            speakers: speakers::Speakers::default(),
            headings: FxHashMap::default(),
            rulings: rulings::Rulings::default(),
            entities: Vec::new(),
            entity_by_id: ids::IdTable::default(),
            entity_by_name: FxHashMap::default(),
            entity_by_word: FxHashMap::default(),
            plain_names: names::PlainNames::default(),
            facts: Vec::new(),
            fact_by_id: ids::IdTable::default(),
            values: relations::Values::default(),
            said: said::Said::default(),
            predicates: relations::Predicates::default(),
            changes: 0,
            remains: 0,
            expiring: 0,
            mentioned: 0,
            stated: 0,
            unjudged: FxHashSet::default(),
            graph: Graph::default(),
            walks: walks::Walks::default(),
            lexical: Lexical::new(Bm25::default()),
            vectors: VectorIndex::new(identity),
        }
    }

    /// Whose memory this is.
    pub fn namespace(&self) -> &Namespace {
        &self.namespace
    }

    /// The episodes, by [`EpisodeIx`], in the order in which they were committed, forgotten ones among them.
    pub fn episodes(&self) -> &[EpisodeNode] {
        &self.episodes
    }

    /// One episode.
    pub fn episode(&self, ix: EpisodeIx) -> &EpisodeNode {
        &self.episodes[ix.index()]
    }

    /// The episode with this id.
    pub fn find_episode(&self, id: &EpisodeId) -> Option<EpisodeIx> {
        let id_of = |number: u32| *self.episodes[number as usize].id.as_bytes();
        self.episode_by_id.find(id.as_bytes(), id_of).map(EpisodeIx)
    }

    /// The numbers of the episodes that were not forgotten.
    pub fn living(&self) -> impl Iterator<Item = EpisodeIx> {
        self.living_from(EpisodeIx(0))
    }

    /// How many there are.
    pub fn living_count(&self) -> usize {
        self.episodes.len() - self.remains
    }

    /// Those of them from a number on.
    pub(crate) fn living_from(&self, first: EpisodeIx) -> impl Iterator<Item = EpisodeIx> {
        (first.0..)
            .zip(self.episodes.get(first.index()..).unwrap_or_default())
            .filter(|(_, episode)| !episode.forgotten)
            .map(|(number, _)| EpisodeIx(number))
    }

    /// The passages: the documents of the lexical index, by their numbers there.
    pub fn passages(&self) -> &[PassageNode] {
        &self.passages
    }

    /// The sessions, by [`SessionIx`].
    pub fn sessions(&self) -> &[SessionNode] {
        &self.sessions
    }

    /// One session.
    pub fn session(&self, ix: SessionIx) -> &SessionNode {
        &self.sessions[ix.index()]
    }

    /// The session with this name.
    pub fn find_session(&self, id: &SessionId) -> Option<SessionIx> {
        self.session_by_id.get(id).copied()
    }

    /// The place of an episode in its session's list of episodes.
    pub fn place(&self, ix: EpisodeIx) -> usize {
        self.places[ix.index()] as usize
    }

    /// Whether an episode is a document: the only episode of its session.
    pub fn is_document(&self, ix: EpisodeIx) -> bool {
        self.session(self.episode(ix).session).episodes.len() == 1
    }

    /// The episodes whose first line, folded to words without what stands in brackets, is `heading`.
    pub fn headed(&self, heading: &str) -> &[EpisodeIx] {
        self.headings.get(heading).map_or(&[], Vec::as_slice)
    }

    /// The entities, by [`EntityIx`]. One that nothing names any more keeps its place.
    pub fn entities(&self) -> &[EntityNode] {
        &self.entities
    }

    /// One entity.
    pub fn entity(&self, ix: EntityIx) -> &EntityNode {
        &self.entities[ix.index()]
    }

    /// The facts, by [`FactIx`]. One that has lost its support keeps its place, with no support.
    pub fn facts(&self) -> &[FactNode] {
        &self.facts
    }

    /// The fact with this id, as long as something states it.
    pub fn find_fact(&self, id: &FactId) -> Option<FactIx> {
        let id_of = |number: u32| *self.facts[number as usize].id.as_bytes();
        let found = self.fact_by_id.find(id.as_bytes(), id_of).map(FactIx);
        found.filter(|ix| !self.fact(*ix).support().is_empty())
    }

    /// One fact.
    pub fn fact(&self, ix: FactIx) -> &FactNode {
        &self.facts[ix.index()]
    }

    /// The episodes that name an entity, ascending.
    pub fn mentioning(&self, ix: EntityIx) -> impl Iterator<Item = EpisodeIx> {
        self.entity(ix).episodes.iter().copied()
    }

    /// The graph.
    pub fn graph(&self) -> &Graph {
        &self.graph
    }

    /// The inverted index over passages.
    pub fn lexical(&self) -> &Lexical {
        &self.lexical
    }

    /// The vectors of episodes, by [`EpisodeIx`].
    pub fn vectors(&self) -> &VectorIndex {
        &self.vectors
    }

    /// How many things there are.
    pub fn counts(&self) -> Counts {
        Counts {
            sessions: self.sessions.iter().filter(|session| !session.episodes.is_empty()).count(),
            episodes: self.living_count(),
            entities: self.entities.iter().filter(|entity| entity.alive()).count(),
            facts: self.facts.iter().filter(|fact| !fact.support.is_empty()).count(),
            mentions: self.mentioned,
            nodes: self.graph.nodes(),
            edges: self.graph.ties_count(),
        }
    }
}
