//! What the weights are learnt from: all who may be meant by each pronoun of a text.

use crate::coref::Turn;
use crate::coref::discourse::Discourse;
use crate::coref::weigh::COUNT;

/// A pronoun with all who may be meant.
#[derive(Debug)]
pub struct Weighed {
    /// Its first character.
    pub start: u32,
    pub(super) token: usize,
    /// Those who may be meant.
    pub candidates: Vec<Candidate>,
}

/// Somebody who may be meant.
#[derive(Debug)]
pub struct Candidate {
    /// What it is called, if it is.
    pub name: Option<String>,
    /// The tokens where it is named; their characters, in what [`weighed`] gives.
    pub places: Vec<usize>,
    /// Its features.
    pub features: [f32; COUNT],
}

/// What is weighed for each pronoun of a text.
pub(crate) fn weighed(turn: &Turn<'_, '_>) -> Vec<Weighed> {
    let mut discourse = Discourse::default();
    discourse.hear(turn);
    let mut weighed = discourse.weighed;
    for pronoun in &mut weighed {
        pronoun.start = turn.tokens[pronoun.token].chars.0;
        for place in pronoun.candidates.iter_mut().flat_map(|candidate| &mut candidate.places) {
            *place = turn.tokens[*place].chars.0 as usize;
        }
    }
    weighed
}
