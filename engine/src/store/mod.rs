//! Where does it lie on disk? The journal (the truth) and the working store (made from it), behind one wall.
//! This is the only folder that knows sled and rkyv.
//!
//! ```text
//! DIR/FORMAT          the store's format, one line
//! DIR/lock            held by the process that has the store open
//! DIR/journal/        segments, see `frame.rs`
//! DIR/sled/           the working store, see `key.rs`
//! DIR/quarantine-N/   a working store that was set aside
//! DIR/journal/torn-N  bytes that were cut off the journal's end
//! ```

// Taken away with the next change, when the journal writes through it.
#[cfg_attr(not(test), expect(dead_code, reason = "the journal is about to write through it"))]
mod disk;
mod frame;
mod journal;
mod key;
mod lock;
mod open;
mod record;
mod verify;
mod working;

use std::collections::HashSet;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use parking_lot::{Mutex, RwLock};

use self::journal::{Journal, Position, Segments};
use self::lock::StoreLock;
use self::record::{CommitV1, EpisodeV1, ReadingV1};
use self::working::{Application, Known, Working};
use crate::change::Changes;
use crate::error::Error;
use crate::model::episode::{Episode, ExtractionStatus};
use crate::model::extraction::Reading;
use crate::model::id::{EpisodeId, Namespace};

pub use self::journal::TornTail;
pub(crate) use self::record::TextRef;
pub use self::working::panic_is_contained;

/// The working store is made durable each time the journal has grown by this much.
const CHECKPOINT_BYTES: u64 = 64 << 20;

/// What opening does with a missing or empty directory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Missing {
    /// Make it a new store.
    Create,
    /// Refuse: there is nothing to read.
    Refuse,
}

/// Something that opening a store found and dealt with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Notice {
    /// The journal ended in the remains of a commit that was never acknowledged; they were cut off.
    TornTail(TornTail),
    /// The working store was behind the journal, as after a crash, and was brought up to it.
    CaughtUp {
        /// Commits applied.
        commits: u64,
    },
    /// The working store was missing or could not be trusted, and was rebuilt from the journal.
    Rebuilt {
        /// Why.
        reason: String,
        /// Where the old one was put, if there was one.
        quarantine: Option<PathBuf>,
        /// Commits applied.
        commits: u64,
    },
}

/// An open store.
pub(crate) struct Store {
    directory: PathBuf,
    segments: Arc<Segments>,
    working: RwLock<Working>,
    writer: Mutex<Writer>,
    /// Namespaces that were found to be whole since the working store was opened.
    whole: Mutex<HashSet<Namespace>>,
    /// What was found and dealt with since the last time it was asked for.
    notices: Mutex<Vec<Notice>>,
    _lock: StoreLock,
}

struct Writer {
    journal: Journal,
    poisoned: bool,
    checkpointed: Position,
}

/// What a commit came to: its number, and of the given changes those that were new.
#[derive(Debug, Clone)]
pub(crate) struct Written {
    pub(crate) sequence: u64,
    /// Indexes into the commit's episodes, with where the text lies now.
    pub(crate) episodes: Vec<(usize, TextRef)>,
    /// Indexes into the commit's readings.
    pub(crate) readings: Vec<usize>,
}

/// An episode as it is loaded, without its text.
pub(crate) struct Loaded {
    /// The episode, its text left empty.
    pub(crate) episode: Episode,
    pub(crate) text: TextRef,
    pub(crate) reading: Option<Reading>,
}

impl Store {
    /// Opens the store in `directory`.
    ///
    /// # Errors
    /// [`Error::NotAStore`], [`Error::Locked`], [`Error::Damaged`], or the system's.
    pub(crate) fn open(directory: &Path, missing: Missing) -> Result<Self, Error> {
        open::prepare(directory, missing)?;
        let lock = StoreLock::take(directory)?;
        open::mark(directory)?;
        let mut journal = Journal::open(&directory.join("journal"))?;
        let mut notices = Vec::new();
        let working = open::open_working(directory, &mut journal, &mut notices)?;
        let store = Self {
            directory: directory.to_path_buf(),
            segments: journal.segments(),
            working: RwLock::new(working),
            writer: Mutex::new(Writer { checkpointed: journal.end(), journal, poisoned: false }),
            whole: Mutex::default(),
            notices: Mutex::new(notices),
            _lock: lock,
        };
        Ok(store)
    }

    /// What was found and dealt with since the last call.
    pub(crate) fn take_notices(&self) -> Vec<Notice> {
        std::mem::take(&mut self.notices.lock())
    }

