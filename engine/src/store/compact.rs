//! Compaction: segments that hold what was forgotten are written anew without it. A new file stands, whole and
//! synced, before it takes the place of the old one, and every commit keeps its number; so what a crash leaves is a
//! journal, and a working store that is made anew where it was not brought along.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};

use super::disk::DiskFile;
use super::frame::{self, FRAME_HEADER, FrameHeader, KIND_COMMIT, KIND_RULE, SEGMENT_HEADER};
use super::journal::Journal;
use super::journal::rewritten_salt;
use super::record::{self, Commit, CommitRowV2, Record, Summary, TextRef};
use super::segments::{Frame, Position, half};
use super::working::Moved;
use super::{Store, sync_directory};
use crate::error::Error;
use crate::model::id::{EpisodeId, Namespace};
use crate::model::tombstone::Tombstones;

/// Frames that are worked on at a time, and their bytes.
const WORK_FRAMES: usize = 64;
const WORK_BYTES: u64 = 8 << 20;
/// Rows that are replaced as one batch.
const BATCH: usize = 4096;

/// What compacting a store came to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Compaction {
    /// Segments of the journal that were written anew.
    pub segments: usize,
    /// Episodes whose texts are gone from disk now.
    pub episodes: usize,
    /// Bytes that the store's directory has lost.
    pub bytes: u64,
}

/// Where runs of bytes began and where they begin now, in order.
type Runs = Vec<(u64, u64)>;

/// What is forgotten, episodes and rulings, by namespace.
type Forgotten = FxHashMap<Namespace, FxHashSet<EpisodeId>>;

/// A file that was written and is open still, and its length.
type Written = (Arc<dyn DiskFile>, u64);

/// Segments that are written anew and do not stand in their places yet.
#[derive(Default)]
pub(crate) struct Rewritten {
    /// By number.
    segments: BTreeMap<u32, RewrittenSegment>,
    /// What they are without.
    forgotten: Forgotten,
    /// Segments that hold some of that and are not written anew yet.
    due: BTreeSet<u32>,
    /// The file of the one that is appended to, if it is among them, and its length: opening it can fail when it is late to
    /// give up.
    last: Option<Written>,
}

struct RewrittenSegment {
    path: PathBuf,
    /// The salt so far, and from now on.
    salts: (u64, u64),
    runs: Runs,
    rows: Vec<Moved>,
    /// Episodes that it is without, and bytes that it is shorter by.
    less: (usize, u64),
}

/// Where texts lie that lay somewhere else before.
#[derive(Default)]
pub(crate) struct Moves {
    /// The new half salt of a segment, by its number and the old one, and the runs.
    segments: FxHashMap<(u32, u32), (u32, Runs)>,
}

impl Moves {
    /// Corrects the place of a text that is kept.
    pub(crate) fn correct(&self, text: &mut TextRef) {
        let Some((salt, runs)) = self.segments.get(&(text.segment, text.salt)) else { return };
        // A run goes from its beginning to that of the next.
        let after = runs.partition_point(|(before, _)| *before <= text.offset);
        if let Some((before, now)) = after.checked_sub(1).map(|run| runs[run]) {
            text.offset = now + (text.offset - before);
            text.salt = *salt;
        }
    }
}

impl Rewritten {
    /// Whether there was nothing to be done.
    pub(crate) fn is_empty(&self) -> bool {
        self.segments.is_empty()
    }

    fn compaction(&self) -> Compaction {
        let less = self.segments.values().map(|segment| segment.less);
        let (episodes, bytes) = less.fold((0, 0), |sum, less| (sum.0 + less.0, sum.1 + less.1));
        Compaction { segments: self.segments.len(), episodes, bytes }
    }
}

/// What is forgotten and was not before.
fn since(forgotten: &Forgotten, before: &Forgotten) -> Forgotten {
    let none = FxHashSet::default();
    let new = forgotten.iter().map(|(namespace, ids)| {
        let before = before.get(namespace).unwrap_or(&none);
        (namespace.clone(), ids.difference(before).copied().collect())
    });
    new.filter(|(_, ids): &(_, FxHashSet<EpisodeId>)| !ids.is_empty()).collect()
}

