//! Generated histories: people who meet, move, change jobs and talk about it. Seeded, so that a world can be made
//! again; entities are drawn by Zipf's law, so that a few are named often and most seldom.

use fastrand::Rng;
use jiff::civil::date;
use jiff::{Span, ToSpan};
use lorebase::engine::model::id::SessionId;
use lorebase::engine::model::time::SourceTime;
use lorebase::extract::transcript::{Transcript, TranscriptSession, Turn};

/// Turns a session has.
const SESSION_TURNS: usize = 20;

/// A number below `end`, where the one at place n is drawn about 1/(n + 1) as often as the first.
pub fn zipf(random: &mut Rng, end: usize) -> usize {
    let drawn = (end as f64 + 1.0).powf(random.f64()) - 1.0;
    (drawn as usize).min(end.saturating_sub(1))
}

const STARTS: [&str; 24] = [
    "Bal", "Cor", "Dam", "Eli", "Fen", "Gar", "Hel", "Ira", "Jul", "Kas", "Lor", "Mir", "Nor", "Osk", "Pel",
    "Quin", "Ros", "Sal", "Tam", "Ulm", "Ver", "Wil", "Yor", "Zen",
];
const ENDS: [&str; 20] = [
    "an", "bert", "cia", "dor", "ena", "fred", "gard", "hild", "ick", "jan", "ka", "lin", "mar", "nald",
    "on", "pha", "rik", "sa", "ta", "wyn",
];
const TOWNS: [&str; 8] = ["haven", "ford", "burg", "minster", "stead", "port", "dale", "wick"];
const FIRMS: [&str; 6] = ["Works", "Foods", "Labs", "Press", "Marine", "Studios"];
const THINGS: [&str; 16] = [
    "pottery",
    "hiking",
    "chess",
    "baking",
    "sailing",
    "jazz",
    "gardening",
    "cycling",
    "painting",
    "climbing",
    "photography",
    "swimming",
    "astronomy",
    "knitting",
    "fishing",
    "theatre",
];
const SMALL_TALK: [&str; 8] = [
    "How was your week? I hardly slept, the neighbours had a party until three.",
    "That sounds lovely. I should call more often.",
    "Did you see the match yesterday? What an ending!",
    "I keep meaning to clean the garage, but the weather is too good for that.",
    "Ha, tell me about it. My phone died in the middle of the day again.",
    "Let's meet for lunch when you have time, the new place on the corner is good.",
    "It rained all weekend here, so we stayed in and cooked.",
    "Thanks for the photos, they made my day.",
];

/// The name of the person with this number; each number has its own.
pub fn person(number: usize) -> String {
    let (first, last) = (number % 480, number / 480);
    let given = format!("{}{}", STARTS[first % 24], ENDS[first / 24]);
    if last == 0 { given } else { format!("{given} {}{}", STARTS[last % 24], ENDS[(last / 24) % 20]) }
}

/// The name of the town with this number.
pub fn town(number: usize) -> String {
    format!("{}{}", STARTS[number % 24], TOWNS[(number / 24) % 8])
}

/// The name of the firm with this number.
pub fn firm(number: usize) -> String {
    format!("{}{} {}", STARTS[number % 24], ENDS[(number / 24) % 20], FIRMS[(number / 480) % 6])
}

/// A history of about `turns` turns among `people` people, in sessions of two speakers each, an hour apart.
pub fn transcript(seed: u64, turns: usize, people: usize) -> Transcript {
    let mut random = Rng::with_seed(seed);
    let sessions =
        (0..turns.div_ceil(SESSION_TURNS)).map(|number| session(&mut random, number, people)).collect();
    Transcript { sessions }
}

fn session(random: &mut Rng, number: usize, people: usize) -> TranscriptSession {
    let speakers = [zipf(random, people), zipf(random, people)].map(person);
    let start = date(2015, 1, 1).at(0, 0, 0, 0).saturating_add((number as i64).hours());
    let turn = |place: usize| {
        let since: Span = (place as i64).minutes();
        Turn {
            source_id: Some(format!("W{number}:{place}")),
            speaker: Some(speakers[place % 2].clone()),
            at: SourceTime::naive(start.saturating_add(since)).ok(),
            text: sentence(random, people),
        }
    };
    let turns = (0..SESSION_TURNS).map(turn).collect();
    TranscriptSession { id: SessionId::new(&format!("W{number}")), at: SourceTime::naive(start).ok(), turns }
}

fn sentence(random: &mut Rng, people: usize) -> String {
    let thing = THINGS[random.usize(..THINGS.len())];
    match random.usize(..12) {
        0 => format!("I work at {} now, it is closer to home.", firm(zipf(random, 2000))),
        1 => format!("I moved to {} last month.", town(zipf(random, 192))),
        2 => format!("{} lives in {} these days.", person(zipf(random, people)), town(zipf(random, 192))),
        3 => {
            format!(
                "Yesterday I met {} at the market, we talked about {thing}.",
                person(zipf(random, people))
            )
        }
        4 => format!("I love {thing}, I could do it all day."),
        5 => format!("My sister {} works at {}.", person(zipf(random, people)), firm(zipf(random, 2000))),
        6 => format!("We went to {} on Saturday and tried {thing}.", town(zipf(random, 192))),
        _ => SMALL_TALK[random.usize(..SMALL_TALK.len())].to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_world_can_be_made_again_and_a_seed_makes_another() {
        assert_eq!(transcript(1, 100, 50), transcript(1, 100, 50));
        assert_ne!(transcript(1, 100, 50), transcript(2, 100, 50));
        assert_eq!(transcript(1, 100, 50).turn_count(), 100);
    }

    #[test]
    fn zipf_draws_the_first_most_often() {
        let mut random = Rng::with_seed(7);
        let mut counts = [0; 10];
        (0..10_000).for_each(|_| counts[zipf(&mut random, 10)] += 1);
        assert!(counts[0] > counts[4] && counts[4] > 0 && counts[9] > 0, "{counts:?}");
    }
}
