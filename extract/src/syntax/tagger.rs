//! Parts of speech, one word after another from the left.

use crate::syntax::kinds::Tag;
use crate::syntax::word::{Features, Word, feature};

/// What scores the tags of a word by its features.
pub(super) trait TagScores {
    /// The best tag.
    fn best_tag(&self, features: &[u64]) -> Tag;
}

/// One tag a word.
pub(super) fn tag(scores: &impl TagScores, words: &[Word]) -> Vec<Tag> {
    let mut tags = Vec::with_capacity(words.len());
    let mut features = Features::new();
    for at in 0..words.len() {
        look(words, &tags, at, &mut features);
        tags.push(scores.best_tag(&features));
    }
    tags
}

/// The features of the word at `at`, whose predecessors have tags.
pub(super) fn look(words: &[Word], tags: &[Tag], at: usize, features: &mut Features) {
    let word = |offset: isize| {
        let place = at.checked_add_signed(offset);
        place.and_then(|place| words.get(place)).copied().unwrap_or_default()
    };
    let tag = |back: usize| at.checked_sub(back).map_or(99, |place| tags[place] as u32);
    let (own, before, next) = (word(0), word(-1), word(1));
    let first = u32::from(at == 0);
    features.clear();
    features.extend([
        feature(1, own.lower, 0, 0),
        feature(2, own.suffix, own.shape, first),
        feature(3, own.ending, own.shape, tag(1)),
        feature(4, own.first, own.shape, 0),
        feature(5, own.shape, first, next.shape),
        feature(6, tag(1), 0, 0),
        feature(7, tag(1), tag(2), 0),
        feature(8, own.lower, tag(1), 0),
        feature(9, before.lower, own.suffix, 0),
        feature(10, before.suffix, tag(1), 0),
        feature(11, word(-2).lower, 0, 0),
        feature(12, next.lower, 0, 0),
        feature(13, next.suffix, next.shape, 0),
        feature(14, word(2).lower, 0, 0),
        feature(15, own.lower, next.lower, 0),
        feature(16, own.lower, next.suffix, tag(1)),
        feature(17, own.shape, before.shape, next.shape),
        feature(18, before.lower, next.lower, 0),
    ]);
}
