//! A namespace in memory as bytes, to be kept beside the store, and back: what makes a large one open in seconds. A
//! snapshot is a cache: bytes of another version, or that do not hold together, are thrown away and the namespace is made
//! from the store.

use rayon::prelude::*;
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::{EntityNode, EpisodeNode, FactNode, State, ids};
use crate::embed::ModelIdentity;
use crate::graph::{EntityIx, FactIx, Graph, Tie};
use crate::model::id::{ID_BYTES, Namespace};
use crate::model::predicate::Predicate;

/// Raised with every change of what is kept, of how it is laid out, and of how texts are taken apart or facts judged.
pub(crate) const VERSION: u32 = 5;

/// Things of a list that stand in one section, so that several threads have something to do.
const CHUNK: usize = 1 << 16;

/// How many sections stand before those of the lists.
const SINGLE: usize = 4;

/// How many things each list has: episodes, passages, sessions, entities, facts.
type Lengths = [usize; 5];

impl State {
    /// Everything that is in memory, in sections that can be written and read apart. The facts must be judged.
    pub(crate) fn encode(&self) -> Vec<Vec<u8>> {
        debug_assert!(self.is_settled(), "what is not judged is not kept");
        let lengths: Lengths = [
            self.episodes.len(),
            self.passages.len(),
            self.sessions.len(),
            self.entities.len(),
            self.facts.len(),
        ];
        let words = (&self.entity_by_word, &self.plain_names, &self.headings, &self.speakers, &self.rulings);
        let head =
            (lengths, &self.forgotten, &self.extractors, self.predicates.list(), self.values.list(), words);
        let single: [&(dyn Fn() -> Vec<u8> + Sync); SINGLE] =
            [&|| section(&head), &|| section(&self.lexical), &|| section(&self.vectors.kept()), &|| {
                section(&self.name_vectors.kept())
            }];
        let mut sections: Vec<Vec<u8>> = single.par_iter().map(|encode| encode()).collect();
        sections.extend(chunks(&self.episodes));
        sections.extend(chunks(&self.passages));
        sections.extend(chunks(&self.sessions));
        sections.extend(chunks(&self.entities));
        sections.extend(chunks(&self.facts));
        sections
    }

    /// The namespace from the sections that [`State::encode`] made of it.
    ///
    /// # Errors
    /// What does not hold together, in words.
    pub(crate) fn decode(
        namespace: Namespace,
        identity: ModelIdentity,
        sections: &[impl AsRef<[u8]> + Sync],
    ) -> Result<Self, String> {
        let mut state = Self::new(namespace, identity);
        let mut rest = sections.iter().map(AsRef::as_ref);
        let mut next = || rest.next().ok_or("a section is missing");
        let (lengths, forgotten, extractors, predicates, values, words): (
            Lengths,
            _,
            _,
            Vec<Predicate>,
            Vec<Box<str>>,
            _,
        ) = read(next()?)?;
        (state.forgotten, state.extractors) = (forgotten, extractors);
        (state.entity_by_word, state.plain_names, state.headings, state.speakers, state.rulings) = words;
        for predicate in &predicates {
            state.predicates.number(predicate);
        }
        for value in &values {
            state.values.number(value);
        }
        let (lexical, vectors, names) = (next()?, next()?, next()?);
        let lists: Vec<&[u8]> = rest.collect();
        let lists = cut(&lists, &lengths)?;
        let (indexes, lists) = rayon::join(
            || -> Result<_, String> { Ok((read(lexical)?, read(vectors)?, read(names)?)) },
            || -> Result<_, String> {
                let (episodes, facts) =
                    rayon::join(|| join_up::<EpisodeNode>(lists[0]), || join_up::<FactNode>(lists[4]));
                Ok((episodes?, facts?, join_up(lists[1])?, join_up(lists[2])?, join_up(lists[3])?))
            },
        );
        let (vectors, names);
        (state.lexical, vectors, names) = indexes?;
        state.vectors.restore(vectors)?;
        state.name_vectors.restore(names)?;
        (state.episodes, state.facts, state.passages, state.sessions, state.entities) = lists?;
        state.check_sound()?;
        state.restore_lookups();
        Ok(state)
    }

