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
    /// Who is said to say it.
    pub(super) said_by: Option<String>,
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
        let told = self.valid(claimed.kind);
        // What used to be so until a time that is told was so until then.
        let is_over = self.group.mood == Mood::UsedTo && told.is_none();
        let polarity = if self.group.negated == is_over { Polarity::Affirmed } else { Polarity::Negated };
        let sure = if self.hedged { 0.45 } else { 1.0 };
        let state = claimed.kind == FactKind::Fact && self.group.mood != Mood::Present;
        Triple {
            polarity,
            kind: claimed.kind,
            confidence: self.subject.confidence * sure,
            valid: told.map_or(Interval::ALWAYS, |told| told.interval),
            granularity: told.map(|told| told.granularity),
            span: self.reading.span(self.first, claimed.end),
            hedged: self.hedged,
            attributed_to: self.said_by.clone(),
            // "I never lived there": it never was so.
            corrects: state && self.group.negated && self.never(),
            ..Triple::new(self.subject.named.clone(), claimed.predicate, claimed.object)
        }
    }
}
