//! Who is who: two names are made one and two again, by the command and by the library, and it lasts as long as the names do.

use lorebase::engine::model::id::Namespace;
use lorebase::identity::Merge;
use lorebase::memory::Memory;
use serde_json::{Value, json};

use crate::util::{Lab, assert_sound, lore, session, turn};

/// A memory in which somebody is called by three names.
fn told(lab: &Lab) -> Memory {
    let memory = lab.memory();
    let said = |speaker, day: &str, text| turn(speaker, &format!("2024-05-{day}T10:00:00Z"), text);
    let first =
        vec![said("Gera Vossen", "01", "I live in Porto now."), said("Tomek Baran", "01", "I like tea.")];
    let second =
        vec![said("Gera", "02", "I work at Fernwood Dairy."), said("Ines", "02", "I live in Gdynia.")];
    for (id, turns) in [("one", first), ("two", second)] {
        memory.ingest(&Namespace::default(), session(id, turns), |_| ()).unwrap();
    }
    memory
}

fn facts(lab: &Lab, about: &str) -> Vec<String> {
    let told = lab.json(&["facts", "--about", about]);
    let field = |fact: &Value, name: &str| fact[name].as_str().unwrap().to_owned();
    told["facts"]
        .as_array()
        .unwrap()
        .iter()
        .map(|fact| ["subject", "predicate", "object"].map(|name| field(fact, name)).join(" "))
        .collect()
}

fn entity(lab: &Lab, name: &str) -> Value {
    lab.json(&["entity", name])["entities"][0].clone()
}

#[test]
fn a_merge_is_shown_with_its_evidence_and_a_split_takes_it_back() {
    let lab = Lab::new();
    drop(told(&lab));
    let apart = (facts(&lab, "Gera Vossen"), facts(&lab, "Gera"));
    assert_eq!((apart.0.len(), apart.1.len()), (1, 1));
    let merge = ["entity", "merge", "Gera Vossen", "Gera", "--note", "she said so"];
    let merged = lab.json(&merge);
    assert_eq!((&merged["new"], merged["entities"].as_array().unwrap().len()), (&json!(true), 1));
    assert_eq!(facts(&lab, "Gera"), facts(&lab, "Gera Vossen"));
    assert_eq!(facts(&lab, "Gera").len(), 2);
    let shown = entity(&lab, "gera");
    assert_eq!(shown["aliases"], json!(["Gera", "Gera Vossen"]));
    assert_eq!((&shown["episodes"], &shown["same_as"]), (&json!(2), &json!([])));
    let merge_shown = &shown["merges"][0];
    assert_eq!((&merge_shown["name"], &merge_shown["with"]), (&json!("Gera Vossen"), &json!("Gera")));
    assert!(merge_shown["at"].as_str().unwrap().ends_with('Z'));
    let evidence = &merge_shown["evidence"];
    assert_eq!((&evidence["by"], &evidence["note"]), (&json!("hand"), &json!("she said so")));
    assert_eq!(evidence["signs"], json!(["first name", "one full name fits"]));
    assert!(lab.lore(&["entity", "Gera"]).done().out.contains("one with Gera since 20"));
    assert_eq!(lab.json(&merge)["new"], json!(false));
    assert_eq!(lab.json(&["stats"])["commits"], json!(3));

    let split = lab.json(&["entity", "split", "Gera", "Gera Vossen"]);
    assert_eq!((&split["new"], split["entities"].as_array().unwrap().len()), (&json!(true), 2));
    assert_eq!((facts(&lab, "Gera Vossen"), facts(&lab, "Gera")), apart);
    assert_eq!(entity(&lab, "Gera")["same_as"], json!([]), "they are kept apart");
    assert!(lab.lore(&["entity", "split", "Gera", "Gera Vossen"]).done().out.starts_with("two already"));
    assert_eq!(lab.lore(&["entity", "merge", "--suggest"]).code, 1);
    assert_eq!(lab.json(&merge)["new"], json!(true));
    assert_eq!(facts(&lab, "Gera").len(), 2);
    assert_sound(&lab.memory());
}

#[test]
fn questions_find_what_is_told_of_either_name() {
    let lab = Lab::new();
    let memory = told(&lab);
    let namespace = Namespace::default();
    let ruled = memory.merge_entities(&namespace, &Merge::new("Gera", "Gera Vossen")).unwrap();
    assert!(ruled.new);
    let found = memory.entity(&namespace, "Gera Vossen").unwrap();
    assert_eq!((found.len(), found[0].facts.len()), (1, 2));
    assert_eq!(found, memory.entity(&namespace, "gera").unwrap());
    drop(memory);
    let hits = lab.json(&["recall", "Where does Gera Vossen work?"]);
    assert_eq!(hits["hits"][0]["text"], "I work at Fernwood Dairy.");
}

#[test]
fn likely_persons_are_suggested_and_nothing_is_done() {
    let lab = Lab::new();
    drop(told(&lab));
    let told = lab.json(&["entity", "merge", "--suggest"]);
    let suggestions = told["suggestions"].as_array().unwrap();
    assert_eq!(suggestions.len(), 1);
    assert_eq!((&suggestions[0]["name"], &suggestions[0]["with"]), (&json!("Gera Vossen"), &json!("Gera")));
    assert!(suggestions[0]["score"].as_f64().unwrap() > 0.5);
    let text = lab.lore(&["entity", "merge", "--suggest"]).done().out;
    assert!(text.starts_with("Gera Vossen = Gera (first name, one full name fits; 0.7)"), "{text}");
    assert_eq!(facts(&lab, "Gera").len(), 1);
    // A second full name fits.
    lab.lore(&["remember", "I like rain.", "--speaker", "Gera Mulder"]).done();
    assert_eq!(lab.lore(&["entity", "merge", "--suggest"]).code, 1);
}

