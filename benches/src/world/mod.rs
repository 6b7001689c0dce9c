//! Generated histories: people who work, move, marry, travel and talk about it. Seeded, so that a world can be made
//! again; names and words are drawn by Zipf's law, so that a few are said often, most seldom, and new ones never end.
//!
//! A world is made session by session, each from its own seed: a million turns never stand in memory at once, and any
//! session can be made alone. It is as a real history is, but for how much is told: people's own talk gives the rules
//! of `extract` a fact in ten turns, this one three in each, which is what the goals of scale speak of.

mod lexicon;
mod life;
mod names;
mod patterns;
pub mod questions;
mod talk;

use fastrand::Rng;
use jiff::civil::date;
use jiff::{Span, ToSpan};
use lorebase::engine::model::id::SessionId;
use lorebase::engine::model::time::SourceTime;
use lorebase::extract::transcript::{Transcript, TranscriptSession, Turn};

pub use self::names::person;
use self::talk::Scene;

/// Turns that a session has, at least and at most.
const SESSION_TURNS: (usize, usize) = (8, 40);
/// Turns for each person who is told of.
const TURNS_A_PERSON: usize = 20;
/// However short the history, this many are told of.
const PEOPLE_MIN: usize = 40;
/// The hours that a history covers, whatever its length: five years.
const HOURS: usize = 5 * 365 * 24;
/// How much flatter than by Zipf's law speakers are drawn: who talks most has a share of a few in a thousand.
const SPEAKER_OFFSET: f64 = 50.0;

/// A number below `end`, where the one at place n is drawn about 1/(n + 1) as often as the first.
pub fn zipf(random: &mut Rng, end: usize) -> usize {
    zipf_from(random, end, 1.0)
}

/// As [`zipf`], about 1/(n + offset) as often.
fn zipf_from(random: &mut Rng, end: usize, offset: f64) -> usize {
    let drawn = offset * ((end as f64 + offset) / offset).powf(random.f64()) - offset;
    (drawn as usize).min(end.saturating_sub(1))
}

/// A history that has not been made yet.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct World {
    seed: u64,
    turns: usize,
    people: usize,
}

impl World {
    /// The history of `turns` turns with this seed, among as many people as fit.
    pub fn new(seed: u64, turns: usize) -> Self {
        Self::among(seed, turns, (turns / TURNS_A_PERSON).max(PEOPLE_MIN))
    }

    /// As [`World::new`], among `people` people, at least two.
    pub fn among(seed: u64, turns: usize, people: usize) -> Self {
        Self { seed, turns, people: people.max(2) }
    }

    /// How many people there are.
    pub fn people(&self) -> usize {
        self.people
    }

    /// How many turns it has.
    pub fn turns(&self) -> usize {
        self.turns
    }

    /// About how many sessions it has.
    pub fn session_count(&self) -> usize {
        self.turns.div_ceil(usize::midpoint(SESSION_TURNS.0, SESSION_TURNS.1))
    }

    /// Its sessions in order, made as they are asked for.
    pub fn sessions(self) -> Sessions {
        Sessions { world: self, next: 0, left: self.turns }
    }

    /// Its sessions in transcripts of about `turns` turns each, so that a long history can be taken in piece by piece.
    pub fn pieces(self, turns: usize) -> Pieces {
        Pieces { sessions: self.sessions(), turns }
    }

    /// The session of this number; the history's last may be shorter.
    pub fn session(&self, number: usize) -> TranscriptSession {
        let mut random = Rng::with_seed(names::mix(self.seed, number as u64));
        let length = random.usize(SESSION_TURNS.0..=SESSION_TURNS.1);
        let start = self.start_of(number);
        let mut scene = Scene::new(*self, number, &mut random);
        let mut at = start;
        let turn = |place: usize| {
            let (speaker, text) = scene.turn();
            at = at.saturating_add(scene.seconds_between().seconds());
            Turn {
                source_id: Some(format!("W{number}:{place}")),
                speaker: Some(speaker),
                at: SourceTime::naive(at).ok(),
                text,
            }
        };
        let turns = (0..length).map(turn).collect();
        TranscriptSession {
            id: SessionId::new(&format!("W{number}")),
            at: SourceTime::naive(start).ok(),
            turns,
        }
    }

    /// When the session of this number begins.
    pub fn start_of(&self, number: usize) -> jiff::civil::DateTime {
        let minutes = number * HOURS * 60 / self.session_count().max(1);
        let since: Span = (minutes as i64).minutes();
        date(2019, 1, 1).at(0, 0, 0, 0).saturating_add(since)
    }

    /// Somebody who is talked of: a few often, most seldom.
    fn anyone(&self, random: &mut Rng) -> usize {
        zipf_from(random, self.people, 4.0)
    }

    /// Somebody who talks.
    fn speaker(&self, random: &mut Rng) -> usize {
        zipf_from(random, self.people, SPEAKER_OFFSET)
    }
}

/// The sessions of a world in order.
#[derive(Debug, Clone)]
pub struct Sessions {
    world: World,
    next: usize,
    left: usize,
}

impl Iterator for Sessions {
    type Item = TranscriptSession;

    fn next(&mut self) -> Option<TranscriptSession> {
        if self.left == 0 {
            return None;
        }
        let mut session = self.world.session(self.next);
        session.turns.truncate(self.left);
        self.left -= session.turns.len();
        self.next += 1;
        Some(session)
    }
}

/// The sessions of a world, several in a transcript.
#[derive(Debug, Clone)]
pub struct Pieces {
    sessions: Sessions,
    turns: usize,
}

impl Iterator for Pieces {
    type Item = Transcript;

    fn next(&mut self) -> Option<Transcript> {
        let mut piece = Transcript::default();
        let mut turns = 0;
        while turns < self.turns
            && let Some(session) = self.sessions.next()
        {
            turns += session.turns.len();
            piece.sessions.push(session);
        }
        (turns > 0).then_some(piece)
    }
}

/// A whole history among `people` people, for small ones.
pub fn transcript(seed: u64, turns: usize, people: usize) -> Transcript {
    Transcript { sessions: World::among(seed, turns, people).sessions().collect() }
}

#[cfg(test)]
mod tests;