    /// Commits each of `units`, all made durable by one sync. Returns when they are durable and applied.
    ///
    /// # Errors
    /// The system's or the working store's; the store then takes no more writes until it is opened again, and a
    /// commit that failed this way may or may not be there then.
    pub(crate) fn commit(&self, units: &[(&Namespace, &Changes)]) -> Result<Vec<Written>, Error> {
        let mut writer = self.writer.lock();
        if writer.poisoned {
            return Err(self.poisoned());
        }
        // Taken back where all goes well, so that a panic on the way leaves it set.
        writer.poisoned = true;
        for (namespace, _) in units {
            self.ensure_whole(&mut writer, namespace)?;
        }
        let written = self.append_and_apply(&mut writer, units)?;
        writer.poisoned = false;
        Ok(written)
    }

    /// Walks a namespace before the first commit into it: where sled has lost rows, an episode that is there would
    /// be taken for new.
    fn ensure_whole(&self, writer: &mut Writer, namespace: &Namespace) -> Result<(), Error> {
        if self.whole.lock().contains(namespace) {
            return Ok(());
        }
        self.with_working(writer, |working| working.load(namespace).map(drop))?;
        self.whole.lock().insert(namespace.clone());
        Ok(())
    }

    /// Asks the working store; where it turns out not to be what it was given, makes it anew and asks again.
    fn with_working<T>(
        &self,
        writer: &mut Writer,
        ask: impl Fn(&Working) -> Result<T, Error>,
    ) -> Result<T, Error> {
        let reason = match ask(&self.working.read()) {
            Err(Error::WorkingStore { problem, .. }) => problem,
            other => return other,
        };
        let mut working = self.working.write();
        *working = open::make_anew(&self.directory, &writer.journal, reason, &mut self.notices.lock())?;
        self.whole.lock().clear();
        ask(&working)
    }

    fn append_and_apply(
        &self,
        writer: &mut Writer,
        units: &[(&Namespace, &Changes)],
    ) -> Result<Vec<Written>, Error> {
        let mut seen = HashSet::new();
        let mut waiting = Vec::with_capacity(units.len());
        for &(namespace, changes) in units {
            let news = self.news(namespace, changes, &mut seen)?;
            waiting.push(append(&mut writer.journal, namespace, changes, news)?);
        }
        if waiting.iter().any(Option::is_some) {
            writer.journal.sync()?;
        }
        let mut written = Vec::with_capacity(units.len());
        for (&(namespace, _), unit) in units.iter().zip(waiting) {
            let Some(unit) = unit else {
                written.push(Written {
                    sequence: writer.journal.sequence(),
                    episodes: Vec::new(),
                    readings: Vec::new(),
                });
                continue;
            };
            let texts: Vec<TextRef> = unit.written.episodes.iter().map(|(_, text)| *text).collect();
            let application = Application {
                namespace,
                episodes: &unit.record.episodes,
                texts: &texts,
                readings: &unit.record.readings,
            };
            self.working.read().apply(&application, unit.written.sequence, unit.next)?;
            written.push(unit.written);
        }
        self.checkpoint_if_due(writer)?;
        Ok(written)
    }

    fn checkpoint_if_due(&self, writer: &mut Writer) -> Result<(), Error> {
        let end = writer.journal.end();
        let grown = end.segment != writer.checkpointed.segment
            || end.offset - writer.checkpointed.offset.min(end.offset) > CHECKPOINT_BYTES;
        if grown {
            self.working.read().checkpoint()?;
            writer.checkpointed = end;
        }
        Ok(())
    }

    /// Which of the changes the store does not hold yet.
    fn news(
        &self,
        namespace: &Namespace,
        changes: &Changes,
        seen: &mut HashSet<(Namespace, EpisodeId)>,
    ) -> Result<News, Error> {
        let working = self.working.read();
        let (mut episodes, mut readings) = (Vec::new(), Vec::new());
        let mut fresh = HashSet::new();
        for (index, episode) in changes.episodes.iter().enumerate() {
            let known = working.known(namespace, &episode.id)?;
            if known == Known::Unknown && seen.insert((namespace.clone(), episode.id)) {
                episodes.push(index);
                fresh.insert(episode.id);
            }
        }
        for (index, reading) in changes.readings.iter().enumerate() {
            let new = fresh.contains(&reading.episode)
                || match working.known(namespace, &reading.episode)? {
                    Known::Unknown => false,
                    Known::Stored => true,
                    // What was read once is not given up for an attempt that failed.
                    Known::Read { extractor } => {
                        reading.status == ExtractionStatus::Done && extractor != reading.extractor
                    }
                };
            if new {
                readings.push(index);
            }
        }
        Ok(News { episodes, readings })
    }

