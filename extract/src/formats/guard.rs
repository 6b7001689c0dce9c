//! A watch over the bytes of a JSON document on their way to the parser: it bounds the length of a single value, of an item
//! of the outermost array, and how deep values lie in each other, and finds bytes that are no UTF-8. It does not parse.

use std::io::{self, Read};
use std::path::Path;

use crate::error::Error;
use crate::formats::lines::LINE_MAX_BYTES;

/// How deep values may lie in each other: as deep as the parser follows those that it has a use for.
const DEPTH_MAX: u32 = 128;

/// Passes bytes on and stops at the first trouble, which [`Guard::trouble`] then holds.
pub(crate) struct Guard<'p, R> {
    reader: R,
    path: &'p Path,
    limit: usize,
    /// Why reading stopped.
    pub(crate) trouble: Option<Error>,
    /// The beginning of a character that the last bytes broke off in; at most three bytes.
    broken_off: Vec<u8>,
    offset: u64,
    place: Place,
}

/// Where in the document the bytes stand.
#[derive(Default)]
struct Place {
    in_string: bool,
    escaped: bool,
    /// Line ends so far.
    lines: u64,
    /// Bytes since the last of them.
    column: u64,
    /// How many values they stand in.
    depth: u32,
    /// Bytes of the string, number or word so far.
    value: usize,
    /// Bytes of the item of the outermost array or object so far.
    item: usize,
}

impl<'p, R: Read> Guard<'p, R> {
    /// Watches over `reader`; `path` is named in errors.
    pub(crate) fn new(reader: R, path: &'p Path) -> Self {
        Self {
            reader,
            path,
            limit: LINE_MAX_BYTES,
            trouble: None,
            broken_off: Vec::new(),
            offset: 0,
            place: Place::default(),
        }
    }

    fn check(&mut self, bytes: &[u8]) -> Result<(), Error> {
        self.check_encoding(bytes)?;
        for (index, &byte) in bytes.iter().enumerate() {
            self.place.advance(byte);
            let too_long = if self.place.value > self.limit { Some("value") } else { None };
            if let Some(what) = too_long.or(if self.place.item > self.limit { Some("item") } else { None }) {
                return Err(Error::TooLong {
                    path: self.path.to_path_buf(),
                    what,
                    line: self.place.lines + 1,
                    offset: self.offset + index as u64 - self.limit as u64,
                    limit: self.limit,
                });
            }
            if self.place.depth > DEPTH_MAX {
                return Err(Error::Malformed {
                    path: self.path.to_path_buf(),
                    line: self.place.lines + 1,
                    column: self.place.column,
                    problem: format!("values lie in each other deeper than {DEPTH_MAX}"),
                });
            }
        }
        self.offset += bytes.len() as u64;
        Ok(())
    }

    /// Empty `bytes` mean the end of the file, where a character must not break off.
    fn check_encoding(&mut self, bytes: &[u8]) -> Result<(), Error> {
        let before = self.broken_off.len();
        let mut pending = std::mem::take(&mut self.broken_off);
        pending.extend_from_slice(bytes);
        let Err(error) = std::str::from_utf8(&pending) else {
            return Ok(());
        };
        if error.error_len().is_none() && !bytes.is_empty() {
            self.broken_off = pending.split_off(error.valid_up_to());
            return Ok(());
        }
        Err(Error::NotUtf8 {
            path: self.path.to_path_buf(),
            offset: self.offset + error.valid_up_to() as u64 - before as u64,
        })
    }
}

impl<R: Read> Read for Guard<'_, R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let count = match self.reader.read(out) {
            Ok(count) => count,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => return Err(error),
            Err(error) => {
                self.trouble = Some(Error::io("read", self.path)(error));
                return Err(io::Error::other("the reader failed"));
            }
        };
        if out.is_empty() {
            return Ok(0);
        }
        if let Err(trouble) = self.check(&out[..count]) {
            self.trouble = Some(trouble);
            return Err(io::Error::other("the guard stopped"));
        }
        Ok(count)
    }
}

impl Place {
    /// Takes one more byte in.
    fn advance(&mut self, byte: u8) {
        self.value += 1;
        self.item += 1;
        self.column += 1;
        if byte == b'\n' {
            (self.lines, self.column) = (self.lines + 1, 0);
        }
        if self.escaped {
            self.escaped = false;
        } else if self.in_string {
            self.escaped = byte == b'\\';
            self.in_string = byte != b'"';
        } else {
            self.between(byte);
        }
    }

    /// Takes in a byte that stands in no string.
    fn between(&mut self, byte: u8) {
        match byte {
            b'"' => (self.in_string, self.value) = (true, 0),
            b'{' | b'[' => self.depth += 1,
            b'}' | b']' => self.depth = self.depth.saturating_sub(1),
            b',' | b':' | b' ' | b'\n' | b'\r' | b'\t' => {}
            _ => return,
        }
        if byte != b'"' {
            self.value = 0;
        }
        if self.depth < 2 {
            self.item = 0;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn watch(bytes: &[u8], limit: usize, chunk: usize) -> Option<String> {
        let mut guard = Guard::new(bytes, Path::new("a.json"));
        guard.limit = limit;
        let mut out = vec![0; chunk];
        while guard.read(&mut out).is_ok_and(|count| count > 0) {}
        guard.trouble.map(|trouble| trouble.to_string())
    }

    #[test]
    fn characters_may_break_off_between_reads_but_not_at_the_end() {
        for chunk in 1..6 {
            assert_eq!(watch("[\"añ日🙂\"]".as_bytes(), 20, chunk), None);
            let error = watch(b"[\"a\xe6\x97", 20, chunk).unwrap();
            assert!(error.contains("byte 3 is not UTF-8"), "{error}");
            let error = watch(b"[\"a\xe6\x97\"]", 20, chunk).unwrap();
            assert!(error.contains("byte 3 is not UTF-8"), "{error}");
        }
    }

    #[test]
    fn a_long_value_is_stopped_and_a_long_line_of_short_values_is_not() {
        assert_eq!(watch(b"[\"ab\\\"c\",\"d\",12,\"ef\"]", 6, 3), None);
        let error = watch(b"[\n\"0123\\\"456\"]", 6, 3).unwrap();
        assert!(error.contains("a.json:2: the value at byte"), "{error}");
        assert!(watch(b"[12345678", 6, 3).is_some());
    }

    #[test]
    fn a_long_item_is_stopped_and_many_short_ones_are_not() {
        assert_eq!(watch(b"[{\"a\":1},{\"b\":2},{\"c\":3}]", 8, 3), None);
        let error = watch(b"[{},\n{\"a\":[1,2,3,4]}]", 8, 3).unwrap();
        assert!(error.contains("a.json:2: the item at byte"), "{error}");
    }

    #[test]
    fn deep_nesting_is_named_with_its_place() {
        let deep = |depth: usize| ["[".repeat(depth), "]".repeat(depth)].concat();
        assert_eq!(watch(deep(128).as_bytes(), 1000, 50), None);
        let error = watch(deep(129).as_bytes(), 1000, 50).unwrap();
        assert!(error.starts_with("a.json:1:129: "), "{error}");
    }
}
