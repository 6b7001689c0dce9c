//! What the engine promises, over a store in a scratch directory.

use std::fs;

use super::*;
use crate::change::Changes;
use crate::embed::HashEmbedder;
use crate::model::entity::EntityKind;
use crate::model::episode::{ExtractionStatus, Span};
use crate::model::extraction::{Extraction, NamedSpan, Reading};
use crate::model::fact::{FactKind, FactStatus, Named, Polarity, Triple, TripleObject};
use crate::model::predicate::Predicate;
use crate::model::time::{Interval, SourceTime, Timestamp};

pub(super) fn open(directory: &Path) -> (Engine, Vec<Notice>) {
    Engine::open(directory, Missing::Create, Arc::new(HashEmbedder::default())).unwrap()
}

/// A turn in which `speaker` says that she lives in `home`, told with its reading.
pub(super) fn lives_in(namespace: &Namespace, position: u32, day: u32, home: &str) -> Changes {
    let session = SessionId::new("s1");
    let text = format!("I live in {home} now.");
    let at: SourceTime = format!("2023-05-{day:02}T10:00:00Z").parse().unwrap();
    let id = Episode::id_of(namespace, &session, position, (Some("Ana"), Some(at)), &text);
    let span = Span { start: 0, end: text.chars().count() as u32 };
    let ana = Named { name: "Ana".to_owned(), kind: EntityKind::Person };
    let place = Named { name: home.to_owned(), kind: EntityKind::Place };
    let mention = |named: &Named| NamedSpan { span, name: named.name.clone(), kind: named.kind };
    let mentions = vec![mention(&ana), mention(&place)];
    let triple = Triple {
        subject: ana,
        predicate: Predicate::new("lives_in"),
        object: TripleObject::Entity(place),
        polarity: Polarity::Affirmed,
        kind: FactKind::Fact,
        confidence: 0.9,
        valid: Interval::ALWAYS,
        span,
    };
    let found = Extraction { mentions, triples: vec![triple] };
    let reading =
        Reading { episode: id, extractor: "test-1".to_owned(), status: ExtractionStatus::Done, found };
    let episode = Episode {
        id,
        session,
        position,
        speaker: Some("Ana".to_owned()),
        text,
        occurred_at: Some(at),
        recorded_at: Timestamp::from_millis(1_700_000_000_000).unwrap(),
        source_id: Some(format!("T{position}")),
    };
    Changes { episodes: vec![episode], readings: vec![reading], ..Changes::default() }
}

fn statuses(engine: &Engine, namespace: &Namespace) -> Vec<(String, FactStatus)> {
    let reader = engine.reader(namespace).unwrap();
    let state = reader.state();
    let object = |fact: &crate::state::FactNode| state.entity(fact.object.unwrap()).name().to_owned();
    let mut found: Vec<_> = state.facts().iter().map(|fact| (object(fact), fact.status)).collect();
    found.sort_by(|a, b| a.0.cmp(&b.0));
    found
}

#[test]
fn a_commit_is_visible_once_and_after_reopening() {
    let directory = tempfile::tempdir().unwrap();
    let namespace = Namespace::default();
    let (engine, _) = open(directory.path());
    let changes = lives_in(&namespace, 0, 8, "Porto");
    let first = engine.commit(&namespace, changes.clone()).unwrap();
    assert_eq!((first.episodes, first.readings, first.facts), (1, 1, 1));
    let again = engine.commit(&namespace, changes).unwrap();
    assert_eq!((again.sequence, again.episodes, again.readings, again.facts), (1, 0, 0, 0));
    let before = engine.reader(&namespace).unwrap().state().counts();
    assert_eq!((before.episodes, before.entities, before.facts), (1, 2, 1));
    assert_eq!(engine.check().unwrap(), Vec::<String>::new());
    drop(engine);
    let (engine, notices) = open(directory.path());
    assert_eq!(notices, []);
    let reader = engine.reader(&namespace).unwrap();
    assert_eq!(reader.state().counts(), before);
    assert_eq!(reader.episode(EpisodeIx(0)).unwrap().text, "I live in Porto now.");
}

