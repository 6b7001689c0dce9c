//! The working store: sled trees made from the journal, so that a namespace can be found and read without
//! walking every commit. It may be thrown away at any time. What sled 0.34 lacks is made good here: its
//! left-over snapshots are removed, its panics contained, its flush followed by a real sync.

use std::cell::Cell;
use std::fs::{self, File};
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::time::Duration;

use rustc_hash::FxHashMap;

use super::journal::{Appended, Frame, Position};
use super::lock::ANOTHER;
use super::record::{
    self, AppliedV1, CommitV1, EpisodeRowV1, EpisodeV1, MentionV1, PartRowV1, ReadingV1, TallyV1, TextRef,
    TripleV1,
};
use super::{key, sync_directory};
use crate::error::Error;
use crate::model::episode::ExtractionStatus;
use crate::model::id::{EpisodeId, Namespace};

/// Values over 8 KB go to files of their own in sled 0.34, which leak and are never synced.
const ROW_BYTES: usize = 7000;
/// What sled may keep in memory, in bytes.
const CACHE_BYTES: u64 = 256 << 20;
/// How often, and how long apart, sled's own lock is tried.
const LOCK_ATTEMPTS: usize = 100;
/// How sled says that its lock is held.
const LOCK_REFUSED: &str = "could not acquire lock";
const LOCK_WAIT: Duration = Duration::from_millis(10);

/// The sled database and where it lies.
pub(super) struct Working {
    db: sled::Db,
    path: PathBuf,
}

/// An episode as the working store holds it.
pub(super) struct StoredEpisode {
    pub(super) episode: EpisodeV1,
    pub(super) text: TextRef,
    pub(super) reading: Option<ReadingV1>,
}

/// How far an episode has come.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Known {
    /// It is not stored.
    Unknown,
    /// It is stored, and was not, or not successfully, read.
    Stored,
    /// It was read with success.
    Read {
        /// By which extractor.
        extractor: String,
    },
}

/// The part of one commit that is new to the store, with where its texts lie.
pub(super) struct Application<'c> {
    pub(super) namespace: &'c Namespace,
    pub(super) episodes: &'c [EpisodeV1],
    pub(super) texts: &'c [TextRef],
    pub(super) readings: &'c [ReadingV1],
}

impl Working {
    /// Opens the database in `path`, making it where there is none. Nothing in it is trusted yet.
    pub(super) fn open(path: &Path) -> Result<Self, Error> {
        remove_half_written_snapshots(path)?;
        let config = sled::Config::new()
            .path(path)
            .mode(sled::Mode::HighThroughput)
            .cache_capacity(CACHE_BYTES)
            .flush_every_ms(None);
        let db = guarded(path, || open_patiently(&config))?;
        Ok(Self { db, path: path.to_path_buf() })
    }

    /// How far the journal was applied, or `None` in a new database.
    pub(super) fn applied(&self) -> Result<Option<AppliedV1>, Error> {
        self.get(key::APPLIED)
    }

    /// Applies one commit as one batch.
    pub(super) fn apply(&self, commit: &Application<'_>, sequence: u64, next: Position) -> Result<(), Error> {
        let namespace_key = key::namespace(commit.namespace);
        let known: Option<TallyV1> = self.get(&namespace_key)?;
        let mut batch = Batch { inner: sled::Batch::default(), tally: known.unwrap_or_default() };
        let mut readings: FxHashMap<_, _> =
            commit.readings.iter().map(|reading| (reading.episode, reading)).collect();
        for (episode, text) in commit.episodes.iter().zip(commit.texts) {
            let reading = readings.remove(&episode.id).cloned();
            let stored = StoredEpisode { episode: episode.clone(), text: *text, reading };
            self.put(&mut batch, commit.namespace, stored)?;
        }
        // In the order of the commit, so that the batch does not depend on a hash.
        for reading in commit.readings.iter().filter(|reading| readings.contains_key(&reading.episode)) {
            let id = EpisodeId::from_bytes(reading.episode);
            let row: Option<EpisodeRowV1> = self.get(&key::episode(commit.namespace, &id))?;
            let row =
                row.ok_or_else(|| self.failed(format!("it holds no episode {id}, of which a commit tells")))?;
            let reading = Some(reading.clone());
            self.put(
                &mut batch,
                commit.namespace,
                StoredEpisode { episode: row.episode, text: row.text, reading },
            )?;
        }
        let before = self.applied()?.map_or(0, |applied| applied.namespaces);
        let namespaces = before + u64::from(known.is_none());
        let applied = AppliedV1 { sequence, segment: next.segment, offset: next.offset, namespaces };
        batch.inner.insert(namespace_key, record::encode_row(&batch.tally));
        batch.inner.insert(key::APPLIED, record::encode_row(&applied));
        guarded(&self.path, || self.db.apply_batch(batch.inner))
    }

