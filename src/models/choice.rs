//! Which model makes the vectors of a store: a file in the store's directory, outside of its journal, as the store is whole
//! without it.

use std::path::Path;
use std::sync::Arc;

use lorebase_engine::embed::{Embedder, TableEmbedder};
use serde::{Deserialize, Serialize};

use super::files;
use crate::error::Error;

/// The file's name.
pub const FILE: &str = "model.json";

/// Names that mean the model that is always there.
pub const BUILT_IN: [&str; 2] = ["builtin", "none"];

/// Which model makes a store's vectors.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Choice {
    /// What it is called.
    pub model: String,
    /// The name of its identity, which tells weights and usage.
    pub identity: String,
    /// Where it came from.
    pub source: String,
    /// What it is called at an endpoint, if it is behind one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub remote: Option<String>,
}

impl Choice {
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
    Arc::new(TableEmbedder::default())
}
