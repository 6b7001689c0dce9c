//! What the clauses of a sentence say: who does what to whom, read from its tree. It knows the grammar of English and nothing
//! of names or of what a verb means.

pub(crate) mod clause;
pub(crate) mod open;
pub(crate) mod tree;
