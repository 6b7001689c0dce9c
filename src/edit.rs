//! What is done to facts by hand: put right, noted, pinned, let expire; and taking back what was done.

use lorebase_engine::change::Changes;
use lorebase_engine::graph::{EpisodeIx, FactIx};
use lorebase_engine::model::fact::{FactKind, Polarity, Triple};
use lorebase_engine::model::id::{EntityId, EpisodeId, FactId, Namespace};
use lorebase_engine::model::ruling::{Care, Evidence, Matter, Ruling};
use lorebase_engine::model::time::{Interval, SourceTime, Timestamp};
use lorebase_engine::state::State;

use crate::by_hand::{Turn, fact_named, given, object_name, object_of, sentence, triple_of};
use crate::error::Error;
use crate::forget::Selection;
use crate::identity::after_all;
use crate::memory::Memory;
use crate::view::{FactView, Viewer};

/// What is done to a fact.
#[derive(Debug, Clone, Copy)]
pub enum Edit<'e> {
    /// It was wrong: this is its object, and was all the time that it was said to hold. With why, if that is told.
    Replace {
        /// The right object.
        object: &'e str,
        /// Why.
        note: Option<&'e str>,
    },
    /// It gets a note.
    Note(&'e str),
    /// It does not expire, or expires as others do.
    Pin(bool),
    /// It is not shown any more from a time on; `None` for never.
    Expire(Option<Timestamp>),
}

/// What an edit came to.
#[derive(Debug, Clone, PartialEq)]
pub struct Edited {
    /// What [`Memory::undo`] takes back.
    pub edit: EpisodeId,
    /// The fact as it is now, and where another took its place, that first.
    pub facts: Vec<FactView>,
}

/// What was taken back.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Undone {
    /// What was done: an edit, or a ruling.
    pub id: EpisodeId,
    /// What it was, in words.
    pub what: String,
}

impl Memory {
    /// Puts a fact right, or says how it is kept.
    ///
    /// # Errors
    /// [`Error::Argument`] where nothing states the fact, for an empty text, for a replacement that is what the fact says, and for one of a
    /// denial; and the store's.
    pub fn edit(&self, namespace: &Namespace, fact: &FactId, edit: Edit<'_>) -> Result<Edited, Error> {
        let _turn = self.ruling_turn();
        match edit {
            Edit::Replace { object, note } => self.replace(namespace, fact, object, note),
            Edit::Note(note) if note.trim().is_empty() => {
                let problem = "is empty; give the words that are to stand beside the fact".to_owned();
                Err(Error::Argument { argument: "the note", problem })
            }
            Edit::Note(note) => self.care(namespace, fact, Care::Note, Some(note)),
            Edit::Pin(pinned) => {
                self.care(namespace, fact, if pinned { Care::Pin } else { Care::Unpin }, None)
            }
            Edit::Expire(at) => self.care(namespace, fact, Care::Expire(at), None),
        }
    }

    fn replace(
        &self,
        namespace: &Namespace,
        fact: &FactId,
        object: &str,
        note: Option<&str>,
    ) -> Result<Edited, Error> {
        let reader = self.engine().reader(namespace)?;
        let state = reader.state();
        let ix = fact_named(state, fact)?;
        let wrong = triple_of(state, ix);
        let refuse = |problem: String| Error::Argument { argument: "the edit", problem };
        if object.trim().is_empty() {
            return Err(refuse("has an empty object; name one, or forget the fact".to_owned()));
        }
        if wrong.polarity == Polarity::Negated {
            return Err(refuse(
                "is of a denial, which has no object to replace; forget it instead".to_owned(),
            ));
        }
        let right = object_of(state, &wrong.predicate, object.trim());
        if object_name(&right) == object_name(&wrong.object) {
            return Err(refuse(format!("is to what the fact says already: {object}")));
        }
        let stays = said_of(state, ix);
        let never = Triple { polarity: Polarity::Negated, corrects: true, ..triple_of(state, ix) };
        let instead =
            |valid: Interval| Triple { object: right.clone(), valid, corrects: true, ..wrong.clone() };
        let text = format!(
            "{} Not {}.{}",
            sentence(&instead(Interval::ALWAYS)),
            object_name(&wrong.object),
            note.map(|note| format!(" {note}")).unwrap_or_default()
        );
        let triples = stays.into_iter().map(instead).chain([never]).collect();
        let recorded_at = after_all(state)?;
        // It comes after all that it puts right, whatever time that was said to be of.
        let said = state.fact(ix).support().iter().map(|support| {
            let episode = state.episode(support.episode);
            episode.occurred_at.map_or(episode.told(), |at| at.instant).as_millis()
        });
        let last = said.max().unwrap_or(i64::MIN).saturating_add(1);
        let instant = Timestamp::from_millis(recorded_at.as_millis().max(last))?;
        drop(reader);
        let at = SourceTime { instant, offset_minutes: Some(0) };
        let turn = Turn { text, source_id: None, at, recorded_at, told_at: None, expires_at: None, triples };
        let given = self.write_by_hand(namespace, turn)?;
        let mut facts = given.facts;
        facts.retain(|fact| fact.polarity == Polarity::Affirmed);
        let reader = self.engine().reader(namespace)?;
        facts.extend(reader.state().find_fact(fact).map(|ix| Viewer::of(&reader).fact(ix)));
        Ok(Edited { edit: given.episode, facts })
    }

