//! Worlds are equal by seed, and are as they say they are.

use std::collections::{HashMap, HashSet};

use lorebase::engine::model::id::Namespace;
use lorebase::engine::model::time::Timestamp;
use lorebase::extract::extractor::Extractor;
use lorebase::extract::rules::RuleExtractor;

use super::questions::{Kind, questions};
use super::*;

#[test]
fn a_world_can_be_made_again_and_a_seed_makes_another() {
    assert_eq!(transcript(1, 100, 50), transcript(1, 100, 50));
    assert_ne!(transcript(1, 100, 50), transcript(2, 100, 50));
    assert_eq!(transcript(1, 100, 50).turn_count(), 100);
    let world = World::new(3, 5000);
    assert!(world.sessions().eq(world.sessions()));
    assert_eq!(world.sessions().nth(70), Some(world.session(70)), "a session can be made alone");
    let pieces: Vec<Transcript> = world.pieces(1000).collect();
    assert_eq!(pieces.iter().map(Transcript::turn_count).sum::<usize>(), 5000);
    assert!(pieces.into_iter().flat_map(|piece| piece.sessions).eq(world.sessions()));
}

#[test]
fn questions_can_be_made_again_and_rare_words_are_said() {
    let world = World::new(1, 3000);
    let asked = questions(&world, 6, 0);
    assert_eq!(asked, questions(&world, 6, 0));
    assert_ne!(asked, questions(&world, 6, 1));
    assert_eq!(asked.len(), 6 * Kind::ALL.len());
    let said: Vec<String> =
        world.sessions().flat_map(|session| session.turns).map(|turn| turn.text.to_lowercase()).collect();
    for one in asked.iter().filter(|one| one.kind == Kind::RareWords) {
        let word = one.text.trim_end_matches('?').rsplit(' ').next().unwrap();
        let times = said.iter().filter(|text| text.contains(word)).count();
        assert!((1..60).contains(&times), "{word} is said {times} times");
    }
    assert!(asked.iter().all(|one| one.as_of.is_some() == (one.kind == Kind::AsOf)));
}

#[test]
fn zipf_draws_the_first_most_often() {
    let mut random = Rng::with_seed(7);
    let mut counts = [0; 10];
    (0..10_000).for_each(|_| counts[zipf(&mut random, 10)] += 1);
    assert!(counts[0] > counts[4] && counts[4] > 0 && counts[9] > 0, "{counts:?}");
}

#[test]
fn turns_are_as_long_as_people_s() {
    let sessions: Vec<_> = World::new(1, 20_000).sessions().collect();
    let (last, whole) = sessions.split_last().unwrap();
    assert!(whole.iter().all(|session| (SESSION_TURNS.0..=SESSION_TURNS.1).contains(&session.turns.len())));
    assert!(last.turns.len() <= SESSION_TURNS.1);
    let mut lengths: Vec<usize> =
        sessions.iter().flat_map(|session| &session.turns).map(|turn| turn.text.chars().count()).collect();
    lengths.sort_unstable();
    let at = |share: f64| lengths[(share * lengths.len() as f64) as usize];
    let quantiles = [0.05, 0.5, 0.95].map(at);
    assert!((15..45).contains(&quantiles[0]), "{quantiles:?}");
    assert!((85..130).contains(&quantiles[1]), "{quantiles:?}");
    assert!((190..270).contains(&quantiles[2]), "{quantiles:?}");
}

#[test]
fn words_never_end() {
    let known_after = |turns: usize| {
        let sessions = World::new(1, turns).sessions();
        let turns = sessions.flat_map(|session| session.turns);
        let words = turns.flat_map(|turn| {
            let lower = turn.text.to_lowercase();
            lower.split(|c: char| !c.is_alphanumeric()).map(str::to_owned).collect::<Vec<_>>()
        });
        words.collect::<HashSet<String>>().len()
    };
    let (few, many) = (known_after(2_000), known_after(20_000));
    // Heaps' law with an exponent of 0.5 gives 3.2 times as many.
    assert!(few > 2_000 && many > 2 * few, "{few} {many}");
}

/// How many claims the rules read in each turn.
fn claims(world: World) -> Vec<(String, usize)> {
    let (namespace, now) = (Namespace::default(), Timestamp::from_millis(0).unwrap());
    let mut found = Vec::new();
    for session in world.sessions() {
        let episodes = session.into_episodes(&namespace, now);
        for (episode, read) in episodes.iter().zip(RuleExtractor.extract(&episodes)) {
            found.push((episode.text.clone(), read.unwrap().triples.len()));
        }
    }
    found
}

#[test]
fn a_turn_tells_about_three_facts() {
    let claims = claims(World::new(1, 10_000));
    let told: usize = claims.iter().map(|(_, told)| told).sum();
    let average = told as f64 / claims.len() as f64;
    assert!((2.8..3.5).contains(&average), "{average}");
    let silent = claims.iter().filter(|(_, told)| *told == 0).count() as f64 / claims.len() as f64;
    assert!((0.1..0.3).contains(&silent), "{silent}");
}

#[test]
fn people_speak_by_zipf_and_few_have_the_word_often() {
    let mut spoken: HashMap<String, usize> = HashMap::new();
    for turn in World::new(1, 40_000).sessions().flat_map(|session| session.turns) {
        *spoken.entry(turn.speaker.unwrap()).or_default() += 1;
    }
    let most = *spoken.values().max().unwrap();
    assert!(spoken.len() > 800, "{}", spoken.len());
    assert!((100..2000).contains(&most), "{most}");
}
