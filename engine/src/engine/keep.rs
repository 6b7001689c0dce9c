//! Which namespaces stay in memory, and how they come back fast: snapshots, and the budget that makes the ones that were
//! not asked for longest leave.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use parking_lot::RwLock;

use super::Engine;
use super::load::Slot;
use crate::embed::ModelIdentity;
use crate::error::Error;
use crate::model::id::Namespace;
use crate::state::{SNAPSHOT_VERSION, State};
use crate::store::{Notice, Snapshot, Source, Unit};

/// A snapshot is written where so many episodes and readings came since the last: what it takes to apply them from the
/// journal at the next opening is then felt (about 20 µs each). Few in tests, whose histories are short.
const SNAPSHOT_CHANGES: usize = if cfg!(test) { 4 } else { 8192 };

impl Engine {
    /// How many bytes the namespaces in memory may take together, about. Above that, those that were not asked for
    /// longest leave, one by one, except for those that are in use and the one that is asked for. There is no limit at
    /// first.
    pub fn set_memory_budget(&self, bytes: usize) {
        self.budget.store(bytes, Ordering::Relaxed);
    }

    /// How many bytes the namespaces in memory take together, about, and how many there are.
    pub fn memory(&self) -> (usize, usize) {
        let slots = self.slots.lock();
        let sizes = slots.values().map(|slot| slot.bytes.load(Ordering::Relaxed));
        sizes.filter(|bytes| *bytes > 0).fold((0, 0), |(sum, count), bytes| (sum + bytes, count + 1))
    }

    fn source(&self, namespace: &Namespace, model: &ModelIdentity) -> Source {
        Source {
            namespace: namespace.as_str().to_owned(),
            version: format!("{}/{SNAPSHOT_VERSION}", env!("CARGO_PKG_VERSION")),
            embedder: model.name.clone(),
            generation: self.store.generation(),
        }
    }

    /// A namespace from its snapshot and what came since; `None` where there is no snapshot that can be used.
    pub(super) fn load_snapshot(&self, namespace: &Namespace) -> Result<Option<State>, Error> {
        let (snapshots, embedder) = (self.store.snapshots(), self.embedder());
        let source = self.source(namespace, embedder.identity());
        let Snapshot { mark, sections } = match snapshots.read(&source) {
            Ok(Some(snapshot)) => snapshot,
            Ok(None) => return Ok(None),
            Err(path) => {
                self.store.notify(Notice::DamagedSnapshot { path });
                return Ok(None);
            }
        };
        let identity = embedder.identity().clone();
        let Ok(mut state) = State::decode(namespace.clone(), identity, &sections) else {
            let path = snapshots.path(namespace);
            self.store.notify(Notice::DamagedSnapshot { path });
            snapshots.remove(namespace)?;
            return Ok(None);
        };
        drop(sections);
        match self.catch_up(&*embedder, &mut state, Some(&mark)) {
            Ok(()) => self.recover_vectors(&*embedder, &mut state).map(|()| Some(state)),
            // It is not of this journal.
            Err(Error::WorkingStore { .. }) => {
                self.store.snapshots().remove(namespace)?;
                Ok(None)
            }
            Err(other) => Err(other),
        }
    }

    /// Writes the snapshot of a namespace that nobody else uses, if much came since the last.
    fn write_snapshot(&self, namespace: &Namespace, state: &RwLock<State>) -> Result<(), Error> {
        let mut state = state.write();
        if state.changes_since_snapshot() < SNAPSHOT_CHANGES
            || state.has_remains()
            || self.store.is_poisoned()
        {
            return Ok(());
        }
        state.settle();
        let mark = self.store.mark(namespace)?;
        let source = self.source(namespace, state.vectors().identity());
        self.store.snapshots().write(source, &mark, &state.encode())
    }

    /// Removes the snapshots of namespaces of which something is about to be forgotten, so that it stands in none, and of
    /// those that rulings make anew.
    pub(super) fn remove_snapshots(&self, units: &[Unit<'_>]) -> Result<(), Error> {
        let mut changing = units.iter().filter(|unit| !unit.forgets.is_empty() || !unit.rulings.is_empty());
        changing.try_for_each(|unit| self.store.snapshots().remove(unit.namespace))
    }

    /// Notes how large a namespace has grown, and makes room where it is too much.
    pub(super) fn weigh(&self, namespace: &Namespace) {
        if self.budget.load(Ordering::Relaxed) == usize::MAX {
            return;
        }
        let Some(slot) = self.slots.lock().get(namespace).cloned() else { return };
        if let Some(state) = slot.loaded() {
            slot.bytes.store(state.read().bytes(), Ordering::Relaxed);
        }
        self.shrink_to_budget(namespace);
    }

    /// Lets namespaces leave until the others are within the budget. One that cannot be kept leaves all the same: the
    /// journal has it.
    pub(super) fn shrink_to_budget(&self, asked_for: &Namespace) {
        let budget = self.budget.load(Ordering::Relaxed);
        if self.memory().0 <= budget {
            return;
        }
        let mut others: Vec<(u64, Namespace, Arc<Slot>)> = self
            .slots
            .lock()
            .iter()
            .filter(|(namespace, _)| *namespace != asked_for)
            .map(|(namespace, slot)| (slot.used.load(Ordering::Relaxed), namespace.clone(), Arc::clone(slot)))
            .collect();
        others.sort_unstable_by_key(|(used, ..)| *used);
        for (_, namespace, slot) in others {
            if self.memory().0 <= budget {
                break;
            }
            self.evict(&namespace, &slot);
        }
        // A place that holds nothing and that nobody has is made again when it is asked for.
        self.slots.lock().retain(|_, slot| Arc::strong_count(slot) > 1 || slot.loaded().is_some());
    }

    /// Lets a namespace leave memory that nobody uses. Whoever is loading or using it holds its place or the state.
    fn evict(&self, namespace: &Namespace, slot: &Slot) {
        let Some(mut place) = slot.state.try_write() else { return };
        let Some(state) = place.take_if(|state| Arc::strong_count(state) == 1) else { return };
        // While the journal is being compacted, the places in the state may be those of the journal before.
        if let Some(_still) = self.moving.try_lock() {
            // What cannot be kept is made from the journal again.
            let _ = self.write_snapshot(namespace, &state);
        }
        slot.bytes.store(0, Ordering::Relaxed);
    }
}

/// Writes the snapshots of large namespaces. Best effort: the journal has everything.
impl Drop for Engine {
    fn drop(&mut self) {
        if std::thread::panicking() {
            return;
        }
        for (namespace, slot) in std::mem::take(&mut *self.slots.lock()) {
            self.evict(&namespace, &slot);
        }
    }
}
