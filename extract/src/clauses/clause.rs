//! Clauses: a verb with what goes with it, its subject found where the grammar leaves it out.

use crate::clauses::tree::Tree;
use crate::syntax::{Label, Tag};

/// As what something goes with a verb.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Role {
    /// What is done something to.
    Object,
    /// What the subject is said to be.
    Attribute,
    /// To whom.
    Recipient,
    /// After a preposition.
    Prepositional,
    /// By whom, of a passive.
    Agent,
    /// A noun as an adverb, mostly of time.
    Adverbial,
    /// A clause: what is said or thought.
    Clause,
    /// An adverb.
    Adverb,
}

/// Something that goes with a verb.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Argument {
    pub(crate) role: Role,
    /// The preposition before it.
    pub(crate) preposition: Option<usize>,
    /// Its main word.
    pub(crate) head: usize,
}

/// A verb and what goes with it. Places are those of words in the sentence.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Clause {
    /// The first verb, by which the clause is tied to others.
    pub(crate) verb: usize,
    /// The verb that carries the meaning: "visit" of "want to visit".
    pub(crate) last: usize,
    /// The main word of the subject.
    pub(crate) subject: Option<usize>,
    /// The words of the relation, in order.
    pub(crate) relation: Vec<usize>,
    /// In the order of the text.
    pub(crate) arguments: Vec<Argument>,
    /// Whether it is denied.
    pub(crate) negated: bool,
    /// Whether the subject suffers what the verb says.
    pub(crate) passive: bool,
}

pub(crate) const SUBJECTS: &[Label] = &[Label::Nsubj, Label::Nsubjpass, Label::Csubj, Label::Csubjpass];

/// The clauses of a sentence, in the order of their verbs.
pub(crate) fn clauses(tree: &Tree<'_, '_>) -> Vec<Clause> {
    (0..tree.len()).filter(|at| heads_clause(tree, *at)).map(|at| clause(tree, at)).collect()
}

/// Whether a verb is the head of a clause of its own: not part of another's relation.
fn heads_clause(tree: &Tree<'_, '_>, at: usize) -> bool {
    if !tree.is_verb(at) {
        return false;
    }
    match tree.label(at) {
        Label::Root
        | Label::Ccomp
        | Label::Advcl
        | Label::Relcl
        | Label::Parataxis
        | Label::Csubj
        | Label::Pcomp
        | Label::Dep => true,
        Label::Acl => matches!(tree.tag(at), Tag::Vbn | Tag::Vbg | Tag::Vbd | Tag::Vb),
        Label::Conj => {
            tree.head(at).is_some_and(|head| tree.is_verb(head)) || tree.child(at, SUBJECTS).is_some()
        }
        // "Asked Ana to come": who comes is not who asks.
        Label::Xcomp => tree.head(at).is_some_and(|head| !chains(tree, head, at)),
        _ => false,
    }
}

/// Whether the clause at `below` has the subject of the verb at `above` and follows it at once.
fn chains(tree: &Tree<'_, '_>, above: usize, below: usize) -> bool {
    tree.is_verb(below) && below > above && tree.child(above, &[Label::Dobj, Label::Dative]).is_none()
}

fn clause(tree: &Tree<'_, '_>, verb: usize) -> Clause {
    let mut built = Clause {
        verb,
        last: verb,
        subject: subject(tree, verb),
        relation: Vec::new(),
        arguments: Vec::new(),
        negated: false,
        passive: false,
    };
    let mut at = Some(verb);
    let mut steps = 0;
    while let Some(word) = at.filter(|_| steps < 4) {
        at = add_verb(tree, word, &mut built);
        steps += 1;
    }
    built.relation.sort_unstable();
    built.relation.dedup();
    built.arguments.sort_by_key(|argument| argument.preposition.unwrap_or(argument.head));
    built
}

