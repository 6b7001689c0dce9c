//! Where texts lie after the journal was compacted.

use super::State;
use crate::store::Moves;

impl State {
    /// Corrects the places of all texts that are kept.
    pub(crate) fn relocate(&mut self, moves: &Moves) {
        // A snapshot of before is of no use any more, so another is due.
        self.changes = self.episodes.len().max(self.changes);
        for episode in self.episodes.iter_mut().filter(|episode| !episode.forgotten) {
            moves.correct(&mut episode.text);
        }
    }
}
