//! `model.json`, the file that stands in the directory of each model that is known on this machine and is written last: which
//! files belong to it, where they came from, and how it is used.

use std::path::Path;

use lorebase_engine::embed::ModelIdentity;
use serde::{Deserialize, Serialize};

use super::files;
use super::hashes;
use super::local::{Pooling, Precision, Usage};
use super::remote::Settings;
use crate::error::Error;

/// The file's name.
pub const FILE: &str = "model.json";
/// The form that it has. Others are refused.
const FORMAT: u32 = 1;
/// Digits of a hash that stand in an identity.
const DIGITS: usize = 8;

/// What kind of model it is. A kind that is not known here is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Kind {
    /// A sentence encoder of which the files are here.
    #[default]
    Local,
    /// One behind an endpoint.
    Remote,
    /// A cross-encoder of which the files are here: it looks at hits again.
    Reranker,
}

impl Kind {
    /// As it stands in the file.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Local => "local",
            Self::Remote => "remote",
            Self::Reranker => "reranker",
        }
    }
}

/// What is known of a model on this machine.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Manifest {
    format: u32,
    /// What kind of model it is.
    #[serde(default)]
    pub kind: Kind,
    /// What it is called here.
    pub name: String,
    /// Where it came from: a repository of the hub, a path, or a URL.
    pub source: String,
    /// The commit of the repository, if it came from one.
    pub revision: Option<String>,
    /// The licence of its makers, where it is known.
    pub licence: Option<String>,
    /// Numbers in a vector; 0 for a model that makes none.
    pub dimensions: usize,
    pooling: Pooling,
    query_prefix: String,
    passage_prefix: String,
    most_tokens: Option<usize>,
    bits: u8,
    /// Its files; the weights are the last.
    pub files: Vec<ModelFile>,
    /// Where it is and how it is asked, of a remote one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub remote: Option<Settings>,
}

/// A file of a model.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ModelFile {
    /// Where it stands below the model's directory, with slashes.
    pub path: String,
    /// How long it is.
    pub bytes: u64,
    /// The SHA-256 of what is in it.
    pub sha256: String,
}

/// Where a model came from, and under which licence.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Origin {
    pub(super) source: String,
    pub(super) revision: Option<String>,
    pub(super) licence: Option<String>,
}

impl Manifest {
    pub(super) fn new(
        name: &str,
        origin: Origin,
        usage: &Usage,
        dimensions: usize,
        files: Vec<ModelFile>,
    ) -> Self {
        let Origin { source, revision, licence } = origin;
        Self {
            format: FORMAT,
            kind: Kind::Local,
            name: name.to_owned(),
            source,
            revision,
            licence,
            dimensions,
            pooling: usage.pooling.unwrap_or(Pooling::Mean),
            query_prefix: usage.query_prefix.clone().unwrap_or_default(),
            passage_prefix: usage.passage_prefix.clone().unwrap_or_default(),
            most_tokens: usage.most_tokens,
            bits: if usage.precision == Precision::Full { 32 } else { 8 },
            files,
            remote: None,
        }
    }

    /// That of a cross-encoder.
    pub(super) fn of_reranker(name: &str, origin: Origin, usage: &Usage, files: Vec<ModelFile>) -> Self {
        Self { kind: Kind::Reranker, ..Self::new(name, origin, usage, 0, files) }
    }

    /// That of a model behind an endpoint.
    #[cfg(feature = "remote-models")]
    pub(super) fn of_remote(name: &str, settings: Settings, dimensions: usize) -> Self {
        let origin = Origin { source: settings.url.clone(), revision: None, licence: None };
        let local = Self::new(name, origin, &Usage::default(), dimensions, Vec::new());
        Self { kind: Kind::Remote, remote: Some(settings), ..local }
    }

