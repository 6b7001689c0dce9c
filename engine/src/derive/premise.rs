//! When a stated fact is a premise: what of it holds, by what may be known.

use super::compile::inverse;
use super::evaluate::Held;
use super::table::LASTING;
use crate::graph::{EpisodeIx, FactIx};
use crate::model::fact::{FactKind, FactStatus};
use crate::model::predicate::{Cardinality, Predicate};
use crate::model::time::{Interval, Moment, Timestamp};
use crate::state::{FactNode, Standing, State, SupportNode};

/// A stated fact as a premise, as is seen from a moment.
pub fn premise(state: &State, ix: FactIx, moment: &Moment) -> Held {
    if state.has_expired(ix, moment.now) {
        return Held::never();
    }
    match moment.known_at {
        None => premise_by(state, ix, moment.as_of, None, |_| true),
        Some(at) => {
            let told = |episode: EpisodeIx| state.episode(episode).recorded_at <= at;
            premise_by(state, ix, moment.as_of, state.standing(ix, told), told)
        }
    }
}

/// The same by the statements of those episodes alone that `counts` names. `standing` is how the fact stands
/// by those; `None` for by all. Without `as_of` only what stands now is a premise, with one only what held
/// then. What nobody vouches for is none.
pub fn premise_by(
    state: &State,
    ix: FactIx,
    as_of: Option<Timestamp>,
    standing: Option<Standing>,
    counts: impl Fn(EpisodeIx) -> bool,
) -> Held {
    let fact = state.fact(ix);
    let firm = |support: &&SupportNode| support.is_firm() && counts(support.episode);
    let firm = fact.support().iter().filter(firm).map(|support| support.confidence);
    let Some(confidence) = firm.reduce(f32::max) else { return Held::never() };
    let Standing { status, stays, contested, .. } = standing.unwrap_or_else(|| fact.standing(ix));
    if as_of.is_none() && status != FactStatus::Current {
        return Held::never();
    }
    let mut intervals = stays;
    if let Some(first) = intervals.first_mut()
        && !first.is_empty()
        && is_lasting(state, fact, &counts)
    {
        first.from = None;
    }
    // What happened stays so.
    let was_so = |stay: &Interval, at| match fact.kind {
        FactKind::Event => stay.from.or(stay.to).is_none_or(|begun| begun <= at),
        _ => stay.contains(at),
    };
    intervals.retain(|stay| as_of.is_none_or(|at| was_so(stay, at)));
    Held { intervals, confidence, contested }
}

/// Whether a fact may be taken to have been so before it was told: its predicate lasts, and no statement
/// tells a beginning, nor of anything else in its place.
fn is_lasting(state: &State, fact: &FactNode, counts: impl Fn(EpisodeIx) -> bool) -> bool {
    let predicate = state.predicate(fact.predicate);
    let lasts = |predicate: &Predicate| LASTING.contains(&predicate.as_str());
    if !lasts(predicate) && !inverse(predicate).is_some_and(|inverse| lasts(&inverse)) {
        return false;
    }
    let dated = fact.support().iter().any(|support| support.dated && counts(support.episode));
    let alone = predicate.cardinality() == Cardinality::Many || {
        let all = state.relation(fact.subject, fact.predicate).iter().map(|ix| state.fact(*ix));
        all.filter(|other| other.subject == fact.subject && !other.support().is_empty()).count() == 1
    };
    !dated && alone
}

impl Held {
    fn never() -> Self {
        Self { intervals: Vec::<Interval>::new(), confidence: 0.0, contested: false }
    }
}
