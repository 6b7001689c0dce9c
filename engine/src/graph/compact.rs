//! The graph laid out for reading: the ways out of each entity lie side by side, by predicate and with the newest fact first.
//! What comes later stands beside that until there is so much of it that all is laid out anew.

use rustc_hash::FxHashMap;

use super::{EntityIx, FactIx};

/// In the place of an entity where a fact says a plain value.
const VALUE: u32 = u32::MAX;
/// All is laid out anew where more ways came later than this, and than an eighth of those that were there.
const LATER: usize = 4096;

/// A fact as the graph sees it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Tied {
    /// Which fact.
    pub fact: FactIx,
    /// Its subject.
    pub from: EntityIx,
    /// The number of its predicate.
    pub predicate: u32,
    /// The entity that it ties the subject to; `None` where it says a plain value.
    pub to: Option<EntityIx>,
}

/// A way out of an entity: over a fact of which it is an end, to the other end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Way {
    to: u32,
    fact: FactIx,
    /// The predicate, and in the lowest bit whether it goes from the object to the subject.
    over: u32,
}

impl Way {
    /// Where it leads; `None` where the fact says a plain value.
    pub fn to(self) -> Option<EntityIx> {
        (self.to != VALUE).then_some(EntityIx(self.to))
    }

    /// Over which fact.
    pub const fn fact(self) -> FactIx {
        self.fact
    }

    /// The number of the fact's predicate.
    pub const fn predicate(self) -> u32 {
        self.over >> 1
    }

    /// Whether it goes against the fact: from its object to its subject.
    pub const fn is_back(self) -> bool {
        self.over & 1 == 1
    }
}

/// Whether a fact is so at every time from when it was laid out on, as far as that can be told without its intervals.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Lasting {
    /// It depends on the time.
    Unsure = 0,
    /// It is so.
    So = 1,
    /// It is not so.
    Not = 2,
}

/// The graph laid out. What is said of facts is kept up with what comes later, so it holds for the state at hand.
#[derive(Debug, Default)]
pub struct Compact {
    /// Where the ways of each entity begin, and where the last of them end.
    starts: Vec<usize>,
    ways: Vec<Way>,
    later: FxHashMap<EntityIx, Vec<Way>>,
    later_count: usize,
    /// A [`Lasting`] of two bits for each fact.
    lasting: Vec<u64>,
}

impl Compact {
    /// Lays out the facts, given in the order of their numbers, of so many entities.
    pub(crate) fn of(entities: usize, facts: impl Iterator<Item = Tied> + Clone) -> Self {
        let mut starts = vec![0; entities + 1];
        facts.clone().for_each(|tied| tied.ends().for_each(|(end, _)| starts[end.index() + 1] += 1));
        for place in 1..starts.len() {
            starts[place] += starts[place - 1];
        }
        let mut next = starts.clone();
        let mut ways = vec![Way { to: VALUE, fact: FactIx(0), over: 0 }; starts[entities]];
        for tied in by_predicate(facts) {
            for (end, way) in tied.ends() {
                ways[next[end.index()]] = way;
                next[end.index()] += 1;
            }
        }
        Self { starts, ways, ..Self::default() }
    }

    /// Adds a new fact. Returns whether it is time to lay out all anew.
    pub(crate) fn add(&mut self, tied: Tied) -> bool {
        for (end, way) in tied.ends() {
            self.later.entry(end).or_default().push(way);
            self.later_count += 1;
        }
        self.later_count > LATER.max(self.ways.len() / 8)
    }

    /// The ways out of an entity, in two lists: those that were laid out, by predicate, and those that came later.
    pub fn ways(&self, entity: EntityIx) -> [&[Way]; 2] {
        let place = entity.index();
        let laid_out = self.starts.get(place).zip(self.starts.get(place + 1));
        let laid_out = laid_out.map_or(&[][..], |(from, to)| &self.ways[*from..*to]);
        [laid_out, self.later.get(&entity).map_or(&[][..], Vec::as_slice)]
    }

    /// The first of these lists, without the ways over facts with another predicate.
    pub fn ways_over(&self, entity: EntityIx, predicate: u32) -> &[Way] {
        let [laid_out, _] = self.ways(entity);
        let from = laid_out.partition_point(|way| way.predicate() < predicate);
        let rest = &laid_out[from..];
        &rest[..rest.partition_point(|way| way.predicate() == predicate)]
    }

    /// How many ways there are out of an entity, those over facts included that are not so any more.
    pub fn degree(&self, entity: EntityIx) -> usize {
        let laid_out = self.starts.get(entity.index()).zip(self.starts.get(entity.index() + 1));
        let later = if self.later.is_empty() { 0 } else { self.later.get(&entity).map_or(0, Vec::len) };
        laid_out.map_or(0, |(from, to)| to - from) + later
    }