/// Takes in one verb of a chain; answers the next.
fn add_verb(tree: &Tree<'_, '_>, at: usize, built: &mut Clause) -> Option<usize> {
    built.last = at;
    built.relation.push(at);
    built.passive = tree.child(at, &[Label::Auxpass]).is_some() || is_participle_of_noun(tree, at);
    let mut next = None;
    for child in tree.children(at) {
        let child = *child;
        match tree.label(child) {
            Label::Aux | Label::Auxpass | Label::Prt => {
                built.negated ^= tree.is(child, &["cannot"]);
                built.relation.push(child);
            }
            Label::Neg => {
                built.relation.push(child);
                built.negated = !built.negated;
            }
            Label::Xcomp if chains(tree, at, child) => next = Some(child),
            Label::Acomp | Label::Oprd | Label::Attr => {
                built.arguments.push(Argument { role: Role::Attribute, preposition: None, head: child });
            }
            Label::Dobj => {
                built.arguments.push(Argument { role: Role::Object, preposition: None, head: child });
            }
            Label::Dative => add_dative(tree, child, built),
            Label::Prep | Label::Agent => add_preposition(tree, child, built),
            Label::Npadvmod => {
                built.arguments.push(Argument { role: Role::Adverbial, preposition: None, head: child });
            }
            Label::Ccomp | Label::Xcomp if child > at => {
                built.arguments.push(Argument { role: Role::Clause, preposition: None, head: child });
            }
            Label::Advmod => {
                built.arguments.push(Argument { role: Role::Adverb, preposition: None, head: child });
            }
            _ => {}
        }
    }
    next
}

/// "A bid launched by Cie": the noun suffers what the participle says.
fn is_participle_of_noun(tree: &Tree<'_, '_>, at: usize) -> bool {
    tree.label(at) == Label::Acl && matches!(tree.tag(at), Tag::Vbn | Tag::Vbd)
}

fn add_dative(tree: &Tree<'_, '_>, at: usize, built: &mut Clause) {
    if tree.is_noun(at) {
        built.arguments.push(Argument { role: Role::Recipient, preposition: None, head: at });
    } else {
        add_preposition(tree, at, built);
    }
}

fn add_preposition(tree: &Tree<'_, '_>, at: usize, built: &mut Clause) {
    let role = if tree.label(at) == Label::Agent { Role::Agent } else { Role::Prepositional };
    if let Some(head) = tree.child(at, &[Label::Pobj, Label::Pcomp]) {
        built.arguments.push(Argument { role, preposition: Some(at), head });
    } else if let Some(inner) = tree.child(at, &[Label::Prep]) {
        // "Out of the house."
        if let Some(head) = tree.child(inner, &[Label::Pobj]) {
            built.arguments.push(Argument { role, preposition: Some(at), head });
        }
    }
}

/// The main word of a verb's subject: its own, or what the grammar leaves out.
fn subject(tree: &Tree<'_, '_>, verb: usize) -> Option<usize> {
    let mut at = verb;
    for _ in 0..8 {
        if let Some(own) = tree.child(at, SUBJECTS) {
            return Some(antecedent(tree, at, own));
        }
        let head = tree.head(at)?;
        match tree.label(at) {
            Label::Acl | Label::Relcl => return tree.is_noun(head).then_some(head),
            Label::Xcomp => {
                if let Some(object) = tree.child(head, &[Label::Dobj, Label::Dative]) {
                    return Some(object);
                }
            }
            Label::Conj | Label::Advcl => {}
            _ => return None,
        }
        at = head;
    }
    None
}

/// What "who", "which" and "that" stand for.
fn antecedent(tree: &Tree<'_, '_>, verb: usize, own: usize) -> usize {
    let relative =
        matches!(tree.tag(own), Tag::Wp | Tag::Wdt) || tree.is(own, &["that"]) && tree.tag(own) != Tag::Dt;
    let mut at = verb;
    // "Who came and sang": the clause is joined to the one that describes the noun.
    while tree.label(at) == Label::Conj {
        match tree.head(at) {
            Some(head) if head != at => at = head,
            _ => break,
        }
    }
    match tree.head(at) {
        Some(head) if relative && tree.label(at) == Label::Relcl => head,
        _ => own,
    }
}
