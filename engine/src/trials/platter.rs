//! What may lie on the disk after a power cut, worked out of the log. What was synced is there. Of what was only
//! written any sectors are, in any order, the file as long as before or longer, and where bytes are missing there
//! are zeros, what stood there long ago, or anything. The same goes for names until their directory is synced.

use std::collections::{BTreeMap, HashMap};
use std::ffi::OsString;
use std::fs;
use std::path::Path;
use std::sync::Arc;

use super::dice::Dice;
use super::image::Image;
use super::recorder::{Node, Op, ROOT};

/// What a disk writes whole.
pub(super) const SECTOR: usize = 512;

/// A sector's bytes.
type Bytes = [u8; SECTOR];

/// What a sector came to hold.
#[derive(Debug, Clone)]
struct Version {
    bytes: Bytes,
    standing: Standing,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Standing {
    /// Nothing was ever made to last here.
    Nothing,
    /// It lasts.
    Lasting,
    /// The next sync makes it last.
    Written,
    /// A sync failed over it: no later one makes it last.
    Given,
}

/// A file: what lasts of it, and what may.
#[derive(Debug, Clone, Default)]
struct File {
    /// The length that lasts, and those that it was given since.
    lengths: Vec<u64>,
    /// What lasts of a sector, and what was written there since.
    sectors: BTreeMap<u64, Vec<Version>>,
    /// What stood in a sector before it was cut off.
    ghosts: BTreeMap<u64, Bytes>,
}

/// Names that changed together.
type Change = (Option<OsString>, Option<(OsString, Node)>);

#[derive(Debug, Clone, Default)]
struct Directory {
    lasting: BTreeMap<OsString, Node>,
    since: Vec<Change>,
}

#[derive(Debug, Clone, Default)]
struct Foreign {
    synced: Vec<Arc<Image>>,
    present: Arc<Image>,
}

/// The disk at one moment.
#[derive(Debug, Default)]
pub(super) struct Platter {
    files: HashMap<Node, File>,
    directories: HashMap<Node, Directory>,
    foreign: HashMap<Node, Foreign>,
}

impl Platter {
    /// The disk after these operations.
    pub(super) fn after(ops: &[Op]) -> Self {
        let mut platter = Self::default();
        for op in ops {
            platter.take(op);
        }
        platter
    }

    /// One more operation.
    pub(super) fn take(&mut self, op: &Op) {
        match op {
            Op::Names { directory, gone, come } => {
                self.directories.entry(*directory).or_default().since.push((gone.clone(), come.clone()));
            }
            Op::Write { file, offset, bytes } => self.file(*file).write(*offset, bytes),
            Op::Truncate { file, length } => self.file(*file).truncate(*length),
            Op::Sync { file } => self.file(*file).sync(),
            Op::SyncFailed { file } => self.file(*file).give_up(),
            Op::SyncDirectory { directory } => {
                let directory = self.directories.entry(*directory).or_default();
                let changes = std::mem::take(&mut directory.since);
                for change in &changes {
                    apply(&mut directory.lasting, change);
                }
            }
            Op::Foreign { node, image } => {
                self.foreign.entry(*node).or_default().present = Arc::clone(image);
            }
            Op::ForeignSynced { node } => {
                let foreign = self.foreign.entry(*node).or_default();
                foreign.synced.push(Arc::clone(&foreign.present));
            }
        }
    }

    fn file(&mut self, node: Node) -> &mut File {
        self.files.entry(node).or_default()
    }

    /// Lays out one of the states that a power cut may leave, below `target`.
    pub(super) fn lay_out(&self, target: &Path, dice: &mut Dice) {
        self.lay_out_directory(ROOT, target, dice);
    }

    fn lay_out_directory(&self, node: Node, target: &Path, dice: &mut Dice) {
        fs::create_dir_all(target).unwrap();
        let Some(directory) = self.directories.get(&node) else { return };
        for (name, child) in directory.after_a_cut(dice) {
            let path = target.join(&name);
            if let Some(foreign) = self.foreign.get(&child) {
                if let Some(image) = foreign.after_a_cut(dice) {
                    image.lay_out(&path);
                }
            } else if let Some(file) = self.files.get(&child) {
                fs::write(path, file.after_a_cut(dice)).unwrap();
            } else {
                self.lay_out_directory(child, &path, dice);
            }
        }
    }
}

impl File {
    fn length(&self) -> u64 {
        self.lengths.last().copied().unwrap_or(0)
    }

    fn set_length(&mut self, length: u64) {
        if self.lengths.is_empty() {
            self.lengths.push(0);
        }
        self.lengths.push(length);
    }

