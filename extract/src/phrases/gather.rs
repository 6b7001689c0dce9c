//! The phrases of a text.

use crate::clauses::clause::SUBJECTS;
use crate::clauses::open::phrase;
use crate::clauses::tree::Tree;
use crate::phrases::{PHRASE_WORDS, Part, Phrase, Sentence};
use crate::syntax::lemma::lemma;
use crate::syntax::tokens::{self, Kind};
use crate::syntax::{Label, Tag};

/// What a phrase does not begin with.
const BEFORE: &[&str] =
    &["a", "an", "the", "my", "our", "your", "his", "her", "their", "its", "some", "this", "that"];

/// The sentences of a text with their phrases.
pub fn sentences(text: &str) -> Vec<Sentence> {
    let lower = text.to_ascii_lowercase();
    let tokens = tokens::tokens(text, &lower);
    let ranges = tokens::sentences(&tokens).into_iter();
    ranges.map(|range| sentence(&Tree::new(text, &tokens, range))).collect()
}

fn sentence(tree: &Tree<'_, '_>) -> Sentence {
    let words = (0..tree.len()).filter(|at| tree.token(*at).kind != Kind::Sign);
    let bytes = (tree.token(0).bytes.0, tree.token(tree.len() - 1).bytes.1);
    let mut gatherer = Gatherer { tree, found: Vec::new() };
    for at in 0..tree.len() {
        gatherer.at(at);
    }
    gatherer.quoted();
    gatherer.add(Part::Whole, root(tree), (0..tree.len()).collect());
    Sentence {
        bytes,
        asks: (0..tree.len()).rev().take(2).any(|at| tree.is(at, &["?"])),
        words: words.map(|at| tree.word(at).to_owned()).collect(),
        phrases: gatherer.found,
    }
}

fn root(tree: &Tree<'_, '_>) -> usize {
    (0..tree.len()).find(|at| tree.head(*at).is_none()).unwrap_or_default()
}

struct Gatherer<'g, 's, 't> {
    tree: &'g Tree<'s, 't>,
    found: Vec<Phrase>,
}

