//! What is read in a turn as text: the turn with what was found marked by colours where a person looks, and below it
//! what it comes to.

use std::fmt::Write;

use lorebase::engine::dates::Meaning;
use lorebase::engine::model::episode::Span;
use lorebase::engine::model::fact::{IMPORTANCE, Polarity, Triple, TripleObject};
use lorebase::engine::model::time::Interval;
use lorebase::extract::preview::Preview;

use super::render::{held, visible};
use crate::wire;

/// How something is shown, as the numbers by which terminals know it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Look {
    /// Of the colour; 0 for none.
    colour: u8,
    underlined: bool,
}

const ENTITY: u8 = 36;
const TIME: u8 = 33;
const REFUSED: u8 = 31;
const FLAGGED: u8 = 35;
const PLAIN: Look = Look { colour: 0, underlined: false };

/// A turn and what is read in it.
pub(super) fn turn(turn: &Preview, coloured: bool) -> String {
    let mut text = String::new();
    let mut line = |line: &str| text.push_str(&(line.to_owned() + "\n"));
    let id = turn.source_id.as_deref().map(|id| format!("[{}] ", visible(id))).unwrap_or_default();
    let at = turn.at.map(|at| format!("{} ", at.to_the_minute())).unwrap_or_default();
    let speaker = turn.speaker.as_deref().map(|name| format!("{}: ", visible(name))).unwrap_or_default();
    line(&format!("{id}{at}{speaker}{}", if coloured { painted(turn) } else { visible(&turn.text) }));
    for named in turn.entities() {
        line(&format!(
            "  entity   {} ({}){}",
            visible(&named.name),
            named.kind.as_str(),
            place(turn, named.span)
        ));
    }
    for time in &turn.times {
        let said = visible(time.span.slice(&turn.text).unwrap_or_default());
        let granularity = wire::extract::granularity(&time.meaning);
        let told = match &time.meaning {
            Meaning::Time { exact, .. } => between(exact),
            Meaning::Duration { seconds } => format!("{seconds} s"),
            Meaning::Repetition(repetition) => repetition.to_string(),
        };
        line(&format!("  time     {said}: {told} ({granularity}){}", place(turn, time.span)));
    }
    for triple in &turn.found.triples {
        line(&format!("  fact     {}{}", fact(triple), place(turn, triple.span)));
    }
    for memory in &turn.memories {
        line(&format!("  memory   {}: {}", memory.kind.as_str(), visible(&memory.content)));
    }
    for refusal in &turn.found.refused {
        line(&format!("  refused  {}{}", refusal.reason.as_str(), place(turn, refusal.span)));
    }
    for flag in &turn.found.flags {
        line(&format!("  flagged  {}{}", flag.reason.as_str(), place(turn, flag.span)));
    }
    text
}

/// Where something stands in the text as it was given.
fn place(turn: &Preview, span: Span) -> String {
    let Span { start, end } = turn.given(span);
    format!("  [{start}, {end})")
}

fn between(interval: &Interval) -> String {
    let at = |at: Option<_>| {
        at.map_or_else(|| "…".to_owned(), |at: lorebase::engine::model::time::Timestamp| at.to_string())
    };
    format!("{} to {}", at(interval.from), at(interval.to))
}

fn fact(triple: &Triple) -> String {
    let not = if triple.polarity == Polarity::Negated { "not " } else { "" };
    let object = match &triple.object {
        TripleObject::Entity(named) => &named.name,
        TripleObject::Value(value) => value,
    };
    let mut notes = vec![triple.kind.as_str().to_owned()];
    notes.extend(triple.hedged.then(|| "said with a doubt".to_owned()));
    notes.extend(triple.attributed_to.as_ref().map(|name| format!("as {} says", visible(name))));
    notes.extend((triple.importance != IMPORTANCE).then(|| format!("importance {}", triple.importance)));
    notes.extend(Some(held(&triple.valid)).filter(|held| !held.is_empty()));
    let [subject, predicate, object] = [&triple.subject.name, triple.predicate.as_str(), object].map(visible);
    format!("{subject} {not}{predicate} {object} ({})", notes.join(", "))
}

/// The text with colours for what is named, times, masks and flags, and a line below what states facts.
fn painted(turn: &Preview) -> String {
    let found = &turn.found;
    let mut looks = vec![PLAIN; turn.text.chars().count()];
    let mut paint = |span: Span, change: &dyn Fn(&mut Look)| {
        let end = (span.end as usize).min(looks.len());
        looks[(span.start as usize).min(end)..end].iter_mut().for_each(change);
    };
    found.triples.iter().for_each(|triple| paint(triple.span, &|look| look.underlined = true));
    turn.times.iter().for_each(|time| paint(time.span, &|look| look.colour = TIME));
    turn.entities().iter().for_each(|named| paint(named.span, &|look| look.colour = ENTITY));
    found.flags.iter().for_each(|flag| paint(flag.span, &|look| look.colour = FLAGGED));
    found.refused.iter().for_each(|refusal| paint(refusal.span, &|look| look.colour = REFUSED));
    let (mut painted, mut last) = (String::new(), PLAIN);
    for (c, look) in turn.text.chars().zip(looks) {
        if look != last {
            change(&mut painted, look);
            last = look;
        }
        painted.push_str(&visible(c.encode_utf8(&mut [0; 4])));
    }
    if last != PLAIN {
        change(&mut painted, PLAIN);
    }
    painted
}

fn change(text: &mut String, look: Look) {
    let underlined = if look.underlined { ";4" } else { "" };
    let colour = if look.colour == 0 { String::new() } else { format!(";{}", look.colour) };
    write!(text, "\u{1b}[0{underlined}{colour}m").expect("writing to a string cannot fail");
}

#[cfg(test)]
mod tests {
    use lorebase::engine::model::id::SessionId;
    use lorebase::extract::preview::preview;
    use lorebase::extract::rules::RuleExtractor;
    use lorebase::extract::transcript::{TranscriptSession, Turn};

    #[test]
    fn colours_stand_around_what_was_found_and_change_no_text() {
        let text = "I live in Porto\u{1b}[2J. My PIN is 4821.".to_owned();
        let turn = Turn { source_id: None, speaker: Some("Ana".to_owned()), at: None, text };
        let session = TranscriptSession { id: SessionId::new("s"), at: None, turns: vec![turn] };
        let read = preview(&RuleExtractor, session).remove(0);
        let (plain, coloured) = (super::turn(&read, false), super::turn(&read, true));
        assert!(!plain.contains('\u{1b}') && !plain.contains("4821"), "{plain}");
        assert!(coloured.contains("\u{1b}[0;4;36mPorto\u{1b}[0"), "{coloured:?}");
        assert!(coloured.contains("\u{1b}[0;31m[refused: PIN]\u{1b}[0m"), "{coloured:?}");
        let mut stripped = coloured;
        while let Some(start) = stripped.find('\u{1b}') {
            let end = start + stripped[start..].find('m').unwrap();
            stripped.replace_range(start..=end, "");
        }
        assert_eq!(stripped, plain);
    }
}
