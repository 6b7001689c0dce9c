//! Prints what is weighed for each pronoun of the texts in standard input (one a line), to learn the weights from.

use std::error::Error;
use std::io::{self, BufRead as _, Write as _};

use lorebase_extract::rules;

fn main() -> Result<(), Box<dyn Error>> {
    let mut out = io::BufWriter::new(io::stdout().lock());
    for (line, text) in io::stdin().lock().lines().enumerate() {
        for pronoun in rules::weighed(&text?) {
            for candidate in pronoun.candidates {
                let places: Vec<String> = candidate.places.iter().map(ToString::to_string).collect();
                let features: Vec<String> = candidate.features.iter().map(ToString::to_string).collect();
                let name = candidate.name.unwrap_or_default().replace('\t', " ");
                writeln!(
                    out,
                    "{line}\t{}\t{name}\t{}\t{}",
                    pronoun.start,
                    places.join(","),
                    features.join(",")
                )?;
            }
        }
    }
    Ok(())
}
