//! What is known of an episode, and what stands of the facts that bear on one another, judged by all that was said or by what
//! was said up to some time only.

use std::cmp::Ordering;

use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};

use super::bearing::{Bearing, Member};
use super::{FactNode, State, SupportNode};
use crate::graph::{EpisodeIx, FactIx, SessionIx};
use crate::model::episode::ExtractionStatus;
use crate::model::fact::FactStatus;
use crate::model::id::{EpisodeId, SessionId};
use crate::model::predicate::Cardinality;
use crate::model::time::{Interval, Moment};
use crate::truth::{self, Stated, Statement, Verdict, Voice};

/// How far an episode has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Known<'s> {
    /// It is not stored.
    Unknown,
    /// It was stored, is forgotten, and is not taken in again.
    Forgotten,
    /// It is stored, and was not, or not successfully, read.
    Stored,
    /// It was read with success.
    Read {
        /// By which extractor.
        extractor: &'s str,
    },
}

/// What is to be said of a fact by some of the statements that bear on it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Standing {
    /// Which fact.
    pub fact: FactIx,
    /// Where it stands among the others.
    pub status: FactStatus,
    /// When it held last; where it never did, when it was said to.
    pub valid: Interval,
    /// When it was known.
    pub recorded: Interval,
    /// When it held: intervals that do not touch, from the earliest on.
    pub stays: Vec<Interval>,
    /// Whether another fact says otherwise of the same time, and neither can be put after the other.
    pub contested: bool,
    /// The fact that took its place.
    pub successor: Option<FactIx>,
}

/// What was found of the facts that have something in common.
type Judged = FxHashMap<FactIx, Standing>;

impl State {
    /// The session of what is given by hand, where something is.
    pub fn by_hand(&self) -> Option<SessionIx> {
        self.find_session(&SessionId::new(SessionId::BY_HAND))
    }

    /// The extractor that read an episode last, where one did.
    pub fn reader_of(&self, ix: EpisodeIx) -> Option<&str> {
        let episode = self.episode(ix);
        (episode.status != ExtractionStatus::Pending)
            .then(|| &*self.extractors[usize::from(episode.extractor)])
    }

