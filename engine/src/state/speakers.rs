//! Who speaks in a namespace: numbers for speakers, and the ways in which a speaker is looked up by name.

use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

use crate::graph::EntityIx;
use crate::model::id::{EntityId, Namespace};
use crate::state::State;
use crate::text;

/// The speakers, by number, and where each stands by name.
#[derive(Default, Serialize, Deserialize)]
pub(super) struct Speakers {
    names: Vec<Box<str>>,
    /// The ids of the entities of those names.
    ids: Vec<EntityId>,
    by_name: FxHashMap<Box<str>, u32>,
    /// The first speaker of each folded name.
    by_folded: FxHashMap<Box<str>, u32>,
    by_first_word: FxHashMap<Box<str>, Vec<u32>>,
}

impl Speakers {
    /// Whether every number by which a speaker is found is one of a speaker: read back, it may not be.
    pub(super) fn is_sound(&self) -> bool {
        let mut numbers = self.by_name.values().chain(self.by_folded.values());
        let mut lists = self.by_first_word.values().flatten();
        let known = |number: &u32| (*number as usize) < self.names.len();
        if self.ids.len() != self.names.len() {
            return false;
        }
        numbers.all(known) && lists.all(known)
    }

    /// The number of the speaker of this name, who may be new.
    pub(super) fn number(&mut self, namespace: &Namespace, name: &str) -> u32 {
        if let Some(number) = self.by_name.get(name) {
            return *number;
        }
        let number = self.names.len() as u32;
        self.names.push(name.into());
        self.ids.push(EntityId::of_name(namespace, name));
        self.by_name.insert(name.into(), number);
        self.by_folded.entry(text::fold_name(name).into()).or_insert(number);
        if let Some(first) = text::join_words(name).split(' ').next().filter(|first| !first.is_empty()) {
            self.by_first_word.entry(first.into()).or_default().push(number);
        }
        number
    }
}

impl State {
    /// The entity that a speaker is, where something names it.
    pub fn speaks(&self, speaker: u32) -> Option<EntityIx> {
        let own = self.find_entity(&self.speakers.ids[speaker as usize])?;
        Some(self.head(own))
    }

    /// The names of all speakers, in the order of their first turns.
    pub fn speakers(&self) -> &[Box<str>] {
        &self.speakers.names
    }

    /// The first speaker of this folded name.
    pub fn speaker_called(&self, folded: &str) -> Option<u32> {
        self.speakers.by_folded.get(folded).copied()
    }

    /// The speakers whose names begin with this word, in lower case and without accents.
    pub fn speakers_beginning(&self, word: &str) -> &[u32] {
        self.speakers.by_first_word.get(word).map_or(&[], Vec::as_slice)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_speaker_keeps_the_number_and_is_found_by_name_and_by_first_word() {
        let mut speakers = Speakers::default();
        let numbers = ["Zoë Martin", "zoë martin", "Zoë Martin", "Ana"]
            .map(|name| speakers.number(&Namespace::default(), name));
        assert_eq!(numbers, [0, 1, 0, 2]);
        assert_eq!(speakers.by_folded.get("zoë martin"), Some(&0));
        assert_eq!(speakers.by_first_word.get("zoe"), Some(&vec![0, 1]));
    }
}
