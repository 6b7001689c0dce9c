//! What kind of answer a question asks for.

use crate::clauses::tree::Tree;
use crate::syntax::lemma::lemma;
use crate::syntax::tokens::{self, Kind};
use crate::syntax::{Label, Tag};

/// The kind of answer that a question asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Want {
    /// When something was or will be.
    Date,
    /// How long something takes, or since when it goes on.
    Duration,
    /// How many, how much, how old.
    Number,
    /// How often something happens.
    Often,
    /// Who.
    Person,
    /// Where.
    Place,
    /// Whether something is so.
    YesNo,
    /// Which of those that the question names.
    Choice,
    /// What, or which, of a kind that the question may name.
    Thing,
    /// What somebody does or did.
    Deed,
    /// Why.
    Reason,
    /// How: in which manner, or what something is like.
    Manner,
    /// What is told of something, where no word tells what is asked for.
    Any,
}

impl Want {
    /// Every kind with its name as it is shown, in the order of their numbers.
    pub const ALL: [(Self, &'static str); 13] = [
        (Self::Date, "date"),
        (Self::Duration, "duration"),
        (Self::Number, "number"),
        (Self::Often, "frequency"),
        (Self::Person, "person"),
        (Self::Place, "place"),
        (Self::YesNo, "yes_no"),
        (Self::Choice, "choice"),
        (Self::Thing, "thing"),
        (Self::Deed, "deed"),
        (Self::Reason, "reason"),
        (Self::Manner, "manner"),
        (Self::Any, "any"),
    ];

    /// The kind's name.
    pub fn as_str(self) -> &'static str {
        Self::ALL[self as usize].1
    }
}

/// What is sought stands as what in the sentence that answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Sought {
    /// As the subject.
    Subject,
    /// As the object.
    Object,
    /// As what something is said to be.
    Attribute,
    /// Behind a preposition.
    Prepositional,
    /// In another place.
    Elsewhere,
}

/// How a question asks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Asking {
    /// What kind of answer is wanted.
    pub want: Want,
    /// What is asked for is one of these: the noun behind "which" or "what kind of", in lower case. Empty where none is named.
    pub noun: String,
    /// Whether several things may be asked for.
    pub several: bool,
    /// The verb of the question as a dictionary lists it; empty where there is none.
    pub verb: String,
    /// As what the answer stands in a sentence that gives it.
    pub sought: Sought,
    /// The preposition that it stands behind; empty where there is none.
    pub preposition: String,
    /// The things to choose among, where the question names them.
    pub choices: Vec<String>,
    /// Whether something is to be told, described or summed up: no few words do.
    pub at_length: bool,
}

/// Reads how a question asks. What is no English question asks for anything.
pub fn asking(question: &str) -> Asking {
    let lower = question.to_ascii_lowercase();
    let tokens = tokens::tokens(question, &lower);
    let ranges = tokens::sentences(&tokens);
    // The last sentence asks; what stands before it says what about.
    let last = ranges
        .iter()
        .rev()
        .find(|(from, end)| tokens[*from..*end].iter().any(|token| token.kind == Kind::Word));
    last.map_or_else(nothing, |range| Reader { tree: Tree::new(question, &tokens, *range) }.read())
}

fn nothing() -> Asking {
    Asking {
        want: Want::Any,
        noun: String::new(),
        several: false,
        verb: String::new(),
        sought: Sought::Elsewhere,
        preposition: String::new(),
        choices: Vec::new(),
        at_length: false,
    }
}

const WH: &[&str] = &["what", "which", "who", "whom", "whose", "when", "where", "why", "how"];

/// Nouns that ask for a time, a place or a person.
const TIMES: &[&str] =
    &["date", "day", "month", "year", "time", "weekday", "season", "week", "birthday", "deadline"];
const PLACES: &[&str] = &[
    "place",
    "places",
    "city",
    "cities",
    "town",
    "country",
    "countries",
    "state",
    "states",
    "location",
    "locations",
    "area",
    "areas",
    "region",
    "county",
];
const PERSONS: &[&str] =
    &["person", "people", "friend", "friends", "author", "founder", "actor", "singer", "artist"];
/// Verbs that carry no meaning of their own.
const LIGHT: &[&str] =
    &["be", "do", "have", "will", "would", "can", "could", "may", "might", "should", "did", "does"];

