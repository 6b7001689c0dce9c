//! The formula of recall worked out for every episode, step by step as it is told, against what recall passes
//! over on random histories: sessions that are told in turns, long texts, things that were forgotten,
//! questions of all kinds.

use std::sync::Arc;

use lorebase_engine::Missing;
use lorebase_engine::change::Changes;
use lorebase_engine::embed::{Embedder, HashEmbedder, Understanding};
use lorebase_engine::engine::{Engine, Reader};
use lorebase_engine::graph::{EpisodeIx, FactIx};
use lorebase_engine::model::entity::EntityKind;
use lorebase_engine::model::episode::{Episode, ExtractionStatus, Span};
use lorebase_engine::model::extraction::{Extraction, NamedSpan, Reading};
use lorebase_engine::model::fact::{FactKind, FactStatus, Named, Polarity, Triple, TripleObject};
use lorebase_engine::model::id::{Namespace, SessionId};
use lorebase_engine::model::predicate::Predicate;
use lorebase_engine::model::time::{Interval, SourceTime, Timestamp};
use lorebase_engine::state::{Fronts, State};

use proptest::prelude::*;

use crate::question::{Cues, Question};
use crate::recall::{Hit, QuestionVector, Shortcuts, answer};
use crate::retrieve::timeline::{self, Horizon};
use crate::score::Scores;
use crate::ways::{Way, Ways};
use crate::weights::{
    ANSWER, COVERAGE, COVERAGE_REACH, NEAR, RECENCY, RECENCY_HALF, SESSION, SESSION_B, SESSION_K1, SUBJECT,
    TIMELINE,
};

/// Names, of which some are parts of others, and words; the first are the more frequent.
const NAMES: [&str; 5] = ["Ilka", "Bram", "Ilka Moor", "Trieste", "Mosswell Mills"];
const WORDS: [&str; 12] = [
    "work",
    "sister",
    "met",
    "lives",
    "heron",
    "kettle",
    "May",
    "yesterday",
    "likes",
    "the",
    "pond",
    "market",
];
const PREDICATES: [&str; 4] = ["works_at", "sibling_of", "lives_in", "likes"];
const SPEAKERS: [&str; 3] = ["Ilka", "Bram", "Signe"];
const DAY_MILLIS: i64 = 86_400_000;

/// What a turn states.
#[derive(Debug, Clone)]
struct Claim {
    /// Numbers of names and of a predicate.
    says: (usize, usize, usize),
    is_so: bool,
    kind: usize,
    /// The days from and until which it holds.
    valid: (Option<i64>, Option<i64>),
    /// 1 where it is said with a doubt, 2 where it is passed on.
    doubts: u8,
}

/// A turn of a history.
#[derive(Debug, Clone)]
struct Told {
    session: usize,
    speaker: Option<usize>,
    /// On which day.
    at: Option<i64>,
    /// Numbers of names and words.
    words: Vec<usize>,
    /// How often the words are said over again.
    times: usize,
    asks: bool,
    claim: Option<Claim>,
    forgotten: bool,
}

fn word(number: usize) -> &'static str {
    NAMES.get(number).copied().unwrap_or_else(|| WORDS[number - NAMES.len()])
}

fn claim() -> impl Strategy<Value = Claim> {
    let says = (0..NAMES.len(), 0..PREDICATES.len(), 0..NAMES.len());
    let days = (prop::option::weighted(0.3, 0..20_i64), prop::option::weighted(0.2, 20..40_i64));
    let kind = prop_oneof![4 => Just(0), 1 => 1..FactKind::ALL.len()];
    let doubts = prop_oneof![3 => Just(0), 1 => 1..4_u8];
    let parts = (says, prop::bool::weighted(0.8), kind, days, doubts);
    parts.prop_map(|(says, is_so, kind, valid, doubts)| Claim { says, is_so, kind, valid, doubts })
}

