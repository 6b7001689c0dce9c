//! The contract of the command line with scripts: exit codes, what goes to which output, and the exact field
//! names of `--json`.

use std::collections::BTreeSet;
use std::fs::{self, File, Permissions};
use std::io::{Seek, SeekFrom, Write};
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::{Value, json};

use crate::util::{Lab, lore, root, tell};

const COMMANDS: [&str; 21] = [
    "ingest",
    "remember",
    "recall",
    "context",
    "facts",
    "entity",
    "stats",
    "check",
    "forget",
    "export",
    "import",
    "backup",
    "repair",
    "bench",
    "demo",
    "model",
    "rule",
    "neighbors",
    "path",
    "match",
    "ask",
];

const FACT: &str = "attributed_to confidence contested derived expires_at granularity hedged holds id importance intervals kind notes object pinned polarity predicate recorded status subject successor support valid";
const HIT: &str = "at episode facts flagged path score session source_id speaker text";

const TALK: &str = r#"{"session": "D1", "at": "2024-03-01T10:00:00Z", "speaker": "Ilka", "id": "D1:1", "text": "I live in Gdynia."}
{"session": "D1", "at": "2024-03-01T10:01:00Z", "speaker": "Bram", "id": "D1:2", "text": "The ferry was late."}
{"session": "D2", "at": "2024-09-01T10:00:00Z", "speaker": "Ilka", "id": "D2:1", "text": "I live in Trieste now."}
"#;

/// A store with a short talk in it.
fn talked() -> Lab {
    let lab = Lab::new();
    let file = lab.write("talk.jsonl", TALK);
    lab.lore(&["ingest", file.to_str().unwrap()]).done();
    lab
}

/// The field names of an object, sorted and in one line.
#[track_caller]
fn keys(value: &Value) -> String {
    let object = value.as_object().unwrap_or_else(|| panic!("{value} is no object"));
    object.keys().map(String::as_str).collect::<Vec<_>>().join(" ")
}

#[test]
fn every_command_shows_an_example() {
    for command in COMMANDS {
        let help = lore([command, "--help"]).done().out;
        assert!(help.contains("Example:\n  lore ") && help.contains(command), "{command}: {help}");
        assert!(help.contains("--store <DIR>") && help.contains("--json"), "{command}");
    }
    let help = lore(["--help"]).done().out;
    assert!(COMMANDS.iter().all(|command| help.contains(&format!("\n  {command} "))), "{help}");
    assert!(lore(["--version"]).done().out.starts_with("lore "));
}

#[test]
fn ingest_tells_what_each_file_came_to() {
    let lab = Lab::new();
    let (one, other) =
        (lab.write("talk.jsonl", TALK), lab.write("note.txt", "Signe: The tide turns at six."));
    let told = lab.json(&["ingest", one.to_str().unwrap(), other.to_str().unwrap()]);
    assert_eq!(keys(&told), "files notices");
    let files = told["files"].as_array().unwrap();
    assert_eq!(files.len(), 2);
    for (file, path, counts) in [(&files[0], one, (2, 3)), (&files[1], other, (1, 1))] {
        assert_eq!(
            keys(file),
            "episodes facts file masked new_episodes refusals refused sessions stay_forgotten time"
        );
        assert_eq!(file["file"], path.to_str().unwrap());
        assert_eq!((file["sessions"].as_u64(), file["episodes"].as_u64()), (Some(counts.0), Some(counts.1)));
        assert_eq!((&file["new_episodes"], file["refused"].as_u64().unwrap()), (&file["episodes"], 0));
        assert!(file["time"].is_f64() && file["facts"].is_u64());
    }
    assert_eq!(files[0]["facts"], 2);
}

#[test]
fn what_cannot_be_stored_is_refused_by_place_and_the_rest_kept() {
    let lab = Lab::new();
    let long = "x".repeat(2000);
    let talk = format!("{TALK}{{\"session\": \"D2\", \"speaker\": \"{long}\", \"text\": \"mine\"}}\n");
    let file = lab.write("talk.jsonl", talk);
    let reply = lab.lore(&["ingest", file.to_str().unwrap(), "--json"]);
    assert_eq!((reply.code, reply.err.contains("1 turn could not be stored")), (1, true), "{}", reply.err);
    let told = &reply.json()["files"][0];
    assert_eq!(told["episodes"], 3);
    let refused = &told["refusals"][0];
    assert_eq!(keys(refused), "position reason session");
    assert_eq!((&refused["session"], &refused["position"]), (&Value::from("D2"), &Value::from(1)));
}

