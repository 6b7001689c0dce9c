//! What is derived from small memories by hand-written rules.

use super::trials::{named, state_of};
use super::{Asked, Cut, Derivation, DerivedFact, DerivedObject, Held, Limits, Rules, derive};
use crate::graph::FactIx;
use crate::model::fact::{Polarity, Triple, TripleObject};
use crate::model::predicate::Predicate;
use crate::state::State;
use crate::text::fold_name;

fn triple(subject: &str, predicate: &str, object: &str) -> Triple {
    let object = match object.strip_prefix('=') {
        Some(value) => TripleObject::Value(value.to_owned()),
        None => TripleObject::Entity(named(object)),
    };
    Triple::new(named(subject), Predicate::new(predicate), object)
}

fn denied(subject: &str, predicate: &str, object: &str) -> Triple {
    Triple { polarity: Polarity::Negated, ..triple(subject, predicate, object) }
}

fn rules(texts: &[&str]) -> Rules {
    Rules::only(texts.iter().map(|text| text.parse().unwrap()))
}

fn held(state: &State, ix: FactIx) -> Held {
    let fact = state.fact(ix);
    Held { intervals: vec![fact.valid], confidence: fact.confidence(), contested: false }
}

fn asked_within(
    state: &State,
    rules: &Rules,
    name: &str,
    predicate: Option<&str>,
    limits: Limits,
) -> Derivation {
    let entity = state.entity_exactly(&fold_name(name)).unwrap();
    let predicate = predicate.map(Predicate::new);
    derive(state, rules, Asked { entity, predicate: predicate.as_ref() }, limits, |ix| held(state, ix))
}

fn shown(state: &State, fact: &DerivedFact) -> String {
    let name = |ix| state.entity(ix).name().to_owned();
    let object = match &fact.object {
        DerivedObject::Entity(ix) => name(*ix),
        DerivedObject::Value(value) => format!("={value}"),
    };
    format!("{} {} {object}", name(fact.subject), fact.predicate)
}

/// What is derived of an entity, in the order of the alphabet.
fn told(state: &State, rules: &Rules, name: &str, predicate: Option<&str>) -> Vec<String> {
    let derived = asked_within(state, rules, name, predicate, Limits::default());
    assert_eq!(derived.cut, None);
    let mut told: Vec<String> = derived.facts.iter().map(|fact| shown(state, fact)).collect();
    told.sort_unstable();
    told
}

#[test]
fn two_facts_give_a_third_with_its_proof() {
    let state = state_of(&[triple("Ana", "lives_in", "Porto"), triple("Porto", "city_in", "Portugal")]);
    let rules = rules(&["lives_in(X,C), city_in(C,N) -> country(X,N)"]);
    for asked in ["Ana", "Portugal"] {
        let derived = asked_within(&state, &rules, asked, None, Limits::default());
        let [fact] = &derived.facts[..] else { panic!("{derived:?}") };
        assert_eq!(shown(&state, fact), "Ana country Portugal");
        let leaves = derived.leaves(fact.best());
        assert_eq!(leaves.len(), 2);
        assert_eq!(state.predicate(state.fact(leaves[0]).predicate).as_str() == "lives_in", asked == "Ana");
        assert_eq!(derived.looked_at, 2);
    }
    assert!(told(&state, &rules, "Porto", None).is_empty());
}

#[test]
fn an_id_is_the_same_from_both_ends() {
    let state = state_of(&[
        triple("Ida", "parent_of", "Tor"),
        triple("Tor", "parent_of", "Una"),
        triple("Ida", "boss_of", "Tor"),
    ]);
    let rules =
        rules(&["parent_of(X,Y), parent_of(Y,Z) -> relative_of(X,Z)", "boss_of(X,Y) -> reports_to(Y,X)"]);
    let ids = |name: &str, predicate: Option<&str>| {
        let derived = asked_within(&state, &rules, name, predicate, Limits::default());
        let mut ids: Vec<_> = derived.facts.iter().map(|fact| fact.id).collect();
        ids.sort_unstable();
        ids
    };
    assert_eq!(ids("Ida", Some("relative_of")), ids("Una", None));
    assert_eq!(ids("Tor", None), ids("Ida", Some("manages")));
    assert_eq!(told(&state, &rules, "Tor", Some("manages")), ["Ida manages Tor"]);
    assert_eq!(told(&state, &rules, "Tor", None), ["Tor reports_to Ida"]);
}

#[test]
fn chains_and_circles_end() {
    let chain = ["Ry", "Fyn", "Jutland", "Denmark", "Europe"];
    let mut facts: Vec<Triple> =
        chain.windows(2).map(|pair| triple(pair[0], "located_in", pair[1])).collect();
    let own = Rules::with([]);
    let within = ["Ry located_in Denmark", "Ry located_in Europe", "Ry located_in Jutland"];
    assert_eq!(told(&state_of(&facts), &own, "Ry", None), within);
    facts.push(triple("Europe", "location_of", "Malta"));
    facts.push(triple("Europe", "located_in", "Ry"));
    let circle = state_of(&facts);
    assert_eq!(
        told(&circle, &own, "Ry", None).len(),
        3 + 3 + 1,
        "in all of them, and they in it, but stated"
    );
    assert_eq!(told(&circle, &own, "Malta", None).len(), 4);
}

