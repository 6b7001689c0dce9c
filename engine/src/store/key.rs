//! The bytes of every key in the working store. Keys are ordered and begin with the namespace, so that a
//! namespace is one contiguous range.
//!
//! ```text
//! NAMESPACE 00 'e' EPISODE(16)            an episode and the first part of its reading
//! NAMESPACE 00 'x' EPISODE(16) PART(2)    a further part of a long reading, from 1, big-endian
//! 00 'n' NAMESPACE                        the namespace exists, and what it must hold
//! 00 'm' NAME                             about the store itself
//! ```
//!
//! A namespace is never empty and holds no NUL, so the ranges cannot run into one another.

use crate::model::id::{EpisodeId, ID_BYTES, Namespace};

/// The key of the mark that says how far the journal was applied.
pub(super) const APPLIED: &[u8] = b"\0mapplied";
/// What every key of the list of namespaces begins with.
pub(super) const NAMESPACES: &[u8] = b"\0n";

const EPISODE: u8 = b'e';
const PART: u8 = b'x';

/// The mark that a namespace exists, with its tally.
pub(super) fn namespace(namespace: &Namespace) -> Vec<u8> {
    [NAMESPACES, namespace.as_str().as_bytes()].concat()
}

/// An episode's row.
pub(super) fn episode(namespace: &Namespace, id: &EpisodeId) -> Vec<u8> {
    [&table(namespace, EPISODE), id.as_bytes().as_slice()].concat()
}

/// A further part of an episode's reading.
pub(super) fn part(namespace: &Namespace, id: &EpisodeId, part: u16) -> Vec<u8> {
    [&parts_of(namespace, id), part.to_be_bytes().as_slice()].concat()
}

/// What the keys of the further parts of one episode's reading begin with.
pub(super) fn parts_of(namespace: &Namespace, id: &EpisodeId) -> Vec<u8> {
    [&table(namespace, PART), id.as_bytes().as_slice()].concat()
}

/// What the keys of all episodes of a namespace begin with.
pub(super) fn episodes(namespace: &Namespace) -> Vec<u8> {
    table(namespace, EPISODE)
}

/// The episode that an episode's key or a part's key names, given how its table's keys begin.
pub(super) fn episode_in(key: &[u8], prefix: &[u8]) -> Option<EpisodeId> {
    let id = key.get(prefix.len()..prefix.len() + ID_BYTES)?;
    id.try_into().ok().map(EpisodeId::from_bytes)
}

fn table(namespace: &Namespace, table: u8) -> Vec<u8> {
    [namespace.as_str().as_bytes(), &[0, table]].concat()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_namespace_is_no_prefix_of_another() {
        let (short, long) = (Namespace::new("a").unwrap(), Namespace::new("a/b").unwrap());
        assert!(!episodes(&long).starts_with(&episodes(&short)));
    }

    #[test]
    fn an_episode_is_read_back_from_its_key() {
        let (namespace, id) = (Namespace::new("用户").unwrap(), EpisodeId::of(&[b"x"]));
        assert_eq!(episode_in(&episode(&namespace, &id), &episodes(&namespace)), Some(id));
        assert_eq!(episode_in(b"short", &episodes(&namespace)), None);
    }
}
