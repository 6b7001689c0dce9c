//! What meets a pattern, as a table for people.

use lorebase::query::pattern::{Cell, Table};

use super::{line, visible};

/// Columns side by side, each as wide as its widest cell; nothing where nothing was found.
pub(crate) fn table(table: &Table) -> String {
    let mut text = String::new();
    if table.rows.is_empty() {
        return text;
    }
    let heads: Vec<String> = table.columns.iter().map(|column| in_a_line(column)).collect();
    let rows: Vec<Vec<String>> = table.rows.iter().map(|row| row.iter().map(cell).collect()).collect();
    let width = |column: usize| {
        let cells = rows.iter().chain([&heads]).map(|row| row[column].chars().count());
        cells.max().unwrap_or_default()
    };
    let widths: Vec<usize> = (0..heads.len()).map(width).collect();
    let ruled = widths.iter().map(|width| "-".repeat(*width)).collect();
    for row in [heads, ruled].iter().chain(&rows) {
        let cells: Vec<String> =
            row.iter().zip(&widths).map(|(cell, width)| format!("{cell:<width$}")).collect();
        line(&mut text, cells.join("  ").trim_end());
    }
    text
}

fn cell(cell: &Cell) -> String {
    match cell {
        Cell::Null => "null".to_owned(),
        Cell::Boolean(truth) => truth.to_string(),
        Cell::Integer(number) => number.to_string(),
        Cell::Number(number) => number.to_string(),
        Cell::Time(at) => {
            let at = at.to_string();
            at.strip_suffix("T00:00:00Z").map_or(at.clone(), str::to_owned)
        }
        Cell::Text(text) | Cell::Entity { name: text, .. } | Cell::Fact { told: text, .. } => in_a_line(text),
        Cell::List(cells) => cells.iter().map(self::cell).collect::<Vec<_>>().join(", "),
    }
}

fn in_a_line(text: &str) -> String {
    visible(&text.replace(['\n', '\t'], " "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_stand_below_their_heads() {
        let text = |text: &str| Cell::Text(text.to_owned());
        let columns = ["a.name", "count(*)", "r.from"].map(str::to_owned).to_vec();
        let at = "2024-05-08".parse::<lorebase::engine::model::time::SourceTime>().unwrap().instant;
        let rows = vec![
            vec![text("Åse Holm"), Cell::Integer(12), Cell::Time(at)],
            vec![text("Bo\u{1b}\n"), Cell::Null, Cell::List(vec![text("x"), Cell::Boolean(true)])],
        ];
        let shown = table(&Table { columns, rows, ..Table::default() });
        let wanted = "a.name     count(*)  r.from\n\
                      ---------  --------  ----------\n\
                      Åse Holm   12        2024-05-08\n\
                      Bo\\u{1b}   null      x, true\n";
        assert_eq!(shown, wanted);
        assert_eq!(table(&Table::default()), "");
    }
}