impl Gatherer<'_, '_, '_> {
    /// The phrases of which a word is the main one.
    fn at(&mut self, at: usize) {
        let tree = self.tree;
        match tree.tag(at) {
            Tag::Prp | Tag::Wp | Tag::Wdt | Tag::Ex | Tag::Dt => {}
            _ if tree.is_noun(at) => self.noun(at),
            Tag::Jj | Tag::Jjr | Tag::Jjs | Tag::Vbn | Tag::Vbg if is_said(tree, at) => {
                self.both(Part::Attribute, at);
            }
            _ if tree.is_verb(at) => self.verb(at),
            Tag::In | Tag::To | Tag::Rb if tree.label(at) == Label::Prep => self.circumstance(at),
            Tag::Rb | Tag::Rbr if matches!(tree.label(at), Label::Advmod) => {
                self.add(Part::Circumstance, at, vec![at]);
            }
            _ => {}
        }
    }

    /// A noun: short, whole, and with what is joined to it.
    fn noun(&mut self, at: usize) {
        let tree = self.tree;
        let part = noun_part(tree, at);
        if part == Part::Modifier {
            self.add(part, at, (tree.range(at).0..=at).collect());
            return;
        }
        self.add(part, at, compact(tree, at));
        self.both(part, at);
    }

    /// A phrase alone, and with what is joined to it where something is.
    fn both(&mut self, part: Part, at: usize) {
        self.add(part, at, phrase(self.tree, at, false));
        if self.tree.child(at, &[Label::Conj]).is_some() {
            self.add(part, at, phrase(self.tree, at, true));
        }
    }

    /// A verb: what is said with it, without its subject; and the clause as a circumstance.
    fn verb(&mut self, at: usize) {
        let tree = self.tree;
        let (from, end) = tree.range(at);
        let begins = tree
            .children(at)
            .iter()
            .copied()
            .filter(|child| {
                *child < at && (SUBJECTS.contains(&tree.label(*child)) || is_before(tree, *child))
            })
            .map(|child| tree.range(child).1)
            .max()
            .unwrap_or(from)
            .min(at);
        let mut ends = end;
        for child in tree.children(at).iter().copied().filter(|child| *child > at) {
            let joined = tree.is_verb(child) && matches!(tree.label(child), Label::Conj | Label::Parataxis);
            if joined || matches!(tree.label(child), Label::Ccomp | Label::Advcl) && ends - at > PHRASE_WORDS
            {
                ends = ends.min(tree.range(child).0);
            }
        }
        let part = match tree.label(at) {
            Label::Xcomp | Label::Pcomp | Label::Acl => Part::Clause,
            Label::Advcl => Part::Circumstance,
            _ => Part::Predicate,
        };
        self.add(part, at, (begins..ends).collect());
        if ends < end {
            self.add(part, at, (begins..end).collect());
        }
        // From the verb that carries the meaning on: "taking time off" of "I've been taking time off".
        if begins < at {
            self.add(part, at, (at..ends).collect());
        }
        if matches!(tree.label(at), Label::Advcl | Label::Ccomp | Label::Pcomp) && from < begins {
            self.add(Part::Clause, at, (from..end).collect());
        }
    }

    fn circumstance(&mut self, at: usize) {
        let (_, end) = self.tree.range(at);
        self.add(Part::Circumstance, at, (at..end).collect());
    }

    /// What stands between quotation marks.
    fn quoted(&mut self) {
        let tree = self.tree;
        let mut open: Option<usize> = None;
        for at in 0..tree.len() {
            if !tree.is(at, &["\"", "“", "”"]) {
                continue;
            }
            match open.take() {
                Some(start) if at > start + 1 && at - start <= 14 => {
                    self.add(Part::Quoted, at - 1, (start + 1..at).collect());
                }
                _ => open = Some(at),
            }
        }
    }

    fn add(&mut self, part: Part, head: usize, mut places: Vec<usize>) {
        let tree = self.tree;
        let sign = |at: usize| tree.token(at).kind == Kind::Sign && !tree.is(at, &["$", "€", "£"]);
        while places.last().is_some_and(|at| sign(*at) && !tree.is(*at, &["%"])) {
            places.pop();
        }
        let skipped = places.iter().take_while(|at| {
            sign(**at)
                || (!matches!(part, Part::Whole | Part::Quoted)
                    && tree.is(**at, BEFORE)
                    && tree.tag(**at) != Tag::In)
        });
        let skipped = skipped.count();
        places.drain(..skipped);
        let (Some(&first), Some(&last)) = (places.first(), places.last()) else { return };
        let length = places.iter().filter(|at| !sign(**at)).count();
        if length == 0 || length > PHRASE_WORDS {
            return;
        }
        let text = tree.told(&places);
        let bytes = (tree.token(first).bytes.0, tree.token(last).bytes.1);
        if self.found.iter().any(|known| known.bytes == bytes && known.text == text) {
            return;
        }
        let verb = verb_of(tree, head);
        self.found.push(Phrase {
            text,
            bytes,
            part,
            head: tree.word(head).to_owned(),
            tag: tree.tag(head),
            length,
            joined: places.iter().any(|at| tree.label(*at) == Label::Conj),
            verb: verb.map(|at| lemma(tree.word(at))).unwrap_or_default(),
            preposition: preposition(tree, head, first),
            subject: verb
                .and_then(|at| subject(tree, at))
                .map(|at| tree.word(at).to_owned())
                .unwrap_or_default(),
            negated: verb.is_some_and(|at| tree.child(at, &[Label::Neg]).is_some()),
            depth: depth(tree, head),
        });
    }
}

/// What a noun is in the sentence; what is joined to another is what that one is.
fn noun_part(tree: &Tree<'_, '_>, at: usize) -> Part {
    let mut at = at;
    for _ in 0..6 {
        match (tree.label(at), tree.head(at)) {
            (Label::Conj | Label::Appos, Some(head)) => at = head,
            (Label::Nsubj | Label::Nsubjpass, _) => return Part::Subject,
            (Label::Dobj | Label::Dative | Label::Oprd, _) => return Part::Object,
            (Label::Attr, _) => return Part::Attribute,
            (Label::Pobj, _) => return Part::Prepositional,
            (Label::Nummod | Label::Compound | Label::Amod | Label::Poss, _) => return Part::Modifier,
            _ => return Part::Noun,
        }
    }
    Part::Noun
}

