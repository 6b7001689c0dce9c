//! By the graph: from the best passages over entities that the question does not itself name to passages that
//! explain more of it. Every step is kept, so that a hit can be told with the path that led to it.

use std::rc::Rc;

use lorebase_engine::graph::{EntityIx, EpisodeIx};
use lorebase_engine::index::lexical::TermId;
use lorebase_engine::state::State;
use lorebase_engine::text;
use rustc_hash::FxHashMap;

use crate::question::Cues;
use crate::rank::Ranked;
use crate::score::Scores;
use crate::weights::{
    BRIDGE_BEAM, BRIDGE_DAMPING, BRIDGE_DEGREE, BRIDGE_DOCUMENT, BRIDGE_HEADING, BRIDGE_HOPS, BRIDGE_LINK,
    BRIDGE_REST, BRIDGE_TURN,
};

/// One step of a walk: from an episode, over an entity that both name, to another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BridgeStep {
    /// Where it begins.
    pub from: EpisodeIx,
    /// What both name.
    pub over: EntityIx,
    /// Where it leads.
    pub to: EpisodeIx,
}

/// What the walk found of an episode: what is added to its score, and the steps that led there.
#[derive(Debug, Clone, Default)]
pub(crate) struct Bridged {
    pub(crate) bonus: f32,
    pub(crate) steps: Vec<BridgeStep>,
}

/// What a walk found, and how much work it was.
#[derive(Debug, Default)]
pub(crate) struct Walk {
    pub(crate) found: FxHashMap<EpisodeIx, Bridged>,
    /// Passages looked at.
    pub(crate) looked_at: usize,
}

/// A path under way.
#[derive(Debug, Clone)]
struct Way {
    score: f32,
    /// The passage it has come to.
    at: u32,
    /// Terms of the question that it has not explained yet: a bit each, by their place in the question.
    open: u64,
    /// What of the question's vector its passages leave, of length 1; `None` where vectors do not know meaning.
    rest: Option<Rc<[f32]>>,
    steps: Vec<BridgeStep>,
}

/// How like the rest of a question the episodes are that one way can lead to.
type Likeness = FxHashMap<u32, f32>;

struct Walker<'w> {
    state: &'w State,
    cues: &'w Cues,
    scores: &'w Scores<'w>,
    best: f32,
    total: f32,
}

/// Walks from the best episodes, of which `ranked` holds at least as many as are walked from.
pub(crate) fn walk(scores: &Scores<'_>, ranked: &[Ranked<EpisodeIx>]) -> Walk {
    let mut result = Walk::default();
    let total: f32 = scores.cues.terms.iter().map(Cues::mass).sum();
    let Some(first) = ranked.first().filter(|_| total > 0.0) else { return result };
    let walker = Walker { state: scores.state, cues: scores.cues, scores, best: first.score, total };
    let mut beam: Vec<Way> = ranked.iter().take(BRIDGE_BEAM).map(|seed| walker.begin(*seed)).collect();
    for _ in 0..BRIDGE_HOPS {
        let reached = walker.step(&beam, &mut result.looked_at);
        for way in &reached {
            walker.keep(way, &mut result.found);
        }
        beam = reached;
        beam.sort_by(|a, b| b.score.total_cmp(&a.score).then_with(|| a.at.cmp(&b.at)));
        beam.truncate(BRIDGE_BEAM);
        for way in &mut beam {
            way.rest = walker.without(way.rest.as_deref(), way.at);
        }
    }
    result
}

