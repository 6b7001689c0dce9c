//! The ties that a question can go over: which predicates say each, from which end, and by which words it is asked for.

/// From which end of a fact a tie is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum End {
    /// From the subject to the object.
    Subject,
    /// From the object to the subject.
    Object,
}

use End::{Object, Subject};

/// A tie as it is read from one of its ends.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Tie {
    /// The predicates that say it.
    pub(super) legs: &'static [(&'static str, End)],
    /// Those that say what was and is no more, where it is one that comes to an end.
    pub(super) past: &'static [(&'static str, End)],
    /// Those in plain words that mean it, and count where the others say nothing.
    pub(super) spare: &'static [(&'static str, End)],
    /// Whether there is one at a time: then what was told last counts.
    pub(super) single: bool,
}

const fn tie(legs: &'static [(&'static str, End)]) -> Tie {
    Tie { legs, past: &[], spare: &[], single: false }
}

const fn one(legs: &'static [(&'static str, End)], spare: &'static [(&'static str, End)]) -> Tie {
    Tie { spare, single: true, ..tie(legs) }
}

pub(super) static HOME: Tie =
    Tie { past: &[("lived_in", Subject)], ..one(&[("lives_in", Subject)], &[("located_in", Subject)]) };
pub(super) static HOME_OF: Tie = tie(&[("lives_in", Object)]);
pub(super) static WORK: Tie = Tie {
    past: &[("worked_at", Subject)],
    ..one(
        &[("works_at", Subject), ("employs", Object), ("switch_to", Subject)],
        &[("is_with", Subject), ("work_for", Subject), ("work_at", Subject), ("member_of", Subject)],
    )
};
pub(super) static STAFF: Tie = tie(&[("works_at", Object), ("employs", Subject)]);
pub(super) static JOB: Tie = tie(&[("works_as", Subject)]);
pub(super) static BOSS: Tie = one(
    &[("manages", Object), ("reports_to", Subject)],
    &[("report_to", Subject), ("work_under", Subject), ("work_for", Subject)],
);
pub(super) static REPORTS: Tie = tie(&[("manages", Subject), ("reports_to", Object)]);
pub(super) static FOUNDER: Tie = Tie {
    spare: &[("start", Object), ("set_up", Object), ("create", Object), ("is_founded_by", Subject)],
    ..tie(&[("founded", Object), ("founded_by", Subject)])
};
pub(super) static FOUNDED: Tie = tie(&[("founded", Subject), ("founded_by", Object), ("start", Subject)]);
pub(super) static SIBLING: Tie = tie(&[("sibling_of", Subject), ("sibling_of", Object)]);
pub(super) static SPOUSE: Tie = one(&[("married_to", Subject), ("married_to", Object)], &[]);
pub(super) static PARTNER: Tie =
    tie(&[("partner_of", Subject), ("partner_of", Object), ("married_to", Subject), ("married_to", Object)]);
pub(super) static PARENT: Tie = tie(&[("parent_of", Object), ("child_of", Subject)]);
pub(super) static CHILD: Tie = tie(&[("parent_of", Subject), ("child_of", Object)]);
pub(super) static RELATIVE: Tie = tie(&[("relative_of", Subject), ("relative_of", Object)]);
pub(super) static FRIEND: Tie = tie(&[("friend_of", Subject), ("friend_of", Object)]);
pub(super) static NEIGHBOUR: Tie = tie(&[("neighbour_of", Subject), ("neighbour_of", Object)]);
pub(super) static HOUSEMATE: Tie = tie(&[("housemate_of", Subject), ("housemate_of", Object)]);
pub(super) static COLLEAGUE: Tie = tie(&[("colleague_of", Subject), ("colleague_of", Object)]);
pub(super) static PET: Tie = tie(&[("pet_of", Object), ("owner_of", Subject)]);
pub(super) static OWNER: Tie = tie(&[("pet_of", Subject), ("owner_of", Object)]);
pub(super) static PLAYS: Tie = Tie {
    spare: &[("practise", Subject), ("practice", Subject), ("play", Subject)],
    ..tie(&[("plays", Subject)])
};
pub(super) static HOBBY: Tie =
    Tie { spare: &[("take_up", Subject), ("likes", Subject)], ..tie(&[("hobby", Subject)]) };
