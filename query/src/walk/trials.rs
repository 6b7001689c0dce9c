//! Walks over random graphs against the plainest way to say what they must find: graphs that are told in two goes, of which
//! something is forgotten, looked at from some moment.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use lorebase_engine::Missing;
use lorebase_engine::change::Changes;
use lorebase_engine::embed::HashEmbedder;
use lorebase_engine::engine::{Engine, Reader};
use lorebase_engine::graph::{EntityIx, FactIx};
use lorebase_engine::model::entity::EntityKind;
use lorebase_engine::model::episode::{Episode, ExtractionStatus, Span};
use lorebase_engine::model::extraction::{Extraction, Reading};
use lorebase_engine::model::fact::{Named, Polarity, Triple, TripleObject};
use lorebase_engine::model::id::{Namespace, SessionId};
use lorebase_engine::model::predicate::Predicate;
use lorebase_engine::model::time::{Interval, Moment, SourceTime, Timestamp};
use lorebase_engine::state::{PredicateIx, State};
use proptest::prelude::*;

use super::rank::Shares;
use super::score::Scorer;
use super::sight::Sight;
use super::{Over, Step, neighbours, paths};

const PREDICATES: [&str; 4] = ["friend_of", "works_at", "likes", "juggles_with"];
const ENTITIES: usize = 9;

/// A fact that an episode of its own states.
#[derive(Debug, Clone)]
struct Told {
    subject: usize,
    predicate: usize,
    /// An entity, or from [`ENTITIES`] on a plain value.
    object: usize,
    is_so: bool,
    valid: (Option<i64>, Option<i64>),
    hedged: bool,
    forgotten: bool,
}

fn told() -> impl Strategy<Value = Told> {
    let says = (0..ENTITIES, 0..PREDICATES.len(), 0..ENTITIES + 2);
    let days = (prop::option::weighted(0.3, 0..20_i64), prop::option::weighted(0.2, 20..40_i64));
    let rest = (prop::bool::weighted(0.9), prop::bool::weighted(0.2), prop::bool::weighted(0.1));
    (says, days, rest).prop_map(|((subject, predicate, object), valid, (is_so, hedged, forgotten))| Told {
        subject,
        predicate,
        object,
        is_so,
        valid,
        hedged,
        forgotten,
    })
}

/// What is asked.
#[derive(Debug, Clone)]
struct Wanted {
    from: usize,
    to: usize,
    hops: usize,
    k: usize,
    limit: usize,
    predicates: Option<Vec<usize>>,
    now: i64,
    as_of: Option<i64>,
    known_at: Option<i64>,
}

fn wanted() -> impl Strategy<Value = Wanted> {
    let ends = (0..ENTITIES, 0..ENTITIES, 1..6_usize, 1..6_usize, 1..12_usize);
    let predicates = prop::option::weighted(0.4, prop::collection::vec(0..PREDICATES.len(), 1..3));
    let times = (0..90_i64, prop::option::weighted(0.3, 0..40_i64), prop::option::weighted(0.2, 0..60_i64));
    (ends, predicates, times).prop_map(|((from, to, hops, k, limit), predicates, (now, as_of, known_at))| {
        Wanted { from, to, hops, k, limit, predicates, now, as_of, known_at }
    })
}

fn day(number: i64) -> Timestamp {
    Timestamp::from_millis(1_682_900_000_000 + number * 86_400_000).unwrap()
}

/// The changes by which facts are told from some day on, an episode each.
fn changes(all: &[Told], first: usize) -> Changes {
    let mut changes = Changes::default();
    for (number, told) in (first..).zip(all) {
        let at = day(number as i64);
        let (session, text) = (SessionId::new(&format!("s{}", number / 4)), format!("note {number}"));
        let occurred_at = Some(SourceTime { instant: at, offset_minutes: None });
        let id = Episode::id_of(&Namespace::default(), &session, number as u32, (None, occurred_at), &text);
        let named = |number: usize| Named { name: format!("E{number}"), kind: EntityKind::Unknown };
        let object = if told.object < ENTITIES {
            TripleObject::Entity(named(told.object))
        } else {
            TripleObject::Value(format!("value {}", told.object))
        };
        let valid = Interval { from: told.valid.0.map(day), to: told.valid.1.map(day) };
        let polarity = if told.is_so { Polarity::Affirmed } else { Polarity::Negated };
        let span = Span { start: 0, end: 4 };
        let predicate = Predicate::new(PREDICATES[told.predicate]);
        let plain = Triple::new(named(told.subject), predicate, object);
        let triples = vec![Triple { valid, polarity, span, hedged: told.hedged, confidence: 0.9, ..plain }];
        let found = Extraction { triples, ..Extraction::default() };
        let status = ExtractionStatus::Done;
        changes.readings.push(Reading { episode: id, extractor: "trial-1".to_owned(), status, found });
        changes.episodes.push(Episode {
            id,
            session,
            position: number as u32,
            speaker: None,
            text,
            occurred_at,
            recorded_at: at,
            source_id: None,
            expires_at: None,
            told_at: None,
        });
    }
    changes
}

