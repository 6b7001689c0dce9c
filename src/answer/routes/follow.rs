//! Following what a question asks over the facts that hold, from end to end, with the facts on the way.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

use lorebase_engine::engine::Reader;
use lorebase_engine::graph::{EntityIx, FactIx};
use lorebase_engine::model::entity::EntityKind;
use lorebase_engine::model::fact::{FactKind, FactStatus, Polarity};
use lorebase_engine::model::predicate::Predicate;
use lorebase_engine::state::State;
use lorebase_engine::text;
use lorebase_extract::names::is_woman_called;
use lorebase_query::recall::FactStep;

use super::read::{Fits, Term};
use super::ties::{self, End, Role, Sort, Tie};

/// How many ends are followed at the most.
const ENDS: usize = 200;

/// Where a route leads.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum Place {
    Entity(EntityIx),
    Value(String),
}

/// An end, and the facts that led there.
#[derive(Debug, Clone)]
pub(super) struct Reached {
    pub(super) place: Place,
    pub(super) steps: Vec<FactStep>,
}

/// Follows terms over the facts of a memory.
pub(super) struct Follower<'r> {
    reader: &'r Reader,
    /// Who else each is in the words of relatives: "Ana's sister".
    selves: RefCell<BTreeMap<EntityIx, Vec<EntityIx>>>,
}

impl<'r> Follower<'r> {
    pub(super) fn new(reader: &'r Reader) -> Self {
        Self { reader, selves: RefCell::default() }
    }

