//! How a commit changes a namespace in memory. It cannot fail: everything was checked before it was stored.

use rayon::prelude::*;
use rustc_hash::FxHashSet;

use super::{
    EntityNode, EpisodeNode, FactNode, MentionNode, PassageNode, SessionNode, State, SupportNode, passage,
};
use crate::graph::{Edge, EntityIx, EpisodeIx, FactIx, Node, SessionIx};
use crate::model::entity::EntityKind;
use crate::model::episode::{Episode, ExtractionStatus};
use crate::model::extraction::Reading;
use crate::model::fact::{Claim, FactKind, Named, Object, Triple, TripleObject};
use crate::model::id::EntityId;
use crate::model::predicate::{Cardinality, Predicate};
use crate::model::time::{Interval, SourceTime};
use crate::store::TextRef;
use crate::text;
use crate::truth::Verdict;

/// An episode that comes to a namespace in memory.
pub(crate) struct Arrival<'a> {
    pub(crate) episode: &'a Episode,
    /// Its text; the one in `episode` is not looked at.
    pub(crate) text: &'a str,
    pub(crate) place: TextRef,
    pub(crate) vector: &'a [f32],
}

/// What an arrival's text comes to, made without touching the state.
struct Prepared {
    /// Where its passages begin, in characters.
    starts: Vec<u32>,
    /// What is indexed of each.
    documents: Vec<String>,
    heading: Option<String>,
}

impl State {
    /// Adds the episodes and readings of one commit.
    pub(crate) fn apply<'r>(
        &mut self,
        arrivals: &[Arrival<'_>],
        readings: impl IntoIterator<Item = &'r Reading>,
    ) {
        self.add_episodes(arrivals);
        let mut touched = FxHashSet::default();
        for reading in readings {
            if let Some(ix) = self.find_episode(&reading.episode) {
                self.unread(ix, &mut touched);
                self.read(ix, reading, &mut touched);
            }
        }
        for group in touched {
            self.judge(&group);
        }
    }

    /// Places vectors that wait into the vector index's graph, in step with `arrived` new episodes.
    pub(crate) fn tend_vectors(&mut self, arrived: usize) {
        /// Each takes milliseconds, so a large commit leaves most of its own to those after it.
        const MOST: usize = 32;
        self.vectors.grow((2 * arrived).min(MOST));
    }

