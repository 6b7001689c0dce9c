//! What ought to be there: commits in order, and namespaces made from them in the plainest way.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use crate::change::Changes;
use crate::engine::Engine;
use crate::error::Error;
use crate::graph::EpisodeIx;
use crate::model::episode::ExtractionStatus;
use crate::model::extraction::Reading;
use crate::model::fact::{Object, TripleObject};
use crate::model::id::{EntityId, EpisodeId, Namespace};
use crate::model::ruling::{Names, Ruling};
use crate::state::State;

/// A commit as it was asked for.
#[derive(Debug, Clone)]
pub(super) struct Told {
    pub(super) namespace: Namespace,
    pub(super) changes: Arc<Changes>,
    /// How many operations of the disk came before it was asked for.
    pub(super) begun: usize,
    /// How many came before it was acknowledged.
    pub(super) acknowledged: usize,
}

/// All that was asked for.
#[derive(Debug, Clone, Default)]
pub(super) struct Ledger {
    /// What was acknowledged, in the order of the commits' numbers, from 1.
    pub(super) told: Vec<Told>,
    /// What failed: it may be there or not.
    pub(super) doubtful: Vec<Told>,
    /// Texts that were taken off the disk, and after how many operations of the disk they were.
    pub(super) erased: Vec<(usize, String)>,
}

/// What one episode is known by.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Row {
    /// How long it is, and its checksum.
    text: (usize, u32),
    source_id: Option<String>,
    status: ExtractionStatus,
    extractor: Option<String>,
    names: BTreeSet<EntityId>,
    objects: BTreeSet<Object>,
}

/// Who is somebody else.
type Heads = BTreeMap<EntityId, EntityId>;

/// The store's content.
#[derive(Debug, Clone, Default)]
pub(super) struct Model {
    namespaces: BTreeMap<Namespace, Content>,
}

/// What one namespace holds, and what it has forgotten.
#[derive(Debug, Clone, Default)]
struct Content {
    rows: BTreeMap<EpisodeId, Row>,
    forgotten: BTreeSet<EpisodeId>,
    rulings: BTreeMap<EpisodeId, Ruling>,
}

impl Content {
    /// Takes out the rulings on names that nothing uses.
    fn drop_rulings(&mut self) {
        let entity = |object: &Object| match object {
            Object::Entity(id) => Some(*id),
            Object::Value(_) => None,
        };
        let used: BTreeSet<EntityId> = self
            .rows
            .values()
            .flat_map(|row| row.names.iter().copied().chain(row.objects.iter().filter_map(entity)))
            .collect();
        let on_nobody = |ruling: &Ruling| {
            ruling.names().is_some_and(|names| !used.contains(&names.one) || !used.contains(&names.other))
        };
        let gone: Vec<EpisodeId> =
            self.rulings.iter().filter(|(_, ruling)| on_nobody(ruling)).map(|(id, _)| *id).collect();
        self.rulings.retain(|id, _| !gone.contains(id));
        self.forgotten.extend(gone);
    }

    /// Who is somebody else by the rulings, the newest first.
    fn heads(&self) -> Heads {
        let mut newest: Vec<(&EpisodeId, &Ruling)> = self.rulings.iter().collect();
        newest.sort_by_key(|(id, ruling)| std::cmp::Reverse((ruling.recorded_at, **id)));
        let (mut heads, mut seen, mut apart) = (Heads::new(), Vec::new(), Vec::new());
        let head = |heads: &Heads, id| heads.get(&id).copied().unwrap_or(id);
        for (_, ruling) in newest {
            let Some(Names { one, other, same }) = ruling.names().copied() else { continue };
            if seen.contains(&(one, other)) || seen.contains(&(other, one)) {
                continue;
            }
            seen.push((one, other));
            let (to, from) = (head(&heads, one), head(&heads, other));
            if !same {
                if to != from {
                    apart.push((one, other));
                }
                continue;
            }
            let mut joined = heads.clone();
            let ids: Vec<EntityId> = joined.keys().copied().chain([from]).collect();
            for id in ids.into_iter().filter(|id| head(&heads, *id) == from) {
                joined.insert(id, to);
            }
            if apart.iter().all(|(a, b)| head(&joined, *a) != head(&joined, *b)) {
                heads = joined;
            }
        }
        heads
    }
}

