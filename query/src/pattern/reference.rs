//! Patterns on random histories, against all assignments of nodes and facts, gone through one by one as the words of the
//! documentation have it.

use std::collections::BTreeMap;
use std::sync::Arc;

use lorebase_engine::Missing;
use lorebase_engine::change::Changes;
use lorebase_engine::embed::HashEmbedder;
use lorebase_engine::engine::Engine;
use lorebase_engine::graph::{EpisodeIx, FactIx};
use lorebase_engine::model::entity::EntityKind;
use lorebase_engine::model::episode::{Episode, ExtractionStatus, Span};
use lorebase_engine::model::extraction::{Extraction, NamedSpan, Reading};
use lorebase_engine::model::fact::{FactKind, FactStatus, Named, Polarity, Triple, TripleObject};
use lorebase_engine::model::id::{Namespace, SessionId};
use lorebase_engine::model::predicate::Predicate;
use lorebase_engine::model::time::{Interval, Moment, SourceTime, Timestamp};
use lorebase_engine::state::{Standing, State};
use lorebase_engine::text::fold_name;
use proptest::prelude::*;

use super::ast::{
    Clause, Comparison, Condition, Direction, Facts, Hop, NodeKind, Operand, Pattern, Property, Shown, Term,
};
use super::cell::{Cell, compare};
use super::plan::inverse;
use super::random::{DAYS, NAMES, PREDICATES, pattern};
use super::row::{End, Way};
use super::{Limits, Table, matches};

/// What is told on a day: numbers of names, of a predicate, whether it is so, of what kind it is.
type Claim = (usize, usize, usize, bool, usize, usize, bool);

fn at(day: &str) -> SourceTime {
    day.parse().unwrap()
}

fn claim() -> impl Strategy<Value = Claim> {
    let kind = prop_oneof![5 => Just(0), 1 => 0..FactKind::ALL.len()];
    let (names, predicates) = (0..NAMES.len(), 0..PREDICATES.len());
    (names.clone(), predicates, names, prop::bool::weighted(0.85), kind, 0..DAYS.len(), any::<bool>())
}

/// A store in which each claim is told in a turn of its own.
fn told(claims: &[Claim]) -> (tempfile::TempDir, Engine) {
    let directory = tempfile::tempdir().unwrap();
    let embedder = Arc::new(HashEmbedder::default());
    let (engine, _) = Engine::open(directory.path(), Missing::Create, embedder).unwrap();
    let namespace = Namespace::default();
    let mut changes = Changes::default();
    for (position, &(subject, predicate, object, is_so, kind, day, as_value)) in (0..).zip(claims) {
        let (session, day) = (SessionId::new("s"), at(DAYS[day]));
        let text = format!("{} {} {}.", NAMES[subject], PREDICATES[predicate], NAMES[object]);
        let id = Episode::id_of(&namespace, &session, position, (None, Some(day)), &text);
        let named = |number: usize| {
            let kind = if number < 3 { EntityKind::Person } else { EntityKind::Place };
            Named { name: NAMES[number].to_owned(), kind }
        };
        let span = Span { start: 0, end: 1 };
        let mention = |number: usize| {
            let Named { name, kind } = named(number);
            NamedSpan { span, name, kind }
        };
        let mentions = [subject, object].into_iter().filter(|number| *number < 4 && !as_value).map(mention);
        let mentions = mentions.collect();
        let object = if as_value || object == 4 {
            TripleObject::Value(NAMES[object].to_owned())
        } else {
            TripleObject::Entity(named(object))
        };
        let triple = Triple {
            polarity: if is_so { Polarity::Affirmed } else { Polarity::Negated },
            kind: FactKind::ALL[kind].0,
            span,
            ..Triple::new(named(subject), Predicate::new(PREDICATES[predicate]), object)
        };
        changes.readings.push(Reading {
            episode: id,
            extractor: "reference-1".to_owned(),
            status: ExtractionStatus::Done,
            found: Extraction { mentions, triples: vec![triple], ..Extraction::default() },
        });
        changes.episodes.push(Episode {
            id,
            session,
            position,
            speaker: None,
            text,
            occurred_at: Some(day),
            recorded_at: day.instant,
            source_id: Some(format!("T{position}")),
            expires_at: None,
            told_at: None,
        });
    }
    engine.commit(&namespace, changes).unwrap();
    (directory, engine)
}

