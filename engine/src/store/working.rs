//! The working store: sled rows made from the journal, so that a namespace's commits can be found without walking
//! all of them. It holds neither texts nor names but the namespaces', and may be thrown away at any time. What sled
//! 0.34 lacks is made good here, in `rows.rs` and in `guard.rs`: its left-over snapshots are removed, its panics contained, its
//! flush followed by a real sync, and what it may lose without a word is noticed.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::disk::{Access, Disk};
use super::record::{self, AppliedV1, AppliedV2, CommitRowV2, NamespaceRowV2, Row, Summary};
use super::rows::{self, Rows};
use super::segments::Position;
use super::{Mark, key, sync_directory};
use crate::error::Error;
use crate::model::id::Namespace;

/// The rows and where they lie.
pub(super) struct Working {
    rows: Rows,
    disk: Arc<dyn Disk>,
    path: PathBuf,
}

/// A frame of the journal that is to be applied.
pub(super) struct Application {
    pub(super) sequence: u64,
    pub(super) at: Position,
    /// Where the next frame begins.
    pub(super) next: Position,
    /// What its commit holds; `None` where the frame stands for lost ones.
    pub(super) summary: Option<Summary>,
}

/// A commit that lies somewhere else than it did.
pub(super) struct Moved {
    pub(super) namespace: Namespace,
    pub(super) sequence: u64,
    pub(super) row: CommitRowV2,
}

/// The commits of a namespace: their numbers and rows, in order, and how far they go.
pub(super) struct Commits {
    pub(super) rows: Vec<(u64, CommitRowV2)>,
    pub(super) mark: Mark,
}

impl Working {
    /// Opens the database in `path`, making it where there is none. Nothing in it is trusted yet.
    pub(super) fn open(disk: &Arc<dyn Disk>, path: &Path) -> Result<Self, Error> {
        Ok(Self { rows: Rows::open(path)?, disk: Arc::clone(disk), path: path.to_path_buf() })
    }

    /// One that is empty and stands in memory, in the place of that in `path`.
    pub(super) fn in_memory(disk: &Arc<dyn Disk>, path: &Path) -> Self {
        Self { rows: Rows::in_memory(), disk: Arc::clone(disk), path: path.to_path_buf() }
    }

    /// How far the journal was applied, or `None` in a new database.
    pub(super) fn applied(&self) -> Result<Option<AppliedV2>, Error> {
        self.get(key::APPLIED)
    }

    /// How far the journal was applied, in a database of this format or of format 1.
    pub(super) fn applied_sequence(&self) -> Result<Option<u64>, Error> {
        let row = self.rows.get(key::APPLIED)?;
        let Some(row) = row else { return Ok(None) };
        let sequence = match record::row_version(&row) {
            Some(AppliedV1::VERSION) => record::decode_row::<AppliedV1>(&row).map(|row| row.sequence),
            _ => record::decode_row::<AppliedV2>(&row).map(|row| row.sequence),
        };
        sequence.map(Some).map_err(|problem| self.failed(problem))
    }

    /// Applies frames of a journal of the given generation, as one batch.
    pub(super) fn apply(&self, frames: &[Application], generation: u64) -> Result<(), Error> {
        let Some(last) = frames.last() else { return Ok(()) };
        let mut applied = self.applied()?.unwrap_or_default();
        let mut batch = Batch::default();
        for frame in frames {
            let Some(summary) = &frame.summary else { continue };
            let (tally, new) = self.tally_in(&mut batch, &summary.namespace)?;
            applied.namespaces += u64::from(new);
            let row = CommitRowV2 {
                segment: frame.at.segment,
                offset: frame.at.offset,
                episodes: summary.episodes,
                readings: summary.readings,
                forgets: summary.forgets,
            };
            tally.commits += 1;
            let (key, row) = (key::commit(&summary.namespace, frame.sequence), record::encode_row(&row));
            add_fingerprint(&mut tally.digest, &key, &row);
            batch.inner.push((key, row));
        }
        (applied.sequence, applied.generation) = (last.sequence, generation);
        (applied.segment, applied.offset) = (last.next.segment, last.next.offset);
        self.finish(batch, Some(&applied))
    }

