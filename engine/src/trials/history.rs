//! A scripted history: what is told to a store, step by step, so that everything that the store does to its
//! files comes up.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use super::dice::Dice;
use super::model::{Ledger, Model, Told};
use super::recorder::Recorder;
use crate::change::Changes;
use crate::embed::HashEmbedder;
use crate::engine::{Engine, Receipt};
use crate::error::Error;
use crate::model::entity::EntityKind;
use crate::model::episode::{Episode, ExtractionStatus, Span};
use crate::model::extraction::{Extraction, NamedSpan, Reading};
use crate::model::fact::{Named, Triple, TripleObject};
use crate::model::id::{EntityId, Namespace, SessionId};
use crate::model::predicate::Predicate;
use crate::model::ruling::{Evidence, Matter, Names, Ruling};
use crate::model::time::{SourceTime, Timestamp};
use crate::store::disk::Disk;
use crate::store::{Missing, Notice};

/// What is told at once: some turns of a session, and what is read in them.
#[derive(Debug, Clone, Copy)]
pub(super) struct Telling {
    pub(super) namespace: &'static str,
    pub(super) session: &'static str,
    /// The first turn's place, and how many there are.
    pub(super) turns: (u32, u32),
    /// Bytes of each text, about.
    pub(super) bytes: usize,
    pub(super) read: Read,
}

