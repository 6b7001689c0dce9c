//! What each part of taking a world in costs, measured from outside the engine: with clocks around its public calls, an
//! embedder that has a clock, and the journal's bytes written once more into a plain file.

use std::fs::{self, File};
use std::io::Write;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use lorebase::engine::Missing;
use lorebase::engine::change::Changes;
use lorebase::engine::embed::{Embedder, ModelIdentity, TableEmbedder, Understanding};
use lorebase::engine::engine::Engine;
use lorebase::engine::error::Error;
use lorebase::engine::index::lexical::{Bm25, Lexical};
use lorebase::engine::model::episode::Episode;
use lorebase::engine::model::id::Namespace;
use lorebase::engine::model::time::Timestamp;
use lorebase::extract::ingest::{self, Expected};
use lorebase::extract::rules::RuleExtractor;
use lorebase::extract::transcript::{Transcript, TranscriptSession};
use lorebase::query::question::Question;
use lorebase::query::recall;
use serde::{Deserialize, Serialize};

use crate::measure::bytes_in;
use crate::steps::ingest::PIECE;
use crate::steps::world_namespace;
use crate::world::{World, person};

/// How often it is looked whether the store holds a commit.
const LOOK_EVERY: Duration = Duration::from_micros(50);

/// One part of taking in.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Part {
    /// What is done.
    pub name: String,
    /// Whether the part before it contains this one.
    pub inside: bool,
    /// Seconds for all turns.
    pub seconds: f64,
}

/// What each part costs.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Parts {
    /// Turns taken in.
    pub turns: usize,
    /// The parts, in order.
    pub parts: Vec<Part>,
}

/// The built-in embedder with a clock.
#[derive(Default)]
struct Timed {
    embedder: TableEmbedder,
    /// How long it worked in all, and when it was done last.
    clock: Mutex<(Duration, Option<Instant>)>,
}

impl Embedder for Timed {
    fn identity(&self) -> &ModelIdentity {
        self.embedder.identity()
    }

    fn is_quick(&self) -> bool {
        true
    }

    fn understanding(&self) -> Understanding {
        Understanding::Words
    }

    fn embed(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>, Error> {
        let start = Instant::now();
        let vectors = self.embedder.embed(texts);
        let mut clock = self.clock.lock().expect("nothing panics that holds the clock");
        *clock = (clock.0 + start.elapsed(), Some(Instant::now()));
        vectors
    }
}

impl Timed {
    fn passed(&self) -> Duration {
        self.clock.lock().expect("nothing panics that holds the clock").0
    }

