//! What follows from what is known? Rules, and facts that are worked out from stated ones by them: when they
//! are asked for, outward from what is asked, and never kept. So none of them outlives what it rests on, and
//! none has a row anywhere.

mod answer;
mod compile;
mod evaluate;
mod intervals;
mod parse;
mod premise;
mod proof;
pub mod rule;
mod table;
#[cfg(test)]
mod tests;
#[cfg(test)]
mod trials;

pub use self::compile::{RuleIx, Rules};
pub use self::evaluate::{Asked, Held, Limits, derive};
pub use self::premise::{premise, premise_by};
pub use self::proof::{Cut, Derivation, DerivedFact, DerivedObject, Premise, Proof, ProofIx};
