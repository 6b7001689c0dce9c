//! What could be the answer: phrases and times of the turns that were found, and where routes over facts lead; each with
//! what speaks for it.

use std::sync::LazyLock;

use lorebase_engine::embed::{Embedder, TableEmbedder};
use lorebase_engine::index::dot;
use lorebase_engine::model::time::Interval;
use lorebase_engine::state::State;
use lorebase_engine::text;
use lorebase_extract::phrases::{Asking, Part, Phrase, Sought, Want};
use lorebase_extract::syntax::Tag;
use rustc_hash::{FxHashMap, FxHashSet};

use super::evidence::{Evidence, Line, Turn, Whose};
use super::features::{self as at, FEATURES, Features};
use super::when::{self, Told, When};

/// Something that could be the answer.
#[derive(Debug, Clone, PartialEq)]
pub struct Candidate {
    /// In words.
    pub text: String,
    /// The place of its turn among those that were found.
    pub turn: usize,
    /// What kind of piece it is: a part of a sentence, or a time.
    pub kind: Kind,
    /// What speaks for it, a number each.
    pub features: Features,
    /// The time that it tells, where it is one.
    pub time: Option<Interval>,
}

/// What a candidate is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Kind {
    /// A piece of a sentence.
    Phrase(Part),
    /// A time that is told.
    Dated,
    /// A time that is told against when it was said.
    Relative,
    /// When it was said.
    Said,
    /// How long it takes.
    Duration,
    /// Where a route over facts leads.
    Route,
}

static WORDS: LazyLock<TableEmbedder> = LazyLock::new(TableEmbedder::default);

/// The vectors of words, each made once.
#[derive(Default)]
pub(crate) struct Vectors(FxHashMap<String, Vec<f32>>);

impl Vectors {
    pub(crate) fn likeness(&mut self, one: &str, other: &str) -> f32 {
        if one.is_empty() || other.is_empty() {
            return 0.0;
        }
        self.load(one);
        self.load(other);
        let (one, other) = (&self.0[one], &self.0[other]);
        dot(one, other)
    }

    fn load(&mut self, text: &str) {
        if !self.0.contains_key(text) {
            let made = WORDS.embed(&[text]).unwrap_or_default().pop().unwrap_or_default();
            self.0.insert(text.to_owned(), made);
        }
    }
}

/// What all candidates of a question share.
pub(crate) struct Gathering<'g> {
    pub(crate) state: &'g State,
    pub(crate) question: &'g str,
    pub(crate) asking: &'g Asking,
    pub(crate) evidence: &'g Evidence,
    vectors: Vectors,
    stems: text::Stems,
    /// The stem of the verb and of the noun of the question.
    verb: String,
    noun: String,
    /// In how many of the turns each stem stands.
    spread: FxHashMap<String, usize>,
    most_covered: f32,
}

impl<'g> Gathering<'g> {
    pub(crate) fn new(
        state: &'g State,
        question: &'g str,
        asking: &'g Asking,
        evidence: &'g Evidence,
    ) -> Self {
        let stems = text::Stems::default();
        let mut spread = FxHashMap::default();
        for turn in &evidence.turns {
            let distinct: FxHashSet<&String> = turn.lines.iter().flat_map(|line| &line.stems).collect();
            for stem in distinct {
                *spread.entry(stem.clone()).or_default() += 1;
            }
        }
        let verb = stems.stem(&asking.verb).into_owned();
        let noun = stems.stem(&asking.noun).into_owned();
        let lines = evidence.turns.iter().flat_map(|turn| &turn.lines);
        let most_covered = lines.map(|line| line.covered).fold(0.0, f32::max);
        Self {
            state,
            question,
            asking,
            evidence,
            vectors: Vectors::default(),
            stems,
            verb,
            noun,
            spread,
            most_covered,
        }
    }

