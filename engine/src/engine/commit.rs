//! How changes become durable and visible: what of them is new, one write for all that wait, and then the
//! namespaces in memory.

use std::sync::Arc;

use parking_lot::RwLock;
use rustc_hash::{FxHashMap, FxHashSet};

use super::Engine;
use super::embedding::embed_checked;
use crate::change::Changes;
use crate::error::Error;
use crate::model::episode::ExtractionStatus;
use crate::model::extraction::Reading;
use crate::model::id::{EntityId, EpisodeId, Namespace};
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
    /// Rulings that were new.
    pub rulings: usize,
    /// Rulings that were forgotten, since nobody uses a name any more that they are on.
    pub dropped: usize,
    /// Episodes among those given that were forgotten before, and stay so.
    pub stay_forgotten: usize,
}

/// A commit that waits for its turn.
pub(super) struct Ticket {
    namespace: Namespace,
    changes: Changes,
    vectors: Vec<Vec<f32>>,
}

/// A ticket with its namespace in memory, which stays there as long as this is held.
struct Ready<'t> {
    ticket: &'t Ticket,
    state: Arc<RwLock<State>>,
}

/// What of a ticket's changes is new: indexes of its episodes and readings, and ids.
#[derive(Default)]
struct News {
    episodes: Vec<usize>,
    readings: Vec<usize>,
    forgets: Vec<EpisodeId>,
    /// Episodes that were forgotten before.
    stay_forgotten: usize,
    /// Whether the journal holds some of what is forgotten.
    erases: bool,
    rulings: Vec<usize>,
    /// How many of what is forgotten are rulings.
    dropped: usize,
}

impl News {
    /// Whether who is who is another question afterwards.
    fn rules(&self) -> bool {
        !self.rulings.is_empty() || self.dropped > 0
    }
}

/// What the tickets before one say of episodes, which their states do not know yet.
type Ahead<'t> = FxHashMap<(&'t Namespace, EpisodeId), Known<'t>>;

impl Engine {
    /// Writes `changes` into `namespace`: durable and visible when it returns. Episodes that are already
    /// there or were forgotten, readings by the extractor that has already read an episode, and readings of
    /// episodes that the store does not hold, are passed over.
    ///
    /// Commits that wait at the same time share one sync, each a commit of its own.
    ///
    /// # Errors
    /// [`Error::InvalidChanges`] before anything is written; [`Error::Poisoned`] and the system's errors, after
    /// which the store must be opened again.
    pub fn commit(&self, namespace: &Namespace, changes: Changes) -> Result<Receipt, Error> {
        changes.validate(namespace)?;
        // Held until the changes are visible: no other model may come between.
        let embedder = self.embedder.read();
        let vectors = if embedder.is_quick() {
            embed_checked(&**embedder, changes.episodes.iter())?
        } else {
            Vec::new()
        };
        // What is new is told by the namespace in memory. Here it is loaded while nobody else waits for it;
        // it may have left again when its turn comes.
        drop(self.state_to_change(namespace)?);
        let ticket = Ticket { namespace: namespace.clone(), changes, vectors };
        let outcome = self.queue.submit(ticket, |tickets| self.commit_all(&tickets));
        self.weigh(namespace);
        let waits = |told: &Result<Receipt, Error>| told.as_ref().is_ok_and(|receipt| receipt.episodes > 0);
        if let Some(told) = self.unembedded.get()
            && !embedder.is_quick()
            && outcome.as_ref().is_some_and(waits)
        {
            told(namespace);
        }
        // None where the thread that took the ticket panicked.
        outcome.unwrap_or_else(|| Err(self.store.poisoned()))
    }

    /// Commits for all that wait. One whose namespace cannot be loaded has that error, and the others go on.
    fn commit_all(&self, tickets: &[Ticket]) -> Vec<Result<Receipt, Error>> {
        let ready = |ticket| -> Result<Ready<'_>, Error> {
            Ok(Ready { ticket, state: self.state_to_change(&ticket.namespace)? })
        };
        let (mut all, mut failed) = (Vec::with_capacity(tickets.len()), Vec::with_capacity(tickets.len()));
        for outcome in tickets.iter().map(ready) {
            failed.push(outcome.map(|ready| all.push(ready)).err());
        }
        let mut outcomes = self.commit_ready(&all).into_iter();
        let outcome = |failed: Option<Error>| match failed {
            Some(error) => Err(error),
            None => outcomes.next().expect("what is ready has an outcome"),
        };
        failed.into_iter().map(outcome).collect()
    }

    fn commit_ready(&self, all: &[Ready<'_>]) -> Vec<Result<Receipt, Error>> {
        let mut ahead = Ahead::default();
        let mut news: Vec<News> = all.iter().map(|ready| news(ready, &mut ahead)).collect();
        for place in 0..news.len() {
            drop_rulings(place, all, &mut news);
        }
        let units: Vec<Unit<'_>> =
            all.iter().zip(&news).map(|(ready, news)| unit(ready.ticket, news)).collect();
        match self.remove_snapshots(&units).and_then(|()| self.store.commit(&units)) {
            Ok(written) => {
                let _unseen = Unseen { engine: self, all };
                let each = all.iter().zip(&news).zip(&written);
                let receipts =
                    each.map(|((ready, news), written)| Ok(make_visible(ready, news, written))).collect();
                // Nobody else changes them meanwhile, so what is loaded next has all that was written.
                for (ready, news) in all.iter().zip(&news).filter(|(_, news)| news.rules()) {
                    let rulings = news.rulings.iter().map(|index| &ready.ticket.changes.rulings[*index]);
                    if news.dropped > 0 || !ready.state.write().rule_further(rulings) {
                        self.slot(&ready.ticket.namespace).leave_to_readers(&self.left);
                    }
                }
                receipts
            }
            Err(error) => {
                // The one error goes to the first; the others learn that the store takes no more, or the
                // same.
                let other = || if self.store.is_poisoned() { None } else { error.again() };
                let others: Vec<Error> =
                    all.iter().skip(1).map(|_| other().unwrap_or_else(|| self.store.poisoned())).collect();
                std::iter::once(error).chain(others).take(all.len()).map(Err).collect()
            }
        }
    }
}