#[test]
fn a_file_that_has_grown_adds_only_what_is_new() {
    let lab = Lab::new();
    for (turns, new) in [(1, 1), (3, 2), (3, 0)] {
        let text: String = TALK.split_inclusive('\n').take(turns).collect();
        let file = lab.write("talk.jsonl", text);
        assert_eq!(lab.json(&["ingest", file.to_str().unwrap()])["files"][0]["new_episodes"], new);
    }
    assert_eq!(lab.json(&["stats"])["episodes"], 3);
}

#[test]
fn facts_are_counted_in_what_was_new() {
    let lab = Lab::new();
    for (turns, facts) in [(2, 1), (3, 1), (3, 0)] {
        let text: String = TALK.split_inclusive('\n').take(turns).collect();
        let file = lab.write("talk.jsonl", text);
        assert_eq!(lab.json(&["ingest", file.to_str().unwrap()])["files"][0]["facts"], facts);
    }
}

#[test]
fn files_of_one_name_in_two_directories_are_two_sessions() {
    let lab = Lab::new();
    let write = |directory: &str, word: &str| {
        fs::create_dir(lab.path(directory)).unwrap();
        let turns = [0, 1, 2].map(|n| format!("Bram: The {word} is number {n}."));
        lab.write(&format!("{directory}/chat.txt"), turns.join("\n")).display().to_string()
    };
    let (one, other) = (write("d1", "mill"), write("d2", "boat"));
    let command = ["ingest", one.as_str(), other.as_str()];
    let files = lab.json(&command)["files"].clone();
    assert_eq!((&files[0]["new_episodes"], &files[1]["new_episodes"]), (&3.into(), &3.into()));
    assert_eq!(lab.json(&["stats"])["sessions"], 2);
    let found = lab.json(&["recall", "mill"]);
    assert!(found["hits"][0]["session"].as_str().unwrap().ends_with("d1/chat.txt"), "{found}");
    // The same path again, written in another way, is the same session.
    let roundabout = one.replace("d1/", "d2/.././d1/");
    for again in [&one, &roundabout] {
        assert_eq!(lab.json(&["ingest", again])["files"][0]["new_episodes"], 0);
    }
}

#[test]
fn a_session_in_two_files_is_told_of() {
    let lab = Lab::new();
    let turn = |text: &str| format!("{{\"session\": \"S1\", \"text\": \"{text}\"}}\n");
    let one = lab.write("one.jsonl", turn("The mill is red."));
    let other = lab.write("other.jsonl", turn("The boat is blue."));
    let command = ["ingest", one.to_str().unwrap(), other.to_str().unwrap()];
    let reply = lab.lore(&command);
    assert_eq!((reply.code, reply.err.lines().count()), (0, 1), "{}", reply.err);
    assert!(reply.err.contains("both have session S1"), "{}", reply.err);
    let again = lab.lore(&command).out;
    assert_eq!(again.matches("(0 new)").count(), 2, "{again}");
    let stats = lab.json(&["stats"]);
    assert_eq!((&stats["sessions"], &stats["episodes"]), (&1.into(), &2.into()));
    lab.lore(&["ingest", one.to_str().unwrap(), one.to_str().unwrap()]).done();
}

#[test]
fn several_transcripts_of_one_file_keep_their_sessions_apart() {
    let lab = Lab::new();
    let sample = |name: &str, text: &str| {
        json!({"sample_id": name, "conversation": {"session_1_date_time": "1:56 pm on 8 May, 2023",
            "session_1": [{"speaker": "Bram", "dia_id": "D1:1", "text": text}]}})
    };
    let samples = json!([sample("east", "The mill is red."), sample("west", "The mill is blue.")]);
    let file = lab.write("talks.json", samples.to_string());
    assert_eq!(lab.json(&["ingest", file.to_str().unwrap()])["files"][0]["sessions"], 2);
    let found = lab.json(&["recall", "mill"]);
    let mut sessions: Vec<&str> =
        found["hits"].as_array().unwrap().iter().map(|hit| hit["session"].as_str().unwrap()).collect();
    sessions.sort_unstable();
    assert_eq!(sessions, ["east/D1", "west/D1"]);
}

