//! Walks over the graph: what is near an entity, what matters to it, and by which paths two are tied, through the command line
//! and the library alike, with times, namespaces, forgetting and drawings.

use std::fs;

use lorebase::memory::Memory;
use lorebase::walks::{Nearness, NeighborsAsked, PathsAsked};
use serde_json::Value;

use crate::util::{Lab, assert_sound, namespace};

/// Who works and lives where, and who knows whom, with the id of the turn that says it.
const GIVEN: [(&str, &str, &str, &str); 9] = [
    ("Ilka", "works_at", "Tidewheel", "T1"),
    ("Bram", "works_at", "Tidewheel", "T2"),
    ("Bram", "sibling_of", "Signe", "T3"),
    ("Signe", "lives_in", "Gdynia", "T4"),
    ("Ilka", "friend_of", "Petra", "T5"),
    ("Petra", "lives_in", "Gdynia", "T6"),
    ("Ilka", "age", "41", "T7"),
    ("Rui", "friend_of", "Rosa", "T8"),
    ("Ilka", "friend_of", "Petra", "T9"),
];

fn given() -> Lab {
    let lab = Lab::new();
    for (subject, predicate, object, source) in GIVEN {
        lab.lore(&["assert", subject, predicate, object, "--source", source, "--at", "2024-03-01"]).done();
    }
    lab
}

fn names(told: &Value) -> Vec<&str> {
    told["neighbors"].as_array().unwrap().iter().map(|near| near["name"].as_str().unwrap()).collect()
}

/// The steps of a path as one text.
fn told(steps: &Value) -> String {
    let step = |step: &Value| {
        let field = |name: &str| step[name].as_str().unwrap().to_owned();
        let back = if step["reverse"] == true { "<" } else { "" };
        format!("{back}{} {} [{}]", field("predicate"), field("to"), field("source_id"))
    };
    steps.as_array().unwrap().iter().map(step).collect::<Vec<_>>().join(", ")
}

#[test]
fn neighbours_are_told_by_distance_with_the_way_to_them() {
    let lab = given();
    let near = lab.json(&["neighbors", "ilka"]);
    assert_eq!((&near["entity"], &near["more_follows"]), (&"Ilka".into(), &false.into()));
    let mut one_hop = names(&near);
    assert_eq!(one_hop.pop(), Some("41"), "a value comes after entities");
    one_hop.sort_unstable();
    assert_eq!(one_hop, ["Petra", "Tidewheel"]);
    assert_eq!(near["neighbors"][2]["kind"], "value");
    let far = lab.json(&["neighbors", "Ilka", "--hops", "3"]);
    let of = |name: &str| {
        let all = far["neighbors"].as_array().unwrap();
        all.iter()
            .find(|near| near["name"] == name)
            .unwrap_or_else(|| panic!("{name} is not in {far}"))
            .clone()
    };
    assert_eq!(of("Signe")["hops"], 3);
    assert_eq!(told(&of("Bram")["path"]), "works_at Tidewheel [T1], <works_at Bram [T2]");
    assert_eq!(names(&far).len(), 6, "Rui and Rosa are not tied to her");
    let over = lab.json(&["neighbors", "Ilka", "--hops", "3", "--predicate", "friend_of,lives_in"]);
    assert_eq!(names(&over), ["Petra", "Gdynia", "Signe"]);
    let reply = lab.lore(&["neighbors", "Ilka", "--hops", "3", "--limit", "2", "--json"]);
    assert_eq!((reply.code, reply.json()["more_follows"] == true), (0, true));
    assert!(reply.err.contains("there is more"), "{}", reply.err);
    let text = lab.lore(&["neighbors", "Ilka", "--predicate", "friend_of"]).done().out;
    assert!(text.contains("Ilka —friend_of→ Petra [T5]"), "{text}");
}

#[test]
fn what_matters_most_comes_first_by_rank() {
    let lab = given();
    let told = lab.json(&["neighbors", "Ilka", "--by-rank", "--limit", "3"]);
    let scores: Vec<f64> =
        told["neighbors"].as_array().unwrap().iter().map(|near| near["score"].as_f64().unwrap()).collect();
    assert!(scores.is_sorted_by(|one, other| one >= other) && scores.len() == 3, "{told}");
    assert_eq!(names(&told)[0], "Petra", "a friend before a firm");
    assert!(lab.lore(&["neighbors", "Ilka", "--by-rank", "--hops", "2"]).code == 2);
}

