//! `lore bench` on tiny sets made here: its report, its run, and its switches.

use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::util::{Lab, Reply, lore};

const LOCOMO: &str = r#"[{"sample_id": "talk-1",
  "qa": [
    {"question": "Which instrument does Petra play?", "answer": "cello", "evidence": ["D1:1"], "category": 4},
    {"question": "Where was the ferry?", "answer": "late", "evidence": ["D2:1"], "category": 4}],
  "conversation": {"speaker_a": "Petra", "speaker_b": "Bram",
    "session_1_date_time": "1:56 pm on 8 May, 2023",
    "session_1": [{"speaker": "Petra", "dia_id": "D1:1", "text": "The instrument that I play is the cello."},
                  {"speaker": "Bram", "dia_id": "D1:2", "text": "Lovely."}],
    "session_2_date_time": "1:56 pm on 9 May, 2023",
    "session_2": [{"speaker": "Bram", "dia_id": "D2:1", "text": "The ferry was late, far out at sea."}]}}]"#;

const CASES: &str = r#"{"case": "mill", "sessions": [{"id": "s1", "turns": [{"id": "t1", "speaker": "Ilka", "text": "The mill stands by the brook."}]}, {"id": "s2", "turns": [{"id": "t2", "speaker": "Ilka", "text": "The mill was sold to Henrike."}]}], "facts": [{"subject": "Henrike", "predicate": "owns", "object": "mill", "turn": "t2"}], "questions": [{"id": "q1", "text": "Who bought the mill?", "category": "plain", "evidence": ["t2"]}, {"id": "q2", "text": "Where does the mill stand?", "category": "cut", "evidence": ["t1"], "before_session": "s2"}]}
"#;

fn bench(arguments: &[&str]) -> Reply {
    lore([&["bench"], arguments].concat())
}

/// The report as JSON, and the run, line by line.
fn run(lab: &Lab, set: &str, file: &Path, more: &[&str]) -> (Value, Vec<Value>) {
    let out = lab.path("run.jsonl");
    let fixed = [set, file.to_str().unwrap(), "--json", "--out", out.to_str().unwrap()];
    let report = bench(&[&fixed, more].concat()).done().json();
    let lines = fs::read_to_string(out).unwrap();
    (report, lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect())
}

#[test]
fn the_report_names_data_version_parameters_and_machine() {
    let lab = Lab::new();
    let file = lab.write("set.json", LOCOMO);
    let (report, lines) = run(&lab, "locomo", &file, &["--limit", "7"]);
    for field in ["data_sha256", "version", "parameters", "machine", "metrics", "ingest", "recall_ms"] {
        assert!(!report[field].is_null(), "{field} is missing");
    }
    assert_eq!(report["data_sha256"].as_str().unwrap().len(), 64);
    assert_eq!((&report["parameters"]["limit"], &report["parameters"]["facts"]), (&7.into(), &"own".into()));
    assert!(report["ingest"]["turns_per_s"].is_f64());
    assert!(report["recall_ms"]["p50"].is_f64() && report["recall_ms"]["p95"].is_f64());
    let answerable = &report["metrics"]["answerable"];
    assert_eq!((&answerable["n"], &answerable["recall@10"]), (&2.into(), &1.0.into()));
    assert_eq!(lines.len(), 2);
    for (index, line) in lines.iter().enumerate() {
        assert_eq!((&line["sample_id"], &line["qa_index"]), (&"talk-1".into(), &index.into()));
        let ranked = line["ranked"].as_array().unwrap();
        assert!(!ranked.is_empty() && ranked.iter().all(|id| id.as_str().unwrap().starts_with('D')));
    }
}

#[test]
fn cases_honour_the_cut_and_can_be_given_facts() {
    let lab = Lab::new();
    let file = lab.write("set.jsonl", CASES);
    for facts in ["own", "given", "both"] {
        let (report, lines) = run(&lab, "cases", &file, &["--facts", facts]);
        assert_eq!(report["parameters"]["facts"], facts);
        assert_eq!(lines.len(), 2);
        let line = |id: &str| lines.iter().find(|line| line["question"] == id).unwrap();
        assert_eq!((&line("q1")["case"], &line("q2")["ranked"]), (&"mill".into(), &vec!["t1"].into()));
        assert!(line("q1")["ranked"].as_array().unwrap().contains(&"t2".into()), "{facts}");
    }
}

