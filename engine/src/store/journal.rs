//! The journal: append-only segment files that hold every commit, and with them every text. It is the truth;
//! everything else in the store's directory is made from it.

use std::fs::{self, File, OpenOptions};
use std::hash::{BuildHasher, RandomState};
use std::io::Write;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use parking_lot::Mutex;
use rustc_hash::FxHashMap;

use super::frame::{self, FRAME_HEADER, FrameHeader, SEGMENT_HEADER};
use super::record::TextRef;
use crate::error::Error;

/// A segment that has grown past this is closed and a new one begun.
const SEGMENT_BYTES: u64 = 64 << 20;

/// A place in the journal: where a frame begins or the next one will.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Position {
    pub(super) segment: u32,
    pub(super) offset: u64,
}

impl Position {
    /// Where the first frame of all stands.
    pub(super) const START: Self = Self { segment: 0, offset: SEGMENT_HEADER };
}

/// A frame as it was read back.
pub(super) struct Frame {
    pub(super) header: FrameHeader,
    /// Where the frame begins.
    pub(super) at: Position,
    /// Where the next one begins.
    pub(super) next: Position,
    body: Vec<u8>,
}

impl Frame {
    /// The record's bytes.
    pub(super) fn meta(&self) -> &[u8] {
        &self.body[..self.header.meta as usize]
    }

    /// The texts, one after the other.
    pub(super) fn blob(&self) -> &[u8] {
        &self.body[self.header.meta as usize..]
    }

    /// Where in the segment the texts begin.
    pub(super) fn blob_offset(&self) -> u64 {
        self.at.offset + FRAME_HEADER as u64 + u64::from(self.header.meta)
    }
}

/// The reading side: segment files by number, opened once.
pub(super) struct Segments {
    directory: PathBuf,
    open: Mutex<FxHashMap<u32, (Arc<File>, u64)>>,
}

impl Segments {
    fn new(directory: PathBuf) -> Self {
        Self { directory, open: Mutex::default() }
    }

    /// The file of a segment.
    pub(super) fn path(&self, segment: u32) -> PathBuf {
        self.directory.join(format!("{segment:08}.journal"))
    }

    fn file(&self, segment: u32) -> Result<Arc<File>, Error> {
        Ok(self.segment(segment)?.0)
    }

    /// A segment's file and salt. The header is checked when it is first opened.
    fn segment(&self, segment: u32) -> Result<(Arc<File>, u64), Error> {
        let mut open = self.open.lock();
        if let Some(known) = open.get(&segment) {
            return Ok(known.clone());
        }
        let path = self.path(segment);
        let file = File::open(&path).map_err(Error::io("open", &path))?;
        let mut header = [0; SEGMENT_HEADER as usize];
        file.read_exact_at(&mut header, 0).map_err(Error::io("read", &path))?;
        let salt = frame::check_segment_header(&header)
            .map_err(|problem| self.damaged(Position { segment, offset: 0 }, problem))?;
        let known = (Arc::new(file), salt);
        open.insert(segment, known.clone());
        Ok(known)
    }

    fn damaged(&self, at: Position, problem: impl Into<String>) -> Error {
        Error::Damaged { path: self.path(at.segment), offset: at.offset, problem: problem.into() }
    }

    /// The numbers of the segments that there are, ascending and without a gap from 0.
    fn numbers(&self) -> Result<Vec<u32>, Error> {
        let list = fs::read_dir(&self.directory).map_err(Error::io("list", &self.directory))?;
        let mut numbers = Vec::new();
        for entry in list {
            let entry = entry.map_err(Error::io("list", &self.directory))?;
            let name = entry.file_name();
            if let Some(number) = name.to_str().and_then(|name| name.strip_suffix(".journal")) {
                numbers.extend(number.parse::<u32>());
            }
        }
        numbers.sort_unstable();
        match (0..).zip(&numbers).find(|(expected, found)| expected != *found) {
            Some((missing, _)) => {
                Err(self.damaged(Position { segment: missing, offset: 0 }, "this segment is missing"))
            }
            None => Ok(numbers),
        }
    }

    /// Reads one text and checks it.
    pub(super) fn text(&self, text: &TextRef) -> Result<String, Error> {
        let at = Position { segment: text.segment, offset: text.offset };
        let mut bytes = vec![0; text.bytes as usize];
        let file = self.file(text.segment)?;
        file.read_exact_at(&mut bytes, text.offset).map_err(Error::io("read", &self.path(text.segment)))?;
        if crc32fast::hash(&bytes) != text.crc {
            return Err(self.damaged(at, "an episode's text does not match its checksum"));
        }
        String::from_utf8(bytes).map_err(|_| self.damaged(at, "an episode's text is not UTF-8"))
    }

