//! What a question finds beside its words: names in every spelling, facts of those of whom much is known, the time of
//! a turn; and what it must not show: anything that came after the time that it asks of.

use lorebase::engine::change::Changes;
use lorebase::engine::graph::EpisodeIx;
use lorebase::engine::model::entity::EntityKind;
use lorebase::engine::model::episode::{ExtractionStatus, Span};
use lorebase::engine::model::extraction::{Extraction, Reading};
use lorebase::engine::model::fact::{FactStatus, Named, Triple, TripleObject};
use lorebase::engine::model::id::{Namespace, SessionId};
use lorebase::engine::model::predicate::Predicate;
use lorebase::engine::model::time::SourceTime;
use lorebase::memory::{Memory, Remember};
use lorebase::query::question::Question;
use lorebase::view::FoundEpisode;

use crate::util::{Lab, session, turn};

fn tell(memory: &Memory, id: &str, at: &str, speaker: &str, text: &str) {
    memory.ingest(&Namespace::default(), session(id, vec![turn(speaker, at, text)]), |_| ()).unwrap();
}

fn ask(memory: &Memory, question: &Question<'_>) -> Vec<FoundEpisode> {
    memory.recall(&Namespace::default(), question).unwrap().hits
}

/// Two homes, and a workplace that is known from the first session on and confirmed in the last.
fn moved() -> (Lab, Memory) {
    let lab = Lab::new();
    let memory = lab.memory();
    // The later sessions arrive first, so that nothing depends on the order of arrival.
    tell(&memory, "autumn", "2024-09-10T08:00:00Z", "Ilka", "I work at Mosswell Mills.");
    tell(&memory, "summer", "2024-06-10T08:00:00Z", "Ilka", "I live in Vigo.");
    tell(&memory, "winter", "2024-01-10T08:00:00Z", "Ilka", "I live in Gdynia. I work at Mosswell Mills.");
    (lab, memory)
}

#[test]
fn what_came_later_shows_in_no_fact_and_on_no_path() {
    let (_lab, memory) = moved();
    let winter = memory.recall(&Namespace::default(), &Question::new("Gdynia")).unwrap().hits[0].episode.id;
    let march = Some("2024-03-01T00:00:00Z".parse::<SourceTime>().unwrap().instant);
    let before = Some(SessionId::new("summer"));
    let text = "Where does Ilka live and work?";
    let cuts = [
        Question { as_of: march, ..Question::new(text) },
        Question { before_session: before, ..Question::new(text) },
    ];
    for question in cuts {
        let hits = ask(&memory, &question);
        assert_eq!(hits.len(), 1, "{hits:?}");
        assert_eq!(hits[0].facts.len(), 2);
        for fact in &hits[0].facts {
            assert_eq!((fact.status, fact.valid.to), (FactStatus::Current, None), "{fact:?}");
            assert!(fact.support.iter().all(|support| support.episode == winter), "{fact:?}");
        }
        assert!(!hits[0].path.is_empty());
        for step in &hits[0].path {
            assert_eq!(step.source, winter.to_string(), "{step:?}");
            assert_ne!(step.to, "Vigo");
        }
    }
    let now = ask(&memory, &Question::new("Gdynia"));
    assert!(now[0].facts.iter().any(|fact| fact.status == FactStatus::Superseded && fact.object == "Gdynia"));
}

#[test]
fn asking_before_an_unknown_session_is_refused() {
    let (_lab, memory) = moved();
    let question = Question { before_session: Some(SessionId::new("sumer")), ..Question::new("Ilka") };
    let error = memory.recall(&Namespace::default(), &question).unwrap_err();
    assert!(error.to_string().starts_with("the session \"sumer\" is not known"), "{error}");
}

