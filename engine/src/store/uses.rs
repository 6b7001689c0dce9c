//! How often and when episodes were last of use, as those tell who ask: a file for each namespace, to which records are
//! appended. It is a cache beside the journal: what is damaged or lost costs no more than that something fades sooner. Nothing
//! is synced but what is written anew when something is forgotten.
//!
//! ```text
//! DIR/uses/HASH.uses    HASH: hash of the namespace's name, in hexadecimal digits
//!
//! file   = "LOREUSE1" name-length:u32 name-crc:u32 name record*
//! record = episode-id count:u32 last:i64 crc:u32    times in milliseconds; of an episode's records the counts add up
//! ```

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use parking_lot::Mutex;
use rustc_hash::FxHashMap;

use super::disk::{Access, Disk, DiskFile, absent_is_fine};
use crate::error::Error;
use crate::model::id::{EpisodeId, ID_BYTES, Namespace};
use crate::model::time::Timestamp;

const MAGIC: &[u8; 8] = b"LOREUSE1";
/// What stands before the name.
const FIRST: usize = 16;
const RECORD: usize = ID_BYTES + 4 + 8 + 4;
/// Records beyond twice as many as there are episodes at which a file is written anew.
const SPARE: usize = 1024;

/// How often an episode was of use, and when last.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Use {
    /// How often.
    pub count: u32,
    /// When last.
    pub last: Timestamp,
}

/// What was of use in a namespace.
pub type Uses = FxHashMap<EpisodeId, Use>;

/// Where uses lie.
#[derive(Debug)]
pub(crate) struct UseFiles {
    directory: PathBuf,
    disk: Arc<dyn Disk>,
    /// Held while a file is read or written.
    turn: Mutex<()>,
}

impl UseFiles {
    /// The uses of the store in `directory`.
    pub(crate) fn of_store(directory: &Path, disk: Arc<dyn Disk>) -> Self {
        Self { directory: directory.join("uses"), disk, turn: Mutex::new(()) }
    }

    fn path(&self, namespace: &Namespace) -> PathBuf {
        let hash = blake3::hash(namespace.as_str().as_bytes()).to_hex();
        self.directory.join(format!("{}.uses", &hash[..32]))
    }

    /// What was of use in a namespace, as far as it is kept.
    ///
    /// # Errors
    /// The system's.
    pub(crate) fn read(&self, namespace: &Namespace) -> Result<Uses, Error> {
        let _turn = self.turn.lock();
        let path = self.path(namespace);
        let Some(bytes) = self.bytes(&path)? else { return Ok(Uses::default()) };
        let Some((known, records)) = parts(&bytes) else { return Ok(Uses::default()) };
        let uses = if known == namespace.as_str() { folded(records) } else { Uses::default() };
        if records.len() / RECORD > 2 * uses.len() + SPARE {
            // Best effort: the longer file tells the same.
            let _ = self.replace(&path, namespace, &uses);
        }
        Ok(uses)
    }

    /// Notes that episodes were of use at a time.
    ///
    /// # Errors
    /// The system's; a part of them may be noted then.
    pub(crate) fn note(&self, namespace: &Namespace, ids: &[EpisodeId], at: Timestamp) -> Result<(), Error> {
        let _turn = self.turn.lock();
        let path = self.path(namespace);
        let mut bytes = Vec::with_capacity(ids.len() * RECORD);
        for id in ids {
            record(&mut bytes, id, &Use { count: 1, last: at });
        }
        let file = match self.open(&path, Access::Write)? {
            Some((file, length)) if header_fits(&*file, namespace) => {
                let begin = header(namespace).len() as u64;
                let end = begin + length.saturating_sub(begin) / RECORD as u64 * RECORD as u64;
                return file.write_at(&bytes, end).map_err(Error::io("write", &path));
            }
            _ => self.create(&path, namespace)?,
        };
        file.write_at(&bytes, header(namespace).len() as u64).map_err(Error::io("write", &path))
    }

    /// Takes the uses of the episodes that are not to be kept off the disk.
    ///
    /// # Errors
    /// The system's; the earlier file stands then.
    pub(crate) fn retain(
        &self,
        namespace: &Namespace,
        keep: impl Fn(&EpisodeId) -> bool,
    ) -> Result<(), Error> {
        let _turn = self.turn.lock();
        let path = self.path(namespace);
        let Some(bytes) = self.bytes(&path)? else { return Ok(()) };
        let mut uses = parts(&bytes).map(|(_, records)| folded(records)).unwrap_or_default();
        let before = uses.len();
        uses.retain(|id, _| keep(id));
        if uses.is_empty() {
            return absent_is_fine(self.disk.remove(&path)).map_err(Error::io("remove", &path));
        }
        if uses.len() == before { Ok(()) } else { self.replace(&path, namespace, &uses) }
    }

