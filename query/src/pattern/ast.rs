//! What can be asked of the graph, as plain values: read from a text, or put together in Rust.

use std::hash::{Hash, Hasher};

use lorebase_engine::model::entity::EntityKind;
use lorebase_engine::model::predicate::Predicate;
use lorebase_engine::model::time::Timestamp;

/// What is asked: clauses that are met one after the other, and what is shown of each way to meet them all.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Pattern {
    /// What must stand in the graph; at least one.
    pub clauses: Vec<Clause>,
    /// Whether rows that are alike are shown once.
    pub distinct: bool,
    /// What is shown; at least one.
    pub columns: Vec<Column>,
    /// By what rows are ordered, the first first.
    pub order: Vec<Order>,
    /// How many rows are passed over.
    pub skip: usize,
    /// How many rows are shown at most.
    pub limit: Option<usize>,
}

/// Paths that are met together: `MATCH (a)-[:works_at]->(b) WHERE a.name = "Ana"`.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Clause {
    /// Whether a row stays where the clause is not met; what it would name is null then.
    pub optional: bool,
    /// What must stand in the graph; at least one. A fact is used once in a clause.
    pub paths: Vec<Path>,
    /// Which facts count.
    pub facts: Facts,
    /// What must be so besides.
    pub filter: Option<Condition>,
}

/// Which facts count for a clause.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Facts {
    /// Those that hold at the time that is asked for, or else now.
    #[default]
    Holding,
    /// Those that held at a time of the world: `AS OF "2024-05-08"`.
    HeldAt(Timestamp),
    /// Also what is denied, is over, or was superseded or retracted: `ALL FACTS`.
    All,
}

/// Nodes, tied by facts: `(a)-[:works_at]->(b)<-[:works_at]-(c)`.
#[derive(Debug, Clone, PartialEq)]
pub struct Path {
    /// Where it begins.
    pub start: Node,
    /// What it goes over, and where to.
    pub hops: Vec<(Hop, Node)>,
}

/// An entity, or a plain value that a fact says: `(a:Person {name: "Ana"})`.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Node {
    /// By what it is called elsewhere; the same in all places.
    pub variable: Option<Variable>,
    /// What kind of thing it is.
    pub kind: Option<NodeKind>,
    /// What its properties are equal to.
    pub properties: Vec<(Property, Literal)>,
}

/// A fact, or several in a row: `-[r:works_at|studies_at]->`, `-[:knows*1..3]-`.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Hop {
    /// By what the fact is called elsewhere, or the list of facts.
    pub variable: Option<Variable>,
    /// Which relations; any where there is none.
    pub predicates: Vec<Predicate>,
    /// Which of its ends is the subject.
    pub direction: Direction,
    /// How many facts in a row; one where it is not told.
    pub length: Option<Length>,
    /// What the properties of each of its facts are equal to.
    pub properties: Vec<(Property, Literal)>,
}

/// Which way a hop goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Direction {
    /// From subject to object: `-->`.
    #[default]
    Right,
    /// From object to subject: `<--`.
    Left,
    /// Either: `--`.
    Either,
}

/// How many facts a hop of several goes over.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Length {
    /// The fewest; with none, both ends are the same.
    pub min: u32,
    /// The most, up to [`LENGTH_MAX`](super::LENGTH_MAX), which it is where it is not told.
    pub max: Option<u32>,
}

/// What a node is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum NodeKind {
    /// An entity of a kind.
    Entity(EntityKind),
    /// A plain value.
    Value,
}

/// What something is called in a pattern.
#[derive(Debug, Clone, Eq)]
pub struct Variable {
    name: Box<str>,
    /// Where it stands in the text, in bytes. It is no part of what it is.
    pub(super) at: usize,
}

/// What is known of a node or a fact.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Property {
    /// The name of an entity, or what a value reads.
    Name,
    /// What kind of thing a node is, or of memory a fact.
    Kind,
    /// All names of an entity.
    Aliases,
    /// The id.
    Id,
    /// Which relation.
    Predicate,
    /// Said or denied.
    Polarity,
    /// How sure the surest statement is, from 0 to 1.
    Confidence,
    /// Whether it is current, superseded or retracted.
    Status,
    /// When it began to hold.
    From,
    /// When it ended.
    To,
    /// When the memory was told first.
    Recorded,
    /// Where it is said: the source's id of the first episode that states it, or else the episode's own.
    Source,
    /// Whether it is so at the time that is asked for.
    Holds,
    /// Whether nobody says it without a doubt.
    Hedged,
    /// Whether another fact says otherwise of the same time, and neither can be put after the other.
    Contested,
}

