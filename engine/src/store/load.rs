//! A namespace's commits, read back in order. Frames are decoded some at a time by all processors, while those before
//! are taken in.

use std::sync::mpsc;

use rayon::prelude::*;

use super::Store;
use super::record::{self, CommitRowV2, Record, TextRef};
use super::segments::{Frame, Position, Segments};
use crate::error::Error;
use crate::model::episode::Episode;
use crate::model::extraction::Reading;
use crate::model::id::{EpisodeId, Namespace};
use crate::model::ruling::Ruling;

/// Episodes and readings that are decoded at a time, where their commits are not larger.
const BATCH_ITEMS: u64 = 8192;
/// Bytes of frames that are decoded at a time, where one is not larger.
const BATCH_BYTES: u64 = 64 << 20;
/// Commits that are decoded at a time.
const BATCH_COMMITS: usize = 512;

/// How far a namespace was read: its last commit, how many there are, and the exclusive or of their rows' hashes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Mark {
    pub(crate) sequence: u64,
    pub(crate) commits: u64,
    pub(crate) digest: [u8; 16],
}

/// A commit as it is loaded.
#[derive(Debug)]
pub(crate) struct LoadedCommit {
    /// The commit's number.
    pub(crate) sequence: u64,
    /// With their texts.
    pub(crate) episodes: Vec<Episode>,
    /// Where each text lies.
    pub(crate) texts: Vec<TextRef>,
    pub(crate) readings: Vec<Reading>,
    pub(crate) forgets: Vec<EpisodeId>,
    pub(crate) rulings: Vec<Ruling>,
}

/// What some commits rule and forget.
#[derive(Debug, Default)]
pub(crate) struct Settled {
    /// In their order.
    pub(crate) rulings: Vec<Ruling>,
    /// Episodes and rulings.
    pub(crate) forgets: Vec<EpisodeId>,
}

/// What takes what was committed into a namespace.
pub(crate) trait Taker<E> {
    /// Takes what all commits that are about to come rule and forget, before the first of them: who somebody is must be known
    /// before it is said what he does.
    ///
    /// # Errors
    /// Where the others are not to come.
    fn settled(&mut self, settled: Settled) -> Result<(), E>;

    /// Takes the next commit.
    ///
    /// # Errors
    /// Where no more is to come.
    fn commit(&mut self, commit: LoadedCommit) -> Result<(), E>;
}

/// A function takes commits as they come.
impl<E, F: FnMut(LoadedCommit) -> Result<(), E>> Taker<E> for F {
    fn settled(&mut self, _: Settled) -> Result<(), E> {
        Ok(())
    }

    fn commit(&mut self, commit: LoadedCommit) -> Result<(), E> {
        self(commit)
    }
}

impl Store {
    /// Gives every commit into a namespace, or every one after a mark, in order. Nobody who writes waits meanwhile;
    /// the caller sees to it that the journal is not compacted, and is no thread of rayon's pool, as it waits for that.
    /// Returns how far that went.
    ///
    /// # Errors
    /// What `taker` returns, the system's, [`Error::Damaged`], and [`Error::WorkingStore`] where `after` is not a
    /// mark of this namespace: then nothing was given.
    pub(crate) fn load<E: From<Error>>(
        &self,
        namespace: &Namespace,
        after: Option<&Mark>,
        taker: &mut impl Taker<E>,
    ) -> Result<Mark, E> {
        let Some(found) = self.with_working(|working| working.commits(namespace, after))? else {
            let problem = format!("namespace {namespace} does not go on from where it was read to");
            return Err(Error::WorkingStore { path: self.directory().join("sled"), problem }.into());
        };
        let segments = &self.segments;
        taker.settled(self.settled(namespace, &found.rows)?)?;
        let sizes = sizes(&found.rows, |segment| segments.length(segment).unwrap_or(u64::MAX));
        let batches = batches(&found.rows, &sizes);
        let decode = |batch: &[(u64, CommitRowV2)]| -> Vec<Result<LoadedCommit, Error>> {
            batch.par_iter().map(|(sequence, row)| load_commit(segments, namespace, *sequence, row)).collect()
        };
        if let [batch] = &batches[..] {
            decode(batch).into_iter().try_for_each(|commit| taker.commit(commit?))?;
            return Ok(found.mark);
        }
        std::thread::scope(|scope| {
            let (sender, receiver) = mpsc::sync_channel(1);
            scope.spawn(move || {
                // It ends early where nobody listens any more.
                batches.iter().all(|batch| sender.send(decode(batch)).is_ok())
            });
            receiver.into_iter().flatten().try_for_each(|commit| taker.commit(commit?))
        })?;
        Ok(found.mark)
    }