#[test]
fn remember_tells_the_episode_and_its_facts() {
    let lab = Lab::new();
    let note = ["remember", "I live in Vigo.", "--speaker", "Petra", "--at", "2024-05-08T10:00:00+02:00"];
    let told = lab.json(&note);
    assert_eq!(
        (keys(&told).as_str(), &told["new"]),
        ("episode facts masked new notices", &Value::Bool(true))
    );
    assert_eq!(told["episode"].as_str().unwrap().len(), 32);
    assert_eq!(keys(&told["facts"][0]), FACT);
    assert_eq!(told["facts"][0]["valid"]["from"], "2024-05-08T08:00:00Z");
    let again = lab.json(&note);
    assert_eq!((&again["new"], &again["episode"]), (&Value::Bool(false), &told["episode"]));
    let other = lab.json(&[&note[..], &["--session", "other"]].concat());
    assert_eq!(other["new"], true);
    assert_eq!(lab.json(&["stats"])["sessions"], 2);
}

#[test]
fn recall_gives_hits_and_explains_them_when_asked() {
    let lab = talked();
    let question = ["recall", "Where does Ilka live?"];
    let found = lab.json(&question);
    assert_eq!(keys(&found), "hits model notices reranked");
    assert_eq!(found["model"], "table-1");
    let hit = &found["hits"][0];
    assert_eq!(keys(hit), HIT);
    assert_eq!((&hit["speaker"], hit["score"].is_f64()), (&Value::from("Ilka"), true));
    assert!(hit["at"].as_str().unwrap().ends_with("T10:00:00Z"), "{}", hit["at"]);
    assert_eq!(keys(&hit["facts"][0]), FACT);
    let ids: Vec<&str> =
        found["hits"].as_array().unwrap().iter().filter_map(|hit| hit["source_id"].as_str()).collect();
    assert!(ids.contains(&"D1:1") && ids.contains(&"D2:1"), "{ids:?}");
    let explained = lab.json(&[&question[..], &["--explain"]].concat());
    assert_eq!(keys(&explained), "hits model notices reranked trace");
    assert_eq!(keys(&explained["hits"][0]), HIT.replacen("flagged", "flagged parts", 1));
    assert!(explained["hits"][0]["parts"].as_object().unwrap().values().all(Value::is_f64));
    let one = lab.json(&[&question[..], &["--limit", "1"]].concat());
    assert_eq!(one["hits"].as_array().unwrap().len(), 1);
    let early = lab.json(&[&question[..], &["--as-of", "2024-05-01"]].concat());
    assert!(early["hits"].as_array().unwrap().iter().all(|hit| hit["session"] == "D1"));
}

#[test]
fn times_keep_the_offset_that_the_source_named() {
    let lab = Lab::new();
    for (at, shown) in [
        ("2024-05-08T10:00:00+02:00", "2024-05-08T10:00:00+02:00"),
        ("2024-05-09T10:00:00Z", "2024-05-09T10:00:00Z"),
        ("2024-05-10T10:00:00", "2024-05-10T10:00:00Z"),
    ] {
        lab.lore(&["remember", &format!("The ferry left, {at}."), "--at", at]).done();
        let found = lab.json(&["recall", &format!("The ferry left, {at}."), "--limit", "1"]);
        assert_eq!(found["hits"][0]["at"], shown);
    }
}

