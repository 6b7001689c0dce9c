//! Truth over time from outside: both clocks, what is given and put right by hand, what is forgotten and
//! stays so, what expires.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use crate::util::{Lab, lore};

/// The objects of a subject's facts that are current, in the order of their names.
fn objects(lab: &Lab, arguments: &[&str]) -> Vec<String> {
    let reply = lab.lore(&[&["facts", "--json"], arguments].concat());
    assert!(reply.code < 2, "{}", reply.err);
    let facts = serde_json::from_str::<Value>(&reply.out).unwrap();
    let facts = facts["facts"].as_array().unwrap().clone();
    let current = facts.iter().filter(|fact| fact["status"] == "current" && fact["polarity"] == "affirmed");
    let mut objects: Vec<String> = current.map(|fact| fact["object"].as_str().unwrap().to_owned()).collect();
    objects.sort();
    objects
}

/// The id of the fact with an object.
fn fact_of(lab: &Lab, object: &str) -> String {
    let facts = lab.json(&["facts"])["facts"].as_array().unwrap().clone();
    let fact = facts.iter().find(|fact| fact["object"] == object && fact["polarity"] == "affirmed");
    fact.unwrap_or_else(|| panic!("{object} is not known"))["id"].as_str().unwrap().to_owned()
}

fn told(lab: &Lab, arguments: &[&str]) {
    lab.lore(&[&["assert"], arguments].concat()).done();
}

/// A person who was in Gdynia, in Vigo and in Gdynia again, told in no order.
fn stays() -> Lab {
    let lab = Lab::new();
    told(&lab, &["Ilka", "lives_in", "Vigo", "--from", "2021-01-01", "--at", "2024-01-02"]);
    told(&lab, &["Ilka", "lives_in", "Gdynia", "--from", "2023-01-01", "--at", "2024-01-03"]);
    told(
        &lab,
        &["Ilka", "lives_in", "Gdynia", "--from", "2019-01-01", "--at", "2024-01-04", "--source", "crm"],
    );
    lab
}

#[test]
fn the_world_is_read_as_of_a_time() {
    let lab = stays();
    for (at, expected) in [
        ("2018-05-01", &[][..]),
        ("2019-05-01", &["Gdynia"]),
        ("2022-05-01", &["Vigo"]),
        ("2023-05-01", &["Gdynia"]),
    ] {
        assert_eq!(objects(&lab, &["--about", "Ilka", "--as-of", at]), expected, "as of {at}");
        assert_eq!(
            lab.json(&["entity", "Ilka", "--as-of", at])["entities"][0]["facts"].as_array().unwrap().len(),
            expected.len()
        );
    }
    assert_eq!(objects(&lab, &["--about", "Ilka"]), ["Gdynia"]);
    assert_eq!(objects(&lab, &["--about", "Ilka", "--known-at", "2020-01-01"]), [""; 0]);
    assert_eq!(objects(&lab, &["--about", "Ilka", "--known-at", "9000-01-01"]), ["Gdynia"]);
    let facts = lab.json(&["facts", "--about", "Ilka", "--predicate", "lives_in"]);
    let gdynia = facts["facts"].as_array().unwrap().iter().find(|fact| fact["object"] == "Gdynia").unwrap();
    assert_eq!(gdynia["intervals"].as_array().unwrap().len(), 2);
    assert_eq!(gdynia["support"][1]["source_id"], "crm");
}

#[test]
fn what_was_told_later_is_not_known_before() {
    let lab = Lab::new();
    told(&lab, &["Ilka", "lives_in", "Vigo", "--from", "2021-01-01"]);
    let first = lab.json(&["facts"])["facts"][0]["recorded"]["from"].as_str().unwrap().to_owned();
    std::thread::sleep(std::time::Duration::from_millis(20));
    told(&lab, &["Ilka", "lives_in", "Gdynia", "--from", "2022-01-01"]);
    assert_eq!(objects(&lab, &["--known-at", &first]), ["Vigo"]);
    assert_eq!(objects(&lab, &["--known-at", &first, "--as-of", "2023-01-01"]), ["Vigo"]);
    assert_eq!(objects(&lab, &["--as-of", "2023-01-01"]), ["Gdynia"]);
    let hits = |arguments: &[&str]| {
        let reply = lab.lore(&[&["recall", "Where does Ilka live?", "--json"], arguments].concat());
        serde_json::from_str::<Value>(&reply.out).unwrap()["hits"].as_array().unwrap().clone()
    };
    assert_eq!((hits(&["--known-at", &first]).len(), hits(&[]).len()), (1, 2));
    assert_eq!(hits(&["--known-at", &first])[0]["facts"][0]["status"], "current");
    assert!(
        lab.lore(&["context", "Where does Ilka live?", "--known-at", &first]).done().out.contains("Vigo")
    );
}

