//! Where does it lie on disk? The journal (the truth) and the working store (made from it), behind one wall.
//! This is the only folder that knows sled and rkyv.
//!
//! ```text
//! DIR/FORMAT          the store's format, one line
//! DIR/lock            held by the process that has the store open
//! DIR/journal/        segments, see `frame.rs`
//! DIR/sled/           the working store, see `key.rs`
//! DIR/vectors/        vectors of models that take their time, see `vectors.rs`
//! DIR/uses/           how often and when episodes were of use, see `uses.rs`
//! DIR/snapshots/      namespaces as they were in memory, see `snapshot.rs`
//! DIR/forgetting      stands while something that was forgotten may still stand on disk, see `erase.rs`
//! DIR/quarantine-N/   a working store that was set aside, or what a repair could not read
//! DIR/journal/torn-N  bytes that were cut off the journal's end
//! ```

mod backup;
mod compact;
pub(crate) mod disk;
mod erase;
mod frame;
#[cfg(fuzzing)]
pub mod fuzzing;
mod guard;
mod journal;
mod key;
mod load;
mod lock;
mod open;
#[cfg(test)]
mod open_tests;
mod record;
mod repair;
mod rows;
mod salvage;
mod segments;
mod snapshot;
mod usage;
mod uses;
mod vectors;
mod verify;
mod working;

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use parking_lot::{Mutex, RwLock};
use rayon::prelude::*;

use self::disk::Disk;
use self::erase::Erasure;
use self::frame::{KIND_COMMIT, KIND_FORGET, KIND_RULE};
use self::journal::{Appended, Journal};
use self::lock::StoreLock;
use self::record::Summary;
use self::segments::{Position, Segments};
use self::uses::UseFiles;
use self::vectors::VectorFiles;
use self::working::{Application, Working};
use crate::error::Error;
use crate::model::episode::Episode;
use crate::model::extraction::Reading;
use crate::model::id::{EpisodeId, Namespace};
use crate::model::ruling::Ruling;

pub use self::backup::{BackedUp, backup};
pub use self::compact::Compaction;
pub(crate) use self::compact::Moves;
pub use self::guard::panic_is_contained;
pub use self::journal::TornTail;
pub(crate) use self::load::{LoadedCommit, Mark, Settled, Taker};
pub(crate) use self::record::TextRef;
pub use self::repair::{Repaired, repair};
pub(crate) use self::snapshot::{Snapshot, Snapshots, Source};
pub use self::usage::Usage;
pub use self::uses::{Use, Uses};

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
    /// The system refused what the working store needs. It stands in memory, made from the journal, until the store is
    /// opened again; nothing is lost.
    InMemory {
        /// What was refused.
        reason: String,
    },
    /// The system refused what opening takes besides reading. The store takes no writes until it is opened again.
    ReadOnly {
        /// What was refused.
        reason: String,
    },
    /// The store was of an older format and was brought to the present one.
    Upgraded {
        /// The old format.
        from: String,
        /// The new one.
        to: String,
        /// Commits in it.
        commits: u64,
    },
    /// The snapshot of a namespace was damaged, as a power cut may leave it. It was thrown away, and the namespace made from
    /// the journal.
    DamagedSnapshot {
        /// The file that it was in.
        path: PathBuf,
    },
    /// What was forgotten had not been taken off the disk when the store was in use last. Now it was, and with it the ends
    /// that had been cut off the journal.
    Erased(Compaction),
    /// What was forgotten may still stand on disk. That is tried again at the next opening.
    NotErased {
        /// Why.
        reason: String,
    },
}

/// An open store.
pub(crate) struct Store {
    disk: Arc<dyn Disk>,
    directory: PathBuf,
    segments: Arc<Segments>,
    snapshots: Snapshots,
    vectors: VectorFiles,
    uses: UseFiles,
    erasure: Erasure,
    /// The journal's.
    generation: AtomicU64,
    working: RwLock<Working>,
    writer: Mutex<Writer>,
    /// What was found and dealt with since the last time it was asked for.
    notices: Mutex<Vec<Notice>>,
    _lock: StoreLock,
}

struct Writer {
    journal: Journal,
    poisoned: bool,
    checkpointed: Position,
}