struct Reader<'s, 't> {
    tree: Tree<'s, 't>,
}

impl Reader<'_, '_> {
    fn read(&self) -> Asking {
        let mut asking = Asking { verb: self.verb(), at_length: self.is_to_be_told(), ..nothing() };
        let Some(wh) = self.wh() else {
            asking.choices = self.choices();
            asking.want = match (self.begins_with_auxiliary(), asking.choices.is_empty()) {
                (true, true) => Want::YesNo,
                (true, false) => Want::Choice,
                _ => Want::Any,
            };
            return asking;
        };
        let (noun, plural) = self.noun_asked(wh);
        asking.want = self.want(wh, &noun, &asking.verb);
        asking.several = plural;
        asking.noun = noun;
        (asking.sought, asking.preposition) = self.place(wh);
        if asking.want == Want::Thing && asking.verb == "do" {
            asking.want = Want::Deed;
        }
        if matches!(asking.want, Want::Thing | Want::Person) {
            asking.choices = self.choices();
        }
        asking
    }

    /// The word that asks: one at the beginning, or else the last.
    fn wh(&self) -> Option<usize> {
        let tree = &self.tree;
        let all: Vec<usize> = (0..tree.len()).filter(|at| tree.is(*at, WH)).collect();
        let first = all.iter().copied().find(|at| *at <= 2);
        let opens = self.begins_with_auxiliary();
        first.or_else(|| all.last().copied().filter(|_| !opens))
    }

    fn begins_with_auxiliary(&self) -> bool {
        const AUXILIARIES: &[&str] = &[
            "is", "are", "was", "were", "am", "do", "does", "did", "has", "have", "had", "can", "could",
            "will", "would", "should", "may", "might", "must",
        ];
        let tree = &self.tree;
        let mut words = (0..tree.len()).filter(|at| tree.token(*at).kind == Kind::Word);
        words.next().is_some_and(|at| tree.is(at, AUXILIARIES))
    }

    /// "Can you tell me about my trip", "describe it", "give me an overview": but not "can you tell me where I live".
    fn is_to_be_told(&self) -> bool {
        const TELLING: &[&str] =
            &["describe", "explain", "summarise", "summarize", "recap", "outline", "share", "elaborate"];
        const GIVING: &[&str] = &["give", "provide", "write", "make"];
        const ACCOUNTS: &[&str] = &[
            "summary",
            "overview",
            "description",
            "explanation",
            "account",
            "recap",
            "rundown",
            "breakdown",
        ];
        const POLITE: &[&str] = &["can", "could", "would", "will", "you", "please", "me", "us"];
        let tree = &self.tree;
        let mut words = (0..tree.len()).filter(|at| tree.token(*at).kind == Kind::Word);
        let Some(verb) = words.find(|at| !tree.is(*at, POLITE)) else { return false };
        let behind = |list: &[&str], far: usize| (verb + 1..tree.len()).take(far).any(|at| tree.is(at, list));
        tree.is(verb, TELLING)
            || tree.is(verb, &["tell"]) && behind(&["about"], 3)
            || tree.is(verb, &["walk", "talk"]) && behind(&["through"], 3)
            || tree.is(verb, GIVING) && behind(ACCOUNTS, 6)
    }

    /// The main verb: the last that carries meaning of the chain at the top.
    fn verb(&self) -> String {
        let tree = &self.tree;
        let mut at = (0..tree.len()).find(|at| tree.head(*at).is_none()).unwrap_or_default();
        // "What does she do to relax?" asks for what she does.
        for _ in 0..if tree.is(at, &["do", "did", "does"]) { 0 } else { 3 } {
            match tree.child(at, &[Label::Xcomp]).filter(|below| tree.is_verb(*below)) {
                Some(below) => at = below,
                None => break,
            }
        }
        if !tree.is_verb(at) {
            let mut verbs = (0..tree.len())
                .filter(|at| tree.is_verb(*at) && !LIGHT.contains(&lemma(tree.word(*at)).as_str()));
            match verbs.next_back() {
                Some(verb) => at = verb,
                None => return String::new(),
            }
        }
        lemma(tree.word(at))
    }

