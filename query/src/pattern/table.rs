//! From the rows of a search to an answer: what is shown of them, counted, ordered, each once, so many.

use std::ops::ControlFlow;

use rustc_hash::{FxHashMap, FxHashSet};

use super::ast::{Pattern, Shown};
use super::cell::Cell;
use super::check::column;
use super::plan::Plan;
use super::row::{Read, Row, View};
use super::search::Stop;

/// What was found.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Table {
    /// What the columns are called.
    pub columns: Vec<String>,
    /// A cell for each column.
    pub rows: Vec<Vec<Cell>>,
    /// Whether more may follow: as many rows as are given at most are there, or as much was looked at as may be. Counts
    /// may be higher then.
    pub more_follows: bool,
    /// How many facts and nodes were looked at.
    pub looked_at: usize,
}

/// The most groups that are counted, rows that are told apart or kept, and different things that are counted.
const HELD_MAX: usize = 1 << 20;

/// What is shown of a row.
enum Shows {
    Read(Read),
    Count { read: Option<Read>, distinct: bool },
}

/// By what a row is ordered.
enum Key {
    Column(usize),
    Read(Read),
}

/// A count so far.
#[derive(Default)]
struct Count {
    rows: i64,
    different: FxHashSet<Cell>,
}

/// Rows as they come, with what they are ordered by.
type Kept = (Vec<Cell>, Vec<Cell>);

/// What gathers rows.
pub(super) struct Gathering<'p> {
    pattern: &'p Pattern,
    shows: Vec<Shows>,
    keys: Vec<Key>,
    /// The most rows of the answer.
    most: usize,
    kept: Vec<Kept>,
    /// How many came, each once where they are to be distinct.
    came: usize,
    seen: FxHashSet<Vec<Cell>>,
    groups: FxHashMap<Vec<Cell>, Vec<Count>>,
    /// Things in all groups that are counted each once.
    different: usize,
}

impl<'p> Gathering<'p> {
    /// Gathers up to `most` rows.
    pub(super) fn new(pattern: &'p Pattern, plan: &Plan<'_>, most: usize) -> Self {
        let read = |term| Read::of(term, &|name| plan.slot(name));
        let shows = pattern.columns.iter().map(|column| match &column.shown {
            Shown::Term(term) => Shows::Read(read(term)),
            Shown::Rows => Shows::Count { read: None, distinct: false },
            Shown::Count(term) => Shows::Count { read: Some(read(term)), distinct: false },
            Shown::CountDistinct(term) => Shows::Count { read: Some(read(term)), distinct: true },
        });
        let keys = pattern.order.iter().filter_map(|order| match column(pattern, &order.by) {
            Some(column) => Some(Key::Column(column)),
            None => order.by.term().map(|term| Key::Read(read(term))),
        });
        Self {
            pattern,
            shows: shows.collect(),
            keys: keys.collect(),
            most,
            kept: Vec::new(),
            came: 0,
            seen: FxHashSet::default(),
            groups: FxHashMap::default(),
            different: 0,
        }
    }

    /// Takes a row.
    pub(super) fn take(&mut self, view: &View<'_, '_>, row: &Row<'_>) -> ControlFlow<Stop> {
        if self.groups.len() + self.seen.len() + self.kept.len() + self.different >= HELD_MAX {
            return ControlFlow::Break(Stop::Work);
        }
        if self.pattern.counts() {
            self.count(view, row);
            return ControlFlow::Continue(());
        }
        let cells = self.shows.iter().map(|shows| match shows {
            Shows::Read(read) => view.cell(row, *read),
            Shows::Count { .. } => Cell::Null,
        });
        let cells: Vec<Cell> = cells.collect();
        let keys = self.keys.iter().map(|key| match key {
            Key::Column(column) => cells[*column].clone(),
            Key::Read(read) => view.cell(row, *read),
        });
        let keys = keys.collect();
        self.keep(keys, cells)
    }

