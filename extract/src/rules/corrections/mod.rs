//! What puts right or takes back what was said before: "actually it's Munich, not Berlin", "scratch that", "that's not true
//! any more". What "that" and "it" mean is the last claim of a talk that fits. What a whole clause claims is read elsewhere;
//! here it is told to be a correction.

mod cues;
mod targets;
#[cfg(test)]
mod tests;

use lorebase_engine::model::entity::EntityKind;
use lorebase_engine::model::fact::{FactKind, Named, Polarity, Triple, TripleObject};
use lorebase_engine::model::predicate::Cardinality;
use lorebase_engine::model::time::Interval;
use lorebase_engine::text::fold_name;

use crate::rules::corrections::cues::{Back, Instead};
pub(super) use crate::rules::corrections::cues::{is_bare, never_said, trails_off};
use crate::rules::corrections::targets::Targets;
use crate::rules::posts;
use crate::rules::reading::{Phrase, Reading};
use crate::rules::words;
use crate::syntax::tokens;

/// A turn before, and what it claims.
pub(super) struct Earlier<'h, 't> {
    pub(super) reading: Reading<'h, 't>,
    pub(super) triples: &'h [Triple],
}

/// Adds what a turn takes back and puts right, and marks those of its claims that do.
pub(super) fn apply(reading: &Reading<'_, '_>, earlier: &[Earlier<'_, '_>], found: &mut Vec<Triple>) {
    let sentences = tokens::sentences(reading.tokens);
    for (number, bounds) in sentences.iter().enumerate() {
        let before = number.checked_sub(1).map(|before| sentences[before]);
        let after = sentences.get(number + 1).copied();
        let sentence = Sentence { reading, bounds: *bounds, before, after };
        let asks = (bounds.0..bounds.1).rev().take(3).any(|at| reading.is(at, &["?"]));
        if asks {
            continue;
        }
        let targets =
            Targets { reading, earlier, found: &found[..], until: reading.tokens[bounds.0].chars.0 };
        let more = sentence.taken_back(&targets).or_else(|| sentence.replaced(&targets));
        let marked = if more.is_none() { sentence.marked(&targets) } else { Vec::new() };
        for number in marked {
            found[number].corrects = true;
            found.extend(sentence.contrasted(&found[number]));
        }
        let next: Vec<Triple> = found.iter().filter_map(|claim| sentence.succeeded(claim, earlier)).collect();
        found.extend(more.into_iter().flatten().chain(next));
    }
}

/// A sentence of a turn, and those beside it.
struct Sentence<'r, 'a, 't> {
    reading: &'r Reading<'a, 't>,
    bounds: (usize, usize),
    before: Option<(usize, usize)>,
    after: Option<(usize, usize)>,
}

