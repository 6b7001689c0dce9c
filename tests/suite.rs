//! The truth suite: what must be answered when things change, end, were wrong or are forgotten.

use lorebase::datasets::truth::{Way, suite};
use lorebase::evaluate::truth::run;

/// The least share of questions that are answered right through plain text, which rules read.
const THROUGH_TEXT: f64 = 0.97;

#[test]
fn given_facts_are_answered_right_and_plain_text_mostly() {
    let report = run(&suite(), |_| ()).unwrap();
    let wrong: Vec<String> = report
        .answers
        .iter()
        .filter(|answer| answer.way == Way::Given && !answer.is_right())
        .map(|answer| {
            let (asked, found) = (&answer.asked, &answer.found);
            let problem = answer.problem.as_deref().unwrap_or_default();
            format!(
                "{}: {} {} {:?}, found {found:?} {problem}",
                answer.history, asked.subject, asked.predicate, asked.expect
            )
        })
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    let text = report.score(Way::Text, None).questions;
    assert!(text.value() >= THROUGH_TEXT, "{} of {}", text.right, text.of);
}