    /// How far an episode has come.
    pub(crate) fn known(&self, id: &EpisodeId) -> Known<'_> {
        if self.forgotten.contains(id) {
            return Known::Forgotten;
        }
        let Some(ix) = self.find_episode(id) else { return Known::Unknown };
        let episode = self.episode(ix);
        if episode.status == ExtractionStatus::Done {
            Known::Read { extractor: &self.extractors[usize::from(episode.extractor)] }
        } else {
            Known::Stored
        }
    }

    /// Whether every fact was judged since it was last stated, and every session stands in its place.
    pub(crate) fn is_settled(&self) -> bool {
        self.unjudged.is_empty() && self.is_laid_out()
    }

    /// Puts sessions into order and judges the facts that were touched since the last time. It is done when a reader asks, so that a history that is
    /// written in one go is judged once, whatever number of statements some of its subjects have.
    pub(crate) fn settle(&mut self) {
        self.settle_layout();
        let touched: Vec<Bearing> = std::mem::take(&mut self.unjudged).into_iter().collect();
        let mut judged = self.judge_all(&touched);
        let members: FxHashSet<FactIx> = judged.values().flat_map(|judged| judged.keys()).copied().collect();
        let members: Vec<FactIx> = members.into_iter().collect();
        let beside: FxHashSet<Bearing> = members
            .iter()
            .flat_map(|ix| self.bearings(*ix))
            .filter(|beside| !judged.contains_key(beside))
            .collect();
        judged.extend(self.judge_all(&beside.into_iter().collect::<Vec<_>>()));
        let standing = |ix: &FactIx| {
            let each = self.bearings(*ix).filter_map(|bearing| judged[&bearing].get(ix).cloned());
            each.reduce(Standing::and)
        };
        let standings: Vec<Standing> = members.par_iter().filter_map(standing).collect();
        for standing in standings {
            let fact = &mut self.facts[standing.fact.index()];
            (fact.status, fact.valid, fact.recorded) = (standing.status, standing.valid, standing.recorded);
            (fact.successor, fact.contested) = (standing.successor, standing.contested);
            let plain = standing.stays == [standing.valid];
            fact.stays = (!plain).then(|| standing.stays.into());
            self.settle_way(standing.fact);
        }
    }

    fn judge_all(&self, bearings: &[Bearing]) -> FxHashMap<Bearing, Judged> {
        bearings.par_iter().map(|bearing| (*bearing, self.judged(*bearing, |_| true))).collect()
    }

    /// Where a fact stands by the statements of those episodes alone that `counts` names; `None` where none of them states it.
    pub fn standing(&self, ix: FactIx, counts: impl Fn(EpisodeIx) -> bool) -> Option<Standing> {
        let told = |fact: FactIx| self.fact(fact).support().iter().all(|support| counts(support.episode));
        let members = |bearing| self.members(bearing).into_iter().map(|member| member.fact);
        // Where all that bears on it counts, it stands as it does by all.
        if self.bearings(ix).flat_map(members).all(told) {
            return Some(self.fact(ix).standing(ix)).filter(|_| !self.fact(ix).support().is_empty());
        }
        let each = self.bearings(ix).filter_map(|bearing| self.judged(bearing, &counts).remove(&ix));
        each.reduce(Standing::and)
    }

    /// Where facts stand by the statements of those episodes alone that `counts` names, those left out that none of them states: as
    /// [`State::standing`] says of each, with what bears on several of them judged once.
    pub fn standings(
        &self,
        facts: &[FactIx],
        counts: impl Fn(EpisodeIx) -> bool,
    ) -> FxHashMap<FactIx, Standing> {
        let mut judged: FxHashMap<Bearing, Judged> = FxHashMap::default();
        let mut standings = FxHashMap::default();
        for &ix in facts {
            let each: Vec<Bearing> = self.bearings(ix).collect();
            for bearing in &each {
                judged.entry(*bearing).or_insert_with(|| self.judged(*bearing, &counts));
            }
            let own = each.iter().filter_map(|bearing| judged[bearing].get(&ix).cloned());
            standings.extend(own.reduce(Standing::and).map(|standing| (ix, standing)));
        }
        standings
    }

    /// When a fact held, as is seen from a moment: nothing where it was not known yet, has expired, or is denied.
    pub fn held(&self, ix: FactIx, moment: &Moment) -> Vec<Interval> {
        if self.has_expired(ix, moment.now) {
            return Vec::new();
        }
        match moment.known_at {
            None => self.fact(ix).stays().to_vec(),
            Some(at) => {
                let told = |episode: EpisodeIx| self.episode(episode).told() <= at;
                self.standing(ix, told).map_or_else(Vec::new, |standing| standing.stays)
            }
        }
    }

    /// What is found of the facts that have something in common, by what the counted episodes state of them.
    pub(super) fn judged(&self, bearing: Bearing, counts: impl Fn(EpisodeIx) -> bool) -> Judged {
        let by_hand = self.by_hand();
        let mut members: Vec<(Member, Vec<Statement>)> = self
            .members(bearing)
            .into_iter()
            .map(|member| (self.statements(member.fact, by_hand, &counts), member))
            .filter(|(statements, _)| !statements.is_empty())
            .map(|(statements, member)| (member, statements))
            .collect();
        members.sort_unstable_by_key(|(member, _)| self.fact(member.fact).id);
        let stated: Vec<Stated<'_>> = members
            .iter()
            .map(|(member, statements)| {
                let fact = self.fact(member.fact);
                Stated { object: member.object, polarity: fact.polarity, kind: fact.kind, statements }
            })
            .collect();
        let cardinality = match bearing {
            Bearing::Holder(..) | Bearing::Favours(..) => Cardinality::Single,
            Bearing::Pair(..) => Cardinality::Many,
        };
        let verdicts = truth::judge(cardinality, &stated);
        let standing = |verdict: Verdict, fact| Standing {
            fact,
            status: verdict.status,
            valid: verdict.valid,
            recorded: verdict.recorded,
            stays: verdict.stays,
            contested: verdict.contested,
            successor: verdict.successor.map(|place| members[place].0.fact),
        };
        let each = verdicts.into_iter().zip(members.iter().map(|(member, _)| member.fact));
        each.map(|(verdict, fact)| (fact, standing(verdict, fact))).collect()
    }

    /// What the counted episodes state of a fact.
    fn statements(
        &self,
        ix: FactIx,
        by_hand: Option<SessionIx>,
        counts: impl Fn(EpisodeIx) -> bool,
    ) -> Vec<Statement> {
        let fact = self.fact(ix);
        // What is given by hand is no talk: each is a session of its own.
        let session = |episode: EpisodeIx, own: SessionIx| {
            if Some(own) == by_hand { SessionIx(u32::MAX - episode.0) } else { own }
        };
        let ends = [Some(fact.subject), fact.object];
        let statement = |support: &SupportNode| {
            let episode = &self.episodes[support.episode.index()];
            let speaks = |speaker| self.speaks(speaker).is_some_and(|who| ends.contains(&Some(who)));
            Statement {
                valid: support.valid,
                said: episode.occurred_at.map(|at| at.instant),
                recorded_at: support.recorded_at,
                place: (session(support.episode, episode.session), episode.position, support.span.start),
                firm: support.is_firm(),
                corrects: support.corrects,
                dated: support.dated,
                voice: match episode.speaker {
                    None => Voice::Nobody,
                    Some(speaker) if speaks(speaker) => Voice::Own(speaker),
                    Some(speaker) => Voice::Of(speaker),
                },
            }
        };
        fact.support.iter().filter(|support| counts(support.episode)).map(statement).collect()
    }
}

