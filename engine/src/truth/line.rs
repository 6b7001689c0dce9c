//! The line of statements that bear on one another, in their order: what cuts off which, and what cannot be put in order.

use rustc_hash::FxHashMap;

use super::stays::{End, Stay};
use super::{Claimed, Stated};
use crate::graph::SessionIx;
use crate::model::fact::FactKind;
use crate::model::predicate::Cardinality;
use crate::model::time::{Interval, Timestamp};

/// Statements in their order.
pub(super) struct Line<'c> {
    all: &'c [Claimed],
    /// Whether different objects compete.
    single: bool,
    /// The firm statements of states that go on, by place among all.
    open: Vec<usize>,
    /// By place in `open`, the place there of the next one of another object.
    next_other: Vec<usize>,
    /// The firm statements of states that have an end, by place among all.
    interludes: Vec<usize>,
    /// The same by object and by whether they affirm, whether objects compete or not.
    lapses: FxHashMap<(u64, bool), Vec<usize>>,
    /// The firm statements by object and by whether they affirm, by place among all.
    firm: FxHashMap<(u64, bool), Vec<usize>>,
}

/// Notes which statements somebody makes of others in a session in which these tell of themselves: those know better.
pub(super) fn outrank(all: &mut [Claimed]) {
    let counts = |claimed: &Claimed| claimed.competes() && claimed.statement.firm && !claimed.statement.dated;
    let mut known: FxHashMap<SessionIx, Vec<usize>> = FxHashMap::default();
    for (place, claimed) in all.iter().enumerate() {
        if counts(claimed) && claimed.statement.voice.is_first_hand() {
            known.entry(claimed.statement.place.0).or_default().push(place);
        }
    }
    if known.is_empty() {
        return;
    }
    for place in 0..all.len() {
        let claimed = all[place];
        if !counts(&claimed) || claimed.statement.voice.is_first_hand() {
            continue;
        }
        let better = known.get(&claimed.statement.place.0).into_iter().flatten().map(|place| &all[*place]);
        let mut better =
            better.filter(|better| better.statement.is_of_another(&claimed.statement)).peekable();
        let differs = better.peek().map(|better| better.fact);
        if better.all(|better| better.object != claimed.object) {
            all[place].outranked = differs;
        }
    }
}

impl<'c> Line<'c> {
    /// `all` is in the order of statements.
    pub(super) fn of(cardinality: Cardinality, all: &'c [Claimed]) -> Self {
        let firm = |place: &usize| all[*place].statement.firm;
        let mut by_object: FxHashMap<(u64, bool), Vec<usize>> = FxHashMap::default();
        for place in (0..all.len()).filter(firm).filter(|place| all[*place].stands()) {
            by_object.entry((all[place].object, all[place].affirmed)).or_default().push(place);
        }
        let single = cardinality == Cardinality::Single;
        let competing = || (0..all.len()).filter(firm).filter(|place| single && all[*place].competes());
        let open: Vec<usize> = competing().filter(|place| all[*place].statement.valid.to.is_none()).collect();
        let mut next_other = vec![open.len(); open.len()];
        for number in (0..open.len().saturating_sub(1)).rev() {
            let next = number + 1;
            let same = all[open[next]].object == all[open[number]].object;
            next_other[number] = if same { next_other[next] } else { next };
        }
        let ends = |place: &usize| all[*place].statement.valid.to.is_some();
        let interludes = competing().filter(ends).collect();
        let mut lapses = by_object.clone();
        lapses.retain(|_, places| {
            places.retain(|place| ends(place) && all[*place].kind.is_state());
            !places.is_empty()
        });
        Self { all, single, open, next_other, interludes, lapses, firm: by_object }
    }

    /// How long what the statement at a place says held, but for interludes.
    pub(super) fn stay(&self, place: usize) -> Stay {
        let claimed = &self.all[place];
        let Interval { from, to } = claimed.statement.valid;
        let mut stay = Stay { from, to, end: End::Own, first: place };
        if let Some(to) = self.closed(claimed) {
            stay.end_at(Some(to), End::Own);
        }
        stay.from = stay.from.or_else(|| self.began(claimed));
        if self.single
            && claimed.competes()
            && let Some(rival) = self.rival(place)
        {
            stay.end_at(self.all[rival].statement.valid.from, End::Rival(self.all[rival].fact));
        }
        // What happened stays so.
        if claimed.kind != FactKind::Event
            && let Some(opposite) = self.opposite(place)
        {
            let Claimed { statement, .. } = &self.all[opposite];
            stay.end_at(statement.valid.from, End::Opposite(statement.recorded_at));
        }
        stay
    }

    /// When what a statement says to go on was over, as was said later: "I worked there until May".
    fn closed(&self, claimed: &Claimed) -> Option<Timestamp> {
        let own = &claimed.statement;
        if own.valid.to.is_some() || !claimed.kind.is_state() {
            return None;
        }
        let same = self.lapses.get(&(claimed.object, claimed.affirmed))?;
        let closes = |other: &&Claimed| {
            let Interval { from, to } = other.statement.valid;
            from <= own.valid.from && ends_after(to, own.valid.from) && own.is_said_before(&other.statement)
        };
        same.iter()
            .map(|other| &self.all[*other])
            .filter(closes)
            .filter_map(|other| other.statement.valid.to)
            .min()
    }

