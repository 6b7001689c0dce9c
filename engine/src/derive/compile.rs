//! Rules made ready: a predicate and its inverse are one relation, read from either end, and variables are
//! numbers.

use std::borrow::Cow;
use std::sync::LazyLock;

use rustc_hash::FxHashMap;

use super::rule::{Atom, Rule, Term};
use super::table::OWN;
use crate::model::predicate::{PREDICATES, Predicate};
use crate::state::State;

/// The number of a rule among [`Rules`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct RuleIx(pub u32);

/// Rules that are worked out together.
#[derive(Debug, Clone, Default)]
pub struct Rules {
    list: Vec<Rule>,
    /// How many of them, the first ones, are our own.
    own: usize,
    compiled: Vec<Compiled>,
    relations: Vec<Relation>,
    by_name: FxHashMap<Predicate, Reading>,
}

/// A predicate together with its inverse.
#[derive(Debug, Clone)]
pub(super) struct Relation {
    /// The predicate by which it is read from its first end.
    pub(super) name: Predicate,
    /// The predicate by which it is read from its second end; none where that is the same, or there is none.
    pub(super) inverse: Option<Predicate>,
    /// Whether it reads the same from both ends.
    pub(super) symmetric: bool,
    /// The rules from which it follows.
    pub(super) heads: Vec<Head>,
}

/// What follows by a rule, as a relation.
#[derive(Debug, Clone, Copy)]
pub(super) struct Head {
    pub(super) rule: RuleIx,
    pub(super) ends: [Slot; 2],
    /// Which of the ends is the subject.
    pub(super) subject: usize,
}

/// As which relation a predicate is read, and whether its subject is the second end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Reading {
    pub(super) relation: u32,
    pub(super) flipped: bool,
}

/// A rule made ready.
#[derive(Debug, Clone)]
pub(super) struct Compiled {
    pub(super) body: Vec<(u32, [Slot; 2])>,
    /// By variable, whether it ties atoms of the body.
    pub(super) ties: Vec<bool>,
    pub(super) constants: Vec<String>,
}

/// An end of an atom.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Slot {
    Variable(usize),
    Constant(usize),
}

static OWN_RULES: LazyLock<Rules> = LazyLock::new(|| {
    let parsed = OWN.iter().map(|text| text.parse().expect("our own rules are written well"));
    let mut rules = Rules::default();
    parsed.for_each(|rule| rules.add(rule));
    rules.own = rules.list.len();
    rules
});

impl Rules {
    /// Our own rules, and these.
    pub fn with(more: impl IntoIterator<Item = Rule>) -> Self {
        let mut rules = OWN_RULES.clone();
        more.into_iter().for_each(|rule| rules.add(rule));
        rules
    }

