//! What no grammar says of a pattern: that what is named stands in it, and that what is compared can be.

use lorebase_engine::model::fact::{FactStatus, Polarity};
use lorebase_engine::model::time::SourceTime;
use rustc_hash::FxHashMap;

use super::ast::{
    Clause, Comparison, Condition, Hop, Length, Literal, Node, Operand, Order, Pattern, Property, Shown,
    Term, Variable,
};
use super::problem::Problem;
use super::{DEPTH_MAX, LENGTH_MAX, PARTS_MAX};

/// What a variable stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Sort {
    Node,
    Fact,
    Facts,
}

/// What is known of the variables so far.
#[derive(Default)]
struct Scope<'p> {
    sorts: FxHashMap<&'p str, Sort>,
}

type Checked = Result<(), Problem>;

fn wrong(variable: Option<&Variable>, problem: String) -> Problem {
    Problem::at(variable.map_or(0, |variable| variable.at), problem)
}

/// Finds the first thing that is wrong.
pub(super) fn check(pattern: &Pattern) -> Checked {
    if pattern.clauses.is_empty() || pattern.columns.is_empty() {
        let problem = "a pattern has at least one MATCH with a path, and a column after RETURN";
        return Err(wrong(None, problem.to_owned()));
    }
    let mut scope = Scope::default();
    for clause in &pattern.clauses {
        scope.clause(clause)?;
    }
    limited(pattern)?;
    let mut headings: Vec<String> = Vec::new();
    for column in &pattern.columns {
        let term = column.shown.term();
        term.map_or(Ok(()), |term| scope.term(term))?;
        let heading = column.heading();
        if headings.contains(&heading) {
            let problem = format!("two columns are called {heading}; give one another name with AS");
            return Err(wrong(term.map(Term::variable), problem));
        }
        headings.push(heading);
    }
    pattern.order.iter().try_for_each(|order| scope.order(pattern, order))
}

/// That a pattern is not larger than what is gone over.
fn limited(pattern: &Pattern) -> Checked {
    let paths = || pattern.clauses.iter().flat_map(|clause| &clause.paths);
    let (nodes, hops) = (
        paths().map(|path| path.hops.len() + 1).sum::<usize>(),
        paths().map(|path| path.hops.len()).sum::<usize>(),
    );
    if paths().count() == 0 || nodes > PARTS_MAX || hops > PARTS_MAX {
        let problem = format!("a pattern has a path, and at most {PARTS_MAX} nodes and as many hops");
        return Err(wrong(None, problem));
    }
    Ok(())
}

impl<'p> Scope<'p> {
    fn clause(&mut self, clause: &'p Clause) -> Checked {
        for path in &clause.paths {
            for node in path.nodes() {
                self.node(node)?;
            }
            for (hop, _) in &path.hops {
                self.hop(hop)?;
            }
        }
        clause.filter.as_ref().map_or(Ok(()), |filter| self.condition(filter, 0))
    }

    fn node(&mut self, node: &'p Node) -> Checked {
        if let Some(variable) = &node.variable {
            let known = *self.sorts.entry(variable.as_str()).or_insert(Sort::Node);
            if known != Sort::Node {
                let problem =
                    format!("{variable} is a fact, and stands here for a node; give it another name");
                return Err(wrong(Some(variable), problem));
            }
        }
        properties(node.variable.as_ref(), Sort::Node, &node.properties)
    }

    fn hop(&mut self, hop: &'p Hop) -> Checked {
        let variable = hop.variable.as_ref();
        let sort = if hop.length.is_some() { Sort::Facts } else { Sort::Fact };
        if let Some(variable) = variable
            && self.sorts.insert(variable.as_str(), sort).is_some()
        {
            let problem = format!("{variable} stands for something else already; give the hop another name");
            return Err(wrong(Some(variable), problem));
        }
        hop.length.map_or(Ok(()), |length| can_be(length).map_err(|problem| wrong(variable, problem)))?;
        properties(variable, Sort::Fact, &hop.properties)
    }

    /// What a variable stands for.
    fn sort(&self, variable: &Variable) -> Result<Sort, Problem> {
        self.sorts.get(variable.as_str()).copied().ok_or_else(|| {
            let mut known: Vec<String> =
                self.sorts.keys().map(|name| Variable::new(name).to_string()).collect();
            known.sort();
            let known = if known.is_empty() { "nothing has a name".to_owned() } else { known.join(", ") };
            wrong(Some(variable), format!("{variable} stands in no MATCH before; there are: {known}"))
        })
    }

    fn term(&self, term: &Term) -> Checked {
        let sort = self.sort(term.variable())?;
        match term {
            Term::Property(variable, property) => belongs(sort, *property)
                .map_err(|problem| wrong(Some(variable), format!("{variable}: {problem}"))),
            Term::Variable(_) => Ok(()),
        }
    }

    fn condition(&self, condition: &Condition, depth: usize) -> Checked {
        if depth > 2 * DEPTH_MAX + 2 {
            let problem = format!("conditions stand in at most {DEPTH_MAX} others");
            return Err(wrong(None, problem));
        }
        match condition {
            Condition::All(parts) | Condition::Any(parts) => {
                parts.iter().try_for_each(|part| self.condition(part, depth + 1))
            }
            Condition::Not(part) => self.condition(part, depth + 1),
            Condition::Compare(term, comparison, Operand::Literal(literal)) => {
                self.term(term)?;
                self.property_of(term, *comparison, literal)
            }
            Condition::Compare(term, comparison, Operand::Term(other)) => {
                self.term(term)?;
                self.term(other)?;
                self.alike(term, *comparison, other)
            }
            Condition::In(term, literals) => {
                self.term(term)?;
                let equal = Comparison::Equal;
                literals.iter().try_for_each(|literal| self.property_of(term, equal, literal))
            }
            Condition::IsNull(term) | Condition::IsNotNull(term) => self.term(term),
        }
    }

