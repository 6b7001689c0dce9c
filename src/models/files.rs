//! What is done with files of models: hashed, copied, and put where they last.

use std::fmt::Write as _;
use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::Path;

use lorebase_engine::error::IoError;
use sha2::{Digest, Sha256};

use crate::error::Error;

/// Bytes that are read at a time.
const PIECE: usize = 1 << 16;

/// A closure for `map_err` that names the action and the file.
pub(super) fn io<'p>(action: &'static str, path: &'p Path) -> impl FnOnce(io::Error) -> Error + 'p {
    move |source| Error::Io(IoError::of(action, path)(source))
}

/// The SHA-256 of what is in a file, and how long it is.
pub(super) fn sha256(path: &Path) -> Result<(String, u64), Error> {
    let mut file = File::open(path).map_err(io("open", path))?;
    pump(&mut file, &mut io::sink()).map_err(io("read", path))
}

/// Copies a file and makes the copy last. Returns the SHA-256 of what is in it, and how long it is.
pub(super) fn copy(from: &Path, to: &Path) -> Result<(String, u64), Error> {
    let mut source = File::open(from).map_err(io("open", from))?;
    if let Some(directory) = to.parent() {
        fs::create_dir_all(directory).map_err(io("make", directory))?;
    }
    let mut copy = File::create(to).map_err(io("write", to))?;
    let told = pump(&mut source, &mut copy).map_err(io("write", to))?;
    copy.sync_all().map_err(io("sync", to))?;
    Ok(told)
}

fn pump(from: &mut impl Read, to: &mut impl Write) -> io::Result<(String, u64)> {
    let (mut hasher, mut piece, mut bytes) = (Sha256::new(), vec![0; PIECE], 0);
    loop {
        match from.read(&mut piece) {
            Ok(0) => return Ok((hex(&hasher.finalize()), bytes)),
            Ok(read) => {
                hasher.update(&piece[..read]);
                to.write_all(&piece[..read])?;
                bytes += read as u64;
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
}

/// The SHA-256 of bytes.
pub(super) fn sha256_of(bytes: &[u8]) -> String {
    hex(&Sha256::digest(bytes))
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut hex, byte| {
        write!(hex, "{byte:02x}").expect("writing to a string cannot fail");
        hex
    })
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