    /// Puts an episode's row and the further parts of its reading into the batch, in the place of what was there.
    fn put(&self, batch: &mut Batch, namespace: &Namespace, stored: StoredEpisode) -> Result<(), Error> {
        let id = EpisodeId::from_bytes(stored.episode.id);
        let episode_key = key::episode(namespace, &id);
        if let Some(old) = guarded(&self.path, || self.db.get(&episode_key))? {
            batch.take_out(&episode_key, &old);
            for (part_key, part) in self.scan(&key::parts_of(namespace, &id))? {
                batch.take_out(&part_key, &part);
                batch.inner.remove(part_key);
            }
            batch.tally.episodes -= 1;
        }
        let (first, parts) = split(stored.reading);
        let row = EpisodeRowV1 { episode: stored.episode, text: stored.text, reading: first };
        batch.put_in(episode_key, record::encode_row(&row));
        for (number, part) in (1..).zip(parts) {
            batch.put_in(key::part(namespace, &id, number), record::encode_row(&part));
        }
        batch.tally.episodes += 1;
        Ok(())
    }

    /// How far the episode has come. Only to be asked of a namespace that was loaded or checked before.
    pub(super) fn known(&self, namespace: &Namespace, id: &EpisodeId) -> Result<Known, Error> {
        let row: Option<EpisodeRowV1> = self.get(&key::episode(namespace, id))?;
        let Some(row) = row else { return Ok(Known::Unknown) };
        let read = row.reading.filter(|reading| reading.status == ExtractionStatus::Done as u8);
        Ok(read.map_or(Known::Stored, |reading| Known::Read { extractor: reading.extractor }))
    }

    /// All episodes of a namespace, in the order in which they were committed.
    ///
    /// # Errors
    /// Also where rows are missing or are not those that were put: sled may lose what stands on a damaged page
    /// without a word.
    pub(super) fn load(&self, namespace: &Namespace) -> Result<Vec<StoredEpisode>, Error> {
        let prefix = key::episodes(namespace);
        let mut tally = TallyV1::default();
        let mut found = Vec::new();
        for (key, value) in self.scan(&prefix)? {
            add_fingerprint(&mut tally.digest, &key, &value);
            let row: EpisodeRowV1 = record::decode_row(&value).map_err(|problem| self.failed(problem))?;
            let id = key::episode_in(&key, &prefix).filter(|id| *id.as_bytes() == row.episode.id);
            let id = id.ok_or_else(|| self.failed("an episode stands under another one's key".to_owned()))?;
            let reading =
                row.reading.map(|first| self.rejoin(namespace, &id, first, &mut tally)).transpose()?;
            tally.episodes += 1;
            found.push(StoredEpisode { episode: row.episode, text: row.text, reading });
        }
        let expected: TallyV1 = self.get(&key::namespace(namespace))?.unwrap_or_default();
        if tally != expected {
            return Err(self.failed(format!(
                "of namespace {namespace} it holds {} episodes and not the {} that it was given, or others",
                tally.episodes, expected.episodes
            )));
        }
        found.sort_by_key(|stored| stored.text);
        Ok(found)
    }

    fn rejoin(
        &self,
        namespace: &Namespace,
        id: &EpisodeId,
        mut reading: ReadingV1,
        tally: &mut TallyV1,
    ) -> Result<ReadingV1, Error> {
        // A reading that was cut leaves its first part empty; a look-up for every episode would be felt.
        if !reading.mentions.is_empty() || !reading.triples.is_empty() {
            return Ok(reading);
        }
        for (key, value) in self.scan(&key::parts_of(namespace, id))? {
            add_fingerprint(&mut tally.digest, &key, &value);
            let part: PartRowV1 = record::decode_row(&value).map_err(|problem| self.failed(problem))?;
            reading.mentions.extend(part.mentions);
            reading.triples.extend(part.triples);
        }
        Ok(reading)
    }

