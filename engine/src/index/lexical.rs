//! Which documents share words with a question, and how much that says: an inverted index with BM25 weights. It keeps
//! no text and knows nothing of meaning.

use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use crate::index::forward::Forward;
pub use crate::index::vocabulary::TermId;
use crate::index::vocabulary::{Analysed, Vocabulary};
use crate::text;

/// Texts that one thread takes apart before their words are merged.
const CHUNK: usize = 512;

/// Chunks between two merges. The words that a wave learns are known to the next, so each is stemmed few times.
const WAVE: usize = 16;

/// Below this many removed documents the postings are not swept.
const SWEEP_FLOOR: usize = 32;

/// The two parameters of BM25 (Robertson and Zaragoza, "The Probabilistic Relevance Framework", 2009).
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Bm25 {
    /// How slowly repetitions of a term stop to count; at least 0.
    pub k1: f32,
    /// How much long documents are marked down, 0 to 1.
    pub b: f32,
}

impl Default for Bm25 {
    /// Tuned on the tuning halves of LoCoMo, REALTALK, RealMem, BEAM and MuSiQue; flat from 0.3 to 0.5.
    fn default() -> Self {
        Self { k1: 1.2, b: 0.4 }
    }
}

/// A term of a question that some document has.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct QueryTerm {
    /// The term.
    pub term: TermId,
    /// How often the question has it; callers may weigh it otherwise.
    pub weight: f32,
    /// Its inverse document frequency when the question was taken apart.
    pub idf: f32,
}

/// A document that has a term, and how often.
#[derive(Clone, Copy, Serialize, Deserialize)]
struct Posting {
    document: u32,
    count: u32,
}

/// The index. Documents are numbered by the caller, densely and increasingly; a removed number is not used again.
#[derive(Serialize, Deserialize)]
pub struct Lexical {
    parameters: Bm25,
    vocabulary: Vocabulary,
    /// By term, then by document, increasing. They may name removed documents, until the next sweep.
    postings: Vec<Vec<Posting>>,
    /// Living documents that have the term.
    frequencies: Vec<u32>,
    forward: Forward,
    /// Removed documents of which something is still held.
    removed: usize,
}

impl Lexical {
    /// An empty index.
    pub fn new(parameters: Bm25) -> Self {
        Self {
            parameters,
            vocabulary: Vocabulary::default(),
            postings: Vec::new(),
            frequencies: Vec::new(),
            forward: Forward::default(),
            removed: 0,
        }
    }

    /// Adds a document.
    ///
    /// # Panics
    /// If `document` is not greater than every number inserted before.
    pub fn insert(&mut self, document: u32, text: &str) {
        self.insert_batch(document, &[text]);
    }

    /// Adds documents numbered from `first` on, the same as one [`insert`](Self::insert) for each but on all cores.
    /// It panics where that does.
    pub fn insert_batch(&mut self, first: u32, texts: &[&str]) {
        assert!(
            first >= self.end(),
            "documents are inserted with increasing numbers, and {first} came after {}",
            self.end()
        );
        if texts.is_empty() {
            return;
        }
        self.forward.skip_to(first);
        for wave in texts.chunks(CHUNK * WAVE) {
            let base = self.vocabulary.len();
            if wave.len() <= CHUNK {
                let analysed = self.vocabulary.analyse(wave);
                self.merge(analysed, base);
                continue;
            }
            let vocabulary = &self.vocabulary;
            let chunks: Vec<Analysed> =
                wave.par_chunks(CHUNK).map(|chunk| vocabulary.analyse(chunk)).collect();
            for analysed in chunks {
                self.merge(analysed, base);
            }
        }
    }

    /// Adds analysed texts under the next numbers.
    fn merge(&mut self, mut analysed: Analysed, base: usize) {
        self.vocabulary.learn(&mut analysed, base);
        self.postings.resize_with(self.vocabulary.len(), Vec::new);
        self.frequencies.resize(self.vocabulary.len(), 0);
        let mut start = 0;
        for (end, length) in analysed.texts {
            let document = self.end();
            for &(term, count) in &analysed.counts[start..end] {
                self.postings[term.0 as usize].push(Posting { document, count });
                self.frequencies[term.0 as usize] += 1;
            }
            self.forward.push(&analysed.counts[start..end], length);
            start = end;
        }
    }

