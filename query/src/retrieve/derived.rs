//! Ways over what nobody stated: a fact that follows by a rule is walked over fact by fact, as its proof
//! goes, so that what is found are the episodes that state its premises.

use std::borrow::Cow;

use lorebase_engine::derive::{
    Asked, Derivation, DerivedFact, DerivedObject, Held, Limits, ProofIx, Rules, derive, premise_by,
};
use lorebase_engine::graph::{EntityIx, FactIx};
use lorebase_engine::model::predicate::Predicate;
use lorebase_engine::state::{PredicateIx, State};
use rustc_hash::FxHashMap;

use crate::question::Cues;
use crate::retrieve::facts::FactStep;
use crate::score::Scores;

/// How far a rule is followed in a recall: it has milliseconds for all of them.
const LIMITS: Limits = Limits { depth: 8, facts: 1000, steps: 4000 };

/// What follows and the question may mean.
pub(crate) struct Derived {
    rules: Cow<'static, Rules>,
    /// The predicates that follow from something and that words of the question mean, with those words, a bit
    /// each.
    pub(crate) meant: Vec<(Predicate, u64)>,
    /// The ways from the entities reached so far, by the number of the predicate.
    ways: FxHashMap<(EntityIx, usize), Vec<DerivedWay>>,
    /// Facts looked at.
    pub(crate) looked_at: usize,
}

/// A fact that follows, as seen from one of its ends.
#[derive(Debug, Clone)]
pub(crate) struct DerivedWay {
    /// Where it leads; `None` where it says a plain value.
    pub(crate) to: Option<EntityIx>,
    /// The stated facts that it goes over; at least one.
    pub(crate) steps: Vec<FactStep>,
}

impl Derived {
    /// `stated` are the predicates of stated facts that words of the question mean, with those.
    pub(crate) fn of(state: &State, cues: &Cues, stated: &[(PredicateIx, u64)]) -> Self {
        let rules = Rules::of(state);
        let bits = |predicate: &Predicate| match state.find_predicate(predicate) {
            Some(ix) => stated.iter().find(|(known, _)| *known == ix).map_or(0, |(_, bits)| *bits),
            None => predicate.phrases().map(|phrase| cues.phrase(&phrase)).fold(0, |all, bits| all | bits),
        };
        let heads = rules.heads(state).into_iter();
        let heads = heads.map(|predicate| (predicate.clone(), bits(predicate)));
        let meant = heads.filter(|(_, bits)| *bits != 0).collect();
        Self { rules, meant, ways: FxHashMap::default(), looked_at: 0 }
    }

    /// The ways from an entity over what follows with the predicate of this number.
    pub(crate) fn ways(&mut self, scores: &Scores<'_>, at: EntityIx, number: usize) -> Vec<DerivedWay> {
        if let Some(known) = self.ways.get(&(at, number)) {
            return known.clone();
        }
        let state = scores.state;
        let asked = Asked { entity: at, predicate: Some(&self.meant[number].0) };
        let derivation = derive(state, &self.rules, asked, LIMITS, |ix| held(scores, ix));
        self.looked_at += derivation.looked_at;
        // What is only told from the other end is walked over as it is stated.
        let by_rule = |fact: &&DerivedFact| derivation.proof(fact.best()).rule.is_some();
        let way = |fact: &DerivedFact| {
            let object = if let DerivedObject::Entity(ix) = fact.object { Some(ix) } else { None };
            let to = if fact.subject == at { object } else { Some(fact.subject) };
            DerivedWay { to, steps: steps(state, &derivation, fact.best(), at) }
        };
        let found: Vec<DerivedWay> = derivation.facts.iter().filter(by_rule).map(way).collect();
        self.ways.insert((at, number), found.clone());
        found
    }
}

/// A stated fact as a premise, by what may be found.
fn held(scores: &Scores<'_>, ix: FactIx) -> Held {
    let counts = |episode| scores.findable(episode);
    let standing = if scores.sees_a_part() { scores.state.standing(ix, counts) } else { None };
    premise_by(scores.state, ix, None, standing, counts)
}

/// The stated facts of a proof as steps from one end of what it proves: each begins where a step before it
/// has led.
fn steps(state: &State, derivation: &Derivation, proof: ProofIx, at: EntityIx) -> Vec<FactStep> {
    let rule = derivation.proof(proof).rule;
    let mut left = derivation.leaves(proof);
    let (mut reached, mut steps) = (vec![at], Vec::with_capacity(left.len()));
    while !left.is_empty() {
        let ends = |ix: FactIx| (state.fact(ix).subject, state.fact(ix).object);
        let leads = |ix: &FactIx| {
            let (subject, object) = ends(*ix);
            reached.contains(&subject) || object.is_some_and(|object| reached.contains(&object))
        };
        let place = left.iter().position(leads).unwrap_or_default();
        let fact = left.remove(place);
        let (subject, object) = ends(fact);
        let outward = reached.contains(&subject);
        let (from, to) = if outward { (subject, object) } else { (object.unwrap_or(subject), Some(subject)) };
        reached.extend(to);
        steps.push(FactStep { from, fact, to, rule });
    }
    steps
}
