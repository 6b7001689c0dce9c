//! The commands: arguments in, calls to the memory, text or JSON out.

pub(crate) mod answers;
pub(crate) mod args;
mod ask;
mod bench;
mod demo;
mod entity;
mod extract;
mod hops;
mod ids;
mod intake;
mod marked;
pub(crate) mod models;
mod output;
pub(crate) mod render;
mod rule;
mod source;
mod suite;
mod timeline;
pub(crate) mod transfer;
mod truth;
mod upkeep;

use std::collections::BTreeSet;
use std::ops::Deref;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use lorebase::engine::Notice;
use lorebase::engine::embed::Embedder;
use lorebase::engine::model::id::{EpisodeId, Namespace};
use lorebase::engine::model::time::Timestamp;
use lorebase::error::Error;
use lorebase::extract::gate::mask::Secrets;
use lorebase::memory::{Meaning, Memory, Options, Recalled, Remember, now};
use lorebase::models::choice;
use lorebase::models::installed::Models;
use lorebase::models::select;
use lorebase::query::question::Question;
use lorebase::query::rerank::{Reranked, Reranker};

use self::args::{BenchArgs, Cli, Command, ContextArgs, FactsArgs, Output, RecallArgs, RememberArgs};
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
    let store = Store {
        directory: cli.store,
        namespace: cli.namespace,
        shown,
        memory_budget: cli.memory_budget,
        model: cli.model,
        models: cli.models,
    };
    match cli.command {
        Command::Ingest(args) => {
            store.ingest(&args.paths, args.format, (args.secrets.asked(), args.expiry.at(now())?))
        }
        Command::Remember(args) => store.remember(&args),
        Command::Extract { file, format } => extract::run(&file, format, shown),
        Command::Recall(args) => store.recall(&args),
        Command::Context(args) => store.context(&args),
        Command::Ask(args) => store.ask(&args),
        Command::Facts(args) => store.facts(&args),
        Command::Rule(command) => store.rule(&command),
        Command::Assert(args) => store.assert_fact(&args),
        Command::Edit(args) => store.edit(&args),
        Command::Undo(args) => store.undo(&args),
        Command::History(args) => store.history(&args),
        Command::Retain(command) => store.retain(&command),
        Command::Entity(args) => store.entity(&args),
        Command::Stats => store.stats(),
        Command::Check => store.check(),
        Command::Forget(args) => store.forget(&args),
        Command::Backup { directory, no_check } => store.backup(&directory, no_check),
        Command::Repair { no_check } => store.repair(no_check),
        Command::Export { output } => store.export(output.as_deref()),
        Command::Import(args) => store.import(&args),
        Command::Model(command) => store.model(&command),
        Command::Bench(args) => store.bench(&args),
        Command::Demo => {
            store.has_no_part("the demonstration, which uses a store of its own")?;
            demo::run(&store.embedder(None)?, shown)
        }
    }
}

/// What the global flags say.
struct Store {
    directory: Option<PathBuf>,
    namespace: Option<String>,
    shown: Output,
    memory_budget: Option<usize>,
    model: Option<String>,
    models: Option<PathBuf>,
}

impl Store {
    fn directory(&self) -> anyhow::Result<&Path> {
        let problem = || Error::Argument {
            argument: "--store DIR",
            problem: "is missing; name the store's directory".to_owned(),
        };
        Ok(self.directory.as_deref().ok_or_else(problem)?)
    }

    /// Refuses `--store` and `--namespace` for a command that uses neither.
    fn has_no_part(&self, command: &str) -> anyhow::Result<()> {
        if self.directory.is_none() && self.namespace.is_none() {
            return Ok(());
        }
        let problem = format!("mean nothing to {command}; leave them out");
        Err(Error::Argument { argument: "--store and --namespace", problem }.into())
    }

    fn namespace(&self) -> anyhow::Result<Namespace> {
        Ok(Namespace::new(self.namespace.as_deref().unwrap_or(Namespace::DEFAULT))?)
    }

    fn open(&self) -> anyhow::Result<Opened> {
        let directory = self.directory()?;
        Ok(self.opened(Memory::open_with(directory, self.embedder(Some(directory))?)?))
    }

    /// Opens the store for a question. What has no vector is embedded first where the call names a model.
    /// Returns what is to be told of that.
    fn open_to_ask(&self) -> anyhow::Result<(Opened, Vec<String>)> {
        let (memory, namespace) = (self.open()?, self.namespace()?);
        let notices = if self.model.is_some() { embed_pending(&memory, [&namespace]) } else { Vec::new() };
        Ok((memory, notices))
    }

    fn create(&self) -> anyhow::Result<Opened> {
        let directory = self.directory()?;
        Ok(self.opened(Memory::create_with(directory, self.embedder(Some(directory))?)?))
    }

    /// As [`Store::create`], for texts that are to be stored.
    fn create_for(&self, secrets: Secrets, expires_at: Option<Timestamp>) -> anyhow::Result<Opened> {
        let directory = self.directory()?;
        let embedder = Some(self.embedder(Some(directory))?);
        let options = Options { embedder, secrets, expires_at, ..Options::default() };
        Ok(self.opened(Memory::open_as(directory, options)?))
    }

