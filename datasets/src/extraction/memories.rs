//! Typed memories of short texts: which labelled ones are covered by a fact of the right kind.
//!
//! The set itself matches by the likeness of vectors; here a label is covered where a fact has half of its content
//! words. Where a language has no labels of its own, the English ones are used, and then little more than names and
//! numbers can be covered.

use std::collections::BTreeMap;
use std::path::Path;

use lorebase_extract::extractor::Extractor;
use serde::{Deserialize, Serialize};

use super::overlap::{Words, shown};
use super::scores::Share;
use super::texts::{Label, Labelled, Text, read_labelled, read_text};
use super::{Item, Tell};
use crate::error::Error;

const SET: &str = "memories";

/// The scores of every language, English first.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct MemoriesReport {
    /// One a language.
    pub languages: Vec<MemoriesOfLanguage>,
}

/// The scores of one language.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct MemoriesOfLanguage {
    /// As the file names it.
    pub language: String,
    /// Labels that a fact of their kind covers.
    pub covered: Share,
    /// Labels that a fact covers, of whatever kind.
    pub any_kind: Share,
    /// Facts that cover a label, of whatever kind.
    pub useful: Share,
    /// By the label's kind: what a fact of that kind covers, and what any does.
    pub kinds: BTreeMap<String, (Share, Share)>,
}

#[derive(Debug, Clone, Deserialize)]
struct Memories {
    id: String,
    memories: Vec<Memory>,
}

#[derive(Debug, Clone, Deserialize)]
struct Memory {
    #[serde(rename = "type")]
    kind: String,
    content: String,
}

impl Label for Memories {
    fn id(&self) -> &str {
        &self.id
    }
}

/// Labels, those covered by a fact of the right kind, and those covered by any.
#[derive(Default, Clone, Copy)]
struct Tally {
    labels: usize,
    right: usize,
    any: usize,
}

impl Tally {
    fn count(&mut self, right: bool, any: bool) {
        self.labels += 1;
        self.right += usize::from(right);
        self.any += usize::from(any);
    }

    fn shares(self) -> (Share, Share) {
        (Share::of(self.right, self.labels), Share::of(self.any, self.labels))
    }
}

/// Scores an extractor on the set in `directory`.
pub fn score(
    extractor: &dyn Extractor,
    directory: &Path,
    tell: &mut Tell<'_>,
) -> Result<MemoriesReport, Error> {
    let sets = read_labelled::<Memories>(directory)?;
    let languages = sets.into_iter().map(|set| score_language(extractor, set, tell));
    Ok(MemoriesReport { languages: languages.collect::<Result<_, _>>()? })
}

fn score_language(
    extractor: &dyn Extractor,
    set: Labelled<Memories>,
    tell: &mut Tell<'_>,
) -> Result<MemoriesOfLanguage, Error> {
    let mut all = Tally::default();
    let mut kinds: BTreeMap<String, Tally> = BTreeMap::new();
    let (mut facts, mut useful) = (0, 0);
    for (text, label) in set.texts {
        let found = read_text(extractor, &text.text);
        let found = found.map_err(|problem| Error::Extractor { set: SET, item: text.id.clone(), problem })?;
        let found = found.triples.iter();
        let found: Vec<Found> = found
            .map(|fact| Found {
                kind: fact.kind.as_str(),
                words: Words::of_fact(fact, &text.text),
                shown: shown(fact),
            })
            .collect();
        let judged = judge(&label.memories, &found);
        for (memory, (right, any)) in label.memories.iter().zip(&judged.labels) {
            all.count(*right, *any);
            kinds.entry(memory.kind.clone()).or_default().count(*right, *any);
        }
        facts += found.len();
        useful += judged.useful.iter().filter(|useful| **useful).count();
        tell_of(&set.language, &text, (&label.memories, &found, &judged), tell);
    }
    let (covered, any_kind) = all.shares();
    Ok(MemoriesOfLanguage {
        language: set.language,
        covered,
        any_kind,
        useful: Share::of(useful, facts),
        kinds: kinds.into_iter().map(|(kind, tally)| (kind, tally.shares())).collect(),
    })
}

/// A fact as it is compared.
struct Found {
    kind: &'static str,
    words: Words,
    shown: String,
}

/// For each label whether a fact of its kind and whether any covers it, and for each fact whether it covers one.
struct Judged {
    labels: Vec<(bool, bool)>,
    useful: Vec<bool>,
}

/// A fact is of the right kind where the label's kind has its name.
fn judge(labels: &[Memory], found: &[Found]) -> Judged {
    let mut judged = Judged { labels: Vec::new(), useful: vec![false; found.len()] };
    for label in labels {
        let words = Words::of(&label.content);
        let (mut right, mut any) = (false, false);
        for (fact, useful) in found.iter().zip(&mut judged.useful) {
            if words.covered_by(&fact.words) {
                (any, *useful) = (true, true);
                right |= fact.kind == label.kind.to_lowercase();
            }
        }
        judged.labels.push((right, any));
    }
    judged
}

fn tell_of(
    language: &str,
    text: &Text,
    (labels, found, judged): (&[Memory], &[Found], &Judged),
    tell: &mut Tell<'_>,
) {
    let missed = labels.iter().zip(&judged.labels).filter(|(_, (right, _))| !right);
    let extra = found.iter().zip(&judged.useful).filter(|(_, useful)| !**useful);
    tell(&Item {
        set: SET,
        language: Some(language),
        id: &text.id,
        text: &text.text,
        missed: missed
            .map(|(label, (_, any))| {
                let told = if *any { " (covered by another kind)" } else { "" };
                format!("[{}] {}{told}", label.kind, label.content)
            })
            .collect(),
        extra: extra.map(|(fact, _)| fact.shown.clone()).collect(),
        found: found.iter().map(|fact| fact.shown.clone()).collect(),
    });
}

#[cfg(test)]
mod tests {
    use lorebase_engine::model::fact::FactKind;

    use super::*;
    use crate::extraction::testing::{Fixed, fact};

    #[test]
    fn kind_and_words_must_fit() {
        let directory = tempfile::tempdir().unwrap();
        let write = |name: &str, content: &str| std::fs::write(directory.path().join(name), content).unwrap();
        write("dataset.jsonl", "{\"id\": \"a\", \"text\": \"Ana prefers tea. The shop closed.\"}\n");
        write(
            "labels.jsonl",
            "{\"id\": \"a\", \"memories\": [{\"type\": \"preference\", \"content\": \"Ana prefers tea.\"}, \
             {\"type\": \"decision\", \"content\": \"The shop is closed.\"}, \
             {\"type\": \"fact\", \"content\": \"Something else entirely\"}]}\n",
        );
        let found = Fixed::facts(vec![
            fact("Ana", "likes", "tea", FactKind::Preference, (0, 16)),
            fact("shop", "closed", "it", FactKind::Event, (17, 33)),
            fact("Ben", "has", "cat", FactKind::Fact, (0, 0)),
        ]);
        let mut missed = Vec::new();
        let report =
            score(&found, directory.path(), &mut |item: &Item<'_>| missed.clone_from(&item.missed)).unwrap();
        let english = &report.languages[0];
        assert_eq!((english.covered.covered, english.any_kind.covered, english.covered.of), (1, 2, 3));
        assert_eq!((english.useful.covered, english.useful.of), (2, 3));
        assert_eq!(english.kinds["decision"].1.covered, 1);
        assert_eq!(missed[0], "[decision] The shop is closed. (covered by another kind)");
    }
}