/// A noun with what stands before it and with "of", but nothing else behind it.
fn compact(tree: &Tree<'_, '_>, at: usize) -> Vec<usize> {
    let from = tree.range(at).0;
    let of = tree.children_as(at, &[Label::Prep]).find(|child| *child == at + 1 && tree.is(*child, &["of"]));
    let end = of.and_then(|of| tree.child(of, &[Label::Pobj])).map_or(at, |object| object.max(at));
    (from.min(at)..=end).collect()
}

/// Whether an adjective or a participle is said of something, and does not stand before a noun.
fn is_said(tree: &Tree<'_, '_>, at: usize) -> bool {
    match tree.label(at) {
        Label::Acomp | Label::Oprd | Label::Attr => true,
        Label::Conj => {
            tree.head(at).is_some_and(|head| matches!(tree.label(head), Label::Acomp | Label::Oprd))
        }
        _ => false,
    }
}

/// Whether something before a verb is no part of what is said: "well,", "and".
fn is_before(tree: &Tree<'_, '_>, at: usize) -> bool {
    matches!(
        tree.label(at),
        Label::Cc | Label::Intj | Label::Punct | Label::Mark | Label::Aux | Label::Auxpass
    ) && !tree.is(at, &["to"])
}

/// The verb that a word goes with: itself, or the nearest above it.
fn verb_of(tree: &Tree<'_, '_>, at: usize) -> Option<usize> {
    let mut above = tree.head(at)?;
    for _ in 0..8 {
        if tree.is_verb(above) || tree.head(above).is_none() {
            break;
        }
        above = tree.head(above)?;
    }
    tree.is_verb(above).then_some(above)
}

fn subject(tree: &Tree<'_, '_>, verb: usize) -> Option<usize> {
    let mut at = verb;
    for _ in 0..6 {
        if let Some(own) = tree.child(at, SUBJECTS) {
            return Some(own);
        }
        at = tree.head(at)?;
    }
    None
}

/// The preposition or conjunction that a phrase begins with or stands behind.
fn preposition(tree: &Tree<'_, '_>, head: usize, first: usize) -> String {
    let is_one = |at: &usize| matches!(tree.tag(*at), Tag::In | Tag::To);
    let before = tree.head(head).filter(|above| matches!(tree.label(*above), Label::Prep | Label::Agent));
    let own = Some(first).filter(is_one);
    own.or(before).map(|at| tree.word(at).to_owned()).unwrap_or_default()
}

fn depth(tree: &Tree<'_, '_>, at: usize) -> usize {
    let mut above = at;
    let steps = std::iter::from_fn(|| {
        above = tree.head(above)?;
        Some(())
    });
    steps.take(20).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(text: &str, part: Part) -> Vec<String> {
        let all = sentences(text).into_iter().flat_map(|sentence| sentence.phrases);
        all.filter(|phrase| phrase.part == part).map(|phrase| phrase.text).collect()
    }

    #[test]
    fn phrases_stand_for_their_part_of_the_sentence() {
        let text = "My sister bought a blue boat and an oar. We went to Porto to clear our minds.";
        assert!(texts(text, Part::Subject).contains(&"sister".to_owned()));
        let objects = texts(text, Part::Object);
        let expected = ["blue boat".to_owned(), "blue boat and an oar".to_owned()];
        assert!(expected.iter().all(|phrase| objects.contains(phrase)), "{objects:?}");
        assert!(texts(text, Part::Prepositional).contains(&"Porto".to_owned()));
        assert!(texts(text, Part::Circumstance).contains(&"to clear our minds".to_owned()));
        assert_eq!(texts("We read \"The Grey Heron\" twice.", Part::Quoted), ["The Grey Heron"]);
    }

    #[test]
    fn places_are_those_of_the_text_and_odd_texts_have_none() {
        for text in ["", " ", "?!", "né 王小明 \"", "\"\"", "Ana’s né boat; née Zoë?"] {
            for phrase in sentences(text).into_iter().flat_map(|sentence| sentence.phrases) {
                assert!(text.get(phrase.bytes.0..phrase.bytes.1).is_some(), "{text}: {phrase:?}");
            }
        }
        assert!(sentences("Is it so?")[0].asks && !sentences("It is so.")[0].asks);
    }
}
