//! Repair: what can be read of a damaged store is kept, what cannot is put aside, and everything else is made anew from
//! the journal.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::disk::{Access, Disk, Os};
use super::frame::{self, FrameHeader, KIND_LOST};
use super::journal::{Journal, rewritten_salt};
use super::lock::StoreLock;
use super::open::{self, FORMAT, Format, OLD_SLED};
use super::record::{self, LostV1};
use super::salvage::{Kept, Unreadable, salvage};
use super::segments::Segments;
use super::snapshot::Snapshots;
use super::working::Working;
use super::{create_directory, free_path, sync_directory};
use crate::error::Error;

/// What repairing a store came to.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Repaired {
    /// Commits that can be read.
    pub commits: u64,
    /// Commits that were there and cannot be read any more.
    pub lost: u64,
    /// Bytes that were put aside.
    pub quarantined: u64,
    /// Files that they stand in, besides the one that says what came from where.
    pub files: usize,
    /// The directory of those files, if there are any.
    pub quarantine: Option<PathBuf>,
    /// Segments of the journal that were written anew.
    pub segments: usize,
    /// Whether the file `FORMAT` was written anew.
    pub format: bool,
}

/// Repairs the store in `directory`: keeps every commit of the journal that can be read, puts the bytes that cannot
/// into a directory `quarantine-N` of the store, and makes everything else anew. It can be broken off and begun again.
///
/// # Errors
/// [`Error::NotAStore`] where nothing of a store is there or it is of a format that this version does not know,
/// [`Error::Locked`], or the system's.
pub fn repair(directory: &Path) -> Result<Repaired, Error> {
    let disk: Arc<dyn Disk> = Arc::new(Os);
    repair_on(&disk, directory)
}

/// [`repair`] on another disk than the system's.
pub(crate) fn repair_on(disk: &Arc<dyn Disk>, directory: &Path) -> Result<Repaired, Error> {
    let present = match open::format(directory) {
        Ok(Format::Damaged(_)) => false,
        Ok(Format::Known(known)) => known == FORMAT,
        _ => {
            // It says what is wrong.
            open::prepare(&**disk, directory, super::Missing::Refuse)?;
            false
        }
    };
    let _lock = StoreLock::take(directory)?;
    let acknowledged = acknowledged(disk, directory)?;
    let journal = directory.join("journal");
    let mut repair = Repair {
        segments: Segments::new(Arc::clone(disk), journal.clone()),
        quarantine: Quarantine::new(Arc::clone(disk), directory),
        last: 0,
        repaired: Repaired::default(),
    };
    if journal.exists() && !journal.is_dir() {
        repair.quarantine.set_aside(&journal)?;
    }
    create_directory(&**disk, &journal)?;
    repair.journal(acknowledged)?;
    let mut repaired = repair.repaired;
    repaired.quarantined = repair.quarantine.bytes;
    repaired.files = repair.quarantine.files;
    repaired.quarantine = repair.quarantine.directory;
    Snapshots::of_store(directory, Arc::clone(disk)).clear()?;
    for old in ["sled", OLD_SLED] {
        open::remove_working(disk, directory, &directory.join(old))?;
    }
    let mut journal = Journal::open(disk, &journal)?;
    journal.secure()?;
    open::make(disk, directory, &journal)?;
    if !present {
        open::write_format(&**disk, directory)?;
        repaired.format = true;
    }
    Ok(repaired)
}

/// How many commits the working store was given; 0 where it does not tell.
fn acknowledged(disk: &Arc<dyn Disk>, directory: &Path) -> Result<u64, Error> {
    let mut most = 0;
    for path in [directory.join("sled"), directory.join(OLD_SLED)] {
        if !path.is_dir() {
            continue;
        }
        match Working::open(disk, &path).and_then(|working| working.applied_sequence()) {
            // The last number of all is no commit's.
            Ok(told) => most = most.max(told.filter(|told| *told < u64::MAX).unwrap_or(0)),
            Err(Error::WorkingStore { .. }) => {}
            Err(other) => return Err(other),
        }
    }
    Ok(most)
}

struct Repair {
    segments: Segments,
    quarantine: Quarantine,
    /// The number of the last commit so far.
    last: u64,
    repaired: Repaired,
}

impl Repair {
    /// Goes through all segments. Each is whole before the next is looked at, so that a repair that was broken off can
    /// be begun again.
    fn journal(&mut self, acknowledged: u64) -> Result<(), Error> {
        self.segments.remove_unfinished()?;
        let mut found = self.segments.found()?;
        for number in found.clone() {
            let path = self.segments.path(number);
            if !path.is_file() {
                self.quarantine.set_aside(&path)?;
                found.retain(|other| *other != number);
            }
        }
        let last = found.last().copied();
        for (number, place) in found.iter().zip(0..) {
            let end = if Some(*number) == last { acknowledged } else { 0 };
            self.segment(*number, end)?;
            if *number != place {
                // Those before it are gone, and what they held with them.
                let (from, to) = (self.segments.path(*number), self.segments.path(place));
                self.segments.disk().rename(&from, &to).map_err(Error::io("rename", &from))?;
            }
        }
        if last.is_none() && acknowledged > 0 {
            self.write(0, &[], &[], acknowledged)?;
        }
        sync_directory(&**self.segments.disk(), self.segments.directory())
    }