    /// Makes what is not kept since it follows from the rest.
    fn restore_lookups(&mut self) {
        let (episodes, facts, entities) = (&self.episodes, &self.facts, &self.entities);
        let living = |ix: &u32| !episodes[*ix as usize].forgotten;
        let ((fact_by_id, episode_by_id), (graph, entity_by_id)) = rayon::join(
            || {
                let facts = table(facts.len(), 0..facts.len() as u32, |ix| *facts[ix as usize].id.as_bytes());
                let numbers = (0..episodes.len() as u32).filter(living);
                (facts, table(episodes.len(), numbers, |ix| *episodes[ix as usize].id.as_bytes()))
            },
            || {
                let all = 0..entities.len() as u32;
                (
                    graph_of(entities, facts),
                    table(entities.len(), all, |ix| *entities[ix as usize].id.as_bytes()),
                )
            },
        );
        (self.fact_by_id, self.episode_by_id) = (fact_by_id, episode_by_id);
        (self.graph, self.entity_by_id) = (graph, entity_by_id);
        let sessions = self.sessions.iter().zip(0..);
        self.session_by_id =
            sessions.map(|(session, number)| (session.id.clone(), super::SessionIx(number))).collect();
        let expire = |node: &&EpisodeNode| !node.forgotten && node.expires_at.is_some();
        self.expiring = self.episodes.iter().filter(expire).count();
        self.places = vec![0; self.episodes.len()];
        for session in &self.sessions {
            for (place, ix) in (0..).zip(&session.episodes) {
                self.places[ix.index()] = place;
            }
        }
        for (number, entity) in (0..).zip(&self.entities) {
            for (name, place) in entity.names.iter().zip(0..) {
                self.entity_by_name.insert(name.name.clone(), (EntityIx(number), place));
            }
        }
        self.lay_out_all();
        self.mentioned = self.episodes.iter().map(|episode| episode.mentions.len()).sum();
        self.stated = self.episodes.iter().map(|episode| episode.states.len()).sum();
    }
}

/// The graph of the ties that entities and facts tell, in the order in which they came to be.
fn graph_of(entities: &[EntityNode], facts: &[FactNode]) -> Graph {
    let ties = facts.iter().filter(|fact| fact.object.is_some()).count();
    let mut graph = Graph::with_capacity(entities.len(), ties);
    for (number, entity) in (0..).zip(entities) {
        graph.add_entity();
        for other in entity.same_as.iter().filter(|other| other.0 < number) {
            graph.tie(EntityIx(number), Tie::SameAs, *other);
        }
    }
    for (number, fact) in (0..).zip(facts) {
        if let Some(object) = fact.object {
            graph.tie(fact.subject, Tie::Fact(FactIx(number)), object);
        }
    }
    graph
}

fn table(
    capacity: usize,
    numbers: impl Iterator<Item = u32>,
    id_of: impl Fn(u32) -> [u8; ID_BYTES] + Copy,
) -> ids::IdTable {
    let mut table = ids::IdTable::with_capacity(capacity);
    numbers.for_each(|number| table.insert(number, id_of));
    table
}

fn section(value: &(impl Serialize + ?Sized)) -> Vec<u8> {
    postcard::to_allocvec(value).expect("writing to memory cannot fail")
}

fn read<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, String> {
    let (value, rest) = postcard::take_from_bytes(bytes).map_err(|error| error.to_string())?;
    if rest.is_empty() { Ok(value) } else { Err("a section is longer than what it holds".to_owned()) }
}

fn chunks<T: Serialize + Sync>(list: &[T]) -> Vec<Vec<u8>> {
    list.par_chunks(CHUNK).map(section).collect()
}

