//! From a transcript to changes: episodes first, then what an extractor reads in them. Slow and pure: it calls
//! extractors, holds no lock and writes nothing.

use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};

use lorebase_engine::change::{
    COMMIT_MAX_BYTES, COMMIT_NAMES_MAX_BYTES, Changes, FOUND_MAX, NAME_MAX_BYTES, TEXT_MAX_BYTES,
    names_of_episode,
};
use lorebase_engine::fence;
use lorebase_engine::model::episode::{Episode, ExtractionStatus, Span};
use lorebase_engine::model::extraction::{Extraction, Reading};
use lorebase_engine::model::fact::{Triple, TripleObject};
use lorebase_engine::model::id::{Namespace, SessionId};
use lorebase_engine::model::time::{SourceTime, Timestamp};
use rayon::prelude::*;

use crate::extractor::Extractor;
use crate::gate::injection;
use crate::gate::mask::{self, Secrets, Tally};
use crate::transcript::Turn;

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

/// Turns that wait for the rest of their sessions, at most, and bytes of their texts: where a file has the turns of its
/// sessions further apart than that, sessions are read in pieces.
const WAITING_TURNS: usize = 64 << 10;
const WAITING_BYTES: usize = 64 << 20;

/// The most mentions and triples that are kept of one reading, and the most bytes of their names: the first ones. Only
/// a text of megabytes that is all names has more, and the readings of others have room beside it in a commit.
pub const READING_MAX: usize = FOUND_MAX / 4;
const READING_NAMES_MAX_BYTES: usize = COMMIT_NAMES_MAX_BYTES / 4;

/// The most masks and the most flags that are kept of one reading.
const MARKS_MAX: usize = 1000;

/// Refusals that are told one by one.
pub const REFUSALS_TOLD: usize = 1000;

/// A session that turns are about to come of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Expected {
    /// As the source names it.
    pub id: SessionId,
    /// When it began, or `None` where the source does not tell.
    pub at: Option<SourceTime>,
    /// How many turns it has.
    pub turns: u32,
}

/// Makes the turns of a transcript, as they come, into episodes, and puts them together in units of whole sessions of
/// about [`UNIT_EPISODES`], each to become one commit. What waits is bounded.
pub struct Assembly<'n> {
    namespace: &'n Namespace,
    recorded_at: Timestamp,
    sessions: Vec<Session>,
    /// The sessions that have begun and are not in units yet, or not whole, in the order in which they began.
    open: VecDeque<usize>,
    waiting: usize,
    waiting_bytes: usize,
    secrets: Secrets,
    unit: Unit,
    ready: VecDeque<Vec<Vec<Episode>>>,
    counts: Counts,
}

/// What was made of the turns so far.
#[derive(Debug, Default)]
pub struct Counts {
    /// Episodes.
    pub episodes: usize,
    /// Turns that are left out: the first [`REFUSALS_TOLD`] of them.
    pub refused: Vec<Refusal>,
    /// Turns that are left out beyond those.
    pub more_refused: usize,
    /// What was masked in the others.
    pub masked: Tally,
}

struct Session {
    expected: Expected,
    /// Turns that came.
    came: u32,
    /// Those of them that wait.
    episodes: Vec<Episode>,
}

impl<'n> Assembly<'n> {
    /// Begins with sessions in the order in which their first turns come. Their numbers are their places.
    pub fn new(namespace: &'n Namespace, recorded_at: Timestamp, sessions: Vec<Expected>) -> Self {
        let session = |expected| Session { expected, came: 0, episodes: Vec::new() };
        Self {
            namespace,
            recorded_at,
            sessions: sessions.into_iter().map(session).collect(),
            open: VecDeque::new(),
            waiting: 0,
            waiting_bytes: 0,
            secrets: Secrets::default(),
            unit: Unit::default(),
            ready: VecDeque::new(),
            counts: Counts::default(),
        }
    }

    /// The same, with something else done about secrets than to mask them.
    #[must_use]
    pub fn with_secrets(self, secrets: Secrets) -> Self {
        Self { secrets, ..self }
    }

    /// Takes in the next turn of the session of that number.
    pub fn push(&mut self, session: usize, mut turn: Turn) {
        turn.text = self.secrets.applied_to(turn.text, &mut self.counts.masked);
        let place = &mut self.sessions[session];
        // One that has more turns than were expected is begun again.
        if place.came == 0 || place.came >= place.expected.turns {
            self.open.push_back(session);
        }
        let position = place.came;
        place.came += 1;
        let episode = turn.into_episode(
            (self.namespace, &place.expected.id, position),
            place.expected.at,
            self.recorded_at,
        );
        if accept(&episode, &mut self.counts) {
            self.counts.episodes += 1;
            self.waiting += 1;
            self.waiting_bytes += episode.text.len();
            place.episodes.push(episode);
        }
        self.release();
    }

