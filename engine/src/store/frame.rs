//! The bytes of the journal: a segment's header and the frames that follow it. No file is touched here.
//!
//! ```text
//! segment = "LOREJRNL" version:u32 salt:u64 crc:u32 frame*
//! frame   = "LRF1" sequence:u64 kind:u8 version:u8 zero:u16 meta:u32 blob:u32 group:u32 crc:u32  meta-bytes blob-bytes
//! ```
//!
//! Frames that share one sync are a group; `group` is a frame's place in its group, from 0. Numbers are little-endian. A
//! frame's CRC-32 covers the segment's salt, its header up to the checksum, the meta bytes (a record, deflated since its
//! second version, see `record/`) and the blob (the episodes' texts, one after the other).

/// Bytes of a segment's header.
pub(super) const SEGMENT_HEADER: u64 = 24;
/// Bytes of a frame's header.
pub(super) const FRAME_HEADER: usize = 32;
/// The version of the journal's format.
pub(super) const JOURNAL_VERSION: u32 = 1;

const SEGMENT_MAGIC: &[u8; 8] = b"LOREJRNL";
const FRAME_MAGIC: &[u8; 4] = b"LRF1";
const GROUP_AT: usize = 24;
const CRC_AT: usize = 28;

/// The frame holds a commit: episodes and readings.
pub(super) const KIND_COMMIT: u8 = 1;
/// The frame takes episodes out.
pub(super) const KIND_FORGET: u8 = 2;
/// The frame stands in the place of commits that could not be read any more.
pub(super) const KIND_LOST: u8 = 3;
/// The frame rules.
pub(super) const KIND_RULE: u8 = 4;

/// A frame's header, decoded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct FrameHeader {
    pub(super) sequence: u64,
    pub(super) kind: u8,
    pub(super) version: u8,
    pub(super) meta: u32,
    pub(super) blob: u32,
    /// Its place among the frames that were made durable with it, from 0.
    pub(super) group: u32,
}

impl FrameHeader {
    /// Bytes of meta and blob together.
    pub(super) fn body(&self) -> u64 {
        u64::from(self.meta) + u64::from(self.blob)
    }
}

/// A segment's header. The salt goes into every checksum of the segment, so that nobody who writes a text can put
/// a frame into it that would pass for one of the journal's.
pub(super) fn segment_header(salt: u64) -> [u8; SEGMENT_HEADER as usize] {
    let mut bytes = [0; SEGMENT_HEADER as usize];
    bytes[..8].copy_from_slice(SEGMENT_MAGIC);
    bytes[8..12].copy_from_slice(&JOURNAL_VERSION.to_le_bytes());
    bytes[12..20].copy_from_slice(&salt.to_le_bytes());
    let crc = crc32fast::hash(&bytes[..20]);
    bytes[20..].copy_from_slice(&crc.to_le_bytes());
    bytes
}

/// Checks a segment's header and gives its salt; the text says what is wrong with it.
pub(super) fn check_segment_header(bytes: &[u8; SEGMENT_HEADER as usize]) -> Result<u64, String> {
    if &bytes[..8] != SEGMENT_MAGIC {
        return Err("this is no journal segment".to_owned());
    }
    if crc32fast::hash(&bytes[..20]) != u32_at(bytes, 20) {
        return Err("the segment's header is damaged".to_owned());
    }
    match u32_at(bytes, 8) {
        JOURNAL_VERSION => Ok(u64::from_le_bytes(bytes[12..20].try_into().expect("eight bytes were cut"))),
        other => Err(format!(
            "journal format {other} is not known to this version, which writes {JOURNAL_VERSION}"
        )),
    }
}

