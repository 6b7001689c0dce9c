//! The truth suite: small histories in which something changes, ends, was wrong or is forgotten, and what
//! must be answered then. Written for this project; nobody in them is real. It says nothing of how a memory
//! is asked.

mod load;

use lorebase_engine::model::time::SourceTime;

pub use load::suite;

/// One small history, told in two ways, and what is asked of it.
#[derive(Debug, Clone, PartialEq)]
pub struct History {
    /// Its class and its name, such as `update/new-town`.
    pub id: String,
    /// What it is about, in a few words.
    pub about: String,
    /// The steps where people talk.
    pub text: Vec<Step>,
    /// The steps where facts are given.
    pub given: Vec<Step>,
    /// What is asked when all steps are done.
    pub asked: Vec<Asked>,
}

impl History {
    /// The class that it belongs to: what stands before the stroke of its id.
    pub fn class(&self) -> &str {
        self.id.split('/').next().unwrap_or_default()
    }

    /// Its steps in one of the two ways.
    pub fn steps(&self, way: Way) -> &[Step] {
        match way {
            Way::Text => &self.text,
            Way::Given => &self.given,
        }
    }
}

/// How a history is told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Way {
    /// As plain text that an extractor reads.
    Text,
    /// As facts.
    Given,
}

impl Way {
    /// Both, with their names.
    pub const ALL: [(Self, &'static str); 2] = [(Self::Text, "text"), (Self::Given, "given")];

    /// The way's name.
    pub fn as_str(self) -> &'static str {
        Self::ALL[self as usize].1
    }
}

/// Subject, predicate and object.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Claimed {
    /// Of whom.
    pub subject: String,
    /// Which relation.
    pub predicate: String,
    /// To what.
    pub object: String,
}

/// One thing that is done to the memory.
#[derive(Debug, Clone, PartialEq)]
pub enum Step {
    /// Somebody says something.
    Tell(Told),
    /// A fact is given.
    Assert(Asserted),
    /// A rule is added, such as `lives_in(X,C), city_in(C,N) -> country(X,N)`.
    Rule(String),
    /// Something is forgotten.
    Forget(Forgotten),
    /// A fact gets another object.
    Edit(Claimed, String),
    /// The last edit is taken back.
    Undo,
    /// The same is told again: what bears this label, or all of this session.
    Retell(String),
    /// Two names are ruled to be of one.
    Merge(String, String),
    /// Two names are ruled to be of two.
    Split(String, String),
}

/// A turn.
#[derive(Debug, Clone, PartialEq)]
pub struct Told {
    /// What was said.
    pub text: String,
    /// In which session.
    pub session: String,
    /// Who said it.
    pub speaker: String,
    /// When it was said.
    pub at: SourceTime,
    /// When the memory was told, which is mostly when it was said.
    pub told: SourceTime,
    /// By what a later step names it.
    pub label: Option<String>,
}

/// A given fact.
#[derive(Debug, Clone, PartialEq)]
pub struct Asserted {
    /// What it says.
    pub claim: Claimed,
    /// From when on it held.
    pub from: Option<SourceTime>,
    /// Until when it held.
    pub to: Option<SourceTime>,
    /// When that was said.
    pub at: SourceTime,
    /// When the memory was told, which is mostly when it was said.
    pub told: SourceTime,
    /// Where it comes from.
    pub source: Option<String>,
    /// By what a later step names it.
    pub label: Option<String>,
}

/// What is to be forgotten.
#[derive(Debug, Clone, PartialEq)]
pub enum Forgotten {
    /// A session.
    Session(String),
    /// The step with this label.
    Step(String),
    /// Everything about somebody.
    Entity(String),
    /// A fact, with all that states it.
    Fact(Claimed),
    /// Everything that was said before.
    Before(SourceTime),
}

/// A question, and what must be answered.
#[derive(Debug, Clone, PartialEq)]
pub struct Asked {
    /// Of whom.
    pub subject: String,
    /// Which relation.
    pub predicate: String,
    /// At which time of the world; now for `None`.
    pub as_of: Option<SourceTime>,
    /// By what the memory had been told by then; all for `None`.
    pub known_at: Option<SourceTime>,
    /// The objects that must be answered, and no others; none at all where it is not known.
    pub expect: Vec<String>,
    /// Whether it must be said that they contradict each other; `None` where that is not asked.
    pub contested: Option<bool>,
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, BTreeSet};

    use super::*;

    #[test]
    fn there_are_at_least_ten_histories_of_each_class() {
        let suite = suite();
        let mut classes: BTreeMap<&str, usize> = BTreeMap::new();
        for history in &suite {
            *classes.entry(history.class()).or_default() += 1;
        }
        assert!(suite.len() >= 130 && classes.len() >= 10, "{classes:?}");
        assert!(classes.values().all(|histories| *histories >= 10), "{classes:?}");
        let ids: BTreeSet<&str> = suite.iter().map(|history| history.id.as_str()).collect();
        assert_eq!(ids.len(), suite.len());
    }

    #[test]
    fn labels_and_sessions_that_steps_name_are_there() {
        for history in suite() {
            for (way, _) in Way::ALL {
                let mut named: BTreeSet<String> = BTreeSet::new();
                for step in history.steps(way) {
                    match step {
                        Step::Tell(told) => {
                            named.insert(told.session.clone());
                            named.extend(told.label.clone());
                        }
                        Step::Assert(asserted) => named.extend(asserted.label.clone()),
                        Step::Retell(name)
                        | Step::Forget(Forgotten::Session(name) | Forgotten::Step(name)) => {
                            assert!(named.contains(name), "{} {name}", history.id);
                        }
                        _ => {}
                    }
                }
            }
        }
    }
}