#[test]
fn facts_give_times_status_and_support() {
    let lab = talked();
    let told = lab.json(&["facts", "--about", "Ilka", "--predicate", "lives in"]);
    assert_eq!(keys(&told), "facts more_follows");
    let facts = told["facts"].as_array().unwrap();
    assert_eq!(facts.len(), 2);
    let (now, then) = (&facts[0], &facts[1]);
    assert_eq!((&now["status"], &now["object"]), (&Value::from("current"), &Value::from("Trieste")));
    assert_eq!((&then["status"], &then["object"]), (&Value::from("superseded"), &Value::from("Gdynia")));
    for fact in facts {
        assert_eq!(keys(fact), FACT);
        assert_eq!((keys(&fact["valid"]), keys(&fact["recorded"])), ("from to".into(), "from to".into()));
        assert_eq!((&fact["kind"], &fact["polarity"]), (&Value::from("fact"), &Value::from("affirmed")));
    }
    assert_eq!(then["valid"]["from"], "2024-03-01T10:00:00Z");
    assert_eq!(then["valid"]["to"], "2024-09-01T10:00:00Z");
    assert_eq!(now["valid"]["to"], Value::Null);
    let support = &then["support"][0];
    assert_eq!(keys(support), "attributed_to episode hedged source_id span");
    assert_eq!((&support["source_id"], support["span"].as_array().unwrap().len()), (&Value::from("D1:1"), 2));
}

#[test]
fn entities_and_stats_have_their_fields() {
    let lab = talked();
    let told = lab.json(&["entity", "ilka"]);
    assert_eq!(keys(&told), "entities");
    let entity = &told["entities"][0];
    assert_eq!(keys(entity), "aliases episodes facts id kind merges more_follows name same_as");
    assert_eq!((&entity["name"], &entity["kind"]), (&Value::from("Ilka"), &Value::from("person")));
    let stats = lab.json(&["stats"]);
    for field in ["namespaces", "sessions", "episodes", "entities", "facts", "mentions", "unread", "commits"]
    {
        assert!(stats[field].is_u64(), "{field} in {stats}");
    }
    let counts = [1, 2, 3, 2].map(Value::from);
    let told = ["namespaces", "sessions", "episodes", "facts"].map(|field| stats[field].clone());
    assert_eq!(told, counts);
    lab.lore(&["--namespace", "other", "remember", "hello"]).done();
    assert_eq!(lab.json(&["stats"])["namespaces"], 2);
    assert_eq!(lab.json(&["stats", "--namespace", "other"])["episodes"], 1);
}

#[test]
fn context_and_check_have_their_fields() {
    let lab = talked();
    let told = lab.json(&["context", "Where does Ilka live?", "--tokens", "100"]);
    assert_eq!(keys(&told), "citations dropped episodes model notices text tokens");
    assert!(told["tokens"].as_u64().unwrap() <= 100);
    let cited = told["citations"].as_array().unwrap();
    assert_eq!(Some(cited.len() as u64), told["episodes"].as_u64());
    assert!(cited.iter().all(|cited| keys(cited) == "episode source_id"));
    let mut text = told["text"].as_str().unwrap();
    for id in cited.iter().map(|cited| cited["source_id"].as_str().unwrap()) {
        let at = text.find(&format!("[{id} ")).unwrap_or_else(|| panic!("{id} is not next in {text}"));
        text = &text[at + 1..];
    }
    let text = lab.lore(&["context", "Where does Ilka live?", "--tokens", "100"]).done().out;
    assert_eq!(text, told["text"].as_str().unwrap());
    let told = lab.json(&["check"]);
    assert_eq!((keys(&told).as_str(), &told["ok"]), ("notices ok problems", &Value::Bool(true)));
}

#[test]
fn the_demonstration_answers_three_questions() {
    let told = lore(["demo", "--json"]).done().json();
    assert_eq!(keys(&told), "ingested questions");
    let questions = told["questions"].as_array().unwrap();
    let hops: Vec<u64> = questions.iter().map(|asked| asked["hops"].as_u64().unwrap()).collect();
    assert_eq!(hops, [1, 2, 3]);
    for asked in questions {
        assert_eq!(keys(asked), "answer evidence hits hops question");
        let found = |id: &Value| asked["hits"].as_array().unwrap().iter().any(|hit| hit["source_id"] == *id);
        assert!(asked["evidence"].as_array().unwrap().iter().all(found), "{}", asked["question"]);
        let path = |hit: &Value| !hit["path"].as_array().unwrap().is_empty();
        assert!(asked["hops"] == 1 || asked["hits"].as_array().unwrap().iter().any(path));
    }
    assert!(lore(["demo"]).done().out.contains("3 hops"));
}

