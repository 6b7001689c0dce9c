//! What stands of the facts on one subject and predicate, judged by all that was said or by what was said up to some
//! time only.

use super::{FactNode, State, SupportNode};
use crate::graph::{EntityIx, EpisodeIx, FactIx};
use crate::model::fact::FactStatus;
use crate::model::predicate::Predicate;
use crate::model::time::Interval;
use crate::truth::{self, Stated, Statement, Verdict};

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

impl State {
    /// The standing of each fact on the subject and predicate of `ix`, by the statements of those episodes alone that
    /// `counts` names. A fact that none of them states is left out.
    pub fn standings(&self, ix: FactIx, counts: impl Fn(EpisodeIx) -> bool) -> Vec<Standing> {
        let fact = self.fact(ix);
        let (members, verdicts) = self.verdicts(&(fact.subject, fact.claim.predicate.clone()), counts);
        let standing = |(fact, verdict): (FactIx, Verdict)| Standing {
            fact,
            status: verdict.status,
            valid: verdict.valid,
            recorded: verdict.recorded,
        };
        members.into_iter().zip(verdicts).map(standing).collect()
    }

    /// The facts of a group that the counted episodes state, by id, each with what is found of it.
    pub(super) fn verdicts(
        &self,
        group: &(EntityIx, Predicate),
        counts: impl Fn(EpisodeIx) -> bool,
    ) -> (Vec<FactIx>, Vec<Verdict>) {
        let all = self.groups.get(group).map_or(&[][..], Vec::as_slice);
        let stated = |ix: &FactIx| (*ix, self.statements(self.fact(*ix), &counts));
        let mut members: Vec<(FactIx, Vec<Statement>)> = all.iter().map(stated).collect();
        members.retain(|(_, statements)| !statements.is_empty());
        members.sort_by_key(|(ix, _)| self.fact(*ix).id);
        let stated: Vec<Stated<'_>> = members
            .iter()
            .map(|(ix, statements)| {
                let claim = &self.fact(*ix).claim;
                Stated { object: &claim.object, polarity: claim.polarity, kind: claim.kind, statements }
            })
            .collect();
        let verdicts = truth::judge(group.1.cardinality(), &stated);
        (members.into_iter().map(|(ix, _)| ix).collect(), verdicts)
    }

    /// What the counted episodes state of a fact.
    fn statements(&self, fact: &FactNode, counts: impl Fn(EpisodeIx) -> bool) -> Vec<Statement> {
        let statement = |support: &SupportNode| {
            let episode = &self.episodes[support.episode.index()];
            let place = (episode.session, episode.position, support.span.start);
            Statement { valid: support.valid, recorded_at: support.recorded_at, place }
        };
        fact.support.iter().filter(|support| counts(support.episode)).map(statement).collect()
    }
}
