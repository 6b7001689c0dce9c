//! Answers that are no sentence: "Where do you work?" "At Acme Rail."

use lorebase_engine::model::entity::EntityKind;
use lorebase_engine::model::fact::{Named, Triple, TripleObject};
use lorebase_engine::model::predicate::Predicate;

use crate::rules::reading::Reading;
use crate::rules::ties;
use crate::rules::words;
use crate::syntax::tokens;

/// What a question asks for.
struct Wanted {
    subject: Named,
    predicate: &'static str,
    /// Whether what is told is the subject: "Who's your boss?"
    tied: bool,
    /// What may stand before the answer.
    links: &'static [&'static str],
    kind: EntityKind,
}

/// What the first words of a turn tell by answering the question that the turn before ends with.
pub(super) fn answer(reading: &Reading<'_, '_>, before: &Reading<'_, '_>) -> Option<Triple> {
    if reading.speaker == before.speaker {
        return None;
    }
    let wanted = wanted(reading, before)?;
    let (start, end) = *tokens::sentences(reading.tokens).first()?;
    let lead = |at: &usize| reading.is_sign(*at) || reading.is(*at, LEAD);
    let first = (start..end).find(|at| !lead(at))?;
    let linked = reading.is(first, wanted.links);
    let phrase = reading.phrase(first + usize::from(linked), end)?;
    let named = phrase.named().filter(|named| linked || named.kind.can_be(wanted.kind))?;
    let closed = phrase.end >= end
        || reading.is_sign(phrase.end)
        || reading.in_time(phrase.end)
        || words::is_adverb(reading.word(phrase.end))
        || linked && reading.is(phrase.end, &["as", "and", "but", "since", "for"]);
    let asks = reading.is(end - 1, &["?"]);
    if !closed || asks || named.name == wanted.subject.name {
        return None;
    }
    let told = Named { name: named.name.clone(), kind: wanted.kind };
    let (subject, object) = if wanted.tied { (told, wanted.subject) } else { (wanted.subject, told) };
    Some(Triple {
        confidence: if linked || wanted.tied { 0.85 } else { 0.75 },
        hedged: (start..end).any(|at| words::is_hedge(reading.word(at))),
        span: reading.span(start, phrase.end),
        ..Triple::new(subject, Predicate::new(wanted.predicate), TripleObject::Entity(object))
    })
}

/// Words before an answer.
const LEAD: &[&str] =
    &["oh", "well", "so", "still", "right", "now", "currently", "um", "uh", "hm", "just", "haha", "actually"];

/// What the last sentence of a turn asks for.
fn wanted(reading: &Reading<'_, '_>, before: &Reading<'_, '_>) -> Option<Wanted> {
    let (start, end) = *tokens::sentences(before.tokens).last()?;
    if !before.is(end - 1, &["?"]) {
        return None;
    }
    let asks = |words: &[&str]| (start..end).find(|at| before.is(*at, words));
    if let Some(who) = asks(&["who"]).filter(|who| before.is(who + 1, &["is", "'s"])) {
        let relation = ties::relation(before, who + 2)?;
        // "Your boss" is the boss of who answers.
        let alone = before.is_sign(relation.end) || before.is(relation.end, &["now", "again", "these"]);
        let person = relation.tie.kind == EntityKind::Person;
        return (alone && person).then_some(Wanted {
            subject: relation.owner,
            predicate: relation.tie.predicate,
            tied: true,
            links: &[],
            kind: EntityKind::Person,
        });
    }
    let asked = asks(&["where", "who", "which", "what"])?;
    let helper = (asked + 1..end).find(|at| before.is(*at, &["do", "does", "are", "is", "'re", "'s"]))?;
    let (subject, next) = subject(reading, before, helper + 1)?;
    let past = (asked..next).any(|at| before.is(at, &["did", "was", "were", "used", "would"]));
    let verb = (next..end).find(|at| !words::is_adverb(before.word(*at)))?;
    let (predicate, links, kind): (_, &'static [&'static str], _) = match before.word(verb) {
        "work" | "working" | "employed" => ("works_at", &["at", "for", "with"], EntityKind::Organisation),
        "live" | "living" | "based" => ("lives_in", &["in", "near"], EntityKind::Place),
        "study" | "studying" => ("studies_at", &["at"], EntityKind::Organisation),
        "from" => ("from", &["from"], EntityKind::Place),
        _ => return None,
    };
    let place = before.is(asked, &["where"])
        || (verb + 1..end).any(|at| before.is(at, &["for", "at", "in"]) && before.is_sign(at + 1));
    (place && !past).then_some(Wanted { subject, predicate, tied: false, links, kind })
}

/// Whom a question is about: who answers, or somebody who is named.
fn subject(reading: &Reading<'_, '_>, before: &Reading<'_, '_>, at: usize) -> Option<(Named, usize)> {
    if before.is(at, &["you"]) {
        let name = reading.speaker?.to_owned();
        return Some((Named { name, kind: EntityKind::Person }, at + 1));
    }
    if before.is(at, &["he", "she"]) {
        return before.meant(at).map(|(named, _)| (named, at + 1));
    }
    if let Some(relation) = ties::relation(before, at) {
        let named = ties::apposed(before, relation.end, before.tokens.len());
        return named.or_else(|| Some((relation.described(before), relation.end)));
    }
    let name = before.name_at(at)?;
    Some((Named { name: name.called.clone(), kind: name.kind }, name.end))
}