pub(super) static SPEAKS: Tie = tie(&[("speaks", Subject)]);
pub(super) static SCHOOL: Tie = one(&[("studies_at", Subject)], &[("went_to", Subject)]);
pub(super) static PUPILS: Tie = tie(&[("studies_at", Object)]);
pub(super) static PLACE: Tie = Tie {
    spare: &[("is_in", Subject), ("lie_in", Subject)],
    ..tie(&[("located_in", Subject), ("part_of", Subject)])
};
pub(super) static HOLDS: Tie = tie(&[("located_in", Object), ("part_of", Object)]);

/// A noun that names somebody or something by what they are to another: "boss".
#[derive(Debug, Clone, Copy)]
pub(super) struct Role {
    /// From whom the noun is told to whom it names.
    pub(super) tie: &'static Tie,
    /// Which of those: where another word may be told of the same tie, this one or one of its kind must have been.
    pub(super) by: &'static [&'static str],
    /// The words of the same tie that are told of others.
    pub(super) not: &'static [&'static str],
}

const SISTER: &[&str] = &["sister"];
const BROTHER: &[&str] = &["brother"];
const MOTHER: &[&str] = &["mother", "mum", "mom", "mama", "mummy"];
const FATHER: &[&str] = &["father", "dad", "papa", "daddy"];
const DAUGHTER: &[&str] = &["daughter"];
const SON: &[&str] = &["son"];

/// What a noun in the singular names.
pub(super) fn role(noun: &str) -> Option<Role> {
    let of = |tie| Some(Role { tie, by: &[], not: &[] });
    let by = |tie, by, not| Some(Role { tie, by, not });
    match noun {
        "boss" | "manager" | "supervisor" | "superior" => of(&BOSS),
        "report" | "subordinate" => of(&REPORTS),
        "employer" | "workplace" => of(&WORK),
        "employee" => of(&STAFF),
        "colleague" | "coworker" | "co-worker" | "teammate" => of(&COLLEAGUE),
        "founder" => of(&FOUNDER),
        "owner" | "master" => of(&OWNER),
        "sibling" => of(&SIBLING),
        "sister" => by(&SIBLING, SISTER, BROTHER),
        "brother" => by(&SIBLING, BROTHER, SISTER),
        "parent" => of(&PARENT),
        "mother" | "mum" | "mom" => by(&PARENT, MOTHER, FATHER),
        "father" | "dad" => by(&PARENT, FATHER, MOTHER),
        "child" | "kid" => of(&CHILD),
        "daughter" => by(&CHILD, DAUGHTER, SON),
        "son" => by(&CHILD, SON, DAUGHTER),
        "spouse" | "husband" | "wife" => of(&SPOUSE),
        "partner" | "boyfriend" | "girlfriend" => of(&PARTNER),
        "cousin" | "aunt" | "uncle" | "niece" | "nephew" | "grandmother" | "grandfather" => of(&RELATIVE),
        "friend" => of(&FRIEND),
        "neighbour" | "neighbor" => of(&NEIGHBOUR),
        "roommate" | "flatmate" | "housemate" => of(&HOUSEMATE),
        "pet" => of(&PET),
        "dog" | "puppy" => by(&PET, &["dog", "puppy"], &[]),
        "cat" | "kitten" => by(&PET, &["cat", "kitten"], &[]),
        "rabbit" | "bunny" => by(&PET, &["rabbit", "bunny"], &[]),
        "horse" => by(&PET, &["horse", "pony"], &[]),
        "parrot" => by(&PET, &["parrot"], &[]),
        "hometown" | "home" => of(&HOME),
        "school" | "university" | "college" => of(&SCHOOL),
        "hobby" | "pastime" | "passion" => by(&HOBBY, &[], &[]),
        "instrument" => of(&PLAYS),
        "job" | "profession" | "occupation" => of(&JOB),
        "headquarters" | "office" | "location" => of(&PLACE),
        _ => None,
    }
}

