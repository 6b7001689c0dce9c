//! Who is near an entity: a walk in all directions, the nearest first.

use lorebase_engine::graph::compact::Way;
use lorebase_engine::graph::{EntityIx, FactIx};
use lorebase_engine::model::entity::EntityKind;
use lorebase_engine::state::State;

use super::Step;
use super::sight::{Over, Sight};

/// The most steps of a walk.
pub const HOPS_MAX: usize = 6;
/// The most neighbours that are given.
pub const LIMIT_MAX: usize = 10_000;

/// Whose neighbours are asked for.
#[derive(Debug, Clone, Copy)]
pub struct Asked<'a> {
    /// The entities that the walk begins at.
    pub from: &'a [EntityIx],
    /// How many steps away they are, at most.
    pub hops: usize,
    /// Only entities of this kind. The walk goes through others, too.
    pub kind: Option<EntityKind>,
    /// How many of them, at most.
    pub limit: usize,
    /// Over which facts.
    pub over: Over<'a>,
}

/// What a walk came to.
#[derive(Debug, Default)]
pub struct Neighbourhood {
    /// The neighbours, the nearest first, of equally near ones entities before values: numbers into [`Neighbourhood::reached`].
    pub found: Vec<usize>,
    /// All that was walked through, each after what it was reached from; those that the walk began at come first.
    pub reached: Vec<Reached>,
    /// Whether there are more than were asked for, or may be, since the walk was broken off.
    pub more: bool,
}

/// What a walk came through.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Reached {
    /// What was reached; `None` for a plain value.
    pub entity: Option<EntityIx>,
    /// Over which fact; of no meaning where the walk began.
    pub fact: FactIx,
    /// What it was reached from: a number into [`Neighbourhood::reached`]; its own where the walk began.
    pub before: u32,
    /// How many steps it is away.
    pub hops: u32,
}

impl Neighbourhood {
    /// The step over which something was reached; `None` where the walk began.
    pub fn step(&self, place: usize) -> Option<Step> {
        let reached = self.reached.get(place).filter(|reached| reached.before as usize != place)?;
        let from = self.reached[reached.before as usize].entity?;
        Some(Step { from, fact: reached.fact, to: reached.entity })
    }

    /// The steps by which something was reached, the first one first.
    pub fn path(&self, place: usize) -> Vec<Step> {
        let mut steps = Vec::new();
        let mut place = place;
        while let Some(step) = self.step(place) {
            steps.push(step);
            place = self.reached[place].before as usize;
        }
        steps.reverse();
        steps
    }
}

struct Walker<'s> {
    sight: Sight<'s>,
    asked: Asked<'s>,
    /// The entities that were reached, a bit each.
    been: Vec<u64>,
    looked_at: usize,
    told: Neighbourhood,
}

/// Walks from the entities asked for, step by step outwards.
pub fn neighbours<'s>(state: &'s State, asked: Asked<'s>) -> Neighbourhood {
    let been = vec![0; state.entities().len().div_ceil(64)];
    let sight = Sight::of(state, asked.over);
    let mut walker = Walker { sight, asked, been, looked_at: 0, told: Neighbourhood::default() };
    for (number, entity) in (0..).zip(asked.from) {
        walker.note(*entity);
        let begun = Reached { entity: Some(*entity), fact: FactIx(0), before: number, hops: 0 };
        walker.told.reached.push(begun);
    }
    let mut next = 0;
    while let Some(at) = walker.told.reached.get(next).copied() {
        if at.hops as usize >= asked.hops || walker.told.more {
            break;
        }
        if let Some(entity) = at.entity {
            walker.step(next, entity, at.hops + 1);
        }
        next += 1;
    }
    let Neighbourhood { found, reached, .. } = &mut walker.told;
    found.sort_by_key(|place| (reached[*place].hops, reached[*place].entity.is_none()));
    walker.told
}

impl Walker<'_> {
    /// Takes every way out of an entity that leads to what was not reached before.
    fn step(&mut self, place: usize, entity: EntityIx, hops: u32) {
        for way in self.sight.ways(entity) {
            if self.looked_at == self.asked.over.looked_at {
                self.told.more = true;
                return;
            }
            self.looked_at += 1;
            let new = way.to().is_none_or(|to| !self.has(to));
            if new && self.sight.goes(way.fact()) && !self.reach(place, way, hops) {
                return;
            }
        }
    }

    /// Notes what a way leads to. Returns whether the walk goes on.
    fn reach(&mut self, before: usize, way: Way, hops: u32) -> bool {
        let wanted = self.is_wanted(way.to());
        if wanted && self.told.found.len() >= self.asked.limit {
            self.told.more = true;
            return false;
        }
        if let Some(to) = way.to() {
            self.note(to);
        }
        if wanted {
            self.told.found.push(self.told.reached.len());
        }
        if wanted || way.to().is_some() {
            self.told.reached.push(Reached {
                entity: way.to(),
                fact: way.fact(),
                before: before as u32,
                hops,
            });
        }
        true
    }

    /// Whether it is of the kind that is asked for. A plain value is of no kind.
    fn is_wanted(&self, to: Option<EntityIx>) -> bool {
        let Some(wanted) = self.asked.kind else { return true };
        to.is_some_and(|to| self.sight.state.entity(to).kind() == wanted)
    }

    fn note(&mut self, entity: EntityIx) {
        self.been[entity.index() / 64] |= 1 << (entity.index() % 64);
    }

    fn has(&self, entity: EntityIx) -> bool {
        self.been[entity.index() / 64] >> (entity.index() % 64) & 1 == 1
    }
}