#[test]
fn what_is_told_from_the_other_end_is_found_by_its_predicate() {
    let state = state_of(&[triple("Rui", "manages", "Ana"), triple("Acme", "employs", "Ana")]);
    let own = Rules::with([]);
    assert_eq!(told(&state, &own, "Ana", Some("reports_to")), ["Ana reports_to Rui"]);
    assert_eq!(told(&state, &own, "Acme", Some("works_at")), ["Ana works_at Acme"]);
    assert!(told(&state, &own, "Ana", None).is_empty());
    assert!(told(&state, &own, "Ana", Some("manages")).is_empty());
    let both = state_of(&[triple("Rui", "manages", "Ana"), triple("Ana", "reports_to", "Rui")]);
    assert!(told(&both, &own, "Ana", Some("reports_to")).is_empty());
}

#[test]
fn atoms_are_met_from_the_other_end_and_by_symmetric_facts() {
    let facts = [triple("Rui", "manages", "Ana"), triple("Rui", "married_to", "Eva")];
    let rules = rules(&["reports_to(X,Y), married_to(Y,Z) -> knows_of(X,Z)"]);
    assert_eq!(told(&state_of(&facts), &rules, "Ana", None), ["Ana knows_of Eva"]);
    let facts = [triple("Rui", "manages", "Ana"), triple("Eva", "married_to", "Rui")];
    assert_eq!(told(&state_of(&facts), &rules, "Eva", None), ["Ana knows_of Eva"]);
}

#[test]
fn nothing_follows_of_a_thing_and_itself() {
    let facts = ["Ana", "Rui"].map(|child| triple("Eva", "parent_of", child));
    let rules = rules(&["parent_of(P,X), parent_of(P,Y) -> sibling_of(X,Y)"]);
    assert_eq!(told(&state_of(&facts), &rules, "Ana", None), ["Ana sibling_of Rui"]);
}

#[test]
fn what_is_denied_does_not_follow_and_a_denial_proves_nothing() {
    let rules = rules(&["lives_in(X,C), city_in(C,N) -> country(X,N)"]);
    let facts = [triple("Ana", "lives_in", "Porto"), triple("Porto", "city_in", "Portugal")];
    let [home, country] = facts.clone();
    let state = state_of(&[home, country.clone(), denied("Ana", "country", "Portugal")]);
    assert!(told(&state, &rules, "Ana", None).is_empty());
    assert!(
        told(&state_of(&[denied("Ana", "lives_in", "Porto"), country]), &rules, "Porto", None).is_empty()
    );
}

#[test]
fn plain_values_are_asked_for_and_told_and_lead_nowhere() {
    let state = state_of(&[
        triple("Ana", "works_as", "=nurse"),
        triple("Rui", "works_as", "=nurse"),
        triple("Ana", "speaks", "=Dutch"),
    ]);
    let rules = rules(&[
        "works_as(X,\"Nurse\") -> works_in(X,\"health care\")",
        "works_as(X,J), works_as(Y,J) -> colleague_of(X,Y)",
        "speaks(X,L) -> understands(X,L)",
    ]);
    assert_eq!(told(&state, &rules, "Ana", None), ["Ana understands =Dutch", "Ana works_in =health care"]);
}

#[test]
fn work_does_not_grow_with_what_is_not_asked() {
    let rules = Rules::with(["lives_in(X,C), city_in(C,N) -> country(X,N)".parse().unwrap()]);
    let looked_at = |others: usize| {
        let mut facts = vec![triple("Ana", "lives_in", "Porto"), triple("Porto", "city_in", "Portugal")];
        for number in 0..others {
            facts.push(triple(&format!("Person {number}"), "lives_in", &format!("Town {number}")));
            facts.push(triple(&format!("Town {number}"), "city_in", &format!("Land {}", number / 9)));
        }
        let derived = asked_within(&state_of(&facts), &rules, "Ana", None, Limits::default());
        assert_eq!((derived.facts.len(), derived.cut), (1, None));
        derived.looked_at
    };
    assert_eq!(looked_at(0), looked_at(1000));
    assert!(looked_at(0) < 10);
}

#[test]
fn what_leads_too_far_is_told() {
    let places: Vec<String> = (0..60).map(|number| format!("Place {number}")).collect();
    let facts: Vec<Triple> = places.windows(2).map(|pair| triple(&pair[0], "located_in", &pair[1])).collect();
    let state = state_of(&facts);
    let own = rules(&["located_in(X,Y) -> within(X,Y)", "located_in(X,Y), within(Y,Z) -> within(X,Z)"]);
    let limits = |depth, facts, steps| Limits { depth, facts, steps };
    for (limits, cut) in [
        (limits(99, 10_000, 1_000_000), None),
        (limits(9, 10_000, 1_000_000), Some(Cut::Depth)),
        (limits(99, 20, 1_000_000), Some(Cut::Facts)),
        (limits(99, 10_000, 100), Some(Cut::Steps)),
    ] {
        let derived = asked_within(&state, &own, "Place 0", Some("within"), limits);
        assert_eq!(derived.cut, cut);
        assert!(derived.looked_at <= limits.facts && !derived.facts.is_empty());
        assert_eq!(derived.facts.len() == 59, cut.is_none());
    }
}
