//! The score of an episode before the walks: its parts, worked out for those episodes alone that can be among
//! the best. What no episode of a session can exceed is known from the session, so most sessions are passed
//! over whole.

use std::cell::Cell;

use lorebase_engine::embed::Understanding;
use lorebase_engine::graph::{EpisodeIx, SessionIx};
use lorebase_engine::model::time::Timestamp;
use lorebase_engine::state::{EpisodeNode, State};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::question::{Cues, Question};
use crate::rank::{Best, Ranked};
use crate::recall::{Parts, QuestionVector, Shortcuts};
use crate::retrieve::lexical::{self, Words};
use crate::retrieve::timeline::{self, Horizon};
use crate::retrieve::vector;
use crate::spread::{self, REACH};
use crate::ways::{Way, Ways};
use crate::weights::{COVERAGE, COVERAGE_REACH, RECENCY, SESSION, SUBJECT, TIMELINE};

/// Sessions that are looked at before any is passed over: those that promise most. Tests have few sessions.
const FIRST_SESSIONS: usize = if cfg!(test) { 2 } else { 64 };

/// The most that all factors can come to.
const MOST_FACTORS: f32 = SUBJECT * (1.0 + TIMELINE) * (1.0 + RECENCY);

/// Promising episodes that are put into order at a time.
const PROMISING: usize = if cfg!(test) { 4 } else { 256 };

/// What scores are made from.
pub(crate) struct Scores<'q> {
    pub(crate) state: &'q State,
    pub(crate) cues: &'q Cues,
    pub(crate) words: Words,
    ways: Ways,
    /// Whether neighbours count, by words or by likeness.
    near: bool,
    horizon: Option<&'q Horizon>,
    /// What facts have expired by this time are not walked over; `None` where nothing expires.
    pub(crate) now: Option<Timestamp>,
    /// The episodes under the headings that the question names.
    headed: Vec<&'q [EpisodeIx]>,
    /// The nearest episodes with their likeness, where vectors count.
    vectors: FxHashMap<EpisodeIx, f32>,
    /// The question's vector, where vectors count and know meaning.
    pub(crate) meaning: Option<&'q [f32]>,
    worked_out: Cell<usize>,
}

/// Room to work in.
#[derive(Default)]
struct Room {
    /// What the episodes of a session score by themselves, with zeros on each side as far as one bears on
    /// another.
    own: Vec<f32>,
    /// The most that each gets from what it and its neighbours score.
    near: Vec<f32>,
    /// The most that the mass of the terms near each can come to.
    held: Vec<f32>,
    /// The episodes that can be among the best, each with the most that it can score.
    promising: Vec<Ranked<EpisodeIx>>,
}

impl Room {
    /// How far an episode bears on another of its session.
    const SIDE: usize = if REACH > COVERAGE_REACH { REACH } else { COVERAGE_REACH };

    /// Works out what the episodes of a session's list score by themselves, and what they can lend each
    /// other.
    fn spread(&mut self, scores: &Scores<'_>, list: &[EpisodeIx]) {
        self.own.clear();
        self.own.resize(Self::SIDE, 0.0);
        let mass = scores.words.episodes(scores.state, list, &mut self.own);
        self.own.resize(Self::SIDE + list.len() + Self::SIDE, 0.0);
        for sums in [&mut self.near, &mut self.held] {
            sums.clear();
            sums.resize(list.len(), 0.0);
        }
        for (place, weight) in (Self::SIDE - REACH..).zip(spread::weights(scores.ways)) {
            for (near, own) in self.near.iter_mut().zip(&self.own[place..]) {
                *near += weight * own;
            }
        }
        for place in Self::SIDE - COVERAGE_REACH..=Self::SIDE + COVERAGE_REACH {
            for (held, own) in self.held.iter_mut().zip(&self.own[place..]) {
                *held += mass * own;
            }
        }
    }
}

impl<'q> Scores<'q> {
    pub(crate) fn of(
        state: &'q State,
        cues: &'q Cues,
        question: &Question<'_>,
        horizon: Option<&'q Horizon>,
        sentences: bool,
    ) -> Self {
        Self {
            state,
            cues,
            words: Words::of(state, cues, question.ways),
            near: question.ways.use_of(Way::Neighbours),
            // What neighbours say is told by likeness then, and words would tell it twice.
            ways: if sentences { question.ways.without(Way::Neighbours) } else { question.ways },
            horizon,
            now: question.now.filter(|_| state.can_expire()),
            headed: cues.headings.iter().map(|heading| state.headed(heading)).collect(),
            vectors: FxHashMap::default(),
            meaning: None,
            worked_out: Cell::new(0),
        }
    }

