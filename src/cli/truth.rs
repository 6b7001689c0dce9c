//! `assert`, `edit`, `undo`, `history` and `retain`: what is given and put right by hand, and how it came
//! about.

use std::fs;

use lorebase::by_hand::Assertion;
use lorebase::edit::Edit;
use lorebase::engine::model::fact::FactKind;
use lorebase::error::Error;
use lorebase::memory::now;

use super::args::{AssertArgs, EditArgs, HistoryArgs, RetainCommand, UndoArgs};
use super::{Outcome, Store, embed_pending, ids, output, render, timeline};
use crate::wire;

impl Store {
    pub(super) fn assert_fact(&self, args: &AssertArgs) -> anyhow::Result<Outcome> {
        let (memory, namespace) = (self.create()?, self.namespace()?);
        let given = Assertion {
            from: args.from.map(|at| at.instant),
            to: args.to.map(|at| at.instant),
            at: args.at,
            told: args.told.map(|at| at.instant),
            source: args.source.as_deref(),
            expires_at: args.expiry.at(now())?,
            ..Assertion::new(&args.subject, &args.predicate, &args.object)
        };
        let told = memory.assert_fact(&namespace, &given)?;
        let notices = embed_pending(&memory, [&namespace]);
        self.show(|| wire::truth::given(&told, &notices), || render::truth::given(&told))?;
        Ok(Outcome::Done)
    }

    pub(super) fn edit(&self, args: &EditArgs) -> anyhow::Result<Outcome> {
        let what = &args.what;
        let edit = match (&what.object, &args.note) {
            (Some(object), note) => Edit::Replace { object, note: note.as_deref() },
            (None, _) if what.pin || what.unpin => Edit::Pin(what.pin),
            (None, note) => match (what.expires_at, note) {
                (Some(at), _) => Edit::Expire(at.0),
                (None, Some(note)) => Edit::Note(note),
                (None, None) => {
                    let problem =
                        "says nothing; give --object, --note, --pin, --unpin or --expires-at".to_owned();
                    return Err(Error::Argument { argument: "the edit", problem }.into());
                }
            },
        };
        let (memory, namespace) = (self.open()?, self.namespace()?);
        let fact = ids::fact(memory.engine().reader(&namespace)?.state(), &args.fact)?;
        let mut told = memory.edit(&namespace, &fact, edit)?;
        if let (Some(note), false) = (&args.note, matches!(edit, Edit::Replace { .. } | Edit::Note(_))) {
            told = memory.edit(&namespace, &fact, Edit::Note(note))?;
        }
        embed_pending(&memory, [&namespace]);
        self.show(|| wire::truth::edited(&told), || render::truth::edited(&told))?;
        Ok(Outcome::Done)
    }

    pub(super) fn undo(&self, args: &UndoArgs) -> anyhow::Result<Outcome> {
        let (memory, namespace) = (self.open()?, self.namespace()?);
        let done = || memory.deeds(&namespace).map(|deeds| deeds.into_iter().map(|deed| deed.id));
        let id = args.id.as_ref().map(|id| ids::one("what to undo", id, done()?)).transpose()?;
        let told = memory.undo(&namespace, id.as_ref())?;
        memory.compact()?;
        self.show(|| wire::truth::undone(&told), || render::truth::undone(&told))?;
        Ok(Outcome::Done)
    }

    pub(super) fn history(&self, args: &HistoryArgs) -> anyhow::Result<Outcome> {
        let (memory, namespace) = (self.open()?, self.namespace()?);
        let Some(entity) = &args.entity else {
            if args.moment.is_given() {
                let problem =
                    "are of an entity's history; name one, or leave them out for what was done by hand"
                        .to_owned();
                return Err(Error::Argument { argument: "--as-of and --known-at", problem }.into());
            }
            let deeds = memory.deeds(&namespace)?;
            self.show(|| wire::truth::deeds(&deeds), || render::truth::deeds(&deeds))?;
            return self.found(deeds.len());
        };
        let changes = memory.history(&namespace, entity, args.predicate.as_deref(), args.moment.moment())?;
        if let Some(path) = args.svg.as_deref().filter(|_| !changes.is_empty()) {
            let drawn = timeline::draw(entity, &changes, now());
            fs::write(path, drawn).map_err(|error| {
                let problem = format!("cannot be written ({error}); name a file in a directory that can be");
                Error::Argument { argument: "--svg", problem }
            })?;
        }
        self.show(|| wire::truth::changes(&changes), || render::truth::changes(&changes))?;
        if changes.is_empty() {
            output::note(&format!("nothing is known of \"{entity}\""));
        }
        Ok(if changes.is_empty() { Outcome::Nothing } else { Outcome::Done })
    }

    pub(super) fn retain(&self, command: &RetainCommand) -> anyhow::Result<Outcome> {
        let namespace = self.namespace()?;
        let memory = match command {
            RetainCommand::Set { kind, time } => {
                let memory = self.create()?;
                memory.retain(&namespace, *kind, time.0)?;
                memory
            }
            RetainCommand::List => self.open()?,
        };
        let reader = memory.engine().reader(&namespace)?;
        let kinds = FactKind::ALL.map(|(kind, name)| (name, reader.state().retained(kind)));
        self.show(|| wire::truth::retained(&kinds), || render::truth::retained(&kinds))?;
        Ok(Outcome::Done)
    }
}
