//! Walks over the graph with names in the place of numbers: who is near an entity, who matters to it, and by which paths two
//! are tied.

use lorebase_engine::graph::{EntityIx, EpisodeIx};
use lorebase_engine::model::entity::EntityKind;
use lorebase_engine::model::id::{FactId, Namespace};
use lorebase_engine::model::predicate::Predicate;
use lorebase_engine::model::time::{Interval, Moment};
use lorebase_engine::state::{FactNode, PredicateIx, State};
use lorebase_query::walk::neighbours::{self, HOPS_MAX, LIMIT_MAX, Neighbourhood};
use lorebase_query::walk::paths::{self, K_MAX};
use lorebase_query::walk::{Over, Step, related::related};

use crate::error::Error;
use crate::memory::{Memory, at_present};
use crate::view::Viewer;

/// In which order neighbours are given.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Nearness {
    /// The fewest steps away first.
    #[default]
    Distance,
    /// Those that matter most to the entity first, however far away: by personalised `PageRank`. Entities only, no values.
    Rank,
}

/// Whose neighbours are asked for.
#[derive(Debug, Clone, Copy)]
pub struct NeighborsAsked<'a> {
    /// The entity, by a name of it; where several have it, of all of them together.
    pub entity: &'a str,
    /// How many steps away they are, at most: from 1 to 6. By rank it is not looked at.
    pub hops: usize,
    /// Only over facts with one of these predicates; with any, where there are none.
    pub predicates: &'a [String],
    /// Only entities of this kind. The walk goes through others, too.
    pub kind: Option<EntityKind>,
    /// How many of them, from 1 to 10,000.
    pub limit: usize,
    /// In which order.
    pub by: Nearness,
    /// From when it is looked at, as of [`Memory::facts_at`].
    pub moment: Moment,
}

impl<'a> NeighborsAsked<'a> {
    /// Everything that is one step away from an entity now.
    pub fn new(entity: &'a str) -> Self {
        Self {
            entity,
            hops: 1,
            predicates: &[],
            kind: None,
            limit: 100,
            by: Nearness::Distance,
            moment: Moment::default(),
        }
    }
}

/// Between whom paths are asked for.
#[derive(Debug, Clone, Copy)]
pub struct PathsAsked<'a> {
    /// Where they begin: an entity, by a name of it; where several have it, any of them.
    pub from: &'a str,
    /// Where they end.
    pub to: &'a str,
    /// How many steps they have, at most: from 1 to 6.
    pub hops: usize,
    /// How many paths, from 1 to 100.
    pub k: usize,
    /// Only over facts with one of these predicates; with any, where there are none.
    pub predicates: &'a [String],
    /// From when it is looked at, as of [`Memory::facts_at`].
    pub moment: Moment,
}

impl<'a> PathsAsked<'a> {
    /// The three best paths of up to four steps, as of now.
    pub fn new(from: &'a str, to: &'a str) -> Self {
        Self { from, to, hops: 4, k: 3, predicates: &[], moment: Moment::default() }
    }
}

/// One step of a walk: from an entity over a fact to another or to a value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WalkStep {
    /// The name of the entity that it begins at.
    pub from: String,
    /// The relation.
    pub predicate: Predicate,
    /// The name of the entity that it leads to, or the plain value.
    pub to: String,
    /// Whether it goes against the fact: from its object to its subject.
    pub reverse: bool,
    /// The fact.
    pub fact: FactId,
    /// When that holds: of several times the last, or the one that is asked for.
    pub valid: Interval,
    /// The citation of the first episode that states it.
    pub source: String,
}

/// What is near an entity, or matters to it.
#[derive(Debug, Clone, PartialEq)]
pub struct Neighbor {
    /// The name of the entity, or the plain value.
    pub name: String,
    /// What kind of thing it is; `None` of a value.
    pub kind: Option<EntityKind>,
    /// How many steps away.
    pub hops: usize,
    /// How much it matters, by rank: all that there is comes to 1.
    pub score: Option<f32>,
    /// The last step to it: a number into [`Neighborhood::steps`].
    pub step: usize,
}

/// What a walk around an entity came to.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Neighborhood {
    /// The names of the entities that it began at: none where the name is not known, several where several have it.
    pub entities: Vec<String>,
    /// What was found, the nearest or the best first.
    pub neighbors: Vec<Neighbor>,
    /// The steps to it, each with the number of the one before it.
    pub steps: Vec<(WalkStep, Option<usize>)>,
    /// Whether there are more than were asked for, or may be, since too much would have had to be looked at.
    pub more_follows: bool,
}

