//! How a pattern is gone over: depth first, what is bound growing step by step, so that who asks for ten rows pays for
//! ten. At each step the hop or the node comes next that leaves the fewest ways to go on, counted where the search
//! stands: a name that one thing has before a hop over three facts, and that before one at an end that has thousands.

use std::ops::ControlFlow;

use lorebase_engine::graph::{EntityIx, FactIx};
use lorebase_engine::state::State;
use rustc_hash::FxHashSet;

use super::plan::{Plan, Sought, Stage, Tied, Told};
use super::row::{End, Row, Slot, View, Way};

/// Why a search ends before everything was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Stop {
    /// Who asked has enough.
    Enough,
    /// As much was looked at as may be.
    Work,
}

type Flow = ControlFlow<Stop>;

/// What is done next.
enum Next {
    /// A node is bound to each thing that it can be.
    Bind(usize),
    /// A hop is gone over from one of its ends.
    Go(usize, usize),
}

/// What a hop of several facts costs more than one of one.
const SEVERAL: usize = 16;
/// About how many facts say a plain value.
const SAYING: usize = 16;

pub(super) struct Search<'s, 'p> {
    plan: &'p Plan<'s>,
    view: &'p View<'s, 'p>,
    row: Row<'s>,
    /// The facts that are used, each with the number of the clause.
    used: Vec<(usize, FactIx)>,
    /// By stage, whether it was met since it was begun.
    met: Vec<bool>,
    pub(super) looked_at: usize,
    most: usize,
    emit: &'p mut dyn FnMut(&Row<'s>) -> Flow,
}

