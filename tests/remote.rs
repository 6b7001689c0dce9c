//! Models behind an endpoint that throttles, fails, breaks off and answers otherwise than it should: whatever it does, what was
//! stored is there and found by its words, somebody is told what to do, and the vectors follow when it is well again.

use std::ffi::OsStr;
use std::fs;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use lorebase::engine::embed::Embedder;
use lorebase::models::remote::{RemoteEmbedder, Settings};
use serde_json::{Value, json};

use crate::endpoint::{DIMENSIONS, Endpoint, Manner};
use crate::util::{Lab, Reply};

/// A key that must be seen by the endpoint alone.
const KEY: &str = "sk-secret-0123456789";

/// A laboratory with a place for models, an endpoint, and perhaps a key.
struct Office {
    lab: Lab,
    endpoint: Endpoint,
    key: Option<&'static str>,
}

impl Office {
    fn new() -> Self {
        Self { lab: Lab::new(), endpoint: Endpoint::new(), key: None }
    }

    /// One whose store uses the model, which is asked with the given settings.
    fn using(settings: &[&str]) -> Self {
        let office = Self::new();
        office.add(settings).done();
        office.lore(&["model", "use", "m"]).done();
        office.endpoint.asked();
        office
    }

    fn command<A: AsRef<OsStr>>(&self, arguments: &[A]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_lore"));
        command.arg("--store").arg(self.lab.store()).env("LOREBASE_MODELS", self.lab.path("models"));
        command.env("NO_PROXY", "127.0.0.1").env_remove("LOREBASE_API_KEY").env_remove("OPENAI_API_KEY");
        if let Some(key) = self.key {
            command.env("LOREBASE_API_KEY", key);
        }
        command.args(arguments).stdin(Stdio::null());
        command
    }

    fn lore<A: AsRef<OsStr>>(&self, arguments: &[A]) -> Reply {
        Reply::of(self.command(arguments).output().unwrap())
    }

    fn json(&self, arguments: &[&str]) -> Value {
        self.lore(&[arguments, &["--json"]].concat()).done().json()
    }

    /// Adds the endpoint's model; its pauses are short.
    fn add(&self, settings: &[&str]) -> Reply {
        let add =
            ["model", "add", "--remote", &self.endpoint.url, "--remote-model", "m", "--backoff", "0.001"];
        self.lore(&[&add[..], settings].concat())
    }

    fn remember(&self, text: &str) -> Reply {
        self.lore(&["remember", text, "--speaker", "Ilka"])
    }

    fn without_vector(&self) -> u64 {
        self.json(&["stats"])["without_vector"].as_u64().unwrap()
    }

    /// A file with so many turns.
    fn turns(&self, count: usize) -> String {
        let turns =
            (0..count).map(|turn| format!("{}\n", json!({ "text": format!("Note {turn} on tides.") })));
        self.lab.write("turns.jsonl", turns.collect::<String>()).to_str().unwrap().to_owned()
    }

    /// Waits until the endpoint was asked for so many texts.
    fn wait_for(&self, texts: usize) {
        let start = Instant::now();
        while self.endpoint.texts() < texts {
            assert!(start.elapsed() < Duration::from_secs(30), "the endpoint is not asked");
            thread::sleep(Duration::from_millis(5));
        }
    }
}

/// As Ctrl-C on a terminal; or as `kill`, where the tests run in the background, so that all they start ignores Ctrl-C.
fn interrupt(mut child: Child) {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let ignored = ignored.map_or(0, |mask| u64::from_str_radix(mask.trim(), 16).unwrap());
    let signal = if ignored & 0b10 == 0 { "-INT" } else { "-TERM" };
    let sent = Command::new("kill").args([signal, &child.id().to_string()]).status().unwrap();
    assert!(sent.success());
    assert!(!child.wait().unwrap().success());
}

