//! The rules of the house that no compiler knows: heads, lengths, walls between the rooms, and what is written in
//! documents about files.

use std::fs;
use std::path::{Path, PathBuf};

use crate::util::root;

/// The longest file of Rust code, in lines.
const LINES_MAX: usize = 600;

/// A word that only some files may say, and where those stand.
struct Wall {
    words: &'static [&'static str],
    inside: &'static [&'static str],
}

const WALLS: [Wall; 7] = [
    Wall { words: &["json!("], inside: &["src/wire/", "tests/", "benches/"] },
    Wall { words: &["sled::", "use sled", "rkyv"], inside: &["engine/src/store/"] },
    Wall { words: &["petgraph"], inside: &["engine/src/graph/"] },
    Wall { words: &["hnsw_rs::", "use hnsw_rs"], inside: &["engine/src/index/vector/"] },
    Wall { words: &["fearless_simd"], inside: &["engine/src/index/"] },
    Wall { words: &["SystemTime::now"], inside: &["src/memory.rs"] },
    Wall {
        words: &["Instant::now"],
        inside: &[
            "src/evaluate/",
            "src/cli/",
            "src/models/",
            "datasets/src/extraction/speed.rs",
            "benches/",
            "tests/",
        ],
    },
];

/// Directories that are not ours, or made by tools.
const PASSED_OVER: [&str; 3] = ["target", ".git", "node_modules"];

/// Every file of the workspace with its path from the root, in order.
fn files() -> Vec<(String, PathBuf)> {
    let mut found = Vec::new();
    let mut open = vec![root().to_path_buf()];
    while let Some(directory) = open.pop() {
        for entry in fs::read_dir(directory).unwrap() {
            let entry = entry.unwrap();
            let name = entry.file_name().to_string_lossy().into_owned();
            if entry.file_type().unwrap().is_dir() {
                if !PASSED_OVER.contains(&name.as_str()) {
                    open.push(entry.path());
                }
            } else {
                let path = entry.path();
                let relative = path.strip_prefix(root()).unwrap().to_string_lossy().into_owned();
                found.push((relative, path));
            }
        }
    }
    found.sort();
    found
}

/// The files whose name ends so, with what stands in them.
fn texts(ending: &str) -> Vec<(String, String)> {
    let wanted = files().into_iter().filter(|(name, _)| name.ends_with(ending));
    let texts: Vec<_> = wanted.map(|(name, path)| (name, fs::read_to_string(path).unwrap())).collect();
    assert!(!texts.is_empty(), "there is no file {ending}");
    texts
}

/// The lines of code, without comments.
fn code(text: &str) -> impl Iterator<Item = &str> {
    text.lines().filter(|line| !line.trim_start().starts_with("//"))
}

#[track_caller]
fn none(offences: &[String]) {
    assert!(offences.is_empty(), "{}", offences.join("\n"));
}

#[test]
fn every_file_says_what_it_is_for_and_is_short() {
    let mut offences = Vec::new();
    for (name, text) in texts(".rs") {
        let first = text.lines().next().unwrap_or_default();
        if !first.starts_with("//! ") && !first.starts_with("#![doc = include_str!") {
            offences.push(format!("{name} does not begin with //!"));
        }
        let lines = text.lines().count();
        if lines > LINES_MAX {
            offences.push(format!("{name} has {lines} lines; {LINES_MAX} are allowed"));
        }
    }
    none(&offences);
}

#[test]
fn walls_stand() {
    let mut offences = Vec::new();
    // This file must name what it looks for.
    for (name, text) in texts(".rs").into_iter().filter(|(name, _)| name != "tests/tidy.rs") {
        for wall in WALLS.iter().filter(|wall| !wall.inside.iter().any(|inside| name.starts_with(inside))) {
            for word in wall.words.iter().filter(|word| code(&text).any(|line| line.contains(**word))) {
                offences.push(format!("{name} says {word}; only {} may", wall.inside.join(", ")));
            }
        }
    }
    none(&offences);
}

#[test]
fn siblings_and_floors_import_one_way() {
    let forbidden = [
        ("engine/src/", &["lorebase_extract", "lorebase_query", "lorebase_datasets", "lorebase::"][..]),
        ("extract/src/", &["lorebase_query", "lorebase_datasets", "lorebase::"]),
        ("query/src/", &["lorebase_extract", "lorebase_datasets", "lorebase::"]),
        ("datasets/src/", &["lorebase_query", "lorebase::"]),
        (
            "engine/src/model/",
            &["crate::store", "crate::graph", "crate::index", "crate::state", "crate::engine"],
        ),
        ("src/", &["lorebase_benches"]),
    ];
    let mut offences = Vec::new();
    for (name, text) in texts(".rs") {
        let rules = forbidden.iter().filter(|(floor, _)| name.starts_with(floor));
        for word in rules.flat_map(|(_, words)| *words) {
            if code(&text).any(|line| line.contains(word)) {
                offences.push(format!("{name} names {word}"));
            }
        }
    }
    none(&offences);
}

