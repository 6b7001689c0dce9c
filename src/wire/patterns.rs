//! What meets a pattern, as JSON.

use lorebase::query::pattern::{Cell, Table};
use serde_json::{Value, json};

/// `{"columns": [TEXT], "rows": [[…]], "more_follows"}`.
pub(crate) fn table(table: &Table) -> Value {
    let rows: Vec<Vec<Value>> = table.rows.iter().map(|row| row.iter().map(cell).collect()).collect();
    json!({ "columns": table.columns, "rows": rows, "more_follows": table.more_follows })
}

fn cell(cell: &Cell) -> Value {
    match cell {
        Cell::Null => Value::Null,
        Cell::Boolean(truth) => json!(truth),
        Cell::Integer(number) => json!(number),
        Cell::Number(number) => json!(number),
        Cell::Time(at) => json!(at.to_string()),
        Cell::Text(text) => json!(text),
        Cell::Entity { name, .. } => json!(name),
        Cell::Fact { told, .. } => json!(told),
        Cell::List(cells) => cells.iter().map(self::cell).collect(),
    }
}
