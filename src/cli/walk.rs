//! `neighbors` and `path`: walks over the graph, told and drawn.

use std::fs;
use std::path::Path;

use lorebase::error::Error;

use super::args::{DrawingArgs, NeighborsArgs, PathArgs};
use super::drawing::{self, Line};
use super::{Outcome, Store, output, render};
use crate::wire;

impl Store {
    pub(super) fn neighbors(&self, args: &NeighborsArgs) -> anyhow::Result<Outcome> {
        let found = self.open()?.neighbors(&self.namespace()?, &args.asked())?;
        draw(&args.drawing, &args.entity, found.steps.iter().map(|(step, _)| Line::from(step)))?;
        self.show(|| wire::walk::neighbors(&found), || render::walk::neighbors(&found))?;
        // A ranking has no end that anybody would ask for.
        if found.more_follows && !args.by_rank {
            output::note("there is more; ask with another --limit, or with --predicate");
        }
        if found.entities.is_empty() {
            return Ok(unknown(&args.entity));
        }
        self.found(found.neighbors.len())
    }

    pub(super) fn path(&self, args: &PathArgs) -> anyhow::Result<Outcome> {
        let found = self.open()?.paths(&self.namespace()?, &args.asked())?;
        let title = format!("{} – {}", args.from, args.to);
        draw(&args.drawing, &title, found.paths.iter().flat_map(|path| &path.steps).map(Line::from))?;
        self.show(|| wire::walk::paths(&found), || render::walk::paths(&found))?;
        if found.more_follows {
            output::note("there may be better paths; ask with fewer --hops, or with --predicate");
        }
        for (name, ends) in [(&args.from, &found.from), (&args.to, &found.to)] {
            if ends.is_empty() {
                return Ok(unknown(name));
            }
        }
        self.found(found.paths.len())
    }
}

fn unknown(name: &str) -> Outcome {
    output::note(&format!("nothing is known of \"{name}\""));
    Outcome::Nothing
}

/// Draws lines into the files that are asked for. Where there is nothing to draw, nothing is written.
pub(super) fn draw(args: &DrawingArgs, title: &str, lines: impl Iterator<Item = Line>) -> anyhow::Result<()> {
    let lines: Vec<Line> = lines.collect();
    if lines.is_empty() {
        return Ok(());
    }
    if let Some(file) = &args.svg {
        write(file, "--svg", &drawing::svg(title, &lines))?;
    }
    if let Some(file) = &args.dot {
        write(file, "--dot", &drawing::dot(title, &lines))?;
    }
    Ok(())
}

fn write(file: &Path, argument: &'static str, drawn: &str) -> anyhow::Result<()> {
    fs::write(file, drawn).map_err(|error| {
        let problem = format!("cannot be written ({error}); name a file in a directory that can be");
        Error::Argument { argument, problem }.into()
    })
}
