//! Who matters to an entity? Personalised `PageRank`: where a walker is found who takes ways at random, the more likely the more
//! their relation says and the less of a hub they lead to, and now and then starts again. It is worked out by pushing what is
//! left at an entity on to those around it until little is left, so a walk costs the more the nearer to exact it is, and
//! not the more the larger the graph is. What is left then lies about as a walker would be found who never starts again; that is
//! known without walking, since ways go in both directions, and so it is known where what is left comes to stay.

use std::collections::VecDeque;
use std::sync::Arc;

use lorebase_engine::graph::compact::Lasting;
use lorebase_engine::graph::{EntityIx, FactIx};
use lorebase_engine::model::time::{Interval, Moment};
use lorebase_engine::state::State;
use rayon::prelude::*;

use super::score::specificity;
use super::sight::{Over, Sight};
use super::weights::{LEFT, RESTART, weight_of};

/// The graph as walkers take it: of each entity where its ways lead, and with which probability.
#[derive(Debug, Default)]
pub struct Shares {
    starts: Vec<u32>,
    to: Vec<u32>,
    share: Vec<f32>,
    /// How likely a walker is to be at each entity who never starts again.
    usual: Vec<f32>,
    /// While it goes over just the facts that are so: from when on, and until when.
    during: Interval,
}

/// How much an entity matters.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Ranked {
    /// Which one.
    pub entity: EntityIx,
    /// How likely the walker is to be there.
    pub score: f32,
}

/// Who matters to an entity.
#[derive(Debug, Default)]
pub struct Ranking {
    /// The entities, best first, without those that the walker starts at.
    pub found: Vec<Ranked>,
    /// Whether others were reached.
    pub more: bool,
    /// From where an entity was first reached; [`NOWHERE`] where it was not, or where the walker starts.
    before: Vec<u32>,
}

/// In the place of an entity from which another was reached.
const NOWHERE: u32 = u32::MAX;

impl Shares {
    /// The graph of the facts that are so at a moment, which is kept with the state as long as it serves.
    pub fn at(state: &State, moment: Moment) -> Arc<Self> {
        let over = Over { moment, ..Over::default() };
        let Some(at) = moment.as_of.or(moment.now).filter(|_| state.lasting_holds(&moment)) else {
            return Arc::new(Self::of(state, over));
        };
        let make = || Self { during: unchanged(state, &moment), ..Self::of(state, over) };
        state.beside(|kept: &Self| kept.during.contains(at), make)
    }

    /// The graph of the facts that are seen from a moment, with those predicates that are asked for.
    pub fn of(state: &State, over: Over<'_>) -> Self {
        let mut sight = Sight::of(state, over);
        let weights: Vec<f32> =
            state.predicates().iter().map(|predicate| weight_of(predicate.as_str())).collect();
        let entities = state.entities().len() as u32;
        let damped: Vec<f32> =
            (0..entities).map(|number| specificity(sight.compact.degree(EntityIx(number)))).collect();
        let mut shares = Self { starts: vec![0], ..Self::default() };
        for entity in (0..entities).map(EntityIx) {
            let first = shares.to.len();
            for way in sight.ways(entity) {
                let Some(to) = way.to().filter(|to| *to != entity) else { continue };
                if sight.goes(way.fact()) {
                    shares.to.push(to.0);
                    shares.share.push(weights[way.predicate() as usize] * damped[to.index()]);
                }
            }
            shares.end_ways(first, damped[entity.index()]);
        }
        shares.end();
        shares
    }

    /// Ends the ways out of an entity, the first of which was given, and which is damped by so much.
    fn end_ways(&mut self, first: usize, damped: f32) {
        let whole: f32 = self.share[first..].iter().sum();
        self.share[first..].iter_mut().for_each(|share| *share /= whole);
        // Ways weigh the same from both ends, so a walker is found where much of their weight is.
        self.usual.push(whole * damped);
        self.starts.push(self.to.len() as u32);
    }

