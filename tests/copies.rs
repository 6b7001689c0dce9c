//! What is said again and again takes no place from what tells more.

use serde_json::Value;

use crate::models::Shop;
use crate::util::root;

#[test]
fn what_was_said_before_comes_after_what_was_not_and_is_found_all_the_same() {
    let shop = Shop::new();
    let fixture = root().join("tests/fixtures/encoder-1");
    let source = fixture.to_str().unwrap();
    shop.lore(&["model", "add", "--from", source, "--pooling", "mean", "--name", "tiny"]).done();
    shop.lore(&["model", "use", "tiny"]).done();
    for (session, text) in [
        ("a", "The ferry leaves at six."),
        ("b", "The ferry leaves at six."),
        ("c", "The ferry leaves at six!"),
        ("d", "Ilka took the ferry to Bergen, and the kitten too."),
    ] {
        shop.lore(&["remember", text, "--speaker", "Bram", "--session", session]).done();
    }
    let ask = |more: &[&str]| {
        let found = shop.json(&[&["recall", "When does the ferry leave?", "--explain"], more].concat());
        let told = |hit: &Value| {
            (hit["session"].as_str().unwrap().to_owned(), hit["parts"]["copy"].as_f64().unwrap())
        };
        found["hits"].as_array().unwrap().iter().map(told).collect::<Vec<_>>()
    };
    let found = ask(&[]);
    assert_eq!(found.len(), 4, "{found:?}");
    let whole = |found: &[(String, f64)]| found.iter().filter(|(_, copy)| *copy > 0.9).count();
    assert_eq!(whole(&found[..2]), 2, "{found:?}");
    assert!(found[..2].iter().any(|(session, _)| session == "d") && whole(&found) <= 3, "{found:?}");
    // A word or a sign more may make it another thing; the very same words never do.
    assert!(
        found[2..].iter().any(|(session, copy)| "ab".contains(session.as_str()) && *copy < 0.9),
        "{found:?}"
    );
    // Without a model that knows meaning nothing is taken for a copy: the built-in embedder does not see a "not".
    assert_eq!(whole(&ask(&["--model", "builtin"])), 4);
}
