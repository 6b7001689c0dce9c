//! The engine: open a store, read one namespace, commit to one namespace.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use parking_lot::{ArcRwLockReadGuard, ArcRwLockWriteGuard, Mutex, RawRwLock, RwLock};
use rustc_hash::FxHashMap;

use crate::change::Changes;
use crate::check;
use crate::embed::Embedder;
use crate::error::Error;
use crate::graph::EpisodeIx;
use crate::index::vector::VectorIndex;
use crate::model::episode::Episode;
use crate::model::id::{Namespace, SessionId};
use crate::state::{Arrival, State};
use crate::store::{Missing, Notice, Store, Written};

/// Texts that are read, embedded and applied at a time while a namespace is loaded.
const LOAD_BATCH: usize = 8192;

/// What a commit came to. When it is returned, the commit is durable and visible.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Receipt {
    /// The commit's number in the store; of the one before where there was nothing new.
    pub sequence: u64,
    /// Episodes that were new.
    pub episodes: usize,
    /// Readings that were new.
    pub readings: usize,
    /// Claims in the readings that were new.
    pub facts: usize,
}

/// An open store with the namespaces that were used so far in memory.
pub struct Engine {
    store: Arc<Store>,
    embedder: Arc<dyn Embedder>,
    loaded: Mutex<FxHashMap<Namespace, Arc<RwLock<State>>>>,
    queue: Mutex<Vec<Arc<Ticket>>>,
    /// Held by the thread that commits for all that wait, and while a namespace is loaded.
    leader: Mutex<()>,
}

/// A commit that waits for its turn.
struct Ticket {
    namespace: Namespace,
    changes: Changes,
    vectors: Vec<Vec<f32>>,
    outcome: Mutex<Option<Result<Receipt, Error>>>,
}

impl Engine {
    /// Opens the store in `directory`. Returns what opening found and dealt with.
    ///
    /// # Errors
    /// [`Error::NotAStore`], [`Error::Locked`], [`Error::Damaged`], or the system's.
    pub fn open(
        directory: &Path,
        missing: Missing,
        embedder: Arc<dyn Embedder>,
    ) -> Result<(Self, Vec<Notice>), Error> {
        let store = Store::open(directory, missing)?;
        let notices = store.take_notices();
        let engine = Self {
            store: Arc::new(store),
            embedder,
            loaded: Mutex::default(),
            queue: Mutex::default(),
            leader: Mutex::new(()),
        };
        Ok((engine, notices))
    }

    /// The model that makes the vectors.
    pub fn embedder(&self) -> &dyn Embedder {
        &*self.embedder
    }

    /// The namespaces that hold something, in order.
    pub fn namespaces(&self) -> Result<Vec<Namespace>, Error> {
        self.store.namespaces()
    }

    /// The number of the last commit.
    pub fn sequence(&self) -> u64 {
        self.store.sequence()
    }

    /// What was found and dealt with since opening, or since the last call.
    pub fn take_notices(&self) -> Vec<Notice> {
        self.store.take_notices()
    }

    /// A view of one namespace that does not change while it is held. Commits wait for it to be let go.
    ///
    /// # Errors
    /// Where the namespace cannot be loaded.
    pub fn reader(&self, namespace: &Namespace) -> Result<Reader, Error> {
        let state = settled(&self.state(namespace)?);
        Ok(Reader { state, store: Arc::clone(&self.store) })
    }

    fn state(&self, namespace: &Namespace) -> Result<Arc<RwLock<State>>, Error> {
        if let Some(state) = self.loaded.lock().get(namespace) {
            return Ok(Arc::clone(state));
        }
        // While the leader's place is held no commit can slip in between loading and entering the list.
        let _leader = self.leader.lock();
        if let Some(state) = self.loaded.lock().get(namespace) {
            return Ok(Arc::clone(state));
        }
        let state = Arc::new(RwLock::new(self.rebuild(namespace)?));
        self.loaded.lock().insert(namespace.clone(), Arc::clone(&state));
        Ok(state)
    }

    /// The namespace made anew from the store.
    pub(crate) fn rebuild(&self, namespace: &Namespace) -> Result<State, Error> {
        let mut state = State::new(namespace.clone(), self.embedder.identity().clone());
        for batch in self.store.load(namespace)?.chunks(LOAD_BATCH) {
            let texts =
                batch.iter().map(|loaded| self.store.text(&loaded.text)).collect::<Result<Vec<_>, _>>()?;
            let vectors = self.embed(&texts)?;
            let arrivals: Vec<Arrival<'_>> = batch
                .iter()
                .zip(&texts)
                .zip(&vectors)
                .map(|((loaded, text), vector)| Arrival {
                    episode: &loaded.episode,
                    text,
                    place: loaded.text,
                    vector,
                })
                .collect();
            state.apply(&arrivals, batch.iter().filter_map(|loaded| loaded.reading.as_ref()));
        }
        state.settle();
        Ok(state)
    }

