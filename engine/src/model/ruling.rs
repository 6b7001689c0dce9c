//! Rulings: what was settled beside what was said, by hand or by a program: who is who, what is kept of a fact, which rules
//! hold. Of names and facts only ids stand in a ruling, so that none of them outlives its last episode; where it has a
//! text (a note, a name, a rule), it goes when what it is about has gone.

use serde::{Deserialize, Serialize};

use crate::model::fact::FactKind;
use crate::model::id::{EntityId, EpisodeId, FactId, ID_BYTES, Namespace};
use crate::model::time::Timestamp;

/// Something that was settled by hand or by a program beside what was said: who is who, what is kept of a fact, a rule. A
/// later one on the same counts.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Ruling {
    /// What is settled.
    pub matter: Matter,
    /// What speaks for it.
    pub evidence: Evidence,
    /// When the memory was told. It orders rulings, wherever they stand.
    pub recorded_at: Timestamp,
}

/// What a ruling settles.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum Matter {
    /// That the entity of one name is the entity of another, or that it is not.
    Names(Names),
    /// What an entity is called from now on.
    Rename {
        /// The entity, by the id of one of its own names.
        entity: EntityId,
        /// Its name.
        name: String,
    },
    /// What is to be done with a fact.
    Fact {
        /// Its subject, by the id of the name that its statements use.
        subject: EntityId,
        /// What its statements claim, by the names that they use: [`Claim::id`](crate::model::fact::Claim::id). A fact has several where
        /// several names are names of one entity.
        claims: Vec<FactId>,
        /// What is done with it.
        care: Care,
    },
    /// That facts follow from others.
    Rule {
        /// The rule, as [`Rule`](crate::derive::rule::Rule) reads it.
        text: String,
    },
    /// How long facts of a kind are shown.
    Retain {
        /// The kind.
        kind: FactKind,
        /// For so many milliseconds since they were last said; `None` for ever.
        millis: Option<u64>,
    },
    /// That something that was forgotten may come again.
    Lift {
        /// What was forgotten: an episode, or the claim of a fact.
        id: EpisodeId,
    },
    /// That another ruling does not count.
    Undo {
        /// The other's id.
        id: EpisodeId,
    },
}

/// That two names are names of one entity, or that they are not.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Names {
    /// The entity that stays, by the id of its own name.
    pub one: EntityId,
    /// The entity that becomes part of it, or is kept apart from it, by the id of its own name.
    pub other: EntityId,
    /// Whether they are one.
    pub same: bool,
}

/// What is done with a fact.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Care {
    /// A note stands beside it: that of the ruling's evidence.
    Note,
    /// It does not expire.
    Pin,
    /// It expires as others do.
    Unpin,
    /// It is not shown any more from this time on; `None` for never.
    Expire(Option<Timestamp>),
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
    /// What it says of two names, if it does.
    pub const fn names(&self) -> Option<&Names> {
        if let Matter::Names(names) = &self.matter { Some(names) } else { None }
    }

    /// The id by which a ruling is told from others and forgotten, as an episode is by its own: a hash of all that is in
    /// it, so that the same one in another copy of a memory has the same.
    pub fn id(&self, namespace: &Namespace) -> EpisodeId {
        let Evidence { by, note, signs, score } = &self.evidence;
        let signs: Vec<u8> = signs.iter().map(|sign| *sign as u8).collect();
        let traits =
            [u8::from(self.names().is_some_and(|names| names.same)), *by as u8, u8::from(note.is_some())];
        let form = self.matter.form();
        let ids: Vec<u8> = form.ids.concat();
        let number = form.number.map_or_else(Vec::new, |number| number.to_le_bytes().to_vec());
        let (named, ids): (&[u8], [&[u8]; 2]) = match &self.matter {
            Matter::Names(names) => (b"ruling", [names.one.as_bytes(), names.other.as_bytes()]),
            _ => (b"ruling on more", [&ids, form.text.as_bytes()]),
        };
        let code = [form.code];
        let more: &[&[u8]] = if self.names().is_some() { &[] } else { &[&code, &number] };
        let common: [&[u8]; 9] = [
            named,
            namespace.as_str().as_bytes(),
            ids[0],
            ids[1],
            &traits,
            note.as_deref().unwrap_or_default().as_bytes(),
            &signs,
            &score.to_bits().to_le_bytes(),
            &self.recorded_at.as_millis().to_le_bytes(),
        ];
        EpisodeId::of(&[&common, more].concat())
    }
}

/// A matter as a code and what goes with it: the one form of all of them, for the disk and for hashes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Form {
    pub(crate) code: u8,
    pub(crate) ids: Vec<[u8; ID_BYTES]>,
    pub(crate) text: String,
    pub(crate) number: Option<i64>,
}

