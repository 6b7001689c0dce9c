//! Whether a fact holds, by what was said up to some time only: the short answer to what [`State::standing`] tells at
//! length, for those who ask it of hundreds of facts.

use rustc_hash::FxHashMap;

use super::State;
use super::bearing::Bearing;
use crate::graph::{EpisodeIx, FactIx};
use crate::model::fact::{FactStatus, Polarity};
use crate::model::time::{Interval, Timestamp};

/// What was found so far of facts that bear on one another. Of use for one namespace and one choice of episodes.
#[derive(Debug, Default)]
pub struct Fronts(FxHashMap<Bearing, FxHashMap<FactIx, bool>>);

impl State {
    /// Whether a fact says that something is so, and nothing that was said later takes its place, by the statements of
    /// those episodes alone that `counts` names.
    pub fn holds(&self, ix: FactIx, fronts: &mut Fronts, counts: impl Fn(EpisodeIx) -> bool) -> bool {
        if self.fact(ix).polarity == Polarity::Negated {
            return false;
        }
        self.bearings(ix).all(|bearing| {
            // Where nobody says otherwise, there is nothing to judge.
            matches!(bearing, Bearing::Pair(..)) && !self.is_denied(ix)
                || *fronts
                    .0
                    .entry(bearing)
                    .or_insert_with(|| self.current(bearing, &counts))
                    .get(&ix)
                    .unwrap_or(&true)
        })
    }

    /// Which of the facts that have something in common are current.
    fn current(&self, bearing: Bearing, counts: impl Fn(EpisodeIx) -> bool) -> FxHashMap<FactIx, bool> {
        let judged = self.judged(bearing, counts).into_iter();
        judged.map(|(ix, standing)| (ix, standing.status == FactStatus::Current)).collect()
    }

    /// Whether anything is only shown for a time.
    pub fn can_expire(&self) -> bool {
        self.expiring > 0 || self.limits_time()
    }

    /// Whether some episode has expired when it is `now`.
    pub fn expires(&self, now: Timestamp) -> bool {
        let over = |ix: &EpisodeIx| self.episode(*ix).expires_at.is_some_and(|at| at <= now);
        self.expiring > 0 && self.living().any(|ix| over(&ix))
    }

    /// Whether an episode is not shown any more when it is `now`. One that states a fact which is pinned is.
    pub fn is_over(&self, ix: EpisodeIx, now: Option<Timestamp>) -> bool {
        let episode = self.episode(ix);
        let over = now.is_some_and(|now| episode.expires_at.is_some_and(|at| at <= now));
        over && !episode.facts().iter().any(|fact| self.cares(*fact).pinned)
    }

    /// Whether a fact, with these stays, was so at a time of the world: one of them is then, or it had happened by then.
    pub fn was_so(&self, ix: FactIx, stays: &[Interval], at: Timestamp) -> bool {
        if self.fact(ix).kind.is_state() {
            return stays.iter().any(|stay| stay.contains(at));
        }
        stays.iter().any(|stay| stay.from.or(stay.to).is_none_or(|began| began <= at))
    }

    /// Whether a fact is not shown any more when it is `now`: every statement of it has expired, or it was ruled so. One that is
    /// pinned does not expire.
    pub fn has_expired(&self, ix: FactIx, now: Option<Timestamp>) -> bool {
        let Some(now) = now else { return false };
        let cares = self.cares(ix);
        if cares.pinned {
            return false;
        }
        let retained = self.retained(self.fact(ix).kind);
        let ends = self.fact(ix).support().iter().map(|support| {
            let episode = self.episode(support.episode);
            let said = episode.occurred_at.map_or(episode.recorded_at, |at| at.instant);
            let kept_until = retained
                .and_then(|millis| i64::try_from(millis).ok())
                .and_then(|millis| Timestamp::from_millis(said.as_millis().saturating_add(millis)).ok());
            episode.expires_at.into_iter().chain(kept_until).min()
        });
        let over = |end: Option<Timestamp>| end.is_some_and(|end| end <= now);
        over(cares.expires_at) || ends.into_iter().all(over)
    }
}