    /// Every candidate.
    pub(crate) fn all(mut self) -> Vec<Candidate> {
        let mut found = Vec::new();
        for (place, turn) in self.evidence.turns.iter().enumerate() {
            let dated = matches!(self.asking.want, Want::Date);
            for (number, line) in turn.lines.iter().enumerate() {
                if !dated {
                    for phrase in &line.sentence.phrases {
                        found.push(self.phrase((place, turn), (number, line), phrase));
                    }
                }
            }
            if dated {
                for when in when::times(&turn.episode) {
                    found.push(self.time((place, turn), &when));
                }
            }
            if self.asking.want == Want::Duration {
                for (text, bytes) in when::durations(&turn.episode) {
                    found.push(self.duration((place, turn), text, bytes));
                }
            }
            if let Some(step) = turn.path.last() {
                found.push(self.route((place, turn), &step.to));
            }
        }
        found
    }

    /// What every candidate of a turn has in common.
    fn of_turn((place, turn): (usize, &Turn), features: &mut Features) {
        features[at::RANK] = (1.0 + place as f32).ln();
        features[at::SCORE] = turn.score;
        features[at::TURN_COVERED] = turn.covered;
        features[at::BEFORE_COVERED] = turn.before;
        features[at::TOGETHER_COVERED] = turn.together;
        features[at::REPLIES] = f32::from(turn.replies);
        features[at::WHOSE] = match turn.whose {
            Whose::Theirs => 1.0,
            Whose::Others => -1.0,
            Whose::Anyone => 0.0,
        };
        features[at::TURN_LINES] = turn.lines.len() as f32;
        features[at::WALKED] = f32::from(!turn.path.is_empty());
    }

    fn of_line(&self, (number, line): (usize, &Line), features: &mut Features) {
        features[at::LINE_COVERED] = line.covered;
        features[at::LINE_PLACE] = number as f32;
        features[at::LINE_ASKS] = f32::from(line.sentence.asks);
        features[at::LINE_WORDS] = line.sentence.words.len() as f32;
        features[at::LINE_AGAINST_BEST] = line.covered / self.most_covered.max(0.01);
    }

    fn phrase(&mut self, turn: (usize, &Turn), (number, line): (usize, &Line), phrase: &Phrase) -> Candidate {
        let mut features = [0.0; FEATURES];
        Self::of_turn(turn, &mut features);
        self.of_line((number, line), &mut features);
        self.of_words(&phrase.text, line, &mut features);
        let asking = self.asking;
        features[at::WORDS] = phrase.length as f32;
        features[at::DEPTH] = phrase.depth as f32;
        features[at::JOINED] = f32::from(phrase.joined);
        features[at::NEGATED] = f32::from(phrase.negated);
        let verb = self.stems.stem(&phrase.verb).into_owned();
        features[at::VERB_ASKED] =
            f32::from(!verb.is_empty() && self.evidence.terms.mass.contains_key(&verb));
        features[at::VERB_SAME] = f32::from(!verb.is_empty() && verb == self.verb);
        let first = matches!(phrase.subject.as_str(), "i" | "we");
        let named = self.evidence.named.map(|named| self.state.speakers()[named as usize].to_lowercase());
        let is_named =
            named.is_some_and(|name| !phrase.subject.is_empty() && name.starts_with(&phrase.subject));
        features[at::SUBJECT_THEIRS] = f32::from(first && turn.1.whose == Whose::Theirs || is_named);
        features[at::SUBJECT_YOU] = f32::from(matches!(phrase.subject.as_str(), "you"));
        features[at::PLACE_FITS] = f32::from(fits(asking.sought, phrase.part));
        features[at::PREPOSITION_SAME] =
            f32::from(!asking.preposition.is_empty() && asking.preposition == phrase.preposition);
        let head = self.stems.stem(&phrase.head).into_owned();
        features[at::NOUN_SAME] = f32::from(!self.noun.is_empty() && head == self.noun);
        features[at::HEAD_LIKE_NOUN] = self.vectors.likeness(&asking.noun, &phrase.head);
        features[at::IS_NAME] = f32::from(matches!(phrase.tag, Tag::Nnp | Tag::Nnps));
        features[at::IS_NUMBER] = f32::from(matches!(phrase.tag, Tag::Cd));
        features[at::IS_PLURAL] = f32::from(matches!(phrase.tag, Tag::Nns | Tag::Nnps));
        features[at::IS_ADJECTIVE] = f32::from(matches!(phrase.tag, Tag::Jj | Tag::Jjr | Tag::Jjs));
        features[at::IS_GERUND] = f32::from(matches!(phrase.tag, Tag::Vbg));
        features[at::PREPOSITION] = place_of(
            &["to", "in", "at", "for", "by", "with", "because", "about", "of", "from", "on"],
            &phrase.preposition,
        );
        features[at::DISTANCE] = self.distance(line, phrase);
        features[at::VERBS_LIKE] = self.vectors.likeness(&asking.verb, &phrase.verb);
        features[at::PART + phrase.part as usize] = 1.0;
        self.of_question(&mut features);
        Candidate {
            text: phrase.text.clone(),
            turn: turn.0,
            kind: Kind::Phrase(phrase.part),
            features,
            time: None,
        }
    }

