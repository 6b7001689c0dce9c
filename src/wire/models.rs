//! What `model --json` prints.

use serde_json::{Value, json};

use crate::cli::models::Listed;

fn model(row: &Listed) -> Value {
    json!({
        "name": row.name,
        "kind": row.kind,
        "here": row.here,
        "damage": row.damage,
        "dimensions": row.dimensions,
        "bytes": row.bytes,
        "licence": row.licence,
        "source": row.source,
        "embedder": row.embedder,
    })
}

/// `{"directory", "models": [...]}`, each with whether the store uses it.
pub(crate) fn listed(directory: &str, rows: &[Listed]) -> Value {
    let row = |row: &Listed| {
        let mut told = model(row);
        told["used"] = json!(row.used);
        told
    };
    json!({ "directory": directory, "models": rows.iter().map(row).collect::<Vec<_>>() })
}

/// The model that was added.
pub(crate) fn added(row: &Listed, new: bool) -> Value {
    let mut told = model(row);
    told["new"] = json!(new);
    told
}

/// Which model makes a store's vectors now.
pub(crate) fn used(store: &str, name: &str, embedder: &str) -> Value {
    json!({ "store": store, "model": name, "embedder": embedder })
}

/// What was removed; null bytes where there was none.
pub(crate) fn removed(name: &str, bytes: Option<u64>) -> Value {
    json!({ "model": name, "removed": bytes.is_some(), "bytes": bytes })
}
