//! The extractor that needs no model: names, persons and sentence patterns of English.
//!
//! It is exact about who said what about whom and where, and abstains where it is not sure: "I", "we" and "you"
//! are the speakers, "he" and "she" whom `coref` tells; questions and hypotheticals assert nothing. In other languages
//! it finds capitalised names and the speaker, and no claims.

mod answers;
mod callings;
mod claims;
mod clause;
mod clauses;
mod copula;
mod corrections;
mod couples;
mod deeds;
mod everyday;
mod group;
mod importance;
mod open;
mod patterns;
mod persons;
mod posts;
mod reading;
mod replies;
mod states;
pub(crate) mod ties;
pub(crate) mod verbs;
mod wants;
mod when;
pub(crate) mod words;

use lorebase_engine::dates::{self, TimeExpression};
use lorebase_engine::model::entity::EntityKind;
use lorebase_engine::model::episode::{Episode, Span};
use lorebase_engine::model::fact::{Named, Triple};
#[cfg(feature = "train")]
use lorebase_engine::model::id::{Namespace, SessionId};
use lorebase_engine::model::time::{SourceTime, Timestamp};

use crate::clauses::tree::Tree;
use crate::coref::{self, Referent};
use crate::extractor::{Extraction, Extractor, NamedSpan};
use crate::names::session::Session;
use crate::names::writing::{self, Writing};
use crate::names::{self, Name, Page};
use crate::rules::corrections::Earlier;
use crate::rules::reading::Reading;
use crate::rules::replies::Asked;
use crate::syntax::Node;
use crate::syntax::tokens::{self, Token};
#[cfg(feature = "train")]
use crate::transcript::Turn as TranscriptTurn;

/// How many turns before one are looked at to know what it takes back.
const EARLIER: usize = 12;

/// Reads episodes by rules.
#[derive(Debug, Clone, Copy, Default)]
pub struct RuleExtractor;

impl Extractor for RuleExtractor {
    fn name(&self) -> &'static str {
        "rules-3"
    }

    fn extract(&self, episodes: &[Episode]) -> Vec<Result<Extraction, String>> {
        let lower: Vec<String> = episodes.iter().map(|episode| episode.text.to_ascii_lowercase()).collect();
        let tokens: Vec<Vec<Token<'_>>> = episodes
            .iter()
            .zip(&lower)
            .map(|(episode, lower)| tokens::tokens(&episode.text, lower))
            .collect();
        let speakers = episodes.iter().filter_map(|episode| episode.speaker.as_deref());
        let session = Session::new(speakers, &tokens);
        let mut heard: Vec<Heard<'_, '_>> =
            episodes.iter().zip(&tokens).map(|(episode, tokens)| hear(episode, tokens, &session)).collect();
        name(&mut heard, &session);
        let meant = meant(&heard);
        let mut read_so_far: Vec<Extraction> = Vec::with_capacity(heard.len());
        for at in 0..heard.len() {
            let found = read(&heard[..=at], &meant, &read_so_far);
            read_so_far.push(found);
        }
        read_so_far.into_iter().map(Ok).collect()
    }
}

/// An episode with all that is found out about it once.
struct Heard<'a, 't> {
    episode: &'a Episode,
    tokens: &'a [Token<'t>],
    sentences: Vec<(usize, usize)>,
    trees: Vec<Tree<'a, 't>>,
    /// The grammar of all sentences, one node a token; heads are counted from the start of the text.
    nodes: Vec<Node>,
    /// What [`name`] finds.
    names: Vec<Name>,
    writing: Writing,
    times: Vec<TimeExpression>,
    speaker: Option<&'a str>,
    other: Option<&'a str>,
}

