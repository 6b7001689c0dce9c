//! Who is who: the rulings on names, and what they come to. It depends on the rulings alone and not on the order in which they
//! or the names came: the newest counts first.

use rustc_hash::{FxHashMap, FxHashSet};
use serde::{Deserialize, Serialize};

use super::State;
use crate::graph::{EntityIx, EpisodeIx};
use crate::model::id::{EntityId, EpisodeId, Namespace};
use crate::model::ruling::Ruling;

/// The rulings of a namespace.
#[derive(Default, Serialize, Deserialize)]
pub(super) struct Rulings {
    /// With their ids, from the oldest on.
    all: Vec<(EpisodeId, Ruling)>,
    /// Which of them still count.
    standing: Vec<bool>,
    /// Who is somebody else, by the ids of names.
    heads: FxHashMap<EntityId, EntityId>,
    /// Who is not the other, by who they are, the lower id first.
    apart: FxHashSet<(EntityId, EntityId)>,
}

/// Two in a fixed order.
fn pair(one: EntityId, other: EntityId) -> (EntityId, EntityId) {
    (one.min(other), one.max(other))
}

impl Rulings {
    pub(super) fn of(namespace: &Namespace, rulings: Vec<Ruling>) -> Self {
        let mut all: Vec<_> = rulings.into_iter().map(|ruling| (ruling.id(namespace), ruling)).collect();
        all.sort_by_key(|(id, ruling)| (ruling.recorded_at, *id));
        all.dedup_by_key(|(id, _)| *id);
        let mut circles = Circles::default();
        let mut ruled = FxHashSet::default();
        let mut standing: Vec<bool> = all
            .iter()
            .rev()
            .map(|(_, Ruling { one, other, same, .. })| {
                // An older one on the same two does not count any more.
                ruled.insert(pair(*one, *other))
                    && if *same { circles.join(*one, *other) } else { circles.part(*one, *other) }
            })
            .collect();
        standing.reverse();
        let heads = circles.heads();
        let head = |id: EntityId| heads.get(&id).copied().unwrap_or(id);
        let parted = all.iter().zip(&standing).filter(|((_, ruling), standing)| **standing && !ruling.same);
        let apart = parted.map(|((_, ruling), _)| pair(head(ruling.one), head(ruling.other))).collect();
        Self { all, standing, heads, apart }
    }

    /// Who the entity of a name is.
    pub(super) fn head(&self, id: EntityId) -> EntityId {
        self.heads.get(&id).copied().unwrap_or(id)
    }
}

/// Entities that are one.
#[derive(Default)]
struct Circles {
    number: FxHashMap<EntityId, usize>,
    /// Who each is, and who belongs to it.
    list: Vec<(EntityId, Vec<EntityId>)>,
    apart: FxHashMap<EntityId, Vec<EntityId>>,
}

impl Circles {
    fn number(&mut self, id: EntityId) -> usize {
        *self.number.entry(id).or_insert_with(|| {
            self.list.push((id, vec![id]));
            self.list.len() - 1
        })
    }

    /// Makes two one, unless that brings together who is kept apart. Who `one` is, both are then.
    fn join(&mut self, one: EntityId, other: EntityId) -> bool {
        let (one, other) = (self.number(one), self.number(other));
        if one == other {
            return true;
        }
        let fewer = if self.list[one].1.len() < self.list[other].1.len() { one } else { other };
        let more = if fewer == one { other } else { one };
        let kept_apart = |id: &EntityId| {
            let others = self.apart.get(id).into_iter().flatten();
            others.into_iter().any(|other| self.number.get(other) == Some(&more))
        };
        if self.list[fewer].1.iter().any(kept_apart) {
            return false;
        }
        let head = self.list[one].0;
        let moved = std::mem::take(&mut self.list[fewer].1);
        self.number.extend(moved.iter().map(|id| (*id, more)));
        self.list[more].1.extend(moved);
        self.list[more].0 = head;
        true
    }

