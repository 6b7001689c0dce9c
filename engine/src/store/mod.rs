//! Where does it lie on disk? The journal (the truth) and the working store (made from it), behind one wall.
//! This is the only folder that knows sled and rkyv.
//!
//! ```text
//! DIR/FORMAT          the store's format, one line
//! DIR/lock            held by the process that has the store open
//! DIR/journal/        segments, see `frame.rs`
//! DIR/sled/           the working store, see `key.rs`
//! DIR/quarantine-N/   a working store that was set aside
//! ```

mod frame;
mod journal;
mod key;
mod lock;
mod record;
mod verify;
mod working;

use std::collections::HashSet;
use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use parking_lot::Mutex;

use self::journal::{Journal, Position, Segments};
use self::lock::StoreLock;
use self::record::{CommitV1, EpisodeV1, ReadingV1};
use self::working::{Application, Known, Working};
use crate::change::Changes;
use crate::error::Error;
use crate::model::episode::Episode;
use crate::model::extraction::Reading;
use crate::model::id::{EpisodeId, Namespace};

pub use self::journal::TornTail;
pub(crate) use self::record::TextRef;

/// The first line of the file `FORMAT`.
const FORMAT: &str = "lorebase store 1";
/// The working store is made durable each time the journal has grown by this much.
const CHECKPOINT_BYTES: u64 = 64 << 20;

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
    working: Working,
    writer: Mutex<Writer>,
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
    /// Opens the store in `directory`. A missing or empty directory becomes a new store if `create` is set.
    ///
    /// # Errors
    /// [`Error::NotAStore`], [`Error::Locked`], [`Error::Damaged`], or the system's.
    pub(crate) fn open(directory: &Path, create: bool) -> Result<(Self, Vec<Notice>), Error> {
        let fresh = prepare(directory, create)?;
        let lock = StoreLock::take(directory)?;
        if fresh {
            write_format(directory)?;
        }
        let (journal, torn) = Journal::open(&directory.join("journal"))?;
        let mut notices: Vec<Notice> = torn.map(Notice::TornTail).into_iter().collect();
        let working = open_working(directory, &journal, &mut notices)?;
        let segments = journal.segments();
        let checkpointed = journal.end();
        let writer = Mutex::new(Writer { journal, poisoned: false, checkpointed });
        Ok((Self { directory: directory.to_path_buf(), segments, working, writer, _lock: lock }, notices))
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
        let written = self.append_and_apply(&mut writer, units);
        writer.poisoned = written.is_err();
        written
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
            self.working.apply(&application, unit.written.sequence, unit.next)?;
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
            self.working.checkpoint()?;
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
        let (mut episodes, mut readings) = (Vec::new(), Vec::new());
        let mut fresh = HashSet::new();
        for (index, episode) in changes.episodes.iter().enumerate() {
            let known = self.working.known(namespace, &episode.id)?;
            if known == Known::Unknown && seen.insert((namespace.clone(), episode.id)) {
                episodes.push(index);
                fresh.insert(episode.id);
            }
        }
        for (index, reading) in changes.readings.iter().enumerate() {
            let new = fresh.contains(&reading.episode)
                || match self.working.known(namespace, &reading.episode)? {
                    Known::Unknown => false,
                    Known::Stored => true,
                    Known::Read { extractor } => extractor != reading.extractor,
                };
            if new {
                readings.push(index);
            }
        }
        Ok(News { episodes, readings })
    }

    /// All episodes of a namespace, in the order in which they were committed, without their texts.
    pub(crate) fn load(&self, namespace: &Namespace) -> Result<Vec<Loaded>, Error> {
        let stored = self.working.load(namespace)?;
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
        self.working.namespaces()
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
            let _ = self.working.checkpoint();
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

/// Checks what stands in `directory`. Returns whether it is to become a new store.
fn prepare(directory: &Path, create: bool) -> Result<bool, Error> {
    let not_a_store =
        |problem: &str| Error::NotAStore { path: directory.to_path_buf(), problem: problem.to_owned() };
    let empty = match fs::read_dir(directory) {
        Ok(mut list) => list.all(|entry| entry.is_ok_and(|entry| entry.file_name() == "lock")),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => true,
        Err(source) => {
            return Err(Error::Io { action: "open", path: directory.to_path_buf(), source });
        }
    };
    if empty {
        if !create {
            return Err(not_a_store("holds no store yet; ingest something first"));
        }
        fs::create_dir_all(directory).map_err(Error::io("create", directory))?;
        return Ok(true);
    }
    let path = directory.join("FORMAT");
    match fs::read_to_string(&path) {
        Ok(text) if text.trim_end() == FORMAT => Ok(false),
        Ok(text) => {
            let problem = format!(
                "says \"{}\"; this version knows \"{FORMAT}\"",
                text.chars().take(60).collect::<String>().trim_end()
            );
            Err(Error::NotAStore { path, problem })
        }
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            Err(not_a_store("is not empty and holds no store (the file FORMAT is missing)"))
        }
        Err(source) => Err(Error::Io { action: "read", path, source }),
    }
}

