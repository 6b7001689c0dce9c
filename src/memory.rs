//! The memory: open, ingest, remember, recall, check. The one place that asks what time it is.

use std::hash::{BuildHasher, BuildHasherDefault, DefaultHasher};
use std::ops::Deref;
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use lorebase_engine::change::Changes;
use lorebase_engine::embed::{Embedder, Understanding};
use lorebase_engine::engine::{Engine, Reader};
use lorebase_engine::graph::EpisodeIx;
use lorebase_engine::model::episode::{Episode, ExtractionStatus};
use lorebase_engine::model::id::{Namespace, SessionId};
use lorebase_engine::model::predicate::Predicate;
use lorebase_engine::model::time::{Moment, Timestamp};
use lorebase_engine::state::Counts;
use lorebase_engine::{BackedUp, Missing, Notice, Usage};
use lorebase_extract::extractor::Extractor;
use lorebase_extract::gate::mask::Secrets;
use lorebase_extract::rules::RuleExtractor;
use lorebase_query::context::{self, Context};
use lorebase_query::order;
use lorebase_query::question::{LIMIT_MAX, Question};
use lorebase_query::recall::{self, QuestionVector, Trace};
use lorebase_query::rerank::{self, Reranked};
use lorebase_query::updates;

use crate::background::{Background, Embedding, Wanted};
use crate::eraser::Eraser;
use crate::error::Error;
use crate::models::choice::{self, Choice};
use crate::view::{EntityView, FactView, FoundEpisode, Viewer};

pub use crate::remember::{Remember, Remembered};

/// The session of what is remembered without one.
pub const DEFAULT_SESSION: &str = "notes";
/// How much memory the namespaces may take together where nobody says otherwise, in bytes: a namespace of a million
/// episodes takes about 2 GB.
pub const MEMORY_BUDGET: usize = 4 << 30;
/// How many sessions can get an episode at once.
const SESSION_LOCKS: usize = 64;
/// The longest question, in bytes: a long message, and not a book.
pub const QUESTION_MAX_BYTES: usize = 64 << 10;
/// How many models are asked a question where one takes the place of the other meanwhile.
const MODELS_TRIED: usize = 3;
/// How many episodes are looked at for a context.
const CONTEXT_CANDIDATES: usize = 60;

/// An open memory.
///
/// ```
/// use lorebase::memory::{Memory, Remember};
/// use lorebase::engine::model::id::Namespace;
/// use lorebase::query::question::Question;
///
/// let directory = tempfile::tempdir()?;
/// let (memory, _) = Memory::create(directory.path())?;
/// let ana = Namespace::new("ana")?;
/// memory.remember(&ana, &Remember { speaker: Some("Ana"), ..Remember::new("I work at Acme now.") })?;
/// let found = memory.recall(&ana, &Question::new("Where does Ana work?"))?;
/// assert_eq!(found.hits[0].episode.text, "I work at Acme now.");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Memory {
    /// Makes vectors. It is dropped before the engine, which it uses.
    background: Option<Background>,
    /// Takes what was forgotten off the disk. It is dropped before the engine as well.
    eraser: Eraser,
    engine: Arc<Engine>,
    extractor: Box<dyn Extractor>,
    /// What becomes of secrets in texts that are stored.
    secrets: Secrets,
    /// From when on what is ingested is not shown any more.
    expires_at: Option<Timestamp>,
    /// One is held while a session gets its next episode, whose place depends on the one before. Sessions share
    /// them by hash; nothing but another note waits for one.
    sessions: [Mutex<()>; SESSION_LOCKS],
    /// Held while something is ruled or done by hand, since each such deed is newer than those before.
    ruling: Mutex<()>,
}

/// How a memory is opened.
#[derive(Clone)]
pub struct Options {
    /// Whether a store is made where there is none.
    pub create: bool,
    /// The model that makes the vectors; the built-in one for `None`.
    pub embedder: Option<Arc<dyn Embedder>>,
    /// Whether a thread makes the vectors of what is stored, and carries on what [`Memory::switch_in_background`] begins: for
    /// processes that live long. It looks at every namespace once after opening. Without it, [`Memory::embed_pending`] makes
    /// them.
    pub embed_in_background: bool,
    /// How long that thread waits after the model has failed; twice as long each time, up to five minutes.
    pub pause: Duration,
    /// What is done about passwords, keys, numbers of cards and the like in texts that are stored: they are masked.
    pub secrets: Secrets,
    /// From when on what is ingested is not shown any more; `None` for never. What is stored otherwise says so itself.
    pub expires_at: Option<Timestamp>,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            create: true,
            embedder: None,
            embed_in_background: false,
            pause: Duration::from_secs(1),
            secrets: Secrets::Mask,
            expires_at: None,
        }
    }
}