/// A whole frame.
pub(super) fn encode_frame(salt: u64, frame: &FrameHeader, meta: &[u8], blob: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(FRAME_HEADER + meta.len() + blob.len());
    bytes.extend_from_slice(FRAME_MAGIC);
    bytes.extend_from_slice(&frame.sequence.to_le_bytes());
    bytes.extend_from_slice(&[frame.kind, frame.version, 0, 0]);
    bytes.extend_from_slice(&frame.meta.to_le_bytes());
    bytes.extend_from_slice(&frame.blob.to_le_bytes());
    bytes.extend_from_slice(&frame.group.to_le_bytes());
    bytes.extend_from_slice(&[0; FRAME_HEADER - CRC_AT]);
    bytes.extend_from_slice(meta);
    bytes.extend_from_slice(blob);
    let crc = frame_crc(seal(salt), &bytes[..CRC_AT], &bytes[FRAME_HEADER..]);
    bytes[CRC_AT..FRAME_HEADER].copy_from_slice(&crc.to_le_bytes());
    bytes
}

/// Reads a frame's header. `None` where the bytes are no frame's beginning, or its number one that leaves none for the
/// next.
pub(super) fn decode_header(bytes: &[u8; FRAME_HEADER]) -> Option<FrameHeader> {
    let sequence = u64::from_le_bytes(bytes[4..12].try_into().expect("eight bytes were cut"));
    (&bytes[..4] == FRAME_MAGIC && sequence < u64::MAX).then(|| FrameHeader {
        sequence,
        kind: bytes[12],
        version: bytes[13],
        meta: u32_at(bytes, 16),
        blob: u32_at(bytes, 20),
        group: u32_at(bytes, GROUP_AT),
    })
}

/// Whether a frame's checksum holds for its header's bytes and its body.
pub(super) fn crc_holds(salt: u64, header: &[u8; FRAME_HEADER], body: &[u8]) -> bool {
    frame_crc(seal(salt), &header[..CRC_AT], body) == u32_at(header, CRC_AT)
}

/// What a salt comes to in the checksums of its segment.
pub(super) fn seal(salt: u64) -> u32 {
    crc32fast::hash(&salt.to_le_bytes())
}

fn frame_crc(seal: u32, header: &[u8], body: &[u8]) -> u32 {
    let mut hasher = crc32fast::Hasher::new_with_initial(seal);
    hasher.update(header);
    hasher.update(body);
    hasher.finalize()
}

/// Bytes in which valid frames are looked for. Whether one is found in a place takes no longer where it would be a long
/// one: a text may be full of what looks like the beginning of frames.
pub(super) struct Search<'b> {
    bytes: &'b [u8],
    seal: u32,
    /// The checksum of the bytes before each [`MARK`]th one.
    marks: Vec<u32>,
}

/// Every how many bytes a search keeps a checksum.
const MARK: usize = 4096;

impl<'b> Search<'b> {
    /// Looks in `bytes` of a segment whose salt comes to `seal`.
    pub(super) fn new(seal: u32, bytes: &'b [u8]) -> Self {
        let mut hasher = crc32fast::Hasher::new();
        let mut marks = vec![0];
        for piece in bytes.chunks(MARK) {
            hasher.update(piece);
            marks.push(hasher.clone().finalize());
        }
        Self { bytes, seal, marks }
    }

    /// The valid frame that begins at `at`, and where it ends.
    pub(super) fn frame_at(&self, at: usize) -> Option<(FrameHeader, usize)> {
        let body = at.checked_add(FRAME_HEADER)?;
        let header_bytes: &[u8; FRAME_HEADER] = self.bytes.get(at..body)?.try_into().ok()?;
        let header = decode_header(header_bytes)?;
        let end = usize::try_from(header.body()).ok()?.checked_add(body)?;
        if end > self.bytes.len() {
            return None;
        }
        // The checksum of header and body, from those of what comes before the body's beginning and its end.
        let start = frame_crc(self.seal, &header_bytes[..CRC_AT], &[]) ^ self.before(body);
        let crc = shifted(start, header.body()) ^ self.before(end);
        (crc == u32_at(header_bytes, CRC_AT)).then_some((header, end))
    }

