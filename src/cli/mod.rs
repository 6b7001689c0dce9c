//! The commands: arguments in, calls to the memory, text or JSON out.

pub(crate) mod args;
mod bench;
mod demo;
mod output;
mod render;

use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::Context as _;
use lorebase::engine::model::id::{Namespace, SessionId};
use lorebase::error::Error;
use lorebase::extract::formats::{self, format::Format};
use lorebase::extract::transcript::{Document, Transcript};
use lorebase::memory::{Ingested, Memory, Remember};
use lorebase::query::question::Question;
use serde_json::json;

use self::args::{Cli, Command};
use crate::wire;

/// Whether a command did what was asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Outcome {
    /// It did.
    Done,
    /// There was nothing to find, or a check failed.
    Nothing,
}

impl Outcome {
    fn found(anything: bool) -> Self {
        if anything { Self::Done } else { Self::Nothing }
    }
}

/// Runs the command that was typed.
pub(crate) fn run(cli: Cli) -> anyhow::Result<Outcome> {
    let store = Store { directory: cli.store, namespace: cli.namespace, json: cli.json };
    match cli.command {
        Command::Ingest { paths, format } => store.ingest(&paths, format),
        Command::Remember { text, speaker, at, session } => store.remember(&Remember {
            text: &text,
            speaker: speaker.as_deref(),
            at,
            session: session.as_deref(),
        }),
        Command::Recall { question, limit, as_of, explain } => {
            let as_of = as_of.map(|at| at.instant);
            store.recall(&Question { limit, as_of, ..Question::new(&question) }, explain)
        }
        Command::Context { question, tokens, as_of } => {
            store.context(&Question { as_of: as_of.map(|at| at.instant), ..Question::new(&question) }, tokens)
        }
        Command::Facts { about, predicate } => store.facts(about.as_deref(), predicate.as_deref()),
        Command::Entity { name } => store.entity(&name),
        Command::Stats => store.stats(),
        Command::Check => store.check(),
        Command::Bench(args) => bench::run(&args, store.directory.as_deref(), store.json),
        Command::Demo => demo::run(store.json),
    }
}

/// What the global flags say.
struct Store {
    directory: Option<PathBuf>,
    namespace: Option<String>,
    json: bool,
}

impl Store {
    fn directory(&self) -> anyhow::Result<&Path> {
        let problem = || Error::Argument {
            argument: "--store DIR",
            problem: "is missing; name the store's directory".to_owned(),
        };
        Ok(self.directory.as_deref().ok_or_else(problem)?)
    }

    fn namespace(&self) -> anyhow::Result<Namespace> {
        Ok(Namespace::new(self.namespace.as_deref().unwrap_or(Namespace::DEFAULT))?)
    }

    fn open(&self) -> anyhow::Result<Memory> {
        Ok(told(Memory::open(self.directory()?)?))
    }

    fn create(&self) -> anyhow::Result<Memory> {
        Ok(told(Memory::create(self.directory()?)?))
    }

    fn show(
        &self,
        value: impl FnOnce() -> serde_json::Value,
        text: impl FnOnce() -> String,
    ) -> anyhow::Result<()> {
        if self.json { output::write_json(&value()) } else { output::write(&text()) }
    }

    fn ingest(&self, paths: &[PathBuf], format: Option<Format>) -> anyhow::Result<Outcome> {
        let namespace = self.namespace()?;
        // All files are read before the first is stored: a mistyped path or a malformed file changes nothing.
        let mut read = Vec::with_capacity(paths.len());
        for path in paths {
            read.push((path, formats::read(path, format)?));
        }
        let memory = self.create()?;
        let mut files = Vec::new();
        for (path, documents) in read {
            let start = Instant::now();
            let told = ingest_file(&memory, &namespace, path, documents)?;
            let (path, seconds) = (path.display().to_string(), start.elapsed().as_secs_f64());
            if self.json {
                files.push(wire::ingested(&path, &told, seconds));
            } else {
                output::write(&render::ingested(&path, &told, seconds))?;
            }
        }
        if self.json {
            output::write_json(&json!({ "files": files }))?;
        }
        Ok(Outcome::Done)
    }

