//! Entities that are one by rulings on their names, the newest first.

use rustc_hash::FxHashMap;

use crate::model::id::EntityId;

/// Entities that are one.
#[derive(Default)]
pub(super) struct Circles {
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
    pub(super) fn join(&mut self, one: EntityId, other: EntityId) -> bool {
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
    pub(super) fn part(&mut self, one: EntityId, other: EntityId) -> bool {
        if self.number(one) == self.number(other) {
            return false;
        }
        self.apart.entry(one).or_default().push(other);
        self.apart.entry(other).or_default().push(one);
        true
    }

    /// Who is somebody else.
    pub(super) fn heads(self) -> FxHashMap<EntityId, EntityId> {
        let all = self.list.into_iter().flat_map(|(head, ids)| ids.into_iter().map(move |id| (id, head)));
        all.filter(|(id, head)| id != head).collect()
    }
}