#[test]
fn global_flags_stand_before_or_after_the_command() {
    let lab = Lab::new();
    let store = lab.store();
    let flags = ["--store", store.to_str().unwrap(), "--namespace", "petra", "--json"];
    let command = ["remember", "The boat is blue.", "--at", "2024-01-01"];
    let before = lore([&flags[..], &command].concat()).done().json();
    let after = lore([&command[..], &flags].concat()).done().json();
    assert_eq!((&before["new"], &after["new"]), (&Value::Bool(true), &Value::Bool(false)));
    assert_eq!(before["episode"], after["episode"]);
}

#[test]
fn nothing_found_is_1() {
    let lab = talked();
    for command in [
        &["recall", "xylophone quagmire"][..],
        &["context", "xylophone quagmire"],
        &["facts", "--about", "Nobody"],
        &["entity", "Nobody"],
        &["recall", "Where does Ilka live?", "--namespace", "empty"],
    ] {
        let namespace = if command.contains(&"empty") { "empty" } else { "default" };
        let said = format!("lore: nothing found in namespace {namespace}\n");
        let reply = lab.lore(command);
        assert_eq!((reply.code, reply.out.as_str(), reply.err.as_str()), (1, "", &*said), "{command:?}");
        let reply = lab.lore(&[command, &["--json"]].concat());
        assert_eq!((reply.code, reply.err.as_str()), (1, &*said), "{command:?}");
        assert!(reply.json().is_object(), "{command:?}");
    }
}

#[test]
fn mistakes_of_the_caller_are_2() {
    let lab = talked();
    for command in [
        &["recall"][..],
        &["dance"],
        &["recall", "x", "--limit", "0"],
        &["recall", "x", "--limit", "1001"],
        &["recall", "x", "--limit", "many"],
        &["recall", &"why ".repeat(20_000)],
        &["recall", "x", "--as-of", "yesterday"],
        &["remember", "x", "--at", "2024-13-01"],
        &["remember", "  "],
        &["remember", "x", "--namespace", "a//b"],
        &["remember", "x", "--speaker", &"y".repeat(2000)],
        &["bench", "cases", "missing.jsonl"],
        &["ingest"],
    ] {
        lab.lore(command).failed(2);
    }
    let error = lore(["stats"]).failed(2);
    assert!(error.contains("--store"), "{error}");
    for command in [&["ingest", "missing.jsonl"][..], &["bench", "cases", "missing.jsonl"]] {
        let error = lab.lore(command).failed(2);
        assert_eq!(error.matches("No such file").count(), 1, "{error}");
        assert!(error.starts_with("lore: cannot open missing.jsonl: "), "{error}");
    }
    let directory = lab.path("talks.jsonl");
    fs::create_dir(&directory).unwrap();
    lab.lore(&["ingest", directory.to_str().unwrap(), "--format", "jsonl"]).failed(2);
}

#[test]
fn a_store_that_is_none_is_2_and_left_alone() {
    let lab = Lab::new();
    for command in
        [&["recall", "x"][..], &["context", "x"], &["facts"], &["entity", "x"], &["stats"], &["check"]]
    {
        let error = lab.lore(command).failed(2);
        assert!(error.contains("store"), "{error}");
        assert!(!lab.store().exists(), "{command:?} made a store");
    }
    fs::create_dir(lab.store()).unwrap();
    lab.write("store/letter.txt", "dear");
    lab.lore(&["remember", "hello"]).failed(2);
    assert_eq!(fs::read_dir(lab.store()).unwrap().count(), 1);
    let file = lab.path("store/letter.txt");
    let error = lore(["--store", file.to_str().unwrap(), "stats"]).failed(2);
    assert!(error.contains("name a directory"), "{error}");
}

#[test]
fn a_path_where_no_store_can_be_is_2() {
    let lab = Lab::new();
    for (link, to) in [("circle", "circle"), ("nowhere", "missing")] {
        symlink(lab.path(to), lab.path(link)).unwrap();
    }
    lab.write("letter.txt", "dear");
    let long = "a/".repeat(3000);
    for path in
        ["circle", "circle/store", "nowhere", "nowhere/store", "letter.txt/store", &*"n".repeat(300), &long]
    {
        let path = lab.path(path);
        for command in [&["stats"][..], &["remember", "hello"], &["repair"], &["backup", "copy"]] {
            let flags = ["--store", path.to_str().unwrap()];
            lore(flags.iter().chain(command)).failed(2);
        }
    }
    let error = lore(["--store", lab.path("mistyped").to_str().unwrap(), "stats"]).failed(2);
    assert!(error.contains("mistyped does not exist"), "{error}");
    lab.lore(&["remember", "hello"]).done();
    lab.lore(&["backup", lab.path("circle").to_str().unwrap()]).failed(2);
    let error = lab.lore(&["export", "--output", lab.path("missing/file").to_str().unwrap()]).failed(2);
    assert!(error.contains("missing/file: No such file") && !error.contains(".lore-export"), "{error}");
}

