//! Snapshots: a file a namespace that holds it as it was in memory after one of its commits, so that opening reads that
//! and what came since. A snapshot is a cache: one that is damaged, of another version, or made from a journal that was
//! rewritten since is thrown away. It is never the only place where something stands.
//!
//! ```text
//! DIR/snapshots/HASH.snapshot    HASH: the namespace's, in hexadecimal digits
//!
//! file    = "LORESNAP" header-length:u32 header-crc:u32 header section*
//! header  = rkyv, `HeaderV1`: what it is of, and each section's length and CRC-32
//! ```

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use rayon::prelude::*;
use rkyv::{Archive, Deserialize, Serialize};

use super::disk::{Access, Disk, DiskFile, absent_is_fine};
use super::record;
use crate::error::Error;
use crate::model::id::Namespace;

const MAGIC: &[u8; 8] = b"LORESNAP";
const FIRST: usize = 16;
/// The longest header: far above what the sections of the largest namespace come to.
const HEADER_MOST: usize = 16 << 20;

/// What a snapshot was made from. Where one of these is not what it is now, the snapshot is of no use.
#[derive(Archive, Serialize, Deserialize, Debug, Clone, PartialEq, Eq)]
pub(crate) struct Source {
    /// Whose memory.
    pub(crate) namespace: String,
    /// The version of this program and of the sections' form.
    pub(crate) version: String,
    /// The model that made the vectors.
    pub(crate) embedder: String,
    /// The journal's generation.
    pub(crate) generation: u64,
}

/// How far the namespace was read: see [`super::Mark`].
type StoredMark = (u64, u64, [u8; 16]);

#[derive(Archive, Serialize, Deserialize, Debug, PartialEq)]
struct HeaderV1 {
    source: Source,
    mark: StoredMark,
    /// Length and CRC-32 of each section.
    sections: Vec<(u64, u32)>,
}

/// Where snapshots lie.
#[derive(Debug)]
pub(crate) struct Snapshots {
    directory: PathBuf,
    disk: Arc<dyn Disk>,
}

/// A snapshot as it was read: how far it goes, and its sections.
pub(crate) struct Snapshot {
    pub(crate) mark: super::Mark,
    pub(crate) sections: Vec<Vec<u8>>,
}

impl Snapshots {
    /// The snapshots of the store in `directory`.
    pub(crate) fn of_store(directory: &Path, disk: Arc<dyn Disk>) -> Self {
        Self { directory: directory.join("snapshots"), disk }
    }

    /// Where the snapshot of a namespace lies.
    pub(crate) fn path(&self, namespace: &Namespace) -> PathBuf {
        let hash = blake3::hash(namespace.as_str().as_bytes());
        self.directory.join(format!("{}.snapshot", &hash.to_hex()[..32]))
    }

    /// Keeps the sections of a namespace in the place of an earlier snapshot. A crash of the process leaves the one or
    /// the other.
    ///
    /// # Errors
    /// The system's; the earlier one may still be there then.
    pub(crate) fn write(
        &self,
        source: Source,
        mark: &super::Mark,
        sections: &[Vec<u8>],
    ) -> Result<(), Error> {
        let namespace = Namespace::new(&source.namespace)?;
        let path = self.path(&namespace);
        let new = path.with_extension("new");
        super::make_directory(&*self.disk, &self.directory)?;
        let list =
            sections.par_iter().map(|section| (section.len() as u64, crc32fast::hash(section))).collect();
        let mark = (mark.sequence, mark.commits, mark.digest);
        let header = record::encode(&HeaderV1 { source, mark, sections: list });
        let write = || -> io::Result<()> {
            let file = self.disk.create(&new)?;
            let mut offset = 0;
            let first = [
                MAGIC.as_slice(),
                &(header.len() as u32).to_le_bytes(),
                &crc32fast::hash(&header).to_le_bytes(),
            ];
            for part in
                [first.concat().as_slice(), &header].into_iter().chain(sections.iter().map(Vec::as_slice))
            {
                file.write_at(part, offset)?;
                offset += part.len() as u64;
            }
            // Not synced: what a power cut leaves of it does not match its checksums, and is thrown away.
            self.disk.rename(&new, &path)
        };
        write().map_err(Error::io("write", &path))
    }

    /// The snapshot of a namespace, if there is one that was made from `source` and is whole. One that is not is removed;
    /// the error is the path of one that is damaged.
    pub(crate) fn read(&self, source: &Source) -> Result<Option<Snapshot>, PathBuf> {
        let Ok(namespace) = Namespace::new(&source.namespace) else { return Ok(None) };
        let path = self.path(&namespace);
        let Ok(file) = self.disk.open(&path, Access::Read) else { return Ok(None) };
        let found = read(&*file, source);
        if !matches!(found, Found::Sound(_)) {
            // It is of no use. Where it cannot be removed now, it will be written over.
            let _ = self.disk.remove(&path);
        }
        match found {
            Found::Sound(snapshot) => Ok(Some(snapshot)),
            Found::Other => Ok(None),
            Found::Damaged => Err(path),
        }
    }

    /// Removes the snapshot of a namespace, so that nothing of it is left but what the journal holds.
    ///
    /// # Errors
    /// The system's.
    pub(crate) fn remove(&self, namespace: &Namespace) -> Result<(), Error> {
        for path in [self.path(namespace), self.path(namespace).with_extension("new")] {
            absent_is_fine(self.disk.remove(&path)).map_err(Error::io("remove", &path))?;
        }
        // Also where there was nothing to remove: an earlier removal may not have been made to last.
        absent_is_fine(self.disk.sync_directory(&self.directory)).map_err(Error::io("sync", &self.directory))
    }

