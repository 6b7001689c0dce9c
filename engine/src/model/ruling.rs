//! Rulings: what was settled about two names, that they are names of one entity, or that they are not. The names
//! themselves stand in no ruling, only the ids that are made of them, so that none of them outlives its last episode.

use serde::{Deserialize, Serialize};

use crate::model::id::{EntityId, EpisodeId, Namespace};
use crate::model::time::Timestamp;

/// That the entity of one name is the entity of another, or that it is not. A later one on the same two counts.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Ruling {
    /// The entity that stays, by the id of its own name.
    pub one: EntityId,
    /// The entity that becomes part of it, or is kept apart from it, by the id of its own name.
    pub other: EntityId,
    /// Whether they are one.
    pub same: bool,
    /// What speaks for it.
    pub evidence: Evidence,
    /// When the memory was told. It orders rulings, wherever they stand.
    pub recorded_at: Timestamp,
}

/// What speaks for a ruling.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Evidence {
    /// Who ruled.
    pub by: RuledBy,
    /// What who ruled had to say.
    pub note: Option<String>,
    /// How the names and what is said of them bore each other out, in the order of [`Sign::ALL`].
    pub signs: Vec<Sign>,
    /// How likely that makes it that they are one, from 0 to 1; 0 where there are no signs.
    pub score: f32,
}

impl Evidence {
    /// Somebody's word, with nothing beside it.
    pub const fn by_hand(note: Option<String>) -> Self {
        Self { by: RuledBy::Hand, note, signs: Vec::new(), score: 0.0 }
    }
}

/// Who ruled.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum RuledBy {
    /// Somebody who was asked, or wanted it so.
    Hand,
    /// A program, by the signs.
    Likeness,
}

impl RuledBy {
    /// Both with their names as they are shown and stored, in the order of their codes on disk.
    pub const ALL: [(Self, &'static str); 2] = [(Self::Hand, "hand"), (Self::Likeness, "likeness")];

    /// The name as it is shown.
    pub fn as_str(self) -> &'static str {
        Self::ALL[self as usize].1
    }
}

/// What makes it likely that two names are names of one person.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Sign {
    /// One is the first name of the other: "Gera" and "Gera Vossen".
    FirstName,
    /// One is the last name of the other, perhaps with a title: "Dr Vossen" and "Gera Vossen".
    LastName,
    /// The first names have the initial in common that one of them has only: "G. Vossen" and "Gera Vossen".
    Initial,
    /// The first names are two forms of one: "Bob" and "Robert".
    Nickname,
    /// No other full name fits.
    OnlyOne,
    /// Both are named in one session.
    SameSession,
}

impl Sign {
    /// Every sign with its name as it is shown and stored, in the order of their codes on disk.
    pub const ALL: [(Self, &'static str); 6] = [
        (Self::FirstName, "first name"),
        (Self::LastName, "last name"),
        (Self::Initial, "initial"),
        (Self::Nickname, "nickname"),
        (Self::OnlyOne, "one full name fits"),
        (Self::SameSession, "same session"),
    ];

    /// The sign's name as it is shown.
    pub fn as_str(self) -> &'static str {
        Self::ALL[self as usize].1
    }
}

impl Ruling {
    /// The id by which a ruling is told from others and forgotten, as an episode is by its own: a hash of all that is in
    /// it, so that the same one in another copy of a memory has the same.
    pub fn id(&self, namespace: &Namespace) -> EpisodeId {
        let Evidence { by, note, signs, score } = &self.evidence;
        let signs: Vec<u8> = signs.iter().map(|sign| *sign as u8).collect();
        EpisodeId::of(&[
            b"ruling",
            namespace.as_str().as_bytes(),
            self.one.as_bytes(),
            self.other.as_bytes(),
            &[u8::from(self.same), *by as u8, u8::from(note.is_some())],
            note.as_deref().unwrap_or_default().as_bytes(),
            &signs,
            &score.to_bits().to_le_bytes(),
            &self.recorded_at.as_millis().to_le_bytes(),
        ])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tables_are_in_order() {
        for (code, (by, name)) in RuledBy::ALL.into_iter().enumerate() {
            assert_eq!((by as usize, by.as_str()), (code, name));
        }
        for (code, (sign, name)) in Sign::ALL.into_iter().enumerate() {
            assert_eq!((sign as usize, sign.as_str()), (code, name));
        }
    }

    #[test]
    fn whatever_is_said_otherwise_is_another_ruling() {
        let namespace = Namespace::default();
        let id = |name| EntityId::of_name(&namespace, name);
        let ruling = Ruling {
            one: id("Ana Silva"),
            other: id("Ana"),
            same: true,
            evidence: Evidence::by_hand(None),
            recorded_at: Timestamp::from_millis(0).unwrap(),
        };
        let noted = Ruling { evidence: Evidence::by_hand(Some(String::new())), ..ruling.clone() };
        let undone = Ruling { same: false, ..ruling.clone() };
        let ids = [&ruling, &noted, &undone].map(|ruling| ruling.id(&namespace));
        assert_eq!(ids[0], ruling.clone().id(&namespace));
        assert!(ids[0] != ids[1] && ids[0] != ids[2] && ids[1] != ids[2]);
    }
}
