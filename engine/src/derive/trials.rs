//! What is derived from random facts by random rules, for every end that can be asked, is what a plain fixed
//! point finds that works out everything at every time.

use proptest::prelude::*;
use rustc_hash::FxHashMap;

use super::rule::{Atom, Rule, Term};
use super::{Asked, Derivation, DerivedFact, DerivedObject, Held, Limits, Premise, Rules, derive};
use crate::embed::{Embedder, HashEmbedder};
use crate::graph::{EntityIx, FactIx};
use crate::model::entity::EntityKind;
use crate::model::episode::{Episode, ExtractionStatus, Span};
use crate::model::extraction::{Extraction, Reading};
use crate::model::fact::{Named, Polarity, Triple, TripleObject};
use crate::model::id::{Namespace, SessionId};
use crate::model::predicate::Predicate;
use crate::model::time::{Interval, Timestamp};
use crate::state::{Arrival, State};
use crate::store::TextRef;
use crate::text::fold_name;

/// How many worlds are made up.
const WORLDS: &str = "LOREBASE_DERIVATIONS";
const USUAL_WORLDS: u32 = 200;

/// Times at which something may hold, and what stands in rules and facts. The first two predicates are
/// inverse, the third is symmetric.
const TIMES: u32 = 5;
const PREDICATES: [&str; 6] = ["manages", "reports_to", "knows", "holds", "near", "above"];
const ENTITIES: [&str; 5] = ["Ebba", "Fyn", "Gro", "Halle", "Isak"];
const VALUES: [&str; 2] = ["a red one", "Seven"];
const TERMS: [&str; 7] = ["A", "B", "C", "D", "\"Ebba\"", "\"fyn\"", "\"seven\""];

/// A fact, as it is held: predicate, subject, object (values after entities), the times, and the rest.
#[derive(Debug, Clone)]
struct Given {
    says: (usize, usize, usize),
    is_so: bool,
    times: u32,
    confidence: f32,
    contested: bool,
}

/// What a fact is about.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
enum Thing {
    Entity(usize),
    Value(String),
}

type Says = (String, Thing, Thing);

/// How sure it is at one time, and whether it is contested.
type Sure = (f32, bool);

fn given() -> impl Strategy<Value = Given> {
    let objects = 0..ENTITIES.len() + VALUES.len();
    let says = (0..PREDICATES.len(), 0..ENTITIES.len(), objects);
    let sure = prop_oneof![3 => Just(1.0f32), 1 => Just(0.9), 1 => Just(0.5)];
    let times = prop_oneof![2 => Just((1 << TIMES) - 1), 3 => 1u32..1 << TIMES];
    (says, prop::bool::weighted(0.9), times, sure, prop::bool::weighted(0.2)).prop_map(
        |(says, is_so, times, confidence, contested)| Given { says, is_so, times, confidence, contested },
    )
}

fn rule() -> impl Strategy<Value = Rule> {
    let term = || prop_oneof![8 => 0usize..4, 1 => 4usize..TERMS.len()];
    let atom = move || (0..PREDICATES.len(), term(), term());
    (prop::collection::vec(atom(), 1..4), atom()).prop_filter_map("no rule", |(body, head)| {
        let atom = |(predicate, one, other): &(usize, usize, usize)| {
            format!("{}({},{})", PREDICATES[*predicate], TERMS[*one], TERMS[*other])
        };
        let named =
            |(_, one, other): &(usize, usize, usize)| [*one, *other].iter().any(|term| (4..6).contains(term));
        // What a rule says of a constant is found from there only where another one leads on.
        let leads = !named(&head) || body.iter().any(named);
        let body: Vec<String> = body.iter().map(atom).collect();
        format!("{} -> {}", body.join(","), atom(&head)).parse().ok().filter(|_| leads)
    })
}

fn at(time: u32) -> Option<Timestamp> {
    Timestamp::from_millis(i64::from(time) * 1000).ok()
}

/// The times as intervals, one a time; the last of them is open.
fn intervals(times: u32) -> Vec<Interval> {
    let each = (0..TIMES).filter(|time| times & (1 << time) != 0);
    each.map(|time| Interval { from: at(time), to: at(time + 1).filter(|_| time + 1 < TIMES) }).collect()
}