    /// Puts rows in the place of those of the same commits.
    pub(super) fn replace(&self, moved: &[Moved]) -> Result<(), Error> {
        let mut batch = Batch::default();
        for moved in moved {
            let key = key::commit(&moved.namespace, moved.sequence);
            let old = self.rows.get(&key)?;
            let old =
                old.ok_or_else(|| self.failed(format!("it holds no row of commit {}", moved.sequence)))?;
            let (tally, _) = self.tally_in(&mut batch, &moved.namespace)?;
            let row = record::encode_row(&moved.row);
            // Exclusive or is its own inverse.
            add_fingerprint(&mut tally.digest, &key, &old);
            add_fingerprint(&mut tally.digest, &key, &row);
            batch.inner.push((key, row));
        }
        self.finish(batch, None)
    }

    /// Says that the rows are those of a journal of another generation, which ends elsewhere.
    pub(super) fn renew(&self, generation: u64, end: Position) -> Result<(), Error> {
        let applied = self.applied()?.unwrap_or_default();
        let (segment, offset) = (end.segment, end.offset);
        self.finish(Batch::default(), Some(&AppliedV2 { segment, offset, generation, ..applied }))
    }

    fn finish(&self, batch: Batch, applied: Option<&AppliedV2>) -> Result<(), Error> {
        let Batch { mut inner, tallies } = batch;
        for (namespace, tally) in tallies {
            inner.push((key::namespace(&namespace), record::encode_row(&tally)));
        }
        if let Some(applied) = applied {
            inner.push((key::APPLIED.to_vec(), record::encode_row(applied)));
        }
        self.rows.put(inner)
    }

