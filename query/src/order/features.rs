//! What tells of a hit whether it answers, beside its score, by its place among the numbers: the trees of `query/data/` were
//! learnt on these.

use lorebase_engine::graph::{EpisodeIx, SessionIx};
use lorebase_engine::index::dot;
use lorebase_engine::index::lexical::TermId;
use lorebase_engine::state::State;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::question::Cues;
use crate::recall::Hit;
use crate::spread;

/// How many numbers tell of a hit.
pub const FEATURES: usize = 36;

/// The numbers of a hit. Scores and their parts are shares of the best score, masses shares of the question's.
pub type Features = [f32; FEATURES];

/// Its place, as a logarithm.
const RANK: usize = 0;
pub(super) const SCORE: usize = 1;
const LEXICAL: usize = 2;
const SESSION: usize = 3;
const COVERAGE: usize = 4;
const RECENCY: usize = 5;
const VECTOR: usize = 6;
const BRIDGE: usize = 7;
/// Its words, as indexed.
const LENGTH: usize = 8;
const ASKS: usize = 9;
/// Whether somebody else asks something right before.
const REPLIES: usize = 10;
/// Better hits of its session, and all of them.
const SESSION_BETTER: usize = 11;
const SESSION_HITS: usize = 12;
/// How far it stands below the hit before.
const GAP: usize = 13;
/// Of the turns next to it, and of those behind these, how many are among the first hits.
const BESIDE: usize = 14;
const NEAR: usize = 15;
/// Facts that it states.
const FACTS: usize = 16;
/// Content words of the question.
const ASKED: usize = 17;
/// 1 where the one speaks whom the question names, -1 where somebody else does, 0 where it names none.
const WHOSE: usize = 18;
/// The mass of the question's terms that stand in it, in the turn before, in the one after, and in it or the one before.
const HELD: usize = 19;
const HELD_BEFORE: usize = 20;
const HELD_AFTER: usize = 21;
const HELD_TOGETHER: usize = 22;
/// The mass of the rarest of those in it, and how many they are.
const RAREST: usize = 23;
const MET: usize = 24;
/// How like it is to what the best hits have in common, and to the one of the better hits that is most like it.
const LIKE_BEST: usize = 25;
const LIKE_BETTER: usize = 26;
/// How like the question it is, and the turns before and after.
const LIKE: usize = 27;
const LIKE_BEFORE: usize = 28;
const LIKE_AFTER: usize = 29;
/// Its place in its session, as a share.
const PLACE: usize = 30;
/// How often it names what the question names.
const NAMED: usize = 31;
/// The score of the last hit.
const LAST: usize = 32;
/// The best score against the mass of the question's terms.
const TOP: usize = 33;
/// In how many of the first hits its words stand on average.
const COMMON: usize = 34;
/// What those of its words are worth that the question does not have.
const NEW: usize = 35;

/// Among so many of the first hits others are sought.
const FIRST: usize = 10;
/// So many of the first hits tell what the best have in common.
const BEST: usize = 5;
/// With so many of the better hits one is compared.
const COMPARED: usize = 30;

/// The numbers of hits, in their order. `asked` is the question's vector, where vectors know words.
pub(super) fn features(state: &State, cues: &Cues, asked: Option<&[f32]>, hits: &[Hit]) -> Vec<Features> {
    let mut list = List::of(state, cues, asked, hits);
    (0..hits.len()).map(|place| list.features(place)).collect()
}

/// What is known of all hits together.
struct List<'l> {
    state: &'l State,
    cues: &'l Cues,
    hits: &'l [Hit],
    /// The best score, and the mass of the question's terms.
    top: f32,
    mass: f32,
    /// How like the question the hits and the turns beside them are; empty where vectors do not count.
    likeness: FxHashMap<EpisodeIx, f32>,
    /// The vectors of the hits, and the direction of the best of them together.
    vectors: Vec<Option<Vec<f32>>>,
    best: Vec<f32>,
    first: FxHashSet<EpisodeIx>,
    /// In how many of the first hits a term stands.
    common: FxHashMap<TermId, f32>,
    /// How many hits each session has, and how many of those were come by already.
    sessions: FxHashMap<SessionIx, [f32; 2]>,
}

