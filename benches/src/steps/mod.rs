//! Steps of a measurement, each run in a process of its own: the program runs itself again with the step as its only
//! argument. So no step finds memory that another has used, and what is resident is the step's own.

mod ask;
mod group;
mod ingest;
mod open;
mod parts;
mod spaces;

use std::path::PathBuf;
use std::process::{Command, Stdio};

use anyhow::{Context as _, ensure};
use lorebase::engine::model::id::Namespace;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

pub use self::ask::{Answers, KindAnswers};
pub use self::group::Grouped;
pub use self::ingest::Ingest;
pub use self::open::Opening;
pub use self::parts::{Part, Parts};
pub use self::spaces::{OneOfMany, Spaces};

/// The argument that a step stands behind.
pub const ARGUMENT: &str = "--step";

/// What a process of its own does.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub enum Step {
    /// Takes a world of so many turns into a new store; gives an [`Ingest`].
    Ingest(PathBuf, usize),
    /// Opens a store and asks one question; gives an [`Opening`].
    Open(PathBuf),
    /// Opens a store and loads all of its namespaces; gives an [`Opening`].
    OpenAll(PathBuf),
    /// As [`Step::Open`], with vectors of one number, so as to tell what vectors take.
    OpenWithoutVectors(PathBuf),
    /// Asks questions of each kind about a world of so many turns; gives [`Answers`].
    Ask(PathBuf, usize, usize),
    /// Takes so many small worlds of so many turns into a namespace each; gives [`Spaces`].
    Spaces(PathBuf, usize, usize),
    /// Opens a store of many namespaces and asks in one; gives a [`OneOfMany`].
    OneOfMany(PathBuf, usize),
    /// Takes a world of so many turns in and tells what each part of that costs; gives [`Parts`].
    Parts(PathBuf, usize),
    /// Commits notes on so many threads at once for so many seconds; gives a [`Grouped`].
    Group(PathBuf, usize, f64),
}

/// The namespace of a store that holds one world.
pub(crate) fn world_namespace() -> anyhow::Result<Namespace> {
    Ok(Namespace::new("world")?)
}

/// Runs a step in a process of its own and gives what it found.
///
/// # Errors
/// Where the process cannot be run or fails.
pub fn child<T: DeserializeOwned>(step: &Step) -> anyhow::Result<T> {
    let program = std::env::current_exe()?;
    let argument = serde_json::to_string(step)?;
    let output = Command::new(program).args([ARGUMENT, &argument]).stderr(Stdio::inherit()).output()?;
    ensure!(output.status.success(), "the step {argument} ended with {}", output.status);
    serde_json::from_slice(&output.stdout).with_context(|| format!("the step {argument} gave no figures"))
}

/// Does a step and gives what it found as JSON.
///
/// # Errors
/// Where the step fails.
pub fn run(step: &str) -> anyhow::Result<String> {
    Ok(match serde_json::from_str(step)? {
        Step::Ingest(store, turns) => serde_json::to_string(&ingest::ingest(&store, turns)?),
        Step::Open(store) => serde_json::to_string(&open::open(&store)?),
        Step::OpenAll(store) => serde_json::to_string(&open::open_all(&store)?),
        Step::OpenWithoutVectors(store) => serde_json::to_string(&open::without_vectors(&store)?),
        Step::Ask(store, turns, each) => serde_json::to_string(&ask::ask(&store, turns, each)?),
        Step::Spaces(store, spaces, turns) => serde_json::to_string(&spaces::ingest(&store, spaces, turns)?),
        Step::OneOfMany(store, spaces) => serde_json::to_string(&spaces::ask_in_one(&store, spaces)?),
        Step::Parts(store, turns) => serde_json::to_string(&parts::parts(&store, turns)?),
        Step::Group(store, threads, seconds) => {
            serde_json::to_string(&group::group(&store, threads, seconds)?)
        }
    }?)
}
