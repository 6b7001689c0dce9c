//! How a namespace comes into memory. Whoever needs it first reads it from the store; others that need it
//! wait, and nobody else does.

use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Weak};

use parking_lot::{Mutex, RwLock};

use super::Engine;
use super::embedding::embed_checked;
use crate::embed::Embedder;
use crate::error::Error;
use crate::model::extraction::Reading;
use crate::model::id::{EpisodeId, Namespace};
use crate::model::tombstone::Tombstones;
use crate::state::{Arrival, State};
use crate::store::{LoadedCommit, Mark, Settled, Taker};

/// Episodes that are embedded and applied at a time, where a commit is not larger.
const BATCH_EPISODES: usize = 8192;
/// Bytes of text that are applied at a time, where a commit has not more.
const BATCH_BYTES: usize = 64 << 20;
/// Readings that are applied at a time.
const BATCH_READINGS: usize = 4 * BATCH_EPISODES;

/// The place of one namespace.
#[derive(Default)]
pub(super) struct Slot {
    pub(super) state: RwLock<Option<Arc<RwLock<State>>>>,
    /// Held while it is loaded, so that it is loaded once.
    loading: Mutex<()>,
    /// When it was last asked for, counted in questions and commits.
    pub(super) used: AtomicU64,
    /// About how many bytes it takes in memory.
    pub(super) bytes: AtomicUsize,
    /// Held by scans of the state that is in memory, besides.
    looking: Mutex<Arc<()>>,
}

impl Slot {
    /// Lets the namespace leave memory if much of it is what was forgotten: it comes back without. Who reads
    /// it reads on. Only to be called while nothing is committed.
    pub(super) fn leave_if_mostly_remains(&self) {
        let mut place = self.state.write();
        if place.take_if(|state| state.read().is_mostly_remains()).is_some() {
            self.bytes.store(0, Ordering::Relaxed);
        }
    }

    /// Lets the namespace leave memory, so that it is made anew. Who reads it reads on. It is noted in `left`
    /// before it is gone from here.
    pub(super) fn leave_to_readers(&self, left: &Mutex<Vec<Weak<RwLock<State>>>>) {
        let mut place = self.state.write();
        left.lock().extend(place.take().as_ref().map(Arc::downgrade));
        self.bytes.store(0, Ordering::Relaxed);
    }

    /// Lets the namespace leave memory as it is. Who reads it reads on.
    pub(super) fn leave(&self) {
        *self.state.write() = None;
        self.bytes.store(0, Ordering::Relaxed);
    }

    /// To be held while the namespace is scanned as it is now.
    pub(super) fn look(&self) -> Arc<()> {
        Arc::clone(&self.looking.lock())
    }

    /// Leaves the namespace to the scans that look at it, if any do: others load it anew. Whoever may change
    /// it asks for this first, so nobody does any more. It is noted in `left` before it is gone from here.
    pub(super) fn leave_to_scans(&self, left: &Mutex<Vec<Weak<RwLock<State>>>>) {
        let mut place = self.state.write();
        let mut looking = self.looking.lock();
        if Arc::strong_count(&looking) > 1 {
            *looking = Arc::default();
            left.lock().extend(place.take().as_ref().map(Arc::downgrade));
        }
    }

    /// The namespace, where it is in memory.
    pub(super) fn loaded(&self) -> Option<Arc<RwLock<State>>> {
        self.state.read().clone()
    }
}

impl Engine {
    /// A namespace in memory.
    pub(super) fn state(&self, namespace: &Namespace) -> Result<Arc<RwLock<State>>, Error> {
        let slot = self.slot(namespace);
        slot.used.store(self.uses.fetch_add(1, Ordering::Relaxed), Ordering::Relaxed);
        if let Some(state) = slot.loaded() {
            return Ok(state);
        }
        let state = self.load_into(&slot, namespace)?;
        self.shrink_to_budget(namespace);
        Ok(state)
    }

    /// The place of a namespace.
    pub(super) fn slot(&self, namespace: &Namespace) -> Arc<Slot> {
        Arc::clone(self.slots.lock().entry(namespace.clone()).or_default())
    }

    /// Takes a namespace out of memory as it is: nothing is kept of it.
    pub(super) fn drop_from_memory(&self, namespace: &Namespace) {
        let slot = self.slots.lock().get(namespace).cloned();
        if let Some(slot) = slot {
            slot.leave();
        }
    }

