//! What the verb of a clause makes of it: which kind of memory it is, and which known predicate says the same.

use lorebase_engine::model::fact::FactKind;
use lorebase_engine::model::predicate::Predicate;

use crate::clauses::clause::{Clause, Role};
use crate::clauses::tree::Tree;
use crate::rules::open::mood::Mood;
use crate::syntax::lemma::lemma;
use crate::syntax::{Label, Tag};

/// Verbs by which something is decided, with the noun that says the same.
const DECIDING: &[&str] =
    &["decide", "choose", "opt", "settle", "resolve", "pick", "select", "elect", "conclude", "approve"];
const DECISIONS: &[&str] = &["decision", "choice"];
/// Verbs by which somebody binds themselves.
const PROMISING: &[&str] =
    &["promise", "commit", "pledge", "guarantee", "vow", "swear", "undertake", "owe", "schedule"];
const PROMISES: &[&str] = &["promise", "commitment", "pledge"];
/// Verbs of what is meant to be done.
const PLANNING: &[&str] = &["plan", "want", "intend", "hope", "aim", "wish", "prepare"];
/// Verbs of liking.
const LIKING: &[&str] =
    &["like", "love", "prefer", "enjoy", "adore", "hate", "dislike", "favor", "favour", "detest"];
/// Adjectives that tell what somebody makes of something.
const JUDGING: &[&str] = &[
    "skeptical",
    "sceptical",
    "convinced",
    "confident",
    "doubtful",
    "overrated",
    "underrated",
    "worth",
    "unsure",
    "impressed",
    "amazing",
    "awesome",
    "terrible",
    "awful",
    "great",
    "wonderful",
    "overblown",
    "oversold",
    "misleading",
    "wrong",
    "right",
    "better",
    "best",
    "worse",
    "worst",
    "important",
    "beautiful",
    "boring",
    "inspiring",
    "disappointed",
    "disappointing",
];
/// Verbs of states: their past is no event.
const STATES: &[&str] = &[
    "be",
    "have",
    "know",
    "like",
    "love",
    "hate",
    "want",
    "need",
    "seem",
    "look",
    "feel",
    "think",
    "believe",
    "own",
    "belong",
    "live",
    "contain",
    "mean",
    "prefer",
    "cost",
    "remain",
    "stay",
    "enjoy",
    "include",
    "hope",
    "understand",
    "remember",
];

/// Verbs of taking up a way of doing something.
const ADOPTING: &[&str] =
    &["adopt", "switch", "use", "standardize", "standardise", "drop", "replace", "migrate", "retire"];
/// What "my" stands before where somebody tells what they think.
const VIEWS: &[&str] =
    &["read", "view", "opinion", "take", "sense", "impression", "guess", "feeling", "belief", "bet", "hunch"];

/// Whether a memory of this kind is of something that is meant to be done.
pub(super) fn is_intent(kind: FactKind) -> bool {
    matches!(kind, FactKind::Decision | FactKind::Commitment | FactKind::Plan)
}

/// The predicate of what is decided, promised, planned or thought.
pub(super) fn predicate_of(kind: FactKind) -> Predicate {
    Predicate::new(match kind {
        FactKind::Decision => "decided",
        FactKind::Commitment => "promised",
        FactKind::Plan => "plans",
        _ => "thinks",
    })
}

/// What a sentence that begins with this word is, whatever follows: "promised", "decided".
pub(super) fn opens_with_intent(word: &str) -> Option<FactKind> {
    match word {
        "promised" | "committed" | "pledged" | "vowed" => Some(FactKind::Commitment),
        "decided" | "chose" | "opted" => Some(FactKind::Decision),
        _ => None,
    }
}

