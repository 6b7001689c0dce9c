//! What people of a world say: turns put together from sentences, and sentences from patterns with gaps.

use fastrand::Rng;

use super::life::Life;
use super::names::{self, TOWNS, capitalised, coined};
use super::patterns::{ASIDES, CHAT, OPENERS, TOPICS};
use super::{World, lexicon, zipf, zipf_from};

/// Words that are no plain English, more than a long history comes to know.
const COINED: usize = 400_000;
/// How many turns of a hundred tell nothing that lasts.
const CHAT_SHARE: u8 = 32;
/// How many sessions of a hundred have a third speaker.
const THREE_SHARE: u8 = 12;

/// A session that goes on: who is there, and what they talk of.
pub(super) struct Scene<'r> {
    world: World,
    random: &'r mut Rng,
    progress: f64,
    speakers: Vec<usize>,
    /// Which of the speakers has the word.
    speaking: usize,
    /// Topics that the session comes back to.
    topics: [usize; 3],
    /// Who was told of last.
    told_of: Option<usize>,
}

impl<'r> Scene<'r> {
    pub(super) fn new(world: World, number: usize, random: &'r mut Rng) -> Self {
        let wanted = if random.u8(..100) < THREE_SHARE { 3 } else { 2 };
        let mut speakers = vec![world.speaker(random)];
        while speakers.len() < wanted.min(world.people) {
            // Most talk with those close to them.
            let other = if random.u8(..3) == 0 {
                world.speaker(random)
            } else {
                Life::new(world, speakers[0], 0.0).kin(random).1
            };
            let other = if speakers.contains(&other) { (other + 1) % world.people } else { other };
            if !speakers.contains(&other) {
                speakers.push(other);
            }
        }
        let topics = std::array::from_fn(|_| random.usize(..TOPICS.len()));
        let progress = number as f64 / world.session_count().max(1) as f64;
        Self { world, random, progress, speakers, speaking: 0, topics, told_of: None }
    }

    /// The next turn: who speaks, and what is said.
    pub(super) fn turn(&mut self) -> (String, String) {
        // Now and then somebody speaks twice in a row.
        if self.random.u8(..100) < 85 {
            self.speaking = (self.speaking + 1) % self.speakers.len();
        }
        self.told_of = None;
        let text = if self.random.u8(..100) < CHAT_SHARE { self.chat() } else { self.telling() };
        (names::person(self.speakers[self.speaking]), text)
    }

    /// How long until the next turn.
    pub(super) fn seconds_between(&mut self) -> i64 {
        self.random.i64(15..=90)
    }

    fn chat(&mut self) -> String {
        let mut text = String::new();
        for _ in 0..[1, 1, 1, 2, 2, 3][self.random.usize(..6)] {
            let pattern = CHAT[self.random.usize(..CHAT.len())];
            self.add(pattern, &mut text);
        }
        text
    }

    /// One to four sentences that each tell something.
    fn telling(&mut self) -> String {
        let mut text = String::new();
        if self.random.u8(..100) < 22 {
            let pattern = OPENERS[self.random.usize(..OPENERS.len())];
            self.add(pattern, &mut text);
        }
        for _ in 0..[1, 1, 2, 2, 2, 3, 3, 3, 3, 4][self.random.usize(..10)] {
            let topic = match self.random.usize(..5) {
                close @ 0..=2 => self.topics[close],
                _ => self.random.usize(..TOPICS.len()),
            };
            let patterns = TOPICS[topic];
            let pattern = patterns[self.random.usize(..patterns.len())];
            self.add(pattern, &mut text);
        }
        if self.random.u8(..100) < 18 {
            let pattern = ASIDES[self.random.usize(..ASIDES.len())];
            self.add(pattern, &mut text);
        }
        text
    }

    /// Adds a sentence: the pattern with its gaps, `{so}`, filled.
    fn add(&mut self, pattern: &str, text: &mut String) {
        if !text.is_empty() {
            text.push(' ');
        }
        let mut rest = pattern;
        while let Some((before, gap, after)) = next_gap(rest) {
            text.push_str(before);
            let start = text.len();
            self.fill(gap, text);
            if text[..start].ends_with(" a ") && text[start..].starts_with(['a', 'e', 'i', 'o', 'u']) {
                text.insert(start - 1, 'n');
            }
            rest = after;
        }
        text.push_str(rest);
    }

    fn fill(&mut self, gap: &str, text: &mut String) {
        let told = match gap {
            "who" => self.somebody(),
            "kin" => self.kin(),
            "you" => Life::new(self.world, self.partner(), self.progress).given(),
            "town" => names::town(zipf(self.random, TOWNS)),
            "thing" => self.thing(),
            "rare" => coined(zipf_from(self.random, COINED, 4.0)),
            "make" => capitalised(&coined(zipf_from(self.random, COINED, 40.0))),
            "dish" => {
                format!("{} {}", coined(zipf_from(self.random, COINED, 10.0)), self.word(&lexicon::FOODS))
            }
            "title" => self.title(),
            "date" => self.date(),
            "past" => self.past(),
            "n" => self.random.usize(2..60).to_string(),
            "price" => (5 * self.random.usize(1..400)).to_string(),
            "clock" => format!("{}:{:02}", self.random.u8(6..23), self.random.u8(..60)),
            "role" => Life::role(self.random).to_owned(),
            _ => self.of_life(gap).unwrap_or_else(|| self.plain(gap).to_owned()),
        };
        text.push_str(&told);
    }

