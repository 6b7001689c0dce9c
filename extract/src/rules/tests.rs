//! What turns say, as tables. Ana and Rui talk on Thursday 8 June 2023.

use lorebase_engine::model::fact::{Polarity, Triple, TripleObject};
use lorebase_engine::model::id::{Namespace, SessionId};
use lorebase_engine::model::time::Timestamp;
use proptest::prelude::*;

use super::*;

fn episode(position: u32, speaker: Option<&str>, text: &str) -> Episode {
    let session = SessionId::new("s");
    Episode {
        id: Episode::id_of(&Namespace::default(), &session, position, (speaker, None), text),
        session,
        position,
        speaker: speaker.map(str::to_owned),
        text: text.to_owned(),
        occurred_at: Some("2023-06-08T14:30:00".parse().unwrap()),
        recorded_at: Timestamp::from_millis(0).unwrap(),
        source_id: None,
        expires_at: None,
        told_at: None,
    }
}

/// What `speaker` says in a talk of Ana and Rui.
fn said(speaker: &str, text: &str) -> Extraction {
    let other = if speaker == "Ana" { "Rui" } else { "Ana" };
    let session = [episode(0, Some(other), "Hello!"), episode(1, Some(speaker), text)];
    RuleExtractor.extract(&session).remove(1).unwrap()
}

fn document(text: &str) -> Extraction {
    RuleExtractor.extract(&[episode(0, None, text)]).remove(0).unwrap()
}

/// `Ana lives_in [Porto]`; a denial begins with "not ".
fn shown(triple: &Triple) -> String {
    let object = match &triple.object {
        TripleObject::Entity(named) => format!("[{}]", named.name),
        TripleObject::Value(value) => value.clone(),
    };
    let not = if triple.polarity == Polarity::Negated { "not " } else { "" };
    format!("{not}{} {} {object}", triple.subject.name, triple.predicate)
}

fn claims(extraction: &Extraction) -> Vec<String> {
    extraction.triples.iter().map(shown).collect()
}

const FIRST_PERSON: &[(&str, &[&str])] = &[
    ("I work at Brightwell Bank as a nurse.", &["Ana works_at [Brightwell Bank]", "Ana works_as nurse"]),
    ("I'm a carpenter now.", &["Ana works_as carpenter"]),
    ("I live in Porto with my cat.", &["Ana lives_in [Porto]"]),
    ("I don’t live in Porto anymore.", &["not Ana lives_in [Porto]"]),
    ("I no longer work for Brightwell.", &["not Ana works_at [Brightwell]"]),
    ("I moved to Lyon in 2019.", &["Ana lives_in [Lyon]"]),
    ("I'm from Braga and I grew up in Faro.", &["Ana from [Braga]", "Ana from [Faro]"]),
    ("I love kale, spinach and peas.", &["Ana likes kale", "Ana likes spinach", "Ana likes peas"]),
    ("I really hate mushrooms!", &["Ana dislikes mushrooms"]),
    ("I can't stand cold coffee.", &["Ana dislikes cold coffee"]),
    ("I enjoy baking bread on Sundays.", &["Ana likes baking bread on Sundays"]),
    ("I'm a big fan of jazz.", &["Ana likes jazz"]),
    ("My favourite colour is green.", &["Ana favourite_colour green"]),
    ("I went to Madrid last week.", &["Ana went_to [Madrid]"]),
    ("Yesterday I bought a red bicycle.", &["Ana bought red bicycle"]),
    ("I met Teresa at the market.", &["Ana knows [Teresa]"]),
    ("I'm planning to open a bakery next year.", &["Ana plans open a bakery next year"]),
    ("I'm going to visit Oslo.", &["Ana plans visit Oslo"]),
    ("I founded Lanternworks.", &["Ana founded [Lanternworks]"]),
    ("I joined the chess club.", &["Ana member_of chess club"]),
    ("I study physics.", &["Ana studies physics"]),
    ("I study at Riverside College.", &["Ana studies_at [Riverside College]"]),
    ("I have two brothers.", &["Ana has two brothers"]),
    ("I have a dog named Biscuit.", &["Biscuit pet_of [Ana]"]),
    ("I'm married to Teresa.", &["Ana married_to [Teresa]"]),
    ("I'm allergic to nuts.", &["Ana allergic_to nuts"]),
    (
        "I read \"The Glass Tower\" and I loved \"The Glass Tower\".",
        &["Ana read [The Glass Tower]", "Ana likes [The Glass Tower]"],
    ),
    ("I live in \"Porto", &["Ana lives_in [Porto]"]),
    ("You love tea.", &["Rui likes tea"]),
    ("I play chess and I teach maths.", &["Ana plays chess", "Ana teaches maths"]),
    ("I volunteer at the animal shelter.", &["Ana volunteers_at animal shelter"]),
    ("I'm not only a baker, you know.", &["Ana works_as baker"]),
    ("I used to work at Brightwell.", &["not Ana works_at [Brightwell]", "Ana worked_at [Brightwell]"]),
    (
        "I have three cats and I would love to adopt another.",
        &["Ana has three cats", "Ana plans adopt another"],
    ),
];

