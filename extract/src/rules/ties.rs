//! Family and social ties: which predicate a word such as "sister" means, and the ties that stand in
//! appositions ("my sister Ana", "Ana, my sister").

use lorebase_engine::model::entity::EntityKind;
use lorebase_engine::model::fact::Named;

use crate::names::Name;
use crate::names::gazetteer::{Gender, gender_of};
use crate::rules::reading::Reading;

/// A word for somebody who stands in a relation to another: "X is Y's sister" is `(X, predicate, Y)`.
pub(crate) struct Tie {
    pub(crate) predicate: &'static str,
    pub(crate) kind: EntityKind,
}

/// The tie that a lower-case noun names.
pub(crate) fn tie(noun: &str) -> Option<Tie> {
    let person = |predicate| Some(Tie { predicate, kind: EntityKind::Person });
    match noun {
        "sister" | "brother" | "sibling" | "twin" | "half-sister" | "half-brother" => person("sibling_of"),
        "mother" | "father" | "mum" | "mom" | "dad" | "parent" | "stepmother" | "stepfather" => {
            person("parent_of")
        }
        "son" | "daughter" | "child" | "kid" | "stepson" | "stepdaughter" => person("child_of"),
        "husband" | "wife" | "spouse" => person("married_to"),
        "boyfriend" | "girlfriend" | "partner" | "fiancé" | "fiancée" | "fiance" | "fiancee" => {
            person("partner_of")
        }
        "cousin" | "aunt" | "uncle" | "grandmother" | "grandfather" | "grandma" | "grandpa" | "niece"
        | "nephew" | "granddaughter" | "grandson" | "sister-in-law" | "brother-in-law" | "mother-in-law"
        | "father-in-law" => person("relative_of"),
        "friend" | "buddy" | "pal" | "bestie" => person("friend_of"),
        "colleague" | "coworker" | "co-worker" | "teammate" | "workmate" => person("colleague_of"),
        "boss" | "manager" | "supervisor" => person("manages"),
        "neighbour" | "neighbor" => person("neighbour_of"),
        "roommate" | "flatmate" | "housemate" => person("housemate_of"),
        "dog" | "cat" | "puppy" | "kitten" | "pet" | "horse" | "rabbit" | "parrot" | "hamster" => {
            Some(Tie { predicate: "pet_of", kind: EntityKind::Animal })
        }
        _ => None,
    }
}

/// The noun for one of those that a plural such as "cats" names.
pub(super) fn of_several(noun: &str) -> Option<&str> {
    match noun {
        "children" => Some("child"),
        "puppies" => Some("puppy"),
        "wives" | "husbands" | "mothers" | "fathers" => None,
        _ => noun.strip_suffix('s').filter(|one| tie(one).is_some()),
    }
}

/// A possessor with a tie: "my older sister", "Ana's boss".
pub(super) struct Relation {
    pub(super) owner: Named,
    pub(super) tie: Tie,
    /// The token of the noun.
    pub(super) noun: usize,
    /// The first token after the noun.
    pub(super) end: usize,
}

impl Relation {
    /// What the one so related is called where no name is told: "Ana's sister".
    pub(super) fn described(&self, reading: &Reading<'_, '_>) -> Named {
        Named { name: format!("{}'s {}", self.owner.name, reading.word(self.noun)), kind: self.tie.kind }
    }
}

/// Adjectives that may stand between a possessor and the noun of a tie.
const BETWEEN: &[&str] = &[
    "older",
    "younger",
    "elder",
    "little",
    "big",
    "best",
    "good",
    "old",
    "new",
    "close",
    "closest",
    "dear",
    "twin",
    "late",
    "childhood",
    "school",
    "former",
    "youngest",
    "oldest",
    "eldest",
    "only",
    "own",
    "lovely",
    "dearest",
];

/// The relation that begins at `at`, with "my", "our", "your" or a name and its "'s".
pub(super) fn relation(reading: &Reading<'_, '_>, at: usize) -> Option<Relation> {
    let (owner, mut noun) = owner(reading, at)?;
    while reading.is(noun, BETWEEN) && noun < at + 12 {
        noun += 1;
    }
    let relation = Relation { owner, tie: tie(reading.word(noun))?, noun, end: noun + 1 };
    Some(of_named(reading, &relation).unwrap_or(relation))
}

/// "My dad Bram's boss": whose boss that is has a name.
fn of_named(reading: &Reading<'_, '_>, relation: &Relation) -> Option<Relation> {
    let name = reading.name_at(relation.end).filter(|name| reading.is(name.end, &["'s"]))?;
    let owner = Named { name: name.called.clone(), kind: relation.tie.kind };
    let noun = name.end + 1 + usize::from(reading.is(name.end + 1, BETWEEN));
    Some(Relation { owner, tie: tie(reading.word(noun))?, noun, end: noun + 1 })
}

/// The relation to whom a relation tells: "my sister's friend".
pub(super) fn further(reading: &Reading<'_, '_>, relation: &Relation) -> Option<Relation> {
    let owner = relation.described(reading);
    let mut noun = relation.end + 1;
    while reading.is(noun, BETWEEN) && noun < relation.end + 12 {
        noun += 1;
    }
    let end = noun + 1;
    let ends = !reading.is(end, &["'s"]);
    let tie = tie(reading.word(noun)).filter(|_| ends)?;
    Some(Relation { owner, tie, noun, end })
}

