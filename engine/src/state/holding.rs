//! Whether a fact holds, by what was said up to some time only: the short answer to what [`State::standings`] tells at
//! length, for those who ask it of hundreds of facts. The rules are those of `truth.rs`.

use rustc_hash::FxHashMap;

use super::{FactNode, PredicateIx, State, SupportNode};
use crate::graph::{EntityIx, EpisodeIx, FactIx};
use crate::model::fact::{FactStatus, Polarity};
use crate::model::predicate::Cardinality;
use crate::model::time::Timestamp;

/// When a statement says that its fact held from, and when the memory was told: what orders statements.
type Times = (Option<Timestamp>, Timestamp);

/// What was found so far of subjects and predicates. Of use for one namespace and one choice of episodes.
#[derive(Debug, Default)]
pub struct Fronts(FxHashMap<(EntityIx, PredicateIx), Front>);

/// The latest firm statements of states that go on.
#[derive(Debug, Clone, Copy, Default)]
struct Front {
    /// The latest of all, and its object.
    first: Option<(Times, u64)>,
    /// The latest on any other object.
    second: Option<Times>,
}

impl Front {
    fn add(&mut self, times: Times, object: u64) {
        match self.first {
            Some((first, known)) if known == object => self.first = Some((first.max(times), object)),
            Some((first, _)) if first >= times => self.second = self.second.max(Some(times)),
            Some((first, _)) => (self.first, self.second) = (Some((times, object)), Some(first)),
            None => self.first = Some((times, object)),
        }
    }

    /// The latest statement on an object other than this.
    fn rival(&self, object: u64) -> Option<Times> {
        let first = self.first.filter(|(_, known)| *known != object);
        first.map(|(times, _)| times).or(self.second)
    }
}

impl State {
    /// Whether a fact says that something is so, and nothing that was said later takes its place, by the statements of
    /// those episodes alone that `counts` names.
    pub fn holds(&self, ix: FactIx, fronts: &mut Fronts, counts: impl Fn(EpisodeIx) -> bool) -> bool {
        let fact = self.fact(ix);
        if fact.polarity == Polarity::Negated {
            return false;
        }
        if self.is_denied(fact) {
            let standings = self.standings(ix, counts);
            let standing = standings.iter().find(|standing| standing.fact == ix);
            return standing.is_none_or(|standing| standing.status == FactStatus::Current);
        }
        let firm = is_firm(fact, &counts);
        if self.cardinality(fact.predicate) == Cardinality::Many || !goes_on(fact, firm, &counts) {
            return true;
        }
        let group = (fact.subject, fact.predicate);
        let front = *fronts.0.entry(group).or_insert_with(|| self.front(group, &counts));
        let said = fact.support.iter().filter(|support| support.is_firm() == firm && counts(support.episode));
        let Some(last) = said.max_by_key(|support| self.key(support)) else { return true };
        match front.rival(fact.object_key()) {
            Some(rival) if rival == times(last) => !self.is_followed(fact, last, &counts),
            rival => rival < Some(times(last)),
        }
    }

    fn front(
        &self,
        (subject, predicate): (EntityIx, PredicateIx),
        counts: impl Fn(EpisodeIx) -> bool,
    ) -> Front {
        let mut front = Front::default();
        for fact in self.rivals(subject, predicate).filter(|fact| goes_on(fact, true, &counts)) {
            let mut latest = None;
            // What counts is asked last: it has to look at the episode. The newest statements stand last.
            for support in fact.support.iter().rev().filter(|support| support.is_firm()) {
                if latest < Some(times(support)) && counts(support.episode) {
                    latest = Some(times(support));
                }
            }
            if let Some(latest) = latest {
                front.add(latest, fact.object_key());
            }
        }
        front
    }

    fn rivals(&self, subject: EntityIx, predicate: PredicateIx) -> impl Iterator<Item = &FactNode> {
        let facts = self.relation(subject, predicate).iter().map(|ix| self.fact(*ix));
        facts.filter(move |fact| fact.subject == subject)
    }

    /// Whether another object was named after `last` in the same session, at the same times.
    fn is_followed(&self, fact: &FactNode, last: &SupportNode, counts: impl Fn(EpisodeIx) -> bool) -> bool {
        let session = |support: &SupportNode| self.episode(support.episode).session;
        let follows = |support: &SupportNode| {
            times(support) == times(last)
                && support.is_firm()
                && counts(support.episode)
                && session(support) == session(last)
                && self.key(support) > self.key(last)
        };
        let mut rivals = self.rivals(fact.subject, fact.predicate);
        rivals.any(|rival| {
            rival.object_key() != fact.object_key()
                && goes_on(rival, true, &counts)
                && rival.support.iter().any(follows)
        })
    }

    /// What the statements of a fact are ordered by.
    fn key(&self, support: &SupportNode) -> (Times, u32, u32) {
        (times(support), self.episode(support.episode).position, support.span.start)
    }
}

fn times(support: &SupportNode) -> Times {
    (support.valid.from, support.recorded_at)
}

/// Whether a fact is stated firmly by the statements that count. If so, no others do.
fn is_firm(fact: &FactNode, counts: impl Fn(EpisodeIx) -> bool) -> bool {
    let mut doubted = fact.support.iter().filter(|support| !support.is_firm()).peekable();
    let mut firm = fact.support.iter().filter(|support| support.is_firm());
    doubted.peek().is_none() || firm.any(|support| counts(support.episode))
}

/// Whether a fact is a state that goes on by the statements that count and are firm, or are not: only such facts compete
/// for a predicate of one value.
fn goes_on(fact: &FactNode, firm: bool, counts: impl Fn(EpisodeIx) -> bool) -> bool {
    let open = |support: &SupportNode| {
        support.valid.to.is_none() && support.is_firm() == firm && counts(support.episode)
    };
    fact.polarity == Polarity::Affirmed && fact.kind.is_state() && fact.support.iter().any(open)
}