/// The kind of memory that a clause is. `first` says whether it is about who speaks.
pub(super) fn kind(tree: &Tree<'_, '_>, clause: &Clause, mood: &Mood, first: bool) -> FactKind {
    let verb = lemma(tree.word(clause.verb));
    let verb = verb.as_str();
    if cannot_wait(tree, clause) && clause.last != clause.verb {
        FactKind::Plan
    } else if decides(tree, clause, verb) {
        FactKind::Decision
    } else if PROMISING.contains(&verb) || PROMISES.contains(&object(tree, clause)) {
        FactKind::Commitment
    } else if likes(tree, clause, verb, mood) {
        FactKind::Preference
    } else if let Some(intent) = intent(tree, clause, verb, (mood, first)) {
        intent
    } else if mood.opinion || judges(tree, clause, first) {
        FactKind::Opinion
    } else if first && tree.tag(clause.verb) == Tag::Vbg && clause.relation.first() == Some(&clause.verb) {
        // "Updating the schedule", in notes.
        if ADOPTING.contains(&verb) { FactKind::Decision } else { FactKind::Commitment }
    } else if happened(tree, clause) {
        FactKind::Event
    } else {
        FactKind::Fact
    }
}

fn object<'t>(tree: &Tree<'_, 't>, clause: &Clause) -> &'t str {
    let object = clause.arguments.iter().find(|argument| argument.role == Role::Object);
    object.map_or("", |object| tree.word(object.head))
}

/// By its verb, but for "pick up", or by a noun: "made a decision", "decision made".
fn decides(tree: &Tree<'_, '_>, clause: &Clause, verb: &str) -> bool {
    let subject = clause.subject.map_or("", |subject| tree.word(subject));
    let particle = tree.child(clause.verb, &[Label::Prt]).is_some();
    let noun = DECISIONS.contains(&object(tree, clause)) || DECISIONS.contains(&subject);
    DECIDING.contains(&verb) && !particle || noun
}

/// What somebody likes, or wants somebody else to do.
fn likes(tree: &Tree<'_, '_>, clause: &Clause, verb: &str, mood: &Mood) -> bool {
    let below = tree.child(clause.verb, &[Label::Ccomp, Label::Xcomp]);
    let wants_of_another = verb == "want" && below.is_some_and(|below| below != clause.last);
    LIKING.contains(&verb) && !mood.future || is_fan(tree, clause) || wants_of_another
}

/// What is to come: a promise of who speaks, their decision where it is for good, or a plan.
fn intent(
    tree: &Tree<'_, '_>,
    clause: &Clause,
    verb: &str,
    (mood, first): (&Mood, bool),
) -> Option<FactKind> {
    let chained = clause.last != clause.verb;
    if mood.future && first {
        if tree.slice((0, tree.len())).to_ascii_lowercase().contains("going forward") {
            return Some(FactKind::Decision);
        }
        if !chained || verb == "be" {
            return Some(FactKind::Commitment);
        }
    }
    let going = verb == "go" && chained && tree.tag(clause.verb) == Tag::Vbg
        || (clause.verb..tree.len().min(clause.verb + 4)).any(|at| tree.is(at, &["gonna"]));
    (mood.future || going || PLANNING.contains(&verb) && chained).then_some(FactKind::Plan)
}

/// Whether the clause tells what took place, not how things were.
fn happened(tree: &Tree<'_, '_>, clause: &Clause) -> bool {
    let past = clause.relation.iter().any(|at| tree.tag(*at) == Tag::Vbd)
        || tree.tag(clause.verb) == Tag::Vbn && !clause.passive;
    past && !STATES.contains(&lemma(tree.word(clause.last)).as_str()) && !used_to(tree, clause)
}

/// "Can't wait to see it" is no denial.
pub(super) fn cannot_wait(tree: &Tree<'_, '_>, clause: &Clause) -> bool {
    tree.is(clause.verb, &["wait"]) && clause.negated
}

/// "I no longer eat fish".
pub(super) fn no_longer(tree: &Tree<'_, '_>, clause: &Clause) -> bool {
    const FARTHEST: usize = 3;
    let near = clause.last.saturating_sub(FARTHEST)..clause.last;
    near.into_iter().any(|at| tree.is(at, &["no"]) && tree.is(at + 1, &["longer"]))
}

