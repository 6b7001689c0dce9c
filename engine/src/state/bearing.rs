//! Which facts bear on one another, and are judged together: those on one subject and predicate, where it has one object at a
//! time, told from either end; and else those that tie the same two ends.

use super::relations::Predicates;
use super::{FactNode, PredicateIx, State};
use crate::graph::{EntityIx, FactIx};
use crate::model::predicate::{Cardinality, PREDICATES};

/// The number of a known predicate in the table.
pub(super) type SpecIx = u16;

/// What facts have in common that bear on one another.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Bearing {
    /// The subject of a known predicate that has one object at a time: "Ana reports to …", and "… manages Ana".
    Holder(EntityIx, SpecIx),
    /// The subject of a predicate that has one object at a time and that the table does not list: a favourite of some kind.
    Favours(EntityIx, PredicateIx),
    /// A subject, a predicate and an object, as it is told first of the two ways round.
    Pair(EntityIx, PredicateIx, u64),
}

/// A fact that bears on others, with what it says of the end that they have in common.
pub(super) struct Member {
    pub(super) fact: FactIx,
    /// A number that is the same for the same other end.
    pub(super) object: u64,
}

fn key(entity: EntityIx) -> u64 {
    u64::from(entity.0)
}

impl State {
    /// What a fact has in common with those that bear on it: one thing, or two where it holds for one at a time at both ends.
    pub(crate) fn bearings(&self, ix: FactIx) -> impl Iterator<Item = Bearing> + use<> {
        let fact = self.fact(ix);
        let single = |spec: &SpecIx| PREDICATES[usize::from(*spec)].cardinality == Cardinality::Single;
        let spec = self.predicates.spec(fact.predicate);
        let own = spec.filter(single).map(|spec| Bearing::Holder(fact.subject, spec));
        let inverse = spec.and_then(Predicates::inverse).filter(single);
        let other = fact.object.zip(inverse).map(|(object, inverse)| Bearing::Holder(object, inverse));
        let other = other.filter(|other| own != Some(*other));
        let one = || spec.is_none() && self.predicate(fact.predicate).cardinality() == Cardinality::Single;
        let alone = own.is_none() && other.is_none();
        let favours = Bearing::Favours(fact.subject, fact.predicate);
        let pair = alone.then(|| if one() { favours } else { self.pair(fact) });
        own.into_iter().chain(other).chain(pair)
    }

    /// The two ends of a fact, with the predicate that comes first in the table where both ways round are known.
    fn pair(&self, fact: &FactNode) -> Bearing {
        let told = Bearing::Pair(fact.subject, fact.predicate, fact.object_key());
        let Some((object, inverse)) = fact.object.zip(self.inverse_of(fact.predicate)) else { return told };
        told.min(Bearing::Pair(object, inverse, key(fact.subject)))
    }

    /// The predicate that says the same from the other end, where facts have it.
    pub(crate) fn inverse_of(&self, predicate: PredicateIx) -> Option<PredicateIx> {
        let inverse = Predicates::inverse(self.predicates.spec(predicate)?)?;
        self.predicates.of_spec(inverse)
    }

    /// The facts that have something in common.
    pub(super) fn members(&self, bearing: Bearing) -> Vec<Member> {
        match bearing {
            Bearing::Holder(holder, spec) => self.held_by(holder, spec),
            Bearing::Favours(subject, predicate) => self.told_of(subject, predicate),
            Bearing::Pair(subject, predicate, object) => self.between(subject, predicate, object),
        }
    }

    fn held_by(&self, holder: EntityIx, spec: SpecIx) -> Vec<Member> {
        let own = self.predicates.of_spec(spec);
        let inverse = Predicates::inverse(spec).and_then(|inverse| self.predicates.of_spec(inverse));
        let of = |predicate: Option<PredicateIx>| {
            predicate.map_or(&[][..], |predicate| self.relation(holder, predicate)).iter()
        };
        let told = |ix: &FactIx| {
            let fact = self.fact(*ix);
            (fact.subject == holder).then(|| Member { fact: *ix, object: fact.object_key() })
        };
        let told_back = |ix: &FactIx| {
            let fact = self.fact(*ix);
            // What ties it to itself by a symmetric predicate is told already.
            let back = fact.object == Some(holder) && (fact.subject != holder || own != Some(fact.predicate));
            back.then(|| Member { fact: *ix, object: key(fact.subject) })
        };
        of(own).filter_map(told).chain(of(inverse).filter_map(told_back)).collect()
    }

    fn told_of(&self, subject: EntityIx, predicate: PredicateIx) -> Vec<Member> {
        let told = |ix: &FactIx| {
            let fact = self.fact(*ix);
            (fact.subject == subject).then(|| Member { fact: *ix, object: fact.object_key() })
        };
        self.relation(subject, predicate).iter().filter_map(told).collect()
    }

    fn between(&self, subject: EntityIx, predicate: PredicateIx, object: u64) -> Vec<Member> {
        let inverse = self.inverse_of(predicate);
        let other = u32::try_from(object).ok().map(EntityIx);
        // The one that has fewer facts is looked through.
        let at = match other {
            Some(other)
                if self.relation(other, predicate).len() < self.relation(subject, predicate).len() =>
            {
                other
            }
            _ => subject,
        };
        let ties = |ix: &&FactIx| {
            let fact = self.fact(**ix);
            let told = fact.subject == subject && fact.object_key() == object;
            let back = Some(fact.predicate) == inverse
                && other == Some(fact.subject)
                && fact.object == Some(subject);
            told && fact.predicate == predicate || back
        };
        let further = inverse.filter(|inverse| *inverse != predicate);
        let lists = [Some(predicate), further].into_iter().flatten();
        let found = lists.flat_map(|predicate| self.relation(at, predicate)).filter(ties);
        found.map(|ix| Member { fact: *ix, object }).collect()
    }
}
