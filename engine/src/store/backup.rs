//! A copy of a store that may be in use: of its journal, up to a whole commit. It takes no lock and keeps nobody waiting.
//!
//! The journal only grows, but for segments that are rewritten, which get another salt. So the segments are copied in
//! order, and once more what is different now, until none was rewritten from the beginning of a round to its end. What
//! the copy holds then is what the journal held at some time in between.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::disk::{Disk, DiskFile, Os};
use super::frame::{self, SEGMENT_HEADER};
use super::open::{self, Format};
use super::segments::{Position, Segment, Segments};
use super::{Missing, create_directory, sync_directory};
use crate::error::Error;

/// How often the journal is gone through again where it was rewritten meanwhile, or seemed damaged while it was.
const ROUNDS_MAX: usize = 16;
/// What the copy of the journal is called until it is whole, so that nobody takes its remains for a store.
const UNFINISHED: &str = "journal.unfinished";

/// What a backup holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct BackedUp {
    /// Its last commit.
    pub commits: u64,
    /// Segments of the journal.
    pub segments: usize,
    /// Bytes of them.
    pub bytes: u64,
}

/// Copies the store in `from`, which another process or this one may be using, into the directory `to`, which must not
/// exist or be empty. The copy is a store once this returns: what else belongs to one is made when it is opened.
///
/// # Errors
/// [`Error::NotAStore`] where `from` is none or `to` holds something, [`Error::Damaged`] where the journal is, and the
/// system's. What was copied until then is left in `to`, and is no store.
pub fn backup(from: &Path, to: &Path) -> Result<BackedUp, Error> {
    let disk: Arc<dyn Disk> = Arc::new(Os);
    backup_on(&disk, from, to)
}

/// [`backup`] on another disk than the system's.
pub(crate) fn backup_on(disk: &Arc<dyn Disk>, from: &Path, to: &Path) -> Result<BackedUp, Error> {
    open::prepare(&**disk, from, Missing::Refuse)?;
    make_target(&**disk, from, to)?;
    let journal = to.join(UNFINISHED);
    create_directory(&**disk, &journal)?;
    let mut copy = Copy { disk, to: Segments::new(Arc::clone(disk), journal.clone()), segments: Vec::new() };
    copy.follow(&from.join("journal"))?;
    let told = copy.finish()?;
    let place = to.join("journal");
    disk.rename(&journal, &place).map_err(Error::io("rename", &journal))?;
    sync_directory(&**disk, to)?;
    // The last thing to come: what makes a directory a store.
    match open::format(from)? {
        Format::Known(format) => open::write_format_line(&**disk, to, format)?,
        _ => return Err(open::prepare(&**disk, from, Missing::Refuse).err().unwrap_or(busy(from))),
    }
    Ok(told)
}

/// Makes the directory of the copy, which must hold nothing and not lie in the store.
fn make_target(disk: &dyn Disk, from: &Path, to: &Path) -> Result<(), Error> {
    let refuse = |problem: &str| Error::NotAStore { path: to.to_path_buf(), problem: problem.to_owned() };
    match disk.list(to) {
        Ok(list) if !list.is_empty() => {
            return Err(refuse("holds something; name a directory that is empty or does not exist yet"));
        }
        Err(error) if error.kind() == std::io::ErrorKind::NotADirectory => {
            return Err(refuse("is a file; name a directory"));
        }
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
            return Err(Error::io("open", to)(error).of_named_path());
        }
        _ => {}
    }
    create_directory(disk, to).map_err(Error::of_named_path)?;
    let whole = |path: &Path| path.canonicalize().map_err(Error::io("find", path));
    if whole(to)?.starts_with(whole(from)?) {
        return Err(refuse("lies in the store itself; name a directory outside of it"));
    }
    Ok(())
}

fn busy(from: &Path) -> Error {
    Error::Busy { path: from.to_path_buf() }
}

/// A journal that is being copied.
struct Copy<'d> {
    disk: &'d Arc<dyn Disk>,
    to: Segments,
    segments: Vec<Copied>,
}

/// A segment as far as it is copied.
struct Copied {
    salt: u64,
    file: Arc<dyn DiskFile>,
    length: u64,
    /// Its last commit, or the last one before it.
    last: u64,
}