/// "Used to live".
pub(super) fn used_to(tree: &Tree<'_, '_>, clause: &Clause) -> bool {
    tree.is(clause.verb, &["used"]) && clause.last != clause.verb
}

fn is_fan(tree: &Tree<'_, '_>, clause: &Clause) -> bool {
    clause.arguments.iter().any(|argument| {
        argument.role == Role::Attribute
            && tree.is(argument.head, &["fan", "favorite", "favourite", "fond", "keen"])
    }) || clause.subject.is_some_and(|subject| {
        tree.children_as(subject, &[Label::Amod]).any(|at| tree.is(at, &["favorite", "favourite"]))
    })
}

/// "I think that", "we believe".
pub(super) fn thinks(tree: &Tree<'_, '_>, clause: &Clause) -> bool {
    clause.arguments.iter().any(|argument| argument.role == Role::Clause)
        && matches!(
            lemma(tree.word(clause.verb)).as_str(),
            "think" | "believe" | "feel" | "find" | "doubt" | "suspect"
        )
}

/// "Decision made on the method": whoever writes has decided.
pub(super) fn decides_for_author(tree: &Tree<'_, '_>, clause: &Clause) -> bool {
    clause.subject.is_some_and(|subject| {
        tree.is(subject, DECISIONS) && tree.child(subject, &[Label::Det, Label::Poss]).is_none()
    })
}

fn judges(tree: &Tree<'_, '_>, clause: &Clause, first: bool) -> bool {
    let viewed = clause.subject.is_some_and(|subject| {
        tree.is(subject, VIEWS)
            && tree.child(subject, &[Label::Poss]).is_some_and(|owner| tree.is(owner, &["my", "our"]))
    });
    let judged = viewed
        || clause
            .arguments
            .iter()
            .any(|argument| argument.role == Role::Attribute && tree.is(argument.head, JUDGING));
    judged || first && thinks(tree, clause)
}

/// Verbs, with the preposition before their object where they need one, that say what a known predicate does. All of these
/// predicates hold for many objects side by side, so that nothing is superseded by what was read wrong.
const KNOWN: &[(&str, &str, &str)] = &[
    ("like", "", "likes"),
    ("love", "", "likes"),
    ("enjoy", "", "likes"),
    ("adore", "", "likes"),
    ("hate", "", "dislikes"),
    ("dislike", "", "dislikes"),
    ("prefer", "", "prefers"),
    ("buy", "", "bought"),
    ("purchase", "", "bought"),
    ("visit", "", "went_to"),
    ("attend", "", "went_to"),
    ("go", "to", "went_to"),
    ("travel", "to", "went_to"),
    ("win", "", "won"),
    ("join", "", "member_of"),
    ("found", "", "founded"),
    ("create", "", "created"),
    ("write", "", "created"),
    ("paint", "", "created"),
    ("build", "", "created"),
    ("compose", "", "created"),
    ("meet", "", "knows"),
    ("know", "", "knows"),
    ("volunteer", "at", "volunteers_at"),
    ("have", "", "has"),
    ("own", "", "has"),
];

/// The same for verbs in the present: "played chess" may have been once.
const HABITS: &[(&str, &str, &str)] = &[("teach", "", "teaches"), ("play", "", "plays")];
/// The same for verbs in the present before a name, whose predicates hold for one object at a time.
const STANDING: &[(&str, &str, &str)] = &[
    ("live", "in", "lives_in"),
    ("work", "at", "works_at"),
    ("work", "for", "works_at"),
    ("study", "at", "studies_at"),
];

/// The known predicate that a verb and a preposition mean.
pub(super) fn known((verb, preposition): (&str, &str), tag: Tag, named: bool) -> Option<&'static str> {
    let present = matches!(tag, Tag::Vbp | Tag::Vbz);
    let standing = STANDING.iter().filter(|_| present && named).chain(HABITS.iter().filter(|_| present));
    KNOWN
        .iter()
        .chain(standing)
        .find(|(known, before, _)| *known == verb && *before == preposition)
        .map(|(_, _, name)| *name)
}
