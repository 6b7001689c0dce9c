//! The bytes of every key in the working store. Keys are ordered and begin with the namespace, so that a
//! namespace is one contiguous range.
//!
//! ```text
//! NAMESPACE 00 'c' SEQUENCE(8)    a commit, big-endian
//! 00 'n' NAMESPACE                the namespace exists, and what it must hold
//! 00 'm' NAME                     about the store itself
//! ```
//!
//! A namespace is never empty and holds no NUL, so the ranges cannot run into one another.

use crate::model::id::Namespace;

/// The key of the mark that says how far the journal was applied.
pub(super) const APPLIED: &[u8] = b"\0mapplied";
/// What every key of the list of namespaces begins with.
pub(super) const NAMESPACES: &[u8] = b"\0n";

/// The mark that a namespace exists, with its tally.
pub(super) fn namespace(namespace: &Namespace) -> Vec<u8> {
    [NAMESPACES, namespace.as_str().as_bytes()].concat()
}

/// A commit's row.
pub(super) fn commit(namespace: &Namespace, sequence: u64) -> Vec<u8> {
    [&commits(namespace), sequence.to_be_bytes().as_slice()].concat()
}

/// What the keys of all commits into a namespace begin with.
pub(super) fn commits(namespace: &Namespace) -> Vec<u8> {
    [namespace.as_str().as_bytes(), b"\0c"].concat()
}

/// The number that a commit's key names.
pub(super) fn sequence_in(key: &[u8]) -> Option<u64> {
    key.last_chunk().map(|number| u64::from_be_bytes(*number))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_namespace_is_no_prefix_of_another() {
        let (short, long) = (Namespace::new("a").unwrap(), Namespace::new("a/b").unwrap());
        assert!(!commits(&long).starts_with(&commits(&short)));
    }

    #[test]
    fn commits_are_in_order_and_read_back_from_their_keys() {
        let namespace = Namespace::new("用户").unwrap();
        let keys = [1, 255, 256, u64::MAX].map(|sequence| commit(&namespace, sequence));
        assert!(keys.is_sorted() && keys.iter().all(|key| key.starts_with(&commits(&namespace))));
        assert_eq!(sequence_in(&keys[2]), Some(256));
        assert_eq!(sequence_in(b"short"), None);
    }
}
