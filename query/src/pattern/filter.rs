//! Conditions made ready, and what they come to for a row.

use lorebase_engine::graph::{EntityIx, FactIx};
use lorebase_engine::state::State;
use lorebase_engine::text;

use super::ast::{Comparison, Condition, Facts, Literal, NodeKind, Operand, Property, Term};
use super::cell::{Cell, compare};
use super::row::{End, Read, Row, Slot, View};

/// What must be so of a row.
#[derive(Debug)]
pub(super) enum Test {
    All(Vec<Test>),
    Any(Vec<Test>),
    Not(Box<Test>),
    Kind(usize, NodeKind),
    Called(usize, Called),
    Same(Slot, Slot),
    Compare(Read, Comparison, Right),
    Among(Read, Vec<Cell>),
    Null(Read),
}

/// What is compared with.
#[derive(Debug)]
pub(super) enum Right {
    Read(Read),
    Cell(Cell),
}

/// All that a name names.
#[derive(Debug)]
pub(super) struct Called {
    /// Ascending: a first name can name thousands.
    pub(super) entities: Vec<EntityIx>,
    pub(super) name: String,
    folded: String,
}

impl Called {
    fn new(state: &State, name: &str) -> Self {
        let (mut entities, folded) = (state.find_entities(name), text::fold_name(name));
        entities.sort_unstable();
        Self { entities, name: name.to_owned(), folded }
    }

    fn names(&self, end: End<'_>) -> bool {
        match end {
            End::Entity(ix) => self.entities.binary_search(&ix).is_ok(),
            End::Value(value) => text::fold_name(value) == self.folded,
        }
    }
}

impl Test {
    /// A condition with names looked up. It has been checked.
    pub(super) fn of(state: &State, condition: &Condition, slot: &impl Fn(&str) -> Slot) -> Self {
        let all = |parts: &[Condition]| parts.iter().map(|part| Self::of(state, part, slot)).collect();
        match condition {
            Condition::All(parts) => Self::All(all(parts)),
            Condition::Any(parts) => Self::Any(all(parts)),
            Condition::Not(part) => Self::Not(Box::new(Self::of(state, part, slot))),
            Condition::IsNull(term) => Self::Null(Read::of(term, slot)),
            Condition::IsNotNull(term) => Self::Not(Box::new(Self::Null(Read::of(term, slot)))),
            Condition::In(term, literals) => Self::among(state, Read::of(term, slot), literals),
            Condition::Compare(term, by, Operand::Literal(literal)) => {
                Self::compared(state, Read::of(term, slot), *by, literal)
            }
            Condition::Compare(Term::Variable(one), by, Operand::Term(Term::Variable(other))) => {
                let same = Self::Same(slot(one.as_str()), slot(other.as_str()));
                if *by == Comparison::Equal { same } else { Self::Not(Box::new(same)) }
            }
            Condition::Compare(term, by, Operand::Term(other)) => {
                Self::Compare(Read::of(term, slot), *by, Right::Read(Read::of(other, slot)))
            }
        }
    }

    /// A property that is compared with what is given.
    pub(super) fn compared(state: &State, read: Read, by: Comparison, literal: &Literal) -> Self {
        match (read, literal, by) {
            (Read::Node(node, Property::Name), Literal::Text(name), Comparison::Equal) => {
                Self::Called(node, Called::new(state, name))
            }
            (Read::Node(node, Property::Name), Literal::Text(name), Comparison::Unequal) => {
                Self::Not(Box::new(Self::Called(node, Called::new(state, name))))
            }
            (Read::Node(node, Property::Name), Literal::Text(_), by) if by.is_of_texts() => {
                Self::Compare(Read::Names(node), by, Right::Cell(literal.into()))
            }
            _ => Self::Compare(read, by, Right::Cell(literal.into())),
        }
    }

    fn among(state: &State, read: Read, literals: &[Literal]) -> Self {
        if matches!(read, Read::Node(_, Property::Name)) {
            let equal = |literal| Self::compared(state, read, Comparison::Equal, literal);
            return Self::Any(literals.iter().map(equal).collect());
        }
        Self::Among(read, literals.iter().map(Cell::from).collect())
    }