    /// Reads the frame at `at`. `Ok(None)` where the segment ends just there.
    fn frame(&self, at: Position, length: u64) -> Result<Option<Frame>, Error> {
        if at.offset == length {
            return Ok(None);
        }
        let (file, salt) = self.segment(at.segment)?;
        let mut header_bytes = [0; FRAME_HEADER];
        let body_at = at.offset + FRAME_HEADER as u64;
        if body_at > length {
            return Err(self.damaged(at, "a frame's header is cut short"));
        }
        file.read_exact_at(&mut header_bytes, at.offset)
            .map_err(Error::io("read", &self.path(at.segment)))?;
        let header =
            frame::decode_header(&header_bytes).ok_or_else(|| self.damaged(at, "no frame begins here"))?;
        let next = body_at + header.body();
        if next > length {
            return Err(self.damaged(at, "a frame is cut short"));
        }
        let mut body = vec![0; header.body() as usize];
        file.read_exact_at(&mut body, body_at).map_err(Error::io("read", &self.path(at.segment)))?;
        if !frame::crc_holds(salt, &header_bytes, &body) {
            return Err(self.damaged(at, "a frame does not match its checksum"));
        }
        Ok(Some(Frame { header, at, next: Position { segment: at.segment, offset: next }, body }))
    }

    fn length(&self, segment: u32) -> Result<u64, Error> {
        let path = self.path(segment);
        Ok(self.file(segment)?.metadata().map_err(Error::io("read", &path))?.len())
    }
}

/// The writing side, and what reads of it.
pub(super) struct Journal {
    segments: Arc<Segments>,
    file: File,
    end: Position,
    sequence: u64,
    /// Frames appended since the last sync.
    unsynced: u32,
    /// Bytes that stand behind the last valid frame, to be cut off before anything is appended.
    tail: u64,
}

/// What opening found at the journal's end and cut off: bytes that hold no whole commit, as a crash leaves them
/// where a commit was being written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TornTail {
    /// The segment file.
    pub path: PathBuf,
    /// Where it was cut.
    pub offset: u64,
    /// Bytes cut off.
    pub bytes: u64,
    /// Where they are kept.
    pub kept: PathBuf,
}

/// Where an appended frame came to lie.
pub(super) struct Appended {
    pub(super) sequence: u64,
    pub(super) segment: u32,
    pub(super) blob_offset: u64,
    pub(super) next: Position,
}

impl Journal {
    /// Opens the journal in `directory`, making it where there is none. Nothing is changed in an existing one: a
    /// torn tail is cut by [`Journal::cut_tail`], once it is known that nothing acknowledged is missing.
    ///
    /// # Errors
    /// [`Error::Damaged`] where a segment is missing, or where commits follow after bytes that are no commit.
    pub(super) fn open(directory: &Path) -> Result<Self, Error> {
        super::create_directory(directory)?;
        let segments = Arc::new(Segments::new(directory.to_path_buf()));
        let last = segments.numbers()?.last().copied();
        let number = last.unwrap_or(0);
        let path = segments.path(number);
        if last.is_none() || fs::metadata(&path).map_err(Error::io("read", &path))?.len() < SEGMENT_HEADER {
            create_segment(&path)?;
        }
        let (end, sequence, tail) = scan_last(&segments, number)?;
        let file = OpenOptions::new().append(true).open(&path).map_err(Error::io("open", &path))?;
        Ok(Self { segments, file, end, sequence, unsynced: 0, tail })
    }

    /// Cuts off what stands behind the last whole commit, if anything does, and keeps it in a file beside.
    pub(super) fn cut_tail(&mut self) -> Result<Option<TornTail>, Error> {
        if self.tail == 0 {
            return Ok(None);
        }
        let path = self.segments.path(self.end.segment);
        let mut bytes = vec![0; self.tail as usize];
        let file = self.segments.file(self.end.segment)?;
        file.read_exact_at(&mut bytes, self.end.offset).map_err(Error::io("read", &path))?;
        let kept = super::free_path(path.parent().unwrap_or(&path), "torn");
        fs::write(&kept, &bytes).map_err(Error::io("write", &kept))?;
        let file = OpenOptions::new().write(true).open(&path).map_err(Error::io("open", &path))?;
        file.set_len(self.end.offset).map_err(Error::io("truncate", &path))?;
        file.sync_all().map_err(Error::io("sync", &path))?;
        let torn = TornTail { path, offset: self.end.offset, bytes: self.tail, kept };
        self.tail = 0;
        Ok(Some(torn))
    }

