//! Names in the texts of a session, and what kind of thing each is of. Who "I" and "you" are is told in `rules::persons`.
//!
//! Names are found first, by capitals and what stands beside them, in each language by its own habits. Then everything that
//! is said beside a name is weighed, over the whole session, and tells its kind; unsure is unknown.

mod acronyms;
mod beside;
mod deeds;
mod evidence;
mod find;
mod foreign;
pub(crate) mod gazetteer;
mod german;
mod heads;
pub(crate) mod session;
mod settle;
pub(crate) mod writing;

use lorebase_engine::model::entity::EntityKind;

pub use crate::names::gazetteer::is_short_for;

use crate::names::session::Session;
use crate::names::writing::Writing;
use crate::syntax::Node;
use crate::syntax::tokens::Token;

/// Whether a first name in small letters is nearly always given to women, or to men; `None` where it is to both, or is
/// not known.
pub fn is_woman_called(first_name: &str) -> Option<bool> {
    gazetteer::gender_of(first_name).map(|gender| gender == gazetteer::Gender::Female)
}

/// A name as a range of tokens.
#[derive(Debug, Clone)]
pub(crate) struct Name {
    /// The first token.
    pub(crate) first: usize,
    /// The first token after it.
    pub(crate) end: usize,
    /// What it stands for: the text, or the whole name of somebody who is called so for short.
    pub(crate) called: String,
    /// What kind of thing has this name.
    pub(crate) kind: EntityKind,
}

/// One text, read so far as names need it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Page<'a, 't> {
    /// The text.
    pub(crate) text: &'a str,
    /// Its tokens.
    pub(crate) tokens: &'a [Token<'t>],
    /// How names are written in it.
    pub(crate) writing: Writing,
    /// A node a token of an English text, the heads as places in `tokens`; none of other languages.
    pub(crate) nodes: &'a [Node],
    /// Whether nobody speaks it.
    pub(crate) document: bool,
}

impl<'t> Page<'_, 't> {
    fn word(&self, at: usize) -> &'t str {
        self.tokens.get(at).map_or("", |token| token.word)
    }

    /// The word before `at`, if it stands in the same sentence.
    fn before(&self, at: usize) -> &'t str {
        match self.tokens.get(at) {
            Some(token) if !token.opens && at > 0 => self.word(at - 1),
            _ => "",
        }
    }
}

/// The names in each of the texts of a session, in order and without overlap.
pub(crate) fn names(pages: &[Page<'_, '_>], session: &Session<'_>) -> Vec<Vec<Name>> {
    let mut found: Vec<Vec<Name>> = pages
        .iter()
        .map(|page| match page.writing {
            Writing::English => find::names(page, session),
            _ => foreign::names(page, session),
        })
        .collect();
    settle::settle(pages, &mut found, session);
    found
}

#[cfg(test)]
mod tests;
