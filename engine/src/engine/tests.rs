//! What the engine promises, over a store in a scratch directory.

use std::fs;

use super::*;
use crate::change::{Changes, FOUND_MAX};
use crate::embed::HashEmbedder;
use crate::model::entity::EntityKind;
use crate::model::episode::{ExtractionStatus, Span};
use crate::model::extraction::{Extraction, NamedSpan, Reading};
use crate::model::fact::{FactStatus, Named, Triple, TripleObject};
use crate::model::id::EpisodeId;
use crate::model::predicate::Predicate;
use crate::model::time::{SourceTime, Timestamp};

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
    let said = Triple::new(ana, Predicate::new("lives_in"), TripleObject::Entity(place));
    let triple = Triple { confidence: 0.9, span, ..said };
    let found = Extraction { mentions, triples: vec![triple], ..Extraction::default() };
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
        expires_at: None,
        told_at: None,
    };
    Changes { episodes: vec![episode], readings: vec![reading], ..Changes::default() }
}

fn statuses(engine: &Engine, namespace: &Namespace) -> Vec<(String, FactStatus)> {
    let reader = engine.reader(namespace).unwrap();
    let state = reader.state();
    let object = |fact: &crate::state::FactNode| state.entity(fact.object.unwrap()).name().to_owned();
    let mut found: Vec<_> = state
        .facts()
        .iter()
        .filter(|fact| !fact.support().is_empty())
        .map(|fact| (object(fact), fact.status))
        .collect();
    found.sort_by(|a, b| a.0.cmp(&b.0));
    found
}