impl Store {
    /// Finds the segments that hold episodes that are forgotten, or readings of them, and writes those anew to which nothing
    /// is appended any more. They do not take their places yet. This is most of the work, and what is committed meanwhile
    /// is looked into by [`Store::rewrite`]. Only one at a time may compact.
    ///
    /// # Errors
    /// The system's, and [`Error::Damaged`]; then nothing has changed.
    pub(crate) fn rewrite_closed(&self) -> Result<Rewritten, Error> {
        let last = {
            let mut writer = self.writer.lock();
            if self.erasure_is_due() && !writer.poisoned {
                writer.journal.close_segment()?;
            }
            writer.journal.end().segment
        };
        self.rewrite_before(last, Rewritten::default())
    }

    /// Writes the others anew, and those in which something was forgotten meanwhile. Nothing may be committed until they
    /// take their places, or until the result is dropped.
    ///
    /// # Errors
    /// As [`Store::rewrite_closed`].
    pub(crate) fn rewrite(&self, begun: Rewritten) -> Result<Rewritten, Error> {
        self.rewrite_before(u32::MAX, begun)
    }

    fn rewrite_before(&self, end: u32, mut rewritten: Rewritten) -> Result<Rewritten, Error> {
        let rewrite = |rewritten: &mut Rewritten| -> Result<(), Error> {
            let forgotten = self.forgotten()?;
            // What was forgotten before is not told again, so where it stands is known.
            rewritten.due.extend(self.affected(&since(&forgotten, &rewritten.forgotten))?);
            rewritten.forgotten = forgotten;
            if !rewritten.due.is_empty() {
                self.erasure.begin()?;
            }
            let last = self.writer.lock().journal.end().segment;
            while let Some(number) = rewritten.due.range(..end).next().copied() {
                let (segment, file) = self.rewrite_segment(number, &rewritten.forgotten)?;
                rewritten.segments.insert(number, segment);
                rewritten.due.remove(&number);
                if number == last {
                    rewritten.last = Some(file);
                }
            }
            Ok(())
        };
        match rewrite(&mut rewritten) {
            Ok(()) => Ok(rewritten),
            Err(error) => {
                // What stays in the way is removed at the next opening. What is made just now of other numbers is no business
                // of this.
                let begun = rewritten.segments.keys().chain(rewritten.due.range(..end));
                for number in begun {
                    let _ = self.disk.remove(&self.segments.unfinished(*number));
                }
                Err(error)
            }
        }
    }

    /// Puts segments in the places of those that they were made from. The texts' old places can be read until
    /// [`Store::close_replaced`]. Also tells what moved, which it may have where not all of it did.
    ///
    /// # Errors
    /// The system's; the store then takes no more writes until it is opened again.
    pub(crate) fn put_in_place(&self, mut rewritten: Rewritten) -> (Result<Compaction, Error>, Moves) {
        let mut writer = self.writer.lock();
        if writer.poisoned {
            return (Err(self.poisoned()), Moves::default());
        }
        writer.poisoned = true;
        let compaction = rewritten.compaction();
        let placed = self.rename(&mut rewritten, &mut writer.journal);
        writer.checkpointed = writer.journal.end();
        self.generation.store(writer.journal.generation(), Ordering::Release);
        let journal = &writer.journal;
        // Also where not all stand in their places: what does is read from there.
        let moved = self
            .move_rows(&rewritten, journal.generation(), journal.end())
            .or_else(|failure| self.renew(journal, failure));
        let outcome = placed.and(moved);
        writer.poisoned = outcome.is_err();
        let moves = rewritten.segments.into_iter().map(|(number, segment)| {
            let (before, now) = segment.salts;
            ((number, half(before)), (half(now), segment.runs))
        });
        let moves = Moves { segments: moves.collect() };
        (outcome.map(|()| compaction), moves)
    }

