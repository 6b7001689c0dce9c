//! Files of an export, written and read: head, lines, end, and that nothing is missing between them.

use std::io::{self, BufRead, Write};
use std::path::Path;

use anyhow::{anyhow, bail};
use lorebase::engine::model::id::Namespace;
use lorebase::extract;
use lorebase::extract::error::json_problem;
use lorebase::extract::formats::lines::Lines;
use lorebase::transfer::{Tally, Thing};
use serde::Serialize;

use super::lines::{FORMAT, Line};
use super::text;

/// The longest line, in bytes: an episode of the longest text, every byte of it an escape, with a very long
/// reading.
const LINE_MAX_BYTES: usize = 256 << 20;

/// What to do about a file that breaks off.
const WHOLE: &str = "get the whole file, or export again";

/// Writes the lines of an export.
pub(crate) struct Writer<W> {
    out: W,
    line: Vec<u8>,
    tally: Tally,
}

impl<W: Write> Writer<W> {
    /// Begins an export.
    pub(crate) fn new(out: W) -> io::Result<Self> {
        let mut writer = Self { out, line: Vec::new(), tally: Tally::default() };
        writer.put(&Line::head())?;
        Ok(writer)
    }

    /// Writes the line of one thing.
    pub(crate) fn thing(&mut self, namespace: &Namespace, thing: &Thing) -> anyhow::Result<()> {
        self.tally.count(thing);
        self.put(&Line::of(namespace, thing))?;
        if self.line.len() > LINE_MAX_BYTES {
            let (bytes, start) = (self.line.len(), String::from_utf8_lossy(&self.line[..120]).into_owned());
            bail!("a line of {bytes} bytes could not be read again, which begins {start}");
        }
        Ok(())
    }

    /// Ends it. Returns what was written, and where to.
    pub(crate) fn end(mut self) -> io::Result<(W, Tally)> {
        self.put(&Line::end(self.tally))?;
        self.out.flush()?;
        Ok((self.out, self.tally))
    }

    fn put(&mut self, line: &impl Serialize) -> io::Result<()> {
        self.line.clear();
        text::write(&mut self.line, line)?;
        self.line.push(b'\n');
        self.out.write_all(&self.line)
    }
}

/// Reads the lines of an export, and of further ones behind it. Each thing is checked by itself. It ends with
/// the first error.
pub(crate) struct Things<'p, R> {
    lines: Lines<'p, R>,
    path: &'p Path,
    /// What came since the head that was read last.
    open: Option<Tally>,
    begun: bool,
    done: bool,
}

impl<'p, R: BufRead> Things<'p, R> {
    /// Reads from `reader`; `path` is named in errors.
    pub(crate) fn new(reader: R, path: &'p Path) -> Self {
        let lines = Lines::with_limit(reader, path, LINE_MAX_BYTES);
        Self { lines, path, open: None, begun: false, done: false }
    }