#[test]
fn changes_of_any_size_are_cut_into_commits_that_are_allowed() {
    let namespace = Namespace::default();
    let mut changes = Changes::default();
    for position in 0..3 {
        let Changes { episodes, mut readings, .. } = lives_in(&namespace, position, 8, "Porto");
        let mention = readings[0].found.mentions[0].clone();
        readings[0].found.mentions = vec![mention; FOUND_MAX / 2];
        changes.episodes.extend(episodes);
        changes.readings.extend(readings);
    }
    assert!(changes.validate(&namespace).is_err());
    let (episodes, readings) = (changes.episodes.clone(), changes.readings.len());
    // A reading of an episode that came earlier goes by itself.
    let earlier = lives_in(&namespace, 9, 8, "Faro").readings;
    changes.readings.extend(earlier);
    let parts = changes.parts();
    assert_eq!(parts.iter().map(|part| part.episodes.len()).collect::<Vec<_>>(), [1, 1, 1]);
    assert!(parts.iter().all(|part| part.validate(&namespace).is_ok()));
    assert_eq!(parts.iter().map(|part| part.readings.len()).sum::<usize>(), readings + 1);
    assert_eq!(parts.into_iter().flat_map(|part| part.episodes).collect::<Vec<_>>(), episodes);
    assert_eq!(Changes::default().parts(), []);
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

pub(super) fn forget(ids: impl IntoIterator<Item = EpisodeId>) -> Changes {
    Changes { forgets: ids.into_iter().collect(), ..Changes::default() }
}

/// Whether some file below a directory holds these bytes.
pub(super) fn on_disk(directory: &Path, bytes: &[u8]) -> bool {
    fs::read_dir(directory).unwrap().any(|entry| {
        let path = entry.unwrap().path();
        if path.is_dir() {
            return on_disk(&path, bytes);
        }
        fs::read(path).unwrap().windows(bytes.len()).any(|window| window == bytes)
    })
}

#[test]
fn what_is_forgotten_is_not_taken_in_again() {
    let directory = tempfile::tempdir().unwrap();
    let namespace = Namespace::default();
    let (engine, _) = open(directory.path());
    let (porto, berlin) = (lives_in(&namespace, 0, 8, "Porto"), lives_in(&namespace, 1, 9, "Berlin"));
    engine.commit(&namespace, porto.clone()).unwrap();
    engine.commit(&namespace, berlin).unwrap();
    let id = porto.episodes[0].id;
    let receipt = engine.commit(&namespace, forget([id])).unwrap();
    assert_eq!((receipt.sequence, receipt.forgotten), (3, 1));
    let again = engine.commit(&namespace, forget([id])).unwrap();
    assert_eq!((again.sequence, again.forgotten), (3, 0));
    drop(engine);
    for _ in 0..2 {
        let (engine, _) = open(directory.path());
        let taken = engine.commit(&namespace, porto.clone()).unwrap();
        assert_eq!((taken.sequence, taken.episodes, taken.readings), (3, 0, 0));
        assert_eq!(statuses(&engine, &namespace), [("Berlin".to_owned(), FactStatus::Current)]);
        assert_eq!(engine.check().unwrap(), Vec::<String>::new());
    }
}

#[test]
fn a_commit_either_tells_or_forgets() {
    let directory = tempfile::tempdir().unwrap();
    let namespace = Namespace::default();
    let (engine, _) = open(directory.path());
    let porto = lives_in(&namespace, 0, 8, "Porto");
    let id = porto.episodes[0].id;
    let both = Changes { forgets: vec![id], ..porto.clone() };
    assert!(matches!(engine.commit(&namespace, both), Err(Error::InvalidChanges { .. })));
    assert!(matches!(engine.commit(&namespace, forget([id, id])), Err(Error::InvalidChanges { .. })));
    let mut other = porto;
    other.episodes[0].text.push('!');
    let refused = engine.commit(&namespace, other).unwrap_err();
    assert!(refused.to_string().contains("must have the id of its content"), "{refused}");
}

#[test]
fn compaction_takes_what_is_forgotten_off_the_disk_and_leaves_the_rest_readable() {
    let directory = tempfile::tempdir().unwrap();
    let (one, other) = (Namespace::new("one").unwrap(), Namespace::new("other").unwrap());
    let (engine, _) = open(directory.path());
    let towns = ["Porto", "Berlin", "Vigo", "Gdynia", "Odense"];
    let mut told = Changes::default();
    for (position, town) in (0..).zip(towns) {
        let Changes { mut episodes, mut readings, .. } = lives_in(&one, position, 8 + position, town);
        told.episodes.append(&mut episodes);
        told.readings.append(&mut readings);
    }
    let gone = [told.episodes[1].id, told.episodes[4].id];
    engine.commit(&one, told).unwrap();
    engine.commit(&other, lives_in(&other, 0, 8, "Berlin")).unwrap();
    engine.commit(&one, lives_in(&one, 9, 20, "Trieste")).unwrap();
    assert_eq!(engine.compact().unwrap(), Compaction::default(), "nothing is forgotten");
    engine.commit(&one, forget(gone)).unwrap();
    assert!(on_disk(directory.path(), b"Odense"));
    let texts = |engine: &Engine, namespace| {
        let reader = engine.reader(namespace).unwrap();
        let living: Vec<EpisodeIx> = reader.state().living().collect();
        living.into_iter().map(|ix| reader.text(ix).unwrap()).collect::<Vec<_>>()
    };
    let before = (texts(&engine, &one), texts(&engine, &other));
    assert_eq!((before.0.len(), before.1.len()), (4, 1));
    let compaction = engine.compact().unwrap();
    assert_eq!((compaction.segments, compaction.episodes), (1, 2));
    assert!(compaction.bytes > 0);
    assert!(!on_disk(directory.path(), b"Odense"));
    assert_eq!((texts(&engine, &one), texts(&engine, &other)), before);
    assert_eq!(engine.check().unwrap(), Vec::<String>::new());
    assert_eq!(engine.compact().unwrap(), Compaction::default(), "there is nothing left to do");
    engine.commit(&one, lives_in(&one, 10, 21, "Split")).unwrap();
    drop(engine);
    let (engine, notices) = open(directory.path());
    assert_eq!(notices, []);
    assert_eq!(texts(&engine, &one)[..4], before.0[..]);
    assert_eq!(engine.check().unwrap(), Vec::<String>::new());
}

#[test]
fn a_journal_that_was_compacted_behind_the_working_stores_back_has_it_made_anew() {
    let directory = tempfile::tempdir().unwrap();
    let namespace = Namespace::default();
    let (engine, _) = open(directory.path());
    let porto = lives_in(&namespace, 0, 8, "Porto");
    engine.commit(&namespace, porto.clone()).unwrap();
    engine.commit(&namespace, lives_in(&namespace, 1, 9, "Berlin")).unwrap();
    engine.commit(&namespace, forget([porto.episodes[0].id])).unwrap();
    // As after a crash between the journal and the working store.
    let rewritten = engine.store.rewrite(engine.store.rewrite_closed().unwrap()).unwrap();
    let journal = directory.path().join("journal");
    drop(engine);
    fs::rename(journal.join("00000000.journal.new"), journal.join("00000000.journal")).unwrap();
    fs::write(journal.join("00000007.journal.new"), "half").unwrap();
    drop(rewritten);
    let (engine, notices) = open(directory.path());
    assert!(matches!(&notices[..], [Notice::Rebuilt { commits: 3, .. }]), "{notices:?}");
    assert!(!journal.join("00000007.journal.new").exists());
    assert_eq!(statuses(&engine, &namespace), [("Berlin".to_owned(), FactStatus::Current)]);
    assert_eq!(engine.check().unwrap(), Vec::<String>::new());
}

#[test]
fn namespaces_are_loaded_and_written_while_a_store_is_compacted_over_and_over() {
    let directory = tempfile::tempdir().unwrap();
    let names: Vec<Namespace> = (0..3).map(|n| Namespace::new(&format!("n{n}")).unwrap()).collect();
    let (engine, _) = open(directory.path());
    for namespace in &names {
        for position in 0..20 {
            let changes = lives_in(namespace, position, 1 + position, &format!("Town {position}"));
            engine.commit(namespace, changes).unwrap();
        }
    }
    drop(engine);
    let (engine, _) = open(directory.path());
    std::thread::scope(|scope| {
        for namespace in &names {
            let engine = &engine;
            scope.spawn(move || {
                for position in 0..20 {
                    let gone = lives_in(namespace, position, 1 + position, &format!("Town {position}"));
                    engine.commit(namespace, forget([gone.episodes[0].id])).unwrap();
                    let new = lives_in(namespace, 100 + position, 1 + position, &format!("City {position}"));
                    engine.commit(namespace, new).unwrap();
                    let reader = engine.reader(namespace).unwrap();
                    let living: Vec<EpisodeIx> = reader.state().living().collect();
                    assert_eq!(living.len(), 20);
                    for ix in living {
                        assert!(reader.text(ix).unwrap().starts_with("I live in "));
                    }
                }
            });
        }
        scope.spawn(|| {
            for _ in 0..10 {
                engine.compact().unwrap();
            }
        });
    });
    engine.compact().unwrap();
    assert!(!on_disk(directory.path(), b"Town 19"));
    assert_eq!(engine.check().unwrap(), Vec::<String>::new());
}
