//! The reading side of the journal: segment files by number, and the frames and texts in them.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use parking_lot::Mutex;
use rustc_hash::FxHashMap;

use super::disk::{Access, Disk, DiskFile};
use super::frame::{self, FRAME_HEADER, FrameHeader, SEGMENT_HEADER};
use super::record::{self, TextRef};
use crate::error::Error;

/// What the name of a segment that is being written ends with.
const UNFINISHED: &str = ".journal.new";
/// The most segments that are kept open.
const OPEN_MAX: usize = 256;

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
    /// Half of its segment's salt.
    pub(super) salt: u32,
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

    /// The kind and version of its record.
    pub(super) fn form(&self) -> (u8, u8) {
        (self.header.kind, self.header.version)
    }

    /// Whether it stands for the commits from the one after `before` to its own number.
    pub(super) fn follows(&self, before: u64) -> bool {
        let first = record::first_commit(&self.header, self.meta(), self.blob());
        first.is_ok_and(|first| before.checked_add(1) == Some(first))
    }

    /// Where the texts of its commit lie, given where they begin among them and how long they are.
    pub(super) fn texts(&self, texts: &[(u32, u32)]) -> Vec<TextRef> {
        let begin = self.at.offset + FRAME_HEADER as u64 + u64::from(self.header.meta);
        text_refs((self.at.segment, self.salt), begin, self.blob(), texts)
    }
}

/// Where texts lie, given their segment, where their commit's texts begin there, and their places among them.
pub(super) fn text_refs(
    (segment, salt): (u32, u32),
    begin: u64,
    blob: &[u8],
    texts: &[(u32, u32)],
) -> Vec<TextRef> {
    let place = |&(start, bytes): &(u32, u32)| {
        let crc = crc32fast::hash(&blob[start as usize..(start + bytes) as usize]);
        TextRef { segment, offset: begin + u64::from(start), bytes, crc, salt }
    };
    texts.iter().map(place).collect()
}

/// An open segment.
#[derive(Clone)]
pub(super) struct Segment {
    pub(super) file: Arc<dyn DiskFile>,
    pub(super) salt: u64,
}

impl Segment {
    /// The half of the salt that places in the segment carry.
    pub(super) fn half(&self) -> u32 {
        half(self.salt)
    }
}

/// The half of a salt that places in its segment carry.
pub(super) fn half(salt: u64) -> u32 {
    (salt >> 32) as u32
}

/// What a segment of this salt adds to the generation, by exclusive or.
pub(super) fn generation_of(salt: u64) -> u64 {
    if salt & 1 == 1 { salt } else { 0 }
}

/// Segment files by number, opened when they are first needed.
pub(super) struct Segments {
    disk: Arc<dyn Disk>,
    directory: PathBuf,
    open: Mutex<Open>,
}

#[derive(Default)]
struct Open {
    current: FxHashMap<u32, Segment>,
    /// Files that another has taken the place of, as long as somebody knows of texts in them.
    replaced: FxHashMap<(u32, u32), Segment>,
}

impl Segments {
    /// The segments in `directory`.
    pub(super) fn new(disk: Arc<dyn Disk>, directory: PathBuf) -> Self {
        Self { disk, directory, open: Mutex::default() }
    }

    /// Where they lie.
    pub(super) fn directory(&self) -> &Path {
        &self.directory
    }

    /// What they lie on.
    pub(super) fn disk(&self) -> &Arc<dyn Disk> {
        &self.disk
    }

    /// The file of a segment.
    pub(super) fn path(&self, segment: u32) -> PathBuf {
        self.directory.join(format!("{segment:08}.journal"))
    }

    /// A segment's file and salt. The header is checked when it is opened.
    pub(super) fn segment(&self, segment: u32) -> Result<Segment, Error> {
        let mut open = self.open.lock();
        if let Some(known) = open.current.get(&segment) {
            return Ok(known.clone());
        }
        let path = self.path(segment);
        let file = self.disk.open(&path, Access::Read).map_err(Error::io("open", &path))?;
        let length = file.length().map_err(Error::io("read", &path))?;
        let at = Position { segment, offset: 0 };
        if length < SEGMENT_HEADER {
            return Err(self.damaged(at, "the segment is shorter than its header"));
        }
        let mut header = [0; SEGMENT_HEADER as usize];
        file.read_at(&mut header, 0).map_err(Error::io("read", &path))?;
        let salt = frame::check_segment_header(&header).map_err(|problem| self.damaged(at, problem))?;
        let known = Segment { file, salt };
        if open.current.len() >= OPEN_MAX {
            open.current.clear();
        }
        open.current.insert(segment, known.clone());
        Ok(known)
    }

    /// Keeps the file that a segment has had so far for those who know of texts in it; the next to ask for the
    /// segment gets what stands in its place.
    pub(super) fn replace(&self, segment: u32, by: impl FnOnce() -> Result<(), Error>) -> Result<(), Error> {
        let before = self.segment(segment)?;
        // First, so that there is no moment at which nobody has the old file. It may be done where it is told as failed.
        self.open.lock().replaced.insert((segment, before.half()), before);
        let done = by();
        self.open.lock().current.remove(&segment);
        done
    }

    /// Closes the files that others have taken the place of.
    pub(super) fn close_replaced(&self) {
        self.open.lock().replaced.clear();
    }