impl Model {
    /// What these commits come to.
    pub(super) fn of<'t>(told: impl IntoIterator<Item = &'t Told>) -> Self {
        let mut model = Self::default();
        for told in told {
            model.take(told);
        }
        model
    }

    /// One more commit. Says whether there was anything new in it.
    pub(super) fn take(&mut self, told: &Told) -> bool {
        let Content { mut rows, mut forgotten, mut rulings } =
            self.namespaces.get(&told.namespace).cloned().unwrap_or_default();
        let mut news = false;
        let mut fresh = BTreeSet::new();
        for episode in &told.changes.episodes {
            if !rows.contains_key(&episode.id) && !forgotten.contains(&episode.id) {
                let row = Row {
                    text: fingerprint(&episode.text),
                    source_id: episode.source_id.clone(),
                    status: ExtractionStatus::Pending,
                    extractor: None,
                    names: BTreeSet::new(),
                    objects: BTreeSet::new(),
                };
                rows.insert(episode.id, row);
                fresh.insert(episode.id);
                news = true;
            }
        }
        for reading in &told.changes.readings {
            let Some(row) = rows.get_mut(&reading.episode) else { continue };
            let better = reading.status == ExtractionStatus::Done
                && row.extractor.as_ref() != Some(&reading.extractor);
            if fresh.contains(&reading.episode) || row.extractor.is_none() || better {
                row.read(&told.namespace, reading);
                news = true;
            }
        }
        for ruling in &told.changes.rulings {
            let id = ruling.id(&told.namespace);
            if !forgotten.contains(&id) {
                news |= rulings.insert(id, ruling.clone()).is_none();
            }
        }
        for id in &told.changes.forgets {
            rows.remove(id);
            news |= forgotten.insert(*id);
        }
        if news {
            let mut content = Content { rows, forgotten, rulings };
            if !told.changes.forgets.is_empty() {
                content.drop_rulings();
            }
            self.namespaces.insert(told.namespace.clone(), content);
        }
        news
    }

    /// What an engine shows, in the model's words.
    pub(super) fn shown_by(engine: &Engine) -> Result<Self, String> {
        Self::read_from(engine).map_err(|error| format!("it cannot be read: {error}"))
    }

    fn read_from(engine: &Engine) -> Result<Self, Error> {
        let mut namespaces = BTreeMap::new();
        for namespace in engine.namespaces()? {
            let reader = engine.reader(&namespace)?;
            let shown = (0..reader.state().episodes().len() as u32).map(EpisodeIx);
            let state = reader.state();
            let mut rows = BTreeMap::new();
            for ix in shown.filter(|ix| !state.episode(*ix).forgotten) {
                rows.insert(state.episode(ix).id, Row::shown(state, ix, &reader.text(ix)?));
            }
            let forgotten = state.tombstones().into_iter().collect();
            let rulings =
                state.rulings().map(|(ruling, _)| (ruling.id(&namespace), ruling.clone())).collect();
            namespaces.insert(namespace.clone(), Content { rows, forgotten, rulings });
        }
        Ok(Self { namespaces })
    }

    /// Where two differ, in a line.
    pub(super) fn difference(&self, other: &Self) -> Option<String> {
        let keys = |model: &Self| model.namespaces.keys().map(ToString::to_string).collect::<Vec<_>>();
        if keys(self) != keys(other) {
            return Some(format!("namespaces {:?} and {:?}", keys(self), keys(other)));
        }
        self.namespaces.iter().find_map(|(namespace, content)| {
            let other = &other.namespaces[namespace];
            let ids: BTreeSet<_> = content.rows.keys().chain(other.rows.keys()).collect();
            let (heads, others) = (content.heads(), other.heads());
            let row = |id| content.rows.get(id).map(|row| row.of(&heads));
            let other_row = |id| other.rows.get(id).map(|row| row.of(&others));
            let differing = ids.into_iter().find(|id| row(id) != other_row(id));
            let settled = |content: &Content| (content.forgotten.clone(), content.rulings.clone());
            let (one, two) = match differing {
                Some(id) => (format!("{:?}", row(id)), format!("{:?}", other_row(id))),
                None if settled(content) == settled(other) => return None,
                None => (format!("{:?}", settled(content)), format!("{:?}", settled(other))),
            };
            Some(format!("namespace {namespace}: {one} and {two}"))
        })
    }
}

impl Row {
    /// The same with everybody as who he is.
    fn of(&self, heads: &Heads) -> Self {
        let head = |id: &EntityId| heads.get(id).copied().unwrap_or(*id);
        let object = |object: &Object| match object {
            Object::Entity(id) => Object::Entity(head(id)),
            Object::Value(_) => object.clone(),
        };
        let names = self.names.iter().map(head).collect();
        Self { names, objects: self.objects.iter().map(object).collect(), ..self.clone() }
    }

