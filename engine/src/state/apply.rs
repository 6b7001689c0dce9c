//! How a commit changes a namespace in memory. It cannot fail: everything was checked before it was stored.

use rayon::prelude::*;

use super::{
    Called, EntityNode, EpisodeNode, FactNode, MentionNode, PassageNode, SessionNode, State, SupportNode,
    passage,
};
use crate::graph::{EntityIx, EpisodeIx, FactIx, SessionIx, Tie};
use crate::model::entity::EntityKind;
use crate::model::episode::{Episode, ExtractionStatus};
use crate::model::extraction::Reading;
use crate::model::fact::{Claim, FactKind, FactStatus, Named, Object, Polarity, Triple, TripleObject};
use crate::model::id::{EntityId, EpisodeId};
use crate::model::time::{Interval, SourceTime};
use crate::store::TextRef;
use crate::text;

/// An episode that comes to a namespace in memory.
pub(crate) struct Arrival<'a> {
    pub(crate) episode: &'a Episode,
    /// Its text; the one in `episode` is not looked at.
    pub(crate) text: &'a str,
    pub(crate) place: TextRef,
    /// `None` where it follows later.
    pub(crate) vector: Option<&'a [f32]>,
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
    /// Adds the episodes and readings of one commit. The facts that they touch are judged by [`State::settle`].
    pub(crate) fn apply<'r>(
        &mut self,
        arrivals: &[Arrival<'_>],
        readings: impl IntoIterator<Item = &'r Reading>,
    ) {
        self.add_episodes(arrivals);
        self.changes += arrivals.len();
        for reading in readings {
            self.changes += 1;
            if let Some(ix) = self.find_episode(&reading.episode) {
                self.unread(ix);
                self.read(ix, reading);
            }
        }
    }

    /// Gives an episode its vector, if there is such an episode and the vector is one of the model's.
    pub(crate) fn take_vector(&mut self, id: &EpisodeId, vector: &[f32]) {
        if let Some(ix) = self.find_episode(id)
            && !self.vectors.has(ix.0)
        {
            // One that is refused is embedded again.
            let _ = self.vectors.load(ix.0, vector);
        }
    }

    /// Places vectors that wait into the vector index's graph, in step with `arrived` new episodes.
    pub(crate) fn tend_vectors(&mut self, arrived: usize) {
        /// Each takes milliseconds, so a large commit leaves most of its own to those after it.
        const MOST: usize = 8;
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
        let speaker =
            episode.speaker.as_deref().map(|speaker| self.speakers.number(&self.namespace, speaker));
        self.episodes.push(EpisodeNode {
            id: episode.id,
            session,
            position: episode.position,
            speaker,
            occurred_at: episode.occurred_at,
            recorded_at: episode.recorded_at,
            source_id: episode.source_id.as_deref().map(Into::into),
            expires_at: episode.expires_at,
            told_at: episode.told_at,
            first_passage: self.passages.len() as u32,
            passages: prepared.starts.len() as u32,
            asks: arrival.text.trim_end().ends_with(['?', '？']),
            status: ExtractionStatus::Pending,
            forgotten: false,
            flagged: false,
            extractor: 0,
            text: arrival.place,
            mentions: Box::default(),
            states: Box::default(),
        });
        self.expiring += usize::from(episode.expires_at.is_some());
        self.episode_by_id.insert(ix.0, |number| *self.episodes[number as usize].id.as_bytes());
        let passage = |&start| PassageNode { episode: ix, start, entities: Box::default() };
        self.passages.extend(prepared.starts.iter().map(passage));
        if let Some(heading) = &prepared.heading {
            self.headings.entry(heading.as_str().into()).or_default().push(ix);
        }
        if let Some(vector) = arrival.vector {
            self.vectors.load(ix.0, vector).expect("the vector was checked before the commit");
        }
        self.place_in_session(session, ix);
        self.lay_out();
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
            ix
        };
        let node = &mut self.sessions[ix.index()];
        let before = node.at;
        node.at = match (node.at, episode.occurred_at) {
            (Some(one), Some(other)) => Some(if other.instant < one.instant { other } else { one }),
            (one, other) => one.or(other),
        };
        if node.episodes.is_empty() || node.at != before {
            self.retime(ix);
        }
        ix
    }

    /// Puts the episode at its place by position (and id, where two claim the same).
    fn place_in_session(&mut self, session: SessionIx, ix: EpisodeIx) {
        let place = |ix: &EpisodeIx| (self.episodes[ix.index()].position, self.episodes[ix.index()].id);
        let list = &self.sessions[session.index()].episodes;
        let at = list.partition_point(|other| place(other) < place(&ix));
        self.sessions[session.index()].episodes.insert(at, ix);
        self.places.resize(self.episodes.len(), 0);
        self.number_places(session, at);
    }

    /// Notes the places of a session's episodes from the place `from` on.
    pub(super) fn number_places(&mut self, session: SessionIx, from: usize) {
        for (place, moved) in (from..).zip(&self.sessions[session.index()].episodes[from..]) {
            self.places[moved.index()] = place as u32;
        }
    }

    fn read(&mut self, ix: EpisodeIx, reading: &Reading) {
        let mut mentions = Vec::with_capacity(reading.found.mentions.len());
        for mention in &reading.found.mentions {
            let (entity, name) = self.entity_named(&mention.name);
            self.count_name(entity, name, mention.kind);
            mentions.push(MentionNode { span: mention.span, entity, kind: mention.kind, name });
        }
        let mut states: Vec<FactIx> = Vec::new();
        for triple in &reading.found.triples {
            let Some(fact) = self.state_fact(ix, triple) else { continue };
            self.touch(fact);
            if !states.contains(&fact) {
                let node = &self.facts[fact.index()];
                for end in [Some(node.subject), node.object].into_iter().flatten() {
                    self.entities[end.index()].stated_in += 1;
                }
                states.push(fact);
            }
        }
        self.tie_mentions(ix, &mentions);
        let extractor = self.extractor_number(&reading.extractor);
        (self.mentioned, self.stated) = (self.mentioned + mentions.len(), self.stated + states.len());
        let episode = &mut self.episodes[ix.index()];
        episode.mentions = mentions.into();
        episode.states = states.into();
        episode.status = reading.status;
        episode.flagged = !reading.found.flags.is_empty();
        episode.extractor = extractor;
    }

    /// Notes that the facts on a fact's subject and predicate are to be judged anew.
    pub(super) fn touch(&mut self, ix: FactIx) {
        let bearings = self.bearings(ix);
        self.unjudged.extend(bearings);
        self.unsettle_way(ix);
    }

    /// The number of an extractor. Past the last number, further ones count as that one.
    fn extractor_number(&mut self, name: &str) -> u16 {
        let known = self.extractors.iter().position(|known| &**known == name);
        let number = known.unwrap_or(self.extractors.len()).min(usize::from(u16::MAX));
        if number == self.extractors.len() {
            self.extractors.push(name.into());
        }
        number as u16
    }

    fn tie_mentions(&mut self, ix: EpisodeIx, mentions: &[MentionNode]) {
        let mut named: Vec<EntityIx> = mentions.iter().map(|mention| mention.entity).collect();
        named.sort_unstable();
        named.dedup();
        for &entity in &named {
            let episodes = &mut self.entities[entity.index()].episodes;
            // Nearly always the last: only a second reading names an entity in an earlier episode.
            let place = episodes.partition_point(|other| *other < ix);
            episodes.insert(place, ix);
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

    /// The entity that a name as it is written names, which may be new, and the name's number among the entity's.
    fn entity_named(&mut self, name: &str) -> (EntityIx, u16) {
        if let Some(known) = self.entity_by_name.get(name) {
            return *known;
        }
        let folded = text::fold_name(name);
        let id = EntityId::of_folded(&self.namespace, &folded);
        let known = self.find_entity(&id);
        let own = known.unwrap_or_else(|| self.add_entity(id));
        if known.is_none() || (self.entities[own.index()].folded.is_empty() && !folded.is_empty()) {
            self.entities[own.index()].folded = folded.into();
            self.tie_names(own);
            self.index_name(own);
        }
        let ix = self.head(own);
        let named = (ix, self.name_number(ix, own, name));
        self.entity_by_name.insert(name.into(), named);
        named
    }

    /// Counts that an entity is called by one of its names.
    fn count_name(&mut self, ix: EntityIx, number: u16, kind: EntityKind) {
        let entity = &mut self.entities[ix.index()];
        entity.kinds[kind as usize] += 1;
        let called = &mut entity.names[usize::from(number)];
        called.mentions += 1;
        let own = called.of;
        self.entities[own.index()].uses += 1;
    }

    /// The number of `name`, which is a spelling of the own name of `own`, among the entity's names. One that only facts use ("Ana's sister") counts zero times
    /// and is shown where there is no other.
    fn name_number(&mut self, ix: EntityIx, own: EntityIx, name: &str) -> u16 {
        let names = &mut self.entities[ix.index()].names;
        let known = names.iter().position(|known| &*known.name == name);
        // Past the last number, further spellings of one folded name count as that one.
        let number = known.unwrap_or(names.len()).min(usize::from(u16::MAX));
        if number == names.len() {
            names.push(Called { name: name.into(), mentions: 0, of: own });
        }
        number as u16
    }

    /// Adds an entity whose own name is not known yet, and who it is by the rulings.
    fn add_entity(&mut self, id: EntityId) -> EntityIx {
        let ix = EntityIx(self.entities.len() as u32);
        let kinds = [0; EntityKind::ALL.len()];
        self.entities.push(EntityNode {
            id,
            head: ix,
            given: None,
            names: Vec::new(),
            kinds,
            folded: Box::default(),
            uses: 0,
            episodes: Vec::new(),
            stated_in: 0,
            same_as: Vec::new(),
            relations: Vec::new(),
        });
        self.entity_by_id.insert(ix.0, |number| *self.entities[number as usize].id.as_bytes());
        self.graph.add_entity();
        let head = self.rulings.head(id);
        if head != id {
            // Who is somebody is nobody else, so this goes no deeper.
            let head = self.find_entity(&head).unwrap_or_else(|| self.add_entity(head));
            self.entities[ix.index()].head = head;
        }
        self.give_name(id, self.entities[ix.index()].head);
        ix
    }

    /// Adds the episode's statement to the fact that it states, which may be new. One that was forgotten is not stated.
    fn state_fact(&mut self, episode: EpisodeIx, triple: &Triple) -> Option<FactIx> {
        let node = &self.episodes[episode.index()];
        let valid = valid_time(triple, node);
        let recorded_at = node.told();
        let (subject, subject_name) = self.entity_named(&triple.subject.name);
        let (object, object_ix, object_name) = match &triple.object {
            TripleObject::Entity(Named { name, .. }) => {
                let (ix, name) = self.entity_named(name);
                (Object::Entity(self.entities[ix.index()].id), Some(ix), name)
            }
            TripleObject::Value(value) => (Object::Value(value.clone()), None, 0),
        };
        let claim = Claim {
            subject: self.entities[subject.index()].id,
            predicate: triple.predicate.clone(),
            object,
            polarity: triple.polarity,
            kind: triple.kind,
        };
        if !self.forgotten.is_empty() {
            let own = |ix: EntityIx, name: u16| self.entity(self.entity(ix).names[usize::from(name)].of).id;
            let object =
                object_ix.map_or_else(|| claim.object.clone(), |ix| Object::Entity(own(ix, object_name)));
            let own = Claim { subject: own(subject, subject_name), object, ..claim.clone() };
            if self.forgotten.contains(&own.id(&self.namespace, valid).as_tombstone()) {
                return None;
            }
        }
        let ix = self.fact_of(&claim, subject, object_ix, valid);
        let support = SupportNode {
            episode,
            span: triple.span,
            confidence: triple.confidence,
            valid,
            recorded_at,
            hedged: triple.hedged,
            importance: triple.importance,
            granularity: triple.granularity,
            dated: triple.valid.from.is_some(),
            corrects: triple.corrects,
            attributed_to: triple.attributed_to.as_ref().map(|name| self.values.number(name)),
            names: [subject_name, object_name],
        };
        let fact = &mut self.facts[ix.index()];
        if add_support(&mut fact.support, support) {
            for (end, name) in fact.ends(&support) {
                let own = self.entities[end.index()].names[usize::from(name)].of;
                self.entities[own.index()].uses += 1;
            }
        }
        Some(ix)
    }

    fn fact_of(
        &mut self,
        claim: &Claim,
        subject: EntityIx,
        object: Option<EntityIx>,
        valid: Interval,
    ) -> FactIx {
        let id = claim.id(&self.namespace, valid);
        let id_of = |number: u32| *self.facts[number as usize].id.as_bytes();
        if let Some(number) = self.fact_by_id.find(id.as_bytes(), id_of) {
            return FactIx(number);
        }
        let ix = FactIx(self.facts.len() as u32);
        let value = match &claim.object {
            Object::Value(value) => self.values.number(value),
            Object::Entity(_) => 0,
        };
        self.facts.push(FactNode {
            id,
            subject,
            predicate: self.predicates.number(&claim.predicate),
            object,
            value,
            polarity: claim.polarity,
            kind: claim.kind,
            status: FactStatus::Current,
            successor: None,
            valid,
            stays: None,
            contested: false,
            recorded: Interval::ALWAYS,
            support: Vec::new(),
        });
        self.fact_by_id.insert(ix.0, |number| *self.facts[number as usize].id.as_bytes());
        self.relate(ix);
        if let Some(object) = object {
            self.graph.tie(subject, Tie::Fact(ix), object);
        }
        ix
    }
}

/// Puts a statement at its place by episode and span, and says whether it did not stand there. Most facts have one, so room is made
/// for no more than that at first.
fn add_support(list: &mut Vec<SupportNode>, support: SupportNode) -> bool {
    let place = |support: &SupportNode| (support.episode, support.span);
    let at = list.partition_point(|other| place(other) < place(&support));
    let new = list.get(at).is_none_or(|other| place(other) != place(&support));
    if new {
        if list.len() == list.capacity() {
            list.reserve_exact(list.len().max(1));
        }
        list.insert(at, support);
    }
    new
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
/// it was said; something that happened, told without a time, happened before it was said; and what was never so, as is said to put
/// something right, never was.
fn valid_time(triple: &Triple, episode: &EpisodeNode) -> Interval {
    let said = episode.occurred_at.map(|at| at.instant);
    match (triple.kind, triple.valid) {
        (_, Interval::ALWAYS) if triple.corrects && triple.polarity == Polarity::Negated => Interval::ALWAYS,
        (FactKind::Event, Interval { from: None, to: None }) => Interval { from: None, to: said },
        (FactKind::Event, told) => told,
        (_, Interval { from: None, to }) => {
            Interval { from: said.filter(|said| to.is_none_or(|to| *said < to)), to }
        }
        (_, told) => told,
    }
}