/// What is written into one namespace: only what it does not hold yet. It tells something, forgets, or rules.
#[derive(Debug)]
pub(crate) struct Unit<'c> {
    pub(crate) namespace: &'c Namespace,
    pub(crate) episodes: Vec<&'c Episode>,
    pub(crate) readings: Vec<&'c Reading>,
    /// Episodes that are taken out, and rulings.
    pub(crate) forgets: Vec<EpisodeId>,
    pub(crate) rulings: Vec<&'c Ruling>,
    /// Whether the journal holds some of these.
    pub(crate) erases: bool,
}

/// What a unit came to.
#[derive(Debug, Clone)]
pub(crate) struct Written {
    /// The commit's number; that of the one before where the unit was empty.
    pub(crate) sequence: u64,
    /// Where the text of each of the unit's episodes lies.
    pub(crate) texts: Vec<TextRef>,
}

impl Store {
    /// Opens the store in `directory`.
    ///
    /// # Errors
    /// [`Error::NotAStore`], [`Error::Locked`], [`Error::Damaged`], or the system's.
    pub(crate) fn open(disk: &Arc<dyn Disk>, directory: &Path, missing: Missing) -> Result<Self, Error> {
        open::prepare(&**disk, directory, missing)?;
        let lock = StoreLock::take(directory)?;
        open::ensure_format(&**disk, directory)?;
        let mut journal = Journal::open(disk, &directory.join("journal"))?;
        let mut notices = Vec::new();
        let (working, poisoned) = match open::open_working(disk, directory, &mut journal, &mut notices) {
            Ok(working) => (working, false),
            // Whatever the system refuses now, as where there is no room, what is there can be read.
            Err(Error::Io(refused)) => {
                // Behind the last whole commit may stand what was acknowledged and is damaged: nobody could say now.
                if !journal.has_tail() {
                    journal.secure()?;
                }
                notices.push(Notice::ReadOnly { reason: refused.with_source() });
                (open::make_in_memory(disk, directory, &journal)?, true)
            }
            Err(other) => return Err(other),
        };
        let store = Self {
            disk: Arc::clone(disk),
            directory: directory.to_path_buf(),
            segments: journal.segments(),
            snapshots: Snapshots::of_store(directory, Arc::clone(disk)),
            vectors: VectorFiles::of_store(directory, Arc::clone(disk)),
            uses: UseFiles::of_store(directory, Arc::clone(disk)),
            erasure: Erasure::of_store(disk, directory),
            generation: AtomicU64::new(journal.generation()),
            working: RwLock::new(working),
            writer: Mutex::new(Writer { checkpointed: journal.end(), journal, poisoned }),
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
    /// The system's. Where it is sure that nothing of the commits is there, as where room ran out, the store goes on
    /// taking others; else it takes no more until it is opened again, and a commit that failed this way may or may not
    /// be there then.
    pub(crate) fn commit(&self, units: &[Unit<'_>]) -> Result<Vec<Written>, Error> {
        let encoded: Vec<Option<Encoded>> = units.par_iter().map(encode).collect();
        let mut writer = self.writer.lock();
        if writer.poisoned {
            return Err(self.poisoned());
        }
        if units.iter().any(|unit| unit.erases) {
            self.erasure.begin()?;
        }
        // Taken back where all goes well, so that a panic on the way leaves it set.
        writer.poisoned = true;
        let (written, waiting) = match append(&mut writer.journal, units, &encoded) {
            Ok(appended) => appended,
            Err(error) => {
                writer.poisoned = !writer.journal.roll_back();
                return Err(error);
            }
        };
        if !waiting.is_empty() {
            self.apply(&writer.journal, &waiting)?;
            self.checkpoint_if_due(&mut writer);
        }
        writer.poisoned = false;
        Ok(written)
    }

    /// Brings what is durable into the working store. Where that fails, another is made from the journal, which has it.
    fn apply(&self, journal: &Journal, waiting: &[Application]) -> Result<(), Error> {
        let applied = self.working.read().apply(waiting, journal.generation());
        applied.or_else(|failure| self.renew(journal, failure))
    }

    /// Best effort: the journal has it all. What fails is tried again after the next commit.
    fn checkpoint_if_due(&self, writer: &mut Writer) {
        let end = writer.journal.end();
        let grown = end.segment != writer.checkpointed.segment
            || end.offset - writer.checkpointed.offset.min(end.offset) > CHECKPOINT_BYTES;
        if grown && self.working.read().checkpoint().is_ok() {
            writer.checkpointed = end;
        }
    }

    /// Asks the working store; where it fails, puts another in its place and asks again.
    fn with_working<T>(&self, ask: impl Fn(&Working) -> Result<T, Error>) -> Result<T, Error> {
        let fails =
            |asked: &Result<T, Error>| matches!(asked, Err(Error::WorkingStore { .. } | Error::Io(_)));
        let asked = ask(&self.working.read());
        if !fails(&asked) {
            return asked;
        }
        let writer = self.writer.lock();
        // Somebody else may have put another there meanwhile.
        let asked = ask(&self.working.read());
        match asked {
            Err(failure @ (Error::WorkingStore { .. } | Error::Io(_))) => {
                self.renew(&writer.journal, failure)?;
            }
            other => return other,
        }
        ask(&self.working.read())
    }

    /// Puts a working store that is made from the journal in the place of one that failed: on disk where that one was
    /// damaged, in memory where the system refuses what it takes.
    fn renew(&self, journal: &Journal, failure: Error) -> Result<(), Error> {
        let mut working = self.working.write();
        let mut notices = self.notices.lock();
        let refused = match failure {
            Error::WorkingStore { problem, .. } => {
                match open::make_anew(&self.disk, &self.directory, journal, problem, &mut notices) {
                    Ok(anew) => {
                        *working = anew;
                        return Ok(());
                    }
                    Err(failure) => failure,
                }
            }
            other => other,
        };
        drop((working, notices));
        match refused {
            Error::Io(refused) => self.keep_in_memory(journal, refused.with_source()),
            other => Err(other),
        }
    }

    /// Puts a working store in memory in the place of the one that there is.
    fn keep_in_memory(&self, journal: &Journal, reason: String) -> Result<(), Error> {
        let kept = open::make_in_memory(&self.disk, &self.directory, journal)?;
        *self.working.write() = kept;
        self.notices.lock().push(Notice::InMemory { reason });
        Ok(())
    }

    /// Reads an episode's text.
    pub(crate) fn text(&self, text: &TextRef) -> Result<String, Error> {
        self.segments.text(text)
    }

    /// The namespaces that hold something, in order.
    pub(crate) fn namespaces(&self) -> Result<Vec<Namespace>, Error> {
        self.with_working(Working::namespaces)
    }

    /// A number that changes when something of the journal is rewritten: places in it hold as long as it is the same.
    pub(crate) fn generation(&self) -> u64 {
        // Not asked of the journal: whoever loads a namespace would wait for a commit that is being synced.
        self.generation.load(Ordering::Acquire)
    }

    /// What was of use.
    pub(crate) fn uses(&self) -> &UseFiles {
        &self.uses
    }

    /// The vectors of models that take their time.
    pub(crate) fn vectors(&self) -> &VectorFiles {
        &self.vectors
    }

    /// The snapshots of its namespaces.
    pub(crate) fn snapshots(&self) -> &Snapshots {
        &self.snapshots
    }

    /// How far a namespace goes now.
    pub(crate) fn mark(&self, namespace: &Namespace) -> Result<Mark, Error> {
        self.with_working(|working| working.mark(namespace))
    }

    /// Whether a write has failed, so that nobody knows what stands.
    pub(crate) fn is_poisoned(&self) -> bool {
        self.writer.lock().poisoned
    }

    /// How much room it takes on disk.
    pub(crate) fn usage(&self) -> Usage {
        usage::of(&self.directory)
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

/// Appends units, all made durable by one sync. Returns what they came to, and what is to be applied.
fn append(
    journal: &mut Journal,
    units: &[Unit<'_>],
    encoded: &[Option<Encoded>],
) -> Result<(Vec<Written>, Vec<Application>), Error> {
    let (mut written, mut waiting) = (Vec::with_capacity(units.len()), Vec::new());
    for (unit, encoded) in units.iter().zip(encoded) {
        let Some(encoded) = encoded else {
            written.push(Written { sequence: journal.sequence(), texts: Vec::new() });
            continue;
        };
        let (kind, version) = encoded.form;
        let place = journal.append(kind, version, &encoded.meta, &encoded.blob)?;
        written.push(Written { sequence: place.sequence, texts: place_texts(unit, encoded, &place) });
        waiting.push(Application {
            sequence: place.sequence,
            at: place.at,
            next: place.next,
            summary: Some(summary_of(unit)),
        });
    }
    if !waiting.is_empty() {
        journal.sync()?;
    }
    Ok((written, waiting))
}

/// The bytes of a unit's frame, and its kind and version.
struct Encoded {
    form: (u8, u8),
    meta: Vec<u8>,
    blob: Vec<u8>,
}

/// A unit's frame; `None` where it is empty.
fn encode(unit: &Unit<'_>) -> Option<Encoded> {
    let tells = !unit.episodes.is_empty() || !unit.readings.is_empty();
    let does = [tells, !unit.forgets.is_empty(), !unit.rulings.is_empty()];
    assert!(
        does.into_iter().filter(|does| *does).count() < 2,
        "one that does more is refused when it is validated"
    );
    if tells {
        let (meta, blob) = record::encode_commit(unit.namespace, &unit.episodes, &unit.readings);
        Some(Encoded { form: (KIND_COMMIT, record::COMMIT_VERSION), meta, blob })
    } else if !unit.rulings.is_empty() {
        let meta = record::encode_rulings(unit.namespace, unit.rulings.iter().copied());
        Some(Encoded { form: (KIND_RULE, record::RULE_VERSION), meta, blob: Vec::new() })
    } else if unit.forgets.is_empty() {
        None
    } else {
        let meta = record::encode_forget(unit.namespace, &unit.forgets);
        Some(Encoded { form: (KIND_FORGET, record::OTHER_VERSION), meta, blob: Vec::new() })
    }
}

fn summary_of(unit: &Unit<'_>) -> Summary {
    Summary {
        namespace: unit.namespace.clone(),
        episodes: unit.episodes.len() as u32,
        readings: unit.readings.len() as u32,
        forgets: unit.forgets.len() as u32,
    }
}

fn place_texts(unit: &Unit<'_>, encoded: &Encoded, place: &Appended) -> Vec<TextRef> {
    let mut start = 0;
    let texts = unit.episodes.iter().map(|episode| {
        let text = (start, episode.text.len() as u32);
        start += text.1;
        text
    });
    let texts: Vec<(u32, u32)> = texts.collect();
    segments::text_refs((place.at.segment, place.salt), place.texts, &encoded.blob, &texts)
}

/// Makes the entries of a directory durable.
fn sync_directory(disk: &dyn Disk, directory: &Path) -> Result<(), Error> {
    disk.sync_directory(directory).map_err(Error::io("sync", directory))
}

/// Makes a directory that lasts: its own entry is durable too. One that is there may have been made by a process that
/// was killed before it came to that.
fn create_directory(disk: &dyn Disk, directory: &Path) -> Result<(), Error> {
    let here = |parent: &Path| parent.as_os_str().is_empty();
    let parent = directory.parent().map(|parent| if here(parent) { Path::new(".") } else { parent });
    if directory.is_dir() {
        return match parent.map(|parent| disk.sync_directory(parent)) {
            // Where we may not even look, it was not us who made something.
            Some(Err(error)) if error.kind() != std::io::ErrorKind::PermissionDenied => {
                Err(Error::io("sync", directory)(error))
            }
            _ => Ok(()),
        };
    }
    match parent {
        Some(parent) => {
            create_directory(disk, parent)?;
            make_directory(disk, directory)?;
            sync_directory(disk, parent)
        }
        None => make_directory(disk, directory),
    }
}

/// One that somebody else has just made is as good.
fn make_directory(disk: &dyn Disk, directory: &Path) -> Result<(), Error> {
    match disk.make_directory(directory) {
        Err(error) if !directory.is_dir() => Err(Error::io("create", directory)(error)),
        _ => Ok(()),
    }
}

/// A path in `directory` that is still free: `NAME-1`, `NAME-2` and so on.
fn free_path(directory: &Path, name: &str) -> PathBuf {
    let free = (1..u32::MAX).map(|n| directory.join(format!("{name}-{n}"))).find(|path| !path.exists());
    free.expect("there are not four thousand million of them")
}