/// What a name is bound to.
#[derive(Debug, Clone)]
enum Bound<'s> {
    Node(Option<End<'s>>),
    Way(Option<Way>, Facts),
}

/// What is bound, by the name of a variable, or of a place where there is none.
type Row<'s> = BTreeMap<String, Bound<'s>>;

struct Naive<'s> {
    state: &'s State,
    moment: Moment,
    ends: Vec<End<'s>>,
}

/// A clause as nodes and hops by name.
struct Flat<'p> {
    nodes: Vec<(String, &'p super::ast::Node)>,
    hops: Vec<(String, [String; 2], &'p Hop)>,
}

fn flat(clause: &Clause, number: usize) -> Flat<'_> {
    let mut flat = Flat { nodes: Vec::new(), hops: Vec::new() };
    for path in &clause.paths {
        let names = path.nodes().map(|node| {
            let place = format!("#{number}.{}", flat.nodes.len());
            let name = node.variable.as_ref().map_or(place, |variable| variable.as_str().to_owned());
            flat.nodes.push((name.clone(), node));
            name
        });
        let names: Vec<String> = names.collect();
        for ((hop, _), ends) in path.hops.iter().zip(names.windows(2)) {
            let place = format!("#{number}-{}", flat.hops.len());
            let name = hop.variable.as_ref().map_or(place, |variable| variable.as_str().to_owned());
            flat.hops.push((name, [ends[0].clone(), ends[1].clone()], hop));
        }
    }
    flat
}

impl<'s> Naive<'s> {
    fn new(state: &'s State, moment: Moment) -> Self {
        let mut naive = Self { state, moment, ends: Vec::new() };
        for ix in naive.facts() {
            for end in naive.ends_of(ix) {
                if !naive.ends.contains(&end) {
                    naive.ends.push(end);
                }
            }
        }
        naive
    }

    /// The facts of which the memory had been told.
    fn facts(&self) -> Vec<FactIx> {
        let all = (0..self.state.facts().len() as u32).map(FactIx);
        all.filter(|ix| self.standing(*ix).is_some()).collect()
    }

    fn told(&self, episode: EpisodeIx) -> bool {
        self.moment.known_at.is_none_or(|at| self.state.episode(episode).recorded_at <= at)
    }

    /// Where a fact stands by what the memory had been told.
    fn standing(&self, ix: FactIx) -> Option<Standing> {
        self.state.standing(ix, |episode| self.told(episode))
    }

    fn time(&self, facts: Facts) -> Option<Timestamp> {
        match facts {
            Facts::HeldAt(at) => Some(at),
            _ => self.moment.as_of,
        }
    }

    fn is_so(&self, ix: FactIx, facts: Facts) -> bool {
        let at = self.time(facts).or(self.moment.now).unwrap();
        self.state.was_so(ix, &self.standing(ix).unwrap().stays, at)
    }

    fn counts(&self, ix: FactIx, facts: Facts) -> bool {
        let fact = self.state.fact(ix);
        let status = self.standing(ix).unwrap().status;
        let stands = self.time(facts).is_some() || status == FactStatus::Current;
        facts == Facts::All || fact.polarity == Polarity::Affirmed && stands && self.is_so(ix, facts)
    }

    /// The ends of a fact, from its subject.
    fn ends_of(&self, ix: FactIx) -> [End<'s>; 2] {
        let fact = self.state.fact(ix);
        let object = fact.object.map_or_else(|| End::Value(self.state.value(ix).unwrap()), End::Entity);
        [End::Entity(fact.subject), object]
    }

