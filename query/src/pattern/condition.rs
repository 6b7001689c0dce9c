//! What stands behind WHERE.

use winnow::Parser;
use winnow::combinator::{alt, opt, separated};

use super::DEPTH_MAX;
use super::ast::{Comparison, Condition, Literal, Operand, Term};
use super::parse::{compared_with, literal, term};
use super::problem::Problem;
use super::token::{Input, Parsed, expected, keyword, keywords, need, position, symbol, takes, variable};

/// Reads a condition.
pub(super) fn condition(input: &mut Input<'_>) -> Parsed<Condition> {
    any(input, 0)
}

/// Conditions with OR between them.
fn any(input: &mut Input<'_>, depth: usize) -> Parsed<Condition> {
    let part = |input: &mut Input<'_>| all(input, depth);
    let parts = separated(1.., part, keyword("OR")).parse_next(input)?;
    Ok(alone(parts, Condition::Any))
}

/// Conditions with AND between them.
fn all(input: &mut Input<'_>, depth: usize) -> Parsed<Condition> {
    let part = |input: &mut Input<'_>| one(input, depth);
    let parts = separated(1.., part, keyword("AND")).parse_next(input)?;
    Ok(alone(parts, Condition::All))
}

/// A part of its own, or several together.
fn alone(mut parts: Vec<Condition>, together: fn(Vec<Condition>) -> Condition) -> Condition {
    match parts.pop() {
        Some(only) if parts.is_empty() => only,
        last => {
            parts.extend(last);
            together(parts)
        }
    }
}

fn one(input: &mut Input<'_>, depth: usize) -> Parsed<Condition> {
    if depth > DEPTH_MAX {
        let problem = format!("conditions stand in at most {DEPTH_MAX} others");
        return Err(Problem::at(position(input), problem));
    }
    if takes(input, keyword("NOT"))? {
        return Ok(Condition::Not(Box::new(one(input, depth + 1)?)));
    }
    if takes(input, symbol("("))? {
        let inner = any(input, depth + 1)?;
        need(input, symbol(")"), "AND, OR, or \")\"")?;
        return Ok(inner);
    }
    let left = term(input, "a condition, such as a.name = \"Ana\"")?;
    compared(input, left)
}

/// What is asked of a term.
fn compared(input: &mut Input<'_>, left: Term) -> Parsed<Condition> {
    if takes(input, keyword("IS"))? {
        let known = takes(input, keyword("NOT"))?;
        need(input, keyword("NULL"), if known { "NULL" } else { "NULL, or NOT NULL" })?;
        return Ok(if known { Condition::IsNotNull(left) } else { Condition::IsNull(left) });
    }
    if takes(input, keyword("IN"))? {
        need(input, symbol("["), "\"[\" and what it may be, such as [\"Ana\", \"Rui\"]")?;
        let one = |input: &mut Input<'_>| given(input, &left, Comparison::Equal);
        let literals = separated(1.., one, symbol(",")).parse_next(input)?;
        need(input, symbol("]"), "a comma and something else, or \"]\"")?;
        return Ok(Condition::In(left, literals));
    }
    let comparison = opt(comparison).parse_next(input)?.ok_or_else(|| {
        expected(input, "a comparison: =, <>, <, <=, >, >=, CONTAINS, STARTS WITH, ENDS WITH, IN, or IS NULL")
    })?;
    let right = operand(input, &left, comparison)?;
    Ok(Condition::Compare(left, comparison, right))
}

fn comparison(input: &mut Input<'_>) -> Parsed<Comparison> {
    alt((
        symbol("=").value(Comparison::Equal),
        symbol("<>").value(Comparison::Unequal),
        symbol("<=").value(Comparison::AtMost),
        symbol("<").value(Comparison::Less),
        symbol(">=").value(Comparison::AtLeast),
        symbol(">").value(Comparison::Greater),
        keyword("CONTAINS").value(Comparison::Contains),
        keywords(["STARTS", "WITH"]).value(Comparison::StartsWith),
        keywords(["ENDS", "WITH"]).value(Comparison::EndsWith),
    ))
    .parse_next(input)
}

fn operand(input: &mut Input<'_>, left: &Term, by: Comparison) -> Parsed<Operand> {
    let mut ahead = *input;
    if variable(&mut ahead).is_ok() {
        return term(input, "").map(Operand::Term);
    }
    given(input, left, by).map(Operand::Literal)
}

/// What a term is compared with where that is given.
fn given(input: &mut Input<'_>, left: &Term, by: Comparison) -> Parsed<Literal> {
    match left {
        Term::Property(_, property) => compared_with(input, *property, by),
        Term::Variable(_) => literal(input),
    }
}
