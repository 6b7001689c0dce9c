//! Hits that a cross-encoder looks at again: how it comes to this machine, what it changes, and what happens where it is not
//! there, of the wrong kind, or without time.

use std::fs;

use serde_json::{Value, json};

use crate::models::Shop;
use crate::util::root;

const QUESTION: &str = "When does the ferry leave?";

/// The files of a small cross-encoder with weights by chance.
fn files() -> Vec<(&'static str, Vec<u8>)> {
    let fixture = root().join("tests/fixtures/encoder-1");
    let mut config: Value = serde_json::from_slice(&fs::read(fixture.join("config.json")).unwrap()).unwrap();
    config["architectures"] = json!(["BertForSequenceClassification"]);
    let file = |name: &'static str| (name, fs::read(fixture.join(name)).unwrap());
    vec![("config.json", config.to_string().into_bytes()), file("tokenizer.json"), file("model.safetensors")]
}

/// A shop with a cross-encoder on its machine and some turns in its store.
fn stocked() -> Shop {
    let shop = Shop::new();
    let source = shop.directory("judge", &files());
    let told = shop.json(&["model", "add", "--from", &source]);
    assert_eq!((&told["kind"], &told["dimensions"]), (&json!("reranker"), &json!(0)));
    // Words of letters that its vocabulary has.
    let letters = || "beraniost".chars();
    let names = letters().flat_map(|one| letters().map(move |other| format!("{one}{other}n")));
    for name in names.take(60) {
        shop.lore(&["remember", &format!("The ferry {name} leaves at {name}.")]).done();
    }
    shop
}

fn texts(found: &Value) -> Vec<&str> {
    found["hits"].as_array().unwrap().iter().map(|hit| hit["text"].as_str().unwrap()).collect()
}

#[test]
fn the_first_forty_hits_are_put_into_a_new_order_and_the_others_follow() {
    let shop = stocked();
    let plain = shop.json(&["recall", QUESTION, "--limit", "60", "--explain"]);
    assert_eq!(plain["reranked"], Value::Null);
    let budget = "--rerank-budget=60000";
    let again = shop.json(&["recall", QUESTION, "--limit", "60", "--explain", "--rerank", budget]);
    assert_eq!((&again["reranked"]["candidates"], &again["reranked"]["read"]), (&json!(40), &json!(40)));
    assert!(again["reranked"]["model"].as_str().unwrap().starts_with("judge-"));
    let (before, after) = (texts(&plain), texts(&again));
    assert!(before != after && before[40..] == after[40..]);
    let mut sorted = [before.clone(), after.clone()];
    for texts in &mut sorted {
        texts[..40].sort_unstable();
    }
    assert_eq!(sorted[0], sorted[1]);
    for hits in again["hits"].as_array().unwrap().windows(2) {
        assert!(hits[0]["score"].as_f64() >= hits[1]["score"].as_f64());
    }
    // Fewer hits are the first of these, and a context is made of the same.
    let few = shop.json(&["recall", QUESTION, "--limit", "3", "--rerank=judge", budget]);
    assert_eq!(texts(&few), after[..3]);
    let text = shop.lore(&["recall", QUESTION, "--explain", "--rerank", budget]).done().out;
    assert!(text.contains("+ rerank") && text.contains("reranker: judge-"), "{text}");
    shop.lore(&["context", QUESTION, "--rerank", budget]).done();
}

#[test]
fn a_reranker_without_time_reads_a_few_and_says_so() {
    let shop = stocked();
    let reply = shop.lore(&["recall", QUESTION, "--limit", "60", "--rerank", "--rerank-budget=0", "--json"]);
    assert_eq!(reply.code, 0, "{}", reply.err);
    let found = reply.json();
    let read = found["reranked"]["read"].as_u64().unwrap();
    assert!((1..40).contains(&read), "{read}");
    assert_eq!(found["hits"].as_array().unwrap().len(), 60);
    let notice = format!("the reranker read {read} of 40 hits in its time; --rerank-budget gives it more");
    assert_eq!(found["notices"], json!([notice]));
    assert!(reply.err.contains(&notice));
    let plain = shop.json(&["recall", QUESTION, "--limit", "60"]);
    assert_eq!(texts(&found)[read as usize..], texts(&plain)[read as usize..]);
}

#[test]
fn what_cannot_look_at_hits_again_is_refused() {
    let shop = Shop::new();
    shop.lore(&["remember", "The ferry leaves at six."]).done();
    let err = shop.lore(&["recall", QUESTION, "--rerank"]).failed(2);
    assert!(err.contains("there is none in") && err.contains("lore model list"), "{}", err);
    let err = shop.lore(&["recall", QUESTION, "--rerank=judge"]).failed(2);
    assert!(err.contains("judge is not among the models"), "{}", err);
    shop.lore(&["recall", QUESTION, "--rerank-budget=5"]).failed(2);
    let source = shop.directory("judge", &files());
    shop.lore(&["model", "add", "--from", &source]).done();
    shop.lore(&["recall", QUESTION, "--rerank"]).done();
    for command in [&["model", "use", "judge"][..], &["recall", QUESTION, "--model", "judge"]] {
        let err = shop.lore(command).failed(2);
        assert!(err.contains("--rerank=judge"), "{}", err);
    }
    shop.lore(&["model", "add", "--from", &source, "--name", "other"]).done();
    let err = shop.lore(&["recall", QUESTION, "--rerank"]).failed(2);
    assert!(err.contains("each of judge, other; name one"), "{}", err);
    // A sentence encoder is none.
    let encoder: Vec<_> = files()
        .into_iter()
        .map(|(name, bytes)| {
            let config = String::from_utf8(bytes.clone()).unwrap_or_default();
            (
                name,
                if name == "config.json" {
                    config.replace("ForSequenceClassification", "Model").into_bytes()
                } else {
                    bytes
                },
            )
        })
        .collect();
    let source = shop.directory("encoder", &encoder);
    shop.lore(&["model", "add", "--from", &source, "--pooling", "cls"]).done();
    let err = shop.lore(&["recall", QUESTION, "--rerank=encoder"]).failed(2);
    assert!(err.contains("it makes vectors"), "{}", err);
    // One whose weights are not known brings its own settings.
    let bare: Vec<_> = files().into_iter().filter(|(name, _)| *name != "config.json").collect();
    let source = shop.directory("bare/model", &bare);
    let err = shop
        .lore(&["model", "add", "--from", source.trim_end_matches("/model"), "--part", "model"])
        .failed(2);
    assert!(err.contains("no config.json"), "{}", err);
}