    /// What the words of a candidate tell, whatever it is.
    fn of_words(&mut self, candidate: &str, line: &Line, features: &mut Features) {
        let (mut words, mut content, mut asked, mut seen, mut rare) = (0, 0, 0, 0, 0.0_f32);
        let mut spread = 0.0;
        let mut own: Vec<String> = Vec::new();
        text::for_each_word(candidate, |word| own.push(word.to_owned()));
        for word in &own {
            words += 1;
            if text::is_stop_word(word) {
                continue;
            }
            content += 1;
            let stem = self.stems.stem(word).into_owned();
            asked += usize::from(self.evidence.terms.mass.contains_key(&stem));
            seen += usize::from(self.evidence.terms.names.contains(&stem));
            spread += self.spread.get(&stem).copied().unwrap_or_default() as f32;
            let term = self.state.lexical().question(word);
            rare = rare.max(term.first().map_or(0.0, |term| term.idf));
        }
        let content_some = content.max(1) as f32;
        features[at::ASKED_SHARE] = asked as f32 / content_some;
        features[at::NEW_WORDS] = (content - asked - seen) as f32;
        features[at::NAMES_SHARE] = seen as f32 / content_some;
        features[at::SPREAD] = spread / content_some / self.evidence.turns.len().max(1) as f32;
        features[at::RARITY] = rare;
        features[at::LIKE_QUESTION] = self.vectors.likeness(self.question, candidate);
        features[at::LIKE_NOUN] = self.vectors.likeness(&self.asking.noun, candidate);
        features[at::DIGITS] = f32::from(candidate.bytes().any(|byte| byte.is_ascii_digit()));
        let capital =
            candidate.split_whitespace().any(|word| word.starts_with(char::is_uppercase) && word != "I");
        features[at::CAPITALS] = f32::from(capital);
        features[at::SHARE_OF_LINE] = words as f32 / line.sentence.words.len().max(1) as f32;
    }

    /// How far a phrase stands from the nearest word of the question outside of it, in words of the sentence.
    fn distance(&self, line: &Line, phrase: &Phrase) -> f32 {
        let words = &line.sentence.words;
        let Some(head) = words.iter().position(|word| *word == phrase.head) else { return 20.0 };
        let met =
            line.stems.iter().enumerate().filter(|(_, stem)| self.evidence.terms.mass.contains_key(*stem));
        let near = met.map(|(at, _)| at.abs_diff(head)).filter(|far| *far > 0).min();
        near.map_or(20.0, |far| far.min(20) as f32)
    }

    fn of_question(&self, features: &mut Features) {
        features[at::WANT + self.asking.want as usize] = 1.0;
        features[at::SEVERAL] = f32::from(self.asking.several);
        features[at::SOUGHT] = self.asking.sought as usize as f32;
        features[at::NOUN_ASKED] = f32::from(!self.asking.noun.is_empty());
    }