    /// Keeps two apart, unless what was said later makes them one.
    fn part(&mut self, one: EntityId, other: EntityId) -> bool {
        if self.number(one) == self.number(other) {
            return false;
        }
        self.apart.entry(one).or_default().push(other);
        self.apart.entry(other).or_default().push(one);
        true
    }

    /// Who is somebody else.
    fn heads(self) -> FxHashMap<EntityId, EntityId> {
        let all = self.list.into_iter().flat_map(|(head, ids)| ids.into_iter().map(move |id| (id, head)));
        all.filter(|(id, head)| id != head).collect()
    }
}

impl State {
    /// Lets rulings count. Only to be called before anything is told.
    pub(crate) fn rule(&mut self, rulings: Vec<Ruling>) {
        debug_assert!(
            self.entities.is_empty(),
            "who is known already is not told apart or made one any more"
        );
        self.rulings = Rulings::of(&self.namespace, rulings);
    }

    /// The rulings, from the oldest on, each with whether it still counts: nothing that was said later takes it back.
    pub fn rulings(&self) -> impl Iterator<Item = (&Ruling, bool)> {
        self.rulings.all.iter().zip(&self.rulings.standing).map(|((_, ruling), standing)| (ruling, *standing))
    }

    /// Whether it was ruled that two are not one.
    pub fn are_apart(&self, one: EntityIx, other: EntityIx) -> bool {
        !self.rulings.apart.is_empty()
            && self.rulings.apart.contains(&pair(self.entity(one).id, self.entity(other).id))
    }

    /// Whether there is a ruling with this id.
    pub fn has_ruling(&self, id: &EpisodeId) -> bool {
        self.rulings.all.iter().any(|(known, _)| known == id)
    }

    /// Who the entity of a name is, by ids.
    pub fn head_of(&self, id: EntityId) -> EntityId {
        self.rulings.head(id)
    }

    /// The entity of exactly this id, which is that of one of its names, and that name as it is folded. Of somebody who is
    /// nobody else the id is the own.
    pub fn named_by(&self, id: &EntityId) -> Option<(EntityIx, &str)> {
        let own = self.find_entity(id).filter(|own| self.is_used(*own))?;
        Some((self.head(own), &self.entity(own).folded))
    }

    /// The own name of the entity of this id as it is mostly written, where somebody uses it.
    pub fn own_name(&self, id: &EntityId) -> Option<&str> {
        let (own, (ix, folded)) = (self.find_entity(id)?, self.named_by(id)?);
        let written = self.entity(ix).names.iter().filter(|called| called.of == own && called.mentions > 0);
        let best = written.max_by(|a, b| a.mentions.cmp(&b.mentions).then_with(|| b.name.cmp(&a.name)));
        Some(best.map_or(folded, |called| &called.name))
    }

    /// Whether somebody uses the name that an entity was made for.
    pub(super) fn is_used(&self, own: EntityIx) -> bool {
        self.entity(own).uses > 0
    }

    /// Who an entity is: mostly itself.
    pub(super) fn head(&self, own: EntityIx) -> EntityIx {
        self.entity(own).head
    }

    /// The entities that are one with `ix`, itself among them, of whose names somebody uses one.
    pub(super) fn circle(&self, ix: EntityIx) -> Vec<EntityIx> {
        let mut all: Vec<EntityIx> = self.entity(ix).names.iter().map(|called| called.of).collect();
        all.sort_unstable();
        all.dedup();
        all.retain(|own| self.is_used(*own));
        all
    }

    /// The names of an entity that somebody uses, in the form in which names are compared: its own first.
    pub fn folded_names(&self, ix: EntityIx) -> Vec<&str> {
        let mut all = self.circle(ix);
        all.sort_unstable_by_key(|own| (*own != ix, &self.entity(*own).folded));
        all.into_iter().map(|own| &*self.entity(own).folded).collect()
    }

