//! By the graph: from the entities that the question names over facts whose predicates it names, step by step.
//! "Where does Ana's sister work?" goes from Ana over `sibling_of` and `works_at`, and the episodes that state
//! the facts on the way are what answers it.

use lorebase_engine::graph::{EntityIx, EpisodeIx, FactIx};
use lorebase_engine::model::fact::FactStatus;
use lorebase_engine::model::predicate::Predicate;
use lorebase_engine::state::State;
use lorebase_engine::text;
use rustc_hash::FxHashMap;

use crate::question::Cues;
use crate::weights::{
    FACT_BEAM, FACT_BRANCHING, FACT_DEGREE, FACT_HOPS, FACT_NAMESAKE, FACT_OUTDATED, FACTS,
};

/// One step of a route: from an entity over a fact to what it ties the entity to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FactStep {
    /// Where it begins.
    pub from: EntityIx,
    /// Over which fact.
    pub fact: FactIx,
    /// Where it leads; `None` where the fact says a plain value.
    pub to: Option<EntityIx>,
}

/// The best route that an episode states a part of: what is added to its score, and the steps.
#[derive(Debug, Clone, Default)]
pub(crate) struct Routed {
    pub(crate) bonus: f32,
    pub(crate) steps: Vec<FactStep>,
}

/// What the routes lead to, and how much work it was.
#[derive(Debug, Default)]
pub(crate) struct Routes {
    pub(crate) found: FxHashMap<EpisodeIx, Routed>,
    /// Facts looked at.
    pub(crate) looked_at: usize,
}

#[derive(Debug, Clone)]
struct Route {
    at: Option<EntityIx>,
    weight: f32,
    /// The words of the question that the route accounts for, a bit each.
    explained: u64,
    steps: Vec<FactStep>,
}

struct Walker<'w> {
    state: &'w State,
    cues: &'w Cues,
    total: f32,
    /// Which words of the question mean a predicate.
    relations: FxHashMap<Predicate, u64>,
    looked_at: usize,
}

/// Follows routes from the entities that the question names. `scores` is by episode, negative for what may not
/// be found.
pub(crate) fn walk(state: &State, cues: &Cues, scores: &[f32]) -> Routes {
    let total: f32 = cues.content.iter().map(|word| word.mass).sum();
    let best = scores.iter().copied().fold(0.0, f32::max);
    let mut walker = Walker { state, cues, total, relations: FxHashMap::default(), looked_at: 0 };
    let mut routes = Routes::default();
    if total <= 0.0 {
        return routes;
    }
    let mut beam = walker.starts();
    for _ in 0..FACT_HOPS {
        let reached: Vec<Route> = beam.iter().flat_map(|route| walker.step(route)).collect();
        for route in &reached {
            let bonus = FACTS * walker.score(route) * best;
            walker.keep(route, bonus, scores, &mut routes.found);
        }
        beam = reached.into_iter().filter(|route| route.at.is_some()).collect();
        beam.sort_by(|a, b| walker.score(b).total_cmp(&walker.score(a)));
        beam.truncate(FACT_BEAM);
    }
    routes.looked_at = walker.looked_at;
    routes
}

impl Walker<'_> {
    fn starts(&self) -> Vec<Route> {
        let named = self.cues.named.iter();
        named
            .map(|(ix, bits)| Route { at: Some(*ix), weight: 1.0, explained: *bits, steps: Vec::new() })
            .collect()
    }

    /// How much of the question a route accounts for, damped by what it chose among.
    fn score(&self, route: &Route) -> f32 {
        let words = self.cues.content.iter().enumerate();
        let held = words.filter(|(place, _)| route.explained & bit(*place) != 0).map(|(_, word)| word.mass);
        route.weight * held.sum::<f32>() / self.total
    }

    /// The routes one fact further, from the entity reached and from those that are likely the same.
    fn step(&mut self, route: &Route) -> Vec<Route> {
        let Some(at) = route.at else { return Vec::new() };
        let mut next = self.step_from(route, at, 1.0);
        let others: Vec<EntityIx> = self.state.namesakes(at).collect();
        for &other in &others {
            let factor = FACT_NAMESAKE * (others.len() as f32).powf(-FACT_BRANCHING);
            next.extend(self.step_from(route, other, factor));
        }
        next
    }

    fn step_from(&mut self, route: &Route, at: EntityIx, factor: f32) -> Vec<Route> {
        let mut fitting: Vec<(FactIx, u64)> = Vec::new();
        let mut choices: FxHashMap<&Predicate, f32> = FxHashMap::default();
        let state = self.state;
        for &ix in state.facts_of(at).iter().take(FACT_DEGREE) {
            self.looked_at += 1;
            let fact = state.fact(ix);
            let gone = fact.support().is_empty() || route.steps.iter().any(|step| step.fact == ix);
            let relation = self.relation(&fact.claim.predicate) & !route.explained;
            if !gone && relation != 0 {
                fitting.push((ix, relation));
                *choices.entry(&fact.claim.predicate).or_default() += 1.0;
            }
        }
        let further = |(ix, relation): (FactIx, u64)| {
            let fact = state.fact(ix);
            let to = if fact.subject == at { fact.object } else { Some(fact.subject) };
            let outdated = if fact.status == FactStatus::Current { 1.0 } else { FACT_OUTDATED };
            let choice = choices[&fact.claim.predicate].powf(-FACT_BRANCHING);
            let explained = route.explained | relation | to.map_or(0, |to| self.names(to));
            let steps = [route.steps.as_slice(), &[FactStep { from: at, fact: ix, to }]].concat();
            Route { at: to, weight: route.weight * factor * outdated * choice, explained, steps }
        };
        fitting.into_iter().map(further).collect()
    }

    /// Which words of the question mean the predicate: its own name, or one of its synonyms, whole.
    fn relation(&mut self, predicate: &Predicate) -> u64 {
        if let Some(bits) = self.relations.get(predicate) {
            return *bits;
        }
        let own = predicate.as_str().replace('_', " ");
        let synonyms = predicate.spec().map_or(&[][..], |spec| spec.synonyms);
        let phrases = std::iter::once(own.as_str()).chain(synonyms.iter().copied());
        let bits = phrases.map(|phrase| self.cues.phrase(phrase)).fold(0, |all, bits| all | bits);
        self.relations.insert(predicate.clone(), bits);
        bits
    }

    /// Which words of the question stand in an entity's name.
    fn names(&self, ix: EntityIx) -> u64 {
        let mut bits = 0;
        let stems = text::Stems::default();
        text::for_each_word(self.state.entity(ix).folded_name(), |word| {
            bits |= self.cues.word(&stems.stem(word));
        });
        bits
    }

    /// Gives the bonus to every episode that states a fact of the route.
    fn keep(&self, route: &Route, bonus: f32, scores: &[f32], found: &mut FxHashMap<EpisodeIx, Routed>) {
        for step in &route.steps {
            for support in self.state.fact(step.fact).support() {
                if scores[support.episode.index()] < 0.0 {
                    continue;
                }
                let known = found.entry(support.episode).or_default();
                if bonus > known.bonus {
                    *known = Routed { bonus, steps: route.steps.clone() };
                }
            }
        }
    }
}

fn bit(place: usize) -> u64 {
    if place < 64 { 1 << place } else { 0 }
}