/// A memory that was told half of it, laid out for walks, and then told the rest and made to forget.
fn engine(directory: &std::path::Path, all: &[Told]) -> Engine {
    let (engine, _) = Engine::open(directory, Missing::Create, Arc::new(HashEmbedder::default())).unwrap();
    let namespace = Namespace::default();
    let half = all.len() / 2;
    let mut forgets = Vec::new();
    for (first, part) in [(0, &all[..half]), (half, &all[half..])] {
        let changes = changes(part, first);
        let ids = changes.episodes.iter().map(|episode| episode.id).zip(part);
        forgets.extend(ids.filter(|(_, told)| told.forgotten).map(|(id, _)| id));
        engine.commit(&namespace, changes).unwrap();
        engine.reader(&namespace).unwrap().state().compact();
    }
    if !forgets.is_empty() {
        engine.commit(&namespace, Changes { forgets, ..Changes::default() }).unwrap();
    }
    engine
}

/// The steps that a walk may take, worked out from the list of facts.
fn steps(state: &State, over: Over<'_>) -> Vec<Step> {
    let so = |ix: FactIx| {
        let fact = state.fact(ix);
        let at = over.moment.as_of.or(over.moment.now).unwrap();
        let stays = state.held(ix, &over.moment);
        fact.polarity == Polarity::Affirmed && !fact.support().is_empty() && state.was_so(ix, &stays, at)
    };
    let facts = (0..state.facts().len() as u32).map(FactIx);
    let mut steps = Vec::new();
    for ix in facts.filter(|ix| so(*ix)) {
        let fact = state.fact(ix);
        if over.predicates.is_some_and(|wanted| !wanted.contains(&fact.predicate)) {
            continue;
        }
        steps.push(Step { from: fact.subject, fact: ix, to: fact.object });
        let back = fact.object.filter(|object| *object != fact.subject);
        steps.extend(back.map(|object| Step { from: object, fact: ix, to: Some(fact.subject) }));
    }
    steps
}

/// How far each entity is from one, and each value: those that are not further than `hops`.
fn distances(steps: &[Step], from: EntityIx, hops: usize) -> (BTreeMap<EntityIx, usize>, Vec<usize>) {
    let mut near = BTreeMap::from([(from, 0)]);
    let mut values = Vec::new();
    for hop in 1..=hops {
        let border: BTreeSet<EntityIx> =
            near.iter().filter(|(_, far)| **far == hop - 1).map(|(entity, _)| *entity).collect();
        for step in steps.iter().filter(|step| border.contains(&step.from)) {
            match step.to {
                Some(to) => _ = near.entry(to).or_insert(hop),
                None => values.push(hop),
            }
        }
    }
    near.remove(&from);
    (near, values)
}

/// Every path that goes through no entity twice.
fn all_paths(steps: &[Step], from: EntityIx, to: EntityIx, hops: usize) -> Vec<Vec<Step>> {
    let mut whole = Vec::new();
    let mut open: Vec<Vec<Step>> = vec![Vec::new()];
    while let Some(path) = open.pop() {
        let at = path.last().map_or(from, |step: &Step| step.to.unwrap());
        if at == to {
            whole.push(path);
            continue;
        }
        if path.len() == hops {
            continue;
        }
        for step in steps.iter().filter(|step| step.from == at) {
            let Some(next) = step.to else { continue };
            if next != from && path.iter().all(|been| been.to != Some(next)) {
                open.push([&path[..], &[*step]].concat());
            }
        }
    }
    whole
}

/// The probabilities of the ranking, by walking until nothing changes.
pub(super) fn exact(shares: &Shares, from: EntityIx) -> Vec<f64> {
    let mut here = vec![0.0; shares.entities()];
    let mut stays = here.clone();
    here[from.index()] = 1.0;
    for _ in 0..200 {
        let mut next = vec![0.0; here.len()];
        for (number, left) in (0..).zip(&here) {
            stays[number as usize] += 0.15 * left;
            for (to, share) in shares.ways(EntityIx(number)) {
                next[to.index()] += 0.85 * left * f64::from(share);
            }
        }
        here = next;
    }
    stays
}

