//! Vectors of models that take their time, kept so that no text is embedded twice: a file for each model and namespace, to
//! which records are appended as they are made. It is a cache: what is damaged is embedded again. Nothing is synced; what a
//! power cut leaves of a record does not match its checksum.
//!
//! ```text
//! DIR/vectors/MODEL/HASH.vectors    MODEL, HASH: hashes of the model's and the namespace's names, in hexadecimal digits
//!
//! file   = "LOREVEC2" header-length:u32 header-crc:u32 header record*
//! header = rkyv, `HeaderV1`: whose vectors these are
//! record = episode-id unit:f32 number:i8* crc:u32    the vector, turned and in units of its own
//! ```

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use rkyv::{Archive, Deserialize, Serialize};

use super::disk::{Access, Disk, DiskFile, absent_is_fine};
use super::record;
use crate::embed::ModelIdentity;
use crate::error::Error;
use crate::index::rounding::Rounding;
use crate::model::id::{EpisodeId, ID_BYTES, Namespace};

const MAGIC: &[u8; 8] = b"LOREVEC2";
/// What stands before the header.
const FIRST: usize = 16;
/// The longest header; names are shorter by far.
const HEADER_MOST: usize = 64 << 10;
/// About how many bytes are read or written at a time.
const BLOCK: usize = 1 << 20;

#[derive(Archive, Serialize, Deserialize, Debug, Clone, PartialEq, Eq)]
struct HeaderV1 {
    model: String,
    dimensions: u32,
    namespace: String,
}

/// Where vectors lie.
#[derive(Debug)]
pub(crate) struct VectorFiles {
    directory: PathBuf,
    disk: Arc<dyn Disk>,
}

/// A file that is whole as far as its header.
struct Opened {
    file: Arc<dyn DiskFile>,
    header: HeaderV1,
    /// Where the first record begins, and the one after the last whole one would.
    begin: u64,
    end: u64,
}

impl HeaderV1 {
    fn of(model: &ModelIdentity, namespace: &Namespace) -> Self {
        let dimensions = model.dimensions as u32;
        Self { model: model.name.clone(), dimensions, namespace: namespace.as_str().to_owned() }
    }

    /// Bytes of a record.
    fn record(&self) -> usize {
        ID_BYTES + 4 + self.dimensions as usize + 4
    }
}

impl VectorFiles {
    /// The vectors of the store in `directory`.
    pub(crate) fn of_store(directory: &Path, disk: Arc<dyn Disk>) -> Self {
        Self { directory: directory.join("vectors"), disk }
    }

    /// Where the vectors of a model lie.
    fn model(&self, model: &ModelIdentity) -> PathBuf {
        self.directory.join(hash(&format!("{} {}", model.dimensions, model.name)))
    }

    fn path(&self, model: &ModelIdentity, namespace: &Namespace) -> PathBuf {
        self.model(model).join(format!("{}.vectors", hash(namespace.as_str())))
    }

    /// Hands every vector that is kept of a namespace to `each`, a later one of an episode after an earlier. Damaged ones
    /// are passed over.
    ///
    /// # Errors
    /// The system's.
    pub(crate) fn read(
        &self,
        model: &ModelIdentity,
        namespace: &Namespace,
        mut each: impl FnMut(EpisodeId, &[f32]),
    ) -> Result<(), Error> {
        let path = self.path(model, namespace);
        let Some(opened) = self.open(&path, Some(&HeaderV1::of(model, namespace)), Access::Read)? else {
            return Ok(());
        };
        let rounding = Rounding::new(model.dimensions);
        opened
            .records(|id, bytes| {
                let (unit, numbers) =
                    bytes[ID_BYTES..bytes.len() - 4].split_first_chunk().expect("a record has a unit");
                let numbers = numbers.iter().map(|number| number.cast_signed());
                let vector = rounding.vector(f32::from_le_bytes(*unit), numbers);
                if vector.iter().all(|number| number.is_finite()) {
                    each(id, &vector);
                }
                Ok(())
            })
            .map_err(Error::io("read", &path))
    }

