//! Extraction measured: one scorer a set, the report of all, and what was missed and what was too much, for
//! tuning.

pub mod carb;
pub mod carb_match;
pub mod entities;
pub mod gap;
pub mod memories;
pub mod observations;
pub mod retired;
pub mod sample;
pub mod scores;
pub mod speed;
pub mod time;

mod conversations;
mod overlap;
mod table;
#[cfg(test)]
mod testing;
mod texts;

use std::path::{Path, PathBuf};

use lorebase_engine::error::IoError;
use lorebase_extract::extractor::Extractor;
use lorebase_extract::open::open_triples;
use serde::Serialize;

pub use overlap::COVERED;

use crate::error::Error;

/// What was missed and what was too much in one text of a set.
#[derive(Debug, Serialize)]
pub struct Item<'i> {
    /// The set, as its [`Part`] is called.
    pub set: &'static str,
    /// The language, where the set has several.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub language: Option<&'i str>,
    /// The text's id in its set.
    pub id: &'i str,
    /// The text.
    pub text: &'i str,
    /// Labels that were not found.
    pub missed: Vec<String>,
    /// What was found and is no label.
    pub extra: Vec<String>,
    /// All that was found.
    pub found: Vec<String>,
}

/// Gets the items as they are scored.
pub type Tell<'t> = dyn FnMut(&Item<'_>) + 't;

/// A set that extraction is measured on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Part {
    /// Entities of short texts.
    Entities,
    /// Typed memories of short texts.
    Memories,
    /// Open triples of sentences.
    Carb,
    /// Pronouns.
    Gap,
    /// LoCoMo's observations.
    Observations,
    /// Expressions of time.
    Times,
    /// Sentences a second.
    Speed,
}

impl Part {
    /// Every set with the name by which users call it.
    pub const ALL: [(Self, &'static str); 7] = [
        (Self::Entities, "entities"),
        (Self::Memories, "memories"),
        (Self::Carb, "carb"),
        (Self::Gap, "gap"),
        (Self::Observations, "observations"),
        (Self::Times, "times"),
        (Self::Speed, "speed"),
    ];

    /// The part called `name`.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|(_, known)| *known == name).map(|(part, _)| part)
    }
}

/// The scores of all sets that were measured; shown as a table.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Report {
    /// Entities of short texts.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub entities: Option<entities::EntitiesReport>,
    /// Typed memories of short texts.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub memories: Option<memories::MemoriesReport>,
    /// Open triples of sentences.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub carb: Option<carb::CarbReport>,
    /// Pronouns.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub gap: Option<gap::GapReport>,
    /// LoCoMo's observations.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub observations: Option<observations::ObservationsReport>,
    /// Expressions of time.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub times: Option<time::TimeReport>,
    /// Sentences a second.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub speed: Option<speed::SpeedReport>,
}

/// The gold tuples of CaRB, under the directory of the data.
///
/// # Errors
/// Where there are none, or several.
pub fn carb_file(directory: &Path) -> Result<PathBuf, Error> {
    half(directory, "openie", "carb", "tsv")
}

/// The file of a set under the directory of the data, of whichever half is there: "carb-dev.tsv" for the
/// prefix "carb".
fn half(directory: &Path, folder: &str, prefix: &str, ending: &str) -> Result<PathBuf, Error> {
    let folder = directory.join(folder);
    let entries = std::fs::read_dir(&folder).map_err(IoError::of("read", &folder))?;
    let fits = |path: &PathBuf| {
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        name.starts_with(prefix) && name.ends_with(ending)
    };
    let mut found: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).filter(fits).collect();
    match found.pop() {
        Some(path) if found.is_empty() => Ok(path),
        _ => Err(Error::NotOne { folder, pattern: format!("{prefix}*.{ending}") }),
    }
}

/// Measures an extractor on the parts, whose data stand in `directory` as `LOREBASE_DATA` names it.
pub fn measure(
    extractor: &dyn Extractor,
    directory: &Path,
    parts: &[Part],
    tell: &mut Tell<'_>,
) -> Result<Report, Error> {
    let mut report = Report::default();
    for part in parts {
        match part {
            Part::Entities => {
                let path = directory.join("extraction/entity_extraction");
                report.entities = Some(entities::score(extractor, &path, tell)?);
            }
            Part::Memories => {
                let path = directory.join("extraction/memory_extraction");
                report.memories = Some(memories::score(extractor, &path, tell)?);
            }
            Part::Carb => {
                let open = |sentence: &str| Ok(open_triples(sentence));
                report.carb = Some(carb::score(&open, &carb_file(directory)?, tell)?);
            }
            Part::Gap => {
                let path = half(directory, "coref", "gap", "tsv")?;
                report.gap = Some(gap::score(extractor, &path, tell)?);
            }
            Part::Observations => {
                let path = half(directory, "locomo", "locomo", "json")?;
                report.observations = Some(observations::score(extractor, &path, tell)?);
            }
            Part::Times => report.times = Some(time::score(&directory.join("time"), tell)?),
            Part::Speed => report.speed = Some(speed::measure(extractor, directory)?),
        }
    }
    Ok(report)
}
