//! The models on this machine: one directory each, below one for all of them. A model comes there whole, by one renaming,
//! and whoever adds or removes one holds a lock.

use std::fs::{self, File, TryLockError};
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use lorebase_engine::embed::{Embedder, ModelIdentity};
use lorebase_engine::error::Error as EngineError;
use lorebase_query::rerank::Reranker;

use super::choice::BUILT_IN;
use super::files;
use super::local::{CrossEncoder, LocalEmbedder, Usage};
use super::manifest::{Kind, Manifest};
#[cfg(feature = "remote-models")]
use super::remote::RemoteEmbedder;
use super::remote::Settings;
use crate::error::Error;

/// What is on its way into the directory or out of it; what is left here is of no use.
const WORK: &str = ".adding";
/// Files that are not wholly downloaded, by their hash: the next try goes on with them.
const DOWNLOADS: &str = ".downloads";
/// Held by whoever adds or removes.
const LOCK: &str = ".lock";
/// The longest name.
const NAME_MAX: usize = 100;

/// The directory of all models.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Models {
    directory: PathBuf,
}

/// A model on this machine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Installed {
    /// Where it lies.
    pub directory: PathBuf,
    /// What is known of it.
    pub manifest: Manifest,
}

impl Models {
    /// Those in a directory, which need not exist.
    pub fn at(directory: &Path) -> Self {
        Self { directory: directory.to_path_buf() }
    }

    /// The directory.
    pub fn directory(&self) -> &Path {
        &self.directory
    }

    /// All of them, by name, and what stands in their place and cannot be read.
    ///
    /// # Errors
    /// Where the directory cannot be read.
    pub fn list(&self) -> Result<(Vec<Installed>, Vec<Error>), Error> {
        let entries = match fs::read_dir(&self.directory) {
            Ok(entries) => entries,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
                return Ok((Vec::new(), Vec::new()));
            }
            Err(error) => return Err(files::io("read", &self.directory)(error)),
        };
        let (mut found, mut damaged) = (Vec::new(), Vec::new());
        for entry in entries {
            let directory = entry.map_err(files::io("read", &self.directory))?.path();
            if directory.file_name().is_some_and(|name| name.to_string_lossy().starts_with('.')) {
                continue;
            }
            match Manifest::read(&directory) {
                Ok(Some(manifest)) => found.push(Installed { directory, manifest }),
                Ok(None) => {}
                Err(error) => damaged.push(error),
            }
        }
        found.sort_by(|one, other| one.manifest.name.cmp(&other.manifest.name));
        Ok((found, damaged))
    }

    /// The model of a name, or `None` where it is not here.
    ///
    /// # Errors
    /// For a name that cannot be one, and where the model is damaged.
    pub fn find(&self, name: &str) -> Result<Option<Installed>, Error> {
        check_name(name)?;
        let directory = self.directory.join(name);
        Ok(Manifest::read(&directory)?.map(|manifest| Installed { directory, manifest }))
    }

    /// Removes the model of a name. Returns how many bytes it took, or `None` where there was none.
    ///
    /// # Errors
    /// For a name that cannot be one, where another process adds or removes a model, and the system's.
    pub fn remove(&self, name: &str) -> Result<Option<u64>, Error> {
        check_name(name)?;
        let directory = self.directory.join(name);
        if !directory.is_dir() {
            return Ok(None);
        }
        let work = self.begin()?;
        // What cannot be read is removed as well.
        let bytes = Manifest::read(&directory).ok().flatten().map_or(0, |manifest| manifest.bytes());
        // In one step, so that nobody sees a model of which half is gone.
        let going = work.directory.join(name);
        fs::rename(&directory, &going).map_err(files::io("remove", &directory))?;
        files::remove(&going)?;
        Ok(Some(bytes))
    }

    /// Begins to add or remove: nobody else does until the value goes.
    pub(super) fn begin(&self) -> Result<Work, Error> {
        fs::create_dir_all(&self.directory).map_err(files::io("make", &self.directory))?;
        let path = self.directory.join(LOCK);
        let lock = File::options().create(true).truncate(false).write(true).open(&path);
        let lock = lock.map_err(files::io("write", &path))?;
        match lock.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                return Err(Error::ModelsBusy { directory: self.directory.clone() });
            }
            Err(TryLockError::Error(error)) => return Err(files::io("lock", &path)(error)),
        }
        let directory = self.directory.join(WORK);
        // What a run that was killed has left.
        files::remove(&directory)?;
        fs::create_dir(&directory).map_err(files::io("make", &directory))?;
        Ok(Work { models: self.clone(), directory, _lock: lock })
    }
}

