//! What leaves a store by `lore export` comes into another by `lore import` without loss, and a file that cannot be
//! trusted changes nothing.

use std::collections::BTreeMap;
use std::fs;

use lorebase::engine::change::Changes;
use lorebase::engine::model::entity::EntityKind;
use lorebase::engine::model::episode::{Episode, ExtractionStatus, Span};
use lorebase::engine::model::extraction::{Extraction, NamedSpan, Reading};
use lorebase::engine::model::fact::{FactKind, Named, Polarity, Triple, TripleObject};
use lorebase::engine::model::id::{EpisodeId, Namespace, SessionId};
use lorebase::engine::model::predicate::Predicate;
use lorebase::engine::model::time::{Interval, SourceTime, Timestamp};
use lorebase::memory::Memory;
use lorebase::transfer::Thing;
use proptest::prelude::*;
use proptest::sample::{Index, select};
use serde_json::Value;

use crate::util::{Lab, assert_sound, cases, lore, namespace};

/// Texts with everything in them that a line or a terminal could stumble over.
const TEXT: &str = "(\\PC{0,20}|.{0,8}|[\\x00-\\x1f\\x7f-\\x9f\"\\\\]{0,6}|[\\u{202a}-\\u{202e}\\u{2066}-\\u{2069}\\u{2028}\\u{2029}\\u{feff}]{0,3}|🙂|👩‍👩‍👧|\\{\"end\":\\{\\}\\}\n)";

/// Names that are few, so that they meet, and some that differ in case only.
const NAMES: [&str; 9] = ["Ana", "ANA", "ana", "Ana Silva", "Zoë", "", "a\0b", "\u{202e}Bo\u{1b}[2J", "東京"];
const NAMESPACES: [&str; 4] = ["default", "a", "a/b", "ü\u{202e}/x y"];
const PREDICATES: [&str; 4] = ["lives_in", "likes", "", "знает"];
const EXTRACTORS: [&str; 3] = ["rules-1", "model-2", ""];
const KINDS: [EntityKind; 3] = [EntityKind::Unknown, EntityKind::Person, EntityKind::Animal];
const FACT_KINDS: [FactKind; 4] = [FactKind::Fact, FactKind::Preference, FactKind::Event, FactKind::Plan];
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
    let object = prop_oneof![named().prop_map(TripleObject::Entity), TEXT.prop_map(TripleObject::Value)];
    let said = (select(&FACT_KINDS[..]), any::<bool>(), select(&CONFIDENCES[..]), span());
    let valid = (prop::option::of(time()), prop::option::of(time()));
    (named(), select(&PREDICATES[..]), object, said, valid).prop_map(
        |(subject, predicate, object, (kind, affirmed, confidence, span), (from, to))| Triple {
            subject,
            predicate: Predicate::new(predicate),
            object,
            polarity: if affirmed { Polarity::Affirmed } else { Polarity::Negated },
            kind,
            confidence,
            valid: Interval { from, to },
            span,
        },
    )
}

/// A reading of an episode that is named later.
fn reading() -> impl Strategy<Value = Reading> {
    let mention = (span(), named()).prop_map(|(span, Named { name, kind })| NamedSpan { span, name, kind });
    let found = (prop::collection::vec(mention, 0..3), prop::collection::vec(claim(), 0..3));
    (select(&EXTRACTORS[..]), select(&STATUSES[..]), found).prop_map(
        |(extractor, status, (mentions, triples))| Reading {
            episode: EpisodeId::from_bytes([0; 16]),
            extractor: extractor.to_owned(),
            status,
            found: if status == ExtractionStatus::Done {
                Extraction { mentions, triples }
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
    let id = Episode::id_of(namespace, &session, position, (speaker.as_deref(), occurred_at), &text);
    Episode { id, session, position, speaker, text, occurred_at, recorded_at, source_id }
}

type EpisodeTold =
    ((String, u32), Option<String>, (Option<Timestamp>, Option<i16>), Timestamp, Option<String>, String);

fn episode_told() -> impl Strategy<Value = EpisodeTold> {
    let offset = prop::option::of(select(&[0, 120, -210, 32_767_i16][..]));
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
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let told = prop::collection::vec((episode_told(), prop::option::of(reading())), 1..4);
    let step = prop_oneof![
        3 => (select(&NAMESPACES[..]), told).prop_map(|(namespace, told)| Step::Tell(namespace, told)),
        2 => (any::<Index>(), reading()).prop_map(|(which, reading)| Step::Read(which, reading)),
    ];
    prop::collection::vec(step, 0..8)
}

/// What a namespace must hold: its episodes in order, each with its last reading.
type Held = BTreeMap<Namespace, Vec<(Episode, Option<Reading>)>>;

fn carry_out(memory: &Memory, steps: Vec<Step>) -> Held {
    let mut held = Held::new();
    for step in steps {
        match step {
            Step::Tell(name, told) => tell(memory, &mut held, &namespace(name), told),
            Step::Read(which, reading) => read(memory, &mut held, &which, reading),
        }
    }
    held
}

fn tell(memory: &Memory, held: &mut Held, namespace: &Namespace, told: Vec<(EpisodeTold, Option<Reading>)>) {
    let list = held.entry(namespace.clone()).or_default();
    let mut changes = Changes::default();
    for (told, reading) in told {
        let episode = episode(namespace, told);
        if list.iter().any(|(known, _)| known.id == episode.id) {
            continue;
        }
        let reading = reading.map(|reading| reading_of(&episode, reading));
        changes.episodes.push(episode.clone());
        changes.readings.extend(reading.clone());
        list.push((episode, reading));
    }
    memory.commit(namespace, changes).unwrap();
}

/// The reading as one of an episode, with spans that lie in its text.
fn reading_of(episode: &Episode, mut reading: Reading) -> Reading {
    let characters = episode.text.chars().count() as u32;
    reading.episode = episode.id;
    let found = &mut reading.found;
    let spans = found.mentions.iter_mut().map(|mention| &mut mention.span);
    for span in spans.chain(found.triples.iter_mut().map(|triple| &mut triple.span)) {
        *span = Span { start: span.start.min(characters), end: span.end.min(characters) };
    }
    reading
}

/// Reads an episode again. What was read with success is given up for the success of another extractor alone.
fn read(memory: &Memory, held: &mut Held, which: &Index, reading: Reading) {
    let count: usize = held.values().map(Vec::len).sum();
    if count == 0 {
        return;
    }
    let mut all =
        held.iter_mut().flat_map(|(namespace, list)| list.iter_mut().map(move |one| (namespace, one)));
    let (namespace, (episode, last)) = all.nth(which.index(count)).unwrap();
    let reading = reading_of(episode, reading);
    let taken = last.as_ref().is_none_or(|last| {
        last.status != ExtractionStatus::Done
            || (reading.status == ExtractionStatus::Done && last.extractor != reading.extractor)
    });
    if taken {
        *last = Some(reading.clone());
    }
    memory.commit(namespace, Changes { readings: vec![reading], ..Changes::default() }).unwrap();
}

/// The episodes that a memory hands on.
fn exported(memory: &Memory) -> Held {
    let mut held = Held::new();
    for namespace in memory.engine().namespaces().unwrap() {
        let list = held.entry(namespace.clone()).or_default();
        memory
            .export(&namespace, |thing| {
                if let Thing::Episode { episode, reading } = thing {
                    list.push((episode, reading));
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
    let memory = lab.memory();
    let held = carry_out(&memory, steps);
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
