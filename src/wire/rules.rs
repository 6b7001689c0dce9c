//! Rules as JSON.

use lorebase::rules::{AddedRule, RuleView};
use serde_json::{Value, json};

/// `{"new", "rule": RULE}`.
pub(crate) fn added(told: &AddedRule) -> Value {
    json!({ "new": told.new, "rule": rule(&told.rule) })
}

/// `{"rules": [RULE]}`.
pub(crate) fn list(rules: &[RuleView]) -> Value {
    json!({ "rules": rules.iter().map(rule).collect::<Vec<_>>() })
}

/// `{"removed": RULE}`, or null.
pub(crate) fn removed(removed: Option<&RuleView>) -> Value {
    json!({ "removed": removed.map(rule) })
}

fn rule(view: &RuleView) -> Value {
    json!({
        "id": view.id.map(|id| id.to_string()),
        "rule": view.rule,
        "own": view.id.is_none(),
        "at": view.at.map(|at| at.to_string()),
        "problem": view.problem,
    })
}
