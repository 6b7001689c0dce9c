//! Guesses what kind of thing a name is of, from its own words and the word before it. Unsure is unknown.

use lorebase_engine::model::entity::EntityKind;

use crate::syntax::tokens::{Token, is_honorific};

/// The kind that the name in `tokens[first..end]` suggests.
pub(super) fn guess(tokens: &[Token<'_>], first: usize, end: usize) -> EntityKind {
    // "Wall Street Journal" is no street: the last word tells, or the one before "of", or "Mount" and "Lake".
    let of = (first..end).find(|at| tokens[*at].word == "of");
    let head = of.filter(|at| *at > first).unwrap_or(end);
    let own_kind = of_word(tokens[head - 1].word).or_else(|| match tokens[first].word {
        word @ ("mount" | "lake" | "university" | "bank" | "institute" | "project") => of_word(word),
        _ => None,
    });
    if is_honorific(tokens[first].word) && end > first + 1 {
        return EntityKind::Person;
    }
    let before = first.checked_sub(1).map_or("", |at| tokens[at].word);
    own_kind.unwrap_or(match before {
        "in" | "near" => EntityKind::Place,
        _ => EntityKind::Unknown,
    })
}

/// Whether a word is what a name of an organisation, a place or an event ends in.
pub(super) fn heads_name(word: &str) -> bool {
    of_word(word).is_some()
}

/// What a word inside a name says about it.
fn of_word(word: &str) -> Option<EntityKind> {
    Some(match word {
        "inc" | "ltd" | "llc" | "corp" | "corporation" | "company" | "university" | "college" | "school"
        | "academy" | "institute" | "bank" | "foundation" | "club" | "hospital" | "group" | "association"
        | "society" | "party" | "army" | "council" | "committee" | "agency" | "ministry" | "department"
        | "gmbh" | "orchestra" | "dairy" | "mills" | "press" | "bakery" | "brewery" | "clinic" | "labs"
        | "studios" | "partners" | "airlines" | "motors" => EntityKind::Organisation,
        "city" | "park" | "lake" | "mountain" | "mount" | "river" | "street" | "avenue" | "road"
        | "beach" | "island" | "islands" | "county" | "district" | "province" | "valley" | "bay"
        | "bridge" | "square" | "airport" | "station" | "church" | "castle" | "museum" | "village"
        | "sea" | "ocean" | "kingdom" | "republic" => EntityKind::Place,
        "festival" | "cup" | "conference" | "championship" | "championships" | "olympics" | "war"
        | "battle" | "marathon" | "parade" | "day" => EntityKind::Event,
        "project" => EntityKind::Project,
        _ => return None,
    })
}
