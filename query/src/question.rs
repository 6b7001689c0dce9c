//! A question and its cues: terms with their weights, the speaker or document it names, the dates it names.

use lorebase_engine::dates::{self, Granularity};
use lorebase_engine::index::lexical::QueryTerm;
use lorebase_engine::model::id::SessionId;
use lorebase_engine::model::time::{Interval, Timestamp};
use lorebase_engine::state::State;
use lorebase_engine::text;
use rustc_hash::FxHashSet;

use crate::ways::{Way, Ways};
use crate::weights::{RARE, REPEAT};

/// The most hits that can be asked for.
pub const LIMIT_MAX: usize = 1000;

/// What is asked, and under which conditions.
#[derive(Debug, Clone)]
pub struct Question<'q> {
    /// The question in words.
    pub text: &'q str,
    /// How many hits are wanted, at most [`LIMIT_MAX`].
    pub limit: usize,
    /// Only what was said at or before this time is found, and newer sessions count for more.
    pub as_of: Option<Timestamp>,
    /// Only sessions before this one are found, in the order in which they happened, and newer ones count for
    /// more.
    pub before_session: Option<SessionId>,
    /// Which parts of the formula are used.
    pub ways: Ways,
}

impl<'q> Question<'q> {
    /// A question about everything that is known, for ten hits.
    pub fn new(text: &'q str) -> Self {
        Self { text, limit: 10, as_of: None, before_session: None, ways: Ways::ALL }
    }
}

/// What a question says about where its answer stands.
#[derive(Debug)]
pub(crate) struct Cues {
    /// Its known content terms; the weight includes the power of rarity.
    pub(crate) terms: Vec<QueryTerm>,
    /// The share of its idf mass that no stored word explains, 0 to 1.
    pub(crate) unexplained: f32,
    /// Stems of all of its words.
    pub(crate) stems: FxHashSet<String>,
    /// The one speaker that it names.
    pub(crate) speaker: Option<u32>,
    /// Headings that stand in it word for word.
    pub(crate) headings: Vec<String>,
    /// The intervals that it names.
    pub(crate) intervals: Vec<Interval>,
}

/// The longest heading that is looked for in a question, in words.
const HEADING_WORDS: usize = 9;

impl Cues {
    /// Reads the question against what the namespace knows.
    pub(crate) fn read(state: &State, question: &Question<'_>) -> Self {
        let stems = text::Stems::default();
        let mut words = Vec::new();
        text::for_each_word(question.text, |word| words.push(word.to_owned()));
        let (terms, unexplained) = weighted_terms(state, &words, question);
        Self {
            terms,
            unexplained,
            stems: words.iter().map(|word| stems.stem(word).into_owned()).collect(),
            speaker: speaker_named(state, &words).or_else(|| role_named(state, question.text)),
            headings: headings(state, &words),
            intervals: intervals(state, question),
        }
    }

    /// What a term's presence is worth.
    pub(crate) fn mass(term: &QueryTerm) -> f32 {
        term.weight * term.idf
    }
}

fn weighted_terms(state: &State, words: &[String], question: &Question<'_>) -> (Vec<QueryTerm>, f32) {
    let lexical = state.lexical();
    let rare = if question.ways.use_of(Way::Rarity) { RARE } else { 0.0 };
    let mut terms = lexical.question(question.text);
    for term in &mut terms {
        term.weight = term.weight.powf(REPEAT) * term.idf.powf(rare);
    }
    let unseen: FxHashSet<&String> =
        words.iter().filter(|word| !text::is_stop_word(word) && lexical.term(word).is_none()).collect();
    let documents = lexical.len() as f32;
    let idf = (1.0 + (documents + 0.5) / 0.5).ln();
    let unknown = unseen.len() as f32 * idf * idf.powf(rare);
    let known: f32 = terms.iter().map(Cues::mass).sum();
    let total = known + unknown;
    (terms, if total > 0.0 { unknown / total } else { 0.0 })
}

/// The one speaker whose name's first word stands in the question.
fn speaker_named(state: &State, words: &[String]) -> Option<u32> {
    let named = |speaker: &str| {
        let folded = text::join_words(speaker);
        folded
            .split(' ')
            .next()
            .is_some_and(|first| !first.is_empty() && words.iter().any(|word| word == first))
    };
    let mut named =
        (0..).zip(state.speakers()).filter(|(_, speaker)| named(speaker)).map(|(number, _)| number);
    let first = named.next();
    first.filter(|_| named.next().is_none())
}

/// Whom "I" and "you" stand for, where a user talks with an assistant and the user asks.
fn role_named(state: &State, question: &str) -> Option<u32> {
    const USERS: [&str; 2] = ["user", "human"];
    const ASSISTANTS: [&str; 4] = ["assistant", "ai", "bot", "model"];
    const REQUESTS: [&str; 4] = ["can you", "could you", "would you", "will you"];
    let role = |names: &[&str]| {
        let mut speakers = (0..).zip(state.speakers());
        speakers.find(|(_, speaker)| names.contains(&&*speaker.to_lowercase())).map(|(number, _)| number)
    };
    let (user, assistant) = (role(&USERS)?, role(&ASSISTANTS)?);
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
/// latest session.
fn intervals(state: &State, question: &Question<'_>) -> Vec<Interval> {
    let latest = || state.sessions().iter().filter_map(|session| session.at).max_by_key(|at| at.instant);
    let anchor = question.as_of.map(Timestamp::civil).or_else(|| latest().map(|at| at.civil()));
    let narrow = |granularity| !matches!(granularity, Granularity::Season | Granularity::Year);
    let found = dates::find(question.text, anchor).into_iter();
    found.filter(|found| narrow(found.granularity)).map(|found| found.interval).collect()
}
