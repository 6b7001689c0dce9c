//! Vectors that are made while nobody waits for them: a thread that embeds what was stored, and carries a switch to another
//! model on, batch by batch. It holds nothing while the model runs, and ends with its memory.

use std::collections::BTreeSet;
use std::ops::Bound;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError, Weak};
use std::thread;
use std::time::Duration;

use lorebase_engine::embed::Embedder;
use lorebase_engine::engine::{Batch, Engine, Switch, Turn, Turns};
use lorebase_engine::model::id::{EpisodeId, Namespace};

use crate::error::Error;
use crate::models::choice::Choice;

/// The longest pause after failures.
const PAUSE_MAX: Duration = Duration::from_mins(5);

/// How it goes with what is embedded in the background. How many episodes wait for vectors is told by
/// [`Memory::stats`](crate::memory::Memory::stats).
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Embedding {
    /// Vectors that were made since opening.
    pub made: u64,
    /// Whether something is left to do, as far as it knows.
    pub busy: bool,
    /// The switch to another model that is under way.
    pub switching: Option<Switching>,
    /// What was in the way the last time, if that was not overcome since. It is tried again.
    pub problem: Option<String>,
}

/// How far a switch to another model is.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Switching {
    /// The name of the other model's identity.
    pub to: String,
    /// Episodes that have their vector by it.
    pub done: usize,
    /// And of how many.
    pub all: usize,
}

/// The other model, and what the store is to remember of it.
pub(crate) struct Wanted {
    pub(crate) to: Arc<dyn Embedder>,
    pub(crate) choice: Option<Choice>,
}

/// The thread, which is told to end when this goes.
pub(crate) struct Background {
    shared: Arc<Shared>,
}

struct Shared {
    /// Held by the thread while it works with the engine, never while the model runs: as long as it takes to load a namespace
    /// and to read or keep a batch, or at the beginning of a switch, to count what all namespaces hold.
    working: Mutex<()>,
    desk: Mutex<Desk>,
    wake: Condvar,
    turns: Turns,
    engine: Weak<Engine>,
    /// The first pause after a failure; each is twice as long as the one before.
    pause: Duration,
}

/// What is to be done, and how it goes.
#[derive(Default)]
struct Desk {
    stop: bool,
    /// Namespaces that may have episodes without vectors.
    namespaces: BTreeSet<Namespace>,
    wanted: Option<Wanted>,
    told: Embedding,
}

/// What the thread has at hand.
#[derive(Default)]
struct Work {
    pending: Option<(Namespace, u32)>,
    /// The namespace that was taken up last.
    last: Option<Namespace>,
    switch: Option<(Switch, Option<Choice>)>,
    /// A switch that failed, until it is tried again.
    later: Option<Wanted>,
    /// Whether the model in use has failed since the other was wanted: then that comes first.
    other_first: bool,
}

/// What a step came to.
enum Step {
    Done,
    Idle,
    Failed(String),
    /// The memory is gone.
    Gone,
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    // Nothing is left half done behind these locks.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Background {
    pub(crate) fn start(engine: &Arc<Engine>, pause: Duration) -> Result<Self, Error> {
        let desk = Desk { namespaces: engine.namespaces()?.into_iter().collect(), ..Desk::default() };
        let shared = Arc::new(Shared {
            working: Mutex::default(),
            desk: Mutex::new(desk),
            wake: Condvar::new(),
            turns: engine.turns(),
            engine: Arc::downgrade(engine),
            pause,
        });
        let hears = Arc::clone(&shared);
        engine.on_unembedded(move |namespace| {
            if locked(&hears.desk).namespaces.insert(namespace.clone()) {
                hears.wake.notify_all();
            }
        });
        let thread = Arc::clone(&shared);
        let spawned = thread::Builder::new().name("lore-embed".to_owned()).spawn(move || thread.run());
        spawned.map_err(|source| Error::Thread { source })?;
        Ok(Self { shared })
    }

    pub(crate) fn switch(&self, wanted: Wanted) {
        let mut desk = locked(&self.shared.desk);
        let to = wanted.to.identity().name.clone();
        desk.told.switching = Some(Switching { to, ..Switching::default() });
        desk.wanted = Some(wanted);
        self.shared.wake.notify_all();
    }