/// Runs `lore --store STORE ARGUMENTS` as somebody who owns nothing; `None` where the system does not let us.
fn as_nobody(store: &Path, arguments: &[&str]) -> Option<(i32, String)> {
    let mut command = Command::new("setpriv");
    command.args(["--reuid=65534", "--regid=65534", "--clear-groups", env!("CARGO_BIN_EXE_lore"), "--store"]);
    let output = command.arg(store).args(arguments).stdin(Stdio::null()).output().ok()?;
    let said = String::from_utf8(output.stderr).unwrap();
    (!said.starts_with("setpriv")).then(|| (output.status.code().unwrap(), said))
}

#[test]
fn a_store_that_may_not_be_written_says_what_it_takes() {
    let lab = talked();
    for entry in [lab.path(""), lab.store()] {
        fs::set_permissions(entry, Permissions::from_mode(0o755)).unwrap();
    }
    let Some((code, said)) = as_nobody(&lab.store(), &["stats"]) else {
        return tell("skipped: we cannot be somebody else here (setpriv)");
    };
    assert_eq!(code, 3, "{said}");
    assert!(said.contains("store/lock") && said.contains("lore backup"), "{said}");
    let (code, said) = as_nobody(&lab.path("other"), &["remember", "hello"]).unwrap();
    assert_eq!(code, 2, "{said}");
}

#[test]
fn a_full_disk_is_3_and_a_closed_pipe_is_no_whole_export() {
    let lab = talked();
    let store = lab.store();
    let full = || File::options().write(true).open("/dev/full");
    if full().is_err() {
        return tell("skipped: there is no /dev/full");
    }
    for command in [&["export"][..], &["facts"], &["stats", "--json"]] {
        let mut lore = Command::new(env!("CARGO_BIN_EXE_lore"));
        let output = lore.arg("--store").arg(&store).args(command).stdout(full().unwrap()).output().unwrap();
        let said = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(3), "{said}");
        assert!(said.starts_with("lore: cannot write to standard output: "), "{said}");
    }
    lab.lore(&["export", "--output", "/dev/full"]).failed(3);
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    let mut lore = Command::new(env!("CARGO_BIN_EXE_lore"));
    let output = lore.arg("--store").arg(&store).arg("export").stdout(writer).output().unwrap();
    assert_eq!(output.status.code(), Some(1));
}

#[test]
fn what_was_forgotten_is_told_and_not_taken_in_again() {
    let lab = Lab::new();
    let chat = lab.write("chat.txt", "Ana: I live in Rome.\rBo: Nice.\rAna: It is.\r");
    let chat = chat.to_str().unwrap();
    let session = lorebase::extract::formats::session_of(Path::new(chat));
    let out = lab.lore(&["ingest", chat]).done().out;
    assert!(out.contains(": 1 session, 3 episodes (3 new), 1 fact, 0 refused, "), "{out}");
    let out = lab.lore(&["forget", "--session", &session]).done().out;
    assert!(out.starts_with("forgotten: 3 episodes, and 1 fact that nothing else states\n"), "{out}");
    let out = lab.lore(&["ingest", chat]).done().out;
    assert!(
        out.contains("3 episodes (0 new)") && out.contains(", 3 episodes that stay forgotten, "),
        "{out}"
    );
    assert_eq!(lab.json(&["ingest", chat])["files"][0]["stay_forgotten"], 3);
    let reply = lab.lore(&["forget", "--session", "nobody"]);
    assert_eq!((reply.code, reply.out.as_str()), (1, ""));
    assert!(reply.err.ends_with("lore: nothing found in namespace default\n"), "{}", reply.err);
    let export = lab.path("all.jsonl");
    let export = export.to_str().unwrap();
    lab.lore(&["export", "--output", export]).done();
    let reply = lab.lore(&["import", export, "--namespace", "empty", "--json"]);
    assert_eq!((reply.code, reply.json()), (1, json!({ "files": [], "notices": [] })));
    let remember = ["remember", "The kettle is on.", "--at", "-000044-03-15"];
    let told = lab.json(&remember);
    lab.lore(&["forget", "--episode", told["episode"].as_str().unwrap()]).done();
    let error = lab.lore(&remember).failed(2);
    assert!(error.contains("was forgotten"), "{error}");
}