/// What a noun that names nobody in particular narrows an answer to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Sort {
    Person,
    Town,
    /// A county, a country: what towns lie in.
    Region,
    Company,
    Any,
}

/// What sort of thing a noun in the singular names.
pub(super) fn sort(noun: &str) -> Option<Sort> {
    Some(match noun {
        "person" | "people" | "man" | "woman" | "guy" | "boy" | "girl" | "one" => Sort::Person,
        "town" | "city" | "village" => Sort::Town,
        "county" | "country" | "region" | "state" => Sort::Region,
        "company" | "firm" | "business" | "organisation" | "organization" => Sort::Company,
        "place" | "school" | "university" | "instrument" | "hobby" | "language" | "job" | "pet" | "dog"
        | "cat" | "rabbit" | "college" => Sort::Any,
        _ => return None,
    })
}

/// What a clause may say: its words in a row, which are compared by their stems, and the tie from whoever does it to the rest.
pub(super) static VERBS: &[(&[&str], &Tie)] = &[
    (&["live", "in"], &HOME),
    (&["live", "at"], &HOME),
    (&["reside", "in"], &HOME),
    (&["found", "live", "in"], &HOME),
    (&["found", "live"], &HOME),
    (&["move", "to"], &HOME),
    (&["live"], &HOME),
    (&["work", "for"], &WORK),
    (&["work", "at"], &WORK),
    (&["work", "as"], &JOB),
    (&["work", "under"], &BOSS),
    (&["work", "with"], &COLLEAGUE),
    (&["work", "together", "with"], &COLLEAGUE),
    (&["work"], &WORK),
    (&["employ", "by"], &WORK),
    (&["employ", "at"], &WORK),
    (&["employ"], &STAFF),
    (&["join"], &WORK),
    (&["report", "to"], &BOSS),
    (&["report"], &BOSS),
    (&["manages", "by"], &BOSS),
    (&["manages"], &REPORTS),
    (&["supervises"], &REPORTS),
    (&["founded", "by"], &FOUNDER),
    (&["founded"], &FOUNDED),
    (&["start", "by"], &FOUNDER),
    (&["start"], &FOUNDED),
    (&["set", "up"], &FOUNDED),
    (&["establish"], &FOUNDED),
    (&["married", "to"], &SPOUSE),
    (&["married"], &SPOUSE),
    (&["friend", "with"], &FRIEND),
    (&["play"], &PLAYS),
    (&["speak"], &SPEAKS),
    (&["own"], &PET),
    (&["go", "to", "school"], &SCHOOL),
    (&["go", "to"], &SCHOOL),
    (&["studies", "at"], &SCHOOL),
    (&["attend"], &SCHOOL),
    (&["go", "to", "school", "at"], &SCHOOL),
    (&["do", "for", "a", "living"], &JOB),
    (&["do", "as", "a", "hobby"], &HOBBY),
    (&["do"], &JOB),
    (&["home", "to"], &HOME_OF),
    (&["based", "in"], &PLACE),
    (&["based"], &PLACE),
    (&["located", "in"], &PLACE),
    (&["located"], &PLACE),
    (&["situated", "in"], &PLACE),
    (&["lie", "in"], &PLACE),
    (&["have", "its", "office", "in"], &PLACE),
    (&["have", "its", "office"], &PLACE),
];

/// The same tie read from its other end.
pub(super) fn turned(tie: &'static Tie) -> &'static Tie {
    let pairs: [(&'static Tie, &'static Tie); 8] = [
        (&HOME, &HOME_OF),
        (&WORK, &STAFF),
        (&BOSS, &REPORTS),
        (&FOUNDER, &FOUNDED),
        (&PARENT, &CHILD),
        (&PET, &OWNER),
        (&SCHOOL, &PUPILS),
        (&PLACE, &HOLDS),
    ];
    let other = |(one, other): &(&'static Tie, &'static Tie)| match () {
        () if std::ptr::eq(*one, tie) => Some(*other),
        () if std::ptr::eq(*other, tie) => Some(*one),
        () => None,
    };
    pairs.iter().find_map(other).unwrap_or(tie)
}
