//! Which of the facts on one subject and predicate stand now, and when each held. A pure function of what was
//! stated, so the answer does not depend on the order in which it arrived, and forgetting a statement reopens
//! what it had closed.

use crate::graph::SessionIx;
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

/// One statement: when it says the fact held, when the memory was told, and where it was said.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Statement {
    pub(crate) valid: Interval,
    pub(crate) recorded_at: Timestamp,
    /// Session, position and place in the text: what tells the order of statements of one session that were said and
    /// told at the same time.
    pub(crate) place: (SessionIx, u32, u32),
}

/// What was found of one fact.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Verdict {
    pub(crate) status: FactStatus,
    pub(crate) valid: Interval,
    pub(crate) recorded: Interval,
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
        self.affirmed() && self.kind != FactKind::Event && self.end().is_none()
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
        valid: Interval { from: began(fact, std::iter::empty()), to: fact.end() },
        recorded: Interval { from: recorded_at, to: None },
    };
    if let Some(denial) = denial(fact, facts) {
        // A denial retracts; an affirmation after a denial is the world moving on.
        verdict.status = if fact.affirmed() { FactStatus::Retracted } else { FactStatus::Superseded };
        verdict.valid.to = earlier(verdict.valid.to, denial.valid.from);
        verdict.recorded.to = (verdict.status == FactStatus::Retracted).then_some(denial.recorded_at);
    } else if cardinality == Cardinality::Single && fact.ongoing() {
        let rivals = || facts.iter().filter(|other| other.ongoing() && other.object != fact.object);
        verdict.valid.from = began(fact, rivals());
        if let Some(successor) = first_after(fact, rivals()) {
            verdict.status = FactStatus::Superseded;
            verdict.valid.to = successor.valid.from;
        }
    }
    verdict
}

/// When the last stay began: the first statement that no rival's statement stands behind, before the last.
fn began<'s>(fact: &Stated<'_>, rivals: impl Iterator<Item = &'s Stated<'s>>) -> Option<Timestamp> {
    let between: Vec<Statement> = rivals
        .flat_map(|rival| rival.statements)
        .filter(|rival| fact.statements.iter().any(|own| own.after(rival)))
        .copied()
        .collect();
    let mut stay = fact.statements.iter().filter(|own| between.iter().all(|rival| own.after(rival)));
    let first = stay.next()?.valid.from;
    stay.map(|own| own.valid.from).fold(first, Ord::min)
}

/// The first statement of the opposite that comes after all of the fact's own, unless the fact had ended by then.
fn denial<'s>(fact: &Stated<'_>, facts: &'s [Stated<'s>]) -> Option<&'s Statement> {
    if fact.kind == FactKind::Event {
        return None;
    }
    let opposite =
        facts.iter().filter(|other| other.polarity != fact.polarity && other.object == fact.object);
    let found = first_after(fact, opposite)?;
    let ended = matches!((fact.end(), found.valid.from), (Some(end), Some(from)) if end <= from);
    (!ended).then_some(found)
}

fn first_after<'s>(fact: &Stated<'_>, others: impl Iterator<Item = &'s Stated<'s>>) -> Option<&'s Statement> {
    let later = |other: &&Statement| fact.statements.iter().all(|own| other.after(own));
    others.flat_map(|other| other.statements).filter(later).min_by_key(|statement| statement.key())
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
}