impl Neighborhood {
    /// The steps to a neighbour, the first one first.
    pub fn path(&self, neighbor: &Neighbor) -> Vec<&WalkStep> {
        let mut path = Vec::new();
        let mut next = Some(neighbor.step);
        while let Some((step, before)) = next.and_then(|place| self.steps.get(place)) {
            path.push(step);
            next = *before;
        }
        path.reverse();
        path
    }
}

/// A path with its score, from 0 to 1.
#[derive(Debug, Clone, PartialEq)]
pub struct WalkPath {
    /// The product of what its steps are worth (their relations, how well they are supported, and how new they are) and of how specific the
    /// entities are that it goes through.
    pub score: f32,
    /// Its steps, the first one first.
    pub steps: Vec<WalkStep>,
}

/// What was found between two entities.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct PathsFound {
    /// The names of the entities that paths may begin at: none where the name is not known.
    pub from: Vec<String>,
    /// Those that they may end at.
    pub to: Vec<String>,
    /// The paths, best first.
    pub paths: Vec<WalkPath>,
    /// Whether there may be better ones, since too much would have had to be looked at.
    pub more_follows: bool,
}

impl Memory {
    /// What is near an entity, over facts that are so now or were at the time that is asked for, in both directions.
    ///
    /// # Errors
    /// [`Error::Argument`] for hops or a limit beyond what is allowed, and the store's.
    pub fn neighbors(
        &self,
        namespace: &Namespace,
        asked: &NeighborsAsked<'_>,
    ) -> Result<Neighborhood, Error> {
        within("the number of hops", asked.hops, HOPS_MAX)?;
        within("the limit", asked.limit, LIMIT_MAX)?;
        let reader = self.engine().reader(namespace)?;
        let state = reader.state();
        let moment = at_present(asked.moment);
        let (from, predicates) = (state.find_entities(asked.entity), numbers(state, asked.predicates));
        let over = Over { predicates: predicates.as_deref(), moment, ..Over::default() };
        let wanted =
            neighbours::Asked { from: &from, hops: asked.hops, kind: asked.kind, limit: asked.limit, over };
        let (found, scores) = match asked.by {
            Nearness::Distance => (neighbours::neighbours(state, wanted), Vec::new()),
            Nearness::Rank => related(state, wanted),
        };
        Ok(Viewer::at(&reader, moment).neighborhood(&from, &found, &scores))
    }

    /// The best paths between two entities, over facts that are so now or were at the time that is asked for, in both
    /// directions; no path goes through an entity twice.
    ///
    /// # Errors
    /// [`Error::Argument`] for hops or a number of paths beyond what is allowed and where both names may mean one entity,
    /// and the store's.
    pub fn paths(&self, namespace: &Namespace, asked: &PathsAsked<'_>) -> Result<PathsFound, Error> {
        within("the number of hops", asked.hops, paths::HOPS_MAX)?;
        within("the number of paths", asked.k, K_MAX)?;
        let reader = self.engine().reader(namespace)?;
        let state = reader.state();
        let moment = at_present(asked.moment);
        let [from, to] = [asked.from, asked.to].map(|name| state.find_entities(name));
        if from.iter().any(|entity| to.contains(entity)) {
            let problem = format!("may mean the same as \"{}\"; name two", asked.from);
            return Err(Error::Argument { argument: "the end of a path", problem });
        }
        let predicates = numbers(state, asked.predicates);
        let over = Over { predicates: predicates.as_deref(), moment, ..Over::default() };
        let wanted = paths::Asked { from: &from, to: &to, hops: asked.hops, k: asked.k, over };
        let found = paths::paths(state, wanted);
        let viewer = Viewer::at(&reader, moment);
        let path = |path: &paths::Path| WalkPath { score: path.score, steps: viewer.walk_steps(&path.steps) };
        let paths = found.found.iter().map(path).collect();
        let [from, to] = [from, to].map(|ends| names(state, &ends));
        Ok(PathsFound { from, to, paths, more_follows: found.cut })
    }
}

fn within(argument: &'static str, given: usize, most: usize) -> Result<(), Error> {
    if (1..=most).contains(&given) {
        return Ok(());
    }
    Err(Error::Argument { argument, problem: format!("is {given}; give one from 1 to {most}") })
}