/// Commits that are durable and about to be seen. Where a panic breaks that off, their namespaces leave
/// memory, so that nobody sees a part of one: they come back from the journal, whole.
struct Unseen<'c> {
    engine: &'c Engine,
    all: &'c [Ready<'c>],
}

impl Drop for Unseen<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.all.iter().for_each(|ready| self.engine.drop_from_memory(&ready.ticket.namespace));
        }
    }
}

/// Which of a ticket's changes its namespace does not hold yet, nor will by the tickets before.
fn news<'t>(ready: &Ready<'t>, ahead: &mut Ahead<'t>) -> News {
    let Ticket { namespace, changes, .. } = ready.ticket;
    let state = ready.state.read();
    let mut news = News::default();
    let mut fresh = FxHashSet::default();
    for (index, episode) in changes.episodes.iter().enumerate() {
        let key = (namespace, episode.id);
        match ahead.get(&key).map_or_else(|| state.known(&episode.id), |known| *known) {
            Known::Unknown => {
                ahead.insert(key, Known::Stored);
                fresh.insert(episode.id);
                news.episodes.push(index);
            }
            Known::Forgotten => news.stay_forgotten += 1,
            Known::Stored | Known::Read { .. } => {}
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
        let known = ahead.get(&key).map_or_else(|| state.known(id), |known| *known);
        if known != Known::Forgotten {
            let ruling = state.has_ruling(id);
            news.erases |= known != Known::Unknown || ruling;
            news.dropped += usize::from(ruling);
            ahead.insert(key, Known::Forgotten);
            news.forgets.push(*id);
        }
    }
    for (index, ruling) in changes.rulings.iter().enumerate() {
        let (id, known) = (ruling.id(namespace), ahead.get(&(namespace, ruling.id(namespace))));
        if known.is_none() && !state.has_ruling(&id) && !state.is_forgotten(&id) {
            ahead.insert((namespace, id), Known::Stored);
            news.rulings.push(index);
        }
    }
    news
}

/// Where a ticket forgets, rulings go with it that are on names which nobody uses any more. What the tickets
/// before it write is not in memory yet.
fn drop_rulings(place: usize, all: &[Ready<'_>], news: &mut [News]) {
    let namespace = &all[place].ticket.namespace;
    if news[place].forgets.is_empty() {
        return;
    }
    let state = all[place].state.read();
    let before = || (0..place).filter(|before| all[*before].ticket.namespace == *namespace);
    let gone: FxHashSet<EpisodeId> =
        before().chain([place]).flat_map(|ticket| &news[ticket].forgets).copied().collect();
    let read = before().flat_map(|ticket| {
        news[ticket].readings.iter().map(move |index| &all[ticket].ticket.changes.readings[*index])
    });
    let told = read.flat_map(Reading::entity_names).map(|name| EntityId::of_name(namespace, name)).collect();
    let mut dropped = state.rulings_on_nobody(&gone, &told);
    dropped.retain(|id| !gone.contains(id));
    let news = &mut news[place];
    news.dropped += dropped.len();
    news.forgets.append(&mut dropped);
}

fn unit<'t>(ticket: &'t Ticket, news: &News) -> Unit<'t> {
    Unit {
        namespace: &ticket.namespace,
        episodes: news.episodes.iter().map(|index| &ticket.changes.episodes[*index]).collect(),
        readings: news.readings.iter().map(|index| &ticket.changes.readings[*index]).collect(),
        forgets: news.forgets.clone(),
        rulings: news.rulings.iter().map(|index| &ticket.changes.rulings[*index]).collect(),
        erases: news.erases,
    }
}

/// Applies what was written to the namespace in memory.
fn make_visible(ready: &Ready<'_>, news: &News, written: &Written) -> Receipt {
    let ticket = ready.ticket;
    let arrivals: Vec<Arrival<'_>> = news
        .episodes
        .iter()
        .zip(&written.texts)
        .map(|(index, place)| {
            let episode = &ticket.changes.episodes[*index];
            Arrival {
                episode,
                text: &episode.text,
                place: *place,
                vector: ticket.vectors.get(*index).map(Vec::as_slice),
            }
        })
        .collect();
    let readings = || news.readings.iter().map(|index| &ticket.changes.readings[*index]);
    let mut state = ready.state.write();
    state.apply(&arrivals, readings());
    state.forget(&news.forgets);
    state.tend_vectors(arrivals.len());
    Receipt {
        sequence: written.sequence,
        episodes: news.episodes.len(),
        readings: news.readings.len(),
        facts: readings().map(|reading| reading.found.triples.len()).sum(),
        forgotten: news.forgets.len() - news.dropped,
        rulings: news.rulings.len(),
        dropped: news.dropped,
        stay_forgotten: news.stay_forgotten,
    }
}