#[test]
fn history_lists_every_stay_and_draws_it() {
    let lab = stays();
    let drawn = lab.path("ilka.svg");
    let changes = lab.json(&["history", "Ilka", "lives_in", "--svg", drawn.to_str().unwrap()]);
    let changes = changes["changes"].as_array().unwrap();
    let line: Vec<_> = changes.iter().map(|change| (&change["object"], &change["status"])).collect();
    let expected = [("Gdynia", "superseded"), ("Vigo", "superseded"), ("Gdynia", "current")]
        .map(|(o, s)| (json!(o), json!(s)));
    assert_eq!(line, expected.iter().map(|(object, status)| (object, status)).collect::<Vec<_>>());
    assert_eq!(changes[0]["valid"]["to"], "2021-01-01T00:00:00Z");
    assert!(changes.iter().all(|change| !change["support"].as_array().unwrap().is_empty()));
    assert!(fs::read_to_string(drawn).unwrap().matches("<rect x=").count() == 3);
    assert!(lab.lore(&["history", "Nobody"]).code == 1);
    let then = lab.json(&["history", "Ilka", "--as-of", "2022-05-01"])["changes"].clone();
    assert_eq!((then.as_array().unwrap().len(), &then[0]["object"]), (1, &json!("Vigo")));
    assert_eq!(then[0]["status"], "current");
    let facts = lab.lore(&["facts", "--about", "Ilka", "--ids"]).done().out;
    let id = fact_of(&lab, "Gdynia");
    assert!(
        facts.contains("also 2019-01-01 to 2021-01-01") && facts.contains(&format!("fact {id}")),
        "{facts}"
    );
}

#[test]
fn what_never_held_is_told_in_words() {
    let lab = stays();
    let vigo = fact_of(&lab, "Vigo");
    lab.lore(&["edit", &vigo[..8], "--object", "Lugo"]).done();
    let told = lab.lore(&["history", "Ilka", "lives_in"]).done().out;
    let vigo = told.lines().find(|line| line.contains(": Ilka lives_in Vigo")).unwrap();
    assert!(vigo.starts_with("never"), "{told}");
    assert!(!told.contains("superseded"), "{told}");
    let changes = lab.json(&["history", "Ilka", "lives_in"])["changes"].as_array().unwrap().clone();
    let never: Vec<_> = changes.iter().filter(|change| change["held"] == false).collect();
    assert_eq!(never.len(), 1);
    assert_eq!(never[0]["object"], "Vigo");
}

#[test]
fn ids_are_known_by_their_first_digits() {
    let lab = stays();
    let vigo = fact_of(&lab, "Vigo");
    let edit = lab.json(&["edit", &vigo[..12], "--pin"])["edit"].as_str().unwrap().to_owned();
    assert_eq!(lab.json(&["undo", &edit[..8]])["undone"], edit);
    for (arguments, says) in [
        (&["edit", &vigo[..7], "--pin"][..], "8 or more"),
        (&["edit", "00000000", "--pin"], "00000000"),
        (&["undo", "00000000"], "00000000"),
        (&["forget", "--fact", "00000000"], "00000000"),
    ] {
        let error = lab.lore(arguments).failed(2);
        assert!(error.contains(says), "{arguments:?}: {error}");
    }
    assert_eq!(lab.json(&["forget", "--fact", &vigo[..8]])["episodes"], 1);
    assert_eq!(lab.json(&["forget", "--lift", &vigo[..8]])["lifted"], 1);
}

