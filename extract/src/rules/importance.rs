//! How much a statement matters, from 1 to 10, by a rule that anyone can do in the head: what kind of memory it is, and
//! whether it tells who somebody is.

use lorebase_engine::model::fact::{FactKind, IMPORTANCES, Triple};

/// Relations that tell who somebody is: family, home, work, health.
const IDENTITY: &[&str] = &[
    "works_at",
    "works_as",
    "lives_in",
    "from",
    "studies_at",
    "married_to",
    "partner_of",
    "parent_of",
    "child_of",
    "sibling_of",
    "relative_of",
    "named",
    "age",
    "born_on",
    "allergic_to",
    "pet_of",
    "speaks",
];

/// The importance of a statement: 8 for an instruction, 7 for what was decided or promised, 6 for a preference or a plan, 5 for
/// what is or was, 4 for an opinion; two more where it tells who somebody is, one less in doubt and one less in the words
/// of somebody else.
pub(super) fn importance(triple: &Triple) -> u8 {
    let kind = match triple.kind {
        FactKind::Instruction => 8,
        FactKind::Decision | FactKind::Commitment => 7,
        FactKind::Preference | FactKind::Plan => 6,
        FactKind::Fact | FactKind::Event | FactKind::Skill => 5,
        FactKind::Opinion => 4,
    };
    let identity = if IDENTITY.contains(&triple.predicate.as_str()) { 2 } else { 0 };
    let doubts = u8::from(triple.hedged) + u8::from(triple.attributed_to.is_some());
    (kind + identity - doubts).clamp(*IMPORTANCES.start(), *IMPORTANCES.end())
}

#[cfg(test)]
mod tests {
    use lorebase_engine::model::entity::EntityKind;
    use lorebase_engine::model::fact::{Named, TripleObject};
    use lorebase_engine::model::predicate::Predicate;

    use super::*;

    #[test]
    fn who_somebody_is_matters_more_than_what_they_think() {
        let ana = Named { name: "Ana".to_owned(), kind: EntityKind::Person };
        let triple = |predicate, kind| Triple {
            kind,
            ..Triple::new(ana.clone(), Predicate::new(predicate), TripleObject::Value("Porto".to_owned()))
        };
        assert_eq!(importance(&triple("lives_in", FactKind::Fact)), 7);
        assert_eq!(importance(&triple("thinks", FactKind::Opinion)), 4);
        let doubted = Triple {
            hedged: true,
            attributed_to: Some("Rui".to_owned()),
            ..triple("thinks", FactKind::Opinion)
        };
        assert_eq!(importance(&doubted), 2);
    }
}
