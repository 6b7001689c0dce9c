//! The verbs that the patterns know, in all their forms. What they mean is told in `patterns`.

/// A verb of the patterns.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Verb {
    Work,
    Live,
    Move,
    Come,
    Bear,
    Grow,
    Like,
    Dislike,
    Prefer,
    Go,
    Visit,
    Travel,
    Attend,
    Buy,
    Meet,
    Know,
    Plan,
    Want,
    Decide,
    Found,
    Start,
    Create,
    Join,
    Study,
    Graduate,
    Own,
    Adopt,
    Marry,
    Date,
    Locate,
    Have,
    Get,
    Volunteer,
    Play,
    Practise,
    Teach,
    Win,
    Speak,
    Leave,
    Quit,
    Hire,
    Employ,
    Manage,
    Set,
    Earn,
    Learn,
    Fire,
    Turn,
    Report,
    Part,
    Hand,
    Transfer,
    Promote,
    Shed,
    Take,
    Drop,
    Become,
    Give,
}

/// Which form of its verb a word is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Form {
    Base,
    Third,
    /// The past, and the participle where it has no form of its own.
    Past,
    /// A participle that is not the past.
    Participle,
    Ing,
}

/// The verb and form of a lower-case word.
pub(crate) fn verb(word: &str) -> Option<(Verb, Form)> {
    irregular(word).or_else(|| {
        REGULAR.iter().find_map(|(base, verb)| {
            let tail = word.strip_prefix(base)?;
            let form = match tail {
                "" => Form::Base,
                "s" | "es" => Form::Third,
                "ed" | "d" => Form::Past,
                "ing" => Form::Ing,
                _ => return None,
            };
            Some((*verb, form))
        })
    })
}

/// Verbs whose forms are the base with an ending.
const REGULAR: &[(&str, Verb)] = &[
    ("work", Verb::Work),
    ("volunteer", Verb::Volunteer),
    ("play", Verb::Play),
    ("practise", Verb::Practise),
    ("practice", Verb::Practise),
    ("live", Verb::Live),
    ("reside", Verb::Live),
    ("move", Verb::Move),
    ("relocate", Verb::Move),
    ("like", Verb::Like),
    ("love", Verb::Like),
    ("adore", Verb::Like),
    ("enjoy", Verb::Like),
    ("hate", Verb::Dislike),
    ("dislike", Verb::Dislike),
    ("detest", Verb::Dislike),
    ("visit", Verb::Visit),
    ("travel", Verb::Travel),
    ("attend", Verb::Attend),
    ("purchase", Verb::Buy),
    ("want", Verb::Want),
    ("intend", Verb::Plan),
    ("decide", Verb::Decide),
    ("found", Verb::Found),
    ("establish", Verb::Found),
    ("launch", Verb::Start),
    ("open", Verb::Start),
    ("start", Verb::Start),
    ("create", Verb::Create),
    ("paint", Verb::Create),
    ("direct", Verb::Create),
    ("compose", Verb::Create),
    ("design", Verb::Create),
    ("join", Verb::Join),
    ("graduate", Verb::Graduate),
    ("own", Verb::Own),
    ("adopt", Verb::Adopt),
    ("locate", Verb::Locate),
    ("situate", Verb::Locate),
    ("date", Verb::Date),
    ("hire", Verb::Hire),
    ("employ", Verb::Employ),
    ("earn", Verb::Earn),
    ("learn", Verb::Learn),
    ("manage", Verb::Manage),
    ("supervise", Verb::Manage),
    ("fire", Verb::Fire),
    ("turn", Verb::Turn),
    ("resign", Verb::Quit),
    ("rejoin", Verb::Join),
    ("report", Verb::Report),
    ("divorce", Verb::Part),
    ("separate", Verb::Part),
];

/// Verbs with forms of their own.
fn irregular(word: &str) -> Option<(Verb, Form)> {
    of_being(word).or_else(|| of_doing(word))
}

/// Where and how somebody is, goes and feels, and whom they know.
fn of_being(word: &str) -> Option<(Verb, Form)> {
    use Form::{Base, Ing, Participle, Past, Third};
    Some(match word {
        "living" | "residing" => (Verb::Live, Ing),
        "moving" => (Verb::Move, Ing),
        "come" => (Verb::Come, Base),
        "comes" => (Verb::Come, Third),
        "came" => (Verb::Come, Past),
        "born" => (Verb::Bear, Participle),
        "grew" => (Verb::Grow, Past),
        "grown" => (Verb::Grow, Participle),
        "loving" => (Verb::Like, Ing),
        "prefer" => (Verb::Prefer, Base),
        "prefers" => (Verb::Prefer, Third),
        "preferred" => (Verb::Prefer, Past),
        "go" => (Verb::Go, Base),
        "goes" => (Verb::Go, Third),
        "went" => (Verb::Go, Past),
        "gone" | "been" => (Verb::Go, Participle),
        "going" => (Verb::Go, Ing),
        "travelled" | "flew" | "drove" => (Verb::Travel, Past),
        "travelling" | "flying" => (Verb::Travel, Ing),
        "bought" => (Verb::Buy, Past),
        "buy" => (Verb::Buy, Base),
        "buys" => (Verb::Buy, Third),
        "buying" => (Verb::Buy, Ing),
        "met" => (Verb::Meet, Past),
        "meet" => (Verb::Meet, Base),
        "know" => (Verb::Know, Base),
        "knows" => (Verb::Know, Third),
        "known" => (Verb::Know, Participle),
        "plan" => (Verb::Plan, Base),
        "plans" => (Verb::Plan, Third),
        "planned" => (Verb::Plan, Past),
        _ => return None,
    })
}

