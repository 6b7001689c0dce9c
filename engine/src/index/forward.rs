//! What each document holds: its counted terms and its length. It knows no words and no weights.

use crate::index::vocabulary::TermId;
use serde::{Deserialize, Serialize};

/// The length that marks a document number without a living document.
const ABSENT: u32 = u32::MAX;

/// Documents by number, each with its terms.
#[derive(Default, Serialize, Deserialize)]
pub(super) struct Forward {
    /// Content words in a document, or [`ABSENT`].
    lengths: Vec<u32>,
    /// Where a document's counts end in `counts`; they begin where those of the number before it end.
    ends: Vec<usize>,
    /// For each document its distinct terms and how often it has them, by term.
    counts: Vec<(TermId, u32)>,
    /// Living documents.
    pub(super) living: usize,
    /// Content words in the living documents.
    pub(super) total_length: u64,
}

impl Forward {
    /// Counts that are held.
    pub(super) fn held(&self) -> usize {
        self.counts.len()
    }

    /// What it takes in memory, in bytes.
    pub(super) fn bytes(&self) -> usize {
        4 * self.lengths.capacity() + 8 * (self.ends.capacity() + self.counts.capacity())
    }

    /// Of so many terms, how many living documents have each; `None` where this does not hold together.
    pub(super) fn frequencies(&self, terms: usize) -> Option<Vec<u32>> {
        let ends = self.ends.is_sorted() && self.ends.last().is_none_or(|end| *end <= self.counts.len());
        let lengths = self.lengths.iter().filter(|length| **length != ABSENT);
        let (living, total) =
            lengths.fold((0, 0), |(count, sum), length| (count + 1, sum + u64::from(*length)));
        if !ends
            || self.lengths.len() != self.ends.len()
            || (living, total) != (self.living, self.total_length)
        {
            return None;
        }
        let mut frequencies = vec![0; terms];
        for (term, _) in self.documents().flat_map(|document| self.terms(document)) {
            *frequencies.get_mut(term.0 as usize)? += 1;
        }
        Some(frequencies)
    }

    /// One past the highest number ever given.
    pub(super) fn end(&self) -> u32 {
        self.lengths.len() as u32
    }

    /// Leaves out the numbers up to `next`: documents that never lived.
    pub(super) fn skip_to(&mut self, next: u32) {
        self.lengths.resize(next as usize, ABSENT);
        self.ends.resize(next as usize, self.counts.len());
    }

    /// Adds a document under the next number.
    pub(super) fn push(&mut self, counts: &[(TermId, u32)], length: u32) {
        self.counts.extend_from_slice(counts);
        self.ends.push(self.counts.len());
        self.lengths.push(length);
        self.total_length += u64::from(length);
        self.living += 1;
    }

    /// Marks a document as removed. Its terms stay in memory until [`sweep`](Self::sweep). Whether it lived.
    pub(super) fn remove(&mut self, document: u32) -> bool {
        let Some(length) = self.length(document) else {
            return false;
        };
        self.lengths[document as usize] = ABSENT;
        self.total_length -= u64::from(length);
        self.living -= 1;
        true
    }

    /// Forgets the terms of removed documents.
    pub(super) fn sweep(&mut self) {
        let mut kept = 0;
        let mut start = 0;
        for (end, length) in self.ends.iter_mut().zip(&self.lengths) {
            let span = start..*end;
            start = *end;
            if *length != ABSENT {
                let count = span.len();
                self.counts.copy_within(span, kept);
                kept += count;
            }
            *end = kept;
        }
        self.counts.truncate(kept);
    }

    /// Content words in a document, or `None` if it does not live.
    #[inline]
    pub(super) fn length(&self, document: u32) -> Option<u32> {
        self.lengths.get(document as usize).copied().filter(|length| *length != ABSENT)
    }

    /// A document's distinct terms and how often it has them, by term; nothing if it does not live.
    pub(super) fn terms(&self, document: u32) -> &[(TermId, u32)] {
        if self.length(document).is_none() {
            return &[];
        }
        let start = document.checked_sub(1).map_or(0, |before| self.ends[before as usize]);
        &self.counts[start..self.ends[document as usize]]
    }

    /// The numbers of the living documents, increasing.
    pub(super) fn documents(&self) -> impl Iterator<Item = u32> {
        (0..self.end()).filter(|document| self.length(*document).is_some())
    }
}
