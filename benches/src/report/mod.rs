//! What was measured, as tables and curves, put where `docs/performance.md` shows them.

mod curves;
mod goals;
mod tables;

use std::fs;
use std::path::Path;

use anyhow::{Context as _, bail};

use crate::figures::Figures;

/// All tables, each with its name.
pub fn tables(figures: &Figures) -> Vec<(&'static str, String)> {
    tables::all(figures)
}

/// Puts the tables into `performance.md` in `docs`, between the comments that name them, and the curves beside it.
///
/// # Errors
/// Where a file cannot be read or written, or has no place for a table.
pub fn write(figures: &Figures, docs: &Path) -> anyhow::Result<()> {
    let page = docs.join("performance.md");
    let mut text = fs::read_to_string(&page).with_context(|| format!("cannot read {}", page.display()))?;
    for (name, table) in tables::all(figures) {
        text = with_table(&text, name, &table)?;
    }
    fs::write(&page, text)?;
    let curves = docs.join("curves");
    fs::create_dir_all(&curves)?;
    for (name, chart) in curves::all(figures) {
        fs::write(curves.join(format!("{name}.svg")), chart.render())?;
    }
    Ok(())
}

/// The page with this table in its place.
fn with_table(page: &str, name: &str, table: &str) -> anyhow::Result<String> {
    let (begin, end) = (format!("<!-- table: {name} -->\n"), "<!-- end -->");
    let Some((before, rest)) = page.split_once(&begin) else {
        bail!("the page has no place for the table {name}")
    };
    let Some((_, after)) = rest.split_once(end) else { bail!("the table {name} has no end") };
    Ok(format!("{before}{begin}{table}{end}{after}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_takes_the_place_of_the_one_before() {
        let page = "a\n<!-- table: x -->\n| old |\n<!-- end -->\nb\n";
        let told = with_table(page, "x", "| new |\n").unwrap();
        assert_eq!(told, "a\n<!-- table: x -->\n| new |\n<!-- end -->\nb\n");
        assert!(with_table(page, "y", "").is_err());
    }
}