/// A number below `end`, more often a small one.
fn small(end: usize) -> impl Strategy<Value = usize> {
    (0..end, 0..end, 0..end).prop_map(|(one, other, third)| one.min(other).min(third))
}

fn told() -> impl Strategy<Value = Told> {
    (
        small(12),
        prop::option::of(0..SPEAKERS.len()),
        prop::option::weighted(0.8, 0..40_i64),
        prop::collection::vec(small(WORDS.len() + NAMES.len()), 1..6),
        prop_oneof![19 => Just(1_usize), 1 => Just(60)],
        prop::bool::weighted(0.3),
        prop::option::of(claim()),
        prop::bool::weighted(0.05),
    )
        .prop_map(|(session, speaker, at, words, times, asks, claim, forgotten)| Told {
            session,
            speaker,
            at,
            words,
            times,
            asks,
            claim,
            forgotten,
        })
}

/// What is asked: numbers of words, and the conditions.
#[derive(Debug, Clone)]
struct Wanted {
    words: Vec<usize>,
    dated: bool,
    limit: usize,
    as_of: Option<i64>,
    before: Option<usize>,
    without: Option<usize>,
}

fn wanted() -> impl Strategy<Value = Wanted> {
    (
        prop::collection::vec(0..WORDS.len() + NAMES.len(), 1..6),
        prop::bool::weighted(0.2),
        1..12_usize,
        prop::option::weighted(0.3, 0..40_i64),
        prop::option::weighted(0.2, 0..13_usize),
        prop::option::weighted(0.4, 0..Way::ALL.len()),
    )
        .prop_map(|(words, dated, limit, as_of, before, without)| Wanted {
            words,
            dated,
            limit,
            as_of,
            before,
            without,
        })
}

fn day(number: i64) -> Timestamp {
    Timestamp::from_millis(1_682_900_000_000 + number * DAY_MILLIS).unwrap()
}

fn session(number: usize) -> SessionId {
    SessionId::new(&format!("s{number}"))
}

impl Told {
    fn episode(&self, position: u32) -> Episode {
        let words: Vec<&str> = self.words.iter().map(|number| word(*number)).collect();
        let end = if self.asks { "?" } else { "." };
        let text = vec![format!("{}{end}", words.join(" ")); self.times].join(" ");
        let session = session(self.session);
        let speaker = self.speaker.map(|number| SPEAKERS[number].to_owned());
        let at = self.at.map(|at| SourceTime::naive(day(at).civil()).unwrap());
        let id = Episode::id_of(&Namespace::default(), &session, position, (speaker.as_deref(), at), &text);
        let recorded_at = day(0);
        Episode {
            id,
            session,
            position,
            speaker,
            text,
            occurred_at: at,
            recorded_at,
            source_id: None,
            expires_at: None,
            told_at: None,
        }
    }

    fn reading(&self, episode: &Episode) -> Reading {
        let mut mentions = Vec::new();
        let mut start = 0;
        for &number in &self.words {
            let end = start + word(number).chars().count() as u32;
            if number < NAMES.len() {
                let kind = if number < 3 { EntityKind::Person } else { EntityKind::Place };
                mentions.push(NamedSpan { span: Span { start, end }, name: word(number).to_owned(), kind });
            }
            start = end + 1;
        }
        let named = |number: usize| Named { name: NAMES[number].to_owned(), kind: EntityKind::Unknown };
        let triple = |claim: &Claim| {
            let object = TripleObject::Entity(named(claim.says.2));
            Triple {
                polarity: if claim.is_so { Polarity::Affirmed } else { Polarity::Negated },
                kind: FactKind::ALL[claim.kind].0,
                valid: in_order(claim.valid),
                span: Span { start: 0, end: 1 },
                hedged: claim.doubts & 1 != 0,
                attributed_to: (claim.doubts & 2 != 0).then(|| "Ada".to_owned()),
                ..Triple::new(named(claim.says.0), Predicate::new(PREDICATES[claim.says.1]), object)
            }
        };
        let triples = self.claim.iter().map(triple).collect();
        let found = Extraction { mentions, triples, ..Extraction::default() };
        let extractor = "reference-1".to_owned();
        Reading { episode: episode.id, extractor, status: ExtractionStatus::Done, found }
    }
}