/// What is compared with.
#[derive(Debug, Clone, PartialEq)]
pub enum Literal {
    /// A text, which may be a name or a time.
    Text(String),
    /// A whole number.
    Integer(i64),
    /// Another number.
    Number(f64),
    /// True or false.
    Boolean(bool),
}

/// What can be told of a row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Term {
    /// A node or a fact itself.
    Variable(Variable),
    /// One of its properties.
    Property(Variable, Property),
}

/// What must be so. It is not where a part is null that it depends on.
#[derive(Debug, Clone, PartialEq)]
pub enum Condition {
    /// All of them; at least two.
    All(Vec<Condition>),
    /// Any of them; at least two.
    Any(Vec<Condition>),
    /// Not this.
    Not(Box<Condition>),
    /// What is compared.
    Compare(Term, Comparison, Operand),
    /// It is equal to one of these.
    In(Term, Vec<Literal>),
    /// It is not known.
    IsNull(Term),
    /// It is known.
    IsNotNull(Term),
}

/// The right side of a comparison.
#[derive(Debug, Clone, PartialEq)]
pub enum Operand {
    /// What is told of the row.
    Term(Term),
    /// What is given.
    Literal(Literal),
}

/// How two things are compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Comparison {
    /// `=`
    Equal,
    /// `<>`
    Unequal,
    /// `<`
    Less,
    /// `<=`
    AtMost,
    /// `>`
    Greater,
    /// `>=`
    AtLeast,
    /// `CONTAINS`
    Contains,
    /// `STARTS WITH`
    StartsWith,
    /// `ENDS WITH`
    EndsWith,
}

/// A column of the answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Column {
    /// What stands in it.
    pub shown: Shown,
    /// What it is called: `AS employer`.
    pub alias: Option<String>,
}

/// What stands in a column.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Shown {
    /// What is told of each row.
    Term(Term),
    /// How many rows there are with the same in the columns that are no counts: `count(*)`.
    Rows,
    /// In how many of them it is not null: `count(a)`.
    Count(Term),
    /// How many different ones there are: `count(DISTINCT a)`.
    CountDistinct(Term),
}

/// By what rows are ordered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Order {
    /// What is compared: a column, by its alias or as it is asked for, or where nothing is counted and rows are not distinct,
    /// anything else of a row. Null comes last.
    pub by: Shown,
    /// Whether the greatest comes first, and null before it.
    pub descending: bool,
}

impl Comparison {
    /// Whether it looks into texts.
    pub(super) fn is_of_texts(self) -> bool {
        matches!(self, Self::Contains | Self::StartsWith | Self::EndsWith)
    }
}

impl Variable {
    /// What something is called.
    pub fn new(name: &str) -> Self {
        Self { name: name.into(), at: 0 }
    }

    /// The same where it stands in a text.
    pub(super) fn placed(name: &str, at: usize) -> Self {
        Self { name: name.into(), at }
    }

    /// Its name.
    pub fn as_str(&self) -> &str {
        &self.name
    }
}

impl From<&str> for Variable {
    fn from(name: &str) -> Self {
        Self::new(name)
    }
}

impl PartialEq for Variable {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

impl Hash for Variable {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.name.hash(state);
    }
}

impl Node {
    /// A node that is called so, whatever it is.
    pub fn new(variable: &str) -> Self {
        Self { variable: Some(variable.into()), ..Self::default() }
    }

    /// The same of a kind.
    #[must_use]
    pub fn of_kind(self, kind: EntityKind) -> Self {
        Self { kind: Some(NodeKind::Entity(kind)), ..self }
    }

    /// The same with a name.
    #[must_use]
    pub fn named(mut self, name: &str) -> Self {
        self.properties.push((Property::Name, Literal::Text(name.to_owned())));
        self
    }
}

impl Hop {
    /// A fact of a relation, from its subject to its object.
    pub fn new(predicate: &str) -> Self {
        Self { predicates: vec![Predicate::new(predicate)], ..Self::default() }
    }

    /// The same from object to subject.
    #[must_use]
    pub fn back(self) -> Self {
        Self { direction: Direction::Left, ..self }
    }

    /// The same over several facts.
    #[must_use]
    pub fn repeated(self, min: u32, max: u32) -> Self {
        Self { length: Some(Length { min, max: Some(max) }), ..self }
    }
}

