//! A copy of a store that may be in use: of its journal, up to a whole commit. It takes no lock and keeps nobody waiting.
//!
//! The journal only grows, but for segments that are rewritten, which get another salt. So the segments are copied in
//! order, and once more what is different now, until none was rewritten from the beginning of a round to its end. What
//! the copy holds then is what the journal held at some time in between.

use std::path::Path;
use std::sync::Arc;

use super::disk::{Access, Disk, Os};
use super::frame::{self, SEGMENT_HEADER};
use super::open::{self, Format, UNFINISHED_BACKUP};
use super::segments::{Frame, Position, Segment, Segments};
use super::{Missing, create_directory, erase, sync_directory};
use crate::error::Error;

/// How often the journal is gone through again where it was rewritten meanwhile, or seemed damaged while it was.
const ROUNDS_MAX: usize = 16;

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
    let journal = to.join(UNFINISHED_BACKUP);
    create_directory(&**disk, &journal)?;
    let mut copy = Copy {
        disk,
        to: Segments::new(Arc::clone(disk), journal.clone()),
        segments: Vec::new(),
        erasure_is_due: false,
    };
    copy.follow(from)?;
    let told = copy.finish()?;
    match open::format(from)? {
        Format::Known(format) => open::write_format_line(&**disk, to, format)?,
        _ => return Err(open::prepare(&**disk, from, Missing::Refuse).err().unwrap_or(busy(from))),
    }
    if copy.erasure_is_due {
        erase::write_due(&**disk, to)?;
    }
    // The last thing to come: what makes a directory a store.
    disk.rename(&journal, &to.join("journal")).map_err(Error::io("rename", &journal))?;
    sync_directory(&**disk, to)?;
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
    /// Whether something that is forgotten may stand in the copy.
    erasure_is_due: bool,
}

/// A segment as far as it is copied.
struct Copied {
    salt: u64,
    length: u64,
    /// Its last commit, or the last one before it.
    last: u64,
    /// Where the last group of frames begins, and the commit before: it may have been copied before it was synced, and be
    /// rolled back.
    last_group: (u64, u64),
}

impl Copy<'_> {
    /// Copies the journal of the store in `from` as it is at some time from now on.
    fn follow(&mut self, store: &Path) -> Result<(), Error> {
        let from = store.join("journal");
        let mut failed = None;
        for _ in 0..ROUNDS_MAX {
            // Files are opened anew in each round.
            let round = self.round(&Segments::new(Arc::clone(self.disk), from.clone()));
            // Asked before it is known that no segment was rewritten until then.
            self.erasure_is_due = erase::is_due(store);
            match round {
                Ok(()) if self.is_current(&from)? => return Ok(()),
                Ok(()) => failed = None,
                // As where a segment takes the place of another just now.
                Err(error @ (Error::Damaged { .. } | Error::Io(_))) => failed = Some(error),
                Err(other) => return Err(other),
            }
        }
        Err(failed.unwrap_or_else(|| busy(&from)))
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
        self.cut_last_group()?;
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

    /// Takes the last group of frames off the copy again.
    fn cut_last_group(&mut self) -> Result<(), Error> {
        let number = self.segments.len().saturating_sub(1) as u32;
        let Some(copied) = self.segments.last_mut() else { return Ok(()) };
        (copied.length, copied.last) = copied.last_group;
        let path = self.to.path(number);
        let file = self.disk.open(&path, Access::Write).map_err(Error::io("open", &path))?;
        file.truncate(copied.length).map_err(Error::io("truncate", &path))?;
        file.sync_all().map_err(Error::io("sync", &path))
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
        let before = copied.length;
        let length = source.length(number)?;
        let path = self.to.path(number);
        // Opened for the time being: there may be more segments than files that can be open.
        let file = self.disk.open(&path, Access::Write).map_err(Error::io("open", &path))?;
        while let Some(frame) = next_frame(source, number, copied, length, is_last)? {
            if frame.header.group == 0 {
                copied.last_group = (copied.length, copied.last);
            }
            let bytes = frame::encode_frame(salt, &frame.header, frame.meta(), frame.blob());
            file.write_at(&bytes, copied.length).map_err(Error::io("write", &path))?;
            copied.length += bytes.len() as u64;
            copied.last = frame.header.sequence;
        }
        if copied.length > before {
            file.sync_all().map_err(Error::io("sync", &path))?;
        }
        Ok(copied.last)
    }

    fn begin(&self, number: u32, salt: u64, before: u64) -> Result<Copied, Error> {
        let path = self.to.path(number);
        let begin = || self.disk.write(&path, &frame::segment_header(salt));
        begin().map_err(Error::io("write", &path))?;
        Ok(Copied { salt, length: SEGMENT_HEADER, last: before, last_group: (SEGMENT_HEADER, before) })
    }

    /// Makes the copy last.
    fn finish(&self) -> Result<BackedUp, Error> {
        sync_directory(&**self.disk, self.to.directory())?;
        Ok(BackedUp {
            commits: self.segments.last().map_or(0, |copied| copied.last),
            segments: self.segments.len(),
            bytes: self.segments.iter().map(|copied| copied.length).sum(),
        })
    }
}