#[test]
fn a_store_in_use_is_3_and_names_its_holder() {
    let lab = talked();
    let memory = lab.memory();
    for command in [&["stats"][..], &["recall", "ferry"], &["remember", "hello"], &["check"]] {
        let error = lab.lore(command).failed(3);
        assert!(error.contains(&format!("process {}", std::process::id())), "{error}");
    }
    drop(memory);
    lab.lore(&["stats"]).done();
}

#[test]
fn a_damaged_journal_is_3_and_names_the_place() {
    let lab = talked();
    lab.lore(&["remember", "The kettle is on the left."]).done();
    let journal = lab.store().join("journal/00000000.journal");
    let mut file = File::options().write(true).open(&journal).unwrap();
    file.seek(SeekFrom::Start(70)).unwrap();
    file.write_all(&[0xEE; 8]).unwrap();
    drop(file);
    fs::remove_dir_all(lab.store().join("sled")).unwrap();
    let error = lab.lore(&["stats"]).failed(3);
    assert!(error.contains("00000000.journal") && error.contains("byte 24"), "{error}");
}

#[test]
fn output_for_people_is_made_safe_for_terminals() {
    let lab = Lab::new();
    let text = "The beacon \u{1b}[31mblinks\u{7} at dusk.\u{202e}";
    lab.lore(&["remember", text, "--speaker", "Petra\u{1b}[2J", "--at", "2024-01-01"]).done();
    let out = lab.lore(&["recall", "When does the beacon blink?", "--explain"]).done().out;
    assert!(out.contains("beacon"), "{out}");
    assert!(!out.contains(['\u{1b}', '\u{7}', '\u{202e}']), "{out:?}");
    let json = lab.json(&["recall", "When does the beacon blink?"]);
    assert_eq!(json["hits"][0]["text"], text);
}

/// Every name of a field in it.
fn fields_of(value: &Value, found: &mut BTreeSet<String>) {
    match value {
        Value::Object(object) => {
            found.extend(object.keys().cloned());
            object.values().for_each(|value| fields_of(value, found));
        }
        Value::Array(list) => list.iter().for_each(|value| fields_of(value, found)),
        _ => {}
    }
}

#[test]
fn every_field_that_is_printed_is_described() {
    let lab = talked();
    let [store, copy, export] =
        ["store", "copy", "all.jsonl"].map(|name| lab.path(name).to_str().unwrap().to_owned());
    let said = fs::read_to_string(root().join("docs/json.md")).unwrap();
    let mut found = BTreeSet::new();
    for command in [
        &["recall", "Where does Ilka live?", "--explain"][..],
        &["context", "Where does Ilka live?"],
        &["remember", "The boat is blue."],
        &["entity", "Ilka"],
        &["stats"],
        &["check"],
        &["export", "--output", &export],
        &["import", &export],
        &["ingest", lab.write("chat.txt", "Ana: hello").to_str().unwrap()],
        &["forget", "--session", "D1"],
        &["backup", &copy],
        &["repair"],
        &["demo"],
    ] {
        let flags = if command[0] == "demo" { &[][..] } else { &["--store", &store] };
        let reply = lore([flags, command, &["--json"]].concat());
        fields_of(&reply.done().json(), &mut found);
    }
    let missing: Vec<&String> = found
        .iter()
        .filter(|name| ![format!("\"{name}\""), format!("`{name}`")].iter().any(|name| said.contains(name)))
        .collect();
    assert!(
        found.len() > 80 && missing.is_empty(),
        "{} fields, of which docs/json.md has not {missing:?}",
        found.len()
    );
}
