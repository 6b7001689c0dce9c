//! Patterns at random, over few names so that they are met.

use lorebase_engine::model::entity::EntityKind;
use lorebase_engine::model::predicate::Predicate;
use lorebase_engine::model::time::SourceTime;
use proptest::prelude::*;
use proptest::sample::select;

use super::ast::{
    Clause, Column, Comparison, Condition, Direction, Facts, Hop, Length, Literal, Node, NodeKind, Operand,
    Order, Path, Pattern, Property, Shown, Term, Variable,
};

/// Names that entities and values have in random histories.
pub(super) const NAMES: [&str; 5] = ["Ilka", "Bram", "Ilka Moor", "Trieste", "a nurse"];
/// Relations: two that say the same from two ends, one that is symmetric, one of one object at a time, one that nothing
/// is known of.
pub(super) const PREDICATES: [&str; 5] = ["manages", "reports_to", "friend_of", "lives_in", "juggles"];
/// Days on which something is told, and is looked at.
pub(super) const DAYS: [&str; 4] = ["2024-01-01", "2024-03-01", "2024-06-01", "2024-09-01"];

const NODES: [&str; 3] = ["a", "b", "c"];

fn variable() -> impl Strategy<Value = Option<Variable>> {
    prop::option::weighted(0.8, select(&NODES[..]).prop_map(Variable::new))
}

fn name() -> impl Strategy<Value = Literal> {
    let text =
        prop_oneof![8 => select(&NAMES[..]).prop_map(str::to_owned), 1 => Just("ILKA  \"\\x".to_owned())];
    text.prop_map(Literal::Text)
}

fn node() -> impl Strategy<Value = Node> {
    let kinds = [EntityKind::Person, EntityKind::Place].map(NodeKind::Entity);
    let kind = prop::option::weighted(0.2, select(vec![kinds[0], kinds[1], NodeKind::Value]));
    let named = prop::option::weighted(0.2, name());
    (variable(), kind, named).prop_map(|(variable, kind, named)| {
        let properties = named.into_iter().map(|name| (Property::Name, name)).collect();
        Node { variable, kind, properties }
    })
}

fn predicates() -> impl Strategy<Value = Vec<Predicate>> {
    let predicates = prop::collection::vec(select(&PREDICATES[..]), 0..3);
    predicates.prop_map(|names| names.into_iter().map(Predicate::new).collect())
}

fn length() -> impl Strategy<Value = Option<Length>> {
    let length = (0..3_u32, prop::option::weighted(0.9, 0..3_u32)).prop_map(|(min, more)| {
        // Without an end, there would be too much to try.
        Length { min, max: Some(min + more.unwrap_or(1)) }
    });
    prop::option::weighted(0.2, length)
}

fn hop() -> impl Strategy<Value = Hop> {
    let direction = select(vec![Direction::Right, Direction::Left, Direction::Either]);
    let status = select(vec!["current", "superseded", "retracted"]);
    let status = status.prop_map(|status| (Property::Status, Literal::Text(status.to_owned())));
    let properties = prop_oneof![4 => Just(Vec::new()), 1 => status.prop_map(|status| vec![status])];
    let called = prop::bool::weighted(0.7);
    (called, predicates(), direction, length(), properties).prop_map(
        |(called, predicates, direction, length, properties)| {
            let variable = called.then(|| Variable::new("r"));
            Hop { variable, predicates, direction, length, properties }
        },
    )
}

fn path() -> impl Strategy<Value = Path> {
    (node(), prop::collection::vec((hop(), node()), 0..3)).prop_map(|(start, hops)| Path { start, hops })
}

fn term() -> impl Strategy<Value = Term> {
    let node = (select(&NODES[..]), select(vec![Property::Name, Property::Kind, Property::Id]));
    let of_fact = [
        Property::Predicate,
        Property::Status,
        Property::Polarity,
        Property::Confidence,
        Property::From,
        Property::To,
        Property::Holds,
        Property::Hedged,
        Property::Contested,
        Property::Recorded,
        Property::Source,
    ];
    let fact = (select(vec!["r0", "r1", "r2"]), select(of_fact.to_vec()));
    prop_oneof![
        2 => select(vec!["a", "b", "c", "r0", "r1"]).prop_map(|name| Term::Variable(name.into())),
        3 => node.prop_map(|(name, property)| Term::property(name, property)),
        2 => fact.prop_map(|(name, property)| Term::property(name, property)),
    ]
}

fn comparison() -> impl Strategy<Value = Comparison> {
    select(vec![
        Comparison::Equal,
        Comparison::Unequal,
        Comparison::Less,
        Comparison::AtMost,
        Comparison::Greater,
        Comparison::AtLeast,
        Comparison::Contains,
        Comparison::StartsWith,
        Comparison::EndsWith,
    ])
}

fn literal() -> impl Strategy<Value = Literal> {
    prop_oneof![
        3 => name(),
        2 => select(&DAYS[..]).prop_map(|day| Literal::Text(day.to_owned())),
        1 => select(vec!["current", "negated", "I", "juggles"]).prop_map(|text| Literal::Text(text.to_owned())),
        1 => (-3..40_i64).prop_map(Literal::Integer),
        1 => (-1.0..1.0_f64).prop_map(Literal::Number),
        1 => any::<bool>().prop_map(Literal::Boolean),
    ]
}