#[test]
fn a_remote_model_is_tried_chosen_and_removed_and_its_key_stays_in_the_environment() {
    let mut office = Office::new();
    office.key = Some(KEY);
    let told = office.add(&["--json"]).done().json();
    let identity = told["embedder"].as_str().unwrap().to_owned();
    let host = office.endpoint.url.trim_start_matches("http://").trim_end_matches("/v1");
    assert!(identity.starts_with(&format!("m@{host}-{DIMENSIONS}-")), "{identity}");
    assert_eq!(
        (&told["kind"], &told["source"], &told["dimensions"], &told["new"]),
        (&json!("remote"), &json!(office.endpoint.url), &json!(DIMENSIONS), &json!(true))
    );
    assert_eq!(office.add(&["--json"]).done().json()["new"], false);
    assert!(office.add(&["--query-prefix", "query: "]).failed(2).contains("--name"));
    let listed = office.lore(&["model", "list"]).done().out;
    assert!(listed.contains(&office.endpoint.url) && listed.contains(&identity), "{listed}");
    let asked = office.endpoint.asked();
    assert!(asked.iter().all(|asked| asked.key.as_deref() == Some(&format!("Bearer {KEY}"))), "{asked:?}");
    assert_eq!((&*asked[0].path, &asked[0].body["model"]), ("/v1/embeddings", &json!("m")));
    assert_eq!((&asked[0].body["encoding_format"], asked[0].body.get("dimensions")), (&json!("float"), None));
    // Nobody is asked before the model is chosen.
    office.remember("The ferry to Bergen leaves at six.").done();
    office.remember("Bram paid the rent.").done();
    assert_eq!(office.endpoint.asked().len(), 0);
    assert_eq!(office.json(&["--model", "m", "recall", "When does the boat depart?"])["model"], identity);
    assert_eq!(office.json(&["model", "use", "m"])["embedder"], identity);
    office.endpoint.asked();
    let found = office.json(&["recall", "When does the boat depart?"]);
    assert_eq!((&found["model"], &found["notices"]), (&json!(identity), &json!([])));
    assert_eq!(found["hits"][0]["text"], "The ferry to Bergen leaves at six.");
    assert_eq!(office.json(&["context", "When does the boat depart?"])["model"], identity);
    assert_eq!(office.endpoint.asked().len(), 2);
    for command in [&["stats"][..], &["check"], &["facts"], &["model", "list"]] {
        let reply = office.lore(command);
        assert!(!reply.out.contains(KEY) && !reply.err.contains(KEY));
    }
    assert_eq!(office.endpoint.asked().len(), 0);
    let manifest = fs::read_to_string(office.lab.path("models").join("m/model.json")).unwrap();
    assert!(!manifest.contains(KEY), "{manifest}");
    office.lore(&["model", "remove", "m"]).done();
    let err = office.lore(&["recall", "ferry"]).failed(2);
    assert!(err.contains(&format!("--remote {} --remote-model m", office.endpoint.url)), "{err}");
}

#[test]
fn the_endpoint_is_told_dimensions_and_prefixes_that_are_given() {
    let office =
        Office::using(&["--dimensions", "6", "--query-prefix", "query: ", "--passage-prefix", "passage: "]);
    office.remember("The ferry leaves.").done();
    let found = office.json(&["recall", "boat"]);
    assert!(found["model"].as_str().unwrap().contains("-6-"), "{found}");
    let asked = office.endpoint.asked();
    assert!(asked.iter().all(|asked| asked.body["dimensions"] == 6 && asked.key.is_none()), "{asked:?}");
    assert_eq!(asked[0].texts, ["passage: Ilka: The ferry leaves."]);
    assert_eq!(asked[1].texts, ["query: boat"]);
}

#[test]
fn what_passes_is_tried_again_and_nobody_notices() {
    let office = Office::using(&[]);
    let times = [
        (vec![Manner::Says(429, "Retry-After: 0.3", "slow down")], 2),
        (vec![Manner::Says(429, "Retry-After-Ms: 1", "slow down"); 2], 3),
        (vec![Manner::Says(500, "X-A: b", ""), Manner::Says(503, "X-A: b", "busy")], 3),
        (vec![Manner::Drops], 2),
        (vec![Manner::Truncates], 2),
        (vec![Manner::Backwards], 1),
        (vec![Manner::Base64], 1),
    ];
    for (number, (script, requests)) in times.into_iter().enumerate() {
        office.endpoint.next(&script);
        office.remember(&format!("The ferry number {number} leaves.")).done();
        let asked = office.endpoint.asked();
        assert_eq!((asked.len(), office.without_vector()), (requests, 0), "{script:?}");
        if number == 0 {
            assert!(asked[1].at - asked[0].at >= Duration::from_millis(300));
        }
    }
    // Also a question.
    office.endpoint.next(&[Manner::Says(429, "Retry-After: 0", ""), Manner::Says(500, "X-A: b", "")]);
    assert_eq!(office.json(&["recall", "boat or ferry"])["notices"], json!([]));
    assert_eq!(office.endpoint.asked().len(), 3);
}

