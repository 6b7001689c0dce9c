//! Sentence encoders of the BERT family that run in this process, on the processor: from a directory with the model's
//! own files as they are published, in safetensors or ONNX.

mod bert;
mod cross;
mod encoder;
mod linear;
mod onnx;
mod protobuf;
mod settings;
mod weights;

use std::path::Path;

use lorebase_engine::embed::{Embedder, ModelIdentity};
use lorebase_engine::error::Error as EngineError;

pub use self::cross::CrossEncoder;
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
    /// The most tokens that are read of a text; as many as the model has places for where nobody tells.
    pub most_tokens: Option<usize>,
    /// How many bits its weights have in memory.
    pub precision: Precision,
}

impl Usage {
    /// What a model's own files tell of it.
    ///
    /// # Errors
    /// [`Error::Model`] where they are damaged, or tell of what cannot be done here.
    pub fn told(directory: &Path) -> Result<Self, Error> {
        let refuse = |problem| Error::Model { place: directory.display().to_string(), problem };
        let Told { pooling, most_tokens, query_prefix, passage_prefix } =
            Told::read(directory).map_err(refuse)?;
        Ok(Self { pooling, query_prefix, passage_prefix, most_tokens, ..Self::default() })
    }

    /// This, and where it says nothing, the other.
    #[must_use]
    pub fn or(self, other: Self) -> Self {
        Self {
            pooling: self.pooling.or(other.pooling),
            query_prefix: self.query_prefix.or(other.query_prefix),
            passage_prefix: self.passage_prefix.or(other.passage_prefix),
            most_tokens: self.most_tokens.or(other.most_tokens),
            precision: self.precision,
        }
    }
}

/// Where the weights stand in a directory of a model, if there are any.
pub(super) fn weights_in(directory: &Path) -> Option<&'static str> {
    weights::Weights::find(directory)
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
        let usage = usage.clone().or(Usage::told(directory)?);
        let encoder = Encoder::open(directory, usage.most_tokens, usage.precision).map_err(refuse)?;
        let identity = ModelIdentity { name: name.to_owned(), dimensions: encoder.width() };
        Ok(Self {
            identity,
            encoder,
            pooling: usage.pooling.unwrap_or(Pooling::Mean),
            query_prefix: usage.query_prefix.unwrap_or_default(),
            passage_prefix: usage.passage_prefix.unwrap_or_default(),
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

#[cfg(test)]
mod tests;
