//! Recall: the order of the steps from a question to ranked episodes, each with the parts of its score and the
//! path that led to it.

use lorebase_engine::engine::Reader;
use lorebase_engine::graph::EpisodeIx;
use lorebase_engine::model::time::Timestamp;
use lorebase_engine::state::State;

pub use crate::retrieve::bridge::BridgeStep;
pub use crate::retrieve::facts::FactStep;

use crate::question::{Cues, LIMIT_MAX, Question};
use crate::retrieve::bridge::{self, Walk};
use crate::retrieve::facts::{self, Routes};
use crate::retrieve::{lexical, timeline, vector};
use crate::spread;
use crate::ways::Way;
use crate::weights::{COVERAGE, SESSION, SUBJECT, TIMELINE};

/// An episode that was found.
#[derive(Debug, Clone)]
pub struct Hit {
    /// Which.
    pub episode: EpisodeIx,
    /// Its score; comparable within one recall only.
    pub score: f32,
    /// How the score came about.
    pub parts: Parts,
    /// The steps that led to it, where a walk through the graph did.
    pub path: Path,
}

/// How a walk through the graph came to an episode.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Path {
    /// None did.
    None,
    /// From episode to episode over entities that both name.
    Bridge(Vec<BridgeStep>),
    /// From an entity that the question names over facts; the episode states one of them.
    Facts(Vec<FactStep>),
}

/// The parts of a score: (lexical + neighbours + session + coverage) × speaker × timeline × recency + vector +
/// bridge + facts.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Parts {
    /// BM25 of the episode's best passage.
    pub lexical: f32,
    /// What its neighbours in the session add.
    pub neighbours: f32,
    /// What its session adds.
    pub session: f32,
    /// What the question's terms near it add.
    pub coverage: f32,
    /// Factor: the question names its speaker or heading.
    pub speaker: f32,
    /// Factor: the question names its time.
    pub timeline: f32,
    /// Factor: how new it was when the question was asked.
    pub recency: f32,
    /// What its vector's likeness adds.
    pub vector: f32,
    /// What the walk over shared entities adds.
    pub bridge: f32,
    /// What routes over facts add.
    pub facts: f32,
}

/// How much work a recall was: counts that do not depend on the machine.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Trace {
    /// Terms of the question that the memory knows.
    pub terms: usize,
    /// Episodes with a score.
    pub candidates: usize,
    /// Passages and facts that the walks looked at.
    pub walked: usize,
}

/// What a recall found.
#[derive(Debug, Clone, Default)]
pub struct Recall {
    /// The hits, best first.
    pub hits: Vec<Hit>,
    /// How much work it was.
    pub trace: Trace,
    /// Which episodes may be found, by their numbers, where the question leaves out what came later; `None` for all.
    pub findable: Option<Vec<bool>>,
}

/// The scores of all episodes, part by part.
struct Scores {
    lexical: Vec<f32>,
    neighbours: Vec<f32>,
    sessions: Vec<f32>,
    coverage: Vec<f32>,
    speaker: Vec<f32>,
    /// Empty where the question names no time.
    timeline: Vec<f32>,
    /// By session; 0 for what may not be found.
    recency: Option<Vec<f32>>,
    as_of: Option<Timestamp>,
}

/// Ranks the episodes of a namespace by how well they answer. `vector` is the question's vector by the model
/// that made the namespace's vectors; without one, vectors are left out.
pub fn recall(reader: &Reader, question: &Question<'_>, vector: Option<&[f32]>) -> Recall {
    let state = reader.state();
    if state.episodes().is_empty() {
        return Recall::default();
    }
    let ages = timeline::ages(state, question);
    let cues = Cues::read(state, question, ages.as_deref());
    let passages = lexical::passages(state, &cues);
    let scores = Scores::of(state, &cues, question, &passages, ages);
    let mut totals: Vec<f32> =
        (0..state.episodes().len() as u32).map(|n| scores.total(state, EpisodeIx(n))).collect();
    let findable = scores.recency.is_some().then(|| totals.iter().map(|total| *total >= 0.0).collect());
    let vectors = add_vectors(state, &cues, question, vector, &mut totals);
    let walks = Walks::from(state, &cues, question, &totals, &passages);
    walks.add_to(&mut totals);
    let trace = Trace {
        terms: cues.terms.len(),
        candidates: totals.iter().filter(|total| **total > 0.0).count(),
        walked: walks.bridge.looked_at + walks.routes.looked_at,
    };
    let best = bridge::best_of(&totals, question.limit.min(LIMIT_MAX));
    let hit = |ix: EpisodeIx| {
        let (path, bridge, facts) = walks.to(ix);
        let vector = vectors.iter().find(|(found, _)| *found == ix).map_or(0.0, |(_, added)| *added);
        let parts = Parts { vector, bridge, facts, ..scores.parts(state, ix) };
        Hit { episode: ix, score: totals[ix.index()], parts, path }
    };
    Recall { hits: best.into_iter().map(hit).collect(), trace, findable }
}

/// What both walks through the graph found. Both begin from the same scores.
#[derive(Default)]
struct Walks {
    bridge: Walk,
    routes: Routes,
}

