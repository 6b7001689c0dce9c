//! What corrects makes void what was said before it, whenever that was told: a correction is not a change of the world.

use rustc_hash::FxHashMap;

use super::{Claimed, Statement};
use crate::graph::SessionIx;
use crate::model::predicate::Cardinality;
use crate::model::time::Interval;

/// An episode, as far as statements know of it.
type Turn = (SessionIx, u32);

/// Lets every correction count, from the first said on. `all` is in the order of the line.
pub(super) fn apply(cardinality: Cardinality, all: &mut [Claimed]) {
    let mut corrections: Vec<usize> =
        (0..all.len()).filter(|place| all[*place].statement.corrects && all[*place].statement.firm).collect();
    // "Munich, not Berlin": what was not so first, whichever comes first in the text.
    corrections.sort_by_key(|place| {
        let Claimed { statement, affirmed, .. } = &all[*place];
        (statement.said(), statement.recorded_at, statement.place.1, *affirmed, statement.place.2)
    });
    // When what a turn says was not so was said to have held.
    let mut began: FxHashMap<Turn, Interval> = FxHashMap::default();
    for place in corrections {
        let correction = all[place];
        let turn = (correction.statement.place.0, correction.statement.place.1);
        if !correction.affirmed {
            if let Some(void) = deny(&correction, all) {
                began.entry(turn).and_modify(|known| known.from = known.from.min(void.from)).or_insert(void);
            }
            continue;
        }
        if cardinality == Cardinality::Many {
            continue;
        }
        let void = began.get(&turn).copied().or_else(|| take_over(&correction, all));
        if let Some(void) = void
            && !correction.statement.dated
        {
            let valid = &mut all[place].statement.valid;
            *valid = Interval { from: void.from.min(valid.from), to: valid.to.or(void.to) };
        }
    }
}

/// Whether `other` was said before a correction, and the correction's speaker is one to correct it: its own, somebody who
/// tells of himself, or nobody in the conversation.
fn corrects(correction: &Statement, other: &Statement) -> bool {
    let earlier = other.is_said_before(correction);
    earlier && (correction.voice.is_first_hand() || !correction.is_of_another(other))
}

/// Makes void what affirms what a correction says was never so: all of it, or what falls into the time that it names. Returns
/// when that was said to have held.
fn deny(correction: &Claimed, all: &mut [Claimed]) -> Option<Interval> {
    let by = &correction.statement;
    let affected = |other: &&mut Claimed| {
        other.affirmed
            && other.void.is_none()
            && other.object == correction.object
            && corrects(by, &other.statement)
            && (!by.dated || other.statement.valid.overlaps(by.valid))
    };
    void(by, all.iter_mut().filter(affected))
}

/// Makes void the stay that a correction comes after, if it is another's. Returns when that was said to have held.
fn take_over(correction: &Claimed, all: &mut [Claimed]) -> Option<Interval> {
    let by = &correction.statement;
    let before = |other: &Claimed| {
        other.affirmed
            && other.kind.is_state()
            && other.void.is_none()
            && other.statement.firm
            && corrects(by, &other.statement)
            && (!by.dated || other.statement.valid.from >= by.valid.from)
    };
    let line: Vec<usize> = (0..all.len()).filter(|place| before(&all[*place])).collect();
    let last = all[*line.last()?].object;
    if last == correction.object {
        return None;
    }
    let run = line.into_iter().rev().take_while(|place| all[*place].object == last).collect::<Vec<_>>();
    let first = *run.last()?;
    let in_run = all[first..].iter_mut().filter(|other| other.object == last && before(other));
    void(by, in_run)
}

fn void<'c>(by: &Statement, affected: impl Iterator<Item = &'c mut Claimed>) -> Option<Interval> {
    let mut stay: Option<Interval> = None;
    for other in affected {
        other.void = Some(by.recorded_at);
        let Interval { from, to } = other.statement.valid;
        stay = Some(stay.map_or(Interval { from, to }, |known| Interval {
            from: known.from.min(from),
            to: known.to.zip(to).map(|(known, to)| known.max(to)),
        }));
    }
    stay
}