    fn care(
        &self,
        namespace: &Namespace,
        fact: &FactId,
        care: Care,
        note: Option<&str>,
    ) -> Result<Edited, Error> {
        let reader = self.engine().reader(namespace)?;
        let state = reader.state();
        let ix = fact_named(state, fact)?;
        let (subject, claims) = claims(state, ix);
        let ruling = Ruling {
            matter: Matter::Fact { subject, claims, care },
            evidence: Evidence::by_hand(note.map(str::to_owned)),
            recorded_at: after_all(state)?,
        };
        drop(reader);
        let edit = self.settle(namespace, ruling)?;
        let reader = self.engine().reader(namespace)?;
        let facts = reader.state().find_fact(fact).map(|ix| Viewer::of(&reader).fact(ix));
        Ok(Edited { edit, facts: facts.into_iter().collect() })
    }

    /// Writes a ruling down. Returns its id.
    pub(crate) fn settle(&self, namespace: &Namespace, ruling: Ruling) -> Result<EpisodeId, Error> {
        let id = ruling.id(namespace);
        self.commit(namespace, Changes { rulings: vec![ruling], ..Changes::default() })?;
        Ok(id)
    }

    /// Says how long facts of a kind are shown since they were last said; `None` for ever. It is looked at when they are asked
    /// for: nothing is deleted. Returns what [`Memory::undo`] takes back.
    ///
    /// # Errors
    /// The store's.
    pub fn retain(
        &self,
        namespace: &Namespace,
        kind: FactKind,
        millis: Option<u64>,
    ) -> Result<EpisodeId, Error> {
        let _turn = self.ruling_turn();
        let recorded_at = after_all(self.engine().reader(namespace)?.state())?;
        let matter = Matter::Retain { kind, millis };
        self.settle(namespace, Ruling { matter, evidence: Evidence::by_hand(None), recorded_at })
    }

    /// Takes back what was done by hand last, or what has the id: an edit, a fact that was asserted, a note, a pin, a merge, a split, a
    /// rename, a rule, or an undo. What was said is untouched. What an edit or an assertion said is forgotten.
    ///
    /// # Errors
    /// [`Error::Argument`] where there is nothing to take back, or nothing has the id; and the store's.
    pub fn undo(&self, namespace: &Namespace, id: Option<&EpisodeId>) -> Result<Undone, Error> {
        let _turn = self.ruling_turn();
        let reader = self.engine().reader(namespace)?;
        let state = reader.state();
        let refuse = |problem: String| Error::Argument { argument: "what to undo", problem };
        let done = done_by_hand(state);
        let chosen = match id {
            Some(id) => done.into_iter().find(|done| done.id == *id).ok_or_else(|| {
                refuse(format!(
                    "is not known: {id} is nothing that was done by hand; `lore history` lists what was"
                ))
            }),
            None => done.into_iter().rfind(|done| !done.undoes).ok_or_else(|| {
                refuse(format!("is not there: nothing was done by hand in namespace {namespace}"))
            }),
        }?;
        let recorded_at = after_all(state)?;
        let what = match chosen.episode {
            Some(ix) => reader.episode(ix)?.text,
            None => chosen.what,
        };
        drop(reader);
        let matter = Matter::Undo { id: chosen.id };
        self.settle(namespace, Ruling { matter, evidence: Evidence::by_hand(None), recorded_at })?;
        if chosen.episode.is_some() {
            self.forget(namespace, &Selection { episodes: &[chosen.id], ..Selection::default() })?;
        }
        Ok(Undone { id: chosen.id, what })
    }
}

/// The times that the statements of a fact tell of, each once: what takes its place is said of the same, so that all else bears on it as it
/// did on the fact. Where there are too many, those in which it held.
fn said_of(state: &State, ix: FactIx) -> Vec<Interval> {
    /// As many as a short sentence has characters.
    const MOST: usize = 16;
    let fact = state.fact(ix);
    let mut said: Vec<Interval> = fact.support().iter().map(|support| support.valid).collect();
    said.sort_unstable_by_key(|valid| (valid.from, valid.to));
    said.dedup();
    if said.len() > MOST {
        said = fact.stays().iter().copied().take(MOST).collect();
    }
    if said.is_empty() { vec![fact.valid] } else { said }
}