impl<'l> List<'l> {
    fn of(state: &'l State, cues: &'l Cues, asked: Option<&'l [f32]>, hits: &'l [Hit]) -> Self {
        let vector = |hit: &Hit| asked.and_then(|_| state.vectors().get(hit.episode.0));
        let vectors: Vec<Option<Vec<f32>>> = hits.iter().map(vector).collect();
        let first = &hits[..FIRST.min(hits.len())];
        let mut common = FxHashMap::default();
        for term in first.iter().flat_map(|hit| terms(state, hit.episode)) {
            *common.entry(term).or_default() += 1.0;
        }
        let mut sessions: FxHashMap<SessionIx, [f32; 2]> = FxHashMap::default();
        for hit in hits {
            sessions.entry(state.session_with(hit.episode)).or_default()[0] += 1.0;
        }
        Self {
            state,
            cues,
            hits,
            likeness: asked.map(|asked| likeness(state, asked, hits)).unwrap_or_default(),
            top: hits.first().map_or(1.0, |hit| hit.score).max(f32::MIN_POSITIVE),
            mass: cues.terms.iter().map(Cues::mass).sum::<f32>().max(f32::MIN_POSITIVE),
            best: direction(&vectors[..BEST.min(vectors.len())]),
            vectors,
            first: first.iter().map(|hit| hit.episode).collect(),
            common,
            sessions,
        }
    }

    /// The numbers of the hit at a place; asked for from the first to the last.
    fn features(&mut self, place: usize) -> Features {
        let mut numbers = [0.0; FEATURES];
        self.scored(place, &mut numbers);
        self.placed(place, &mut numbers);
        self.worded(place, &mut numbers);
        self.likened(place, &mut numbers);
        numbers
    }

    /// What its score tells.
    fn scored(&self, place: usize, numbers: &mut Features) {
        let Hit { score, parts, .. } = &self.hits[place];
        let before = place.checked_sub(1).map_or(*score, |before| self.hits[before].score);
        numbers[RANK] = ((place + 1) as f32).ln();
        numbers[SCORE] = score / self.top;
        numbers[LEXICAL] = parts.lexical / self.top;
        numbers[SESSION] = parts.session / self.top;
        numbers[COVERAGE] = parts.coverage / self.top;
        numbers[RECENCY] = parts.recency;
        numbers[VECTOR] = parts.vector / self.top;
        numbers[BRIDGE] = parts.bridge / self.top;
        numbers[GAP] = (before - score) / self.top;
        numbers[LAST] = self.hits.last().map_or(0.0, |last| last.score) / self.top;
        numbers[TOP] = self.top / self.mass;
    }

    /// What the place where it was said tells.
    fn placed(&mut self, place: usize, numbers: &mut Features) {
        let (state, ix) = (self.state, self.hits[place].episode);
        let (episode, session) = (state.episode(ix), state.session_with(ix));
        let list = &state.session(session).episodes;
        let at = state.place(ix);
        let [hits, come_by] = self.sessions.entry(session).or_default();
        numbers[SESSION_HITS] = *hits;
        numbers[SESSION_BETTER] = *come_by;
        *come_by += 1.0;
        numbers[ASKS] = of(episode.asks);
        numbers[REPLIES] = of(spread::answered(state, list, at).is_some());
        numbers[PLACE] = at as f32 / list.len() as f32;
        for (number, distance) in [(BESIDE, 1), (NEAR, 2)] {
            let found = |at: Option<usize>| turn(list, at).is_some_and(|ix| self.first.contains(&ix));
            numbers[number] = of(found(at.checked_sub(distance))) + of(found(Some(at + distance)));
        }
        let theirs = |speaker| if state.is_said_by(ix, speaker) { 1.0 } else { -1.0 };
        numbers[WHOSE] = self.cues.speaker.map_or(0.0, theirs);
        numbers[FACTS] = episode.facts().len() as f32;
        let named = |entity| self.cues.named.iter().any(|(named, _)| *named == entity);
        numbers[NAMED] = episode.mentions().iter().filter(|mention| named(mention.entity)).count() as f32;
    }

