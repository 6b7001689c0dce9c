//! Which of the facts that bear on one another stand now, and when each held. A pure function of what was stated, so the
//! answer does not depend on the order in which it arrived, and forgetting a statement reopens what it had closed.
//!
//! A statement says that its fact holds from a time on, or for a time. Each is cut off where a later one takes its place: one
//! of another object, where the predicate has one object at a time, or one that denies it. Later is what begins later, of
//! equals what the memory was told later, and of equals in one session what was said later. What is left of a fact's
//! statements are its stays: two stays in one town are two intervals. A later stay that has an end takes only its own time
//! away. What cannot be put in order stands side by side, contested.
//!
//! What is said with a doubt ("Ana might live in Porto") or passed on ("Rui says that Ana lives in Porto") is not firm.
//! It stands beside what is known and takes nothing's place; of a fact that is stated firmly as well, the firm
//! statements alone count. What corrects ("Munich, not Berlin") makes earlier statements void: `corrections.rs`.

mod corrections;
mod line;
mod stays;
#[cfg(test)]
mod tests;

use rustc_hash::FxHashMap;

use self::line::Line;
use self::stays::{End, Stay};
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
    /// At least one.
    pub(crate) statements: &'s [Statement],
}

/// One statement: when it says the fact held, when the memory was told, and where it was said.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Statement {
    pub(crate) valid: Interval,
    /// When it was said, where that is known.
    pub(crate) said: Option<Timestamp>,
    pub(crate) recorded_at: Timestamp,
    /// Session, position and place in the text: what tells the order of statements of one session that were said and
    /// told at the same time.
    pub(crate) place: (SessionIx, u32, u32),
    /// Whether its speaker vouches for it.
    pub(crate) firm: bool,
    /// Whether it says that what was said before was wrong.
    pub(crate) corrects: bool,
    /// Whether it tells itself when it began to hold, so that this is not just when it was said.
    pub(crate) dated: bool,
    /// Who says it.
    pub(crate) voice: Voice,
}

/// Who says something.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Voice {
    /// A document, or whoever corrects the memory by hand.
    Nobody,
    /// The speaker of this number, of others.
    Of(u32),
    /// The speaker of this number, of himself.
    Own(u32),
}

impl Voice {
    /// Whether somebody tells of himself.
    const fn is_first_hand(self) -> bool {
        matches!(self, Self::Own(_))
    }

    const fn speaker(self) -> Option<u32> {
        match self {
            Self::Nobody => None,
            Self::Of(speaker) | Self::Own(speaker) => Some(speaker),
        }
    }
}

/// What was found of one fact.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Verdict {
    pub(crate) status: FactStatus,
    /// When it held last; where it never did, when it was said to.
    pub(crate) valid: Interval,
    /// When it was known.
    pub(crate) recorded: Interval,
    /// The number of the fact that took its place.
    pub(crate) successor: Option<usize>,
    /// When it held: intervals that do not touch, from the earliest on. None where it never did.
    pub(crate) stays: Vec<Interval>,
    /// Whether another fact says otherwise of the same time, and neither comes after the other.
    pub(crate) contested: bool,
}

impl Statement {
    /// What orders statements; a beginning that is not known comes first.
    fn key(&self) -> (Option<Timestamp>, Timestamp, u32, u32) {
        (self.valid.from, self.recorded_at, self.place.1, self.place.2)
    }

    /// Whether it comes after `other`: by valid time, then by recorded time, then by its place in the same session.
    /// Statements of different sessions that agree in both times have no order, and neither have those that two speakers
    /// of one session make of a third.
    fn after(&self, other: &Self) -> bool {
        let times = |statement: &Self| (statement.valid.from, statement.recorded_at);
        let same_session = self.place.0 == other.place.0;
        let later = times(self) > times(other)
            || (times(self) == times(other) && same_session && self.place > other.place);
        later && !self.disagrees(other)
    }

    /// When it was said, as far as is known.
    fn said(&self) -> Timestamp {
        self.said.unwrap_or(self.recorded_at)
    }

    /// Whether it was said before `other`, whatever times they tell of.
    fn is_said_before(&self, other: &Self) -> bool {
        let earlier = if self.place.0 == other.place.0 {
            (self.place.1, self.place.2) < (other.place.1, other.place.2)
        } else {
            self.recorded_at < other.recorded_at
        };
        self.said() < other.said() || self.said() == other.said() && earlier
    }

    /// Whether two speakers of one session tell of a third, and neither tells when it began.
    fn disagrees(&self, other: &Self) -> bool {
        let hearsay = |statement: &Self| !statement.dated && !statement.voice.is_first_hand();
        self.place.0 == other.place.0 && self.is_of_another(other) && hearsay(self) && hearsay(other)
    }