    /// Whether a fact leads from one end to another as a hop has it.
    fn leads(&self, ix: FactIx, hop: &Hop, [from, to]: [End<'s>; 2]) -> bool {
        let told = self.state.predicate(self.state.fact(ix).predicate);
        let [subject, object] = self.ends_of(ix);
        let along = |from: End<'s>, to: End<'s>| {
            let straight = (subject, object) == (from, to);
            let turned = (object, subject) == (from, to);
            if hop.predicates.is_empty() {
                return straight;
            }
            hop.predicates
                .iter()
                .any(|wanted| wanted == told && straight || inverse(wanted).as_ref() == Some(told) && turned)
        };
        match hop.direction {
            Direction::Right => along(from, to),
            Direction::Left => along(to, from),
            Direction::Either => along(from, to) || along(to, from),
        }
    }

    /// All ways to go over so many facts.
    fn ways(&self, hop: &Hop, facts: Facts, [from, to]: [End<'s>; 2], count: u32) -> Vec<Vec<FactIx>> {
        if count == 0 {
            return if from == to { vec![Vec::new()] } else { Vec::new() };
        }
        let mut ways = Vec::new();
        for ix in self.facts() {
            let has = |(property, literal): &(Property, _)| {
                let is = self.of_fact(ix, facts, *property);
                compare(&is, Comparison::Equal, &Cell::from(literal)) == Some(true)
            };
            if !self.counts(ix, facts) || !hop.properties.iter().all(has) {
                continue;
            }
            for end in self.ends_of(ix).into_iter().collect::<std::collections::HashSet<_>>() {
                if self.leads(ix, hop, [from, end]) {
                    let rest = self.ways(hop, facts, [end, to], count - 1);
                    let rest = rest.into_iter().filter(|rest| !rest.contains(&ix));
                    ways.extend(rest.map(|rest| [&[ix][..], &rest].concat()));
                }
            }
        }
        ways
    }

    /// All ways to meet a clause that go on from a row.
    fn meet(&self, clause: &Clause, flat: &Flat<'_>, row: &Row<'s>) -> Vec<Row<'s>> {
        let mut rows = vec![row.clone()];
        for (name, node) in &flat.nodes {
            let bound = |row: &Row<'s>| match row.get(name) {
                Some(Bound::Node(end)) => end.iter().copied().collect(),
                _ => self.ends.clone(),
            };
            let with = |row: Row<'s>| {
                let ends: Vec<End<'s>> = bound(&row);
                ends.into_iter().map(move |end| {
                    let mut row = row.clone();
                    row.insert(name.clone(), Bound::Node(Some(end)));
                    row
                })
            };
            rows = rows.into_iter().flat_map(with).filter(|row| self.is_node(node, &row[name])).collect();
        }
        let mut found: Vec<(Row<'s>, Vec<FactIx>)> = rows.into_iter().map(|row| (row, Vec::new())).collect();
        for (name, ends, hop) in &flat.hops {
            let mut further = Vec::new();
            for (row, used) in found {
                let [Bound::Node(Some(from)), Bound::Node(Some(to))] = [&row[&ends[0]], &row[&ends[1]]]
                else {
                    continue;
                };
                let lengths = hop.length.map_or(1..=1, |length| length.min..=length.max.unwrap());
                for way in lengths.flat_map(|count| self.ways(hop, clause.facts, [*from, *to], count)) {
                    if way.iter().any(|ix| used.contains(ix)) {
                        continue;
                    }
                    let mut row = row.clone();
                    let used = [&used[..], &way].concat();
                    let turned = hop.direction == Direction::Left;
                    let several =
                        || Way::Facts(if turned { way.iter().rev().copied().collect() } else { way.clone() });
                    let way = if hop.length.is_some() { several() } else { Way::Fact(way[0]) };
                    row.insert(name.clone(), Bound::Way(Some(way), clause.facts));
                    further.push((row, used));
                }
            }
            found = further;
        }
        let rows = found.into_iter().map(|(row, _)| row);
        rows.filter(|row| clause.filter.as_ref().is_none_or(|filter| self.holds(filter, row) == Some(true)))
            .collect()
    }

    fn is_node(&self, node: &super::ast::Node, bound: &Bound<'s>) -> bool {
        let Bound::Node(Some(end)) = bound else { return false };
        let kind = match end {
            End::Entity(ix) => NodeKind::Entity(self.state.entity(*ix).kind()),
            End::Value(_) => NodeKind::Value,
        };
        let has = |(property, literal): &(Property, super::ast::Literal)| {
            assert_eq!(*property, Property::Name);
            self.is_called(*end, &Cell::from(literal))
        };
        node.kind.is_none_or(|wanted| wanted == kind) && node.properties.iter().all(has)
    }

    fn is_called(&self, end: End<'s>, name: &Cell) -> bool {
        let Cell::Text(name) = name else { return false };
        match end {
            End::Entity(ix) => self.state.find_entities(name).contains(&ix),
            End::Value(value) => fold_name(value) == fold_name(name),
        }
    }

