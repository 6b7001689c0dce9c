//! Entities of short texts: F1 of (name, type) by the set's own strict rule, and of names alone.
//!
//! The rule of `entity_extraction`: a pair is right where name and type are those of a label, case and the width of
//! white space aside; each pair counts once a text; the set's own figure is the mean of the texts' F1. All languages
//! have the labels of the English texts.

use std::collections::BTreeSet;
use std::path::Path;

use lorebase_engine::model::entity::EntityKind;
use lorebase_engine::model::extraction::NamedSpan;
use lorebase_extract::extractor::Extractor;
use serde::{Deserialize, Serialize};

use super::scores::{Counts, Score, mean};
use super::texts::{Label, Labelled, Text, read_labelled, read_text};
use super::{Item, Tell};
use crate::error::Error;

const SET: &str = "entities";

/// The scores of every language.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct EntitiesReport {
    /// English first.
    pub languages: Vec<EntitiesOfLanguage>,
    /// The mean F1 of (name, type) over the languages but English.
    pub others_f1: f64,
    /// The mean F1 of names over the languages but English.
    pub others_names_f1: f64,
}

/// The scores of one language, counted over all its texts.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct EntitiesOfLanguage {
    /// As the file names it.
    pub language: String,
    /// Of (name, type), whatever types the extractor knows.
    pub typed: Score,
    /// The mean of the texts' F1 of (name, type): the set's own figure.
    pub typed_mean_f1: f64,
    /// Of (name, type), without what the extractor gives a type that the set does not ask for, such as works.
    pub asked: Score,
    /// Of names, whatever their types.
    pub names: Score,
}

#[derive(Debug, Clone, Deserialize)]
struct Entities {
    id: String,
    entities: Vec<Entity>,
}

#[derive(Debug, Clone, Deserialize)]
struct Entity {
    name: String,
    #[serde(rename = "type")]
    kind: String,
}

impl Label for Entities {
    fn id(&self) -> &str {
        &self.id
    }
}

/// Scores an extractor on the set in `directory`.
pub fn score(
    extractor: &dyn Extractor,
    directory: &Path,
    tell: &mut Tell<'_>,
) -> Result<EntitiesReport, Error> {
    let mut languages = Vec::new();
    for set in read_labelled::<Entities>(directory)? {
        languages.push(score_language(extractor, set, tell)?);
    }
    let others = || languages.iter().skip(1);
    Ok(EntitiesReport {
        others_f1: mean(others().map(|scores| scores.typed.f1)),
        others_names_f1: mean(others().map(|scores| scores.names.f1)),
        languages,
    })
}

fn score_language(
    extractor: &dyn Extractor,
    set: Labelled<Entities>,
    tell: &mut Tell<'_>,
) -> Result<EntitiesOfLanguage, Error> {
    let (mut typed, mut asked, mut names) = (Counts::default(), Counts::default(), Counts::default());
    let mut figures = Vec::new();
    for (text, label) in &set.texts {
        let found = read_text(extractor, &text.text);
        let found = found.map_err(|problem| Error::Extractor { set: SET, item: text.id.clone(), problem })?;
        let found = pairs_found(&found.mentions);
        let expected: BTreeSet<Pair> =
            label.entities.iter().map(|entity| (folded(&entity.name), entity.kind.to_lowercase())).collect();
        let counts = compare(&found, &expected);
        figures.push(Score::from(counts).f1);
        typed += counts;
        asked += compare(&found.iter().filter(|pair| is_asked(pair)).cloned().collect(), &expected);
        names += compare(&names_of(&found), &names_of(&expected));
        tell_of(&set.language, text, (&found, &expected), tell);
    }
    Ok(EntitiesOfLanguage {
        language: set.language,
        typed: typed.into(),
        typed_mean_f1: mean(figures.into_iter()),
        asked: asked.into(),
        names: names.into(),
    })
}

