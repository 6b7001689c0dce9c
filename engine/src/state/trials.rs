//! Any history, told in any order, more than once, with parts forgotten and names made one and parted again: what stands at
//! the end is what a namespace holds that was told what is left, once.

use proptest::collection::vec;
use proptest::prelude::*;
use rustc_hash::FxHashSet;

use super::{Arrival, Known, State};
use crate::dates::Granularity;
use crate::embed::{Embedder, HashEmbedder};
use crate::graph::FactIx;
use crate::model::entity::EntityKind;
use crate::model::episode::{Episode, ExtractionStatus, Span};
use crate::model::extraction::{Extraction, Reading};
use crate::model::fact::{FactKind, Named, Polarity, Triple, TripleObject};
use crate::model::id::{EntityId, EpisodeId, Namespace, SessionId};
use crate::model::predicate::Predicate;
use crate::model::ruling::{Evidence, Matter, Names, Ruling};
use crate::model::time::{Interval, SourceTime, Timestamp};
use crate::store::TextRef;

const PEOPLE: [&str; 4] = ["Ilka", "Bram", "Signe", "Ilka Holt"];
const PLACES: [&str; 3] = ["Gdynia", "Vigo", "Trieste"];
/// Of one object at a time, of many, told from either end, and one that two have of one another.
const PREDICATES: [&str; 5] = ["lives_in", "likes", "manages", "reports_to", "married_to"];
const DAY: i64 = 86_400_000;

/// What somebody says in a turn.
#[derive(Debug, Clone)]
struct Told {
    session: u8,
    speaker: Option<usize>,
    /// The day on which it was said, if that is known, and that on which the memory was told.
    days: (Option<i64>, i64),
    claims: Vec<Claimed>,
}

#[derive(Debug, Clone)]
struct Claimed {
    subject: usize,
    predicate: usize,
    object: usize,
    affirmed: bool,
    corrects: bool,
    hedged: bool,
    from: Option<i64>,
    length: Option<i64>,
}

fn claimed() -> impl Strategy<Value = Claimed> {
    let manner = (prop::bool::weighted(0.8), prop::bool::weighted(0.2), prop::bool::weighted(0.1));
    let time = (prop::option::weighted(0.5, 0..20i64), prop::option::weighted(0.2, 1..6i64));
    (0..4usize, 0..5usize, 0..4usize, manner, time).prop_map(
        |(subject, predicate, object, (affirmed, corrects, hedged), (from, length))| Claimed {
            subject,
            predicate,
            object,
            affirmed,
            corrects,
            hedged,
            from,
            length: length.filter(|_| from.is_some()),
        },
    )
}

fn told() -> impl Strategy<Value = Told> {
    let days = (prop::option::weighted(0.8, 0..20i64), 20..25i64);
    (0..3u8, prop::option::of(0..4usize), days, vec(claimed(), 1..3))
        .prop_map(|(session, speaker, days, claims)| Told { session, speaker, days, claims })
}

fn at(day: i64) -> Timestamp {
    Timestamp::from_millis(day * DAY).unwrap()
}

/// The turns as episodes with their readings; each has a place of its own in its session.
fn turns(all: &[Told]) -> Vec<(Episode, Reading)> {
    (0..).zip(all).map(|(position, told)| turn(position, told)).collect()
}

fn turn(position: u32, told: &Told) -> (Episode, Reading) {
    let namespace = Namespace::default();
    let session = SessionId::new(&format!("s{}", told.session));
    let text = format!("turn {position}");
    let occurred_at = told.days.0.map(|day| SourceTime { instant: at(day), offset_minutes: None });
    let said = (told.speaker.map(|speaker| PEOPLE[speaker]), occurred_at);
    let episode = Episode::new(&namespace, session, position, said, &text, at(told.days.1));
    let triples = (0..).zip(&told.claims).map(|(place, claim)| triple(place, claim)).collect();
    let found = Extraction { triples, ..Extraction::default() };
    let reading =
        Reading { episode: episode.id, extractor: "one".to_owned(), status: ExtractionStatus::Done, found };
    (episode, reading)
}

