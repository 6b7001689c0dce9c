//! What can be typed of entities.

use clap::{Args, Subcommand};

#[derive(Debug, Args)]
#[command(args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
pub(crate) struct EntityArgs {
    /// Its name, or the first or last word of it.
    #[arg(required = true)]
    pub(crate) name: Option<String>,
    #[command(flatten)]
    pub(crate) moment: super::MomentArgs,
    #[command(subcommand)]
    pub(crate) command: Option<EntityCommand>,
}

#[derive(Debug, Subcommand)]
pub(crate) enum EntityCommand {
    /// Make two entities one: facts, mentions and names of both are those of the first from now on. Or list
    /// persons that are likely one.
    #[command(
        after_help = "It is written down with its evidence, shown by `lore entity`, and taken back by `lore entity split`. With \
                      --suggest nothing is changed: persons are listed of whom one is called by a full name and the other by \
                      a part of it that no other full name fits, with what speaks for it and how strong that is, from 0 to 1; \
                      the exit code is 1 where there are none.\n\n\
                      Example:\n  lore --store mem entity merge --suggest\n  lore --store mem entity merge \"Gera Vossen\" \"Dr Vossen\" --note \"said so herself\""
    )]
    Merge(MergeArgs),
    /// Call an entity otherwise. The names that it is called by in what was said stay with it.
    #[command(
        after_help = "`lore undo` takes it back.\n\nExample:\n  lore --store mem entity rename \"Dr Vossen\" \"Gera Vossen\""
    )]
    Rename {
        /// A name of it.
        name: String,
        /// The name that it is to have.
        given: String,
    },
    /// Take back that two names are names of one entity, and keep the two apart from then on.
    #[command(after_help = "Example:\n  lore --store mem entity split \"Gera Vossen\" \"Dr Vossen\"")]
    Split {
        /// A name of the one.
        name: String,
        /// A name of the other.
        other: String,
    },
}

#[derive(Debug, Args)]
pub(crate) struct MergeArgs {
    /// A name of the entity that stays.
    #[arg(required_unless_present = "suggest")]
    pub(crate) name: Option<String>,
    /// A name of the entity that becomes part of it.
    #[arg(required_unless_present = "suggest")]
    pub(crate) other: Option<String>,
    /// Why.
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    pub(crate) note: Option<String>,
    /// Also make one what lives and what does not, such as a person and a place.
    #[arg(long)]
    pub(crate) force: bool,
    /// List persons that are likely one, the strongest first.
    #[arg(long, conflicts_with_all = ["name", "other", "note", "force"])]
    pub(crate) suggest: bool,
}
