//! The rows of the working store: version, CRC-32 of the rest, rkyv.

use rkyv::{Archive, Deserialize, Serialize};

use super::{Stored, decode_as, encode};

/// The version of the rows that are written. Those of format 1 had 1.
const ROW_VERSION: u8 = 2;
const ROW_HEADER: usize = 5;

/// A commit: where its frame begins, and how much it holds.
#[derive(Archive, Serialize, Deserialize, Debug, PartialEq, Eq, Clone, Copy)]
pub(in crate::store) struct CommitRowV2 {
    pub(in crate::store) segment: u32,
    pub(in crate::store) offset: u64,
    pub(in crate::store) episodes: u32,
    pub(in crate::store) readings: u32,
    pub(in crate::store) forgets: u32,
}

/// What the working store must hold of a namespace, to notice where it does not.
#[derive(Archive, Serialize, Deserialize, Debug, PartialEq, Eq, Clone, Copy, Default)]
pub(in crate::store) struct NamespaceRowV2 {
    pub(in crate::store) commits: u64,
    /// The fingerprints of all its commits' rows, put together by exclusive or.
    pub(in crate::store) digest: [u8; 16],
}

/// How far the journal was applied: the last commit's number, where the next frame begins, how many namespaces
/// there are, and of which generation the journal was.
#[derive(Archive, Serialize, Deserialize, Debug, PartialEq, Eq, Clone, Copy, Default)]
pub(in crate::store) struct AppliedV2 {
    pub(in crate::store) sequence: u64,
    pub(in crate::store) segment: u32,
    pub(in crate::store) offset: u64,
    pub(in crate::store) namespaces: u64,
    pub(in crate::store) generation: u64,
}

/// How far the journal was applied, in format 1.
#[derive(Archive, Serialize, Deserialize, Debug, PartialEq, Eq, Clone, Copy)]
pub(in crate::store) struct AppliedV1 {
    pub(in crate::store) sequence: u64,
    pub(in crate::store) segment: u32,
    pub(in crate::store) offset: u64,
    pub(in crate::store) namespaces: u64,
}

/// A row's form, and the version that it has.
pub(in crate::store) trait Row: Stored {
    /// The version.
    const VERSION: u8;
}

impl Row for CommitRowV2 {
    const VERSION: u8 = ROW_VERSION;
}

impl Row for NamespaceRowV2 {
    const VERSION: u8 = ROW_VERSION;
}

impl Row for AppliedV2 {
    const VERSION: u8 = ROW_VERSION;
}

impl Row for AppliedV1 {
    const VERSION: u8 = 1;
}

/// Bytes of a row.
pub(in crate::store) fn encode_row<T: Row>(row: &T) -> Vec<u8> {
    let body = encode(row);
    let mut bytes = Vec::with_capacity(ROW_HEADER + body.len());
    bytes.push(T::VERSION);
    bytes.extend_from_slice(&crc32fast::hash(&body).to_le_bytes());
    bytes.extend_from_slice(&body);
    bytes
}

/// The version of a row.
pub(in crate::store) fn row_version(bytes: &[u8]) -> Option<u8> {
    bytes.first().copied()
}

/// Reads a row back; the text says what is wrong with the bytes.
pub(in crate::store) fn decode_row<T: Row>(bytes: &[u8]) -> Result<T, String> {
    let (header, body) = bytes.split_at_checked(ROW_HEADER).ok_or("a row is shorter than its header")?;
    if header[0] != T::VERSION {
        return Err(format!("a row has the unknown version {}", header[0]));
    }
    if crc32fast::hash(body).to_le_bytes() != header[1..] {
        return Err("a row does not match its checksum".to_owned());
    }
    decode_as(body)
}

#[cfg(test)]
mod tests {
    use super::*;

    const APPLIED: AppliedV2 = AppliedV2 { sequence: 3, segment: 2, offset: 1, namespaces: 4, generation: 5 };

    /// The layout on disk may never change: stores that were written with it must open for ever.
    #[test]
    fn golden_bytes_of_rows() {
        let first: Vec<u8> = [3u64.to_le_bytes().to_vec(), 2u32.to_le_bytes().to_vec()].concat();
        let rest = [1u64, 4, 5].map(u64::to_le_bytes).concat();
        assert_eq!(encode_row(&APPLIED)[ROW_HEADER..], [first.clone(), rest.clone()].concat());
        let old = AppliedV1 { sequence: 3, segment: 2, offset: 1, namespaces: 4 };
        assert_eq!(encode_row(&old)[ROW_HEADER..], [first, rest[..16].to_vec()].concat());
        let commit = CommitRowV2 { segment: 1, offset: 2, episodes: 3, readings: 4, forgets: 5 };
        let bytes = b"\x01\0\0\0\x02\0\0\0\0\0\0\0\x03\0\0\0\x04\0\0\0\x05\0\0\0";
        assert_eq!(encode_row(&commit)[ROW_HEADER..], bytes[..]);
        let namespace = NamespaceRowV2 { commits: 1, digest: [3; 16] };
        let bytes = [1u64.to_le_bytes().to_vec(), vec![3; 16]].concat();
        assert_eq!(encode_row(&namespace)[ROW_HEADER..], bytes);
    }

    #[test]
    fn a_flipped_bit_is_noticed() {
        let mut bytes = encode_row(&APPLIED);
        assert_eq!((decode_row(&bytes), row_version(&bytes)), (Ok(APPLIED), Some(2)));
        assert!(decode_row::<AppliedV1>(&bytes).is_err());
        for at in 0..bytes.len() * 8 {
            bytes[at / 8] ^= 1 << (at % 8);
            assert!(decode_row::<AppliedV2>(&bytes).is_err(), "bit {at}");
            bytes[at / 8] ^= 1 << (at % 8);
        }
    }
}
