//! Doors for the fuzz targets in `tests/fuzz` to what has no other: the bytes of snapshots and the cutting of texts. They
//! stand in no ordinary build.

use std::sync::Arc;

use parking_lot::RwLock;

use crate::check;
use crate::embed::{Embedder, HashEmbedder, ModelIdentity};
use crate::engine::Reader;
use crate::model::episode::Episode;
use crate::model::extraction::Reading;
use crate::model::id::{EpisodeId, Namespace};
use crate::state::{Arrival, Known, State, passage};
use crate::store::TextRef;

pub use crate::store::fuzzing as journal;

/// A namespace as the sections of a snapshot.
pub fn encode(state: &State) -> Vec<Vec<u8>> {
    state.encode()
}

/// A namespace from the sections of a snapshot.
///
/// # Errors
/// What does not hold together.
pub fn decode(
    namespace: &Namespace,
    identity: &ModelIdentity,
    sections: &[Vec<u8>],
) -> Result<State, String> {
    State::decode(namespace.clone(), identity.clone(), sections)
}

/// A namespace in which these are told, in their order; of an episode that is told twice, the first time counts.
pub fn state_of<'t>(
    namespace: &Namespace,
    told: impl Iterator<Item = (&'t Episode, Option<&'t Reading>)>,
) -> State {
    let embedder = HashEmbedder::default();
    let mut state = State::new(namespace.clone(), embedder.identity().clone());
    let place = TextRef { segment: 0, offset: 0, bytes: 0, crc: 0, salt: 0 };
    for (episode, reading) in told {
        if state.known(&episode.id) == Known::Unknown {
            let vector = embedder.embed(&[&episode.text]).expect("it cannot fail").remove(0);
            state.apply(&[Arrival { episode, text: &episode.text, place, vector: Some(&vector) }], reading);
        }
    }
    state.settle();
    state
}

/// Everything in which a namespace differs from another, and that does not hold in it.
pub fn compare(state: &State, other: &State) -> Vec<String> {
    let mut problems = Vec::new();
    check::walk(state, other, true, &mut problems);
    problems
}

/// Takes an episode out of a namespace.
pub fn forget(state: &mut State, id: EpisodeId) {
    state.forget(&[id]);
    state.settle();
}

/// Everything that does not hold in a namespace.
pub fn walk(state: &State) -> Vec<String> {
    compare(state, state)
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
