//! What must hold of every transcript that was read, whatever it was read from.

use lorebase_engine::change::COMMIT_MAX_BYTES;
use lorebase_engine::model::episode::{Episode, ExtractionStatus};
use lorebase_engine::model::id::{Namespace, SessionId};
use lorebase_engine::model::time::Timestamp;
use lorebase_extract::error::Error;
use lorebase_extract::formats::outline::Outline;
use lorebase_extract::formats::told::Told;
use lorebase_extract::ingest::{self, Assembly, Expected, UNIT_EPISODES};
use lorebase_extract::rules::RuleExtractor;
use lorebase_extract::transcript::Transcript;

/// When the memory is told.
fn now() -> Timestamp {
    Timestamp::from_millis(1_700_000_000_000).expect("it is in range")
}

/// Puts a transcript together, session by session, and reads it for facts. Nothing is lost.
pub fn read(transcript: Transcript) {
    let (namespace, turns) = (Namespace::default(), transcript.turn_count());
    let expected = transcript.sessions.iter().map(|session| Expected {
        id: session.id.clone(),
        at: session.at,
        turns: session.turns.len() as u32,
    });
    let mut assembly = Assembly::new(&namespace, now(), expected.collect());
    for (number, session) in transcript.sessions.into_iter().enumerate() {
        session.turns.into_iter().for_each(|turn| assembly.push(number, turn));
    }
    assert_eq!(finish(assembly), turns, "a turn is kept or refused");
}

/// Reads a file the second time, as it is taken in: turn by turn, in the order of the file. Nothing is lost.
pub fn take_in(outline: &Outline) {
    let namespace = Namespace::default();
    let mut documents = outline.documents.iter();
    let (mut document, mut session, mut turns) = (None, None, 0);
    let mut assembly: Option<Assembly<'_>> = None;
    let tell = &mut |told: Told<'_>| -> Result<(), Error> {
        match told {
            Told::Document { .. } => {
                turns += assembly.take().map_or(0, finish);
                document = Some(documents.next().expect("there are as many as were counted"));
                let sessions = document.map_or(&[][..], |document| &document.sessions).iter();
                let expected = sessions.map(|session| Expected {
                    id: SessionId::new(&session.id),
                    at: session.at,
                    turns: session.turns,
                });
                assembly = Some(Assembly::new(&namespace, now(), expected.collect()));
            }
            Told::Session { id, .. } => session = document.and_then(|document| document.number(id)),
            Told::Turn(turn) => {
                let assembly = assembly.as_mut().expect("a document was told before");
                assembly.push(session.expect("a session was told before"), turn);
            }
        }
        Ok(())
    };
    outline.stream(tell).expect("it was read before");
    turns += assembly.take().map_or(0, finish);
    assert_eq!(turns as u64, outline.turns, "a turn is kept or refused");
}

/// Ends a transcript. Returns how many turns it had, refused ones among them.
fn finish(mut assembly: Assembly<'_>) -> usize {
    let mut units: Vec<Vec<Vec<Episode>>> = std::iter::from_fn(|| assembly.next_unit()).collect();
    let (last, counts) = assembly.finish();
    units.extend(last);
    let episodes = units.into_iter().map(read_unit).sum::<usize>();
    assert_eq!(episodes, counts.episodes, "every episode is in a unit");
    episodes + counts.refused.len() + counts.more_refused
}

/// Reads a unit for facts. It is not too large, and what was read is what may be committed.
fn read_unit(unit: Vec<Vec<Episode>>) -> usize {
    let count: usize = unit.iter().map(Vec::len).sum();
    let bytes: usize = unit.iter().flatten().map(|episode| episode.text.len()).sum();
    assert!(count > 0 && count <= 2 * UNIT_EPISODES, "{count} episodes in a unit");
    assert!(bytes <= COMMIT_MAX_BYTES || count == 1, "{bytes} bytes in a unit");
    let again = unit.clone();
    let changes = ingest::read(&RuleExtractor, unit);
    assert_eq!((changes.episodes.len(), changes.readings.len()), (count, count));
    changes.validate(&Namespace::default()).expect("what was read may be committed");
    for (episode, reading) in changes.episodes.iter().zip(&changes.readings) {
        assert_eq!((episode.id, reading.status), (reading.episode, ExtractionStatus::Done));
        let mentions = reading.found.mentions.iter().map(|mention| mention.span);
        // Spans count characters. To slice each would take a walk through the text.
        let characters = episode.text.chars().count() as u32;
        for span in mentions.chain(reading.found.triples.iter().map(|triple| triple.span)) {
            let inside = span.start <= span.end && span.end <= characters;
            assert!(inside, "{span:?} is outside of {:?}", episode.text);
        }
    }
    assert_eq!(ingest::read(&RuleExtractor, again), changes, "reading is a function of what is read");
    count
}
