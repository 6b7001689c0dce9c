//! Makes the weights of the tagger and the parser from parsed sentences, see `scripts/syntax/README.md`.

use std::error::Error;
use std::io::{self, BufRead as _, Write as _};
use std::{env, fs};

use lorebase_extract::syntax::train::{self, Kept};

/// How often all sentences are gone through.
const ROUNDS: usize = 6;
/// What is kept of tags, moves and labels.
const KEPT: [Kept; 3] = [kept(4, 1), kept(6, 1), kept(4, 1)];

const fn kept(changes: u32, weight: u8) -> Kept {
    Kept { changes, weight }
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["tokens"] => tokens(),
        ["learn", parses, weights] => learn(parses, weights),
        _ => Err("train-syntax tokens < TEXTS > SENTENCES, or train-syntax learn PARSES WEIGHTS".into()),
    }
}

/// Sentences of the texts in standard input, one text a line, as words with spaces between them.
fn tokens() -> Result<(), Box<dyn Error>> {
    let mut out = io::BufWriter::new(io::stdout().lock());
    for text in io::stdin().lock().lines() {
        for sentence in train::sentences(&text?) {
            writeln!(out, "{}", sentence.join(" "))?;
        }
    }
    Ok(out.flush()?)
}

fn learn(parses: &str, weights: &str) -> Result<(), Box<dyn Error>> {
    let (file, train::Quality { tags, heads, labels }) =
        train::learn(&fs::read_to_string(parses)?, ROUNDS, KEPT)?;
    fs::write(weights, &file)?;
    writeln!(
        io::stdout(),
        "tags {tags:.4}, heads {heads:.4}, with labels {labels:.4}; {} bytes",
        file.len()
    )?;
    Ok(())
}
