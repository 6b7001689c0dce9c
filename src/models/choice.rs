//! Which model makes the vectors of a store: a file in the store's directory, outside of its journal, as the store is whole
//! without it.

use std::path::Path;
use std::sync::Arc;

use lorebase_engine::embed::{Embedder, HashEmbedder};
use serde::{Deserialize, Serialize};

use super::catalogue::{Home, KnownModel};
use super::files;
use super::installed::{BUILT_IN, Installed, Models};
use super::local::{LocalEmbedder, Usage};
use super::manifest::{Manifest, ModelFile, Origin};
use super::parts;
use crate::error::Error;

/// The file's name.
pub const FILE: &str = "model.json";

/// Which model makes a store's vectors.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Choice {
    /// What it is called.
    pub model: String,
    /// The name of its identity, which tells weights and usage.
    pub identity: String,
    /// Where it came from.
    pub source: String,
}

impl Choice {
    /// The choice of a model that is here.
    pub fn of(model: &Installed) -> Self {
        let Manifest { name, source, .. } = &model.manifest;
        Self { model: name.clone(), identity: model.manifest.identity().name, source: source.clone() }
    }

    /// That of the store in a directory; `None` for the built-in embedder.
    ///
    /// # Errors
    /// Where the file cannot be read.
    pub fn read(store: &Path) -> Result<Option<Self>, Error> {
        let path = store.join(FILE);
        match std::fs::read(&path) {
            Ok(bytes) => serde_json::from_slice(&bytes).map(Some).map_err(|error| {
                let problem = format!("{error}; choose the store's model again with `lore model use`");
                Error::Model { place: path.display().to_string(), problem }
            }),
            Err(error)
                if matches!(
                    error.kind(),
                    std::io::ErrorKind::NotFound | std::io::ErrorKind::NotADirectory
                ) =>
            {
                Ok(None)
            }
            Err(error) => Err(files::io("read", &path)(error)),
        }
    }

    /// Makes it that of the store in a directory, in one step that lasts. `None` goes back to the built-in embedder.
    ///
    /// # Errors
    /// Where the file cannot be written.
    pub fn write(choice: Option<&Self>, store: &Path) -> Result<(), Error> {
        let path = store.join(FILE);
        let Some(choice) = choice else {
            files::remove(&path)?;
            return files::sync_directory(store);
        };
        files::replace(&path, &serde_json::to_vec_pretty(choice).expect("it is made of texts"))
    }

    /// The model that was chosen, from those on this machine, under whatever name.
    ///
    /// # Errors
    /// Where it is not here, or damaged.
    pub fn find(&self, models: &Models) -> Result<Installed, Error> {
        let (here, _) = models.list()?;
        let is_it = |model: &Installed| model.manifest.identity().name == self.identity;
        here.into_iter().find(is_it).ok_or_else(|| self.missing(models))
    }

    fn missing(&self, models: &Models) -> Error {
        let Self { model, identity, source } = self;
        let get = match KnownModel::named(model).map(|known| known.home) {
            Some(Home::Hub { .. }) => format!("run `lore model add {model}`"),
            _ => format!("add it again with `lore model add --from` (it came from {source})"),
        };
        let problem = format!(
            "{model} ({identity}) is not among the models in {}; {get}, give --model builtin to go without it, or choose \
             another with `lore model use`",
            models.directory().display()
        );
        Error::Argument { argument: "the store's model", problem }
    }
}

/// Copies the choice of one store to another, which is a copy of it.
///
/// # Errors
/// Where the file cannot be read or written.
pub fn copy(from: &Path, to: &Path) -> Result<(), Error> {
    let path = from.join(FILE);
    match std::fs::read(&path) {
        Ok(bytes) => files::replace(&to.join(FILE), &bytes),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(()),
        Err(error) => Err(files::io("read", &path)(error)),
    }
}

/// The embedder that is always there.
pub fn built_in() -> Arc<dyn Embedder> {
    Arc::new(HashEmbedder::default())
}

/// The embedder that the store in a directory asks for.
///
/// # Errors
/// Where its model is not on this machine, or damaged.
pub fn of_store(store: &Path, models: &Models) -> Result<Arc<dyn Embedder>, Error> {
    match Choice::read(store)? {
        Some(choice) => choice.find(models)?.embedder(),
        None => Ok(built_in()),
    }
}

/// The embedder that is named: `builtin`, a model on this machine, or the directory of one.
///
/// # Errors
/// Where there is none of that name, or it cannot be run.
pub fn named(name: &str, models: &Models) -> Result<Arc<dyn Embedder>, Error> {
    if BUILT_IN.contains(&name) {
        return Ok(built_in());
    }
    let path = Path::new(name);
    let found = if path.components().count() == 1 { models.find(name) } else { Ok(None) };
    match found {
        Ok(Some(model)) => model.embedder(),
        _ if path.is_dir() => in_directory(path),
        Ok(None) => Err(not_here(name, models)),
        Err(error) => Err(error),
    }
}

/// Tells that a model is not on this machine, and what to do.
pub fn not_here(name: &str, models: &Models) -> Error {
    let get = if KnownModel::named(name).is_some_and(|known| matches!(known.home, Home::Hub { .. })) {
        format!("run `lore model add {name}`")
    } else {
        "`lore model list` tells which are, and `lore model add` brings others".to_owned()
    };
    let problem = format!("{name} is not among the models in {}; {get}", models.directory().display());
    Error::Argument { argument: "the model", problem }
}

/// A model where its makers or we have put it.
fn in_directory(directory: &Path) -> Result<Arc<dyn Embedder>, Error> {
    if let Some(manifest) = Manifest::read(directory)? {
        return Installed { directory: directory.to_path_buf(), manifest }.embedder();
    }
    let shown = directory.display().to_string();
    let part = parts::choose(directory, None, &shown)?;
    let hashed = |name: &str| {
        let (sha256, bytes) = files::sha256(&part.directory.join(name))?;
        Ok(ModelFile { path: name.to_owned(), bytes, sha256 })
    };
    let list = part.files().into_iter().map(hashed).collect::<Result<Vec<_>, Error>>()?;
    let known = list.last().and_then(|weights| KnownModel::of_weights(&weights.sha256));
    let usage = known.map(KnownModel::usage).unwrap_or_default().or(Usage::told(&part.directory)?);
    if usage.pooling.is_none() {
        let problem =
            "nothing tells how its vectors are made; add it with `lore model add --from` and --pooling"
                .to_owned();
        return Err(Error::Model { place: shown, problem });
    }
    let name = known.map_or_else(
        || {
            part.directory
                .file_name()
                .map_or_else(|| "model".to_owned(), |name| name.to_string_lossy().into_owned())
        },
        |known| known.name.to_owned(),
    );
    // The width is not known before the model is open, and is no part of the name.
    let origin = Origin { source: shown, revision: None, licence: None };
    let identity = Manifest::new(&name, origin, &usage, 0, list).identity().name;
    Ok(Arc::new(LocalEmbedder::open(&part.directory, &identity, &usage)?))
}