    fn holds(&self, condition: &Condition, row: &Row<'s>) -> Option<bool> {
        let each = |parts: &[Condition]| parts.iter().map(|part| self.holds(part, row)).collect::<Vec<_>>();
        match condition {
            Condition::All(parts) => {
                let each = each(parts);
                let known = each.iter().all(|part| *part == Some(true));
                if each.contains(&Some(false)) { Some(false) } else { known.then_some(true) }
            }
            Condition::Any(parts) => {
                let each = each(parts);
                let known = each.iter().all(|part| *part == Some(false));
                if each.contains(&Some(true)) { Some(true) } else { known.then_some(false) }
            }
            Condition::Not(part) => self.holds(part, row).map(|so| !so),
            Condition::IsNull(term) => Some(self.cell(term, row).is_null()),
            Condition::IsNotNull(term) => Some(!self.cell(term, row).is_null()),
            Condition::In(term, literals) => {
                let each = literals.iter().map(|literal| Operand::Literal(literal.clone()));
                let each: Vec<_> =
                    each.map(|operand| self.compared(term, Comparison::Equal, &operand, row)).collect();
                if self.cell(term, row).is_null() { None } else { Some(each.contains(&Some(true))) }
            }
            Condition::Compare(term, by, operand) => self.compared(term, *by, operand, row),
        }
    }

    fn compared(&self, term: &Term, by: Comparison, operand: &Operand, row: &Row<'s>) -> Option<bool> {
        if let (Term::Variable(one), Operand::Term(Term::Variable(other))) = (term, operand) {
            let same = match [&row[one.as_str()], &row[other.as_str()]] {
                [Bound::Node(one), Bound::Node(other)] => (*one)? == (*other)?,
                [Bound::Way(one, _), Bound::Way(other, _)] => one.as_ref()? == other.as_ref()?,
                _ => unreachable!("it was checked"),
            };
            return Some(if by == Comparison::Equal { same } else { !same });
        }
        let right = match operand {
            Operand::Term(other) => self.cell(other, row),
            Operand::Literal(literal) => Cell::from(literal),
        };
        if let (Term::Property(name, Property::Name), Operand::Literal(super::ast::Literal::Text(_))) =
            (term, operand)
        {
            let Bound::Node(end) = row[name.as_str()] else { unreachable!("it was checked") };
            match by {
                Comparison::Equal => return end.map(|end| self.is_called(end, &right)),
                Comparison::Unequal => return end.map(|end| !self.is_called(end, &right)),
                _ if by.is_of_texts() => {
                    let names: Vec<Cell> = match end? {
                        End::Value(value) => vec![Cell::Text(value.to_owned())],
                        End::Entity(ix) => {
                            let entity = self.state.entity(ix);
                            let names = entity.aliases().into_iter().chain([entity.name()]);
                            names.map(|name| Cell::Text(name.to_owned())).collect()
                        }
                    };
                    return Some(names.iter().any(|name| compare(name, by, &right) == Some(true)));
                }
                _ => {}
            }
        }
        compare(&self.cell(term, row), by, &right)
    }

    fn cell(&self, term: &Term, row: &Row<'s>) -> Cell {
        let cell = match (term, &row[term.variable().as_str()]) {
            (Term::Variable(_), Bound::Node(end)) => end.map(|end| match end {
                End::Value(value) => Cell::Text(value.to_owned()),
                End::Entity(ix) => {
                    let entity = self.state.entity(ix);
                    Cell::Entity { name: entity.name().to_owned(), id: entity.id }
                }
            }),
            (Term::Variable(_), Bound::Way(way, _)) => way.as_ref().map(|way| match way {
                Way::Fact(ix) => self.fact(*ix),
                Way::Facts(all) => Cell::List(all.iter().map(|ix| self.fact(*ix)).collect()),
            }),
            (Term::Property(_, property), Bound::Node(end)) => end.map(|end| self.of_node(end, *property)),
            (Term::Property(_, property), Bound::Way(way, facts)) => match way {
                Some(Way::Fact(ix)) => Some(self.of_fact(*ix, *facts, *property)),
                _ => None,
            },
        };
        cell.unwrap_or(Cell::Null)
    }

