//! What leaves a store by `lore export` comes into another by `lore import` without loss, and a file that
//! cannot be trusted changes nothing.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use lorebase::engine::change::Changes;
use lorebase::engine::model::entity::EntityKind;
use lorebase::engine::model::episode::{Episode, ExtractionStatus, Span};
use lorebase::engine::model::extraction::{
    Extraction, Flag, FlagReason, NamedSpan, Reading, Refusal, RefusalReason,
};
use lorebase::engine::model::fact::{FactKind, Named, Polarity, Triple, TripleObject};
use lorebase::engine::model::id::{EpisodeId, Namespace, SessionId};
use lorebase::engine::model::predicate::Predicate;
use lorebase::engine::model::time::{Interval, SourceTime, Timestamp};
use lorebase::memory::Memory;
use lorebase::transfer::Thing;
use proptest::prelude::*;
use proptest::sample::{Index, select};
use serde_json::Value;

use crate::util::{Lab, assert_sound, cases, namespace};

/// Texts with everything in them that a line or a terminal could stumble over.
const TEXT: &str = "(\\PC{0,20}|.{0,8}|[\\x00-\\x1f\\x7f-\\x9f\"\\\\]{0,6}|[\\u{202a}-\\u{202e}\\u{2066}-\\u{2069}\\u{2028}\\u{2029}\\u{feff}]{0,3}|🙂|👩‍👩‍👧|\\{\"end\":\\{\\}\\}\n)";

/// Names that are few, so that they meet, and some that differ in case only.
const NAMES: [&str; 9] = ["Ana", "ANA", "ana", "Ana Silva", "Zoë", "", "a\0b", "\u{202e}Bo\u{1b}[2J", "東京"];
const NAMESPACES: [&str; 4] = ["default", "a", "a/b", "ü\u{202e}/x y"];
const PREDICATES: [&str; 3] = ["lives_in", "likes", "знает"];
const EXTRACTORS: [&str; 3] = ["rules-1", "model-2", ""];
const KINDS: [EntityKind; 3] = [EntityKind::Unknown, EntityKind::Person, EntityKind::Animal];
const STATUSES: [ExtractionStatus; 4] =
    [ExtractionStatus::Done, ExtractionStatus::Done, ExtractionStatus::Failed, ExtractionStatus::Pending];
/// Some that no decimal of few digits is, the ends of the range, and both zeros.
const CONFIDENCES: [f32; 7] = [0.0, -0.0, 1.0, 0.1, 0.333_333_34, f32::MIN_POSITIVE, 1e-45];
/// The ends of what can be written, and ordinary ones.
const MILLIS: [i64; 6] =
    [0, -1, 1_700_000_000_123, -377_704_900_000_001, 253_402_128_000_001, 951_868_799_999];
const POSITIONS: [u32; 5] = [0, 1, 2, 70_000, u32::MAX];

fn time() -> impl Strategy<Value = Timestamp> {
    select(&MILLIS[..]).prop_map(|millis| Timestamp::from_millis(millis).unwrap())
}

fn name() -> impl Strategy<Value = String> {
    prop_oneof![4 => select(&NAMES[..]).prop_map(str::to_owned), 1 => "\\PC{0,6}"]
}

fn span() -> impl Strategy<Value = Span> {
    (0..5_u32, 0..5_u32).prop_map(|(start, length)| Span { start, end: start + length })
}

fn named() -> impl Strategy<Value = Named> {
    (name(), select(&KINDS[..])).prop_map(|(name, kind)| Named { name, kind })
}

