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

use super::ask::{Fits, Term};
use super::ties::{self, End, Role, Sort, Tie};

/// How many ends are followed at the most.
const ENDS: usize = 200;

/// What women and men are called whom a tie of kin names, and the predicates that say it.
const WOMEN: &[&str] = &["sister", "mother", "mum", "mom", "daughter", "wife"];
const MEN: &[&str] = &["brother", "father", "dad", "son", "husband"];
const KIN: &[&str] = &["sibling_of", "parent_of", "child_of", "married_to"];

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
        let mut found = self.straight(from, at, role);
        // "Ingrid", where one other is known by a longer name: what is told of either is told of her.
        if found.is_empty()
            && let [other] = self.state().namesakes(at)[..]
            && self.state().entity(at).kind() == EntityKind::Person
        {
            found = self.straight(from, other, role);
        }
        found.retain(|reached| self.may_end(reached, role.tie));
        if role.tie.single {
            found = self.latest(found);
        }
        if role.tie == &ties::COLLEAGUE {
            let of = |tie| Role { tie, by: &[], not: &[] };
            let firms = self.over_all(std::slice::from_ref(from), of(&ties::WORK));
            found.extend(self.over_all(&firms, of(&ties::STAFF)));
            found.retain(|reached| reached.place != from.place);
        }
        found
    }

    /// All to whom somebody is tied in a role by facts that name them so.
    fn straight(&self, from: &Reached, at: EntityIx, role: Role) -> Vec<Reached> {
        let mut found = self.legs(from, at, role.tie.legs, Self::holds);
        if !role.by.is_empty() || !role.not.is_empty() {
            found = self.called(found, role);
        }
        if found.is_empty() {
            found = self.legs(from, at, role.tie.spare, Self::holds);
        }
        found
    }

    /// Of ends of which there is one at a time, the one that was told last.
    fn latest(&self, found: Vec<Reached>) -> Vec<Reached> {
        let told = |reached: &Reached| {
            let fact = self.state().fact(reached.steps.last()?.fact);
            fact.support().iter().map(|support| support.episode).max()
        };
        found.into_iter().max_by_key(|reached| told(reached)).into_iter().collect()
    }

    /// Whether an end is of the kind that a tie leads to: nobody works at a person, and where somebody was for a while is
    /// no home.
    fn may_end(&self, reached: &Reached, tie: &Tie) -> bool {
        let Some(step) = reached.steps.last() else { return true };
        let kind = match reached.place {
            Place::Entity(ix) => Some(self.state().entity(ix).kind()),
            Place::Value(_) => None,
        };
        let predicate = self.predicate(step.fact).as_str();
        let is = |other: &Tie| std::ptr::eq(tie, other);
        if is(&ties::HOME) && predicate == "located_in" {
            let person = self.state().entity(step.from).kind() == EntityKind::Person;
            return person && self.says(step.fact, &["based"]);
        }
        let named = kind.is_some();
        // Whoever leaves a firm for another works there.
        if predicate == "member_of" && !self.says(step.fact, &["left", "quit", "leaving"]) {
            return false;
        }
        match () {
            // Who switches to what is no firm may only use it.
            () if is(&ties::WORK) && predicate == "switch_to" => kind == Some(EntityKind::Organisation),
            () if is(&ties::WORK) => named && kind != Some(EntityKind::Person),
            () if is(&ties::BOSS) || is(&ties::FOUNDER) => self.may_be_person(&reached.place),
            // Places are called like persons, too: "Devon".
            () if is(&ties::PLACE) => {
                (kind != Some(EntityKind::Person) || predicate == "located_in")
                    && self.state().entity(step.from).kind() != EntityKind::Person
            }
            () if is(&ties::SCHOOL) && predicate == "went_to" => kind == Some(EntityKind::Organisation),
            () if is(&ties::FOUNDED) && predicate == "start" => named,
            () => true,
        }
    }

    /// Whether somebody is told of: one who is known for a person, or a place that is called like one, such as "Florence".
    fn may_be_person(&self, place: &Place) -> bool {
        let Place::Entity(ix) = place else { return false };
        let entity = self.state().entity(*ix);
        entity.kind().can_be(EntityKind::Person) || is_woman_called(entity.folded_name()).is_some()
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
        let mut found = self.legs(from, at, tie.legs, told);
        found.extend(self.legs(from, at, tie.spare, told));
        found.retain(|reached| self.may_end(reached, tie));
        let now = self.latest(found.clone());
        if !tie.single {
            found.clear();
        }
        found.extend(self.legs(from, at, tie.legs, over));
        found.extend(self.legs(from, at, tie.past, told));
        found.retain(|reached| now.iter().all(|now| now.place != reached.place));
        let mut seen = BTreeSet::new();
        found.retain(|reached| seen.insert(reached.place.clone()));
        found
    }

    /// Of ends those that are what a role is called, "sister": those that are told to be, or else those that may be.
    fn called(&self, found: Vec<Reached>, role: Role) -> Vec<Reached> {
        let told: Vec<Option<bool>> = found.iter().map(|reached| self.is_called(reached, role)).collect();
        let sure = told.contains(&Some(true));
        let counts = |told: &Option<bool>| *told == Some(true) || told.is_none() && !sure;
        found.into_iter().zip(&told).filter(|(_, told)| counts(told)).map(|(reached, _)| reached).collect()
    }

    /// Whether somebody is what a role is called, by the words of the fact itself or by whether they are a woman; `None`
    /// where nothing tells.
    fn is_called(&self, reached: &Reached, role: Role) -> Option<bool> {
        let said = |words: &[&str]| reached.steps.last().is_some_and(|step| self.says(step.fact, words));
        if role.not.is_empty() {
            return Some(said(role.by));
        }
        let Place::Entity(ix) = reached.place else { return Some(false) };
        let woman = role.by.iter().any(|word| WOMEN.contains(word));
        self.is_woman(ix).map(|is| is == woman)
    }

    /// Whether somebody is a woman: by their first name, or by what they are called where a fact says what they are to
    /// another.
    fn is_woman(&self, ix: EntityIx) -> Option<bool> {
        let state = self.state();
        let name = state.entity(ix).folded_name();
        let by_name = is_woman_called(name.split(' ').next().unwrap_or_default());
        by_name.or_else(|| {
            let told = state.facts_of(ix).filter(|fact| {
                let predicate = self.predicate(*fact).as_str();
                state.fact(*fact).subject == ix && KIN.contains(&predicate)
            });
            let mut sides = told.filter_map(|fact| match (self.says(fact, WOMEN), self.says(fact, MEN)) {
                (true, false) => Some(true),
                (false, true) => Some(false),
                _ => None,
            });
            sides.next()
        })
    }

    /// Whether a statement of a fact has one of these words.
    fn says(&self, fact: FactIx, words: &[&str]) -> bool {
        let mut texts = self.state().fact(fact).support().iter().filter_map(|support| {
            let text = self.reader.text(support.episode).ok()?;
            support.span.slice(&text).map(str::to_owned)
        });
        texts.any(|text| {
            text::join_words(&text::fold_name(&text)).split(' ').any(|word| words.contains(&word))
        })
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