    fn advance(&mut self) -> anyhow::Result<Option<(Namespace, Thing)>> {
        loop {
            let shown = self.path.display();
            let Some(line) = self.lines.next_line().map_err(told)? else {
                return if self.begun && self.open.is_none() {
                    Ok(None)
                } else if self.begun {
                    Err(anyhow!(
                        "{shown}: it breaks off: the line `end`, which comes last and counts the others, is missing; {WHOLE}"
                    ))
                } else {
                    Err(anyhow!("{shown}: it is empty; give a file that lore export has written"))
                };
            };
            if line.text.trim().is_empty() {
                continue;
            }
            let number = line.number;
            let at = |column: usize| match column {
                0 => format!("{shown}:{number}"),
                column => format!("{shown}:{number}:{column}"),
            };
            let line: Line<'_> = match serde_json::from_str(line.text) {
                Ok(line) => line,
                Err(error) if !self.begun => {
                    bail!(
                        "{}: this is no export of lorebase ({}); give a file that lore export has written, or take in a transcript with lore ingest",
                        at(0),
                        json_problem(&error)
                    )
                }
                Err(error) if error.is_eof() => {
                    bail!(
                        "{}: it breaks off in this line, and the line `end` is missing; {WHOLE}",
                        at(error.column())
                    )
                }
                Err(error) => {
                    bail!("{}: {}; mend that line, or export again", at(error.column()), json_problem(&error))
                }
            };
            if let Line::LorebaseExport(head) = &line
                && !(1..=FORMAT).contains(&head.format)
            {
                let format = head.format;
                bail!(
                    "{}: the file is of format {format}, and this version knows none after {FORMAT}; use a newer lorebase",
                    at(0)
                );
            }
            let mend = |problem: String| anyhow!("{}: {problem}; mend that line, or export again", at(0));
            if let Some(told) = self.take(line).map_err(mend)? {
                return Ok(Some(told));
            }
        }
    }

    fn take(&mut self, line: Line<'_>) -> Result<Option<(Namespace, Thing)>, String> {
        let told = match line {
            Line::LorebaseExport(_) if self.open.is_some() => {
                return Err("an export begins before the one above it has ended".to_owned());
            }
            Line::LorebaseExport(_) => {
                (self.open, self.begun) = (Some(Tally::default()), true);
                return Ok(None);
            }
            Line::End(end) => {
                let tally = self.open.take().ok_or("it ends what has not begun")?;
                return end.check(tally).map(|()| None);
            }
            Line::Episode(line) => line.into_thing(),
            Line::Tombstone(line) => line.into_thing(),
            Line::Ruling(line) => line.into_thing(),
            Line::Entity(line) => line.into_thing(),
            Line::Fact(line) => line.into_thing(),
        };
        let (namespace, thing) = told?;
        let tally = self.open.as_mut().ok_or("a line that names the format must stand before it")?;
        tally.count(&thing);
        thing.check(&namespace)?;
        Ok(Some((namespace, thing)))
    }
}

impl<R: BufRead> Iterator for Things<'_, R> {
    type Item = anyhow::Result<(Namespace, Thing)>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.done {
            return None;
        }
        let told = self.advance().transpose();
        self.done = !matches!(told, Some(Ok(_)));
        told
    }
}

fn told(error: extract::error::Error) -> anyhow::Error {
    match error {
        extract::error::Error::TooLong { path, line, limit, .. } => anyhow!(
            "{}:{line}: the line is longer than {limit} bytes, as no line of an export is; export again",
            path.display()
        ),
        other => other.into(),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const WHOLE: &str = include_str!("../../tests/fixtures/export-1.jsonl");

    fn read(bytes: &[u8]) -> anyhow::Result<Vec<(Namespace, Thing)>> {
        Things::new(bytes, Path::new("file.jsonl")).collect()
    }

    #[test]
    fn what_is_read_is_written_as_it_was() {
        let things = read(WHOLE.as_bytes()).unwrap();
        let mut writer = Writer::new(Vec::new()).unwrap();
        for (namespace, thing) in &things {
            writer.thing(namespace, thing).unwrap();
        }
        let (bytes, tally) = writer.end().unwrap();
        // Whatever the format that was read, the one of today is written.
        let today = WHOLE.replacen("\"format\":1", "\"format\":3", 1);
        assert_eq!((String::from_utf8(bytes).unwrap(), tally.episodes), (today, 5));
    }

    #[test]
    fn a_file_that_breaks_off_is_noticed_wherever_it_does() {
        for length in 0..WHOLE.len() - 1 {
            let error = read(&WHOLE.as_bytes()[..length]).unwrap_err().to_string();
            assert!(error.starts_with("file.jsonl:"), "{length}: {error}");
        }
        assert!(read(&WHOLE.as_bytes()[..WHOLE.len() - 1]).is_ok(), "without the last line's end");
    }

    proptest! {
        #[test]
        fn damaged_files_never_panic(places in prop::collection::vec((0..WHOLE.len(), any::<u8>()), 1..4)) {
            let mut bytes = WHOLE.as_bytes().to_vec();
            for (place, byte) in places {
                bytes[place] = byte;
            }
            let _ = read(&bytes);
        }

        #[test]
        fn arbitrary_lines_never_panic(lines in "(\\PC{0,40}\n|[\\[\\]{}\":,0-9a-z]{0,60}\n){0,5}") {
            let head = WHOLE.lines().next().unwrap();
            let _ = read(format!("{head}\n{lines}").as_bytes());
            let _ = read(lines.as_bytes());
        }
    }
}