    /// Appends vectors.
    ///
    /// # Errors
    /// The system's; a part of them may be kept then.
    pub(crate) fn append(
        &self,
        model: &ModelIdentity,
        namespace: &Namespace,
        vectors: &[(EpisodeId, Vec<f32>)],
    ) -> Result<(), Error> {
        let path = self.path(model, namespace);
        let header = HeaderV1::of(model, namespace);
        let opened = match self.open(&path, Some(&header), Access::Write)? {
            Some(opened) => opened,
            None => self.create(&path, header)?,
        };
        let rounding = Rounding::new(model.dimensions);
        let mut bytes = Vec::with_capacity(vectors.len() * opened.header.record());
        for (id, vector) in vectors {
            let from = bytes.len();
            let (unit, numbers) = rounding.small(vector);
            bytes.extend_from_slice(id.as_bytes());
            bytes.extend_from_slice(&unit.to_le_bytes());
            bytes.extend(numbers.iter().map(|number| number.cast_unsigned()));
            let crc = crc32fast::hash(&bytes[from..]);
            bytes.extend_from_slice(&crc.to_le_bytes());
        }
        opened.file.write_at(&bytes, opened.end).map_err(Error::io("write", &path))
    }

    /// Takes the vectors of the episodes that are not to be kept off the disk, of every model.
    ///
    /// # Errors
    /// The system's; the earlier file stands then.
    pub(crate) fn retain(
        &self,
        namespace: &Namespace,
        mut keep: impl FnMut(&EpisodeId) -> bool,
    ) -> Result<(), Error> {
        for model in self.list(&self.directory)? {
            let path = self.directory.join(model).join(format!("{}.vectors", hash(namespace.as_str())));
            let Some(opened) = self.open(&path, None, Access::Read)? else {
                // Of another form, or damaged: it may hold anything.
                absent_is_fine(self.disk.remove(&path)).map_err(Error::io("remove", &path))?;
                continue;
            };
            let mut goes = false;
            opened
                .records(|id, _| {
                    goes |= !keep(&id);
                    Ok(())
                })
                .map_err(Error::io("read", &path))?;
            if goes {
                self.rewrite(&path, &opened, &mut keep)?;
            }
        }
        Ok(())
    }

    /// The namespaces of which vectors are kept.
    ///
    /// # Errors
    /// The system's.
    pub(crate) fn namespaces(&self) -> Result<Vec<Namespace>, Error> {
        let mut found = Vec::new();
        for model in self.list(&self.directory)? {
            let model = self.directory.join(model);
            for name in self.list(&model)? {
                let opened = self.open(&model.join(name), None, Access::Read)?;
                found.extend(opened.and_then(|opened| Namespace::new(&opened.header.namespace).ok()));
            }
        }
        found.sort_unstable();
        found.dedup();
        Ok(found)
    }

    /// Removes what is kept of all models but one.
    ///
    /// # Errors
    /// The system's.
    pub(crate) fn keep_only(&self, model: &ModelIdentity) -> Result<(), Error> {
        let own = self.model(model);
        for name in self.list(&self.directory)? {
            let directory = self.directory.join(name);
            if directory == own {
                continue;
            }
            for name in self.list(&directory)? {
                let path = directory.join(name);
                self.disk.remove(&path).map_err(Error::io("remove", &path))?;
            }
            // The empty directory may stay: it tells nothing.
            let _ = std::fs::remove_dir(&directory);
        }
        Ok(())
    }

    fn list(&self, directory: &Path) -> Result<Vec<std::ffi::OsString>, Error> {
        match self.disk.list(directory) {
            Ok(names) => Ok(names),
            Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => {
                Ok(Vec::new())
            }
            Err(error) => Err(Error::io("list", directory)(error)),
        }
    }

    /// A file, if it is there and its header is whole and the one that is wanted.
    fn open(&self, path: &Path, wanted: Option<&HeaderV1>, access: Access) -> Result<Option<Opened>, Error> {
        let file = match self.disk.open(path, access) {
            Ok(file) => file,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(Error::io("open", path)(error)),
        };
        let length = file.length().map_err(Error::io("read", path))?;
        let Some((header, begin)) = read_header(&*file, length) else { return Ok(None) };
        if wanted.is_some_and(|wanted| *wanted != header) {
            return Ok(None);
        }
        let record = header.record() as u64;
        let end = begin + (length - begin) / record * record;
        Ok(Some(Opened { file, header, begin, end }))
    }

