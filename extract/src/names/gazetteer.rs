//! What is known of names beforehand: first names with gender, surnames, places, and which words are plain English.
//! The lists lie in `extract/data`, whose README tells where they come from.

use std::sync::LazyLock;

use rustc_hash::{FxHashMap, FxHashSet};

/// Whom a first name is given to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Gender {
    /// Girls, nearly always.
    Female,
    /// Boys, nearly always.
    Male,
}

type Words = LazyLock<FxHashSet<&'static str>>;

static FIRST_NAMES: LazyLock<FxHashMap<&'static str, Option<Gender>>> = LazyLock::new(|| {
    let genders = [Some(Gender::Female), Some(Gender::Male), None];
    let lines = include_str!("../../data/first-names.txt").lines().zip(genders);
    lines.flat_map(|(line, gender)| line.split(' ').map(move |name| (name, gender))).collect()
});
static SURNAMES: Words =
    LazyLock::new(|| include_str!("../../data/surnames.txt").split_ascii_whitespace().collect());
static PLACES: Words = LazyLock::new(|| include_str!("../../data/places.txt").lines().collect());
static WORDS: Words =
    LazyLock::new(|| include_str!("../../data/words.txt").split_ascii_whitespace().collect());

/// Whether a word in lower case is a first name.
pub(crate) fn is_first_name(word: &str) -> bool {
    FIRST_NAMES.contains_key(word)
}

/// Whom a first name in lower case is nearly always given to.
pub(crate) fn gender_of(first_name: &str) -> Option<Gender> {
    FIRST_NAMES.get(first_name).copied().flatten()
}

/// Whether a name of several words is that of a firm rather than of somebody: its last word is plain English and no
/// surname, and its first is nobody's.
pub(crate) fn is_firm_like(name: &str) -> bool {
    let name = name.to_lowercase();
    let Some((first, _)) = name.split_once(' ') else { return false };
    let last = name.rsplit(' ').next().unwrap_or_default();
    let one = last.strip_suffix('s').unwrap_or(last);
    (is_wordlike(last) || is_word(one)) && !is_surname(last) && !is_first_name(last) && !is_first_name(first)
}

/// Whether a word in lower case is a common surname and no plain word.
pub(super) fn is_surname(word: &str) -> bool {
    SURNAMES.contains(word)
}

/// Whether a name in lower case is that of a country, a state or a large town.
pub(super) fn is_place(name: &str) -> bool {
    PLACES.contains(name)
}

/// Whether a word in lower case is plain English, as far as the list and its hyphens tell.
pub(super) fn is_word(word: &str) -> bool {
    WORDS.contains(word) || word.contains('-') && word.split('-').all(|part| WORDS.contains(part))
}

/// Whether a word in lower case is plain English, or looks like it: two plain words in one, or a plain word's ending.
pub(super) fn is_wordlike(word: &str) -> bool {
    const ENDINGS: &[&str] = &[
        "tion", "sion", "ness", "ment", "ing", "ology", "ators", "ator", "ics", "ism", "ity", "ists", "izer",
        "metry", "graphy",
    ];
    let derived = |ending: &&str| word.len() > ending.len() + 3 && word.ends_with(*ending);
    let joined = || {
        (3..word.len().saturating_sub(2))
            .filter(|at| word.is_char_boundary(*at))
            .any(|at| WORDS.contains(&word[..at]) && WORDS.contains(&word[at..]))
    };
    is_word(word) || ENDINGS.iter().any(derived) || word.len() > 6 && joined()
}

