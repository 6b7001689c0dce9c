//! Those whom a text has spoken of so far, each with its mentions.

use lorebase_engine::model::entity::EntityKind;
use lorebase_engine::text::fold_name;

use crate::coref::gender::{self, Gender};
use crate::coref::tree::Role;
use crate::syntax::tokens::is_honorific;

/// The most mentions that are kept of each.
const KEPT: usize = 12;

/// One place where somebody is spoken of.
#[derive(Debug, Clone, Copy)]
pub(super) struct Mention {
    /// The token that heads it, counted through all turns.
    pub(super) at: usize,
    /// Its sentence, counted through all turns.
    pub(super) sentence: usize,
    pub(super) role: Role,
    /// Whether it is a pronoun.
    pub(super) pronoun: bool,
    /// Whether it is a name that opens brackets.
    pub(super) bracketed: bool,
    /// Whether it is the subject of the main verb of its sentence.
    pub(super) main: bool,
}

/// Somebody or something that is spoken of.
#[derive(Debug, Clone)]
pub(super) struct Entity {
    /// The longest name it goes by, or `None` for "the woman", whom nobody has named.
    pub(super) name: Option<String>,
    /// The words of the name, folded, without titles.
    words: Vec<String>,
    pub(super) kind: EntityKind,
    pub(super) gender: Option<Gender>,
    /// Whether the text tells the gender, or a given name with a family name does: a word alone may be either name.
    pub(super) sure: bool,
    /// Whether the text or a list of given names shows that it is a person.
    pub(super) person: bool,
    /// How often it was named.
    pub(super) count: u32,
    /// How many persons were told of before it.
    pub(super) rank: usize,
    /// In order.
    pub(super) mentions: Vec<Mention>,
}

impl Entity {
    /// Somebody who is named.
    pub(super) fn named(called: &str, kind: EntityKind, gender: Option<Gender>, rank: usize) -> Self {
        let folded = fold_name(called);
        let all: Vec<&str> = folded.split(' ').collect();
        let titles = all.iter().take_while(|word| is_title(word)).count();
        let words: Vec<String> =
            all[titles.min(all.len() - 1)..].iter().map(|word| (*word).to_owned()).collect();
        let title = all[..titles].iter().find_map(|word| gender::of_noun(word));
        let given = words.first().and_then(|word| gender::of_given(word));
        let person = kind == EntityKind::Person || titles > 0 && words.len() < 4 || given.is_some();
        Self {
            name: Some(called.to_owned()),
            gender: title.or(gender).or(given.filter(|_| kind != EntityKind::Place)),
            sure: title.or(gender).is_some() || words.len() > 1,
            words,
            kind,
            person: person && matches!(kind, EntityKind::Person | EntityKind::Unknown | EntityKind::Animal),
            count: 0,
            rank,
            mentions: Vec::new(),
        }
    }

    /// Somebody without a name.
    pub(super) fn unnamed(gender: Option<Gender>, rank: usize) -> Self {
        Self {
            name: None,
            words: Vec::new(),
            kind: EntityKind::Person,
            gender,
            sure: true,
            person: true,
            count: 0,
            rank,
            mentions: Vec::new(),
        }
    }

    /// How many words its name has, titles aside.
    pub(super) fn length(&self) -> usize {
        self.words.len()
    }

    /// Whether `other` is another mention of the same: equal names, or one is a word at an end of the other.
    pub(super) fn is_same(&self, other: &Self) -> bool {
        if self.name.is_none() || other.name.is_none() {
            return false;
        }
        if self.words == other.words {
            return true;
        }
        let persons = |one: &Self| matches!(one.kind, EntityKind::Person | EntityKind::Unknown);
        let (short, long) = if self.words.len() < other.words.len() { (self, other) } else { (other, self) };
        let [word] = short.words.as_slice() else { return false };
        let at_end = long.words.first() == Some(word) || long.words.last() == Some(word);
        let clash = self.gender.is_some_and(|one| other.gender.is_some_and(|other| other != one))
            && gender::of_given(word).is_none();
        long.words.len() > 1 && at_end && persons(self) && persons(other) && !clash
    }

    /// Takes up what another mention of the same tells.
    pub(super) fn join(&mut self, other: Self) {
        if other.words.len() > self.words.len() {
            self.words = other.words;
            self.name = other.name;
        }
        let firmer = other.gender.is_some() && (other.sure && !self.sure || self.gender.is_none());
        if firmer {
            (self.gender, self.sure) = (other.gender, other.sure);
        }
        self.person |= other.person;
        if self.kind == EntityKind::Unknown {
            self.kind = other.kind;
        }
    }

    /// Adds a mention, in order.
    pub(super) fn mention(&mut self, mention: Mention) {
        if !mention.pronoun {
            self.count += 1;
        }
        let at = self.mentions.partition_point(|known| known.at < mention.at);
        self.mentions.insert(at, mention);
        if self.mentions.len() > KEPT {
            self.mentions.remove(0);
        }
    }

    /// Whether it is known to be somebody, so that "she" may mean it beyond doubt.
    pub(super) fn is_somebody(&self) -> bool {
        self.person || self.gender.is_some() || matches!(self.kind, EntityKind::Person | EntityKind::Animal)
    }

    /// Whether it is known to be something with a name that is nobody.
    pub(super) fn is_thing(&self) -> bool {
        use EntityKind::{Animal, Person, Unknown};
        self.name.is_some() && !self.is_somebody() && !matches!(self.kind, Person | Animal | Unknown)
    }

    /// Whether it is known to go by other pronouns.
    pub(super) fn is_other(&self, gender: Gender) -> bool {
        self.gender.is_some_and(|known| known != gender)
    }

    /// Whether it may be a person.
    pub(super) fn may_be_person(&self) -> bool {
        self.person || matches!(self.kind, EntityKind::Person | EntityKind::Unknown | EntityKind::Animal)
    }
}

fn is_title(word: &str) -> bool {
    is_honorific(word) || gender::is_of_person(word)
}
