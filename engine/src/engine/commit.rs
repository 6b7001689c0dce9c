//! How changes become durable and visible: what of them is new, one write for all that wait, and then the namespaces
//! in memory.

use std::sync::Arc;

use parking_lot::RwLock;
use rustc_hash::{FxHashMap, FxHashSet};

use super::Engine;
use crate::change::Changes;
use crate::error::Error;
use crate::model::episode::ExtractionStatus;
use crate::model::id::{EpisodeId, Namespace};
use crate::state::{Arrival, Known, State};
use crate::store::{Unit, Written};

/// What a commit came to. When it is returned, the commit is durable and visible.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Receipt {
    /// The commit's number in the store; of the one before where there was nothing new.
    pub sequence: u64,
    /// Episodes that were new.
    pub episodes: usize,
    /// Readings that were new.
    pub readings: usize,
    /// Claims in the readings that were new.
    pub facts: usize,
    /// Episodes that were forgotten and had not been before.
    pub forgotten: usize,
}

/// A commit that waits for its turn.
pub(super) struct Ticket {
    namespace: Namespace,
    changes: Changes,
    vectors: Vec<Vec<f32>>,
    state: Arc<RwLock<State>>,
}

/// What of a ticket's changes is new: indexes of its episodes and readings, and ids.
#[derive(Default)]
struct News {
    episodes: Vec<usize>,
    readings: Vec<usize>,
    forgets: Vec<EpisodeId>,
}

/// What the tickets before one say of episodes, which their states do not know yet.
type Ahead<'t> = FxHashMap<(&'t Namespace, EpisodeId), Known<'t>>;

impl Engine {
    /// Writes `changes` into `namespace`: durable and visible when it returns. Episodes that are already there or were
    /// forgotten, readings by the extractor that has already read an episode, and readings of episodes that the store
    /// does not hold, are passed over.
    ///
    /// Commits that wait at the same time share one sync, each a commit of its own.
    ///
    /// # Errors
    /// [`Error::InvalidChanges`] before anything is written; [`Error::Poisoned`] and the system's errors, after
    /// which the store must be opened again.
    pub fn commit(&self, namespace: &Namespace, changes: Changes) -> Result<Receipt, Error> {
        changes.validate(namespace)?;
        let texts: Vec<&str> = changes.episodes.iter().map(|episode| episode.text.as_str()).collect();
        let vectors = self.embed(&texts)?;
        // What is new is told by the namespace in memory.
        let state = self.state(namespace)?;
        let ticket = Ticket { namespace: namespace.clone(), changes, vectors, state };
        let outcome = self.queue.submit(ticket, |tickets| self.commit_all(&tickets));
        self.weigh(namespace);
        // None where the thread that took the ticket panicked.
        outcome.unwrap_or_else(|| Err(self.store.poisoned()))
    }

    fn commit_all(&self, tickets: &[Ticket]) -> Vec<Result<Receipt, Error>> {
        let mut ahead = Ahead::default();
        let news: Vec<News> = tickets.iter().map(|ticket| news(ticket, &mut ahead)).collect();
        let units: Vec<Unit<'_>> =
            tickets.iter().zip(&news).map(|(ticket, news)| unit(ticket, news)).collect();
        match self.forget_kept(&units).and_then(|()| self.store.commit(&units)) {
            Ok(written) => {
                let each = tickets.iter().zip(&news).zip(&written);
                each.map(|((ticket, news), written)| Ok(make_visible(ticket, news, written))).collect()
            }
            Err(error) => {
                // The one error goes to the first; the others learn that the store takes no more, or the same.
                let other = || if self.store.is_poisoned() { None } else { error.again() };
                let others: Vec<Error> = tickets
                    .iter()
                    .skip(1)
                    .map(|_| other().unwrap_or_else(|| self.store.poisoned()))
                    .collect();
                std::iter::once(error).chain(others).map(Err).collect()
            }
        }
    }
}

/// Which of a ticket's changes its namespace does not hold yet, nor will by the tickets before.
fn news<'t>(ticket: &'t Ticket, ahead: &mut Ahead<'t>) -> News {
    let Ticket { namespace, changes, state, .. } = ticket;
    let state = state.read();
    let mut news = News::default();
    let mut fresh = FxHashSet::default();
    for (index, episode) in changes.episodes.iter().enumerate() {
        let key = (namespace, episode.id);
        if ahead.get(&key).map_or_else(|| state.known(&episode.id), |known| *known) == Known::Unknown {
            ahead.insert(key, Known::Stored);
            fresh.insert(episode.id);
            news.episodes.push(index);
        }
    }
    for (index, reading) in changes.readings.iter().enumerate() {
        let key = (namespace, reading.episode);
        let new = match ahead.get(&key).map_or_else(|| state.known(&reading.episode), |known| *known) {
            Known::Unknown | Known::Forgotten => false,
            Known::Stored => true,
            // What was read once is not given up for an attempt that failed.
            Known::Read { extractor } => {
                reading.status == ExtractionStatus::Done && extractor != reading.extractor
            }
        };
        if new || fresh.contains(&reading.episode) {
            if reading.status == ExtractionStatus::Done {
                ahead.insert(key, Known::Read { extractor: &reading.extractor });
            }
            news.readings.push(index);
        }
    }
    for id in &changes.forgets {
        let key = (namespace, *id);
        if ahead.get(&key).map_or_else(|| state.known(id), |known| *known) != Known::Forgotten {
            ahead.insert(key, Known::Forgotten);
            news.forgets.push(*id);
        }
    }
    news
}

fn unit<'t>(ticket: &'t Ticket, news: &News) -> Unit<'t> {
    Unit {
        namespace: &ticket.namespace,
        episodes: news.episodes.iter().map(|index| &ticket.changes.episodes[*index]).collect(),
        readings: news.readings.iter().map(|index| &ticket.changes.readings[*index]).collect(),
        forgets: news.forgets.clone(),
    }
}

/// Applies what was written to the namespace in memory.
fn make_visible(ticket: &Ticket, news: &News, written: &Written) -> Receipt {
    let arrivals: Vec<Arrival<'_>> = news
        .episodes
        .iter()
        .zip(&written.texts)
        .map(|(index, place)| {
            let episode = &ticket.changes.episodes[*index];
            Arrival { episode, text: &episode.text, place: *place, vector: &ticket.vectors[*index] }
        })
        .collect();
    let readings = || news.readings.iter().map(|index| &ticket.changes.readings[*index]);
    let mut state = ticket.state.write();
    state.apply(&arrivals, readings());
    state.forget(&news.forgets);
    state.tend_vectors(arrivals.len());
    Receipt {
        sequence: written.sequence,
        episodes: news.episodes.len(),
        readings: news.readings.len(),
        facts: readings().map(|reading| reading.found.triples.len()).sum(),
        forgotten: news.forgets.len(),
    }
}