#[test]
fn an_edit_outranks_what_it_corrects_and_can_be_taken_back() {
    let lab = stays();
    let vigo = fact_of(&lab, "Vigo");
    let edited = lab.json(&["edit", &vigo, "--object", "Lugo", "--note", "misheard"]);
    assert_eq!(
        (&edited["facts"][0]["object"], &edited["facts"][1]["status"]),
        (&json!("Lugo"), &json!("retracted"))
    );
    assert_eq!(objects(&lab, &["--as-of", "2022-05-01"]), ["Lugo"]);
    // What is told late of the time before comes too late.
    told(&lab, &["Ilka", "lives_in", "Vigo", "--from", "2021-03-01", "--at", "2024-01-05"]);
    assert_eq!(objects(&lab, &["--as-of", "2022-05-01"]), ["Lugo"]);
    let edit = edited["edit"].as_str().unwrap();
    assert_eq!(lab.json(&["undo", edit])["undone"], edit);
    assert_eq!(objects(&lab, &["--as-of", "2022-05-01"]), ["Vigo"]);
    assert!(!has(&lab, "Lugo"), "what an undone edit said is forgotten");
    let deeds = lab.json(&["history"])["deeds"].as_array().unwrap().clone();
    assert!(deeds.iter().any(|deed| deed["what"].as_str().unwrap().contains(edit)), "the trail keeps it");
    assert_eq!(lab.json(&["check"])["ok"], true);
}

#[test]
fn notes_pins_names_and_limits_are_undone_one_by_one() {
    let lab = stays();
    let vigo = fact_of(&lab, "Vigo");
    lab.lore(&["edit", &vigo, "--note", "by the harbour"]).done();
    lab.lore(&["edit", &vigo, "--pin"]).done();
    lab.lore(&["entity", "rename", "Ilka", "Ilka Holt"]).done();
    let fact = |lab: &Lab| {
        let facts = lab.json(&["facts"])["facts"].as_array().unwrap().clone();
        facts.into_iter().find(|fact| fact["object"] == "Vigo").unwrap()
    };
    assert_eq!(
        (&fact(&lab)["notes"][0]["note"], &fact(&lab)["pinned"]),
        (&json!("by the harbour"), &json!(true))
    );
    assert_eq!(fact(&lab)["subject"], "Ilka Holt");
    assert_eq!(objects(&lab, &["--about", "Ilka"]), ["Gdynia"], "the old name finds it");
    lab.lore(&["undo"]).done();
    assert_eq!((&fact(&lab)["subject"], &fact(&lab)["pinned"]), (&json!("Ilka"), &json!(true)));
    lab.lore(&["undo"]).done();
    assert_eq!((&fact(&lab)["pinned"], fact(&lab)["notes"].as_array().unwrap().len()), (&json!(false), 1));
    lab.lore(&["undo"]).done();
    assert_eq!(fact(&lab)["notes"].as_array().unwrap().len(), 0);
    // Then what was asserted last.
    lab.lore(&["undo"]).done();
    assert_eq!(objects(&lab, &["--as-of", "2019-05-01"]), [""; 0]);
    lab.lore(&["undo", "00000000000000000000000000000000"]).failed(2);
}

/// Whether a word stands in a file of a directory, as it is. Names and claims lie in the journal deflated, so
/// this alone is no proof.
fn grep(directory: &Path, word: &str) -> bool {
    fs::read_dir(directory).unwrap().any(|entry| {
        let path = entry.unwrap().path();
        if path.is_dir() {
            return grep(&path, word);
        }
        let bytes = fs::read(&path).unwrap();
        bytes.windows(word.len()).any(|window| window == word.as_bytes())
    })
}

/// Whether a store has a word in any way: in its files, in what an export writes, or in a copy that is made
/// anew from the journal's frames alone.
fn has(lab: &Lab, word: &str) -> bool {
    let copy = lab.path("copy");
    let to = copy.to_str().unwrap();
    lab.lore(&["backup", to]).done();
    let exported = |store: &str| lore(["--store", store, "export"]).done().out.contains(word);
    let store = lab.store();
    let found = grep(&store, word) || grep(&copy, word) || exported(store.to_str().unwrap()) || exported(to);
    fs::remove_dir_all(&copy).unwrap();
    found
}

fn talk() -> Lab {
    let lab = Lab::new();
    for (namespace, speaker, at, text) in [
        ("a", "Ilka", "2023-01-05", "I live in Gdynia. My brother Tamme keeps bees."),
        ("a", "Bram", "2023-02-05", "The zeppelin leaves at noon."),
        ("a", "Ilka", "2023-03-05", "I live in Trieste now."),
        ("b", "Ilka", "2023-01-05", "I live in Gdynia. My brother Tamme keeps bees."),
    ] {
        lab.lore(&["remember", text, "--speaker", speaker, "--at", at, "--namespace", namespace]).done();
    }
    lab
}

