//! Which number in a list has this id? A table of the numbers alone; the ids stand in the list.

use hashbrown::HashTable;

use crate::model::id::ID_BYTES;

/// Numbers by id. Ids are hashes, so their first bytes serve as the table's.
#[derive(Default)]
pub(super) struct IdTable(HashTable<u32>);

impl IdTable {
    /// A table with room for so many.
    pub(super) fn with_capacity(capacity: usize) -> Self {
        Self(HashTable::with_capacity(capacity))
    }

    /// The number that `id_of` says has this id.
    pub(super) fn find(&self, id: &[u8; ID_BYTES], id_of: impl Fn(u32) -> [u8; ID_BYTES]) -> Option<u32> {
        self.0.find(hash(id), |number| id_of(*number) == *id).copied()
    }

    /// Adds a number whose id is not in the table; the ids of all numbers in it are asked for where it grows.
    pub(super) fn insert(&mut self, number: u32, id_of: impl Fn(u32) -> [u8; ID_BYTES]) {
        self.0.insert_unique(hash(&id_of(number)), number, |other| hash(&id_of(*other)));
    }

    /// Takes a number out.
    pub(super) fn remove(&mut self, number: u32, id: &[u8; ID_BYTES]) {
        if let Ok(entry) = self.0.find_entry(hash(id), |other| *other == number) {
            entry.remove();
        }
    }
}

fn hash(id: &[u8; ID_BYTES]) -> u64 {
    u64::from_le_bytes(*id.first_chunk().expect("an id is longer than eight bytes"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_found_by_their_ids_until_they_are_removed() {
        let ids: Vec<[u8; ID_BYTES]> = (0..100).map(|n| [n / 10; ID_BYTES].map(|x| x ^ (n % 10))).collect();
        let mut distinct = ids.clone();
        distinct.sort_unstable();
        distinct.dedup();
        let id_of = |number: u32| distinct[number as usize];
        let mut table = IdTable::with_capacity(4);
        (0..distinct.len() as u32).for_each(|number| table.insert(number, id_of));
        assert!((0..distinct.len() as u32).all(|number| table.find(&id_of(number), id_of) == Some(number)));
        table.remove(3, &id_of(3));
        assert_eq!((table.find(&id_of(3), id_of), table.find(&id_of(4), id_of)), (None, Some(4)));
    }
}