    /// Puts a sector's new bytes on top of what it held.
    fn put(&mut self, sector: u64, change: impl FnOnce(&mut Bytes)) {
        let nothing = Version { bytes: [0; SECTOR], standing: Standing::Nothing };
        let versions = self.sectors.entry(sector).or_insert_with(|| vec![nothing]);
        let mut bytes = versions.last().expect("a sector has a version").bytes;
        change(&mut bytes);
        versions.push(Version { bytes, standing: Standing::Written });
    }

    fn write(&mut self, offset: u64, bytes: &[u8]) {
        let (mut at, mut rest) = (offset, bytes);
        while !rest.is_empty() {
            let inside = (at % SECTOR as u64) as usize;
            let (now, later) = rest.split_at(rest.len().min(SECTOR - inside));
            self.put(at / SECTOR as u64, |sector| sector[inside..inside + now.len()].copy_from_slice(now));
            at += now.len() as u64;
            rest = later;
        }
        self.set_length(self.length().max(at));
    }

    fn truncate(&mut self, length: u64) {
        let inside = (length % SECTOR as u64) as usize;
        let behind: Vec<u64> = self.sectors.range(length / SECTOR as u64..).map(|(at, _)| *at).collect();
        for sector in behind {
            let from = if sector == length / SECTOR as u64 { inside } else { 0 };
            let last = self.sectors[&sector].last().expect("a sector has a version").bytes;
            if from == 0 {
                self.ghosts.insert(sector, last);
            }
            self.put(sector, |bytes| bytes[from..].fill(0));
        }
        self.set_length(length);
    }

    fn sync(&mut self) {
        let length = self.length();
        self.lengths = vec![length];
        // What stands behind the end is given back to the system.
        self.sectors.retain(|at, _| at * (SECTOR as u64) < length);
        for versions in self.sectors.values_mut() {
            if versions.iter().any(|version| version.standing == Standing::Written) {
                // The page that is written holds all that was written to it, before a failed sync too.
                let last = versions.pop().expect("a sector has a version");
                *versions = vec![Version { standing: Standing::Lasting, ..last }];
            }
        }
    }

    fn give_up(&mut self) {
        for version in self.sectors.values_mut().flatten() {
            if version.standing == Standing::Written {
                version.standing = Standing::Given;
            }
        }
    }

    fn after_a_cut(&self, dice: &mut Dice) -> Vec<u8> {
        let length = self.length_after_a_cut(dice) as usize;
        let mut bytes = vec![0; length];
        let (way, hole) = (dice.below(6), dice.below(4));
        let pivot = dice.below(length / SECTOR + 2) as u64;
        for (&at, versions) in &self.sectors {
            let start = at as usize * SECTOR;
            if start >= length {
                break;
            }
            let chosen = match way {
                0 => versions.len() - 1,
                2 => dice.below(versions.len()),
                // In order, up to somewhere; and the other way round.
                3 if at < pivot => versions.len() - 1,
                4 if at >= pivot => versions.len() - 1,
                // All but a sector here and there.
                5 if dice.below(8) != 0 => versions.len() - 1,
                _ => 0,
            };
            let chosen = &versions[chosen];
            let found =
                if chosen.standing == Standing::Nothing { self.hole(at, hole, dice) } else { chosen.bytes };
            let end = length.min(start + SECTOR);
            bytes[start..end].copy_from_slice(&found[..end - start]);
        }
        bytes
    }

    fn length_after_a_cut(&self, dice: &mut Dice) -> u64 {
        let (Some(least), Some(most)) = (self.lengths.iter().min(), self.lengths.iter().max()) else {
            return 0;
        };
        match dice.below(4) {
            0 => least + dice.below((most - least) as usize + 1) as u64,
            1 => self.lengths[0],
            2 => self.lengths[dice.below(self.lengths.len())],
            _ => self.length(),
        }
    }

