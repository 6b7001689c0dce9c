//! Files put where they last, and removed.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::Path;

use lorebase_engine::error::IoError;

use crate::error::Error;

/// A closure for `map_err` that names the action and the file.
pub(super) fn io<'p>(action: &'static str, path: &'p Path) -> impl FnOnce(io::Error) -> Error + 'p {
    move |source| Error::Io(IoError::of(action, path)(source))
}

/// Puts a file in the place of another, in one step that lasts.
pub(super) fn replace(path: &Path, bytes: &[u8]) -> Result<(), Error> {
    let directory = path.parent().unwrap_or(Path::new("."));
    let new = path.with_extension("json.new");
    let write = || -> io::Result<()> {
        let mut file = File::create(&new)?;
        file.write_all(bytes)?;
        file.sync_all()?;
        fs::rename(&new, path)
    };
    write().map_err(io("write", path))?;
    sync_directory(directory)
}

/// Makes names of files in a directory last.
pub(super) fn sync_directory(directory: &Path) -> Result<(), Error> {
    // Elsewhere a directory is no file.
    if cfg!(unix) {
        File::open(directory).and_then(|opened| opened.sync_all()).map_err(io("sync", directory))?;
    }
    Ok(())
}

/// Removes a file or a directory with all that is in it, if it is there.
pub(super) fn remove(path: &Path) -> Result<(), Error> {
    let removed = match path.symlink_metadata() {
        Ok(found) if found.is_dir() => fs::remove_dir_all(path),
        Ok(_) => fs::remove_file(path),
        Err(error) => Err(error),
    };
    match removed {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(io("remove", path)(error)),
        _ => Ok(()),
    }
}
