//! Doors for the fuzz targets in `tests/fuzz` to what has no other: the bytes of snapshots and the cutting of texts. They
//! stand in no ordinary build.

use std::sync::Arc;

use parking_lot::RwLock;

use crate::check;
use crate::embed::ModelIdentity;
use crate::engine::Reader;
use crate::model::id::{EpisodeId, Namespace};
use crate::state::{State, passage};

pub use crate::store::fuzzing as journal;

/// A namespace as the sections of a snapshot.
pub fn encode(state: &State) -> Vec<Vec<u8>> {
    state.encode()
}

/// A namespace from the sections of a snapshot.
///
/// # Errors
/// What does not hold together.
pub fn decode(identity: &ModelIdentity, sections: &[Vec<u8>]) -> Result<State, String> {
    State::decode(Namespace::default(), identity.clone(), sections)
}

/// Takes an episode out of a namespace.
pub fn forget(state: &mut State, id: EpisodeId) {
    state.forget(&[id]);
    state.settle();
}

/// Everything that does not hold in a namespace.
pub fn walk(state: &State) -> Vec<String> {
    let mut problems = Vec::new();
    check::walk(state, state, &mut problems);
    problems
}

/// Reads a namespace that belongs to no store; the texts are those of `other`'s store.
pub fn reader(state: State, other: &Reader) -> Reader {
    Reader { state: Arc::new(RwLock::new(state)).read_arc(), store: Arc::clone(&other.store) }
}

/// Where the passages of a text begin and end, in bytes.
pub fn passages(text: &str) -> Vec<(usize, usize)> {
    passage::cut(text)
}

/// The heading of a text.
pub fn heading(text: &str) -> Option<String> {
    passage::heading(text)
}
