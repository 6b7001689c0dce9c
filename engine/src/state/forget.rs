//! How a namespace in memory forgets: what an earlier reading of an episode gave, and whole episodes.

use rustc_hash::FxHashSet;

use super::{State, SupportNode};
use crate::graph::{EntityIx, EpisodeIx, FactIx, SessionIx};
use crate::model::episode::ExtractionStatus;
use crate::model::id::{EpisodeId, FactId};

impl State {
    /// Takes episodes out, with everything that no other episode supports, and takes note not to let them in again. Of
    /// rulings only that is done: a namespace that they change is loaded anew.
    pub(crate) fn forget(&mut self, ids: &[EpisodeId]) {
        for id in ids {
            if let Some(ix) = self.find_episode(id) {
                self.take_out(ix);
            } else {
                self.unstate(&FactId::from_bytes(*id.as_bytes()));
            }
            self.forgotten.insert(*id);
        }
    }

    /// Takes note of what is not to be let in, before anything comes.
    pub(crate) fn keep_out(&mut self, forgotten: FxHashSet<EpisodeId>) {
        self.forgotten = forgotten;
    }

    /// Whether something was forgotten once, and may come again.
    pub(crate) fn is_lifted(&self, id: &EpisodeId) -> bool {
        !self.forgotten.contains(id) && self.has_lift(id)
    }

    /// Whether something of what was forgotten is still held, such as words and names: those that nothing uses any more
    /// keep their numbers. A namespace that is made from the store again has no such remains, once that is compacted.
    pub(crate) fn has_remains(&self) -> bool {
        self.remains > 0
    }

    /// Whether what was forgotten takes so much room that it is worth making the namespace anew: a quarter of its
    /// episodes, so that each episode that is forgotten costs the reading of three others at most.
    pub(crate) fn is_mostly_remains(&self) -> bool {
        self.remains * 4 > self.episodes.len()
    }

    /// What was forgotten and is not taken in again, in order.
    pub fn tombstones(&self) -> Vec<EpisodeId> {
        let mut all: Vec<EpisodeId> = self.forgotten.iter().copied().collect();
        all.sort_unstable();
        all
    }

    /// Whether something was forgotten and is not taken in again.
    pub fn keeps_out(&self) -> bool {
        !self.forgotten.is_empty()
    }

    /// Whether an episode was forgotten and is not taken in again.
    pub fn is_forgotten(&self, id: &EpisodeId) -> bool {
        self.forgotten.contains(id)
    }

    /// Takes back every statement of a claim, by the names that statements use.
    fn unstate(&mut self, claim: &FactId) {
        // Where names are only their own, the claim has the fact's id; else it may be of any fact.
        let candidates: Vec<FactIx> = match self.find_fact(claim) {
            Some(ix) => vec![ix],
            None if self.has_circles() => (0..self.facts.len() as u32).map(FactIx).collect(),
            None => Vec::new(),
        };
        for fact in candidates {
            let claims = self.claims_of(fact).filter(|(_, other)| other == claim);
            let gone: Vec<SupportNode> = claims.map(|(support, _)| *support).collect();
            for support in gone {
                self.take_back(fact, &support);
            }
        }
    }

    fn take_back(&mut self, fact: FactIx, support: &SupportNode) {
        self.touch(fact);
        let ends: Vec<(EntityIx, u16)> = self.facts[fact.index()].ends(support).collect();
        for (end, name) in ends {
            let own = self.entities[end.index()].names[usize::from(name)].of;
            self.entities[own.index()].uses -= 1;
        }
        let node = &mut self.facts[fact.index()];
        node.support.retain(|other| (other.episode, other.span) != (support.episode, support.span));
        if node.support.iter().any(|other| other.episode == support.episode) {
            return;
        }
        let (subject, object) = (node.subject, node.object);
        for end in [Some(subject), object].into_iter().flatten() {
            self.entities[end.index()].stated_in -= 1;
        }
        let episode = &mut self.episodes[support.episode.index()];
        episode.states = episode.states.iter().copied().filter(|other| *other != fact).collect();
        self.stated -= 1;
    }

    fn take_out(&mut self, ix: EpisodeIx) {
        self.unread(ix);
        self.remains += 1;
        let episode = &mut self.episodes[ix.index()];
        let (id, session, passages) = (episode.id, episode.session, episode.passage_numbers());
        (episode.forgotten, episode.status) = (true, ExtractionStatus::Pending);
        (episode.source_id, episode.speaker) = (None, None);
        self.expiring -= usize::from(episode.expires_at.take().is_some());
        self.episode_by_id.remove(ix.0, id.as_bytes());
        self.vectors.remove(ix.0);
        for passage in passages {
            self.sessions[session.index()].terms -= self.lexical.length(passage).unwrap_or(0);
            self.lexical.remove(passage);
        }
        self.headings.retain(|_, headed| {
            headed.retain(|other| *other != ix);
            !headed.is_empty()
        });
        self.take_from_session(session, ix);
    }

    fn take_from_session(&mut self, session: SessionIx, ix: EpisodeIx) {
        let at = self.place(ix);
        let node = &mut self.sessions[session.index()];
        node.episodes.remove(at);
        let times = node.episodes.iter().filter_map(|ix| self.episodes[ix.index()].occurred_at);
        node.at = times.min_by_key(|at| at.instant);
        self.number_places(session, at);
        self.lay_away(session);
    }

    /// Takes back what an earlier reading of the episode gave.
    pub(super) fn unread(&mut self, ix: EpisodeIx) {
        let episode = &mut self.episodes[ix.index()];
        let (mentions, states) = (std::mem::take(&mut episode.mentions), std::mem::take(&mut episode.states));
        (self.mentioned, self.stated) = (self.mentioned - mentions.len(), self.stated - states.len());
        for passage in episode.passage_numbers() {
            self.passages[passage as usize].entities = Box::default();
        }
        for mention in &mentions {
            let entity = &mut self.entities[mention.entity.index()];
            entity.kinds[mention.kind as usize] -= 1;
            let called = &mut entity.names[usize::from(mention.name)];
            called.mentions -= 1;
            let own = called.of;
            self.entities[own.index()].uses -= 1;
        }
        let named: FxHashSet<EntityIx> = mentions.iter().map(|mention| mention.entity).collect();
        for entity in named {
            let episodes = &mut self.entities[entity.index()].episodes;
            if let Ok(place) = episodes.binary_search(&ix) {
                episodes.remove(place);
            }
        }
        for fact in states {
            self.touch(fact);
            let node = &mut self.facts[fact.index()];
            for support in node.support.iter().filter(|support| support.episode == ix) {
                for (end, name) in node.ends(support) {
                    let own = self.entities[end.index()].names[usize::from(name)].of;
                    self.entities[own.index()].uses -= 1;
                }
            }
            node.support.retain(|support| support.episode != ix);
            for end in [Some(node.subject), node.object].into_iter().flatten() {
                self.entities[end.index()].stated_in -= 1;
            }
        }
    }
}
