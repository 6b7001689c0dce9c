//! Every invariant of a namespace in memory, and that it equals one made anew from the store. Comparison goes by
//! ids and names, not by numbers, which depend on the order of arrival.

use std::collections::BTreeSet;

use crate::graph::{EntityIx, EpisodeIx, FactIx, Tie};
use crate::model::id::EntityId;
use crate::state::{EntityNode, FactNode, State};

/// Appends what does not hold to `problems`, a line each. Where not all are embedded, vectors may be lacking.
pub(crate) fn walk(state: &State, rebuilt: &State, all_embedded: bool, problems: &mut Vec<String>) {
    let mut found = Vec::new();
    check_links(state, &mut found);
    check_indexes(state, all_embedded, &mut found);
    compare(state, rebuilt, &mut found);
    problems.extend(found.into_iter().map(|problem| format!("namespace {}: {problem}", state.namespace())));
}

/// Facts have support, and graph, facts and mentions agree.
fn check_links(state: &State, problems: &mut Vec<String>) {
    let mut ties: Vec<(EntityIx, Tie, EntityIx)> = state.graph().edges().collect();
    let mut lists = Vec::with_capacity(ties.len());
    for (number, fact) in (0..).zip(state.facts()) {
        let ix = FactIx(number);
        lists.extend(fact.object.map(|object| (fact.subject, Tie::Fact(ix), object)));
        for end in [Some(fact.subject), fact.object].into_iter().flatten() {
            if state.relation(end, fact.predicate).binary_search(&ix).is_err() {
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
    ties.sort_unstable();
    lists.sort_unstable();
    if ties != lists {
        problems.push("the graph and the lists of facts and names do not tell the same ties".to_owned());
    }
    if !state.ways_agree() {
        problems.push("the graph that is laid out does not tell what the lists of facts tell".to_owned());
    }
    for ix in state.living() {
        check_episode(state, ix, problems);
    }
}

/// What an episode names knows of it, and its session has it at its place.
fn check_episode(state: &State, ix: EpisodeIx, problems: &mut Vec<String>) {
    let episode = state.episode(ix);
    let knows = |entity: EntityIx| state.entity(entity).episodes.binary_search(&ix).is_ok();
    if !episode.mentions().iter().all(|mention| knows(mention.entity)) {
        problems.push(format!("episode {} is not found from an entity that it names", episode.id));
    }
    if state.session(episode.session).episodes.get(state.place(ix)) != Some(&ix) {
        problems.push(format!("episode {} is not at its place in its session", episode.id));
    }
}

/// The indexes hold every passage and every episode, and what facts rest on states them.
fn check_indexes(state: &State, all_embedded: bool, problems: &mut Vec<String>) {
    let (mut episodes, mut passages) = (0, 0);
    for ix in state.living() {
        (episodes, passages) = (episodes + 1, passages + state.episode(ix).passages as usize);
    }
    if state.lexical().len() != passages {
        problems.push(format!("the lexical index holds {} of {passages} passages", state.lexical().len()));
    }
    if state.vectors().len() > episodes || (all_embedded && state.vectors().len() < episodes) {
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

/// What must be the same however the state came about. Each line stands for a thing; lists of lines are compared by the
/// sums of their hashes, so that a large namespace is not told twice in words.
fn compare(state: &State, rebuilt: &State, problems: &mut Vec<String>) {
    let mut differ = |what: &str, lines: fn(&State) -> Lines<'_>| {
        if sum(lines(state)) != sum(lines(rebuilt)) {
            let (live, anew): (BTreeSet<String>, BTreeSet<String>) =
                (lines(state).collect(), lines(rebuilt).collect());
            let example = live.symmetric_difference(&anew).next().cloned().unwrap_or_default();
            problems.push(format!("{what} differ from those made anew from the store, such as {example}"));
        }
    };
    differ("episodes", episodes);
    differ("entities", entities);
    differ("facts", facts);
    differ("terms", terms);
    differ("vectors", vectors);
}

type Lines<'s> = Box<dyn Iterator<Item = String> + 's>;

/// How many lines there are, and the sum of their hashes: the same in any order.
fn sum(lines: Lines<'_>) -> (usize, u128) {
    lines.fold((0, 0), |(count, sum), line| {
        let hash = blake3::hash(line.as_bytes());
        let number = u128::from_le_bytes(*hash.as_bytes().first_chunk().expect("a hash has 32 bytes"));
        (count + 1, sum.wrapping_add(number))
    })
}

fn episodes(state: &State) -> Lines<'_> {
    let line = move |ix: EpisodeIx| {
        let episode = state.episode(ix);
        let speaker = episode.speaker.map(|speaker| &state.speakers()[speaker as usize]);
        let session = &state.session(episode.session).id;
        format!(
            "{} {session} {} {speaker:?} {:?} {:?}",
            episode.id, episode.position, episode.source_id, episode.status
        )
    };
    let tombstones = state.tombstones().into_iter().map(|id| format!("{id} is forgotten"));
    Box::new(state.living().map(line).chain(tombstones))
}

fn entities(state: &State) -> Lines<'_> {
    let alive = (0..).zip(state.entities()).filter(|(_, entity)| entity.alive());
    let line = move |(number, entity): (u32, &EntityNode)| {
        let ix = EntityIx(number);
        let mut same_as: Vec<EntityId> =
            state.namesakes(ix).into_iter().map(|other| state.entity(other).id).collect();
        same_as.sort_unstable();
        let (names, aliases, episodes) = (state.folded_names(ix), entity.aliases(), entity.mentioned_in());
        format!("{} {names:?} {aliases:?} {:?} {episodes} {same_as:?}", entity.id, entity.kind())
    };
    let rulings = state.rulings().map(|ruling| format!("{ruling:?}"));
    Box::new(alive.map(line).chain(rulings))
}

fn facts(state: &State) -> Lines<'_> {
    let line = move |fact: &FactNode| {
        let mut support: Vec<String> = fact
            .support()
            .iter()
            .map(|support| {
                let how = (support.hedged, support.importance, state.attributed_to(support));
                let id = state.episode(support.episode).id;
                format!("{id} {:?} {} {how:?}", support.span, support.confidence)
            })
            .collect();
        support.sort();
        let successor = fact.successor.map(|ix| state.fact(ix).id);
        let standing = (fact.status, fact.valid, fact.recorded, successor);
        format!("{} {standing:?} {support:?}", fact.id)
    };
    Box::new(state.facts().iter().filter(|fact| !fact.support().is_empty()).map(line))
}

fn terms(state: &State) -> Lines<'_> {
    let lexical = state.lexical();
    let line = move |number: u32| {
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
    Box::new(lexical.documents().map(line))
}

fn vectors(state: &State) -> Lines<'_> {
    let line = move |ix: EpisodeIx| {
        let mut hasher = blake3::Hasher::new();
        for value in state.vectors().get(ix.0).unwrap_or_default() {
            hasher.update(&value.to_bits().to_le_bytes());
        }
        format!("{} {}", state.episode(ix).id, hasher.finalize().to_hex())
    };
    Box::new(state.living().map(line))
}