    /// A unit that is ready.
    pub fn next_unit(&mut self) -> Option<Vec<Vec<Episode>>> {
        self.ready.pop_front()
    }

    /// Ends it: what waits becomes the last units.
    pub fn finish(mut self) -> (Vec<Vec<Vec<Episode>>>, Counts) {
        while let Some(session) = self.open.pop_front() {
            self.put(session);
        }
        self.cut();
        (self.ready.into(), self.counts)
    }

    /// Puts sessions into units: those in front that are whole, and where too much waits, what there is of others.
    fn release(&mut self) {
        while let Some(&front) = self.open.front() {
            let Session { expected, came, .. } = &self.sessions[front];
            if *came < expected.turns {
                break;
            }
            self.open.pop_front();
            self.put(front);
        }
        if self.waiting > WAITING_TURNS || self.waiting_bytes > WAITING_BYTES {
            let open = std::mem::take(&mut self.open);
            for session in &open {
                self.put(*session);
            }
            self.open = open;
        }
    }

    /// Puts the waiting episodes of a session into units.
    fn put(&mut self, session: usize) {
        for episode in std::mem::take(&mut self.sessions[session].episodes) {
            self.waiting -= 1;
            self.waiting_bytes -= episode.text.len();
            if self.unit.is_full_for(&episode) {
                self.cut();
            }
            self.unit.push(episode);
        }
    }

