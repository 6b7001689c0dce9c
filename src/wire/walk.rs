//! JSON of walks over the graph.

use lorebase::engine::model::entity::EntityKind;
use lorebase::walks::{Neighbor, Neighborhood, PathsFound, WalkPath, WalkStep};
use serde_json::{Value, json};

use super::interval;

/// `{"entity", "entities", "neighbors": [...], "more_follows"}`.
pub(crate) fn neighbors(found: &Neighborhood) -> Value {
    let neighbor = |neighbor: &Neighbor| {
        json!({
            "name": neighbor.name,
            "kind": neighbor.kind.map_or("value", EntityKind::as_str),
            "hops": neighbor.hops,
            "score": neighbor.score.map(rounded),
            "path": found.path(neighbor).into_iter().map(step).collect::<Vec<_>>(),
        })
    };
    json!({
        "entity": found.entities.first(),
        "entities": found.entities,
        "neighbors": found.neighbors.iter().map(neighbor).collect::<Vec<_>>(),
        "more_follows": found.more_follows,
    })
}

/// `{"paths": [{"score", "steps": [...]}], "more_follows"}`.
pub(crate) fn paths(found: &PathsFound) -> Value {
    let path = |path: &WalkPath| {
        json!({
            "score": rounded(path.score),
            "steps": path.steps.iter().map(step).collect::<Vec<_>>(),
        })
    };
    json!({ "paths": found.paths.iter().map(path).collect::<Vec<_>>(), "more_follows": found.more_follows })
}

/// `{"from", "predicate", "to", "reverse", "source_id", "valid", "fact"}`.
fn step(step: &WalkStep) -> Value {
    json!({
        "from": step.from,
        "predicate": step.predicate.as_str(),
        "to": step.to,
        "reverse": step.reverse,
        "source_id": step.source,
        "valid": interval(&step.valid),
        "fact": step.fact.to_string(),
    })
}

/// To the millionth: the digits after it are those of a conversion.
fn rounded(score: f32) -> f64 {
    (f64::from(score) * 1e6).round() / 1e6
}
