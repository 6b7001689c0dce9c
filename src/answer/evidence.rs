//! The turns that may hold an answer, cut into sentences, with how much of the question each of them accounts for.

use lorebase_engine::engine::Reader;
use lorebase_engine::error::Error;
use lorebase_engine::graph::EpisodeIx;
use lorebase_engine::model::episode::Episode;
use lorebase_engine::state::State;
use lorebase_engine::text;
use lorebase_extract::phrases::{self, Sentence};
use lorebase_query::question::{is_with_assistant, speaker_named_in};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::view::{FoundEpisode, StepView};

/// The share of a question that a turn and the one before it must account for, so that it is answered at all.
const COVERED_LEAST: f32 = 0.2;

/// The content words of a question by their stems, each with what it is worth: how rare it is.
#[derive(Debug, Clone, Default)]
pub(crate) struct Terms {
    pub(crate) mass: FxHashMap<String, f32>,
    pub(crate) total: f32,
    /// The stems of the names of those who speak.
    pub(crate) names: FxHashSet<String>,
}

impl Terms {
    /// The terms of a question, but for names of speakers, which stand in few of the turns that are about them.
    pub(crate) fn of(state: &State, question: &str) -> Self {
        let stems = text::Stems::default();
        let unseen = (1.0 + (state.lexical().len() as f32 + 0.5) / 0.5).ln();
        let mut terms = Self::default();
        for speaker in state.speakers() {
            text::for_each_word(speaker, |word| {
                terms.names.insert(stems.stem(word).into_owned());
            });
        }
        let mut words = Vec::new();
        text::for_each_word(question, |word| words.push(word.to_owned()));
        let known = state.lexical().question_of(&words);
        for word in words.iter().filter(|word| !text::is_stop_word(word)) {
            let stem = stems.stem(word).into_owned();
            if terms.names.contains(&stem) || terms.mass.contains_key(&stem) {
                continue;
            }
            let term = state.lexical().term(word);
            let idf = known.iter().find(|known| Some(known.term) == term).map_or(unseen, |known| known.idf);
            terms.total += idf;
            terms.mass.insert(stem, idf);
        }
        terms
    }

    /// The share of the question that words account for.
    pub(crate) fn covered<'w>(&self, stems: impl Iterator<Item = &'w String>) -> f32 {
        if self.total <= 0.0 {
            return 0.0;
        }
        let met: FxHashSet<&String> = stems.filter(|stem| self.mass.contains_key(*stem)).collect();
        met.into_iter().map(|stem| self.mass[stem]).sum::<f32>() / self.total
    }
}

/// Whom a question names among those who speak.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Whose {
    /// It is said by the one whom the question names.
    Theirs,
    /// It is said by somebody else than whom the question names.
    Others,
    /// The question names nobody who speaks, or several.
    Anyone,
}

/// A sentence of a turn, read.
#[derive(Debug, Clone)]
pub(crate) struct Line {
    pub(crate) sentence: Sentence,
    pub(crate) stems: Vec<String>,
    pub(crate) covered: f32,
}

impl Line {
    /// The sentence as its turn has it.
    pub(crate) fn text<'t>(&self, turn: &'t str) -> &'t str {
        &turn[self.sentence.bytes.0..self.sentence.bytes.1]
    }
}

/// A turn that may hold the answer.
#[derive(Debug, Clone)]
pub(crate) struct Turn {
    pub(crate) episode: Episode,
    pub(crate) lines: Vec<Line>,
    pub(crate) whose: Whose,
    /// Its score against that of the best hit.
    pub(crate) score: f32,
    pub(crate) covered: f32,
    /// The share of the question that the turn before it accounts for, and that both do together.
    pub(crate) before: f32,
    pub(crate) together: f32,
    /// Whether the turn before asks something.
    pub(crate) replies: bool,
    pub(crate) path: Vec<StepView>,
}

/// All that an answer is chosen from.
pub(crate) struct Evidence {
    pub(crate) terms: Terms,
    pub(crate) turns: Vec<Turn>,
    /// The one speaker whom the question names.
    pub(crate) named: Option<u32>,
    /// Whether a user talks with an assistant.
    pub(crate) with_assistant: bool,
}

impl Evidence {
    /// Reads the hits of a recall.
    ///
    /// # Errors
    /// Where a text cannot be read.
    pub(crate) fn of(reader: &Reader, question: &str, hits: &[FoundEpisode]) -> Result<Self, Error> {
        let state = reader.state();
        let terms = Terms::of(state, question);
        let named = speaker_named_in(state, question);
        let best = hits.first().map_or(1.0, |hit| hit.score).max(f32::MIN_POSITIVE);
        let mut turns = Vec::with_capacity(hits.len());
        for hit in hits {
            let Some(ix) = state.find_episode(&hit.episode.id) else { continue };
            turns.push(turn(reader, &terms, (ix, hit, hit.score / best), named)?);
        }
        Ok(Self { terms, turns, named, with_assistant: is_with_assistant(state) })
    }

    /// Whether any turn that was found accounts for enough of the question to be about it.
    pub(crate) fn is_about(&self) -> bool {
        self.terms.total <= 0.0 || self.turns.iter().any(|turn| turn.together >= COVERED_LEAST)
    }
}

fn turn(
    reader: &Reader,
    terms: &Terms,
    (ix, hit, score): (EpisodeIx, &FoundEpisode, f32),
    named: Option<u32>,
) -> Result<Turn, Error> {
    let state = reader.state();
    let lines = lines(terms, &hit.episode.text);
    let own: Vec<String> = lines.iter().flat_map(|line| line.stems.clone()).collect();
    let before = previous(state, ix).map(|ix| reader.text(ix)).transpose()?.unwrap_or_default();
    let around = text::content_stems(&before);
    let speaker = state.episode(ix).speaker;
    Ok(Turn {
        episode: hit.episode.clone(),
        whose: match named {
            None => Whose::Anyone,
            Some(_) if speaker == named => Whose::Theirs,
            Some(_) => Whose::Others,
        },
        score,
        covered: terms.covered(own.iter()),
        before: terms.covered(around.iter()),
        together: terms.covered(own.iter().chain(&around)),
        replies: before.trim_end().ends_with('?'),
        lines,
        path: hit.path.clone(),
    })
}

fn lines(terms: &Terms, text: &str) -> Vec<Line> {
    let stems = text::Stems::default();
    let line = |sentence: Sentence| {
        let stems: Vec<String> = sentence.words.iter().map(|word| stems.stem(word).into_owned()).collect();
        let covered = terms.covered(stems.iter());
        Line { sentence, stems, covered }
    };
    phrases::sentences(text).into_iter().map(line).collect()
}

/// The turn before one in its session.
fn previous(state: &State, ix: EpisodeIx) -> Option<EpisodeIx> {
    let session = state.session(state.episode(ix).session);
    let place = state.place(ix).checked_sub(1)?;
    session.episodes.get(place).copied()
}
