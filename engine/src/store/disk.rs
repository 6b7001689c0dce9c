//! What the store asks of files, so that tests can stand between it and the disk: everything that the store writes
//! goes through here, but for sled's own files and the lock. What was written lasts once its file was synced, and a
//! name that was made, changed or taken away lasts once its directory was.

use std::ffi::OsString;
use std::fmt::Debug;
use std::fs::{self, File, OpenOptions};
use std::io;
use std::os::unix::fs::FileExt;
use std::path::Path;
use std::sync::Arc;

/// What an open file is wanted for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Access {
    /// Reading, and syncing what others wrote.
    Read,
    /// Reading and writing.
    Write,
}

/// Where files lie.
pub(crate) trait Disk: Send + Sync + Debug {
    /// Makes an empty file, or empties the one that is there, and opens it for reading and writing.
    fn create(&self, path: &Path) -> io::Result<Arc<dyn DiskFile>>;

    /// Opens a file that is there.
    fn open(&self, path: &Path, access: Access) -> io::Result<Arc<dyn DiskFile>>;

    /// Gives a file or directory another name, in the place of the file that had it.
    fn rename(&self, from: &Path, to: &Path) -> io::Result<()>;

    /// Removes a file.
    fn remove(&self, path: &Path) -> io::Result<()>;

    /// Makes a directory in one that is there.
    fn make_directory(&self, path: &Path) -> io::Result<()>;

    /// Makes the names in a directory last.
    fn sync_directory(&self, path: &Path) -> io::Result<()>;

    /// The names in a directory, in no order.
    fn list(&self, path: &Path) -> io::Result<Vec<OsString>> {
        fs::read_dir(path)?.map(|entry| Ok(entry?.file_name())).collect()
    }

    /// Writes a whole small file, in the place of what it held, and syncs it. Its name lasts once the directory is
    /// synced.
    fn write(&self, path: &Path, bytes: &[u8]) -> io::Result<()> {
        let file = self.create(path)?;
        file.write_at(bytes, 0)?;
        file.sync_all()
    }
}

/// An open file. It has no position of its own: whoever writes says where, so that what an earlier, failed write
/// left is written over and not appended to.
pub(crate) trait DiskFile: Send + Sync + Debug {
    /// Fills `bytes` from `offset` on; an error where the file ends before.
    fn read_at(&self, bytes: &mut [u8], offset: u64) -> io::Result<()>;

    /// Writes all of `bytes` from `offset` on. After an error any part of them may be written.
    fn write_at(&self, bytes: &[u8], offset: u64) -> io::Result<()>;

    /// The file's length.
    fn length(&self) -> io::Result<u64>;

    /// Cuts the file, or lengthens it with zeros.
    fn truncate(&self, length: u64) -> io::Result<()>;

    /// Makes the bytes and the length last. After an error nobody knows which of the bytes written before will, and
    /// a later success says nothing of them: the system tells of such a loss once, and keeps no note of it. Only
    /// what is written anew and synced then is sure.
    fn sync_data(&self) -> io::Result<()>;

    /// As [`DiskFile::sync_data`], and all else that the system keeps about the file. For what was cut.
    fn sync_all(&self) -> io::Result<()>;
}

/// What is not there need not be removed or synced.
pub(super) fn absent_is_fine(done: io::Result<()>) -> io::Result<()> {
    match done {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        other => other,
    }
}

/// The operating system's disk.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Os;

impl Disk for Os {
    fn create(&self, path: &Path) -> io::Result<Arc<dyn DiskFile>> {
        let mut options = OpenOptions::new();
        Ok(Arc::new(options.read(true).write(true).create(true).truncate(true).open(path)?))
    }

    fn open(&self, path: &Path, access: Access) -> io::Result<Arc<dyn DiskFile>> {
        Ok(Arc::new(OpenOptions::new().read(true).write(access == Access::Write).open(path)?))
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        fs::rename(from, to)
    }

    fn remove(&self, path: &Path) -> io::Result<()> {
        fs::remove_file(path)
    }

    fn make_directory(&self, path: &Path) -> io::Result<()> {
        fs::create_dir(path)
    }

    fn sync_directory(&self, path: &Path) -> io::Result<()> {
        File::open(path)?.sync_all()
    }
}

impl DiskFile for File {
    fn read_at(&self, bytes: &mut [u8], offset: u64) -> io::Result<()> {
        self.read_exact_at(bytes, offset)
    }

    fn write_at(&self, bytes: &[u8], offset: u64) -> io::Result<()> {
        self.write_all_at(bytes, offset)
    }

    fn length(&self) -> io::Result<u64> {
        Ok(self.metadata()?.len())
    }

    fn truncate(&self, length: u64) -> io::Result<()> {
        self.set_len(length)
    }

    fn sync_data(&self) -> io::Result<()> {
        File::sync_data(self)
    }

    fn sync_all(&self) -> io::Result<()> {
        File::sync_all(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn disk() -> Arc<dyn Disk> {
        Arc::new(Os)
    }

    #[test]
    fn a_file_is_written_where_it_is_told_and_read_back() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("file");
        let file = disk().create(&path).unwrap();
        file.write_at(b"one two", 0).unwrap();
        file.write_at(b"TWO three", 4).unwrap();
        file.sync_data().unwrap();
        assert_eq!((fs::read(&path).unwrap(), file.length().unwrap()), (b"one TWO three".to_vec(), 13));
        file.truncate(3).unwrap();
        file.sync_all().unwrap();
        let again = disk().open(&path, Access::Write).unwrap();
        again.write_at(b"!", 3).unwrap();
        let mut bytes = [0; 4];
        file.read_at(&mut bytes, 0).unwrap();
        assert_eq!(&bytes, b"one!");
        assert_eq!(file.read_at(&mut bytes, 1).unwrap_err().kind(), io::ErrorKind::UnexpectedEof);
    }

    #[test]
    fn a_file_opened_for_reading_takes_no_writes_but_is_synced() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("file");
        assert_eq!(disk().open(&path, Access::Read).unwrap_err().kind(), io::ErrorKind::NotFound);
        disk().write(&path, b"some").unwrap();
        let file = disk().open(&path, Access::Read).unwrap();
        assert!(file.write_at(b"more", 4).is_err());
        file.sync_data().unwrap();
        assert_eq!(file.length().unwrap(), 4);
    }

    #[test]
    fn a_small_file_takes_the_place_of_a_longer_one() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("file");
        disk().write(&path, b"long ago").unwrap();
        disk().write(&path, b"now").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"now");
    }

    #[test]
    fn names_are_made_changed_listed_and_removed() {
        let directory = tempfile::tempdir().unwrap();
        let inner = directory.path().join("inner");
        disk().make_directory(&inner).unwrap();
        assert_eq!(disk().make_directory(&inner).unwrap_err().kind(), io::ErrorKind::AlreadyExists);
        for name in ["a", "b", "c"] {
            disk().write(&inner.join(name), name.as_bytes()).unwrap();
        }
        disk().rename(&inner.join("a"), &inner.join("b")).unwrap();
        disk().remove(&inner.join("c")).unwrap();
        disk().sync_directory(&inner).unwrap();
        assert_eq!(disk().list(&inner).unwrap(), ["b"]);
        assert_eq!(fs::read(inner.join("b")).unwrap(), b"a");
        disk().rename(&inner, &directory.path().join("outer")).unwrap();
        assert_eq!(disk().list(directory.path()).unwrap(), ["outer"]);
        assert_eq!(disk().list(&inner).unwrap_err().kind(), io::ErrorKind::NotFound);
    }
}
