//! How many sentences an extractor reads a second, on the one thread that calls it.

use std::path::Path;
use std::time::Instant;

use lorebase_engine::model::episode::Episode;
use lorebase_extract::extractor::Extractor;
use serde::Serialize;

use super::conversations::read_sessions;
use super::texts::episodes;
use crate::error::Error;

/// How often everything is read; the median counts.
const ROUNDS: usize = 5;

/// How quickly the turns of conversations are read.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SpeedReport {
    /// Turns that were read.
    pub turns: usize,
    /// Their sentences: pieces with a letter or digit between the marks that end sentences.
    pub sentences: usize,
    /// Sentences a second in the median round.
    pub sentences_per_second: f64,
    /// Turns a second in the median round.
    pub turns_per_second: f64,
}

/// Times an extractor over the conversations in the directory of the data.
pub fn measure(extractor: &dyn Extractor, directory: &Path) -> Result<SpeedReport, Error> {
    let sessions: Vec<Vec<Episode>> = read_sessions(directory)?.into_iter().map(episodes).collect();
    let turns = sessions.iter().map(Vec::len).sum::<usize>();
    let sentences = sessions.iter().flatten().map(|episode| count_sentences(&episode.text)).sum::<usize>();
    let mut rounds: Vec<f64> = (0..ROUNDS).map(|_| round(extractor, &sessions)).collect();
    rounds.sort_by(f64::total_cmp);
    let seconds = rounds[ROUNDS / 2].max(f64::MIN_POSITIVE);
    Ok(SpeedReport {
        turns,
        sentences,
        sentences_per_second: sentences as f64 / seconds,
        turns_per_second: turns as f64 / seconds,
    })
}

/// The seconds that reading all sessions takes.
fn round(extractor: &dyn Extractor, sessions: &[Vec<Episode>]) -> f64 {
    let begin = Instant::now();
    for session in sessions {
        std::hint::black_box(extractor.extract(session));
    }
    begin.elapsed().as_secs_f64()
}

/// Counts pieces that have a letter or digit, between marks that end sentences; a mark inside a word, as in "3.5" or
/// "e.g.", ends none unless white space follows, but for the marks of scripts without spaces.
fn count_sentences(text: &str) -> usize {
    let (mut count, mut open, mut ending) = (0, false, false);
    for c in text.chars() {
        let ends = open && (matches!(c, '。' | '！' | '？' | '\n') || (ending && c.is_whitespace()));
        if ends {
            (count, open) = (count + 1, false);
        }
        open |= c.is_alphanumeric();
        ending = matches!(c, '.' | '!' | '?' | '…') || (ending && matches!(c, '"' | '\'' | ')' | '”' | '’'));
    }
    count + usize::from(open)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sentences_end_at_marks() {
        for (text, count) in [
            ("", 0),
            ("...", 0),
            ("Hi", 1),
            ("Hi! It costs 3.5 euros. \"Really?\" Yes...", 4),
            ("One\n\ntwo", 2),
            ("你好。再见！", 2),
        ] {
            assert_eq!(count_sentences(text), count, "{text}");
        }
    }
}
