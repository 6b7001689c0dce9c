//! Runs the suite of several hops: each world is taken in as plain talk, then what it asks is asked. Whether that is
//! answered right is judged here; `lore bench hops` shows it.

use std::collections::{BTreeMap, BTreeSet};

use lorebase_datasets::hops::{Half, Kind, Question as Asked, World};
use lorebase_engine::graph::{EntityIx, FactIx};
use lorebase_engine::model::fact::Polarity;
use lorebase_engine::model::id::Namespace;
use lorebase_engine::state::State;
use lorebase_engine::text;
use lorebase_query::question::Question;

use super::truth::Share;
use crate::error::Error;
use crate::memory::Memory;

/// What the suite came to.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Report {
    /// Every question of every world.
    pub answers: Vec<Answer>,
    /// How many of the facts that are told are read: those whose ends some fact ties, by half.
    pub read: BTreeMap<Half, Share>,
}

/// One question, and what was answered.
#[derive(Debug, Clone, PartialEq)]
pub struct Answer {
    /// The world's name.
    pub world: String,
    /// What the world may be used for.
    pub half: Half,
    /// What was asked and must be answered.
    pub asked: Asked,
    /// The answer in words; `None` where the question was declined.
    pub found: Option<String>,
}

impl Answer {
    /// Whether just what must be answered was: as a set where that is several, and nothing where nobody told.
    pub fn is_right(&self) -> bool {
        let expected: BTreeSet<String> = self.asked.answer.iter().map(|answer| folded(answer)).collect();
        match &self.found {
            None => expected.is_empty(),
            Some(found) if expected.len() > 1 => {
                let pieces = found.split([',', ';']).flat_map(|piece| piece.split(" and "));
                pieces.map(folded).filter(|piece| !piece.is_empty()).collect::<BTreeSet<_>>() == expected
            }
            Some(found) => expected.contains(&folded(found)),
        }
    }
}

impl Report {
    /// How many were right, of all that are counted.
    pub fn share(&self, counts: impl Fn(&Answer) -> bool) -> Share {
        let mut share = Share::default();
        for answer in self.answers.iter().filter(|answer| counts(answer)) {
            share.count(answer.is_right());
        }
        share
    }

    /// How many of the questions that have an answer were answered right, in a half or in both.
    pub fn exact(&self, half: Option<Half>) -> Share {
        self.share(|answer| answer.asked.kind != Kind::Untold && half.is_none_or(|half| half == answer.half))
    }
}

/// Takes every world in and asks what it asks. `progress` is told how many worlds are done.
///
/// # Errors
/// The store's.
pub fn run(
    worlds: &[World],
    ask: impl Fn(&Memory, &Namespace, &str) -> Result<Option<String>, Error>,
    mut progress: impl FnMut(usize),
) -> Result<Report, Error> {
    let directory = tempfile::tempdir().map_err(|source| Error::Temporary { source })?;
    let (memory, _) = Memory::create(directory.path())?;
    let mut report = Report::default();
    for (done, world) in worlds.iter().enumerate() {
        let namespace = Namespace::new(&format!("hops/{}", world.name))?;
        memory.ingest(&namespace, world.transcript.clone(), |_| ())?;
        memory.embed_pending(&namespace, |_| ())?;
        let reader = memory.engine().reader(&namespace)?;
        let read = report.read.entry(world.half).or_default();
        for ends in &world.told {
            read.count(is_read(reader.state(), ends));
        }
        for asked in &world.questions {
            report.answers.push(Answer {
                world: world.name.clone(),
                half: world.half,
                asked: asked.clone(),
                found: ask(&memory, &namespace, &asked.text)?,
            });
        }
        progress(done + 1);
    }
    Ok(report)
}

/// Whether some fact that is affirmed ties these two.
fn is_read(state: &State, [one, other]: &[&str; 2]) -> bool {
    let named = |ix: EntityIx| state.entity(ix).name();
    let ties = |fact: FactIx| {
        let node = state.fact(fact);
        let object = node.object.map(named).or(state.value(fact)).unwrap_or_default();
        let ends = [folded(named(node.subject)), folded(object)];
        node.polarity == Polarity::Affirmed && ends.contains(&folded(one)) && ends.contains(&folded(other))
    };
    state.entities_called(&text::fold_name(one)).into_iter().any(|ix| state.facts_of(ix).any(ties))
}

/// What a memory answers to a question.
///
/// # Errors
/// The store's.
pub fn answer(memory: &Memory, namespace: &Namespace, question: &str) -> Result<Option<String>, Error> {
    Ok(memory.ask(namespace, &Question::new(question))?.text)
}

/// An answer as it is compared: small letters, no article, no full stop, and small numbers as digits.
fn folded(answer: &str) -> String {
    const NUMBERS: [&str; 11] =
        ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"];
    let lower = answer.trim().trim_end_matches(['.', '!']).to_lowercase();
    let bare = ["a ", "an ", "the "].iter().find_map(|article| lower.strip_prefix(article));
    let bare = bare.unwrap_or(&lower).trim();
    let number = NUMBERS.iter().position(|number| *number == bare);
    number.map_or_else(|| bare.to_owned(), |number| number.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_right(expected: &[&str], found: Option<&str>) -> bool {
        let answer = expected.iter().map(|answer| (*answer).to_owned()).collect();
        let asked = Asked { text: String::new(), kind: Kind::Chain, hops: 2, answer };
        let (world, half, found) = (String::new(), Half::Development, found.map(str::to_owned));
        Answer { world, half, asked, found }.is_right()
    }

    #[test]
    fn an_answer_is_right_where_it_is_the_same_but_for_case_articles_and_order() {
        assert!(is_right(&["Porto"], Some("porto.")) && is_right(&["cello"], Some("the cello")));
        assert!(is_right(&["2"], Some("two")) && !is_right(&["2"], Some("twelve")));
        assert!(is_right(&["Ana", "Rui"], Some("Rui and Ana")) && !is_right(&["Ana", "Rui"], Some("Ana")));
        assert!(!is_right(&["Porto"], Some("Porto, Ghent")) && !is_right(&["Porto"], None));
        assert!(is_right(&[], None) && !is_right(&[], Some("Porto")));
    }
}