    /// That a literal is compared with a property, and not with a node.
    fn property_of(&self, term: &Term, comparison: Comparison, literal: &Literal) -> Checked {
        match term {
            Term::Property(variable, property) => {
                comparable(*property, comparison, literal).map_err(|problem| wrong(Some(variable), problem))
            }
            Term::Variable(variable) => {
                let example = match self.sort(variable)? {
                    Sort::Node => "name",
                    Sort::Fact | Sort::Facts => "predicate",
                };
                let problem = format!("{variable} has no value of its own; compare {variable}.{example}");
                Err(wrong(Some(variable), problem))
            }
        }
    }

    /// That nodes and facts are compared with such.
    fn alike(&self, term: &Term, comparison: Comparison, other: &Term) -> Checked {
        let whole = |term: &Term| matches!(term, Term::Variable(_));
        if !whole(term) && !whole(other) {
            return Ok(());
        }
        let same =
            whole(term) && whole(other) && self.sort(term.variable())? == self.sort(other.variable())?;
        if same && matches!(comparison, Comparison::Equal | Comparison::Unequal) {
            return Ok(());
        }
        let problem =
            format!("{term} and {other} cannot be compared so; nodes are = or <> nodes, facts facts");
        Err(wrong(Some(term.variable()), problem))
    }

    fn order(&self, pattern: &Pattern, order: &Order) -> Checked {
        if column(pattern, &order.by).is_some() {
            return Ok(());
        }
        let term = order.by.term();
        if order.by.counts() || pattern.counts() || pattern.distinct {
            let problem = format!("rows are ordered by {}, which is no column; show it, too", order.by);
            return Err(wrong(term.map(Term::variable), problem));
        }
        term.map_or(Ok(()), |term| self.term(term))
    }
}

/// The column by which rows are ordered: by its alias, or as it is asked for.
pub(super) fn column(pattern: &Pattern, by: &Shown) -> Option<usize> {
    let called = |alias: &str| matches!(by, Shown::Term(Term::Variable(name)) if name.as_str() == alias);
    let named = pattern.columns.iter().position(|column| column.alias.as_deref().is_some_and(called));
    named.or_else(|| pattern.columns.iter().position(|column| column.shown == *by))
}

fn properties(variable: Option<&Variable>, sort: Sort, properties: &[(Property, Literal)]) -> Checked {
    properties.iter().try_for_each(|(property, literal)| {
        let so = belongs(sort, *property).and_then(|()| comparable(*property, Comparison::Equal, literal));
        so.map_err(|problem| wrong(variable, problem))
    })
}

/// That so many facts in a row can be gone over.
pub(super) fn can_be(length: Length) -> Result<(), String> {
    let most = length.max.unwrap_or(LENGTH_MAX);
    if length.min <= most && most <= LENGTH_MAX {
        return Ok(());
    }
    Err(format!("a hop cannot go over {length} facts; give a range within 0..{LENGTH_MAX}"))
}

/// That things of a sort have a property.
pub(super) fn belongs(sort: Sort, property: Property) -> Result<(), String> {
    let name = property.as_str();
    let (has, what): (fn(Property) -> bool, _) = match sort {
        Sort::Node => (Property::is_of_nodes, "a node"),
        Sort::Fact => (Property::is_of_facts, "a fact"),
        Sort::Facts => return Err(format!("a list of facts has no properties, and so no {name}")),
    };
    if has(property) {
        return Ok(());
    }
    let all = Property::ALL.iter().filter(|(property, _)| has(*property)).map(|(_, name)| *name);
    Err(format!("{what} has no property {name}; it has {}", all.collect::<Vec<_>>().join(", ")))
}

/// That a property can be compared so with what is given.
pub(super) fn comparable(property: Property, by: Comparison, literal: &Literal) -> Result<(), String> {
    if matches!(literal, Literal::Number(number) if !number.is_finite()) {
        return Err("what is compared with is no number".to_owned());
    }
    let Literal::Text(text) = literal else { return Ok(()) };
    let name = property.as_str();
    if property.is_time() && by.is_of_texts() {
        return Err(format!("{name} is a time; compare it with =, <>, <, <=, > or >="));
    }
    if property.is_time() && text.parse::<SourceTime>().is_err() {
        return Err(format!("{name} is a time, and {text:?} is none; write one like 2024-05-08"));
    }
    let (known, equal) = (known(property), matches!(by, Comparison::Equal | Comparison::Unequal));
    if equal && !known.is_empty() && !known.iter().any(|known| known.eq_ignore_ascii_case(text)) {
        return Err(format!("{name} is {}, and never {text:?}", known.join(" or ")));
    }
    Ok(())
}

/// All that a property can be, where that is little.
fn known(property: Property) -> &'static [&'static str] {
    const STATUS: [&str; 3] =
        [FactStatus::Current.as_str(), FactStatus::Superseded.as_str(), FactStatus::Retracted.as_str()];
    const POLARITY: [&str; 2] = [Polarity::Affirmed.as_str(), Polarity::Negated.as_str()];
    match property {
        Property::Status => &STATUS,
        Property::Polarity => &POLARITY,
        _ => &[],
    }
}