fn hear<'a, 't>(episode: &'a Episode, tokens: &'a [Token<'t>], session: &Session<'a>) -> Heard<'a, 't> {
    let speaker = episode.speaker.as_deref().filter(|speaker| !speaker.trim().is_empty());
    // The grammar is that of English: in another language it would find clauses where there are none.
    let writing = writing::of_text(&episode.text);
    let sentences = if writing == Writing::English { tokens::sentences(tokens) } else { Vec::new() };
    let trees: Vec<Tree<'_, '_>> =
        sentences.iter().map(|sentence| Tree::new(&episode.text, tokens, *sentence)).collect();
    Heard {
        episode,
        tokens,
        sentences,
        nodes: trees.iter().flat_map(Tree::nodes).collect(),
        trees,
        names: Vec::new(),
        writing,
        times: dates::find(&episode.text, episode.occurred_at.map(SourceTime::civil)),
        speaker,
        other: speaker.and_then(|speaker| session.other_than(speaker)),
    }
}

/// Finds the names in all episodes of a session: what is said in one tells what a name in another is.
fn name(heard: &mut [Heard<'_, '_>], session: &Session<'_>) {
    let pages: Vec<Page<'_, '_>> = heard.iter().map(Heard::page).collect();
    let found = names::names(&pages, session);
    for (heard, names) in heard.iter_mut().zip(found) {
        heard.names = names;
    }
}

impl<'t> Heard<'_, 't> {
    fn page(&self) -> Page<'_, 't> {
        Page {
            text: &self.episode.text,
            tokens: self.tokens,
            writing: self.writing,
            nodes: &self.nodes,
            document: self.speaker.is_none(),
        }
    }

    fn reading<'h>(
        &'h self,
        referents: &'h [Option<Referent>],
        earlier: &'h [Earlier<'h, 't>],
    ) -> Reading<'h, 't> {
        Reading {
            text: &self.episode.text,
            tokens: self.tokens,
            names: &self.names,
            times: &self.times,
            speaker: self.speaker,
            other: self.other,
            referents,
            said: self.said_at(),
            earlier,
        }
    }

    /// When it was said, by the clock on the wall.
    fn said_at(&self) -> Option<Timestamp> {
        Timestamp::from_civil(self.episode.occurred_at?.civil()).ok()
    }

    fn turn<'h>(&'h self, names: &'h [coref::Named<'h>]) -> coref::Turn<'h, 't> {
        coref::Turn {
            text: &self.episode.text,
            tokens: self.tokens,
            sentences: &self.sentences,
            nodes: &self.nodes,
            names,
            speaker: self.speaker,
            other: self.other,
        }
    }
}

/// Whom the pronouns of each episode stand for.
fn meant(heard: &[Heard<'_, '_>]) -> Vec<Vec<Option<Referent>>> {
    let described: Vec<Vec<Name>> = heard.iter().map(|heard| described(&heard.reading(&[], &[]))).collect();
    let named: Vec<_> = heard.iter().zip(&described).map(|(heard, more)| named(&heard.names, more)).collect();
    let turns: Vec<_> = heard.iter().zip(&named).map(|(heard, names)| heard.turn(names)).collect();
    coref::resolve(&turns)
}

/// Those whom a speaker tells of without a name: "my sister" is "Ana's sister".
fn described(reading: &Reading<'_, '_>) -> Vec<Name> {
    let there = if reading.speaker.is_some() { 0..reading.tokens.len() } else { 0..0 };
    let described = |at: usize| {
        let relation = ties::relation(reading, at)?;
        let limit = reading.tokens.len();
        // "My boss is Marcel", "Marcel is my boss".
        let is = |at: usize| reading.is(at, &["is", "was", "'s"]);
        let told = is(relation.end) && reading.name_at(relation.end + 1).is_some()
            || at > 1 && is(at - 1) && reading.name_before(at - 1).is_some();
        let unnamed = !told && ties::apposed(reading, relation.end, limit).is_none();
        let Named { name, kind } = relation.described(reading);
        unnamed.then_some(Name { first: relation.noun, end: relation.end, called: name, kind })
    };
    there.filter_map(described).collect()
}

/// Names and descriptions in order.
fn named<'n>(names: &'n [Name], described: &'n [Name]) -> Vec<coref::Named<'n>> {
    let told = |name: &'n Name| coref::Named {
        first: name.first,
        end: name.end,
        called: &name.called,
        kind: name.kind,
    };
    let mut all: Vec<coref::Named<'n>> = names.iter().chain(described).map(told).collect();
    all.sort_by_key(|name| name.first);
    all
}

