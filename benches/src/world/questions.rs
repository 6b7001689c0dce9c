//! Questions about a world, several kinds of them: what a memory is asked costs differently by what it must look at.

use std::collections::HashMap;

use fastrand::Rng;
use jiff::Span;
use lorebase::engine::model::time::{SourceTime, Timestamp};
use lorebase::query::question::Question;

use super::names::{coined, given, mix};
use super::{HOURS, World, lexicon, person};

/// A kind of question.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Kind {
    /// Over two relations, in words that stand in a large part of all turns.
    TwoHops,
    /// One relation of one person.
    OneHop,
    /// Names and little else.
    Names,
    /// Words that one turn in thousands has.
    RareWords,
    /// One or two relations, of a time in the middle of the history.
    AsOf,
    /// Words that no turn has, so that spelling and vectors must do.
    Unknown,
}

impl Kind {
    /// All kinds with what they are called.
    pub const ALL: [(Self, &'static str); 6] = [
        (Self::TwoHops, "two hops"),
        (Self::OneHop, "one hop"),
        (Self::Names, "names"),
        (Self::RareWords, "rare words"),
        (Self::AsOf, "as of"),
        (Self::Unknown, "unknown words"),
    ];
}

/// A question and under which conditions it is asked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Asked {
    /// Which kind it is.
    pub kind: Kind,
    /// In words.
    pub text: String,
    /// Only what was said until then counts.
    pub as_of: Option<Timestamp>,
}

impl Asked {
    /// As the memory takes it.
    pub fn question(&self) -> Question<'_> {
        Question { as_of: self.as_of, ..Question::new(&self.text) }
    }
}

/// `each` questions of each kind, the kinds in turn. `round` makes others.
pub fn questions(world: &World, each: usize, round: u64) -> Vec<Asked> {
    let mut random = Rng::with_seed(mix(world.seed ^ 0x5153, round));
    let rare = rare_words(world, &mut random);
    let mut asked = Vec::with_capacity(each * Kind::ALL.len());
    for number in 0..each {
        for (kind, _) in Kind::ALL {
            asked.push(ask(world, kind, number, &rare, &mut random));
        }
    }
    asked
}

fn ask(world: &World, kind: Kind, number: usize, rare: &[String], random: &mut Rng) -> Asked {
    let mut who = || {
        // Half of them about those whom many turns name, half about anybody.
        person(if random.bool() { world.anyone(random) } else { random.usize(..world.people) })
    };
    let (one, other) = (who(), who());
    let mut word = || rare.get(random.usize(..rare.len().max(1))).cloned().unwrap_or_default();
    let text = match kind {
        Kind::TwoHops => two_hops(number, &one),
        Kind::OneHop => one_hop(number, &one),
        Kind::Names => match number % 3 {
            0 => format!("{one} and {other}"),
            1 => format!("Who is {one}?"),
            _ => format!("{}?", given(random.usize(..world.people))),
        },
        Kind::RareWords => match number % 3 {
            0 => format!("Who bought the {}?", word()),
            1 => format!("{} {}", word(), word()),
            _ => format!("What was that about {}?", word()),
        },
        Kind::AsOf if number.is_multiple_of(2) => two_hops(number / 2, &one),
        Kind::AsOf => one_hop(number / 2, &one),
        Kind::Unknown => format!("qw{} yk{}?", coined(random.usize(..9999)), coined(random.usize(..9999))),
    };
    let as_of = (kind == Kind::AsOf).then(|| time_inside(world, random)).flatten();
    Asked { kind, text, as_of }
}

fn two_hops(number: usize, one: &str) -> String {
    match number % 4 {
        0 => format!("Where does the sister of {one} work, and who met her?"),
        1 => format!("Which town does the boss of {one} live in now?"),
        2 => format!("What did {one}'s brother buy last month?"),
        _ => format!("Which school does the daughter of {one}'s friend go to?"),
    }
}

fn one_hop(number: usize, one: &str) -> String {
    match number % 5 {
        0 => format!("Where does {one} work?"),
        1 => format!("What does {one} love to eat?"),
        2 => format!("Which pets does {one} have?"),
        3 => format!("Where did {one} go last summer?"),
        _ => format!("What is {one} planning?"),
    }
}

/// A time in the middle half of the history.
fn time_inside(world: &World, random: &mut Rng) -> Option<Timestamp> {
    let hours = HOURS / 4 + random.usize(..HOURS / 2);
    let at = world.start_of(0).saturating_add(Span::new().try_hours(hours as i64).ok()?);
    SourceTime::naive(at).ok().map(|at| at.instant)
}

/// Words of the world's turns that are plain, long, and seldom: each stands once in a sample of the sessions.
fn rare_words(world: &World, random: &mut Rng) -> Vec<String> {
    /// Sessions that are looked at.
    const SAMPLE: usize = 200;
    // The last number may be beyond the history's end, as lengths are drawn.
    let sessions = (world.session_count() * 9 / 10).max(1);
    let mut counts: HashMap<String, usize> = HashMap::new();
    for _ in 0..SAMPLE {
        for turn in world.session(random.usize(..sessions)).turns {
            let words = turn.text.split(|c: char| !c.is_alphabetic()).filter(|word| word.len() > 5);
            for word in words.filter(|word| word.starts_with(char::is_lowercase)) {
                *counts.entry(word.to_owned()).or_default() += 1;
            }
        }
    }
    let once = counts.into_iter().filter(|(word, count)| *count == 1 && !lexicon::is_plain(word));
    let mut rare: Vec<String> = once.map(|(word, _)| word).collect();
    rare.sort_unstable();
    rare
}