    /// Whether both are said by somebody, and by different ones.
    fn is_of_another(&self, other: &Self) -> bool {
        let speakers = self.voice.speaker().zip(other.voice.speaker());
        speakers.is_some_and(|(one, other)| one != other)
    }
}

impl Stated<'_> {
    fn affirmed(&self) -> bool {
        self.polarity == Polarity::Affirmed
    }

    /// Those of its statements that count: the firm ones, and where there is none, all.
    fn weighed(&self) -> impl Iterator<Item = &Statement> {
        let firm = self.statements.iter().any(|statement| statement.firm);
        self.statements.iter().filter(move |statement| statement.firm == firm)
    }
}

/// A statement that counts, with the fact that it is of.
#[derive(Debug, Clone, Copy)]
struct Claimed {
    statement: Statement,
    /// The number of the fact.
    fact: usize,
    object: u64,
    affirmed: bool,
    kind: FactKind,
    /// When the memory was told that it is wrong.
    void: Option<Timestamp>,
    /// The fact that somebody states of himself in the same session, who knows better.
    outranked: Option<usize>,
}

impl Claimed {
    /// Whether it says how things are, and may be cut off or cut off others.
    fn competes(&self) -> bool {
        self.affirmed && self.kind.is_state() && self.stands()
    }

    fn stands(&self) -> bool {
        self.void.is_none() && self.outranked.is_none()
    }
}

/// Judges facts that bear on one another, one verdict a fact, in order: all on one subject and predicate where it has one object at
/// a time, and else those with one object.
pub(crate) fn judge(cardinality: Cardinality, facts: &[Stated<'_>]) -> Vec<Verdict> {
    let mut all: Vec<Claimed> = Vec::new();
    for (fact, stated) in facts.iter().enumerate() {
        all.extend(stated.weighed().map(|statement| Claimed {
            statement: *statement,
            fact,
            object: stated.object,
            affirmed: stated.affirmed(),
            kind: stated.kind,
            void: None,
            outranked: None,
        }));
    }
    all.sort_by_key(|claimed| (claimed.statement.key(), claimed.fact));
    corrections::apply(cardinality, &mut all);
    // A correction may hold from an earlier time than it says itself.
    all.sort_by_key(|claimed| (claimed.statement.key(), claimed.fact));
    if cardinality == Cardinality::Single {
        line::outrank(&mut all);
    }
    let line = Line::of(cardinality, &all);
    let mut stays: FxHashMap<usize, Vec<Stay>> = FxHashMap::default();
    for (place, claimed) in all.iter().enumerate().filter(|(_, claimed)| claimed.stands()) {
        stays.entry(claimed.fact).or_default().append(&mut line.pieces(line.stay(place)));
    }
    let merged = |fact| stays::merged(stays.remove(&fact).unwrap_or_default());
    let stays: Vec<Vec<Stay>> = (0..facts.len()).map(merged).collect();
    let contested = line.contested(facts, &stays);
    let each = facts.iter().zip(&stays).zip(contested).enumerate();
    each.map(|(fact, ((stated, stays), contested))| verdict((fact, stated), &all, stays, contested)).collect()
}

fn verdict(
    (fact, stated): (usize, &Stated<'_>),
    all: &[Claimed],
    stays: &[Stay],
    contested: bool,
) -> Verdict {
    let told = || stated.weighed();
    let own = || all.iter().filter(|claimed| claimed.fact == fact);
    let mut verdict = Verdict {
        status: FactStatus::Current,
        valid: Interval {
            from: told().map(|statement| statement.valid.from).min().flatten(),
            to: told().map(|statement| statement.valid.to).max_by_key(|to| (to.is_none(), *to)).flatten(),
        },
        recorded: Interval { from: told().map(|statement| statement.recorded_at).min(), to: None },
        successor: None,
        stays: stays.iter().map(Stay::interval).filter(|interval| !interval.is_empty()).collect(),
        contested,
    };
    let Some(last) = stays.last() else {
        if own().all(|claimed| claimed.void.is_some()) {
            verdict.status = FactStatus::Retracted;
            verdict.recorded.to = own().filter_map(|claimed| claimed.void).max();
        } else {
            verdict.status = FactStatus::Superseded;
            verdict.successor = own().find_map(|claimed| claimed.outranked);
        }
        return verdict;
    };
    verdict.valid = last.interval();
    match last.end {
        End::Own => {}
        End::Rival(successor) => {
            (verdict.status, verdict.successor) = (FactStatus::Superseded, Some(successor));
        }
        // A denial retracts; an affirmation after a denial is the world moving on.
        End::Opposite(_) if !stated.affirmed() => verdict.status = FactStatus::Superseded,
        End::Opposite(recorded_at) => {
            (verdict.status, verdict.recorded.to) = (FactStatus::Retracted, Some(recorded_at));
        }
    }
    verdict
}