const OTHERS: &[(&str, &[&str])] = &[
    ("My sister Ines lives in Lyon.", &["Ines sibling_of [Ana]", "Ines lives_in [Lyon]"]),
    ("Ines, my sister, lives in Lyon.", &["Ines lives_in [Lyon]", "Ines sibling_of [Ana]"]),
    ("My boss is Marcel.", &["Marcel manages [Ana]"]),
    ("We saw that Marcel is my boss.", &["Marcel manages [Ana]"]),
    ("My mother works as a baker.", &["Ana's mother works_as baker"]),
    ("Marcel's wife Odile bought a boat.", &["Odile married_to [Marcel]", "Odile bought boat"]),
    ("You know that Odile and Marcel live in Ghent.", &["Odile lives_in [Ghent]", "Marcel lives_in [Ghent]"]),
    ("Maybe Odile works at Lanternworks.", &["Odile works_at [Lanternworks]"]),
];

const POSTS_AND_HOMES: &[(&str, &[&str])] = &[
    ("I moved from Gdynia to Trieste last month.", &["Ana lives_in [Trieste]", "Ana lived_in [Gdynia]"]),
    ("I moved away from Gdynia.", &["not Ana lives_in [Gdynia]"]),
    ("I started working at Mosswell Mills on 3 May 2023.", &["Ana works_at [Mosswell Mills]"]),
    ("I started at Mosswell Mills in May.", &["Ana works_at [Mosswell Mills]"]),
    ("I started a new job at Quarry Lane Press.", &["Ana works_at [Quarry Lane Press]"]),
    ("I got a new job at Quarry Lane Press.", &["Ana works_at [Quarry Lane Press]"]),
    ("I got a job as a baker.", &["Ana works_as baker"]),
    ("I was hired by Quarry Lane Press.", &["Ana works_at [Quarry Lane Press]"]),
    ("Marcel got hired at Lanternworks.", &["Marcel works_at [Lanternworks]"]),
    ("I quit my job at Fernwood Dairy.", &["not Ana works_at [Fernwood Dairy]"]),
    ("I left Fernwood Dairy in May.", &["not Ana works_at [Fernwood Dairy]"]),
    ("Odile resigned from Lanternworks.", &["not Odile works_at [Lanternworks]"]),
    ("I stopped working at Fernwood Dairy.", &["not Ana works_at [Fernwood Dairy]"]),
    ("I don't work at Fernwood Dairy any more.", &["not Ana works_at [Fernwood Dairy]"]),
    ("I never worked at Fernwood Dairy.", &["not Ana works_at [Fernwood Dairy]"]),
    ("I never lived in Gdynia.", &["not Ana lives_in [Gdynia]"]),
    ("Odile is the CEO of Lanternworks.", &["Odile works_at [Lanternworks]", "Odile ceo_of [Lanternworks]"]),
    ("Odile is the founder of Lanternworks.", &["Odile founded [Lanternworks]"]),
    ("Odile is the owner of Lanternworks.", &["Odile owner_of [Lanternworks]"]),
    ("I'm a nurse at St Olav's Hospital.", &["Ana works_as nurse", "Ana works_at [St Olav's Hospital]"]),
    (
        "Odile teaches chemistry at Riverside College.",
        &["Odile teaches chemistry", "Odile works_at [Riverside College]"],
    ),
];

