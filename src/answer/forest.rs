//! What was learnt of answers: trees that put candidates into order, and weights that tell doubt. Read from our own data,
//! which `scripts/answers/fit.py` writes.

use std::sync::LazyLock;

use super::doubt::SIGNS;
use super::features::{FEATURES, Features};

/// What stands at the beginning of the data.
const MAGIC: &[u8] = b"lorebase answers 1\n";

/// The data that is built in.
pub(crate) static LEARNT: LazyLock<Learnt> = LazyLock::new(|| {
    Learnt::read(include_bytes!("data/answers-1.bin")).expect("the built-in data is whole, as a test checks")
});

/// One tree: from its first fork on, features below a bound go one way, others the other.
#[derive(Debug)]
struct Tree {
    forks: Vec<Fork>,
    leaves: Vec<f32>,
}

/// A fork of a tree. Its ways lead to another fork, or where they are negative, to the leaf `-1 - way`.
#[derive(Debug, Clone, Copy)]
struct Fork {
    feature: u16,
    bound: f32,
    ways: [i16; 2],
}

/// All that was learnt.
#[derive(Debug)]
pub(crate) struct Learnt {
    trees: Vec<Tree>,
    /// Weights of the signs of doubt, and the number that is added to them.
    doubt: [f32; SIGNS],
    doubt_base: f32,
    /// Beyond this the doubt is too great.
    pub(crate) doubt_bound: f32,
    /// Confidence from what the trees say of the best answer, how far it stands above the next, and the doubt; with the
    /// number that is added.
    confidence: [f32; 4],
}

impl Learnt {
    /// What the trees say of a candidate: the more, the better; comparable within one question.
    pub(crate) fn rate(&self, features: &Features) -> f32 {
        self.trees.iter().map(|tree| tree.at(features)).sum()
    }

    /// How much speaks against that the memory holds the answer, as log odds.
    pub(crate) fn doubt(&self, signs: &[f32; SIGNS]) -> f32 {
        self.doubt_base + signs.iter().zip(&self.doubt).map(|(sign, weight)| sign * weight).sum::<f32>()
    }

    /// How likely an answer is right, from 0 to 1.
    pub(crate) fn confidence(&self, rating: f32, lead: f32, doubt: f32) -> f32 {
        let [base, by_rating, by_lead, by_doubt] = self.confidence;
        let odds = base + by_rating * rating + by_lead * lead + by_doubt * doubt;
        1.0 / (1.0 + (-odds).exp())
    }

    /// Reads the data; `None` where it is damaged.
    fn read(bytes: &[u8]) -> Option<Self> {
        let mut reader = Reader { bytes: bytes.strip_prefix(MAGIC)? };
        let trees = (0..reader.number()?).map(|_| reader.tree()).collect::<Option<Vec<Tree>>>()?;
        let mut doubt = [0.0; SIGNS];
        for weight in &mut doubt {
            *weight = reader.real()?;
        }
        let learnt = Self {
            trees,
            doubt,
            doubt_base: reader.real()?,
            doubt_bound: reader.real()?,
            confidence: [reader.real()?, reader.real()?, reader.real()?, reader.real()?],
        };
        reader.bytes.is_empty().then_some(learnt)
    }
}

impl Tree {
    fn at(&self, features: &Features) -> f32 {
        let mut way = 0_i16;
        while let Ok(fork) = usize::try_from(way) {
            let fork = self.forks[fork];
            way = fork.ways[usize::from(features[fork.feature as usize] > fork.bound)];
        }
        self.leaves[-(way + 1) as usize]
    }

    /// Whether every way leads on to a later fork or to a leaf, so that every walk ends.
    fn is_sound(&self) -> bool {
        self.forks.iter().enumerate().all(|(at, fork)| {
            let leads = |way: i16| match usize::try_from(way) {
                Ok(next) => next > at && next < self.forks.len(),
                Err(_) => (-(way + 1) as usize) < self.leaves.len(),
            };
            (fork.feature as usize) < FEATURES && fork.ways.into_iter().all(leads)
        }) && !self.forks.is_empty()
    }
}

struct Reader<'b> {
    bytes: &'b [u8],
}

impl Reader<'_> {
    fn take<const N: usize>(&mut self) -> Option<[u8; N]> {
        let (taken, rest) = self.bytes.split_first_chunk::<N>()?;
        self.bytes = rest;
        Some(*taken)
    }

    fn number(&mut self) -> Option<u16> {
        Some(u16::from_le_bytes(self.take()?))
    }

    fn real(&mut self) -> Option<f32> {
        Some(f32::from_le_bytes(self.take()?)).filter(|number| number.is_finite())
    }

    fn way(&mut self) -> Option<i16> {
        Some(i16::from_le_bytes(self.take()?))
    }

    fn tree(&mut self) -> Option<Tree> {
        let count = self.number()?;
        let fork = |reader: &mut Self| {
            Some(Fork {
                feature: reader.number()?,
                bound: reader.real()?,
                ways: [reader.way()?, reader.way()?],
            })
        };
        let forks = (0..count).map(|_| fork(self)).collect::<Option<Vec<Fork>>>()?;
        let leaves = (0..=count).map(|_| self.real()).collect::<Option<Vec<f32>>>()?;
        Some(Tree { forks, leaves }).filter(Tree::is_sound)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_built_in_data_is_whole_and_nothing_else_is_taken() {
        let bytes = include_bytes!("data/answers-1.bin");
        assert!(Learnt::read(bytes).is_some());
        assert!(Learnt::read(&bytes[..bytes.len() - 1]).is_none());
        assert!(Learnt::read(&[&bytes[..], &[0]].concat()).is_none());
        assert!(Learnt::read(b"").is_none());
    }

    #[test]
    fn a_tree_is_walked_by_its_bounds() {
        let forks = vec![
            Fork { feature: 0, bound: 1.0, ways: [-1, 1] },
            Fork { feature: 1, bound: 2.0, ways: [-2, -3] },
        ];
        let tree = Tree { forks, leaves: vec![0.5, 1.5, 2.5] };
        assert!(tree.is_sound());
        let mut features = [0.0; FEATURES];
        let mut given = vec![tree.at(&features)];
        for feature in 0..2 {
            features[feature] = 2.5;
            given.push(tree.at(&features));
        }
        assert_eq!(given, tree.leaves);
        let round =
            Tree { forks: vec![Fork { feature: 0, bound: 0.0, ways: [0, -1] }], leaves: vec![0.0, 0.0] };
        assert!(!round.is_sound());
    }
}
