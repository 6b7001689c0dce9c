//! What stands in an answer, and how two such things are compared.

use std::cmp::Ordering;
use std::hash::{Hash, Hasher};

use lorebase_engine::model::id::{EntityId, FactId};
use lorebase_engine::model::time::{SourceTime, Timestamp};
use lorebase_engine::text;

use super::ast::{Comparison, Literal};

/// What is told of one row in one column.
#[derive(Debug, Clone)]
pub enum Cell {
    /// True or false.
    Boolean(bool),
    /// A whole number, such as a count.
    Integer(i64),
    /// Another number.
    Number(f64),
    /// A time.
    Time(Timestamp),
    /// A text, or a plain value.
    Text(String),
    /// An entity, with its name.
    Entity {
        /// What it is called.
        name: String,
        /// Which one it is.
        id: EntityId,
    },
    /// A fact, and what it says.
    Fact {
        /// Subject, predicate and object, with "not" where it is denied.
        told: String,
        /// Which one it is.
        id: FactId,
    },
    /// Several of them: names, or the facts of a hop.
    List(Vec<Cell>),
    /// Nothing: it is not known, or nothing is there.
    Null,
}

impl Cell {
    /// Whether nothing stands there.
    pub fn is_null(&self) -> bool {
        matches!(self, Self::Null)
    }

    fn rank(&self) -> u8 {
        match self {
            Self::Boolean(_) => 0,
            Self::Integer(_) | Self::Number(_) => 1,
            Self::Time(_) => 2,
            Self::Text(_) => 3,
            Self::Entity { .. } => 4,
            Self::Fact { .. } => 5,
            Self::List(_) => 6,
            Self::Null => 7,
        }
    }

    fn as_number(&self) -> Option<f64> {
        match self {
            Self::Integer(number) => Some(*number as f64),
            Self::Number(number) => Some(*number),
            Self::Text(text) => text.trim().parse().ok().filter(|number: &f64| number.is_finite()),
            _ => None,
        }
    }

    fn as_time(&self) -> Option<Timestamp> {
        match self {
            Self::Time(at) => Some(*at),
            Self::Text(text) => text.parse::<SourceTime>().ok().map(|at| at.instant),
            _ => None,
        }
    }
}

impl From<&Literal> for Cell {
    fn from(literal: &Literal) -> Self {
        match literal {
            Literal::Text(text) => Self::Text(text.clone()),
            Literal::Integer(number) => Self::Integer(*number),
            Literal::Number(number) => Self::Number(*number),
            Literal::Boolean(truth) => Self::Boolean(*truth),
        }
    }
}

/// The order of answers: numbers by size, texts by the alphabet whatever their case, null last.
impl Ord for Cell {
    fn cmp(&self, other: &Self) -> Ordering {
        match (self, other) {
            (Self::Boolean(one), Self::Boolean(other)) => one.cmp(other),
            (Self::Integer(one), Self::Integer(other)) => one.cmp(other),
            (Self::Time(one), Self::Time(other)) => one.cmp(other),
            (Self::Text(one), Self::Text(other)) => by_letters(one, other),
            (Self::Entity { name: one, id }, Self::Entity { name: other, id: other_id }) => {
                by_letters(one, other).then_with(|| id.cmp(other_id))
            }
            (Self::Fact { told: one, id }, Self::Fact { told: other, id: other_id }) => {
                by_letters(one, other).then_with(|| id.cmp(other_id))
            }
            (Self::List(one), Self::List(other)) => one.cmp(other),
            (Self::Integer(_) | Self::Number(_), Self::Integer(_) | Self::Number(_)) => {
                let (one, other) = (self.as_number(), other.as_number());
                one.unwrap_or_default().total_cmp(&other.unwrap_or_default())
            }
            _ => self.rank().cmp(&other.rank()),
        }
    }
}

