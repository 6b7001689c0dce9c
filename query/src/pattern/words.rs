//! The words of the language, and what a name looks like that needs no backticks.

/// Words that are no names of variables and columns, unless in backticks.
const RESERVED: [&str; 25] = [
    "MATCH", "OPTIONAL", "WHERE", "RETURN", "DISTINCT", "ORDER", "BY", "SKIP", "LIMIT", "AS", "OF", "ALL",
    "FACTS", "AND", "OR", "NOT", "IN", "IS", "NULL", "CONTAINS", "STARTS", "ENDS", "WITH", "ASC", "DESC",
];
/// Values, which are no names either.
const VALUES: [&str; 2] = ["TRUE", "FALSE"];

/// Whether a word belongs to the language.
pub(super) fn is_reserved(word: &str) -> bool {
    RESERVED.iter().chain(&VALUES).any(|reserved| reserved.eq_ignore_ascii_case(word))
}

/// Whether a character can begin a name without backticks.
pub(super) fn begins_name(c: char) -> bool {
    c.is_alphabetic() || c == '_'
}

/// Whether a character can stand in one.
pub(super) fn is_of_name(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// Whether a name can be read without backticks.
pub(super) fn is_plain(name: &str) -> bool {
    name.starts_with(begins_name) && name.chars().all(is_of_name)
}
