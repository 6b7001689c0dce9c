//! Who is meant in texts and conversations of our own.

use lorebase_engine::model::episode::Episode;
use lorebase_engine::model::id::{Namespace, SessionId};
use lorebase_engine::model::time::Timestamp;
use proptest::prelude::*;

use crate::coref::gender;
use crate::extractor::Extractor as _;
use crate::rules::RuleExtractor;
use crate::transcript::Turn;

fn episodes(turns: &[(&str, &str)]) -> Vec<Episode> {
    let (namespace, session) = (Namespace::default(), SessionId::new("S1"));
    let recorded_at = Timestamp::from_millis(0).unwrap();
    let turn = |(position, (speaker, text)): (u32, &(&str, &str))| {
        let speaker = (!speaker.is_empty()).then(|| (*speaker).to_owned());
        let turn = Turn { source_id: None, speaker, at: None, text: (*text).to_owned() };
        turn.into_episode((&namespace, &session, position), None, recorded_at)
    };
    (0..).zip(turns).map(turn).collect()
}

/// The pronouns of the third person that are understood, each with whom it means: "she Ana".
fn meant(turns: &[(&str, &str)]) -> Vec<String> {
    let episodes = episodes(turns);
    let mut meant = Vec::new();
    for (episode, found) in episodes.iter().zip(RuleExtractor.extract(&episodes)) {
        for mention in found.unwrap().mentions {
            let (start, end) = (mention.span.start as usize, mention.span.end as usize);
            let word: String = episode.text.chars().skip(start).take(end - start).collect();
            if gender::asked(&word.to_lowercase()).is_some() {
                meant.push(format!("{word} {}", mention.name));
            }
        }
    }
    meant
}

fn in_text(text: &str) -> Vec<String> {
    meant(&[("", text)])
}

#[test]
fn gender_tells_two_persons_apart() {
    assert_eq!(in_text("Mary met Robert in Porto. She gave him a map."), ["She Mary", "him Robert"]);
    assert_eq!(in_text("Mr Okafor married Mary. He sings."), ["He Mr Okafor"]);
}

#[test]
fn the_subject_goes_before_the_object() {
    assert_eq!(in_text("Mary visited Susan. She brought a cake."), ["She Mary"]);
    assert_eq!(in_text("Robert sold Peter his bicycle."), ["his Robert"]);
}

#[test]
fn a_verb_does_not_act_on_its_own_subject() {
    assert_eq!(in_text("Mary called Susan, and Susan thanked her."), ["her Mary"]);
    assert_eq!(in_text("Robert hurt himself."), ["himself Robert"]);
    assert!(in_text("Robert saw him.").is_empty());
}

#[test]
fn an_owner_does_not_own_itself() {
    assert!(in_text("His friend Robert left.").is_empty());
}

#[test]
fn a_pronoun_may_come_first() {
    assert_eq!(in_text("When he was young, Robert was a baker."), ["he Robert"]);
}

#[test]
fn an_owner_or_the_sentence_before_tells_what_it_is() {
    assert_eq!(in_text("The Brightwater Company moved its office."), ["its Brightwater Company"]);
    assert!(in_text("Mary bought a kettle. It is red.").is_empty());
}

#[test]
fn a_turn_before_tells_who_is_meant() {
    let turns =
        [("Rui", "My sister Ana called."), ("Mia", "Nice! How is she?"), ("Rui", "She moved to Porto.")];
    assert_eq!(meant(&turns), ["she Ana", "She Ana"]);
    let turns = [("Rui", "My brother is a nurse."), ("Mia", "Does he like it?")];
    assert_eq!(meant(&turns), ["he Rui's brother"]);
}

#[test]
fn those_who_talk_are_not_told_of() {
    let turns = [("Mary", "Susan, I saw the film."), ("Susan", "Mary, she was great in it!")];
    assert!(meant(&turns).is_empty());
}

#[test]
fn whoever_was_named_long_ago_is_forgotten() {
    let text = format!("Mary sang. {}She left.", "It rained all day. ".repeat(20));
    assert!(in_text(&text).is_empty());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    #[test]
    fn any_text_is_read(texts in proptest::collection::vec("(([A-Z]?[a-z]{0,5}|she|his|Mary|himself|it|,|\\.|\\PC) ?){0,40}", 1..4)) {
        let turns: Vec<(&str, &str)> = texts.iter().map(|text| ("Ana", text.as_str())).collect();
        prop_assert_eq!(RuleExtractor.extract(&episodes(&turns)).len(), turns.len());
    }
}