const OPENING_NAMES: &[(&str, &[&str])] = &[
    ("Olav is my brother.", &["Olav sibling_of [Ana]"]),
    ("Henrike is Bram's boss.", &["Henrike manages [Bram]"]),
    ("Bram and Signe are married.", &["Bram married_to [Signe]"]),
    ("Oh, and Bram and Signe are married.", &["Bram married_to [Signe]"]),
    ("Bram and Signe got married in May.", &["Bram married_to [Signe]"]),
    ("Maeve has a son called Samir.", &["Samir child_of [Maeve]"]),
    ("Kofi has a job at Lanternworks.", &["Kofi works_at [Lanternworks]"]),
    ("You know, Kofi has taken up pottery.", &["Kofi hobby pottery"]),
    ("Kofi practises the cello every evening.", &["Kofi plays cello"]),
    ("Sofia is my sister. She lives in Trieste.", &["Sofia sibling_of [Ana]", "Sofia lives_in [Trieste]"]),
    ("Aarhus, which is in Denmark, gets a lot of rain.", &["Aarhus located_in [Denmark]"]),
    ("St Olav's School is in Trieste.", &["St Olav's School located_in [Trieste]"]),
    ("Bram and I are engaged.", &["Bram partner_of [Ana]"]),
    ("Bram is married.", &["Bram is married"]),
    ("Henrike is married to Bram.", &["Henrike married_to [Bram]"]),
    ("Bram and I got engaged in May.", &["Bram partner_of [Ana]"]),
    ("Zoe and Pavel are my friends.", &["Zoe friend_of [Ana]", "Pavel friend_of [Ana]"]),
    ("Zoe and Pavel are siblings.", &["Zoe sibling_of [Pavel]"]),
    ("Zoe and I are good friends.", &["Zoe friend_of [Ana]"]),
    ("Bram is dating Odile.", &["Bram partner_of [Odile]"]),
    ("Bram is 34.", &["Bram age 34"]),
    ("Bram turned 34 last week.", &["Bram age 34"]),
    ("I turned 34 last week.", &["Ana age 34"]),
    ("I was born in Gdynia on 3 May 1990.", &["Ana from [Gdynia]", "Ana born_on 3 May 1990"]),
    ("I'm fluent in Dutch.", &["Ana speaks [Dutch]"]),
    ("I study law at Riverside College.", &["Ana studies law", "Ana studies_at [Riverside College]"]),
    ("I was fired from Lanternworks.", &["not Ana works_at [Lanternworks]"]),
    ("Zoe is a friend of mine.", &["Zoe friend_of [Ana]"]),
    ("Bram is from Gdynia.", &["Bram from [Gdynia]"]),
    ("Bram was born on 3 May 1990.", &["Bram born_on 3 May 1990"]),
    ("Bram speaks Portuguese and Dutch.", &["Bram speaks [Portuguese]", "Bram speaks [Dutch]"]),
    ("Bram is allergic to peanuts.", &["Bram allergic_to peanuts"]),
    ("I'm a vegetarian.", &["Ana is vegetarian"]),
    ("I'm 34 and I live in Porto.", &["Ana age 34", "Ana lives_in [Porto]"]),
];

const GIVEN_NAMES: &[(&str, &[&str])] = &[
    ("I have two cats, Miso and Pip.", &["Miso pet_of [Ana]", "Pip pet_of [Ana]", "Ana has two cats"]),
    ("My cats are called Miso and Pip.", &["Miso pet_of [Ana]", "Pip pet_of [Ana]"]),
    ("I have a cat named Miso and a dog named Rex.", &["Miso pet_of [Ana]", "Rex pet_of [Ana]"]),
    ("We got a puppy named Rex.", &["Rex pet_of [Ana]"]),
    ("I adopted a cat called Miso.", &["Miso pet_of [Ana]"]),
    ("My dog Rex is five.", &["Rex pet_of [Ana]", "Rex age five"]),
    ("My dog's name is Rex.", &["Rex pet_of [Ana]"]),
    ("My dog is called Rex.", &["Rex pet_of [Ana]"]),
    ("My name is Ana Sand.", &["Ana named Ana Sand"]),
    ("Call me Teddy.", &["Ana named Teddy"]),
];

