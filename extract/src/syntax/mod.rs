//! The grammar of English sentences: what part of speech each word is, and which word it belongs to. It knows no names, no
//! facts and no other language; what it says of them is not to be used.
//!
//! A tagger and a greedy parser, both averaged perceptrons over words and their surroundings, in the manner of Honnibal's
//! "Parsing English in 500 lines of Python": transitions are those of the arc-hybrid system (Kuhlmann, Gómez-Rodríguez and
//! Satta 2011), learnt with a dynamic oracle (Goldberg and Nivre 2013). The weights are our own data, `scripts/syntax`
//! tells how they are made.

pub(crate) mod kinds;
pub(crate) mod lemma;
mod model;
mod parser;
mod tagger;
pub(crate) mod tokens;
#[cfg(feature = "train")]
pub mod train;
mod word;

use std::sync::LazyLock;

pub use crate::syntax::kinds::{Label, Tag};

use crate::syntax::model::Model;
use crate::syntax::tokens::Token;
use crate::syntax::word::Word;

/// The weights that are built in.
static ENGLISH: LazyLock<Model> = LazyLock::new(|| Model::read(include_bytes!("../../data/english-1.bin")));

/// One word of a sentence and what it belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Node {
    /// Its part of speech.
    pub(crate) tag: Tag,
    /// The place in the sentence of the word that it belongs to; its own place where it belongs to none.
    pub(crate) head: usize,
    /// As what it belongs to that word.
    pub(crate) label: Label,
}

/// Reads a sentence: one node a token. The tokens of a sentence are those that [`tokens::sentences`] tells, of `text`.
pub(crate) fn read(text: &str, sentence: &[Token<'_>]) -> Vec<Node> {
    let words: Vec<Word> = sentence.iter().map(|token| Word::of(token.raw(text), token.word)).collect();
    let tags = tagger::tag(&ENGLISH.tags, &words);
    parser::parse(&*ENGLISH, &words, &tags)
}
