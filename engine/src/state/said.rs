//! Which facts say a plain value: what makes it cheap to find who is "a nurse" or 42 without looking at every fact.

use std::hash::Hasher;

use rustc_hash::{FxHashMap, FxHasher};

use crate::graph::FactIx;
use crate::state::State;
use crate::text;

/// The facts that say plain values, as a chain for each value, from the newest fact to the oldest. Values that are folded
/// alike share one, and now and then two others do, which who follows it tells apart.
#[derive(Default)]
pub(super) struct Said {
    newest: FxHashMap<u64, FactIx>,
    /// By fact, one more than the number of the one before it in its chain; 0 for the first.
    before: Vec<u32>,
}

impl Said {
    /// Notes that a fact says a value. Facts come in the order of their numbers.
    pub(super) fn add(&mut self, ix: FactIx, value: &str) {
        let before = self.newest.insert(key(&text::fold_name(value)), ix);
        self.before.resize(ix.index(), 0);
        self.before.push(before.map_or(0, |before| before.0 + 1));
    }

    /// The newest fact of the chain of a folded value.
    fn newest(&self, folded: &str) -> Option<FactIx> {
        self.newest.get(&key(folded)).copied()
    }

    /// The next older one of its chain.
    fn before(&self, ix: FactIx) -> Option<FactIx> {
        self.before.get(ix.index()).copied().filter(|before| *before > 0).map(|before| FactIx(before - 1))
    }

    /// About how many bytes it takes in memory.
    pub(super) fn bytes(&self) -> usize {
        self.newest.capacity() * (size_of::<(u64, FactIx)>() + 1) + self.before.capacity() * size_of::<u32>()
    }
}

fn key(folded: &str) -> u64 {
    let mut hasher = FxHasher::default();
    hasher.write(folded.as_bytes());
    hasher.finish()
}

impl State {
    /// The facts that say a plain value which reads like this one, folded as names are; the newest first.
    pub fn facts_saying(&self, value: &str) -> impl Iterator<Item = FactIx> {
        let folded = text::fold_name(value);
        let chain = std::iter::successors(self.said.newest(&folded), |ix| self.said.before(*ix));
        chain.filter(move |ix| self.value(*ix).is_some_and(|value| text::fold_name(value) == folded))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_chain_leads_from_the_newest_fact_to_the_oldest() {
        let mut said = Said::default();
        for (number, value) in [(1, "A nurse"), (4, "42"), (5, "a  nurse"), (9, "42")] {
            said.add(FactIx(number), value);
        }
        let chain = |folded: &str| {
            std::iter::successors(said.newest(folded), |ix| said.before(*ix))
                .map(|ix| ix.0)
                .collect::<Vec<_>>()
        };
        assert_eq!((chain("a nurse"), chain("42"), chain("43")), (vec![5, 1], vec![9, 4], vec![]));
        assert!(said.bytes() > 0);
    }
}
