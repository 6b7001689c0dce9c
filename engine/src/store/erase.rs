//! What was forgotten and may still stand on disk. A file says so from before the commit that forgets until the journal
//! has been compacted, so that what is broken off in between is finished at the next opening, or told.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use super::disk::{Disk, absent_is_fine};
use super::{Notice, Store, sync_directory};
use crate::error::Error;

/// What the file is called.
const NAME: &str = "forgetting";
/// What it says, to people.
const TEXT: &[u8] =
    b"Something was forgotten and may still stand in the journal. It is taken off the disk at the next opening.\n";

/// The file, and whether it stands.
pub(super) struct Erasure {
    disk: Arc<dyn Disk>,
    directory: PathBuf,
    due: AtomicBool,
}

/// Whether something that was forgotten may still stand on disk in the store in `directory`.
pub(super) fn is_due(directory: &Path) -> bool {
    directory.join(NAME).exists()
}

/// Writes down that something that is forgotten may stand in the store in `directory`. It lasts when this returns.
pub(super) fn write_due(disk: &dyn Disk, directory: &Path) -> Result<(), Error> {
    let path = directory.join(NAME);
    disk.write(&path, TEXT).map_err(Error::io("write", &path))?;
    sync_directory(disk, directory)
}

impl Erasure {
    /// That of the store in `directory`.
    pub(super) fn of_store(disk: &Arc<dyn Disk>, directory: &Path) -> Self {
        let due = AtomicBool::new(is_due(directory));
        Self { disk: Arc::clone(disk), directory: directory.to_path_buf(), due }
    }

    /// To be called before anything is forgotten.
    pub(super) fn begin(&self) -> Result<(), Error> {
        if !self.due.load(Ordering::Acquire) {
            write_due(&*self.disk, &self.directory)?;
            self.due.store(true, Ordering::Release);
        }
        Ok(())
    }

    /// To be called when the journal holds nothing any more that is forgotten.
    fn finish(&self) -> Result<(), Error> {
        if !self.due.load(Ordering::Acquire) {
            return Ok(());
        }
        self.remove_torn()?;
        // Where it stays or comes back, it is looked for what is forgotten once more.
        if absent_is_fine(self.disk.remove(&self.directory.join(NAME))).is_ok() {
            self.due.store(false, Ordering::Release);
        }
        Ok(())
    }

    /// Removes what was cut off the journal's end: nobody was told that it lasts, and it may say what is forgotten.
    fn remove_torn(&self) -> Result<(), Error> {
        let journal = self.directory.join("journal");
        let list = self.disk.list(&journal).map_err(Error::io("list", &journal))?;
        let mut removed = false;
        for name in list.iter().filter(|name| name.to_string_lossy().starts_with("torn-")) {
            let path = journal.join(name);
            self.disk.remove(&path).map_err(Error::io("remove", &path))?;
            removed = true;
        }
        if removed { sync_directory(&*self.disk, &journal) } else { Ok(()) }
    }
}

impl Store {
    /// Whether something that was forgotten may still stand on disk.
    pub(crate) fn erasure_is_due(&self) -> bool {
        self.erasure.due.load(Ordering::Acquire)
    }

    /// Takes note that the journal holds nothing any more that is forgotten, and removes what else may say it. Only to
    /// be called while nothing is committed.
    ///
    /// # Errors
    /// The system's. It is to be tried again then.
    pub(crate) fn erased(&self) -> Result<(), Error> {
        self.erasure.finish()
    }

    /// Tells of something, unless that waits to be told already.
    pub(crate) fn notify(&self, notice: Notice) {
        let mut notices = self.notices.lock();
        if !notices.contains(&notice) {
            notices.push(notice);
        }
    }
}