    pub(crate) fn told(&self) -> Embedding {
        let desk = locked(&self.shared.desk);
        let busy = desk.told.busy || !desk.namespaces.is_empty() || desk.wanted.is_some();
        Embedding { busy, ..desk.told.clone() }
    }
}

impl Drop for Background {
    fn drop(&mut self) {
        locked(&self.shared.desk).stop = true;
        self.shared.wake.notify_all();
        // When it works with the engine no more, it never will again. What the model is making just now is thrown away when
        // it is made; nobody waits for that.
        drop(locked(&self.shared.working));
    }
}

impl Shared {
    fn run(&self) {
        let (mut work, mut failures) = (Work::default(), 0);
        loop {
            let step = self.step(&mut work);
            let mut desk = locked(&self.desk);
            match step {
                Step::Gone => return,
                Step::Done => {
                    failures = 0;
                    if !work.other_first {
                        desk.told.problem = None;
                    }
                }
                Step::Failed(problem) => {
                    desk.told.problem = Some(problem);
                    let pause = self.pause.saturating_mul(1 << failures.min(16)).min(PAUSE_MAX);
                    failures += 1;
                    let waits = |desk: &mut Desk| !desk.stop && desk.wanted.is_none();
                    drop(self.wake.wait_timeout_while(desk, pause, waits));
                }
                Step::Idle => {
                    desk.told.busy = false;
                    let idle =
                        |desk: &mut Desk| !desk.stop && desk.namespaces.is_empty() && desk.wanted.is_none();
                    drop(self.wake.wait_while(desk, idle));
                }
            }
        }
    }

    /// One batch, or a look at whether there is any.
    fn step(&self, work: &mut Work) -> Step {
        let turn = self.turns.take();
        let step = match self.take_up(work) {
            Err(step) => step,
            Ok(()) if work.other_first && work.switch.is_some() => self.step_of_switch(work, &turn),
            Ok(()) => match self.step_of_pending(work, &turn) {
                Step::Idle if work.switch.is_some() => self.step_of_switch(work, &turn),
                Step::Failed(problem) if work.switch.is_some() => {
                    work.other_first = true;
                    locked(&self.desk).told.problem = Some(problem);
                    self.step_of_switch(work, &turn)
                }
                other => other,
            },
        };
        turn.pass_on();
        step
    }

    /// Takes up a switch that is wanted, or the one that failed.
    fn take_up(&self, work: &mut Work) -> Result<(), Step> {
        let mut desk = locked(&self.desk);
        let failed = work.later.take();
        let Some(wanted) = desk.wanted.take().or(failed) else { return Ok(()) };
        desk.told.busy = true;
        drop(desk);
        work.other_first = false;
        match self.with_engine(|engine| engine.begin_switch(Arc::clone(&wanted.to))) {
            None => Err(Step::Gone),
            Some(Ok(switch)) => {
                work.switch = Some((switch, wanted.choice));
                Ok(())
            }
            Some(Err(error)) => {
                work.later = Some(wanted);
                Err(Step::Failed(error.to_string()))
            }
        }
    }

    /// Works with the engine; `None` where it is no longer to be.
    fn with_engine<R>(&self, work: impl FnOnce(&Engine) -> R) -> Option<R> {
        let _working = locked(&self.working);
        if locked(&self.desk).stop {
            return None;
        }
        // The memory has it for as long as it does not wait for what is locked here.
        let engine = self.engine.upgrade()?;
        Some(work(&engine))
    }