/// An interval that does not end before it begins.
fn in_order((from, to): (Option<i64>, Option<i64>)) -> Interval {
    let (from, to) = if to.is_some() && from > to { (to, from) } else { (from, to) };
    Interval { from: from.map(day), to: to.map(day) }
}

/// A store of a history, told in two commits.
fn history(told: &[Told]) -> (tempfile::TempDir, Engine) {
    let directory = tempfile::tempdir().unwrap();
    let embedder = Arc::new(HashEmbedder::default());
    let (engine, _) = Engine::open(directory.path(), Missing::Create, embedder).unwrap();
    let episodes: Vec<Episode> = (0..).zip(told).map(|(position, told)| told.episode(position)).collect();
    let readings: Vec<Reading> =
        told.iter().zip(&episodes).map(|(told, episode)| told.reading(episode)).collect();
    let middle = told.len() / 3;
    for range in [0..middle, middle..told.len()] {
        let changes = Changes {
            episodes: episodes[range.clone()].to_vec(),
            readings: readings[range].to_vec(),
            ..Changes::default()
        };
        engine.commit(&Namespace::default(), changes).unwrap();
        // Sessions and facts are put in order when somebody asks.
        engine.reader(&Namespace::default()).unwrap();
    }
    let forgets =
        told.iter().zip(&episodes).filter(|(told, _)| told.forgotten).map(|(_, episode)| episode.id);
    let changes = Changes { forgets: forgets.collect(), ..Changes::default() };
    if !changes.forgets.is_empty() {
        engine.commit(&Namespace::default(), changes).unwrap();
    }
    (directory, engine)
}

/// The scores of all episodes before the walks, as the formula is told; `None` for what may not be found.
fn totals(state: &State, cues: &Cues, question: &Question<'_>) -> Vec<Option<f32>> {
    let ways = question.ways;
    let mut passages = vec![0.0; state.passages().len()];
    state.lexical().score(&cues.terms, &mut passages);
    let own: Vec<f32> = (0..state.episodes().len())
        .map(|number| {
            state.episodes()[number].passage_numbers().map(|n| passages[n as usize]).fold(0.0, f32::max)
        })
        .collect();
    let (sessions, ages) = (session_scores(state, cues), ages(state, question));
    let mut totals = vec![None; own.len()];
    for ix in state.living() {
        let episode = state.episode(ix);
        let late =
            matches!((episode.occurred_at, question.as_of), (Some(at), Some(as_of)) if at.instant > as_of);
        let age = ages.as_ref().map_or(1.0, |ages| ages[episode.session.index()]);
        if late || age == 0.0 {
            continue;
        }
        let mut sum = own[ix.index()] + neighbours(state, &own, ix, ways);
        sum += if ways.use_of(Way::Session) { SESSION * sessions[episode.session.index()] } else { 0.0 };
        sum += if ways.use_of(Way::Coverage) { COVERAGE * covered(state, cues, ix) } else { 0.0 };
        let named = cues.speaker.is_some() && episode.speaker == cues.speaker;
        let headed =
            cues.headings.iter().any(|heading| state.headed(heading).contains(&ix)) && state.is_document(ix);
        let subject = if ways.use_of(Way::Speaker) && (named || headed) { SUBJECT } else { 1.0 };
        let dated = ways.use_of(Way::Timeline) && timeline::dated_in(state, episode, &cues.intervals);
        let recency = if ways.use_of(Way::Recency) { age } else { age.min(1.0) };
        totals[ix.index()] = Some(sum * subject * if dated { 1.0 + TIMELINE } else { 1.0 } * recency);
    }
    totals
}