    /// Repairs one segment; where it is the last, it must go as far as `acknowledged`.
    fn segment(&mut self, number: u32, acknowledged: u64) -> Result<(), Error> {
        let path = self.segments.path(number);
        let bytes = read_all(&**self.segments.disk(), &path)?;
        let before = self.last;
        let salvaged = salvage(&bytes, before);
        let mut expected = before;
        let gaps = salvaged.kept.iter().any(|kept| {
            let gap = kept.first.wrapping_sub(1) != expected;
            expected = kept.header.sequence;
            gap
        });
        let commits = salvaged.kept.iter().filter(|kept| kept.header.kind != KIND_LOST).count();
        self.repaired.commits += commits as u64;
        if salvaged.unreadable.is_empty() && !gaps && acknowledged <= expected {
            self.last = expected;
            return Ok(());
        }
        self.quarantine.add(&path, &bytes, &salvaged.unreadable)?;
        self.write(number, &bytes, &salvaged.kept, acknowledged)
    }

    /// Writes a segment anew, with the frames that are kept, and with one in the place of each run of lost commits.
    fn write(&mut self, number: u32, bytes: &[u8], kept: &[Kept], acknowledged: u64) -> Result<(), Error> {
        let path = self.segments.path(number);
        let salt = rewritten_salt(&path);
        let mut written = frame::segment_header(salt).to_vec();
        for kept in kept {
            self.lose_up_to(kept.first - 1, salt, &mut written);
            let (meta, blob) = bytes[kept.body.clone()].split_at(kept.header.meta as usize);
            written.extend(frame::encode_frame(salt, &kept.header, meta, blob));
            self.last = kept.header.sequence;
        }
        self.lose_up_to(acknowledged, salt, &mut written);
        let disk = self.segments.disk();
        let new = self.segments.unfinished(number);
        disk.write(&new, &written).map_err(Error::io("write", &new))?;
        disk.rename(&new, &path).map_err(Error::io("write", &path))?;
        self.repaired.segments += 1;
        sync_directory(&**disk, self.segments.directory())
    }

    /// Writes that the commits after the last one and up to `to` are lost, if there are any.
    fn lose_up_to(&mut self, to: u64, salt: u64, written: &mut Vec<u8>) {
        if to <= self.last {
            return;
        }
        let lost = LostV1 { from: self.last + 1, to };
        let meta = record::encode(&lost);
        let (kind, version) = (KIND_LOST, record::OTHER_VERSION);
        let header = FrameHeader { sequence: to, kind, version, meta: meta.len() as u32, blob: 0, group: 0 };
        written.extend(frame::encode_frame(salt, &header, &meta, b""));
        self.repaired.lost += to - self.last;
        self.last = to;
    }
}

/// Where unreadable bytes are put, a file a segment, with a text that says what came from where.
struct Quarantine {
    disk: Arc<dyn Disk>,
    store: PathBuf,
    directory: Option<PathBuf>,
    contents: String,
    bytes: u64,
    files: usize,
}

impl Quarantine {
    fn new(disk: Arc<dyn Disk>, store: &Path) -> Self {
        let contents =
            "Bytes that could not be read when the store was repaired, and where they stood.\n".to_owned();
        Self { disk, store: store.to_path_buf(), directory: None, contents, bytes: 0, files: 0 }
    }

    /// Keeps unreadable bytes of a segment. They last before the segment is written anew.
    fn add(&mut self, path: &Path, bytes: &[u8], unreadable: &[Unreadable]) -> Result<(), Error> {
        if unreadable.is_empty() {
            return Ok(());
        }
        let directory = self.directory()?;
        let segment = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let file = directory.join(format!("{segment}.bytes"));
        let mut kept = Vec::new();
        for Unreadable { bytes: range, problem } in unreadable {
            let line = format!(
                "{segment}.bytes, bytes {} to {}: bytes {} to {} of journal/{segment}: {problem}\n",
                kept.len(),
                kept.len() + range.len(),
                range.start,
                range.end
            );
            self.contents.push_str(&line);
            kept.extend_from_slice(&bytes[range.clone()]);
        }
        self.disk.write(&file, &kept).map_err(Error::io("write", &file))?;
        (self.bytes, self.files) = (self.bytes + kept.len() as u64, self.files + 1);
        self.write_contents(&directory)
    }

    /// Keeps what stands in the place of something else, as it is.
    fn set_aside(&mut self, path: &Path) -> Result<(), Error> {
        let directory = self.directory()?;
        let name = path.file_name().unwrap_or_default();
        let line = format!("{0}: {0}, which is not what must stand there\n", name.to_string_lossy());
        self.contents.push_str(&line);
        self.disk.rename(path, &directory.join(name)).map_err(Error::io("set aside", path))?;
        self.files += 1;
        self.write_contents(&directory)
    }

    /// The directory, which is made when it is first needed.
    fn directory(&mut self) -> Result<PathBuf, Error> {
        if let Some(directory) = &self.directory {
            return Ok(directory.clone());
        }
        let directory = free_path(&self.store, "quarantine");
        create_directory(&*self.disk, &directory)?;
        Ok(self.directory.insert(directory).clone())
    }

    fn write_contents(&self, directory: &Path) -> Result<(), Error> {
        let text = directory.join("contents.txt");
        self.disk.write(&text, self.contents.as_bytes()).map_err(Error::io("write", &text))?;
        sync_directory(&*self.disk, directory)
    }
}

fn read_all(disk: &dyn Disk, path: &Path) -> Result<Vec<u8>, Error> {
    let read = || -> std::io::Result<Vec<u8>> {
        let file = disk.open(path, Access::Read)?;
        let mut bytes = vec![0; file.length()? as usize];
        file.read_at(&mut bytes, 0)?;
        Ok(bytes)
    };
    read().map_err(Error::io("read", path))
}