#[test]
fn parts_of_recall_are_left_out_when_named() {
    let lab = Lab::new();
    let file = lab.write("set.jsonl", CASES);
    let name = file.to_str().unwrap();
    let (report, _) = run(&lab, "cases", &file, &["--without", "bridge,neighbours,session,speaker,vector"]);
    let told = report["parameters"]["without"].as_array().unwrap();
    assert_eq!(told.len(), 5);
    bench(&["cases", name, "--without", "all"]).done();
    let error = bench(&["cases", name, "--without", "luck"]).failed(2);
    assert!(error.contains("luck") && error.contains("bridge"), "{error}");
}

#[test]
fn the_help_names_every_part_that_can_be_left_out() {
    let help = bench(&["--help"]).done().out;
    let words: Vec<&str> = help.split(|c: char| !c.is_alphanumeric()).collect();
    for (_, name) in lorebase::query::ways::Way::ALL {
        assert!(words.contains(&name), "{name} is missing in {help}");
    }
}

#[test]
fn a_store_that_has_the_set_already_is_refused() {
    let lab = Lab::new();
    let file = lab.write("set.jsonl", CASES);
    let command = ["bench", "cases", file.to_str().unwrap()];
    lab.lore(&["remember", "The kettle is on the left."]).done();
    lab.lore(&command).done();
    let error = lab.lore(&command).failed(2);
    assert!(error.contains("already holds bench/cases/mill"), "{error}");
}

#[test]
fn the_report_for_people_has_a_line_a_group() {
    let lab = Lab::new();
    let file = lab.write("set.json", LOCOMO);
    let text = bench(&["locomo", file.to_str().unwrap()]).done().out;
    assert!(text.contains("SHA-256") && text.contains("recall@10"), "{text}");
    assert!(text.lines().any(|line| line.starts_with("answerable ")), "{text}");
    let sessions = bench(&["locomo", file.to_str().unwrap(), "--session"]).done().out;
    assert!(sessions.contains("\"session\""), "{sessions}");
}

#[test]
fn a_bad_set_is_named_with_its_place() {
    let lab = Lab::new();
    let file = lab.write("set.json", &LOCOMO[..LOCOMO.len() - 2]);
    let error = bench(&["locomo", file.to_str().unwrap()]).failed(2);
    assert!(error.contains("set.json:"), "{error}");
}

#[test]
fn extraction_is_measured_on_the_sets_that_are_named() {
    let lab = Lab::new();
    let entities = lab.path("extraction/entity_extraction");
    fs::create_dir_all(&entities).unwrap();
    let text = r#"{"id": "e1", "text": "Ana Silva moved to Porto."}"#;
    let labels = r#"{"id": "e1", "entities": [{"name": "Ana Silva", "type": "person"}, {"name": "Porto", "type": "place"}]}"#;
    fs::write(entities.join("dataset.jsonl"), format!("{text}\n")).unwrap();
    fs::write(entities.join("labels.jsonl"), format!("{labels}\n")).unwrap();
    let data = lab.path("");
    let data = data.to_str().unwrap();
    let report = bench(&["extract", data, "--sets", "entities", "--json"]).done().json();
    assert_eq!(report["benchmark"], "extract");
    assert_eq!(report["metrics"]["entities"]["languages"][0]["names"]["right"], 2, "{report}");
    let text = bench(&["extract", data, "--sets", "entities"]).done().out;
    assert!(text.contains("extractor ") && text.contains("Entities"), "{text}");
    let error = bench(&["extract", data, "--sets", "luck"]).failed(2);
    assert!(error.contains("luck") && error.contains("gap"), "{error}");
    let error = bench(&["extract", data, "--sets", "gap"]).failed(2);
    assert!(error.contains("coref"), "{error}");
    assert!(bench(&["locomo"]).failed(2).contains("name the file"));
    bench(&["extract", data, "--session"]).failed(2);
}