    /// The models on this machine.
    fn models(&self) -> anyhow::Result<Models> {
        match &self.models {
            Some(directory) => Ok(Models::at(directory)),
            None => Ok(Models::at(&models::directory()?)),
        }
    }

    /// The model that makes vectors: the one that was named, or else the one that the store asks for. The
    /// models on this machine are not looked at where neither is.
    fn embedder(&self, store: Option<&Path>) -> anyhow::Result<Arc<dyn Embedder>> {
        if let Some(name) = &self.model {
            return Ok(select::named(name, &self.models()?)?);
        }
        match store.map(choice::Choice::read).transpose()?.flatten() {
            Some(choice) => Ok(choice.find(&self.models()?)?.embedder()?),
            None => Ok(choice::built_in()),
        }
    }

    /// The model that looks at hits again: the one that was named, or where the name is empty, the only one.
    fn reranker(&self, name: Option<&str>) -> anyhow::Result<Option<Arc<dyn Reranker>>> {
        let Some(name) = name else { return Ok(None) };
        Ok(Some(select::reranker(Some(name).filter(|name| !name.is_empty()), &self.models()?)?))
    }

    fn opened(&self, (memory, notices): (Memory, Vec<Notice>)) -> Opened {
        tell(&notices);
        if let Some(bytes) = self.memory_budget {
            memory.set_memory_budget(bytes);
        }
        Opened { memory, notices }
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

    /// What it comes to when `count` things were found. Where there are none, that is told, whatever the
    /// output.
    fn found(&self, count: usize) -> anyhow::Result<Outcome> {
        if count > 0 {
            return Ok(Outcome::Done);
        }
        output::note(&format!("nothing found in namespace {}", self.namespace()?));
        Ok(Outcome::Nothing)
    }

    fn remember(&self, args: &RememberArgs) -> anyhow::Result<Outcome> {
        let what = Remember {
            text: &args.text,
            speaker: args.speaker.as_deref(),
            at: args.at,
            session: args.session.as_deref(),
            expires_at: args.expiry.at(now())?,
        };
        let (memory, namespace) = (self.create_for(args.secrets.asked(), None)?, self.namespace()?);
        let told = memory.remember(&namespace, &what)?;
        if self.shown == Output::Text {
            output::write(&render::remembered(&told))?;
        }
        let notices = embed_pending(&memory, [&namespace]);
        if self.shown == Output::Json {
            output::write_json(&wire::remembered(&told, &notices))?;
        }
        Ok(Outcome::Done)
    }

    fn recall(&self, args: &RecallArgs) -> anyhow::Result<Outcome> {
        let model = self.reranker(args.rerank.rerank.as_deref())?;
        let rerank = model.as_deref().map(|model| args.rerank.of(model));
        let question = Question { limit: args.limit, ..args.sight.question(&args.question, rerank) };
        let (memory, mut notices) = self.open_to_ask()?;
        let found = memory.recall(&self.namespace()?, &question)?;
        notices.extend(notices_of(&found.meaning));
        notices.extend(out_of_time(found.reranked.as_ref()));
        notices.extend(contested(&found));
        let detail = args.detail();
        self.show(|| wire::recall(&found, &notices, detail), || render::recall(&found, detail))?;
        let given = found.hits.iter().map(|hit| hit.episode.id).collect::<Vec<_>>();
        self.used(&memory, &question, &given)?;
        self.found(found.hits.len())
    }

    fn context(&self, args: &ContextArgs) -> anyhow::Result<Outcome> {
        let model = self.reranker(args.rerank.rerank.as_deref())?;
        let rerank = model.as_deref().map(|model| args.rerank.of(model));
        let (question, tokens) = (args.sight.question(&args.question, rerank), args.tokens);
        let (memory, mut notices) = self.open_to_ask()?;
        let context = memory.context(&self.namespace()?, &question, tokens)?;
        notices.extend(notices_of(&context.meaning));
        notices.extend(out_of_time(context.reranked.as_ref()));
        self.show(|| wire::context(&context, &notices), || output::for_who_looks(&context.text))?;
        if context.dropped > 0 && self.shown == Output::Text {
            let (dropped, room) = (context.dropped, render::counted(tokens, "token"));
            output::note(&format!("{} did not fit into {room}", render::counted(dropped, "further episode")));
        }
        let given = context.citations.iter().map(|cited| cited.episode).collect::<Vec<_>>();
        self.used(&memory, &question, &given)?;
        self.found(context.citations.len())
    }

    /// Notes what was given as an answer, where it is to fade.
    fn used(&self, memory: &Memory, question: &Question<'_>, given: &[EpisodeId]) -> anyhow::Result<()> {
        if question.fade.is_some() {
            // Best effort: where nothing can be written, the answer stands all the same.
            let _ = memory.note_use(&self.namespace()?, given);
        }
        Ok(())
    }

    fn facts(&self, args: &FactsArgs) -> anyhow::Result<Outcome> {
        let (memory, namespace) = (self.open()?, self.namespace()?);
        let (about, predicate) = (args.about.as_deref(), args.predicate.as_deref());
        let moment = args.moment.moment();
        let mut facts = memory.facts_at(&namespace, about, predicate, moment)?;
        let mut more = false;
        if args.derived || (about.is_some() && !args.stated) {
            let following = memory.following(&namespace, about, predicate, moment)?;
            more = following.more;
            facts.extend(following.facts);
        }
        self.show(|| wire::facts(&facts, more), || render::facts(&facts, args.ids))?;
        if more {
            output::note("more follows than was worked out; ask with --predicate, or of another entity");
        }
        self.found(facts.len())
    }

    fn bench(&self, args: &BenchArgs) -> anyhow::Result<Outcome> {
        let embedder = self.embedder(self.directory.as_deref())?;
        let reranker = self.reranker(args.rerank.as_deref())?;
        let models = bench::Models { embedder: &embedder, reranker: reranker.as_deref() };
        bench::run(args, self.directory.as_deref(), &models, self.shown)
    }

    fn stats(&self) -> anyhow::Result<Outcome> {
        let namespace = self.namespace.as_deref().map(Namespace::new).transpose()?;
        let stats = self.open()?.stats(namespace.as_ref())?;
        self.show(|| wire::stats(&stats), || render::stats(&stats))?;
        Ok(Outcome::Done)
    }
}

/// A memory that tells what opening found, and at the end what was found since.
struct Opened {
    memory: Memory,
    /// What opening found.
    notices: Vec<Notice>,
}

impl Deref for Opened {
    type Target = Memory;

