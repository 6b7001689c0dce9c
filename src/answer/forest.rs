//! What was learnt of answers: trees that put candidates into order, and weights that tell doubt. Read from our own data,
//! which `scripts/answers/fit.py` writes.

use std::sync::LazyLock;

use lorebase_query::trees::{Data, Trees};

use super::doubt::SIGNS;
use super::features::{FEATURES, Features};

/// What stands at the beginning of the data.
const MAGIC: &[u8] = b"lorebase answers 1\n";

/// The data that is built in.
pub(crate) static LEARNT: LazyLock<Learnt> = LazyLock::new(|| {
    Learnt::read(include_bytes!("data/answers-1.bin")).expect("the built-in data is whole, as a test checks")
});

/// All that was learnt.
#[derive(Debug)]
pub(crate) struct Learnt {
    trees: Trees,
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
        self.trees.rate(features)
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
        let mut data = Data::behind(MAGIC, bytes)?;
        let trees = Trees::read(&mut data, FEATURES)?;
        let mut doubt = [0.0; SIGNS];
        for weight in &mut doubt {
            *weight = data.real()?;
        }
        let learnt = Self {
            trees,
            doubt,
            doubt_base: data.real()?,
            doubt_bound: data.real()?,
            confidence: [data.real()?, data.real()?, data.real()?, data.real()?],
        };
        data.is_read().then_some(learnt)
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
}