    /// All episodes of a namespace, in the order in which they were committed, without their texts.
    pub(crate) fn load(&self, namespace: &Namespace) -> Result<Vec<Loaded>, Error> {
        let stored = self.with_working(&mut self.writer.lock(), |working| working.load(namespace))?;
        self.whole.lock().insert(namespace.clone());
        stored.into_iter().map(|stored| self.to_model(stored)).collect()
    }

    fn to_model(&self, stored: working::StoredEpisode) -> Result<Loaded, Error> {
        let failed = |problem| Error::WorkingStore { path: self.directory.join("sled"), problem };
        let episode = stored.episode.with_text(String::new()).map_err(failed)?;
        let reading = stored.reading.map(ReadingV1::into_model).transpose().map_err(failed)?;
        Ok(Loaded { episode, text: stored.text, reading })
    }

    /// Reads an episode's text.
    pub(crate) fn text(&self, text: &TextRef) -> Result<String, Error> {
        self.segments.text(text)
    }

    /// The namespaces that hold something, in order.
    pub(crate) fn namespaces(&self) -> Result<Vec<Namespace>, Error> {
        self.with_working(&mut self.writer.lock(), Working::namespaces)
    }

    /// Where the store lies.
    pub(crate) fn directory(&self) -> &Path {
        &self.directory
    }

    /// What is answered to writes after one has failed.
    pub(crate) fn poisoned(&self) -> Error {
        Error::Poisoned { path: self.directory.clone() }
    }

    /// The number of the last commit.
    pub(crate) fn sequence(&self) -> u64 {
        self.writer.lock().journal.sequence()
    }
}

/// Best effort: what is not checkpointed is caught up from the journal at the next opening.
impl Drop for Store {
    fn drop(&mut self) {
        let poisoned = self.writer.lock().poisoned;
        if !poisoned {
            let _ = self.working.get_mut().checkpoint();
        }
    }
}

/// Indexes of a commit's new episodes and readings.
struct News {
    episodes: Vec<usize>,
    readings: Vec<usize>,
}

/// A commit that stands in the journal and is to be applied.
struct Waiting {
    record: CommitV1,
    written: Written,
    next: Position,
}

/// Appends what is new as one frame; `None` where nothing is.
fn append(
    journal: &mut Journal,
    namespace: &Namespace,
    changes: &Changes,
    news: News,
) -> Result<Option<Waiting>, Error> {
    if news.episodes.is_empty() && news.readings.is_empty() {
        return Ok(None);
    }
    let mut blob = Vec::new();
    let mut episodes = Vec::with_capacity(news.episodes.len());
    for &index in &news.episodes {
        let episode = &changes.episodes[index];
        let start = u32::try_from(blob.len()).expect("a commit's size is limited when it is validated");
        blob.extend_from_slice(episode.text.as_bytes());
        episodes.push(EpisodeV1::of(episode, (start, episode.text.len() as u32)));
    }
    let readings = news.readings.iter().map(|&index| ReadingV1::of(&changes.readings[index])).collect();
    let record = CommitV1 { namespace: namespace.as_str().to_owned(), episodes, readings };
    let place = journal.append(frame::KIND_COMMIT, 1, &record::encode(&record), &blob)?;
    let texts = working::text_refs(&record.episodes, &blob, &place).expect("the offsets were just made");
    let written = Written {
        sequence: place.sequence,
        episodes: news.episodes.into_iter().zip(texts).collect(),
        readings: news.readings,
    };
    Ok(Some(Waiting { record, written, next: place.next }))
}

/// Makes the entries of a directory durable.
fn sync_directory(directory: &Path) -> Result<(), Error> {
    File::open(directory).and_then(|file| file.sync_all()).map_err(Error::io("sync", directory))
}

/// Makes a directory that lasts: its own entry is durable too.
fn create_directory(directory: &Path) -> Result<(), Error> {
    if directory.is_dir() {
        return Ok(());
    }
    match directory.parent().filter(|parent| !parent.as_os_str().is_empty()) {
        Some(parent) => {
            create_directory(parent)?;
            make_directory(directory)?;
            sync_directory(parent)
        }
        None => make_directory(directory),
    }
}

/// One that somebody else has just made is as good.
fn make_directory(directory: &Path) -> Result<(), Error> {
    match fs::create_dir(directory) {
        Err(error) if !directory.is_dir() => Err(Error::io("create", directory)(error)),
        _ => Ok(()),
    }
}

/// A path in `directory` that is still free: `NAME-1`, `NAME-2` and so on.
fn free_path(directory: &Path, name: &str) -> PathBuf {
    let free = (1..u32::MAX).map(|n| directory.join(format!("{name}-{n}"))).find(|path| !path.exists());
    free.expect("there are not four thousand million of them")
}
