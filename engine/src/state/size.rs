//! About how much memory a namespace takes: what its things take each, times how many there are, so that it is told at
//! once. Heap blocks count with the 16 bytes that the allocator adds.

use std::mem::size_of;

use super::{EntityNode, EpisodeNode, FactNode, MentionNode, PassageNode, SessionNode, State, SupportNode};
use crate::graph::{FactIx, Tie};

/// What there is before anything is told.
const EMPTY: usize = size_of::<State>() + 1024;
/// A heap block beside what stands in it.
const BLOCK: usize = 16;
/// A name or a source's id, on average.
const NAME: usize = 16 + BLOCK;

const EPISODE: usize = size_of::<EpisodeNode>() + 4 * BLOCK + NAME;
const PASSAGE: usize = size_of::<PassageNode>() + 2 * BLOCK;
const SESSION: usize = size_of::<SessionNode>() + 4 * BLOCK + 2 * NAME;
/// With its names in three maps and its lists of facts.
const ENTITY: usize = size_of::<EntityNode>() + 12 * BLOCK + 4 * NAME;
/// With its places at two ends, in the table of ids and in the graph.
const FACT: usize = size_of::<FactNode>() + BLOCK + 4 * size_of::<FactIx>() + size_of::<Tie>() + BLOCK;

impl State {
    /// About how many bytes it takes in memory.
    pub fn bytes(&self) -> usize {
        EMPTY
            + self.episodes.len() * EPISODE
            + self.passages.len() * PASSAGE
            + self.sessions.len() * SESSION
            + self.entities.len() * ENTITY
            + self.facts.len() * FACT
            + self.mentioned * size_of::<MentionNode>()
            + self.stated * (size_of::<SupportNode>() + size_of::<FactIx>())
            + self.lexical.bytes()
            + self.vectors.bytes()
            + self.name_vectors.bytes()
            + self.said.bytes()
            + self.bytes_of_walks()
    }

    /// Episodes and readings that came since the snapshot that this was made from.
    pub(crate) fn changes_since_snapshot(&self) -> usize {
        self.changes
    }
}
