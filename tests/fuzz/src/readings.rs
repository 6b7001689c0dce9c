//! What must hold of every transcript that was read, whatever it was read from.

use std::collections::HashSet;

use lorebase_engine::change::COMMIT_MAX_BYTES;
use lorebase_engine::model::episode::ExtractionStatus;
use lorebase_engine::model::id::Namespace;
use lorebase_engine::model::time::Timestamp;
use lorebase_extract::ingest::{self, UNIT_EPISODES};
use lorebase_extract::rules::RuleExtractor;
use lorebase_extract::transcript::Transcript;

/// Makes a transcript ready and reads it for facts. Nothing is lost, no unit is too large, and what was read is what may
/// be committed.
pub fn read(transcript: Transcript) {
    let (namespace, turns, sessions) =
        (Namespace::default(), transcript.turn_count(), transcript.sessions.len());
    let ids: HashSet<&str> = transcript.sessions.iter().map(|session| session.id.as_str()).collect();
    assert_eq!(ids.len(), sessions, "the sessions' ids are distinct");
    let now = Timestamp::from_millis(1_700_000_000_000).expect("it is in range");
    let prepared = ingest::prepare(transcript, &namespace, now);
    assert_eq!(prepared.episodes + prepared.refused.len(), turns, "a turn is kept or refused");
    let mut seen = 0;
    for unit in prepared.units {
        let episodes: usize = unit.iter().map(Vec::len).sum();
        let bytes: usize = unit.iter().flatten().map(|episode| episode.text.len()).sum();
        assert!(episodes > 0 && episodes <= 2 * UNIT_EPISODES, "{episodes} episodes in a unit");
        assert!(bytes <= COMMIT_MAX_BYTES || episodes == 1, "{bytes} bytes in a unit");
        seen += episodes;
        let again = unit.clone();
        let changes = ingest::read(&RuleExtractor, unit);
        assert_eq!((changes.episodes.len(), changes.readings.len()), (episodes, episodes));
        changes.validate(&namespace).expect("what was read may be committed");
        for (episode, reading) in changes.episodes.iter().zip(&changes.readings) {
            assert_eq!((episode.id, reading.status), (reading.episode, ExtractionStatus::Done));
            let mentions = reading.found.mentions.iter().map(|mention| mention.span);
            for span in mentions.chain(reading.found.triples.iter().map(|triple| triple.span)) {
                assert!(span.slice(&episode.text).is_some(), "{span:?} is outside of {:?}", episode.text);
            }
        }
        assert_eq!(ingest::read(&RuleExtractor, again), changes, "reading is a function of what is read");
    }
    assert_eq!(seen, prepared.episodes, "every episode is in a unit");
}