fn condition() -> impl Strategy<Value = Condition> {
    let operand = prop_oneof![3 => literal().prop_map(Operand::Literal), 1 => term().prop_map(Operand::Term)];
    let leaf = prop_oneof![
        6 => (term(), comparison(), operand).prop_map(|(term, by, operand)| Condition::Compare(term, by, operand)),
        1 => (term(), prop::collection::vec(literal(), 1..3)).prop_map(|(term, all)| Condition::In(term, all)),
        1 => term().prop_map(Condition::IsNull),
        1 => term().prop_map(Condition::IsNotNull),
    ];
    leaf.prop_recursive(3, 8, 3, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 2..4).prop_map(Condition::All),
            prop::collection::vec(inner.clone(), 2..4).prop_map(Condition::Any),
            inner.prop_map(|inner| Condition::Not(Box::new(inner))),
        ]
    })
}

fn clause() -> impl Strategy<Value = Clause> {
    let held = select(&DAYS[..]).prop_map(|day| Facts::HeldAt(day.parse::<SourceTime>().unwrap().instant));
    let facts = prop_oneof![4 => Just(Facts::Holding), 1 => held, 1 => Just(Facts::All)];
    let paths = prop_oneof![
        4 => path().prop_map(|path| vec![path]),
        1 => prop::collection::vec(path(), 2..3)
    ];
    (prop::bool::weighted(0.25), paths, facts, prop::option::weighted(0.4, condition()))
        .prop_map(|(optional, paths, facts, filter)| Clause { optional, paths, facts, filter })
}

fn shown() -> impl Strategy<Value = Shown> {
    prop_oneof![
        6 => term().prop_map(Shown::Term),
        1 => Just(Shown::Rows),
        1 => term().prop_map(Shown::Count),
        1 => term().prop_map(Shown::CountDistinct),
    ]
}

fn column() -> impl Strategy<Value = Column> {
    let alias = prop::option::weighted(0.3, select(vec!["who", "the `one`", "match", "a"]));
    (shown(), alias).prop_map(|(shown, alias)| Column { shown, alias: alias.map(str::to_owned) })
}

fn order() -> impl Strategy<Value = Order> {
    (shown(), any::<bool>()).prop_map(|(by, descending)| Order { by, descending })
}

/// A pattern that means something.
pub(super) fn pattern() -> impl Strategy<Value = Pattern> {
    (
        prop::collection::vec(clause(), 1..3),
        prop::bool::weighted(0.2),
        prop::collection::vec(column(), 1..4),
        prop::collection::vec(order(), 0..2),
        prop_oneof![4 => Just(0_usize), 1 => 0..4_usize],
        prop::option::weighted(0.2, 0..6_usize),
    )
        .prop_map(|(clauses, distinct, columns, order, skip, limit)| {
            sound(Pattern { clauses, distinct, columns, order, skip, limit })
        })
}

/// The same with names for its hops, and without what is wrong.
fn sound(mut pattern: Pattern) -> Pattern {
    let mut number = 0;
    for path in pattern.clauses.iter_mut().flat_map(|clause| &mut clause.paths) {
        for (hop, _) in &mut path.hops {
            hop.variable = hop.variable.take().map(|_| Variable::new(&format!("r{number}")));
            number += 1;
        }
    }
    let parts = (std::mem::take(&mut pattern.columns), std::mem::take(&mut pattern.order));
    pattern.columns = vec![Column { shown: Shown::Rows, alias: Some("rows".to_owned()) }];
    for clause in 0..pattern.clauses.len() {
        let filter = pattern.clauses[clause].filter.take();
        pattern.clauses[clause].filter.clone_from(&filter);
        if pattern.check().is_err() {
            pattern.clauses[clause].filter = None;
        }
    }
    let (columns, orders) = parts;
    let mut kept: Vec<Column> = Vec::new();
    for column in columns {
        let columns: Vec<Column> = kept.iter().cloned().chain([column]).collect();
        if (Pattern { columns: columns.clone(), ..pattern.clone() }).check().is_ok() {
            kept = columns;
        }
    }
    if !kept.is_empty() {
        pattern.columns = kept;
    }
    for order in orders {
        pattern.order.push(order);
        if pattern.check().is_err() {
            pattern.order.pop();
        }
    }
    pattern
}

/// A text that may be anything, put together from pieces of patterns.
pub(super) fn whatever() -> impl Strategy<Value = String> {
    let pieces = vec![
        "MATCH ",
        "OPTIONAL ",
        "(a)",
        "(b:Person",
        " {name: \"Ana\"})",
        "-[r:knows",
        "*1..",
        "3",
        "]->",
        "<-[",
        "]-",
        "--",
        " WHERE ",
        "a.name",
        " = ",
        "'x'",
        " AND ",
        "NOT ",
        "(",
        ")",
        " RETURN ",
        "count(",
        "*",
        "DISTINCT ",
        " AS ",
        "OF ",
        " ORDER BY ",
        " DESC",
        " LIMIT ",
        "7",
        ", ",
        "`",
        "\"",
        "\\",
        "é",
        " IS NULL",
        " IN [",
        "]",
        "ALL FACTS",
        "-1.5e3",
        "true",
    ];
    let pieces = prop::collection::vec(select(pieces), 0..20).prop_map(|pieces| pieces.concat());
    let changed = (pattern(), 0..400_usize, 0..3_usize, "[a(){}\\[\\]<>=.'\"`é -]{0,3}").prop_map(
        |(pattern, from, count, other)| {
            let text: Vec<char> = pattern.to_string().chars().collect();
            let from = from.min(text.len());
            let rest = text[from..].iter().skip(count);
            text[..from].iter().copied().chain(other.chars()).chain(rest.copied()).collect()
        },
    );
    prop_oneof![pieces, changed, "\\PC{0,60}"]
}
