//! By words: BM25 of passages and sessions, how much of the question stands near a turn, and the most that any turn of
//! a session can come to.

use lorebase_engine::graph::{EpisodeIx, SessionIx};
use lorebase_engine::index::lexical::{QueryTerm, TermId};
use lorebase_engine::state::State;

use crate::question::Cues;
use crate::spread;
use crate::ways::{Way, Ways};
use crate::weights::{COVERAGE, COVERAGE_REACH, SESSION, SESSION_B, SESSION_K1};

/// What the question's terms say of passages and of sessions.
pub(crate) struct Words {
    /// The BM25 score of each passage.
    passages: Vec<f32>,
    sessions: Vec<Tally>,
    /// The mass of the terms of a passage is no more than so many times its score.
    mass: f32,
}

/// What the question's terms say of a session.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Tally {
    /// Its BM25 score, taken as one document.
    pub(crate) score: f32,
    /// The mass of the terms that stand in it.
    pub(crate) mass: f32,
    /// The most that an episode of it can get from passages, its own and its neighbours'.
    passages: f32,
}

impl Tally {
    /// The most that an episode of the session can score, factors aside.
    pub(crate) fn most(self) -> f32 {
        self.passages + SESSION * self.score + COVERAGE * self.mass
    }
}

/// Postings of one term in one session.
#[derive(Clone, Copy)]
struct Run {
    session: SessionIx,
    passages: u32,
    found: u32,
    /// The most that the term says of one of the passages.
    most: f32,
}

impl Words {
    pub(crate) fn of(state: &State, cues: &Cues, ways: Ways) -> Self {
        let mut words = Self {
            passages: vec![0.0; state.passages().len()],
            sessions: vec![Tally::default(); state.sessions().len()],
            mass: 0.0,
        };
        let mut runs = Vec::new();
        for term in &cues.terms {
            runs.clear();
            words.run_through(state, term, &mut runs);
            words.tally(state, term, &runs, ways);
        }
        words
    }

    /// Adds what a term says of the passages, and gathers where it stands by session.
    fn run_through(&mut self, state: &State, term: &QueryTerm, runs: &mut Vec<Run>) {
        let sessions = state.passage_sessions();
        let (mut ordered, mut last) = (true, None);
        let mut least = f32::INFINITY;
        for (passage, found, said) in state.lexical().weighed(term) {
            self.passages[passage as usize] += said;
            least = least.min(said);
            let session = sessions[passage as usize];
            if let Some(run) = runs.last_mut().filter(|run| run.session == session) {
                run.passages += 1;
                run.found += found;
                run.most = run.most.max(said);
            } else {
                ordered &= last.is_none_or(|last| last < session);
                last = Some(session);
                runs.push(Run { session, passages: 1, found, most: said });
            }
        }
        self.mass = self.mass.max(Cues::mass(term) / least);
        if !ordered {
            merge(runs);
        }
    }

    /// Adds what a term says of the sessions that it stands in.
    fn tally(&mut self, state: &State, term: &QueryTerm, runs: &[Run], ways: Ways) {
        let count = state.living_sessions() as f32;
        let average = (state.lexical().total_length() as f32 / count).max(f32::MIN_POSITIVE);
        let frequency = runs.len() as f32;
        let idf = (1.0 + (count - frequency + 0.5) / (frequency + 0.5)).ln();
        let shares = spread::shares(ways);
        let mass = if ways.use_of(Way::Coverage) { Cues::mass(term) } else { 0.0 };
        for run in runs {
            let tally = &mut self.sessions[run.session.index()];
            tally.passages += run.most * shares[(run.passages as usize).min(shares.len() - 1)];
            tally.mass += mass;
            if ways.use_of(Way::Session) {
                let found = run.found as f32;
                let length = state.session(run.session).terms as f32 / average;
                let saturated = found * (SESSION_K1 + 1.0)
                    / (found + SESSION_K1 * (1.0 - SESSION_B + SESSION_B * length));
                tally.score += term.weight * idf * saturated;
            }
        }
    }

    /// What is said of each session.
    pub(crate) fn sessions(&self) -> impl Iterator<Item = (SessionIx, Tally)> {
        (0..).map(SessionIx).zip(self.sessions.iter().copied())
    }

    /// What is said of a session.
    pub(crate) fn session(&self, ix: SessionIx) -> Tally {
        self.sessions[ix.index()]
    }

    /// An episode's best passage score.
    pub(crate) fn episode(&self, state: &State, ix: EpisodeIx) -> f32 {
        self.passages[state.passages_from(ix, ix)].iter().copied().fold(0.0, f32::max)
    }

    /// Appends the best passage score of each episode of a list. Returns how many times its score, or the sum of theirs,
    /// the mass of the terms of one or of several of them can come to.
    pub(crate) fn episodes(&self, state: &State, list: &[EpisodeIx], scores: &mut Vec<f32>) -> f32 {
        let ends = list.first().zip(list.last()).filter(|(first, last)| first <= last);
        if let Some((first, last)) = ends {
            // Most sessions were told in one go and in short turns: there the scores stand in a row.
            let passages = state.passages_from(*first, *last);
            if passages.len() == list.len() && (first.0..).zip(list).all(|(number, ix)| ix.0 == number) {
                scores.extend_from_slice(&self.passages[passages]);
                return self.mass;
            }
        }
        scores.extend(list.iter().map(|ix| self.episode(state, *ix)));
        let most = list.iter().map(|ix| state.passages_from(*ix, *ix).len()).max();
        self.mass * most.unwrap_or(1) as f32
    }

    /// The passage of an episode that scores best.
    pub(crate) fn best_passage(&self, state: &State, ix: EpisodeIx) -> u32 {
        let numbers = state.episode(ix).passage_numbers();
        let first = numbers.start;
        let score = |number: &u32| self.passages[*number as usize];
        // `max_by` takes the last of equals; the first is wanted.
        numbers.rev().max_by(|a, b| score(a).total_cmp(&score(b))).unwrap_or(first)
    }
}

/// Makes one run of those in one session, where sessions came back.
fn merge(runs: &mut Vec<Run>) {
    runs.sort_unstable_by_key(|run| run.session);
    runs.dedup_by(|next, run| {
        let same = next.session == run.session;
        if same {
            run.passages += next.passages;
            run.found += next.found;
            run.most = run.most.max(next.most);
        }
        same
    });
}

/// The mass of the question's terms that stand in the episode at a place of a session's `list` or near it, each
/// counted once.
pub(crate) fn coverage(state: &State, cues: &Cues, list: &[EpisodeIx], place: usize) -> f32 {
    let near = &list[place.saturating_sub(COVERAGE_REACH)..list.len().min(place + COVERAGE_REACH + 1)];
    let passages = near.iter().flat_map(|ix| state.episode(*ix).passage_numbers());
    let held: Vec<&[(TermId, u32)]> =
        passages.map(|passage| state.lexical().document_terms(passage)).collect();
    let stands = |term: &&QueryTerm| {
        held.iter().any(|terms| terms.binary_search_by_key(&term.term, |(term, _)| *term).is_ok())
    };
    cues.terms.iter().filter(stands).map(Cues::mass).fold(0.0, |sum, mass| sum + mass)
}
