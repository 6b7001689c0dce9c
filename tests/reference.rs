//! Random histories against a model that is too simple to be wrong: a set of what was said, and "the last
//! word counts". It knows three kinds of sentences, and nothing of indexes, graphs or files.

use std::collections::{BTreeMap, BTreeSet};

use lorebase::engine::graph::EpisodeIx;
use lorebase::extract::transcript::Turn;
use lorebase::memory::{Memory, Remember};
use proptest::prelude::*;
use proptest::sample::Index;

use crate::util::{Lab, assert_sound, cases, namespace, session, turn};

const SPEAKERS: [&str; 3] = ["Ilka", "Bram", "Signe"];
const TOWNS: [&str; 4] = ["Gdynia", "Trieste", "Odense", "Vigo"];
const FIRMS: [&str; 3] = ["Fernwood Dairy", "Mosswell Mills", "Quarry Lane Press"];
const NAMESPACES: [&str; 2] = ["one", "one/two"];

/// A sentence that states something, or nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Sentence {
    Lives(usize),
    LeftTown(usize),
    Works(usize),
    Idle,
}

impl Sentence {
    fn text(self, number: usize) -> String {
        match self {
            Self::Lives(town) => format!("I live in {}.", TOWNS[town]),
            Self::LeftTown(town) => format!("I don't live in {}.", TOWNS[town]),
            Self::Works(firm) => format!("I work at {}.", FIRMS[firm]),
            Self::Idle => format!("The kettle whistles for the {number}th time."),
        }
    }

    /// Predicate, object, and whether it is affirmed.
    fn claim(self) -> Option<(&'static str, &'static str, bool)> {
        match self {
            Self::Lives(town) => Some(("lives_in", TOWNS[town], true)),
            Self::LeftTown(town) => Some(("lives_in", TOWNS[town], false)),
            Self::Works(firm) => Some(("works_at", FIRMS[firm], true)),
            Self::Idle => None,
        }
    }
}

/// A session: who speaks in it, and what. Everybody speaks of themselves.
#[derive(Debug, Clone)]
struct Told {
    namespace: usize,
    speaker: usize,
    sentences: Vec<Sentence>,
    /// Each sentence is remembered by itself.
    notes: bool,
}

#[derive(Debug, Clone)]
struct History {
    sessions: Vec<Told>,
    /// After which arrivals the store is closed and opened.
    reopen: Vec<Index>,
    /// Which arrivals come a second time at the end.
    again: Vec<Index>,
}

fn sentences() -> impl Strategy<Value = Vec<Sentence>> {
    let sentence = prop_oneof![
        3 => (0..TOWNS.len()).prop_map(Sentence::Lives),
        2 => (0..TOWNS.len()).prop_map(Sentence::LeftTown),
        2 => (0..FIRMS.len()).prop_map(Sentence::Works),
        2 => Just(Sentence::Idle),
    ];
    prop::collection::vec(sentence, 1..5)
}

fn histories() -> impl Strategy<Value = History> {
    let told = (0..NAMESPACES.len(), 0..SPEAKERS.len(), sentences(), prop::bool::weighted(0.3))
        .prop_map(|(namespace, speaker, sentences, notes)| Told { namespace, speaker, sentences, notes });
    let picks = || prop::collection::vec(any::<Index>(), 0..3);
    (prop::collection::vec(told, 1..8), picks(), picks()).prop_map(|(sessions, reopen, again)| History {
        sessions,
        reopen,
        again,
    })
}

impl History {
    /// When a sentence was said: every one at a time of its own, whatever the order of arrival.
    fn at(session: usize, place: usize) -> String {
        format!("2024-03-{:02}T{:02}:00:00Z", 1 + session, 8 + place)
    }

    fn turns(&self, number: usize) -> Vec<Turn> {
        let told = &self.sessions[number];
        let sentences = told.sentences.iter().enumerate();
        sentences
            .map(|(place, sentence)| {
                let text = sentence.text(10 * number + place);
                turn(SPEAKERS[told.speaker], &Self::at(number, place), &text)
            })
            .collect()
    }

    fn arrive(&self, memory: &Memory, number: usize) {
        let (told, id) = (&self.sessions[number], format!("session {number}"));
        let namespace = namespace(NAMESPACES[told.namespace]);
        let turns = self.turns(number);
        if !told.notes {
            memory.ingest(&namespace, session(&id, turns), |_| ()).unwrap();
            return;
        }
        for turn in &turns {
            let speaker = turn.speaker.as_deref();
            let what =
                Remember { text: &turn.text, speaker, at: turn.at, session: Some(&id), expires_at: None };
            memory.remember(&namespace, &what).unwrap();
        }
    }