    fn deref(&self) -> &Memory {
        &self.memory
    }
}

impl Drop for Opened {
    fn drop(&mut self) {
        tell(&self.memory.take_notices());
    }
}

/// How many episodes are to be embedded later.
fn pending(memory: &Memory, namespace: &Namespace) -> Result<usize, Error> {
    let engine = memory.engine();
    if engine.embedder().is_quick() { Ok(0) } else { Ok(engine.without_vector(namespace)?) }
}

/// Embeds what has no vector yet. It is stored already, and found by its words, so a failure is only told.
/// Returns what was told.
fn embed_pending<'n>(memory: &Memory, namespaces: impl IntoIterator<Item = &'n Namespace>) -> Vec<String> {
    let mut notices = Vec::new();
    for namespace in namespaces {
        let embed = || -> Result<(), Error> {
            let pending = pending(memory, namespace)?;
            if pending == 0 {
                return Ok(());
            }
            let bar = output::progress("embedding", pending as u64);
            let embedded = memory.embed_pending(namespace, |more| bar.inc(more as u64));
            bar.finish_and_clear();
            embedded
        };
        if let Err(error) = embed() {
            let pending = pending(memory, namespace).unwrap_or_default();
            notices.push(format!("{} ({:#})", waiting(pending), anyhow::Error::new(error)));
        }
    }
    notices.extend(memory.engine().embedder().take_notice());
    for notice in &notices {
        output::note(notice);
    }
    notices
}

/// What is to be told of a question that a model could not answer, or only in part. It is told.
fn notices_of(meaning: &Meaning) -> Vec<String> {
    let Meaning { problem, without_vector, .. } = meaning;
    let words = problem.as_ref().map(|problem| format!("words alone have answered: {problem}"));
    let some = (*without_vector > 0).then(|| waiting(*without_vector));
    let notices: Vec<String> = words.into_iter().chain(some).collect();
    for notice in &notices {
        output::note(notice);
    }
    notices
}

/// What is to be told of a reranker that did not read all that it was to. It is told.
fn out_of_time(reranked: Option<&Reranked>) -> Option<String> {
    let Reranked { candidates, read, .. } =
        reranked.filter(|reranked| reranked.read < reranked.candidates)?;
    let hits = render::counted(*candidates, "hit");
    let notice = format!("the reranker read {read} of {hits} in its time; --rerank-budget gives it more");
    output::note(&notice);
    Some(notice)
}

/// What is to be told where hits state facts that others contradict, and neither can be put after the other.
/// It is told.
fn contested(found: &Recalled) -> Vec<String> {
    let facts = found.hits.iter().flat_map(|hit| &hit.facts).filter(|fact| fact.contested);
    let facts: BTreeSet<String> = facts.map(render::claim).collect();
    let notices: Vec<String> =
        facts.into_iter().map(|fact| format!("contested, another says otherwise: {fact}")).collect();
    for notice in &notices {
        output::note(notice);
    }
    notices
}

/// Tells how many episodes wait for vectors, and how those are made.
fn waiting(episodes: usize) -> String {
    format!(
        "{} without a vector, found by words alone until the next command that stores in the namespace, or `lore model use` \
         with the store's model, embeds them",
        render::counted(episodes, "episode")
    )
}

fn tell(notices: &[Notice]) {
    for notice in notices {
        output::note(&render::notice(notice));
    }
}

/// Tells what went wrong.
pub(crate) fn report(error: &anyhow::Error) {
    output::note(&format!("{error:#}"));
}
