//! Open triples of sentences, scored on CaRB by its own matcher.

use std::collections::HashMap;
use std::path::Path;

use lorebase_extract::open::OpenTriple;
use serde::Serialize;

use super::carb_match::{Tuple, compare, curve};
use super::texts::read_tabbed;
use super::{Item, Tell};
use crate::error::Error;

const SET: &str = "carb";

/// A context of a gold tuple ("C: he said that"), which CaRB leaves out.
const CONTEXT: &str = "C: ";

/// How open triples are got of a sentence.
pub type OpenExtraction<'o> = &'o dyn Fn(&str) -> Result<Vec<OpenTriple>, String>;

/// Precision, recall and F1 at the best threshold of confidence, as CaRB prints them.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct CarbReport {
    /// Sentences with gold tuples.
    pub sentences: usize,
    /// Gold tuples.
    pub gold: usize,
    /// Predicted ones.
    pub predicted: usize,
    /// Predicted over gold words of matched pairs.
    pub precision: f64,
    /// Gold words that the best prediction has.
    pub recall: f64,
    /// Their harmonic mean.
    pub f1: f64,
    /// The area under the curve of all thresholds.
    pub area: f64,
}

/// Scores open extraction on the gold tuples in `path`.
pub fn score(open: OpenExtraction<'_>, path: &Path, tell: &mut Tell<'_>) -> Result<CarbReport, Error> {
    let mut sentences = Vec::new();
    for (sentence, gold) in read_gold(path)? {
        let found = open(&sentence);
        let found =
            found.map_err(|problem| Error::Extractor { set: SET, item: sentence.clone(), problem })?;
        let predicted: Vec<Tuple> = found.into_iter().map(of_open).collect();
        tell_of(&sentence, &gold, &predicted, tell);
        sentences.push((gold, predicted));
    }
    Ok(report(&sentences))
}

/// Scores what another system wrote, in CaRB's format of tabs (sentence, confidence, relation, arguments), to compare
/// with what CaRB prints for it.
pub fn score_written(written: &Path, path: &Path) -> Result<CarbReport, Error> {
    let mut by_sentence: HashMap<String, Vec<Tuple>> = HashMap::new();
    read_tabbed(written, |_, fields| {
        let [sentence, confidence, relation, arguments @ ..] = fields else {
            return Err("a sentence, a confidence and a relation are needed".to_owned());
        };
        let confidence: f64 = confidence.parse().map_err(|_| format!("no confidence: \"{confidence}\""))?;
        let tuple = tuple(relation, arguments.iter().copied(), confidence);
        by_sentence.entry(key(sentence)).or_default().push(tuple);
        Ok(())
    })?;
    let gold = read_gold(path)?.into_iter();
    let sentences: Vec<_> = gold
        .map(|(sentence, gold)| (gold, by_sentence.remove(&key(&sentence)).unwrap_or_default()))
        .collect();
    Ok(report(&sentences))
}

/// A sentence as CaRB looks it up: without spaces, escaped brackets and marks.
fn key(sentence: &str) -> String {
    let mut plain = sentence.replace(' ', "");
    for escaped in ["-LRB-", "-RRB-", "-LSB-", "-RSB-", "-LCB-", "-RCB-"] {
        plain = plain.replace(escaped, "");
    }
    plain.chars().filter(|c| !c.is_ascii_punctuation()).collect()
}

/// The sentences in the order of the file, each with its tuples.
fn read_gold(path: &Path) -> Result<Vec<(String, Vec<Tuple>)>, Error> {
    let mut sentences: Vec<(String, Vec<Tuple>)> = Vec::new();
    let mut places: HashMap<String, usize> = HashMap::new();
    read_tabbed(path, |_, fields| {
        let [sentence, relation, arguments @ ..] = fields else {
            return Err("a sentence and a relation are needed, separated by a tab".to_owned());
        };
        let sentence = sentence.trim();
        let arguments = arguments.iter().copied().filter(|argument| !argument.contains(CONTEXT));
        let place = *places.entry(sentence.to_owned()).or_insert_with(|| {
            sentences.push((sentence.to_owned(), Vec::new()));
            sentences.len() - 1
        });
        sentences[place].1.push(tuple(relation, arguments, 1.0));
        Ok(())
    })?;
    Ok(sentences)
}

