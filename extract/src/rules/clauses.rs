//! Goes through the sentences of an episode, finds the clauses that assert something, and hands each to the
//! patterns. Questions and hypotheticals end here.

use lorebase_engine::model::fact::{Named, Triple};

use crate::rules::clause::{Clause, tie_triple};
use crate::rules::group::{Group, Mood, group};
use crate::rules::persons::{Agreement, Subject, is_second, may_begin, subject};
use crate::rules::reading::Reading;
use crate::rules::ties;
use crate::rules::words;
use crate::rules::{callings, copula, patterns, wants};
use crate::syntax::tokens;

/// The claims of an episode, in the order of the text.
pub(super) fn triples(reading: &Reading<'_, '_>) -> Vec<Triple> {
    let mut found = Vec::new();
    for (start, end) in tokens::sentences(reading.tokens) {
        let asked = (start..end).rev().take(3).any(|at| reading.is(at, &["?"]));
        if !asked && !is_shouted(reading, start, end) {
            sentence(reading, (start, end), &mut found);
        }
    }
    found.sort_by_key(|triple| triple.span.start);
    found
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
        if let Some(mut subject) = subject(reading, at, bounds) {
            if is_second(reading, at) {
                subject.agreement = Agreement::Plain;
            }
            clause(reading, at, bounds, subject, found);
        } else if reading.is(at, &["he", "she"]) && may_begin(reading, at, start) {
            if let Some((named, sure)) = reading.meant(at) {
                clause(reading, at, bounds, Subject::third(named, 0.8 * sure, at + 1), found);
            }
        } else {
            wants::favourite(reading, at, bounds, found);
        }
        callings::read(reading, at, bounds, found);
        at += 1;
    }
}

fn clause(
    reading: &Reading<'_, '_>,
    at: usize,
    bounds: (usize, usize),
    subject: Subject,
    found: &mut Vec<Triple>,
) {
    let Some(group) = group(reading, subject.end, bounds.1, subject.agreement) else {
        return;
    };
    let Some(frame) = frame(reading, at, bounds.0, &group) else {
        return;
    };
    let clause = Clause { reading, first: at, bounds, subject, group, hedged: frame.hedged || group.hedged };
    let before = found.len();
    copula::read(&clause, found);
    patterns::read(&clause, found);
    debug_assert!(found[before..].iter().all(|triple| triple.span.start <= triple.span.end));
}

/// How many tokens are looked back at from a clause. A sentence without a comma that is longer is no sentence, and to
/// look back from each of its clauses would take forever.
const LOOKED_BACK: usize = 100;

/// What stands around a clause.
struct Frame {
    hedged: bool,
}

/// Looks back from a clause to the beginning of its sentence or the last comma; `None` where what stands there
/// makes it a condition, a wish or a denial.
fn frame(reading: &Reading<'_, '_>, at: usize, start: usize, group: &Group) -> Option<Frame> {
    let mut hedged = false;
    for before in (start..at).rev().take(LOOKED_BACK) {
        let word = reading.word(before);
        if matches!(word, "," | ";" | ":" | "and" | "but" | "so" | "because" | "-" | "–" | "—" | "(") {
            break;
        }
        // "When I lived in Porto" tells that I did.
        let told = word == "when" && matches!(group.mood, Mood::Past);
        if words::is_unreal(word) && !told || matches!(word, "n't" | "not") {
            return None;
        }
        hedged |= words::is_hedge(word);
    }
    Some(Frame { hedged })
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
