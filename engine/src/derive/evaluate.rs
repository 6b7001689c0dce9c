//! How derived facts are worked out: from what is asked outward. A goal is a relation and one of its ends;
//! what is known of it, stated and derived, stands in a table, and a goal is worked out anew when a table has
//! grown that it went by. So rules may feed each other, and themselves: what adds nothing to a table ends
//! there. What is looked at are facts on things that are reached over atoms of rules, however many others the
//! memory holds.

use std::collections::VecDeque;

use rustc_hash::FxHashMap;

use super::compile::{Compiled, Head, RuleIx, Rules, Slot};
use super::intervals::{difference, intersection, set};
use super::proof::{Cut, Derivation};
use crate::graph::{EntityIx, FactIx};
use crate::model::fact::{FactKind, Polarity};
use crate::model::predicate::Predicate;
use crate::model::time::Interval;
use crate::state::{FactNode, State};
use crate::text;

/// What is asked for: the derived facts of which an entity is an end.
#[derive(Debug, Clone, Copy)]
pub struct Asked<'a> {
    /// The entity.
    pub entity: EntityIx,
    /// Only those with this predicate, told from whichever end.
    pub predicate: Option<&'a Predicate>,
}

/// How far a question is followed. Where it leads further, that is told: [`Cut`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// How many goals are opened in a row.
    pub depth: u32,
    /// How many stated facts are looked at.
    pub facts: usize,
    /// How often an atom is tried with a fact.
    pub steps: usize,
}

impl Default for Limits {
    /// Some milliseconds of work.
    fn default() -> Self {
        Self { depth: 32, facts: 20_000, steps: 200_000 }
    }
}

/// A stated fact as a premise.
#[derive(Debug, Clone, PartialEq)]
pub struct Held {
    /// When it held; never, where it is no premise.
    pub intervals: Vec<Interval>,
    /// How sure it is, from 0 to 1.
    pub confidence: f32,
    /// Whether it contradicts another that cannot be put into order with it.
    pub contested: bool,
}

/// Works out what follows. `held` tells of a stated fact when it held, whether it says that something is so
/// or that it is not.
pub fn derive(
    state: &State,
    rules: &Rules,
    asked: Asked<'_>,
    limits: Limits,
    held: impl Fn(FactIx) -> Held,
) -> Derivation {
    let mut evaluation = Evaluation::new(state, rules, limits, &held);
    let goals = evaluation.ask(asked);
    evaluation.run();
    super::answer::answer(&mut evaluation, asked, &goals)
}

/// What stands at one end.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum End<'s> {
    Entity(EntityIx),
    Value(&'s str),
}

/// A relation, the side of the end that is known, and that end. For a symmetric relation the side is the
/// first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Key {
    pub(super) relation: u32,
    pub(super) side: usize,
    pub(super) at: EntityIx,
}

/// What is known of a goal.
pub(super) struct Goal<'s> {
    pub(super) key: Key,
    depth: u32,
    /// Numbers of tuples.
    pub(super) tuples: Vec<usize>,
    pub(super) by_other: FxHashMap<End<'s>, Vec<usize>>,
    /// What is stated not to be so, and when.
    denied: FxHashMap<End<'s>, Vec<Interval>>,
    /// The goals that went by it.
    dependents: Vec<usize>,
    queued: bool,
    /// Whether its rules are passed over, as it is too far from what was asked.
    far: bool,
}

/// That something is so.
pub(super) struct Tuple<'s> {
    pub(super) goal: usize,
    pub(super) other: End<'s>,
    pub(super) held: Held,
    pub(super) origin: Origin,
}

/// Why something is so. The numbers of premises are smaller than that of the tuple itself.
pub(super) enum Origin {
    Stated(FactIx),
    Rule { rule: RuleIx, premises: Vec<usize> },
}

pub(super) struct Evaluation<'s, 'h> {
    pub(super) state: &'s State,
    pub(super) rules: &'s Rules,
    pub(super) limits: Limits,
    pub(super) held: &'h dyn Fn(FactIx) -> Held,
    pub(super) goals: Vec<Goal<'s>>,
    numbers: FxHashMap<Key, usize>,
    pub(super) tuples: Vec<Tuple<'s>>,
    queue: VecDeque<usize>,
    pub(super) looked_at: usize,
    steps: usize,
    pub(super) cut: Option<Cut>,
}