#[test]
fn roofs_define_nothing() {
    let allowed = ["pub mod ", "mod ", "pub use ", "pub(crate) use ", "use ", "#!", "#[", "}", " "];
    let mut offences = Vec::new();
    for (name, text) in texts("lib.rs") {
        let lines = code(&text).filter(|line| !line.is_empty());
        for line in lines.filter(|line| !allowed.iter().any(|start| line.starts_with(start))) {
            offences.push(format!("{name} defines something: {line}"));
        }
    }
    none(&offences);
}

#[test]
fn versions_stand_in_the_one_table() {
    let mut offences = Vec::new();
    for (name, text) in texts("Cargo.toml") {
        let manifest: toml::Table = toml::from_str(&text).unwrap();
        for section in ["dependencies", "dev-dependencies", "build-dependencies"] {
            let Some(dependencies) = manifest.get(section).and_then(toml::Value::as_table) else { continue };
            for (dependency, told) in dependencies {
                let from_table = told.get("workspace").and_then(toml::Value::as_bool) == Some(true);
                if !from_table || told.get("version").is_some() {
                    offences.push(format!("{name}: {dependency} does not take the workspace's version"));
                }
            }
        }
        let lints = manifest.get("lints").and_then(|lints| lints.get("workspace"));
        if manifest.contains_key("package") && lints.and_then(toml::Value::as_bool) != Some(true) {
            offences.push(format!("{name} does not take the workspace's lints"));
        }
    }
    none(&offences);
}

#[test]
fn every_path_that_a_document_names_exists() {
    let documents = texts(".md").into_iter().filter(|(name, _)| {
        matches!(name.as_str(), "ARCHITECTURE.md" | "README.md") || name.starts_with("docs/")
    });
    let mut offences = Vec::new();
    for (document, text) in documents {
        let mut named = 0;
        for name in text.split('`').skip(1).step_by(2).filter(|name| is_path(name)) {
            // A bare name of a file is one that was named with its folder before.
            let known = || named > 0 && !name.contains('/') && text.contains(&format!("/{name}`"));
            if !root().join(name).exists() && !known() {
                offences.push(format!("{document} names {name}, which is not there"));
            }
            named += 1;
        }
        if document == "ARCHITECTURE.md" && named < 10 {
            offences.push(format!("{document} names {named} paths"));
        }
    }
    none(&offences);
}

/// Whether what a document has in backticks is a path of ours: a slash in it or the ending of a file, and no blank.
/// `DIR/…` lies in a store, `../…` beside the workspace.
fn is_path(name: &str) -> bool {
    let ending = Path::new(name).extension().and_then(|ending| ending.to_str());
    let file = matches!(ending, Some("rs" | "md" | "toml" | "jsonl")) || name.contains('/');
    let elsewhere = ["DIR/", "../", "/"].iter().any(|start| name.starts_with(start));
    file && !elsewhere && !name.contains([' ', '\n', '<', '{'])
}

#[test]
fn nothing_tells_of_the_machine_it_was_made_on() {
    let told = [concat!("/wo", "rk/"), "/root/", "/home/", "/tmp/"];
    let mut offences = Vec::new();
    // This file must name what it looks for.
    for (name, path) in files().into_iter().filter(|(name, _)| name != "tests/tidy.rs") {
        // What is no text holds no paths of ours.
        let Ok(text) = fs::read_to_string(path) else { continue };
        for place in told.iter().filter(|place| text.contains(**place)) {
            offences.push(format!("{name} names {place}"));
        }
    }
    none(&offences);
    let lock = fs::read_to_string(root().join("Cargo.lock")).unwrap();
    let source = "source = \"registry+https://github.com/rust-lang/crates.io-index\"";
    let foreign = lock.lines().filter(|line| line.starts_with("source = ") && *line != source);
    none(&foreign.map(|line| format!("Cargo.lock: {line}")).collect::<Vec<_>>());
    assert!(!root().join(".cargo").exists(), "the workspace needs no settings of its own for cargo");
}