    /// When what a statement only tells the end of had begun, as was said before.
    fn began(&self, claimed: &Claimed) -> Option<Timestamp> {
        let own = &claimed.statement;
        if own.valid.from.is_some() || own.valid.to.is_none() || !claimed.kind.is_state() {
            return None;
        }
        let same = self.firm.get(&(claimed.object, claimed.affirmed))?;
        let before = same.iter().map(|other| &self.all[*other].statement).filter(|other| {
            other.valid.from.is_some()
                && ends_after(own.valid.to, other.valid.from)
                && other.is_said_before(own)
        });
        before.filter_map(|other| other.valid.from).min()
    }

    /// The first statement of another object that goes on and comes after one.
    fn rival(&self, place: usize) -> Option<usize> {
        let claimed = &self.all[place];
        let mut number = self.open.partition_point(|other| *other <= place);
        while let Some(other) = self.open.get(number).map(|other| &self.all[*other]) {
            if other.object == claimed.object {
                number = self.next_other[number];
            } else if other.statement.after(&claimed.statement) {
                return Some(self.open[number]);
            } else {
                number += 1;
            }
        }
        None
    }

    /// The first statement of the opposite that comes after one, unless it only tells how things were for a time.
    fn opposite(&self, place: usize) -> Option<usize> {
        let claimed = &self.all[place];
        let opposite = self.firm.get(&(claimed.object, !claimed.affirmed))?;
        let later = &opposite[opposite.partition_point(|other| *other <= place)..];
        let goes_on = |other: &Claimed| other.statement.valid.to.is_none() || !other.kind.is_state();
        later.iter().copied().find(|other| {
            let other = &self.all[*other];
            goes_on(other) && other.statement.after(&claimed.statement)
        })
    }

    /// A stay without the time in which, as was said later, another object had its place, or it was not so.
    pub(super) fn pieces(&self, stay: Stay) -> Vec<Stay> {
        let own = &self.all[stay.first];
        let nothing = self.interludes.is_empty() && self.lapses.is_empty();
        if nothing || !own.kind.is_state() || stay.interval().is_empty() {
            return vec![stay];
        }
        let (mut pieces, mut rest) = (Vec::new(), stay);
        for other in self.interruptions(&stay) {
            let (Interval { from, to }, end) = (other.statement.valid, cause(own, other));
            let before = Stay { to: from, end, ..rest };
            if from.is_some() && !before.interval().is_empty() {
                pieces.push(before);
            }
            rest.from = rest.from.max(to);
            if rest.interval().is_empty() {
                (rest.to, rest.end) = (rest.from, end);
                break;
            }
        }
        if pieces.is_empty() || !rest.interval().is_empty() {
            pieces.push(rest);
        }
        pieces
    }

    /// What has an end, falls into a stay, and comes after its first statement.
    fn interruptions(&self, stay: &Stay) -> Vec<&Claimed> {
        let own = &self.all[stay.first];
        let rivals = if own.competes() { &self.interludes[..] } else { &[] };
        let opposite = self.lapses.get(&(own.object, !own.affirmed)).map_or(&[][..], Vec::as_slice);
        let mut places: Vec<usize> = Vec::new();
        for list in [rivals, opposite] {
            let first = list.partition_point(|other| self.all[*other].statement.valid.from < stay.from);
            let within = list[first..].iter().copied();
            places.extend(
                within.take_while(|other| ends_after(stay.to, self.all[*other].statement.valid.from)),
            );
        }
        places.sort_unstable();
        let interrupts = |other: &&Claimed| {
            (other.object != own.object || other.affirmed != own.affirmed)
                && other.statement.after(&own.statement)
        };
        places.into_iter().map(|place| &self.all[place]).filter(interrupts).collect()
    }

    /// Which facts say of a time what others say otherwise of it, neither after the other.
    pub(super) fn contested(&self, facts: &[Stated<'_>], stays: &[Vec<Stay>]) -> Vec<bool> {
        let mut contested = vec![false; facts.len()];
        if !self.single {
            return contested;
        }
        let firm = |stay: &Stay| self.all[stay.first].competes() && self.all[stay.first].statement.firm;
        let mut held: Vec<(Interval, usize)> = stays
            .iter()
            .enumerate()
            .flat_map(|(fact, stays)| {
                stays.iter().filter(|stay| firm(stay)).map(move |stay| (stay.interval(), fact))
            })
            .filter(|(interval, _)| !interval.is_empty())
            .collect();
        held.sort_by_key(|(interval, fact)| (interval.from, *fact));
        let mut lasting: Vec<(Interval, usize)> = Vec::new();
        for (interval, fact) in held {
            lasting.retain(|(other, _)| ends_after(other.to, interval.from));
            for (_, other) in &lasting {
                if facts[*other].object != facts[fact].object {
                    (contested[fact], contested[*other]) = (true, true);
                }
            }
            lasting.push((interval, fact));
        }
        contested
    }
}

/// What ends a stay of `own` where `other` begins.
const fn cause(own: &Claimed, other: &Claimed) -> End {
    if own.object == other.object {
        End::Opposite(other.statement.recorded_at)
    } else {
        End::Rival(other.fact)
    }
}

/// Whether an end, open where it is `None`, lies after a beginning.
fn ends_after(to: Option<Timestamp>, from: Option<Timestamp>) -> bool {
    to.is_none_or(|to| from.is_none_or(|from| from < to))
}