    /// What its words and those of the turns beside it tell.
    fn worded(&self, place: usize, numbers: &mut Features) {
        let (state, ix) = (self.state, self.hits[place].episode);
        let (own, [before, after]) = (terms(state, ix), beside(state, ix));
        let [before, after] = [before, after].map(|ix| ix.map(|ix| terms(state, ix)).unwrap_or_default());
        let lengths = state.episode(ix).passage_numbers().filter_map(|number| state.lexical().length(number));
        numbers[LENGTH] = lengths.sum::<u32>() as f32;
        numbers[ASKED] = self.cues.content.len() as f32;
        for term in &self.cues.terms {
            let share = Cues::mass(term) / self.mass;
            let [own, before, after] = [&own, &before, &after].map(|terms| terms.contains(&term.term));
            numbers[HELD] += share * of(own);
            numbers[HELD_BEFORE] += share * of(before);
            numbers[HELD_AFTER] += share * of(after);
            numbers[HELD_TOGETHER] += share * of(own || before);
            numbers[RAREST] = numbers[RAREST].max(share * of(own));
            numbers[MET] += of(own);
        }
        // In order of their numbers: sums of reals depend on it.
        let mut own: Vec<TermId> = own.into_iter().collect();
        own.sort_unstable();
        for term in &own {
            numbers[COMMON] += self.common.get(term).copied().unwrap_or(0.0) / own.len() as f32;
            let asked = self.cues.terms.iter().any(|asked| asked.term == *term);
            numbers[NEW] += if asked { 0.0 } else { state.lexical().idf(*term) };
        }
    }

    /// What its vector and those of the turns beside it tell.
    fn likened(&self, place: usize, numbers: &mut Features) {
        let Some(own) = &self.vectors[place] else { return };
        let better = self.vectors[..place.min(COMPARED)].iter().flatten();
        numbers[LIKE_BEST] = dot(&self.best, own);
        numbers[LIKE_BETTER] = better.map(|other| dot(other, own)).fold(0.0, f32::max);
        let ix = self.hits[place].episode;
        let [before, after] = beside(self.state, ix);
        for (number, ix) in [(LIKE, Some(ix)), (LIKE_BEFORE, before), (LIKE_AFTER, after)] {
            numbers[number] = ix.and_then(|ix| self.likeness.get(&ix)).copied().unwrap_or(0.0);
        }
    }
}

/// How like the question hits are, and the turns beside them.
fn likeness(state: &State, asked: &[f32], hits: &[Hit]) -> FxHashMap<EpisodeIx, f32> {
    let near =
        |hit: &Hit| std::iter::once(hit.episode).chain(beside(state, hit.episode).into_iter().flatten());
    let all: FxHashSet<u32> = hits.iter().flat_map(near).map(|ix| ix.0).collect();
    let most = all.len();
    state
        .vectors()
        .search_among(asked, most, all)
        .into_iter()
        .map(|(ix, like)| (EpisodeIx(ix), like))
        .collect()
}

/// The turns before and after one in its session.
fn beside(state: &State, ix: EpisodeIx) -> [Option<EpisodeIx>; 2] {
    let list = &state.session(state.session_with(ix)).episodes;
    let at = state.place(ix);
    [at.checked_sub(1), Some(at + 1)].map(|at| turn(list, at))
}

/// The turn at a place of a session's list.
fn turn(list: &[EpisodeIx], at: Option<usize>) -> Option<EpisodeIx> {
    list.get(at?).copied()
}

/// Each term of a turn.
fn terms(state: &State, ix: EpisodeIx) -> FxHashSet<TermId> {
    let passages = state.episode(ix).passage_numbers();
    passages.flat_map(|number| state.lexical().document_terms(number).iter().map(|(term, _)| *term)).collect()
}

/// 1 for what is so.
fn of(is_so: bool) -> f32 {
    f32::from(u8::from(is_so))
}

/// The direction of the sum of vectors; nothing where there are none.
fn direction(vectors: &[Option<Vec<f32>>]) -> Vec<f32> {
    let mut sum: Vec<f32> = Vec::new();
    for vector in vectors.iter().flatten() {
        sum.resize(vector.len(), 0.0);
        for (sum, number) in sum.iter_mut().zip(vector) {
            *sum += number;
        }
    }
    let length = dot(&sum, &sum).sqrt().max(f32::MIN_POSITIVE);
    sum.into_iter().map(|number| number / length).collect()
}