/// What is asked, in the terms of one state; nothing where an entity is not known.
struct Terms {
    ends: (EntityIx, EntityIx),
    predicates: Option<Vec<PredicateIx>>,
    moment: Moment,
}

impl Terms {
    fn of(state: &State, wanted: &Wanted) -> Option<Self> {
        let named = |number: usize| state.entity_exactly(&format!("e{number}"));
        let numbers = |wanted: &Vec<usize>| {
            let mut wanted = wanted.clone();
            wanted.sort_unstable();
            wanted.dedup();
            let names = wanted.into_iter().map(|number| Predicate::new(PREDICATES[number]));
            names.filter_map(|name| state.find_predicate(&name)).collect()
        };
        let moment = Moment {
            now: Some(day(wanted.now)),
            as_of: wanted.as_of.map(day),
            known_at: wanted.known_at.map(day),
        };
        let ends = (named(wanted.from)?, named(wanted.to)?);
        Some(Self { ends, predicates: wanted.predicates.as_ref().map(numbers), moment })
    }

    fn over(&self) -> Over<'_> {
        Over { predicates: self.predicates.as_deref(), moment: self.moment, ..Over::default() }
    }
}

fn check_neighbours(state: &State, wanted: &Wanted, terms: &Terms) {
    let steps = steps(state, terms.over());
    let (near, mut values) = distances(&steps, terms.ends.0, wanted.hops);
    let from = [terms.ends.0];
    let asked =
        |limit| neighbours::Asked { from: &from, hops: wanted.hops, kind: None, limit, over: terms.over() };
    let all = neighbours::neighbours(state, asked(1000));
    let mut found = BTreeMap::new();
    let mut found_values = Vec::new();
    for &place in &all.found {
        let (reached, path) = (all.reached[place], all.path(place));
        assert_eq!(path.len(), reached.hops as usize);
        assert_eq!((path[0].from, path.last().unwrap().to), (terms.ends.0, reached.entity));
        assert!(path.iter().all(|step| steps.contains(step)), "a path takes steps that there are");
        assert!(path.windows(2).all(|two| two[0].to == Some(two[1].from)));
        match reached.entity {
            Some(entity) => assert_eq!(found.insert(entity, reached.hops as usize), None),
            None => found_values.push(reached.hops as usize),
        }
    }
    values.sort_unstable();
    assert_eq!((found, found_values), (near, values));
    assert!(!all.more);
    let some = neighbours::neighbours(state, asked(wanted.limit));
    assert!(some.found.iter().all(|place| all.found.contains(place)));
    assert_eq!(some.found.len(), wanted.limit.min(all.found.len()));
    let far = |told: &neighbours::Neighbourhood, place: usize| told.reached[told.found[place]].hops;
    assert!((0..some.found.len()).all(|place| far(&some, place) == far(&all, place)), "nearest first");
    assert_eq!(some.more, all.found.len() > wanted.limit);
}

fn check_paths(state: &State, wanted: &Wanted, terms: &Terms) {
    let (from, to) = terms.ends;
    if from == to {
        return;
    }
    let mut scorer = Scorer::of(state, &Sight::of(state, terms.over()));
    let mut score = |path: &[Step]| {
        let own: f32 = path.iter().map(|step| scorer.step(step.fact)).product();
        let through = path.iter().skip(1).map(|step| scorer.specificity(step.from)).product::<f32>();
        own * through
    };
    let all = all_paths(&steps(state, terms.over()), from, to, wanted.hops);
    let mut best: Vec<f32> = all.iter().map(|path| score(path)).collect();
    best.sort_by(|one, other| other.total_cmp(one));
    best.truncate(wanted.k);
    let asked = paths::Asked { from: &[from], to: &[to], hops: wanted.hops, k: wanted.k, over: terms.over() };
    let found = paths::paths(state, asked);
    assert!(!found.cut);
    assert_eq!(found.found.len(), best.len());
    for (path, best) in found.found.iter().zip(&best) {
        assert!((path.score - best).abs() <= 1e-5 * best, "{} for {best}", path.score);
        assert!((path.score - score(&path.steps)).abs() <= 1e-5 * best);
        assert!(all.contains(&path.steps), "{path:?}");
    }
    let each: BTreeSet<&Vec<Step>> = found.found.iter().map(|path| &path.steps).collect();
    assert_eq!(each.len(), best.len(), "no path is given twice");
}