    /// The slots that it depends on, a bit each.
    pub(super) fn mask(&self) -> u64 {
        match self {
            Self::All(parts) | Self::Any(parts) => parts.iter().fold(0, |mask, part| mask | part.mask()),
            Self::Not(part) => part.mask(),
            Self::Kind(node, _) | Self::Called(node, _) => Slot::Node(*node).bit(),
            Self::Same(one, other) => one.bit() | other.bit(),
            Self::Compare(read, _, Right::Read(other)) => read.slot().bit() | other.slot().bit(),
            Self::Compare(read, _, Right::Cell(_)) | Self::Among(read, _) | Self::Null(read) => {
                read.slot().bit()
            }
        }
    }

    /// The node that it names, and all that it can be then.
    pub(super) fn names(&self) -> Option<(usize, Vec<&Called>)> {
        match self {
            Self::Called(node, called) => Some((*node, vec![called])),
            Self::Any(parts) => {
                let named: Option<Vec<(usize, Vec<&Called>)>> = parts.iter().map(Self::names).collect();
                let named = named?;
                let node = named.first()?.0;
                let all = named.iter().all(|(other, _)| *other == node);
                all.then(|| (node, named.into_iter().flat_map(|(_, called)| called).collect()))
            }
            _ => None,
        }
    }

    /// What it comes to; `None` where it cannot be told.
    pub(super) fn holds(&self, view: &View<'_, '_>, row: &Row<'_>) -> Option<bool> {
        match self {
            Self::All(parts) => all(parts, view, row),
            Self::Any(parts) => any(parts, view, row),
            Self::Not(part) => part.holds(view, row).map(|so| !so),
            Self::Kind(node, kind) => row.ends[*node].map(|end| view.kind(end) == *kind),
            Self::Called(node, called) => row.ends[*node].map(|end| called.names(end)),
            Self::Same(Slot::Node(one), Slot::Node(other)) => Some(row.ends[*one]? == row.ends[*other]?),
            Self::Same(Slot::Hop(one), Slot::Hop(other)) => {
                Some(row.ways[*one].as_ref()? == row.ways[*other].as_ref()?)
            }
            Self::Same(..) => Some(false),
            Self::Compare(read, by, Right::Cell(cell)) => compare(&view.cell(row, *read), *by, cell),
            Self::Compare(read, by, Right::Read(other)) => {
                compare(&view.cell(row, *read), *by, &view.cell(row, *other))
            }
            Self::Among(read, cells) => {
                let told = view.cell(row, *read);
                let equal = |cell| compare(&told, Comparison::Equal, cell) == Some(true);
                (!told.is_null()).then(|| cells.iter().any(equal))
            }
            Self::Null(read) => Some(view.cell(row, *read).is_null()),
        }
    }
}

impl Test {
    /// What one that compares a property of a fact comes to for a fact.
    pub(super) fn holds_of_fact(&self, view: &View<'_, '_>, ix: FactIx, facts: Facts) -> Option<bool> {
        match self {
            Self::Compare(Read::Fact(_, property), by, Right::Cell(cell)) => {
                compare(&view.of_fact(ix, facts, *property), *by, cell)
            }
            _ => None,
        }
    }
}

/// One that is not so decides, whatever cannot be told of the others.
fn all(parts: &[Test], view: &View<'_, '_>, row: &Row<'_>) -> Option<bool> {
    let mut known = true;
    for part in parts {
        match part.holds(view, row) {
            Some(false) => return Some(false),
            Some(true) => {}
            None => known = false,
        }
    }
    known.then_some(true)
}

fn any(parts: &[Test], view: &View<'_, '_>, row: &Row<'_>) -> Option<bool> {
    let mut known = true;
    for part in parts {
        match part.holds(view, row) {
            Some(true) => return Some(true),
            Some(false) => {}
            None => known = false,
        }
    }
    known.then_some(false)
}
