//! From a transcript to changes: episodes first, then what an extractor reads in them. Slow and pure: it calls
//! extractors, holds no lock and writes nothing.

use std::panic::{AssertUnwindSafe, catch_unwind};

use lorebase_engine::change::{COMMIT_MAX_BYTES, Changes, NAME_MAX_BYTES, TEXT_MAX_BYTES};
use lorebase_engine::fence;
use lorebase_engine::model::episode::{Episode, ExtractionStatus, Span};
use lorebase_engine::model::extraction::{Extraction, Reading};
use lorebase_engine::model::fact::{Triple, TripleObject};
use lorebase_engine::model::id::Namespace;
use lorebase_engine::model::time::Timestamp;
use rayon::prelude::*;

use crate::extractor::Extractor;
use crate::transcript::Transcript;

/// Whole sessions are put together into commits of about this many episodes, and a session of more than twice as many
/// is cut: one sync for many turns, and little to do again after a crash.
pub const UNIT_EPISODES: usize = 1024;

/// A turn that cannot be stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refusal {
    /// The session that it stands in.
    pub session: String,
    /// Its place there, from 0.
    pub position: u32,
    /// Why, and what to do.
    pub reason: String,
}

/// A transcript made ready: episodes in units of whole sessions, each to become one commit.
#[derive(Debug, Default)]
pub struct Prepared {
    /// Sessions of episodes, by unit.
    pub units: Vec<Vec<Vec<Episode>>>,
    /// Turns that are left out.
    pub refused: Vec<Refusal>,
    /// How many sessions there are.
    pub sessions: usize,
    /// How many episodes there are.
    pub episodes: usize,
}

/// Turns a transcript into episodes of `namespace`, in units of about [`UNIT_EPISODES`].
pub fn prepare(transcript: Transcript, namespace: &Namespace, recorded_at: Timestamp) -> Prepared {
    let mut prepared = Prepared { sessions: transcript.sessions.len(), ..Prepared::default() };
    let mut unit = Unit::default();
    for session in transcript.sessions {
        for episode in session.into_episodes(namespace, recorded_at) {
            if !accept(&episode, &mut prepared.refused) {
                continue;
            }
            prepared.episodes += 1;
            if unit.is_full_for(&episode) {
                prepared.units.push(std::mem::take(&mut unit).sessions);
            }
            unit.push(episode);
        }
    }
    if !unit.sessions.is_empty() {
        prepared.units.push(unit.sessions);
    }
    prepared
}

/// A unit that is being put together.
#[derive(Default)]
struct Unit {
    sessions: Vec<Vec<Episode>>,
    episodes: usize,
    bytes: usize,
}

impl Unit {
    /// Whether the episode must begin another unit: this one holds enough, or the episode's text no longer fits in.
    fn is_full_for(&self, episode: &Episode) -> bool {
        let begins = episode.position == 0;
        let over = self.episodes >= if begins { UNIT_EPISODES } else { 2 * UNIT_EPISODES };
        over || (self.episodes > 0 && self.bytes + episode.text.len() > COMMIT_MAX_BYTES)
    }

    fn push(&mut self, episode: Episode) {
        self.episodes += 1;
        self.bytes += episode.text.len();
        match self
            .sessions
            .last_mut()
            .filter(|session| session.last().is_some_and(|last| last.session == episode.session))
        {
            Some(session) => session.push(episode),
            None => self.sessions.push(vec![episode]),
        }
    }
}

fn accept(episode: &Episode, refused: &mut Vec<Refusal>) -> bool {
    let names = [Some(episode.session.as_str()), episode.speaker.as_deref(), episode.source_id.as_deref()];
    let reason = if episode.text.len() > TEXT_MAX_BYTES {
        format!("its text has {} bytes; cut it into turns of at most {TEXT_MAX_BYTES}", episode.text.len())
    } else if names.into_iter().flatten().any(|name| name.len() > NAME_MAX_BYTES) {
        format!("its session, speaker or id is longer than {NAME_MAX_BYTES} bytes; give it a shorter one")
    } else {
        return true;
    };
    let session = episode.session.as_str().chars().take(60).collect();
    refused.push(Refusal { session, position: episode.position, reason });
    false
}

/// Reads a unit's sessions, on all cores, into the changes of one commit.
pub fn read(extractor: &dyn Extractor, sessions: Vec<Vec<Episode>>) -> Changes {
    let readings = sessions.par_iter().flat_map_iter(|session| read_session(extractor, session)).collect();
    Changes { episodes: sessions.into_iter().flatten().collect(), readings, ..Changes::default() }
}