fn triple(place: u32, claim: &Claimed) -> Triple {
    let named = |name: &str| Named { name: name.to_owned(), kind: EntityKind::Unknown };
    let predicate = PREDICATES[claim.predicate];
    let object = match predicate {
        "lives_in" => TripleObject::Entity(named(PLACES[claim.object % 3])),
        "likes" => TripleObject::Value(PLACES[claim.object % 3].to_lowercase()),
        _ => TripleObject::Entity(named(PEOPLE[claim.object])),
    };
    let to = claim.from.zip(claim.length).map(|(from, length)| at(from + length));
    Triple {
        polarity: if claim.affirmed { Polarity::Affirmed } else { Polarity::Negated },
        kind: if predicate == "likes" { FactKind::Preference } else { FactKind::Fact },
        corrects: claim.corrects,
        hedged: claim.hedged,
        valid: Interval { from: claim.from.map(at), to },
        granularity: claim.from.map(|_| Granularity::Day),
        span: Span { start: place, end: place + 1 },
        ..Triple::new(named(PEOPLE[claim.subject]), Predicate::new(predicate), object)
    }
}

/// A namespace that is told turns in an order, all at once or one by one.
fn state(rulings: Vec<Ruling>, turns: &[(Episode, Reading)], order: &[usize], one_by_one: bool) -> State {
    let mut state = State::new(Namespace::default(), HashEmbedder::default().identity().clone());
    state.rule(rulings);
    let units: Vec<&[usize]> = if one_by_one { order.chunks(1).collect() } else { vec![order] };
    for unit in units {
        tell(&mut state, unit.iter().map(|place| &turns[*place]));
        if one_by_one {
            state.settle();
        }
    }
    state.settle();
    state
}

fn tell<'t>(state: &mut State, turns: impl Iterator<Item = &'t (Episode, Reading)> + Clone) {
    let place = TextRef { segment: 0, offset: 0, bytes: 0, crc: 0, salt: 0 };
    let new = turns.clone().filter(|(episode, _)| state.find_episode(&episode.id).is_none());
    let arrivals: Vec<Arrival<'_>> =
        new.map(|(episode, _)| Arrival { episode, text: &episode.text, place, vector: None }).collect();
    state.apply(&arrivals, turns.map(|(_, reading)| reading));
}

/// Every fact that something states, as far as it does not depend on numbers.
fn dump(state: &State) -> Vec<String> {
    let mut all: Vec<String> = (0..state.facts().len() as u32)
        .map(FactIx)
        .filter(|ix| !state.fact(*ix).support().is_empty())
        .map(|ix| {
            let fact = state.fact(ix);
            let object =
                fact.object.map_or_else(|| state.value(ix).unwrap(), |ix| state.entity(ix).folded_name());
            let mut support: Vec<String> = fact
                .support()
                .iter()
                .map(|support| format!("{}:{}", state.episode(support.episode).id, support.span.start))
                .collect();
            support.sort();
            let successor = fact.successor.map(|ix| state.fact(ix).id);
            format!(
                "{} {} {object} {:?} {:?} {:?} {:?} {:?} {} {successor:?} {support:?}",
                state.entity(fact.subject).folded_name(),
                state.predicate(fact.predicate),
                fact.polarity,
                fact.status,
                fact.valid,
                fact.stays(),
                fact.recorded,
                fact.contested,
            )
        })
        .collect();
    all.sort();
    all
}

/// How many random histories there are of each kind; `LOREBASE_TRUTH_CASES` says how many.
fn cases() -> u32 {
    std::env::var("LOREBASE_TRUTH_CASES").ok().and_then(|cases| cases.parse().ok()).unwrap_or(128)
}

fn shuffled(count: usize, keys: &[u32]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..count).collect();
    order.sort_by_key(|place| keys[*place]);
    order
}

