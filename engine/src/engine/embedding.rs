//! Vectors of models that take their time. Nothing waits for them: episodes are stored first, and found by their words until
//! their vectors follow, batch by batch, from whoever asks for that. What was embedded once is kept beside the journal.

use std::sync::Arc;

use parking_lot::{ArcMutexGuard, Mutex, RawMutex, RwLock};

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

/// Who may embed: one at a time, so that nothing is embedded twice. Nobody but those who embed waits for it.
#[derive(Clone)]
pub struct Turns(pub(super) Arc<Mutex<()>>);

/// The turn of one who embeds.
pub struct Turn(ArcMutexGuard<RawMutex, ()>);

impl Turns {
    /// Waits for the turn.
    pub fn take(&self) -> Turn {
        Turn(self.0.lock_arc())
    }
}

impl Turn {
    /// Gives the turn to whoever waits for it, before this one can take it again.
    pub fn pass_on(self) {
        ArcMutexGuard::unlock_fair(self.0);
    }
}

/// Episodes that are embedded together, and by whom. It holds nothing that anybody waits for.
pub struct Batch {
    namespace: Namespace,
    embedder: Arc<dyn Embedder>,
    episodes: Vec<Episode>,
    /// The number after the last of them.
    next: u32,
}

impl Batch {
    /// Lets the model make the vectors.
    ///
    /// # Errors
    /// The model's.
    pub fn embed(&self) -> Result<Vec<(EpisodeId, Vec<f32>)>, Error> {
        let vectors = embed_checked(&*self.embedder, self.episodes.iter())?;
        Ok(self.episodes.iter().map(|episode| episode.id).zip(vectors).collect())
    }

    /// Where the next batch of the namespace begins.
    pub fn next(&self) -> u32 {
        self.next
    }

    /// How many episodes they are.
    pub fn count(&self) -> usize {
        self.episodes.len()
    }
}

/// A change to another model, batch by batch. While it goes on, the model before serves.
pub struct Switch {
    to: Arc<dyn Embedder>,
    /// Namespaces to come.
    namespaces: Vec<Namespace>,
    /// The one at hand, what of it is done, and from which number on it is looked at.
    at: Option<(Namespace, FxHashSet<EpisodeId>, u32)>,
    /// Whether it is to go round once more, for what came while it went round.
    again: bool,
    done: usize,
    all: usize,
}

impl Switch {
    /// The model that is to take the place of the other.
    pub fn to(&self) -> &Arc<dyn Embedder> {
        &self.to
    }

    /// How many episodes have their vector by it, and of how many.
    pub fn progress(&self) -> (usize, usize) {
        (self.done, self.all.max(self.done))
    }
}

impl Engine {
    /// The model that makes the vectors.
    pub fn embedder(&self) -> Arc<dyn Embedder> {
        Arc::clone(&self.embedder.read_recursive())
    }

    /// Whose turn it is to embed.
    pub fn turns(&self) -> Turns {
        self.turns.clone()
    }

    /// Has `told` called with each namespace that got episodes whose vectors are to be made later, when it got them. Only
    /// the first one is.
    pub fn on_unembedded(&self, told: impl Fn(&Namespace) + Send + Sync + 'static) {
        // Whoever was first stays.
        let _ = self.unembedded.set(Box::new(told));
    }

    /// How many episodes of a namespace have no vector yet.
    ///
    /// # Errors
    /// Where the namespace cannot be loaded.
    pub fn without_vector(&self, namespace: &Namespace) -> Result<usize, Error> {
        let state = self.state(namespace)?;
        let state = state.read();
        Ok(state.living_count().saturating_sub(state.vectors().len()))
    }

    /// Embeds the episodes of a namespace that have no vector yet, and tells `progress` how many more are done. Reading and
    /// committing go on meanwhile. What is done stays done, whatever happens to the rest.
    ///
    /// # Errors
    /// Those of the model and of the store.
    pub fn embed_pending(&self, namespace: &Namespace, mut progress: impl FnMut(usize)) -> Result<(), Error> {
        let turn = self.turns.take();
        let mut from = 0;
        while let Some(batch) = self.pending_batch(&turn, namespace, from)? {
            self.keep(&turn, &batch, batch.embed()?)?;
            progress(batch.count());
            from = batch.next;
        }
        Ok(())
    }

    /// The next episodes of a namespace that have no vector yet, from a number on.
    ///
    /// # Errors
    /// The store's.
    pub fn pending_batch(&self, _: &Turn, namespace: &Namespace, from: u32) -> Result<Option<Batch>, Error> {
        let embedder = self.embedder();
        if embedder.is_quick() || self.without_vector(namespace)? == 0 {
            return Ok(None);
        }
        self.batch(namespace, &embedder, from, |state, ix| !state.vectors().has(ix.0))
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
        let turn = self.turns.take();
        let mut switch = self.begin_switch(to)?;
        while let Some(batch) = self.switch_batch(&turn, &mut switch)? {
            self.keep_of_switch(&turn, &mut switch, &batch, batch.embed()?)?;
            let (done, all) = switch.progress();
            progress(done, all);
        }
        self.finish_switch(&turn, switch);
        Ok(())
    }

