//! The commands: arguments in, calls to the memory, text or JSON out.

pub(crate) mod args;
mod bench;
mod demo;
mod output;
mod render;
pub(crate) mod transfer;

use std::collections::HashMap;
use std::ops::Deref;
use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::Context as _;
use lorebase::engine::Notice;
use lorebase::engine::model::id::{Namespace, SessionId};
use lorebase::error::Error;
use lorebase::extract::formats::{self, format::Format};
use lorebase::extract::transcript::Document;
use lorebase::memory::{Ingested, Memory, Remember};
use lorebase::query::question::Question;

use self::args::{Cli, Command, Detail, Output};
use crate::wire;

/// Whether a command did what was asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Outcome {
    /// It did.
    Done,
    /// There was nothing to find, a check failed, or turns were refused.
    Nothing,
}

/// Runs the command that was typed.
pub(crate) fn run(cli: Cli) -> anyhow::Result<Outcome> {
    let shown = cli.output();
    let store = Store { directory: cli.store, namespace: cli.namespace, shown };
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
            let detail = if explain { Detail::Explained } else { Detail::Brief };
            store.recall(&Question { limit, as_of, ..Question::new(&question) }, detail)
        }
        Command::Context { question, tokens, as_of } => {
            store.context(&Question { as_of: as_of.map(|at| at.instant), ..Question::new(&question) }, tokens)
        }
        Command::Facts { about, predicate } => store.facts(about.as_deref(), predicate.as_deref()),
        Command::Entity { name } => store.entity(&name),
        Command::Stats => store.stats(),
        Command::Check => store.check(),
        Command::Export { output } => store.export(output.as_deref()),
        Command::Import(args) => store.import(&args),
        Command::Bench(args) => bench::run(&args, store.directory.as_deref(), shown),
        Command::Demo => {
            if store.directory.is_some() || store.namespace.is_some() {
                let problem =
                    "mean nothing to the demonstration, which uses a store of its own; leave them out";
                let argument = "--store and --namespace";
                return Err(Error::Argument { argument, problem: problem.to_owned() }.into());
            }
            demo::run(shown)
        }
    }
}

/// What the global flags say.
struct Store {
    directory: Option<PathBuf>,
    namespace: Option<String>,
    shown: Output,
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

    fn open(&self) -> anyhow::Result<Opened> {
        Ok(Opened::new(Memory::open(self.directory()?)?))
    }

    fn create(&self) -> anyhow::Result<Opened> {
        Ok(Opened::new(Memory::create(self.directory()?)?))
    }

    fn show(
        &self,
        value: impl FnOnce() -> serde_json::Value,
        text: impl FnOnce() -> String,
    ) -> anyhow::Result<()> {
        match self.shown {
            Output::Json => output::write_json(&value()),
            Output::Text => output::write(&text()),
        }
    }

    /// What it comes to when `count` things were found. Where there are none, that is told, whatever the output.
    fn found(&self, count: usize) -> anyhow::Result<Outcome> {
        if count > 0 {
            return Ok(Outcome::Done);
        }
        output::note(&format!("nothing found in namespace {}", self.namespace()?));
        Ok(Outcome::Nothing)
    }

    fn ingest(&self, paths: &[PathBuf], format: Option<Format>) -> anyhow::Result<Outcome> {
        let namespace = self.namespace()?;
        // All files are read before the first is stored: a mistyped path or a malformed file changes nothing.
        let mut read = read_all(paths, format)?;
        for (_, documents) in &mut read {
            name_sessions(documents);
        }
        for note in sessions_in_several_files(&read) {
            output::note(&note);
        }
        let memory = self.create()?;
        let (mut files, mut refused) = (Vec::new(), 0);
        for (path, documents) in read {
            let start = Instant::now();
            let told = ingest_file(&memory, &namespace, path, documents)?;
            refused += told.refused.len();
            let (path, seconds) = (path.display().to_string(), start.elapsed().as_secs_f64());
            match self.shown {
                Output::Json => files.push(wire::ingested(&path, &told, seconds)),
                Output::Text => output::write(&render::ingested(&path, &told, seconds))?,
            }
        }
        if self.shown == Output::Json {
            output::write_json(&wire::files(&files))?;
        }
        if refused == 0 {
            return Ok(Outcome::Done);
        }
        let turns = if refused == 1 { "turn" } else { "turns" };
        output::note(&format!("{refused} {turns} could not be stored; all others are"));
        Ok(Outcome::Nothing)
    }

    fn remember(&self, what: &Remember<'_>) -> anyhow::Result<Outcome> {
        let told = self.create()?.remember(&self.namespace()?, what)?;
        self.show(|| wire::remembered(&told), || render::remembered(&told))?;
        Ok(Outcome::Done)
    }