    /// A gap that is filled from somebody's life: with `his ` the last one's who was told of, else the speaker's.
    fn of_life(&mut self, gap: &str) -> Option<String> {
        let (number, side) = match gap.strip_prefix("his ") {
            Some(side) => (self.told_of.unwrap_or_default(), side),
            None => (self.speakers[self.speaking], gap),
        };
        let life = Life::new(self.world, number, self.progress);
        Some(match side {
            "home" => life.home(0),
            "old home" => life.home(1),
            "birthplace" => life.birthplace(),
            "firm" => life.firm(0),
            "old firm" => life.firm(1),
            "job" => life.job().to_owned(),
            "school" => life.school(),
            "subject" => life.subject().to_owned(),
            "age" => life.age().to_string(),
            "taste" => life.taste(self.random).to_owned(),
            "pet" => {
                let (kind, name) = life.pet(0);
                format!("{kind} {name}")
            }
            "named pet" | "other named pet" => {
                let (kind, name) = life.pet(u64::from(side == "other named pet"));
                format!("{kind} named {name}")
            }
            _ => return None,
        })
    }

    fn plain(&mut self, gap: &str) -> &'static str {
        let list = match gap {
            "food" => &lexicon::FOODS,
            "pastime" => &lexicon::PASTIMES,
            "game" => &lexicon::GAMES,
            "genre" => &lexicon::GENRES,
            "adjective" => &lexicon::ADJECTIVES,
            "object" => &lexicon::THINGS,
            "spot" => &lexicon::SPOTS,
            "club" => &lexicon::CLUBS,
            "deed" => &lexicon::DEEDS,
            "feeling" => &lexicon::FEELINGS,
            "weather" => &lexicon::WEATHER,
            "trouble" => &lexicon::TROUBLES,
            "month" => &lexicon::MONTHS,
            "day" => &lexicon::DAYS,
            "soon" => &lexicon::SOON,
            "language" => &lexicon::LANGUAGES,
            _ => unreachable!("the patterns know no other gap than {gap}"),
        };
        self.word(list)
    }

    fn word(&mut self, list: &lexicon::Words) -> &'static str {
        list.at(self.random)
    }

    fn partner(&self) -> usize {
        self.speakers[(self.speaking + 1) % self.speakers.len()]
    }

    fn somebody(&mut self) -> String {
        let mut number = self.world.anyone(self.random);
        if self.told_of == Some(number) || self.speakers.contains(&number) {
            number = self.random.usize(..self.world.people);
        }
        self.told_of = Some(number);
        names::person(number)
    }

    /// "sister Ines": family goes by its given name as often as not.
    fn kin(&mut self) -> String {
        let speaker = self.speakers[self.speaking];
        let (role, number, family) = Life::new(self.world, speaker, self.progress).kin(self.random);
        self.told_of = Some(number);
        let given = family && self.random.bool();
        format!("{role} {}", if given { names::given(number) } else { names::person(number) })
    }

    fn thing(&mut self) -> String {
        let object = self.word(&lexicon::THINGS);
        match self.random.u8(..10) {
            0..=1 => object.to_owned(),
            2..=3 => format!("{} {object}", coined(zipf_from(self.random, COINED, 20.0))),
            4 => format!("{} {} {object}", self.word(&lexicon::ADJECTIVES), self.word(&lexicon::ADJECTIVES)),
            _ => format!("{} {object}", self.word(&lexicon::ADJECTIVES)),
        }
    }

    fn title(&mut self) -> String {
        let adjective = capitalised(self.word(&lexicon::ADJECTIVES));
        if self.random.bool() {
            let make = capitalised(&coined(zipf_from(self.random, COINED, 40.0)));
            return format!("\"The {adjective} {make}\"");
        }
        format!("\"The {adjective} {}\"", capitalised(self.word(&lexicon::THINGS)))
    }

    fn date(&mut self) -> String {
        let (day, month) = (self.random.u8(1..29), self.word(&lexicon::MONTHS));
        format!("{day} {month} {}", self.random.u16(1940..2015))
    }

    fn past(&mut self) -> String {
        match self.random.u8(..10) {
            0 => format!("in {}", self.random.u16(1995..2024)),
            1 => format!("in {}", self.word(&lexicon::MONTHS)),
            2 => format!("on {}", self.word(&lexicon::DAYS)),
            _ => self.word(&lexicon::PAST).to_owned(),
        }
    }
}

/// What stands before a pattern's next gap, the gap's name, and what stands after it.
fn next_gap(pattern: &str) -> Option<(&str, &str, &str)> {
    let (before, rest) = pattern.split_once('{')?;
    let (gap, after) = rest.split_once('}')?;
    Some((before, gap, after))
}
