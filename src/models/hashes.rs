//! Files of models: hashed, and copied with their hash.

use std::fmt::Write as _;
use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::Path;

use sha2::{Digest, Sha256};

use super::files;
use crate::error::Error;

/// Bytes that are read at a time.
const PIECE: usize = 1 << 16;

/// The SHA-256 of what is in a file, and how long it is.
pub(super) fn sha256(path: &Path) -> Result<(String, u64), Error> {
    let mut file = File::open(path).map_err(files::io("open", path))?;
    pump(&mut file, &mut io::sink()).map_err(files::io("read", path))
}

/// Copies a file and makes the copy last. Returns the SHA-256 of what is in it, and how long it is.
pub(super) fn copy(from: &Path, to: &Path) -> Result<(String, u64), Error> {
    let mut source = File::open(from).map_err(files::io("open", from))?;
    if let Some(directory) = to.parent() {
        fs::create_dir_all(directory).map_err(files::io("make", directory))?;
    }
    let mut copy = File::create(to).map_err(files::io("write", to))?;
    let told = pump(&mut source, &mut copy).map_err(files::io("write", to))?;
    copy.sync_all().map_err(files::io("sync", to))?;
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