fn session_scores(state: &State, cues: &Cues) -> Vec<f32> {
    let living = state.sessions().iter().filter(|session| !session.episodes.is_empty()).count() as f32;
    let total: u32 = state.sessions().iter().map(|session| session.terms).sum();
    let mut scores = vec![0.0; state.sessions().len()];
    for term in &cues.terms {
        let mut counts = vec![0_u32; scores.len()];
        for (number, passage) in state.passages().iter().enumerate() {
            let held =
                state.lexical().document_terms(number as u32).iter().filter(|(held, _)| *held == term.term);
            counts[state.episode(passage.episode).session.index()] +=
                held.map(|(_, count)| count).sum::<u32>();
        }
        let frequency = counts.iter().filter(|count| **count > 0).count() as f32;
        let idf = (1.0 + (living - frequency + 0.5) / (frequency + 0.5)).ln();
        for (number, found) in counts.into_iter().enumerate().filter(|(_, found)| *found > 0) {
            let (found, length) =
                (found as f32, state.sessions()[number].terms as f32 / (total as f32 / living));
            let length = SESSION_K1 * (1.0 - SESSION_B + SESSION_B * length);
            scores[number] += term.weight * idf * (found * (SESSION_K1 + 1.0) / (found + length));
        }
    }
    scores
}

fn neighbours(state: &State, own: &[f32], ix: EpisodeIx, ways: Ways) -> f32 {
    let list = &state.session(state.episode(ix).session).episodes;
    let place = list.iter().position(|other| *other == ix).unwrap() as i64;
    let at = |place: i64| usize::try_from(place).ok().and_then(|place| list.get(place)).copied();
    let score = |place: i64| at(place).map_or(0.0, |ix| own[ix.index()]);
    let mut added = 0.0;
    for (distance, weight) in (1..).zip(NEAR).filter(|_| ways.use_of(Way::Neighbours)) {
        added += weight * (score(place - distance) + score(place + distance));
    }
    let asked = |before: &EpisodeIx| {
        state.episode(*before).asks && state.episode(*before).speaker != state.episode(ix).speaker
    };
    if ways.use_of(Way::Answers) && at(place - 1).as_ref().is_some_and(asked) {
        added += ANSWER * score(place - 1);
    }
    added
}

fn covered(state: &State, cues: &Cues, ix: EpisodeIx) -> f32 {
    let list = &state.session(state.episode(ix).session).episodes;
    let place = list.iter().position(|other| *other == ix).unwrap();
    let near = |other: usize| other.abs_diff(place) <= COVERAGE_REACH;
    let near: Vec<EpisodeIx> =
        (0..list.len()).filter(|other| near(*other)).map(|other| list[other]).collect();
    let mut mass = 0.0;
    for term in &cues.terms {
        let has =
            |passage: u32| state.lexical().document_terms(passage).iter().any(|(held, _)| *held == term.term);
        if near.iter().any(|ix| state.episode(*ix).passage_numbers().any(has)) {
            mass += term.weight * term.idf;
        }
    }
    mass
}

/// For every session, the factor of its age where the time of asking is given; 0 where it came after that
/// time.
fn ages(state: &State, question: &Question<'_>) -> Option<Vec<f32>> {
    let mut order: Vec<usize> = (0..state.sessions().len()).collect();
    order.sort_by_key(|number| (state.sessions()[*number].at.map(|at| at.instant), *number));
    let mut asked = order.len();
    if let Some(id) = &question.before_session {
        let known = state.find_session(id);
        asked = known.and_then(|ix| order.iter().position(|number| *number == ix.index())).unwrap_or(0);
    }
    if let Some(as_of) = question.as_of {
        let begun = |number: &&usize| state.sessions()[**number].at.is_none_or(|at| at.instant <= as_of);
        asked = asked.min(order.iter().take_while(begun).count());
    }
    let mut factors = vec![0.0; order.len()];
    for (place, number) in order[..asked].iter().enumerate() {
        factors[*number] = 1.0 + RECENCY / (1.0 + (asked - place) as f32 / RECENCY_HALF);
    }
    (question.as_of.is_some() || question.before_session.is_some()).then_some(factors)
}