#[test]
fn vectors_stand_by_their_index() {
    let office = Office::using(&[]);
    office.endpoint.next(&[Manner::Backwards]);
    let turns = [json!({ "text": "The ferry to Bergen leaves at six." }), json!({ "text": "Bram paid." })];
    let file = office.lab.write("two.jsonl", format!("{}\n{}\n", turns[0], turns[1]));
    office.lore(&["ingest", file.to_str().unwrap()]).done();
    assert_eq!(office.endpoint.asked().len(), 1);
    let found = office.json(&["recall", "When does the boat depart?"]);
    assert_eq!(found["hits"][0]["text"], "The ferry to Bergen leaves at six.");
}

#[test]
fn whatever_it_does_all_is_stored_and_found_and_somebody_is_told_what_to_do() {
    let mut office = Office::using(&["--retries", "2", "--timeout", "1"]);
    let says = |code, said| Manner::Says(code, "X-A: b", said);
    let asks_long = Manner::Says(429, "Retry-After: 3600", "come back tomorrow");
    let hangs = Manner::Hangs(Duration::from_secs(2));
    let mut number: u64 = 0;
    for (manner, requests, told) in [
        (says(429, "slow down"), 3, "429 Too Many Requests: slow down, after 3 tries"),
        (asks_long, 1, "asks for a pause of 3600s"),
        (says(429, "insufficient_quota"), 1, "nothing is left of what was paid for"),
        (says(503, ""), 3, "503 Service Unavailable"),
        (Manner::Drops, 3, "broke off"),
        (Manner::Truncates, 3, "broke off"),
        (hangs, 3, "does not answer within 1s, after 3 tries"),
        (Manner::Wider, 1, "vectors of 5 numbers instead of 4"),
        (Manner::Fewer, 1, "vectors for"),
        (Manner::Zeros, 1, "all numbers are 0"),
        (Manner::Huge, 1, "inf"),
        (Manner::Page, 1, "no embeddings"),
        (says(401, "who are you"), 1, "wants a key"),
        (says(401, "who are you"), 1, "the environment variable LOREBASE_API_KEY is not set"),
        (says(404, "model not found"), 1, "has no model m"),
        (says(302, ""), 1, "leads elsewhere"),
        (says(418, "teapot"), 1, "418"),
    ] {
        office.endpoint.usually(manner.clone());
        let reply = office.lore(&["remember", &format!("Pier {number} is closed."), "--json"]);
        let notice = reply.json()["notices"][0].as_str().unwrap().to_owned();
        assert!(reply.code == 0 && reply.err.contains(&notice), "{}", reply.err);
        assert!(notice.contains("without a vector") && notice.contains(told), "{manner:?}: {notice}");
        assert_eq!(office.endpoint.asked().len(), requests, "{manner:?}");
        let found = office.lore(&["recall", "pier closed", "--json", "--limit", "100"]);
        let hits = found.json()["hits"].as_array().unwrap().len();
        assert_eq!((found.code, hits as u64, &found.json()["model"]), (0, number + 1, &Value::Null));
        let told = found.json()["notices"][0].as_str().unwrap().to_owned();
        assert!(told.contains("words alone") && found.err.contains(&told), "{}", found.err);
        office.endpoint.asked();
        number += 1;
    }
    // A key that is not taken is named by its variable, and is told to nobody even where the endpoint tells it.
    office.key = Some(KEY);
    office.endpoint.usually(Manner::Says(401, "X-A: b", "sk-secret-0123456789 is wrong"));
    let err = office.remember("The pier is open.").err;
    assert!(err.contains("does not take the key in the environment variable LOREBASE_API_KEY"), "{err}");
    assert!(err.contains("(the key) is wrong") && !err.contains(KEY), "{err}");
    // And when it is well again, all is embedded by whoever stores next.
    assert_eq!(office.without_vector(), number + 1);
    office.endpoint.usually(Manner::Well);
    office.remember("The last pier is closed.").done();
    assert_eq!(office.without_vector(), 0);
    assert!(office.json(&["recall", "pier"])["model"].is_string());
}

#[test]
fn a_question_waits_no_longer_than_one_try_may_take() {
    let office = Office::using(&["--retries", "9", "--timeout", "1"]);
    office.remember("The pier is closed.").done();
    office.endpoint.usually(Manner::Hangs(Duration::from_secs(6)));
    let start = Instant::now();
    let found = office.lore(&["recall", "pier", "--json"]);
    assert!(start.elapsed() < Duration::from_secs(6), "{:?}", start.elapsed());
    assert!(found.err.contains("does not answer within 1s"), "{}", found.err);
    assert_eq!(found.json()["hits"].as_array().unwrap().len(), 1);
}

