//! The writing side of the journal: append-only segment files that hold every commit, and with them every text. It
//! is the truth; everything else in the store's directory is made from it.

use std::hash::{BuildHasher, RandomState};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::disk::{Access, Disk, DiskFile};
use super::frame::{self, FRAME_HEADER, FrameHeader, SEGMENT_HEADER};
use super::segments::{Frame, Position, Segments, generation_of};
use crate::error::Error;

/// A segment with no more than this is written anew in some hundredths of a second.
const QUICK_BYTES: u64 = 1 << 20;
/// A segment that has grown past this is closed and a new one begun. Tests have short histories.
const SEGMENT_BYTES: u64 = if cfg!(test) { 4 << 10 } else { 64 << 20 };

/// How much is copied at a time.
const COPIED_BYTES: u64 = 1 << 20;

/// The writing side, and what reads of it.
pub(super) struct Journal {
    segments: Arc<Segments>,
    file: Arc<dyn DiskFile>,
    end: Position,
    sequence: u64,
    /// Where the last frame ends that lasts, and its number.
    synced: (Position, u64),
    /// Frames appended since.
    unsynced: u32,
    /// Whether a sync has failed, so that nobody knows what lasts of what was written.
    lost: bool,
    /// Bytes that stand behind the last valid frame, to be cut off before anything is appended.
    tail: u64,
    /// Where the last group of frames begins that was found at opening.
    last_group: u64,
    /// See [`Segments::generation`].
    generation: u64,
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
    pub(super) at: Position,
    pub(super) next: Position,
    /// Half of its segment's salt.
    pub(super) salt: u32,
    /// Where in the segment its texts begin.
    pub(super) texts: u64,
}

impl Journal {
    /// Opens the journal in `directory`, making it where there is none. Nothing is changed in an existing one: a
    /// torn tail is cut by [`Journal::cut_tail`], once it is known that nothing acknowledged is missing.
    ///
    /// # Errors
    /// [`Error::Damaged`] where a segment is missing, or where commits follow after bytes that are no commit.
    pub(super) fn open(disk: &Arc<dyn Disk>, directory: &Path) -> Result<Self, Error> {
        super::create_directory(&**disk, directory)?;
        let segments = Arc::new(Segments::new(Arc::clone(disk), directory.to_path_buf()));
        segments.remove_unfinished()?;
        let last = segments.numbers()?.last().copied();
        let number = last.unwrap_or(0);
        let path = segments.path(number);
        if last.is_none() || is_begun(&**disk, &path).map_err(Error::io("read", &path))? {
            create_segment(&segments, number)?;
        }
        // Whoever made the last one may have been killed before its name lasted.
        super::sync_directory(&**disk, directory)?;
        let generation = segments.generation()?;
        let Scanned { end, sequence, tail, last_group } = scan_last(&segments, number)?;
        let file = disk.open(&path, Access::Write).map_err(Error::io("open", &path))?;
        let synced = (end, sequence);
        Ok(Self {
            segments,
            file,
            end,
            sequence,
            synced,
            unsynced: 0,
            lost: false,
            tail,
            last_group,
            generation,
        })
    }

    /// Cuts off what stands behind the last whole commit, if anything does, and keeps it in a file beside.
    pub(super) fn cut_tail(&mut self) -> Result<Option<TornTail>, Error> {
        if self.tail == 0 {
            return Ok(None);
        }
        let path = self.segments.path(self.end.segment);
        let bytes = self.segments.tail(self.end, self.end.offset + self.tail)?;
        let kept = super::free_path(path.parent().unwrap_or(&path), "torn");
        self.segments.disk().write(&kept, &bytes).map_err(Error::io("write", &kept))?;
        super::sync_directory(&**self.segments.disk(), self.segments.directory())?;
        self.file.truncate(self.end.offset).map_err(Error::io("truncate", &path))?;
        self.file.sync_all().map_err(Error::io("sync", &path))?;
        let torn = TornTail { path, offset: self.end.offset, bytes: self.tail, kept };
        self.tail = 0;
        Ok(Some(torn))
    }

