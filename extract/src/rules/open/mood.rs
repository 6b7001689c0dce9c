//! Whether a clause says that something is so, how surely, and whose words it is.

use crate::clauses::clause::{Clause, Role};
use crate::clauses::tree::Tree;
use crate::rules::words;
use crate::syntax::lemma::lemma;
use crate::syntax::{Label, Tag};

/// How a clause is meant.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Mood {
    /// Whether there is a doubt.
    pub(super) hedged: bool,
    /// The subject of the verb of saying above it.
    pub(super) said_by: Option<usize>,
    /// Whether it is what somebody thinks, or what ought to be.
    pub(super) opinion: bool,
    /// Whether it is to come.
    pub(super) future: bool,
}

/// Verbs of saying, whose clause is in somebody's words.
const SAYING: &[&str] = &[
    "say", "tell", "mention", "report", "claim", "state", "announce", "explain", "write", "add", "confirm",
    "note", "admit", "suggest", "argue", "insist", "complain", "warn", "reply", "answer",
];
/// Verbs of thinking, whose clause is believed.
const THINKING: &[&str] = &[
    "think", "believe", "guess", "suppose", "feel", "hope", "seem", "assume", "expect", "suspect", "reckon",
    "figure", "hear", "sound", "look", "appear", "bet",
];
/// Verbs whose clause is the case.
const KNOWING: &[&str] = &[
    "know",
    "see",
    "realize",
    "realise",
    "remember",
    "notice",
    "find",
    "learn",
    "discover",
    "show",
    "prove",
    "mean",
    "love",
    "like",
    "be",
    "forget",
    "understand",
    "hate",
    "recall",
    "decide",
    "agree",
    "promise",
    "swear",
    "ensure",
    "conclude",
];
/// Verbs of what is only in the mind.
const WISHING: &[&str] = &["wish", "wonder", "imagine", "pretend"];
/// Words before a clause that is not said to be so.
const UNREAL: &[&str] = &["if", "unless", "whether", "lest"];

/// How `clause` is meant; nothing where it asserts nothing.
pub(super) fn mood(tree: &Tree<'_, '_>, clause: &Clause) -> Option<Mood> {
    let mut mood = Mood::default();
    let mut at = clause.verb;
    if WISHING.contains(&lemma(tree.word(at)).as_str()) {
        return None;
    }
    auxiliaries(tree, clause, &mut mood)?;
    for _ in 0..8 {
        own_words(tree, at, &mut mood)?;
        let Some(head) = tree.head(at) else { break };
        match tree.label(at) {
            Label::Ccomp => under(tree, head, at, &mut mood)?,
            Label::Conj | Label::Parataxis | Label::Dep => {}
            // What is told beside the main clause is so, whatever that one is.
            Label::Advcl | Label::Relcl | Label::Acl => break,
            _ => return None,
        }
        at = head;
    }
    Some(mood)
}

/// The lemma of the verb whose clause a verb heads.
fn governor(tree: &Tree<'_, '_>, at: usize) -> Option<String> {
    let above = tree.head(at).filter(|_| tree.label(at) == Label::Ccomp)?;
    Some(lemma(tree.word(above)))
}

fn auxiliaries(tree: &Tree<'_, '_>, clause: &Clause, mood: &mut Mood) -> Option<()> {
    let promised = governor(tree, clause.verb).is_some_and(|above| {
        SAYING.contains(&above.as_str())
            || matches!(above.as_str(), "promise" | "decide" | "agree" | "commit")
    });
    let likes = promised || matches!(lemma(tree.word(clause.verb)).as_str(), "like" | "love" | "prefer");
    mood.hedged |= (0..clause.verb).any(|at| tree.is(at, &["hopefully", "maybe", "perhaps", "probably"]));
    for at in &clause.relation {
        match tree.word(*at) {
            "might" | "may" => mood.hedged = true,
            "could" => return None,
            // "Exams can be hard": what may be of anything is not said to be.
            "can" | "ca"
                if !clause.subject.is_some_and(|subject| {
                    tree.is(subject, &["i", "we"]) || tree.tag(subject) == Tag::Nnp
                }) =>
            {
                return None;
            }
            "would" | "'d" if tree.tag(*at) == Tag::Md => {
                if !likes {
                    return None;
                }
                mood.future = true;
            }
            "will" | "'ll" | "wo" | "shall" if tree.tag(*at) == Tag::Md => mood.future = true,
            "should" | "must" | "ought" => mood.opinion = true,
            _ => {}
        }
    }
    Some(())
}

