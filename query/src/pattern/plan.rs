//! A pattern made ready for one namespace: variables are numbers, names are looked up, relations are known from both of
//! their ends. The order in which it is gone over is found on the way, see `search.rs`.

use lorebase_engine::model::entity::EntityKind;
use lorebase_engine::model::predicate::{PREDICATES, Predicate};
use lorebase_engine::state::{PredicateIx, State};
use rustc_hash::{FxHashMap, FxHashSet};

use super::LENGTH_MAX;
use super::ast::{Clause, Comparison, Condition, Direction, Facts, Hop, Node, NodeKind, Pattern};
use super::filter::{Called, Test};
use super::row::{End, Read, Slot};

/// A pattern made ready.
pub(super) struct Plan<'s> {
    /// How many nodes there are.
    pub(super) nodes: usize,
    pub(super) hops: Vec<Tied>,
    pub(super) stages: Vec<Stage<'s>>,
    slots: FxHashMap<String, Slot>,
}

/// Clauses that are met together: those that stand in a row and are not optional, or an optional one.
#[derive(Default)]
pub(super) struct Stage<'s> {
    pub(super) optional: bool,
    pub(super) nodes: Vec<usize>,
    pub(super) hops: Vec<usize>,
    /// What must be so, each with the slots that it depends on.
    pub(super) tests: Vec<(u64, Test)>,
    /// What the nodes can be that a name names.
    pub(super) named: Vec<(usize, Vec<End<'s>>)>,
    /// How the others are looked for.
    pub(super) sought: Vec<(usize, Sought)>,
}

/// What a node can be that nothing names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Sought {
    /// Whether it can be an entity.
    pub(super) entity: bool,
    /// Whether it can be a plain value.
    pub(super) value: bool,
    /// Whether it is of a kind.
    pub(super) kind: Option<EntityKind>,
}

/// A hop: which facts tie its ends.
pub(super) struct Tied {
    /// The number of the node that it leads from, and of the one that it leads to.
    pub(super) ends: [usize; 2],
    /// By which relations; `None` for any.
    pub(super) relations: Option<Vec<(PredicateIx, Told)>>,
    /// How those are told that no relation names.
    pub(super) any: Told,
    /// The fewest and the most facts, where it goes over several.
    pub(super) length: Option<(u32, u32)>,
    /// The number of the clause: a fact is used once in one.
    pub(super) clause: usize,
    pub(super) facts: Facts,
    /// What the properties of each fact are equal to.
    pub(super) tests: Vec<Test>,
}

/// From which end a fact is told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Told {
    /// Its subject is where the hop leads from.
    Along,
    /// Its subject is where the hop leads to.
    Against,
    /// Either.
    Both,
}

impl Told {
    fn and(self, other: Self) -> Self {
        if self == other { self } else { Self::Both }
    }

    fn turned(self) -> Self {
        match self {
            Self::Along => Self::Against,
            Self::Against => Self::Along,
            Self::Both => Self::Both,
        }
    }
}

impl<'s> Plan<'s> {
    /// Makes a pattern ready that has been checked.
    pub(super) fn new(state: &'s State, pattern: &Pattern) -> Self {
        let mut plan = Self { nodes: 0, hops: Vec::new(), stages: Vec::new(), slots: FxHashMap::default() };
        for (number, clause) in pattern.clauses.iter().enumerate() {
            let joins = plan.stages.last().is_some_and(|last| !last.optional) && !clause.optional;
            if !joins {
                plan.stages.push(Stage { optional: clause.optional, ..Stage::default() });
            }
            plan.add(state, clause, number);
        }
        let stages = std::mem::take(&mut plan.stages);
        plan.stages = stages.into_iter().map(|stage| plan.sought(state, stage)).collect();
        plan
    }

    /// Where a variable is bound.
    pub(super) fn slot(&self, name: &str) -> Slot {
        self.slots.get(name).copied().expect("the pattern was checked")
    }

    fn add(&mut self, state: &'s State, clause: &Clause, number: usize) {
        let mut stage = self.stages.pop().unwrap_or_default();
        for path in &clause.paths {
            let mut from = self.node(state, &path.start, &mut stage);
            for (hop, node) in &path.hops {
                let to = self.node(state, node, &mut stage);
                let tied = Tied { clause: number, facts: clause.facts, ..tied(state, hop, [from, to]) };
                if let Some(variable) = &hop.variable {
                    self.slots.insert(variable.as_str().to_owned(), Slot::Hop(self.hops.len()));
                }
                stage.hops.push(self.hops.len());
                self.hops.push(tied);
                from = to;
            }
        }
        let filter = clause.filter.iter().flat_map(|filter| match filter {
            Condition::All(parts) => &parts[..],
            other => std::slice::from_ref(other),
        });
        for part in filter {
            let test = Test::of(state, part, &|name| self.slot(name));
            stage.tests.push((test.mask(), test));
        }
        self.stages.push(stage);
    }

