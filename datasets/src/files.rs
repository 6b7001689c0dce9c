//! Opening the files of evaluation sets and runs. What they hold is told by each set's own file.

use std::fs::File;
use std::io::BufReader;
use std::path::Path;

use lorebase_engine::error::IoError;
use lorebase_extract::formats::json::{read_document, read_lines};
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::error::Error;

/// Reads `path` as one JSON document.
pub(crate) fn read_json<T: DeserializeOwned>(path: &Path) -> Result<T, Error> {
    Ok(read_document(open(path)?, path)?)
}

/// Reads `path` as one JSON value a line; `take` gets the number of the line, from 1.
pub(crate) fn read_json_lines<T: DeserializeOwned>(
    path: &Path,
    take: impl FnMut(u64, T) -> Result<(), Error>,
) -> Result<(), Error> {
    read_lines(BufReader::new(open(path)?), path, take)
}

/// Answers are strings, and sometimes numbers.
pub(crate) fn answer_text(answer: Value) -> String {
    match answer {
        Value::String(text) => text,
        other => other.to_string(),
    }
}

fn open(path: &Path) -> Result<File, Error> {
    Ok(File::open(path).map_err(IoError::of("open", path))?)
}