/// What a model had to say to a question.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Meaning {
    /// The name of the model whose vectors were used; `None` where words alone answered.
    pub model: Option<String>,
    /// Why words alone answered.
    pub problem: Option<String>,
    /// Episodes of the namespace that have no vector yet, and are found by their words alone.
    pub without_vector: usize,
}

/// A question as the namespace that it is asked in can use it.
struct Asked {
    reader: Reader,
    vector: Option<Vec<f32>>,
    understanding: Understanding,
    meaning: Meaning,
}

/// A context, and what the model had to say.
#[derive(Debug, Clone)]
pub struct Assembled {
    /// What a language model gets to read.
    pub context: Context,
    /// What the model had to say.
    pub meaning: Meaning,
    /// What looking at the hits again came to, where the question asked for it.
    pub reranked: Option<Reranked>,
}

impl Deref for Assembled {
    type Target = Context;

    fn deref(&self) -> &Context {
        &self.context
    }
}

/// What a recall found, with texts.
#[derive(Debug, Clone)]
pub struct Recalled {
    /// The hits, best first.
    pub hits: Vec<FoundEpisode>,
    /// How much work it was.
    pub trace: Trace,
    /// What the model had to say.
    pub meaning: Meaning,
    /// What looking at the hits again came to, where the question asked for it.
    pub reranked: Option<Reranked>,
}

/// How much there is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stats {
    /// Namespaces counted.
    pub namespaces: usize,
    /// Things in them.
    pub counts: Counts,
    /// Episodes that were not, or not successfully, read for facts.
    pub unread: usize,
    /// Episodes that have no vector yet.
    pub without_vector: usize,
    /// Commits in the whole store.
    pub commits: u64,
    /// The model that makes the vectors.
    pub embedder: String,
    /// Bytes on disk, of the whole store.
    pub disk: Usage,
    /// About how many bytes the namespaces in memory take together, and how many there are.
    pub memory: (usize, usize),
}

impl Memory {
    /// Opens the store in `directory`. Returns what opening found and dealt with.
    ///
    /// # Errors
    /// Where there is no store, another process has it, or it is damaged.
    pub fn open(directory: &Path) -> Result<(Self, Vec<Notice>), Error> {
        Self::open_as(directory, Options { create: false, ..Options::default() })
    }

    /// Opens the store in `directory`, making it where there is none.
    ///
    /// # Errors
    /// As [`Memory::open`], and where the directory holds something else.
    pub fn create(directory: &Path) -> Result<(Self, Vec<Notice>), Error> {
        Self::open_as(directory, Options::default())
    }

    /// As [`Memory::open`], with the vectors of another model than the built-in one, such as what
    /// `models::select::of_store` finds.
    ///
    /// # Errors
    /// As [`Memory::open`].
    pub fn open_with(directory: &Path, embedder: Arc<dyn Embedder>) -> Result<(Self, Vec<Notice>), Error> {
        Self::open_as(directory, Options { create: false, embedder: Some(embedder), ..Options::default() })
    }

    /// As [`Memory::create`], with the vectors of another model than the built-in one.
    ///
    /// # Errors
    /// As [`Memory::create`].
    pub fn create_with(directory: &Path, embedder: Arc<dyn Embedder>) -> Result<(Self, Vec<Notice>), Error> {
        Self::open_as(directory, Options { embedder: Some(embedder), ..Options::default() })
    }

    /// Opens the store in `directory` as is wanted.
    ///
    /// # Errors
    /// As [`Memory::open`] or [`Memory::create`], and where no thread can be started.
    pub fn open_as(directory: &Path, options: Options) -> Result<(Self, Vec<Notice>), Error> {
        let missing = if options.create { Missing::Create } else { Missing::Refuse };
        let embedder = options.embedder.unwrap_or_else(choice::built_in);
        let (engine, notices) = Engine::open(directory, missing, embedder)?;
        engine.set_memory_budget(MEMORY_BUDGET);
        let engine = Arc::new(engine);
        let background =
            options.embed_in_background.then(|| Background::start(&engine, options.pause)).transpose()?;
        let sessions = std::array::from_fn(|_| Mutex::default());
        Ok((
            Self {
                background,
                eraser: Eraser::default(),
                engine,
                extractor: Box::new(RuleExtractor),
                secrets: options.secrets,
                expires_at: options.expires_at,
                sessions,
                ruling: Mutex::default(),
            },
            notices,
        ))
    }