/// A rule that is gone over, atom by atom.
#[derive(Clone)]
struct Joining<'s> {
    bindings: Vec<Option<End<'s>>>,
    /// The atoms that are left, a bit each.
    open: u32,
    premises: Vec<usize>,
    held: Held,
}

/// What is fixed while a rule is gone over.
#[derive(Clone, Copy)]
struct Applied<'s> {
    goal: usize,
    head: Head,
    rule: &'s Compiled,
}

impl<'s, 'h> Evaluation<'s, 'h> {
    fn new(state: &'s State, rules: &'s Rules, limits: Limits, held: &'h dyn Fn(FactIx) -> Held) -> Self {
        Self {
            state,
            rules,
            limits,
            held,
            goals: Vec::new(),
            numbers: FxHashMap::default(),
            tuples: Vec::new(),
            queue: VecDeque::new(),
            looked_at: 0,
            steps: 0,
            cut: None,
        }
    }

    /// Opens the goals that are asked for, and returns their numbers.
    fn ask(&mut self, asked: Asked<'_>) -> Vec<usize> {
        let rules = self.rules;
        let relations: Vec<u32> = match asked.predicate {
            Some(predicate) => rules.reading(predicate).map(|reading| reading.relation).into_iter().collect(),
            None => rules.followed().collect(),
        };
        let mut goals = Vec::new();
        for relation in relations {
            let symmetric = rules.relation(relation).symmetric;
            for side in if symmetric { 0..1 } else { 0..2 } {
                goals.push(self.open(Key { relation, side, at: asked.entity }, 0));
            }
        }
        goals
    }

    fn run(&mut self) {
        while let Some(goal) = self.queue.pop_front() {
            self.goals[goal].queued = false;
            let mut grown = false;
            for tuple in self.work_out(goal) {
                grown |= self.add(tuple);
            }
            if grown {
                for dependent in self.goals[goal].dependents.clone() {
                    self.enqueue(dependent);
                }
            }
            if self.steps > self.limits.steps {
                return self.cut = Some(Cut::Steps);
            }
        }
        // One that was far may have come nearer meanwhile.
        if self.cut.is_none() && self.goals.iter().any(|goal| goal.far) {
            self.cut = Some(Cut::Depth);
        }
    }

    fn enqueue(&mut self, goal: usize) {
        if !std::mem::replace(&mut self.goals[goal].queued, true) {
            self.queue.push_back(goal);
        }
    }

    /// The number of a goal, which may be new.
    fn open(&mut self, key: Key, depth: u32) -> usize {
        let number = self.numbers.get(&key).copied().unwrap_or_else(|| self.add_goal(key, depth));
        let goal = &mut self.goals[number];
        goal.depth = goal.depth.min(depth);
        if goal.far && goal.depth <= self.limits.depth {
            goal.far = false;
            self.enqueue(number);
        }
        number
    }

    fn add_goal(&mut self, key: Key, depth: u32) -> usize {
        let number = self.goals.len();
        let follows = !self.rules.relation(key.relation).heads.is_empty();
        let far = follows && depth > self.limits.depth;
        self.goals.push(Goal {
            key,
            depth,
            tuples: Vec::new(),
            by_other: FxHashMap::default(),
            denied: FxHashMap::default(),
            dependents: Vec::new(),
            queued: false,
            far,
        });
        self.numbers.insert(key, number);
        self.load(number);
        if follows && !far {
            self.enqueue(number);
        }
        number
    }

