//! Sentence encoders of the BERT family that run in this process, on the processor: from a directory with the model's
//! own files as they are published, in safetensors or ONNX.

mod bert;
mod encoder;
mod linear;
mod onnx;
mod settings;
mod weights;

use std::path::Path;

use lorebase_engine::embed::{Embedder, ModelIdentity};
use lorebase_engine::error::Error as EngineError;

pub use self::linear::Precision;
pub use self::settings::Pooling;

use self::encoder::Encoder;
use self::settings::Told;
use crate::error::Error;

/// How a model is to be used, where its own files do not tell it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Usage {
    /// How the vector of a text is made; the mean where nobody tells.
    pub pooling: Option<Pooling>,
    /// What stands before a question.
    pub query_prefix: Option<String>,
    /// What stands before a text that is to be found.
    pub passage_prefix: Option<String>,
    /// How many bits its weights have in memory.
    pub precision: Precision,
}

/// A sentence encoder in memory.
pub struct LocalEmbedder {
    identity: ModelIdentity,
    encoder: Encoder,
    pooling: Pooling,
    query_prefix: String,
    passage_prefix: String,
}

impl LocalEmbedder {
    /// Reads the model in a directory: `config.json`, `tokenizer.json` and its weights, and where they are there, what
    /// sentence-transformers tells of it (`1_Pooling/config.json`, `sentence_bert_config.json`,
    /// `config_sentence_transformers.json`). `name` says which model it is: vectors of models of different names are
    /// never compared.
    ///
    /// # Errors
    /// [`Error::Model`] where a file is missing, damaged, or of a kind that cannot be run here.
    pub fn open(directory: &Path, name: &str, usage: &Usage) -> Result<Self, Error> {
        let refuse = |problem| Error::Model { place: directory.display().to_string(), problem };
        let told = Told::read(directory).map_err(refuse)?;
        let encoder = Encoder::open(directory, told.most_tokens, usage.precision).map_err(refuse)?;
        let identity = ModelIdentity { name: name.to_owned(), dimensions: encoder.width() };
        let either =
            |given: &Option<String>, told: Option<String>| given.clone().or(told).unwrap_or_default();
        Ok(Self {
            identity,
            encoder,
            pooling: usage.pooling.or(told.pooling).unwrap_or(Pooling::Mean),
            query_prefix: either(&usage.query_prefix, told.query_prefix),
            passage_prefix: either(&usage.passage_prefix, told.passage_prefix),
        })
    }

    fn vectors(&self, prefix: &str, texts: &[&str]) -> Result<Vec<Vec<f32>>, EngineError> {
        let refuse = |problem| EngineError::Embedder { model: self.identity.name.clone(), problem };
        let tokens = self.encoder.tokens(prefix, texts).map_err(refuse)?;
        self.encoder.each(&tokens, |_, rows| self.pool(rows)).map_err(refuse)
    }

    /// One vector of length 1 of those of a text's tokens.
    fn pool(&self, rows: &[f32]) -> Vec<f32> {
        let width = self.encoder.width();
        let mut vector = rows[..width].to_vec();
        if self.pooling == Pooling::Mean {
            for row in rows[width..].chunks(width) {
                vector.iter_mut().zip(row).for_each(|(sum, number)| *sum += number);
            }
        }
        let length = vector.iter().map(|number| number * number).sum::<f32>().sqrt();
        if length > 0.0 {
            for number in &mut vector {
                *number /= length;
            }
        }
        vector
    }
}

impl Embedder for LocalEmbedder {
    fn identity(&self) -> &ModelIdentity {
        &self.identity
    }

    fn embed(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>, EngineError> {
        self.vectors(&self.passage_prefix, texts)
    }

    fn embed_question(&self, question: &str) -> Result<Vec<f32>, EngineError> {
        let mut vectors = self.vectors(&self.query_prefix, &[question])?;
        Ok(vectors.pop().unwrap_or_default())
    }
}