    /// The noun that says of what kind the answer is, and whether it is a plural.
    fn noun_asked(&self, wh: usize) -> (String, bool) {
        let tree = &self.tree;
        if tree.is(wh, &["how"]) {
            let noun = (wh + 1..tree.len()).take(4).find(|at| matches!(tree.tag(*at), Tag::Nn | Tag::Nns));
            return noun.map_or_else(Default::default, |at| (tree.word(at).to_owned(), false));
        }
        if !tree.is(wh, &["what", "which", "whose"]) {
            return (String::new(), false);
        }
        let direct = self.run_of_nouns(wh + 1);
        let noun = match direct {
            Some(at)
                if tree.is(at, &["kind", "kinds", "type", "types", "sort", "sorts"])
                    && tree.is(at + 1, &["of"]) =>
            {
                self.run_of_nouns(at + 2).or(Some(at))
            }
            Some(at) => Some(at),
            None => self.subject_of_copula(wh),
        };
        let Some(at) = noun else { return (String::new(), false) };
        (tree.word(at).to_owned(), matches!(tree.tag(at), Tag::Nns | Tag::Nnps))
    }

    /// The last of the nouns that stand at `from` on, before the next verb.
    fn run_of_nouns(&self, from: usize) -> Option<usize> {
        let tree = &self.tree;
        let mut last = None;
        for at in from..tree.len() {
            match tree.tag(at) {
                Tag::Nn | Tag::Nns => last = Some(at),
                Tag::Nnp | Tag::Nnps if last.is_none() => last = Some(at),
                Tag::Jj | Tag::Jjr | Tag::Jjs | Tag::Cd | Tag::Vbg | Tag::Vbn | Tag::Other
                    if last.is_none() => {}
                _ => break,
            }
        }
        last
    }

    /// "What is her favourite game?": the game.
    fn subject_of_copula(&self, wh: usize) -> Option<usize> {
        let tree = &self.tree;
        let copula = (wh + 1..tree.len()).find(|at| tree.is_verb(*at))?;
        if !tree.is(copula, &["is", "are", "was", "were", "'s"]) {
            return None;
        }
        let mut said = tree.children_as(copula, &[Label::Nsubj, Label::Attr]).filter(|at| *at > copula);
        let subject = said.next()?;
        matches!(tree.tag(subject), Tag::Nn | Tag::Nns).then_some(subject)
    }

    fn want(&self, wh: usize, noun: &str, verb: &str) -> Want {
        let tree = &self.tree;
        let next = tree.word(wh + 1);
        match tree.word(wh) {
            "when" => Want::Date,
            "where" => Want::Place,
            "why" => Want::Reason,
            "who" | "whom" | "whose" => Want::Person,
            "how" => match next {
                "many" | "much" | "old" | "far" | "big" | "large" | "tall" => {
                    if tree.is(wh + 2, &["days", "weeks", "months", "years", "hours", "minutes"]) {
                        Want::Duration
                    } else {
                        Want::Number
                    }
                }
                "long" => Want::Duration,
                "often" | "frequently" => Want::Often,
                _ => Want::Manner,
            },
            // Of a "response time" nobody asks when it was.
            _ if TIMES.contains(&noun) && !self.is_measured(noun) => Want::Date,
            _ if PLACES.contains(&noun) => Want::Place,
            _ if PERSONS.contains(&noun) => Want::Person,
            _ if matches!(noun, "reason" | "reasons" | "motivation")
                || verb == "motivate"
                || verb == "inspire" =>
            {
                Want::Reason
            }
            _ if tree.len() > 2 && self.asks_what_for(wh) => Want::Reason,
            _ => Want::Thing,
        }
    }

    /// "Response time", "running time": how long something takes, a noun in front of it tells.
    fn is_measured(&self, noun: &str) -> bool {
        let tree = &self.tree;
        let measures = |at: usize| tree.is(at, &["time"]) && matches!(tree.tag(at - 1), Tag::Nn | Tag::Vbg);
        noun == "time" && (1..tree.len()).any(measures)
    }

    /// "What did he take a trip for?"
    fn asks_what_for(&self, wh: usize) -> bool {
        let tree = &self.tree;
        let mut words = (0..tree.len()).filter(|at| tree.token(*at).kind == Kind::Word);
        tree.is(wh, &["what"]) && words.next_back().is_some_and(|at| tree.is(at, &["for"]))
    }