    /// Puts what is stated into a goal's table, in the order of the facts' ids.
    fn load(&mut self, number: usize) {
        let (state, key) = (self.state, self.goals[number].key);
        let relation = self.rules.relation(key.relation);
        let mut found: Vec<(FactIx, End<'s>)> = Vec::new();
        for (name, flipped) in [(Some(&relation.name), false), (relation.inverse.as_ref(), true)] {
            let Some(predicate) = name.and_then(|name| state.find_predicate(name)) else { continue };
            for &ix in state.relation(key.at, predicate) {
                if self.looked_at >= self.limits.facts {
                    self.cut = Some(Cut::Facts);
                    break;
                }
                self.looked_at += 1;
                let others = others(state, ix, key, (flipped, relation.symmetric));
                found.extend(others.into_iter().flatten().map(|other| (ix, other)));
            }
        }
        found.sort_unstable_by_key(|(ix, _)| state.fact(*ix).id);
        for (ix, other) in found {
            let mut held = (self.held)(ix);
            held.intervals = set(held.intervals);
            if held.intervals.is_empty() {
                continue;
            }
            if state.fact(ix).polarity == Polarity::Negated {
                self.goals[number].denied.entry(other).or_default().append(&mut held.intervals);
            } else {
                self.add(Tuple { goal: number, other, held, origin: Origin::Stated(ix) });
            }
        }
    }

    /// Adds what is so to its goal's table, unless what stands there says as much: at all its times, as
    /// surely, and no more contested.
    fn add(&mut self, tuple: Tuple<'s>) -> bool {
        /// What products may differ by that are made in another order.
        const ROUNDING: f32 = 1e-5;
        let goal = &mut self.goals[tuple.goal];
        let known = goal.by_other.entry(tuple.other).or_default();
        let mut left = tuple.held.intervals.clone();
        for number in known.iter() {
            let other = &self.tuples[*number].held;
            if other.confidence + ROUNDING >= tuple.held.confidence
                && (!other.contested || tuple.held.contested)
            {
                left = difference(&left, &other.intervals);
            }
        }
        if left.is_empty() {
            return false;
        }
        known.push(self.tuples.len());
        goal.tuples.push(self.tuples.len());
        self.tuples.push(tuple);
        true
    }

    /// What follows for a goal from what the tables hold now.
    fn work_out(&mut self, goal: usize) -> Vec<Tuple<'s>> {
        let rules = self.rules;
        let Key { relation, side, at } = self.goals[goal].key;
        let mut found = Vec::new();
        for &head in &rules.relation(relation).heads {
            let rule = rules.compiled(head.rule);
            let mut joining = Joining {
                bindings: vec![None; rule.ties.len()],
                open: (1 << rule.body.len()) - 1,
                premises: Vec::new(),
                held: Held { intervals: vec![Interval::ALWAYS], confidence: 1.0, contested: false },
            };
            match head.ends[side] {
                Slot::Variable(number) => joining.bindings[number] = Some(End::Entity(at)),
                Slot::Constant(number) if self.named(rule, number) == Some(at) => {}
                Slot::Constant(_) => continue,
            }
            self.join(Applied { goal, head, rule }, &joining, &mut found);
        }
        found
    }

    /// Goes over the atoms that are left.
    fn join(&mut self, applied: Applied<'s>, joining: &Joining<'s>, found: &mut Vec<Tuple<'s>>) {
        if joining.open == 0 {
            found.extend(self.conclusion(applied, joining));
            return;
        }
        let Some((atom, key)) = self.next_atom(applied.rule, joining) else { return };
        let next = self.open(key, self.goals[applied.goal].depth + 1);
        if !self.goals[next].dependents.contains(&applied.goal) {
            self.goals[next].dependents.push(applied.goal);
        }
        let (_, ends) = applied.rule.body[atom];
        // The known end of a symmetric relation may be the second of the atom.
        let side = if self.end(applied.rule, joining, ends[key.side]) == Some(End::Entity(key.at)) {
            1 - key.side
        } else {
            key.side
        };
        for place in 0..self.goals[next].tuples.len() {
            self.steps += 1;
            if self.steps > self.limits.steps {
                return;
            }
            let number = self.goals[next].tuples[place];
            if let Some(further) = self.met(applied.rule, joining, (atom, ends[side]), number) {
                self.join(applied, &further, found);
            }
        }
    }

    /// The atom that is gone over next, and the goal that tells what meets it: one of which both ends are
    /// known, or else the first, or else the second. None where no end of any is known: plain values lead
    /// nowhere.
    fn next_atom(&self, rule: &Compiled, joining: &Joining<'s>) -> Option<(usize, Key)> {
        let mut best: Option<(u8, usize, Key)> = None;
        for (atom, (relation, ends)) in rule.body.iter().enumerate() {
            if joining.open & (1 << atom) == 0 {
                continue;
            }
            let known = ends.map(|slot| match self.end(rule, joining, slot) {
                Some(End::Entity(ix)) => Some(ix),
                _ => None,
            });
            let (worth, side, at) = match known {
                [Some(at), Some(_)] => (3, 0, at),
                [Some(at), None] => (2, 0, at),
                [None, Some(at)] => (1, 1, at),
                [None, None] => continue,
            };
            let side = if self.rules.relation(*relation).symmetric { 0 } else { side };
            if best.as_ref().is_none_or(|(known, ..)| worth > *known) {
                best = Some((worth, atom, Key { relation: *relation, side, at }));
            }
        }
        best.map(|(_, atom, key)| (atom, key))
    }