/// Who a possessive at `at` stands for, and the place after it.
pub(super) fn owner(reading: &Reading<'_, '_>, at: usize) -> Option<(Named, usize)> {
    let person = |name: &str| Named { name: name.to_owned(), kind: EntityKind::Person };
    match reading.word(at) {
        "my" | "our" => Some((person(reading.speaker?), at + 1)),
        "your" => Some((person(reading.other?), at + 1)),
        // "Her mother", where it is sure who she is.
        "his" | "her" => {
            let meant = reading.meant(at).map(|(named, _)| named);
            meant.or_else(|| only_one(reading, at)).map(|named| (named, at + 1))
        }
        _ => {
            let name = reading.name_at(at)?;
            let owner = Named { name: name.called.clone(), kind: name.kind };
            reading.is(name.end, &["'s"]).then_some((owner, name.end + 1))
        }
    }
}

/// The name that stands in apposition to the relation that ends at `end`: "my sister Ana", "my sister, Ana,",
/// "my dog called Rex".
pub(super) fn apposed(reading: &Reading<'_, '_>, end: usize, limit: usize) -> Option<(Named, usize)> {
    let at = if reading.is(end, &["called", "named"]) { end + 1 } else { end };
    let comma = reading.is(at, &[","]);
    let name = reading.name_at(at + usize::from(comma)).filter(|name| name.end <= limit)?;
    // After a comma the name must be closed again, or it begins something else.
    let closed = !comma || name.end >= limit || reading.is(name.end, &[",", ".", "!", ")", ";"]);
    let possessive =
        reading.is(name.end, &["'s"]) && !reading.is(name.end + 1, &["a", "an", "the", "my", "in", "from"]);
    let named = Named { name: name.called.clone(), kind: name.kind };
    (closed && !possessive && Some(name.called.as_str()) != reading.speaker).then_some((named, name.end))
}

/// Whom "he", "she", "his" or "her" at a token means where the turn has told of one person whom it can mean and no other before
/// it: "Pavel plays the violin. He …", "Pavel's boss is Maria. He …".
pub(super) fn only_one(reading: &Reading<'_, '_>, at: usize) -> Option<Named> {
    /// How many tokens back somebody may have been named.
    const FAR: usize = 60;
    /// How many tokens before a tie "is" may stand.
    const BEFORE: usize = 5;
    const WOMEN: &[&str] =
        &["sister", "mother", "mum", "mom", "daughter", "wife", "girlfriend", "aunt", "grandmother"];
    const MEN: &[&str] = &["brother", "father", "dad", "son", "husband", "boyfriend", "uncle", "grandfather"];
    let start =
        (0..=at).rev().find(|at| reading.tokens.get(*at).is_some_and(|token| token.opens)).unwrap_or(0);
    let woman = reading.is(at, &["she", "her"]);
    let person = |name: &&Name| {
        let where_to = name.first > 0 && reading.is(name.first - 1, &["at", "in", "near", "for"]);
        name.end <= start && name.end + FAR > at && name.kind.can_be(EntityKind::Person) && !where_to
    };
    let words = if woman { MEN } else { WOMEN };
    let fits = |name: &&Name| {
        let first = name.called.split(' ').next().unwrap_or_default().to_lowercase();
        let other_sex = gender_of(&first).is_some_and(|gender| (gender == Gender::Female) != woman);
        let other_tie = name.first > 0 && reading.is(name.first - 1, words);
        !other_sex && !other_tie && !is_called(reading, name, words)
    };
    let mut people = reading.names.iter().filter(person).filter(fits);
    let one = people.next()?;
    let another = people.any(|name| name.called != one.called);
    // Whoever is told of by a tie must be the one who is named, by a name behind it or before "is".
    let kin_is_another = (0..start).any(|noun| {
        let named = reading.names.iter().any(|name| [noun + 1, noun + 2].contains(&name.first))
            || reading.is(noun + 2, &["called", "named"]) && reading.name_at(noun + 3).is_some();
        let is = (noun.saturating_sub(BEFORE)..noun).any(|at| reading.is(at, &["is", "'s", "was"]));
        let person = tie(reading.word(noun)).is_some_and(|tie| tie.kind == EntityKind::Person);
        person && !named && (!is || reading.is(noun + 1, &["'s"]))
    });
    let only = !another && !kin_is_another && Some(one.called.as_str()) != reading.speaker;
    only.then(|| Named { name: one.called.clone(), kind: EntityKind::Person })
}

/// "Zoe is Pavel's sister", "Zoe is my sister": whether a name is said to be one of these.
fn is_called(reading: &Reading<'_, '_>, name: &Name, ties: &[&str]) -> bool {
    /// How many tokens behind "is" the tie may stand.
    const BEHIND: usize = 5;
    let said = reading.is(name.end, &["is", "was"]);
    let ends = |at: &usize| !reading.is_sign(*at);
    said && (name.end + 1..=name.end + BEHIND).take_while(ends).any(|at| reading.is(at, ties))
}
