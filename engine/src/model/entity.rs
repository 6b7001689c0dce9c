//! Entities: the canonical things that mentions and facts speak of.

use crate::model::id::{EntityId, Namespace};
use crate::text;
use serde::{Deserialize, Serialize};

/// What kind of thing an entity is, as far as the text tells.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum EntityKind {
    /// The text does not tell.
    Unknown,
    /// A human being, or a speaker of a transcript.
    Person,
    /// A company, school, club, public body.
    Organisation,
    /// A town, country, address, landscape.
    Place,
    /// A book, film, song, game: something with a title.
    Work,
    /// An undertaking with a name.
    Project,
    /// Something that is made and sold.
    Product,
    /// Something that takes place.
    Event,
    /// An animal with a name.
    Animal,
}

impl EntityKind {
    /// Every kind with its name as it is shown and stored, in the order of their codes on disk.
    pub const ALL: [(Self, &'static str); 9] = [
        (Self::Unknown, "unknown"),
        (Self::Person, "person"),
        (Self::Organisation, "organisation"),
        (Self::Place, "place"),
        (Self::Work, "work"),
        (Self::Project, "project"),
        (Self::Product, "product"),
        (Self::Event, "event"),
        (Self::Animal, "animal"),
    ];

    /// The kind's name as it is shown.
    pub fn as_str(self) -> &'static str {
        Self::ALL[self as usize].1
    }

    /// Whether one thing may have been taken for both. What lives is none of what does not.
    pub fn can_be(self, other: Self) -> bool {
        let lives = |kind| matches!(kind, Self::Person | Self::Animal);
        self == Self::Unknown || other == Self::Unknown || lives(self) == lives(other)
    }
}

impl EntityId {
    /// The id of the entity called `name` in `namespace`. Names that differ only in case, spacing or Unicode
    /// form name the same entity.
    pub fn of_name(namespace: &Namespace, name: &str) -> Self {
        Self::of_folded(namespace, &text::fold_name(name))
    }

    /// The same for a name that was folded before.
    pub(crate) fn of_folded(namespace: &Namespace, folded: &str) -> Self {
        Self::of(&[namespace.as_str().as_bytes(), folded.as_bytes()])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_of_kinds_is_in_order() {
        for (code, (kind, name)) in EntityKind::ALL.into_iter().enumerate() {
            assert_eq!((kind as usize, kind.as_str()), (code, name));
        }
    }

    #[test]
    fn a_person_is_no_place() {
        use EntityKind::{Animal, Organisation, Person, Place, Unknown};
        assert!(Person.can_be(Person) && Person.can_be(Animal) && Place.can_be(Organisation));
        assert!(Person.can_be(Unknown) && Unknown.can_be(Place));
        assert!(!Person.can_be(Place) && !Place.can_be(Animal));
    }

    #[test]
    fn case_and_spacing_do_not_make_a_new_entity() {
        let namespace = Namespace::default();
        let id = |name| EntityId::of_name(&namespace, name);
        assert_eq!(id("Ana  Silva"), id("ana silva"));
        assert_ne!(id("Ana"), id("Anna"));
    }
}
