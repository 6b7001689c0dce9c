//! From a text to a [`Pattern`]. The grammar stands in `docs/patterns.md`; what it does not say is in `check.rs`.

use lorebase_engine::model::predicate::Predicate;
use lorebase_engine::model::time::SourceTime;
use winnow::Parser;
use winnow::combinator::{alt, eof, opt, preceded, separated};

use super::PATTERN_MAX_BYTES;
use super::ast::{
    Clause, Column, Comparison, Direction, Facts, Hop, Length, Literal, Node, NodeKind, Order, Path, Pattern,
    Property, Shown, Term, Variable,
};
use super::check::{Sort, belongs, can_be, check, comparable};
use super::condition::condition;
use super::problem::Problem;
use super::token::{
    Input, Parsed, blanks, digits, expected, keyword, keywords, name, need, number, position, quoted, symbol,
    takes, variable,
};

/// Reads a pattern that means something.
pub(super) fn pattern(text: &str) -> Result<Pattern, Problem> {
    if text.len() > PATTERN_MAX_BYTES {
        let problem = format!("a pattern has at most {PATTERN_MAX_BYTES} bytes");
        return Err(Problem::at(text.floor_char_boundary(PATTERN_MAX_BYTES), problem));
    }
    let mut input = Input::new(text);
    let pattern = whole(&mut input)?;
    check(&pattern)?;
    Ok(pattern)
}

fn whole(input: &mut Input<'_>) -> Parsed<Pattern> {
    let mut clauses = vec![clause(input, "MATCH and a path, such as (a)-[:knows]->(b)")?];
    while !takes(input, keyword("RETURN"))? {
        let told = clauses.last().is_some_and(|clause: &Clause| clause.filter.is_some());
        let what = if told { "AND, OR, another MATCH, or RETURN" } else { "WHERE, another MATCH, or RETURN" };
        clauses.push(clause(input, what)?);
    }
    let distinct = takes(input, keyword("DISTINCT"))?;
    let columns: Vec<Column> = separated(1.., column, symbol(",")).parse_next(input)?;
    let by_what = preceded(keywords(["ORDER", "BY"]), separated(1.., order, symbol(",")));
    let order: Vec<Order> = opt(by_what).parse_next(input)?.unwrap_or_default();
    let skip = opt(preceded(keyword("SKIP"), count)).parse_next(input)?.unwrap_or_default();
    let limit = opt(preceded(keyword("LIMIT"), count)).parse_next(input)?;
    let what = match (limit, skip) {
        (Some(_), _) => "the end",
        (None, 1..) => "LIMIT, or the end",
        (None, 0) if order.is_empty() => "a comma, AS, ORDER BY, SKIP, LIMIT, or the end",
        (None, 0) => "a comma, DESC, SKIP, LIMIT, or the end",
    };
    need(input, preceded(blanks, eof), what)?;
    Ok(Pattern { clauses, distinct, columns, order, skip, limit })
}

fn clause(input: &mut Input<'_>, what: &str) -> Parsed<Clause> {
    let optional = takes(input, keyword("OPTIONAL"))?;
    need(input, keyword("MATCH"), if optional { "MATCH after OPTIONAL" } else { what })?;
    let paths = separated(1.., path, symbol(",")).parse_next(input)?;
    let facts = facts(input)?;
    let filter = opt(preceded(keyword("WHERE"), condition)).parse_next(input)?;
    Ok(Clause { optional, paths, facts, filter })
}

/// Which facts count.
fn facts(input: &mut Input<'_>) -> Parsed<Facts> {
    if takes(input, keyword("ALL"))? {
        need(input, keyword("FACTS"), "FACTS after ALL")?;
        return Ok(Facts::All);
    }
    if !takes(input, keyword("AS"))? {
        return Ok(Facts::Holding);
    }
    need(input, keyword("OF"), "OF and a time")?;
    let at = position(input);
    let text = need(input, quoted, "a time in quotes, such as \"2024-05-08\"")?;
    let time: Result<SourceTime, _> = text.parse();
    let time =
        time.map_err(|_| Problem::at(at, format!("{text:?} is no time; write one like 2024-05-08")))?;
    Ok(Facts::HeldAt(time.instant))
}

fn path(input: &mut Input<'_>) -> Parsed<Path> {
    let mut path = Path::from(node(input)?);
    while let Some(hop) = hop(input)? {
        path.hops.push((hop, node(input)?));
    }
    Ok(path)
}