impl<'s, 'p> Search<'s, 'p> {
    /// A search that looks at `most` facts and nodes, and gives each row that it finds to `emit`.
    pub(super) fn new(
        plan: &'p Plan<'s>,
        view: &'p View<'s, 'p>,
        most: usize,
        emit: &'p mut dyn FnMut(&Row<'s>) -> Flow,
    ) -> Self {
        let row = Row { ends: vec![None; plan.nodes], ways: vec![None; plan.hops.len()], settled: 0 };
        let met = vec![false; plan.stages.len()];
        Self { plan, view, row, used: Vec::new(), met, looked_at: 0, most, emit }
    }

    /// Goes over everything.
    pub(super) fn run(&mut self) -> Flow {
        self.stage(0)
    }

    fn state(&self) -> &'s State {
        self.view.sight.state
    }

    fn stage(&mut self, number: usize) -> Flow {
        let Some(stage) = self.plan.stages.get(number) else { return (self.emit)(&self.row) };
        let before = std::mem::replace(&mut self.met[number], false);
        let nothing = |node: &usize| self.is_settled(Slot::Node(*node)) && self.row.ends[*node].is_none();
        // What depends on stages before only.
        if !stage.nodes.iter().any(nothing) && self.passes(stage, u64::MAX) {
            let open = stage.hops.iter().fold(0, |open, hop| open | 1 << hop);
            self.solve(number, open)?;
        }
        if stage.optional && !self.met[number] {
            let slots = stage.nodes.iter().map(|node| Slot::Node(*node));
            let slots = slots.chain(stage.hops.iter().map(|hop| Slot::Hop(*hop)));
            let settled = self.row.settled;
            self.row.settled |= slots.fold(0, |mask, slot| mask | slot.bit());
            self.stage(number + 1)?;
            self.row.settled = settled;
        }
        self.met[number] = before;
        Flow::Continue(())
    }

    /// Goes on with the hops of a stage that are open, a bit each.
    fn solve(&mut self, number: usize, open: u32) -> Flow {
        match self.next(&self.plan.stages[number], open) {
            None => {
                self.met[number] = true;
                self.stage(number + 1)
            }
            Some(Next::Bind(node)) => {
                let ends = self.candidates(number, node);
                for end in ends {
                    self.look()?;
                    if let Some(end) = end {
                        self.bind(number, open, node, end)?;
                    }
                }
                Flow::Continue(())
            }
            Some(Next::Go(hop, side)) => {
                let Some(from) = self.row.ends[self.plan.hops[hop].ends[side]] else {
                    return Flow::Continue(());
                };
                match self.plan.hops[hop].length {
                    None => self.walk(number, open, (hop, side), from),
                    Some(_) => self.stretch(number, open, (hop, side), (from, &mut Vec::new())),
                }
            }
        }
    }

    /// What leaves the fewest ways to go on. A hop between two nodes that are bound leaves none that was not there.
    fn next(&self, stage: &Stage<'s>, open: u32) -> Option<Next> {
        let mut best: Option<(usize, Next)> = None;
        let mut consider = |cost: usize, next: Next| {
            if best.as_ref().is_none_or(|(least, _)| cost < *least) {
                best = Some((cost, next));
            }
        };
        for &hop in stage.hops.iter().filter(|hop| open & 1 << **hop != 0) {
            let tied = &self.plan.hops[hop];
            let bound = tied.ends.map(|node| self.is_settled(Slot::Node(node)));
            for side in [0, 1].into_iter().filter(|side| bound[*side]) {
                let ways = self.ways(tied, tied.ends[side]);
                let cost = if bound == [true, true] { ways / SEVERAL } else { ways };
                consider(cost, Next::Go(hop, side));
            }
        }
        for (node, ends) in &stage.named {
            if !self.is_settled(Slot::Node(*node)) {
                consider(ends.len(), Next::Bind(*node));
            }
        }
        if best.is_none() {
            let open = stage.sought.iter().filter(|(node, _)| !self.is_settled(Slot::Node(*node)));
            let next = open.min_by_key(|(_, sought)| (sought.value, sought.kind.is_none()));
            return next.map(|(node, _)| Next::Bind(*node));
        }
        best.map(|(_, next)| next)
    }

    /// About how many ways lead over a hop from an end that is bound.
    fn ways(&self, tied: &Tied, node: usize) -> usize {
        let count = |ix: EntityIx, predicate| self.state().count_facts(ix, predicate);
        let ways = match (self.row.ends[node], &tied.relations) {
            (None, _) => 0,
            (Some(End::Value(_)), _) => SAYING,
            (Some(End::Entity(ix)), None) => count(ix, None),
            (Some(End::Entity(ix)), Some(all)) => {
                all.iter().map(|(predicate, _)| count(ix, Some(*predicate))).sum()
            }
        };
        if tied.length.is_some() { (ways + 1).saturating_mul(SEVERAL) } else { ways }
    }

    fn is_settled(&self, slot: Slot) -> bool {
        self.row.settled & slot.bit() != 0
    }

    /// Counts what is looked at.
    fn look(&mut self) -> Flow {
        if self.looked_at >= self.most {
            return Flow::Break(Stop::Work);
        }
        self.looked_at += 1;
        Flow::Continue(())
    }

    /// Whether all is so that can be told since these slots are settled.
    fn passes(&self, stage: &Stage<'s>, newly: u64) -> bool {
        let ready = |mask: u64| mask & newly != 0 && mask & !self.row.settled == 0;
        let mut tests = stage.tests.iter().filter(|(mask, _)| ready(*mask));
        tests.all(|(_, test)| test.holds(self.view, &self.row) == Some(true))
    }

    /// All that a node can be, with nothing in the place of what is looked at and is not.
    fn candidates(&self, number: usize, node: usize) -> Box<dyn Iterator<Item = Option<End<'s>>> + 'p> {
        let (state, sight) = (self.state(), self.view.sight);
        let stage = &self.plan.stages[number];
        if let Some((_, ends)) = stage.named.iter().find(|(named, _)| *named == node) {
            return Box::new(ends.iter().map(|end| Some(*end).filter(|end| sight.knows(*end))));
        }
        let sought = stage.sought.iter().find(|(sought, _)| *sought == node);
        let sought = sought.map_or(Sought { entity: true, value: true, kind: None }, |(_, sought)| *sought);
        let fits = move |ix: EntityIx| sought.kind.is_none_or(|kind| state.entity(ix).kind() == kind);
        let entity = move |ix| Some(End::Entity(ix)).filter(|end| fits(ix) && sight.knows(*end));
        let mut seen = FxHashSet::default();
        let value = move |ix| {
            let value = state.value(ix).filter(|_| sight.support(ix).next().is_some())?;
            seen.insert(value).then_some(End::Value(value))
        };
        let entities = if sought.entity { state.entities().len() as u32 } else { 0 };
        let facts = if sought.value { state.facts().len() as u32 } else { 0 };
        Box::new((0..entities).map(EntityIx).map(entity).chain((0..facts).map(FactIx).map(value)))
    }

    fn bind(&mut self, number: usize, open: u32, node: usize, end: End<'s>) -> Flow {
        let bit = Slot::Node(node).bit();
        self.row.ends[node] = Some(end);
        self.row.settled |= bit;
        let flow = if self.passes(&self.plan.stages[number], bit) {
            self.solve(number, open)
        } else {
            Flow::Continue(())
        };
        self.row.settled &= !bit;
        self.row.ends[node] = None;
        flow
    }

    /// Goes over one fact.
    fn walk(&mut self, number: usize, open: u32, (hop, side): (usize, usize), from: End<'s>) -> Flow {
        for (ix, told) in ties(self.state(), &self.plan.hops[hop], from) {
            self.look()?;
            let Some(to) = self.across(hop, (side, from), (ix, told)) else { continue };
            self.used.push((self.plan.hops[hop].clause, ix));
            let flow = self.arrive(number, open, (hop, side), (Way::Fact(ix), to));
            self.used.pop();
            flow?;
        }
        Flow::Continue(())
    }

    /// Goes over several facts in a row: ends where that may be, and goes on.
    fn stretch(
        &mut self,
        number: usize,
        open: u32,
        (hop, side): (usize, usize),
        (from, gone): (End<'s>, &mut Vec<FactIx>),
    ) -> Flow {
        let (min, max) = self.plan.hops[hop].length.unwrap_or((1, 1));
        let count = gone.len() as u32;
        if count >= min {
            let mut facts = gone.clone();
            if side == 1 {
                facts.reverse();
            }
            self.arrive(number, open, (hop, side), (Way::Facts(facts), from))?;
        }
        if count >= max {
            return Flow::Continue(());
        }
        for (ix, told) in ties(self.state(), &self.plan.hops[hop], from) {
            self.look()?;
            let Some(to) = self.across(hop, (side, from), (ix, told)) else { continue };
            self.used.push((self.plan.hops[hop].clause, ix));
            gone.push(ix);
            let flow = self.stretch(number, open, (hop, side), (to, gone));
            gone.pop();
            self.used.pop();
            flow?;
        }
        Flow::Continue(())
    }

    /// Where a fact leads from an end, if it counts and is not used yet.
    fn across(
        &self,
        hop: usize,
        (side, from): (usize, End<'s>),
        (ix, told): (FactIx, Option<Told>),
    ) -> Option<End<'s>> {
        let tied = &self.plan.hops[hop];
        let to = other_end(self.state(), ix, (side, from), told?)?;
        let used = self.used.contains(&(tied.clause, ix));
        (!used && self.view.fits(ix, tied)).then_some(to)
    }

    /// Binds a hop and the node that it leads to, and goes on.
    fn arrive(
        &mut self,
        number: usize,
        open: u32,
        (hop, side): (usize, usize),
        (way, to): (Way, End<'s>),
    ) -> Flow {
        let node = self.plan.hops[hop].ends[1 - side];
        let settled = self.row.settled;
        let (known, before) = (self.is_settled(Slot::Node(node)), self.row.ends[node]);
        if known && before != Some(to) {
            return Flow::Continue(());
        }
        let newly = Slot::Hop(hop).bit() | if known { 0 } else { Slot::Node(node).bit() };
        self.row.ends[node] = Some(to);
        self.row.ways[hop] = Some(way);
        self.row.settled |= newly;
        let flow = if self.passes(&self.plan.stages[number], newly) {
            self.solve(number, open & !(1 << hop))
        } else {
            Flow::Continue(())
        };
        self.row.settled = settled;
        self.row.ways[hop] = None;
        self.row.ends[node] = before;
        flow
    }
}

impl View<'_, '_> {
    /// Whether a fact counts for a hop, and has the properties that it asks for.
    pub(super) fn fits(&self, ix: FactIx, tied: &Tied) -> bool {
        self.sight.counts(ix, tied.facts)
            && tied.tests.iter().all(|test| test.holds_of_fact(self, ix, tied.facts) == Some(true))
    }
}

/// The facts of which something is an end, with how each tells the hop, if it does.
fn ties<'x>(
    state: &'x State,
    tied: &'x Tied,
    from: End<'x>,
) -> Box<dyn Iterator<Item = (FactIx, Option<Told>)> + 'x> {
    match (from, &tied.relations) {
        (End::Entity(entity), None) => Box::new(state.facts_of(entity).map(|ix| (ix, Some(tied.any)))),
        (End::Entity(entity), Some(all)) => Box::new(all.iter().flat_map(move |(predicate, told)| {
            state.facts_with(entity, *predicate).map(move |ix| (ix, Some(*told)))
        })),
        (End::Value(value), relations) => {
            let told = move |ix: FactIx| {
                let Some(all) = relations else { return Some(tied.any) };
                let own = state.fact(ix).predicate;
                all.iter().find(|(predicate, _)| *predicate == own).map(|(_, told)| *told)
            };
            Box::new(state.facts_saying(value).map(move |ix| (ix, told(ix))))
        }
    }
}

/// Where a fact leads from an end of a hop; nowhere where it is told from the other end.
fn other_end<'s>(
    state: &'s State,
    ix: FactIx,
    (side, from): (usize, End<'s>),
    told: Told,
) -> Option<End<'s>> {
    let fact = state.fact(ix);
    let subject = End::Entity(fact.subject);
    let object = match fact.object {
        Some(object) => End::Entity(object),
        None => End::Value(state.value(ix)?),
    };
    let from_subject = || (from == subject).then_some(object);
    let from_object = || (from == object).then_some(subject);
    match (told, side) {
        (Told::Along, 0) | (Told::Against, 1) => from_subject(),
        (Told::Along | Told::Against, _) => from_object(),
        (Told::Both, _) => from_subject().or_else(from_object),
    }
}