    fn fact(&self, ix: FactIx) -> Cell {
        let fact = self.state.fact(ix);
        let name = |end: End<'_>| match end {
            End::Entity(ix) => self.state.entity(ix).name().to_owned(),
            End::Value(value) => value.to_owned(),
        };
        let [subject, object] = self.ends_of(ix).map(name);
        let not = if fact.polarity == Polarity::Negated { "not " } else { "" };
        Cell::Fact {
            told: format!("{subject} {not}{} {object}", self.state.predicate(fact.predicate)),
            id: fact.id,
        }
    }

    fn of_node(&self, end: End<'s>, property: Property) -> Cell {
        let told = match (end, property) {
            (End::Value(value), Property::Name) => value.to_owned(),
            (End::Value(_), Property::Kind) => "value".to_owned(),
            (End::Entity(ix), Property::Name) => self.state.entity(ix).name().to_owned(),
            (End::Entity(ix), Property::Kind) => self.state.entity(ix).kind().as_str().to_owned(),
            (End::Entity(ix), Property::Id) => self.state.entity(ix).id.to_string(),
            _ => return Cell::Null,
        };
        Cell::Text(told)
    }

    fn of_fact(&self, ix: FactIx, facts: Facts, property: Property) -> Cell {
        let fact = self.state.fact(ix);
        let (at, standing) = (self.time(facts), self.standing(ix).unwrap());
        let then = at.and_then(|at| standing.stays.iter().find(|stay| stay.contains(at)).copied());
        let (status, valid) = match then {
            Some(stay) => (FactStatus::Current, stay),
            None => (standing.status, standing.valid),
        };
        let Interval { from, to } = valid;
        let time = |at: Option<Timestamp>| at.map_or(Cell::Null, Cell::Time);
        match property {
            Property::Predicate => Cell::Text(self.state.predicate(fact.predicate).to_string()),
            Property::Status => Cell::Text(status.as_str().to_owned()),
            Property::Polarity => Cell::Text(fact.polarity.as_str().to_owned()),
            Property::Confidence => Cell::Number(1.0),
            Property::From => time(from),
            Property::To => time(to),
            Property::Recorded => time(standing.recorded.from),
            Property::Holds => Cell::Boolean(self.is_so(ix, facts)),
            Property::Hedged => Cell::Boolean(false),
            Property::Contested => Cell::Boolean(standing.contested),
            Property::Source => {
                let mut episodes = fact.support().iter().map(|support| support.episode);
                let first = episodes.find(|episode| self.told(*episode)).unwrap();
                Cell::Text(self.state.episode(first).source_id.as_deref().unwrap().to_owned())
            }
            other => panic!("{other:?} is not asked for at random"),
        }
    }

    /// All rows, before they are ordered and cut.
    fn rows(&self, pattern: &Pattern) -> Vec<Row<'s>> {
        let mut rows = vec![Row::new()];
        for (number, clause) in pattern.clauses.iter().enumerate() {
            let flat = flat(clause, number);
            let further = rows.into_iter().flat_map(|row| {
                let mut met = self.meet(clause, &flat, &row);
                if clause.optional && met.is_empty() {
                    let mut row = row;
                    for (name, _) in &flat.nodes {
                        row.entry(name.clone()).or_insert(Bound::Node(None));
                    }
                    for (name, ..) in &flat.hops {
                        row.insert(name.clone(), Bound::Way(None, clause.facts));
                    }
                    met.push(row);
                }
                met
            });
            rows = further.collect();
        }
        rows
    }

    /// The cells of all rows, in any order, counted and each once where that is asked for.
    fn table(&self, pattern: &Pattern) -> Vec<Vec<Cell>> {
        let mut groups: BTreeMap<Vec<Cell>, Vec<Row<'s>>> = BTreeMap::new();
        let mut table = Vec::new();
        let plain = |row: &Row<'s>| -> Vec<Cell> {
            let terms = pattern.columns.iter().filter_map(|column| match &column.shown {
                Shown::Term(term) => Some(self.cell(term, row)),
                _ => None,
            });
            terms.collect()
        };
        for row in self.rows(pattern) {
            if pattern.counts() {
                groups.entry(plain(&row)).or_default().push(row);
            } else {
                table.push(plain(&row));
            }
        }
        if pattern.counts() && groups.is_empty() && pattern.columns.iter().all(|column| column.shown.counts())
        {
            groups.insert(Vec::new(), Vec::new());
        }
        for (own, rows) in groups {
            let mut own = own.into_iter();
            let cells = pattern.columns.iter().map(|column| {
                let known = |term| {
                    let cells: Vec<Cell> = rows.iter().map(|row| self.cell(term, row)).collect();
                    cells.into_iter().filter(|cell| !cell.is_null()).collect::<Vec<_>>()
                };
                match &column.shown {
                    Shown::Term(_) => own.next().unwrap(),
                    Shown::Rows => Cell::Integer(rows.len() as i64),
                    Shown::Count(term) => Cell::Integer(known(term).len() as i64),
                    Shown::CountDistinct(term) => {
                        let all: std::collections::BTreeSet<Cell> = known(term).into_iter().collect();
                        Cell::Integer(all.len() as i64)
                    }
                }
            });
            table.push(cells.collect());
        }
        table.sort();
        if pattern.distinct {
            table.dedup();
        }
        table
    }
}