/// First names by what those who bear them are called for short.
const SHORT: &[(&str, &str)] = &[
    ("abby", "abigail"),
    ("al", "albert alan alexander alfred"),
    ("alex", "alexander alexandra"),
    ("andy", "andrew"),
    ("art", "arthur"),
    ("barb", "barbara"),
    ("bea", "beatrice"),
    ("becky", "rebecca"),
    ("ben", "benjamin"),
    ("bert", "albert robert herbert"),
    ("bess", "elizabeth"),
    ("beth", "elizabeth bethany"),
    ("betsy", "elizabeth"),
    ("betty", "elizabeth"),
    ("bill", "william"),
    ("billy", "william"),
    ("bob", "robert"),
    ("bobby", "robert"),
    ("cathy", "catherine"),
    ("charlie", "charles charlotte"),
    ("chris", "christopher christine christina christian"),
    ("chuck", "charles"),
    ("cindy", "cynthia"),
    ("dan", "daniel"),
    ("danny", "daniel"),
    ("dave", "david"),
    ("deb", "deborah"),
    ("debbie", "deborah"),
    ("dick", "richard"),
    ("dot", "dorothy"),
    ("doug", "douglas"),
    ("drew", "andrew"),
    ("ed", "edward edwin edmund"),
    ("eddie", "edward"),
    ("ellie", "eleanor elizabeth"),
    ("frank", "francis franklin"),
    ("fred", "frederick alfred"),
    ("gabe", "gabriel"),
    ("gene", "eugene"),
    ("greg", "gregory"),
    ("hank", "henry"),
    ("harry", "henry harold"),
    ("jack", "john"),
    ("jake", "jacob"),
    ("jen", "jennifer"),
    ("jenny", "jennifer"),
    ("jerry", "gerald jerome"),
    ("jess", "jessica"),
    ("jim", "james"),
    ("jimmy", "james"),
    ("joe", "joseph"),
    ("johnny", "john"),
    ("josh", "joshua"),
    ("kate", "katherine catherine"),
    ("kathy", "katherine"),
    ("katie", "katherine"),
    ("ken", "kenneth"),
    ("larry", "lawrence"),
    ("liz", "elizabeth"),
    ("lizzie", "elizabeth"),
    ("maggie", "margaret"),
    ("mandy", "amanda"),
    ("matt", "matthew"),
    ("max", "maximilian maxwell"),
    ("meg", "margaret megan"),
    ("mel", "melanie melissa melvin"),
    ("mick", "michael"),
    ("mike", "michael"),
    ("molly", "mary"),
    ("nat", "nathan nathaniel natalie"),
    ("nate", "nathan nathaniel"),
    ("ned", "edward"),
    ("nick", "nicholas"),
    ("pam", "pamela"),
    ("pat", "patrick patricia"),
    ("patty", "patricia"),
    ("peg", "margaret"),
    ("peggy", "margaret"),
    ("pete", "peter"),
    ("phil", "philip phillip"),
    ("ray", "raymond"),
    ("rick", "richard"),
    ("rob", "robert"),
    ("ron", "ronald"),
    ("sally", "sarah"),
    ("sam", "samuel samantha"),
    ("sandy", "sandra alexander"),
    ("steve", "stephen steven"),
    ("sue", "susan"),
    ("susie", "susan"),
    ("ted", "edward theodore"),
    ("terry", "terence theresa"),
    ("tim", "timothy"),
    ("tina", "christina"),
    ("toby", "tobias"),
    ("tom", "thomas"),
    ("tommy", "thomas"),
    ("tony", "anthony"),
    ("trish", "patricia"),
    ("val", "valerie"),
    ("vic", "victor victoria"),
    ("vicky", "victoria"),
    ("walt", "walter"),
    ("will", "william"),
    ("zach", "zachary"),
];

/// Whether somebody with this first name is called `short` in English, both in lower case: "bob" for "robert".
pub fn is_short_for(short: &str, first_name: &str) -> bool {
    let known = SHORT.binary_search_by_key(&short, |(short, _)| short);
    known.is_ok_and(|at| SHORT[at].1.split(' ').any(|full| full == first_name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lists_hold_what_they_should() {
        assert_eq!(gender_of("mary"), Some(Gender::Female));
        assert_eq!(gender_of("peter"), Some(Gender::Male));
        assert!(is_first_name("jamie") && gender_of("jamie").is_none());
        assert!(
            is_surname("kowalski") && is_place("porto") && is_place("new zealand") && !is_place("bakery")
        );
        assert!(is_word("bakery") && is_wordlike("cashflow") && !is_wordlike("porto") && !is_word("london"));
        assert!(is_short_for("bob", "robert") && !is_short_for("bob", "peter"));
        assert!(SHORT.is_sorted_by_key(|(short, _)| short));
    }
}
