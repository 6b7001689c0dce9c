//! `ingest`: files of transcripts into a store. Each file is read twice: all of them before the first is
//! stored, so that a mistyped path or a malformed file changes nothing, and then again, turn by turn.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::Context as _;
use lorebase::engine::model::time::Timestamp;
use lorebase::extract::formats::format::Format;
use lorebase::extract::formats::outline::Outline;
use lorebase::extract::gate::mask::Secrets;

use super::args::Output;
use super::source::Source;
use super::{Outcome, Store, embed_pending, output, render, report};
use crate::wire;

/// A file that was read once, and what it takes to read it again.
struct File {
    outline: Outline,
    _source: Source,
}

impl Store {
    pub(super) fn ingest(
        &self,
        paths: &[PathBuf],
        format: Option<Format>,
        (secrets, expires_at): (Secrets, Option<Timestamp>),
    ) -> anyhow::Result<Outcome> {
        let namespace = self.namespace()?;
        let files = read_all(paths, format)?;
        for note in sessions_in_several_files(&files) {
            output::note(&note);
        }
        let memory = self.create_for(secrets, expires_at)?;
        let (mut told_files, mut refused) = (Vec::new(), 0);
        for File { outline, .. } in &files {
            let start = Instant::now();
            let bar = output::progress("ingesting", outline.turns);
            let told = memory
                .ingest_file(&namespace, outline, |episodes| bar.inc(episodes as u64))
                .with_context(|| format!("while ingesting {}", outline.path.display()))?;
            bar.finish_and_clear();
            refused += told.refused.len() + told.more_refused;
            let (path, seconds) = (outline.path.display().to_string(), start.elapsed().as_secs_f64());
            match self.shown {
                Output::Json => told_files.push(wire::ingested(&path, &told, seconds)),
                Output::Text => output::write(&render::ingested(&path, &told, seconds))?,
            }
        }
        let notices = embed_pending(&memory, [&namespace]);
        if self.shown == Output::Json {
            output::write_json(&wire::files(&told_files, &notices))?;
        }
        if refused == 0 {
            return Ok(Outcome::Done);
        }
        output::note(&format!("{} could not be stored; all others are", render::counted(refused, "turn")));
        Ok(Outcome::Nothing)
    }
}

/// Reads all files. Where some cannot be read, each is told, and the last one is the error.
fn read_all(paths: &[PathBuf], format: Option<Format>) -> anyhow::Result<Vec<File>> {
    let (mut read, mut failed) = (Vec::with_capacity(paths.len()), None);
    for path in paths {
        match read_one(path, format) {
            Ok(file) => read.push(file),
            Err(error) => {
                if let Some(before) = failed.replace(error) {
                    report(&before);
                }
            }
        }
    }
    failed.map_or(Ok(read), Err)
}

fn read_one(path: &Path, format: Option<Format>) -> anyhow::Result<File> {
    let source = Source::open(path)?;
    let outline = Outline::read_at(&source.shown, &source.file, format)?;
    Ok(File { outline, _source: source })
}

/// A note for each pair of files that name the same session: their turns would stand side by side in it.
fn sessions_in_several_files(files: &[File]) -> Vec<String> {
    if files.len() < 2 {
        return Vec::new();
    }
    let mut first: HashMap<&str, &Path> = HashMap::new();
    let mut notes = Vec::new();
    for File { outline, .. } in files {
        let sessions = outline.documents.iter().flat_map(|document| &document.sessions);
        let mut shared = sessions.filter_map(|session| {
            let before = *first.entry(&session.id).or_insert(&outline.path);
            (before != outline.path).then_some((&session.id, before))
        });
        if let Some((id, before)) = shared.next() {
            let more = match shared.count() {
                0 => String::new(),
                more => format!(" and {}", render::counted(more, "more session")),
            };
            notes.push(format!(
                "{} and {} both have session {}{more}: their turns stand side by side in it; give the sessions \
                 other names, or the files namespaces of their own, to keep them apart",
                before.display(),
                outline.path.display(),
                render::visible(id)
            ));
        }
    }
    notes
}