    /// Lets vectors count, too: the best, at most `most`. `best` are as many without them, and none else can
    /// come in but by its vector.
    pub(crate) fn with_vectors(
        &mut self,
        asked: QuestionVector<'q>,
        best: Vec<Ranked<EpisodeIx>>,
        most: usize,
        shortcuts: Shortcuts,
    ) -> Vec<Ranked<EpisodeIx>> {
        let weights = vector::Weights::of(asked.understanding, self.near);
        let wordless = self.cues.terms.is_empty();
        if asked.understanding == Understanding::Sentences {
            self.meaning = Some(asked.vector);
        }
        self.vectors = match asked.understanding {
            Understanding::Spelling | Understanding::Words if wordless => {
                vector::nearest(self.state, asked.vector, self.horizon, &weights)
            }
            // Beside words, likeness of spelling was measured to take away more than it gives.
            Understanding::Spelling => return best,
            Understanding::Words | Understanding::Sentences => {
                let top = best.first().map_or(1.0, |best| best.score);
                vector::meaning(self.state, asked.vector, top, self.horizon, &weights)
            }
        };
        self.vectors.retain(|ix, _| self.horizon.is_none_or(|horizon| horizon.shows(self.state, *ix)));
        let mut merged = Best::new(most);
        if !shortcuts.episodes {
            self.everything().for_each(|ix| merged.offer(Ranked { score: self.total(ix), ix }));
            return merged.into_sorted();
        }
        for &ix in self.vectors.keys() {
            merged.offer(Ranked { score: self.total(ix), ix });
        }
        for ranked in best {
            if !self.vectors.contains_key(&ranked.ix) {
                merged.offer(ranked);
            }
        }
        merged.into_sorted()
    }

    /// How many scores were worked out.
    pub(crate) fn worked_out(&self) -> usize {
        self.worked_out.get()
    }

    /// Whether the question may find a part of the memory only.
    pub(crate) fn sees_a_part(&self) -> bool {
        self.horizon.is_some()
    }

    /// Whether the question may find an episode.
    pub(crate) fn findable(&self, ix: EpisodeIx) -> bool {
        self.horizon.is_none_or(|horizon| horizon.shows(self.state, ix))
    }

    /// Every episode that may be found.
    pub(crate) fn everything(&self) -> impl Iterator<Item = EpisodeIx> {
        self.state.living().filter(|ix| self.findable(*ix))
    }

    /// The best episodes, at most `most`.
    pub(crate) fn best(&self, most: usize, shortcuts: Shortcuts) -> Vec<Ranked<EpisodeIx>> {
        let mut best = Best::new(most);
        if !shortcuts.episodes {
            self.everything().for_each(|ix| best.offer(Ranked { score: self.total(ix), ix }));
            return best.into_sorted();
        }
        let mut first = Best::new(FIRST_SESSIONS);
        for (ix, tally) in self.words.sessions() {
            first.offer(Ranked { score: tally.most(), ix });
        }
        let first: FxHashSet<SessionIx> = first.into_sorted().into_iter().map(|ranked| ranked.ix).collect();
        let mut room = Room::default();
        for ix in &first {
            self.look_into(*ix, &mut room, &mut best);
        }
        self.work_out(&mut room.promising, &mut best);
        // The others in the order of the memory, which is quicker than from the best to the worst.
        room.promising.clear();
        for (ix, tally) in self.words.sessions() {
            if best.admits(tally.most() * MOST_FACTORS) && !first.contains(&ix) {
                self.look_into(ix, &mut room, &mut best);
            }
        }
        self.work_out(&mut room.promising, &mut best);
        best.into_sorted()
    }

    /// The most that the factors of an episode of a session can come to.
    fn cap(&self, session: SessionIx) -> f32 {
        let speaker = if self.cues.speaker.is_some() || !self.headed.is_empty() { SUBJECT } else { 1.0 };
        self.cap_of_times(session) * if self.ways.use_of(Way::Speaker) { speaker } else { 1.0 }
    }

    /// The most that the factors of an episode of a session for dates and for its age can come to.
    fn cap_of_times(&self, session: SessionIx) -> f32 {
        let dated = self.dates() && timeline::can_be_dated_in(self.state, session, &self.cues.intervals);
        self.recency(session) * if dated { 1.0 + TIMELINE } else { 1.0 }
    }

