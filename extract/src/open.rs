//! Open triples: what a clause says in the text's own words, before a relation has a name of the table.

/// One statement of a clause in words of the text, as open extraction gives it.
#[derive(Debug, Clone, PartialEq)]
pub struct OpenTriple {
    /// Whom or what the clause speaks of.
    pub subject: String,
    /// The relation phrase: the verb with its auxiliaries and particles, or a noun with a copula.
    pub relation: String,
    /// What the relation leads to: the object first, then further arguments such as place and time.
    pub arguments: Vec<String>,
    /// How sure the extractor is, from 0 to 1.
    pub confidence: f32,
}

pub use crate::clauses::open::open_triples;
