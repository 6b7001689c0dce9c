//! Who a clause speaks of: "I", "we", "you", names, "my sister". Other pronouns are left alone.

use std::sync::LazyLock;

use lorebase_engine::model::entity::EntityKind;
use lorebase_engine::model::fact::Named;

use crate::rules::reading::Reading;
use crate::rules::ties;
use crate::rules::words::{self, WordSet, set};

/// How the verb of a subject is inflected.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Agreement {
    /// "I live", "they live".
    Plain,
    /// "Ana lives".
    Third,
}

/// The subject of a clause.
#[derive(Debug, Clone)]
pub(super) struct Subject {
    pub(super) named: Named,
    pub(super) agreement: Agreement,
    /// How sure it is that this is who is meant.
    pub(super) confidence: f32,
    /// Who is joined to them: "Ana and Rui".
    pub(super) beside: Option<Named>,
    /// The first token after it.
    pub(super) end: usize,
}

impl Subject {
    /// Somebody who is told of.
    pub(super) fn third(named: Named, confidence: f32, end: usize) -> Self {
        Self { named, agreement: Agreement::Third, confidence, beside: None, end }
    }
}

/// The subject that begins at `at`, in a sentence that begins at `start` and ends at `limit`.
pub(super) fn subject(
    reading: &Reading<'_, '_>,
    at: usize,
    (start, limit): (usize, usize),
) -> Option<Subject> {
    let person = |name: &str, confidence| {
        Some(Subject {
            named: Named { name: name.to_owned(), kind: EntityKind::Person },
            agreement: Agreement::Plain,
            confidence,
            beside: None,
            end: at + 1,
        })
    };
    let found = match reading.word(at) {
        "i" if !in_relative_clause(reading, at, start) => person(reading.speaker?, 0.95),
        "we" if may_begin(reading, at, start) && !in_relative_clause(reading, at, start) => {
            person(reading.speaker?, 0.8)
        }
        "you" if may_begin(reading, at, start) => person(reading.other?, 0.7),
        _ if may_begin(reading, at, start) => third(reading, at, limit),
        _ => None,
    }?;
    Some(joined(reading, found))
}

/// Words behind which a clause can begin.
static OPENERS: WordSet = LazyLock::new(|| {
    set("and but so because that while since although though then when think believe guess know said says \
         hey oh yes yeah well also if maybe perhaps actually now heard the recently probably sure glad \
         whether hope apparently supposedly allegedly reportedly presumably poor dear lucky aunt auntie uncle cousin grandma grandpa granny grandad")
});

/// Whether a subject can begin at `at`: nothing before it makes it a part of something else.
pub(super) fn may_begin(reading: &Reading<'_, '_>, at: usize, start: usize) -> bool {
    if at <= start {
        return true;
    }
    let before = reading.word(at - 1);
    reading.is_sign(at - 1) && !matches!(before, "'" | "&" | "-" | "/")
        || reading.in_time(at - 1)
        || OPENERS.contains(before)
}

/// Whether an "I" stands right behind a noun, as in "the friends I have": what follows tells of the friends.
fn in_relative_clause(reading: &Reading<'_, '_>, at: usize, start: usize) -> bool {
    if at <= start || reading.is_sign(at - 1) || reading.in_time(at - 1) || may_begin(reading, at, start) {
        return false;
    }
    let before = reading.word(at - 1);
    // "Until further notice I live here".
    if before == "notice" && at > start + 1 && reading.is(at - 2, &["further"]) {
        return false;
    }
    !words::ends_phrase(before) && !words::is_hedge(before) && !INTERJECTIONS.contains(&before)
}

/// Words after which a clause begins without a comma, in writing of every day.
const INTERJECTIONS: &[&str] = &[
    "yeah", "yep", "yup", "yes", "no", "haha", "lol", "wow", "thanks", "ok", "okay", "sure", "hmm", "oh",
    "bet", "mean", "means", "promise", "ya", "reason", "reasons", "admit", "say", "feel", "btw", "anyway",
    "honestly", "tbh", "nah", "remember", "note", "mention", "confess", "swear", "hi", "hello", "said",
    "told",
];

fn third(reading: &Reading<'_, '_>, at: usize, limit: usize) -> Option<Subject> {
    let third = |named, confidence, end| Some(Subject::third(named, confidence, end));
    if let Some(relation) = ties::relation(reading, at) {
        if let Some((named, end)) = ties::apposed(reading, relation.end, limit) {
            let end = end + usize::from(reading.is(end, &[","]) && reading.is(relation.end, &[","]));
            let kind = relation.tie.kind;
            return third(Named { kind, ..named }, 0.9, end);
        }
        return third(relation.described(reading), 0.85, relation.end);
    }
    if let Some(kin) = kin(reading, at) {
        return third(kin, 0.8, at + 1);
    }
    let name = reading.name_at(at)?;
    let named = Named { name: name.called.clone(), kind: name.kind };
    // "Ana, my sister, lives in Porto".
    if reading.is(name.end, &[","])
        && let Some(relation) = ties::relation(reading, name.end + 1)
        && reading.is(relation.end, &[","])
    {
        return third(named, 0.9, relation.end + 1);
    }
    third(named, 0.9, name.end)
}

/// "Mum moved to Porto": a relative who is called so is the speaker's own.
fn kin(reading: &Reading<'_, '_>, at: usize) -> Option<Named> {
    const CALLED: &[&str] = &["mom", "mum", "dad", "mother", "father", "grandma", "grandpa", "mama", "papa"];
    let speaker = reading.speaker.filter(|_| reading.is(at, CALLED) && reading.tokens[at].capital)?;
    // "Grandma Rosa" has a name.
    let named = reading.name_at(at + 1).is_some() || reading.name_at(at).is_some();
    let called = match reading.word(at) {
        "mama" => "mom",
        "papa" => "dad",
        word => word,
    };
    (!named).then(|| Named { name: format!("{speaker}'s {called}"), kind: EntityKind::Person })
}

/// "Ana and Rui live": the verb that follows belongs to the first as well.
pub(super) fn joined(reading: &Reading<'_, '_>, subject: Subject) -> Subject {
    if !reading.is(subject.end, &["and"]) {
        return subject;
    }
    let second = subject.end + 1;
    let beside = match (reading.word(second), reading.speaker) {
        ("i", Some(speaker)) => {
            Some((Named { name: speaker.to_owned(), kind: EntityKind::Person }, second + 1))
        }
        _ => match ties::relation(reading, second) {
            Some(relation) => ties::apposed(reading, relation.end, relation.end + 8)
                .or_else(|| Some((relation.described(reading), relation.end))),
            None => reading
                .name_at(second)
                .map(|name| (Named { name: name.called.clone(), kind: name.kind }, name.end)),
        },
    };
    match beside {
        Some((beside, end)) => Subject { agreement: Agreement::Plain, end, beside: Some(beside), ..subject },
        None => subject,
    }
}

/// Whether the subject at `at` is the second of two, so that its verb is a plural's.
pub(super) fn is_second(reading: &Reading<'_, '_>, at: usize) -> bool {
    at > 1
        && reading.is(at - 1, &["and"])
        && (reading.name_before(at - 1).is_some()
            || reading.is(at - 2, &["i"])
            || ties::tie(reading.word(at - 2)).is_some())
}
