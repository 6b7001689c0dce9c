//! Words to term numbers, each distinct word stemmed once, and texts to counted terms, many at a time. It knows no
//! document numbers and no weights.

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::sync::Arc;

use rustc_hash::FxHashMap;

use crate::text::{self, Stems};

/// A term: the number of a stem in one index. Numbers are given in the order of first occurrence.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct TermId(pub u32);

/// Every word seen, and what it stands for.
#[derive(Default)]
pub(super) struct Vocabulary {
    /// Lower-case words as they stand in texts; `None` for stop words.
    words: FxHashMap<Box<str>, Option<TermId>>,
    /// The stems, numbered without gaps from 0.
    terms: FxHashMap<Arc<str>, TermId>,
    /// The stems by their numbers.
    by_number: Vec<Arc<str>>,
    stems: Stems,
}

/// Texts taken apart against a vocabulary that was not changed by it, ready to be merged.
#[derive(Default)]
pub(super) struct Analysed {
    /// A text: where its counts end in `counts`, and how many content words it has.
    pub(super) texts: Vec<(usize, u32)>,
    /// Distinct terms of each text with their counts. Terms that are new are numbered on from the vocabulary's end.
    pub(super) counts: Vec<(TermId, u32)>,
    words: FxHashMap<Box<str>, Option<TermId>>,
    terms: FxHashMap<Box<str>, TermId>,
    /// The keys of `terms` in the order of their numbers.
    new_terms: Vec<Box<str>>,
}

/// As the stems by number and the words.
impl Serialize for Vocabulary {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let stems: Vec<&str> = self.by_number.iter().map(|stem| &**stem).collect();
        (stems, &self.words).serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Vocabulary {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let (stems, words) = <(Vec<Box<str>>, FxHashMap<_, _>)>::deserialize(deserializer)?;
        let mut vocabulary = Self { words, ..Self::default() };
        for stem in stems {
            vocabulary.add(&stem);
        }
        Ok(vocabulary)
    }
}

impl Vocabulary {
    /// Whether every word and stem stands for a term, and each term for one stem: read back, they may not.
    pub(super) fn is_sound(&self) -> bool {
        let known = |term: &TermId| (term.0 as usize) < self.by_number.len();
        self.terms.len() == self.by_number.len() && self.words.values().flatten().all(known)
    }

    /// Terms known.
    pub(super) fn len(&self) -> usize {
        self.terms.len()
    }

    /// The term of a lower-case word: `None` for a stop word and for a word of which the stem is not known.
    pub(super) fn find(&self, word: &str) -> Option<TermId> {
        if let Some(known) = self.words.get(word) {
            return *known;
        }
        if text::is_stop_word(word) {
            return None;
        }
        self.terms.get(self.stems.stem(word).as_ref()).copied()
    }

    /// The stem with this number.
    pub(super) fn stem(&self, term: TermId) -> &str {
        &self.by_number[term.0 as usize]
    }

    fn add(&mut self, stem: &str) -> TermId {
        let (stem, term) = (Arc::<str>::from(stem), TermId(self.by_number.len() as u32));
        self.by_number.push(Arc::clone(&stem));
        self.terms.insert(stem, term);
        term
    }

    /// Takes texts apart. Pure, so that many threads may do it at once.
    pub(super) fn analyse(&self, texts: &[&str]) -> Analysed {
        let mut analysed = Analysed::default();
        analysed.texts.reserve(texts.len());
        let mut found = Vec::new();
        for text in texts {
            found.clear();
            text::for_each_word(text, |word| found.extend(self.resolve(word, &mut analysed)));
            found.sort_unstable();
            for same in found.chunk_by(|a, b| a == b) {
                analysed.counts.push((same[0], same.len() as u32));
            }
            analysed.texts.push((analysed.counts.len(), found.len() as u32));
        }
        analysed
    }

    /// The term of a word, which is learnt by `analysed` if it is new to both.
    fn resolve(&self, word: &str, analysed: &mut Analysed) -> Option<TermId> {
        if let Some(known) = self.words.get(word).or_else(|| analysed.words.get(word)) {
            return *known;
        }
        let term = (!text::is_stop_word(word)).then(|| {
            let stem = self.stems.stem(word);
            if let Some(known) = self.terms.get(stem.as_ref()).or_else(|| analysed.terms.get(stem.as_ref())) {
                return *known;
            }
            let new = TermId((self.len() + analysed.new_terms.len()) as u32);
            let stem = Box::<str>::from(stem);
            analysed.new_terms.push(stem.clone());
            analysed.terms.insert(stem, new);
            new
        });
        analysed.words.insert(word.into(), term);
        term
    }

    /// Learns the words of an analysis and makes its counts speak of this vocabulary's terms, in their order.
    /// `base` is the number of terms that were known when it was made.
    pub(super) fn learn(&mut self, analysed: &mut Analysed, base: usize) {
        let mut numbers = Vec::with_capacity(analysed.new_terms.len());
        for stem in analysed.new_terms.drain(..) {
            let number = self.terms.get(&*stem).copied().unwrap_or_else(|| self.add(&stem));
            numbers.push(number);
        }
        let renumber = |term: TermId| match (term.0 as usize).checked_sub(base) {
            Some(new) => numbers[new],
            None => term,
        };
        for (word, term) in analysed.words.drain() {
            self.words.insert(word, term.map(renumber));
        }
        if numbers.is_empty() {
            return;
        }
        let mut start = 0;
        for &(end, _) in &analysed.texts {
            let counts = &mut analysed.counts[start..end];
            // The counts are in the order of the numbers, so a new one can only stand last.
            if counts.last().is_some_and(|&(term, _)| term.0 as usize >= base) {
                for (term, _) in counts.iter_mut() {
                    *term = renumber(*term);
                }
                counts.sort_unstable();
            }
            start = end;
        }
    }
}
