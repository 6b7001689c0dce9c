//! Goes through the sentences of an episode, finds the clauses that assert something, and hands each to the
//! patterns. Questions and hypotheticals end here.

use lorebase_engine::model::episode::Span;
use lorebase_engine::model::fact::{FactKind, Named, Polarity, Triple};
use lorebase_engine::model::time::Interval;

use crate::rules::clause::{Clause, tie_triple};
use crate::rules::group::{Group, Mood, group};
use crate::rules::persons::{Agreement, Subject, is_second, joined, may_begin, subject};
use crate::rules::reading::Reading;
use crate::rules::ties;
use crate::rules::words;
use crate::rules::{callings, copula, corrections, couples, everyday, patterns, posts, wants};
use crate::syntax::tokens;

/// The claims of an episode, in the order of the text.
pub(super) fn triples(reading: &Reading<'_, '_>) -> Vec<Triple> {
    let mut found = Vec::new();
    for (start, end) in tokens::sentences(reading.tokens) {
        if let Some(bounds) = asserted(reading, (start, end))
            && !is_shouted(reading, start, end)
        {
            sentence(reading, bounds, &mut found);
        }
    }
    found.sort_by_key(|triple| triple.span.start);
    found
}

/// What the questions of an episode ask about, as if it were so: "You work at Acme, right?", "Do you still live in Porto?"
pub(super) fn asked(reading: &Reading<'_, '_>) -> Vec<Triple> {
    const OPENING: &[&str] = &["do", "does", "are", "is", "so", "and", "but", "wait", "still", ","];
    let mut found = Vec::new();
    for (start, end) in tokens::sentences(reading.tokens) {
        if asks(reading, (start, end)) {
            let first = (start..end).find(|at| !reading.is(*at, OPENING)).unwrap_or(start);
            sentence(reading, (first, end), &mut found);
        }
    }
    found
}

fn asks(reading: &Reading<'_, '_>, (start, end): (usize, usize)) -> bool {
    (start..end).rev().take(3).any(|at| reading.is(at, &["?"]))
}

/// The part of a sentence that says something is so: nothing of a question, but for "did I tell you I moved?" and "I moved,
/// did you know?".
fn asserted(reading: &Reading<'_, '_>, bounds: (usize, usize)) -> Option<(usize, usize)> {
    const TELLING: &[&[&str]] = &[
        &["did", "i", "tell", "you"],
        &["have", "i", "told", "you"],
        &["did", "you", "know"],
        &["guess", "what"],
    ];
    const ASKING: &[&str] =
        &["did", "do", "does", "is", "are", "was", "were", "has", "have", "would", "can", "could"];
    let (start, end) = bounds;
    if !asks(reading, bounds) {
        return Some(bounds);
    }
    let opening = start + usize::from(reading.is(start, &["oh", "hey", "and"]));
    let opens =
        |order: &&&[&str]| order.iter().enumerate().all(|(at, word)| reading.word(opening + at) == *word);
    if let Some(order) = TELLING.iter().find(opens) {
        let at = opening + order.len();
        let at = at + usize::from(reading.is(at, &["that", "yet", ",", ":"]));
        return (at < end).then_some((at, end));
    }
    let comma = (start..end).rev().find(|at| reading.is(*at, &[","]))?;
    let who = comma + 2 + usize::from(reading.is(comma + 2, &["n't"]));
    // "Isn't she?" alone asks whether it is so.
    let goes_on = reading.is(comma + 1, ASKING)
        && reading.is(who, &["you", "he", "she", "they", "it", "we"])
        && !reading.is_sign(who + 1);
    let of_hearer = (start..comma).any(|at| reading.is(at, &["you", "your"]));
    (goes_on && !of_hearer).then_some((start, comma))
}

/// A sentence all in capitals has no names to go by.
fn is_shouted(reading: &Reading<'_, '_>, start: usize, end: usize) -> bool {
    end - start > 4
        && (start..end).all(|at| {
            reading.is_sign(at) || reading.tokens[at].shouts(reading.text) || reading.is(at, &["i", "a"])
        })
}