/// That rows stand in the order that is asked for, as far as columns show it.
fn is_ordered(pattern: &Pattern, rows: &[Vec<Cell>]) -> bool {
    let Some(order) = pattern.order.first() else { return true };
    let Some(column) = super::check::column(pattern, &order.by) else { return true };
    rows.is_sorted_by(|one, other| {
        let (one, other) = (&one[column], &other[column]);
        if order.descending { one >= other } else { one <= other }
    })
}

#[test]
fn work_is_counted_and_ends_also_where_nothing_fits() {
    let claims: Vec<Claim> = (0..4).map(|number| (0, 0, number, true, 0, 0, false)).collect();
    let (_directory, engine) = told(&claims);
    let reader = engine.reader(&Namespace::default()).unwrap();
    let asked = |text: &str, looked_at| {
        let limits = Limits { looked_at, ..Limits::default() };
        matches(reader.state(), &text.parse().unwrap(), Moment::default(), limits).unwrap()
    };
    let apart = "MATCH (a:Person), (b:Animal), (c:Animal) RETURN count(*)";
    let all = asked(apart, 1000);
    assert_eq!((all.more_follows, all.looked_at, &all.rows[0][0]), (false, 16, &Cell::Integer(0)));
    let some = asked(apart, 6);
    assert_eq!((some.more_follows, some.looked_at), (true, 6));
    // A name comes first, and then the one fact at its end, however many the other end has.
    let named = "MATCH (a)-[:manages]->(b {name: 'Trieste'}) RETURN a.name";
    assert_eq!((asked(named, 1000).looked_at, asked(named, 1000).rows.len()), (2, 1));
    let first = asked("MATCH (a:Person)-[:manages]->(b) RETURN b LIMIT 1", 1000);
    assert_eq!((first.rows.len(), first.looked_at, first.more_follows), (1, 2, false));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn what_meets_a_pattern_is_found_and_nothing_else(
        claims in prop::collection::vec(claim(), 1..9),
        patterns in prop::collection::vec(pattern(), 12),
        as_of in prop::option::weighted(0.2, 0..DAYS.len()),
        known_at in prop::option::weighted(0.3, 0..DAYS.len()),
    ) {
        let (_directory, engine) = told(&claims);
        let reader = engine.reader(&Namespace::default()).unwrap();
        let [as_of, known_at] = [as_of, known_at].map(|day| day.map(|day| at(DAYS[day]).instant));
        let moment = Moment { as_of, known_at, now: Some(at("2025-01-01").instant) };
        let naive = Naive::new(reader.state(), moment);
        for pattern in patterns.iter().filter(|pattern| {
            // Others take too long to go through.
            pattern.clauses.iter().map(|clause| flat(clause, 0).nodes.len()).sum::<usize>() <= 4
        }) {
            let all = naive.table(pattern);
            let limits = Limits { rows: 1 << 20, looked_at: usize::MAX };
            let Table { rows, more_follows, columns, .. } =
                matches(reader.state(), pattern, moment, limits).unwrap();
            prop_assert!(!more_follows && columns.len() == pattern.columns.len());
            prop_assert!(is_ordered(pattern, &rows), "{pattern}: {rows:?}");
            let left = all.len().saturating_sub(pattern.skip);
            let wanted = pattern.limit.map_or(left, |limit| left.min(limit));
            prop_assert_eq!(rows.len(), wanted, "{}: {:?} of {:?}", pattern, rows, all);
            let mut rest = all.clone();
            for row in rows {
                let place = rest.iter().position(|other| *other == row);
                prop_assert!(place.is_some(), "{pattern}: {row:?} is none of {all:?}");
                rest.remove(place.unwrap());
            }
        }
    }
}