    /// The namespaces of which uses are kept. Files that tell of none are removed: they may hold anything.
    ///
    /// # Errors
    /// The system's.
    pub(crate) fn namespaces(&self) -> Result<Vec<Namespace>, Error> {
        let names = match self.disk.list(&self.directory) {
            Ok(names) => names,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
            Err(error) => return Err(Error::io("list", &self.directory)(error)),
        };
        let mut found = Vec::new();
        for name in names {
            let path = self.directory.join(name);
            let bytes = self.bytes(&path)?.unwrap_or_default();
            match parts(&bytes).and_then(|(name, _)| Namespace::new(name).ok()) {
                Some(namespace) if path == self.path(&namespace) => found.push(namespace),
                _ => absent_is_fine(self.disk.remove(&path)).map_err(Error::io("remove", &path))?,
            }
        }
        Ok(found)
    }

    fn open(&self, path: &Path, access: Access) -> Result<Option<Opened>, Error> {
        let file = match self.disk.open(path, access) {
            Ok(file) => file,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(Error::io("open", path)(error)),
        };
        let length = file.length().map_err(Error::io("read", path))?;
        Ok(Some((file, length)))
    }

    fn bytes(&self, path: &Path) -> Result<Option<Vec<u8>>, Error> {
        let Some((file, length)) = self.open(path, Access::Read)? else { return Ok(None) };
        let mut bytes = vec![0; length as usize];
        file.read_at(&mut bytes, 0).map_err(Error::io("read", path))?;
        Ok(Some(bytes))
    }

    fn create(&self, path: &Path, namespace: &Namespace) -> Result<Arc<dyn DiskFile>, Error> {
        super::make_directory(&*self.disk, &self.directory)?;
        let made = self.disk.create(path).and_then(|file| {
            file.write_at(&header(namespace), 0)?;
            Ok(file)
        });
        made.map_err(Error::io("write", path))
    }

    /// Writes a file anew, and puts it in the place of the other. It is synced, for what is gone is to stay gone.
    fn replace(&self, path: &Path, namespace: &Namespace, uses: &Uses) -> Result<(), Error> {
        let new = path.with_extension("new");
        let file = self.create(&new, namespace)?;
        let mut bytes = Vec::with_capacity(uses.len() * RECORD);
        for (id, known) in uses {
            record(&mut bytes, id, known);
        }
        let written = file.write_at(&bytes, header(namespace).len() as u64).and_then(|()| file.sync_all());
        written.map_err(Error::io("write", &new))?;
        self.disk.rename(&new, path).map_err(Error::io("write", path))?;
        absent_is_fine(self.disk.sync_directory(&self.directory)).map_err(Error::io("sync", &self.directory))
    }
}

/// A file and its length.
type Opened = (Arc<dyn DiskFile>, u64);

fn header(namespace: &Namespace) -> Vec<u8> {
    let name = namespace.as_str().as_bytes();
    let (length, crc) = ((name.len() as u32).to_le_bytes(), crc32fast::hash(name).to_le_bytes());
    [MAGIC.as_slice(), &length, &crc, name].concat()
}

fn header_fits(file: &dyn DiskFile, namespace: &Namespace) -> bool {
    let wanted = header(namespace);
    let mut found = vec![0; wanted.len()];
    file.read_at(&mut found, 0).is_ok() && found == wanted
}

/// The namespace that a file tells of, and its records.
fn parts(bytes: &[u8]) -> Option<(&str, &[u8])> {
    let (first, rest) = bytes.split_at_checked(FIRST)?;
    let number = |at: usize| u32::from_le_bytes([first[at], first[at + 1], first[at + 2], first[at + 3]]);
    let (name, records) = rest.split_at_checked(number(8) as usize)?;
    let sound = first.starts_with(MAGIC) && crc32fast::hash(name) == number(12);
    Some((std::str::from_utf8(name).ok().filter(|_| sound)?, records))
}

fn record(bytes: &mut Vec<u8>, id: &EpisodeId, known: &Use) {
    let from = bytes.len();
    bytes.extend_from_slice(id.as_bytes());
    bytes.extend_from_slice(&known.count.to_le_bytes());
    bytes.extend_from_slice(&known.last.as_millis().to_le_bytes());
    let crc = crc32fast::hash(&bytes[from..]);
    bytes.extend_from_slice(&crc.to_le_bytes());
}

