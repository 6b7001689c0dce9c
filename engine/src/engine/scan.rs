//! Everything that was told to a namespace, episode by episode, as it is stored: what an export is made of.

use std::collections::VecDeque;
use std::sync::Arc;

use parking_lot::{RwLock, RwLockReadGuard};
use rustc_hash::{FxHashMap, FxHashSet};

use super::{Engine, Reader, settled};
use crate::error::Error;
use crate::model::episode::Episode;
use crate::model::extraction::Reading;
use crate::model::id::{EpisodeId, Namespace};
use crate::state::State;
use crate::store::{LoadedCommit, Store};

/// Commits with later readings that are kept at a time. A namespace that is read again is so in its own order, mostly.
const KEPT: usize = 8;

/// A view of one namespace, and all that was told to it up to there. No commit waits for it: one into the same namespace
/// takes that into memory anew and leaves this one with what it sees. A compaction waits for it to be let go, so whoever
/// holds it must not compact.
pub struct Scan<'e> {
    /// Places in the journal stay what they are.
    _scanning: RwLockReadGuard<'e, ()>,
    reader: Reader,
    /// Says to who commits that the namespace is looked at.
    _looking: Arc<()>,
    /// The last commit that the reader sees.
    last: u64,
}

impl Engine {
    /// A view of one namespace from which all that was told to it can be read again.
    ///
    /// # Errors
    /// Where the namespace cannot be loaded.
    pub fn scan(&self, namespace: &Namespace) -> Result<Scan<'_>, Error> {
        // Before the leader's place, which who compacts takes second, too. On where this thread scans already.
        let scanning = self.scans.read_recursive();
        // It is loaded before anybody waits for it, and mostly is there still when its turn comes.
        drop(self.state(namespace)?);
        // While nothing is committed, every commit that is written is visible.
        let _leader = self.queue.lead();
        let state = self.state(namespace)?;
        let looking = self.slot(namespace).look();
        let reader = Reader { state: settled(&state), store: Arc::clone(&self.store) };
        Ok(Scan { _scanning: scanning, reader, _looking: looking, last: self.sequence() })
    }

    /// A namespace in memory that something is to be committed into. Where a scan looks at it, that keeps what it has, and
    /// the namespace is loaded anew.
    pub(super) fn state_to_change(&self, namespace: &Namespace) -> Result<Arc<RwLock<State>>, Error> {
        self.slot(namespace).leave_to_scans(&self.left);
        self.state(namespace)
    }
}

impl Scan<'_> {
    /// The namespace in memory.
    pub fn reader(&self) -> &Reader {
        &self.reader
    }

    /// Hands every episode to `each`, in the order in which they were committed, with the last reading of it as it was
    /// stored. Forgotten episodes are left out. What is in memory at a time does not grow with the namespace, but for
    /// a few bytes for each episode that was read again after its own commit.
    ///
    /// # Errors
    /// Where the store cannot be read, and what `each` returns.
    pub fn episodes<E: From<Error>>(
        &self,
        mut each: impl FnMut(Episode, Option<Reading>) -> Result<(), E>,
    ) -> Result<(), E> {
        let mut later = Later { scan: self, last: self.read_later()?, kept: VecDeque::new() };
        self.commits(|commit| later.commit(commit, &mut each))
    }

    fn store(&self) -> &Arc<Store> {
        &self.reader.store
    }

    fn namespace(&self) -> &Namespace {
        self.reader.state().namespace()
    }

    /// The commits that the reader sees, in order.
    fn commits<E: From<Error>>(&self, mut each: impl FnMut(LoadedCommit) -> Result<(), E>) -> Result<(), E> {
        let mut seen =
            |commit: LoadedCommit| if commit.sequence <= self.last { each(commit) } else { Ok(()) };
        self.store().load(self.namespace(), None, &mut seen).map(drop)
    }

    /// The episodes that were read again after their own commit, each with the last commit that did so.
    fn read_later(&self) -> Result<FxHashMap<EpisodeId, u64>, Error> {
        let mut later = FxHashMap::default();
        self.commits::<Error>(|commit| {
            later.extend(read_of_others(&commit).map(|episode| (episode, commit.sequence)));
            Ok(())
        })?;
        Ok(later)
    }
}

/// Where later readings stand.
struct Later<'s, 'e> {
    scan: &'s Scan<'e>,
    last: FxHashMap<EpisodeId, u64>,
    /// The readings of some commits, by number.
    kept: VecDeque<(u64, FxHashMap<EpisodeId, Reading>)>,
}

impl Later<'_, '_> {
    fn commit<E: From<Error>>(
        &mut self,
        commit: LoadedCommit,
        each: &mut impl FnMut(Episode, Option<Reading>) -> Result<(), E>,
    ) -> Result<(), E> {
        let mut own = by_episode(commit.readings);
        for episode in commit.episodes {
            if self.scan.reader.state().find_episode(&episode.id).is_none() {
                continue;
            }
            let reading = match self.last.get(&episode.id) {
                Some(sequence) => self.reading_in(*sequence, &episode.id)?,
                None => own.remove(&episode.id),
            };
            each(episode, reading)?;
        }
        Ok(())
    }

    fn reading_in(&mut self, sequence: u64, episode: &EpisodeId) -> Result<Option<Reading>, Error> {
        if !self.kept.iter().any(|(kept, _)| *kept == sequence) {
            let commit = self.scan.store().one(self.scan.namespace(), sequence)?;
            self.kept.truncate(KEPT - 1);
            self.kept.push_front((sequence, by_episode(commit.readings)));
        }
        let kept = self.kept.iter().find(|(kept, _)| *kept == sequence);
        Ok(kept.and_then(|(_, readings)| readings.get(episode).cloned()))
    }
}

/// The episodes that a commit reads and does not tell.
fn read_of_others(commit: &LoadedCommit) -> impl Iterator<Item = EpisodeId> {
    let own: FxHashSet<EpisodeId> = commit.episodes.iter().map(|episode| episode.id).collect();
    let read = commit.readings.iter().map(|reading| reading.episode);
    read.filter(move |episode| !own.contains(episode))
}

fn by_episode(readings: Vec<Reading>) -> FxHashMap<EpisodeId, Reading> {
    readings.into_iter().map(|reading| (reading.episode, reading)).collect()
}

#[cfg(test)]
mod tests {
    use super::super::tests::lives_in;
    use super::*;
    use crate::model::extraction::Extraction;

    #[test]
    fn a_large_commit_in_an_odd_order_is_looked_through_in_no_time() {
        let told = lives_in(&Namespace::default(), 0, 8, "Odense");
        let ids: Vec<EpisodeId> = (0..100_000_u32).map(|n| EpisodeId::of(&[&n.to_le_bytes()])).collect();
        let told_of = |id| Episode { id, ..told.episodes[0].clone() };
        let blank = Reading { found: Extraction::default(), ..told.readings[0].clone() };
        let reading_of = |episode| Reading { episode, ..blank.clone() };
        let commit = LoadedCommit {
            sequence: 1,
            episodes: ids[1..].iter().copied().map(told_of).collect(),
            texts: Vec::new(),
            readings: ids.iter().rev().copied().map(reading_of).collect(),
            forgets: Vec::new(),
            rulings: Vec::new(),
        };
        assert_eq!(read_of_others(&commit).collect::<Vec<_>>(), ids[..1]);
    }
}
