//! Short answers: what is asked for is what is answered, with the turn that says so; and what nobody said is declined.

use lorebase::engine::model::id::Namespace;
use lorebase::memory::Memory;
use lorebase::query::question::Question;
use serde_json::Value;

use crate::util::{Lab, root, session, turn};

/// Two who talk, over two days.
fn talk(memory: &Memory) {
    let sessions = [
        (
            "first",
            vec![
                turn(
                    "Petra",
                    "2023-05-08T13:56:00Z",
                    "Hi Bram! I went to a pottery class last Friday and made a blue vase.",
                ),
                turn(
                    "Bram",
                    "2023-05-08T13:57:00Z",
                    "That sounds lovely! My brother Joost bought a sailing boat in 2019.",
                ),
                turn("Petra", "2023-05-08T13:58:00Z", "Wow. What is it called?"),
                turn(
                    "Bram",
                    "2023-05-08T13:59:00Z",
                    "It is called the Grey Heron. We sail every weekend on the Eem.",
                ),
            ],
        ),
        (
            "second",
            vec![
                turn(
                    "Bram",
                    "2023-06-20T09:00:00Z",
                    "I am learning the accordion because my grandmother used to play it.",
                ),
                turn(
                    "Petra",
                    "2023-06-20T09:01:00Z",
                    "Nice! I adopted two kittens, Mies and Noor, from the shelter yesterday.",
                ),
                turn("Bram", "2023-06-20T09:02:00Z", "Congratulations! I have never had a pet."),
            ],
        ),
    ];
    for (id, turns) in sessions {
        memory.ingest(&Namespace::default(), session(id, turns), |_| ()).unwrap();
    }
}

fn answer(memory: &Memory, question: &str) -> Option<String> {
    memory.ask(&Namespace::default(), &Question::new(question)).unwrap().text
}

#[test]
fn what_is_asked_for_is_what_is_answered() {
    let lab = Lab::new();
    let memory = lab.memory();
    talk(&memory);
    for (question, expected) in [
        ("When did Petra adopt two kittens?", "19 June 2023"),
        ("What did Petra make at the pottery class?", "blue vase"),
        ("When did Petra go to a pottery class?", "the Friday before 8 May 2023"),
        ("When did Bram's brother buy a sailing boat?", "2019"),
        ("Has Bram ever had a pet?", "no"),
        ("Did Petra adopt kittens?", "yes"),
    ] {
        assert_eq!(answer(&memory, question).as_deref(), Some(expected), "{question}");
    }
}

#[test]
fn what_was_said_of_somebody_else_or_never_is_declined() {
    let lab = Lab::new();
    let memory = lab.memory();
    talk(&memory);
    for question in ["What did Bram make at the pottery class?", "Which volcano erupted near Quito?"] {
        let declined = memory.ask(&Namespace::default(), &Question::new(question)).unwrap();
        assert!(declined.declined(), "{question}: {:?}", declined.text);
        assert!(declined.citations.is_empty() && declined.path.is_empty());
    }
    let near = memory
        .ask(&Namespace::default(), &Question::new("What did Bram make at the pottery class?"))
        .unwrap();
    assert!(near.nearby[0].episode.text.contains("blue vase"));
}

#[test]
fn an_empty_memory_and_odd_questions_answer_nothing_and_break_nothing() {
    let lab = Lab::new();
    let memory = lab.memory();
    assert_eq!(answer(&memory, "When did Petra go?"), None);
    talk(&memory);
    let long = "why ".repeat(2000);
    for question in
        ["?", "the", "Wann?", "🦀🦀", "\"", "what or", "or", "how many", "王小明在哪里?", long.as_str()]
    {
        memory.ask(&Namespace::default(), &Question::new(question)).unwrap();
    }
    assert!(memory.ask(&Namespace::default(), &Question::new(" ")).is_err());
}

#[test]
fn the_command_tells_the_answer_its_turns_and_its_path_and_declines_with_1() {
    let lab = Lab::new();
    talk(&lab.memory());
    let told = lab.json(&["ask", "When did Petra adopt two kittens?"]);
    assert_eq!((&told["answer"], &told["kind"]), (&Value::from("19 June 2023"), &Value::from("date")));
    assert_eq!(told["declined"], Value::from(false));
    assert_eq!(told["citations"].as_array().unwrap().len(), 1);
    assert!((0.0..=1.0).contains(&told["confidence"].as_f64().unwrap()));
    let declined = lab.lore(&["ask", "Which volcano erupted near Quito?", "--json"]);
    assert_eq!(declined.code, 1);
    assert_eq!(
        (&declined.json()["answer"], &declined.json()["declined"]),
        (&Value::Null, &Value::from(true))
    );
}