    fn end(&mut self) {
        let all = self.usual.iter().map(|usual| f64::from(*usual)).sum::<f64>();
        self.usual.iter_mut().for_each(|usual| *usual = (f64::from(*usual) / all) as f32);
    }

    /// The ways out of an entity: where each leads, and with which probability.
    pub fn ways(&self, entity: EntityIx) -> impl Iterator<Item = (EntityIx, f32)> {
        let range = self.range(entity.0);
        self.to[range.clone()].iter().zip(&self.share[range]).map(|(to, share)| (EntityIx(*to), *share))
    }

    fn range(&self, entity: u32) -> std::ops::Range<usize> {
        self.starts[entity as usize] as usize..self.starts[entity as usize + 1] as usize
    }

    /// How many entities there are.
    pub fn entities(&self) -> usize {
        self.starts.len().saturating_sub(1)
    }

    /// Who matters most to one of these or to several together, at most so many.
    pub fn rank(&self, from: &[EntityIx], limit: usize) -> Ranking {
        self.rank_where(from, limit, |_| true)
    }

    /// The same of those entities alone that `counts` names.
    pub fn rank_where(&self, from: &[EntityIx], limit: usize, counts: impl Fn(EntityIx) -> bool) -> Ranking {
        let mut pushed = Pushed::from(self, from);
        pushed.push_on();
        pushed.told(limit, |entity| !from.contains(&entity) && counts(entity))
    }

    /// Who matters most to each of these, on all cores.
    pub fn rank_each(&self, from: &[EntityIx], limit: usize) -> Vec<Ranking> {
        from.par_iter().map(|entity| self.rank(&[*entity], limit)).collect()
    }
}

/// The time around a moment in which no fact begins or ceases to be so.
fn unchanged(state: &State, moment: &Moment) -> Interval {
    let Some(at) = moment.as_of.or(moment.now) else { return Interval::ALWAYS };
    let mut during = Interval::ALWAYS;
    for (number, fact) in (0..).zip(state.facts()) {
        if state.compact().lasting(FactIx(number)) != Lasting::Unsure {
            continue;
        }
        for time in fact.stays().iter().flat_map(|stay| [stay.from, stay.to]).flatten() {
            if time <= at {
                during.from = during.from.max(Some(time));
            } else {
                during.to = Some(during.to.map_or(time, |known| known.min(time)));
            }
        }
    }
    during
}

/// How far a walk has come.
struct Pushed<'s> {
    shares: &'s Shares,
    /// What has come to stay at each entity.
    stays: Vec<f32>,
    /// What is left there to be pushed on.
    left: Vec<f32>,
    before: Vec<u32>,
    /// The entities that were pushed from, or wait for it.
    reached: Vec<u32>,
    waiting: VecDeque<u32>,
}

impl<'s> Pushed<'s> {
    fn from(shares: &'s Shares, from: &[EntityIx]) -> Self {
        let entities = shares.entities();
        let mut pushed = Self {
            shares,
            stays: vec![0.0; entities],
            left: vec![0.0; entities],
            before: vec![NOWHERE; entities],
            reached: Vec::new(),
            waiting: VecDeque::new(),
        };
        for entity in from {
            pushed.left[entity.index()] = 1.0 / from.len() as f32;
            pushed.waiting.push_back(entity.0);
        }
        pushed
    }

    /// What may be left at an entity: the more, the more ways there are out of it, so that pushing it on is worth it.
    fn bearable(&self, entity: u32) -> f32 {
        LEFT * (self.shares.range(entity).len() as f32)
    }