impl Copy<'_> {
    /// Copies the journal in `from` as it is at some time from now on.
    fn follow(&mut self, from: &Path) -> Result<(), Error> {
        let mut failed = None;
        for _ in 0..ROUNDS_MAX {
            // Files are opened anew in each round.
            let source = Segments::new(Arc::clone(self.disk), from.to_path_buf());
            match self.round(&source) {
                Ok(()) if self.is_current(from)? => return Ok(()),
                Ok(()) => failed = None,
                // As where a segment takes the place of another just now.
                Err(error @ (Error::Damaged { .. } | Error::Io(_))) => failed = Some(error),
                Err(other) => return Err(other),
            }
        }
        Err(failed.unwrap_or_else(|| busy(from)))
    }

    /// Whether every segment that was copied is still the one that stands there.
    fn is_current(&self, from: &Path) -> Result<bool, Error> {
        let source = Segments::new(Arc::clone(self.disk), from.to_path_buf());
        for (copied, number) in self.segments.iter().zip(0..) {
            match source.segment(number) {
                Ok(Segment { salt, .. }) if salt == copied.salt => {}
                Ok(_) | Err(Error::Damaged { .. } | Error::Io(_)) => return Ok(false),
                Err(other) => return Err(other),
            }
        }
        Ok(true)
    }

    fn round(&mut self, source: &Segments) -> Result<(), Error> {
        let numbers = source.numbers()?;
        while self.segments.len() > numbers.len() {
            self.segments.pop();
            let path = self.to.path(self.segments.len() as u32);
            self.disk.remove(&path).map_err(Error::io("remove", &path))?;
        }
        let mut before = 0;
        for &number in &numbers {
            before = self.segment(source, number, before, number + 1 == numbers.len() as u32)?;
        }
        Ok(())
    }

    /// Copies what is new of a segment. Returns the last commit up to its end.
    fn segment(&mut self, source: &Segments, number: u32, before: u64, is_last: bool) -> Result<u64, Error> {
        let Segment { salt, .. } = source.segment(number)?;
        let index = number as usize;
        if self.segments.get(index).is_none_or(|copied| copied.salt != salt) {
            let copied = self.begin(number, salt, before)?;
            // Those after it are what they were: a segment that is rewritten keeps its commits' numbers.
            match self.segments.get_mut(index) {
                Some(place) => *place = copied,
                None => self.segments.push(copied),
            }
        }
        let copied = &mut self.segments[index];
        let length = source.length(number)?;
        let path = self.to.path(number);
        loop {
            let at = Position { segment: number, offset: copied.length };
            let frame = match source.frame(at, length) {
                Ok(Some(frame)) => frame,
                Ok(None) => return Ok(copied.last),
                Err(damage @ Error::Damaged { .. }) => {
                    return if is_last && is_torn(source, at, length, copied.last)? {
                        Ok(copied.last)
                    } else {
                        Err(damage)
                    };
                }
                Err(other) => return Err(other),
            };
            if frame.first() != copied.last + 1 {
                return Err(source.damaged(at, "a commit is missing before this one"));
            }
            let bytes = frame::encode_frame(salt, &frame.header, frame.meta(), frame.blob());
            copied.file.write_at(&bytes, copied.length).map_err(Error::io("write", &path))?;
            copied.length += bytes.len() as u64;
            copied.last = frame.header.sequence;
        }
    }

    fn begin(&self, number: u32, salt: u64, before: u64) -> Result<Copied, Error> {
        let path = self.to.path(number);
        let begin = || -> std::io::Result<Arc<dyn DiskFile>> {
            let file = self.disk.create(&path)?;
            file.write_at(&frame::segment_header(salt), 0)?;
            Ok(file)
        };
        let file = begin().map_err(Error::io("write", &path))?;
        Ok(Copied { salt, file, length: SEGMENT_HEADER, last: before })
    }

    /// Makes the copy last.
    fn finish(&self) -> Result<BackedUp, Error> {
        for (copied, number) in self.segments.iter().zip(0..) {
            copied.file.sync_all().map_err(Error::io("sync", &self.to.path(number)))?;
        }
        sync_directory(&**self.disk, self.to.directory())?;
        Ok(BackedUp {
            commits: self.segments.last().map_or(0, |copied| copied.last),
            segments: self.segments.len(),
            bytes: self.segments.iter().map(|copied| copied.length).sum(),
        })
    }
}

/// Whether what stands in the last segment from `at` on can be a commit that is just being written, or was when a
/// process ended.
fn is_torn(source: &Segments, at: Position, length: u64, last: u64) -> Result<bool, Error> {
    let path: PathBuf = source.path(at.segment);
    let Segment { file, salt } = source.segment(at.segment)?;
    let mut tail = vec![0; (length - at.offset) as usize];
    file.read_at(&mut tail, at.offset).map_err(Error::io("read", &path))?;
    Ok(frame::is_torn(salt, &tail, last + 1))
}