    fn embed(&self, texts: &[impl AsRef<str>]) -> Result<Vec<Vec<f32>>, Error> {
        let texts: Vec<&str> = texts.iter().map(AsRef::as_ref).collect();
        let vectors = self.embedder.embed(&texts)?;
        let identity = self.embedder.identity();
        if vectors.len() != texts.len() {
            let problem = format!("{} vectors for {} texts", vectors.len(), texts.len());
            return Err(Error::Embedder { model: identity.name.clone(), problem });
        }
        let check = VectorIndex::new(identity.clone());
        vectors.iter().try_for_each(|vector| check.check(vector))?;
        Ok(vectors)
    }

    /// Writes `changes` into `namespace`: durable and visible when it returns. Episodes that are already there,
    /// readings by the extractor that has already read an episode, and readings of episodes that the store does not
    /// hold, are passed over.
    ///
    /// Commits that wait at the same time share one sync, each a commit of its own.
    ///
    /// # Errors
    /// [`Error::InvalidChanges`] before anything is written; [`Error::Poisoned`] and the system's errors, after
    /// which the store must be opened again.
    pub fn commit(&self, namespace: &Namespace, changes: Changes) -> Result<Receipt, Error> {
        changes.validate(namespace)?;
        let texts: Vec<&str> = changes.episodes.iter().map(|episode| episode.text.as_str()).collect();
        let vectors = self.embed(&texts)?;
        let ticket =
            Arc::new(Ticket { namespace: namespace.clone(), changes, vectors, outcome: Mutex::default() });
        self.queue.lock().push(Arc::clone(&ticket));
        // Whoever gets the leader's place commits for all that wait; the others find their outcome when they
        // get it.
        let _leader = self.leader.lock();
        if let Some(outcome) = ticket.outcome.lock().take() {
            return outcome;
        }
        let waiting = std::mem::take(&mut *self.queue.lock());
        self.commit_all(&waiting);
        let outcome = ticket.outcome.lock().take();
        // None where the thread that took the ticket panicked.
        outcome.unwrap_or_else(|| Err(self.store.poisoned()))
    }

    fn commit_all(&self, tickets: &[Arc<Ticket>]) {
        let units: Vec<(&Namespace, &Changes)> =
            tickets.iter().map(|ticket| (&ticket.namespace, &ticket.changes)).collect();
        match self.store.commit(&units) {
            Ok(written) => {
                for (ticket, written) in tickets.iter().zip(&written) {
                    self.make_visible(ticket, written);
                    let (episodes, readings) = (written.episodes.len(), written.readings.len());
                    let found = |index: &usize| ticket.changes.readings[*index].found.triples.len();
                    let facts = written.readings.iter().map(found).sum();
                    let receipt = Receipt { sequence: written.sequence, episodes, readings, facts };
                    *ticket.outcome.lock() = Some(Ok(receipt));
                }
            }
            Err(error) => {
                // The one error goes to the first; the others learn that the store takes no more.
                let mut error = Some(error);
                for ticket in tickets {
                    let outcome = error.take().unwrap_or_else(|| self.store.poisoned());
                    *ticket.outcome.lock() = Some(Err(outcome));
                }
            }
        }
    }

    fn make_visible(&self, ticket: &Ticket, written: &Written) {
        let Some(state) = self.loaded.lock().get(&ticket.namespace).cloned() else { return };
        let arrivals: Vec<Arrival<'_>> = written
            .episodes
            .iter()
            .map(|(index, place)| {
                let episode = &ticket.changes.episodes[*index];
                Arrival { episode, text: &episode.text, place: *place, vector: &ticket.vectors[*index] }
            })
            .collect();
        let readings = written.readings.iter().map(|index| &ticket.changes.readings[*index]);
        let mut state = state.write();
        state.apply(&arrivals, readings);
        state.tend_vectors(arrivals.len());
    }

    /// Everything in which journal, working store, graph and indexes do not agree, a line each; empty where all
    /// is well.
    ///
    /// # Errors
    /// Where the walk itself cannot go on.
    pub fn check(&self) -> Result<Vec<String>, Error> {
        let mut problems = self.store.verify()?;
        for namespace in self.store.namespaces()? {
            let state = self.state(&namespace)?;
            // No commit may come between the two that are compared.
            let _leader = self.leader.lock();
            check::walk(&settled(&state), &self.rebuild(&namespace)?, &mut problems);
        }
        Ok(problems)
    }

    /// The store's directory.
    pub fn directory(&self) -> PathBuf {
        self.store.directory().to_path_buf()
    }
}