fn sentence(reading: &Reading<'_, '_>, bounds: (usize, usize), found: &mut Vec<Triple>) {
    let (start, limit) = bounds;
    let mut at = start;
    while at < limit {
        appositions(reading, at, bounds, found);
        if let Some(subject) = subject(reading, at, bounds) {
            clause(reading, at, bounds, in_number(reading, at, bounds, subject), found);
        } else if reading.is(at, &["he", "she"]) && may_begin(reading, at, start) {
            let meant = reading.meant(at).or_else(|| Some((ties::only_one(reading, at)?, 0.8)));
            if let Some((named, sure)) = meant {
                let subject = joined(reading, Subject::third(named, 0.8 * sure, at + 1));
                clause(reading, at, bounds, subject, found);
            }
        } else if reading.is(at, &["they"]) && may_begin(reading, at, start) {
            if let Some(pair) = couples::pair(reading, at, found) {
                let before = found.len();
                clause(reading, at, bounds, pair, found);
                couples::keep_ties(found, before);
            }
        } else if let Some(named) = everyday::cleft(reading, at, start) {
            clause(reading, at, bounds, Subject::third(named, 0.85, at + 1), found);
        } else {
            wants::favourite(reading, at, bounds, found);
        }
        callings::read(reading, at, bounds, found);
        everyday::read(reading, at, bounds, found);
        posts::first_or_last_day(reading, at, bounds, found);
        at += 1;
    }
}

/// "Bram and Zoe live": behind another subject the verb is a plural's, but where it is not, as in "Bram likes Porto and Zoe
/// lives there", what stands before was no subject.
fn in_number(reading: &Reading<'_, '_>, at: usize, bounds: (usize, usize), subject: Subject) -> Subject {
    let plural = Subject { agreement: Agreement::Plain, ..subject.clone() };
    let stands = || group(reading, plural.end, bounds.1, Agreement::Plain).is_some();
    if is_second(reading, at) && stands() { plural } else { subject }
}

fn clause(
    reading: &Reading<'_, '_>,
    at: usize,
    bounds: (usize, usize),
    subject: Subject,
    found: &mut Vec<Triple>,
) {
    let Some(mut group) = group(reading, subject.end, bounds.1, subject.agreement) else {
        return;
    };
    if let Some(first) = corrections::never_said(reading, at, bounds.0) {
        let clause = Clause { reading, first: at, bounds, subject, group, hedged: false, said_by: None };
        return unsaid(clause, first, found);
    }
    let Some(frame) = frame(reading, at, bounds.0, &group) else {
        return;
    };
    group.end = behind_contrast(reading, group.end, bounds.1);
    let hedged = frame.hedged || group.hedged || corrections::trails_off(reading, bounds);
    let clause = Clause { reading, first: at, bounds, subject, group, hedged, said_by: frame.said_by };
    let before = found.len();
    copula::read(&clause, found);
    patterns::read(&clause, found);
    again(&clause, before, found);
    debug_assert!(found[before..].iter().all(|triple| triple.span.start <= triple.span.end));
}

/// "I never said that I live in Porto", from `first` on: what was not said is taken back, if it was.
fn unsaid(mut clause: Clause<'_, '_, '_>, first: usize, found: &mut Vec<Triple>) {
    // Who never said that he does not may do or not.
    if clause.group.negated {
        return;
    }
    // What is told of the past behind "said" was said of then.
    if clause.group.mood == Mood::Past {
        clause.group.mood = Mood::Present;
    }
    let (before, start) = (found.len(), clause.reading.tokens[first].chars.0);
    copula::read(&clause, found);
    patterns::read(&clause, found);
    let states = |triple: &Triple| {
        matches!(triple.kind, FactKind::Fact | FactKind::Preference) && triple.polarity == Polarity::Affirmed
    };
    let claimed = found.split_off(before);
    found.extend(claimed.into_iter().filter(states).map(|triple| Triple {
        polarity: Polarity::Negated,
        corrects: true,
        valid: Interval::ALWAYS,
        granularity: None,
        span: Span { start, ..triple.span },
        ..triple
    }));
}

/// "Works not at Acme but at Brightwell": the place behind the "but", where the verb is followed by such a contrast.
fn behind_contrast(reading: &Reading<'_, '_>, end: usize, limit: usize) -> usize {
    const FARTHEST: usize = 8;
    if !reading.is(end, &["not"]) || reading.is(end + 1, &["only", "just", "merely"]) {
        return end;
    }
    let but = (end + 1..limit.min(end + FARTHEST)).find(|at| reading.is(*at, &["but"]));
    but.map_or(end, |but| but + 1)
}

