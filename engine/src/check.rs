//! Every invariant of a namespace in memory, and that it equals one made anew from the store. Comparison goes by
//! ids and names, not by numbers, which depend on the order of arrival.

use std::collections::BTreeSet;

use crate::graph::{EntityIx, EpisodeIx, FactIx, Tie};
use crate::state::{FactNode, State};

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
    let ties: BTreeSet<(EntityIx, Tie, EntityIx)> = state.graph().edges().collect();
    let mut lists = BTreeSet::new();
    for (number, fact) in (0..).zip(state.facts()) {
        let ix = FactIx(number);
        lists.extend(fact.object.map(|object| (fact.subject, Tie::Fact(ix), object)));
        for end in [Some(fact.subject), fact.object].into_iter().flatten() {
            if !state.facts_with(end, fact.predicate).any(|known| known == ix) {
                problems.push(format!("fact {} is not found from entity {}", fact.id, state.entity(end).id));
            }
        }
    }
    for (number, entity) in (0..).zip(state.entities()) {
        let ix = EntityIx(number);
        // The tie goes from the newer to the older.
        lists.extend(
            entity.same_as.iter().filter(|other| **other < ix).map(|other| (ix, Tie::SameAs, *other)),
        );
    }
    if ties != lists {
        let different = ties.symmetric_difference(&lists).count();
        problems.push(format!("the graph and the lists differ in {different} ties"));
    }
    for ix in state.living() {
        check_episode(state, ix, problems);
    }
}

/// What an episode names knows of it, and its session has it at its place.
fn check_episode(state: &State, ix: EpisodeIx, problems: &mut Vec<String>) {
    let episode = state.episode(ix);
    if episode.mentions().iter().any(|mention| !state.mentioning(mention.entity).any(|other| other == ix)) {
        problems.push(format!("episode {} is not found from an entity that it names", episode.id));
    }
    if state.session(episode.session).episodes.get(state.place(ix)) != Some(&ix) {
        problems.push(format!("episode {} is not at its place in its session", episode.id));
    }
}

/// The indexes hold every passage and every episode, and what facts rest on states them.
fn check_indexes(state: &State, problems: &mut Vec<String>) {
    let (mut episodes, mut passages) = (0, 0);
    for ix in state.living() {
        (episodes, passages) = (episodes + 1, passages + state.episode(ix).passages as usize);
    }
    if state.lexical().len() != passages {
        problems.push(format!("the lexical index holds {} of {passages} passages", state.lexical().len()));
    }
    if state.vectors().len() != episodes {
        problems.push(format!("the vector index holds {} of {episodes} episodes", state.vectors().len()));
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
    differ("terms", terms(state), terms(rebuilt));
    differ("vectors", vectors(state), vectors(rebuilt));
}

fn episodes(state: &State) -> BTreeSet<String> {
    let line = |ix: EpisodeIx| {
        let episode = state.episode(ix);
        let speaker = episode.speaker.map(|speaker| &state.speakers()[speaker as usize]);
        let session = &state.session(episode.session).id;
        format!(
            "{} {session} {} {speaker:?} {:?} {:?}",
            episode.id, episode.position, episode.source_id, episode.status
        )
    };
    let tombstones = state.tombstones().into_iter().map(|id| format!("{id} is forgotten"));
    state.living().map(line).chain(tombstones).collect()
}

fn entities(state: &State) -> BTreeSet<String> {
    let name = |ix: &EntityIx| state.entity(*ix).folded_name();
    let alive = state.entities().iter().filter(|entity| entity.alive());
    alive
        .map(|entity| {
            let mut same_as: Vec<&str> =
                entity.same_as.iter().filter(|ix| state.entity(**ix).alive()).map(name).collect();
            same_as.sort_unstable();
            let (aliases, episodes) = (entity.aliases(), entity.mentioned_in());
            format!("{} {aliases:?} {:?} {episodes} {same_as:?}", entity.id, entity.kind())
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
        let successor = fact.successor.map(|ix| state.fact(ix).id);
        let standing = (fact.status, fact.valid, fact.recorded, successor);
        format!("{} {standing:?} {support:?}", fact.id)
    };
    state.facts().iter().filter(|fact| !fact.support().is_empty()).map(line).collect()
}

fn terms(state: &State) -> BTreeSet<String> {
    let lexical = state.lexical();
    let line = |number: u32| {
        let passage = &state.passages()[number as usize];
        let episode = state.episode(passage.episode).id;
        let mut terms: Vec<String> = lexical
            .document_terms(number)
            .iter()
            .map(|(term, count)| format!("{}×{count}", lexical.stem(*term)))
            .collect();
        terms.sort();
        format!("{episode} {} {terms:?}", passage.start)
    };
    lexical.documents().map(line).collect()
}

fn vectors(state: &State) -> BTreeSet<String> {
    let line = |ix: EpisodeIx| {
        let mut hasher = blake3::Hasher::new();
        for value in state.vectors().get(ix.0).unwrap_or_default() {
            hasher.update(&value.to_bits().to_le_bytes());
        }
        format!("{} {}", state.episode(ix).id, hasher.finalize().to_hex())
    };
    state.living().map(line).collect()
}