fn ruling(one: usize, other: usize, same: bool, recorded_at: i64) -> Ruling {
    let id = |name: usize| EntityId::of_name(&Namespace::default(), PEOPLE[name]);
    let matter = Matter::Names(Names { one: id(one), other: id(other), same });
    Ruling { matter, evidence: Evidence::by_hand(None), recorded_at: at(recorded_at) }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(cases()))]

    #[test]
    fn the_order_of_arrival_makes_no_difference(all in vec(told(), 1..10), keys in vec(any::<u32>(), 10)) {
        let turns = turns(&all);
        let plain: Vec<usize> = (0..turns.len()).collect();
        let expected = dump(&state(Vec::new(), &turns, &plain, false));
        let order = shuffled(turns.len(), &keys);
        prop_assert_eq!(&dump(&state(Vec::new(), &turns, &order, true)), &expected);
    }

    #[test]
    fn what_is_told_and_read_again_changes_nothing(
        all in vec(told(), 1..10),
        again in vec(any::<prop::sample::Index>(), 1..8),
    ) {
        let turns = turns(&all);
        let plain: Vec<usize> = (0..turns.len()).collect();
        let mut told = state(Vec::new(), &turns, &plain, false);
        let expected = dump(&told);
        for again in again {
            let place = again.index(turns.len());
            tell(&mut told, std::iter::once(&turns[place]));
            told.settle();
            prop_assert_eq!(&dump(&told), &expected);
        }
    }

    #[test]
    fn what_is_forgotten_was_never_told(
        all in vec(told(), 1..10),
        gone in vec(any::<prop::sample::Index>(), 1..5),
        keys in vec(any::<u32>(), 10),
    ) {
        let turns = turns(&all);
        let gone: FxHashSet<usize> = gone.iter().map(|gone| gone.index(turns.len())).collect();
        let order = shuffled(turns.len(), &keys);
        let mut told = state(Vec::new(), &turns, &order, true);
        let ids: Vec<EpisodeId> = gone.iter().map(|place| turns[*place].0.id).collect();
        told.forget(&ids);
        told.settle();
        let left: Vec<usize> = order.iter().copied().filter(|place| !gone.contains(place)).collect();
        let never = dump(&state(Vec::new(), &turns, &left, false));
        prop_assert_eq!(&dump(&told), &never);
        for id in &ids {
            prop_assert!(told.known(id) == Known::Forgotten, "it is not taken in again");
        }
        // Let in again, all is as it was.
        let mut lifted = state(Vec::new(), &turns, &left, true);
        tell(&mut lifted, gone.iter().map(|place| &turns[*place]));
        lifted.settle();
        prop_assert_eq!(dump(&lifted), dump(&state(Vec::new(), &turns, &order, false)));
    }

    #[test]
    fn what_was_made_one_is_as_it_was_when_that_is_undone(
        all in vec(told(), 1..10),
        pairs in vec((0..4usize, 0..4usize), 1..4),
        parted: bool,
    ) {
        let turns = turns(&all);
        let plain: Vec<usize> = (0..turns.len()).collect();
        let expected = dump(&state(Vec::new(), &turns, &plain, false));
        let pairs = || pairs.iter().filter(|(one, other)| one != other);
        let merges: Vec<Ruling> =
            pairs().zip(0..).map(|((one, other), day)| ruling(*one, *other, true, day)).collect();
        let undone = merges.iter().zip(30..).map(|(merge, day)| Ruling {
            matter: Matter::Undo { id: merge.id(&Namespace::default()) },
            recorded_at: at(day),
            ..merge.clone()
        });
        let splits = pairs().zip(30..).map(|((one, other), day)| ruling(*one, *other, false, day));
        let back: Vec<Ruling> = if parted { splits.collect() } else { undone.collect() };
        let rulings = merges.into_iter().chain(back).collect();
        prop_assert_eq!(dump(&state(rulings, &turns, &plain, false)), expected);
    }
}