fn check_ranking(state: &State, terms: &Terms) {
    let shares = Shares::of(state, terms.over());
    let exact = exact(&shares, terms.ends.0);
    let ranking = shares.rank(&[terms.ends.0], ENTITIES);
    let reached = exact.iter().filter(|score| **score > 0.0).count();
    assert_eq!(ranking.found.len(), reached.saturating_sub(1), "the walker itself is left out");
    for ranked in &ranking.found {
        let wanted = exact[ranked.entity.index()];
        assert!((f64::from(ranked.score) - wanted).abs() < 1e-3, "{} for {wanted}", ranked.score);
        let way = ranking.way_to(ranked.entity);
        assert_eq!((way[0], way[way.len() - 1]), (terms.ends.0, ranked.entity));
        assert!(way.windows(2).all(|two| shares.ways(two[0]).any(|(to, _)| to == two[1])));
    }
}

fn check_all(reader: &Reader, wanted: &Wanted) {
    let state = reader.state();
    let Some(terms) = Terms::of(state, wanted) else { return };
    check_neighbours(state, wanted, &terms);
    check_paths(state, wanted, &terms);
    check_ranking(state, &terms);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn walks_find_what_the_facts_say(
        all in prop::collection::vec(told(), 2..40),
        wanted in prop::collection::vec(wanted(), 6),
    ) {
        let directory = tempfile::tempdir().unwrap();
        let engine = engine(directory.path(), &all);
        prop_assert_eq!(engine.check().unwrap(), Vec::<String>::new());
        let reader = engine.reader(&Namespace::default()).unwrap();
        for wanted in &wanted {
            check_all(&reader, wanted);
        }
    }
}

/// That one is a friend of another.
fn friends(one: usize, other: usize) -> Told {
    let (is_so, hedged, forgotten) = (true, false, false);
    Told { subject: one, predicate: 0, object: other, is_so, valid: (None, None), hedged, forgotten }
}

#[test]
fn the_less_is_told_of_who_is_between_the_better() {
    let directory = tempfile::tempdir().unwrap();
    let tied = [(0, 1), (1, 2), (0, 3), (3, 2), (3, 4), (3, 5), (3, 6)];
    let engine = engine(directory.path(), &tied.map(|(one, other)| friends(one, other)));
    let reader = engine.reader(&Namespace::default()).unwrap();
    let named = |name: &str| reader.state().entity_exactly(name).unwrap();
    let [from, to] = ["e0", "e2"].map(|name| [named(name)]);
    let asked = paths::Asked { from: &from, to: &to, hops: 3, k: 2, over: Over::default() };
    let through: Vec<_> =
        paths::paths(reader.state(), asked).found.iter().map(|path| path.steps[0].to).collect();
    assert_eq!(through, ["e1", "e3"].map(|name| Some(named(name))));
}

#[test]
fn a_walk_that_would_look_at_too_much_says_so() {
    let directory = tempfile::tempdir().unwrap();
    let all: Vec<Told> = (1..ENTITIES).map(|other| friends(0, other)).collect();
    let engine = engine(directory.path(), &all);
    let reader = engine.reader(&Namespace::default()).unwrap();
    let named = |name: &str| reader.state().entity_exactly(name).unwrap();
    let [hub, from, to] = ["e0", "e1", "e2"].map(|name| [named(name)]);
    for (looked_at, found) in [(5, 5), (8, 8)] {
        let over = Over { looked_at, ..Over::default() };
        let asked = neighbours::Asked { from: &hub, hops: 1, kind: None, limit: 100, over };
        let near = neighbours::neighbours(reader.state(), asked);
        assert_eq!((near.found.len(), near.more), (found, found < 8));
        let asked = paths::Asked { from: &from, to: &to, hops: 4, k: 3, over };
        assert!(paths::paths(reader.state(), asked).cut);
    }
}

#[test]
fn what_was_worked_out_for_the_ranking_is_kept_until_facts_change() {
    let directory = tempfile::tempdir().unwrap();
    let fact = |one, other, valid| Told { valid, ..friends(one, other) };
    let engine = engine(directory.path(), &[fact(0, 1, (None, None)), fact(1, 2, (None, Some(50)))]);
    let at = |number: i64| {
        let reader = engine.reader(&Namespace::default()).unwrap();
        Shares::at(reader.state(), Moment { now: Some(day(number)), ..Moment::default() })
    };
    let first = at(45);
    assert!(Arc::ptr_eq(&first, &at(46)), "nothing has begun or ended since");
    let ways = |shares: &Shares| (0..3).map(|number| shares.ways(EntityIx(number)).count()).sum::<usize>();
    assert_eq!((ways(&first), ways(&at(55))), (4, 2));
    engine.commit(&Namespace::default(), changes(&[fact(0, 2, (None, None))], 2)).unwrap();
    assert_eq!(ways(&at(46)), 6);
}
