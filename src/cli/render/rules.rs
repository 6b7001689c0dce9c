//! Rules as text for people.

use lorebase::rules::{AddedRule, RuleView};

use super::{line, visible};

/// What adding one came to.
pub(crate) fn added(told: &AddedRule) -> String {
    let known = if told.new { "added" } else { "there already" };
    format!("{known}: {}\n", visible(&told.rule.rule))
}

/// Rules, one a line: our own first, with a star.
pub(crate) fn list(rules: &[RuleView]) -> String {
    let mut text = String::new();
    for rule in rules {
        let mark = if rule.id.is_some() { ' ' } else { '*' };
        let problem = rule.problem.as_ref().map(|problem| format!("  (passed over: {})", visible(problem)));
        line(&mut text, &format!("{mark} {}{}", visible(&rule.rule), problem.unwrap_or_default()));
    }
    text
}

/// What was removed.
pub(crate) fn removed(rule: Option<&RuleView>) -> String {
    rule.map(|rule| format!("removed: {}\n", visible(&rule.rule))).unwrap_or_default()
}