    /// The first valid frame that begins at or after `from`: where, its header, and where it ends.
    pub(super) fn next_frame(&self, from: usize) -> Option<(usize, FrameHeader, usize)> {
        let mut at = from;
        while let Some(found) =
            self.bytes.get(at..)?.windows(FRAME_MAGIC.len()).position(|four| four == FRAME_MAGIC)
        {
            let start = at + found;
            if let Some((header, end)) = self.frame_at(start) {
                return Some((start, header, end));
            }
            at = start + 1;
        }
        None
    }

    /// The checksum of the bytes before `at`.
    fn before(&self, at: usize) -> u32 {
        let mark = at / MARK;
        let mut hasher = crc32fast::Hasher::new_with_initial(self.marks[mark]);
        hasher.update(&self.bytes[mark * MARK..at]);
        hasher.finalize()
    }
}

/// What a checksum is changed to by so many bytes after it, whatever they are.
fn shifted(crc: u32, bytes: u64) -> u32 {
    let mut hasher = crc32fast::Hasher::new_with_initial_len(crc, 0);
    hasher.combine(&crc32fast::Hasher::new_with_initial_len(0, bytes));
    hasher.finalize()
}

/// What the salt of a damaged segment comes to, told from its first frame: the only one with which that frame matches
/// its checksum. Whether it is right is told by the frames after.
pub(super) fn seal_of_first(bytes: &[u8]) -> Option<u32> {
    let at = SEGMENT_HEADER as usize;
    let header_bytes: &[u8; FRAME_HEADER] = bytes.get(at..at + FRAME_HEADER)?.try_into().ok()?;
    let header = decode_header(header_bytes)?;
    let body_at = at + FRAME_HEADER;
    let body = bytes.get(body_at..body_at.checked_add(usize::try_from(header.body()).ok()?)?)?;
    let covered = header_bytes[..CRC_AT].iter().chain(body);
    Some(covered.rev().fold(!u32_at(header_bytes, CRC_AT), |crc, byte| step_back(crc, *byte)) ^ u32::MAX)
}

/// The state of a CRC-32 before a byte, given the one after it.
fn step_back(mut crc: u32, byte: u8) -> u32 {
    /// CRC-32's polynomial, lowest bit first.
    const POLYNOMIAL: u32 = 0xEDB8_8320;
    for _ in 0..8 {
        crc = if crc >> 31 == 1 { (crc ^ POLYNOMIAL) << 1 | 1 } else { crc << 1 };
    }
    crc ^ u32::from(byte)
}

/// Whether bytes after the last valid frame can be the remains of a group that was never made durable, given the
/// number that the next frame would have. They cannot if a frame of a later group stands among them: that one was
/// begun after the sync of those before it.
pub(super) fn is_torn(salt: u64, tail: &[u8], expected: u64) -> bool {
    let search = Search::new(seal(salt), tail);
    let mut from = 0;
    while let Some((_, header, end)) = search.next_frame(from) {
        if header.sequence.saturating_sub(u64::from(header.group)) > expected {
            return false;
        }
        from = end;
    }
    true
}