fn node(input: &mut Input<'_>) -> Parsed<Node> {
    need(input, symbol("("), "a node, such as (a:Person)")?;
    let variable = opt(variable).parse_next(input)?;
    let kind = opt(preceded(symbol(":"), node_kind)).parse_next(input)?;
    let properties = properties(input, Sort::Node)?;
    let what = match (&variable, &kind, properties.is_empty()) {
        (None, None, true) => "a name for the node, a kind, such as :Person, or \")\"",
        (_, None, true) => "a kind, such as :Person, properties, such as {name: \"Ana\"}, or \")\"",
        (.., true) => "properties, such as {name: \"Ana\"}, or \")\"",
        (.., false) => "\")\" at the end of the node",
    };
    need(input, symbol(")"), what)?;
    Ok(Node { variable, kind, properties })
}

fn node_kind(input: &mut Input<'_>) -> Parsed<NodeKind> {
    let at = position(input);
    let told = need(input, name, "a kind of node, such as Person")?;
    let known = NodeKind::NAMES.iter().find(|(known, _)| known.eq_ignore_ascii_case(&told));
    known.map(|(_, kind)| *kind).ok_or_else(|| {
        let kinds: Vec<String> = NodeKind::NAMES.iter().map(|(name, _)| (*name).to_owned()).collect();
        Problem::at(at, format!("{told} is no kind of node; there are {}", kinds.join(", ")))
    })
}

/// What stands between braces, where they begin.
fn properties(input: &mut Input<'_>, sort: Sort) -> Parsed<Vec<(Property, Literal)>> {
    if !takes(input, symbol("{"))? {
        return Ok(Vec::new());
    }
    let property = |input: &mut Input<'_>| {
        let at = position(input);
        let property = property(input)?;
        belongs(sort, property).map_err(|problem| Problem::at(at, problem))?;
        need(input, symbol(":"), "\":\" and what the property is equal to")?;
        Ok((property, compared_with(input, property, Comparison::Equal)?))
    };
    let properties = separated(1.., property, symbol(",")).parse_next(input)?;
    need(input, symbol("}"), "a comma and another property, or \"}\"")?;
    Ok(properties)
}

/// What a property is compared with.
pub(super) fn compared_with(input: &mut Input<'_>, property: Property, by: Comparison) -> Parsed<Literal> {
    let at = position(input);
    let literal = literal(input)?;
    comparable(property, by, &literal).map_err(|problem| Problem::at(at, problem))?;
    Ok(literal)
}

/// The name of a property that there is.
pub(super) fn property(input: &mut Input<'_>) -> Parsed<Property> {
    let at = position(input);
    let told = need(input, name, "a property, such as name")?;
    let known = Property::ALL.iter().find(|(_, known)| known.eq_ignore_ascii_case(&told));
    known.map(|(property, _)| *property).ok_or_else(|| {
        let names = |wanted: fn(Property) -> bool| {
            let names = Property::ALL.iter().filter(|(property, _)| wanted(*property)).map(|(_, name)| *name);
            names.collect::<Vec<_>>().join(", ")
        };
        let (nodes, facts) = (names(Property::is_of_nodes), names(Property::is_of_facts));
        Problem::at(at, format!("{told} is no property; nodes have {nodes}, and facts {facts}"))
    })
}

/// What is compared with.
pub(super) fn literal(input: &mut Input<'_>) -> Parsed<Literal> {
    let text = quoted.map(Literal::Text);
    let truth = alt((keyword("TRUE").value(true), keyword("FALSE").value(false))).map(Literal::Boolean);
    need(input, alt((text, truth, number)), "a text in quotes, a number, true or false")
}

/// A hop, where one begins.
fn hop(input: &mut Input<'_>) -> Parsed<Option<Hop>> {
    let left = takes(input, symbol("<"))?;
    if left {
        need(input, symbol("-"), "\"-\" after \"<\"")?;
    } else if !takes(input, symbol("-"))? {
        return Ok(None);
    }
    let told = opt(told).parse_next(input)?;
    let what = if told.is_some() { "\"-\" after \"]\"" } else { "\"[\", or \"-\"" };
    need(input, symbol("-"), what)?;
    let direction = match (left, !left && takes(input, symbol(">"))?) {
        (true, _) => Direction::Left,
        (false, true) => Direction::Right,
        (false, false) => Direction::Either,
    };
    Ok(Some(Hop { direction, ..told.unwrap_or_default() }))
}

