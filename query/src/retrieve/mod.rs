//! The ways of finding: each a function from a namespace and a question's cues to scores or steps, none of
//! which loads a text.

pub(crate) mod bridge;
pub(crate) mod derived;
pub(crate) mod facts;
pub(crate) mod lexical;
pub(crate) mod timeline;
pub(crate) mod vector;
