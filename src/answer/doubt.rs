//! What speaks against that the memory holds an answer: that what accounts for the question was said by, or of, somebody
//! else than whom it is about.

use super::candidates::Vectors;
use super::evidence::{Evidence, Turn, Whose};

/// How many signs of doubt there are.
pub const SIGNS: usize = 32;

/// How many lines the best of them are counted among.
const TOPS: [usize; 3] = [1, 3, 5];

/// A line of a turn, as far as doubt looks at it.
#[derive(Debug, Clone, Copy)]
struct Told {
    /// 1 where it is about whom the question is about, -1 where it is about somebody else who speaks.
    whose: f32,
    asks: bool,
    /// The share of the question that it accounts for.
    covered: f32,
    /// How like the question it is.
    like: f32,
    /// The score of its turn against that of the best.
    score: f32,
}

/// The signs of doubt, from what was found where it counts for nothing who speaks. All are 0 where the question is about
/// nobody who speaks. First, for lines about the one asked of and then about others, that say and then that ask something: the
/// most that one covers, is like, covers by its score, is like by its score, and covers and is like together. Then, for four
/// orders of the lines that say something, about whom the best, the best three and the best five are.
pub(crate) fn signs(question: &str, plain: &Evidence) -> [f32; SIGNS] {
    let mut signs = [0.0; SIGNS];
    if plain.named.is_none() {
        return signs;
    }
    let lines = lines(question, plain);
    let mut place = 0;
    for whose in [1.0, -1.0] {
        for asks in [false, true] {
            let of = || lines.iter().filter(|line| line.asks == asks && (line.whose - whose).abs() < 0.5);
            let most = |rate: fn(&Told) -> f32| of().map(rate).fold(0.0, f32::max);
            let rates: [fn(&Told) -> f32; 5] = [
                |line| line.covered,
                |line| line.like,
                |line| line.covered * line.score,
                |line| line.like * line.score,
                |line| line.covered + line.like,
            ];
            for rate in rates {
                signs[place] = most(rate);
                place += 1;
            }
        }
    }
    let orders: [fn(&Told) -> f32; 4] = [
        |line| line.covered + line.like,
        |line| line.covered * line.score,
        |line| line.like * line.score,
        |line| line.covered + line.like + line.score,
    ];
    for order in orders {
        let mut saying: Vec<&Told> = lines.iter().filter(|line| !line.asks).collect();
        saying.sort_by(|a, b| order(b).total_cmp(&order(a)));
        for most in TOPS {
            let best = &saying[..most.min(saying.len())];
            signs[place] = best.iter().map(|line| line.whose).sum::<f32>() / best.len().max(1) as f32;
            place += 1;
        }
    }
    signs
}

fn lines(question: &str, plain: &Evidence) -> Vec<Told> {
    let mut vectors = Vectors::default();
    let of = |turn: &Turn| {
        let speaker = match turn.whose {
            Whose::Theirs => 1.0,
            Whose::Others => -1.0,
            Whose::Anyone => 0.0,
        };
        let told: Vec<Told> = turn
            .lines
            .iter()
            .map(|line| Told {
                whose: if is_of_listener(&line.sentence.words) { -speaker } else { speaker },
                asks: line.sentence.asks,
                covered: line.covered,
                like: vectors.likeness(question, line.text(&turn.episode.text)),
                score: turn.score,
            })
            .collect();
        told
    };
    plain.turns.iter().flat_map(of).collect()
}

/// Whether a sentence is about whom it is said to, and not about who says it.
fn is_of_listener(words: &[String]) -> bool {
    let has = |list: &[&str]| words.iter().any(|word| list.contains(&word.as_str()));
    has(&["you", "your", "yours"]) && !has(&["i", "my", "we", "our", "me", "us", "mine"])
}