    fn recall(&self, question: &Question<'_>, detail: Detail) -> anyhow::Result<Outcome> {
        let found = self.open()?.recall(&self.namespace()?, question)?;
        self.show(|| wire::recall(&found, detail), || render::recall(&found, detail))?;
        self.found(found.hits.len())
    }

    fn context(&self, question: &Question<'_>, tokens: usize) -> anyhow::Result<Outcome> {
        let context = self.open()?.context(&self.namespace()?, question, tokens)?;
        self.show(|| wire::context(&context), || context.text.clone())?;
        if context.dropped > 0 && self.shown == Output::Text {
            output::note(&format!("{} further episodes did not fit into {tokens} tokens", context.dropped));
        }
        self.found(context.citations.len())
    }

    fn facts(&self, about: Option<&str>, predicate: Option<&str>) -> anyhow::Result<Outcome> {
        let facts = self.open()?.facts(&self.namespace()?, about, predicate)?;
        self.show(|| wire::facts(&facts), || render::facts(&facts))?;
        self.found(facts.len())
    }

    fn entity(&self, name: &str) -> anyhow::Result<Outcome> {
        let entities = self.open()?.entity(&self.namespace()?, name)?;
        self.show(|| wire::entities(&entities), || render::entities(&entities))?;
        self.found(entities.len())
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
        Ok(if problems.is_empty() { Outcome::Done } else { Outcome::Nothing })
    }
}

/// Reads all files. Where some cannot be read, each is told, and the last one is the error.
fn read_all(paths: &[PathBuf], format: Option<Format>) -> anyhow::Result<Vec<(&PathBuf, Vec<Document>)>> {
    let (mut read, mut failed) = (Vec::with_capacity(paths.len()), None);
    for path in paths {
        match formats::read(path, format) {
            Ok(documents) => read.push((path, documents)),
            Err(error) => {
                if let Some(before) = failed.replace(anyhow::Error::from(error)) {
                    report(&before);
                }
            }
        }
    }
    failed.map_or(Ok(read), Err)
}

/// A memory that tells what opening found, and at the end what was found since.
struct Opened(Memory);

impl Opened {
    fn new((memory, notices): (Memory, Vec<Notice>)) -> Self {
        tell(&notices);
        Self(memory)
    }
}

impl Deref for Opened {
    type Target = Memory;

    fn deref(&self) -> &Memory {
        &self.0
    }
}

impl Drop for Opened {
    fn drop(&mut self) {
        tell(&self.0.take_notices());
    }
}

fn tell(notices: &[Notice]) {
    for notice in notices {
        output::note(&render::notice(notice));
    }
}

/// Where a file holds several transcripts, the name of each stands before its sessions.
fn name_sessions(documents: &mut [Document]) {
    let several = documents.len() > 1;
    for Document { name, transcript } in documents {
        let Some(name) = name.as_ref().filter(|_| several) else { continue };
        for session in &mut transcript.sessions {
            session.id = SessionId::new(&format!("{name}/{}", session.id));
        }
    }
}

/// A note for each pair of files that name the same session: their turns would stand side by side in it.
fn sessions_in_several_files(read: &[(&PathBuf, Vec<Document>)]) -> Vec<String> {
    let mut first: HashMap<&SessionId, &Path> = HashMap::new();
    let mut notes = Vec::new();
    for (path, documents) in read {
        let sessions = documents.iter().flat_map(|document| &document.transcript.sessions);
        let mut shared = sessions.filter_map(|session| {
            let before = *first.entry(&session.id).or_insert(path);
            (before != path.as_path()).then_some((&session.id, before))
        });
        if let Some((id, before)) = shared.next() {
            let more = match shared.count() {
                0 => String::new(),
                more => format!(" and {more} more sessions"),
            };
            notes.push(format!(
                "{} and {} both have session {}{more}: their turns stand side by side in it; give the sessions \
                 other names, or the files namespaces of their own, to keep them apart",
                before.display(),
                path.display(),
                render::visible(id.as_str())
            ));
        }
    }
    notes
}

/// Ingests the transcripts of one file.
fn ingest_file(
    memory: &Memory,
    namespace: &Namespace,
    path: &Path,
    documents: Vec<Document>,
) -> anyhow::Result<Ingested> {
    let turns = documents.iter().map(|document| document.transcript.turn_count()).sum();
    let bar = output::progress("ingesting", turns);
    let mut total = Ingested::default();
    for document in documents {
        let told = memory
            .ingest(namespace, document.transcript, |episodes| bar.inc(episodes as u64))
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

/// Tells what went wrong.
pub(crate) fn report(error: &anyhow::Error) {
    output::note(&format!("{error:#}"));
}
