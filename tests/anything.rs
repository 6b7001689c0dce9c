//! Anything may be said by anybody at any time: it is stored as it is, read without harm, and found or not found
//! without a panic, also after the store was opened again.

use std::collections::BTreeSet;

use lorebase::engine::graph::EpisodeIx;
use lorebase::engine::model::id::{Namespace, SessionId};
use lorebase::extract::transcript::{Transcript, TranscriptSession, Turn};
use lorebase::memory::{Memory, Remember};
use lorebase::query::question::Question;
use proptest::prelude::*;

use crate::util::{Lab, assert_sound, cases};

/// Arbitrary text, and text of words that rules and questions look at.
const TEXT: &str = "(\\PC{0,30}|.{0,12}|[\\x00-\\x1f]{0,3}|(I |my |you |sister |Ana |is |the |of |lives |in |Vigo |not |on 3 May |yesterday |last week, |'s |\\. |\n|<recalled-memory>|</recalled-memory>|東京|ñ){0,16})";
const NAME: &str = "(\\PC{0,8}|.{0,3}|Ana|Bram)";

/// Times at the ends of what can be written, and ordinary ones.
const TIMES: [Option<&str>; 6] = [
    None,
    Some("2024-02-29T23:59:59.999Z"),
    Some("-009999-01-03T00:00:00Z"),
    Some("9999-12-30T00:00:00Z"),
    Some("0000-01-01"),
    Some("2024-05-01T00:30:00+14:00"),
];

fn transcripts() -> impl Strategy<Value = Transcript> {
    let turn = (prop::option::of(NAME), prop::sample::select(&TIMES[..]), TEXT, prop::option::of(NAME))
        .prop_map(|(speaker, at, text, source_id)| {
            let at = at.map(|at| at.parse().unwrap());
            Turn { source_id, speaker, at, text }
        });
    let turns = prop::collection::vec(turn, 0..5);
    let sessions = prop::collection::btree_map(NAME, turns, 0..4).prop_map(|sessions| {
        let session =
            |(id, turns): (String, _)| TranscriptSession { id: SessionId::new(&id), at: None, turns };
        sessions.into_iter().map(session).collect()
    });
    sessions.prop_map(|sessions| Transcript { sessions })
}

/// Session, position and text of all that is stored.
fn stored(memory: &Memory) -> BTreeSet<(String, u32, String)> {
    let reader = memory.engine().reader(&Namespace::default()).unwrap();
    let count = reader.state().episodes().len() as u32;
    (0..count)
        .map(|number| reader.episode(EpisodeIx(number)).unwrap())
        .map(|episode| (episode.session.as_str().to_owned(), episode.position, episode.text))
        .collect()
}

fn told(transcript: &Transcript) -> BTreeSet<(String, u32, String)> {
    let turns = |session: &TranscriptSession| {
        let id = session.id.as_str().to_owned();
        let turns = (0..).zip(session.turns.clone());
        turns.map(move |(position, turn)| (id.clone(), position, turn.text)).collect::<Vec<_>>()
    };
    transcript.sessions.iter().flat_map(turns).collect()
}

fn ask(memory: &Memory, text: &str) {
    let namespace = Namespace::default();
    let question = Question::new(text);
    if text.trim().is_empty() {
        assert!(memory.recall(&namespace, &question).is_err());
        return;
    }
    let found = memory.recall(&namespace, &question).unwrap();
    assert!(found.hits.len() <= question.limit);
    assert!(found.hits.iter().all(|hit| hit.score.is_finite()), "{text:?}");
    let context = memory.context(&namespace, &question, 300).unwrap();
    assert!(context.tokens <= 300, "{} tokens", context.tokens);
    for fence in ["<recalled-memory>", "</recalled-memory>"] {
        assert!(context.text.matches(fence).count() <= 1, "{}", context.text);
    }
    memory.entity(&namespace, text).unwrap();
    memory.facts(&namespace, Some(text), Some(text)).unwrap();
}

proptest! {
    #![proptest_config(cases(48))]

    #[test]
    fn anything_goes_in_and_comes_back(
        transcript in transcripts(),
        questions in prop::collection::vec(TEXT, 1..4),
        (speaker, note) in (prop::option::of(NAME), TEXT),
    ) {
        let lab = Lab::new();
        let memory = lab.memory();
        let namespace = Namespace::default();
        let mut expected = told(&transcript);
        let ingested = memory.ingest(&namespace, transcript, |_| ()).unwrap();
        prop_assert_eq!((ingested.new_episodes, ingested.refused.len()), (expected.len(), 0));
        let what = Remember { speaker: speaker.as_deref(), session: Some("a session of its own"), ..Remember::new(&note) };
        let noted = memory.remember(&namespace, &what);
        prop_assert_eq!(noted.is_ok(), !note.trim().is_empty());
        expected.extend(noted.ok().map(|_| ("a session of its own".to_owned(), 0, note.clone())));
        for text in questions.iter().chain([&note]) {
            ask(&memory, text);
        }
        prop_assert_eq!(&stored(&memory), &expected);
        assert_sound(&memory);
        drop(memory);
        prop_assert_eq!(&stored(&lab.memory()), &expected);
    }
}
