//! English verbs, by who does them and to whom they are done.

use std::sync::LazyLock;

use lorebase_engine::model::entity::EntityKind::{Organisation, Person, Place, Product, Project, Work};
use rustc_hash::FxHashSet;

use crate::names::evidence::Votes;
use crate::syntax::lemma::lemma;

/// What people do.
static HUMAN: LazyLock<FxHashSet<&'static str>> = LazyLock::new(|| {
    "accept admire admit advise agree announce answer apologise apologize appreciate argue arrive ask \
     assure attend babysit bake bathe become beg believe blame brew bring buy call celebrate chat \
     choose clean climb collect come comfort comment complain compose confess confirm congratulate \
     consult cook coordinate cried cry dance date debug decide decline deny describe die discuss \
     donate draft draw drink drive eat email enjoy enrol enroll examine explain explore feel file \
     filed fish fly forget forgive give go graduate grin grow guess hate hear help hesitate hike hope \
     hug imagine insist interview introduce invite jog join joke know laugh lead learn lie listen \
     live love marry meditate meet mention miss move need nod notice offer order outline paint pass \
     perform persuade phone plan play pray prefer prepare pretend promise propose protest quit read \
     realise realize recall recommend refuse regret rehearse remember remind reply reported request \
     resign respond retire return review ride run sail say scream see seem send serve shout show \
     shrug sigh sing sit sketch ski skip sleep smile speak spend stammer stay stroll study suggest \
     surf suspect swear swim take talk teach tell text thank think train travel try understand visit \
     volunteer vote wait wake walk want warn watch wear whisper wish wonder work worry write yell"
        .split_ascii_whitespace()
        .collect()
});

/// Whether somebody who does this is a person, most probably.
pub(super) fn is_human(verb: &str) -> bool {
    HUMAN.contains(verb) || HUMAN.contains(lemma(verb).as_str())
}

/// Whether companies do this as often as people.
pub(super) fn is_of_companies(verb: &str) -> bool {
    matches!(
        verb,
        "launched"
            | "launches"
            | "acquired"
            | "hired"
            | "hires"
            | "released"
            | "releases"
            | "offers"
            | "provides"
            | "sells"
            | "sold"
            | "makes"
            | "has"
            | "operates"
            | "operated"
            | "produces"
            | "produced"
            | "manufactures"
            | "supports"
            | "supported"
            | "funded"
            | "funds"
            | "paid"
            | "pays"
            | "published"
            | "publishes"
            | "sponsors"
            | "sponsored"
            | "employs"
    )
}

/// Whether a verb or a noun tells of work: "works at", "a job at".
pub(super) fn is_working(word: &str) -> bool {
    matches!(
        word,
        "work"
            | "works"
            | "worked"
            | "working"
            | "job"
            | "position"
            | "intern"
            | "interned"
            | "interning"
            | "internship"
            | "engineer"
            | "manager"
            | "teacher"
            | "professor"
            | "director"
            | "role"
            | "employed"
            | "hired"
            | "consult"
            | "consults"
            | "consulted"
            | "team"
            | "colleague"
            | "contract"
    )
}

/// Whom or what this is done to.
pub(super) fn to_object(verb: &str, votes: &mut Votes) {
    match verb {
        "visit" | "visited" | "visiting" | "visits" | "reach" | "reached" | "explore" | "explored"
        | "left" => votes.add(Place, 1.5),
        "meet" | "met" | "marry" | "married" | "ask" | "asked" | "tell" | "told" | "thank" | "thanked"
        | "help" | "helped" | "call" | "called" | "emailed" | "invite" | "invited" | "love" | "loved"
        | "know" | "knew" | "met_with" | "hugged" | "texted" | "pinged" | "interviewed" | "married_to"
        | "miss" | "hire" | "hired" | "introduced" => votes.add(Person, 2.0),
        "join" | "joined" | "joining" | "founded" | "acquired" => votes.add(Organisation, 2.0),
        "launch" | "launched" | "build" | "built" | "building" | "design" | "designed" | "deploy"
        | "deployed" | "ship" | "shipped" | "develop" | "developed" | "developing" | "set" | "roll"
        | "rolled" | "finish" | "finished" | "run" | "running" | "lead" | "leading" | "refactor"
        | "debug" | "debugged" => votes.add(Project, 1.5),
        "read" | "reading" | "watch" | "watched" | "watching" | "wrote" | "directed" => votes.add(Work, 1.5),
        "buy" | "bought" | "use" | "uses" | "used" | "using" | "ordered" => votes.add(Product, 1.0),
        _ => {}
    }
}

/// Where somebody goes to, or whom they speak to.
pub(super) fn to_goal(verb: &str, votes: &mut Votes) {
    match verb {
        "move" | "moved" | "moving" | "moves" | "go" | "goes" | "going" | "went" | "gone" | "travel"
        | "travelled" | "traveled" | "traveling" | "fly" | "flew" | "flying" | "drive" | "drove"
        | "driving" | "come" | "came" | "return" | "returned" | "returning" | "trip" | "been" | "visit"
        | "back" | "relocate" | "relocated" | "relocating" | "flight" | "train" | "road" | "way" => {
            votes.add(Place, 2.5);
        }
        "report" | "reports" | "reported" | "reporting" => votes.add(Person, 3.0),
        "speak" | "speaks" | "spoke" | "talk" | "talked" | "talking" | "said" | "say" | "listen"
        | "wrote" | "send" | "sent" | "give" | "gave" | "show" | "showed" | "explained" | "married"
        | "engaged" | "introduced" | "thanks" | "according" => votes.add(Person, 2.0),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms_of_what_people_do_are_told() {
        for verb in
            ["says", "mentioned", "planned", "tries", "agreed", "debugged", "outlined", "hoping", "walked"]
        {
            assert!(is_human(verb), "{verb}");
        }
        assert!(!is_human("rotates") && !is_human("contains"));
    }
}
