//! What is known of an episode, and what stands of the facts on one subject and predicate, judged by all that was said
//! or by what was said up to some time only.

use rayon::prelude::*;
use rustc_hash::FxHashSet;

use super::{FactNode, PredicateIx, State, SupportNode};
use crate::graph::{EntityIx, EpisodeIx, FactIx};
use crate::model::episode::ExtractionStatus;
use crate::model::fact::FactStatus;
use crate::model::id::EpisodeId;
use crate::model::predicate::Cardinality;
use crate::model::time::Interval;
use crate::truth::{self, Stated, Statement, Verdict};

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

/// What is to be said of a fact by some of the statements on its subject and predicate.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Standing {
    /// Which fact.
    pub fact: FactIx,
    /// Where it stands among the others.
    pub status: FactStatus,
    /// When it held.
    pub valid: Interval,
    /// When it was known.
    pub recorded: Interval,
}

/// A subject and a predicate, with the objects that are looked at where these do not compete.
type Group<'g> = (EntityIx, PredicateIx, &'g FxHashSet<u64>);

impl State {
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
        let touched: Vec<_> = std::mem::take(&mut self.unjudged).into_iter().collect();
        let judged: Vec<(Vec<FactIx>, Vec<Verdict>)> = touched
            .par_iter()
            .map(|((subject, predicate), objects)| self.verdicts((*subject, *predicate, objects), |_| true))
            .collect();
        for (members, verdicts) in &judged {
            for (&ix, verdict) in members.iter().zip(verdicts) {
                let fact = &mut self.facts[ix.index()];
                (fact.status, fact.valid, fact.recorded) = (verdict.status, verdict.valid, verdict.recorded);
                fact.successor = verdict.successor.map(|place| members[place]);
            }
        }
    }

    /// The standing of each fact that bears on `ix`, by the statements of those episodes alone that `counts` names. A
    /// fact that none of them states is left out.
    pub fn standings(&self, ix: FactIx, counts: impl Fn(EpisodeIx) -> bool) -> Vec<Standing> {
        let fact = self.fact(ix);
        let objects = FxHashSet::from_iter([fact.object_key()]);
        let (members, verdicts) = self.verdicts((fact.subject, fact.predicate, &objects), counts);
        let standing = |(fact, verdict): (FactIx, Verdict)| Standing {
            fact,
            status: verdict.status,
            valid: verdict.valid,
            recorded: verdict.recorded,
        };
        members.into_iter().zip(verdicts).map(standing).collect()
    }

    /// The facts of a group that the counted episodes state, by id, each with what is found of it. Objects of a
    /// predicate that has many do not compete: there only the facts on the given ones are judged.
    fn verdicts(
        &self,
        (subject, predicate, objects): Group<'_>,
        counts: impl Fn(EpisodeIx) -> bool,
    ) -> (Vec<FactIx>, Vec<Verdict>) {
        let cardinality = self.cardinality(predicate);
        let bears = |fact: &FactNode| {
            fact.subject == subject
                && (cardinality == Cardinality::Single || objects.contains(&fact.object_key()))
        };
        let all = self.relation(subject, predicate).iter().copied().filter(|ix| bears(self.fact(*ix)));
        let stated = |ix: FactIx| (ix, self.statements(self.fact(ix), &counts));
        let mut members: Vec<(FactIx, Vec<Statement>)> = all.map(stated).collect();
        members.retain(|(_, statements)| !statements.is_empty());
        members.sort_unstable_by_key(|(ix, _)| self.fact(*ix).id);
        let stated: Vec<Stated<'_>> = members
            .iter()
            .map(|(ix, statements)| {
                let fact = self.fact(*ix);
                Stated { object: fact.object_key(), polarity: fact.polarity, kind: fact.kind, statements }
            })
            .collect();
        let verdicts = truth::judge(cardinality, &stated);
        (members.into_iter().map(|(ix, _)| ix).collect(), verdicts)
    }

    /// What the counted episodes state of a fact.
    fn statements(&self, fact: &FactNode, counts: impl Fn(EpisodeIx) -> bool) -> Vec<Statement> {
        let statement = |support: &SupportNode| {
            let episode = &self.episodes[support.episode.index()];
            let place = (episode.session, episode.position, support.span.start);
            let (valid, recorded_at, firm) = (support.valid, support.recorded_at, support.is_firm());
            Statement { valid, recorded_at, place, firm }
        };
        let counted = fact.support.iter().filter(|support| counts(support.episode));
        truth::weighed(counted.map(statement).collect())
    }
}
