//! The rulings of a namespace and what they come to: who is who, and what is settled of facts. It depends on the rulings
//! alone and not on the order in which they or the names came: the newest counts first.

use rustc_hash::{FxHashMap, FxHashSet};
use serde::{Deserialize, Serialize};

mod circles;
mod settled;

use self::circles::Circles;
use self::settled::Settled;
pub use self::settled::{Cares, RuleText};
use super::State;
use crate::graph::{EntityIx, EpisodeIx};
use crate::model::id::{EntityId, EpisodeId, FactId, Namespace};
use crate::model::ruling::{Matter, Names, Ruling};

/// The rulings of a namespace.
#[derive(Default, Serialize, Deserialize)]
pub(super) struct Rulings {
    /// With their ids, from the oldest on.
    all: Vec<(EpisodeId, Ruling)>,
    /// Which of them still count.
    standing: Vec<bool>,
    /// Those that a later one undoes.
    undone: FxHashSet<EpisodeId>,
    /// Who is somebody else, by the ids of names.
    heads: FxHashMap<EntityId, EntityId>,
    /// Who is not the other, by who they are, the lower id first.
    apart: FxHashSet<(EntityId, EntityId)>,
    /// What is settled beside names.
    settled: Settled,
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
        let (mut circles, mut ruled) = (Circles::default(), FxHashSet::default());
        let undone = undone(&all);
        let mut standing: Vec<bool> = all.iter().map(|(id, _)| !undone.contains(id)).collect();
        for ((_, ruling), standing) in all.iter().zip(&mut standing).rev().filter(|(_, standing)| **standing)
        {
            if let Matter::Rename { entity, name } = &ruling.matter {
                // Whoever is called so later is the same.
                circles.join(*entity, EntityId::of_name(namespace, name));
            }
            let Some(Names { one, other, same }) = ruling.names() else { continue };
            // An older one on the same two does not count any more.
            *standing = ruled.insert(pair(*one, *other))
                && if *same { circles.join(*one, *other) } else { circles.part(*one, *other) };
        }
        let heads = circles.heads();
        let head = |id: EntityId| heads.get(&id).copied().unwrap_or(id);
        let counting = || all.iter().zip(&standing).filter(|(_, standing)| **standing).map(|(told, _)| told);
        let parted = counting().filter_map(|(_, ruling)| ruling.names()).filter(|names| !names.same);
        let apart = parted.map(|names| pair(head(names.one), head(names.other))).collect();
        let settled = Settled::of(counting());
        Self { all, standing, undone, heads, apart, settled }
    }

    /// Who the entity of a name is.
    pub(super) fn head(&self, id: EntityId) -> EntityId {
        self.heads.get(&id).copied().unwrap_or(id)
    }
}

