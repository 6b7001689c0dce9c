//! From the tables to what was asked for: derived facts, and the proofs that they rest on.

use rustc_hash::FxHashMap;

use super::compile::inverse;
use super::evaluate::{Asked, End, Evaluation, Goal, Origin, Tuple, is_premise};
use super::intervals::{difference, set};
use super::proof::{Derivation, DerivedFact, DerivedObject, Premise, Proof, ProofIx, derived_id};
use crate::graph::{EntityIx, FactIx};
use crate::model::fact::Polarity;
use crate::model::predicate::Predicate;
use crate::model::time::Interval;

/// What was found for these goals.
pub(super) fn answer(evaluation: &mut Evaluation<'_, '_>, asked: Asked<'_>, goals: &[usize]) -> Derivation {
    let mut answer =
        Derivation { looked_at: evaluation.looked_at, cut: evaluation.cut, ..Derivation::default() };
    let mut numbers = FxHashMap::default();
    for &goal in goals {
        let goal = &evaluation.goals[goal];
        for (other, tuples) in &goal.by_other {
            let all = tuples.iter().map(|number| (*number, &evaluation.tuples[*number]));
            let (mut derived, stated): (Vec<_>, Vec<_>) =
                all.partition(|(_, tuple)| matches!(tuple.origin, Origin::Rule { .. }));
            let times = |tuples: &[(usize, &Tuple<'_>)]| {
                set(tuples.iter().flat_map(|(_, tuple)| tuple.held.intervals.iter().copied()).collect())
            };
            // What is stated is not told twice.
            let stated = times(&stated);
            derived.retain(|(_, tuple)| !difference(&tuple.held.intervals, &stated).is_empty());
            if derived.is_empty() {
                continue;
            }
            let intervals = difference(&times(&derived), &stated);
            let mut proofs: Vec<ProofIx> = derived
                .iter()
                .map(|(number, _)| prove(evaluation, *number, asked, &mut answer, &mut numbers))
                .collect();
            proofs.sort_by_cached_key(|ix| answer.merit(*ix));
            answer.facts.push(fact(evaluation, goal, *other, (intervals, proofs), &answer));
        }
    }
    if let Some(predicate) = asked.predicate {
        turned(evaluation, asked.entity, predicate, &mut answer);
    }
    answer.facts.sort_by(|a, b| (&a.predicate, a.id).cmp(&(&b.predicate, b.id)));
    answer
}

fn fact(
    evaluation: &Evaluation<'_, '_>,
    goal: &Goal<'_>,
    other: End<'_>,
    (intervals, proofs): (Vec<Interval>, Vec<ProofIx>),
    answer: &Derivation,
) -> DerivedFact {
    let relation = evaluation.rules.relation(goal.key.relation);
    let mut ends = [DerivedObject::Entity(goal.key.at), object(other)];
    // Read from its first end, or where it is the same from both, from the one that comes first.
    if goal.key.side == 1 || (relation.symmetric && follows(evaluation, &ends)) {
        ends.swap(0, 1);
    }
    let [first, second] = &ends;
    let best = answer.proof(proofs[0]);
    let all = || proofs.iter().map(|ix| answer.proof(*ix));
    DerivedFact {
        id: derived_id(evaluation.state, &relation.name, [first, second]),
        subject: best.subject,
        predicate: best.predicate.clone(),
        object: best.object.clone(),
        intervals,
        confidence: all().map(|proof| proof.confidence).fold(0.0, f32::max),
        contested: all().all(|proof| proof.contested),
        proofs,
    }
}

/// Whether the second of two ends comes before the first, whichever was asked of.
fn follows(evaluation: &Evaluation<'_, '_>, ends: &[DerivedObject; 2]) -> bool {
    let id = |end: &DerivedObject| match end {
        DerivedObject::Entity(ix) => Some(evaluation.state.entity(*ix).id),
        DerivedObject::Value(_) => None,
    };
    let [first, second] = ends;
    id(second).is_some_and(|second| Some(second) < id(first))
}

fn object(end: End<'_>) -> DerivedObject {
    match end {
        End::Entity(ix) => DerivedObject::Entity(ix),
        End::Value(value) => DerivedObject::Value(value.to_owned()),
    }
}

/// The number of the proof that a derived tuple is, after those of its premises.
fn prove(
    evaluation: &Evaluation<'_, '_>,
    number: usize,
    asked: Asked<'_>,
    answer: &mut Derivation,
    numbers: &mut FxHashMap<usize, ProofIx>,
) -> ProofIx {
    // Premises come before what they prove, so in the order of numbers each is there when it is needed.
    let mut needed = vec![number];
    let mut place = 0;
    while let Some(tuple) = needed.get(place) {
        if let Origin::Rule { premises, .. } = &evaluation.tuples[*tuple].origin {
            let rules = |number: &usize| matches!(evaluation.tuples[*number].origin, Origin::Rule { .. });
            let new: Vec<usize> = premises.iter().copied().filter(rules).collect();
            needed.extend(new.into_iter().filter(|number| !numbers.contains_key(number)));
        }
        place += 1;
    }
    needed.sort_unstable();
    needed.dedup();
    for number in needed {
        if !numbers.contains_key(&number) {
            let proof = proof(evaluation, &evaluation.tuples[number], asked, numbers);
            numbers.insert(number, ProofIx(answer.proofs.len() as u32));
            answer.proofs.push(proof);
        }
    }
    numbers[&number]
}

fn proof(
    evaluation: &Evaluation<'_, '_>,
    tuple: &Tuple<'_>,
    asked: Asked<'_>,
    numbers: &FxHashMap<usize, ProofIx>,
) -> Proof {
    let Origin::Rule { rule, premises } = &tuple.origin else {
        unreachable!("only what followed is proved");
    };
    let premise = |number: &usize| match evaluation.tuples[*number].origin {
        Origin::Stated(fact) => Premise::Stated(fact),
        Origin::Rule { .. } => Premise::Derived(numbers[number]),
    };
    let (rules, key) = (evaluation.rules, evaluation.goals[tuple.goal].key);
    let reading =
        |predicate: &Predicate| rules.reading(predicate).filter(|read| read.relation == key.relation);
    // As it was asked for, if it can be told so: a plain value is no subject. Or else as the rule tells it.
    let wanted =
        asked.predicate.filter(|wanted| matches!(tuple.other, End::Entity(_)) && reading(wanted).is_some());
    let predicate = wanted.unwrap_or_else(|| rules.told(*rule));
    let flipped = reading(predicate).is_some_and(|reading| reading.flipped);
    let outward = rules.relation(key.relation).symmetric || (key.side == 1) == flipped;
    let (subject, object) = match tuple.other {
        End::Entity(other) if !outward => (other, DerivedObject::Entity(key.at)),
        other => (key.at, object(other)),
    };
    let held = &tuple.held;
    Proof {
        subject,
        predicate: predicate.clone(),
        object,
        rule: Some(*rule),
        premises: premises.iter().map(premise).collect(),
        intervals: held.intervals.clone(),
        confidence: held.confidence,
        contested: held.contested,
    }
}

impl Derivation {
    /// What proofs are ordered by, the best first: not contested, true the latest, sure, and short.
    fn merit(&self, ix: ProofIx) -> impl Ord + use<> {
        let proof = self.proof(ix);
        let end = proof.intervals.last().and_then(|last| last.to);
        let last = end.map_or(i64::MIN, |end| -end.as_millis());
        let doubt = 1.0 - proof.confidence;
        (proof.contested, last, doubt.to_bits(), self.leaves(ix).len(), ix)
    }
}

/// Adds what is stated of an entity from the other end only: that Ana reports to Rui, where it is stated that
/// Rui manages Ana.
fn turned(
    evaluation: &mut Evaluation<'_, '_>,
    entity: EntityIx,
    predicate: &Predicate,
    answer: &mut Derivation,
) {
    let state = evaluation.state;
    let other = inverse(predicate).filter(|inverse| inverse != predicate);
    let Some(other) = other else { return };
    let Some(number) = state.find_predicate(&other) else { return };
    let own = state.find_predicate(predicate).map_or(&[][..], |number| state.relation(entity, number));
    let facts = state.relation(entity, number).iter().copied().take(evaluation.limits.facts);
    let mut facts: Vec<FactIx> = facts.collect();
    facts.sort_unstable_by_key(|ix| state.fact(*ix).id);
    for ix in facts {
        answer.looked_at += 1;
        let fact = state.fact(ix);
        let Some(object) = fact.object.filter(|_| is_premise(fact) && fact.polarity == Polarity::Affirmed)
        else {
            continue;
        };
        let stated = own.iter().map(|ix| state.fact(*ix)).any(|own| {
            (own.subject, own.object) == (object, Some(fact.subject)) && own.polarity == Polarity::Affirmed
        });
        let held = (evaluation.held)(ix);
        let intervals = set(held.intervals);
        if stated || intervals.is_empty() {
            continue;
        }
        let (subject, target) = (object, DerivedObject::Entity(fact.subject));
        let proof = ProofIx(answer.proofs.len() as u32);
        answer.proofs.push(Proof {
            subject,
            predicate: predicate.clone(),
            object: target.clone(),
            rule: None,
            premises: vec![Premise::Stated(ix)],
            intervals: intervals.clone(),
            confidence: held.confidence,
            contested: held.contested,
        });
        answer.facts.push(DerivedFact {
            id: if other < *predicate {
                derived_id(state, &other, [&target, &DerivedObject::Entity(subject)])
            } else {
                derived_id(state, predicate, [&DerivedObject::Entity(subject), &target])
            },
            subject,
            predicate: predicate.clone(),
            object: target,
            intervals,
            confidence: held.confidence,
            contested: held.contested,
            proofs: vec![proof],
        });
    }
}