impl PartialOrd for Cell {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Cell {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Cell {}

/// Cells that are equal have one hash.
impl Hash for Cell {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.rank().hash(state);
        match self {
            Self::Boolean(truth) => truth.hash(state),
            Self::Integer(_) | Self::Number(_) => self.as_number().map(f64::to_bits).hash(state),
            Self::Time(at) => at.hash(state),
            Self::Text(text) => text.hash(state),
            Self::Entity { id, .. } => id.hash(state),
            Self::Fact { id, .. } => id.hash(state),
            Self::List(cells) => cells.hash(state),
            Self::Null => {}
        }
    }
}

fn by_letters(one: &str, other: &str) -> Ordering {
    let lower = |byte: u8| byte.to_ascii_lowercase();
    let letters = if one.is_ascii() && other.is_ascii() {
        one.bytes().map(lower).cmp(other.bytes().map(lower))
    } else {
        one.to_lowercase().cmp(&other.to_lowercase())
    };
    letters.then_with(|| one.cmp(other))
}

/// What a comparison comes to; `None` where it cannot be told. Texts are compared as names are, in whichever case; a text
/// that reads as a number or a time is one beside such; and a list is what any of it is.
pub(super) fn compare(left: &Cell, by: Comparison, right: &Cell) -> Option<bool> {
    match (left, right) {
        (Cell::Null, _) | (_, Cell::Null) => None,
        (Cell::List(_), Cell::List(_)) if by == Comparison::Equal => Some(left == right),
        (Cell::List(_), Cell::List(_)) if by == Comparison::Unequal => Some(left != right),
        (Cell::List(_), _) if by == Comparison::Unequal => {
            compare(left, Comparison::Equal, right).map(|equal| !equal)
        }
        (Cell::List(all), _) => Some(all.iter().any(|one| compare(one, by, right) == Some(true))),
        _ if by.is_of_texts() => in_texts(left, by, right),
        _ => match order(left, right) {
            Some(order) => Some(fits(order, by)),
            // Things of two sorts are not equal, and none is the greater.
            None => match by {
                Comparison::Equal => Some(false),
                Comparison::Unequal => Some(true),
                _ => None,
            },
        },
    }
}

fn fits(order: Ordering, by: Comparison) -> bool {
    match by {
        Comparison::Equal => order.is_eq(),
        Comparison::Unequal => order.is_ne(),
        Comparison::Less => order.is_lt(),
        Comparison::AtMost => order.is_le(),
        Comparison::Greater => order.is_gt(),
        Comparison::AtLeast => order.is_ge(),
        Comparison::Contains | Comparison::StartsWith | Comparison::EndsWith => false,
    }
}

fn order(left: &Cell, right: &Cell) -> Option<Ordering> {
    match (left, right) {
        (Cell::Text(left), Cell::Text(right)) => Some(text::fold_name(left).cmp(&text::fold_name(right))),
        (Cell::Boolean(left), Cell::Boolean(right)) => Some(left.cmp(right)),
        (Cell::Time(_), _) | (_, Cell::Time(_)) => Some(left.as_time()?.cmp(&right.as_time()?)),
        _ => left.as_number()?.partial_cmp(&right.as_number()?),
    }
}

fn in_texts(left: &Cell, by: Comparison, right: &Cell) -> Option<bool> {
    let (Cell::Text(left), Cell::Text(right)) = (left, right) else { return None };
    let (left, right) = (text::fold_name(left), text::fold_name(right));
    Some(match by {
        Comparison::Contains => left.contains(&right),
        Comparison::StartsWith => left.starts_with(&right),
        _ => left.ends_with(&right),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(text: &str) -> Cell {
        Cell::Text(text.to_owned())
    }

    #[test]
    fn texts_are_compared_as_names_and_numbers_and_times_by_size() {
        let day = |text: &str| Cell::Time(text.parse::<SourceTime>().unwrap().instant);
        for (left, by, right, come_to) in [
            (text("Porto "), Comparison::Equal, text("porto"), Some(true)),
            (text("Porto"), Comparison::StartsWith, text("por"), Some(true)),
            (text("Porto"), Comparison::EndsWith, text("por"), Some(false)),
            (text("42"), Comparison::Greater, Cell::Integer(9), Some(true)),
            (text("old"), Comparison::Greater, Cell::Integer(9), None),
            (text("old"), Comparison::Equal, Cell::Integer(9), Some(false)),
            (Cell::Number(0.5), Comparison::AtMost, Cell::Integer(1), Some(true)),
            (day("2024-05-08"), Comparison::Less, text("2024-06-01"), Some(true)),
            (Cell::Boolean(true), Comparison::Unequal, Cell::Boolean(false), Some(true)),
            (Cell::List(vec![text("Ana"), text("Anna")]), Comparison::Equal, text("anna"), Some(true)),
            (Cell::List(vec![text("Ana")]), Comparison::Unequal, text("anna"), Some(true)),
            (Cell::Null, Comparison::Equal, Cell::Null, None),
        ] {
            assert_eq!(compare(&left, by, &right), come_to, "{left:?} {by} {right:?}");
        }
    }

    #[test]
    fn null_comes_last_and_case_matters_only_between_equals() {
        let mut cells = [Cell::Null, text("b"), text("B"), text("a"), Cell::Integer(2), Cell::Number(1.5)];
        cells.sort();
        let sorted = [Cell::Number(1.5), Cell::Integer(2), text("a"), text("B"), text("b"), Cell::Null];
        assert_eq!(cells, sorted);
    }
}
