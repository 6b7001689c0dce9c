//! What a directory holds that is written behind the disk's back: sled's. Copies share the blocks that did not
//! change.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::dice::Dice;
use super::platter::SECTOR;

/// How much is shared at a time.
const BLOCK: usize = 4096;

/// All files of a directory.
#[derive(Debug, PartialEq, Eq, Default, Clone)]
pub(super) struct Image {
    files: BTreeMap<PathBuf, Vec<Arc<[u8]>>>,
    directories: Vec<PathBuf>,
}

impl Image {
    /// Takes a picture of a directory, and shares with the one before what is the same.
    pub(super) fn of(path: &Path, before: Option<&Self>) -> Self {
        let mut image = Self::default();
        image.take(path, Path::new(""), before);
        image
    }

    fn take(&mut self, root: &Path, below: &Path, before: Option<&Self>) {
        for entry in fs::read_dir(root.join(below)).unwrap() {
            let entry = entry.unwrap();
            let name = below.join(entry.file_name());
            // sled takes files away on threads of its own.
            let Ok(kind) = entry.file_type() else { continue };
            if kind.is_dir() {
                self.directories.push(name.clone());
                self.take(root, &name, before);
            } else if let Ok(bytes) = fs::read(root.join(&name)) {
                let old = before.and_then(|image| image.files.get(&name));
                let blocks = bytes.chunks(BLOCK).enumerate().map(|(number, block)| {
                    let same = old.and_then(|old| old.get(number)).filter(|old| ***old == *block);
                    same.map_or_else(|| block.into(), Arc::clone)
                });
                self.files.insert(name, blocks.collect());
            }
        }
    }

    /// Lays the files out in a directory.
    pub(super) fn lay_out(&self, target: &Path) {
        fs::create_dir(target).unwrap();
        for directory in &self.directories {
            fs::create_dir(target.join(directory)).unwrap();
        }
        for (name, blocks) in &self.files {
            fs::write(target.join(name), blocks.concat()).unwrap();
        }
    }

    /// As a power cut may leave what was written between `old` and this: of the sectors that changed, any.
    pub(super) fn mixed_with(&self, old: &Self, dice: &mut Dice) -> Self {
        let mut mixed = self.clone();
        let share = 1 + dice.below(8);
        for (name, blocks) in &mut mixed.files {
            let before = old.files.get(name);
            for (number, block) in blocks.iter_mut().enumerate() {
                let before =
                    before.and_then(|blocks| blocks.get(number)).filter(|old| old.len() == block.len());
                if before.is_some_and(|before| Arc::ptr_eq(before, block)) {
                    continue;
                }
                let zeros = vec![0; block.len()];
                let source = before.map_or(&zeros[..], |before| &before[..]);
                *block = replace_sectors(block, source, share, dice);
            }
        }
        mixed
    }

    /// With some sectors missing that need not have changed at all.
    pub(super) fn with_holes(&self, dice: &mut Dice) -> Self {
        let mut holed = self.clone();
        for blocks in holed.files.values_mut() {
            for _ in 0..dice.below(6) {
                if blocks.is_empty() {
                    break;
                }
                let at = dice.below(blocks.len());
                let zeros = vec![0; blocks[at].len()];
                blocks[at] = replace_sectors(&blocks[at], &zeros, 2, dice);
            }
        }
        holed
    }
}

/// A block in which, one time in `share`, a sector is that of `source`.
fn replace_sectors(block: &[u8], source: &[u8], share: usize, dice: &mut Dice) -> Arc<[u8]> {
    let mut bytes = block.to_vec();
    for (sector, source) in bytes.chunks_mut(SECTOR).zip(source.chunks(SECTOR)) {
        if dice.below(share) == 0 {
            sector.copy_from_slice(source);
        }
    }
    bytes.into()
}