    fn done_since(&self, start: Instant) -> Option<Instant> {
        self.clock.lock().expect("nothing panics that holds the clock").1.filter(|done| *done > start)
    }
}

/// Times by part, over all commits.
#[derive(Default)]
struct Spent {
    prepare: Duration,
    read: Duration,
    /// Checking what is to be committed, done once more outside.
    check: Duration,
    commit: Duration,
    store: Duration,
    /// Bytes that each commit added to the journal.
    journal: Vec<u64>,
}

/// The units of sessions that a piece of the history is committed in.
fn units_of(piece: Transcript, namespace: &Namespace) -> anyhow::Result<Vec<Vec<Vec<Episode>>>> {
    let expected = |session: &TranscriptSession| Expected {
        id: session.id.clone(),
        at: session.at,
        turns: session.turns.len() as u32,
    };
    let expected = piece.sessions.iter().map(expected).collect();
    let recorded_at = Timestamp::from_millis(1_750_000_000_000)?;
    let mut assembly = ingest::Assembly::new(namespace, recorded_at, expected);
    for (number, session) in piece.sessions.into_iter().enumerate() {
        session.turns.into_iter().for_each(|turn| assembly.push(number, turn));
    }
    Ok(assembly.finish().0)
}

pub(super) fn parts(store: &Path, turns: usize) -> anyhow::Result<Parts> {
    let (world, namespace) = (World::new(1, turns), world_namespace()?);
    let timed = Arc::new(Timed::default());
    let (engine, _) = Engine::open(store, Missing::Create, Arc::clone(&timed) as Arc<dyn Embedder>)?;
    drop(engine.reader(&namespace)?);
    let journal = store.join("journal");
    let mut spent = Spent::default();
    let mut words = Words::default();
    for piece in world.pieces(PIECE) {
        let start = Instant::now();
        let units = units_of(piece, &namespace)?;
        spent.prepare += start.elapsed();
        for unit in units {
            let start = Instant::now();
            let changes = ingest::read(&RuleExtractor, unit);
            spent.read += start.elapsed();
            words.index(&changes);
            let start = Instant::now();
            changes.validate(&namespace)?;
            spent.check += start.elapsed();
            let before = bytes_in(&journal)?;
            commit(&engine, &timed, (&namespace, changes), &mut spent)?;
            spent.journal.push(bytes_in(&journal)?.saturating_sub(before));
        }
    }
    let start = Instant::now();
    let question = format!("Where does the sister of {} work, and who met her?", person(3));
    recall::recall(&engine.reader(&namespace)?, &Question::new(&question), None);
    let first_recall = start.elapsed();
    drop(engine);
    let (written, synced) = write_again(&store.join("plain"), &spent.journal)?;
    let embed = timed.passed();
    let apply = spent.commit.saturating_sub(spent.check + embed + spent.store);
    let part = |name: &str, inside, time: Duration| Part {
        name: name.to_owned(),
        inside,
        seconds: time.as_secs_f64(),
    };
    let parts = vec![
        part("making episodes and their ids", false, spent.prepare),
        part("reading by rules", false, spent.read),
        part("checking sizes, names and ids", false, spent.check),
        part("embedding", false, embed),
        part("the store: journal and sled", false, spent.store),
        part("writing the journal's bytes", true, written),
        part("syncing them", true, synced),
        part("telling what is new, encoding, and sled", true, spent.store.saturating_sub(written + synced)),
        part("applying to the namespace in memory", false, apply),
        part("indexing words", true, words.passed),
        part("graph, facts, vectors", true, apply.saturating_sub(words.passed)),
        part("the first recall: judging facts", false, first_recall),
    ];
    Ok(Parts { turns, parts })
}

/// Commits while a second thread looks for when the store holds the commit, which is between the end of embedding and
/// the beginning of applying.
fn commit(
    engine: &Engine,
    timed: &Timed,
    (namespace, changes): (&Namespace, Changes),
    spent: &mut Spent,
) -> anyhow::Result<()> {
    let before = engine.sequence();
    let over = AtomicBool::new(false);
    let start = Instant::now();
    thread::scope(|scope| {
        let looker = scope.spawn(|| {
            while timed.done_since(start).is_none() && !over.load(Ordering::Relaxed) {
                thread::sleep(LOOK_EVERY);
            }
            // Answered only when the store has let go of its writer's place.
            while engine.sequence() == before && !over.load(Ordering::Relaxed) {
                thread::sleep(LOOK_EVERY);
            }
            timed.done_since(start).map_or(Duration::ZERO, |embedded| embedded.elapsed())
        });
        let receipt = engine.commit(namespace, changes);
        let commit = start.elapsed();
        over.store(true, Ordering::Relaxed);
        spent.commit += commit;
        spent.store += looker.join().unwrap_or_default().min(commit);
        receipt.map(drop)
    })?;
    Ok(())
}

/// The words of the texts, indexed alone.
struct Words {
    index: Lexical,
    passed: Duration,
}

impl Default for Words {
    fn default() -> Self {
        Self { index: Lexical::new(Bm25::default()), passed: Duration::ZERO }
    }
}

impl Words {
    fn index(&mut self, changes: &Changes) {
        // As the namespace in memory has them: with who said it and when.
        let document = |episode: &Episode| {
            let said = episode.occurred_at.map(|at| at.civil().date().to_string()).unwrap_or_default();
            format!("[{said}] {}: {}", episode.speaker.as_deref().unwrap_or_default(), episode.text)
        };
        let documents: Vec<String> = changes.episodes.iter().map(document).collect();
        let texts: Vec<&str> = documents.iter().map(String::as_str).collect();
        let start = Instant::now();
        self.index.insert_batch(self.index.end(), &texts);
        self.passed += start.elapsed();
    }
}

/// Writes as many bytes as each commit wrote, and syncs each: how long writing and syncing took.
fn write_again(path: &Path, commits: &[u64]) -> anyhow::Result<(Duration, Duration)> {
    let mut file = File::create(path)?;
    let (mut written, mut synced) = (Duration::ZERO, Duration::ZERO);
    for bytes in commits {
        let body = vec![0xa5; *bytes as usize];
        let start = Instant::now();
        file.write_all(&body)?;
        written += start.elapsed();
        let start = Instant::now();
        file.sync_data()?;
        synced += start.elapsed();
    }
    fs::remove_file(path)?;
    Ok((written, synced))
}
