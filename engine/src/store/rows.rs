//! Where the working store's rows stand: in sled, or, where the system refuses what sled needs, in memory until the
//! store is opened again. This is the only file that calls sled's trees.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use parking_lot::RwLock;
use sled::IVec;

use super::guard::{guarded, open_patiently, remove_half_written_snapshots};
use crate::error::Error;

/// What sled may keep in memory, in bytes.
const CACHE_BYTES: u64 = 64 << 20;

/// Rows by key.
pub(super) enum Rows {
    /// In the database in a directory.
    Sled(sled::Db, PathBuf),
    /// In memory.
    Memory(RwLock<BTreeMap<IVec, IVec>>),
}

/// Rows that are put at once, and those of the same keys away with it.
pub(super) type Batch = Vec<(Vec<u8>, Vec<u8>)>;

impl Rows {
    /// Opens the database in `path`, making it where there is none.
    pub(super) fn open(path: &Path) -> Result<Self, Error> {
        remove_half_written_snapshots(path)?;
        let config = sled::Config::new()
            .path(path)
            .mode(sled::Mode::HighThroughput)
            .cache_capacity(CACHE_BYTES)
            .flush_every_ms(None);
        let db = guarded(path, || open_patiently(&config))?;
        Ok(Self::Sled(db, path.to_path_buf()))
    }

    /// No rows, in memory.
    pub(super) fn in_memory() -> Self {
        Self::Memory(RwLock::default())
    }

    pub(super) fn get(&self, key: &[u8]) -> Result<Option<IVec>, Error> {
        match self {
            Self::Sled(db, path) => guarded(path, || db.get(key)),
            Self::Memory(rows) => Ok(rows.read().get(key).cloned()),
        }
    }

    /// Puts rows, all of them or none.
    pub(super) fn put(&self, batch: Batch) -> Result<(), Error> {
        match self {
            Self::Sled(db, path) => {
                let mut inner = sled::Batch::default();
                for (key, row) in batch {
                    inner.insert(key, row);
                }
                guarded(path, || db.apply_batch(inner))
            }
            Self::Memory(rows) => {
                rows.write().extend(batch.into_iter().map(|(key, row)| (key.into(), row.into())));
                Ok(())
            }
        }
    }

    /// All rows from one key to another, in order.
    pub(super) fn scan(&self, from: Vec<u8>, to: Vec<u8>) -> Result<Vec<(IVec, IVec)>, Error> {
        match self {
            Self::Sled(db, path) => guarded(path, || db.range(from..=to).collect()),
            Self::Memory(rows) => {
                let rows = rows.read();
                let found = rows.range(IVec::from(from)..=IVec::from(to));
                Ok(found.map(|(key, row)| (key.clone(), row.clone())).collect())
            }
        }
    }

    /// The last row from one key to another.
    pub(super) fn last(&self, from: Vec<u8>, to: Vec<u8>) -> Result<Option<(IVec, IVec)>, Error> {
        match self {
            Self::Sled(db, path) => guarded(path, || db.range(from..=to).next_back().transpose()),
            Self::Memory(rows) => {
                let rows = rows.read();
                let last = rows.range(IVec::from(from)..=IVec::from(to)).next_back();
                Ok(last.map(|(key, row)| (key.clone(), row.clone())))
            }
        }
    }

    /// The keys that begin with `prefix`, in order.
    pub(super) fn keys(&self, prefix: &[u8]) -> Result<Vec<IVec>, Error> {
        match self {
            Self::Sled(db, path) => guarded(path, || db.scan_prefix(prefix).keys().collect()),
            Self::Memory(rows) => {
                let rows = rows.read();
                let from = rows.range(IVec::from(prefix)..).map(|(key, _)| key);
                Ok(from.take_while(|key| key.starts_with(prefix)).cloned().collect())
            }
        }
    }

    /// Hands everything to the system. Says whether there is a file that is to be synced then.
    pub(super) fn flush(&self) -> Result<bool, Error> {
        match self {
            Self::Sled(db, path) => guarded(path, || db.flush()).map(|_| true),
            Self::Memory(_) => Ok(false),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_in_memory_are_as_those_in_sled() {
        let directory = tempfile::tempdir().unwrap();
        let key = |text: &str| text.as_bytes().to_vec();
        for rows in [Rows::open(directory.path()).unwrap(), Rows::in_memory()] {
            let pairs = [("a1", "x"), ("a2", "y"), ("a3", "z"), ("b", "w"), ("a2", "v")];
            rows.put(pairs.map(|(key, row)| (key.into(), row.into())).to_vec()).unwrap();
            assert_eq!(rows.get(b"a2").unwrap().as_deref(), Some(&b"v"[..]));
            assert_eq!(rows.get(b"a").unwrap(), None);
            let found = rows.scan(key("a2"), key("a9")).unwrap();
            assert_eq!(found, [("a2", "v"), ("a3", "z")].map(|(key, row)| (key.into(), row.into())));
            assert_eq!(rows.last(key("a"), key("a9")).unwrap().unwrap().0, b"a3");
            assert_eq!(rows.last(key("c"), key("d")).unwrap(), None);
            assert_eq!(rows.keys(b"a").unwrap(), ["a1", "a2", "a3"].map(IVec::from));
        }
    }
}
