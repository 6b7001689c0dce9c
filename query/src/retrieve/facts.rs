//! By the graph: from the entities that the question names over facts whose predicates it names, step by step.
//! "Where does Ana's sister work?" goes from Ana over `sibling_of` and `works_at`, and the episodes that state
//! the facts on the way are what answers it.

use lorebase_engine::graph::{EntityIx, EpisodeIx, FactIx};
use lorebase_engine::model::fact::{FactStatus, Polarity};
use lorebase_engine::state::{PredicateIx, State};
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
    /// How much of the question that is, damped by what the route chose among.
    score: f32,
    /// Its last step: a number into [`Walker::steps`].
    last: Option<u32>,
}

struct Walker<'w> {
    state: &'w State,
    cues: &'w Cues,
    /// By episode; below 0 for what may not be found.
    scores: &'w [f32],
    total: f32,
    /// The predicates that words of the question mean, each with those words, a bit each.
    relations: Vec<(PredicateIx, u64)>,
    /// Where only a part of the memory may be found: the status that each fact has by that part, of the facts
    /// judged so far.
    statuses: Option<FxHashMap<FactIx, FactStatus>>,
    /// Which words of the question stand in the names of the entities reached so far.
    names: FxHashMap<EntityIx, u64>,
    /// The last steps of all routes, each with the number of the step before it.
    steps: Vec<(FactStep, Option<u32>)>,
    /// The best route over each episode: its bonus and its last step.
    best: FxHashMap<EpisodeIx, (f32, u32)>,
    looked_at: usize,
}

/// Follows routes from the entities that the question names. `scores` is by episode, negative for what may not
/// be found; `cut` says whether there is such.
pub(crate) fn walk(state: &State, cues: &Cues, scores: &[f32], cut: bool) -> Routes {
    let total: f32 = cues.content.iter().map(|word| word.mass).sum();
    let best = scores.iter().copied().fold(0.0, f32::max);
    let routes = Routes::default();
    if total <= 0.0 || cues.named.is_empty() {
        return routes;
    }
    let (relations, statuses) = (relations(state, cues), cut.then(FxHashMap::default));
    let mut walker = Walker {
        state,
        cues,
        scores,
        total,
        relations,
        statuses,
        names: FxHashMap::default(),
        steps: Vec::new(),
        best: FxHashMap::default(),
        looked_at: 0,
    };
    let mut beam = walker.starts();
    for _ in 0..FACT_HOPS {
        let mut reached: Vec<Route> = Vec::new();
        for route in &beam {
            let further = walker.step(route);
            walker.keep(route, &further, best);
            reached.extend(further.into_iter().filter(|route| route.at.is_some()));
        }
        beam = reached;
        beam.sort_by(|a, b| b.score.total_cmp(&a.score));
        beam.truncate(FACT_BEAM);
    }
    walker.routes()
}

/// The predicates that the question means by their own names, or by one of their synonyms, whole.
fn relations(state: &State, cues: &Cues) -> Vec<(PredicateIx, u64)> {
    let mut found: Vec<PredicateIx> = Vec::new();
    for word in &cues.content {
        for stem in Cues::forms(&word.stem) {
            found.extend(state.predicates_meant(&stem));
        }
    }
    found.sort_unstable();
    found.dedup();
    let meant = |ix: PredicateIx| {
        let phrases = state.predicate(ix).phrases();
        (ix, phrases.map(|phrase| cues.phrase(&phrase)).fold(0, |all, bits| all | bits))
    };
    found.into_iter().map(meant).filter(|(_, bits)| *bits != 0).collect()
}

