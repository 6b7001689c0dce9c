//! By vector: how like the question each of the nearest episodes is.

use lorebase_engine::embed::Understanding;
use lorebase_engine::graph::{EpisodeIx, SessionIx};
use lorebase_engine::state::State;
use rustc_hash::FxHashMap;

use crate::retrieve::timeline::Horizon;
use crate::weights::{
    MEANING, MEANING_CANDIDATES, MEANING_NEAR, MEANING_SESSION, VECTOR_CANDIDATES, VECTOR_FLOOR, WORD_FLOOR,
    WORD_MEANING, WORD_MEANING_DOCUMENT, WORD_MEANING_NEAR, WORD_MEANING_SESSION,
};

/// Up to so many episodes that may be found, each is compared.
const FEW: usize = 4_096;

/// What likeness counts for.
pub(crate) struct Weights {
    floor: f32,
    share: f32,
    near: [f32; 3],
    session: f32,
    document: f32,
}

impl Weights {
    /// Those of a model that understands so much.
    /// Where neighbours do not count, nothing is lent to them.
    pub(crate) fn of(understanding: Understanding, near: bool) -> Self {
        let weights = Self::of_all(understanding);
        if near { weights } else { Self { near: [0.0; 3], ..weights } }
    }

    fn of_all(understanding: Understanding) -> Self {
        match understanding {
            Understanding::Spelling | Understanding::Sentences => Self {
                floor: VECTOR_FLOOR,
                share: MEANING,
                near: MEANING_NEAR,
                session: MEANING_SESSION,
                document: 1.0,
            },
            Understanding::Words => Self {
                floor: WORD_FLOOR,
                share: WORD_MEANING,
                near: WORD_MEANING_NEAR,
                session: WORD_MEANING_SESSION,
                document: WORD_MEANING_DOCUMENT,
            },
        }
    }
}

/// The nearest episodes with their likeness, of those that may be found and are like the question at all.
pub(crate) fn nearest(
    state: &State,
    question: &[f32],
    horizon: Option<&Horizon>,
    weights: &Weights,
) -> FxHashMap<EpisodeIx, f32> {
    let found = search(state, question, VECTOR_CANDIDATES, horizon);
    let alike = found.into_iter().filter(|(_, likeness)| *likeness >= weights.floor);
    alike.map(|(number, likeness)| (EpisodeIx(number), likeness)).collect()
}

/// The nearest of the episodes that may be found: what may not takes no place from them.
fn search(state: &State, question: &[f32], most: usize, horizon: Option<&Horizon>) -> Vec<(u32, f32)> {
    let vectors = state.vectors();
    let Some(horizon) = horizon else { return vectors.search(question, most) };
    match horizon.few(state, FEW) {
        Some(shown) => vectors.search_among(question, most, shown.into_iter().map(|ix| ix.0)),
        None => vectors.search_where(question, most, |number| horizon.shows(state, EpisodeIx(number))),
    }
}

/// What meaning adds to the nearest episodes and to those near them, where the best score by words is `top`:
/// the likeness of each between that of the last candidate and that of the first, lent to its neighbours as
/// the score by words is, with a share of what the best turns of its session come to.
pub(crate) fn meaning(
    state: &State,
    question: &[f32],
    top: f32,
    horizon: Option<&Horizon>,
    weights: &Weights,
) -> FxHashMap<EpisodeIx, f32> {
    let shown = horizon.map_or(usize::MAX, |horizon| horizon.episodes(state, 2 * MEANING_CANDIDATES));
    let all = state.vectors().len().min(shown);
    // Of a small memory no more than half: the others are what likeness is measured from.
    let wanted = MEANING_CANDIDATES.min(all.div_ceil(2)).max(2);
    let found = search(state, question, wanted, horizon);
    let (Some((_, best)), Some((_, least))) = (found.first(), found.last()) else {
        return FxHashMap::default();
    };
    // Where there are no others, unlike is what has nothing in common with the question.
    let least = if found.len() < all { *least } else { 0.0 };
    let range = (best - least).max(f32::MIN_POSITIVE);
    let mut sums: FxHashMap<EpisodeIx, f32> = FxHashMap::default();
    let mut sessions: FxHashMap<SessionIx, Vec<f32>> = FxHashMap::default();
    for (number, likeness) in &found {
        let (ix, value) = (EpisodeIx(*number), ((likeness - least) / range).max(0.0));
        let session = state.session_with(ix);
        sessions.entry(session).or_default().push(value);
        for (other, weight) in lent(&state.session(session).episodes, state.place(ix), weights.near) {
            *sums.entry(other).or_default() += weight * value;
        }
    }
    let sessions: FxHashMap<SessionIx, f32> =
        sessions.into_iter().map(|(session, values)| (session, mean_of_best(values))).collect();
    let total = |(ix, sum): (EpisodeIx, f32)| {
        let session = state.session_with(ix);
        let kind = if state.session(session).episodes.len() == 1 { weights.document } else { 1.0 };
        let lent = sessions.get(&session).copied().unwrap_or(0.0);
        (ix, kind * weights.share * top * (sum + weights.session * lent))
    };
    sums.into_iter().map(total).collect()
}

