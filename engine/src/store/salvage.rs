//! What can be read of a damaged segment, and what cannot. No file is touched here.

use std::ops::Range;

use super::frame::{self, FRAME_HEADER, FrameHeader, SEGMENT_HEADER, Search};
use super::record;

/// A frame that can be read.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Kept {
    pub(super) header: FrameHeader,
    /// The first commit that it stands for.
    pub(super) first: u64,
    /// Its record and its texts.
    pub(super) body: Range<usize>,
}

/// Bytes that cannot be read, and why.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Unreadable {
    pub(super) bytes: Range<usize>,
    pub(super) problem: String,
}

/// What a segment's bytes come to.
#[derive(Debug, Default)]
pub(super) struct Salvaged {
    pub(super) kept: Vec<Kept>,
    pub(super) unreadable: Vec<Unreadable>,
}

/// Reads a segment as far as it can be, given the number of the last commit before it.
pub(super) fn salvage(bytes: &[u8], before: u64) -> Salvaged {
    let mut salvaged = Salvaged::default();
    let header_end = bytes.len().min(SEGMENT_HEADER as usize);
    let header = bytes.first_chunk().ok_or_else(|| "the segment is shorter than its header".to_owned());
    let seal = match header.and_then(frame::check_segment_header) {
        Ok(salt) => frame::seal(salt),
        Err(problem) => {
            let recovered = frame::seal_of_first(bytes).filter(|seal| fits(bytes, *seal));
            let end = if recovered.is_some() { header_end } else { bytes.len() };
            salvaged.unreadable.push(Unreadable { bytes: 0..end, problem });
            let Some(seal) = recovered else { return salvaged };
            seal
        }
    };
    let search = Search::new(seal, bytes);
    let (mut at, mut last) = (header_end, before);
    while at < bytes.len() {
        let Some((header, end)) = search.frame_at(at) else {
            let next = search.next_frame(at + 1).map_or(bytes.len(), |(next, ..)| next);
            let problem = "no frame that matches its checksum".to_owned();
            salvaged.unreadable.push(Unreadable { bytes: at..next, problem });
            at = next;
            continue;
        };
        match read(bytes, header, at + FRAME_HEADER..end, last) {
            Ok(kept) => {
                last = kept.header.sequence;
                salvaged.kept.push(kept);
            }
            Err(problem) => salvaged.unreadable.push(Unreadable { bytes: at..end, problem }),
        }
        at = end;
    }
    salvaged
}

/// Whether a segment's frames match their checksums with `seal`, of which the first always does: the one after it, or
/// what the only one holds, must bear it out.
fn fits(bytes: &[u8], seal: u32) -> bool {
    let search = Search::new(seal, bytes);
    let Some((header, end)) = search.frame_at(SEGMENT_HEADER as usize) else { return false };
    if end < bytes.len() {
        return search.frame_at(end).is_some();
    }
    read(bytes, header, SEGMENT_HEADER as usize + FRAME_HEADER..end, 0).is_ok()
}