/// A place to put a model together in. What is in it goes when the value does.
pub(super) struct Work {
    models: Models,
    directory: PathBuf,
    _lock: File,
}

impl Work {
    /// A path for a file or directory of that name, of which there is none.
    pub(super) fn path(&self, name: &str) -> PathBuf {
        self.directory.join(name)
    }

    /// Where files lie that are not wholly downloaded.
    pub(super) fn downloads(&self) -> Result<PathBuf, Error> {
        let directory = self.models.directory.join(DOWNLOADS);
        fs::create_dir_all(&directory).map_err(files::io("make", &directory))?;
        Ok(directory)
    }

    /// Makes what stands in `directory` the model that the manifest says. All its files must last already.
    pub(super) fn finish(&self, directory: &Path, manifest: Manifest) -> Result<Installed, Error> {
        manifest.write(directory)?;
        let to = self.models.directory.join(&manifest.name);
        fs::rename(directory, &to).map_err(files::io("make", &to))?;
        files::sync_directory(&self.models.directory)?;
        Ok(Installed { directory: to, manifest })
    }
}

impl Drop for Work {
    fn drop(&mut self) {
        // The next run removes what cannot be removed now.
        let _ = files::remove(&self.directory);
        // Goes only where nothing is in it.
        let _ = fs::remove_dir(self.models.directory.join(DOWNLOADS));
    }
}

/// Refuses names that are no single directory, are hidden, or mean something else.
pub(super) fn check_name(name: &str) -> Result<(), Error> {
    let of_one = |c: char| c.is_ascii_alphanumeric() || "._-".contains(c);
    let good = name.chars().all(of_one) && name.starts_with(|c: char| c.is_ascii_alphanumeric());
    if good && name.len() <= NAME_MAX && !BUILT_IN.contains(&name) {
        return Ok(());
    }
    let problem = format!(
        "\"{}\" cannot be one; use letters, digits, dots, dashes and underscores, such as bge-small-en-v1.5",
        name.chars().take(NAME_MAX).collect::<String>().escape_debug()
    );
    Err(Error::Argument { argument: "the model's name", problem })
}

impl Installed {
    /// The model as one that looks at hits again.
    ///
    /// # Errors
    /// Where it is no cross-encoder, or one of its files is missing or damaged.
    pub fn reranker(&self) -> Result<Arc<dyn Reranker>, Error> {
        self.check(Kind::Reranker)?;
        let Usage { most_tokens, precision, .. } = self.manifest.usage();
        let name = self.manifest.identity().name;
        Ok(Arc::new(CrossEncoder::open(&self.directory, &name, most_tokens, precision)?))
    }

    /// Refuses a model that is damaged, or not of the kind that is asked for.
    fn check(&self, kind: Kind) -> Result<(), Error> {
        let refuse = |problem| Error::Model { place: self.directory.display().to_string(), problem };
        if let Some(damage) = self.damage() {
            return Err(refuse(format!("{damage}; remove the model and add it again")));
        }
        let name = &self.manifest.name;
        match (kind == Kind::Reranker, self.manifest.kind == Kind::Reranker) {
            (false, true) => {
                Err(refuse(format!("it makes no vectors but looks at hits again: --rerank={name}")))
            }
            (true, false) => Err(refuse(
                "it makes vectors; to look at hits again takes a cross-encoder, see `lore model list`"
                    .to_owned(),
            )),
            _ => Ok(()),
        }
    }