fn times_of(intervals: &[Interval]) -> u32 {
    let inside = |time: u32, interval: &Interval| {
        interval.from <= at(time) && interval.to.is_none_or(|to| at(time).is_some_and(|at| at < to))
    };
    let held = (0..TIMES).filter(|time| intervals.iter().any(|interval| inside(*time, interval)));
    held.fold(0, |times, time| times | 1 << time)
}

/// A namespace that states these triples, a turn each.
pub(super) fn state_of(triples: &[Triple]) -> State {
    let identity = HashEmbedder::default().identity().clone();
    let (namespace, session) = (Namespace::default(), SessionId::new("s"));
    let mut state = State::new(namespace.clone(), identity);
    for (number, triple) in (0..).zip(triples) {
        let text = format!("turn {number}");
        let recorded_at = Timestamp::from_millis(0).unwrap();
        let episode = Episode::new(&namespace, session.clone(), number, (None, None), &text, recorded_at);
        let id = episode.id;
        let triple = Triple { span: Span { start: 0, end: 4 }, ..triple.clone() };
        let found = Extraction { triples: vec![triple], ..Extraction::default() };
        let reading =
            Reading { episode: id, extractor: "test".into(), status: ExtractionStatus::Done, found };
        let place = TextRef { segment: 1, offset: u64::from(number), bytes: 7, crc: 9, salt: 5 };
        state.apply(&[Arrival { episode: &episode, text: &text, place, vector: None }], [&reading]);
    }
    state.settle();
    state
}

pub(super) fn named(name: &str) -> Named {
    Named { name: name.to_owned(), kind: EntityKind::Person }
}

fn state(given: &[Given]) -> State {
    let triple = |given: &Given| {
        let (predicate, subject, object) = given.says;
        let object = match object.checked_sub(ENTITIES.len()) {
            Some(value) => TripleObject::Value(VALUES[value].to_owned()),
            None => TripleObject::Entity(named(ENTITIES[object])),
        };
        let polarity = if given.is_so { Polarity::Affirmed } else { Polarity::Negated };
        let predicate = Predicate::new(PREDICATES[predicate]);
        Triple { polarity, ..Triple::new(named(ENTITIES[subject]), predicate, object) }
    };
    state_of(&given.iter().map(triple).collect::<Vec<_>>())
}

/// The number of the fact that states what is given.
fn fact_of(state: &State, number: usize) -> FactIx {
    let episode = state.living().nth(number).unwrap();
    state.episode(episode).facts()[0]
}

/// The same from the other end, where the predicate has an inverse.
fn turned((predicate, one, other): &Says) -> Option<Says> {
    let spec = Predicate::new(predicate).spec()?;
    Some((spec.inverse?.to_owned(), other.clone(), one.clone()))
}

fn both_ways(says: Says) -> impl Iterator<Item = Says> {
    let turned = turned(&says);
    [Some(says), turned].into_iter().flatten()
}

/// The plain model at one time: what is stated, what is denied, and what follows.
#[derive(Default)]
struct Moment {
    stated: FxHashMap<Says, Sure>,
    denied: Vec<Says>,
    derived: FxHashMap<Says, Sure>,
}

fn better(known: &mut FxHashMap<Says, Sure>, says: Says, sure: Sure) -> bool {
    let before = known.get(&says).copied();
    let (confidence, contested) = before.unwrap_or((0.0, true));
    let after = (confidence.max(sure.0), contested && sure.1);
    known.insert(says, after);
    // A product may come out otherwise in another order.
    before.is_none_or(|before| after.0 > before.0 + 1e-6 || after.1 != before.1)
}

impl Moment {
    fn of(given: &[Given], rules: &[Rule], time: u32) -> Self {
        let mut moment = Self::default();
        for fact in given.iter().filter(|fact| fact.times & (1 << time) != 0) {
            let (predicate, subject, object) = fact.says;
            if subject == object {
                continue;
            }
            let object = match object.checked_sub(ENTITIES.len()) {
                Some(value) => Thing::Value(VALUES[value].to_owned()),
                None => Thing::Entity(object),
            };
            for says in both_ways((PREDICATES[predicate].to_owned(), Thing::Entity(subject), object)) {
                if fact.is_so {
                    better(&mut moment.stated, says, (fact.confidence, fact.contested));
                } else {
                    moment.denied.push(says);
                }
            }
        }
        while rules.iter().any(|rule| moment.apply(rule, given)) {}
        moment
    }

