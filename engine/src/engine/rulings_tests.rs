//! Rulings on names: two names become one entity and two again, whatever is told before and after, and
//! nothing of it outlives the names.

use super::tests::{forget, lives_in, open};
use super::*;
use crate::change::Changes;
use crate::model::fact::FactStatus::{Current, Superseded};
use crate::model::id::{EntityId, EpisodeId};
use crate::model::ruling::{Evidence, Matter, Names, Ruling};
use crate::model::time::Timestamp;

/// A turn at a place of the session "s1" that says where somebody of this name lives.
fn told(namespace: &Namespace, position: u32, name: &str, home: &str) -> Changes {
    let mut changes = lives_in(namespace, position, 1 + position, home);
    let found = &mut changes.readings[0].found;
    name.clone_into(&mut found.mentions[0].name);
    name.clone_into(&mut found.triples[0].subject.name);
    changes
}

/// What somebody says at a time: whether the entity of one name is that of another.
fn ruled(namespace: &Namespace, at: i64, one: &str, same: bool, other: &str) -> Changes {
    let id = |name| EntityId::of_name(namespace, name);
    let ruling = Ruling {
        matter: Matter::Names(Names { one: id(one), other: id(other), same }),
        evidence: Evidence::by_hand(Some(format!("{one} is told of {other}"))),
        recorded_at: Timestamp::from_millis(at).unwrap(),
    };
    Changes { rulings: vec![ruling], ..Changes::default() }
}

/// What is known of everybody: the name, the aliases, and where he lives.
fn known(engine: &Engine) -> Vec<String> {
    let reader = engine.reader(&Namespace::default()).unwrap();
    let state = reader.state();
    let mut all: Vec<String> = (0..state.entities().len() as u32)
        .map(crate::graph::EntityIx)
        .filter(|ix| state.entity(*ix).alive() && !state.entity(*ix).relations.is_empty())
        .filter(|ix| state.entity(*ix).kind() == crate::model::entity::EntityKind::Person)
        .map(|ix| {
            let homes = state.facts_of(ix).filter(|fact| !state.fact(*fact).support().is_empty());
            let mut homes: Vec<&str> =
                homes.map(|fact| state.entity(state.fact(fact).object.unwrap()).name()).collect();
            homes.sort_unstable();
            format!("{} {:?} {homes:?}", state.folded_names(ix).join("+"), state.entity(ix).mentioned_in())
        })
        .collect();
    all.sort();
    assert_eq!(engine.check().unwrap(), Vec::<String>::new());
    all
}

const APART: [&str; 2] = ["gera 1 [\"Porto\"]", "gera vossen 1 [\"Odense\"]"];
const ONE: [&str; 1] = ["gera vossen+gera 2 [\"Odense\", \"Porto\"]"];

#[test]
fn names_become_one_and_two_again_in_whatever_order_it_comes() {
    let namespace = Namespace::default();
    let merge = ruled(&namespace, 1, "Gera Vossen", true, "Gera");
    let split = ruled(&namespace, 2, "Gera", false, "Gera Vossen");
    let turns = [told(&namespace, 0, "Gera", "Porto"), told(&namespace, 1, "gera  VOSSEN", "Odense")];
    let turns = || turns.clone().into_iter();
    for (told, expected) in [
        (turns().collect::<Vec<_>>(), &APART[..]),
        (turns().chain([merge.clone()]).collect(), &ONE[..]),
        (std::iter::once(merge.clone()).chain(turns()).collect(), &ONE[..]),
        (turns().rev().chain([merge.clone(), split.clone()]).collect(), &APART[..]),
        (turns().chain([split.clone(), merge.clone()]).collect(), &APART[..]),
    ] {
        let directory = tempfile::tempdir().unwrap();
        let (engine, _) = open(directory.path());
        for changes in told {
            engine.commit(&namespace, changes).unwrap();
        }
        assert_eq!(known(&engine), expected);
        drop(engine);
        assert_eq!(known(&open(directory.path()).0), expected);
        std::fs::remove_dir_all(directory.path().join("snapshots")).ok();
        let (engine, _) = open(directory.path());
        assert_eq!(known(&engine), expected);
        let again = engine.commit(&namespace, merge.clone()).unwrap();
        assert!(again.rulings == usize::from(expected == APART && engine.sequence() == 3));
    }
}

#[test]
fn facts_are_judged_and_names_looked_up_as_of_one() {
    let directory = tempfile::tempdir().unwrap();
    let namespace = Namespace::default();
    let (engine, _) = open(directory.path());
    engine.commit(&namespace, told(&namespace, 0, "Gera", "Porto")).unwrap();
    engine.commit(&namespace, told(&namespace, 1, "Mrs Vossen", "Odense")).unwrap();
    let receipt = engine.commit(&namespace, ruled(&namespace, 1, "Gera", true, "Mrs Vossen")).unwrap();
    assert_eq!((receipt.rulings, receipt.episodes, receipt.sequence), (1, 0, 3));
    // Who looks on sees what was there.
    let scan = engine.scan(&namespace).unwrap();
    engine.commit(&namespace, told(&namespace, 2, "Mrs Vossen", "Faro")).unwrap();
    assert_eq!(scan.reader().state().living_count(), 2);
    drop(scan);
    let reader = engine.reader(&namespace).unwrap();
    let state = reader.state();
    let by = |name: &str| state.find_entities(name);
    assert_eq!(by("gera"), by("mrs vossen"));
    assert_eq!((by("vossen"), by("gera").len()), (by("gera"), 1));
    assert_eq!(state.entities_called("mrs vossen"), by("gera"));
    assert_eq!(state.spelt_like("vosen", 1)[0].0, by("gera")[0]);
    assert_eq!(state.namesakes(by("gera")[0]), []);
    assert_eq!(state.counts().entities, 4);
    let statuses: Vec<_> = state.facts().iter().map(|fact| fact.status).collect();
    assert_eq!(statuses, [Superseded, Superseded, Current], "one lives in one place");
    drop(reader);
    assert_eq!(engine.check().unwrap(), Vec::<String>::new());
}