fn claim() -> impl Strategy<Value = Triple> {
    let named = || named().prop_filter("a claim is about something", |named| !named.name.trim().is_empty());
    let object = prop_oneof![named().prop_map(TripleObject::Entity), TEXT.prop_map(TripleObject::Value)];
    let said = (
        select(&FactKind::ALL[..]).prop_map(|(kind, _)| kind),
        any::<bool>(),
        select(&CONFIDENCES[..]),
        span(),
    );
    let valid = (prop::option::of(time()), prop::option::of(time()));
    let source = name().prop_filter("somebody says it", |name| !name.trim().is_empty());
    let manner = (any::<bool>(), prop::option::weighted(0.2, source), 1..=10_u8);
    (named(), select(&PREDICATES[..]), object, (said, manner), valid).prop_map(
        |(subject, predicate, object, ((kind, affirmed, confidence, span), manner), (from, to))| Triple {
            hedged: manner.0,
            attributed_to: manner.1,
            importance: manner.2,
            polarity: if affirmed { Polarity::Affirmed } else { Polarity::Negated },
            kind,
            confidence,
            valid: if from > to && to.is_some() {
                Interval { from: to, to: from }
            } else {
                Interval { from, to }
            },
            span,
            ..Triple::new(subject, Predicate::new(predicate), object)
        },
    )
}

/// A reading of an episode that is named later.
fn reading() -> impl Strategy<Value = Reading> {
    let mention = (span(), named()).prop_map(|(span, Named { name, kind })| NamedSpan { span, name, kind });
    let refusal =
        (span(), select(&RefusalReason::ALL[..])).prop_map(|(span, (reason, _))| Refusal { span, reason });
    let flag = (span(), select(&FlagReason::ALL[..])).prop_map(|(span, (reason, _))| Flag { span, reason });
    let marks = (prop::collection::vec(refusal, 0..2), prop::collection::vec(flag, 0..2));
    let found = (prop::collection::vec(mention, 0..3), prop::collection::vec(claim(), 0..3), marks);
    (select(&EXTRACTORS[..]), select(&STATUSES[..]), found).prop_map(
        |(extractor, status, (mentions, triples, (refused, flags)))| Reading {
            episode: EpisodeId::from_bytes([0; 16]),
            extractor: extractor.to_owned(),
            status,
            found: if status == ExtractionStatus::Done {
                Extraction { mentions, triples, refused, flags }
            } else {
                Extraction::default()
            },
        },
    )
}

fn episode(namespace: &Namespace, told: EpisodeTold) -> Episode {
    let ((session, position), speaker, (at, offset), recorded_at, source_id, text) = told;
    let session = SessionId::new(&session);
    let occurred_at = at.map(|instant| SourceTime { instant, offset_minutes: offset });
    let said = (speaker.as_deref(), occurred_at);
    Episode { source_id, ..Episode::new(namespace, session, position, said, &text, recorded_at) }
}

type EpisodeTold =
    ((String, u32), Option<String>, (Option<Timestamp>, Option<i16>), Timestamp, Option<String>, String);

fn episode_told() -> impl Strategy<Value = EpisodeTold> {
    let offset = prop::option::of(select(&[0, 120, -210, 1559, -1559_i16][..]));
    (
        (name(), select(&POSITIONS[..])),
        prop::option::of(name()),
        (prop::option::of(time()), offset),
        time(),
        prop::option::of(name()),
        TEXT,
    )
}