/// Reads one session. An extractor that fails or panics costs the readings, never the episodes.
pub fn read_session(extractor: &dyn Extractor, session: &[Episode]) -> Vec<Reading> {
    let outcome = catch_unwind(AssertUnwindSafe(|| extractor.extract(session)));
    let mut found = outcome.unwrap_or_default();
    found.resize(session.len(), Err("the extractor gave no answer".to_owned()));
    let reading = |(episode, found): (&Episode, Result<Extraction, String>)| {
        let status = if found.is_ok() { ExtractionStatus::Done } else { ExtractionStatus::Failed };
        let found = tidy(found.unwrap_or_default(), &episode.text);
        Reading { episode: episode.id, extractor: extractor.name().to_owned(), status, found }
    };
    session.iter().zip(found).map(reading).collect()
}

/// Leaves out what cannot be stored and what was recalled from the memory itself, and lets a mention have the
/// kind that a claim of the same episode gives its name.
fn tidy(mut found: Extraction, text: &str) -> Extraction {
    let fenced = fence::fenced(text);
    // The empty span of a speaker stands before the text, even where that begins with a fence.
    let inside = |span: Span, fence: &Span| fence.start <= span.start && span.end <= fence.end;
    let outside = |span: Span| span.start == span.end || !fenced.iter().any(|fence| inside(span, fence));
    let short = |name: &str| name.len() <= NAME_MAX_BYTES;
    found.mentions.retain(|mention| short(&mention.name) && outside(mention.span));
    found.triples.retain(|triple| outside(triple.span) && ends(triple).into_iter().all(short));
    for mention in &mut found.mentions {
        let named = found.triples.iter().flat_map(named_ends).find(|named| named.name == mention.name);
        if let Some(named) =
            named.filter(|_| mention.kind == lorebase_engine::model::entity::EntityKind::Unknown)
        {
            mention.kind = named.kind;
        }
    }
    found
}

fn ends(triple: &Triple) -> [&str; 3] {
    let object = match &triple.object {
        TripleObject::Entity(named) => &named.name,
        TripleObject::Value(value) => value,
    };
    [&triple.subject.name, triple.predicate.as_str(), object]
}

fn named_ends(triple: &Triple) -> impl Iterator<Item = &lorebase_engine::model::fact::Named> {
    let object = match &triple.object {
        TripleObject::Entity(named) => Some(named),
        TripleObject::Value(_) => None,
    };
    std::iter::once(&triple.subject).chain(object)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::transcript::{TranscriptSession, Turn};
    use lorebase_engine::model::id::SessionId;

    fn transcript(lengths: &[usize]) -> Transcript {
        let turn = |n| Turn { source_id: None, speaker: None, at: None, text: format!("turn {n}") };
        let session = |(n, length): (usize, &usize)| TranscriptSession {
            id: SessionId::new(&format!("s{n}")),
            at: None,
            turns: (0..*length).map(turn).collect(),
        };
        Transcript { sessions: lengths.iter().enumerate().map(session).collect() }
    }

    fn now() -> Timestamp {
        Timestamp::from_millis(0).unwrap()
    }

    #[test]
    fn sessions_are_put_together_and_long_ones_cut_without_loss() {
        let prepared = prepare(transcript(&[10, 1000, 30, 2500]), &Namespace::default(), now());
        let sizes: Vec<usize> = prepared.units.iter().map(|unit| unit.iter().map(Vec::len).sum()).collect();
        assert_eq!(sizes.iter().sum::<usize>(), 3540);
        assert!(sizes.iter().all(|size| *size <= 2 * UNIT_EPISODES));
        assert_eq!((prepared.sessions, prepared.episodes), (4, 3540));
    }

    #[test]
    fn a_turn_that_cannot_be_stored_is_reported_and_the_others_kept() {
        let mut told = transcript(&[3]);
        told.sessions[0].turns[1].speaker = Some("x".repeat(NAME_MAX_BYTES + 1));
        let prepared = prepare(told, &Namespace::default(), now());
        assert_eq!((prepared.episodes, prepared.refused[0].position), (2, 1));
    }

    struct Panics;

    impl Extractor for Panics {
        fn name(&self) -> &'static str {
            "panics"
        }

        fn extract(&self, _: &[Episode]) -> Vec<Result<Extraction, String>> {
            panic!("an extractor with a fault")
        }
    }

    #[test]
    fn a_panicking_extractor_does_not_cost_the_episodes() {
        let prepared = prepare(transcript(&[2]), &Namespace::default(), now());
        let changes = read(&Panics, prepared.units.into_iter().next().unwrap());
        assert_eq!(changes.episodes.len(), 2);
        assert!(changes.readings.iter().all(|reading| reading.status == ExtractionStatus::Failed));
    }
}