fn tuple<'a>(relation: &str, arguments: impl Iterator<Item = &'a str>, confidence: f64) -> Tuple {
    let arguments = arguments.map(|argument| argument.trim().to_owned()).collect();
    Tuple { relation: relation.trim().to_owned(), arguments, confidence }
}

fn of_open(open: OpenTriple) -> Tuple {
    let mut arguments = vec![open.subject];
    arguments.extend(open.arguments);
    Tuple { relation: open.relation, arguments, confidence: f64::from(open.confidence) }
}

fn report(sentences: &[(Vec<Tuple>, Vec<Tuple>)]) -> CarbReport {
    let curve = curve(sentences);
    CarbReport {
        sentences: sentences.len(),
        gold: sentences.iter().map(|(gold, _)| gold.len()).sum(),
        predicted: sentences.iter().map(|(_, predicted)| predicted.len()).sum(),
        precision: curve.precision,
        recall: curve.recall,
        f1: curve.f1,
        area: curve.area,
    }
}

/// Missed is a gold tuple of which no prediction has half of the words; extra a prediction of which fewer than half of
/// the words are in any gold tuple.
fn tell_of(sentence: &str, gold: &[Tuple], predicted: &[Tuple], tell: &mut Tell<'_>) {
    let shown = |tuple: &Tuple| match tuple.arguments.split_first() {
        Some((subject, others)) => format!("{subject} | {} | {}", tuple.relation, others.join(" | ")),
        None => tuple.relation.clone(),
    };
    let unmatched = |gold: &&Tuple| predicted.iter().all(|one| compare(gold, one).recall < 0.5);
    let astray = |one: &&Tuple| gold.iter().all(|gold| compare(gold, one).precision < 0.5);
    tell(&Item {
        set: SET,
        language: None,
        id: sentence,
        text: sentence,
        missed: gold.iter().filter(unmatched).map(shown).collect(),
        extra: predicted.iter().filter(astray).map(shown).collect(),
        found: predicted.iter().map(shown).collect(),
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    const GOLD: &str = "Ana sold boats .\tsold\tAna\tboats\nAna sold boats .\twas\tit\ttrue\tC: Ben said\n\
                        It rained .\trained\tIt\there\n";

    #[test]
    fn open_triples_are_scored() {
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), GOLD).unwrap();
        let sold = OpenTriple {
            subject: "Ana".to_owned(),
            relation: "sold".to_owned(),
            arguments: vec!["boats".to_owned()],
            confidence: 1.0,
        };
        let open = |_: &str| Ok(vec![sold.clone()]);
        let mut told = Vec::new();
        let report =
            score(&open, file.path(), &mut |item: &Item<'_>| told.push(item.missed.clone())).unwrap();
        assert_eq!((report.sentences, report.gold, report.predicted), (2, 3, 2));
        assert!((report.precision - 0.5).abs() < 1e-9 && (report.recall - 1.0 / 3.0).abs() < 1e-9);
        assert_eq!(told, [["it | was | true"], ["It | rained | here"]]);
    }

    #[test]
    fn another_systems_file_is_found_by_its_sentences() {
        let directory = tempfile::tempdir().unwrap();
        let (gold, written) = (directory.path().join("gold"), directory.path().join("written"));
        std::fs::write(&gold, GOLD).unwrap();
        std::fs::write(&written, "Ana sold boats.\t0.5\tsold\tAna\tboats\n").unwrap();
        let report = score_written(&written, &gold).unwrap();
        assert!((report.precision - 1.0).abs() < 1e-9 && (report.recall - 1.0 / 3.0).abs() < 1e-9);
        std::fs::write(&written, "Ana sold boats.\tsold\tAna\n").unwrap();
        let error = score_written(&written, &gold).unwrap_err();
        assert!(error.to_string().ends_with("line 1: no confidence: \"sold\""), "{error}");
    }
}