    fn add_episodes(&mut self, arrivals: &[Arrival<'_>]) {
        let prepared: Vec<Prepared> = arrivals.par_iter().with_min_len(64).map(prepare).collect();
        let first = self.passages.len() as u32;
        for (arrival, prepared) in arrivals.iter().zip(&prepared) {
            self.add_episode(arrival, prepared);
        }
        let documents: Vec<&str> =
            prepared.iter().flat_map(|one| &one.documents).map(String::as_str).collect();
        self.lexical.insert_batch(first, &documents);
        for number in first..self.passages.len() as u32 {
            let session = self.episode(self.passages[number as usize].episode).session;
            self.sessions[session.index()].terms += self.lexical.length(number).unwrap_or(0);
        }
    }

    fn add_episode(&mut self, arrival: &Arrival<'_>, prepared: &Prepared) {
        let episode = arrival.episode;
        let ix = EpisodeIx(self.episodes.len() as u32);
        let session = self.session_of(episode);
        let speaker = episode.speaker.as_deref().map(|speaker| self.speakers.number(speaker));
        self.episode_by_id.insert(episode.id, ix);
        self.episodes.push(EpisodeNode {
            id: episode.id,
            session,
            position: episode.position,
            speaker,
            occurred_at: episode.occurred_at,
            recorded_at: episode.recorded_at,
            source_id: episode.source_id.as_deref().map(Into::into),
            first_passage: self.passages.len() as u32,
            passages: prepared.starts.len() as u32,
            asks: arrival.text.trim_end().ends_with(['?', '？']),
            status: ExtractionStatus::Pending,
            text: arrival.place,
            mentions: Box::default(),
            states: Box::default(),
        });
        let passage = |&start| PassageNode { episode: ix, start, entities: Box::default() };
        self.passages.extend(prepared.starts.iter().map(passage));
        if let Some(heading) = &prepared.heading {
            self.headings.entry(heading.as_str().into()).or_default().push(ix);
        }
        self.vectors.load(ix.0, arrival.vector).expect("the vector was checked before the commit");
        self.graph.add(Node::Episode(ix));
        self.graph.tie(Node::Episode(ix), Edge::InSession, Node::Session(session), 1.0);
        self.place_in_session(session, ix);
    }

    fn session_of(&mut self, episode: &Episode) -> SessionIx {
        let ix = if let Some(ix) = self.session_by_id.get(&episode.session) {
            *ix
        } else {
            let ix = SessionIx(self.sessions.len() as u32);
            self.session_by_id.insert(episode.session.clone(), ix);
            self.sessions.push(SessionNode {
                id: episode.session.clone(),
                episodes: Vec::new(),
                at: None,
                terms: 0,
            });
            self.graph.add(Node::Session(ix));
            ix
        };
        let at = &mut self.sessions[ix.index()].at;
        *at = match (*at, episode.occurred_at) {
            (Some(one), Some(other)) => Some(if other.instant < one.instant { other } else { one }),
            (one, other) => one.or(other),
        };
        ix
    }

    /// Puts the episode at its place by position (and id, where two claim the same) and ties it to its neighbours.
    fn place_in_session(&mut self, session: SessionIx, ix: EpisodeIx) {
        let place = |ix: &EpisodeIx| (self.episodes[ix.index()].position, self.episodes[ix.index()].id);
        let list = &self.sessions[session.index()].episodes;
        let at = list.partition_point(|other| place(other) < place(&ix));
        let before = at.checked_sub(1).map(|before| list[before]);
        let after = list.get(at).copied();
        self.sessions[session.index()].episodes.insert(at, ix);
        self.places.resize(self.episodes.len(), 0);
        for (place, moved) in (at..).zip(&self.sessions[session.index()].episodes[at..]) {
            self.places[moved.index()] = place as u32;
        }
        if let (Some(before), Some(after)) = (before, after) {
            let next = Node::Episode(after);
            self.graph.untie(Node::Episode(before), |edge, to| edge == Edge::Next && to == next);
        }
        if let Some(before) = before {
            self.graph.tie(Node::Episode(before), Edge::Next, Node::Episode(ix), 1.0);
        }
        if let Some(after) = after {
            self.graph.tie(Node::Episode(ix), Edge::Next, Node::Episode(after), 1.0);
        }
    }

    /// Takes back what an earlier reading of the episode gave.
    fn unread(&mut self, ix: EpisodeIx, touched: &mut FxHashSet<(EntityIx, Predicate)>) {
        let episode = &mut self.episodes[ix.index()];
        let (mentions, states) = (std::mem::take(&mut episode.mentions), std::mem::take(&mut episode.states));
        let passages = episode.passage_numbers();
        if mentions.is_empty() && states.is_empty() {
            return;
        }
        self.graph.untie(Node::Episode(ix), |edge, _| matches!(edge, Edge::Mentions | Edge::States));
        for passage in passages {
            self.passages[passage as usize].entities = Box::default();
        }
        for mention in &mentions {
            let entity = &mut self.entities[mention.entity.index()];
            entity.kinds[mention.kind as usize] -= 1;
            entity.names[usize::from(mention.name)].1 -= 1;
        }
        let named: FxHashSet<EntityIx> = mentions.iter().map(|mention| mention.entity).collect();
        for entity in named {
            self.entities[entity.index()].mentioned_in -= 1;
        }
        for fact in states {
            let node = &mut self.facts[fact.index()];
            node.support.retain(|support| support.episode != ix);
            touched.insert((node.subject, node.claim.predicate.clone()));
            for end in [Some(node.subject), node.object].into_iter().flatten() {
                self.entities[end.index()].stated_in -= 1;
            }
        }
    }

    fn read(&mut self, ix: EpisodeIx, reading: &Reading, touched: &mut FxHashSet<(EntityIx, Predicate)>) {
        let mut mentions = Vec::with_capacity(reading.found.mentions.len());
        for mention in &reading.found.mentions {
            let entity = self.entity_named(&mention.name);
            let name = self.count_name(entity, &mention.name, mention.kind);
            mentions.push(MentionNode { span: mention.span, entity, kind: mention.kind, name });
        }
        let mut states: Vec<FactIx> = Vec::new();
        for triple in &reading.found.triples {
            let fact = self.state_fact(ix, triple);
            let node = &self.facts[fact.index()];
            touched.insert((node.subject, node.claim.predicate.clone()));
            if !states.contains(&fact) {
                for end in [Some(node.subject), node.object].into_iter().flatten() {
                    self.entities[end.index()].stated_in += 1;
                }
                states.push(fact);
                self.graph.tie(Node::Episode(ix), Edge::States, Node::Fact(fact), 1.0);
            }
        }
        self.tie_mentions(ix, &mentions);
        let episode = &mut self.episodes[ix.index()];
        episode.mentions = mentions.into();
        episode.states = states.into();
        episode.status = reading.status;
    }

    fn tie_mentions(&mut self, ix: EpisodeIx, mentions: &[MentionNode]) {
        let mut named: Vec<EntityIx> = mentions.iter().map(|mention| mention.entity).collect();
        named.sort_unstable();
        named.dedup();
        for &entity in &named {
            self.graph.tie(Node::Episode(ix), Edge::Mentions, Node::Entity(entity), 1.0);
            self.entities[entity.index()].mentioned_in += 1;
        }
        let passages = self.episodes[ix.index()].passage_numbers();
        for passage in passages.clone() {
            let start = self.passages[passage as usize].start;
            let end = if passage + 1 == passages.end {
                u32::MAX
            } else {
                self.passages[passage as usize + 1].start
            };
            let inside = mentions.iter().filter(|mention| (start..end).contains(&mention.span.start));
            let mut entities: Vec<EntityIx> = inside.map(|mention| mention.entity).collect();
            entities.sort_unstable();
            entities.dedup();
            self.passages[passage as usize].entities = entities.into();
        }
    }

    fn entity_named(&mut self, name: &str) -> EntityIx {
        let folded = text::fold_name(name);
        let id = EntityId::of_folded(&self.namespace, &folded);
        match self.entity_by_id.get(&id) {
            Some(ix) => *ix,
            None => self.add_entity(id, folded),
        }
    }

    /// Counts that something is called `name`. Returns the name's number among the entity's.
    fn count_name(&mut self, ix: EntityIx, name: &str, kind: EntityKind) -> u16 {
        let number = self.name_number(ix, name);
        let entity = &mut self.entities[ix.index()];
        entity.kinds[kind as usize] += 1;
        entity.names[usize::from(number)].1 += 1;
        number
    }

    /// The number of `name` among the entity's names. One that only facts use ("Ana's sister") counts zero times
    /// and is shown where there is no other.
    fn name_number(&mut self, ix: EntityIx, name: &str) -> u16 {
        let names = &mut self.entities[ix.index()].names;
        let known = names.iter().position(|(known, _)| &**known == name);
        // Past the last number, further spellings of one folded name count as that one.
        let number = known.unwrap_or(names.len()).min(usize::from(u16::MAX));
        if number == names.len() {
            names.push((name.into(), 0));
        }
        number as u16
    }

    fn add_entity(&mut self, id: EntityId, folded: String) -> EntityIx {
        let ix = EntityIx(self.entities.len() as u32);
        let kinds = [0; EntityKind::ALL.len()];
        self.entities.push(EntityNode {
            id,
            names: Vec::new(),
            kinds,
            folded: folded.into(),
            mentioned_in: 0,
            stated_in: 0,
            same_as: Vec::new(),
        });
        self.entity_by_id.insert(id, ix);
        self.graph.add(Node::Entity(ix));
        self.tie_names(ix);
        self.index_name(ix);
        ix
    }

    /// Adds the episode's statement to the fact that it states, which may be new.
    fn state_fact(&mut self, episode: EpisodeIx, triple: &Triple) -> FactIx {
        let node = &self.episodes[episode.index()];
        let valid = valid_time(triple, node);
        let recorded_at = node.recorded_at;
        let subject = self.entity_named(&triple.subject.name);
        self.name_number(subject, &triple.subject.name);
        let (object, object_ix) = match &triple.object {
            TripleObject::Entity(Named { name, .. }) => {
                let ix = self.entity_named(name);
                self.name_number(ix, name);
                (Object::Entity(self.entities[ix.index()].id), Some(ix))
            }
            TripleObject::Value(value) => (Object::Value(value.clone()), None),
        };
        let claim = Claim {
            subject: self.entities[subject.index()].id,
            predicate: triple.predicate.clone(),
            object,
            polarity: triple.polarity,
            kind: triple.kind,
        };
        let ix = self.fact_of(claim, subject, object_ix, valid);
        let support =
            SupportNode { episode, span: triple.span, confidence: triple.confidence, valid, recorded_at };
        let list = &mut self.facts[ix.index()].support;
        let place = |support: &SupportNode| (support.episode, support.span);
        let at = list.partition_point(|other| place(other) < place(&support));
        if list.get(at).is_none_or(|other| place(other) != place(&support)) {
            list.insert(at, support);
        }
        ix
    }

    fn fact_of(
        &mut self,
        claim: Claim,
        subject: EntityIx,
        object: Option<EntityIx>,
        valid: Interval,
    ) -> FactIx {
        let id = claim.id(&self.namespace, valid);
        if let Some(ix) = self.fact_by_id.get(&id) {
            return *ix;
        }
        let ix = FactIx(self.facts.len() as u32);
        self.fact_by_id.insert(id, ix);
        self.groups.entry((subject, claim.predicate.clone())).or_default().push(ix);
        self.relations.add(ix, &claim.predicate, [Some(subject), object]);
        self.facts.push(FactNode {
            id,
            claim,
            subject,
            object,
            status: crate::model::fact::FactStatus::Current,
            valid,
            recorded: Interval::ALWAYS,
            support: Vec::new(),
        });
        self.graph.add(Node::Fact(ix));
        self.graph.tie(Node::Fact(ix), Edge::Subject, Node::Entity(subject), 1.0);
        if let Some(object) = object {
            self.graph.tie(Node::Fact(ix), Edge::Object, Node::Entity(object), 1.0);
        }
        ix
    }

    /// Judges the facts on one subject and predicate anew.
    fn judge(&mut self, group: &(EntityIx, Predicate)) {
        let (members, verdicts) = self.verdicts(group, |_| true);
        for (&ix, verdict) in members.iter().zip(&verdicts) {
            let fact = &mut self.facts[ix.index()];
            (fact.status, fact.valid, fact.recorded) = (verdict.status, verdict.valid, verdict.recorded);
        }
        if group.1.cardinality() == Cardinality::Single {
            self.tie_successors(group, &members, &verdicts);
        }
    }

    /// Ties each fact that took the place of another to it.
    fn tie_successors(&mut self, group: &(EntityIx, Predicate), members: &[FactIx], verdicts: &[Verdict]) {
        for ix in self.groups.get(group).cloned().unwrap_or_default() {
            self.graph.untie(Node::Fact(ix), |edge, _| edge == Edge::Supersedes);
        }
        for (&old, verdict) in members.iter().zip(verdicts) {
            if let Some(new) = verdict.successor {
                self.graph.tie(Node::Fact(members[new]), Edge::Supersedes, Node::Fact(old), 1.0);
            }
        }
    }
}

fn prepare(arrival: &Arrival<'_>) -> Prepared {
    let head =
        passage::head(arrival.episode.occurred_at.map(SourceTime::civil), arrival.episode.speaker.as_deref());
    let cuts = passage::cut(arrival.text);
    let (mut starts, mut characters, mut counted) = (Vec::with_capacity(cuts.len()), 0, 0);
    for &(start, _) in &cuts {
        characters += arrival.text[counted..start].chars().count() as u32;
        counted = start;
        starts.push(characters);
    }
    let documents = cuts.iter().map(|&(start, end)| format!("{head}{}", &arrival.text[start..end])).collect();
    Prepared { starts, documents, heading: passage::heading(arrival.text) }
}

/// When a statement says that its fact held. A state that is told without a beginning holds at least from when
/// it was said; something that happened, told without a time, happened before it was said.
fn valid_time(triple: &Triple, episode: &EpisodeNode) -> Interval {
    let said = episode.occurred_at.map(|at| at.instant);
    match (triple.kind, triple.valid) {
        (FactKind::Event, Interval { from: None, to: None }) => Interval { from: None, to: said },
        (FactKind::Event, told) => told,
        (_, Interval { from: None, to }) => {
            Interval { from: said.filter(|said| to.is_none_or(|to| *said < to)), to }
        }
        (_, told) => told,
    }
}
