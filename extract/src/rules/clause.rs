//! One clause that asserts something, and how a claim of it becomes a triple: polarity, time, sureness.

use lorebase_engine::model::entity::EntityKind;
use lorebase_engine::model::fact::{FactKind, Named, Polarity, Triple, TripleObject};
use lorebase_engine::model::predicate::Predicate;
use lorebase_engine::model::time::Interval;

use crate::rules::group::{Group, Mood};
use crate::rules::persons::Subject;
use crate::rules::reading::Reading;
use crate::rules::ties;

/// The tie of `named` to the owner of `relation`; nobody has a tie to themselves.
pub(super) fn tie_triple(
    reading: &Reading<'_, '_>,
    named: Named,
    relation: &ties::Relation,
    (first, end): (usize, usize),
) -> Option<Triple> {
    (named.name != relation.owner.name).then(|| {
        let subject = Named { name: named.name, kind: relation.tie.kind };
        let owner = TripleObject::Entity(relation.owner.clone());
        let told = Triple::new(subject, Predicate::new(relation.tie.predicate), owner);
        Triple { confidence: 0.9, span: reading.span(first, end), ..told }
    })
}

/// A clause that asserts something of its subject.
pub(super) struct Clause<'r, 'a, 't> {
    pub(super) reading: &'r Reading<'a, 't>,
    /// Its first token.
    pub(super) first: usize,
    /// The tokens of its sentence.
    pub(super) bounds: (usize, usize),
    pub(super) subject: Subject,
    pub(super) group: Group,
    pub(super) hedged: bool,
}

/// What a pattern claims of the subject of its clause.
pub(super) struct Claimed {
    pub(super) predicate: Predicate,
    pub(super) object: TripleObject,
    pub(super) kind: FactKind,
    /// The first token after the claim.
    pub(super) end: usize,
}

impl Clause<'_, '_, '_> {
    /// The first token after the sentence.
    pub(super) fn limit(&self) -> usize {
        self.bounds.1
    }

    /// Whether the subject may be a human being.
    pub(super) fn of_person(&self) -> bool {
        matches!(self.subject.named.kind, EntityKind::Person | EntityKind::Unknown)
    }

    /// Whether it says "never", so that what it denies never was.
    pub(super) fn never(&self) -> bool {
        (self.subject.end..self.group.end).any(|at| self.reading.is(at, &["never"]))
    }

    /// Whether it tells its hearer about the hearer, which is praise as often as news.
    pub(super) fn of_hearer(&self) -> bool {
        self.reading.is(self.first, &["you"])
    }

    /// The triple of a claim, with the clause's polarity, time and sureness.
    pub(super) fn triple(&self, claimed: Claimed) -> Triple {
        let past_state = self.group.mood == Mood::UsedTo;
        let polarity = if self.group.negated == past_state { Polarity::Affirmed } else { Polarity::Negated };
        let sure = if self.hedged { 0.45 } else { 1.0 };
        Triple {
            polarity,
            kind: claimed.kind,
            confidence: self.subject.confidence * sure,
            valid: self.valid(claimed.kind),
            span: self.reading.span(self.first, claimed.end),
            hedged: self.hedged,
            ..Triple::new(self.subject.named.clone(), claimed.predicate, claimed.object)
        }
    }

    /// When a claim holds: the time told in the clause. A state in the present holds from there on.
    fn valid(&self, kind: FactKind) -> Interval {
        let Some(time) = self.time() else {
            return Interval::ALWAYS;
        };
        match (kind, self.group.mood) {
            (FactKind::Event | FactKind::Plan, _) | (FactKind::Fact, Mood::Past) => time,
            (FactKind::Fact, Mood::Perfect) => Interval { to: None, ..time },
            _ => Interval::ALWAYS,
        }
    }

    /// The first time told from the clause on, else the last one told before it in the sentence.
    pub(super) fn time(&self) -> Option<Interval> {
        let tokens = self.reading.tokens;
        let (from, start, end) =
            (tokens[self.first].chars.0, tokens[self.bounds.0].chars.0, tokens[self.bounds.1 - 1].chars.1);
        let inside = || {
            let times = self.reading.times_from(start).iter().take_while(|time| time.span.end <= end);
            times.filter(|time| time.span.start >= start)
        };
        let after = inside().find(|time| time.span.start >= from);
        after.or_else(|| inside().last()).map(|time| time.interval)
    }
}