    /// What stands in a sector to which nothing was written that lasts.
    fn hole(&self, at: u64, way: usize, dice: &mut Dice) -> Bytes {
        match (way, self.ghosts.get(&at)) {
            (0, Some(ghost)) => *ghost,
            (1, _) => std::array::from_fn(|_| dice.below(256) as u8),
            _ => [0; SECTOR],
        }
    }
}

fn apply(names: &mut BTreeMap<OsString, Node>, (gone, come): &Change) {
    if let Some(name) = gone {
        names.remove(name);
    }
    if let Some((name, node)) = come {
        names.insert(name.clone(), *node);
    }
}

impl Directory {
    fn after_a_cut(&self, dice: &mut Dice) -> BTreeMap<OsString, Node> {
        let mut names = self.lasting.clone();
        let (way, pivot) = (dice.below(4), dice.below(self.since.len() + 1));
        for (number, change) in self.since.iter().enumerate() {
            let done = match way {
                0 => true,
                1 => false,
                2 => number < pivot,
                _ => dice.below(2) == 0,
            };
            if done {
                apply(&mut names, change);
            }
        }
        names
    }
}

impl Foreign {
    fn after_a_cut(&self, dice: &mut Dice) -> Option<Image> {
        let nothing = Arc::default();
        let last = self.synced.last().unwrap_or(&nothing);
        match dice.below(8) {
            0 => None,
            1 => Some((*self.present).clone()),
            2 if !self.synced.is_empty() => Some((*self.synced[dice.below(self.synced.len())]).clone()),
            3 if !self.synced.is_empty() => Some((**last).clone()),
            4 => Some(self.present.with_holes(dice)),
            5 => Some(last.with_holes(dice)),
            _ => Some(self.present.mixed_with(last, dice)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(ops: &[Op]) -> File {
        Platter::after(ops).files[&1].clone()
    }

    fn write(offset: u64, bytes: &[u8]) -> Op {
        Op::Write { file: 1, offset, bytes: bytes.into() }
    }

    /// All that a few hundred cuts leave of the file.
    fn left(ops: &[Op]) -> Vec<Vec<u8>> {
        let mut dice = Dice::new(7);
        let file = file(ops);
        let mut left: Vec<_> = (0..400).map(|_| file.after_a_cut(&mut dice)).collect();
        left.sort();
        left.dedup();
        left
    }

    const SYNC: Op = Op::Sync { file: 1 };

    #[test]
    fn what_was_synced_is_there_and_what_was_not_may_be() {
        assert_eq!(left(&[write(0, b"lasts"), SYNC]), [b"lasts"]);
        let after = left(&[write(0, b"one"), SYNC, write(3, b"two")]);
        assert!(after.contains(&b"one".to_vec()) && after.contains(&b"onetwo".to_vec()), "{after:?}");
        assert!(after.iter().any(|bytes| *bytes == b"one\0\0\0"), "longer, and not yet written");
        assert!(after.iter().all(|bytes| bytes.starts_with(b"one")), "the sector's old bytes stay");
    }

    #[test]
    fn sectors_come_in_any_order() {
        let (a, b) = ([b'a'; SECTOR], [b'b'; SECTOR]);
        let after = left(&[write(0, &a), write(512, &b)]);
        let later = [[0; SECTOR], b].concat();
        assert!(after.contains(&later), "the second without the first");
        assert!(after.contains(&[a, b].concat()) && after.contains(&Vec::new()));
    }

    #[test]
    fn what_a_failed_sync_gave_up_is_not_made_to_last_by_a_later_one() {
        let given = [write(0, &[b'a'; SECTOR]), Op::SyncFailed { file: 1 }];
        let later = [&given[..], &[write(512, b"b"), SYNC]].concat();
        let lost = [&[0; SECTOR][..], b"b"].concat();
        assert!(left(&later).contains(&lost));
        let written_anew = [&given[..], &[write(0, &[b'a'; SECTOR]), write(512, b"b"), SYNC]].concat();
        assert_eq!(left(&written_anew), [[&[b'a'; SECTOR][..], b"b"].concat()]);
    }

    #[test]
    fn old_bytes_may_come_back_where_a_file_was_cut() {
        let ops = [write(0, &[b'a'; 2 * SECTOR]), SYNC, Op::Truncate { file: 1, length: 512 }, SYNC];
        assert_eq!(left(&ops), [[b'a'; SECTOR]]);
        let grown = [&ops[..], &[write(512, &[b'b'; SECTOR])]].concat();
        assert!(left(&grown).contains(&[b'a'; 2 * SECTOR].to_vec()));
    }

    #[test]
    fn names_last_when_their_directory_is_synced() {
        let name = |name: &str, node| Op::Names { directory: 0, gone: None, come: Some((name.into(), node)) };
        let moved = Op::Names { directory: 0, gone: Some("new".into()), come: Some(("file".into(), 2)) };
        let ops = [name("file", 1), Op::SyncDirectory { directory: 0 }, name("new", 2), moved];
        let platter = Platter::after(&ops);
        let mut dice = Dice::new(3);
        let mut seen: Vec<_> = (0..100).map(|_| platter.directories[&0].after_a_cut(&mut dice)).collect();
        seen.sort();
        seen.dedup();
        let names = |pairs: &[(&str, Node)]| -> BTreeMap<OsString, Node> {
            pairs.iter().map(|(name, node)| ((*name).into(), *node)).collect()
        };
        assert_eq!(seen, [names(&[("file", 1)]), names(&[("file", 1), ("new", 2)]), names(&[("file", 2)])]);
    }
}
