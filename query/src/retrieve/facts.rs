//! By the graph: from the entities that the question names over facts whose predicates it names, step by
//! step. "Where does Ana's sister work?" goes from Ana over `sibling_of` and `works_at`, and the episodes
//! that state the facts on the way are what answers it.

use std::ops::Range;

use lorebase_engine::derive::RuleIx;
use lorebase_engine::graph::{EntityIx, EpisodeIx, FactIx};
use lorebase_engine::model::fact::{FactStatus, Polarity};
use lorebase_engine::state::{Fronts, PredicateIx, State};
use lorebase_engine::text;
use rustc_hash::FxHashMap;

use crate::question::Cues;
use crate::recall::Shortcuts;
use crate::retrieve::derived::{Derived, DerivedWay};
use crate::score::Scores;
use crate::weights::{
    FACT_BEAM, FACT_BRANCHING, FACT_DEGREE, FACT_DERIVED, FACT_FLOOR, FACT_HOPS, FACT_NAMESAKE,
    FACT_OUTDATED, FACTS,
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
    /// The rule that goes over it, with the steps beside it by the same, to what follows from them: a number
    /// among [`Rules::of`](lorebase_engine::derive::Rules::of).
    pub rule: Option<RuleIx>,
}

/// What routes lead to: the facts on them, each with the best route over it.
#[derive(Debug, Default)]
pub(crate) struct Routes {
    over: FxHashMap<FactIx, Over>,
    /// The last steps of all routes, each with the number of the step before it.
    steps: Vec<(FactStep, Option<u32>)>,
    /// How often a route over a fact was noted.
    kept: u32,
    /// Facts looked at.
    pub(crate) looked_at: usize,
}

/// The best route over a fact.
#[derive(Debug, Clone, Copy)]
struct Over {
    /// What it adds to the score of an episode that states the fact.
    bonus: f32,
    /// Its last step: a number into [`Routes::steps`].
    last: u32,
    /// How many were noted before it; of equals, the first counts.
    place: u32,
}

impl Routes {
    /// The facts on routes with what each adds to an episode that states it, the most first.
    pub(crate) fn by_bonus(&self) -> Vec<(f32, FactIx)> {
        let mut facts: Vec<(f32, FactIx)> = self.over.iter().map(|(ix, over)| (over.bonus, *ix)).collect();
        facts.sort_unstable_by(|a, b| b.0.total_cmp(&a.0).then_with(|| a.1.cmp(&b.1)));
        facts
    }

    /// The best route over a fact that an episode states.
    fn best_to(&self, state: &State, ix: EpisodeIx) -> Option<Over> {
        let over = state.episode(ix).facts().iter().filter_map(|fact| self.over.get(fact)).copied();
        over.max_by(|a, b| a.bonus.total_cmp(&b.bonus).then_with(|| b.place.cmp(&a.place)))
    }

    /// What is added to the score of an episode.
    pub(crate) fn bonus(&self, state: &State, ix: EpisodeIx) -> f32 {
        self.best_to(state, ix).map_or(0.0, |over| over.bonus)
    }

    /// The steps that led to an episode, the first one first.
    pub(crate) fn to(&self, state: &State, ix: EpisodeIx) -> Option<Vec<FactStep>> {
        let over = self.best_to(state, ix)?;
        let mut steps: Vec<FactStep> = self.back_from(Some(over.last)).collect();
        steps.reverse();
        Some(steps)
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

    /// Adds a step after another, and returns its number.
    fn go(&mut self, before: Option<u32>, step: FactStep) -> u32 {
        self.steps.push((step, before));
        self.steps.len() as u32 - 1
    }

    /// Notes a route over a fact.
    fn keep(&mut self, fact: FactIx, bonus: f32, last: u32) {
        let over = Over { bonus, last, place: self.kept };
        self.kept += 1;
        if bonus > 0.0 && self.over.get(&fact).is_none_or(|known| bonus > known.bonus) {
            self.over.insert(fact, over);
        }
    }
}

#[derive(Debug, Clone)]
struct Route {
    at: Option<EntityIx>,
    weight: f32,
    /// The words of the question that the route accounts for, a bit each.
    explained: u64,
    /// How much of the question that is, damped by what the route chose among.
    score: f32,
    /// Its last step: a number into [`Routes::steps`].
    last: Option<u32>,
}

/// A fact that a route may go over, as seen from one of its ends.
#[derive(Debug, Clone, Copy)]
struct Way {
    fact: FactIx,
    to: Option<EntityIx>,
}

struct Walker<'w> {
    state: &'w State,
    cues: &'w Cues,
    scores: &'w Scores<'w>,
    total: f32,
    /// What is damped to less is not followed.
    floor: f32,
    /// The predicates that words of the question mean, each with those words, a bit each.
    relations: Vec<(PredicateIx, u64)>,
    derived: Derived,
    /// Where only a part of the memory may be found: what was seen of it so far, and which facts hold by it.
    seen: Option<(Fronts, FxHashMap<FactIx, bool>)>,
    /// Which words of the question stand in the names of the entities reached so far.
    names: FxHashMap<EntityIx, u64>,
    /// The ways from the entities reached so far, by predicate: where they begin and end in `all_ways`.
    ways: FxHashMap<(EntityIx, PredicateIx), Range<usize>>,
    all_ways: Vec<Way>,
    routes: Routes,
}

