//! What stands in a text that could be an answer, and what kind of answer a question asks for: read from the grammar of
//! English sentences. It knows nothing of what was stored, and does not choose.

mod asking;
mod gather;

pub use self::asking::{Asking, Sought, Want, asking};
pub use self::gather::sentences;

use crate::syntax::Tag;

/// The most words of a phrase: what is longer is no short answer.
pub const PHRASE_WORDS: usize = 30;

/// A sentence with what stands in it.
#[derive(Debug, Clone, PartialEq)]
pub struct Sentence {
    /// Where it stands, in bytes of the text.
    pub bytes: (usize, usize),
    /// Whether it asks something.
    pub asks: bool,
    /// Its words in lower case, signs left out.
    pub words: Vec<String>,
    /// Its phrases, in the order of their main words.
    pub phrases: Vec<Phrase>,
}

/// What a phrase is in its sentence.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Part {
    /// Who or what does it.
    Subject,
    /// What is done something to.
    Object,
    /// What something is said to be, a noun or an adjective.
    Attribute,
    /// What stands behind a preposition, without it.
    Prepositional,
    /// The same with its preposition, or a clause of circumstance with its conjunction.
    Circumstance,
    /// A clause without a subject of its own: "to clear my mind".
    Clause,
    /// A verb with all that belongs to it but its subject.
    Predicate,
    /// What stands between quotation marks.
    Quoted,
    /// What describes a noun: a number, another noun, an adjective.
    Modifier,
    /// A noun that is none of these.
    Noun,
    /// All of the sentence.
    Whole,
}

impl Part {
    /// Every part, in the order of their numbers.
    pub const ALL: [Self; 11] = [
        Self::Subject,
        Self::Object,
        Self::Attribute,
        Self::Prepositional,
        Self::Circumstance,
        Self::Clause,
        Self::Predicate,
        Self::Quoted,
        Self::Modifier,
        Self::Noun,
        Self::Whole,
    ];
}

/// A piece of a sentence that could be an answer.
#[derive(Debug, Clone, PartialEq)]
pub struct Phrase {
    /// Its words as the text has them, without an article before them.
    pub text: String,
    /// Where it stands, in bytes of the text that the sentence is of.
    pub bytes: (usize, usize),
    /// What it is in the sentence.
    pub part: Part,
    /// Its main word, in lower case.
    pub head: String,
    /// That word's part of speech.
    pub tag: Tag,
    /// How many words it has.
    pub length: usize,
    /// Whether "and" joins several things in it.
    pub joined: bool,
    /// The verb that it goes with, as a dictionary lists it; empty where there is none.
    pub verb: String,
    /// The preposition or conjunction before it; empty where there is none.
    pub preposition: String,
    /// The main word of that verb's subject, in lower case; empty where there is none.
    pub subject: String,
    /// Whether that verb is denied.
    pub negated: bool,
    /// How deep its main word stands below that of the sentence.
    pub depth: usize,
}
