//! Patterns as they are written: what is shown is read back as the same.

use std::fmt::{self, Display, Formatter};

use super::ast::{
    Clause, Column, Comparison, Condition, Direction, Facts, Hop, Length, Literal, Node, NodeKind, Operand,
    Order, Path, Pattern, Property, Shown, Term, Variable,
};
use super::words::{is_plain, is_reserved};

/// Things with something between them.
struct Joined<'a, T>(&'a [T], &'static str);

impl<T: Display> Display for Joined<'_, T> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        for (place, thing) in self.0.iter().enumerate() {
            write!(f, "{}{thing}", if place > 0 { self.1 } else { "" })?;
        }
        Ok(())
    }
}

/// A name in backticks, unless it can be read without.
struct Name<'a> {
    name: &'a str,
    /// Whether a word of the language can stand there.
    free: bool,
}

impl Display for Name<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        if is_plain(self.name) && (self.free || !is_reserved(self.name)) {
            return f.write_str(self.name);
        }
        write!(f, "`{}`", self.name.replace('`', "``"))
    }
}

impl Display for Pattern {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let distinct = if self.distinct { "DISTINCT " } else { "" };
        write!(f, "{} RETURN {distinct}{}", Joined(&self.clauses, " "), Joined(&self.columns, ", "))?;
        if !self.order.is_empty() {
            write!(f, " ORDER BY {}", Joined(&self.order, ", "))?;
        }
        if self.skip > 0 {
            write!(f, " SKIP {}", self.skip)?;
        }
        self.limit.map_or(Ok(()), |limit| write!(f, " LIMIT {limit}"))
    }
}

impl Display for Clause {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let optional = if self.optional { "OPTIONAL " } else { "" };
        write!(f, "{optional}MATCH {}", Joined(&self.paths, ", "))?;
        match self.facts {
            Facts::Holding => {}
            Facts::HeldAt(at) => write!(f, " AS OF \"{at}\"")?,
            Facts::All => f.write_str(" ALL FACTS")?,
        }
        self.filter.as_ref().map_or(Ok(()), |filter| write!(f, " WHERE {filter}"))
    }
}

impl Display for Path {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.start)?;
        self.hops.iter().try_for_each(|(hop, node)| write!(f, "{hop}{node}"))
    }
}

impl Display for Node {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str("(")?;
        variable(f, self.variable.as_ref())?;
        if let Some(kind) = &self.kind {
            write!(f, ":{kind}")?;
        }
        let blank = self.variable.is_some() || self.kind.is_some();
        properties(f, &self.properties, blank)?;
        f.write_str(")")
    }
}

impl Display for Hop {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let (left, right) = match self.direction {
            Direction::Right => ("-", "->"),
            Direction::Left => ("<-", "-"),
            Direction::Either => ("-", "-"),
        };
        f.write_str(left)?;
        let told = self.variable.is_some() || !self.predicates.is_empty() || self.length.is_some();
        if told || !self.properties.is_empty() {
            f.write_str("[")?;
            variable(f, self.variable.as_ref())?;
            for (place, predicate) in self.predicates.iter().enumerate() {
                let name = Name { name: predicate.as_str(), free: true };
                write!(f, "{}{name}", if place > 0 { "|" } else { ":" })?;
            }
            if let Some(length) = &self.length {
                write!(f, "{length}")?;
            }
            properties(f, &self.properties, told)?;
            f.write_str("]")?;
        }
        f.write_str(right)
    }
}

fn variable(f: &mut Formatter<'_>, variable: Option<&Variable>) -> fmt::Result {
    variable.map_or(Ok(()), |variable| write!(f, "{variable}"))
}

fn properties(f: &mut Formatter<'_>, properties: &[(Property, Literal)], blank: bool) -> fmt::Result {
    if properties.is_empty() {
        return Ok(());
    }
    f.write_str(if blank { " {" } else { "{" })?;
    for (place, (property, literal)) in properties.iter().enumerate() {
        write!(f, "{}{}: {literal}", if place > 0 { ", " } else { "" }, property.as_str())?;
    }
    f.write_str("}")
}

impl Display for Length {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match *self {
            Self { min: 1, max: None } => f.write_str("*"),
            Self { min, max: None } => write!(f, "*{min}.."),
            Self { min, max: Some(max) } if min == max => write!(f, "*{min}"),
            Self { min, max: Some(max) } => write!(f, "*{min}..{max}"),
        }
    }
}

impl Display for NodeKind {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let named = Self::NAMES.iter().find(|(_, kind)| kind == self);
        f.write_str(named.map_or("", |(name, _)| name))
    }
}

impl Display for Variable {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{}", Name { name: self.as_str(), free: false })
    }
}

impl Display for Literal {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Text(text) => write!(f, "\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\"")),
            Self::Integer(number) => write!(f, "{number}"),
            // With a point, by which it is told from a whole number.
            Self::Number(number) => write!(f, "{number:?}"),
            Self::Boolean(truth) => write!(f, "{truth}"),
        }
    }
}

impl Display for Term {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Variable(variable) => write!(f, "{variable}"),
            Self::Property(variable, property) => write!(f, "{variable}.{}", property.as_str()),
        }
    }
}

impl Display for Operand {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Term(term) => write!(f, "{term}"),
            Self::Literal(literal) => write!(f, "{literal}"),
        }
    }
}

impl Display for Comparison {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Equal => "=",
            Self::Unequal => "<>",
            Self::Less => "<",
            Self::AtMost => "<=",
            Self::Greater => ">",
            Self::AtLeast => ">=",
            Self::Contains => "CONTAINS",
            Self::StartsWith => "STARTS WITH",
            Self::EndsWith => "ENDS WITH",
        })
    }
}

impl Display for Condition {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::All(parts) => parted(f, parts, " AND "),
            Self::Any(parts) => parted(f, parts, " OR "),
            Self::Not(part) if matches!(**part, Self::All(_) | Self::Any(_)) => write!(f, "NOT ({part})"),
            Self::Not(part) => write!(f, "NOT {part}"),
            Self::Compare(term, comparison, operand) => write!(f, "{term} {comparison} {operand}"),
            Self::In(term, literals) => write!(f, "{term} IN [{}]", Joined(literals, ", ")),
            Self::IsNull(term) => write!(f, "{term} IS NULL"),
            Self::IsNotNull(term) => write!(f, "{term} IS NOT NULL"),
        }
    }
}

fn parted(f: &mut Formatter<'_>, parts: &[Condition], between: &str) -> fmt::Result {
    for (place, part) in parts.iter().enumerate() {
        f.write_str(if place > 0 { between } else { "" })?;
        match part {
            Condition::All(_) | Condition::Any(_) => write!(f, "({part})")?,
            _ => write!(f, "{part}")?,
        }
    }
    Ok(())
}

impl Display for Shown {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Term(term) => write!(f, "{term}"),
            Self::Rows => f.write_str("count(*)"),
            Self::Count(term) => write!(f, "count({term})"),
            Self::CountDistinct(term) => write!(f, "count(DISTINCT {term})"),
        }
    }
}

impl Display for Column {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.shown)?;
        let alias = self.alias.as_deref().map(|name| Name { name, free: false });
        alias.map_or(Ok(()), |alias| write!(f, " AS {alias}"))
    }
}

impl Display for Order {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.by, if self.descending { " DESC" } else { "" })
    }
}
