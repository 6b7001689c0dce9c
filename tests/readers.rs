//! Bad input through `lore ingest`, for every format: it is refused with the file and the place in it, and the store
//! that was there before stays as it was.

use std::fs::{self, File};
use std::path::Path;

use crate::util::Lab;

/// A whole file of each format.
const WHOLE: [(&str, &str); 5] = [
    (
        "locomo",
        r#"[{"sample_id": "a", "conversation": {"session_1_date_time": "1:56 pm on 8 May, 2023",
            "session_1": [{"speaker": "Bram", "dia_id": "D1:1", "text": "The kiln is hot."}]}}]"#,
    ),
    (
        "longmemeval",
        r#"[{"question_id": "q", "haystack_session_ids": ["s"], "haystack_dates": ["2023/07/12 (Wed) 10:14"],
            "haystack_sessions": [[{"role": "user", "content": "The kiln is hot."}]]}]"#,
    ),
    ("cases", r#"{"case": "c", "sessions": [{"id": "s", "turns": [{"text": "The kiln is hot."}]}]}"#),
    ("jsonl", r#"{"session": "s", "text": "The kiln is hot."}"#),
    ("text", "# s @ 2024-01-01T10:00\nBram: The kiln is hot."),
];

/// A store that holds something, and what it says of itself.
fn lab_with_a_store() -> (Lab, String) {
    let lab = Lab::new();
    lab.lore(&["remember", "I live in Odense.", "--speaker", "Signe", "--at", "2024-01-01"]).done();
    let before = picture(&lab);
    (lab, before)
}

fn picture(lab: &Lab) -> String {
    let told = |command: &[&str]| lab.lore(command).done().out;
    let journal: u64 = fs::read_dir(lab.store().join("journal"))
        .unwrap()
        .map(|file| file.unwrap().metadata().unwrap().len())
        .sum();
    let parts =
        [told(&["check"]), told(&["stats", "--json"]), told(&["facts", "--json"]), journal.to_string()];
    parts.concat()
}

/// Ingests a bad file: refused, named with its place, the store untouched.
#[track_caller]
fn refuse(lab: &Lab, before: &str, format: &str, file: &Path) -> String {
    let name = file.to_str().unwrap();
    let error = lab.lore(&["ingest", name, "--format", format]).failed(2);
    let place = error.split_once(name).unwrap_or_else(|| panic!("{format}: {error} does not name {name}")).1;
    let placed = place.starts_with(": byte ")
        || place.starts_with(": it holds no transcript")
        || place.strip_prefix(':').is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()));
    assert!(placed, "{format}: {error} names no place");
    assert_eq!(picture(lab), before, "{format}");
    error
}

#[test]
fn a_whole_file_of_each_format_is_taken() {
    for (format, whole) in WHOLE {
        let (lab, _) = lab_with_a_store();
        let file = lab.write("whole", whole);
        let told = lab.json(&["ingest", file.to_str().unwrap(), "--format", format]);
        assert_eq!(told["files"][0]["new_episodes"], 1, "{format}");
        // Named or told from its first bytes, it is the same.
        let again = lab.json(&["ingest", file.to_str().unwrap()]);
        assert_eq!(again["files"][0]["new_episodes"], 0, "{format}");
    }
}

#[test]
fn a_truncated_file_stores_nothing() {
    let (lab, before) = lab_with_a_store();
    for (format, whole) in &WHOLE[..4] {
        for length in [1, whole.len() / 2, whole.len() - 1] {
            refuse(&lab, &before, format, &lab.write("cut", &whole[..length]));
        }
    }
    // Text can only break off inside the head of a session.
    let (format, whole) = WHOLE[4];
    refuse(&lab, &before, format, &lab.write("cut", &whole[..12]));
}

#[test]
fn an_empty_file_stores_nothing() {
    let (lab, before) = lab_with_a_store();
    for (format, _) in WHOLE {
        for nothing in ["", "\u{feff}", " \n\t\n"] {
            refuse(&lab, &before, format, &lab.write("empty", nothing));
        }
    }
}

#[test]
fn a_file_that_is_no_utf8_stores_nothing() {
    let (lab, before) = lab_with_a_store();
    for (format, whole) in WHOLE {
        let place = whole.find("kiln").unwrap();
        let mut bytes = whole.as_bytes().to_vec();
        bytes[place] = 0xC0;
        let error = refuse(&lab, &before, format, &lab.write("latin", bytes));
        assert!(error.contains(&format!("byte {place} ")), "{format}: {error}");
    }
}

#[test]
fn a_huge_line_stores_nothing() {
    let (lab, before) = lab_with_a_store();
    for (format, whole) in WHOLE {
        // A hole of zeros after the word makes the line, or the value, as long as one likes at no cost.
        let file = lab.write("huge", &whole[..whole.find("kiln").unwrap()]);
        File::options().write(true).open(&file).unwrap().set_len(80 << 20).unwrap();
        refuse(&lab, &before, format, &file);
    }
}

#[test]
fn a_good_file_beside_a_bad_one_is_not_stored_either() {
    let (lab, before) = lab_with_a_store();
    let good = lab.write("good.jsonl", WHOLE[3].1);
    let bad = lab.write("bad.jsonl", "{\"text\": \"fine\"}\n{\"text\": ");
    for pair in [[&good, &bad], [&bad, &good]] {
        let names = pair.map(|path| path.to_str().unwrap());
        let error = lab.lore(&["ingest", names[0], names[1]]).failed(2);
        assert!(error.contains("bad.jsonl:2:"), "{error}");
        assert_eq!(picture(&lab), before);
    }
}

#[test]
fn a_bad_file_makes_no_store() {
    let lab = Lab::new();
    let bad = lab.write("bad.jsonl", "{");
    lab.lore(&["ingest", bad.to_str().unwrap()]).failed(2);
    assert!(!lab.store().exists());
}

#[test]
fn an_unknown_format_lists_the_known_ones() {
    let (lab, before) = lab_with_a_store();
    let picture_file = lab.write("cat.png", b"\x89PNG\r\n\x1a\n\0\0");
    let name = picture_file.to_str().unwrap();
    for arguments in [&["ingest", name][..], &["ingest", name, "--format", "png"]] {
        let error = lab.lore(arguments).failed(2);
        for (format, _) in WHOLE {
            assert!(error.contains(format), "{error}");
        }
    }
    assert_eq!(picture(&lab), before);
}

#[test]
fn a_directory_or_a_missing_file_is_named() {
    let (lab, before) = lab_with_a_store();
    let error = lab.lore(&["ingest", lab.path("missing.txt").to_str().unwrap()]).failed(2);
    assert!(error.contains("missing.txt"), "{error}");
    let reply = lab.lore(&["ingest", lab.store().to_str().unwrap()]);
    assert!(reply.code > 1 && reply.err.contains("store"), "{reply:?}");
    assert_eq!(picture(&lab), before);
}