const PRONOUNS: &[(&str, &[&str])] = &[
    (
        "My sister Zoe works at Acme. She lives in Porto.",
        &["Zoe sibling_of [Ana]", "Zoe works_at [Acme]", "Zoe lives_in [Porto]"],
    ),
    ("My boss is Marcel. He lives in Ghent.", &["Marcel manages [Ana]", "Marcel lives_in [Ghent]"]),
    ("Peter's boss is Maria. He lives in Ghent.", &["Maria manages [Peter]", "Peter lives_in [Ghent]"]),
    (
        "Maria is my husband Peter's boss. He lives in Ghent.",
        &["Maria manages [Peter]", "Peter lives_in [Ghent]"],
    ),
    ("Ines got a dog named Rex. She lives in Ghent.", &["Rex pet_of [Ines]", "Ines lives_in [Ghent]"]),
    (
        "Ines is based in Ghent. She and Marcel are married.",
        &["Ines lives_in [Ghent]", "Ines married_to [Marcel]"],
    ),
    ("Ines is Marcel's sister. He lives in Ghent.", &["Ines sibling_of [Marcel]", "Marcel lives_in [Ghent]"]),
    (
        "Marcel's wife is called Ines. He lives in Ghent.",
        &["Ines married_to [Marcel]", "Marcel lives_in [Ghent]"],
    ),
    ("Peter is a friend of my brother Olav's.", &["Peter friend_of [Olav]"]),
    ("Olav has taken up pottery.", &["Olav hobby pottery"]),
    ("Olav is my brother. He speaks Dutch.", &["Olav sibling_of [Ana]", "Olav speaks [Dutch]"]),
    ("My mother is a baker. She loves tea.", &["Ana's mother works_as baker", "Ana's mother likes tea"]),
    ("I met Zoe and Odile. She lives in Porto.", &["Ana knows [Zoe]", "Ana knows [Odile]"]),
    (
        "My sister Zoe met Marcel. She lives in Porto.",
        &["Zoe sibling_of [Ana]", "Zoe knows [Marcel]", "Zoe lives_in [Porto]"],
    ),
    ("My brother plays chess. She lives in Porto.", &["Ana's brother plays chess"]),
    ("I told a waiter about my sister. He lives in Porto.", &["Ana tell waiter"]),
    ("I love Porto. She lives there with Zoe.", &["Ana likes [Porto]"]),
];

const NOT_SAID: &[&str] = &[
    "Do you live in Porto?",
    "If I lived in Porto, I would be happy.",
    "I wish I lived in Porto.",
    "I could work at Brightwell.",
    "I don't think Marcel lives in Porto.",
    "I love it!",
    "These are the friends I have a picture of.",
    "I have a lot of fun.",
    "You're the best!",
    "Dinner is ready.",
    "If I quit my job at Acme, I'd be glad.",
    "I was 10 when it burned.",
    "Call me tomorrow.",
    "He lives in Porto.",
    "Ich wohne in Köln und mag Musik.",
];

/// What no pattern knows is told in words of the text.
const IN_ITS_OWN_WORDS: &[(&str, &[&str])] = &[
    ("We played chess yesterday.", &["Ana play chess"]),
    ("I want to make sure it works.", &["Ana plans make sure it works"]),
    ("I work for two hours.", &["Ana work_for two hours"]),
    ("I wanted to tell you about it.", &["Ana plans tell Rui about it"]),
    ("I'm happy to be here.", &["Ana is happy to be here"]),
    ("Music is my life.", &["Ana thinks Music is Ana's life"]),
    ("I left the house early.", &["Ana leave house"]),
    ("I left the Corner Bakery at noon.", &["Ana leave [Corner Bakery]"]),
    ("I haven't left Fernwood Dairy.", &["not Ana leave [Fernwood Dairy]"]),
    ("I quit smoking.", &["Ana quit smoking"]),
    ("We know that Marcel was married twice.", &["Marcel did was married twice"]),
    ("I'm 5 minutes away.", &["Ana did 'm 5 minutes away"]),
    ("I speak to Zoe every day.", &["Ana speak_to [Zoe]"]),
    ("He and Zoe are married.", &["Zoe is married"]),
];