    fn create(&self, path: &Path, header: HeaderV1) -> Result<Opened, Error> {
        for directory in [&*self.directory, path.parent().unwrap_or(path)] {
            super::make_directory(&*self.disk, directory)?;
        }
        let encoded = record::encode(&header);
        let (length, crc) = (encoded.len() as u32, crc32fast::hash(&encoded));
        let first = [MAGIC.as_slice(), &length.to_le_bytes(), &crc.to_le_bytes(), &encoded].concat();
        let write = || -> io::Result<Arc<dyn DiskFile>> {
            let file = self.disk.create(path)?;
            file.write_at(&first, 0)?;
            Ok(file)
        };
        let file = write().map_err(Error::io("write", path))?;
        let begin = first.len() as u64;
        Ok(Opened { file, header, begin, end: begin })
    }

    /// Writes a file anew with the records that are kept, and puts it in the place of the other. It is synced, for what
    /// is gone is to stay gone.
    fn rewrite(
        &self,
        path: &Path,
        opened: &Opened,
        keep: &mut impl FnMut(&EpisodeId) -> bool,
    ) -> Result<(), Error> {
        let new = path.with_extension("new");
        let fresh = self.create(&new, opened.header.clone())?;
        let mut end = fresh.end;
        let mut block = Vec::with_capacity(BLOCK);
        let mut write = |block: &mut Vec<u8>| -> io::Result<()> {
            fresh.file.write_at(block, end)?;
            end += block.len() as u64;
            block.clear();
            Ok(())
        };
        let copied = opened
            .records(|id, record| {
                if keep(&id) {
                    block.extend_from_slice(record);
                }
                if block.len() >= BLOCK { write(&mut block) } else { Ok(()) }
            })
            .and_then(|()| write(&mut block))
            .and_then(|()| fresh.file.sync_all());
        copied.map_err(Error::io("write", &new))?;
        self.disk.rename(&new, path).map_err(Error::io("write", path))?;
        let directory = path.parent().unwrap_or(path);
        absent_is_fine(self.disk.sync_directory(directory)).map_err(Error::io("sync", directory))
    }
}

impl Opened {
    /// The whole records, one after the other.
    fn records(&self, mut each: impl FnMut(EpisodeId, &[u8]) -> io::Result<()>) -> io::Result<()> {
        let size = self.header.record();
        let most = (BLOCK / size).max(1) * size;
        let mut block = Vec::new();
        let mut at = self.begin;
        while at < self.end {
            block.resize(most.min((self.end - at) as usize), 0);
            self.file.read_at(&mut block, at)?;
            for record in block.chunks_exact(size) {
                let (body, crc) = record.split_last_chunk().expect("a record has a checksum");
                if crc32fast::hash(body) == u32::from_le_bytes(*crc) {
                    let id = *body.first_chunk().expect("a record has an id");
                    each(EpisodeId::from_bytes(id), record)?;
                }
            }
            at += block.len() as u64;
        }
        Ok(())
    }
}

fn hash(name: &str) -> String {
    blake3::hash(name.as_bytes()).to_hex()[..32].to_owned()
}

