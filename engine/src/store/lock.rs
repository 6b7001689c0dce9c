//! One process owns a store: a file lock that names its holder.

use std::fs::{File, Metadata, OpenOptions, TryLockError};
use std::io::{Read, Seek, Write};
use std::os::unix::fs::MetadataExt;
use std::path::Path;

use crate::error::Error;

/// Who holds a lock that does not tell.
pub(super) const ANOTHER: &str = "another process";

/// The lock, held as long as the value lives. The operating system lets it go when the process ends, however it
/// ends.
#[derive(Debug)]
pub(super) struct StoreLock {
    file: File,
}

impl StoreLock {
    /// Takes the lock of the store in `directory`.
    ///
    /// # Errors
    /// [`Error::Locked`] naming the process that has it.
    pub(super) fn take(directory: &Path) -> Result<Self, Error> {
        let path = directory.join("lock");
        loop {
            let mut options = OpenOptions::new();
            let options = options.create(true).truncate(false).read(true).write(true);
            let mut file = options.open(&path).map_err(|source| refused(directory, &path, source))?;
            match file.try_lock() {
                Ok(()) => {}
                Err(TryLockError::WouldBlock) => {
                    return Err(Error::Locked { path: directory.to_path_buf(), holder: holder(&mut file) });
                }
                Err(TryLockError::Error(source)) => return Err(Error::io("lock", &path)(source)),
            }
            // Whoever removes the file while it is being locked leaves a lock that nobody else would see.
            if stands_at(&file, &path) {
                sign(&mut file).map_err(Error::io("write", &path))?;
                return Ok(Self { file });
            }
        }
    }
}

/// A lock that cannot be opened: of a store, or of a directory in which the caller wants one.
fn refused(directory: &Path, path: &Path, source: std::io::Error) -> Error {
    use std::io::ErrorKind::{PermissionDenied, ReadOnlyFilesystem};
    if !directory.join("FORMAT").exists() {
        return Error::io("open", path)(source).of_named_path();
    }
    match source.kind() {
        PermissionDenied | ReadOnlyFilesystem => Error::LockRefused { path: path.to_path_buf(), source },
        _ => Error::io("open", path)(source),
    }
}

/// Whether `path` names the open file still.
fn stands_at(file: &File, path: &Path) -> bool {
    let same = |one: &Metadata, other: &Metadata| (one.dev(), one.ino()) == (other.dev(), other.ino());
    matches!((file.metadata(), path.metadata()), (Ok(one), Ok(other)) if same(&one, &other))
}

/// Writes down which process holds the lock.
fn sign(file: &mut File) -> std::io::Result<()> {
    file.set_len(0)?;
    file.rewind()?;
    writeln!(file, "{}", std::process::id())
}

/// A process that was just forked off by another thread shares the open file until it runs its own program, and
/// would hold the lock as long if the file were only closed.
impl Drop for StoreLock {
    fn drop(&mut self) {
        // Where that fails, closing the file lets the lock go.
        let _ = self.file.unlock();
    }
}

fn holder(file: &mut File) -> String {
    let mut text = String::new();
    match file.take(32).read_to_string(&mut text) {
        Ok(_) if text.trim().parse::<u32>().is_ok() => format!("process {}", text.trim()),
        _ => ANOTHER.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_second_holder_is_told_who_the_first_is() {
        let directory = tempfile::tempdir().unwrap();
        let first = StoreLock::take(directory.path()).unwrap();
        match StoreLock::take(directory.path()) {
            Err(Error::Locked { holder, .. }) => {
                assert_eq!(holder, format!("process {}", std::process::id()));
            }
            other => panic!("{other:?}"),
        }
        drop(first);
        assert!(StoreLock::take(directory.path()).is_ok());
    }
}
