//! How people tell what they know, several ways for each tie.
//!
//! `{S}` and `{O}` are the two ends of the tie as subjects ("I", "my sister Ines", "Ines"), `{s}` and `{o}` as objects
//! ("me"), `{S's}` and `{O's}` as owners ("my", "Ines's"). `[a|b]` is said as `a` of the speaker at the first end and
//! as `b` of everybody else, `<a|b>` does so for the other end. `{he}` and `{his}` are the first end again, `{old}`
//! what was before; `{wife}`, `{brother}`, `{mother}` and `{child}` are what the first, or of `{O.brother}` and the like
//! the other end is called; `{kind}` is what an animal is.

use fastrand::Rng;

use super::Half;
use super::world::{Era, Tie};

/// Chance, and the half of which words may be used.
pub(super) struct Pick {
    pub(super) rng: Rng,
    pub(super) half: Half,
}

impl Pick {
    /// One of a list. What stands in its last third comes in worlds that are kept apart only.
    pub(super) fn of(&mut self, list: &[&'static str]) -> &'static str {
        let open = match self.half {
            Half::Development => list.len() - list.len() / 3,
            Half::Held => list.len(),
        };
        list[self.rng.usize(0..open)]
    }

    /// True in this share of the cases.
    pub(super) fn chance(&mut self, share: f32) -> bool {
        self.rng.f32() < share
    }

    /// A number below `end`.
    pub(super) fn below(&mut self, end: usize) -> usize {
        self.rng.usize(0..end)
    }
}

/// The ways to tell a tie.
pub(super) fn phrases(tie: Tie, era: Era) -> &'static [&'static str] {
    match (tie, era) {
        (Tie::Home, Era::Since) => MOVED,
        (Tie::Employer, Era::Since) => HIRED,
        (Tie::Spouse, _) => SPOUSE,
        (Tie::Sibling, _) => SIBLING,
        (Tie::Parent, _) => PARENT,
        (Tie::Friend, _) => FRIEND,
        (Tie::Boss, _) => BOSS,
        (Tie::Employer, _) => EMPLOYER,
        (Tie::Job, _) => JOB,
        (Tie::Home, _) => HOME,
        (Tie::Founder, _) => FOUNDER,
        (Tie::Seat, _) => SEAT,
        (Tie::Region, _) => REGION,
        (Tie::School, _) => SCHOOL,
        (Tie::SchoolTown, _) => SCHOOL_TOWN,
        (Tie::Pet, _) => PET,
        (Tie::Instrument, _) => INSTRUMENT,
        (Tie::Hobby, _) => HOBBY,
    }
}

const SPOUSE: &[&str] = &[
    "{S} [am|is] married to {o}.",
    "{S's} {O.wife} is called {O}.",
    "{S} and {O} are married.",
    "{S} and {O} got married years ago.",
    "{S's} {O.wife} {O} made dinner last night.",
    "{O} <am|is> {S's} {O.wife}.",
    "{S} and {O} have been married for ages.",
    "{S} married {o} a long time ago.",
    "{O}, {S's} {O.wife}, makes the best soup.",
];

const SIBLING: &[&str] = &[
    "{O} <am|is> {S's} {O.brother}.",
    "{S} [have|has] a {O.brother} called {O}.",
    "{S's} {O.brother} {O} called last night.",
    "{S} and {O} are siblings.",
    "{S} [am|is] {O's} {brother}.",
    "{O's} {brother} is {S}.",
    "{S} grew up with {o}, {S's} {O.brother}, in the same room.",
    "You know {O}, {S's} {O.brother}? {S} [argue|argues] with {o} all the time.",
];

const PARENT: &[&str] = &[
    "{S} [am|is] {O's} {mother}.",
    "{O's} {mother} is called {S}.",
    "{O's} {mother} {S} came by on Sunday.",
    "{O} <am|is> {S's} {O.child}.",
    "{S} [have|has] a {O.child} called {O}.",
    "{O's} {mother} is {S}.",
    "{S's} {O.child} {O} is growing up so fast.",
    "{S}, {O's} {mother}, bakes every weekend.",
];

const FRIEND: &[&str] = &[
    "{S} and {O} are good friends.",
    "{O} <am|is> a friend of {S's-own}.",
    "{S's} friend {O} sent a postcard.",
    "{S} [am|is] friends with {o}.",
    "{S} and {O} have been friends since school.",
    "{O} <am|is> one of {S's} best friends.",
    "{S} [have|has] been close friends with {o} forever.",
];

const BOSS: &[&str] = &[
    "{S's} boss is {O}.",
    "{S} [report|reports] to {o}.",
    "{O} <am|is> {S's} boss.",
    "{S's} manager is called {O}.",
    "{S} [work|works] under {o}.",
    "{S's} boss {O} never takes a holiday.",
    "{O} <manage|manages> {s}.",
    "{S's} supervisor, {O}, is strict about deadlines.",
    "The one who tells {s} what to do at work is {O}.",
];

const EMPLOYER: &[&str] = &[
    "{S} [work|works] at {O}.",
    "{S} [work|works] for {O}.",
    "{S} [have|has] a job at {O}.",
    "{S} [have|has] been with {O} for six years.",
    "{S} [am|is] employed by {O}.",
    "{S} [have|has] worked at {O} for ages.",
    "{S} [am|is] working for {O}.",
    "{S} [spend|spends] the whole week at {O}, the work never ends there.",
];

const HIRED: &[&str] = &[
    "{S} started at {O} last week.",
    "{S} [have|has] a new job at {O}.",
    "{S} left {old} and joined {O}.",
    "{S} [work|works] at {O} now.",
    "{S} switched from {old} to {O}.",
    "{S} got hired by {O}.",
    "{S} [have|has] quit {old} and [work|works] for {O} now.",
    "{S} [have|has] gone over to {O}, {old} is history.",
];

const JOB: &[&str] = &[
    "{S} [work|works] as a {O}.",
    "{S} [am|is] a {O}.",
    "{S} [have|has] been a {O} for a long time.",
    "{S} [make|makes] a living as a {O}.",
];

const HOME: &[&str] = &[
    "{S} [live|lives] in {O}.",
    "{S} [live|lives] in {O}, close to the station.",
    "{S} [have|has] been living in {O} for years.",
    "{S} [live|lives] over in {O}.",
    "{S} [am|is] based in {O}.",
    "{S's} flat in {O} is tiny but lovely.",
    "{S} [have|has] lived in {O} for ten years.",
    "{S} [have|has] a little house in {O}.",
];

const MOVED: &[&str] = &[
    "{S} moved to {O} last month.",
    "{S} just moved to {O}.",
    "{S} [have|has] moved to {O}, by the way.",
    "{S} [live|lives] in {O} now.",
    "{S} moved from {old} to {O} in spring.",
    "{S} left {old} and [live|lives] in {O} now.",
    "{S} relocated to {O} a few weeks ago.",
];

const FOUNDER: &[&str] = &[
    "{O} founded {S}.",
    "{S} was founded by {o}.",
    "{O} started {S} in a garage.",
    "{O} <am|is> the founder of {S}.",
    "It was {O} who founded {S}.",
    "{O} set up {S} many years ago.",
];

const SEAT: &[&str] = &[
    "{S} is based in {O}.",
    "{S} has its office in {O}.",
    "{S} is in {O}.",
    "The offices of {S} are in {O}.",
    "{S} is a company in {O}.",
    "{S} has its headquarters in {O}.",
];

const REGION: &[&str] = &[
    "{S} is in {O}.",
    "{S} is a town in {O}.",
    "{S} lies in {O}.",
    "{S}, which is in {O}, gets a lot of rain.",
    "{S} is one of the nicest towns in {O}.",
];

const SCHOOL: &[&str] = &[
    "{S} [go|goes] to {O}.",
    "{S} [study|studies] at {O}.",
    "{S} [attend|attends] {O}.",
    "{S} [am|is] a student at {O}.",
    "{S} [am|is] in the third year at {O}.",
];

const SCHOOL_TOWN: &[&str] = &[
    "{S} is in {O}.",
    "{S} is located in {O}.",
    "{S} is a school in {O}.",
    "{S} stands right in the middle of {O}.",
];

const PET: &[&str] = &[
    "{S} [have|has] a {kind} called {O}.",
    "{S's} {kind} {O} chewed up a shoe.",
    "{S's} {kind} is called {O}.",
    "{S} got a {kind} named {O}.",
    "{O} is {S's} {kind}.",
    "{O}, {S's} {kind}, is hiding under the sofa again.",
];

const INSTRUMENT: &[&str] = &[
    "{S} [play|plays] the {O}.",
    "{S} [have|has] been playing the {O} since childhood.",
    "{S} [play|plays] the {O} in a small band.",
    "{S} [practise|practises] the {O} every evening.",
    "{S} [am|is] learning to play the {O}.",
];

const HOBBY: &[&str] = &[
    "{S's} hobby is {O}.",
    "{S} [am|is] really into {O}.",
    "{S} [love|loves] {O}.",
    "{S} [have|has] taken up {O}.",
    "{S} [spend|spends] every free minute on {O}.",
    "{S's} great passion is {O}.",
];

/// What comes before a telling now and then.
pub(super) const OPENINGS: &[&str] = &[
    "By the way, ",
    "Oh, and ",
    "You know, ",
    "Did I mention? ",
    "Guess what: ",
    "As you know, ",
    "Speaking of that, ",
];

/// What comes after one.
pub(super) const ENDINGS: &[&str] = &[
    " Time flies.",
    " It's a small world!",
    " I keep forgetting that.",
    " Isn't that nice?",
    " Anyway, how are you?",
    " Funny how things go.",
];

/// What says nothing; `{A}` and `{B}` are people, `{T}` is a town and `{C}` a company.
pub(super) const TALK: &[&str] = &[
    "How was your weekend?",
    "I slept badly, the neighbours had a party.",
    "Haha, that sounds just like {A}!",
    "Nice! I had lunch with {A} the other day.",
    "I saw {A} at the market yesterday.",
    "{A} was in {T} for a concert last weekend.",
    "Did you hear that {A} and {B} went hiking near {T}?",
    "The train to {T} was late again.",
    "{A} would love to live in {T} one day.",
    "I read something about {C} in the paper.",
    "{A} once thought about a job at {C}, but nothing came of it.",
    "Have you been to {T} lately?",
    "It has been raining all week.",
    "I should call {A} again.",
    "That's good to hear.",
    "{B} told me that {A} is doing fine.",
    "We should all go to {T} in summer.",
    "{A} borrowed my bike and forgot to bring it back.",
    "I met {A} and {B} for coffee.",
    "{A} visited {B} in {T} at Easter.",
    "The food at that place near {C} is terrible.",
];
