//! `check`, `forget`, `backup` and `repair`: looking after a store.

use std::path::Path;
use std::sync::Arc;

use lorebase::engine;
use lorebase::engine::embed::Embedder;
use lorebase::engine::model::id::{EpisodeId, SessionId};
use lorebase::error::Error;
use lorebase::forget::{Forgotten, Selection};
use lorebase::memory::Memory;
use lorebase::models::choice;

use super::args::ForgetArgs;
use super::{Outcome, Store, output, render, tell};
use crate::wire;

impl Store {
    pub(super) fn check(&self) -> anyhow::Result<Outcome> {
        let mut memory = self.open()?;
        let problems = memory.check()?;
        let mut notices = std::mem::take(&mut memory.notices);
        let since = memory.take_notices();
        tell(&since);
        notices.extend(since);
        self.show(|| wire::check(&problems, &notices), || render::problems(&problems))?;
        Ok(sound(&problems))
    }

    pub(super) fn forget(&self, args: &ForgetArgs) -> anyhow::Result<Outcome> {
        let (namespace, what) = (self.namespace()?, &args.what);
        let everything = what.names_nothing();
        if everything && self.namespace.is_none() {
            let problem = "is missing: give --episode, --session, --entity, --fact, --about or --before; or --namespace alone, and \
                           all of it goes";
            let argument = "what to forget";
            return Err(Error::Argument { argument, problem: problem.to_owned() }.into());
        }
        if !what.lift.is_empty() {
            return self.lift(&what.lift);
        }
        let sessions: Vec<SessionId> = what.session.iter().map(|id| SessionId::new(id)).collect();
        let entities: Vec<&str> = what.entity.iter().map(String::as_str).collect();
        let about: Vec<&str> = what.about.iter().map(String::as_str).collect();
        let what = Selection {
            episodes: &what.episode,
            sessions: &sessions,
            entities: &entities,
            facts: &what.fact,
            about: &about,
            before: what.before.map(|at| at.instant),
            everything,
        };
        let memory = self.open()?;
        let told = if args.dry_run {
            Forgotten { going: memory.would_forget(&namespace, &what)?, ..Forgotten::default() }
        } else {
            memory.forget_and_erase(&namespace, &what)?
        };
        for unknown in &told.going.unknown {
            output::note(&format!("{unknown} is not known in namespace {namespace}"));
        }
        if memory.engine().usage().aside > 0 && !args.dry_run {
            output::note(
                "what was put aside (quarantine-N in the store) was not looked into; remove it where \
                 it may hold what is forgotten",
            );
        }
        self.show(|| wire::forgotten(&told, args.dry_run), || render::forgotten(&told, args.dry_run))?;
        if !told.going.any() && told.going.gone == 0 {
            return self.found(0);
        }
        let done = told.going.any() || told.compaction.episodes > 0;
        Ok(if done { Outcome::Done } else { Outcome::Nothing })
    }

    fn lift(&self, ids: &[EpisodeId]) -> anyhow::Result<Outcome> {
        let lifted = self.open()?.lift(&self.namespace()?, ids)?;
        self.show(
            || wire::lifted(lifted),
            || format!("{} may come again\n", render::counted(lifted, "thing")),
        )?;
        self.found(lifted)
    }

    pub(super) fn backup(&self, to: &Path, no_check: bool) -> anyhow::Result<Outcome> {
        // The store is not opened, so that it does not matter who has it.
        let from = self.directory()?;
        let told = engine::backup(from, to)?;
        choice::copy(from, to)?;
        // Vectors are no part of what is checked: those of the built-in model are made soonest.
        let problems = self.look_into(to, choice::built_in(), no_check)?;
        let directory = to.display().to_string();
        self.show(
            || wire::backed_up(&directory, &told, problems.as_deref()),
            || render::backed_up(&directory, &told, problems.as_deref()),
        )?;
        Ok(sound(&problems.unwrap_or_default()))
    }

    pub(super) fn repair(&self, no_check: bool) -> anyhow::Result<Outcome> {
        let directory = self.directory()?;
        let told = engine::repair(directory)?;
        // A store whose model is not here can be repaired all the same.
        let embedder = self.embedder(Some(directory)).unwrap_or_else(|_| choice::built_in());
        let problems = self.look_into(directory, embedder, no_check)?;
        self.show(
            || wire::repaired(&told, problems.as_deref()),
            || render::repaired(&told, problems.as_deref()),
        )?;
        Ok(if told.lost > 0 { Outcome::Nothing } else { sound(&problems.unwrap_or_default()) })
    }

    /// Opens a store that was just made and checks it. What opening makes anew there is no news.
    fn look_into(
        &self,
        directory: &Path,
        embedder: Arc<dyn Embedder>,
        no_check: bool,
    ) -> anyhow::Result<Option<Vec<String>>> {
        if no_check {
            return Ok(None);
        }
        let (memory, _) = Memory::open_with(directory, embedder)?;
        if let Some(bytes) = self.memory_budget {
            memory.set_memory_budget(bytes);
        }
        Ok(Some(memory.check()?))
    }
}

fn sound(problems: &[String]) -> Outcome {
    if problems.is_empty() { Outcome::Done } else { Outcome::Nothing }
}
