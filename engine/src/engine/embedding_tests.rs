//! Models that take their time: what they make follows, is kept, is taken away with what is forgotten, and never mixed.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::tests::lives_in;
use super::*;
use crate::change::Changes;
use crate::embed::{HashEmbedder, ModelIdentity};
use crate::model::id::EpisodeId;

/// A model that counts the texts that it was given, and fails after so many.
struct Slow {
    identity: ModelIdentity,
    texts: AtomicUsize,
    most: usize,
}

impl Slow {
    fn new(name: &str, most: usize) -> Arc<Self> {
        let identity = ModelIdentity { name: name.to_owned(), dimensions: 4 };
        Arc::new(Self { identity, texts: AtomicUsize::new(0), most })
    }

    fn given(&self) -> usize {
        self.texts.load(Ordering::Relaxed)
    }
}

impl Embedder for Slow {
    fn identity(&self) -> &ModelIdentity {
        &self.identity
    }

    fn embed(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>, Error> {
        let before = self.texts.fetch_add(texts.len(), Ordering::Relaxed);
        if before + texts.len() > self.most {
            self.texts.store(before, Ordering::Relaxed);
            let problem = "it is tired".to_owned();
            return Err(Error::Embedder { model: self.identity.name.clone(), problem });
        }
        let axis =
            |text: &&str| usize::from(text.contains("Porto")) + 2 * usize::from(self.identity.name == "b");
        Ok(texts
            .iter()
            .map(|text| (0..4).map(|at| f32::from(u8::from(at == axis(text)))).collect())
            .collect())
    }
}

fn open(directory: &Path, model: &Arc<Slow>) -> Engine {
    Engine::open(directory, Missing::Create, Arc::clone(model) as Arc<dyn Embedder>).unwrap().0
}

/// A namespace of `count` episodes, and their ids.
fn told(engine: &Engine, count: u32) -> Vec<EpisodeId> {
    let mut ids = Vec::new();
    for position in 0..count {
        let home = if position % 2 == 0 { "Porto" } else { "Faro" };
        let changes = lives_in(&Namespace::default(), position, 8, home);
        ids.push(changes.episodes[0].id);
        engine.commit(&Namespace::default(), changes).unwrap();
    }
    ids
}

fn vectors(engine: &Engine) -> BTreeMap<EpisodeId, Vec<f32>> {
    let reader = engine.reader(&Namespace::default()).unwrap();
    let state = reader.state();
    let vector = |ix: EpisodeIx| Some((state.episode(ix).id, state.vectors().get(ix.0)?));
    state.living().filter_map(vector).collect()
}

#[test]
fn episodes_come_first_and_their_vectors_follow_and_are_made_once() {
    let directory = tempfile::tempdir().unwrap();
    let (model, namespace) = (Slow::new("a", usize::MAX), Namespace::default());
    let engine = open(directory.path(), &model);
    told(&engine, 5);
    assert_eq!((model.given(), engine.without_vector(&namespace).unwrap()), (0, 5));
    assert_eq!(engine.check().unwrap(), Vec::<String>::new());
    let mut done = Vec::new();
    engine.embed_pending(&namespace, |more| done.push(more)).unwrap();
    assert_eq!((done, model.given(), vectors(&engine).len()), (vec![2, 2, 1], 5, 5));
    assert_eq!(engine.check().unwrap(), Vec::<String>::new());
    let before = vectors(&engine);
    drop(engine);
    let engine = open(directory.path(), &model);
    assert_eq!((vectors(&engine), engine.without_vector(&namespace).unwrap()), (before, 0));
    engine.embed_pending(&namespace, |_| ()).unwrap();
    assert_eq!(model.given(), 5);
}

#[test]
fn what_a_model_did_before_it_failed_stays_done() {
    let directory = tempfile::tempdir().unwrap();
    let (tired, namespace) = (Slow::new("a", 3), Namespace::default());
    let engine = open(directory.path(), &tired);
    told(&engine, 5);
    let failed = engine.embed_pending(&namespace, |_| ()).unwrap_err();
    assert!(failed.to_string().contains("tired"), "{failed}");
    drop(engine);
    let rested = Slow::new("a", usize::MAX);
    let engine = open(directory.path(), &rested);
    assert_eq!(engine.without_vector(&namespace).unwrap(), 3);
    engine.embed_pending(&namespace, |_| ()).unwrap();
    assert_eq!((rested.given(), engine.without_vector(&namespace).unwrap()), (3, 0));
}

#[test]
fn a_switch_goes_on_where_it_was_and_the_model_before_serves_until_it_is_done() {
    let directory = tempfile::tempdir().unwrap();
    let (one, namespace) = (Slow::new("a", usize::MAX), Namespace::default());
    let engine = open(directory.path(), &one);
    told(&engine, 5);
    engine.embed_pending(&namespace, |_| ()).unwrap();
    let before = vectors(&engine);
    let tired: Arc<dyn Embedder> = Slow::new("b", 3);
    assert!(engine.switch_embedder(tired, |_, _| ()).is_err());
    assert_eq!((engine.embedder().identity().name.as_str(), vectors(&engine)), ("a", before.clone()));
    let rested = Slow::new("b", usize::MAX);
    let mut last = (0, 0);
    let to: Arc<dyn Embedder> = Arc::clone(&rested) as Arc<dyn Embedder>;
    engine.switch_embedder(to, |done, all| last = (done, all)).unwrap();
    assert_eq!((rested.given(), last), (3, (5, 5)));
    let after = vectors(&engine);
    assert!(after.len() == 5 && after.iter().all(|(id, vector)| before[id] != *vector));
    assert_eq!(engine.check().unwrap(), Vec::<String>::new());
    engine.remove_other_vectors().unwrap();
    // And to one that needs no files.
    engine.switch_embedder(Arc::new(HashEmbedder::default()), |_, _| ()).unwrap();
    assert!(vectors(&engine).values().all(|vector| vector.len() == 256));
}

#[test]
fn the_vector_of_what_is_forgotten_is_forgotten_too() {
    let directory = tempfile::tempdir().unwrap();
    let (model, namespace) = (Slow::new("a", usize::MAX), Namespace::default());
    let engine = open(directory.path(), &model);
    let ids = told(&engine, 5);
    engine.embed_pending(&namespace, |_| ()).unwrap();
    engine.commit(&namespace, Changes { forgets: vec![ids[1]], ..Changes::default() }).unwrap();
    engine.compact().unwrap();
    let mut kept = Vec::new();
    engine.store.vectors().read(&model.identity, &namespace, |id, _| kept.push(id)).unwrap();
    assert_eq!(kept, [ids[0], ids[2], ids[3], ids[4]]);
    assert_eq!(engine.check().unwrap(), Vec::<String>::new());
}

#[test]
fn what_is_forgotten_during_a_switch_is_not_kept_by_the_other_model() {
    let directory = tempfile::tempdir().unwrap();
    let (one, namespace) = (Slow::new("a", usize::MAX), Namespace::default());
    let engine = open(directory.path(), &one);
    let ids = told(&engine, 3);
    let to = Slow::new("b", usize::MAX);
    let turn = engine.turns().take();
    let mut switch = engine.begin_switch(Arc::clone(&to) as Arc<dyn Embedder>).unwrap();
    let batch = engine.switch_batch(&turn, &mut switch).unwrap().unwrap();
    let made = batch.embed().unwrap();
    engine.commit(&namespace, Changes { forgets: vec![ids[0]], ..Changes::default() }).unwrap();
    engine.compact().unwrap();
    engine.keep_of_switch(&turn, &mut switch, &batch, made).unwrap();
    let mut kept = Vec::new();
    engine.store.vectors().read(&to.identity, &namespace, |id, _| kept.push(id)).unwrap();
    assert_eq!(kept, [ids[1]]);
    // The model before serves until the other takes its place.
    assert_eq!(engine.embedder().identity().name, "a");
    let batch = engine.switch_batch(&turn, &mut switch).unwrap().unwrap();
    engine.keep_of_switch(&turn, &mut switch, &batch, batch.embed().unwrap()).unwrap();
    assert!(engine.switch_batch(&turn, &mut switch).unwrap().is_none());
    engine.finish_switch(&turn, switch);
    assert_eq!((engine.embedder().identity().name.as_str(), vectors(&engine).len()), ("b", 2));
}

#[test]
fn a_model_is_given_no_more_at_a_time_than_it_wants_and_who_wants_to_know_is_told() {
    struct Narrow(Arc<Slow>);
    impl Embedder for Narrow {
        fn identity(&self) -> &ModelIdentity {
            &self.0.identity
        }

        fn at_a_time(&self) -> usize {
            1
        }

        fn embed(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>, Error> {
            assert_eq!(texts.len(), 1);
            self.0.embed(texts)
        }
    }
    let directory = tempfile::tempdir().unwrap();
    let narrow = Arc::new(Narrow(Slow::new("a", usize::MAX)));
    let engine = Engine::open(directory.path(), Missing::Create, narrow).unwrap().0;
    let heard = Arc::new(AtomicUsize::new(0));
    let hears = Arc::clone(&heard);
    engine.on_unembedded(move |namespace| {
        assert_eq!(namespace, &Namespace::default());
        hears.fetch_add(1, Ordering::Relaxed);
    });
    told(&engine, 3);
    // The same again is nothing new.
    told(&engine, 3);
    assert_eq!(heard.load(Ordering::Relaxed), 3);
    engine.embed_pending(&Namespace::default(), |_| ()).unwrap();
    assert_eq!(vectors(&engine).len(), 3);
}
