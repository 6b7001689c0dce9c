//! Texts and files of the sets: reading one text by an extractor, the languages of a set, tab-separated
//! lines.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use lorebase_engine::error::IoError;
use lorebase_engine::model::episode::Episode;
use lorebase_engine::model::extraction::Extraction;
use lorebase_engine::model::id::{Namespace, SessionId};
use lorebase_engine::model::time::Timestamp;
use lorebase_extract::extractor::Extractor;
use lorebase_extract::transcript::TranscriptSession;
use serde::Deserialize;
use serde::de::DeserializeOwned;

use crate::error::Error;
use crate::files::read_json_lines;

/// What an extractor finds in a text that stands alone: without speaker and time.
pub(super) fn read_text(extractor: &dyn Extractor, text: &str) -> Result<Extraction, String> {
    let (namespace, session) = (Namespace::default(), SessionId::new("text"));
    let episode = Episode {
        id: Episode::id_of(&namespace, &session, 0, (None, None), text),
        session,
        position: 0,
        speaker: None,
        text: text.to_owned(),
        occurred_at: None,
        recorded_at: told_at(),
        source_id: None,
        expires_at: None,
        told_at: None,
    };
    let found = extractor.extract(&[episode]).into_iter().next();
    found.unwrap_or_else(|| Err("the extractor gave nothing for an episode".to_owned()))
}

/// The episodes of a transcript's session.
pub(super) fn episodes(session: TranscriptSession) -> Vec<Episode> {
    episodes_in(&Namespace::default(), session)
}

/// The episodes of a transcript's session, in a namespace.
pub(super) fn episodes_in(namespace: &Namespace, session: TranscriptSession) -> Vec<Episode> {
    session.into_episodes(namespace, told_at())
}

/// When the memory is told, which no extractor may look at.
fn told_at() -> Timestamp {
    Timestamp::from_millis(0).expect("the epoch is in range")
}

/// A text of a set of short texts.
#[derive(Debug, Deserialize)]
pub(super) struct Text {
    pub(super) id: String,
    pub(super) text: String,
}

/// The texts of one language with their labels, in the order of the file.
pub(super) struct Labelled<L> {
    /// As the file names it; the file without a language is English.
    pub(super) language: String,
    pub(super) texts: Vec<(Text, L)>,
}

/// A line of labels.
pub(super) trait Label: DeserializeOwned {
    /// Of which text.
    fn id(&self) -> &str;
}

/// Reads a directory of `dataset.jsonl`, `dataset.LANGUAGE.jsonl`, `labels.jsonl` and, where a language has
/// labels of its own, `labels.LANGUAGE.jsonl`: English first, then by name.
pub(super) fn read_labelled<L: Label + Clone>(directory: &Path) -> Result<Vec<Labelled<L>>, Error> {
    let common: BTreeMap<String, L> = read_labels(&directory.join("labels.jsonl"))?;
    let mut sets = Vec::new();
    for (language, path) in languages(directory)? {
        let own = directory.join(format!("labels.{language}.jsonl"));
        let labels = if own.exists() { read_labels(&own)? } else { common.clone() };
        let mut texts = Vec::new();
        read_json_lines(&path, |line, text: Text| {
            let label = labels.get(&text.id).cloned();
            let label = label.ok_or_else(|| Error::Malformed {
                path: path.clone(),
                line,
                problem: format!("text \"{}\" has no line among the labels", text.id),
            })?;
            texts.push((text, label));
            Ok(())
        })?;
        sets.push(Labelled { language, texts });
    }
    Ok(sets)
}

fn read_labels<L: Label>(path: &Path) -> Result<BTreeMap<String, L>, Error> {
    let mut labels = BTreeMap::new();
    read_json_lines(path, |_, label: L| {
        labels.insert(label.id().to_owned(), label);
        Ok(())
    })?;
    Ok(labels)
}

/// The languages of a directory with their files.
fn languages(directory: &Path) -> Result<Vec<(String, PathBuf)>, Error> {
    let mut found = vec![("en".to_owned(), directory.join("dataset.jsonl"))];
    let mut others = Vec::new();
    for entry in fs::read_dir(directory).map_err(IoError::of("list", directory))? {
        let name = entry.map_err(IoError::of("list", directory))?.file_name();
        let name = name.to_string_lossy();
        let language = name.strip_prefix("dataset.").and_then(|rest| rest.strip_suffix(".jsonl"));
        if let Some(language) = language {
            others.push((language.to_owned(), directory.join(&*name)));
        }
    }
    others.sort();
    found.extend(others);
    Ok(found)
}

/// Reads a file of tab-separated lines without quoting; `take` gets the number of the line, from 1, and its
/// fields.
pub(super) fn read_tabbed(
    path: &Path,
    mut take: impl FnMut(usize, &[&str]) -> Result<(), String>,
) -> Result<(), Error> {
    let content = fs::read_to_string(path).map_err(IoError::of("read", path))?;
    for (index, line) in content.lines().enumerate() {
        let fields: Vec<&str> = line.trim().split('\t').collect();
        take(index + 1, &fields).map_err(|problem| Error::Malformed {
            path: path.to_path_buf(),
            line: index as u64 + 1,
            problem,
        })?;
    }
    Ok(())
}