    /// Notes the episodes of a session that can be among the best, each with the most that it can score.
    /// Those with no word of the question near them are offered at once: they score what their session does.
    fn look_into(&self, session: SessionIx, room: &mut Room, best: &mut Best<EpisodeIx>) {
        let tally = self.words.session(session);
        if !best.admits(tally.most() * self.cap(session)) {
            return;
        }
        let list = &self.state.session(session).episodes;
        room.spread(self, list);
        let cap = self.cap_of_times(session);
        for ((&near, &held), &ix) in room.near.iter().zip(&room.held).zip(list) {
            let cap = cap * if self.can_be_subject(ix) { SUBJECT } else { 1.0 };
            if near > 0.0 || held > 0.0 {
                let score = (near + SESSION * tally.score + COVERAGE * held.min(tally.mass)) * cap;
                if best.admits(score) {
                    room.promising.push(Ranked { score, ix });
                }
            } else if best.takes(Ranked { score: SESSION * tally.score * cap, ix }) && self.findable(ix) {
                let factors =
                    self.speaker(ix) * self.timeline(self.state.episode(ix)) * self.recency(session);
                best.offer(Ranked { score: SESSION * tally.score * factors, ix });
            }
        }
    }

    /// Works out the scores of promising episodes, the most promising first, until the rest cannot be among
    /// the best.
    fn work_out(&self, promising: &mut [Ranked<EpisodeIx>], best: &mut Best<EpisodeIx>) {
        let mut rest = promising;
        while !rest.is_empty() {
            let next = rest.len().min(PROMISING);
            if next < rest.len() {
                rest.select_nth_unstable_by(next, |a, b| b.cmp(a));
            }
            let (now, later) = rest.split_at_mut(next);
            now.sort_unstable_by(|a, b| b.cmp(a));
            for bound in now {
                if !best.admits(bound.score) {
                    return;
                }
                if self.findable(bound.ix) {
                    best.offer(Ranked { score: self.total(bound.ix), ix: bound.ix });
                }
            }
            rest = later;
        }
    }

    /// The most that an episode can score.
    pub(crate) fn most(&self, ix: EpisodeIx) -> f32 {
        let session = self.state.session_with(ix);
        self.words.session(session).most() * self.cap(session) + self.likeness(ix)
    }

    /// The score of an episode that may be found.
    pub(crate) fn total(&self, ix: EpisodeIx) -> f32 {
        let parts = self.parts(ix);
        let sum = parts.lexical + parts.neighbours + parts.session + parts.coverage;
        sum * parts.speaker * parts.timeline * parts.recency + parts.vector
    }

    /// The parts of an episode's score.
    pub(crate) fn parts(&self, ix: EpisodeIx) -> Parts {
        self.worked_out.set(self.worked_out.get() + 1);
        let (state, words, ways) = (self.state, &self.words, self.ways);
        let (episode, place) = (state.episode(ix), state.place(ix));
        let list = &state.session(episode.session).episodes;
        let own = |place: usize| words.episode(state, list[place]);
        let covered = || lexical::coverage(state, self.cues, list, place);
        Parts {
            lexical: own(place),
            neighbours: spread::neighbours(state, list, place, own, ways),
            session: SESSION * words.session(episode.session).score,
            coverage: if ways.use_of(Way::Coverage) { COVERAGE * covered() } else { 0.0 },
            speaker: self.speaker(ix),
            timeline: self.timeline(episode),
            recency: self.recency(episode.session),
            vector: self.likeness(ix),
            bridge: 0.0,
            facts: 0.0,
            copy: 1.0,
            order: 0.0,
            rerank: 0.0,
            fade: 1.0,
            update: 0.0,
        }
    }

    /// The factor for the speaker or the document that the question names.
    fn speaker(&self, ix: EpisodeIx) -> f32 {
        let spoken = || self.cues.speaker.is_some_and(|speaker| self.state.is_said_by(ix, speaker));
        if self.can_be_subject(ix) && (spoken() || self.state.is_document(ix)) { SUBJECT } else { 1.0 }
    }

    /// Whether the question names the episode's speaker, or its heading.
    fn can_be_subject(&self, ix: EpisodeIx) -> bool {
        let spoken = || self.cues.speaker.is_some_and(|speaker| self.state.is_said_by(ix, speaker));
        let headed = || self.headed.iter().any(|headed| headed.binary_search(&ix).is_ok());
        self.ways.use_of(Way::Speaker) && (spoken() || headed())
    }

    /// Whether the question names a time that counts.
    fn dates(&self) -> bool {
        self.ways.use_of(Way::Timeline) && !self.cues.intervals.is_empty()
    }

    /// The factor for the time that the question names.
    fn timeline(&self, episode: &EpisodeNode) -> f32 {
        let dated = self.dates() && timeline::dated_in(self.state, episode, &self.cues.intervals);
        if dated { 1.0 + TIMELINE } else { 1.0 }
    }

    /// The factor of a session's age; 0 where it may not be found.
    fn recency(&self, session: SessionIx) -> f32 {
        let factor = self.horizon.map_or(1.0, |horizon| horizon.recency(self.state, session));
        if self.ways.use_of(Way::Recency) { factor } else { factor.min(1.0) }
    }

    fn likeness(&self, ix: EpisodeIx) -> f32 {
        self.vectors.get(&ix).copied().unwrap_or(0.0)
    }
}