    fn remember(&self, what: &Remember<'_>) -> anyhow::Result<Outcome> {
        let told = self.create()?.remember(&self.namespace()?, what)?;
        self.show(|| wire::remembered(&told), || render::remembered(&told))?;
        Ok(Outcome::Done)
    }

    fn recall(&self, question: &Question<'_>, explain: bool) -> anyhow::Result<Outcome> {
        let found = self.open()?.recall(&self.namespace()?, question)?;
        self.show(|| wire::recall(&found, explain), || render::recall(&found, explain))?;
        Ok(Outcome::found(!found.hits.is_empty()))
    }

    fn context(&self, question: &Question<'_>, tokens: usize) -> anyhow::Result<Outcome> {
        let context = self.open()?.context(&self.namespace()?, question, tokens)?;
        self.show(|| wire::context(&context), || context.text.clone())?;
        if context.dropped > 0 && !self.json {
            output::note(&format!("{} further episodes did not fit into {tokens} tokens", context.dropped));
        }
        Ok(Outcome::found(!context.included.is_empty()))
    }

    fn facts(&self, about: Option<&str>, predicate: Option<&str>) -> anyhow::Result<Outcome> {
        let facts = self.open()?.facts(&self.namespace()?, about, predicate)?;
        self.show(|| wire::facts(&facts), || render::facts(&facts))?;
        Ok(Outcome::found(!facts.is_empty()))
    }

    fn entity(&self, name: &str) -> anyhow::Result<Outcome> {
        let entities = self.open()?.entity(&self.namespace()?, name)?;
        self.show(|| wire::entities(&entities), || render::entities(&entities))?;
        Ok(Outcome::found(!entities.is_empty()))
    }

    fn stats(&self) -> anyhow::Result<Outcome> {
        let namespace = self.namespace.as_deref().map(Namespace::new).transpose()?;
        let stats = self.open()?.stats(namespace.as_ref())?;
        self.show(|| wire::stats(&stats), || render::stats(&stats))?;
        Ok(Outcome::Done)
    }

    fn check(&self) -> anyhow::Result<Outcome> {
        let problems = self.open()?.check()?;
        let text = || if problems.is_empty() { "sound\n".to_owned() } else { problems.join("\n") + "\n" };
        self.show(|| wire::check(&problems), text)?;
        Ok(Outcome::found(problems.is_empty()))
    }
}

/// Tells what opening found, and passes the memory on.
fn told((memory, notices): (Memory, Vec<lorebase::engine::Notice>)) -> Memory {
    for notice in &notices {
        output::note(&render::notice(notice));
    }
    memory
}

/// Ingests the transcripts of one file. Where it holds several, the name of each stands before its sessions.
fn ingest_file(
    memory: &Memory,
    namespace: &Namespace,
    path: &Path,
    documents: Vec<Document>,
) -> anyhow::Result<Ingested> {
    let turns = documents.iter().map(|document| document.transcript.turn_count()).sum();
    let bar = output::progress("ingesting", turns);
    let several = documents.len() > 1;
    let mut total = Ingested::default();
    for document in documents {
        let mut transcript = document.transcript;
        if let Some(name) = document.name.filter(|_| several) {
            put_before_sessions(&mut transcript, &name);
        }
        let told = memory
            .ingest(namespace, transcript, |episodes| bar.inc(episodes as u64))
            .with_context(|| format!("while ingesting {}", path.display()))?;
        total.sessions += told.sessions;
        total.episodes += told.episodes;
        total.new_episodes += told.new_episodes;
        total.facts += told.facts;
        total.refused.extend(told.refused);
    }
    bar.finish_and_clear();
    Ok(total)
}

fn put_before_sessions(transcript: &mut Transcript, name: &str) {
    for session in &mut transcript.sessions {
        session.id = SessionId::new(&format!("{name}/{}", session.id));
    }
}

/// Tells what went wrong.
pub(crate) fn report(error: &anyhow::Error) {
    output::note(&format!("{error:#}"));
}