    /// What a namespace's tally comes to with a batch, and whether it is the first time that it is counted at all.
    fn tally_in<'b>(
        &self,
        batch: &'b mut Batch,
        namespace: &Namespace,
    ) -> Result<(&'b mut NamespaceRowV2, bool), Error> {
        let mut new = false;
        if !batch.tallies.contains_key(namespace) {
            let known = self.tally(namespace)?;
            new = known.is_none();
            batch.tallies.insert(namespace.clone(), known.unwrap_or_default());
        }
        Ok((batch.tallies.get_mut(namespace).expect("it was just put there"), new))
    }

    fn tally(&self, namespace: &Namespace) -> Result<Option<NamespaceRowV2>, Error> {
        self.get(&key::namespace(namespace))
    }

    /// The commits of a namespace, or those after a mark; `None` where the rows are sound and the mark is not.
    ///
    /// # Errors
    /// Also where rows are missing or are not those that were put: sled may lose what stands on a damaged page
    /// without a word.
    pub(super) fn commits(
        &self,
        namespace: &Namespace,
        after: Option<&Mark>,
    ) -> Result<Option<Commits>, Error> {
        let mut expected = self.tally(namespace)?.unwrap_or_default();
        loop {
            let found = self.scan_commits(namespace, after.copied().unwrap_or_default())?;
            if (found.mark.commits, found.mark.digest) == (expected.commits, expected.digest) {
                return Ok(Some(found));
            }
            // A commit may have come between.
            let now = self.tally(namespace)?.unwrap_or_default();
            if now != expected {
                expected = now;
            } else if after.is_some() {
                return Ok(self.commits(namespace, None)?.and(None));
            } else {
                let (held, given) = (found.mark.commits, expected.commits);
                return Err(self.failed(format!(
                    "of namespace {namespace} it holds {held} commits and not the {given} that it was given, or others"
                )));
            }
        }
    }

    /// How far a namespace goes. Only to be asked while nothing is written into it.
    pub(super) fn mark(&self, namespace: &Namespace) -> Result<Mark, Error> {
        let tally = self.tally(namespace)?.unwrap_or_default();
        let (from, to) = (key::commit(namespace, 0), key::commit(namespace, u64::MAX));
        let last = self.rows.last(from, to)?;
        let sequence = last.and_then(|(key, _)| key::sequence_in(&key)).unwrap_or(0);
        Ok(Mark { sequence, commits: tally.commits, digest: tally.digest })
    }

    /// The row of one commit.
    pub(super) fn commit(&self, namespace: &Namespace, sequence: u64) -> Result<CommitRowV2, Error> {
        let row = self.get(&key::commit(namespace, sequence))?;
        row.ok_or_else(|| {
            self.failed(format!("it does not hold commit {sequence} into namespace {namespace}"))
        })
    }

    fn scan_commits(&self, namespace: &Namespace, after: Mark) -> Result<Commits, Error> {
        let mut found = Commits { rows: Vec::new(), mark: after };
        let from = key::commit(namespace, after.sequence.saturating_add(1));
        for (key, value) in self.rows.scan(from, key::commit(namespace, u64::MAX))? {
            let sequence =
                key::sequence_in(&key).ok_or_else(|| self.failed("a key is cut short".to_owned()))?;
            let row = record::decode_row(&value).map_err(|problem| self.failed(problem))?;
            add_fingerprint(&mut found.mark.digest, &key, &value);
            (found.mark.commits, found.mark.sequence) = (found.mark.commits + 1, sequence);
            found.rows.push((sequence, row));
        }
        Ok(found)
    }

    /// The namespaces that hold something, in order.
    pub(super) fn namespaces(&self) -> Result<Vec<Namespace>, Error> {
        let expected = self.applied()?.map_or(0, |applied| applied.namespaces);
        let rows = self.rows.keys(key::NAMESPACES)?;
        if (rows.len() as u64) < expected {
            return Err(self.failed(format!("it lists {} of {expected} namespaces", rows.len())));
        }
        rows.iter().map(|key| self.namespace_in(&key[key::NAMESPACES.len()..])).collect()
    }

    fn namespace_in(&self, bytes: &[u8]) -> Result<Namespace, Error> {
        let text =
            std::str::from_utf8(bytes).map_err(|_| self.failed("a namespace is not UTF-8".to_owned()))?;
        Namespace::new(text).map_err(|error| self.failed(error.to_string()))
    }

    /// Makes everything applied so far durable: sled's flush, and the sync of its file that it leaves out.
    pub(super) fn checkpoint(&self) -> Result<(), Error> {
        if !self.rows.flush()? {
            return Ok(());
        }
        let file = self.path.join("db");
        self.disk
            .open(&file, Access::Read)
            .and_then(|file| file.sync_data())
            .map_err(Error::io("sync", &file))?;
        sync_directory(&*self.disk, &self.path)
    }

    fn get<T: Row>(&self, key: &[u8]) -> Result<Option<T>, Error> {
        let value = self.rows.get(key)?;
        value.map(|value| record::decode_row(&value).map_err(|problem| self.failed(problem))).transpose()
    }

    fn failed(&self, problem: String) -> Error {
        Error::WorkingStore { path: self.path.clone(), problem }
    }
}

/// Rows, and what the namespaces' tallies come to with it.
#[derive(Default)]
struct Batch {
    inner: rows::Batch,
    tallies: FxHashMap<Namespace, NamespaceRowV2>,
}

