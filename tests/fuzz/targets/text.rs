//! What is made of any text: words, stems, names, passages, dates, fences, vectors, and what rules read in it. The first
//! four bytes are the hours from 2024 to when it was said.
#![no_main]

use libfuzzer_sys::arbitrary::{self, Arbitrary};
use libfuzzer_sys::fuzz_target;
use lorebase_engine::embed::{Embedder, HashEmbedder};
use lorebase_engine::index::lexical::{Bm25, Lexical};
use lorebase_engine::index::vector::VectorIndex;
use lorebase_engine::model::id::SessionId;
use lorebase_engine::model::predicate::Predicate;
use lorebase_engine::model::time::SourceTime;
use lorebase_engine::{fence, fuzzing, text};
use lorebase_extract::transcript::{Transcript, TranscriptSession, Turn};
use lorebase_fuzz::{readings, setup, times};

#[derive(Arbitrary, Debug)]
struct Told<'a> {
    hours: i32,
    offset: i16,
    text: &'a str,
}

impl Told<'_> {
    fn at(&self) -> SourceTime {
        let instant = times::hours_from_2024(self.hours);
        // No offset comes to 26 hours.
        SourceTime { instant, offset_minutes: Some(self.offset % 1559).filter(|offset| *offset != 0) }
    }
}

fuzz_target!(init: setup::one_thread(), |told: Told<'_>| {
    words(told.text);
    names(told.text);
    pieces(told.text);
    dates(told.text, told.at());
    fences(told.text);
    indexes(told.text);
    readings(&told);
});

fn words(text: &str) {
    let stems = text::Stems::default();
    text::for_each_word(text, |word| {
        assert!(!word.is_empty());
        assert_eq!(stems.stem(word), stems.stem(word));
    });
    let joined = text::join_words(text);
    if !joined.chars().any(text::is_unspaced) {
        assert_eq!(text::join_words(&joined), joined);
    }
    assert_eq!(text::content_stems(text), text::content_stems(text));
}

fn names(text: &str) {
    let folded = text::fold_name(text);
    assert_eq!(text::fold_name(&folded), folded, "folding goes all the way");
    let predicate = Predicate::new(text);
    assert_eq!(Predicate::new(predicate.as_str()), predicate);
    predicate.phrases().for_each(|phrase| drop(text::content_stems(&phrase)));
}

fn pieces(text: &str) {
    let cuts = fuzzing::passages(text);
    assert_eq!((cuts[0].0, cuts[cuts.len() - 1].1), (0, text.len()), "passages cover the text");
    assert!(cuts.windows(2).all(|pair| pair[0].1 == pair[1].0), "without a gap");
    assert!(cuts.iter().all(|&(start, end)| text.get(start..end).is_some()));
    if let Some(heading) = fuzzing::heading(text) {
        assert!(!heading.is_empty());
    }
}

fn dates(text: &str, at: SourceTime) {
    let characters = text.chars().count() as u32;
    for anchor in [None, Some(at.civil())] {
        let mut end = 0;
        for hit in lorebase_engine::dates::find(text, anchor) {
            assert!(hit.span.start >= end && hit.span.start < hit.span.end, "{hit:?}");
            assert!(hit.interval.from < hit.interval.to, "{hit:?}");
            end = hit.span.end;
        }
        assert!(end <= characters, "an expression of time ends past its text");
    }
    if let Ok(at) = text.parse::<SourceTime>() {
        assert_eq!(
            at.to_string().parse::<SourceTime>().expect("what is written is read").instant,
            at.instant
        );
    }
}

fn fences(text: &str) {
    let safe = fence::defuse(text);
    let fenced = format!("{}\n{safe}{}", fence::OPEN, fence::CLOSE);
    assert_eq!((fence::fenced(&safe).len(), fence::fenced(&fenced).len()), (0, 1));
    assert!(!safe.contains(fence::CLOSE));
    assert_eq!(fence::defuse(&safe), safe);
    assert!(fence::fenced(text).iter().all(|span| span.slice(text).is_some()));
}

/// The same alone as with others, and gone when it is removed.
fn indexes(text: &str) {
    let (first, second) = text.split_at(text.floor_char_boundary(text.len() / 2));
    let texts = [first, text, second];
    let embedder = HashEmbedder::default();
    let vectors = embedder.embed(&texts).expect("it cannot fail");
    let index = VectorIndex::new(embedder.identity().clone());
    for (text, vector) in texts.iter().zip(&vectors) {
        index.check(vector).expect("vectors have length 1 or 0");
        assert_eq!(&embedder.embed(&[text]).expect("it cannot fail")[0], vector);
    }
    let (mut batch, mut single) = (Lexical::new(Bm25::default()), Lexical::new(Bm25::default()));
    batch.insert_batch(0, &texts);
    (0..).zip(texts).for_each(|(number, text)| single.insert(number, text));
    let terms = |index: &Lexical, number| {
        let mut terms: Vec<(String, u32)> = index
            .document_terms(number)
            .iter()
            .map(|(term, count)| (index.stem(*term).to_owned(), *count))
            .collect();
        terms.sort();
        terms
    };
    for number in 0..3 {
        assert_eq!(terms(&batch, number), terms(&single, number));
        assert_eq!(batch.length(number), single.length(number));
    }
    assert!(batch.remove(1) && !batch.remove(1));
    assert_eq!((batch.len(), batch.document_terms(1).len()), (2, 0));
    drop(batch.question(text));
}

/// Two speak: one says the text, the other says it again in two pieces, the speaker's name being a piece of it as well.
fn readings(told: &Told<'_>) {
    let (first, second) = told.text.split_at(told.text.floor_char_boundary(told.text.len() / 2));
    let turn = |speaker: Option<&str>, text: &str| Turn {
        source_id: None,
        speaker: speaker.map(str::to_owned),
        at: Some(told.at()),
        text: text.to_owned(),
    };
    let name: String = first.chars().take(20).collect();
    let turns = vec![turn(Some("Ana"), told.text), turn(Some(&name), second), turn(None, first)];
    readings::read(Transcript {
        sessions: vec![TranscriptSession { id: SessionId::new("s"), at: None, turns }],
    });
}
