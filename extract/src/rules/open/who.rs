//! Whom and what the words of a clause stand for: speakers, names, referents of pronouns, noun phrases with their owners.

use lorebase_engine::model::entity::EntityKind;
use lorebase_engine::model::fact::Named;

use crate::clauses::open::phrase;
use crate::clauses::tree::Tree;
use crate::names::Name;
use crate::rules::open::{AUTHOR, LONGEST, Teller};
use crate::rules::reading::Reading;
use crate::rules::ties;
use crate::rules::words;
use crate::syntax::Tag;

/// The longest subject that is no name, in words.
const LONGEST_SUBJECT: usize = 6;

/// Nouns that say nothing by themselves.
const EMPTY: &[&str] = &[
    "it",
    "that",
    "this",
    "thing",
    "things",
    "stuff",
    "one",
    "ones",
    "lot",
    "lots",
    "bit",
    "way",
    "something",
    "anything",
    "everything",
    "nothing",
    "someone",
    "everyone",
    "anyone",
    "people",
    "thanks",
    "what",
    "who",
    "which",
    "there",
    "them",
    "some",
    "all",
    "both",
    "part",
    "fun",
    "kind",
];

impl Teller<'_, '_, '_> {
    /// Who a word stands for, and how sure that is.
    pub(super) fn who(&self, at: usize) -> Option<(Named, f32)> {
        let person =
            |name: &str, sure| Some((Named { name: name.to_owned(), kind: EntityKind::Person }, sure));
        match self.tree.word(at) {
            "i" | "me" | "myself" | "mine" => person(self.reading.speaker.unwrap_or(AUTHOR), 0.95),
            "we" | "us" | "ourselves" => person(self.reading.speaker.unwrap_or(AUTHOR), 0.75),
            "you" | "yourself" => person(self.reading.other?, 0.7),
            _ => {
                if let Some((named, sure)) = self.reading.meant(self.tree.first + at) {
                    return Some((named, 0.9 * sure));
                }
                let name = self.name_of(at)?;
                Some((Named { name: name.called.clone(), kind: name.kind }, 0.9))
            }
        }
    }

    /// The name that a word is a part of.
    pub(super) fn name_of(&self, at: usize) -> Option<&Name> {
        let place = self.tree.first + at;
        let index = self.reading.names.partition_point(|name| name.end <= place);
        self.reading.names.get(index).filter(|name| name.first <= place)
    }

    pub(super) fn subject(&self, head: usize) -> Option<(Named, f32)> {
        // What is said of the one who listens is praise or holds for everybody.
        if self.tree.is(head, &["you"]) {
            return None;
        }
        if self.tree.tag(head) == Tag::Prp || self.is_name(head) {
            return self.who(head);
        }
        if !matches!(self.tree.tag(head), Tag::Nn | Tag::Nns | Tag::Nnp | Tag::Nnps) || self.is_time(head) {
            return None;
        }
        // "My sister Zoe": she has a name.
        if let Some(named) = self.apposed(head) {
            return Some((named, 0.85));
        }
        let mut words = phrase(self.tree, head, true);
        // "Apparently Mira": what opens a sentence has its capital from there.
        words.retain(|at| *at != 0 || !words::is_hedge(self.tree.word(*at)));
        // Among those who talk, "the kids" are anybody's.
        let told = self.reading.speaker.is_none()
            || words.iter().any(|at| self.tree.is(*at, &["my", "our"]) || self.name_of(*at).is_some());
        let name = self.noun(&words).filter(|_| told)?;
        (words.len() <= LONGEST_SUBJECT).then_some((Named { name, kind: EntityKind::Unknown }, 0.55))
    }

    /// Who is told by a tie and a name beside it, whichever of both is the head.
    fn apposed(&self, head: usize) -> Option<Named> {
        let (reading, head) = (self.reading, self.tree.first + head);
        let nearest = self.tree.first.max(head.saturating_sub(4));
        (nearest..=head).find_map(|at| {
            let relation = ties::relation(reading, at).filter(|relation| relation.noun <= head)?;
            let (named, end) = ties::apposed(reading, relation.end, self.tree.first + self.tree.len())?;
            (head < end).then_some(named)
        })
    }

    /// Whether a noun phrase is a name and no more.
    pub(super) fn is_name(&self, head: usize) -> bool {
        let Some(name) = self.name_of(head) else { return false };
        let words = phrase(self.tree, head, false);
        let inside = |at: &usize| (name.first..name.end).contains(&(self.tree.first + at));
        let plain =
            |at: &&usize| !matches!(self.tree.tag(**at), Tag::Dt | Tag::Quote | Tag::Unquote) && !inside(at);
        words.iter().filter(plain).count() == 0
    }

    /// The words of a noun phrase with owners told by name; nothing where it points at what only those who spoke know.
    pub(super) fn noun(&self, words: &[usize]) -> Option<String> {
        let tree = self.tree;
        let words: &[usize] = match words {
            [first, rest @ ..] if tree.tag(*first) == Tag::Dt || tree.tag(*first) == Tag::Pdt => {
                if tree.is(*first, &["this", "that", "these", "those"]) && self.reading.speaker.is_some() {
                    return None;
                }
                rest
            }
            all => all,
        };
        let first = *words.first()?;
        let meant = self.reading.meant(tree.first + first);
        let owner = match tree.word(first) {
            "my" | "our" => Some(self.reading.speaker.unwrap_or(AUTHOR)),
            "your" => Some(self.reading.other?),
            "his" | "her" | "their" | "its" => {
                meant.as_ref().map(|(named, _)| named.name.as_str()).map(Some)?
            }
            _ => None,
        };
        let told = match owner {
            Some(owner) if words.len() > 1 => format!("{owner}'s {}", self.words(&words[1..])),
            Some(_) => return None,
            None => self.words(words),
        };
        let last = words.last().map_or("", |at| tree.word(*at));
        let headed = words
            .iter()
            .position(|at| tree.is(*at, &["of"]))
            .map_or(last, |of| tree.word(words[of.max(1) - 1]));
        let empty = (words.len() <= 2 && EMPTY.contains(&last)
            || matches!(headed, "lot" | "lots" | "bit" | "kind" | "sort"))
            && !tree.is(first, &["my", "our", "your"]);
        (!empty).then_some(told)
    }

    /// Words of a phrase, those that stand together as they are told in a clause.
    pub(super) fn words(&self, places: &[usize]) -> String {
        let runs = places.chunk_by(|a, b| a + 1 == *b);
        let told = runs.map(|run| told(self.tree, self.reading, (run[0], run[run.len() - 1] + 1)));
        told.collect::<Vec<_>>().join(" ")
    }

    pub(super) fn is_time(&self, at: usize) -> bool {
        self.reading.in_time(self.tree.first + at)
    }
}

/// Words of a sentence with those who talk told by name, without the signs that end them and not too many.
pub(super) fn told(tree: &Tree<'_, '_>, reading: &Reading<'_, '_>, (from, end): (usize, usize)) -> String {
    let mut end = end.min(from + LONGEST);
    while end > from
        && matches!(tree.tag(end - 1), Tag::Stop | Tag::Comma | Tag::Colon | Tag::Unquote | Tag::Cc)
    {
        end -= 1;
    }
    let mut told = String::new();
    for at in from..end {
        if at > from && tree.token(at).spaced {
            told.push(' ');
        }
        let (who, owns) = match tree.word(at) {
            "my" => (reading.speaker, true),
            "your" => (reading.other, true),
            "me" | "myself" => (reading.speaker, false),
            "you" => (reading.other, false),
            _ => (None, false),
        };
        match who {
            Some(who) => told.extend([who, if owns { "'s" } else { "" }]),
            None => told.push_str(tree.slice((at, at + 1))),
        }
    }
    told
}