    /// An error that names a segment.
    pub(super) fn damaged(&self, at: Position, problem: impl Into<String>) -> Error {
        Error::Damaged { path: self.path(at.segment), offset: at.offset, problem: problem.into() }
    }

    /// The numbers of the segments that there are, ascending.
    pub(super) fn found(&self) -> Result<Vec<u32>, Error> {
        let list = self.disk.list(&self.directory).map_err(Error::io("list", &self.directory))?;
        let number = |name: &std::ffi::OsString| {
            let number = name.to_str()?.strip_suffix(".journal")?.parse::<u32>().ok()?;
            (self.path(number).file_name() == Some(name)).then_some(number)
        };
        let mut numbers: Vec<u32> = list.iter().filter_map(number).collect();
        numbers.sort_unstable();
        Ok(numbers)
    }

    /// Removes what a crash has left of segments that were being written.
    pub(super) fn remove_unfinished(&self) -> Result<(), Error> {
        let list = self.disk.list(&self.directory).map_err(Error::io("list", &self.directory))?;
        for name in list.iter().filter(|name| name.to_string_lossy().ends_with(UNFINISHED)) {
            let path = self.directory.join(name);
            self.disk.remove(&path).map_err(Error::io("remove", &path))?;
        }
        Ok(())
    }

    /// Where a segment is written before it takes its place.
    pub(super) fn unfinished(&self, segment: u32) -> PathBuf {
        self.directory.join(format!("{segment:08}{UNFINISHED}"))
    }

    /// The numbers of the segments, ascending and without a gap from 0.
    pub(super) fn numbers(&self) -> Result<Vec<u32>, Error> {
        let numbers = self.found()?;
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
        let mut segment = self.segment(text.segment)?;
        if segment.half() != text.salt {
            let replaced = self.open.lock().replaced.get(&(text.segment, text.salt)).cloned();
            segment = replaced.ok_or_else(|| self.damaged(at, "an episode's text is not where it was"))?;
        }
        let mut bytes = vec![0; text.bytes as usize];
        segment.file.read_at(&mut bytes, text.offset).map_err(Error::io("read", &self.path(text.segment)))?;
        if crc32fast::hash(&bytes) != text.crc {
            return Err(self.damaged(at, "an episode's text does not match its checksum"));
        }
        String::from_utf8(bytes).map_err(|_| self.damaged(at, "an episode's text is not UTF-8"))
    }

    /// Reads the frame at `at`. `Ok(None)` where the segment ends just there.
    pub(super) fn frame(&self, at: Position, length: u64) -> Result<Option<Frame>, Error> {
        if at.offset == length {
            return Ok(None);
        }
        let Segment { file, salt } = self.segment(at.segment)?;
        let mut header_bytes = [0; FRAME_HEADER];
        let body_at = at.offset.saturating_add(FRAME_HEADER as u64);
        if body_at > length {
            return Err(self.damaged(at, "a frame's header is cut short"));
        }
        file.read_at(&mut header_bytes, at.offset).map_err(Error::io("read", &self.path(at.segment)))?;
        let header =
            frame::decode_header(&header_bytes).ok_or_else(|| self.damaged(at, "no frame begins here"))?;
        let next = body_at + header.body();
        if next > length {
            return Err(self.damaged(at, "a frame is cut short"));
        }
        let mut body = vec![0; header.body() as usize];
        file.read_at(&mut body, body_at).map_err(Error::io("read", &self.path(at.segment)))?;
        if !frame::crc_holds(salt, &header_bytes, &body) {
            return Err(self.damaged(at, "a frame does not match its checksum"));
        }
        let next = Position { segment: at.segment, offset: next };
        Ok(Some(Frame { header, at, next, salt: half(salt), body }))
    }

    /// The bytes of a segment from `at` on, up to where it ends.
    pub(super) fn tail(&self, at: Position, length: u64) -> Result<Vec<u8>, Error> {
        let mut bytes = vec![0; length.saturating_sub(at.offset) as usize];
        let Segment { file, .. } = self.segment(at.segment)?;
        file.read_at(&mut bytes, at.offset).map_err(Error::io("read", &self.path(at.segment)))?;
        Ok(bytes)
    }

    /// Whether what stands in the last segment behind its last whole frame, which ends at `at` with commit `last`, can be
    /// what is just being written, or was when a process ended.
    pub(super) fn is_torn(&self, at: Position, length: u64, last: u64) -> Result<bool, Error> {
        let salt = self.segment(at.segment)?.salt;
        Ok(frame::is_torn(salt, &self.tail(at, length)?, last.saturating_add(1)))
    }

    /// How many bytes a segment has.
    pub(super) fn length(&self, segment: u32) -> Result<u64, Error> {
        self.segment(segment)?.file.length().map_err(Error::io("read", &self.path(segment)))
    }

    /// A number that changes when a segment is rewritten, and not when one is added: the exclusive or of the odd
    /// salts, which only segments get that were rewritten (and, by chance, those of format 1).
    pub(super) fn generation(&self) -> Result<u64, Error> {
        let mut generation = 0;
        for number in self.numbers()? {
            generation ^= generation_of(self.segment(number)?.salt);
        }
        Ok(generation)
    }
}
