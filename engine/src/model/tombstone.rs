//! Tombstones: what was forgotten and is not taken in again, unless that was lifted since.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::model::id::EpisodeId;
use crate::model::ruling::{Matter, Ruling};

/// How often things were forgotten more than lifted. What is lifted may be forgotten again, and only what is forgotten
/// can be lifted, so the order is of no account.
#[derive(Debug, Default)]
pub(crate) struct Tombstones(FxHashMap<EpisodeId, i32>);

impl Tombstones {
    /// Those of all that was ever forgotten and ruled in a namespace.
    pub(crate) fn of<'r>(
        forgets: impl IntoIterator<Item = EpisodeId>,
        rulings: impl IntoIterator<Item = &'r Ruling>,
    ) -> Self {
        let mut counts = Self::default();
        for id in forgets {
            *counts.0.entry(id).or_default() += 1;
        }
        for ruling in rulings {
            if let Matter::Lift { id } = &ruling.matter
                && let Some(count) = counts.0.get_mut(id)
            {
                *count = (*count - 1).max(0);
            }
        }
        counts
    }

    /// What is not to be let in.
    pub(crate) fn standing(self) -> FxHashSet<EpisodeId> {
        self.0.into_iter().filter(|(_, count)| *count > 0).map(|(id, _)| id).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::ruling::Evidence;
    use crate::model::time::Timestamp;

    #[test]
    fn what_is_lifted_is_let_in_until_it_is_forgotten_again() {
        let id = EpisodeId::from_bytes([7; 16]);
        let lift = Ruling {
            matter: Matter::Lift { id },
            evidence: Evidence::by_hand(None),
            recorded_at: Timestamp::from_millis(1).unwrap(),
        };
        assert!(Tombstones::of([id], []).standing().contains(&id));
        assert!(Tombstones::of([id], [&lift]).standing().is_empty());
        assert!(Tombstones::of([id, id], [&lift]).standing().contains(&id));
        assert!(Tombstones::of([], [&lift]).standing().is_empty());
    }
}
