//! Vectors that are made in the background: nobody waits for them, what is stored is there and found by its words before, a
//! switch of models is seen whole or not at all, and a process that ends or is killed costs a batch at most.

use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use lorebase::engine::embed::{Embedder, ModelIdentity};
use lorebase::engine::error::Error as EngineError;
use lorebase::memory::{Memory, Options, Remember};
use lorebase::models::choice::Choice;
use lorebase::query::question::Question;

use crate::util::{Lab, assert_sound, namespace, session, turn};

/// A model of four numbers that works only while its gate is open, and can fail and panic.
struct Gated {
    identity: ModelIdentity,
    open: Mutex<bool>,
    opened: Condvar,
    texts: AtomicUsize,
    waiting: AtomicUsize,
    fails: AtomicBool,
    /// Fails at texts that hold this.
    stumbles: Option<&'static str>,
    panics: AtomicBool,
}

impl Gated {
    fn new(name: &str, open: bool) -> Arc<Self> {
        Arc::new(Self::stumbling(name, open, None))
    }

    fn stumbling(name: &str, open: bool, stumbles: Option<&'static str>) -> Self {
        Self {
            identity: ModelIdentity { name: name.to_owned(), dimensions: 4 },
            open: Mutex::new(open),
            opened: Condvar::new(),
            texts: AtomicUsize::new(0),
            waiting: AtomicUsize::new(0),
            fails: AtomicBool::new(false),
            stumbles,
            panics: AtomicBool::new(false),
        }
    }

    fn open(&self) {
        *self.open.lock().unwrap() = true;
        self.opened.notify_all();
    }
}

impl Embedder for Gated {
    fn identity(&self) -> &ModelIdentity {
        &self.identity
    }

    fn at_a_time(&self) -> usize {
        4
    }