    /// What commits rule and forget. Those that may are known by their rows, which count nothing that is told.
    fn settled(&self, namespace: &Namespace, rows: &[(u64, CommitRowV2)]) -> Result<Settled, Error> {
        let mut settled = Settled::default();
        for (sequence, row) in rows.iter().filter(|(_, row)| row.episodes == 0 && row.readings == 0) {
            let mut commit = load_commit(&self.segments, namespace, *sequence, row)?;
            settled.rulings.append(&mut commit.rulings);
            settled.forgets.append(&mut commit.forgets);
        }
        Ok(settled)
    }

    /// One commit into a namespace, by its number.
    ///
    /// # Errors
    /// The system's, [`Error::Damaged`], and [`Error::WorkingStore`] where there is none.
    pub(crate) fn one(&self, namespace: &Namespace, sequence: u64) -> Result<LoadedCommit, Error> {
        let row = self.with_working(|working| working.commit(namespace, sequence))?;
        load_commit(&self.segments, namespace, sequence, &row)
    }
}

/// How many bytes each commit's frame has at most: up to the next one that is known, or to the end of its segment.
fn sizes(rows: &[(u64, CommitRowV2)], length: impl Fn(u32) -> u64) -> Vec<u64> {
    let end = |row: &CommitRowV2, next: Option<&(u64, CommitRowV2)>| match next {
        Some((_, next)) if next.segment == row.segment && next.offset > row.offset => next.offset,
        _ => length(row.segment),
    };
    let rows = rows.iter().enumerate().map(|(place, (_, row))| (row, rows.get(place + 1)));
    rows.map(|(row, next)| end(row, next).saturating_sub(row.offset)).collect()
}

/// Cuts rows into batches of bounded size.
fn batches<'r>(rows: &'r [(u64, CommitRowV2)], sizes: &[u64]) -> Vec<&'r [(u64, CommitRowV2)]> {
    let items =
        |row: &CommitRowV2| u64::from(row.episodes) + u64::from(row.readings) + u64::from(row.forgets);
    let (mut batches, mut begin, mut filled, mut bytes) = (Vec::new(), 0, 0, 0_u64);
    for (at, ((_, row), size)) in rows.iter().zip(sizes).enumerate() {
        let large = filled + items(row) > BATCH_ITEMS || bytes.saturating_add(*size) > BATCH_BYTES;
        if at > begin && (large || at - begin == BATCH_COMMITS) {
            batches.push(&rows[begin..at]);
            (begin, filled, bytes) = (at, 0, 0);
        }
        filled += items(row);
        bytes = bytes.saturating_add(*size);
    }
    if begin < rows.len() {
        batches.push(&rows[begin..]);
    }
    batches
}

fn load_commit(
    segments: &Segments,
    namespace: &Namespace,
    sequence: u64,
    row: &CommitRowV2,
) -> Result<LoadedCommit, Error> {
    let at = Position { segment: row.segment, offset: row.offset };
    let frame = segments.frame(at, segments.length(at.segment)?)?;
    let frame = frame.ok_or_else(|| segments.damaged(at, "the journal ends before this commit"))?;
    let commit = decode_commit(&frame).map_err(|problem| segments.damaged(at, problem))?;
    match commit {
        Some((found, commit)) if found == *namespace && commit.sequence == sequence => Ok(commit),
        _ => Err(segments.damaged(at, format!("this is not commit {sequence} into namespace {namespace}"))),
    }
}

/// A frame's commit and its namespace; `None` where the frame stands for lost ones.
pub(super) fn decode_commit(frame: &Frame) -> Result<Option<(Namespace, LoadedCommit)>, String> {
    let commit = match record::decode(frame.form(), frame.meta(), frame.blob())? {
        Record::Lost(_) => return Ok(None),
        Record::Commit(commit) => commit,
    };
    let loaded = LoadedCommit {
        sequence: frame.header.sequence,
        texts: frame.texts(&commit.texts),
        episodes: commit.episodes,
        readings: commit.readings,
        forgets: commit.forgets,
        rulings: commit.rulings,
    };
    Ok(Some((commit.namespace, loaded)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn batches_hold_every_row_once_and_no_more_than_they_may() {
        let row = |episodes| CommitRowV2 { segment: 0, offset: 0, episodes, readings: 0, forgets: 0 };
        for (sizes, expected) in [
            (vec![], 0),
            (vec![1], 1),
            (vec![u32::MAX], 1),
            (vec![8000, 192, 1], 2),
            (vec![u32::MAX, 1, u32::MAX], 3),
            (vec![1; 513], 2),
        ] {
            let rows: Vec<_> = (0..).zip(sizes.iter().map(|size| row(*size))).collect();
            let batches = batches(&rows, &vec![1; rows.len()]);
            assert_eq!(batches.len(), expected, "{sizes:?}");
            assert_eq!(batches.concat(), rows);
        }
    }
}
