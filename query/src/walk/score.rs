//! What a step of a path is worth, and what an entity that it goes through: see `weights.rs`.

use lorebase_engine::graph::compact::Compact;
use lorebase_engine::graph::{EntityIx, FactIx};
use lorebase_engine::model::time::{Moment, Timestamp};
use lorebase_engine::state::{State, SupportNode};
use rustc_hash::FxHashMap;

use super::sight::Sight;
use super::weights::{DOUBT, RECENT_FLOOR, RECENT_HALF_MILLIS, SUPPORT, weight_of};

/// Scores the steps of one walk.
pub(super) struct Scorer<'s> {
    state: &'s State,
    compact: &'s Compact,
    moment: Moment,
    known: FxHashMap<FactIx, f32>,
}

impl<'s> Scorer<'s> {
    pub(super) fn of(state: &'s State, sight: &Sight<'s>) -> Self {
        Self { state, compact: sight.compact, moment: sight.moment(), known: FxHashMap::default() }
    }

    /// What a step over a fact is worth, from 0 to 1.
    pub(super) fn step(&mut self, fact: FactIx) -> f32 {
        if let Some(score) = self.known.get(&fact) {
            return *score;
        }
        let relation = weight_of(self.state.predicate(self.state.fact(fact).predicate).as_str());
        let score = relation * self.support(fact) * self.recency(fact);
        self.known.insert(fact, score);
        score
    }

    /// What it is worth to go through an entity: the less, the more is told of it.
    pub(super) fn specificity(&self, entity: EntityIx) -> f32 {
        specificity(self.compact.degree(entity))
    }

    fn statements(&self, fact: FactIx) -> impl Iterator<Item = &'s SupportNode> + use<'s> {
        let (state, known_at) = (self.state, self.moment.known_at);
        let told = move |support: &&SupportNode| {
            known_at.is_none_or(|at| state.episode(support.episode).told() <= at)
        };
        state.fact(fact).support().iter().filter(told)
    }

    fn support(&self, fact: FactIx) -> f32 {
        let doubt = |support: &SupportNode| {
            let firm = if support.is_firm() { 1.0 } else { DOUBT };
            1.0 - SUPPORT * firm * support.confidence
        };
        1.0 - self.statements(fact).map(doubt).product::<f32>()
    }

    fn recency(&self, fact: FactIx) -> f32 {
        let said = |support: &SupportNode| {
            let episode = self.state.episode(support.episode);
            episode.occurred_at.map_or(episode.recorded_at, |at| at.instant)
        };
        let newest = self.statements(fact).map(said).max();
        let seen_from = self.moment.as_of.or(self.moment.known_at).or(self.moment.now);
        seen_from.zip(newest).map_or(1.0, |(now, newest)| recency(now, newest))
    }
}

/// What something that was said is worth at a time.
fn recency(now: Timestamp, said: Timestamp) -> f32 {
    let age = now.as_millis().saturating_sub(said.as_millis()).max(0) as f32;
    RECENT_FLOOR + (1.0 - RECENT_FLOOR) * (-age / RECENT_HALF_MILLIS).exp2()
}

/// What an entity of so many facts tells of what it ties.
pub(super) fn specificity(degree: usize) -> f32 {
    1.0 / (std::f32::consts::E + degree as f32).ln()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hubs_and_age_take_from_a_score() {
        let day = |day: i64| Timestamp::from_millis(day * 86_400_000).unwrap();
        let (now, ago) = (day(20_000), day(20_000 - 730));
        assert!((recency(now, ago) - 0.75).abs() < 0.01 && (recency(ago, now) - 1.0).abs() < 1e-6);
        assert!((recency(now, day(-90_000)) - RECENT_FLOOR).abs() < 1e-3);
        let told = [2, 20, 1_000].map(specificity);
        assert!(told.is_sorted_by(|one, other| one > other) && told[0] < 0.7 && told[2] > 0.1, "{told:?}");
    }
}
