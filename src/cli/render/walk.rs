//! Walks over the graph, for people.

use lorebase::walks::{Neighborhood, PathsFound, WalkStep};

use super::{line, visible};

/// Neighbours, one a line, each with the steps to it and where they are stated.
pub(crate) fn neighbors(found: &Neighborhood) -> String {
    let mut text = String::new();
    for (place, neighbor) in (1..).zip(&found.neighbors) {
        let kind = neighbor.kind.map_or_else(String::new, |kind| format!(" ({})", kind.as_str()));
        let score = neighbor.score.map_or_else(String::new, |score| format!(", {score:.4}"));
        let path: Vec<&WalkStep> = found.path(neighbor);
        line(&mut text, &format!("{place:>3}. {}{kind}{score}: {}", visible(&neighbor.name), walked(&path)));
    }
    text
}

/// Paths, one a line, with their scores.
pub(crate) fn paths(found: &PathsFound) -> String {
    let mut text = String::new();
    for (place, path) in (1..).zip(&found.paths) {
        let steps: Vec<&WalkStep> = path.steps.iter().collect();
        line(&mut text, &format!("{place:>3}. {:.4}: {}", path.score, walked(&steps)));
    }
    text
}

/// Steps one after another, each with where it is stated.
fn walked(steps: &[&WalkStep]) -> String {
    let begins = steps.first().map(|first| visible(&first.from));
    begins.into_iter().chain(steps.iter().map(|step| self::step(step))).collect()
}

fn step(step: &WalkStep) -> String {
    let (before, after) = if step.reverse { ("←", "—") } else { ("—", "→") };
    let [predicate, to, source] = [step.predicate.as_str(), &step.to, &step.source].map(visible);
    format!(" {before}{predicate}{after} {to} [{source}]")
}
