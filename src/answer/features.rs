//! What speaks for a candidate, by its place among the numbers: the trees of `forest.rs` were learnt on these.

/// How many numbers speak for a candidate.
pub const FEATURES: usize = 80;

/// The numbers of a candidate.
pub type Features = [f32; FEATURES];

/// The place of its turn among the hits, as a logarithm.
pub(super) const RANK: usize = 0;
/// The score of its turn against that of the best hit.
pub(super) const SCORE: usize = 1;
/// The share of the question that its turn accounts for.
pub(super) const TURN_COVERED: usize = 2;
/// The share that the turn before accounts for.
pub(super) const BEFORE_COVERED: usize = 3;
/// The share that both account for.
pub(super) const TOGETHER_COVERED: usize = 4;
/// Whether the turn before asks something.
pub(super) const REPLIES: usize = 5;
/// 1 where the one speaks whom the question is about, -1 where somebody else does, 0 where it is about nobody.
pub(super) const WHOSE: usize = 6;
/// Sentences of its turn.
pub(super) const TURN_LINES: usize = 7;
/// Whether a walk through the graph led to its turn.
pub(super) const WALKED: usize = 8;
/// The share of the question that its sentence accounts for.
pub(super) const LINE_COVERED: usize = 9;
/// The place of its sentence in the turn.
pub(super) const LINE_PLACE: usize = 10;
/// Whether its sentence asks something.
pub(super) const LINE_ASKS: usize = 11;
/// Words of its sentence.
pub(super) const LINE_WORDS: usize = 12;
/// What its sentence accounts for against the sentence that accounts for most.
pub(super) const LINE_AGAINST_BEST: usize = 13;
/// The share of its content words that stand in the question.
pub(super) const ASKED_SHARE: usize = 14;
/// Its content words that do not, and name nobody who speaks.
pub(super) const NEW_WORDS: usize = 15;
/// The share of its content words that name somebody who speaks.
pub(super) const NAMES_SHARE: usize = 16;
/// In how many of the turns its words stand on average, as a share.
pub(super) const SPREAD: usize = 17;
/// How rare its rarest word is.
pub(super) const RARITY: usize = 18;
/// How like the question it is.
pub(super) const LIKE_QUESTION: usize = 19;
/// How like the noun it is that the question asks for.
pub(super) const LIKE_NOUN: usize = 20;
/// Whether it has digits.
pub(super) const DIGITS: usize = 21;
/// Whether a word of it has a capital.
pub(super) const CAPITALS: usize = 22;
/// The share of its sentence that it is.
pub(super) const SHARE_OF_LINE: usize = 23;
/// Its words.
pub(super) const WORDS: usize = 24;
/// How deep it stands in its sentence.
pub(super) const DEPTH: usize = 25;
/// Whether it joins several things.
pub(super) const JOINED: usize = 26;
/// Whether its verb is denied.
pub(super) const NEGATED: usize = 27;
/// Whether its verb stands in the question.
pub(super) const VERB_ASKED: usize = 28;
/// Whether its verb is the question's.
pub(super) const VERB_SAME: usize = 29;
/// Whether the subject of its verb is the one whom the question is about.
pub(super) const SUBJECT_THEIRS: usize = 30;
/// Whether that subject is who is spoken to.
pub(super) const SUBJECT_YOU: usize = 31;
/// Whether it stands in its sentence where the answer would.
pub(super) const PLACE_FITS: usize = 32;
/// Whether it stands behind the question's preposition.
pub(super) const PREPOSITION_SAME: usize = 33;
/// Whether its main word is the noun that the question asks for.
pub(super) const NOUN_SAME: usize = 34;
/// How like that noun its main word is.
pub(super) const HEAD_LIKE_NOUN: usize = 35;
/// Whether its main word is a name.
pub(super) const IS_NAME: usize = 36;
/// Whether its main word is a number.
pub(super) const IS_NUMBER: usize = 37;
/// Whether its main word is a plural.
pub(super) const IS_PLURAL: usize = 38;
/// Whether its main word is an adjective.
pub(super) const IS_ADJECTIVE: usize = 39;
/// Whether its main word is a verb in -ing.
pub(super) const IS_GERUND: usize = 40;
/// Its preposition, by its place in a list.
pub(super) const PREPOSITION: usize = 41;
/// How many words it stands from the nearest word of the question, at most 20.
pub(super) const DISTANCE: usize = 42;
/// How like the question's verb its own is.
pub(super) const VERBS_LIKE: usize = 43;
/// From here on 1 for its part of the sentence, in the order of `Part::ALL`.
pub(super) const PART: usize = 44;
/// From here on 1 for the kind of answer that is wanted, in the order of `Want::ALL`.
pub(super) const WANT: usize = 55;
/// Whether several things are asked for.
pub(super) const SEVERAL: usize = 68;
/// As what the answer would stand in its sentence.
pub(super) const SOUGHT: usize = 69;
/// Whether the question names what kind of thing it asks for.
pub(super) const NOUN_ASKED: usize = 70;
/// Whether it is a time that is told by its date.
pub(super) const DATED: usize = 71;
/// Whether it is a time that is told against when it was said.
pub(super) const RELATIVE: usize = 72;
/// Whether it is when its turn was said.
pub(super) const SAID: usize = 73;
/// How exactly a time is told.
pub(super) const GRANULARITY: usize = 74;
/// Whether its turn tells of no other time.
pub(super) const ONLY_TIME: usize = 75;
/// Whether the question asks of what is still to come.
pub(super) const ASKS_FUTURE: usize = 76;
/// Whether the time lies after it was told.
pub(super) const LATER: usize = 77;
/// Whether both do or neither does.
pub(super) const FUTURE_FITS: usize = 78;
/// Whether it is how long something takes.
pub(super) const DURATION: usize = 79;
