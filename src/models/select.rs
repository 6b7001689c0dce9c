//! Which of the models on this machine is meant: the one that a store asks for, or the one that is named.

use std::path::Path;
use std::sync::Arc;

use lorebase_engine::embed::Embedder;
use lorebase_query::rerank::Reranker;

use super::catalogue::{Home, KnownModel};
use super::choice::{self, BUILT_IN, Choice};
use super::hashes;
use super::installed::{Installed, Models};
use super::local::{CrossEncoder, LocalEmbedder, Precision, Usage};
use super::manifest::{Kind, Manifest, ModelFile, Origin};
use super::parts;
use crate::error::Error;

impl Choice {
    /// The choice of a model that is here.
    pub fn of(model: &Installed) -> Self {
        let Manifest { name, source, .. } = &model.manifest;
        let remote = model.manifest.remote.as_ref().map(|remote| remote.model.clone());
        Self { model: name.clone(), identity: model.manifest.identity().name, source: source.clone(), remote }
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
        let Self { model, identity, source, remote } = self;
        let get = match KnownModel::named(model).map(|known| known.home) {
            _ if let Some(remote) = remote => {
                format!(
                    "add it again with `lore model add --remote {source} --remote-model {remote}` and what else was given"
                )
            }
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

/// The embedder that the store in a directory asks for.
///
/// # Errors
/// Where its model is not on this machine, or damaged.
pub fn of_store(store: &Path, models: &Models) -> Result<Arc<dyn Embedder>, Error> {
    match Choice::read(store)? {
        Some(choice) => choice.find(models)?.embedder(),
        None => Ok(choice::built_in()),
    }
}

/// The embedder that is named: `builtin`, a model on this machine, or the directory of one.
///
/// # Errors
/// Where there is none of that name, or it cannot be run.
pub fn named(name: &str, models: &Models) -> Result<Arc<dyn Embedder>, Error> {
    if BUILT_IN.contains(&name) {
        return Ok(choice::built_in());
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

/// The reranker that is named: one on this machine, or the directory of one; without a name, the only one on this machine.
///
/// # Errors
/// Where there is none of that name, none at all or several, or it cannot be run.
pub fn reranker(name: Option<&str>, models: &Models) -> Result<Arc<dyn Reranker>, Error> {
    let Some(name) = name else { return only_reranker(models) };
    let path = Path::new(name);
    let found = if path.components().count() == 1 { models.find(name) } else { Ok(None) };
    match found {
        Ok(Some(model)) => model.reranker(),
        _ if path.is_dir() => {
            if let Some(manifest) = Manifest::read(path)? {
                return Installed { directory: path.to_path_buf(), manifest }.reranker();
            }
            Ok(Arc::new(CrossEncoder::open(path, name, None, Precision::default())?))
        }
        Ok(None) => Err(not_here(name, models)),
        Err(error) => Err(error),
    }
}

fn only_reranker(models: &Models) -> Result<Arc<dyn Reranker>, Error> {
    let (mut here, _) = models.list()?;
    here.retain(|model| model.manifest.kind == Kind::Reranker);
    let problem = match &here[..] {
        [only] => return only.reranker(),
        [] => format!(
            "needs a reranker, and there is none in {}; `lore model list` tells which are known and where they come from",
            models.directory().display()
        ),
        several => {
            let names: Vec<&str> = several.iter().map(|model| &*model.manifest.name).collect();
            format!("can be each of {}; name one, such as --rerank={}", names.join(", "), names[0])
        }
    };
    Err(Error::Argument { argument: "--rerank", problem })
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
        let (sha256, bytes) = hashes::sha256(&part.directory.join(name))?;
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
