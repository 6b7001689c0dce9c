//! What a correction may mean: the claims of a talk so far, the last ones first.

use lorebase_engine::model::fact::{FactKind, Named, Polarity, Triple, TripleObject};

use super::Earlier;
use crate::rules::clauses;
use crate::rules::reading::{Phrase, Reading};

/// How many turns back somebody may still mean.
const LOOKED_BACK: usize = 10;

/// The claims before a sentence.
pub(super) struct Targets<'r, 'h, 't> {
    pub(super) reading: &'r Reading<'h, 't>,
    pub(super) earlier: &'r [Earlier<'h, 't>],
    /// The claims of the turn itself.
    pub(super) found: &'r [Triple],
    /// Where the sentence begins, in characters.
    pub(super) until: u32,
}

/// Which end of a claim is put right.
pub(super) enum Slot {
    /// "Ana's boss is Marcel": whom it names.
    Subject(Named),
    /// "Ana lives in Porto": what it says of its subject.
    Object(TripleObject),
}

impl Slot {
    pub(super) fn text(&self) -> &str {
        match self {
            Self::Subject(named) | Self::Object(TripleObject::Entity(named)) => &named.name,
            Self::Object(TripleObject::Value(text)) => text,
        }
    }

    /// Whether what is told may stand in its place.
    pub(super) fn can_be(&self, phrase: &Phrase) -> bool {
        match (self, phrase.named()) {
            (Self::Subject(old) | Self::Object(TripleObject::Entity(old)), Some(new)) => {
                old.kind.can_be(new.kind)
            }
            (Self::Object(TripleObject::Value(_)), None) => true,
            _ => false,
        }
    }

    /// The claim with what is told in its place.
    pub(super) fn filled(&self, claim: &Triple, phrase: &Phrase) -> Triple {
        let named = |old: &Named| {
            let name = phrase.named().map_or_else(|| super::told_by(phrase), |named| named.name.clone());
            Named { name, kind: old.kind }
        };
        match self {
            Self::Subject(old) => Triple { subject: named(old), ..claim.clone() },
            Self::Object(TripleObject::Entity(old)) => {
                Triple { object: TripleObject::Entity(named(old)), ..claim.clone() }
            }
            Self::Object(TripleObject::Value(_)) => {
                Triple { object: TripleObject::Value(super::told_by(phrase)), ..claim.clone() }
            }
        }
    }
}

impl<'r> Targets<'r, '_, '_> {
    /// The last claim that fits, whoever made it.
    pub(super) fn last(&self, fits: impl Fn(&Triple) -> bool) -> Option<Triple> {
        let fits = |claim: &&Triple| stands(claim) && fits(claim);
        let here = self.here().rev().find(fits);
        let before = || self.earlier.iter().rev().take(LOOKED_BACK);
        here.or_else(|| before().find_map(|turn| turn.triples.iter().rev().find(fits))).cloned()
    }

    /// The last claim that fits of who speaks.
    pub(super) fn own_last(&self, fits: impl Fn(&Triple) -> bool) -> Option<Triple> {
        let fits = |claim: &&Triple| stands(claim) && fits(claim);
        let own = |turn: &&Earlier<'_, '_>| turn.reading.speaker == self.reading.speaker;
        let before = || self.earlier.iter().rev().take(LOOKED_BACK).filter(own);
        let here = self.here().rev().find(fits);
        here.or_else(|| before().find_map(|turn| turn.triples.iter().rev().find(fits))).cloned()
    }

    /// What the other one has just said or asked: of who speaks now, else of anybody.
    pub(super) fn of_the_other(&self) -> Option<Triple> {
        let last = self.earlier.last().filter(|turn| turn.reading.speaker != self.reading.speaker)?;
        let asked = clauses::asked(&last.reading);
        let claims: Vec<&Triple> = last.triples.iter().chain(&asked).filter(|claim| stands(claim)).collect();
        let of_me = |claim: &&&Triple| Some(claim.subject.name.as_str()) == self.reading.speaker;
        let later = |claim: &&&Triple| claim.span.start;
        claims
            .iter()
            .filter(of_me)
            .max_by_key(later)
            .or_else(|| claims.iter().max_by_key(later))
            .map(|claim| (*claim).clone())
    }

    /// Whether "that" may be what who speaks has said: in this turn, or in the one before.
    pub(super) fn may_be_own(&self) -> bool {
        let last = self.earlier.last();
        self.here().next().is_some() || last.is_some_and(|turn| turn.reading.speaker == self.reading.speaker)
    }

    /// Whether who speaks has said the same of the same subject before, of another object, or anybody has said it of who
    /// speaks. What two say of a third is a disagreement.
    pub(super) fn was_otherwise(&self, claim: &Triple) -> bool {
        let slot = self.slot(claim);
        let about = |other: &Triple| match slot {
            Slot::Subject(_) => other.object == claim.object && other.subject.name != claim.subject.name,
            Slot::Object(_) => other.subject.name == claim.subject.name && other.object != claim.object,
        };
        let otherwise = |other: &Triple| other.predicate == claim.predicate && about(other);
        let of_oneself = [&claim.subject.name, slot_owner(claim)]
            .iter()
            .any(|name| Some(name.as_str()) == self.reading.speaker);
        if of_oneself { self.last(otherwise).is_some() } else { self.own_last(otherwise).is_some() }
    }

    /// Which end of a claim tells what may be wrong: of a tie to who speaks it is the one who is tied.
    pub(super) fn slot(&self, claim: &Triple) -> Slot {
        let TripleObject::Entity(object) = &claim.object else {
            return Slot::Object(claim.object.clone());
        };
        let of_speaker = Some(object.name.as_str()) == self.reading.speaker
            || self.earlier.iter().any(|turn| turn.reading.speaker == Some(object.name.as_str()));
        if of_speaker { Slot::Subject(claim.subject.clone()) } else { Slot::Object(claim.object.clone()) }
    }

    fn here(&self) -> impl DoubleEndedIterator<Item = &'r Triple> {
        let until = self.until;
        self.found.iter().filter(move |claim| claim.span.start < until)
    }
}

/// The name of what a claim says of its subject, or else of the subject.
fn slot_owner(claim: &Triple) -> &String {
    match &claim.object {
        TripleObject::Entity(named) => &named.name,
        TripleObject::Value(_) => &claim.subject.name,
    }
}

/// Whether a claim says for sure that something is so.
fn stands(claim: &Triple) -> bool {
    claim.polarity == Polarity::Affirmed
        && matches!(claim.kind, FactKind::Fact | FactKind::Preference)
        && (claim.predicate.spec().is_some() || claim.predicate.as_str().starts_with("favourite_"))
}
