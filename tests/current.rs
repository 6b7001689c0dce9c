//! What is said anew stands above what it supersedes, which is found all the same; and what is old and of no
//! use ranks lower where that is asked for, and only there.

use lorebase::engine::model::id::{EpisodeId, Namespace};
use lorebase::engine::model::time::SourceTime;
use lorebase::memory::Memory;
use lorebase::query::fade::Fade;
use lorebase::query::question::Question;
use lorebase::query::ways::{Way, Ways};

use crate::util::{Lab, session, turn};

fn tell(memory: &Memory, id: &str, at: &str, speaker: &str, text: &str) {
    memory.ingest(&Namespace::default(), session(id, vec![turn(speaker, at, text)]), |_| ()).unwrap();
}

/// The sessions that are found, best first.
fn ask(memory: &Memory, question: &Question<'_>) -> Vec<String> {
    let hits = memory.recall(&Namespace::default(), question).unwrap().hits;
    hits.into_iter().map(|hit| hit.episode.session.as_str().to_owned()).collect()
}

fn place(found: &[String], session: &str) -> usize {
    found.iter().position(|known| known == session).unwrap()
}

#[test]
fn the_current_value_stands_right_above_the_one_that_it_supersedes() {
    let lab = Lab::new();
    let memory = lab.memory();
    // The later one arrives first, and has fewer words of the question.
    let new = "The lower meadow: the goats that we keep have reached 19 there, and the fence has to be mended soon.";
    tell(&memory, "later", "2024-06-10T08:00:00Z", "Ilka", new);
    tell(&memory, "early", "2024-01-10T08:00:00Z", "Ilka", "We keep 12 goats in the lower meadow.");
    tell(&memory, "other", "2024-07-10T08:00:00Z", "Bram", "We keep 40 goats in the upper meadow.");
    let text = "How many goats do we keep in the lower meadow?";
    let without = Question { ways: Ways::ALL.without(Way::Updates), ..Question::new(text) };
    let plain = ask(&memory, &without);
    assert!(place(&plain, "early") < place(&plain, "later"), "{plain:?}");
    let found = ask(&memory, &Question::new(text));
    assert_eq!(place(&found, "later") + 1, place(&found, "early"), "{found:?}");
    let past = "How many goats did we keep in the lower meadow before?";
    let found = ask(&memory, &Question::new(past));
    assert!(place(&found, "early") < place(&found, "later"), "{found:?}");
    // By then it was not said.
    let march = Some("2024-03-01T00:00:00Z".parse::<SourceTime>().unwrap().instant);
    let found = ask(&memory, &Question { as_of: march, ..Question::new(text) });
    assert_eq!(found[0], "early");
}

#[test]
fn a_superseded_fact_stands_below_the_one_that_took_its_place() {
    let lab = Lab::new();
    let memory = lab.memory();
    tell(&memory, "winter", "2024-01-10T08:00:00Z", "Ilka", "I live in Gdynia.");
    let new =
        "What a week, boxes and boxes, and at last a bed again. I live in Vigo now, right by the harbour.";
    tell(&memory, "summer", "2024-06-10T08:00:00Z", "Ilka", new);
    let found = ask(&memory, &Question::new("Where does Ilka live?"));
    assert!(place(&found, "summer") < place(&found, "winter"), "{found:?}");
    let found = ask(&memory, &Question::new("Where did Ilka live before?"));
    assert_eq!(found.len(), 2, "{found:?}");
}

#[test]
fn hits_fade_where_that_is_asked_for_and_uses_keep_them() {
    let lab = Lab::new();
    let memory = lab.memory();
    tell(&memory, "old", "2021-01-10T08:00:00Z", "Ilka", "The kettle hissed in the boathouse.");
    tell(
        &memory,
        "new",
        "2024-06-10T08:00:00Z",
        "Bram",
        "The kettle hissed in the boathouse, it did indeed.",
    );
    let text = "Who heard the kettle hiss in the boathouse?";
    let now = Some("2024-06-11T00:00:00Z".parse::<SourceTime>().unwrap().instant);
    let faded = || Question { fade: Some(Fade { now, uses: None }), ..Question::new(text) };
    assert_eq!(ask(&memory, &Question::new(text)), ["old", "new"]);
    assert_eq!(ask(&memory, &faded()), ["new", "old"]);
    // What is noted to be of use is new again, for the clock is later than all that was said.
    let hits = memory.recall(&Namespace::default(), &Question::new(text)).unwrap().hits;
    let old: Vec<EpisodeId> = hits[..1].iter().map(|hit| hit.episode.id).collect();
    memory.note_use(&Namespace::default(), &old).unwrap();
    assert_eq!(ask(&memory, &faded()), ["old", "new"]);
    assert_eq!(ask(&memory, &Question::new(text)), ["old", "new"]);
}

#[test]
fn the_command_notes_what_it_gives_and_uses_go_with_what_is_forgotten() {
    let lab = Lab::new();
    lab.lore(&["remember", "The kettle hissed in the boathouse.", "--speaker", "Ilka"]).done();
    lab.lore(&["recall", "kettle"]).done();
    let uses = lab.path("store").join("uses");
    assert!(!uses.exists());
    let found = lab.lore(&["recall", "kettle", "--fade", "--json"]).done().json();
    lab.lore(&["context", "kettle", "--fade"]).done();
    assert_eq!(std::fs::read_dir(&uses).unwrap().count(), 1);
    lab.lore(&["forget", "--episode", found["hits"][0]["episode"].as_str().unwrap()]).done();
    assert_eq!(std::fs::read_dir(&uses).unwrap().count(), 0);
}
