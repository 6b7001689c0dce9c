//! The engine: open a store, read one namespace, commit to one namespace.

mod commit;
#[cfg(test)]
mod damage_tests;
mod embedding;
#[cfg(test)]
mod embedding_tests;
#[cfg(test)]
mod erase_tests;
mod keep;
#[cfg(test)]
mod keep_tests;
mod load;
#[cfg(test)]
mod rulings_tests;
mod scan;
#[cfg(test)]
mod tests;
mod uses;

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, AtomicUsize};
use std::sync::{Arc, OnceLock, Weak};

use parking_lot::{ArcRwLockReadGuard, ArcRwLockWriteGuard, Mutex, RawRwLock, RwLock};
use rustc_hash::FxHashMap;

use self::commit::Ticket;
use self::load::Slot;
use crate::check;
use crate::embed::Embedder;
use crate::error::Error;
use crate::graph::EpisodeIx;
use crate::model::episode::Episode;
use crate::model::id::{Namespace, SessionId};
use crate::queue::Queue;
use crate::state::State;
use crate::store::disk::{Disk, Os};
use crate::store::{Compaction, Missing, Notice, Store, Usage};

pub use self::commit::Receipt;
pub use self::embedding::{Batch, Switch, Turn, Turns};
pub use self::scan::Scan;

/// Who is told of a namespace.
type Listener = Box<dyn Fn(&Namespace) + Send + Sync>;