fn tell_of(
    language: &str,
    text: &Text,
    (found, expected): (&BTreeSet<Pair>, &BTreeSet<Pair>),
    tell: &mut Tell<'_>,
) {
    let shown = |(name, kind): &Pair| format!("{name} [{kind}]");
    tell(&Item {
        set: SET,
        language: Some(language),
        id: &text.id,
        text: &text.text,
        missed: expected.difference(found).map(shown).collect(),
        extra: found.difference(expected).map(shown).collect(),
        found: found.iter().map(shown).collect(),
    });
}

/// A name and its type, folded as the set's rule does.
type Pair = (String, String);

/// The distinct names with the first kind that is known of each; the speaker, whose span is empty, left out.
fn pairs_found(mentions: &[NamedSpan]) -> BTreeSet<Pair> {
    let mut named: Vec<(String, EntityKind)> = Vec::new();
    for mention in mentions.iter().filter(|mention| mention.span.start < mention.span.end) {
        let name = folded(&mention.name);
        match named.iter_mut().find(|(known, _)| *known == name) {
            Some((_, kind)) if *kind == EntityKind::Unknown => *kind = mention.kind,
            Some(_) => {}
            None => named.push((name, mention.kind)),
        }
    }
    named.into_iter().map(|(name, kind)| (name, kind_in_set(kind).to_owned())).collect()
}

/// The kind as the set spells it.
fn kind_in_set(kind: EntityKind) -> &'static str {
    if kind == EntityKind::Organisation { "organization" } else { kind.as_str() }
}

/// Whether the set asks for the type, or the extractor knows none.
fn is_asked((_, kind): &Pair) -> bool {
    matches!(kind.as_str(), "person" | "organization" | "place" | "project" | "unknown")
}

fn folded(name: &str) -> String {
    name.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase()
}

fn names_of(pairs: &BTreeSet<Pair>) -> BTreeSet<String> {
    pairs.iter().map(|(name, _)| name.clone()).collect()
}

fn compare<T: Ord>(found: &BTreeSet<T>, expected: &BTreeSet<T>) -> Counts {
    let right = found.intersection(expected).count();
    Counts { right, extra: found.len() - right, missed: expected.len() - right }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::extraction::testing::{Fixed, mention};

    #[test]
    fn pairs_are_compared_by_the_sets_rule() {
        let directory = tempfile::tempdir().unwrap();
        let write = |name: &str, content: &str| std::fs::write(directory.path().join(name), content).unwrap();
        let text = "{\"id\": \"a\", \"text\": \"Ana runs Acme in Porto.\"}\n";
        write("dataset.jsonl", text);
        write("dataset.de.jsonl", text);
        write(
            "labels.jsonl",
            "{\"id\": \"a\", \"entities\": [{\"name\": \"ANA\", \"type\": \"person\"}, \
             {\"name\": \"Acme\", \"type\": \"organization\"}, {\"name\": \"Porto\", \"type\": \"place\"}]}\n",
        );
        let found = Fixed::mentions(vec![
            mention(0, 0, "Teller", EntityKind::Person),
            mention(0, 3, "Ana", EntityKind::Unknown),
            mention(0, 3, "ana", EntityKind::Person),
            mention(9, 13, "Acme", EntityKind::Organisation),
            mention(17, 22, "Porto", EntityKind::Work),
        ]);
        let mut told = Vec::new();
        let report =
            score(&found, directory.path(), &mut |item: &Item<'_>| told.push(item.missed.clone())).unwrap();
        let english = &report.languages[0];
        assert_eq!((english.language.as_str(), report.languages[1].language.as_str()), ("en", "de"));
        assert_eq!((english.typed.right, english.typed.extra, english.typed.missed), (2, 1, 1));
        assert_eq!((english.asked.right, english.asked.extra, english.asked.missed), (2, 0, 1));
        assert!((english.names.f1 - 1.0).abs() < 1e-9 && (report.others_names_f1 - 1.0).abs() < 1e-9);
        assert_eq!(told[0], ["porto [place]"]);
    }
}