    /// How it goes with what is embedded in the background; `None` where nothing is. How many episodes wait for vectors is
    /// told by [`Memory::stats`].
    pub fn embedding(&self) -> Option<Embedding> {
        self.background.as_ref().map(Background::told)
    }

    /// Lets another model make the vectors, in the background: until all episodes have theirs, the one before serves, and then
    /// the other does, at once and for everybody. With a choice, the store remembers it then, and the vectors of others go.
    /// What was made stays, so that the same call, after the memory was closed or killed, goes on where it was. It takes the
    /// place of a switch that is under way.
    ///
    /// # Errors
    /// [`Error::Argument`] where the memory was opened without [`Options::embed_in_background`].
    pub fn switch_in_background(&self, to: Arc<dyn Embedder>, choice: Option<Choice>) -> Result<(), Error> {
        let Some(background) = &self.background else {
            let problem = "needs a memory that was opened with embed_in_background".to_owned();
            return Err(Error::Argument { argument: "a switch in the background", problem });
        };
        background.switch(Wanted { to, choice });
        Ok(())
    }

    /// What was found and dealt with since opening, or since the last call.
    pub fn take_notices(&self) -> Vec<Notice> {
        self.engine.take_notices()
    }

    /// The engine below, for what the facade does not offer.
    pub fn engine(&self) -> &Engine {
        &self.engine
    }

    /// Takes what was forgotten off the disk while nobody waits.
    pub(crate) fn erase_soon(&self) {
        self.eraser.erase(&self.engine);
    }

    /// Loads a namespace, so that the next call does not wait for it.
    ///
    /// # Errors
    /// Where it cannot be loaded.
    pub fn warm(&self, namespace: &Namespace) -> Result<(), Error> {
        self.engine.reader(namespace)?;
        Ok(())
    }

    /// Stores given changes, such as facts from elsewhere.
    ///
    /// # Errors
    /// The store's.
    pub fn commit(&self, namespace: &Namespace, changes: Changes) -> Result<(), Error> {
        self.engine.commit(namespace, changes)?;
        Ok(())
    }

    /// The extractor that reads what is ingested.
    pub fn extractor(&self) -> &dyn Extractor {
        &*self.extractor
    }

    /// What is done about secrets in what is stored.
    pub fn secrets(&self) -> Secrets {
        self.secrets
    }

    /// From when on what is ingested is not shown any more.
    pub(crate) fn expiry(&self) -> Option<Timestamp> {
        self.expires_at
    }

    /// Waits until no other thread rules.
    pub(crate) fn ruling_turn(&self) -> MutexGuard<'_, ()> {
        self.ruling.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits until no other thread adds to the session.
    pub(crate) fn turn_in(&self, namespace: &Namespace, session: &SessionId) -> MutexGuard<'_, ()> {
        let hash = BuildHasherDefault::<DefaultHasher>::default().hash_one((namespace, session));
        // A thread that panicked here has left nothing half done behind the lock.
        self.sessions[hash as usize % SESSION_LOCKS].lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Embeds what has no vector yet, and tells `progress` how many episodes more are done. Only models that take their
    /// time leave such: [`Embedder::is_quick`].
    ///
    /// # Errors
    /// The model's and the store's; what was done before stays done.
    pub fn embed_pending(&self, namespace: &Namespace, progress: impl FnMut(usize)) -> Result<(), Error> {
        Ok(self.engine.embed_pending(namespace, progress)?)
    }

    /// Finds the episodes that answer a question: by words and by the graph, and by meaning where the model can be asked.
    ///
    /// # Errors
    /// [`Error::Argument`] for a question that is empty or longer than [`QUESTION_MAX_BYTES`], for a limit of 0 or over [`LIMIT_MAX`] and for a session that is not known, and the store's.
    pub fn recall(&self, namespace: &Namespace, question: &Question<'_>) -> Result<Recalled, Error> {
        can_be_asked(question)?;
        let question = &Question { now: question.now.or_else(|| Some(now())), ..question.clone() };
        let Asked { reader, vector, understanding, meaning } = self.asked(namespace, question.text)?;
        let vector = vector.as_deref().map(|vector| QuestionVector { vector, understanding });
        if let Some(id) = &question.before_session
            && reader.state().find_session(id).is_none()
        {
            let problem = format!("\"{id}\" is not known; name one of this namespace, or none to search all");
            return Err(Error::Argument { argument: "the session", problem });
        }
        let mut found = recall::recall(&reader, question, vector);
        let look = |rerank| rerank::look_again(&reader, question.text, rerank, &mut found.hits);
        let reranked = question.rerank.as_ref().map(look).transpose()?;
        self.let_fade(namespace, question, (&reader, &mut found.hits))?;
        updates::put_current_first(&reader, question, &mut found.hits)?;
        found.hits.truncate(question.limit);
        let moment = Moment { now: question.now, known_at: question.known_at, as_of: None };
        let viewer = Viewer::new(&reader, found.horizon.as_ref(), moment);
        let hits = found.hits.iter().map(|hit| viewer.found(hit)).collect::<Result<_, _>>()?;
        Ok(Recalled { hits, trace: found.trace, meaning, reranked })
    }

