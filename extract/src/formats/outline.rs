//! What a file of transcripts holds, counted: the first of the two times that it is read, so that nothing of a malformed
//! file is stored, and nobody needs to hold a large one.

use std::path::{Path, PathBuf};

use lorebase_engine::model::time::SourceTime;
use rustc_hash::FxHashMap;

use crate::error::Error;
use crate::formats;
use crate::formats::format::Format;
use crate::formats::told::Told;

/// The most sessions that one file may hold, and the most transcripts.
pub const SESSIONS_MAX: u32 = 1 << 20;

/// A file of transcripts that was read once, from its beginning to its end.
#[derive(Debug)]
pub struct Outline {
    /// As it is named in errors.
    pub path: PathBuf,
    /// Where it lies.
    file: PathBuf,
    /// Its format.
    pub format: Format,
    /// Its transcripts, in order.
    pub documents: Vec<DocumentOutline>,
    /// All turns in it.
    pub turns: u64,
}

/// A transcript, counted.
#[derive(Debug, Default)]
pub struct DocumentOutline {
    /// Its sessions, in the order in which they first appear.
    pub sessions: Vec<SessionOutline>,
    /// Their numbers, by the names that the file gives them.
    numbers: FxHashMap<Box<str>, u32>,
}

/// A session, counted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SessionOutline {
    /// Its name: as the file gives it, behind the transcript's where the file holds several.
    pub id: String,
    /// When it began, or `None` where the file does not tell.
    pub at: Option<SourceTime>,
    /// Its turns.
    pub turns: u32,
}

impl DocumentOutline {
    /// The number of the session that the file calls so.
    pub fn number(&self, id: &str) -> Option<usize> {
        self.numbers.get(id).map(|number| *number as usize)
    }
}

impl Outline {
    /// Reads the file at `path` in the format named, or else the one that it looks like.
    ///
    /// # Errors
    /// As [`formats::read`], and [`Error::TooMany`].
    pub fn read(path: &Path, format: Option<Format>) -> Result<Self, Error> {
        Self::read_at(path, path, format)
    }

    /// Reads a file that lies at `file`, and goes by the name of `path` in errors and in names of sessions: a copy of
    /// what can be read only once.
    ///
    /// # Errors
    /// As [`Outline::read`].
    pub fn read_at(path: &Path, file: &Path, format: Option<Format>) -> Result<Self, Error> {
        let (reader, format) = formats::open(path, file, format)?;
        let mut counted =
            Counted { path, documents: Vec::new(), names: Vec::new(), sessions: 0, turns: 0, current: 0 };
        formats::stream(reader, path, format, &mut |told| counted.take(&told))?;
        let Counted { documents, names, turns, .. } = counted;
        let mut outline =
            Self { path: path.to_path_buf(), file: file.to_path_buf(), format, documents, turns };
        if outline.documents.len() > 1 {
            outline.name_sessions(&names);
        }
        Ok(outline)
    }

    /// Where a file holds several transcripts, the name of each stands before its sessions.
    fn name_sessions(&mut self, names: &[Option<String>]) {
        for (document, name) in self.documents.iter_mut().zip(names) {
            let Some(name) = name else { continue };
            for session in &mut document.sessions {
                session.id = format!("{name}/{}", session.id);
            }
        }
    }

    /// Reads the file again and hands on each piece.
    ///
    /// # Errors
    /// As [`formats::stream`].
    pub fn stream<E: From<Error>>(&self, tell: &mut dyn FnMut(Told<'_>) -> Result<(), E>) -> Result<(), E> {
        let (reader, format) = formats::open(&self.path, &self.file, Some(self.format))?;
        formats::stream(reader, &self.path, format, tell)
    }
}

/// A file while it is counted.
struct Counted<'p> {
    path: &'p Path,
    documents: Vec<DocumentOutline>,
    names: Vec<Option<String>>,
    sessions: u32,
    turns: u64,
    /// The session that turns belong to.
    current: usize,
}

impl Counted<'_> {
    fn take(&mut self, told: &Told<'_>) -> Result<(), Error> {
        let too_many = |what, limit| Error::TooMany { path: self.path.to_path_buf(), what, limit };
        if let Told::Document { name } = told {
            if self.documents.len() == SESSIONS_MAX as usize {
                return Err(too_many("transcripts", SESSIONS_MAX));
            }
            self.documents.push(DocumentOutline::default());
            self.names.push(name.map(str::to_owned));
            return Ok(());
        }
        let document = self.documents.last_mut().expect("a reader tells a document first");
        match told {
            Told::Document { .. } => {}
            Told::Session { id, at } => {
                let number = document.number(id);
                self.current = number.unwrap_or(document.sessions.len());
                if number.is_none() {
                    self.sessions += 1;
                    if self.sessions > SESSIONS_MAX {
                        return Err(too_many("sessions", SESSIONS_MAX));
                    }
                    document.numbers.insert((*id).into(), document.sessions.len() as u32);
                    document.sessions.push(SessionOutline { id: (*id).to_owned(), at: None, turns: 0 });
                }
                let session = &mut document.sessions[self.current];
                session.at = session.at.or(*at);
            }
            Told::Turn(_) => {
                let session = &mut document.sessions[self.current];
                session.turns =
                    session.turns.checked_add(1).ok_or_else(|| too_many("turns of one session", u32::MAX))?;
                self.turns += 1;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn sessions_are_counted_and_named_behind_their_transcript() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("two.jsonl");
        let case = |name| {
            format!(
                "{{\"case\": \"{name}\", \"sessions\": [{{\"id\": \"s\", \"at\": \"2024-01-01\", \"turns\": [{{\"text\": \"a\"}}, {{\"text\": \"b\"}}]}}]}}\n"
            )
        };
        fs::write(&path, case("x") + &case("y")).unwrap();
        let outline = Outline::read(&path, None).unwrap();
        let ids: Vec<_> = outline.documents.iter().flat_map(|document| &document.sessions).collect();
        assert_eq!(
            (outline.turns, ids[0].turns, ids[0].id.as_str(), ids[1].id.as_str()),
            (4, 2, "x/s", "y/s")
        );
        assert!(ids[0].at.is_some() && outline.documents[1].number("s") == Some(0));
        let mut turns = 0;
        outline
            .stream::<Error>(&mut |told| {
                turns += usize::from(matches!(told, Told::Turn(_)));
                Ok(())
            })
            .unwrap();
        assert_eq!(turns, 4);
    }

    #[test]
    fn too_many_sessions_are_named() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("many.txt");
        let lines: Vec<String> = (0..=SESSIONS_MAX).map(|n| format!("# {n} @ 2024-01-01\n")).collect();
        let lines = lines.concat();
        fs::write(&path, lines).unwrap();
        let error = Outline::read(&path, None).unwrap_err().to_string();
        assert!(error.contains("more than 1048576 sessions"), "{error}");
    }
}
