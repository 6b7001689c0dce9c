//! Files that are read more than once: what can be read only once, such as a pipe, is copied first.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use lorebase::engine::error::IoError;
use lorebase::extract;
use tempfile::NamedTempFile;

/// A file that can be read as often as needed.
pub(crate) struct Source {
    /// As it is told to people.
    pub(super) shown: PathBuf,
    /// Where its bytes lie.
    pub(super) file: PathBuf,
    /// Goes when the value does.
    _copy: Option<NamedTempFile>,
}

impl Source {
    /// What lies at `path`.
    pub(super) fn open(path: &Path) -> anyhow::Result<Self> {
        let file = File::open(path).map_err(named("open", path))?;
        let found = file.metadata().map_err(named("read", path))?;
        if found.is_file() || found.is_dir() {
            return Ok(Self { shown: path.to_path_buf(), file: path.to_path_buf(), _copy: None });
        }
        Self::copy(path, file)
    }

    /// What comes on standard input, under a name.
    pub(super) fn standard_input(shown: &str) -> anyhow::Result<Self> {
        Self::copy(Path::new(shown), io::stdin().lock())
    }

    fn copy(shown: &Path, mut from: impl io::Read) -> anyhow::Result<Self> {
        let mut copied = || -> io::Result<NamedTempFile> {
            let mut copy = NamedTempFile::new()?;
            io::copy(&mut from, &mut copy)?;
            Ok(copy)
        };
        let copy =
            copied().with_context(|| format!("cannot copy {} to a temporary file", shown.display()))?;
        Ok(Self { shown: shown.to_path_buf(), file: copy.path().to_path_buf(), _copy: Some(copy) })
    }
}

/// A failure with a file that the caller named, told as one.
pub(super) fn named<'p>(
    action: &'static str,
    path: &'p Path,
) -> impl FnOnce(io::Error) -> extract::error::Error + 'p {
    move |source| IoError::of(action, path)(source).into()
}