    fn load_into(&self, slot: &Slot, namespace: &Namespace) -> Result<Arc<RwLock<State>>, Error> {
        // Places that are read now must not change before the state that knows of them can be found.
        // Read on where this thread reads already, as in the midst of an export, though a compaction waits.
        let _places = self.places.read_recursive();
        let _loading = slot.loading.lock();
        if let Some(state) = slot.loaded() {
            return Ok(state);
        }
        // Nor must the model change before that.
        let _embedder = self.embedder.read_recursive();
        // No commit into the namespace slips in between: whoever commits waits for the namespace first.
        let state = match self.load_snapshot(namespace)? {
            Some(state) => state,
            None => self.rebuild(namespace)?,
        };
        slot.bytes.store(state.bytes(), Ordering::Relaxed);
        let state = Arc::new(RwLock::new(state));
        *slot.state.write() = Some(Arc::clone(&state));
        Ok(state)
    }

    /// The namespace made anew from the store.
    pub(super) fn rebuild(&self, namespace: &Namespace) -> Result<State, Error> {
        let embedder = self.embedder();
        let mut state = State::new(namespace.clone(), embedder.identity().clone());
        self.catch_up(&*embedder, &mut state, None)?;
        self.recover_vectors(&*embedder, &mut state)?;
        Ok(state)
    }

    /// Applies what was committed into a namespace, or what was since a mark.
    pub(super) fn catch_up(
        &self,
        embedder: &dyn Embedder,
        state: &mut State,
        after: Option<&Mark>,
    ) -> Result<(), Error> {
        let namespace = state.namespace().clone();
        let waiting = Waiting::default();
        let mut coming = Coming { engine: self, embedder, state, fresh: after.is_none(), waiting };
        self.store.load(&namespace, after, &mut coming)?;
        take_in(embedder, coming.state, &mut coming.waiting)?;
        state.settle();
        Ok(())
    }
}

/// A namespace into which its commits come.
struct Coming<'c> {
    engine: &'c Engine,
    embedder: &'c dyn Embedder,
    state: &'c mut State,
    /// Whether nothing has come into it before.
    fresh: bool,
    waiting: Waiting,
}

impl Taker<Error> for Coming<'_> {
    /// Who is who is settled before anything is told: a namespace that was made by other rulings must be made
    /// anew.
    fn settled(&mut self, settled: Settled) -> Result<(), Error> {
        let Settled { mut rulings, forgets } = settled;
        let namespace = self.state.namespace().clone();
        if self.fresh {
            let forgotten = Tombstones::of(forgets, &rulings).standing();
            rulings.retain(|ruling| !forgotten.contains(&ruling.id(&namespace)));
            self.state.rule(rulings);
            self.state.keep_out(forgotten);
        } else if !rulings.is_empty() || forgets.iter().any(|id| self.state.has_ruling(id)) {
            let path = self.engine.store.directory().to_path_buf();
            let problem = format!("namespace {namespace} has other rulings on names than before");
            return Err(Error::WorkingStore { path, problem });
        }
        Ok(())
    }

    fn commit(&mut self, commit: LoadedCommit) -> Result<(), Error> {
        self.waiting.add(commit);
        if self.waiting.is_full() { take_in(self.embedder, self.state, &mut self.waiting) } else { Ok(()) }
    }
}

/// Applies what waits. That episodes come before readings and those before what is forgotten, whichever
/// commits they are of, makes no difference: a reading follows its episode, and nothing follows its being
/// forgotten. What may come again since is not forgotten here: what it was before is off the disk.
fn take_in(embedder: &dyn Embedder, state: &mut State, waiting: &mut Waiting) -> Result<(), Error> {
    let Waiting { commits, readings, mut forgets, .. } = std::mem::take(waiting);
    forgets.retain(|id| !state.is_lifted(id));
    let told = || commits.iter().flat_map(|commit| commit.episodes.iter().zip(&commit.texts));
    let vectors = if embedder.is_quick() {
        embed_checked(embedder, told().map(|(episode, _)| episode))?
    } else {
        Vec::new()
    };
    let arrivals: Vec<Arrival<'_>> = told()
        .enumerate()
        .map(|(number, (episode, place))| Arrival {
            episode,
            text: &episode.text,
            place: *place,
            vector: vectors.get(number).map(Vec::as_slice),
        })
        .collect();
    state.apply(&arrivals, &readings);
    state.forget(&forgets);
    Ok(())
}

/// Commits that are applied together.
#[derive(Default)]
struct Waiting {
    commits: Vec<LoadedCommit>,
    episodes: usize,
    bytes: usize,
    readings: Vec<Reading>,
    forgets: Vec<EpisodeId>,
}

impl Waiting {
    fn add(&mut self, mut commit: LoadedCommit) {
        self.episodes += commit.episodes.len();
        self.bytes += commit.episodes.iter().map(|episode| episode.text.len()).sum::<usize>();
        self.readings.append(&mut commit.readings);
        self.forgets.append(&mut commit.forgets);
        if !commit.episodes.is_empty() {
            self.commits.push(commit);
        }
    }

    fn is_full(&self) -> bool {
        self.episodes >= BATCH_EPISODES || self.bytes >= BATCH_BYTES || self.readings.len() >= BATCH_READINGS
    }
}
