//! A graph of facts to walk over: made from a seed, with few entities of which much is told and many of which little is.

pub mod peers;

use std::collections::HashSet;

use lorebase::engine::change::Changes;
use lorebase::engine::model::entity::EntityKind;
use lorebase::engine::model::episode::{Episode, ExtractionStatus, Span};
use lorebase::engine::model::extraction::{Extraction, Reading};
use lorebase::engine::model::fact::{Named, Triple, TripleObject};
use lorebase::engine::model::id::{Namespace, SessionId};
use lorebase::engine::model::predicate::Predicate;
use lorebase::engine::model::time::{SourceTime, Timestamp};
use lorebase::memory::Memory;

/// How many facts one episode states.
const STATED: usize = 20;
/// How many episodes are stored at a time.
const COMMITTED: usize = 4_000;

/// The kinds of entities with how many of a thousand are of them.
const KINDS: [(EntityKind, &str, usize); 4] = [
    (EntityKind::Person, "Person", 700),
    (EntityKind::Organisation, "Company", 100),
    (EntityKind::Place, "Town", 20),
    (EntityKind::Work, "Book", 180),
];

/// A relation: its name, between which of the [`KINDS`], how many of a thousand facts tell of it, and whether each subject has
/// one object at a time.
const RELATIONS: [(&str, usize, usize, usize, bool); 9] = [
    ("works_at", 0, 1, 65, true),
    ("lives_in", 0, 2, 65, true),
    ("reports_to", 0, 0, 50, true),
    ("mentored", 0, 0, 40, false),
    ("knows", 0, 0, 300, false),
    ("friend_of", 0, 0, 200, false),
    ("member_of", 0, 1, 80, false),
    ("likes", 0, 3, 190, false),
    ("owns", 1, 1, 10, false),
];

/// A fact by the numbers of its ends and of its relation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Edge {
    /// The number of its subject.
    pub from: usize,
    /// The number of its relation.
    pub relation: usize,
    /// The number of its object.
    pub to: usize,
}

/// The graph.
pub struct Graph {
    /// How many entities there are.
    pub entities: usize,
    /// The facts, each once.
    pub edges: Vec<Edge>,
}

/// The names of the relations.
pub fn relations() -> impl Iterator<Item = &'static str> {
    RELATIONS.iter().map(|(name, ..)| *name)
}

impl Graph {
    /// About so many facts of so many entities; of a seed always the same.
    pub fn new(seed: u64, entities: usize, facts: usize) -> Self {
        let mut random = fastrand::Rng::with_seed(seed);
        let mut edges = Vec::with_capacity(facts);
        let mut known: HashSet<Edge> = HashSet::with_capacity(facts);
        for (relation, (_, from, to, share, one)) in RELATIONS.iter().enumerate() {
            let wanted = facts * share / 1000;
            let (subjects, objects) = (kind(entities, *from), kind(entities, *to));
            let mut told = 0;
            for turn in 0..wanted * 2 {
                let from = if *one { subjects.start + turn } else { pick(&mut random, &subjects, 1.2) };
                let edge = Edge { from, relation, to: pick(&mut random, &objects, 2.5) };
                if !subjects.contains(&from) || told == wanted {
                    break;
                }
                if edge.from != edge.to && known.insert(edge) {
                    edges.push(edge);
                    told += 1;
                }
            }
        }
        random.shuffle(&mut edges);
        Self { entities, edges }
    }

    /// The name of an entity.
    pub fn name(&self, number: usize) -> String {
        let at = KINDS.iter().enumerate().find(|(place, _)| kind(self.entities, *place).contains(&number));
        at.map_or_else(String::new, |(_, (_, name, _))| format!("{name} {number}"))
    }

    /// The number of an entity with this name.
    pub fn number(name: &str) -> Option<usize> {
        name.rsplit(' ').next()?.parse().ok()
    }

    /// The entities of which facts of a relation tell, from the subject's end.
    pub fn subjects(&self, relation: &str) -> Vec<usize> {
        let relation = relations().position(|name| name == relation);
        let mut subjects: Vec<usize> =
            self.edges.iter().filter(|edge| Some(edge.relation) == relation).map(|edge| edge.from).collect();
        subjects.sort_unstable();
        subjects.dedup();
        subjects
    }

    /// Stores the facts, as if an extractor had read them.
    ///
    /// # Errors
    /// The store's.
    pub fn store(&self, memory: &Memory, namespace: &Namespace) -> anyhow::Result<()> {
        let episodes: Vec<&[Edge]> = self.edges.chunks(STATED).collect();
        for (first, chunk) in (0..).step_by(COMMITTED).zip(episodes.chunks(COMMITTED)) {
            let mut changes = Changes::default();
            for (number, edges) in (first..).zip(chunk) {
                let (episode, reading) = self.episode(namespace, number, edges)?;
                changes.episodes.push(episode);
                changes.readings.push(reading);
            }
            memory.commit(namespace, changes)?;
        }
        Ok(())
    }

    fn episode(
        &self,
        namespace: &Namespace,
        number: u32,
        edges: &[Edge],
    ) -> anyhow::Result<(Episode, Reading)> {
        let at = Timestamp::from_millis(1_700_000_000_000 + i64::from(number) * 60_000)?;
        let (session, text) = (SessionId::new(&format!("s{}", number / 100)), format!("Note {number}."));
        let occurred_at = Some(SourceTime { instant: at, offset_minutes: None });
        let id = Episode::id_of(namespace, &session, number, (None, occurred_at), &text);
        let named = |number: usize| {
            let kind =
                KINDS.iter().enumerate().find(|(place, _)| kind(self.entities, *place).contains(&number));
            Named { name: self.name(number), kind: kind.map_or(EntityKind::Unknown, |(_, (kind, ..))| *kind) }
        };
        let triple = |edge: &Edge| {
            let predicate = Predicate::new(RELATIONS[edge.relation].0);
            let span = Span { start: 0, end: 4 };
            Triple { span, ..Triple::new(named(edge.from), predicate, TripleObject::Entity(named(edge.to))) }
        };
        let triples = edges.iter().map(triple).collect();
        let found = Extraction { triples, ..Extraction::default() };
        let status = ExtractionStatus::Done;
        let reading = Reading { episode: id, extractor: "made-1".to_owned(), status, found };
        let episode = Episode {
            id,
            session,
            position: number,
            speaker: None,
            text,
            occurred_at,
            recorded_at: at,
            source_id: Some(format!("N{number}")),
            expires_at: None,
            told_at: None,
        };
        Ok((episode, reading))
    }
}

/// The numbers of the entities of a kind.
fn kind(entities: usize, place: usize) -> std::ops::Range<usize> {
    let before: usize = KINDS[..place].iter().map(|(.., share)| share).sum();
    let until = before + KINDS[place].2;
    entities * before / 1000..entities * until / 1000
}

/// One of these, the earlier ones the more often, the higher the power.
fn pick(random: &mut fastrand::Rng, among: &std::ops::Range<usize>, power: f64) -> usize {
    among.start + (among.len() as f64 * random.f64().powf(power)) as usize
}
