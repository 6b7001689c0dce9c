//! Patterns from outside: what meets them as text and JSON, from either clock, over relations told from either
//! end, and where they are wrong.

use std::fs;
use std::io::Write;
use std::process::{Command, Stdio};

use lorebase::query::pattern::ast::Pattern;
use serde_json::{Value, json};

use crate::rules::{pieces, without_ids};
use crate::util::{Lab, Reply, root};

fn told(lab: &Lab, arguments: &[&str]) {
    lab.lore(&[&["assert"], arguments].concat()).done();
}

/// People at two firms, one of whom has moved, and who reports to whom.
fn people() -> Lab {
    let lab = Lab::new();
    for (who, relation, what, day) in [
        ("Ilka", "works_at", "Acme", "2024-01-01"),
        ("Bram", "works_at", "Acme", "2024-01-02"),
        ("Signe", "works_at", "Borg", "2024-01-03"),
        ("Bram", "reports_to", "Ilka", "2024-01-04"),
        ("Ilka", "lives_in", "Gdynia", "2024-01-05"),
        ("Bram", "lives_in", "Porto", "2024-01-06"),
        ("Porto", "located_in", "Portugal", "2024-01-07"),
        ("Portugal", "located_in", "Europe", "2024-01-08"),
        ("Ilka", "friend_of", "Signe", "2024-01-09"),
        ("Signe", "works_as", "a nurse", "2024-01-10"),
        ("Ilka", "lives_in", "Vigo", "2024-06-01"),
    ] {
        told(&lab, &[who, relation, what, "--from", day, "--at", day]);
    }
    lab
}

/// The rows of an answer.
#[track_caller]
fn rows(lab: &Lab, arguments: &[&str]) -> Value {
    let reply = lab.lore(&[&["match", "--json"], arguments].concat());
    assert!(reply.code < 2, "{}", reply.err);
    let mut reply: Value = serde_json::from_str(&reply.out).unwrap();
    assert_eq!(reply["more_follows"], false);
    reply["rows"].take()
}

#[test]
fn who_meets_a_pattern_is_found() {
    let lab = people();
    let colleagues =
        "MATCH (a {name: 'ilka'})-[:works_at]->(o)<-[:works_at]-(b) RETURN b.name, o.name AS firm";
    let told = lab.json(&["match", colleagues]);
    assert_eq!(
        told,
        json!({"columns": ["b.name", "firm"], "rows": [["Bram", "Acme"]], "more_follows": false})
    );
    let shown = lab.lore(&["match", colleagues]).done().out;
    assert_eq!(shown, "b.name  firm\n------  ----\nBram    Acme\n");
    for (pattern, expected) in [
        ("MATCH (a)-[:manages]->(b) RETURN a, b", json!([["Ilka", "Bram"]])),
        ("MATCH (a {name: 'Signe'})-[:friend_of]->(b) RETURN b", json!([["Ilka"]])),
        ("MATCH (a)-[:employs]->(b {name: 'Signe'}) RETURN a", json!([["Borg"]])),
        (
            "MATCH (a {name: 'Bram'})-[:lives_in|located_in*]->(c) RETURN c.name ORDER BY c.name",
            json!([["Europe"], ["Porto"], ["Portugal"]]),
        ),
        ("MATCH (a {name: 'Bram'})-[:lives_in|located_in*3]->(c) RETURN c.name", json!([["Europe"]])),
        (
            "MATCH (a)-[:works_as]->(v:Value {name: 'A nurse'}) RETURN a.name, v.kind",
            json!([["Signe", "value"]]),
        ),
        (
            "MATCH (a)-[:works_at]->(o) RETURN o.name, count(*) AS people ORDER BY people DESC, o.name",
            json!([["Acme", 2], ["Borg", 1]]),
        ),
        (
            "MATCH (a)-[:works_at]->(o) OPTIONAL MATCH (a)-[:lives_in]->(c) RETURN a.name, c.name ORDER BY a.name",
            json!([["Bram", "Porto"], ["Ilka", "Vigo"], ["Signe", null]]),
        ),
        (
            "MATCH (a)-[:works_at]->() WHERE NOT a.name STARTS WITH 'b' AND a.name <> 'Signe' RETURN a.name",
            json!([["Ilka"]]),
        ),
        (
            "MATCH (a)-[r:lives_in]->(c) WHERE r.from >= '2024-03-01' RETURN r, r.from",
            json!([["Ilka lives_in Vigo", "2024-06-01T00:00:00Z"]]),
        ),
        ("MATCH (a)-[:works_at]->(o {name: 'nobody'}) RETURN count(a)", json!([[0]])),
        ("MATCH (a)-[:works_at]->(o) RETURN a.name ORDER BY a.name SKIP 1 LIMIT 1", json!([["Ilka"]])),
    ] {
        assert_eq!(rows(&lab, &[pattern]), expected, "{pattern}");
    }
}