#[test]
fn an_endpoint_that_is_not_there_can_neither_be_added_nor_keep_anything_from_being_stored() {
    let office = Office::using(&["--retries", "1"]);
    let manifest = office.lab.path("models").join("m/model.json");
    let known = fs::read_to_string(&manifest).unwrap();
    // Nobody listens at that port; the identity stays that of the store.
    let closed = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let url = format!("http://{closed}/v1");
    let err =
        office.lore(&["model", "add", "--remote", &url, "--remote-model", "n", "--retries", "0"]).failed(3);
    assert!(err.contains("cannot be reached") && err.contains(&url), "{err}");
    fs::write(&manifest, known.replace(&office.endpoint.url, &url)).unwrap();
    let err = office.lore(&["remember", "x"]).failed(2);
    assert!(err.contains("--model builtin"), "{err}");
    let reply = office.lore(&["--model", "m", "remember", "The pier is closed.", "--json"]);
    assert_eq!((reply.code, &reply.json()["new"]), (0, &json!(true)), "{}", reply.err);
    assert!(reply.err.contains("cannot be reached") && reply.err.contains("after 2 tries"), "{}", reply.err);
    let found = office.lore(&["--model", "m", "recall", "pier", "--json"]);
    assert_eq!(found.json()["hits"].as_array().unwrap().len(), 1);
    // A switch to it stays undone, and the model before serves.
    let err = office.lore(&["model", "use", "m"]).failed(3);
    assert!(err.contains("makes no vectors now"), "{err}");
    fs::write(&manifest, known).unwrap();
    office.remember("The ferry is late.").done();
    assert_eq!(office.without_vector(), 0);
}

#[test]
fn what_is_refused_as_too_much_is_asked_for_in_parts_and_one_text_costs_no_other() {
    let office = Office::using(&["--batch", "8", "--text-bytes", "4KiB"]);
    office.endpoint.refuses(2, 1000, Some("poison"));
    let long = format!("The ferry {}", "is late and ".repeat(300));
    let longer = "The boat is early and ".repeat(1000);
    let texts = ["one", "two", &long, "three", &longer, "poison is four", "five", "six"];
    let lines: Vec<String> = texts.iter().map(|text| json!({ "text": text }).to_string()).collect();
    let file = office.lab.write("all.jsonl", lines.join("\n"));
    let reply = office.lore(&["ingest", file.to_str().unwrap(), "--json"]);
    let notice = reply.json()["notices"][0].as_str().unwrap().to_owned();
    assert_eq!(reply.code, 0, "{}", reply.err);
    assert!(notice.contains("texts are longer than") && notice.contains("1 text has no vector"), "{notice}");
    assert!(notice.contains("poison is four") && notice.contains("cannot be tokenized"), "{notice}");
    assert_eq!(office.without_vector(), 0);
    let asked = office.endpoint.asked();
    assert!(asked.iter().all(|asked| asked.texts.iter().all(|text| text.len() <= 4096)));
    assert_eq!(asked.iter().filter(|asked| asked.well).map(|asked| asked.texts.len()).sum::<usize>(), 7);
    let found = office.json(&["recall", "ship boat", "--limit", "1"]);
    assert!(found["hits"][0]["text"].as_str().unwrap().len() > 100, "{found}");
    assert_eq!(office.json(&["recall", "What is four?"])["hits"][0]["text"], "poison is four");
    // Where all are refused, they wait.
    office.endpoint.refuses(8, 1000, Some("e"));
    let reply = office.lore(&["remember", "seven", "--json"]);
    assert!(reply.err.contains("1 episode without a vector"), "{}", reply.err);
}

#[test]
fn no_more_is_asked_in_a_minute_than_may_be() {
    let office = Office::using(&["--requests-per-minute", "1200", "--batch", "1"]);
    let start = Instant::now();
    office.lore(&["ingest", &office.turns(6)]).done();
    let asked = office.endpoint.asked();
    assert_eq!(asked.len(), 6);
    assert!(asked[5].at - asked[0].at >= Duration::from_millis(240), "{:?}", start.elapsed());
}