    /// Gives segments their names, in order, and forgets about those that do not have them then. No more is asked of the
    /// system for it than that: where it gives no more files, all that was renamed can still be told where it lies.
    fn rename(&self, rewritten: &mut Rewritten, journal: &mut Journal) -> Result<(), Error> {
        let mut failure = None;
        // The first that does not stand in its place.
        let mut end = u32::MAX;
        for (number, RewrittenSegment { path: from, salts, .. }) in &rewritten.segments {
            let path = self.segments.path(*number);
            let rename = || self.disk.rename(from, &path).map_err(Error::io("write", &path));
            failure = self.segments.replace(*number, rename).err();
            // Whatever was told of a renaming: a segment's salt says which one stands in its place.
            let stands =
                failure.is_none() || self.segments.segment(*number).is_ok_and(|now| now.salt == salts.1);
            if stands {
                journal.replaced(salts.0, salts.1);
            }
            if failure.is_some() {
                end = number + u32::from(stands);
                break;
            }
        }
        drop(rewritten.segments.split_off(&end));
        if rewritten.segments.contains_key(&journal.end().segment)
            && let Some((file, length)) = rewritten.last.take()
        {
            journal.go_on_in(file, length);
        }
        failure.map_or_else(|| sync_directory(&*self.disk, self.segments.directory()), Err)
    }

    /// Closes the files that were compacted: nobody knows of the old places any more.
    pub(crate) fn close_replaced(&self) {
        self.segments.close_replaced();
    }

    fn move_rows(&self, rewritten: &Rewritten, generation: u64, end: Position) -> Result<(), Error> {
        let working = self.working.read();
        for segment in rewritten.segments.values() {
            segment.rows.chunks(BATCH).try_for_each(|rows| working.replace(rows))?;
        }
        // Until this stands, the rows are taken for those of another journal.
        working.renew(generation, end)?;
        // Best effort: what does not last is made from the journal again.
        let _ = working.checkpoint();
        Ok(())
    }

    /// What the journal says is forgotten.
    fn forgotten(&self) -> Result<Forgotten, Error> {
        let mut forgotten = Forgotten::default();
        for namespace in self.namespaces()? {
            let (mut forgets, mut rulings) = (Vec::new(), Vec::new());
            for (_, row) in
                self.commit_rows(&namespace)?.iter().filter(|(_, row)| row.episodes + row.readings == 0)
            {
                let mut commit = self.commit_at(row)?;
                forgets.append(&mut commit.forgets);
                rulings.append(&mut commit.rulings);
            }
            let ids = Tombstones::of(forgets, &rulings).standing();
            if !ids.is_empty() {
                forgotten.insert(namespace, ids);
            }
        }
        Ok(forgotten)
    }

    /// The segments that hold some of what is forgotten, in order.
    fn affected(&self, forgotten: &Forgotten) -> Result<BTreeSet<u32>, Error> {
        let mut affected = BTreeSet::new();
        for (namespace, ids) in forgotten {
            let rows = self.commit_rows(namespace)?;
            for rows in rows.chunk_by(|(_, one), (_, other)| one.segment == other.segment) {
                let segment = rows[0].1.segment;
                let held = |(_, row): &(u64, CommitRowV2)| match self.commit_at(row) {
                    Ok(commit) => holds(&commit, ids).then_some(Ok(segment)),
                    Err(error) => Some(Err(error)),
                };
                if !affected.contains(&segment)
                    && let Some(held) = rows.par_iter().find_map_any(held)
                {
                    affected.insert(held?);
                }
            }
        }
        Ok(affected)
    }

    fn commit_rows(&self, namespace: &Namespace) -> Result<Vec<(u64, CommitRowV2)>, Error> {
        let found = self.with_working(|working| working.commits(namespace, None))?;
        Ok(found.map(|found| found.rows).unwrap_or_default())
    }