    fn state(&self) -> &'r State {
        self.reader.state()
    }

    /// All that a term names.
    pub(super) fn ends(&self, term: &Term) -> Vec<Reached> {
        let mut found = match term {
            Term::Named(named) => named.iter().map(|ix| Reached::at(Place::Entity(*ix))).collect(),
            Term::Value(value) => vec![Reached::at(Place::Value(value.clone()))],
            Term::Over(of, role) => self.over_all(&self.ends(of), *role),
            Term::With(of, fits) => self.fitting(self.ends(of), fits),
            Term::Sorted(of, sort) => self.sorted(self.ends(of), *sort),
            Term::All(fits) => self.all(fits),
        };
        let mut seen = BTreeSet::new();
        found.retain(|reached| seen.insert(reached.place.clone()));
        found.truncate(ENDS);
        found
    }

    fn over_all(&self, from: &[Reached], role: Role) -> Vec<Reached> {
        from.iter().flat_map(|reached| self.over(reached, role)).collect()
    }

    /// All to whom one is tied in a role, by facts that hold.
    fn over(&self, from: &Reached, role: Role) -> Vec<Reached> {
        let Place::Entity(at) = from.place else { return Vec::new() };
        let mut found = self.legs(from, at, role.tie.legs, Self::holds);
        if !role.by.is_empty() || !role.not.is_empty() {
            found.retain(|reached| self.is_called(reached, role));
        }
        if role.tie == &ties::COLLEAGUE {
            let of = |tie| Role { tie, by: &[], not: &[] };
            found.extend(
                self.over_all(&self.over_all(std::slice::from_ref(from), of(&ties::WORK)), of(&ties::STAFF)),
            );
            found.retain(|reached| reached.place != from.place);
        }
        // What somebody likes is a pastime only where nothing else is called so.
        if role.tie == &ties::HOBBY {
            let called = |reached: &Reached| {
                reached.steps.last().is_some_and(|step| self.predicate(step.fact).as_str() == "hobby")
            };
            if found.iter().any(called) {
                found.retain(called);
            }
        }
        found
    }

    fn legs(
        &self,
        from: &Reached,
        at: EntityIx,
        legs: &[(&str, End)],
        counts: impl Fn(&Self, FactIx) -> bool,
    ) -> Vec<Reached> {
        let state = self.state();
        let mut found = Vec::new();
        for one in self.selves(at) {
            for (predicate, end) in legs {
                let Some(predicate) = state.find_predicate(&Predicate::new(predicate)) else { continue };
                for ix in state.facts_with(one, predicate).filter(|ix| counts(self, *ix)) {
                    let fact = state.fact(ix);
                    let (own, other) = match end {
                        End::Subject => (Some(fact.subject), fact.object),
                        End::Object => (fact.object, Some(fact.subject)),
                    };
                    if own != Some(one) || other == Some(one) {
                        continue;
                    }
                    let place = match (other, state.value(ix)) {
                        (Some(other), _) => Place::Entity(self.head(other)),
                        (None, Some(value)) => self.known(value),
                        (None, None) => continue,
                    };
                    let step = FactStep { from: one, fact: ix, to: other, rule: None };
                    found.push(Reached { place, steps: [from.steps.as_slice(), &[step]].concat() });
                }
            }
        }
        found
    }

    /// A plain value, or who has it for a name.
    fn known(&self, value: &str) -> Place {
        let named = self.state().entity_exactly(&text::fold_name(value));
        named
            .filter(|ix| self.state().entity(*ix).kind() != EntityKind::Unknown)
            .map_or_else(|| Place::Value(value.to_owned()), Place::Entity)
    }

    fn predicate(&self, ix: FactIx) -> &Predicate {
        self.state().predicate(self.state().fact(ix).predicate)
    }

    fn holds(&self, ix: FactIx) -> bool {
        let fact = self.state().fact(ix);
        let told = !matches!(fact.kind, FactKind::Plan);
        fact.polarity == Polarity::Affirmed && fact.status == FactStatus::Current && told
    }

    /// What was and is no more: what something else took the place of, what is denied now, and what is told as past.
    pub(super) fn before(&self, from: &Reached, tie: &'static Tie) -> Vec<Reached> {
        let Place::Entity(at) = from.place else { return Vec::new() };
        let over = |follower: &Self, ix: FactIx| {
            let fact = follower.state().fact(ix);
            fact.polarity == Polarity::Affirmed && fact.status != FactStatus::Current
        };
        let told = |follower: &Self, ix: FactIx| follower.holds(ix);
        let now = self.legs(from, at, tie.legs, told);
        let mut found = self.legs(from, at, tie.legs, over);
        found.extend(self.legs(from, at, tie.past, told));
        found.retain(|reached| now.iter().all(|now| now.place != reached.place));
        let mut seen = BTreeSet::new();
        found.retain(|reached| seen.insert(reached.place.clone()));
        found
    }

    /// Whether somebody was told to be what a role is called: "sister", by the words of the fact itself, or else by what
    /// their name is given to.
    fn is_called(&self, reached: &Reached, role: Role) -> bool {
        let said = |words: &[&str]| {
            let Some(step) = reached.steps.last() else { return false };
            let mut texts = self.state().fact(step.fact).support().iter().filter_map(|support| {
                let text = self.reader.text(support.episode).ok()?;
                support.span.slice(&text).map(str::to_owned)
            });
            texts.any(|text| {
                let folded = text::fold_name(&text);
                text::join_words(&folded).split(' ').any(|word| words.contains(&word))
            })
        };
        if role.not.is_empty() {
            return said(role.by);
        }
        let woman = role.by.iter().any(|word| ["sister", "mother", "daughter"].contains(word));
        let Place::Entity(ix) = reached.place else { return false };
        let name = self.state().entity(ix).folded_name();
        let first = name.split(' ').next().unwrap_or_default();
        is_woman_called(first).map_or_else(|| said(role.by) || !said(role.not), |is| is == woman)
    }

    /// All for whom conditions hold: those that the first leads to, and of them those whom the others fit.
    fn all(&self, fits: &[Fits]) -> Vec<Reached> {
        let Some((first, others)) = fits.split_first() else { return Vec::new() };
        let found = match first {
            Fits::Tied(role, of) => {
                let back = Role { tie: ties::turned(role.tie), by: &[], not: &[] };
                let ends = self.over_all(&self.ends(of), back);
                ends.into_iter().filter(|reached| self.fits(reached, first).is_some()).collect()
            }
            Fits::Is(of) => self.ends(of),
        };
        self.fitting(found, others)
    }

    fn fitting(&self, found: Vec<Reached>, fits: &[Fits]) -> Vec<Reached> {
        let fitting = |mut reached: Reached| {
            for one in fits {
                reached.steps.extend(self.fits(&reached, one)?);
            }
            Some(reached)
        };
        found.into_iter().filter_map(fitting).collect()
    }

    /// The facts by which a condition holds of one; `None` where it does not.
    pub(super) fn fits(&self, reached: &Reached, fits: &Fits) -> Option<Vec<FactStep>> {
        match fits {
            Fits::Is(of) => self.is_among(reached, of),
            Fits::Tied(role, of) => {
                let start = Reached::at(reached.place.clone());
                let ends = self.tied(&start, *role);
                ends.iter().find_map(|end| Some([end.steps.clone(), self.is_among(end, of)?].concat()))
            }
        }
    }

    /// The ends of a tie; of a place, also those that what it lies in lies in.
    pub(super) fn tied(&self, from: &Reached, role: Role) -> Vec<Reached> {
        let mut ends = self.over(from, role);
        if [&ties::HOME, &ties::PLACE].contains(&role.tie) {
            let further = self.over_all(&ends, Role { tie: &ties::PLACE, by: &[], not: &[] });
            ends.extend(further);
        }
        ends
    }

    /// Whether that is one of those that a term names; it is not listed whom it names where that can be told otherwise.
    fn is_among(&self, reached: &Reached, of: &Term) -> Option<Vec<FactStep>> {
        match of {
            Term::All(fits) => {
                let mut steps = Vec::new();
                for one in fits {
                    steps.extend(self.fits(reached, one)?);
                }
                Some(steps)
            }
            Term::Sorted(of, sort) => {
                self.is_among(reached, of).filter(|_| self.is_of(&reached.place, *sort))
            }
            Term::Value(value) => {
                let own = self.said(&reached.place);
                (text::fold_name(bare(&own)) == text::fold_name(bare(value))).then(Vec::new)
            }
            _ => self.ends(of).into_iter().find(|end| end.place == reached.place).map(|end| end.steps),
        }
    }

    fn sorted(&self, mut found: Vec<Reached>, sort: Sort) -> Vec<Reached> {
        if sort == Sort::Region {
            let further = self.over_all(&found, Role { tie: &ties::PLACE, by: &[], not: &[] });
            return if further.is_empty() && found.iter().all(|reached| !self.is_lived_in(&reached.place)) {
                found
            } else {
                further
            };
        }
        found.retain(|reached| self.is_of(&reached.place, sort));
        found
    }

    /// Whether somebody is told to live there: then it is a town.
    fn is_lived_in(&self, place: &Place) -> bool {
        let start = Reached::at(place.clone());
        !self.over(&start, Role { tie: &ties::HOME_OF, by: &[], not: &[] }).is_empty()
    }

    fn is_of(&self, place: &Place, sort: Sort) -> bool {
        let Place::Entity(ix) = place else { return sort == Sort::Any };
        let kind = self.state().entity(*ix).kind();
        match sort {
            Sort::Person => !matches!(kind, EntityKind::Place | EntityKind::Organisation),
            Sort::Town | Sort::Region | Sort::Company => kind != EntityKind::Person,
            Sort::Any => true,
        }
    }

    /// An end in words.
    pub(super) fn said(&self, place: &Place) -> String {
        match place {
            Place::Entity(ix) => self.state().entity(*ix).name().to_owned(),
            Place::Value(value) => bare(value).to_owned(),
        }
    }

    /// Who is meant by "Ana's sister", where that is one: the one who is told to be it by name.
    fn head(&self, ix: EntityIx) -> EntityIx {
        let name = self.state().entity(ix).folded_name();
        let Some((owner, kin)) = name.split_once("'s ") else { return ix };
        let Some(owner) = self.state().entity_exactly(owner) else { return ix };
        let Some(role) = ties::role(kin) else { return ix };
        let named =
            self.over(&Reached::at(Place::Entity(owner)), role).into_iter().filter_map(
                |reached| match reached.place {
                    Place::Entity(one) if !self.state().entity(one).folded_name().contains("'s ") => {
                        Some(one)
                    }
                    _ => None,
                },
            );
        let named: BTreeSet<EntityIx> = named.collect();
        if named.len() == 1 { named.into_iter().next().unwrap_or(ix) } else { ix }
    }

    /// Somebody, and what relatives call them: "Ana's sister".
    fn selves(&self, ix: EntityIx) -> Vec<EntityIx> {
        if let Some(known) = self.selves.borrow().get(&ix) {
            return known.clone();
        }
        // While this is worked out, one is only oneself.
        self.selves.borrow_mut().insert(ix, vec![ix]);
        let state = self.state();
        let mut selves = vec![ix];
        for role in [
            "sister", "brother", "mother", "mum", "mom", "father", "dad", "wife", "husband", "son",
            "daughter", "boss",
        ] {
            let Some(told) = ties::role(role) else { continue };
            let back = Role { tie: ties::turned(told.tie), by: &[], not: &[] };
            for owner in self.over(&Reached::at(Place::Entity(ix)), back) {
                let Place::Entity(owner) = owner.place else { continue };
                let called = format!("{}'s {role}", state.entity(owner).folded_name());
                if let Some(other) =
                    state.entity_exactly(&called).filter(|other| *other != ix && self.head(*other) == ix)
                {
                    selves.push(other);
                }
            }
        }
        self.selves.borrow_mut().insert(ix, selves.clone());
        selves
    }
}

impl Reached {
    fn at(place: Place) -> Self {
        Self { place, steps: Vec::new() }
    }
}

/// A value without its article.
fn bare(value: &str) -> &str {
    let articles = ["the ", "a ", "an "];
    articles.iter().find_map(|article| value.strip_prefix(article)).unwrap_or(value)
}