/// The rulings that a later one undoes, which is not undone itself.
fn undone(all: &[(EpisodeId, Ruling)]) -> FxHashSet<EpisodeId> {
    let mut undone = FxHashSet::default();
    for (id, ruling) in all.iter().rev() {
        if let Matter::Undo { id: other } = &ruling.matter
            && !undone.contains(id)
        {
            undone.insert(*other);
        }
    }
    undone
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

    /// Lets further rulings count, where they change nothing of what is loaded; says whether they did.
    pub(crate) fn rule_further<'r>(&mut self, rulings: impl IntoIterator<Item = &'r Ruling>) -> bool {
        let further: Vec<Ruling> = rulings.into_iter().cloned().collect();
        if !further.iter().all(|ruling| self.is_beside(&ruling.matter)) {
            return false;
        }
        let all = std::mem::take(&mut self.rulings.all).into_iter().map(|(_, ruling)| ruling);
        self.rulings = Rulings::of(&self.namespace, all.chain(further).collect());
        true
    }

    /// Whether it makes no difference to a ruling on this whether it comes before what it is about or after it.
    fn is_beside(&self, matter: &Matter) -> bool {
        match matter {
            Matter::Fact { .. } | Matter::Rule { .. } | Matter::Retain { .. } => true,
            Matter::Names(_) | Matter::Rename { .. } | Matter::Lift { .. } => false,
            Matter::Undo { id } => {
                let other = self.rulings.all.iter().find(|(known, _)| known == id);
                other.is_none_or(|(_, other)| self.is_beside(&other.matter))
            }
        }
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

    /// Whether a later ruling undoes the one with this id.
    pub fn is_undone(&self, id: &EpisodeId) -> bool {
        self.rulings.undone.contains(id)
    }

    /// Whether somebody is somebody else.
    pub(in crate::state) fn has_circles(&self) -> bool {
        !self.rulings.heads.is_empty()
    }

    /// Whether a ruling lets something that was forgotten come again.
    pub(in crate::state) fn has_lift(&self, id: &EpisodeId) -> bool {
        let lifts = |(_, ruling): &(EpisodeId, Ruling)| ruling.matter == Matter::Lift { id: *id };
        self.rulings.all.iter().any(lifts)
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

    /// The rulings on names that nobody uses any more, and on facts that nobody states, once the episodes in `gone` are
    /// forgotten. Names in `told` are used all the same.
    pub(crate) fn rulings_on_nobody(
        &self,
        gone: &FxHashSet<EpisodeId>,
        told: &FxHashSet<EntityId>,
    ) -> Vec<EpisodeId> {
        if self.rulings.all.is_empty() {
            return Vec::new();
        }
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
        let on_nobody = |(_, ruling): &&(EpisodeId, Ruling)| match &ruling.matter {
            Matter::Names(names) => is_nobody(&names.one) || is_nobody(&names.other),
            Matter::Rename { entity, .. } => is_nobody(entity),
            Matter::Fact { subject, claims, .. } => {
                is_nobody(subject) || (!told.contains(subject) && !self.is_claimed(*subject, claims, gone))
            }
            Matter::Rule { .. } | Matter::Retain { .. } | Matter::Lift { .. } | Matter::Undo { .. } => false,
        };
        self.rulings.all.iter().filter(on_nobody).map(|(id, _)| *id).collect()
    }

    /// Whether an episode that is not in `gone` claims one of `claims` of somebody.
    fn is_claimed(&self, subject: EntityId, claims: &[FactId], gone: &FxHashSet<EpisodeId>) -> bool {
        let Some((ix, _)) = self.named_by(&subject) else { return false };
        self.facts_of(ix).into_iter().any(|fact| {
            self.claims_of(fact).any(|(support, claim)| {
                claims.contains(&claim) && !gone.contains(&self.episode(support.episode).id)
            })
        })
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
        let names = |pair: &str| Names {
            one: id(&pair[..1]),
            other: id(&pair[pair.len() - 1..]),
            same: pair.len() == 2,
        };
        let rulings = told.iter().zip(0..).map(|(pair, at)| Ruling {
            matter: Matter::Names(names(pair)),
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

    #[test]
    fn what_is_undone_does_not_count_until_that_is_undone() {
        let namespace = Namespace::default();
        let ruling = |matter, at| Ruling {
            matter,
            evidence: Evidence::by_hand(None),
            recorded_at: Timestamp::from_millis(at).unwrap(),
        };
        let merge = ruling(Matter::Names(Names { one: id("a"), other: id("b"), same: true }), 1);
        let undo = ruling(Matter::Undo { id: merge.id(&namespace) }, 2);
        let redo = ruling(Matter::Undo { id: undo.id(&namespace) }, 3);
        let head = |rulings: &[&Ruling]| {
            Rulings::of(&namespace, rulings.iter().copied().cloned().collect()).head(id("b"))
        };
        assert_eq!(head(&[&merge]), id("a"));
        assert_eq!(head(&[&merge, &undo]), id("b"));
        assert_eq!(head(&[&redo, &undo, &merge]), id("a"));
    }
}