/// The episode at a place of a session's list and those near it, each with what it gets of that one.
fn lent(list: &[EpisodeIx], place: usize, near: [f32; 3]) -> impl Iterator<Item = (EpisodeIx, f32)> {
    let beside = (1..).zip(near).filter(|(_, weight)| *weight > 0.0).flat_map(move |(distance, weight)| {
        [place.checked_sub(distance), Some(place + distance)]
            .into_iter()
            .flatten()
            .map(move |at| (at, weight))
    });
    let all = std::iter::once((place, 1.0)).chain(beside);
    all.filter_map(|(at, weight)| Some((*list.get(at)?, weight)))
}

/// The mean of the three best turns of a session, where it has fewer with zeros for the others.
fn mean_of_best(mut values: Vec<f32>) -> f32 {
    const COUNTED: usize = 3;
    values.sort_unstable_by(|a, b| b.total_cmp(a));
    values.iter().take(COUNTED).sum::<f32>() / COUNTED as f32
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use lorebase_engine::Missing;
    use lorebase_engine::change::Changes;
    use lorebase_engine::embed::{Embedder, HashEmbedder};
    use lorebase_engine::engine::Engine;
    use lorebase_engine::model::episode::Episode;
    use lorebase_engine::model::id::{Namespace, SessionId};
    use lorebase_engine::model::time::{SourceTime, Timestamp};

    use super::*;
    use crate::question::Question;

    fn said(day: i64, position: u32, text: &str) -> Episode {
        let at = Timestamp::from_millis(1_682_900_000_000 + day * 86_400_000).unwrap();
        let session = SessionId::new(&format!("day {day}"));
        let occurred_at = Some(SourceTime::naive(at.civil()).unwrap());
        Episode::new(&Namespace::default(), session, position, (None, occurred_at), text, at)
    }

    #[test]
    fn what_may_not_be_found_takes_no_place_from_what_may() {
        let directory = tempfile::tempdir().unwrap();
        let embedder = Arc::new(HashEmbedder::default());
        let (engine, _) = Engine::open(directory.path(), Missing::Create, embedder).unwrap();
        let early = said(0, 0, "a heron stands in the shallow pond");
        let late = (0..300).map(|position| said(9, position, "the heron of the pond"));
        let episodes: Vec<Episode> =
            [early.clone(), said(0, 1, "rain all day")].into_iter().chain(late).collect();
        let changes = Changes { episodes, ..Changes::default() };
        engine.commit(&Namespace::default(), changes).unwrap();
        let reader = engine.reader(&Namespace::default()).unwrap();
        let state = reader.state();
        let text = "the heron of the pond";
        let vector = HashEmbedder::default().embed_question(text).unwrap();
        let ix = state.find_episode(&early.id).unwrap();
        let as_of = Some(Timestamp::from_millis(1_682_900_000_000 + 5 * 86_400_000).unwrap());
        let horizon = Horizon::of(state, &Question { as_of, ..Question::new(text) });
        let weights = Weights::of(Understanding::Sentences, true);
        assert!(!nearest(state, &vector, None, &weights).contains_key(&ix));
        assert!(nearest(state, &vector, horizon.as_ref(), &weights).contains_key(&ix));
        let meant = meaning(state, &vector, 1.0, horizon.as_ref(), &weights);
        assert!(meant[&ix] > 0.0 && meant.keys().all(|ix| ix.0 < 2));
        assert_eq!(search(state, &vector, 9, horizon.as_ref()).len(), 2);
    }
}
