//! What is bound while a pattern is gone over, and what can be told of it.

use lorebase_engine::graph::{EntityIx, FactIx};
use lorebase_engine::model::fact::Polarity;

use super::ast::{Facts, NodeKind, Property, Term};
use super::cell::Cell;
use super::sight::Sight;

/// What a node is bound to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum End<'s> {
    Entity(EntityIx),
    Value(&'s str),
}

/// What a hop is bound to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Way {
    Fact(FactIx),
    Facts(Vec<FactIx>),
}

/// What is bound so far. What is bound to nothing, as an optional clause was not met, is settled and empty.
#[derive(Debug)]
pub(super) struct Row<'s> {
    pub(super) ends: Vec<Option<End<'s>>>,
    pub(super) ways: Vec<Option<Way>>,
    /// The slots that are settled, a bit each.
    pub(super) settled: u64,
}

/// Where something is bound: a node or a hop, by number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Slot {
    Node(usize),
    Hop(usize),
}

impl Slot {
    /// Its bit: nodes have the lower half.
    pub(super) fn bit(self) -> u64 {
        match self {
            Self::Node(number) => 1 << number,
            Self::Hop(number) => 1 << (32 + number),
        }
    }
}

/// What is read of a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Read {
    Whole(Slot),
    Node(usize, Property),
    Fact(usize, Property),
    /// All names of a node, its shown one among them.
    Names(usize),
}

impl Read {
    /// What a term reads. It has been checked.
    pub(super) fn of(term: &Term, slot: &impl Fn(&str) -> Slot) -> Self {
        match term {
            Term::Variable(variable) => Self::Whole(slot(variable.as_str())),
            Term::Property(variable, property) => match slot(variable.as_str()) {
                Slot::Node(node) => Self::Node(node, *property),
                Slot::Hop(hop) => Self::Fact(hop, *property),
            },
        }
    }

    /// Of what it reads.
    pub(super) fn slot(self) -> Slot {
        match self {
            Self::Whole(slot) => slot,
            Self::Node(node, _) | Self::Names(node) => Slot::Node(node),
            Self::Fact(hop, _) => Slot::Hop(hop),
        }
    }
}

/// What is told of rows.
pub(super) struct View<'s, 'p> {
    pub(super) sight: &'p Sight<'s>,
    /// Which facts count for each hop.
    pub(super) facts: Vec<Facts>,
}

impl View<'_, '_> {
    /// What is read of a row.
    pub(super) fn cell(&self, row: &Row<'_>, read: Read) -> Cell {
        let cell = match read {
            Read::Whole(Slot::Node(node)) => row.ends[node].map(|end| self.whole(end)),
            Read::Whole(Slot::Hop(hop)) => row.ways[hop].as_ref().map(|way| self.way(way)),
            Read::Node(node, property) => row.ends[node].map(|end| self.of_node(end, property)),
            Read::Names(node) => row.ends[node].map(|end| self.names(end)),
            Read::Fact(hop, property) => match &row.ways[hop] {
                Some(Way::Fact(ix)) => Some(self.of_fact(*ix, self.facts[hop], property)),
                _ => None,
            },
        };
        cell.unwrap_or(Cell::Null)
    }

    /// What kind of thing a node is.
    pub(super) fn kind(&self, end: End<'_>) -> NodeKind {
        match end {
            End::Entity(ix) => NodeKind::Entity(self.sight.state.entity(ix).kind()),
            End::Value(_) => NodeKind::Value,
        }
    }

    fn whole(&self, end: End<'_>) -> Cell {
        match end {
            End::Entity(ix) => {
                let entity = self.sight.state.entity(ix);
                Cell::Entity { name: entity.name().to_owned(), id: entity.id }
            }
            End::Value(value) => Cell::Text(value.to_owned()),
        }
    }

    fn way(&self, way: &Way) -> Cell {
        match way {
            Way::Fact(ix) => self.fact(*ix),
            Way::Facts(all) => Cell::List(all.iter().map(|ix| self.fact(*ix)).collect()),
        }
    }

    fn fact(&self, ix: FactIx) -> Cell {
        let (state, fact) = (self.sight.state, self.sight.state.fact(ix));
        let object = match fact.object {
            Some(object) => state.entity(object).name(),
            None => state.value(ix).unwrap_or_default(),
        };
        let not = if fact.polarity == Polarity::Negated { "not " } else { "" };
        let (subject, predicate) = (state.entity(fact.subject).name(), state.predicate(fact.predicate));
        Cell::Fact { told: format!("{subject} {not}{predicate} {object}"), id: fact.id }
    }

    fn of_node(&self, end: End<'_>, property: Property) -> Cell {
        let text = |text: &str| Cell::Text(text.to_owned());
        match (end, property) {
            (_, Property::Kind) => text(self.kind(end).as_str()),
            (End::Value(value), Property::Name) => text(value),
            (End::Entity(ix), Property::Name) => text(self.sight.state.entity(ix).name()),
            (End::Entity(ix), Property::Id) => Cell::Text(self.sight.state.entity(ix).id.to_string()),
            (End::Entity(ix), Property::Aliases) => {
                Cell::List(self.sight.state.entity(ix).aliases().into_iter().map(text).collect())
            }
            _ => Cell::Null,
        }
    }

    fn names(&self, end: End<'_>) -> Cell {
        let mut names = match self.of_node(end, Property::Aliases) {
            Cell::List(names) => names,
            _ => Vec::new(),
        };
        let shown = self.of_node(end, Property::Name);
        if !names.contains(&shown) {
            names.push(shown);
        }
        Cell::List(names)
    }

    /// A property of a fact that counts for a clause.
    pub(super) fn of_fact(&self, ix: FactIx, facts: Facts, property: Property) -> Cell {
        let (state, fact) = (self.sight.state, self.sight.state.fact(ix));
        let text = |text: &str| Cell::Text(text.to_owned());
        let standing = || self.sight.standing(ix, facts);
        let time = |at: Option<_>| at.map_or(Cell::Null, Cell::Time);
        match property {
            Property::Kind => text(fact.kind.as_str()),
            Property::Id => Cell::Text(fact.id.to_string()),
            Property::Predicate => text(state.predicate(fact.predicate).as_str()),
            Property::Polarity => text(fact.polarity.as_str()),
            Property::Confidence => {
                let sure = self.sight.support(ix).map(|support| support.confidence).fold(0.0, f32::max);
                Cell::Number(decimal(sure))
            }
            Property::Status => text(standing().0.status.as_str()),
            Property::From => time(standing().0.valid.from),
            Property::To => time(standing().0.valid.to),
            Property::Recorded => time(standing().0.recorded.from),
            Property::Source => self.source(ix),
            Property::Holds => Cell::Boolean(standing().1),
            Property::Hedged => Cell::Boolean(self.sight.support(ix).all(|support| support.hedged)),
            Property::Contested => Cell::Boolean(standing().0.contested),
            Property::Name | Property::Aliases => Cell::Null,
        }
    }

    /// The citation of the first episode that states a fact.
    fn source(&self, ix: FactIx) -> Cell {
        let Some(support) = self.sight.support(ix).next() else { return Cell::Null };
        let episode = self.sight.state.episode(support.episode);
        Cell::Text(episode.source_id.as_deref().map_or_else(|| episode.id.to_string(), str::to_owned))
    }
}

/// A number of few digits as it is written, and not as the nearest one of half the digits.
fn decimal(number: f32) -> f64 {
    number.to_string().parse().unwrap_or_else(|_| f64::from(number))
}
