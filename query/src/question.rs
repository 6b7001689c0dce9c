//! A question and its cues: terms with their weights, the speaker or document it names, the dates it names.

use std::ops::RangeInclusive;

use lorebase_engine::dates::{self, Granularity};
use lorebase_engine::graph::EntityIx;
use lorebase_engine::index::lexical::QueryTerm;
use lorebase_engine::model::id::SessionId;
use lorebase_engine::model::time::{Interval, SourceTime, Timestamp};
use lorebase_engine::state::State;
use lorebase_engine::text;
use rustc_hash::FxHashSet;

use crate::fade::Fade;
use crate::rerank::Rerank;
use crate::retrieve::timeline::Horizon;
use crate::ways::{Way, Ways};
use crate::weights::{GUESSED_WORDS, NAME_CANDIDATES, NAME_LIKENESS, QUESTION_WORDS, RARE, REPEAT};

/// The most hits that can be asked for.
pub const LIMIT_MAX: usize = 1000;

/// What is asked, and under which conditions.
#[derive(Debug, Clone)]
pub struct Question<'q> {
    /// The question in words. Only the first 512 are looked for.
    pub text: &'q str,
    /// How many hits are wanted, at most [`LIMIT_MAX`].
    pub limit: usize,
    /// Only what was said at or before this time is found, and newer sessions count for more.
    pub as_of: Option<Timestamp>,
    /// Only what the memory had been told by this time is found.
    pub known_at: Option<Timestamp>,
    /// What time it is: what has expired by then is not found. `None` finds it all the same.
    pub now: Option<Timestamp>,
    /// Only sessions before this one are found, in the order in which they happened, and newer ones count for
    /// more.
    pub before_session: Option<SessionId>,
    /// Which parts of the formula are used.
    pub ways: Ways,
    /// How a model looks at the first hits again; `None` where none does.
    pub rerank: Option<Rerank<'q>>,
    /// How hits fade; `None` where they do not.
    pub fade: Option<Fade<'q>>,
}

impl<'q> Question<'q> {
    /// A question about everything that is known, for ten hits.
    pub fn new(text: &'q str) -> Self {
        Self {
            text,
            limit: 10,
            as_of: None,
            known_at: None,
            now: None,
            before_session: None,
            ways: Ways::ALL,
            rerank: None,
            fade: None,
        }
    }
}

/// What a question says about where its answer stands.
#[derive(Debug)]
pub(crate) struct Cues {
    /// Its known content terms; the weight includes the power of rarity.
    pub(crate) terms: Vec<QueryTerm>,
    /// Its distinct content words, known or not, in order.
    pub(crate) content: Vec<ContentWord>,
    /// The entities that it names, each with the content words of its name, a bit each.
    pub(crate) named: Vec<(EntityIx, u64)>,
    /// Stems of all of its words.
    pub(crate) stems: FxHashSet<String>,
    /// The one speaker that it names.
    pub(crate) speaker: Option<u32>,
    /// Headings that stand in it word for word.
    pub(crate) headings: Vec<String>,
    /// The intervals that it names.
    pub(crate) intervals: Vec<Interval>,
}

/// A content word of a question.
#[derive(Debug)]
pub(crate) struct ContentWord {
    pub(crate) stem: String,
    /// What accounting for it is worth.
    pub(crate) mass: f32,
}

/// The longest entity name that is looked for in a question, in words.
const NAME_WORDS: usize = 5;

/// How many characters a name has that is looked for in text without spaces.
const UNSPACED_NAME: RangeInclusive<usize> = 2..=8;

/// The longest heading that is looked for in a question, in words.
const HEADING_WORDS: usize = 9;

impl Cues {
    /// Reads the question against what the namespace knows.
    pub(crate) fn read(state: &State, question: &Question<'_>, horizon: Option<&Horizon>) -> Self {
        let stems = text::Stems::default();
        let words = words_of(question.text);
        let terms = weighted_terms(state, &words, question.ways);
        let content = content_words(state, &words, &terms);
        let mut cues = Self {
            content,
            named: Vec::new(),
            terms,
            stems: words.iter().map(|word| stems.stem(word).into_owned()).collect(),
            speaker: speaker_named(state, &words).or_else(|| role_named(state, question.text)),
            headings: headings(state, &words),
            intervals: intervals(state, question, horizon),
        };
        cues.named = cues.entities_named(state, &words);
        cues.named.extend(cues.unspaced_names(state, question.text));
        if question.ways.use_of(Way::Vector) {
            cues.guess_names(state, &words);
        }
        cues
    }