#[test]
fn what_cannot_be_meant_is_refused_by_name() {
    let lab = Lab::new();
    drop(told(&lab));
    let refused = |arguments: &[&str]| lab.lore(arguments).failed(2);
    assert!(refused(&["entity", "merge", "Gera", "Nobody Else"]).contains("\"Nobody Else\" names nothing"));
    assert!(refused(&["entity", "split", "Nobody Else", "Gera"]).contains("\"Nobody Else\" names nothing"));
    assert!(refused(&["entity", "merge", "Gera", "gera"]).contains("the same name"));
    let kinds = refused(&["entity", "merge", "Gera", "Porto"]);
    assert!(kinds.contains("person") && kinds.contains("place") && kinds.contains("--force"), "{kinds}");
    lab.lore(&["entity", "merge", "Gera", "Porto", "--force"]).done();
    lab.lore(&["entity", "split", "Gera", "Porto"]).done();
    refused(&["entity", "merge"]);
    refused(&["entity", "merge", "Gera"]);
    refused(&["entity"]);
    refused(&["entity", "merge", "--suggest", "Gera"]);
    lab.lore(&["remember", "I live in Vigo.", "--speaker", "Gera Mulder"]).done();
    assert!(refused(&["entity", "merge", "Ines", "Mulde"]).contains("names nothing"));
    lab.lore(&["remember", "I live in Vigo.", "--speaker", "Ines Mulder"]).done();
    assert!(refused(&["entity", "merge", "Ines", "Mulder"]).contains("may be several"));
}

#[test]
fn an_entity_may_be_called_as_a_command_is() {
    let lab = Lab::new();
    lab.lore(&["remember", "I live in Porto.", "--speaker", "merge"]).done();
    let shown = lab.lore(&["entity", "--", "merge"]).done().out;
    assert!(shown.starts_with("merge (person)"), "{shown}");
    let help = lore(["entity", "merge", "--help"]).done().out;
    assert!(help.contains("Example:") && help.contains("--suggest"), "{help}");
    assert!(lore(["entity", "--help"]).done().out.contains("merge"));
}

#[test]
fn merges_and_splits_are_exported_and_come_back() {
    let lab = Lab::new();
    drop(told(&lab));
    lab.lore(&["entity", "merge", "Gera Vossen", "Gera", "--note", "ñ \u{202e} \"x\""]).done();
    lab.lore(&["entity", "merge", "Gera Vossen", "Ines"]).done();
    lab.lore(&["entity", "split", "Ines", "Gera"]).done();
    let exported = lab.lore(&["export"]).done().out;
    assert_eq!(exported.lines().filter(|line| line.starts_with("{\"ruling\":")).count(), 3);
    assert!(exported.trim_end().ends_with("\"facts\":4}}") && exported.contains("\"rulings\":3"));
    let file = lab.write("mem.jsonl", &exported);
    let file = file.to_str().unwrap();
    let other = Lab::new();
    let told = other.json(&["import", file]);
    assert_eq!((&told["files"][0]["new_rulings"], &told["files"][0]["differences"]), (&json!(3), &json!(0)));
    assert_eq!(other.lore(&["export"]).done().out, exported);
    assert_eq!(other.json(&["import", file])["files"][0]["new_rulings"], json!(0));
    other.lore(&["import", file, "--namespace", "default", "--into", "b"]).done();
    // What is kept apart is not brought together by the older of the two merges.
    let episodes =
        |name| other.json(&["--namespace", "b", "entity", name])["entities"][0]["episodes"].clone();
    assert_eq!((episodes("Ines"), episodes("Gera")), (json!(2), json!(1)));
    for wrong in [
        exported.replace("\"by\":\"hand\"", "\"by\":\"foot\""),
        exported.replace("\"rulings\":3", "\"rulings\":2"),
        exported.replace("\"one\":\"gera vossen\"", "\"one\":\"Gera\""),
    ] {
        let path = lab.write("wrong.jsonl", wrong);
        Lab::new().lore(&["import", path.to_str().unwrap()]).failed(2);
    }
    assert_sound(&other.memory());
}

#[test]
fn a_merge_goes_with_the_last_episode_of_a_name() {
    let lab = Lab::new();
    drop(told(&lab));
    lab.lore(&["entity", "merge", "Gera Vossen", "Gera", "--note", "a note on Gera"]).done();
    lab.lore(&["forget", "--session", "two"]).done();
    assert_eq!(entity(&lab, "Gera Vossen")["merges"], json!([]));
    let journal = std::fs::read_dir(lab.store().join("journal")).unwrap();
    for bytes in journal.map(|entry| std::fs::read(entry.unwrap().path()).unwrap()) {
        assert!(!String::from_utf8_lossy(&bytes).contains("a note on Gera"));
    }
    assert!(!lab.lore(&["export"]).done().out.contains("ruling"));
    assert_sound(&lab.memory());
}
