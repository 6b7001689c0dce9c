//! Which of the facts on one subject and predicate stand now, and when each held. A pure function of what was
//! stated, so the answer does not depend on the order in which it arrived, and forgetting a statement reopens
//! what it had closed.
//!
//! What is said with a doubt ("Ana might live in Porto") or passed on ("Rui says that Ana lives in Porto") is not firm.
//! It stands beside what is known and takes nothing's place; of a fact that is stated firmly as well, the firm
//! statements alone count.

use rustc_hash::FxHashMap;

use crate::graph::SessionIx;
use crate::model::fact::{FactKind, FactStatus, Polarity};
use crate::model::predicate::Cardinality;
use crate::model::time::{Interval, Timestamp};

/// One fact with the statements that support it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Stated<'s> {
    /// What it says of its subject: a number that is the same for the same object.
    pub(crate) object: u64,
    pub(crate) polarity: Polarity,
    pub(crate) kind: FactKind,
    /// At least one; all of them firm or none, see [`weighed`].
    pub(crate) statements: &'s [Statement],
}

/// One statement: when it says the fact held, when the memory was told, and where it was said.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Statement {
    pub(crate) valid: Interval,
    pub(crate) recorded_at: Timestamp,
    /// Session, position and place in the text: what tells the order of statements of one session that were said and
    /// told at the same time.
    pub(crate) place: (SessionIx, u32, u32),
    /// Whether its speaker vouches for it.
    pub(crate) firm: bool,
}

/// Those of a fact's statements that count: the firm ones, and where there is none, all.
pub(crate) fn weighed(mut statements: Vec<Statement>) -> Vec<Statement> {
    if statements.iter().any(|statement| statement.firm) {
        statements.retain(|statement| statement.firm);
    }
    statements
}

/// What was found of one fact.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Verdict {
    pub(crate) status: FactStatus,
    pub(crate) valid: Interval,
    pub(crate) recorded: Interval,
    /// The number of the fact that took its place.
    pub(crate) successor: Option<usize>,
}

impl Statement {
    /// Whether it comes after `other`: by valid time, where an unknown beginning comes first, then by recorded time,
    /// then by its place in the same session. Statements of different sessions that agree in both times have no
    /// order, and stay side by side.
    fn after(&self, other: &Self) -> bool {
        let times = |statement: &Self| (statement.valid.from, statement.recorded_at);
        times(self) > times(other)
            || (times(self) == times(other) && self.place.0 == other.place.0 && self.place > other.place)
    }

    fn key(&self) -> impl Ord + use<> {
        (self.valid.from, self.recorded_at, self.place.1, self.place.2)
    }
}

impl Stated<'_> {
    fn affirmed(&self) -> bool {
        self.polarity == Polarity::Affirmed
    }

    /// The last end that a statement gives, if every one gives an end.
    fn end(&self) -> Option<Timestamp> {
        let open = self.statements.iter().any(|statement| statement.valid.to.is_none());
        self.statements.iter().filter_map(|statement| statement.valid.to).max().filter(|_| !open)
    }

    /// A state that goes on: only such facts compete for a single-valued predicate.
    fn ongoing(&self) -> bool {
        self.affirmed() && self.kind.is_state() && self.end().is_none()
    }
}

