//! By words: BM25 of passages, turns and sessions, and how much of the question stands near a turn.

use lorebase_engine::graph::{EpisodeIx, SessionIx};
use lorebase_engine::state::State;

use crate::question::Cues;
use crate::weights::{COVERAGE_REACH, SESSION_B, SESSION_K1};

/// The BM25 score of every passage.
pub(crate) fn passages(state: &State, cues: &Cues) -> Vec<f32> {
    let mut scores = vec![0.0; state.passages().len()];
    state.lexical().score(&cues.terms, &mut scores);
    scores
}

/// Each episode's best passage score.
pub(crate) fn episodes(state: &State, passages: &[f32]) -> Vec<f32> {
    let best = |episode: &lorebase_engine::state::EpisodeNode| {
        episode.passage_numbers().map(|number| passages[number as usize]).fold(0.0, f32::max)
    };
    state.episodes().iter().map(best).collect()
}

/// The passage of an episode that scores best.
pub(crate) fn best_passage(state: &State, passages: &[f32], ix: EpisodeIx) -> u32 {
    let numbers = state.episode(ix).passage_numbers();
    let first = numbers.start;
    // `max_by` takes the last of equals; the first is wanted.
    numbers.rev().max_by(|a, b| passages[*a as usize].total_cmp(&passages[*b as usize])).unwrap_or(first)
}

/// The BM25 score of every session, taken as one document.
pub(crate) fn sessions(state: &State, cues: &Cues) -> Vec<f32> {
    let sessions = state.sessions();
    let total: u64 = sessions.iter().map(|session| u64::from(session.terms)).sum();
    let count = sessions.len() as f32;
    let average = (total as f32 / count).max(f32::MIN_POSITIVE);
    let (mut scores, mut counts) = (vec![0.0; sessions.len()], vec![0_u32; sessions.len()]);
    let mut touched: Vec<SessionIx> = Vec::new();
    for term in &cues.terms {
        for (passage, found) in state.lexical().postings(term.term) {
            let session = state.episode(state.passages()[passage as usize].episode).session;
            let sum = &mut counts[session.index()];
            if *sum == 0 {
                touched.push(session);
            }
            *sum += found;
        }
        let frequency = touched.len() as f32;
        let idf = (1.0 + (count - frequency + 0.5) / (frequency + 0.5)).ln();
        for session in touched.drain(..) {
            let found = std::mem::take(&mut counts[session.index()]) as f32;
            let length = sessions[session.index()].terms as f32 / average;
            let saturated =
                found * (SESSION_K1 + 1.0) / (found + SESSION_K1 * (1.0 - SESSION_B + SESSION_B * length));
            scores[session.index()] += term.weight * idf * saturated;
        }
    }
    scores
}

/// For every episode the mass of the question's terms that stand in it or near it in its session, each counted
/// once.
pub(crate) fn coverage(state: &State, cues: &Cues) -> Vec<f32> {
    let mut covered = vec![0.0; state.episodes().len()];
    let mut seen = vec![u32::MAX; state.episodes().len()];
    for (number, term) in (0..).zip(&cues.terms) {
        let mass = Cues::mass(term);
        // The session of the posting before, and up to where its episodes were seen to. Postings mostly come in the
        // order of their sessions; where they do not, `seen` still counts each episode once.
        let mut before: Option<(SessionIx, usize)> = None;
        for (passage, _) in state.lexical().postings(term.term) {
            let ix = state.passages()[passage as usize].episode;
            let session = state.episode(ix).session;
            let list = &state.session(session).episodes;
            let place = state.place(ix);
            let last = (place + COVERAGE_REACH).min(list.len() - 1);
            let seen_to = before.filter(|(known, to)| *known == session && *to <= last);
            let seen_to = seen_to.map_or(0, |(_, to)| to);
            let first = place.saturating_sub(COVERAGE_REACH).max(seen_to);
            before = Some((session, last + 1));
            for near in &list[first..=last] {
                if std::mem::replace(&mut seen[near.index()], number) != number {
                    covered[near.index()] += mass;
                }
            }
        }
    }
    covered
}