    /// Whether a fact is so at every time from when it was laid out on.
    pub fn lasting(&self, fact: FactIx) -> Lasting {
        let word = self.lasting.get(fact.index() / 32).copied().unwrap_or_default();
        match (word >> (fact.index() % 32 * 2)) & 3 {
            1 => Lasting::So,
            2 => Lasting::Not,
            _ => Lasting::Unsure,
        }
    }

    /// Notes whether a fact is so.
    pub(crate) fn set_lasting(&mut self, fact: FactIx, lasting: Lasting) {
        let place = fact.index() / 32;
        if place >= self.lasting.len() {
            self.lasting.resize(place + 1, 0);
        }
        let shift = fact.index() % 32 * 2;
        self.lasting[place] = self.lasting[place] & !(3 << shift) | (lasting as u64) << shift;
    }

    /// About how many bytes it takes.
    pub(crate) fn bytes(&self) -> usize {
        let ways = self.ways.len() + self.later_count;
        ways * size_of::<Way>() + (self.starts.len() + self.lasting.len()) * size_of::<u64>()
    }
}

impl Tied {
    /// Its ends that are entities, each with the way out of it. What ties an entity to itself is one way.
    fn ends(self) -> impl Iterator<Item = (EntityIx, Way)> {
        let to = self.to.map_or(VALUE, |to| to.0);
        let out = Way { to, fact: self.fact, over: self.predicate << 1 };
        let back = Way { to: self.from.0, fact: self.fact, over: self.predicate << 1 | 1 };
        let other = self.to.filter(|to| *to != self.from);
        [Some((self.from, out)), other.map(|to| (to, back))].into_iter().flatten()
    }
}

/// The facts by predicate, and of each predicate the newest first.
fn by_predicate(facts: impl Iterator<Item = Tied> + Clone) -> Vec<Tied> {
    let mut ends: Vec<usize> = Vec::new();
    for tied in facts.clone() {
        let predicate = tied.predicate as usize;
        if predicate >= ends.len() {
            ends.resize(predicate + 1, 0);
        }
        ends[predicate] += 1;
    }
    let mut count = 0;
    for end in &mut ends {
        count += *end;
        *end = count;
    }
    let none = Tied { fact: FactIx(0), from: EntityIx(0), predicate: 0, to: None };
    let mut sorted = vec![none; count];
    for tied in facts {
        let end = &mut ends[tied.predicate as usize];
        *end -= 1;
        sorted[*end] = tied;
    }
    sorted
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tied(fact: u32, from: u32, predicate: u32, to: Option<u32>) -> Tied {
        Tied { fact: FactIx(fact), from: EntityIx(from), predicate, to: to.map(EntityIx) }
    }

    fn told(ways: [&[Way]; 2]) -> Vec<(u32, u32, Option<u32>, bool)> {
        let ways = ways.into_iter().flatten();
        ways.map(|way| (way.predicate(), way.fact().0, way.to().map(|to| to.0), way.is_back())).collect()
    }

    #[test]
    fn ways_lie_by_predicate_with_the_newest_first_and_later_ones_after() {
        let facts =
            [tied(0, 0, 1, Some(1)), tied(1, 0, 0, None), tied(2, 2, 1, Some(0)), tied(3, 1, 0, Some(1))];
        let mut compact = Compact::of(3, facts.into_iter());
        let of_first = [(0, 1, None, false), (1, 2, Some(2), true), (1, 0, Some(1), false)];
        assert_eq!(told(compact.ways(EntityIx(0))), of_first);
        assert_eq!(told([compact.ways_over(EntityIx(0), 1), &[]]), of_first[1..]);
        assert_eq!(told(compact.ways(EntityIx(1))), [(0, 3, Some(1), false), (1, 0, Some(0), true)]);
        assert!(!compact.add(tied(4, 3, 0, Some(0))));
        assert_eq!(told(compact.ways(EntityIx(0)))[3], (0, 4, Some(3), true));
        assert_eq!(
            (compact.degree(EntityIx(0)), compact.degree(EntityIx(3)), compact.degree(EntityIx(9))),
            (4, 1, 0)
        );
    }

    #[test]
    fn it_is_time_for_another_layout_when_much_came_later() {
        let mut compact = Compact::of(2, [tied(0, 0, 0, Some(1))].into_iter());
        let added = (1..).map(|fact| compact.add(tied(fact, 0, 0, Some(1)))).take_while(|enough| !enough);
        assert_eq!(added.count(), LATER / 2);
    }

    #[test]
    fn what_lasts_is_kept_for_each_fact() {
        let mut compact = Compact::default();
        let facts = [0, 31, 32, 100].map(FactIx);
        for (fact, lasting) in
            facts.into_iter().zip([Lasting::So, Lasting::Not, Lasting::Unsure, Lasting::So])
        {
            compact.set_lasting(fact, lasting);
        }
        compact.set_lasting(FactIx(31), Lasting::So);
        let told = facts.map(|fact| compact.lasting(fact));
        assert_eq!(told, [Lasting::So, Lasting::So, Lasting::Unsure, Lasting::So]);
        assert_eq!(compact.lasting(FactIx(5000)), Lasting::Unsure);
    }
}