    /// The reading side.
    pub(super) fn segments(&self) -> Arc<Segments> {
        Arc::clone(&self.segments)
    }

    /// The number of the last commit; 0 before the first.
    pub(super) fn sequence(&self) -> u64 {
        self.sequence
    }

    /// Where the next frame will begin.
    pub(super) fn end(&self) -> Position {
        self.end
    }

    /// Writes a frame at the end. It is durable after [`Journal::sync`].
    pub(super) fn append(
        &mut self,
        kind: u8,
        version: u8,
        meta: &[u8],
        blob: &[u8],
    ) -> Result<Appended, Error> {
        if self.end.offset > SEGMENT_BYTES {
            self.rotate()?;
        }
        let sequence = self.sequence + 1;
        let length =
            |part: &[u8]| u32::try_from(part.len()).expect("a commit's size is limited when it is validated");
        let header = FrameHeader {
            sequence,
            kind,
            version,
            meta: length(meta),
            blob: length(blob),
            group: self.unsynced,
        };
        let (_, salt) = self.segments.segment(self.end.segment)?;
        let bytes = frame::encode_frame(salt, &header, meta, blob);
        let path = self.segments.path(self.end.segment);
        self.file.write_all(&bytes).map_err(Error::io("write", &path))?;
        let blob_offset = self.end.offset + (FRAME_HEADER + meta.len()) as u64;
        self.end.offset += bytes.len() as u64;
        self.sequence = sequence;
        self.unsynced += 1;
        Ok(Appended { sequence, segment: self.end.segment, blob_offset, next: self.end })
    }

    /// Makes everything appended so far durable.
    pub(super) fn sync(&mut self) -> Result<(), Error> {
        self.file.sync_data().map_err(Error::io("sync", &self.segments.path(self.end.segment)))?;
        self.unsynced = 0;
        Ok(())
    }

    fn rotate(&mut self) -> Result<(), Error> {
        self.sync()?;
        let number = self.end.segment + 1;
        let path = self.segments.path(number);
        create_segment(&path)?;
        self.file = OpenOptions::new().append(true).open(&path).map_err(Error::io("open", &path))?;
        self.end = Position { segment: number, offset: SEGMENT_HEADER };
        Ok(())
    }

    /// Calls `each` with every frame from `from` on, in order.
    ///
    /// # Errors
    /// [`Error::Damaged`] at the first frame that does not hold, or whose number does not follow; and what
    /// `each` returns.
    pub(super) fn replay(
        &self,
        from: Position,
        mut each: impl FnMut(&Frame) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let mut expected = None;
        for segment in from.segment..=self.end.segment {
            let mut at =
                if segment == from.segment { from } else { Position { segment, offset: SEGMENT_HEADER } };
            let length = self.segments.length(segment)?;
            while let Some(frame) = self.segments.frame(at, length)? {
                if expected.is_some_and(|expected| expected != frame.header.sequence) {
                    return Err(self.segments.damaged(at, "a commit is missing before this one"));
                }
                expected = Some(frame.header.sequence + 1);
                each(&frame)?;
                at = frame.next;
            }
        }
        Ok(())
    }
}

fn create_segment(path: &Path) -> Result<(), Error> {
    let mut file = File::create(path).map_err(Error::io("create", path))?;
    // Random, not secret: it must only be unknown to who wrote a text before it was stored.
    let salt = RandomState::new().hash_one(path);
    file.write_all(&frame::segment_header(salt)).map_err(Error::io("write", path))?;
    file.sync_all().map_err(Error::io("sync", path))?;
    super::sync_directory(path.parent().unwrap_or(path))
}

/// Walks the last segment: where its valid frames end, the last number, and how many bytes stand behind.
fn scan_last(segments: &Segments, segment: u32) -> Result<(Position, u64, u64), Error> {
    let length = segments.length(segment)?;
    let mut at = Position { segment, offset: SEGMENT_HEADER };
    let mut sequence = None;
    loop {
        match segments.frame(at, length) {
            Ok(Some(frame)) => (at, sequence) = (frame.next, Some(frame.header.sequence)),
            Ok(None) => return Ok((at, last_number(segments, segment, sequence)?, 0)),
            Err(damage @ Error::Damaged { .. }) => {
                let sequence = last_number(segments, segment, sequence)?;
                let mut tail = vec![0; (length - at.offset) as usize];
                let (file, salt) = segments.segment(segment)?;
                file.read_exact_at(&mut tail, at.offset)
                    .map_err(Error::io("read", &segments.path(segment)))?;
                if !frame::is_torn(salt, &tail, sequence + 1) {
                    return Err(damage);
                }
                return Ok((at, sequence, length - at.offset));
            }
            Err(other) => return Err(other),
        }
    }
}

