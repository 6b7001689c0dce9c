//! Input that nobody in their right mind would give: it is taken as it is or refused with its place, and costs no more
//! memory than a line of it. What takes gigabytes is tried by hand.

use std::fs::{self, File};

use lorebase::engine::model::id::Namespace;
use lorebase::extract::formats;
use lorebase::transfer::Thing;
use serde_json::Value;

use crate::util::{Dice, Lab};

#[test]
fn lone_surrogates_are_refused_with_their_place() {
    let lab = Lab::new();
    for escape in ["\\ud800", "\\udc00", "\\ud800x", "\\ud800\\ud800", "\\udfff\\ud83d"] {
        for (format, text) in [
            ("jsonl", format!("{{\"text\": \"fine\"}}\n{{\"text\": \"{escape}\"}}")),
            (
                "cases",
                format!(
                    "{{\"case\": \"a\", \"sessions\": []}}\n{{\"case\": \"{escape}\", \"sessions\": []}}"
                ),
            ),
            (
                "locomo",
                format!(
                    "[{{\"sample_id\": \"a\", \"conversation\": {{}}}},\n{{\"sample_id\": \"{escape}\"}}]"
                ),
            ),
        ] {
            let file = lab.write("lone", text);
            let error = lab.lore(&["ingest", file.to_str().unwrap(), "--format", format]).failed(2);
            assert!(error.starts_with(&format!("lore: {}:2:", file.display())), "{format} {escape}: {error}");
        }
    }
    assert!(!lab.store().exists());
    // A pair is one character.
    let file = lab.write("pair.jsonl", r#"{"text": "a beacon \ud83d\ude42"}"#);
    lab.json(&["ingest", file.to_str().unwrap()]);
    assert_eq!(lab.json(&["recall", "beacon"])["hits"][0]["text"], "a beacon 🙂");
}

#[test]
fn deep_nesting_is_refused_with_its_place() {
    let lab = Lab::new();
    let (open, close) = ("[".repeat(100_000), "]".repeat(100_000));
    for (format, text) in [
        ("jsonl", format!("{{\"text\": {open}{close}}}")),
        ("jsonl", open.clone()),
        ("cases", format!("{{\"case\": \"a\", \"sessions\": {open}{close}}}")),
        ("locomo", format!("[{{\"qa\": {open}{close}, \"conversation\": {{}}}}]")),
        ("longmemeval", format!("[{{\"answer\": {open}{close}}}]")),
        ("locomo", "{\"a\":".repeat(100_000)),
    ] {
        let file = lab.write("deep", text);
        let error = lab.lore(&["ingest", file.to_str().unwrap(), "--format", format]).failed(2);
        assert!(error.starts_with(&format!("lore: {}:1:", file.display())), "{format}: {error}");
        assert!(error.len() < 500, "{error}");
    }
    assert!(!lab.store().exists());
    // What is not looked at may be as deep as it likes, within a line.
    let file = lab.write("mood.jsonl", format!("{{\"text\": \"hello\", \"mood\": {open}{close}}}"));
    assert_eq!(lab.json(&["ingest", file.to_str().unwrap()])["files"][0]["episodes"], 1);
}

#[test]
fn marks_line_ends_and_zeros_do_not_change_what_is_said() {
    let lab = Lab::new();
    let told = lab.json(&[
        "ingest",
        lab.write("a.jsonl", "{\"session\": \"s\", \"text\": \"a\\u0000b\"}\n").to_str().unwrap(),
    ]);
    assert_eq!(told["files"][0]["new_episodes"], 1);
    let odd = "\u{feff}{\"session\": \"s\", \"text\": \"a\\u0000b\"}\r\n\r\n";
    let told = lab.json(&["ingest", lab.write("b.jsonl", odd).to_str().unwrap()]);
    assert_eq!((&told["files"][0]["episodes"], &told["files"][0]["new_episodes"]), (&1.into(), &0.into()));
    // A zero in plain text stays; one in JSON is no JSON.
    lab.json(&["ingest", lab.write("c.txt", "Ana: a buoy\0\r\n").to_str().unwrap()]);
    assert_eq!(lab.json(&["recall", "buoy"])["hits"][0]["text"], "a buoy\0");
    let error =
        lab.lore(&["ingest", lab.write("d.jsonl", "{\"text\": \"a\0b\"}").to_str().unwrap()]).failed(2);
    assert!(error.contains("d.jsonl:1:"), "{error}");
}

/// Everything that can steer a terminal, and what is shown in its place.
const STEERING: &str = "\u{1b}[2J\u{7}\u{8}\u{7f}\u{9b}31m\u{85}\u{200e}\u{202e}\u{2066}\u{2028}\u{61c}";

fn steers(text: &str) -> bool {
    text.chars().any(|c| STEERING.contains(c) && !c.is_ascii_graphic())
}

#[test]
fn nothing_that_is_stored_or_typed_steers_a_terminal() {
    let lab = Lab::new();
    let text = format!("I live in Porto{STEERING}. The beacon {STEERING} blinks.");
    let speaker = format!("Ana{STEERING}");
    lab.lore(&["remember", &text, "--speaker", &speaker, "--session", &format!("s{STEERING}")]).done();
    let commands = [
        &["recall", "beacon", "--explain"][..],
        &["facts"],
        &["entity", &speaker],
        &["entity", "Porto"],
        &["stats"],
        &["check"],
        &["export"],
        &["recall", "beacon", "--json"],
        &["facts", "--json"],
        &["context", "beacon", "--json"],
    ];
    for command in commands {
        let reply = lab.lore(command);
        assert!(
            !reply.out.is_empty() && !steers(&reply.out) && !steers(&reply.err),
            "{command:?}: {:?}",
            reply.out
        );
    }
    let odd = lab.path(&format!("no{STEERING}such.jsonl"));
    for command in [
        &["ingest", odd.to_str().unwrap()][..],
        &["import", odd.to_str().unwrap()],
        &["remember", "x", "--speaker", &format!("{STEERING}{}", "y".repeat(2000))],
        &["--namespace", &format!("a{STEERING}"), "stats"],
        &["--namespace", "a\u{202e}", "recall", "nothing"],
    ] {
        let reply = lab.lore(command);
        assert!(reply.code > 0 && !steers(&reply.err), "{command:?}: {:?}", reply.err);
    }
    let file = lab.write("odd.jsonl", "{\"text\": \"x\"}");
    fs::rename(&file, &odd).unwrap();
    assert!(!steers(&lab.lore(&["ingest", odd.to_str().unwrap()]).done().out));
    let export = lab.lore(&["export"]).done().out;
    let line: Value = serde_json::from_str(export.lines().nth(1).unwrap()).unwrap();
    assert_eq!(line["episode"]["speaker"], speaker);
}

#[test]
fn a_line_without_end_is_refused_by_an_import() {
    let lab = Lab::new();
    let file = lab.write("long.jsonl", "{\"lorebase_export\":{\"format\":1}}\n{\"episode\":{\"text\":\"");
    // A hole of zeros makes the line as long as one likes at no cost.
    File::options().write(true).open(&file).unwrap().set_len(300 << 20).unwrap();
    let error = lab.lore(&["import", file.to_str().unwrap()]).failed(2);
    assert!(error.starts_with(&format!("lore: {}:2: ", file.display())), "{error}");
    assert!(!lab.store().exists());
}

#[test]
fn turns_of_many_sessions_across_each_other_are_stored_as_if_they_were_not() {
    let lab = Lab::new();
    let mut dice = Dice::new(7);
    let mut across = String::new();
    let mut sessions = vec![String::new(); 40];
    for n in 0..4000 {
        let session = dice.below(sessions.len());
        let at = if dice.below(3) == 0 {
            "null".to_owned()
        } else {
            format!("\"2024-01-01T00:{:02}:00Z\"", n % 60)
        };
        let line = format!(
            "{{\"session\": \"s{session}\", \"speaker\": \"Ana\", \"at\": {at}, \"text\": \"I saw buoy {n}.\"}}\n"
        );
        across.push_str(&line);
        sessions[session].push_str(&line);
    }
    let file = lab.write("across.jsonl", across);
    let documents = formats::read(&file, None).unwrap();
    let told = lab.json(&["ingest", file.to_str().unwrap()]);
    assert_eq!((&told["files"][0]["episodes"], &told["files"][0]["sessions"]), (&4000.into(), &40.into()));
    // The library's other way in, and the same turns session by session, find nothing new.
    let memory = lab.memory();
    for document in documents {
        assert_eq!(
            memory.ingest(&Namespace::default(), document.transcript, |_| ()).unwrap().new_episodes,
            0
        );
    }
    let mut by_session: Vec<(String, u32)> = Vec::new();
    memory
        .export(&Namespace::default(), |thing| {
            if let Thing::Episode { episode, .. } = thing {
                by_session.push((episode.session.as_str().to_owned(), episode.position));
            }
            Ok::<_, lorebase::error::Error>(())
        })
        .unwrap();
    drop(memory);
    assert!(by_session.chunk_by(|a, b| a.0 == b.0).count() <= 40, "a session was cut");
    let file = lab.write("apart.jsonl", sessions.concat());
    assert_eq!(lab.json(&["ingest", file.to_str().unwrap()])["files"][0]["new_episodes"], 0);
}