impl Matter {
    /// The matter as a code, ids, a text and a number.
    pub(crate) fn form(&self) -> Form {
        let form = |code, ids| Form { code, ids, text: String::new(), number: None };
        match self {
            Self::Names(Names { one, other, same }) => {
                form(u8::from(*same), vec![*one.as_bytes(), *other.as_bytes()])
            }
            Self::Rename { entity, name } => Form { text: name.clone(), ..form(2, vec![*entity.as_bytes()]) },
            Self::Fact { subject, claims, care } => {
                let claims = claims.iter().map(|claim| *claim.as_bytes());
                let ids = std::iter::once(*subject.as_bytes()).chain(claims).collect();
                let (code, number) = match care {
                    Care::Note => (3, None),
                    Care::Pin => (4, None),
                    Care::Unpin => (5, None),
                    Care::Expire(at) => (6, at.map(Timestamp::as_millis)),
                };
                Form { number, ..form(code, ids) }
            }
            Self::Rule { text } => Form { text: text.clone(), ..form(7, Vec::new()) },
            Self::Retain { kind, millis } => {
                let number = millis.and_then(|millis| i64::try_from(millis).ok());
                Form { text: kind.as_str().to_owned(), number, ..form(8, Vec::new()) }
            }
            Self::Lift { id } => form(9, vec![*id.as_bytes()]),
            Self::Undo { id } => form(10, vec![*id.as_bytes()]),
        }
    }

    /// The matter of a form, or what is wrong with it.
    pub(crate) fn of(form: Form) -> Result<Self, String> {
        let Form { code, ids, text, number } = form;
        let fact = |care| match &ids[..] {
            [subject, claims @ ..] if !claims.is_empty() => Ok(Self::Fact {
                subject: EntityId::from_bytes(*subject),
                claims: claims.iter().map(|id| FactId::from_bytes(*id)).collect(),
                care,
            }),
            _ => Err("a ruling on a fact names none".to_owned()),
        };
        match (code, &ids[..]) {
            (0 | 1, [one, other]) => {
                let (one, other) = (EntityId::from_bytes(*one), EntityId::from_bytes(*other));
                Ok(Self::Names(Names { one, other, same: code == 1 }))
            }
            (2, [entity]) => Ok(Self::Rename { entity: EntityId::from_bytes(*entity), name: text }),
            (3, _) => fact(Care::Note),
            (4, _) => fact(Care::Pin),
            (5, _) => fact(Care::Unpin),
            (6, _) => {
                let at = number.map(Timestamp::from_millis).transpose().map_err(|error| error.to_string())?;
                fact(Care::Expire(at))
            }
            (7, []) => Ok(Self::Rule { text }),
            (8, []) => {
                let kind = FactKind::ALL.iter().find(|(_, name)| *name == text);
                let (kind, _) = kind.ok_or_else(|| format!("unknown kind of fact \"{text}\""))?;
                let millis = number.map(u64::try_from).transpose().map_err(|error| error.to_string())?;
                Ok(Self::Retain { kind: *kind, millis })
            }
            (9, [id]) => Ok(Self::Lift { id: EpisodeId::from_bytes(*id) }),
            (10, [id]) => Ok(Self::Undo { id: EpisodeId::from_bytes(*id) }),
            _ => Err(format!("a ruling of kind {code} on {} things is not known", ids.len())),
        }
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
        let names = Names { one: id("Ana Silva"), other: id("Ana"), same: true };
        let ruling = Ruling {
            matter: Matter::Names(names),
            evidence: Evidence::by_hand(None),
            recorded_at: Timestamp::from_millis(0).unwrap(),
        };
        let noted = Ruling { evidence: Evidence::by_hand(Some(String::new())), ..ruling.clone() };
        let undone = Ruling { matter: Matter::Names(Names { same: false, ..names }), ..ruling.clone() };
        let ids = [&ruling, &noted, &undone].map(|ruling| ruling.id(&namespace));
        assert_eq!(ids[0], ruling.clone().id(&namespace));
        assert!(ids[0] != ids[1] && ids[0] != ids[2] && ids[1] != ids[2]);
    }

    #[test]
    fn a_matter_is_what_its_form_says() {
        let (entity, id) = (EntityId::from_bytes([1; 16]), EpisodeId::from_bytes([2; 16]));
        let at = Timestamp::from_millis(5).unwrap();
        let cares = [Care::Note, Care::Pin, Care::Unpin, Care::Expire(None), Care::Expire(Some(at))];
        let claims = vec![FactId::from_bytes([3; 16])];
        let on_facts = cares.map(|care| Matter::Fact { subject: entity, claims: claims.clone(), care });
        let others = [
            Matter::Names(Names { one: entity, other: EntityId::from_bytes([4; 16]), same: false }),
            Matter::Rename { entity, name: "Ana".to_owned() },
            Matter::Rule { text: "p(X, Y) -> q(X, Y)".to_owned() },
            Matter::Retain { kind: FactKind::Plan, millis: Some(7) },
            Matter::Retain { kind: FactKind::Plan, millis: None },
            Matter::Lift { id },
            Matter::Undo { id },
        ];
        let ruling = |matter: &Matter| Ruling {
            matter: matter.clone(),
            evidence: Evidence::by_hand(None),
            recorded_at: at,
        };
        let all: Vec<Matter> = on_facts.into_iter().chain(others).collect();
        let mut ids: Vec<EpisodeId> =
            all.iter().map(|matter| ruling(matter).id(&Namespace::default())).collect();
        ids.sort_unstable();
        ids.dedup();
        assert_eq!(ids.len(), all.len());
        for matter in all {
            assert_eq!(Matter::of(matter.form()), Ok(matter));
        }
        assert!(Matter::of(Form { code: 11, ids: Vec::new(), text: String::new(), number: None }).is_err());
        assert!(Matter::of(Form { code: 3, ids: vec![[1; 16]], text: String::new(), number: None }).is_err());
    }
}