/// Looks at a namespace with every fact judged.
fn settled(state: &Arc<RwLock<State>>) -> ArcRwLockReadGuard<RawRwLock, State> {
    let reading = state.read_arc();
    if reading.is_settled() {
        return reading;
    }
    drop(reading);
    let mut writing = state.write_arc();
    writing.settle();
    ArcRwLockWriteGuard::downgrade(writing)
}

/// A view of one namespace that does not change while it is held.
pub struct Reader {
    state: ArcRwLockReadGuard<RawRwLock, State>,
    store: Arc<Store>,
}

impl Reader {
    /// Everything that is in memory.
    pub fn state(&self) -> &State {
        &self.state
    }

    /// An episode's text, read from disk.
    ///
    /// # Errors
    /// Where the journal cannot be read or does not hold what it must.
    pub fn text(&self, ix: EpisodeIx) -> Result<String, Error> {
        self.store.text(&self.state.episode(ix).text)
    }

    /// An episode with its text.
    ///
    /// # Errors
    /// As [`Reader::text`].
    pub fn episode(&self, ix: EpisodeIx) -> Result<Episode, Error> {
        let node = self.state.episode(ix);
        Ok(Episode {
            id: node.id,
            session: SessionId::clone(&self.state.session(node.session).id),
            position: node.position,
            speaker: node.speaker.map(|speaker| self.state.speakers()[speaker as usize].to_string()),
            text: self.text(ix)?,
            occurred_at: node.occurred_at,
            recorded_at: node.recorded_at,
            source_id: node.source_id.as_deref().map(str::to_owned),
        })
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::embed::HashEmbedder;
    use crate::model::entity::EntityKind;
    use crate::model::episode::{ExtractionStatus, Span};
    use crate::model::extraction::{Extraction, NamedSpan, Reading};
    use crate::model::fact::{FactKind, FactStatus, Named, Polarity, Triple, TripleObject};
    use crate::model::predicate::Predicate;
    use crate::model::time::{Interval, SourceTime, Timestamp};

    fn open(directory: &Path) -> (Engine, Vec<Notice>) {
        Engine::open(directory, Missing::Create, Arc::new(HashEmbedder::default())).unwrap()
    }

    /// A turn in which `speaker` says that she lives in `home`, told with its reading.
    fn lives_in(namespace: &Namespace, position: u32, day: u32, home: &str) -> Changes {
        let session = SessionId::new("s1");
        let text = format!("I live in {home} now.");
        let at: SourceTime = format!("2023-05-{day:02}T10:00:00Z").parse().unwrap();
        let id = Episode::id_of(namespace, &session, position, (Some("Ana"), Some(at)), &text);
        let span = Span { start: 0, end: text.chars().count() as u32 };
        let ana = Named { name: "Ana".to_owned(), kind: EntityKind::Person };
        let place = Named { name: home.to_owned(), kind: EntityKind::Place };
        let mention = |named: &Named| NamedSpan { span, name: named.name.clone(), kind: named.kind };
        let mentions = vec![mention(&ana), mention(&place)];
        let triple = Triple {
            subject: ana,
            predicate: Predicate::new("lives_in"),
            object: TripleObject::Entity(place),
            polarity: Polarity::Affirmed,
            kind: FactKind::Fact,
            confidence: 0.9,
            valid: Interval::ALWAYS,
            span,
        };
        let found = Extraction { mentions, triples: vec![triple] };
        let reading =
            Reading { episode: id, extractor: "test-1".to_owned(), status: ExtractionStatus::Done, found };
        let episode = Episode {
            id,
            session,
            position,
            speaker: Some("Ana".to_owned()),
            text,
            occurred_at: Some(at),
            recorded_at: Timestamp::from_millis(1_700_000_000_000).unwrap(),
            source_id: Some(format!("T{position}")),
        };
        Changes { episodes: vec![episode], readings: vec![reading] }
    }

    fn statuses(engine: &Engine, namespace: &Namespace) -> Vec<(String, FactStatus)> {
        let reader = engine.reader(namespace).unwrap();
        let state = reader.state();
        let object = |fact: &crate::state::FactNode| state.entity(fact.object.unwrap()).name().to_owned();
        let mut found: Vec<_> = state.facts().iter().map(|fact| (object(fact), fact.status)).collect();
        found.sort_by(|a, b| a.0.cmp(&b.0));
        found
    }

    #[test]
    fn a_commit_is_visible_once_and_after_reopening() {
        let directory = tempfile::tempdir().unwrap();
        let namespace = Namespace::default();
        let (engine, _) = open(directory.path());
        let changes = lives_in(&namespace, 0, 8, "Porto");
        let first = engine.commit(&namespace, changes.clone()).unwrap();
        assert_eq!((first.episodes, first.readings, first.facts), (1, 1, 1));
        let again = engine.commit(&namespace, changes).unwrap();
        assert_eq!((again.sequence, again.episodes, again.readings, again.facts), (1, 0, 0, 0));
        let before = engine.reader(&namespace).unwrap().state().counts();
        assert_eq!((before.episodes, before.entities, before.facts), (1, 2, 1));
        assert_eq!(engine.check().unwrap(), Vec::<String>::new());
        drop(engine);
        let (engine, notices) = open(directory.path());
        assert_eq!(notices, []);
        let reader = engine.reader(&namespace).unwrap();
        assert_eq!(reader.state().counts(), before);
        assert_eq!(reader.episode(EpisodeIx(0)).unwrap().text, "I live in Porto now.");
    }

    #[test]
    fn a_later_statement_supersedes_in_whatever_order_they_arrive() {
        let namespace = Namespace::default();
        let (early, late) = (lives_in(&namespace, 0, 8, "Berlin"), lives_in(&namespace, 1, 20, "Porto"));
        let expected =
            [("Berlin".to_owned(), FactStatus::Superseded), ("Porto".to_owned(), FactStatus::Current)];
        for order in [[&early, &late], [&late, &early]] {
            let directory = tempfile::tempdir().unwrap();
            let (engine, _) = open(directory.path());
            engine.reader(&namespace).unwrap();
            for changes in order {
                engine.commit(&namespace, changes.clone()).unwrap();
            }
            assert_eq!(statuses(&engine, &namespace), expected);
            assert_eq!(engine.check().unwrap(), Vec::<String>::new());
        }
    }

    #[test]
    fn a_working_store_that_is_missing_damaged_or_behind_is_made_anew() {
        let directory = tempfile::tempdir().unwrap();
        let namespace = Namespace::default();
        let (engine, _) = open(directory.path());
        engine.commit(&namespace, lives_in(&namespace, 0, 8, "Porto")).unwrap();
        drop(engine);
        let sled = directory.path().join("sled");
        fs::remove_dir_all(&sled).unwrap();
        let (engine, notices) = open(directory.path());
        assert!(
            matches!(&notices[..], [Notice::Rebuilt { commits: 1, quarantine: None, .. }]),
            "{notices:?}"
        );
        drop(engine);
        fs::write(sled.join("db"), vec![0xAB; 100_000]).unwrap();
        fs::write(sled.join("conf"), b"segment_size: 1").unwrap();
        let (engine, notices) = open(directory.path());
        assert!(
            matches!(&notices[..], [Notice::Rebuilt { commits: 1, quarantine: Some(_), .. }]),
            "{notices:?}"
        );
        assert_eq!(engine.check().unwrap(), Vec::<String>::new());
        assert_eq!(statuses(&engine, &namespace).len(), 1);
    }

    #[test]
    fn commits_of_many_threads_are_all_there() {
        let directory = tempfile::tempdir().unwrap();
        let (engine, _) = open(directory.path());
        let namespace = Namespace::new("many/threads").unwrap();
        std::thread::scope(|scope| {
            for thread in 0..4 {
                let (engine, namespace) = (&engine, &namespace);
                scope.spawn(move || {
                    for n in 0..10 {
                        let changes = lives_in(namespace, thread * 10 + n, 1 + n, &format!("Town {n}"));
                        assert_eq!(engine.commit(namespace, changes).unwrap().episodes, 1);
                        assert!(engine.reader(namespace).unwrap().state().counts().episodes > 0);
                    }
                });
            }
        });
        assert_eq!(engine.reader(&namespace).unwrap().state().counts().episodes, 40);
        assert_eq!(engine.check().unwrap(), Vec::<String>::new());
    }

    #[test]
    fn one_namespace_does_not_see_another() {
        let directory = tempfile::tempdir().unwrap();
        let (engine, _) = open(directory.path());
        let (one, other) = (Namespace::new("a").unwrap(), Namespace::new("a/b").unwrap());
        engine.commit(&one, lives_in(&one, 0, 8, "Porto")).unwrap();
        engine.commit(&other, lives_in(&other, 0, 8, "Berlin")).unwrap();
        assert_eq!(statuses(&engine, &one), [("Porto".to_owned(), FactStatus::Current)]);
        assert_eq!(engine.namespaces().unwrap(), [one, other]);
    }

    #[test]
    fn a_directory_of_something_else_is_left_alone() {
        let directory = tempfile::tempdir().unwrap();
        fs::write(directory.path().join("letter.txt"), "dear").unwrap();
        let opened = Engine::open(directory.path(), Missing::Create, Arc::new(HashEmbedder::default()));
        assert!(matches!(opened.err(), Some(Error::NotAStore { .. })));
        assert_eq!(fs::read_dir(directory.path()).unwrap().count(), 1);
    }
}