/// An open store with the namespaces that were used so far in memory.
pub struct Engine {
    store: Arc<Store>,
    /// Held for reading by whoever makes vectors that a namespace is to get, for writing while another model
    /// takes its place.
    embedder: RwLock<Arc<dyn Embedder>>,
    /// Held by whoever embeds what has no vector yet.
    turns: Turns,
    /// Who is told of namespaces that got episodes without vectors.
    unembedded: OnceLock<Listener>,
    slots: Mutex<FxHashMap<Namespace, Arc<Slot>>>,
    /// Commits that wait; one thread at a time commits for all of them.
    queue: Queue<Ticket, Result<Receipt, Error>>,
    /// Held for reading while places in the journal are read that no state knows yet, for writing while they
    /// change.
    places: RwLock<()>,
    /// Held for reading by scans, which read places for as long as somebody takes to write down what they
    /// tell; for writing by who compacts, before anybody waits for that.
    scans: RwLock<()>,
    /// Namespaces that were left to scans, as long as those or other readers hold them: they know of places,
    /// too.
    left: Mutex<Vec<Weak<RwLock<State>>>>,
    /// Held while places have changed that some state does not know yet.
    moving: Mutex<()>,
    /// Questions and commits so far.
    uses: AtomicU64,
    /// How many bytes the namespaces in memory may take together.
    budget: AtomicUsize,
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
        Self::open_on(&(Arc::new(Os) as Arc<dyn Disk>), directory, missing, embedder)
    }

    /// [`Engine::open`] on another disk than the system's.
    pub(crate) fn open_on(
        disk: &Arc<dyn Disk>,
        directory: &Path,
        missing: Missing,
        embedder: Arc<dyn Embedder>,
    ) -> Result<(Self, Vec<Notice>), Error> {
        let store = Store::open(disk, directory, missing)?;
        let engine = Self {
            store: Arc::new(store),
            embedder: RwLock::new(embedder),
            turns: Turns(Arc::default()),
            unembedded: OnceLock::new(),
            slots: Mutex::default(),
            queue: Queue::new(),
            places: RwLock::new(()),
            scans: RwLock::new(()),
            left: Mutex::default(),
            moving: Mutex::new(()),
            uses: AtomicU64::new(0),
            budget: AtomicUsize::new(usize::MAX),
        };
        engine.finish_erasing();
        let notices = engine.take_notices();
        Ok((engine, notices))
    }

    /// Takes off the disk what was forgotten and not taken off it when the store was in use last.
    fn finish_erasing(&self) {
        if !self.store.erasure_is_due() {
            return;
        }
        if self.store.is_poisoned() {
            self.store.notify(Notice::NotErased { reason: self.store.poisoned().to_string() });
            return;
        }
        match self.compact() {
            Ok(Compaction { episodes: 0, .. }) => {}
            Ok(compaction) => self.store.notify(Notice::Erased(compaction)),
            Err(Error::Io(refused)) => {
                self.store.notify(Notice::NotErased { reason: refused.with_source() });
            }
            Err(error) => self.store.notify(Notice::NotErased { reason: error.to_string() }),
        }
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

    /// How many commits wait for the one that is being made.
    #[cfg(test)]
    pub(crate) fn waiting(&self) -> usize {
        self.queue.waiting()
    }

    /// Everything in which journal, working store, graph and indexes do not agree, a line each; empty where
    /// all is well.
    ///
    /// # Errors
    /// Where the walk itself cannot go on.
    pub fn check(&self) -> Result<Vec<String>, Error> {
        let mut problems = self.store.verify()?;
        if self.store.erasure_is_due() {
            let reason = "nothing was compacted since".to_owned();
            self.store.notify(Notice::NotErased { reason });
        }
        for namespace in self.store.namespaces()? {
            // It is loaded before anybody waits for it.
            drop(self.state(&namespace)?);
            // No commit may come between the two that are compared.
            let _leader = self.queue.lead();
            let all_embedded = self.embedder().is_quick();
            let rebuilt = self.rebuild(&namespace)?;
            check::walk(&settled(&self.state(&namespace)?), &rebuilt, all_embedded, &mut problems);
        }
        Ok(problems)
    }

    /// Takes what was forgotten off the disk: the segments of the journal that hold it are written anew
    /// without it. Commits wait for the last of it, which takes the longer, the more is forgotten meanwhile.
    /// It waits for scans to be let go first.
    ///
    /// # Errors
    /// Where the journal cannot be read or written. Nothing is lost then.
    pub fn compact(&self) -> Result<Compaction, Error> {
        let _scans = self.scans.write();
        let begun = self.store.rewrite_closed()?;
        let _leader = self.queue.lead();
        let rewritten = self.store.rewrite(begun)?;
        if rewritten.is_empty() {
            self.erase_vectors()?;
            self.erase_uses()?;
            return self.store.erased().map(|()| Compaction::default());
        }
        // From here on, until all states know of the new places, no state is kept; the old places can be read
        // meanwhile. Nobody who reads one namespace and asks for another is waited for: only loading must not
        // go on.
        let moving = self.moving.lock();
        let (compaction, moves) = {
            let _places = self.places.write();
            self.store.put_in_place(rewritten)
        };
        let slots: Vec<Arc<Slot>> = self.slots.lock().values().cloned().collect();
        for slot in slots {
            if let Some(state) = slot.loaded() {
                state.write().relocate(&moves);
            }
            slot.leave_if_mostly_remains();
        }
        // After those in their places, so that one that leaves meanwhile is not missed.
        let left: Vec<Arc<RwLock<State>>> = {
            let mut left = self.left.lock();
            left.retain(|state| state.strong_count() > 0);
            left.iter().filter_map(Weak::upgrade).collect()
        };
        for state in left {
            state.write().relocate(&moves);
        }
        // All are of the journal before. Best effort: one that stays is thrown away when it is read.
        let _ = self.store.snapshots().clear();
        self.store.close_replaced();
        let compaction = compaction?;
        drop(moving);
        self.erase_vectors()?;
        self.erase_uses()?;
        self.store.erased().map(|()| compaction)
    }

    /// How much room the store takes on disk.
    pub fn usage(&self) -> Usage {
        self.store.usage()
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
    pub(crate) state: ArcRwLockReadGuard<RawRwLock, State>,
    pub(crate) store: Arc<Store>,
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
            expires_at: node.expires_at,
            told_at: node.told_at,
        })
    }
}
