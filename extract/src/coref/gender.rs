//! What a pronoun asks for, and what given names, titles and nouns tell of it. English only.

pub(crate) use crate::names::gazetteer::Gender;
use crate::names::gazetteer::gender_of;

/// What a third-person pronoun asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Asked {
    /// One person of this gender.
    Person(Gender),
    /// One thing.
    Thing,
}

/// How a pronoun is built into its sentence, as far as its form tells.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    /// "he", "him"
    Plain,
    /// "his"
    Owner,
    /// "himself"
    Reflexive,
}

/// What a lower-case pronoun asks for. "Her" is an owner where its tag says so, see the caller.
pub(super) fn asked(word: &str) -> Option<(Asked, Form)> {
    use Gender::{Female, Male};
    Some(match word {
        "he" | "him" => (Asked::Person(Male), Form::Plain),
        "his" => (Asked::Person(Male), Form::Owner),
        "himself" => (Asked::Person(Male), Form::Reflexive),
        "she" | "her" => (Asked::Person(Female), Form::Plain),
        "hers" => (Asked::Person(Female), Form::Owner),
        "herself" => (Asked::Person(Female), Form::Reflexive),
        "it" => (Asked::Thing, Form::Plain),
        "its" => (Asked::Thing, Form::Owner),
        "itself" => (Asked::Thing, Form::Reflexive),
        _ => return None,
    })
}

/// The gender that a lower-case given name goes with.
pub(super) fn of_given(name: &str) -> Option<Gender> {
    gender_of(name)
}

/// The gender of whoever a lower-case noun or title names.
pub(super) fn of_noun(noun: &str) -> Option<Gender> {
    Some(match noun {
        "mrs" | "ms" | "miss" | "madam" | "lady" | "dame" | "queen" | "princess" | "duchess" | "countess"
        | "baroness" | "empress" | "sister" | "aunt" | "auntie" | "mother" | "mum" | "mom" | "mommy"
        | "grandmother" | "grandma" | "granny" | "daughter" | "granddaughter" | "wife" | "widow"
        | "girlfriend" | "fiancée" | "bride" | "niece" | "stepmother" | "stepdaughter" | "half-sister"
        | "sister-in-law" | "mother-in-law" | "daughter-in-law" | "girl" | "woman" | "actress"
        | "heroine" | "waitress" | "hostess" | "goddess" | "nun" | "heiress" | "sorceress" | "witch"
        | "mistress" | "ballerina" | "housewife" | "policewoman" | "businesswoman" | "spokeswoman"
        | "chairwoman" | "congresswoman" | "sportswoman" | "songstress" | "seamstress" | "ex-wife"
        | "ex-girlfriend" => Gender::Female,
        "mr" | "sir" | "lord" | "king" | "prince" | "duke" | "baron" | "emperor" | "brother" | "uncle"
        | "father" | "dad" | "daddy" | "grandfather" | "grandpa" | "son" | "grandson" | "husband"
        | "widower" | "boyfriend" | "fiancé" | "groom" | "nephew" | "stepfather" | "stepson"
        | "half-brother" | "brother-in-law" | "father-in-law" | "son-in-law" | "boy" | "man" | "actor"
        | "waiter" | "god" | "monk" | "priest" | "bishop" | "pope" | "policeman" | "businessman"
        | "spokesman" | "chairman" | "congressman" | "sportsman" | "gentleman" | "guy" | "ex-husband"
        | "ex-boyfriend" | "earl" | "tsar" | "sultan" | "cardinal" | "archbishop" | "nobleman" => {
            Gender::Male
        }
        _ => return None,
    })
}

/// Whether a lower-case title or noun before a name, or said of it, makes it a person's.
pub(super) fn is_of_person(noun: &str) -> bool {
    of_noun(noun).is_some()
        || matches!(
            noun,
            "dr" | "prof"
                | "professor"
                | "captain"
                | "president"
                | "senator"
                | "general"
                | "colonel"
                | "major"
                | "sergeant"
                | "lieutenant"
                | "judge"
                | "detective"
                | "doctor"
                | "coach"
                | "governor"
                | "minister"
                | "friend"
                | "partner"
                | "boss"
                | "colleague"
                | "cousin"
                | "neighbour"
                | "neighbor"
                | "teacher"
                | "singer"
                | "writer"
                | "author"
                | "poet"
                | "director"
                | "player"
                | "lawyer"
                | "nurse"
                | "student"
                | "politician"
                | "musician"
                | "producer"
                | "character"
                | "leader"
                | "founder"
                | "artist"
                | "journalist"
                | "painter"
                | "scientist"
        )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_nouns_tell() {
        assert_eq!(of_given("mary"), Some(Gender::Female));
        assert_eq!(of_given("robert"), Some(Gender::Male));
        assert_eq!((of_given("porto"), of_noun("table")), (None, None));
        assert!(is_of_person("professor") && is_of_person("aunt") && !is_of_person("river"));
    }
}
