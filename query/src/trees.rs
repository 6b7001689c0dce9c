//! Trees that rate by numbers: what was learnt of hits and of answers is kept as such, in our own data.
//!
//! Data is little-endian: the number of trees; of each the number of forks, of each fork the number that it asks for, the bound
//! and two ways, and a value for each leaf. `scripts/learnt.py` writes it.

/// Trees, of which the values are added up.
#[derive(Debug)]
pub struct Trees(Vec<Tree>);

/// One tree: from its first fork on, numbers up to a bound go one way, others the other.
#[derive(Debug)]
struct Tree {
    forks: Vec<Fork>,
    leaves: Vec<f32>,
}

/// A fork of a tree. Its ways lead to another fork, or where they are negative, to the leaf `-1 - way`.
#[derive(Debug, Clone, Copy)]
struct Fork {
    number: u16,
    bound: f32,
    ways: [i16; 2],
}

impl Trees {
    /// Reads trees over so many numbers off the beginning of `data`; `None` where it is damaged.
    pub fn read(data: &mut Data<'_>, numbers: usize) -> Option<Self> {
        (0..data.number()?).map(|_| Tree::read(data, numbers)).collect::<Option<_>>().map(Self)
    }

    /// What the trees make of numbers, as many as they were read for: the more, the better; comparable within one question.
    pub fn rate(&self, numbers: &[f32]) -> f32 {
        self.0.iter().map(|tree| tree.at(numbers)).sum()
    }
}

impl Tree {
    fn read(data: &mut Data<'_>, numbers: usize) -> Option<Self> {
        let count = data.number()?;
        let fork = |data: &mut Data<'_>| {
            Some(Fork { number: data.number()?, bound: data.real()?, ways: [data.way()?, data.way()?] })
        };
        let forks = (0..count).map(|_| fork(data)).collect::<Option<Vec<Fork>>>()?;
        let leaves = (0..=count).map(|_| data.real()).collect::<Option<Vec<f32>>>()?;
        Some(Self { forks, leaves }).filter(|tree| tree.is_sound(numbers))
    }

    fn at(&self, numbers: &[f32]) -> f32 {
        let mut way = 0_i16;
        while let Ok(fork) = usize::try_from(way) {
            let fork = self.forks[fork];
            way = fork.ways[usize::from(numbers[fork.number as usize] > fork.bound)];
        }
        self.leaves[-(way + 1) as usize]
    }

    /// Whether every way leads on to a later fork or to a leaf, so that every walk ends.
    fn is_sound(&self, numbers: usize) -> bool {
        self.forks.iter().enumerate().all(|(at, fork)| {
            let leads = |way: i16| match usize::try_from(way) {
                Ok(next) => next > at && next < self.forks.len(),
                Err(_) => (-(way + 1) as usize) < self.leaves.len(),
            };
            (fork.number as usize) < numbers && fork.ways.into_iter().all(leads)
        }) && !self.forks.is_empty()
    }
}

/// Learnt data that is read from its beginning to its end.
#[derive(Debug)]
pub struct Data<'b> {
    bytes: &'b [u8],
}

impl<'b> Data<'b> {
    /// Data that begins with these bytes; `None` where it does not.
    pub fn behind(magic: &[u8], bytes: &'b [u8]) -> Option<Self> {
        Some(Self { bytes: bytes.strip_prefix(magic)? })
    }

    /// Whether all of it was read.
    pub fn is_read(&self) -> bool {
        self.bytes.is_empty()
    }

    /// The next real number; `None` where there is none.
    pub fn real(&mut self) -> Option<f32> {
        Some(f32::from_le_bytes(self.take()?)).filter(|number| number.is_finite())
    }

    fn number(&mut self) -> Option<u16> {
        Some(u16::from_le_bytes(self.take()?))
    }

    fn way(&mut self) -> Option<i16> {
        Some(i16::from_le_bytes(self.take()?))
    }

    fn take<const N: usize>(&mut self) -> Option<[u8; N]> {
        let (taken, rest) = self.bytes.split_first_chunk::<N>()?;
        self.bytes = rest;
        Some(*taken)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tree_is_walked_by_its_bounds() {
        let forks = vec![
            Fork { number: 0, bound: 1.0, ways: [-1, 1] },
            Fork { number: 1, bound: 2.0, ways: [-2, -3] },
        ];
        let tree = Tree { forks, leaves: vec![0.5, 1.5, 2.5] };
        assert!(tree.is_sound(2) && !tree.is_sound(1));
        let mut numbers = [0.0; 2];
        let mut given = vec![tree.at(&numbers)];
        for place in 0..2 {
            numbers[place] = 2.5;
            given.push(tree.at(&numbers));
        }
        assert_eq!(given, tree.leaves);
        let round =
            Tree { forks: vec![Fork { number: 0, bound: 0.0, ways: [0, -1] }], leaves: vec![0.0, 0.0] };
        assert!(!round.is_sound(1));
    }
}
