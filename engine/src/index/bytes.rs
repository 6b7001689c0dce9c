//! Bytes in one piece, as serde keeps them: a list of numbers would be kept number by number.

use serde::de::{Deserializer, Error, Visitor};
use serde::ser::Serializer;

pub(super) fn serialize<S: Serializer>(bytes: &[u8], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_bytes(bytes)
}

pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<u8>, D::Error> {
    struct Bytes;

    impl Visitor<'_> for Bytes {
        type Value = Vec<u8>;

        fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
            f.write_str("bytes")
        }

        fn visit_bytes<E: Error>(self, bytes: &[u8]) -> Result<Vec<u8>, E> {
            Ok(bytes.to_vec())
        }
    }

    deserializer.deserialize_bytes(Bytes)
}

/// The same for numbers with a sign.
pub(super) mod signed {
    use super::{Deserializer, Serializer};

    pub(in super::super) fn serialize<S: Serializer>(
        numbers: &[i8],
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        let bytes: Vec<u8> = numbers.iter().map(|x| x.cast_unsigned()).collect();
        super::serialize(&bytes, serializer)
    }

    pub(in super::super) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Vec<i8>, D::Error> {
        let bytes = super::deserialize(deserializer)?;
        Ok(bytes.into_iter().map(u8::cast_signed).collect())
    }
}
