//! Vectors of models that take their time. Nothing waits for them: episodes are stored first, and found by their words until
//! their vectors follow, batch by batch, from whoever asks for that. What was embedded once is kept beside the journal.

use std::sync::Arc;

use parking_lot::RwLock;

use super::{Engine, Reader};
use crate::embed::{self, Embedder, ModelIdentity};
use crate::error::Error;
use crate::graph::EpisodeIx;
use crate::index::vector::VectorIndex;
use crate::model::episode::Episode;
use crate::model::id::{EpisodeId, Namespace};
use crate::state::State;
use rustc_hash::FxHashSet;

/// Episodes that are embedded at a time: what a crash costs, and what the end of a switch may wait for.
const BATCH: usize = if cfg!(test) { 2 } else { 256 };

impl Engine {
    /// The model that makes the vectors.
    pub fn embedder(&self) -> Arc<dyn Embedder> {
        Arc::clone(&self.embedder.read_recursive())
    }

    /// How many episodes of a namespace have no vector yet.
    ///
    /// # Errors
    /// Where the namespace cannot be loaded.
    pub fn without_vector(&self, namespace: &Namespace) -> Result<usize, Error> {
        let state = self.state(namespace)?;
        let state = state.read();
        Ok(state.counts().episodes.saturating_sub(state.vectors().len()))
    }

    /// Embeds the episodes of a namespace that have no vector yet, and tells `progress` how many more are done. Reading and
    /// committing go on meanwhile. What is done stays done, whatever happens to the rest.
    ///
    /// # Errors
    /// Those of the model and of the store.
    pub fn embed_pending(&self, namespace: &Namespace, mut progress: impl FnMut(usize)) -> Result<(), Error> {
        let _embedding = self.embedding.lock();
        let mut from = 0;
        loop {
            let embedder = self.embedder();
            if embedder.is_quick() || self.without_vector(namespace)? == 0 {
                return Ok(());
            }
            let (episodes, next) = self.batch(namespace, from, |state, ix| !state.vectors().has(ix.0))?;
            if episodes.is_empty() {
                return Ok(());
            }
            let made = embed_all(&*embedder, &episodes)?;
            self.keep(&*embedder, namespace, made)?;
            progress(episodes.len());
            from = next;
        }
    }

    /// Lets another model make the vectors. Until all episodes are embedded by it, the one before serves; what it was given
    /// before stays, so that a switch that was broken off goes on where it was. `progress` is told how many are done, and
    /// of how many.
    ///
    /// # Errors
    /// Those of the model and of the store; the model before stays then.
    pub fn switch_embedder(
        &self,
        to: Arc<dyn Embedder>,
        mut progress: impl FnMut(usize, usize),
    ) -> Result<(), Error> {
        let _embedding = self.embedding.lock();
        if !to.is_quick() {
            let namespaces = self.namespaces()?;
            let count = |namespace| Ok(self.reader(namespace)?.state().counts().episodes);
            let all = namespaces.iter().map(count).sum::<Result<usize, Error>>()?;
            let mut done = 0;
            for namespace in namespaces {
                self.embed_beside(&*to, &namespace, |more| {
                    done += more;
                    progress(done, all);
                })?;
            }
        }
        // Whoever commits has the model for as long as that takes, so nobody is between the two. What came since the walk is
        // embedded when it is asked for.
        let mut embedder = self.embedder.write();
        *embedder = to;
        // Not before the model has changed, for they are made again with it.
        for slot in self.slots.lock().values() {
            slot.leave();
        }
        Ok(())
    }

    /// Removes the vectors of all models but the one in use.
    ///
    /// # Errors
    /// The system's.
    pub fn remove_other_vectors(&self) -> Result<(), Error> {
        self.store.vectors().keep_only(self.embedder().identity())
    }

    /// Gives a namespace that was just loaded the vectors that are kept of it.
    pub(super) fn recover_vectors(&self, embedder: &dyn Embedder, state: &mut State) -> Result<(), Error> {
        if embedder.is_quick() {
            return Ok(());
        }
        let namespace = state.namespace().clone();
        self.store.vectors().read(embedder.identity(), &namespace, |id, vector| {
            state.take_vector(&id, vector);
        })
    }

