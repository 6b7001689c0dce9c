//! JSON documents and lines of JSON, with errors that name the place. What the JSON means is told by the format's file.

use std::io::{BufRead, BufReader, Read};
use std::path::Path;

use serde::de::DeserializeOwned;

use crate::error::Error;
use crate::formats::guard::Guard;
use crate::formats::lines::{BYTE_ORDER_MARK, Lines};

/// Reads `reader` as one JSON document; `path` is named in errors. The text is not held beside the value.
pub fn read_document<T: DeserializeOwned>(reader: impl Read, path: &Path) -> Result<T, Error> {
    let mut reader = BufReader::with_capacity(64 << 10, Guard::new(reader, path));
    match reader.fill_buf() {
        Ok([]) => {
            let path = path.to_path_buf();
            return Err(Error::Empty { path });
        }
        Ok(head) if head.starts_with(BYTE_ORDER_MARK) => reader.consume(BYTE_ORDER_MARK.len()),
        // An error stays in the guard and comes back below.
        _ => {}
    }
    let parsed = parse(&mut reader);
    let trouble = reader.get_mut().trouble.take();
    match (parsed, trouble) {
        (_, Some(trouble)) => Err(trouble),
        (Ok(value), None) => Ok(value),
        (Err(error), None) => Err(Error::json(path, 0, &error)),
    }
}

fn parse<T: DeserializeOwned>(reader: impl Read) -> Result<T, serde_json::Error> {
    let mut deserializer = serde_json::Deserializer::from_reader(reader);
    let value = T::deserialize(&mut deserializer)?;
    deserializer.end()?;
    Ok(value)
}

/// Reads `reader` as one JSON value a line and hands each to `take` with the number of its line, from 1. Blank
/// lines are skipped; a file without values is an error.
pub fn read_lines<T: DeserializeOwned, E: From<Error>>(
    reader: impl BufRead,
    path: &Path,
    mut take: impl FnMut(u64, T) -> Result<(), E>,
) -> Result<(), E> {
    let mut lines = Lines::new(reader, path);
    let mut empty = true;
    while let Some(line) = lines.next_line()? {
        if line.text.trim().is_empty() {
            continue;
        }
        empty = false;
        let value =
            serde_json::from_str(line.text).map_err(|error| Error::json(path, line.number - 1, &error))?;
        take(line.number, value)?;
    }
    if empty {
        let path = path.to_path_buf();
        return Err(Error::Empty { path }.into());
    }
    Ok(())
}