impl Walks {
    fn from(state: &State, cues: &Cues, question: &Question<'_>, totals: &[f32], passages: &[f32]) -> Self {
        let mut walks = Self::default();
        if question.ways.use_of(Way::Bridge) {
            walks.bridge = bridge::walk(state, cues, totals, passages);
        }
        if question.ways.use_of(Way::Facts) {
            let cut = question.as_of.is_some() || question.before_session.is_some();
            walks.routes = facts::walk(state, cues, totals, cut);
        }
        walks
    }

    fn add_to(&self, totals: &mut [f32]) {
        for (ix, bridged) in &self.bridge.found {
            totals[ix.index()] += bridged.bonus;
        }
        for (ix, routed) in &self.routes.found {
            totals[ix.index()] += routed.bonus;
        }
    }

    /// The path to an episode by the walk that says more for it, and what each walk adds.
    fn to(&self, ix: EpisodeIx) -> (Path, f32, f32) {
        let (bridged, routed) = (self.bridge.found.get(&ix), self.routes.found.get(&ix));
        let (bridge, facts) =
            (bridged.map_or(0.0, |found| found.bonus), routed.map_or(0.0, |found| found.bonus));
        let path = match (bridged, routed) {
            (_, Some(found)) if facts >= bridge => Path::Facts(found.steps.clone()),
            (Some(found), _) => Path::Bridge(found.steps.clone()),
            _ => Path::None,
        };
        (path, bridge, facts)
    }
}

impl Scores {
    fn of(
        state: &State,
        cues: &Cues,
        question: &Question<'_>,
        passages: &[f32],
        mut recency: Option<Vec<f32>>,
    ) -> Self {
        let ways = question.ways;
        let lexical = lexical::episodes(state, passages);
        let neighbours = spread::neighbours(state, &lexical, ways);
        let none = |length| vec![0.0; length];
        let sessions = if ways.use_of(Way::Session) {
            lexical::sessions(state, cues)
        } else {
            none(state.sessions().len())
        };
        let coverage =
            if ways.use_of(Way::Coverage) { lexical::coverage(state, cues) } else { none(lexical.len()) };
        let factor = |episode| {
            if timeline::dated_in(state, episode, &cues.intervals) { 1.0 + TIMELINE } else { 1.0 }
        };
        let dated = ways.use_of(Way::Timeline) && !cues.intervals.is_empty();
        if !ways.use_of(Way::Recency) {
            recency.iter_mut().flatten().for_each(|factor| *factor = factor.min(1.0));
        }
        Self {
            neighbours,
            sessions,
            coverage,
            speaker: if ways.use_of(Way::Speaker) { subjects(state, cues) } else { vec![1.0; lexical.len()] },
            timeline: if dated { state.episodes().iter().map(factor).collect() } else { Vec::new() },
            recency,
            as_of: question.as_of,
            lexical,
        }
    }

    /// The parts that come before vectors and walks.
    fn parts(&self, state: &State, ix: EpisodeIx) -> Parts {
        let session = state.episode(ix).session.index();
        Parts {
            lexical: self.lexical[ix.index()],
            neighbours: self.neighbours[ix.index()],
            session: SESSION * self.sessions[session],
            coverage: COVERAGE * self.coverage[ix.index()],
            speaker: self.speaker[ix.index()],
            timeline: self.timeline.get(ix.index()).copied().unwrap_or(1.0),
            recency: self.recency.as_ref().map_or(1.0, |factors| factors[session]),
            vector: 0.0,
            bridge: 0.0,
            facts: 0.0,
        }
    }

    /// The score before vectors and walk; -1 for what may not be found.
    fn total(&self, state: &State, ix: EpisodeIx) -> f32 {
        let parts = self.parts(state, ix);
        let said = state.episode(ix).occurred_at.map(|at| at.instant);
        let later = matches!((said, self.as_of), (Some(said), Some(as_of)) if said > as_of);
        if parts.recency == 0.0 || later {
            return -1.0;
        }
        let sum = parts.lexical + parts.neighbours + parts.session + parts.coverage;
        sum * parts.speaker * parts.timeline * parts.recency
    }
}

/// The factor of every episode for the speaker or the document that the question names.
fn subjects(state: &State, cues: &Cues) -> Vec<f32> {
    let spoken = |speaker| cues.speaker.is_some() && speaker == cues.speaker;
    let factor =
        |episode: &lorebase_engine::state::EpisodeNode| if spoken(episode.speaker) { SUBJECT } else { 1.0 };
    let mut factors: Vec<f32> = state.episodes().iter().map(factor).collect();
    for heading in &cues.headings {
        for ix in state.headed(heading).iter().filter(|ix| state.is_document(**ix)) {
            factors[ix.index()] = SUBJECT;
        }
    }
    factors
}

/// Adds what the nearest vectors say, where the memory knows none of the question's words. Returns what was added.
///
/// With the built-in embedder that is all that vectors are worth: it knows spelling, not meaning, and beside words
/// it was measured to take away more than it gives (`docs/quality.md`).
fn add_vectors(
    state: &State,
    cues: &Cues,
    question: &Question<'_>,
    vector: Option<&[f32]>,
    totals: &mut [f32],
) -> Vec<(EpisodeIx, f32)> {
    let Some(vector) = vector.filter(|_| question.ways.use_of(Way::Vector) && cues.terms.is_empty()) else {
        return Vec::new();
    };
    let mut added = vector::nearest(state, vector);
    added.retain(|(ix, _)| totals[ix.index()] >= 0.0);
    for (ix, likeness) in &added {
        totals[ix.index()] += likeness;
    }
    added
}
