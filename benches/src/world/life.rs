//! What is so of a person of a world, and changes seldom: kin, home, work, school. Made from the numbers alone, so
//! that what is said of somebody in two sessions agrees without being kept anywhere.

use fastrand::Rng;

use super::names::{self, TOWNS, mix};
use super::{World, lexicon, zipf, zipf_from};

/// Who somebody is to somebody, whether they are family, and how often each is told of.
const ROLES: [(&str, bool); 16] = [
    ("sister", true),
    ("brother", true),
    ("mother", true),
    ("father", true),
    ("daughter", true),
    ("son", true),
    ("cousin", true),
    ("aunt", true),
    ("partner", true),
    ("friend", false),
    ("best friend", false),
    ("neighbour", false),
    ("boss", false),
    ("colleague", false),
    ("flatmate", false),
    ("uncle", true),
];

/// Firms that people work at, for each hundred people.
const FIRMS_A_HUNDRED: usize = 12;

/// How often people move or change their work in the time of a history.
const CHANGES: f64 = 2.5;

/// A person of a world at some point of its history.
#[derive(Clone, Copy)]
pub(super) struct Life {
    world: World,
    number: usize,
    /// How much of the history has passed, from 0 to 1.
    progress: f64,
}

impl Life {
    pub(super) fn new(world: World, number: usize, progress: f64) -> Self {
        Self { world, number, progress }
    }

    /// The person's own random numbers for one side of life.
    fn drawn(&self, side: u64) -> Rng {
        Rng::with_seed(mix(mix(self.world.seed ^ side, 17), self.number as u64))
    }

    /// As [`Life::drawn`], anew each time that side of life changes; `back` changes ago.
    fn drawn_now(&self, side: u64, back: u64) -> Rng {
        let stage = (self.progress * CHANGES + self.drawn(side).f64()) as u64 + 8;
        Rng::with_seed(mix(self.drawn(side).u64(..), stage - back.min(8)))
    }

    pub(super) fn given(&self) -> String {
        names::given(self.number)
    }

    /// Where they live, or lived `back` homes ago.
    pub(super) fn home(&self, back: u64) -> String {
        names::town(zipf(&mut self.drawn_now(1, back), TOWNS))
    }

    pub(super) fn birthplace(&self) -> String {
        names::town(zipf(&mut self.drawn(2), TOWNS))
    }

    /// Where they work, or worked `back` firms ago.
    pub(super) fn firm(&self, back: u64) -> String {
        let firms = (self.world.people * FIRMS_A_HUNDRED / 100).max(10);
        names::firm(zipf(&mut self.drawn_now(3, back), firms))
    }

    pub(super) fn job(&self) -> &'static str {
        lexicon::JOBS.at(&mut self.drawn(4))
    }

    pub(super) fn school(&self) -> String {
        names::school(zipf(&mut self.drawn(5), 800))
    }

    pub(super) fn subject(&self) -> &'static str {
        lexicon::SUBJECTS.at(&mut self.drawn(6))
    }

    pub(super) fn age(&self) -> usize {
        18 + (self.drawn(7).usize(..60) + (self.progress * 5.0) as usize)
    }

    /// Something that they have always liked.
    pub(super) fn taste(&self, random: &mut Rng) -> &'static str {
        let mut own = self.drawn(8 + random.u64(..9));
        lexicon::FOODS.at(&mut own)
    }

    /// A kind of pet and what theirs is called.
    pub(super) fn pet(&self, which: u64) -> (&'static str, String) {
        let mut own = self.drawn(20 + which);
        let kind = lexicon::PETS.at(&mut own);
        let name = if own.u8(..4) == 0 {
            names::capitalised(&names::coined(zipf_from(&mut own, 20_000, 30.0)))
        } else {
            names::capitalised(lexicon::PET_NAMES.at(&mut own))
        };
        (kind, name)
    }

    /// One of those close to them: who that is to them, the number, and whether family.
    pub(super) fn kin(&self, random: &mut Rng) -> (&'static str, usize, bool) {
        let which = zipf(random, ROLES.len());
        let mut own = self.drawn(40 + which as u64);
        // Each has an own order, so that not everybody tells of a sister first.
        let (role, family) = ROLES[(which + self.number) % ROLES.len()];
        (role, own.usize(..self.world.people), family)
    }

    /// A word for somebody who stands close to somebody.
    pub(super) fn role(random: &mut Rng) -> &'static str {
        ROLES[random.usize(..ROLES.len())].0
    }
}
