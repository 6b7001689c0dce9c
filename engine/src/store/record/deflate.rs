//! Records made small, and large again within limits.

use flate2::{Compress, Compression, Decompress, FlushCompress, FlushDecompress, Status};

/// The most bytes that a record may take when it is inflated. A commit within the limits of `change.rs` stays below.
pub(super) const RECORD_MAX_BYTES: usize = 512 << 20;
/// A byte of a deflated record holds no more than this many.
const RATIO_MAX: usize = 1032;
/// A small record needs no more effort, a large one is not worth it.
const LEVEL: u32 = 6;
const HEADER: usize = 4;

/// Bytes of a record: its length when inflated, and the deflated bytes.
pub(in crate::store) fn deflate(record: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(HEADER + record.len() / 2 + 64);
    bytes.extend_from_slice(&(record.len() as u32).to_le_bytes());
    let mut compress = Compress::new(Compression::new(LEVEL), false);
    loop {
        let taken = compress.total_in() as usize;
        let status = compress.compress_vec(&record[taken..], &mut bytes, FlushCompress::Finish);
        match status.expect("compressing has no dictionary and so cannot fail") {
            Status::StreamEnd => return bytes,
            Status::Ok | Status::BufError => bytes.reserve(bytes.capacity().max(64)),
        }
    }
}

/// The record again. The text says what is wrong with the bytes.
pub(in crate::store) fn inflate(bytes: &[u8]) -> Result<Vec<u8>, String> {
    let (length, deflated) = bytes.split_at_checked(HEADER).ok_or("a record is shorter than its header")?;
    let length = u32::from_le_bytes(length.try_into().expect("four bytes were cut")) as usize;
    if length > RECORD_MAX_BYTES || length > deflated.len().saturating_mul(RATIO_MAX) {
        return Err(format!("a record says that it has {length} bytes; it cannot"));
    }
    let mut record = Vec::with_capacity(length);
    // It stops where the room is used up.
    let status = Decompress::new(false).decompress_vec(deflated, &mut record, FlushDecompress::Finish);
    match status {
        Ok(Status::StreamEnd) if record.len() == length => Ok(record),
        Ok(_) => Err("a record does not end where it says".to_owned()),
        Err(error) => Err(format!("a record cannot be inflated: {error}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_record_that_says_less_or_more_than_it_holds_is_refused() {
        let bytes = deflate(&[7; 10_000]);
        assert_eq!(inflate(&bytes), Ok(vec![7; 10_000]));
        for told in [0u32, 9_999, 10_001, 1 << 20, u32::MAX] {
            let lying = [&told.to_le_bytes()[..], &bytes[HEADER..]].concat();
            assert!(inflate(&lying).is_err(), "{told}");
        }
    }

    proptest! {
        #[test]
        fn records_come_back(record: Vec<u8>) {
            prop_assert_eq!(inflate(&deflate(&record)), Ok(record));
        }

        #[test]
        fn arbitrary_bytes_do_no_harm(bytes: Vec<u8>) {
            let _ = inflate(&bytes);
        }
    }
}