fn u32_at(bytes: &[u8], at: usize) -> u32 {
    u32::from_le_bytes(bytes[at..at + 4].try_into().expect("four bytes were cut"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn frame(salt: u64, place: (u64, u32), meta: &[u8], blob: &[u8]) -> Vec<u8> {
        let (sequence, group) = place;
        let (kind, version) = (KIND_COMMIT, 1);
        let header =
            FrameHeader { sequence, kind, version, meta: meta.len() as u32, blob: blob.len() as u32, group };
        encode_frame(salt, &header, meta, blob)
    }

    #[test]
    fn golden_bytes_of_a_frame() {
        let bytes = frame(5, (7, 3), b"m", b"bb");
        assert_eq!(bytes[..CRC_AT], *b"LRF1\x07\0\0\0\0\0\0\0\x01\x01\0\0\x01\0\0\0\x02\0\0\0\x03\0\0\0");
        assert_eq!(bytes[FRAME_HEADER..], *b"mbb");
    }

    #[test]
    fn a_segment_header_is_checked_and_gives_the_salt() {
        let mut header = segment_header(99);
        assert_eq!(check_segment_header(&header), Ok(99));
        for at in 0..header.len() {
            header[at] ^= 1;
            assert!(check_segment_header(&header).is_err());
            header[at] ^= 1;
        }
    }

    #[test]
    fn a_tail_is_torn_only_where_no_later_group_stands_in_it() {
        let frame = |sequence, group| frame(1, (sequence, group), b"m", b"b");
        let hole = vec![0; 40];
        assert!(is_torn(1, &hole, 5));
        let rest_of_the_group = [hole.clone(), frame(6, 1)].concat();
        assert!(is_torn(1, &rest_of_the_group, 5));
        assert!(!is_torn(1, &[hole.clone(), frame(6, 0)].concat(), 5), "a group that was begun after a sync");
        assert!(!is_torn(1, &[hole, frame(6, 1), frame(7, 0)].concat(), 5));
    }

    #[test]
    fn the_last_number_of_all_is_never_used() {
        let header = |sequence| *frame(1, (sequence, 0), b"m", b"b").first_chunk().unwrap();
        assert_eq!(decode_header(&header(u64::MAX)), None);
        assert!(decode_header(&header(u64::MAX - 1)).is_some());
    }

    #[test]
    fn a_frame_inside_a_text_is_none_of_the_journals() {
        let text = frame(0, (900, 0), b"", b"");
        assert!(is_torn(17, &[vec![0; 9], text].concat(), 5));
    }

    #[test]
    fn a_text_full_of_beginnings_of_frames_is_searched_in_no_time() {
        let long = FrameHeader { sequence: 1, kind: 1, version: 2, meta: 0, blob: 9 << 20, group: 0 };
        let beginning = encode_frame(7, &long, b"", b"");
        let text = [&beginning.repeat(300_000)[..], &frame(1, (5, 0), b"m", b"b")].concat();
        let found = Search::new(seal(1), &text).next_frame(0).unwrap();
        assert_eq!(found.0, 300_000 * FRAME_HEADER);
    }

    proptest! {
        #[test]
        fn frames_round_trip(
            place in (0..u64::MAX, any::<u32>()), salt: u64, meta: Vec<u8>, blob: Vec<u8>, noise in 0usize..9
        ) {
            let frame = frame(salt, place, &meta, &blob);
            let header_bytes: [u8; FRAME_HEADER] = frame[..FRAME_HEADER].try_into().unwrap();
            let header = decode_header(&header_bytes).unwrap();
            prop_assert_eq!((header.sequence, header.group), place);
            prop_assert_eq!(header.body() as usize, meta.len() + blob.len());
            prop_assert!(crc_holds(salt, &header_bytes, &frame[FRAME_HEADER..]));
            let padded = [vec![b'L'; noise], frame].concat();
            let search = Search::new(seal(salt), &padded);
            prop_assert_eq!(search.next_frame(0), Some((noise, header, padded.len())));
        }

        #[test]
        fn what_a_salt_comes_to_is_told_by_the_first_frame(place: (u64, u32), salt: u64, meta: Vec<u8>) {
            let segment = [vec![0; SEGMENT_HEADER as usize], frame(salt, place, &meta, b"texts")].concat();
            prop_assert_eq!(seal_of_first(&segment), Some(seal(salt)));
        }

        #[test]
        fn arbitrary_bytes_are_no_frame(salt: u64, bytes: Vec<u8>) {
            prop_assert_eq!(Search::new(seal(salt), &bytes).next_frame(0), None);
            let _ = seal_of_first(&bytes);
        }
    }
}
