//! What is taken back and put right, as tables of small talks of Ana and Rui.

use lorebase_engine::model::episode::Episode;
use lorebase_engine::model::fact::{Polarity, Triple, TripleObject};
use lorebase_engine::model::id::{Namespace, SessionId};
use lorebase_engine::model::time::Timestamp;

use crate::extractor::Extractor;
use crate::rules::RuleExtractor;

/// What the last turn of a talk claims by known predicates: "!" before what corrects, "not" before what is denied,
/// "?" before what is doubted.
fn last(turns: &[&str]) -> Vec<String> {
    read(turns).iter().filter(|triple| triple.predicate.spec().is_some()).map(shown).collect()
}

/// All that the last turn of a talk claims.
fn all(turns: &[&str]) -> Vec<String> {
    read(turns).iter().map(shown).collect()
}

fn read(turns: &[&str]) -> Vec<Triple> {
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
    RuleExtractor.extract(&episodes).pop().unwrap().unwrap().triples
}

fn shown(triple: &Triple) -> String {
    let object = match &triple.object {
        TripleObject::Entity(object) => &object.name,
        TripleObject::Value(text) => text,
    };
    let doubt = if triple.hedged { "?" } else { "" };
    let day = |at: Timestamp| at.to_string()[..10].to_owned();
    let from = triple.valid.from.map_or(String::new(), |at| format!(" from {}", day(at)));
    let to = triple.valid.to.map_or(String::new(), |at| format!(" to {}", day(at)));
    let marks = match (triple.corrects, triple.polarity) {
        (true, Polarity::Affirmed) => "!",
        (true, Polarity::Negated) => "!not ",
        (false, Polarity::Affirmed) => "",
        (false, Polarity::Negated) => "not ",
    };
    format!("{doubt}{marks}{} {} {object}{from}{to}", triple.subject.name, triple.predicate)
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

#[test]
fn what_was_never_said_is_taken_back() {
    all_are(&[
        (&["Ana: I love jazz.", "Ana: I never told you I loved jazz."], &["!not Ana likes jazz"]),
        (
            &["Ana: I live in Faro.", "Ana: We never claimed that we lived in Faro."],
            &["!not Ana lives_in Faro"],
        ),
        (&["Ana: I didn't say I work at Acme Bank."], &["!not Ana works_at Acme Bank"]),
        (&["Ana: I have never said to anyone that I play rugby."], &["!not Ana plays rugby"]),
        (&["Ana: I never said I don't live in Faro."], &[]),
        (&["Ana: I always said I live in Faro."], &["Ana lives_in Faro"]),
    ]);
}

#[test]
fn the_wrong_one_stands_on_the_side_of_the_right_one() {
    all_are(&[
        (&["Ana: My sister is Petra, not Paula."], &["!Petra sibling_of Ana", "!not Paula sibling_of Ana"]),
        (
            &["Ana: I'm not allergic to cats, it's dust."],
            &["not Ana allergic_to cats", "Ana allergic_to dust"],
        ),
        (&["Ana: I'm not allergic to cats, it's fine."], &["not Ana allergic_to cats"]),
        (&["Ana: I work not at Acme Bank but at Brightwell Bank."], &["Ana works_at Brightwell Bank"]),
    ]);
}

#[test]
fn words_that_only_put_right_are_no_claims() {
    let talks = [
        &["Ana: The fair is on 2 May.", "Ana: Oops, I meant 4 May."][..],
        &["Ana: Actually it's Lyon, not Nice."],
        &["Ana: I mean, on Friday."],
    ];
    for turns in talks {
        assert_eq!(all(turns), Vec::<String>::new(), "{turns:?}");
    }
}

#[test]
fn doubts_behind_are_doubts() {
    all_are(&[
        (&["Ana: Zoe works at Acme Bank these days, so I hear."], &["?Zoe works_at Acme Bank"]),
        (&["Ana: Supposedly Zoe lives in Faro."], &["?Zoe lives_in Faro"]),
        (&["Ana: Zoe lives in Faro, as far as I know."], &["?Zoe lives_in Faro"]),
        (&["Ana: As of May I work at Acme Bank."], &["Ana works_at Acme Bank from 2023-05-01"]),
    ]);
}

#[test]
fn what_begins_later_begins_then() {
    all_are(&[
        (&["Ana: I start at Acme Bank on 2 August."], &["Ana works_at Acme Bank from 2023-08-02"]),
        (&["Ana: I'm starting at Acme Bank next month."], &["Ana works_at Acme Bank from 2023-07-01"]),
        (&["Ana: I start at Acme Bank in March."], &["Ana works_at Acme Bank from 2024-03-01"]),
        (
            &["Ana: I join Acme Bank in September."],
            &["Ana plans join Acme Bank in September from 2023-09-01 to 2023-10-01"],
        ),
        (
            &["Ana: I'm leaving Acme Bank in May."],
            &["Ana plans leaving Acme Bank in May from 2024-05-01 to 2024-06-01"],
        ),
        (&["Ana: I started at Acme Bank in August."], &["Ana works_at Acme Bank from 2022-08-01"]),
    ]);
}

#[test]
fn each_clause_has_the_time_that_opens_it() {
    all_are(&[
        (
            &[
                "Ana: Between 2001 and 2003 I worked at Acme Bank, and since 2010 I've been working at Tern Cafe.",
            ],
            &[
                "Ana works_at Acme Bank from 2001-01-01 to 2004-01-01",
                "Ana works_at Tern Cafe from 2010-01-01",
            ],
        ),
        (
            &["Ana: I lived in Faro from 2001 to 2003, and in 2010 Zoe moved to Lyon."],
            &["Ana lives_in Faro from 2001-01-01 to 2004-01-01", "Zoe lives_in Lyon from 2010-01-01"],
        ),
    ]);
}

#[test]
fn what_is_over_is_told_of_others_and_of_things() {
    all_are(&[
        (
            &["Ana: Ottoline no longer lives in Faro. She lives in Lyon now."],
            &["not Ottoline lives_in Faro", "Ottoline lives_in Lyon"],
        ),
        (&["Ana: I used to live in Faro."], &["not Ana lives_in Faro", "Ana lived_in Faro"]),
        (&["Ana: I used to play the harp."], &["not Ana plays harp"]),
        (&["Ana: I moved out of Faro."], &["not Ana lives_in Faro"]),
        (&["Ana: I stopped playing the harp."], &["not Ana plays harp"]),
        (&["Ana: I don't have the Volvo any more."], &["not Ana has Volvo"]),
        (&["Ana: I have lived in Faro for about two years."], &["Ana lives_in Faro from 2021-06-08"]),
        (&["Ana: I gave the Volvo to my nephew."], &["not Ana has Volvo"]),
        (&["Ana: I gave my nephew a book."], &[]),
        (&["Ana: I'm back in Faro for good."], &["Ana lives_in Faro"]),
        (&["Ana: I'm back in Faro."], &["Ana is back in Faro"]),
        (&["Ana: I got rid of my old Volvo."], &["not Ana has Volvo"]),
        (&["Ana: Zoe is married to Bram.", "Ana: They got divorced."], &["not Zoe married_to Bram"]),
        (&["Ana: Zoe and Bram are not married any more."], &["not Zoe married_to Bram"]),
    ]);
}

#[test]
fn posts_change() {
    all_are(&[
        (&["Ana: Zoe retired from Acme Bank."], &["not Zoe works_at Acme Bank"]),
        (&["Ana: I transferred to Tern Logistics."], &["Ana works_at Tern Logistics"]),
        (
            &["Ana: I work at Acme Bank.", "Ana: I switched from Acme Bank to Tern Cafe."],
            &["Ana works_at Tern Cafe"],
        ),
        (&["Ana: I switched from Acme Bank to Brightwell Bank."], &[]),
        (&["Ana: I left Acme Bank for Tern Logistics."], &["Ana works_at Tern Logistics"]),
        (&["Ana: I accepted a job at Tern Logistics."], &["Ana works_at Tern Logistics"]),
        (
            &["Ana: Friday was my last day at Tern Logistics."],
            &["not Ana works_at Tern Logistics from 2023-06-03"],
        ),
        (
            &["Ana: Monday was my first day at Tern Logistics."],
            &["Ana works_at Tern Logistics from 2023-06-05"],
        ),
        (&["Ana: If Monday was my first day at Tern Logistics, I forgot."], &[]),
        (
            &["Ana: Zoe dropped out of Oak College in May."],
            &["not Zoe studies_at Oak College from 2023-05-01"],
        ),
        (&["Ana: I became a welder in May."], &["Ana works_as welder from 2023-05-01"]),
        (&["Ana: I became the butt of the joke."], &[]),
        (&["Ana: Zoe was promoted to supervisor."], &["Zoe works_as supervisor"]),
        (&["Ana: I'm at Tern Logistics these days."], &["Ana works_at Tern Logistics"]),
        (&["Ana: Zoe is with Tern Logistics now."], &["Zoe works_at Tern Logistics"]),
        (&["Ana: I'm with Zoe now."], &[]),
        (&["Ana: I'm at the Tern Clinic now."], &[]),
        (&["Ana: Grandpa moved to Faro."], &["Ana's grandpa lives_in Faro"]),
        (&["Ana: My brother Bram lives in Faro.", "Ana: Bram is in Lyon now."], &["Bram lives_in Lyon"]),
        (&["Ana: My brother Bram is in Lyon now."], &["Bram sibling_of Ana"]),
    ]);
}

#[test]
fn a_bare_answer_is_told_with_its_question() {
    all_are(&[
        (
            &["Rui: Where do you work now?", "Ana: At Tern Logistics, still."],
            &["Ana works_at Tern Logistics"],
        ),
        (&["Rui: Where are you living?", "Ana: In Faro."], &["Ana lives_in Faro"]),
        (&["Rui: Where does Zoe live?", "Ana: Near Faro, I think."], &["?Zoe lives_in Faro"]),
        (
            &["Rui: Where does your sister Zoe work?", "Ana: At Tern Logistics, as a driver."],
            &["Zoe works_at Tern Logistics"],
        ),
        (&["Rui: Who's your boss?", "Ana: Marcel."], &["Marcel manages Ana"]),
        (&["Rui: Where did you work?", "Ana: At Tern Logistics."], &[]),
        (&["Rui: Where do you work?", "Ana: At night, mostly."], &[]),
        (&["Rui: Where do you work?", "Ana: In Faro?"], &[]),
    ]);
}