#[test]
fn facts_count_that_hold_at_the_time_that_is_asked_for() {
    let lab = people();
    let home = "MATCH (a {name: 'Ilka'})-[r:lives_in]->(c)";
    let then = format!("{home} AS OF '2024-02-01' RETURN c.name");
    let moved = format!(
        "{home} AS OF '2024-02-01' MATCH (a)-[:lives_in]->(now) WHERE now <> c RETURN c.name, now.name"
    );
    let all = format!("{home} ALL FACTS RETURN c.name, r.status, r.holds ORDER BY r.from");
    let over = format!("{home} ALL FACTS WHERE r.status = 'superseded' RETURN c.name");
    let now = format!("{home} RETURN c.name");
    for (arguments, expected) in [
        (&[&*now][..], json!([["Vigo"]])),
        (&[&*then], json!([["Gdynia"]])),
        (&[&*now, "--as-of", "2024-02-01"], json!([["Gdynia"]])),
        (&[&*now, "--known-at", "2024-02-01"], json!([["Gdynia"]])),
        (&[&*now, "--as-of", "2024-01-02"], json!([])),
        (&[&*moved], json!([["Gdynia", "Vigo"]])),
        (&[&*all], json!([["Gdynia", "superseded", false], ["Vigo", "current", true]])),
        (&[&*all, "--known-at", "2024-02-01"], json!([["Gdynia", "current", true]])),
        (&[&*over], json!([["Gdynia"]])),
        (&["MATCH (a {name: 'Signe'}) RETURN a", "--known-at", "2024-01-02"], json!([])),
    ] {
        assert_eq!(rows(&lab, arguments), expected, "{arguments:?}");
    }
}

#[test]
fn a_pattern_that_is_wrong_is_pointed_at_and_nothing_found_is_1() {
    let lab = people();
    let error = lab.lore(&["match", "MATCH (a:Persn) RETURN a"]).failed(2);
    let lines: Vec<&str> = error.lines().collect();
    let place = lines[0].find("Persn").unwrap();
    assert_eq!((lines[0], lines[1].find('^')), ("lore: MATCH (a:Persn) RETURN a", Some(place)));
    assert!(lines[2].starts_with("lore: the pattern is wrong at character 10: Persn is no kind of node"));
    let nothing = lab.lore(&["match", "MATCH (a)-[:juggles]->(b) RETURN a", "--json"]);
    assert_eq!(nothing.code, 1);
    assert_eq!(nothing.json(), json!({"columns": ["a"], "rows": [], "more_follows": false}));
    assert_eq!(lab.lore(&["match", "MATCH (a) RETURN a", "--namespace", "other"]).code, 1);
}

#[test]
fn more_rows_than_are_shown_are_told_of() {
    let lab = people();
    let reply = lab.lore(&["match", "MATCH (a)-[r]->(b) RETURN r", "--limit", "3", "--json"]);
    assert_eq!((reply.code, reply.json()["more_follows"].clone()), (0, Value::Bool(true)));
    assert_eq!(reply.json()["rows"].as_array().unwrap().len(), 3);
    assert!(reply.err.contains("more may follow"), "{}", reply.err);
    let asked = lab.lore(&["match", "MATCH (a)-[r]->(b) RETURN r LIMIT 3"]).done();
    assert_eq!(asked.out.lines().count(), 5);
}

#[test]
fn a_pattern_comes_on_standard_input() {
    let lab = people();
    let mut command = Command::new(env!("CARGO_BIN_EXE_lore"));
    let arguments = ["--store", lab.store().to_str().unwrap(), "match", "-", "--json"].map(str::to_owned);
    let mut child = command
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let pattern = b"MATCH (a)-[:works_at]->(o {name: \"Borg\"})\nRETURN a.name\n";
    child.stdin.take().unwrap().write_all(pattern).unwrap();
    let reply = Reply::of(child.wait_with_output().unwrap()).done();
    assert_eq!(reply.json()["rows"], json!([["Signe"]]));
}

#[test]
fn the_examples_of_the_documentation_are_so() {
    let text = fs::read_to_string(root().join("docs/patterns.md")).unwrap();
    let blocks = |kind: &str| {
        let begin = format!("```{kind}\n");
        let blocks = text.split(&begin).skip(1);
        blocks.map(|block| block.split_once("```").unwrap().0.to_owned()).collect::<Vec<_>>()
    };
    let lab = Lab::new();
    let mut tried = 0;
    for command in blocks("console").iter().flat_map(|block| block.split("$ lore --store mem ").skip(1)) {
        let (line, shown) = command.split_once('\n').unwrap();
        let reply = lab.lore(&pieces(line));
        assert_eq!(without_ids(&reply.out), shown, "{line}: {}", reply.err);
        tried += 1;
    }
    for pattern in blocks("cypher").iter().flat_map(|block| block.lines()) {
        pattern.parse::<Pattern>().unwrap_or_else(|error| panic!("{pattern}: {error}"));
        assert!(lab.lore(&["match", pattern]).code < 2);
        tried += 1;
    }
    assert!(tried > 20);
}