fn write_format(directory: &Path) -> Result<(), Error> {
    let (path, temporary) = (directory.join("FORMAT"), directory.join("FORMAT.new"));
    let write = || -> std::io::Result<()> {
        let mut file = File::create(&temporary)?;
        writeln!(file, "{FORMAT}")?;
        file.sync_all()?;
        fs::rename(&temporary, &path)
    };
    write().map_err(Error::io("write", &path))?;
    sync_directory(directory)
}

/// Makes the entries of a directory durable.
fn sync_directory(directory: &Path) -> Result<(), Error> {
    File::open(directory).and_then(|file| file.sync_all()).map_err(Error::io("sync", directory))
}

/// Opens the working store and brings it up to the journal; where it cannot be trusted, sets it aside and
/// makes it anew.
fn open_working(directory: &Path, journal: &Journal, notices: &mut Vec<Notice>) -> Result<Working, Error> {
    let path = directory.join("sled");
    let missing = !path.exists();
    let opened = if missing {
        Err("there was none".to_owned())
    } else {
        trusted(&path, journal).map_err(|error| error.to_string())
    };
    let reason = match opened {
        Ok((working, commits)) => {
            if commits > 0 {
                notices.push(Notice::CaughtUp { commits });
            }
            return Ok(working);
        }
        Err(reason) => reason,
    };
    let quarantine = if missing { None } else { Some(set_aside(directory, &path)?) };
    let working = Working::open(&path)?;
    let commits = catch_up(&working, journal, Position::START)?;
    working.checkpoint()?;
    if commits > 0 || quarantine.is_some() {
        notices.push(Notice::Rebuilt { reason, quarantine, commits });
    }
    Ok(working)
}

/// Opens an existing working store and applies what it is behind by.
fn trusted(path: &Path, journal: &Journal) -> Result<(Working, u64), Error> {
    let failed =
        |problem: &str| Error::WorkingStore { path: path.to_path_buf(), problem: problem.to_owned() };
    let working = Working::open(path)?;
    let from = match working.applied()? {
        None => Position::START,
        Some(applied) if applied.sequence > journal.sequence() => {
            return Err(failed("it is ahead of the journal"));
        }
        Some(applied) => Position { segment: applied.segment, offset: applied.offset },
    };
    if from > journal.end() {
        return Err(failed("it is ahead of the journal"));
    }
    let commits = catch_up(&working, journal, from)?;
    Ok((working, commits))
}

fn catch_up(working: &Working, journal: &Journal, from: Position) -> Result<u64, Error> {
    let mut commits = 0;
    journal.replay(from, |frame| {
        let damaged = |problem| Error::Damaged {
            path: journal.segments().path(frame.at.segment),
            offset: frame.at.offset,
            problem,
        };
        let (commit, texts) = working::decode_commit(frame).map_err(damaged)?;
        let namespace = Namespace::new(&commit.namespace)?;
        let application = Application {
            namespace: &namespace,
            episodes: &commit.episodes,
            texts: &texts,
            readings: &commit.readings,
        };
        commits += 1;
        working.apply(&application, frame.header.sequence, frame.next)
    })?;
    Ok(commits)
}

fn set_aside(directory: &Path, path: &Path) -> Result<PathBuf, Error> {
    let free = (1..u32::MAX).map(|n| directory.join(format!("quarantine-{n}"))).find(|path| !path.exists());
    let quarantine = free.expect("there is always a free number");
    fs::rename(path, &quarantine).map_err(Error::io("set aside", path))?;
    sync_directory(directory)?;
    Ok(quarantine)
}
