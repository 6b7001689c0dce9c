//! Newtype identifiers. All of them are content hashes, so that the same thing said twice gets the same id
//! in whatever order it arrives; none is a counter.

use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

use crate::error::Error;

/// Bytes of an identifier: the first 128 bits of a BLAKE3 hash.
pub const ID_BYTES: usize = 16;

/// The longest namespace, in bytes.
pub const NAMESPACE_MAX_BYTES: usize = 256;

/// Whose memory: a path of labels such as `acme/user-42`. Part of every key and of every structure in memory.
///
/// Labels are separated by `/`, are not empty and hold no control characters (so no NUL, which ends the
/// namespace inside a key).
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Namespace(Box<str>);

impl Namespace {
    /// The namespace that is used where none is named.
    pub const DEFAULT: &'static str = "default";

    /// Checks `path` and wraps it.
    ///
    /// # Errors
    /// [`Error::InvalidNamespace`] where it is empty, too long, has an empty label or a control character.
    pub fn new(path: &str) -> Result<Self, Error> {
        let problem = if path.is_empty() {
            "it is empty"
        } else if path.len() > NAMESPACE_MAX_BYTES {
            "it is longer than 256 bytes"
        } else if path.split('/').any(str::is_empty) {
            "a label between slashes is empty"
        } else if path.chars().any(char::is_control) {
            "it holds a control character"
        } else {
            return Ok(Self(path.into()));
        };
        Err(Error::InvalidNamespace { namespace: path.escape_debug().to_string(), problem })
    }

    /// The path as it was given.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl Default for Namespace {
    fn default() -> Self {
        Self(Self::DEFAULT.into())
    }
}

impl fmt::Display for Namespace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// A run of exchanges, named as the source names it. Unique within a namespace.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct SessionId(Box<str>);

impl SessionId {
    /// The name of the session of what is given by hand. Its turns are no talk: none of them comes after another by its place.
    pub const BY_HAND: &str = "by hand";

    /// Wraps the source's name of the session.
    pub fn new(id: &str) -> Self {
        Self(id.into())
    }

    /// The name as the source gave it.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for SessionId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

macro_rules! content_id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
        pub struct $name([u8; ID_BYTES]);

        impl $name {
            /// Takes the id's bytes as they stand in a key.
            pub const fn from_bytes(bytes: [u8; ID_BYTES]) -> Self {
                Self(bytes)
            }

            /// The id's bytes as they stand in a key.
            pub const fn as_bytes(&self) -> &[u8; ID_BYTES] {
                &self.0
            }

            /// Hashes `parts`, each preceded by its length, so that no two lists of parts run together.
            pub fn of(parts: &[&[u8]]) -> Self {
                Self(hash_parts(stringify!($name), parts))
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, "{}({self})", stringify!($name))
            }
        }

        impl FromStr for $name {
            type Err = Error;

            fn from_str(text: &str) -> Result<Self, Error> {
                parse_hex(text).map(Self).ok_or_else(|| Error::InvalidId { text: text.to_owned() })
            }
        }
    };
}

content_id! {
    /// Names one episode: a hash over namespace, session, position, speaker, time and text.
    EpisodeId
}
content_id! {
    /// Names one entity: a hash over namespace and normalised name.
    EntityId
}
content_id! {
    /// Names one fact: a hash over namespace, subject, predicate, object, polarity, kind and, for events, the day.
    FactId
}

impl FactId {
    /// The id under which it is noted that what a fact claims was forgotten.
    pub const fn as_tombstone(&self) -> EpisodeId {
        EpisodeId::from_bytes(*self.as_bytes())
    }
}

fn hash_parts(domain: &str, parts: &[&[u8]]) -> [u8; ID_BYTES] {
    let mut hasher = blake3::Hasher::new();
    for part in std::iter::once(&domain.as_bytes()).chain(parts) {
        hasher.update(&(part.len() as u64).to_le_bytes());
        hasher.update(part);
    }
    let mut bytes = [0; ID_BYTES];
    bytes.copy_from_slice(&hasher.finalize().as_bytes()[..ID_BYTES]);
    bytes
}

fn parse_hex(text: &str) -> Option<[u8; ID_BYTES]> {
    let digits = text.as_bytes();
    if digits.len() != 2 * ID_BYTES {
        return None;
    }
    let mut bytes = [0; ID_BYTES];
    for (byte, pair) in bytes.iter_mut().zip(digits.chunks_exact(2)) {
        let high = (pair[0] as char).to_digit(16)?;
        let low = (pair[1] as char).to_digit(16)?;
        *byte = (high * 16 + low) as u8;
    }
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_round_trip_through_text() {
        let id = EpisodeId::of(&[b"a", b"b"]);
        assert_eq!(id.to_string().parse::<EpisodeId>().unwrap(), id);
        assert!("xyz".parse::<EpisodeId>().is_err());
    }

    #[test]
    fn parts_do_not_run_together_and_domains_differ() {
        assert_ne!(EpisodeId::of(&[b"ab", b"c"]), EpisodeId::of(&[b"a", b"bc"]));
        assert_ne!(EpisodeId::of(&[b"a"]).as_bytes(), EntityId::of(&[b"a"]).as_bytes());
    }

    #[test]
    fn a_namespace_is_checked() {
        for bad in ["", "/", "a//b", "a/", "a\0b", "a\nb", &"x".repeat(257)] {
            assert!(Namespace::new(bad).is_err(), "{bad:?}");
        }
        for good in ["default", "acme/user-42", "_%", "用户/一"] {
            assert_eq!(Namespace::new(good).unwrap().as_str(), good);
        }
    }
}