    fn read(&mut self, namespace: &Namespace, reading: &Reading) {
        let done = reading.status == ExtractionStatus::Done;
        self.status = reading.status;
        self.extractor = done.then(|| reading.extractor.clone());
        let id = |name: &str| EntityId::of_name(namespace, name);
        self.names = reading.found.mentions.iter().map(|mention| id(&mention.name)).collect();
        let objects = reading.found.triples.iter().map(|triple| match &triple.object {
            TripleObject::Entity(named) => Object::Entity(id(&named.name)),
            TripleObject::Value(value) => Object::Value(value.clone()),
        });
        self.objects = objects.collect();
    }

    fn shown(state: &State, ix: EpisodeIx, text: &str) -> Self {
        let node = state.episode(ix);
        let id = |entity| state.entity(entity).id;
        let extractor = match state.known(&node.id) {
            crate::state::Known::Read { extractor } => Some(extractor.to_owned()),
            _ => None,
        };
        let objects = node.facts().iter().map(|fact| {
            let value = || Object::Value(state.value(*fact).unwrap_or_default().to_owned());
            state.fact(*fact).object.map_or_else(value, |object| Object::Entity(id(object)))
        });
        Self {
            text: fingerprint(text),
            source_id: node.source_id.as_deref().map(str::to_owned),
            status: node.status,
            extractor,
            names: node.mentions().iter().map(|mention| id(mention.entity)).collect(),
            objects: objects.collect(),
        }
    }
}

impl Ledger {
    /// Holds an engine that was just opened against the ledger: of the commits the first are there, as many
    /// as the engine counts, at least `least` and at most `most`; and all that belongs to them. Returns
    /// those.
    pub(super) fn first_in(&self, engine: &Engine, least: usize, most: usize) -> Result<Self, String> {
        let count = engine.sequence() as usize;
        if count < least || count > most {
            return Err(format!("{count} commits are there, and not {least} to {most}"));
        }
        let told = self.told[..count].to_vec();
        match Model::of(&told).difference(&Model::shown_by(engine)?) {
            Some(difference) => {
                Err(format!("after {count} commits: expected and found differ: {difference}"))
            }
            None => sound(engine).map(|()| Self { told, ..Self::default() }),
        }
    }

    /// Holds an engine that was just opened against the ledger: all that was acknowledged is there, and of
    /// what failed any part. Returns what is there.
    pub(super) fn held_by(&self, engine: &Engine) -> Result<Self, String> {
        let held = self.shown_by(engine)?;
        let count = engine.sequence() as usize;
        if held.told.len() != count {
            return Err(format!("it counts {count} commits and shows {}", held.told.len()));
        }
        sound(engine).map(|()| Self { doubtful: Vec::new(), ..held })
    }

    /// What an engine shows: all that was acknowledged, and of what failed any part, which is no longer in
    /// doubt.
    pub(super) fn shown_by(&self, engine: &Engine) -> Result<Self, String> {
        let shown = Model::shown_by(engine)?;
        let mut nearest = String::new();
        for chosen in 0_u32..1 << self.doubtful.len() {
            let mut found = Self { told: self.told.clone(), ..Self::default() };
            for (number, told) in self.doubtful.iter().enumerate() {
                let place = if chosen >> number & 1 == 1 { &mut found.told } else { &mut found.doubtful };
                place.push(told.clone());
            }
            match Model::of(&found.told).difference(&shown) {
                None => return Ok(found),
                Some(difference) if chosen == 0 => nearest = difference,
                Some(_) => {}
            }
        }
        let failed = self.doubtful.len();
        Err(format!("no part of {failed} failed commits makes up what it shows; without them: {nearest}"))
    }
}

impl Ledger {
    /// Texts that were told and forgotten, and that no other episode has.
    pub(super) fn forgotten(&self) -> BTreeSet<String> {
        let ids: BTreeSet<_> = self.told.iter().flat_map(|told| &told.changes.forgets).collect();
        let told = || self.told.iter().flat_map(|told| &told.changes.episodes);
        let texts = |forgotten: bool| -> BTreeSet<String> {
            let some = told().filter(|episode| ids.contains(&episode.id) == forgotten);
            some.map(|episode| episode.text.clone()).collect()
        };
        texts(true).difference(&texts(false)).cloned().collect()
    }
}

fn fingerprint(text: &str) -> (usize, u32) {
    (text.len(), crc32fast::hash(text.as_bytes()))
}

fn sound(engine: &Engine) -> Result<(), String> {
    let problems = engine.check().map_err(|error| format!("check: {error}"))?;
    if problems.is_empty() { Ok(()) } else { Err(format!("check finds {problems:?}")) }
}
