//! Recall: the order of the steps from a question to ranked episodes, each with the parts of its score and
//! the path that led to it.

use lorebase_engine::embed::Understanding;
use lorebase_engine::engine::Reader;
use lorebase_engine::graph::EpisodeIx;
use lorebase_engine::state::State;
use rustc_hash::{FxHashMap, FxHashSet};

pub use crate::retrieve::bridge::BridgeStep;
pub use crate::retrieve::facts::FactStep;
pub use crate::retrieve::timeline::Horizon;

use crate::copies::{self, SPARE};
use crate::fade;
use crate::order::{self, Features};
use crate::question::{Cues, Question};
use crate::rank::{Best, Ranked};
use crate::rerank;
use crate::retrieve::bridge::{self, Walk};
use crate::retrieve::facts::{self, Routes};
use crate::score::Scores;
use crate::updates;
use crate::ways::{Way, Ways};
use crate::weights::BRIDGE_BEAM;

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
    /// What told of it when it was brought into the learnt order; nothing where it was not.
    pub(crate) numbers: Option<Box<Features>>,
}

impl Hit {
    /// The numbers by which it was brought into the learnt order, or would be; none for a document.
    pub fn numbers(&self) -> Option<&Features> {
        self.numbers.as_deref()
    }
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

/// The parts of a score: (((lexical + neighbours + session + coverage) × speaker × timeline × recency +
/// vector + bridge + facts) × copy + order + rerank) × fade + update.
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
    /// Factor: it says what a better hit does.
    pub copy: f32,
    /// What the learnt order adds or takes away: it gets the score of the place that it goes to.
    pub order: f32,
    /// What a model that looked at it again adds.
    pub rerank: f32,
    /// Factor: how much of it is left, where hits fade.
    pub fade: f32,
    /// What puts it above a better hit that says what it supersedes.
    pub update: f32,
}

/// How much work a recall was: counts that do not depend on the machine.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Trace {
    /// Terms of the question that the memory knows.
    pub terms: usize,
    /// Episodes of which the score was worked out, part by part: the others could not be among the best.
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
    /// What may be found, where the question leaves out what came later; `None` for everything.
    pub horizon: Option<Horizon>,
}

/// A question as a model sees it.
#[derive(Debug, Clone, Copy)]
pub struct QuestionVector<'v> {
    /// Its vector, by the model that made the namespace's vectors.
    pub vector: &'v [f32],
    /// What that model tells where texts are alike.
    pub understanding: Understanding,
}

/// What is passed over on the way to an answer.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Shortcuts {
    /// Episodes that cannot be among the best.
    pub(crate) episodes: bool,
    /// Routes over facts that could add next to nothing.
    pub(crate) routes: bool,
}

/// Ranks the episodes of a namespace by how well they answer: as many as are wanted, and where they are to be
/// looked at again ([`rerank::look_again`], [`updates::put_current_first`]), as many as that needs. `vector`
/// is the question's vector by the model that made the namespace's vectors; without one, vectors are left
/// out.
pub fn recall(reader: &Reader, question: &Question<'_>, vector: Option<QuestionVector<'_>>) -> Recall {
    answer(reader.state(), question, vector, Shortcuts { episodes: true, routes: true })
}

/// The same with every episode scored and every route over facts followed: slow, and what [`recall`] is
/// measured against.
pub fn recall_exhaustively(
    reader: &Reader,
    question: &Question<'_>,
    vector: Option<QuestionVector<'_>>,
) -> Recall {
    answer(reader.state(), question, vector, Shortcuts { episodes: false, routes: false })
}

