//! What is to be forgotten, and what goes with it.

use std::collections::{BTreeSet, HashSet};

use lorebase_engine::Compaction;
use lorebase_engine::change::Changes;
use lorebase_engine::graph::{EpisodeIx, FactIx};
use lorebase_engine::model::id::{EpisodeId, Namespace, SessionId};
use lorebase_engine::state::State;

use crate::error::Error;
use crate::memory::Memory;
use crate::process::give_memory_back;

/// Episodes that are forgotten in one commit.
const UNIT_EPISODES: usize = 1 << 16;

/// What is to be forgotten: everything that one of the lists names.
#[derive(Debug, Clone, Copy, Default)]
pub struct Selection<'s> {
    /// These episodes.
    pub episodes: &'s [EpisodeId],
    /// Every episode of these sessions.
    pub sessions: &'s [SessionId],
}

/// What a selection comes to.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Going {
    /// The episodes that it names, in the order in which they were committed.
    pub episodes: Vec<EpisodeId>,
    /// Facts that nothing else states.
    pub facts: usize,
    /// Episodes and sessions among those named that were forgotten before.
    pub gone: usize,
    /// What names nothing that the memory holds.
    pub unknown: Vec<String>,
}

/// What forgetting came to.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Forgotten {
    /// What has gone.
    pub going: Going,
    /// What that has taken off the disk.
    pub compaction: Compaction,
}

impl Memory {
    /// What [`Memory::forget`] would take out.
    ///
    /// # Errors
    /// The store's.
    pub fn would_forget(&self, namespace: &Namespace, what: &Selection<'_>) -> Result<Going, Error> {
        let reader = self.engine().reader(namespace)?;
        Ok(going(reader.state(), what))
    }

    /// Takes episodes out, with everything that no other episode supports, and takes their texts off the disk. They are
    /// not taken in again. Where it is broken off after they were taken out, they are taken off the disk when the store is
    /// opened next. Ends that were cut off the journal (`journal/torn-N`) go too; what a repair put aside before
    /// (`quarantine-N`: bytes that could not be read) is not looked into and may hold the same texts.
    ///
    /// # Errors
    /// The store's; what was taken out until then stays so.
    pub fn forget(&self, namespace: &Namespace, what: &Selection<'_>) -> Result<Forgotten, Error> {
        let going = self.would_forget(namespace, what)?;
        for ids in going.episodes.chunks(UNIT_EPISODES) {
            self.engine().commit(namespace, Changes { forgets: ids.to_vec(), ..Changes::default() })?;
        }
        let due = !going.episodes.is_empty() || going.gone > 0;
        let compaction = if due { self.compact()? } else { Compaction::default() };
        Ok(Forgotten { going, compaction })
    }

    /// Takes what was forgotten off the disk, and gives the memory that it took back to the system.
    ///
    /// # Errors
    /// Where the journal cannot be read or written. Nothing is lost then.
    pub fn compact(&self) -> Result<Compaction, Error> {
        let compaction = self.engine().compact()?;
        give_memory_back();
        Ok(compaction)
    }
}

fn going(state: &State, what: &Selection<'_>) -> Going {
    let mut found = Going::default();
    let mut chosen: BTreeSet<EpisodeIx> = BTreeSet::new();
    for id in what.episodes {
        match state.find_episode(id) {
            Some(ix) => _ = chosen.insert(ix),
            None if state.is_forgotten(id) => found.gone += 1,
            None => found.unknown.push(format!("episode {id}")),
        }
    }
    for id in what.sessions {
        match state.find_session(id).map(|ix| &state.session(ix).episodes) {
            Some(episodes) if episodes.is_empty() => found.gone += 1,
            Some(episodes) => chosen.extend(episodes),
            None => found.unknown.push(format!("session {id}")),
        }
    }
    found.facts = facts_only_of(state, &chosen);
    found.episodes = chosen.into_iter().map(|ix| state.episode(ix).id).collect();
    found
}

/// How many facts these episodes state and no others.
fn facts_only_of(state: &State, episodes: &BTreeSet<EpisodeIx>) -> usize {
    let stated: HashSet<FactIx> =
        episodes.iter().flat_map(|ix| state.episode(*ix).facts()).copied().collect();
    let only =
        |ix: &FactIx| state.fact(*ix).support().iter().all(|support| episodes.contains(&support.episode));
    stated.iter().filter(|ix| only(ix)).count()
}
