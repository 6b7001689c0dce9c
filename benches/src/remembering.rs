//! A model that computes the vector of a text once, however often it is asked for: tables of many rows ask for the same
//! texts in every row.

use std::collections::HashMap;
use std::path::Path;
use std::sync::{Arc, Mutex};

use lorebase::engine::embed::{Embedder, ModelIdentity};
use lorebase::engine::error::Error;
use lorebase::models::installed::Models;
use lorebase::models::select;

/// A model and the vectors that it made.
pub struct Remembering {
    model: Arc<dyn Embedder>,
    passages: Mutex<HashMap<String, Vec<f32>>>,
    questions: Mutex<HashMap<String, Vec<f32>>>,
}

impl Remembering {
    /// The model in a directory.
    ///
    /// # Errors
    /// Where there is none, or it cannot be read.
    pub fn open(directory: &Path) -> anyhow::Result<Arc<dyn Embedder>> {
        // A path, and never the name of a model on this machine.
        let directory = directory.canonicalize()?;
        let model = select::named(&directory.to_string_lossy(), &Models::at(&directory))?;
        Ok(Arc::new(Self { model, passages: Mutex::default(), questions: Mutex::default() }))
    }
}

impl Embedder for Remembering {
    fn identity(&self) -> &ModelIdentity {
        self.model.identity()
    }

    fn embed(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>, Error> {
        let mut known = self.passages.lock().expect("nothing panics that holds it");
        let mut new: Vec<&str> = texts.iter().copied().filter(|text| !known.contains_key(*text)).collect();
        new.sort_unstable();
        new.dedup();
        let vectors = self.model.embed(&new)?;
        known.extend(new.into_iter().map(str::to_owned).zip(vectors));
        Ok(texts.iter().map(|text| known[*text].clone()).collect())
    }

    fn embed_question(&self, question: &str) -> Result<Vec<f32>, Error> {
        let mut known = self.questions.lock().expect("nothing panics that holds it");
        if let Some(vector) = known.get(question) {
            return Ok(vector.clone());
        }
        let vector = self.model.embed_question(question)?;
        known.insert(question.to_owned(), vector.clone());
        Ok(vector)
    }
}