    fn push_on(&mut self) {
        while let Some(from) = self.waiting.pop_front() {
            let left = std::mem::take(&mut self.left[from as usize]);
            self.stays[from as usize] += RESTART * left;
            let on = (1.0 - RESTART) * left;
            let shares = self.shares;
            let range = shares.range(from);
            for (to, share) in shares.to[range.clone()].iter().zip(&shares.share[range]) {
                let place = *to as usize;
                let before = self.left[place];
                let after = before + on * share;
                self.left[place] = after;
                if before == 0.0 && self.stays[place] == 0.0 {
                    self.reached.push(*to);
                    self.before[place] = from;
                }
                let bearable = self.bearable(*to);
                if before <= bearable && after > bearable {
                    self.waiting.push_back(*to);
                }
            }
        }
    }

    /// The best that were reached. Of what is left, as much comes to stay at each entity as is usual; where more lies than that,
    /// a part of it stays at once.
    fn told(self, limit: usize, counts: impl Fn(EntityIx) -> bool) -> Ranking {
        let rest: f32 = self.reached.iter().map(|entity| self.left[*entity as usize]).sum();
        let score = |place: usize| {
            let usual = rest * self.shares.usual[place];
            self.stays[place] + usual + RESTART * (self.left[place] - usual)
        };
        let ranked = |entity: &u32| Ranked { entity: EntityIx(*entity), score: score(*entity as usize) };
        let reached = self.reached.iter().map(ranked);
        let mut found: Vec<Ranked> = reached.filter(|ranked| counts(ranked.entity)).collect();
        let better = |one: &Ranked, other: &Ranked| {
            other.score.total_cmp(&one.score).then(one.entity.cmp(&other.entity))
        };
        let more = found.len() > limit;
        if more {
            found.select_nth_unstable_by(limit, better);
            found.truncate(limit);
        }
        found.sort_unstable_by(better);
        Ranking { found, more, before: self.before }
    }
}

impl Ranking {
    /// The entities by which one was first reached, from where the walker starts to it.
    pub fn way_to(&self, entity: EntityIx) -> Vec<EntityIx> {
        let mut way = vec![entity];
        let mut at = entity.index();
        while self.before[at] != NOWHERE {
            way.push(EntityIx(self.before[at]));
            at = self.before[at] as usize;
        }
        way.reverse();
        way
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::walk::trials::exact;

    /// A graph in which much is tied to few, from a seed.
    fn made(entities: u32, ways: usize, mut seed: u64) -> Shares {
        let mut random = || {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (seed >> 40) as f32 / (1 << 24) as f32
        };
        let mut tied = vec![Vec::new(); entities as usize];
        for _ in 0..ways {
            let (one, other) = (random() * entities as f32, random().powi(3) * entities as f32);
            let weight = 0.5 + random().round() / 2.0;
            tied[one as usize].push((other as u32, weight));
            tied[other as usize].push((one as u32, weight));
        }
        let damped: Vec<f32> = tied.iter().map(|ways| specificity(ways.len())).collect();
        let mut shares = Shares { starts: vec![0], ..Shares::default() };
        for (ways, own) in tied.iter().zip(&damped) {
            let first = shares.to.len();
            for (to, weight) in ways {
                shares.to.push(*to);
                shares.share.push(weight * damped[*to as usize]);
            }
            shares.end_ways(first, *own);
        }
        shares.end();
        shares
    }

    #[test]
    fn the_first_hundred_are_nearly_those_of_the_exact_ranking() {
        let shares = made(4_000, 40_000, 7);
        for entity in [3, 1_000, 3_999].map(EntityIx) {
            let scores = exact(&shares, entity);
            let mut best: Vec<u32> = (0..4_000).filter(|other| *other != entity.0).collect();
            best.sort_by(|one, other| scores[*other as usize].total_cmp(&scores[*one as usize]));
            let best: BTreeSet<u32> = best.into_iter().take(100).collect();
            let found = shares.rank(&[entity], 100);
            let both = found.found.iter().filter(|ranked| best.contains(&ranked.entity.0)).count();
            assert!(both >= 98, "{both} of 100");
        }
        let all = shares.rank_each(&[EntityIx(3), EntityIx(1_000)], 5);
        assert_eq!(all[1].found, shares.rank(&[EntityIx(1_000)], 5).found);
    }
}