/// The subject of a fact, by the name that its first statement uses, and what its statements claim.
fn claims(state: &State, ix: FactIx) -> (EntityId, Vec<FactId>) {
    let mut claims: Vec<FactId> = state.claims_of(ix).map(|(_, claim)| claim).collect();
    claims.sort_unstable();
    claims.dedup();
    let subject = state.entity(state.fact(ix).subject).id;
    (state.subject_named(ix).unwrap_or(subject), claims)
}

/// Something that was done by hand and counts.
struct Done {
    id: EpisodeId,
    recorded_at: Timestamp,
    /// Where it is an episode.
    episode: Option<EpisodeIx>,
    undoes: bool,
    what: String,
}

/// What was done by hand and counts, from the oldest on.
fn done_by_hand(state: &State) -> Vec<Done> {
    let kept = state.rulings().map(|(ruling, _)| ruling);
    let kept = kept.map(|ruling| (ruling.id(state.namespace()), ruling));
    let rulings = kept.filter(|(id, ruling)| {
        !state.is_undone(id)
            && !matches!(ruling.matter, Matter::Lift { .. })
            && !undoes_episode(state, &ruling.matter)
    });
    let mut done: Vec<Done> = rulings
        .map(|(id, ruling)| Done {
            id,
            recorded_at: ruling.recorded_at,
            episode: None,
            undoes: matches!(ruling.matter, Matter::Undo { .. }),
            what: in_words(state, ruling),
        })
        .collect();
    done.extend(given(state).map(|ix| Done {
        id: state.episode(ix).id,
        recorded_at: state.episode(ix).recorded_at,
        episode: Some(ix),
        undoes: false,
        what: String::new(),
    }));
    done.sort_by_key(|done| (done.recorded_at, done.id));
    done
}

/// Whether a ruling takes an episode back, which has gone and does not come again.
fn undoes_episode(state: &State, matter: &Matter) -> bool {
    matches!(matter, Matter::Undo { id } if !state.has_ruling(id))
}

/// A ruling in words.
pub(crate) fn in_words(state: &State, ruling: &Ruling) -> String {
    let name = |id: &EntityId| state.own_name(id).map_or_else(|| format!("entity {id}"), str::to_owned);
    let note = || ruling.evidence.note.clone().unwrap_or_default();
    let fact = |claims: &[FactId]| {
        let shown = claims.iter().find_map(|claim| said(state, claim));
        shown.unwrap_or_else(|| "a fact that nothing states any more".to_owned())
    };
    match &ruling.matter {
        Matter::Names(names) if names.same => format!("{} is {}", name(&names.other), name(&names.one)),
        Matter::Names(names) => format!("{} is not {}", name(&names.other), name(&names.one)),
        Matter::Rename { entity, name: given } => format!("{} is called {given}", name(entity)),
        Matter::Fact { claims, care: Care::Note, .. } => format!("note on {}: {}", fact(claims), note()),
        Matter::Fact { claims, care: Care::Pin, .. } => format!("pinned: {}", fact(claims)),
        Matter::Fact { claims, care: Care::Unpin, .. } => format!("not pinned any more: {}", fact(claims)),
        Matter::Fact { claims, care: Care::Expire(Some(at)), .. } => {
            format!("expires at {at}: {}", fact(claims))
        }
        Matter::Fact { claims, care: Care::Expire(None), .. } => format!("does not expire: {}", fact(claims)),
        Matter::Rule { text } => format!("rule: {text}"),
        Matter::Retain { kind, millis: Some(millis) } => {
            format!("kind {} is shown for {} days", kind.as_str(), *millis as f64 / 86_400_000.0)
        }
        Matter::Retain { kind, millis: None } => format!("kind {} is shown for ever", kind.as_str()),
        Matter::Lift { id } => format!("{id} may come again"),
        Matter::Undo { id } => format!("undone: {id}"),
    }
}

/// What a claim says, where something states it.
fn said(state: &State, claim: &FactId) -> Option<String> {
    let claimed = |ix: &FactIx| state.claims_of(*ix).any(|(_, other)| other == *claim);
    let all = (0..state.facts().len() as u32).map(FactIx);
    let ix = state.find_fact(claim).filter(claimed).or_else(|| all.into_iter().find(claimed))?;
    Some(sentence(&triple_of(state, ix)).trim_end_matches('.').to_owned())
}
