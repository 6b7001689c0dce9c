//! Who matters to an entity, told as its neighbours are: each with the way by which the ranking came to it first.

use lorebase_engine::graph::compact::Way;
use lorebase_engine::graph::{EntityIx, FactIx};
use lorebase_engine::state::State;
use rustc_hash::FxHashMap;

use super::neighbours::{Asked, Neighbourhood, Reached};
use super::rank::{Ranking, Shares};
use super::sight::Sight;
use super::weights::weight_of;

/// The entities that matter most to those asked for, best first, with their scores. How many steps away they are is not asked.
pub fn related(state: &State, asked: Asked<'_>) -> (Neighbourhood, Vec<f32>) {
    let counts = |entity: EntityIx| asked.kind.is_none_or(|kind| state.entity(entity).kind() == kind);
    let ranking = if asked.over.predicates.is_some() {
        Shares::of(state, asked.over).rank_where(asked.from, asked.limit, counts)
    } else {
        Shares::at(state, asked.over.moment).rank_where(asked.from, asked.limit, counts)
    };
    let mut ways = Ways {
        sight: Sight::of(state, asked.over),
        ranking: &ranking,
        places: FxHashMap::default(),
        told: Neighbourhood { more: ranking.more, ..Neighbourhood::default() },
    };
    for (number, entity) in (0..).zip(asked.from) {
        let begun = Reached { entity: Some(*entity), fact: FactIx(0), before: number, hops: 0 };
        ways.places.insert(*entity, number);
        ways.told.reached.push(begun);
    }
    for ranked in &ranking.found {
        let place = ways.reach(ranked.entity);
        ways.told.found.push(place as usize);
    }
    let scores = ranking.found.iter().map(|ranked| ranked.score).collect();
    (ways.told, scores)
}

/// The ways by which entities were reached, as far as they are told already.
struct Ways<'s> {
    sight: Sight<'s>,
    ranking: &'s Ranking,
    places: FxHashMap<EntityIx, u32>,
    told: Neighbourhood,
}

impl Ways<'_> {
    /// The place of an entity among those that were reached; it and what it was reached from are added where they are not there.
    fn reach(&mut self, entity: EntityIx) -> u32 {
        let way = self.ranking.way_to(entity);
        let mut last = self.places.get(&way[0]).copied().unwrap_or_default();
        for two in way.windows(2) {
            if let Some(known) = self.places.get(&two[1]) {
                last = *known;
                continue;
            }
            let fact = self.between(two[0], two[1]).map_or(FactIx(0), Way::fact);
            let hops = self.told.reached[last as usize].hops + 1;
            let place = self.told.reached.len() as u32;
            self.told.reached.push(Reached { entity: Some(two[1]), fact, before: last, hops });
            self.places.insert(two[1], place);
            last = place;
        }
        last
    }

    /// The way between two entities that says most, looked for from the one with fewer.
    fn between(&mut self, one: EntityIx, other: EntityIx) -> Option<Way> {
        let compact = self.sight.compact;
        let (from, to) =
            if compact.degree(other) < compact.degree(one) { (other, one) } else { (one, other) };
        let state = self.sight.state;
        let weight = |way: &Way| weight_of(state.predicates()[way.predicate() as usize].as_str());
        let mut best: Option<Way> = None;
        for way in self.sight.ways(from).filter(|way| way.to() == Some(to)) {
            if best.is_none_or(|best| weight(&way) > weight(&best)) && self.sight.goes(way.fact()) {
                best = Some(way);
            }
        }
        best
    }
}