/// A frame that matches its checksum, if what it holds can be read and follows on what came before.
fn read(bytes: &[u8], header: FrameHeader, body: Range<usize>, last: u64) -> Result<Kept, String> {
    let (meta, blob) = bytes[body.clone()].split_at(header.meta as usize);
    record::decode((header.kind, header.version), meta, blob)?;
    let first = record::first_commit(&header, meta, blob)?;
    if first > last {
        Ok(Kept { header, first, body })
    } else {
        Err(format!("commit {first} stands after commit {last}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::id::{EpisodeId, Namespace};
    use crate::store::frame::{KIND_FORGET, KIND_LOST, encode_frame, segment_header};

    const SALT: u64 = 77;

    fn frame(sequence: u64, meta: &[u8]) -> Vec<u8> {
        let (kind, version) = (KIND_FORGET, record::OTHER_VERSION);
        let header = FrameHeader { sequence, kind, version, meta: meta.len() as u32, blob: 0, group: 0 };
        encode_frame(SALT, &header, meta, b"")
    }

    /// A segment with the commits of these numbers, and where each begins.
    fn segment(numbers: &[u64]) -> (Vec<u8>, Vec<usize>) {
        let meta = record::encode_forget(&Namespace::default(), &[EpisodeId::of(&[b"a"])]);
        let mut bytes = segment_header(SALT).to_vec();
        let mut begins = Vec::new();
        for number in numbers {
            begins.push(bytes.len());
            bytes.extend(frame(*number, &meta));
        }
        (bytes, begins)
    }

    fn numbers(salvaged: &Salvaged) -> Vec<u64> {
        salvaged.kept.iter().map(|kept| kept.header.sequence).collect()
    }

    #[test]
    fn one_flipped_bit_costs_no_more_than_the_frame_that_it_is_in() {
        let (whole, begins) = segment(&[4, 5, 6]);
        assert_eq!((numbers(&salvage(&whole, 3)), begins.len()), (vec![4, 5, 6], 3));
        for bit in 0..whole.len() * 8 {
            let mut bytes = whole.clone();
            bytes[bit / 8] ^= 1 << (bit % 8);
            let salvaged = salvage(&bytes, 3);
            let hit = begins.iter().rposition(|begin| *begin <= bit / 8);
            let expected: Vec<u64> =
                [4, 5, 6].into_iter().filter(|n| Some(*n as usize) != hit.map(|hit| hit + 4)).collect();
            assert_eq!(numbers(&salvaged), expected, "bit {bit}");
            let lost: usize = salvaged.unreadable.iter().map(|unreadable| unreadable.bytes.len()).sum();
            let kept: usize = salvaged.kept.iter().map(|kept| kept.body.len() + FRAME_HEADER).sum();
            let header = if hit.is_none() { 0 } else { SEGMENT_HEADER as usize };
            assert_eq!(lost + kept + header, whole.len(), "bit {bit}: every byte is one or the other");
        }
    }

    #[test]
    fn a_segment_cut_anywhere_keeps_its_whole_frames() {
        let (whole, begins) = segment(&[1, 2]);
        for length in 0..=whole.len() {
            let ends = [begins[1], whole.len()];
            let expected = ends.iter().filter(|end| **end <= length).count();
            assert_eq!(salvage(&whole[..length], 0).kept.len(), expected, "cut at {length}");
        }
    }

    #[test]
    fn the_only_frame_of_a_segment_bears_out_a_lost_salt_by_what_it_holds() {
        let (mut bytes, _) = segment(&[1]);
        bytes[15] ^= 1;
        assert_eq!(numbers(&salvage(&bytes, 0)), [1]);
        let mut nonsense = segment_header(SALT).to_vec();
        nonsense.extend(frame(1, b"nonsense"));
        nonsense[15] ^= 1;
        assert_eq!(salvage(&nonsense, 0).unreadable[0].bytes, 0..nonsense.len());
    }

    #[test]
    fn a_frame_that_stands_for_lost_commits_up_to_another_number_is_not_kept() {
        for (to, kept) in [(7, vec![7]), (6, vec![]), (u64::MAX, vec![])] {
            let meta = record::encode(&record::LostV1 { from: 4, to });
            let (kind, version) = (KIND_LOST, record::OTHER_VERSION);
            let header =
                FrameHeader { sequence: 7, kind, version, meta: meta.len() as u32, blob: 0, group: 0 };
            let bytes = [segment_header(SALT).to_vec(), encode_frame(SALT, &header, &meta, b"")].concat();
            assert_eq!(numbers(&salvage(&bytes, 3)), kept, "4 to {to}");
        }
    }

    #[test]
    fn a_frame_that_comes_again_or_holds_nothing_readable_is_not_kept() {
        let (bytes, begins) = segment(&[3, 2, 3, 4]);
        let salvaged = salvage(&bytes, 0);
        assert_eq!(numbers(&salvaged), [3, 4]);
        let places: Vec<usize> =
            salvaged.unreadable.iter().map(|unreadable| unreadable.bytes.start).collect();
        assert_eq!(places, begins[1..3]);
        let bytes = [segment_header(SALT).to_vec(), frame(1, b"nonsense")].concat();
        assert_eq!(salvage(&bytes, 0).unreadable.len(), 1);
    }
}