fn join_up<T: DeserializeOwned + Send>(sections: &[&[u8]]) -> Result<Vec<T>, String> {
    let chunks: Vec<Vec<T>> = sections.par_iter().map(|bytes| read(bytes)).collect::<Result<_, _>>()?;
    let mut all = Vec::with_capacity(chunks.iter().map(Vec::len).sum());
    for chunk in chunks {
        all.extend(chunk);
    }
    Ok(all)
}

/// Which sections are those of which list.
fn cut<'s, 'b>(sections: &'s [&'b [u8]], lengths: &Lengths) -> Result<[&'s [&'b [u8]]; 5], String> {
    let mut rest = sections;
    let mut lists = [&sections[..0]; 5];
    for (list, length) in lists.iter_mut().zip(lengths) {
        (*list, rest) = rest.split_at_checked(length.div_ceil(CHUNK)).ok_or("a section is missing")?;
    }
    Ok(lists)
}

/// Where a text lies, as numbers.
pub(super) mod place {
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    use crate::store::TextRef;

    pub(crate) fn serialize<S: Serializer>(text: &TextRef, serializer: S) -> Result<S::Ok, S::Error> {
        (text.segment, text.offset, text.bytes, text.crc, text.salt).serialize(serializer)
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<TextRef, D::Error> {
        let (segment, offset, bytes, crc, salt) = Deserialize::deserialize(deserializer)?;
        Ok(TextRef { segment, offset, bytes, crc, salt })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check;
    use crate::embed::{Embedder, HashEmbedder};
    use crate::graph::{EpisodeIx, SessionIx};
    use crate::model::entity::EntityKind;
    use crate::model::episode::{Episode, ExtractionStatus, Span};
    use crate::model::extraction::{Extraction, NamedSpan, Reading};
    use crate::model::fact::{Named, Triple, TripleObject};
    use crate::model::id::SessionId;
    use crate::model::time::{Interval, Timestamp};
    use crate::state::Arrival;
    use crate::store::TextRef;

    const TOWNS: [&str; 3] = ["Porto", "Gdynia", "Odense Øst"];

    fn turn(number: u32) -> (Episode, Reading) {
        let (session, namespace) = (SessionId::new(&format!("s{}", number / 4)), Namespace::default());
        let town = TOWNS[number as usize % 3];
        let text = format!("I live in {town} now, and I am a nurse of {number}.");
        let id = Episode::id_of(&namespace, &session, number, (Some("Ana"), None), &text);
        let span = Span { start: 0, end: 20 };
        let named = |name: &str, kind| Named { name: name.to_owned(), kind };
        let triple = |predicate: &str, object| Triple {
            confidence: 0.9,
            valid: Interval { from: Timestamp::from_millis(i64::from(number)).ok(), to: None },
            span,
            hedged: number % 5 == 1,
            attributed_to: (number % 7 == 2).then(|| "Rui".to_owned()),
            ..Triple::new(named("Ana", EntityKind::Person), Predicate::new(predicate), object)
        };
        let home = triple("lives_in", TripleObject::Entity(named(town, EntityKind::Place)));
        let work = triple("works_as", TripleObject::Value(format!("nurse of {}", number % 2)));
        let mention = |name: &str, kind| NamedSpan { span, name: name.to_owned(), kind };
        let mentions = vec![mention("Ana", EntityKind::Person), mention(town, EntityKind::Place)];
        let found = Extraction { mentions, triples: vec![home, work], ..Extraction::default() };
        let reading =
            Reading { episode: id, extractor: "test-1".into(), status: ExtractionStatus::Done, found };
        let recorded_at = Timestamp::from_millis(1_700_000_000_000).unwrap();
        let (speaker, source_id) = (Some("Ana".to_owned()), Some(format!("T{number}")));
        let episode = Episode {
            id,
            session,
            position: number,
            speaker,
            text,
            occurred_at: None,
            recorded_at,
            source_id,
            expires_at: None,
            told_at: None,
        };
        (episode, reading)
    }

    fn state(turns: u32) -> State {
        let embedder = HashEmbedder::default();
        let mut state = State::new(Namespace::default(), embedder.identity().clone());
        for number in 0..turns {
            let (episode, reading) = turn(number);
            let vector = embedder.embed(&[&episode.text]).unwrap().remove(0);
            let place = TextRef { segment: 1, offset: u64::from(number), bytes: 7, crc: 9, salt: 5 };
            let arrival = Arrival { episode: &episode, text: &episode.text, place, vector: Some(&vector) };
            state.apply(&[arrival], [&reading]);
        }
        state.settle();
        state
    }

    fn decoded(sections: &[Vec<u8>]) -> Result<State, String> {
        State::decode(Namespace::default(), HashEmbedder::default().identity().clone(), sections)
    }

    fn problems(one: &State, other: &State) -> Vec<String> {
        let mut problems = Vec::new();
        check::walk(one, other, true, &mut problems);
        problems
    }

    #[test]
    fn a_namespace_comes_back_as_it_was_and_goes_on() {
        let mut live = state(40);
        let mut back = decoded(&live.encode()).unwrap();
        assert_eq!((problems(&back, &live), back.counts()), (Vec::new(), live.counts()));
        let known = turn(3).0.id;
        assert_eq!(back.find_episode(&known), live.find_episode(&known));
        assert_eq!(back.episode(EpisodeIx(7)).text, live.episode(EpisodeIx(7)).text);
        let saying = |state: &State| state.facts_saying("Nurse of 1").collect::<Vec<_>>();
        assert_eq!((saying(&back), saying(&back).len()), (saying(&live), 1));
        for state in [&mut live, &mut back] {
            state.forget(&[known]);
            state.settle();
        }
        assert_eq!((problems(&back, &live), back.counts()), (Vec::new(), live.counts()));
    }

    #[test]
    fn numbers_that_do_not_hold_together_are_refused() {
        let changes: &[fn(&mut State)] = &[
            |state| state.episodes[4].passages += 1,
            |state| state.episodes[4].first_passage = 0,
            |state| state.episodes[4].session = SessionIx(9),
            |state| state.episodes[4].session = SessionIx(0),
            |state| state.episodes[4].forgotten = true,
            |state| state.episodes[4].speaker = Some(1),
            |state| state.passages[4].episode = EpisodeIx(3),
            |state| state.passages.truncate(11),
            |state| state.sessions[1].episodes[0] = EpisodeIx(12),
            |state| state.sessions[1].episodes.truncate(3),
            |state| state.entities[0].same_as.push(EntityIx(99)),
            |state| state.entities[0].head = EntityIx(99),
            |state| state.entities[0].names[0].of = EntityIx(99),
            |state| state.facts[0].support[0].names = [99, 0],
            |state| state.facts[0].subject = EntityIx(99),
            |state| state.facts[0].successor = Some(FactIx(99)),
            |state| state.facts[0].support[0].confidence = f32::NAN,
            |state| state.facts[0].support[0].importance = 0,
            |state| state.facts[0].support[0].attributed_to = Some(99),
            |state| state.lexical.insert(12, "one too many"),
            |state| state.vectors.load(12, &[0.0; 256]).unwrap(),
            |state| state.name_vectors.load(99, &[0.0; 256]).unwrap(),
        ];
        for (number, change) in changes.iter().enumerate() {
            let mut state = state(12);
            change(&mut state);
            assert!(decoded(&state.encode()).is_err(), "change {number}");
        }
    }

    #[test]
    fn bytes_that_do_not_hold_together_are_refused() {
        let sections = state(12).encode();
        assert!(decoded(&sections[..sections.len() - 1]).is_err());
        // Ids and numbers are hashes, counts and indexes; whatever a changed byte makes of them, nothing panics, and what
        // is accepted can be walked.
        for (place, section) in sections.iter().enumerate() {
            for at in 0..section.len().min(2000) {
                let mut changed = sections.clone();
                changed[place][at] ^= 0x41;
                if let Ok(state) = decoded(&changed) {
                    assert!(state.counts().episodes <= 12);
                }
            }
        }
    }
}
