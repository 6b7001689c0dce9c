//! Which hit says anew, and otherwise, what a better one said before: the current statement goes above the
//! one that it supersedes, which is found all the same. It acts on questions for how things are now, never on
//! those for how they were.
//!
//! Two things tell that one statement takes another's place: a fact with the asked predicate that one states
//! and the other's fact has superseded; and what the same speaker says later of what is asked, with another
//! value.

use lorebase_engine::engine::Reader;
use lorebase_engine::error::Error;
use lorebase_engine::graph::{EpisodeIx, FactIx};
use lorebase_engine::model::fact::{FactStatus, Polarity};
use lorebase_engine::state::State;
use lorebase_engine::text;

use crate::question::{ASSISTANTS, ContentWord, Question, content_of, words_of};
use crate::recall::Hit;
use crate::values::{Sought, Telling, asks_for_the_past};
use crate::ways::Way;
use crate::weights::{UPDATE_CANDIDATES, UPDATE_FLOOR, UPDATE_SAME, UPDATE_SAME_CHANGED};

/// How many hits must be found for a question, so that a current statement is among them.
pub(crate) fn wanted(question: &Question<'_>) -> usize {
    let sought = || Sought::read(&words_of(question.text));
    if question.ways.use_of(Way::Updates) && sought().is_some() { UPDATE_CANDIDATES } else { 0 }
}

/// Puts the hit that says how things are now right above the best one that says how they were, where both are
/// among the first hits: one such pair by facts, and one by values.
///
/// # Errors
/// Where an episode cannot be read.
pub fn put_current_first(reader: &Reader, question: &Question<'_>, hits: &mut [Hit]) -> Result<(), Error> {
    let words = words_of(question.text);
    if !question.ways.use_of(Way::Updates) || asks_for_the_past(&words) {
        return Ok(());
    }
    let state = reader.state();
    let first = hits.len().min(UPDATE_CANDIDATES);
    let first = &mut hits[..first];
    if let Some((superseded, current)) = by_facts(state, &words, first) {
        lift(first, superseded, current);
    }
    if let Some(sought) = Sought::read(&words) {
        let content = content_of(state, &words, question.ways);
        if let Some((superseded, current)) = by_values(reader, (sought, &content), first)? {
            lift(first, superseded, current);
        }
    }
    Ok(())
}

/// Puts the hit at place `from` right above the one at place `to`.
fn lift(hits: &mut [Hit], to: usize, from: usize) {
    let score = hits[to].score.next_up();
    let hit = &mut hits[from];
    hit.parts.update += score - hit.score;
    hit.score = score;
    hits[to..=from].rotate_right(1);
}

/// The first hit that states nothing current of what is asked, but what was superseded, and the best below it
/// that states what took its place.
fn by_facts(state: &State, words: &[String], hits: &[Hit]) -> Option<(usize, usize)> {
    let stems = text::Stems::default();
    let asked: Vec<_> =
        words.iter().flat_map(|word| state.predicates_meant(&stems.stem(word))).copied().collect();
    let stated = |hit: &Hit| -> Vec<FactIx> {
        let of_asked = |ix: &&FactIx| asked.contains(&state.fact(**ix).predicate);
        state.episode(hit.episode).facts().iter().filter(of_asked).copied().collect()
    };
    let pair = |(place, hit): (usize, &Hit)| {
        let old = stated(hit);
        let outdated = |ix: &&FactIx| state.fact(**ix).status == FactStatus::Superseded;
        let fact = old.iter().find(outdated).copied().filter(|_| old.iter().all(|ix| outdated(&ix)))?;
        let below = hits[place + 1..]
            .iter()
            .position(|other| stated(other).into_iter().any(|new| takes_the_place(state, new, fact)))?;
        named(state, words, fact).then_some((place, place + 1 + below))
    };
    hits.iter().enumerate().find_map(pair)
}

/// Whether a fact is one that came after another of the same subject and predicate was over.
fn takes_the_place(state: &State, new: FactIx, old: FactIx) -> bool {
    let (new, old) = (state.fact(new), state.fact(old));
    let same = new.subject == old.subject && new.predicate == old.predicate;
    let follows = old.valid.to.is_none_or(|end| new.valid.from.is_some_and(|from| end <= from));
    same && new.status == FactStatus::Current && new.polarity == Polarity::Affirmed && follows
}

/// Whether the subject of a fact is named by the words, or who asks is meant.
fn named(state: &State, words: &[String], ix: FactIx) -> bool {
    const OWN: [&str; 5] = ["i", "me", "my", "mine", "myself"];
    let mut names = state.folded_names(state.fact(ix).subject).into_iter();
    let of_words = |name: &str| name.split(' ').any(|part| words.iter().any(|word| word == part));
    words.iter().any(|word| OWN.contains(&word.as_str())) || names.any(of_words)
}

/// The first hit that tells about as much of what is asked as any, and what its speaker tells of it later,
/// with another value: `None` where that stands above it.
fn by_values(
    reader: &Reader,
    (sought, content): (Sought, &[ContentWord]),
    hits: &[Hit],
) -> Result<Option<(usize, usize)>, Error> {
    let state = reader.state();
    let mut told: Vec<Option<Telling>> = Vec::with_capacity(hits.len());
    for hit in hits {
        let counts = vouches(state, hit.episode);
        let text = counts.then(|| reader.text(hit.episode)).transpose()?;
        told.push(text.map(|text| Telling::read(&text, content)));
    }
    let most = told.iter().flatten().map(|telling| telling.mass).fold(0.0, f32::max);
    let first =
        told.iter().position(|told| told.as_ref().is_some_and(|told| told.mass >= UPDATE_FLOOR * most));
    let Some((place, before)) = first.and_then(|place| Some((place, told[place].as_ref()?))) else {
        return Ok(None);
    };
    let (mut best, mut most) = (None, (0.0, (0, 0)));
    for (other, telling) in told.iter().enumerate() {
        let Some(telling) = telling else { continue };
        let share = if telling.changed { UPDATE_SAME_CHANGED } else { UPDATE_SAME };
        let (old, new) = (hits[place].episode, hits[other].episode);
        if comes_after(state, new, old)
            && telling.mass >= share * before.mass
            && telling.differs_from(before, sought, content)
            && (telling.mass, moment(state, new)) > most
        {
            (best, most) = (Some(other), (telling.mass, moment(state, new)));
        }
    }
    Ok(best.filter(|other| *other > place).map(|other| (place, other)))
}

/// Whether an episode is what somebody says, or what was noted at a time; assistants say what they are told.
fn vouches(state: &State, ix: EpisodeIx) -> bool {
    let episode = state.episode(ix);
    match episode.speaker {
        Some(speaker) => !ASSISTANTS.contains(&text::fold_name(&state.speakers()[speaker as usize]).as_str()),
        None => episode.occurred_at.is_some(),
    }
}

/// Whether an episode is by the speaker of another and was said after it.
fn comes_after(state: &State, new: EpisodeIx, old: EpisodeIx) -> bool {
    state.episode(new).speaker == state.episode(old).speaker && moment(state, new) > moment(state, old)
}

/// When an episode was said, among all of them.
fn moment(state: &State, ix: EpisodeIx) -> (usize, usize) {
    (state.place_in_time(state.session_with(ix)), state.place(ix))
}