    /// Removes all snapshots.
    ///
    /// # Errors
    /// The system's.
    pub(crate) fn clear(&self) -> Result<(), Error> {
        let names = match self.disk.list(&self.directory) {
            Ok(names) => names,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
            Err(error) => return Err(Error::io("list", &self.directory)(error)),
        };
        for name in names {
            let path = self.directory.join(name);
            self.disk.remove(&path).map_err(Error::io("remove", &path))?;
        }
        self.disk.sync_directory(&self.directory).map_err(Error::io("sync", &self.directory))
    }
}

/// What stands in the file of a snapshot.
enum Found {
    Sound(Snapshot),
    /// One that was made from something else.
    Other,
    Damaged,
}

fn read(file: &dyn DiskFile, source: &Source) -> Found {
    match read_header(file) {
        Some((header, _)) if header.source != *source => Found::Other,
        Some((header, at)) => read_sections(file, &header, at).map_or(Found::Damaged, Found::Sound),
        None => Found::Damaged,
    }
}

/// The header, and where the sections begin.
fn read_header(file: &dyn DiskFile) -> Option<(HeaderV1, u64)> {
    let length = file.length().ok()?;
    let mut first = [0; FIRST];
    file.read_at(&mut first, 0).ok()?;
    let number = |at: usize| u32::from_le_bytes([first[at], first[at + 1], first[at + 2], first[at + 3]]);
    let header_length = number(8) as usize;
    if &first[..8] != MAGIC || header_length > HEADER_MOST || (FIRST + header_length) as u64 > length {
        return None;
    }
    let mut header = vec![0; header_length];
    file.read_at(&mut header, FIRST as u64).ok()?;
    if crc32fast::hash(&header) != number(12) {
        return None;
    }
    Some((record::decode_as(&header).ok()?, (FIRST + header_length) as u64))
}

fn read_sections(file: &dyn DiskFile, header: &HeaderV1, mut at: u64) -> Option<Snapshot> {
    let length = file.length().ok()?;
    let mut places = Vec::with_capacity(header.sections.len());
    for (bytes, crc) in &header.sections {
        places.push((at, *bytes, *crc));
        at = at.checked_add(*bytes).filter(|end| *end <= length)?;
    }
    let section = |&(at, bytes, crc): &(u64, u64, u32)| {
        let mut section = vec![0; usize::try_from(bytes).ok()?];
        file.read_at(&mut section, at).ok()?;
        (crc32fast::hash(&section) == crc).then_some(section)
    };
    let sections = places.par_iter().map(section).collect::<Option<Vec<_>>>()?;
    let (sequence, commits, digest) = header.mark;
    Some(Snapshot { mark: super::Mark { sequence, commits, digest }, sections })
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::super::disk::Os;
    use super::*;

    fn source() -> Source {
        Source {
            namespace: "acme/user-42".to_owned(),
            version: "0.1.0/1".to_owned(),
            embedder: "hash-1".to_owned(),
            generation: 7,
        }
    }

    fn written(directory: &Path) -> (Snapshots, PathBuf) {
        let snapshots = Snapshots::of_store(directory, Arc::new(Os));
        let mark = super::super::Mark { sequence: 9, commits: 4, digest: [1; 16] };
        snapshots.write(source(), &mark, &[b"one".to_vec(), Vec::new(), vec![7; 5000]]).unwrap();
        let path = snapshots.path(&Namespace::new("acme/user-42").unwrap());
        (snapshots, path)
    }

    #[test]
    fn a_snapshot_is_read_back_as_it_was_written() {
        let directory = tempfile::tempdir().unwrap();
        let (snapshots, path) = written(directory.path());
        let read = snapshots.read(&source()).unwrap().unwrap();
        assert_eq!(read.sections, [b"one".to_vec(), Vec::new(), vec![7; 5000]]);
        assert_eq!((read.mark.sequence, read.mark.commits, read.mark.digest), (9, 4, [1; 16]));
        snapshots.remove(&Namespace::new("acme/user-42").unwrap()).unwrap();
        assert!(!path.exists() && matches!(snapshots.read(&source()), Ok(None)));
        snapshots.remove(&Namespace::new("acme/user-42").unwrap()).unwrap();
    }

    #[test]
    fn one_of_another_source_or_with_any_byte_changed_or_missing_is_thrown_away() {
        let directory = tempfile::tempdir().unwrap();
        let (snapshots, path) = written(directory.path());
        let whole = fs::read(&path).unwrap();
        assert!(matches!(snapshots.read(&Source { generation: 8, ..source() }), Ok(None)) && !path.exists());
        for at in (0..whole.len()).step_by(7).chain(0..200) {
            let mut bytes = whole.clone();
            bytes[at] ^= 0x10;
            fs::write(&path, &bytes).unwrap();
            assert!(snapshots.read(&source()).is_err_and(|told| told == path), "byte {at}");
            fs::write(&path, &whole[..at]).unwrap();
            assert!(snapshots.read(&source()).is_err(), "cut at {at}");
        }
        fs::write(&path, &whole).unwrap();
        assert!(matches!(snapshots.read(&source()), Ok(Some(_))));
        snapshots.clear().unwrap();
        assert!(!path.exists());
    }
}