impl Walker<'_> {
    fn begin(&self, seed: Ranked<EpisodeIx>) -> Way {
        let at = self.scores.words.best_passage(self.state, seed.ix);
        let all = self.cues.terms.iter().take(64).enumerate().fold(0, |all, (place, _)| all | 1 << place);
        let open = all & !self.explains(at);
        let rest = self.without(self.scores.meaning, at);
        Way { score: seed.score / self.best, at, open, rest, steps: Vec::new() }
    }

    /// What a passage leaves of a question's vector: the part at right angles to its own.
    fn without(&self, question: Option<&[f32]>, passage: u32) -> Option<Rc<[f32]>> {
        let question = question?;
        let own = self.state.vectors().get(self.state.passages()[passage as usize].episode.0)?;
        let along: f32 = question.iter().zip(&own).map(|(a, b)| a * b).sum();
        let rest = || question.iter().zip(&own).map(|(a, b)| a - along * b);
        let length = rest().map(|x| x * x).sum::<f32>().sqrt();
        (length > 0.0).then(|| rest().map(|x| x / length).collect())
    }

    /// How like the rest of the question each episode is that a way can lead to, over entities as given.
    fn likeness(&self, way: &Way, over: &[(EntityIx, f32)]) -> Likeness {
        let Some(rest) = &way.rest else { return Likeness::default() };
        let mut nodes: Vec<u32> =
            over.iter().flat_map(|(entity, _)| self.state.mentioning(*entity)).map(|ix| ix.0).collect();
        nodes.sort_unstable();
        nodes.dedup();
        self.state.vectors().search_among(rest, nodes.len(), nodes).into_iter().collect()
    }

    /// Which of the question's terms the passage has, a bit each.
    fn explains(&self, passage: u32) -> u64 {
        let terms = self.state.lexical().document_terms(passage);
        let has = |term: TermId| terms.binary_search_by_key(&term, |(term, _)| *term).is_ok();
        let held = self.cues.terms.iter().take(64).enumerate().filter(|(_, term)| has(term.term));
        held.fold(0, |bits, (place, _)| bits | 1 << place)
    }

    fn mass(&self, bits: u64) -> f32 {
        let terms = self.cues.terms.iter().take(64).enumerate();
        terms.filter(|(place, _)| bits & (1 << place) != 0).map(|(_, term)| Cues::mass(term)).sum()
    }

    /// One step on from each way of the beam; of the ways to one passage the best.
    fn step(&self, beam: &[Way], looked_at: &mut usize) -> Vec<Way> {
        let mut reached: FxHashMap<u32, Way> = FxHashMap::default();
        for way in beam {
            let entities = &self.state.passages()[way.at as usize].entities;
            let over = entities.iter().filter_map(|entity| Some((*entity, self.damping(*entity)?)));
            let over: Vec<(EntityIx, f32)> = over.collect();
            let likeness = self.likeness(way, &over);
            for bridge in over {
                *looked_at += self.step_over(way, bridge, &likeness, &mut reached);
            }
        }
        let mut reached: Vec<Way> = reached.into_values().collect();
        reached.sort_by_key(|way| way.at);
        reached
    }

    /// How much steps over an entity are damped; `None` where it is no bridge.
    fn damping(&self, ix: EntityIx) -> Option<f32> {
        let degree = self.state.entity(ix).mentioned_in();
        if !(2..=BRIDGE_DEGREE).contains(&degree) {
            return None;
        }
        let known = |name: &str| self.state.speaker_called(name).is_some() || self.named_in_question(name);
        if self.state.folded_names(ix).into_iter().any(known) {
            return None;
        }
        Some((degree as f32).powf(-BRIDGE_DAMPING))
    }

    fn named_in_question(&self, name: &str) -> bool {
        let stems = text::Stems::default();
        let mut all = true;
        text::for_each_word(name, |word| all &= self.cues.stems.contains(stems.stem(word).as_ref()));
        all
    }

    fn step_over(
        &self,
        way: &Way,
        (entity, damping): (EntityIx, f32),
        likeness: &Likeness,
        reached: &mut FxHashMap<u32, Way>,
    ) -> usize {
        let from = self.state.passages()[way.at as usize].episode;
        let mut looked_at = 0;
        for to in self.state.mentioning(entity) {
            let been_there = to == from || way.steps.iter().any(|step| step.from == to);
            if been_there || !self.scores.findable(to) {
                continue;
            }
            let alike = BRIDGE_REST * likeness.get(&to.0).copied().unwrap_or(0.0).max(0.0);
            for passage in self.state.episode(to).passage_numbers() {
                if self.state.passages()[passage as usize].entities.binary_search(&entity).is_err() {
                    continue;
                }
                looked_at += 1;
                let new = way.open & self.explains(passage);
                let heading = if self.heads(entity, to) { BRIDGE_HEADING } else { 1.0 };
                let more = self.mass(new) / self.total + alike + BRIDGE_LINK;
                let score = way.score * damping * more * heading;
                if reached.get(&passage).is_none_or(|known| score > known.score) {
                    let steps = [way.steps.as_slice(), &[BridgeStep { from, over: entity, to }]].concat();
                    let (open, rest) = (way.open & !new, way.rest.clone());
                    reached.insert(passage, Way { score, at: passage, open, rest, steps });
                }
            }
        }
        looked_at
    }

    /// Whether the entity is the heading of the document.
    fn heads(&self, entity: EntityIx, document: EpisodeIx) -> bool {
        let names = self.state.is_document(document).then(|| self.state.folded_names(entity));
        let mut names = names.into_iter().flatten();
        names.any(|name| self.state.headed(&text::join_words(name)).contains(&document))
    }

    fn keep(&self, way: &Way, found: &mut FxHashMap<EpisodeIx, Bridged>) {
        let ix = self.state.passages()[way.at as usize].episode;
        let weight = if self.state.is_document(ix) { BRIDGE_DOCUMENT } else { BRIDGE_TURN };
        let bonus = weight * way.score * self.best;
        let known = found.entry(ix).or_default();
        if bonus > known.bonus {
            *known = Bridged { bonus, steps: way.steps.clone() };
        }
    }
}