#[test]
fn a_later_statement_supersedes_in_whatever_order_they_arrive() {
    let namespace = Namespace::default();
    let (early, late) = (lives_in(&namespace, 0, 8, "Berlin"), lives_in(&namespace, 1, 20, "Porto"));
    let expected = [("Berlin".to_owned(), FactStatus::Superseded), ("Porto".to_owned(), FactStatus::Current)];
    for order in [[&early, &late], [&late, &early]] {
        let directory = tempfile::tempdir().unwrap();
        let (engine, _) = open(directory.path());
        engine.reader(&namespace).unwrap();
        for changes in order {
            engine.commit(&namespace, changes.clone()).unwrap();
        }
        assert_eq!(statuses(&engine, &namespace), expected);
        assert_eq!(engine.check().unwrap(), Vec::<String>::new());
    }
}

#[test]
fn a_working_store_that_is_missing_damaged_or_behind_is_made_anew() {
    let directory = tempfile::tempdir().unwrap();
    let namespace = Namespace::default();
    let (engine, _) = open(directory.path());
    engine.commit(&namespace, lives_in(&namespace, 0, 8, "Porto")).unwrap();
    drop(engine);
    let sled = directory.path().join("sled");
    fs::remove_dir_all(&sled).unwrap();
    let (engine, notices) = open(directory.path());
    assert!(matches!(&notices[..], [Notice::Rebuilt { commits: 1, quarantine: None, .. }]), "{notices:?}");
    drop(engine);
    fs::write(sled.join("db"), vec![0xAB; 100_000]).unwrap();
    fs::write(sled.join("conf"), b"segment_size: 1").unwrap();
    let (engine, notices) = open(directory.path());
    assert!(matches!(&notices[..], [Notice::Rebuilt { commits: 1, quarantine: Some(_), .. }]), "{notices:?}");
    assert_eq!(engine.check().unwrap(), Vec::<String>::new());
    assert_eq!(statuses(&engine, &namespace).len(), 1);
}

#[test]
fn commits_of_many_threads_are_all_there() {
    let directory = tempfile::tempdir().unwrap();
    let (engine, _) = open(directory.path());
    let namespace = Namespace::new("many/threads").unwrap();
    std::thread::scope(|scope| {
        for thread in 0..4 {
            let (engine, namespace) = (&engine, &namespace);
            scope.spawn(move || {
                for n in 0..10 {
                    let changes = lives_in(namespace, thread * 10 + n, 1 + n, &format!("Town {n}"));
                    assert_eq!(engine.commit(namespace, changes).unwrap().episodes, 1);
                    assert!(engine.reader(namespace).unwrap().state().counts().episodes > 0);
                }
            });
        }
    });
    assert_eq!(engine.reader(&namespace).unwrap().state().counts().episodes, 40);
    assert_eq!(engine.check().unwrap(), Vec::<String>::new());
}

#[test]
fn one_namespace_does_not_see_another() {
    let directory = tempfile::tempdir().unwrap();
    let (engine, _) = open(directory.path());
    let (one, other) = (Namespace::new("a").unwrap(), Namespace::new("a/b").unwrap());
    engine.commit(&one, lives_in(&one, 0, 8, "Porto")).unwrap();
    engine.commit(&other, lives_in(&other, 0, 8, "Berlin")).unwrap();
    assert_eq!(statuses(&engine, &one), [("Porto".to_owned(), FactStatus::Current)]);
    assert_eq!(engine.namespaces().unwrap(), [one, other]);
}

#[test]
fn a_directory_of_something_else_is_left_alone() {
    let directory = tempfile::tempdir().unwrap();
    fs::write(directory.path().join("letter.txt"), "dear").unwrap();
    let opened = Engine::open(directory.path(), Missing::Create, Arc::new(HashEmbedder::default()));
    assert!(matches!(opened.err(), Some(Error::NotAStore { .. })));
    assert_eq!(fs::read_dir(directory.path()).unwrap().count(), 1);
}
