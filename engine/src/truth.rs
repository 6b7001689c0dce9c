//! Which of the facts on one subject and predicate stand now, and when each held. A pure function of what was
//! stated, so the answer does not depend on the order in which it arrived, and forgetting a statement reopens
//! what it had closed.

use crate::model::fact::{FactKind, FactStatus, Object, Polarity};
use crate::model::predicate::Cardinality;
use crate::model::time::{Interval, Timestamp};

/// One fact with the statements that support it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Stated<'s> {
    pub(crate) object: &'s Object,
    pub(crate) polarity: Polarity,
    pub(crate) kind: FactKind,
    /// At least one.
    pub(crate) statements: &'s [Statement],
}

/// One statement: when it says the fact held, and when the memory was told.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Statement {
    pub(crate) valid: Interval,
    pub(crate) recorded_at: Timestamp,
}

/// What was found of one fact.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Verdict {
    pub(crate) status: FactStatus,
    pub(crate) valid: Interval,
    pub(crate) recorded: Interval,
}

/// The place of a statement in the order "valid time, then recorded time"; an unknown beginning comes first.
type Moment = (Option<Timestamp>, Timestamp);

impl Statement {
    fn moment(&self) -> Moment {
        (self.valid.from, self.recorded_at)
    }
}

impl Stated<'_> {
    fn last(&self) -> Moment {
        let moments = self.statements.iter().map(Statement::moment);
        moments.max().expect("a fact has at least one statement")
    }

    /// The hull of what the statements say.
    fn hull(&self) -> Interval {
        let from = self.statements.iter().map(|statement| statement.valid.from).min().flatten();
        let open = self.statements.iter().any(|statement| statement.valid.to.is_none());
        let to = self.statements.iter().filter_map(|statement| statement.valid.to).max();
        Interval { from, to: if open { None } else { to } }
    }

    /// A state that goes on: only such facts compete for a single-valued predicate.
    fn ongoing(&self) -> bool {
        self.polarity == Polarity::Affirmed && self.kind != FactKind::Event && self.hull().to.is_none()
    }
}

/// Judges the facts on one subject and predicate, one verdict a fact, in order.
pub(crate) fn judge(cardinality: Cardinality, facts: &[Stated<'_>]) -> Vec<Verdict> {
    facts.iter().map(|fact| judge_one(cardinality, fact, facts)).collect()
}

fn judge_one(cardinality: Cardinality, fact: &Stated<'_>, facts: &[Stated<'_>]) -> Verdict {
    let recorded_at = fact.statements.iter().map(|statement| statement.recorded_at).min();
    let mut verdict = Verdict {
        status: FactStatus::Current,
        valid: fact.hull(),
        recorded: Interval { from: recorded_at, to: None },
    };
    if let Some(denied) = contradicted(fact, facts) {
        // A denial retracts; an affirmation after a denial is the world moving on.
        verdict.status =
            if fact.polarity == Polarity::Affirmed { FactStatus::Retracted } else { FactStatus::Superseded };
        verdict.valid.to = denied.0;
        verdict.recorded.to = (verdict.status == FactStatus::Retracted).then_some(denied.1);
    } else if cardinality == Cardinality::Single
        && fact.ongoing()
        && let Some(successor) = successor(fact, facts)
    {
        verdict.status = FactStatus::Superseded;
        verdict.valid.to = successor.0;
    }
    verdict
}

/// The first moment after the fact was last stated at which its opposite was.
fn contradicted(fact: &Stated<'_>, facts: &[Stated<'_>]) -> Option<Moment> {
    if fact.kind == FactKind::Event {
        return None;
    }
    let opposite =
        facts.iter().filter(|other| other.polarity != fact.polarity && other.object == fact.object);
    first_after(fact.last(), opposite)
}

/// The first moment after the fact was last stated at which another object was said to hold.
fn successor(fact: &Stated<'_>, facts: &[Stated<'_>]) -> Option<Moment> {
    let rivals = facts.iter().filter(|other| other.ongoing() && other.object != fact.object);
    first_after(fact.last(), rivals)
}

fn first_after<'s>(last: Moment, facts: impl Iterator<Item = &'s Stated<'s>>) -> Option<Moment> {
    let moments = facts.flat_map(|fact| fact.statements.iter().map(Statement::moment));
    moments.filter(|moment| *moment > last).min()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(day: i64) -> Timestamp {
        Timestamp::from_millis(day * 86_400_000).unwrap()
    }

    fn said(day: i64, recorded: i64) -> Statement {
        Statement { valid: Interval { from: Some(at(day)), to: None }, recorded_at: at(recorded) }
    }

    fn judged(
        cardinality: Cardinality,
        facts: &[(&str, Polarity, &[Statement])],
    ) -> Vec<(FactStatus, Interval)> {
        let objects: Vec<Object> =
            facts.iter().map(|(object, ..)| Object::Value((*object).to_owned())).collect();
        let stated: Vec<Stated<'_>> = objects
            .iter()
            .zip(facts)
            .map(|(object, (_, polarity, statements))| Stated {
                object,
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
        let (one, other) = ([said(1, 1)], [said(1, 1)]);
        let verdicts = judged(Cardinality::Single, &[("Berlin", YES, &one), ("Porto", YES, &other)]);
        assert_eq!((verdicts[0].0, verdicts[1].0), (FactStatus::Current, FactStatus::Current));
    }

    #[test]
    fn a_closed_stay_in_the_past_is_not_superseded() {
        let past = [Statement { valid: Interval { from: Some(at(1)), to: Some(at(2)) }, recorded_at: at(9) }];
        let now = [said(5, 5)];
        let verdicts = judged(Cardinality::Single, &[("Berlin", YES, &past), ("Porto", YES, &now)]);
        assert_eq!(verdicts[0], (FactStatus::Current, Interval { from: Some(at(1)), to: Some(at(2)) }));
        assert_eq!(verdicts[1].0, FactStatus::Current);
    }
}
