//! How many syncs a journal's commits shared, read off the frames that lie on disk. `engine/src/store/frame.rs` draws
//! them: each frame tells its place among those that were made durable with it.

use std::fs;
use std::path::Path;

/// Bytes before a segment's first frame, and of each frame's header.
const SEGMENT_HEADER: usize = 24;
const FRAME_HEADER: usize = 32;

/// Commits in a journal and the syncs that made them durable.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Syncs {
    /// Frames.
    pub commits: u64,
    /// Frames that came first of their group.
    pub syncs: u64,
}

/// Counts the frames in a store's journal. `None` where they are not of the form that is known here.
///
/// # Errors
/// Where a file cannot be read.
pub fn syncs(store: &Path) -> anyhow::Result<Option<Syncs>> {
    let mut found = Syncs::default();
    for entry in fs::read_dir(store.join("journal"))? {
        let bytes = fs::read(entry?.path())?;
        if !bytes.starts_with(b"LOREJRNL") {
            continue;
        }
        let mut at = SEGMENT_HEADER;
        while let Some(header) = bytes.get(at..at + FRAME_HEADER) {
            if !header.starts_with(b"LRF1") {
                return Ok(None);
            }
            found.commits += 1;
            found.syncs += u64::from(number(header, 24) == 0);
            at += FRAME_HEADER + number(header, 16) as usize + number(header, 20) as usize;
        }
    }
    Ok(Some(found))
}

fn number(header: &[u8], at: usize) -> u32 {
    let mut bytes = [0; 4];
    bytes.copy_from_slice(&header[at..at + 4]);
    u32::from_le_bytes(bytes)
}

#[cfg(test)]
mod tests {
    use lorebase::engine::model::id::Namespace;
    use lorebase::memory::{Memory, Remember};

    use super::*;

    #[test]
    fn notes_one_after_the_other_have_a_sync_each() {
        let directory = tempfile::tempdir().unwrap();
        let (memory, _) = Memory::create(directory.path()).unwrap();
        for text in ["I live in Porto.", "I love tea.", "I work at Acme."] {
            memory.remember(&Namespace::default(), &Remember::new(text)).unwrap();
        }
        drop(memory);
        assert_eq!(syncs(directory.path()).unwrap(), Some(Syncs { commits: 3, syncs: 3 }));
    }
}
