//! How much room a store takes on disk, by part.

use std::fs;
use std::io;
use std::path::Path;

/// Bytes on disk, as files have them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Usage {
    /// The journal: the truth.
    pub journal: u64,
    /// The working store.
    pub sled: u64,
    /// Namespaces as they were in memory, so that they come back fast.
    pub snapshots: u64,
    /// What was put aside: torn ends, damaged working stores, what a repair could not read.
    pub aside: u64,
}

/// What lies in the store's directory. Files that go away meanwhile count for nothing.
pub(super) fn of(directory: &Path) -> Usage {
    let mut usage = Usage::default();
    let Ok(list) = fs::read_dir(directory) else { return usage };
    for entry in list.flatten() {
        let (name, path) = (entry.file_name(), entry.path());
        match name.to_str() {
            Some("journal") => {
                let torn = |name: &str| name.starts_with("torn-");
                usage.journal += bytes_in(&path, &|name| !torn(name)).unwrap_or(0);
                usage.aside += bytes_in(&path, &torn).unwrap_or(0);
            }
            Some("sled") => usage.sled += bytes_in(&path, &|_| true).unwrap_or(0),
            Some("snapshots") => usage.snapshots += bytes_in(&path, &|_| true).unwrap_or(0),
            Some(name) if name.starts_with("quarantine-") => {
                usage.aside += bytes_in(&path, &|_| true).unwrap_or(0);
            }
            _ => {}
        }
    }
    usage
}

/// Bytes of the files in a directory, and in those in it, whose names `counts` names.
fn bytes_in(directory: &Path, counts: &dyn Fn(&str) -> bool) -> io::Result<u64> {
    let mut bytes = 0;
    for entry in fs::read_dir(directory)? {
        let entry = entry?;
        let Ok(found) = entry.metadata() else { continue };
        if found.is_dir() {
            bytes += bytes_in(&entry.path(), counts).unwrap_or(0);
        } else if counts(&entry.file_name().to_string_lossy()) {
            bytes += found.len();
        }
    }
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_part_is_counted_by_itself() {
        let directory = tempfile::tempdir().unwrap();
        for (path, bytes) in [
            ("journal/00000000.journal", 5),
            ("journal/torn-1", 7),
            ("sled/db", 11),
            ("sled/blobs/1", 13),
            ("snapshots/a.snapshot", 17),
            ("quarantine-2/contents.txt", 19),
            ("letter.txt", 23),
        ] {
            let path = directory.path().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, vec![0; bytes]).unwrap();
        }
        assert_eq!(of(directory.path()), Usage { journal: 5, sled: 24, snapshots: 17, aside: 26 });
        assert_eq!(of(&directory.path().join("no")), Usage::default());
    }
}
