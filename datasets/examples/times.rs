//! Measures the expressions of time that are read, and prints the figures by language and type.
//!
//! `cargo run --release -p lorebase-datasets --example times -- DIR [--dump FILE]`, where DIR holds the specifications, a
//! file a language. `--dump` writes one JSON line a text with what was missed and what was too much.

use std::error::Error;
use std::fs::File;
use std::io::{BufWriter, Write, stdout};
use std::path::PathBuf;

use lorebase_datasets::extraction::{Item, time};

fn main() -> Result<(), Box<dyn Error>> {
    let mut given = std::env::args().skip(1);
    let directory = given.next().map(PathBuf::from).ok_or("give the directory of the specifications")?;
    let mut dump = match (given.next().as_deref(), given.next()) {
        (Some("--dump"), Some(path)) => Some(BufWriter::new(File::create(path)?)),
        (None, _) => None,
        _ => return Err("after the directory only --dump FILE is known".into()),
    };
    let mut lines = Vec::new();
    let mut tell = |item: &Item<'_>| {
        if dump.is_some() && !(item.missed.is_empty() && item.extra.is_empty()) {
            lines.push(serde_json::to_string(item));
        }
    };
    let report = time::score(&directory, &mut tell)?;
    if let Some(dump) = &mut dump {
        for line in lines {
            writeln!(dump, "{}", line?)?;
        }
        dump.flush()?;
    }
    write!(stdout().lock(), "{report}")?;
    Ok(())
}
