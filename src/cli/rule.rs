//! Rules by which facts follow from others.

use super::args::RuleCommand;
use super::{Outcome, Store, render};
use crate::wire;

impl Store {
    pub(super) fn rule(&self, command: &RuleCommand) -> anyhow::Result<Outcome> {
        match command {
            RuleCommand::Add { rule } => {
                let told = self.create()?.add_rule(&self.namespace()?, rule)?;
                self.show(|| wire::rules::added(&told), || render::rules::added(&told))?;
                Ok(Outcome::Done)
            }
            RuleCommand::List => {
                let rules = self.open()?.rules(&self.namespace()?)?;
                self.show(|| wire::rules::list(&rules), || render::rules::list(&rules))?;
                Ok(Outcome::Done)
            }
            RuleCommand::Remove { rule } => {
                let removed = self.open()?.remove_rule(&self.namespace()?, rule)?;
                self.show(
                    || wire::rules::removed(removed.as_ref()),
                    || render::rules::removed(removed.as_ref()),
                )?;
                self.found(usize::from(removed.is_some()))
            }
        }
    }
}
