//! How what is known of an entity came about: the line of its changes, and what was done by hand.

use lorebase_engine::graph::FactIx;
use lorebase_engine::model::fact::{FactKind, FactStatus, Polarity};
use lorebase_engine::model::id::{EpisodeId, FactId, Namespace};
use lorebase_engine::model::predicate::Predicate;
use lorebase_engine::model::time::{Interval, Moment, Timestamp};

use crate::by_hand::given;
use crate::edit::in_words;
use crate::error::Error;
use crate::memory::{Memory, at_present};
use crate::view::{SupportView, Viewer};

/// A time in which a fact held, or was said to.
#[derive(Debug, Clone, PartialEq)]
pub struct Change {
    /// The fact.
    pub fact: FactId,
    /// The name of its subject.
    pub subject: String,
    /// The relation.
    pub predicate: Predicate,
    /// The name of its object, or the plain value.
    pub object: String,
    /// What kind of memory it is.
    pub kind: FactKind,
    /// Said or denied.
    pub polarity: Polarity,
    /// Whether nobody says it without a doubt, or all who say it pass on what somebody else said.
    pub doubtful: bool,
    /// How it stands: superseded where it held again later, or another took its place.
    pub status: FactStatus,
    /// Whether it held at all; else `valid` is when it was said to.
    pub held: bool,
    /// Whether another fact says otherwise of the same time.
    pub contested: bool,
    /// When it held.
    pub valid: Interval,
    /// When it was known.
    pub recorded: Interval,
    /// The fact that took its place, where that ended it for good.
    pub successor: Option<FactId>,
    /// Where it is stated.
    pub support: Vec<SupportView>,
}

/// Something that was done by hand.
#[derive(Debug, Clone, PartialEq)]
pub struct Deed {
    /// What [`Memory::undo`] takes back.
    pub id: EpisodeId,
    /// When.
    pub at: Timestamp,
    /// What, in words.
    pub what: String,
    /// Whether it counts: nothing later takes its place, and it was not taken back.
    pub counts: bool,
}

impl Memory {
    /// The changes of what is known of an entity, perhaps of one relation only, by when they came about in
    /// the world; where a time of the world is asked for, what held then, or had happened by then.
    ///
    /// # Errors
    /// The store's.
    pub fn history(
        &self,
        namespace: &Namespace,
        entity: &str,
        predicate: Option<&str>,
        moment: Moment,
    ) -> Result<Vec<Change>, Error> {
        let reader = self.engine().reader(namespace)?;
        let state = reader.state();
        let moment = at_present(moment);
        let (asked, viewer) =
            (Viewer::at(&reader, moment), Viewer::at(&reader, Moment { as_of: None, ..moment }));
        let mut facts: Vec<FactIx> =
            state.find_entities(entity).into_iter().flat_map(|ix| state.facts_of(ix)).collect();
        facts.sort_unstable();
        facts.dedup();
        let wanted = predicate.map(Predicate::new);
        facts.retain(|ix| {
            let fact = state.fact(*ix);
            let of_predicate = |wanted: &Predicate| state.predicate(fact.predicate) == wanted;
            asked.shows(*ix) && wanted.as_ref().is_none_or(of_predicate)
        });
        let mut changes: Vec<Change> = facts.into_iter().flat_map(|ix| changes(&viewer, ix)).collect();
        if let Some(at) = moment.as_of {
            changes.retain_mut(|change| stood(change, at));
        }
        changes.sort_by(|one, other| {
            let key =
                |change: &Change| (change.valid.from, change.recorded.from, change.valid.to, change.fact);
            key(one).cmp(&key(other))
        });
        Ok(changes)
    }

    /// Everything that was done by hand in a namespace, from the oldest on: the trail. What was undone of
    /// episodes is told by id only, since it is forgotten.
    ///
    /// # Errors
    /// The store's.
    pub fn deeds(&self, namespace: &Namespace) -> Result<Vec<Deed>, Error> {
        let reader = self.engine().reader(namespace)?;
        let state = reader.state();
        let deed = |(ruling, counts): (&_, bool)| {
            let ruling: &lorebase_engine::model::ruling::Ruling = ruling;
            let (id, at) = (ruling.id(namespace), ruling.recorded_at);
            Deed { id, at, what: in_words(state, ruling), counts }
        };
        let mut deeds: Vec<Deed> = state.rulings().map(deed).collect();
        for ix in given(state) {
            let episode = reader.episode(ix)?;
            deeds.push(Deed { id: episode.id, at: episode.recorded_at, what: episode.text, counts: true });
        }
        deeds.sort_by_key(|deed| (deed.at, deed.id));
        Ok(deeds)
    }
}

/// The times of one fact.
fn changes(viewer: &Viewer<'_>, ix: FactIx) -> Vec<Change> {
    let view = viewer.fact(ix);
    let times = if view.intervals.is_empty() { vec![view.valid] } else { view.intervals.clone() };
    let last = times.len() - 1;
    let change = |(place, valid)| Change {
        fact: view.id,
        subject: view.subject.clone(),
        predicate: view.predicate.clone(),
        object: view.object.clone(),
        kind: view.kind,
        polarity: view.polarity,
        doubtful: view.hedged || view.attributed_to.is_some(),
        held: !view.intervals.is_empty(),
        status: if place == last { view.status } else { FactStatus::Superseded },
        contested: view.contested,
        valid,
        recorded: view.recorded,
        successor: view.successor.filter(|_| place == last),
        support: view.support.clone(),
    };
    times.into_iter().enumerate().map(change).collect()
}

/// Whether a change is one as of a time: it held then, or is no state and had happened by then. How it stood
/// then is how it stands.
fn stood(change: &mut Change, at: Timestamp) -> bool {
    let happened = |change: &Change| {
        let begun = change.valid.from.or(change.valid.to).is_none_or(|begun| begun <= at);
        !change.kind.is_state() && begun
    };
    let within = change.valid.contains(at);
    if within {
        (change.status, change.successor) = (FactStatus::Current, None);
    }
    change.held && (within || happened(change))
}
