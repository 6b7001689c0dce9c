//! Scenarios as data: `scenarios/*.toml` tells something and says what must be known then. Each is run through the
//! library and through the command line; its sessions arrive in the order given and, unless `in_order` is set,
//! backwards as well, and once more at the end, which must change nothing.

use std::fs;
use std::path::PathBuf;

use serde::Deserialize;
use serde_json::{Value, json};

use crate::mind::{Ask, Mind, Note};
use crate::util::{Lab, root};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Scenario {
    /// What it is about.
    about: String,
    /// The sessions must arrive as given: the outcome depends on it.
    #[serde(default)]
    in_order: bool,
    tell: Vec<Told>,
    #[serde(default)]
    fact: Vec<ExpectedFact>,
    #[serde(default)]
    recall: Vec<ExpectedRecall>,
    #[serde(default)]
    entity: Vec<ExpectedEntity>,
    #[serde(default)]
    context: Vec<ExpectedContext>,
}

/// A turn. Turns of one session and namespace that follow one another arrive together.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Told {
    /// What expectations call it.
    id: String,
    #[serde(default = "default_namespace")]
    namespace: String,
    session: Option<String>,
    at: Option<String>,
    speaker: Option<String>,
    text: String,
    /// It is remembered by itself.
    #[serde(default)]
    remember: bool,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ExpectedFact {
    #[serde(default = "default_namespace")]
    namespace: String,
    subject: String,
    predicate: String,
    object: String,
    #[serde(default = "current")]
    status: String,
    #[serde(default = "affirmed")]
    polarity: String,
    /// What the times begin with.
    from: Option<String>,
    to: Option<String>,
    /// There must be no such fact, whatever its status.
    #[serde(default)]
    absent: bool,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ExpectedRecall {
    #[serde(default = "default_namespace")]
    namespace: String,
    question: String,
    as_of: Option<String>,
    /// The turns that must stand among the first `within`, one place a turn where it is not given.
    #[serde(default)]
    find: Vec<String>,
    within: Option<usize>,
    /// The turns that must not be found at all.
    #[serde(default)]
    lack: Vec<String>,
    /// What stands on the path that leads to the turns: entities and predicates.
    #[serde(default)]
    path: Vec<String>,
    /// Nothing must be found.
    #[serde(default)]
    nothing: bool,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ExpectedEntity {
    #[serde(default = "default_namespace")]
    namespace: String,
    name: String,
    kind: Option<String>,
    #[serde(default)]
    aliases: Vec<String>,
    /// It must not be known.
    #[serde(default)]
    absent: bool,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ExpectedContext {
    #[serde(default = "default_namespace")]
    namespace: String,
    question: String,
    as_of: Option<String>,
    #[serde(default = "tokens")]
    tokens: usize,
    #[serde(default)]
    contains: Vec<String>,
    #[serde(default)]
    lacks: Vec<String>,
    /// How often a piece of text stands in it.
    #[serde(default)]
    times: std::collections::BTreeMap<String, usize>,
}

fn default_namespace() -> String {
    "default".to_owned()
}

fn current() -> String {
    "current".to_owned()
}

fn affirmed() -> String {
    "affirmed".to_owned()
}

fn tokens() -> usize {
    2000
}

#[test]
fn the_library_does_what_every_scenario_says() {
    let failures = run_all(|lab| Box::new(lab.memory()));
    assert!(failures.is_empty(), "{} expectations failed:\n{}", failures.len(), failures.join("\n"));
}

#[test]
fn the_command_line_does_what_every_scenario_says() {
    let failures = run_all(|lab| Box::new(lab));
    assert!(failures.is_empty(), "{} expectations failed:\n{}", failures.len(), failures.join("\n"));
}

/// Runs every scenario in a store of its own behind the door that `open` chooses.
fn run_all(open: impl for<'l> Fn(&'l Lab) -> Box<dyn Mind + 'l>) -> Vec<String> {
    let mut failures = Vec::new();
    for (name, scenario) in scenarios() {
        let orders = if scenario.in_order { &[false][..] } else { &[false, true] };
        for &backwards in orders {
            let lab = Lab::new();
            let order = if backwards { ", told backwards" } else { "" };
            let label = format!("{name} ({}{order})", scenario.about);
            run(&scenario, &lab, &*open(&lab), backwards, &mut |failure| {
                failures.push(format!("{label}: {failure}"));
            });
        }
    }
    failures
}

fn scenarios() -> Vec<(String, Scenario)> {
    let list = fs::read_dir(root().join("tests/scenarios")).unwrap();
    let mut files: Vec<PathBuf> = list.map(|entry| entry.unwrap().path()).collect();
    files.sort();
    assert!(files.len() >= 15, "{} scenarios", files.len());
    let read = |path: PathBuf| {
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let scenario = toml::from_str(&fs::read_to_string(&path).unwrap());
        (name.clone(), scenario.unwrap_or_else(|error| panic!("{name}: {error}")))
    };
    files.into_iter().map(read).collect()
}

fn run(scenario: &Scenario, lab: &Lab, mind: &dyn Mind, backwards: bool, fail: &mut dyn FnMut(String)) {
    let mut batches = batches(&scenario.tell);
    if backwards {
        batches.reverse();
    }
    for batch in &batches {
        tell(batch, lab, mind);
    }
    expect(scenario, mind, fail);
    let again: u64 = batches.iter().map(|batch| tell(batch, lab, mind)).sum();
    if again > 0 {
        fail(format!("{again} episodes were new when they were told again"));
    }
    expect(scenario, mind, fail);
    mind.problems().into_iter().for_each(|problem| fail(format!("check: {problem}")));
}

fn batches(told: &[Told]) -> Vec<&[Told]> {
    let together = |one: &Told, other: &Told| {
        !one.remember && !other.remember && one.namespace == other.namespace && one.session == other.session
    };
    told.chunk_by(together).collect()
}

/// Tells a batch. Returns how many episodes of a file were new.
fn tell(batch: &[Told], lab: &Lab, mind: &dyn Mind) -> u64 {
    let first = &batch[0];
    if first.remember {
        mind.remember(&Note {
            namespace: &first.namespace,
            text: &first.text,
            speaker: first.speaker.as_deref(),
            at: first.at.as_deref(),
            session: first.session.as_deref(),
        });
        return 0;
    }
    let line = |told: &Told| {
        let turn = json!({
            "id": told.id, "session": told.session, "at": told.at, "speaker": told.speaker, "text": told.text,
        });
        format!("{turn}\n")
    };
    let file = lab.write("told.jsonl", batch.iter().map(line).collect::<String>());
    mind.ingest(&first.namespace, &file)
}

fn expect(scenario: &Scenario, mind: &dyn Mind, fail: &mut dyn FnMut(String)) {
    for expected in &scenario.fact {
        expect_fact(expected, &mind.facts(&expected.namespace), fail);
    }
    for expected in &scenario.recall {
        expect_recall(expected, scenario, mind, fail);
    }
    for expected in &scenario.entity {
        expect_entity(expected, &mind.entity(&expected.namespace, &expected.name), fail);
    }
    for expected in &scenario.context {
        let ask = Ask {
            namespace: &expected.namespace,
            text: &expected.question,
            limit: 10,
            as_of: expected.as_of.as_deref(),
        };
        expect_context(expected, &mind.context(&ask, expected.tokens), fail);
    }
}

fn expect_fact(expected: &ExpectedFact, known: &[Value], fail: &mut dyn FnMut(String)) {
    let begins = |time: &Value, wanted: &Option<String>| {
        wanted.as_ref().is_none_or(|wanted| time.as_str().is_some_and(|time| time.starts_with(wanted)))
    };
    let same = |fact: &&Value| {
        fact["subject"] == *expected.subject
            && fact["predicate"] == *expected.predicate
            && fact["object"] == *expected.object
            && fact["polarity"] == *expected.polarity
    };
    let as_told = |fact: &Value| {
        fact["status"] == *expected.status
            && begins(&fact["valid"]["from"], &expected.from)
            && begins(&fact["valid"]["to"], &expected.to)
    };
    let found: Vec<&Value> = known.iter().filter(same).collect();
    let met = if expected.absent { found.is_empty() } else { found.iter().any(|fact| as_told(fact)) };
    if !met {
        let ExpectedFact { subject, predicate, object, status, polarity, absent, .. } = expected;
        let wanted = if *absent { "absent" } else { status };
        let all = if found.is_empty() { known.iter().collect() } else { found };
        fail(format!(
            "the fact {subject} {predicate} {object} ({polarity}) is not {wanted}; there is {}",
            shown(&all)
        ));
    }
}

fn shown(facts: &[&Value]) -> String {
    let one = |fact: &&Value| {
        let text = |key: &str| fact[key].as_str().unwrap_or_default().to_owned();
        let not = if fact["polarity"] == "negated" { "not " } else { "" };
        let (from, to) = (&fact["valid"]["from"], &fact["valid"]["to"]);
        let claim = format!("{} {not}{} {}", text("subject"), text("predicate"), text("object"));
        format!("[{claim} {} {from}..{to}]", text("status"))
    };
    facts.iter().map(one).collect::<Vec<_>>().join(" ")
}

fn expect_recall(
    expected: &ExpectedRecall,
    scenario: &Scenario,
    mind: &dyn Mind,
    fail: &mut dyn FnMut(String),
) {
    let text_of = |id: &String| {
        let told = scenario.tell.iter().find(|told| told.id == *id);
        &told.unwrap_or_else(|| panic!("no turn is called {id}")).text
    };
    let ask = Ask {
        namespace: &expected.namespace,
        text: &expected.question,
        limit: 50,
        as_of: expected.as_of.as_deref(),
    };
    let hits = mind.recall(&ask);
    let texts: Vec<&str> = hits.iter().filter_map(|hit| hit["text"].as_str()).collect();
    let question = &expected.question;
    let place = |id: &String| texts.iter().position(|text| text == text_of(id));
    let within = expected.within.unwrap_or(expected.find.len());
    for id in &expected.find {
        if place(id).is_none_or(|place| place >= within) {
            fail(format!("\"{question}\" does not find {id} within {within}, but {texts:?}"));
        }
    }
    for id in expected.lack.iter().filter(|id| place(id).is_some()) {
        fail(format!("\"{question}\" finds {id}"));
    }
    if expected.nothing && !hits.is_empty() {
        fail(format!("\"{question}\" finds {texts:?}"));
    }
    let wanted: Vec<&String> = expected.find.iter().map(text_of).collect();
    let found = hits.iter().filter(|hit| wanted.iter().any(|text| hit["text"] == **text));
    let steps: Vec<&Value> = found.flat_map(|hit| hit["path"].as_array().unwrap()).collect();
    let on_path = |name: &&String| {
        steps.iter().any(|step| ["from", "over", "to"].iter().any(|end| step[end] == name.as_str()))
    };
    for name in expected.path.iter().filter(|name| !on_path(name)) {
        fail(format!("\"{question}\" shows no path over {name}, but {steps:?}"));
    }
}

fn expect_entity(expected: &ExpectedEntity, found: &[Value], fail: &mut dyn FnMut(String)) {
    let fits = |entity: &Value| {
        let alias = |alias: &String| entity["aliases"].as_array().unwrap().iter().any(|known| known == alias);
        expected.kind.as_ref().is_none_or(|kind| entity["kind"] == **kind)
            && expected.aliases.iter().all(alias)
    };
    let met = if expected.absent { found.is_empty() } else { found.iter().any(fits) };
    if !met {
        fail(format!("entity {} is not as expected: {found:?}", expected.name));
    }
}

fn expect_context(expected: &ExpectedContext, context: &str, fail: &mut dyn FnMut(String)) {
    for piece in expected.contains.iter().filter(|piece| !context.contains(&**piece)) {
        fail(format!("the context lacks \"{piece}\":\n{context}"));
    }
    for piece in expected.lacks.iter().filter(|piece| context.contains(&**piece)) {
        fail(format!("the context contains \"{piece}\":\n{context}"));
    }
    for (piece, times) in &expected.times {
        let counted = context.matches(&**piece).count();
        if counted != *times {
            fail(format!("the context contains \"{piece}\" {counted} times, not {times}:\n{context}"));
        }
    }
}
