//! Opening: what stands in the directory, what can be trusted of it, and what must be made anew.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::disk::Disk;
use super::journal::Journal;
use super::record::{self, AppliedV2};
use super::segments::Position;
use super::working::{Application, Working};
use super::{Missing, Notice, create_directory, free_path, sync_directory};
use crate::error::Error;

/// The first line of the file `FORMAT`.
pub(super) const FORMAT: &str = "lorebase store 4";
/// The lines of stores that are brought to the present format when they are opened. Of formats 2 and 3
/// only the line differs: a commit may tell more since.
const OLD_FORMATS: [&str; 3] = ["lorebase store 1", "lorebase store 2", "lorebase store 3"];
/// What every format's line begins with.
const ANY_FORMAT: &str = "lorebase store ";
/// Where the old working store stands while a store is brought to the present format.
pub(super) const OLD_SLED: &str = "sled.old";
/// What the copy of the journal is called until a backup is whole.
pub(super) const UNFINISHED_BACKUP: &str = "journal.unfinished";
/// The most working stores that are set aside.
const SET_ASIDE_MAX: usize = 4;
/// The file in a working store that holds its rows.
const DATABASE: &str = "db";
/// What a directory may hold and still be taken for empty: what a crash leaves that came before `FORMAT` stood.
const TRACES: [&str; 2] = ["lock", "FORMAT.new"];

/// Checks that `directory` is a store, or makes it an empty directory that can become one.
pub(super) fn prepare(disk: &dyn Disk, directory: &Path, missing: Missing) -> Result<(), Error> {
    let not_a_store =
        |problem: &str| Error::NotAStore { path: directory.to_path_buf(), problem: problem.to_owned() };
    let trace = |name: &std::ffi::OsStr| TRACES.iter().any(|trace| name == *trace);
    let empty = match fs::read_dir(directory) {
        Ok(mut list) => list.all(|entry| entry.is_ok_and(|entry| trace(&entry.file_name()))),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound && directory.is_symlink() => {
            return Err(not_a_store("is a link that leads nowhere; mend it or name another directory"));
        }
        Err(error) if error.kind() == std::io::ErrorKind::NotFound && missing == Missing::Refuse => {
            return Err(not_a_store(
                "does not exist; name the store's directory, or ingest something to make one",
            ));
        }
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => true,
        Err(error) if error.kind() == std::io::ErrorKind::NotADirectory => {
            return Err(not_a_store("is a file; name a directory"));
        }
        Err(source) => return Err(Error::io("open", directory)(source).of_named_path()),
    };
    if empty {
        if missing == Missing::Refuse {
            return Err(not_a_store("holds no store yet; ingest something first"));
        }
        return create_directory(disk, directory).map_err(Error::of_named_path);
    }
    if directory.join(UNFINISHED_BACKUP).exists() {
        return Err(not_a_store(
            "holds no store but a backup that was broken off; remove it and back up again",
        ));
    }
    let path = directory.join("FORMAT");
    match format(directory)? {
        Format::Known(_) => Ok(()),
        Format::Unknown(said) => {
            let problem = format!(
                "says \"{said}\", and this version knows only \"{FORMAT}\" and those before; use a newer lorebase"
            );
            Err(Error::NotAStore { path, problem })
        }
        Format::Missing => Err(not_a_store(
            "is not empty and holds no store (the file FORMAT is missing); name another directory",
        )),
        Format::Damaged(problem) => Err(Error::Damaged { path, offset: 0, problem }),
    }
}

/// What the file `FORMAT` says.
pub(super) enum Format {
    /// The present format or an older one.
    Known(&'static str),
    /// One that is not known to this version.
    Unknown(String),
    /// There is no such file, and nothing else of a store but a backup that was broken off.
    Missing,
    /// There is no such file, or it does not say what it must, and the rest of a store is there.
    Damaged(String),
}

/// Reads what the file `FORMAT` says.
pub(super) fn format(directory: &Path) -> Result<Format, Error> {
    let path = directory.join("FORMAT");
    if directory.join(UNFINISHED_BACKUP).exists() {
        return Ok(Format::Missing);
    }
    let is_store = directory.join("journal").is_dir();
    let said = match fs::read(&path) {
        Ok(bytes) => String::from_utf8_lossy(&bytes).into_owned(),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound && is_store => {
            return Ok(Format::Damaged(
                "the file is missing; its one line must name the store's format".to_owned(),
            ));
        }
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Format::Missing),
        Err(source) => return Err(Error::io("read", &path)(source)),
    };
    let line = said.trim_end();
    if let Some(known) = [FORMAT].into_iter().chain(OLD_FORMATS).find(|known| *known == line) {
        return Ok(Format::Known(known));
    }
    let number = line.strip_prefix(ANY_FORMAT).is_some_and(|number| number.parse::<u32>().is_ok());
    if number || !is_store {
        return Ok(Format::Unknown(line.chars().take(60).collect()));
    }
    Ok(Format::Damaged("its one line must name the store's format".to_owned()))
}

