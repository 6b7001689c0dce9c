//! The words by which people take back and put right.

use crate::rules::reading::{Phrase, Reading};
use crate::rules::words;

/// How something is taken back.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Back {
    /// "Scratch that": what the speaker has just said.
    Own,
    /// "That's not true", "I never said that": what was just said, mostly by the other.
    Wrong,
    /// "That's not true any more": it was so.
    Over,
}

/// What is said in place of something else.
pub(super) struct Instead {
    pub(super) right: Phrase,
    /// What it is not.
    pub(super) wrong: Option<Phrase>,
    /// Whether it is told as what was meant.
    pub(super) meant: bool,
}

/// Words before what is said, by which people break in.
const LEAD: &[&str] = &[
    "oh", "no", "nope", "nah", "sorry", "wait", "well", "ugh", "hm", "hmm", "oops", "actually", "ah", "er",
    "um", "uh", "so", "and", "but", "yes", "okay", "ok", "hey", "whoops", "hold", "hang", "on", "haha",
    "rather", "again", "right", "yeah", "true",
];
/// Those that say that something was wrong.
const BREAKING: &[&str] =
    &["no", "nope", "nah", "sorry", "wait", "oops", "whoops", "actually", "ugh", "rather", "correction"];
/// The longest sentence that is nothing but a cue for the next.
const SHORT: usize = 8;

/// Word orders that tell of a slip of who speaks.
const SLIPS: &[&[&str]] = &[
    &["i", "misheard"],
    &["i", "misread"],
    &["i", "misspoke"],
    &["i", "mistyped"],
    &["i", "misremembered"],
    &["my", "mistake"],
    &["my", "bad"],
    &["i", "got", "that", "wrong"],
    &["i", "got", "it", "wrong"],
    &["i", "had", "that", "wrong"],
    &["i", "had", "it", "wrong"],
    &["i", "was", "wrong"],
    &["i", "was", "mistaken"],
    &["i", "stand", "corrected"],
];
/// Word orders, behind what leads in, that take back what the speaker has just said.
const OWN: &[&[&str]] = &[
    &["scratch", "that"],
    &["strike", "that"],
    &["forget", "that"],
    &["ignore", "that"],
    &["disregard", "that"],
    &["forget", "what", "i", "said"],
    &["ignore", "what", "i", "said"],
    &["i", "take", "that", "back"],
    &["i", "made", "that", "up"],
    &["i", "was", "joking"],
    &["i", "was", "kidding"],
    &["i", "was", "only", "joking"],
    &["i", "was", "just", "joking"],
    &["i", "was", "just", "kidding"],
    &["just", "kidding"],
    &["only", "joking"],
];
/// Those that deny what was just said.
const WRONG: &[&[&str]] = &[
    &["i", "never", "said", "that"],
    &["i", "never", "said", "so"],
    &["i", "did", "n't", "say", "that"],
    &["i", "did", "not", "say", "that"],
    &["that", "'s", "not", "true"],
    &["that", "is", "not", "true"],
    &["that", "is", "n't", "true"],
    &["that", "'s", "wrong"],
    &["that", "is", "wrong"],
    &["that", "'s", "not", "right"],
    &["that", "is", "n't", "right"],
    &["that", "'s", "not", "correct"],
    &["that", "was", "a", "mistake"],
    &["that", "'s", "a", "mistake"],
    &["that", "'s", "false"],
];
/// Those that say that it is over.
const OVER: &[&[&str]] = &[
    &["that", "'s", "no", "longer", "true"],
    &["that", "is", "no", "longer", "true"],
    &["that", "'s", "no", "longer", "the", "case"],
    &["that", "is", "no", "longer", "the", "case"],
    &["that", "'s", "not", "the", "case", "any"],
    &["that", "'s", "not", "the", "case", "anymore"],
    &["not", "any", "more"],
    &["not", "anymore"],
    &["not", "any", "longer"],
    &["i", "do", "n't", "any", "more"],
    &["i", "do", "n't", "anymore"],
    &["i", "'m", "not", "any", "more"],
    &["i", "'m", "not", "anymore"],
];

