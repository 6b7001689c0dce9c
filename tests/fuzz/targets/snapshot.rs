//! Bytes that may be a snapshot: made up, or those of a small memory with something changed in them. What is taken for
//! one can be walked, asked, and written again.
#![no_main]

use std::sync::LazyLock;

use libfuzzer_sys::arbitrary::{self, Arbitrary};
use libfuzzer_sys::fuzz_target;
use lorebase::engine::embed::{Embedder, HashEmbedder, Understanding};
use lorebase::engine::fuzzing;
use lorebase::engine::model::id::Namespace;
use lorebase::engine::state::State;
use lorebase::query::question::Question;
use lorebase::query::recall::{QuestionVector, recall};
use lorebase_fuzz::change::Change;
use lorebase_fuzz::memory::{MEMORY, reader};
use lorebase_fuzz::setup;

#[derive(Arbitrary, Debug)]
enum Bytes {
    Changed(Vec<SectionChange>),
    MadeUp(Vec<Vec<u8>>),
}

#[derive(Arbitrary, Debug)]
enum SectionChange {
    Bytes(u8, Change),
    Swap(u8, u8),
}

static SECTIONS: LazyLock<Vec<Vec<u8>>> = LazyLock::new(|| {
    let mut state = decode(&fuzzing::encode(reader(&MEMORY).state())).expect("it was just made");
    let id = state.episodes()[3].id;
    fuzzing::forget(&mut state, id);
    fuzzing::encode(&state)
});

fn decode(sections: &[Vec<u8>]) -> Result<State, String> {
    fuzzing::decode(&Namespace::default(), HashEmbedder::default().identity(), sections)
}

impl SectionChange {
    fn make(&self, sections: &mut [Vec<u8>]) {
        let number = |number: u8| usize::from(number) % sections.len();
        match self {
            Self::Bytes(section, change) => change.make(&mut sections[number(*section)]),
            Self::Swap(one, other) => sections.swap(number(*one), number(*other)),
        }
    }
}

fuzz_target!(init: setup::one_thread(), |bytes: Bytes| {
    let sections = match bytes {
        Bytes::MadeUp(sections) => sections,
        Bytes::Changed(changes) => {
            let mut sections = SECTIONS.clone();
            changes.iter().for_each(|change| change.make(&mut sections));
            sections
        }
    };
    let Ok(state) = decode(&sections) else { return };
    drop(fuzzing::walk(&state));
    let again = fuzzing::encode(&state);
    assert!(decode(&again).is_ok(), "what was taken is taken again");
    let reader = fuzzing::reader(state, &reader(&MEMORY));
    let embedder = HashEmbedder::default();
    let session = reader.state().sessions().iter().find_map(|session| session.at);
    for (text, as_of) in [
        ("Where does Ana live?", None),
        ("Who is the sister of Bram's boss and what did Zoë say in May 2023?", session.map(|at| at.instant)),
    ] {
        let vector = embedder.embed_question(text).expect("it cannot fail");
        for understanding in [Understanding::Spelling, Understanding::Words, Understanding::Sentences] {
            let asked = QuestionVector { vector: &vector, understanding };
            drop(recall(&reader, &Question { as_of, ..Question::new(text) }, Some(asked)));
        }
    }
});