#[test]
fn a_fact_goes_with_its_sentence_and_reopens_what_it_had_closed() {
    let lab = talk();
    let file = lab.path("all.jsonl");
    lab.lore(&["export", "--output", file.to_str().unwrap()]).done();
    let of_a = |lab: &Lab, object: &str| {
        let facts = lab.json(&["facts", "--namespace", "a"])["facts"].as_array().unwrap().clone();
        facts.into_iter().find(|fact| fact["object"] == object && fact["polarity"] == "affirmed")
    };
    let trieste = of_a(&lab, "Trieste").unwrap()["id"].as_str().unwrap().to_owned();
    lab.lore(&["forget", "--fact", &trieste, "--namespace", "a"]).done();
    assert_eq!(of_a(&lab, "Gdynia").unwrap()["status"], "current", "it is open again");
    assert!(of_a(&lab, "Trieste").is_none() && !has(&lab, "Trieste"));
    let gdynia = of_a(&lab, "Gdynia").unwrap()["id"].as_str().unwrap().to_owned();
    let told = lab.json(&["forget", "--fact", &gdynia, "--namespace", "a"]);
    assert_eq!((&told["episodes"], &told["shortened"]), (&json!(1), &json!(1)));
    let hits = lab.json(&["recall", "Who keeps bees?", "--namespace", "a"]);
    assert_eq!(hits["hits"][0]["text"], "[forgotten] My brother Tamme keeps bees.");
    // Nor is it stated again, or taken in from an export, until that is lifted.
    lab.lore(&[
        "remember",
        "I live in Gdynia.",
        "--speaker",
        "Ilka",
        "--at",
        "2023-04-05",
        "--namespace",
        "a",
    ])
    .done();
    assert!(of_a(&lab, "Gdynia").is_none());
    let again = lab.lore(&["import", file.to_str().unwrap(), "--json"]).json();
    assert_eq!(
        (&again["files"][0]["new_episodes"], &again["files"][0]["stay_forgotten"]),
        (&json!(0), &json!(2))
    );
    assert!(of_a(&lab, "Gdynia").is_none() && of_a(&lab, "Trieste").is_none());
    lab.lore(&["check"]).done();
    lab.lore(&["forget", "--lift", &gdynia, "--namespace", "a"]).done();
    assert!(of_a(&lab, "Gdynia").is_some());
    assert!(lab.lore(&["facts", "--about", "Gdynia", "--namespace", "b"]).done().out.contains("Gdynia"));
}

#[test]
fn an_entity_goes_with_every_turn_that_is_about_it_or_by_it() {
    let lab = talk();
    let file = lab.path("all.jsonl");
    lab.lore(&["export", "--output", file.to_str().unwrap()]).done();
    let told = lab.json(&["forget", "--entity", "Ilka", "--namespace", "a", "--dry-run"]);
    assert_eq!((&told["episodes"], &told["dry_run"]), (&json!(2), &json!(true)));
    assert_eq!(told["turns"].as_array().unwrap().len(), 2);
    assert_eq!(told["turns"][1]["text"], "I live in Trieste now.");
    assert_eq!(told["only_there"].as_array().unwrap().len(), told["facts"].as_u64().unwrap() as usize);
    let told = lab.lore(&["forget", "--entity", "Ilka", "--namespace", "a", "--dry-run"]).done().out;
    assert!(
        told.contains("Ilka: I live in Trieste now.") && told.contains("fact: Ilka lives_in Gdynia"),
        "{told}"
    );
    lab.lore(&["forget", "--entity", "Ilka", "--namespace", "a"]).done();
    assert_eq!(lab.json(&["stats", "--namespace", "a"])["episodes"], 1);
    assert_eq!(lab.json(&["stats", "--namespace", "b"])["episodes"], 1);
    assert!(!has(&lab, "Trieste") && has(&lab, "zeppelin"));
    let again = lab.lore(&["import", file.to_str().unwrap(), "--json"]).json();
    assert_eq!(
        (&again["files"][0]["new_episodes"], &again["files"][0]["stay_forgotten"]),
        (&json!(0), &json!(2))
    );
    lab.lore(&["forget", "--entity", "Nobody", "--namespace", "a"]).failed(1);
}

