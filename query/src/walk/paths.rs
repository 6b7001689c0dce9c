//! By which paths are two entities tied? The k best that go through no entity twice, found from both ends at once: halves are
//! lengthened in the order of what the best path over them can be worth, until nothing that is left can be among the k.

use std::cmp::Ordering;
use std::collections::BinaryHeap;

use lorebase_engine::graph::{EntityIx, FactIx};
use lorebase_engine::state::State;
use rustc_hash::FxHashMap;

use super::Step;
use super::score::Scorer;
use super::sight::{Over, Sight};

/// The most steps of a path.
pub const HOPS_MAX: usize = 6;
/// The most paths that are given.
pub const K_MAX: usize = 100;

/// Between whom paths are asked for.
#[derive(Debug, Clone, Copy)]
pub struct Asked<'a> {
    /// The entities that a path may begin at.
    pub from: &'a [EntityIx],
    /// Those that it may end at.
    pub to: &'a [EntityIx],
    /// How many steps it has, at most.
    pub hops: usize,
    /// How many paths.
    pub k: usize,
    /// Over which facts.
    pub over: Over<'a>,
}

/// A path with its score, from 0 to 1.
#[derive(Debug, Clone, PartialEq)]
pub struct Path {
    /// The product over its steps and over what it goes through.
    pub score: f32,
    /// Its steps, the first one first.
    pub steps: Vec<Step>,
}

/// What was found between two entities.
#[derive(Debug, Default)]
pub struct Paths {
    /// The paths, best first.
    pub found: Vec<Path>,
    /// Whether there may be others, and better ones, since too much would have had to be looked at.
    pub cut: bool,
}

/// Half of a path: from one of its ends to where it is.
#[derive(Debug, Clone, Copy)]
struct Half {
    at: EntityIx,
    /// Over which fact it got here; of no meaning at the beginning.
    fact: FactIx,
    /// The half that it lengthens; its own number at the beginning.
    before: u32,
    hops: usize,
    /// Its score. Of halves from the beginning of a path, the place where they are is in it already.
    weight: f32,
}

/// A half that waits, by its score.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Waiting(f32, u32);

impl Eq for Waiting {}

impl PartialOrd for Waiting {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Waiting {
    fn cmp(&self, other: &Self) -> Ordering {
        self.0.total_cmp(&other.0).then_with(|| other.1.cmp(&self.1))
    }
}

/// The halves from one end.
struct Side {
    halves: Vec<Half>,
    /// Those that wait, by how many steps they have.
    waiting: Vec<BinaryHeap<Waiting>>,
    /// The score of the best that was looked at, by steps.
    best: Vec<f32>,
    /// Those that were looked at, by where they are.
    at: FxHashMap<EntityIx, Vec<u32>>,
}

impl Side {
    fn from(ends: &[EntityIx], hops: usize) -> Self {
        let mut side = Self {
            halves: Vec::new(),
            waiting: vec![BinaryHeap::new(); hops + 1],
            best: vec![0.0; hops + 1],
            at: FxHashMap::default(),
        };
        for (number, end) in (0..).zip(ends) {
            side.push(Half { at: *end, fact: FactIx(0), before: number, hops: 0, weight: 1.0 });
        }
        side
    }

    fn push(&mut self, half: Half) {
        self.waiting[half.hops].push(Waiting(half.weight, self.halves.len() as u32));
        self.halves.push(half);
    }

    /// The score of the best that waits with so many steps.
    fn next(&self, hops: usize) -> f32 {
        self.waiting[hops].peek().map_or(0.0, |waiting| waiting.0)
    }

    /// What a half with at least so many steps can be worth.
    fn hope(&self, hops: usize) -> f32 {
        let shorter = (0..=hops).map(|hops| self.next(hops));
        self.best.get(hops).copied().unwrap_or(0.0).max(shorter.fold(0.0, f32::max))
    }

    /// The entities of a half, from where it is to its beginning.
    fn chain(&self, number: u32) -> impl Iterator<Item = EntityIx> {
        let mut next = Some(number);
        std::iter::from_fn(move || {
            let number = next?;
            let half = self.halves[number as usize];
            next = (half.before != number).then_some(half.before);
            Some(half.at)
        })
    }

    /// Its steps as they were taken, the last one first.
    fn steps(&self, number: u32) -> impl Iterator<Item = Step> {
        let mut next = number;
        std::iter::from_fn(move || {
            let half = self.halves[next as usize];
            if half.before == next {
                return None;
            }
            next = half.before;
            Some(Step { from: self.halves[next as usize].at, fact: half.fact, to: Some(half.at) })
        })
    }
}

/// Which end a half begins at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum End {
    First,
    Last,
}

struct Finder<'s> {
    asked: Asked<'s>,
    sight: Sight<'s>,
    scorer: Scorer<'s>,
    first: Side,
    last: Side,
    looked_at: usize,
    told: Paths,
}

