//! Text to vectors: the trait that embedding models implement, and the two that are always there.

mod hash;
mod pieces;
mod table;

use serde::{Deserialize, Serialize};

use crate::error::Error;
use crate::model::episode::Episode;

pub use hash::HashEmbedder;
pub use table::TableEmbedder;

/// Which model made a vector. Vectors of different identities are never compared.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct ModelIdentity {
    /// The model's name and version, such as `hash-1`.
    pub name: String,
    /// Numbers a vector has.
    pub dimensions: usize,
}

/// How much of a text goes into its vector, the least first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Understanding {
    /// Letters: what is alike is spelt alike.
    Spelling,
    /// What its words mean, each by itself.
    Words,
    /// What it says as a whole, as sentence encoders tell it.
    Sentences,
}

/// Turns texts into vectors of unit length, of which the dot product says how alike the texts are.
pub trait Embedder: Send + Sync {
    /// Which model this is. It never changes while the value lives.
    fn identity(&self) -> &ModelIdentity;

    /// Whether vectors are made in so few microseconds that a commit waits for them, and that they are made again where a
    /// namespace is loaded. Those of other models are made later, and kept.
    fn is_quick(&self) -> bool {
        false
    }

    /// What it tells where texts are alike, and so what likeness counts for beside the words of a question.
    fn understanding(&self) -> Understanding {
        Understanding::Sentences
    }

    /// How many texts are best embedded at a time: where that fails, as many are to be embedded again.
    fn at_a_time(&self) -> usize {
        usize::MAX
    }

    /// What is to be told of the vectors that were made since the last call, such as of texts that are too long for the
    /// model.
    fn take_notice(&self) -> Option<String> {
        None
    }

    /// One vector a text, in order, each of the identity's dimensions and of length 1 (or 0 for a text in which
    /// the model sees nothing).
    ///
    /// # Errors
    /// Where the model fails or cannot be reached.
    fn embed(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>, Error>;

    /// The vector of a question, of the same kind. Some models read questions otherwise than what they find.
    ///
    /// # Errors
    /// As [`embed`](Self::embed).
    fn embed_question(&self, question: &str) -> Result<Vec<f32>, Error> {
        let mut vectors = self.embed(&[question])?;
        Ok(vectors.pop().unwrap_or_default())
    }
}

/// The text of an episode as a model that knows meaning reads it: with who said it.
pub(crate) fn told(embedder: &dyn Embedder, episode: &Episode) -> String {
    match &episode.speaker {
        Some(speaker) if embedder.understanding() > Understanding::Spelling => {
            format!("{speaker}: {}", episode.text)
        }
        _ => episode.text.clone(),
    }
}

/// Makes a vector's length 1, unless it is 0.
fn normalise(vector: &mut [f32]) {
    let length = vector.iter().map(|x| x * x).sum::<f32>().sqrt();
    if length > 0.0 {
        for x in vector.iter_mut() {
            *x /= length;
        }
    }
}