    /// The number of a node, which may be new, with what must be so of it.
    fn node(&mut self, state: &'s State, node: &Node, stage: &mut Stage<'s>) -> usize {
        let known = node.variable.as_ref().and_then(|variable| self.slots.get(variable.as_str()).copied());
        let number = if let Some(Slot::Node(number)) = known {
            number
        } else {
            self.nodes += 1;
            self.nodes - 1
        };
        if let Some(variable) = &node.variable {
            self.slots.insert(variable.as_str().to_owned(), Slot::Node(number));
        }
        if !stage.nodes.contains(&number) {
            stage.nodes.push(number);
        }
        let tests = node.properties.iter().map(|(property, literal)| {
            Test::compared(state, Read::Node(number, *property), Comparison::Equal, literal)
        });
        let kind = node.kind.map(|kind| Test::Kind(number, kind));
        stage.tests.extend(kind.into_iter().chain(tests).map(|test| (test.mask(), test)));
        number
    }

    /// Finds what the nodes of a stage can be.
    fn sought(&self, state: &'s State, mut stage: Stage<'s>) -> Stage<'s> {
        for &node in &stage.nodes {
            let sought = self.can_be(&stage, node);
            let named = stage.tests.iter().filter_map(|(_, test)| test.names()).filter(|(of, _)| *of == node);
            let fewest = named.map(|(_, called)| all_called(state, &called, sought)).min_by_key(Vec::len);
            match fewest {
                Some(ends) => stage.named.push((node, ends)),
                None => stage.sought.push((node, sought)),
            }
        }
        stage
    }

    /// What a node can be, by its kind and by where facts have it.
    fn can_be(&self, stage: &Stage<'s>, node: usize) -> Sought {
        let kinds = stage.tests.iter().filter_map(|(_, test)| match test {
            Test::Kind(of, kind) if *of == node => Some(*kind),
            _ => None,
        });
        let mut sought = Sought { entity: true, value: true, kind: None };
        for kind in kinds {
            match kind {
                NodeKind::Entity(kind) => (sought.kind, sought.value) = (Some(kind), false),
                NodeKind::Value => sought.entity = false,
            }
        }
        let subject = |hop: &Tied| {
            let named = hop.relations.as_ref().map(|all| all.iter().map(|(_, told)| *told).collect());
            let told: Vec<Told> = named.unwrap_or_else(|| vec![hop.any]);
            let only = |wanted| told.iter().all(|told| *told == wanted);
            hop.ends[0] == node && only(Told::Along) || hop.ends[1] == node && only(Told::Against)
        };
        let hops = stage.hops.iter().map(|hop| &self.hops[*hop]);
        let goes = |hop: &Tied| hop.length.is_none_or(|(min, _)| min > 0);
        sought.value &= !hops.filter(|hop| goes(hop)).any(subject);
        sought
    }
}

/// Everything that is called so.
fn all_called<'s>(state: &'s State, called: &[&Called], sought: Sought) -> Vec<End<'s>> {
    let mut ends = Vec::new();
    for called in called {
        if sought.entity {
            ends.extend(called.entities.iter().map(|ix| End::Entity(*ix)));
        }
        if sought.value {
            let saying = state.facts_saying(&called.name);
            ends.extend(saying.filter_map(|ix| state.value(ix)).map(End::Value));
        }
    }
    let mut seen = FxHashSet::default();
    ends.retain(|end| seen.insert(*end));
    ends
}

/// A hop with its relations looked up.
fn tied(state: &State, hop: &Hop, ends: [usize; 2]) -> Tied {
    let (ends, any) = match hop.direction {
        Direction::Right => (ends, Told::Along),
        Direction::Left => ([ends[1], ends[0]], Told::Along),
        Direction::Either => (ends, Told::Both),
    };
    let relations = (!hop.predicates.is_empty()).then(|| relations(state, &hop.predicates, any));
    let length = hop.length.map(|length| (length.min, length.max.unwrap_or(LENGTH_MAX)));
    let tests = hop.properties.iter().map(|(property, literal)| {
        Test::compared(state, Read::Fact(0, *property), Comparison::Equal, literal)
    });
    let tests = tests.collect();
    Tied { ends, relations, any, length, clause: 0, facts: Facts::default(), tests }
}

/// The predicates by which relations are stated, each with the end from which it tells them.
fn relations(state: &State, predicates: &[Predicate], told: Told) -> Vec<(PredicateIx, Told)> {
    let mut found: Vec<(PredicateIx, Told)> = Vec::new();
    let mut add = |predicate: &Predicate, told: Told| {
        let Some(ix) = state.find_predicate(predicate) else { return };
        match found.iter_mut().find(|(known, _)| *known == ix) {
            Some((_, known)) => *known = known.and(told),
            None => found.push((ix, told)),
        }
    };
    for predicate in predicates {
        add(predicate, told);
        if let Some(inverse) = inverse(predicate) {
            add(&inverse, told.turned());
        }
    }
    found
}

/// What says the same from the other end; the same where it is symmetric.
pub(super) fn inverse(predicate: &Predicate) -> Option<Predicate> {
    let own = predicate.spec().and_then(|spec| spec.inverse);
    // Some are only named as the inverse of another.
    let named =
        || PREDICATES.iter().find(|spec| spec.inverse == Some(predicate.as_str())).map(|spec| spec.name);
    own.or_else(named).map(Predicate::new)
}
