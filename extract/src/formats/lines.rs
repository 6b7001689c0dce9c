//! Lines of a file, one at a time: it bounds their length and checks their encoding, and knows nothing of formats.

use std::io::{BufRead, ErrorKind};
use std::path::Path;

use crate::error::Error;

/// The longest line, or single value of a JSON document, that is taken: 64 MiB. A turn is a few hundred bytes and
/// a line of a case file a few megabytes, so what is longer was not meant to be read, and must not fill the memory.
pub const LINE_MAX_BYTES: usize = 64 << 20;

/// What some editors put before UTF-8 text; it is skipped.
pub(crate) const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// Reads lines; at most one, cut at the limit, is in memory.
pub struct Lines<'p, R> {
    reader: R,
    path: &'p Path,
    limit: usize,
    /// Whether a carriage return that no line feed follows ends a line too.
    returns: bool,
    buffer: Vec<u8>,
    /// Bytes before the line in `buffer`.
    offset: u64,
    /// Bytes of the file that were taken up.
    consumed: u64,
    number: u64,
}

/// A line without its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Line<'b> {
    /// From 1.
    pub number: u64,
    /// What stands on it.
    pub text: &'b str,
}

impl<'p, R: BufRead> Lines<'p, R> {
    /// Reads from `reader`; `path` is named in errors.
    pub fn new(reader: R, path: &'p Path) -> Self {
        Self::with_limit(reader, path, LINE_MAX_BYTES)
    }

    /// Reads lines of at most `limit` bytes.
    pub fn with_limit(reader: R, path: &'p Path, limit: usize) -> Self {
        Self { reader, path, limit, returns: false, buffer: Vec::new(), offset: 0, consumed: 0, number: 0 }
    }

    /// The same, of text that may have been written where a carriage return alone ends a line.
    pub(crate) fn ended_by_returns(self) -> Self {
        Self { returns: true, ..self }
    }

    /// The next line, or `None` at the end.
    ///
    /// # Errors
    /// Each names the file and the place in it: a line that is too long, or bytes that are no UTF-8.
    pub fn next_line(&mut self) -> Result<Option<Line<'_>>, Error> {
        self.offset = self.consumed;
        self.number += 1;
        if !self.fill()? {
            return Ok(None);
        }
        let mut bytes = self.buffer.as_slice();
        let mut skipped = 0;
        if let Some(rest) = bytes.strip_prefix(BYTE_ORDER_MARK).filter(|_| self.offset == 0) {
            (bytes, skipped) = (rest, BYTE_ORDER_MARK.len());
        }
        let bytes = bytes.strip_suffix(b"\n").unwrap_or(bytes);
        let bytes = bytes.strip_suffix(b"\r").unwrap_or(bytes);
        let text = std::str::from_utf8(bytes).map_err(|error| Error::NotUtf8 {
            path: self.path.to_path_buf(),
            offset: self.offset + (skipped + error.valid_up_to()) as u64,
        })?;
        let number = self.number;
        Ok(Some(Line { number, text }))
    }

    /// Takes up one line with its end; false where nothing was left.
    fn fill(&mut self) -> Result<bool, Error> {
        self.buffer.clear();
        loop {
            let returns = self.returns;
            let available = self.available()?;
            if available.is_empty() {
                return Ok(!self.buffer.is_empty());
            }
            let end = available.iter().position(|&byte| byte == b'\n' || (returns && byte == b'\r'));
            let bytes = end.map_or(available.len(), |end| end + 1);
            self.take(bytes)?;
            if end.is_some() {
                if self.buffer.ends_with(b"\r") && self.available()?.starts_with(b"\n") {
                    self.take(1)?;
                }
                return Ok(true);
            }
        }
    }

    /// What comes next; empty at the end.
    fn available(&mut self) -> Result<&[u8], Error> {
        while let Err(error) = self.reader.fill_buf() {
            if error.kind() != ErrorKind::Interrupted {
                return Err(Error::io("read", self.path)(error));
            }
        }
        self.reader.fill_buf().map_err(Error::io("read", self.path))
    }

    /// Takes up so many bytes of what comes next.
    fn take(&mut self, bytes: usize) -> Result<(), Error> {
        if self.buffer.len() + bytes > self.limit {
            return Err(self.too_long());
        }
        let available = self.reader.fill_buf().map_err(Error::io("read", self.path))?;
        self.buffer.extend_from_slice(&available[..bytes]);
        self.reader.consume(bytes);
        self.consumed += bytes as u64;
        Ok(())
    }

    fn too_long(&self) -> Error {
        Error::TooLong {
            path: self.path.to_path_buf(),
            what: "line",
            line: self.number,
            offset: self.offset,
            limit: self.limit,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(bytes: &[u8], limit: usize) -> Result<Vec<String>, String> {
        let mut lines = Lines::with_limit(bytes, Path::new("a.txt"), limit);
        let mut texts = Vec::new();
        while let Some(line) = lines.next_line().map_err(|error| error.to_string())? {
            texts.push(format!("{}:{}", line.number, line.text));
        }
        Ok(texts)
    }

    #[test]
    fn the_mark_and_both_line_ends_are_left_out() {
        assert_eq!(all(b"\xef\xbb\xbfa\r\n\nb\0c", 9).unwrap(), ["1:a", "2:", "3:b\0c"]);
        assert!(all(b"", 9).unwrap().is_empty());
    }

    #[test]
    fn where_returns_end_lines_they_do_alone_and_before_a_line_feed() {
        for capacity in 1..5 {
            let text = std::io::BufReader::with_capacity(capacity, &b"a\rb\r\nc\n\rd\r"[..]);
            let mut lines = Lines::new(text, Path::new("a.txt")).ended_by_returns();
            let mut texts = Vec::new();
            while let Some(line) = lines.next_line().unwrap() {
                texts.push(format!("{}:{}", line.number, line.text));
            }
            assert_eq!(texts, ["1:a", "2:b", "3:c", "4:", "5:d"]);
        }
    }

    #[test]
    fn a_bad_byte_and_a_long_line_are_named_with_their_place() {
        let error = all(b"ab\nc\xff", 9).unwrap_err();
        assert!(error.contains("a.txt: byte 4"), "{error}");
        let error = all(b"ab\n0123456789", 9).unwrap_err();
        assert!(error.contains("a.txt:2: the line at byte 3"), "{error}");
    }
}
