//! Who is meant: which name or speaker a pronoun of the third person stands for, over a window of the turns before.
//! English only.
//!
//! Each sentence is gone through from left to right. Those whom the text has spoken of are weighed by few features of
//! grammar, distance and agreement, see `weigh`; whoever is most likely is meant, where that is likely enough. A
//! pronoun that is understood counts as a mention of whom it means. "They" and "this" are left alone.

mod discourse;
mod entity;
mod gender;
#[cfg(feature = "train")]
pub mod learn;
mod tree;
pub(crate) mod weigh;

use lorebase_engine::model::entity::EntityKind;

use crate::coref::discourse::Discourse;

use crate::syntax::Node;
use crate::syntax::tokens::Token;

/// One turn as it is read for pronouns.
#[derive(Clone, Copy)]
pub(crate) struct Turn<'a, 't> {
    pub(crate) text: &'a str,
    pub(crate) tokens: &'a [Token<'t>],
    /// Its sentences as ranges of tokens.
    pub(crate) sentences: &'a [(usize, usize)],
    /// One a token; heads are counted from the start of the turn.
    pub(crate) nodes: &'a [Node],
    /// What is named in it, in order.
    pub(crate) names: &'a [Named<'a>],
    /// Who speaks.
    pub(crate) speaker: Option<&'a str>,
    /// Who is spoken to, where one can tell.
    pub(crate) other: Option<&'a str>,
}

/// Somebody or something with a name, or with a description that serves as one ("Ana's sister").
#[derive(Debug, Clone)]
pub(crate) struct Named<'a> {
    /// The first token.
    pub(crate) first: usize,
    /// The first token after it.
    pub(crate) end: usize,
    pub(crate) called: &'a str,
    pub(crate) kind: EntityKind,
}

/// Whom or what a pronoun stands for.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Referent {
    pub(crate) name: String,
    pub(crate) kind: EntityKind,
    /// How likely it is, from 0 to 1. Facts should take none below [`SURE`].
    pub(crate) confidence: f32,
}

/// The confidence from which on a referent may be the subject of a fact.
pub(crate) const SURE: f32 = 0.8;

/// Whom the pronouns of each turn stand for: one entry a token.
pub(crate) fn resolve(turns: &[Turn<'_, '_>]) -> Vec<Vec<Option<Referent>>> {
    let mut discourse = Discourse::default();
    turns.iter().map(|turn| discourse.hear(turn)).collect()
}

#[cfg(test)]
mod tests;