pub(crate) fn answer(
    state: &State,
    question: &Question<'_>,
    vector: Option<QuestionVector<'_>>,
    shortcuts: Shortcuts,
) -> Recall {
    let horizon = Horizon::of(state, question);
    let cues = Cues::read(state, question, horizon.as_ref());
    let vector = vector.filter(|_| question.ways.use_of(Way::Vector));
    let sentences = vector.is_some_and(|asked| asked.understanding == Understanding::Sentences);
    let mut scores = Scores::of(state, &cues, question, horizon.as_ref(), sentences);
    let limit = rerank::wanted(question.limit, question.rerank.as_ref())
        .max(updates::wanted(question))
        .max(fade::wanted(question.fade.as_ref()));
    let found = limit.max(order::wanted(question.ways));
    // Copies are known by the vectors of sentence encoders; others take no account of order or of "not".
    let tells_copies = sentences && question.ways.use_of(Way::Copies);
    let looked_for = found + if tells_copies { SPARE } else { 0 };
    let most = looked_for.max(BRIDGE_BEAM);
    let best = scores.best(most, shortcuts);
    let best = match vector {
        Some(asked) => scores.with_vectors(asked, best, most, shortcuts),
        None => best,
    };
    let walks = Walks::from(&scores, &best, question.ways, shortcuts);
    let mut ranked = walks.rank(&scores, best, looked_for, shortcuts);
    let copies = if tells_copies { copies::lower(state, &mut ranked) } else { FxHashMap::default() };
    ranked.truncate(found);
    let hit = |ranked: Ranked<EpisodeIx>| {
        walks.hit(&scores, ranked, copies.get(&ranked.ix).copied().unwrap_or(1.0))
    };
    let mut hits: Vec<Hit> = ranked.into_iter().map(hit).collect();
    if question.ways.use_of(Way::Order) {
        order::put_in_order(state, &cues, vector, &mut hits);
    }
    hits.truncate(limit);
    let trace = Trace {
        terms: cues.terms.len(),
        candidates: scores.worked_out(),
        walked: walks.bridge.looked_at + walks.routes.looked_at,
    };
    Recall { hits, trace, horizon }
}

/// What both walks through the graph found. Both begin from the same scores.
#[derive(Default)]
struct Walks {
    bridge: Walk,
    routes: Routes,
}

impl Walks {
    fn from(scores: &Scores<'_>, best: &[Ranked<EpisodeIx>], ways: Ways, shortcuts: Shortcuts) -> Self {
        let mut walks = Self::default();
        if ways.use_of(Way::Bridge) {
            walks.bridge = bridge::walk(scores, best);
        }
        if ways.use_of(Way::Facts) {
            walks.routes = facts::walk(scores, best.first().map_or(0.0, |best| best.score), shortcuts);
        }
        walks
    }

    /// What the walks add to the score of an episode: the one over shared entities, and routes over facts.
    fn added(&self, state: &State, ix: EpisodeIx) -> (f32, f32) {
        (self.bridge.found.get(&ix).map_or(0.0, |found| found.bonus), self.routes.bonus(state, ix))
    }

    /// The best episodes with what the walks add. `best` holds at least as many by score alone: every other
    /// episode scores no more than the last of these, and has to be led to by a walk to come in.
    fn rank(
        &self,
        scores: &Scores<'_>,
        best: Vec<Ranked<EpisodeIx>>,
        limit: usize,
        shortcuts: Shortcuts,
    ) -> Vec<Ranked<EpisodeIx>> {
        let full = best.len() >= limit.max(BRIDGE_BEAM);
        let rest = best.last().filter(|_| full).map_or(0.0, |last| last.score);
        let (mut ranking, mut seen) = (Best::new(limit), FxHashSet::default());
        let offer = |ix: EpisodeIx, score: f32, ranking: &mut Best<EpisodeIx>| {
            let (bridge, facts) = self.added(scores.state, ix);
            ranking.offer(Ranked { ix, score: score + bridge + facts });
        };
        if !shortcuts.episodes {
            scores.everything().for_each(|ix| offer(ix, scores.total(ix), &mut ranking));
            return ranking.into_sorted();
        }
        for ranked in best {
            seen.insert(ranked.ix);
            offer(ranked.ix, ranked.score, &mut ranking);
        }
        for &ix in self.bridge.found.keys().filter(|ix| scores.findable(**ix)) {
            if seen.insert(ix) {
                offer(ix, scores.total(ix), &mut ranking);
            }
        }
        for (bonus, fact) in self.routes.by_bonus() {
            if !ranking.admits(rest + bonus) {
                break;
            }
            for ix in scores.state.fact(fact).support().iter().map(|support| support.episode) {
                let promising = ranking.admits(scores.most(ix) + bonus) && scores.findable(ix);
                if promising && seen.insert(ix) {
                    offer(ix, scores.total(ix), &mut ranking);
                }
            }
        }
        ranking.into_sorted()
    }

    /// An episode with how it was found.
    fn hit(&self, scores: &Scores<'_>, Ranked { score, ix }: Ranked<EpisodeIx>, copy: f32) -> Hit {
        let (bridge, facts) = self.added(scores.state, ix);
        let routed = self.routes.to(scores.state, ix).filter(|_| facts >= bridge).map(Path::Facts);
        let bridged = || self.bridge.found.get(&ix).map(|found| Path::Bridge(found.steps.clone()));
        let path = routed.or_else(bridged).unwrap_or(Path::None);
        let parts = Parts { bridge, facts, copy, ..scores.parts(ix) };
        Hit { episode: ix, score, parts, path, numbers: None }
    }
}
