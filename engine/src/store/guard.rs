//! sled's calls, guarded: its errors become ours, its panics are caught, and what it leaves lying is removed.

use std::cell::Cell;
use std::fs;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::time::Duration;

use super::lock::ANOTHER;
use crate::error::Error;

/// How often, and how long apart, sled's own lock is tried.
const LOCK_ATTEMPTS: usize = 100;
/// How sled says that its lock is held.
const LOCK_REFUSED: &str = "could not acquire lock";
const LOCK_WAIT: Duration = Duration::from_millis(10);

/// Opens the database. The lock of its own that sled takes may be held for a moment by a process that was just
/// forked off and shares sled's file until it runs its own program; ours says that nobody else is at work here.
pub(super) fn open_patiently(config: &sled::Config) -> sled::Result<sled::Db> {
    for _ in 0..LOCK_ATTEMPTS {
        match config.open() {
            Err(sled::Error::Io(error)) if error.to_string().contains(LOCK_REFUSED) => {
                std::thread::sleep(LOCK_WAIT);
            }
            opened => return opened,
        }
    }
    config.open()
}

thread_local! {
    static GUARDED: Cell<bool> = const { Cell::new(false) };
}

/// Whether a panic of this thread, now, would be caught and told as an error: then a panic hook need not tell it.
pub fn panic_is_contained() -> bool {
    GUARDED.get()
}

/// Runs one call into sled: its errors become ours, and so do its panics.
pub(super) fn guarded<T>(path: &Path, call: impl FnOnce() -> sled::Result<T>) -> Result<T, Error> {
    let before = GUARDED.replace(true);
    let outcome = catch_unwind(AssertUnwindSafe(call));
    GUARDED.set(before);
    match outcome {
        Ok(result) => result.map_err(|error| told_by_sled(path, error)),
        Err(_) => Err(Error::WorkingStore { path: path.to_path_buf(), problem: "sled panicked".to_owned() }),
    }
}

/// A sled error as ours. What the system refuses (room, files, rights) and a lock held elsewhere say nothing
/// against the database; anything else does.
fn told_by_sled(path: &Path, error: sled::Error) -> Error {
    let path = path.to_path_buf();
    match error {
        sled::Error::Io(source) if source.to_string().contains(LOCK_REFUSED) => {
            Error::Locked { path, holder: ANOTHER.to_owned() }
        }
        sled::Error::Io(source) if refused_by_system(&source) => Error::io("use", &path)(source),
        other => Error::WorkingStore { path, problem: other.to_string() },
    }
}

/// Whether the system lacks something that it may have another time: room, memory, files, rights.
fn refused_by_system(error: &io::Error) -> bool {
    use io::ErrorKind as Kind;
    /// EMFILE and ENFILE, which have no kind of their own.
    const TOO_MANY_FILES: [i32; 2] = [24, 23];
    let refused = [
        Kind::FileTooLarge,
        Kind::OutOfMemory,
        Kind::PermissionDenied,
        Kind::QuotaExceeded,
        Kind::ReadOnlyFilesystem,
        Kind::StorageFull,
    ];
    refused.contains(&error.kind()) || error.raw_os_error().is_some_and(|code| TOO_MANY_FILES.contains(&code))
}

/// A snapshot that was being written at a crash is read by sled 0.34 as the newest one (its issue 1527).
pub(super) fn remove_half_written_snapshots(path: &Path) -> Result<(), Error> {
    let Ok(list) = fs::read_dir(path) else {
        return Ok(());
    };
    for entry in list.flatten() {
        if entry.file_name().to_string_lossy().ends_with(".generating") {
            fs::remove_file(entry.path()).map_err(Error::io("remove", &entry.path()))?;
        }
    }
    Ok(())
}