    fn apply(&mut self, rule: &Rule, given: &[Given]) -> bool {
        let mut followed = Vec::new();
        self.meet(rule, rule.body(), &mut FxHashMap::default(), (1.0, false), given, &mut followed);
        let mut grown = false;
        for (says, sure) in followed {
            for says in both_ways(says) {
                if says.1 != says.2 && !self.denied.contains(&says) {
                    grown |= better(&mut self.derived, says, sure);
                }
            }
        }
        grown
    }

    fn meet<'r>(
        &self,
        rule: &'r Rule,
        open: &'r [Atom],
        bound: &mut FxHashMap<&'r str, Thing>,
        sure: Sure,
        given: &[Given],
        followed: &mut Vec<(Says, Sure)>,
    ) {
        let Some((atom, rest)) = open.split_first() else {
            let end = |term: &Term| match term {
                Term::Variable(name) => bound[name.as_str()].clone(),
                Term::Constant(text) => constant(text, given),
            };
            let [subject, object] = [&rule.head().ends[0], &rule.head().ends[1]].map(end);
            // A plain value is no subject.
            let symmetric = rule.head().predicate.as_str() == "knows";
            if matches!(subject, Thing::Entity(_)) || (symmetric && matches!(object, Thing::Entity(_))) {
                followed.push(((rule.head().predicate.to_string(), subject, object), sure));
            }
            return;
        };
        for (says, also) in self.stated.iter().chain(&self.derived) {
            if says.0 != atom.predicate.as_str() {
                continue;
            }
            let before = bound.clone();
            let fits =
                [(&atom.ends[0], &says.1), (&atom.ends[1], &says.2)].into_iter().all(|(term, thing)| {
                    match term {
                        Term::Constant(text) => match thing {
                            Thing::Value(value) => fold_name(value) == fold_name(text),
                            Thing::Entity(_) => constant(text, given) == *thing,
                        },
                        Term::Variable(name) => {
                            let stands = |atom: &&Atom| atom.variables().any(|other| other == name);
                            let ties = rule.body().iter().filter(stands).count() > 1;
                            let known = bound.entry(name).or_insert_with(|| thing.clone());
                            known == thing && (!ties || matches!(thing, Thing::Entity(_)))
                        }
                    }
                });
            if fits {
                self.meet(rule, rest, bound, (sure.0 * also.0, sure.1 || also.1), given, followed);
            }
            *bound = before;
        }
    }
}

/// The entity that is called so, if a fact is about it, or else the plain value.
fn constant(text: &str, given: &[Given]) -> Thing {
    let called = ENTITIES.iter().position(|name| fold_name(name) == fold_name(text));
    let used = called.filter(|ix| given.iter().any(|fact| fact.says.1 == *ix || fact.says.2 == *ix));
    used.map_or_else(|| Thing::Value(text.to_owned()), Thing::Entity)
}

/// What is to be found: of what follows, the times at which it is not stated, and how sure it is then.
fn expected(given: &[Given], rules: &[Rule]) -> FxHashMap<Says, (u32, f32, bool)> {
    let mut found: FxHashMap<Says, (u32, f32, bool)> = FxHashMap::default();
    for time in 0..TIMES {
        let moment = Moment::of(given, rules, time);
        for (says, (confidence, contested)) in moment.derived {
            if !moment.stated.contains_key(&says) {
                let known = found.entry(says).or_insert((0, 0.0, true));
                *known = (known.0 | 1 << time, known.1.max(confidence), known.2 && contested);
            }
        }
    }
    found
}

struct World {
    given: Vec<Given>,
    state: State,
    rules: Rules,
}

impl World {
    fn held(&self, ix: FactIx) -> Held {
        // The last one counts where the same is given twice, as it does for the model.
        let number = (0..self.given.len()).rev().find(|number| fact_of(&self.state, *number) == ix).unwrap();
        let Given { times, confidence, contested, .. } = &self.given[number];
        Held { intervals: intervals(*times), confidence: *confidence, contested: *contested }
    }

    fn entity(&self, ix: EntityIx) -> Thing {
        let name = self.state.entity(ix).folded_name();
        Thing::Entity(ENTITIES.iter().position(|known| fold_name(known) == name).unwrap())
    }

    fn says(&self, fact: &DerivedFact) -> Says {
        let object = match &fact.object {
            DerivedObject::Entity(ix) => self.entity(*ix),
            DerivedObject::Value(value) => Thing::Value(value.clone()),
        };
        (fact.predicate.to_string(), self.entity(fact.subject), object)
    }