/// What stands before a clause: "if" takes it out of the world, "maybe" makes it doubtful.
fn own_words(tree: &Tree<'_, '_>, at: usize, mood: &mut Mood) -> Option<()> {
    for child in tree.children(at).iter().copied() {
        match tree.label(child) {
            Label::Mark | Label::Advmod => {
                let compares = tree.label(at) == Label::Advcl && tree.is(child, &["as"]);
                let nearly = tree.is(child, &["almost", "nearly"]) && tree.is_verb(at);
                if compares || nearly || tree.is(child, UNREAL) || tree.is(child, &["why", "how"]) {
                    return None;
                }
                mood.hedged |= words::is_hedge(tree.word(child));
            }
            // "If it rains we go": what depends on something is not so yet.
            Label::Advcl => {
                let mark = tree.child(child, &[Label::Mark]);
                if mark.is_some_and(|mark| tree.is(mark, &["if", "unless"])) {
                    return None;
                }
            }
            _ => {}
        }
    }
    Some(())
}

/// What the verb above makes of its clause.
fn under(tree: &Tree<'_, '_>, above: usize, at: usize, mood: &mut Mood) -> Option<()> {
    let verb = lemma(tree.word(above));
    let verb = verb.as_str();
    let negated = tree.child(above, &[Label::Neg]).is_some();
    let subject = tree.child(above, &[Label::Nsubj, Label::Nsubjpass]);
    if SAYING.contains(&verb) {
        mood.said_by = subject;
    } else if THINKING.contains(&verb) {
        mood.opinion = true;
        mood.hedged = true;
    } else if !KNOWING.contains(&verb) && at > above {
        // "Cool, I have one": what is joined without a word says it as well.
        return tree.is_noun(above).then_some(()).or_else(|| (!tree.is_verb(above)).then_some(()));
    }
    (!negated).then_some(())
}

/// Whether a clause tells somebody to do something: no subject, a plain verb first.
pub(super) fn is_order(tree: &Tree<'_, '_>, clause: &Clause) -> bool {
    let plain = matches!(tree.tag(clause.verb), Tag::Vb | Tag::Vbp);
    let helped = clause
        .relation
        .iter()
        .any(|at| *at < clause.verb && !tree.is(*at, &["do", "n't", "not", "never", "always"]));
    clause.subject.is_none() && plain && !helped && tree.label(clause.verb) == Label::Root
}

/// Whether a clause leaves out that it is about who writes: "Promised Ana a draft", "Updating the schedule".
pub(super) fn is_elided(tree: &Tree<'_, '_>, clause: &Clause) -> bool {
    let first = clause.relation.first().copied().unwrap_or(clause.verb);
    let before = (0..first).all(|at| matches!(tree.tag(at), Tag::Rb | Tag::Uh | Tag::Comma | Tag::Cc));
    let says = clause.arguments.iter().any(|argument| argument.role != Role::Adverb);
    let verb = match tree.tag(first) {
        Tag::Md => tree.tag(clause.verb) == Tag::Vb,
        Tag::Vbd | Tag::Vbn | Tag::Vbg => first == clause.verb,
        _ => tree.is(first, &["gonna"]),
    };
    // "Said yes, committed to one round": the second one is about the same.
    let joined = || {
        let above =
            tree.head(clause.verb).filter(|_| matches!(tree.label(clause.verb), Label::Conj | Label::Ccomp));
        above.is_some_and(|above| {
            tree.label(above) == Label::Root && matches!(tree.tag(above), Tag::Vbd | Tag::Vbn)
        })
    };
    let main = tree.label(clause.verb) == Label::Root && before;
    clause.subject.is_none() && verb && says && (main || joined())
}

/// Whether the clause of a verb is the case.
pub(super) fn is_knowing(verb: &str) -> bool {
    KNOWING.contains(&verb) && verb != "be"
}