/// The uses of whole records; damaged ones are passed over.
fn folded(records: &[u8]) -> Uses {
    let mut uses = Uses::default();
    for record in records.chunks_exact(RECORD) {
        let (body, crc) = record.split_last_chunk().expect("a record has a checksum");
        let (id, rest) = body.split_first_chunk::<ID_BYTES>().expect("a record has an id");
        let (count, last) = rest.split_first_chunk::<4>().expect("a record has a count");
        let last = last.first_chunk::<8>().map(|last| Timestamp::from_millis(i64::from_le_bytes(*last)));
        let Some(Ok(last)) = last.filter(|_| crc32fast::hash(body) == u32::from_le_bytes(*crc)) else {
            continue;
        };
        let known = uses.entry(EpisodeId::from_bytes(*id)).or_insert(Use { count: 0, last });
        known.count = known.count.saturating_add(u32::from_le_bytes(*count));
        known.last = known.last.max(last);
    }
    uses
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::disk::Os;

    fn at(millis: i64) -> Timestamp {
        Timestamp::from_millis(millis).unwrap()
    }

    fn id(number: u8) -> EpisodeId {
        EpisodeId::from_bytes([number; ID_BYTES])
    }

    #[test]
    fn uses_add_up_by_namespace_and_what_is_not_kept_is_off_the_disk() {
        let directory = tempfile::tempdir().unwrap();
        let files = UseFiles::of_store(directory.path(), Arc::new(Os));
        let [one, other] = ["one", "other"].map(|name| Namespace::new(name).unwrap());
        assert!(files.read(&one).unwrap().is_empty() && files.namespaces().unwrap().is_empty());
        files.note(&one, &[id(1), id(2)], at(9)).unwrap();
        files.note(&one, &[id(1)], at(5)).unwrap();
        files.note(&other, &[id(1)], at(7)).unwrap();
        let uses = files.read(&one).unwrap();
        assert_eq!(
            (uses[&id(1)], uses[&id(2)]),
            (Use { count: 2, last: at(9) }, Use { count: 1, last: at(9) })
        );
        files.retain(&one, |known| *known != id(1)).unwrap();
        assert_eq!(files.read(&one).unwrap().len(), 1);
        assert_eq!(files.read(&other).unwrap()[&id(1)].last, at(7));
        let bytes = std::fs::read(files.path(&one)).unwrap();
        assert!(!bytes.windows(ID_BYTES).any(|piece| piece == id(1).as_bytes()));
        assert_eq!(files.namespaces().unwrap().len(), 2);
    }

    #[test]
    fn damage_and_torn_ends_cost_records_only() {
        let directory = tempfile::tempdir().unwrap();
        let files = UseFiles::of_store(directory.path(), Arc::new(Os));
        let space = Namespace::default();
        files.note(&space, &[id(1), id(2), id(3)], at(1)).unwrap();
        let path = files.path(&space);
        let whole = std::fs::read(&path).unwrap();
        let mut bytes = whole[..whole.len() - 5].to_vec();
        bytes[header(&space).len() + 3] ^= 1;
        std::fs::write(&path, &bytes).unwrap();
        files.note(&space, &[id(4)], at(2)).unwrap();
        let mut known: Vec<EpisodeId> = files.read(&space).unwrap().into_keys().collect();
        known.sort_unstable();
        assert_eq!(known, [id(2), id(4)]);
        std::fs::write(&path, b"LOREUSE1 what is this").unwrap();
        assert!(files.read(&space).unwrap().is_empty());
        assert!(files.namespaces().unwrap().is_empty() && !path.exists());
        files.note(&space, &[id(5)], at(3)).unwrap();
        assert_eq!(files.read(&space).unwrap().len(), 1);
    }

    #[test]
    fn a_file_does_not_grow_for_ever() {
        let directory = tempfile::tempdir().unwrap();
        let files = UseFiles::of_store(directory.path(), Arc::new(Os));
        let space = Namespace::default();
        files.note(&space, &vec![id(1); 3 * SPARE], at(1)).unwrap();
        let long = std::fs::metadata(files.path(&space)).unwrap().len();
        assert_eq!(files.read(&space).unwrap()[&id(1)].count, 3 * SPARE as u32);
        assert!(std::fs::metadata(files.path(&space)).unwrap().len() < long / 100);
        assert_eq!(files.read(&space).unwrap()[&id(1)].count, 3 * SPARE as u32);
    }
}