    /// Lets words that no stored text has stand for the names that are spelt most like them.
    fn guess_names(&mut self, state: &State, words: &[String]) {
        let stems = text::Stems::default();
        let unknown = |word: &&String| !text::is_stop_word(word) && state.lexical().term(word).is_none();
        for word in words.iter().filter(unknown).take(GUESSED_WORDS) {
            let alike = state.spelt_like(word, NAME_CANDIDATES).into_iter();
            for (ix, name, likeness) in alike.filter(|(.., likeness)| *likeness >= NAME_LIKENESS) {
                self.named.push((ix, self.word(&stems.stem(word))));
                for mut term in state.lexical().question(name) {
                    if !self.terms.iter().any(|known| known.term == term.term) {
                        term.weight = likeness;
                        self.terms.push(term);
                    }
                }
            }
        }
    }

    /// The bit of a content word of the question with this stem; 0 where it has none.
    pub(crate) fn word(&self, stem: &str) -> u64 {
        let place = self.content.iter().take(64).position(|word| word.stem == stem);
        place.map_or(0, |place| 1 << place)
    }

    /// The bits of a phrase's content words if the question has all of them; 0 otherwise. A word for who does
    /// something ("owner") is met by the word for doing it ("owns") and the other way round.
    pub(crate) fn phrase(&self, phrase: &str) -> u64 {
        let mut all = 0;
        for stem in text::content_stems(phrase) {
            let bits = Self::forms(&stem).map(|form| self.word(&form)).fold(0, |all, bits| all | bits);
            if bits == 0 {
                return 0;
            }
            all |= bits;
        }
        all
    }

    /// A stem, and those of the word for who does something where it is that for doing it, and the other way
    /// round.
    pub(crate) fn forms(stem: &str) -> impl Iterator<Item = String> {
        let doing = stem.strip_suffix("er").map(str::to_owned);
        [stem.to_owned(), format!("{stem}er")].into_iter().chain(doing)
    }

    /// The entities whose names stand in the question in a script that is written without spaces, longest
    /// names first; a character belongs to one name.
    fn unspaced_names(&self, state: &State, question: &str) -> Vec<(EntityIx, u64)> {
        let mut found = Vec::new();
        if !question.chars().any(text::is_unspaced) {
            return found;
        }
        let stems = text::Stems::default();
        let folded = text::fold_name(question);
        let mut characters: Vec<char> = folded.chars().take(QUESTION_WORDS).collect();
        for length in UNSPACED_NAME.rev() {
            for start in 0..(characters.len() + 1).saturating_sub(length) {
                let window = &mut characters[start..start + length];
                if !window.iter().all(|c| text::is_unspaced(*c)) {
                    continue;
                }
                let name: String = window.iter().collect();
                if let Some(ix) = state.entity_exactly(&name) {
                    // A space is part of no name.
                    window.fill(' ');
                    let mut bits = 0;
                    text::for_each_word(&name, |word| bits |= self.word(&stems.stem(word)));
                    found.push((ix, bits));
                }
            }
        }
        found.retain(|(ix, _)| self.named.iter().all(|(known, _)| known != ix));
        found
    }

    /// The entities whose names stand in the question, longest names first; a word belongs to one name.
    fn entities_named(&self, state: &State, words: &[String]) -> Vec<(EntityIx, u64)> {
        let stems = text::Stems::default();
        let mut taken = vec![false; words.len()];
        let mut found = Vec::new();
        for length in (1..=NAME_WORDS.min(words.len())).rev() {
            for start in 0..=words.len() - length {
                let range = start..start + length;
                if taken[range.clone()].contains(&true)
                    || words[range.clone()].iter().all(|word| text::is_stop_word(word))
                {
                    continue;
                }
                let named = state.entities_called(&words[range.clone()].join(" "));
                if !named.is_empty() {
                    taken[range.clone()].fill(true);
                    let bits = words[range].iter().fold(0, |bits, word| bits | self.word(&stems.stem(word)));
                    found.extend(named.into_iter().map(|ix| (ix, bits)));
                }
            }
        }
        found
    }

    /// What a term's presence is worth.
    pub(crate) fn mass(term: &QueryTerm) -> f32 {
        term.weight * term.idf
    }
}

/// The words of a question in lower case.
pub(crate) fn words_of(question: &str) -> Vec<String> {
    let mut words = Vec::new();
    text::for_each_word(question, |word| {
        if words.len() < QUESTION_WORDS {
            words.push(word.to_owned());
        }
    });
    words
}