/// The frame of a segment that is to be copied next; `None` where there is none, or one that is just being written.
fn next_frame(
    source: &Segments,
    segment: u32,
    copied: &Copied,
    length: u64,
    is_last: bool,
) -> Result<Option<Frame>, Error> {
    let at = Position { segment, offset: copied.length };
    match source.frame(at, length) {
        Ok(Some(frame)) if !frame.follows(copied.last) => {
            Err(source.damaged(at, "a commit is missing before this one"))
        }
        Err(Error::Damaged { .. }) if is_last && source.is_torn(at, length, copied.last)? => Ok(None),
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::sync::atomic::Ordering;

    use super::super::journal::Journal;
    use super::*;
    use crate::trials::Strained;

    fn append(journal: &mut Journal, text: &[u8]) {
        journal.append(1, 1, b"meta", text).unwrap();
    }

    fn copy<'d>(disk: &'d Arc<dyn Disk>, to: &Path) -> Copy<'d> {
        fs::create_dir(to).unwrap();
        let to = Segments::new(Arc::clone(disk), to.to_path_buf());
        Copy { disk, to, segments: Vec::new(), erasure_is_due: false }
    }

    #[test]
    fn a_commit_that_is_rolled_back_after_it_was_copied_is_not_in_the_copy() {
        let directory = tempfile::tempdir().unwrap();
        let (store, to) = (directory.path().join("store"), directory.path().join("copy"));
        fs::create_dir(&store).unwrap();
        let disk: Arc<dyn Disk> = Arc::new(Os);
        let mut journal = Journal::open(&disk, &store.join("journal")).unwrap();
        append(&mut journal, b"one");
        journal.sync().unwrap();
        let mut copy = copy(&disk, &to);
        append(&mut journal, b"which no disk takes");
        append(&mut journal, b"nor this");
        copy.round(&Segments::new(Arc::clone(&disk), store.join("journal"))).unwrap();
        assert!(journal.roll_back());
        for text in [&b"two"[..], b"three", b"four", b"five"] {
            append(&mut journal, text);
            journal.sync().unwrap();
        }
        copy.follow(&store).unwrap();
        assert_eq!(copy.finish().unwrap().commits, 5);
        let name = "00000000.journal";
        assert_eq!(fs::read(to.join(name)).unwrap(), fs::read(store.join("journal").join(name)).unwrap());
    }

    #[test]
    fn a_journal_of_many_segments_is_copied_with_few_files_open() {
        let directory = tempfile::tempdir().unwrap();
        let (store, to) = (directory.path().join("store"), directory.path().join("copy"));
        fs::create_dir(&store).unwrap();
        let disk: Arc<dyn Disk> = Arc::new(Os);
        let mut journal = Journal::open(&disk, &store.join("journal")).unwrap();
        for _ in 0..600 {
            append(&mut journal, &[7; 5000]);
            journal.sync().unwrap();
        }
        assert_eq!(journal.end().segment, 599);
        let strained = Arc::new(Strained::default());
        let disk = Arc::clone(&strained) as Arc<dyn Disk>;
        let mut copy = copy(&disk, &to);
        copy.follow(&store).unwrap();
        assert_eq!(copy.finish().unwrap().segments, 600);
        // Those of the source that are kept open, and the one that is written.
        let most = strained.most.load(Ordering::Relaxed);
        assert!(most < 300, "{most}");
    }
}