/// What is read of the turns.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Read {
    /// Nothing: the turns only.
    Nothing,
    /// Turns and readings, by an extractor.
    With(&'static str),
    /// Turns, and readings that failed.
    Failing,
    /// Readings alone, of turns that were told before.
    Again(&'static str),
    /// Nothing any more: the turns are to be forgotten.
    Forget,
    /// Nothing: of two names it is said whether they are names of one.
    Rule(&'static str, bool, &'static str),
}

/// One step of the history.
#[derive(Debug, Clone)]
pub(super) enum Step {
    /// The store is closed, if it is open, and opened.
    Open,
    /// One commit.
    Tell(Telling),
    /// Commits that share a sync, but for the first, which they wait for.
    Together(Vec<Telling>),
    /// What was forgotten is taken off the disk.
    Compact,
    /// sled's directory is taken away while the store is closed, and the store is opened.
    LoseSled,
}

/// The history.
pub(super) fn script() -> Vec<Step> {
    use Read::{Again, Failing, Forget, Nothing, Rule, With};
    let tell = |namespace, session, turns, bytes, read| Telling { namespace, session, turns, bytes, read };
    let small = |namespace, first, read| tell(namespace, "s", (first, 1), 60, read);
    let rule = |namespace, at, (one, other), same| tell(namespace, "", (at, 0), 0, Rule(one, same, other));
    vec![
        Step::Open,
        Step::Tell(small("a", 0, With("one"))),
        Step::Tell(small("a", 1, Nothing)),
        Step::Tell(tell("a/b", "s", (0, 3), 300, With("one"))),
        Step::Tell(small("a", 0, With("one"))),
        Step::Tell(small("a", 1, Again("one"))),
        Step::Tell(tell("c", "long", (0, 30), 700, With("one"))),
        Step::Tell(rule("c", 1, ("town 1", "town 2"), true)),
        Step::Together(vec![
            small("a", 2, With("one")),
            rule("a", 2, ("town 1", "town 2"), true),
            rule("c", 3, ("town 3", "town 1"), true),
            small("a/b", 7, Failing),
            tell("c", "late", (0, 5), 200, With("one")),
            small("d", 0, With("one")),
        ]),
        Step::Open,
        Step::Tell(small("a/b", 7, Again("one"))),
        Step::Tell(tell("c", "long", (0, 30), 700, Again("two"))),
        Step::Tell(tell("c", "long", (20, 20), 700, With("one"))),
        Step::Tell(tell("a", "huge", (0, 2), 12_000, With("one"))),
        Step::Tell(tell("c", "long", (5, 10), 700, Forget)),
        Step::Tell(small("a", 0, Forget)),
        Step::Tell(small("a", 0, With("two"))),
        Step::Tell(rule("c", 4, ("town 2", "town 3"), false)),
        Step::Tell(rule("c", 4, ("town 2", "town 3"), false)),
        Step::Tell(small("a", 2, Forget)),
        Step::Compact,
        Step::LoseSled,
        Step::Together(vec![
            tell("d", "s", (1, 4), 900, With("one")),
            tell("d", "t", (0, 2), 40, With("one")),
            tell("c", "late", (1, 1), 200, Forget),
            small("e", 0, Nothing),
        ]),
        Step::Tell(tell("e", "s", (0, 8), 100, With("two"))),
        Step::Tell(small("d", 2, Forget)),
        Step::Open,
        Step::Compact,
        Step::Tell(small("d", 9, With("one"))),
        Step::Open,
        Step::Tell(small("a", 3, With("two"))),
    ]
}

/// The turns of a telling. What they say depends on their place alone.
pub(super) fn changes(telling: &Telling) -> (Namespace, Changes) {
    let namespace = Namespace::new(telling.namespace).unwrap();
    let (first, count) = telling.turns;
    let episodes: Vec<Episode> =
        (first..first + count).map(|place| episode(&namespace, telling, place)).collect();
    let read = |extractor: &str, status| -> Vec<Reading> {
        episodes.iter().map(|episode| reading(episode, extractor, status)).collect()
    };
    let readings = match telling.read {
        Read::Nothing | Read::Forget | Read::Rule(..) => Vec::new(),
        Read::With(extractor) | Read::Again(extractor) => read(extractor, ExtractionStatus::Done),
        Read::Failing => read("one", ExtractionStatus::Failed),
    };
    let ids = episodes.iter().map(|episode| episode.id);
    let forgets = if telling.read == Read::Forget { ids.collect() } else { Vec::new() };
    let alone = matches!(telling.read, Read::Again(_) | Read::Forget);
    let rulings = ruling(&namespace, telling).into_iter().collect();
    (namespace, Changes { episodes: if alone { Vec::new() } else { episodes }, readings, forgets, rulings })
}

fn ruling(namespace: &Namespace, telling: &Telling) -> Option<Ruling> {
    let Read::Rule(one, same, other) = telling.read else { return None };
    let id = |name| EntityId::of_name(namespace, name);
    Some(Ruling {
        matter: Matter::Names(Names { one: id(one), other: id(other), same }),
        evidence: Evidence::by_hand(Some(format!("{one} and {other}"))),
        recorded_at: Timestamp::from_millis(i64::from(telling.turns.0)).unwrap(),
    })
}

fn town(extractor: &str, place: u32) -> String {
    format!("{} {}", if extractor == "one" { "town" } else { "village" }, place % 7)
}

fn episode(namespace: &Namespace, telling: &Telling, place: u32) -> Episode {
    let session = SessionId::new(telling.session);
    let mut text = format!("I live in {} or {} now.", town("one", place), town("two", place));
    // No words, so that the indexes have little to do with them.
    let mut dice = Dice::new(u64::from(place) + telling.bytes as u64);
    while text.len() < telling.bytes {
        text.push(['#', '%', '&', '*', '+', '=', '<', '>'][dice.below(8)]);
    }
    let at: SourceTime = format!("2023-05-{:02}T10:{:02}:00Z", 1 + place / 60, place % 60).parse().unwrap();
    Episode {
        id: Episode::id_of(namespace, &session, place, (Some("Ana"), Some(at)), &text),
        session,
        position: place,
        speaker: Some("Ana".to_owned()),
        text,
        occurred_at: Some(at),
        recorded_at: Timestamp::from_millis(1_700_000_000_000).unwrap(),
        source_id: Some(format!("T{place}")),
        expires_at: None,
        told_at: None,
    }
}

fn reading(episode: &Episode, extractor: &str, status: ExtractionStatus) -> Reading {
    let span = Span { start: 0, end: 20 };
    let ana = Named { name: "ana".to_owned(), kind: EntityKind::Person };
    let home = Named { name: town(extractor, episode.position), kind: EntityKind::Place };
    let mention = |named: &Named| NamedSpan { span, name: named.name.clone(), kind: named.kind };
    let mentions = vec![mention(&ana), mention(&home)];
    let said = Triple::new(ana, Predicate::new("lives_in"), TripleObject::Entity(home));
    let triple = Triple { confidence: 0.9, span, ..said };
    let found = match status {
        ExtractionStatus::Done => Extraction { mentions, triples: vec![triple], ..Extraction::default() },
        _ => Extraction::default(),
    };
    Reading { episode: episode.id, extractor: extractor.to_owned(), status, found }
}

/// Opens the store on a disk.
pub(super) fn open(disk: &Arc<dyn Disk>, store: &Path) -> Result<(Engine, Vec<Notice>), Error> {
    Engine::open_on(disk, store, Missing::Create, Arc::new(HashEmbedder::default()))
}

/// A store on a recording disk, and what was told to it.
pub(super) struct World {
    pub(super) recorder: Arc<Recorder>,
    /// Where the store lies.
    pub(super) store: PathBuf,
    pub(super) engine: Option<Engine>,
    pub(super) ledger: Ledger,
}

impl World {
    /// A store in the directory `store` of the recorder's root.
    pub(super) fn new(recorder: Arc<Recorder>, store: PathBuf, ledger: Ledger) -> Self {
        Self { recorder, store, engine: None, ledger }
    }

    /// Goes one step on.
    pub(super) fn go(&mut self, step: &Step) -> Result<(), Error> {
        match step {
            Step::Open => self.open(),
            Step::Tell(telling) => self.tell(telling),
            Step::Together(tellings) => self.tell_together(tellings),
            Step::Compact => self.compact(),
            Step::LoseSled => {
                self.engine = None;
                std::fs::remove_dir_all(self.store.join("sled")).unwrap();
                self.open()
            }
        }
    }

    /// Opens the store anew.
    pub(super) fn open(&mut self) -> Result<(), Error> {
        self.engine = None;
        let disk = Arc::clone(&self.recorder) as Arc<dyn Disk>;
        self.engine = Some(open(&disk, &self.store)?.0);
        Ok(())
    }

    fn compact(&mut self) -> Result<(), Error> {
        self.engine.as_ref().expect("the script opens the store first").compact()?;
        let now = self.recorder.position();
        self.ledger.erased.extend(self.ledger.forgotten().into_iter().map(|text| (now, text)));
        Ok(())
    }

    fn begin(&self, telling: &Telling) -> Told {
        let (namespace, changes) = changes(telling);
        let begun = self.recorder.position();
        Told { namespace, changes: Arc::new(changes), begun, acknowledged: usize::MAX }
    }

    fn tell(&mut self, telling: &Telling) -> Result<(), Error> {
        let told = self.begin(telling);
        let engine = self.engine.as_ref().expect("the script opens the store first");
        let outcome = engine.commit(&told.namespace, (*told.changes).clone());
        self.enter(vec![(told, outcome)])
    }

    fn tell_together(&mut self, tellings: &[Telling]) -> Result<(), Error> {
        let told: Vec<Told> = tellings.iter().map(|telling| self.begin(telling)).collect();
        let engine = self.engine.as_ref().expect("the script opens the store first");
        // A namespace that is not in memory yet would wait for the gate too.
        told.iter().try_for_each(|told| engine.reader(&told.namespace).map(drop))?;
        let recorder = &self.recorder;
        recorder.close_gate();
        let outcomes: Vec<Result<Receipt, Error>> = std::thread::scope(|scope| {
            let commit = |told: &Told| engine.commit(&told.namespace, (*told.changes).clone());
            let mut threads = Vec::new();
            for (told, others) in told.iter().zip(0..) {
                threads.push(scope.spawn(move || commit(told)));
                // The first waits at the gate, with its sync to do; the others queue up behind it.
                let arrived = || if others == 0 { recorder.held() } else { engine.waiting() == others };
                while !arrived() && !threads[0].is_finished() {
                    std::thread::sleep(Duration::from_micros(100));
                }
            }
            recorder.open_gate();
            threads.into_iter().map(|thread| thread.join().unwrap()).collect()
        });
        self.enter(told.into_iter().zip(outcomes).collect())
    }

    /// Writes down what came of commits. The first error is returned.
    fn enter(&mut self, mut outcomes: Vec<(Told, Result<Receipt, Error>)>) -> Result<(), Error> {
        let now = self.recorder.position();
        outcomes.sort_by_key(|(_, outcome)| outcome.as_ref().map_or(u64::MAX, |receipt| receipt.sequence));
        let mut model = Model::of(&self.ledger.told);
        let mut failure = None;
        for (mut told, outcome) in outcomes {
            let news = model.take(&told);
            told.acknowledged = now;
            match outcome {
                Ok(receipt) => {
                    assert_eq!(
                        news,
                        receipt.episodes + receipt.readings + receipt.forgotten + receipt.rulings > 0,
                        "{receipt:?}"
                    );
                    if news {
                        self.ledger.told.push(told);
                        assert_eq!(receipt.sequence as usize, self.ledger.told.len());
                    }
                }
                Err(error) => {
                    if news {
                        self.ledger.doubtful.push(told);
                    }
                    if failure.is_none() || matches!(failure, Some(Error::Poisoned { .. })) {
                        failure = Some(error);
                    }
                }
            }
        }
        failure.map_or(Ok(()), Err)
    }
}