/// What stands between brackets.
fn told(input: &mut Input<'_>) -> Parsed<Hop> {
    symbol("[").parse_next(input)?;
    let variable = opt(variable).parse_next(input)?;
    let predicates = opt(preceded(symbol(":"), predicates)).parse_next(input)?.unwrap_or_default();
    let length = opt(preceded(symbol("*"), length)).parse_next(input)?;
    let properties = properties(input, Sort::Fact)?;
    let what = match (variable.is_some(), predicates.is_empty(), length.is_some(), properties.is_empty()) {
        (_, _, _, false) => "\"]\" at the end of the hop",
        (_, _, true, _) => "properties, such as {status: \"current\"}, or \"]\"",
        (_, false, ..) => "\"|\" and another relation, a length, such as *1..3, or \"]\"",
        (true, true, ..) => "a relation, such as :works_at, a length, such as *1..3, or \"]\"",
        (false, ..) => {
            "a name for the fact, a relation, such as :works_at, a length, such as *1..3, or \"]\""
        }
    };
    need(input, symbol("]"), what)?;
    Ok(Hop { variable, predicates, direction: Direction::default(), length, properties })
}

fn predicates(input: &mut Input<'_>) -> Parsed<Vec<Predicate>> {
    separated(1.., predicate, (symbol("|"), opt(symbol(":")))).parse_next(input)
}

fn predicate(input: &mut Input<'_>) -> Parsed<Predicate> {
    let at = position(input);
    let predicate = Predicate::new(&need(input, name, "a relation, such as works_at")?);
    if predicate.as_str().is_empty() {
        return Err(Problem::at(at, "names no relation; give one such as works_at".to_owned()));
    }
    Ok(predicate)
}

/// What stands behind the star of a hop over several facts.
fn length(input: &mut Input<'_>) -> Parsed<Length> {
    let at = position(input);
    let min = opt(digits).parse_next(input)?;
    let open = takes(input, symbol(".."))?;
    let max = if open { opt(digits).parse_next(input)? } else { min };
    let length = Length { min: min.unwrap_or(1), max };
    can_be(length).map_err(|problem| Problem::at(at, problem))?;
    Ok(length)
}

fn column(input: &mut Input<'_>) -> Parsed<Column> {
    let shown = shown(input)?;
    let alias = |input: &mut Input<'_>| need(input, variable, "a name for the column");
    let alias: Option<Variable> = opt(preceded(keyword("AS"), alias)).parse_next(input)?;
    Ok(Column { shown, alias: alias.map(|alias| alias.as_str().to_owned()) })
}

fn order(input: &mut Input<'_>) -> Parsed<Order> {
    let by = shown(input)?;
    let descending = takes(input, alt((keyword("DESCENDING"), keyword("DESC"))))?;
    if !descending {
        takes(input, alt((keyword("ASCENDING"), keyword("ASC"))))?;
    }
    Ok(Order { by, descending })
}

fn shown(input: &mut Input<'_>) -> Parsed<Shown> {
    if !takes(input, (keyword("COUNT"), symbol("(")))? {
        return term(input, "what is shown, such as a.name or count(*)").map(Shown::Term);
    }
    let shown = if takes(input, symbol("*"))? {
        Shown::Rows
    } else if takes(input, keyword("DISTINCT"))? {
        Shown::CountDistinct(term(input, "what is counted, such as a")?)
    } else {
        Shown::Count(term(input, "what is counted: *, or something such as a, perhaps after DISTINCT")?)
    };
    need(input, symbol(")"), "\")\" after what is counted")?;
    Ok(shown)
}

/// A variable, or a property of it.
pub(super) fn term(input: &mut Input<'_>, what: &str) -> Parsed<Term> {
    let variable = need(input, variable, what)?;
    Ok(match opt(preceded(symbol("."), property)).parse_next(input)? {
        Some(property) => Term::Property(variable, property),
        None => Term::Variable(variable),
    })
}

/// How many rows.
fn count(input: &mut Input<'_>) -> Parsed<usize> {
    let found = opt(digits).parse_next(input)?;
    found.map(|count| count as usize).ok_or_else(|| expected(input, "a number of rows"))
}