    /// The model as an embedder. Its weights are read, or its endpoint is asked, when the first vector is.
    ///
    /// # Errors
    /// Where one of its files is missing or of another length.
    pub fn embedder(&self) -> Result<Arc<dyn Embedder>, Error> {
        self.check(Kind::Local)?;
        let refuse = |problem| Error::Model { place: self.directory.display().to_string(), problem };
        if let Some(settings) = &self.manifest.remote {
            return remote(settings, self.manifest.dimensions, refuse);
        }
        Ok(Arc::new(Lazy { identity: self.manifest.identity(), model: self.clone(), read: OnceLock::new() }))
    }

    /// What is wrong with its files, as far as their lengths tell.
    pub fn damage(&self) -> Option<String> {
        self.manifest.damage(&self.directory)
    }
}

#[cfg(feature = "remote-models")]
fn remote(
    settings: &Settings,
    dimensions: usize,
    refuse: impl Fn(String) -> Error,
) -> Result<Arc<dyn Embedder>, Error> {
    let embedder = RemoteEmbedder::new(settings, dimensions);
    Ok(Arc::new(embedder.map_err(|error| refuse(format!("{error}; remove the model and add it again")))?))
}

#[cfg(not(feature = "remote-models"))]
fn remote(_: &Settings, _: usize, refuse: impl Fn(String) -> Error) -> Result<Arc<dyn Embedder>, Error> {
    Err(refuse(
        "it is behind an endpoint, and this lorebase was built without the feature remote-models".to_owned(),
    ))
}

/// A model whose weights are read when the first vector is asked for: most commands ask for none.
struct Lazy {
    identity: ModelIdentity,
    model: Installed,
    read: OnceLock<Result<LocalEmbedder, String>>,
}

impl Lazy {
    fn get(&self) -> Result<&LocalEmbedder, EngineError> {
        let Installed { directory, manifest } = &self.model;
        let open = || LocalEmbedder::open(directory, &self.identity.name, &manifest.usage());
        let read = self.read.get_or_init(|| open().map_err(|error| error.to_string()));
        let refuse = |problem: &String| EngineError::Embedder {
            model: self.identity.name.clone(),
            problem: problem.clone(),
        };
        read.as_ref().map_err(refuse)
    }
}

impl Embedder for Lazy {
    fn identity(&self) -> &ModelIdentity {
        &self.identity
    }

    fn embed(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>, EngineError> {
        self.get()?.embed(texts)
    }

    fn embed_question(&self, question: &str) -> Result<Vec<f32>, EngineError> {
        self.get()?.embed_question(question)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_single_directories() {
        for good in ["bge-small-en-v1.5", "a", "E5_x"] {
            assert!(check_name(good).is_ok(), "{good}");
        }
        for bad in ["", ".", "..", ".hidden", "a/b", "a\\b", "-x", "builtin", "none", "é", &"x".repeat(101)]
        {
            assert!(check_name(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn one_adds_at_a_time_and_leaves_nothing_behind() {
        let directory = tempfile::tempdir().unwrap();
        let models = Models::at(&directory.path().join("models"));
        assert_eq!(models.list().unwrap().0, []);
        let work = models.begin().unwrap();
        fs::write(work.path("half"), "x").unwrap();
        assert!(matches!(models.begin(), Err(Error::ModelsBusy { .. })));
        drop(work);
        assert!(!models.directory().join(WORK).exists());
        // As after a kill.
        fs::create_dir_all(models.directory().join(WORK).join("half/of/it")).unwrap();
        assert!(!models.begin().unwrap().path("half").exists());
        assert_eq!(models.list().unwrap().0, []);
        assert_eq!(models.remove("unknown").unwrap(), None);
    }
}