    /// Makes the end that was found last: whoever took back a commit may have been unable to make that last, and it
    /// must not come back after it was not there.
    pub(super) fn secure_end(&mut self) -> Result<(), Error> {
        let path = self.segments.path(self.end.segment);
        self.file.truncate(self.end.offset).map_err(Error::io("truncate", &path))?;
        self.file.sync_all().map_err(Error::io("sync", &path))
    }

    /// Makes what was found last. Whoever wrote it may have been killed before it was synced, or the sync may have
    /// failed, of which the system tells once and not again: then the bytes are in its memory and not on the disk,
    /// and no later sync brings them there but one after they are written anew. That can be so of the last group
    /// alone, because none is begun before the one before lasts.
    pub(super) fn secure(&mut self) -> Result<(), Error> {
        let path = self.segments.path(self.end.segment);
        let mut at = self.last_group;
        while at < self.end.offset {
            let mut bytes = vec![0; (self.end.offset - at).min(COPIED_BYTES) as usize];
            self.file.read_at(&mut bytes, at).map_err(Error::io("read", &path))?;
            self.file.write_at(&bytes, at).map_err(Error::io("write", &path))?;
            at += bytes.len() as u64;
        }
        self.secure_end()?;
        self.sync()
    }

    /// Whether bytes stand behind the last whole commit.
    pub(super) fn has_tail(&self) -> bool {
        self.tail > 0
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
        // Between two groups, so that one that fails can be taken back.
        if self.unsynced == 0 && self.end.offset > SEGMENT_BYTES {
            self.rotate()?;
        }
        let sequence = self.sequence + 1;
        if sequence == u64::MAX {
            // It would not be read back.
            return Err(self.segments.damaged(self.end, "there is no number for a further commit"));
        }
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
        let segment = self.segments.segment(self.end.segment)?;
        let bytes = frame::encode_frame(segment.salt, &header, meta, blob);
        let path = self.segments.path(self.end.segment);
        self.file.write_at(&bytes, self.end.offset).map_err(Error::io("write", &path))?;
        let at = self.end;
        self.end.offset += bytes.len() as u64;
        self.sequence = sequence;
        self.unsynced += 1;
        let texts = at.offset + (FRAME_HEADER + meta.len()) as u64;
        Ok(Appended { sequence, at, next: self.end, salt: segment.half(), texts })
    }

    /// Makes everything appended so far durable.
    pub(super) fn sync(&mut self) -> Result<(), Error> {
        let synced = self.file.sync_data();
        self.lost |= synced.is_err();
        synced.map_err(Error::io("sync", &self.segments.path(self.end.segment)))?;
        (self.synced, self.unsynced) = ((self.end, self.sequence), 0);
        Ok(())
    }

    /// Takes back what was appended since the last sync. Says whether that is sure: after a sync that failed it may
    /// come back, and nothing may be written in its place.
    pub(super) fn roll_back(&mut self) -> bool {
        (self.end, self.sequence) = self.synced;
        self.unsynced = 0;
        let cut = || self.file.truncate(self.end.offset).and_then(|()| self.file.sync_all());
        self.lost |= self.lost || cut().is_err();
        !self.lost
    }

    fn rotate(&mut self) -> Result<(), Error> {
        self.sync()?;
        self.begin_segment()
    }

    /// Begins another segment where the last one has grown by more than what is quickly written anew, and nothing in it waits for a
    /// sync: so that a compaction finds it closed, and commits need not wait for it.
    pub(super) fn close_segment(&mut self) -> Result<(), Error> {
        if self.unsynced == 0 && self.end.offset > QUICK_BYTES { self.begin_segment() } else { Ok(()) }
    }

