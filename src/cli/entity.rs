//! What is known of an entity, and who is who.

use lorebase::engine::model::time::Moment;
use lorebase::identity::{Merge, Ruled};

use super::args::{EntityArgs, EntityCommand, MergeArgs};
use super::{Outcome, Store, render};
use crate::wire;

impl Store {
    pub(super) fn entity(&self, args: &EntityArgs) -> anyhow::Result<Outcome> {
        match &args.command {
            None => self.show_entity(args.name.as_deref().unwrap_or_default(), args.moment.moment()),
            Some(EntityCommand::Rename { name, given }) => {
                self.tell_ruled(&self.open()?.rename_entity(&self.namespace()?, name, given)?)
            }
            Some(EntityCommand::Merge(args)) => self.merge(args),
            Some(EntityCommand::Split { name, other }) => {
                self.tell_ruled(&self.open()?.split_entities(&self.namespace()?, name, other)?)
            }
        }
    }

    fn show_entity(&self, name: &str, moment: Moment) -> anyhow::Result<Outcome> {
        let entities = self.open()?.entity_at(&self.namespace()?, name, moment)?;
        self.show(|| wire::entities(&entities), || render::entities(&entities))?;
        self.found(entities.len())
    }

    fn merge(&self, args: &MergeArgs) -> anyhow::Result<Outcome> {
        let (memory, namespace) = (self.open()?, self.namespace()?);
        if let (Some(name), Some(other)) = (&args.name, &args.other) {
            let merge = Merge { name, other, note: args.note.as_deref(), force: args.force };
            return self.tell_ruled(&memory.merge_entities(&namespace, &merge)?);
        }
        let suggestions = memory.suggest_merges(&namespace)?;
        self.show(|| wire::suggestions(&suggestions), || render::suggestions(&suggestions))?;
        self.found(suggestions.len())
    }

    fn tell_ruled(&self, ruled: &Ruled) -> anyhow::Result<Outcome> {
        self.show(|| wire::ruled(ruled), || render::ruled(ruled))?;
        Ok(Outcome::Done)
    }
}
