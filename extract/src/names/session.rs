//! What the other turns of a session tell about a word: who speaks, and which words stand in capitals in the
//! middle of a sentence.

use lorebase_engine::text::fold_name;
use rustc_hash::FxHashSet;

use crate::names::gazetteer;
use crate::rules::words;
use crate::syntax::tokens::{Kind, Token};

/// The speakers and the spelling of one session.
pub(crate) struct Session<'s> {
    speakers: Vec<Speaker<'s>>,
    capitals: FxHashSet<&'s str>,
    smalls: FxHashSet<&'s str>,
}

struct Speaker<'s> {
    name: &'s str,
    folded: String,
}

impl<'s> Session<'s> {
    pub(crate) fn new(speakers: impl Iterator<Item = &'s str>, episodes: &[Vec<Token<'s>>]) -> Self {
        let mut session =
            Self { speakers: Vec::new(), capitals: FxHashSet::default(), smalls: FxHashSet::default() };
        for name in speakers {
            if session.speakers.iter().all(|speaker| speaker.name != name) {
                let folded = fold_name(name);
                session.speakers.push(Speaker { name, folded });
            }
        }
        for token in episodes.iter().flatten().filter(|token| token.kind == Kind::Word) {
            if !token.capital {
                session.smalls.insert(token.word);
            } else if !token.opens && !words::is_common(token.word) {
                session.capitals.insert(token.word);
            }
        }
        session
    }

    /// Whoever else speaks, where the session has exactly two speakers.
    pub(crate) fn other_than(&self, speaker: &str) -> Option<&'s str> {
        match self.speakers.as_slice() {
            [one, two] if one.name == speaker => Some(two.name),
            [one, two] if two.name == speaker => Some(one.name),
            _ => None,
        }
    }

    /// The one speaker who is called so, by the whole name, its first word or its beginning.
    pub(crate) fn speaker_called(&self, folded: &str) -> Option<&'s str> {
        let first_is = |speaker: &&Speaker<'s>| speaker.folded.split(' ').next() == Some(folded);
        if let Some(whole) = self.speakers.iter().find(|speaker| speaker.folded == folded) {
            return Some(whole.name);
        }
        self.only(first_is).or_else(|| {
            let short = folded.len() > 2 && folded.chars().all(char::is_alphabetic);
            // "Max" for Maximilian: where two talk, a short form can only be theirs.
            self.only(|speaker| short && self.speakers.len() == 2 && speaker.folded.starts_with(folded))
                .or_else(|| {
                    self.only(|speaker| {
                        gazetteer::is_short_for(folded, speaker.folded.split(' ').next().unwrap_or(""))
                    })
                })
        })
    }

    /// The one speaker for whom `fits` holds.
    fn only(&self, fits: impl Fn(&&Speaker<'s>) -> bool) -> Option<&'s str> {
        let mut found = self.speakers.iter().filter(fits);
        found.next().filter(|_| found.next().is_none()).map(|speaker| speaker.name)
    }

    /// Whether a lower-case word stands in capitals in the middle of a sentence somewhere.
    pub(crate) fn has_capital(&self, word: &str) -> bool {
        self.capitals.contains(word)
    }

    /// Whether a lower-case word stands without a capital somewhere.
    pub(crate) fn has_small(&self, word: &str) -> bool {
        self.smalls.contains(word)
    }
}