    fn keep(&mut self, keys: Vec<Cell>, cells: Vec<Cell>) -> ControlFlow<Stop> {
        let wanted = self.wanted();
        if self.pattern.distinct && !self.seen.insert(cells.clone()) {
            return ControlFlow::Continue(());
        }
        self.came += 1;
        if !self.pattern.order.is_empty() {
            self.kept.push((keys, cells));
            if self.kept.len() > 2 * wanted.saturating_add(512) {
                self.sort();
                self.kept.truncate(wanted);
            }
            return ControlFlow::Continue(());
        }
        if self.came > self.pattern.skip && self.kept.len() < self.limit() {
            self.kept.push((keys, cells));
        }
        // One that is not given tells that more follow.
        let asked = self.pattern.limit.is_some_and(|limit| limit <= self.most);
        let enough = if asked { self.came >= wanted } else { self.came > wanted };
        if enough { ControlFlow::Break(Stop::Enough) } else { ControlFlow::Continue(()) }
    }

    /// The most rows of the answer.
    fn limit(&self) -> usize {
        self.pattern.limit.unwrap_or(usize::MAX).min(self.most)
    }

    /// How many rows are of use, those among them that are passed over.
    fn wanted(&self) -> usize {
        self.limit().saturating_add(self.pattern.skip)
    }

    fn count(&mut self, view: &View<'_, '_>, row: &Row<'_>) {
        let of_group = self.shows.iter().filter_map(|shows| match shows {
            Shows::Read(read) => Some(view.cell(row, *read)),
            Shows::Count { .. } => None,
        });
        let counts = self.groups.entry(of_group.collect()).or_default();
        counts.resize_with(self.shows.len(), Count::default);
        for (shows, count) in self.shows.iter().zip(counts) {
            let Shows::Count { read, distinct } = shows else { continue };
            let cell = read.map(|read| view.cell(row, read));
            match cell {
                Some(Cell::Null) => {}
                Some(cell) if *distinct => self.different += usize::from(count.different.insert(cell)),
                _ => count.rows += 1,
            }
        }
    }

    /// The rows that groups come to.
    fn counted(&mut self) {
        let mut groups = std::mem::take(&mut self.groups);
        // Where nothing is grouped by, nothing found is a row, too: none.
        if groups.is_empty() && self.shows.iter().all(|shows| matches!(shows, Shows::Count { .. })) {
            groups.entry(Vec::new()).or_default().resize_with(self.shows.len(), Count::default);
        }
        let mut groups: Vec<(Vec<Cell>, Vec<Count>)> = groups.into_iter().collect();
        groups.sort_unstable_by(|(one, _), (other, _)| one.cmp(other));
        for (of_group, counts) in groups {
            let mut of_group = of_group.into_iter();
            let cells = self.shows.iter().zip(counts).map(|(shows, count)| match shows {
                Shows::Read(_) => of_group.next().unwrap_or(Cell::Null),
                Shows::Count { distinct: true, .. } => Cell::Integer(count.different.len() as i64),
                Shows::Count { .. } => Cell::Integer(count.rows),
            });
            let cells: Vec<Cell> = cells.collect();
            let keys = self.keys.iter().map(|key| match key {
                Key::Column(column) => cells[*column].clone(),
                Key::Read(_) => Cell::Null,
            });
            let keys = keys.collect();
            if self.keep(keys, cells).is_break() {
                break;
            }
        }
    }

    fn sort(&mut self) {
        let order = &self.pattern.order;
        self.kept.sort_by(|(one, _), (other, _)| {
            let each =
                one.iter().zip(other).zip(order).map(|((one, other), order)| {
                    if order.descending { other.cmp(one) } else { one.cmp(other) }
                });
            each.fold(std::cmp::Ordering::Equal, std::cmp::Ordering::then)
        });
    }

    /// The answer, where the search ended so.
    pub(super) fn table(mut self, cut: bool, looked_at: usize) -> Table {
        if self.pattern.counts() {
            self.counted();
        }
        let (limit, wanted) = (self.limit(), self.wanted());
        let skip = if self.pattern.order.is_empty() { 0 } else { self.pattern.skip };
        self.sort();
        let asked = self.pattern.limit.is_some_and(|limit| limit <= self.most);
        let more_follows = cut || !asked && self.came > wanted;
        let rows = std::mem::take(&mut self.kept).into_iter().skip(skip).take(limit);
        Table {
            columns: self.pattern.columns.iter().map(super::ast::Column::heading).collect(),
            rows: rows.map(|(_, cells)| cells).collect(),
            more_follows,
            looked_at,
        }
    }
}