    /// Whether it holds together, so that no look-up can fail: read back, it may not.
    pub(crate) fn is_sound(&self) -> bool {
        let terms = self.vocabulary.len();
        let documents = self.end();
        self.parameters == Bm25::default()
            && self.vocabulary.is_sound()
            && self.postings.len() == terms
            && self.postings.par_iter().flatten().all(|posting| posting.document < documents)
            && self.forward.frequencies(terms).is_some_and(|counted| counted == self.frequencies)
    }

    /// Removes a document, as if it had never been there. Whether it was there.
    pub fn remove(&mut self, document: u32) -> bool {
        for &(term, _) in self.forward.terms(document) {
            self.frequencies[term.0 as usize] -= 1;
        }
        if !self.forward.remove(document) {
            return false;
        }
        self.removed += 1;
        if self.removed > SWEEP_FLOOR && self.removed * 4 > self.forward.living {
            self.sweep();
        }
        true
    }

    /// Forgets what is still held of removed documents. Called when they are a fifth of all, so that the work for
    /// each removed document stays constant.
    fn sweep(&mut self) {
        let forward = &self.forward;
        for postings in &mut self.postings {
            postings.retain(|posting| forward.length(posting.document).is_some());
            if postings.len() < postings.capacity() / 4 {
                postings.shrink_to_fit();
            }
        }
        self.forward.sweep();
        self.removed = 0;
    }

    /// About what it takes in memory, in bytes: postings twice, by term and by document.
    pub fn bytes(&self) -> usize {
        /// A list of postings, two maps of words and one of stems.
        const TERM: usize = 200;
        self.vocabulary.len() * TERM
            + self.forward.bytes()
            + self.forward.held() * 3 / 2 * size_of::<Posting>()
    }

    /// Living documents.
    pub fn len(&self) -> usize {
        self.forward.living
    }

    /// Whether no document lives.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// One past the highest document number ever inserted: how long a slice of scores must be.
    pub fn end(&self) -> u32 {
        self.forward.end()
    }

    /// The numbers of the living documents, increasing.
    pub fn documents(&self) -> impl Iterator<Item = u32> {
        self.forward.documents()
    }

    /// Content words in a document, or `None` if it does not live.
    #[inline]
    pub fn length(&self, document: u32) -> Option<u32> {
        self.forward.length(document)
    }

    /// Content words in all living documents.
    pub fn total_length(&self) -> u64 {
        self.forward.total_length
    }

    /// Content words in a living document on average; 0 if there is none.
    pub fn average_length(&self) -> f32 {
        (self.forward.total_length as f64 / self.len().max(1) as f64) as f32
    }

    /// The distinct terms of a document and how often it has them, by term; nothing if it does not live.
    pub fn document_terms(&self, document: u32) -> &[(TermId, u32)] {
        self.forward.terms(document)
    }

    /// Living documents that have the term.
    pub fn document_frequency(&self, term: TermId) -> u32 {
        self.frequencies.get(term.0 as usize).copied().unwrap_or(0)
    }

    /// The inverse document frequency, ln(1 + (N − df + 0.5) / (df + 0.5)), which is never negative: the form that
    /// Lucene uses.
    pub fn idf(&self, term: TermId) -> f32 {
        let frequency = f64::from(self.document_frequency(term));
        ((self.len() as f64 - frequency + 0.5) / (frequency + 0.5)).ln_1p() as f32
    }

    /// The living documents that have a term, by document: each with how often it has it and with its length.
    #[inline]
    fn postings(&self, term: TermId) -> impl Iterator<Item = (u32, u32, u32)> {
        let all = self.postings.get(term.0 as usize).map_or(&[][..], Vec::as_slice);
        all.iter().filter_map(|posting| {
            self.length(posting.document).map(|length| (posting.document, posting.count, length))
        })
    }

    /// The stem that a term stands for.
    pub fn stem(&self, term: TermId) -> &str {
        self.vocabulary.stem(term)
    }