    /// As what the answer stands in the sentence.
    fn place(&self, wh: usize) -> (Sought, String) {
        let tree = &self.tree;
        let mut at = wh;
        for _ in 0..6 {
            let head = tree.head(at);
            match (tree.label(at), head) {
                (Label::Nsubj | Label::Nsubjpass, Some(verb)) => {
                    let is_copula = tree.is(verb, &["is", "are", "was", "were", "'s"]);
                    return (if is_copula { Sought::Attribute } else { Sought::Subject }, String::new());
                }
                (Label::Attr, _) => return (Sought::Attribute, String::new()),
                (Label::Dobj, _) => return (Sought::Object, String::new()),
                (Label::Pobj | Label::Pcomp, Some(preposition)) => {
                    return (Sought::Prepositional, tree.word(preposition).to_owned());
                }
                (_, Some(head)) => at = head,
                (_, None) => break,
            }
        }
        (Sought::Elsewhere, String::new())
    }

    /// What stands around "or".
    fn choices(&self) -> Vec<String> {
        let tree = &self.tree;
        let Some(or) = (0..tree.len()).find(|at| tree.is(*at, &["or"])) else { return Vec::new() };
        let side = |places: Vec<usize>| {
            let kept: Vec<usize> = places
                .into_iter()
                .filter(|at| tree.token(*at).kind != Kind::Sign && !tree.is(*at, &["a", "an", "the"]))
                .collect();
            tree.told(&kept)
        };
        let Some(first) = tree.head(or) else { return Vec::new() };
        let Some(second) = tree.children_as(first, &[Label::Conj]).find(|at| *at > or) else {
            return Vec::new();
        };
        let (from, _) = tree.range(first);
        let left = side((from.max(first.saturating_sub(4))..or).collect());
        let (from, end) = tree.range(second);
        let right = side((from.max(or + 1)..end).collect());
        [left, right].into_iter().filter(|choice| !choice.is_empty()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_kind_of_answer_is_told_from_the_question() {
        for (question, want) in [
            ("When did Ana move to Porto?", Want::Date),
            ("In which month did Ana move?", Want::Date),
            ("Where does Ana live?", Want::Place),
            ("In which town does Ana's boss live?", Want::Place),
            ("Who does Ana's manager report to?", Want::Person),
            ("How many children does Ana have?", Want::Number),
            ("How many years has Ana lived there?", Want::Duration),
            ("How long did it take?", Want::Duration),
            ("How often does Ana run?", Want::Often),
            ("Did Ana move to Porto?", Want::YesNo),
            ("Would Ana rather live in Porto or in Lisbon?", Want::Choice),
            ("What did Ana buy?", Want::Thing),
            ("What does Ana do to relax?", Want::Deed),
            ("Why did Ana move?", Want::Reason),
            ("What did Ana go to Rome for?", Want::Reason),
            ("How did Ana learn it?", Want::Manner),
            ("", Want::Any),
        ] {
            assert_eq!(asking(question).want, want, "{question}");
        }
    }

    #[test]
    fn the_noun_asked_for_the_verb_and_its_place_are_told() {
        let read = asking("What kind of vases did Ana paint?");
        assert_eq!((read.noun.as_str(), read.several, read.verb.as_str()), ("vases", true, "paint"));
        assert_eq!(read.sought, Sought::Object);
        let read = asking("What is Ana's favourite game?");
        assert_eq!((read.noun.as_str(), read.several), ("game", false));
        assert_eq!(asking("Would Ana rather live in Porto or Lisbon?").choices, ["Porto", "Lisbon"]);
    }

    #[test]
    fn what_is_to_be_told_at_length_is_no_short_question() {
        for question in [
            "Can you tell me about my last trip?",
            "Describe the house.",
            "Could you please walk me through the plan?",
            "Can you give me a short summary of what we discussed?",
        ] {
            assert!(asking(question).at_length, "{question}");
        }
        for question in ["Can you tell me where Ana lives?", "Can Ana describe it?", "What did Ana share?"] {
            assert!(!asking(question).at_length, "{question}");
        }
        assert_eq!(asking("What is the response time of the server?").want, Want::Thing);
    }
}