/// A hit as it is compared: but for its last bit, in which sums and products differ that are taken in another
/// order.
fn seen(hit: &Hit) -> (EpisodeIx, String, String) {
    (hit.episode, format!("{:.5e}", hit.score), format!("{:?} {:?}", hit.parts, hit.path))
}

fn check(reader: &Reader, question: &Question<'_>) -> Result<(), TestCaseError> {
    let state = reader.state();
    let horizon = Horizon::of(state, question);
    let cues = Cues::read(state, question, horizon.as_ref());
    let scores = Scores::of(state, &cues, question, horizon.as_ref(), false);
    let totals = totals(state, &cues, question);
    for ix in state.living() {
        let total = scores.findable(ix).then(|| scores.total(ix));
        prop_assert_eq!(total, totals[ix.index()], "the score of {:?}", ix);
    }
    let all = Shortcuts { episodes: false, routes: true };
    let vector = HashEmbedder::default().embed_question(question.text).unwrap();
    let asked = |understanding| Some(QuestionVector { vector: &vector, understanding });
    for asked in
        [None, asked(Understanding::Spelling), asked(Understanding::Words), asked(Understanding::Sentences)]
    {
        let slow = answer(state, question, asked, all);
        let quick = answer(state, question, asked, Shortcuts { episodes: true, ..all });
        prop_assert_eq!(
            quick.hits.iter().map(seen).collect::<Vec<_>>(),
            slow.hits.iter().map(seen).collect::<Vec<_>>()
        );
    }
    let mut fronts = Fronts::default();
    for ix in (0..state.facts().len() as u32).map(FactIx) {
        if let Some(standing) = state.standing(ix, |episode| scores.findable(episode)) {
            let is_so =
                state.fact(ix).polarity == Polarity::Affirmed && standing.status == FactStatus::Current;
            let holds = state.holds(ix, &mut fronts, |episode| scores.findable(episode));
            prop_assert_eq!(holds, is_so, "whether {:?} holds", ix);
        }
    }
    Ok(())
}

#[test]
fn episodes_far_from_any_word_of_the_question_come_in_by_their_sessions() {
    let filler = Told {
        session: 0,
        speaker: None,
        at: None,
        words: vec![10],
        times: 1,
        asks: false,
        claim: None,
        forgotten: false,
    };
    // In the shorter of two sessions a word weighs more.
    let heron = |place| if place == 12 { vec![9] } else { vec![10] };
    let turn = |(session, place)| Told { session, words: heron(place), ..filler.clone() };
    let lengths = [(0, 40), (1, 25), (2, 30)];
    let told =
        lengths.into_iter().flat_map(|(session, length)| (0..length).map(move |place| (session, place)));
    let (_directory, engine) = history(&told.map(turn).collect::<Vec<_>>());
    let reader = engine.reader(&Namespace::default()).unwrap();
    for limit in [5, 20, 30, 45, 80] {
        check(&reader, &Question { limit, ..Question::new("a heron") }).unwrap();
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn what_is_passed_over_is_not_among_the_best(
        told in prop::collection::vec(told(), 1..100),
        wanted in prop::collection::vec(wanted(), 1..12),
    ) {
        let (_directory, engine) = history(&told);
        let reader = engine.reader(&Namespace::default()).unwrap();
        for wanted in wanted {
            let words: Vec<&str> = wanted.words.iter().map(|number| word(*number)).collect();
            let text = format!("{}{}", words.join(" "), if wanted.dated { " in May 2023?" } else { "?" });
            let ways = wanted.without.map_or(Ways::ALL, |number| Ways::ALL.without(Way::ALL[number].0));
            let question = Question {
                limit: wanted.limit,
                as_of: wanted.as_of.map(day),
                before_session: wanted.before.map(session),
                ways,
                ..Question::new(&text)
            };
            check(&reader, &question)?;
        }
    }
}