    /// The term of a word in lower case, if a living document has it.
    pub fn term(&self, word: &str) -> Option<TermId> {
        self.vocabulary.find(word).filter(|term| self.document_frequency(*term) > 0)
    }

    /// The distinct content terms of a question that some living document has, in the order of the question.
    pub fn question(&self, text: &str) -> Vec<QueryTerm> {
        let mut terms = Vec::new();
        text::for_each_word(text, |word| self.count(word, &mut terms));
        terms
    }

    /// The same of a question's words, in lower case.
    pub fn question_of(&self, words: &[String]) -> Vec<QueryTerm> {
        let mut terms = Vec::new();
        for word in words {
            self.count(word, &mut terms);
        }
        terms
    }

    fn count(&self, word: &str, terms: &mut Vec<QueryTerm>) {
        let Some(term) = self.term(word) else { return };
        match terms.iter_mut().find(|known| known.term == term) {
            Some(known) => known.weight += 1.0,
            None => terms.push(QueryTerm { term, weight: 1.0, idf: self.idf(term) }),
        }
    }

    /// The living documents that have a term of a question, by document: each with how often it has it, and what that
    /// says, weight × idf × tf × (k1 + 1) / (tf + k1 × (1 − b + b × length / average length)).
    #[inline]
    pub fn weighed(&self, query: &QueryTerm) -> impl Iterator<Item = (u32, u32, f32)> {
        let Bm25 { k1, b } = self.parameters;
        let base = k1 * (1.0 - b);
        // Where no document has a word there is no posting either, and the slope is not used.
        let slope = k1 * b / self.average_length().max(f32::MIN_POSITIVE);
        let most = query.weight * query.idf * (k1 + 1.0);
        self.postings(query.term).map(move |(document, found, length)| {
            let count = found as f32;
            (document, found, most * count / (count + base + slope * length as f32))
        })
    }

