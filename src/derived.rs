//! Derived facts as views: what follows from the facts that a viewer shows.

use lorebase_engine::derive::{
    Asked, Cut, Derivation, DerivedFact, DerivedObject, Limits, Rules, derive, premise,
};
use lorebase_engine::graph::EntityIx;
use lorebase_engine::model::fact::{FactKind, FactStatus, Polarity};
use lorebase_engine::model::id::FactId;
use lorebase_engine::model::predicate::Predicate;
use lorebase_engine::model::time::Interval;
use lorebase_engine::state::Cares;

use crate::view::{DerivedView, FactView, Viewer};

/// What follows of some entities.
#[derive(Debug, Default)]
pub(crate) struct Derived {
    /// By subject, predicate, object and id, each once.
    pub(crate) facts: Vec<FactView>,
    /// Why there may be more.
    pub(crate) cut: Option<Cut>,
}

impl Viewer<'_> {
    /// The derived facts of which any of `about` is an end, with `predicate`, as is seen from the
    /// viewer's moment.
    pub(crate) fn derived(&self, about: &[EntityIx], predicate: Option<&Predicate>) -> Derived {
        let rules = Rules::of(self.state());
        let mut derived = Derived::default();
        for &entity in about {
            let asked = Asked { entity, predicate };
            let found = derive(self.state(), &rules, asked, Limits::default(), |ix| {
                premise(self.state(), ix, &self.moment)
            });
            let views = found.facts.iter().map(|fact| self.derived_fact(&found, fact, &rules));
            derived.facts.extend(views);
            derived.cut = derived.cut.or(found.cut);
        }
        derived.facts.sort_by_cached_key(key);
        derived.facts.dedup_by_key(|fact| fact.id);
        derived
    }

    fn derived_fact(&self, found: &Derivation, fact: &DerivedFact, rules: &Rules) -> FactView {
        let name = |ix: EntityIx| self.state().entity(ix).name().to_owned();
        let leaves: Vec<FactView> =
            found.leaves(fact.best()).into_iter().map(|leaf| self.fact(leaf)).collect();
        let rule = found.proof(fact.best()).rule.map(|rule| rules.rule(rule).to_string());
        let told = || leaves.first().map(|leaf| leaf.predicate.to_string()).unwrap_or_default();
        let turned = || format!("{}(X,Y) -> {}(Y,X)", told(), fact.predicate);
        let last_told = leaves.iter().filter_map(|leaf| leaf.recorded.from).max();
        let (last, as_of) = (fact.intervals.last().copied(), self.moment.as_of);
        let holds = |at| fact.intervals.iter().find(|interval| interval.contains(at)).copied();
        let asked = as_of.and_then(holds);
        FactView {
            id: fact.id,
            subject: name(fact.subject),
            predicate: fact.predicate.clone(),
            object: match &fact.object {
                DerivedObject::Entity(ix) => name(*ix),
                DerivedObject::Value(value) => value.clone(),
            },
            kind: FactKind::Fact,
            polarity: Polarity::Affirmed,
            confidence: fact.confidence,
            status: FactStatus::Current,
            valid: asked.or(last).unwrap_or(Interval::ALWAYS),
            granularity: None,
            holds: match as_of.or(self.moment.now) {
                Some(at) => holds(at).is_some(),
                None => last.is_some_and(|last| last.to.is_none()),
            },
            intervals: fact.intervals.clone(),
            contested: fact.contested,
            successor: None,
            recorded: Interval { from: last_told, to: None },
            cares: Cares::default(),
            hedged: false,
            attributed_to: None,
            importance: leaves.iter().map(|leaf| leaf.importance).min().unwrap_or_default(),
            derived: Some(DerivedView {
                rule: rule.unwrap_or_else(turned),
                premises: leaves.iter().map(|leaf| leaf.id).collect(),
            }),
            support: leaves.into_iter().flat_map(|leaf| leaf.support).collect(),
        }
    }
}

fn key(fact: &FactView) -> (String, Predicate, String, FactId) {
    (fact.subject.to_lowercase(), fact.predicate.clone(), fact.object.clone(), fact.id)
}