#[test]
fn names_are_found_with_accents_hyphens_apostrophes_and_without_spaces() {
    let lab = Lab::new();
    let memory = lab.memory();
    for (number, name) in ["Zoë", "Jean-Luc", "O'Brien", "Pat D’Arcy", "王小明"].into_iter().enumerate()
    {
        let at = format!("2024-01-1{number}T08:00:00Z");
        tell(&memory, &format!("s{number}"), &at, name, "I work at Mosswell Mills.");
    }
    let questions = [
        ("Zoë", "Where does Zoë work?"),
        ("Zoë", "Where does zoe work?"),
        ("Jean-Luc", "Where does Jean-Luc work?"),
        ("O'Brien", "Where does O’Brien work?"),
        ("Pat D’Arcy", "Where does D'Arcy work?"),
        ("王小明", "他说王小明在哪里 work?"),
    ];
    for (name, question) in questions {
        let hits = ask(&memory, &Question::new(question));
        let from = |hit: &FoundEpisode| hit.path.first().is_some_and(|step| step.from == name);
        assert!(from(&hits[0]), "{question}: {:?}", hits[0]);
        assert_eq!(hits[0].episode.speaker.as_deref(), Some(name), "{question}");
    }
    let called = |name: &str| memory.entity(&Namespace::default(), name).unwrap();
    assert_eq!((called("zoe")[0].name.as_str(), called("jean luc")[0].name.as_str()), ("Zoë", "Jean-Luc"));
}

#[test]
fn of_an_entity_with_thousands_of_facts_the_newest_is_found() {
    let lab = Lab::new();
    let memory = lab.memory();
    let namespace = Namespace::default();
    tell(&memory, "s1", "2024-01-10T08:00:00Z", "Ilka", "A very long list of what is liked.");
    let named = |name: &str| Named { name: name.to_owned(), kind: EntityKind::Unknown };
    let likes = |number: usize| {
        let thing = TripleObject::Entity(named(&format!("thing {number}")));
        let span = Span { start: 0, end: 1 };
        Triple { span, ..Triple::new(named("Ilka"), Predicate::new("likes"), thing) }
    };
    let episode = memory.engine().reader(&namespace).unwrap().episode(EpisodeIx(0)).unwrap().id;
    let found = Extraction { triples: (0..3000).map(likes).collect(), ..Extraction::default() };
    let reading = Reading { episode, extractor: "list-1".to_owned(), status: ExtractionStatus::Done, found };
    memory.commit(&namespace, Changes { readings: vec![reading], ..Changes::default() }).unwrap();
    tell(&memory, "s2", "2024-02-10T08:00:00Z", "Ilka", "I work at Mosswell Mills.");
    let found = memory.recall(&namespace, &Question::new("Where does Ilka work?")).unwrap();
    assert_eq!(found.hits[0].path.first().map(|step| step.over.as_str()), Some("works_at"));
    assert!(found.trace.walked < 50, "{} facts and passages were looked at", found.trace.walked);
}

#[test]
fn a_date_goes_by_the_turn_where_a_session_lasts_for_months() {
    let lab = Lab::new();
    let memory = lab.memory();
    for at in ["2024-02-10T08:00:00Z", "2024-05-10T08:00:00Z", "2024-08-10T08:00:00Z"] {
        let note =
            Remember { at: Some(at.parse().unwrap()), ..Remember::new("The heron stood in the pond.") };
        memory.remember(&Namespace::default(), &note).unwrap();
    }
    let hits = ask(&memory, &Question::new("What did the heron do in May 2024?"));
    let of_may = |hit: &FoundEpisode| hit.episode.occurred_at.unwrap().to_string().starts_with("2024-05");
    let dated: Vec<bool> = hits.iter().map(|hit| hit.parts.timeline > 1.0).collect();
    assert_eq!(dated, hits.iter().map(of_may).collect::<Vec<_>>());
    assert!(of_may(&hits[0]));
}

#[test]
fn a_very_long_question_is_answered_from_its_beginning() {
    let (_lab, memory) = moved();
    let babble = (0..8000).map(|number| format!(" zq{number}x")).collect::<Vec<_>>().concat();
    let text = format!("Where does Ilka work?{babble}");
    let hits = ask(&memory, &Question::new(&text));
    assert!(hits[0].facts.iter().any(|fact| fact.predicate.as_str() == "works_at"), "{:?}", hits[0]);
}