impl Path {
    /// A path of one node.
    pub fn from(start: Node) -> Self {
        Self { start, hops: Vec::new() }
    }

    /// The same and one hop further.
    #[must_use]
    pub fn to(mut self, hop: Hop, node: Node) -> Self {
        self.hops.push((hop, node));
        self
    }

    /// Its nodes, from the start on.
    pub fn nodes(&self) -> impl Iterator<Item = &Node> {
        std::iter::once(&self.start).chain(self.hops.iter().map(|(_, node)| node))
    }
}

impl Term {
    /// A property of what is called so.
    pub fn property(variable: &str, property: Property) -> Self {
        Self::Property(variable.into(), property)
    }

    /// Of what it tells.
    pub fn variable(&self) -> &Variable {
        match self {
            Self::Variable(variable) | Self::Property(variable, _) => variable,
        }
    }
}

impl From<Term> for Column {
    fn from(term: Term) -> Self {
        Self { shown: Shown::Term(term), alias: None }
    }
}

impl Shown {
    /// What it tells of, if not of whole rows.
    pub fn term(&self) -> Option<&Term> {
        match self {
            Self::Term(term) | Self::Count(term) | Self::CountDistinct(term) => Some(term),
            Self::Rows => None,
        }
    }

    /// Whether it is a count.
    pub fn counts(&self) -> bool {
        !matches!(self, Self::Term(_))
    }
}

impl Column {
    /// What it is called: its alias, or what it shows as it is written.
    pub fn heading(&self) -> String {
        self.alias.clone().unwrap_or_else(|| self.shown.to_string())
    }
}

impl Pattern {
    /// What must stand in the graph, and what is shown of it.
    pub fn new(paths: Vec<Path>, columns: impl IntoIterator<Item = Term>) -> Self {
        let clauses = vec![Clause { paths, ..Clause::default() }];
        Self { clauses, columns: columns.into_iter().map(Column::from).collect(), ..Self::default() }
    }

    /// Whether rows are counted.
    pub fn counts(&self) -> bool {
        self.columns.iter().any(|column| column.shown.counts())
    }
}

impl NodeKind {
    /// Every name by which a kind can be asked for, with its kind; the first of each is how it is written.
    pub(super) const NAMES: [(&'static str, Self); 11] = [
        ("Unknown", Self::Entity(EntityKind::Unknown)),
        ("Person", Self::Entity(EntityKind::Person)),
        ("Organisation", Self::Entity(EntityKind::Organisation)),
        ("Organization", Self::Entity(EntityKind::Organisation)),
        ("Place", Self::Entity(EntityKind::Place)),
        ("Work", Self::Entity(EntityKind::Work)),
        ("Project", Self::Entity(EntityKind::Project)),
        ("Product", Self::Entity(EntityKind::Product)),
        ("Event", Self::Entity(EntityKind::Event)),
        ("Animal", Self::Entity(EntityKind::Animal)),
        ("Value", Self::Value),
    ];

    /// The kind's name as it is shown in answers.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Entity(kind) => kind.as_str(),
            Self::Value => "value",
        }
    }
}

impl Property {
    /// Every property with its name.
    pub const ALL: [(Self, &'static str); 15] = [
        (Self::Name, "name"),
        (Self::Kind, "kind"),
        (Self::Aliases, "aliases"),
        (Self::Id, "id"),
        (Self::Predicate, "predicate"),
        (Self::Polarity, "polarity"),
        (Self::Confidence, "confidence"),
        (Self::Status, "status"),
        (Self::From, "from"),
        (Self::To, "to"),
        (Self::Recorded, "recorded"),
        (Self::Source, "source"),
        (Self::Holds, "holds"),
        (Self::Hedged, "hedged"),
        (Self::Contested, "contested"),
    ];

    /// Its name.
    pub fn as_str(self) -> &'static str {
        Self::ALL[self as usize].1
    }

    /// Whether nodes have it.
    pub fn is_of_nodes(self) -> bool {
        matches!(self, Self::Name | Self::Kind | Self::Aliases | Self::Id)
    }

    /// Whether facts have it.
    pub fn is_of_facts(self) -> bool {
        !matches!(self, Self::Name | Self::Aliases)
    }

    /// Whether it is a time.
    pub fn is_time(self) -> bool {
        matches!(self, Self::From | Self::To | Self::Recorded)
    }
}