    fn ask(&self, entity: EntityIx, predicate: Option<&Predicate>) -> Derivation {
        let limits = Limits { steps: 1 << 30, ..Limits::default() };
        derive(&self.state, &self.rules, Asked { entity, predicate }, limits, |ix| self.held(ix))
    }

    /// Holds everything that can be asked against the model.
    fn hold(&self) -> Result<(), TestCaseError> {
        let expected = expected(&self.given, self.rules.list());
        for ix in (0..self.state.entities().len() as u32).map(EntityIx) {
            let me = self.entity(ix);
            let about = |says: &&Says| says.1 == me || says.2 == me;
            let all = self.ask(ix, None);
            self.sound(&all)?;
            let mut wanted: FxHashMap<&Says, _> = expected.iter().filter(|(says, _)| about(says)).collect();
            for fact in &all.facts {
                let says = self.says(fact);
                let Some((times, confidence, contested)) = expected.get(&says) else {
                    return Err(TestCaseError::fail(format!("{says:?} does not follow")));
                };
                prop_assert_eq!((times_of(&fact.intervals), fact.contested), (*times, *contested));
                prop_assert!(
                    (fact.confidence - confidence).abs() < 1e-4,
                    "{} {}",
                    fact.confidence,
                    confidence
                );
                for says in both_ways(says) {
                    wanted.remove(&says);
                }
            }
            prop_assert!(wanted.is_empty(), "not found of {:?}: {:?}", me, wanted);
            for predicate in PREDICATES.map(Predicate::new) {
                let some = self.ask(ix, Some(&predicate));
                self.sound(&some)?;
                let told: Vec<Says> = some.facts.iter().map(|fact| self.says(fact)).collect();
                let missing =
                    |says: &&Says| about(says) && says.0 == predicate.as_str() && !told.contains(says);
                // Where the object is a plain value, it is told from the other end.
                let missing = expected.keys().filter(missing).find(|says| {
                    matches!((&says.1, &says.2), (Thing::Entity(_), Thing::Entity(_))) && says.0 != "knows"
                });
                prop_assert!(missing.is_none(), "not found: {:?}", missing);
                for (says, fact) in told.iter().zip(&some.facts) {
                    let by_rule = expected.contains_key(says);
                    prop_assert!(by_rule || some.proof(fact.best()).rule.is_none(), "{:?}", says);
                }
            }
        }
        Ok(())
    }

    /// Whether every proof stands on what stands before it, and holds when its facts do.
    fn sound(&self, derivation: &Derivation) -> Result<(), TestCaseError> {
        prop_assert_eq!(derivation.cut, None);
        for (number, proof) in (0..).zip(&derivation.proofs) {
            let before = |premise: &Premise| match premise {
                Premise::Stated(_) => true,
                Premise::Derived(ix) => ix.0 < number,
            };
            prop_assert!(!proof.premises.is_empty() && proof.premises.iter().all(before));
            for leaf in derivation.leaves(super::ProofIx(number)) {
                let held = times_of(&self.held(leaf).intervals);
                prop_assert_eq!(times_of(&proof.intervals) & !held, 0);
            }
        }
        Ok(())
    }
}

fn worlds() -> ProptestConfig {
    let cases = std::env::var(WORLDS).map_or(USUAL_WORLDS, |count| count.parse().unwrap());
    // Most atoms that are thrown together are no rule.
    ProptestConfig {
        max_local_rejects: u32::MAX,
        failure_persistence: None,
        ..ProptestConfig::with_cases(cases)
    }
}

/// The same claim given twice is one fact: the last one counts.
fn distinct(given: Vec<Given>) -> Vec<Given> {
    let mut kept: Vec<Given> = Vec::new();
    for fact in given {
        kept.retain(|known| (known.says, known.is_so) != (fact.says, fact.is_so));
        kept.push(fact);
    }
    kept
}

proptest! {
    #![proptest_config(worlds())]
    #[test]
    fn what_is_derived_is_what_a_plain_fixed_point_finds(
        given in prop::collection::vec(given(), 1..16).prop_map(distinct), rules in prop::collection::vec(rule(), 1..4)
    ) {
        let world = World { state: state(&given), given, rules: Rules::only(rules) };
        world.hold()?;
    }
}