#[test]
fn a_snapshot_knows_who_is_who_and_gives_way_to_later_rulings() {
    let directory = tempfile::tempdir().unwrap();
    let namespace = Namespace::default();
    let (engine, _) = open(directory.path());
    let kept = directory.path().join("snapshots");
    let snapshots = || std::fs::read_dir(&kept).unwrap().count();
    engine.commit(&namespace, ruled(&namespace, 1, "Gera Vossen", true, "Gera")).unwrap();
    for (position, name) in [(0, "Gera"), (1, "Gera Vossen")] {
        engine
            .commit(&namespace, told(&namespace, position, name, ["Porto", "Odense"][position as usize]))
            .unwrap();
    }
    drop(engine);
    assert_eq!(snapshots(), 1);
    let (engine, _) = open(directory.path());
    assert_eq!(known(&engine), ONE);
    // One that is older than a ruling, as where a copy of the store was put together of parts, is thrown
    // away.
    drop(engine);
    let old = std::fs::read_dir(&kept).unwrap().next().unwrap().unwrap().path();
    let bytes = std::fs::read(&old).unwrap();
    let (engine, _) = open(directory.path());
    engine.commit(&namespace, ruled(&namespace, 2, "Gera Vossen", false, "Gera")).unwrap();
    assert_eq!(snapshots(), 0);
    assert_eq!(known(&engine), APART);
    drop(engine);
    std::fs::write(&old, bytes).unwrap();
    assert_eq!(known(&open(directory.path()).0), APART);
}

#[test]
fn a_ruling_goes_with_the_last_episode_of_one_of_its_names() {
    let directory = tempfile::tempdir().unwrap();
    let namespace = Namespace::default();
    let (engine, _) = open(directory.path());
    let turns = [(0, "Gera"), (1, "Gera Vossen"), (2, "Gera"), (3, "Ines")];
    let turns = turns.map(|(position, name)| told(&namespace, position, name, "Porto"));
    let id = |turn: usize| -> EpisodeId { turns[turn].episodes[0].id };
    for turn in turns.iter().cloned() {
        engine.commit(&namespace, turn).unwrap();
    }
    let merge = ruled(&namespace, 1, "Gera Vossen", true, "Gera");
    engine.commit(&namespace, merge.clone()).unwrap();
    let first = engine.commit(&namespace, forget([id(0), id(3)])).unwrap();
    assert_eq!((first.forgotten, first.dropped), (2, 0));
    assert_eq!(known(&engine), ["gera vossen+gera 2 [\"Porto\"]"]);
    let last = engine.commit(&namespace, forget([id(2)])).unwrap();
    assert_eq!((last.forgotten, last.dropped), (1, 1));
    assert_eq!(known(&engine), ["gera vossen 1 [\"Porto\"]"]);
    engine.compact().unwrap();
    let note = merge.rulings[0].evidence.note.clone().unwrap();
    for entry in std::fs::read_dir(directory.path().join("journal")).unwrap() {
        let bytes = std::fs::read(entry.unwrap().path()).unwrap();
        assert!(!bytes.windows(note.len()).any(|part| part == note.as_bytes()));
    }
    assert_eq!(engine.check().unwrap(), Vec::<String>::new());
    // It does not come back with the name, nor when it is told again.
    engine.commit(&namespace, told(&namespace, 9, "Gera", "Faro")).unwrap();
    assert_eq!(engine.commit(&namespace, merge).unwrap().rulings, 0);
    assert_eq!(known(&engine), ["gera 1 [\"Faro\"]", "gera vossen 1 [\"Porto\"]"]);
}

#[test]
fn a_commit_rules_or_does_something_else() {
    let directory = tempfile::tempdir().unwrap();
    let namespace = Namespace::default();
    let (engine, _) = open(directory.path());
    let ruling = ruled(&namespace, 1, "Gera", true, "Ines");
    let both = Changes { rulings: ruling.rulings.clone(), ..told(&namespace, 0, "Gera", "Porto") };
    let itself = ruled(&namespace, 1, "Gera", true, "gera ");
    let long = "x".repeat(crate::change::NAME_MAX_BYTES + 1);
    let mut noted = ruling.clone();
    noted.rulings[0].evidence.note = Some(long);
    let mut unlikely = ruling;
    unlikely.rulings[0].evidence.score = f32::NAN;
    for wrong in [both, itself, noted, unlikely] {
        assert!(matches!(engine.commit(&namespace, wrong), Err(Error::InvalidChanges { .. })));
    }
}
