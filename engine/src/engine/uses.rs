//! What was of use to those who asked: noted beside the journal, read where a ranking is to know, and gone
//! with what is forgotten.

use super::Engine;
use crate::error::Error;
use crate::model::id::{EpisodeId, Namespace};
use crate::model::time::Timestamp;
use crate::store::Uses;

impl Engine {
    /// Notes that episodes were of use at a time. It is no commit, and what is noted may be lost.
    ///
    /// # Errors
    /// The system's.
    pub fn note_use(&self, namespace: &Namespace, ids: &[EpisodeId], at: Timestamp) -> Result<(), Error> {
        if ids.is_empty() { Ok(()) } else { self.store.uses().note(namespace, ids, at) }
    }

    /// What was of use in a namespace.
    ///
    /// # Errors
    /// The system's.
    pub fn uses(&self, namespace: &Namespace) -> Result<Uses, Error> {
        self.store.uses().read(namespace)
    }

    /// Takes the uses of forgotten episodes off the disk.
    pub(super) fn erase_uses(&self) -> Result<(), Error> {
        for namespace in self.store.uses().namespaces()? {
            let state = self.state(&namespace)?;
            let state = state.read();
            let known = |id: &EpisodeId| state.find_episode(id).is_some();
            self.store.uses().retain(&namespace, known)?;
        }
        Ok(())
    }
}
