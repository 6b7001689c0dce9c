//! Whether a namespace that was read back from bytes holds together, so that no later look-up can fail. It is not
//! whether what stands in it is true: that is for `check.rs`, which compares with the store.

use rayon::prelude::*;

use super::{EntityNode, EpisodeNode, FactNode, PassageNode, SessionNode, State, SupportNode};
use crate::graph::{EntityIx, EpisodeIx, FactIx};
use crate::model::episode::ExtractionStatus;
use crate::model::fact::IMPORTANCES;

impl State {
    /// Whether every number names something, and what is counted or ordered is so.
    pub(super) fn check_sound(&self) -> Result<(), String> {
        let sound = self.passages_are_tiled()
            && self.nodes_are_sound()
            && self.words_are_sound()
            && self.lexical.is_sound()
            && self.lexical.end() as usize == self.passages.len()
            && self.vectors.end() <= self.episodes.len()
            && self.name_vectors.end() <= self.entities.len();
        if sound { Ok(()) } else { Err("what stands in it does not hold together".to_owned()) }
    }

    /// Whether each passage belongs to the episode that says so, in the order of the episodes.
    fn passages_are_tiled(&self) -> bool {
        let mut next = 0_u32;
        let tiled = (0..).zip(&self.episodes).all(|(number, node)| {
            let first = next;
            let Some(end) = first.checked_add(node.passages) else { return false };
            next = end;
            let owned = self.passages.get(first as usize..end as usize);
            node.passages > 0
                && node.first_passage == first
                && owned.is_some_and(|owned| owned.iter().all(|passage| passage.episode.0 == number))
        });
        tiled && next as usize == self.passages.len()
    }

    fn nodes_are_sound(&self) -> bool {
        let entity = |ix: &EntityIx| self.has_entity(*ix);
        let fact = |ix: &FactIx| ix.index() < self.facts.len();
        let sound_episode = |node: &EpisodeNode| {
            node.session.index() < self.sessions.len()
                && node.speaker.is_none_or(|speaker| (speaker as usize) < self.speakers().len())
                && node.mentions.iter().all(|mention| {
                    entity(&mention.entity)
                        && usize::from(mention.name) < self.entity(mention.entity).names.len()
                })
                && node.states.iter().all(fact)
                && (usize::from(node.extractor) < self.extractors.len()
                    || node.extractor == 0 && node.status == ExtractionStatus::Pending)
        };
        let sound_entity = |node: &EntityNode| {
            node.episodes.iter().all(|ix| self.has_episode(*ix))
                && node.same_as.iter().all(entity)
                && entity(&node.head)
                && node.names.iter().all(|called| entity(&called.of))
                && node.relations.iter().flat_map(|(_, facts)| facts).all(fact)
        };
        let sound_passage = |node: &PassageNode| node.entities.iter().all(entity);
        self.episodes.par_iter().all(sound_episode)
            && self.facts.par_iter().all(|node| self.fact_is_sound(node))
            && self.entities.par_iter().all(sound_entity)
            && self.passages.par_iter().all(sound_passage)
            && self.sessions_are_sound()
    }

    fn fact_is_sound(&self, node: &FactNode) -> bool {
        self.has_entity(node.subject)
            && node.object.is_none_or(|object| self.has_entity(object))
            && (node.predicate.0 as usize) < self.predicates.list().len()
            && (node.object.is_some() || (node.value as usize) < self.values.list().len())
            && node.successor.is_none_or(|successor| successor.index() < self.facts.len())
            && node.support.iter().all(|support| self.support_is_sound(node, support))
    }

    fn support_is_sound(&self, node: &FactNode, support: &SupportNode) -> bool {
        let named = |(end, name): (EntityIx, u16)| usize::from(name) < self.entity(end).names.len();
        self.has_episode(support.episode)
            && node.ends(support).all(named)
            && (0.0..=1.0).contains(&support.confidence)
            && IMPORTANCES.contains(&support.importance)
            && support.attributed_to.is_none_or(|name| (name as usize) < self.values.list().len())
    }

    /// Whether the sessions list the living episodes, each its own.
    fn sessions_are_sound(&self) -> bool {
        let sound = |(number, node): (usize, &SessionNode)| {
            node.episodes.iter().all(|ix| {
                let episode = self.episodes.get(ix.index());
                episode.is_some_and(|episode| episode.session.index() == number && !episode.forgotten)
            })
        };
        let listed: usize = self.sessions.iter().map(|session| session.episodes.len()).sum();
        self.sessions.iter().enumerate().all(sound) && listed == self.living().count()
    }

    /// Whether what is found by words is there.
    fn words_are_sound(&self) -> bool {
        self.entity_by_word.values().chain(self.plain_names.lists()).flatten().all(|ix| self.has_entity(*ix))
            && self.headings.values().flatten().all(|ix| self.has_episode(*ix))
            && self.speakers.is_sound()
    }

    fn has_entity(&self, ix: EntityIx) -> bool {
        ix.index() < self.entities.len()
    }

    fn has_episode(&self, ix: EpisodeIx) -> bool {
        ix.index() < self.episodes.len()
    }
}
