//! Tables in Markdown, as they stand in `docs/`.

use std::io::{self, Write};

/// Writes one row.
///
/// # Errors
/// Where standard output cannot be written.
pub fn row(cells: &[String]) -> io::Result<()> {
    writeln!(io::stdout(), "| {} |", cells.join(" | "))
}

/// Writes the head of a table.
///
/// # Errors
/// Where standard output cannot be written.
pub fn head(cells: &[&str]) -> io::Result<()> {
    row(&cells.iter().map(|cell| (*cell).to_owned()).collect::<Vec<_>>())?;
    row(&vec!["---".to_owned(); cells.len()])
}