    /// The first turns that a question finds by the formula of recall alone, each with the numbers by which it would be brought
    /// into the learnt order, or where a model looks at them again, into the one after that: what `scripts/order/fit.py` learns
    /// from.
    ///
    /// # Errors
    /// The store's and the model's.
    pub fn hits_considered(
        &self,
        namespace: &Namespace,
        question: &Question<'_>,
    ) -> Result<Vec<(Episode, Vec<f32>)>, Error> {
        let Asked { reader, vector, understanding, .. } = self.asked(namespace, question.text)?;
        let vector = vector.as_deref().map(|vector| QuestionVector { vector, understanding });
        let hits = order::considered(&reader, question, vector);
        let numbers: Vec<(EpisodeIx, Vec<f32>)> = match &question.rerank {
            Some(rerank) => {
                let again = rerank::considered(&reader, question.text, rerank, hits)?;
                again.into_iter().map(|(ix, numbers)| (ix, numbers.to_vec())).collect()
            }
            None => hits.iter().filter_map(|hit| Some((hit.episode, hit.numbers()?.to_vec()))).collect(),
        };
        numbers.into_iter().map(|(ix, numbers)| Ok((reader.episode(ix)?, numbers))).collect()
    }

    /// The vector of a question, by the model whose vectors the namespace has, and a view of that. Where the model fails, words
    /// alone answer.
    fn asked(&self, namespace: &Namespace, text: &str) -> Result<Asked, Error> {
        for _ in 0..MODELS_TRIED {
            let embedder = self.engine.embedder();
            let vector = embedder.embed_question(text);
            let reader = self.engine.reader(namespace)?;
            let vectors = reader.state().vectors();
            // Where another model takes the place of this one just now, that one is asked.
            if vectors.identity() != embedder.identity() {
                continue;
            }
            let without_vector = reader.state().living_count().saturating_sub(vectors.len());
            let model = vector.is_ok().then(|| embedder.identity().name.clone());
            let problem = vector.as_ref().err().map(ToString::to_string);
            let meaning = Meaning { model, problem, without_vector };
            let understanding = embedder.understanding();
            return Ok(Asked { reader, vector: vector.ok(), understanding, meaning });
        }
        let problem = Some("the model is changing".to_owned());
        let meaning = Meaning { problem, ..Meaning::default() };
        let (reader, understanding) = (self.engine.reader(namespace)?, Understanding::Spelling);
        Ok(Asked { reader, vector: None, understanding, meaning })
    }

    /// Finds what answers a question and puts it together for a language model, within `tokens`.
    ///
    /// # Errors
    /// As [`Memory::recall`].
    pub fn context(
        &self,
        namespace: &Namespace,
        question: &Question<'_>,
        tokens: usize,
    ) -> Result<Assembled, Error> {
        let question = Question { limit: question.limit.max(CONTEXT_CANDIDATES), ..question.clone() };
        let found = self.recall(namespace, &question)?;
        let episodes: Vec<Episode> = found.hits.into_iter().map(|hit| hit.episode).collect();
        let context = context::assemble(&episodes, tokens);
        Ok(Assembled { context, meaning: found.meaning, reranked: found.reranked })
    }

    /// The facts about an entity (all facts where none is named) with a predicate, current ones first.
    ///
    /// # Errors
    /// The store's.
    pub fn facts(
        &self,
        namespace: &Namespace,
        about: Option<&str>,
        predicate: Option<&str>,
    ) -> Result<Vec<FactView>, Error> {
        self.facts_at(namespace, about, predicate, Moment::default())
    }

    /// As [`Memory::facts`], seen from a moment: with a time of the world, only what held then (or had happened by then); with a
    /// time of the record, only by what the memory had been told then. What has expired is left out, as of the
    /// moment's `now` or else of the clock.
    ///
    /// # Errors
    /// The store's.
    pub fn facts_at(
        &self,
        namespace: &Namespace,
        about: Option<&str>,
        predicate: Option<&str>,
        moment: Moment,
    ) -> Result<Vec<FactView>, Error> {
        let reader = self.engine.reader(namespace)?;
        let about = about.map(|name| reader.state().find_entities(name));
        let predicate = predicate.map(Predicate::new);
        Ok(Viewer::at(&reader, at_present(moment)).facts(about.as_deref(), predicate.as_ref()))
    }