/// The last commit's number, looked up in the segment before where this one holds none.
fn last_number(segments: &Segments, segment: u32, found: Option<u64>) -> Result<u64, Error> {
    if let Some(sequence) = found {
        return Ok(sequence);
    }
    let Some(before) = segment.checked_sub(1) else {
        return Ok(0);
    };
    let length = segments.length(before)?;
    let (mut at, mut sequence) = (Position { segment: before, offset: SEGMENT_HEADER }, None);
    while let Some(frame) = segments.frame(at, length)? {
        (at, sequence) = (frame.next, Some(frame.header.sequence));
    }
    last_number(segments, before, sequence)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn journal_with(directory: &Path, metas: &[&[u8]]) -> Journal {
        let mut journal = Journal::open(directory).unwrap();
        for meta in metas {
            journal.append(1, 1, meta, b"text").unwrap();
            journal.sync().unwrap();
        }
        journal
    }

    fn metas(journal: &Journal) -> Vec<Vec<u8>> {
        let mut found = Vec::new();
        journal
            .replay(Position::START, |frame| {
                found.push(frame.meta().to_vec());
                Ok(())
            })
            .unwrap();
        found
    }

    #[test]
    fn what_was_appended_is_replayed_after_reopening() {
        let directory = tempfile::tempdir().unwrap();
        let end = journal_with(directory.path(), &[b"a", b"b"]).end();
        let mut journal = Journal::open(directory.path()).unwrap();
        assert_eq!((journal.end(), journal.sequence(), journal.cut_tail().unwrap()), (end, 2, None));
        assert_eq!(metas(&journal), [b"a", b"b"]);
    }

    #[test]
    fn a_tail_torn_at_any_byte_is_cut_to_the_last_commit() {
        let directory = tempfile::tempdir().unwrap();
        let journal = journal_with(directory.path(), &[b"a", b"b"]);
        let path = journal.segments.path(0);
        let whole = fs::read(&path).unwrap();
        let second = SEGMENT_HEADER as usize + FRAME_HEADER + 5;
        for length in second..whole.len() {
            fs::write(&path, &whole[..length]).unwrap();
            let mut journal = Journal::open(directory.path()).unwrap();
            assert_eq!(fs::read(&path).unwrap().len(), length, "opening changes nothing");
            let torn = journal.cut_tail().unwrap();
            assert_eq!(metas(&journal), [b"a"], "cut at {length}");
            assert_eq!(torn.as_ref().map_or(0, |torn| torn.bytes as usize), length - second);
            assert!(torn.is_none_or(|torn| fs::read(torn.kept).unwrap() == whole[second..length]));
        }
    }

    #[test]
    fn damage_before_a_valid_commit_is_reported_and_not_cut() {
        let directory = tempfile::tempdir().unwrap();
        let journal = journal_with(directory.path(), &[b"a", b"b"]);
        let path = journal.segments.path(0);
        let mut bytes = fs::read(&path).unwrap();
        bytes[SEGMENT_HEADER as usize + FRAME_HEADER] ^= 1;
        fs::write(&path, &bytes).unwrap();
        assert!(matches!(
            Journal::open(directory.path()),
            Err(Error::Damaged { offset: SEGMENT_HEADER, .. })
        ));
        assert_eq!(fs::read(&path).unwrap(), bytes);
    }

    #[test]
    fn a_missing_segment_is_reported() {
        let directory = tempfile::tempdir().unwrap();
        let mut journal = journal_with(directory.path(), &[b"a"]);
        journal.rotate().unwrap();
        journal.append(1, 1, b"b", b"").unwrap();
        assert_eq!(metas(&journal), [b"a", b"b"]);
        fs::remove_file(journal.segments.path(0)).unwrap();
        assert!(matches!(Journal::open(directory.path()), Err(Error::Damaged { .. })));
    }

    #[test]
    fn numbers_go_on_after_an_empty_last_segment() {
        let directory = tempfile::tempdir().unwrap();
        let mut journal = journal_with(directory.path(), &[b"a", b"b"]);
        journal.rotate().unwrap();
        drop(journal);
        assert_eq!(Journal::open(directory.path()).unwrap().sequence(), 2);
    }
}
