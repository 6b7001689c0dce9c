//! Every number of the recall formula, in one place. Those of the ranking and of the bridge were tuned
//! together on the tuning halves of LoCoMo, REALTALK, RealMem, BEAM and MuSiQue, and are round. Those of
//! facts and names move these sets by no more than 0.2: they were set by hand on our own examples, as
//! `docs/quality.md` says. What each part is worth stands there, too.

/// Extra power of a term's inverse document frequency in its weight: rare words say more than BM25 gives
/// them.
pub(crate) const RARE: f32 = 0.25;
/// Power of a term's count in the question.
pub(crate) const REPEAT: f32 = 0.5;
/// What the scores of the turns at distance 1, 2 and 3 in the same session add to a turn's own.
pub(crate) const NEAR: [f32; 3] = [0.4, 0.2, 0.1];
/// What the turn before adds besides, where somebody else asked something there: this turn is the answer.
pub(crate) const ANSWER: f32 = 0.3;
/// What the session's own BM25 score adds to each of its turns.
pub(crate) const SESSION: f32 = 0.5;
/// BM25's `b` for whole sessions, of which the length says more than that of turns.
pub(crate) const SESSION_B: f32 = 0.75;
/// BM25's `k1` for whole sessions.
pub(crate) const SESSION_K1: f32 = 1.2;
/// What the idf mass of the question's terms that stand near a turn adds, each counted once.
pub(crate) const COVERAGE: f32 = 0.25;
/// How far "near" reaches, in turns on each side.
pub(crate) const COVERAGE_REACH: usize = 2;
/// The factor where the one speaker, or the document, that the question names is at hand.
pub(crate) const SUBJECT: f32 = 2.0;
/// What is added to the factor where a turn was said in an interval that the question names, or soon after.
pub(crate) const TIMELINE: f32 = 0.2;
/// How long after an interval it is still talked of: 7 days, in milliseconds.
pub(crate) const TIMELINE_LAG_MILLIS: i64 = 7 * 86_400_000;
/// What is added to the factor of the newest session where the time of asking is given.
pub(crate) const RECENCY: f32 = 1.0;
/// At this many sessions of age, [`RECENCY`] is halved.
pub(crate) const RECENCY_HALF: f32 = 5.0;
/// How like a name's spelling an unknown word of the question must be to stand for it, as a cosine. Half of a
/// vector is the stem, so a slip leaves about this much; words with nothing in common come to 0.06.
pub(crate) const NAME_LIKENESS: f32 = 0.3;
/// How many names an unknown word can stand for.
pub(crate) const NAME_CANDIDATES: usize = 1;
/// How like the question an episode must be to be found by its vector alone, as a cosine: four times what
/// unrelated texts come to in 256 dimensions (1/√256).
pub(crate) const VECTOR_FLOOR: f32 = 0.25;
/// How many vector matches are looked at.
pub(crate) const VECTOR_CANDIDATES: usize = 50;
/// What likeness by a sentence encoder adds at most, as a share of the best score by words. It and the next
/// three were set together on the tuning halves with bge-small, from a grid of some fifty settings. Where it
/// counts, [`NEAR`] does not: likeness is lent to neighbours instead.
pub(crate) const MEANING: f32 = 0.4;
/// How many of the nearest episodes count, the last of them for nothing.
pub(crate) const MEANING_CANDIDATES: usize = 128;
/// What an episode's likeness adds to those at distance 1, 2 and 3 in its session.
pub(crate) const MEANING_NEAR: [f32; 3] = [0.3, 0.15, 0.1];
/// What the mean likeness of a session's three best turns adds to each of its turns.
pub(crate) const MEANING_SESSION: f32 = 0.5;
/// [`MEANING`], where likeness is that of words only, as the built-in table tells it. This and the next three
/// were set together on the tuning halves with that table, from a grid of two dozen settings.
pub(crate) const WORD_MEANING: f32 = 0.25;
/// [`MEANING_NEAR`] there: a turn that shares no word with the question is seldom of its subject for standing
/// near one.
pub(crate) const WORD_MEANING_NEAR: [f32; 3] = [0.0; 3];
/// [`MEANING_SESSION`] there.
pub(crate) const WORD_MEANING_SESSION: f32 = 0.5;
/// What of [`WORD_MEANING`] counts for a document (the only episode of its session): long texts that have the
/// same subject have much the same words.
pub(crate) const WORD_MEANING_DOCUMENT: f32 = 0.3;
/// How like the question an episode must be to be found by the table alone, as a cosine. Set by hand.
pub(crate) const WORD_FLOOR: f32 = 0.35;
/// Bonus per unit of a walk's score for a document (the only episode of its session).
pub(crate) const BRIDGE_DOCUMENT: f32 = 2.0;
/// The same for a turn of a conversation.
pub(crate) const BRIDGE_TURN: f32 = 1.0;
/// What a shared entity is worth before the passage it leads to explains any more of the question.
pub(crate) const BRIDGE_LINK: f32 = 0.3;
/// What a passage's likeness to what is left of the question's vector is worth beside the share of the
/// question that it explains by words: of 0.25, 0.5, 1, 2 and 3 the best for MuSiQue with bge-small; turns of
/// long chats lose a little.
pub(crate) const BRIDGE_REST: f32 = 1.0;
/// The power of an entity's degree by which steps over it are damped.
pub(crate) const BRIDGE_DAMPING: f32 = 0.5;
/// The factor where the entity is the heading of the document stepped to.
pub(crate) const BRIDGE_HEADING: f32 = 2.0;
/// How many paths are walked on from at each hop.
pub(crate) const BRIDGE_BEAM: usize = 5;
/// How many steps from passage to passage a walk has at most.
pub(crate) const BRIDGE_HOPS: usize = 2;
/// Entities that more episodes name are no bridges.
pub(crate) const BRIDGE_DEGREE: u32 = 50;
/// Bonus of an episode per share of the question that the best route of facts over it accounts for, as a
/// share of the best score.
pub(crate) const FACTS: f32 = 1.0;
/// How many facts a route has at most.
pub(crate) const FACT_HOPS: usize = 4;
/// How many routes are followed further at each step.
pub(crate) const FACT_BEAM: usize = 16;
/// How many facts of one entity and one predicate are looked at, the newest first: what is chosen among more
/// says little, see [`FACT_BRANCHING`], and only [`FACT_BEAM`] of them are followed further.
pub(crate) const FACT_DEGREE: usize = 256;
/// A route that is damped to less than this is not followed: it could add no more than this share of the best
/// score.
pub(crate) const FACT_FLOOR: f32 = 0.05;
/// The power by which a route is damped by the number of facts that it chose among: of 0.5, 0.75 and 1 the
/// best for multi-hop questions of the tuning half of LoCoMo and for BEAM, by half a point.
pub(crate) const FACT_BRANCHING: f32 = 0.75;
/// The factor of a step from the one entity that is likely the same; where there are more, [`FACT_BRANCHING`]
/// damps it further.
pub(crate) const FACT_NAMESAKE: f32 = 0.95;
/// The factor of a step over a fact that follows by a rule: where it says no more of the question than a
/// stated one does, that comes first. Set by hand.
pub(crate) const FACT_DERIVED: f32 = 0.9;
/// The factor of a fact that does not stand any more, or that denies something.
pub(crate) const FACT_OUTDATED: f32 = 0.25;
/// How many words of a question are looked at, from its beginning.
pub(crate) const QUESTION_WORDS: usize = 512;
/// For how many unknown words of a question names that are spelt like them are looked up.
pub(crate) const GUESSED_WORDS: usize = 16;
/// How many of the first hits are brought into the learnt order; `scripts/order/fit.py` learns from as many. Set by hand.
pub(crate) const ORDERED: usize = 80;
/// What the score of the formula, as a share of the best, counts beside what trees make of a hit as it was found; and how far
/// the trees' number of a hit falls with each, as a logarithm, that stands before it of the same session. `scripts/order/fit.py`
/// prints figures with both, of conversations that were not learnt from, by which they were chosen out of 0 to 8 and 0 to 0.5.
pub(crate) const ORDER_FORMULA: f32 = 1.0;
pub(crate) const ORDER_APART: f32 = 0.3;
/// How alike two episodes must be to be copies of each other, as a cosine: the same words up to rounding.
pub(crate) const COPY_LIKENESS: f32 = 0.99;
/// The factor of a hit that is a copy of a better one.
pub(crate) const COPY: f32 = 0.5;
/// What the best number of a reranker adds, as a share of what the scores of the candidates differ by: of a
/// turn behind the one before it, and of a turn alone, cubed, so that only the best count. They and what is
/// read were chosen on a third of the questions of the tuning half of LoCoMo, with ms-marco-MiniLM-L-12:
/// recall@10 and nDCG@10 were 80.7 and 68.0 with the first alone, 82.7 and 70.2 with both, and 82.7 and 70.1
/// where 40 were read alone and not 15. On all of it both give 83.6 and 70.1, each without the learnt order.
pub(crate) const RERANK: f32 = 1.6;
pub(crate) const RERANK_OWN: f32 = 0.8;
/// How many of the best by the first reading are read alone.
pub(crate) const RERANK_ALONE: usize = 15;
/// How many of the first hits a reranker reads.
pub(crate) const RERANK_CANDIDATES: usize = 40;
/// How many bytes it reads of the end of the turn before, and of the turn's own beginning.
pub(crate) const RERANK_BEFORE_BYTES: usize = 160;
pub(crate) const RERANK_TEXT_BYTES: usize = 1200;
/// Among how many of the first hits the current statement is sought, where a question asks for a value. This
/// and the next six were set on the eight questions of the tuning half of BEAM that name what was superseded;
/// `docs/quality.md` tells how far each may move. On the other halves they change nothing.
pub(crate) const UPDATE_CANDIDATES: usize = 20;
/// How many words long the stretch of a text is that is held against the question.
pub(crate) const UPDATE_WINDOW: usize = 20;
/// How many words from a word of the question a value may stand.
pub(crate) const UPDATE_NEAR: usize = 8;
/// How many bytes of a text are read for it, from its beginning.
pub(crate) const UPDATE_TEXT_BYTES: usize = 4000;
/// How much of what the best hit tells of the question a hit must tell for its values to be what is asked
/// for.
pub(crate) const UPDATE_FLOOR: f32 = 0.5;
/// How much of what the superseded statement tells of the question the current one must tell.
pub(crate) const UPDATE_SAME: f32 = 0.85;
/// The same where it tells of a change: "now", "reached", "increased".
pub(crate) const UPDATE_SAME_CHANGED: f32 = 0.65;
/// What of its score a hit loses at most by fading, and how many hits are found for it. These and the next
/// two were set by hand: no evaluation set tells when its questions are asked and what was of use before.
pub(crate) const FADE: f32 = 0.5;
pub(crate) const FADE_CANDIDATES: usize = 50;
/// In how many days a memory of average importance fades by half, by
/// [`FactKind`](lorebase_engine::model::fact::FactKind): facts, preferences, events, plans, decisions,
/// commitments, opinions, instructions, skills.
pub(crate) const FADE_HALF_DAYS: [f64; 9] = [365.0, 180.0, 60.0, 30.0, 180.0, 30.0, 90.0, 730.0, 365.0];
/// By how much that is longer for what was of use, per natural logarithm of one more than how often.
pub(crate) const FADE_USED: f64 = 1.0;