/// "From 2010 to 2012, and again from 2016 to 2018": what was so twice is told twice.
fn again(clause: &Clause<'_, '_, '_>, before: usize, found: &mut Vec<Triple>) {
    let over = |triple: &Triple| triple.kind == FactKind::Fact && triple.valid.to.is_some();
    let once: Vec<Triple> = found[before..].iter().filter(|triple| over(triple)).cloned().collect();
    if once.is_empty() {
        return;
    }
    for told in clause.further() {
        let told_again = |triple: &Triple| Triple {
            valid: told.interval,
            granularity: Some(told.granularity),
            // Two statements of one fact are told apart by where they stand.
            span: told.span,
            ..triple.clone()
        };
        found.extend(once.iter().map(told_again));
    }
}

/// How many tokens are looked back at from a clause. A sentence without a comma that is longer is no sentence, and to
/// look back from each of its clauses would take forever.
const LOOKED_BACK: usize = 100;

/// What stands around a clause.
struct Frame {
    hedged: bool,
    /// Who is said to say it.
    said_by: Option<String>,
}

/// Looks back from a clause to the beginning of its sentence or the last comma; `None` where what stands there
/// makes it a condition, a wish or a denial.
fn frame(reading: &Reading<'_, '_>, at: usize, start: usize, group: &Group) -> Option<Frame> {
    let mut hedged = false;
    let said_by = says(reading, at, start);
    for before in (start..at).rev().take(LOOKED_BACK) {
        let word = reading.word(before);
        if matches!(word, "," | ";" | ":" | "and" | "but" | "so" | "because" | "-" | "–" | "—" | "(") {
            break;
        }
        // "You may have heard that we moved": what somebody else may know is so.
        if word == "you" && reading.is(before + 1, &["may", "might", "probably"]) {
            hedged = false;
            break;
        }
        // "When I lived in Porto" tells that I did.
        let told = word == "when" && matches!(group.mood, Mood::Past);
        // "Until 2005 I lived in Porto" does as well, and "as of May I live in Porto".
        let told =
            told || word == "until" && (reading.in_time(before + 1) || reading.is(before + 1, &["further"]));
        let told =
            told || word == "as" && reading.is(before + 1, &["of", "from"]) && reading.in_time(before + 2);
        if words::is_unreal(word) && !told || matches!(word, "n't" | "not") {
            return None;
        }
        // "In May" is no doubt.
        hedged |= words::is_hedge(word) && !reading.in_time(before);
    }
    Some(Frame { hedged, said_by })
}

/// "Zoe says that …", "according to Zoe, …": the name of who is said to say it, where that is not who speaks.
fn says(reading: &Reading<'_, '_>, at: usize, start: usize) -> Option<String> {
    const SAYING: &[&str] = &[
        "says",
        "said",
        "claims",
        "claimed",
        "reckons",
        "mentioned",
        "insists",
        "swears",
        "thinks",
        "believes",
    ];
    let mut verb = at.checked_sub(1).filter(|verb| *verb >= start)?;
    if reading.is(verb, &[","]) {
        let name = reading.name_before(verb)?;
        let according = name.first >= 2 && reading.is(name.first - 2, &["according"]);
        return according.then(|| name.called.clone());
    }
    if reading.is(verb, &["that"]) {
        verb = verb.checked_sub(1)?;
    }
    let named = if reading.is(verb, &["me", "us"]) && verb > 0 && reading.is(verb - 1, &["told", "tells"]) {
        reading.name_before(verb - 1)
    } else {
        reading.is(verb, SAYING).then(|| reading.name_before(verb)).flatten()
    };
    named.map(|name| name.called.clone()).filter(|name| Some(name.as_str()) != reading.speaker)
}

/// "My sister Ana", "Ana, my sister": ties that stand beside a name, wherever in a sentence.
fn appositions(reading: &Reading<'_, '_>, at: usize, (_, limit): (usize, usize), found: &mut Vec<Triple>) {
    let Some(relation) = ties::relation(reading, at).filter(|relation| relation.end <= limit) else {
        return;
    };
    if let Some((named, end)) = ties::apposed(reading, relation.end, limit) {
        found.extend(tie_triple(reading, named, &relation, (at, end)));
    } else if at > 0
        && reading.is(at - 1, &[","])
        && let Some(name) = reading.name_before(at - 1)
        && (relation.end >= limit || reading.is(relation.end, &[",", ".", "!", ")"]))
    {
        let named = Named { name: name.called.clone(), kind: name.kind };
        found.extend(tie_triple(reading, named, &relation, (name.first, relation.end)));
    }
}