    /// The entities of this name: the exact one, or else those of which it is the first or last word.
    ///
    /// # Errors
    /// The store's.
    pub fn entity(&self, namespace: &Namespace, name: &str) -> Result<Vec<EntityView>, Error> {
        self.entity_at(namespace, name, Moment::default())
    }

    /// As [`Memory::entity`], with the facts that are seen from a moment, as of [`Memory::facts_at`].
    ///
    /// # Errors
    /// The store's.
    pub fn entity_at(
        &self,
        namespace: &Namespace,
        name: &str,
        moment: Moment,
    ) -> Result<Vec<EntityView>, Error> {
        let reader = self.engine.reader(namespace)?;
        let found = reader.state().find_entities(name);
        let viewer = Viewer::at(&reader, at_present(moment));
        Ok(found.into_iter().map(|ix| viewer.entity(ix)).collect())
    }

    /// How much there is in one namespace, or in all of them.
    ///
    /// # Errors
    /// The store's.
    pub fn stats(&self, namespace: Option<&Namespace>) -> Result<Stats, Error> {
        let all = self.engine.namespaces()?;
        let wanted = all.iter().filter(|known| namespace.is_none_or(|wanted| wanted == *known));
        let mut stats = Stats {
            namespaces: 0,
            counts: Counts::default(),
            unread: 0,
            without_vector: 0,
            commits: self.engine.sequence(),
            embedder: self.engine.embedder().identity().name.clone(),
            disk: self.engine.usage(),
            memory: (0, 0),
        };
        for namespace in wanted {
            let reader = self.engine.reader(namespace)?;
            stats.namespaces += 1;
            let embedded = reader.state().vectors().len();
            stats.without_vector += reader.state().counts().episodes.saturating_sub(embedded);
            stats.counts = stats.counts + reader.state().counts();
            let unread = |ix: &EpisodeIx| reader.state().episode(*ix).status != ExtractionStatus::Done;
            stats.unread += reader.state().living().filter(unread).count();
        }
        stats.memory = self.engine.memory();
        Ok(stats)
    }

    /// Copies the store into the directory `to`, which must not exist or be empty, while anybody reads and writes. The
    /// copy is a store: all that is acknowledged when this begins is in it.
    ///
    /// # Errors
    /// Where `to` holds something, the journal is damaged, or the system does not do it; see
    /// [`lorebase_engine::backup`].
    pub fn backup(&self, to: &Path) -> Result<BackedUp, Error> {
        let from = self.engine.directory();
        let told = lorebase_engine::backup(&from, to)?;
        choice::copy(&from, to)?;
        Ok(told)
    }

    /// How many bytes the namespaces in memory may take together, about: [`MEMORY_BUDGET`] at first. Above that, those
    /// that were not asked for longest leave, and come back when they are asked for.
    pub fn set_memory_budget(&self, bytes: usize) {
        self.engine.set_memory_budget(bytes);
    }

    /// Everything in which journal, working store, graph and indexes do not agree; empty where all is well.
    ///
    /// # Errors
    /// Where the walk itself cannot go on.
    pub fn check(&self) -> Result<Vec<String>, Error> {
        Ok(self.engine.check()?)
    }
}

/// The moment with what time it is, where it does not say.
pub(crate) fn at_present(moment: Moment) -> Moment {
    Moment { now: moment.now.or_else(|| Some(now())), ..moment }
}

/// What time it is.
pub fn now() -> Timestamp {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    let millis = i64::try_from(since.as_millis()).unwrap_or(0);
    Timestamp::from_millis(millis).expect("the clock stands within the years that can be written")
}

/// Refuses a question that is empty or too long, and a limit that none can have.
pub(crate) fn can_be_asked(question: &Question<'_>) -> Result<(), Error> {
    let refused = |argument, problem| Err(Error::Argument { argument, problem });
    if question.text.trim().is_empty() {
        return refused("the question", "is empty; ask something".to_owned());
    }
    if question.text.len() > QUESTION_MAX_BYTES {
        let problem = format!("has {} bytes; ask in at most {QUESTION_MAX_BYTES}", question.text.len());
        return refused("the question", problem);
    }
    if !(1..=LIMIT_MAX).contains(&question.limit) {
        return refused("the limit", format!("is {}; give one from 1 to {LIMIT_MAX}", question.limit));
    }
    Ok(())
}