/// How a sentence takes back what was said, if it does nothing else.
pub(super) fn taken_back(reading: &Reading<'_, '_>, bounds: (usize, usize)) -> Option<Back> {
    let at = behind_lead(reading, bounds);
    let any = |orders: &[&[&str]]| {
        orders.iter().find(|order| stands_at(reading, at, order)).map(|order| at + order.len())
    };
    if let Some(end) = any(OWN) {
        return closes(reading, end, bounds.1).then_some(Back::Own);
    }
    if let Some(end) = any(OVER) {
        return closes(reading, end, bounds.1).then_some(Back::Over);
    }
    let end = any(WRONG)?;
    let over = reading.is(end, &["anymore"])
        || reading.is(end, &["any"]) && reading.is(end + 1, &["more", "longer"]);
    if over {
        return Some(Back::Over);
    }
    closes(reading, end, bounds.1).then_some(Back::Wrong)
}

/// What a sentence says in place of what was said, where that is all that it says: "it's Munich, not Berlin", "I meant
/// Munich", "Munich, not Berlin", "not Berlin, Munich".
pub(super) fn instead(reading: &Reading<'_, '_>, bounds: (usize, usize)) -> Option<Instead> {
    let (mut at, limit) = (behind_lead(reading, bounds), bounds.1);
    let meant = reading.is(at, &["i"]) && reading.is(at + 1, &["meant", "mean"]);
    if meant {
        at += 2;
        at += usize::from(reading.is(at, &[","]));
        at += 2 * usize::from(reading.is(at, &["to"]) && reading.is(at + 1, &["say"]));
    } else if reading.is(at, &["correction"]) && reading.is(at + 1, &[":", ","]) {
        at += 2;
    }
    let pointed = reading.is(at, &["it", "that", "this"]) && reading.is(at + 1, &["'s", "is", "was"])
        || reading.is(at, &["its"]);
    at += if pointed && reading.is(at, &["its"]) { 1 } else { 2 * usize::from(pointed) };
    // "His name is Jasper".
    let named = reading.is(at, &["his", "her", "the", "its"]) && reading.is(at + 1, &["name"]);
    let named = named && reading.is(at + 2, &["is", "'s"]);
    at += 3 * usize::from(named);
    let pointed = pointed || named;
    if reading.is(at, &["not", "n't"]) {
        let wrong = reading.phrase(at + 1, limit)?;
        let mut next = wrong.end + usize::from(reading.is(wrong.end, &[",", ";", "-", "–", "—"]));
        next += usize::from(reading.is(next, &["but"]));
        next += 2 * usize::from(reading.is(next, &["it", "that"]) && reading.is(next + 1, &["'s", "is"]));
        let right = reading.phrase(next, limit).filter(|right| closes(reading, right.end, limit))?;
        return Some(Instead { right, wrong: Some(wrong), meant });
    }
    let right = reading.phrase(at, limit)?;
    let wrong = denied_behind(reading, right.end, limit);
    let end = wrong.as_ref().map_or(right.end, |wrong| wrong.end);
    let told = meant || pointed || wrong.is_some() || reading.is(bounds.0, &["correction"]);
    (told && closes(reading, end, limit)).then_some(Instead { right, wrong, meant })
}

/// ", not Berlin", "and not Berlin", "instead of Berlin" at `at`.
fn denied_behind(reading: &Reading<'_, '_>, at: usize, limit: usize) -> Option<Phrase> {
    let comma = at + usize::from(reading.is(at, &[",", "-", "–", "—", "(", "and"]));
    let next = match (reading.word(comma), reading.word(comma + 1)) {
        ("not", _) if comma > at => comma + 1,
        ("instead", "of") | ("rather", "than") => comma + 2,
        _ => return None,
    };
    reading.phrase(next, limit)
}

