//! JSON documents and lines of JSON, with errors that name the place. What the JSON means is told by the format's file.

use std::fmt;
use std::io::{BufRead, BufReader, Read};
use std::marker::PhantomData;
use std::path::Path;

use serde::de::{DeserializeOwned, DeserializeSeed, Deserializer, Error as _, SeqAccess, Visitor};

use crate::error::Error;
use crate::formats::guard::Guard;
use crate::formats::lines::{BYTE_ORDER_MARK, Lines};

/// Reads `reader` as one JSON document; `path` is named in errors. The text is not held beside the value.
pub fn read_document<T: DeserializeOwned>(reader: impl Read, path: &Path) -> Result<T, Error> {
    guarded(reader, path, PhantomData::<T>)
}

/// Reads `reader` as one JSON array and hands each item to `take` when it is read, so that no more than one is held.
pub(crate) fn read_items<T: DeserializeOwned, E: From<Error>>(
    reader: impl Read,
    path: &Path,
    take: &mut dyn FnMut(T) -> Result<(), E>,
) -> Result<(), E> {
    let mut failed = None;
    let parsed = guarded(reader, path, Items { take, failed: &mut failed, empty: true });
    match (failed, parsed) {
        (Some(error), _) => Err(error),
        (None, Err(error)) => Err(error.into()),
        (None, Ok(empty)) if empty => {
            let path = path.to_path_buf();
            Err(Error::Empty { path }.into())
        }
        (None, Ok(_)) => Ok(()),
    }
}

/// Takes the items of an array one by one. What it comes to is whether there was none.
struct Items<'t, T, E> {
    take: &'t mut dyn FnMut(T) -> Result<(), E>,
    /// What `take` said when it would not go on.
    failed: &'t mut Option<E>,
    empty: bool,
}

impl<'de, T: DeserializeOwned, E> DeserializeSeed<'de> for Items<'_, T, E> {
    type Value = bool;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<bool, D::Error> {
        deserializer.deserialize_seq(self)
    }
}

impl<'de, T: DeserializeOwned, E> Visitor<'de> for Items<'_, T, E> {
    type Value = bool;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an array")
    }

    fn visit_seq<A: SeqAccess<'de>>(mut self, mut items: A) -> Result<bool, A::Error> {
        while let Some(item) = items.next_element()? {
            self.empty = false;
            if let Err(error) = (self.take)(item) {
                *self.failed = Some(error);
                return Err(A::Error::custom("it is not taken any further"));
            }
        }
        Ok(self.empty)
    }
}

fn guarded<S: for<'de> DeserializeSeed<'de, Value = T>, T>(
    reader: impl Read,
    path: &Path,
    seed: S,
) -> Result<T, Error> {
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
    let parsed = parse(&mut reader, seed);
    let trouble = reader.get_mut().trouble.take();
    match (parsed, trouble) {
        (_, Some(trouble)) => Err(trouble),
        (Ok(value), None) => Ok(value),
        (Err(error), None) => Err(Error::json(path, 0, &error)),
    }
}

fn parse<S: for<'de> DeserializeSeed<'de, Value = T>, T>(
    reader: impl Read,
    seed: S,
) -> Result<T, serde_json::Error> {
    let mut deserializer = serde_json::Deserializer::from_reader(reader);
    let value = seed.deserialize(&mut deserializer)?;
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