#[test]
fn words_times_and_namespaces_select_what_goes() {
    let lab = talk();
    let gone =
        |arguments: &[&str]| lab.json(&[&["forget", "--dry-run"], arguments].concat())["episodes"].clone();
    assert_eq!(gone(&["--about", "zeppelin noon", "--namespace", "a"]), 1);
    assert_eq!(gone(&["--before", "2023-02-10", "--namespace", "a"]), 2);
    assert_eq!(gone(&["--namespace", "a"]), 3);
    assert!(lab.lore(&["forget", "--about", "zeppelin biscuits", "--namespace", "a", "--dry-run"]).code == 1);
    let error = lab.lore(&["forget"]).failed(2);
    assert!(error.contains("--namespace"), "{error}");
    lab.lore(&["forget", "--namespace", "a"]).done();
    assert_eq!(lab.json(&["stats", "--namespace", "a"])["episodes"], 0);
    assert_eq!(lab.json(&["stats", "--namespace", "b"])["episodes"], 1);
    assert!(!has(&lab, "zeppelin"));
    lab.lore(&["check"]).done();
}

#[test]
fn what_was_lifted_comes_again_and_can_be_forgotten_again() {
    let lab = Lab::new();
    let file = lab.write("talk.txt", "Ilka: The zeppelin leaves at noon.\n");
    let ingest = || lab.json(&["ingest", file.to_str().unwrap()])["files"][0]["new_episodes"].clone();
    assert_eq!(ingest(), 1);
    let id = lab.json(&["recall", "zeppelin"])["hits"][0]["episode"].as_str().unwrap().to_owned();
    for _ in 0..2 {
        lab.lore(&["forget", "--episode", &id]).done();
        assert_eq!(ingest(), 0);
        assert!(!has(&lab, "zeppelin"));
        assert_eq!(lab.json(&["forget", "--lift", &id])["lifted"], 1);
        assert_eq!(lab.json(&["stats"])["episodes"], 0, "it is not back by that");
        assert_eq!(ingest(), 1);
        assert_eq!(lab.json(&["check"])["ok"], true);
    }
    assert_eq!(lab.json(&["recall", "zeppelin"])["hits"].as_array().unwrap().len(), 1);
    let error = lab.lore(&["forget", "--lift", &id]).failed(1);
    assert!(error.lines().count() == 1 && error.contains("nothing of that is forgotten"), "{error}");
}

#[test]
fn what_has_expired_is_not_shown_and_not_gone() {
    let lab = Lab::new();
    lab.lore(&["remember", "I live in Vigo.", "--speaker", "Ilka", "--expires-at", "2020-01-01"]).done();
    told(&lab, &["Ilka", "likes", "tea", "--ttl", "30d"]);
    told(&lab, &["Bram", "works_at", "Fernwood Dairy", "--at", "2020-01-01"]);
    assert_eq!(objects(&lab, &[]), ["Fernwood Dairy", "tea"]);
    assert!(
        lab.lore(&["recall", "Where does Ilka live? In Vigo?"]).out.lines().all(|hit| !hit.contains("Vigo"))
    );
    assert_eq!(lab.json(&["stats"])["episodes"], 3);
    lab.lore(&["retain", "set", "fact", "90d"]).done();
    assert_eq!(objects(&lab, &[]), ["tea"]);
    assert_eq!(lab.json(&["retain", "list"])["kinds"]["fact"], 7_776_000.0);
    lab.lore(&["undo"]).done();
    let job = fact_of(&lab, "Fernwood Dairy");
    lab.lore(&["edit", &job, "--expires-at", "2021-01-01"]).done();
    assert_eq!(objects(&lab, &[]), ["tea"]);
    lab.lore(&["undo"]).done();
    lab.lore(&["edit", &job, "--pin"]).done();
    lab.lore(&["retain", "set", "fact", "90d"]).done();
    assert_eq!(objects(&lab, &[]), ["Fernwood Dairy", "tea"], "what is pinned does not expire");
    lab.lore(&["retain", "set", "chatter", "90d"]).failed(2);
    lab.lore(&["check"]).done();
}

#[test]
fn bad_input_by_hand_is_refused_with_a_word() {
    let lab = stays();
    let vigo = fact_of(&lab, "Vigo");
    for (arguments, says) in [
        (&["assert", " ", "lives_in", "Vigo"][..], "the subject"),
        (&["assert", "Ilka", "", "Vigo"], "the predicate"),
        (&["assert", "Ilka", "lives_in", "Vigo", "--from", "2024", "--to", "2020"], "2024"),
        (&["assert", "Ilka", "lives_in", "Vigo", "--from", "2024-01-01", "--to", "2020-01-01"], "--to"),
        (&["edit", &vigo], "says nothing"),
        (&["edit", &vigo, "--object", "Vigo"], "already"),
        (&["edit", &vigo, "--object", " "], "empty"),
        (&["edit", "39de717ca2c2b3442ab52d935bea5b8a", "--object", "Vigo"], "not stated"),
        (&["edit", &vigo, "--pin", "--unpin"], "--unpin"),
        (&["entity", "rename", "Nobody", "Somebody"], "Nobody"),
    ] {
        let error = lab.lore(arguments).failed(2);
        assert!(error.contains(says), "{arguments:?}: {error}");
    }
    let nothing_changed = lab.json(&["history", "Ilka", "lives_in"]);
    assert_eq!(nothing_changed["changes"].as_array().unwrap().len(), 3);
}

