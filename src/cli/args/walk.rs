//! What can be typed of walks over the graph.

use std::path::PathBuf;

use clap::Args;
use lorebase::engine::model::entity::EntityKind;
use lorebase::walks::{Nearness, NeighborsAsked, PathsAsked};

use super::MomentArgs;

#[derive(Debug, Args)]
pub(crate) struct NeighborsArgs {
    /// The entity: its name, or the first or last word of it.
    pub(crate) entity: String,
    /// How many steps away, at most 6.
    #[arg(long, default_value_t = 1)]
    pub(crate) hops: usize,
    #[command(flatten)]
    pub(crate) over: OverArgs,
    /// Only entities of this kind: person, organisation, place, work, project, product, event, animal or
    /// unknown. The walk goes through others, too.
    #[arg(long, value_parser = parse_kind)]
    pub(crate) kind: Option<EntityKind>,
    /// How many, at most 10000.
    #[arg(long, default_value_t = 100)]
    pub(crate) limit: usize,
    /// Those that matter most to the entity first, however far away.
    #[arg(long, conflicts_with = "hops")]
    pub(crate) by_rank: bool,
    #[command(flatten)]
    pub(crate) drawing: DrawingArgs,
}

impl NeighborsArgs {
    /// What is asked with it.
    pub(crate) fn asked(&self) -> NeighborsAsked<'_> {
        NeighborsAsked {
            hops: self.hops,
            predicates: &self.over.predicate,
            kind: self.kind,
            limit: self.limit,
            by: if self.by_rank { Nearness::Rank } else { Nearness::Distance },
            moment: self.over.moment.moment(),
            ..NeighborsAsked::new(&self.entity)
        }
    }
}

#[derive(Debug, Args)]
pub(crate) struct PathArgs {
    /// The entity that paths begin at: its name, or the first or last word of it.
    pub(crate) from: String,
    /// The entity that they end at.
    pub(crate) to: String,
    /// How many steps, at most 6.
    #[arg(long, default_value_t = 4)]
    pub(crate) hops: usize,
    /// How many paths, at most 100.
    #[arg(long, default_value_t = 3)]
    pub(crate) k: usize,
    #[command(flatten)]
    pub(crate) over: OverArgs,
    #[command(flatten)]
    pub(crate) drawing: DrawingArgs,
}

impl PathArgs {
    /// What is asked with it.
    pub(crate) fn asked(&self) -> PathsAsked<'_> {
        PathsAsked {
            hops: self.hops,
            k: self.k,
            predicates: &self.over.predicate,
            moment: self.over.moment.moment(),
            ..PathsAsked::new(&self.from, &self.to)
        }
    }
}

/// Over which facts a walk goes.
#[derive(Debug, Args)]
pub(crate) struct OverArgs {
    /// Only over facts with this predicate; several are given by several flags, or between commas.
    #[arg(long, value_name = "PREDICATE", value_delimiter = ',')]
    pub(crate) predicate: Vec<String>,
    #[command(flatten)]
    pub(crate) moment: MomentArgs,
}

/// Into which files the steps through the graph are drawn.
#[derive(Debug, Args)]
pub(crate) struct DrawingArgs {
    /// Draw the steps through the graph into this file, as SVG, with dates and sources.
    #[arg(long, value_name = "FILE")]
    pub(crate) svg: Option<PathBuf>,
    /// Write them into this file in the language of Graphviz.
    #[arg(long, value_name = "FILE")]
    pub(crate) dot: Option<PathBuf>,
}

fn parse_kind(text: &str) -> Result<EntityKind, String> {
    let kinds = || EntityKind::ALL.map(|(_, name)| name).join(", ");
    let found = EntityKind::ALL.iter().find(|(_, name)| *name == text);
    found.map(|(kind, _)| *kind).ok_or_else(|| format!("use one of {}", kinds()))
}