#[test]
fn ctrl_c_while_it_embeds_costs_no_episode_and_the_next_command_goes_on() {
    let office = Office::using(&["--batch", "2"]);
    office.endpoint.usually(Manner::Hangs(Duration::from_millis(250)));
    let child = office.command(&["ingest", &office.turns(20)]).stdout(Stdio::null()).spawn().unwrap();
    office.wait_for(6);
    interrupt(child);
    office.endpoint.usually(Manner::Well);
    // Which tells, too, that the run before was cut short.
    let stats = office.lore(&["stats", "--json"]).json();
    let left = stats["without_vector"].as_u64().unwrap();
    assert!(stats["episodes"] == 20 && (1..=16).contains(&left), "{stats}");
    assert_eq!(
        office.lore(&["recall", "Note 19 tides", "--json"]).json()["hits"][0]["text"],
        "Note 19 on tides."
    );
    office.endpoint.asked();
    office.remember("Bram paid the rent.").done();
    assert_eq!((office.without_vector(), office.endpoint.texts() as u64), (0, left + 1));
}

#[test]
fn a_switch_that_is_broken_off_goes_on_and_the_model_before_serves_meanwhile() {
    let office = Office::new();
    office.lore(&["ingest", &office.turns(20)]).done();
    office.add(&["--batch", "2"]).done();
    office.endpoint.asked();
    office.endpoint.usually(Manner::Hangs(Duration::from_millis(250)));
    let child = office.command(&["model", "use", "m"]).stdout(Stdio::null()).spawn().unwrap();
    office.wait_for(8);
    interrupt(child);
    office.endpoint.usually(Manner::Well);
    let first = office.endpoint.asked();
    let serves = office.lore(&["stats", "--json"]).json()["embedder"].clone();
    assert_eq!(office.json(&["recall", "tides"])["model"], serves);
    assert!(!office.lab.store().join("model.json").exists());
    office.lore(&["model", "use", "m"]).done();
    // What was made is not made again; the batch that was under way is.
    let second: usize = office.endpoint.asked().iter().map(|asked| asked.texts.len()).sum();
    let kept = first.iter().filter(|asked| asked.well).map(|asked| asked.texts.len()).sum::<usize>() - 2;
    assert!((kept..=kept + 2).contains(&(20 - second)), "{kept} were made, then {second}");
    assert_eq!(office.without_vector(), 0);
}

#[test]
fn a_url_or_a_number_that_cannot_be_is_refused_before_anybody_is_asked() {
    let office = Office::new();
    let add = |arguments: &[&str]| office.lore(&[&["model", "add"], arguments].concat()).failed(2);
    assert!(add(&["--remote", "https://u:p@h/v1", "--remote-model", "m"]).contains("environment only"));
    assert!(add(&["--remote", "h/v1", "--remote-model", "m"]).contains("https://"));
    assert!(add(&["--remote", &office.endpoint.url, "--remote-model", "m", "--batch", "0"]).contains("is 0"));
    add(&["--remote", &office.endpoint.url]);
    add(&["--remote-model", "m"]);
    add(&["x", "--remote", &office.endpoint.url, "--remote-model", "m"]);
    assert!(
        add(&["--remote", &office.endpoint.url, "--remote-model", "m", "--key-variable", KEY])
            .contains("never the key")
    );
    office.endpoint.next(&[Manner::Wider]);
    assert!(office.add(&["--dimensions", "4"]).failed(2).contains("5 numbers instead of 4"));
    assert_eq!(office.endpoint.asked().len(), 1);
    let listed = office.json(&["model", "list"])["models"].clone();
    assert!(listed.as_array().unwrap().iter().all(|model| model["name"] != "m"), "{listed}");
}

#[test]
fn it_can_be_asked_from_anywhere() {
    let endpoint = Endpoint::new();
    let settings = Settings::new(&endpoint.url, "m").unwrap();
    let embedder = RemoteEmbedder::tried(&settings, "The ferry leaves.").unwrap();
    let well = || {
        let vector = embedder.embed(&["the boat", " "]).unwrap();
        assert!((vector[0][0] - 0.6).abs() < 1e-6 && (vector[0][1] - 0.8).abs() < 1e-6, "{vector:?}");
        assert_eq!(vector[1], [0.0; DIMENSIONS]);
    };
    well();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async { well() });
    rayon::join(well, || rayon::join(well, well));
    thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(well);
        }
    });
    runtime.block_on(async move { drop(embedder) });
    drop(runtime);
}