fn add_fingerprint(digest: &mut [u8; 16], key: &[u8], row: &[u8]) {
    let mut hasher = blake3::Hasher::new();
    hasher.update(&(key.len() as u64).to_le_bytes()).update(key).update(row);
    for (sum, byte) in digest.iter_mut().zip(hasher.finalize().as_bytes()) {
        *sum ^= byte;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::disk::Os;

    fn frame(namespace: &str, sequence: u64) -> Application {
        let namespace = Namespace::new(namespace).unwrap();
        let at = |offset| Position { segment: 0, offset };
        Application {
            sequence,
            at: at(sequence * 10),
            next: at(sequence * 10 + 10),
            summary: Some(Summary { namespace, episodes: 1, readings: 0, forgets: 0 }),
        }
    }

    fn working(directory: &Path) -> Working {
        let disk: Arc<dyn Disk> = Arc::new(Os);
        let working = Working::open(&disk, directory).unwrap();
        let lost = Application { summary: None, ..frame("x", 4) };
        working.apply(&[frame("a", 1), frame("b", 2), frame("a", 3), lost], 7).unwrap();
        working.apply(&[frame("a", 5)], 7).unwrap();
        working
    }

    fn db(working: &Working) -> &sled::Db {
        match &working.rows {
            Rows::Sled(db, _) => db,
            Rows::Memory(_) => panic!("it was opened on disk"),
        }
    }

    fn sequences(commits: Option<Commits>) -> Vec<u64> {
        commits.unwrap().rows.into_iter().map(|(sequence, _)| sequence).collect()
    }

    #[test]
    fn commits_are_told_from_the_beginning_and_from_a_mark() {
        let directory = tempfile::tempdir().unwrap();
        let working = working(directory.path());
        let (a, b) = (Namespace::new("a").unwrap(), Namespace::new("b").unwrap());
        assert_eq!(working.namespaces().unwrap(), [a.clone(), b.clone()]);
        let applied = working.applied().unwrap().unwrap();
        assert_eq!((applied.sequence, applied.offset, applied.generation), (5, 60, 7));
        let all = working.commits(&a, None).unwrap().unwrap();
        let mark = all.mark;
        assert_eq!(working.mark(&a).unwrap(), mark);
        assert_eq!(working.mark(&Namespace::default()).unwrap(), Mark::default());
        assert_eq!(sequences(Some(all)), [1, 3, 5]);
        assert_eq!(sequences(working.commits(&a, Some(&mark)).unwrap()), [0; 0]);
        working.apply(&[frame("a", 6)], 7).unwrap();
        assert_eq!(sequences(working.commits(&a, Some(&mark)).unwrap()), [6]);
        assert!(working.commits(&b, Some(&mark)).unwrap().is_none(), "the mark of another namespace");
        assert_eq!(sequences(working.commits(&Namespace::default(), None).unwrap()), [0; 0]);
    }

    #[test]
    fn a_row_that_is_gone_or_another_is_noticed() {
        let directory = tempfile::tempdir().unwrap();
        let working = working(directory.path());
        let a = Namespace::new("a").unwrap();
        let key = key::commit(&a, 3);
        let row = db(&working).remove(&key).unwrap().unwrap();
        assert!(matches!(working.commits(&a, None), Err(Error::WorkingStore { .. })));
        db(&working).insert(&key, &row).unwrap();
        assert!(working.commits(&a, None).is_ok());
        let other = CommitRowV2 { segment: 0, offset: 1, episodes: 1, readings: 0, forgets: 0 };
        db(&working).insert(&key, record::encode_row(&other)).unwrap();
        assert!(matches!(working.commits(&a, None), Err(Error::WorkingStore { .. })));
        db(&working).insert(&key, &row).unwrap();
        working.replace(&[Moved { namespace: a.clone(), sequence: 3, row: other }]).unwrap();
        assert_eq!(working.commits(&a, None).unwrap().unwrap().rows[1], (3, other));
    }

    #[test]
    fn a_namespace_that_is_not_listed_any_more_is_noticed() {
        let directory = tempfile::tempdir().unwrap();
        let working = working(directory.path());
        db(&working).remove(key::namespace(&Namespace::new("a").unwrap())).unwrap();
        assert!(matches!(working.namespaces(), Err(Error::WorkingStore { .. })));
    }
}