#[test]
fn paths_are_told_best_first_and_drawn() {
    let lab = given();
    let (svg, dot) = (lab.path("path.svg"), lab.path("path.dot"));
    let files = ["--svg", svg.to_str().unwrap(), "--dot", dot.to_str().unwrap()];
    let found = lab.json(&[&["path", "Ilka", "Signe"][..], &files].concat());
    let paths = found["paths"].as_array().unwrap();
    let told: Vec<String> = paths.iter().map(|path| told(&path["steps"])).collect();
    let [by_firm, by_town] = [
        "works_at Tidewheel [T1], <works_at Bram [T2], sibling_of Signe [T3]",
        "friend_of Petra [T5], lives_in Gdynia [T6], <lives_in Signe [T4]",
    ];
    assert_eq!(told, [by_town, by_firm], "that she has a friend there is said twice");
    let score = |place: usize| paths[place]["score"].as_f64().unwrap();
    assert!(score(0) >= score(1) && score(1) > 0.0, "{found}");
    let drawn = fs::read_to_string(svg).unwrap();
    assert_eq!((drawn.matches("class=\"entity\"").count(), drawn.matches("class=\"fact\"").count()), (6, 6));
    assert!(drawn.contains("since 2024-03-01 [T2]"), "{drawn}");
    assert!(fs::read_to_string(dot).unwrap().contains("\"Bram\" -> \"Tidewheel\""));
    let file = lab.path("recall.svg");
    lab.lore(&["recall", "Where does Ilka's friend live?", "--svg", file.to_str().unwrap()]).done();
    let drawn = fs::read_to_string(file).unwrap();
    assert!(
        ["friend_of", "lives_in", "since 2024-03-01 [T6]"].iter().all(|word| drawn.contains(word)),
        "{drawn}"
    );
    let one = lab.json(&["path", "Ilka", "Signe", "--k", "1"]);
    assert_eq!(one["paths"][0], found["paths"][0]);
}

#[test]
fn what_is_not_there_is_told_with_exit_code_one() {
    let lab = given();
    for (command, word) in [
        (&["neighbors", "Nobody"][..], "nothing is known of \"Nobody\""),
        (&["path", "Ilka", "Nobody"], "nothing is known of \"Nobody\""),
        (&["path", "Ilka", "Rui"], "nothing found"),
        (&["path", "Ilka", "Signe", "--hops", "2"], "nothing found"),
        (&["neighbors", "Ilka", "--namespace", "other"], "nothing is known"),
    ] {
        let reply = lab.lore(command);
        assert_eq!((reply.code, reply.err.contains(word)), (1, true), "{command:?}: {}", reply.err);
    }
    for wrong in [
        &["path", "Ilka", "ilka"][..],
        &["neighbors", "Ilka", "--hops", "7"],
        &["path", "Ilka", "Rui", "--k", "0"],
    ] {
        lab.lore(wrong).failed(2);
    }
}

#[test]
fn walks_go_over_what_held_at_the_time() {
    let lab = Lab::new();
    for (object, at) in [("Acme", "2019-02-01"), ("Tidewheel", "2022-02-01")] {
        lab.lore(&["assert", "Ilka", "works_at", object, "--at", at]).done();
    }
    for person in ["Bram", "Signe"] {
        let object = if person == "Bram" { "Acme" } else { "Tidewheel" };
        lab.lore(&["assert", person, "works_at", object, "--at", "2019-02-01"]).done();
    }
    let around = |flags: &[&str]| {
        let told = lab.json(&[&["neighbors", "Ilka", "--hops", "2"], flags].concat());
        names(&told).into_iter().map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(around(&[]), ["Tidewheel", "Signe"]);
    assert_eq!(around(&["--as-of", "2020-01-01"]), ["Acme", "Bram"]);
    assert_eq!(around(&["--known-at", "2020-01-01"]), ["Acme", "Bram"]);
    let path = lab.json(&["path", "Ilka", "Bram", "--as-of", "2020-01-01"]);
    assert_eq!(path["paths"][0]["steps"][0]["valid"]["to"], "2022-02-01T00:00:00Z");
    assert_eq!(lab.lore(&["path", "Ilka", "Bram"]).code, 1, "she left");
}

#[test]
fn the_library_walks_with_the_same_power_and_forgets() {
    let lab = given();
    let memory: Memory = lab.memory();
    let default = namespace("default");
    let near = NeighborsAsked { hops: 2, by: Nearness::Distance, ..NeighborsAsked::new("Ilka") };
    let found = memory.neighbors(&default, &near).unwrap();
    let bram = found.neighbors.iter().find(|near| near.name == "Bram").unwrap();
    assert_eq!(found.path(bram).len(), 2);
    let paths = || memory.paths(&default, &PathsAsked::new("Ilka", "Signe")).unwrap().paths.len();
    assert_eq!(paths(), 2);
    memory
        .merge_entities(
            &default,
            &lorebase::identity::Merge { name: "Petra", other: "Rui", note: None, force: false },
        )
        .unwrap();
    assert_eq!(memory.paths(&default, &PathsAsked::new("Ilka", "Rosa")).unwrap().paths.len(), 1);
    let facts = memory.facts(&default, Some("Bram"), Some("works_at")).unwrap();
    let gone = [facts[0].support[0].episode];
    let selection = lorebase::forget::Selection { episodes: &gone, ..Default::default() };
    memory.forget(&default, &selection).unwrap();
    assert_eq!(paths(), 1);
    assert_sound(&memory);
}
