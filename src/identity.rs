//! Who is who: what it takes to rule that two names are names of one entity, or of two, and which are likely of one.

use lorebase_engine::graph::EntityIx;
use lorebase_engine::model::entity::EntityKind;
use lorebase_engine::model::id::{EntityId, Namespace};
use lorebase_engine::model::ruling::{Evidence, Matter, Names, RuledBy, Ruling, Sign};
use lorebase_engine::model::time::Timestamp;
use lorebase_engine::state::{Likely, State};
use lorebase_extract::names::is_short_for;

use crate::error::Error;
use crate::memory::{Memory, now};
use crate::view::{EntityView, Viewer};

/// What is to be made one.
#[derive(Debug, Clone, Copy)]
pub struct Merge<'m> {
    /// The entity that stays, by a name.
    pub name: &'m str,
    /// The entity that becomes part of it, by a name.
    pub other: &'m str,
    /// Why.
    pub note: Option<&'m str>,
    /// Whether it is done though one lives and the other does not, such as a person and a place.
    pub force: bool,
}

impl<'m> Merge<'m> {
    /// What is called `other` becomes what is called `name`, if that can be.
    pub const fn new(name: &'m str, other: &'m str) -> Self {
        Self { name, other, note: None, force: false }
    }
}

/// What a merge or a split came to.
#[derive(Debug, Clone, PartialEq)]
pub struct Ruled {
    /// Whether it was not so before.
    pub new: bool,
    /// The one entity, or the two.
    pub entities: Vec<EntityView>,
}

/// Two names that are likely names of one person.
#[derive(Debug, Clone, PartialEq)]
pub struct Suggestion {
    /// The full name.
    pub name: String,
    /// The part of it.
    pub other: String,
    /// What speaks for it.
    pub signs: Vec<Sign>,
    /// How strong that is, from 0 to 1.
    pub score: f32,
}

/// Somebody who was named: by which name, and who it is.
struct Named {
    id: EntityId,
    ix: EntityIx,
}

impl Memory {
    /// Makes the entity of one name that of another: from now on all that is told of either is told of one. It is written down
    /// with its evidence, and [`Memory::split_entities`] takes it back.
    ///
    /// # Errors
    /// [`Error::Argument`] where a name names nothing or several, where both name one thing already by the same name, and for
    /// a person and a place or the like unless that is forced; and the store's.
    pub fn merge_entities(&self, namespace: &Namespace, merge: &Merge<'_>) -> Result<Ruled, Error> {
        let _turn = self.ruling_turn();
        let reader = self.engine().reader(namespace)?;
        let state = reader.state();
        let (one, other) = both_named(state, merge.name, merge.other)?;
        if one.ix == other.ix {
            return Ok(Ruled { new: false, entities: vec![Viewer::of(&reader).entity(one.ix)] });
        }
        let kinds = [&one, &other].map(|named| state.entity(named.ix).kind());
        if !kinds[0].can_be(kinds[1]) && !merge.force {
            let [one, other] = kinds.map(EntityKind::as_str);
            let problem = format!(
                "cannot be one: \"{}\" is a {one} and \"{}\" is a {other}; --force makes them one all the same",
                merge.name, merge.other
            );
            return Err(Error::Argument { argument: "the two", problem });
        }
        let likely = state.likely_one(&is_short_for).into_iter();
        let mut likely = likely.filter(|likely| {
            let pair = [likely.one, likely.other];
            pair == [one.ix, other.ix] || pair == [other.ix, one.ix]
        });
        let (signs, score) = likely.next().map(|likely| (likely.signs, likely.score)).unwrap_or_default();
        let note = merge.note.map(str::to_owned);
        let evidence = Evidence { by: RuledBy::Hand, note, signs, score };
        let recorded_at = after_all(state)?;
        drop(reader);
        let matter = Matter::Names(Names { one: one.id, other: other.id, same: true });
        self.settle(namespace, Ruling { matter, evidence, recorded_at })?;
        self.ruled(namespace, &[one.id])
    }

    /// Takes back that two names are names of one entity, and keeps the two apart from then on.
    ///
    /// # Errors
    /// [`Error::Argument`] where a name names nothing or several, and where both are the same name; and the store's.
    pub fn split_entities(&self, namespace: &Namespace, name: &str, other: &str) -> Result<Ruled, Error> {
        let _turn = self.ruling_turn();
        let reader = self.engine().reader(namespace)?;
        let state = reader.state();
        let (one, other) = both_named(state, name, other)?;
        if state.are_apart(one.ix, other.ix) {
            let entities = [one.ix, other.ix].map(|ix| Viewer::of(&reader).entity(ix)).into();
            return Ok(Ruled { new: false, entities });
        }
        let (evidence, recorded_at) = (Evidence::by_hand(None), after_all(state)?);
        drop(reader);
        let matter = Matter::Names(Names { one: one.id, other: other.id, same: false });
        self.settle(namespace, Ruling { matter, evidence, recorded_at })?;
        self.ruled(namespace, &[one.id, other.id])
    }