/// Finds the best paths between two entities. An entity that a path may begin or end at stands at no other place of it.
pub fn paths<'s>(state: &'s State, asked: Asked<'s>) -> Paths {
    let sight = Sight::of(state, asked.over);
    let mut finder = Finder {
        scorer: Scorer::of(state, &sight),
        sight,
        // Of an odd number of steps, the first half has one more.
        first: Side::from(asked.from, asked.hops.div_ceil(2)),
        last: Side::from(asked.to, asked.hops / 2),
        asked,
        looked_at: 0,
        told: Paths::default(),
    };
    while let Some((end, hops)) = finder.most_hopeful() {
        finder.look(end, hops);
    }
    finder.told
}

impl Finder<'_> {
    /// The halves of which the best is to be looked at next; `None` where none can lead to one of the k best paths.
    fn most_hopeful(&self) -> Option<(End, usize)> {
        let worst = (self.told.found.len() >= self.asked.k).then(|| self.told.found.last()).flatten();
        let enough = worst.map_or(0.0, |path| path.score);
        let first = (0..self.first.waiting.len()).map(|hops| {
            // It goes on with a half of as many steps, or of one less.
            (self.first.next(hops) * self.last.hope(hops.saturating_sub(1)), (End::First, hops))
        });
        let last = (0..self.last.waiting.len())
            .map(|hops| (self.last.next(hops) * self.first.hope(hops), (End::Last, hops)));
        let best = first.chain(last).max_by(|one, other| one.0.total_cmp(&other.0))?;
        (best.0 > enough).then_some(best.1)
    }

    fn side(&mut self, end: End) -> &mut Side {
        match end {
            End::First => &mut self.first,
            End::Last => &mut self.last,
        }
    }

    /// Looks at the best half of so many steps: joins it with those of the other end that it meets, and lengthens it.
    fn look(&mut self, end: End, hops: usize) {
        let side = self.side(end);
        let Some(Waiting(weight, number)) = side.waiting[hops].pop() else { return };
        let (half, longest) = (side.halves[number as usize], side.waiting.len() - 1);
        side.best[hops] = side.best[hops].max(weight);
        side.at.entry(half.at).or_default().push(number);
        self.join(end, number);
        let ends = self.asked.to.contains(&half.at) || self.asked.from.contains(&half.at);
        if hops < longest && (hops == 0 || !ends) {
            self.lengthen(end, number);
        }
    }

    fn join(&mut self, end: End, number: u32) {
        let (own, other) = match end {
            End::First => (&self.first, &self.last),
            End::Last => (&self.last, &self.first),
        };
        let half = own.halves[number as usize];
        let Some(met) = other.at.get(&half.at) else { return };
        let mut found = Vec::new();
        for &met in met {
            let (first, last) = match end {
                End::First => (number, met),
                End::Last => (met, number),
            };
            let (one, rest) = (self.first.halves[first as usize], self.last.halves[last as usize]);
            let fits = one.hops > 0 && (one.hops == rest.hops || one.hops == rest.hops + 1);
            // A path of one step ends where its only half does.
            let apart = |entity: EntityIx| self.last.chain(last).skip(1).all(|other| other != entity);
            if fits && self.first.chain(first).all(apart) {
                found.push((one.weight * rest.weight, first, last));
            }
        }
        for (score, first, last) in found {
            self.keep(score, first, last);
        }
    }

    /// Keeps a path, if it is among the k best.
    fn keep(&mut self, score: f32, first: u32, last: u32) {
        let mut steps: Vec<Step> = self.first.steps(first).collect();
        steps.reverse();
        steps.extend(
            self.last
                .steps(last)
                .filter_map(|Step { from, fact, to }| to.map(|to| Step { from: to, fact, to: Some(from) })),
        );
        let path = Path { score, steps };
        let before = |known: &Path| {
            let order = known.score.total_cmp(&path.score).reverse();
            order
                .then(known.steps.len().cmp(&path.steps.len()))
                .then_with(|| known.steps.cmp(&path.steps))
                .is_lt()
        };
        let place = self.told.found.partition_point(before);
        self.told.found.insert(place, path);
        self.told.found.truncate(self.asked.k);
    }

    fn lengthen(&mut self, end: End, number: u32) {
        let half = self.side(end).halves[number as usize];
        let hops = half.hops + 1;
        let (same, other) = match end {
            End::First => (self.asked.from, self.asked.to),
            End::Last => (self.asked.to, self.asked.from),
        };
        // Of halves from the end of a path, the place that is left comes into the score when they go on.
        let left = if end == End::Last && half.hops > 0 { self.scorer.specificity(half.at) } else { 1.0 };
        for way in self.sight.ways(half.at) {
            if self.looked_at == self.asked.over.looked_at {
                self.told.cut = true;
                return;
            }
            self.looked_at += 1;
            let Some(to) = way.to() else { continue };
            let arrives = other.contains(&to);
            // What a half from the beginning finds at the end of a path is a path of one step.
            if same.contains(&to) || (arrives && (end == End::Last || hops > 1)) {
                continue;
            }
            if self.side(end).chain(number).any(|been| been == to) || !self.sight.goes(way.fact()) {
                continue;
            }
            let through = if end == End::First && !arrives { self.scorer.specificity(to) } else { 1.0 };
            let weight = half.weight * left * through * self.scorer.step(way.fact());
            self.side(end).push(Half { at: to, fact: way.fact(), before: number, hops, weight });
        }
    }
}