    fn cut(&mut self) {
        let unit = std::mem::take(&mut self.unit);
        if !unit.sessions.is_empty() {
            self.ready.push_back(unit.sessions);
        }
    }
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

fn accept(episode: &Episode, counts: &mut Counts) -> bool {
    let long = names_of_episode(episode).find(|(_, name)| name.len() > NAME_MAX_BYTES);
    let reason = if episode.text.len() > TEXT_MAX_BYTES {
        format!("its text has {} bytes; cut it into turns of at most {TEXT_MAX_BYTES}", episode.text.len())
    } else if let Some((what, name)) = long {
        format!("its {what} has {} bytes; give it one of at most {NAME_MAX_BYTES}", name.len())
    } else {
        return true;
    };
    if counts.refused.len() < REFUSALS_TOLD {
        let session = episode.session.as_str().chars().take(60).collect();
        counts.refused.push(Refusal { session, position: episode.position, reason });
    } else {
        counts.more_refused += 1;
    }
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
        let found = found.map_or_else(|_| Extraction::default(), |found| tidy(found, &episode.text));
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
    let masks = mask::masks(text);
    // What a mask says is no name, and what ends in one tells of what is not known.
    let unmasked =
        |span: Span| !masks.iter().any(|mask| mask.span.start < span.end && span.end <= mask.span.end);
    found.mentions.retain(|mention| short(&mention.name) && outside(mention.span) && unmasked(mention.span));
    found.triples.retain(|triple| {
        outside(triple.span)
            && unmasked(triple.span)
            && ends(triple).into_iter().all(short)
            && triple.problem().is_none()
    });
    bound(&mut found);
    found.refused = masks;
    found.flags = injection::find(text);
    found.refused.truncate(MARKS_MAX);
    found.flags.truncate(MARKS_MAX);
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

/// Keeps the first facts, and the first mentions that there is room for beside them.
fn bound(found: &mut Extraction) {
    let (mut things, mut bytes) = (0, 0);
    let mut room = |names: &[&str]| {
        things += 1;
        bytes += names.iter().map(|name| name.len()).sum::<usize>();
        things <= READING_MAX && bytes <= READING_NAMES_MAX_BYTES
    };
    let triples = found.triples.iter().take_while(|triple| room(&ends(triple))).count();
    let mentions = found.mentions.iter().take_while(|mention| room(&[&mention.name])).count();
    found.triples.truncate(triples);
    found.mentions.truncate(mentions);
}

fn ends(triple: &Triple) -> [&str; 4] {
    let object = match &triple.object {
        TripleObject::Entity(named) => &named.name,
        TripleObject::Value(value) => value,
    };
    let source = triple.attributed_to.as_deref().unwrap_or_default();
    [&triple.subject.name, triple.predicate.as_str(), object, source]
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
    use lorebase_engine::model::extraction::NamedSpan;
    use std::iter::repeat_n;

    fn expected(lengths: &[u32]) -> Vec<Expected> {
        let session = |(n, turns): (usize, &u32)| Expected {
            id: SessionId::new(&format!("s{n}")),
            at: None,
            turns: *turns,
        };
        lengths.iter().enumerate().map(session).collect()
    }

    fn turn(text: &str) -> Turn {
        Turn { source_id: None, speaker: None, at: None, text: text.to_owned() }
    }

    /// The units that come of turns of sessions of these lengths, which come in the order of `order`.
    fn assemble(lengths: &[u32], order: impl IntoIterator<Item = usize>) -> Vec<Vec<Vec<Episode>>> {
        let namespace = Namespace::default();
        let now = Timestamp::from_millis(0).unwrap();
        let mut assembly = Assembly::new(&namespace, now, expected(lengths));
        let mut units = Vec::new();
        for session in order {
            assembly.push(session, turn("hello"));
            units.extend(std::iter::from_fn(|| assembly.next_unit()));
        }
        let (rest, counts) = assembly.finish();
        units.extend(rest);
        assert_eq!(counts.episodes, lengths.iter().sum::<u32>() as usize);
        units
    }

    fn one_by_one(lengths: &[u32]) -> impl Iterator<Item = usize> {
        lengths.iter().enumerate().flat_map(|(n, length)| repeat_n(n, *length as usize))
    }

    fn sizes(units: &[Vec<Vec<Episode>>]) -> Vec<usize> {
        units.iter().map(|unit| unit.iter().map(Vec::len).sum()).collect()
    }

    #[test]
    fn sessions_are_put_together_and_long_ones_cut_without_loss() {
        let lengths = [10, 1000, 30, 2500];
        let units = assemble(&lengths, one_by_one(&lengths));
        assert_eq!(sizes(&units), [1040, 2048, 452]);
        assert_eq!(units[0].iter().map(Vec::len).collect::<Vec<_>>(), [10, 1000, 30]);
    }

    #[test]
    fn sessions_that_lie_across_each_other_are_put_together_as_those_that_do_not() {
        let lengths = [700, 700, 700];
        let across = (0..2100).map(|n| n % 3);
        let units = assemble(&lengths, across);
        let alone = assemble(&lengths, one_by_one(&lengths));
        assert_eq!(units, alone);
        // What is further apart is read in pieces, and nothing is lost.
        let long = [WAITING_TURNS as u32, WAITING_TURNS as u32];
        let pieces = assemble(&long, (0..2 * WAITING_TURNS).map(|n| n % 2));
        let mut positions = [0, 0];
        for session in pieces.iter().flatten() {
            let of = usize::from(session[0].session.as_str() == "s1");
            for episode in session {
                assert_eq!(episode.position, positions[of]);
                positions[of] += 1;
            }
        }
        assert!(
            pieces.iter().flatten().count() > 2
                && sizes(&pieces).iter().all(|size| *size <= 2 * UNIT_EPISODES)
        );
    }

    #[test]
    fn a_turn_that_cannot_be_stored_is_reported_and_the_others_kept() {
        let namespace = Namespace::default();
        let now = Timestamp::from_millis(0).unwrap();
        let mut assembly = Assembly::new(&namespace, now, expected(&[3]));
        for speaker in [None, Some("x".repeat(NAME_MAX_BYTES + 1)), None] {
            assembly.push(0, Turn { speaker, ..turn("hello") });
        }
        let (units, counts) = assembly.finish();
        let positions: Vec<u32> = units[0][0].iter().map(|episode| episode.position).collect();
        assert_eq!((positions, counts.refused[0].position), (vec![0, 2], 1));
    }

    #[test]
    fn more_turns_than_expected_are_no_loss() {
        let namespace = Namespace::default();
        let mut assembly =
            Assembly::new(&namespace, Timestamp::from_millis(0).unwrap(), expected(&[1, 2, 0]));
        for session in [0, 1, 0, 0, 2, 1, 1, 2] {
            assembly.push(session, turn("hello"));
        }
        let (units, counts) = assembly.finish();
        assert_eq!((sizes(&units), counts.episodes), (vec![8], 8));
    }

    #[test]
    fn a_reading_is_bounded() {
        let span = Span { start: 0, end: 1 };
        let kind = lorebase_engine::model::entity::EntityKind::Unknown;
        let mention = |name: &str| NamedSpan { span, name: name.to_owned(), kind };
        let mut found = Extraction { mentions: vec![mention("A"); READING_MAX + 1], ..Extraction::default() };
        found.mentions[0] = mention(&"x".repeat(NAME_MAX_BYTES));
        let found = tidy(found, "A");
        assert_eq!((found.mentions.len(), found.mentions[0].name.len()), (READING_MAX, NAME_MAX_BYTES));
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
        let units = assemble(&[2], [0, 0]);
        let changes = read(&Panics, units.into_iter().next().unwrap());
        assert_eq!(changes.episodes.len(), 2);
        assert!(changes.readings.iter().all(|reading| reading.status == ExtractionStatus::Failed));
    }
}