    /// Lets an entity be called otherwise. The names that it is called by in what was said stay with it, and [`Memory::undo`] takes
    /// it back.
    ///
    /// # Errors
    /// [`Error::Argument`] where a name names nothing or several, and for an empty new one; and the store's.
    pub fn rename_entity(&self, namespace: &Namespace, name: &str, given: &str) -> Result<Ruled, Error> {
        let _turn = self.ruling_turn();
        if given.trim().is_empty() {
            let problem = "is empty; give the name that it is to have".to_owned();
            return Err(Error::Argument { argument: "the new name", problem });
        }
        let reader = self.engine().reader(namespace)?;
        let state = reader.state();
        let one = named(state, name)?;
        if state.entity(one.ix).name() == given.trim() {
            return Ok(Ruled { new: false, entities: vec![Viewer::of(&reader).entity(one.ix)] });
        }
        let taken = state.named_by(&EntityId::of_name(namespace, given)).is_some_and(|(ix, _)| ix != one.ix);
        if taken {
            let problem =
                format!("\"{given}\" is that of another entity; `lore entity merge` makes the two one");
            return Err(Error::Argument { argument: "the new name", problem });
        }
        let recorded_at = after_all(state)?;
        drop(reader);
        let matter = Matter::Rename { entity: one.id, name: given.trim().to_owned() };
        self.settle(namespace, Ruling { matter, evidence: Evidence::by_hand(None), recorded_at })?;
        self.ruled(namespace, &[one.id])
    }

    /// The persons that are likely one, the strongest first: one is called by a full name, and the other by a part of it that no
    /// other full name fits.
    ///
    /// # Errors
    /// The store's.
    pub fn suggest_merges(&self, namespace: &Namespace) -> Result<Vec<Suggestion>, Error> {
        let reader = self.engine().reader(namespace)?;
        let state = reader.state();
        let name = |ix| state.entity(ix).name().to_owned();
        let suggestion = |Likely { one, other, signs, score }| {
            let (name, other) = (name(one), name(other));
            Suggestion { name, other, signs, score }
        };
        Ok(state.likely_one(&is_short_for).into_iter().map(suggestion).collect())
    }

    fn ruled(&self, namespace: &Namespace, ids: &[EntityId]) -> Result<Ruled, Error> {
        let reader = self.engine().reader(namespace)?;
        let found = ids.iter().filter_map(|id| reader.state().named_by(id));
        let entities = found.map(|(ix, _)| Viewer::of(&reader).entity(ix)).collect();
        Ok(Ruled { new: true, entities })
    }
}

fn both_named(state: &State, name: &str, other: &str) -> Result<(Named, Named), Error> {
    let (one, other) = (named(state, name)?, named(state, other)?);
    if one.id == other.id {
        let problem = format!("are the same name, \"{name}\"; give two");
        return Err(Error::Argument { argument: "the two names", problem });
    }
    Ok((one, other))
}

/// Who is meant: the name itself where somebody uses it, or else the only one that it may be.
fn named(state: &State, name: &str) -> Result<Named, Error> {
    let namespace = state.namespace();
    let refuse = |problem| Err(Error::Argument { argument: "the name", problem });
    let id = EntityId::of_name(namespace, name);
    if let Some((ix, _)) = state.named_by(&id) {
        return Ok(Named { id, ix });
    }
    match state.find_entities(name)[..] {
        [] => refuse(format!("\"{name}\" names nothing in namespace {namespace}; give a name that was used")),
        [ix] => {
            let own = state.folded_names(ix);
            let id = own.first().map_or(state.entity(ix).id, |own| EntityId::of_name(namespace, own));
            Ok(Named { id, ix })
        }
        ref several => {
            let names: Vec<&str> = several.iter().take(5).map(|ix| state.entity(*ix).name()).collect();
            let problem = format!("\"{name}\" may be several: {}; give the name in full", names.join(", "));
            refuse(problem)
        }
    }
}

/// Now, or a moment after what was done by hand last where the clock stands before that: what is done by hand is newer than all
/// that was done before.
pub(crate) fn after_all(state: &State) -> Result<Timestamp, Error> {
    let given = state.by_hand().map_or(&[][..], |ix| state.session(ix).episodes.as_slice());
    let given = given.iter().map(|ix| state.episode(*ix).recorded_at.as_millis()).max();
    let newest = state.rulings().map(|(ruling, _)| ruling.recorded_at.as_millis()).chain(given).max();
    let after = newest.map_or(i64::MIN, |newest| newest.saturating_add(1));
    Ok(Timestamp::from_millis(now().as_millis().max(after))?)
}