    /// Lets the sessions arrive in `order`, with all that the history does beside.
    fn play(&self, lab: &Lab, order: &[usize]) -> Memory {
        let mut memory = lab.memory();
        for (arrived, &number) in order.iter().enumerate() {
            self.arrive(&memory, number);
            if self.reopen.iter().any(|index| index.index(order.len()) == arrived) {
                drop(memory);
                memory = lab.memory();
            }
        }
        for index in &self.again {
            self.arrive(&memory, index.index(order.len()));
        }
        memory
    }
}

/// Subject, predicate, object, affirmed, status.
type Fact = (String, String, String, bool, String);

/// What the model says of one namespace: the texts, and every fact with its status.
fn modelled(history: &History, namespace: usize) -> (BTreeSet<(String, String)>, BTreeSet<Fact>) {
    let (mut texts, mut statements) = (BTreeSet::new(), BTreeMap::<_, Vec<_>>::new());
    for (number, told) in history.sessions.iter().enumerate() {
        if told.namespace != namespace {
            continue;
        }
        texts.extend(history.turns(number).into_iter().map(|turn| (format!("session {number}"), turn.text)));
        for (place, claim) in told.sentences.iter().map(|sentence| sentence.claim()).enumerate() {
            let Some((predicate, object, affirmed)) = claim else { continue };
            let group = statements.entry((SPEAKERS[told.speaker], predicate)).or_default();
            group.push(((number, place), object, affirmed));
        }
    }
    let mut facts = BTreeSet::new();
    for ((subject, predicate), mut group) in statements {
        group.sort_unstable();
        for &(_, object, affirmed) in &group {
            let status = last_word(&group, object, affirmed);
            let [subject, predicate, object, status] =
                [subject, predicate, object, status].map(str::to_owned);
            facts.insert((subject, predicate, object, affirmed, status));
        }
    }
    (texts, facts)
}

/// The status of a claim, from what was said first against it after it was last made.
fn last_word(group: &[((usize, usize), &str, bool)], object: &str, affirmed: bool) -> &'static str {
    let said = |statement: &((usize, usize), &str, bool)| statement.1 == object && statement.2 == affirmed;
    let last = group.iter().rposition(said).unwrap();
    let against = group[last + 1..].iter().find_map(|(_, other, yes)| {
        let opposed = *other == object && *yes != affirmed;
        let replaced = affirmed && *other != object && *yes;
        (opposed || replaced).then_some(opposed)
    });
    match (against, affirmed) {
        (Some(true), true) => "retracted",
        (Some(_), _) => "superseded",
        (None, _) => "current",
    }
}

/// The same of the memory.
fn remembered(memory: &Memory, name: &str) -> (BTreeSet<(String, String)>, BTreeSet<Fact>) {
    let namespace = namespace(name);
    let reader = memory.engine().reader(&namespace).unwrap();
    let count = reader.state().episodes().len();
    let texts: Vec<(String, String)> = (0..count)
        .map(|number| reader.episode(EpisodeIx(number as u32)).unwrap())
        .map(|episode| (episode.session.as_str().to_owned(), episode.text))
        .collect();
    let facts = memory.facts(&namespace, None, None).unwrap().into_iter().map(|fact| {
        let affirmed = fact.polarity.as_str() == "affirmed";
        let predicate = fact.predicate.as_str().to_owned();
        (fact.subject, predicate, fact.object, affirmed, fact.status.as_str().to_owned())
    });
    let facts: Vec<Fact> = facts.collect();
    let distinct: BTreeSet<Fact> = facts.iter().cloned().collect();
    assert_eq!(distinct.len(), facts.len(), "a fact stands twice");
    (texts.into_iter().collect(), distinct)
}

fn check(memory: &Memory, history: &History) {
    assert_sound(memory);
    for (which, name) in NAMESPACES.iter().enumerate() {
        assert_eq!(remembered(memory, name), modelled(history, which), "namespace {name}");
    }
}

proptest! {
    #![proptest_config(cases(48))]

    #[test]
    fn random_histories_agree_with_the_model(
        (history, order) in histories().prop_flat_map(|history| {
            let order: Vec<usize> = (0..history.sessions.len()).collect();
            (Just(history), Just(order).prop_shuffle())
        })
    ) {
        let (given, shuffled) = (Lab::new(), Lab::new());
        let in_order: Vec<usize> = (0..order.len()).collect();
        check(&history.play(&given, &in_order), &history);
        let memory = history.play(&shuffled, &order);
        check(&memory, &history);
        drop(memory);
        check(&shuffled.memory(), &history);
    }
}
