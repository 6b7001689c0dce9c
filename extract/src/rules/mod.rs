//! The extractor that needs no model: names, persons and sentence patterns of English.
//!
//! It is exact about who said what about whom and where, and abstains where it is not sure: "I", "we" and "you"
//! are the speakers, "he" and "she" whoever alone was named before, other pronouns nobody; questions and
//! hypotheticals assert nothing. In other languages it finds capitalised names and the speaker, and no claims.

mod callings;
mod claims;
mod clause;
mod clauses;
mod copula;
mod deeds;
mod group;
mod kinds;
mod names;
mod open;
mod patterns;
mod persons;
mod posts;
mod pronouns;
mod reading;
mod session;
mod states;
mod ties;
mod verbs;
mod wants;
mod words;

use lorebase_engine::dates;
use lorebase_engine::model::entity::EntityKind;
use lorebase_engine::model::episode::{Episode, Span};
use lorebase_engine::model::time::SourceTime;

use crate::clauses::tree::Tree;
use crate::extractor::{Extraction, Extractor, NamedSpan};
use crate::rules::reading::Reading;
use crate::rules::session::Session;
use crate::syntax::tokens::{self, Token};

/// Reads episodes by rules.
#[derive(Debug, Clone, Copy, Default)]
pub struct RuleExtractor;

impl Extractor for RuleExtractor {
    fn name(&self) -> &'static str {
        "rules-1"
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
        episodes.iter().zip(&tokens).map(|(episode, tokens)| Ok(read(episode, tokens, &session))).collect()
    }
}

fn read(episode: &Episode, tokens: &[Token<'_>], session: &Session<'_>) -> Extraction {
    let speaker = episode.speaker.as_deref().filter(|speaker| !speaker.trim().is_empty());
    let names = names::names(&episode.text, tokens, session, speaker.is_none());
    let times = dates::find(&episode.text, episode.occurred_at.map(SourceTime::civil));
    let reading = Reading {
        text: &episode.text,
        tokens,
        names: &names,
        times: &times,
        speaker,
        other: speaker.and_then(|speaker| session.other_than(speaker)),
    };
    let sentences = tokens::sentences(tokens);
    let trees: Vec<Tree<'_, '_>> =
        sentences.into_iter().map(|sentence| Tree::new(&episode.text, tokens, sentence)).collect();
    let mut triples = clauses::triples(&reading);
    triples.extend(open::facts(&reading, &trees, &triples));
    triples.sort_by_key(|triple| triple.span.start);
    Extraction { mentions: mentions(&reading), triples, ..Extraction::default() }
}

/// The speaker, the first "I" and the first "you", and every name.
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
    found.sort_by_key(|mention| mention.span);
    found
}

#[cfg(test)]
mod tests;