/// The header, and where the records begin.
fn read_header(file: &dyn DiskFile, length: u64) -> Option<(HeaderV1, u64)> {
    let mut first = [0; FIRST];
    file.read_at(&mut first, 0).ok()?;
    let number = |at: usize| u32::from_le_bytes([first[at], first[at + 1], first[at + 2], first[at + 3]]);
    let header_length = number(8) as usize;
    let begin = (FIRST + header_length) as u64;
    if &first[..8] != MAGIC || header_length > HEADER_MOST || begin > length {
        return None;
    }
    let mut header = vec![0; header_length];
    file.read_at(&mut header, FIRST as u64).ok()?;
    let sound = crc32fast::hash(&header) == number(12);
    sound.then(|| record::decode_as::<HeaderV1>(&header).ok()).flatten().map(|header| (header, begin))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::disk::Os;

    fn model(name: &str) -> ModelIdentity {
        ModelIdentity { name: name.to_owned(), dimensions: 3 }
    }

    fn id(name: &str) -> EpisodeId {
        EpisodeId::of(&[name.as_bytes()])
    }

    fn kept(files: &VectorFiles, model: &ModelIdentity) -> Vec<(EpisodeId, Vec<f32>)> {
        let mut found = Vec::new();
        files.read(model, &Namespace::default(), |id, vector| found.push((id, vector.to_vec()))).unwrap();
        found
    }

    #[test]
    fn vectors_come_back_by_model_and_what_is_damaged_does_not() {
        let directory = tempfile::tempdir().unwrap();
        let files = VectorFiles::of_store(directory.path(), Arc::new(Os));
        let (one, other, namespace) = (model("one"), model("other"), Namespace::default());
        assert_eq!(kept(&files, &one), []);
        let rounding = Rounding::new(3);
        let rounded = |vector: &[f32]| {
            let (unit, numbers) = rounding.small(vector);
            rounding.vector(unit, numbers.into_iter())
        };
        let vectors = ["a", "b", "c"].map(|name| (id(name), rounded(&[0.0, 1.0, -1.0])));
        files.append(&one, &namespace, &vectors[..2]).unwrap();
        files.append(&one, &namespace, &vectors[2..]).unwrap();
        assert_eq!(kept(&files, &one), vectors);
        assert_eq!(kept(&files, &other), []);
        assert_eq!(files.namespaces().unwrap(), std::slice::from_ref(&namespace));
        // A flipped bit costs one; a torn end is written over.
        let path = files.path(&one, &namespace);
        let mut bytes = std::fs::read(&path).unwrap();
        let record = HeaderV1::of(&one, &namespace).record();
        let second = bytes.len() - 2 * record;
        bytes[second + 3] ^= 1;
        bytes.extend([7; 5]);
        std::fs::write(&path, bytes).unwrap();
        assert_eq!(kept(&files, &one), [vectors[0].clone(), vectors[2].clone()]);
        files.append(&one, &namespace, &vectors[1..2]).unwrap();
        assert_eq!(kept(&files, &one), [vectors[0].clone(), vectors[2].clone(), vectors[1].clone()]);
        // A damaged header costs the file.
        std::fs::write(&path, b"LOREVEC2xx").unwrap();
        assert_eq!(kept(&files, &one), []);
        files.append(&one, &namespace, &vectors[..1]).unwrap();
        assert_eq!(kept(&files, &one), vectors[..1]);
    }

    #[test]
    fn what_is_not_to_be_kept_is_gone_from_the_files_of_all_models() {
        let directory = tempfile::tempdir().unwrap();
        let files = VectorFiles::of_store(directory.path(), Arc::new(Os));
        let (one, other, namespace) = (model("one"), model("other"), Namespace::default());
        let vectors = ["a", "b"].map(|name| (id(name), vec![1.0, 0.0, 0.0]));
        for model in [&one, &other] {
            files.append(model, &namespace, &vectors).unwrap();
        }
        files.retain(&namespace, |episode| *episode != id("a")).unwrap();
        for model in [&one, &other] {
            let left: Vec<EpisodeId> = kept(&files, model).into_iter().map(|(id, _)| id).collect();
            assert_eq!(left, [id("b")]);
            let bytes = std::fs::read(files.path(model, &namespace)).unwrap();
            assert!(!bytes.windows(ID_BYTES).any(|window| window == id("a").as_bytes()));
        }
        // What cannot be read goes with it.
        std::fs::write(files.path(&other, &namespace), b"LOREVECT of before").unwrap();
        files.retain(&namespace, |_| true).unwrap();
        assert!(!files.path(&other, &namespace).exists());
        files.append(&other, &namespace, &vectors).unwrap();
        files.keep_only(&one).unwrap();
        assert_eq!((kept(&files, &one).len(), kept(&files, &other).len()), (1, 0));
    }
}