impl Walker<'_> {
    fn starts(&self) -> Vec<Route> {
        let named = self.cues.named.iter();
        named.map(|(ix, bits)| self.route(Some(*ix), 1.0, *bits, None)).collect()
    }

    fn route(&self, at: Option<EntityIx>, weight: f32, explained: u64, last: Option<u32>) -> Route {
        let words = self.cues.content.iter().enumerate();
        let held = words.filter(|(place, _)| explained & bit(*place) != 0).map(|(_, word)| word.mass);
        Route { at, weight, explained, score: weight * held.sum::<f32>() / self.total, last }
    }

    /// The steps of a route, the last one first.
    fn back_from(&self, last: Option<u32>) -> impl Iterator<Item = FactStep> {
        let mut next = last;
        std::iter::from_fn(move || {
            let (step, before) = self.steps[next? as usize];
            next = before;
            Some(step)
        })
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
        let mut fitting: Vec<(FactIx, u64, f32)> = Vec::new();
        for number in 0..self.relations.len() {
            let (predicate, bits) = self.relations[number];
            let relation = bits & !route.explained;
            if relation == 0 {
                continue;
            }
            let gone =
                |ix: &FactIx| !self.stands(*ix) || self.back_from(route.last).any(|step| step.fact == *ix);
            let facts = self.state.facts_with(at, predicate).take(FACT_DEGREE);
            let mut looked_at = 0;
            let facts: Vec<FactIx> = facts.inspect(|_| looked_at += 1).filter(|ix| !gone(ix)).collect();
            self.looked_at += looked_at;
            let facts: Vec<(FactIx, bool)> = facts.into_iter().map(|ix| (ix, self.holds(ix))).collect();
            let holding = facts.iter().filter(|(_, holds)| *holds).count().max(1);
            let choice = (holding as f32).powf(-FACT_BRANCHING);
            let worth = |holds| if holds { choice } else { choice * FACT_OUTDATED };
            fitting.extend(facts.into_iter().map(|(ix, holds)| (ix, relation, worth(holds))));
        }
        fitting.sort_unstable_by_key(|(ix, ..)| *ix);
        let further = |(ix, relation, worth): (FactIx, u64, f32)| {
            let fact = self.state.fact(ix);
            let to = if fact.subject == at { fact.object } else { Some(fact.subject) };
            let explained = route.explained | relation | to.map_or(0, |to| self.names(to));
            self.steps.push((FactStep { from: at, fact: ix, to }, route.last));
            let last = Some(self.steps.len() as u32 - 1);
            self.route(to, route.weight * factor * worth, explained, last)
        };
        fitting.into_iter().map(further).collect()
    }

    /// Whether the fact says that something is so, and nothing that was said later takes its place.
    fn holds(&mut self, ix: FactIx) -> bool {
        self.state.fact(ix).polarity == Polarity::Affirmed && self.status(ix) == FactStatus::Current
    }

    /// Whether an episode that may be found states the fact.
    fn stands(&self, ix: FactIx) -> bool {
        self.state.fact(ix).support().iter().any(|support| self.findable(support.episode))
    }

    fn findable(&self, ix: EpisodeIx) -> bool {
        self.scores[ix.index()] >= 0.0
    }

    /// Where the fact stands by what may be found.
    fn status(&mut self, ix: FactIx) -> FactStatus {
        let (state, scores) = (self.state, self.scores);
        let Some(known) = &mut self.statuses else { return state.fact(ix).status };
        if let Some(status) = known.get(&ix) {
            return *status;
        }
        let standings = state.standings(ix, |episode| scores[episode.index()] >= 0.0);
        known.extend(standings.iter().map(|standing| (standing.fact, standing.status)));
        known.get(&ix).copied().unwrap_or(state.fact(ix).status)
    }

    /// Which words of the question stand in an entity's name.
    fn names(&mut self, ix: EntityIx) -> u64 {
        if let Some(bits) = self.names.get(&ix) {
            return *bits;
        }
        let mut bits = 0;
        let stems = text::Stems::default();
        text::for_each_word(self.state.entity(ix).folded_name(), |word| {
            bits |= self.cues.word(&stems.stem(word));
        });
        self.names.insert(ix, bits);
        bits
    }

    /// Gives each route's bonus to every episode that states a fact of it; `further` are those one step on from
    /// `route`. What they have in common is looked at for the best of them only.
    fn keep(&mut self, route: &Route, further: &[Route], best: f32) {
        let bonus = |route: &Route| FACTS * route.score * best;
        let most = further.iter().map(bonus).fold(f32::MIN, f32::max);
        let mut common: Vec<FactStep> = self.back_from(route.last).collect();
        for next in further {
            let Some(last) = next.last else { continue };
            let own = self.steps[last as usize].0;
            self.keep_at(own, bonus(next), last);
            if bonus(next) >= most {
                for step in std::mem::take(&mut common) {
                    self.keep_at(step, most, last);
                }
            }
        }
    }

    fn keep_at(&mut self, step: FactStep, bonus: f32, last: u32) {
        for support in self.state.fact(step.fact).support() {
            if self.scores[support.episode.index()] >= 0.0 {
                let known = self.best.entry(support.episode).or_default();
                if bonus > known.0 {
                    *known = (bonus, last);
                }
            }
        }
    }

    /// What was found, with the routes' steps from the first on.
    fn routes(mut self) -> Routes {
        let mut found = FxHashMap::default();
        for (episode, (bonus, last)) in std::mem::take(&mut self.best) {
            let mut steps: Vec<FactStep> =
                if bonus > 0.0 { self.back_from(Some(last)).collect() } else { Vec::new() };
            steps.reverse();
            found.insert(episode, Routed { bonus, steps });
        }
        Routes { found, looked_at: self.looked_at }
    }
}

fn bit(place: usize) -> u64 {
    if place < 64 { 1 << place } else { 0 }
}