/// What takes the place of something that a sentence says is over at a character: "… isn't my boss any more, it's Kjell now".
pub(super) fn successor(reading: &Reading<'_, '_>, end: u32, limit: usize) -> Option<Phrase> {
    let at = reading.tokens.partition_point(|token| token.chars.1 <= end);
    let between = |at: &usize| {
        reading.is(*at, &[",", ";", "any", "more", "anymore", "longer", "-", "–", "—", "and", "but", "now"])
    };
    let at = (at..limit).find(|at| !between(at))?;
    let pointed = reading.is(at, &["it", "that"]) && reading.is(at + 1, &["'s", "is"]);
    let phrase = reading.phrase(at + 2, limit).filter(|_| pointed)?;
    closes(reading, phrase.end, limit).then_some(phrase)
}

/// What a claim that ends at a character is told against: "she lives in Reims, not Rennes".
pub(super) fn not_the_other(reading: &Reading<'_, '_>, end: u32) -> Option<Phrase> {
    let at = reading.tokens.partition_point(|token| token.chars.1 <= end);
    let limit = reading.tokens.len();
    denied_behind(reading, at, limit)
        .filter(|wrong| wrong.named().is_some() && closes(reading, wrong.end, limit))
}

/// Whether a sentence says that something was wrong: it begins so, or tells of a slip.
pub(super) fn is_cued(reading: &Reading<'_, '_>, bounds: (usize, usize)) -> bool {
    let at = behind_lead(reading, bounds);
    (bounds.0..at).any(|at| reading.is(at, BREAKING)) || is_explicit(reading, bounds)
}

/// Whether a sentence begins with a "no".
pub(super) fn denies(reading: &Reading<'_, '_>, bounds: (usize, usize)) -> bool {
    (bounds.0..behind_lead(reading, bounds)).any(|at| reading.is(at, &["no", "nope", "nah"]))
}

/// Whether a sentence is short and says that what was said is wrong: "Ugh, no.", "You're right, I was wrong."
pub(super) fn cues_next(reading: &Reading<'_, '_>, bounds: (usize, usize)) -> bool {
    bounds.1 - bounds.0 <= SHORT && (is_cued(reading, bounds) || is_slip(reading, bounds))
}

/// Whether a sentence calls itself a correction, or tells of a slip.
pub(super) fn is_explicit(reading: &Reading<'_, '_>, bounds: (usize, usize)) -> bool {
    reading.is(bounds.0, &["correction"]) || is_slip(reading, bounds)
}

/// Whether a sentence tells of a slip of who speaks.
pub(super) fn is_slip(reading: &Reading<'_, '_>, (start, end): (usize, usize)) -> bool {
    (start..end).any(|at| SLIPS.iter().any(|order| stands_at(reading, at, order)))
}

/// Whether a sentence tells of what has changed, and of no mistake.
pub(super) fn is_news(reading: &Reading<'_, '_>, (start, end): (usize, usize)) -> bool {
    const NEWS: &[&str] = &["now", "nowadays", "anymore", "moved", "currently", "since", "again", "longer"];
    (start..end).any(|at| reading.is(at, NEWS) || reading.is(at, &["these"]) && reading.is(at + 1, &["days"]))
}

fn stands_at(reading: &Reading<'_, '_>, at: usize, order: &[&str]) -> bool {
    order.iter().enumerate().all(|(place, word)| reading.word(at + place) == *word)
}

/// The first token behind the words that lead in.
fn behind_lead(reading: &Reading<'_, '_>, (start, end): (usize, usize)) -> usize {
    let leads =
        |at: &usize| reading.is(*at, LEAD) || reading.is(*at, &[",", "…", "...", "-", "–", "—", "!", "."]);
    (start..end).find(|at| !leads(at)).unwrap_or(end)
}

/// Whether what is said ends at `at`.
fn closes(reading: &Reading<'_, '_>, at: usize, limit: usize) -> bool {
    at >= limit
        || reading.is_sign(at)
        || words::is_adverb(reading.word(at)) && (at + 1 >= limit || reading.is_sign(at + 1))
}

