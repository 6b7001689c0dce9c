//! Rules by which facts follow from others: adding, listing and removing them, and what follows.

use lorebase_engine::derive::Rules;
use lorebase_engine::derive::rule::Rule;
use lorebase_engine::graph::EntityIx;
use lorebase_engine::model::id::{EpisodeId, Namespace};
use lorebase_engine::model::predicate::Predicate;
use lorebase_engine::model::ruling::{Evidence, Matter, Ruling};
use lorebase_engine::model::time::{Moment, Timestamp};
use lorebase_engine::state::State;

use crate::error::Error;
use crate::identity::after_all;
use crate::memory::{Memory, at_present};
use crate::view::{FactView, Viewer};

/// The most rules that can be added to a namespace.
pub const RULES_MAX: usize = 256;

/// A rule of a namespace.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RuleView {
    /// By which it is removed; `None` for one of our own, which hold everywhere.
    pub id: Option<EpisodeId>,
    /// The rule, as it is written.
    pub rule: String,
    /// When it was added.
    pub at: Option<Timestamp>,
    /// Why it is passed over, where this version cannot read it.
    pub problem: Option<String>,
}

/// What adding a rule came to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AddedRule {
    /// Whether it was not there before.
    pub new: bool,
    /// The rule.
    pub rule: RuleView,
}

/// What follows from the facts of a namespace.
#[derive(Debug, Clone, PartialEq)]
pub struct Following {
    /// Derived facts, by subject, predicate and object, each with what it rests on.
    pub facts: Vec<FactView>,
    /// Whether more follows than was worked out: some lead over more facts than are looked at for one
    /// question.
    pub more: bool,
}

impl Memory {
    /// Adds a rule, such as `lives_in(X,C), city_in(C,N) -> country(X,N)`: see `docs/rules.md`. From then on
    /// its facts follow from what is stated, until it is removed.
    ///
    /// # Errors
    /// [`Error::Argument`] for a text that is no rule, telling where, and beyond [`RULES_MAX`]; and the store's.
    pub fn add_rule(&self, namespace: &Namespace, text: &str) -> Result<AddedRule, Error> {
        let invalid = |problem: String| Error::Argument { argument: "the rule", problem };
        let rule: Rule = text.parse().map_err(|error| invalid(format!("is none: {error}")))?;
        let _turn = self.ruling_turn();
        let reader = self.engine().reader(namespace)?;
        let state = reader.state();
        if Rules::of(state).list().contains(&rule) {
            let known = rules_of(state).into_iter().find(|known| known.rule == rule.to_string());
            return known
                .map(|rule| AddedRule { new: false, rule })
                .ok_or_else(|| invalid("is there and cannot be shown".to_owned()));
        }
        if state.rules().len() >= RULES_MAX {
            return Err(invalid(format!("would be one more than {RULES_MAX}; remove another first")));
        }
        let recorded_at = after_all(state)?;
        drop(reader);
        let (evidence, text) = (Evidence::by_hand(None), rule.to_string());
        let ruling = Ruling { matter: Matter::Rule { text: text.clone() }, evidence, recorded_at };
        let (id, at) = (Some(ruling.id(namespace)), Some(recorded_at));
        self.settle(namespace, ruling)?;
        Ok(AddedRule { new: true, rule: RuleView { id, rule: text, at, problem: None } })
    }

    /// The rules of a namespace: our own, then those that were added, from the oldest on.
    ///
    /// # Errors
    /// The store's.
    pub fn rules(&self, namespace: &Namespace) -> Result<Vec<RuleView>, Error> {
        Ok(rules_of(self.engine().reader(namespace)?.state()))
    }

    /// Removes a rule that was added, by its id or as it is written: what followed by it follows no more.
    /// Returns `None` where there is no such rule.
    ///
    /// # Errors
    /// [`Error::Argument`] for one of our own rules, and the store's.
    pub fn remove_rule(&self, namespace: &Namespace, which: &str) -> Result<Option<RuleView>, Error> {
        let _turn = self.ruling_turn();
        let reader = self.engine().reader(namespace)?;
        let state = reader.state();
        let written = which.parse().map_or_else(|_| which.to_owned(), |rule: Rule| rule.to_string());
        let named = |rule: &RuleView| {
            rule.rule == written || rule.id.is_some_and(|id| id.to_string() == which.to_lowercase())
        };
        let Some(found) = rules_of(state).into_iter().find(named) else { return Ok(None) };
        let Some(id) = found.id else {
            let problem = "is one of lore's own, which hold everywhere; give one that was added".to_owned();
            return Err(Error::Argument { argument: "the rule", problem });
        };
        let recorded_at = after_all(state)?;
        drop(reader);
        let evidence = Evidence::by_hand(None);
        self.settle(namespace, Ruling { matter: Matter::Undo { id }, evidence, recorded_at })?;
        Ok(Some(found))
    }

    /// What follows about an entity (about all of them where none is named) with a predicate, as is seen from
    /// a moment: as of [`Memory::facts_at`].
    ///
    /// # Errors
    /// The store's.
    pub fn following(
        &self,
        namespace: &Namespace,
        about: Option<&str>,
        predicate: Option<&str>,
        moment: Moment,
    ) -> Result<Following, Error> {
        let reader = self.engine().reader(namespace)?;
        let state = reader.state();
        let about: Vec<EntityIx> = match about {
            Some(name) => state.find_entities(name),
            None => (0..state.entities().len() as u32).map(EntityIx).collect(),
        };
        let viewer = Viewer::at(&reader, at_present(moment));
        let found = viewer.derived(&about, predicate.map(Predicate::new).as_ref());
        Ok(Following { facts: found.facts, more: found.cut.is_some() })
    }
}

fn rules_of(state: &State) -> Vec<RuleView> {
    let at = |id: &EpisodeId| {
        let ruling = state.rulings().find(|(ruling, _)| ruling.id(state.namespace()) == *id);
        ruling.map(|(ruling, _)| ruling.recorded_at)
    };
    let own = Rules::with([]);
    let own =
        own.own().iter().map(|rule| RuleView { id: None, rule: rule.to_string(), at: None, problem: None });
    let added = state.rules().iter().map(|rule| RuleView {
        id: Some(rule.id),
        rule: rule.text.to_string(),
        at: at(&rule.id),
        problem: rule.text.parse::<Rule>().err().map(|error| error.to_string()),
    });
    own.chain(added).collect()
}
