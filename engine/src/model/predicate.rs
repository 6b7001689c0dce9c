//! Predicates, and the one table of the known ones: synonyms, inverse, symmetry, cardinality.

use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::fmt;

/// The name of a relation in snake case, such as `works_at`. The vocabulary is open; what the table knows of a
/// name is given by [`Predicate::spec`].
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Predicate(Box<str>);

/// How many objects a subject has at one time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cardinality {
    /// One: a later statement supersedes an earlier one.
    Single,
    /// Any number: statements stand side by side.
    Many,
}

/// What is known of a predicate.
#[derive(Debug, Clone, Copy)]
pub struct PredicateSpec {
    /// The canonical name.
    pub name: &'static str,
    /// How many objects a subject has at one time.
    pub cardinality: Cardinality,
    /// The name of the same relation read from the object; for a symmetric one, its own name.
    pub inverse: Option<&'static str>,
    /// Words and phrases that mean it, lower case, as stems are matched against them.
    pub synonyms: &'static [&'static str],
}

const fn spec(
    name: &'static str,
    cardinality: Cardinality,
    inverse: Option<&'static str>,
    synonyms: &'static [&'static str],
) -> PredicateSpec {
    PredicateSpec { name, cardinality, inverse, synonyms }
}

/// The known predicates. An extractor that means one of these says it by this name.
pub const PREDICATES: &[PredicateSpec] = &[
    spec("is", Cardinality::Many, None, &["is a", "am a", "are", "was a"]),
    spec("has", Cardinality::Many, None, &["have", "own", "owns", "got", "possess"]),
    spec(
        "works_at",
        Cardinality::Single,
        Some("employs"),
        &["work at", "work for", "employed by", "job at", "employer", "company", "workplace"],
    ),
    spec("works_as", Cardinality::Single, None, &["work as", "job", "profession", "occupation"]),
    spec(
        "lives_in",
        Cardinality::Single,
        Some("home_of"),
        &["live in", "reside in", "moved to", "home", "based in", "living in"],
    ),
    // Many: one is from a city and from its country, was born in one place and grew up in another.
    spec(
        "from",
        Cardinality::Many,
        None,
        &["come from", "born in", "grew up in", "hometown", "originally from"],
    ),
    spec(
        "studies_at",
        Cardinality::Single,
        None,
        &["study at", "attend", "enrolled at", "student at", "school", "university"],
    ),
    spec("studies", Cardinality::Many, None, &["study", "major in", "learn", "degree"]),
    spec("married_to", Cardinality::Single, Some("married_to"), &["husband", "wife", "spouse", "married"]),
    spec(
        "partner_of",
        Cardinality::Single,
        Some("partner_of"),
        &["boyfriend", "girlfriend", "partner", "dating", "engaged to"],
    ),
    spec(
        "parent_of",
        Cardinality::Many,
        Some("child_of"),
        &["mother", "father", "mum", "mom", "dad", "parent"],
    ),
    spec("child_of", Cardinality::Many, Some("parent_of"), &["son", "daughter", "child", "kid"]),
    spec("sibling_of", Cardinality::Many, Some("sibling_of"), &["brother", "sister", "sibling", "twin"]),
    spec(
        "relative_of",
        Cardinality::Many,
        Some("relative_of"),
        &["cousin", "aunt", "uncle", "grandmother", "grandfather", "grandma", "grandpa", "niece", "nephew"],
    ),
    spec("friend_of", Cardinality::Many, Some("friend_of"), &["friend", "buddy", "pal", "best friend"]),
    spec(
        "colleague_of",
        Cardinality::Many,
        Some("colleague_of"),
        &["colleague", "coworker", "co-worker", "teammate"],
    ),
    spec("manages", Cardinality::Many, Some("reports_to"), &["boss", "manager", "supervisor", "lead"]),
    spec("reports_to", Cardinality::Single, Some("manages"), &["report to", "works under"]),
    spec("neighbour_of", Cardinality::Many, Some("neighbour_of"), &["neighbour", "neighbor"]),
    spec("knows", Cardinality::Many, Some("knows"), &["know", "met", "meet", "introduced to"]),
    spec("pet_of", Cardinality::Many, Some("owner_of"), &["pet", "dog", "cat", "puppy", "kitten"]),
    spec("likes", Cardinality::Many, None, &["like", "love", "enjoy", "fond of", "fan of", "into"]),
    spec("dislikes", Cardinality::Many, None, &["dislike", "hate", "can't stand"]),
    spec("prefers", Cardinality::Many, None, &["prefer", "rather", "favourite", "favorite"]),
    spec(
        "went_to",
        Cardinality::Many,
        None,
        &["go to", "went to", "visit", "travelled to", "trip to", "attended"],
    ),
    spec("bought", Cardinality::Many, None, &["buy", "bought", "purchase", "got"]),
    spec("plans", Cardinality::Many, None, &["plan to", "going to", "want to", "intend to"]),
    spec("member_of", Cardinality::Many, Some("has_member"), &["member of", "joined", "join", "belong to"]),
    spec("founded", Cardinality::Many, Some("founded_by"), &["found", "start", "opened", "launch"]),
    spec(
        "located_in",
        Cardinality::Single,
        Some("location_of"),
        &["located in", "is in", "lies in", "situated in"],
    ),
    // Many: whoever has two dogs says "my dog is called" of each.
    spec("named", Cardinality::Many, None, &["called", "name"]),
    spec("age", Cardinality::Single, None, &["years old", "turned", "aged"]),
    spec(
        "created",
        Cardinality::Many,
        Some("created_by"),
        &["made", "wrote", "painted", "built", "directed", "composed"],
    ),
    // What somebody lives in that has no name, "a dorm", says nothing of the town that they live in.
    spec("dwells_in", Cardinality::Many, None, &["live in", "home", "living in"]),
    spec("lived_in", Cardinality::Many, None, &["used to live in", "lived in"]),
    spec("worked_at", Cardinality::Many, None, &["used to work at", "worked for"]),
    spec("worked_as", Cardinality::Many, None, &["used to work as"]),
    spec("volunteers_at", Cardinality::Many, None, &["volunteer at", "volunteer", "help out at"]),
    spec("graduated_from", Cardinality::Many, None, &["graduate from", "degree", "alma mater"]),
    spec("born_on", Cardinality::Single, None, &["born on", "birthday", "date of birth"]),
    spec("part_of", Cardinality::Many, Some("has_part"), &["part of", "belongs to"]),
    spec("housemate_of", Cardinality::Many, Some("housemate_of"), &["roommate", "flatmate", "housemate"]),
    spec("plays", Cardinality::Many, None, &["play", "instrument", "sport"]),
    spec("teaches", Cardinality::Many, None, &["teach", "lesson"]),
    spec("hobby", Cardinality::Many, None, &["pastime", "passion"]),
    spec("won", Cardinality::Many, None, &["win", "won", "award", "prize"]),
    spec("did", Cardinality::Many, None, &["went", "go", "do", "activity"]),
    spec("speaks", Cardinality::Many, None, &["speak", "language", "fluent", "bilingual"]),
    spec("allergic_to", Cardinality::Many, None, &["allergic", "allergy"]),
];

