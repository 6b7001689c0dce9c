//! What is taken back and put right, as tables of small talks of Ana and Rui.

use lorebase_engine::model::episode::Episode;
use lorebase_engine::model::fact::{Polarity, Triple, TripleObject};
use lorebase_engine::model::id::{Namespace, SessionId};
use lorebase_engine::model::time::Timestamp;

use crate::extractor::Extractor;
use crate::rules::RuleExtractor;

/// What the last turn of a talk claims by known predicates: "!" before what corrects, "not" before what is denied.
fn last(turns: &[&str]) -> Vec<String> {
    let session = SessionId::new("s");
    let episode = |(position, turn): (usize, &&str)| {
        let (speaker, text) = turn.split_once(": ").unwrap();
        let position = u32::try_from(position).unwrap();
        Episode {
            id: Episode::id_of(&Namespace::default(), &session, position, (Some(speaker), None), text),
            session: session.clone(),
            position,
            speaker: Some(speaker.to_owned()),
            text: text.to_owned(),
            occurred_at: Some("2023-06-08T14:30:00".parse().unwrap()),
            recorded_at: Timestamp::from_millis(0).unwrap(),
            source_id: None,
            expires_at: None,
            told_at: None,
        }
    };
    let episodes: Vec<Episode> = turns.iter().enumerate().map(episode).collect();
    let read = RuleExtractor.extract(&episodes).pop().unwrap().unwrap();
    read.triples.iter().filter(|triple| triple.predicate.spec().is_some()).filter_map(shown).collect()
}

fn shown(triple: &Triple) -> Option<String> {
    let TripleObject::Entity(object) = &triple.object else { return None };
    let marks = match (triple.corrects, triple.polarity) {
        (true, Polarity::Affirmed) => "!",
        (true, Polarity::Negated) => "!not ",
        (false, Polarity::Affirmed) => "",
        (false, Polarity::Negated) => "not ",
    };
    Some(format!("{marks}{} {} {}", triple.subject.name, triple.predicate, object.name))
}

fn all_are(cases: &[(&[&str], &[&str])]) {
    let wrong = |(turns, expected): &(&[&str], &[&str])| {
        let found = last(turns);
        (found != *expected).then(|| format!("{turns:?}\n    {found:?}\n    {expected:?}"))
    };
    let wrong: Vec<String> = cases.iter().filter_map(wrong).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn the_right_thing_takes_the_wrong_one_s_place() {
    all_are(&[
        (
            &["Ana: I live in Porto.", "Ana: Actually it's Lyon, not Porto."],
            &["!Ana lives_in Lyon", "!not Ana lives_in Porto"],
        ),
        (&["Ana: I live in Porto.", "Ana: Sorry, I meant Lyon."], &["!Ana lives_in Lyon"]),
        (&["Ana: I live in Porto.", "Ana: Correction: Lyon."], &["!Ana lives_in Lyon"]),
        (&["Ana: I live in Porto.", "Ana: Oops, no. It's Lyon."], &["!Ana lives_in Lyon"]),
        (
            &["Ana: Zoe lives in Porto.", "Rui: Nice!", "Ana: It's not Porto, it's Lyon."],
            &["!Zoe lives_in Lyon", "!not Zoe lives_in Porto"],
        ),
        (
            &["Ana: My boss is Marcel.", "Ana: I mean Marius, not Marcel."],
            &["!Marius manages Ana", "!not Marcel manages Ana"],
        ),
        (&["Ana: I live in Porto.", "Ana: No, wait, I live in Lyon."], &["!Ana lives_in Lyon"]),
        (&["Ana: Zoe lives in Lyon, not Porto."], &["!Zoe lives_in Lyon", "!not Zoe lives_in Porto"]),
        (&["Ana: Zoe lives in Porto.", "Rui: I misheard that. Zoe lives in Lyon."], &["!Zoe lives_in Lyon"]),
    ]);
}

#[test]
fn what_is_taken_back_is_the_last_claim_that_fits() {
    all_are(&[
        (&["Ana: I live in Porto.", "Ana: Scratch that."], &["!not Ana lives_in Porto"]),
        (&["Ana: I live in Porto.", "Ana: That's not true any more."], &["not Ana lives_in Porto"]),
        (&["Rui: You live in Porto.", "Ana: That's not true."], &["!not Ana lives_in Porto"]),
        (&["Rui: You live in Porto, right?", "Ana: Not any more."], &["not Ana lives_in Porto"]),
        (&["Rui: Do you still live in Porto?", "Ana: No, not any more."], &["not Ana lives_in Porto"]),
        (
            &["Ana: I work at Acme Bank.", "Rui: Ok.", "Ana: I don't work there any more."],
            &["not Ana works_at Acme Bank"],
        ),
        (&["Ana: I never worked at Acme Bank."], &["!not Ana works_at Acme Bank"]),
    ]);
}

#[test]
fn news_and_talk_of_other_things_correct_nothing() {
    all_are(&[
        (&["Ana: I live in Porto.", "Ana: Actually, I live in Lyon now."], &["Ana lives_in Lyon"]),
        (&["Ana: I live in Porto.", "Rui: No. Zoe lives in Lyon."], &["Zoe lives_in Lyon"]),
        (&["Ana: Zoe lives in Porto.", "Rui: No, Zoe lives in Lyon."], &["Zoe lives_in Lyon"]),
        (&["Ana: I live in Porto.", "Ana: Actually it's fun."], &[]),
        (&["Ana: I live in Porto.", "Rui: That's not true love."], &[]),
        (&["Ana: Hello.", "Rui: That's wrong."], &[]),
        (&["Ana: I live in Porto.", "Ana: Forget that film we saw."], &[]),
    ]);
}