    fn begin_segment(&mut self) -> Result<(), Error> {
        let number = self.end.segment + 1;
        self.file = create_segment(&self.segments, number)?;
        self.end = Position { segment: number, offset: SEGMENT_HEADER };
        self.synced.0 = self.end;
        Ok(())
    }

    /// Takes notice that a segment's salt is another now.
    pub(super) fn replaced(&mut self, before: u64, now: u64) {
        self.generation ^= generation_of(before) ^ generation_of(now);
    }

    /// Goes on in a file that stands in the place of the last segment now and has so many bytes.
    pub(super) fn go_on_in(&mut self, file: Arc<dyn DiskFile>, length: u64) {
        (self.file, self.end.offset) = (file, length);
        self.synced.0 = self.end;
    }

    /// See [`Segments::generation`].
    pub(super) fn generation(&self) -> u64 {
        self.generation
    }

    /// Calls `each` with every frame from `from` on, in order; `after` is the number of the commit before.
    ///
    /// # Errors
    /// [`Error::Damaged`] at the first frame that does not hold, or whose number does not follow; and what
    /// `each` returns.
    pub(super) fn replay(
        &self,
        from: Position,
        after: u64,
        mut each: impl FnMut(&Frame) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let mut before = after;
        for segment in from.segment..=self.end.segment {
            let mut at =
                if segment == from.segment { from } else { Position { segment, offset: SEGMENT_HEADER } };
            // What stands behind the end does not last.
            let last = segment == self.end.segment;
            let length = if last { self.end.offset } else { self.segments.length(segment)? };
            while let Some(frame) = self.segments.frame(at, length)? {
                if !frame.follows(before) {
                    return Err(self.segments.damaged(at, "a commit is missing before this one"));
                }
                before = frame.header.sequence;
                each(&frame)?;
                at = frame.next;
            }
        }
        Ok(())
    }
}

/// Whether a segment was made and its header not written to the end.
fn is_begun(disk: &dyn Disk, path: &Path) -> std::io::Result<bool> {
    let file = disk.open(path, Access::Read)?;
    let length = file.length()?;
    if length != SEGMENT_HEADER {
        return Ok(length < SEGMENT_HEADER);
    }
    let mut header = [0; SEGMENT_HEADER as usize];
    file.read_at(&mut header, 0)?;
    Ok(frame::check_segment_header(&header).is_err())
}

/// A salt for a new segment. Random, not secret: it must only be unknown to who wrote a text before it was stored.
fn fresh_salt(path: &Path) -> u64 {
    RandomState::new().hash_one(path) & !1
}

/// A salt for a segment that takes the place of another, see [`Segments::generation`].
pub(super) fn rewritten_salt(path: &Path) -> u64 {
    RandomState::new().hash_one(path) | 1
}

/// Makes a segment without frames. It has its name only once its header lasts: else one that grew and whose header
/// never came to the disk would be taken for a damaged one.
fn create_segment(segments: &Segments, number: u32) -> Result<Arc<dyn DiskFile>, Error> {
    let (path, unfinished, disk) = (segments.path(number), segments.unfinished(number), &**segments.disk());
    disk.write(&unfinished, &frame::segment_header(fresh_salt(&path)))
        .map_err(Error::io("write", &unfinished))?;
    disk.rename(&unfinished, &path).map_err(Error::io("create", &path))?;
    super::sync_directory(disk, segments.directory())?;
    disk.open(&path, Access::Write).map_err(Error::io("open", &path))
}

/// What the last segment holds.
struct Scanned {
    /// Where its valid frames end.
    end: Position,
    /// The last commit's number.
    sequence: u64,
    /// How many bytes stand behind.
    tail: u64,
    /// Where the last group of frames begins.
    last_group: u64,
}