impl Predicate {
    /// Wraps a relation's name; spaces and case are folded into snake case.
    pub fn new(name: &str) -> Self {
        let words: Vec<String> = name
            .split(|c: char| c.is_whitespace() || c == '_')
            .filter(|w| !w.is_empty())
            .map(str::to_lowercase)
            .collect();
        Self(words.join("_").into())
    }

    /// The name in snake case.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// What the table knows of it, or `None` for a name of the open vocabulary.
    pub fn spec(&self) -> Option<&'static PredicateSpec> {
        PREDICATES.iter().find(|spec| spec.name == &*self.0)
    }

    /// The phrases that mean it: its own name in words, its synonyms, and the name of its inverse, as a question may
    /// come from either end.
    pub fn phrases(&self) -> impl Iterator<Item = Cow<'static, str>> {
        let spec = self.spec();
        let synonyms = spec.map_or(&[][..], |spec| spec.synonyms);
        let words = |name: &str| Cow::Owned(name.replace('_', " "));
        let names = [Some(words(self.as_str())), spec.and_then(|spec| spec.inverse).map(words)];
        names.into_iter().flatten().chain(synonyms.iter().map(|synonym| Cow::Borrowed(*synonym)))
    }

    /// How many objects a subject has at one time: [`Cardinality::Many`] unless the table says otherwise, or it is a favourite
    /// of some kind, such as `favourite_colour`, of which there is one.
    pub fn cardinality(&self) -> Cardinality {
        let favourite = self.0.starts_with("favourite_") && !self.0.ends_with('s');
        let open = if favourite { Cardinality::Single } else { Cardinality::Many };
        self.spec().map_or(open, |spec| spec.cardinality)
    }
}

impl fmt::Display for Predicate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_folded_to_snake_case() {
        assert_eq!(Predicate::new("Works  at").as_str(), "works_at");
        assert_eq!(Predicate::new("works_at").cardinality(), Cardinality::Single);
        assert_eq!(Predicate::new("juggles_with").cardinality(), Cardinality::Many);
        assert_eq!(Predicate::new("favourite colour").cardinality(), Cardinality::Single);
        assert_eq!(Predicate::new("favourite films").cardinality(), Cardinality::Many);
    }

    #[test]
    fn names_are_unique_and_inverses_agree() {
        for spec in PREDICATES {
            assert_eq!(PREDICATES.iter().filter(|other| other.name == spec.name).count(), 1, "{}", spec.name);
            if let Some(back) =
                spec.inverse.and_then(|name| PREDICATES.iter().find(|other| other.name == name))
            {
                assert_eq!(back.inverse, Some(spec.name), "{}", spec.name);
            }
        }
    }
}
