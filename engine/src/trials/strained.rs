//! The system's disk where files can run out, those that are open are counted, and one can be kept from being written.

use std::ffi::OsString;
use std::io;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use parking_lot::Mutex;

use crate::store::disk::{Access, Disk, DiskFile, Os};

/// The system's code for too many open files.
const EMFILE: i32 = 24;

/// The disk.
#[derive(Debug, Default)]
pub(crate) struct Strained {
    open: Arc<AtomicUsize>,
    /// The most files that were open at once.
    pub(crate) most: AtomicUsize,
    /// Whether no file can be opened any more once a segment of the journal has taken the place of another.
    pub(crate) gives_up: AtomicBool,
    /// Whether that has come.
    pub(crate) exhausted: AtomicBool,
    /// As long as this is held, the first segment of the journal is not written anew.
    pub(crate) gate: Mutex<()>,
    /// Whether somebody has come to that.
    pub(crate) held: AtomicBool,
}

impl Strained {
    fn take(&self) -> io::Result<()> {
        if self.exhausted.load(Ordering::Relaxed) {
            Err(io::Error::from_raw_os_error(EMFILE))
        } else {
            Ok(())
        }
    }

    fn hand_out(&self, file: Arc<dyn DiskFile>) -> Arc<dyn DiskFile> {
        let open = self.open.fetch_add(1, Ordering::Relaxed) + 1;
        self.most.fetch_max(open, Ordering::Relaxed);
        Arc::new(Counted { file, open: Arc::clone(&self.open) })
    }
}

impl Disk for Strained {
    fn create(&self, path: &Path) -> io::Result<Arc<dyn DiskFile>> {
        if path.ends_with("00000000.journal.new") {
            self.held.store(true, Ordering::Relaxed);
            drop(self.gate.lock());
        }
        self.take()?;
        Ok(self.hand_out(Os.create(path)?))
    }

    fn open(&self, path: &Path, access: Access) -> io::Result<Arc<dyn DiskFile>> {
        self.take()?;
        Ok(self.hand_out(Os.open(path, access)?))
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        let replaces = to.exists() && to.extension().is_some_and(|ending| ending == "journal");
        if replaces && self.gives_up.load(Ordering::Relaxed) {
            self.exhausted.store(true, Ordering::Relaxed);
        }
        Os.rename(from, to)
    }

    fn remove(&self, path: &Path) -> io::Result<()> {
        Os.remove(path)
    }

    fn make_directory(&self, path: &Path) -> io::Result<()> {
        Os.make_directory(path)
    }

    fn sync_directory(&self, path: &Path) -> io::Result<()> {
        self.take()?;
        Os.sync_directory(path)
    }

    fn list(&self, path: &Path) -> io::Result<Vec<OsString>> {
        self.take()?;
        Os.list(path)
    }
}

/// A file that is counted as long as it is open.
#[derive(Debug)]
struct Counted {
    file: Arc<dyn DiskFile>,
    open: Arc<AtomicUsize>,
}

impl Drop for Counted {
    fn drop(&mut self) {
        self.open.fetch_sub(1, Ordering::Relaxed);
    }
}

impl DiskFile for Counted {
    fn read_at(&self, bytes: &mut [u8], offset: u64) -> io::Result<()> {
        self.file.read_at(bytes, offset)
    }

    fn write_at(&self, bytes: &[u8], offset: u64) -> io::Result<()> {
        self.file.write_at(bytes, offset)
    }

    fn length(&self) -> io::Result<u64> {
        self.file.length()
    }

    fn truncate(&self, length: u64) -> io::Result<()> {
        self.file.truncate(length)
    }

    fn sync_data(&self) -> io::Result<()> {
        self.file.sync_data()
    }

    fn sync_all(&self) -> io::Result<()> {
        self.file.sync_all()
    }
}
