//! Where in the grammar of its sentence a word stands: its role, whose argument it is, who is the subject above it.

use crate::syntax::{Label, Node, Tag};

/// What part a mention plays in its clause.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    /// Who does it.
    Subject,
    /// To whom it is done.
    Object,
    /// Behind a preposition.
    Oblique,
    /// "Ana's"
    Owner,
    /// Anything else.
    Other,
}

/// The most steps that are gone up a tree.
const HIGHEST: usize = 12;

/// The trees of the sentences of a text: one node a token, heads counted from the start of the text.
#[derive(Clone, Copy)]
pub(super) struct Tree<'a> {
    nodes: &'a [Node],
}

impl<'a> Tree<'a> {
    pub(super) fn new(nodes: &'a [Node]) -> Self {
        Self { nodes }
    }

    pub(super) fn label(self, at: usize) -> Label {
        self.nodes.get(at).map_or(Label::Dep, |node| node.label)
    }

    pub(super) fn tag(self, at: usize) -> Tag {
        self.nodes.get(at).map_or(Tag::Other, |node| node.tag)
    }

    /// The word above, or `None` at the top.
    pub(super) fn above(self, at: usize) -> Option<usize> {
        self.nodes.get(at).map(|node| node.head).filter(|head| *head != at)
    }

    /// The word of `first..end` that the others belong to.
    pub(super) fn head_of(self, first: usize, end: usize) -> usize {
        let outside = |at: &usize| self.above(*at).is_none_or(|head| head < first || head >= end);
        let sign = |at: &usize| self.label(*at) == Label::Punct;
        (first..end).rev().find(|at| outside(at) && !sign(at)).unwrap_or(end.saturating_sub(1))
    }

    /// The word that a word stands in the place of: what it is joined to or describes.
    fn place(self, mut at: usize) -> usize {
        for _ in 0..HIGHEST {
            match (self.label(at), self.above(at)) {
                (Label::Conj | Label::Appos | Label::Compound | Label::Nmod, Some(above))
                    if self.is_noun(above) =>
                {
                    at = above;
                }
                _ => break,
            }
        }
        at
    }

    fn is_noun(self, at: usize) -> bool {
        matches!(self.tag(at), Tag::Nn | Tag::Nns | Tag::Nnp | Tag::Nnps | Tag::Prp | Tag::Cd)
    }

    /// The part that the word at `at` plays.
    pub(super) fn role(self, at: usize) -> Role {
        match self.label(self.place(at)) {
            Label::Nsubj | Label::Nsubjpass | Label::Csubj => Role::Subject,
            Label::Dobj | Label::Dative | Label::Oprd => Role::Object,
            Label::Pobj | Label::Agent => Role::Oblique,
            Label::Poss => Role::Owner,
            _ => Role::Other,
        }
    }

    /// Whether the word at `at` is the subject of the main verb.
    pub(super) fn is_main_subject(self, at: usize) -> bool {
        let place = self.place(at);
        let subject = matches!(self.label(place), Label::Nsubj | Label::Nsubjpass);
        subject && self.above(place).is_some_and(|verb| self.label(verb) == Label::Root)
    }

    /// Whether the "it" at `at` may stand for nothing: "it is good that", "it takes long", "it rained".
    pub(super) fn says_how_it_is(self, at: usize, end: usize) -> bool {
        let Some(verb) = self.above(at) else { return true };
        let said = |at: usize| self.above(at) == Some(verb);
        let mut after = (verb + 1..end.min(verb + 12)).filter(|at| said(*at));
        let object =
            after.clone().any(|at| matches!(self.label(at), Label::Dobj | Label::Prep | Label::Agent));
        let attribute = after.clone().any(|at| self.label(at) == Label::Attr);
        let open = after.any(|at| {
            matches!(self.label(at), Label::Acomp | Label::Ccomp | Label::Xcomp | Label::Csubj | Label::Advcl)
        });
        open || !object && !attribute
    }

    /// The verb that the word at `at` is an argument of, and whether a preposition stands between.
    pub(super) fn verb_of(self, at: usize) -> Option<(usize, bool)> {
        let mut at = self.place(at);
        let mut behind = false;
        for _ in 0..HIGHEST {
            let above = self.above(at)?;
            match self.label(at) {
                Label::Nsubj | Label::Nsubjpass | Label::Dobj | Label::Dative | Label::Attr | Label::Oprd => {
                    return Some((above, behind));
                }
                Label::Agent | Label::Prep if !self.is_noun(above) && self.label(above) != Label::Acomp => {
                    return Some((above, behind));
                }
                // "Furious with her" is said of the subject.
                Label::Pobj | Label::Prep
                    if self.label(above) == Label::Acomp || self.label(at) == Label::Pobj =>
                {
                    behind = true;
                }
                Label::Acomp => return Some((above, behind)),
                _ => return None,
            }
            at = above;
        }
        None
    }

    /// The subject of a verb: its own, or that of the verb that it is joined to or depends on without one.
    pub(super) fn subject_of(self, mut verb: usize) -> Option<usize> {
        for _ in 0..HIGHEST {
            if let Some(own) = self.own_subject(verb) {
                return Some(own);
            }
            match self.label(verb) {
                Label::Conj | Label::Xcomp | Label::Advcl | Label::Pcomp | Label::Prep => {
                    verb = self.above(verb)?;
                }
                // "The woman who called": the noun itself.
                Label::Relcl | Label::Acl => return self.above(verb),
                _ => return None,
            }
        }
        None
    }

    fn own_subject(self, verb: usize) -> Option<usize> {
        // Subjects stand close before their verbs; to look at all words would take long in long sentences.
        let near = verb.saturating_sub(40)..self.nodes.len().min(verb + 8);
        near.rev().find(|at| {
            self.nodes[*at].head == verb && matches!(self.nodes[*at].label, Label::Nsubj | Label::Nsubjpass)
        })
    }

    /// The subjects of the clauses that a word stands in, the nearest first.
    pub(super) fn subjects_above(self, at: usize) -> Vec<usize> {
        let mut found = Vec::new();
        let mut here = at;
        for _ in 0..2 * HIGHEST {
            let Some(above) = self.above(here) else { break };
            here = above;
            if let Some(subject) = self.subject_of(here).filter(|subject| !found.contains(subject)) {
                found.push(subject);
            }
        }
        found
    }

    /// Whether `one` and `other` belong to the same noun: "his friend Simon", "her brothers, Fred and Tom".
    pub(super) fn is_owned_by(self, name: usize, pronoun: usize) -> bool {
        let Some(owned) = self.above(pronoun) else { return false };
        // "His old friend Robert": nothing but nouns between them.
        let noun = |at: usize| matches!(self.tag(at), Tag::Nn | Tag::Nnp | Tag::Jj);
        if (pronoun + 1..name).all(noun) {
            return true;
        }
        let mut at = name;
        for _ in 0..HIGHEST {
            if at == owned {
                return true;
            }
            let within = matches!(
                self.label(at),
                Label::Appos | Label::Compound | Label::Conj | Label::Nmod | Label::Pobj | Label::Prep
            );
            match self.above(at).filter(|_| within) {
                // A name before the owner is joined with what is owned, not owned: "Ana and her son".
                Some(above) => at = above,
                None => return false,
            }
        }
        false
    }
}