    /// The namespaces that hold something, in order.
    pub(super) fn namespaces(&self) -> Result<Vec<Namespace>, Error> {
        let rows = self.scan(key::NAMESPACES)?;
        let expected = self.applied()?.map_or(0, |applied| applied.namespaces);
        if rows.len() as u64 != expected {
            return Err(self.failed(format!("it lists {} of {expected} namespaces", rows.len())));
        }
        rows.iter().map(|(key, _)| self.namespace_in(&key[key::NAMESPACES.len()..])).collect()
    }

    fn namespace_in(&self, bytes: &[u8]) -> Result<Namespace, Error> {
        let text =
            std::str::from_utf8(bytes).map_err(|_| self.failed("a namespace is not UTF-8".to_owned()))?;
        Namespace::new(text)
    }

    /// Makes everything applied so far durable: sled's flush, and the sync of its file that it leaves out.
    pub(super) fn checkpoint(&self) -> Result<(), Error> {
        guarded(&self.path, || self.db.flush())?;
        let file = self.path.join("db");
        File::open(&file).and_then(|file| file.sync_data()).map_err(Error::io("sync", &file))?;
        sync_directory(&self.path)
    }

    /// All rows whose keys begin with `prefix`, in order.
    fn scan(&self, prefix: &[u8]) -> Result<Vec<(sled::IVec, sled::IVec)>, Error> {
        guarded(&self.path, || self.db.scan_prefix(prefix).collect())
    }

    fn get<T>(&self, key: &[u8]) -> Result<Option<T>, Error>
    where
        T: record::Stored,
    {
        let value = guarded(&self.path, || self.db.get(key))?;
        value.map(|value| record::decode_row(&value).map_err(|problem| self.failed(problem))).transpose()
    }

    fn failed(&self, problem: String) -> Error {
        Error::WorkingStore { path: self.path.clone(), problem }
    }
}

/// A commit's record and texts, read back from its frame.
pub(super) fn decode_commit(frame: &Frame) -> Result<(CommitV1, Vec<TextRef>), String> {
    if (frame.header.kind, frame.header.version) != (super::frame::KIND_COMMIT, 1) {
        return Err(format!(
            "unknown record of kind {} and version {}",
            frame.header.kind, frame.header.version
        ));
    }
    let commit: CommitV1 = record::decode(frame.meta())?;
    let place = Appended {
        sequence: frame.header.sequence,
        segment: frame.at.segment,
        blob_offset: frame.blob_offset(),
        next: frame.next,
    };
    let texts = text_refs(&commit.episodes, frame.blob(), &place)?;
    Ok((commit, texts))
}

/// Where the texts of a commit lie, given where its blob does.
pub(super) fn text_refs(
    episodes: &[EpisodeV1],
    blob: &[u8],
    place: &Appended,
) -> Result<Vec<TextRef>, String> {
    let text_ref = |episode: &EpisodeV1| {
        let (start, bytes) = episode.text;
        let text = blob
            .get(start as usize..start as usize + bytes as usize)
            .ok_or("a text reaches past its commit")?;
        let offset = place.blob_offset + u64::from(start);
        Ok(TextRef { segment: place.segment, offset, bytes, crc: crc32fast::hash(text) })
    };
    episodes.iter().map(text_ref).collect()
}

/// A sled batch, and what the namespace's tally comes to with it.
struct Batch {
    inner: sled::Batch,
    tally: TallyV1,
}

impl Batch {
    fn put_in(&mut self, key: Vec<u8>, row: Vec<u8>) {
        add_fingerprint(&mut self.tally.digest, &key, &row);
        self.inner.insert(key, row);
    }

    /// Takes a row's fingerprint out of the tally.
    fn take_out(&mut self, key: &[u8], row: &[u8]) {
        // Exclusive or is its own inverse.
        add_fingerprint(&mut self.tally.digest, key, row);
    }
}

