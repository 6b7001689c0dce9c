//! Vectors against those that onnxruntime makes (`scripts/reference-vectors.py tiny`), and a cross-encoder made of the same
//! weights against what its head comes to by hand.

use std::path::Path;
use std::time::Duration;

use lorebase_engine::embed::Embedder;
use lorebase_query::rerank::Reranker;
use serde::Deserialize;

use super::*;

const FIXTURE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/fixtures/encoder-1");

#[derive(Deserialize)]
struct Reference {
    text: String,
    mean: Vec<f32>,
    cls: Vec<f32>,
    answers: f32,
}

fn reference() -> Vec<Reference> {
    let bytes = std::fs::read(Path::new(FIXTURE).join("vectors.json")).unwrap();
    serde_json::from_slice(&bytes).unwrap()
}

fn open(pooling: Pooling, precision: Precision) -> LocalEmbedder {
    let usage = Usage { pooling: Some(pooling), precision, ..Usage::default() };
    LocalEmbedder::open(Path::new(FIXTURE), "tiny", &usage).unwrap()
}

fn cosine(one: &[f32], other: &[f32]) -> f32 {
    one.iter().zip(other).map(|(a, b)| a * b).sum()
}

#[test]
fn vectors_are_those_of_the_reference() {
    let reference = reference();
    let texts: Vec<&str> = reference.iter().map(|one| &*one.text).collect();
    for pooling in [Pooling::Mean, Pooling::Cls] {
        // What 8 bits cost is more in a model of 32 numbers than in one of 384, and differs by what the processor can do.
        for (precision, most) in [(Precision::Full, 1e-5), (Precision::Eight, 2e-3)] {
            let vectors = open(pooling, precision).embed(&texts).unwrap();
            for (vector, one) in vectors.iter().zip(&reference) {
                let expected = if pooling == Pooling::Mean { &one.mean } else { &one.cls };
                let off = 1.0 - cosine(vector, expected);
                assert!(off < most, "{off} at {pooling:?} {precision:?} of {:?}", one.text);
            }
        }
    }
}

#[test]
fn a_cross_encoder_says_what_the_reference_does_and_stops_where_the_time_is_out() {
    let reference = reference();
    let texts: Vec<String> = reference.iter().map(|one| one.text.clone()).collect();
    for (precision, most) in [(Precision::Full, 1e-4), (Precision::Eight, 0.15)] {
        let model = CrossEncoder::open(Path::new(FIXTURE), "tiny", None, precision).unwrap();
        let numbers = model.scores("When does the ferry leave?", &texts, None).unwrap();
        for (number, one) in numbers.iter().zip(&reference) {
            let off = (number - one.answers).abs();
            assert!(off < most, "{off} at {precision:?} of {:?}", one.text);
        }
        let mut hour = Duration::from_hours(1);
        assert_eq!(model.scores("When does the ferry leave?", &texts, Some(&mut hour)).unwrap(), numbers);
        let many: Vec<String> = std::iter::repeat_n(texts.clone(), 200).flatten().collect();
        let some =
            model.scores("When does the ferry leave?", &many, Some(&mut Duration::ZERO.clone())).unwrap();
        assert!(!some.is_empty() && some.len() < many.len(), "{}", some.len());
        assert_eq!(some[..1], numbers[..1]);
    }
}

#[test]
fn a_text_comes_out_the_same_alone_and_among_others() {
    let model = open(Pooling::Mean, Precision::Eight);
    let reference = reference();
    let texts: Vec<&str> = reference.iter().map(|one| &*one.text).collect();
    let together = model.embed(&texts).unwrap();
    for (text, vector) in texts.iter().zip(together) {
        assert_eq!(model.embed(&[text]).unwrap(), [vector]);
    }
}
