//! The two doors to a memory behind one trait, so that a scenario asks the library and the command line the
//! same things. Both answer in the JSON of the command line.

use std::path::Path;

use lorebase::extract::formats;
use lorebase::memory::{Memory, Remember};
use lorebase::query::question::Question;
use lorebase::view::FactView;
use serde_json::{Value, json};

use crate::util::{Lab, namespace};

/// What is asked, and under which conditions.
pub(crate) struct Ask<'a> {
    pub(crate) namespace: &'a str,
    pub(crate) text: &'a str,
    pub(crate) limit: usize,
    pub(crate) as_of: Option<&'a str>,
}

/// One turn that is remembered by itself.
pub(crate) struct Note<'a> {
    pub(crate) namespace: &'a str,
    pub(crate) text: &'a str,
    pub(crate) speaker: Option<&'a str>,
    pub(crate) at: Option<&'a str>,
    pub(crate) session: Option<&'a str>,
}

/// A memory, through whichever door.
pub(crate) trait Mind {
    /// Ingests a file of plain JSONL. Returns how many episodes were new.
    fn ingest(&self, namespace: &str, file: &Path) -> u64;
    fn remember(&self, note: &Note<'_>);
    fn facts(&self, namespace: &str) -> Vec<Value>;
    /// Hits, best first.
    fn recall(&self, ask: &Ask<'_>) -> Vec<Value>;
    /// Each entity with its name, kind, aliases and the number of its facts.
    fn entity(&self, namespace: &str, name: &str) -> Vec<Value>;
    fn context(&self, ask: &Ask<'_>, tokens: usize) -> String;
    fn problems(&self) -> Vec<String>;
}

impl Mind for Memory {
    fn ingest(&self, to: &str, file: &Path) -> u64 {
        let documents = formats::read(file, None).unwrap();
        let told = documents
            .into_iter()
            .map(|document| Memory::ingest(self, &namespace(to), document.transcript, |_| ()).unwrap());
        told.map(|told| told.new_episodes as u64).sum()
    }

    fn remember(&self, note: &Note<'_>) {
        let at = note.at.map(|at| at.parse().unwrap());
        let what =
            Remember { text: note.text, speaker: note.speaker, at, session: note.session, expires_at: None };
        Memory::remember(self, &namespace(note.namespace), &what).unwrap();
    }

    fn facts(&self, of: &str) -> Vec<Value> {
        Memory::facts(self, &namespace(of), None, None).unwrap().iter().map(fact).collect()
    }

    fn recall(&self, ask: &Ask<'_>) -> Vec<Value> {
        let found = Memory::recall(self, &namespace(ask.namespace), &question(ask)).unwrap();
        let hit = |hit: &lorebase::view::FoundEpisode| {
            let step = |step: &lorebase::view::StepView| json!({ "from": step.from, "over": step.over, "to": step.to });
            json!({
                "text": hit.episode.text,
                "facts": hit.facts.iter().map(fact).collect::<Vec<_>>(),
                "path": hit.path.iter().map(step).collect::<Vec<_>>(),
            })
        };
        found.hits.iter().map(hit).collect()
    }

    fn entity(&self, of: &str, name: &str) -> Vec<Value> {
        let found = Memory::entity(self, &namespace(of), name).unwrap();
        let entity = |entity: &lorebase::view::EntityView| {
            json!({
                "name": entity.name,
                "kind": entity.kind.as_str(),
                "aliases": entity.aliases,
                "facts": entity.facts.iter().map(fact).collect::<Vec<_>>(),
            })
        };
        found.iter().map(entity).collect()
    }

    fn context(&self, ask: &Ask<'_>, tokens: usize) -> String {
        Memory::context(self, &namespace(ask.namespace), &question(ask), tokens).unwrap().context.text
    }

    fn problems(&self) -> Vec<String> {
        self.check().unwrap()
    }
}

fn question<'a>(ask: &Ask<'a>) -> Question<'a> {
    let as_of = ask.as_of.map(|at| at.parse::<lorebase::engine::model::time::SourceTime>().unwrap().instant);
    Question { limit: ask.limit, as_of, ..Question::new(ask.text) }
}

fn fact(fact: &FactView) -> Value {
    json!({
        "subject": fact.subject,
        "predicate": fact.predicate.as_str(),
        "object": fact.object,
        "polarity": fact.polarity.as_str(),
        "status": fact.status.as_str(),
        "valid": {
            "from": fact.valid.from.map(|at| at.to_string()),
            "to": fact.valid.to.map(|at| at.to_string()),
        },
    })
}

impl Mind for &Lab {
    fn ingest(&self, to: &str, file: &Path) -> u64 {
        let told = self.json(&["--namespace", to, "ingest", file.to_str().unwrap()]);
        told["files"][0]["new_episodes"].as_u64().unwrap()
    }

    fn remember(&self, note: &Note<'_>) {
        let mut arguments = vec!["--namespace", note.namespace, "remember"];
        let flags = [("--speaker", note.speaker), ("--at", note.at), ("--session", note.session)];
        arguments.extend(flags.iter().filter_map(|(flag, value)| Some([*flag, (*value)?])).flatten());
        // A text may look like a flag.
        arguments.extend(["--json", "--", note.text]);
        self.lore(&arguments).done();
    }

    fn facts(&self, of: &str) -> Vec<Value> {
        found(self, of, &["facts"], "facts")
    }

    fn recall(&self, ask: &Ask<'_>) -> Vec<Value> {
        let limit = ask.limit.to_string();
        let mut arguments = vec!["recall", ask.text, "--limit", &limit];
        arguments.extend(ask.as_of.iter().flat_map(|at| ["--as-of", at]));
        found(self, ask.namespace, &arguments, "hits")
    }

    fn entity(&self, of: &str, name: &str) -> Vec<Value> {
        found(self, of, &["entity", name], "entities")
    }

    fn context(&self, ask: &Ask<'_>, tokens: usize) -> String {
        let tokens = tokens.to_string();
        let mut arguments = vec!["--namespace", ask.namespace, "context", ask.text, "--tokens", &tokens];
        arguments.extend(ask.as_of.iter().flat_map(|at| ["--as-of", at]));
        arguments.push("--json");
        let reply = self.lore(&arguments);
        let text = reply.json()["text"].as_str().unwrap().to_owned();
        assert_eq!((reply.code, !reply.err.is_empty()), (i32::from(text.is_empty()), text.is_empty()));
        text
    }

    fn problems(&self) -> Vec<String> {
        let told = self.json(&["check"]);
        told["problems"].as_array().unwrap().iter().map(ToString::to_string).collect()
    }
}

/// What a command lists. Its exit code and a word on standard error say where that is nothing.
fn found(lab: &Lab, namespace: &str, command: &[&str], list: &str) -> Vec<Value> {
    let arguments = [&["--json", "--namespace", namespace], command].concat();
    let reply = lab.lore(&arguments);
    let found = reply.json()[list].as_array().unwrap().clone();
    let told = (reply.code, !reply.err.is_empty());
    assert_eq!(told, (i32::from(found.is_empty()), found.is_empty()), "{arguments:?}: {}", reply.err);
    found
}