    /// The rules that hold in a namespace: our own, and those that were added to it. One that this version
    /// cannot read is passed over.
    pub fn of(state: &State) -> Cow<'static, Self> {
        if state.rules().is_empty() {
            return Cow::Borrowed(&*OWN_RULES);
        }
        Cow::Owned(Self::with(state.rules().iter().filter_map(|rule| rule.text.parse().ok())))
    }

    /// These rules alone.
    pub fn only(list: impl IntoIterator<Item = Rule>) -> Self {
        let mut rules = Self::default();
        list.into_iter().for_each(|rule| rules.add(rule));
        rules
    }

    /// All of them, by number.
    pub fn list(&self) -> &[Rule] {
        &self.list
    }

    /// One of them.
    pub fn rule(&self, ix: RuleIx) -> &Rule {
        &self.list[ix.0 as usize]
    }

    /// Our own ones.
    pub fn own(&self) -> &[Rule] {
        &self.list[..self.own]
    }

    /// The predicates that may follow from what a namespace states, each once: by a rule of which each atom
    /// is met by stated facts or by what follows itself.
    pub fn heads(&self, state: &State) -> Vec<&Predicate> {
        let followed = |reading: Reading| !self.relation(reading.relation).heads.is_empty();
        let stated = |reading: Reading| {
            let Relation { name, inverse, .. } = self.relation(reading.relation);
            [Some(name), inverse.as_ref()]
                .into_iter()
                .flatten()
                .any(|name| state.find_predicate(name).is_some())
        };
        let met = |atom: &Atom| {
            self.reading(&atom.predicate).is_some_and(|reading| stated(reading) || followed(reading))
        };
        let mut heads: Vec<&Predicate> = Vec::new();
        for rule in self.list.iter().filter(|rule| rule.body().iter().all(met)) {
            let head = &rule.head().predicate;
            if !heads.contains(&head) {
                heads.push(head);
            }
        }
        heads
    }

    /// Adds a rule; one that is there already changes nothing.
    fn add(&mut self, rule: Rule) {
        if self.list.contains(&rule) {
            return;
        }
        let ix = RuleIx(self.list.len() as u32);
        let mut variables: Vec<&str> = rule.body().iter().flat_map(Atom::variables).collect();
        let ties =
            |name: &str| rule.body().iter().filter(|atom| atom.variables().any(|v| v == name)).count() > 1;
        variables.sort_unstable();
        variables.dedup();
        let mut constants = Vec::new();
        let mut slot = |term: &Term| match term {
            Term::Variable(name) => {
                Slot::Variable(variables.binary_search(&name.as_str()).unwrap_or_default())
            }
            Term::Constant(text) => {
                constants.push(text.clone());
                Slot::Constant(constants.len() - 1)
            }
        };
        let mut atom = |atom: &Atom, rules: &mut Self| {
            let reading = rules.read(&atom.predicate);
            let [subject, object] = [&atom.ends[0], &atom.ends[1]].map(&mut slot);
            let ends = if reading.flipped { [object, subject] } else { [subject, object] };
            (reading, ends)
        };
        let body = rule.body().iter().map(|one| atom(one, self)).map(|(read, ends)| (read.relation, ends));
        let body: Vec<(u32, [Slot; 2])> = body.collect();
        let (head, ends) = atom(rule.head(), self);
        let ties = variables.iter().map(|name| ties(name)).collect();
        self.compiled.push(Compiled { body, ties, constants });
        let relation = &mut self.relations[head.relation as usize];
        let subject = usize::from(head.flipped);
        relation.heads.push(Head { rule: ix, ends, subject });
        if relation.symmetric {
            relation.heads.push(Head { rule: ix, ends: [ends[1], ends[0]], subject: 1 - subject });
        }
        self.list.push(rule);
    }

    /// As which relation a predicate is read, which may be new.
    fn read(&mut self, predicate: &Predicate) -> Reading {
        if let Some(known) = self.reading(predicate) {
            return known;
        }
        let inverse = inverse(predicate);
        let flipped = inverse.as_ref().is_some_and(|inverse| inverse < predicate);
        let symmetric = inverse.as_ref() == Some(predicate);
        let relation = self.relations.len() as u32;
        let inverse = inverse.filter(|_| !symmetric);
        if let Some(inverse) = &inverse {
            self.by_name.insert(inverse.clone(), Reading { relation, flipped: !flipped });
        }
        let reading = Reading { relation, flipped };
        self.by_name.insert(predicate.clone(), reading);
        let (name, inverse) = match inverse {
            Some(inverse) if flipped => (inverse, Some(predicate.clone())),
            inverse => (predicate.clone(), inverse),
        };
        self.relations.push(Relation { name, inverse, symmetric, heads: Vec::new() });
        reading
    }

    /// As which relation a predicate is read, where some rule uses it.
    pub(super) fn reading(&self, predicate: &Predicate) -> Option<Reading> {
        self.by_name.get(predicate).copied()
    }

    pub(super) fn relation(&self, number: u32) -> &Relation {
        &self.relations[number as usize]
    }

    /// The relations that follow from something.
    pub(super) fn followed(&self) -> impl Iterator<Item = u32> {
        let relations = (0..).zip(&self.relations);
        relations.filter(|(_, relation)| !relation.heads.is_empty()).map(|(number, _)| number)
    }

    pub(super) fn compiled(&self, ix: RuleIx) -> &Compiled {
        &self.compiled[ix.0 as usize]
    }

    /// The relation's predicate as a rule's head tells it.
    pub(super) fn told(&self, ix: RuleIx) -> &Predicate {
        &self.rule(ix).head().predicate
    }
}

/// The predicate that says the same from the other end; itself for a symmetric one.
pub(super) fn inverse(predicate: &Predicate) -> Option<Predicate> {
    let named = predicate.spec().and_then(|spec| spec.inverse);
    let naming = || PREDICATES.iter().find(|spec| spec.inverse == Some(predicate.as_str()));
    named.or_else(|| naming().map(|spec| spec.name)).map(Predicate::new)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn our_own_rules_are_written_as_they_are_shown() {
        let shown: Vec<String> = Rules::with([]).list().iter().map(ToString::to_string).collect();
        assert_eq!(shown, OWN);
    }

    #[test]
    fn a_predicate_and_its_inverse_are_one_relation() {
        let rules = Rules::only(["reports_to(X,Y), employs(Z,Y) -> works_at(X,Z)".parse().unwrap()]);
        let reading = |name| rules.reading(&Predicate::new(name)).unwrap();
        assert_eq!(reading("reports_to").relation, reading("manages").relation);
        assert_ne!(reading("reports_to").flipped, reading("manages").flipped);
        assert_eq!(reading("employs").relation, reading("works_at").relation);
        assert_ne!(reading("employs").flipped, reading("works_at").flipped);
        assert_eq!(inverse(&Predicate::new("married_to")), Some(Predicate::new("married_to")));
    }
}