/// Follows routes from the entities that the question names. `best` is the best score so far.
pub(crate) fn walk(scores: &Scores<'_>, best: f32, shortcuts: Shortcuts) -> Routes {
    let (state, cues) = (scores.state, scores.cues);
    let total: f32 = cues.content.iter().map(|word| word.mass).sum();
    if total <= 0.0 || best <= 0.0 || cues.named.is_empty() {
        return Routes::default();
    }
    let relations = relations(state, cues);
    let mut walker = Walker {
        state,
        cues,
        scores,
        total,
        floor: if shortcuts.routes { FACT_FLOOR } else { 0.0 },
        derived: Derived::of(state, cues, &relations),
        relations,
        seen: scores.sees_a_part().then(Default::default),
        names: FxHashMap::default(),
        ways: FxHashMap::default(),
        all_ways: Vec::new(),
        routes: Routes::default(),
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
    walker.routes.looked_at += walker.derived.looked_at;
    walker.routes
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

    /// The routes one fact further, from the entity reached and from those that are likely the same.
    fn step(&mut self, route: &Route) -> Vec<Route> {
        let Some(at) = route.at else { return Vec::new() };
        let mut next = Vec::new();
        self.step_from(route, at, route.weight, &mut next);
        let others = self.state.namesakes(at);
        let weight = route.weight * FACT_NAMESAKE * (others.len() as f32).powf(-FACT_BRANCHING);
        if weight >= self.floor {
            for other in others {
                self.step_from(route, other, weight, &mut next);
            }
        }
        next
    }

    /// Adds the routes over facts of an entity. They share the weight `weight`.
    fn step_from(&mut self, route: &Route, at: EntityIx, weight: f32, next: &mut Vec<Route>) {
        let been: Vec<FactIx> = self.routes.back_from(route.last).map(|step| step.fact).collect();
        let mut fitting: Vec<(Way, u64, f32)> = Vec::new();
        for number in 0..self.relations.len() {
            let (predicate, bits) = self.relations[number];
            let relation = bits & !route.explained;
            if relation == 0 {
                continue;
            }
            let ways = self.ways(at, predicate);
            let Some(share) = self.share(weight, ways.clone(), &been) else { continue };
            for place in ways {
                let way = self.all_ways[place];
                let weight = if self.holds(way.fact) { share } else { share * FACT_OUTDATED };
                if weight >= self.floor && !been.contains(&way.fact) {
                    fitting.push((way, relation, weight));
                }
            }
        }
        fitting.sort_unstable_by_key(|(way, ..)| way.fact);
        for (way, relation, weight) in fitting {
            let explained = route.explained | relation | way.to.map_or(0, |to| self.names(to));
            let last =
                self.routes.go(route.last, FactStep { from: at, fact: way.fact, to: way.to, rule: None });
            next.push(self.route(way.to, weight, explained, Some(last)));
        }
        self.step_derived(route, at, weight, next);
    }

    /// Adds the routes over what follows of an entity, fact by fact.
    fn step_derived(&mut self, route: &Route, at: EntityIx, weight: f32, next: &mut Vec<Route>) {
        for number in 0..self.derived.meant.len() {
            let relation = self.derived.meant[number].1 & !route.explained;
            if relation == 0 {
                continue;
            }
            let ways = self.derived.ways(self.scores, at, number);
            let weight = weight * FACT_DERIVED * (ways.len().max(1) as f32).powf(-FACT_BRANCHING);
            if weight < self.floor {
                continue;
            }
            for DerivedWay { to, steps } in ways {
                let mut explained = route.explained | relation;
                for step in &steps {
                    explained |= self.meaning(step.fact) | step.to.map_or(0, |to| self.names(to));
                }
                let last = steps.iter().fold(route.last, |last, step| Some(self.routes.go(last, *step)));
                next.push(self.route(to, weight, explained, last));
            }
        }
    }

    /// Which words of the question mean the predicate of a fact.
    fn meaning(&self, fact: FactIx) -> u64 {
        let predicate = self.state.fact(fact).predicate;
        let known = self.relations.iter().find(|(known, _)| *known == predicate);
        known.map_or(0, |(_, bits)| *bits)
    }

    /// What is left of a weight for each of the ways that hold; `None` where that is too little to go on.
    fn share(&mut self, weight: f32, ways: Range<usize>, been: &[FactIx]) -> Option<f32> {
        let share = |holding: usize| weight * (holding as f32).powf(-FACT_BRANCHING);
        let mut holding = 0;
        for place in ways {
            let fact = self.all_ways[place].fact;
            if !been.contains(&fact) && self.holds(fact) {
                holding += 1;
                // Whether a fact holds may take long to find out.
                if share(holding) < self.floor {
                    return None;
                }
            }
        }
        Some(share(holding.max(1))).filter(|share| *share >= self.floor)
    }

    /// The ways from an entity over facts with a predicate that an episode states which may be found: their
    /// places in `all_ways`.
    fn ways(&mut self, at: EntityIx, predicate: PredicateIx) -> Range<usize> {
        if let Some(known) = self.ways.get(&(at, predicate)) {
            return known.clone();
        }
        let start = self.all_ways.len();
        // What an open relation says in plain words leads nowhere, and no more than the words of the episode
        // itself.
        let known = self.state.predicate(predicate).spec().is_some();
        for ix in self.state.facts_with(at, predicate).take(FACT_DEGREE) {
            self.routes.looked_at += 1;
            let fact = self.state.fact(ix);
            if (known || fact.object.is_some()) && self.stands(ix) {
                let to = if fact.subject == at { fact.object } else { Some(fact.subject) };
                self.all_ways.push(Way { fact: ix, to });
            }
        }
        let found = start..self.all_ways.len();
        self.ways.insert((at, predicate), found.clone());
        found
    }

    /// Whether the fact says that something is so, and nothing that was said later takes its place, by what
    /// may be found.
    fn holds(&mut self, ix: FactIx) -> bool {
        let (state, scores, fact) = (self.state, self.scores, self.state.fact(ix));
        let Some((fronts, known)) = &mut self.seen else {
            return fact.polarity == Polarity::Affirmed && fact.status == FactStatus::Current;
        };
        *known.entry(ix).or_insert_with(|| state.holds(ix, fronts, |episode| scores.findable(episode)))
    }

    /// Whether an episode that may be found states the fact.
    fn stands(&self, ix: FactIx) -> bool {
        !self.state.has_expired(ix, self.scores.now)
            && self.state.fact(ix).support().iter().any(|support| self.scores.findable(support.episode))
    }

    /// Which words of the question stand in an entity's name.
    fn names(&mut self, ix: EntityIx) -> u64 {
        if let Some(bits) = self.names.get(&ix) {
            return *bits;
        }
        let mut bits = 0;
        let stems = text::Stems::default();
        for name in self.state.folded_names(ix) {
            text::for_each_word(name, |word| bits |= self.cues.word(&stems.stem(word)));
        }
        self.names.insert(ix, bits);
        bits
    }

    /// Notes each route's bonus at every fact of it; `further` are those one step on from `route`. What they
    /// have in common is looked at for the best of them only.
    fn keep(&mut self, route: &Route, further: &[Route], best: f32) {
        let bonus = |route: &Route| FACTS * route.score * best;
        let most = further.iter().map(bonus).fold(f32::MIN, f32::max);
        let mut common: Vec<FactIx> = self.routes.back_from(route.last).map(|step| step.fact).collect();
        for next in further {
            let Some(last) = next.last else { continue };
            // One step, or all those of what follows.
            let mut place = next.last;
            while let Some(number) = place.filter(|_| place != route.last) {
                let (step, before) = self.routes.steps[number as usize];
                self.routes.keep(step.fact, bonus(next), last);
                place = before;
            }
            if bonus(next) >= most {
                for fact in std::mem::take(&mut common) {
                    self.routes.keep(fact, most, last);
                }
            }
        }
    }
}

fn bit(place: usize) -> u64 {
    if place < 64 { 1 << place } else { 0 }
}