/// Makes a directory that was prepared a store, if it is none yet. Only to be called under the lock.
pub(super) fn ensure_format(disk: &dyn Disk, directory: &Path) -> Result<(), Error> {
    if directory.join("FORMAT").exists() { Ok(()) } else { write_format(disk, directory) }
}

/// Writes the present format into the file `FORMAT`.
pub(super) fn write_format(disk: &dyn Disk, directory: &Path) -> Result<(), Error> {
    write_format_line(disk, directory, FORMAT)
}

/// Writes a format into the file `FORMAT`.
pub(super) fn write_format_line(disk: &dyn Disk, directory: &Path, format: &str) -> Result<(), Error> {
    let (path, temporary) = (directory.join("FORMAT"), directory.join("FORMAT.new"));
    let write = || -> std::io::Result<()> {
        disk.write(&temporary, format!("{format}\n").as_bytes())?;
        disk.rename(&temporary, &path)
    };
    write().map_err(Error::io("write", &path))?;
    sync_directory(disk, directory)
}

/// Opens the working store and brings it up to the journal. Where it cannot be trusted it is set aside and made
/// anew. A torn tail of the journal is cut off, once it is sure that the working store knows of no commit that
/// is missing. A store of an older format is brought to the present one.
///
/// # Errors
/// [`Error::Damaged`] where the working store was given commits that the journal does not hold any more: nothing
/// is changed then.
pub(super) fn open_working(
    disk: &Arc<dyn Disk>,
    directory: &Path,
    journal: &mut Journal,
    notices: &mut Vec<Notice>,
) -> Result<Working, Error> {
    if let Format::Known(from) = format(directory)?
        && from != FORMAT
    {
        return upgrade(disk, directory, journal, from, notices);
    }
    remove_working(disk, directory, &directory.join(OLD_SLED))?;
    let path = directory.join("sled");
    let doubt = if path.exists() {
        match trusted(disk, &path, journal) {
            Ok((working, applied)) => {
                notices.extend(journal.cut_tail()?.map(Notice::TornTail));
                if applied.sequence < journal.sequence() {
                    journal.secure()?;
                } else {
                    journal.secure_end()?;
                }
                match catch_up(&working, journal, &applied) {
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
    journal.secure()?;
    make_anew(disk, directory, journal, doubt, notices)
}

/// Makes a working store of the present format beside that of an older one. What each step leaves behind, where it
/// is the last, is a store of the older format, whose old working store is found in one of two places.
fn upgrade(
    disk: &Arc<dyn Disk>,
    directory: &Path,
    journal: &mut Journal,
    from: &str,
    notices: &mut Vec<Notice>,
) -> Result<Working, Error> {
    let (path, old) = (directory.join("sled"), directory.join(OLD_SLED));
    let known = if old.exists() { &old } else { &path };
    if known.exists() {
        match Working::open(disk, known).and_then(|working| working.applied_sequence()) {
            Ok(acknowledged) => check_end(journal, acknowledged.unwrap_or(0), known)?,
            // It is thrown away anyway.
            Err(Error::WorkingStore { .. }) => {}
            Err(other) => return Err(other),
        }
    }
    notices.extend(journal.cut_tail()?.map(Notice::TornTail));
    journal.secure()?;
    if old.exists() {
        remove_working(disk, directory, &path)?;
    } else if path.exists() {
        disk.rename(&path, &old).map_err(Error::io("set aside", &path))?;
        sync_directory(&**disk, directory)?;
    }
    let (working, commits) = make(disk, directory, journal)?;
    write_format(&**disk, directory)?;
    remove_working(disk, directory, &old)?;
    notices.push(Notice::Upgraded { from: from.to_owned(), to: FORMAT.to_owned(), commits });
    Ok(working)
}

/// Sets the working store aside, if there is one, and makes it anew from the journal.
pub(super) fn make_anew(
    disk: &Arc<dyn Disk>,
    directory: &Path,
    journal: &Journal,
    reason: String,
    notices: &mut Vec<Notice>,
) -> Result<Working, Error> {
    let path = directory.join("sled");
    let quarantine = if path.exists() { set_aside(disk, directory, &path)? } else { None };
    let (working, commits) = make(disk, directory, journal)?;
    if commits > 0 || quarantine.is_some() {
        notices.push(Notice::Rebuilt { reason, quarantine, commits });
    }
    Ok(working)
}

/// Makes a working store from the journal where there is none. Returns how many commits it was given.
pub(super) fn make(
    disk: &Arc<dyn Disk>,
    directory: &Path,
    journal: &Journal,
) -> Result<(Working, u64), Error> {
    let working = Working::open(disk, &directory.join("sled"))?;
    let commits = fill(&working, journal)?;
    working.checkpoint()?;
    sync_directory(&**disk, directory)?;
    Ok((working, commits))
}

/// Makes a working store in memory from the journal, where the system refuses what one on disk takes.
pub(super) fn make_in_memory(
    disk: &Arc<dyn Disk>,
    directory: &Path,
    journal: &Journal,
) -> Result<Working, Error> {
    let working = Working::in_memory(disk, &directory.join("sled"));
    fill(&working, journal)?;
    Ok(working)
}

fn fill(working: &Working, journal: &Journal) -> Result<u64, Error> {
    let start = AppliedV2 {
        segment: Position::START.segment,
        offset: Position::START.offset,
        generation: journal.generation(),
        ..AppliedV2::default()
    };
    catch_up(working, journal, &start)
}

/// Opens an existing working store. Returns how far it has come.
fn trusted(disk: &Arc<dyn Disk>, path: &Path, journal: &Journal) -> Result<(Working, AppliedV2), Error> {
    let working = Working::open(disk, path)?;
    let applied = working.applied()?;
    let Some(applied) = applied else {
        let Position { segment, offset } = Position::START;
        return Ok((working, AppliedV2 { segment, offset, ..AppliedV2::default() }));
    };
    check_end(journal, applied.sequence, path)?;
    let failed =
        |problem: &str| Error::WorkingStore { path: path.to_path_buf(), problem: problem.to_owned() };
    if applied.generation != journal.generation() {
        return Err(failed("the journal was rewritten since"));
    }
    let end = Position { segment: applied.segment, offset: applied.offset };
    if end > journal.end() {
        return Err(failed("it says that the journal is longer than it is"));
    }
    working.namespaces()?;
    Ok((working, applied))
}

/// Refuses a journal that ends before what a working store was given.
fn check_end(journal: &Journal, acknowledged: u64, path: &Path) -> Result<(), Error> {
    if acknowledged <= journal.sequence() {
        return Ok(());
    }
    // The journal is synced before a commit is applied, so what is missing was acknowledged.
    Err(Error::Damaged {
        path: journal.segments().path(journal.end().segment),
        offset: journal.end().offset,
        problem: format!(
            "acknowledged commits: {acknowledged}, left: {}, says {}",
            journal.sequence(),
            path.display()
        ),
    })
}

/// Applies what the journal holds beyond `applied`. Returns how many frames that was.
fn catch_up(working: &Working, journal: &Journal, applied: &AppliedV2) -> Result<u64, Error> {
    /// Frames that are applied as one batch.
    const BATCH: usize = 1024;
    let mut commits = 0;
    let mut waiting = Vec::new();
    let from = Position { segment: applied.segment, offset: applied.offset };
    journal.replay(from, applied.sequence, |frame| {
        let damaged = |problem| journal.segments().damaged(frame.at, problem);
        let summary = record::summary(frame.form(), frame.meta(), frame.blob()).map_err(damaged)?;
        waiting.push(Application {
            sequence: frame.header.sequence,
            at: frame.at,
            next: frame.next,
            summary,
        });
        commits += 1;
        if waiting.len() < BATCH {
            return Ok(());
        }
        working.apply(&std::mem::take(&mut waiting), journal.generation())
    })?;
    working.apply(&waiting, journal.generation())?;
    Ok(commits)
}

/// Removes a working store that is of no more use, or what is left of one.
pub(super) fn remove_working(disk: &Arc<dyn Disk>, directory: &Path, path: &Path) -> Result<(), Error> {
    let removed = match fs::symlink_metadata(path) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(()),
        Err(error) => Err(error),
        Ok(found) if found.is_dir() => fs::remove_dir_all(path),
        Ok(_) => fs::remove_file(path),
    };
    removed.map_err(Error::io("remove", path))?;
    sync_directory(&**disk, directory)
}

/// Sets a working store aside, for whoever wants to know what was wrong with it. Where that was done often enough, as on
/// a disk that fails again and again, it is removed: the first ones tell most.
fn set_aside(disk: &Arc<dyn Disk>, directory: &Path, path: &Path) -> Result<Option<PathBuf>, Error> {
    let list = disk.list(directory).map_err(Error::io("list", directory))?;
    let aside = |name: &&std::ffi::OsString| {
        name.to_string_lossy().starts_with("quarantine-") && directory.join(name).join(DATABASE).exists()
    };
    if list.iter().filter(aside).count() >= SET_ASIDE_MAX {
        remove_working(disk, directory, path)?;
        return Ok(None);
    }
    let quarantine = free_path(directory, "quarantine");
    disk.rename(path, &quarantine).map_err(Error::io("set aside", path))?;
    sync_directory(&**disk, directory)?;
    Ok(Some(quarantine))
}