/// Where "I never said that", "I didn't tell anybody" begins, if a clause at `at` is what was not said.
pub(in crate::rules) fn never_said(reading: &Reading<'_, '_>, at: usize, start: usize) -> Option<usize> {
    const SAYING: &[&str] = &[
        "said",
        "say",
        "told",
        "tell",
        "claimed",
        "claim",
        "mentioned",
        "mention",
        "meant",
        "mean",
        "wrote",
        "write",
        "stated",
        "state",
    ];
    const HEARERS: &[&str] =
        &["you", "anyone", "anybody", "them", "him", "her", "people", "to", "ever", "once"];
    let mut verb = at.checked_sub(1)?;
    while verb > start && (reading.is(verb, HEARERS) || reading.is(verb, &["that"])) {
        verb -= 1;
    }
    if verb <= start || !reading.is(verb, SAYING) {
        return None;
    }
    let mut no = verb - 1;
    while no > start && words::is_adverb(reading.word(no)) {
        no -= 1;
    }
    let denied = reading.is(no, &["never"])
        || reading.is(no, &["n't", "not"]) && no > start && reading.is(no - 1, &["did", "have"]);
    let mut who = no.checked_sub(1)?;
    while who > start && reading.is(who, &["did", "have", "'ve"]) {
        who -= 1;
    }
    (denied && who >= start && reading.is(who, &["i", "we"])).then_some(who)
}

/// Word orders that make doubtful what stands before them at the end of a sentence. "…, apparently" marvels at news.
const TRAILING: &[&[&str]] = &[
    &["i", "hear"],
    &["i", "heard"],
    &["i", "'ve", "heard"],
    &["i", "think"],
    &["i", "guess"],
    &["i", "believe"],
    &["i", "suppose"],
    &["i", "reckon"],
    &["i", "gather"],
    &["so", "i", "hear"],
    &["so", "i", "heard"],
    &["so", "i", "'ve", "heard"],
    &["so", "they", "say"],
    &["or", "so", "i", "hear"],
    &["or", "so", "i", "heard"],
    &["or", "so", "they", "say"],
    &["from", "what", "i", "hear"],
    &["from", "what", "i", "heard"],
    &["from", "what", "i", "'ve", "heard"],
    &["as", "far", "as", "i", "know"],
    &["if", "i", "remember", "right"],
    &["if", "i", "remember", "correctly"],
    &["they", "say"],
    &["people", "say"],
    &["supposedly"],
    &["allegedly"],
    &["reportedly"],
    &["presumably"],
    &["maybe"],
    &["perhaps"],
    &["probably"],
    &["or", "something"],
];

/// Whether a sentence ends with words of doubt: "…, I hear".
pub(in crate::rules) fn trails_off(reading: &Reading<'_, '_>, (start, end): (usize, usize)) -> bool {
    let last = (start..end).rev().find(|at| !reading.is_sign(*at));
    let Some(last) = last else { return false };
    TRAILING.iter().any(|order| {
        let first = (last + 1).checked_sub(order.len()).filter(|first| *first > start);
        first.is_some_and(|first| {
            let apart = reading.is_sign(first - 1) || order.len() == 1 || order[0] == "or";
            apart && stands_at(reading, first, order)
        })
    })
}

/// Whether a sentence does nothing but put right a word of what was said, so that by itself it tells nothing: "Sorry, I
/// meant 14 March", "Actually it's York, not Leeds".
pub(in crate::rules) fn is_bare(reading: &Reading<'_, '_>, bounds: (usize, usize)) -> bool {
    let at = behind_lead(reading, bounds);
    let meant = reading.is(at, &["i"]) && reading.is(at + 1, &["meant", "mean"]);
    let first = at + 2 + usize::from(reading.is(at + 2, &[","]));
    let timed =
        meant && reading.in_time(first + usize::from(reading.is(first, &["on", "in", "at", "the", "by"])));
    let told = instead(reading, bounds).is_some_and(|told| {
        let named = |phrase: &Phrase| phrase.named().is_some();
        told.meant || told.wrong.as_ref().is_some_and(|wrong| named(wrong) || named(&told.right))
    });
    timed || told
}
