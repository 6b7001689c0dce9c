//! The suite of several hops: small generated worlds, told as talk, and questions whose answer takes two to four
//! facts. The answers come from the world's own model, never from a memory. Nobody in the worlds is real.

mod asking;
mod chains;
mod names;
mod phrases;
mod telling;
mod wordings;
mod world;

use lorebase_extract::transcript::Transcript;

/// How many worlds there are; every other one is kept apart.
const WORLDS: u64 = 10;

/// A world as it is told, and what is asked of it.
#[derive(Debug, Clone, PartialEq)]
pub struct World {
    /// Its name, such as `world-3`.
    pub name: String,
    /// What it may be used for.
    pub half: Half,
    /// What its people say.
    pub transcript: Transcript,
    /// What they tell: who and what are tied to each other.
    pub told: Vec<[&'static str; 2]>,
    /// What is asked.
    pub questions: Vec<Question>,
}

/// What a world may be used for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Half {
    /// Its failures may be looked at.
    Development,
    /// Only its totals are looked at. Its people also talk and ask in words that the other half does not use.
    Held,
}

impl Half {
    /// Both, with their names.
    pub const ALL: [(Self, &'static str); 2] = [(Self::Development, "development"), (Self::Held, "held")];

    /// The half's name.
    pub fn as_str(self) -> &'static str {
        Self::ALL[self as usize].1
    }
}

/// What kind of answer takes which way through the facts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// The end of a chain: where Ana's brother's boss lives.
    Chain,
    /// Somebody inside: which of Ana's friends works with somebody who lives in Porto.
    Inside,
    /// Yes or no.
    YesNo,
    /// How many.
    Count,
    /// What was before.
    Before,
    /// Never told, and to be declined.
    Untold,
}

impl Kind {
    /// All, with their names.
    pub const ALL: [(Self, &'static str); 6] = [
        (Self::Chain, "chain"),
        (Self::Inside, "inside"),
        (Self::YesNo, "yes_no"),
        (Self::Count, "count"),
        (Self::Before, "before"),
        (Self::Untold, "untold"),
    ];

    /// The kind's name.
    pub fn as_str(self) -> &'static str {
        Self::ALL[self as usize].1
    }
}

/// A question and its answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Question {
    /// The question in words.
    pub text: String,
    /// Its kind.
    pub kind: Kind,
    /// How many facts must be put together.
    pub hops: usize,
    /// The names or values that answer it, and no others; none where it must be declined.
    pub answer: Vec<String>,
}

/// All worlds.
pub fn suite() -> Vec<World> {
    (0..WORLDS).map(world).collect()
}

/// One world, from its number.
fn world(number: u64) -> World {
    let half = if number.is_multiple_of(2) { Half::Development } else { Half::Held };
    let mut rng = fastrand::Rng::with_seed(0x6c6f_7265 + number);
    let model = world::Model::grow(&mut rng);
    let mut pick = phrases::Pick { rng, half };
    let transcript = telling::tell(&model, &mut pick);
    let questions = asking::questions(&model, &mut pick);
    let told = model.facts.iter().map(|fact| [fact.from, fact.to]).collect();
    World { name: format!("world-{number}"), half, transcript, told, questions }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn there_are_a_hundred_questions_and_ten_that_nobody_can_answer() {
        let suite = suite();
        let questions: Vec<&Question> = suite.iter().flat_map(|world| &world.questions).collect();
        let untold = questions.iter().filter(|question| question.kind == Kind::Untold).count();
        assert_eq!((questions.len() - untold, untold), (100, 10));
        for question in questions {
            assert!((2..=4).contains(&question.hops), "{question:?}");
            assert_eq!(question.answer.is_empty(), question.kind == Kind::Untold, "{question:?}");
        }
    }

    #[test]
    fn a_world_is_the_same_every_time_and_no_question_comes_twice() {
        assert_eq!(suite(), suite());
        for world in suite() {
            let texts: BTreeSet<&str> = world.questions.iter().map(|question| &*question.text).collect();
            assert_eq!(texts.len(), world.questions.len(), "{}", world.name);
        }
    }

    #[test]
    fn worlds_are_of_the_size_that_they_should_be() {
        for world in suite() {
            let sessions = &world.transcript.sessions;
            let turns: usize = sessions.iter().map(|session| session.turns.len()).sum();
            assert!(sessions.len() >= 6 && turns >= 60 && world.told.len() >= 50, "{} {turns}", world.name);
        }
    }
}