/// What somebody does, makes, has and ends.
fn of_doing(word: &str) -> Option<(Verb, Form)> {
    use Form::{Base, Ing, Participle, Past, Third};
    Some(match word {
        "planning" | "hoping" => (Verb::Plan, Ing),
        "deciding" => (Verb::Decide, Ing),
        "founding" => (Verb::Found, Ing),
        "creating" => (Verb::Create, Ing),
        "wrote" | "built" => (Verb::Create, Past),
        "write" => (Verb::Create, Base),
        "writes" => (Verb::Create, Third),
        "written" => (Verb::Create, Participle),
        "study" => (Verb::Study, Base),
        "studies" => (Verb::Study, Third),
        "studied" => (Verb::Study, Past),
        "studying" => (Verb::Study, Ing),
        "marry" => (Verb::Marry, Base),
        "marries" => (Verb::Marry, Third),
        "married" => (Verb::Marry, Past),
        "marrying" => (Verb::Marry, Ing),
        "dating" => (Verb::Date, Ing),
        "based" => (Verb::Locate, Past),
        "set" => (Verb::Set, Past),
        "make" => (Verb::Earn, Base),
        "makes" => (Verb::Earn, Third),
        "lies" => (Verb::Locate, Third),
        "have" => (Verb::Have, Base),
        "has" => (Verb::Have, Third),
        "had" => (Verb::Have, Past),
        "got" => (Verb::Get, Past),
        "teach" => (Verb::Teach, Base),
        "teaches" => (Verb::Teach, Third),
        "won" => (Verb::Win, Past),
        "began" => (Verb::Start, Past),
        "teaching" => (Verb::Teach, Ing),
        "speak" => (Verb::Speak, Base),
        "speaks" => (Verb::Speak, Third),
        "left" => (Verb::Leave, Past),
        "leave" => (Verb::Leave, Base),
        "leaving" => (Verb::Leave, Ing),
        "quitting" => (Verb::Quit, Ing),
        "took" | "landed" | "accepted" | "secured" => (Verb::Take, Past),
        "taken" => (Verb::Take, Participle),
        "dropped" => (Verb::Drop, Past),
        "became" => (Verb::Become, Past),
        "become" => (Verb::Become, Participle),
        "quit" | "stopped" | "retired" => (Verb::Quit, Past),
        "transferred" | "switched" => (Verb::Transfer, Past),
        "promoted" => (Verb::Promote, Past),
        "gave" | "donated" | "traded" => (Verb::Give, Past),
        "sold" | "scrapped" => (Verb::Shed, Past),
        "broke" | "split" => (Verb::Part, Past),
        "broken" => (Verb::Part, Participle),
        "laid" => (Verb::Fire, Past),
        "handed" => (Verb::Hand, Past),
        _ => return None,
    })
}

/// Whether two words say what only somebody does: "reports to", where "reports" alone may be a noun.
pub(crate) fn are_done_by_persons(word: &str, next: &str) -> bool {
    is_done_by_persons(word) || matches!((word, next), ("reports", "to") | ("manages", "me"))
}

/// Whether a word is a verb form that a person's name is often followed by.
pub(crate) fn is_done_by_persons(word: &str) -> bool {
    matches!(word, "says" | "said" | "told" | "thinks" | "asked" | "wants" | "needs")
        || matches!(verb(word), Some((verb, Form::Third | Form::Past)) if !matches!(verb, Verb::Locate | Verb::Leave | Verb::Hire | Verb::Employ | Verb::Set | Verb::Earn | Verb::Learn | Verb::Fire | Verb::Turn | Verb::Report | Verb::Part | Verb::Hand | Verb::Transfer | Verb::Promote | Verb::Shed | Verb::Take | Verb::Drop | Verb::Become | Verb::Give))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms_are_known() {
        for (word, expected) in [
            ("works", (Verb::Work, Form::Third)),
            ("lived", (Verb::Live, Form::Past)),
            ("loves", (Verb::Like, Form::Third)),
            ("enjoyed", (Verb::Like, Form::Past)),
            ("found", (Verb::Found, Form::Base)),
            ("studying", (Verb::Study, Form::Ing)),
        ] {
            assert_eq!(verb(word), Some(expected), "{word}");
        }
        assert_eq!(verb("working-class"), None);
    }
}