    fn commit_at(&self, row: &CommitRowV2) -> Result<Commit, Error> {
        let at = Position { segment: row.segment, offset: row.offset };
        let frame = self.segments.frame(at, self.segments.length(at.segment)?)?;
        let frame = frame.ok_or_else(|| self.segments.damaged(at, "the journal ends before this commit"))?;
        match record::decode(frame.form(), frame.meta(), frame.blob()) {
            Ok(Record::Commit(commit)) => Ok(commit),
            Ok(Record::Lost(_)) => Err(self.segments.damaged(at, "this commit is lost")),
            Err(problem) => Err(self.segments.damaged(at, problem)),
        }
    }

    fn rewrite_segment(
        &self,
        number: u32,
        forgotten: &Forgotten,
    ) -> Result<(RewrittenSegment, Written), Error> {
        let path = self.segments.unfinished(number);
        let salt = rewritten_salt(&path);
        let file = self.disk.create(&path).map_err(Error::io("write", &path))?;
        file.write_at(&frame::segment_header(salt), 0).map_err(Error::io("write", &path))?;
        let before = self.segments.segment(number)?.salt;
        let mut segment = RewrittenSegment {
            path,
            salts: (before, salt),
            runs: Vec::new(),
            rows: Vec::new(),
            less: (0, 0),
        };
        let length = self.segments.length(number)?;
        let (mut at, mut end) = (Position { segment: number, offset: SEGMENT_HEADER }, SEGMENT_HEADER);
        loop {
            let frames = self.some_frames(&mut at, length)?;
            if frames.is_empty() {
                break;
            }
            let prepared = frames.par_iter().map(|frame| {
                prepare(frame, forgotten).map_err(|problem| self.segments.damaged(frame.at, problem))
            });
            for prepared in prepared.collect::<Result<Vec<_>, _>>()? {
                segment.less.0 += prepared.dropped;
                let bytes = frame::encode_frame(salt, &prepared.header, &prepared.meta, &prepared.blob);
                file.write_at(&bytes, end).map_err(Error::io("write", &segment.path))?;
                segment.place(number, prepared, end);
                end += bytes.len() as u64;
            }
        }
        file.sync_all().map_err(Error::io("sync", &segment.path))?;
        segment.less.1 = length.saturating_sub(end);
        Ok((segment, (file, end)))
    }

    /// The next frames, as many as are worked on at a time.
    fn some_frames(&self, at: &mut Position, length: u64) -> Result<Vec<Frame>, Error> {
        let (mut frames, mut bytes) = (Vec::new(), 0);
        while bytes < WORK_BYTES && frames.len() < WORK_FRAMES {
            let Some(frame) = self.segments.frame(*at, length)? else { break };
            bytes += frame.next.offset - at.offset;
            *at = frame.next;
            frames.push(frame);
        }
        Ok(frames)
    }
}

impl RewrittenSegment {
    /// Takes note of where a frame lies.
    fn place(&mut self, number: u32, frame: Prepared, at: u64) {
        for (before, since) in frame.texts {
            let now = at + since;
            let shift = now.wrapping_sub(before);
            if self.runs.last().is_none_or(|(before, now)| now.wrapping_sub(*before) != shift) {
                self.runs.push((before, now));
            }
        }
        let Some(Summary { namespace, episodes, readings, forgets }) = frame.summary else { return };
        let row = CommitRowV2 { segment: number, offset: at, episodes, readings, forgets };
        self.rows.push(Moved { namespace, sequence: frame.header.sequence, row });
    }
}

/// A frame as it is written anew.
struct Prepared {
    header: FrameHeader,
    meta: Vec<u8>,
    blob: Vec<u8>,
    summary: Option<Summary>,
    /// Where texts lie that are kept, and how far they are from the frame's beginning now.
    texts: Runs,
    /// Episodes that are not kept.
    dropped: usize,
}