/// The numbers of predicates, each once; `None` where none is named.
fn numbers(state: &State, predicates: &[String]) -> Option<Vec<PredicateIx>> {
    let known = predicates.iter().filter_map(|name| state.find_predicate(&Predicate::new(name)));
    let mut numbers: Vec<PredicateIx> = known.collect();
    numbers.sort_unstable();
    numbers.dedup();
    (!predicates.is_empty()).then_some(numbers)
}

fn names(state: &State, entities: &[EntityIx]) -> Vec<String> {
    entities.iter().map(|entity| state.entity(*entity).name().to_owned()).collect()
}

/// What a step goes over and leads to, before it is told.
struct Gone<'r> {
    step: Step,
    fact: &'r FactNode,
    valid: Interval,
    source: Option<EpisodeIx>,
    to: &'r str,
}

impl<'r> Viewer<'r> {
    /// A walk around entities, with the scores of what it came to where it has such.
    fn neighborhood(&self, from: &[EntityIx], found: &Neighbourhood, scores: &[f32]) -> Neighborhood {
        let state = self.state();
        let mut steps: Vec<(Step, Option<usize>)> = Vec::with_capacity(found.found.len());
        // Which steps are listed already, and where.
        let mut places: Vec<Option<usize>> = vec![None; found.reached.len()];
        for &place in &found.found {
            list_steps(found, place, &mut steps, &mut places);
        }
        let gone = self.gone(steps.iter().map(|(step, _)| *step));
        let steps = gone.iter().zip(&steps).map(|(gone, (_, before))| (self.named(gone), *before));
        let steps: Vec<(WalkStep, Option<usize>)> = steps.collect();
        let neighbor = |(rank, place): (usize, &usize)| {
            let (reached, step) = (found.reached[*place], places[*place]?);
            let kind = reached.entity.map(|entity| state.entity(entity).kind());
            let (name, hops) = (steps[step].0.to.clone(), reached.hops as usize);
            Some(Neighbor { name, kind, hops, score: scores.get(rank).copied(), step })
        };
        let neighbors = found.found.iter().enumerate().filter_map(neighbor).collect();
        Neighborhood { entities: names(state, from), neighbors, steps, more_follows: found.more }
    }

    /// Steps with names, dates and their sources.
    fn walk_steps(&self, steps: &[Step]) -> Vec<WalkStep> {
        self.gone(steps.iter().copied()).iter().map(|gone| self.named(gone)).collect()
    }

    /// What steps go over. Facts lie far apart in memory, and so do names: all of one are looked at before any of the other, so
    /// that the processor need not wait for each by itself.
    fn gone(&self, steps: impl Iterator<Item = Step>) -> Vec<Gone<'r>> {
        let state = self.reader.state();
        let gone = |step: Step| {
            let source = self.support(step.fact).next().map(|support| support.episode);
            Gone { step, fact: state.fact(step.fact), valid: self.valid(step.fact), source, to: "" }
        };
        let mut all: Vec<Gone<'r>> = steps.map(gone).collect();
        for gone in &mut all {
            gone.to = match gone.step.to {
                Some(to) => state.entity(to).name(),
                None => state.value(gone.step.fact).unwrap_or_default(),
            };
        }
        all
    }

    fn named(&self, gone: &Gone<'_>) -> WalkStep {
        let state = self.state();
        WalkStep {
            from: state.entity(gone.step.from).name().to_owned(),
            predicate: state.predicate(gone.fact.predicate).clone(),
            to: gone.to.to_owned(),
            reverse: gone.fact.subject != gone.step.from,
            fact: gone.fact.id,
            valid: gone.valid,
            source: gone.source.map(|episode| self.citation(episode)).unwrap_or_default(),
        }
    }
}

/// Lists the steps to a place that are not listed yet.
fn list_steps(
    found: &Neighbourhood,
    place: usize,
    steps: &mut Vec<(Step, Option<usize>)>,
    places: &mut [Option<usize>],
) {
    let mut unlisted = Vec::new();
    let mut at = place;
    while let Some(step) = found.step(at).filter(|_| places[at].is_none()) {
        unlisted.push((at, step));
        at = found.reached[at].before as usize;
    }
    for (at, step) in unlisted.into_iter().rev() {
        places[at] = Some(steps.len());
        steps.push((step, places[found.reached[at].before as usize]));
    }
}