#[test]
fn a_chain_of_ties_is_followed_over_the_facts_and_declined_where_it_breaks_off() {
    let lab = Lab::new();
    let memory = lab.memory();
    let told = [
        ("Petra", "My brother Joost works at Kestrel Insurance."),
        ("Bram", "I know it. My sister Lotte works at Kestrel Insurance, too."),
        ("Petra", "Joost's boss is Hanneke."),
        ("Bram", "Hanneke lives in Delft."),
    ];
    let turns = told.iter().map(|(speaker, text)| turn(speaker, "2024-05-08T13:56:00Z", text)).collect();
    memory.ingest(&Namespace::default(), session("kin", turns), |_| ()).unwrap();
    for (question, expected) in [
        ("Who is the boss of Petra's brother?", Some("Hanneke")),
        ("Where does the boss of Petra's brother live?", Some("Delft")),
        ("Does the boss of Petra's brother live in Delft?", Some("yes")),
        ("Petra asks: where does my brother's boss live?", Some("Delft")),
        ("Where does the boss of Bram's sister live?", None),
    ] {
        let answer = memory.ask(&Namespace::default(), &Question::new(question)).unwrap();
        assert_eq!(answer.text.as_deref(), expected, "{question}");
        assert_eq!(answer.path.is_empty(), expected.is_none(), "{question}: {:?}", answer.path);
    }
}

#[test]
fn i_is_the_user_who_talks_with_an_assistant() {
    let lab = Lab::new();
    let memory = lab.memory();
    let told = [
        ("user", "I work at Brightwell Bank as a welder. My sister Lotte lives in Delft."),
        ("assistant", "Nice! Do you ever visit her? I have heard that Delft is lovely."),
        ("user", "My boss is Joost. He lives in Ghent."),
        ("assistant", "Good to know."),
    ];
    let turns = told.iter().map(|(speaker, text)| turn(speaker, "2024-05-08T13:56:00Z", text)).collect();
    memory.ingest(&Namespace::default(), session("chat", turns), |_| ()).unwrap();
    for (question, expected) in [
        ("Where do I work?", Some("Brightwell Bank")),
        ("Where does my boss live?", Some("Ghent")),
        ("Who is my sister?", Some("Lotte")),
        // Neither is told in a few words.
        ("Can you tell me about my sister and her town?", None),
        ("How did my boss influence my work at the bank?", None),
    ] {
        assert_eq!(answer(&memory, question).as_deref(), expected, "{question}");
    }
}

#[test]
fn how_many_is_answered_with_a_number() {
    let lab = Lab::new();
    let memory = lab.memory();
    let tell = |id: &str, text: &str| {
        let turns =
            [("Petra", text), ("Bram", "How nice!")].map(|(by, text)| turn(by, "2024-05-08T13:56:00Z", text));
        memory.ingest(&Namespace::default(), session(id, turns.to_vec()), |_| ()).unwrap();
    };
    let question = "How many apple trees does Petra's garden have?";
    tell("shed", "My garden in Ghent has apple trees, and a shed with a green roof.");
    assert_eq!(answer(&memory, question), None);
    tell("trees", "My garden has twelve apple trees now.");
    assert!(answer(&memory, question).is_some_and(|trees| trees.contains("twelve")));
}

#[test]
fn what_is_told_of_a_first_name_is_told_of_the_one_who_has_it() {
    let lab = Lab::new();
    let file = root().join("datasets/data/sample-dialogues.jsonl");
    lab.lore(&["ingest", file.to_str().unwrap()]).done();
    let question = "In which town does the founder of the company live that the sister of Ngozi works for?";
    let told = lab.json(&["ask", question]);
    assert_eq!(told["answer"], Value::from("Fishguard"));
    assert_eq!(told["citations"].as_array().unwrap().len(), told["path"].as_array().unwrap().len() - 1);
}