    fn step_of_pending(&self, work: &mut Work, turn: &Turn) -> Step {
        if work.pending.is_none() {
            // Out of the list before it is looked at, so that what comes meanwhile puts it there again.
            let mut desk = locked(&self.desk);
            // One after the other, so that one that fails keeps no other waiting.
            let after = work.last.as_ref().and_then(|last| {
                let after = (Bound::Excluded(last.clone()), Bound::Unbounded);
                desk.namespaces.range(after).next().cloned()
            });
            let Some(namespace) = after.or_else(|| desk.namespaces.first().cloned()) else {
                return Step::Idle;
            };
            desk.namespaces.remove(&namespace);
            desk.told.busy = true;
            work.last = Some(namespace.clone());
            work.pending = Some((namespace, 0));
        }
        let Some((namespace, from)) = &mut work.pending else { return Step::Idle };
        let batch = match self.with_engine(|engine| engine.pending_batch(turn, namespace, *from)) {
            None => return Step::Gone,
            Some(Ok(Some(batch))) => batch,
            Some(Ok(None)) => {
                work.pending = None;
                return Step::Done;
            }
            Some(Err(error)) => return self.give_up(work, error.to_string()),
        };
        let made = match embedded(&batch) {
            Ok(made) => made,
            Err(problem) => return self.give_up(work, problem),
        };
        match self.with_engine(|engine| engine.keep(turn, &batch, made)) {
            None => return Step::Gone,
            Some(Err(error)) => return self.give_up(work, error.to_string()),
            Some(Ok(())) => *from = batch.next(),
        }
        locked(&self.desk).told.made += batch.count() as u64;
        Step::Done
    }

    /// Leaves a namespace for later.
    fn give_up(&self, work: &mut Work, problem: String) -> Step {
        if let Some((namespace, _)) = work.pending.take() {
            locked(&self.desk).namespaces.insert(namespace);
        }
        Step::Failed(problem)
    }

    fn step_of_switch(&self, work: &mut Work, turn: &Turn) -> Step {
        let Some((switch, _)) = &mut work.switch else { return Step::Idle };
        let batch = match self.with_engine(|engine| engine.switch_batch(turn, switch)) {
            None => return Step::Gone,
            Some(Err(error)) => return Self::begin_anew(work, error.to_string()),
            Some(Ok(None)) => return self.finish(work, turn),
            Some(Ok(Some(batch))) => batch,
        };
        let made = match embedded(&batch) {
            Ok(made) => made,
            Err(problem) => return Self::begin_anew(work, problem),
        };
        match self.with_engine(|engine| engine.keep_of_switch(turn, switch, &batch, made)) {
            None => return Step::Gone,
            Some(Err(error)) => return Self::begin_anew(work, error.to_string()),
            Some(Ok(())) => {}
        }
        let (done, all) = switch.progress();
        let mut desk = locked(&self.desk);
        desk.told.made += batch.count() as u64;
        if desk.wanted.is_none() {
            let to = switch.to().identity().name.clone();
            desk.told.switching = Some(Switching { to, done, all });
        }
        Step::Done
    }

    /// Leaves a switch for later. It goes on with what was not kept.
    fn begin_anew(work: &mut Work, problem: String) -> Step {
        work.other_first = false;
        let failed = work.switch.take();
        work.later = failed.map(|(switch, choice)| Wanted { to: Arc::clone(switch.to()), choice });
        Step::Failed(problem)
    }

    /// Puts the other model in the place of the one before, and has the store remember it.
    fn finish(&self, work: &mut Work, turn: &Turn) -> Step {
        let Some((switch, choice)) = work.switch.take() else { return Step::Idle };
        work.other_first = false;
        let finish = |engine: &Engine| -> Result<Vec<Namespace>, Error> {
            engine.finish_switch(turn, switch);
            let namespaces = engine.namespaces()?;
            if let Some(choice) = choice {
                Choice::write(Some(&choice), &engine.directory())?;
                engine.remove_other_vectors()?;
            }
            Ok(namespaces)
        };
        let Some(finished) = self.with_engine(finish) else { return Step::Gone };
        let mut desk = locked(&self.desk);
        if desk.wanted.is_none() {
            desk.told.switching = None;
        }
        match finished {
            // What came while the other model was busy elsewhere.
            Ok(namespaces) => desk.namespaces.extend(namespaces),
            Err(error) => return Step::Failed(error.to_string()),
        }
        Step::Done
    }
}

fn embedded(batch: &Batch) -> Result<Vec<(EpisodeId, Vec<f32>)>, String> {
    // A model that panics is one that fails: the thread goes on.
    let made = catch_unwind(AssertUnwindSafe(|| batch.embed()));
    made.map_err(|_| "the model panicked".to_owned())?.map_err(|error| error.to_string())
}
