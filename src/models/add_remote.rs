//! Makes a model behind an endpoint known on this machine, where it answers as it should.

use std::fs;

use lorebase_engine::embed::Embedder;

use super::add::{self, Added, TRIAL};
use super::files;
use super::installed::{self, Models};
use super::manifest::Manifest;
use super::remote::{RemoteEmbedder, Settings};
use crate::error::Error;

/// Asks the endpoint for a vector, and keeps where it is and how it is asked, under a name: that of the model there, where
/// nobody gives one.
///
/// # Errors
/// Where the endpoint gives none, another model has the name, and the system's.
pub fn remote(models: &Models, settings: &Settings, name: Option<&str>) -> Result<Added, Error> {
    let name = name.map_or_else(|| name_of(&settings.model), str::to_owned);
    installed::check_name(&name)?;
    let work = models.begin()?;
    let dimensions = RemoteEmbedder::tried(settings, TRIAL)?.identity().dimensions;
    let manifest = Manifest::of_remote(&name, settings.clone(), dimensions);
    if let Some(model) = add::here(models, &name)? {
        if model.manifest == manifest {
            return Ok(Added { model, new: false });
        }
        return Err(add::taken(&name));
    }
    let directory = work.path("model");
    fs::create_dir(&directory).map_err(files::io("make", &directory))?;
    Ok(Added { model: work.finish(&directory, manifest)?, new: true })
}

/// A name after that of the model at the endpoint, such as `openai/text-embedding-3-small:latest`.
fn name_of(model: &str) -> String {
    let last = model.trim_end_matches('/').rsplit('/').next().unwrap_or_default();
    let fits = |c: char| if c.is_ascii_alphanumeric() || "._-".contains(c) { c } else { '-' };
    last.chars().map(fits).collect()
}