#[test]
fn what_is_said_to_be_over_is_over() {
    let lab = Lab::new();
    told(&lab, &["Ilka", "works_at", "Fernwood Dairy", "--at", "2024-01-10"]);
    told(&lab, &["Ilka", "works_at", "Fernwood Dairy", "--to", "2024-02-28", "--at", "2024-08-10"]);
    for (at, expected) in [("1990-01-01", 0), ("2024-02-01", 1), ("2024-03-01", 0), ("2025-01-01", 0)] {
        assert_eq!(objects(&lab, &["--as-of", at]).len(), expected, "as of {at}");
    }
}

#[test]
fn a_new_name_finds_and_is_edited_under() {
    let lab = stays();
    lab.lore(&["entity", "rename", "Ilka", "Ilka Holt"]).done();
    assert_eq!(objects(&lab, &["--about", "Ilka Holt"]), ["Gdynia"]);
    lab.lore(&["edit", &fact_of(&lab, "Gdynia"), "--object", "Sopot"]).done();
    assert_eq!(objects(&lab, &["--about", "Ilka Holt"]), ["Sopot"]);
    assert_eq!(objects(&lab, &["--as-of", "2019-05-01"]), ["Sopot"], "in both of its stays");
    told(&lab, &["Ilka Holt", "likes", "tea"]);
    assert_eq!(lab.json(&["entity", "Ilka Holt"])["entities"].as_array().unwrap().len(), 1);
    told(&lab, &["Bram", "likes", "tea"]);
    lab.lore(&["entity", "rename", "Bram", "Ilka Holt"]).failed(2);
    lab.lore(&["check"]).done();
}

#[test]
fn undo_takes_back_what_was_done_last_whatever_time_that_is_of() {
    let lab = Lab::new();
    told(&lab, &["Ilka", "lives_in", "Porto"]);
    told(&lab, &["Ilka", "works_at", "Fernwood Dairy", "--from", "2015-01-01", "--at", "2020-05-08"]);
    told(&lab, &["Ilka", "likes", "tea", "--at", "2030-01-01"]);
    lab.lore(&["undo"]).done();
    assert_eq!(objects(&lab, &[]), ["Fernwood Dairy", "Porto"]);
    lab.lore(&["undo"]).done();
    assert_eq!(objects(&lab, &[]), ["Porto"]);
}

#[test]
fn nothing_of_what_an_edit_put_right_is_left_when_that_is_forgotten() {
    let lab = stays();
    let vigo = fact_of(&lab, "Vigo");
    lab.lore(&["edit", &vigo, "--object", "Lugo"]).done();
    lab.lore(&["forget", "--fact", &vigo]).done();
    assert!(!lab.lore(&["export"]).done().out.contains("Vigo") && !grep(&lab.store(), "Vigo"));
    let error = lab.lore(&["assert", "Ilka", "lives_in", "Vigo"]).failed(2);
    assert!(error.contains("--lift"), "{error}");
    lab.lore(&["check"]).done();
}

#[test]
fn rules_and_notes_go_with_what_they_name() {
    let lab = stays();
    lab.lore(&["rule", "add", "lives_in(X,\"Gdynia\") -> near(X,\"Sopot\")"]).done();
    lab.lore(&["edit", &fact_of(&lab, "Vigo"), "--note", "close to Sopot"]).done();
    let told = lab.json(&["forget", "--about", "Sopot"]);
    assert_eq!((&told["rulings"], &told["episodes"]), (&json!(2), &json!(0)));
    assert!(!grep(&lab.store(), "Sopot") && !lab.lore(&["export"]).done().out.contains("Sopot"));
    lab.lore(&["rule", "add", "lives_in(X,\"Gdynia\") -> near(X,\"Sopot\")"]).done();
    lab.lore(&["forget", "--namespace", "default"]).done();
    assert!(!grep(&lab.store(), "Sopot"));
    lab.lore(&["check"]).done();
}
