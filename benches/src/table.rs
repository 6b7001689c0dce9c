//! Tables in Markdown, as they stand in `docs/`.

use std::io::{self, Write};

/// One row.
pub fn line(cells: &[String]) -> String {
    format!("| {} |\n", cells.join(" | "))
}

/// The head of a table.
pub fn title(cells: &[&str]) -> String {
    let names: Vec<String> = cells.iter().map(|cell| (*cell).to_owned()).collect();
    line(&names) + &line(&vec!["---".to_owned(); cells.len()])
}

/// Writes one row.
///
/// # Errors
/// Where standard output cannot be written.
pub fn row(cells: &[String]) -> io::Result<()> {
    write!(io::stdout(), "{}", line(cells))
}

/// Writes the head of a table.
///
/// # Errors
/// Where standard output cannot be written.
pub fn head(cells: &[&str]) -> io::Result<()> {
    write!(io::stdout(), "{}", title(cells))
}
