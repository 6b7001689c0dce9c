//! Clauses as open triples: in the text's own words, nobody resolved.

use crate::clauses::clause::{Argument, Clause, Role, clauses};
use crate::clauses::tree::Tree;
use crate::open::OpenTriple;
use crate::syntax::tokens;
use crate::syntax::{Label, Tag};

/// What a text says, in its own words.
pub fn open_triples(text: &str) -> Vec<OpenTriple> {
    let lower = text.to_ascii_lowercase();
    let tokens = tokens::tokens(text, &lower);
    let mut found = Vec::new();
    for sentence in tokens::sentences(&tokens) {
        let tree = Tree::new(text, &tokens, sentence);
        for clause in clauses(&tree) {
            of_clause(&tree, &clause, &mut found);
        }
        of_nouns(&tree, &mut found);
    }
    found
}

/// The words of a noun phrase without clauses that describe it and what is joined to it.
pub(crate) fn phrase(tree: &Tree<'_, '_>, head: usize, joined: bool) -> Vec<usize> {
    let (from, mut end) = tree.range(head);
    let mut dropped: Vec<(usize, usize)> = Vec::new();
    for child in tree.children(head) {
        let range = tree.range(*child);
        match tree.label(*child) {
            Label::Relcl | Label::Appos | Label::Parataxis if *child > head => end = end.min(range.0),
            Label::Acl if *child > head && tree.is(range.0.wrapping_sub(1), &[","]) => end = end.min(range.0),
            Label::Conj if *child > head && !joined => end = end.min(range.0),
            Label::Cc | Label::Preconj if !joined => dropped.push(range),
            _ => {}
        }
    }
    let mut places: Vec<usize> =
        (from..end).filter(|at| !dropped.iter().any(|(from, end)| (*from..*end).contains(at))).collect();
    let loose = |at: &usize| matches!(tree.tag(*at), Tag::Comma | Tag::Colon | Tag::Stop | Tag::Cc);
    while places.last().is_some_and(loose) {
        places.pop();
    }
    while places.first().is_some_and(loose) {
        places.remove(0);
    }
    places
}

/// A head and what "and" joins to it.
pub(crate) fn conjuncts(tree: &Tree<'_, '_>, head: usize) -> Vec<usize> {
    let mut all = vec![head];
    let mut next = 0;
    while next < all.len() && all.len() < 12 {
        all.extend(
            tree.children_as(all[next], &[Label::Conj])
                .filter(|at| tree.is_noun(*at) || tree.tag(*at) == tree.tag(head)),
        );
        next += 1;
    }
    all
}

fn of_clause(tree: &Tree<'_, '_>, clause: &Clause, found: &mut Vec<OpenTriple>) {
    let Some(subject) = clause.subject else { return };
    let core = clause.arguments.iter().position(|argument| {
        matches!(argument.role, Role::Object | Role::Attribute) && argument.head > clause.verb
    });
    let core = core.or_else(|| {
        clause.arguments.iter().position(|argument| {
            matches!(argument.role, Role::Prepositional | Role::Agent | Role::Clause)
                && argument.preposition.unwrap_or(argument.head) > clause.verb
        })
    });
    let mut relation = clause.relation.clone();
    let participle = tree.label(clause.verb) == Label::Acl;
    let mut others = Vec::new();
    for (place, argument) in clause.arguments.iter().enumerate() {
        if Some(place) != core {
            match argument.role {
                Role::Adverb => {
                    if argument.head > relation[0] && argument.head < clause.last {
                        relation.push(argument.head);
                    } else {
                        others.push(tree.told(&span(tree.range(argument.head))));
                    }
                }
                _ => others.push(argument_text(tree, argument, true)),
            }
        }
    }
    relation.sort_unstable();
    let core = core.map(|place| &clause.arguments[place]);
    if let Some(preposition) = core.and_then(|core| core.preposition) {
        relation.push(preposition);
    }
    let mut told = tree.told(&relation);
    if participle && clause.passive {
        told = format!("is {told}");
    }
    let heads = core.map_or_else(Vec::new, |core| match core.role {
        Role::Clause => vec![core.head],
        _ => conjuncts(tree, core.head),
    });
    let confidence = if participle { 0.6 } else { 0.8 };
    for subject in conjuncts(tree, subject) {
        let subject = tree.told(&phrase(tree, subject, false));
        if heads.is_empty() {
            if !others.is_empty() {
                found.push(OpenTriple {
                    subject,
                    relation: told.clone(),
                    arguments: others.clone(),
                    confidence: 0.5,
                });
            }
            continue;
        }
        for head in &heads {
            let object = match core.map(|core| core.role) {
                Some(Role::Clause) => tree.told(&span(tree.range(*head))),
                _ => tree.told(&phrase(tree, *head, false)),
            };
            let mut arguments = vec![object];
            arguments.extend(others.iter().cloned());
            found.push(OpenTriple {
                subject: subject.clone(),
                relation: told.clone(),
                arguments,
                confidence,
            });
        }
    }
}

fn span((from, end): (usize, usize)) -> Vec<usize> {
    (from..end).collect()
}

fn argument_text(tree: &Tree<'_, '_>, argument: &Argument, joined: bool) -> String {
    let mut places: Vec<usize> = argument.preposition.into_iter().collect();
    places.extend(phrase(tree, argument.head, joined));
    tree.told(&places)
}

/// What nouns say of each other: owners, and other names for the same.
fn of_nouns(tree: &Tree<'_, '_>, found: &mut Vec<OpenTriple>) {
    for at in 0..tree.len() {
        let Some(head) = tree.head(at) else { continue };
        match tree.label(at) {
            Label::Appos => found.push(OpenTriple {
                subject: tree.told(&phrase(tree, head, false)),
                relation: "is".to_owned(),
                arguments: vec![tree.told(&phrase(tree, at, false))],
                confidence: 0.6,
            }),
            Label::Poss if tree.tag(at) != Tag::PrpS => {
                let owned: Vec<usize> = phrase(tree, head, false)
                    .into_iter()
                    .filter(|place| *place >= tree.range(at).1)
                    .collect();
                let owner: Vec<usize> = phrase(tree, at, false)
                    .into_iter()
                    .filter(|place| tree.tag(*place) != Tag::Pos)
                    .collect();
                found.push(OpenTriple {
                    subject: tree.told(&owner),
                    relation: "has".to_owned(),
                    arguments: vec![tree.told(&owned)],
                    confidence: 0.5,
                });
            }
            _ => {}
        }
    }
}