    fn embed(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>, EngineError> {
        self.waiting.fetch_add(1, Ordering::SeqCst);
        drop(self.opened.wait_while(self.open.lock().unwrap(), |open| !*open).unwrap());
        self.waiting.fetch_sub(1, Ordering::SeqCst);
        assert!(!self.panics.load(Ordering::SeqCst), "a model that panics");
        let stumbles = |text: &&str| self.stumbles.is_some_and(|word| text.contains(word));
        if self.fails.load(Ordering::SeqCst) || texts.iter().any(stumbles) {
            let model = self.identity.name.clone();
            return Err(EngineError::EmbedderAway { model, problem: "it sleeps".to_owned() });
        }
        self.texts.fetch_add(texts.len(), Ordering::SeqCst);
        let axis = |text: &&str| usize::from(!text.contains("ferry") && !text.contains("boat"));
        Ok(texts
            .iter()
            .map(|text| (0..4).map(|at| f32::from(u8::from(at == axis(text)))).collect())
            .collect())
    }

    /// A question waits for nothing: it is the episodes that are many.
    fn embed_question(&self, question: &str) -> Result<Vec<f32>, EngineError> {
        let at = usize::from(!question.contains("boat"));
        Ok((0..4).map(|axis| f32::from(u8::from(axis == at))).collect())
    }
}

fn open(directory: &Path, model: &Arc<Gated>) -> Memory {
    let embedder: Arc<dyn Embedder> = Arc::clone(model) as Arc<dyn Embedder>;
    let pause = Duration::from_millis(2);
    let options =
        Options { embedder: Some(embedder), embed_in_background: true, pause, ..Options::default() };
    Memory::open_as(directory, options).unwrap().0
}

#[track_caller]
fn wait(what: &str, mut done: impl FnMut() -> bool) {
    let start = Instant::now();
    while !done() {
        assert!(start.elapsed() < Duration::from_secs(30), "{what}");
        thread::sleep(Duration::from_millis(1));
    }
}

fn without_vector(memory: &Memory) -> usize {
    memory.stats(None).unwrap().without_vector
}

fn tell(memory: &Memory, id: &str, count: usize) {
    let turns = (0..count)
        .map(|at| turn("Ilka", "2024-05-08T10:00:00Z", &format!("The ferry {at} of {id} is late.")));
    memory.ingest(&namespace("ilka"), session(id, turns.collect()), |_| ()).unwrap();
}

#[test]
fn what_is_stored_is_there_and_found_by_its_words_while_the_model_takes_its_time() {
    let (lab, model) = (Lab::new(), Gated::new("a", false));
    let memory = open(&lab.store(), &model);
    let ilka = namespace("ilka");
    tell(&memory, "S1", 6);
    wait("the model is asked", || model.waiting.load(Ordering::SeqCst) == 1);
    // The model is at work, and nobody waits for it.
    memory.remember(&ilka, &Remember::new("Bram paid the rent.")).unwrap();
    let found = memory.recall(&ilka, &Question::new("Who paid the rent?")).unwrap();
    assert_eq!(
        (found.hits[0].episode.text.as_str(), found.meaning.without_vector),
        ("Bram paid the rent.", 7)
    );
    assert!(memory.embedding().unwrap().busy);
    memory.backup(&lab.path("copy")).unwrap();
    model.open();
    wait("all is embedded", || without_vector(&memory) == 0);
    wait("it rests", || !memory.embedding().unwrap().busy);
    assert_eq!((memory.embedding().unwrap().made, model.texts.load(Ordering::SeqCst)), (7, 7));
    // What comes later is embedded without a word, in other namespaces as well.
    memory.remember(&namespace("bram"), &Remember::new("The ferry leaves at six.")).unwrap();
    wait("the other is embedded", || without_vector(&memory) == 0);
    let found = memory.recall(&namespace("bram"), &Question::new("boat")).unwrap();
    assert_eq!(found.hits[0].episode.text, "The ferry leaves at six.");
    assert_sound(&memory);
}

#[test]
fn a_memory_ends_while_its_model_is_at_work_and_goes_on_when_it_is_opened_again() {
    let (lab, model) = (Lab::new(), Gated::new("a", false));
    let memory = open(&lab.store(), &model);
    tell(&memory, "S1", 6);
    wait("the model is asked", || model.waiting.load(Ordering::SeqCst) == 1);
    let start = Instant::now();
    drop(memory);
    assert!(start.elapsed() < Duration::from_secs(10));
    // The store is free at once, though the model still works; what it makes is thrown away.
    let memory = open(&lab.store(), &Gated::new("a", false));
    assert_eq!(without_vector(&memory), 6);
    drop(memory);
    model.open();
    let memory = open(&lab.store(), &model);
    wait("all is embedded", || without_vector(&memory) == 0);
    assert_sound(&memory);
}

#[test]
fn a_model_that_fails_or_panics_is_tried_again() {
    let (lab, model) = (Lab::new(), Gated::new("a", true));
    model.fails.store(true, Ordering::SeqCst);
    let memory = open(&lab.store(), &model);
    tell(&memory, "S1", 3);
    let problem = || memory.embedding().unwrap().problem.unwrap_or_default();
    wait("the failure is told", || problem().contains("it sleeps"));
    model.fails.store(false, Ordering::SeqCst);
    wait("all is embedded", || without_vector(&memory) == 0);
    wait("the failure is forgotten", || problem().is_empty());
    model.panics.store(true, Ordering::SeqCst);
    tell(&memory, "S2", 3);
    wait("the panic is told", || problem().contains("panicked"));
    model.panics.store(false, Ordering::SeqCst);
    wait("all is embedded", || without_vector(&memory) == 0);
}

#[test]
fn a_namespace_that_fails_keeps_no_other_waiting() {
    let (lab, model) = (Lab::new(), Arc::new(Gated::stumbling("a", true, Some("stone"))));
    let memory = open(&lab.store(), &model);
    for (name, text) in [("a", "A stone."), ("b", "A ferry."), ("c", "A boat."), ("d", "Another stone.")] {
        memory.remember(&namespace(name), &Remember::new(text)).unwrap();
    }
    wait("the others are embedded", || without_vector(&memory) == 2);
    assert!(memory.embedding().unwrap().busy);
}

#[test]
fn a_switch_is_seen_whole_or_not_at_all() {
    let (lab, one, other) = (Lab::new(), Gated::new("a", true), Gated::new("b", false));
    let memory = open(&lab.store(), &one);
    tell(&memory, "S1", 40);
    wait("all is embedded", || without_vector(&memory) == 0);
    let to = Arc::clone(&other) as Arc<dyn Embedder>;
    let name = |name: &str| name.to_owned();
    let choice = Choice { model: name("b"), identity: name("b"), source: name("here"), remote: None };
    memory.switch_in_background(to, Some(choice)).unwrap();
    wait("the other is asked", || other.waiting.load(Ordering::SeqCst) == 1);
    // What comes meanwhile has the vectors of the one that serves.
    tell(&memory, "S2", 5);
    assert_eq!(Choice::read(&lab.store()).unwrap(), None);
    let stop = AtomicBool::new(false);
    thread::scope(|scope| {
        let reader = || {
            let mut last = "a".to_owned();
            while !stop.load(Ordering::SeqCst) {
                let found = memory.recall(&namespace("ilka"), &Question::new("ferry")).unwrap();
                // Never words alone, never back, and always all that have vectors.
                let model = found.meaning.model.expect("a model answers");
                assert!(model >= last && !found.hits.is_empty(), "{model} after {last}");
                let reader = memory.engine().reader(&namespace("ilka")).unwrap();
                let (vectors, episodes) = (reader.state().vectors(), reader.state().counts().episodes);
                assert!(vectors.len() + 5 >= episodes, "{} of {episodes}", vectors.len());
                last = model;
            }
            last
        };
        let readers: Vec<_> = (0..2).map(|_| scope.spawn(reader)).collect();
        other.open();
        wait("the switch is done", || memory.embedding().unwrap().switching.is_none());
        wait("the rest is embedded", || without_vector(&memory) == 0 && !memory.embedding().unwrap().busy);
        let found = memory.recall(&namespace("ilka"), &Question::new("boat")).unwrap();
        assert_eq!(found.meaning.model.as_deref(), Some("b"));
        stop.store(true, Ordering::SeqCst);
        for reader in readers {
            reader.join().unwrap();
        }
    });
    assert_eq!(Choice::read(&lab.store()).unwrap().unwrap().model, "b");
    assert_sound(&memory);
    drop(memory);
    let memory = open(&lab.store(), &other);
    assert_eq!(without_vector(&memory), 0);
}

#[test]
fn a_switch_away_from_a_model_that_fails_does_not_wait_for_it() {
    let (lab, one, other) = (Lab::new(), Gated::new("a", true), Gated::new("b", true));
    one.fails.store(true, Ordering::SeqCst);
    let memory = open(&lab.store(), &one);
    tell(&memory, "S1", 40);
    memory.switch_in_background(Arc::clone(&other) as Arc<dyn Embedder>, None).unwrap();
    wait("the switch is done", || memory.embedding().unwrap().switching.is_none());
    wait("all is embedded", || without_vector(&memory) == 0);
    wait("nothing is in the way", || memory.embedding().unwrap().problem.is_none());
    assert_eq!(memory.stats(None).unwrap().embedder, "b");
    // Who wants no thread has none.
    let plain = Memory::create(&lab.path("plain")).unwrap().0;
    assert_eq!(plain.embedding(), None);
    assert!(plain.switch_in_background(other, None).is_err());
}

#[test]
fn who_embeds_in_the_foreground_and_the_thread_make_no_vector_twice() {
    let (lab, model) = (Lab::new(), Gated::new("a", true));
    let memory = open(&lab.store(), &model);
    for number in 0..5 {
        tell(&memory, &format!("S{number}"), 10);
        memory.embed_pending(&namespace("ilka"), |_| ()).unwrap();
    }
    wait("all is embedded", || without_vector(&memory) == 0);
    assert_eq!(model.texts.load(Ordering::SeqCst), 50);
}

/// Tells the child where its store is; without it the child's test does nothing.
const DIRECTORY: &str = "LOREBASE_BACKGROUND_DIR";
/// And where its endpoint.
const URL: &str = "LOREBASE_BACKGROUND_URL";

/// The child: carries a switch on until it is killed. In an ordinary run, where nobody says which store, it returns at once.
#[cfg(feature = "remote-models")]
#[test]
fn child() {
    let (Some(directory), Ok(url)) = (std::env::var_os(DIRECTORY), std::env::var(URL)) else { return };
    let options = Options { embed_in_background: true, ..Options::default() };
    let memory = Memory::open_as(Path::new(&directory), options).unwrap().0;
    memory.switch_in_background(remote(&url), None).unwrap();
    loop {
        thread::sleep(Duration::from_secs(1));
    }
}

#[cfg(feature = "remote-models")]
fn remote(url: &str) -> Arc<dyn Embedder> {
    use lorebase::models::remote::{RemoteEmbedder, Settings};
    let settings = Settings { batch: 2, ..Settings::new(url, "m").unwrap() };
    Arc::new(RemoteEmbedder::new(&settings, crate::endpoint::DIMENSIONS).unwrap())
}

#[cfg(feature = "remote-models")]
#[test]
fn a_switch_goes_on_after_a_kill_where_it_was() {
    use crate::endpoint::{Endpoint, Manner};
    let (lab, endpoint) = (Lab::new(), Endpoint::new());
    let memory = lab.memory();
    tell(&memory, "S1", 30);
    drop(memory);
    endpoint.usually(Manner::Hangs(Duration::from_millis(30)));
    let mut child = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "background::child"])
        .env(DIRECTORY, lab.store())
        .env(URL, &endpoint.url)
        .env("NO_PROXY", "127.0.0.1")
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    wait("the endpoint is asked", || endpoint.texts() >= 10);
    child.kill().unwrap();
    child.wait().unwrap();
    endpoint.usually(Manner::Well);
    let before: usize = endpoint.asked().iter().map(|asked| asked.texts.len()).sum();
    let options = Options { embed_in_background: true, ..Options::default() };
    let memory = Memory::open_as(&lab.store(), options).unwrap().0;
    // The model before serves.
    let found = memory.recall(&namespace("ilka"), &Question::new("ferry")).unwrap();
    assert_eq!(found.meaning.model, Some(memory.stats(None).unwrap().embedder));
    memory.switch_in_background(remote(&endpoint.url), None).unwrap();
    wait("the switch is done", || memory.embedding().unwrap().switching.is_none());
    let after: usize = endpoint.asked().iter().map(|asked| asked.texts.len()).sum();
    assert!((30..=30 + 2).contains(&(before + after)), "{before} and {after}");
    assert!(memory.stats(None).unwrap().embedder.starts_with("m@"));
    assert_eq!(without_vector(&memory), 0);
    assert_sound(&memory);
}