    fn time(&mut self, turn: (usize, &Turn), when: &When) -> Candidate {
        let mut features = [0.0; FEATURES];
        Self::of_turn(turn, &mut features);
        let at = turn.1.lines.iter().enumerate().find(|(_, line)| {
            let (from, end) = line.sentence.bytes;
            when.told != Told::Said && (from..end).contains(&when.bytes.0)
        });
        if let Some((number, line)) = at {
            self.of_line((number, line), &mut features);
            features[at::DISTANCE] = self.distance_at(turn.1, line, when.bytes);
        } else {
            let best = turn.1.lines.iter().map(|line| line.covered).fold(0.0, f32::max);
            features[at::LINE_COVERED] = best;
            features[at::LINE_AGAINST_BEST] = best / self.most_covered.max(0.01);
            features[at::DISTANCE] = 20.0;
        }
        self.of_question(&mut features);
        features[at::DATED] = f32::from(when.told == Told::Dated);
        features[at::RELATIVE] = f32::from(when.told == Told::Relative);
        features[at::SAID] = f32::from(when.told == Told::Said);
        features[at::GRANULARITY] = when.granularity as usize as f32;
        // Whether the turn tells of no other time.
        features[at::ONLY_TIME] = f32::from(when::times(&turn.1.episode).len() == 1);
        let asks_future = self.asks_of_future();
        let said = turn.1.episode.occurred_at.map(|at| at.instant);
        let later = when.interval.from.zip(said).is_some_and(|(from, said)| from > said);
        features[at::ASKS_FUTURE] = f32::from(asks_future);
        features[at::LATER] = f32::from(later);
        features[at::FUTURE_FITS] = f32::from(asks_future == later);
        let kind = match when.told {
            Told::Dated => Kind::Dated,
            Told::Relative => Kind::Relative,
            Told::Said => Kind::Said,
        };
        Candidate { text: when.text.clone(), turn: turn.0, kind, features, time: Some(when.interval) }
    }

    /// Whether the question asks of what is still to come.
    fn asks_of_future(&self) -> bool {
        let lower = self.question.to_lowercase();
        ["will ", "plan", "going to", "is attending", "leav"].iter().any(|word| lower.contains(word))
    }

    fn distance_at(&self, turn: &Turn, line: &Line, bytes: (usize, usize)) -> f32 {
        let (from, _) = line.sentence.bytes;
        let before = &turn.episode.text[from..bytes.0.max(from)];
        let at = before.split_whitespace().count();
        let met =
            line.stems.iter().enumerate().filter(|(_, stem)| self.evidence.terms.mass.contains_key(*stem));
        met.map(|(place, _)| place.abs_diff(at)).min().map_or(20.0, |far| far.min(20) as f32)
    }

    fn duration(&mut self, turn: (usize, &Turn), text: String, bytes: (usize, usize)) -> Candidate {
        let mut features = [0.0; FEATURES];
        Self::of_turn(turn, &mut features);
        let at = turn
            .1
            .lines
            .iter()
            .enumerate()
            .find(|(_, line)| (line.sentence.bytes.0..line.sentence.bytes.1).contains(&bytes.0));
        if let Some((number, line)) = at {
            self.of_line((number, line), &mut features);
            self.of_words(&text, line, &mut features);
            features[at::DISTANCE] = self.distance_at(turn.1, line, bytes);
        }
        self.of_question(&mut features);
        features[at::DURATION] = 1.0;
        Candidate { text, turn: turn.0, kind: Kind::Duration, features, time: None }
    }

    fn route(&mut self, turn: (usize, &Turn), to: &str) -> Candidate {
        let mut features = [0.0; FEATURES];
        Self::of_turn(turn, &mut features);
        if let Some(line) = turn.1.lines.first() {
            self.of_words(to, line, &mut features);
        }
        features[at::LINE_COVERED] = turn.1.lines.iter().map(|line| line.covered).fold(0.0, f32::max);
        self.of_question(&mut features);
        features[at::HEAD_LIKE_NOUN] = self.vectors.likeness(&self.asking.noun, to);
        features[at::WORDS] = to.split_whitespace().count() as f32;
        Candidate { text: to.to_owned(), turn: turn.0, kind: Kind::Route, features, time: None }
    }
}

/// Whether a phrase stands where the answer would.
fn fits(sought: Sought, part: Part) -> bool {
    matches!(
        (sought, part),
        (Sought::Subject, Part::Subject)
            | (Sought::Object, Part::Object)
            | (Sought::Attribute, Part::Attribute)
            | (Sought::Prepositional, Part::Prepositional | Part::Circumstance)
    )
}

/// The place of a word in a list, from 1; 0 where it is not there.
fn place_of(words: &[&str], word: &str) -> f32 {
    words.iter().position(|known| *known == word).map_or(0.0, |place| 1.0 + place as f32)
}
