//! Which thing an id means of which only the first digits are typed.

use std::collections::BTreeSet;
use std::str::FromStr;

use lorebase::engine::error;
use lorebase::engine::model::id::{EpisodeId, FactId};
use lorebase::engine::state::State;
use lorebase::error::Error;

use super::args::Id;

/// How many of several that begin alike are told.
const TOLD: usize = 3;

/// The fact that is meant, of those that something states.
pub(super) fn fact(state: &State, id: &Id) -> Result<FactId, Error> {
    let stated = state.facts().iter().filter(|fact| !fact.support().is_empty());
    one("the fact", id, stated.map(|fact| fact.id))
}

/// The episode that is meant.
pub(super) fn episode(state: &State, id: &Id) -> Result<EpisodeId, Error> {
    one("the episode", id, state.living().map(|ix| state.episode(ix).id))
}

/// What is meant of what was forgotten.
pub(super) fn tombstone(state: &State, id: &Id) -> Result<EpisodeId, Error> {
    one("what was forgotten", id, state.tombstones())
}

/// The one of those known whose id begins so. A whole id is taken as it is: whoever uses it tells where it is
/// not known.
pub(super) fn one<T>(what: &'static str, id: &Id, known: impl IntoIterator<Item = T>) -> Result<T, Error>
where
    T: FromStr<Err = error::Error> + ToString,
{
    if id.is_whole() {
        return Ok(id.as_str().parse()?);
    }
    let known = known.into_iter().map(|known| known.to_string());
    let fitting: BTreeSet<String> = known.filter(|known| known.starts_with(id.as_str())).collect();
    let refuse = |problem: String| Error::Argument { argument: what, problem };
    match fitting.len() {
        1 => Ok(fitting.iter().map(|id| id.parse()).next().unwrap_or_else(|| id.as_str().parse())?),
        0 => Err(refuse(format!("is not known: no id of this namespace begins with {}", id.as_str()))),
        _ => {
            let told = fitting.iter().take(TOLD).map(String::as_str).collect::<Vec<_>>().join(", ");
            let begin = id.as_str();
            Err(refuse(format!("could be one of {}: {told}; give more digits than {begin}", fitting.len())))
        }
    }
}
