//! Rules: `lives_in(X,C), city_in(C,N) -> country(X,N)`. Who lives in a city that is in a country, has that
//! country.
//!
//! ```text
//! rule     = atom { "," atom } "->" atom
//! atom     = predicate "(" term "," term ")"
//! term     = variable | constant
//! variable = upper-case letter { letter | digit | "_" }
//! constant = '"' { any character but '"' and "\" | '\"' | "\\" } '"'
//! ```
//!
//! A predicate begins with a letter that is not upper case, and goes on with letters, digits, `_`, `-` and
//! `'`.

use std::fmt;
use std::str::FromStr;

use crate::model::predicate::Predicate;

/// The most atoms before the arrow.
pub const ATOMS_MAX: usize = 6;
/// The longest rule, in bytes.
pub const RULE_MAX_BYTES: usize = 1000;

/// What follows from what.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Rule {
    /// What must hold, all at one time: one to [`ATOMS_MAX`] atoms that hang together by their variables.
    body: Vec<Atom>,
    /// What holds then. Its variables stand in the body, and are two.
    head: Atom,
}

/// A relation between two things, some of them not known yet.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Atom {
    /// Which relation.
    pub predicate: Predicate,
    /// Of whom, and to what. At least one of a body's atom is a variable, and they are not the same.
    pub ends: [Term; 2],
}

/// One end of an atom.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Term {
    /// Whatever fits: the same in all places of the rule.
    Variable(String),
    /// What is called so, or the plain value that reads so.
    Constant(String),
}

/// A text that is no rule, and why.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("at character {at} of \"{text}\": {problem}")]
pub struct InvalidRule {
    /// The text as given, its beginning where it is long.
    pub text: String,
    /// Which character of it, counted from 1.
    pub at: usize,
    /// What is wrong there, and what would be right.
    pub problem: String,
}

impl Rule {
    /// A rule of atoms that were looked at one by one.
    pub(super) fn of(body: Vec<Atom>, head: Atom) -> Self {
        Self { body, head }
    }

    /// What must hold.
    pub fn body(&self) -> &[Atom] {
        &self.body
    }

    /// What holds then.
    pub fn head(&self) -> &Atom {
        &self.head
    }
}

impl Atom {
    /// Its variables.
    pub fn variables(&self) -> impl Iterator<Item = &str> {
        self.ends.iter().filter_map(|end| match end {
            Term::Variable(name) => Some(name.as_str()),
            Term::Constant(_) => None,
        })
    }
}

impl FromStr for Rule {
    type Err = InvalidRule;

    fn from_str(text: &str) -> Result<Self, InvalidRule> {
        super::parse::rule(text)
    }
}

/// As it is written, with one space after the commas between atoms and around the arrow.
impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (place, atom) in self.body.iter().enumerate() {
            let comma = if place > 0 { ", " } else { "" };
            write!(f, "{comma}{atom}")?;
        }
        write!(f, " -> {}", self.head)
    }
}

impl fmt::Display for Atom {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [subject, object] = &self.ends;
        write!(f, "{}({subject},{object})", self.predicate)
    }
}

impl fmt::Display for Term {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Variable(name) => f.write_str(name),
            Self::Constant(text) => {
                let escaped = text.replace('\\', "\\\\").replace('"', "\\\"");
                write!(f, "\"{escaped}\"")
            }
        }
    }
}
