//! Opening: what stands in the directory, what can be trusted of it, and what must be made anew.

use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};

use super::journal::{Journal, Position};
use super::working::{self, Application, Working};
use super::{Missing, Notice, create_directory, free_path, sync_directory};
use crate::error::Error;
use crate::model::id::Namespace;

/// The first line of the file `FORMAT`.
const FORMAT: &str = "lorebase store 1";
/// What a directory may hold and still be taken for empty: what a crash leaves that came before `FORMAT` stood.
const TRACES: [&str; 2] = ["lock", "FORMAT.new"];

/// Checks that `directory` is a store, or makes it an empty directory that can become one.
pub(super) fn prepare(directory: &Path, missing: Missing) -> Result<(), Error> {
    let not_a_store =
        |problem: &str| Error::NotAStore { path: directory.to_path_buf(), problem: problem.to_owned() };
    let trace = |name: &std::ffi::OsStr| TRACES.iter().any(|trace| name == *trace);
    let empty = match fs::read_dir(directory) {
        Ok(mut list) => list.all(|entry| entry.is_ok_and(|entry| trace(&entry.file_name()))),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => true,
        Err(error) if error.kind() == std::io::ErrorKind::NotADirectory => {
            return Err(not_a_store("is a file; name a directory"));
        }
        Err(source) => return Err(Error::io("open", directory)(source)),
    };
    if empty {
        if missing == Missing::Refuse {
            return Err(not_a_store("holds no store yet; ingest something first"));
        }
        return create_directory(directory);
    }
    let path = directory.join("FORMAT");
    match fs::read_to_string(&path) {
        Ok(text) if text.trim_end() == FORMAT => Ok(()),
        Ok(text) => {
            let said: String = text.chars().take(60).collect();
            let said = said.trim_end();
            let problem =
                format!("says \"{said}\", and this version knows only \"{FORMAT}\"; use a newer lorebase");
            Err(Error::NotAStore { path, problem })
        }
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Err(not_a_store(
            "is not empty and holds no store (the file FORMAT is missing); name another directory",
        )),
        Err(error) if error.kind() == std::io::ErrorKind::InvalidData => {
            let problem = "is damaged; its one line must name the store's format".to_owned();
            Err(Error::Damaged { path, offset: 0, problem })
        }
        Err(source) => Err(Error::io("read", &path)(source)),
    }
}

/// Marks a directory that was prepared as a store, if it is not marked yet. Only to be called under the lock.
pub(super) fn mark(directory: &Path) -> Result<(), Error> {
    let (path, temporary) = (directory.join("FORMAT"), directory.join("FORMAT.new"));
    if path.exists() {
        return Ok(());
    }
    let write = || -> std::io::Result<()> {
        let mut file = File::create(&temporary)?;
        writeln!(file, "{FORMAT}")?;
        file.sync_all()?;
        fs::rename(&temporary, &path)
    };
    write().map_err(Error::io("write", &path))?;
    sync_directory(directory)
}

/// Opens the working store and brings it up to the journal. Where it cannot be trusted it is set aside and made
/// anew. A torn tail of the journal is cut off, once it is sure that the working store knows of no commit that
/// is missing.
///
/// # Errors
/// [`Error::Damaged`] where the working store was given commits that the journal does not hold any more: nothing
/// is changed then.
pub(super) fn open_working(
    directory: &Path,
    journal: &mut Journal,
    notices: &mut Vec<Notice>,
) -> Result<Working, Error> {
    let path = directory.join("sled");
    let doubt = if path.exists() {
        match trusted(&path, journal) {
            Ok((working, from)) => {
                notices.extend(journal.cut_tail()?.map(Notice::TornTail));
                match catch_up(&working, journal, from) {
                    Ok(0) => return Ok(working),
                    Ok(commits) => {
                        notices.push(Notice::CaughtUp { commits });
                        return Ok(working);
                    }
                    Err(Error::WorkingStore { problem, .. }) => problem,
                    Err(other) => return Err(other),
                }
            }
            Err(Error::WorkingStore { problem, .. }) => problem,
            Err(other) => return Err(other),
        }
    } else {
        "there was none".to_owned()
    };
    notices.extend(journal.cut_tail()?.map(Notice::TornTail));
    make_anew(directory, journal, doubt, notices)
}

/// Sets the working store aside, if there is one, and makes it anew from the journal.
pub(super) fn make_anew(
    directory: &Path,
    journal: &Journal,
    reason: String,
    notices: &mut Vec<Notice>,
) -> Result<Working, Error> {
    let path = directory.join("sled");
    let quarantine = if path.exists() { Some(set_aside(directory, &path)?) } else { None };
    let working = Working::open(&path)?;
    let commits = catch_up(&working, journal, Position::START)?;
    working.checkpoint()?;
    sync_directory(directory)?;
    if commits > 0 || quarantine.is_some() {
        notices.push(Notice::Rebuilt { reason, quarantine, commits });
    }
    Ok(working)
}

/// Opens an existing working store. Returns from where in the journal it must catch up.
fn trusted(path: &Path, journal: &Journal) -> Result<(Working, Position), Error> {
    let working = Working::open(path)?;
    let Some(applied) = working.applied()? else { return Ok((working, Position::START)) };
    let from = Position { segment: applied.segment, offset: applied.offset };
    if applied.sequence > journal.sequence() || from > journal.end() {
        // The journal is synced before a commit is applied, so what is missing was acknowledged.
        return Err(Error::Damaged {
            path: journal.segments().path(journal.end().segment),
            offset: journal.end().offset,
            problem: format!(
                "{} commits were acknowledged and {} are left; move {} away to go on without what is lost",
                applied.sequence,
                journal.sequence(),
                path.display()
            ),
        });
    }
    Ok((working, from))
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
    let quarantine = free_path(directory, "quarantine");
    fs::rename(path, &quarantine).map_err(Error::io("set aside", path))?;
    sync_directory(directory)?;
    Ok(quarantine)
}