    /// Adds to `scores`, which is indexed by document, what the terms say for each living document; see
    /// [`weighed`](Self::weighed).
    ///
    /// # Panics
    /// If `scores` is shorter than [`end`](Self::end).
    pub fn score(&self, terms: &[QueryTerm], scores: &mut [f32]) {
        for query in terms {
            for (document, _, said) in self.weighed(query) {
                scores[document as usize] += said;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn indexed(texts: &[&str]) -> Lexical {
        let mut index = Lexical::new(Bm25::default());
        for (document, text) in (0..).zip(texts) {
            index.insert(document, text);
        }
        index
    }

    fn scores(index: &Lexical, question: &str) -> Vec<f32> {
        let mut scores = vec![0.0; index.end() as usize];
        index.score(&index.question(question), &mut scores);
        scores
    }

    #[test]
    fn scores_are_those_computed_by_hand() {
        let index = indexed(&["The cat sat", "A cat and a cat, running", "Dogs run"]);
        // Lengths 2 (cat sat), 3 (cat cat run), 2 (dog run); their average is 7/3.
        assert!((index.average_length() - 7.0 / 3.0).abs() < 1e-6);
        let terms = index.question("Did the cats run to the other cats?");
        let cat_idf = (1.0_f32 + 1.5 / 2.5).ln();
        assert_eq!(terms.len(), 2);
        assert_eq!((terms[0].weight, terms[1].weight), (2.0, 1.0));
        assert!((terms[0].idf - cat_idf).abs() < 1e-6 && (terms[1].idf - cat_idf).abs() < 1e-6);
        let norm = |length: f32| 1.2 * (0.6 + 0.4 * length / (7.0 / 3.0));
        let expected = [
            2.0 * cat_idf * 2.2 / (1.0 + norm(2.0)),
            2.0 * cat_idf * 2.0 * 2.2 / (2.0 + norm(3.0)) + cat_idf * 2.2 / (1.0 + norm(3.0)),
            cat_idf * 2.2 / (1.0 + norm(2.0)),
        ];
        for (got, expected) in scores(&index, "Did the cats run to the other cats?").iter().zip(expected) {
            assert!((got - expected).abs() < 1e-6, "{got} is not {expected}");
        }
    }

    #[test]
    fn documents_are_told_apart_by_number_and_may_be_left_out() {
        let mut index = Lexical::new(Bm25::default());
        index.insert(2, "porto");
        index.insert(5, "the");
        assert_eq!(index.documents().collect::<Vec<_>>(), [2, 5]);
        assert_eq!(
            (index.length(0), index.length(2), index.length(5), index.length(9)),
            (None, Some(1), Some(0), None)
        );
        let porto = index.term("porto").expect("a document has it");
        assert_eq!(index.document_terms(2), [(porto, 1)]);
        assert_eq!(index.postings(porto).collect::<Vec<_>>(), [(2, 1, 1)]);
        assert!(index.document_terms(5).is_empty() && index.document_terms(9).is_empty());
        assert!(!index.remove(0) && index.remove(2) && !index.remove(2) && !index.remove(9));
        assert_eq!((index.len(), index.term("porto")), (1, None));
    }

    #[test]
    fn unspaced_scripts_are_found() {
        let index = indexed(&["我住在北京大学", "東京に行った", "我爱上海"]);
        let found = scores(&index, "北京");
        assert!(found[0] > 0.0 && found[1] < found[0] && found[2] == 0.0, "{found:?}");
    }

    /// Texts of words that repeat, share stems and are stop words at times.
    fn texts(most: usize) -> impl Strategy<Value = Vec<String>> {
        let word = prop_oneof!["[a-d]{1,2}", "(run|runs|running|the|was|北京|Zoë)"];
        let text = prop::collection::vec(word, 0..8).prop_map(|words| words.join(" "));
        prop::collection::vec(text, 1..most)
    }

    /// Everything that a reader can see, told in words instead of term numbers where these may differ.
    fn seen(index: &Lexical, question: &str) -> impl PartialEq + std::fmt::Debug {
        let asked: Vec<_> = index
            .question(question)
            .iter()
            .map(|q| (q.weight.to_bits(), q.idf.to_bits(), index.postings(q.term).collect::<Vec<_>>()))
            .collect();
        let scores: Vec<u32> = scores(index, question).into_iter().map(f32::to_bits).collect();
        let sizes: Vec<_> = index.documents().map(|d| (d, index.document_terms(d).len())).collect();
        (asked, scores, sizes, index.len(), index.average_length().to_bits())
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        #[test]
        fn removed_documents_never_were(texts in texts(160), removed in prop::collection::vec(any::<bool>(), 160)) {
            let mut index = indexed(&texts.iter().map(String::as_str).collect::<Vec<_>>());
            let mut never = Lexical::new(Bm25::default());
            for (document, (text, removed)) in (0..).zip(texts.iter().zip(&removed)) {
                if *removed {
                    index.remove(document);
                } else {
                    never.insert(document, text);
                }
            }
            // A last document makes both end at the same number.
            index.insert(200, "zz running");
            never.insert(200, "zz running");
            let question = texts.join(" ");
            prop_assert_eq!(seen(&index, &question), seen(&never, &question));
        }
    }

    #[test]
    fn a_batch_is_the_same_as_single_inserts() {
        let mut runner = proptest::test_runner::TestRunner::deterministic();
        let mut few: Vec<String> = Vec::new();
        while few.len() < 2 * CHUNK * WAVE + 700 {
            let tree = texts(400).new_tree(&mut runner).expect("the strategy has no filters");
            few.extend(prop::strategy::ValueTree::current(&tree));
        }
        let texts: Vec<&str> = few.iter().map(String::as_str).collect();
        let single = indexed(&texts);
        let mut batch = Lexical::new(Bm25::default());
        batch.insert_batch(0, &texts[..3]);
        batch.insert_batch(3, &texts[3..]);
        for document in 0..single.end() {
            assert_eq!(single.length(document), batch.length(document));
            assert_eq!(single.document_terms(document), batch.document_terms(document));
        }
        assert_eq!(single.frequencies, batch.frequencies);
        let question = texts[..200].join(" ");
        assert_eq!(seen(&single, &question), seen(&batch, &question));
    }
}