fn add_fingerprint(digest: &mut [u8; 16], key: &[u8], row: &[u8]) {
    let mut hasher = blake3::Hasher::new();
    hasher.update(&(key.len() as u64).to_le_bytes()).update(key).update(row);
    for (sum, byte) in digest.iter_mut().zip(hasher.finalize().as_bytes()) {
        *sum ^= byte;
    }
}

/// Cuts a reading into a first part, which stands in the episode's row, and further ones.
fn split(reading: Option<ReadingV1>) -> (Option<ReadingV1>, Vec<PartRowV1>) {
    let Some(mut reading) = reading else {
        return (None, Vec::new());
    };
    if reading_bytes(&reading) <= ROW_BYTES - 3 * crate::change::NAME_MAX_BYTES {
        return (Some(reading), Vec::new());
    }
    let mut parts: Vec<PartRowV1> = Vec::new();
    let mut room = 0;
    let (mentions, triples) = (std::mem::take(&mut reading.mentions), std::mem::take(&mut reading.triples));
    for mention in mentions {
        open_part(&mut parts, &mut room, mention_bytes(&mention)).mentions.push(mention);
    }
    for triple in triples {
        open_part(&mut parts, &mut room, triple_bytes(&triple)).triples.push(triple);
    }
    (Some(reading), parts)
}

fn open_part<'p>(parts: &'p mut Vec<PartRowV1>, room: &mut usize, bytes: usize) -> &'p mut PartRowV1 {
    if parts.is_empty() || *room < bytes {
        parts.push(PartRowV1 { mentions: Vec::new(), triples: Vec::new() });
        *room = ROW_BYTES;
    }
    *room = room.saturating_sub(bytes);
    parts.last_mut().expect("a part was just pushed where there was none")
}

fn reading_bytes(reading: &ReadingV1) -> usize {
    reading.mentions.iter().map(mention_bytes).sum::<usize>()
        + reading.triples.iter().map(triple_bytes).sum::<usize>()
}

fn mention_bytes(mention: &MentionV1) -> usize {
    mention.name.len() + 24
}

fn triple_bytes(triple: &TripleV1) -> usize {
    triple.subject.len() + triple.predicate.len() + triple.object.len() + 96
}

/// Opens the database. The lock of its own that sled takes may be held for a moment by a process that was just
/// forked off and shares sled's file until it runs its own program; ours says that nobody else is at work here.
fn open_patiently(config: &sled::Config) -> sled::Result<sled::Db> {
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
fn guarded<T>(path: &Path, call: impl FnOnce() -> sled::Result<T>) -> Result<T, Error> {
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
    use io::ErrorKind::{OutOfMemory, PermissionDenied, QuotaExceeded, ReadOnlyFilesystem, StorageFull};
    /// EMFILE and ENFILE, which have no kind of their own.
    const TOO_MANY_FILES: [i32; 2] = [24, 23];
    matches!(error.kind(), OutOfMemory | PermissionDenied | QuotaExceeded | ReadOnlyFilesystem | StorageFull)
        || error.raw_os_error().is_some_and(|code| TOO_MANY_FILES.contains(&code))
}

/// A snapshot that was being written at a crash is read by sled 0.34 as the newest one (its issue 1527).
fn remove_half_written_snapshots(path: &Path) -> Result<(), Error> {
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

#[cfg(test)]
mod tests {
    use super::*;

    fn reading(mentions: usize) -> ReadingV1 {
        let mention = |n: usize| MentionV1 { span: (0, 1), name: format!("name {n}"), kind: 1 };
        ReadingV1 {
            episode: [0; 16],
            extractor: "test".into(),
            status: 1,
            mentions: (0..mentions).map(mention).collect(),
            triples: Vec::new(),
        }
    }

    #[test]
    fn a_short_reading_stays_whole_and_a_long_one_is_cut_small() {
        assert!(split(Some(reading(10))).1.is_empty());
        let (first, parts) = split(Some(reading(2000)));
        assert!(first.unwrap().mentions.is_empty());
        assert!(
            parts.iter().all(|part| record::encode_row(part).len() < 8192),
            "sled keeps larger values apart"
        );
        assert_eq!(parts.iter().map(|part| part.mentions.len()).sum::<usize>(), 2000);
    }
}
