//! Every invariant of a namespace in memory, and that it equals one made anew from the store. Comparison goes by
//! ids and names, not by numbers, which depend on the order of arrival.

use std::collections::BTreeSet;

use crate::graph::{Edge, EntityIx, EpisodeIx, FactIx, Node};
use crate::state::{EpisodeNode, FactNode, PassageNode, State};

/// Appends what does not hold to `problems`, a line each.
pub(crate) fn walk(state: &State, rebuilt: &State, problems: &mut Vec<String>) {
    let mut found = Vec::new();
    check_links(state, &mut found);
    check_indexes(state, &mut found);
    compare(state, rebuilt, &mut found);
    problems.extend(found.into_iter().map(|problem| format!("namespace {}: {problem}", state.namespace())));
}

/// Facts have support, and graph, facts and mentions agree.
fn check_links(state: &State, problems: &mut Vec<String>) {
    let edges: BTreeSet<(Node, Edge, Node)> =
        state.graph().edges().map(|(from, edge, to, _)| (from, edge, to)).collect();
    let mut missing = |from: Node, edge: Edge, to: Node, what: &str| {
        if !edges.contains(&(from, edge, to)) {
            problems.push(format!("the graph lacks the edge {edge:?} of {what}"));
        }
    };
    for (number, episode) in (0..).zip(state.episodes()) {
        let node = Node::Episode(EpisodeIx(number));
        missing(node, Edge::InSession, Node::Session(episode.session), &format!("episode {}", episode.id));
        for mention in episode.mentions() {
            missing(node, Edge::Mentions, Node::Entity(mention.entity), &format!("episode {}", episode.id));
        }
        for &fact in episode.facts() {
            missing(node, Edge::States, Node::Fact(fact), &format!("episode {}", episode.id));
        }
    }
    for (number, fact) in (0..).zip(state.facts()) {
        let node = Node::Fact(FactIx(number));
        missing(node, Edge::Subject, Node::Entity(fact.subject), &format!("fact {}", fact.id));
        if let Some(object) = fact.object {
            missing(node, Edge::Object, Node::Entity(object), &format!("fact {}", fact.id));
        }
    }
    for (number, entity) in (0..).zip(state.entities()) {
        let node = Node::Entity(EntityIx(number));
        for fact in state.facts_of(EntityIx(number)) {
            let edge =
                if state.fact(fact).subject == EntityIx(number) { Edge::Subject } else { Edge::Object };
            missing(Node::Fact(fact), edge, node, &format!("entity {}", entity.id));
        }
    }
    for session in state.sessions() {
        for pair in session.episodes.windows(2) {
            missing(
                Node::Episode(pair[0]),
                Edge::Next,
                Node::Episode(pair[1]),
                &format!("session {}", session.id),
            );
        }
    }
}

/// The indexes hold every passage and every episode, and what facts rest on states them.
fn check_indexes(state: &State, problems: &mut Vec<String>) {
    if state.lexical().len() != state.passages().len() {
        problems.push(format!(
            "the lexical index holds {} of {} passages",
            state.lexical().len(),
            state.passages().len()
        ));
    }
    if state.vectors().len() != state.episodes().len() {
        problems.push(format!(
            "the vector index holds {} of {} episodes",
            state.vectors().len(),
            state.episodes().len()
        ));
    }
    for fact in state.facts() {
        for support in fact.support() {
            if !state.episode(support.episode).facts().iter().any(|ix| state.fact(*ix).id == fact.id) {
                problems.push(format!("fact {} rests on an episode that does not state it", fact.id));
            }
        }
    }
}

/// What must be the same however the state came about.
fn compare(state: &State, rebuilt: &State, problems: &mut Vec<String>) {
    let mut differ = |what: &str, live: BTreeSet<String>, anew: BTreeSet<String>| {
        if live != anew {
            let example = live.symmetric_difference(&anew).next().cloned().unwrap_or_default();
            problems.push(format!("{what} differ from those made anew from the store, such as {example}"));
        }
    };
    differ("episodes", episodes(state), episodes(rebuilt));
    differ("entities", entities(state), entities(rebuilt));
    differ("facts", facts(state), facts(rebuilt));
    differ("edges", edges(state), edges(rebuilt));
    differ("terms", terms(state), terms(rebuilt));
    differ("vectors", vectors(state), vectors(rebuilt));
}

fn episodes(state: &State) -> BTreeSet<String> {
    let line = |episode: &EpisodeNode| {
        let speaker = episode.speaker.map(|speaker| &state.speakers()[speaker as usize]);
        let session = &state.session(episode.session).id;
        format!(
            "{} {session} {} {speaker:?} {:?} {:?}",
            episode.id, episode.position, episode.source_id, episode.status
        )
    };
    state.episodes().iter().map(line).collect()
}

fn entities(state: &State) -> BTreeSet<String> {
    let alive = state.entities().iter().filter(|entity| entity.alive());
    alive
        .map(|entity| {
            format!("{} {:?} {:?} {}", entity.id, entity.aliases(), entity.kind(), entity.mentioned_in())
        })
        .collect()
}

fn facts(state: &State) -> BTreeSet<String> {
    let line = |fact: &FactNode| {
        let mut support: Vec<String> = fact
            .support()
            .iter()
            .map(|support| {
                format!("{} {:?} {}", state.episode(support.episode).id, support.span, support.confidence)
            })
            .collect();
        support.sort();
        format!("{} {:?} {:?} {:?} {support:?}", fact.id, fact.status, fact.valid, fact.recorded)
    };
    state.facts().iter().filter(|fact| !fact.support().is_empty()).map(line).collect()
}

/// Edges between living things, by id.
fn edges(state: &State) -> BTreeSet<String> {
    let name = |node: Node| match node {
        Node::Entity(EntityIx(n)) => {
            state.entities()[n as usize].alive().then(|| state.entities()[n as usize].id.to_string())
        }
        Node::Fact(ix) => (!state.fact(ix).support().is_empty()).then(|| state.fact(ix).id.to_string()),
        Node::Episode(ix) => Some(state.episode(ix).id.to_string()),
        Node::Session(ix) => Some(state.session(ix).id.to_string()),
    };
    let line = |(from, edge, to, weight): (Node, Edge, Node, f32)| {
        let (mut one, mut other) = (name(from)?, name(to)?);
        if edge == Edge::SameAs && one > other {
            std::mem::swap(&mut one, &mut other);
        }
        Some(format!("{one} {edge:?} {other} {weight}"))
    };
    state.graph().edges().filter_map(line).collect()
}

fn terms(state: &State) -> BTreeSet<String> {
    let lexical = state.lexical();
    let line = |(number, passage): (u32, &PassageNode)| {
        let episode = state.episode(passage.episode).id;
        let mut terms: Vec<String> = lexical
            .document_terms(number)
            .iter()
            .map(|(term, count)| format!("{}×{count}", lexical.stem(*term)))
            .collect();
        terms.sort();
        format!("{episode} {} {terms:?}", passage.start)
    };
    (0..).zip(state.passages()).map(line).collect()
}

fn vectors(state: &State) -> BTreeSet<String> {
    let line = |(number, episode): (u32, &EpisodeNode)| {
        let mut hasher = blake3::Hasher::new();
        let vector = state.vectors().get(number).unwrap_or_default();
        for value in vector {
            hasher.update(&value.to_bits().to_le_bytes());
        }
        format!("{} {}", episode.id, hasher.finalize().to_hex())
    };
    (0..).zip(state.episodes()).map(line).collect()
}