    /// The rulings on names that nobody uses any more once the episodes in `gone` are forgotten. Names in `told` are used
    /// all the same.
    pub(crate) fn rulings_on_nobody(
        &self,
        gone: &FxHashSet<EpisodeId>,
        told: &FxHashSet<EntityId>,
    ) -> Vec<EpisodeId> {
        let mut uses: FxHashMap<EntityIx, u32> = FxHashMap::default();
        for ix in gone.iter().filter_map(|id| self.find_episode(id)) {
            for own in self.used_in(ix) {
                *uses.entry(own).or_default() += 1;
            }
        }
        let is_nobody = |id: &EntityId| {
            let left = self.find_entity(id).map_or(0, |own| {
                self.entity(own).uses.saturating_sub(uses.get(&own).copied().unwrap_or_default())
            });
            left == 0 && !told.contains(id)
        };
        let on_nobody =
            |(_, ruling): &&(EpisodeId, Ruling)| is_nobody(&ruling.one) || is_nobody(&ruling.other);
        self.rulings.all.iter().filter(on_nobody).map(|(id, _)| *id).collect()
    }

    /// The entities whose names an episode uses, each as often as it does.
    fn used_in(&self, ix: EpisodeIx) -> Vec<EntityIx> {
        let episode = self.episode(ix);
        let called = |entity: EntityIx, name: u16| self.entity(entity).names[usize::from(name)].of;
        let mut all: Vec<EntityIx> =
            episode.mentions.iter().map(|mention| called(mention.entity, mention.name)).collect();
        for fact in episode.states.iter().map(|fact| self.fact(*fact)) {
            for support in fact.support.iter().filter(|support| support.episode == ix) {
                all.extend(fact.ends(support).map(|(end, name)| called(end, name)));
            }
        }
        all
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::ruling::Evidence;
    use crate::model::time::Timestamp;

    fn id(name: &str) -> EntityId {
        EntityId::of_name(&Namespace::default(), name)
    }

    /// Rulings in the order of time: "ab" says that b is a, "a|b" that they are two.
    fn ruled(told: &[&str]) -> Rulings {
        let rulings = told.iter().zip(0..).map(|(pair, at)| Ruling {
            one: id(&pair[..1]),
            other: id(&pair[pair.len() - 1..]),
            same: pair.len() == 2,
            evidence: Evidence::by_hand(None),
            recorded_at: Timestamp::from_millis(at).unwrap(),
        });
        let mut rulings: Vec<_> = rulings.collect();
        let forward = Rulings::of(&Namespace::default(), rulings.clone());
        rulings.reverse();
        let backward = Rulings::of(&Namespace::default(), rulings);
        assert_eq!((&forward.heads, &forward.standing), (&backward.heads, &backward.standing));
        forward
    }

    fn heads(told: &[&str]) -> String {
        let ruled = ruled(told);
        let name_of = |head: EntityId| "abcd".chars().find(|name| id(&name.to_string()) == head).unwrap();
        "abcd".chars().map(|name| name_of(ruled.head(id(&name.to_string())))).collect()
    }

    #[test]
    fn the_newest_counts_first() {
        assert_eq!(heads(&[]), "abcd");
        assert_eq!(heads(&["ab"]), "aacd");
        assert_eq!(heads(&["ab", "bc"]), "aaad");
        assert_eq!(heads(&["ab", "da"]), "ddcd");
        assert_eq!(heads(&["ab", "b|a"]), "abcd");
        assert_eq!(heads(&["ab", "b|a", "ba"]), "bbcd");
    }

    #[test]
    fn who_is_kept_apart_is_not_brought_together_by_others() {
        assert_eq!(heads(&["ab", "bc", "a|c"]), "abbd", "the older of the two goes");
        assert_eq!(ruled(&["ab", "bc", "a|c"]).standing, [false, true, true]);
        assert_eq!(heads(&["a|c", "ab", "bc"]), "aaad", "what is said later counts");
        assert_eq!(ruled(&["a|c", "ab", "bc"]).standing, [false, true, true]);
    }
}