    /// Takes the vectors of forgotten episodes off the disk.
    pub(super) fn erase_vectors(&self) -> Result<(), Error> {
        for namespace in self.store.vectors().namespaces()? {
            let state = self.state(&namespace)?;
            let state = state.read();
            self.store.vectors().retain(&namespace, |id| state.find_episode(id).is_some())?;
        }
        Ok(())
    }

    /// Embeds by another model than the one in use what it was not given yet of a namespace.
    fn embed_beside(
        &self,
        to: &dyn Embedder,
        namespace: &Namespace,
        mut progress: impl FnMut(usize),
    ) -> Result<(), Error> {
        let mut done: FxHashSet<EpisodeId> = FxHashSet::default();
        self.store.vectors().read(to.identity(), namespace, |id, _| {
            done.insert(id);
        })?;
        progress(done.len());
        let mut from = 0;
        loop {
            let (episodes, next) =
                self.batch(namespace, from, |state, ix| !done.contains(&state.episode(ix).id))?;
            if episodes.is_empty() {
                return Ok(());
            }
            let made = embed_all(to, &episodes)?;
            self.store.vectors().append(to.identity(), namespace, &made)?;
            progress(made.len());
            from = next;
        }
    }

    /// The next episodes from a number on that are wanted, with their texts, and the number after them.
    fn batch(
        &self,
        namespace: &Namespace,
        from: u32,
        wanted: impl Fn(&State, EpisodeIx) -> bool,
    ) -> Result<(Vec<Episode>, u32), Error> {
        let reader: Reader = self.reader(namespace)?;
        let state = reader.state();
        let open = state.living_from(EpisodeIx(from)).filter(|ix| wanted(state, *ix));
        let found: Vec<EpisodeIx> = open.take(BATCH).collect();
        let next = found.last().map_or(from, |last| last.0 + 1);
        Ok((found.into_iter().map(|ix| reader.episode(ix)).collect::<Result<_, _>>()?, next))
    }

    /// Keeps vectors on the disk and gives them to the namespace in memory, as far as it still has the episodes.
    fn keep(
        &self,
        embedder: &dyn Embedder,
        namespace: &Namespace,
        mut made: Vec<(EpisodeId, Vec<f32>)>,
    ) -> Result<(), Error> {
        let state: Arc<RwLock<State>> = self.state(namespace)?;
        let mut state = state.write();
        // Under the lock, so that what is forgotten meanwhile is not written after it was taken off the disk.
        made.retain(|(id, _)| state.find_episode(id).is_some());
        self.store.vectors().append(embedder.identity(), namespace, &made)?;
        if state.vectors().identity() == embedder.identity() {
            for (id, vector) in &made {
                state.take_vector(id, vector);
            }
            state.tend_vectors(made.len());
        }
        Ok(())
    }
}

fn embed_all(embedder: &dyn Embedder, episodes: &[Episode]) -> Result<Vec<(EpisodeId, Vec<f32>)>, Error> {
    let vectors = embed_checked(embedder, episodes.iter())?;
    Ok(episodes.iter().map(|episode| episode.id).zip(vectors).collect())
}

/// The vectors of episodes, as many as there are, each as its model promises.
pub(super) fn embed_checked<'e>(
    embedder: &dyn Embedder,
    episodes: impl Iterator<Item = &'e Episode>,
) -> Result<Vec<Vec<f32>>, Error> {
    let texts: Vec<String> = episodes.map(|episode| embed::told(embedder, episode)).collect();
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    let vectors = embedder.embed(&texts)?;
    let identity: &ModelIdentity = embedder.identity();
    if vectors.len() != texts.len() {
        let problem = format!("{} vectors for {} texts", vectors.len(), texts.len());
        return Err(Error::Embedder { model: identity.name.clone(), problem });
    }
    let check = VectorIndex::new(identity.clone());
    vectors.iter().try_for_each(|vector| check.check(vector))?;
    Ok(vectors)
}