    /// What stands at an end of an atom, as far as it is known.
    fn end(&self, rule: &Compiled, joining: &Joining<'s>, slot: Slot) -> Option<End<'s>> {
        match slot {
            Slot::Variable(number) => joining.bindings[number],
            Slot::Constant(number) => self.named(rule, number).map(End::Entity),
        }
    }

    /// The entity that a constant names.
    fn named(&self, rule: &Compiled, constant: usize) -> Option<EntityIx> {
        self.state.entity_exactly(&text::fold_name(&rule.constants[constant]))
    }

    /// The rule gone over one atom further, if a tuple meets it at its other end.
    fn met(
        &self,
        rule: &Compiled,
        joining: &Joining<'s>,
        (atom, slot): (usize, Slot),
        number: usize,
    ) -> Option<Joining<'s>> {
        let tuple = &self.tuples[number];
        let fits = match slot {
            Slot::Variable(number) => match joining.bindings[number] {
                Some(known) => known == tuple.other,
                // What ties two atoms is a thing, and no plain value.
                None => !rule.ties[number] || matches!(tuple.other, End::Entity(_)),
            },
            Slot::Constant(number) => match tuple.other {
                End::Entity(ix) => self.named(rule, number) == Some(ix),
                End::Value(value) => text::fold_name(value) == text::fold_name(&rule.constants[number]),
            },
        };
        if !fits {
            return None;
        }
        let intervals = intersection(&joining.held.intervals, &tuple.held.intervals);
        if intervals.is_empty() {
            return None;
        }
        let mut further = joining.clone();
        if let Slot::Variable(number) = slot {
            further.bindings[number] = Some(tuple.other);
        }
        further.open &= !(1 << atom);
        further.premises.push(number);
        further.held.intervals = intervals;
        further.held.confidence *= tuple.held.confidence;
        further.held.contested |= tuple.held.contested;
        Some(further)
    }

    /// What follows where all atoms are met; nothing at times at which it is stated not to be so.
    fn conclusion(&self, applied: Applied<'s>, joining: &Joining<'s>) -> Option<Tuple<'s>> {
        let Applied { goal, head, rule } = applied;
        let Key { side, at, relation } = self.goals[goal].key;
        let other = match head.ends[1 - side] {
            Slot::Variable(number) => joining.bindings[number]?,
            Slot::Constant(number) => {
                self.named(rule, number).map_or(End::Value(&rule.constants[number]), End::Entity)
            }
        };
        let symmetric = self.rules.relation(relation).symmetric;
        let nameless = matches!(other, End::Value(_)) && head.subject != side && !symmetric;
        if other == End::Entity(at) || nameless {
            return None;
        }
        let mut held = joining.held.clone();
        if let Some(denied) = self.goals[goal].denied.get(&other) {
            held.intervals = difference(&held.intervals, denied);
        }
        let origin = Origin::Rule { rule: head.rule, premises: joining.premises.clone() };
        (!held.intervals.is_empty()).then_some(Tuple { goal, other, held, origin })
    }
}

/// What a fact ties the known end of a goal to. A fact of a symmetric relation ties both.
fn others(state: &State, ix: FactIx, key: Key, (flipped, symmetric): (bool, bool)) -> [Option<End<'_>>; 2] {
    let fact = state.fact(ix);
    if !is_premise(fact) {
        return [None, None];
    }
    let object = fact.object.map(End::Entity).or_else(|| state.value(ix).map(End::Value));
    let mut ends = [Some(End::Entity(fact.subject)), object];
    if flipped {
        ends.swap(0, 1);
    }
    let known = Some(End::Entity(key.at));
    let other = |side: usize| ends[1 - side].filter(|_| ends[side] == known && ends[1 - side] != known);
    [other(key.side), other(1 - key.side).filter(|_| symmetric)]
}

/// Whether a fact says how things are, or that something happened at a time that is known.
pub(super) fn is_premise(fact: &FactNode) -> bool {
    let placed = fact.kind == FactKind::Event && fact.valid.from.is_some();
    !fact.support().is_empty() && (fact.kind.is_state() || placed)
}