impl Sentence<'_, '_, '_> {
    /// "That's not true any more", "scratch that": the claim that it takes back.
    fn taken_back(&self, targets: &Targets<'_, '_, '_>) -> Option<Vec<Triple>> {
        let back = cues::taken_back(self.reading, self.bounds)?;
        let target = match back {
            Back::Own => targets.own_last(|_| true),
            Back::Wrong | Back::Over => {
                targets.of_the_other().or_else(|| targets.own_last(|_| true).filter(|_| targets.may_be_own()))
            }
        }?;
        let denied =
            Triple { polarity: Polarity::Negated, corrects: back != Back::Over, ..self.restated(target) };
        Some(vec![denied])
    }

    /// "It's Munich, not Berlin", "sorry, I meant Munich": what was said, with the right thing in place of the wrong one.
    fn replaced(&self, targets: &Targets<'_, '_, '_>) -> Option<Vec<Triple>> {
        let Instead { right, wrong, meant } = cues::instead(self.reading, self.bounds)?;
        let told = meant || self.is_cued();
        let fits =
            |claim: &Triple| right.named().is_some() == matches!(claim.object, TripleObject::Entity(_));
        let target = match &wrong {
            Some(wrong) => {
                let wrong = fold_name(&told_by(wrong));
                targets.last(|claim| fold_name(targets.slot(claim).text()) == wrong)?
            }
            None if told && (right.named().is_some() || meant) => {
                let fitting = |claim: &Triple| fits(claim) && targets.slot(claim).can_be(&right);
                let no = cues::denies(self.reading, self.bounds) && !meant;
                let other = if no { targets.of_the_other().filter(|claim| fitting(claim)) } else { None };
                other.or_else(|| targets.own_last(fitting))?
            }
            None => return None,
        };
        let slot = targets.slot(&target);
        let corrected = Triple { corrects: true, ..self.restated(slot.filled(&target, &right)) };
        let same = corrected.subject == target.subject && corrected.object == target.object;
        if same {
            return None;
        }
        // Of what one has several of, the right one does not take the wrong one's place by itself.
        let many = matches!(target.predicate.cardinality(), Cardinality::Many);
        let denied = (many || wrong.is_some()).then(|| Triple {
            polarity: Polarity::Negated,
            corrects: true,
            ..self.restated(target)
        });
        Some(std::iter::once(corrected).chain(denied).collect())
    }

    /// A claim of before as this sentence says it.
    fn restated(&self, claim: Triple) -> Triple {
        Triple {
            confidence: 0.8,
            valid: Interval::ALWAYS,
            granularity: None,
            hedged: false,
            attributed_to: None,
            span: self.reading.span(self.bounds.0, self.bounds.1),
            ..claim
        }
    }

    /// The claims of this sentence that put right what was said.
    fn marked(&self, targets: &Targets<'_, '_, '_>) -> Vec<usize> {
        let span = self.reading.span(self.bounds.0, self.bounds.1);
        if cues::is_news(self.reading, self.bounds) {
            return Vec::new();
        }
        let explicit = cues::is_explicit(self.reading, self.bounds)
            || self.before.into_iter().chain(self.after).any(|beside| cues::is_slip(self.reading, beside));
        let cued = self.is_cued();
        let corrects = |claim: &Triple| {
            let here = span.start <= claim.span.start && claim.span.end <= span.end;
            let state = matches!(claim.kind, FactKind::Fact | FactKind::Preference);
            let contrasted = || cues::not_the_other(self.reading, claim.span.end).is_some();
            here && state
                && claim.predicate.spec().is_some()
                && !claim.hedged
                && (explicit || contrasted() || cued && targets.was_otherwise(claim))
        };
        let numbered = targets.found.iter().enumerate();
        numbered.filter(|(_, claim)| corrects(claim)).map(|(number, _)| number).collect()
    }

    /// "Idunn isn't my boss any more, it's Kjell now": what takes the place of what is over.
    fn succeeded(&self, claim: &Triple, earlier: &[Earlier<'_, '_>]) -> Option<Triple> {
        let span = self.reading.span(self.bounds.0, self.bounds.1);
        let here = span.start <= claim.span.start && claim.span.end <= span.end;
        if !here || claim.polarity != Polarity::Negated || claim.predicate.spec().is_none() {
            return None;
        }
        let phrase = cues::successor(self.reading, claim.span.end, self.bounds.1)?;
        // "I don't play chess, it's boring": what is no name can take a place where nothing else can be meant.
        let plain = phrase.named().is_none();
        if plain && (claim.predicate.as_str() != "allergic_to" || words::is_common(phrase.first_word())) {
            return None;
        }
        let targets = Targets { reading: self.reading, earlier, found: &[], until: 0 };
        let slot = targets.slot(claim);
        slot.can_be(&phrase).then(|| Triple {
            polarity: Polarity::Affirmed,
            corrects: false,
            ..slot.filled(claim, &phrase)
        })
    }

    /// "She lives in Reims, not Rennes": what a claim is told not to be.
    fn contrasted(&self, claim: &Triple) -> Option<Triple> {
        let wrong = cues::not_the_other(self.reading, claim.span.end)?;
        let TripleObject::Entity(right) = &claim.object else { return None };
        let denied = Triple { polarity: Polarity::Negated, corrects: true, ..claim.clone() };
        // "My boss is Marcel, not Marius": what stands beside the "not" is the subject of the tie.
        let last = self.reading.tokens.partition_point(|token| token.chars.1 <= claim.span.end);
        let beside = self.reading.name_before(last).map(|name| name.called.as_str());
        Some(if beside == Some(claim.subject.name.as_str()) {
            let subject = Named { name: told_by(&wrong), kind: claim.subject.kind };
            Triple { subject, ..denied }
        } else {
            let object = TripleObject::Entity(Named { name: told_by(&wrong), kind: right.kind });
            Triple { object, ..denied }
        })
    }

    /// Whether the sentence, or a short one before it, says that something was wrong.
    fn is_cued(&self) -> bool {
        cues::is_cued(self.reading, self.bounds)
            || self.before.is_some_and(|before| cues::cues_next(self.reading, before))
    }
}

/// The text of a phrase.
fn told_by(phrase: &Phrase) -> String {
    match &phrase.object {
        TripleObject::Entity(named) => named.name.clone(),
        TripleObject::Value(text) => text.clone(),
    }
}

/// Where somebody works, lives or studies, who says "there": what was claimed last by that predicate, or what the other has
/// just asked about.
pub(super) fn there(reading: &Reading<'_, '_>, predicate: &str, found: &[Triple]) -> Option<TripleObject> {
    let same =
        |claim: &&Triple| claim.predicate.as_str() == predicate && claim.polarity == Polarity::Affirmed;
    let here = found.iter().rev().find(same);
    let before = || reading.earlier.iter().rev().find_map(|turn| turn.triples.iter().rev().find(same));
    if let Some(claim) = here.or_else(before) {
        return Some(claim.object.clone());
    }
    let last = reading.earlier.last()?;
    let wanted = if predicate == "lives_in" { EntityKind::Place } else { EntityKind::Organisation };
    let named = last.reading.names.iter().rev().find_map(|name| {
        let named = Named { name: name.called.clone(), kind: name.kind };
        let of_persons = matches!(name.kind, EntityKind::Person | EntityKind::Animal);
        let firm = wanted == EntityKind::Organisation && posts::is_firm_like(&named);
        (firm || !of_persons && name.kind.can_be(wanted)).then_some(named)
    })?;
    let told = matches!(named.kind, EntityKind::Place | EntityKind::Organisation);
    Some(TripleObject::Entity(Named { kind: if told { named.kind } else { wanted }, ..named }))
}
