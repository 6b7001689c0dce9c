//! `check`, `forget`, `backup` and `repair`: looking after a store.

use std::path::Path;
use std::sync::Arc;

use lorebase::engine;
use lorebase::engine::embed::Embedder;
use lorebase::engine::model::id::{EpisodeId, FactId, Namespace, SessionId};
use lorebase::error::Error;
use lorebase::forget::{Going, Selection};
use lorebase::memory::Memory;
use lorebase::models::choice;

use super::args::{ForgetArgs, ForgetWhat, Id};
use super::{Outcome, Store, ids, output, render, tell};
use crate::wire;

/// How many turns and facts that would go are told one by one.
const TOLD: usize = 20;

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
        let memory = self.open()?;
        if !what.lift.is_empty() {
            return self.lift(&memory, &what.lift);
        }
        let (episodes, facts) = named(&memory, &namespace, what)?;
        let sessions: Vec<SessionId> = what.session.iter().map(|id| SessionId::new(id)).collect();
        let entities: Vec<&str> = what.entity.iter().map(String::as_str).collect();
        let about: Vec<&str> = what.about.iter().map(String::as_str).collect();
        let selection = Selection {
            episodes: &episodes,
            sessions: &sessions,
            entities: &entities,
            facts: &facts,
            about: &about,
            before: what.before.map(|at| at.instant),
            everything,
        };
        if args.dry_run { self.would_forget(&memory, &selection) } else { self.take_out(&memory, &selection) }
    }

    fn would_forget(&self, memory: &Memory, what: &Selection<'_>) -> anyhow::Result<Outcome> {
        let namespace = self.namespace()?;
        let going = memory.would_forget(&namespace, what)?;
        let leaving = memory.leaving(&namespace, &going, TOLD)?;
        self.tell_unknown(&going)?;
        self.show(
            || wire::would_forget(&going, &leaving),
            || render::forget::would_forget(&going, &leaving),
        )?;
        // What was forgotten before is found, and nothing goes.
        if !going.any() && going.gone > 0 {
            return Ok(Outcome::Nothing);
        }
        self.found(going.episodes.len() + going.rulings)
    }

    fn take_out(&self, memory: &Memory, what: &Selection<'_>) -> anyhow::Result<Outcome> {
        let told = memory.forget_and_erase(&self.namespace()?, what)?;
        self.tell_unknown(&told.going)?;
        if memory.engine().usage().aside > 0 {
            output::note(
                "what was put aside (quarantine-N in the store) was not looked into; remove it where \
                 it may hold what is forgotten",
            );
        }
        self.show(|| wire::forgotten(&told), || render::forget::forgotten(&told))?;
        if !told.going.any() && told.going.gone == 0 {
            return self.found(0);
        }
        let done = told.going.any() || told.compaction.episodes > 0;
        Ok(if done { Outcome::Done } else { Outcome::Nothing })
    }

    fn tell_unknown(&self, going: &Going) -> anyhow::Result<()> {
        for unknown in &going.unknown {
            output::note(&format!("{unknown} is not known in namespace {}", self.namespace()?));
        }
        Ok(())
    }

    fn lift(&self, memory: &Memory, ids: &[Id]) -> anyhow::Result<Outcome> {
        let namespace = self.namespace()?;
        let reader = memory.engine().reader(&namespace)?;
        let found = ids.iter().map(|id| ids::tombstone(reader.state(), id)).collect::<Result<Vec<_>, _>>()?;
        drop(reader);
        let lifted = memory.lift(&namespace, &found)?;
        self.show(
            || wire::lifted(lifted),
            || match lifted {
                0 => String::new(),
                lifted => format!("{} may come again\n", render::counted(lifted, "thing")),
            },
        )?;
        if lifted == 0 {
            output::note(&format!("nothing of that is forgotten in namespace {namespace}"));
        }
        Ok(if lifted == 0 { Outcome::Nothing } else { Outcome::Done })
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

/// The episodes and facts that are named by their ids.
fn named(
    memory: &Memory,
    namespace: &Namespace,
    what: &ForgetWhat,
) -> anyhow::Result<(Vec<EpisodeId>, Vec<FactId>)> {
    let reader = memory.engine().reader(namespace)?;
    let state = reader.state();
    let episodes = what.episode.iter().map(|id| ids::episode(state, id));
    let facts = what.fact.iter().map(|id| ids::fact(state, id));
    Ok((episodes.collect::<Result<_, _>>()?, facts.collect::<Result<_, _>>()?))
}

fn sound(problems: &[String]) -> Outcome {
    if problems.is_empty() { Outcome::Done } else { Outcome::Nothing }
}