/// One thing that happens to a store.
#[derive(Debug, Clone)]
enum Step {
    /// Episodes are told, some with a reading, in one commit.
    Tell(&'static str, Vec<(EpisodeTold, Option<Reading>)>),
    /// One that was told before is read again.
    Read(Index, Reading),
    /// One that was told before is forgotten.
    Forget(Index),
    /// What was forgotten goes off the disk.
    Compact,
    /// The store is closed and opened again.
    Reopen,
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let told = prop::collection::vec((episode_told(), prop::option::of(reading())), 1..4);
    let step = prop_oneof![
        3 => (select(&NAMESPACES[..]), told).prop_map(|(namespace, told)| Step::Tell(namespace, told)),
        2 => (any::<Index>(), reading()).prop_map(|(which, reading)| Step::Read(which, reading)),
        1 => any::<Index>().prop_map(Step::Forget),
        1 => prop_oneof![Just(Step::Compact), Just(Step::Reopen)],
    ];
    prop::collection::vec(step, 0..8)
}

/// What a namespace must hold.
#[derive(Debug, Default, PartialEq)]
struct Holds {
    /// In order, each with its last reading.
    episodes: Vec<(Episode, Option<Reading>)>,
    tombstones: BTreeSet<EpisodeId>,
}

type Held = BTreeMap<Namespace, Holds>;

fn carry_out(lab: &Lab, steps: Vec<Step>) -> Held {
    let (mut held, mut open) = (Held::new(), None);
    for step in steps {
        let memory = open.get_or_insert_with(|| lab.memory());
        match step {
            Step::Tell(name, told) => tell(memory, &mut held, &namespace(name), told),
            Step::Read(which, reading) => read(memory, &mut held, which, reading),
            Step::Forget(which) => forget(memory, &mut held, which),
            Step::Compact => _ = memory.engine().compact().unwrap(),
            Step::Reopen => drop(open.take()),
        }
    }
    held
}

fn tell(memory: &Memory, held: &mut Held, namespace: &Namespace, told: Vec<(EpisodeTold, Option<Reading>)>) {
    let Holds { episodes: list, tombstones } = held.entry(namespace.clone()).or_default();
    let mut changes = Changes::default();
    for (told, reading) in told {
        let episode = episode(namespace, told);
        let known = |(known, _): &(Episode, _)| known.id == episode.id;
        if list.iter().any(known) || changes.episodes.contains(&episode) {
            continue;
        }
        let reading = reading.map(|reading| reading_of(&episode, reading));
        changes.episodes.push(episode.clone());
        changes.readings.extend(reading.clone());
        if !tombstones.contains(&episode.id) {
            list.push((episode, reading));
        }
    }
    memory.commit(namespace, changes).unwrap();
}

/// The reading as one of an episode, with spans that lie in its text.
fn reading_of(episode: &Episode, mut reading: Reading) -> Reading {
    let characters = episode.text.chars().count() as u32;
    reading.episode = episode.id;
    let found = &mut reading.found;
    let spans = found.mentions.iter_mut().map(|mention| &mut mention.span);
    let spans = spans.chain(found.triples.iter_mut().map(|triple| &mut triple.span));
    let spans = spans.chain(found.refused.iter_mut().map(|refusal| &mut refusal.span));
    for span in spans.chain(found.flags.iter_mut().map(|flag| &mut flag.span)) {
        *span = Span { start: span.start.min(characters), end: span.end.min(characters) };
    }
    reading
}

/// Reads an episode again. What was read with success is given up for the success of another extractor alone.
fn read(memory: &Memory, held: &mut Held, which: Index, reading: Reading) {
    let Some((namespace, at)) = any_of(held, which) else { return };
    let (episode, last) = &mut held.get_mut(&namespace).unwrap().episodes[at];
    let reading = reading_of(episode, reading);
    let taken = last.as_ref().is_none_or(|last| {
        last.status != ExtractionStatus::Done
            || (reading.status == ExtractionStatus::Done && last.extractor != reading.extractor)
    });
    if taken {
        *last = Some(reading.clone());
    }
    memory.commit(&namespace, Changes { readings: vec![reading], ..Changes::default() }).unwrap();
}

fn forget(memory: &Memory, held: &mut Held, which: Index) {
    let Some((namespace, at)) = any_of(held, which) else { return };
    let holds = held.get_mut(&namespace).unwrap();
    let id = holds.episodes.remove(at).0.id;
    holds.tombstones.insert(id);
    memory.commit(&namespace, Changes { forgets: vec![id], ..Changes::default() }).unwrap();
}

/// One of the episodes that are held: its namespace and its place there.
fn any_of(held: &Held, which: Index) -> Option<(Namespace, usize)> {
    let all = held.iter().flat_map(|(name, holds)| (0..holds.episodes.len()).map(move |at| (name, at)));
    let all: Vec<_> = all.collect();
    (!all.is_empty()).then(|| which.get(&all)).map(|(name, at)| ((*name).clone(), *at))
}

/// What a memory hands on of what it was told.
fn exported(memory: &Memory) -> Held {
    let mut held = Held::new();
    for namespace in memory.engine().namespaces().unwrap() {
        let holds = held.entry(namespace.clone()).or_default();
        memory
            .export(&namespace, |thing| {
                match thing {
                    Thing::Episode { episode, reading } => holds.episodes.push((episode, reading)),
                    Thing::Tombstone(id) => _ = holds.tombstones.insert(id),
                    Thing::Ruling(_) | Thing::Entity(_) | Thing::Fact(_) => {}
                }
                Ok::<_, lorebase::error::Error>(())
            })
            .unwrap();
    }
    held
}

/// Exports a store that holds what `steps` say, and imports it into an empty one.
fn round_trip(steps: Vec<Step>) -> Result<(), TestCaseError> {
    let (lab, other) = (Lab::new(), Lab::new());
    let held = carry_out(&lab, steps);
    let memory = lab.memory();
    prop_assert_eq!(&exported(&memory), &held);
    drop(memory);
    let first = lab.lore(&["export"]).done().out;
    let file = lab.write("all.jsonl", &first);
    let told = other.json(&["import", file.to_str().unwrap()]);
    prop_assert_eq!(&told["files"][0]["differences"], 0, "{}", told);
    prop_assert_eq!(&other.lore(&["export"]).done().out, &first);
    let again = other.json(&["import", file.to_str().unwrap()]);
    let new =
        ["new_episodes", "new_readings", "new_tombstones"].map(|field| again["files"][0][field].clone());
    prop_assert_eq!(new, [0, 0, 0].map(Value::from));
    let memory = other.memory();
    prop_assert_eq!(&exported(&memory), &held);
    assert_sound(&memory);
    Ok(())
}

proptest! {
    #![proptest_config(cases(24))]

    #[test]
    fn export_and_import_lose_nothing(steps in steps()) {
        round_trip(steps)?;
    }
}

/// A file of format 1, as the first version wrote it, with every kind of line in it.
const FORMAT_1: &str = include_str!("fixtures/export-1.jsonl");
/// The same of format 2, with all that a reading can say.
const FORMAT_2: &str = include_str!("fixtures/export-2.jsonl");

/// The same of format 3, with rulings of every kind.
const FORMAT_3: &str = include_str!("fixtures/export-3.jsonl");

/// The lines of what was told: what was made of it may change with the rules that make it.
fn told_lines(export: &str) -> Vec<&str> {
    export.lines().filter(|line| !line.starts_with("{\"entity") && !line.starts_with("{\"fact")).collect()
}

#[test]
fn files_of_format_1_are_read_for_ever() {
    let lab = Lab::new();
    let file = lab.write("old.jsonl", FORMAT_1);
    let reply = lab.lore(&["import", file.to_str().unwrap()]);
    assert!(reply.code < 2, "{}", reply.err);
    let out = lab.lore(&["export"]).done().out;
    let (new, old) = (told_lines(&out), told_lines(FORMAT_1));
    assert_eq!(new[1..new.len() - 1], old[1..old.len() - 1]);
    let facts: Vec<Value> = out
        .lines()
        .filter(|line| line.starts_with("{\"fact"))
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let porto = facts.iter().find(|fact| fact["fact"]["object"]["entity"]["name"] == "Porto").unwrap();
    assert_eq!(porto["fact"]["status"], "superseded");
    assert_eq!(lab.json(&["check"])["ok"], true);
}

#[test]
fn files_of_format_2_are_read_for_ever() {
    let lab = Lab::new();
    let file = lab.write("old.jsonl", FORMAT_2);
    let reply = lab.lore(&["import", file.to_str().unwrap()]);
    assert!(reply.code < 2, "{}", reply.err);
    let out = lab.lore(&["export"]).done().out;
    let (new, old) = (told_lines(&out), told_lines(FORMAT_2));
    assert_eq!(new[1..new.len() - 1], old[1..old.len() - 1]);
    for said in
        ["\"hedged\":true", "\"attributed_to\":\"Signe\"", "\"importance\":8", "\"kind\":\"decision\""]
    {
        assert_eq!(out.matches(said).count(), FORMAT_2.matches(said).count(), "{said}");
    }
    assert_eq!(lab.json(&["check"])["ok"], true);
}

#[test]
fn files_of_format_3_are_read_for_ever() {
    let lab = Lab::new();
    let file = lab.write("old.jsonl", FORMAT_3);
    let reply = lab.lore(&["import", file.to_str().unwrap()]);
    assert!(reply.code < 2, "{}", reply.err);
    let out = lab.lore(&["export"]).done().out;
    let (new, old) = (told_lines(&out), told_lines(FORMAT_3));
    assert_eq!(new[1..new.len() - 1], old[1..old.len() - 1]);
    for said in ["\"corrects\":true", "\"granularity\":\"month\"", "\"expires\":", "\"matter\":\"pin\""] {
        assert_eq!((out.matches(said).count(), FORMAT_3.matches(said).count()), (1, 1), "{said}");
    }
    // In another namespace the claims of rulings have other ids, and are those of the same facts.
    let args = ["import", file.to_str().unwrap(), "--namespace", "corrections", "--into", "others"];
    lab.lore(&args).done();
    let facts = lab.json(&["facts", "--namespace", "others"]);
    assert_eq!(facts["facts"][0]["notes"][0]["note"], "by the sea");
    assert_eq!(
        (&facts["facts"][0]["pinned"], &facts["facts"][0]["subject"]),
        (&true.into(), &"Bram Holt".into())
    );
    assert_eq!(lab.json(&["check"])["ok"], true);
}

/// Imports a bad file into a store that holds something: refused at `place`, and nothing changed.
#[track_caller]
fn refuse(text: &str, place: &str, says: &str) {
    let lab = Lab::new();
    lab.lore(&["remember", "The kettle is on.", "--at", "2024-01-01"]).done();
    let before = lab.lore(&["export"]).done().out;
    let good = lab.write("good.jsonl", FORMAT_1);
    let file = lab.write("bad.jsonl", text);
    let error = lab.lore(&["import", good.to_str().unwrap(), file.to_str().unwrap()]).failed(2);
    let expected = format!("lore: {}{}:", file.display(), place.trim_end_matches(':'));
    assert!(error.starts_with(&expected) && error.contains(says), "{error} is not {expected} … {says}");
    assert_eq!(lab.lore(&["export"]).done().out, before);
}

#[test]
fn a_bad_file_is_named_with_its_line_and_changes_nothing() {
    let line = |number: usize, from: &str, to: &str| {
        let mut lines: Vec<String> = FORMAT_1.lines().map(str::to_owned).collect();
        assert!(lines[number - 1].contains(from), "{}", lines[number - 1]);
        lines[number - 1] = lines[number - 1].replacen(from, to, 1);
        lines.join("\n")
    };
    let without = |number: usize| {
        let lines: Vec<&str> = FORMAT_1.lines().collect();
        [&lines[..number - 1], &lines[number..]].concat().join("\n")
    };
    let last = FORMAT_1.lines().count();
    refuse("", "", "it is empty");
    refuse("Ana: hello", ":1", "no export");
    refuse("{\"text\": \"a transcript\"}", ":1", "lore ingest");
    refuse(&line(1, "\"format\":1", "\"format\":4"), ":1", "use a newer lorebase");
    refuse(&without(1), ":1", "names the format");
    refuse(&without(last), "", "breaks off");
    refuse(&without(3), &format!(":{}", last - 1), "it counts episodes: 5, and 4 came before");
    refuse(&format!("{FORMAT_1}{FORMAT_1}{{"), &format!(":{}:1", 2 * last + 1), "line `end`");
    for (from, to, says) in [
        ("\"status\":\"done\"", "\"status\":\"pending\"", "is not done, and holds"),
        ("\"subject\":{\"name\":\"Ana\"", "\"subject\":{\"name\":\" \"", "a subject without a name"),
        ("\"predicate\":\"lives_in\"", "\"predicate\":\"\"", "has no predicate"),
        ("00Z\",\"to\":null", "00Z\",\"to\":\"1900-01-01\"", "ends before it begins"),
        ("\"offset\":120", "\"offset\":32767", "32767 minutes east of UTC"),
        ("\"position\":0", "\"position\":-1", "expected a whole number from 0 to"),
    ] {
        refuse(&line(2, from, to), ":2", says);
    }
    refuse(&line(2, "Porto", "Porta"), ":2", "must have the id of its content");
    refuse(&line(2, "\"text\"", "\"texts\""), ":2:", "unknown field");
    refuse(&line(2, "\"person\"", "\"robot\""), ":2", "is no kind of entity");
    refuse(&line(2, "0.95", "1.5"), ":2", "out of range");
    refuse(&line(2, "\"offset\":120", "\"offset\":99999"), ":2:", "99999");
    refuse(&line(3, "\\u0000", "\\ud800"), ":3:", "half of a surrogate pair");
    refuse(&line(4, "-009999-01-03", "-009999-13-03"), ":4", "is not a time");
    refuse(&line(5, "[10,17]", "[17,10]"), ":5", "ends before it begins");
    refuse(&line(6, "001122", "0011"), ":6", "is not an id");
    refuse(&line(6, "acme/user-42", "acme//user-42"), ":6", "labels");
    refuse(
        &line(2, "\"namespace\":\"acme", &format!("\"namespace\":{}\"acme", "[".repeat(1000))),
        ":2:",
        "mend that line",
    );
}

#[test]
fn what_was_read_beside_lf_is_read_too() {
    let lab = Lab::new();
    let text = format!("\u{feff}{}", FORMAT_1.replace('\n', "\r\n\r\n"));
    let file = lab.write("crlf.jsonl", text);
    assert_eq!(lab.json(&["import", file.to_str().unwrap()])["files"][0]["new_episodes"], 5);
}

#[test]
fn one_namespace_comes_alone_and_under_another_name() {
    let lab = Lab::new();
    let file = lab.write("old.jsonl", FORMAT_1);
    let file = file.to_str().unwrap();
    let error = lab.lore(&["import", file, "--into", "b"]).failed(2);
    assert!(error.contains("name one of them with --namespace"), "{error}");
    let reply = lab.lore(&["import", file, "--namespace", "nobody"]);
    assert_eq!((reply.code, &*reply.err), (1, "lore: nothing found in namespace nobody\n"));
    assert!(!lab.store().exists());
    let told = lab.json(&["import", file, "--namespace", "default"]);
    assert_eq!(told["files"][0]["new_episodes"], 1);
    let told = lab.json(&["import", file, "--namespace", "acme/user-42", "--into", "b"]);
    assert_eq!((&told["files"][0]["new_episodes"], &told["files"][0]["compared"]), (&4.into(), &0.into()));
    let out = lab.lore(&["export", "--namespace", "b"]).done().out;
    assert!(
        out.contains("\"namespace\":\"b\"") && !out.contains("acme") && !out.contains("tombstone\""),
        "{out}"
    );
    assert_eq!(
        lab.json(&["facts", "--namespace", "b", "--about", "Ana"])["facts"].as_array().unwrap().len(),
        4
    );
    assert_eq!(lab.json(&["check"])["ok"], true);
    let reply = lab.lore(&["export", "--namespace", "nobody"]);
    assert_eq!((reply.code, reply.out.lines().count()), (1, 2));
}

#[test]
fn an_import_adds_and_takes_nothing_away() {
    let lab = Lab::new();
    let file = lab.write("old.jsonl", FORMAT_1);
    let file = file.to_str().unwrap();
    lab.json(&["import", file]);
    let (home, boat) = (namespace("acme/user-42"), namespace("default"));
    let memory = lab.memory();
    let ids: Vec<EpisodeId> =
        exported(&memory)[&home].episodes.iter().map(|(episode, _)| episode.id).collect();
    let forgets = vec![ids[0]];
    memory.commit(&home, Changes { forgets, ..Changes::default() }).unwrap();
    memory.engine().compact().unwrap();
    // It was read with success here, and is told to be unread there.
    let (boats, _) = exported(&memory)[&boat].episodes[0].clone();
    let found = Extraction::default();
    let reading =
        Reading { episode: boats.id, extractor: "own".to_owned(), status: ExtractionStatus::Done, found };
    memory.commit(&boat, Changes { readings: vec![reading], ..Changes::default() }).unwrap();
    drop(memory);
    let before = lab.lore(&["export"]).done().out;
    let tombstone =
        format!("{{\"tombstone\":{{\"namespace\":\"acme/user-42\",\"episode\":\"{}\"}}}}\n", ids[1]);
    let end = FORMAT_1.rfind("{\"end").unwrap();
    let text = FORMAT_1[..end].to_owned()
        + &tombstone
        + &FORMAT_1[end..].replace("\"tombstones\":1", "\"tombstones\":2");
    let file = lab.write("more.jsonl", text);
    let told = &lab.json(&["import", file.to_str().unwrap()])["files"][0];
    let count = |field: &str| told[field].as_u64().unwrap();
    assert_eq!(["new_episodes", "new_readings", "new_tombstones"].map(count), [0; 3]);
    assert_eq!(["stay_forgotten", "kept", "compared"].map(count), [1, 1, 0]);
    assert_eq!(lab.lore(&["export"]).done().out, before);
}

#[test]
fn a_difference_in_what_was_made_is_told() {
    let lab = Lab::new();
    let file =
        lab.write("old.jsonl", FORMAT_1.replacen("\"status\":\"superseded\"", "\"status\":\"current\"", 1));
    let reply = lab.lore(&["import", file.to_str().unwrap(), "--json"]);
    let told = &reply.json()["files"][0];
    assert_eq!((reply.code, &told["differences"], &told["new_episodes"]), (1, &1.into(), &5.into()));
    assert!(told["example"].as_str().unwrap().contains("acme/user-42"), "{told}");
    let lab = Lab::new();
    let fact = FORMAT_1.lines().position(|line| line.starts_with("{\"fact")).unwrap();
    let text: Vec<&str> =
        FORMAT_1.lines().enumerate().filter(|(at, _)| *at != fact).map(|(_, line)| line).collect();
    let file = lab.write("less.jsonl", text.join("\n").replace("\"facts\":4", "\"facts\":3"));
    let reply = lab.lore(&["import", file.to_str().unwrap()]);
    assert_eq!((reply.code, reply.out.contains("1 of 7 entities and facts")), (1, true), "{}", reply.out);
}

#[test]
fn an_export_into_a_file_is_whole_or_not_there() {
    let lab = Lab::new();
    let old = lab.write("old.jsonl", FORMAT_1);
    lab.json(&["import", old.to_str().unwrap()]);
    let file = lab.path("new.jsonl");
    fs::write(&file, "something else").unwrap();
    let told = lab.json(&["export", "--output", file.to_str().unwrap()]);
    assert_eq!((&told["episodes"], &told["namespaces"]), (&5.into(), &2.into()));
    assert_eq!(fs::read_to_string(&file).unwrap(), lab.lore(&["export"]).done().out);
    let error = lab.lore(&["export", "--output", lab.path("no/such.jsonl").to_str().unwrap()]).failed(2);
    assert!(error.contains("no/such.jsonl"), "{error}");
    let left: Vec<_> = fs::read_dir(lab.path("")).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert!(left.iter().all(|name| !name.to_string_lossy().starts_with(".lore")), "{left:?}");
}

#[test]
fn an_empty_store_exports_an_empty_file_that_can_be_imported() {
    let lab = Lab::new();
    lab.memory();
    let out = lab.lore(&["export"]).done().out;
    assert_eq!(out.lines().count(), 2);
    let file = lab.write("empty.jsonl", out);
    lab.lore(&["import", file.to_str().unwrap()]).done();
}
