//! What comes into a memory from another: episodes with their readings and times as they were, and what was
//! forgotten there. Nothing that the memory holds is changed or taken away by it.

use std::collections::HashSet;

use lorebase_engine::change::{COMMIT_MAX_BYTES, Changes, FOUND_MAX};
use lorebase_engine::model::episode::{Episode, ExtractionStatus};
use lorebase_engine::model::extraction::Reading;
use lorebase_engine::model::id::{EpisodeId, FactId, Namespace};
use lorebase_engine::model::ruling::Ruling;
use lorebase_extract::ingest::UNIT_EPISODES;

use super::Thing;
use crate::error::Error;
use crate::memory::Memory;

/// What an import came to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Imported {
    /// Episodes that were given.
    pub episodes: u64,
    /// Episodes among them that were new.
    pub new_episodes: u64,
    /// Readings that came to episodes which the memory held and had not read.
    pub new_readings: u64,
    /// Rulings that were new.
    pub new_rulings: u64,
    /// Tombstones that were new.
    pub new_tombstones: u64,
    /// Episodes among those given that were forgotten here, and stay so.
    pub stay_forgotten: u64,
    /// Tombstones of episodes that the memory holds: they are kept.
    pub kept: u64,
}

impl Memory {
    /// Stores the episodes, readings, tombstones and rulings among `things`, in commits of bounded size;
    /// entities and facts are passed over, since they are made anew. What the memory holds already stays as
    /// it is: an episode is not stored twice, one that was forgotten does not come back, and a reading is
    /// taken only where there is none that succeeded. `progress` is told how many episodes are done.
    ///
    /// Things are not checked before; see [`Thing::check`].
    ///
    /// # Errors
    /// Those of `things`, and the store's; the commits before stand.
    pub fn import<E: From<Error>>(
        &self,
        things: impl IntoIterator<Item = Result<(Namespace, Thing), E>>,
        mut progress: impl FnMut(usize),
    ) -> Result<Imported, E> {
        let mut import = Import { memory: self, unit: Unit::default(), told: Imported::default() };
        for thing in things {
            let (namespace, thing) = thing?;
            match thing {
                Thing::Episode { episode, reading } => {
                    progress(1);
                    import.episode(&namespace, episode, reading)?;
                }
                Thing::Tombstone(id) => import.tombstone(&namespace, id)?,
                Thing::Ruling(ruling) => import.ruling(&namespace, ruling.in_namespace(&namespace))?,
                Thing::Entity(_) | Thing::Fact(_) => {}
            }
        }
        import.flush(&Namespace::default())?;
        Ok(import.told)
    }
}

struct Import<'m> {
    memory: &'m Memory,
    unit: Unit,
    told: Imported,
}

/// What is to become one commit, or up to three: one that tells, one that forgets, and one that rules.
#[derive(Default)]
struct Unit {
    namespace: Namespace,
    episodes: Vec<Episode>,
    readings: Vec<Reading>,
    tombstones: Vec<EpisodeId>,
    rulings: Vec<Ruling>,
    /// The episodes, tombstones and rulings in it.
    ids: HashSet<EpisodeId>,
    bytes: usize,
    found: usize,
}

/// How far a reading has come: a later step is never given up for an earlier one.
fn step(status: ExtractionStatus) -> u8 {
    match status {
        ExtractionStatus::Pending => 0,
        ExtractionStatus::Failed => 1,
        ExtractionStatus::Done => 2,
    }
}

impl Import<'_> {
    fn episode(
        &mut self,
        namespace: &Namespace,
        episode: Episode,
        reading: Option<Reading>,
    ) -> Result<(), Error> {
        let found =
            reading.as_ref().map_or(0, |reading| reading.found.mentions.len() + reading.found.triples.len());
        if self.unit.is_full_for(namespace, episode.id, (episode.text.len(), found)) {
            self.flush(namespace)?;
        }
        self.told.episodes += 1;
        self.unit.bytes += episode.text.len();
        self.unit.found += found;
        self.unit.ids.insert(episode.id);
        self.unit.episodes.push(episode);
        self.unit.readings.extend(reading);
        Ok(())
    }

    fn tombstone(&mut self, namespace: &Namespace, id: EpisodeId) -> Result<(), Error> {
        if self.unit.is_full_for(namespace, id, (0, 0)) {
            self.flush(namespace)?;
        }
        self.unit.ids.insert(id);
        self.unit.tombstones.push(id);
        Ok(())
    }

    fn ruling(&mut self, namespace: &Namespace, ruling: Ruling) -> Result<(), Error> {
        let id = ruling.id(namespace);
        if self.unit.is_full_for(namespace, id, (0, 0)) {
            self.flush(namespace)?;
        }
        self.unit.ids.insert(id);
        self.unit.rulings.push(ruling);
        Ok(())
    }

    /// Commits the unit and begins another, of `next`.
    fn flush(&mut self, next: &Namespace) -> Result<(), Error> {
        let mut unit = std::mem::replace(&mut self.unit, Unit { namespace: next.clone(), ..Unit::default() });
        if unit.ids.is_empty() {
            return Ok(());
        }
        self.leave_out_what_is_known(&mut unit)?;
        let (engine, told) = (self.memory.engine(), &mut self.told);
        let changes = Changes { episodes: unit.episodes, readings: unit.readings, ..Changes::default() };
        for part in changes.parts() {
            told.new_episodes += engine.commit(&unit.namespace, part)?.episodes as u64;
        }
        let changes = Changes { forgets: unit.tombstones, ..Changes::default() };
        told.new_tombstones += engine.commit(&unit.namespace, changes)?.forgotten as u64;
        for part in (Changes { rulings: unit.rulings, ..Changes::default() }).parts() {
            told.new_rulings += engine.commit(&unit.namespace, part)?.rulings as u64;
        }
        Ok(())
    }

    /// What is left is new. The engine passes over known episodes too, but would take another extractor's
    /// reading.
    fn leave_out_what_is_known(&mut self, unit: &mut Unit) -> Result<(), Error> {
        let reader = self.memory.engine().reader(&unit.namespace)?;
        let (state, told) = (reader.state(), &mut self.told);
        unit.readings.retain(|reading| match state.find_episode(&reading.episode) {
            Some(ix) => {
                let further = step(reading.status) > step(state.episode(ix).status);
                told.new_readings += u64::from(further);
                further
            }
            None => !state.is_forgotten(&reading.episode),
        });
        unit.episodes.retain(|episode| {
            let forgotten = state.is_forgotten(&episode.id);
            told.stay_forgotten += u64::from(forgotten);
            !forgotten && state.find_episode(&episode.id).is_none()
        });
        unit.tombstones.retain(|id| {
            let fact = state.find_fact(&FactId::from_bytes(*id.as_bytes()));
            let held = state.find_episode(id).is_some() || state.has_ruling(id) || fact.is_some();
            told.kept += u64::from(held);
            !held && !state.is_forgotten(id)
        });
        Ok(())
    }
}

impl Unit {
    /// Whether an episode or tombstone, with so many bytes of text and so many things found in it, must begin
    /// another unit.
    fn is_full_for(&self, namespace: &Namespace, id: EpisodeId, (bytes, found): (usize, usize)) -> bool {
        let over = self.bytes + bytes > COMMIT_MAX_BYTES || self.found + found > FOUND_MAX;
        self.namespace != *namespace
            || self.ids.len() >= UNIT_EPISODES
            || (over && !self.ids.is_empty())
            || self.ids.contains(&id)
    }
}
