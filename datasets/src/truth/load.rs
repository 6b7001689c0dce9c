//! The suite as it is written: a file a class, in TOML. A step is a table with one key that tells what is
//! done.

use lorebase_engine::model::time::SourceTime;
use serde::{Deserialize, Deserializer, de};

use super::{Asked, Asserted, Claimed, Forgotten, History, Step, Told};

/// The files, each with its class.
const FILES: &[(&str, &str)] = &[
    ("update", include_str!("../../truth/update.toml")),
    ("cascade", include_str!("../../truth/cascade.toml")),
    ("absence", include_str!("../../truth/absence.toml")),
    ("deletion", include_str!("../../truth/deletion.toml")),
    ("return", include_str!("../../truth/return.toml")),
    ("backfill", include_str!("../../truth/backfill.toml")),
    ("disagreement", include_str!("../../truth/disagreement.toml")),
    ("mishearing", include_str!("../../truth/mishearing.toml")),
    ("hypothetical", include_str!("../../truth/hypothetical.toml")),
    ("gaps", include_str!("../../truth/gaps.toml")),
    ("namesakes", include_str!("../../truth/namesakes.toml")),
    ("zones", include_str!("../../truth/zones.toml")),
];

/// All histories, class by class.
pub fn suite() -> Vec<History> {
    let mut all = Vec::new();
    for (class, text) in FILES {
        let file: RawFile =
            toml::from_str(text).unwrap_or_else(|error| panic!("truth/{class}.toml: {error}"));
        let histories = file.history.into_iter().map(RawHistory::into_history);
        all.extend(histories.inspect(|history| debug_assert_eq!(history.class(), *class, "{}", history.id)));
    }
    all
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawFile {
    history: Vec<RawHistory>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawHistory {
    id: String,
    about: String,
    text: Vec<RawStep>,
    given: Vec<RawStep>,
    ask: Vec<RawAsked>,
}

/// A time as it is written everywhere in lorebase.
struct Time(SourceTime);

impl<'de> Deserialize<'de> for Time {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        text.parse().map(Self).map_err(|error| de::Error::custom(format!("{text}: {error}")))
    }
}

/// A step: serde takes the first of these that fits, and a key too many fits none.
#[derive(Deserialize)]
#[serde(untagged)]
enum RawStep {
    Tell(RawTold),
    Assert(RawAsserted),
    Rule(RawRule),
    Forget(RawForget),
    Edit(RawEdit),
    Undo(RawUndo),
    Retell(RawRetell),
    Merge(RawMerge),
    Split(RawSplit),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawTold {
    tell: String,
    session: String,
    speaker: String,
    at: Time,
    told: Option<Time>,
    label: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawAsserted {
    assert: [String; 3],
    from: Option<Time>,
    to: Option<Time>,
    at: Time,
    told: Option<Time>,
    source: Option<String>,
    label: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawRule {
    rule: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawForget {
    forget: RawForgotten,
}

#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
enum RawForgotten {
    Session(String),
    Step(String),
    Entity(String),
    Fact([String; 3]),
    Before(Time),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawEdit {
    edit: [String; 3],
    object: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawUndo {
    undo: bool,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawRetell {
    retell: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawMerge {
    merge: [String; 2],
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawSplit {
    split: [String; 2],
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawAsked {
    subject: String,
    predicate: String,
    as_of: Option<Time>,
    known_at: Option<Time>,
    expect: Vec<String>,
    contested: Option<bool>,
}

impl RawHistory {
    fn into_history(self) -> History {
        let steps = |raw: Vec<RawStep>| raw.into_iter().map(RawStep::into_step).collect();
        History {
            id: self.id,
            about: self.about,
            text: steps(self.text),
            given: steps(self.given),
            asked: self.ask.into_iter().map(RawAsked::into_asked).collect(),
        }
    }
}

impl RawStep {
    fn into_step(self) -> Step {
        match self {
            Self::Tell(RawTold { tell: text, session, speaker, at: Time(at), told, label }) => {
                let told = told.map_or(at, |Time(told)| told);
                Step::Tell(Told { text, session, speaker, at, told, label })
            }
            Self::Assert(RawAsserted { assert, from, to, at: Time(at), told, source, label }) => {
                let time = |time: Option<Time>| time.map(|Time(time)| time);
                Step::Assert(Asserted {
                    claim: claimed(assert),
                    from: time(from),
                    to: time(to),
                    at,
                    told: time(told).unwrap_or(at),
                    source,
                    label,
                })
            }
            Self::Rule(RawRule { rule }) => Step::Rule(rule),
            Self::Forget(RawForget { forget }) => Step::Forget(match forget {
                RawForgotten::Session(session) => Forgotten::Session(session),
                RawForgotten::Step(label) => Forgotten::Step(label),
                RawForgotten::Entity(name) => Forgotten::Entity(name),
                RawForgotten::Fact(claim) => Forgotten::Fact(claimed(claim)),
                RawForgotten::Before(Time(at)) => Forgotten::Before(at),
            }),
            Self::Edit(RawEdit { edit, object }) => Step::Edit(claimed(edit), object),
            Self::Undo(RawUndo { undo }) => {
                debug_assert!(undo, "a step either undoes or is not there");
                Step::Undo
            }
            Self::Retell(RawRetell { retell }) => Step::Retell(retell),
            Self::Merge(RawMerge { merge: [one, other] }) => Step::Merge(one, other),
            Self::Split(RawSplit { split: [one, other] }) => Step::Split(one, other),
        }
    }
}

fn claimed([subject, predicate, object]: [String; 3]) -> Claimed {
    Claimed { subject, predicate, object }
}

impl RawAsked {
    fn into_asked(self) -> Asked {
        let Self { subject, predicate, as_of, known_at, expect, contested } = self;
        let time = |time: Option<Time>| time.map(|Time(time)| time);
        Asked { subject, predicate, as_of: time(as_of), known_at: time(known_at), expect, contested }
    }
}