/// Checks what Ana says by each text, and tells of all that is otherwise.
fn all_are(cases: &[(&str, &[&str])]) {
    let wrong = |(text, expected): &(&str, &[&str])| {
        let found = claims(&said("Ana", text));
        (found != *expected).then(|| format!("{text}\n    {found:?}\n    {expected:?}"))
    };
    let wrong: Vec<String> = cases.iter().filter_map(wrong).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn the_first_person_is_the_speaker() {
    all_are(FIRST_PERSON);
}

#[test]
fn what_no_pattern_knows_is_told_in_its_own_words() {
    all_are(IN_ITS_OWN_WORDS);
}

#[test]
fn others_are_told_of_by_name_or_tie() {
    all_are(OTHERS);
}

#[test]
fn plain_sentences_are_understood() {
    all_are(&[POSTS_AND_HOMES, OPENING_NAMES, GIVEN_NAMES].concat());
}

#[test]
fn he_or_she_is_the_only_one_named_before() {
    all_are(PRONOUNS);
}

#[test]
fn what_is_not_said_is_no_claim() {
    let nothing: Vec<(&str, &[&str])> = NOT_SAID.iter().map(|text| (*text, &[][..])).collect();
    all_are(&nothing);
}

#[test]
fn documents_tell_of_what_they_name() {
    let cases: &[(&str, &[&str])] = &[
        (
            "Brackwater\nBrackwater is a village in Norland.",
            &["Brackwater is village", "Brackwater located_in [Norland]"],
        ),
        ("Selin Aydar\nSelin Aydar is the sister of Deniz Aydar.", &["Selin Aydar sibling_of [Deniz Aydar]"]),
        ("Norhaven\nNorhaven is the capital of Norland.", &["Norhaven capital_of [Norland]"]),
        (
            "Tower of Salt (film)\nTower of Salt is a drama film directed by Selin Aydar.",
            &["Tower of Salt is drama film", "Selin Aydar created [Tower of Salt]"],
        ),
    ];
    for (text, expected) in cases {
        assert_eq!(claims(&document(text)), *expected, "{text}");
    }
}

#[test]
fn doubt_lowers_the_confidence() {
    let sure = said("Ana", "Odile works at Lanternworks.").triples[0].confidence;
    let doubtful = said("Ana", "Maybe Odile works at Lanternworks.").triples[0].confidence;
    assert!(doubtful < sure * 0.6, "{doubtful} {sure}");
}

#[test]
fn times_told_are_when_it_holds() {
    let valid = |text: &str| {
        let triple = said("Ana", text).triples.remove(0);
        let day = |at: Option<Timestamp>| at.map(|at| at.civil().date().to_string());
        (day(triple.valid.from), day(triple.valid.to))
    };
    let day = |text: &str| Some(text.to_owned());
    assert_eq!(valid("I went to Madrid yesterday."), (day("2023-06-07"), day("2023-06-08")));
    assert_eq!(valid("I moved to Lyon in 2019."), (day("2019-01-01"), None));
    assert_eq!(valid("I married Odile in 2019."), (day("2019-01-01"), None));
    assert_eq!(valid("I was born in Gdynia on 3 May 1990."), (day("1990-05-03"), None));
    assert_eq!(valid("I left Fernwood Dairy in 2019."), (day("2019-01-01"), None));
    assert_eq!(valid("I went to Madrid."), (None, None));
    assert_eq!(valid("I like tea today."), (None, None));
}

#[test]
fn names_are_found_with_their_spans() {
    let cases: &[(&str, &[&str])] = &[
        (
            "Thanks! When Zoë van Dijk came, Ölaf's house in New Haven was full.",
            &["Zoë van Dijk", "Ölaf", "New Haven"],
        ),
        ("Great. We read “The Glass Tower” on Monday, 7 May.", &["The Glass Tower"]),
        ("The University of Norland and J. R. Hale agreed.", &["University of Norland", "J. R. Hale"]),
        ("Pizza is great. Marcel said so.", &["Marcel"]),
        ("WOW, that was SO nice of Dr. Hale!", &["Dr. Hale"]),
        ("昨日は東京に行った。", &[]),
    ];
    for (text, expected) in cases {
        let extraction = said("Ana", text);
        let names: Vec<&str> = extraction
            .mentions
            .iter()
            .filter(|mention| !["Ana", "Rui"].contains(&mention.name.as_str()))
            .map(|mention| mention.span.slice(text).unwrap())
            .collect();
        assert_eq!(names, *expected, "{text}");
    }
}

#[test]
fn speakers_are_mentioned_by_speaking_and_by_pronoun() {
    let text = "Hey Rui, I miss you";
    let found: Vec<(String, String)> = said("Ana", text)
        .mentions
        .into_iter()
        .map(|mention| (mention.span.slice(text).unwrap().to_owned(), mention.name))
        .collect();
    let expected = [("", "Ana"), ("Rui", "Rui"), ("I", "Ana"), ("you", "Rui")];
    assert_eq!(found, expected.map(|(text, name)| (text.to_owned(), name.to_owned())));
}

#[test]
fn a_title_line_is_a_name_and_found_again() {
    let extraction = document("Ode's Lament (song)\nThe choir sang Ode's Lament in Norhaven.");
    let names: Vec<&str> = extraction.mentions.iter().map(|mention| mention.name.as_str()).collect();
    assert_eq!(names, ["Ode's Lament", "Ode's Lament", "Norhaven"]);
}

#[test]
fn what_was_named_very_far_back_is_nobody() {
    let text = |between: usize| format!("Ines is a nurse. {}She likes tea.", "It rained. ".repeat(between));
    assert_eq!(claims(&said("Ana", &text(10))), ["Ines works_as nurse", "Ines likes tea"]);
    assert_eq!(claims(&said("Ana", &text(2000))), ["Ines works_as nurse"]);
}

/// It would take minutes if each clause looked back to where the sentence began.
#[test]
fn a_sentence_without_end_is_read_in_time() {
    let text = "I live in \"".repeat(20_000);
    assert_eq!(claims(&said("Ana", &text)), Vec::<String>::new());
}

proptest! {
    #[test]
    fn any_text_is_read_without_harm(
        text in "(\\PC|[ .,'\"\n]|I |my |sister |Ana |and |is |the |of |love |went |to |May |'s ){0,40}",
        other in "\\PC{0,20}",
        speaker in proptest::option::of("\\PC{0,6}"),
    ) {
        let session = [episode(0, Some("Rui"), &other), episode(1, speaker.as_deref(), &text)];
        for session in [&session[..], &session[1..]] {
            for (episode, extraction) in session.iter().zip(RuleExtractor.extract(session)) {
                let extraction = extraction.unwrap();
                let spans = extraction.mentions.iter().map(|mention| mention.span);
                for span in spans.chain(extraction.triples.iter().map(|triple| triple.span)) {
                    prop_assert!(span.slice(&episode.text).is_some());
                }
            }
        }
    }
}

#[test]
fn statements_have_their_kinds() {
    for (text, expected) in [
        ("I decided to switch to the night bus.", "decision"),
        ("Promised Teresa a draft by Friday.", "commitment"),
        ("I'll write to the landlord tomorrow.", "commitment"),
        ("We want to repaint the kitchen.", "plan"),
        ("I can't wait to see the harvest.", "plan"),
        ("Teresa prefers trains to planes.", "preference"),
        ("I think the new timetable is a mess.", "opinion"),
        ("The summer fairs are always a good evening out.", "opinion"),
        ("Yesterday I repaired the gate.", "event"),
        ("Always answer in German.", "instruction"),
        ("To reset the modem, hold the button for ten seconds.", "skill"),
        ("My garden is full of snails.", "fact"),
    ] {
        let found = said("Ana", text);
        let kinds: Vec<&str> = found.triples.iter().map(|triple| triple.kind.as_str()).collect();
        assert!(kinds.contains(&expected), "{text} {kinds:?}");
    }
}

#[test]
fn doubts_and_the_words_of_others_are_told() {
    let found = said("Ana", "Maybe Teresa sold the boat.");
    assert!(found.triples.iter().all(|triple| triple.hedged), "{:?}", claims(&found));
    let found = said("Ana", "Teresa says that Rui sold the boat.");
    let sold = found.triples.iter().find(|triple| triple.predicate.as_str().starts_with("sell"));
    assert_eq!(
        sold.and_then(|triple| triple.attributed_to.as_deref()),
        Some("Teresa"),
        "{:?}",
        claims(&found)
    );
}