    /// Reads that of the model in a directory. `Ok(None)` where there is none.
    pub(super) fn read(directory: &Path) -> Result<Option<Self>, Error> {
        let path = directory.join(FILE);
        let bytes = match std::fs::read(&path) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(files::io("read", &path)(error)),
        };
        let refuse = |problem| Error::Model { place: directory.display().to_string(), problem };
        let manifest: Self = serde_json::from_slice(&bytes)
            .map_err(|error| refuse(format!("{FILE}: {error}; remove the model and add it again")))?;
        if manifest.format != FORMAT {
            return Err(refuse(format!(
                "{FILE} is of format {}, and this version knows only {FORMAT}; use a newer lorebase",
                manifest.format
            )));
        }
        if (manifest.kind == Kind::Remote) != manifest.remote.is_some() {
            return Err(refuse(format!(
                "{FILE} says that it is {} and does not agree with itself on where it is; remove the model and add it again",
                manifest.kind.as_str()
            )));
        }
        Ok(Some(manifest))
    }

    pub(super) fn write(&self, directory: &Path) -> Result<(), Error> {
        let bytes = serde_json::to_vec_pretty(self).expect("it is made of texts and numbers");
        files::replace(&directory.join(FILE), &bytes)
    }

    /// What tells vectors of this model from all others: its name, the beginning of the hash of its weights, that of all
    /// else that vectors depend on (tokenizer, settings, prefixes, pooling), and how many bits its weights have in
    /// memory.
    ///
    /// Of a remote one: [`Settings::identity`].
    pub fn identity(&self) -> ModelIdentity {
        if let Some(settings) = &self.remote {
            return settings.identity(self.dimensions);
        }
        let (weights, others) = self
            .files
            .split_last()
            .map_or(("", &[][..]), |(last, others)| (&last.sha256[..DIGITS.min(last.sha256.len())], others));
        // Fixed for ever: stored vectors are known by it.
        let mut all = format!("{:?}\n{:?}\n{:?}\n", self.most_tokens, self.query_prefix, self.passage_prefix);
        all.push_str(if self.pooling == Pooling::Cls { "cls" } else { "mean" });
        for file in others.iter().filter(|file| !is_told(&file.path)) {
            all.extend(["\n", &file.path, " ", &file.sha256]);
        }
        let rest = &hashes::sha256_of(all.as_bytes())[..DIGITS];
        let name = format!("{}-{weights}-{rest}-{}bit", self.name, self.bits);
        ModelIdentity { name, dimensions: self.dimensions }
    }

    /// How it is used.
    pub fn usage(&self) -> Usage {
        Usage {
            pooling: Some(self.pooling),
            query_prefix: Some(self.query_prefix.clone()),
            passage_prefix: Some(self.passage_prefix.clone()),
            most_tokens: self.most_tokens,
            precision: if self.bits == 32 { Precision::Full } else { Precision::Eight },
        }
    }

    /// Bytes of all its files.
    pub fn bytes(&self) -> u64 {
        self.files.iter().map(|file| file.bytes).sum()
    }

    /// The first file that is missing or of another length, and what is wrong with it.
    pub(super) fn damage(&self, directory: &Path) -> Option<String> {
        self.files.iter().find_map(|file| match directory.join(&file.path).metadata() {
            Ok(found) if found.len() == file.bytes => None,
            Ok(found) => Some(format!("{} has {} bytes instead of {}", file.path, found.len(), file.bytes)),
            Err(error) => Some(format!("{}: {error}", file.path)),
        })
    }
}

/// Whether a file only tells people something.
fn is_told(path: &str) -> bool {
    path.starts_with("LICENSE") || path.starts_with("LICENCE")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn manifest() -> Manifest {
        let file =
            |path: &str, digit: &str| ModelFile { path: path.to_owned(), bytes: 3, sha256: digit.repeat(64) };
        let files = vec![file("config.json", "1"), file("tokenizer.json", "2"), file("model.onnx", "3")];
        let origin = Origin { source: "here".to_owned(), revision: None, licence: None };
        Manifest::new("tiny", origin, &Usage::default(), 32, files)
    }

    #[test]
    fn an_identity_tells_weights_and_usage() {
        let one = manifest();
        let name = one.identity().name;
        assert!(name.starts_with("tiny-33333333-") && name.ends_with("-8bit"), "{name}");
        let mut seen = std::collections::HashSet::from([name]);
        let mut differs = |change: &dyn Fn(&mut Manifest)| {
            let mut other = one.clone();
            change(&mut other);
            assert!(seen.insert(other.identity().name), "{}", other.identity().name);
        };
        differs(&|other| other.name = "other".to_owned());
        differs(&|other| other.pooling = Pooling::Cls);
        differs(&|other| other.query_prefix = "query: ".to_owned());
        differs(&|other| other.passage_prefix = "query: ".to_owned());
        differs(&|other| other.most_tokens = Some(256));
        differs(&|other| other.bits = 32);
        differs(&|other| other.files[0].sha256 = "4".repeat(64));
        differs(&|other| other.files[2].sha256 = "4".repeat(64));
    }

    #[test]
    fn it_comes_back_as_it_was_written_and_others_are_refused() {
        let directory = tempfile::tempdir().unwrap();
        assert_eq!(Manifest::read(directory.path()).unwrap(), None);
        let one = manifest();
        one.write(directory.path()).unwrap();
        assert_eq!(Manifest::read(directory.path()).unwrap(), Some(one.clone()));
        assert_eq!(one.usage().pooling, Some(Pooling::Mean));
        assert!(one.damage(directory.path()).unwrap().starts_with("config.json"));
        let remote = Some(Settings::new("http://localhost/v1", "m").unwrap());
        let remote = Manifest { kind: Kind::Remote, remote, files: Vec::new(), ..one.clone() };
        remote.write(directory.path()).unwrap();
        assert_eq!(Manifest::read(directory.path()).unwrap(), Some(remote.clone()));
        assert!(remote.identity().name.starts_with("m@localhost-32-"), "{}", remote.identity().name);
        Manifest { remote: None, ..remote }.write(directory.path()).unwrap();
        assert!(Manifest::read(directory.path()).unwrap_err().to_string().contains("does not agree"));
        // Those of before there were kinds.
        let old = serde_json::to_string(&one).unwrap().replace(r#""kind":"local","#, "");
        std::fs::write(directory.path().join(FILE), &old).unwrap();
        assert_eq!(Manifest::read(directory.path()).unwrap(), Some(one.clone()));
        let unknown = old.replacen('{', r#"{"kind":"oracle","#, 1);
        std::fs::write(directory.path().join(FILE), unknown).unwrap();
        assert!(Manifest::read(directory.path()).unwrap_err().to_string().contains("oracle"));
        Manifest { format: 2, ..one }.write(directory.path()).unwrap();
        assert!(Manifest::read(directory.path()).unwrap_err().to_string().contains("format 2"));
        std::fs::write(directory.path().join(FILE), "{").unwrap();
        assert!(Manifest::read(directory.path()).is_err());
    }
}