/// A frame without what is forgotten.
fn prepare(frame: &Frame, forgotten: &Forgotten) -> Result<Prepared, String> {
    let (form, meta, blob) = (frame.form(), frame.meta(), frame.blob());
    let summary = record::summary(form, meta, blob)?;
    if let Some(ids) = summary.as_ref().and_then(|summary| forgotten.get(&summary.namespace))
        && let Record::Commit(commit) = record::decode(form, meta, blob)?
        && holds(&commit, ids)
    {
        return prepare_without(frame, commit, ids);
    }
    let header_end = FRAME_HEADER as u64;
    Ok(Prepared {
        header: frame.header,
        meta: meta.to_vec(),
        blob: blob.to_vec(),
        summary,
        texts: vec![(frame.at.offset + header_end, header_end)],
        dropped: 0,
    })
}

fn prepare_without(frame: &Frame, commit: Commit, ids: &FxHashSet<EpisodeId>) -> Result<Prepared, String> {
    let told = commit.texts.clone();
    let kept: Vec<bool> = commit.episodes.iter().map(|episode| !ids.contains(&episode.id)).collect();
    let rules = !commit.rulings.is_empty();
    let commit = without(commit, ids);
    let (form, meta, blob) = if rules { encode_rulings(&commit) } else { encode(&commit)? };
    let before = frame.at.offset + FRAME_HEADER as u64 + u64::from(frame.header.meta);
    let mut since = (FRAME_HEADER + meta.len()) as u64;
    let mut texts = Vec::new();
    for ((start, bytes), _) in told.iter().zip(&kept).filter(|(_, kept)| **kept) {
        texts.push((before + u64::from(*start), since));
        since += u64::from(*bytes);
    }
    let header = FrameHeader {
        kind: form.0,
        version: form.1,
        meta: meta.len() as u32,
        blob: blob.len() as u32,
        ..frame.header
    };
    let dropped = kept.iter().filter(|kept| !**kept).count();
    let summary = Summary {
        episodes: commit.episodes.len() as u32,
        readings: commit.readings.len() as u32,
        forgets: 0,
        namespace: commit.namespace,
    };
    Ok(Prepared { header, meta, blob, summary: Some(summary), texts, dropped })
}

/// Whether a commit tells of some of the episodes, or has some of the rulings.
fn holds(commit: &Commit, ids: &FxHashSet<EpisodeId>) -> bool {
    commit.episodes.iter().any(|episode| ids.contains(&episode.id))
        || commit.readings.iter().any(|reading| ids.contains(&reading.episode))
        || commit.rulings.iter().any(|ruling| ids.contains(&ruling.id(&commit.namespace)))
}

/// A commit without what it tells of some episodes, and without some rulings.
fn without(mut commit: Commit, ids: &FxHashSet<EpisodeId>) -> Commit {
    commit.episodes.retain(|episode| !ids.contains(&episode.id));
    commit.readings.retain(|reading| !ids.contains(&reading.episode));
    commit.rulings.retain(|ruling| !ids.contains(&ruling.id(&commit.namespace)));
    commit
}

/// The form and the bytes of a record, and the texts.
type Encoded = ((u8, u8), Vec<u8>, Vec<u8>);

fn encode_rulings(commit: &Commit) -> Encoded {
    let meta = record::encode_rulings(&commit.namespace, &commit.rulings);
    ((KIND_RULE, record::OTHER_VERSION), meta, Vec::new())
}

/// A commit as it is written, which is read back before anything is trusted to it.
fn encode(commit: &Commit) -> Result<Encoded, String> {
    let (episodes, readings): (Vec<_>, Vec<_>) =
        (commit.episodes.iter().collect(), commit.readings.iter().collect());
    let (meta, blob) = record::encode_commit(&commit.namespace, &episodes, &readings);
    let form = (KIND_COMMIT, record::COMMIT_VERSION);
    match record::decode(form, &meta, &blob)? {
        Record::Commit(read) if (&read.episodes, &read.readings) == (&commit.episodes, &commit.readings) => {
            Ok((form, meta, blob))
        }
        _ => Err("what is kept of this commit would not be read back as it was".to_owned()),
    }
}
