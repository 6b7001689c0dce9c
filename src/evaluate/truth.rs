//! Runs the truth suite: each history through plain text and through given facts into a namespace of its own,
//! then what it asks. Whether that is answered right is judged here; `lore bench truth` and a test show it.

mod steps;

use std::collections::{BTreeMap, BTreeSet};

use lorebase_datasets::truth::{Asked, History, Way};
use lorebase_engine::model::id::Namespace;
use lorebase_engine::model::time::Timestamp;

use crate::error::Error;
use crate::memory::Memory;

use self::steps::Told;

/// What the suite came to.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Report {
    /// Every question of every history, told in each way.
    pub answers: Vec<Answer>,
}

/// One question, and what was answered.
#[derive(Debug, Clone, PartialEq)]
pub struct Answer {
    /// The history's id.
    pub history: String,
    /// Its class.
    pub class: String,
    /// How it was told.
    pub way: Way,
    /// What was asked and must be answered.
    pub asked: Asked,
    /// The objects that were answered, in order.
    pub found: Vec<String>,
    /// Whether they were told to contradict each other.
    pub contested: bool,
    /// Why a step of the history could not be done, if one could not.
    pub problem: Option<String>,
}

impl Answer {
    /// Whether just what must be answered was.
    pub fn is_right(&self) -> bool {
        let expected: BTreeSet<String> = self.asked.expect.iter().map(|object| folded(object)).collect();
        let found: BTreeSet<String> = self.found.iter().map(|object| folded(object)).collect();
        let contested = self.asked.contested.is_none_or(|contested| contested == self.contested);
        self.problem.is_none() && expected == found && contested
    }
}

/// How many of what was asked were right.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Share {
    /// Those that were right.
    pub right: usize,
    /// All.
    pub of: usize,
}

impl Share {
    /// The share, from 0 to 1; 1 where nothing was asked.
    pub fn value(self) -> f64 {
        if self.of == 0 { 1.0 } else { self.right as f64 / self.of as f64 }
    }

    pub(super) fn count(&mut self, right: bool) {
        self.right += usize::from(right);
        self.of += 1;
    }
}

/// The figures of one class in one way.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Score {
    /// Of the questions.
    pub questions: Share,
    /// Of the histories, those of which every question was answered right.
    pub histories: Share,
}

impl Report {
    /// The classes in their order.
    pub fn classes(&self) -> Vec<&str> {
        let mut classes: Vec<&str> = Vec::new();
        for answer in &self.answers {
            if !classes.contains(&answer.class.as_str()) {
                classes.push(&answer.class);
            }
        }
        classes
    }

    /// The figures of a class, or of all, in one way.
    pub fn score(&self, way: Way, class: Option<&str>) -> Score {
        let mut score = Score::default();
        let mut histories: BTreeMap<&str, bool> = BTreeMap::new();
        let counted = |answer: &&Answer| answer.way == way && class.is_none_or(|class| answer.class == class);
        for answer in self.answers.iter().filter(counted) {
            let right = answer.is_right();
            score.questions.count(right);
            *histories.entry(&answer.history).or_insert(true) &= right;
        }
        for right in histories.into_values() {
            score.histories.count(right);
        }
        score
    }
}

/// Tells every history in both ways and asks what it asks. `progress` is told how many histories are done.
///
/// # Errors
/// The store's. A step that the memory refuses is no error, but its history is answered wrong.
pub fn run(histories: &[History], mut progress: impl FnMut(usize)) -> Result<Report, Error> {
    let directory = tempfile::tempdir().map_err(|source| Error::Temporary { source })?;
    let (memory, _) = Memory::create(directory.path())?;
    let mut report = Report::default();
    for (done, history) in histories.iter().enumerate() {
        for (way, name) in Way::ALL {
            let namespace = Namespace::new(&format!("truth/{}/{name}", history.id.replace('/', "-")))?;
            let mut told = Told::new(&memory, &namespace);
            let problem = history.steps(way).iter().try_for_each(|step| told.take(step)).err();
            for asked in &history.asked {
                let (found, contested) = told.answer(asked, asked_at(history))?;
                report.answers.push(Answer {
                    history: history.id.clone(),
                    class: history.class().to_owned(),
                    way,
                    asked: asked.clone(),
                    found,
                    contested,
                    problem: problem.as_ref().map(ToString::to_string),
                });
            }
        }
        progress(done + 1);
    }
    Ok(report)
}

/// When a history is asked about where it does not say: a day after the last thing that was said in it.
fn asked_at(history: &History) -> Option<Timestamp> {
    const DAY: i64 = 86_400_000;
    let last = Way::ALL.iter().flat_map(|(way, _)| history.steps(*way)).filter_map(steps::time).max()?;
    Timestamp::from_millis(last.as_millis() + DAY).ok()
}

/// An object as it is compared: small letters, and no article.
fn folded(object: &str) -> String {
    let lower = object.to_lowercase();
    let bare = ["a ", "an ", "the "].iter().find_map(|article| lower.strip_prefix(article));
    bare.unwrap_or(&lower).trim().to_owned()
}