fn scan_last(segments: &Segments, segment: u32) -> Result<Scanned, Error> {
    let length = segments.length(segment)?;
    let mut at = Position { segment, offset: SEGMENT_HEADER };
    let (mut last, mut last_group) = (None, SEGMENT_HEADER);
    loop {
        match segments.frame(at, length) {
            Ok(Some(frame)) => {
                if frame.header.group == 0 {
                    last_group = at.offset;
                }
                (at, last) = (frame.next, Some(frame.header.sequence));
            }
            Ok(None) => {
                let sequence = last_number(segments, segment, last)?;
                return Ok(Scanned { end: at, sequence, tail: 0, last_group });
            }
            Err(damage @ Error::Damaged { .. }) => {
                let sequence = last_number(segments, segment, last)?;
                if !segments.is_torn(at, length, sequence)? {
                    return Err(damage);
                }
                return Ok(Scanned { end: at, sequence, tail: length - at.offset, last_group });
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
    use std::fs;

    use super::*;
    use crate::store::disk::Os;

    fn open(directory: &Path) -> Result<Journal, Error> {
        let disk: Arc<dyn Disk> = Arc::new(Os);
        Journal::open(&disk, directory)
    }

    fn journal_with(directory: &Path, metas: &[&[u8]]) -> Journal {
        let mut journal = open(directory).unwrap();
        for meta in metas {
            journal.append(1, 1, meta, b"text").unwrap();
            journal.sync().unwrap();
        }
        journal
    }

    fn metas(journal: &Journal) -> Vec<Vec<u8>> {
        let mut found = Vec::new();
        journal
            .replay(Position::START, 0, |frame| {
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
        let mut journal = open(directory.path()).unwrap();
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
            let mut journal = open(directory.path()).unwrap();
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
        assert!(matches!(open(directory.path()), Err(Error::Damaged { offset: SEGMENT_HEADER, .. })));
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
        assert!(matches!(open(directory.path()), Err(Error::Damaged { .. })));
    }

    /// A journal whose only frame has this number and is of this kind.
    fn journal_of_one(directory: &Path, sequence: u64, kind: u8, meta: &[u8]) -> Journal {
        let header = FrameHeader { sequence, kind, version: 1, meta: meta.len() as u32, blob: 0, group: 0 };
        let bytes = [&frame::segment_header(2)[..], &frame::encode_frame(2, &header, meta, b"")].concat();
        fs::write(directory.join("00000000.journal"), bytes).unwrap();
        open(directory).unwrap()
    }

    #[test]
    fn a_commit_that_would_have_the_last_number_of_all_is_refused() {
        let directory = tempfile::tempdir().unwrap();
        let mut journal = journal_of_one(directory.path(), u64::MAX - 2, frame::KIND_COMMIT, b"m");
        journal.append(1, 1, b"m", b"").unwrap();
        assert!(matches!(journal.append(1, 1, b"m", b""), Err(Error::Damaged { .. })));
        journal.sync().unwrap();
        assert_eq!(open(directory.path()).unwrap().sequence(), u64::MAX - 1);
    }

    #[test]
    fn lost_commits_up_to_another_number_than_their_frames_are_damage() {
        for (to, holds) in [(3, true), (2, false), (u64::MAX, false)] {
            let directory = tempfile::tempdir().unwrap();
            let meta = super::super::record::encode(&super::super::record::LostV1 { from: 1, to });
            let journal = journal_of_one(directory.path(), 3, frame::KIND_LOST, &meta);
            let replayed = journal.replay(Position::START, 0, |_| Ok(()));
            assert_eq!(replayed.is_ok(), holds, "1 to {to}: {replayed:?}");
        }
    }

    #[test]
    fn numbers_go_on_after_an_empty_last_segment() {
        let directory = tempfile::tempdir().unwrap();
        let mut journal = journal_with(directory.path(), &[b"a", b"b"]);
        journal.rotate().unwrap();
        drop(journal);
        assert_eq!(open(directory.path()).unwrap().sequence(), 2);
    }
}