    /// Begins a change to another model, or goes on with one that was broken off.
    ///
    /// # Errors
    /// The store's.
    pub fn begin_switch(&self, to: Arc<dyn Embedder>) -> Result<Switch, Error> {
        let mut switch = Switch { to, namespaces: Vec::new(), at: None, again: false, done: 0, all: 0 };
        if !switch.to.is_quick() {
            switch.namespaces = self.namespaces()?;
            let count = |namespace| Ok(self.reader(namespace)?.state().counts().episodes);
            switch.all = switch.namespaces.iter().map(count).sum::<Result<usize, Error>>()?;
            switch.again = true;
            switch.namespaces.reverse();
        }
        Ok(switch)
    }

    /// The next episodes that the other model is to embed. `None` where it has seen all that were there when it came by.
    ///
    /// # Errors
    /// The store's.
    pub fn switch_batch(&self, _: &Turn, switch: &mut Switch) -> Result<Option<Batch>, Error> {
        loop {
            if switch.at.is_none() {
                let Some(namespace) = switch.namespaces.pop() else {
                    if !std::mem::take(&mut switch.again) {
                        return Ok(None);
                    }
                    switch.namespaces = self.namespaces()?;
                    continue;
                };
                let mut done: FxHashSet<EpisodeId> = FxHashSet::default();
                self.store.vectors().read(switch.to.identity(), &namespace, |id, _| {
                    done.insert(id);
                })?;
                // Those of the second time are known of from the first.
                if switch.again {
                    switch.done += done.len();
                }
                switch.at = Some((namespace, done, 0));
            }
            let Some((namespace, done, from)) = &mut switch.at else { return Ok(None) };
            let wanted = |state: &State, ix| !done.contains(&state.episode(ix).id);
            if let Some(batch) = self.batch(namespace, &switch.to, *from, wanted)? {
                *from = batch.next;
                return Ok(Some(batch));
            }
            switch.at = None;
        }
    }

    /// Keeps what the other model made of a batch.
    ///
    /// # Errors
    /// The store's.
    pub fn keep_of_switch(
        &self,
        turn: &Turn,
        switch: &mut Switch,
        batch: &Batch,
        made: Vec<(EpisodeId, Vec<f32>)>,
    ) -> Result<(), Error> {
        self.keep(turn, batch, made)?;
        switch.done += batch.count();
        Ok(())
    }

    /// Puts the other model in the place of the one before: whoever reads has one or the other. What came since the other
    /// model has seen a namespace waits for its vectors.
    pub fn finish_switch(&self, _: &Turn, switch: Switch) {
        // Whoever commits has the model for as long as that takes, so nobody is between the two.
        let mut embedder = self.embedder.write();
        *embedder = switch.to;
        // Not before the model has changed, for they are made again with it.
        for slot in self.slots.lock().values() {
            slot.leave();
        }
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

    /// The next episodes from a number on that are wanted, with their texts.
    fn batch(
        &self,
        namespace: &Namespace,
        embedder: &Arc<dyn Embedder>,
        from: u32,
        wanted: impl Fn(&State, EpisodeIx) -> bool,
    ) -> Result<Option<Batch>, Error> {
        let reader: Reader = self.reader(namespace)?;
        let state = reader.state();
        let open = state.living_from(EpisodeIx(from)).filter(|ix| wanted(state, *ix));
        let found: Vec<EpisodeIx> = open.take(BATCH.min(embedder.at_a_time()).max(1)).collect();
        let Some(last) = found.last() else { return Ok(None) };
        let next = last.0 + 1;
        let episodes = found.into_iter().map(|ix| reader.episode(ix)).collect::<Result<_, _>>()?;
        Ok(Some(Batch { namespace: namespace.clone(), embedder: Arc::clone(embedder), episodes, next }))
    }

    /// Keeps vectors on the disk and gives them to the namespace in memory where it has those of their model, as far as it
    /// still has the episodes.
    ///
    /// # Errors
    /// The store's.
    pub fn keep(&self, _: &Turn, batch: &Batch, mut made: Vec<(EpisodeId, Vec<f32>)>) -> Result<(), Error> {
        let state: Arc<RwLock<State>> = self.state(&batch.namespace)?;
        let mut state = state.write();
        let identity = batch.embedder.identity();
        // Under the lock, so that what is forgotten meanwhile is not written after it was taken off the disk.
        made.retain(|(id, _)| state.find_episode(id).is_some());
        self.store.vectors().append(identity, &batch.namespace, &made)?;
        if state.vectors().identity() == identity {
            for (id, vector) in &made {
                state.take_vector(id, vector);
            }
            state.tend_vectors(made.len());
        }
        Ok(())
    }
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