fn weighted_terms(state: &State, words: &[String], ways: Ways) -> Vec<QueryTerm> {
    let rare = if ways.use_of(Way::Rarity) { RARE } else { 0.0 };
    let mut terms = state.lexical().question_of(words);
    for term in &mut terms {
        term.weight = term.weight.powf(REPEAT) * term.idf.powf(rare);
    }
    terms
}

/// The distinct content words of a question with these words.
pub(crate) fn content_of(state: &State, words: &[String], ways: Ways) -> Vec<ContentWord> {
    content_words(state, words, &weighted_terms(state, words, ways))
}

/// The distinct content words. One that no stored text has is worth as much as the rarest could be.
fn content_words(state: &State, words: &[String], terms: &[QueryTerm]) -> Vec<ContentWord> {
    let stems = text::Stems::default();
    let unseen = (1.0 + (state.lexical().len() as f32 + 0.5) / 0.5).ln();
    let mut content: Vec<ContentWord> = Vec::new();
    for word in words.iter().filter(|word| !text::is_stop_word(word)) {
        let stem = stems.stem(word).into_owned();
        if content.iter().any(|known| known.stem == stem) {
            continue;
        }
        let term = state.lexical().term(word);
        let known = terms.iter().find(|known| Some(known.term) == term);
        content.push(ContentWord { stem, mass: known.map_or(unseen, Cues::mass) });
    }
    content
}

/// The one speaker that a question names, or whom "I" or "you" stands for, where a user talks with an assistant.
pub fn speaker_named_in(state: &State, question: &str) -> Option<u32> {
    speaker_named(state, &words_of(question)).or_else(|| role_named(state, question))
}

/// The one speaker whose name's first word stands in the question.
fn speaker_named(state: &State, words: &[String]) -> Option<u32> {
    let distinct: FxHashSet<&String> = words.iter().collect();
    let mut named = distinct.into_iter().flat_map(|word| state.speakers_beginning(word));
    named.next().filter(|_| named.next().is_none()).copied()
}

/// How programs call themselves as speakers.
pub(crate) const ASSISTANTS: [&str; 4] = ["assistant", "ai", "bot", "model"];

/// The user and the assistant, where one talks with the other.
fn roles(state: &State) -> Option<(u32, u32)> {
    const USERS: [&str; 2] = ["user", "human"];
    let role = |names: &[&str]| names.iter().filter_map(|name| state.speaker_called(name)).min();
    role(&USERS).zip(role(&ASSISTANTS))
}

/// The speaker whom "I" stands for: the user who talks with an assistant, or the only one who ever spoke.
pub fn user_of(state: &State) -> Option<u32> {
    let alone = (state.speakers().len() == 1).then_some(0);
    roles(state).map(|(user, _)| user).or(alone)
}

/// Whether a user talks with an assistant.
pub fn is_with_assistant(state: &State) -> bool {
    roles(state).is_some()
}

/// Whom "I" and "you" stand for, where a user talks with an assistant and the user asks.
fn role_named(state: &State, question: &str) -> Option<u32> {
    const REQUESTS: [&str; 4] = ["can you", "could you", "would you", "will you"];
    let (user, assistant) = roles(state)?;
    let mut plain = format!(" {} ", text::join_words(question));
    for request in REQUESTS {
        plain = plain.replace(&format!(" {request} "), " ");
    }
    let has = |names: &[&str]| plain.split(' ').any(|word| names.contains(&word));
    match (has(&["i", "my", "mine", "myself", "me"]), has(&["you", "your", "yours"])) {
        (true, false) => Some(user),
        (false, true) => Some(assistant),
        _ => None,
    }
}

fn headings(state: &State, words: &[String]) -> Vec<String> {
    let mut found = Vec::new();
    for start in 0..words.len() {
        for end in start + 1..=(start + HEADING_WORDS).min(words.len()) {
            let heading = words[start..end].join(" ");
            if !state.headed(&heading).is_empty() {
                found.push(heading);
            }
        }
    }
    found
}

/// The intervals named, no wider than a month. "In June" is counted from the time of asking, or else from the
/// latest session that may be found.
fn intervals(state: &State, question: &Question<'_>, horizon: Option<&Horizon>) -> Vec<Interval> {
    let last = || state.sessions_by_time().last().copied();
    let newest = || horizon.map_or_else(last, |horizon| horizon.newest(state));
    let latest = || newest().and_then(|ix| state.session(ix).at);
    let anchor = question.as_of.map(Timestamp::civil).or_else(|| latest().map(SourceTime::civil));
    let narrow = |granularity| !matches!(granularity, Granularity::Season | Granularity::Year);
    let found = dates::find(question.text, anchor).into_iter();
    found.filter(|found| narrow(found.granularity)).map(|found| found.interval).collect()
}