/// What the last of some episodes says, whom their pronouns mean and what those before it say being known.
fn read(heard: &[Heard<'_, '_>], meant: &[Vec<Option<Referent>>], known: &[Extraction]) -> Extraction {
    let last = known.len();
    let first = last.saturating_sub(EARLIER);
    let turns = heard[first..last].iter().zip(&meant[first..last]).zip(&known[first..last]);
    let earlier: Vec<Earlier<'_, '_>> = turns
        .map(|((heard, meant), known)| Earlier {
            reading: heard.reading(meant, &[]),
            triples: &known.triples,
        })
        .collect();
    let (now, before) = (&heard[last], last.checked_sub(1).map(|before| &heard[before]));
    let reading = now.reading(&meant[last], &earlier);
    let mut triples = clauses::triples(&reading);
    corrections::apply(&reading, &earlier, &mut triples);
    triples.extend(earlier.last().and_then(|before| answers::answer(&reading, &before.reading)));
    triples.extend(open::facts(&reading, &now.trees, &triples));
    if triples.is_empty() {
        triples.extend(before.and_then(|before| answer(now, before)));
    }
    triples.sort_by_key(|triple| triple.span.start);
    for triple in &mut triples {
        triple.importance = importance::importance(triple);
    }
    Extraction { mentions: mentions(&reading), triples, ..Extraction::default() }
}

/// What a turn says by answering the one before it.
fn answer(heard: &Heard<'_, '_>, before: &Heard<'_, '_>) -> Option<Triple> {
    let asked = Asked { speaker: before.speaker?, text: &before.episode.text, tokens: before.tokens };
    replies::reply(&asked, heard.speaker?, &heard.episode.text, heard.tokens)
}

/// The speaker, the first "I" and the first "you", every name, and every pronoun that stands for somebody.
fn mentions(reading: &Reading<'_, '_>) -> Vec<NamedSpan> {
    let person = |span, name: &str| NamedSpan { span, name: name.to_owned(), kind: EntityKind::Person };
    let speaker = reading.speaker.map(|name| person(Span { start: 0, end: 0 }, name));
    let mut found: Vec<NamedSpan> = speaker.into_iter().collect();
    for (who, words) in [
        (reading.speaker, &["i", "me", "my", "mine", "myself"][..]),
        (reading.other, &["you", "your", "yours", "yourself"][..]),
    ] {
        let first = reading.tokens.iter().position(|token| words.contains(&token.word));
        found.extend(who.zip(first).map(|(name, at)| person(reading.span(at, at + 1), name)));
    }
    found.extend(reading.names.iter().map(|name| NamedSpan {
        span: reading.span(name.first, name.end),
        name: name.called.clone(),
        kind: name.kind,
    }));
    let stands = |(at, referent): (usize, &Option<Referent>)| {
        let Referent { name, kind, .. } = referent.clone()?;
        Some(NamedSpan { span: reading.span(at, at + 1), name, kind })
    };
    found.extend(reading.referents.iter().enumerate().filter_map(stands));
    found.sort_by_key(|mention| mention.span);
    found
}

/// What is weighed for each pronoun of a text that nobody speaks, to learn the weights from.
#[cfg(feature = "train")]
pub fn weighed(text: &str) -> Vec<coref::learn::Weighed> {
    let episode = TranscriptTurn { source_id: None, speaker: None, at: None, text: text.to_owned() };
    let place = (&Namespace::default(), &SessionId::new("text"), 0);
    let episode =
        episode.into_episode(place, None, Timestamp::from_millis(0).unwrap_or_else(|_| unreachable!()));
    let lower = episode.text.to_ascii_lowercase();
    let tokens = vec![tokens::tokens(&episode.text, &lower)];
    let session = Session::new(std::iter::empty(), &tokens);
    let mut heard = vec![hear(&episode, &tokens[0], &session)];
    name(&mut heard, &session);
    let heard = &heard[0];
    let named = named(&heard.names, &[]);
    coref::learn::weighed(&heard.turn(&named))
}

#[cfg(test)]
mod tests;