impl FactNode {
    /// Where the fact stands by all that was said; `ix` is its own number.
    pub fn standing(&self, ix: FactIx) -> Standing {
        Standing {
            fact: ix,
            status: self.status,
            valid: self.valid,
            recorded: self.recorded,
            stays: self.stays().to_vec(),
            contested: self.contested,
            successor: self.successor,
        }
    }
}

impl Standing {
    /// The same fact as it stands where it holds for one at a time at both of its ends.
    #[expect(clippy::needless_pass_by_value, reason = "it is what standings are reduced by")]
    fn and(self, other: Self) -> Self {
        let rank = |status| match status {
            FactStatus::Current => 0,
            FactStatus::Superseded => 1,
            FactStatus::Retracted => 2,
        };
        let ends_first = other.valid.to.is_some_and(|to| self.valid.to.is_none_or(|own| to < own));
        let first = match rank(other.status).cmp(&rank(self.status)) {
            Ordering::Greater => &other,
            Ordering::Equal if ends_first => &other,
            _ => &self,
        };
        let (status, successor) = (first.status, first.successor);
        let mut stays = Vec::new();
        for one in &self.stays {
            stays.extend(other.stays.iter().map(|other| one.intersection(*other)));
        }
        stays.retain(|stay| !stay.is_empty());
        stays.sort_by_key(|stay| stay.from);
        let valid = stays.last().copied().unwrap_or_else(|| self.valid.intersection(other.valid));
        let to = match (self.recorded.to, other.recorded.to) {
            (Some(one), Some(other)) => Some(one.min(other)),
            (one, other) => one.or(other),
        };
        let recorded = Interval { to, ..self.recorded };
        let contested = !stays.is_empty() && (self.contested || other.contested);
        Self { fact: self.fact, status, valid, recorded, stays, contested, successor }
    }
}