/// Judges the facts on one subject and predicate, one verdict a fact, in order.
pub(crate) fn judge(cardinality: Cardinality, facts: &[Stated<'_>]) -> Vec<Verdict> {
    let line = match cardinality {
        Cardinality::Single => Line::of(facts),
        Cardinality::Many => Line::default(),
    };
    let mut opposites: FxHashMap<u64, [Vec<usize>; 2]> = FxHashMap::default();
    for (number, fact) in facts.iter().enumerate() {
        opposites.entry(fact.object).or_default()[usize::from(fact.affirmed())].push(number);
    }
    let judge_one = |(number, fact): (usize, &Stated<'_>)| {
        let denials = &opposites[&fact.object][usize::from(!fact.affirmed())];
        judge_one(number, facts, denials, &line)
    };
    facts.iter().enumerate().map(judge_one).collect()
}

fn judge_one(number: usize, facts: &[Stated<'_>], denials: &[usize], line: &Line) -> Verdict {
    let fact = &facts[number];
    let recorded_at = fact.statements.iter().map(|statement| statement.recorded_at).min();
    let began = fact.statements.iter().map(|statement| statement.valid.from).min().flatten();
    let mut verdict = Verdict {
        status: FactStatus::Current,
        valid: Interval { from: began, to: fact.end() },
        recorded: Interval { from: recorded_at, to: None },
        successor: None,
    };
    if let Some(denial) = denial(fact, denials.iter().map(|number| &facts[*number])) {
        // A denial retracts; an affirmation after a denial is the world moving on.
        verdict.status = if fact.affirmed() { FactStatus::Retracted } else { FactStatus::Superseded };
        verdict.valid.to = earlier(verdict.valid.to, denial.valid.from);
        verdict.recorded.to = (verdict.status == FactStatus::Retracted).then_some(denial.recorded_at);
    } else if let Some(stay) = line.last_stay(number) {
        verdict.valid.from = stay.began;
        if let Some((successor, statement)) = stay.successor {
            verdict.status = FactStatus::Superseded;
            verdict.valid.to = statement.valid.from;
            verdict.successor = Some(successor);
        }
    }
    verdict
}

/// The statements that compete for a single-valued predicate, in their order.
#[derive(Default)]
struct Line {
    said: Vec<Said>,
    /// By fact, the place of its last statement.
    last: FxHashMap<usize, usize>,
}

/// A statement on a line.
#[derive(Clone, Copy)]
struct Said {
    statement: Statement,
    fact: usize,
    /// The first fact with the same object: facts with one object do not compete.
    object: usize,
}

/// The last run of statements of one object on a line.
struct Stay {
    began: Option<Timestamp>,
    /// The first firm statement of another object that comes after it.
    successor: Option<(usize, Statement)>,
}

impl Line {
    fn of(facts: &[Stated<'_>]) -> Self {
        let mut objects: FxHashMap<u64, usize> = FxHashMap::default();
        let mut said = Vec::new();
        for (fact, stated) in facts.iter().enumerate().filter(|(_, stated)| stated.ongoing()) {
            let object = *objects.entry(stated.object).or_insert(fact);
            said.extend(stated.statements.iter().map(|statement| Said {
                statement: *statement,
                fact,
                object,
            }));
        }
        said.sort_by_key(|said| (said.statement.key(), said.fact));
        let last = said.iter().enumerate().map(|(place, said)| (said.fact, place)).collect();
        Self { said, last }
    }

    /// The last stay of a fact; `None` where it does not compete.
    fn last_stay(&self, fact: usize) -> Option<Stay> {
        let place = *self.last.get(&fact)?;
        let last = self.said[place];
        let rival = |said: &&Said| said.object != last.object && said.statement.firm;
        let own = |said: &&Said| said.object == last.object && said.statement.firm == last.statement.firm;
        let successor =
            self.said[place + 1..].iter().find(|said| rival(said) && said.statement.after(&last.statement));
        let stay = self.said[..=place].iter().rev();
        let stay = stay.take_while(|said| !rival(said) || !last.statement.after(&said.statement));
        let began = stay.filter(own).last().and_then(|said| said.statement.valid.from);
        Some(Stay { began, successor: successor.map(|said| (said.fact, said.statement)) })
    }
}

/// The first firm statement of the opposite that comes after all of the fact's own, unless the fact had ended by then.
fn denial<'s>(fact: &Stated<'_>, opposite: impl Iterator<Item = &'s Stated<'s>>) -> Option<&'s Statement> {
    if fact.kind == FactKind::Event {
        return None;
    }
    let last = fact.statements.iter().max_by_key(|statement| statement.key())?;
    let later = opposite.flat_map(|other| other.statements).filter(|said| said.firm && said.after(last));
    let found = later.min_by_key(|statement| statement.key())?;
    let ended = matches!((fact.end(), found.valid.from), (Some(end), Some(from)) if end <= from);
    (!ended).then_some(found)
}

/// The earlier of two ends, where a missing one is open.
fn earlier(one: Option<Timestamp>, other: Option<Timestamp>) -> Option<Timestamp> {
    match (one, other) {
        (Some(one), Some(other)) => Some(one.min(other)),
        (one, other) => one.or(other),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(day: i64) -> Timestamp {
        Timestamp::from_millis(day * 86_400_000).unwrap()
    }

    fn said(day: i64, recorded: i64) -> Statement {
        Statement {
            valid: Interval { from: Some(at(day)), to: None },
            recorded_at: at(recorded),
            place: (SessionIx(0), day as u32, 0),
            firm: true,
        }
    }

    fn closed(from: i64, to: i64, recorded: i64) -> Statement {
        let said = said(from, recorded);
        Statement { valid: Interval { to: Some(at(to)), ..said.valid }, ..said }
    }

    fn judged(
        cardinality: Cardinality,
        facts: &[(&str, Polarity, &[Statement])],
    ) -> Vec<(FactStatus, Interval)> {
        let number = |object: &str| facts.iter().position(|(other, ..)| *other == object).unwrap() as u64;
        let stated: Vec<Stated<'_>> = facts
            .iter()
            .map(|(object, polarity, statements)| Stated {
                object: number(object),
                polarity: *polarity,
                kind: FactKind::Fact,
                statements,
            })
            .collect();
        judge(cardinality, &stated).into_iter().map(|verdict| (verdict.status, verdict.valid)).collect()
    }

    const YES: Polarity = Polarity::Affirmed;
    const NO: Polarity = Polarity::Negated;

    #[test]
    fn a_later_home_supersedes_an_earlier_one_in_either_order() {
        let (berlin, porto) = ([said(1, 9)], [said(5, 2)]);
        let forward = judged(Cardinality::Single, &[("Berlin", YES, &berlin), ("Porto", YES, &porto)]);
        let backward = judged(Cardinality::Single, &[("Porto", YES, &porto), ("Berlin", YES, &berlin)]);
        assert_eq!(forward[0], (FactStatus::Superseded, Interval { from: Some(at(1)), to: Some(at(5)) }));
        assert_eq!(forward[1].0, FactStatus::Current);
        assert_eq!((forward[0], forward[1]), (backward[1], backward[0]));
    }

    #[test]
    fn returning_to_an_old_value_makes_it_current_again() {
        let (berlin, porto) = ([said(1, 1), said(9, 9)], [said(5, 5)]);
        let verdicts = judged(Cardinality::Single, &[("Berlin", YES, &berlin), ("Porto", YES, &porto)]);
        assert_eq!((verdicts[0].0, verdicts[1].0), (FactStatus::Current, FactStatus::Superseded));
    }

    #[test]
    fn many_valued_facts_stand_side_by_side_until_denied() {
        let (tea, coffee, not_tea) = ([said(1, 1)], [said(2, 2)], [said(3, 3)]);
        let facts = [("tea", YES, &tea[..]), ("coffee", YES, &coffee), ("tea", NO, &not_tea)];
        let statuses: Vec<_> =
            judged(Cardinality::Many, &facts).into_iter().map(|(status, _)| status).collect();
        assert_eq!(statuses, [FactStatus::Retracted, FactStatus::Current, FactStatus::Current]);
    }

    #[test]
    fn what_cannot_be_ordered_stays_side_by_side() {
        let (one, mut other) = ([said(1, 1)], [said(1, 1)]);
        other[0].place = (SessionIx(1), 7, 0);
        let verdicts = judged(Cardinality::Single, &[("Berlin", YES, &one), ("Porto", YES, &other)]);
        assert_eq!((verdicts[0].0, verdicts[1].0), (FactStatus::Current, FactStatus::Current));
    }

    #[test]
    fn a_closed_stay_in_the_past_is_not_superseded() {
        let past = [closed(1, 2, 9)];
        let now = [said(5, 5)];
        let verdicts = judged(Cardinality::Single, &[("Berlin", YES, &past), ("Porto", YES, &now)]);
        assert_eq!(verdicts[0], (FactStatus::Current, Interval { from: Some(at(1)), to: Some(at(2)) }));
        assert_eq!(verdicts[1].0, FactStatus::Current);
    }

    #[test]
    fn what_is_said_later_in_one_session_counts() {
        let (berlin, mut porto) = ([said(1, 1)], [said(1, 1)]);
        porto[0].place.1 += 4;
        let verdicts = judged(Cardinality::Single, &[("Berlin", YES, &berlin), ("Porto", YES, &porto)]);
        assert_eq!((verdicts[0].0, verdicts[1].0), (FactStatus::Superseded, FactStatus::Current));
    }

    #[test]
    fn a_denial_after_the_end_changes_nothing_and_one_before_it_ends_it_sooner() {
        let past = [closed(1, 5, 1)];
        let (after, before) = ([said(7, 7)], [said(3, 7)]);
        let late = judged(Cardinality::Many, &[("Berlin", YES, &past), ("Berlin", NO, &after)]);
        assert_eq!(late[0], (FactStatus::Current, Interval { from: Some(at(1)), to: Some(at(5)) }));
        let early = judged(Cardinality::Many, &[("Berlin", YES, &past), ("Berlin", NO, &before)]);
        assert_eq!(early[0], (FactStatus::Retracted, Interval { from: Some(at(1)), to: Some(at(3)) }));
    }

    #[test]
    fn a_second_stay_begins_anew() {
        let (berlin, porto) = ([said(1, 1), said(9, 9)], [said(5, 5)]);
        let verdicts = judged(Cardinality::Single, &[("Berlin", YES, &berlin), ("Porto", YES, &porto)]);
        assert_eq!(verdicts[0].1, Interval { from: Some(at(9)), to: None });
        assert_eq!(verdicts[1].1, Interval { from: Some(at(5)), to: Some(at(9)) });
    }

    fn maybe(day: i64) -> Statement {
        Statement { firm: false, ..said(day, day) }
    }

    #[test]
    fn what_is_not_firm_takes_nothings_place_and_gives_way() {
        let (berlin, perhaps) = ([said(1, 1)], [maybe(5)]);
        let facts = [("Berlin", YES, &berlin[..]), ("Porto", YES, &perhaps[..])];
        let verdicts = judged(Cardinality::Single, &facts);
        assert_eq!((verdicts[0].0, verdicts[1].0), (FactStatus::Current, FactStatus::Current));
        let (perhaps, other, berlin) = ([maybe(1)], [maybe(2)], [said(5, 5)]);
        let facts = [("Porto", YES, &perhaps[..]), ("Vigo", YES, &other[..]), ("Berlin", YES, &berlin[..])];
        let statuses: Vec<_> =
            judged(Cardinality::Single, &facts).into_iter().map(|(status, _)| status).collect();
        assert_eq!(statuses, [FactStatus::Superseded, FactStatus::Superseded, FactStatus::Current]);
    }

    #[test]
    fn a_stay_goes_back_over_what_is_not_firm() {
        let (berlin, perhaps) = ([said(1, 1), said(9, 9)], [maybe(5)]);
        let verdicts = judged(Cardinality::Single, &[("Berlin", YES, &berlin), ("Porto", YES, &perhaps)]);
        assert_eq!(verdicts[0].1, Interval { from: Some(at(1)), to: None });
    }

    #[test]
    fn a_denial_that_is_not_firm_denies_nothing() {
        let (tea, not_tea, sure) = ([said(1, 1)], [maybe(3)], [said(4, 4)]);
        let doubted = judged(Cardinality::Many, &[("tea", YES, &tea), ("tea", NO, &not_tea)]);
        assert_eq!(doubted[0].0, FactStatus::Current);
        let denied = judged(Cardinality::Many, &[("tea", YES, &not_tea), ("tea", NO, &sure)]);
        assert_eq!(denied[0].0, FactStatus::Retracted);
    }

    #[test]
    fn firm_statements_count_alone() {
        assert_eq!(weighed(vec![said(1, 1), maybe(2)]), [said(1, 1)]);
        assert_eq!(weighed(vec![maybe(2)]), [maybe(2)]);
    }

    #[test]
    fn only_states_compete() {
        let (porto, berlin) = ([said(1, 1)], [said(5, 5)]);
        let stated = |object, kind, statements| Stated { object, polarity: YES, kind, statements };
        for (kind, _) in FactKind::ALL {
            let facts = [stated(0, FactKind::Fact, &porto[..]), stated(1, kind, &berlin[..])];
            let moved = judge(Cardinality::Single, &facts)[0].status == FactStatus::Superseded;
            assert_eq!(moved, kind.is_state(), "{kind:?}");
        }
    }
}
