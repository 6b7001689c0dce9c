//! Fading: what is old, matters little and was of no use ranks lower, where that is asked for. It is a signal
//! of the ranking and hides nothing. Off unless asked for, so that the same question has the same answer
//! tomorrow.

use std::fmt;

use lorebase_engine::Uses;
use lorebase_engine::graph::EpisodeIx;
use lorebase_engine::model::fact::{FactKind, IMPORTANCE};
use lorebase_engine::model::time::Timestamp;
use lorebase_engine::state::State;

use crate::recall::Hit;
use crate::weights::{FADE, FADE_CANDIDATES, FADE_HALF_DAYS, FADE_USED};

const DAY_MILLIS: f64 = 86_400_000.0;

/// How hits fade.
#[derive(Clone, Copy, Default)]
pub struct Fade<'u> {
    /// From which time on age is counted back. Without one, nothing is old; a memory that is asked takes the
    /// time at which the question is asked.
    pub now: Option<Timestamp>,
    /// What was of use; a memory that is asked takes what was noted of it.
    pub uses: Option<&'u Uses>,
}

impl fmt::Debug for Fade<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (now, uses) = (self.now, self.uses.map_or(0, Uses::len));
        write!(f, "Fade {{ now: {now:?}, uses: {uses} }}")
    }
}

/// How many hits must be found for a question whose hits are to fade.
pub(crate) fn wanted(fade: Option<&Fade<'_>>) -> usize {
    fade.map_or(0, |_| FADE_CANDIDATES)
}

/// Lowers the scores of hits by how far they have faded, and brings them into the new order.
pub fn lower(state: &State, fade: &Fade<'_>, hits: &mut [Hit]) {
    for hit in &mut *hits {
        let factor = 1.0 - FADE * (1.0 - strength(state, fade, hit.episode));
        hit.parts.fade = factor;
        hit.score *= factor;
    }
    // Stable: of equals, the one that was better comes first.
    hits.sort_by(|a, b| b.score.total_cmp(&a.score));
}

/// What is left of an episode, from 1 down to 0: of all that it states, what lasts longest counts.
fn strength(state: &State, fade: &Fade<'_>, ix: EpisodeIx) -> f32 {
    let episode = state.episode(ix);
    let used = fade.uses.and_then(|uses| uses.get(&episode.id));
    let said = episode.occurred_at.map_or(episode.recorded_at, |at| at.instant);
    // What was of use is as new as then.
    let since = used.map_or(said, |used| used.last.max(said));
    let millis = fade.now.map_or(0, |now| now.as_millis().saturating_sub(since.as_millis()));
    let days = millis.max(0) as f64 / DAY_MILLIS;
    let stated = episode.facts().iter().map(|fact| {
        let fact = state.fact(*fact);
        let own = fact.support().iter().filter(|support| support.episode == ix);
        half_days(fact.kind, own.map(|support| support.importance).max().unwrap_or(IMPORTANCE))
    });
    let half = stated.fold(half_days(FactKind::Event, IMPORTANCE), f64::max);
    let often = used.map_or(0.0, |used| f64::from(used.count).ln_1p());
    (-days / (half * (1.0 + FADE_USED * often))).exp2() as f32
}

/// In how many days a memory of a kind fades by half.
fn half_days(kind: FactKind, importance: u8) -> f64 {
    FADE_HALF_DAYS[kind as usize] * f64::from(importance) / f64::from(IMPORTANCE)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn facts_outlast_events_and_events_plans() {
        let half = |kind| half_days(kind, IMPORTANCE);
        assert!(half(FactKind::Fact) > half(FactKind::Event) && half(FactKind::Event) > half(FactKind::Plan));
        assert!(half_days(FactKind::Plan, 10) > half(FactKind::Plan));
    }
}
